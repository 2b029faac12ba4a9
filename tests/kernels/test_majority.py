"""The effect of subsets of the coders on the majority reference, against a count of judgments."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from loops import nonempty

from agreement_fast import Annotations
from agreement_fast._kernels import _majority
from agreement_fast.subsets import references


def moved_of(codes, subsets, ties, K, weights, unit):
    """The units by which each subset changes the reference of all coders, item by item."""
    n_items = codes.shape[1]
    out = np.zeros(len(subsets), object)

    def tops(said):
        count = np.bincount(said, minlength=K)
        return np.flatnonzero((count == count.max()) & (count > 0)).tolist()

    def one(said):
        best = tops(said)
        if ties == "median" and len(best) > 1:
            return sorted(said)[(len(said) - 1) // 2]
        return best[0] if best else None

    for i in range(n_items):
        everything = [int(c) for c in codes[:, i] if c >= 0]
        for s, subset in enumerate(subsets):
            said = [int(codes[c, i]) for c in subset if codes[c, i] >= 0]
            if ties == "fractional":
                some, whole = tops(said), tops(everything)
                part = Fraction(len(set(some) & set(whole)), max(len(some), len(whole), 1))
                share = 1 - part if some else Fraction(1)
            elif ties == "change":
                share = Fraction(not said or tops(said) != tops(everything))
            else:
                share = Fraction(not said or one(said) != one(everything))
            out[s] += int(weights[i]) * unit * share
    return [int(x) for x in out]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ties", ["change", "first", "fractional", "median"])
@pytest.mark.parametrize(("n_coders", "n_items"), [(3, 1), (5, 64), (8, 130), (11, 200)])
def test_subsets_move_the_reference_by_what_a_count_says(ties, weighted, n_coders, n_items):
    """One block of items and several, units that sixteen bits hold 64 times and larger ones."""
    K = n_coders
    rng = np.random.default_rng(n_coders)
    codes = rng.integers(-1, K, (n_coders, n_items))
    codes[0, codes.max(0) < 0] = 0
    codes[:, -1] = np.arange(n_coders)  # all categories are tied
    weights = rng.integers(1, 4, n_items)
    data = Annotations.from_wide(
        codes.T,
        categories=range(K),
        coders=range(n_coders),
        missing=-1,
        weights=weights if weighted else None,
    )
    sizes = np.arange(1, n_coders + 1)
    seen = references.Walk(data, ties, np.zeros(n_coders), sizes)
    subsets = [[0], [n_coders - 1], [*range(n_coders)], [1], [0, 2], [2], [*range(1, n_coders)]]
    moves = np.array([c for subset in subsets for c in subset], np.int32)
    ends = np.cumsum([len(subset) for subset in subsets])
    lengths = np.array([len(subset) for subset in subsets], np.int32)
    piece = _majority.Moves(moves, ends, lengths, True)
    order = np.arange(n_items)
    expected = moved_of(
        codes[:, order], subsets, ties, K, weights if weighted else np.ones(n_items), seen.unit
    )
    assert seen._values([piece], 0, 1).tolist() == expected


@pytest.mark.parametrize(
    ("first", "last"), [(1, 2), (1, 64), (5, 9), (37, 300), (2**40 - 3, 2**40 + 5)]
)
def test_moves_lead_to_each_subset_in_turn(first, last):
    """From none to the first, and from each to the next by one coder."""
    n = last - first
    moves, ends, sizes = np.empty(n + 64, np.int32), np.empty(n, np.int64), np.empty(n, np.int32)
    _majority.gray_moves(first, last, moves, ends, sizes)
    inside, begin = set(), 0
    for s in nonempty(range(n)):
        for move in nonempty(moves[begin : ends[s]].tolist()):
            if move >= 0:
                assert move not in inside
                inside.add(move)
            else:
                inside.remove(-1 - move)
        assert s == 0 or ends[s] - begin == 1
        begin = ends[s]
        index = first + s
        assert sum(1 << c for c in inside) == index ^ (index >> 1)
        assert sizes[s] == len(inside)


def test_no_set_has_a_truth_that_nobody_found():
    """The first role says that a category must be on top; later ones may be as frequent."""
    low, top, either = range(3)
    binomial = np.array([[math.comb(a, b) for b in range(4)] for a in range(4)], float)
    roles = {"found": [low, top, either], "nobody found": [top, low, either]}
    sets = {}
    for name, said in roles.items():
        out = np.zeros((1, 4))
        _majority.same_exactly(
            np.array([[0, 1, 2]]), np.array([said], np.uint8), binomial, np.empty((2, 4)), out
        )
        sets[name] = out[0].tolist()
    assert sets == {"found": [0, 1, 2, 0], "nobody found": [0, 0, 0, 0]}


def test_sets_with_the_reference_are_those_of_a_count():
    """Any frequencies and roles, of which one at least is on top; no number beyond the room."""
    rng = np.random.default_rng(5)
    low, top, _ = range(3)
    binomial = np.array([[math.comb(a, b) for b in range(5)] for a in range(5)], float)
    counts, roles = rng.integers(0, 5, (60, 4)), rng.integers(0, 3, (60, 4)).astype(np.uint8)
    roles[:, 0] = top
    rng.permuted(roles, axis=1, out=roles)
    for row, (said, role) in nonempty(
        [*enumerate(zip(counts.tolist(), roles.tolist(), strict=True))]
    ):
        n = sum(said)
        expected, memory, out = [0] * (n + 1), np.full(2 * n + 3, 7.0), np.zeros((1, n + 1))
        for taken in itertools.product(*(range(k + 1) for k in said)):
            most = max(taken)
            on_top = [taken[k] == most for k in range(4) if role[k] == top]
            below = [taken[k] < most for k in range(4) if role[k] == low]
            if most and all(on_top) and all(below):
                expected[sum(taken)] += math.prod(map(math.comb, said, taken))
        room = memory[:-1].reshape(2, n + 1)
        _majority.same_exactly(counts[[row]], roles[[row]], binomial, room, out)
        assert out[0].tolist() == expected
        assert memory[-1] == 7


def test_values_are_gathered_by_size():
    """How many, the ends, and sums about the centre."""
    values, sizes = np.array([5, 3, 9, 4, 10, 7]), np.array([1, 1, 2, 1, 2, 2], np.int32)
    n, sums, squares = np.zeros(3, np.int64), np.zeros(3), np.zeros(3)
    low, high = np.full(3, 99), np.full(3, -99)
    seen = _majority.Seen(np.array([0, 4, 8]), n, low, high)
    _majority.spread(values[:5], sizes, seen, sums, squares)
    assert n.tolist() == [0, 3, 2]
    assert (low.tolist(), high.tolist()) == ([99, 3, 9], [-99, 5, 10])
    assert (sums.tolist(), squares.tolist()) == ([0, 0, 3], [0, 2, 5])


def test_arrays_that_do_not_fit_make_no_walk():
    """The constructors check the lengths once."""
    lanes = _majority.LANES
    codes, weights = np.zeros((2, lanes), np.int16), np.ones(lanes, np.int64)
    blocks = np.zeros((1, 3, lanes), np.uint16)
    moves, sizes = np.zeros(4, np.int32), np.full(2, 2, np.int32)
    longs = np.zeros(3, np.int64)
    wrong = [
        (lambda: _majority.Items(codes[:, :9].copy(), weights[:9]), "in blocks of 64"),
        (lambda: _majority.Items(codes, weights[:9]), "9 weights of 64 items"),
        (lambda: _majority.Items(codes, weights, np.ones(9, np.uint16)), "9 weights of 64"),
        (lambda: _majority.Reference(0, blocks, blocks[:, :2].copy(), 1), "than 1 x 3 blocks"),
        (lambda: _majority.Reference(0, *[blocks[..., :9].copy()] * 2, 1), "other than 64 items"),
        (lambda: _majority.Moves(moves, np.array([2, 5]), sizes, True), "4 moves to 2 subsets"),
        (lambda: _majority.Moves(moves, np.array([2]), sizes, True), "1 subsets of 2 sizes"),
        (lambda: _majority.Seen(longs, longs, longs, longs[:2]), "other than 3 sizes"),
    ]
    for make, message in wrong:
        with pytest.raises(ValueError, match=message):
            make()
