"""Every cell of the cube against rational arithmetic, on random tables.

A cell is a distance, a chance model, an item weight and a way with incomplete items. D_o and D_e
must each agree within 1e-12 of themselves (so a zero is exactly zero), the value within 1e-12 of
the larger of itself and D_o / D_e; or both are undefined for the same reason.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import reference
import strategies
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import Table, seeded, symmetric, tables

import agreement_fast as af

TOLERANCE = Fraction(1, 10**12)
CELLS = list(
    itertools.product(reference.CHANCES, reference.ITEM_WEIGHTS, reference.INCOMPLETE),
)

# name: (how the package is asked for it, the reference, the labels that it takes)
DISTANCES = {
    "nominal": ("nominal", reference.nominal, "words"),
    "ordinal": ("ordinal", reference.ordinal, "scale"),
    "interval": ("interval", reference.interval, "scale"),
    "quadratic": ("quadratic", reference.interval, "integers"),
    "linear": ("linear", reference.linear, "scale"),
    "rank_linear": ("rank_linear", reference.rank_linear, "scale"),
    "rank_quadratic": ("rank_quadratic", reference.rank_quadratic, "scale"),
    "ratio": ("ratio", reference.ratio, "scale"),
    "circular": ("circular:24", reference.circular(24), "scale"),
    "bipolar": ("bipolar:0:24", reference.bipolar(0, 24), "scale"),
}


def close(result, exact, scale=None):
    """Say whether a float is within the tolerance of an exact number."""
    bound = TOLERANCE * (abs(exact) if scale is None else scale)
    return math.isfinite(result) and abs(Fraction(result) - exact) <= bound


def assert_same(result, cell):
    """Compare one result of the package with one cell of the reference."""
    assert result.n_items == cell.n_items, result
    if cell.undefined == "no pairs":
        assert math.isnan(result.observed_disagreement), result
    else:
        observed, expected = result.observed_disagreement, result.expected_disagreement
        assert close(observed, cell.observed), (observed, float(cell.observed), result)
        assert close(expected, cell.expected), (expected, float(cell.expected), result)
    if cell.undefined is None:
        assert result.undefined is None, result
        scale = max(abs(cell.value), cell.observed / cell.expected)
        assert close(result.value, cell.value, scale), (result.value, float(cell.value), result)
    else:
        assert math.isnan(result.value), result
        assert result.undefined.startswith(f"{cell.undefined}:"), result


def assert_cells(data, distance, cube, cells=CELLS):
    """Compare the package on some data with the reference's cube, cell by cell."""
    for chance, item_weight, incomplete in cells:
        result = af.agreement(
            data,
            chance=chance,
            item_weight=item_weight,
            distance=distance,
            incomplete=incomplete,
        )
        cell = cube.cell(chance, item_weight, incomplete)
        assert (result.chance, result.item_weight) == (chance, item_weight)
        assert_same(result, cell)


def wide(table):
    """Give a table to the package as rows of labels."""
    return af.Annotations.from_wide(
        table.rows,
        categories=table.categories,
        coders=table.coders,
        weights=table.weights,
    )


def long(table, *, gaps):
    """Give a table to the package judgment by judgment; with or without the missing ones."""
    triples = [
        (i, c, label, weight)
        for i, (row, weight) in enumerate(zip(table.rows, table.frequencies, strict=True))
        for c, label in enumerate(row)
        if gaps or label is not None
    ]
    items, coders, labels, weights = ([t[part] for t in triples] for part in range(4))
    return af.Annotations.from_long(
        items,
        coders,
        labels,
        categories=table.categories,
        weights=None if table.weights is None else weights,
    )


# ---------------------------------------------------------------- the reference itself


def test_the_reference_gives_the_published_values_for_missing_judgments():
    """Guard the oracle: correctness.md's table of three coders with missing judgments."""
    items = reference.from_rows([("a", "a", "b"), ("a", None, "a"), ("b", "b", None), ("b",)])
    cube = reference.Cube(items)
    assert cube.named("pi").observed == Fraction(2, 9)
    assert cube.named("pi").value == Fraction(19, 35)
    assert cube.named("kappa").value == Fraction(5, 9)
    assert cube.named("alpha").value == Fraction(1, 2)
    assert cube.cell("pooled_unbiased", "items").value == Fraction(11, 18)


