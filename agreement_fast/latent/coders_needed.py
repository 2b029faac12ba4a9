"""The number of coders needed to find a category (Artstein & Poesio 2005, 6.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError
from agreement_fast.latent.accuracy import positive_classes, why_no_rates
from agreement_fast.latent.models import NAN, LatentModel
from agreement_fast.latent.uncertainty import Curvature, curvature
from agreement_fast.options import (
    check_choice,
    check_count,
    check_number,
    check_resamples,
    check_share,
    generator,
)
from agreement_fast.tables import Aligned, Row


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
    >>> from agreement_fast import latent
    >>> round(latent.implied_agreement(0.05, 0.9, 0.95).kappa, 4)
    0.4088
    >>> round(latent.implied_agreement(0.5, 0.9, 0.95).kappa, 4)
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
        if not 0 <= check_number(name, value) <= 1:
            raise InputError.must_be(name, "from 0 to 1", value)
    share, s, t, s2, t2 = map(float, rates.values())
    said, said2 = share * s + (1 - share) * (1 - t), share * s2 + (1 - share) * (1 - t2)
    observed = share * (s * s2 + (1 - s) * (1 - s2)) + (1 - share) * (t * t2 + (1 - t) * (1 - t2))
    mean = (said + said2) / 2
    return ImpliedAgreement(
        share, s, t, s2, t2, observed,
        _beyond(observed, said * (1 - said2) + said2 * (1 - said)),
        _beyond(observed, 2 * mean * (1 - mean)),
    )  # fmt: skip


def _beyond(observed: float, expected_disagreement: float) -> float:
    if not expected_disagreement > 0:
        return float("nan")
    return 1 - (1 - observed) / expected_disagreement


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CodersNeeded(Aligned):
    """The number of coders per item that reaches a target sensitivity or specificity.

    Attributes
    ----------
    n_coders : int or None
        The smallest sufficient number; None if `max_coders` are not enough.
    category : label
    rule : str
    wanted_sensitivity, wanted_specificity : float or None
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

    n_coders: int | None
    category: Any
    rule: str
    wanted_sensitivity: float | None
    wanted_specificity: float | None
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

    def __repr__(self) -> str:
        if self.n_coders is None:
            return f"<CodersNeeded for {self.category!r} by {self.rule}: {self.undefined}>"
        at = self.n_coders - 1
        return (
            f"<CodersNeeded for {self.category!r} by {self.rule}: {self.n_coders}, sensitivity "
            f"{self.sensitivity[at]:.4f}, specificity {self.specificity[at]:.4f}>"
        )

    def __str__(self) -> str:
        lines = [repr(self)[1:-1], "coders  sensitivity  specificity"]
        last = min(len(self.sizes), max(10, (self.n_coders or 10) + 2))
        lines += [
            f"{self.sizes[i]:6}  {self.sensitivity[i]:11.4f}  {self.specificity[i]:11.4f}"
            for i in range(last)
        ]
        return "\n".join(lines)


#: P(the group says the category | class), from sizes n and probabilities p of shape (T, 1).
Rule = Callable[[Any, FloatArray, FloatArray, Any], FloatArray]


