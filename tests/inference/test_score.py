"""The interval of a coefficient: against its definition, and what must hold for any data."""

import math

import numpy as np
import pytest
import reference_score as plain
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import nonempty
from strategies import tables

import agreement_fast as af
from agreement_fast import agreement_by_group
from agreement_fast.inference import closed_form, coefficient_test, standard_error

N = None
#: Rows of judgments, with weights. The mean size of an item, weighted by its size, is whole.
TABLES = {
    "two coders": ([(0, 0), (0, 1), (1, 1), (2, 1), (2, 2), (0, 0)], [7, 2, 5, 1, 3, 4]),
    "three": ([(0, 0, 0), (0, 1, 0), (1, 1, 1), (2, 1, 2), (2, 2, 2)], [4, 2, 3, 1, 1]),
    "perfect": ([(0, 0), (1, 1)], [9, 6]),
    "rare": ([(0, 0), (0, 1)], [40, 2]),
    "worse than chance": ([(0, 1), (1, 0), (0, 0)], [4, 5, 1]),
    "unequal": (
        [(0, 0, N, N), (1, N, 1, N), (N, 2, N, 1), (N, N, 0, 0), (0, 0, 0, 1), (2, 2, 2, 2)],
        [1] * 6,
    ),
}  # fmt: skip
MATRIX = [[0, 1, 3], [1, 0, 1], [3, 1, 0]]
DISTANCES = {
    "nominal": ("nominal", plain.nominal),
    "ordinal": ("ordinal", "ordinal"),
    "matrix": (np.array(MATRIX, float), plain.matrix(MATRIX)),
}
#: Names under the nominal distance, under others, and in the reference.
NAMES = [
    ("alpha", "alpha"),
    ("pi", "alpha_prime"),
    ("kappa", "beta"),
    ("ac", "ac"),
    ("s", "brennan_prediger"),
]
#: Who judges an item of the prior is a matter of chance if coders judge unequally, for κ.
CASES = [
    (table, *names)
    for table in TABLES
    for names in NAMES
    if (table, names[0]) != ("unequal", "kappa")
]
#: D_e of AC and S uses the ranks of declared categories that nobody used.
OF_DISTANCES = [
    (distance, *case)
    for distance in DISTANCES
    for case in CASES
    if distance != "ordinal" or case[1] not in ("ac", "s")
]


def read(rows, weights, categories=(0, 1, 2)):
    return af.Annotations.from_wide(
        [row for row, n in zip(rows, weights, strict=True) for _ in range(n)],
        categories=categories,
        coders=[f"c{i}" for i in range(len(rows[0]))],
    )


def check(result, expected):
    assert result.value == pytest.approx(expected["value"], abs=1e-12)
    made = result.score
    for name in ("centre", "least", "freedom", "size"):
        assert getattr(made, name)[0] == pytest.approx(expected[name], rel=1e-8), name
    assert result.low == pytest.approx(expected["low"], abs=1e-10)
    assert result.high == pytest.approx(expected["high"], abs=1e-10)


@pytest.mark.few(every=4)
@pytest.mark.parametrize(("distance", "table", "name", "weighted"), OF_DISTANCES)
def test_it_is_that_of_the_definition(table, distance, name, weighted):
    """All items of the prior written out, in rational arithmetic."""
    rows, weights = TABLES[table]
    ours, theirs = DISTANCES[distance]
    data = read(rows, weights)
    result = standard_error(data, name if distance == "nominal" else weighted, distance=ours)
    expected = plain.interval(name, rows, weights, theirs, declared=[0, 1, 2])
    check(result, expected)


@pytest.mark.few(every=4)
@pytest.mark.parametrize(
    ("table", "name", "weighted"), [case for case in CASES if case[1:] in NAMES[:3]]
)
@pytest.mark.parametrize("counted", [True, False])
def test_numbers_have_a_prior_of_their_mean_and_range(table, name, weighted, counted):
    """Numbers that were counted into categories and those that were not have one interval."""
    rows, weights = TABLES[table]
    rows = [tuple(math.nan if k is None else (1.0, 2.0, 5.0)[k] for k in row) for row in rows]
    data = af.Annotations.from_wide(np.repeat(np.array(rows), weights, axis=0))
    if counted:
        assert len(data.categories) > 1
    result = standard_error(data, weighted, distance="interval")
    rows = [tuple(None if math.isnan(x) else x for x in row) for row in rows]
    check(result, plain.interval(name, rows, weights, plain.squared, numbers=True))


