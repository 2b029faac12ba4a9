"""The kernels that sum over rows, against plain Python over the whole space of small rows."""

import functools
import itertools
import math
import pickle
from collections import Counter

import numpy as np
import pytest
from loops import nonempty

from agreement_fast._kernels import _sums as sums
from agreement_fast._kernels import _values
from agreement_fast._kernels._rows import CountTable, Rows

CODES = (np.int8, np.int16, np.int32)


def tables(width, n_labels):
    """Every row of some width: labels 0 .. n_labels - 1 and -1."""
    return np.array(list(itertools.product(range(-1, n_labels), repeat=width)))


def lists(table, repeats=None):
    """The same rows as lists, whose coders are the columns."""
    given = table >= 0
    start = np.concatenate([[0], np.cumsum(given.sum(1))]).astype(np.int64)
    coders = np.broadcast_to(np.arange(table.shape[1], dtype=np.int32), table.shape)[given]
    return start, coders, None if repeats is None else repeats[given]


def made(table, kind, dtype, weights=None, repeats=None):
    """Rows of a table of codes, as a table or as lists."""
    codes = table.astype(dtype)
    if kind == "table":
        return Rows(codes.reshape(-1), table.shape[1], weights=weights)
    start, coders, some = lists(table, repeats)
    return Rows(codes[table >= 0], 0, start, coders, some, weights)


def expanded(row, repeats):
    """The judgments of a row."""
    times = [1] * len(row) if repeats is None else repeats
    return [label for label, n in zip(row, times, strict=True) if label >= 0 for _ in range(n)]


def seeded_weights(n):
    """Weights from 0 to 3."""
    return np.random.default_rng(n).integers(0, 4, n)


def shapes():
    """Tables and lists of every type, weighted and not; lists also with repeats."""
    for kind, dtype, weighted in itertools.product(("table", "lists"), CODES, (False, True)):
        yield kind, dtype, weighted, False
        if kind == "lists":
            yield kind, dtype, weighted, True


def cases():
    """Every row of up to four judgments of three labels, and rows as wide as kernels take them."""
    for width in range(1, 5):
        yield tables(width, 3), 3
    rng = np.random.default_rng(0)
    for width in (8, 23, 24, sums.WIDEST - 1, sums.WIDEST, sums.WIDEST + 1):
        for rows in (1, 255, 256, 257, 513):
            table = rng.integers(-1, 120, (rows, width))
            table[rng.random(table.shape) < 0.8] = 7  # most judgments agree
            yield table, 120
    yield np.full((300, 60), 5), 6
    yield np.full((300, 60), -1), 6
    yield np.zeros((0, 3), int), 2
    yield rng.integers(-1, 300, (400, 3)), 300
    yield np.zeros((5, 0), int), 2


CASES = list(cases())
SHAPES = list(shapes())


def fitting(shape):
    """The cases that a shape can hold: labels fit the type of the codes, a table has columns."""
    for number, (table, K) in enumerate(CASES):
        if np.iinfo(shape[1]).max >= K and (shape[0] == "lists" or table.shape[1]):
            yield number


def weights_of(number, weighted):
    """The weights of a case's rows."""
    n = len(CASES[number][0])
    return seeded_weights(n) if weighted else np.ones(n, np.int64)


def repeats_of(number, repeated):
    """How often each judgment of a case was made, if the shape has repeats."""
    shape = CASES[number][0].shape
    return np.random.default_rng(1).integers(0, 4, shape) if repeated else None


def rows_of(number, shape):
    """The rows of a case in one shape."""
    kind, dtype, weighted, repeated = shape
    weights = weights_of(number, True) if weighted else None
    return made(CASES[number][0], kind, dtype, weights, repeats_of(number, repeated))


# Cached results of plain Python, which is slow; they do not depend on the type of the codes.


@functools.cache
def judgments_of(number, repeated):
    """The judgments of each row of a case."""
    table, repeats = CASES[number][0], repeats_of(number, repeated)
    each = itertools.repeat(None) if repeats is None else repeats.tolist()
    return [expanded(row, some) for row, some in zip(table.tolist(), each, strict=False)]


@functools.cache
def counts_of(number, repeated):
    """How often each label is in each row of a case."""
    return [Counter(said) for said in judgments_of(number, repeated)]


