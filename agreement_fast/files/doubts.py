"""What a table may hold that is not meant.

Columns that the path also has, items that start again in each folder, a label column that only
looks like one, sets without elements, orders that are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.file import File, all_partitions, partitions_read
from agreement_fast.files.reader import Reader
from agreement_fast.files.roles import Columns, Roles, key_of
from agreement_fast.files.tables import Coded, LongTable, WideTable


def notes_on_paths(
    reader: Reader, roles: Columns, where: str | None, excluded: Sequence[str] = ()
) -> list[str]:
    """Return notes on columns that come from paths.

    If all other columns of a table are coders, columns of paths must clearly not be coders, unless
    they are `excluded`. Raises ReadError if a file also has such a column, with other values than
    its path.
    """
    files = reader.files
    names = partitions_read(roles.columns(), where, files)
    if isinstance(roles, Roles) and "coders" in roles.guessed:
        own = {name for file in files for name in file.columns} - {*excluded}
        names = partitions_read([*roles.columns(), *own], where, files)
    reader.refuse_unlike_path(names)
    from_paths = [name for name in names if any(name not in file.columns for file in files)]
    if not from_paths:
        return []
    some = f"column {show(from_paths[0])} is"
    if len(from_paths) > 1:
        some = f"columns {', '.join(map(show, from_paths))} are"
    folder = show(f"{from_paths[0]}=...")
    return [f"{some} read from the paths of the files, from folders such as {folder}"]


#: Name of the constant of a file that numbers its folder; no column has this name.
FOLDER = "\0folder"


@dataclass(frozen=True)
class Folders:
    """Folders, distinguished by the columns of paths that have no role."""

    #: The values of each folder, by its number.
    values: list[tuple[str | None, ...]]
    #: Columns with several values among the folders.
    keys: tuple[str, ...]
    #: The columns that name an item.
    item: tuple[str, ...]

    @classmethod
    def of(cls, roles: Roles, files: Sequence[File]) -> Folders | None:
        """Number the folders of files in their `constants`; None if all are the same."""
        if roles.item is None:
            return None
        used = {part for name in roles.columns() for file in files for part in file.own(name)}
        keys = tuple(
            name
            for name in all_partitions(files)
            if name not in used and len({file.partitions.get(name) for file in files}) > 1
        )
        if not keys:
            return None
        numbers: dict[tuple[str | None, ...], int] = {}
        for file in files:
            values = tuple(map(file.partitions.get, keys))
            file.constants[FOLDER] = str(numbers.setdefault(values, len(numbers)))
        return cls(list(numbers), keys, files[0].own(roles.item))

    def full_item(self, keys: Sequence[str]) -> str:
        """Return the key of an item, with columns of paths before those that name it."""
        return key_of([*keys, *self.item])

    def with_note(
        self, table: LongTable | WideTable, folders: Callable[[], NDArray[np.int32]]
    ) -> LongTable | WideTable:
        """Note in a table if items of the same name are in several folders.

        `folders` returns the number of each row's folder. If no item has two judgments below one
        value of a column, its values stand for coders, and no note is added.
        """
        if table.items is None:
            return table
        cells = table.labels.codes >= 0
        judged = np.asarray(cells.any(axis=1) if isinstance(table, WideTable) else cells)
        items, folder_codes = table.items.codes[judged], folders()[judged]
        keys = []
        for place, key in enumerate(self.keys):
            numbers: dict[str | None, int] = {}
            codes = [numbers.setdefault(value[place], len(numbers)) for value in self.values]
            values = np.array(codes, np.int64)[folder_codes]
            last = np.zeros(len(table.items.values), np.int64)
            last[items] = values
            if (last[items] == values).all():
                continue
            apart = np.unique(items * np.int64(len(numbers)) + values)
            if len(apart) < len(items) or isinstance(table, WideTable):
                keys.append(key)
        if not keys:
            return table
        full = self.full_item(keys)
        option = full if full.replace(",", "").isidentifier() else show(full)
        note = (
            f"items of the same name are in folders with different values of"
            f" {' and '.join(map(show, keys))}: if these are different items, pass --item {option}"
        )
        notes = (*table.source.notes, note)
        return replace(table, source=replace(table.source, notes=notes, full_item=full))


#: With fewer judgments, all labels may differ by chance.
FEWEST_JUDGMENTS = 5

#: Distinct labels that are inspected: the first ones are enough.
LOOKED = 1_000


#: How values that are not labels begin.
NO_LABELS = {
    "holds dates": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]|$)"),
    "holds web addresses": re.compile(r"[a-z][a-z0-9+.-]*://"),
}


def _why_no_labels(values: NDArray[Any], judgments: int) -> str | None:
    """Return why distinct values are probably no labels."""
    for what, form in NO_LABELS.items():
        some = values[:LOOKED].tolist()
        if some and all(isinstance(value, str) and form.match(value) for value in some):
            return what
    if judgments < FEWEST_JUDGMENTS or len(values) < judgments:
        return None
    # Numbers that are not whole may be measurements.
    whole = values.dtype.kind != "f" or bool((values == np.floor(values)).all())
    return "holds no value twice" if whole else None


def check_guessed_label(column: str, labels: Coded, judgments: int) -> None:
    """Raise if the values of a guessed label column are probably not labels.

    `column`: the name of the column. Its values are the distinct labels. `judgments`: number of
    cells that are not missing. Raises ReadError if the values are dates, web addresses or all
    different.
    """
    if (why := _why_no_labels(labels.values, judgments)) is not None:
        raise ReadError(
            f"cannot tell which column is the label: {show(column)} has a usual name of labels but"
            f" {why}: pass --label {column if column.isidentifier() else show(column)} if it is the"
            " label, or the name of another column"
        )


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
    there = np.flatnonzero(first < len(rows))
    return {names[i]: labels[first[i]] for i in there.tolist()}


def texts_of_items(table: LongTable | WideTable, column: str) -> tuple[dict[Any, str], int]:
    """Return the first text of each item that has one, and the number of items with several.

    `column`: one of the columns requested by `along`.
    """
    coded = table.along[column]
    there = np.flatnonzero(coded.codes >= 0)
    texts = coded.values.tolist()
    if isinstance(table, WideTable):
        names: Any = range(len(coded.codes)) if table.items is None else table.items.decode()
        result = {names[row]: texts[coded.codes[row]] for row in there.tolist()}
        return result, 0
    items, places = np.unique(table.items.codes[there], return_index=True)
    first = coded.codes[there[places]]
    unlike = coded.codes[there] != first[np.searchsorted(items, table.items.codes[there])]
    n_several = len(np.unique(table.items.codes[there[unlike]]))
    values = table.items.values
    return {values[i]: texts[k] for i, k in zip(items, first, strict=True)}, n_several
