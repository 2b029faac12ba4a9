"""Sets of elements as bit masks or as lists of element numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from threading import Lock
from typing import Any

import numpy as np

from agreement_fast._kernels import _encode, _labelsets, parallel
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.distances.forms import (
    BLOCK,
    NO_VALUES,
    Distance,
    Form,
    Matrix,
    OverCategories,
)
from agreement_fast.errors import Argument, InputError, Phrase
from agreement_fast.present.terminal import shorten
from agreement_fast.reading.labels import Labels

#: Steps of a kernel between two checks for Ctrl-C: 1 to 50 ms.
PIECE = 1 << 24

#: The smallest of several shares is at most this multiple of their unit: enough for 6 coders.
PARTS = 60

#: The rounding error of a share after sums. Integers below 2**31 remain distinct.
LAST_BITS = 2.0**-40

#: The upper limit of weights of pairs that are counted.
LARGEST_TOTAL = 2.0**62

#: Pairs of sets whose distances are computed one by one at a time.
PAIRS = 1 << 20

KINDS = _labelsets.KINDS


class Geometry:
    """K sets and the sizes of their intersections."""

    n_sets: int
    #: The weight of each set, float64 of shape (K,).
    weights: FloatArray
    #: The number of steps of each set's sums, of shape (K,), in the order of computation.
    costs: Array
    #: Whether the sums can be restricted to j > i.
    halves = False
    #: Sums integers over all pairs at once, if this is possible.
    shared: SharedSubsets | None = None

    def pairs(self, kind: int, a: Array, b: Array, first: int, last: int, out: FloatArray) -> None:
        """Compute out[k] = d(a[k], b[k]) for k in first .. last - 1."""
        raise NotImplementedError

    def sums(
        self, kind: int, u: Array | None, v: Array, upper: bool, first: int, last: int
    ) -> tuple[Array | slice, FloatArray]:
        """Return some sets i, and Σ_j v_rj d_ij for each r and i, at least if u_ri is not 0."""
        raise NotImplementedError

    def largest(self, kind: int, enough: float) -> float:
        """Return the largest distance; the search may stop at one that is >= enough.

        Here it goes set by set; the first rows mostly contain it.
        """
        weights, largest = self.weights, 0.0
        bounded = math.isfinite(enough)
        # The lightest sets intersect the fewest others; a symmetric difference is at most both
        # weights.
        order = np.argsort(weights if bounded else -weights, kind="stable")
        for place, i in enumerate(order[:-1].tolist()):
            others = order[place + 1 :]
            if not bounded:
                others = others[weights[others] + weights[i] > largest]
            if largest >= enough or not len(others):
                break
            largest = max(largest, float(distances(self, kind, np.asarray(i), others).max()))
        return largest

    def matrix(self, kind: int) -> FloatArray:
        """Return all distances, (K, K); here pair by pair."""
        places = np.arange(self.n_sets)
        return distances(self, kind, places[:, None], places)


def bind(geometry: Geometry, kind: str) -> Form:
    """Return the form of a distance between these sets, a matrix if it fits in memory."""
    if geometry.n_sets**2 <= BLOCK:
        return Matrix(geometry.matrix(KINDS[kind]))
    return SetForm(geometry, KINDS[kind])


class SetForm(OverCategories):
    """A distance between K sets whose K × K matrix would not fit in memory."""

    kind = "blocks"
    values = NO_VALUES

    def __init__(self, geometry: Geometry, kind: int) -> None:
        self._geometry = geometry
        self._kind = kind
        self._work = int(min(geometry.costs.sum(dtype=np.float64), 2.0**62))
        self._largest: float | None = None

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        """Sum u_j v_l d_jl along the last axis; at most O(K²) or O(intersecting pairs) per row."""
        shape = np.broadcast_shapes(u.shape, v.shape)
        rows_u, rows_v = self._rows(u, shape), self._rows(v, shape)
        at_once = self._at_once(rows_u, rows_v)
        if at_once is not None:
            return at_once.reshape(shape[:-1])
        upper = self._geometry.halves and (u is v or np.array_equal(rows_u, rows_v))

        def work(first: int, last: int) -> FloatArray:
            sets, sums = self._geometry.sums(self._kind, rows_u, rows_v, upper, first, last)
            return np.asarray((rows_u[:, sets] * sums).sum(1))

        parts = parallel.run(work, self._pieces(rows_u), self._work)
        each = [math.fsum(part[r] for part in parts) for r in range(len(rows_u))]
        return np.asarray((2.0 if upper else 1.0) * np.array(each).reshape(shape[:-1]))

    def _at_once(self, u: FloatArray, v: FloatArray) -> FloatArray | None:
        """Sum over all pairs at once if this is possible and cheaper than set by set."""
        shared, needed = self._geometry.shared, u.any(0)
        if shared is None:
            return None
        if shared.cost * len(u) >= (self._costs(u) * needed).sum():
            return None
        sums = np.empty(len(u))
        for r in range(len(u)):
            left, right = whole_numbers(u[r]), whole_numbers(v[r])
            if left is None or right is None or left[0].sum() * right[0].sum() >= LARGEST_TOTAL:
                return None
            sums[r] = left[1] * right[1] * shared.bilinear(self._kind, left[0], right[0])
        return sums

    def times(self, v: Array) -> FloatArray:
        """Sum d_kl v_l over l along the last axis; O(intersecting pairs) or O(K²) per row."""
        rows = self._rows(v, v.shape)
        out = np.zeros(rows.shape)

        def work(first: int, last: int) -> None:
            sets, sums = self._geometry.sums(self._kind, None, rows, False, first, last)
            out[:, sets] = sums

        parallel.run(work, self._pieces(rows), self._work)
        return out.reshape(v.shape)

    def _pieces(self, rows: FloatArray) -> list[tuple[int, int]]:
        return pieces(self._costs(rows))

    def _costs(self, rows: FloatArray) -> Array:
        return np.asarray(self._geometry.costs * (1 + len(rows) // 4))

    def _rows(self, v: Array, shape: tuple[int, ...]) -> FloatArray:
        wide = np.broadcast_to(v, shape).reshape(-1, self._geometry.n_sets)
        return np.ascontiguousarray(wide, dtype=np.float64)

    def total(self) -> float:
        ones = np.ones(self._geometry.n_sets)
        return float(self.bilinear(ones, ones))

    @property
    def largest(self) -> float:
        if self._largest is None:
            # only symmetric differences can be above 1
            enough = math.inf if self._kind == KINDS["hamming"] else 1.0
            self._largest = self._geometry.largest(self._kind, enough)
        return self._largest

    def between(self, a: Array, b: Array) -> FloatArray:
        return distances(self._geometry, self._kind, a, b)


def whole_numbers(u: FloatArray) -> tuple[FloatArray, float] | None:
    """Write numbers >= 0 as integers times a unit, if this is exact up to rounding.

    Shares of judgments are such multiples: they are counts divided by the number of judgments of an
    item and by the number of items.
    """
    if (np.rint(u) == u).all():
        return u, 1.0
    unit = float(u.min(initial=math.inf, where=u > 0))
    for parts in range(1, PARTS + 1):
        many = u / unit * parts
        whole = np.rint(many)
        if (np.abs(many - whole) <= LAST_BITS * many).all():
            return whole, float(u.sum() / whole.sum())
    return None


def distances(geometry: Geometry, kind: int, a: Array, b: Array) -> FloatArray:
    """Return distances between the sets of two integer arrays, element by element."""
    a, b = np.broadcast_arrays(a, b)
    out = np.empty(a.size)
    left, right = (np.ascontiguousarray(x, dtype=np.int32).reshape(-1) for x in (a, b))
    cuts = parallel.ranges(a.size, -(-a.size // PAIRS))
    parallel.run(
        lambda first, last: geometry.pairs(kind, left, right, first, last, out), cuts, a.size
    )
    return out.reshape(a.shape)


def pieces(costs: Array) -> list[tuple[int, int]]:
    """Cut 0..K into runs of about PIECE steps."""
    done = np.cumsum(costs, dtype=np.float64)
    marks = np.arange(1, int(done[-1] // PIECE) + 1 if len(done) else 1) * float(PIECE)
    cuts = np.unique([0, *(np.searchsorted(done, marks) + 1).tolist(), len(costs)])
    cuts = cuts[cuts <= len(costs)]
    return list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))


#: The cost of a step along the lists, in pairs of one-word masks.
STEP = 20.0

#: The cost of one set of shared elements, in pairs of one-word masks.
SUBSET_STEP = 40.0

#: The steps in a table of all sets of elements that cost as much.
TABLE = 128.0

#: The largest set, plus one, for which distances are tabulated by size: 2 MB.
LONGEST = 65

#: Bytes of masks above which lists are used.
MOST = 1 << 30


class Masks(Geometry):
    """Bit masks of W words; sums visit every pair, which costs a few cycles."""

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
        """Return a distance, tabulated by size if it depends only on sizes and these are few."""
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
        result, distances = [0.0], self._by(kind)

        def work(first: int, last: int) -> None:
            if result[0] < enough:
                result.append(_labelsets.mask_largest(distances, enough, first, last))
                result[0] = max(result)

        parallel.run(work, pieces(self.costs), self.n_sets**2)
        return max(result)

    def matrix(self, kind: int) -> FloatArray:
        out = np.empty((self.n_sets, self.n_sets))
        _labelsets.mask_rows(self._by(kind), out)
        return out


def index_elements(start: Array, elements: Array, n_elements: int) -> tuple[Array, Array]:
    """Sort each set's elements in place; return where holders of elements begin, and holders."""
    begin, holders = np.zeros(n_elements + 1, np.int64), np.empty((len(elements), 2), np.int32)
    _labelsets.index_elements(start, elements, begin, holders)
    return begin, holders


