"""Sums over sets with numbers of very different size, and the checks of the kernels' input."""

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from agreement_fast._kernels import _labelsets


def sums_of(lists, kind, v):
    """All sums over some lists."""
    total, out = np.empty((len(v), 4)), np.zeros((len(v), lists.n_sets))
    _labelsets.totals(v, lists.weights, total)
    room = np.empty(lists.n_sets, np.int32), np.zeros(lists.n_sets), np.zeros(lists.n_sets)
    sums, met = _labelsets.Sums(None, v, 0, out, total), _labelsets.Met(*room)
    _labelsets.list_sums(_labelsets.KINDS[kind], lists, sums, met)
    return out, total


def test_a_little_beside_much_keeps_its_digits_where_sets_hardly_meet():
    """The sum over disjoint sets is the rest of the total, and stays exact if it is small."""
    start, elements = np.array([0, 1, 2, 3]), np.arange(3, dtype=np.int32)
    sizes = np.array([1.0, 1.0, 1.0])
    index = _labelsets.Index(start, elements)
    lists = _labelsets.Lists(start, elements, index, sizes, sizes)
    for kind, unit in [("jaccard", 1.0), ("hamming", 2.0)]:
        out, total = sums_of(lists, kind, np.array([[1e16, 1.0, 1.0]]))
        assert Fraction(total[0, 0]) + Fraction(total[0, 1]) == 10**16 + 2
        assert out[0, 0] == 2 * unit


def test_a_little_beside_what_a_set_meets_keeps_its_digits():
    """The sum over overlapping sets has rounding errors, too."""
    start = np.array([0, 1, 3, 5, 6])
    elements = np.array([0, 0, 1, 0, 2, 3], np.int32)
    sizes = np.array([1.0, 2.0, 2.0, 1.0])
    index = _labelsets.Index(np.array([0, 3, 4, 5, 6]), np.array([0, 1, 2, 1, 2, 3], np.int32))
    lists = _labelsets.Lists(start, elements, index, sizes, sizes)
    out, _ = sums_of(lists, "jaccard", np.array([[1e16, 1.0, 1.0, 1.0]]))
    assert out[0, 0] == 1 / 2 + 1 / 2 + 1


def test_sums_that_cancel_keep_their_digits():
    """The part that a sum lost is lost by neither of its ends."""
    v = np.array([[1e16, 1.0, 1.0, 1.0, -1e16], [1.0, 1e16, 1.0, -1e16, 1.0]])
    total = np.empty((2, 4))
    weights = np.array([1.0, 3.0, 1.0, 3.0, 1.0])
    _labelsets.totals(v, weights, total)
    assert (total[:, 0] + total[:, 1]).tolist() == [3, 3]
    assert (total[1, 2] + total[1, 3]) == 3