@pytest.mark.few("0.5")
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_other_levels_and_documents(level):
    rows, _ = TABLES["three"]
    rows = rows * 6
    documents = [i % 7 for i in range(len(rows))]
    data = af.Annotations.from_wide(rows)
    for name in nonempty(["alpha", "pi", "kappa"]):
        result = standard_error(data, name, cluster=documents, confidence_level=level)
        expected = plain.interval(
            name, rows, [1] * len(rows), plain.nominal, level=level, documents=documents
        )
        check(result, expected)


def test_declared_categories_that_nobody_used_change_nothing():
    rows, weights = TABLES["two coders"]
    few, many = (read(rows, weights, range(k)) for k in (3, 40))
    for distance in nonempty(["nominal", "ordinal", "interval"]):
        one, other = (standard_error(data, distance=distance) for data in (few, many))
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


@pytest.mark.parametrize(("name", "weighted"), NAMES)
def test_perfect_agreement_has_an_interval(name, weighted):
    result = standard_error([["x", "x"]] * 60 + [["y", "y"]] * 40, name)
    assert (result.value, result.high) == (1, 1)
    assert 0.85 < result.low < 0.95
    assert result.test(0.9, "greater").p_value < 0.1
    assert result.test(0.95).p_value > 0.05


@pytest.mark.parametrize("distance", ["circular:24", "ratio"])
def test_a_bound_takes_the_place_of_the_distances_of_many_categories(distance, monkeypatch):
    """The interval contains that of all pairs of categories, and is at most 2% wider."""
    rng = np.random.default_rng(1)
    guess = rng.random((40, 3)) < 0.4
    table = np.where(guess, rng.integers(0, 24, (40, 3)), rng.integers(0, 24, (40, 1)))
    every = standard_error(table, "alpha", distance=distance)
    for most in nonempty(["score.LISTED", "closed_form.CELLS"]):
        monkeypatch.setattr(f"agreement_fast.inference.{most}", 5)
    bound = standard_error(table, "alpha", distance=distance)
    assert bound.low < every.low < every.high < bound.high
    assert bound.high - bound.low == pytest.approx(every.high - every.low, rel=0.02)


def test_one_item_and_one_category_have_none():
    for rows in nonempty([[["x", "y"]], [["x", "x"]] * 5]):
        result = standard_error(af.Annotations.from_wide(rows, coders=["a", "b"]), "pi")
        assert math.isnan(result.low)
        assert math.isnan(result.high)
        assert math.isnan(result.test(0.5).p_value)


def test_a_scale_is_for_the_delta_method():
    with pytest.raises(ValueError, match="transform='atanh' is a scale of the delta method"):
        standard_error([["x", "x"], ["y", "x"]], transform="atanh")


ANY = (
    tables(weighted=False),
    st.sampled_from(["alpha", "pi", "kappa", "ac", "s"]),
    st.randoms(use_true_random=False),
)


def made(table, rows=None):
    return af.Annotations.from_wide(
        table.rows if rows is None else rows,
        coders=[f"c{i}" for i in range(table.n_coders)],
        categories=table.categories,
    )


@examples(80)
@given(*ANY)
def test_it_holds_the_value_and_stays_within_the_range(table, name, random):
    result = standard_error(made(table), name)
    assume(not math.isnan(result.low))
    assert result.low <= result.value <= result.high <= 1 + 1e-12
    assert result.low >= min(result.value, result.score.least[0]) - 1e-12
    assert result.low < result.high
    wider = standard_error(made(table), name, confidence_level=0.99)
    assert wider.low <= result.low
    assert result.high <= wider.high


@examples(60)
@given(*ANY)
def test_the_order_of_items_and_coders_does_not_matter(table, name, random):
    result = standard_error(made(table), name)
    rows = [list(row) for row in table.rows]
    random.shuffle(rows)
    order = list(range(table.n_coders))
    random.shuffle(order)
    moved = standard_error(made(table, [[row[c] for c in order] for row in rows]), name)
    for end in ("low", "high"):
        assert getattr(moved, end) == pytest.approx(getattr(result, end), abs=1e-9, nan_ok=True)


