"""How well coders find a category, and how many are needed (Artstein & Poesio 2005, 6.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, mean_of_defined
from agreement_fast._kernels.normal import LARGEST_VARIANCE, two_sided_quantile, wilson_ends
from agreement_fast.chance import beyond_chance
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.models.uncertainty import BOUNDARY, NAN, Curvature, curvature
from agreement_fast.options import (
    Seed,
    check_choice,
    check_count,
    check_probability,
    check_resamples,
    check_share,
    generator,
)
from agreement_fast.present.tables import Aligned, Row, Tabular, aligned, ends_of

if TYPE_CHECKING:
    from agreement_fast.models.latent_classes import LatentModel


@dataclass(frozen=True, slots=True, eq=False)
class RateIntervals(Aligned):
    """Standard errors and intervals of one rate, for each coder and for the mean.

    Attributes
    ----------
    standard_error, low, high : float64 arrays of shape (C,)
        For rates of 0 and 1, the standard error is NaN, but the interval is not.
    size : float64 array of shape (C,)
        The effective number of items: the number of items of known class that would give the same
        variance.
    mean_standard_error, mean_low, mean_high, mean_size : float
        The same for the mean of the coders.
    """

    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    size: FloatArray
    mean_standard_error: float
    mean_low: float
    mean_high: float
    mean_size: float

    _column_names = "standard_error low high size"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AboveThreshold(Tabular):
    """Tests whether a rate is above a threshold, for each coder and for the mean.

    Attributes
    ----------
    rate : {"sensitivity", "specificity"}
    threshold : float
    coders : sequence of labels
    value, z, p_value : float64 arrays of shape (C,)
        The rates, their distances above the threshold in standard errors, and the one-sided
        p-values. NaN if unknown.
    mean_value, mean_z, mean_p_value : float
        The same for the mean of the coders.
    """

    _caption = (
        "{rate} above {threshold:g}: mean {mean_value:.4f}, z = {mean_z:.3f}, p = "
        "{mean_p_value:.4f}, {coders:coder}"
    )
    _table = "coder | {rate} = value | z | p = p_value"
    _what = "coder"

    rate: str
    threshold: float
    coders: Sequence[Any]
    value: FloatArray
    z: FloatArray
    p_value: FloatArray
    mean_value: float
    mean_z: float
    mean_p_value: float

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with one row per coder."""
        return aligned(self, f"coder=coders {self.rate}=value threshold z p_value")


def rate_intervals(
    model: LatentModel,
    curvature: Curvature,
    side: Array,
    place: int,
    rates: FloatArray,
    confidence_level: float,
) -> RateIntervals:
    """Compute intervals of Σ_{t∈S} π_t θ_ctk / Σ_{t∈S} π_t.

    `side` (bool (T,)): the classes S. `place`: the category k. `rates` (float64 (C,)).
    """
    # Standard errors of the rates and of their mean, by the delta method on the logits
    layout, half = curvature.layout, curvature.half
    shares, table = model.shares, np.nan_to_num(model.probabilities, nan=0.0)
    total = shares[side].sum()
    gradient = np.zeros((len(rates), layout.n))
    for j, t in enumerate(layout.classes.tolist()):
        if side[t]:
            gradient[:, j] = (table[:, t, place] - rates) * shares[t] / total
    for t in np.flatnonzero(side).tolist():
        (coder, category), places = layout.cells[t], layout.places[t]
        p = table[coder, t, place]
        slopes = p * ((category == place) - table[coder, t, category])
        gradient[coder, places] = slopes * shares[t] / total
    known = ~np.isnan(rates)
    n_known = int(known.sum())
    gradient[~known] = 0.0
    of_mean = gradient[known].sum(0) / max(n_known, 1)
    errors = np.sqrt(np.square(half @ gradient.T).sum(0))
    errors[~known] = NAN
    mean_error = np.sqrt(np.square(half @ of_mean).sum())
    judged = curvature.judged[:, side].sum(1)
    z = two_sided_quantile(confidence_level)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_judged = np.asarray(n_known**2 / (1 / judged[known]).sum())
        mean = np.asarray(rates[known].mean() if n_known else NAN)
        size, low, high = _score(rates, errors, judged, z)
        mean_size, mean_low, mean_high = map(float, _score(mean, mean_error, mean_judged, z))
    inside = (rates > BOUNDARY) & (rates < 1 - BOUNDARY)
    errors, mean_error = np.where(inside, errors, NAN), mean_error if inside.any() else NAN
    of_mean = float(mean_error), mean_low, mean_high, mean_size
    return RateIntervals(errors, low, high, size, *of_mean)


