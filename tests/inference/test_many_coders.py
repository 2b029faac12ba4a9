"""Tests of three coders and more: multi-κ and marginals, against enumeration in fractions."""

import math
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
import reference_classical as plain
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty

import agreement_fast as af
from agreement_fast import inference
from agreement_fast.inference.coefficient_test import multi_kappa
from agreement_fast.inference.marginal import complete_items

DISTANCES = {
    "nominal": lambda a, b: int(a != b),
    "linear": lambda a, b: abs(a - b),
    "interval": lambda a, b: (a - b) ** 2,
}

#: Eight subjects, four tasks, passed or not.
TASKS = [
    [1, 1, 1, 0], [1, 1, 0, 1], [0, 0, 0, 1], [1, 1, 0, 0],
    [0, 1, 0, 1], [1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 0],
]  # fmt: skip


def complete(coders, items, labels=3):
    """Items that all coders judged."""
    row = st.lists(st.integers(1, labels), min_size=coders[0], max_size=coders[0])
    if coders[0] < coders[1]:
        return st.integers(*coders).flatmap(lambda c: complete((c, c), items, labels))
    return st.lists(row, min_size=items[0], max_size=items[1])


def of(rows, **more):
    """Annotations of rows; naming the coders says that they are not the items."""
    return af.Annotations.from_wide(rows, coders=list("abcd")[: len(rows[0])], **more)


def close(result, exact, rel=1e-9):
    """A float near an exact number."""
    assert result == pytest.approx(float(exact), rel=rel, abs=1e-12), (result, float(exact))


# ---------------------------------------------------------------------- multi-κ


@examples(25)
@given(complete((3, 4), (1, 6)), st.sampled_from(list(DISTANCES)))
def test_multi_kappa_and_its_error_are_those_of_the_definition(items, distance):
    """κ over the pairs of coders; its variance the sum of the squared slopes in each item."""
    d = DISTANCES[distance]
    result = inference.coefficient_test(
        of(items), "beta", distance=distance, null_value=0.25, method="null"
    )
    exact = plain.multi_kappa(items, d)
    if exact is None:
        assert math.isnan(result.value)
        assert result.undefined.startswith("no variation")
        return
    close(result.value, exact)
    assert result.value == pytest.approx(af.beta(of(items), distance).value, abs=1e-12)
    variance = sum(slope**2 for slope in plain.multi_kappa_slopes(items, d))
    # the slopes of the reference are differences, 1e-18 off
    close(result.standard_error, math.sqrt(variance), rel=1e-7)
    if result.standard_error:
        close(result.statistic, (float(exact) - 0.25) / result.standard_error)
    else:
        assert result.undefined.startswith("no variance")


@pytest.mark.parametrize("distance", list(DISTANCES))
@pytest.mark.parametrize(
    "items",
    [
        [[1, 1, 2], [2, 2, 1], [1, 2, 2], [3, 1, 3]],
        [[1, 1, 1], [2, 2, 2], [1, 1, 3], [1, 1, 1]],
        [[1, 1, 1, 2], [2, 1, 3, 2], [3, 2, 2, 1]],
        [[1, 2, 1], [1, 3, 3], [1, 1, 2]],
        [[1, 2], [2, 2], [1, 1], [3, 1], [2, 3]],
    ],
)
def test_the_null_error_is_that_of_all_shuffles(items, distance):
    """Each coder's labels in every order: their variance is n/(n − 1) times the null variance."""
    d, n = DISTANCES[distance], len(items)
    values = list(plain.shuffled_kappas(items, d))
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    result = inference.coefficient_test(of(items), "beta", distance=distance, method="null")
    assert mean == 0
    close(result.null_standard_error**2, variance * Fraction(n - 1, n), rel=1e-12)
    close(result.statistic, float(plain.multi_kappa(items, d)) / result.null_standard_error)
    close(result.p_value, math.erfc(abs(result.statistic) / math.sqrt(2)))


@pytest.mark.parametrize("distance", [*DISTANCES, "ordinal", "ratio"])
def test_two_coders_are_fleiss_cohen_and_everitts(distance):
    """The sums over pairs of coders with one pair, on the table of 1969."""
    table = [[106, 10, 4], [22, 28, 10], [2, 12, 6]]
    data = af.Annotations.from_contingency(table, categories=[1, 2, 4])
    result = multi_kappa(complete_items(data, "a test"), af.distances.resolve(distance))
    expected = inference.coefficient_test(data, "beta", distance=distance, method="null")
    assert result.value == pytest.approx(expected.value, rel=1e-13)
    assert result.error == pytest.approx(expected.standard_error, rel=1e-13)
    assert result.null_error == pytest.approx(expected.null_standard_error, rel=1e-13)


