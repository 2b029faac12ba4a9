"""Every route to the sums gives the result of rational arithmetic for any table.

A route is how rows are grouped before they are summed (`agreement_fast.distances.sums.rows`), the
form of a distance is how it is summed (`agreement_fast.distances.forms`). Large data choose by
their size; here each is forced on small tables.
"""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
import reference
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import laid_out
from loops import nonempty
from route_names import ROUTES, rows_by, sums_by
from strategies import Table, seeded, symmetric
from test_against_reference import CELLS, DISTANCES, assert_cells, close, long, wide

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.distances.forms import Absolute, Matrix, Nominal, Squared
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.distances.sums.rows import (
    AT_ONCE,
    FEW,
    MATRIX_LABELS,
    WIDEST,
    are_dense,
    choose,
    summed,
)
from agreement_fast.patterns import CountTable, as_table, key_histogram
from agreement_fast.reading.kept_moments import group_counts

PUBLISHED = [cell for cell in CELLS if cell[2] == "published"]
WITHOUT_CODERS = [cell for cell in CELLS if cell[0] != "individual" and cell[2] != "complete"]
MISSING = -1

# Every distance over numbers, and the form that it takes for few categories and for many.
FORMS = {
    "nominal": ("Nominal", "Nominal"),
    "ordinal": ("Squared", "Squared"),
    "interval": ("Squared", "Squared"),
    "linear": ("Absolute", "Absolute"),
    "rank_linear": ("Absolute", "Absolute"),
    "rank_quadratic": ("Squared", "Squared"),
    "ratio": ("Matrix", "Rational"),
    "bipolar": ("Matrix", "Rational"),
    "circular": ("Matrix", "Circle"),
    "function": ("Matrix", "Blocks"),
}


def squared_root(a, b):
    """A distance without a name."""
    return abs(a - b) / (1 + abs(a - b))


ASKED = {name: DISTANCES[name][:2] for name in FORMS if name in DISTANCES}
ASKED["function"] = (squared_root, reference.of(squared_root))


def forced(data, route):
    """The same annotations, their sums taken by a route."""
    data.memo["sums", 1] = sums_by(data, route)
    return data


def array_of(table, dtype="int8"):
    """A table of integers as an array, MISSING (or NaN) standing for what is missing."""
    gap = np.nan if np.dtype(dtype).kind == "f" else MISSING
    rows = [[gap if label is None else label for label in row] for row in table.rows]
    return np.array(rows, dtype=dtype).reshape(len(table.rows), table.n_coders)


def read(table, dtype="int8"):
    """Annotations from an array, so that all routes are open."""
    missing = None if np.dtype(dtype).kind == "f" else MISSING
    return af.Annotations.from_wide(
        array_of(table, dtype),
        missing=missing,
        categories=table.categories,
        coders=table.coders,
        weights=table.weights,
    )


@st.composite
def small_integers(draw):
    """Tables of 2 to 5 coders and labels 0 to 4, with gaps, single judgments and weights."""
    n_coders = draw(st.integers(2, 5))
    cell = st.sampled_from([0, 1, 2, 3, 4, None])
    row = st.lists(cell, min_size=n_coders, max_size=n_coders).map(tuple)
    rows = tuple(draw(st.lists(row, min_size=1, max_size=10)))
    rows += rows[: draw(st.integers(0, 2))]
    weights = None
    if draw(st.booleans()):
        weights = tuple(draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows))))
    return Table(rows, weights)