class SharedSubsets:
    """The number of pairs of small sets for each number of common elements.

    Pairs are not visited. If n sets contain the same m elements, these are n (n − 1) ordered pairs
    at once. Two sets with c common elements are counted for C(c, m) such subsets. The number of
    pairs with c common elements follows from these sums over m. O(Σ_i 2^|i|) at most; few elements
    have a table of all their sets.
    """

    def __init__(self, start: Array, elements: Array, n_elements: int) -> None:
        self._start, self._elements, self._n_elements = start, elements, n_elements
        self.n_sets = len(start) - 1
        self._longest = int(np.diff(start).max(initial=0))

    @cached_property
    def _sorted(self) -> tuple[_labelsets.Holders, Array]:
        """Sort the sets' elements by frequency, and compute the cost of the holders of each.

        A subset is found from its rarest element, so that few sets are searched for the next.
        """
        n_elements, lengths = self._n_elements, np.diff(self._start)
        frequent = np.argsort(-np.bincount(self._elements, minlength=n_elements), kind="stable")
        rank = np.empty(n_elements, np.int32)
        rank[frequent] = np.arange(n_elements)
        elements = rank[self._elements]
        begin, holders = index_elements(self._start, elements, n_elements)
        degrees, place = np.diff(begin), holders[:, 1]
        element = np.repeat(np.arange(n_elements), degrees)
        by_pairs = degrees * np.bincount(element, 1.0 + place, n_elements)
        by_subsets = np.bincount(element, np.exp2(np.arange(self._longest + 1))[place], n_elements)
        width = lengths.max(initial=0) - lengths.min(initial=self._longest) + 8
        by_table = np.exp2(np.minimum(np.arange(n_elements), 60)) * width * (width + 16) / TABLE
        costs: Array = SUBSET_STEP * np.minimum(np.minimum(by_pairs, by_subsets), by_table)
        # The first elements have one table, so they are one piece of work.
        together = costs[: _labelsets.TABLE_BITS]
        together[-1:], together[:-1] = together.sum(), 0.0
        return _labelsets.Holders(self._start, elements, begin, holders), costs

    @property
    def cost(self) -> float:
        """Return the cost of a sum, in pairs of one-word masks."""
        return float(self._sorted[1].sum()) if self._longest < LONGEST else math.inf

    def bilinear(self, kind: int, u: Array, v: Array) -> float:
        """Sum u_i v_j d_ij for integers u, v >= 0 whose sums have a product below 2^63."""
        longest = self._longest
        pairs = self._pairs(np.stack([u, v]).astype(np.uint64))
        by_size = np.empty((longest + 1,) * 3)
        _labelsets.distances_by_size(kind, by_size)
        used = np.nonzero(pairs)
        return math.fsum((pairs[used] * by_size[used]).tolist())

    def _pairs(self, uv: Array) -> Array:
        """Sum u_i v_j over i and j ≠ i of a and b elements with c in common, at [a, b, c].

        The sums are uint64, modulo 2^64; the results are smaller.
        """
        longest = self._longest
        lengths, side = np.diff(self._start), longest + 1
        # C(r, s) for r, s < side modulo 2^64, and its inverse (−1)^(r − s) C(r, s)
        choose = np.zeros((side, side), np.uint64)
        choose[:, 0] = 1
        for r in range(1, side):
            choose[r, 1:] = choose[r - 1, 1:] + choose[r - 1, :-1]
        odd = np.add.outer(np.arange(side), np.arange(side)) % 2 == 1
        unchoose = np.where(odd, np.uint64(0) - choose, choose)
        shared = np.zeros((side,) * 3, np.uint64)
        of_u, of_v, same = np.zeros((3, side), np.uint64)
        for sums, terms in ((of_u, uv[0]), (of_v, uv[1]), (same, uv[0] * uv[1])):
            np.add.at(sums, lengths, terms)
        shared[:, :, 0] = of_u[:, None] * of_v - np.diag(same)
        holders, costs = self._sorted
        adding = Lock()

        def work(first: int, last: int) -> None:
            part = np.zeros_like(shared)
            _labelsets.count_shared(holders, uv, first, last, choose, part)
            with adding:
                np.add(shared, part, out=shared)

        parallel.run(work, pieces(costs), int(min(costs.sum(), 2.0**62)))
        return np.asarray((shared @ unchoose).view(np.int64))


