"""The code that a message proposes, and the places of the package that propose code.

`in_python` and `in_shell` find what a reader of a message would paste. `sites` reads the sources:
every text there that proposes code is a pattern, which some message must match.
"""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from agreement_fast.cli import add_options, find_commands

PACKAGE = Path(__file__).resolve().parents[3] / "agreement_fast"

#: Where an expression, an assignment or a keyword may begin.
_BEGIN = re.compile(
    r"(?<![\w.'\"\]-])"
    r"(?:(?:\w+, )*[a-z]\w* = (?=\w)|(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?=[\[(=])|\[\*)"
)
#: What stands between an assignment and its value or the call behind it, and two expressions.
_GOES_ON = re.compile(r" = |; (?=af\.Annotations\.)| and (?=\w+[\[(]|\[\*)")
#: What takes the place of a Series.
ARRAY = re.compile(r"(\w+)\.to_numpy\(\)")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_OPTION = re.compile(r"--[a-z][a-z-]*")
#: What stands before an option to write or to leave out.
_ASKS = re.compile(r"(?:\b(?:pass|write|or|else|with|quote it:|leave out)|[a-z)\"][,;:]) $")
_OTHERS = r"(?:, {0})* or {0}"
_VALUE = re.compile(r"""[ =]((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s'";:])+)""")
_LITERAL = r"(?:'[^']*'|\"[^\"]*\"|-?[\d.]+)"


def in_python(message: str) -> list[str]:
    """Return the calls, assignments and keywords that a message proposes.

    Keywords with a blank between them belong together; each of several values is a proposal. So do
    two expressions with "and" between them, and an assignment and the call behind it.
    """
    result: list[str] = []
    at, end = 0, -1
    while begin := _BEGIN.search(message, at):
        start = begin.start()
        keyword = message[begin.end() : begin.end() + 1] == "="
        at = _end(message, begin.end() + keyword)
        if more := _GOES_ON.match(message, at):
            at = _end(message, more.end())
        code = message[start:at].replace("; ", "\n").replace(" and ", ", ")
        if not _is_code(code):
            at = begin.end()
            continue
        if not keyword:
            result.append(code)
            continue
        others = re.compile(_OTHERS.format(_LITERAL)).match(message, at)
        if others:
            at = others.end()
            result += [
                f"{begin[0]}={value}" for value in re.findall(_LITERAL, message[begin.end() : at])
            ]
        elif result and start == end + 1 and message[end] == " ":
            result[-1] += f", {code}"
        else:
            result.append(code)
        end = at
    return result


def _is_code(code: str) -> bool:
    """Return whether a text is an assignment, a keyword with a value, or an expression."""
    keyword = re.match(r"[a-z]\w*=(?!=)", code)
    try:
        ast.parse(f"f({code})" if keyword else code)
    except SyntaxError:
        return False
    alone = re.fullmatch(r"[\w.]+\(\)", code) and not ARRAY.fullmatch(code)
    return bool(keyword) or not alone


def _end(text: str, at: int) -> int:
    """Return where an expression ends."""
    open_: list[str] = []
    while at < len(text):
        if text[at] in "'\"":
            at = next(
                (i for i in range(at + 1, len(text)) if text[i] == text[at] != text[i - 1] != "\\"),
                len(text) - 1,
            ) if text[at + 1 : at + 2] != text[at] else at + 1  # fmt: skip
        elif text[at] in _CLOSING:
            open_.append(_CLOSING[text[at]])
        elif open_ and text[at] == open_[-1]:
            open_.pop()
        elif not open_ and text[at] in " ,;:)":
            break
        at += 1
    return at


@cache
def _actions() -> dict[str, argparse.Action]:
    """Return the options of all commands."""
    known: dict[str, argparse.Action] = {}
    for command in find_commands():
        parser = argparse.ArgumentParser()
        add_options(command, parser)
        known = parser._option_string_actions | known
    return known


