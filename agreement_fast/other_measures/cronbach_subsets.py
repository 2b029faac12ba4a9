"""Cronbach's α over subsets of the coders: how much it depends on the choice of coders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError
from agreement_fast.options import check_count, check_sizes, generator
from agreement_fast.other_measures.measure import Ratings
from agreement_fast.subsets.complete import MOST_CODERS, Block, blocks_of, mask_bits, sampled
from agreement_fast.tables import Listing, Row
from agreement_fast.terminal import number_of, show_value

#: Subsets that are processed together.
AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CronbachOfSize(Row):
    """Cronbach's α over the subsets of one size.

    Attributes
    ----------
    n_coders, n_subsets, n_undefined : int
        The size of the subsets, the number of subsets, and how many of them have no value because
        their judgments do not vary.
    exact : bool
        Whether all subsets of this size were used.
    mean, standard_deviation, relative_standard_deviation : float
        Mean and standard deviation (divided by the number of subsets) over the subsets, and the
        standard deviation divided by the absolute mean.
    minimum, maximum : float
    """

    n_coders: int
    n_subsets: int
    n_undefined: int
    exact: bool
    mean: float
    standard_deviation: float
    relative_standard_deviation: float
    minimum: float
    maximum: float

    def __repr__(self) -> str:
        return (
            f"<Cronbach's alpha of {number_of(self.n_subsets, 'subset')} of {self.n_coders} "
            f"coders: mean {show_value(self.mean)}, RSD "
            f"{100 * self.relative_standard_deviation:.2f}%>"
        )


def cronbach_subsets(
    data: Any,
    sizes: Iterable[int] | None = None,
    *,
    max_subsets: int = 100_000,
    rng: int | np.random.Generator | None = None,
) -> Listing[CronbachOfSize]:
    """Compute Cronbach's α over subsets of the coders of each size.

    `subsets.coder_subsets` does the same for agreement. Antoine et al. (2014, footnote 2) report a
    relative standard deviation of Cronbach's α above 22% in this design.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known, and the labels must be numbers. Items that a coder did not judge
        are left out.
    sizes : iterable of int, optional
        The sizes of the subsets; by default every size from 2 to all coders.
    max_subsets : int, default 100_000
        The largest number of subsets of each size. If there are more, a sample of this number is
        drawn.
    rng : int or numpy Generator, optional
        Seed or generator of the sample. The same seed gives the same result.

    Returns
    -------
    Listing of CronbachOfSize
        One for each size, in the order of `sizes`.

    Raises
    ------
    ValueError
        If the labels are not numbers, there are fewer than two or more than 63 coders, every
        item lacks a judgment, or a size is impossible.

    Notes
    -----
    All subsets use the same covariances of the coders. The cost is O(U · C² + subsets · C²) for U
    distinct rows and C coders.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 1, 3, 2], [2, 2, 1, 2], [3, 4, 2, 3], [4, 3, 4, 5], [5, 5, 4, 4]]
    >>> for one in af.other_measures.cronbach_subsets(table):
    ...     print(one.n_coders, one.n_subsets, round(one.relative_standard_deviation, 3))
    2 6 0.178
    3 4 0.055
    4 1 0.0
    """
    check_count("max_subsets", max_subsets)
    ratings = Ratings(data, "Cronbach's alpha")
    n_coders = len(ratings.coders)
    if n_coders > MOST_CODERS:
        raise InputError(
            f"expected at most {MOST_CODERS} coders, got {n_coders:,}",
            "pass data.select(coders=[...])",
        )
    checked = check_sizes(sizes, 2, n_coders)
    values, weights, _ = ratings.complete()
    if int(weights.sum()) < 2:
        raise InputError(
            "Cronbach's alpha needs two or more items that every coder judged, got "
            f"{int(weights.sum())}",
            "pass data.select(coders=[...]) with coders who share items",
            argument="data",
        )
    moved = values - weights @ values / weights.sum()
    covariance = (moved * weights[:, None]).T @ moved / weights.sum()
    random = generator(rng)
    return Listing(_of_size(covariance, size, max_subsets, random) for size in checked)


def _of_size(
    covariance: FloatArray, size: int, most: int, rng: np.random.Generator
) -> CronbachOfSize:
    n_coders = len(covariance)
    every = comb(n_coders, size)
    drawn = None if every <= most else sampled(size, n_coders, most, rng)
    blocks = blocks_of(size, n_coders, drawn, AT_ONCE)
    alphas = np.concatenate([_alphas(covariance, block) for block in blocks])
    known = alphas[~np.isnan(alphas)]
    mean, spread, least, most_ = np.nan, np.nan, np.nan, np.nan
    if len(known):
        mean, spread = float(known.mean()), float(known.std())
        least, most_ = float(known.min()), float(known.max())
    return CronbachOfSize(
        size, len(alphas), len(alphas) - len(known), drawn is None, mean, spread,
        spread / abs(mean) if mean else np.nan, least, most_,
    )  # fmt: skip


def _alphas(covariance: FloatArray, block: Block) -> FloatArray:
    """Compute α of each subset of a block; NaN if its coders' sums do not vary."""
    inside = mask_bits(block.masks(), len(covariance))
    total = np.einsum("bi,bi->b", inside @ covariance, inside)
    own = inside @ np.diag(covariance)
    varies = total > 1e-12 * own
    ratio = np.divide(own, total, out=np.full(len(own), np.nan), where=varies)
    return np.asarray(block.size / (block.size - 1) * (1 - ratio))
