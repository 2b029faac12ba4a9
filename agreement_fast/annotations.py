"""What the coders said: construction, validation, and the tables that people look at."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from agreement_fast import _group, frames, labels
from agreement_fast.labels import Categories, Raw, encode, shorten
from agreement_fast.rows import (
    NO_STARTS,
    Rows,
    as_table,
    group_rows,
    key_bits,
    key_histogram,
    list_positions,
    narrow,
)

Array = npt.NDArray[Any]

#: Largest frequency of an item; sums stay below 2^63 up to 9,000 judgments of such items.
LARGEST_WEIGHT = 10**15


class OrientationHint(UserWarning):
    """A table has more columns than rows: coders may stand where items belong."""


class Patterns(NamedTuple):
    """The distinct rows of judgments.

    Attributes
    ----------
    codes : int array of shape (U, C)
        Positions in ``categories``; -1 is missing.
    weights : int64 array of shape (U,)
        How many items have each row.
    """

    codes: Array
    weights: Array


class Annotations:
    """The judgments of some coders on some items. Immutable.

    Make one with `from_wide`, `from_long`, `from_frame`, `from_triples`, `from_counts`,
    `from_contingency` or `concat`. Judgments are held as small integers grouped by item: as a table
    where most cells are filled, as lists where not, so that a million items and ten thousand coders
    with five judgments an item take about 35 MB.

    Missing are None, NaN, NaT, pandas' NA, masked entries, and what `missing` lists; an empty
    string is a label and so is -1. Categories are what occurs, sorted where sortable, else in order
    of first appearance; or as declared, in that order, used or not. 1, 1.0 and True are one
    category, "1" is another.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_long(
    ...     items=["u1", "u1", "u2", "u2"], coders=["A", "B", "A", "B"], labels=["x", "x", "y", "x"]
    ... )
    >>> data
    Annotations(2 items, 2 coders, 4 judgments, 2 categories: 'x', 'y')
    >>> data.agreement_table()
    array([[2, 0],
           [1, 1]])
    """

    __slots__ = (
        "__weakref__",
        "_categories",
        "_coders",
        "_declared",
        "_duplicates_dropped",
        "_items",
        "_memo",
        "_missing",
        "_n_coders",
        "_patterns",
        "_raw",
        "_stored",
        "_weights",
    )

    def __init__(self) -> None:
        raise TypeError(
            "make Annotations with from_wide, from_long, from_frame, from_triples, from_counts, "
            "from_contingency or concat"
        )

    @classmethod
    def _make(
        cls,
        *,
        categories: Categories,
        declared: bool,
        items: Any,
        coders: Sequence[Any] | None,
        rows: Rows | None = None,
        raw: Raw | None = None,
        patterns: Rows | None = None,
        weights: Array | None = None,
        missing: int | None = None,
        duplicates_dropped: int = 0,
    ) -> Annotations:
        self = object.__new__(cls)
        self._stored = rows
        self._raw = raw
        self._patterns = patterns
        self._categories = categories
        self._declared = declared
        self._items = items
        self._coders = coders
        self._n_coders = None if coders is None else len(coders)
        self._weights = weights
        self._missing = missing
        self._duplicates_dropped = duplicates_dropped
        #: What later steps computed from these judgments and want to find again.
        self._memo: dict[Any, Any] = {}
        return self

    # ------------------------------------------------------------------ construction

    @staticmethod
    def from_wide(
        table: Any,
        *,
        missing: Any = None,
        categories: Any = None,
        items: Sequence[Any] | None = None,
        coders: Sequence[Any] | None = None,
        weights: Any = None,
    ) -> Annotations:
        """Read a table of items × coders: a row is an item, a column is a coder.

        Parameters
        ----------
        table : array-like of shape (N, C), or data frame
            Lists of rows, a numpy array of any type (masked, object and text included), or a
            pandas, polars or pyarrow table (any that narwhals knows), whose columns are coders.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", beside None, NaN, NaT, NA and masked entries.
        categories : sequence of labels, optional
            All categories, in order, used or not. By default what occurs.
        items, coders : sequences of labels, optional
            Names; by default 0, 1, 2, ... or the data frame's column names.
        weights : sequence of int of shape (N,), optional
            How many items each row stands for, 0 to 10¹⁵; never expanded.

        Raises
        ------
        ValueError
            A label outside the declared categories, rows of different lengths, names or weights
            that do not fit the table.
        TypeError
            A label that cannot be hashed, a table that is not two-dimensional.

        Warns
        -----
        OrientationHint
            More columns than rows, and no names that say that the columns are coders.

        Notes
        -----
        O(N · C). An array of small integers is read once.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_wide([[1, 1], [2, None], [2, 1]])
        Annotations(3 items, 2 coders, 5 judgments, 2 categories: 1, 2)
        """
        return _from_wide(table, missing, categories, items, coders, weights, keep=True)

    @staticmethod
    def from_long(
        items: Any,
        coders: Any,
        labels: Any,
        *,
        missing: Any = None,
        categories: Any = None,
        duplicates: str = "error",
        weights: Any = None,
    ) -> Annotations:
        """Read one judgment a row: three columns of equal length.

        Parameters
        ----------
        items, coders, labels : array-like of shape (n,)
            Arrays, lists, or columns of a data frame. A missing label leaves its item (and coder)
            in the data, without that judgment.
        missing, categories :
            As in `from_wide`.
        duplicates : {"error", "first", "last"}
            What to do where a coder judged an item twice. What was dropped is counted in
            ``duplicates_dropped``.
        weights : mapping item -> int, or array-like of shape (n,), optional
            How many items each item stands for; in the second form the same for all judgments of
            an item. Items not in the mapping weigh 1.

        Raises
        ------
        ValueError
            Columns of different lengths, a judgment without item or coder, repeated judgments, a
            label outside the declared categories.

        Notes
        -----
        O(n): two counting sorts. Items stand in order of first appearance, coders sorted.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_long([7, 7, 8], ["A", "B", "A"], ["yes", "no", "no"])
        Annotations(2 items, 2 coders, 3 judgments, 2 categories: 'no', 'yes')
        """
        return _from_long(items, coders, labels, missing, categories, duplicates, weights)

    @staticmethod
    def from_frame(
        frame: Any,
        *,
        item: str,
        coder: str,
        label: str,
        missing: Any = None,
        categories: Any = None,
        duplicates: str = "error",
        weights: str | None = None,
    ) -> Annotations:
        """Read one judgment a row from a data frame of any library that narwhals knows.

        An ordered categorical (pandas, Arrow) or an Enum (polars) as `label` declares the
        categories and their order. Other parameters as in `from_long`; `weights` names a column.

        Examples
        --------
        >>> import agreement_fast as af, pandas as pd
        >>> frame = pd.DataFrame({"task": [1, 1, 2], "who": ["A", "B", "A"], "said": ["x", "x", "y"]})
        >>> af.Annotations.from_frame(frame, item="task", coder="who", label="said")
        Annotations(2 items, 2 coders, 3 judgments, 2 categories: 'x', 'y')
        """
        return _from_long(
            frames.pick(frame, item, "item"),
            frames.pick(frame, coder, "coder"),
            frames.pick(frame, label, "label"),
            missing,
            categories,
            duplicates,
            None if weights is None else frames.pick(frame, weights, "weights"),
        )

    @staticmethod
    def from_triples(
        triples: Iterable[tuple[Any, Any, Any]],
        *,
        missing: Any = None,
        categories: Any = None,
        duplicates: str = "error",
        weights: Any = None,
    ) -> Annotations:
        """Read (coder, item, label) triples, as NLTK's AnnotationTask takes them.

        Other parameters as in `from_long`.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_triples([("c1", "i1", "x"), ("c2", "i1", "y")])
        Annotations(1 item, 2 coders, 2 judgments, 2 categories: 'x', 'y')
        """
        listed = list(triples)
        try:
            coders, items, said = zip(*listed, strict=True) if listed else ((), (), ())
        except (TypeError, ValueError):
            bad = next(
                i for i, t in enumerate(listed) if not isinstance(t, Sequence) or len(t) != 3
            )
            raise ValueError(
                f"triple {bad} is {listed[bad]!r}: each must be (coder, item, label)"
            ) from None
        return _from_long(
            list(items), list(coders), list(said), missing, categories, duplicates, weights
        )

    @staticmethod
    def from_counts(
        counts: Any,
        *,
        categories: Any = None,
        items: Sequence[Any] | None = None,
        weights: Any = None,
    ) -> Annotations:
        """Read an agreement table: how many coders gave each item each category.

        Who said what is not known, so what needs coders (κ, β, contingency tables) raises.

        Parameters
        ----------
        counts : array-like of int of shape (N, K), or data frame whose columns are categories
            n_ik, non-negative.
        categories : sequence of K labels, optional
            By default 0 .. K - 1 or the column names; unused columns count as categories.
        items, weights :
            As in `from_wide`.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_counts([[3, 0], [1, 2]], categories=["yes", "no"])
        Annotations(2 items, coders unknown, 6 judgments, 2 categories: 'yes', 'no')
        """
        return _from_counts(counts, categories, items, weights)

    @staticmethod
    def from_contingency(
        table: Any, *, categories: Any = None, coders: Sequence[Any] | None = None
    ) -> Annotations:
        """Read two coders' contingency table: a K × K table of counts of items.

        Parameters
        ----------
        table : array-like of int of shape (K, K), or data frame
            Cell (j, l): how many items the first coder put in j and the second in l.
        categories : sequence of K labels, optional
            By default 0 .. K - 1 or the column names.
        coders : sequence of 2 labels, optional
            The coder of the rows, the coder of the columns.

        Examples
        --------
        Artstein & Poesio 2005, table 1:

        >>> import agreement_fast as af
        >>> af.Annotations.from_contingency([[20, 20], [10, 50]], categories=["stat", "ireq"])
        Annotations(100 items, 2 coders, 200 judgments, 2 categories: 'stat', 'ireq')
        """
        return _from_contingency(table, categories, coders)

    @staticmethod
    def concat(parts: Iterable[Annotations]) -> Annotations:
        """Put the items of several annotations one after the other.

        Coders and categories are matched by name. Items keep their names, which must differ
        between the parts; items that were never named are numbered anew.

        Raises
        ------
        ValueError
            No parts; an item name in two parts; parts with and without known coders; different
            declared categories.
        """
        return _concat(list(parts))

    # ------------------------------------------------------------------ what there is

    @property
    def n_rows(self) -> int:
        """Stored rows; an item of weight 3 is one row."""
        return len(self._items)

    @property
    def n_items(self) -> int:
        """Items, each as often as its weight says, with or without judgments."""
        return self.n_rows if self._weights is None else int(self._weights.sum())

    @property
    def n_coders(self) -> int | None:
        """Coders; None where they are unknown."""
        return self._n_coders

    @property
    def n_judgments(self) -> int:
        """Judgments that are not missing, counted with the items' weights."""
        if "n_judgments" not in self._memo:
            rows = self._grouped()
            given = rows.codes >= 0
            if rows.width:
                sizes = given.reshape(-1, rows.width).sum(1)
            else:
                each = given.astype(np.int64) if rows.repeats is None else given * rows.repeats
                sums = np.concatenate([[0], np.cumsum(each)])
                sizes = sums[rows.start[1:]] - sums[rows.start[:-1]]
            total = sizes.sum() if rows.weights is None else (sizes * rows.weights).sum()
            self._memo["n_judgments"] = int(total)
        return cast(int, self._memo["n_judgments"])

    @property
    def categories(self) -> Categories:
        """All categories, K of them: as declared, or what occurs."""
        return self._categories

    @property
    def declared(self) -> bool:
        """Whether the categories and their order were declared."""
        return self._declared

    @property
    def coders(self) -> tuple[Any, ...] | None:
        """Names of the coders; None where they are unknown."""
        return None if self._coders is None else tuple(self._coders)

    @property
    def items(self) -> Sequence[Any]:
        """Names of the stored rows."""
        return cast("Sequence[Any]", self._items)

    @property
    def weights(self) -> Array | None:
        """Frequencies of the stored rows, int64; None where all are 1."""
        return self._weights

    @property
    def duplicates_dropped(self) -> int:
        """Repeated judgments left out by ``duplicates="first"`` or ``"last"``."""
        return self._duplicates_dropped

    @property
    def missing_judgments(self) -> int:
        """Missing entries among those read: empty cells of a table, missing labels of a list."""
        if self._missing is None:
            self._missing = int(np.count_nonzero(self._rows.codes < 0))
        return self._missing

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        def some(count: int, one: str, many: str) -> str:
            return f"{count} {one if count == 1 else many}"

        coders = (
            "coders unknown" if self._n_coders is None else some(self._n_coders, "coder", "coders")
        )
        return (
            f"Annotations({some(self.n_items, 'item', 'items')}, {coders}, "
            f"{some(self.n_judgments, 'judgment', 'judgments')}, "
            f"{some(len(self._categories), 'category', 'categories')}"
            + (f": {shorten(self._categories)})" if self._categories else ")")
        )

    # ------------------------------------------------------------------ tables

    @property
    def _rows(self) -> Rows:
        """The judgments in the order of the items."""
        if self._stored is None:
            assert self._raw is not None
            self._stored = as_table(self._raw.codes(len(self._categories)), self._weights)
        return self._stored

    def _grouped(self) -> Rows:
        """The patterns where they came for free, else the rows."""
        return self._rows if self._patterns is None else self._patterns

    def _known_coders(self, purpose: str) -> Sequence[Any]:
        if self._coders is None:
            raise ValueError(
                f"{purpose} needs to know which coder made which judgment, and these annotations "
                "are counts: make them with from_wide, from_long or from_contingency"
            )
        return self._coders

    def agreement_table(self) -> Array:
        """How many coders gave each item each category: n_ik, int64 of shape (n_rows, K).

        Weights are not applied: a row is shown once. O(N · K) memory.
        """
        rows = self._rows
        K = len(self._categories)
        where = np.flatnonzero(rows.codes >= 0)
        table = np.zeros(self.n_rows * K, np.int64)
        cells = _row_of(rows, where) * K + rows.codes[where]
        repeats = 1 if rows.repeats is None else rows.repeats[where]
        np.add.at(table, cells, repeats)
        return table.reshape(self.n_rows, K)

    def coder_marginals(self) -> Array:
        """How often each coder used each category: n_ck, int64 of shape (C, K), weights applied."""
        from agreement_fast.statistics import tally

        self._known_coders("coder_marginals()")
        return tally(self).coder_marginals(1).copy()

    def coincidence_matrix(self) -> Array:
        """Krippendorff's coincidences, float64 of shape (K, K), symmetric.

        o_jl = Σ_i w_i n_ij (n_il − [j = l]) / (n_i − 1) over the items with two judgments or more;
        it sums to their number of judgments (Krippendorff 2011). O(U · K²) for U patterns.
        """
        rows = group_rows(self._grouped())
        K = len(self._categories)
        out = np.zeros((K, K))
        step = max(1, 2**22 // max(K, 1))
        for first in range(0, rows.n_rows, step):
            block = range(first, min(first + step, rows.n_rows))
            counts = _counts_of(rows, block, K)
            sizes = counts.sum(1)
            counts, sizes = counts[sizes > 1], sizes[sizes > 1]
            weights = 1 if rows.weights is None else rows.weights[block][_sizes(rows, block) > 1]
            factor = weights / (sizes - 1)
            out += counts.T @ (counts * factor[:, None])
            out[np.diag_indices(K)] -= (counts * factor[:, None]).sum(0)
        return out

    def contingency_table(self, first: Any, second: Any) -> Array:
        """Items that both of two coders judged, by their categories: int64 of shape (K, K).

        Rows are the first coder's categories, columns the second's; weights are applied.
        """
        names = list(self._known_coders("contingency_table()"))
        places = [_place(names, name, "coder") for name in (first, second)]
        K = len(self._categories)
        rows = self._grouped()
        one, two = (_codes_of_coder(rows, place) for place in places)
        both = (one >= 0) & (two >= 0)
        weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
        table = np.zeros(K * K, np.int64)
        np.add.at(table, one[both].astype(np.int64) * K + two[both], weights[both])
        return table.reshape(K, K)

    def to_wide(self) -> Array:
        """The labels as an object array of shape (n_rows, C), None where missing."""
        coders = self._known_coders("to_wide()")
        codes = _dense(self._rows, len(coders))
        return _label_array(self._categories)[codes]

    def to_long(self) -> tuple[Array, Array, Array]:
        """Items, coders and labels of all judgments, row by row, as three object arrays."""
        coders = self._known_coders("to_long()")
        rows = self._rows
        where = np.flatnonzero(rows.codes >= 0)
        row = _row_of(rows, where)
        coder = where % rows.width if rows.width else cast(Array, rows.coders)[where]
        return (
            _object_array(self._items)[row],
            _object_array(coders)[coder],
            _label_array(self._categories)[rows.codes[where]],
        )

    def patterns(self) -> Patterns:
        """The distinct rows of judgments and how many items have each.

        Raises
        ------
        ValueError
            Where coders are unknown, or the table of patterns × coders would exceed 2 GB.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([["x", "x"], ["x", "y"], ["x", "x"]])
        >>> data.patterns().weights.tolist()
        [2, 1]
        """
        coders = self._known_coders("patterns()")
        rows = self._patterns
        if rows is None:
            rows = group_rows(self._rows)
        if rows.n_rows * len(coders) > 2**31:
            raise ValueError(
                f"{rows.n_rows} patterns of {len(coders)} coders are too many for a table; "
                "select fewer coders first"
            )
        codes = _dense(rows, len(coders))
        weights = np.ones(len(codes), np.int64) if rows.weights is None else rows.weights
        return Patterns(codes.copy(), weights.copy())

    # ------------------------------------------------------------------ selection

    def select(
        self, coders: Iterable[Any] | None = None, items: Iterable[Any] | None = None
    ) -> Annotations:
        """The judgments of some coders, of some items, or both, in the order given.

        Categories that no longer occur are dropped unless they were declared.

        Raises
        ------
        ValueError
            A name that is not there, or is given twice.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([[1, 2, 1], [1, 1, 1], [2, 2, 3]])
        >>> data.select(coders=[0, 1])
        Annotations(3 items, 2 coders, 6 judgments, 2 categories: 1, 2)
        """
        rows = self._rows
        names: Sequence[Any] | None = self._coders
        row_names: Any = self._items
        if items is not None:
            picked = _places(self._items, items, "item")
            rows = _take_rows(rows, picked)
            row_names = [self._items[i] for i in picked.tolist()]
        if coders is not None:
            known = list(self._known_coders("select(coders=...)"))
            chosen = _places(known, coders, "coder")
            rows = _take_coders(rows, chosen, len(known))
            names = [known[i] for i in chosen.tolist()]
        return _with_used_categories(
            rows, self._categories, self._declared, row_names, names, self._duplicates_dropped
        )

    def merge_categories(self, mapping: Mapping[Any, Any]) -> Annotations:
        """Give several categories one label, as Antoine et al. 2014 compare 5 with 3 classes.

        Parameters
        ----------
        mapping : mapping old label -> new label
            Categories that it does not name stay as they are.

        Notes
        -----
        Merging after the fact is not a new study: coders might have decided otherwise with fewer
        categories (Artstein & Poesio 2008, 4.1).

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([[-2, -1], [1, 2], [0, 0]])
        >>> data.merge_categories({-2: -1, 2: 1}).categories
        (-1, 0, 1)
        """
        unknown = [old for old in mapping if old not in self._categories]
        if unknown:
            raise ValueError(
                f"{unknown[0]!r} is not a category; the categories are {shorten(self._categories)}"
            )
        merged = [mapping.get(old, old) for old in self._categories]
        distinct = list(dict.fromkeys(merged))
        if not self._declared:
            distinct = [distinct[i] for i in labels.arrange(distinct)]
        code = {label: i for i, label in enumerate(distinct)}
        new_codes = np.array([code[label] for label in merged] + [-1])
        if self._coders is None:
            table = np.zeros((self.n_rows, len(distinct)), np.int64)
            np.add.at(table.T, new_codes[:-1], self.agreement_table().T)
            rows = _count_rows(table, self._weights)
        else:
            old = self._rows
            codes = new_codes.astype(narrow(len(distinct)))[old.codes]
            rows = Rows(codes, old.width, old.start, old.coders, None, old.weights)
        return Annotations._make(
            categories=tuple(distinct),
            declared=self._declared,
            items=self._items,
            coders=self._coders,
            rows=rows,
            weights=self._weights,
            missing=self._missing,
            duplicates_dropped=self._duplicates_dropped,
        )


def as_annotations(data: Any) -> Annotations:
    """Annotations as they are; anything else as `Annotations.from_wide` reads it."""
    if isinstance(data, Annotations):
        return data
    # The caller keeps the table alive and unchanged for the length of one call: no copy.
    return _from_wide(data, None, None, None, None, None, keep=False)


# ---------------------------------------------------------------------- wide


def _from_wide(
    table: Any,
    missing: Any,
    categories: Any,
    items: Sequence[Any] | None,
    coders: Sequence[Any] | None,
    weights: Any,
    *,
    keep: bool,
) -> Annotations:
    """`keep` copies a table that the caller could change later."""
    values, shape, names = _wide_values(table)
    n_rows, width = shape
    if coders is None:
        coders = names
    frequencies = _frequencies(weights, n_rows)
    item_names = range(n_rows) if items is None else _names(items, n_rows, "items", "row")
    coder_names = range(width) if coders is None else _names(coders, width, "coders", "column")
    if width > n_rows > 0 and coders is None:
        warnings.warn(
            f"the table has {n_rows} rows (items) and {width} columns (coders); if the rows are "
            "coders, transpose it; pass coders= to say that the columns are coders",
            OrientationHint,
            stacklevel=3,
        )

    def where(flat: int) -> str:
        row, column = divmod(flat, width)
        return f"item {item_names[row]!r}, coder {coder_names[column]!r}"

    histogram: list[tuple[Array, Array]] = []

    def occurring(array: Array, low: int, n_states: int) -> Array | None:
        """What occurs, from the patterns, which are wanted anyway."""
        if array.dtype == np.int64 or key_bits(n_states, width) is None:
            return None
        found = key_histogram(array, frequencies, low, n_states)
        # rows of weight 0 are not seen in the histogram, but what they hold are labels
        if found is None or (frequencies is not None and not frequencies.all()):
            return None
        histogram.append(found)
        flags = np.zeros(1 << max(1, (n_states - 1).bit_length()), np.uint8)
        flags[found[0]] = 1
        return flags[:n_states]

    declared = labels.declared_categories(categories)
    raw, found = encode(values, labels.missing_values(missing), declared, where, occurring)
    if raw.values.ndim == 1:
        raw = Raw(raw.values.reshape(shape), raw.low, raw.lookup, raw.identical)
    patterns = None
    if histogram:
        digits, counts = histogram[0]
        codes = raw.lookup[digits].astype(narrow(len(found)))
        patterns = Rows(codes.reshape(-1), width, NO_STARTS, weights=counts)
    if keep and raw.identical and np.may_share_memory(raw.values, values):
        raw = Raw(raw.values.copy(order="K"), raw.low, raw.lookup, raw.identical)
    made = Annotations._make(
        categories=found,
        declared=declared is not None,
        items=item_names,
        coders=coder_names,
        raw=raw,
        patterns=patterns,
        weights=frequencies,
    )
    if keep and not (raw.identical or patterns is None):
        # Codes are as small as the values: keep them rather than the caller's table.
        made._rows  # noqa: B018
        made._raw = None
    return made


def _wide_values(table: Any) -> tuple[Any, tuple[int, int], list[Any] | None]:
    """The labels of a table in row-major order, its shape and its column names."""
    if isinstance(table, np.ndarray):
        if table.ndim != 2:
            raise TypeError(
                f"a table of items × coders has two dimensions, this array has {table.ndim}"
            )
        return table, cast("tuple[int, int]", table.shape), None
    if frames.is_frame(table):
        return _frame_values(table)
    if isinstance(table, (str, bytes)) or not isinstance(table, Iterable):
        raise TypeError(
            f"a table of items × coders is wanted, not {type(table).__name__}; "
            "lists of rows, an array or a data frame"
        )
    if not isinstance(table, Sequence):
        if hasattr(table, "__array__"):
            return _wide_values(np.asarray(table))
        table = list(table)
    rows = [
        row if isinstance(row, (list, tuple)) else _row_list(row, i) for i, row in enumerate(table)
    ]
    width = len(rows[0]) if rows else 0
    for i, row in enumerate(rows):
        if len(row) != width:
            raise ValueError(
                f"row {i} has {len(row)} entries and row 0 has {width}: "
                "write None where a judgment is missing"
            )
    return list(chain.from_iterable(rows)), (len(rows), width), None


def _row_list(row: Any, position: int) -> list[Any]:
    if isinstance(row, (str, bytes)) or not isinstance(row, Iterable):
        raise TypeError(
            f"row {position} of the table is {row!r}, not a row of labels: "
            "a table of items × coders is a list of rows"
        )
    return row.tolist() if isinstance(row, np.ndarray) else list(row)


def _frame_values(table: Any) -> tuple[Any, tuple[int, int], list[Any]]:
    columns = frames.columns(table)
    names = list(columns)
    length = len(table)
    shape = (length, len(names))
    plain = [column for column in columns.values() if isinstance(column, np.ndarray)]
    if len(plain) == len(columns) and all(c.dtype.kind in "buif" for c in plain):
        dtype = np.result_type(*plain) if plain else np.dtype(np.int8)
        wide = np.empty(shape, dtype, order="F")
        for i, values in enumerate(plain):
            wide[:, i] = values
        return wide, shape, names
    known: dict[Any, int] = {}
    codes = np.full(shape, -1, np.int32, order="F")
    orders = []
    for i, found in enumerate(columns.values()):
        raw, categories = encode(found, (), None, lambda _: "")
        coded = raw.codes(len(categories)).astype(np.int64)
        lookup = np.array([known.setdefault(c, len(known)) for c in categories] + [-1])
        codes[:, i] = lookup[coded]
        if isinstance(found, frames.Dictionary) and found.ordered:
            orders.append(found.labels)
    ordered = len(orders) == len(columns) and all(order == orders[0] for order in orders)
    if ordered and orders:
        lookup = np.array([orders[0].index(label) for label in known] + [-1])
        return frames.Dictionary(lookup[codes], orders[0], True), shape, names
    return frames.Dictionary(codes, list(known), False), shape, names


def _names(names: Sequence[Any], n: int, what: str, of: str) -> list[Any]:
    if isinstance(names, (str, bytes)):
        raise TypeError(f"{what} must be a sequence of names, not {names!r}")
    listed = [labels.as_python(name) for name in names]
    if len(listed) != n:
        raise ValueError(f"{what} has {len(listed)} names, the table has {n} {of}s")
    _check_distinct(listed, what)
    return listed


def _check_distinct(listed: Sequence[Any], what: str) -> None:
    if len(set(listed)) != len(listed):
        seen: set[Hashable] = set()
        twice = next(name for name in listed if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f"{what} names {twice!r} twice")


def _frequencies(weights: Any, n: int) -> Array | None:
    if weights is None:
        return None
    given = np.asarray(weights)
    if given.ndim != 1 or len(given) != n:
        raise ValueError(f"weights has shape {given.shape}, one for each of {n} items is wanted")
    if given.dtype.kind not in "buif" and n:
        raise TypeError(f"weights must be whole numbers, not {given.dtype}")
    bad = ~((given >= 0) & (given <= LARGEST_WEIGHT))
    if given.dtype.kind == "f":
        with np.errstate(invalid="ignore"):
            bad |= given != np.floor(given)
    if bad.any():
        place = int(np.argmax(bad))
        raise ValueError(
            f"weight {given[place]} of item {place}: a weight is how often an item occurred, "
            "a whole number from 0 to 10**15"
        )
    out = given.astype(np.int64)
    out.flags.writeable = False
    return out


# ---------------------------------------------------------------------- long


def _column(values: Any, what: str) -> Any:
    """One column of judgments as an array, a list or a Dictionary."""
    if isinstance(values, frames.Dictionary):
        return values
    if frames.is_series(values):
        return frames.column(values)
    if isinstance(values, np.ndarray):
        if values.ndim != 1:
            raise TypeError(f"{what} has {values.ndim} dimensions, one value a judgment is wanted")
        return values
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise TypeError(f"{what} must be a sequence, not {values!r}")
    return values if isinstance(values, list) else list(values)


def _length(column: Any) -> int:
    return len(column.codes) if isinstance(column, frames.Dictionary) else len(column)


def _from_long(
    items: Any,
    coders: Any,
    said: Any,
    missing: Any,
    categories: Any,
    duplicates: str,
    weights: Any,
) -> Annotations:
    if duplicates not in ("error", "first", "last"):
        raise ValueError(f"duplicates={duplicates!r}: it is 'error', 'first' or 'last'")
    item_column, coder_column = _column(items, "items"), _column(coders, "coders")
    label_column = _column(said, "labels")
    n = _length(label_column)
    for what, column in (("items", item_column), ("coders", coder_column)):
        if _length(column) != n:
            raise ValueError(f"{what} has {_length(column)} entries, labels has {n}")
    item_codes, item_names = labels.encode_ids(item_column, "item")
    coder_codes, found_coders = labels.encode_ids(coder_column, "coder")
    coder_codes, coder_names = labels.sort_ids(coder_codes, found_coders)
    declared = labels.declared_categories(categories)
    if declared is None and isinstance(label_column, frames.Dictionary) and label_column.ordered:
        gone = labels.missing_values(missing)
        declared = tuple(label for label in label_column.labels if label not in gone)

    def where(position: int) -> str:
        return (
            f"judgment {position} (item {item_names[item_codes[position]]!r}, "
            f"coder {coder_names[coder_codes[position]]!r})"
        )

    raw, found = encode(label_column, labels.missing_values(missing), declared, where)
    codes = raw.codes(len(found)).reshape(-1)
    as_int32 = codes.astype(np.int32, copy=False)
    n_items, n_coders = len(item_names), len(coder_names)
    frequencies = _item_frequencies(weights, item_codes, item_names)
    repeats = np.empty(3, np.int64)
    keep_last = duplicates == "last"
    missing_labels = int(np.count_nonzero(codes < 0))
    if n_items * n_coders <= max(4 * n, 1 << 16):
        table = np.full((n_items, n_coders), -1, narrow(len(found)))
        n_repeats = _group.fill_table(
            item_codes, coder_codes, as_int32, keep_last, table, repeats
        )
        rows = as_table(table, frequencies)
    else:
        rows, n_repeats = _lists(
            item_codes, coder_codes, as_int32, n_items, n_coders, len(found), keep_last, repeats
        )
        rows = Rows(rows.codes, 0, rows.start, rows.coders, None, frequencies)
    if n_repeats and duplicates == "error":
        shown = "; ".join(
            f"coder {coder_names[coder_codes[i]]!r}, item {labels.as_python(item_names[item_codes[i]])!r}"
            for i in repeats[: min(n_repeats, 3)].tolist()
        )
        raise ValueError(
            f"{n_repeats} judgments repeat a coder's judgment of an item: {shown}"
            f"{' ...' if n_repeats > 3 else ''}; pass duplicates='first' or duplicates='last'"
        )
    return Annotations._make(
        categories=found,
        declared=declared is not None,
        items=item_names,
        coders=coder_names,
        rows=rows,
        weights=frequencies,
        missing=missing_labels,
        duplicates_dropped=n_repeats,
    )


def _lists(
    item_codes: Array,
    coder_codes: Array,
    codes: Array,
    n_items: int,
    n_coders: int,
    n_categories: int,
    keep_last: bool,
    repeats: Array,
) -> tuple[Rows, int]:
    """Judgments grouped by item and sorted by coder, missing and repeated ones left out."""
    given = np.where(codes >= 0, coder_codes, np.int32(-1))
    by_coder = np.empty(int(np.count_nonzero(codes >= 0)), np.int64)
    _group.order_by(given, NO_STARTS, np.empty(n_coders + 1, np.int64), by_coder)
    by_item = np.empty(len(by_coder), np.int64)
    start = np.empty(n_items + 1, np.int64)
    if len(by_coder):
        _group.order_by(item_codes, by_coder, start, by_item)
    else:
        start[:] = 0
    kept, kept_start = by_coder, np.empty_like(start)  # by_coder's memory is free again
    n_repeats = _group.drop_repeats(
        start, coder_codes, by_item, keep_last, kept_start, kept, repeats
    )
    kept = kept[: kept_start[-1]]
    return (
        Rows(codes[kept].astype(narrow(n_categories)), 0, kept_start, coder_codes[kept]),
        n_repeats,
    )


def _item_frequencies(weights: Any, item_codes: Array, item_names: Any) -> Array | None:
    if weights is None:
        return None
    if isinstance(weights, Mapping):
        listed = [labels.as_python(name) for name in item_names]
        known = set(listed)
        for name in weights:
            if name not in known:
                raise ValueError(f"weights names item {name!r}, which has no judgment")
        return _frequencies([weights.get(name, 1) for name in listed], len(listed))
    column = _column(weights, "weights")
    if isinstance(column, frames.Dictionary):
        raise TypeError("weights must be whole numbers, not text")
    each = _frequencies(column, len(item_codes))
    assert each is not None
    out = np.zeros(len(item_names), np.int64)
    out[item_codes] = each
    differs = out[item_codes] != each
    if differs.any():
        name = labels.as_python(item_names[item_codes[int(np.argmax(differs))]])
        raise ValueError(f"item {name!r} has different weights in different judgments")
    out.flags.writeable = False
    return out


# ---------------------------------------------------------------------- counts


def _count_table(table: Any, what: str) -> tuple[Array, list[Any] | None]:
    names = None
    if frames.is_frame(table):
        columns = frames.columns(table)
        names = list(columns)
        parts = [np.asarray(c) for c in columns.values() if isinstance(c, np.ndarray)]
        if len(parts) != len(names):
            raise TypeError(f"{what} must hold whole numbers, not text")
        counts = np.column_stack(parts) if parts else np.zeros((len(table), 0), np.int64)
    else:
        counts = np.asarray(table)
    if counts.ndim != 2:
        raise TypeError(f"{what} must have two dimensions, this has {counts.ndim}")
    if counts.size and counts.dtype.kind not in "buif":
        raise TypeError(f"{what} must hold whole numbers, not {counts.dtype}")
    bad = ~((counts >= 0) & (counts <= LARGEST_WEIGHT)) if counts.size else np.zeros(0, bool)
    if counts.dtype.kind == "f" and counts.size:
        with np.errstate(invalid="ignore"):
            bad |= counts != np.floor(counts)
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"{what} has {counts[row, column]} in row {row}, column {column}: counts are whole "
            "numbers from 0 to 10**15 (labels go to from_wide)"
        )
    return counts.astype(np.int64), names