@pytest.mark.few
@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("n", [1, 255, 257])
def test_sums_asked_for_by_place_are_those_of_all(n, words):
    """Masks of one tile and of two, looked up by size or not, a range of them in the middle."""
    rng = np.random.default_rng(n)
    bits = rng.random((n, 64 * words)) < 0.2
    bits[:, -1] = True
    masks = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    sizes = bits.sum(1).astype(float)
    sets, kind = _labelsets.Masks(masks, sizes, sizes), _labelsets.KINDS["dice"]
    common = bits.astype(int) @ bits.T.astype(int)
    d = 1 - 2 * common / (sizes[:, None] + sizes)
    np.fill_diagonal(d, 0)
    longest = int(sizes.max()) + 1
    by_size = np.empty((longest,) * 3)
    _labelsets.distances_by_size(kind, by_size)
    looked_up = _labelsets.MaskDistances(kind, sets, by_size, (sizes * longest).astype(np.int32))
    first, last = n // 3, n - n // 3
    v, u = rng.random((3, n)), (rng.random((3, n)) < 0.5).astype(float)
    u[:, first] = [0, 0, 1]
    a, b = rng.integers(0, n, (2, 300)).astype(np.int32)
    each = np.empty(300)
    _labelsets.mask_pairs(kind, sets, a, b, each)
    assert each == pytest.approx(d[a, b])
    for distances in (_labelsets.MaskDistances(kind, sets), looked_up):
        everything = np.empty((n, n))
        _labelsets.mask_rows(distances, everything)
        assert everything == pytest.approx(d)
        out = np.zeros((3, last - first))
        sums = _labelsets.Sums(u.copy(), v.copy(), first, out)  # it alone keeps the copies
        assert sums.out is out
        _labelsets.mask_sums(distances, sums, False)
        assert out == pytest.approx((u * (v @ d))[:, first:last])
        above = np.zeros((3, last - first))
        _labelsets.mask_sums(distances, _labelsets.Sums(None, v, first, above), True)
        assert above == pytest.approx((v @ np.tril(d))[:, first:last])
        result = _labelsets.mask_largest(distances, 2.0, 0, n)
        assert result == pytest.approx(np.triu(d).max())


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("n", [0, 1, 255, 256, 257, 600])
def test_rows_of_lists_are_the_distances_of_all_pairs(n, weighted):
    """Lists of one tile and of more, an empty one among them, elements of one weight or of some."""
    rng = np.random.default_rng(n)
    bits = rng.random((n, 12)) < 0.3
    bits[:, 11] |= ~bits.any(1)
    bits[n // 2 :: 600] = False
    elements = np.nonzero(bits)[1]
    members = np.nonzero(bits.T)[1].astype(np.int32)
    start, begin = (np.append(0, np.cumsum(bits.sum(axis))).astype(np.int64) for axis in (1, 0))
    each = rng.integers(1, 9, 12).astype(float) if weighted else None
    sizes, amounts = bits.sum(1).astype(float), np.ones(12) if each is None else each
    weights = bits @ amounts
    index = _labelsets.Index(begin, members)
    lists = _labelsets.Lists(start, elements.astype(np.int32), index, sizes, weights, each)
    met = _labelsets.Met(np.empty(n, np.int32), np.zeros(n), np.zeros(n))
    for _ in range(2):  # and it leaves its room as it was
        out = np.empty((n, n))
        _labelsets.list_rows(_labelsets.KINDS["hamming"], lists, met, out)
        assert (out == ((bits[:, None] != bits) @ amounts)).all()
        _labelsets.list_rows(_labelsets.KINDS["passonneau"], lists, met, out)
        common, longest = bits.astype(int) @ bits.T, np.maximum(sizes[:, None], sizes)
        within = np.where(common == np.minimum(sizes[:, None], sizes), 1, np.where(common, 2, 3))
        assert (out == np.where(common == longest, 0, within) / 3).all()


def holders_of(sets, n_elements):
    """Sets of element numbers as the kernel takes them."""
    start = np.cumsum([0, *map(len, sets)])
    elements = np.array([e for s in sets for e in sorted(s)], np.int32)
    having = [
        [(i, sorted(s).index(e)) for i, s in enumerate(sets) if e in s] for e in range(n_elements)
    ]
    begin = np.cumsum([0, *map(len, having)])
    holders = np.array([pair for some in having for pair in some], np.int32).reshape(-1, 2)
    return _labelsets.Holders(start, elements, begin, holders)


@pytest.mark.parametrize("largest", [2**40, 2**20, 1])
@pytest.mark.parametrize(
    ("n_sets", "n_elements", "share"),
    [
        (1, 3, 0.5), (2, 3, 0.9), (90, 6, 0.4), (25, 25, 0.3), (60, 12, 0.5), (5, 30, 0.7),
        (4, 4, 0), (300, 11, 0.5), (150, 12, 0.8), (300, 18, 0.8),
    ],
)  # fmt: skip
def test_shared_subsets_are_counted_for_every_pair(n_sets, n_elements, share, largest):
    """Many small sets and few large ones, modulo 2^64, in two runs of elements.

    Sums below 2^32 may have a table of the first 16 elements; if all weights are 1, there is one
    for both sides.
    """
    rng = np.random.default_rng(n_sets)
    sets = [set(np.flatnonzero(rng.random(n_elements) < share).tolist()) for _ in range(n_sets)]
    side = max(map(len, sets)) + 1
    uv = rng.integers(largest == 1, largest, (2, n_sets), endpoint=True).astype(np.uint64)
    if largest > 1:
        uv[0, ::3] = 0
    choose = np.array([[math.comb(r, s) for s in range(side)] for r in range(side)], np.uint64)
    expected = np.zeros((side, side, side), object)
    for i, j in permutations(range(n_sets), 2):
        common = len(sets[i] & sets[j])
        for m in range(1, common + 1):
            weight = int(uv[0, i]) * int(uv[1, j]) * math.comb(common, m)
            expected[len(sets[i]), len(sets[j]), m] += weight
    holders = holders_of(sets, n_elements)
    shared = np.zeros((side, side, side), np.uint64)
    middle = n_elements // 2 if n_elements <= 16 else n_elements - 1
    for first, last in ((0, middle), (middle, middle), (middle, n_elements)):
        _labelsets.count_shared(holders, uv, first, last, choose, shared)
    assert (shared == (expected % 2**64).astype(np.uint64)).all()


def test_arrays_that_do_not_fit_make_no_sets():
    """The constructors check the lengths once."""
    masks, two, three = np.ones((2, 1), np.uint64), np.ones(2), np.ones(3)
    start, elements = np.array([0, 1, 2]), np.arange(2, dtype=np.int32)
    index, room = _labelsets.Index(start, elements), np.zeros(2, np.int32)
    spans = _labelsets.Spans(room, two, two, two)
    pairs = np.array([[0, 0], [1, 0]], np.int32)
    held, uv = _labelsets.Holders(start, elements, start, pairs), np.ones((2, 2), np.uint64)
    two_by, cube = np.ones((2, 2), np.uint64), np.ones((2, 2, 2), np.uint64)
    three_by, of_three = np.zeros((2, 3), np.int32), np.ones((1, 3))
    wrong = [
        (lambda: _labelsets.Masks(masks, two, three), "2 sizes and 3 weights of 2 sets"),
        (lambda: _labelsets.Masks(masks[:, :0].copy(), two, two), "without a word"),
        (lambda: _labelsets.Masks(masks, two, two, np.ones((4, 256))), "of the bytes of 1 words"),
        (lambda: _labelsets.Index(start, elements[:1]), "do not lead from 0 to 1"),
        (lambda: _labelsets.Lists(start[:2], elements, index, two, two), "from 0 to 2"),
        (lambda: _labelsets.Lists(start, elements, index, two, two, two[:1]), "1 weights of 2"),
        (lambda: _labelsets.Spans(room, two, three, two), "2 starts, 3 ends of 2 spans"),
        (lambda: _labelsets.Sweep(spans, room, room, two, two, three), "3 reaches of 2 spans"),
        (lambda: _labelsets.Met(room, two, three), "no room of one length"),
        (lambda: _labelsets.Sums(None, np.ones((1, 3)), 2, np.ones((1, 2))), "sums 2 to 4"),
        (lambda: _labelsets.Sums(None, np.ones((1, 3)), 0, np.ones((2, 2))), "of 1 x 3 numbers"),
        (lambda: _labelsets.Sums(np.ones((1, 2)), np.ones((1, 3)), 0, np.ones((1, 2))), "shapes"),
        (lambda: _labelsets.Holders(start, elements, start[:2], pairs), "do not lead from 0 to 2"),
        (lambda: _labelsets.Holders(start, elements, start, pairs[:1]), "do not lead from 0 to 2"),
        (lambda: _labelsets.Holders(start[:2], elements, start, pairs), "do not lead from 0 to 2"),
        (lambda: _labelsets.Holders(start[:0], elements, start, pairs), "do not lead from 0 to 2"),
        (lambda: _labelsets.Holders(start, elements, start[:0], pairs), "do not lead from 0 to 2"),
        (lambda: _labelsets.Holders(start, elements, start, three_by), "do not lead from 0 to 2"),
        (lambda: _labelsets.Sums(None, np.ones((1, 3)), -1, np.ones((1, 2))), "sums -1 to 1"),
        (lambda: _labelsets.Sums(np.ones((2, 3)), np.ones((1, 3)), 0, np.ones((1, 2))), "shapes"),
        (lambda: _labelsets.Sums(None, of_three, 0, of_three, np.ones((2, 4))), "than 1 rows"),
        (lambda: _labelsets.Sums(None, of_three, 0, of_three, np.ones((1, 3))), "than 1 rows"),
        (lambda: _labelsets.count_shared(held, uv, 0, 3, two_by, cube), "elements 0 to 3 of 2"),
        (lambda: _labelsets.count_shared(held, uv[:1], 0, 2, two_by, cube), "no two numbers"),
        (lambda: _labelsets.count_shared(held, uv, 0, 2, two_by, cube[:1]), "other sides"),
    ]
    for make, message in wrong:
        with pytest.raises(ValueError, match=message):
            make()
    kept = _labelsets.Masks(masks, two, two)
    with pytest.raises(ValueError, match="places of 1 of 2 sets"):
        _labelsets.MaskDistances(0, kept, np.ones((2, 2, 2)), room[:1])
