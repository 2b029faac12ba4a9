"""Sets of elements as bit masks or as lists of element numbers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from agreement_fast import _threads
from agreement_fast._kernels import _encode, _labelsets
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances.set_forms import Geometry, farthest, pairwise, pieces
from agreement_fast.errors import InputError
from agreement_fast.reading.labels import shorten

#: What a step along the lists costs, in pairs of one-word masks.
STEP = 3.0

#: Largest set, plus one, for which distances are looked up by size: 2 MB.
LONGEST = 65

#: Bytes of masks beyond which lists are used.
MOST = 1 << 30


class Masks:
    """Bit masks of W words: every pair is looked at, which costs a few cycles."""

    halves = True

    def __init__(self, masks: Array, sizes: FloatArray, element_weights: FloatArray | None) -> None:
        self.n_sets, self.weights, table = len(masks), sizes, None
        if element_weights is not None:
            padded = np.zeros(masks.shape[1] * 64)
            padded[: len(element_weights)] = element_weights
            bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
            table = np.ascontiguousarray(padded.reshape(-1, 8) @ bits.T)
            self.weights = np.empty(self.n_sets)
            _labelsets.weigh_masks(masks, table, self.weights)
        self._masks = _labelsets.Masks(masks, sizes, self.weights, table)
        self.costs = np.full(self.n_sets, self.n_sets * (1 + masks.shape[1]))
        self._distances: dict[int, _labelsets.MaskDistances] = {}

    def pairs(self, kind: int, a: Array, b: Array, first: int, last: int, out: FloatArray) -> None:
        _labelsets.mask_pairs(kind, self._masks, a[first:last], b[first:last], out[first:last])

    def _by(self, kind: int) -> _labelsets.MaskDistances:
        """A distance, looked up by size where nothing else tells and sizes are few."""
        if kind not in self._distances:
            masks, by_size, places = self._masks, None, None
            longest = int(masks.sizes.max(initial=0)) + 1
            if masks.table is None and longest <= LONGEST:
                by_size = np.empty((longest,) * 3)
                _labelsets.distances_by_size(kind, by_size)
                places = (masks.sizes * longest).astype(np.int32)
            self._distances[kind] = _labelsets.MaskDistances(kind, masks, by_size, places)
        return self._distances[kind]

    def sums(
        self, kind: int, u: Array | None, v: Array, upper: bool, first: int, last: int
    ) -> tuple[slice, FloatArray]:
        out = np.zeros((len(v), last - first))
        _labelsets.mask_sums(self._by(kind), _labelsets.Sums(u, v, first, out), upper)
        return slice(first, last), out

    def largest(self, kind: int, enough: float) -> float:
        found = [0.0]

        def work(first: int, last: int) -> None:
            if found[0] < enough:
                here = _labelsets.mask_largest(distances, enough, first, last)
                found.append(here)
                found[0] = max(found)

        distances = self._by(kind)
        _threads.run(work, pieces(self.costs), self.n_sets**2)
        return max(found)

    def matrix(self, kind: int) -> FloatArray:
        out = np.empty((self.n_sets, self.n_sets))
        _labelsets.mask_rows(self._by(kind), out)
        return out


class Lists:
    """Sorted lists of element numbers, and for each element the sets that have it.

    Sums over a set cost what the sets of its elements are, Σ_e deg(e), in place of K.
    """

    halves = False
    largest = farthest
    matrix = pairwise

    def __init__(
        self, start: Array, elements: Array, n_elements: int, element_weights: FloatArray | None
    ) -> None:
        self.n_sets, lengths = len(start) - 1, np.diff(start)
        owner = np.repeat(np.arange(self.n_sets), lengths)
        ascending = np.sort(owner * n_elements + elements)
        degrees = np.bincount(elements, minlength=n_elements)
        elements = (ascending % max(n_elements, 1)).astype(np.int32)
        begin = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int64)
        members = owner[np.argsort(elements, kind="stable")].astype(np.int32)
        sizes: FloatArray = lengths.astype(np.float64)
        self.weights = sizes
        if element_weights is not None:
            self.weights = np.bincount(
                owner, weights=element_weights[elements], minlength=self.n_sets
            ).astype(np.float64)
        index = _labelsets.Index(begin, members)
        self._lists = _labelsets.Lists(start, elements, index, sizes, self.weights, element_weights)
        met: Array = np.bincount(owner, degrees[elements], self.n_sets)
        self.costs: Array = np.ceil(STEP * met) + 1

    def pairs(self, kind: int, a: Array, b: Array, first: int, last: int, out: FloatArray) -> None:
        _labelsets.list_pairs(kind, self._lists, a[first:last], b[first:last], out[first:last])

    def sums(
        self, kind: int, u: Array | None, v: Array, upper: bool, first: int, last: int
    ) -> tuple[slice, FloatArray]:
        total = np.empty((len(v), 4))
        _labelsets.totals(v, self.weights, total)
        out = np.zeros((len(v), last - first))
        room = np.empty(self.n_sets, np.int32), np.zeros(self.n_sets), np.zeros(self.n_sets)
        sums, met = _labelsets.Sums(u, v, first, out, total), _labelsets.Met(*room)
        _labelsets.list_sums(kind, self._lists, sums, met)
        return slice(first, last), out


def geometry(
    sets: Sequence[Iterable[Hashable]],
    weights: Mapping[Any, float] | None,
    empty_is_disjoint: bool,
    choose: Callable[[Array, int, int], bool] | None = None,
) -> Geometry:
    """Sets as masks or lists, whichever the pairs of sets cost less.

    Parameters
    ----------
    sets : sequence of K sets
    weights : mapping element -> positive number, or None
    empty_is_disjoint : bool
        The empty set gets an element of its own: it is equal to itself and disjoint from all
        others, and no distance divides by 0.
    choose : function of degrees, K and the number of words, optional
        Whether to use lists.
    """
    lengths = np.fromiter(map(len, sets), np.int64, len(sets))  # type: ignore[arg-type]
    flat = list(chain.from_iterable(sets))
    elements = np.empty(len(flat), np.int32)
    known: dict[Any, int] = {}
    _encode.encode_objects(flat, known, elements)
    if len(elements) and elements.min() < 0:
        place = int(np.argmin(elements))
        owner = int(np.searchsorted(np.cumsum(lengths), place, side="right"))
        raise InputError(
            f"element {flat[place]!r} of label {sets[owner]!r} is missing: a set has no such "
            "element (a missing label is None, the empty set is frozenset())",
        )
    element_weights = None if weights is None else _element_weights(known, weights)
    n_elements = len(known)
    if empty_is_disjoint and not lengths.all():
        stops = np.cumsum(lengths)[lengths == 0]
        elements = np.insert(elements, stops, n_elements)
        lengths = np.maximum(lengths, 1)
        n_elements += 1
        if element_weights is not None:
            element_weights = np.append(element_weights, 1.0)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    words = max(1, -(-n_elements // 64))
    degrees = np.bincount(elements, minlength=n_elements)
    if (choose or _lists_cost_less)(degrees, len(lengths), words):
        return Lists(start, elements, n_elements, element_weights)
    masks = np.zeros((len(lengths), words), np.uint64)
    _labelsets.fill_masks(start, elements, masks)
    return Masks(masks, lengths.astype(np.float64), element_weights)


def _lists_cost_less(degrees: Array, n_sets: int, words: int) -> bool:
    steps = STEP * float((degrees.astype(np.float64) ** 2).sum())
    return n_sets * words * 8 > MOST or steps < float(n_sets) ** 2 * (1 + words)


def _element_weights(known: dict[Any, int], weights: Mapping[Any, float]) -> FloatArray:
    absent = [element for element in known if element not in weights]
    if absent:
        raise InputError(
            f"weights has no weight for element {shorten(absent, 3)}",
            argument="weights",
        )
    return np.array([float(weights[element]) for element in known])
