"""Krippendorff's five chance agreements of every category."""

from __future__ import annotations

import math
from typing import Any

import pytest

import agreement_fast as af
from agreement_fast.inference import chance_agreements


def test_they_are_the_items_times_the_square_of_the_share() -> None:
    data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
    result = chance_agreements(data)
    shares = [98 / 200, 76 / 200, 26 / 200]
    assert [row.share for row in result] == pytest.approx(shares)
    assert [row.expected for row in result] == pytest.approx([100 * p * p for p in shares])
    assert [row.enough for row in result] == [True, True, False]
    assert [row.items_needed for row in result] == [math.ceil(5 / p**2) for p in shares]
    assert [row.label for row in result.failing] == [2]
    assert result.n_items == 100


def test_five_are_enough_and_a_hair_less_is_not() -> None:
    # 20 items of two labels each: 20 · .5² = 5
    even = [["a", "b"]] * 20
    assert [row.enough for row in chance_agreements(even)] == [True, True]
    assert chance_agreements(even)[0].items_needed == 20
    assert [row.enough for row in chance_agreements(even, min_count=5.001)] == [False, False]
    assert [row.enough for row in chance_agreements(even[1:])] == [False, False]


def test_rounding_makes_no_five_a_four() -> None:
    # 1805 · (190 / 3610)² is 5, and 4.999999999999999 to a computer
    data = af.Annotations.from_contingency([[95, 0], [0, 1710]])
    assert chance_agreements(data)[0].share == 95 / 1805 == 190 / 3610
    assert chance_agreements(data)[0].enough
    assert chance_agreements(data)[0].items_needed == 1805


def test_items_with_one_judgment_do_not_count_and_weights_do() -> None:
    data = af.Annotations.from_wide(
        [["a", "a"], ["a", "b"], ["b", None]], weights=[30, 10, 100], categories=["a", "b", "c"]
    )
    result = chance_agreements(data)
    assert result.n_items == 40
    assert [row.share for row in result] == pytest.approx([70 / 80, 10 / 80, 0])
    assert [row.items_needed for row in result] == [7, 320, None]
    assert [row.label for row in result.failing] == ["c", "b"]
    assert str(result).splitlines()[-1].split() == ["c", "0.0%", "0.0", "no", "-"]
    assert repr(result) == "<chance agreements of 3 categories in 40 items: 2 categories below 5>"
    assert result.to_dict()["enough"] == [True, False, False]


def test_nothing_has_none() -> None:
    result = chance_agreements([["a", None], [None, "b"]])
    assert [(row.expected, row.items_needed) for row in result] == [(0.0, None), (0.0, None)]
    assert all(math.isnan(row.share) for row in result)
    assert "nan" not in str(result)


@pytest.mark.parametrize("least", [0, -1, math.inf, math.nan, "5"])
def test_a_bad_number_of_agreements_is_refused(least: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="min_count"):
        chance_agreements([["a", "a"]], min_count=least)