@pytest.mark.parametrize("part", [1, 2, 3, 5, 7, 11, 12, 13, 23, 24, 25])
def test_the_reference_squares_sines_as_libm_does(part):
    """Guard the oracle: its series for the circular distance agrees with math.sin."""
    exact = reference.squared_sine(Fraction(part, 24))
    assert float(exact) == pytest.approx(math.sin(math.pi * part / 24) ** 2, rel=1e-14)


# ---------------------------------------------------------------- small tables, every cell


@pytest.mark.few("nominal", "ordinal", "interval", "linear", "ratio")
@pytest.mark.parametrize("name", DISTANCES)
@given(data=st.data())
def test_every_cell_from_wide(name, data):
    """All chance models, item weights and ways with incomplete items, for each distance."""
    distance, exact, labels = DISTANCES[name]
    table = data.draw(tables(labels))
    assert_cells(wide(table), distance, table.cube(exact))


@pytest.mark.few("interval", "linear")
@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval", "linear"])
@given(data=st.data())
def test_every_cell_of_measurements(name, data):
    """Floats that binary does not hold exactly, small differences at large offsets."""
    distance, exact, _ = DISTANCES[name]
    table = data.draw(tables("measurements"))
    assert_cells(wide(table), distance, table.cube(exact))


@pytest.mark.few("rank_linear")
@pytest.mark.parametrize("name", ["ordinal", "rank_linear", "rank_quadratic"])
@given(table=tables("words", declared=True))
def test_every_cell_of_words_in_declared_order(name, table):
    """Distances by rank take text in the order that was declared, unused categories included."""
    distance, exact, _ = DISTANCES[name]
    assert_cells(wide(table), distance, table.cube(exact))


@given(table=tables("mixed"))
def test_every_cell_of_labels_that_do_not_sort(table):
    """Text and numbers in one table are categories like any others."""
    assert_cells(wide(table), "nominal", table.cube())


@given(table=tables("words"), seed=st.integers(0, 2**32))
def test_every_cell_of_a_distance_matrix(table, seed):
    """A matrix of distances over the categories, zeros between different ones included."""
    assume(table.order)
    rows = symmetric(seed, len(table.order))
    distance = af.distances.matrix(rows, categories=table.order)
    assert_cells(wide(table), distance, table.cube(reference.matrix(rows)))


@given(table=tables("integers"))
def test_every_cell_of_a_python_function(table):
    """Any function of two labels is a distance."""

    def distance(a, b):
        return abs(a - b) / (1 + abs(a - b))

    assert_cells(wide(table), distance, table.cube(reference.of(distance)))


def filled(table):
    """The same table with its first category, or 0, wherever a judgment is missing."""
    first = table.order[0] if table.order else 0
    rows = tuple(tuple(first if label is None else label for label in row) for row in table.rows)
    return Table(rows, table.weights, table.categories)


@pytest.mark.few("int8", "float64", "masked")
@pytest.mark.parametrize("dtype", ["int8", "int64", "float64", "object", "str", "masked"])
@given(data=st.data())
def test_every_cell_from_arrays(dtype, data):
    """Arrays of each kind, read without a Python object a judgment, are the rows they hold."""
    table = data.draw(tables("words" if dtype == "str" else "integers"))
    if dtype in ("int8", "int64", "str"):
        table = filled(table)
    if dtype == "float64":
        array = np.array(table.rows, dtype=float)
    elif dtype == "masked":
        gaps = [[label is None for label in row] for row in table.rows]
        array = np.ma.masked_array(filled(table).rows, gaps)
    else:
        array = np.array(table.rows, dtype=dtype)
    annotations = af.Annotations.from_wide(
        array, categories=table.categories, coders=table.coders, weights=table.weights
    )
    name = "nominal" if dtype == "str" else data.draw(st.sampled_from(["nominal", "interval"]))
    distance, exact, _ = DISTANCES[name]
    assert_cells(annotations, distance, table.cube(exact))


@given(
    counts=st.lists(st.lists(st.integers(0, 40), min_size=3, max_size=3), min_size=3, max_size=3)
)
def test_every_cell_from_contingency(counts):
    """A table of counts is two coders' judgments, rows the first coder's."""
    labels = ["a", "b", "c"]
    items, weights = reference.from_contingency(counts, labels)
    annotations = af.Annotations.from_contingency(counts, categories=labels)
    for name in ("nominal", "ordinal", "rank_linear"):
        distance, exact, _ = DISTANCES[name]
        cube = reference.Cube(items, exact, weights=weights, coders=[1, 2], categories=labels)
        assert_cells(annotations, distance, cube)


