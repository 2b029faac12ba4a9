"""Results that say what they are in sections, from which all other forms follow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, ClassVar

from agreement_fast._kernels.arrays import Array
from agreement_fast.present import whole_file
from agreement_fast.present.documents import json_value
from agreement_fast.present.markup import tables
from agreement_fast.present.sections import Full, Plain, Rows, Section, Terms, text_of
from agreement_fast.present.tables import Tabular, of_fields
from agreement_fast.present.terminal import filled, show_cell


class Sectioned(Tabular):
    """A table with a text in sections, from which a command and Python print the same.

    A subclass defines `sections`, or declares its only one: a title, what the numbers mean (a
    sentence, see `filled`), and what the text of every table has.
    """

    __slots__ = ()

    _title: ClassVar[str] = ""
    _meaning: ClassVar[str] = ""
    #: How many of the first columns are labels.
    _n_labels: ClassVar[int] = 1

    def sections(self) -> Iterable[Section]:
        """Return what the result says: the answer, then what explains it."""
        meaning = filled(self._meaning, self._value_of)
        explained = [Full(meaning), Full("")] if meaning else [Full("")]
        remarks = self._remarked(f"{self._remarks} {self._below}")
        return [Section(self._title, [self._captioned(), *explained, self._laid(), *remarks])]

    def _captioned(self) -> str:
        """Give the caption as a sentence; what begins with a value keeps its letters."""
        text = filled(self._caption, self._value_of)
        return f"{text if self._caption[0] == '{' else text[0].upper() + text[1:]}."

    def _laid(self, **how: Any) -> Rows:
        """Give the rows of the layout in their order; `how` are further attributes of `Rows`."""
        places = self._rows_shown(self.columns())
        level = getattr(self, "confidence_level", 0.95)
        layout, (labels, others) = self._layout(), ("<" * self._n_labels, ">")
        sides = labels + others * (layout.count(" | ") + layout.count("..") + 1 - len(labels))
        shown = {"level": level, "what": self._what, "most": self._most, "sides": sides, **how}
        return Rows.laid(self, layout, places, **shown)

    def to_text(self, *, full: bool = True, width: int = 96) -> str:
        """Give all that the result says, or its answer, as lines of text."""
        return text_of(self.sections(), full, width)

    def to_markdown(self, path: str | Path | None = None) -> str:
        """Give the tables as Markdown, and write them to a file if one is named."""
        return _pasted(self, "markdown", path)

    def to_latex(self, path: str | Path | None = None) -> str:
        """Give the tables as LaTeX, and write them to a file if one is named."""
        return _pasted(self, "latex", path)

    def __str__(self) -> str:
        sections, answer = self.sections(), self.to_text(full=False)
        whole = all(section.is_whole() for section in sections)
        return answer if whole else f"{answer}\n\n  to_text() has the rest."


class Presented(Sectioned):
    """A dataclass whose columns, sections and document follow from its fields.

    A field is a value or a table. A subclass may define `sections`, to say more.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from agreement_fast.present.tables import Table
    >>> @dataclass(frozen=True)
    ... class Votes(Presented):
    ...     share: float
    ...     labels: Table
    >>> print(Votes(0.5, Table({"label": ["yes", "no"], "n": [2, 1]})))
    Votes
      share  0.5000
    <BLANKLINE>
      label  n
      yes    2
      no     1
    """

    __slots__ = ()

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        columns = of_fields([self])
        return {
            name: column for name, column in columns.items() if not isinstance(column[0], Tabular)
        }

    def sections(self) -> Iterable[Section]:
        values = {name: show_cell(value[0]) for name, value in self.columns().items()}
        blocks: list[Plain] = [Terms(list(values.items()))]
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            blocks += ["", Rows.of(value)] if isinstance(value, Tabular) else []
        return [Section(type(self).__name__, blocks)]

    def document(self) -> dict[str, Any]:
        """Give the fields as JSON has them: a table is a list of its rows."""
        return {field.name: json_value(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]

    def __str__(self) -> str:
        return self.to_text()


def _pasted(result: Sectioned, form: str, path: str | Path | None) -> str:
    text = tables(result.sections(), form)
    if path is not None:
        with whole_file(path) as unfinished:
            unfinished.write_text(text, encoding="utf-8", newline="\n")
    return text