def test_multi_kappa_of_incomplete_and_weighted_data():
    """Items that a coder did not judge do not enter the marginals; weights count as items."""
    rows = [[1, 1, 2], [2, 2, 2], [1, None, 1], [2, 1, 2], [None] * 3, [1, 1, 1], [3, 3, 3]]
    whole = [row for row in rows if None not in row]
    result, alone = (
        inference.coefficient_test(of(rows), "kappa", method="null"),
        inference.coefficient_test(of(whole), "kappa", method="null"),
    )
    assert (result.n_items, result.n_items_dropped) == (5, 2)
    assert (
        result.value
        == alone.value
        == pytest.approx(af.kappa(of(rows), incomplete="complete").value)
    )
    assert result.standard_error == alone.standard_error
    twice = inference.coefficient_test(of(whole, weights=[2] * 5), "kappa", method="null")
    assert twice.n_items == 10
    assert twice.null_standard_error == pytest.approx(alone.null_standard_error / math.sqrt(2))
    assert "Davies & Fleiss" in result.test


def test_multi_kappa_without_a_test():
    """Nothing in common, one constant label, perfect agreement, all coders but one constant."""
    nobody = inference.coefficient_test(of([[1, 1, None], [None, 2, 2]]), "kappa", method="null")
    assert math.isnan(nobody.value)
    assert nobody.undefined.startswith("no pairs: no item was judged by all 3 coders")
    assert inference.coefficient_test(
        of([[1, 1, 1]] * 3), "kappa", method="null"
    ).undefined.startswith("no variation")
    perfect = inference.coefficient_test(of([[1, 1, 1], [2, 2, 2]] * 5), "kappa", method="null")
    assert (perfect.value, perfect.standard_error, perfect.low) == (1, 0, 1)
    assert perfect.statistic == pytest.approx(math.sqrt(3 * 10))
    assert perfect.note.startswith("no item disagrees")
    constant = inference.coefficient_test(
        of([[1, 1, 1], [2, 1, 1], [2, 1, 1]]), "kappa", method="null"
    )
    assert (constant.value, constant.null_standard_error) == (0, 0)
    assert constant.undefined.startswith("no variance")
    assert constant.note.startswith("kappa is 0 for any items")


def test_three_coders_have_no_asymmetric_weights():
    weights = [[0, 1], [2, 0]]
    with pytest.raises(ValueError, match="for exactly two coders, take such weights"):
        inference.coefficient_test(
            of([[1, 1, 2], [2, 2, 2]]), "beta", distance=weights, method="null"
        )
    with pytest.raises(ValueError, match="these annotations have 1: pass the judgments of two"):
        inference.coefficient_test(of([[1], [2]]), "kappa", method="null")


# ---------------------------------------------------------------------- marginals


@examples(20)
@given(complete((2, 4), (1, 4)))
def test_the_mantel_haenszel_test_is_that_of_all_orders(items):
    """χ² and rank from the covariance of labels shuffled within their items."""
    exact, rank = plain.shuffled_within(items)
    result = inference.marginal_test(of(items))
    assert result.n_items == len(items)
    if not rank:
        assert math.isnan(result.statistic)
        assert result.undefined.startswith("no disagreement")
        return
    assert result.df == rank
    close(result.statistic, exact)
    assert result.test == ("Stuart-Maxwell" if len(items[0]) == 2 else "Mantel-Haenszel")
    if result.df == 2:
        close(result.p_value, math.exp(-float(exact) / 2))


@examples(25)
@given(complete((2, 3), (1, 9)))
def test_bhapkar_is_the_wald_test_of_all_differences(items):
    """n² ȳ' S⁻ ȳ by exact elimination; also where S is singular or too small."""
    exact, rank = plain.wald_of_marginals(items)
    result = inference.marginal_test(of(items), method="bhapkar")
    if not rank:
        assert result.undefined.startswith("no disagreement")
    elif exact is None:
        assert result.undefined.startswith("no variance")
        assert result.df == rank
        assert math.isnan(result.p_value)
    else:
        assert result.undefined is None
        assert result.df == rank
        close(result.statistic, exact, rel=1e-8)


@pytest.mark.parametrize("labels", [2, 3])
def test_two_coders_of_the_general_tests_are_stuarts_and_bhapkars(labels):
    """By enumeration and by the papers' covariance of the table, exactly equal."""
    for cells in nonempty(
        list(product(range(3), repeat=labels**2))[5 :: 997 if labels == 3 else 4]
    ):
        table = np.reshape(cells, (labels, labels)).tolist()
        items = [[j, k] for j in range(labels) for k in range(labels) for _ in range(table[j][k])]
        if len(items) < 2:
            continue
        expected, rank = plain.homogeneity(table, bhapkar=False)
        assert plain.shuffled_within(items) == (expected if rank else 0, rank)
        expected, _ = plain.homogeneity(table, bhapkar=True)
        if rank:
            assert plain.wald_of_marginals(items) == (expected, rank)


