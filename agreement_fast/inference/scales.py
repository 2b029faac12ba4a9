"""Published conventions for reading the values of a coefficient.

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
from dataclasses import dataclass

from agreement_fast.errors import InputError, choice


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
