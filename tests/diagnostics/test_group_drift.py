"""Trends over ordered groups."""

import datetime
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import agreement_fast as af
from agreement_fast import agreement_by_group
from agreement_fast.diagnostics import drift
from agreement_fast.diagnostics.drift import drift_of


def judgments(keep, n_items=40, seed=3, n_coders=3):
    """Items of groups, whose coders keep the true label with the probability of the group."""
    rng = np.random.default_rng(seed)
    tables = []
    for share in keep:
        true = rng.choice(3, n_items, p=[0.5, 0.3, 0.2])
        own = rng.choice(3, (n_items, n_coders), p=[0.5, 0.3, 0.2])
        tables.append(np.where(rng.random(own.shape) < share, true[:, None], own))
    by = np.repeat(np.arange(len(keep)), n_items)
    return np.concatenate(tables), by


def long(table, by, names):
    items, coders = np.indices(table.shape)
    return pd.DataFrame(
        {
            "week": [names[group] for group in by[items.ravel()]],
            "item": items.ravel(),
            "coder": coders.ravel(),
            "label": table.ravel(),
        }
    )


def test_the_line_is_that_of_weighted_least_squares():
    table, by = judgments([0.8, 0.75, 0.8, 0.6, 0.65], 40)
    table, by = np.delete(table, np.s_[50:75], 0), np.delete(by, np.s_[50:75]) + 3
    result = drift(table, by, "kappa")
    groups = agreement_by_group(table, by, ["kappa"])
    y = np.arctanh(result.value)
    s = result.standard_error / (1 - result.value**2)
    assert result.value.tolist() == groups.to_dict()["value"]
    assert result.low.tolist() == groups.to_dict()["low"]
    slope, middle = np.polyfit(result.position, y, 1, w=np.sqrt(result.n_items))
    assert result.slope == pytest.approx(slope, rel=1e-10)
    np.testing.assert_allclose(result.fitted, np.tanh(middle + slope * result.position), rtol=1e-10)
    assert (result.first, result.last) == (
        pytest.approx(result.fitted[0]), pytest.approx(result.fitted[-1])
    )  # fmt: skip
    # The sandwich of the same design, the variances being known.
    X = np.column_stack([np.ones(5), result.position])
    bread = np.linalg.inv(X.T @ (X * result.n_items[:, None])) @ (X * result.n_items[:, None]).T
    error = math.sqrt((bread @ np.diag(s**2) @ bread.T)[1, 1])
    assert result.slope_standard_error == pytest.approx(error, rel=1e-10)
    assert result.statistic == pytest.approx(slope / error)
    assert result.p_value == pytest.approx(2 * stats.norm.sf(abs(slope / error)))
    assert result.slope_high - result.slope == pytest.approx(stats.norm.ppf(0.975) * error)
    assert result.slope - result.slope_low == pytest.approx(stats.norm.ppf(0.975) * error)


def test_heterogeneity_has_the_moments_of_its_sum_of_squares():
    table, by = judgments([0.8, 0.4, 0.9, 0.6, 0.65], 40)
    result = drift(table, by)
    y, share = np.arctanh(result.value), result.n_items / result.n_items.sum()
    variance = (result.standard_error / (1 - result.value**2)) ** 2
    rng = np.random.default_rng(0)
    drawn = rng.normal(0, np.sqrt(variance), (200_000, 5))
    squares = ((drawn - (drawn @ share)[:, None]) ** 2) @ share
    scale = ((y - share @ y) ** 2 @ share) / result.heterogeneity
    assert squares.mean() / scale == pytest.approx(result.df, rel=0.01)
    assert squares.var() / scale**2 == pytest.approx(2 * result.df, rel=0.03)
    assert result.heterogeneity_p_value == pytest.approx(
        stats.chi2.sf(result.heterogeneity, result.df)
    )
    assert result.heterogeneity_p_value < 0.01


def test_equal_groups_neither_drift_nor_differ():
    """Every group has the same items."""
    table, _ = judgments([0.7], 60)
    both = np.concatenate([table, table[:, ::-1], table])
    result = drift(both, np.repeat([1, 2, 3], 60))
    assert result.df == pytest.approx(2)
    assert result.slope == pytest.approx(0, abs=1e-12)
    assert result.p_value == pytest.approx(1)
    assert result.heterogeneity == pytest.approx(0, abs=1e-12)


