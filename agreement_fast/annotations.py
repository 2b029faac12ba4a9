"""What the coders said: construction, validation, and the tables that people look at."""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any, Unpack, cast

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.contingency import pair_table, pair_tables
from agreement_fast.engines.gathered import Gathered
from agreement_fast.engines.read import WAYS, read_lazy
from agreement_fast.engines.wide import first_rows, read_lazy_wide
from agreement_fast.errors import Argument, InputError, InputTypeError, NotKeptError
from agreement_fast.kept_moments import KeptMoments
from agreement_fast.long_table import judgment_columns, judgments_in_notebook
from agreement_fast.options import check_choice
from agreement_fast.patterns import (
    Rows,
    as_table,
    check_total,
    coincidences_of,
    count_coders,
    count_rows,
    dense,
    group_rows,
    narrow,
    row_of,
    take_coders,
    take_rows,
    used_labels,
)
from agreement_fast.pieces import add_up, parts_of, piece_of
from agreement_fast.reading import frames, labels
from agreement_fast.reading.counts import read_contingency, read_counts
from agreement_fast.reading.keys import joined_key, said_of_items
from agreement_fast.reading.labels import Categories, Labels, Raw, count_numbers, shorten
from agreement_fast.reading.long import columns_of_triples, read_long
from agreement_fast.reading.more import read_more
from agreement_fast.reading.near_misses import hint_at_labels
from agreement_fast.reading.order import check_order
from agreement_fast.reading.parts import LeftOut, Parts, written_rows
from agreement_fast.reading.shapes import ColumnNames, find_judgments, judgments_in_first_rows
from agreement_fast.reading.tables import (
    ROWS,
    name_place,
    name_places,
    named_columns,
    two_columns,
)
from agreement_fast.reading.wide import read_wide
from agreement_fast.tables import Matrix, Tabular, unlike
from agreement_fast.terminal import number_of, spell_label

