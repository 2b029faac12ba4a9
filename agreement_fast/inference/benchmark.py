"""Which band of a scale a coefficient belongs to, given how sure it is (Gwet 2014, chapter 6)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import InputError
from agreement_fast.inference.hypotheses import NO_VARIANCE
from agreement_fast.inference.scales import Scale, find_scale
from agreement_fast.options import check_number, check_share
from agreement_fast.present.tables import aligned, in_columns
from agreement_fast.results import Result

NO_VALUE = "no value: the coefficient is undefined"
NO_ERROR = "no variance: the standard error is undefined"
OF_THE_VALUE = "the band of the value alone, without a standard error"
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
        The coefficient and its standard error; NaN for a number without one.
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
        The highest band that reaches it; without a standard error that of the value. None if
        undefined.
    undefined : str or None
        Why there are no probabilities.
    note : str or None
        Why the scale does not suit the coefficient, or that only the value is known.
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
        if self.band is not None and math.isnan(self.standard_error):
            return f"<{self.value:.4g} on the scale of {self.scale}: {self.band}; {self.note}>"
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
        sure = not math.isnan(self.standard_error)
        reason = f"first to reach {self.certainty:g}" if sure else f"holds {self.value:.4g}"
        reached = [reason * (word == self.band) for word in self.bands]
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
    the bands from the highest down, and claims the first band at which the sum reaches 95%. A
    number without a standard error has the band of its value only.

    Parameters
    ----------
    result : result of `standard_error`, `bootstrap`, `coefficient_test` or `agreement`, or float
        A result with a value and a standard error, or a number.
    scale : str or Scale, default "landis_koch_1977"
        A key of `agreement_fast.inference.SCALES`, or a scale of your own.
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
        If the scale is unknown, the value is above 1, or the standard error is negative.

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

    Words of all scales for a number, about which nothing more is known:

    >>> from agreement_fast.inference import SCALES
    >>> for scale in SCALES:
    ...     print(scale.key, benchmark(0.67, scale).band)
    landis_koch_1977 substantial
    krippendorff_1980_carletta_1996 discard
    neuendorf_2002 disputed
    krippendorff_2004 tentative
    fleiss_1981 fair to good
    altman_1991 good
    rietveld_van_hout_1993 substantial
    """
    check_share("certainty", certainty)
    chosen = find_scale(scale)
    remedy = "pass what inference.standard_error(data) returns"
    value = check_number("result", getattr(result, "value", result), remedy)
    error = standard_error
    if error is None:
        error = getattr(result, "standard_error", None)
    if value > 1 + 1e-12:
        raise InputError.must_be("result", "at most 1", value)
    if error is not None and check_number("standard_error", error) < 0:
        raise InputError.must_be("standard_error", "0 or more", error)
    undefined = getattr(result, "undefined", None)
    if math.isnan(value):
        undefined = undefined or NO_VALUE
    elif error is not None and math.isnan(error):
        undefined = undefined or NO_ERROR
    elif error == 0:
        undefined = NO_VARIANCE
    else:
        undefined = None
    low = np.array([max(band.above, -1.0) for band in chosen.bands])
    high = np.concatenate([[1.0], low[:-1]])
    probability = np.full(len(low), np.nan)
    if undefined is None and error is not None:
        probability = _shares((low - value) / error, (high - value) / error)
    cumulative = np.cumsum(probability)
    band = None
    if undefined is None and error is not None:
        cumulative[-1] = 1.0  # without the rounding error
        band = chosen.bands[int(np.argmax(cumulative >= certainty))]
    elif undefined is None:
        band = chosen.read(value)
    notes = [OF_THE_VALUE] if error is None and band is not None else []
    if getattr(result, "distance", "nominal") != "nominal":
        notes.append(OTHER_DISTANCE)
    return Benchmark(
        scale=chosen.name,
        value=value,
        standard_error=math.nan if error is None else float(error),
        bands=tuple(band.word for band in chosen.bands),
        low=low,
        high=high,
        probability=probability,
        cumulative=cumulative,
        certainty=certainty,
        band=None if band is None else band.word,
        undefined=undefined,
        note="; ".join(notes) or None,
    )


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
