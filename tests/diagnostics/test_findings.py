"""Simulated faults are found with the right numbers, and data without faults have no findings."""

import json
import math

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import diagnose, report
from agreement_fast.diagnostics import coder_report, disagreements
from agreement_fast.diagnostics.findings import Diagnosis
from agreement_fast.inference import standard_error

FAULTS = {
    "bias", "prevalence", "confusion", "one coder", "coders at chance", "single-category coders",
    "disputed items", "few items",
}  # fmt: skip


def coded(seed, n_items=400, n_coders=5, shares=(0.25, 0.25, 0.25, 0.25), noise=0.1):
    """Simulate items × coders with noise; return the codes and the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(len(shares), n_items, p=shares)
    wrong = rng.random((n_items, n_coders)) < noise
    other = rng.choice(len(shares), (n_items, n_coders), p=shares)
    return np.where(wrong, other, truth[:, None]), truth, rng


@pytest.mark.parametrize("noise", [0.02, 0.1, 0.4])
def test_exchangeable_coders_have_no_findings(noise):
    """At a level of 1%, forty data sets may have one or two findings."""
    kinds = [
        finding.kind
        for seed in range(40)
        for finding in diagnose(coded(seed, noise=noise)[0])
        if finding.kind in FAULTS - {"few items"}
    ]
    assert len(kinds) <= 2


def test_good_data_have_no_finding():
    result = diagnose(coded(1, noise=0.02)[0])
    assert len(result) == 0
    assert "Nothing was found" in result.to_text()
    assert result.to_dict()["findings"] == []


def test_one_coder_who_guesses_is_found_first():
    table, _, rng = coded(2)
    table[:, 3] = rng.integers(0, 4, len(table))
    data = af.Annotations.from_wide(table, coders=list("abcde"))
    result = diagnose(data)
    first = result.findings[0]
    assert (first.kind, first.numbers["coder"]) == ("one coder", "d")
    without = af.alpha(data.select(coders=list("abce")))
    assert first.numbers["value_without"] == pytest.approx(without.value, rel=1e-12)
    assert first.cost == pytest.approx(without.value - af.alpha(data).value, rel=1e-9)
    assert f"Without coder d, alpha would be {without.value:.3f}" in first.sentence
    report = coder_report(data)
    assert first.numbers["against_rest"] == report.against_rest[3]


def test_two_confused_categories_are_found():
    table, _, rng = coded(3)
    swap = rng.random(table.shape) < 0.5
    table = np.where((table == 2) & swap, 3, np.where((table == 3) & swap, 2, table))
    labels = np.array(["no", "yes", "maybe", "perhaps"])[table]
    result = diagnose(labels)
    first = result.findings[0]
    assert first.kind == "confusion"
    assert {first.numbers["first"], first.numbers["second"]} == {"maybe", "perhaps"}
    merged = af.Annotations.from_wide(labels).merge_categories({"perhaps": "maybe"})
    gain = af.alpha(merged).value - af.alpha(labels).value
    assert first.cost == pytest.approx(gain, rel=1e-9)
    assert "does not replace a new study" in first.advice


def test_bias_is_found_with_the_three_numbers():
    """One of two coders says 1 instead of 0 in a third of the items."""
    table, _, rng = coded(4, n_coders=2, shares=(0.5, 0.5), noise=0.05)
    table[(rng.random(len(table)) < 0.6) & (table[:, 1] == 0), 1] = 1
    finding = diagnose(table).of("bias")[0]
    kappa, pi = af.kappa(table).value, af.pi(table).value
    assert finding.cost == pytest.approx(kappa - pi, rel=1e-9)
    assert finding.numbers["kappa"] == pytest.approx(kappa, rel=1e-12)
    assert finding.numbers["adjusted"] == pytest.approx(af.s(table).value, rel=1e-12)


def test_bias_that_straddles_a_threshold_is_found():
    """Di Eugenio & Glass's example 1: 0.6725 and 0.663 on different sides of 0.67."""
    result = diagnose(af.Annotations.from_contingency([[70, 25], [0, 55]]))
    bias = result.of("bias")[0]
    assert bias.numbers["straddles"] == [0.67]
    assert "different sides of 0.67" in bias.sentence


def test_prevalence_is_found():
    """Meyer's proper nouns: 96% agree, π is 0.31, specific agreement on the rare one is 1/3."""
    data = af.Annotations.from_contingency([[10, 20], [20, 1000]], categories=["+", "-"])
    finding = diagnose(data).of("prevalence")[0]
    assert finding.numbers["category"] == "-"
    assert finding.numbers["specific_agreement"]["+"] == pytest.approx(1 / 3)
    even = 2 * 1010 / 1050 - 1
    assert finding.numbers["value_with_even_categories"] == pytest.approx(even)
    assert finding.cost == pytest.approx(even - af.alpha(data).value)