class Lists(Geometry):
    """Sorted lists of element numbers, and for each element the sets that contain it.

    Sums for a set visit the sets of its elements, Σ_e deg(e), instead of all K sets.
    """

    def __init__(
        self, start: Array, elements: Array, n_elements: int, element_weights: FloatArray | None
    ) -> None:
        self.n_sets, lengths = len(start) - 1, np.diff(start)
        owner, elements = np.repeat(np.arange(self.n_sets), lengths), elements.copy()
        begin, holders = index_elements(start, elements, n_elements)
        sizes: FloatArray = lengths.astype(np.float64)
        self.weights = sizes
        if element_weights is not None:
            self.weights = np.bincount(
                owner, weights=element_weights[elements], minlength=self.n_sets
            ).astype(np.float64)
        index = _labelsets.Index(begin, np.ascontiguousarray(holders[:, 0]))
        self._lists = _labelsets.Lists(start, elements, index, sizes, self.weights, element_weights)
        met: Array = np.bincount(owner, np.diff(begin)[elements], self.n_sets)
        self.costs: Array = np.ceil(STEP * met) + 1

    def pairs(self, kind: int, a: Array, b: Array, first: int, last: int, out: FloatArray) -> None:
        _labelsets.list_pairs(kind, self._lists, a[first:last], b[first:last], out[first:last])

    def sums(
        self, kind: int, u: Array | None, v: Array, upper: bool, first: int, last: int
    ) -> tuple[slice, FloatArray]:
        total = np.empty((len(v), 4))
        _labelsets.totals(v, self.weights, total)
        out = np.zeros((len(v), last - first))
        sums = _labelsets.Sums(u, v, first, out, total)
        _labelsets.list_sums(kind, self._lists, sums, self._room())
        return slice(first, last), out

    def matrix(self, kind: int) -> FloatArray:
        out = np.empty((self.n_sets, self.n_sets))
        _labelsets.list_rows(kind, self._lists, self._room(), out)
        return out

    def _room(self) -> _labelsets.Met:
        zeros = np.zeros((2, self.n_sets))
        return _labelsets.Met(np.empty(self.n_sets, np.int32), *zeros)