def _count_rows(table: Array, weights: Array | None) -> Rows:
    row, column = np.nonzero(table)
    start = np.concatenate([[0], np.cumsum(np.count_nonzero(table, axis=1))]).astype(np.int64)
    codes = column.astype(narrow(table.shape[1]))
    return Rows(codes, 0, start, None, table[row, column], weights)


def _column_categories(categories: Any, names: list[Any] | None, n: int, what: str) -> Categories:
    declared = labels.declared_categories(categories)
    if declared is None:
        return tuple(names) if names is not None else tuple(range(n))
    if len(declared) != n:
        raise ValueError(f"{len(declared)} categories are declared, {what} has {n} columns")
    return declared


def _from_counts(
    counts: Any, categories: Any, items: Sequence[Any] | None, weights: Any
) -> Annotations:
    table, names = _count_table(counts, "the agreement table")
    n_rows, K = table.shape
    frequencies = _frequencies(weights, n_rows)
    return Annotations._make(
        categories=_column_categories(categories, names, K, "the agreement table"),
        declared=True,
        items=range(n_rows) if items is None else _names(items, n_rows, "items", "row"),
        coders=None,
        rows=_count_rows(table, frequencies),
        weights=frequencies,
        missing=0,
    )


def _from_contingency(table: Any, categories: Any, coders: Sequence[Any] | None) -> Annotations:
    counts, names = _count_table(table, "the contingency table")
    if counts.shape[0] != counts.shape[1]:
        raise ValueError(
            f"a contingency table is square, this one has {counts.shape[0]} rows and "
            f"{counts.shape[1]} columns"
        )
    first, second = np.nonzero(counts)
    cells = counts[first, second]
    cells.flags.writeable = False
    codes = np.column_stack([first, second]).astype(narrow(len(counts)))
    return Annotations._make(
        categories=_column_categories(categories, names, len(counts), "the contingency table"),
        declared=True,
        items=range(len(cells)),
        coders=range(2) if coders is None else _names(coders, 2, "coders", "side"),
        rows=as_table(codes, cells),
        weights=cells,
        missing=0,
    )


