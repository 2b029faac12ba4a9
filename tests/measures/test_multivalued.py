"""Krippendorff's alpha for multi-valued data, against a list of all pairs of sets."""

from itertools import product

import numpy as np
import pytest
import reference_multivalued as slow
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty

import agreement_fast as af
from agreement_fast.errors import InputError
from agreement_fast.inference import draws
from agreement_fast.measures import mv_alpha, parts_of_labels

close = pytest.approx

#: Krippendorff & Craggs 2016, table 3; the R package mvalpha gives 0.2865907 for it.
TABLE_3 = [
    [{"b", "d"}, {"d"}, None],
    [{"a", "b", "d"}, {"b"}, {"b", "d"}],
    [set(), {"a"}, {"a"}],
    [{"a"}, None, None],
]


def test_the_example_of_the_paper_has_the_value_of_the_r_package():
    result = mv_alpha(TABLE_3, rng=1)
    assert round(result, 7) == 0.2865907
    assert (result.n_items, result.n_judgments, result.n_items_dropped) == (3, 8, 1)
    assert (result.n_elements, result.n_sets, result.n_coders) == (3, 6, 3)


# ---------------------------------------------------------------- chance

COUNTS = np.array(list(product(range(4), repeat=3)), float)


@pytest.mark.few
@pytest.mark.parametrize("distance", ["nominal", "interval", "ratio", "ordinal"])
@pytest.mark.parametrize("sizes", list(product(range(4), repeat=2)), ids=str)
def test_chance_draws_every_pair_of_sets_as_often_as_the_definition(distance, sizes):
    """All counts up to 3 of three elements, and all pairs of sizes."""
    elements = {1: 3, 2: 1, 6: 2}
    gap = slow.between_elements(distance, elements)
    gaps = None
    if distance != "nominal":
        gaps = np.array([[float(gap(c, k)) for k in elements] for c in elements])
    shares = np.zeros((len(COUNTS), 4))
    for size in sizes:
        shares[:, size] += 0.5
    result = parts_of_labels.expected_distance(COUNTS, shares, gaps)
    expected = {size: shares[0, size] for size in set(sizes)}
    for counts, one in nonempty(zip(COUNTS.astype(int).tolist(), result, strict=True)):
        of = dict(zip(elements, counts, strict=True))
        assert one == close(float(slow.chance(of, expected, gap)), abs=1e-14)


def test_many_elements_neither_overflow_nor_vanish():
    counts = np.full((1, 81), 1e5)
    result = parts_of_labels.expected_distance(counts, np.eye(61)[[60]], None)
    # Each pair of sets of 60 is almost as likely as another: 60 · 60 / 81 elements are shared.
    assert result[0] == close(1 - 60 / 81, rel=1e-4)


def test_elements_that_are_there_once_are_never_in_both_sets():
    counts = np.array([[1e9] + [1.0] * 80])
    result = parts_of_labels.expected_distance(counts, np.eye(21)[[20]], None)
    assert result[0] == close(0.95, rel=1e-6)
    # No two sets of 60 of 81 elements have but one in common.
    assert parts_of_labels.expected_distance(counts, np.eye(61)[[60]], None)[0] == 0.0


# ---------------------------------------------------------------- the coefficient

SETS = st.one_of(st.none(), st.frozensets(st.sampled_from([0, 1, 3, 4]), max_size=3))
TABLES = st.lists(st.tuples(SETS, SETS, SETS), min_size=1, max_size=4)


@pytest.mark.few("nominal", "ordinal")
@pytest.mark.parametrize("distance", ["nominal", "interval", "ratio", "ordinal"])
@examples(20, deadline=None)
@given(rows=TABLES)
def test_tables_of_sets(distance, rows):
    if distance == "ordinal":
        rows = [[one or None for one in row] for row in rows]
    pairable = [row for row in rows if sum(one is not None for one in row) > 1]
    data = af.Annotations.from_wide(rows, coders=["x", "y", "z"])
    result = mv_alpha(data, distance, n_resamples=1, rng=1)
    assert result.n_items == len(pairable)
    if not pairable:
        assert "no pairs" in result.undefined
        return
    observed, expected = slow.parts(rows, distance)
    assert result.observed_disagreement == close(float(observed), abs=1e-14)
    assert result.expected_disagreement == close(float(expected), abs=1e-14)
    if expected:
        assert result == close(float(1 - observed / expected), rel=1e-10, abs=1e-12)
    else:
        assert "no variation" in result.undefined


@pytest.mark.parametrize("distance", ["nominal", "interval", "ratio", "ordinal"])
def test_sets_of_one_element_have_krippendorffs_alpha(distance):
    rows = [[1, 2, 1], [4, 4, None], [2, 2, 7], [7, 7, 7], [None, 1, 2]]
    sets = [[None if one is None else {one} for one in row] for row in rows]
    expected = af.alpha(rows, distance)
    assert mv_alpha(sets, distance, rng=1) == close(expected.value, rel=1e-12)


def test_ordinal_words_need_an_order_and_take_one():
    rows = [[{"low"}, {"low", "mid"}], [{"high"}, {"high"}], [{"mid"}, {"high", "mid"}]]
    order = ["low", "mid", "high", "extreme"]
    numbers = [[{order.index(word) for word in one} for one in row] for row in rows]
    expected = mv_alpha(numbers, "ordinal", rng=1)
    result = mv_alpha(rows, "ordinal", categories=order, rng=1)
    assert result.value == close(expected.value, rel=1e-12)
    backwards = mv_alpha(rows, "ordinal", categories=["low", "high", "mid"], rng=1)
    assert backwards.value != close(expected.value, rel=1e-3)