@pytest.fixture(autouse=True, scope="module")
def small_tables_have_keys():
    """Make a histogram of keys for tables of any length, as for long ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agreement_fast.patterns.FEW_ROWS", 1)
        patch.setattr("agreement_fast.patterns.CELLS_A_ROW", 1 << 17)
        yield


#: Threads are started for each sum: fewer tables take as long.
FEWER = settings(max_examples=max(4, settings().max_examples // 6))

SMALL_PIECES = {
    "agreement_fast.distances.forms.BLOCK": 4,
    "agreement_fast.distances.forms.RATIONAL_ROWS": 2,
    "agreement_fast.distances.named.BLOCK": 4,
    "agreement_fast.distances.sums.categories.CELLS_A_JUDGMENT": 1 << 17,
    "agreement_fast.distances.sums.categories.CHUNK": 3,
    "agreement_fast.distances.sums.rows.PAIRS": 2,
    "agreement_fast.distances.sums.rows.MULTIPLIED": 1,
    "agreement_fast.reading.kept_moments.CHUNK": 3,
    "agreement_fast.reading.kept_moments.SLOTS": (4, 1 << 8),
    "agreement_fast.reading.kept_moments.SLOTS_A_ROW": 1 << 8,
    "agreement_fast.distances.sums.categories.ROWS_AT_ONCE": 2,
    "agreement_fast._kernels.parallel.SMALL": 1,
}


def in_small_pieces(patch):
    """Cut work as for large data: matrices in blocks, rows in chunks, threads, growing tables."""
    for name, value in SMALL_PIECES.items():
        patch.setattr(name, value)


# ---------------------------------------------------------------- routes


def routes_of(table):
    """All of them; without a judgment there is nothing to be counted."""
    judged = ("counts", "tallies")
    return [route for route in ROUTES if route not in judged or read(table).categories]


@pytest.mark.few("nominal", "ordinal", "interval", "linear", "ratio")
@pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")
@pytest.mark.parametrize("name", ASKED)
@given(table=small_integers())
def test_every_route_gives_every_cell(name, table):
    """Keys, counts, rows and patterns, for each distance: the rational reference."""
    distance, exact = ASKED[name]
    cube = table.cube(exact)
    for route in nonempty(routes_of(table)):
        assert_cells(forced(read(table), route), distance, cube)


@pytest.mark.few("nominal", "ordinal", "interval", "ratio")
@pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")
@pytest.mark.parametrize("name", ASKED)
@FEWER
@given(table=small_integers())
def test_every_route_gives_every_cell_when_the_work_is_cut_into_pieces(name, table):
    """The same in blocks, chunks and threads, and without a matrix."""
    distance, exact = ASKED[name]
    cube = table.cube(exact)
    with pytest.MonkeyPatch.context() as patch:
        in_small_pieces(patch)
        for route in nonempty(routes_of(table)):
            assert_cells(forced(read(table), route), distance, cube)


@pytest.mark.few("keys", "patterns")
@pytest.mark.parametrize("route", ROUTES)
@given(table=small_integers(), seed=st.integers(0, 2**32))
@pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")
def test_every_route_takes_a_distance_matrix(route, table, seed):
    """Distances given one by one, zeros between different labels included."""
    rows = symmetric(seed, 5)
    distance = distances.matrix(rows, categories=range(5))
    cube = Table(table.rows, table.weights, tuple(range(5))).cube(reference.matrix(rows))
    data = forced(read(Table(table.rows, table.weights, tuple(range(5)))), route)
    assert_cells(data, distance, cube)


@pytest.mark.parametrize("route", ROUTES)
def test_a_weight_is_so_many_rows_by_every_route(route):
    """Frequencies from 1 to 10**15 in one table."""
    table = seeded(21, 30, 4, range(4), missing=0.2)
    table = Table(table.rows, tuple(10 ** (i % 16) for i in range(30)))
    for name in ("nominal", "ordinal", "linear"):
        distance, exact, _ = DISTANCES[name]
        assert_cells(forced(read(table), route), distance, table.cube(exact))


def test_pairs_that_no_integer_holds_are_counted_in_floats():
    """2 * 10**17 judgments fit 64 bits; 100 times as many, the sum over pairs, do not."""
    table = seeded(5, 4, 100, range(3), missing=0)
    table = Table(table.rows, (10**15,) * 4)
    distance, exact, _ = DISTANCES["nominal"]
    assert_cells(read(table), distance, table.cube(exact))


@pytest.mark.parametrize("route", ["counts", "rows", "patterns", "tallies"])
def test_rows_of_weight_zero_do_not_count_by_any_route(route):
    """Their labels are categories, their judgments are none."""
    table = Table(((0, 1, 1), (2, 2, 0), (1, 1, 1), (0, None, 0)), (3, 0, 2, 1))
    assert_cells(forced(read(table), route), "interval", table.cube(reference.interval))


@pytest.mark.few("nominal", "linear")
@pytest.mark.parametrize("name", ["nominal", "ordinal", "linear", "ratio"])
def test_every_route_takes_lists_of_judgments(name):
    """300 coders, three per item: rows are lists."""
    dense = seeded(22, 240, 3, range(5), missing=0.1)
    rows = []
    for i, row in enumerate(dense.rows):
        sparse = [None] * 300
        for place, label in enumerate(row):
            sparse[(13 * i + 101 * place) % 300] = label
        rows.append(tuple(sparse))
    table = Table(tuple(rows))
    distance, exact, _ = DISTANCES[name]
    cube = table.cube(exact)
    # fractions take long over 45,000 pairs of coders
    pairs = [("individual", "items", "published")] if name in ("nominal", "linear") else []
    for route in ("counts", "rows", "patterns", "tallies"):
        data = long(table, gaps=False)
        assert not data.rows.width
        assert_cells(forced(data, route), distance, cube, WITHOUT_CODERS + pairs)


@pytest.mark.parametrize("route", ["keys", "rows", "patterns", "tallies"])
def test_every_route_takes_an_agreement_table(route):
    """Counts read as such; a histogram of their rows if there are many."""
    table = seeded(23, 60, 5, range(3), missing=0.3, heaviest=None)
    for name in ("nominal", "interval", "rank_linear"):
        distance, exact, _ = DISTANCES[name]
        data = af.Annotations.from_counts(np.array(table.counts, np.int8), categories=table.order)
        assert_cells(forced(data, route), distance, table.cube(exact), WITHOUT_CODERS)


@pytest.mark.parametrize("route", ["counts", "rows", "patterns", "tallies"])
def test_every_route_takes_a_contingency_table(route):
    """Two coders, each cell a row with its weight."""
    counts = [[20, 3, 0], [1, 10**12, 7], [0, 5, 2]]
    items, weights = reference.from_contingency(counts, [0, 1, 2])
    for name in ("nominal", "ordinal", "interval"):
        distance, exact, _ = DISTANCES[name]
        cube = reference.Cube(items, exact, weights=weights, coders=[1, 2], categories=[0, 1, 2])
        data = af.Annotations.from_contingency(counts)
        assert_cells(forced(data, route), distance, cube)


@pytest.mark.few("keys")
@pytest.mark.parametrize("route", ["keys", "rows", "patterns", "tallies"])
def test_every_route_takes_more_categories_than_a_byte_holds(route):
    """200 categories: codes of 16 bits."""
    table = seeded(24, 150, 2, range(200), missing=0.1)
    data = read(table, "int16")
    assert data.rows.codes.dtype == np.int16
    for name in ("nominal", "ordinal", "linear"):
        distance, exact, _ = DISTANCES[name]
        assert_cells(forced(read(table, "int16"), route), distance, table.cube(exact), PUBLISHED)


@pytest.mark.parametrize("route", ["rows", "patterns"])
def test_every_route_takes_more_categories_than_two_bytes_hold(route):
    """34,000 categories: codes of 32 bits, no table of sizes and categories is too large."""
    rng = np.random.default_rng(25)
    pool = np.sort(rng.integers(0, 2**40, 34_000))
    array = np.column_stack([pool, np.where(rng.random(len(pool)) < 0.5, pool, pool[::-1])])
    data = forced(af.Annotations.from_wide(array), route)
    assert data.rows.codes.dtype == np.int32
    differ = int((array[:, 0] != array[:, 1]).sum())
    counts = Counter(array.reshape(-1).tolist())
    n = array.size
    expected = Fraction(sum(c * (n - c) for c in counts.values()), n * (n - 1))
    result = af.alpha(data)
    assert result.observed_disagreement == pytest.approx(differ / len(array), rel=1e-12)
    assert close(result.expected_disagreement, expected)


@pytest.mark.parametrize("route", ["counts", "rows", "patterns", "tallies"])
def test_every_route_takes_items_that_nobody_judged(route):
    """Empty rows and columns change nothing but the number of items."""
    table = Table(((None, None, None), (0, 1, None), (1, 1, None), (None, None, None)))
    assert_cells(forced(read(table), route), "nominal", table.cube())
    empty = af.Annotations.from_wide([(None, None)] * 3, categories=["a", "b"])
    assert af.alpha(forced(empty, route)).undefined.startswith("no pairs:")


# ---------------------------------------------------------------- what cannot be taken


@pytest.mark.parametrize(
    ("route", "data"),
    [
        ("keys", af.Annotations.from_wide([("a", "b"), ("b", "b")])),
        ("keys", af.Annotations.from_long([1, 1], [1, 2], [1, 2])),
        ("counts", af.Annotations.from_counts([[2, 1], [0, 3]])),
        ("counts", af.Annotations.from_wide([[i, i] for i in range(200)])),
        ("counts", af.Annotations.from_wide([[i, i] for i in range(33)])),
    ],
    ids=["words", "judgments", "repeats", "wide codes", "66 bits"],
)
def test_a_route_that_cannot_be_taken_gives_no_rows(route, data):
    """It is that route or none, never another one."""
    if route == "keys":
        assert data.known_patterns is None
    else:
        assert group_counts(data.rows, len(data.labels)) is None


def test_rows_of_counts_that_rarely_repeat_are_not_grouped(monkeypatch):
    """A hash table that fills up is given up for a larger one, and the last for the rows."""
    table = seeded(26, 64, 6, range(6), missing=0)
    monkeypatch.setattr("agreement_fast.reading.kept_moments.SLOTS", (8,))
    assert group_counts(read(table).rows, 6) is None
    monkeypatch.setattr("agreement_fast.distances.sums.rows.FEW", 1)
    data = wide(table)
    assert choose(data) is data.rows
    monkeypatch.setattr("agreement_fast.reading.kept_moments.SLOTS", (8, 1 << 8))
    grouped = group_counts(wide(table).rows, 6)
    assert grouped.weights.sum() == 64
    assert choose(data).repeats is not None


def test_the_shape_of_the_data_chooses_the_route():
    """Keys that came for free, else counts of many rows, else the rows."""
    few, many = seeded(27, 50, 3, range(3)), seeded(28, FEW, 3, range(3))
    data = read(few)
    assert choose(data) is data.known_patterns
    assert choose(data).weights.sum() == 50
    data = wide(few)
    assert choose(data) is data.rows
    data = wide(many)
    assert choose(data).n_rows < 64
    assert choose(data).weights.sum() == FEW
    assert sum(sums_of(data).items_by_size.values()) == FEW


def test_the_work_chooses_between_rows_and_counts_and_between_listed_and_all_pairs():
    """Long rows of few labels are counted; a pair of all costs a twentieth of a listed one."""
    for n_coders in (WIDEST, WIDEST + 1):
        counted = isinstance(summed(wide(seeded(29, 40, n_coders, range(3)))), CountTable)
        assert counted == (n_coders > WIDEST)
    most = 100 * 40**2 // AT_ONCE
    for form in (Matrix(np.ones((40, 40))), Absolute(np.arange(40.0)[:, None])):
        assert [are_dense(form, 100, n, 40) for n in (most, most + 1)] == [False, True]
    for form in (Nominal(40), Squared(np.arange(40.0)[:, None])):
        assert not are_dense(form, 100, 100 * 40**2, 40)
    many = Absolute(np.arange(MATRIX_LABELS + 1.0)[:, None])
    assert not are_dense(many, 1, many.values.size**2, many.values.size)


def test_patterns_are_the_distinct_rows():
    """Grouping by keys, by hashing and by hand give the same rows and weights."""
    table = seeded(29, 500, 4, range(3), missing=0.2)
    by_hand = Counter(tuple(MISSING if x is None else x for x in row) for row in table.rows)
    for route in ("keys", "patterns"):
        rows = rows_by(read(table), route)
        result = dict(zip(map(tuple, rows.table().tolist()), rows.weights.tolist(), strict=True))
        assert result == by_hand


@pytest.mark.few
@pytest.mark.parametrize("order", ["F", "C"])
@pytest.mark.parametrize(
    ("n_rows", "width", "states", "low"),
    [
        (4096, 2, 2, 0),  # two rows' keys are counted together, in two tables
        (200_001, 2, 5, -1),  # more rows than 16 bits count
        (131_071, 2, 11, 3),  # in one table
        (131_073, 2, 12, -128),  # too many keys for two rows together
        (5001, 3, 4, -1),
        (4099, 7, 2, 126),
        (4098, 5, 6, -1),
    ],
)
def test_keys_are_counted_however_few_there_are(n_rows, width, states, low, order):
    rng = np.random.default_rng(n_rows)
    table = rng.choice(states, (n_rows, width), p=rng.dirichlet(np.ones(states))) + low
    table[0], table[-1] = low, low + states - 1
    table = np.asarray(table, np.int8, order=order)
    digits, weights = key_histogram(table, None, low, states)
    result = dict(zip(map(tuple, (digits + low).tolist()), weights.tolist(), strict=True))
    assert result == Counter(map(tuple, table.tolist()))


@pytest.mark.parametrize(
    ("n_coders", "n_categories", "fits"),
    [
        *[(1, 64, True), (1, 65, False), (7, 21, True), (7, 22, False), (15, 16, True)],
        *[(15, 17, False), (16, 12, True), (16, 13, False), (31, 12, True), (31, 13, False)],
    ],
)
def test_counts_are_packed_while_a_word_holds_them(n_coders, n_categories, fits):
    """Every coder may say the last category, whose count takes the word's last bits."""
    table = np.repeat(np.arange(n_categories, dtype=np.int8)[:, None], n_coders, axis=1)
    result = group_counts(as_table(table, None), n_categories)
    assert (result is not None) == fits
    if result is not None:
        counts = result.repeats.reshape(-1, n_categories)
        assert sorted(counts.argmax(1).tolist()) == list(range(n_categories))
        assert (counts.max(1) == n_coders).all()
        assert (counts.sum(1) == n_coders).all()