# ---------------------------------------------------------------------- concatenation


def _concat(parts: list[Annotations]) -> Annotations:
    if not parts:
        raise ValueError("concat needs at least one Annotations")
    for i, part in enumerate(parts):
        if not isinstance(part, Annotations):
            raise TypeError(f"part {i} is {type(part).__name__}, not Annotations")
    if len({part._coders is None for part in parts}) > 1:
        raise ValueError("some parts know their coders and some are counts: they do not concatenate")
    declared = any(part._declared for part in parts)
    if declared:
        categories = parts[0]._categories
        for i, part in enumerate(parts):
            if part._categories != categories:
                raise ValueError(
                    f"part {i} has the categories {shorten(part._categories)} and part 0 has "
                    f"{shorten(categories)}: declare the same ones in each"
                )
    else:
        union = list(dict.fromkeys(chain.from_iterable(part._categories for part in parts)))
        categories = tuple(union[i] for i in labels.arrange(union))
    coders: Sequence[Any] | None = None
    if parts[0]._coders is not None:
        names = [part._coders for part in parts]
        coders = names[0]
        if any(list(other) != list(cast("Sequence[Any]", coders)) for other in names[1:]):
            union = list(dict.fromkeys(chain.from_iterable(cast("Any", names))))
            coders = [union[i] for i in labels.arrange(union)]
    rows = _stack([_recoded(part, categories, coders) for part in parts])
    return Annotations._make(
        categories=categories,
        declared=declared,
        items=_joined_items(parts),
        coders=coders,
        rows=rows,
        weights=rows.weights,
        missing=sum(part.missing_judgments for part in parts),
        duplicates_dropped=sum(part._duplicates_dropped for part in parts),
    )


