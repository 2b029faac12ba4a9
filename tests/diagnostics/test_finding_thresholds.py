"""Findings just above a threshold are reported, and those just below are not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import bootstrap, diagnose
from agreement_fast.diagnostics import coder_report
from agreement_fast.diagnostics.diagnosis import diagnosis
from agreement_fast.diagnostics.findings import Finding, Gain, gain
from agreement_fast.inference import standard_error
from agreement_fast.points import Point


def study(seed: int, n_items: int, n_coders: int, noise: float) -> np.ndarray:
    """Simulate four categories and coders who guess in a share of the items."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 4, (n_items, 1))
    guess = rng.random((n_items, n_coders)) < noise
    return np.where(guess, rng.integers(0, 4, (n_items, n_coders)), true)


def finding_of(data: Any, kind: str) -> Finding | None:
    findings = diagnose(data).of(kind)
    assert len(findings) < 2
    return findings[0] if findings else None


# ---------------------------------------------------------------- gains


@pytest.mark.parametrize(("share", "expected"), [(0.05, True), (0.025, False)])
def test_a_gain_of_at_least_a_hundredth_is_reported(share: float, expected: bool) -> None:
    """One coder guesses a share of 20,000 items: both gains are significant."""
    table = study(0, 20_000, 6, 0.1)
    rng = np.random.default_rng(0)
    more = rng.random(20_000) < share
    table[more, 0] = rng.integers(0, 4, more.sum())
    added = af.alpha(table[:, 1:]).value - af.alpha(table).value
    assert 0.01 < added < 0.02 if expected else 0.005 < added < 0.01
    assert (finding_of(table, "one coder") is not None) == expected


def test_a_gain_that_sampling_explains_is_not_reported() -> None:
    """With few items, the gain of the same coder is larger but not significant."""
    table = study(1, 60, 6, 0.2)
    added = max(af.alpha(np.delete(table, c, 1)).value for c in range(6)) - af.alpha(table).value
    assert added > 0.01
    assert finding_of(table, "one coder") is None


def test_single_category_coders_without_a_gain_are_not_reported() -> None:
    """They agree with a prevailing category: without them alpha would be lower."""
    rng = np.random.default_rng(3)
    table = (rng.random((400, 1)) < 0.3) ^ (rng.random((400, 8)) < 0.1)
    table = table.astype(int).astype(object)
    table[:, 7] = 0
    without = af.alpha(np.delete(table, 7, 1)).value - af.alpha(table).value
    assert without > 0.01
    assert finding_of(table, "single-category coders") is not None
    # A coder who says 0 if all others do, too often for chance.
    table[:, 7] = None
    agreed = np.flatnonzero((table[:, :7] == 0).all(1))
    table[agreed, 7] = 0
    report = coder_report(table)
    assert report.single_category[7]
    assert report.chance_of_one[7] * 8 < 0.01
    assert report.change[7] < 0
    assert finding_of(table, "single-category coders") is None


def test_one_category_must_be_unlikely_for_the_best_of_all_coders() -> None:
    """Eight judgments of one category: 1 in 109 for a coder, 1 in 14 for one of eight coders."""
    rng = np.random.default_rng(1)
    true = rng.integers(0, 2, 60)
    table = np.repeat(true[:, None], 8, 1).astype(object)
    table[:, 0] = None
    table[np.flatnonzero(true == 0)[:8], 0] = 1
    report = coder_report(table)
    assert report.single_category[0]
    assert report.chance_of_one[0] < 0.01 < 8 * report.chance_of_one[0]
    data = af.Annotations.from_wide(table)
    without = data.select(coders=range(1, 8))
    assert gain(data, without, Point.of("alpha", "nominal"), "published").worth_reporting
    assert finding_of(table, "single-category coders") is None
    # With nine judgments it is significant.
    table[np.flatnonzero(true == 0)[8:12], 0] = 1
    assert coder_report(table).chance_of_one[0] * 8 < 0.01
    assert finding_of(table, "single-category coders") is not None


