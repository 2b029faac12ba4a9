"""Agreement of several coders on segmentations: corrected for chance, and with the majority.

Boundaries stand at random in one of two ways. Each place has one with a probability, its rate, no
matter where others are: then the boundaries in a window are binomial. Or every placement of a
number of boundaries in a text is as likely as another: then they are hypergeometric.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, mean_of_defined, ratio
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.draws import spreads, why_no_interval
from agreement_fast.inference.resample import Options
from agreement_fast.options import BootstrapMethod, ByName, Label, Seed, check_choice, check_flag
from agreement_fast.present.tables import DETAILS, Table, ends_of
from agreement_fast.present.terminal import number_of
from agreement_fast.results import Resampled
from agreement_fast.units.segmentation import (
    PLACES_OF_ONE_TEXT,
    CodedTexts,
    Segmentation,
    all_types,
    coded_texts,
    stacked,
)
from agreement_fast.units.segmentation_scores import (
    EditOptions,
    check_one_type,
    compare,
    similarity_of,
    up_to,
    window_of,
)


class InWindow(NamedTuple):
    """How likely a window holds each number of boundaries, and none.

    `share` has shape (J, R), a row for each number from `least`; `none` has shape (R,).
    """

    least: int
    share: FloatArray
    none: FloatArray


def by_rate(window: int, rates: FloatArray) -> InWindow:
    """Boundaries in a window whose places have one with some rates, float64 of shape (R,)."""
    defined = rates[~np.isnan(rates)]
    if not len(defined):
        nothing = np.full(len(rates), np.nan)
        return InWindow(0, nothing[None, :], nothing)
    means = window * np.array([defined.min(), defined.max()])
    spans = _wide(means)
    least = max(0, int(means[0] - spans[0]))
    most = min(window, int(means[1] + spans[1]) + 1)
    held = np.arange(least, most)
    # A rate of 1 would make the odds infinite; the next number below it changes nothing.
    odds = np.minimum(rates, np.nextafter(1.0, 0.0))
    with np.errstate(divide="ignore"):
        steps = np.log((window - held) / (held + 1))[:, None] + np.log(odds) - np.log1p(-odds)
        none = np.exp(window * np.log1p(-rates))
    return InWindow(least, _from_steps(steps), none)


def by_placement(window: int, n_places: int, n_boundaries: int) -> InWindow:
    """Boundaries in a window if a text has some number of them, anywhere."""
    mean = window * n_boundaries / n_places
    span = float(_wide(np.array(mean)))
    least = max(0, window + n_boundaries - n_places, int(mean - span))
    most = min(window, n_boundaries, int(mean + span) + 1)
    held = np.arange(least, most, dtype=np.float64)
    up = (n_boundaries - held) * (window - held)
    down = (held + 1) * (n_places - n_boundaries - window + held + 1)
    few, many = sorted((window, n_boundaries))
    left = n_places - many - np.arange(few, dtype=np.float64)
    none = float(np.prod(np.maximum(left, 0) / (n_places - np.arange(few))))
    return InWindow(least, _from_steps(np.log(up / down)[:, None]), np.array([none]))


def _wide(means: FloatArray) -> FloatArray:
    """How far from the mean the shares are too small for a float beside 1."""
    return np.asarray(12 * np.sqrt(means) + 40)


def _from_steps(steps: FloatArray) -> FloatArray:
    """Shares from the logarithms of how they grow from each number to the next."""
    logs = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    shares = np.exp(logs - logs.max(axis=0))
    return np.asarray(shares / shares.sum(axis=0))


def differ(measure: str, first: InWindow, other: InWindow) -> FloatArray:
    """In what share of windows two independent segmentations differ: P_k, or WindowDiff."""
    if measure == "p_k":
        return first.none * (1 - other.none) + other.none * (1 - first.none)
    least = max(first.least, other.least)
    a, b = first.share[least - first.least :], other.share[least - other.least :]
    both = min(len(a), len(b))
    return np.asarray(1 - (a[:both] * b[:both]).sum(axis=0))


#: Places after which the chance that a boundary waits has settled, to the last bit.
SETTLED = 128


class ExpectedEdits(NamedTuple):
    """What two segmentations need, if boundaries stand at rates: arrays of shape (texts, R)."""

    apart: FloatArray
    transpositions: FloatArray
    matches: FloatArray


def expected_edits(sizes: Array, first: FloatArray, second: FloatArray) -> ExpectedEdits:
    """Boundaries that one alone has, transpositions (n_t = 2) and boundaries that both have.

    Going along a text, a boundary that only one has pairs with the one before it if only the other
    has that and it is not paired. So all that matters of the past is whether one waits, and whose.
    """
    only_first, only_second = first * (1 - second), second * (1 - first)
    waits_first = waits_second = np.zeros_like(first)
    pairs = [np.zeros_like(first)]
    for _ in range(min(SETTLED, int(sizes.max()))):
        pairs.append(only_first * waits_second + only_second * waits_first)
        waits_first, waits_second = (
            only_first * (1 - waits_second),
            only_second * (1 - waits_first),
        )
    so_far = np.cumsum(pairs, axis=0)
    known = np.minimum(sizes, len(pairs) - 1)
    rest = (sizes - known)[:, None] * pairs[-1]
    n = sizes[:, None]
    return ExpectedEdits(n * (only_first + only_second), so_far[known] + rest, n * first * second)


ERRORS = ("window_diff", "p_k")
SIMILARITIES = ("boundary_similarity", "segmentation_similarity")
MEASURES = ERRORS + SIMILARITIES

AT_RATES = ("own_rates", "pooled_rate")
AT_BOUNDARIES = ("own_boundaries", "pooled_boundaries")
CHANCES = (*AT_RATES, "own_placements", *AT_BOUNDARIES)

NO_PAIRS = "no pairs: no two coders have anything to compare"
NO_VARIATION = "no variation: chance alone would make the coders agree"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SegmentationAgreement(Resampled):
    """Agreement on segmentations, corrected for chance: a float, with its parts and intervals.

    Attributes
    ----------
    measure, chance : str
        The measure, and the chance model.
    value : float
        1 − observed / expected for errors, (observed − expected) / (1 − expected) for similarities;
        NaN if undefined.
    standard_error, low, high : float
        The standard error and the ends of the interval, from resampling texts. NaN for a single
        text.
    observed, observed_low, observed_high : float
        The mean of the measure over pairs of coders, and its interval. Perfect agreement is 0 for
        errors and 1 for similarities.
    expected : float
        The mean of the measure that is expected by chance.
    confidence_level : float
        The confidence of the interval.
    method : str
        The kind of bootstrap interval.
    n_coders, n_pairs, n_texts, n_resamples : int
        Numbers of coders, pairs, texts and resamples. For errors, pairs are ordered: each coder is
        the reference once.
    n_texts_left_out : int
        Number of texts that a single coder cut.
    pairs : Table
        The measure for each pair of coders: "first" (the reference), "second", "observed",
        "expected", "value" and "n_texts".
    note : str or None
        The reason if there is no interval, or one without width.
    undefined : str or None
        The reason if there is no value.
    """

    _caption = (
        "{measure}, chance {chance}: {value}, observed {observed}, expected {expected}, "
        "{n_coders:coder}, {n_texts:text}[, {interval} ({method}, {n_resamples} resamples of "
        "texts)]"
    )

    measure: str
    chance: str
    observed: float
    observed_low: float
    observed_high: float
    expected: float
    n_coders: int
    n_pairs: int
    n_texts: int
    n_texts_left_out: int
    pairs: Table = field(metadata={"column": False})

    aside = DETAILS | {"observed_low", "observed_high", "n_pairs", "n_texts_left_out"}


def segmentation_agreement(
    segmentations: ByName[Segmentation],
    measure: Literal[
        "boundary_similarity", "segmentation_similarity", "window_diff", "p_k"
    ] = "boundary_similarity",
    *,
    chance: str | None = None,
    window: int | None = None,
    n_t: int = 2,
    ordered_types: Sequence[Label] | None = None,
    weights: Literal["scaled", "whole"] = "scaled",
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "bca",
    rng: Seed = None,
) -> SegmentationAgreement:
    """Compute agreement on the places of boundaries, corrected for chance.

    Near misses count in part. The observed value is the mean of a measure over pairs of coders. The
    expected value is its mean for boundaries at random places.

    Parameters
    ----------
    segmentations : mapping from coder to segmentation, or to a mapping from text to segmentation
        The segmentations. Pairs of coders are compared on the texts that both cut.
    measure : {"boundary_similarity", "segmentation_similarity", "window_diff", "p_k"}
        The measure for two segmentations. The errors "window_diff" and "p_k" take each coder as the
        reference once, because the reference determines the default window.
    chance : {"own_placements", "own_rates", "pooled_rate", "own_boundaries", "pooled_boundaries"}
        The chance model. By default "own_placements" for errors and "own_rates" for similarities.

        - "own_placements", for errors: in each text, each coder has their own number of boundaries,
          and all placements of them are equally likely. The expectation is exact.
        - "own_rates": each place has a boundary with the coder's own rate, as in κ; "pooled_rate":
          with the rate of all coders, as in π. The expectation is exact; for errors only if
          `window` is given, and so independent of the boundaries. For similarities, `n_t` must be 2
          and boundaries must have one type.
        - "own_boundaries" and "pooled_boundaries", for similarities: the probability that both
          coders have a boundary of one type at a place, which Fournier & Inkpen 2012 use as the
          expected similarity. Random boundaries reach another value: see Notes.
    window : int, optional
        For errors: how many places a window spans. By default, for each text, half the mean length
        of the reference's segments, rounded, and at least 1.
    n_t : int, default 2
        For similarities: the largest number of places that a transposition spans. With 2, a
        boundary may move to the next place; with 1, none moves.
    ordered_types : sequence of types, optional
        For similarities: all types in their order. A substitution then weighs the steps between its
        types divided by the number of types. Without an order, it weighs 1.
    weights : {"scaled", "whole"}, default "scaled"
        For similarities. "scaled": a transposition weighs the places that it moves divided by
        `n_t`, and a substitution depends on `ordered_types`. "whole": each of them weighs 1.
    n_resamples : int, default 2000
        How many times texts are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The kind of bootstrap interval.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same values.

    Returns
    -------
    SegmentationAgreement
        A float with its parts and intervals.

    Raises
    ------
    ValueError
        If there are fewer than two coders, if segmentations differ in length, if no text was cut by
        two coders, or if the measure does not have the chance model or an option.

    Notes
    -----
    A rate is the number of boundaries divided by the number of places, over all texts that a coder
    cut. The value of a pair is computed from the windows (or edits and boundaries) of all texts
    together. For B at rates, the expected value is the ratio of the expected numerator and
    denominator.

    For S, "own_boundaries" ignores that coders also agree on places without a boundary; for B, that
    near misses count: with a rate of 0.2, random coders have B = .20, but the expected value is
    .04. For errors at rates, the default window is shorter if a coder has more boundaries in a
    text: over 300 short texts, random coders reached −.06 in P_k; with placements they have 0.
    O(N · coders²).

    Examples
    --------
    >>> from agreement_fast import units
    >>> cuts = {"A": "0001000100", "B": "0001000010", "C": "0010000100"}
    >>> result = units.segmentation_agreement(cuts)
    >>> round(result.value, 3), round(result.observed, 3), round(result.expected, 3)
    (0.589, 0.667, 0.188)
    >>> round(units.segmentation_agreement(cuts, "window_diff").value, 3)
    0.39
    """
    check_choice("measure", measure, MEASURES)
    if chance is None:
        chance = "own_placements" if measure in ERRORS else "own_rates"
    check_choice("chance", chance, CHANCES)
    _check_options(measure, window, n_t, ordered_types, weights)
    options = Options.of(n_resamples, confidence_level, method, rng, None, False)
    edits = EditOptions.of(n_t, ordered_types, weights)
    given = coded_texts(segmentations)
    data = given.shared()
    types = all_types(data.all, ordered_types)
    _check_chance(measure, chance, edits, len(types))
    if measure in ERRORS:
        check_one_type(measure, data)
    pairs = _compared(data, types, measure, window, edits)
    boundaries = _Boundaries.of(data, types)
    placed = _placements(measure, pairs, boundaries) if chance == "own_placements" else None
    chances = _Chance(measure, chance, edits, pairs, boundaries, placed)

    def parts_of(weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = (pairs.above @ weights) / (pairs.below @ weights)
            expected = np.broadcast_to(chances.expected(weights), observed.shape)
            return observed, np.where(np.isnan(observed), np.nan, expected)

    def values_of(weights: FloatArray) -> FloatArray:
        observed, expected = map(mean_of_defined, parts_of(weights))
        return np.array([_corrected(measure, observed, expected), observed])

    result = spreads(values_of, len(data.texts), options)
    observed, expected = (part[:, 0] for part in parts_of(np.ones((len(data.texts), 1))))
    with np.errstate(invalid="ignore", divide="ignore"):
        each = _corrected(measure, observed, expected)
    means = [float(mean_of_defined(part)) for part in (observed, expected)]
    value = float(_corrected(measure, *(np.array([mean]) for mean in means))[0])
    return SegmentationAgreement(
        measure=measure,
        chance=chance,
        value=value,
        **result[0].parts(options),
        observed=means[0],
        **ends_of("observed", result[1][2:]),
        expected=means[1],
        n_coders=len(data.coders),
        n_pairs=int(np.count_nonzero(~np.isnan(observed))),
        n_texts=len(data.texts),
        n_texts_left_out=len(given.texts) - len(data.texts),
        pairs=Table(
            {
                "first": [data.coders[entry] for entry, _ in pairs.coders],
                "second": [data.coders[other] for _, other in pairs.coders],
                "observed": observed.tolist(),
                "expected": expected.tolist(),
                "value": each.tolist(),
                "n_texts": np.count_nonzero(pairs.cut, axis=1).tolist(),
            }
        ),
        note=why_no_interval(result[0], len(data.texts), PLACES_OF_ONE_TEXT),
        undefined=NO_PAIRS if math.isnan(means[0]) else NO_VARIATION if math.isnan(value) else None,
    )


def _check_options(measure: str, window: Any, n_t: Any, ordered_types: Any, weights: Any) -> None:
    """Raise an error for options of other measures, which would have no effect."""
    given = {
        "window": measure in SIMILARITIES and window is not None,
        "n_t": measure in ERRORS and n_t != 2,
        "ordered_types": measure in ERRORS and ordered_types is not None,
        "weights": measure in ERRORS and weights != "scaled",
    }
    for name, useless in given.items():
        if useless:
            others = ERRORS if measure in SIMILARITIES else SIMILARITIES
            raise InputError(
                (Argument(name), f" has no effect on {measure}"),
                ("leave it out, or pass ", Argument("measure", *others)),
            )


def _check_chance(measure: str, chance: str, edits: EditOptions, n_types: int) -> None:
    more = ("own_placements",) if measure in ERRORS else AT_BOUNDARIES
    if chance not in AT_RATES + more:
        raise InputError(
            (Argument("chance", chance), f" is not available for {measure}"),
            ("pass ", Argument("chance", *AT_RATES, *more)),
        )
    needs_one = measure in SIMILARITIES and chance in AT_RATES
    if needs_one and (edits.n_t != 2 or n_types > 1):
        raise InputError(
            (
                Argument("chance", chance),
                f" needs n_t=2 and boundaries of one type, not n_t={edits.n_t} and "
                f"{number_of(n_types, 'type')}",
            ),
            ("pass ", Argument("chance", *AT_BOUNDARIES)),
        )


def _corrected(measure: str, observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Return 1 for agreement, 0 for chance, and NaN if chance cannot disagree."""
    if measure in SIMILARITIES:
        observed, expected = 1 - observed, 1 - expected
    # Smaller values are rounding errors.
    possible = np.where(expected > 1e-12, expected, np.nan)
    return np.asarray(1 - observed / possible)