def _joined_items(parts: list[Annotations]) -> Any:
    if all(isinstance(part._items, range) for part in parts):
        return range(sum(part.n_rows for part in parts))
    listed = [labels.as_python(name) for part in parts for name in part._items]
    try:
        _check_distinct(listed, "concat: the parts' items")
    except ValueError as error:
        raise ValueError(
            f"{error}; items with judgments in several parts go together through from_long"
        ) from None
    return listed


def _recoded(part: Annotations, categories: Categories, coders: Sequence[Any] | None) -> Rows:
    """A part's rows with the codes of all parts' categories and coders."""
    rows = part._rows
    code = {label: i for i, label in enumerate(categories)}
    lookup = np.array([code[label] for label in part._categories] + [-1])
    codes = lookup.astype(narrow(len(categories)))[rows.codes]
    if coders is None or part._coders is None:
        return Rows(codes, 0, rows.start, None, rows.repeats, rows.weights)
    place = {name: i for i, name in enumerate(coders)}
    positions = np.array([place[name] for name in part._coders], np.int64)
    same = len(positions) == len(coders) and (positions == np.arange(len(coders))).all()
    if rows.width:
        if same:
            return Rows(codes, rows.width, NO_STARTS, weights=rows.weights)
        if rows.n_rows * len(coders) <= 4 * len(codes):
            table = np.full((rows.n_rows, len(coders)), -1, codes.dtype)
            table[:, positions] = codes.reshape(-1, rows.width)
            return as_table(table, rows.weights)
        rows = _as_lists(Rows(codes, rows.width, NO_STARTS, weights=rows.weights))
        codes = rows.codes
    renamed = positions.astype(np.int32)[cast(Array, rows.coders)]
    row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
    order = np.lexsort((renamed, row))
    return Rows(codes[order], 0, rows.start, renamed[order], None, rows.weights)