def test_coders_of_one_category_are_found():
    table, _, _ = coded(5, n_coders=8)
    table[:, 2] = 1
    finding = diagnose(table).of("single-category coders")[0]
    assert finding.numbers["coders"] == [2]
    assert finding.numbers["categories"] == [1]
    assert "1 coder uses" in finding.sentence
    rest = np.delete(table, 2, axis=1)
    assert finding.cost == pytest.approx(af.alpha(rest).value - af.alpha(table).value, rel=1e-9)


def test_guessing_coders_of_a_crowd_are_found():
    table, _, rng = coded(6, n_items=600, n_coders=12)
    table[:, [4, 9]] = rng.integers(0, 4, (600, 2))
    finding = diagnose(table).of("coders at chance")[0]
    assert sorted(finding.numbers["coders"]) == [4, 9]
    rest = np.delete(table, [4, 9], axis=1)
    assert finding.cost == pytest.approx(af.alpha(rest).value - af.alpha(table).value, rel=1e-9)


def test_a_few_items_that_hold_the_disagreement_are_found():
    table, _, rng = coded(7, n_items=500, shares=(0.9, 0.1), noise=0.0)
    table[:70] = rng.integers(0, 2, (70, 5))
    result = diagnose(table)
    finding = result.of("disputed items")[0]
    items = disagreements(table)
    assert finding.numbers["n_holding_half"] == items.holding(0.5) <= 50
    assert all(item < 70 for item in finding.numbers["items"])
    share = finding.numbers["share"]
    assert share >= 0.5
    assert finding.cost == pytest.approx(share * (1 - result.agreement.value), rel=1e-9)


def test_few_items_are_found():
    finding = diagnose(coded(8, n_items=20, noise=0.3)[0]).of("few items")[0]
    assert finding.cost > 0.1
    assert finding.numbers["n_items"] == 20
    assert not diagnose(coded(8, n_items=5000, noise=0.3)[0]).of("few items")


def test_one_item_is_few():
    data = af.Annotations.from_wide([("x", "y", "y")], coders=["a", "b", "c"])
    finding = diagnose(data).of("few items")[0]
    assert math.isnan(finding.cost)
    assert finding.numbers == {"n_items": 1}


@pytest.mark.parametrize(
    ("data", "coefficient", "distance"),
    [
        (af.Annotations.from_wide(np.zeros((0, 3))), "alpha", "nominal"),
        (np.random.default_rng(0).normal(size=(6000, 3)), "alpha", "interval"),
        (np.random.default_rng(0).normal(size=(6000, 3)), "beta", "interval"),
        ([[{"a"}, {"a", "b"}, {"b"}], [{"a"}, {"a"}, {"c"}]] * 9, "alpha", "jaccard"),
    ],
    ids=["empty", "numbers", "numbers, beta", "sets"],
)
def test_any_data(data, coefficient, distance):
    data = af.Annotations.from_wide(data) if not isinstance(data, af.Annotations) else data
    result = diagnose(data, coefficient, distance=distance)
    value = af.agreement(data, coefficient, distance=distance).value
    assert result.agreement.value == pytest.approx(value, nan_ok=True)
    assert result.to_text()
    json.dumps(result.to_dict(), allow_nan=False)


def test_pieces_that_let_coders_go_are_diagnosed():
    table, _, _ = coded(15, noise=0.4)
    pieces = [af.Annotations.from_wide(part) for part in np.array_split(table, 3)]
    data = af.concat(pieces, keep_items=False, keep_coders=False)
    result, whole = diagnose(data), diagnose(table)
    assert [text.split(" (")[0] for text in result.skipped] == ["single coders"]
    assert [f.kind for f in result] == [f.kind for f in whole if f.kind != "one coder"]


def test_coders_who_guess_have_no_agreement():
    """The advice is not to collect more judgments: the data or the task may be misread."""
    result = diagnose(np.random.default_rng(15).integers(0, 3, (400, 4)))
    first = result.findings[0]
    assert first.kind == "no agreement"
    assert first.numbers["low"] <= 0 <= first.numbers["high"] < 0.2
    assert "no more than expected by chance" in first.sentence
    assert not result.of("few items")
    few = diagnose(np.random.default_rng(15).integers(0, 3, (10, 4)))
    assert "it is unclear whether coders agree beyond chance" in few.of("few items")[0].sentence


def test_evenly_spread_disagreement_is_not_called_good():
    result = diagnose(coded(1, n_items=2000, noise=0.25)[0])
    assert len(result) == 0
    assert result.agreement.value < 0.67
    assert "Nothing stands out" in result.to_text()


