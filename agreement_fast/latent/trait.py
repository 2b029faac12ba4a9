"""Latent trait analysis: ordered categories of several coders, and the scale behind these."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances import ordinal
from agreement_fast.latent.em import check_amount, patterns, weights_of
from agreement_fast.latent.graded_fit import (
    STEEPEST,
    Graded,
    GradedFit,
    climb,
    links,
    points,
    standard_errors,
)
from agreement_fast.latent.models import NAN, NO_JUDGMENTS, SHOWN
from agreement_fast.latent.population import Population, estimated
from agreement_fast.options import check_choice, check_count, check_share
from agreement_fast.patterns import Rows, row_of, row_sizes
from agreement_fast.reading.labels import Categories
from agreement_fast.sums.each_row import two_sided_quantile
from agreement_fast.tables import Tabular, aligned
from agreement_fast.terminal import align, counted, number_of, show_label, show_value

#: The largest change of an item's log-likelihood with twice the points.
COARSE = 1e-6

TOO_FEW = "too few coders: two coders must use two or more categories"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LatentTrait(Tabular):
    """A fitted latent trait: each coder's slope and thresholds.

    The trait is standard normal over the items. Coder c says more than category k with probability
    F(slope_c · (trait − threshold_ck)).

    Attributes
    ----------
    coders, categories : sequences of labels
    link : {"logit", "probit"}
        F: the logistic or the normal distribution function.
    slopes : float64 array of shape (C,)
        How well each coder separates items. With "probit", 1 / slope is the standard deviation of
        the coder's errors, in standard deviations of the trait. Negative for a coder who reverses
        the scale; NaN for a coder who used only one category.
    thresholds : float64 array of shape (C, K − 1)
        The points of the trait between each category and the next. Around a category that a coder
        never used, they are infinite at the ends of the scale and equal within it.
    slope_standard_error, slope_low, slope_high : float64 arrays of shape (C,)
        Standard errors and intervals of the slopes.
    threshold_standard_error : float64 array of shape (C, K − 1)
        From the observed information; NaN if the slope is at its limit.
    confidence_level : float
    correlation : float64 array of shape (C,)
        The correlation of each coder's perception with the trait: slope / √(slope² + variance of
        the errors). The variance is 1 for "probit" and π²/3 for "logit".
    equal_slopes : bool
    log_likelihood : float
    n_parameters : int
    n_items, n_items_dropped : int
        The number of items with a judgment by a coder who has a slope, and of the other items.
    n_points : int
        The number of points of the trait in the sum.
    n_iterations : int
    converged : bool
    items : sequence of labels
        The names of the items, in the order of `scores`.
    notes : tuple of str
        Warnings.
    undefined : str or None
        Why there is no estimate.
    """

    coders: Sequence[Any]
    categories: Categories
    link: str
    slopes: FloatArray
    thresholds: FloatArray
    slope_standard_error: FloatArray
    slope_low: FloatArray
    slope_high: FloatArray
    threshold_standard_error: FloatArray
    confidence_level: float
    correlation: FloatArray
    equal_slopes: bool
    log_likelihood: float
    n_parameters: int
    n_items: int
    n_items_dropped: int
    n_points: int
    n_iterations: int
    converged: bool
    notes: tuple[str, ...]
    undefined: str | None
    items: Sequence[Any]
    _rows: Rows
    #: The cell of each coder and category, the first cell of each coder, and slope × threshold.
    _cells: Array
    _first: Array
    _cuts: FloatArray
    _memo: dict[str, Any] = field(default_factory=dict)

    @property
    def aic(self) -> float:
        """Akaike's criterion, −2 ln L + 2 n_parameters."""
        return 2 * self.n_parameters - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """Schwarz's criterion, −2 ln L + n_parameters · ln n_items."""
        return self.n_parameters * math.log(self.n_items or NAN) - 2 * self.log_likelihood

    @property
    def scores(self) -> FloatArray:
        """The mean of the trait given the judgments of each item, float64 of shape (N,)."""
        return self._moments()[0]

    @property
    def score_deviations(self) -> FloatArray:
        """The standard deviation of the trait given the judgments of each item."""
        return self._moments()[1]

    @property
    def reliability(self) -> float:
        """The share of the trait's variance that the scores explain."""
        weights = weights_of(self._rows)
        used = row_sizes(self._rows) > 0
        if self.undefined is not None or not (weights * used).sum() > 0:
            return NAN
        left = float((weights * used) @ np.square(self.score_deviations))
        return 1.0 - left / float((weights * used).sum())

    def _moments(self) -> tuple[FloatArray, FloatArray]:
        if "moments" not in self._memo:
            n = self._rows.n_rows
            found = np.full(n, NAN), np.full(n, NAN)
            if self.undefined is None:
                graded, slopes = self._graded()
                found = graded.moments(slopes, self._cuts, self.n_points)
            self._memo["moments"] = found
        out: tuple[FloatArray, FloatArray] = self._memo["moments"]
        return out

    def _graded(self) -> tuple[Graded, FloatArray]:
        used = ~np.isnan(self.slopes)
        graded = Graded.of(self._rows, self._cells, self._first, links()[self.link])
        return graded, self.slopes[used]

    def population(self) -> Population:
        """Return items at each point of the trait, and the coders, for `simulation.simulate`.

        The true label of an item is the category that coders say most often of such items.
        """
        if self.undefined is not None:
            return estimated(
                self.categories, np.ones(0), np.zeros((0, 0, 0)), (), (), self.undefined
            )
        at, shares = points(self.n_points)
        used = ~np.isnan(self.slopes)
        graded, slopes = self._graded()
        P, _ = graded.probabilities(slopes, self._cuts, at)
        table = np.full((len(self.coders), len(at), len(self.categories)), NAN)
        table[used] = 0.0
        coder, category = np.nonzero(self._cells >= 0)
        table[coder, :, category] = P[self._cells[coder, category]]
        said = table[used].mean(0).argmax(1)
        truth = [self.categories[k] for k in said.tolist()]
        return estimated(self.categories, shares, table, self.coders, truth, None)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with one row per coder."""
        found = aligned(
            self,
            "coder=coders slope=slopes standard_error=slope_standard_error low=slope_low "
            "high=slope_high confidence_level correlation",
        )
        for k in range(self.thresholds.shape[1]):
            found[f"threshold_{k + 1}"] = self.thresholds[:, k]
            found[f"threshold_{k + 1}_standard_error"] = self.threshold_standard_error[:, k]
        return found

    def _head(self) -> str:
        if self.undefined is not None:
            return self.undefined
        state = "" if self.converged else ", NOT CONVERGED"
        return (
            f"{self.link}, {counted(len(self.coders), 'coder')}, "
            f"{number_of(self.n_items, 'item')}, log-likelihood {self.log_likelihood:.6g}{state}"
        )

    def __repr__(self) -> str:
        return f"<LatentTrait: {self._head()}>"

    def __str__(self) -> str:
        lines = [f"LatentTrait: {self._head()}"]
        if self.undefined is None:
            lines.append(
                f"AIC {self.aic:.6g}, BIC {self.bic:.6g}, {self.n_parameters} parameters, "
                f"reliability of the scores {self.reliability:.4f}"
            )
            names = [f"to {show_label(label)}" for label in self.categories[1:]]
            rows = [
                (
                    show_label(self.coders[c]),
                    *map(
                        show_value,
                        (
                            float(self.slopes[c]),
                            float(self.slope_low[c]),
                            float(self.slope_high[c]),
                            *self.thresholds[c].tolist(),
                        ),
                    ),
                )
                for c in range(min(SHOWN, len(self.coders)))
            ]
            head = ("coder", "slope", "low", "high", *names)
            lines += align(head, rows, "<" + ">" * (len(head) - 1), indent="")
            if len(self.coders) > SHOWN:
                lines.append(f"... and {len(self.coders) - SHOWN} more coders")
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def latent_trait(
    data: Any,
    link: str = "logit",
    *,
    equal_slopes: bool = False,
    n_points: int = 121,
    confidence_level: float = 0.95,
    tolerance: float = 1e-7,
    max_iterations: int = 1000,
) -> LatentTrait:
    """Fit a normal trait behind ordered categories, with each coder's thresholds and slope.

    Parameters
    ----------
    data : Annotations, or a table as `Annotations.from_wide` takes it
        The categories must be numbers or have a declared order. Missing judgments are assumed to be
        missing at random.
    link : {"logit", "probit"}
        The distribution of the coders' errors: logistic (the default; Samejima's graded responses)
        or normal.
    equal_slopes : bool, default False
        Whether all coders have the same slope, up to its sign. Two coders always do, because their
        judgments determine one correlation, not two slopes.
    n_points : int, default 121
        The number of points of the trait, from −6 to 6, in the sum of the likelihood; at least 15.
    confidence_level : float, default 0.95
        Confidence level of the slopes' intervals, between 0 and 1.
    tolerance : float, default 1e-7
        Stop if no derivative of the mean log-likelihood of an item is larger than this.
    max_iterations : int, default 1000
        The largest number of iterations.

    Returns
    -------
    LatentTrait
        The fitted model.

    Raises
    ------
    ValueError
        If the categories have no order, coders are unknown, or an option is invalid.

    Notes
    -----
    The fit is by marginal maximum likelihood with BFGS; derivatives use Fisher's identity. The
    trait is integrated out by a sum over equally spaced points. For smooth functions that vanish at
    both ends, this sum converges faster than any power of the number of points. Unlike
    Gauss-Hermite points, it is also accurate for the narrow likelihoods of items with many
    judgments. The direction of the trait is the one in which most slopes are positive. The cost is
    O(iterations × judgments of the distinct rows × points).

    References
    ----------
    Samejima, F. (1969). Estimation of latent ability using a response pattern of graded scores.
    Psychometrika Monograph 17. Uebersax, J. S. (1993). Statistical modeling of expert ratings on
    medical treatment appropriateness. Journal of the American Statistical Association 88, 421-427.

    Examples
    --------
    >>> from agreement_fast import latent, simulation
    >>> coders = simulation.noisy_coders(
    ...     {1: 3, 2: 4, 3: 3}, 0.7, distance="interval", errors="linear"
    ... )
    >>> data = simulation.simulate(coders, n_items=300, n_coders=3, rng=1).annotations
    >>> model = latent.latent_trait(data)
    >>> model.thresholds.round(1).tolist()
    [[-0.6, 0.6], [-0.7, 0.6], [-0.5, 0.5]]
    """
    known = links()
    check_choice("link", link, tuple(known))
    check_count("n_points", n_points, 15)
    check_count("max_iterations", max_iterations, 1)
    check_share("confidence_level", confidence_level)
    check_amount("tolerance", tolerance)
    annotations = as_annotations(data)
    coders = annotations.known_coders("latent_trait()")
    labels = annotations.categories
    ordinal.bind(labels, annotations.declared, np.ones(len(labels)))  # checks the order
    grouped = annotations.grouped()
    rows, _ = patterns(grouped)
    C, K = len(coders), len(labels)
    said = _said(rows, C, K)
    used = (said > 0).sum(1) > 1
    notes: list[str] = []
    if not used.all():
        notes.append(f"{counted(int((~used).sum()), 'coder')} used at most one category: no slope")
    cells, first = _cells(said > 0, used)
    weights = weights_of(rows)
    graded = Graded.of(rows, cells, first, known[link])
    judged = np.diff(graded.said.indptr) > 0
    n_items = int(weights[judged].sum())
    whole = annotations.rows
    n_all = whole.n_rows if whole.weights is None else int(whole.weights.sum())
    undefined = None
    if not said.any():
        undefined = NO_JUDGMENTS
    elif used.sum() < 2:
        undefined = TOO_FEW
    common: dict[str, Any] = {
        "coders": tuple(coders),
        "categories": labels,
        "link": link,
        "confidence_level": confidence_level,
        "n_items": n_items,
        "n_items_dropped": n_all - n_items,
        "n_points": n_points,
        "items": annotations.items,
        "_rows": whole,
        "_cells": cells,
        "_first": first,
        "undefined": undefined,
    }
    if undefined is not None:
        nothing, none = np.full(C, NAN), np.full((C, max(K - 1, 0)), NAN)
        return LatentTrait(
            **common, slopes=nothing, thresholds=none, slope_standard_error=nothing,
            slope_low=nothing, slope_high=nothing, threshold_standard_error=none,
            correlation=nothing, equal_slopes=equal_slopes, log_likelihood=NAN, n_parameters=0,
            n_iterations=0, converged=False, notes=tuple(notes), _cuts=np.zeros(0),
        )  # fmt: skip
    graded = Graded(graded.said[judged], weights[judged], first, known[link])
    if used.sum() == 2 and not equal_slopes:
        equal_slopes = True
        notes.append("two coders: one correlation does not determine two slopes, so they are equal")
    fit = climb(graded, said[used], equal_slopes, n_points, tolerance, max_iterations)
    notes += _notes(fit, graded, n_points, max_iterations)
    slope, cuts = fit.slopes, fit.cuts
    slope_error, threshold_error, problem = standard_errors(fit, graded, n_points)
    if problem is not None:
        notes.append(problem)
    slopes, errors = np.full(C, NAN), np.full(C, NAN)
    slopes[used] = slope
    # at its limit, a slope is not at a maximum of the likelihood, so curvature gives no error
    errors[used] = np.where(np.abs(slope) > 0.99 * STEEPEST, NAN, slope_error)
    z = two_sided_quantile(confidence_level)
    thresholds, threshold_errors = np.full((2, C, K - 1), NAN)
    for place, c in enumerate(np.flatnonzero(used).tolist()):
        mine = graded.thresholds_of(place)
        ends, of = _spread(said[c] > 0, cuts[mine] / slope[place], float(slope[place]))
        thresholds[c] = ends
        inside = of >= 0
        threshold_errors[c, inside] = threshold_error[mine][of[inside]]
    return LatentTrait(
        **common,
        slopes=slopes,
        thresholds=thresholds,
        slope_standard_error=errors,
        slope_low=slopes - z * errors,
        slope_high=slopes + z * errors,
        threshold_standard_error=threshold_errors,
        correlation=slopes / np.sqrt(slopes**2 + known[link].variance),
        equal_slopes=equal_slopes,
        log_likelihood=fit.value,
        n_parameters=(1 if equal_slopes else len(slope)) + len(cuts),
        n_iterations=fit.n_iterations,
        converged=fit.converged,
        notes=tuple(notes),
        _cuts=cuts,
    )


def _said(rows: Rows, n_coders: int, n_categories: int) -> FloatArray:
    """Count how often each coder said each category: float64 of shape (C, K)."""
    where = np.flatnonzero(rows.codes >= 0)
    coder = where % rows.width if rows.width else rows.coders
    assert coder is not None
    coder = coder if rows.width else coder[where]
    out = np.zeros((n_coders, n_categories))
    np.add.at(out, (coder, rows.codes[where]), weights_of(rows)[row_of(rows, where)])
    return out


def _cells(said: Array, used: Array) -> tuple[Array, Array]:
    """Number the categories of each coder with a slope, else -1; return each coder's first."""
    mine = said & used[:, None]
    cells = np.where(mine, np.cumsum(mine).reshape(mine.shape) - 1, -1)
    first = np.concatenate([[0], np.cumsum(mine.sum(1)[used])]).astype(np.int64)
    return cells, first


