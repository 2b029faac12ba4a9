"""Each kernel against plain Python at the limits of its input: blocks, tails, words, room."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from loops import nonempty

from agreement_fast import patterns as pairs
from agreement_fast import patterns as rows
from agreement_fast._kernels import (
    _encode,
    _group,
    _patterns,
    _resample,
    _values,
)
from agreement_fast._kernels._rows import Rows

#: Numbers of values around the kernels' blocks of 256, and 0.
LENGTHS = (1, 2, 255, 256, 257, 513)


def places(n):
    """The first and last places of an array, and those on either side of a block's end."""
    return sorted({0, n // 2, n - 1, *(i for i in (255, 256) if i < n)})


# ---------------------------------------------------------------- labels into bytes


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", LENGTHS)
def test_only_whole_numbers_that_fit_become_bytes(dtype, n):
    """One other value is detected at any place, and NaN is reported."""
    for value in [-128, -127, -1, -0.0, 0, 1, 126, 127]:
        for place in nonempty(places(n)):
            values = np.full(n, 5, dtype)
            values[place] = value
            out = np.empty(n, np.int8)
            assert _encode.narrow_floats(values, 9, out) == (True, False, False), value
            assert (out == values).all(), value
    for value in [-129, 128, 255, 256, -256, 0.5, -0.5, 126.5, 2**31, 2**32, 2**53, 1e30, np.inf]:
        for sign, place in nonempty(itertools.product((1, -1), places(n))):
            values = np.full(n, 5, dtype)
            values[place] = sign * value
            if values[place] == 128 or abs(values[place]) != 128:
                assert not _encode.narrow_floats(values, 9, np.empty(n, np.int8))[0], value
    for place in nonempty(places(n)):
        values = np.full(n, 5, dtype)
        values[place] = np.nan
        out = np.empty(n, np.int8)
        assert _encode.narrow_floats(values, -7, out) == (True, True, False)
        assert out[place] == -7
        assert np.delete(out, place).tolist() == [5] * (n - 1)
        values[place] = -7
        assert _encode.narrow_floats(values, -7, out) == (True, False, True)


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64])
@pytest.mark.parametrize("n", LENGTHS)
def test_only_integers_that_fit_become_bytes(dtype, n):
    """The same for integers, with the smallest and the largest returned."""
    info = np.iinfo(dtype)
    for value in [-128, -127, -1, 0, 126, 127]:
        for place in nonempty(places(n)):
            values = np.full(n, 5, dtype)
            values[place] = value
            out = np.empty(n, np.int8)
            assert _encode.narrow_integers(values, out) == (True, values.min(), values.max())
            assert (out == values).all()
    for value in [-129, 128, 255, 256, -256, 512, info.min, info.max, info.min + 128]:
        for place in nonempty(places(n)):
            values = np.full(n, 5, dtype)
            values[place] = value
            assert not _encode.narrow_integers(values, np.empty(n, np.int8))[0], value


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
def test_a_value_outside_its_range_is_told_and_not_looked_up(dtype):
    """Also at the ends of the type, where differences would overflow."""
    info = np.iinfo(dtype)
    for low, states in [(info.min, 3), (info.max - 2, 3), (-1, 4), (0, 1)]:
        inside = np.array([low + i for i in range(states)], dtype)
        lookup = np.arange(states, dtype=np.int32)[::-1].copy()
        out, flags = np.empty(states, np.int16), np.zeros(states, np.uint8)
        assert _encode.mark_present(inside, low, flags)
        assert flags.all()
        assert _encode.recode(inside, low, lookup, out)
        assert out.tolist() == lookup.tolist()
        first, numbers = np.empty(states, np.int64), np.empty(states, np.int32)
        pair, pair_numbers = np.empty(2, np.int16), np.empty(2, np.int32)
        known = np.full(states, -1, np.int32)
        assert _encode.number_in_order(inside[::-1].copy(), low, known, numbers, first) == states
        assert numbers.tolist() == first.tolist() == list(range(states))
        for value in {low - 1, low + states, info.min, info.max} - set(inside.tolist()):
            if info.min <= value <= info.max:
                outside = np.array([low, value], dtype)
                flags[:] = 0
                assert not _encode.mark_present(outside, low, flags)
                assert flags.tolist() == [1] + [0] * (states - 1)
                assert not _encode.recode(outside, low, lookup, pair)
                assert pair.tolist() == [states - 1, -1]
                known[:] = -1
                assert _encode.number_in_order(outside, low, known, pair_numbers, first) == -1


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
def test_codes_beyond_the_categories_are_told_and_not_copied(dtype):
    """Only the categories and the missing value become codes."""
    info = np.iinfo(dtype)
    firsts = [0, 1, -1, info.min + 1, info.max - 6, -3]
    for first, missing, n in itertools.product(firsts, (False, True), (3, 255, 256, 257)):
        values = first + np.random.default_rng(n).integers(-missing, 7, n)
        values[:3] = first + np.array([-missing, 6, 0])
        given, out = values.astype(dtype), np.empty(n, dtype)
        assert (given == values).all()
        assert _encode.copy_codes(given, first, missing, 7, out)
        assert (out == values - first).all()
        for value in (first + 7, first - 1 - missing, info.min, info.max):
            inside = first - missing <= value <= first + 6
            if inside or not info.min <= value <= info.max:
                continue
            for place in (0, n // 2, n - 1):
                broken = given.copy()
                broken[place] = value
                assert not _encode.copy_codes(broken, first, missing, 7, out)
                expected = values - first
                expected[place] = -1
                assert (out == expected).all()
    nothing = np.empty(0, dtype)
    assert _encode.copy_codes(nothing, 0, False, 0, nothing.copy())
    assert not _encode.copy_codes(np.array([3], dtype), 0, False, 0, np.empty(1, dtype))
    whole = np.arange(info.min, info.min + 127).astype(dtype)
    assert _encode.copy_codes(whole, info.min, False, 127, out := np.empty(127, dtype))
    assert out.tolist() == list(range(127))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 700])
