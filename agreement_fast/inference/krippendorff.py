"""Hayes & Krippendorff's bootstrap of α, which draws pairs of judgments and keeps D_e.

The algorithm is Krippendorff's ("Algorithm for bootstrapping a distribution of α", 2006, revised
2011), as Hayes' macro KALPHA 3.0 runs it. It treats the pairs of an item as independent and D_e as
known. With many coders and few items its intervals are therefore narrower than those of a bootstrap
of items.
"""

from __future__ import annotations

import numpy as np

from agreement_fast._kernels.arrays import FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.chance import CHANCE
from agreement_fast.distances.sums.categories import bind, judgments_needed
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.resample import AT_ONCE, in_lots
from agreement_fast.options import Incomplete
from agreement_fast.points import Point

#: The most categories for which the cells of the coincidence matrix are drawn.
CATEGORIES = 2048

#: The most draws for each cell of the coincidence matrix that is not empty.
DRAWS_A_CELL = 25


def pair_replicates(
    annotations: Annotations,
    point: Point,
    incomplete: Incomplete,
    n_resamples: int,
    rng: np.random.Generator,
    threads: int | None,
    progress: bool,
) -> FloatArray:
    """Return α of draws of pairs, float64 of shape (n_resamples,).

    A draw takes M = min(25 Q, (m − 1) n.. / 2) cells of the coincidence matrix by their shares, for
    Q cells that are not empty, m coders and n.. pairable judgments. It gives 1 − Σ δ² / (M D_e), at
    least −1. Draws that show agreement only are set to 0 as often as all pairs would fall into one
    category, and always if the coders agree on one category only.
    """
    if point.chance is not CHANCE["pooled_unbiased"] or point.item_weight != "judgments":
        raise InputError(
            (Argument("method", "krippendorff"), f" is for alpha, not for {point.name}"),
            argument="method",
        )
    K = len(annotations.labels)
    if K > CATEGORIES:
        raise InputError(
            (
                Argument("method", "krippendorff"),
                f" needs a matrix of {K} x {K} coincidences",
            ),
            ("pass ", Argument("method", "percentile")),
            argument="method",
        )
    least = judgments_needed(annotations, incomplete)
    sums, form, _ = bind(annotations, point.distance, CHANCE["uniform"], least)
    coincidences = annotations.coincidence_matrix().values
    if least > 2:
        every = annotations.select(items=_complete(annotations, least))
        coincidences = every.coincidence_matrix().values
    n = coincidences.sum()
    counts = coincidences.sum(1)
    if n < 2:
        return np.full(n_resamples, np.nan)
    expected = float(form.bilinear(counts, counts)) / (n * (n - 1))
    if not expected > 0:
        return np.full(n_resamples, np.nan)
    first, second = np.nonzero(np.triu(coincidences))
    shares = coincidences[first, second] * np.where(first == second, 1.0, 2.0) / n
    shares /= shares.sum()
    gaps = form.between(first, second) * (first != second)
    n_cells = int(np.count_nonzero(coincidences))
    n_coders = annotations.n_coders or max(sums.items_by_size)
    draws = int(min(DRAWS_A_CELL * n_cells, (n_coders - 1) * n / 2))
    agreed = np.diagonal(coincidences)
    agreed = agreed[agreed > 0]

    def work(count: int, own: np.random.Generator) -> FloatArray:
        drawn = own.multinomial(draws, shares, size=count)
        values: FloatArray = np.maximum(1.0 - (drawn @ gaps) / (draws * expected), -1.0)
        return values

    alphas = np.concatenate(in_lots(work, n_resamples, AT_ONCE, rng, threads, progress))
    perfect = np.flatnonzero(alphas == 1.0)
    if len(agreed) == 1:
        alphas[perfect] = 0.0
    else:
        pairs = sum(n * size * (size - 1) / 2 for _, size, n in sums.pairable_sizes)
        constant = round(n_resamples * float(((agreed / n) ** pairs).sum()))
        alphas[perfect[:constant]] = 0.0
    return alphas


def _complete(annotations: Annotations, least: int) -> list[object]:
    """Return the items with `least` judgments or more."""
    sizes = annotations.to_counts().sum(1)
    return [item for item, size in zip(annotations.items, sizes, strict=True) if size >= least]
