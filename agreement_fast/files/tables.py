"""The tables that reading returns: columns of codes, long or wide, and their source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from agreement_fast.patterns import narrow
from agreement_fast.recognition.order import natural_order
from agreement_fast.recognition.read import Recognition

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as codes into its distinct values.

    Attributes
    ----------
    codes : int32 array of any shape
        Indices into `values`; -1 if the cell is missing.
    values : ndarray
        The distinct values: int64, float64, bool, or object for text (and for mixed JSON values).
    """

    codes: Codes
    values: NDArray[Any]

    def decode(self) -> NDArray[Any]:
        """Return the values cell by cell; a missing cell is None.

        Returns
        -------
        ndarray of the shape of `codes`
            Has the dtype of `values` if nothing is missing, else float64 with NaN for floats and
            object with None for other values. O(cells).
        """
        missing = self.codes < 0
        if not missing.any():
            decoded: NDArray[Any] = self.values[self.codes]
            return decoded
        if self.values.dtype.kind == "f":
            # One more value at the end, which the code -1 selects.
            return np.append(self.values, np.nan)[self.codes]
        padded = np.empty(len(self.values) + 1, dtype=object)
        # tolist() returns Python scalars, so that labels print as 1 and not as np.int64(1).
        padded[:-1] = self.values.tolist()
        return padded[self.codes]

    def take(self, rows: NDArray[Any]) -> Coded:
        """Return the rows at these positions, with only the values that occur in them."""
        codes = self.codes[rows]
        if codes.size >= len(self.values):
            return Coded(codes, self.values)
        # Otherwise each of a thousand groups would carry the items of all groups.
        used, places = np.unique(codes, return_inverse=True)
        absent = int(len(used) > 0 and used[0] < 0)
        fewer = (places.reshape(codes.shape) - absent).astype(np.int32)
        return Coded(fewer, self.values[used[absent:]])


@dataclass(frozen=True)
class Source:
    """What was read, and how it was interpreted.

    Attributes
    ----------
    files : tuple of str
        The files, as named or as a glob listed them.
    formats : tuple of str
        The name of the format of each file, such as "csv", "json" or "parquet".
    layout : {"long", "wide", "counts", "contingency", "units", "links", "segmentations", "export"}
        "export" has no columns; its `label` is the question.
    item, weights, by : str or None
        Column names.
    coder, label : str or None
        Column names of the long layout.
    coders : tuple of str
        The coder columns of the wide layout.
    guessed : tuple of str
        Roles among "item", "coder", "label" and "coders" whose columns were guessed.
    rows : int
        Number of rows read, those that satisfy `where`.
    rows_in_files : int
        Number of rows in the files; equal to `rows` without `where`.
    where : str or None
        The condition on the rows.
    notes : tuple of str
        Remarks for readers of a report, one sentence each.
    columns : tuple of pairs of str
        The columns of units, links and segmentations: role and column name (None if there is no
        column).
    declared : tuple of str or None
        The categories that the files declare, in their order, including unused ones.
    by_columns : tuple of str
        The columns that make the groups; a group of several columns is a tuple.
    full_item : str or None
        Value for the argument `item` if items of the same name in several folders are different
        items.
    """

    files: tuple[str, ...]
    formats: tuple[str, ...]
    layout: str
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

    @property
    def recognition(self) -> Recognition:
        """How the files were understood, with the keywords of `read` that name all columns."""
        wide, why = self.layout in ("wide", "counts", "contingency"), "the names of the columns"
        named: dict[str, Any] = {
            "item": self.item,
            "coder": self.coders if wide else self.coder,
            "label": self.label,
            "weights": self.weights,
            "by": self.by_columns or self.by,
            "layout": self.layout if wide or self.layout == "long" else None,
            **dict(self.columns),
        }
        if wide:
            why = "the names and values of the columns"
        if self.layout == "export":
            named = {}
        guessed = ((role.removesuffix("s"), why) for role in self.guessed)
        return Recognition(
            self.layout,
            tuple((role, named.get(role), source) for role, source in guessed),
            (),
            tuple((role, name) for role, name in named.items() if name),
        )


@dataclass(frozen=True, eq=False)
class LongTable:
    """A table of one judgment per row.

    Attributes
    ----------
    source : Source
    items, coders, labels : Coded, codes of shape (rows,)
    weights : int64 array (rows,) or None
    groups : Coded or None
        The column of ``by``.
    along : mapping of str to Coded
        The requested additional columns, by name.
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
        """Yield ``(group, its rows)`` for each group in natural order, missing (None) last."""
        return _split(self)


@dataclass(frozen=True, eq=False)
class WideTable:
    """A table of one item per row and one column per coder.

    Attributes
    ----------
    source : Source
    items : Coded of shape (rows,) or None
        None if no column names the items.
    coders : tuple of str
        The column names.
    labels : Coded, codes of shape (rows, coders)
    weights : int64 array (rows,) or None
    groups : Coded or None
        The column of ``by``.
    along : mapping of str to Coded
        The requested additional columns, by name.
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
        """Yield ``(group, its rows)`` for each group in natural order, missing (None) last."""
        return _split(self)


_AnyTable = TypeVar("_AnyTable", LongTable, WideTable)


def _split(table: _AnyTable) -> Iterator[tuple[Any, _AnyTable]]:
    """Yield each group with a table of its own, of all columns except that of the groups."""
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
    """Yield each group and its rows in natural order. O(rows log rows), one sort for all groups."""
    if groups is None:
        raise ValueError("the table was read without by=")
    # numpy uses a counting sort for codes of 8 and 16 bits.
    codes = groups.codes.astype(narrow(len(groups.values)))
    order = np.argsort(codes, kind="stable")
    found, starts = np.unique(codes[order], return_index=True)
    parts = dict(zip(found.tolist(), np.split(order, starts[1:]), strict=True))
    for code in natural_order(groups.values.tolist()):
        if code in parts:
            yield groups.values[code : code + 1].tolist()[0], parts[code]
    if -1 in parts:
        yield None, parts[-1]