# ---------------------------------------------------------------------- the measure, for pairs


class _Pairs(NamedTuple):
    """Numerators and denominators for each pair of coders and text: arrays (pairs, texts).

    `windows` has the window of each pair and text, or 0 if there is none.
    """

    coders: list[tuple[int, int]]
    above: FloatArray
    below: FloatArray
    cut: Array
    windows: Array


def _compared(
    data: CodedTexts, types: list[Any], measure: str, window: int | None, edits: EditOptions
) -> _Pairs:
    ways = itertools.permutations if measure in ERRORS else itertools.combinations
    coders = list(ways(range(len(data.coders)), 2))
    shape = len(coders), len(data.texts)
    above, below = np.zeros((2, *shape))
    pairs = _Pairs(coders, above, below, np.zeros(shape, bool), np.zeros(shape, int))
    for text, name in enumerate(data.texts):
        cut = [row[text] for row in data.places]
        marks = {c: stacked(entry, types) for c, entry in enumerate(cut) if entry is not None}
        if measure in ERRORS:
            widths = {coder: window_of(window, mark[0], name) for coder, mark in marks.items()}
            differing = _differing(measure, marks, widths)
        for row, (first, other) in enumerate(coders):
            if first not in marks or other not in marks:
                continue
            pairs.cut[row, text] = True
            if measure in ERRORS:
                width = pairs.windows[row, text] = widths[first]
                pairs.above[row, text] = differing[width, min(first, other), max(first, other)]
                pairs.below[row, text] = marks[first].shape[1] + 1 - width
            else:
                compared = compare(marks[first], marks[other], edits)
                pairs.above[row, text], pairs.below[row, text] = similarity_of(measure, compared)
    return pairs


