"""Make questions of tag columns: the units that tags mark, or the tag of each token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agreement_fast.exports.found import Found
from agreement_fast.exports.tools.conll.layout import are_tags_of_units, is_tag_of_unit
from agreement_fast.exports.tools.conll.text import Text
from agreement_fast.files.errors import ReadError, show

__all__ = ["Column", "Questions", "units_of_tags"]

#: Cells of a token that has no tag yet.
_MISSING = ("", "_")

#: The category of units whose tags have no type.
_UNTYPED = "unit"


@dataclass(frozen=True)
class Column:
    """The tags of one coder for one document; `suffix` distinguishes several tag columns."""

    suffix: str
    cells: list[str]


def units_of_tags(tags: Sequence[str], ends: Sequence[int]) -> Iterator[tuple[int, int, str, bool]]:
    """Yield the units of a document that BIO, IOB1, IOBES or BILOU tags mark.

    All schemes are read alike: B, S, U and W begin a unit; E, L, S, U and W end one. Any other tag
    continues the unit before it if that has the same type, and otherwise begins a unit. A unit does
    not cross the end of a sentence.

    Parameters
    ----------
    tags : sequence of str
        The tags of the tokens.
    ends : sequence of int
        Where sentences end.

    Yields
    ------
    tuple
        The begin and end of a unit, its type, and whether it begins without a begin tag.
    """
    for begin, end in pairwise((0, *ends)):
        start, kind, unsaid = -1, "", False
        for place in range(begin, end):
            letter, _, named = tags[place].partition("-")
            named = named or _UNTYPED
            if start >= 0 and (letter in "OBSUW" or named != kind):
                yield start, place, kind, unsaid
                start = -1
            if letter != "O" and start < 0:
                start, kind, unsaid = place, named, letter not in "BSUW"
            if letter in "ELSUW":
                yield start, place + 1, kind, unsaid
                start = -1
        if start >= 0:
            yield start, end, kind, unsaid


class Questions:
    """Collects tag columns, and makes questions of them at the end."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._texts: dict[str, Text] = {}
        self._columns: dict[str, list[tuple[str, Text, list[str]]]] = {}

    def compare(self, text: Text) -> None:
        """Check that all files have the same tokens in a document."""
        other = self._texts.setdefault(text.name, text)
        if other.tokens == text.tokens and other.ends == text.ends:
            return
        for place, (mine, theirs) in enumerate(zip(text.tokens, other.tokens, strict=False)):
            if mine != theirs:
                raise _differs(text, other, place, f"has {show(mine)}", f"has {show(theirs)}")
        if len(text.tokens) != len(other.tokens):
            short, long = sorted((text, other), key=lambda one: len(one.tokens))
            place = len(short.tokens)
            raise ReadError(
                f"{short.member.shown} ends document {show(text.name)} after {place:,} tokens, and"
                f" {long.member.shown}, line {long.lines[place]:,}, goes on with"
                f" {show(long.tokens[place])}: all coders' files must have the same tokens"
            )
        place = min(set(text.ends) ^ set(other.ends)) - 1
        said = [
            f"{'ends' if place + 1 in one.ends else 'goes on with'} a sentence behind"
            f" {show(text.tokens[place])}"
            for one in (text, other)
        ]
        raise _differs(text, other, place, *said)

    def take(self, column: Column, coder: str, text: Text) -> None:
        """Add a coder's tags of a document."""
        self._columns.setdefault(column.suffix, []).append((coder, text, column.cells))

    def finish(self) -> None:
        """Make questions of each column."""
        found = self._found
        for name, text in self._texts.items():
            found.extents[name] = 0, len(text.tokens)
        items = {name: self._items(text) for name, text in self._texts.items()}
        for suffix, columns in self._columns.items():
            counts: Counter[str] = Counter()
            for _, _, cells in columns:
                counts.update(cells)
            if not any(cell not in _MISSING for cell in counts):
                continue
            if are_tags_of_units(counts):
                self._mark(suffix, columns)
            answers = found.answers_to(f"tags{suffix}", "tags of tokens")
            for coder, text, cells in columns:
                for item, cell in zip(items[text.name], cells, strict=True):
                    answers.add(item, coder, None if cell in _MISSING else cell)

    def _mark(self, suffix: str, columns: list[tuple[str, Text, list[str]]]) -> None:
        spans = self._found.spans_of(f"spans{suffix}", "units that tags mark")
        unsaid = units = 0
        for coder, text, cells in columns:
            for place, cell in enumerate(cells):
                if cell not in _MISSING and not is_tag_of_unit(cell):
                    raise ReadError(
                        f"{text.member.shown}, line {text.lines[place]:,}: expected a tag such as"
                        f" B-PER, I-PER or O as in other lines, got {show(cell)}"
                    )
            if any(cell in _MISSING for cell in cells):
                self._found.leave_out("documents with tokens that have no tag")
                continue
            spans.see(text.name, coder)
            for begin, end, kind, silent in units_of_tags(cells, text.ends):
                spans.mark(text.name, coder, [(begin, end)], kind)
                units += 1
                unsaid += silent
        if unsaid:
            self._found.note(
                f"{unsaid:,} of {units:,} units{suffix} begin without a B- tag, as they do in IOB1"
            )

    def _items(self, text: Text) -> list[str]:
        prefix = f"{text.name}:" if len(self._texts) > 1 else ""
        return [
            f"{prefix}{sentence}.{place - begin + 1} {text.tokens[place]}"
            for sentence, (begin, end) in enumerate(pairwise((0, *text.ends)), 1)
            for place in range(begin, end)
        ]


def _differs(text: Text, other: Text, place: int, here: str, there: str) -> ReadError:
    return ReadError(
        f"{text.member.shown}, line {text.lines[place]:,}, {here}, and {other.member.shown}, line"
        f" {other.lines[place]:,}, {there}: all coders' files must have the same tokens; if files"
        " are documents, pass --coder-from"
    )