def _as_lists(rows: Rows) -> Rows:
    """A table as lists."""
    if not rows.width:
        return rows
    given = rows.table() >= 0
    start = np.concatenate([[0], np.cumsum(given.sum(1))]).astype(np.int64)
    coders = np.broadcast_to(np.arange(rows.width, dtype=np.int32), given.shape)[given]
    return Rows(rows.table()[given], 0, start, coders, None, rows.weights)


def _stack(parts: list[Rows]) -> Rows:
    weights = None
    if any(part.weights is not None for part in parts):
        weights = np.concatenate(
            [np.ones(p.n_rows, np.int64) if p.weights is None else p.weights for p in parts]
        )
        weights.flags.writeable = False
    widths = {part.width for part in parts}
    if len(widths) == 1 and 0 not in widths:
        codes = np.concatenate([part.codes for part in parts])
        return Rows(codes, parts[0].width, NO_STARTS, weights=weights)
    parts = [_as_lists(part) for part in parts]
    offsets = np.cumsum([0, *(len(part.codes) for part in parts)])
    start = np.concatenate(
        [[0], *(p.start[1:] + offset for p, offset in zip(parts, offsets, strict=False))]
    ).astype(np.int64)
    coders = None
    if parts[0].coders is not None:
        coders = np.concatenate([cast(Array, part.coders) for part in parts])
    repeats = None
    if any(part.repeats is not None for part in parts):
        repeats = np.concatenate([cast(Array, part.repeats) for part in parts])
    return Rows(np.concatenate([p.codes for p in parts]), 0, start, coders, repeats, weights)


