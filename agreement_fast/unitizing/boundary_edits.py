"""The fewest edits that turn the boundaries of one segmentation into those of another.

An edit adds or removes a boundary, or puts one of another type in its place (a substitution), or
moves one to a near place (a transposition). Of all sets with the fewest edits the one of the least
weight counts, and of these the one with the most transpositions.

Places where the segmentations do not differ need no edit. Between differing places so far apart
that nothing moves from one to the other, the problem falls apart: each cluster is solved alone, and
clusters that look the same are solved once.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from agreement_fast.arrays import Array


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

    Parameters
    ----------
    first, second : bool arrays of shape (types, n)
    n_t : int
        A boundary moves by fewer than `n_t` places.
    ordered : bool
        Whether a substitution weighs less if its types are nearer in their order.
    """
    places = np.flatnonzero((first != second).any(axis=0))
    sides = first[:, places].astype(np.int8) - second[:, places]
    if len(first) == 1 and n_t == 2:
        return _of_runs(places, sides[0])
    total = np.array(NONE)
    for cluster, times in _clusters(places, sides, n_t):
        total += times * np.array(_solved(cluster, n_t, len(first), ordered))
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


def _solved(cluster: list[_Place], n_t: int, n_types: int, ordered: bool) -> Edits:
    if n_types == 1:
        cost = _one_type([(place, side) for place, (side,) in cluster], n_t)
    else:
        cost = _several_types(cluster, n_t, n_types, ordered)
    number, _, transposed, moved, changed, substitutions = cost
    return Edits(number - substitutions + transposed, substitutions, -transposed, moved, changed)


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
                then = (
                    then[0] + number,
                    then[1] + weight,
                    then[2],
                    then[3],
                    then[4] + changed,
                    then[5] + swaps,
                )
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
    here: tuple[int, ...], there: tuple[int, ...], n_types: int, ordered: bool
) -> tuple[int, int]:
    """Edits where boundaries of some types stand for those of others, and steps between types."""
    few, many = sorted((here, there), key=len)
    if not ordered:
        return len(many), len(few) * n_types
    # Sorted types are paired in their order; which of the many to leave out is a choice.
    steps = min(
        sum(abs(one - other) for one, other in zip(few, some, strict=True))
        for some in itertools.combinations(many, len(few))
    )
    return len(many), steps