def test_grouped_counts_are_the_distinct_rows_of_counts():
    """The counts route packs and unpacks what the agreement table shows."""
    table = seeded(30, 500, 5, range(4), missing=0.2, heaviest=3)
    by_hand = Counter()
    for row, weight in zip(table.counts, table.weights, strict=True):
        by_hand[tuple(row)] += weight
    rows = rows_by(read(table), "counts")
    result = dict(
        zip(map(tuple, rows.repeats.reshape(-1, 4).tolist()), rows.weights.tolist(), strict=True)
    )
    assert result == dict(by_hand)


# ---------------------------------------------------------------- arrays of any kind


@pytest.mark.few
@pytest.mark.parametrize(
    "layout", ["C", "Fortran", "strided", "reversed", "rows of Fortran", "read-only"]
)
@pytest.mark.parametrize(
    "dtype",
    ["int8", "int16", "int32", "int64", "uint8", "uint64", "float32", "float64", "bool", ">i4"],
)
def test_every_route_reads_arrays_of_any_type_and_layout(dtype, layout):
    """Types and strides change how a table is read, never what it says."""
    kind = np.dtype(dtype).kind
    table = seeded(31, 61, 4, range(2 if kind == "b" else 5), missing=0 if kind == "b" else 0.2)
    gap = np.nan if kind == "f" else 7
    plain = np.array([[gap if x is None else x for x in row] for row in table.rows])
    array = laid_out(plain.astype(dtype), layout)
    before = array.copy()
    cubes = {name: table.cube(DISTANCES[name][1]) for name in ("nominal", "ordinal")}
    for name, cube in cubes.items():
        for route in ROUTES:
            data = af.Annotations.from_wide(array, missing=None if kind in "fb" else 7)
            if route != "counts" or data.categories:
                assert_cells(forced(data, route), name, cube, PUBLISHED)
        if kind in "fb":  # without Annotations, nothing is copied
            assert_cells(array, name, cube, PUBLISHED)
    np.testing.assert_array_equal(array, before)


