"""Sections: a heading, and paragraphs, tables and terms below it, as data without a form.

`text_of` renders them for a terminal; `agreement_fast.present.markup` renders them for documents.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from agreement_fast.present.terminal import (
    align,
    escape,
    more,
    show_cell,
    show_interval,
    show_label,
    show_level,
    wrap,
)

if TYPE_CHECKING:
    from agreement_fast.present.tables import Tabular

#: Rows of a table that an answer shows.
BRIEF = 10

#: Rows that a table of an answer keeps, however little room there is.
SHORT = 3


class Bar(float):
    """A share as a cell: a bar of up to 24 marks, or a picture."""

    def __str__(self) -> str:
        return "#" * math.ceil(24 * self)


#: Characters of a label that a page and a table to paste show.
WHOLE = 120


class Label(str):
    """A label as a terminal shows it; a page and a table to paste show it `whole`.

    Examples
    --------
    >>> Label.of("strongly negative", 12), Label.of("strongly negative", 12).whole
    ('strongly ne…', 'strongly negative')
    """

    whole: str

    @classmethod
    def of(cls, label: Any, limit: int = 32) -> Label:
        """Show a label with at most `limit` characters in a terminal."""
        shown = cls(show_label(label, limit))
        shown.whole = show_label(label, max(limit, WHOLE))
        return shown


def whole_of(text: Any) -> str:
    """Give a cell or the name of a column as a page and a table to paste show it."""
    return text.whole if isinstance(text, Label) else str(text)


class Whisker(NamedTuple):
    """A value and its interval as a cell, which only a page draws: on an axis from `start` to 1."""

    value: float
    low: float = math.nan
    high: float = math.nan
    start: float = 0.0

    def __str__(self) -> str:
        return ""


class Shade(NamedTuple):
    """A text as a cell, which a page shades by a class of its style.

    A pointer on it shows the `title`; if it has a name, it is a button for the script of the page.
    """

    text: str
    shade: str
    title: str = ""
    name: str = ""

    def __str__(self) -> str:
        return self.text


#: Cells that only a page draws, or a terminal.
Picture: TypeAlias = Bar | Whisker
Cell: TypeAlias = str | Picture | Shade


@dataclass(frozen=True)
class Rows:
    """A table: its first rows, and the number of the others.

    Attributes
    ----------
    head : sequence of str
        The names of the columns.
    rows : sequence of sequences
        Cells: texts, and numbers, which `show_cell` formats.
    sides : str
        "<" for a column of labels, ">" for one of numbers; by default only the first has labels.
    what : str
        What a row is, such as "coder".
    hint : str
        Where all of them are.
    most, brief : int
        How many of them the whole text and an answer show.
    last : int
        How many rows at the end are shown in any case.
    each : int
        How many rows belong together.
    rest : int
        How many are shown rather than counted.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    sides: str = ""
    what: str = "row"
    hint: str = ""
    most: int | None = None
    brief: int = BRIEF
    last: int = 0
    each: int = 1
    rest: int = 2

    @classmethod
    def of(cls, table: Tabular, what: str = "row", **how: Any) -> Rows:
        """Show all columns of a table; `how` are further attributes.

        Examples
        --------
        >>> from agreement_fast.present.tables import Table
        >>> Rows.of(Table({"coder": ["Ann"], "value": [0.5]}), "coder").lines(True, 80)
        ['  coder   value', '  Ann    0.5000']
        """
        columns = table.to_dict()
        numeric = [all(value is None or isinstance(value, Real) for value in column)
                   for column in columns.values()]  # fmt: skip
        sides = "".join(">" if entry else "<" for entry in numeric)
        rows = [
            [
                value if number else Label.of(value)
                for value, number in zip(row, numeric, strict=True)
            ]
            for row in zip(*columns.values(), strict=True)
        ]
        return cls(list(columns), rows, sides, what, **how)

    @classmethod
    def laid(
        cls,
        source: Any,
        layout: str,
        places: Sequence[int] | None = None,
        *,
        sides: str = "",
        limit: int = 24,
        level: float = 0.95,
        **how: Any,
    ) -> Rows:
        """Show columns of a mapping, or attributes of a result or of several, by a layout.

        `tables.in_columns` explains the layout; "low..high" are two columns here, and the
        first says the confidence level. Labels have at most `limit` characters.

        Examples
        --------
        >>> table = {"coder": ["Ann", "Bea"], "value": [0.5, 0.75], "n": [1200, 8]}
        >>> Rows.laid(table, "coder | value | items = n", [1, 0]).lines(True, 80)
        ['  coder   value  items', '  Bea    0.7500      8', '  Ann    0.5000  1,200']
        """
        from agreement_fast.present.tables import formatted, laid_out

        ends = rf"{show_level(level)} from = \1low\2 | to = \1high\2"
        layout = re.sub(r"(\w*)low[.]{2}high(\S*)", ends, layout)
        columns = list(laid_out(source, layout, places))
        sides = sides or "<" + ">" * (len(columns) - 1)
        cells = [
            [formatted(entry, form) if form
             else entry if side == ">" or isinstance(entry, Picture) else Label.of(entry, limit)
             for [entry] in column]
            for (_, form, column), side in zip(columns, sides, strict=True)
        ]  # fmt: skip
        rows = list(zip(*cells, strict=True))
        return cls([head for head, _, _ in columns], rows, sides, **how)

    def aligned(self) -> str:
        """Give the side of each column."""
        return self.sides or "<" + ">" * (len(self.head) - 1)

    def n_shown(self, full: bool) -> int:
        """Count what stands above the last rows, in the whole text or in an answer."""
        n = (len(self.rows) - self.last) // self.each
        most = n if self.most is None else self.most
        shown = min(n, most if full else min(most, self.brief))
        # Saying that two rows are left out would take as much room.
        return n if self.each * (n - shown) <= self.rest else shown

    def within(self, rows: int) -> Rows:
        """Give the table for an answer that has room for some rows; short tables stay."""
        brief = min(self.brief, rows if self.brief > SHORT else SHORT)
        return replace(self, brief=brief, rest=min(self.rest, rows - 1))

    def shown(self, full: bool) -> tuple[list[list[Cell]], int, str]:
        """Give the cells of the whole text or of an answer, and what stands for the other rows.

        The number is that of the rows above it.
        """
        end = len(self.rows) - self.last
        n, shown = end // self.each, self.n_shown(full)
        kept = self.each * shown
        cells = [
            [cell if isinstance(cell, Cell) else show_cell(cell) for cell in row]
            for row in (*self.rows[:kept], *self.rows[end:])
        ]
        return cells, kept, more(n - shown, self.what, self.hint) if shown < n else ""

    def width(self) -> int:
        """Count the columns that all rows take in a text."""
        every = replace(self, most=None, last=0, sides=self.aligned()[:-1] + ">")
        return max(map(len, every.lines(True, 0)))

    def lines(self, full: bool, width: int) -> list[str]:
        """Give the lines of a text; only texts at the end of a table are folded to fit it."""
        cells, kept, others = self.shown(full)
        texts, sides = [list(map(str, row)) for row in cells], self.aligned()
        lines = align(self.head, texts, sides)
        if sides.endswith("<") and max(map(len, lines)) > width:
            before = align(self.head[:-1], [row[:-1] for row in texts], sides[:-1])
            start = max(map(len, before)) + 2
            lines = [_hanging(line[start:], line[:start], 0, width) for line in lines]
        return [*lines[: kept + 1], *([f"  {others}"] if others else []), *lines[kept + 1 :]]


