"""What reading gives: columns of codes, long or wide, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from agreement_fast.patterns import narrow
from agreement_fast.reading.natural import natural_order

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as codes into its distinct values.

    Attributes
    ----------
    codes : int32 array of any shape
        Index into `values`; -1 where the cell is missing.
    values : ndarray
        The distinct values: int64, float64, bool, or object for text (and for mixed JSON values).
    """

    codes: Codes
    values: NDArray[Any]

    def decode(self) -> NDArray[Any]:
        """Give the values cell by cell; a missing cell is None.

        Returns
        -------
        ndarray of the shape of `codes`
            Of the dtype of `values` where nothing is missing, else float64 with NaN for floats
            and object with None for everything else. O(cells).
        """
        missing = self.codes < 0
        if not missing.any():
            decoded: NDArray[Any] = self.values[self.codes]
            return decoded
        if self.values.dtype.kind == "f":
            # One value more at the end, which the code -1 finds.
            return np.append(self.values, np.nan)[self.codes]
        padded = np.empty(len(self.values) + 1, dtype=object)
        # tolist() gives Python scalars, so that labels print as 1 and not as np.int64(1).
        padded[:-1] = self.values.tolist()
        return padded[self.codes]

    def take(self, rows: NDArray[Any]) -> Coded:
        """Give the rows at these positions, with those of the values that occur there."""
        codes = self.codes[rows]
        if codes.size >= len(self.values):
            return Coded(codes, self.values)
        # Else a thousand groups would each carry all the items of all the groups.
        used, places = np.unique(codes, return_inverse=True)
        absent = int(len(used) > 0 and used[0] < 0)
        fewer = (places.reshape(codes.shape) - absent).astype(np.int32)
        return Coded(fewer, self.values[used[absent:]])


@dataclass(frozen=True)
class Source:
    """What was read, and how it was understood.

    Attributes
    ----------
    files : tuple of str
        The files, as named or as the glob gave them.
    formats : tuple of str
        "csv", "json" or "parquet", one for each file.
    layout : {"long", "wide", "units", "links", "segmentations", "export"}
        An export has no columns: `label` is the question.
    item, weights, by : str or None
        Column names.
    coder, label : str or None
        Column names of the long layout.
    coders : tuple of str
        The coder columns of the wide layout.
    guessed : tuple of str
        Which of "item", "coder", "label" (and "coders") were guessed from the column names.
    rows : int
        Rows read, and kept by `where`.
    rows_in_files : int
        Rows in the files; the same as `rows` without `where`.
    where : str or None
    notes : tuple of str
        Remarks, one sentence each, that the reader of a report should see.
    columns : tuple of pairs of str
        The columns of units, links and segmentations: role and column name, None without one.
    declared : tuple of str or None
        The categories that the files declare, in their order, also those never used.
    by_columns : tuple of str
        The columns that make the groups; a group of several is a tuple.
    full_item : str or None
        What to pass for `item` if items of the same name in several folders are different items.
    """

    files: tuple[str, ...]
    formats: tuple[str, ...]
    layout: Literal["long", "wide", "units", "links", "segmentations", "export"]
    item: str | None
    coder: str | None
    label: str | None
    coders: tuple[str, ...]
    weights: str | None
    by: str | None
    guessed: tuple[str, ...]
    rows: int
    rows_in_files: int
    where: str | None = None
    notes: tuple[str, ...] = ()
    columns: tuple[tuple[str, str | None], ...] = ()
    declared: tuple[str, ...] | None = None
    by_columns: tuple[str, ...] = ()
    full_item: str | None = None


@dataclass(frozen=True, eq=False)
class LongTable:
    """One judgment a row.

    Attributes
    ----------
    source : Source
    items, coders, labels : Coded, codes of shape (rows,)
    weights : int64 array (rows,) or None
    groups : Coded or None
        The column of ``by``.
    along : mapping of str to Coded
        The columns that were asked for beside these.
    """

    source: Source
    items: Coded
    coders: Coded
    labels: Coded
    weights: NDArray[np.int64] | None = None
    groups: Coded | None = None
    along: Mapping[str, Coded] = field(default_factory=dict)

    @property
    def coder_names(self) -> list[str]:
        """The names of the coders."""
        return list(self.coders.values)

    def split(self) -> Iterator[tuple[Any, LongTable]]:
        """Give ``(group, its rows)`` for each group in natural order, missing (None) last."""
        return _split(self)


@dataclass(frozen=True, eq=False)
class WideTable:
    """One item a row, one column a coder.

    Attributes
    ----------
    source : Source
    items : Coded of shape (rows,) or None
        None where no column names the items.
    coders : tuple of str
        The column names.
    labels : Coded, codes of shape (rows, coders)
    weights : int64 array (rows,) or None
    groups : Coded or None
        The column of ``by``.
    along : mapping of str to Coded
        The columns that were asked for beside these.
    """

    source: Source
    items: Coded | None
    coders: tuple[str, ...]
    labels: Coded
    weights: NDArray[np.int64] | None = None
    groups: Coded | None = None
    along: Mapping[str, Coded] = field(default_factory=dict)

    @property
    def coder_names(self) -> list[str]:
        """The names of the coders."""
        return list(self.coders)

    def split(self) -> Iterator[tuple[Any, WideTable]]:
        """Give ``(group, its rows)`` for each group in natural order, missing (None) last."""
        return _split(self)


_AnyTable = TypeVar("_AnyTable", LongTable, WideTable)


def _split(table: _AnyTable) -> Iterator[tuple[Any, _AnyTable]]:
    """Give each group with a table of its own, of all columns but that of the groups."""
    columns = {
        one.name: column
        for one in fields(table)
        if isinstance(column := getattr(table, one.name), Coded) and one.name != "groups"
    }
    for group, rows in group_rows(table.groups):
        taken: dict[str, Any] = {name: column.take(rows) for name, column in columns.items()}
        if table.weights is not None:
            taken["weights"] = table.weights[rows]
        taken["along"] = {name: column.take(rows) for name, column in table.along.items()}
        source = replace(table.source, rows=len(rows))
        yield group, replace(table, source=source, groups=None, **taken)


def group_rows(groups: Coded | None) -> Iterator[tuple[Any, NDArray[np.intp]]]:
    """Give each group and its rows in natural order. O(rows log rows), one sort for all groups."""
    if groups is None:
        raise ValueError("the table was read without by=")
    # numpy sorts codes of 8 and 16 bits by counting them.
    codes = groups.codes.astype(narrow(len(groups.values)))
    order = np.argsort(codes, kind="stable")
    found, starts = np.unique(codes[order], return_index=True)
    parts = dict(zip(found.tolist(), np.split(order, starts[1:]), strict=True))
    for code in natural_order(groups.values.tolist()):
        if code in parts:
            yield groups.values[code : code + 1].tolist()[0], parts[code]
    if -1 in parts:
        yield None, parts[-1]