# ---------------------------------------------------------------------- selection


def _place(names: Sequence[Any], name: Any, what: str) -> int:
    try:
        return names.index(labels.as_python(name))
    except ValueError:
        raise ValueError(
            f"{what} {name!r} is not there; the {what}s are {shorten(names)}"
        ) from None


def _places(names: Any, wanted: Iterable[Any], what: str) -> Array:
    if isinstance(wanted, (str, bytes)) or not isinstance(wanted, Iterable):
        raise TypeError(f"{what}s must be a sequence of names, not {wanted!r}")
    listed = [labels.as_python(name) for name in wanted]
    _check_distinct(listed, f"select: {what}s")
    if isinstance(names, range):
        place: Any = {name: name for name in listed if name in names}
    else:
        place = {labels.as_python(name): i for i, name in enumerate(names)}
    for name in listed:
        if name not in place:
            raise ValueError(f"{what} {name!r} is not there; the {what}s are {shorten(names)}")
    return np.array([place[name] for name in listed], np.int64)


def _take_rows(rows: Rows, picked: Array) -> Rows:
    weights = None if rows.weights is None else rows.weights[picked]
    if rows.width:
        return as_table(rows.table()[picked], weights)
    positions, start = list_positions(rows.start, picked)
    return Rows(
        rows.codes[positions],
        0,
        start,
        None if rows.coders is None else rows.coders[positions],
        None if rows.repeats is None else rows.repeats[positions],
        weights,
    )