@pytest.mark.parametrize("gaps", [True, False])
@given(table=tables("words"))
def test_every_cell_from_long(gaps, table):
    """Judgments one by one give the same cells as rows, missing ones listed or left out."""
    if not gaps:
        judged = {c for row in table.rows for c, label in enumerate(row) if label is not None}
        assume(len(judged) == table.n_coders)
    assert_cells(long(table, gaps=gaps), "nominal", table.cube())


@pytest.mark.parametrize("name", ["nominal", "interval", "linear"])
@given(data=st.data())
def test_every_cell_from_counts(name, data):
    """An agreement table n_ik is enough for all that does not ask who judged."""
    distance, exact, labels = DISTANCES[name]
    table = data.draw(tables(labels))
    assume(table.order)
    annotations = af.Annotations.from_counts(
        table.counts, categories=table.order, weights=table.weights
    )
    cells = [cell for cell in CELLS if cell[0] != "individual" and cell[2] != "complete"]
    assert_cells(annotations, distance, table.cube(exact), cells)


@pytest.mark.few("nominal", "ordinal")
@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval", "linear"])
@given(data=st.data())
def test_every_cell_of_repeated_rows_instead_of_weights(name, data):
    """A weight of three is three equal rows, a weight of zero none."""
    distance, exact, labels = DISTANCES[name]
    table = data.draw(tables(labels, weighted=True, declared=True))
    assume(any(table.weights))
    assert_cells(wide(table.expanded()), distance, table.cube(exact))


@pytest.mark.few("nominal", "interval")
@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval", "linear"])
@given(data=st.data())
def test_every_cell_under_weights_up_to_1e15(name, data):
    """Frequencies far beyond 32 bits, and sums of their products beyond 64, lose nothing."""
    distance, exact, labels = DISTANCES[name]
    table = data.draw(tables(labels, weighted=True, heaviest=10**15))
    assert_cells(wide(table), distance, table.cube(exact))


# ---------------------------------------------------------------- two coders, any weights


def as_matrix_of(rows, categories):
    """The entry of a matrix for two labels."""
    return lambda a, b: Fraction(rows[categories.index(a)][categories.index(b)])


@pytest.mark.parametrize("incomplete", reference.INCOMPLETE)
@given(table=tables("words", most_coders=2), data=st.data())
def test_weighted_kappa_of_two_coders_takes_any_weights(incomplete, table, data):
    """Cohen 1968: weights may be asymmetric and their diagonal may differ from zero."""
    k = len(table.order)
    row = st.lists(st.sampled_from([0, 1, 1, 2, 3.5]), min_size=k, max_size=k)
    rows = data.draw(st.lists(row, min_size=k, max_size=k))
    assume(any(rows[j][j] != 1 for j in range(k)))  # 1 on the diagonal: weights of agreement
    result = af.weighted_kappa(
        wide(table),
        af.distances.matrix(rows, categories=table.order),
        incomplete=incomplete,
    )
    cell = reference.weighted_kappa(
        table.items,
        0,
        1,
        as_matrix_of(rows, table.order),
        weights=list(table.frequencies),
        incomplete=incomplete,
    )
    assert_same(result, cell)


@given(table=tables("words", most_coders=2), seed=st.integers(0, 2**32))
def test_weighted_kappa_of_symmetric_weights_is_beta(table, seed):
    """With a distance both definitions of two coders' weighted kappa are one."""
    assume(table.order)
    rows = symmetric(seed, len(table.order))
    distance = af.distances.matrix(rows, categories=table.order)
    cell = table.cube(reference.matrix(rows)).named("beta")
    assert_same(af.weighted_kappa(wide(table), distance), cell)
    assert_same(af.beta(wide(table), distance), cell)


# ---------------------------------------------------------------- larger tables, other routes


def assert_larger(table, names, cells=CELLS):
    """Compare a larger table from rows and from judgments, for several distances."""
    from_rows, from_judgments = wide(table), long(table, gaps=True)
    for name in names:
        distance, exact, _ = DISTANCES[name]
        cube = table.cube(exact)
        assert_cells(from_rows, distance, cube, cells)
        assert_cells(from_judgments, distance, cube, cells)


@pytest.mark.few("nominal", "circular")
@pytest.mark.parametrize("name", ["nominal", "ordinal", "interval", "linear", "ratio", "circular"])
def test_every_cell_of_3000_items_by_5_coders(name):
    """Many items of few coders: rows repeat, so they are counted as patterns."""
    assert_larger(seeded(1, 3000, 5, range(1, 6), missing=0.1), [name])


