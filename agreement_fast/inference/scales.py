"""Published conventions for reading the values of a coefficient, and which band one belongs to.

They are rules of thumb for unweighted coefficients, and they contradict each other. Nothing in the
package depends on them.

References
----------
Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data.
*Biometrics*, 33(1), 159-174.

Krippendorff, K. (1980). *Content Analysis*, p. 147, as reported by Carletta, J. (1996). Assessing
agreement on classification tasks: the kappa statistic. *Computational Linguistics*, 22(2), 249-254.

Neuendorf, K. A. (2002). *The Content Analysis Guidebook*, p. 3.

Krippendorff, K. (2004). *Content Analysis*, 2nd edition, pp. 241-242.

Fleiss, J. L. (1981). *Statistical Methods for Rates and Proportions*, 2nd edition, p. 218.

Altman, D. G. (1991). *Practical Statistics for Medical Research*, p. 404.

Rietveld, T., & van Hout, R. (1993). *Statistical Techniques for the Study of Language and Language
Behaviour*, as cited by Di Eugenio, B., & Glass, M. (2004). The kappa statistic: a second look.
*Computational Linguistics*, 30(1), 95-101.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import InputError, choice
from agreement_fast.inference.hypotheses import NO_VARIANCE
from agreement_fast.options import check_number, check_share
from agreement_fast.present.tables import aligned
from agreement_fast.results import Result


@dataclass(frozen=True)
class Band:
    """One band of a scale."""

    #: Lower end; minus infinity for the lowest band.
    above: float
    #: Whether a value equal to `above` is in this band (else it is in the one below).
    closed: bool
    #: A word or two for a table.
    word: str
    #: The authors' reading of the band.
    meaning: str

    def __contains__(self, value: float) -> bool:
        return value > self.above or (self.closed and value == self.above)


@dataclass(frozen=True)
class Scale:
    """A published convention."""

    #: Name in JSON documents.
    key: str
    #: Author and year.
    name: str
    #: Author, for a table.
    short: str
    #: The bands in a phrase.
    legend: str
    #: From the highest to the lowest. A number belongs to the first band that contains it.
    bands: tuple[Band, ...]

    def read(self, value: float) -> Band | None:
        """Return the band of a value, or None for NaN.

        `value`: the value of a coefficient, at most 1. Returns the band.

        Examples
        --------
        >>> SCALES[0].read(0.41).word
        'moderate'
        >>> SCALES[1].read(0.8).word  # "K > .8" is good
        'tentative'
        >>> SCALES[2].read(float("nan")) is None
        True
        """
        if math.isnan(value):
            return None
        # 4/5 in floating point may differ from 0.8 in the last bit.
        value = round(value, 12)
        return next(band for band in self.bands if value in band)


_BELOW = -math.inf

#: Landis & Koch and Altman print bands to two decimals (0.21-0.40). Here each band reaches down to
#: the end of the band below, so that 0.205 has a place: it is fair. Krippendorff and Carletta write
#: > .8 and > .67, Neuendorf ".90 or greater", Fleiss "greater than .75" and "below .40".
SCALES: tuple[Scale, ...] = (
    Scale(
        "landis_koch_1977",
        "Landis & Koch 1977",
        "Landis & Koch",
        "above .8 almost perfect, above .6 substantial, above .4 moderate, above .2 fair, from 0"
        " slight, below poor",
        (
            Band(0.8, False, "almost perfect", "almost perfect: above .80"),
            Band(0.6, False, "substantial", "substantial: .61 to .80"),
            Band(0.4, False, "moderate", "moderate: .41 to .60"),
            Band(0.2, False, "fair", "fair: .21 to .40"),
            Band(0.0, True, "slight", "slight: .00 to .20"),
            Band(_BELOW, True, "poor", "poor: below 0"),
        ),
    ),
    Scale(
        "krippendorff_1980_carletta_1996",
        "Krippendorff 1980, Carletta 1996",
        "Krippendorff",
        "above .8 good reliability, above .67 tentative conclusions, else discard",
        (
            Band(0.8, False, "good", "good reliability: above .8"),
            Band(0.67, False, "tentative", "tentative conclusions only: above .67, up to .8"),
            Band(_BELOW, True, "discard", "to be discarded: .67 or less"),
        ),
    ),
    Scale(
        "neuendorf_2002",
        "Neuendorf 2002",
        "Neuendorf",
        "from .9 acceptable to all, from .8 in most situations, below great disagreement",
        (
            Band(0.9, True, "acceptable to all", "acceptable to all: .90 or greater"),
            Band(0.8, True, "acceptable to most", "acceptable in most situations: .80 or greater"),
            Band(_BELOW, True, "disputed", "great disagreement on whether it will do: below .80"),
        ),
    ),
    Scale(
        "krippendorff_2004",
        "Krippendorff 2004",
        "Krippendorff",
        "above .8 reliable, though .8 is a low standard, from .667 tentative conclusions, below"
        " discard",
        (
            Band(0.8, False, "reliable", "reliable: above .800, itself a pretty low standard"),
            Band(0.667, True, "tentative", "tentative conclusions only: .667 to .800"),
            Band(_BELOW, True, "discard", "not to be relied on: below .667"),
        ),
    ),
    Scale(
        "fleiss_1981",
        "Fleiss 1981",
        "Fleiss",
        "above .75 excellent, from .4 fair to good, below poor",
        (
            Band(0.75, False, "excellent", "excellent beyond chance: above .75"),
            Band(0.4, True, "fair to good", "fair to good beyond chance: .40 to .75"),
            Band(_BELOW, True, "poor", "poor beyond chance: below .40"),
        ),
    ),
    Scale(
        "altman_1991",
        "Altman 1991",
        "Altman",
        "above .8 very good, above .6 good, above .4 moderate, above .2 fair, below poor",
        (
            Band(0.8, False, "very good", "very good: .81 to 1.00"),
            Band(0.6, False, "good", "good: .61 to .80"),
            Band(0.4, False, "moderate", "moderate: .41 to .60"),
            Band(0.2, False, "fair", "fair: .21 to .40"),
            Band(_BELOW, True, "poor", "poor: .20 or less"),
        ),
    ),
    Scale(
        "rietveld_van_hout_1993",
        "Rietveld & van Hout 1993",
        "Rietveld & van Hout",
        "above .4 moderate, above .2 fair (Di Eugenio & Glass 2004); the other bands are Landis &"
        " Koch's, which they equal",
        (
            Band(0.8, False, "almost perfect", "almost perfect: above .80, as Landis & Koch"),
            Band(0.6, False, "substantial", "substantial: above .60, as Landis & Koch"),
            Band(0.4, False, "moderate", "moderate: above .40, up to .60"),
            Band(0.2, False, "fair", "fair: above .20, up to .40"),
            Band(0.0, True, "slight", "slight: .00 to .20, as Landis & Koch"),
            Band(_BELOW, True, "poor", "poor: below 0, as Landis & Koch"),
        ),
    ),
)


def find_scale(scale: str | Scale) -> Scale:
    """Return the scale with a key; a `Scale` is returned as it is.

    `scale`: a key of `SCALES`, or a scale of your own. Returns the scale. Raises ValueError if
    there is no scale with that key.
    """
    if isinstance(scale, Scale):
        return scale
    for entry in SCALES:
        if isinstance(scale, str) and entry.key == scale:
            return entry
    raise InputError.must_be("scale", choice([scale.key for scale in SCALES]), scale)


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

    _caption = "{value:.4g}[ ± {standard_error:.4g}] on the scale of {scale}[: {band}{_or_higher}]"
    _table = "band | from = low:g | to = high:g | probability | cumulative |  = _reached:s"
    _most = None

    @property
    def _reached(self) -> list[str]:
        sure = not math.isnan(self.standard_error)
        reason = f"first to reach {self.certainty:g}" if sure else f"holds {self.value:.4g}"
        return [reason * (word == self.band) for word in self.bands]

    @property
    def _or_higher(self) -> str:
        if self.band is None or math.isnan(self.standard_error):
            return ""
        reached = self.cumulative[self.bands.index(self.band)]
        higher = "" if self.band == self.bands[0] else " or higher"
        sure = ", as any value" if self.band == self.bands[-1] else ""
        return f"{higher} with probability {reached:.4f}{sure}"

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

    @property
    def interval(self) -> tuple[float, float]:
        """No interval: `low` and `high` are the ends of the bands."""
        raise AttributeError("a benchmark has bands; inference.standard_error has the interval")

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each band."""
        return aligned(self, "band=bands low high probability cumulative")


def benchmark(
    result: Result | float,
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
    remedy = "pass what af.inference.standard_error(data) returns"
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
