"""The judgments of coders: construction, validation, and tables to look at."""

from __future__ import annotations

import copy
import operator
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeAlias, Unpack, cast

import numpy as np

from agreement_fast._kernels._looks import count_plain
from agreement_fast._kernels._sums import BySize
from agreement_fast._kernels.arrays import Array
from agreement_fast.distances import resolve
from agreement_fast.distances.forms import DistanceLike, table_of
from agreement_fast.errors import (
    Argument,
    InputError,
    InputTypeError,
    LabelHint,
    NotKeptError,
    ReadHint,
    Sentence,
    hint,
)
from agreement_fast.options import (
    LAYOUTS,
    READING,
    SHARED,
    ByName,
    Column,
    Duplicates,
    Label,
    Layout,
    Names,
    Numbers,
    PerItem,
    answering,
    as_typed,
    check_choice,
)
from agreement_fast.patterns import (
    CountTable,
    Rows,
    as_table,
    check_total,
    coincidences_of,
    count_coders,
    count_rows,
    dense,
    group_rows,
    narrow,
    pair_table,
    pair_tables,
    row_of,
    take_coders,
    take_rows,
    used_labels,
)
from agreement_fast.points import Answering, is_known
from agreement_fast.present.tables import Matrix, Tabular, unlike
from agreement_fast.present.terminal import letters, shorten, spell_label
from agreement_fast.reading import frames, labels
from agreement_fast.reading.counts import read_contingency, read_counts
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.kept_moments import KeptMoments
from agreement_fast.reading.labels import (
    Categories,
    Labels,
    Raw,
    count_numbers,
)
from agreement_fast.reading.long import (
    are_triples,
    judgment_columns,
    judgments_in_notebook,
    read_long,
    read_triples,
)
from agreement_fast.reading.looks import table_of_columns
from agreement_fast.reading.parts import (
    USUAL,
    WAYS,
    Gathered,
    LeftOut,
    Options,
    Parts,
    written_rows,
)
from agreement_fast.reading.pieces import add_up, parts_of, piece_of, read_more
from agreement_fast.reading.recognition.labels import (
    DOUBTFUL_BITS,
    hint_at_labels,
    some_may_spell,
)
from agreement_fast.reading.recognition.profile import Table
from agreement_fast.reading.recognition.read import (
    NOTHING,
    Origin,
    Read,
    Recognition,
    long_by_roles,
)
from agreement_fast.reading.recognition.recognise import (
    Named,
    Recognised,
    doubt_two_coders,
    hint_at_doubts,
    may_be_written_apart,
    no_labels_below,
    recognise_long,
    refuse_merged,
    refuse_others,
    restarted,
    with_part,
)
from agreement_fast.reading.recognition.recognise import ReadingOptions as ReadingOptions
from agreement_fast.reading.recognition.rows import NO_WORDS
from agreement_fast.reading.recognition.wording import PYTHON
from agreement_fast.reading.repeats import joined_key, labels_of_items, policy_of
from agreement_fast.reading.set_labels import from_indicators, from_masks
from agreement_fast.reading.tables import (
    ROWS,
    column_length,
    n_rows_of,
    name_place,
    name_places,
    named_columns,
    refuse_unknown,
    take_weights,
    two_columns,
)
from agreement_fast.reading.wide import WIDE, read_named_wide, read_wide


class Frame(Protocol):
    """A data frame, also a lazy one: of pandas, polars, pyarrow, DuckDB, Spark, Dask or Ibis."""

    @property
    def columns(self) -> Any: ...


#: Shared and never changed.
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
        The names of the columns, and the labels that the codes stand for.
    """

    _caption = "{weights:pattern} of {_counted:item}, {coders:coder}"

    @property
    def _counted(self) -> int:
        return int(self.weights.sum())

    codes: Array
    weights: Array
    coders: tuple[Any, ...]
    categories: Categories

    def __iter__(self) -> Iterator[Array]:
        return iter((self.codes, self.weights))

    def __len__(self) -> int:
        return len(self.weights)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a row for each pattern: each coder's label, and how many items have it."""
        names = unlike("n_items", map(spell_label, self.coders))
        labels = _label_array(self.categories)[self.codes].T
        return {**dict(zip(names, labels, strict=True)), "n_items": self.weights}


def kept(name: str, doc: str) -> Any:
    """Make a read-only property of an attribute."""
    return property(operator.attrgetter(name), doc=doc)