def _differing(
    measure: str, marks: Mapping[int, Array], widths: Mapping[int, int]
) -> dict[tuple[int, int, int], int]:
    """Windows of a width in which two coders differ, for the widths that one of them asks for."""
    result = {}
    known = {coder: up_to(mark[0]) for coder, mark in marks.items()}
    for width in set(widths.values()):
        held: dict[int, Array] = {
            coder: before[width:] - before[:-width] for coder, before in known.items()
        }
        if measure == "p_k":
            held = {coder: entry.astype(bool) for coder, entry in held.items()}
        for first, other in itertools.combinations(held, 2):
            if width in (widths[first], widths[other]):
                result[width, first, other] = int(np.count_nonzero(held[first] != held[other]))
    return result


# ---------------------------------------------------------------------- the measure, by chance


class _Boundaries(NamedTuple):
    """The numbers of boundaries of each type and of places, by coder and text; 0 if absent.

    Shapes are (types, coders, texts) and (coders, texts).
    """

    held: FloatArray
    places: FloatArray

    @staticmethod
    def of(data: CodedTexts, types: list[Any]) -> _Boundaries:
        """Count them."""
        held = np.zeros((len(types), len(data.coders), len(data.texts)))
        places = np.zeros(held.shape[1:])
        for coder, row in enumerate(data.places):
            for text, cell in enumerate(row):
                if cell is not None:
                    held[:, coder, text] = stacked(cell, types).sum(axis=1)
                    places[coder, text] = cell.n
        return _Boundaries(held, places)

    def rates(self, weights: FloatArray, pooled: bool) -> FloatArray:
        """Boundaries over places, float64 of shape (types, coders, R)."""
        held, places = self.held @ weights, self.places @ weights
        if pooled:
            rates = held.sum(axis=1) / places.sum(axis=0)
            return np.repeat(rates[:, None, :], held.shape[1], axis=1)
        return np.asarray(held / places)


