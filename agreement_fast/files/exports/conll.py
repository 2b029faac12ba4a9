"""Columns of CoNLL: one token per line with its tags, and an empty line after each sentence."""

from __future__ import annotations

import re
import sys
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, pairwise, zip_longest
from typing import NamedTuple

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.segments import around
from agreement_fast.files.exports.streams import LOOKED_AT, Look, look_at
from agreement_fast.files.exports.tool import Contents, Options, Tool
from agreement_fast.reading.recognition.recognise import ROLES, names_a

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


class Layout(NamedTuple):
    """The layout of a file."""

    #: Whether cells are separated by one tab each; otherwise by blanks.
    tabs: bool
    #: Names of the columns, from the header, or "column 1" and so on.
    names: tuple[str, ...]
    #: The column of the tokens.
    token: int
    #: Whether the first row names the columns.
    header: bool
    #: Whether the first column numbers the tokens, as in Universal Dependencies.
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
        names = next((match[1].split() for line in lines if (match := _GLOBAL.match(line))), None)
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

    def fits(self, other: Layout) -> bool:
        """Whether two files have the same columns; a single tag column may have another name."""
        alike = (len(self.names), self.token) == (len(other.names), other.token)
        return alike and (self.names == other.names or len(self.tags) == 1)

    def is_comment(self, line: str) -> bool:
        """Whether a line is a comment, not a token that begins with #."""
        return line[:1] == "#" and len(_split(line, self.tabs)) != len(self.names)


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
    if not plain:
        return False, 0, []
    tabs = 2 * sum("\t" in line for line in plain) > len(plain)
    rows = [_split(line, tabs) for line in filled]
    are_plain = [line[0] != "#" for line in filled]
    ((width, _),) = Counter(map(len, compress(rows, are_plain))).most_common(1)
    return tabs, width, [row for row, plain in zip(rows, are_plain, strict=True)
                         if plain or len(row) == width]  # fmt: skip


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
    tag, head = _UNIVERSAL.index("UPOS"), _UNIVERSAL.index("HEAD")
    if width == len(_UNIVERSAL) and all(
        _NUMBER.fullmatch(row[0])
        and (row[tag] == "_" or row[tag].isalpha())
        and (row[head] == "_" or row[head].isdecimal())
        for row in body
    ):
        return True
    filled = [bool(line.strip(" \t")) for line in lines]
    sentences = sum(current > before for before, current in pairwise([False, *filled]))
    of_units = [place for place in range(width) if _column_of_units(body, place)]
    if of_units:
        # A first row without tags is the header of a table.
        return sentences > 1 or all(is_tag_of_unit(body[0][place]) for place in of_units)
    divided = sentences > 1 and len(body) >= 1.5 * sentences
    number = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?")
    words = not all(number.fullmatch(cell) for row in body for cell in row[: 1 + (width > 2)])
    repeated = any(len({row[place] for row in body}) < len(body) for place in range(1, width))
    return divided and words and repeated


_NEW = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*\S))?\s*$")


@dataclass
class Text:
    """A document of one file."""

    #: The file.
    member: Member
    #: The name of the document.
    name: str
    #: The tokens.
    tokens: list[str] = field(default_factory=list)
    #: The line of each token in the file: array of int.
    lines: array[int] = field(default_factory=lambda: array("q"))
    #: The number of tokens up to the end of each sentence.
    ends: list[int] = field(default_factory=list)
    #: The cells of each tag column.
    tags: list[list[str]] = field(default_factory=list)

    def described(self, with_ends: bool) -> list[str]:
        """Return each token as errors show it, perhaps with the ends of sentences."""
        ends = {end - 1 for end in self.ends} if with_ends else ()
        return [
            show(token) + " at the end of a sentence" * (place in ends)
            for place, token in enumerate(self.tokens)
        ]

    def end_sentence(self) -> None:
        """Record the end of a sentence, if it has tokens."""
        if len(self.tokens) > (self.ends[-1] if self.ends else 0):
            self.ends.append(len(self.tokens))