def geometry(
    sets: Sequence[frozenset[Any]],
    weights: Mapping[Any, float] | None,
    empty_is_disjoint: bool,
    choose: Callable[[Array, int, int], bool] | None = None,
) -> Geometry:
    """Represent sets as masks or lists; by default the one with cheaper sums.

    Parameters
    ----------
    sets : sequence of K frozensets
    weights : mapping element -> positive number, or None
    empty_is_disjoint : bool
        Whether to add an element to the empty set. It is then equal to itself and disjoint from
        all others, and no distance divides by 0.
    choose : function of degrees, K and the number of words, optional
        Whether to use lists.
    """
    known: dict[Any, int] = {}
    # The size of each set, and the numbers of its elements, set by set
    lengths = np.fromiter(map(len, sets), np.int64, len(sets))
    elements = np.empty(int(lengths.sum()), np.int32)
    _encode.encode_elements(list(sets), known, elements)
    if len(elements) and elements.min() < 0:
        place = int(np.argmin(elements))
        owner = int(np.searchsorted(np.cumsum(lengths), place, side="right"))
        element = list(chain.from_iterable(sets))[place]
        raise InputError(
            f"label {sets[owner]!r} has the missing value {element!r} as an element: remove it "
            "from the set (a missing label is None, the empty set is frozenset())",
        )
    n_elements, element_weights = len(known), None
    if weights is not None:
        absent = [element for element in known if element not in weights]
        if absent:
            raise InputError(
                f"weights has no weight for element {shorten(absent, 3)}", argument="weights"
            )
        element_weights = np.array([float(weights[element]) for element in known])
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
    made: Masks | Lists
    if (choose or _lists_cost_less)(degrees, len(lengths), words):
        made = Lists(start, elements, n_elements, element_weights)
    else:
        masks = np.zeros((len(lengths), words), np.uint64)
        _labelsets.fill_masks(start, elements, masks)
        made = Masks(masks, lengths.astype(np.float64), element_weights)
    if element_weights is None:
        made.shared = SharedSubsets(start, elements, n_elements)
    return made


