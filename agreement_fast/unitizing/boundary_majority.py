"""Percentage agreement of segmentations with the majority opinion (Passonneau & Litman 1993)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.inference.documents import Options, shown, spreads, why_no_interval
from agreement_fast.options import check_flag
from agreement_fast.results import Result
from agreement_fast.terminal import number_of
from agreement_fast.unitizing.segmentation import (
    PLACES_OF_ONE_TEXT,
    CodedTexts,
    all_types,
    coded_texts,
    stacked,
)

NO_MAJORITY = "no majority: votes are tied at every place"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BoundaryMajority(Result):
    """Percentage agreement with the majority opinion: a float, with its interval.

    Attributes
    ----------
    value : float
        The share of opinions that agree with the majority. An opinion is a coder's decision about
        one place.
    standard_error, low, high : float
        The standard error and the ends of the interval, from resampling texts. NaN for a single
        text.
    at_boundaries, boundaries_low, boundaries_high : float
        The same for places at which the majority has a boundary.
    elsewhere, elsewhere_low, elsewhere_high : float
        The same for places at which the majority has none.
    confidence_level : float
        The confidence of the interval.
    method : str
        The kind of bootstrap interval.
    own_vote : bool
        Whether coders are part of the majority that they are compared with.
    n_coders, n_texts, n_resamples : int
        Numbers of coders, texts and resamples.
    n_texts_left_out : int
        Number of texts that a single coder cut.
    n_opinions, n_opinions_at_boundaries : int
        Number of opinions that have a majority to agree with.
    n_level : int
        Number of opinions without a majority because votes are tied.
    note : str or None
        The reason if there is no interval, or one without width.
    undefined : str or None
        The reason if there is no value.
    """

    value: float
    standard_error: float
    low: float
    high: float
    at_boundaries: float
    boundaries_low: float
    boundaries_high: float
    elsewhere: float
    elsewhere_low: float
    elsewhere_high: float
    confidence_level: float
    method: str
    own_vote: bool
    n_coders: int
    n_texts: int
    n_texts_left_out: int
    n_resamples: int
    n_opinions: int
    n_opinions_at_boundaries: int
    n_level: int
    note: str | None
    undefined: str | None

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return a row for all opinions, and one for each opinion of the majority."""
        rest = self.n_opinions - self.n_opinions_at_boundaries
        return {
            "majority": ["any", "boundary", "none"],
            "value": [self.value, self.at_boundaries, self.elsewhere],
            "low": [self.low, self.boundaries_low, self.elsewhere_low],
            "high": [self.high, self.boundaries_high, self.elsewhere_high],
            "confidence_level": [self.confidence_level] * 3,
            "n_opinions": [self.n_opinions, self.n_opinions_at_boundaries, rest],
        }

    def __repr__(self) -> str:
        text = (
            f"agreement with the majority {self.value:.6g}: {self.at_boundaries:.6g} at its "
            f"boundaries, {self.elsewhere:.6g} elsewhere; "
            f"{number_of(self.n_coders, 'coder')}, {number_of(self.n_texts, 'text')}, "
            f"{self.n_level:,} opinions without a majority"
        )
        return shown(text, self, "texts", with_interval=self.n_texts > 1)


def boundary_majority(
    segmentations: Any,
    *,
    own_vote: bool = True,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
) -> BoundaryMajority:
    """Compute how often coders agree with the majority about a place.

    A raw share, **not corrected for chance**. It cannot be small: with own votes, a majority of
    three coders has at least two thirds of the opinions. See `at_boundaries`, because most places
    are no boundaries.

    Parameters
    ----------
    segmentations : mapping from coder to segmentation, or to a mapping from text to segmentation
        The segmentations. Boundaries of all types count as boundaries.
    own_vote : bool, default True
        Whether coders are part of the majority that they are compared with, as in Passonneau &
        Litman 1993. If False, they are compared with the majority of the others.
    n_resamples : int, default 1000
        How many times texts are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The kind of bootstrap interval.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same values.

    Returns
    -------
    BoundaryMajority
        A float with its interval.

    Raises
    ------
    ValueError
        If there are fewer than two coders, if segmentations differ in length, or if entries are not
        0 or 1.

    Notes
    -----
    Places with tied votes have no majority and are left out; `n_level` counts their opinions.
    O(N · coders).

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> found = unitizing.boundary_majority({"A": "01000", "B": "01000", "C": "00100"})
    >>> round(found.value, 3), round(found.at_boundaries, 3)
    (0.867, 0.667)
    >>> alone = unitizing.boundary_majority(
    ...     {"A": "01000", "B": "01000", "C": "00100"}, own_vote=False
    ... )
    >>> round(alone.value, 3), alone.n_level
    (0.818, 4)
    """
    own_vote = check_flag("own_vote", own_vote)
    options = Options.of(n_resamples, confidence_level, method, rng, None, False)
    given = coded_texts(segmentations)
    data = given.shared()
    counts = _counts(data, own_vote)
    agree = np.column_stack([counts[:, 0, 0], counts[:, 1, 0]])
    opinions = np.column_stack([counts[:, 0, 1], counts[:, 1, 1]])
    above = np.column_stack([agree.sum(axis=1), agree]).T.astype(np.float64)
    below = np.column_stack([opinions.sum(axis=1), opinions]).T.astype(np.float64)

    def values_of(weights: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            return np.asarray((above @ weights) / (below @ weights))

    found = spreads(values_of, len(data.texts), options)
    sizes = below.sum(axis=1)
    values = [
        math.fsum(part) / size if size else math.nan
        for part, size in zip(above, sizes.tolist(), strict=True)
    ]
    return BoundaryMajority(
        value=values[0],
        **found[0].parts(options),
        at_boundaries=values[1],
        boundaries_low=found[1].low,
        boundaries_high=found[1].high,
        elsewhere=values[2],
        elsewhere_low=found[2].low,
        elsewhere_high=found[2].high,
        own_vote=own_vote,
        n_coders=len(data.coders),
        n_texts=len(data.texts),
        n_texts_left_out=len(given.texts) - len(data.texts),
        n_opinions=int(sizes[0]),
        n_opinions_at_boundaries=int(sizes[1]),
        n_level=int(counts[:, 2, 1].sum()),
        note=why_no_interval(found[0], len(data.texts), PLACES_OF_ONE_TEXT),
        undefined=None if sizes[0] else NO_MAJORITY,
    )


def _counts(data: CodedTexts, own_vote: bool) -> Array:
    """Count the opinions that agree, and all opinions: int64 of shape (texts, 3, 2).

    Rows are majorities for a boundary, majorities for none, and tied votes.
    """
    types = all_types(data.found, None)
    out = np.zeros((len(data.texts), 3, 2), np.int64)
    for text in range(len(data.texts)):
        cut = [row[text] for row in data.places]
        marks = [stacked(one, types).any(axis=0) for one in cut if one is not None]
        votes = np.sum(marks, axis=0, dtype=np.int64)
        for n_for, n_places in enumerate(np.bincount(votes, minlength=len(marks) + 1).tolist()):
            for says, n_coders in ((1, n_for), (0, len(marks) - n_for)):
                others_for = n_for if own_vote else n_for - says
                n_voters = len(marks) if own_vote else len(marks) - 1
                lead = 2 * others_for - n_voters
                kind = 0 if lead > 0 else 1 if lead < 0 else 2
                n = n_coders * n_places
                out[text, kind] += (n if says == 1 - kind else 0, n)
    return out
