"""The layout of a file of columns: its delimiter, and the content of its columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agreement_fast.exports.bundle import Member
from agreement_fast.exports.look import Look, look_at
from agreement_fast.recognition.recognise import ROLES, names_a

__all__ = ["DOCUMENT", "Layout", "are_tags_of_units", "is_tag_of_unit", "looks_like_columns"]

#: The first token of a document of CoNLL-2003.
DOCUMENT = "-DOCSTART-"

_UNIVERSAL = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
_TOKEN = frozenset({"token", "tokens", "word", "words", "form"})
_GLOBAL = re.compile(r"#\s*global\.columns\s*=\s*(.+)")
_SENTENCE = re.compile(r"# *(sent_id|text) *= ")
_NUMBER = re.compile(r"\d+([-.]\d+)?")
_BLANKS = re.compile(r"[ \t]+")
_TAG = re.compile(r"[BIESLUMW]-.+|O")
_BARE = frozenset("BIESLUMWO")

#: The number of bytes to look at; the last line may be cut.
_HEAD = 60_000


def is_tag_of_unit(cell: str) -> bool:
    """Whether a cell is a tag of BIO, IOB1, IOBES or BILOU."""
    return cell in _BARE or _TAG.fullmatch(cell) is not None


def are_tags_of_units(cells: Counter[str]) -> bool:
    """Whether a column has tags of units, perhaps with a few mistakes."""
    filled = {cell: n for cell, n in cells.items() if cell not in ("", "_")}
    if not any(cell[:2] in ("B-", "I-", "S-", "U-") and len(cell) > 2 for cell in filled):
        return "O" in filled and bool({"B", "I"} & filled.keys()) and _BARE.issuperset(filled)
    return 2 * sum(n for cell, n in filled.items() if is_tag_of_unit(cell)) > sum(filled.values())


@dataclass(frozen=True)
class Layout:
    """The layout of a file.

    Attributes
    ----------
    tabs : bool
        Whether cells are separated by one tab each; otherwise by blanks.
    names : tuple of str
        Names of the columns, from the header, or "column 1" and so on.
    token : int
        The column of the tokens.
    header : bool
        Whether the first row names the columns.
    numbered : bool
        Whether the first column numbers the tokens, as in Universal Dependencies.
    """

    tabs: bool
    names: tuple[str, ...]
    token: int
    header: bool
    numbered: bool

    @classmethod
    def of(cls, member: Member) -> Layout | None:
        """Return the layout of a file; None if it has no token."""
        lines = _lines_of(look_at(member))
        tabs, width, rows = _rows_of(lines)
        if not rows:
            return None
        head = rows[0]
        below = [row for row in rows[1:] if len(row) == len(head)]
        names = next((found[1].split() for line in lines if (found := _GLOBAL.match(line))), None)
        header = names is None and _is_header(head, below)
        body = below if header else [row for row in rows if len(row) == width]
        numbered = width > 2 and all(_NUMBER.fullmatch(row[0]) for row in body)
        if names is None or len(names) != width:
            universal = numbered and width == len(_UNIVERSAL)
            plain = tuple(f"column {number}" for number in range(1, width + 1))
            names = list(_UNIVERSAL if universal else head if header else plain)
        # brat's converter writes the tag first and the token last.
        last = _column_of_units(body, 0) and not _column_of_units(body, width - 1)
        return cls(tabs, tuple(names), width - 1 if last else int(numbered), header, numbered)

    @property
    def tags(self) -> range:
        """The tag columns: those after the tokens, or before if tokens are last."""
        width = len(self.names)
        return range(width - 1) if self.token == width - 1 else range(self.token + 1, width)

    def split(self, line: str) -> list[str]:
        """Split a line into cells."""
        return _split(line, self.tabs)

    def fits(self, other: Layout) -> bool:
        """Whether two files have the same columns; a single tag column may have another name."""
        alike = (len(self.names), self.token) == (len(other.names), other.token)
        return alike and (self.names == other.names or len(self.tags) == 1)

    def is_comment(self, line: str) -> bool:
        """Whether a line is a comment, not a token that begins with #."""
        return line[:1] == "#" and len(self.split(line)) != len(self.names)