def test_every_cell_of_complete_rows():
    """No judgment missing: a million crowd items look like this."""
    assert_larger(seeded(2, 2000, 3, range(4), missing=0), ["nominal", "interval", "linear"])


@pytest.mark.few("int8", "float32", "nominal")
@pytest.mark.parametrize("name", ["nominal", "ordinal", "linear"])
@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_every_cell_of_300000_rows(name, dtype):
    """Enough rows for several threads and for the histogram of patterns, with missing ones."""
    rng = np.random.default_rng(10)
    truth = rng.integers(0, 5, size=(300_000, 1))
    array = np.where(rng.random((300_000, 4)) < 0.6, truth, rng.integers(0, 5, (300_000, 4)))
    gaps = rng.random(array.shape) < (0.1 if dtype == "float32" else 0)
    patterns, times = np.unique(np.where(gaps, -1, array), axis=0, return_counts=True)
    rows = [tuple(None if label < 0 else label for label in row) for row in patterns.tolist()]
    table = Table(tuple(rows), tuple(times.tolist()))
    array = array.astype(dtype)
    if dtype == "float32":
        array[gaps] = np.nan
    distance, exact, _ = DISTANCES[name]
    assert_cells(af.Annotations.from_wide(array), distance, table.cube(exact))


@pytest.mark.few("interval")
@pytest.mark.parametrize("name", ["nominal", "interval", "bipolar"])
def test_every_cell_of_25_coders_by_200_items(name):
    """Many coders: few rows repeat."""
    assert_larger(seeded(3, 200, 25, [0, 1, 2, 3.5, 24], missing=0.1), [name])


@pytest.mark.parametrize("name", ["nominal", "ordinal", "linear"])
def test_every_cell_of_30_coders_with_weights(name):
    """More coders than bits in a machine word's half, items with frequencies."""
    table = seeded(4, 40, 30, range(1, 8), missing=0.3, heaviest=5)
    assert_larger(table, [name])


@pytest.mark.breadth
@pytest.mark.parametrize(
    "name", ["nominal", "ordinal", "interval", "rank_linear", "rank_quadratic"]
)
def test_every_cell_of_258_categories(name):
    """More categories than a byte holds, most of them used once or never."""
    table = seeded(5, 25, 6, range(-129, 129), missing=0.2, declared=True)
    assert_larger(table, [name])


@pytest.mark.few("127", "128", "256")
@pytest.mark.parametrize("k", [127, 128, 129, 255, 256, 257])
def test_every_cell_of_as_many_categories_as_codes_of_a_width(k):
    """Around the sizes at which one more category needs a wider code."""
    labels = [f"c{n:03d}" for n in range(k)]
    rows = [(label, labels[n - 1], None) for n, label in enumerate(labels)]
    rows += [(label, label, label) for label in labels[::7]]
    cells = [cell for cell in CELLS if cell[2] == "published"]
    assert_cells(wide(Table(tuple(rows))), "nominal", Table(tuple(rows)).cube(), cells)


@pytest.mark.few("nominal")
@pytest.mark.parametrize("name", ["nominal", "interval", "linear"])
def test_every_cell_of_many_coders_who_judge_little(name):
    """A crowd: 300 coders, three judgments an item, so a row is a short list."""
    dense = seeded(6, 400, 3, range(5), missing=0.1)
    rows = []
    for i, row in enumerate(dense.rows):
        sparse = [None] * 300
        for place, label in enumerate(row):
            sparse[(7 * i + 101 * place + i * i) % 300] = label
        rows.append(tuple(sparse))
    table = Table(tuple(rows))
    distance, exact, _ = DISTANCES[name]
    cube = table.cube(exact)
    assert_cells(long(table, gaps=False), distance, cube)
    assert_cells(wide(table), distance, cube)


@pytest.mark.few("interval", "ordinal")
@pytest.mark.parametrize("name", ["interval", "linear", "ordinal", "circular"])
def test_every_cell_of_items_with_many_different_labels(name):
    """30 coders with few equal rows: sums of squares replace the pairs of an item."""
    labels = [1.7e9 + n * 0.37 for n in range(70)]
    table = seeded(11, 8, 30, labels, missing=0.1, heaviest=3)
    far = ((0.1, *[1.7e9 + 0.001 * n for n in range(29)]), tuple(0.01 * n for n in range(30)))
    table = Table(table.rows + far, (*table.weights, 1, 5))
    distance, exact, _ = DISTANCES[name]
    cells = [cell for cell in CELLS if cell[2] != "pairable"]
    assert_cells(wide(table), distance, table.cube(exact), cells)