def _lists_cost_less(degrees: Array, n_sets: int, words: int) -> bool:
    steps = STEP * float((degrees.astype(np.float64) ** 2).sum())
    return n_sets * words * 8 > MOST or steps < float(n_sets) ** 2 * (1 + words)


_TEXT = Phrase(
    "sets",
    (
        "text is split by af.Annotations.from_wide(table, ",
        Argument("set_separator", "|"),
        '), or from_frame if a row is a judgment; a single tag is frozenset({"tag"})',
    ),
)
_TEXTS = "; bigram_dice, word_dice and edit compare texts"
_ELEMENT = Phrase(
    "element",
    "a single element is frozenset({element}); bit masks are read by af.Annotations.from_masks",
)


def bind_sets(
    kind: str,
    categories: Labels,
    weights: Mapping[Any, float] | None = None,
    as_set: Callable[[Hashable], Any] | None = None,
) -> Form:
    """Bind a distance to categories that are sets, or tuples. O(elements)."""
    sets: list[Any] = [as_set(label) for label in categories] if as_set else list(categories)
    for i, label in enumerate(sets):
        if isinstance(label, tuple):
            sets[i] = frozenset(label)
        elif not isinstance(label, frozenset):
            raise InputError(
                f"distance {kind} needs sets, but category {label!r} is not a set",
                (_TEXT, _TEXTS) if isinstance(label, str) else _ELEMENT,
                argument="set_separator" if isinstance(label, str) else None,
            )
    return bind(geometry(sets, weights, empty_is_disjoint=kind != "hamming"), kind)


def _of_sets(name: str) -> Distance:
    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        return bind_sets(name, categories)

    return Distance(name, bind)


passonneau = _of_sets("passonneau")
jaccard = _of_sets("jaccard")
dice = _of_sets("dice")
masi = _of_sets("masi")
masi_product = _of_sets("masi_product")
hamming = _of_sets("hamming")
overlap = _of_sets("overlap")

#: Distances between sets.
SETS = {d.name: d for d in (passonneau, jaccard, dice, masi, masi_product, hamming, overlap)}