def _split(line: str, tabs: bool) -> list[str]:
    # A token may contain other kinds of blanks.
    if tabs:
        return [cell.strip(" ") for cell in line.split("\t")]
    return _BLANKS.split(line.strip(" \t"))


def _lines_of(look: Look) -> list[str]:
    lines = [line.rstrip("\r") for line in look.text.split("\n")]
    return lines[:-1] if len(look.text.encode("utf-8", "replace")) > _HEAD else lines


def _rows_of(lines: Sequence[str]) -> tuple[bool, int, list[list[str]]]:
    """Return the delimiter, the usual number of cells, and the rows."""
    filled = [line for line in lines if line.strip(" \t") and not line.startswith(DOCUMENT)]
    plain = [line for line in filled if line[0] != "#"]
    tabs = 2 * sum("\t" in line for line in plain) > len(plain)
    cells = [_split(line, tabs) for line in filled]
    counts = Counter(len(row) for row, line in zip(cells, filled, strict=True) if line[0] != "#")
    if not counts:
        return tabs, 0, []
    width = counts.most_common(1)[0][0]
    rows = [
        row for row, line in zip(cells, filled, strict=True) if line[0] != "#" or len(row) == width
    ]
    return tabs, width, rows


def _column_of_units(rows: Sequence[list[str]], column: int) -> bool:
    return are_tags_of_units(Counter(row[column] for row in rows))


def _is_header(head: list[str], below: Sequence[list[str]]) -> bool:
    """Whether a row names the columns: the token column is named, and no name occurs as a tag."""
    return head[0].lower() in _TOKEN and not any(
        name == row[column] for row in below for column, name in enumerate(head) if column
    )


def looks_like_columns(look: Look) -> bool:
    """Whether a file has columns of tokens and tags, and is not an ordinary table."""
    if look.text.startswith("#FORMAT=") or look.record:
        return False
    lines = _lines_of(look)
    _, width, rows = _rows_of(lines)
    # A token is never empty.
    if width < 2 or len(rows) < 3 or any(len(row) != width or not row[0] for row in rows):
        return False
    roles = {role for role in ROLES for name in rows[0] if names_a(role, name)}
    if "coder" in roles and len(roles) > 1:
        return False
    body = rows[_is_header(rows[0], rows[1:]) :]
    if any(line.startswith(DOCUMENT) or _SENTENCE.match(line) for line in lines):
        return True
    if _is_universal(width, body):
        return True
    sentences = sum(1 for _ in _sentences(lines))
    of_units = [place for place in range(width) if _column_of_units(body, place)]
    if of_units:
        # A first row without tags is the header of a table.
        return sentences > 1 or all(is_tag_of_unit(body[0][place]) for place in of_units)
    divided = sentences > 1 and len(body) >= 1.5 * sentences
    words = any(not _is_number(row[0]) for row in body) or (
        width > 2 and any(not _is_number(row[1]) for row in body)
    )
    repeated = any(len({row[place] for row in body}) < len(body) for place in range(1, width))
    return divided and words and repeated


def _is_universal(width: int, rows: Sequence[list[str]]) -> bool:
    """Whether rows are tokens in Universal Dependencies, with numbers of their heads."""
    tag, head = _UNIVERSAL.index("UPOS"), _UNIVERSAL.index("HEAD")
    return width == len(_UNIVERSAL) and all(
        _NUMBER.fullmatch(row[0])
        and (row[tag] == "_" or row[tag].isalpha())
        and (row[head] == "_" or row[head].isdecimal())
        for row in rows
    )


def _sentences(lines: Sequence[str]) -> Iterator[int]:
    """Return where sentences begin."""
    before = ""
    for number, line in enumerate(lines):
        if line.strip(" \t") and not before.strip(" \t"):
            yield number
        before = line


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[-+]?[\d.]+(e[-+]?\d+)?", cell) is not None