def test_the_error_of_a_gain_has_n_less_1() -> None:
    """S is linear in the items, so the error of a difference is that of a mean of differences."""
    rows = [[0, 1], [0, 0], [1, 1], [2, 1], [2, 2], [0, 2], [1, 1]]
    data = af.Annotations.from_wide(rows, categories=[0, 1, 2])
    other = af.Annotations.from_wide(
        [[a, a] if i % 3 == 0 else [a, b] for i, (a, b) in enumerate(rows)], categories=[0, 1, 2]
    )
    point = Point.of("s", "nominal")
    added = gain(data, other, point, "published")
    apart = np.array([[a != b for a, b in d.to_wide().tolist()] for d in (data, other)])
    moved = (apart[0].astype(float) - apart[1]) * 3 / 2
    assert added.gain == pytest.approx(moved.mean(), rel=1e-12)
    assert added.standard_error == pytest.approx(moved.std(ddof=1) / math.sqrt(7), rel=1e-12)


@pytest.mark.parametrize(
    ("added", "p_value", "reported"),
    [(0.01, 0.0099, True), (0.0099, 0.0, False), (0.5, 0.01, False), (math.nan, math.nan, False)],
)
def test_a_gain_is_reported_if_it_is_large_and_significant(
    added: float, p_value: float, reported: bool
) -> None:
    assert Gain(0.5, added, 0.001, p_value).worth_reporting == reported


# ---------------------------------------------------------------- coders at chance


def crowd(right: float) -> np.ndarray:
    """Eight good coders, and two who know the category with a probability, else guess."""
    rng = np.random.default_rng(3)
    true = rng.integers(0, 4, 800)
    table = np.where(rng.random((800, 10)) < 0.9, true[:, None], rng.integers(0, 4, (800, 10)))
    for coder in (2, 5):
        knows = rng.random(800) < right
        table[:, coder] = np.where(knows, true, rng.integers(0, 4, 800))
    return table


def test_agreement_of_a_tenth_is_more_than_chance() -> None:
    weak, guesses = crowd(0.16), crowd(0.02)
    for table, low, high in ((weak, 0.1, 0.12), (guesses, -0.05, 0.05)):
        values = coder_report(table).against_rest[[2, 5]]
        assert (values > low).all()
        assert (values < high).all()
    assert finding_of(weak, "coders at chance") is None
    at_chance = finding_of(guesses, "coders at chance")
    assert at_chance is not None
    assert at_chance.numbers["coders"] == [5, 2]


def test_a_coder_of_one_item_is_not_at_chance() -> None:
    """Ten coders of one judgment each, wrong: their error would be 0 by the bound."""
    triples = [(f"c{c}", i, i % 2) for i in range(100) for c in range(14)]
    triples += [(f"new{i}", i, 1 - i % 2) for i in range(10)]
    data = af.Annotations.from_triples(triples)
    values = coder_report(data).against_rest
    assert (values < 0.1).sum() == 10
    assert np.median(values) > 0.9
    assert finding_of(data, "coders at chance") is None


# ---------------------------------------------------------------- categories


def test_a_category_prevails_from_two_thirds_on() -> None:
    """Three rare categories of the same size, confused with the common one."""

    def table(common: int) -> af.Annotations:
        rare = (1000 - common) // 3
        counts = np.diag([common - 90, rare - 40, rare - 40, rare - 40])
        counts[0, 1:] = counts[1:, 0] = 40
        return af.Annotations.from_contingency(counts)

    for common, expected in ((640, False), (690, True)):
        data = table(common)
        shares = data.coder_marginals().sum(0) / (2 * data.n_items)
        even = 1 - 4 / 3 * (1 - af.observed_agreement(data).value)
        assert even - af.alpha(data).value > 0.05
        assert (shares[0] > 2 / 3) == expected
        assert shares[0] > 0.6
        assert (finding_of(data, "prevalence") is not None) == expected