def _take_coders(rows: Rows, chosen: Array, n_coders: int) -> Rows:
    if rows.width:
        return as_table(rows.table()[:, chosen], rows.weights)
    lookup = np.full(n_coders, -1, np.int32)
    lookup[chosen] = np.arange(len(chosen), dtype=np.int32)
    renamed = lookup[cast(Array, rows.coders)]
    kept = np.flatnonzero(renamed >= 0)
    row = _row_of(rows, kept)
    order = kept[np.lexsort((renamed[kept], row))]
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows.n_rows))])
    lists = Rows(
        rows.codes[order], 0, start.astype(np.int64), renamed[order], None, rows.weights
    )
    if rows.n_rows * len(chosen) <= max(4 * len(order), 1 << 16):
        return as_table(_dense(lists, len(chosen)), rows.weights)
    return lists


def _with_used_categories(
    rows: Rows,
    categories: Categories,
    declared: bool,
    items: Any,
    coders: Sequence[Any] | None,
    duplicates_dropped: int,
) -> Annotations:
    if not declared:
        used = np.unique(rows.codes)
        used = used[used >= 0]
        if len(used) < len(categories):
            lookup = np.full(len(categories) + 1, -1, narrow(len(used)))
            lookup[used] = np.arange(len(used))
            rows = Rows(
                lookup[rows.codes], rows.width, rows.start, rows.coders, rows.repeats, rows.weights
            )
            categories = tuple(categories[i] for i in used.tolist())
    return Annotations._make(
        categories=categories,
        declared=declared,
        items=items,
        coders=coders,
        rows=rows,
        weights=rows.weights,
        duplicates_dropped=duplicates_dropped,
    )


