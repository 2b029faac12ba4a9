"""How values of a coefficient have been read in the literature: three published conventions.

They are rules of thumb for unweighted coefficients and disagree with one another; nothing in the
package decides by them.

References
----------
Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data.
*Biometrics*, 33(1), 159-174.

Krippendorff, K. (1980). *Content Analysis*, p. 147, as reported by Carletta, J. (1996). Assessing
agreement on classification tasks: the kappa statistic. *Computational Linguistics*, 22(2), 249-254.

Neuendorf, K. A. (2002). *The Content Analysis Guidebook*, p. 3.

Artstein, R., & Poesio, M. (2008). Inter-coder agreement for computational linguistics, 4.1.3 and
4.4. *Computational Linguistics*, 34(4), 555-596.

Antoine, J.-Y., Villaneau, J., & Lefeuvre, A. (2014). Weighted Krippendorff's alpha is a more
reliable metrics for multi-coders ordinal annotations. *EACL 2014*.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

__all__ = ["SCALES", "WARNINGS", "WEIGHTED_WARNING", "Band", "Scale", "read_all"]


class Measured(Protocol):
    """A value of a coefficient under a distance."""

    @property
    def distance(self) -> str: ...
    @property
    def value(self) -> float: ...


@dataclass(frozen=True)
class Band:
    """One band of a scale.

    Attributes
    ----------
    above : float
        Lower end; minus infinity for the lowest band.
    closed : bool
        Whether a value equal to `above` is in this band (else it is in the one below).
    word : str
        A word or two for a table.
    meaning : str
        What the authors say.
    """

    above: float
    closed: bool
    word: str
    meaning: str

    def __contains__(self, value: float) -> bool:
        return value > self.above or (self.closed and value == self.above)


@dataclass(frozen=True)
class Scale:
    """A published convention.

    Attributes
    ----------
    key : str
        Name in JSON documents.
    name : str
        Author and year.
    short : str
        Author, for a table.
    legend : str
        The bands in a phrase.
    bands : tuple of Band
        From the highest to the lowest; every number is in exactly one of them: the first that
        holds it.
    """

    key: str
    name: str
    short: str
    legend: str
    bands: tuple[Band, ...]

    def read(self, value: float) -> Band | None:
        """Give the band of a value; None where the value is undefined (NaN).

        Parameters
        ----------
        value : float
            Of a coefficient, at most 1.

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
        # 4/5 computed in floating point may lie an ulp above or below 0.8.
        value = round(value, 12)
        return next(band for band in self.bands if value in band)


_BELOW = -math.inf

#: Landis & Koch print bands to two decimals (0.21-0.40). Here each band reaches down to the end of
#: the band below, so that 0.205 has a place: it is fair. Krippendorff and Carletta write > .8 and
#: > .67; Neuendorf writes ".90 or greater".
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
)


def read_all(result: Measured) -> tuple[Band | None, ...]:
    """Give the band of each scale; None where a value is undefined or the scale is not for it.

    Parameters
    ----------
    result : Agreement, or a result of `agreement_fast.inference`
        Under another distance than nominal no scale is meant for it (Artstein & Poesio 2008, 4.4).
    """
    meant = result.distance == "nominal"
    return tuple(scale.read(result.value) if meant else None for scale in SCALES)


#: What to say beside any reading.
WARNINGS: tuple[str, ...] = (
    "These thresholds are conventions: they disagree with one another, and which value is enough"
    " depends on what the labels are for (Artstein & Poesio 2008, 4.1.3).",
    "A value also moves with the number of categories and with the distance, so that no one"
    " threshold fits all studies (Antoine et al. 2014, 3.3 and 5.1).",
)

#: What to add where a distance other than nominal was used.
WEIGHTED_WARNING = (
    "With another distance than nominal the value moves with the choice of the distance: these"
    " scales should not be used there (Artstein & Poesio 2008, 4.4)."
)
