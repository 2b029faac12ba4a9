"""What the first cells of columns hold, whichever table they come from."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.reading.recognition.names import role_of_name
from agreement_fast.reading.recognition.rows import value_of

#: Rows that are inspected, and cells if there are many columns.
ROWS = 1000
CELLS = 50_000
FEWEST_ROWS = 20

#: Share of distinct values that must be numbers for a column to count as numeric. The other values
#: are assumed to mean "missing".
MOSTLY = 0.9

#: Rows in which pairs of values are looked for.
LONGER = 1 << 16


def _as_float(cell: Any) -> float:
    """Return a number, infinity in place of a whole one beyond all floats; NaN if it is none."""
    if not isinstance(cell, int | float):
        return np.nan
    try:
        return float(cell)
    except OverflowError:
        return np.inf if cell > 0 else -np.inf


def rows_to_look_at(n_columns: int) -> int:
    """Return how many rows of a table with `n_columns` columns are inspected."""
    return max(min(ROWS, CELLS // max(n_columns, 1)), FEWEST_ROWS)


@dataclass(frozen=True, eq=False)
class Column:
    """The first cells of a column."""

    #: The name, or the place in a table without names.
    name: Any
    #: The place of each cell among `values`; -1 is missing: int array of shape (rows,).
    codes: Array
    #: The distinct values: numbers, texts and others. Numbers in texts are numbers.
    values: list[Any]
    #: Whether cells hold lists or objects that are no labels.
    nested: bool = False
    #: What stands between the elements of texts that are sets.
    separator: str | None = None

    @classmethod
    def of(
        cls,
        name: Any,
        codes: Array,
        labels: Sequence[Any],
        missing: Container[Any] = (),
        *,
        nested: bool = False,
    ) -> Column:
        """Return the column of cells that are coded by labels, which need not all occur.

        `missing`: labels that mean a missing judgment; one of them may number an item, too.
        """
        if missing and cls.of(name, codes, labels)._numbers_items:
            missing = ()
        known: dict[Any, int] = {}
        used = np.zeros(len(labels) + 1, bool)
        used[codes] = True
        lookup = np.full(len(labels) + 1, -1, np.int64)
        places = np.flatnonzero(used[:-1])
        picked = [labels[i] for i in places.tolist()]
        plain = {*map(type, picked)} <= {int, float} and all(map(operator.eq, picked, picked))
        if plain and not missing and len({*picked}) == len(picked):
            lookup[places] = np.arange(len(picked))  # faster than a look at each
            return cls(name, lookup[codes], picked, nested)
        for i in places.tolist():
            value = value_of(labels[i])
            if value is not None and labels[i] not in missing:
                lookup[i] = known.setdefault(value, len(known))
        return cls(name, lookup[codes], list(known), nested)

    @property
    def rows(self) -> int:
        """The number of rows that were inspected."""
        return len(self.codes)

    @cached_property
    def counts(self) -> Array:
        """How often each value occurs."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.values))

    @cached_property
    def filled(self) -> int:
        """The number of cells that are not empty."""
        return int(self.counts.sum())

    @property
    def distinct(self) -> int:
        """The number of distinct values."""
        return len(self.values)

    @cached_property
    def scale(self) -> list[float]:
        """The distinct values that are numbers."""
        return [x for x in self.values if isinstance(x, int | float) and x == x]

    @cached_property
    def sets(self) -> bool:
        """Whether a value is a set."""
        return any(isinstance(value, frozenset) for value in self.values)

    @cached_property
    def elements(self) -> list[Sequence[Any]]:
        """The elements of each distinct value; a value that is no set is its own."""
        mark = self.separator
        return [x.split(mark) if mark and isinstance(x, str) else (x,) for x in self.values]

    @cached_property
    def numbers(self) -> bool:
        """Whether (nearly) all values are numbers."""
        return 0 < len(self.values) <= len(self.scale) / MOSTLY

    @cached_property
    def whole(self) -> bool:
        """Whether all values are numbers, and whole."""
        return self.numbers and not self.fractional

    @cached_property
    def fractional(self) -> bool:
        """Whether a number is not whole."""
        return not all(isinstance(x, int) or x.is_integer() for x in self.scale)

    @cached_property
    def low(self) -> float:
        """The smallest number."""
        return min(self.scale, default=0)

    @cached_property
    def high(self) -> float:
        """The largest number."""
        return max(self.scale, default=0)

    @cached_property
    def length(self) -> float:
        """The mean number of characters of a cell."""
        lengths = [len(value) if isinstance(value, str) else 1 for value in self.values]
        return float(np.dot(self.counts, lengths)) / max(self.filled, 1)

    @property
    def all_different(self) -> bool:
        """Whether no value occurs twice."""
        return self.distinct == self.filled > 0

    @property
    def complete(self) -> bool:
        """Whether no cell is empty."""
        return self.filled == self.rows

    @cached_property
    def floats(self) -> Array:
        """The cells as numbers; NaN for cells that are none."""
        values = self.values
        if not {*map(type, values)} <= {float}:
            values = [_as_float(x) for x in values]
        return np.array([*values, np.nan])[self.codes]

    @cached_property
    def ascending(self) -> bool:
        """Whether each whole number is greater than the one above it."""
        return self._steps(lambda steps: steps > 0)

    @cached_property
    def counting(self) -> bool:
        """Whether each whole number is greater by one than the one above it."""
        return self._steps(lambda steps: steps == 1)

    @cached_property
    def rising(self) -> bool:
        """Whether no whole number is less than the one above it."""
        return self.distinct > 1 and self._steps(lambda steps: steps >= 0)

    @property
    def runs(self) -> bool:
        """Whether the values are whole numbers that repeat, and never fall."""
        return self.rows >= 8 and self.complete and 2 * self.distinct <= self.rows and self.rising

    @property
    def even(self) -> bool:
        """Whether four numbers or more, from 0 or 1 on, stand in runs of one length, or in turn."""
        n = self.distinct
        numbers = self.whole and self.low in (0, 1) and self.high - self.low + 1 == n > 3
        if not numbers or not self.complete or self.rows % n or self.rows < 3 * n:
            return False
        runs, cycles = self.codes.reshape(n, -1), self.codes.reshape(-1, n)
        return bool((runs == runs[:, :1]).all() or (cycles == cycles[0]).all())

    def _steps(self, holds: Callable[[Array], Array]) -> bool:
        filled = self.floats[~np.isnan(self.floats)]
        return self.whole and self.filled > 1 and bool(holds(np.diff(filled)).all())

    @property
    def _numbers_items(self) -> bool:
        """Whether the column names items that all differ, or numbers them in order."""
        named = isinstance(self.name, str) and role_of_name(self.name) == "item"
        return self.complete and self.all_different and (named or self.counting)

    @property
    def numbers_rows(self) -> bool:
        """Whether the values are the numbers from 0 or 1 on, each once, in any order."""
        dense = self.high - self.low + 1 == self.distinct
        return self.whole and self.all_different and dense and self.low in (0, 1)