# ---------------------------------------------------------------------- small helpers


def _row_of(rows: Rows, positions: Array) -> Array:
    """The row of each judgment, by its position among the codes."""
    if rows.width:
        return cast(Array, positions // rows.width)
    return cast(Array, np.searchsorted(rows.start, positions, side="right") - 1)


def _dense(rows: Rows, n_coders: int) -> Array:
    if rows.width:
        return rows.table()
    table = np.full((rows.n_rows, n_coders), -1, rows.codes.dtype)
    if len(rows.codes):
        row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
        table[row, cast(Array, rows.coders)] = rows.codes
    return table


def _codes_of_coder(rows: Rows, place: int) -> Array:
    """A coder's code for each row, -1 where there is none."""
    if rows.width:
        return cast(Array, rows.table()[:, place])
    out = np.full(rows.n_rows, -1, rows.codes.dtype)
    positions = np.flatnonzero(cast(Array, rows.coders) == place)
    out[_row_of(rows, positions)] = rows.codes[positions]
    return out


def _counts_of(rows: Rows, block: range, K: int) -> Array:
    begin, end = (
        (block.start * rows.width, block.stop * rows.width)
        if rows.width
        else (int(rows.start[block.start]), int(rows.start[block.stop]))
    )
    where = np.flatnonzero(rows.codes[begin:end] >= 0) + begin
    counts = np.zeros((len(block), K))
    repeats = 1 if rows.repeats is None else rows.repeats[where]
    np.add.at(counts, (_row_of(rows, where) - block.start, rows.codes[where]), repeats)
    return counts


def _sizes(rows: Rows, block: range) -> Array:
    return cast(Array, _counts_of(rows, block, int(rows.codes.max(initial=0)) + 1).sum(1))


def _object_array(values: Sequence[Any]) -> Array:
    out = np.empty(len(values), object)
    out[:] = [labels.as_python(value) for value in values]
    return out


def _label_array(categories: Categories) -> Array:
    """Labels by code; code -1 finds None."""
    out = np.empty(len(categories) + 1, object)
    for i, label in enumerate(categories):
        out[i] = label
    return out


