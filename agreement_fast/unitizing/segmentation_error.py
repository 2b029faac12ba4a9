"""Errors of a segmentation against a reference: WindowDiff and P_k.

Raw scores, not corrected for chance. For several texts they have an interval, from resampling
texts. Windows of one text overlap, so they cannot be resampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.inference.documents import Options, shown, spreads, why_no_interval
from agreement_fast.options import check_flag
from agreement_fast.results import Result
from agreement_fast.terminal import show_label
from agreement_fast.unitizing.segmentation import marks_of

WINDOWS_OF_ONE_TEXT = "one text: windows of it overlap and are no sample, so there is no interval"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SegmentationError(Result):
    """An error rate of segmentations: a float, with its interval.

    Attributes
    ----------
    measure : {"window_diff", "p_k"}
        The measure.
    value : float
        The share of windows in which the segmentations differ.
    standard_error, low, high : float
        The standard error and the ends of the interval, from resampling texts. NaN for a single
        text.
    confidence_level : float
        The confidence of the interval.
    method : str
        The kind of bootstrap interval.
    n_texts, n_windows, n_resamples : int
        Numbers of texts, windows and resamples.
    note : str or None
        The reason if there is no interval, or one without width.
    """

    measure: str
    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    n_texts: int
    n_windows: int
    n_resamples: int
    note: str | None

    def __repr__(self) -> str:
        text = f"{self.measure} = {self.value:.6g}, {self.n_windows:,} windows"
        if self.n_texts > 1:
            text += f" of {self.n_texts:,} texts"
        return shown(text, self, "texts", with_interval=self.n_texts > 1)


def window_diff(
    reference: Any,
    hypothesis: Any,
    *,
    window: int | None = None,
    weighted: bool = False,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
) -> SegmentationError:
    """WindowDiff: the share of windows in which the numbers of boundaries differ. An error rate.

    A raw score between 0 (equal segmentations) and 1, **not corrected for chance**: the value that
    two coders reach by guessing depends on their numbers of boundaries. Use it against a reference,
    not as a measure of reliability.

    Parameters
    ----------
    reference, hypothesis : sequence of 0 and 1, or mapping from text to sequence
        Two segmentations of a text of N elements: a string or sequence of 0 and 1 of length N − 1,
        or a mapping from each text to one. With several texts, all windows count the same, and the
        value has an interval.
    window : int, optional
        How many places a window spans. By default, for each text, half the mean length of the
        reference's segments, rounded, and at least 1.
    weighted : bool, default False
        If True, a window counts the difference between its numbers of boundaries. The value may
        then exceed 1.
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
    SegmentationError
        A float with its interval.

    Raises
    ------
    ValueError
        If lengths differ, if an entry is not 0 or 1, if the window is below 1 or longer than the
        text, or if only one of the two has a text.

    Notes
    -----
    Pevzner & Hearst 2002: the mean over i of [b(i, i + k) ≠ b'(i, i + k)], where b counts the
    boundaries between elements i and i + k. O(N).

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> unitizing.window_diff("000100000010", "000101000010", window=3) == 0.3
    True
    >>> right = {"a": "00100100", "b": "01000010", "c": "000100"}
    >>> found = {"a": "00100000", "b": "01000010", "c": "001000"}
    >>> result = unitizing.window_diff(right, found, rng=1)
    >>> round(result.value, 4), result.n_windows, 0 <= result.low < result.high <= 1
    (0.2105, 19, True)
    """
    weighted = check_flag("weighted", weighted)
    options = Options.of(n_resamples, confidence_level, method, rng, None, False)

    def apart(there: Array, here: Array) -> Array:
        gaps: Array = np.abs(there - here)
        return gaps if weighted else np.minimum(gaps, 1)

    return _error("window_diff", apart, reference, hypothesis, window, options)


def p_k(
    reference: Any,
    hypothesis: Any,
    *,
    window: int | None = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
) -> SegmentationError:
    """P_k: how often only one segmentation separates two elements that are k apart. An error rate.

    A raw score between 0 (equal segmentations) and 1, **not corrected for chance**. Use it against
    a reference, not as a measure of reliability.

    Parameters
    ----------
    reference, hypothesis : sequence of 0 and 1, or mapping from text to sequence
        Two segmentations of a text of N elements: a string or sequence of 0 and 1 of length N − 1,
        or a mapping from each text to one. With several texts, all windows count the same, and the
        value has an interval.
    window : int, optional
        The distance k of the elements. By default, for each text, half the mean length of the
        reference's segments, rounded, and at least 1.
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
    SegmentationError
        A float with its interval.

    Raises
    ------
    ValueError
        If lengths differ, if an entry is not 0 or 1, if the window is below 1 or longer than the
        text, or if only one of the two has a text.

    Notes
    -----
    Beeferman, Berger & Lafferty 1999. O(N).

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> unitizing.p_k("000100000010", "000101000010", window=3)
    <p_k = 0.2, 10 windows; one text: windows of it overlap and are no sample, so there is no \
interval>
    """
    options = Options.of(n_resamples, confidence_level, method, rng, None, False)
    return _error("p_k", lambda a, b: (a > 0) != (b > 0), reference, hypothesis, window, options)


def _error(
    measure: str,
    apart: Callable[[Array, Array], Array],
    reference: Any,
    hypothesis: Any,
    window: int | None,
    options: Options,
) -> SegmentationError:
    texts = [apart(*_in_windows(*pair, window, of)) for pair, of in _texts(reference, hypothesis)]
    wrong, windows = (
        np.array([count(text) for text in texts], np.float64) for count in (np.sum, len)
    )

    def values_of(weights: FloatArray) -> FloatArray:
        return np.asarray(((wrong @ weights) / (windows @ weights))[None, :])

    (found,) = spreads(values_of, len(texts), options)
    return SegmentationError(
        measure=measure,
        value=math.fsum(wrong) / math.fsum(windows),
        **found.parts(options),
        n_texts=len(texts),
        n_windows=int(windows.sum()),
        note=why_no_interval(found, len(texts), WINDOWS_OF_ONE_TEXT),
    )


def _texts(reference: Any, hypothesis: Any) -> list[tuple[tuple[Any, Any], str]]:
    """Return both segmentations of each text, and the text's name for errors."""
    several = isinstance(reference, Mapping), isinstance(hypothesis, Mapping)
    if not any(several):
        return [((reference, hypothesis), "")]
    if not all(several):
        raise InputTypeError(
            "the reference and the hypothesis must both be one segmentation, or both a mapping "
            "from text to segmentation",
            argument="hypothesis",
        )
    for name, one, other in (
        ("hypothesis", reference, hypothesis),
        ("reference", hypothesis, reference),
    ):
        absent = [text for text in one if text not in other]
        if absent:
            raise InputError(f"the {name} has no text {show_label(absent[0])}", argument=name)
    if not reference:
        raise InputError("there are no texts", argument="reference")
    return [
        ((reference[text], hypothesis[text]), f" of text {show_label(text)}") for text in reference
    ]


def _in_windows(
    reference: Any, hypothesis: Any, window: int | None, of: str
) -> tuple[Array, Array]:
    """Count the boundaries in each window of both segmentations."""
    marks = marks_of(reference, f"the reference{of}"), marks_of(hypothesis, f"the hypothesis{of}")
    n = len(marks[0])
    if len(marks[1]) != n:
        raise InputError(
            f"the reference{of} has {n} places for boundaries and the hypothesis {len(marks[1])}: "
            "both must cut the same text",
        )
    if not n:
        raise InputError(
            f"the text{of.removeprefix(' of text')} has one element and no place for a boundary: "
            "nothing to compare"
        )
    if window is None:
        window = default_window(n, int(marks[0].sum()))
    check_window(window, n, of)
    counts = []
    for some in marks:
        before = np.concatenate([[0], np.cumsum(some, dtype=np.int64)])
        counts.append(before[window:] - before[:-window])
    return counts[0], counts[1]


def default_window(n_places: int, n_boundaries: int) -> int:
    """Half the mean length of the segments, rounded (halves to the even number), at least 1."""
    return max(1, round((n_places + 1) / (2 * (n_boundaries + 1))))


def check_window(window: Any, n_places: int, of: str = "") -> None:
    """Raise an error if a window is too long for a text."""
    if not isinstance(window, Integral) or isinstance(window, bool):
        raise InputTypeError(
            f"a window is a whole number of places, not {window!r}",
            argument="window",
        )
    if not 1 <= int(window) <= n_places:
        raise InputError(
            f"a window{of} must be 1 to {n_places} places wide, not {window}",
            argument="window",
        )
