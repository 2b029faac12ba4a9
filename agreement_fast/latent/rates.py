"""Intervals of sensitivities and specificities, and tests against a threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent.models import NAN, SHOWN, LatentModel
from agreement_fast.latent.uncertainty import BOUNDARY, Curvature
from agreement_fast.options import check_share
from agreement_fast.sums.shares import LARGEST_VARIANCE, two_sided_quantile, wilson_ends
from agreement_fast.tables import Tabular
from agreement_fast.terminal import align, show_label, show_value


@dataclass(frozen=True, slots=True, eq=False)
class RateIntervals(Tabular):
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

    def columns(self) -> Mapping[str, FloatArray]:
        """Return the columns of a table with one row per coder."""
        names = ("standard_error", "low", "high", "size")
        return {name: getattr(self, name) for name in names}

    @staticmethod
    def none(n_coders: int) -> RateIntervals:
        """Return unknown intervals, all NaN."""
        nothing = np.full(n_coders, NAN)
        return RateIntervals(nothing, nothing, nothing, nothing, NAN, NAN, NAN, NAN)


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

    rate: str
    threshold: float
    coders: Sequence[Any]
    value: FloatArray
    z: FloatArray
    p_value: FloatArray
    mean_value: float
    mean_z: float
    mean_p_value: float

    def columns(self) -> Mapping[str, Sequence[Any] | FloatArray]:
        """Return the columns of a table with one row per coder."""
        return {
            "coder": self.coders,
            self.rate: self.value,
            "threshold": [self.threshold] * len(self.value),
            "z": self.z,
            "p_value": self.p_value,
        }

    def __repr__(self) -> str:
        return (
            f"<{self.rate} above {self.threshold:g}: mean {self.mean_value:.4f}, z = "
            f"{self.mean_z:.3f}, p = {self.mean_p_value:.4f}, {len(self.value)} coders>"
        )

    def __str__(self) -> str:
        columns = (self.value, self.z, self.p_value)
        rows = [
            (show_label(self.coders[c]), *(show_value(float(column[c])) for column in columns))
            for c in range(min(SHOWN, len(self.coders)))
        ]
        mean = (self.mean_value, self.mean_z, self.mean_p_value)
        rows.append(("mean", *map(show_value, mean)))
        return "\n".join([repr(self)[1:-1], *align(("coder", self.rate, "z", "p"), rows, "<>>>")])


def rate_intervals(
    model: LatentModel,
    curvature: Curvature,
    side: Array,
    place: int,
    rates: FloatArray,
    confidence_level: float,
) -> RateIntervals:
    """Compute intervals of Σ_{t∈S} π_t θ_ctk / Σ_{t∈S} π_t.

    Parameters
    ----------
    side : bool array of shape (T,)
        The classes S.
    place : int
        The category k.
    rates : float64 array of shape (C,)
    """
    errors, mean_error = _errors(model, curvature, side, place, rates)
    judged = curvature.judged[:, side].sum(1)
    known = ~np.isnan(rates)
    z = two_sided_quantile(confidence_level)
    n_known = int(known.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        mean_judged = np.asarray(n_known**2 / (1 / judged[known]).sum())
        mean = np.asarray(rates[known].mean() if n_known else NAN)
        size, low, high = _score(rates, errors, judged, z)
        mean_size, mean_low, mean_high = map(float, _score(mean, mean_error, mean_judged, z))
    inside = (rates > BOUNDARY) & (rates < 1 - BOUNDARY)
    return RateIntervals(
        np.where(inside, errors, NAN),
        low,
        high,
        size,
        float(mean_error) if inside.any() else NAN,
        mean_low,
        mean_high,
        mean_size,
    )


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
    more = (squares + LARGEST_VARIANCE) / (judged * rate * (1 - rate) + LARGEST_VARIANCE)
    size = judged / np.maximum(more, 1.0)
    return size, *wilson_ends(rate, size, z)


def _errors(
    model: LatentModel, curvature: Curvature, side: Array, place: int, rates: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Compute standard errors of the rates and of their mean, by the delta method on the logits."""
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
    gradient[~known] = 0.0
    mean = gradient[known].sum(0) / max(int(known.sum()), 1)
    errors = np.sqrt(np.square(half @ gradient.T).sum(0))
    errors[~known] = NAN
    return errors, np.sqrt(np.square(half @ mean).sum())


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
    found = []
    for rates, size in ((value, intervals.size), (mean, intervals.mean_size)):
        z = (rates - threshold) / np.sqrt(threshold * (1 - threshold) / np.asarray(size))
        found.append((z, ndtr(-z)))
    (z, p_value), (mean_z, mean_p) = found
    return AboveThreshold(
        rate, threshold, coders, value, z, p_value, mean, float(mean_z), float(mean_p)
    )
