"""Translate messages about files from options of the command to arguments of Python."""

from __future__ import annotations

import re

__all__ = ["in_python"]

#: Options without a value, and the argument of Python for each.
_FLAGS = {
    "no-header": "header=False",
    **{
        name: f"{name.replace('-', '_')}=True"
        for name in (
            "wide",
            "text",
            "texts",
            "value-codes",
            "with-predictions",
            "with-curation",
            "with-unfinished",
            "count-skips",
            "count-empty",
        )
    },
}

#: Values that follow an option without quotes; any other word belongs to the sentence.
_WORDS = {
    "coder-from": r"file|folder|group|column|epoch",
    "document-from": r"file|folder",
    "item-from": r"text|id|doc_hash",
    "encoding": r"utf-8|utf-16|latin-1",
    "spans": r"exact|overlapping|document|paragraph|line|continuum",
    "format": r"table",
    "layout": r"long|wide|counts|contingency",
    "skip-rows": r"\d+",
    "resolution": r"\d+(?:\.\d+)?",
    "sheet": r"\d+",
    "missing": r"-?\d+(?:\.\d+)?",
    "coder": r"[\w.]+(?:,[\w.]+)+",
    "item": r"\w+(?:,\w+)+",
    "exclude": r"[\w.]+(?:,[\w.]+)+",
}

#: Options whose values are a list in Python.
_LISTS = ("missing", "exclude", "only-coders")

_NUMBERS = ("skip-rows", "resolution", "sheet")

_OPTION = re.compile(r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)")

_QUOTED = re.compile(r" '((?:[^'\\]|\\.)*)'")


def in_python(text: str) -> str:
    """Write options as arguments, with the values that stand behind them.

    Examples
    --------
    >>> in_python("pass --coder-from file, --skip-rows 2 or --wide if each column is a coder")
    'pass coder_from="file", skip_rows=2 or wide=True if each column is a coder'
    >>> in_python("pass --question with one of 'a', 'b', or --missing 'NA'")
    'pass question= with one of \\'a\\', \\'b\\', or missing=["NA"]'
    """
    written, end = "", 0
    for option in _OPTION.finditer(text):
        if option.start() < end:
            continue
        name = option[1]
        written += text[end : option.start()]
        end = option.end()
        if name in _FLAGS:
            written += _FLAGS[name]
            continue
        written += f"{name.replace('-', '_')}="
        words = _WORDS.get(name)
        plain = re.compile(rf" ({words})(?![\w-])").match(text, end) if words else None
        value = plain or _QUOTED.match(text, end)
        if value is not None:
            written += _value(name, value[1], listed=plain is not None)
            end = value.end()
    return written + text[end:]


def _value(name: str, text: str, *, listed: bool) -> str:
    """Return a value as Python writes it; `listed` if commas separate several values."""
    if name in _NUMBERS and re.fullmatch(r"\d+(\.\d+)?", text):
        return text
    several = text.split(",") if listed else [text]
    quoted = [f'"{one}"' if '"' not in one else f"'{one}'" for one in several]
    return f"[{', '.join(quoted)}]" if name in _LISTS or len(several) > 1 else quoted[0]
