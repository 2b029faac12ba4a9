"""Build annotations from tables that were read."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.errors import Argument, InputError
from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.tables import Coded, LongTable, WideTable
from agreement_fast.present.tables import Matrix
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.long import read_long
from agreement_fast.reading.parts import Options
from agreement_fast.reading.recognition.labels import Missing
from agreement_fast.reading.wide import read_wide

if TYPE_CHECKING:
    from agreement_fast.files.stream import Stream

    Table: TypeAlias = LongTable | WideTable | Stream


_WHOLE = re.compile(r"[+-]?\d+")


def declared_of(table: Table, missing: Collection[Any] = ()) -> list[Any] | None:
    """Return the categories that the files declare, with the type of the labels.

    Categories that stand for `missing` judgments are left out. None if nothing is declared.
    """
    names = table.source.declared
    if names is None:
        return None
    gone = Missing(missing)
    kept = [name for name in names if name not in gone]
    if table.labels.values.dtype.kind not in "iuf":
        return list(kept)
    return [number if (number := _number(name)) is not None else name for name in kept]


def _number(text: str) -> float | None:
    try:
        return int(text) if _WHOLE.fullmatch(text) else float(text)
    except ValueError:
        return None


def empty_label(set_separator: str | None) -> str | frozenset[Any]:
    """Return the label that means the empty set: text that will be split, or the set itself."""
    return frozenset() if set_separator is None else ""


def annotations_of(
    table: LongTable | WideTable,
    *,
    categories: Sequence[Any] | None = None,
    duplicates: str = "error",
    repeats_of: Any = None,
    set_separator: str | None = None,
    empty_set: str | None = None,
    keys: bool = False,
    is_part: bool = False,
) -> Annotations:
    """Build annotations from a table; errors use the names in the file.

    `table`: a table that was read. `categories`: all categories; by default those that the files
    declare, else the labels that occur. `duplicates`: what to do with several judgments of one item
    by the same coder; see `Annotations.from_long`. `repeats_of`: compare this coder's judgments of
    one item with each other. `set_separator`: split labels into sets at this text. `empty_set`: the
    label that means the empty set. `keys`: whether the names of items are keys. `is_part`: whether
    other tables may hold judgments of the coder `repeats_of`.
    """

    def column(coded: Coded) -> Dictionary:
        return Dictionary(coded.codes, coded.values.tolist(), False)

    options = Options(None, categories, duplicates, repeats_of, set_separator)
    if isinstance(table, LongTable):
        labels = table.labels.values.tolist()
        if empty_set is not None:
            labels = [
                empty_label(set_separator) if label == empty_set else label for label in labels
            ]
        try:
            parts = read_long(
                table.items.values[table.items.codes] if keys else column(table.items),
                column(table.coders),
                Dictionary(table.labels.codes, labels, False),
                options,
                weights=table.weights,
                is_part=is_part,
            )
        except InputError as error:
            full = table.source.full_item
            if full is None or error.argument != "duplicates" or duplicates != "error":
                raise
            remedy = "pass ", Argument("item", full), " if items restart in each folder"
            raise error.with_first(remedy) from None
        parts["read"] = table.source.recognition
        return Annotations.assemble(**parts)
    items = None if table.items is None else table.items.decode().tolist()
    cells = table.labels.decode()
    if table.source.layout in ("counts", "contingency"):
        return _of_counts(table.source.layout, cells, items, table.coders, table.weights)
    if empty_set is not None:
        cells[cells == empty_set] = ""
    parts = read_wide(
        cells,
        options,
        items=items,
        coders=table.coders,
        weights=table.weights,
    )
    parts["read"] = table.source.recognition
    return Annotations.assemble(**parts)


def _of_counts(
    layout: str, counts: Any, items: list[Any] | None, names: Sequence[str], weights: Any
) -> Annotations:
    """Build annotations from counts; the columns are categories."""
    if counts.dtype.kind not in "biuf":
        row, column = np.argwhere([[not isinstance(x, int | float) for x in r] for r in counts])[0]
        raise ReadError(
            f"--layout {layout}: row {row + 1} below the header holds {counts[row, column]!r} in"
            f" column {show(names[column])}, which is no count"
        )
    rows = range(len(counts)) if items is None else items
    table = Matrix(counts, rows, names)
    if layout == "contingency":
        return Annotations.from_contingency(table if items is not None else counts)
    return Annotations.from_counts(table, items=items, weights=weights)
