"""Rows that have no value in the column of groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agreement_fast.files import LongTable, WideTable


@dataclass
class WithoutGroup:
    """How many rows lack a value of their group, and how many items are torn by that.

    Tables are counted one by one. An item is torn where other judgments of it are in a group.
    """

    rows: int = 0
    torn_items: int = 0

    def add(self, table: LongTable | WideTable) -> None:
        """Count the rows of a table; all rows of an item must be in one table."""
        import numpy as np

        from agreement_fast.files import LongTable

        if table.groups is None:
            return
        # The last is that of rows without any value, whose code is -1.
        lacks = [isinstance(one, tuple) and None in one for one in table.groups.values.tolist()]
        without = np.array([*lacks, True])[table.groups.codes]
        self.rows += int(np.count_nonzero(without))
        if isinstance(table, LongTable) and without.any():
            judged = table.labels.codes >= 0
            items = table.items.codes
            torn = np.intersect1d(items[judged & without], items[judged & ~without])
            self.torn_items += len(torn)

    def notes(self, columns: Sequence[str]) -> list[str]:
        """Say what was counted, in a sentence or none."""
        from agreement_fast.files.errors import show

        if not self.rows:
            return []
        rows = "1 row has" if self.rows == 1 else f"{self.rows:,} rows have"
        names = " or ".join(map(show, columns))
        make = "make a group" if len(columns) == 1 else "make groups"
        note = f'{rows} no value in column {names}, and {make} of their own, "no value"'
        if self.torn_items == 1:
            note += ": 1 item is in another group, too, which lacks these judgments of it"
        elif self.torn_items:
            note += (
                f": {self.torn_items:,} items are in another group, too, which lacks these"
                " judgments of them"
            )
        return [note]
