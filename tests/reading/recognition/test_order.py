"""Values are ordered by value, or not at all."""

import datetime
import decimal

import numpy as np
import pytest

from agreement_fast.reading.recognition.order import (
    Doubt,
    Order,
    natural_order,
    order_of,
    usual_order,
)

DAYS = [
    ["2024-01-31", "2024-02-01", "2024-12-24"],
    ["31.01.2024", "01.02.2024", "24.12.2024"],
    ["31/1/2024", "1/2/2024", "24/12/2024"],
    ["1/31/2024", "2/1/2024", "12/24/2024"],
    ["2024/1/31", "2024/2/1", "2024/12/24"],
    ["31-01-2024", "01-02-2024", "24-12-2024"],
    ["2024-01-31T00:00", "2024-02-01T00:00", "2024-12-24T00:00"],
    ["2024-01-31 01:00:00+01:00", "2024-02-01T00:00:00Z", "2024-12-24 00:00:00Z"],
    ["31.01.2024 9:30", "01.02.2024 09:30", "24.12.2024 9:30:00"],
    [datetime.date(2024, 1, 31), datetime.date(2024, 2, 1), datetime.date(2024, 12, 24)],
    [np.datetime64("2024-01-31"), np.datetime64("2024-02-01"), np.datetime64("2024-12-24")],
]


@pytest.mark.parametrize("values", DAYS)
def test_dates_are_days(values):
    for turn in (1, -1):
        result = order_of(values[::turn])
        assert result.positions == [0.0, 1.0, 328.0][::turn]
        assert [values[::turn][place] for place in np.argsort(result.keys)] == values


@pytest.mark.parametrize(
    ("values", "positions"),
    [
        (["10", "9"], [10, 9]),
        (["1.5", "-2", "1e2"], [1.5, -2, 100]),
        (["1,5", "2"], [1.5, 2]),
        (["2023-12", "2024-02"], [0, 62]),
        (["2024-W01", "2024-W10"], [0, 63]),
        (["2023-Q4", "2024-Q1"], [0, 92]),
        (["9:30", "10:30"], [0, 1 / 24]),
        (["11 am", "12:00 pm", "1 p.m."], [0, 1 / 24, 2 / 24]),
        (["12 am", "1 am"], [0, 1 / 24]),
        ([decimal.Decimal("1.5"), 2], [1.5, 2]),
        ([datetime.time(9), datetime.time(21)], [0, 0.5]),
        ([True, False], [1, 0]),
        ([3, 1.5], [3, 1.5]),
    ],
)
def test_positions(values, positions):
    assert order_of(values).positions == pytest.approx(positions)


@pytest.mark.parametrize(
    "values",
    [
        ["batch 2", "batch 10"],
        ["batch-2", "batch-10"],
        ["2nd", "10th", "21st"],
        ["2 of 12", "10 of 12"],
        ["2024 week 2", "2024 week 10"],
        ["9007199254740992", "9007199254740993"],
        ["1" + "0" * 5000, "2" + "0" * 5000],
        [datetime.timedelta(1), datetime.timedelta(2)],
    ],
)
def test_values_in_order(values):
    for turned in (values, values[::-1]):
        result = order_of(turned)
        assert isinstance(result, Order)
        assert len(set(result.keys)) == len(values)
        assert [
            turned[i] for i in sorted(range(len(values)), key=result.keys.__getitem__)
        ] == values


@pytest.mark.parametrize(
    "values",
    [
        ["Jan", "Feb"],
        ["Monday", "Tuesday"],
        ["low", "high"],
        ["a", "b"],
        ["A", "B"],
        ["1", "x"],
        [1, "2"],
        ["v1.9", "v1.10"],
        ["1/2", "1/10"],
        ["week -1", "week -2"],
        ["pilot", "week 1"],
        ["Jan 2024", "Feb 2024"],
        ["2024-01-31", "01.02.2024"],
        ["32.01.2024", "01.02.2024"],
        [("a", 1), ("b", 2)],
        [frozenset("a"), frozenset("ab")],
        [datetime.date(2024, 1, 1), "2024-01-02"],
        [1, datetime.timedelta(1)],
    ],
)
def test_words_have_no_order(values):
    result = order_of(values)
    assert isinstance(result, Doubt)
    assert result.remedy is None


@pytest.mark.parametrize(
    "values",
    [
        ["01.02.2024", "02.01.2024"],
        ["01/02/2024", "03/02/2024"],
        ["31.01.", "01.02."],
        ["1.2.", "3.2."],
        ["01.05", "02.10"],
        ["1,000", "2,000"],
        ["1.000", "999"],
        ["2024-01-31T10:00Z", "2024-01-31T12:00"],
    ],
)
def test_two_readings_are_named(values):
    result = order_of(values)
    assert isinstance(result, Doubt)
    assert result.remedy.startswith("write ")
    assert usual_order(values) is None


def test_equal_readings_are_one():
    assert order_of(["05.05.2024", "06.06.2024"]).positions == [0, 32]


@pytest.mark.parametrize(
    "values",
    [
        ["low", "medium", "high"],
        ["Strongly disagree", "disagree", "neutral", "Agree", "strongly_agree"],
        ["never", "rarely", "sometimes", "often", "always"],
        ["A+", "A", "B-", "F"],
        ["poor", "fair", "good", "very good"],
        ["January", "Feb.", "Sept", "December"],
        ["Mo", "Di", "So"],
        ["II", "IX", "X"],
        ["none", "mild", "moderate", "severe"],
        ["Dec 2023", "Jan 2024"],
        ["Jan 2024", "Feb 2024"],
        ["2024 report Jan", "2024 report Feb"],
        ["9", "10"],
    ],
)
def test_the_usual_order_is_only_proposed(values):
    assert usual_order(values[::-1]) == values
    if values[0] != "9":
        assert isinstance(order_of(values), Doubt)


def test_other_words_have_no_usual_order():
    assert usual_order(["pro", "con"]) is None
    assert usual_order(["low", "blue"]) is None


def test_lists_of_dates_are_in_their_order():
    values = ["01.02.2024", "31.01.2024"]
    assert natural_order(values) == [1, 0]
