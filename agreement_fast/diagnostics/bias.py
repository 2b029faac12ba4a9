"""Bias and prevalence: what moves chance, and how far it moves a coefficient."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.coefficients import agreement_table
from agreement_fast.distances import resolve
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_count, check_number
from agreement_fast.results import Agreement
from agreement_fast.tables import Row, Tabular

#: Krippendorff's cut-offs, which Di Eugenio & Glass see κ and π straddle.
THRESHOLDS = (0.67, 0.8)


@dataclass(frozen=True, slots=True)
class Bias(Row):
    """Bias of the coders and prevalence of the categories, and what they do.

    Attributes
    ----------
    individual, pooled : Agreement
        κ and π, or β and α' under another distance than nominal.
    bias : float
        B = D_e(individual) − D_e(pooled); for nominal data A_e of π less that of κ, the sum over
        categories of the variance of P(k|c) over coders divided by their number less one
        (Artstein & Poesio 2005, section 3 and appendices A and B; the sign of appendix B is
        reversed there).
    difference : float
        κ − π. With nominal data it is B (1 − A_o) / ((1 − A_e of π) (1 − A_e of κ)).
    adjusted : float or None
        2 A_o − 1, the prevalence-adjusted and bias-adjusted κ (PABAK) of Byrt, Bishop & Carlin
        1993, for nominal data. Their meaning is for two categories, where it is S; Di Eugenio &
        Glass 2004 report it beside κ and π whatever the categories.
    bias_index, prevalence_index : float or None
        (b − c) / N and (a − d) / N of a 2 × 2 table of two coders (Byrt, Bishop & Carlin 1993);
        None where there are not two coders and two categories.
    straddles : tuple of float
        The thresholds that lie between π and κ, so that a verdict depends on the coefficient.
    """

    individual: Agreement
    pooled: Agreement
    bias: float
    difference: float
    adjusted: float | None
    bias_index: float | None
    prevalence_index: float | None
    straddles: tuple[float, ...]

    def __repr__(self) -> str:
        third = "" if self.adjusted is None else f", 2 A_o - 1 = {self.adjusted:.4f}"
        return (
            f"<Bias {self.bias:.6g}: {self.individual.coefficient} = {self.individual.value:.4f}, "
            f"{self.pooled.coefficient} = {self.pooled.value:.4f}{third}>"
        )


def bias(
    data: Any,
    *,
    distance: Any = "nominal",
    thresholds: tuple[float, ...] = THRESHOLDS,
    incomplete: str = "published",
) -> Bias:
    """Bias, prevalence, and the three numbers of Di Eugenio & Glass 2004: κ, π and 2 A_o − 1.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        With known coders.
    distance : str, Distance, array, mapping or function
    thresholds : tuple of float
        Values that a verdict hangs on.
    incomplete : {"published", "pairable", "complete"}
        See `agreement`.

    Returns
    -------
    Bias

    Notes
    -----
    One pass over the patterns.

    Examples
    --------
    Di Eugenio & Glass 2004, example 6, where κ is 0.364 (printed 0.418) and π 0.284 (printed 0.27):

    >>> import agreement_fast as af
    >>> from agreement_fast.diagnostics import bias
    >>> found = bias(af.Annotations.from_contingency([[40, 35], [0, 25]]))
    >>> round(found.individual.value, 3), round(found.pooled.value, 3), round(found.adjusted, 3)
    (0.364, 0.284, 0.3)
    >>> found.bias_index, found.prevalence_index
    (0.35, 0.15)
    """
    thresholds = tuple(check_number("a threshold", cut) for cut in thresholds)
    annotations = as_annotations(data)
    resolved = resolve(distance)
    nominal = resolved.name == "nominal"
    names = ["kappa", "pi"] if nominal else ["beta", "alpha_prime"]
    individual, pooled = agreement_table(annotations, names, [resolved], incomplete=incomplete)
    gap = individual.expected_disagreement - pooled.expected_disagreement
    low, high = sorted((individual.value, pooled.value))
    bias_index, prevalence_index = _indices(annotations) if nominal else (None, None)
    return Bias(
        individual=individual,
        pooled=pooled,
        bias=gap,
        difference=individual.value - pooled.value,
        adjusted=1.0 - 2.0 * pooled.observed_disagreement if nominal else None,
        bias_index=bias_index,
        prevalence_index=prevalence_index,
        straddles=tuple(t for t in thresholds if low < t <= high),
    )


def _indices(annotations: Annotations) -> tuple[float | None, float | None]:
    coders = annotations.coders
    if coders is None or len(coders) != 2 or len(annotations.categories) != 2:
        return None, None
    (a, b), (c, d) = annotations.contingency_table(*coders).tolist()
    total = a + b + c + d
    if not total:
        return math.nan, math.nan
    return (b - c) / total, (a - d) / total


def bias_by_coders(data: Any, sizes: Any = None, *, distance: Any = "nominal") -> FloatArray:
    """The bias that so many of the coders have, on average over all choices of them.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
    sizes : sequence of int, optional
        Numbers of coders; 2 .. C by default.
    distance : str, Distance, array, mapping or function

    Returns
    -------
    float64 array, one entry a size
        Mean of B = D_e(individual) − D_e(pooled) over the subsets of each size, P(k|c) being each
        coder's distribution over all of their judgments and coders weighing the same: for complete
        data B of each subset of the coders.

    Notes
    -----
    With b the mean over pairs of coders of Σ P(j|m) P(l|n) d_jl and w the mean over coders of
    Σ P(j|c) P(l|c) d_jl, the mean bias of s coders is (b − w) / s: it falls as the number grows
    (Artstein & Poesio 2005, section 3, observation). O(C · K) to O(C · K²); no subset is made.

    Examples
    --------
    >>> from agreement_fast.diagnostics import bias_by_coders
    >>> table = [(1, 1, 2), (1, 2, 2), (1, 1, 1), (2, 2, 2), (1, 1, 2)]
    >>> bias_by_coders(table).round(4).tolist()
    [0.0933, 0.0622]
    """
    annotations = as_annotations(data)
    annotations.known_coders("the bias by number of coders", marginals=True)
    counts = annotations.coder_marginals().values
    totals = counts.sum(1)
    counts, totals = counts[totals > 0], totals[totals > 0]
    n = len(counts)
    wanted = np.arange(2, n + 1) if sizes is None else _sizes(sizes, n)
    if n < 2:
        return np.full(wanted.shape, np.nan)
    shares = counts / totals[:, None]
    pairable = annotations.coincidence_matrix().sum(0)
    form = resolve(distance).bind(annotations.labels, annotations.declared, pairable)
    own = math.fsum(form.bilinear(shares, shares))
    others = math.fsum(form.bilinear(shares, shares.sum(0) - shares))
    between, within = others / (n * (n - 1)), own / n
    out: FloatArray = (between - within) / wanted
    return out


def _sizes(sizes: Any, n: int) -> npt.NDArray[np.int64]:
    """Numbers of coders, in the order given, each from 2 to those who judged."""
    if isinstance(sizes, (str, bytes)) or not isinstance(sizes, Iterable):
        raise InputTypeError.must_be("sizes", "a sequence, such as [2, 3]", sizes)
    wanted = [check_count("sizes", size, 2, each=True) for size in sizes]
    if max(wanted, default=0) > n:
        raise InputError(
            f"sizes go from 2 to the {n} coders who judged, not {wanted}",
            argument="sizes",
        )
    return np.array(wanted, np.int64)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DifferenceByCoders(Tabular):
    """Coefficients with a distribution for each coder less those with one for all, by coders.

    Attributes
    ----------
    distance : str
    sizes : int64 array of shape (S,)
        Numbers of coders.
    individual, pooled : float64 arrays of shape (S,)
        The means of κ and π (β and α' under another distance) over the subsets of each size.
    difference : float64 array of shape (S,)
        `individual` less `pooled`.
    n_subsets, n_undefined : tuples of S int
        Subsets that were taken, and those without a value.
    sampled : tuple of S bool
        Whether the subsets of a size are a random sample.
    """

    distance: str
    sizes: npt.NDArray[np.int64]
    individual: FloatArray
    pooled: FloatArray
    difference: FloatArray
    n_subsets: tuple[int, ...]
    n_undefined: tuple[int, ...]
    sampled: tuple[bool, ...]

    def columns(self) -> Mapping[str, Sequence[Any] | FloatArray | npt.NDArray[np.int64]]:
        """Give a row for each number of coders."""
        return {
            "n_coders": self.sizes,
            "distance": [self.distance] * len(self.sizes),
            "individual": self.individual,
            "pooled": self.pooled,
            "difference": self.difference,
            "n_subsets": self.n_subsets,
            "n_undefined": self.n_undefined,
            "sampled": self.sampled,
        }

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{size}: {gap:.6g}"
            for size, gap in zip(self.sizes.tolist(), self.difference.tolist(), strict=True)
        )
        return f"<individual less pooled coefficients ({self.distance}) by coders: {shown}>"


def difference_by_coders(
    data: Any,
    sizes: Iterable[int] | None = None,
    *,
    distance: Any = "nominal",
    max_subsets: int | None = None,
    rng: Any = None,
) -> DifferenceByCoders:
    """How much κ exceeds π (β exceeds α') with so many coders, on average over who they are.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Of 2 to 63 coders.
    sizes, max_subsets, rng :
        As in `subsets.coder_subsets`, which computes both on every subset, or a sample of them.
    distance : str, Distance, array, mapping or function

    Returns
    -------
    DifferenceByCoders

    Notes
    -----
    With more coders the two chance models come together (Artstein & Poesio 2005, section 3): the
    difference of D_e falls as one over the number of coders, see `bias_by_coders`.

    Examples
    --------
    >>> from agreement_fast.diagnostics import difference_by_coders
    >>> table = [(1, 1, 2), (1, 2, 2), (1, 1, 1), (2, 2, 2), (1, 1, 2)]
    >>> difference_by_coders(table).difference.round(3).tolist()
    [0.153, 0.089]
    """
    from agreement_fast.subsets.study import coder_subsets

    resolved = resolve(distance)
    names = ("kappa", "pi") if resolved.name == "nominal" else ("beta", "alpha_prime")
    study = coder_subsets(
        data, names, distances=(resolved,), sizes=sizes, max_subsets=max_subsets, rng=rng
    )
    above, below = (study[name, resolved] for name in names)
    individual, pooled = (np.array([row.mean for row in rows]) for rows in (above, below))
    return DifferenceByCoders(
        distance=resolved.name,
        sizes=np.array([row.size for row in above]),
        individual=individual,
        pooled=pooled,
        difference=individual - pooled,
        n_subsets=tuple(row.n_subsets for row in above),
        n_undefined=tuple(row.n_undefined for row in above),
        sampled=tuple(row.sampled for row in above),
    )