def test_no_drift_is_seldom_found():
    """With weights of inverse variances this share would be 0.14."""
    n_groups, n_items, repeats = 20, 10, 150
    table, _ = judgments([0.7] * (n_groups * repeats), n_items, seed=1)
    by = np.repeat(np.arange(n_groups * repeats), n_items)
    rows = list(agreement_by_group(table, by))
    p, q = [], []
    for part in zip(*[iter(rows)] * n_groups, strict=True):
        result = drift_of(part, "batch", 0.95, ordered=True)
        p.append(result.p_value)
        q.append(result.heterogeneity_p_value)
    assert 0.01 < np.mean(np.array(p) < 0.05) < 0.09
    assert np.mean(np.array(q) < 0.05) < 0.09
    assert 0.4 < np.mean(np.array(p) < 0.5) < 0.6


WEEKS = ["2024-01-01", "2024-01-08", "2024-01-29"]


@pytest.mark.parametrize(
    ("names", "position"),
    [
        ([2, 4, 10], [2, 4, 10]),
        ([0.5, 1, 1.5], [0.5, 1, 1.5]),
        (WEEKS, [0, 7, 28]),
        ([datetime.date.fromisoformat(one) for one in WEEKS], [0, 7, 28]),
        (list(map(pd.Timestamp, WEEKS)), [0, 7, 28]),
        (["31.01.2024", "01.02.2024", "03.02.2024"], [0, 1, 3]),
        (["2", "4", "10"], [2, 4, 10]),
        (["week 2", "week 4", "week 10"], [0, 1, 2]),
    ],
)
def test_positions_of_groups(names, position):
    table, by = judgments([0.9, 0.8, 0.5], 30)
    frame = long(table, by, names)
    result = drift(frame, "week")
    assert result.position.tolist() == position
    assert result.by == "week"
    assert result.columns()["week"] == result.groups


@pytest.mark.parametrize("name", ["{}", "batch {}", "{} of 12"])
def test_texts_with_numbers_are_in_their_order(name):
    table, by = judgments(np.linspace(0.95, 0.4, 12), 30)
    names = [name.format(number) for number in range(1, 13)]
    result = drift(long(table, by, names), "week")
    assert result.groups == tuple(names)
    expected = drift(table, by)
    assert (result.first, result.last) == (
        pytest.approx(expected.first), pytest.approx(expected.last)
    )  # fmt: skip
    order = f"Over week, in the order {', '.join(names[:3])}, ..., {names[-1]}, alpha falls from "
    assert result.to_sentence().startswith(order)


def test_a_line_that_does_not_move_stays():
    table, _ = judgments([0.7], 30)
    result = drift(np.concatenate([table] * 3), np.repeat([1, 2, 3], 30))
    assert f"in the order 1, 2, 3, alpha stays at {result.first:.4f} on" in result.to_sentence()


@pytest.mark.parametrize("endless", [math.inf, -math.inf])
def test_groups_that_are_infinite_need_an_order(endless):
    table, by = judgments([0.9, 0.6, 0.5], 30)
    by = by.astype(float)
    by[by == 2] = endless
    with pytest.raises(
        af.AgreementError, match=f"by has the group {endless}, which is not a finite"
    ):
        drift(table, by)
    assert drift(table, by, by_order=[0.0, 1.0, endless]).position.tolist() == [0, 1, 2]


def test_an_order_may_be_given():
    table, by = judgments([0.9, 0.6, 0.5], 30)
    names = ["pilot", "main", "late"]
    frame = long(table, by, names)
    result = drift(frame, "week", by_order=names)
    assert result.groups == tuple(names)
    assert result.value.tolist() == drift(table, by).value.tolist()
    frame["week"] = pd.Categorical(frame["week"], names, ordered=True)
    assert drift(frame, "week").slope == result.slope
    assert drift(frame, "week", by_order=names[::-1]).slope == pytest.approx(-result.slope)
    with pytest.raises(af.AgreementError, match="order leaves out the group 'late'"):
        drift(frame, "week", by_order=names[:2])
    with pytest.raises(af.AgreementError, match="one column of groups"):
        drift(frame.assign(site="here"), ["week", "site"])


def test_groups_without_a_place_on_the_scale_are_counted():
    table, by = judgments([0.9, 0.8, 0.5, 0.6], 30)
    table[by == 1] = table[by == 1][:, :1]  # all agree
    result = drift(table, by)
    assert result.used.tolist() == [True, False, True, True]
    assert result.n_left_out == 1
    assert "1 group has no value below 1" in str(result)
    sentence = result.difference_sentence()
    assert sentence.startswith("Regardless of order, the 3 groups ")
    assert sentence.endswith(" with a standard error, and no part in the tests: 1.")
    assert result.to_sentence().endswith(sentence)
    kept = by != 1
    assert result.slope == pytest.approx(drift(table[kept], by[kept]).slope)
    assert not np.isnan(result.fitted[1])


