"""Two segmentations: boundary edits, the similarities B and S, WindowDiff and P_k.

Raw scores, not corrected for chance. For several texts they have an interval, from resampling
texts. Windows of one text overlap, so they cannot be resampled.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, ratio
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.inference.draws import spreads, why_no_interval
from agreement_fast.inference.resample import Options
from agreement_fast.options import (
    BootstrapMethod,
    Label,
    Seed,
    check_choice,
    check_count,
    check_flag,
)
from agreement_fast.present.terminal import show_label
from agreement_fast.results import Resampled, Result
from agreement_fast.units.segmentation import (
    PLACES_OF_ONE_TEXT,
    CodedTexts,
    Places,
    Segmentation,
    all_types,
    coded_texts,
    stacked,
)


class Edits(NamedTuple):
    """The numbers of edits, and their extent.

    `moved` is the total number of places that transpositions move. `changed` is the total number of
    steps between the types of substitutions; for types without an order, each substitution counts
    the number of types.
    """

    additions: int
    substitutions: int
    transpositions: int
    moved: int
    changed: int

    @property
    def number(self) -> int:
        """All edits, each counting 1."""
        return self.additions + self.substitutions + self.transpositions


NONE = Edits(0, 0, 0, 0, 0)

#: Edits as they are compared: number, weight, −transpositions; then moved, changed, substitutions.
_Cost = tuple[int, int, int, int, int, int]
_FREE: _Cost = (0, 0, 0, 0, 0, 0)

#: For each type of boundary, who has those that wait to be moved, and where they are.
_Waiting = tuple[tuple[int, tuple[int, ...]], ...]

#: A place of a cluster, and for each type 1 if only the first has it, −1 if only the second.
_Place = tuple[int, tuple[int, ...]]


def fewest_edits(first: Array, second: Array, n_t: int, ordered: bool) -> Edits:
    """Count the edits between two segmentations.

    `first`, `second` (bool (types, n)). `n_t`: a boundary moves by fewer than `n_t` places.
    `ordered`: whether a substitution weighs less if its types are nearer in their order.
    """
    places = np.flatnonzero((first != second).any(axis=0))
    sides = first[:, places].astype(np.int8) - second[:, places]
    if len(first) == 1 and n_t == 2:
        return _of_runs(places, sides[0])
    total = np.array(NONE)
    for cluster, times in _clusters(places, sides, n_t):
        if len(first) == 1:
            cost = _one_type([(place, side) for place, (side,) in cluster], n_t)
        else:
            cost = _several_types(cluster, n_t, len(first), ordered)
        number, _, transposed, moved, changed, swaps = cost
        edits = Edits(number - swaps + transposed, swaps, -transposed, moved, changed)
        total += times * np.array(edits)
    return Edits(*total.tolist())


def _of_runs(places: Array, sides: Array) -> Edits:
    """Edits of one type that moves one place: pairs of neighbours, where sides alternate."""
    if not len(places):
        return NONE
    linked = (np.diff(places) == 1) & (sides[1:] != sides[:-1])
    starts = np.flatnonzero(np.concatenate([[True], ~linked]))
    pairs = int((np.diff(np.append(starts, len(places))) // 2).sum())
    return Edits(len(places) - 2 * pairs, 0, pairs, pairs, 0)


def _clusters(places: Array, sides: Array, n_t: int) -> Iterator[tuple[list[_Place], int]]:
    """Places that moves may join, and how often they lie in this way."""
    if not len(places):
        return
    gaps = np.diff(places, prepend=places[0])
    starts = np.flatnonzero(np.concatenate([[True], gaps[1:] >= n_t]))
    gaps[starts] = 0
    rows = np.ascontiguousarray(np.column_stack([gaps, sides.T]).astype(np.int64))
    ends = np.append(starts[1:], len(places)).tolist()
    alike = Counter(
        rows[begin:end].tobytes() for begin, end in zip(starts.tolist(), ends, strict=True)
    )
    for held, times in alike.items():
        own = np.frombuffer(held, np.int64).reshape(-1, rows.shape[1])
        at = np.cumsum(own[:, 0]).tolist()
        yield list(zip(at, map(tuple, own[:, 1:].tolist()), strict=True)), times


def _better(states: dict[object, _Cost], key: object, cost: _Cost) -> None:
    if key not in states or cost < states[key]:
        states[key] = cost


# ------------------------------------------------------------------- boundaries of one type
# Boundaries that wait to be moved are the last ones of one side, so a state is their side and their
# number. Who came first is moved first: to exchange the partners of two moves that cross makes none
# of them longer. For the same reason one that meets somebody who waits is never just left out.


def _one_type(cluster: Iterable[tuple[int, int]], n_t: int) -> _Cost:
    seen: dict[int, list[int]] = {1: [], -1: []}
    states: dict[tuple[int, int], _Cost] = {(0, 0): _FREE}
    for place, side in cluster:
        new: dict[object, _Cost] = {}
        for (whose, n_waiting), cost in states.items():
            waiting = seen[whose][-n_waiting:] if n_waiting else []
            near = [at for at in waiting if place - at < n_t]
            cost = _set(cost, len(waiting) - len(near))
            if not near or whose == side:
                _better(new, (side, len(near) + 1), cost)
                continue
            _better(new, (side, 1), _set(cost, len(near)))
            for left, at in enumerate(near):
                rest = len(near) - left - 1
                after = _moved(_set(cost, left), place - at, 1)
                _better(new, (whose, rest) if rest else (0, 0), after)
        seen[side].append(place)
        states = new  # type: ignore[assignment]
    return min(_set(cost, n_waiting) for (_, n_waiting), cost in states.items())


def _set(cost: _Cost, n: int) -> _Cost:
    """Some boundaries of the only type are added or removed: an edit each, no weight to compare."""
    return (cost[0] + n, *cost[1:])


def _moved(cost: _Cost, far: int, weight: int) -> _Cost:
    number, total, transposed, moved, *rest = cost
    return (number + 1, total + far * weight, transposed - 1, moved + far, rest[0], rest[1])


# --------------------------------------------------------------- boundaries of several types
# A boundary that is neither moved nor waits meets the others of its place, and pairs of them become
# substitutions. A state says which boundaries wait; all that wait must be moved.


def _several_types(cluster: list[_Place], n_t: int, n_types: int, ordered: bool) -> _Cost:
    nobody: _Waiting = ((0, ()),) * n_types
    states: dict[_Waiting, _Cost] = {nobody: _FREE}
    for place, sides in cluster:
        new: dict[object, _Cost] = {}
        for waiting, cost in states.items():
            if any(at and place - at[0] >= n_t for _, at in waiting):
                continue
            ways = (
                _ways(kind, side, waiting[kind], place) for kind, side in enumerate(sides) if side
            )
            for taken in itertools.product(*ways):
                after = list(waiting)
                stays: dict[int, list[int]] = {1: [], -1: []}
                then = cost
                for kind, left, far in taken:
                    if left is None:
                        stays[sides[kind]].append(kind)
                    else:
                        after[kind] = left
                    if far:
                        then = _moved(then, far, n_types)
                number, changed = _in_place(tuple(stays[1]), tuple(stays[-1]), n_types, ordered)
                swaps = min(len(stays[1]), len(stays[-1]))
                weight = (number - swaps) * n_types * n_t + changed * n_t
                much = then[1] + weight, *then[2:4]
                then = (then[0] + number, *much, then[4] + changed, then[5] + swaps)
                _better(new, tuple(after), then)
        states = new  # type: ignore[assignment]
    return states[nobody]


#: A type, what of it waits afterwards (None if its boundary stays), and how far one was moved.
_Way = tuple[int, tuple[int, tuple[int, ...]] | None, int]


def _ways(kind: int, side: int, waiting: tuple[int, tuple[int, ...]], place: int) -> list[_Way]:
    """What a boundary may do: stay, wait to be moved, or meet the one that waits longest."""
    whose, at = waiting
    ways: list[_Way] = [(kind, None, 0)]
    if whose in (0, side):
        ways.append((kind, (side, (*at, place)), 0))
    else:
        rest = at[1:]
        ways.append((kind, (whose if rest else 0, rest), place - at[0]))
    return ways


@functools.lru_cache(maxsize=4096)
def _in_place(
    types: tuple[int, ...], others: tuple[int, ...], n_types: int, ordered: bool
) -> tuple[int, int]:
    """Edits where boundaries of some types stand for those of others, and steps between types."""
    few, many = sorted((types, others), key=len)
    if not ordered:
        return len(many), len(few) * n_types
    # Sorted types are paired in their order; which of the many to leave out is a choice.
    steps = min(
        sum(abs(first - other) for first, other in zip(few, some, strict=True))
        for some in itertools.combinations(many, len(few))
    )
    return len(many), steps


WEIGHTS = ("scaled", "whole")

NO_BOUNDARIES = "no boundaries: neither segmentation has any"


class EditOptions(NamedTuple):
    """How edits are counted and weighted."""

    n_t: int
    ordered_types: Any
    weights: str

    @staticmethod
    def of(n_t: Any, ordered_types: Any, weights: Any) -> EditOptions:
        """Check the options."""
        check_choice("weights", weights, WEIGHTS)
        return EditOptions(check_count("n_t", n_t), ordered_types, weights)

    def weigh(self, edits: Edits, n_types: int) -> Fraction:
        """Weight edits: an addition is 1; moves and changes depend on their extent, or are 1."""
        if self.weights == "whole":
            return Fraction(edits.number)
        return edits.additions + Fraction(edits.moved, self.n_t) + Fraction(edits.changed, n_types)


class Compared(NamedTuple):
    """Two segmentations of a text, compared."""

    edits: Edits
    matches: int
    weight: Fraction
    n_places: int


def compare(first: Array, second: Array, options: EditOptions) -> Compared:
    """Compare two segmentations, booleans of shape (types, n)."""
    edits = fewest_edits(first, second, options.n_t, options.ordered_types is not None)
    weight = options.weigh(edits, len(first))
    return Compared(edits, int(np.count_nonzero(first & second)), weight, first.size)


def similarity_of(measure: str, compared: Compared) -> tuple[float, int]:
    """Return the numerator and the denominator of a similarity."""
    of = compared.n_places
    if measure == "boundary_similarity":
        of = compared.edits.number + compared.matches
    return float(of - compared.weight), of


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class BoundaryEdits(Result):
    """The boundary edit distance: a float, with the edits that it counts.

    Attributes
    ----------
    value : float
        The weight of all edits.
    n_edits, n_additions, n_substitutions, n_transpositions : int
        Numbers of edits. Additions are boundaries that only one of the segmentations has.
    n_matches : int
        Number of boundaries that both segmentations have.
    n_texts : int
        Number of texts.
    """

    _caption = (
        "boundary edit distance {value}: {n_additions:addition}, {n_substitutions:substitution}, "
        "{n_transpositions:transposition}; {n_matches} in both"
    )

    value: float
    n_edits: int
    n_additions: int
    n_substitutions: int
    n_transpositions: int
    n_matches: int
    n_texts: int


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SegmentationSimilarity(Resampled):
    """A similarity of two segmentations: a float, with its interval.

    Attributes
    ----------
    measure : {"boundary_similarity", "segmentation_similarity"}
        The measure.
    value : float
        The similarity; NaN if undefined.
    standard_error, low, high : float
        The standard error and the ends of the interval, from resampling texts. NaN for a single
        text.
    confidence_level : float
        The confidence of the interval.
    method : str
        The kind of bootstrap interval.
    edits : BoundaryEdits
        The boundary edit distance: a float, the total weight of the fewest edits, with their
        numbers.
    n_texts, n_resamples : int
        Numbers of texts and of resamples.
    note : str or None
        The reason if there is no interval, or one without width.
    undefined : str or None
        The reason if there is no value.
    """

    _caption = (
        "{measure} = {value}, {edits.n_edits:edit}, {edits.n_matches} in both, {n_texts:text}[, "
        "{interval} ({method}, {n_resamples} resamples of texts)]"
    )

    measure: str
    edits: BoundaryEdits
    n_texts: int


def boundary_similarity(
    first: Segmentation,
    second: Segmentation,
    *,
    n_t: int = 2,
    ordered_types: Sequence[Label] | None = None,
    weights: Literal["scaled", "whole"] = "scaled",
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "bca",
    rng: Seed = None,
) -> SegmentationSimilarity:
    """Boundary similarity B: the share of boundaries that need no edit; near misses count in part.

    A raw score between 0 and 1 (equal segmentations), **not corrected for chance**; use
    `segmentation_agreement` for that. Places without a boundary in both do not count.

    Parameters
    ----------
    first, second : sequence of 0 and 1, or mapping from text to sequence
        Two segmentations of a text of N elements: a string or sequence of 0 and 1 of length N − 1,
        or a mapping from each text to one. If boundaries have types, a sequence of sets: the types
        of the boundaries at each place, an empty set for none.
    n_t : int, default 2
        The largest number of places that a transposition spans. With 2, a boundary may move to the
        next place; with 1, none moves.
    ordered_types : sequence of types, optional
        All types in their order. A substitution then weighs the steps between its types divided by
        the number of types. Without an order, it weighs 1.
    weights : {"scaled", "whole"}, default "scaled"
        "scaled": a transposition weighs the places that it moves divided by `n_t`, and a
        substitution depends on `ordered_types`. "whole": each of them weighs 1. An addition always
        weighs 1.
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
    SegmentationSimilarity
        A float with its interval.

    Raises
    ------
    ValueError
        If lengths differ, if entries are not 0 or 1, if a type is not among `ordered_types`, or if
        only one of the two has a text.

    Notes
    -----
    Fournier 2013: 1 − w / (e + m) for e edits of total weight w and m boundaries that both have,
    summed over all texts. The smallest set of edits counts; among several, the one with the least
    weight, and among these, the one with the most transpositions. A transposition moves a boundary
    of one type from a place where only one segmentation has it to a place where only the other has
    it. O(N) and, for each type, O(boundaries · n_t²).

    Examples
    --------
    >>> from agreement_fast import units
    >>> result = units.boundary_similarity("0100100010", "0100010000")
    >>> round(result.value, 3)
    0.5
    >>> result.edits
    <boundary edit distance 1.5: 1 addition, 0 substitutions, 1 transposition; 1 in both>

    Boundaries of two types; the second place has one of each type:

    >>> units.boundary_similarity([{"topic"}, set()], [{"speaker"}, {"topic"}]).edits.n_edits
    2
    """
    options = EditOptions.of(n_t, ordered_types, weights)
    draws = Options.of(n_resamples, confidence_level, method, rng, None, False)
    return _similarity("boundary_similarity", first, second, options, draws)


def segmentation_similarity(
    first: Segmentation,
    second: Segmentation,
    *,
    n_t: int = 2,
    ordered_types: Sequence[Label] | None = None,
    weights: Literal["scaled", "whole"] = "scaled",
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "bca",
    rng: Seed = None,
) -> SegmentationSimilarity:
    """Segmentation similarity S: the share of places for boundaries that need no edit.

    A raw score between 0 and 1 (equal segmentations), **not corrected for chance**. If boundaries
    are rare, it is always near 1, because it also counts the places without a boundary.

    Parameters
    ----------
    first, second : sequence of 0 and 1, or mapping from text to sequence
        Two segmentations of a text of N elements: a string or sequence of 0 and 1 of length N − 1,
        or a mapping from each text to one. If boundaries have types, a sequence of sets: the types
        of the boundaries at each place, an empty set for none.
    n_t : int, default 2
        The largest number of places that a transposition spans. With 2, a boundary may move to the
        next place; with 1, none moves.
    ordered_types : sequence of types, optional
        All types in their order. A substitution then weighs the steps between its types divided by
        the number of types. Without an order, it weighs 1.
    weights : {"scaled", "whole"}, default "scaled"
        "scaled": a transposition weighs the places that it moves divided by `n_t`, and a
        substitution depends on `ordered_types`. "whole": each of them weighs 1. An addition always
        weighs 1.
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
    SegmentationSimilarity
        A float with its interval.

    Raises
    ------
    ValueError
        If lengths differ, if entries are not 0 or 1, if a type is not among `ordered_types`, or if
        only one of the two has a text.

    Notes
    -----
    Fournier & Inkpen 2012: 1 − w / (t · n) for edits of weight w, t types of boundaries and n
    places.

    Examples
    --------
    >>> from agreement_fast import units
    >>> round(units.segmentation_similarity("0100100010", "0100010000"), 3)
    0.85
    """
    options = EditOptions.of(n_t, ordered_types, weights)
    draws = Options.of(n_resamples, confidence_level, method, rng, None, False)
    return _similarity("segmentation_similarity", first, second, options, draws)


def _similarity(
    measure: str, first: Any, second: Any, options: EditOptions, draws: Options
) -> SegmentationSimilarity:
    data = _two(first=first, second=second)
    types = all_types(data.all, options.ordered_types)
    each = [
        compare(stacked(first, types), stacked(other, types), options)
        for first, other in pairs_of(data)
    ]
    above, below = np.array([similarity_of(measure, entry) for entry in each]).T
    edits = Edits(*map(sum, zip(NONE, *(text.edits for text in each), strict=True)))

    (result,) = spreads(lambda w: ratio(above @ w, below @ w)[None], len(data.texts), draws)
    size = math.fsum(below)
    return SegmentationSimilarity(
        measure=measure,
        value=math.fsum(above) / size if size else math.nan,
        **result.parts(draws),
        edits=BoundaryEdits(
            value=float(sum(text.weight for text in each)),
            n_edits=edits.number,
            n_additions=edits.additions,
            n_substitutions=edits.substitutions,
            n_transpositions=edits.transpositions,
            n_matches=sum(text.matches for text in each),
            n_texts=len(each),
        ),
        n_texts=len(each),
        note=why_no_interval(result, len(each), PLACES_OF_ONE_TEXT),
        undefined=None if size else NO_BOUNDARIES,
    )


def _two(**two: Any) -> CodedTexts:
    """Read two segmentations of the same texts; an error names the one that is wrong."""
    names = list(two)
    if len({isinstance(entry, Mapping) for entry in two.values()}) > 1:
        raise InputTypeError(
            f"the {names[0]} and the {names[1]} must both be one segmentation, or both a mapping "
            "from text to segmentation",
            argument=names[1],
        )
    for name, some in reversed(two.items()):
        for text in itertools.chain(*two.values()) if isinstance(some, Mapping) else ():
            if text not in some:
                raise InputError(f"the {name} has no text {show_label(text)}", argument=name)
    return coded_texts(two)


def pairs_of(data: CodedTexts) -> list[tuple[Places, Places]]:
    """Both segmentations of each text."""
    first, second = data.places
    return [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]


WINDOWS_OF_ONE_TEXT = "one text: windows of it overlap and are no sample, so there is no interval"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class SegmentationError(Resampled):
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

    _caption = (
        "{measure} = {value}, {n_windows:window} of {n_texts:text}[, {interval} ({method}, "
        "{n_resamples} resamples of texts)]"
    )

    measure: str
    n_texts: int
    n_windows: int


def window_diff(
    reference: Segmentation,
    hypothesis: Segmentation,
    *,
    window: int | None = None,
    weighted: bool = False,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "bca",
    rng: Seed = None,
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
    >>> from agreement_fast import units
    >>> units.window_diff("000100000010", "000101000010", window=3) == 0.3
    True
    >>> right = {"a": "00100100", "b": "01000010", "c": "000100"}
    >>> cuts = {"a": "00100000", "b": "01000010", "c": "001000"}
    >>> result = units.window_diff(right, cuts, rng=1)
    >>> round(result.value, 4), result.n_windows, 0 <= result.low < result.high <= 1
    (0.2105, 19, True)
    """
    weighted = check_flag("weighted", weighted)
    options = Options.of(n_resamples, confidence_level, method, rng, None, False)

    def apart(first: Array, second: Array) -> Array:
        gaps: Array = np.abs(first - second)
        return gaps if weighted else np.minimum(gaps, 1)

    return _error("window_diff", apart, reference, hypothesis, window, options)