def test_cochrans_q_of_eight_subjects():
    """By its formula, as statsmodels, and as the test of all categories."""
    counts, sums = np.sum(TASKS, 0), np.sum(TASKS, 1)
    q = 3 * (4 * (counts**2).sum() - counts.sum() ** 2) / (4 * counts.sum() - (sums**2).sum())
    result = inference.marginal_test(TASKS, method="cochran_q")
    assert result.statistic == pytest.approx(q, rel=1e-14)
    assert (result.df, result.n_items, result.n_items_dropped) == (3, 8, 0)
    peer = pytest.importorskip("statsmodels.stats.contingency_tables").cochrans_q(np.array(TASKS))
    assert result.statistic == pytest.approx(peer.statistic, rel=1e-13)
    assert result.p_value == pytest.approx(peer.pvalue, rel=1e-11)
    assert inference.marginal_test(TASKS).statistic == result.statistic
    mcnemar = inference.marginal_test(
        af.Annotations.from_contingency([[40, 5], [14, 60]]), method="cochran_q"
    )
    assert mcnemar.statistic == pytest.approx(81 / 19, rel=1e-14)


def test_cochrans_q_takes_two_categories():
    with pytest.raises(
        ValueError, match=r"use 3: pass method='stuart_maxwell', or merge_categories"
    ):
        inference.marginal_test(of([[1, 2, 3], [1, 1, 1]]), method="cochran_q")
    spare = of(TASKS, categories=[0, 1, 2])
    assert (
        inference.marginal_test(spare, method="cochran_q").statistic
        == inference.marginal_test(TASKS, method="cochran_q").statistic
    )


def test_marginals_of_incomplete_weighted_and_degenerate_data():
    """What is left out is counted; what has no test says why."""
    rows = [[1, 2, 1], [2, 2, 3], [1, 1, 3], [None, 1, 1], [2, 1, 1], [3, 3, 1]]
    whole = [row for row in rows if None not in row]
    for method in ("stuart_maxwell", "bhapkar"):
        test = partial(inference.marginal_test, method=method)
        result, alone = test(of(rows)), test(of(whole))
        assert (result.n_items, result.n_items_dropped) == (5, 1)
        assert result.statistic == alone.statistic
        twice = test(of(whole, weights=[2] * 5))
        assert twice.statistic == pytest.approx(test(of(whole * 2)).statistic, nan_ok=True)
        nobody = test(of([[1, 1, None], [None, 2, 2]]))
        assert nobody.undefined.startswith("no pairs: no item was judged by all 3 coders")
        assert (nobody.n_items, nobody.n_items_dropped) == (0, 2)
        assert test(of([[1, 1, 1], [2, 2, 2]])).undefined.startswith("no disagreement")
        with pytest.raises(ValueError, match="have 1: pass the judgments of two coders or more"):
            test(of([[1], [2]]))
    # 20 items for each of two degrees of freedom
    for more, enough in ((8, False), (9, True)):
        items = of([[1, 1, 2], [2, 1, 2], [1, 2, 1], [2, 2, 2]] + [[1, 1, 1], [2, 2, 2]] * 2 * more)
        assert (inference.marginal_test(items, method="bhapkar").note is None) == enough
        assert (
            "p is too small" in repr(inference.marginal_test(items, method="bhapkar"))
        ) != enough
        assert inference.marginal_test(items).note is None
    # one coder says 2 wherever the others say 1
    leaning = of([[1, 1, 2]] * 9)
    assert inference.marginal_test(leaning).statistic == pytest.approx(18)
    assert inference.marginal_test(leaning, method="bhapkar").undefined.startswith("no variance")
    few = inference.marginal_test(of([[1, 2, 3], [2, 3, 1]]), method="bhapkar")
    assert few.undefined.endswith("too few items for the number of differences")
    assert few.note is None
    assert (few.df, inference.marginal_test(of([[1, 2, 3], [2, 3, 1]])).df) == (2, 4)
    assert inference.marginal_test(leaning).to_dict()["statistic"] == [pytest.approx(18)]


def test_the_wald_test_refuses_what_would_take_hours():
    rows = np.arange(6000).reshape(-1, 6) % 3000
    with pytest.raises(ValueError, match="compares at most 2048 shares, here 15000"):
        inference.marginal_test(rows, method="bhapkar")