class _Chance(NamedTuple):
    """What pairs would have if boundaries stood anywhere."""

    measure: str
    chance: str
    edits: EditOptions
    pairs: _Pairs
    boundaries: _Boundaries
    placed: FloatArray | None

    def expected(self, weights: FloatArray) -> FloatArray:
        """For texts that are there as often as weights (texts, R) say, of shape (pairs, R)."""
        if self.placed is not None:
            return np.asarray((self.placed @ weights) / (self.pairs.below @ weights))
        rates = self.boundaries.rates(weights, self.chance.startswith("pooled"))
        if self.chance in AT_BOUNDARIES:
            first, second = (list(side) for side in zip(*self.pairs.coders, strict=True))
            return np.asarray((rates[:, first] * rates[:, second]).sum(axis=0))
        if self.measure in ERRORS:
            return self._windows_at_rates(weights, rates[0])
        return self._edits_at_rates(weights, rates[0])

    def _windows_at_rates(self, weights: FloatArray, rates: FloatArray) -> FloatArray:
        known: dict[tuple[int, int], InWindow] = {}
        out = np.zeros((len(self.pairs.coders), weights.shape[1]))
        for row, coders in enumerate(self.pairs.coders):
            for width in np.unique(self.pairs.windows[row][self.pairs.cut[row]]).tolist():
                for coder in coders:
                    if (coder, width) not in known:
                        known[coder, width] = by_rate(width, rates[coder])
                texts = self.pairs.windows[row] == width
                windows = self.pairs.below[row, texts] @ weights[texts]
                share = differ(self.measure, *(known[coder, width] for coder in coders))
                # A rate that a resample leaves undefined belongs to texts that it does not have.
                out[row] += np.where(windows > 0, windows * share, 0)
        return np.asarray(out / (self.pairs.below @ weights))

    def _edits_at_rates(self, weights: FloatArray, rates: FloatArray) -> FloatArray:
        sizes = self.boundaries.places.max(axis=0).astype(np.int64)
        moved = 1.0 if self.edits.weights == "whole" else 0.5
        out = np.empty((len(self.pairs.coders), weights.shape[1]))
        for row, (first, other) in enumerate(self.pairs.coders):
            both = weights * self.pairs.cut[row][:, None]
            parts = expected_edits(sizes, rates[first], rates[other])
            apart, moves, matches = ((part * both).sum(axis=0) for part in parts)
            weight = apart - 2 * moves + moved * moves
            of = apart - moves + matches
            if self.measure == "segmentation_similarity":
                of = sizes @ both
            out[row] = (of - weight) / of
        return out