def texts_of(
    member: Member, layout: Layout, base: str | None, out: Contents, encoding: str | None
) -> Iterator[Text]:
    """Yield the documents of a file.

    `layout`: the layout of the file. `base`: the name of the document, or the first part of the
    names of several documents. `out`: counts what is left out. `encoding`: the encoding of the
    file.
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
            is_comment = layout.is_comment(line)
            new = _NEW.match(line) if is_comment else None
            if new or line.startswith(DOCUMENT):
                if text is not None:
                    yield ended(text)
                number += 1
                text, marker = None, (new and new[1]) or str(number)
                continue
            if is_comment or header:
                header = header and is_comment
                continue
            cells = _split(line, layout.tabs)
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
                out.leave_out("lines of words that are several tokens or no token")
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


#: Cells of a token that has no tag yet.
_MISSING = ("", "_")

#: The category of units whose tags have no type.
_UNTYPED = "unit"


def units_of_tags(tags: Sequence[str], ends: Sequence[int]) -> Iterator[tuple[int, int, str, bool]]:
    """Yield the units of a document that BIO, IOB1, IOBES or BILOU tags mark.

    All schemes are read alike: B, S, U and W begin a unit; E, L, S, U and W end one. Any other tag
    continues the unit before it if that has the same type, and otherwise begins a unit. A unit does
    not cross the end of a sentence. `tags`: the tags of the tokens. `ends`: where sentences end.
    Yields the begin and end of a unit, its type, and whether it begins without a begin tag.
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

    def __init__(self, out: Contents) -> None:
        self._contents = out
        self._texts: dict[str, Text] = {}
        self._columns: dict[str, list[tuple[str, Text, list[str]]]] = {}

    def compare(self, text: Text) -> None:
        """Check that all files have the same tokens in a document."""
        other = self._texts.setdefault(text.name, text)
        if other.tokens == text.tokens and other.ends == text.ends:
            return
        both = [entry.described(text.tokens == other.tokens) for entry in (text, other)]
        pairs = enumerate(zip_longest(*both))
        place = next(place for place, (first, second) in pairs if first != second)
        has = [
            f"{entry.member.shown}, line {entry.lines[place]:,}, has {described[place]}"
            if place < len(described)
            else f"{entry.member.shown} ends document {show(text.name)} after {place:,} tokens"
            for entry, described in zip((text, other), both, strict=True)
        ]
        raise ReadError(
            f"{', and '.join(has)}: all coders' files must have the same tokens; if files are"
            " documents, pass --coder-from and --document-from"
        )

    def take(self, suffix: str, cells: list[str], coder: str, text: Text) -> None:
        """Add a coder's tags of a document; `suffix` distinguishes several tag columns."""
        self._columns.setdefault(suffix, []).append((coder, text, cells))

    def finish(self) -> None:
        """Make questions of each column."""
        out, items = self._contents, defaultdict[str, list[str]](list)
        for name, text in self._texts.items():
            out.extents[name] = 0, len(text.tokens)
            if out.options.keep_texts:
                out.tokens[name] = text.tokens
            prefix = f"{name}:" if len(self._texts) > 1 else ""
            for sentence, (begin, end) in enumerate(pairwise((0, *text.ends)), 1):
                for place, token in enumerate(words := text.tokens[begin:end]):
                    items[name].append(f"{prefix}{sentence}.{place + 1} {token}")
                    if out.options.keep_texts:
                        out.texts[items[name][-1]] = around(words, ((place, place + 1),), " ")
        for suffix, columns in self._columns.items():
            counts = Counter(chain.from_iterable(cells for *_, cells in columns))
            if counts.keys() <= {*_MISSING}:
                continue
            if are_tags_of_units(counts):
                self._mark(suffix, columns)
            answers = out.answers_to(f"tags{suffix}", "tags of tokens")
            for coder, text, cells in columns:
                for item, cell in zip(items[text.name], cells, strict=True):
                    answers.add(item, coder, None if cell in _MISSING else cell)

    def _mark(self, suffix: str, columns: list[tuple[str, Text, list[str]]]) -> None:
        spans = self._contents.spans_of(f"spans{suffix}", "units that tags mark")
        unsaid = units = 0
        for coder, text, cells in columns:
            for place, cell in enumerate(cells):
                if cell not in _MISSING and not is_tag_of_unit(cell):
                    raise ReadError(
                        f"{text.member.shown}, line {text.lines[place]:,}: expected a tag such as"
                        f" B-PER, I-PER or O as in other lines, got {show(cell)}"
                    )
            if any(cell in _MISSING for cell in cells):
                self._contents.leave_out("documents with tokens that have no tag")
                continue
            spans.see(text.name, coder)
            for begin, end, kind, silent in units_of_tags(cells, text.ends):
                spans.mark(text.name, coder, [(begin, end)], kind)
                units += 1
                unsaid += silent
        if unsaid:
            self._contents.note(
                f"{unsaid:,} of {units:,} units{suffix} begin without a B- tag, as they do in IOB1"
            )