@pytest.mark.parametrize("low", [-128, -3, 100, 32_000, -(2**31), 2**31 - 5])
@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64"])
def test_keys_start_at_the_smallest_label(dtype, low):
    """Labels far from zero and below it have keys as small as others."""
    info = np.iinfo(dtype)
    low = min(max(low, info.min), info.max - 4)
    table = seeded(32, 40, 3, range(low, low + 5), missing=0)
    data = forced(af.Annotations.from_wide(np.array(table.rows, dtype)), "keys")
    for name in ("nominal", "interval", "linear"):
        distance, exact, _ = DISTANCES[name]
        assert_cells(data, distance, table.cube(exact), PUBLISHED)


# ---------------------------------------------------------------- forms of a distance


@pytest.mark.parametrize("name", FORMS)
def test_a_distance_takes_the_form_that_fits_the_number_of_categories(monkeypatch, name):
    """The forms that the tests above mean to force are those that they force."""
    distance = distances.resolve(ASKED[name][0])
    labels, marginals = (0, 1, 2, 3), np.ones(4)
    few, many = FORMS[name]
    assert type(distance.bind(labels, False, marginals)).__name__ == few
    monkeypatch.setattr("agreement_fast.distances.forms.BLOCK", 4)
    monkeypatch.setattr("agreement_fast.distances.named.BLOCK", 4)
    assert type(distance.bind(labels, False, marginals)).__name__ == many