def _placements(measure: str, pairs: _Pairs, boundaries: _Boundaries) -> FloatArray:
    """Return the expected number of differing windows: float64 of shape (pairs, texts)."""

    @functools.cache
    def held(width: int, n_places: int, n_boundaries: int) -> InWindow:
        return by_placement(width, n_places, n_boundaries)

    @functools.cache
    def share(width: int, n_places: int, value: int, other: int) -> float:
        both = (held(width, n_places, n_boundaries) for n_boundaries in (value, other))
        return float(differ(measure, *both)[0])

    out = np.zeros_like(pairs.above)
    places, counts = (part.astype(np.int64) for part in (boundaries.places, boundaries.held[0]))
    for row, (first, other) in enumerate(pairs.coders):
        columns = zip(
            pairs.windows[row].tolist(), places[first].tolist(), counts[first].tolist(),
            counts[other].tolist(), strict=True,
        )  # fmt: skip
        shares = [share(*column) if column[0] else 0.0 for column in columns]
        out[row] = np.array(shares) * pairs.below[row]
    return out


NO_MAJORITY = "no majority: votes are tied at every place"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BoundaryMajority(Resampled):
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

    _caption = (
        "agreement with the majority {value}: {at_boundaries} at its boundaries, {elsewhere} "
        "elsewhere; {n_coders:coder}, {n_texts:text}, {n_level} opinions without a majority[, "
        "{interval} ({method}, {n_resamples} resamples of texts)]"
    )

    at_boundaries: float
    boundaries_low: float
    boundaries_high: float
    elsewhere: float
    elsewhere_low: float
    elsewhere_high: float
    own_vote: bool
    n_coders: int
    n_texts: int
    n_texts_left_out: int
    n_opinions: int
    n_opinions_at_boundaries: int
    n_level: int

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


