"""The beginning of a file, from which tools recognise their exports."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

from agreement_fast.exports.bundle import Bundle, Member, encoding_of
from agreement_fast.exports.json_stream import json_values
from agreement_fast.files.errors import ReadError

__all__ = ["LOOKED_AT", "Look", "delimiter_of", "every", "look_at", "some"]

#: The number of files of a folder to look at.
LOOKED_AT = 12

_ROOT = re.compile(r"<(?![?!])(?:[\w.-]+:)?([\w.-]+)([^>]*)")


def delimiter_of(text: str) -> str:
    """Return the delimiter of a table, from its first line."""
    return max(",\t;|", key=text.split("\n", 1)[0].count)


class Look:
    """The beginning of a file.

    Attributes are computed when they are first used. They raise no errors: if something is not
    there, they are empty.
    """

    def __init__(self, member: Member) -> None:
        self.member = member

    @cached_property
    def text(self) -> str:
        """The first 64 kB as text, without leading blanks."""
        try:
            head = self.member.head()
        except ReadError:
            return ""
        return head.decode(encoding_of(head), "replace").lstrip("\ufeff \t\r\n")

    @cached_property
    def record(self) -> dict[str, Any]:
        """The first object of a JSON file or of a list in it."""
        if self.text[:1] not in ("{", "["):
            return {}
        try:
            first = next(json_values(self.member), None)
        except ReadError:
            return {}
        return first if isinstance(first, dict) else {}

    @property
    def keys(self) -> set[str]:
        """The keys of `record`."""
        return set(self.record)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The first row of a CSV or TSV."""
        line = self.text.split("\n", 1)[0].rstrip("\r")
        if not line or self.text[:1] in ("{", "[", "<"):
            return ()
        try:
            # A quoted name may hold a line break.
            rows = csv.reader(self.text.splitlines(keepends=True), delimiter=delimiter_of(line))
            return tuple(next(rows, []))
        except csv.Error:
            return ()

    @cached_property
    def root(self) -> str:
        """The name of the root element of an XML file, without its prefix."""
        found = _ROOT.search(self.text) if self.text[:1] == "<" else None
        return found[1] if found else ""

    def has(self, *columns: str) -> bool:
        """Whether it is a table with these columns."""
        return set(columns) <= set(self.columns)


@lru_cache(maxsize=4 * LOOKED_AT)
def look_at(member: Member) -> Look:
    """Look at a file; the result is kept for all tools."""
    return Look(member)


def every(bundle: Bundle, test: Callable[[Look], bool]) -> bool:
    """Whether there are files, and all of them (or the first ones of many) pass a test."""
    looked = bundle.members[:LOOKED_AT]
    return bool(looked) and all(test(look_at(member)) for member in looked)


def some(bundle: Bundle, test: Callable[[Look], bool], *suffixes: str) -> bool:
    """Whether one of the files with these endings (or of the first ones) passes a test."""
    looked = bundle.ending(*suffixes) if suffixes else bundle.members
    return any(test(look_at(member)) for member in looked[:LOOKED_AT])
