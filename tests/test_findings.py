"""What a diagnosis finds: each gain is that of the changed annotations, and nothing is invented."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast.findings import Finding, Findings, findings


def study(seed: int = 1, n: int = 200, coders: int = 6, k: int = 4) -> np.ndarray:
    """Coders who mostly see the true category."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, k, n)
    guess = rng.integers(0, k, (n, coders))
    return np.where(rng.random((n, coders)) < 0.85, true[:, None], guess)


def of(found: Findings, kind: str) -> list[Finding]:
    return [one for one in found if one.kind == kind]


def test_a_group_at_random_is_found_and_its_gain_is_that_without_them() -> None:
    rng = np.random.default_rng(3)
    table = study(coders=8)
    table[:, [2, 5]] = rng.integers(0, 4, (200, 2))
    data = af.Annotations.from_wide(table)
    (group,) = of(findings(data), "coders")
    assert sorted(group.numbers["coders"]) == [2, 5]
    without = af.alpha(data.select(coders=[0, 1, 3, 4, 6, 7])).value
    assert group.numbers["value_without"] == pytest.approx(without, rel=1e-12)
    assert group.cost == pytest.approx(without - af.alpha(data).value, rel=1e-12)
    assert findings(data).costs[0] == group
    assert f"{without:.4f}" in group.sentence


@pytest.mark.parametrize(("coefficient", "distance"), [("alpha", "nominal"), ("beta", "interval")])
def test_a_single_coder_is_found(coefficient: str, distance: str) -> None:
    table = study(seed=2)
    table[:, 4] = np.random.default_rng(0).integers(0, 4, 200)
    data = af.Annotations.from_wide(table)
    worst = of(findings(data, coefficient, distance=distance), "coder")[0]
    assert worst.numbers["coder"] == 4
    others = data.select(coders=[0, 1, 2, 3, 5])
    expected = af.agreement(others, coefficient, distance=distance).value
    assert worst.numbers["value_without"] == pytest.approx(expected, rel=1e-10)
    assert "luck" not in worst.sentence


def test_coders_alike_may_differ_by_luck() -> None:
    found = findings(study(seed=5, n=40))
    assert not of(found, "coders")
    assert all("which may be luck" in one.sentence for one in of(found, "coder"))


def test_a_confusion_is_found_and_its_gain_is_that_of_the_merge() -> None:
    rng = np.random.default_rng(7)
    table = study(seed=4)
    swap = (table >= 2) & (rng.random(table.shape) < 0.5)
    table[swap] = rng.integers(2, 4, swap.sum())
    data = af.Annotations.from_wide(table)
    found = findings(data)
    worst = of(found, "confusion")[0]
    assert worst.numbers["categories"] == [2, 3]
    merged = af.alpha(data.merge_categories({3: 2})).value
    assert worst.numbers["value_merged"] == pytest.approx(merged, rel=1e-12)
    o = data.coincidence_matrix()
    n = o.sum(0)
    assert worst.numbers["over_expected"] == pytest.approx(
        o[2, 3] / (n[2] * n[3] / (n.sum() - 1)), rel=1e-12
    )
    assert worst.numbers["share"] == pytest.approx(2 * o[2, 3] / (o.sum() - np.trace(o)))
    assert "not a new study" in worst.advice
    assert not of(findings(data, distance="interval"), "confusion")


def test_disputed_items_are_found_where_they_stand_out() -> None:
    rows = [[1, 1, 1, 1]] * 45 + [[2, 2, 2, 2]] * 45 + [[1, 1, 1, 2]] * 8 + [[1, 2, 3, 4]] * 2
    data = af.Annotations.from_wide(rows)
    (one,) = of(findings(data), "items")
    assert one.numbers["items"] == [98, 99]
    # D_o of the two is 1 each, of the eight 1/2 each.
    assert one.numbers["share"] == pytest.approx(2 / 6)
    result = af.alpha(data)
    like_others = (2 - 2 * 4 / 98) / 100 / result.expected_disagreement
    assert one.cost == pytest.approx(like_others, rel=1e-12)
    weighted = af.Annotations.from_wide(
        [[1, 1, 1, 1], [2, 2, 2, 2], [1, 1, 1, 2], [1, 2, 3, 4]], weights=[45, 45, 8, 2]
    )
    (same,) = of(findings(weighted), "items")
    assert same.cost == pytest.approx(one.cost, rel=1e-12)


