"""Rayyan CSV: the decisions of reviewers, in the notes of each reference."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agreement_fast.exports.bundle import Bundle
from agreement_fast.exports.csv_stream import Declared
from agreement_fast.exports.found import Found
from agreement_fast.exports.look import Look, look_at, some
from agreement_fast.exports.tool import Options, Tool
from agreement_fast.files.errors import ReadError, show

__all__ = ["Rayyan"]

_INCLUSION = re.compile(r"(?:^|[|\n])\s*RAYYAN-INCLUSION:\s*\{")
#: Decisions may follow other notes and a blank; in quotes, it is a reviewer's name.
_ANYWHERE = re.compile(r'(?<![\w"-])RAYYAN-INCLUSION:(\s*\{)?')
#: Other parts of the notes, which name no reviewer.
_OTHERS = {
    "lists of exclusion reasons that name no reviewer": re.compile(r"\bRAYYAN-EXCLUSION-REASONS:"),
    "lists of labels that name no reviewer": re.compile(r"\bRAYYAN-LABELS:"),
}
_TEXT = r'"((?:[^"\\]|\\.)*)"'
_PAIR = re.compile(rf"\s*{_TEXT}\s*=>\s*(?:{_TEXT}|nil)\s*(,|\}})", re.DOTALL)
_END = re.compile(r"\s*\}")
_ESCAPE = re.compile(r"\\(u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_LETTERS = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "e": "\x1b",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "v": "\v",
}


def _is_rayyan(look: Look) -> bool:
    return look.has("key", "title", "notes") and (
        "RAYYAN-" in look.text or look.has("authors", "abstract")
    )


class Rayyan(Tool):
    """Reads decisions about references; the names of reviewers are in the notes."""

    name = "rayyan"
    title = "Rayyan (CSV)"
    columns = True

    def recognise(self, bundle: Bundle) -> bool:
        """Whether there is a table of references with Rayyan's notes."""
        return some(bundle, _is_rayyan)

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read the decisions in the notes of each reference."""
        answers = found.answers_to("inclusion", "screening decisions")
        members = [one for one in bundle.members if look_at(one).has("key", "notes")]
        if not members:
            raise ReadError(f"{bundle.shown} has no columns 'key' and 'notes', as Rayyan's CSV has")
        if len(members) < len(bundle.members):
            found.leave_out("other files", len(bundle.members) - len(members))
        for where, row in Declared(("key",), ("notes",)).rows(members, options):
            for what, pattern in _OTHERS.items():
                if pattern.search(row["notes"]):
                    found.leave_out(what)
            decided = False
            for name, decision in _decisions(row["notes"], f"{where}, key {show(row['key'])}"):
                answers.add(row["key"], name, decision or None)
                decided = True
            if not decided:
                found.leave_out("references without a decision")
        if not len(answers):
            found.note(
                "no decision names a reviewer: Rayyan exports names only when blinding is off"
            )


def _decisions(notes: str, where: str) -> Iterator[tuple[str, str]]:
    """Yield reviewers and their decisions."""
    start = _INCLUSION.search(notes) or _ANYWHERE.search(notes)
    if start is None:
        return
    if not start[0].endswith("{"):
        raise ReadError(
            f'{where}: expected RAYYAN-INCLUSION: {{"name"=>"decision"}} in the notes, got'
            f" {show(notes[start.start() :][:60])}"
        )
    at = start.end()
    if _END.match(notes, at):
        return
    while True:
        pair = _PAIR.match(notes, at)
        if pair is None:
            raise ReadError(
                f'{where}: expected "name"=>"decision" in the notes, got'
                f" {show(notes[at : at + 40])}"
            )
        yield _unescape(pair[1]), _unescape(pair[2] or "")
        if pair[3] == "}":
            return
        at = pair.end()


def _unescape(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        code = match[1]
        if code[0] == "u" and len(code) > 1:
            point = int(code[1:].strip("{}"), 16)
            return chr(point) if point <= 0x10FFFF else match[0]
        return _LETTERS.get(code, code)

    return _ESCAPE.sub(plain, text)