def p_k(
    reference: Segmentation,
    hypothesis: Segmentation,
    *,
    window: int | None = None,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "bca",
    rng: Seed = None,
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
    >>> from agreement_fast import units
    >>> units.p_k("000100000010", "000101000010", window=3)
    <p_k = 0.2, 10 windows of 1 text; one text: windows of it overlap and are no sample, so there \
is no interval>
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
    data = _two(reference=reference, hypothesis=hypothesis)
    check_one_type(measure, data)
    texts = []
    for name, pair in zip(data.texts, pairs_of(data), strict=True):
        width = window_of(window, pair[0].any_type(), name)
        held = [up_to(places.any_type()) for places in pair]
        texts.append(apart(*(before[width:] - before[:-width] for before in held)))
    wrong, windows = (
        np.array([count(text) for text in texts], np.float64) for count in (np.sum, len)
    )

    (result,) = spreads(lambda w: ratio(wrong @ w, windows @ w)[None], len(texts), options)
    return SegmentationError(
        measure=measure,
        value=math.fsum(wrong) / math.fsum(windows),
        **result.parts(options),
        n_texts=len(texts),
        n_windows=int(windows.sum()),
        note=why_no_interval(result, len(texts), WINDOWS_OF_ONE_TEXT),
    )


def check_one_type(measure: str, data: CodedTexts) -> None:
    """Refuse boundaries of several types, which windows do not tell apart."""
    if (n_types := len(all_types(data.all, None))) > 1:
        raise InputError(
            f"{measure} needs boundaries of one type, but there are {n_types} types",
            "pass rows of 0 and 1",
            argument="segmentations",
        )


def up_to(marks: Array) -> Array:
    """Count the boundaries up to each place."""
    return np.concatenate([[0], np.cumsum(marks, dtype=np.int32)]).astype(np.int32)


def window_of(window: Any, marks: Array, text: Any) -> int:
    """The window for a reference: by default half the mean length of its segments, rounded."""
    n = len(marks)
    if window is None:  # halves are rounded to the even number
        return max(1, round((n + 1) / (2 * (int(np.count_nonzero(marks)) + 1))))
    if not isinstance(window, Integral) or isinstance(window, bool):
        raise InputTypeError(
            f"a window is a whole number of places, not {window!r}", argument="window"
        )
    if not 1 <= int(window) <= n:
        of = "" if text is None else f" of text {show_label(text)}"
        raise InputError(
            f"a window{of} must be 1 to {n} places wide, not {window}", argument="window"
        )
    return int(window)