@functools.cache
def exact_by_size(number, kind, weighted, repeated):
    """For each size of a row: rows, equal pairs, gaps of a table, and how often each label is."""
    table, K = CASES[number]
    judgments = judgments_of(number, repeated)
    out = np.zeros((max(map(len, judgments), default=0) + 2, K + 3), np.int64)
    weights = weights_of(number, weighted).tolist()
    for said, counts, weight in zip(judgments, counts_of(number, repeated), weights, strict=True):
        line = out[len(said)]
        line[0] += weight
        line[1] += weight * sum(n * (n - 1) // 2 for n in counts.values())
        if kind == "table":
            line[2] += weight * (table.shape[1] - len(said))
        for label, n in counts.items():
            line[3 + label] += weight * n
    return out


@functools.cache
def exact_by_coder(number, weighted, least):
    """How often each coder gave each label in rows with at least this number of judgments."""
    table, K = CASES[number]
    out = np.zeros((table.shape[1], K), np.int64)
    for row, weight in zip(table, weights_of(number, weighted).tolist(), strict=True):
        given = np.flatnonzero(row >= 0)
        if len(given) >= least:
            out[given, row[given]] += weight
    return out


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_counts_are_those_of_plain_python(shape):
    """Sizes, rows, equal pairs and labels of each size; parts add up to the whole."""
    kind, dtype, weighted, repeated = shape
    for number in nonempty(fitting(shape)):
        rows, K, width = rows_of(number, shape), CASES[number][1], CASES[number][0].shape[1]
        expected = exact_by_size(number, kind, weighted, repeated)
        longest = len(expected) - 2
        n_sizes = max(longest + 2, width + 1 if kind == "table" else 0)
        result, middle = sums.BySize(K, n_sizes), rows.n_rows // 3
        assert result.add(rows.part(0, middle))
        assert result.add(rows.part(middle, rows.n_rows))
        out = result.table
        assert (out[: longest + 2] == expected).all()
        assert not out[longest + 2 :].any()
        items = {size: n for size, n in enumerate(expected[:, 0].tolist()) if n}
        assert list(result.items().items()) == list(items.items())
        for least in (1, 2, 3):
            assert (result.counts(least) == expected[least:, 3:].sum(0)).all()
            shares = sum(expected[s, 3:] / s for s in range(least, len(expected)))
            shares = shares / max(sum(expected[least:, 0]), 1)
            assert np.allclose(result.shares(least), shares, rtol=1e-15, atol=0)
        if kind == "table" and dtype != np.int32 and width <= sums.WIDEST:
            apart = sums.BySize(K, n_sizes, width)
            assert apart.add(rows.part(0, middle))
            assert apart.add(rows.part(middle, rows.n_rows))
            for least in (1, 2, 3):
                assert (apart.counts(least) == result.counts(least)).all()
                assert (apart.shares(least) == result.shares(least)).all()
                assert (apart.coders(least) == exact_by_coder(number, weighted, least)).all()
            assert apart.unequal() == result.unequal()
            assert apart.items() == result.items()
            again = pickle.loads(pickle.dumps(apart))
            assert (again.table == apart.table).all()
            assert (again.coders(1) == apart.coders(1)).all()
        assert result.unequal() == [n * s * (s - 1) - 2 * expected[s, 1] for s, n in items.items()]


#: The types of counts; each holds those of the cases.
CELLS = (np.int8, np.int16, np.int32, np.int64)


def cells_of(number, repeated):
    """How often each row of a case has each label, as an array."""
    out = np.zeros((len(CASES[number][0]), CASES[number][1]), np.int64)
    for row, counts in enumerate(counts_of(number, repeated)):
        for label, n in counts.items():
            out[row, label] = n
    return out


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("dtype", CELLS)
def test_tables_of_counts_are_those_of_plain_python(dtype, repeated, weighted):
    """Sizes, sums, lists, and counts by size of tables of counts in every type."""
    for number in nonempty(range(len(CASES))):
        cells, K = cells_of(number, repeated).astype(dtype), CASES[number][1]
        weights = weights_of(number, True) if weighted else None
        counts = CountTable(np.asfortranarray(cells), weights)
        assert (counts.cells == cells).all()
        assert pickle.loads(pickle.dumps(counts)).cells.dtype == dtype
        sizes, labels = np.zeros(len(cells), np.int64), np.full(K, 3)
        assert sums.add_rows(counts, sizes) == np.count_nonzero(cells)
        sums.add_columns(counts, labels)
        assert sizes.tolist() == cells.sum(1, dtype=np.int64).tolist()
        assert labels.tolist() == (cells.sum(0, dtype=np.int64) + 3).tolist()
        start, columns = np.zeros(len(cells) + 1, np.int64), np.nonzero(cells)
        result, values = np.empty(len(columns[0]), np.int32), np.empty(len(columns[0]), np.int64)
        sums.list_cells(counts, start, result, values)
        assert (np.diff(start) == np.count_nonzero(cells, axis=1)).all()
        assert (result == columns[1]).all()
        assert (values == cells[columns]).all()
        expected = exact_by_size(number, "lists", weighted, repeated)
        middle, by_size = len(cells) // 3, sums.BySize(K, len(expected))
        assert by_size.add(counts.part(0, middle))
        assert by_size.add(counts.part(middle, len(cells)))
        assert (by_size.table == expected).all()
        assert by_size.squares == (np.count_nonzero(cells, axis=1) ** 2).sum()
        again = pickle.loads(pickle.dumps(by_size))
        assert (again.table == by_size.table).all()
        assert again.squares == by_size.squares
        if sizes.any():
            assert not sums.BySize(K, int(sizes.max())).add(counts)


def test_large_counts_are_added_exactly():
    """Sizes around the largest whose square fits 31 bits, and far above."""
    for size in (2**15 - 2, 2**15 - 1, 2**15, 2**15 + 1, 3 * 2**16):
        cells = np.array([[size, 0, 0], [size - 1, 1, 0], [size - 5, 2, 3]])
        for dtype in (np.int32, np.int64):
            by_size = sums.BySize(3, size + 1)
            assert by_size.add(CountTable(cells.astype(dtype), np.array([1, 3, 2])))
            apart = [size**2 - sum(n * n for n in row) for row in cells.tolist()]
            assert by_size.unequal() == [apart[0] + 3 * apart[1] + 2 * apart[2]]


@pytest.mark.parametrize("dtype", CELLS)
@pytest.mark.parametrize("K", [1, 4, 7, 8, 20, 65])
def test_blocks_of_rows_are_counted_like_single_rows(K, dtype):
    """Rows around a block of 256, of one size, of several, and of more than 16 bits."""
    rng = np.random.default_rng(K)
    for n_rows in (255, 256, 257, 600):
        few = rng.integers(0, 3, (n_rows, K))
        alike = np.array([np.roll(few[0], row) for row in range(n_rows)])
        one = alike.copy()
        one[n_rows // 2, -1] += 1
        many = few + np.minimum(np.iinfo(dtype).max, 1 << 16) - 3
        for cells in (few, alike, one, many if dtype != np.int8 else few * 40):
            sizes = cells.sum(1)
            expected = np.zeros((int(sizes.max()) + 1, K + 3), np.int64)
            np.add.at(expected[:, 0], sizes, 1)
            np.add.at(expected[:, 1], sizes, (cells * (cells - 1) // 2).sum(1))
            np.add.at(expected[:, 3:], sizes, cells)
            counts, place = CountTable(cells.astype(dtype)), np.full(n_rows, -1, np.int32)
            by_size = sums.BySize(K, len(expected))
            for first, last in ((0, 1), (1, 257), (257, n_rows)):
                assert by_size.add(counts.part(min(first, n_rows), min(last, n_rows)), place)
            assert (by_size.table == expected).all()
            assert by_size.squares == (np.count_nonzero(cells, axis=1) ** 2).sum()
            assert (place == sizes).all()
            assert not sums.BySize(K, len(expected) - 1).add(counts)


def test_tables_of_counts_refuse_what_they_cannot_hold():
    cells = np.zeros((3, 2), np.int8)
    with pytest.raises(ValueError, match="2 weights of 3 rows"):
        CountTable(cells, np.ones(2, np.int64))
    with pytest.raises(ValueError, match="rows 2 to 4 of 3"):
        CountTable(cells).part(2, 4)


@functools.cache
def exact_pairs(number, weighted):
    """How often two labels, in the order of their coders, meet in rows of each size."""
    table, K = CASES[number]
    out = np.zeros((table.shape[1] + 1, K + 1, K + 1), np.int64)
    sizes, weights = np.count_nonzero(table >= 0, axis=1), weights_of(number, weighted)
    for one, other in itertools.combinations(table.T, 2):
        np.add.at(out, (sizes, other + 1, one + 1), weights)
    return out


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_pairs_that_meet_are_those_of_plain_python(shape):
    """By size of the row, missing ones apart; parts add up, and what is no small table is left."""
    for number in nonempty(fitting(shape)):
        rows, K, width = rows_of(number, shape), CASES[number][1], CASES[number][0].shape[1]
        out = np.zeros((width + 1, K + 1, K + 1), np.int64)
        if shape[0] != "table" or shape[1] == np.int32 or width > sums.WIDEST:
            assert not sums.coincidences(rows, out)
            assert not out.any()
            continue
        middle = rows.n_rows // 3
        assert sums.coincidences(rows.part(0, middle), out)
        assert sums.coincidences(rows.part(middle, rows.n_rows), out)
        assert (out == exact_pairs(number, shape[2])).all()


def test_no_byte_after_a_table_is_read():
    """The last rows of a table are not read eight at a time if that would pass its end."""
    for width, rows in itertools.product(
        (1, 2, 3, 7, 8, 9, 17, sums.WIDEST), (1, 7, 8, 9, 255, 257)
    ):
        table = np.random.default_rng(width).integers(-1, 4, (rows, width)).astype(np.int8)
        codes = table.reshape(-1).copy()  # memory of its own: the sanitizers detect reads beyond it
        out = np.zeros((width + 1, 5, 5), np.int64)
        assert sums.coincidences(Rows(codes, width), out)
        weights = np.ones(rows, np.int64)
        by_label = sums.BySize(4, width + 1, width)
        by_label.add(Rows(codes, width, weights=weights))
        assert out.sum() == rows * width * (width - 1) // 2
        assert by_label.coders(1).sum() == (table >= 0).sum()


@pytest.mark.parametrize("gaps", [0.0, 0.1, 0.9])
@pytest.mark.parametrize("width", [1, 2, 5, sums.WIDEST])
def test_whole_blocks_of_bytes_are_counted_as_their_rows(width, gaps):
    """Few labels and sizes are looked for in columns, others row by row; parts begin anywhere."""
    for K in (1, 3, 6, 40):
        rng = np.random.default_rng(width + K)
        table = rng.integers(0, K, (600, width))
        table[rng.random(table.shape) < gaps] = -1
        expected = np.zeros((width + 1, 2 + width * (K + 1)), np.int64)
        for row in table.tolist():
            line = expected[sum(label >= 0 for label in row)]
            line[0] += 1
            line[1] += sum(math.comb(row.count(k), 2) for k in range(K))
            for c, label in enumerate(row):
                line[3 + c * (K + 1) + label] += 1
        rows = made(table, "table", np.int8)
        by_coder, together = (sums.BySize(K, width + 1, n) for n in (width, 1))
        for result in (by_coder, together):
            assert all(result.add(rows.part(*part)) for part in ((0, 3), (3, 300), (300, 600)))
        assert (by_coder.table == expected).all()
        assert (together.table[:, :2] == expected[:, :2]).all()
        of_coders = expected[:, 2:].reshape(width + 1, width, K + 1)
        assert (together.table[:, 2:] == of_coders.sum(1)).all()


def test_rows_longer_than_there_is_room_for_are_told():
    """The answer is False, and nothing is written past the end."""
    table = np.zeros((3, 4), np.int8)
    for rows in (Rows(table.reshape(-1), 4), made(table.astype(int), "lists", np.int8)):
        assert not sums.BySize(1, 4).add(rows)
        assert sums.BySize(1, 5).add(rows)


@functools.cache
def exact_labels(number, weighted, repeated):
    """How often each label occurs, in each row times the row's number modulo 5."""
    out = Counter()
    weights = weights_of(number, weighted).tolist()
    for row, (counts, weight) in enumerate(zip(counts_of(number, repeated), weights, strict=True)):
        for label, n in counts.items():
            out[label] += n * weight * (row % 5)
    return [out[label] for label in range(CASES[number][1])]


@functools.cache
def exact_coders(number, weighted, some):
    """How often each coder gave no label (the first) and each; in all rows, or in two of three."""
    table, K = CASES[number]
    out = np.zeros((table.shape[1], K + 1), np.int64)
    weights = weights_of(number, weighted).tolist()
    for row, (labels, weight) in enumerate(zip(table.tolist(), weights, strict=True)):
        for coder, label in enumerate(labels):
            if not some or row % 3 > 0:
                out[coder, label + 1] += weight
    return out


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sizes_labels_and_coders_are_those_of_plain_python(shape):
    """One number a judgment, added up by row, by label and by coder."""
    kind, _, weighted, repeated = shape
    for number in nonempty(fitting(shape)):
        rows, (table, K) = rows_of(number, shape), CASES[number]
        sizes = np.full(rows.n_rows, -1, np.int64)
        sums.sizes(rows, sizes)
        assert sizes.tolist() == list(map(len, judgments_of(number, repeated)))
        factors = np.arange(rows.n_rows, dtype=np.float64) % 5
        out = np.zeros(K)
        sums.labels(rows, factors, out)
        assert out.tolist() == exact_labels(number, weighted, repeated)
        if repeated:
            continue
        counted = (np.arange(rows.n_rows) % 3 > 0).astype(np.uint8)
        for some in (None, counted):
            by_coder = np.zeros((table.shape[1], K + 1), np.int64)
            sums.coders(rows, some, by_coder)
            exact = exact_coders(number, weighted, some is not None)
            assert (by_coder[:, 1:] == exact[:, 1:]).all()
            assert (by_coder[:, 0] == (0 if kind == "lists" else exact[:, 0])).all()


def distance_of(kind, values):
    """The distance that a kernel's kind and values stand for."""
    if kind == "nominal":
        return lambda a, b: float(a != b)
    if kind == "matrix":
        return lambda a, b: values[a, b]
    if kind == "squared":
        return lambda a, b: sum((x - y) ** 2 for x, y in zip(values[a], values[b], strict=True))
    return lambda a, b: abs(values[a, 0] - values[b, 0])


def values_of(kind, K):
    """Whole numbers, so that sums are exact in any order."""
    rng = np.random.default_rng(K)
    if kind == "matrix":
        upper = np.triu(rng.integers(0, 9, (K, K)), 1).astype(np.float64)
        return upper + upper.T
    return rng.integers(-20, 20, (K, {"squared": 2}.get(kind, 1))).astype(np.float64)


@functools.cache
def exact_disagreement(number, kind, weighted, repeated):
    """The distances of all ordered pairs of judgments, in even rows and in odd ones."""
    d = functools.cache(distance_of(kind, values_of(kind, CASES[number][1])))
    exact = [0.0, 0.0]
    weights = weights_of(number, weighted).tolist()
    for row, (counts, weight) in enumerate(zip(counts_of(number, repeated), weights, strict=True)):
        pairs = itertools.combinations(counts.items(), 2)
        exact[row % 2] += 2 * weight * sum(n * m * d(a, b) for (a, n), (b, m) in pairs)
    return exact


@pytest.mark.few
@pytest.mark.parametrize("compare", [False, True])
@pytest.mark.parametrize("kind", sums.KINDS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_disagreement_is_that_of_all_pairs(shape, kind, compare):
    """Every form of a distance, labels looked up or compared, rows short and long."""
    _, _, weighted, repeated = shape
    for number in nonempty(fitting(shape)):
        table, K = CASES[number]
        if len(table) > 257:
            continue
        rows, longest = rows_of(number, shape), max(table.shape[1], 1)
        values = values_of(kind, K)
        place = (np.arange(rows.n_rows) % 2).astype(np.int32)
        exact = exact_disagreement(number, kind, weighted, repeated)
        room = np.zeros((2 if compare else 3, max(longest, 0 if compare else K)), np.int64)
        out = np.zeros((2, 2))
        sums.disagreement(rows, place, sums.KINDS[kind], values, room, out)
        assert out.sum(1).tolist() == exact
        assert compare or not room[2].any()
        if kind == "matrix":
            weights = weights_of(number, True) if weighted else None
            cells = cells_of(number, repeated)
            tables = [CountTable(cells.astype(dtype), weights) for dtype in CELLS]
            if not repeated:
                tallied = np.zeros(cells.shape, np.int16)
                sums.tally(rows.part(0, 1 % (rows.n_rows + 1)), tallied)
                sums.tally(rows.part(1 % (rows.n_rows + 1), rows.n_rows), tallied)
                assert (tallied == cells).all()
            for counted in (rows, *tables):
                room, out = np.zeros((K, sums.BESIDE)), np.zeros((2, 2))
                for first, last in ((0, len(cells) // 2), (len(cells) // 2, len(cells))):
                    part = counted.part(first, last)
                    sums.dense_disagreement(part, place, values, room, out)
                assert out.sum(1).tolist() == exact


def test_side_by_side_sums_have_the_order_of_a_plain_loop():
    """Fractions and every number of labels: each row's additions, one after the other."""
    rng = np.random.default_rng(3)
    for K, n in itertools.product((*range(1, 14), 31, 64, 65), (1, 31, 32, 33, 70)):
        cells, matrix = rng.integers(0, 9, (n, K)), rng.random((K, K)) * 10.0 ** rng.integers(-9, 9)
        out, room = np.zeros((n, 2)), np.zeros((K, sums.BESIDE))
        own = np.arange(n, dtype=np.int32)
        sums.dense_disagreement(CountTable(cells), own, matrix, room, out)
        for row, result in nonempty(zip(cells.tolist(), out[:, 0].tolist(), strict=True)):
            total = 0.0
            for a in range(K):
                part = 0.0
                for b in range(a):
                    part += row[b] * matrix[a, b]
                total += row[a] * part
            assert result == 2.0 * total


def test_long_sums_of_disagreement_keep_their_digits():
    """A row of little disagreement after a great one, a million times over."""
    n = 200_001
    table = np.tile([0, 1], (n, 1))
    table[0] = [0, 2]
    values = np.array([[0.0], [1e-8], [1e8]])
    out = np.zeros((1, 2))
    room = np.zeros((3, 3), np.int64)
    rows = made(table, "table", np.int8)
    sums.disagreement(rows, np.zeros(n, np.int32), sums.KINDS["absolute"], values, room, out)
    assert math.isclose(out.sum(), 2 * (1e8 + (n - 1) * 1e-8), rel_tol=1e-16)
    # what is lost where the term is the greater of the two
    out, values = np.zeros((1, 2)), np.array([[0.0], [1.0], [2.0**54]])
    rows = made(np.array([[0, 1], [0, 2]]), "table", np.int8)
    sums.disagreement(rows, np.zeros(2, np.int32), sums.KINDS["absolute"], values, room, out)
    assert out.tolist() == [[2.0**55, 2.0]]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_pairs_are_listed_until_the_room_is_used_up(shape):
    """Each pair of distinct labels once, with its number of ordered pairs of judgments."""
    for number in nonempty(fitting(shape)):
        if number >= 12:
            continue
        rows, (table, K) = rows_of(number, shape), CASES[number]
        room = np.zeros((3, max(table.shape[1], K)), np.int64)
        listed, row, most = [], 0, 7
        while row < rows.n_rows:
            labels, count = np.zeros((2, most), np.int32), np.zeros(most)
            row_of = np.zeros(most, np.int64)
            n, following = sums.pairs(rows.part(row, rows.n_rows), room, labels, count, row_of)
            if following == row:
                assert n > most
                most = n
                continue
            row = following
            for i in range(n):
                pair = tuple(sorted(labels[:, i].tolist()))
                listed.append((int(row_of[i]), pair, count[i]))
        expected = []
        for r, counts in enumerate(counts_of(number, shape[3])):
            expected += [
                (r, (a, b), 2.0 * counts[a] * counts[b])
                for a, b in itertools.combinations(sorted(counts), 2)
            ]
        assert sorted(listed) == sorted(expected)


def test_sums_about_the_mean_keep_their_digits():
    """Large influences do not hide many small ones, in squares and in fourth powers."""
    groups = np.repeat([0, 1], 1002)
    small = np.tile([1.0, -1.0], 500)
    rows = np.concatenate([[1e8, -1e8], small, [1e4, -1e4], small])
    out = np.empty((6, 2))
    _values.spread_of_groups(rows, np.ones(len(rows)), groups, None, out)
    for g in range(2):
        gaps = rows[groups == g] - out[1, g]
        assert out[0, g] == 1002
        assert out[1, g] == pytest.approx(math.fsum(rows[groups == g]) / 1002, rel=1e-15)
        for line, power in ((2, 2), (3, 4)):
            assert out[line, g] == pytest.approx(math.fsum(gaps**power), rel=2.3e-16, abs=0)


def test_labels_that_occur_are_marked():
    """In some or all rows, for any weights; and after all labels have been seen."""
    for width, n_labels in itertools.product((1, 2, 3), (1, 2, 3, 5)):
        table = tables(width, min(n_labels, 3))
        n = len(table)
        for kind, dtype, weighted, _ in shapes():
            rows = made(table, kind, dtype, np.zeros(n, np.int64) if weighted else None)
            for first, last in ((0, n), (0, 0), (0, 1), (n - 1, n), (n // 2, n), (1, min(2, n))):
                seen = np.zeros(n_labels, np.uint8)
                result = sums.mark_labels(rows.part(first, last), seen)
                expected = {x for row in table[first:last].tolist() for x in row if x >= 0}
                assert set(np.flatnonzero(seen).tolist()) == expected
                assert result == len(expected)
    assert sums.mark_labels(Rows(np.full(4, -1, np.int8), 2), np.zeros(0, np.uint8)) == 0
