"""How the bias of the coders, and its effect on coefficients, fall with the number of coders."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances import Distance, resolve
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.options import Seed, check_count, check_sizes
from agreement_fast.present.tables import Aligned, of_each
from agreement_fast.present.terminal import number_of
from agreement_fast.subsets.all_subsets import coder_subsets


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BiasBySize(Aligned):
    """Bias, and how much κ exceeds π (or β exceeds α'), by the number of coders.

    Attributes
    ----------
    distance : str
        The name of the distance.
    sizes : int64 array of shape (S,)
        Numbers of coders.
    bias : float64 array of shape (S,)
        The mean of B = D_e(individual) − D_e(pooled) over all subsets of each size. P(k|c) is each
        coder's distribution over all of their judgments, and all coders count the same; for
        complete data this is B of the subsets themselves.
    individual, pooled : float64 arrays of shape (S,)
        The means of κ and π (β and α' under another distance) over the subsets of each size; NaN
        with ``max_subsets=0``.
    difference : float64 array of shape (S,)
        `individual` minus `pooled`.
    n_subsets, n_undefined : int64 arrays of shape (S,)
        Number of subsets for the coefficients, and of subsets without a value.
    sampled : bool array of shape (S,)
        Whether these subsets are a random sample.
    """

    _caption = "bias ({distance}) by number of coders: {_by_size}"
    _table = "n_coders | bias | individual | pooled | difference | n_subsets"
    _most = None

    @property
    def _by_size(self) -> dict[str, float]:
        pairs = zip(self.sizes.tolist(), self.bias.tolist(), strict=True)
        return {number_of(size, "coder"): value for size, value in pairs}

    distance: str
    sizes: Array
    bias: FloatArray
    individual: FloatArray
    pooled: FloatArray
    difference: FloatArray
    n_subsets: Array
    n_undefined: Array
    sampled: Array

    _column_names = (
        "n_coders=sizes distance bias individual pooled difference n_subsets n_undefined sampled"
    )


def bias_by_size(
    data: JudgmentsLike,
    *,
    size: int | Iterable[int] | None = None,
    distance: DistanceLike = "nominal",
    max_subsets: int | None = None,
    rng: Seed = None,
    **reading: Unpack[ReadingOptions],
) -> BiasBySize:
    """Compute the mean bias and the mean of κ − π (or β − α') of subsets of the coders, by size.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments of 2 to 63 known coders, or of more with ``max_subsets=0``. Coders without
        judgments are left out.
    size : int or iterable of int, optional
        Numbers of coders; by default 2 to all.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. For other
        distances than "nominal", β and α' replace κ and π.
    max_subsets : int, optional
        If a size has more subsets, the coefficients are of a uniform sample of this number, drawn
        without replacement; 0 computes the bias alone. By default, all subsets are used.
    rng : int or numpy Generator, optional
        The seed or generator of that sample.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    BiasBySize
        A row for each size.

    Raises
    ------
    ValueError
        If the coders are unknown, there are more than 63, or a size is below 2 or above the number
        of coders who judged.

    Notes
    -----
    With b the mean over pairs of coders of Σ P(j|m) P(l|n) d_jl and w the mean over coders of
    Σ P(j|c) P(l|c) d_jl, the mean bias of s coders is (b − w) / s, in O(C · K) to O(C · K²) for all
    sizes. It decreases as one over the number of coders, so the two chance models converge
    (Artstein & Poesio 2005, section 3, observation). Both coefficients are computed on each subset.

    Examples
    --------
    >>> from agreement_fast import subsets
    >>> table = [(1, 1, 2), (1, 2, 2), (1, 1, 1), (2, 2, 2), (1, 1, 2)]
    >>> print(subsets.bias_by_size(table))
    bias (nominal) by number of coders: 2 coders 0.0933, 3 coders 0.0622
      coders    bias  individual  pooled  difference  subsets
           2  0.0933      0.3163  0.1635      0.1528        3
           3  0.0622      0.2857  0.1964      0.0893        1
    """
    annotations = as_annotations(data, **reading)
    resolved = resolve(distance)
    coders = annotations.known_coders("bias_by_size()", marginals=True)
    counts = annotations.coder_marginals().values
    judged: Array = counts.sum(1) > 0
    sizes = check_sizes(size, 2, int(judged.sum()))
    bias = _bias_of_two(annotations, counts[judged], resolved) * 2 / np.array(sizes)
    above = below = np.full(len(sizes), np.nan)
    n_subsets, n_undefined, sampled = np.zeros((3, len(sizes)), np.int64)
    if sizes and (max_subsets is None or check_count("max_subsets", max_subsets, 0)):
        if not judged.all():
            some = [coder for coder, used in zip(coders, judged.tolist(), strict=True) if used]
            annotations = annotations.select(coders=some)
        names = ("kappa", "pi") if resolved.name == "nominal" else ("beta", "alpha_prime")
        study = coder_subsets(
            annotations, names, distance=(resolved,), size=sizes, max_subsets=max_subsets, rng=rng
        )
        above, below = (np.array([row.mean for row in study[name, resolved]]) for name in names)
        counted = of_each(study[names[0], resolved], "n_subsets n_undefined sampled")
        n_subsets, n_undefined, sampled = map(np.array, counted.values())
    return BiasBySize(
        distance=resolved.name,
        sizes=np.array(sizes, np.int64),
        bias=bias,
        individual=above,
        pooled=below,
        difference=above - below,
        n_subsets=n_subsets,
        n_undefined=n_undefined,
        sampled=sampled.astype(bool),
    )


def _bias_of_two(annotations: Annotations, counts: Array, distance: Distance) -> float:
    """Return the mean of B over pairs of coders, from their marginals."""
    n = len(counts)
    if n < 2:
        return math.nan
    shares = counts / counts.sum(1)[:, None]
    pairable = annotations.coincidence_matrix().sum(0)
    form = distance.bind(annotations.labels, annotations.declared, pairable)
    within = math.fsum(form.bilinear(shares, shares)) / n
    between = math.fsum(form.bilinear(shares, shares.sum(0) - shares)) / (n * (n - 1))
    return (between - within) / 2
