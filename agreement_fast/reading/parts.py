"""The results of reading a table, from which `Annotations` are built."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from agreement_fast._kernels.arrays import Array
from agreement_fast.patterns import CountTable, Rows, as_table, count_rows
from agreement_fast.reading.kept_moments import KeptMoments
from agreement_fast.reading.labels import Categories, Raw, declared_categories, missing_values
from agreement_fast.reading.recognition.labels import Missing
from agreement_fast.reading.recognition.read import Recognition


class Options(NamedTuple):
    """How labels and repeated judgments are read; see `Annotations.from_frame`."""

    missing: Any = None
    categories: Any = None
    duplicates: str = "error"
    repeats_of: Any = None
    set_separator: str | None = None
    order: str | None = None
    #: Ascending, with equal numbers for rows that `order` does not distinguish: int64 array of
    #: shape (n,).
    times: Array | None = None

    def absent(self) -> Missing:
        """Return the labels that mean a missing judgment."""
        return missing_values(
            self.missing, declared_categories(self.categories), self.set_separator
        )


#: Everything as a caller who names nothing wants it.
USUAL = Options()


class LeftOut(NamedTuple):
    """What was left out because a coder judged items more than once.

    Attributes
    ----------
    duplicates_dropped : int
        Judgments that were replaced by another one of the same coder and item.
    duplicates_tied : int
        Ties between labels that became a missing judgment.
    items_judged_once : int
        Items with a single judgment, if only repeated judgments were asked for.
    duplicates_united : int
        Those of `duplicates_dropped` whose labels were united with others in a set.
    """

    duplicates_dropped: int = 0
    duplicates_tied: int = 0
    items_judged_once: int = 0
    duplicates_united: int = 0

    @classmethod
    def add_up(cls, parts: Iterable[LeftOut]) -> LeftOut:
        """Sum up what several parts left out."""
        return cls(*map(sum, zip(*parts, strict=True)))


class Parts(TypedDict, total=False):
    """The parts of `Annotations`; an absent part is None, False or 0."""

    #: None if the labels are numbers that have not been counted yet.
    categories: Categories | None
    #: Whether the categories and their order were given.
    declared: bool
    #: Names of the rows.
    items: Any
    #: Whether a row may stand for several alike items, so that it has no name.
    unnamed: bool
    #: Names of the coders; None if they are unknown.
    coders: Sequence[Any] | None
    #: Numeric labels that have not been counted yet; NaN is missing: float64 array of shape (N, C).
    numbers: Array | None
    rows: Rows | None
    #: Codes that are written out only when needed.
    raw: Raw | None
    counts: CountTable | None
    #: The distinct rows, if they were found while reading.
    patterns: Rows | None
    #: By the least number of judgments of an item: how often each coder used each category: dict of
    #: int to array of shape (C, K).
    marginals: dict[int, Array] | None
    #: Sums over items of numbers, if the judgments themselves are kept elsewhere.
    moments: KeptMoments | None
    #: The hashes of the names of items that are not kept: ascending uint64 array.
    hashes: Array | None
    #: Int64 array of shape (N,).
    weights: Array | None
    #: Missing entries among those read.
    missing: int | None
    left_out: LeftOut
    #: The texts of items, if known: mapping of item to str.
    texts: Mapping[Any, str]
    #: The queries to an engine, if it holds the judgments.
    gathered: Any
    #: Other columns: their value for each row: mapping of str to sequence.
    along: Mapping[str, Sequence[Any]]
    #: How a door understood the table.
    read: Recognition | None


def codes_of(parts: Parts) -> Array:
    """Return the codes of what was read, row by row."""
    rows, raw = parts.get("rows"), parts.get("raw")
    if rows is not None:
        return rows.codes
    assert raw is not None
    return raw.codes(len(parts["categories"] or ())).reshape(-1)


def written_rows(
    n_categories: int, weights: Array | None, raw: Raw | None, counts: CountTable | None
) -> Rows | None:
    """Return the rows of codes or counts that are not written out yet; None if there are none."""
    if raw is not None:
        return as_table(raw.codes(n_categories), weights)
    return None if counts is None else count_rows(counts)


WAYS = ("auto", "patterns", "counts", "moments", "partitions")


class Gathered(NamedTuple):
    """How judgments were read from an engine: ``data.gathered``.

    Attributes
    ----------
    engine : str
        "duckdb", "polars", "pyspark", "dask", "ibis", ...
    way : {"patterns", "counts", "moments", "partitions"}
        What the engine computed.
    why : str
        Why this way was used.
    n_queries : int
        Number of queries.
    n_rows, n_bytes : int
        Rows and bytes that all queries returned. For "partitions", DuckDB, polars and databases
        return rows of judgments, one part at a time; Spark and Dask return patterns.
    n_parts : int or None
        For "partitions": the number of parts in which rows were read, here or on workers.
    """

    engine: str
    way: str
    why: str
    n_queries: int
    n_rows: int
    n_bytes: int
    n_parts: int | None = None