@pytest.mark.parametrize("many", [0, 1 << 20])
@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval", "linear", "ratio"])
def test_many_categories_change_nothing(monkeypatch, name, many):
    """Sums without a table of sizes and categories."""
    monkeypatch.setattr("agreement_fast.distances.sums.categories.MANY", many)
    distance, exact, _ = DISTANCES[name]
    table = seeded(33, 40, 4, range(5), missing=0.3, heaviest=None)
    table = Table(table.rows, tuple(1 + i % 5 for i in range(40)))
    cube = table.cube(exact)
    for route in nonempty(ROUTES):
        data = forced(read(table), route)
        assert (data.memo["sums", 1]._by_size is None) == (many == 0)
        assert_cells(data, distance, cube)


@pytest.mark.parametrize("room", [1, 7, 1 << 20])
def test_pairs_of_labels_are_listed_as_many_at_a_time_as_fit(monkeypatch, room):
    """The first item's pairs and the last one's, also if one item has more than fit."""
    monkeypatch.setattr("agreement_fast.distances.forms.BLOCK", 4)
    monkeypatch.setattr("agreement_fast.distances.named.BLOCK", 4)
    monkeypatch.setattr("agreement_fast.distances.sums.rows.PAIRS", room)
    distance, exact = ASKED["function"]
    rows = seeded(35, 20, 4, range(1, 9), missing=0.2).rows
    table = Table(((1, 5, 8, 2), *rows, (7, 3, 1, 8)))
    cube = table.cube(exact)
    for route in nonempty(ROUTES):
        try:
            data = forced(read(table), route)
        except ValueError:
            continue
        assert_cells(data, distance, cube, PUBLISHED)