def _majority(n: Any, p: FloatArray, _shares: FloatArray, _positive: Any) -> FloatArray:
    from scipy.stats import binom

    out: FloatArray = binom.sf(n // 2, n, p) + np.where(n % 2, 0, 0.5) * binom.pmf(n // 2, n, p)
    return out


def _any(n: Any, p: FloatArray, _shares: FloatArray, _positive: Any) -> FloatArray:
    out: FloatArray = -np.expm1(n * _log(1 - p))
    return out


def _all(n: Any, p: FloatArray, _shares: FloatArray, _positive: Any) -> FloatArray:
    out: FloatArray = np.exp(n * _log(p))
    return out


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
        out: FloatArray = np.log(p)
    return out


RULES: dict[str, Rule] = {
    "majority": _majority,
    "any": _any,
    "all": _all,
    "posterior": _posterior,
}


def coders_needed(
    model: LatentModel,
    category: Any,
    *,
    sensitivity: float | None = 0.99,
    specificity: float | None = None,
    rule: str = "majority",
    max_coders: int = 100,
    classes: Sequence[int] | None = None,
    n_resamples: int = 0,
    confidence_level: float = 0.95,
    rng: int | np.random.Generator | None = None,
) -> CodersNeeded:
    """Compute how many coders per item reach a target sensitivity or specificity.

    Parameters
    ----------
    model : DawidSkene or LatentClasses
        The fitted model.
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
        The latent classes that count as this category. By default, with `DawidSkene`, the class of
        the category; with `LatentClasses`, the classes to which coders give it most often.
    n_resamples : int, default 0
        The number of draws of the probabilities for the intervals; 1000 are enough. 0 computes no
        intervals.
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
    TypeError
        If `model` is not a fitted model.
    ValueError
        If the model has no such category or class, or an option is invalid.

    Notes
    -----
    Coders are drawn at random from those of the model and judge independently given the class. So
    the number of n coders who say the category is binomial in each class, with the mean of their
    probabilities. Sensitivity is the mean over the positive classes, specificity over the others.

    Intervals are percentiles. The logits of the probabilities are drawn from the normal
    distribution around the estimate (see `standard_errors`). Probabilities of 0 and 1 are taken as
    exact, so the intervals are too narrow if there are many of these. The cost is
    O(max_coders · T), with ``"posterior"`` O(max_coders² · T).

    Examples
    --------
    >>> from agreement_fast import latent
    >>> data = [["y", "y", "y"]] * 6 + [["y", "y", "n"]] * 4 + [["n", "n", "n"]] * 9
    >>> model = latent.dawid_skene(data)
    >>> latent.coders_needed(model, "y", sensitivity=0.95)
    <CodersNeeded for 'y' by majority: 3, sensitivity 0.9514, specificity 1.0000>
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
    place, positive = positive_classes(model, category, classes)
    reason = why_no_rates(model, positive)
    sizes = np.arange(1, max_coders + 1)
    targets = (sensitivity, specificity)
    sides = np.full((2, max_coders), NAN)
    ends, note = np.full((2, 2, max_coders), NAN), None
    found: int | None = None
    between: tuple[int | None, int | None] = (None, None)
    if reason is None:
        group = _Group(RULES[rule], sizes, place, positive)
        sides = group.rates(model.shares, model.probabilities)
        found = _first_enough(sides, targets)
        if n_resamples:
            curved: Curvature | str = "the model was not fitted"
            if model.problem is not None:
                curved = curvature(model, model.problem)
            if isinstance(curved, str):
                note = f"no intervals: {curved}"
            else:
                ends, between = _intervals(
                    model, curved, group, targets, n_resamples, confidence_level, source
                )
        if found is None:
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
        n_coders=found,
        category=model.categories[place],
        rule=rule,
        wanted_sensitivity=sensitivity,
        wanted_specificity=specificity,
        sizes=sizes,
        sensitivity=sides[0],
        specificity=sides[1],
        sensitivity_low=ends[0, 0],
        sensitivity_high=ends[1, 0],
        specificity_low=ends[0, 1],
        specificity_high=ends[1, 1],
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
        said = table[:, used, self.place]
        p = np.array([column[~np.isnan(column)].mean() for column in said.T])[:, None]
        says = self.rule(self.sizes, np.clip(p, 0.0, 1.0), own, positive)
        sides = np.array(
            [(own[side] / math.fsum(own[side])) @ says[side] for side in (positive, ~positive)]
        )
        sides[1] = 1.0 - sides[1]
        return sides


def _first_enough(sides: FloatArray, targets: tuple[float | None, float | None]) -> int | None:
    """Return the smallest number of coders that reaches the targets."""
    enough = np.ones(sides.shape[1], bool)
    for least, reached in zip(targets, sides, strict=True):
        if least is not None:
            enough &= reached >= least
    return int(enough.argmax()) + 1 if enough.any() else None


def _intervals(
    model: LatentModel,
    curved: Curvature,
    group: _Group,
    targets: tuple[float | None, float | None],
    n_resamples: int,
    confidence_level: float,
    rng: np.random.Generator,
) -> tuple[FloatArray, tuple[int | None, int | None]]:
    """Compute the ends of both rates of each size, (2, 2, S), and of the number of coders."""
    rates = np.empty((n_resamples, 2, len(group.sizes)))
    needed = np.empty(n_resamples)
    for i in range(n_resamples):
        # Draw shares and probabilities, with free logits normal around the estimate
        layout = curved.layout
        moved = rng.standard_normal(len(curved.half)) @ curved.half
        shares, table = model.shares.copy(), model.probabilities.copy()
        shares[layout.classes] *= np.exp(moved[: len(layout.classes)])
        for t, ((coder, category), places) in enumerate(
            zip(layout.cells, layout.places, strict=True)
        ):
            table[coder, t, category] *= np.exp(moved[places])
        rates[i] = group.rates(*(shares / shares.sum(), table / table.sum(2, keepdims=True)))
        needed[i] = _first_enough(rates[i], targets) or np.inf
    tails = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
    ends = np.quantile(rates, tails, axis=0)
    least, most = np.quantile(needed, tails, method="inverted_cdf").tolist()
    numbers = [int(n) if math.isfinite(n) else None for n in (least, most)]
    return ends, (numbers[0], numbers[1])