@pytest.mark.parametrize("name", ["nominal", "interval", "linear"])
def test_counts_of_many_judgments_lose_no_digits(name):
    """A lone far judgment among 2e13 close ones, as an agreement table: sums by the formula."""
    labels = [0, *range(10**9, 10**9 + 20)]
    counts = [1] + [10**12] * 20
    distance, exact, _ = DISTANCES[name]
    d = exact(labels, None)
    n = sum(counts)
    apart = sum(
        counts[j] * counts[k] * d(labels[j], labels[k]) for j in range(21) for k in range(21)
    )
    data = af.Annotations.from_counts([counts], categories=labels)
    result = af.alpha(data, distance)
    assert close(result.observed_disagreement, Fraction(apart) / (n * (n - 1)))
    assert close(result.expected_disagreement, Fraction(apart) / (n * (n - 1)))
    assert result.n_judgments == n


def test_every_cell_of_distinct_measurements():
    """Every judgment is a category of its own: only sums of squares and sorting are fast here."""
    table = seeded(7, 60, 4, [n * 0.37 - 3 for n in range(200)], missing=0.1)
    assert_larger(table, ["interval", "linear", "ordinal", "nominal"])


def test_timestamps_lose_no_digits():
    """Milliseconds apart at 1.7e9 seconds: the offset must not cost accuracy."""
    rows = tuple((1.7e9 + n / 1000, 1.7e9 + n / 1000 + 0.001 * (n % 3)) for n in range(50))
    table = Table(rows)
    for name in ("interval", "linear"):
        distance, exact, _ = DISTANCES[name]
        assert_cells(wide(table), distance, table.cube(exact))


def test_close_judgments_of_far_items_lose_no_digits():
    """Items lie 1e9 apart, their judgments 0.001: no single centre serves them all."""
    rows = tuple((1e9 * n, 1e9 * n + 0.001 * (n + 1), 1e9 * n - 0.002) for n in range(20))
    table = Table(rows)
    for name in ("interval", "linear"):
        distance, exact, _ = DISTANCES[name]
        assert_cells(wide(table), distance, table.cube(exact))


def test_agreeing_decimals_disagree_by_exactly_nothing():
    """Three times 0.1 has no mean in binary; the observed disagreement is zero all the same."""
    table = Table(((0.1, 0.1, 0.1), (0.7, 0.7, 0.7), (1e6 + 0.3,) * 3))
    for name in ("nominal", "ordinal", "interval", "linear", "ratio", "circular"):
        distance, exact, _ = DISTANCES[name]
        assert_cells(wide(table), distance, table.cube(exact))


def test_nanoseconds_lose_no_digits():
    """Whole numbers beyond 2**53, as numpy counts time: their differences are small and exact."""
    start = 1_700_000_000_000_000_000
    table = Table(tuple((start + 1000 * n, start + 1000 * n + n % 5) for n in range(20)))
    for name in ("interval", "linear"):
        distance, exact, _ = DISTANCES[name]
        assert_cells(wide(table), distance, table.cube(exact))


def test_neighbours_across_midnight_are_as_close_as_any():
    """23.999 and 0 hours are 0.001 apart: a sine near pi must not cost digits."""
    table = Table(((0, 23.999), (0.001, 0), (24, 0.001), (48.001, 0.001)))
    _, exact, _ = DISTANCES["circular"]
    assert_cells(wide(table), "circular:24", table.cube(exact))


def test_thousands_of_directions_lose_no_digits():
    """Times of day to the millisecond: too many values for a matrix, and yet small differences."""
    rows = tuple((n * 43.2, n * 43.2 + 0.001 * (1 + n % 7)) for n in range(2000))
    table = Table(rows)
    result = af.agreement(wide(table), "alpha", distance="circular:86400")
    items = [(item, 1) for item in table.items]
    d = reference.circular(86400)(None, None)
    assert close(result.observed_disagreement, reference.observed_disagreement(items, "items", d))


RARE = Table(((0, 0, 0), (0, 24, 0), (1, 1, 1), (1, None, 0)), (10**15 - 3, 1, 7, 10**14))


@pytest.mark.parametrize("name", [*DISTANCES])
def test_one_deviation_in_1e15_items_keeps_all_its_digits(name):
    """Chance disagreement far below 1 must not be a difference of two numbers near 1."""
    distance, exact, _ = DISTANCES[name]
    assert_cells(wide(RARE), distance, RARE.cube(exact))