def test_integers_become_shorts_only_if_all_fit(n, dtype):
    """At the ends of the range and of the type, wherever the outlier stands."""
    info = np.iinfo(dtype)
    for low, high in [(-32768, 32767), (-5, 300), (0, 0), (32767, 32767), (-32768, -32768)]:
        values = np.random.default_rng(n).integers(low, high, n, endpoint=True).astype(dtype)
        values[[0, -1]] = low, high
        out = np.empty(n, np.int16)
        result = _encode.shorten_integers(values, out)
        assert result == (True, values.min(), values.max())
        assert (out == values).all()
    for value in (-32769, 32768, 65535, 65536, info.min, info.max, info.min + 32768):
        for place in {0, n // 2, n - 1}:
            values = np.full(n, 5, dtype)
            values[place] = value
            assert not _encode.shorten_integers(values, np.empty(n, np.int16))[0], value


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64])
def test_what_occurs_is_found_wherever_it_stands(dtype):
    """The last value may be the only one of its kind; after all were seen, no more are read."""
    for n in (1, 2, 4095, 4096, 4097, 9000):
        values = np.zeros(n, dtype)
        values[-1] = 3
        assert _encode.present(values, 0, 4) == ([3] if n == 1 else [0, 3])
        assert _encode.present(values, -1, 6) == ([4] if n == 1 else [1, 4])
        assert _encode.present(values, 0, 3) is None
    seen = np.arange(8192).astype(dtype) % 4
    seen[-1] = 9
    assert _encode.present(seen, 0, 4) == [0, 1, 2, 3]
    assert _encode.present(seen[-1:], 0, 4) is None
    assert _encode.present(seen[:0], 0, 4) == []


# ---------------------------------------------------------------- keys and counts of rows