def test_prevalence_must_cost_a_twentieth() -> None:
    for counts, low, high, expected in (
        ([[1280, 100], [100, 520]], 0.01, 0.05, False),
        ([[1360, 100], [100, 440]], 0.05, 0.06, True),
    ):
        data = af.Annotations.from_contingency(counts)
        value = af.alpha(data).value
        assert value < 0.8
        even = 2 * af.observed_agreement(data).value - 1
        assert low < even - value < high
        assert (finding_of(data, "prevalence") is not None) == expected


# ---------------------------------------------------------------- items


def test_an_interval_is_wide_from_a_tenth_on_either_side() -> None:
    """No threshold in either interval."""
    wide, narrow = study(5, 50, 4, 0.4), study(0, 120, 4, 0.35)
    for table, low, high in ((wide, 0.1, 0.15), (narrow, 0.05, 0.1)):
        error = standard_error(table)
        assert low < (error.high - error.low) / 2 < high
        assert error.low > 0
        assert error.high < 0.67
        assert (finding_of(table, "few items") is not None) == (low == 0.1)


def test_a_wide_interval_that_includes_0_is_not_no_agreement() -> None:
    wide, narrow = (np.random.default_rng(15).integers(0, 3, (n, 4)) for n in (40, 60))
    for table, low, high in ((wide, 0.1, 0.15), (narrow, 0.05, 0.1)):
        error = standard_error(table)
        assert low < (error.high - error.low) / 2 < high
        assert error.low < 0 < error.high
        assert (finding_of(table, "no agreement") is not None) == (high == 0.1)
        assert (finding_of(table, "few items") is not None) == (low == 0.1)


def test_a_threshold_within_two_hundredths_is_no_reason_for_more_items() -> None:
    near, nearer = study(1, 800, 4, 0.185), study(1, 3000, 4, 0.185)
    for table, low, high in ((near, 0.02, 0.05), (nearer, 0.01, 0.02)):
        error = standard_error(table)
        assert low < (error.high - error.low) / 2 < high
        assert error.low < 0.67 <= error.high
        finding = finding_of(table, "few items")
        assert (finding is not None) == (low == 0.02)
        if finding is not None:
            assert finding.numbers["thresholds"] == [0.67]


def test_the_recommended_number_of_items_gives_the_promised_interval() -> None:
    """With the recommended number of items, the interval is ±.05."""
    table = study(5, 50, 4, 0.4)
    finding = finding_of(table, "few items")
    assert finding is not None
    expected = finding.numbers["n_items_for_0.05"]
    assert f"requires about {expected:,} items" in finding.advice
    times = expected / 50
    assert times > 4
    many = af.Annotations.from_wide(table, weights=[round(times)] * 50)
    error = standard_error(many)
    reach = (error.high - error.low) / 2
    # with normal quantiles in place of Student's of 49 degrees of freedom, 2.5% less
    assert reach * math.sqrt(round(times) / times) == pytest.approx(0.05, rel=0.04)


def test_the_width_of_a_bootstrap_interval_gives_the_number_of_items() -> None:
    """Four times the items halve it."""
    data = af.Annotations.from_wide(study(5, 50, 4, 0.4))
    interval = bootstrap(data, "alpha", n_resamples=200, rng=1)
    point = Point.of("alpha", "nominal")
    (finding,) = diagnosis(data, point, lambda: interval, "published").of("few items")
    times = ((interval.high - interval.low) / 0.1) ** 2
    assert times > 4
    assert finding.numbers["n_items_for_0.05"] == math.ceil(50 * times)


@pytest.mark.parametrize(("dropped", "expected"), [(20, True), (8, False)])
def test_one_item_in_twenty_may_have_one_judgment(dropped: int, expected: bool) -> None:
    """Of 200 items."""
    table = study(2, 200, 5, 0.02).astype(object)
    table[:dropped, 1:] = None
    finding = finding_of(table, "few judgments")
    assert (finding is not None) == expected
    if finding is not None:
        assert finding.numbers["n_items_dropped"] == dropped
        assert f"{dropped} of 200 items have fewer than two judgments" in finding.sentence