#: The value of --coder-from if each column after the tokens is a coder.
_COLUMN = "column"


class Conll(Tool):
    """Reads files of columns, with one file or one column per coder."""

    name = "conll"
    title = "CoNLL columns"
    options = ("coder_from", "document_from")
    plain = True

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether all files are columns of tokens and tags."""
        looks = [look_at(member) for member in bundle.members[:LOOKED_AT]]
        some = [look for look in looks if look.text]
        return bool(some) and all(looks_like_columns(look) for look in some)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read the columns of each file."""
        out.unit = "tokens"
        names = Counter(member.stem for member in bundle.members)
        how = options.coder_from or ("file" if set(names.values()) <= {1} else "folder")
        if how != _COLUMN and len(bundle.members) < 2:
            raise ReadError(
                f"{bundle.shown} is one file that does not say whose tags it holds: name the"
                " files of all coders, or pass --coder-from column if each column behind the"
                " tokens is a coder's; --format table reads it as a table"
            )
        questions = Questions(out)
        first: Layout | None = None
        for member in bundle.members:
            layout = Layout.of(member)
            if layout is None:
                out.note(f"{member.shown} holds no token")
                continue
            first = first or layout
            if how != _COLUMN and not layout.fits(first):
                raise ReadError(
                    f"{member.shown} has {len(layout.names)} columns {_listed(layout)}, but the"
                    f" files before have {len(first.names)} {_listed(first)}"
                )
            base: str | None = member.stem
            if options.document_from not in (None, "file"):
                base = member.part(str(options.document_from), "--document-from")
            elif options.document_from is None and (
                how == "file" or (how == _COLUMN and len(bundle.members) == 1)
            ):
                base = None  # the coder's only document
            for text in texts_of(member, layout, base, out, options.encoding):
                questions.compare(text)
                for coder, suffix, cells in _columns(member, layout, text, how):
                    out.refuse_second(text.name, coder, member)
                    questions.take(suffix, cells, coder, text)
        questions.finish()
        if options.coder_from is None and how == "folder":
            out.note("files in several folders have the same names: each folder is one coder")


def _columns(
    member: Member, layout: Layout, text: Text, how: str
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the coder, the suffix of the question and the cells of each tag column."""
    names = [layout.names[column] for column in layout.tags]
    if how == _COLUMN:
        if len(names) < 2:
            raise ReadError(f"{member.shown} has one column of tags: that is one coder")
        for coder, cells in zip(names, text.tags, strict=True):
            yield coder, "", cells
        return
    coder = member.part(how, "--coder-from")
    for name, cells in zip(names, text.tags, strict=True):
        yield coder, f" {name}" if len(names) > 1 else "", cells


def _listed(layout: Layout) -> str:
    return f"({', '.join(map(show, layout.names[:10]))})"