def _spread(said: Array, thresholds: FloatArray, slope: float) -> tuple[FloatArray, Array]:
    """Expand thresholds between the categories that a coder said to all; return their places too.

    Thresholds below the first such category are at one end of the trait, above the last at the
    other.
    """
    passed = np.cumsum(said)[:-1]  # the number of said categories that are not above
    inside = (passed > 0) & (passed < said.sum())
    end = np.copysign(np.inf, slope)
    out = np.where(passed == 0, -end, end)
    out[inside] = thresholds[passed[inside] - 1]
    return out, np.where(inside, passed - 1, -1)


def _notes(fit: GradedFit, graded: Graded, n_points: int, max_iterations: int) -> list[str]:
    out = []
    if not fit.converged:
        out.append(
            f"not converged in {fit.n_iterations} iterations; raise max_iterations (now "
            f"{max_iterations}) or tolerance"
        )
    steep = int((np.abs(fit.slopes) > 0.99 * STEEPEST).sum())
    if steep:
        out.append(
            f"{counted(steep, 'coder')} at the largest slope, {STEEPEST:g}: their judgments follow "
            "the trait without errors, as happens if coders agree on everything"
        )
    finer, _, _ = graded.log_likelihood(fit.slopes, fit.cuts, 2 * n_points - 1)
    moved = abs(finer - fit.value) / graded.weights.sum()
    if moved > COARSE:
        out.append(
            f"too few points: doubling them changes the log-likelihood of an item by {moved:.2g}; "
            f"raise n_points (now {n_points})"
        )
    return out
