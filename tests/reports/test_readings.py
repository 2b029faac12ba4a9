"""Scales are read where they apply, with where the interval reaches; KALPHA's probabilities."""

from __future__ import annotations

from typing import Any

import pytest

import agreement_fast as af
from agreement_fast import report
from agreement_fast.reports.intervals import FAILING

CROSSING = af.Annotations.from_contingency([[20, 20], [10, 50]])
CLEAR = af.Annotations.from_contingency([[2000, 2000], [1000, 5000]])


def lines(data: Any, *args: Any, **options: Any) -> dict[str, str]:
    text = report(data, *args, **options).to_text()
    table = text.split("How such values have been read")[1].split("For a paper")[0]
    return {line.split("  ")[1]: line for line in table.splitlines() if line.startswith("  ")}


def test_an_interval_that_crosses_a_border_says_so() -> None:
    assert lines(CROSSING)["Landis & Koch 1977"].split("  ")[-1].strip() == "slight to moderate"
    assert lines(CLEAR)["Landis & Koch 1977"].split("  ")[-1].strip() == "the same"
    result = report(CROSSING).to_dict()["paper"]["readings"]["landis_koch_1977"]
    assert result == {
        "value": "fair: .21 to .40",
        "low": "slight: .00 to .20",
        "high": "moderate: .41 to .60",
    }


@pytest.mark.parametrize(
    ("coefficients", "distances", "why"),
    [
        (["ac"], None, "Not read so: ac (nominal). S and AC assume that chance agreement is rare"),
        (["s", "alpha"], None, "Not read so: s (nominal). S and AC"),
        (None, ["nominal", "interval"], "Not read so: alpha (interval). With another distance"),
    ],
)
def test_no_scale_is_read_where_none_applies(coefficients: Any, distances: Any, why: str) -> None:
    data = af.Annotations.from_contingency([[20, 20], [10, 50]], categories=[1, 2])
    result = report(data, coefficients, distances)
    text = result.to_text()
    assert why in " ".join(text.split())
    assert "Landis & Koch" not in text
    assert result.to_dict()["paper"]["readings"] == {}
    assert "Not read so" not in result.to_text(explain=False)


def test_only_the_coefficient_that_is_quoted_is_read() -> None:
    """W12: S .82 was called almost perfect above a kappa of .13."""
    essays = af.Annotations.from_contingency([[90, 4], [5, 1]], categories=["ok", "no"])
    text = report(essays).to_text()
    assert "How such values have been read: alpha (nominal) 0.1385\n" in text
    assert "almost perfect" not in text


def test_values_without_an_interval_are_read_alone() -> None:
    added = af.concat([CROSSING], keep_items=False, keep_coders=False)
    row = lines(added, ["kappa"])["Landis & Koch 1977"]
    assert row.split() == ["Landis", "&", "Koch", "1977", "fair"]
    reading = report(added, ["kappa"]).to_dict()["paper"]["readings"]["landis_koch_1977"]
    assert (reading["low"], reading["high"]) == (None, None)
    assert "How such" not in report([["x", "x"], ["x", "x"]]).to_text()


def test_the_probabilities_of_failing_are_those_of_the_resamples() -> None:
    options: dict[str, Any] = {"method": "krippendorff", "n_resamples": 400, "rng": 2}
    data = af.Annotations.from_contingency([[40, 5], [5, 50]])
    result = report(data, ["alpha"], **options)
    assert result.intervals is not None
    replicates = result.intervals[0].replicates
    expected = [float((replicates < least).mean()) for least in FAILING]
    assert 0 < expected[2] < 1
    text = result.to_text()
    table = text.split("Probability of failing to reach a value")[1].split("\n\n")[1]
    head, row = (line.split() for line in table.splitlines())
    assert head[2:] == ["0.90", "0.80", "0.70", "0.67", "0.60", "0.50"]
    assert list(map(float, row[2:])) == pytest.approx(expected, abs=5e-5)
    document = result.to_dict()["table"][0]["interval"]["failing"]
    assert [one["minimum"] for one in document] == list(FAILING)
    assert [one["probability"] for one in document] == expected


@pytest.mark.parametrize("interval", ["delta", "bca"])
def test_other_intervals_have_no_such_probabilities(interval: str) -> None:
    result = report(CROSSING, ["alpha"], method=interval, n_resamples=50, rng=1)
    assert "failing" not in result.to_text()
    assert result.to_dict()["table"][0]["interval"]["failing"] is None
