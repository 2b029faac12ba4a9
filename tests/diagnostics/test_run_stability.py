"""A model's repeated judgments."""

import numpy as np
import pytest
import reference_scores
from loops import nonempty
from strategies import seeded

import agreement_fast as af
from agreement_fast.diagnostics import intra_coder_agreement
from agreement_fast.inference import standard_error


def long(seed=1, n_items=40):
    """Return columns of two judges with up to four runs each, in random order."""
    rows = []
    for judge in range(2):
        table = seeded(seed + judge, n_items, 4, "abc", missing=0.3)
        rows += [
            (f"i{i}", f"judge{judge}", label, run)
            for i, row in enumerate(table.rows)
            for run, label in enumerate(row)
        ]
    order = np.random.default_rng(seed).permutation(len(rows))
    return [list(column) for column in zip(*(rows[i] for i in order), strict=True)]


def of_runs(items, coders, labels, runs=None, **options):
    """Return the agreement of each coder's runs, from columns."""
    columns = {"item": items, "coder": coders, "label": labels}
    if runs is not None:
        columns["run"] = runs
        options["round"] = "run"
    return intra_coder_agreement(columns, **options)


@pytest.mark.parametrize(("coefficient", "distance"), [("alpha", "nominal"), ("kappa", "nominal")])
def test_runs_are_coders(coefficient, distance):
    items, judges, labels, runs = long()
    result = of_runs(items, judges, labels, runs, coefficient=coefficient, distance=distance)
    assert result.coders == ("judge0", "judge1")
    for m, judge in enumerate(result.coders):
        own = {}
        for i, who, label, run in zip(items, judges, labels, runs, strict=True):
            if who == judge and label is not None:
                own.setdefault(i, {})[run] = label
        rows = [[runs_of.get(run) for run in range(4)] for runs_of in own.values()]
        twice = [row for row in rows if sum(x is not None for x in row) > 1]
        exact = standard_error(twice, coefficient, distance=distance)
        assert result.value[m] == pytest.approx(exact.value)
        assert (result.low[m], result.high[m]) == pytest.approx((exact.low, exact.high))
        assert result.n_items[m] == len(twice)
        assert result.n_once[m] == len(rows) - len(twice)
        alike = sum(len({x for x in row if x is not None}) == 1 for row in twice)
        assert result.same[m] == alike / len(twice)
        ends = reference_scores.wilson(alike, len(twice))
        assert (result.same_low[m], result.same_high[m]) == pytest.approx(ends)
        assert result.n_rounds[m] == max(sum(x is not None for x in row) for row in rows)


def test_without_runs_equals_intra_coder_agreement():
    items, judges, labels, _ = long()
    result = of_runs(items, judges, labels)
    for m, judge in nonempty(enumerate(result.coders)):
        repeats = af.Annotations.from_long(items, judges, labels, repeats_of=judge)
        assert result.value[m] == pytest.approx(af.alpha(repeats).value)
        assert result.n_once[m] == repeats.items_judged_once


def test_frames_and_numbers():
    pd = pytest.importorskip("pandas")
    items, judges, labels, runs = long()
    frame = pd.DataFrame({"i": items, "j": judges, "l": labels, "r": runs})
    result = of_runs(frame["i"], frame["j"], frame["l"], frame["r"])
    assert result.value.tolist() == of_runs(items, judges, labels, runs).value.tolist()
    assert result.to_frame("pandas")["coder"].tolist() == ["judge0", "judge1"]
    scores = of_runs([1, 1, 2, 2, 3, 3], [0] * 6, [1.0, 2.0, 5.0, 5.0, 3.0, 4.0],
                           distance="interval")  # fmt: skip
    exact = af.alpha([(1.0, 2.0), (5.0, 5.0), (3.0, 4.0)], "interval")
    assert scores.value[0] == pytest.approx(exact.value)


def test_judges_without_repeats_or_variation():
    result = of_runs([1, 2, 3, 3, 4, 4], ["a", "a", "b", "b", "b", "b"], ["x", "y"] + ["x"] * 4)
    assert result.undefined[0].startswith("no pairs")
    assert result.undefined[1].startswith("no variation")
    assert np.isnan(result.same[0])
    assert result.same[1] == 1
    assert result.n_once.tolist() == [2, 0]
    assert "2 coders with themselves: mean nan" in repr(result)


def test_a_missing_label_is_no_second_judgment():
    result = of_runs([7, 7, 7], ["a"] * 3, [None, "y", "y"], ["r1", "r2", "r1"])
    assert result.n_items.tolist() == [1]
