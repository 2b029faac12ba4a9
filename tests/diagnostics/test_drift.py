"""Agreement along each coder's own sequence of judgments."""

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from diagnosed import columns_of
from loops import nonempty
from scipy import stats

import agreement_fast as af
from agreement_fast import diagnostics
from agreement_fast.inference.hypotheses import holm

RNG = np.random.default_rng(11)


def judged(n=120, n_coders=4, drifting=None, seed=3, share=0.85):
    """Simulate coders who see the items in different orders; one of them becomes careless."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 3, n)
    rows = []
    for c in range(n_coders):
        for at, i in enumerate(rng.permutation(n).tolist()):
            keep = share if c != drifting else 0.98 - 0.9 * at / n
            label = int(true[i]) if rng.random() < keep else int(rng.integers(0, 3))
            rows.append((f"i{i}", f"c{c}", label, at))
    return pd.DataFrame(rows, columns=["item", "coder", "label", "at"])


def distance_from_others(frame, metric):
    """The mean distance of each judgment from the others of its item, pair by pair."""
    said = list(zip(frame["item"], frame["coder"], frame["label"], strict=True))
    out = []
    for item, coder, label in said:
        others = [one for i, c, one in said if i == item and c != coder]
        out.append(np.mean([metric(label, other) for other in others]) if others else None)
    return out


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_values_and_lines_are_those_of_a_plain_computation(distance):
    metric = {"nominal": lambda a, b: float(a != b), "interval": lambda a, b: float(a - b) ** 2}
    frame = judged(n=25, n_coders=3)
    frame = frame.drop(index=[3, 30, 55, 56]).reset_index(drop=True)
    away = np.array(distance_from_others(frame, metric[distance]), float)
    result = diagnostics.drift(frame, distance=distance, n_windows=4)
    wide = af.Annotations.from_frame(frame, item="item", coder="coder", label="label")
    rest = columns_of(diagnostics.coder_report(wide, distance=distance).with_others)
    for c, one in nonempty(enumerate(result.coders)):
        mine = np.flatnonzero(frame.coder == one.coder)
        y, x = away[mine], np.arange(len(mine))
        known = ~np.isnan(y)
        scale = rest.expected_disagreement[c]
        assert one.value == pytest.approx(rest.value[c])
        line = stats.linregress(x[known], y[known])
        assert one.p_value == pytest.approx(line.pvalue)
        assert one.first == pytest.approx(1 - line.intercept / scale)
        assert one.last == pytest.approx(1 - (line.intercept + line.slope * x[-1]) / scale)
        assert one.change == pytest.approx(one.last - one.first)
        reach = stats.t.ppf(0.975, known.sum() - 2) * line.stderr * x[-1] / scale
        assert (one.change_low, one.change_high) == pytest.approx(
            (one.change - reach, one.change + reach)
        )
        parts = [part for part in result.windows if part.coder == one.coder]
        assert [part.start for part in parts] == [1, *(part.end + 1 for part in parts[:-1])]
        assert parts[-1].end == len(mine)
        residuals = []
        for part in nonempty(parts):
            inside = y[part.start - 1 : part.end]
            inside = inside[~np.isnan(inside)]
            residuals += [*(inside - inside.mean())]
            assert part.n_judgments == len(inside)
            assert part.value == pytest.approx(1 - inside.mean() / scale)
        df = len(residuals) - len(parts)
        spread = math.sqrt(np.sum(np.square(residuals)) / df)
        for part in nonempty(parts):
            reach = stats.t.ppf(0.975, df) * spread / math.sqrt(part.n_judgments) / scale
            assert (part.low, part.high) == pytest.approx((part.value - reach, part.value + reach))
        mean = np.average([p.value for p in parts], weights=[p.n_judgments for p in parts])
        assert mean == pytest.approx(one.value)


def test_only_the_careless_coder_is_found():
    result = diagnostics.drift(judged(n=400, drifting=2))
    assert [one.adjusted_p_value < 0.05 for one in result.coders] == [False, False, True, False]
    assert result.coders[2].change_high < -0.4
    assert "c2" in str(result).splitlines()[2]
    assert "1 of 4" in repr(result)


def test_adjusted_values_are_holms():
    assert holm([0.02, math.nan, 0.01, 0.03]) == pytest.approx(
        [0.04, math.nan, 0.03, 0.04], nan_ok=True
    )
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert np.isnan(holm([math.nan])).all()
    result = diagnostics.drift(judged(n=60, n_coders=5, drifting=1)).coders
    p = [one.p_value for one in result]
    assert [one.adjusted_p_value for one in result] == holm(p) != p


@pytest.mark.parametrize("library", [lambda frame: frame, pl.from_pandas])
def test_an_order_takes_the_place_of_that_of_the_rows(library):
    frame = judged(n=80, drifting=0)
    expected = diagnostics.drift(frame)
    shuffled = frame.sample(frac=1, random_state=1).reset_index(drop=True)
    result = diagnostics.drift(library(shuffled), order="at")
    for one, other in zip(expected.coders, result.coders, strict=True):
        assert (one.coder, one.first, one.last, one.p_value) == pytest.approx(
            (other.coder, other.first, other.last, other.p_value)
        )
    assert [w.value for w in expected.windows] == pytest.approx([w.value for w in result.windows])
    days = shuffled.assign(day=shuffled["at"] // 10)
    tied = diagnostics.drift(library(days), order="day").coders[0]
    mine = days[days.coder == "c0"]
    place = mine.day.rank(method="average") - 1
    others = judged(n=80, drifting=0)
    away = dict(zip(others[others.coder == "c0"].item, range(80), strict=True))
    y = np.array(distance_from_others(others, lambda a, b: float(a != b)))[:80]
    line = stats.linregress(place, [y[away[item]] for item in mine.item])
    assert tied.p_value == pytest.approx(line.pvalue)


def test_a_reference_takes_the_place_of_the_others():
    frame = judged(n=50, n_coders=2)
    truth = {f"i{i}": i % 3 for i in range(49)}  # the last item has none
    result = diagnostics.drift(frame, gold=truth, n_windows=5)
    gold = diagnostics.gold_scores(
        af.Annotations.from_frame(frame, item="item", coder="coder", label="label"), truth
    )
    assert result.against == "gold"
    for c, one in enumerate(result.coders):
        mine = frame[frame.coder == one.coder].reset_index(drop=True)
        mine = mine.assign(truth=mine.item.map(truth))
        known = mine[mine.truth.notna()]
        y = (known.label != known.truth).astype(float)
        assert one.n_judgments == 49
        assert one.p_value == pytest.approx(stats.linregress(known.index, y).pvalue)
        assert one.value == pytest.approx(gold.columns()["kappa"][c])


def test_the_test_holds_its_level_without_drift():
    """Of 120 coders without drift, about 5% have a p below 0.05."""
    p = [
        one.p_value
        for seed in range(12)
        for one in diagnostics.drift(judged(n=60, n_coders=10, seed=seed), n_windows=2).coders
    ]
    assert 0.005 < np.mean(np.array(p) < 0.05) < 0.11
    assert 0.4 < np.mean(p) < 0.6


def test_what_has_no_trend_says_why():
    frame = pd.DataFrame({"item": [1, 1, 2, 2, 3], "coder": list("ababc"), "label": list("xxyyx")})
    result = diagnostics.drift(frame)
    assert [one.undefined.split(":")[0] for one in result.coders] == [
        "no trend", "no trend", "no pairs"
    ]  # fmt: skip
    same = pd.DataFrame(
        {"item": [*range(4)] * 2, "coder": ["a"] * 4 + ["b"] * 4, "label": ["x"] * 8}
    )
    assert diagnostics.drift(same).coders[0].undefined.startswith("no variation")
    agreed = same.assign(label=list("xyxy") * 2)
    assert diagnostics.drift(agreed).coders[0].undefined.startswith("no trend: all judgments")


def test_tables_that_cannot_be_followed_are_refused():
    frame = judged(n=5)
    again = pd.concat([frame, frame[:1]])
    with pytest.raises(ValueError, match=r"'c0' judged item .* more than once.*intra_coder"):
        diagnostics.drift(again)
    with pytest.raises(ValueError, match="order='when' is not a column"):
        diagnostics.drift(frame, order="when")
    with pytest.raises(ValueError, match="'at' has an empty cell"):
        diagnostics.drift(frame.assign(at=[None, *range(19)]), order="at")
    with pytest.raises(TypeError, match="data must be a table"):
        diagnostics.drift([[1, 2]])