def test_a_trend_takes_two_groups():
    table, by = judgments([0.9], 30)
    result = drift(table, by)
    assert math.isnan(result.p_value)
    assert "too few groups" in result.undefined
    assert "too few groups" in str(result)
    assert np.isnan(result.fitted).all()
    assert "too few groups" in repr(result)


def test_a_trend_is_said_and_shown():
    table, by = judgments([0.9] * 12 + [0.4] * 12, 30)
    result = drift(table, by, confidence_level=0.9)
    text = str(result)
    assert len(text.splitlines()) == 2 + 24 + 1
    assert text.splitlines()[-1].startswith(
        "Over group, in the order 0, 1, 2, ..., 23, alpha falls from 0."
    )
    assert ": drift (z = -" in text
    assert "p < 0.0001" in text
    assert "groups differ in alpha (p < 0.0001)" in text
    assert result.to_frame("polars").height == 24
    same = drift(*judgments([0.7] * 3, 30, seed=8))
    assert "no clear drift" in str(same)
    assert "may be alike in alpha" in str(same)


def test_dates_stay_dates_in_frames():
    table, by = judgments([0.9, 0.8, 0.5], 30)
    for names in (
        list(map(pd.Timestamp, WEEKS)),
        [datetime.date(2024, 1, day) for day in (1, 2, 5)],
    ):
        frame = drift(long(table, by, names), "week").to_frame("polars")
        assert frame["week"].dtype in (pl.Date, pl.Datetime)


MONTHS = ["Jan", "Feb", "Mar", "Apr"]


def months(names=MONTHS):
    table, by = judgments([0.95, 0.85, 0.7, 0.4], 40)
    return long(table, by, names)


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (MONTHS, MONTHS),
        (["Mo", "Di", "Mi", "Do"], ["Mo", "Di", "Mi", "Do"]),
        (["first", "second", "third", "last"], ["first", "second", "third", "last"]),
        (["pre", "mid", "post", "follow-up"], ["follow-up", "mid", "post", "pre"]),
        (["x", "b", "c", "a"], ["a", "b", "c", "x"]),
        (["Nov 2023", "Dec 2023", "Jan 2024", "Feb 2024"], None),
        ([False, True, "x", "y"], [False, True, "x", "y"]),
        (["2024-01-01", "b", "c", "d"], ["2024-01-01", "b", "c", "d"]),
    ],
)
def test_an_order_of_words_is_proposed_and_never_used(names, order):
    frame = months(names)
    frame["week"] = frame["week"].astype(object)
    with pytest.raises(af.errors.InputError, match="comes first") as caught:
        drift(frame, "week")
    remedy = caught.value.remedy
    assert remedy.startswith("pass all groups in their order, as in by_order=[")
    proposed = eval(remedy.partition("by_order=")[2])
    assert proposed == (order or names)
    assert drift(frame, "week", by_order=proposed).groups == tuple(proposed)


def test_a_trend_of_months_follows_the_year():
    """Ordered by the alphabet, agreement that only falls would rise from April on."""
    result = drift(months(), "week", by_order=MONTHS)
    frame = months()
    frame["week"] = pd.Categorical(frame["week"], MONTHS, ordered=True)
    declared = drift(frame, "week")
    assert declared.groups == tuple(MONTHS)
    assert declared.slope == result.slope < 0
    assert result.last < result.first
    with pytest.raises(af.errors.InputError):
        drift(frame.astype({"week": str}), "week")


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        (["01.02.2024", "02.01.2024", "03.04.2024", "05.06.2024"], "2024-02-01 or 2024-01-02"),
        (["1/2/2024", "2/1/2024", "3/4/2024", "5/6/2024"], "2024-02-01 or 2024-01-02"),
        (["31.01.", "01.02.", "02.02.", "03.02."], "without a year"),
        (["1.000", "2.000", "900", "3.000"], "decimal point or thousands"),
    ],
)
def test_dates_and_numbers_with_two_readings_are_refused(names, problem):
    with pytest.raises(af.errors.InputError, match=problem) as caught:
        drift(months(names), "week")
    assert "write " in caught.value.remedy


