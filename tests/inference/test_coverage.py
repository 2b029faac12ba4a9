"""The populations and counts of benchmarks/coverage.py, and the tables of docs/inference.md."""

import dataclasses
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def coverage():
    """The script as a module."""
    spec = importlib.util.spec_from_file_location(
        "coverage_study", ROOT / "benchmarks" / "coverage.py"
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def large(coverage, area, place=0):
    """A setting of an area, with 100,000 items."""
    every = [setting for setting in coverage.settings() if setting.area == area]
    return dataclasses.replace(every[place], n_items=100_000)


AREAS = (
    ("two categories", 1),
    ("two categories", -2),
    ("5 to 20 categories", 3),
    ("40% missing", 0),
    ("crowd, 3 of 30 coders", 4),
    ("five points, nominal", 7),
    ("five points, ordinal", 7),
    ("five points, interval", -1),
    ("0 to 100, interval", 2),
    ("sets, MASI", 4),
    ("a matrix", 4),
    ("documents", 2),
)


@pytest.mark.parametrize(("area", "place"), AREAS)
def test_true_values_are_those_of_a_large_sample(coverage, area, place):
    """They come within five standard errors of the limit that is computed."""
    setting = large(coverage, area, place)
    data = coverage.annotations(setting, setting.draw(1, np.random.default_rng(1)))
    documents = np.arange(100_000) // setting.population.of_each if area == "documents" else None
    for name in nonempty(setting.names):
        result = af.inference.standard_error(
            data, name, distance=coverage.distance_of(setting), method="delta",
            cluster=documents,
        )  # fmt: skip
        assert abs(result.value - coverage.true_value(setting, name)) < 5 * result.standard_error
    if setting.distance == "nominal" and area != "documents":
        share = af.observed_agreement(data)
        true = coverage.true_value(setting, coverage.OBSERVED)
        assert abs(share.value - true) < 5 * share.standard_error


@pytest.mark.parametrize("paired", [False, True])
def test_differences_and_means_are_those_of_a_large_sample(coverage, paired):
    area = f"differences, {'paired' if paired else 'independent'}"
    setting = dataclasses.replace(large(coverage, area, 4), n_items=20_000)
    ends = coverage.of_difference(setting, np.random.default_rng(2))
    for name in nonempty(setting.names):
        low, high = ends[name, "score"]
        assert low < coverage.true_value(setting, name) < high
        assert high - low < 0.05
    setting = dataclasses.replace(large(coverage, "mean κ of pairs"), n_items=20_000)
    low, high = coverage.of_mean(setting, np.random.default_rng(2))["kappa", "score"]
    assert low < coverage.true_value(setting, "kappa") < high
    assert high - low < 0.05


def test_masi_is_nltks(coverage):
    from nltk.metrics.distance import masi_distance as distance

    sets = [frozenset(b for b in range(3) if k >> b & 1) for k in range(8)]
    apart = coverage.masi(3)
    for i, j in nonempty([(i, j) for i in range(1, 8) for j in range(1, 8)]):
        # NLTK rounds 1/3 and 2/3 to two digits.
        assert apart[i][j] == pytest.approx(distance(sets[i], sets[j]), abs=0.01)
    assert set(apart[0]) == {0.0, 1.0}


def test_effective_judgments_count_those_of_agreeing_coders_as_one(coverage):
    binary = coverage.Binary("class", 0.1, 0.0)
    assert coverage.Setting("a", binary, 100, 4).effective == pytest.approx(40)
    known = coverage.Binary("class", 0.1, 1.0)
    assert coverage.Setting("a", known, 100, 4).effective == pytest.approx(10)
    assert coverage.Setting("a", known, 100, 30, judged=3).effective == pytest.approx(10)
    assert coverage.Setting("a", binary, 100, 4, missing=0.5).effective == pytest.approx(20)


def test_counts_are_the_same_again(coverage):
    """The rows depend on the seed and the setting only, and count every data set once."""
    setting = next(coverage.settings())
    rows = coverage.simulate(0, setting, 30, coverage.EVERY)
    assert rows == coverage.simulate(0, setting, 30, coverage.EVERY)
    assert rows != coverage.simulate(1, setting, 30, coverage.EVERY)
    assert {(row["coefficient"], row["method"]) for row in rows} == {
        (name, method) for name in coverage.COEFFICIENTS for method in coverage.CLOSED
    }
    others = coverage.simulate(0, setting, 3, coverage.SOME)
    methods = {row["method"] for row in others}
    assert methods >= {*coverage.CLOSED, *coverage.DRAWN, "krippendorff", "gwet"}
    for row in nonempty(rows + others):
        missed = sum(int(row[k]) for k in ("n_undefined", "n_too_high", "n_too_low"))
        assert 0 <= missed <= int(row["n_sets"])
        assert 0 < float(row["mean_width"]) < 2


def test_a_cell_is_low_three_points_below_its_level(coverage):
    """Undefined data sets do not count; few judgments and missing intervals are lines apart."""

    def row(area, above, below, undefined=0, effective=50.0, method="score", level=0.95):
        cells = (area, "p", 50, 2, level, "alpha", 0.5, effective, coverage.EVERY, method, 100,
                 undefined, above, below, 0.2)  # fmt: skip
        return dict(zip(coverage.COLUMNS, map(str, cells), strict=True))

    rows = [row("a", 2, 3), row("b", 4, 6, 20), row("c", 8, 0, level=0.9), row("d", 9, 0, 0, 9.0)]
    rows += [row("e", 0, 0, 90), row("a", 9, 0, method="delta")]
    cells = coverage.cells_of(rows, coverage.EVERY, "score").values()
    assert [(c.is_low, c.is_high, c.few) for c in cells] == [
        (False, False, False), (True, False, False), (False, False, False), (True, False, True),
    ]  # fmt: skip
    lines = coverage.area_table(rows).splitlines()
    assert lines[2] == "| a | 1 | 0 | 0 | 95.0 | 2.0 | 3.0 | 0.200 | 1 | 91.0 |"
    assert lines[3] == "| b | 1 | 1 | 0 | 87.5 | 5.0 | 7.5 | 0.200 | | |"
    assert lines[-2].startswith("| **all** | 3 | 1 | 0 | 87.5 |")
    assert lines[-1].startswith("| all, ten effective judgments or fewer | 1 | 1 |")


def test_the_page_shows_the_tables_of_the_counts(coverage):
    """docs/inference.md shows the counts of docs/coverage.csv, of every setting."""
    with coverage.TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(coverage.csv.DictReader(file))
    page = (ROOT / "docs" / "inference.md").read_text(encoding="utf-8")
    tables = coverage.area_table, coverage.coefficient_table, coverage.method_table
    for table in nonempty((*tables, coverage.share_table)):
        assert table(rows) in page
    every = {(setting.area, str(setting.population)) for setting in coverage.settings()}
    assert {(row["area"], row["population"]) for row in rows} == every
    assert {int(row["n_sets"]) for row in rows if row["study"] == coverage.EVERY} == {2000}


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