def test_items_that_are_equally_disputed_are_not_told_apart() -> None:
    assert not of(findings([[1, 2]] * 50 + [[1, 1]] * 25 + [[2, 2]] * 25), "items")


def test_bias_is_kappa_less_pi() -> None:
    rng = np.random.default_rng(1)
    true = rng.random(400) < 0.5
    rows = np.column_stack([true | (rng.random(400) < 0.6), true & (rng.random(400) < 0.4)])
    data = af.Annotations.from_wide(rows.astype(int))
    (one,) = of(findings(data), "bias")
    assert one.cost == pytest.approx(af.kappa(data).value - af.pi(data).value, rel=1e-12)
    assert not of(findings(data, "kappa"), "bias")


def test_prevalence_near_misses_and_width_are_told_and_cost_nothing() -> None:
    rows = [["no", "no"]] * 90 + [["no", "yes"]] * 4 + [["yes", "yes"]] * 6
    (one,) = of(findings(rows), "prevalence")
    assert one.numbers["pabak"] == pytest.approx(2 * 0.96 - 1)
    assert math.isnan(one.cost)
    scale = findings([[1, 2], [2, 2], [3, 4], [4, 4], [5, 5], [1, 1], [4, 5], [3, 3]])
    (near,) = of(scale, "near_misses")
    assert near.numbers["ordinal"] > near.numbers["nominal"]
    assert of(scale, "interval")
    silent = findings([["a", None], ["a", "a"], ["b", "a"], ["b", "b"], [None, None]])
    assert of(silent, "silent_items")[0].numbers["items"] == 2
    assert [one.kind for one in silent.remarks][-1] == "silent_items"


def test_costs_are_in_order_and_remarks_follow() -> None:
    found = findings(study(seed=9, n=60))
    costs = [one.cost for one in found.costs]
    assert costs == sorted(costs, reverse=True)
    assert all(cost >= 0.005 for cost in costs)
    assert all(math.isnan(one.cost) for one in found.remarks)
    assert len(found) == len(list(found))
    assert str(found).splitlines()[0].startswith("alpha (nominal) = ")


@pytest.mark.parametrize(
    "data",
    [
        [["a", "a"], ["a", "a"]],
        [["a", None], [None, "b"]],
        af.Annotations.from_long([], [], []),
    ],
    ids=["constant", "no pairs", "nothing"],
)
def test_an_undefined_coefficient_has_no_findings(data: Any) -> None:
    found = findings(data)
    assert (len(found), found.result.undefined is not None) == (0, True)


def test_unknown_coders_and_lists() -> None:
    counts = findings(af.Annotations.from_counts([[3, 1, 0], [0, 4, 0], [1, 1, 2], [0, 0, 4]]))
    assert {one.kind for one in counts} <= {"confusion", "items", "interval", "near_misses"}
    rng = np.random.default_rng(2)
    triples = [(f"c{rng.integers(40)}", i, int(rng.integers(3))) for i in range(300) for _ in "ab"]
    data = af.Annotations.from_triples(triples, duplicates="first")
    assert np.isfinite(findings(data).result.value)


def test_what_is_too_large_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from agreement_fast.findings import categories, items

    monkeypatch.setattr(categories, "MOST", 3)
    monkeypatch.setattr(items, "MOST", 3)
    told = [one for one in findings(study()).remarks if "not compared" in one.sentence]
    assert [one.kind for one in told] == ["confusion", "items"]


def test_sets_have_findings_too() -> None:
    rows = [["a|b", "a"], ["a", "a"], ["b", "b|c"], ["c", "c"], ["", "a"], ["", ""]]
    data = af.Annotations.from_wide(rows * 5, set_separator="|")
    found = findings(data, distance="masi")
    assert found.result.distance == "masi"
    assert "{a, b}" in str(findings(data))