def test_items_that_are_equally_disputed_are_all_counted() -> None:
    """Of nine equally disputed items, the first five are listed in the order of the data."""
    even, odd = ["a", "a", "b", "b"], ["a", "a", "a", "b"]
    rows = [even] * 9 + [odd] + [["a"] * 4] * 80 + [["b"] * 4] * 10
    names = [f"i{i}" for i in range(100)]
    finding = finding_of(af.Annotations.from_wide(rows, items=names), "disputed items")
    assert finding is not None
    assert finding.sentence == (
        "92% of the disagreement lies in 9 of 100 items, which are equally disputed:"
        " i0, i1, i2, i3, i4 and 4 more."
    )
    assert finding.numbers["n_equally_disputed"] == 9
    assert finding.numbers["n_holding_half"] == 5
    assert finding.numbers["share"] == pytest.approx(6 / 6.5)
    # Eleven items are too many for a finding, although six of them hold half.
    rows = [even] * 11 + [odd] + [["a"] * 4] * 79 + [["b"] * 4] * 9
    assert finding_of(rows, "disputed items") is None


@pytest.mark.parametrize(
    "rows",
    [
        [["a", "b"]] * 9 + [["a", "a"]] * 81 + [["b", "b"]] * 10,
        [["a", "a", "b"]] * 9 + [["a"] * 3] * 91,
        [["a", "b"]] + [["a", "a"]] * 50,
    ],
    ids=["two coders", "one against two", "one item"],
)
def test_equally_disputed_items_alone_are_not_a_finding(rows) -> None:
    """All disputed items are equally disputed."""
    assert finding_of(rows, "disputed items") is None
    # With one less disputed item, the others stand out.
    wide = [(*row, *row) for row in rows] + [(*["a"] * (2 * len(rows[0]) - 1), "b")]
    assert finding_of(wide, "disputed items") is not None


def test_a_half_that_ends_where_a_tie_ends_leaves_none_out() -> None:
    """Three items of 2 against 2, and two of 3 against 1."""
    rows = [["a", "a", "b", "b"]] * 3 + [["a", "a", "a", "b"]] * 2
    finding = finding_of(
        af.Annotations.from_wide(rows + [["a"] * 4] * 100 + [["b"] * 4] * 5), "disputed items"
    )
    assert finding is not None
    assert finding.sentence == (
        "Half of the disagreement lies in 3 of 110 items. The most disputed are 0, 1, 2, 3, 4."
    )
    numbers = finding.numbers
    assert (numbers["n_holding_half"], numbers["n_equally_disputed"]) == (3, 0)


def test_a_tie_at_the_end_of_the_list_is_reported() -> None:
    """Three items of 2 against 2, and eight of 3 against 1 after them."""
    pairs = [["a", "a", "b", "b"]] * 3 + [["a", "a", "a", "b"]] * 8
    rows = pairs + [["a"] * 4] * 195 + [["b"] * 4] * 5
    finding = finding_of(af.Annotations.from_wide(rows), "disputed items")
    assert finding is not None
    # 3 × 2/3 + 8 × 1/2 = 6: the three hold a third, two more a half
    assert finding.sentence == (
        "Half of the disagreement lies in 5 of 211 items. The most disputed are 0, 1, 2, 3, 4"
        " (and 6 more tied with the last)."
    )
    assert finding.numbers["n_equally_disputed"] == 8
    rows = pairs[:4] + [["a"] * 4] * 118 + [["b"] * 4] * 2
    finding = finding_of(af.Annotations.from_wide(rows), "disputed items")
    assert finding is not None
    assert finding.sentence.startswith("80% of the disagreement lies in 3 of 124 items, which are")
