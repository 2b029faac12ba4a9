"""Coefficients without each coder, and each coder against the others."""

import itertools
import math
from unittest import mock

import numpy as np
import pytest
import reference
import reference_stability as slow
from diagnosed import columns_of
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from strategies import seeded, tables
from test_against_reference import DISTANCES, close

import agreement_fast as af
from agreement_fast import subsets
from agreement_fast.diagnostics import coder_report, each_coder

NAMES = list(af.COEFFICIENTS)


def wide(table):
    """Give a table to the package as rows of labels."""
    return af.Annotations.from_wide(
        table.rows, categories=table.categories, coders=table.coders, weights=table.weights
    )


def without(data, coefficient="alpha", distance="nominal", **options):
    """The columns of the table without each coder."""
    report = coder_report(data, coefficient, distance=distance, intervals=False, **options)
    return columns_of(report.without)


def with_others(data, distance="nominal"):
    """The columns of the table of each coder with the others."""
    return columns_of(coder_report(data, distance=distance, intervals=False).with_others)


def as_of_all(data, distance):
    """Ranks among the categories of all coders, as a matrix; other distances as they are."""
    if not isinstance(distance, str) or not distance.startswith("rank_"):
        return distance
    result = af.distances.resolve(distance)
    return af.distances.matrix(result.matrix(data.categories), data.categories)


def check_against_select(data, coefficients, distance, incomplete="published"):
    """Compare with the coefficient of all the other coders, for every coder."""
    fixed = as_of_all(data, distance) if len(data.categories) else distance
    for name in nonempty(coefficients):
        study = without(data, name, distance, incomplete=incomplete)
        assert len(study.value) == len(data.coders)
        for c, coder in enumerate(data.coders):
            rest = [other for other in data.coders if other != coder]
            expected = af.agreement(
                data.select(coders=rest), name, distance=fixed, incomplete=incomplete
            )
            assert study.n_items[c] == expected.n_items
            assert study.n_judgments[c] == expected.n_judgments
            assert study.undefined[c] == expected.undefined
            same = {"rel": 1e-12, "abs": 1e-13 * (1 + expected.largest_distance), "nan_ok": True}
            assert study.observed_disagreement[c] == pytest.approx(
                expected.observed_disagreement, **same
            )
            assert study.expected_disagreement[c] == pytest.approx(
                expected.expected_disagreement, **same
            )
            if expected.undefined is None:
                ratio = expected.observed_disagreement / expected.expected_disagreement
                assert study.value[c] == pytest.approx(
                    expected.value, rel=1e-12, abs=1e-12 * max(1, ratio)
                )
            else:
                assert math.isnan(study.value[c])


@pytest.mark.few("nominal", "ordinal", "interval", "linear", "ratio")
@pytest.mark.parametrize("summed", ["counted", "listed"])
@pytest.mark.parametrize("incomplete", ["published", "pairable"])
@pytest.mark.parametrize("name", DISTANCES)
@examples(12)
@given(data=st.data())
def test_leaving_out_is_selecting_all_others(name, incomplete, summed, data):
    """Every coefficient and distance; weights, missing judgments, categories that vanish."""
    distance, _, labels = DISTANCES[name]
    table = data.draw(tables(labels))
    takes = [c for c in NAMES if name == "nominal" or not af.COEFFICIENTS[c].nominal_only]
    room = each_coder.ROOM if summed == "counted" else 0
    with mock.patch.object(each_coder, "room_of_table", return_value=room):
        check_against_select(wide(table), takes, distance, incomplete)


def test_few_labels_are_counted_and_many_are_listed():
    few = af.Annotations.from_wide([[1, 2], [1, None], [3, 3]])
    assert isinstance(each_coder.sums_of(few), each_coder.Counted)
    many = af.Annotations.from_wide([[1, 2], [1, None]], categories=range(1000))
    assert isinstance(each_coder.sums_of(many), each_coder.Judgments)
    assert isinstance(
        each_coder.sums_of(af.Annotations.from_wide([[1, 2], [1, 1]], weights=[1, 0])),
        each_coder.Judgments,
    )


@pytest.mark.parametrize("judged", [2, 3])
@pytest.mark.parametrize("incomplete", ["published", "pairable"])
def test_items_that_drop_out_with_a_coder_leave_the_others_marginals(judged, incomplete):
    """Each item has two judgments, and loses one of them; or each has three."""
    rng = np.random.default_rng(judged)
    table = rng.choice(3, (16, 4), p=[0.6, 0.3, 0.1]).astype(object)
    for i, row in enumerate(table):
        row[rng.permutation(4)[judged:]] = None
        row[i % 4] = 0 if row[i % 4] is not None else None
    data = af.Annotations.from_wide(table.tolist())
    check_against_select(data, NAMES, "nominal", incomplete)


