"""Random pruning to a constant number of judgments an item, and the spread that it causes.

Fleiss (1971) prescribes it for items with unequal numbers of judgments. Coefficients that take
missing judgments do not need it.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.coefficients import result_of
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import InputError
from agreement_fast.options import (
    Incomplete,
    Seed,
    bar,
    check_choice,
    check_count,
    check_share,
    generator,
)
from agreement_fast.patterns import (
    Rows,
    coder_of,
    count_labels,
    group_rows,
    row_of,
    row_sizes,
    take_rows,
)
from agreement_fast.points import Point
from agreement_fast.present.tables import DETAILS, Listing, Row
from agreement_fast.reading.row_order import in_usual_form

#: The most judgments in all ways to prune all patterns; beyond it items are pruned one by one.
MOST_WAYS = 1 << 20

#: The same limit as a multiple of the number of judgments.
WORTH = 4


def prune(
    data: JudgmentsLike,
    n_judgments: int,
    *,
    rng: Seed = None,
    **reading: Unpack[ReadingOptions],
) -> Annotations:
    """Keep `n_judgments` judgments of each item at random, and leave out items that have fewer.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    n_judgments : int
        Number of judgments of each item to keep, 2 or more.
    rng : int or numpy Generator, optional
        Seed or generator.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Annotations
        The pruned data. Each choice of n judgments of an item is equally likely. The categories are
        those of the data. Items keep their names, unless rows stand for several items.

    Raises
    ------
    ValueError
        If no item has `n_judgments` judgments, or the data are sums of numbers, which keep no
        judgments.

    Notes
    -----
    O(J log J) for J judgments. If rows stand for many items, O(U · ways) for U patterns and the
    ways to choose n judgments of each.

    References
    ----------
    Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological
    Bulletin 76, 378-382.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_wide([[1, 2, 1], [1, 1, None], [2, None, None], [2, 2, 2]])
    >>> af.subsets.prune(data, 2, rng=1)
    Annotations(3 items, 3 coders, 6 judgments, 2 categories: 1, 2)
    """
    annotations = as_annotations(data, **reading)
    n = check_count("n_judgments", n_judgments, 2)
    if annotations.rows.weights is not None or annotations.unnamed:
        return _pruner(annotations, n)(generator(rng))
    return _OfItems(annotations, annotations.rows, n, named=True)(generator(rng))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PrunedAgreement(Row):
    """A coefficient of all judgments, and of random prunings of them.

    Attributes
    ----------
    coefficient, distance : str
        Their names.
    n : int
        Number of judgments of each item that are kept.
    value : float
        The coefficient of all judgments.
    mean, standard_deviation : float
        Of the prunings that have a value; the divisor of the variance is their number less 1.
    low, high : float
        Percentiles that hold a share `confidence_level` of the prunings. They are not an interval
        for other items.
    minimum, maximum : float
        The smallest and the largest value of a pruning.
    confidence_level : float
        The share of prunings between `low` and `high`.
    n_resamples, n_undefined : int
        Number of prunings, and of those that leave the coefficient undefined.
    n_items, n_items_dropped : int
        Items that are kept, and those with fewer judgments.
    n_judgments, n_judgments_dropped : int
        Judgments that each pruning keeps, and leaves out.
    values : float64 array of shape (n_resamples,)
        The coefficient of each pruning; NaN if undefined.
    """

    _caption = (
        "{coefficient}({distance}) = {value:.4f} of all judgments, {mean:.4f} ± "
        "{standard_deviation:.4f} ({minimum:.4f} to {maximum:.4f}) in {n_resamples:pruning} to "
        "{n} an item, without {n_items_dropped:item} and {n_judgments_dropped:judgment}"
    )

    aside = DETAILS | {"maximum", "minimum", "n_judgments", "n_judgments_dropped", "n_resamples"}

    coefficient: str
    distance: str
    n: int
    value: float
    mean: float
    standard_deviation: float
    low: float
    high: float
    minimum: float
    maximum: float
    confidence_level: float
    n_resamples: int
    n_undefined: int
    n_items: int
    n_items_dropped: int
    n_judgments: int
    n_judgments_dropped: int
    values: Array


def pruned_agreement(
    data: JudgmentsLike,
    n_judgments: int,
    coefficient: str | Sequence[str] = ("alpha", "pi"),
    *,
    distance: DistanceLike = "nominal",
    incomplete: Incomplete = "published",
    n_resamples: int = 100,
    confidence_level: float = 0.95,
    rng: Seed = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Listing[PrunedAgreement]:
    """Measure how far a coefficient depends on the judgments that random pruning keeps.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    n_judgments : int
        Number of judgments of each item to keep, 2 or more. Items with fewer are left out.
    coefficient : str or sequence of str, default ("alpha", "pi")
        Names of coefficients, which are computed on the same prunings.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: those that the coefficient's authors count,
        those with two judgments or more, or those that every coder judged.
    n_resamples : int, default 100
        Number of prunings.
    confidence_level : float, default 0.95
        The share of prunings between the percentiles `low` and `high`.
    rng : int or numpy Generator, optional
        Seed or generator.
    progress : bool, default False
        Show a progress bar (needs tqdm).
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Listing of PrunedAgreement
        One for each coefficient.

    Raises
    ------
    ValueError
        If no item has `n_judgments` judgments, the data are sums of numbers, a name or choice is
        unknown, or the distance does not fit the labels.

    Notes
    -----
    The coefficient of all judgments needs no pruning (Artstein & Poesio 2005, 5.1). It includes all
    items, so it also differs from the mean of the prunings if agreement is higher or lower in the
    items that are left out. A pruning takes O(J log J) for J judgments, or, if rows repeat,
    O(U · ways) for U patterns and the ways to choose n judgments of each.

    References
    ----------
    Fleiss 1971, Measuring nominal scale agreement among many raters, *Psychological Bulletin* 76,
    378–382.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [["x", "x", "y"], ["y", "y", "y"], ["x", "x", None], ["x", "y", "y"]] * 5
    >>> result = af.subsets.pruned_agreement(table, 2, "alpha", rng=1)[0]
    >>> result.n_items_dropped, result.n_judgments_dropped
    (0, 15)
    >>> result.minimum < result.value < result.maximum
    True
    """
    annotations = as_annotations(data, **reading)
    n = check_count("n_judgments", n_judgments, 2)
    n_resamples = check_count("n_resamples", n_resamples)
    check_share("confidence_level", confidence_level)
    check_choice("incomplete", incomplete, ("published", "pairable", "complete"))
    names = [coefficient] if isinstance(coefficient, str) else list(coefficient)
    points = [Point.of(name, distance) for name in names]
    if not points:
        raise InputError("coefficient is empty", argument="coefficient")
    pruner = _pruner(annotations, n)
    values = np.empty((len(points), n_resamples))
    random = generator(rng)
    n_items = 0
    with bar(progress, n_resamples, "prunings") as done:
        for r in range(n_resamples):
            pruned = pruner(random)
            n_items = pruned.n_items
            for place, point in enumerate(points):
                values[place, r] = result_of(pruned, point, incomplete)
            done(1)
    result = []
    for point, row in zip(points, values, strict=True):
        known = row[~np.isnan(row)]
        low = high = least = most = np.nan
        if len(known):
            ends = [(1 - confidence_level) / 2, (1 + confidence_level) / 2, 0, 1]
            low, high, least, most = np.quantile(known, ends).tolist()
        whole = result_of(annotations, point, incomplete)
        result.append(
            PrunedAgreement(
                point.name,
                point.distance.name,
                n,
                float(whole),
                float(known.mean()) if len(known) else np.nan,
                float(known.std(ddof=1)) if len(known) > 1 else np.nan,
                low,
                high,
                least,
                most,
                confidence_level,
                len(row),
                len(row) - len(known),
                n_items,
                annotations.n_items - n_items,
                n * n_items,
                annotations.n_judgments - n * n_items,
                row,
            )
        )
    return Listing(result)


# ---------------------------------------------------------------------- drawing


class _OfItems:
    """Prune each row as one item. O(J log J) for J judgments."""

    def __init__(self, annotations: Annotations, rows: Rows, n: int, *, named: bool) -> None:
        self._annotations, self._named, self._n = annotations, named, n
        self._rows = rows
        given, start = _each_judgment(rows)
        sizes = np.diff(start)
        row = np.repeat(np.arange(rows.n_rows), sizes)
        kept = sizes >= n
        _check_some(kept, sizes, n)
        self._items = np.flatnonzero(kept)
        self._given, self._row = given[kept[row]], row[kept[row]]
        ends = np.cumsum(sizes[kept])
        # The places of the first n judgments of each item after shuffling.
        self._taken = ((ends - sizes[kept])[:, None] + np.arange(n)).reshape(-1)

    def __call__(self, rng: np.random.Generator) -> Annotations:
        # Less than half a unit, so that rounding moves no judgment to the next item.
        shuffled = np.argsort(self._row + rng.random(len(self._row)) / 2)
        # In the old order, by item and by coder.
        chosen = self._given[np.sort(shuffled[self._taken])]
        rows = _chosen_rows(self._annotations, self._rows, chosen, self._n)
        items: Any = range(len(self._items))
        if self._named:
            names = self._annotations.items
            items = [names[i] for i in self._items.tolist()]
        return _assembled(self._annotations, rows, items, unnamed=not self._named)


class _OfPatterns:
    """Draw the numbers of items of each pattern that keep each choice of n judgments.

    All choices are equally likely, so the numbers are multinomial.
    """

    def __init__(self, annotations: Annotations, rows: Rows, n: int) -> None:
        given, start = _each_judgment(rows)
        sizes = np.diff(start)
        _check_some(sizes >= n, sizes, n)
        weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
        chosen, self._draws = [], []
        for size in np.unique(sizes[sizes >= n]).tolist():
            alike = np.flatnonzero(sizes == size)
            ways = np.array(list(itertools.combinations(range(size), n)))
            chosen.append(given[(start[alike][:, None, None] + ways).reshape(-1)])
            self._draws.append((weights[alike], len(ways)))
        self._annotations = annotations
        self._rows = _chosen_rows(annotations, rows, np.concatenate(chosen), n)

    def __call__(self, rng: np.random.Generator) -> Annotations:
        weights = np.concatenate(
            [
                rng.multinomial(items, np.full(n_ways, 1 / n_ways)).reshape(-1)
                for items, n_ways in self._draws
            ]
        )
        drawn = np.flatnonzero(weights)
        rows = take_rows(self._rows, drawn).replace(weights=weights[drawn])
        return _assembled(self._annotations, rows, range(len(drawn)), unnamed=True)


def _pruner(annotations: Annotations, n: int) -> _OfItems | _OfPatterns:
    """Return the pruner that takes less time."""
    rows = group_rows(annotations.grouped())
    sizes = row_sizes(rows)
    result, counts = np.unique(sizes[sizes >= n], return_counts=True)
    ways = sum(
        comb(size, n) * n * count
        for size, count in zip(result.tolist(), counts.tolist(), strict=True)
    )
    if ways <= min(MOST_WAYS, WORTH * annotations.n_judgments):
        return _OfPatterns(annotations, rows, n)
    if rows.weights is not None:
        rows = take_rows(rows, np.repeat(np.arange(rows.n_rows), rows.weights))
        rows = rows.replace(weights=np.ones(rows.n_rows, np.int64))
    return _OfItems(annotations, rows, n, named=False)


def _each_judgment(rows: Rows) -> tuple[Array, Array]:
    """Return the place of each judgment, repeated by its count, and the start of each row."""
    given = np.flatnonzero(rows.codes >= 0)
    if rows.repeats is not None:
        given = np.repeat(given, rows.repeats[given])
    sizes = np.bincount(row_of(rows, given), minlength=rows.n_rows)
    return given, np.concatenate([[0], np.cumsum(sizes)])


def _chosen_rows(annotations: Annotations, rows: Rows, chosen: Array, n: int) -> Rows:
    """Return rows of n judgments each, given by their places."""
    start = np.arange(0, len(chosen) + 1, n, dtype=np.int64)
    codes = rows.codes[chosen]
    if annotations.coders is None or annotations.kept_marginals is not None:
        return count_labels(Rows(codes, 0, start), len(annotations.labels))
    return Rows(codes, 0, start, coder_of(rows, chosen).astype(np.int32))


def _assembled(annotations: Annotations, rows: Rows, items: Any, *, unnamed: bool) -> Annotations:
    counted = annotations.coders is None or annotations.kept_marginals is not None
    coders = None if counted else annotations.coders
    if coders is not None:
        rows = in_usual_form(rows, len(coders))
    return annotations.with_rows(rows, items=items, unnamed=unnamed, coders=coders)


def _check_some(kept: Array, sizes: Array, n: int) -> None:
    if not kept.any():
        raise InputError(
            f"no item has {n} judgments, the largest number is {int(sizes.max(initial=0))}",
            "prune to fewer",
            argument="n_judgments",
        )
