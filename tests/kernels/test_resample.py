"""Sums in several resamples of the coders at once, against a loop over judgments."""

import functools
import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from loops import nonempty

from agreement_fast._kernels import _resample
from agreement_fast._kernels._rows import Rows

KINDS = _resample.KINDS
#: One, all, and those around.
LANES = sorted({1, 2, _resample.LANES - 1, _resample.LANES})


def lists(n_rows, n_coders, n_categories, seed, longest=None):
    """Rows of 0 to `longest` judgments of different coders, the first one empty."""
    rng = np.random.default_rng(seed)
    longest = n_coders if longest is None else longest
    lengths = rng.integers(0, longest + 1, n_rows)
    lengths[0], lengths[-1] = 0, longest
    start = np.concatenate([[0], np.cumsum(lengths)])
    coders = [np.sort(rng.permutation(n_coders)[:length]) for length in lengths]
    codes = rng.integers(0, n_categories, start[-1]).astype(np.int32)
    return Rows(codes, 0, start, np.concatenate(coders).astype(np.int32))


def drawn(n_coders, lanes, seed):
    """Multinomial resamples, and one in which a single coder is left."""
    rng = np.random.default_rng(seed)
    out = rng.multinomial(n_coders, np.full(n_coders, 1 / n_coders), lanes).T.astype(np.float64)
    out[:, -1] = 0
    out[n_coders // 2, -1] = n_coders
    return np.ascontiguousarray(out)


def judgments(rows, row, copies, lane):
    """(label, how often) of a row in a resample, as exact numbers."""
    return [
        (int(rows.codes[i]), int(copies[rows.coders[i], lane]))
        for i in range(rows.start[row], rows.start[row + 1])
    ]


def apart(kind, values, lane, j, k):
    if kind == "nominal":
        return Fraction(int(j != k))
    if kind in ("matrix", "blocks"):
        return Fraction(values[j, k])
    if kind == "ranked":
        return (Fraction(values[j, lane]) - Fraction(values[k, lane])) ** 2
    gaps = [Fraction(a) - Fraction(b) for a, b in zip(values[j], values[k], strict=True)]
    return abs(gaps[0]) if kind == "absolute" else sum(gap**2 for gap in gaps)


def values_of(kind, n_categories, lanes, seed):
    """Values that a kind needs: one label lies far from all others."""
    rng = np.random.default_rng(seed)
    width = {"matrix": n_categories, "blocks": n_categories, "squared": 2, "absolute": 1}
    out = rng.integers(-40, 40, (n_categories, width.get(kind, lanes))) / 8
    if kind in ("matrix", "blocks"):
        out = np.abs(out + out.T)
        np.fill_diagonal(out, 0)
    elif kind != "nominal":
        out[0] = 1e6
    return np.ascontiguousarray(out)


def listed(rows, values):
    """The distances of each row's pairs of distinct labels, in order of appearance."""
    out = []
    for row in range(rows.n_rows):
        labels = list(dict.fromkeys(rows.codes[rows.start[row] : rows.start[row + 1]].tolist()))
        out += [values[labels[a], labels[b]] for a in range(len(labels)) for b in range(a)]
    return np.array(out).reshape(-1, 1)


@pytest.mark.few
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n_coders", "n_categories"), [(1, 1), (2, 3), (6, 2), (16, 40), (40, 45)])
def test_disagreement_is_that_of_every_pair(kind, lanes, n_coders, n_categories):
    """Few labels, and more than are compared in pairs (16)."""
    rows = lists(7, n_coders, n_categories, lanes)
    copies = drawn(n_coders, lanes, lanes)
    values = values_of(kind, n_categories, lanes, 5)
    given = _resample.Copies(copies, rows.longest(), n_categories)
    out = np.full((7, lanes), np.nan)
    handed = listed(rows, values) if kind == "blocks" else values
    for _ in range(2):  # the room is left as it was found
        given.disagreement(rows, KINDS[kind], handed, out)
    distance = functools.cache(functools.partial(apart, kind, values))
    for row, lane in nonempty(itertools.product(range(7), range(lanes))):
        said = Counter()
        for label, m in judgments(rows, row, copies, lane):
            said[label] += m
        said = +said  # without the coders that were not drawn
        expected = sum(
            2 * m * n * distance(lane if kind == "ranked" else 0, j, k)
            for (j, m), (k, n) in itertools.combinations(said.items(), 2)
        )
        if len(said) < 2:
            assert out[row, lane] == 0
        assert abs(Fraction(float(out[row, lane])) - expected) <= Fraction(1, 10**13) * expected


@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize(("n_coders", "n_categories"), [(1, 1), (2, 3), (6, 2), (40, 45)])
def test_sizes_and_marginals(lanes, n_coders, n_categories):
    """Each judgment counts as often as its coder was drawn; some of the rows are looked at."""
    rows = lists(9, n_coders, n_categories, 3)
    copies = drawn(n_coders, lanes, 1)
    given = _resample.Copies(copies, rows.longest(), n_categories)
    amounts = np.random.default_rng(2).integers(0, 9, (9, lanes)) / 4
    for first, last in ((0, 9), (2, 7), (4, 4)):
        sizes, selfs = np.full((2, last - first, lanes), np.nan)
        sums = np.zeros((n_categories, lanes))
        part = rows.part(first, last)
        given.sizes(part, sizes, selfs)
        given.add(part, np.ascontiguousarray(amounts[first:last]), sums)
        expected = np.zeros((n_categories, lanes))
        for row, lane in itertools.product(range(first, last), range(lanes)):
            said = judgments(rows, row, copies, lane)
            assert sizes[row - first, lane] == sum(m for _, m in said)
            assert selfs[row - first, lane] == sum(m * m for _, m in said)
            for label, m in said:
                expected[label, lane] += amounts[row, lane] * m
        assert (sums == expected).all()


@pytest.mark.parametrize("kind", ["squared", "ranked"])
def test_copies_of_one_judgment_agree(kind):
    """The mean of equal numbers that are no binary fractions is no other number."""
    n, lanes = 40, _resample.LANES
    rows = Rows(np.arange(n, dtype=np.int32), 0, np.array([0, n]), np.arange(n, dtype=np.int32))
    features = np.repeat(np.arange(-10.0, 10.0, 0.5)[:, None] / 7, lanes, axis=1)
    values = features if kind == "ranked" else np.ascontiguousarray(features[:, :1])
    out = np.empty((1, lanes))
    rounded = set()
    for coder in range(n):
        copies = np.zeros((n, lanes))
        copies[coder] = np.arange(1, lanes + 1) * 3
        means = copies[coder] * features[coder] / copies[coder]
        rounded |= set(np.sign(means - features[coder]).tolist())
        _resample.Copies(copies, n, n).disagreement(rows, KINDS[kind], values, out)
        assert not out.any()
    assert rounded == {-1.0, 0.0, 1.0}


def test_many_copies_are_counted_exactly():
    """Up to 9e7 coders, squares stay below 2^53."""
    most = 9 * 10**7
    rows = Rows(np.array([0, 1], np.int32), 0, np.array([0, 2]), np.array([0, 1], np.int32))
    copies = np.array([[most - 1.0], [1.0]])
    given, out = _resample.Copies(copies, 2, 2), np.empty((1, 1))
    given.disagreement(rows, KINDS["nominal"], np.zeros((0, 0)), out)
    assert out[0, 0] == 2 * (most - 1)


def test_too_many_resamples_are_refused():
    for lanes in (0, _resample.LANES + 1):
        with pytest.raises(ValueError, match=f"{lanes} resamples"):
            _resample.Copies(np.zeros((3, lanes)), 3, 2)


def test_values_of_groups_are_added_in_runs_of_any_length():
    """Groups that come back, and others that never do."""
    lengths = np.array([*range(1, 14), 0, 9, 4, 1])
    groups = np.repeat(np.arange(len(lengths)) % 14, lengths)
    values = np.arange(1.0, len(groups) + 1) ** 2
    out, expected = np.full(16, 0.5), [0.5] * 16
    _resample.sum_groups(groups, values, out)
    for group, value in zip(groups.tolist(), values.tolist(), strict=True):
        expected[group] += value
    assert out.tolist() == expected
