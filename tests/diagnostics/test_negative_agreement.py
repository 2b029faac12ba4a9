"""Negative agreement is the specific agreement of all other categories combined."""

import math

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from strategies import seeded

import agreement_fast as af
from agreement_fast.diagnostics import category_agreement

#: Columns of negative agreement, and the equal ones of all others combined.
PARTS = {
    "negative_agreement": "specific_agreement",
    "negative_standard_error": "specific_standard_error",
    "negative_low": "specific_low",
    "negative_high": "specific_high",
}
ITEMS = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=3, max_size=3)


def merged(rows, weights, label):
    """Replace all labels except one by a common label."""
    names = {label: "it", None: None}
    rows = [[names.get(one, "others") for one in row] for row in rows]
    return af.Annotations.from_wide(
        rows, weights=weights, categories=["it", "others"], coders=range(3)
    )


@examples(25)
@given(st.lists(st.tuples(ITEMS, st.integers(1, 3)), min_size=1, max_size=7))
def test_it_is_that_of_merged_categories(items):
    rows, weights = [row for row, _ in items], [weight for _, weight in items]
    data = af.Annotations.from_wide(rows, weights=weights, categories=list("abcd"), coders=range(3))
    for row in nonempty(category_agreement(data)):
        others = category_agreement(merged(rows, weights, row.label)).of("others")
        for own, part in PARTS.items():
            expected = getattr(others, part)
            assert getattr(row, own) == pytest.approx(expected, rel=1e-9, abs=1e-12, nan_ok=True)


def test_the_level_is_that_of_the_interval():
    data = af.Annotations.from_wide(seeded(3, 30, 3, "abc").rows)
    wide, narrow = category_agreement(data), category_agreement(data, confidence_level=0.5)
    for one, other in zip(wide, narrow, strict=True):
        assert one.negative_low < other.negative_low < one.negative_agreement
        assert one.negative_agreement < other.negative_high < one.negative_high
    assert [row.confidence_level for row in narrow] == [0.5] * 3


def test_proper_nouns_of_meyer():
    """Slide 8: .333 of the nouns and .980 of the others; each is the other's opposite."""
    data = af.Annotations.from_contingency([[10, 20], [20, 1000]], categories=["+", "-"])
    nouns, others = category_agreement(data)
    assert nouns.negative_agreement == pytest.approx(1000 / 1020)
    assert others.negative_agreement == pytest.approx(10 / 30)


def test_nobody_says_anything_else():
    (row,) = category_agreement([("a", "a"), ("a", "a")])
    assert math.isnan(row.negative_agreement)
    assert math.isnan(row.negative_low)
