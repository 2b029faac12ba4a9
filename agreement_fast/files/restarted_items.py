"""Item names that repeat in several folders, so that different items may be pooled as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from agreement_fast.files.errors import show
from agreement_fast.files.file import File
from agreement_fast.files.partitions import all_partitions
from agreement_fast.files.roles import Roles, key_of
from agreement_fast.files.tables import LongTable, WideTable

__all__ = ["FOLDER", "Folders"]

#: Name of the constant of a file that numbers its folder; no column has this name.
FOLDER = "\0folder"


@dataclass(frozen=True)
class Folders:
    """Folders, distinguished by the columns of paths that have no role.

    Attributes
    ----------
    values : list of tuple of str or None
        The values of each folder, by its number.
    keys : tuple of str
        Columns with several values among the folders.
    item : tuple of str
        The columns that name an item.
    """

    values: list[tuple[str | None, ...]]
    keys: tuple[str, ...]
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
        items, found = table.items.codes[judged], folders()[judged]
        keys = []
        for place, key in enumerate(self.keys):
            numbers: dict[str | None, int] = {}
            said = [numbers.setdefault(one[place], len(numbers)) for one in self.values]
            values = np.array(said, np.int64)[found]
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
