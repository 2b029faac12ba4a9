"""Cronbach's α over subsets of the coders: how much it depends on who was asked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError
from agreement_fast.options import check_count, check_sizes, generator
from agreement_fast.other_measures.ratings import Ratings
from agreement_fast.subsets.masks import MOST_CODERS, Block, blocks_of, mask_bits, sampled
from agreement_fast.tables import Listing, Row
from agreement_fast.terminal import number_of, show_value

#: Subsets that are looked at together.
AT_ONCE = 1 << 14


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CronbachOfSize(Row):
    """Cronbach's α over the subsets of one number of coders.

    Attributes
    ----------
    n_coders, n_subsets, n_undefined : int
        `n_undefined` subsets have no variation, and no value.
    exact : bool
        Whether these are all subsets.
    mean, standard_deviation, relative_standard_deviation : float
        Over the subsets, the deviation by their number; the last is over the absolute mean.
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
    """Cronbach's α over subsets of the coders, as `subsets.coder_subsets` does with agreement.

    Antoine et al. (2014, footnote 2) report a relative standard deviation above 22% of Cronbach's α
    in this design.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        Coders must be known and labels numbers; items that a coder did not judge are left out.
    sizes : iterable of int, optional
        By default from 2 to all coders.
    max_subsets : int
        Of each size; where there are more, so many are drawn.
    rng : int or numpy Generator, optional

    Returns
    -------
    Listing of CronbachOfSize

    Raises
    ------
    ValueError
        Labels that are no numbers; fewer than two coders, or more than 63; no item that every coder
        judged; a size that cannot be.

    Notes
    -----
    All subsets share the covariances of the coders: O(U · C² + subsets · C²).

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
            f"there are {n_coders:,} coders, and subsets are of {MOST_CODERS} coders at most",
            "pass data.select(coders=[...])",
        )
    wanted = check_sizes(sizes, 2, n_coders)
    values, weights, _ = ratings.complete()
    if int(weights.sum()) < 2:
        raise InputError(
            "Cronbach's alpha needs two items or more that every coder judged, and "
            f"{int(weights.sum())} is there",
            "pass data.select(coders=[...]) with coders who share items",
            argument="data",
        )
    moved = values - weights @ values / weights.sum()
    covariance = (moved * weights[:, None]).T @ moved / weights.sum()
    random = generator(rng)
    return Listing(_of_size(covariance, size, max_subsets, random) for size in wanted)


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
    """α of each subset of a block; NaN where its coders' sums do not vary."""
    inside = mask_bits(block.masks(), len(covariance))
    total = np.einsum("bi,bi->b", inside @ covariance, inside)
    own = inside @ np.diag(covariance)
    varies = total > 1e-12 * own
    ratio = np.divide(own, total, out=np.full(len(own), np.nan), where=varies)
    return np.asarray(block.size / (block.size - 1) * (1 - ratio))