class Annotations(Tabular, metaclass=Answering):
    """The judgments of some coders on some items. Immutable.

    Make one with `from_wide`, `from_long`, `from_frame`, `from_triples`, `from_counts`,
    `from_contingency` or `concat`. Judgments are stored as small integers grouped by item: as a
    table if most cells are filled, else as lists. A million items and ten thousand coders with five
    judgments an item take about 35 MB.

    None, NaN, NaT, pandas' NA, masked entries and the values in `missing` are missing judgments. An
    empty string is a label, and so is -1. By default, the categories are the labels that occur,
    sorted if they can be, else in order of first appearance. Declared categories keep their order,
    used or not. 1, 1.0 and True are one category; "1" is another.

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
    _coders: Sequence[Any] | None
    _declared: bool
    _items: Any
    _missing: int | None
    _n_coders: int | None
    _n_items: int
    _n_rows: int
    _raw: Raw | None
    _read: Recognition
    _texts: Mapping[Any, str]
    _weights: Array | None

    # These attributes, `assemble`, `grouped` and `known_coders` are for the package.
    #: The categories; an array if they are many numbers. Computed on first use.
    labels: Labels
    #: The judgments in the order of the items. Written out on first use.
    rows: Rows
    #: The patterns, if reading the data produced them; otherwise None.
    known_patterns: Rows | None
    #: Counts of the repeated judgments that reading left out.
    left_out: LeftOut
    #: The counts of categories, if reading the data produced no patterns of them; otherwise None.
    count_table: CountTable | None
    #: How often each coder used each category, by the least number of judgments of an item. Kept if
    #: the rows are counts, which do not hold who said what; otherwise None.
    kept_marginals: dict[int, Array] | None
    #: Sums over items of numbers, if only these were read; otherwise None.
    kept_moments: KeptMoments | None
    #: The hashes of names of items that are not kept.
    hashes: Array | None
    #: How an engine was queried, if the judgments come from one; otherwise None.
    gathered: Gathered | None
    #: A cache of what later steps computed from these judgments.
    memo: dict[Any, Any]
    #: Numeric labels, with NaN for missing, whose distinct values are not enumerated yet; or None.
    numbers: Array | None
    #: Whether the labels are numeric and their distinct values have not been enumerated yet.
    uncounted: bool
    #: What results keep of these annotations. Made on first use.
    origin: Origin
    #: Whether a row stands for several equal items, which have no names.
    unnamed: bool

    __slots__ = ("__weakref__", *__annotations__)

    def __init__(self, *data: object, **options: object) -> None:
        raise InputTypeError(
            "make Annotations with from_wide, from_long, from_frame, from_triples, from_counts, "
            "from_contingency or concat",
            "of a data frame, af.Annotations.from_frame(frame); of rows (coder, item, label), "
            "af.Annotations.from_triples(rows); functions such as af.alpha take tables, too",
        )

    def with_rows(self, rows: Rows, **parts: object) -> Annotations:
        """Return other judgments in the same categories, by the same coders. For the package."""
        same: dict[str, Any] = {
            "categories": self.categories,
            "declared": self.declared,
            "items": range(rows.n_rows),
            "coders": self.coders,
            "rows": rows,
            "weights": rows.weights,
        }
        return Annotations.assemble(**(same | parts))

    def judgments(self, most_bytes: int, *, copy: bool) -> Annotations | None:
        """Return the judgments without the names of items, or None if they take more memory.

        For the package. With `copy`, they are in memory of their own.
        """
        if self.kept_moments is not None:
            return self
        parts: Parts = {"items": (), "coders": self._coders, "declared": self.declared}
        if self.uncounted and self.numbers is not None:
            if self.numbers.nbytes > most_bytes:
                return None
            parts["numbers"] = self.numbers.copy() if copy else self.numbers
            parts["weights"], parts["items"] = self._weights, range(len(self.numbers))
            return Annotations.assemble(**parts)
        if self.count_table is not None and self.count_table.cells.nbytes > most_bytes:
            return None
        rows = self.grouped()
        arrays = (rows.codes, rows.start, rows.coders, rows.repeats, rows.weights)
        if sum(array.nbytes for array in arrays if array is not None) > most_bytes:
            return None
        if copy:
            rows = rows.replace(codes=rows.codes.copy())
        if self.known_patterns is not None:
            parts["patterns"] = rows
        parts["categories"], parts["marginals"] = cast(Any, self.labels), self.kept_marginals
        parts["rows"], parts["weights"] = rows, rows.weights
        parts["items"], parts["unnamed"] = range(rows.n_rows), True
        return Annotations.assemble(**parts)

    @classmethod
    def assemble(cls, **parts: Unpack[Parts]) -> Annotations:
        """Make annotations from their parts. For the package."""
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
        self.hashes = parts.get("hashes")
        self.memo = {}
        self._raw = parts.get("raw")
        self._texts = parts.get("texts", _NO_TEXTS)
        self._along = parts.get("along", _NOTHING)
        self.gathered = parts.get("gathered")
        self.unnamed = parts.get("unnamed", False)
        self.count_table = parts.get("counts")
        self._declared = parts.get("declared", False)
        self._read = parts.get("read") or NOTHING
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
        """Enumerate the labels, write out the rows, or make the origin of results on first use."""
        if name == "origin":
            repeated, _, once, _ = self.left_out
            of_numbers = self.numbers is not None or self.kept_moments is not None
            if not of_numbers:
                of_numbers = len(self.labels) > 2 and labels.are_numbers(self.labels)
            self.origin = Origin(
                self._read, self._coders, self._n_items, repeated, once, of_numbers
            )
            return self.origin
        if name == "labels" and self.numbers is not None:
            codes, result = count_numbers(self.numbers)
            hint_at_labels(result)
            # in this order: a thread that finds `labels` must find `rows`
            self.rows = as_table(codes, self._weights)
            self.labels = result
            self.uncounted = False
            return result
        if name in ("labels", "rows", "categories") and self.kept_moments is not None:
            raise NotKeptError(
                (
                    "these annotations are sums of numbers (",
                    Argument("way", "moments"),
                    "): they give coefficients under the interval distance, and standard errors "
                    "of those that do not depend on single coders, and nothing else",
                ),
                ("pass ", Argument("way", "patterns", "partitions"), ", which keep the judgments"),
            )
        if name == "rows":
            rows = written_rows(len(self.labels), self._weights, self._raw, self.count_table)
            if rows is not None:
                # in this order: a thread that finds no `_raw` must find `rows`
                self.rows = rows
                self._raw = None
            return object.__getattribute__(self, "rows")
        text = f"{type(self).__name__!r} object has no attribute {name!r}{self._advice(name)}"
        raise AttributeError(text, name=name, obj=self)

    def _advice(self, name: str) -> str:
        """Say which function computes a coefficient of these judgments."""
        known = not name.startswith("_") and is_known(name)
        return f": write af.agreement(data, {name!r})" if known else Tabular._advice(self, name)

    # ------------------------------------------------------------------ construction

    @staticmethod
    def from_wide(
        table: JudgmentsLike,
        *,
        missing: Names | None = None,
        categories: Iterable[Label] | None = None,
        items: Sequence[Label] | None = None,
        coders: Sequence[Label] | None = None,
        weights: Column | None = None,
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
            engine counts equal rows. Then `items`, `weights` and `coders` are names of columns; by
            default, the coders are the columns that look like coders in the first 1,000 rows.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", besides None, NaN, NaT, NA and masked entries.
        categories : sequence of labels, optional
            All categories in their order, used or not. By default those that occur.
        items, coders : sequences of labels, optional
            Names of items and coders. By default the data frame's index (pandas) and column names,
            else 0, 1, 2, ... `items` may be the name of a column. By default, a column with a usual
            name such as "item" or "id" names the items if its values are distinct.
        weights : mapping item -> int, or sequence of int of shape (N,), optional
            How many items each row stands for, 0 to 10¹⁵. Rows are not repeated in memory. The
            index of a pandas Series names the items; items that a mapping does not name weigh 1.
        set_separator : str, optional
            The separator of elements if labels are sets, such as "|" in "noun|verb". Blanks around
            elements are ignored, and empty text is the empty set.
            Sets and lists are read as sets, see `agreement_fast.distances`.
        copy : bool, default True
            If False, a numpy array may be used without copying; it must not be modified
            afterwards. For tables that fill much of the memory.

        Returns
        -------
        Annotations
            The judgments, with an item for each row and a coder for each column.

        Raises
        ------
        ValueError
            If a label is not among the declared categories, rows differ in length, or names or
            weights do not fit the table.
        TypeError
            If a label is not hashable, or the table is not two-dimensional.

        Warns
        -----
        ShapeHint
            If there are more columns than rows, and no names show that the columns are coders.

        Notes
        -----
        O(N · C). An array of small integers is read once.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_wide([[1, 1], [2, None], [2, 1]])
        Annotations(3 items, 2 coders, 5 judgments, 2 categories: 1, 2)
        """
        options = Options(missing, categories, set_separator=set_separator)
        if frames.is_lazy(table):
            from agreement_fast.reading.engines.read import read_lazy_wide

            result = read_lazy_wide(table, options, items=items, coders=coders, weights=weights)
            return _of_engine(result)
        return Annotations.assemble(
            **read_wide(table, options, items=items, coders=coders, weights=weights, copy=copy)
        )

    @staticmethod
    def from_long(
        items: Column,
        coders: Column,
        labels: Column,
        *,
        missing: Names | None = None,
        categories: Iterable[Label] | None = None,
        duplicates: Duplicates = "error",
        repeats_of: Label | None = None,
        weights: Column | None = None,
        set_separator: str | None = None,
    ) -> Annotations:
        """Read one judgment per row: three columns of equal length.

        Parameters
        ----------
        items, coders, labels : array-like of shape (n,)
            Arrays, lists, or columns of a data frame. A missing label leaves its item and coder in
            the data, without that judgment.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", besides None, NaN, NaT, NA and masked entries.
        categories : sequence of labels, optional
            All categories in their order, used or not. By default those that occur.
        duplicates : {"error", "first", "last", "majority", "set"}, default "error"
            What to do if a coder judged an item more than once:

            - "error" raises an error that names the first few.
            - "first" and "last" keep one judgment, in the order of the rows.
            - "majority" takes the label that the coder gave the item most often. If several labels
              are equally frequent, the judgment is missing and counted in ``duplicates_tied``.
            - "set" takes the set of all labels that the coder gave the item. All labels become
              sets, including those given once; a label that is a set contributes its elements, and
              `categories` declares elements. Use a distance between sets, such as "masi".

            Missing labels are ignored. Under every policy, ``duplicates_dropped`` counts m − 1 for
            m judgments of an item by the same coder, so the labels read are those kept, those
            dropped and those missing. A label that occurs only in dropped or tied judgments is not
            a category unless it is declared.
        repeats_of : coder, optional
            Compare only this coder's repeated judgments with each other (intra-coder agreement).
            The coders are then named "first", "second", "third", ..., and hold the coder's first,
            second and third judgment of each item, in the order of the rows; missing labels are
            skipped. Items that the coder judged less than twice are left out, and
            ``items_judged_once`` counts those judged once. Only judgments that are compared must
            fit `categories` and `weights`.
        weights : mapping item -> int, or array-like of shape (n,), optional
            How many items each item stands for. An array must be constant within an item. Items
            that a mapping does not name weigh 1. The index of a pandas Series is that of the other
            columns, or names the items.
        set_separator : str, optional
            The separator of elements if labels are sets, such as "|" in "noun|verb". Blanks around
            elements are ignored, and empty text is the empty set.

        Returns
        -------
        Annotations
            The judgments, with items in order of first appearance and coders sorted.

        Raises
        ------
        ValueError
            If columns differ in length, a judgment has no item or coder, a coder judged an item
            twice and `duplicates` is "error", a label is not among the declared categories, or the
            coder in `repeats_of` does not occur or judged no item twice.

        Notes
        -----
        O(n), by counting sorts.

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
        options = Options(missing, categories, duplicates, repeats_of, set_separator)
        return Annotations.assemble(**read_long(items, coders, labels, options, weights=weights))

    @staticmethod
    def from_frame(
        frame: Frame,
        *,
        item: str | Sequence[str] | None = None,
        coder: str | None = None,
        label: str | None = None,
        missing: Names | None = None,
        categories: Iterable[Label] | None = None,
        duplicates: Duplicates = "error",
        repeats_of: Label | None = None,
        weights: str | None = None,
        set_separator: str | None = None,
        order: str | None = None,
        along: str | Sequence[str] = (),
        way: Literal["auto", "patterns", "counts", "moments", "partitions"] = "auto",
    ) -> Annotations:
        """Read one judgment per row from a data frame, or from an engine that holds it.

        Parameters
        ----------
        frame : data frame or lazy frame
            A frame of pandas, polars, pyarrow or any other library that narwhals knows, or an
            object with an Arrow stream. A lazy frame (DuckDB's relations, polars, Spark, Dask,
            Ibis) is not collected: its engine groups the judgments and returns the distinct rows.
        item : str or sequence of str, optional
            The column of items. Several columns together name an item, as a tuple.
        coder, label : str, optional
            The columns of coders and labels. By default, each is the only column with a usual name.
            If `label` is an ordered categorical (pandas, Arrow) or an Enum (polars), it declares
            the categories and their order.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", besides None, NaN, NaT, NA and masked entries.
        categories : sequence of labels, optional
            All categories in their order, used or not. By default those that occur.
        duplicates : {"error", "first", "last", "majority", "set"}, default "error"
            What to do if a coder judged an item more than once: raise an error, keep the first or
            the last judgment, take the most frequent label (missing if there is a tie), or take the
            set of all labels. See `from_long`.
        repeats_of : coder, optional
            Compare only this coder's repeated judgments with each other, as if they were coders
            named "first", "second", and so on. See `from_long`.
        weights : str, optional
            The column that says how many items each item stands for.
        set_separator : str, optional
            The separator of elements if labels are sets, such as "|" in "noun|verb". Blanks around
            elements are ignored, and empty text is the empty set.
        order : str, optional
            The column that says which judgment came first, for `duplicates` and `repeats_of`. The
            rows of a lazy frame have no order, so "first", "last" and `repeats_of` need it. Equal
            values for different labels of the same coder and item are an error.
        along : str or sequence of str, default ()
            Columns that describe items, such as their document. They must be constant within an
            item. ``data.along`` holds them, for ``bootstrap(cluster=...)``.
        way : {"auto", "patterns", "counts", "moments", "partitions"}, default "auto"
            How to query a lazy frame (docs/engines.md). "patterns" makes a column for each coder;
            the result can do everything. "counts" drops who said what about an item, as
            ``concat(keep_items=False, keep_coders=False)`` does. "moments" only sums numbers: that
            suffices for coefficients under the interval distance and their standard errors, for any
            number of distinct values. Its sums of floats depend on the order of the rows, by up to
            1e-12 of the spread of the numbers. "partitions" reads the rows here, some at a time.
            "auto" takes the first way that returns few rows, and never "moments". ``data.gathered``
            says which one was taken. A frame in memory allows "auto" only.

        Returns
        -------
        Annotations
            The judgments. Items of a lazy frame have no names: a row stands for all equal items.

        Raises
        ------
        ValueError
            If a column does not exist or cannot be guessed, or if `from_long` would raise.

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
            raise InputError((Argument("item"), " is empty"), "name one column or several")
        if beside and repeats_of is not None:
            raise InputError(
                (Argument("along"), " and ", Argument("repeats_of"), " exclude each other")
            )
        check_choice("way", way, WAYS)
        options = Options(missing, categories, duplicates, repeats_of, set_separator, order)
        frame = frames.opened(frame)
        if frames.is_lazy(frame):
            from agreement_fast.reading.engines.read import read_lazy

            result = read_lazy(
                frame,
                options,
                item=item,
                coder=coder,
                label=label,
                weights=weights,
                along=beside,
                way=way,
            )
            return _of_engine(result, beside)
        if way != "auto":
            raise InputError(
                (Argument("way", way), " is for lazy frames, but this frame is in memory"),
                ("leave out ", Argument("way")),
            )
        columns = None if frames.is_frame(frame) else named_columns(frame)
        frame = frames.with_index(frame) if columns is None else frames.NamedColumns(columns)
        if order is not None:
            frame, times = frames.in_order(frame, order)
            options = options._replace(times=times)
        roles = frames.judgment_roles(frame, item=keys[0], coder=coder, label=label)
        recognition = long_by_roles(roles, item=keys[0], coder=coder, label=label)

        def looked() -> Table:
            every = columns or named_columns(frame) or {}
            return table_of_columns(every, n_rows_of(frame, every), options.absent())

        taken = (weights, order, *beside)
        if label is None and len(keys) == 1:
            refuse_others(looked(), **roles, taken=taken)
        if item is None:
            hint_at_doubts(restarted(looked(), **roles, taken=taken))
        keys = (roles["item"], *keys[1:])
        coders, labels, frequencies = frames.pick(
            frame, coder=roles["coder"], label=roles["label"], weights=weights
        )
        try:
            names = joined_key([frames.pick(frame, item=name)[0] for name in keys])
            parts = read_long(names, coders, labels, options, weights=frequencies)
        except InputError as error:
            refuse_merged(looked(), (*keys, roles["coder"]), PYTHON)
            if len(keys) > 1:
                raise
            raise with_part(error, looked(), **roles, taken=(weights,)) from error.__cause__
        parts["read"] = recognition
        parts["along"] = {
            name: labels_of_items(names, frames.pick(frame, along=name)[0], name) for name in beside
        }
        return Annotations.assemble(**parts)

    @staticmethod
    def from_triples(
        triples: Iterable[Triple],
        *,
        missing: Names | None = None,
        categories: Iterable[Label] | None = None,
        duplicates: Duplicates = "error",
        repeats_of: Label | None = None,
        weights: Column | None = None,
        set_separator: str | None = None,
        order: Sequence[str] | None = None,
    ) -> Annotations:
        """Read (coder, item, label) triples, as NLTK's AnnotationTask takes them.

        Parameters
        ----------
        triples : iterable of (coder, item, label)
            One judgment each.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", besides None, NaN, NaT, NA and masked entries.
        categories : sequence of labels, optional
            All categories in their order, used or not. By default those that occur.
        duplicates : {"error", "first", "last", "majority", "set"}, default "error"
            What to do if a coder judged an item more than once: raise an error, keep the first or
            the last judgment, take the most frequent label (missing if there is a tie), or take the
            set of all labels. See `from_long`.
        repeats_of : coder, optional
            Compare only this coder's repeated judgments with each other, as if they were coders
            named "first", "second", and so on. See `from_long`.
        weights : mapping item -> int, or array-like of shape (n,), optional
            How many items each item stands for. An array must be constant within an item. Items
            that a mapping does not name weigh 1.
        set_separator : str, optional
            The separator of elements if labels are sets, such as "|" in "noun|verb". Blanks around
            elements are ignored, and empty text is the empty set.
        order : sequence of "coder", "item" and "label", optional
            The order of a triple. By default (coder, item, label), unless the values show that
            another order is meant, which is an error.

        Returns
        -------
        Annotations
            The judgments, with items in order of first appearance and coders sorted.

        Raises
        ------
        ValueError
            If an element is not a triple, if the triples are in another order, or if `from_long`
            would raise.

        Warns
        -----
        ShapeHint
            If there are more coders than items, but neither their names nor their numbers show
            that they are exchanged.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_triples([("c1", "i1", "x"), ("c2", "i1", "y")])
        Annotations(1 item, 2 coders, 2 judgments, 2 categories: 'x', 'y')
        """
        options = Options(missing, categories, duplicates, repeats_of, set_separator)
        return Annotations.assemble(**read_triples(triples, order, options, weights))

    @staticmethod
    def from_counts(
        counts: Numbers,
        *,
        categories: Iterable[Label] | None = None,
        items: str | Sequence[Label] | None = None,
        weights: Column | None = None,
        coder_counts: Numbers | None = None,
        single_counts: Numbers | None = None,
        coders: Sequence[Label] | None = None,
    ) -> Annotations:
        """Read a table of counts: how many coders gave each item each category.

        Counts do not hold who said what. κ and β need `coder_counts`. Contingency tables, and
        everything else that needs the labels of single coders, raise an error.

        Parameters
        ----------
        counts : array-like of int of shape (N, K), or data frame
            Counts n_ik, 0 or more. The columns are categories. A column and a last row of totals
            are left out if their names and their numbers show them.
        categories : sequence of K labels, optional
            The names of the categories. By default 0 .. K - 1, or the column names. Columns of
            zeros count as categories. If they are names of columns, they choose these.
        items : sequence of N labels, or str, optional
            Names of the items, or of the column that holds these. By default a first column of
            texts or of a usual name, then the data frame's index (pandas), else 0, 1, 2, ...
        weights : mapping item -> int, or sequence of int of shape (N,), optional
            How many items each row stands for. Items that a mapping does not name weigh 1.
        coder_counts : array-like of int of shape (C, K), or data frame, optional
            Counts n_ck: how often each coder used each category, weights applied, as returned by
            `coder_marginals`. Named columns may be in any order.
        single_counts : array-like of int of shape (C, K), or data frame, optional
            The part of `coder_counts` from items with one judgment. Needed if there are such items.
        coders : sequence of C names, optional
            Names of the coders. By default those of the rows of `coder_counts`, or 0 .. C - 1.

        Returns
        -------
        Annotations
            The counts as annotations.

        Raises
        ------
        ValueError
            If a count is negative or not a whole number, if the sums of `coder_counts` differ
            from those of `counts`, or if only the name or only the numbers of a row or column are
            those of totals.

        Warns
        -----
        ReadHint
            If totals are left out, unless `categories` or `items` say so.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_counts([[3, 0], [1, 2]], categories=["yes", "no"])
        Annotations(2 items, coders unknown, 6 judgments, 2 categories: 'yes', 'no')

        Two coders judged three items; the first said yes to all, the second to two:

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
        table: JudgmentsLike,
        *,
        categories: Iterable[Label] | None = None,
        coders: Sequence[Label] | None = None,
        n_items: int | None = None,
    ) -> Annotations:
        """Read the contingency table of two coders: a K × K table of counts of items.

        Parameters
        ----------
        table : array-like of int of shape (K, K), data frame, or mapping of mappings
            Cell (j, l): how many items the first coder put in j and the second in l. If rows and
            columns have names, as in pandas.crosstab, they are matched by these, and a label that
            only one of the coders used has zeros. The first column may hold the names of the rows.
            Margins are left out if their names and their numbers show them.
        categories : sequence of K labels, optional
            The names of the categories, and their order. By default 0 .. K - 1, or the names of
            rows and columns, sorted if these are in different orders.
        coders : sequence of 2 labels, optional
            The coder of the rows and the coder of the columns. By default 0 and 1.
        n_items : int, optional
            The number of items, if the cells are proportions. These must add up to 1, and each must
            stand for a whole number of items.

        Returns
        -------
        Annotations
            The judgments, with a row for each cell that is not 0.

        Raises
        ------
        ValueError
            If the table is not square and its rows and columns have no names, if rows and columns
            have no name in common, if a cell is not a count, or if only the name or only the
            numbers of a row or column are those of margins.

        Warns
        -----
        ReadHint
            If margins are left out, unless `categories` say so.

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
    def from_indicators(
        table: JudgmentsLike,
        elements: Sequence[Hashable] | None = None,
        *,
        items: Column | None = None,
        coders: Column | None = None,
        n_coders: int | None = None,
        missing: Names | None = None,
        weights: Column | None = None,
    ) -> Annotations:
        """Read labels that are sets from columns of 0 and 1: element e is in the set if it is 1.

        Parameters
        ----------
        table : array of 0 and 1 of shape (N, C, E) or (n, E), also scipy's sparse ones, or frame
            Items × coders × elements, or one row for each judgment. A row of NaN or of masked
            entries is missing.
        elements : sequence of E labels, optional
            The names of the columns; by default a data frame's column names, or 0, 1, 2, ...
        items, coders : sequence, optional
            The names of the items and of the coders; for a row for each judgment, the item and the
            coder of each row.
        n_coders : int, optional
            The number of coders, if the rows of a two-dimensional table are items × coders, with
            all coders of the first item first.
        missing : array of bool, of the table's shape without the elements, optional
            Whether each judgment is missing. Without it, a row of zeros is the empty set.
        weights : as of `from_wide` and `from_long`, optional

        Returns
        -------
        Annotations
            The judgments, with sets as labels.

        Raises
        ------
        ValueError
            If a value is not 0, 1 or NaN, a row is missing in part, or shapes do not fit.

        Notes
        -----
        The cost is O(table), or O(ones) for a sparse table.

        Examples
        --------
        >>> import agreement_fast as af
        >>> tensor = [[[1, 0], [1, 1]], [[0, 1], [0, 1]], [[0, 0], [0, 0]]]
        >>> data = af.Annotations.from_indicators(tensor, ["sport", "news"])
        >>> [sorted(label) for label in data.categories]
        [['sport'], ['news', 'sport'], ['news'], []]
        """
        sets = from_indicators(table, elements, n_coders=n_coders, missing=missing)
        return _of_sets(sets, items, coders, weights)

    @staticmethod
    def from_masks(
        masks: Column,
        elements: Sequence[Hashable] | None = None,
        *,
        items: Column | None = None,
        coders: Column | None = None,
        weights: Column | None = None,
    ) -> Annotations:
        """Read labels that are sets from bit masks: element e is in the set if bit e is set.

        Parameters
        ----------
        masks : array of integers of shape (N, C) or (n,), or either with an axis of words behind it
            Items × coders, or one mask for each judgment. More than 64 elements need ⌈E/64⌉ words
            of 64 bits, lowest first, on the last axis. Masked entries are missing. If a mask is one
            signed integer, -1 is missing (uint64 has all 64 bits).
        elements : sequence of E labels, optional
            The names of the bits, from the lowest; by default 0, 1, 2, ...
        items, coders : sequence, optional
            The names of the items and of the coders; for one mask for each judgment, the item and
            the coder of each.
        weights : as of `from_wide` and `from_long`, optional

        Returns
        -------
        Annotations
            The judgments, with sets as labels.

        Raises
        ------
        TypeError
            If the masks are not integers.
        ValueError
            If a bit has no element, or a mask is negative and not -1.

        Notes
        -----
        The cost is O(n), plus O(E) for each distinct set.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_masks([[1, 3], [2, 2], [3, -1]], ["noun", "verb"])
        >>> [sorted(label) for label in data.categories]
        [['noun'], ['verb'], ['noun', 'verb']]
        >>> round(af.alpha(data, "masi").value, 4)
        0.5
        """
        return _of_sets(from_masks(masks, elements), items, coders, weights)

    @staticmethod
    def from_patterns(table: Frame) -> Annotations:
        """Read patterns that `patterns_to_arrow` or the query of `patterns_sql` returned.

        The table may have been stored anywhere since. Everything is checked.

        Parameters
        ----------
        table : pyarrow.Table, or data frame
            The patterns; a data frame is the result of `patterns_sql`.

        Returns
        -------
        Annotations
            The judgments, with a nameless row for each pattern.

        Raises
        ------
        ValueError
            If the table does not hold patterns, was changed, or comes from a later version; or if
            pyarrow is not installed.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([["x", "x"], ["x", "y"], ["x", "x"]])
        >>> af.Annotations.from_patterns(data.patterns_to_arrow())
        Annotations(3 items, 2 coders, 6 judgments, 2 categories: 'x', 'y')
        """
        from agreement_fast.reading.engines.counts import result_of_sql
        from agreement_fast.reading.stored_pieces import from_table

        parts = result_of_sql(table)
        piece = from_table(table) if parts is None else add_up([piece_of(parts)])
        return Annotations.assemble(**parts_of(piece))

    @staticmethod
    def patterns_sql(
        frame: Frame,
        coders: Sequence[Label],
        dialect: str | None = None,
        *,
        item: str | Sequence[str] | None = None,
        coder: str | None = None,
        label: str | None = None,
        missing: Names | None = None,
    ) -> str:
        """Return the SQL that groups judgments in a database, whose result `from_patterns` reads.

        The database runs it, in a job of dbt or Airflow for instance, and only a row for each
        pattern leaves it.

        Parameters
        ----------
        frame : DuckDB relation, or table of Ibis
            The judgments, one a row; or only the description of their table:
            ``ibis.table({"item": "string", ...}, name="judgments")``. Nothing is read.
        coders : sequence
            The names of all coders, at most a few dozen: each becomes a column.
        dialect : str, optional
            Of the SQL that Ibis writes: "snowflake", "bigquery", "databricks", "postgres" and
            others. By default that of the table, or else of DuckDB.
        item, coder, label : str, optional
            The columns, by default those with usual names; several columns may name an item.
        missing : label or iterable of labels, optional
            Labels that stand for a missing judgment.

        Returns
        -------
        str
            A query. Its result has a column of labels for each coder, ``n_judgments`` of each item
            of a row, and ``n_items``, the number of items with these labels.

        Raises
        ------
        ValueError
            If the engine writes no SQL, or not that dialect; if coders have equal names.

        Examples
        --------
        >>> import duckdb
        >>> import agreement_fast as af
        >>> table = duckdb.sql(
        ...     "SELECT * FROM (VALUES (1, 'A', 'x'), (1, 'B', 'x'), (2, 'A', 'y'), (2, 'B', 'x'),"
        ...     " (3, 'A', 'x'), (3, 'B', 'x')) AS judgments(item, coder, label)"
        ... )
        >>> query = af.Annotations.patterns_sql(table, ["A", "B"])
        >>> data = af.Annotations.from_patterns(duckdb.sql(query).pl())
        >>> data
        Annotations(3 items, 2 coders, 6 judgments, 2 categories: 'x', 'y')
        >>> af.alpha(data) == af.alpha(table)
        True
        """
        from agreement_fast.reading.engines.counts import sql_of_patterns
        from agreement_fast.reading.engines.read import described

        table = described(frame, Options(missing=missing), item=item, coder=coder, label=label)
        return sql_of_patterns(table, list(coders), dialect)

    @staticmethod
    def read_patterns(path: str | Path) -> Annotations:
        """Read a file that `write_patterns` wrote.

        The result is what ``concat(keep_items=False)`` returns for the annotations that were
        written. Everything in the file is checked.

        Parameters
        ----------
        path : str or Path
            A file of Parquet or Arrow.

        Returns
        -------
        Annotations
            The judgments, with a nameless row for each pattern.

        Raises
        ------
        ValueError
            If the file does not hold patterns, was changed, or comes from a later version; or if
            pyarrow is not installed.
        OSError
            If the file cannot be opened.
        """
        from agreement_fast.reading.stored_pieces import read_piece

        return Annotations.assemble(**parts_of(read_piece(path)))

    # ------------------------------------------------------------------ what there is

    n_rows: int = kept("_n_rows", "Number of stored rows; an item of weight 3 is one row.")
    n_items: int = kept("_n_items", "Number of items, weights counted, with or without judgments.")
    n_coders: int | None = kept("_n_coders", "Number of coders; None if they are not known.")
    declared: bool = kept("_declared", "Whether the categories and their order were declared.")
    weights: Array | None = kept(
        "_weights", "How many items each stored row stands for, int64; None if all are 1."
    )
    duplicates_dropped: int = kept(
        "left_out.duplicates_dropped",
        "Number of judgments beyond the first of an item by a coder, under every policy.",
    )
    duplicates_tied: int = kept(
        "left_out.duplicates_tied",
        'Number of judgments that are missing because of a tie in ``duplicates="majority"``.',
    )
    duplicates_united: int = kept(
        "left_out.duplicates_united",
        'Number of dropped judgments that became elements of sets by ``duplicates="set"``.',
    )
    items_judged_once: int = kept(
        "left_out.items_judged_once",
        "Number of items that ``repeats_of`` left out because they have a single judgment.",
    )

    @property
    def n_judgments(self) -> int:
        """Number of judgments that are not missing, weights counted."""
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
        """All K categories: those declared, or those that occur."""
        labels = self.labels
        if isinstance(labels, tuple):
            return labels
        if "categories" not in self.memo:
            self.memo["categories"] = tuple(labels.tolist())
        return cast(Categories, self.memo["categories"])

    @property
    def coders(self) -> tuple[Any, ...] | None:
        """Names of the coders; None if they are not known."""
        return None if self._coders is None else tuple(self._coders)

    @property
    def items(self) -> Sequence[Any]:
        """Names of the stored rows."""
        return cast("Sequence[Any]", self._items)

    @property
    def texts(self) -> Mapping[Any, str]:
        """The texts of items, as given to `with_texts`."""
        return MappingProxyType(cast("dict[Any, str]", self._texts))

    @property
    def along(self) -> Mapping[str, Sequence[Any]]:
        """The columns that describe the stored rows, by name; see ``from_frame(along=...)``."""
        return MappingProxyType(cast("dict[str, Sequence[Any]]", self._along))

    @property
    def read(self) -> Read:
        """What was read: the layout, the coders, what was guessed and what was left out.

        Examples
        --------
        >>> import agreement_fast as af
        >>> af.Annotations.from_long([7, 7], ["Ann", "Bea"], ["yes", "no"]).read
        read      long
        items     1
        coders    2 coders: Ann, Bea
        """
        return self.origin.read()

    @property
    def missing_judgments(self) -> int:
        """Number of missing entries read: empty cells of a table, missing labels of a list."""
        if self._missing is None:
            if self.numbers is not None:
                self._missing = int(np.count_nonzero(np.isnan(self.numbers)))
            else:
                self._missing = int(np.count_nonzero(self.rows.codes < 0))
        return self._missing

    def __len__(self) -> int:
        return self.n_rows

    def __repr__(self) -> str:
        def some(count: int, value: str, many: str) -> str:
            return f"{count} {value if count == 1 else many}"

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
        """Return the patterns if they are known already, else the rows. For the package."""
        return self.rows if self.known_patterns is None else self.known_patterns

    def beside(self, labels: PerItem | None, argument: str) -> Any:
        """Return a value for each row: the argument itself, or the `along` column that it names."""
        if not isinstance(labels, str):
            if self.unnamed and not self._along:
                raise InputError(
                    (
                        "each row stands for several items without names, so ",
                        Argument(argument),
                        " cannot be matched to items",
                    ),
                    (
                        "read a lazy frame with af.Annotations.from_frame(frame, ",
                        Argument("along"),
                        f"=...), or pass {argument} before concat",
                    ),
                )
            return labels
        if labels not in self._along:
            known = f"; columns along are {shorten(list(self._along))}" if self._along else ""
            ways: dict[str, Sentence] = {
                "wide": f", as in {argument}=frame[{labels!r}].to_numpy()",
                "long": (
                    ", or read it with af.Annotations.from_frame(frame, ",
                    Argument("along", labels), ")",
                ),
                "": ", of a lazy frame once it is collected" if self.unnamed else "",
            }  # fmt: skip
            raise InputError(
                (Argument(argument, labels), f" is not a column that was read along{known}"),
                ("pass a value for each item", ways.get(self._read.layout, "")),
            )
        return self._along[labels]

    def known_parts(self) -> Parts:
        """Return the parts of these annotations without the items' names. For the package."""
        return Parts(
            categories=self.categories,
            declared=self._declared,
            coders=self.coders,
            patterns=self.grouped(),
            marginals=self.kept_marginals,
            missing=self.missing_judgments,
            left_out=self.left_out,
            hashes=self.hashes,
        )

    def known_coders(self, purpose: str | Argument, marginals: bool = False) -> Sequence[Any]:
        """Return the coders' names; `marginals` if marginals are enough. For the package."""
        if self.kept_moments is not None and not marginals:
            _ = self.rows  # raises an error that says what was not kept
        if self.kept_marginals is not None and not marginals:
            raise InputError(
                (
                    purpose,
                    " needs to know who said what about an item, which from_counts, "
                    "concat(keep_items=False, keep_coders=False) and from_frame(way='counts') do "
                    "not keep",
                )
            )
        if self._coders is None:
            raise InputError(
                (
                    purpose,
                    " needs to know which coder made which judgment, but these annotations "
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
        """Return n_ik, how many coders gave each item each category: int64 of shape (n_rows, K).

        `from_counts` reads this table. Weights are not applied: each row appears once. O(N · K)
        memory.
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
        """Return n_ck, how often each coder used each category: int64 (C, K), weights applied."""
        coders = self.known_coders("coder_marginals()", marginals=True)
        if self.kept_marginals is not None:
            counts = self.kept_marginals[1].copy()
        else:
            result = count_coders(self.grouped(), len(coders), len(self.labels))
            counts = result if isinstance(result, np.ndarray) else result.toarray()
        return Matrix(counts, coders, self.categories, "coder", "category")

    def coincidence_matrix(self) -> Matrix:
        """Return Krippendorff's coincidences: float64 of shape (K, K), symmetric.

        o_jl = Σ_i w_i n_ij (n_il − [j = l]) / (n_i − 1) over the items with two judgments or more.
        The sum of the matrix is their number of judgments (Krippendorff 2011). O(U · K²) for U
        patterns.
        """
        out = coincidences_of(group_rows(self.grouped()), len(self.labels))
        return Matrix(out, self.categories, self.categories, "category", "category")

    def expected_coincidences(self) -> Matrix:
        """Return the coincidences that chance would give: float64 of shape (K, K), symmetric.

        e_jl = n_j (n_l − [j = l]) / (n − 1), where n_j are the sums of `coincidence_matrix` and n
        is their total (Krippendorff 2011). α is 1 − Σ o_jl d_jl / Σ e_jl d_jl.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([[1, 1], [2, 2], [1, 2]])
        >>> data.expected_coincidences().round(3).tolist()
        [[1.2, 1.8], [1.8, 1.2]]
        """
        counts = self.coincidence_matrix().sum(0)
        out = (np.outer(counts, counts) - np.diag(counts)) / max(counts.sum() - 1, 1)
        return Matrix(out, self.categories, self.categories, "category", "category")

    def reliability_matrix(self) -> Matrix:
        """Return Krippendorff's reliability data: the labels of coders × items, None is missing.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([["x", "x"], ["x", None]], coders=["Ann", "Bea"])
        >>> data.reliability_matrix()
        coder \\ item  0  1
        Ann           x  x
        Bea           x  -
        """
        coders = self.known_coders("reliability_matrix()")
        return Matrix(self.to_wide().T, coders, self.items, "coder", "item")

    def distance_matrix(self, distance: DistanceLike = "nominal") -> Matrix:
        """Return the distances of all pairs of categories: float64 of shape (K, K).

        Parameters
        ----------
        distance : str, Distance, array, mapping or function, default "nominal"
            The distance; the ordinal one depends on how often the categories are used.

        Returns
        -------
        Matrix
            An array with the names of the categories.

        Raises
        ------
        ValueError
            If the categories do not fit the distance.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([[1, 1], [1, 2], [3, 3]])
        >>> data.distance_matrix("ordinal").tolist()
        [[0.0, 4.0, 12.25], [4.0, 0.0, 2.25], [12.25, 2.25, 0.0]]
        """
        met = self.coincidence_matrix().sum(0)
        form = resolve(distance).bind(self.labels, self.declared, np.rint(met))
        out = table_of(form.between, len(self.labels))
        return Matrix(out, self.categories, self.categories, "category", "category")

    def contingency_table(self, first: Label, second: Label) -> Matrix:
        """Count the items that two coders judged by their categories: int64 of shape (K, K).

        Rows are the first coder's categories, columns the second's. Weights are applied.

        Parameters
        ----------
        first, second : coder
            Names of two coders.

        Returns
        -------
        Matrix
            An array with the names of the categories.

        Raises
        ------
        ValueError
            If the coders are not known, or have no such name.
        """
        names = list(self.known_coders("contingency_table()"))
        places = [name_place(names, name, "coder") for name in (first, second)]
        table = pair_table(self.grouped(), places[0], places[1], len(self.labels))
        entry, other = (spell_label(names[place]) for place in places)
        return Matrix(table, self.categories, self.categories, entry, other)

    def contingency_tables(self) -> Array:
        """Return the contingency tables of all pairs of coders: int64 of shape (C (C − 1)/2, K, K).

        Pairs are in the order of ``itertools.combinations(coders, 2)``. Rows are the categories of
        a pair's first coder. O(C² · K² · N / 64) for a table without weights, by counting bits.

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
        """Return a row for each judgment: its item, coder and label, and the item's weight if any.

        For counts, there is a row for each item and label, with the count.
        """
        return judgment_columns(self)

    def _repr_html_(self) -> str:
        """Show the first and the last judgments."""
        if self.kept_moments is not None:
            return f"<code>{escape(repr(self))}</code>"
        return judgments_in_notebook(self)

    def to_wide(self) -> Array:
        """Return the labels as an object array of shape (n_rows, C); None is missing."""
        coders = self.known_coders("to_wide()")
        codes = dense(self.rows, len(coders))
        return _label_array(self.categories)[codes]

    def to_long(self) -> tuple[Array, Array, Array]:
        """Return items, coders and labels of all judgments, row by row, as three object arrays."""
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
        """Return the distinct rows of judgments, and how many items have each.

        Returns
        -------
        Patterns
            ``codes, weights = data.patterns()`` unpacks it.

        Raises
        ------
        ValueError
            If the coders are not known, or the table of patterns × coders would exceed 2 GB.

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
                f"a table of {rows.n_rows} patterns × {len(coders)} coders is too large",
                "select fewer coders first",
            )
        codes = dense(rows, len(coders))
        weights = np.ones(len(codes), np.int64) if rows.weights is None else rows.weights
        return Patterns(codes.copy(), weights.copy(), tuple(coders), self.categories)

    def patterns_to_arrow(self) -> Any:
        """Return the patterns as a table that `from_patterns` reads: a row each, with its weight.

        It holds what ``concat(keep_items=False)`` keeps: all that coefficients, standard errors
        and the bootstrap of items need. The names and texts of items are not kept.

        Returns
        -------
        pyarrow.Table
            Labels and coders are lists of numbers. The metadata of the schema holds their names,
            and the marginals of ``concat(keep_items=False, keep_coders=False)``.

        Raises
        ------
        ValueError
            If a category or coder is not text, a number, a date, or a tuple or frozenset of these;
            or if pyarrow is not installed.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([["x", "x"], ["x", "y"], ["x", "x"]])
        >>> data.patterns_to_arrow().to_pylist()[0]
        {'weight': 2, 'labels': [0, 0], 'coders': [0, 1]}
        """
        from agreement_fast.reading.stored_pieces import to_table

        return to_table(add_up([piece_of(self.known_parts())]))

    def write_patterns(self, path: str | Path) -> None:
        """Write the patterns to a file that `read_patterns` reads.

        The names and texts of items are not kept.

        Parameters
        ----------
        path : str or Path
            A name that ends in ".parquet" or ".arrow".

        Examples
        --------
        >>> import agreement_fast as af, tempfile
        >>> monday = af.Annotations.from_wide([["x", "x"], ["x", "y"]])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     monday.write_patterns(f"{folder}/monday.parquet")
        ...     af.Annotations.read_patterns(f"{folder}/monday.parquet")
        Annotations(2 items, 2 coders, 4 judgments, 2 categories: 'x', 'y')
        """
        from agreement_fast.reading.stored_pieces import write_piece

        write_piece(add_up([piece_of(self.known_parts())]), path)

    # ------------------------------------------------------------------ selection

    def select(
        self, coders: Iterable[Label] | None = None, items: Iterable[Label] | None = None
    ) -> Annotations:
        """Select judgments by coder, by item, or by both, in the given order.

        Categories that no longer occur are dropped unless they were declared.

        Parameters
        ----------
        coders, items : iterable of names, optional
            The coders and items to keep. By default all.

        Returns
        -------
        Annotations
            The selected judgments.

        Raises
        ------
        ValueError
            If a name does not occur, or is given twice.

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
            along = {name: [labels[i] for i in picked.tolist()] for name, labels in along.items()}
            rows = take_rows(rows, picked)
            row_names = [self._items[i] for i in picked.tolist()]
        if coders is not None:
            known = self.known_coders("select(coders=...)")
            places = name_places(known, coders, "coder")
            rows = take_coders(rows, places, len(known))
            names = [known[i] for i in places.tolist()]
        categories = self.categories
        used = None if self._declared else used_labels(rows, len(categories))
        if used is not None:
            lookup = np.full(len(categories) + 1, -1, narrow(len(used)))
            lookup[used] = np.arange(len(used))
            rows = rows.replace(codes=lookup[rows.codes])
            categories = tuple(categories[i] for i in used.tolist())
        return self._like(
            categories=categories,
            items=row_names,
            coders=names,
            rows=rows,
            weights=rows.weights,
            along=along,
        )

    def with_texts(self, texts: ByName[str]) -> Annotations:
        """Return the same judgments with the texts (or links) of items.

        Parameters
        ----------
        texts : mapping item -> str
            The texts that lists of disputed items show beside the names. Items may be absent.

        Returns
        -------
        Annotations
            The same judgments; nothing is copied.

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

    def anonymous(self) -> Annotations:
        """Return the same judgments with letters for coders, numbers for items, and no texts.

        The letters and numbers follow the order in which the data name coders and items, so that
        they are the same in everything that is made of the result.

        Returns
        -------
        Annotations
            The same judgments; nothing is copied.

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_long(["t1", "t1"], ["Ann", "Bea"], ["pro", "con"])
        >>> data.anonymous().coders, list(data.anonymous().items)
        (('A', 'B'), [1])
        """
        parts: dict[str, Any] = {
            "coders": None if self._coders is None else letters(len(self._coders)),
            "items": range(1, self.n_rows + 1),
            "texts": _NO_TEXTS,
            "along": _NOTHING,
            "gathered": None,
            "read": None,
        }
        return self._like(
            categories=self.labels,
            rows=self.rows,
            weights=self._weights,
            patterns=self.known_patterns,
            marginals=self.kept_marginals,
            missing=self.missing_judgments,
            **parts,
        )

    def with_judgments(
        self,
        items: Column,
        coders: Column,
        labels: Column,
        *,
        missing: Names | None = None,
        duplicates: Literal["error", "first", "last"] = "error",
        set_separator: str | None = None,
    ) -> Annotations:
        """Return these judgments and further ones, of old or new items.

        Items and coders are matched by name. The result equals that of `from_long` for all
        judgments at once: new items follow the old ones; coders and undeclared categories are
        sorted.

        Parameters
        ----------
        items, coders, labels : array-like of shape (n,)
            The further judgments, one in each place. If the categories were declared, labels must
            be among them.
        missing : label or sequence of labels, optional
            Values that mean "no judgment", besides None, NaN, NaT, NA and masked entries.
        duplicates : {"error", "first", "last"}, default "error"
            What to do if a coder judged an item more than once, in old or new judgments: raise an
            error, or keep the first or the last. Old judgments come before new ones.
        set_separator : str, optional
            The separator of elements if labels are sets, such as "|" in "noun|verb".

        Returns
        -------
        Annotations
            All judgments. New items weigh 1, and `along` is None for them. Labels that do not sort
            are in the order in which they were first kept.

        Raises
        ------
        ValueError
            If a judgment is repeated and `duplicates` is "error", if a label is not among the
            declared categories, or if these annotations do not hold the names of items and coders,
            such as those of ``concat(keep_items=False)``, `from_counts`, `from_contingency` and
            lazy frames.

        Notes
        -----
        O(old + new judgments).

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
                "with_judgments() needs the items' names, which concat(keep_items=False), stored "
                "patterns, contingency tables and lazy frames do not keep",
                "add judgments to open items first, and add up items when they are complete",
            )
        old = self.known_parts()
        old.update(Parts(items=self._items, coders=known, rows=self.rows, weights=self._weights))
        options = Options(missing, duplicates=duplicates, set_separator=set_separator)
        both = read_more(old, items, coders, labels, options)
        more = [None] * (len(both["items"]) - self.n_rows)
        both["along"] = {name: [*labels, *more] for name, labels in self._along.items()}
        return Annotations.assemble(**both).with_texts(self._texts)

    def merge_categories(self, mapping: ByName[Label]) -> Annotations:
        """Merge categories, as Antoine et al. 2014 compare 5 with 3 classes.

        Parameters
        ----------
        mapping : mapping old label -> new label
            The new labels. Categories that are not in the mapping stay as they are.

        Returns
        -------
        Annotations
            The same judgments with the new labels.

        Raises
        ------
        ValueError
            If an old label is not a category.

        Notes
        -----
        Merging categories afterwards does not replace a new study: with fewer categories, coders
        might have decided differently (Artstein & Poesio 2008, 4.1).

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
            rows = count_rows(CountTable(table, self._weights))
            if self.kept_marginals is not None:
                marginals = {}
                for least, counts in self.kept_marginals.items():
                    marginals[least] = np.zeros((len(counts), len(distinct)), np.int64)
                    np.add.at(marginals[least].T, new_codes[:-1], counts.T)
        else:
            codes = new_codes.astype(narrow(len(distinct)))[self.rows.codes]
            rows = self.rows.replace(codes=codes)
        kept: dict[str, Any] = {"weights": self._weights, "missing": self._missing}
        return self._like(categories=tuple(distinct), rows=rows, marginals=marginals, **kept)

    def _like(self, **parts: Any) -> Annotations:
        """Make annotations with the same coders and items, except for some parts."""
        same: dict[str, Any] = {
            "declared": self._declared,
            "items": self._items,
            "coders": self._coders,
            "left_out": self.left_out,
            "texts": self._texts,
            "along": self._along,
            "gathered": self.gathered,
            "unnamed": self.unnamed,
            "read": self._read,
        }
        return Annotations.assemble(**(same | parts))


for _name in [*vars(Annotations)]:
    if _name.startswith("from_"):
        setattr(Annotations, _name, staticmethod(answering(getattr(Annotations, _name), __name__)))


def _of_sets(sets: Dictionary, items: Any, coders: Any, weights: Any) -> Annotations:
    """Read sets of items × coders, or a column of them."""
    if sets.codes.ndim > 1:
        return Annotations.from_wide(sets, items=items, coders=coders, weights=weights)
    if items is None or coders is None:
        raise InputError(
            "a row for each judgment needs the item and the coder of each row",
            ("pass ", Argument("items"), " and ", Argument("coders")),
            argument="items",
        )
    return Annotations.from_long(items, coders, sets, weights=weights)


#: Judgments that a function takes: `Annotations`; a data frame of any library; an array or a list
#: of rows, an item each; records, triples, or a mapping of coders to labels; labels of one coder;
#: the path of a file, which `read` reads.
JudgmentsLike: TypeAlias = Annotations | Frame | Path | Iterable[Any]


def as_annotations(data: Any, **reading: Unpack[ReadingOptions]) -> Annotations:
    """Return annotations as they are, and read anything else as a table.

    The layout of a table and the roles of its columns are recognised unless `reading` names them.
    """
    counted = None if reading else count_at_once(data)
    return read_table(data, **reading) if counted is None else of_counted(counted)


#: Arrays of more cells are not copied to be looked at.
SMALL = 1 << 14
#: Of two lists of labels, this number of the first pairs are looked at for two that are equal.
FIRST_PAIRS = 32


#: One judgment: a coder, an item and a label.
Triple: TypeAlias = Sequence[Any]

#: A small table that leaves nothing in doubt: what it is, its coders, its labels, the sums by size
#: of item, and its rows.
Counted: TypeAlias = tuple[Recognition, Sequence[Any], Categories, BySize, Rows]


def of_counted(counted: Counted) -> Annotations:
    """Return the judgments of a table that was counted at once."""
    read, coders, categories, _, rows = counted
    return Annotations.assemble(
        categories=categories, items=range(rows.n_rows), coders=coders, rows=rows, read=read
    )


def _count_plain(table: Any, no_words: frozenset[str], certain: bool = False) -> Any:
    """Count the judgments of a small table whose labels do not spell each other, or return None."""
    counted = count_plain(table, DOUBTFUL_BITS, no_words, certain)
    return None if counted and some_may_spell(counted[0]) else counted


def count_at_once(data: Any) -> Counted | None:
    """Count the judgments of a small table while looking at it; None if it needs to be read."""
    if type(data) in (list, np.ndarray):
        if type(data) is np.ndarray and data.size <= SMALL:
            data = data.tolist() if data.dtype.kind in "OUT" else frames.widened(data)
        counted = _count_plain(data, NO_WORDS)
        return counted and (_ROWS, range(counted[2].width), *counted)
    small = frames.small_table(data)
    if small is None or (no_words := no_labels_below(small.names)) is None:
        return None
    counted = _count_plain(small.cells, no_words, True)
    guessed = (("coder", small.names, "their labels"),)
    read = Recognition("wide", guessed, (), (("coder", small.names), ("layout", "wide")))
    return counted and (read, small.names, *counted)


def read_table(data: Any, **reading: Unpack[ReadingOptions]) -> Annotations:
    """Return annotations as they are, and read any other table."""
    if isinstance(data, Annotations):
        read_by(**reading)
        refuse_to_read(reading)
        return data
    # The table stays alive and unchanged during the call, so it is not copied.
    kind = type(data)
    plain = kind is np.ndarray or (kind is list and data and type(data[0]) in ROWS)
    if plain and not reading and (kind is list or data.dtype.names is None):
        return _of_rows(data, None)
    return _of_table(frames.opened(data), *read_by(**reading))


def refuse_to_read(options: Mapping[str, Any]) -> None:
    """Refuse options of reading, those that are not None, for data that are annotations."""
    for name, value in options.items():
        if value is not None and (name, value) != ("duplicates", "error"):
            raise InputError(
                (Argument(name), " is for reading data, and these are Annotations"),
                SHARED[name][1]
                if name == "weights"
                else f"pass it to what makes them, as in af.read(PATH, {name}="
                f"{as_typed(value) or '...'})",
                argument=name,
            )


def read_by(
    *,
    item: Names | None = None,
    coder: Names | None = None,
    label: str | None = None,
    layout: Layout | None = None,
    missing: Names | None = None,
    categories: Iterable[Label] | None = None,
    weights: PerItem | None = None,
    duplicates: Duplicates = "error",
) -> tuple[Named, Options, Any]:
    """Return what keywords name, how labels are read, and the weights.

    These are the `ReadingOptions`. Tools without `Unpack`, such as jedi, find them here: they
    follow ``**reading`` from call to call.
    """
    if layout is not None:
        check_choice("layout", layout, LAYOUTS)
    if isinstance(coder, Iterable) and not isinstance(coder, str):
        coder = tuple(coder)
    policy_of(duplicates)
    named = Named(item, coder, label, layout)
    return named, Options(missing, categories, duplicates), weights


def _of_table(data: Any, named: Named, options: Options, weights: Any) -> Annotations:
    of_labels = {name: getattr(options, name) for name in Options._fields if name in READING}
    if isinstance(named.item, (list, tuple)) or (frames.is_lazy(data) and named.layout == "long"):
        return Annotations.from_frame(
            data,
            item=named.item,
            coder=named.coder,
            label=named.label,
            weights=weights,
            **of_labels,
        )
    if frames.is_lazy(data):
        return _of_lazy(data, named, options, weights)
    columns = named_columns(data)
    if columns is None:
        if (named.item, named.coder, named.label) != (None, None, None):
            given = [
                name for name in ("item", "coder", "label") if getattr(named, name) is not None
            ]
            raise InputTypeError(
                f"{', '.join(given)} can be named for a data frame or a list of dicts, not for "
                f"{type(data).__name__}"
            )
        weights = take_weights(weights)
        if named.layout in ("counts", "contingency"):
            objects = isinstance(data, np.ndarray) and data.dtype.kind == "O"
            if objects or not isinstance(data, np.ndarray):
                data = np.array(data.tolist() if objects else list(data))
            return _of_counts(data, named, options, weights)
        if named.layout == "long":
            return Annotations.from_triples(data, weights=weights, **of_labels)
        return _of_rows(data, named.layout, options, weights)
    every = {**frames.index_columns(data), **columns}
    refuse_unknown(named, every)
    if named.layout in ("counts", "contingency"):
        if named.layout == "contingency" and named.item not in (None, next(iter(every))):
            raise InputError(
                (Argument("item", named.item), " is not the first column, which names the rows of a"
                 " contingency table"))  # fmt: skip
        return _of_counts(data, named, options, weights)
    pinned = {"weights": weights} if isinstance(weights, str) else {}
    weights = take_weights(weights, every, columns)
    if named.layout in (None, "long"):
        table = table_of_columns(every, n_rows_of(data, every), options.absent())
        long = recognise_long(table, named, PYTHON)
        if long is not None:
            item, coder, label = (every[name] for name in (long.item, long.coder, long.label))
            try:
                guessed = long.coder if named.coder is None else None
                parts = read_long(item, coder, label, options, weights=weights, guessed=guessed)
                parts["read"] = _pinned(long, pinned)
                annotations = Annotations.assemble(**parts)
                hint_at_doubts(long.doubts)
            except ValueError as error:
                more = with_part(error, table, long.item, long.coder, long.label)
                more.add_note(
                    f"The table was read as one judgment per row: item={long.item!r}, "
                    f"coder={long.coder!r}, label={long.label!r}"
                )
                raise more from error.__cause__
            return annotations
    parts, wide = read_named_wide(data, columns, named, options, weights)
    parts["read"] = _pinned(wide, pinned)
    return Annotations.assemble(**parts)


#: What rows without names of columns are if nothing else was named.
_ROWS = Recognition("wide", pinned=(("layout", "wide"),))


#: What the program whose data are triples calls the values of more than two coders.
_OF_NLTK = (
    "; NLTK's kappa(), of more than two coders, is the mean of their pairs, here "
    "af.diagnostics.pairwise_agreement(data, 'kappa').mean, and its multi_kappa() is af.kappa(data)"
)


def _of_rows(
    data: Any, layout: str | None, options: Options = USUAL, weights: Any = None
) -> Annotations:
    if layout is None and are_triples(data):
        several = len({row[0] for row in data[:1000]}) > 2
        hint(
            "the rows are read as (coder, item, label), which layout='long' says; if they are the "
            "labels of three coders, write af.Annotations.from_wide(rows, coders=range(3))"
            + several
            * _OF_NLTK,
            ReadHint,
        )
        return Annotations.assemble(**read_triples(data, None, options, weights))
    parts = read_wide(data, options, weights=weights, named=False, copy=False, layout=layout)
    parts["read"] = _ROWS
    return Annotations.assemble(**parts)


def _pinned(result: Recognised, further: Mapping[str, Any]) -> Recognition:
    """Return how a table was understood, with the keywords that leave nothing to guess."""
    coder = result.coder if result.layout == "long" else result.coders
    keywords = {"item": result.item, "coder": coder, "label": result.label, **further}
    pinned = [(keyword, value) for keyword, value in keywords.items() if value is not None]
    layout = result.layout
    return Recognition(layout, result.guessed, result.left_out, (*pinned, ("layout", layout)))


def _of_counts(data: Any, named: Named, options: Options, weights: Any) -> Annotations:
    """Read a table whose layout was named, and keep the name."""
    layout = str(named.layout)
    given = {"coder": named.coder, "label": named.label, "missing": options.missing}
    given["duplicates"] = None if options.duplicates == "error" else options.duplicates
    if layout == "contingency":
        given["weights"] = weights
    for argument, value in given.items():
        if value is not None:
            raise InputError(
                (Argument(argument, value), " is not for ", Argument("layout", layout),
                 ", which has a column for each category"),
                "leave it out, and pass the columns of the categories alone")  # fmt: skip
    if layout == "counts":
        annotations = Annotations.from_counts(
            data, items=named.item, categories=options.categories, weights=weights
        )
    else:
        annotations = Annotations.from_contingency(data, categories=options.categories)
    known = annotations._read
    annotations._read = known._replace(
        # What `from_counts` calls items, functions call item.
        guessed=tuple(
            ("item" if name == "items" else name, value, why) for name, value, why in known.guessed
        ),
        pinned=(*known.pinned, ("layout", layout)),
    )
    return annotations


def _of_lazy(data: Any, named: Named, options: Options, weights: Any) -> Annotations:
    """Read a lazy frame; its first rows say what it is."""
    from agreement_fast.reading.engines.read import (
        collected,
        read_lazy,
        read_lazy_wide,
        recognise_lazy,
    )

    if named.layout in ("counts", "contingency"):
        return _of_table(collected(data), named, options, weights)
    taken = () if weights is None else (weights,)
    result = recognise_lazy(data, named._replace(taken=taken), options.absent())
    if result.layout == "long":
        value = read_lazy(
            data,
            options,
            item=result.item,
            coder=result.coder,
            label=result.label,
            weights=weights,
            guessed=result.coder if named.coder is None else None,
        )
    else:
        value = read_lazy_wide(
            data, options, items=result.item, coders=result.coders, weights=weights, looked=True
        )
    return _of_engine(value)


def _of_engine(result: Any, along: Sequence[str] = ()) -> Annotations:
    """Return the judgments of an engine, whose rows stand for alike items."""
    result.parts.update(unnamed=True, along=dict(zip(along, result.beside, strict=True)))
    return Annotations.assemble(**result.parts)


def of_two_coders(first: Any, second: Any, weights: Any = None, **options: Any) -> Annotations:
    """Read the labels of two coders, named 0 and 1; see `two_columns`."""
    if type(first) is type(second) in (list, np.ndarray) and weights is None and not options:
        rows: Any = None
        if type(first) is list:
            rows = [*zip(first, second, strict=True)] if len(first) == len(second) else None
        elif (
            first.shape == second.shape and first.dtype.kind in frames.WIDE and first.size <= SMALL
        ):
            rows = frames.widened(np.column_stack((first, second)))
        counted = _count_plain(rows, NO_WORDS)
        if counted is not None and not may_be_written_apart(rows[:FIRST_PAIRS]):
            return of_counted((WIDE, range(2), *counted))
    entry, other, items = two_columns(first, second)
    parts = read_wide(
        range(column_length(entry)),
        Options(**options),
        items=items,
        coders=range(2),
        weights=take_weights(weights),
        columns={0: entry, 1: other},
        copy=False,
    )
    read = Options(**options)
    if read.categories is None and read.set_separator is None:
        n_rows = column_length(entry)
        looked = table_of_columns({0: entry, 1: other}, n_rows, read.absent())
        doubt = doubt_two_coders(looked)
        if doubt is not None:
            hint(doubt, LabelHint)
    return Annotations.assemble(**parts)


# ---------------------------------------------------------------------- small helpers


def _object_array(values: Sequence[Any]) -> Array:
    return np.fromiter(map(labels.as_python, values), object)


def _label_array(categories: Categories) -> Array:
    """Return the labels by code, with None at code -1."""
    return np.fromiter((*categories, None), object)
