"""Which band of a scale a coefficient belongs to, given how sure it is (Gwet 2014, chapter 6)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.tested import NO_VARIANCE
from agreement_fast.options import check_number, check_share
from agreement_fast.results import Result
from agreement_fast.scales import Scale, find_scale
from agreement_fast.tables import aligned, in_columns

NO_VALUE = "no value: the coefficient is undefined"
NO_ERROR = "no variance: the standard error is undefined"
OTHER_DISTANCE = (
    "values depend on the distance, and no scale is meant for another distance than nominal"
)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Benchmark(Result):
    """A coefficient, a float, on a scale, with the probability of each band.

    Attributes
    ----------
    scale : str
        Author and year.
    value, standard_error : float
        The coefficient and its standard error.
    bands : tuple of str
        The words of the scale, from the highest band to the lowest.
    low, high : float64 arrays of shape (B,)
        The ends of the bands, from −1 to 1.
    probability : float64 array of shape (B,)
        The probability that the true coefficient lies in each band; NaN if undefined.
    cumulative : float64 array of shape (B,)
        The probability that it lies in this band or a higher one.
    certainty : float
        The cumulative probability that a band must reach.
    band : str or None
        The highest band that reaches it; None if undefined.
    undefined : str or None
        Why there are no probabilities.
    note : str or None
        Why the scale does not suit the coefficient.
    """

    scale: str
    value: float
    standard_error: float
    bands: tuple[str, ...]
    low: FloatArray
    high: FloatArray
    probability: FloatArray
    cumulative: FloatArray
    certainty: float
    band: str | None
    undefined: str | None
    note: str | None = None

    def __repr__(self) -> str:
        text = f"{self.value:.4g} ± {self.standard_error:.4g} on the scale of {self.scale}"
        if self.band is not None:
            reached = self.cumulative[self.bands.index(self.band)]
            or_higher = "" if self.band == self.bands[0] else " or higher"
            text += f": {self.band}{or_higher} with probability {reached:.4f}"
            if self.band == self.bands[-1]:
                text += ", as any value"
        return "<" + "; ".join([text, *filter(None, (self.note, self.undefined))]) + ">"

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each band."""
        return aligned(self, "band=bands low high probability cumulative")

    def __str__(self) -> str:
        reached = [
            f"first to reach {self.certainty:g}" * (word == self.band) for word in self.bands
        ]
        layout = (
            "band | from = low:g | to = high:g | probability:.4f | cumulative:.4f |  = reached:s"
        )
        lines = in_columns({**self.columns(), "reached": reached}, layout, sides="<>>>><")
        return "\n".join([repr(self).strip("<>"), *lines])


def benchmark(
    result: Any,
    scale: str | Scale = "landis_koch_1977",
    *,
    standard_error: float | None = None,
    certainty: float = 0.95,
) -> Benchmark:
    """Compute the probability of each band of a scale, and the band that can be claimed.

    α = .70 from ten items may not be "substantial": the true value may well be .45. Gwet takes the
    true coefficient as normal around its estimate, cut at −1 and 1, adds up the probabilities of
    the bands from the highest down, and claims the first band at which the sum reaches 95%.

    Parameters
    ----------
    result : StandardError, BootstrapResult, CoefficientTest or float
        A result with a value and a standard error, or a number, which needs `standard_error`.
    scale : str or Scale, default "landis_koch_1977"
        A key of `agreement_fast.report.SCALES`, or a scale of your own.
    standard_error : float, optional
        The standard error of a number; by default that of the result.
    certainty : float, default 0.95
        The cumulative probability that a band must reach, between 0 and 1.

    Returns
    -------
    Benchmark
        The bands and their probabilities. There are none, and `undefined` says why, if the value or
        the standard error is NaN, or the standard error is 0.

    Raises
    ------
    ValueError
        If the scale is unknown, a number has no standard error, the value is above 1, or the
        standard error is negative.

    Notes
    -----
    P(a < true < b) = [Φ((b − v)/s) − Φ((a − v)/s)] / [Φ((1 − v)/s) − Φ((−1 − v)/s)]: the numbers of
    irrCAC's ``landis.koch.bf``, ``altman.bf`` and ``fleiss.bf``. The probability is that of the
    bands under this standard error; it does not show that the scale is right. O(bands).

    References
    ----------
    Gwet 2014, *Handbook of Inter-Rater Reliability*, 4th edition, chapter 6.

    Examples
    --------
    >>> from agreement_fast.inference import benchmark
    >>> print(benchmark(0.77544, "altman_1991", standard_error=0.14295))
    0.7754 ± 0.1429 on the scale of Altman 1991: moderate or higher with probability 0.9954
      band       from   to  probability  cumulative
      very good   0.8    1       0.3967      0.3967
      good        0.6  0.8       0.4866      0.8834
      moderate    0.4  0.6       0.1121      0.9954  first to reach 0.95
      fair        0.2  0.4       0.0046      1.0000
      poor         -1  0.2       0.0000      1.0000
    """
    check_share("certainty", certainty)
    chosen = find_scale(scale)
    value = check_number("result", getattr(result, "value", result))
    error = _error(result, standard_error)
    if value > 1 + 1e-12:
        raise InputError.must_be("result", "at most 1", value)
    if error < 0:
        raise InputError.must_be("standard_error", "0 or more", error)
    undefined = getattr(result, "undefined", None)
    if math.isnan(value):
        undefined = undefined or NO_VALUE
    elif math.isnan(error):
        undefined = undefined or NO_ERROR
    elif error == 0:
        undefined = NO_VARIANCE
    else:
        undefined = None
    low = np.array([max(band.above, -1.0) for band in chosen.bands])
    high = np.concatenate([[1.0], low[:-1]])
    probability = np.full(len(low), np.nan)
    band = None
    if undefined is None:
        probability = _shares((low - value) / error, (high - value) / error)
    cumulative = np.cumsum(probability)
    if undefined is None:
        cumulative[-1] = 1.0  # without the rounding error
        band = chosen.bands[int(np.argmax(cumulative >= certainty))].word
    nominal = getattr(result, "distance", "nominal") == "nominal"
    return Benchmark(
        scale=chosen.name,
        value=value,
        standard_error=error,
        bands=tuple(band.word for band in chosen.bands),
        low=low,
        high=high,
        probability=probability,
        cumulative=cumulative,
        certainty=certainty,
        band=band,
        undefined=undefined,
        note=None if nominal else OTHER_DISTANCE,
    )


def _error(result: Any, given: float | None) -> float:
    if given is not None:
        return check_number("standard_error", given)
    error = getattr(result, "standard_error", None)
    if error is None:
        raise InputError(
            f"the standard error of {result!r} is not known",
            ("pass ", Argument("standard_error"), ", or a result of standard_error or bootstrap"),
            argument="standard_error",
        )
    return float(error)


def _shares(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return shares of the standard normal distribution between ends; they sum to 1."""
    from scipy.special import log_ndtr

    # Above the middle, use the mirror image: lower tails keep their digits.
    mirrored = low + high > 0
    a, b = np.where(mirrored, -high, low), np.where(mirrored, -low, high)
    upper = log_ndtr(b)
    with np.errstate(divide="ignore"):
        logs = upper + np.log(-np.expm1(log_ndtr(a) - upper))
    shares = np.exp(logs - logs.max())
    return np.asarray(shares / shares.sum())