#: Shared, and never changed.
_NO_TEXTS: Mapping[Any, str] = {}
_NOTHING: Mapping[str, Sequence[Any]] = {}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Patterns(Tabular):
    """The distinct rows of judgments: ``codes, weights = data.patterns()``.

    Attributes
    ----------
    codes : int array of shape (U, C)
        Positions in ``categories``; -1 is missing.
    weights : int64 array of shape (U,)
        How many items have each row.
    coders, categories : tuple
    """

    codes: Array
    weights: Array
    coders: tuple[Any, ...]
    categories: Categories

    def __iter__(self) -> Iterator[Array]:
        return iter((self.codes, self.weights))

    def __len__(self) -> int:
        return len(self.weights)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each pattern: what each coder says, and how many items have it."""
        names = unlike("n_items", map(spell_label, self.coders))
        said = _label_array(self.categories)[self.codes].T
        return {**dict(zip(names, said, strict=True)), "n_items": self.weights}

    def __repr__(self) -> str:
        return (
            f"<{number_of(len(self), 'pattern')} of "
            f"{number_of(int(self.weights.sum()), 'item')}, {number_of(len(self.coders), 'coder')}>"
        )


def kept(name: str, doc: str) -> Any:
    """Make a property that returns an attribute."""
    return property(operator.attrgetter(name), doc=doc)


class Annotations(Tabular):
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
    >>> data.to_counts()
    item \\ category  x  y
    u1               2  0
    u2               1  1
    """

    _along: Mapping[str, Sequence[Any]]
    _counts: Array | None
    _coders: Sequence[Any] | None
    _declared: bool
    _items: Any
    _missing: int | None
    _n_coders: int | None
    _n_items: int
    _n_rows: int
    _raw: Raw | None
    _texts: Mapping[Any, str]
    _weights: Array | None

    # For the package, as `assemble`, `grouped` and `known_coders` are.
    #: The categories, as an array where they are many numbers. Counted when somebody asks.
    labels: Labels
    #: The judgments in the order of the items. Written out when somebody asks.
    rows: Rows
    #: The patterns, if reading the data produced them; otherwise None.
    known_patterns: Rows | None
    #: What reading left out where coders judged items more than once.
    left_out: LeftOut
    #: By the least number of judgments of an item: how often each coder used each category. Kept
    #: where rows are counts, which do not know who said what; otherwise None.
    kept_marginals: dict[int, Array] | None
    #: Sums over items of numbers, which stay where they are; otherwise None.
    kept_moments: KeptMoments | None
    #: How an engine was asked, if the judgments are those of one; otherwise None.
    gathered: Gathered | None
    #: A cache of what later steps computed from these judgments.
    memo: dict[Any, Any]
    #: Numeric labels that have not been counted yet, NaN being missing; otherwise None.
    numbers: Array | None
    #: Whether the labels are numbers, and nobody asked yet which ones occur.
    uncounted: bool
    #: Whether a row stands for items that are alike, which have no names.
    unnamed: bool

    __slots__ = (
        "__weakref__",
        "_along",
        "_coders",
        "_counts",
        "_declared",
        "_items",
        "_missing",
        "_n_coders",
        "_n_items",
        "_n_rows",
        "_raw",
        "_texts",
        "_weights",
        "gathered",
        "kept_marginals",
        "kept_moments",
        "known_patterns",
        "labels",
        "left_out",
        "memo",
        "numbers",
        "rows",
        "uncounted",
        "unnamed",
    )

    def __init__(self) -> None:
        raise InputTypeError(
            "make Annotations with from_wide, from_long, from_frame, from_triples, from_counts, "
            "from_contingency or concat"
        )

    @classmethod
    def assemble(cls, **parts: Unpack[Parts]) -> Annotations:
        """Make annotations of their parts; for the package."""
        self = object.__new__(cls)
        categories, rows, items = parts.get("categories"), parts.get("rows"), parts["items"]
        if categories is not None:
            self.labels = categories
        if rows is not None:
            self.rows = rows
        self.uncounted = categories is None
        self.numbers = parts.get("numbers")
        self.known_patterns = parts.get("patterns")
        self.kept_marginals = parts.get("marginals")
        self.kept_moments = parts.get("moments")
        self.memo = {}
        self._raw = parts.get("raw")
        self._texts = parts.get("texts", _NO_TEXTS)
        self._along = parts.get("along", _NOTHING)
        self.gathered = parts.get("gathered")
        self.unnamed = parts.get("unnamed", False)
        self._counts = parts.get("counts")
        self._declared = parts.get("declared", False)
        self._missing = parts.get("missing")
        self.left_out = parts.get("left_out", LeftOut())
        if isinstance(items, np.ndarray):
            items = items.view()
            items.flags.writeable = False
        elif isinstance(items, list):
            items = tuple(items)
        self._items = items
        self._n_rows = self._n_items = len(items)
        self._coders = coders = parts.get("coders")
        self._n_coders = None if coders is None else len(coders)
        weights = parts.get("weights")
        if weights is not None:
            if weights.flags.writeable:
                weights = weights.copy()
                weights.flags.writeable = False
            self._n_items = int(weights.sum())
        self._weights = weights
        return self

    def __getattr__(self, name: str) -> Any:
        """Count the labels, or write out the rows, when somebody asks for them first."""
        if name == "labels" and self.numbers is not None:
            codes, found = count_numbers(self.numbers)
            if isinstance(found, tuple):
                hint_at_labels(found)
            # in this order: another thread that finds the one must find the other
            self.rows = as_table(codes, self._weights)
            self.labels = found
            self.uncounted = False
            return found
        if name in ("labels", "rows", "categories") and self.kept_moments is not None:
            raise NotKeptError(
                (
                    "these annotations are sums of numbers (",
                    Argument("way", "moments"),
                    "), which are enough for coefficients under the interval distance, and for "
                    "standard errors of those that do not look at single coders",
                ),
                ("pass ", Argument("way", "patterns", "partitions"), ", which keep the judgments"),
                argument="way",
            )
        if name == "rows":
            rows = written_rows(len(self.labels), self._weights, self._raw, self._counts)
            if rows is not None:
                # in this order: another thread that finds no values must find the rows
                self.rows = rows
                self._raw = None
            return object.__getattribute__(self, "rows")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

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
        set_separator: str | None = None,
        copy: bool = True,
    ) -> Annotations:
        """Read a table of items × coders: a row is an item, a column is a coder.

        Parameters
        ----------
        table : array-like of shape (N, C), or data frame
            Lists of rows, a numpy array of any type (masked, object and text included), or a
            pandas, polars or pyarrow table (any that narwhals knows), whose columns are coders.
            A lazy frame (DuckDB's relations, polars, Spark, Dask, Ibis) is not collected: its
            engine counts equal rows. Its `items` and `weights` are columns, and its `coders` those
            columns that are coders, by default all that the first 1,000 rows show to be such.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", beside None, NaN, NaT, NA and masked entries.
        categories : sequence of labels, optional
            All categories, in order, used or not. By default what occurs.
        items, coders : sequences of labels, optional
            Names; by default the data frame's index (pandas) and column names, else 0, 1, 2, ...
            `items` may be the name of a column. By default a column with a usual name such as
            "item" or "id", different in each row, names the items.
        weights : mapping item -> int, or sequence of int of shape (N,), optional
            How many items each row stands for, 0 to 10¹⁵; never expanded. The index of a pandas
            Series names the items; items that a mapping does not name weigh 1.
        set_separator : str, optional
            What stands between the elements of labels that are sets, as in "noun|verb"; blanks
            around elements do not count, and empty text is the empty set. Sets and lists are
            read as they are, see `agreement_fast.labelsets`.
        copy : bool
            False may keep a numpy array as it is, which must then not be changed any more: for
            tables that fill half of the memory.

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
        if frames.is_lazy(table):
            found = read_lazy_wide(
                table,
                items=items,
                coders=coders,
                weights=weights,
                missing=missing,
                categories=categories,
                set_separator=set_separator,
            )
            found.parts["unnamed"] = True
            return Annotations.assemble(**found.parts)
        return Annotations.assemble(
            **read_wide(
                table,
                missing=missing,
                categories=categories,
                items=items,
                coders=coders,
                weights=weights,
                set_separator=set_separator,
                copy=copy,
            )
        )

    @staticmethod
    def from_long(
        items: Any,
        coders: Any,
        labels: Any,
        *,
        missing: Any = None,
        categories: Any = None,
        duplicates: str = "error",
        repeats_of: Any = None,
        weights: Any = None,
        set_separator: str | None = None,
    ) -> Annotations:
        """Read one judgment a row: three columns of equal length.

        Parameters
        ----------
        items, coders, labels : array-like of shape (n,)
            Arrays, lists, or columns of a data frame. A missing label leaves its item (and coder)
            in the data, without that judgment.
        missing, categories, set_separator :
            As in `from_wide`.
        duplicates : {"error", "first", "last", "majority", "set"}
            What one judgment is made where a coder judged an item more than once:

            - "error" refuses it and names the first few.
            - "first" and "last" keep one, in the order of the rows.
            - "majority" takes the label that the coder gave the item most often. Where several
              labels are the most frequent, none is chosen: the judgment is missing, and counted in
              ``duplicates_tied``.
            - "set" takes the set of all labels that the coder gave the item. Every label becomes a
              set then, also those given once; a label that is a set contributes its elements, and
              `categories` declares elements. Use a distance between sets, such as "masi".

            Missing labels do not take part. ``duplicates_dropped`` counts m - 1 for m judgments of
            an item by the same coder, under every policy. So the labels read are the
            judgments held, those dropped and those missing. Undeclared categories are the labels
            that are held: one that occurs only in dropped or tied judgments is none.
        repeats_of : coder, optional
            Compare one coder's repeated judgments with each other: intra-coder agreement. The
            coders are then called "first", "second", "third", ..., and hold that coder's first,
            second, third judgment of each item, in the order of the rows; missing labels are none.
            Items with less than two judgments by the coder are left out; ``items_judged_once``
            counts those with one. Only the judgments that are compared must fit `categories` and
            `weights`.
        weights : mapping item -> int, or array-like of shape (n,), optional
            How many items each item stands for; in the second form the same for all judgments of
            an item. Items not in the mapping weigh 1. The index of a pandas Series is that of the
            other columns, or names the items.

        Raises
        ------
        ValueError
            Columns of different lengths, a judgment without item or coder, repeated judgments, a
            label outside the declared categories, a coder in `repeats_of` who is not there or
            judged no item twice.

        Notes
        -----
        O(n): counting sorts. Items stand in order of first appearance, coders sorted.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_long([7, 7, 8], ["A", "B", "A"], ["yes", "no", "no"])
        Annotations(2 items, 2 coders, 3 judgments, 2 categories: 'no', 'yes')

        A judged item 7 three times:

        >>> judgments = [7, 7, 7, 7, 8], ["A", "A", "A", "B", "A"], ["yes", "no", "yes", "no", "no"]
        >>> data = af.Annotations.from_long(*judgments, duplicates="majority")
        >>> data.to_wide().tolist(), data.duplicates_dropped
        ([['yes', 'no'], ['no', None]], 2)
        >>> data = af.Annotations.from_long(*judgments, repeats_of="A")
        >>> data.coders, data.to_wide().tolist(), data.items_judged_once
        (('first', 'second', 'third'), [['yes', 'no', 'yes']], 1)
        """
        return Annotations.assemble(
            **read_long(
                items,
                coders,
                labels,
                missing=missing,
                categories=categories,
                duplicates=duplicates,
                repeats_of=repeats_of,
                weights=weights,
                set_separator=set_separator,
            )
        )

    @staticmethod
    def from_frame(
        frame: Any,
        *,
        item: str | Sequence[str] | None = None,
        coder: str | None = None,
        label: str | None = None,
        missing: Any = None,
        categories: Any = None,
        duplicates: str = "error",
        repeats_of: Any = None,
        weights: str | None = None,
        set_separator: str | None = None,
        order: str | None = None,
        along: str | Sequence[str] = (),
        way: str = "auto",
    ) -> Annotations:
        """Read one judgment a row from a data frame, or from an engine that holds it.

        Parameters
        ----------
        frame : data frame or lazy frame
            Of pandas, polars, pyarrow, or any other library that narwhals knows; or what has an
            Arrow stream. A lazy frame (DuckDB's relations, polars, Spark, Dask, Ibis) is not
            collected: its engine groups the judgments, and the distinct rows come back.
        item : str or sequence of str, optional
            Name of a column; several together name an item, as a tuple.
        coder, label : str, optional
            Names of columns. By default each is the only column with a usual name. An ordered
            categorical (pandas, Arrow) or an Enum (polars) as `label` declares the categories and
            their order.
        weights : str, optional
            Name of a column.
        order : str, optional
            Name of a column that says which judgment came first, for `duplicates` and
            `repeats_of`. The rows of a lazy frame have no order, so "first", "last" and
            `repeats_of` need it. Where it says the same of different labels, none came first,
            which is an error.
        along : str or sequence of str
            Columns that say something about items, such as their document; they must say the same
            in all rows of an item. ``data.along`` has them, for `bootstrap(cluster=...)`.
        way : {"auto", "patterns", "counts", "moments", "partitions"}
            How a lazy frame is asked (docs/engines.md). "patterns" is a column a coder, and
            everything can be asked of what comes back. "counts" lets go who said what about an
            item, as ``accumulate(keep_coders=False)`` does. "moments" sums numbers, which is all
            that the interval distance needs: coefficients under it, and their standard errors, are
            computed of however many distinct numbers, and nothing else is. Sums of floats depend
            on the order of the rows; they are good to 1e-12 of the spread of the numbers.
            "partitions" reads the rows here, some at a time. By default, the first way that returns
            little; never "moments". ``data.gathered`` says which. A frame in memory is not asked.

        Other parameters as in `from_long`. The items of a lazy frame have no names: a row stands
        for all that are alike.

        Examples
        --------
        >>> import agreement_fast as af, pandas as pd
        >>> frame = pd.DataFrame({"id": [1, 1, 2], "who": ["A", "B", "A"], "say": ["x", "x", "y"]})
        >>> af.Annotations.from_frame(frame, item="id", coder="who", label="say")
        Annotations(2 items, 2 coders, 3 judgments, 2 categories: 'x', 'y')
        """
        beside = (along,) if isinstance(along, str) else tuple(along)
        keys = (item,) if item is None or isinstance(item, str) else tuple(item)
        if not keys:
            raise InputError(
                (Argument("item"), " is empty"), "name one column or several", argument="item"
            )
        if beside and repeats_of is not None:
            raise InputError(
                (Argument("along"), " and ", Argument("repeats_of"), " exclude each other"),
                argument="along",
            )
        check_choice("way", way, WAYS)
        frame = frames.opened(frame)
        if frames.is_lazy(frame):
            found = read_lazy(
                frame,
                item=item,
                coder=coder,
                label=label,
                weights=weights,
                order=order,
                along=beside,
                missing=missing,
                categories=categories,
                duplicates=duplicates,
                repeats_of=repeats_of,
                set_separator=set_separator,
                way=way,
            )
            found.parts["along"] = dict(zip(beside, found.beside, strict=True))
            found.parts["unnamed"] = True
            return Annotations.assemble(**found.parts)
        if way != "auto":
            raise InputError(
                (Argument("way", way), " is for lazy frames, and this one is in memory"),
                ("leave out ", Argument("way")),
                argument="way",
            )
        times = None
        if order is not None:
            frame, times = frames.in_order(frame, order)
        roles = frames.judgment_roles(frame, item=keys[0], coder=coder, label=label)
        keys = (roles.pop("item"), *keys[1:])
        coders, said, frequencies = frames.pick(frame, **roles, weights=weights)
        names = joined_key([frames.pick(frame, item=name)[0] for name in keys])
        if order is not None and times is not None:
            check_order(
                names,
                coders,
                said,
                times,
                order,
                missing=missing,
                duplicates=duplicates,
                repeats_of=repeats_of,
                set_separator=set_separator,
            )
        parts = read_long(
            names,
            coders,
            said,
            missing=missing,
            categories=categories,
            duplicates=duplicates,
            repeats_of=repeats_of,
            weights=frequencies,
            set_separator=set_separator,
        )
        parts["along"] = {
            name: said_of_items(names, frames.pick(frame, along=name)[0], name) for name in beside
        }
        return Annotations.assemble(**parts)

    @staticmethod
    def from_triples(
        triples: Iterable[tuple[Any, Any, Any]],
        *,
        missing: Any = None,
        categories: Any = None,
        duplicates: str = "error",
        repeats_of: Any = None,
        weights: Any = None,
        set_separator: str | None = None,
    ) -> Annotations:
        """Read (coder, item, label) triples, as NLTK's AnnotationTask takes them.

        Parameters
        ----------
        triples : iterable of (coder, item, label)

        Other parameters as in `from_long`.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_triples([("c1", "i1", "x"), ("c2", "i1", "y")])
        Annotations(1 item, 2 coders, 2 judgments, 2 categories: 'x', 'y')
        """
        items, coders, labels = columns_of_triples(triples)
        return Annotations.assemble(
            **read_long(
                items,
                coders,
                labels,
                missing=missing,
                categories=categories,
                duplicates=duplicates,
                repeats_of=repeats_of,
                weights=weights,
                set_separator=set_separator,
            )
        )

    @staticmethod
    def from_counts(
        counts: Any,
        *,
        categories: Any = None,
        items: Sequence[Any] | None = None,
        weights: Any = None,
        coder_counts: Any = None,
        single_counts: Any = None,
        coders: Sequence[Any] | None = None,
    ) -> Annotations:
        """Read an agreement table: how many coders gave each item each category.

        Who said what is not known. κ and β need `coder_counts`. Contingency tables, and everything
        else that needs the labels of single coders, raise an error.

        Parameters
        ----------
        counts : array-like of int of shape (N, K), or data frame whose columns are categories
            n_ik, non-negative.
        categories : sequence of K labels, optional
            By default 0 .. K - 1 or the column names; unused columns count as categories.
        items, weights :
            As in `from_wide`.
        coder_counts : array-like of int of shape (C, K), or data frame, optional
            n_ck, how often each coder used each category in all items, weights applied;
            `coder_marginals` gives it. Columns with names may stand in any order.
        single_counts : array-like of int of shape (C, K), or data frame, optional
            Those of `coder_counts` that are the only judgment of their item. It is needed where
            items have one judgment.
        coders : sequence of C names, optional
            By default the names of the rows of `coder_counts`, or 0 .. C - 1.

        Raises
        ------
        ValueError
            Counts that are none, or that do not add up to what the coders said.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_counts([[3, 0], [1, 2]], categories=["yes", "no"])
        Annotations(2 items, coders unknown, 6 judgments, 2 categories: 'yes', 'no')

        Two coders judged three items; the first said yes of all, the second of two:

        >>> table = [[2, 0], [2, 0], [1, 1]]
        >>> counts = af.Annotations.from_counts(table, coder_counts=[[3, 0], [2, 1]])
        >>> af.kappa(counts) == af.kappa([[0, 0], [0, 0], [0, 1]])
        True
        """
        return Annotations.assemble(
            **read_counts(counts, categories, items, weights, coder_counts, single_counts, coders)
        )

    @staticmethod
    def from_contingency(
        table: Any,
        *,
        categories: Any = None,
        coders: Sequence[Any] | None = None,
        n_items: int | None = None,
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
        n_items : int, optional
            Of how many items the cells are proportions, for a table that is printed so. They must
            add up to 1 and be whole numbers of items.

        Examples
        --------
        Artstein & Poesio 2005, table 1:

        >>> import agreement_fast as af
        >>> af.Annotations.from_contingency([[20, 20], [10, 50]], categories=["stat", "ireq"])
        Annotations(100 items, 2 coders, 200 judgments, 2 categories: 'stat', 'ireq')

        The same as proportions:

        >>> af.Annotations.from_contingency([[0.2, 0.2], [0.1, 0.5]], n_items=100)
        Annotations(100 items, 2 coders, 200 judgments, 2 categories: 0, 1)
        """
        return Annotations.assemble(**read_contingency(table, categories, coders, n_items))

    @staticmethod
    def from_patterns(table: Any) -> Annotations:
        """Read patterns that `patterns_to_arrow` gave, wherever they were stored since.

        Everything is checked: a table that was changed, or is of a later version, is an error.

        Parameters
        ----------
        table : pyarrow.Table

        Raises
        ------
        ValueError
            Other tables, damaged ones; pyarrow is not installed.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([["x", "x"], ["x", "y"], ["x", "x"]])
        >>> af.Annotations.from_patterns(data.patterns_to_arrow())
        Annotations(3 items, 2 coders, 6 judgments, 2 categories: 'x', 'y')
        """
        from agreement_fast.stored_pieces import from_table

        return Annotations.assemble(**parts_of(from_table(table)))

    @staticmethod
    def read_patterns(path: str | Path) -> Annotations:
        """Read a file of `write_patterns`: what `accumulate` of the written annotations gives.

        Everything is checked: a file that was changed, or is of a later version, is an error.

        Parameters
        ----------
        path : str or Path

        Raises
        ------
        ValueError
            Other files, damaged ones; pyarrow is not installed.
        OSError
            The file cannot be opened.
        """
        from agreement_fast.stored_pieces import read_piece

        return Annotations.assemble(**parts_of(read_piece(path)))

    # ------------------------------------------------------------------ what there is

    n_rows: int = kept("_n_rows", "Stored rows; an item of weight 3 is one row.")
    n_items: int = kept(
        "_n_items", "Items, each as often as its weight says, with or without judgments."
    )
    n_coders: int | None = kept("_n_coders", "Coders; None where they are unknown.")
    declared: bool = kept("_declared", "Whether the categories and their order were declared.")
    weights: Array | None = kept(
        "_weights", "Frequencies of the stored rows, int64; None where all are 1."
    )
    duplicates_dropped: int = kept(
        "left_out.duplicates_dropped",
        "Judgments beyond the first of an item by a coder, under every policy of ``duplicates``.",
    )
    duplicates_tied: int = kept(
        "left_out.duplicates_tied",
        'Missing judgments that stand for a tie of labels, of ``duplicates="majority"``.',
    )
    duplicates_united: int = kept(
        "left_out.duplicates_united",
        'Those of ``duplicates_dropped`` that are elements of sets, of ``duplicates="set"``.',
    )
    items_judged_once: int = kept(
        "left_out.items_judged_once",
        "Items that ``repeats_of`` left out: one judgment is no repeat.",
    )

    @property
    def n_judgments(self) -> int:
        """Judgments that are not missing, counted with the items' weights."""
        if self.kept_moments is not None:
            return self.kept_moments.n_judgments
        if self.numbers is not None:
            given = self.numbers.shape[1] - np.isnan(self.numbers).sum(1)
            return int(given.sum() if self._weights is None else given @ self._weights)
        if "n_judgments" not in self.memo:
            rows = self.grouped()
            given = rows.codes >= 0
            if rows.width:
                sizes = given.reshape(-1, rows.width).sum(1)
            else:
                each = given.astype(np.int64) if rows.repeats is None else given * rows.repeats
                sums = np.concatenate([[0], np.cumsum(each)])
                sizes = sums[rows.start[1:]] - sums[rows.start[:-1]]
            weights = np.ones(1, np.int64) if rows.weights is None else rows.weights
            check_total(float((sizes * weights.astype(np.float64)).sum()), "judgments")
            total = (sizes * weights).sum()
            self.memo["n_judgments"] = int(total)
        return cast(int, self.memo["n_judgments"])

    @property
    def categories(self) -> Categories:
        """All categories, K of them: as declared, or what occurs."""
        labels = self.labels
        if isinstance(labels, tuple):
            return labels
        if "categories" not in self.memo:
            self.memo["categories"] = tuple(labels.tolist())
        return cast(Categories, self.memo["categories"])

    @property
    def coders(self) -> tuple[Any, ...] | None:
        """Names of the coders; None where they are unknown."""
        return None if self._coders is None else tuple(self._coders)

    @property
    def items(self) -> Sequence[Any]:
        """Names of the stored rows."""
        return cast("Sequence[Any]", self._items)

    @property
    def texts(self) -> Mapping[Any, str]:
        """What items say, as far as that is known; see `with_texts`."""
        return MappingProxyType(cast("dict[Any, str]", self._texts))

    @property
    def along(self) -> Mapping[str, Sequence[Any]]:
        """What columns beside the judgments say of each stored row; see `from_frame`."""
        return MappingProxyType(cast("dict[str, Sequence[Any]]", self._along))

    @property
    def missing_judgments(self) -> int:
        """Missing entries among those read: empty cells of a table, missing labels of a list."""
        if self._missing is None:
            if self.numbers is not None:
                self._missing = int(np.count_nonzero(np.isnan(self.numbers)))
            else:
                self._missing = int(np.count_nonzero(self.rows.codes < 0))
        return self._missing

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        def some(count: int, one: str, many: str) -> str:
            return f"{count} {one if count == 1 else many}"

        coders = (
            "coders unknown" if self._n_coders is None else some(self._n_coders, "coder", "coders")
        )
        counted = (
            f"Annotations({some(self.n_items, 'item', 'items')}, {coders}, "
            f"{some(self.n_judgments, 'judgment', 'judgments')}, "
        )
        if self.kept_moments is not None:
            return counted + "sums of numbers)"
        return f"{counted}{some(len(self.labels), 'category', 'categories')}" + (
            f": {shorten(self.categories)})" if self.categories else ")"
        )

    # ------------------------------------------------------------------ tables

    def grouped(self) -> Rows:
        """The patterns where they came for free, else the rows; for the package."""
        return self.rows if self.known_patterns is None else self.known_patterns

    def beside(self, said: Any, argument: str) -> Any:
        """What an argument says of each row: as it is, or the column along that it names."""
        if not isinstance(said, str):
            if self.unnamed and not self._along:
                raise InputError(
                    (
                        "these rows are patterns of items, which ",
                        Argument(argument),
                        " cannot tell apart: no pattern knows its items any more",
                    ),
                    (
                        "read a lazy frame with Annotations.from_frame(frame, ",
                        Argument("along"),
                        f"=...), or pass {argument} before accumulate",
                    ),
                    argument=argument,
                )
            return said
        if said not in self._along:
            known = f"; those are {shorten(list(self._along))}" if self._along else ""
            raise InputError(
                (Argument(argument, said), f" is not a column that was read along{known}"),
                (
                    "pass one value for each item, or read it with Annotations.from_frame(frame, ",
                    Argument("along", said),
                    ")",
                ),
                argument=argument,
            )
        return self._along[said]

    def known_parts(self) -> Parts:
        """What belongs to the judgments, without the items' names; for the package."""
        return Parts(
            categories=self.categories,
            declared=self._declared,
            coders=self.coders,
            patterns=self.grouped(),
            marginals=self.kept_marginals,
            missing=self.missing_judgments,
            left_out=self.left_out,
        )

    def known_coders(self, purpose: str | Argument, marginals: bool = False) -> Sequence[Any]:
        """The coders' names; `marginals` says that their marginals are enough. For the package."""
        if self.kept_moments is not None and not marginals:
            _ = self.rows  # says what was let go
        if self.kept_marginals is not None and not marginals:
            raise InputError(
                (
                    purpose,
                    " needs to know who said what about an item, which from_counts, "
                    "accumulate(keep_coders=False) and from_frame(way='counts') let go",
                )
            )
        if self._coders is None:
            raise InputError(
                (
                    purpose,
                    " needs to know which coder made which judgment, and these annotations "
                    "are counts",
                ),
                (
                    "make them with from_wide, from_long or from_contingency",
                    (", or pass ", Argument("coder_counts"), " to from_counts")
                    if marginals
                    else "",
                ),
            )
        return self._coders

    def to_counts(self) -> Matrix:
        """How many coders gave each item each category: n_ik, int64 of shape (n_rows, K).

        What `from_counts` reads.

        Weights are not applied: a row is shown once. O(N · K) memory.
        """
        rows = self.rows
        K = len(self.labels)
        where = np.flatnonzero(rows.codes >= 0)
        table = np.zeros(self.n_rows * K, np.int64)
        cells = row_of(rows, where) * K + rows.codes[where]
        repeats = 1 if rows.repeats is None else rows.repeats[where]
        np.add.at(table, cells, repeats)
        counts = table.reshape(self.n_rows, K)
        return Matrix(counts, self.items, self.categories, "item", "category")

    def coder_marginals(self) -> Matrix:
        """How often each coder used each category: n_ck, int64 of shape (C, K), weights applied."""
        coders = self.known_coders("coder_marginals()", marginals=True)
        if self.kept_marginals is not None:
            counts = self.kept_marginals[1].copy()
        else:
            found = count_coders(self.grouped(), len(coders), len(self.labels))
            counts = found if isinstance(found, np.ndarray) else found.toarray()
        return Matrix(counts, coders, self.categories, "coder", "category")

    def coincidence_matrix(self) -> Matrix:
        """Krippendorff's coincidences, float64 of shape (K, K), symmetric.

        o_jl = Σ_i w_i n_ij (n_il − [j = l]) / (n_i − 1) over the items with two judgments or more;
        it sums to their number of judgments (Krippendorff 2011). O(U · K²) for U patterns.
        """
        out = coincidences_of(group_rows(self.grouped()), len(self.labels))
        return Matrix(out, self.categories, self.categories, "category", "category")

    def contingency_table(self, first: Any, second: Any) -> Matrix:
        """Items that both of two coders judged, by their categories: int64 of shape (K, K).

        Rows are the first coder's categories, columns the second's; weights are applied.

        Parameters
        ----------
        first, second : names of coders

        Raises
        ------
        ValueError
            Coders are unknown, or a name is none of theirs.
        """
        names = list(self.known_coders("contingency_table()"))
        places = [name_place(names, name, "coder") for name in (first, second)]
        table = pair_table(self.grouped(), places[0], places[1], len(self.labels))
        one, other = (spell_label(names[place]) for place in places)
        return Matrix(table, self.categories, self.categories, one, other)

    def contingency_tables(self) -> Array:
        """The contingency tables of all pairs of coders: int64 of shape (C (C − 1)/2, K, K).

        Pairs stand in the order of ``itertools.combinations(coders, 2)``; a pair's first coder has
        the rows. O(C² · K² · N / 64) for a table without weights, by counting bits.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([[1, 1, 2], [2, 2, 2], [1, 2, 2]])
        >>> data.contingency_tables()[0].tolist()
        [[1, 1], [0, 1]]
        """
        coders = self.known_coders("contingency_tables()")
        K, rows = len(self.labels), self.grouped()
        return pair_tables(rows, len(coders), K)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each judgment: its item, coder and label, and its item's weight if any.

        Counts know no coders: there is a row for each item and label, with its count.
        """
        return judgment_columns(self)

    def _repr_html_(self) -> str:
        """Show the first and the last judgments, however many there are."""
        if self.kept_moments is not None:
            return f"<code>{escape(repr(self))}</code>"
        return judgments_in_notebook(self)

    def to_wide(self) -> Array:
        """The labels as an object array of shape (n_rows, C), None where missing."""
        coders = self.known_coders("to_wide()")
        codes = dense(self.rows, len(coders))
        return _label_array(self.categories)[codes]

    def to_long(self) -> tuple[Array, Array, Array]:
        """Items, coders and labels of all judgments, row by row, as three object arrays."""
        coders = self.known_coders("to_long()")
        rows = self.rows
        where = np.flatnonzero(rows.codes >= 0)
        row = row_of(rows, where)
        coder = where % rows.width if rows.width else cast(Array, rows.coders)[where]
        return (
            _object_array(self._items)[row],
            _object_array(coders)[coder],
            _label_array(self.categories)[rows.codes[where]],
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
        coders = self.known_coders("patterns()")
        rows = self.known_patterns
        if rows is None:
            rows = group_rows(self.rows)
        if rows.n_rows * len(coders) > 2**31:
            raise InputError(
                f"{rows.n_rows} patterns of {len(coders)} coders are too many for a table",
                "select fewer coders first",
            )
        codes = dense(rows, len(coders))
        weights = np.ones(len(codes), np.int64) if rows.weights is None else rows.weights
        return Patterns(codes.copy(), weights.copy(), tuple(coders), self.categories)

    def patterns_to_arrow(self) -> Any:
        """The patterns as a table that `from_patterns` reads: a row each, with its weight.

        It holds what `accumulate` keeps of these annotations: all that coefficients, standard
        errors and the bootstrap of items need. The names and texts of items are let go.

        Returns
        -------
        pyarrow.Table
            Labels and coders are lists of numbers; their names are in the metadata of the schema,
            as are the marginals of ``accumulate(keep_coders=False)``.

        Raises
        ------
        ValueError
            A category or coder that is no text, number, date, nor a tuple or frozenset of these;
            pyarrow is not installed.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([["x", "x"], ["x", "y"], ["x", "x"]])
        >>> data.patterns_to_arrow().to_pylist()[0]
        {'weight': 2, 'labels': [0, 0], 'coders': [0, 1]}
        """
        from agreement_fast.stored_pieces import to_table

        return to_table(add_up([piece_of(self.known_parts())]))

    def write_patterns(self, path: str | Path) -> None:
        """Write the patterns to a file: see `patterns_to_arrow`, and `read_patterns`.

        Parameters
        ----------
        path : str or Path
            Ends in ".parquet" or ".arrow".

        Examples
        --------
        >>> import agreement_fast as af, tempfile
        >>> monday = af.Annotations.from_wide([["x", "x"], ["x", "y"]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     monday.write_patterns(f"{folder}/monday.parquet")
        ...     af.Annotations.read_patterns(f"{folder}/monday.parquet")
        Annotations(2 items, 2 coders, 4 judgments, 2 categories: 'x', 'y')
        """
        from agreement_fast.stored_pieces import write_piece

        write_piece(add_up([piece_of(self.known_parts())]), path)

    # ------------------------------------------------------------------ selection

    def select(
        self, coders: Iterable[Any] | None = None, items: Iterable[Any] | None = None
    ) -> Annotations:
        """The judgments of some coders, of some items, or both, in the order given.

        Categories that no longer occur are dropped unless they were declared.

        Parameters
        ----------
        coders, items : iterables of names, optional
            None keeps all.

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
        if self.kept_marginals is not None:
            self.known_coders("select()")
        rows = self.rows
        names: Sequence[Any] | None = self._coders
        row_names: Any = self._items
        along = self._along
        if items is not None:
            picked = name_places(self._items, items, "item")
            along = {name: [said[i] for i in picked.tolist()] for name, said in along.items()}
            rows = take_rows(rows, picked)
            row_names = [self._items[i] for i in picked.tolist()]
        if coders is not None:
            known = self.known_coders("select(coders=...)")
            places = name_places(known, coders, "coder")
            rows = take_coders(rows, places, len(known))
            names = [known[i] for i in places.tolist()]
        chosen = _with_used_categories(
            rows, self.categories, self._declared, row_names, names, self.left_out
        ).with_texts(self._texts)
        chosen._along = along
        chosen.gathered, chosen.unnamed = self.gathered, self.unnamed
        return chosen

    def with_texts(self, texts: Mapping[Any, str]) -> Annotations:
        """The same judgments, with the texts (or links) of items.

        Parameters
        ----------
        texts : mapping item -> str
            What lists of disputed items show beside the names; items may be absent.

        Notes
        -----
        Nothing is copied.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_long(["t1", "t1"], ["A", "B"], ["pro", "con"])
        >>> data.with_texts({"t1": "Yes, but no."}).texts["t1"]
        'Yes, but no.'
        """
        if not isinstance(texts, Mapping):
            raise InputTypeError.must_be("texts", "a mapping of items to texts", texts)
        other = copy.copy(self)
        other._texts = dict(texts)
        return other

    def with_judgments(
        self,
        items: Any,
        coders: Any,
        labels: Any,
        *,
        missing: Any = None,
        duplicates: str = "error",
        set_separator: str | None = None,
    ) -> Annotations:
        """The same judgments and more, of items that are there already or new ones.

        Items and coders are matched by name. The result is what `from_long` makes of all judgments
        at once: new items follow the old ones, coders and undeclared categories are sorted.

        Parameters
        ----------
        items, coders, labels, missing, set_separator :
            As in `from_long`; labels must be declared if the categories were.
        duplicates : {"error", "first", "last"}
            What happens where a coder judged an item more than once, here or before: "first" and
            "last" keep one judgment, and those that are there come before the new ones.

        Raises
        ------
        ValueError
            Repeated judgments, labels outside the declared categories, and what `from_long`
            refuses; annotations that do not know their items or coders, as those of `accumulate`,
            `from_counts`, `from_contingency` and lazy frames.

        Notes
        -----
        O(old + new judgments). New items weigh 1, and what was read `along` is None for them.

        Examples
        --------
        >>> import agreement_fast as af
        >>> monday = af.Annotations.from_long([7, 8], ["Ann", "Ann"], ["yes", "no"])
        >>> tuesday = monday.with_judgments([7, 9], ["Bea", "Bea"], ["yes", "no"])
        >>> tuesday
        Annotations(3 items, 2 coders, 4 judgments, 2 categories: 'no', 'yes')
        """
        known = self.known_coders("with_judgments()")
        if self.unnamed:
            raise InputError(
                "with_judgments() needs the items' names, which accumulate(), stored patterns, "
                "contingency tables and lazy frames let go",
                "add judgments to open items first, and accumulate items when they are complete",
            )
        old = self.known_parts()
        old.update(Parts(items=self._items, coders=known, rows=self.rows, weights=self._weights))
        both = read_more(
            old,
            items,
            coders,
            labels,
            missing=missing,
            duplicates=duplicates,
            set_separator=set_separator,
        )
        more = [None] * (len(both["items"]) - self.n_rows)
        both["along"] = {name: [*said, *more] for name, said in self._along.items()}
        return Annotations.assemble(**both).with_texts(self._texts)

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
        unknown = [old for old in mapping if old not in self.categories]
        if unknown:
            raise InputError(
                f"{unknown[0]!r} is not a category; the categories are {shorten(self.categories)}",
                argument="mapping",
            )
        merged = [mapping.get(old, old) for old in self.categories]
        distinct = list(dict.fromkeys(merged))
        if not self._declared:
            distinct = [distinct[i] for i in labels.arrange(distinct)]
        code = {label: i for i, label in enumerate(distinct)}
        new_codes = np.array([code[label] for label in merged] + [-1])
        marginals = None
        if self._coders is None or self.kept_marginals is not None:
            table = np.zeros((self.n_rows, len(distinct)), np.int64)
            np.add.at(table.T, new_codes[:-1], self.to_counts().values.T)
            rows = count_rows(table, self._weights)
            if self.kept_marginals is not None:
                marginals = {}
                for least, counts in self.kept_marginals.items():
                    marginals[least] = np.zeros((len(counts), len(distinct)), np.int64)
                    np.add.at(marginals[least].T, new_codes[:-1], counts.T)
        else:
            old = self.rows
            codes = new_codes.astype(narrow(len(distinct)))[old.codes]
            rows = Rows(codes, old.width, old.start, old.coders, None, old.weights)
        return Annotations.assemble(
            categories=tuple(distinct),
            declared=self._declared,
            items=self._items,
            coders=self._coders,
            rows=rows,
            marginals=marginals,
            weights=self._weights,
            missing=self._missing,
            left_out=self.left_out,
            texts=self._texts,
            along=self._along,
            gathered=self.gathered,
            unnamed=self.unnamed,
        )


def as_annotations(data: Any, **names: Unpack[ColumnNames]) -> Annotations:
    """Annotations as they are; anything else as the table that it is.

    A table of one judgment a row is known by the names of its columns, which `names` may give.
    Anything else is read as `Annotations.from_wide` reads it.
    """
    if isinstance(data, Annotations) and not names:
        return data
    # The caller keeps the table alive and unchanged for the length of one call: no copy.
    kind = type(data)
    plain = kind is np.ndarray or (kind is list and data and type(data[0]) in ROWS)
    if plain and not names:
        return Annotations.assemble(**read_wide(data, named=False, copy=False))
    data = frames.opened(data)
    keys: Any = names.get("item")
    if keys is not None and not isinstance(keys, str):
        return Annotations.from_frame(data, **names)
    if frames.is_lazy(data):
        judged = judgments_in_first_rows(first_rows(data), names)
        if judged is not None:
            return Annotations.from_frame(
                data, item=judged.item, coder=judged.coder, label=judged.label
            )
        return Annotations.from_wide(data, items=names.get("item"))
    columns = named_columns(data)
    if columns is None and names:
        raise InputTypeError(
            f"{', '.join(names)}: columns are named of a data frame or a list of dicts, not of "
            f"{type(data).__name__}"
        )
    if columns is not None:
        every = {**frames.index_columns(data), **columns}
        found = find_judgments(every, names)
        if found is not None:
            item, coder, label = (every[name] for name in found)
            try:
                return Annotations.assemble(**read_long(item, coder, label))
            except ValueError as error:
                error.add_note(
                    "The table was read as one judgment a row: Annotations.from_frame(frame, "
                    f"item={found.item!r}, coder={found.coder!r}, label={found.label!r}) takes "
                    "more, such as duplicates= and categories="
                )
                raise
    return Annotations.assemble(
        **read_wide(data, items=names.get("item"), columns=columns, copy=False)
    )


def of_two_coders(first: Any, second: Any) -> Annotations:
    """The labels of two coders, who are called 0 and 1; Series are matched by their index."""
    one, other, items = two_columns(first, second)
    return Annotations.assemble(
        **read_wide(first, items=items, coders=range(2), columns={0: one, 1: other}, copy=False)
    )


# ---------------------------------------------------------------------- selection


def _with_used_categories(
    rows: Rows,
    categories: Categories,
    declared: bool,
    items: Any,
    coders: Sequence[Any] | None,
    left_out: LeftOut,
) -> Annotations:
    if not declared:
        used = used_labels(rows, len(categories))
        if used is not None:
            lookup = np.full(len(categories) + 1, -1, narrow(len(used)))
            lookup[used] = np.arange(len(used))
            rows = Rows(
                lookup[rows.codes], rows.width, rows.start, rows.coders, rows.repeats, rows.weights
            )
            categories = tuple(categories[i] for i in used.tolist())
    return Annotations.assemble(
        categories=categories,
        declared=declared,
        items=items,
        coders=coders,
        rows=rows,
        weights=rows.weights,
        left_out=left_out,
    )


# ---------------------------------------------------------------------- small helpers


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