class Estimate(NamedTuple):
    """A value with its interval.

    Attributes
    ----------
    name : str
    value, low, high : float
        NaN if there is none.
    confidence_level : float
    meaning : str
        What stands behind them.
    """

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    confidence_level: float = 0.95
    meaning: str = ""

    @property
    def beside(self) -> str:
        """The interval, and what the value means."""
        interval = "no interval" if self.low != self.low else show_interval(self)
        return f"{interval}; {self.meaning}." if self.meaning else f"{interval}."

    def __str__(self) -> str:
        return f"{self.name} = {show_cell(self.value)}, {self.beside}"

    def lines(self, full: bool, width: int) -> list[str]:
        """Give the lines of a text."""
        return [wrap(escape(str(self)), width)]


class Terms(NamedTuple):
    """Short terms, each with a text beside it, or with several below each other.

    Attributes
    ----------
    pairs : sequence of (term, text or texts)
    wide : int
        Columns of the terms; by default, those of the longest and two blanks.
    head : pair of str
        What the terms and the texts are, if they are a table in documents.
    apart : bool
        Whether a blank line comes before each term.
    """

    pairs: Sequence[tuple[str, str | Sequence[str]]]
    wide: int = 0
    head: tuple[str, str] | None = None
    apart: bool = False

    def texts(self) -> list[tuple[str, Sequence[str]]]:
        """Return each term with all its texts."""
        return [(term, [text] if isinstance(text, str) else text) for term, text in self.pairs]

    def lines(self, full: bool, width: int) -> list[str]:
        """Give the lines of a text."""
        wide = self.wide or max(map(len, dict(self.pairs)), default=0) + 2
        lines = []
        for term, (first, *others) in self.texts():
            lines += [""] if self.apart else []
            lines.append(_hanging(first, f"  {term:<{wide}}", 0, width))
            for text in others:
                lines.append(_hanging(text, " " * (wide + 2), 4, width))
        return lines