@pytest.mark.parametrize("name", ["nominal", "interval", "linear", "ratio"])
def test_rows_of_more_than_16_labels_change_nothing(name):
    """Long rows of many labels: sums of squares instead of pairs."""
    distance, exact, _ = DISTANCES[name]
    table = seeded(34, 12, 24, [n / 4 for n in range(60)], missing=0.1)
    cube = table.cube(exact)
    for route in ("rows", "patterns"):
        assert_cells(forced(wide(table), route), distance, cube, PUBLISHED)


def halves(rows, offset=0):
    """A table of numbers that are not all whole, so that nobody counts them unasked."""
    return Table(((offset + 0.5, offset + 1.25, *[None] * (len(rows[0]) - 2)), *rows))


@st.composite
def decimals(draw):
    """Tables of floats with gaps, small or around 1e9, and weights sometimes."""
    n_coders = draw(st.integers(2, 5))
    offset = draw(st.sampled_from([0, 1_000_000_000]))
    number = st.integers(-40, 40).map(lambda n: offset + n / 10)
    row = st.lists(st.one_of(number, st.none()), min_size=n_coders, max_size=n_coders).map(tuple)
    table = halves(draw(st.lists(row, min_size=1, max_size=9)), offset)
    weights = None
    if draw(st.booleans()):
        n = len(table.rows)
        weights = tuple(draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)))
    return Table(table.rows, weights)


MOMENTS = [cell for cell in CELLS if cell[0] in ("pooled", "pooled_unbiased", "individual")]


