"""Weights of items drawn from a posterior: the Bayesian bootstrap, with a prior of four judgments.

A resample can only hold what the data hold. If no item of the data disagrees, none of a resample
does, and a category that nobody happened to use never appears. A prior that weighs four judgments
(two items of two coders) gives every row of judgments a chance, and a few items outweigh it.
"""

from __future__ import annotations

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.distances.sums.columns import Items
from agreement_fast.patterns import Rows, stack, take_rows

#: Number of rows in each half of the prior.
ROWS_A_HALF = 64

#: Weight of all rows of the prior together, in judgments, and the most that it is in items. An item
#: of ten coders weighs much more than one of two. A prior of two such items would outweigh 20 items
#: of ten coders who guess, and look like agreement.
MASS_JUDGMENTS = 4.0
MOST_ITEMS = 2.0


def with_prior(items: Items, rng: np.random.Generator) -> tuple[Rows, FloatArray]:
    """Return the rows of the data and of the prior, and the weight of each row in the prior.

    The coders of each row of the prior are those of an item drawn at random. In one half of the
    prior all judgments of a row are of one random category; in the other half each judgment is of a
    random category.

    Returns
    -------
    rows : Rows
        Lists. The rows of the prior come last, with a weight of 0.
    mass : float64 array of shape (U,)
        The weight of each row in the prior; 0 for rows of the data.
    """
    some = np.flatnonzero((items.weights > 0) & (items.sizes > 0))
    if not len(some) or not items.n_categories:
        return items.rows, np.zeros(items.n_rows)
    n = 2 * ROWS_A_HALF
    shares = items.weights[some] / items.weights[some].sum()
    judged = take_rows(items.rows, rng.choice(some, n, p=shares))
    alike = np.arange(n) < ROWS_A_HALF
    prior = _relabelled(judged, alike, items.n_categories, rng).replace(
        weights=np.zeros(n, np.int64)
    )
    per_item = float(shares @ items.sizes[some])
    weight = min(MASS_JUDGMENTS / per_item, MOST_ITEMS)
    mass = np.concatenate([np.zeros(items.n_rows), np.full(n, weight / n)])
    return stack([items.rows.replace(weights=items.weights), prior]), mass


def _relabelled(rows: Rows, alike: Array, n_categories: int, rng: np.random.Generator) -> Rows:
    """Replace labels by random ones: one for each row that is `alike`, else one a judgment."""
    of_row = rng.integers(0, n_categories, rows.n_rows, dtype=np.int32)
    if rows.repeats is not None:
        return _recounted(rows, alike, of_row, n_categories, rng)
    row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
    of_judgment = rng.integers(0, n_categories, len(row), dtype=np.int32)
    codes = np.where(alike[row], of_row[row], of_judgment)
    if rows.coders is None:  # such lists are sorted
        codes = codes[np.lexsort((codes, row))]
    return rows.replace(codes=codes)


def _recounted(
    rows: Rows, alike: Array, of_row: Array, n_categories: int, rng: np.random.Generator
) -> Rows:
    """Replace labels by random ones in lists of counts."""
    repeats = rows.repeats
    assert repeats is not None
    codes, counts = [], []
    for i, (first, last) in enumerate(zip(rows.start[:-1], rows.start[1:], strict=True)):
        size = int(repeats[first:last].sum())
        if alike[i]:
            places = np.array([of_row[i]]), np.array([size])
        elif size < n_categories:
            places = np.unique(rng.integers(0, n_categories, size), return_counts=True)
        else:
            times = rng.multinomial(size, np.full(n_categories, 1 / n_categories))
            places = np.flatnonzero(times), times[times > 0]
        codes.append(places[0].astype(np.int32))
        counts.append(places[1].astype(repeats.dtype))
    start = np.concatenate([[0], np.cumsum([len(each) for each in codes])]).astype(np.int64)
    return Rows(np.concatenate(codes), 0, start, None, np.concatenate(counts))


class PosteriorDraw:
    """Weights of patterns, drawn from the posterior distribution of their frequencies.

    The posterior is a Dirichlet distribution: the weight of a pattern of n items is a draw from the
    gamma distribution of shape n, that of a row of the prior a draw of the shape of its mass (Rubin
    1981; Ferguson 1973). The weights are scaled to add up to the number of items.

    Parameters
    ----------
    weights : int array of shape (U,)
        The number of items that each pattern stands for.
    inner : bool array of shape (U,)
        Patterns with a pair of judgments: the sample for coefficients of pairs.
    mass : float array of shape (U,)
        The weight of each row in the prior.
    """

    def __init__(self, weights: Array, inner: Array, mass: FloatArray) -> None:
        self._shape = (weights + mass)[:, None]
        self._inner = inner
        self.n, self.n_inner = int(weights.sum()), int(weights[inner].sum())

    def __call__(self, rng: np.random.Generator, n_resamples: int) -> FloatArray:
        """Draw weights of the patterns, float64 of shape (U, R)."""
        drawn = rng.standard_gamma(self._shape, (len(self._shape), n_resamples))
        return _scaled(drawn, self.n)

    def both(self, rng: np.random.Generator, n_resamples: int) -> tuple[FloatArray, FloatArray]:
        """Draw weights of all patterns, and of the patterns with a pair alone."""
        every = self(rng, n_resamples)
        return every, _scaled(np.where(self._inner[:, None], every, 0.0), self.n_inner)


def _scaled(drawn: FloatArray, n: int) -> FloatArray:
    """Scale weights so that they add up to n in each draw."""
    totals = drawn.sum(0)
    return np.asarray(drawn * np.divide(n, totals, out=np.zeros_like(totals), where=totals > 0))