def in_shell(message: str) -> list[list[str]]:
    """Return the options that a message proposes, as words; those to leave out begin with "-".

    Options with a blank between them belong together; each of several values is a proposal.
    """
    result: list[list[str]] = []
    end = -1
    for match in _OPTION.finditer(message):
        before = message[: match.start()]
        goes_on = match.start() == end + 1 and message[end] == " "
        if match.start() < end or not (goes_on or _ASKS.search(before)):
            continue
        action, at, words = _actions()[match[0]], match.end(), [match[0]]
        if action.nargs != 0:
            value = re.compile(r"""[ =]((?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s'";:])+)""").match(
                message, at
            )
            if value is None or value[1] in ("with", "and", "if") or value[1].startswith("-"):
                continue
            text = value[1].rstrip(",")
            words += shlex.split(text)
            others = re.compile(_OTHERS.format(r"([\w.-]+)")).match(
                message, value.start(1) + len(text)
            )
            at = value.start(1) + len(text)
            if action.choices and others and others[0].split()[-1] in action.choices:
                at = others.end()
                every = re.findall(r"[\w.-]+", message[value.start(1) : at])
                result += [[match[0], each] for each in every if each != "or"]
                end = at
                continue
        if before.endswith("leave out "):
            result.append(["-", *words])
        elif goes_on:
            result[-1] += words
        else:
            result.append(words)
        end = at
    return result


# ---------------------------------------------------------------------- the sources

#: What proposes code: a verb, and a call, a keyword, an option or a slice behind it.
_PROPOSES = re.compile(
    r"\b(pass|write|use|declare|call|with|or|out|as|add)\b[^;]*?"
    r"(\w\([^\0]*|\w+\[|[a-z_]+=|--[a-z])"
)


class Site(NamedTuple):
    """A text of the sources that proposes code.

    Attributes
    ----------
    where : str
        The module, below the package.
    text : str
        The text, with `…` for what is filled in.
    """

    where: str
    text: str

    def met_by(self, message: str) -> bool:
        """Return whether a message holds the text."""
        pattern = ".*?".join(map(re.escape, self.text.split("…")))
        in_both = re.sub(r"\b([a-z]+)=", r"(?:\1=|--\1 )", pattern)
        return re.search(in_both, message, re.S) is not None


def sites(*paths: str) -> Iterator[Site]:
    """Read modules, and folders of modules, and return what they propose."""
    for path in paths:
        below = PACKAGE / path
        for module in sorted(below.rglob("*.py")) if below.is_dir() else [below]:
            tree = ast.parse(module.read_text(encoding="utf-8"))
            name = module.relative_to(PACKAGE).as_posix()
            for text in dict.fromkeys(_texts(tree, _docstrings(tree))):
                if _PROPOSES.search(text.replace("…", "\0")):
                    yield Site(name, text)


def _docstrings(tree: ast.Module) -> set[ast.AST]:
    """Return the texts that stand alone, and what no message holds: annotations, patterns."""
    alone = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    patterns = {
        arg for node in ast.walk(tree) if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("re.compile", "re.fullmatch", "re.search", "re.sub")
        for arg in node.args
    }  # fmt: skip
    return {node for node in alone | patterns if not isinstance(node, ast.Call)} | patterns


def _texts(node: ast.AST, none: set[ast.AST]) -> Iterator[str]:
    if node in none:
        return
    text = _text(node)
    if text is not None:
        if " " in text:
            yield text
        return
    for child in ast.iter_child_nodes(node):
        yield from _texts(child, none)


def _text(node: ast.AST) -> str | None:
    """Return the text that a node writes, with … for values; None if it writes none."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts):
            texts = [_text(part) for part in parts]
            if isinstance(node, ast.Tuple) and not any(isinstance(x, str) for x in texts):
                return None
            return "".join("…" if text is None else text for text in texts)
        case ast.Call(func=ast.Name(id="Argument"), args=[ast.Constant(value=name), *values]):
            return f"{name}=…" if values else f"{name}"
        case ast.Call(func=ast.Name(id="Phrase"), args=[_, sentence, *_]):
            return _text(sentence)
    return None
