"""The pieces of benchmarks/coverage.py, and the table of docs/inference.md that it makes."""

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def coverage():
    """The script as a module."""
    import sys

    spec = importlib.util.spec_from_file_location(
        "coverage_study", ROOT / "benchmarks" / "coverage.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_the_settings_are_those_of_the_issue(coverage):
    """At least 12: 20 to 1000 items, 2, 3, 10 coders, even and skewed, missing judgments."""
    made = coverage.settings().values()
    assert len(made) >= 12
    assert {n for n, _ in made} == {20, 50, 200, 1000}
    assert {len(population.accuracy) for _, population in made} == {2, 3, 10}
    assert {max(population.shares) for _, population in made} == {0.25, 0.9}
    # Each combination of shares and missing judgments, for each number of items and coders.
    kinds = {(max(p.shares), p.missing) for _, p in made}
    assert kinds == {(0.25, 0.0), (0.9, 0.0), (0.25, 0.3), (0.9, 0.3)}
    assert len(made) == 4 * 3 * len(kinds)


@pytest.mark.parametrize("name", ["1000 items, 3 coders, skewed", "20 items, 10 coders, even, 30%"])
def test_true_values_are_those_of_a_large_sample(coverage, name):
    """200,000 items come within five standard errors of the exact expectation."""
    _, population = next(v for k, v in coverage.settings().items() if k.startswith(name))
    codes = population.draw(200_000, np.random.default_rng(1))
    data = af.Annotations.from_wide(codes, missing=-1, categories=range(len(population.shares)))
    assert np.mean(codes == -1) == pytest.approx(population.missing, abs=0.005)
    values = population.values()
    observed = af.observed_agreement(data)
    assert abs(observed.value - values.pop("observed_agreement")) < 5 * observed.standard_error
    for coefficient, true in values.items():
        found = af.inference.standard_error(data, coefficient)
        assert abs(found.value - true) < 5 * found.standard_error, coefficient


def test_intervals_from_a_standard_error(coverage):
    """z and t reaches, and two scales on which the interval is symmetric."""
    made = coverage.delta_intervals(0.8, 0.05, 20)
    assert set(made) == set(coverage.DELTA)
    assert made["normal"] == pytest.approx((0.8 - 1.959964 * 0.05, 0.8 + 1.959964 * 0.05))
    assert made["t"][1] - 0.8 == pytest.approx(2.093024 * 0.05, rel=1e-6)
    low, high = made["log t"]
    assert (1 - low) * (1 - high) == pytest.approx(0.2**2)
    assert math.log((1 - low) / 0.2) == pytest.approx(2.093024 * 0.05 / 0.2, rel=1e-6)
    low, high = (math.atanh(end) for end in made["atanh t"])
    assert (low + high) / 2 == pytest.approx(math.atanh(0.8))
    assert set(coverage.delta_intervals(1.0, 0.0, 20).values()) == {(1.0, 1.0)}
    assert all(math.isnan(end) for end in coverage.delta_intervals(math.nan, math.nan, 5)["t"])


@pytest.mark.parametrize("method", ["percentile", "basic"])
def test_intervals_from_replicates_are_the_packages(coverage, method):
    """The script's intervals from one set of draws equal those of `bootstrap`."""
    codes = coverage.Population((0.5, 0.3, 0.2), (0.9, 0.8)).draw(60, np.random.default_rng(2))
    same = {"n_resamples": 300, "rng": 5}
    bca = af.inference.bootstrap(codes, "alpha", method="bca", **same)
    asked = af.inference.bootstrap(codes, "alpha", method=method, **same)
    found = coverage.resampled_intervals(bca)[method]
    assert found == pytest.approx((asked.low, asked.high), rel=1e-12)


def test_a_stopped_run_continues(coverage, tmp_path, monkeypatch):
    """Counts add up, are the same again, and are not computed twice."""
    settings = {"20 items, 2 coders, even": coverage.settings()["20 items, 2 coders, even"]}
    rows = coverage.run(settings, 6, 60, tmp_path / "a")
    assert len(rows) == 4 * 8 + 1 + 3
    for row in rows:
        missed = row["n_too_low"] + row["n_too_high"]
        assert row["n_held"] + missed + row["n_undefined"] == 6
        assert row["width"] > 0
    monkeypatch.setattr(coverage, "PART", 4)
    others = coverage.run(settings, 6, 60, tmp_path / "b")
    assert [row | {"width": None} for row in others] == [row | {"width": None} for row in rows]
    monkeypatch.setattr(coverage, "PART", 500)
    monkeypatch.setattr(coverage, "simulate", None)
    assert coverage.run(settings, 6, 60, tmp_path / "a") == rows
    coverage.write(rows, tmp_path / "table.csv")
    assert coverage.coverage_table(coverage.read(tmp_path / "table.csv")) == (
        coverage.coverage_table(rows)
    )


def test_a_table_counts_the_settings_that_hold_their_level(coverage):
    """Undefined data sets do not count; 93% and 97% are within the range."""

    def row(setting, method, held, undefined=0):
        return {
            "setting": setting, "method": method, "coefficient": "alpha", "true_value": 0.5,
            "n_sets": 100 + undefined, "n_undefined": undefined, "n_held": held,
        }  # fmt: skip

    rows = [row("a", "bca", 93), row("b", "bca", 97, 20), row("a", "t", 92), row("b", "t", 95)]
    lines = coverage.coverage_table(rows).splitlines()
    assert lines[0] == "| setting | true value | bca | t |"
    assert lines[2] == "| a | 0.500 | 93.0 | 92.0 |"
    assert lines[3] == "| b | 0.500 | 97.0 | 95.0 |"
    assert lines[4] == "| **settings within 93–97** | | **2 of 2** | **1 of 2** |"
    assert lines[5] == "| **lowest** | | 93.0 | 92.0 |"


def test_the_table_of_shares_has_the_lowest_and_the_highest(coverage):
    """Settings with the same numbers of items and coders share a line."""
    rows = [
        {"setting": str(i), "coefficient": coverage.OBSERVED, "method": method, "n_items": 20,
         "n_coders": 2, "n_sets": 100, "n_undefined": 0, "n_held": held}
        for method in coverage.OF_SHARE for i, held in enumerate((94, 91, 97))
    ]  # fmt: skip
    rows.append({**rows[0], "coefficient": "alpha", "method": "bca", "n_held": 1})
    assert coverage.share_table(rows).splitlines()[2:] == [
        "| 20 | 2 | 91.0 to 97.0 | 91.0 to 97.0 | 91.0 to 97.0 |"
    ]


def test_t_is_the_interval_of_standard_error(coverage):
    """The script's own "t" and "atanh t" are what the package returns."""
    codes = coverage.Population((0.5, 0.3, 0.2), (0.9, 0.8, 0.7), 0.3).draw(
        40, np.random.default_rng(3)
    )
    data = af.Annotations.from_wide(codes, missing=-1)
    for coefficient in nonempty(coverage.COEFFICIENTS):
        found = af.inference.standard_error(data, coefficient, method="delta")
        made = coverage.delta_intervals(found.value, found.standard_error, found.n_items)
        assert made["t"] == pytest.approx((found.low, found.high), rel=1e-12)
        fisher = af.inference.standard_error(data, coefficient, method="delta", transform="atanh")
        assert made["atanh t"] == pytest.approx((fisher.low, fisher.high), rel=1e-12)
        assert fisher.standard_error == found.standard_error


@pytest.mark.parametrize("value", ["perfect", "worst"])
def test_fishers_scale_leaves_the_ends_of_the_range_alone(value):
    """κ = 1 and κ = −1 have no atanh, so the plain interval is used."""
    table = [[7, 0], [0, 5]] if value == "perfect" else [[0, 5], [5, 0]]
    data = af.Annotations.from_contingency(table)
    plain, fisher = (
        af.inference.standard_error(data, "kappa", method="delta", transform=t)
        for t in ("none", "atanh")
    )
    assert abs(plain.value) == 1
    assert (plain.low, plain.high) == (fisher.low, fisher.high)
    with pytest.raises(ValueError, match=r"transform must be .*, not 'logit'"):
        af.inference.standard_error(data, "kappa", transform="logit")


def test_the_page_shows_the_table_of_the_counts(coverage):
    """docs/inference.md shows the counts of docs/coverage.csv, for every setting."""
    rows = coverage.read(ROOT / "docs" / "coverage.csv")
    page = (ROOT / "docs" / "inference.md").read_text(encoding="utf-8")
    assert coverage.coverage_table(rows) in page
    assert coverage.summary_table(rows) in page
    assert coverage.share_table(rows) in page
    assert list(dict.fromkeys(row["setting"] for row in rows)) == list(coverage.settings())
    (sets,) = {int(row["n_sets"]) for row in rows}
    assert f"{sets:,} data sets from each" in page
