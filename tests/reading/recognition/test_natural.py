"""Groups in the order in which people list them."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement_fast.reading.recognition.order import natural_order


@pytest.mark.few(every=3)
@pytest.mark.parametrize(
    "names",
    [
        ["batch 1", "batch 2", "batch 9", "batch 10", "batch 11", "batch 100"],
        ["pilot", "week 9", "week 9b", "week 10"],
        ["v1.2.9", "v1.2.10", "v1.10.0"],
        ["1", "2", "10"],
        ["-5", "-3", "0.25", "0.5", "1e1"],
        ["007", "10", "x"],
        ["a", "a 01", "a 1", "b"],
        ["1" + "0" * 5000, "1" + "0" * 5000 + "x", "2" + "0" * 5000, "1" + "0" * 5001],
        [-5, -3, 2, 10],
        [datetime.date(2024, 2, 1), datetime.date(2024, 10, 1)],
        [("de", 2), ("de", 10), ("en", 1)],
        [("l 2", "b"), ("l 10", "a"), ("l 10", "b 3"), ("l 10", "b 20")],
        [("-2", "x"), ("-1", "x")],
        [],
    ],
)
def test_names_are_in_natural_order(names):
    for given_order in (names, names[::-1], sorted(names, key=str)):
        assert [given_order[place] for place in natural_order(given_order)] == names


@given(st.lists(st.text("ab01 .-", max_size=6) | st.text(max_size=4), unique=True))
def test_the_order_does_not_depend_on_that_of_the_data(names):
    order = [names[place] for place in natural_order(names)]
    assert sorted(order) == sorted(names)
    backwards = names[::-1]
    assert [backwards[place] for place in natural_order(backwards)] == order