@pytest.mark.parametrize("width", range(1, 9))
def test_keys_of_rows_are_counted_whatever_their_bits(width):
    """Row by row, column by column, and stored in any way, one histogram or four."""
    rng = np.random.default_rng(width)
    for bits in nonempty(range(1, min(8, 17 // width) + 1)):
        low = [-128, -1, 0, 127 - (1 << bits) + 1][bits % 4]
        for n in (1, 8, 9, 257, 1029):
            digits = rng.integers(0, 1 << bits, (n, width))
            digits[0], digits[-1] = (1 << bits) - 1, (1 << bits) - 1
            table = (digits + low).astype(np.int8)
            keys = (digits << (bits * np.arange(width))).sum(1)
            cells = 1 << (bits * width)
            expected = np.bincount(keys, minlength=cells)
            for sides in (1, 4):
                label = (width, bits, n, sides)
                out = np.zeros((sides, cells), np.int64)
                _patterns.count_keys_of_rows(table, low, bits, out)
                assert (out.sum(0) == expected).all(), label
                out[:] = 0
                _patterns.count_keys_of_columns(table.T.copy()[None], low, bits, out)
                assert (out.sum(0) == expected).all(), label
            out = np.zeros((1, cells), np.int64)
            weights = rng.integers(0, 5, n)
            _patterns.count_keys(table[:, ::-1][:, ::-1], weights, low, bits, out)
            weighted = np.zeros(cells, np.int64)
            np.add.at(weighted, keys, weights)
            assert (out[0] == weighted).all(), label


def test_bytes_beyond_their_range_stay_within_their_bits():
    """Another thread may write such values: each stays in its bits, so that no key is too large."""
    rng = np.random.default_rng(0)
    table = rng.integers(-128, 128, (1000, 3)).astype(np.int8)
    low, bits = -3, 4
    keys = (((table.astype(int) - low) & 15) << (4 * np.arange(3))).sum(1)
    expected = np.bincount(keys, minlength=1 << 12)
    columns = table.T.copy()[None]
    ways = [(_patterns.count_keys_of_rows, table), (_patterns.count_keys_of_columns, columns)]
    for kernel, stored in ways:
        out = np.zeros((1, 1 << 12), np.int64)
        kernel(stored, low, bits, out)
        assert (out[0] == expected).all()
    out = np.zeros((1, 1 << 12), np.int64)
    _patterns.count_keys(table, None, low, bits, out)
    assert (out[0] == expected).all()


@pytest.mark.parametrize(("width", "bits", "beside"), [(1, 3, 4), (2, 3, 2), (3, 1, 8), (2, 2, 3)])
def test_keys_of_rows_side_by_side_are_counted(width, bits, beside):
    """Several rows in one key: neighbours, or rows at the distance of the number of keys."""
    rng = np.random.default_rng(width)
    n = 600 // beside
    digits = rng.integers(0, 1 << bits, (n * beside + 1, width))
    table = (digits - 2).astype(np.int8)
    cells = 1 << (bits * width * beside)
    shifts = bits * np.arange(width * beside)
    neighbours = digits[: n * beside].reshape(n, beside * width)
    apart = np.hstack([digits[i * n : (i + 1) * n] for i in range(beside)])
    whole = table[: n * beside]
    cube = whole.T.copy().reshape(width, beside, n).transpose(1, 0, 2)
    ways = [(_patterns.count_keys_of_columns, cube, apart)]
    if width * beside <= 8:
        together = whole.reshape(n, beside * width)
        ways.append((_patterns.count_keys_of_rows, together, neighbours))
    for kernel, stored, columns in ways:
        for sides in (1, 4):
            out = np.zeros((sides, cells), np.int64)
            kernel(stored, -2, bits, out)
            assert (out.sum(0) == np.bincount((columns << shifts).sum(1), minlength=cells)).all()


@pytest.mark.parametrize(("K", "bits"), [(1, 8), (16, 4), (32, 2), (64, 1), (13, 4), (21, 3)])
def test_counts_fill_their_word(K, bits):
    """The count of the last category is in the word's last bits; missing judgments have none."""
    longest = (1 << bits) - 1
    table = np.full((2 * K, longest), -1, np.int8)
    for k in range(K):
        table[k] = k
        table[K + k, : longest // 2] = k
    out = np.empty(2 * K, np.uint64)
    start = np.arange(2 * K + 1) * longest
    codes = table.reshape(-1)
    for made in (Rows(codes, longest), Rows(codes, 0, start)):
        _patterns.pack_counts(made, bits, out)
        assert out.tolist() == [n << (k * bits) for n in (longest, longest // 2) for k in range(K)]
        _patterns.pack_counts(made.part(K - 1, K), bits, out[:1])
        assert out[0] == longest << ((K - 1) * bits)


def test_words_are_counted_until_half_of_the_table_is_full():
    """Also words that share a slot, and words that were added before."""
    words = np.arange(8, dtype=np.uint64).repeat(3)
    keys, counts = np.full(16, 2**64 - 1, np.uint64), np.zeros(16, np.int64)
    assert _patterns.count_words(words, None, keys, counts, 0) == 8
    assert _patterns.count_words(words[:6], np.arange(6), keys, counts, 8) == 8
    result = dict(zip(keys.tolist(), counts.tolist(), strict=True))
    del result[2**64 - 1]
    assert result == {0: 3 + 0 + 1 + 2, 1: 3 + 3 + 4 + 5, **dict.fromkeys(range(2, 8), 3)}
    assert _patterns.count_words(np.array([9], np.uint64), None, keys, counts, 8) == -1


@pytest.mark.parametrize("width", [1, 7, 8, 9, 16, 19])
def test_rows_that_differ_in_one_byte_are_two_groups(width):
    """The last byte counts, and every byte before it."""
    base = np.arange(width, dtype=np.uint8)
    table = np.array([base, base, *(base ^ (i == np.arange(width)) for i in range(width))])
    table = np.concatenate([table, table]).astype(np.uint8)
    group, first = rows.group_equal(table)
    once = [0, 0, *range(1, width + 1)]
    assert group.tolist() == once + once
    assert first.tolist() == [0, *range(2, width + 2)]


@pytest.mark.parametrize("n", [1, 511, 512, 513, 4095, 4096, 4097, 9000])
def test_any_number_of_groups_is_numbered(n):
    """A table that is half full is replaced, and numbering starts over from the first row."""
    numbers = np.arange(n, dtype=np.int32)
    group, first = rows.group_equal(np.concatenate([numbers, numbers[::-1]]))
    assert group.tolist() == [*range(n), *range(n - 1, -1, -1)]
    assert first.tolist() == list(range(n))


# ---------------------------------------------------------------- sums over numbers


@pytest.mark.parametrize("weighted", [False, True])
def test_moments_are_those_of_the_numbers(weighted):
    """Leaves out missing numbers, rows of few numbers, and rows of weight 0."""
    rng = np.random.default_rng(3)
    values = rng.integers(-50, 50, (30, 4)) / 4
    values[rng.random(values.shape) < 0.4] = np.nan
    values[7] = np.nan
    values[9] = [8.0, np.nan, np.nan, np.nan]
    weights = rng.integers(0, 3, 30) if weighted else None
    weight = weights if weighted else np.ones(30, int)
    for least, (first, last) in itertools.product((0, 1, 2, 3), [(0, 30), (5, 29), (7, 8)]):
        there = [(row, [Fraction(x) for x in values[row] if x == x]) for row in range(first, last)]
        part = values[first:last]
        some = None if weights is None else weights[first:last]
        there = [(row, said) for row, said in there if len(said) >= least]
        counted = [(int(weight[row]), said) for row, said in there if said and weight[row]]
        result = _values.spread(part, some, least)
        every = [x for _, said in counted for x in said]
        assert result == (
            sum(w * len(said) for w, said in counted),
            sum(w * sum(said) for w, said in counted),
            min(every, default=0),
            max(every, default=0),
        )
        items, sums = np.zeros(5, np.int64), np.zeros((5, 4))
        _values.row_moments(part, some, 2.0, least, items, sums)
        expected_items, expected = [0] * 5, [[Fraction(0)] * 4 for _ in range(5)]
        for row, said in there:
            expected_items[len(said)] += int(weight[row])
            terms = (
                len(said),
                sum(x - 2 for x in said),
                sum((x - 2) ** 2 for x in said),
                sum((x - y) ** 2 for x in said for y in said),
            )
            for i, term in enumerate(terms):
                expected[len(said)][i] += int(weight[row]) * term
        assert items.tolist() == expected_items
        assert sums == pytest.approx(np.array(expected, float), rel=1e-12, abs=1e-12)
        coders = np.zeros((4, 3))
        _values.coder_moments(part, some, 2.0, least, coders)
        for c in range(4):
            own = [(int(weight[r]), Fraction(values[r, c]) - 2) for r, _ in there
                   if values[r, c] == values[r, c]]  # fmt: skip
            assert coders[c].tolist() == [
                sum(w for w, _ in own), sum(w * x for w, x in own), sum(w * x * x for w, x in own)
            ]  # fmt: skip


def test_numbers_far_from_0_that_nearly_agree_keep_their_digits():
    """A row's squares are taken about its own mean."""
    values = np.array([[1e8 + 0.25, 1e8 - 0.25, 1e8 + 0.5]])
    items, sums = np.zeros(4, np.int64), np.zeros((4, 4))
    _values.row_moments(values, None, 0.0, 2, items, sums)
    assert sums[3, 3] == 2 * (0.5**2 + 0.25**2 + 0.75**2)


def test_a_first_number_far_from_the_others_costs_no_digits():
    """For any number of them: n Σ x² and (Σ x)² about the first one nearly cancel."""
    values = np.concatenate([[0.0], 1000 + np.random.default_rng(0).random(2000)])
    exact = [Fraction(x) for x in values.tolist()]
    expected = 2 * (len(exact) * sum(x * x for x in exact) - sum(exact) ** 2)
    items, sums = np.zeros(2002, np.int64), np.zeros((2002, 4))
    _values.row_moments(values[None], None, 0.0, 2, items, sums)
    assert sums[2001, 3] == pytest.approx(float(expected), rel=1e-13, abs=0)


NUMBERS = {
    "few": lambda rng: rng.choice(99, 23, replace=False),
    "one": lambda rng: np.array([3.0]),
    "zero": lambda rng: np.append(0.0, rng.random(150)),
    "even": lambda rng: np.arange(1.0, 700.0),
    "of many sizes": lambda rng: 10.0 ** rng.uniform(-60, 60, 600),
    "near": lambda rng: 1000 + 1e-7 * rng.random(600),
    "near but one": lambda rng: np.append(1 + 1e-9 * rng.random(500), 1.3),
    "in clusters": lambda rng: np.exp(
        np.repeat(rng.normal(0, 4, 12), 50) + rng.normal(0, 1e-5, 600)
    ),
}


@pytest.mark.parametrize("bipolar", [False, True])
@pytest.mark.parametrize("name", NUMBERS)
def test_rational_sums_stand_for_every_pair(name, bipolar):
    """Beside fractions: parts that are interpolated and parts that are not; 0 / 0 is 0."""
    rng = np.random.default_rng(len(name))
    p = np.unique(NUMBERS[name](rng).astype(float))
    a, b = (p - p[0], p[-1] - p) if bipolar else (p, p)
    places, v = np.array([p, a, b]), rng.integers(0, 9, len(p)).astype(float)
    nodes = _values.rational_nodes(places, v)
    out = np.full(len(p), np.nan)
    for part in nonempty(range(len(nodes) // 2)):
        _values.rational_rows(places, v, nodes, part, part + 1, out)
    exact = [[Fraction(x) for x in row] for row in (*places.tolist(), v.tolist())]
    for i in nonempty(rng.choice(len(p), min(len(p), 12), replace=False).tolist()):
        expected = Fraction(0)
        for x, y, z, weight in zip(*exact, strict=True):
            scale = (exact[1][i] + y) * (exact[2][i] + z)
            expected += weight * (exact[0][i] - x) ** 2 / (scale or 1)
        assert out[i] == pytest.approx(float(expected), rel=1e-13, abs=0)


def test_rational_sums_of_other_shapes_are_refused():
    places, v = np.ones((3, 4)), np.ones(4)
    nodes = _values.rational_nodes(places, v)
    for args in (
        (places, np.ones(3), nodes, 0, 1, np.empty(3)),
        (np.ones((2, 4)), v, nodes, 0, 1, np.empty(4)),
        (places, v, nodes, 0, 2, np.empty(4)),
        (places, v, nodes, -1, 1, np.empty(4)),
        (places, v, nodes, 0, 1, np.empty(3)),
        (places, v, nodes[:, :, :3].copy(), 0, 1, np.empty(4)),
    ):
        with pytest.raises(ValueError, match="numbers"):
            _values.rational_rows(*args)
    with pytest.raises(ValueError, match="0 weights of 0 numbers"):
        _values.rational_nodes(np.ones((3, 0)), np.ones(0))


@pytest.mark.parametrize("K", [1, 2, 3, 4, 7, 8, 15, 16, 127])
def test_tables_of_pairs_count_every_row(K):
    """Rows that fill words of 64 and that do not, several words at a time."""
    rng = np.random.default_rng(K)
    for n in (1, 63, 64, 65, 200, 64 * pairs.WORDS + 65):
        codes = rng.integers(-1, K, (n, 3))
        codes[-1] = K - 1
        data = rows.as_table(codes.astype(np.int8), None)
        result = pairs.pair_tables(data, 3, K)
        for t, (i, j) in nonempty(enumerate(itertools.combinations(range(3), 2))):
            both = (codes[:, i] >= 0) & (codes[:, j] >= 0)
            expected = np.bincount(codes[both, i] * K + codes[both, j], minlength=K * K)
            assert (result[t].reshape(-1) == expected).all(), (K, n)


# ---------------------------------------------------------------- judgments by item


def without_repeats(items, coders, labels, keep_last):
    """The kept label by item and coder, and the places of the dropped ones in their order."""
    kept, repeats = {}, []
    for item, coder, label in zip(items.tolist(), coders.tolist(), labels.tolist(), strict=True):
        if label < 0:
            continue
        if (item, coder) in kept:
            repeats.append((item, coder))
        if keep_last or (item, coder) not in kept:
            kept[item, coder] = label
    return dict(sorted(kept.items())), repeats


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize("keep_last", [False, True])
def test_judgments_find_their_item_in_a_table(keep_last, dtype):
    """Repeated judgments are reported, and one of them is kept."""
    rng = np.random.default_rng(4)
    items, coders = rng.integers(0, 9, (2, 90)).astype(np.int32)
    labels = rng.integers(-1, 4, 90).astype(dtype)
    kept, repeats = without_repeats(items, coders, labels, keep_last)
    for room in (3, 200):
        table, told = np.full((9, 9), -1, dtype), np.full((room, 2), -1)
        n = _group.fill_table(items, coders, labels, keep_last, table, told)
        assert n == len(repeats)
        assert told[:n].tolist() == [list(pair) for pair in repeats[:room]]
        assert {(i, c): v for (i, c), v in np.ndenumerate(table) if v >= 0} == kept


def check_lists(items, coders, labels, sizes, room=1000):
    """Judgments grouped by item, against a dict."""
    dtype = rows.narrow(sizes[2])
    items, coders = items.astype(np.int32), coders.astype(np.int32)
    labels = labels.astype(dtype)
    for keep_last in (False, True):
        kept, repeats = without_repeats(items, coders, labels, keep_last)
        told = np.full((room, 2), -1)
        packed = rows.pack_judgments(items, coders, labels, sizes)
        result, n = rows.group_by_item(packed, sizes[0], sizes[2], keep_last, told)
        assert n == len(repeats)
        assert told[:n].tolist() == [list(pair) for pair in sorted(repeats)[:room]]
        assert result.codes.dtype == dtype
        assert result.start[0] == 0
        assert result.n_rows == sizes[0]
        item = np.repeat(np.arange(sizes[0]), np.diff(result.start))
        pairs = zip(item.tolist(), result.coders.tolist(), strict=True)
        assert list(zip(pairs, result.codes.tolist(), strict=True)) == list(kept.items())


@pytest.mark.parametrize("order", ["random", "sorted", "reversed"])
@pytest.mark.parametrize("item_bits", [0, 1, 3, 10])
def test_judgments_find_their_item(item_bits, order, monkeypatch):
    """In one bucket and several, the last one full or not, repeated judgments or none."""
    monkeypatch.setattr(rows, "ITEM_BITS", item_bits)
    rng = np.random.default_rng(item_bits)
    for n_items, n_coders, n_labels in itertools.product(
        (1, 2, 7, 8, 9, 16), (1, 2, 40, 300), (1, 2, 127, 128, 40_000)
    ):
        n = int(rng.integers(1, 6 * n_items))
        items, coders = rng.integers(0, n_items, n), rng.integers(0, n_coders, n)
        labels = rng.integers(-1, n_labels, n)
        labels[rng.random(n) < 0.3] = n_labels - 1
        places = np.lexsort((coders, items)) if order != "random" else np.arange(n)
        places = places[::-1] if order == "reversed" else places
        check_lists(items[places], coders[places], labels[places], (n_items, n_coders, n_labels))
        if order == "sorted":  # and without repeats
            places = places[
                np.unique(items[places] * n_coders + coders[places], return_index=True)[1]
            ]
            sizes = (n_items, n_coders, n_labels)
            check_lists(items[places], coders[places], labels[places], sizes)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 23, 24, 25, 26, 255, 256, 257, 700])
@pytest.mark.parametrize("n_coders", [1, 2, 256, 257, 65_536, 65_537, 2**24 + 1, 2**31 - 1])
def test_lists_of_any_length_are_sorted(length, n_coders):
    """Around the length from which they are sorted by bytes, of one to four of them."""
    rng = np.random.default_rng(length)
    for spread in (n_coders, max(1, n_coders // 250), 2):
        coders = rng.integers(0, min(spread, n_coders), length)
        coders[: length // 3] += n_coders - 1 - coders[: length // 3]
        items = rng.permutation(np.arange(length) < length - 3) + 1
        check_lists(items, coders, rng.integers(0, 5, length), (4, n_coders, 5))


def test_keys_have_room_for_all_that_int32_holds():
    """The largest item, coder and label, which leave two bits for the items of a bucket."""
    most = 2**31
    for sizes in [
        (9, most, most),
        (1 << 12, most, 5),
        (1 << 12, 5, most),
        (3000, 1 << 20, 1 << 20),
    ]:
        values = np.array([0, 1, 2, 3, -1, -2, -3, -4])
        items, coders, labels = (
            np.array(list(itertools.product(values, repeat=3))).T % np.array(sizes)[:, None]
        )
        packed = rows.pack_judgments(*(x.astype(np.int32) for x in (items, coders, labels)), sizes)
        assert sum(packed.bits) <= 64
        assert packed.bits[0] >= 2
        check_lists(items, coders, labels, sizes)


@pytest.mark.parametrize("room", [0, 1, 3, 200])
def test_repeats_are_told_as_far_as_there_is_room(room, monkeypatch):
    """In the order of items and coders, across buckets."""
    monkeypatch.setattr(rows, "ITEM_BITS", 1)
    rng = np.random.default_rng(4)
    items, coders = rng.integers(0, 9, (2, 90))
    check_lists(items, coders, rng.integers(-1, 4, 90), (9, 9, 4), room)


def test_no_judgments_are_no_lists():
    """No judgments at all, and only missing ones."""
    none = np.zeros(0, int)
    check_lists(none, none, none, (0, 0, 0))
    check_lists(none, none, none, (3, 2, 1))
    check_lists(np.array([0, 2]), np.array([0, 0]), np.array([-1, -1]), (3, 1, 0))


def test_points_below_two_bounds_are_counted():
    """The first and the last rank are ranks."""
    rng = np.random.default_rng(1)
    for n in (1, 2, 7, 8, 9, 30):
        rank = rng.permutation(n)
        upto = np.sort(rng.integers(0, n + 1, 2 * n))
        upto[-1] = n
        limit = rng.integers(0, n + 1, 2 * n)
        limit[-1] = n
        out = np.empty(2 * n, np.int64)
        _values.count_dominated(rank, upto, limit, np.zeros(n + 1, np.int64), out)
        expected = [int((rank[:u] < k).sum()) for u, k in zip(upto, limit, strict=True)]
        assert out.tolist() == expected


# ---------------------------------------------------------------- replicates


@pytest.mark.parametrize("repeated", [False, True])
def test_sums_under_many_weights_are_those_under_each(repeated):
    """Rows of factor 0 and judgments of weight 0 do not count."""
    rng = np.random.default_rng(6)
    start = np.array([0, 3, 5, 9, 10])
    codes = rng.integers(0, 4, 10).astype(np.int32)
    repeats = rng.integers(0, 3, 10) if repeated else None
    times = repeats if repeated else np.ones(10, int)
    factors = np.array([1.0, 0.0, 0.5, 2.0])
    weights = rng.integers(0, 4, (4, 3)).astype(float)
    features = rng.integers(-5, 5, (4, 3)).astype(float)
    out, squares = np.zeros((4, 3)), np.zeros(3)
    _resample.add_weights(start, codes, repeats, factors, weights, out)
    lists = Rows(codes, 0, start, None, repeats)
    _resample.add_squares(lists, factors, weights, features, np.empty((2, 3)), squares)
    expected, expected_squares = np.zeros((4, 3)), np.zeros(3)
    for row in range(4):
        for i in range(start[row], start[row + 1]):
            expected[codes[i]] += factors[row] * times[i] * weights[row]
            for j in range(start[row], start[row + 1]):
                gap = features[codes[i]] - features[codes[j]]
                expected_squares += factors[row] * weights[row] * times[i] * times[j] * gap**2
    assert (out == expected).all()
    assert (squares == expected_squares).all()
    drawn, sizes = np.zeros((3, 3)), np.array([1, 0, 3])
    items = np.array([0, 2, 2, 3], np.int32), sizes, np.array([1, 0, 2, 1], np.int32)
    _resample.count_draws(*items, drawn)
    assert drawn.tolist() == [[0, 1, 0], [0, 0, 0], [0, 1, 2]]


# ---------------------------------------------------------------- labels beside those of a coder


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize(("C", "K", "gaps"), [(3, 2, 0.0), (5, 8, 0.3), (4, 9, 0.6), (300, 3, 0.1)])
def test_labels_beside_a_coder_are_those_of_plain_loops(C, K, gaps, dtype, lists, weighted):
    """More rows than one block; tables and lists, with and without weights."""
    rng = np.random.default_rng(C * K)
    table = rng.integers(0, K, (520 if C < 9 else 3, C))
    table[rng.random(table.shape) < gaps] = -1
    table = table.astype(dtype)
    weights = rng.integers(1, 4, len(table)) if weighted else None
    made = rows.as_table(np.ascontiguousarray(table), weights)
    given = rows.as_lists(made) if lists else made
    sizes = (table >= 0).sum(1)
    line = np.cumsum(np.bincount(sizes, minlength=C + 1) > 0) - 1
    shape = (C, int(line[-1]) + 1, K, K)
    beside, apart = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    together = np.zeros(shape[1:], np.int64)
    for part in (given.part(0, 2), given.part(2, len(table))):
        _patterns.count_beside(part, line, beside, apart, together)
    expected, squares = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for i, row in enumerate(table.tolist()):
        counts = np.array([row.count(k) for k in range(K)]) * (1 if weights is None else weights[i])
        for c, label in enumerate(row):
            if label >= 0:
                expected[c, line[sizes[i]], label] += counts
                once = [row.count(k) for k in range(K)]
                squares[c, line[sizes[i]]] += np.outer(once, counts)
    assert (beside == expected).all()
    joint = apart + together
    both = joint + joint.swapaxes(2, 3)
    k = np.arange(K)
    both[:, :, k, k] = joint[:, :, k, k]
    assert (both == squares).all()


@pytest.mark.parametrize("K", [1, 2, 7, 8])
def test_sums_beside_a_coder_are_kept_before_they_overflow_sixteen_bits(K):
    """The most judgments of a label that a row can have here, in more rows than 16 bits can add."""
    n_rows, C = 517, 255
    table = np.full((n_rows, C), K - 1, np.int8)
    table[-1, 7] = -1
    beside = np.zeros((C, 2, K, K), np.int64)
    line = np.zeros(C + 1, np.int64)
    line[C] = 1
    _patterns.count_beside(
        rows.as_table(table, None), line, beside, np.zeros_like(beside), np.zeros((2, K, K), int)
    )
    expected = np.zeros_like(beside)
    expected[:, :, K - 1, K - 1] = 254, 516 * 255
    expected[7, 0] = 0
    assert (beside == expected).all()


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("n_items", "K"), [(1, 1), (2, 50), (300, 3), (300, 900)])
def test_cells_of_pairs_are_those_of_plain_counting(n_items, K, weighted):
    rng = np.random.default_rng(K)
    columns = rng.integers(-1, K, (4, n_items)).astype(np.int32)
    columns[3] = -1
    weights = rng.integers(1, 4, n_items) if weighted else None
    each = [1] * n_items if weights is None else weights.tolist()
    order = np.argsort(columns, 1, "stable").astype(np.int32)
    first, second = (side.astype(np.int32) for side in np.triu_indices(4, 1))
    room, start = len(first) * n_items, np.empty(len(first) + 1, np.int64)
    own, other = np.empty((2, room), np.int32)
    counts, others = np.empty(room, np.int64), np.empty(len(first), np.int64)
    pairs = (start, own, other, counts)
    n = _patterns.list_pairs(columns, order, weights, first, second, *pairs)
    assert n == start[-1]
    _patterns.count_others(*pairs, K, others)
    values = rng.normal(size=n)
    values[rng.random(n) < 0.2] = np.nan
    out, expected = np.zeros((2, n_items)), np.zeros((2, n_items))
    _patterns.add_of_pairs(columns, first, second, start, own, other, values, out)
    for t, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        cells, labels = {}, [0] * K
        for i, two in enumerate(columns[[a, b]].T.tolist()):
            if min(two) >= 0:
                cells[tuple(two)] = cells.get(tuple(two), 0) + each[i]
                for label in two:
                    labels[label] += each[i]
        here = slice(start[t], start[t + 1])
        listed = zip(own[here].tolist(), other[here].tolist(), strict=True)
        assert list(zip(listed, counts[here].tolist(), strict=True)) == sorted(cells.items())
        assert others[t] == sum(labels) - max(labels)
        of_cell = dict(zip(sorted(cells), values[here].tolist(), strict=True))
        for i, two in enumerate(columns[[a, b]].T.tolist()):
            value = of_cell.get(tuple(two), np.nan)
            if value == value:
                expected[:, i] += value, 1
    assert out[0] == pytest.approx(expected[0], abs=1e-12)
    assert (out[1] == expected[1]).all()