def test_an_order_of_groups_is_a_sequence():
    with pytest.raises(af.errors.InputTypeError, match="order must be a sequence"):
        drift(months(), "week", by_order=set(MONTHS))


def test_a_trend_takes_items_as_incomplete_says():
    table, by = judgments([0.9, 0.8, 0.5, 0.6], 40)
    table = table.astype(object)
    table[::3, 0] = None
    complete = np.array([None not in row for row in table.tolist()])
    result = drift(table, by, incomplete="complete")
    assert result.value.tolist() == drift(table[complete], by[complete]).value.tolist()
    assert result.n_items.sum() == complete.sum()
    assert result.value.tolist() != drift(table, by).value.tolist()


@pytest.mark.parametrize("written", ["text", "german", "date", "datetime64", "polars"])
def test_weeks_and_months_of_dates(written):
    """The groups are those of periods that a user makes by hand, for every way to write dates."""
    table, _ = judgments([0.9, 0.5], 45)
    days = [datetime.date(2024, 12, 2) + datetime.timedelta(days=i) for i in range(90)]
    weeks = ["{}-W{:02}".format(*day.isocalendar()) for day in days]
    by = {
        "text": [day.isoformat() for day in days],
        "german": [f"{day:%d.%m.%Y} 9:30" for day in days],
        "date": days,
        "datetime64": pd.Series(pd.to_datetime(days)),
        "polars": pl.Series(days),
    }[written]
    result = drift(table, by, every="week")
    expected = drift(table, weeks)
    assert result.groups == expected.groups == tuple(sorted(set(weeks)))
    assert result.value.tolist() == expected.value.tolist()
    assert (result.slope, result.p_value) == (expected.slope, expected.p_value)
    assert np.diff(result.position).tolist() == [7.0] * 12
    months = agreement_by_group(table, by, every="month")
    assert [row.group for row in months] == [("2024-12",), ("2025-01",), ("2025-02",), ("2025-03",)]
    assert [row.group for row in agreement_by_group(table, by, every="quarter")] == [
        ("2024-Q4",), ("2025-Q1",)
    ]  # fmt: skip
    assert len(agreement_by_group(table, by, every="year")) == 2
    assert len(agreement_by_group(table, by, every="day")) == 90


def test_an_item_is_in_the_period_of_its_first_judgment():
    """Ann judges on Friday and Ben a week later: the item is one, of the first week."""
    table, _ = judgments([0.8, 0.8], 30)
    frame = long(table, np.zeros(60, int), ["-"]).drop(columns="week")
    rows = zip(frame["item"], frame["coder"], strict=True)
    frame["day"] = [f"2024-0{4 - coder}-{1 + item % 28:02}" for item, coder in rows]
    shuffled = frame.sample(frac=1, random_state=1)
    result = agreement_by_group(shuffled, "day", every="week")
    first = [f"2024-02-{1 + i % 28:02}" for i in range(60)]
    expected = agreement_by_group(table, first, every="week")
    assert result.to_dict()["value"] == expected.to_dict()["value"]
    assert sum(row.n_items for row in result) == 60
    with pytest.warns(af.ShapeHint, match=r"180 of 180 judgments are the only one of their item"):
        assert sum(row.n_items for row in agreement_by_group(frame, "day")) == 0


def test_what_has_no_weeks():
    table, by = judgments([0.8, 0.8], 10)
    with pytest.raises(af.AgreementError, match=r"by=.* is no column of dates: 0 and others"):
        drift(table, by, every="week")
    with pytest.raises(af.AgreementError, match="may be 2024-0"):
        drift(table, [f"0{1 + i % 9}.02.2024" for i in range(20)], every="week")
    with pytest.raises(af.AgreementError, match="are not all dates"):
        drift(table, [f"{i % 12}:30" for i in range(20)], every="week")
    with pytest.raises(af.AgreementError, match="every"):
        drift(table, by, every="fortnight")
    with pytest.raises(af.AgreementError, match="name the column"):
        drift(long(table, by, ["a", "b"]), every="week")
    frame = long(table, by, ["2024-01-01", "2024-02-01"]).assign(more=1)
    with pytest.raises(af.AgreementError, match="one column of dates"):
        agreement_by_group(frame, ["week", "more"], every="week")
    lazy = pl.from_pandas(frame[["week", "item", "coder", "label"]]).lazy()
    with pytest.raises(af.AgreementError, match="tables in memory"):
        drift(lazy, "week", every="month")