def test_judgments_of_weighted_and_repeated_items():
    once = [({"a"}, {"a", "b"}), ({"b"}, {"b"}), ({"a", "c"}, {"c"})]
    many = af.Annotations.from_wide([row for row in once for _ in range(3)])
    assert mv_alpha(many, rng=1) == close(slow.alpha([row for row in once for _ in range(3)]))
    assert mv_alpha(many, rng=1).n_items == 9


# ---------------------------------------------------------------- the interval


def test_replicates_are_values_of_drawn_items():
    rows = [({"a"}, {"a", "b"}), ({"b"}, {"b"}), ({"a"}, {"c"}), ({"c"}, {"c"}), ({"a"}, None)]
    result = mv_alpha(rows, n_resamples=60, rng=3)
    every = {
        round(slow.alpha([rows[i] for i in drawn]), 9) for drawn in product(range(4), repeat=4)
    }
    there = result.replicates[~np.isnan(result.replicates)]
    assert len(result.replicates) == 60
    assert {round(float(one), 9) for one in there} <= every
    assert len({round(float(one), 9) for one in there}) > 10
    assert result.low <= result.value <= result.high
    assert result.method == "bca"
    assert result.standard_error == close(np.std(there, ddof=1))
    assert result.n_undefined == 60 - len(there)
    again = mv_alpha(rows, n_resamples=60, rng=3)
    assert (again.low, again.high) == (result.low, result.high)
    wider = mv_alpha(rows, n_resamples=60, rng=3, method="percentile", confidence_level=0.5)
    assert (wider.low, wider.high) == close(tuple(np.quantile(there, [0.25, 0.75])))


def test_leaving_out_each_item_is_what_bca_receives(monkeypatch):
    rows = [({"a"}, {"a", "b"}), ({"b"}, {"b"}), ({"a"}, {"c"}), ({"b"}, {"b"})]
    received = []
    real = draws.acceleration

    def listening(left_out):
        received.append(left_out)
        return real(left_out)

    monkeypatch.setattr(draws, "acceleration", listening)
    mv_alpha(rows, n_resamples=30, rng=1)
    (((values, units),),) = received
    left = np.repeat(values, units)
    expected = [slow.alpha([row for row in rows if row is not one]) for one in rows]
    assert sorted(left) == close(sorted(expected))


def test_documents_are_drawn_whole():
    rows = [({"a"}, {"a", "b"}), ({"b"}, {"b"}), ({"a"}, {"c"}), ({"c"}, {"c"})]
    result = mv_alpha(rows, n_resamples=40, rng=3, cluster=["x", "y", "x", "y"])
    first, second = rows[::2], rows[1::2]
    every = [first * 2, second * 2, rows]
    assert {round(float(one), 9) for one in result.replicates} == {
        round(slow.alpha(drawn), 9) for drawn in every
    }
    alone = mv_alpha(rows, n_resamples=40, rng=3, cluster=["x"] * 4)
    assert np.isnan(alone.low)
    assert "fewer than 20 resamples" in alone.note


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("rows", "options", "text"),
    [
        ([["a", "b"], ["a", "a"]], {}, "labels that are sets, but label 'a' is not a set"),
        ([[{"a"}, {"b"}]] * 2, {"distance": "masi"}, "distance must be 'nominal', 'ordinal'"),
        (
            [[{"a"}, {"b"}]] * 2,
            {"distance": "interval"},
            "needs numbers, but category 'a' is not a number",
        ),
        ([[{-1}, {2}]] * 2, {"distance": "ratio"}, "got category -1"),
        ([[{"a"}, {"b"}]] * 2, {"distance": "ordinal"}, "element 'a' is not a number: declare"),
        ([[{1}, set()]] * 2, {"distance": "ordinal"}, "no definition for the empty set"),
        (
            [[{1}, {2}]] * 2,
            {"distance": "ordinal", "categories": [1]},
            "element 2 is not in the cat",
        ),
        (
            [[{1}, {2}]] * 2,
            {"categories": [1, 2]},
            "categories is only for the distance 'ordinal', got 'nom",
        ),
        ([[{1}, {2}]] * 2, {"method": "krippendorff"}, "method must be 'percentile', 'basic'"),
        ([[{1}, {2}]] * 2, {"n_resamples": 0}, "n_resamples must be a whole number"),
        ([[{1}, {2}]] * 2, {"confidence_level": 95}, "confidence_level must be between 0 and 1"),
    ],
)
def test_what_cannot_be_computed_is_refused(rows, options, text):
    with pytest.raises(InputError, match=text):
        mv_alpha(rows, **options)


def test_what_takes_too_long_is_refused(monkeypatch):
    rows = [[{1, 2}, {2}], [{3}, {3}]]
    monkeypatch.setattr(parts_of_labels, "STEPS", 1e3)
    with pytest.raises(InputError, match="compares 3 elements of sets of up to 2"):
        mv_alpha(rows, "interval")
    monkeypatch.setattr(draws, "STEPS", 1e5)
    with pytest.raises(InputError, match="takes too long: lower n_resamples or pass method='perc"):
        mv_alpha(rows)


def test_it_prints_what_it_is():
    said = repr(mv_alpha(TABLE_3, n_resamples=10, rng=1))
    assert said.startswith("<mv_alpha(nominal) = 0.286591: D_o = 0.4625")
    assert said.endswith(
        "3 elements; fewer than 20 resamples have a value, too few for an interval>"
    )