@examples(40)
@given(*ANY)
def test_a_group_of_all_items_has_the_interval(table, name, random):
    result = standard_error(made(table), name)
    (row,) = agreement_by_group(made(table), ["g"] * len(table.rows), [name])
    for end in ("low", "high"):
        assert getattr(row, end) == pytest.approx(getattr(result, end), abs=1e-9, nan_ok=True)


def test_frequencies_are_repeated_rows():
    cells = [[20, 3, 1], [2, 15, 0], [1, 0, 8]]
    table = af.Annotations.from_contingency(cells)
    rows = [[i, j] for i in range(3) for j in range(3) for _ in range(cells[i][j])]
    for name in nonempty(["alpha", "kappa", "ac"]):
        one, other = standard_error(table, name), standard_error(rows, name)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_the_test_inverts_the_interval():
    rows = [["x", "x"]] * 30 + [["x", "y"]] * 4 + [["y", "y"]] * 9
    for level in nonempty([0.8, 0.95]):
        result = standard_error(rows, confidence_level=level)
        for end in (result.low, result.high):
            p_value = coefficient_test(rows, null_value=end).p_value
            assert p_value == pytest.approx(1 - level, rel=1e-6)


@pytest.mark.parametrize("distance", ["nominal", "linear", "matrix", "ordinal"])
@pytest.mark.parametrize("names", NAMES, ids=[names[0] for names in NAMES])
def test_one_pass_over_a_table_gives_what_sums_give(names, distance):
    """With each item as a cluster of its own, the general route computes the same."""
    rng = np.random.default_rng(3)
    for missing, declared in nonempty([(0, [*"abc"]), (0.4, [*"abc"]), (0.4, [*"abcz"])]):
        labels = np.array(["a", "b", "c"], object)[
            np.where(rng.random((40, 4)) < 0.6, rng.integers(0, 3, (40, 1)), [[0, 1, 1, 2]])
        ]
        labels[rng.random(labels.shape) < missing] = None
        data = af.Annotations.from_wide(labels, categories=declared)
        K = len(data.labels)
        gaps = np.abs(np.subtract.outer(np.arange(K), np.arange(K)))
        given = {"linear": gaps, "matrix": np.sqrt(gaps)}.get(distance, distance)
        how = {"coefficient": names[distance != "nominal"], "distance": given}
        for incomplete in ("published", "pairable", "complete"):
            one = standard_error(data, **how, incomplete=incomplete)
            other = standard_error(data, **how, incomplete=incomplete, cluster=list(range(40)))
            for part in ("value", "standard_error", "low", "high", "n_items"):
                assert getattr(one, part) == pytest.approx(getattr(other, part), abs=1e-12), part


@pytest.mark.parametrize("name", ["alpha", "beta"])
def test_one_pass_is_left_at_many_categories_without_a_step(name, monkeypatch):
    """Both routes, at the most categories that one pass takes and one above."""
    rng, taken = np.random.default_rng(5), []
    one_pass = closed_form.of_tables

    def counted(*of):
        taken.append(of)
        return one_pass(*of)

    monkeypatch.setattr(closed_form, "of_tables", counted)
    for K in (20, 21):
        labels = np.where(rng.random((60, 4)) < 0.6, np.arange(60)[:, None] % K, rng.integers(0, K))
        gaps = np.abs(np.subtract.outer(np.arange(K), np.arange(K))) ** 1.5
        outcome = []
        for most in (20, 21, 1):
            monkeypatch.setattr(closed_form, "CELLS", most**2)
            outcome.append(standard_error(labels, name, distance=gaps))
        for part in ("value", "standard_error", "low", "high"):
            of_routes = [getattr(result, part) for result in outcome]
            assert of_routes == pytest.approx(of_routes[:1] * 3, abs=1e-12), part
    assert len(taken) == 3  # 20 categories twice, and 21 once


def test_one_pass_over_a_table_of_one_label():
    """AC and S have a value then, whose prior is spread over all categories."""
    data = af.Annotations.from_wide([["b", "b"]] * 9, categories=["a", "b", "c"])
    of_ranks = (("ac", "ordinal"), ("brennan_prediger", "ordinal"))
    for name, distance in nonempty((("ac", "nominal"), ("s", "nominal"), *of_ranks)):
        one, other = (
            standard_error(data, name, distance=distance, cluster=of)
            for of in (None, list(range(9)))
        )
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-12)
    assert math.isnan(standard_error(data, "alpha").low)