def assert_uncounted(table, layout="C"):
    """Compare interval from sums of squares with the reference, then count and compare again."""
    array = laid_out(array_of(table, "float64"), layout)
    data = af.Annotations.from_wide(array, weights=table.weights, coders=table.coders)
    assert data.uncounted
    cube = table.cube(reference.interval)
    assert_cells(data, "interval", cube, MOMENTS)
    assert data.n_judgments == sum(
        w * len(item) for w, item in zip(table.frequencies, table.items, strict=True)
    )
    assert data.uncounted
    assert ("sums", 1) not in data.memo
    assert_cells(data, "interval", cube)
    assert not data.uncounted


@pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")
@pytest.mark.parametrize("pieces", [False, True])
@pytest.mark.parametrize("layout", ["C", "Fortran", "strided"])
@FEWER
@given(table=decimals())
def test_numbers_that_nobody_counted_give_every_cell(layout, pieces, table):
    """Interval from sums of squares; what asks for categories counts them after all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agreement_fast.reading.labels.FEW", 0)
        if pieces:
            in_small_pieces(patch)
        assert_uncounted(table, layout)


@pytest.mark.parametrize(
    "table",
    [
        halves([(0.1, 0.1, 0.1), (None, None, 0.1), (0.1, 0.1, 0.1)]),
        halves([(0.1, 0.1, 0.1), (1e9, None, None), (0.2, 0.1, 0.1)]),
        Table(((0.5, 1.25), (0.1, 0.1), (1e9 + 0.3, 1e9 + 0.3)), (1, 2, 0)),
        Table(((1e9 + 0.3, None), (0.5, 1.25), (0.25, 1.25))),
        Table(((1e9 + 0.3, None), (0.1, 0.1), (0.1, 0.1))),
    ],
    ids=["constant where complete", "far", "weight 0", "alone", "constant where pairable"],
)
def test_numbers_that_do_not_count_cost_no_digits(monkeypatch, table):
    """What `incomplete` or a weight of 0 leaves out may lie far from the rest."""
    monkeypatch.setattr("agreement_fast.reading.labels.FEW", 0)
    assert_uncounted(table)


@pytest.mark.parametrize("route", ["rows", "patterns"])
def test_numbers_that_nobody_counted_take_every_route_once_counted(monkeypatch, route):
    """The codes that are made afterwards are those of any table."""
    monkeypatch.setattr("agreement_fast.reading.labels.FEW", 0)
    table = halves(seeded(35, 30, 4, [n / 8 for n in range(9)]).rows)
    for name in ("nominal", "ordinal", "linear", "ratio"):
        distance, exact, _ = DISTANCES[name]
        data = af.Annotations.from_wide(array_of(table, "float32"))
        assert data.uncounted
        assert_cells(forced(data, route), distance, table.cube(exact))


def test_uncounted_numbers_may_name_missing_ones(monkeypatch):
    """`missing` is obeyed before anything is summed; infinite values are refused by name."""
    monkeypatch.setattr("agreement_fast.reading.labels.FEW", 0)
    table = halves([(0.5, 2.5), (2.5, None), (1.5, 0.5)])
    array = array_of(table, "float64")
    array[np.isnan(array)] = -99.5
    data = af.Annotations.from_wide(array, missing=[-99.5])
    assert data.uncounted
    assert_cells(data, "interval", table.cube(reference.interval), MOMENTS)
    assert data.missing_judgments == 1
    array[0, 0] = np.inf
    with pytest.raises(ValueError, match=r"interval.*finite"):
        af.alpha(af.Annotations.from_wide(array), "interval")


def test_arguments_of_a_distance_by_name_may_be_negative():
    """A hyphen in a name is an underscore, before a number it is a sign."""
    table = Table(((-1, 1), (0, 0.5), (0.5, 0.5), (-0.25, -1)))
    result = af.agreement(wide(table), "alpha", distance="bipolar:-1:1.5")
    cell = table.cube(reference.bipolar(-1, 1.5)).named("alpha")
    assert close(result.value, cell.value)
    assert af.distances.resolve("circular:5e-1").name == "circular:0.5"
    assert af.distances.resolve("Rank-Linear") is distances.rank_linear