def occurrences(columns: Iterable[Column]) -> Counter[Any]:
    """Return how often each value occurs in some columns."""
    often = Counter[Any]()
    for column in columns:
        often.update(dict(zip(column.values, column.counts.tolist(), strict=True)))
    return often


class Table:
    """Columns that are inspected when they are asked for.

    Parameters
    ----------
    names : iterable of hashable
        The names of the columns; their places if they have none.
    look : function of a name and a number of rows
        Returns the `Column` of the first rows.
    n_rows : int
        The number of rows of the table, or at least those that were inspected.
    complete : bool, optional
        Whether all rows are inspected; by default, if there are few.
    row_names : iterable of hashable
        Names that stand beside the rows.
    """

    def __init__(
        self,
        names: Iterable[Any],
        look: Callable[[Any, int], Column],
        n_rows: int,
        *,
        complete: bool | None = None,
        row_names: Iterable[Any] = (),
    ) -> None:
        self.names = list(names)
        self.row_names = {value_of(name) for name in row_names}
        self.n_rows = n_rows
        self._rows = rows_to_look_at(len(self.names))
        self.complete = n_rows <= self._rows if complete is None else complete
        self._look = look
        self._columns: dict[Any, Column] = {}

    def __getitem__(self, name: Any) -> Column:
        if name not in self._columns:
            self._columns[name] = self._look(name, self._rows)
        return self._columns[name]

    def longer(self, name: Any) -> Column:
        """Return more rows of a column."""
        return self[name] if self.complete else self._look(name, LONGER)

    def only(self, names: Iterable[Any]) -> Table:
        """Return the same table with fewer columns."""
        fewer = Table(names, self._look, self.n_rows, complete=self.complete)
        fewer.row_names = self.row_names
        return fewer

    def take(self, names: Iterable[Any]) -> dict[Any, Column]:
        """Return some columns."""
        return {name: self[name] for name in names}


def shared(columns: Mapping[Any, Column], bounds: tuple[float, float]) -> dict[Any, float]:
    """Return for each column the share of its cells that other columns could hold, too.

    A value is shared if another column has it, or an element of it. A number is also shared if it
    lies in the range of the numbers of the others, or within the bounds of a usual scale if those
    numbers do.
    """
    owners = Counter(x for c in columns.values() for x in {*chain.from_iterable(c.elements)})
    lows = sorted((c.low, i) for i, c in enumerate(columns.values()) if c.numbers)[:2]
    highs = sorted(((c.high, i) for i, c in enumerate(columns.values()) if c.numbers), reverse=True)
    shares = {}
    for i, (name, column) in enumerate(columns.items()):
        low = next((x for x, of in lows if of != i), np.inf) if column.numbers else np.inf
        high = next((x for x, of in highs[:2] if of != i), -np.inf) if column.numbers else -np.inf
        if not column.all_different and bounds[0] <= low <= high <= bounds[1]:
            low, high = bounds
        also = [
            any(owners[x] > 1 for x in elements)
            or (isinstance(value, int | float) and low <= value <= high)
            for value, elements in zip(column.values, column.elements, strict=True)
        ]
        shares[name] = float(np.dot(column.counts, also)) / max(column.filled, 1)
    return shares
