"""Documents of a file of columns, read line by line."""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

from agreement_fast.exports.bundle import Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.tools.conll.layout import DOCUMENT, Layout
from agreement_fast.files.errors import ReadError, show

__all__ = ["Text", "texts_of"]

_NEW = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*\S))?\s*$")


@dataclass
class Text:
    """A document of one file.

    Attributes
    ----------
    member : Member
        The file.
    name : str
        The name of the document.
    tokens : list of str
        The tokens.
    lines : array of int
        The line of each token in the file.
    ends : list of int
        The number of tokens up to the end of each sentence.
    tags : list of list of str
        The cells of each tag column.
    """

    member: Member
    name: str
    tokens: list[str] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("q"))
    ends: list[int] = field(default_factory=list)
    tags: list[list[str]] = field(default_factory=list)

    def end_sentence(self) -> None:
        """Record the end of a sentence, if it has tokens."""
        if len(self.tokens) > (self.ends[-1] if self.ends else 0):
            self.ends.append(len(self.tokens))


def texts_of(
    member: Member, layout: Layout, base: str | None, found: Found, encoding: str | None
) -> Iterator[Text]:
    """Yield the documents of a file.

    Parameters
    ----------
    member : Member
        The file.
    layout : Layout
        The layout of the file.
    base : str or None
        The name of the document, or the first part of the names of several documents.
    found : Found
        Counts what is left out.
    encoding : str or None
        The encoding of the file.
    """
    marker, number = "", 0
    names = set()
    text: Text | None = None
    header = layout.header

    def ended(text: Text) -> Text:
        text.end_sentence()
        if text.name in names:
            raise ReadError(f"{member.shown} holds document {show(text.name)} twice")
        names.add(text.name)
        return text

    with member.text(encoding) as stream:
        for place, raw in enumerate(stream, 1):
            line = raw.rstrip("\r\n")
            if not line.strip(" \t"):
                if text is not None:
                    text.end_sentence()
                continue
            new = _NEW.match(line) if layout.is_comment(line) else None
            if new or line.startswith(DOCUMENT):
                if text is not None:
                    yield ended(text)
                number += 1
                text, marker = None, (new and new[1]) or str(number)
                continue
            if layout.is_comment(line):
                continue
            cells = layout.split(line)
            if header:
                header = False
                continue
            if len(cells) != len(layout.names):
                raise ReadError(
                    f"{member.shown}, line {place:,}: expected {len(layout.names)} columns as in"
                    f" other lines, got {len(cells)}: {show(line)}"
                )
            if layout.numbered and not cells[0].isdecimal():
                if not re.fullmatch(r"\d+[-.]\d+", cells[0]):
                    raise ReadError(
                        f"{member.shown}, line {place:,}: expected the number of a token in the"
                        f" first column, got {show(cells[0])}"
                    )
                found.leave_out("lines of words that are several tokens or no token")
                continue
            if text is None:
                name = "/".join(part for part in (base, marker) if part) or "1"
                text = Text(member, name, tags=[[] for _ in layout.tags])
            text.tokens.append(sys.intern(cells[layout.token]))
            text.lines.append(place)
            for cells_of, column in zip(text.tags, layout.tags, strict=True):
                cells_of.append(sys.intern(cells[column]))
        if text is not None:
            yield ended(text)