def _hanging(text: str, indent: str, more: int, width: int) -> str:
    return (
        textwrap.fill(
            escape(text),
            width,
            initial_indent=indent,
            subsequent_indent=" " * (len(indent) + more),
            break_long_words=False,
            break_on_hyphens=False,
        )
        or indent.rstrip()
    )


class Quote(str):
    """A sentence to copy, such as one for a paper."""

    __slots__ = ()


class Verbatim(NamedTuple):
    """Lines that are aligned already, such as those of a matrix."""

    text: str

    def lines(self, full: bool, width: int) -> list[str]:
        """Give the lines of a text."""
        return [f"  {line}".rstrip() for line in self.text.splitlines()]


class Rule(NamedTuple):
    """A line below the heading of a group, whose sections follow."""

    length: int

    def lines(self, full: bool, width: int) -> list[str]:
        """Give the lines of a text."""
        return ["=" * min(self.length, width)]


#: A text is a paragraph; an empty one is a blank line.
Plain: TypeAlias = str | Rows | Estimate | Terms | Quote | Verbatim | Rule


class Full(NamedTuple):
    """What the whole text has and an answer has not."""

    block: Plain


class Brief(NamedTuple):
    """What an answer has in place of something longer."""

    block: Plain


Block: TypeAlias = Plain | Full | Brief


class Section(NamedTuple):
    """A heading and its blocks; the whole text or an answer may lack some of them."""

    heading: str
    blocks: Sequence[Block] = ()

    def shown(self, full: bool) -> list[Plain]:
        """Give the blocks of the whole text or of an answer."""
        other = Brief if full else Full
        return [
            block.block if isinstance(block, Full | Brief) else block
            for block in self.blocks
            if not isinstance(block, other)
        ]

    def text(self, full: bool, width: int, rows: int = BRIEF) -> str:
        """Give the whole section or its part of the answer, which may be empty."""
        lines: list[str] = []
        for block in self.shown(full):
            if isinstance(block, Rows) and not full:
                block = block.within(rows)
            if isinstance(block, str):
                lines.append(wrap(escape(block), width))
            else:
                lines += block.lines(full, width)
        return "\n".join([self.heading, *lines]) if lines else ""

    def is_whole(self, rows: int = BRIEF) -> bool:
        """Whether an answer has all of the section."""
        return not any(
            isinstance(block, Full | Brief)
            or (isinstance(block, Rows) and block.within(rows).n_shown(False) < block.n_shown(True))
            for block in self.blocks
        )

    def hidden(self) -> Section:
        """Give the section as one of the whole text only."""
        return details(self.heading, *self.shown(True))

    def hinting(self, hint: str) -> Section:
        """Give the section with a hint on what has all rows of its tables."""

        def of(block: Any) -> Any:
            if isinstance(block, Full | Brief):
                return type(block)(of(block.block))
            return replace(block, hint=hint) if isinstance(block, Rows) else block

        return self._replace(blocks=list(map(of, self.blocks)))


def details(heading: str, *blocks: Plain) -> Section:
    """Give a section of the whole text only."""
    return Section(heading, list(map(Full, blocks)))


def text_of(sections: Iterable[Section], full: bool, width: int) -> str:
    """Give the whole text or the answer, with a blank line between sections.

    Examples
    --------
    >>> table = Rows(("coder", "value", "items"), [("Ann", 0.5, 1200), ("Bea", float("nan"), 9)])
    >>> print(text_of([Section("Coders", ["Each with the others.", "", table])], True, 80))
    Coders
      Each with the others.
    <BLANKLINE>
      coder   value  items
      Ann    0.5000  1,200
      Bea         -      9
    """
    return joined([section.text(full, width) for section in sections])


def joined(texts: Iterable[str]) -> str:
    """Put texts below each other that are not empty, with a blank line between them."""
    return "\n\n".join(filter(None, texts))