def boundary_majority(
    segmentations: ByName[Segmentation],
    *,
    own_vote: bool = True,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "bca",
    rng: Seed = None,
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
    n_resamples : int, default 2000
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
    >>> from agreement_fast import units
    >>> result = units.boundary_majority({"A": "01000", "B": "01000", "C": "00100"})
    >>> round(result.value, 3), round(result.at_boundaries, 3)
    (0.867, 0.667)
    >>> alone = units.boundary_majority(
    ...     {"A": "01000", "B": "01000", "C": "00100"}, own_vote=False
    ... )
    >>> round(alone.value, 3), alone.n_level
    (0.818, 4)
    """
    own_vote = check_flag("own_vote", own_vote)
    options = Options.of(n_resamples, confidence_level, method, rng, None, False)
    given = coded_texts(segmentations)
    data = given.shared()
    # The opinions that agree, and all opinions: int64 of shape (texts, 3, 2)
    types = all_types(data.all, None)
    out = np.zeros((len(data.texts), 3, 2), np.int64)
    for text in range(len(data.texts)):
        cut = [row[text] for row in data.places]
        marks = [stacked(entry, types).any(axis=0) for entry in cut if entry is not None]
        votes = np.sum(marks, axis=0, dtype=np.int64)
        for n_for, n_places in enumerate(np.bincount(votes, minlength=len(marks) + 1).tolist()):
            for says, n_coders in ((1, n_for), (0, len(marks) - n_for)):
                others_for = n_for if own_vote else n_for - says
                n_voters = len(marks) if own_vote else len(marks) - 1
                lead = 2 * others_for - n_voters
                kind = 0 if lead > 0 else 1 if lead < 0 else 2
                n = n_coders * n_places
                out[text, kind] += (n if says == 1 - kind else 0, n)
    # All opinions, those of the majority for a boundary, and those against one.
    above, below = (
        np.array([kinds.sum(1), *kinds.T], np.float64) for kinds in np.moveaxis(out[:, :2], 2, 0)
    )
    result = spreads(lambda w: ratio(above @ w, below @ w), len(data.texts), options)
    sizes = below.sum(1)
    values = ratio(above.sum(1), sizes).tolist()
    return BoundaryMajority(
        value=values[0],
        **result[0].parts(options),
        at_boundaries=values[1],
        **ends_of("boundaries", result[1][2:]),
        elsewhere=values[2],
        **ends_of("elsewhere", result[2][2:]),
        own_vote=own_vote,
        n_coders=len(data.coders),
        n_texts=len(data.texts),
        n_texts_left_out=len(given.texts) - len(data.texts),
        n_opinions=int(sizes[0]),
        n_opinions_at_boundaries=int(sizes[1]),
        n_level=int(out[:, 2, 1].sum()),
        note=why_no_interval(result[0], len(data.texts), PLACES_OF_ONE_TEXT),
        undefined=None if sizes[0] else NO_MAJORITY,
    )