def mirrored(of: RateIntervals) -> RateIntervals:
    """Return the intervals of 1 minus the rates."""
    return replace(
        of, low=1 - of.high, high=1 - of.low, mean_low=1 - of.mean_high, mean_high=1 - of.mean_low
    )


def _score(
    rate: FloatArray, error: FloatArray, judged: FloatArray, z: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Compute the effective number of items of a rate, and Wilson's interval with this number.

    The variance is at least that of items of known class.
    """
    squares = (judged * error) ** 2
    inflation = (squares + LARGEST_VARIANCE) / (judged * rate * (1 - rate) + LARGEST_VARIANCE)
    size = judged / np.maximum(inflation, 1.0)
    return size, *wilson_ends(rate, size, z)


def above_threshold(
    rate: str,
    threshold: float,
    coders: Sequence[Any],
    values: tuple[FloatArray, float],
    intervals: RateIntervals,
) -> AboveThreshold:
    """Compute the score test of each rate, with the variance at the threshold."""
    from scipy.special import ndtr

    check_share("threshold", threshold)
    value, mean = values
    result = []
    for rates, size in ((value, intervals.size), (mean, intervals.mean_size)):
        z = (rates - threshold) / np.sqrt(threshold * (1 - threshold) / np.asarray(size))
        result.append((z, ndtr(-z)))
    (z, p_value), (mean_z, mean_p) = result
    return AboveThreshold(
        rate, threshold, coders, value, z, p_value, mean, float(mean_z), float(mean_p)
    )


#: The most products of an information matrix that is computed by default: about a second.
UNASKED = 1e9


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Accuracy(Aligned):
    """Sensitivity and specificity of each coder for one category.

    Attributes
    ----------
    category : label
        The category of interest.
    classes : tuple of int
        The latent classes whose items are of that category.
    prevalence : float
        The share of these classes.
    coders : sequence of labels
    sensitivity : float64 array of shape (C,)
        P(coder says the category | the item is of it), also called recall. NaN if unknown.
    specificity : float64 array of shape (C,)
        P(coder says something else | the item is not of it). NaN if unknown.
    mean_sensitivity, mean_specificity : float
        Means over the coders whose rate is known.
    sensitivity_interval, specificity_interval : RateIntervals
        Standard errors and intervals of each coder and of the mean: ``low``, ``high``,
        ``standard_error``, ``mean_low`` ...
    confidence_level : float
    undefined : str or None
        Why there are no rates.
    note : str or None
        Why there are no intervals.
    """

    _caption = (
        "Accuracy for {category:r}: sensitivity {mean_sensitivity:.4f}[ "
        "({sensitivity_interval.mean_low:.4f} to {sensitivity_interval.mean_high:.4f})], "
        "specificity {mean_specificity:.4f}[ ({specificity_interval.mean_low:.4f} to "
        "{specificity_interval.mean_high:.4f})], prevalence {prevalence:.4f}"
    )
    _table = (
        "coder | sensitivity | sensitivity_low..sensitivity_high | specificity | "
        "specificity_low..specificity_high"
    )
    _what = "coder"

    category: Any
    classes: tuple[int, ...]
    prevalence: float
    coders: Sequence[Any]
    sensitivity: FloatArray
    specificity: FloatArray
    mean_sensitivity: float
    mean_specificity: float
    sensitivity_interval: RateIntervals
    specificity_interval: RateIntervals
    confidence_level: float
    undefined: str | None
    note: str | None

    _column_names = " ".join(
        [
            "coder=coders category",
            *(
                f"{rate} {rate}_standard_error={rate}_interval.standard_error "
                f"{rate}_low={rate}_interval.low {rate}_high={rate}_interval.high"
                for rate in ("sensitivity", "specificity")
            ),
            "confidence_level",
        ]
    )

    def above(
        self, threshold: float, rate: Literal["sensitivity", "specificity"] = "sensitivity"
    ) -> AboveThreshold:
        """Test for each coder, and for the mean, whether a rate is above a threshold.

        Parameters
        ----------
        threshold : float
            The threshold, between 0 and 1.
        rate : {"sensitivity", "specificity"}
            The rate to test; by default the sensitivity.

        Returns
        -------
        AboveThreshold
            The rates, their z and p-values.

        Notes
        -----
        This is the one-sided score test. It rejects at level α if and only if the lower end of the
        1 − 2α interval is above the threshold (Artstein & Poesio 2005, 6.2).

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = [["y", "y", "y"]] * 60 + [["y", "y", "n"]] * 9 + [["n", "n", "n"]] * 90
        >>> result = af.aggregate(data, "dawid_skene").model.accuracy("y")
        >>> result.above(0.8).p_value.round(4).tolist()
        [0.0, 0.0, 0.0743]
        """
        check_choice("rate", rate, ("sensitivity", "specificity"))
        values = getattr(self, rate), getattr(self, f"mean_{rate}")
        intervals = getattr(self, f"{rate}_interval")
        return above_threshold(rate, threshold, self.coders, values, intervals)


def accuracy(
    self: LatentModel,
    category: Any,
    *,
    classes: Sequence[int] | None = None,
    confidence_level: float = 0.95,
    intervals: bool | None = None,
) -> Accuracy:
    """Compute each coder's sensitivity and specificity for a category.

    Parameters
    ----------
    category : label
        The category of interest.
    classes : sequence of int, optional
        The latent classes that count as this category. By default, with `DawidSkene`, the class
        of the category; with `LatentClasses`, the classes to which coders give it most often.
    confidence_level : float, default 0.95
        Confidence level of each single interval, between 0 and 1.
    intervals : bool, optional
        Whether to compute intervals. By default they are computed unless this takes more than
        about a second.

    Returns
    -------
    Accuracy
        The rates of each coder and their means, with intervals.

    Raises
    ------
    ValueError
        If the model has no such category or class.

    Notes
    -----
    With positive classes P, the sensitivity of coder c is Σ_{t∈P} π_t θ_ctk / Σ_{t∈P} π_t, and
    the specificity is Σ_{t∉P} π_t (1 − θ_ctk) / Σ_{t∉P} π_t (Uebersax & Grove 1990). A rate is
    NaN if its sum includes a class that the coder never met.

    Intervals are Wilson's (1927), with an effective number of items: the number that the coder
    judged of these classes, minus the information lost because classes are not observed, which
    comes from the information matrix (see `standard_errors`): for n items judged, a rate p and a
    standard error s, n divided by ((n s)² + ¼) / (n p (1 − p) + ¼), or by 1 if that is less; the
    quarters stand for one more item. Rates of 0 and 1 have no information matrix; for their
    intervals, classes are taken as known. The cost is O(U · P² + P³) for U distinct rows and P
    parameters.

    Examples
    --------
    >>> import agreement_fast as af
    >>> table = [[1, 1, 1], [1, 1, 2], [2, 2, 2], [2, 2, 1], [2, 2, 2]]
    >>> model = af.aggregate(table, "dawid_skene").model
    >>> model.accuracy(2).specificity.tolist()
    [1.0, 1.0, 0.5]
    """
    check_share("confidence_level", confidence_level)
    place, positive = positive_classes(self, category, classes)
    reason = why_no_rates(self, positive)
    C = len(self.coders)
    sides = [np.full(C, NAN)] * 2
    if reason is None:
        for i, side in enumerate((positive, ~positive)):
            shares = self.shares[side]
            labels = np.where(shares > 0, self.probabilities[:, side, place], 0.0)
            sides[i] = labels @ (shares / shares.sum())
    sensitivity, specificity = sides[0], 1.0 - sides[1]
    nothing = np.full(C, NAN)
    unknown = RateIntervals(nothing, nothing, nothing, nothing, NAN, NAN, NAN, NAN)
    result, note = (unknown, unknown), None
    if reason is None:
        curved: Curvature | str = "they were not requested"
        if intervals is not False and self.problem is not None:
            n = self.n_parameters
            curved = f"{n} parameters take long; pass intervals=True to compute them"
            if intervals or self.problem.rows.n_rows * n**2 <= UNASKED:
                curved = curvature(self, self.problem)
        if isinstance(curved, str):
            note = f"no intervals: {curved}"
        else:
            result = (
                rate_intervals(self, curved, positive, place, sides[0], confidence_level),
                mirrored(
                    rate_intervals(self, curved, ~positive, place, sides[1], confidence_level)
                ),
            )
    return Accuracy(
        category=self.categories[place],
        classes=tuple(np.flatnonzero(positive).tolist()),
        prevalence=NAN if self.undefined else float(self.shares[positive].sum()),
        coders=self.coders,
        sensitivity=sensitivity,
        specificity=specificity,
        mean_sensitivity=float(mean_of_defined(sensitivity)),
        mean_specificity=float(mean_of_defined(specificity)),
        sensitivity_interval=result[0],
        specificity_interval=result[1],
        confidence_level=confidence_level,
        undefined=reason,
        note=note,
    )


def positive_classes(
    model: LatentModel, category: Any, classes: Sequence[int] | None
) -> tuple[int, Any]:
    """Return the place of a category, and which classes count as it."""
    if category not in model.categories:
        raise InputError(
            f"{category!r} is not a category; the categories are {list(model.categories)}",
            argument="category",
        )
    place = model.categories.index(category)
    if classes is None:
        chosen = model.classes_of(place)
    elif isinstance(classes, (str, bytes)) or not np.iterable(classes):
        raise InputTypeError.must_be("classes", "a list of classes, such as [0]", classes)
    else:
        chosen = list(classes)
    for t in chosen:
        check_count("classes", t, 0, each=True)
        if t >= model.n_classes:
            raise InputError(
                f"class {t!r} is not one of 0 to {model.n_classes - 1}",
                argument="classes",
            )
    positive = np.zeros(model.n_classes, bool)
    positive[chosen] = True
    return place, positive


def why_no_rates(model: LatentModel, positive: Any) -> str | None:
    if model.undefined is not None:
        return model.undefined
    if not model.shares[positive].sum() > 0:
        return "no class: no item is of this category, so its sensitivity cannot be estimated"
    if not model.shares[~positive].sum() > 0:
        return "no other class: every item is of this category, so it cannot be confused"
    return None


@dataclass(frozen=True)
class ImpliedAgreement(Row):
    """The agreement of two coders with known rates, over endlessly many items.

    Attributes
    ----------
    prevalence, sensitivity, specificity : float
    other_sensitivity, other_specificity : float
        The rates of the second coder.
    observed_agreement : float
    kappa, pi : float
        NaN if both coders always say the same single category.
    """

    prevalence: float
    sensitivity: float
    specificity: float
    other_sensitivity: float
    other_specificity: float
    observed_agreement: float
    kappa: float
    pi: float


def implied_agreement(
    prevalence: float,
    sensitivity: float,
    specificity: float,
    *,
    other_sensitivity: float | None = None,
    other_specificity: float | None = None,
) -> ImpliedAgreement:
    """Compute the κ and π that a prevalence, sensitivities and specificities imply.

    Parameters
    ----------
    prevalence : float
        The share of items of the category of interest, from 0 to 1.
    sensitivity : float
        P(the first coder says the category | the item is of it), from 0 to 1.
    specificity : float
        P(the first coder does not say the category | the item is not of it), from 0 to 1.
    other_sensitivity : float, optional
        The sensitivity of the second coder; by default that of the first.
    other_specificity : float, optional
        The specificity of the second coder; by default that of the first.

    Returns
    -------
    ImpliedAgreement
        The rates, the observed agreement, κ and π.

    Raises
    ------
    TypeError, ValueError
        If a rate is not a number from 0 to 1.

    Notes
    -----
    Coders are assumed to err independently given the item's true label. With prevalence π,
    sensitivity s and specificity t, a coder says the category for P = π s + (1 − π)(1 − t) of the
    items. The covariance of two coders' labels is π (1 − π)(s + t − 1)(s' + t' − 1), and A_o − A_e
    is twice the covariance, so that

        κ = 2 π (1 − π)(s + t − 1)(s' + t' − 1) / (P (1 − P') + P' (1 − P)),

    For coders with equal rates, this is π (1 − π)(s + t − 1)² / (P (1 − P)). With the same rates, κ
    is lower for a rarer category, so κ does not show whether the sensitivity is high (Artstein &
    Poesio 2005, footnote 11).

    References
    ----------
    Kraemer, H. C. (1979). Ramifications of a population model for κ as a coefficient of
    reliability. Psychometrika 44(4), 461-472.

    Examples
    --------
    >>> from agreement_fast import models
    >>> round(models.implied_agreement(0.05, 0.9, 0.95).kappa, 4)
    0.4088
    >>> round(models.implied_agreement(0.5, 0.9, 0.95).kappa, 4)
    0.7243
    """
    rates = {
        "prevalence": prevalence,
        "sensitivity": sensitivity,
        "specificity": specificity,
        "other_sensitivity": sensitivity if other_sensitivity is None else other_sensitivity,
        "other_specificity": specificity if other_specificity is None else other_specificity,
    }
    for name, value in rates.items():
        rates[name] = check_probability(name, value)
    share, s, t, s2, t2 = rates.values()
    labels, said2 = share * s + (1 - share) * (1 - t), share * s2 + (1 - share) * (1 - t2)
    observed = share * (s * s2 + (1 - s) * (1 - s2)) + (1 - share) * (t * t2 + (1 - t) * (1 - t2))
    mean = (labels + said2) / 2
    expected = np.array([labels * (1 - said2) + said2 * (1 - labels), 2 * mean * (1 - mean)])
    chances = beyond_chance(1 - observed, expected).tolist()
    return ImpliedAgreement(share, s, t, s2, t2, observed, *chances)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CodersNeeded(Aligned):
    """The number of coders per item that reaches a target sensitivity or specificity.

    Attributes
    ----------
    n_coders : int or None
        The smallest sufficient number; None if `max_coders` are not enough.
    category : label
    rule : str
    target_sensitivity, target_specificity : float or None
        The targets.
    sizes : int64 array
        The numbers of coders, 1, 2, ...
    sensitivity, specificity : float64 arrays
        The rates of a group of each size.
    sensitivity_low, sensitivity_high, specificity_low, specificity_high : float64 arrays
        The intervals of the rates; NaN unless ``n_resamples`` is positive.
    least, most : int or None
        The interval of `n_coders`; `most` is None if `max_coders` may not be enough.
    confidence_level : float
    note : str or None
        Why there are no intervals.
    undefined : str or None
        Why there is no number.
    """

    _caption = "CodersNeeded for {category:r} by {rule}[: {n_coders}][ ({least} to {most})]"
    _table = (
        "n_coders | sensitivity | sensitivity_low..sensitivity_high | specificity | "
        "specificity_low..specificity_high"
    )
    _most = None

    def _rows_shown(self, columns: Mapping[str, Any]) -> range:
        return range(min(len(self.sizes), max(10, (self.n_coders or 10) + 2)))

    n_coders: int | None
    category: Any
    rule: str
    target_sensitivity: float | None
    target_specificity: float | None
    sizes: Any
    sensitivity: FloatArray
    specificity: FloatArray
    sensitivity_low: FloatArray
    sensitivity_high: FloatArray
    specificity_low: FloatArray
    specificity_high: FloatArray
    least: int | None
    most: int | None
    confidence_level: float
    note: str | None
    undefined: str | None

    _column_names = (
        "n_coders=sizes category sensitivity sensitivity_low sensitivity_high specificity "
        "specificity_low specificity_high"
    )


#: P(the group says the category | class), from sizes n and probabilities p of shape (T, 1).
Rule = Callable[[Any, FloatArray, FloatArray, Any], FloatArray]


def _majority(n: Any, p: FloatArray, _shares: FloatArray, _positive: Any) -> FloatArray:
    from scipy.stats import binom

    return np.asarray(binom.sf(n // 2, n, p) + np.where(n % 2, 0, 0.5) * binom.pmf(n // 2, n, p))


def _posterior(n: Any, p: FloatArray, shares: FloatArray, positive: Any) -> FloatArray:
    """Return P(by the number of votes for it, the category is more probable than not | class)."""
    from scipy.stats import binom

    out = np.empty((len(p), len(n)))
    for i, size in enumerate(n.tolist()):
        votes = binom.pmf(np.arange(size + 1), size, p)  # (T, size + 1)
        joint = shares[:, None] * votes
        # Probabilities that differ by rounding only count as equal.
        others = joint[~positive].sum(0) * (1 + 1e-12)
        out[:, i] = votes @ (joint[positive].sum(0) > others)
    return out


def _log(p: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p))


RULES: dict[str, Rule] = {
    "majority": _majority,
    "any": lambda n, p, *_: np.asarray(-np.expm1(n * _log(1 - p))),
    "all": lambda n, p, *_: np.asarray(np.exp(n * _log(p))),
    "posterior": _posterior,
}


def coders_needed(
    self: LatentModel,
    category: Any,
    *,
    sensitivity: float | None = 0.99,
    specificity: float | None = None,
    rule: Literal["majority", "any", "all", "posterior"] = "majority",
    max_coders: int = 100,
    classes: Sequence[int] | None = None,
    n_resamples: int = 0,
    confidence_level: float = 0.95,
    rng: Seed = None,
) -> CodersNeeded:
    """Compute how many coders per item reach a target sensitivity or specificity.

    Parameters
    ----------
    category : label
        The category to find.
    sensitivity : float or None, default 0.99
        The target sensitivity of the group; None for no target.
    specificity : float or None, default None
        The target specificity of the group; None for no target.
    rule : {"majority", "any", "all", "posterior"}
        When a group says the category: if more than half of its coders do (the default; a tie
        counts half), if any coder does, if all do, or if the number of those who do makes the
        category more probable than not under the model.
    max_coders : int, default 100
        The largest group to try.
    classes : sequence of int, optional
        The latent classes that count as this category. By default, with `DawidSkene`, the class
        of the category; with `LatentClasses`, the classes to which coders give it most often.
    n_resamples : int, default 0
        The number of draws of the probabilities for the intervals; 1000 are enough. 0 computes
        no intervals.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    rng : int or numpy Generator, optional
        Seed or generator of the draws. The same seed gives the same result.

    Returns
    -------
    CodersNeeded
        The smallest sufficient number, and the rates of each number of coders.

    Raises
    ------
    ValueError
        If the model has no such category or class, or an option is invalid.

    Notes
    -----
    Coders are drawn at random from those of the model and judge independently given the class.
    So the number of n coders who say the category is binomial in each class, with the mean of
    their probabilities. Sensitivity is the mean over the positive classes, specificity over the
    others.

    Intervals are percentiles. The logits of the probabilities are drawn from the normal
    distribution around the estimate (see `standard_errors`). Probabilities of 0 and 1 are taken
    as exact, so the intervals are too narrow if there are many of these. The cost is
    O(max_coders · T), with ``"posterior"`` O(max_coders² · T).

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = [["y", "y", "y"]] * 6 + [["y", "y", "n"]] * 4 + [["n", "n", "n"]] * 9
    >>> model = af.aggregate(data, "dawid_skene").model
    >>> model.coders_needed("y", sensitivity=0.95)
    <CodersNeeded for 'y' by majority: 3>
    """
    for name, value in (("sensitivity", sensitivity), ("specificity", specificity)):
        if value is not None:
            check_share(name, value)
    check_choice("rule", rule, tuple(RULES))
    check_count("max_coders", max_coders, 1)
    if n_resamples:
        check_resamples(n_resamples, 2)
    check_share("confidence_level", confidence_level)
    source = generator(rng)
    place, positive = positive_classes(self, category, classes)
    reason = why_no_rates(self, positive)
    sizes = np.arange(1, max_coders + 1)
    targets = (sensitivity, specificity)
    sides = np.full((2, max_coders), NAN)
    ends, note = np.full((2, 2, max_coders), NAN), None
    result: int | None = None
    between: list[int | None] = [None, None]
    if reason is None:
        group = _Group(RULES[rule], sizes, place, positive)
        sides = group.rates(self.shares, self.probabilities)
        result = _first_enough(sides, targets)
        if n_resamples:
            curved: Curvature | str = "the model was not fitted"
            if self.problem is not None:
                curved = curvature(self, self.problem)
            if isinstance(curved, str):
                note = f"no intervals: {curved}"
            else:
                rates = group.drawn(self, curved, n_resamples, source)
                needed = np.array([_first_enough(sides, targets) or np.inf for sides in rates])
                tails = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
                ends = np.quantile(rates, tails, axis=0)
                numbers = np.quantile(needed, tails, method="inverted_cdf").tolist()
                between = [int(n) if math.isfinite(n) else None for n in numbers]
        if result is None:
            reason = (
                f"not reached: {max_coders} coders have sensitivity {sides[0][-1]:.4f} and "
                f"specificity {sides[1][-1]:.4f}"
            )
            if rule == "majority" and sensitivity is not None and sides[0][0] < 0.5:
                reason += (
                    f"; one coder alone has sensitivity {sides[0][0]:.4f}, so a majority of more "
                    "coders does not find it either: see rule='any' and rule='posterior'"
                )
    return CodersNeeded(
        n_coders=result,
        category=self.categories[place],
        rule=rule,
        target_sensitivity=sensitivity,
        target_specificity=specificity,
        sizes=sizes,
        sensitivity=sides[0],
        specificity=sides[1],
        **ends_of("sensitivity", ends[:, 0]),
        **ends_of("specificity", ends[:, 1]),
        least=between[0],
        most=between[1],
        confidence_level=confidence_level,
        note=note,
        undefined=reason,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Groups of randomly drawn coders, and the rule by which they say a category."""

    rule: Rule
    sizes: Any
    place: int
    positive: Any

    def rates(self, shares: FloatArray, table: FloatArray) -> FloatArray:
        """Compute both rates of each size, of shape (2, S), from arrays (T,) and (C, T, K)."""
        used = shares > 0
        own, positive = shares[used], self.positive[used]
        labels = table[:, used, self.place]
        p = np.array([column[~np.isnan(column)].mean() for column in labels.T])[:, None]
        says = self.rule(self.sizes, np.clip(p, 0.0, 1.0), own, positive)
        sides = np.array(
            [(own[side] / math.fsum(own[side])) @ says[side] for side in (positive, ~positive)]
        )
        sides[1] = 1.0 - sides[1]
        return sides

    def drawn(
        self, model: LatentModel, curved: Curvature, n: int, rng: np.random.Generator
    ) -> FloatArray:
        """Compute both rates of each size for drawn shares and probabilities: (n, 2, S).

        Free logits are normal around the estimate.
        """
        layout, rates = curved.layout, np.empty((n, 2, len(self.sizes)))
        for i in range(n):
            moved = rng.standard_normal(len(curved.half)) @ curved.half
            shares, table = model.shares.copy(), model.probabilities.copy()
            shares[layout.classes] *= np.exp(moved[: len(layout.classes)])
            cells = zip(layout.cells, layout.places, strict=True)
            for t, ((coder, category), places) in enumerate(cells):
                table[coder, t, category] *= np.exp(moved[places])
            rates[i] = self.rates(shares / shares.sum(), table / table.sum(2, keepdims=True))
        return rates


def _first_enough(sides: FloatArray, targets: tuple[float | None, float | None]) -> int | None:
    """Return the smallest number of coders that reaches the targets."""
    enough = np.ones(sides.shape[1], bool)
    for least, reached in zip(targets, sides, strict=True):
        if least is not None:
            enough &= reached >= least
    return int(enough.argmax()) + 1 if enough.any() else None