@pytest.mark.parametrize("distance", ["rank_linear", "rank_quadratic"])
def test_ranks_stay_those_of_all_coders(distance):
    """Coder 1 alone said 2: 1 and 3 do not become neighbours without them."""
    data = af.Annotations.from_wide([[1, 2, 3], [1, 1, 1], [3, 2, 3], [3, 3, 1]])
    study = without(data, "alpha", distance)
    steps = 2 if distance == "rank_linear" else 4
    assert study.observed_disagreement[1] == pytest.approx(steps * 2 / 4)
    check_against_select(data, ["alpha", "beta", "brennan_prediger", "ac"], distance)
    (row,) = subsets.coder_subsets(data, ["beta"], distance=[distance], size=[2])["beta", distance]
    fixed = as_of_all(data, distance)
    values = [
        af.beta(data.select(coders=pair), fixed).value
        for pair in itertools.combinations(range(3), 2)
    ]
    assert row.mean == pytest.approx(np.mean(values), rel=1e-12)


@pytest.mark.parametrize("distance", ["rank_linear", "rank_quadratic"])
def test_ranks_stay_if_subsets_are_computed_one_by_one(distance, monkeypatch):
    """More categories than the quick ways take; also where coders are left out one by one."""
    monkeypatch.setattr("agreement_fast.subsets.all_subsets.MOST_CATEGORIES", 2)
    rows = [[1, 2, 3], [1, 2, 1], [3, None, 3], [3, 3, 1], [None, 2, 4], [4, 4, 4]]
    data = af.Annotations.from_wide(rows)
    (row,) = subsets.coder_subsets(data, ["alpha"], distance=[distance], size=[2])[
        "alpha", distance
    ]
    fixed = as_of_all(data, distance)
    pairs = itertools.combinations(range(3), 2)
    values = [af.alpha(data.select(coders=pair), fixed).value for pair in pairs]
    assert row.mean == pytest.approx(np.mean(values), rel=1e-12)
    check_against_select(data, ["beta"], distance, "pairable")


@pytest.mark.few("nominal", "interval", "ordinal", "linear", "ratio")
@pytest.mark.parametrize("labels", [range(5), range(400)])
@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval", "linear", "ratio"])
def test_larger_tables(labels, distance):
    """Few categories, which are counted, and many, whose pairs are compared."""
    table = seeded(7, 150, 9, labels, missing=0.3, heaviest=2)
    takes = [c for c in NAMES if distance == "nominal" or not af.COEFFICIENTS[c].nominal_only]
    check_against_select(wide(table), takes, distance)


def test_lists_of_many_coders():
    """Three judgments an item by 60 coders: rows are lists, not a table."""
    rng = np.random.default_rng(3)
    coders = np.concatenate([rng.choice(60, 3, replace=False) for _ in range(2000)])
    truth = np.repeat(rng.integers(0, 4, 2000), 3)
    labels = np.where(rng.random(6000) < 0.6, truth, rng.integers(0, 4, 6000))
    data = af.Annotations.from_long(np.repeat(np.arange(2000), 3), coders, labels)
    check_against_select(data, ["pi", "kappa", "alpha", "ac"], "nominal")
    check_against_select(data, ["alpha", "beta"], "ordinal")


def test_ordinal_without_room_for_tables(monkeypatch):
    """Many categories: one coder after the other, to the same values."""
    monkeypatch.setattr(each_coder, "TABLES", 10)
    check_against_select(wide(seeded(7, 30, 5, range(6))), ["alpha", "beta"], "ordinal")


def test_exact_arithmetic_agrees():
    """Against rational arithmetic, not only against the package itself."""
    table = seeded(11, 12, 5, "abc", missing=0.3)
    for name in ("pi", "kappa", "alpha"):
        study = without(wide(table), name)
        value = af.agreement(wide(table), name).value
        assert study.change == pytest.approx(study.value - value, abs=1e-15)
        for c in range(5):
            rest = slow.without(table.items, c)
            others = [other for other in range(5) if other != c]
            cell = reference.agreement(rest, name, coders=others)
            assert close(study.value[c], cell.value, max(1, abs(cell.value)))
            assert close(study.observed_disagreement[c], cell.observed)
            assert close(study.expected_disagreement[c], cell.expected)


