"""Melamed & Resnik's coefficient, against tags that are spread over their leaves one by one."""

from itertools import product

import numpy as np
import pytest
import reference_trees as slow
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast import distances
from agreement_fast.errors import InputError
from agreement_fast.measures.parts_of_labels import leaf_agreement

close = pytest.approx

TREE = {"A": None, "A1": "A", "A2": "A", "A21": "A2", "A22": "A2", "B": None, "B1": "B"}
TAG = st.sampled_from([None, *TREE])


def value(rows, common="product"):
    observed, expected = slow.leaf_agreement(TREE, rows, common)
    return float((observed - expected) / (1 - expected)) if expected != 1 else np.nan


@pytest.mark.parametrize("common", ["product", "minimum"])
@pytest.mark.parametrize("tag", TREE)
def test_one_item_and_every_pair_of_tags(common, tag):
    for other in TREE:
        data = af.Annotations.from_wide([[tag, other]], coders=["x", "y"])
        result = leaf_agreement(data, TREE, common=common, n_resamples=1)
        observed, expected = slow.leaf_agreement(TREE, [[tag, other]], common)
        assert result.observed_agreement == close(float(observed), abs=1e-15)
        assert result.expected_agreement == close(float(expected), rel=1e-14)


@pytest.mark.parametrize("common", ["product", "minimum"])
@examples(25, deadline=None)
@given(rows=st.lists(st.tuples(TAG, TAG, TAG), min_size=1, max_size=5))
def test_tables_of_tags(common, rows):
    data = af.Annotations.from_wide(rows, coders=["x", "y", "z"])
    result = leaf_agreement(data, TREE, common=common, n_resamples=1)
    pairable = [row for row in rows if sum(tag is not None for tag in row) > 1]
    assert result.n_items == len(pairable)
    assert result.n_items_dropped == len(rows) - len(pairable)
    if not pairable:
        assert "no pairs" in result.undefined
        return
    observed, expected = slow.leaf_agreement(TREE, rows, common)
    assert result.observed_agreement == close(float(observed), abs=1e-14)
    assert result.expected_agreement == close(float(expected), rel=1e-13)
    if expected == 1:
        assert "no variation" in result.undefined
    else:
        assert result == close(value(rows, common), rel=1e-10, abs=1e-12)


def test_tags_without_others_below_have_scotts_pi():
    rows = [["a", "b"], ["a", "a"], ["c", "c"], ["b", "b"], ["b", "c"]]
    expected = af.pi(rows)
    for common in ("product", "minimum"):
        result = leaf_agreement(rows, dict.fromkeys("abc"), common=common, rng=1)
        assert result == close(expected.value)


def test_the_minimum_is_the_observed_agreement_of_the_distance():
    rows = [["A", "A1"], ["A2", "A2"], ["B", "B"], ["A21", "A2"], ["B", "A"]]
    result = leaf_agreement(rows, TREE, common="minimum", rng=1)
    expected = 1 - af.alpha(rows, distances.leaf_overlap(TREE)).observed_disagreement
    assert result.observed_agreement == close(expected)


def test_replicates_are_values_of_drawn_items():
    rows = [("A", "A1"), ("A2", "A2"), ("B", "B"), ("A21", "A2"), ("B", None)]
    result = leaf_agreement(rows, TREE, n_resamples=50, rng=2)
    every = {round(value([rows[i] for i in drawn]), 9) for drawn in product(range(4), repeat=4)}
    there = {round(float(one), 9) for one in result.replicates if not np.isnan(one)}
    assert there <= every
    assert len(there) > 10
    assert result.low < result.value < result.high
    documents = leaf_agreement(rows, TREE, n_resamples=50, rng=2, cluster=list("xyxyx"))
    whole = [rows[:4:2] * 2, rows[1::2] * 2, rows[:4]]
    assert {round(float(one), 9) for one in documents.replicates} == {
        round(value(drawn), 9) for drawn in whole
    }


def test_resamples_of_many_tags_are_spread_some_at_a_time(monkeypatch):
    rows = [("A", "A1"), ("A2", "A2"), ("B", "B"), ("A21", "A2")]
    expected = leaf_agreement(rows, TREE, n_resamples=30, rng=2)
    monkeypatch.setattr("agreement_fast.measures.parts_of_labels.ROOM", 20)
    result = leaf_agreement(rows, TREE, n_resamples=30, rng=2)
    np.testing.assert_array_equal(result.replicates, expected.replicates)


def test_bad_options_are_named():
    with pytest.raises(InputError, match="common must be 'product' or 'minimum', not 'max'"):
        leaf_agreement([["A", "A1"]] * 2, TREE, common="max")
    with pytest.raises(InputError, match="'C' is not in the tree"):
        leaf_agreement([["A", "C"]] * 2, TREE)


def test_it_prints_what_it_is():
    said = repr(leaf_agreement([["A", "A"], ["B", "B"]], TREE, n_resamples=10, rng=1))
    assert said.startswith("<leaf_agreement(product) = 0.")
    assert "A_o = 0.666667" in said
    assert said.endswith("2 items; fewer than 20 resamples have a value, too few for an interval>")
