"""Build annotations from tables that were read, and fill or look up what the tables hold."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
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
from agreement_fast.reading.recognition.recognise import naming_part
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
        return kept
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
    other tables may hold judgments of the coder `repeats_of`, and of what hints are about.
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
            full, part = table.source.full_item, table.source.part
            if error.argument != "duplicates" or duplicates != "error":
                raise
            if part is not None:
                raise naming_part(error, part, table.source.item) from None
            if full is None and len(table.source.files) < 2:
                raise
            begin, where = "pass ", "folder"
            if full is None:
                full, where = f"part,{table.source.item}", "file"
                begin = "put each file into a folder of its own, such as part=1, and pass "
            remedy = begin, Argument("item", full), f" if items restart in each {where}"
            raise error.with_first(remedy) from None
    else:
        items = None if table.items is None else table.items.decode().tolist()
        cells = table.labels.decode()
        if table.source.layout in ("counts", "contingency"):
            return _of_counts(table.source.layout, cells, items, table.coders, table.weights)
        if empty_set is not None:
            cells[cells == empty_set] = ""
        named: dict[str, Any] = {"items": items, "coders": table.coders, "weights": table.weights}
        parts = read_wide(cells, options, named=False, hints=not is_part, **named)
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
    return Annotations.from_counts(table, weights=weights)


#: Largest number of items x coders to fill; each takes a byte.
MOST_CELLS = 1 << 28


def with_empty_sets(
    table: LongTable | WideTable, coders: Sequence[Any], empty: Any
) -> tuple[LongTable | WideTable, int]:
    """Add an empty set for each coder and item of the table without a label.

    `coders`: the coders who judged every item, for a long table. `empty`: the label that stands for
    the empty set. Returns LongTable or WideTable: without the rows that have no label; in a long
    table, empty sets are the last rows; int: the number of sets that were added.
    """
    values = np.fromiter([*table.labels.values.tolist(), empty], object)
    code = len(values) - 1
    if isinstance(table, WideTable):
        absent = table.labels.codes < 0
        codes = np.where(absent, code, table.labels.codes).astype(np.int32)
        return replace(table, labels=Coded(codes, values)), int(absent.sum())
    names = np.fromiter(coders, object)
    place = {name: i for i, name in enumerate(names.tolist())}
    of_coder = np.array([place[name] for name in table.coders.values.tolist()], np.int32)
    n_items = len(table.items.values)
    if n_items * len(names) > MOST_CELLS:
        raise ReadError(
            f"{n_items:,} items x {len(names):,} coders are too many to fill with empty sets: write"
            " a row for each judgment, with a label for no code and --empty-set"
        )
    judged = np.flatnonzero(table.labels.codes >= 0)
    rows_of_coders = of_coder[table.coders.codes]
    lacking = np.zeros((n_items, len(names)), bool)
    lacking[table.items.codes] = True  # values may hold items of other groups
    lacking[table.items.codes[judged], rows_of_coders[judged]] = False
    items, added = (places.astype(np.int32) for places in np.nonzero(lacking))
    weights = table.weights
    if weights is not None:
        of_items = np.ones(n_items, np.int64)
        of_items[table.items.codes] = weights
        weights = np.concatenate([weights[judged], of_items[items]])

    def longer(codes: Any, more: Any, of: Any) -> Coded:
        return Coded(np.concatenate([codes[judged], more]).astype(np.int32), of)

    filled = replace(
        table,
        items=longer(table.items.codes, items, table.items.values),
        coders=longer(rows_of_coders, added, names),
        labels=longer(table.labels.codes, np.full(len(items), code), values),
        weights=weights,
        groups=None,
        along={},
    )
    return filled, len(items)


def labels_of_items(table: LongTable | WideTable, column: str) -> dict[Any, str | None]:
    """Return the cell of each item in a column; None if the cell is empty.

    `column`: one of the columns requested by `along`. Raises ReadError if rows of one item have
    different cells.
    """
    coded = table.along[column]
    labels: list[str | None] = coded.decode().tolist()
    if isinstance(table, WideTable):
        items = range(len(labels)) if table.items is None else table.items.decode().tolist()
        return dict(zip(items, labels, strict=True))
    rows = table.items.codes
    names = table.items.values
    first = np.full(len(names), len(rows), np.int64)
    np.minimum.at(first, rows, np.arange(len(rows)))
    unlike = np.flatnonzero(coded.codes != coded.codes[first[rows]])
    if len(unlike):
        row = int(unlike[0])
        two = (labels[first[rows[row]]], labels[row])
        shown = ["nothing" if entry is None else show(entry) for entry in two]
        raise ReadError(
            f"column {show(column)} has both {shown[0]} and {shown[1]} for item"
            f" {show(str(names[rows[row]]))}: all rows of an item must have the same value"
        )
    repeated = np.flatnonzero(first < len(rows))
    return {names[i]: labels[first[i]] for i in repeated.tolist()}


def texts_of_items(table: LongTable | WideTable, column: str) -> tuple[dict[Any, str], int]:
    """Return the first text of each item that has one, and the number of items with several.

    `column`: one of the columns requested by `along`.
    """
    coded = table.along[column]
    known = np.flatnonzero(coded.codes >= 0)
    texts = coded.values.tolist()
    if isinstance(table, WideTable):
        names: Any = range(len(coded.codes)) if table.items is None else table.items.decode()
        return {names[row]: texts[coded.codes[row]] for row in known.tolist()}, 0
    items, places = np.unique(table.items.codes[known], return_index=True)
    first = coded.codes[known[places]]
    unlike = coded.codes[known] != first[np.searchsorted(items, table.items.codes[known])]
    n_several = len(np.unique(table.items.codes[known[unlike]]))
    values = table.items.values
    return {values[i]: texts[k] for i, k in zip(items, first, strict=True)}, n_several