def test_an_interval_of_few_items_stays_within_the_scale():
    """The interval is that of the report, on Fisher's scale."""
    rows = [(0, 1), (0, 0), (1, 1)]
    finding = diagnose(rows).of("few items")[0]
    known = standard_error(rows)
    assert (finding.numbers["low"], finding.numbers["high"]) == (known.low, known.high)
    assert -1 < known.low < known.high < 1
    assert finding.cost == (known.high - known.low) / 2
    assert f"(95% interval {known.low:.3f} to {known.high:.3f})" in finding.sentence


def test_the_interval_of_a_finding_has_the_requested_level():
    rows = coded(8, n_items=20, noise=0.4)[0]
    documents = [i // 4 for i in range(20)]
    known = standard_error(rows, confidence_level=0.8, cluster=documents)
    finding = diagnose(rows, confidence_level=0.8, cluster=documents).of("few items")[0]
    assert (finding.numbers["low"], finding.numbers["high"]) == (known.low, known.high)
    assert f"(80% interval {known.low:.3f} to" in finding.sentence
    assert known.low != standard_error(rows, confidence_level=0.8).low


def test_few_judgments_are_found():
    table, _, rng = coded(9, noise=0.4)
    rows = table.astype(object)
    finding = diagnose(rows).of("few judgments")[0]
    value = af.alpha(rows).value
    together = 5 * value / (1 + 4 * value)
    assert finding.numbers["reliability_together"] == pytest.approx(together)
    expected = finding.numbers["judgments_for_0.8"]
    assert expected * value / (1 + (expected - 1) * value) >= 0.8
    assert (expected - 1) * value / (1 + (expected - 2) * value) < 0.8
    rows[rng.random(rows.shape) < 0.7] = None
    finding = diagnose(rows).of("few judgments")[0]
    dropped = sum(sum(x is not None for x in row) < 2 for row in rows)
    assert finding.numbers["n_items_dropped"] == dropped
    assert math.isnan(finding.cost)


@pytest.mark.parametrize(
    ("rows", "reason"), [([("x", None), (None, "y")], "no pairs"), ([("x", "x")] * 3, "variation")]
)
def test_undefined_says_why_and_nothing_else(rows, reason):
    result = diagnose(rows)
    (finding,) = result
    assert finding.kind == "undefined"
    assert reason in finding.sentence.lower()
    assert "undefined" in result.to_text()
    assert result.to_dict()["value"] is None


def test_findings_are_ordered_by_cost_and_print():
    table, _, rng = coded(10, n_coders=6, noise=0.2)
    table[:, 3] = rng.integers(0, 4, len(table))
    table[:, 1] = np.where((table[:, 1] == 2) & (rng.random(len(table)) < 0.8), 3, table[:, 1])
    result = diagnose(table)
    costs = [finding.cost for finding in result if not math.isnan(finding.cost)]
    assert len(costs) >= 1
    assert costs == sorted(costs, reverse=True)
    text = result.to_text(width=60)
    assert all(len(line) <= 60 for line in text.splitlines())
    assert all(finding.kind.capitalize() in text for finding in result)
    document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert [one["kind"] for one in document["findings"]] == [finding.kind for finding in result]
    assert repr(result).startswith("<alpha(nominal) = ")
    assert isinstance(result, Diagnosis)
    assert str(result) == result.to_text()


@pytest.mark.parametrize("coefficient", ["alpha", "pi", "kappa", "s", "ac"])
@pytest.mark.parametrize("incomplete", ["published", "pairable", "complete"])
def test_any_coefficient_and_incomplete_data(coefficient, incomplete):
    table, _, rng = coded(11, n_items=300)
    rows = table.astype(object)
    rows[rng.random(rows.shape) < 0.1] = None
    rows[:, 0] = rng.integers(0, 4, 300)
    result = diagnose(rows, coefficient, incomplete=incomplete)
    value = af.agreement(rows, coefficient, incomplete=incomplete).value
    assert result.agreement.value == pytest.approx(value, rel=1e-12)
    assert bool(result.of("one coder")) == (incomplete != "complete")


def test_skipped_checks_are_listed(monkeypatch):
    counts = af.Annotations.from_counts([[2, 1], [0, 3], [3, 0]])
    result = diagnose(counts)
    assert [text.split(" (")[0] for text in result.skipped] == ["single coders", "bias"]
    assert "Not examined: single coders (it is not known who judged what)" in result.to_text(
        width=200
    )
    assert result.to_dict()["skipped"] == list(result.skipped)
    assert diagnose([(1, 2), (1, 1), (2, 2)]).skipped == ("single coders (there are only two)",)
    table = coded(1)[0]
    assert diagnose(table).skipped == ()
    assert "complete" in diagnose(table, incomplete="complete").skipped[0]
    monkeypatch.setattr("agreement_fast.diagnostics.diagnosis.CATEGORIES", 3)
    monkeypatch.setattr("agreement_fast.diagnostics.diagnosis.CELLS", 3)
    skipped = diagnose(table).skipped
    assert [text.split(" (")[0] for text in skipped] == ["single coders", "bias", "categories"]


@pytest.mark.parametrize("distance", ["interval", "ordinal", "linear"])
def test_any_distance(distance):
    table, _, rng = coded(12, n_items=300)
    table[:, 0] = rng.integers(0, 4, 300)
    finding = diagnose(table, distance=distance).of("one coder")[0]
    rest = af.alpha(table[:, 1:], distance).value
    assert finding.numbers["value_without"] == pytest.approx(rest, rel=1e-12)


def test_counts_without_coders_and_weights_are_diagnosed():
    table, _, _ = coded(13, noise=0.4)
    data = af.Annotations.from_wide(table)
    counts = af.Annotations.from_counts(data.to_counts())
    kinds = [finding.kind for finding in diagnose(counts)]
    assert kinds == [
        finding.kind for finding in diagnose(data) if finding.kind not in ("bias", "one coder")
    ]
    weighted = af.Annotations.from_wide(table[:50], weights=[3] * 50)
    repeated = af.Annotations.from_wide(np.repeat(table[:50], 3, axis=0))
    a, b = diagnose(weighted), diagnose(repeated)
    assert [f.kind for f in a] == [f.kind for f in b]
    assert [f.cost for f in a] == pytest.approx([f.cost for f in b], rel=1e-9, nan_ok=True)


def test_the_error_of_a_gain_is_that_of_the_jackknife():
    """Leave each item out, exactly: √((n − 1)/n Σ (gain_i − mean)²)."""
    from agreement_fast.diagnostics.findings import gain
    from agreement_fast.points import Point

    table, _, _ = coded(14, n_items=150, noise=0.3)
    data = af.Annotations.from_wide(table)
    merged = data.merge_categories({3: 2})
    result = gain(data, merged, Point.of("alpha", "nominal"), "published")
    left = []
    for i in range(150):
        rest = np.delete(table, i, axis=0)
        joined = np.where(rest == 3, 2, rest)
        left.append(af.alpha(joined).value - af.alpha(rest).value)
    jackknife = math.sqrt(149 / 150 * sum((np.array(left) - np.mean(left)) ** 2))
    assert result.gain == pytest.approx(af.alpha(merged).value - af.alpha(data).value, rel=1e-9)
    assert result.standard_error == pytest.approx(jackknife, rel=0.02)


SETS = [["a", "a|b"], ["a", "a"], ["b", "b|c"], ["b", "b"], ["c", "c"], ["a|c", "a"]] * 6


def test_sets_have_a_usual_distance():
    """The default is masi for sets, if the coefficient takes a distance."""
    data = af.Annotations.from_wide(SETS, set_separator="|")
    usual = diagnose(data)
    assert usual.agreement == af.alpha(data, "masi")
    assert diagnose(data, distance="nominal").agreement == af.alpha(data)
    assert diagnose(data, "kappa").agreement == af.kappa(data)
    assert diagnose([["a", "b"], ["a", "a"]]).agreement.distance == "nominal"
    assert diagnose([[{"a"}, "b"], ["b", "b"]]).agreement.distance == "nominal"
    outcome = report(data, ["alpha"])
    assert [result.distance for result in outcome.table] == ["nominal", "masi"]
    assert [result.distance for result in report([["a", "b"]] * 3, ["alpha"]).table] == ["nominal"]


def test_a_category_that_is_a_set_is_named_as_a_whole():
    rows = [["S", "S"]] * 30 + [["S", "S|C"]] * 12 + [["C", "C"]] * 3
    data = af.Annotations.from_wide(rows, set_separator="|")
    (finding,) = diagnose(data, distance="nominal").of("prevalence")
    assert finding.sentence.startswith("exactly {S} makes up ")
    assert "If one coder chooses exactly {C, S}, another does in 0% of cases" in finding.sentence


def test_the_weight_of_items_in_the_observed_agreement_is_named():
    rows = [["x", "x", "x"]] * 60 + [["x", "y", None]] * 8 + [["y", "y", None]]
    for coefficient, weighed in (("alpha", "judgment"), ("pi", "item")):
        (finding,) = diagnose(rows, coefficient).of("prevalence")
        observed = finding.numbers["observed_agreement"]
        assert (
            f"observed agreement of {observed:.3f} (each {weighed} counts the same)"
            in finding.sentence
        )
    each = diagnose([row[:] for row in rows]).of("few judgments")[0]
    assert each.sentence.startswith("Items with at least two judgments have 2.87 on average.")