@pytest.fixture
def small_pieces(monkeypatch):
    """Make the package cut its work as it does for large data: blocks, chunks and threads."""
    monkeypatch.setattr("agreement_fast.distances.forms.BLOCK", 4)
    monkeypatch.setattr("agreement_fast.distances.named.BLOCK", 4)
    monkeypatch.setattr("agreement_fast.distances.sums.categories.CHUNK", 3)
    monkeypatch.setattr("agreement_fast.distances.sums.rows.PAIRS", 2)
    monkeypatch.setattr("agreement_fast._kernels.parallel.SMALL", 1)


@pytest.mark.few("nominal", "interval", "ordinal", "linear", "ratio")
@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("name", DISTANCES)
def test_every_cell_when_the_work_is_cut_into_pieces(name):
    """Matrices in blocks, rows in chunks, pairs in batches, several threads: the same cells."""
    distance, exact, labels = DISTANCES[name]
    pool = "abcdefg" if labels == "words" else [0, 0.25, 1, 3, 7.5, 20, 24]
    table = seeded(9, 50, 7, pool, missing=0.3, heaviest=4)
    assert_cells(wide(table), distance, table.cube(exact))
    assert_cells(long(table, gaps=True), distance, table.cube(exact))


def test_labels_a_whole_period_apart_are_the_same():
    """0 and 24 hours are one direction: no variation, though sin(pi) is not 0 in binary."""
    table = Table(((0, 24), (24, 48), (0, 0)))
    _, exact, _ = DISTANCES["circular"]
    assert_cells(wide(table), "circular:24", table.cube(exact))


def test_every_cell_of_the_weights_that_numpy_would_overflow():
    """Two items of 1e15: their judgment pairs exceed what 64 bits count."""
    table = Table((("a", "a", "b"), ("b", "b", "b"), ("a", "c", None)), (10**15, 10**15, 2**31))
    assert_cells(wide(table), "nominal", table.cube())
    cube = table.cube()
    assert wide(table).n_items == 2 * 10**15 + 2**31
    assert cube.named("alpha").n_items == 2 * 10**15 + 2**31


def test_counts_of_judgments_beyond_64_bits_are_right_or_refused():
    """5,000 items of 1e15 with two coders are 1e19 judgments: never a silent overflow."""
    rows = tuple(("ab"[n % 2], "ab"[n % 3 == 0]) for n in range(5000))
    table = Table(rows, (10**15,) * 5000)
    small = Table(rows, (10**6,) * 5000)
    try:
        annotations = wide(table)
        result = [af.agreement(annotations, name).value for name in ("pi", "kappa", "s", "ac")]
    except (ValueError, OverflowError):
        return
    exact = [small.cube().named(name).value for name in ("pi", "kappa", "s", "ac")]
    assert result == pytest.approx([float(value) for value in exact], rel=1e-12)
    assert annotations.n_judgments == 10**19


@pytest.mark.breadth
def test_random_tables_hold_what_they_should():
    """Guard the strategies: missing, single-judged and empty items do occur in what they draw."""
    seen = set()

    @examples(200)
    @given(table=tables("words"))
    def look(table):
        for item in table.items:
            seen.add(min(len(item), 3))
        seen.add("weights" if table.weights else "no weights")
        seen.add("declared" if table.categories else "not declared")
        if set(table.order) - set(table.used):
            seen.add("unused")

    look()
    assert seen >= {0, 1, 2, 3, "weights", "no weights", "declared", "not declared", "unused"}
    assert strategies.seeded(1, 3, 3, "ab") == strategies.seeded(1, 3, 3, "ab")


@pytest.mark.parametrize("name", ["s", "pi", "alpha", "ac", "kappa"])
@pytest.mark.parametrize("item_weight", ["items", "judgments"])
def test_a_name_and_an_item_weight_are_its_chance_model_and_that(name, item_weight):
    """What is asked for comes before what the name stands for."""
    data = wide(seeded(36, 20, 4, range(4), missing=0.3))
    result = af.agreement(data, name, item_weight=item_weight)
    chance = af.agreement(data, name).chance
    plain = af.agreement(data, chance=chance, item_weight=item_weight)
    assert result.item_weight == item_weight
    assert (result.value, result.observed_disagreement) == (
        plain.value,
        plain.observed_disagreement,
    )
    others = af.agreement(
        data, chance=chance, item_weight={"items": "judgments"}.get(item_weight, "items")
    )
    assert others.observed_disagreement != result.observed_disagreement