@pytest.mark.few("nominal", "ordinal", "interval", "linear", "ratio")
@pytest.mark.parametrize("name", DISTANCES)
@given(data=st.data())
def test_one_against_the_rest(name, data):
    """D_o and D_e of each coder against the others, from the definition."""
    distance, exact, labels = DISTANCES[name]
    table = data.draw(tables(labels))
    result = with_others(wide(table), distance)
    for c in nonempty(table.coders):
        observed, expected, n_items = slow.against_rest(
            table.items, c, exact, table.frequencies, table.order
        )
        assert result.n_items[c] == n_items
        if not n_items:
            assert math.isnan(result.observed_disagreement[c])
            assert result.undefined[c].startswith("no pairs:")
            continue
        assert result.observed_disagreement[c] == pytest.approx(float(observed), rel=1e-12)
        assert result.expected_disagreement[c] == pytest.approx(float(expected), rel=1e-12)
        if expected:
            ratio = observed / expected
            assert close(result.value[c], 1 - ratio, max(1, abs(ratio)))
        else:
            assert math.isnan(result.value[c])
            assert result.undefined[c].startswith("no variation:")


@pytest.mark.parametrize(("distance", "coefficient"), [("nominal", "kappa"), ("linear", "beta")])
def test_multi_kappa_is_made_of_coders_against_the_rest(distance, coefficient):
    """Complete data: the halves of multi-kappa and beta are the means of the coders'."""
    data = wide(seeded(6, 40, 7, range(4), missing=0))
    each = with_others(data, distance)
    whole = af.agreement(data, coefficient, distance=distance)
    assert each.observed_disagreement.mean() == pytest.approx(whole.observed_disagreement)
    assert each.expected_disagreement.mean() == pytest.approx(whole.expected_disagreement)
    weighted = np.average(each.value, weights=each.expected_disagreement)
    assert weighted == pytest.approx(whole.value, rel=1e-12)


def test_two_coders_against_each_other_are_cohens_kappa():
    """Artstein & Poesio 2005, table 1: both coders' value is kappa."""
    data = af.Annotations.from_contingency([[20, 20], [10, 50]])
    assert with_others(data).value == pytest.approx([af.kappa(data).value] * 2)


def test_a_coder_who_guesses_stands_out():
    """Both studies find the one of eight coders who labels at random."""
    table = seeded(12, 200, 8, range(3), missing=0.1)
    rng = np.random.default_rng(0)
    rows = [[*row[:7], int(rng.integers(3))] for row in table.rows]
    data = af.Annotations.from_wide(rows)
    assert int(np.argmin(with_others(data).value)) == 7
    study = without(data)
    assert int(np.argmax(study.value)) == 7
    assert (np.delete(study.change, 7) < 0).all()
    assert str(coder_report(data)).splitlines()[2].startswith("  7 ")


def test_distances_may_be_functions_of_one_name():
    """Two nameless functions are two distances."""
    data = wide(seeded(3, 20, 4, range(4)))
    both = {"linear": lambda a, b: abs(a - b), "interval": lambda a, b: (a - b) ** 2}
    for name, function in both.items():
        study, expected = (without(data, distance=each) for each in (function, name))
        assert study.value == pytest.approx(expected.value, rel=1e-12)


def test_no_variation_without_a_coder():
    """The others say one thing only: undefined, not what rounding makes of it."""
    table = [["a", "a", "b"], ["a", "a", "a"], ["a", None, "c"]]
    for name in ("s", "pi", "kappa"):
        study = without(af.Annotations.from_wide(table), name)
        assert study.undefined[2].startswith("no variation:")
        assert math.isnan(study.value[2])
        assert study.undefined[0] is None


def test_bad_input_is_named():
    """Errors say what is wrong."""
    data = af.Annotations.from_wide([["x", "y", "x"], ["y", "y", "y"], ["x", "x", "y"]])
    with pytest.raises(ValueError, match="'complete'"):
        coder_report(data, incomplete="complete")
    with pytest.raises(ValueError, match="which coder made which"):
        coder_report(af.Annotations.from_counts([[2, 1]]))
    with pytest.raises(ValueError, match="asymmetric"):
        coder_report(data, distance=[[0, 1], [2, 0]])


def test_results_are_readable():
    """One line each."""
    data = af.Annotations.from_wide([["x", "y", "x"], ["y", "y", "y"], ["x", "x", "y"]])
    report = coder_report(data, "pi")
    assert repr(report).startswith("<3 coders, pi(nominal) = ")
    assert len(repr(report.without).splitlines()) == len(repr(report.with_others).splitlines()) == 4
