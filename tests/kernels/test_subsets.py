"""Sums over subsets of the coders and summaries of their values, against numpy."""

import itertools

import numpy as np
import pytest
from loops import nonempty

from agreement_fast._kernels import _subsets


@pytest.mark.parametrize("n", [1, 7, 8, 9, 255, 256, 257, 520])
def test_values_are_described_as_numpy_does(n):
    """Moments, the bins of a grid, and the histogram between edges, NaN beside them."""
    rng = np.random.default_rng(n)
    values = np.concatenate([[0.5], rng.integers(-40, 41, n) / 40, [-0.25]])
    values[1 + n // 2] = 1.0
    if n > 8:
        values[[3, n]] = np.nan
    run = values[1:-1]
    defined = run[~np.isnan(run)]
    starts, groups = np.array([0, 1, n + 1, n + 2]), np.array([-1, 0, -1], np.int32)
    low, fine, bins = -1.0, 16, 5
    grid = np.array([[[low, fine / 2.0]]])
    moments = np.array([[[0.0, np.inf, -np.inf]]])
    counts = np.zeros((1, 1, fine + 1), np.int32)
    runs = _subsets.Runs(values[None], starts, groups)
    _subsets.describe(runs, grid, moments, counts)
    assert moments[0, 0] == pytest.approx([defined.sum(), defined.min(), defined.max()], abs=1e-12)
    places = np.clip(((defined - low) * fine / 2).astype(int), 0, fine - 1)
    expected = np.bincount(places, minlength=fine).tolist()
    assert counts[0, 0].tolist() == [*expected, n - len(defined)]
    keep = np.zeros((1, 1, fine + 1), np.uint8)
    keep[0, 0, [2, 15]] = 1
    mean = defined.mean()
    for ends in [(-1.0, 1.0), (defined.min(), defined.max() + 1.0), (-1.25, 1.5)]:
        edges = np.linspace(*ends, bins * 8 + 1)[None, None]
        squares, result = np.zeros((1, 1)), np.empty(n + 3)
        histogram = np.zeros((1, 1, bins * 8 + 1), np.int32)
        n_found = np.zeros((1, 3), np.int64)
        bounds = _subsets.Bounds(grid, keep, np.array([[mean]]), edges)
        _subsets.refine(runs, bounds, squares, histogram, result, n_found)
        assert squares[0, 0] == pytest.approx(((defined - mean) ** 2).sum())
        counted = np.histogram(defined, edges[0, 0])[0].tolist()
        assert histogram[0, 0].tolist() == [*counted, n - len(defined)]
        kept = defined[np.isin(places, [2, 15])]
        assert n_found.tolist() == [[0, len(kept), 0]]
        assert result[: len(kept)].tolist() == kept.tolist()


def histogram_of(values, edges):
    """The counts of the second pass between edges."""
    out = np.zeros((1, 1, len(edges)), np.int32)
    runs = _subsets.Runs(values[None], np.array([0, len(values)]), np.zeros(1, np.int32))
    none = np.zeros((1, 1, 2), np.uint8)
    bounds = _subsets.Bounds(np.array([[[0.0, 1.0]]]), none, np.zeros((1, 1)), edges[None, None])
    result, n_found = np.empty(len(values) + 1), np.zeros((1, 1), np.int64)
    _subsets.refine(runs, bounds, np.zeros((1, 1)), out, result, n_found)
    return out[0, 0, :-1].tolist()


@pytest.mark.parametrize("bins", [1, 3, 10, 100])
@pytest.mark.parametrize(
    "ends", [(0.0, 1.0), (0.1, 0.7), (-0.3, 0.9), (1e-3, 1e-3 + 1e-6), (-7.3, 1.0), (1 / 3, 1.0)]
)
def test_values_on_an_edge_fall_on_its_side(ends, bins):
    """Each edge and the doubles next to it, alone and together: one makes a block look closer."""
    edges = np.linspace(*ends, bins + 1)
    values = np.concatenate(
        [edges, np.nextafter(edges, -np.inf)[1:], np.nextafter(edges, np.inf)[:-1]]
    )
    values = np.clip(values, *ends)
    assert histogram_of(values, edges) == np.histogram(values, edges)[0].tolist()
    for value in values[:, None]:
        assert histogram_of(value, edges) == np.histogram(value, edges)[0].tolist(), value


@pytest.mark.parametrize("n_coders", [3, 6, 9])
def test_sums_of_a_subset_are_those_of_its_judgments(n_coders):
    """Full and partial tiles, with tables for a few coders at a time."""
    rng = np.random.default_rng(n_coders)
    K, T, n, bits = 3, _subsets.TILE, 100, 3
    codes = rng.integers(-1, K, (n, n_coders)).astype(np.int8)
    weights = np.zeros(T)
    weights[:n] = rng.integers(0, 4, n)
    firsts = range(0, n_coders, bits)
    tables = np.zeros((len(firsts), 1 << bits, K * T), np.uint8)
    for first, table in zip(firsts, tables, strict=True):
        _subsets.count_table(codes, first, min(bits, n_coders - first), K, table)
    masks = np.array(
        [1, 3, 4, 7, 2 ** (n_coders - 1), 2**n_coders - 1, 2**n_coders - 2, 6], np.uint64
    )
    B = len(masks)
    room = np.empty((3, K * T), np.uint8), np.ones((K + 9, T))
    tile = _subsets.Tile(tables, weights, *room)
    for least, one, two in [(0, 1, 2), (1, 1, 2), (2, 2, 2), (3, 3, 3)]:
        totals, labels, both = np.zeros((B, 3)), np.zeros((B, 2 * K)), np.zeros((B, 2, 3))
        _subsets.sum_counts(masks, tile, least, _subsets.Sums(totals, labels, both))
        judged = ((codes >= 0) << np.arange(n_coders)).sum(1).astype(np.uint64)
        each = np.zeros((B, n_coders, K))
        _subsets.coder_counts(codes, judged, weights[:n], masks, one, each)
        for b, mask in nonempty(enumerate(masks.tolist())):
            coders = [c for c in range(n_coders) if mask >> c & 1]
            count = np.array([(codes[:, coders] == k).sum(1) for k in range(K)])
            size, w = count.sum(0), weights[:n]
            judged_by, pairable = w * (size >= one), w * (size >= two)
            inverse = 1 / np.maximum(size * (size - 1), 1)
            assert totals[b].tolist() == [
                judged_by.sum(), pairable.sum(), (pairable * size).sum()
            ]  # fmt: skip
            assert labels[b, :K] == pytest.approx(count @ (judged_by / np.maximum(size, 1)))
            assert labels[b, K:].tolist() == (count @ pairable).tolist()
            for i, (j, k) in nonempty(enumerate(itertools.combinations(range(K), 2))):
                product = count[j] * count[k] * pairable * inverse
                assert both[b, 0, i] == pytest.approx(product.sum())
                assert both[b, 1, i] == pytest.approx((product * size).sum())
            for c in nonempty(range(n_coders)):
                judgments = codes[:, c]
                expected = [
                    (judged_by * (judgments == k)).sum() if c in coders else 0 for k in range(K)
                ]
                assert each[b, c].tolist() == expected


def test_sums_of_coders_are_those_of_a_mask():
    """The first and the last coder are coders."""
    features = np.arange(64 * 2, dtype=float).reshape(64, 2)
    masks = np.array([0, 1, 1 << 63, 5, 2**64 - 1], np.uint64)
    out = np.full((5, 2), np.nan)
    _subsets.coder_sums(masks, features, out)
    for mask, result in nonempty(zip(masks.tolist(), out.tolist(), strict=True)):
        assert result == features[[c for c in range(64) if mask >> c & 1]].sum(0).tolist()


def test_halves_add_up_to_what_pairs_of_coders_do():
    """Every subset of three low and four high coders, or those in the middle alone."""
    rng = np.random.default_rng(1)
    low, high = 3, 4
    C = low + high
    f = rng.random((2, C, C))
    f += f.transpose(0, 2, 1)
    order = sorted(range(1 << low), key=lambda mask: mask.bit_count())
    runs = np.array([0, 1, 4, 7, 8], np.int32)
    inside = [[c for c in range(C) if mask >> c & 1] for mask in range(1 << C)]

    def total(s, some):
        return sum(f[s, a, b] for a in some for b in some if a <= b)

    base = np.array([[total(s, inside[mask]) for mask in order] for s in range(2)])
    columns = np.array(
        [[[f[s, inside[mask], c].sum() + f[s, c, c] for mask in order] for c in range(low, C)]
         for s in range(2)]
    )  # fmt: skip
    uses = np.array([1, 0, 2, 3, 0, 1, 2])

    def rare(some):
        return int(np.bitwise_or.reduce(uses[some])) if some else 0

    low_sets = np.array([rare(inside[mask]) for mask in order])
    crossed = np.ascontiguousarray(f[:, low:, low:])
    split = _subsets.Split(columns, crossed, runs, low_sets, uses[low:].copy())
    p, q = 1 + rng.random((2, 1, 4, C + 1))
    ratios = _subsets.Ratios(np.array([[0, 1]]), p, q)
    for first, last in [(0, 16), (8, 12)]:
        levels = np.full((2, high + 1, 1 << low), np.nan)
        levels[:, high] = base
        out = np.empty((1, (last - first) << low))
        _subsets.sum_halves(split, ratios, first, last, levels, out)
        expected = []
        for above in range(first, last):
            for mask in order:
                some = inside[above << low | mask]
                place = 0, rare(some), len(some)
                expected.append(1 - total(0, some) / (p[place] + q[place] * total(1, some)))
        assert out[0] == pytest.approx(expected)


def test_arrays_that_do_not_fit_make_no_study():
    """The constructors check the lengths once."""
    T, ones = _subsets.TILE, np.ones((1, 1, 2))
    two, none = np.zeros(2, np.int64), np.zeros(0, np.int64)
    columns, runs = np.ones((1, 2, 2)), np.array([0, 1, 2], np.int32)
    tables, counts = np.zeros((1, 4, 2 * T), np.uint8), np.zeros((3, 2 * T), np.uint8)
    weights, room, flags = np.ones(T), np.ones((11, T)), np.zeros((1, 1, 2), np.uint8)
    totals, labels, pairs = np.ones((5, 3)), np.ones((5, 6)), np.ones((5, 2, 3))
    wrong = [
        (lambda: _subsets.Split(columns, columns, runs, two, none), "than 1 x 2 high coders"),
        (lambda: _subsets.Split(columns, columns, runs[:2], two, two), "than 2 subsets of the low"),
        (lambda: _subsets.Ratios(np.zeros((2, 2), np.int64), ones, ones), "than 2 coefficients"),
        (lambda: _subsets.Runs(np.ones((1, 5)), np.array([0, 6]), runs[:1]), "2 starts of 1 runs"),
        (lambda: _subsets.Bounds(ones, flags, np.ones((2, 1)), ones), "measures and groups"),
        (lambda: _subsets.Tile(tables[:, :3].copy(), weights, counts, room), "no power of two"),
        (lambda: _subsets.Tile(tables, weights, counts, room[1:]), "than 1 categories of 128"),
        (lambda: _subsets.Sums(totals[1:], labels, pairs), "other than 4 subsets"),
        (lambda: _subsets.Sums(totals, labels, pairs[..., :2].copy()), "of 3 categories"),
    ]
    for make, message in wrong:
        with pytest.raises(ValueError, match=message):
            make()
