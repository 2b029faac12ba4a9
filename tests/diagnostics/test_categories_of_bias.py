"""Prevalence and bias of each category: Byrt's for two, and the mean over pairs for more."""

import math
from itertools import combinations

import pytest
from di_eugenio_glass_2004 import EXAMPLES, example
from loops import nonempty
from strategies import seeded

import agreement_fast as af
from agreement_fast.diagnostics import bias


@pytest.mark.parametrize("number", EXAMPLES)
def test_two_coders_and_categories_have_byrts_indices(number):
    data = example(number)
    byrt = bias(data)
    first, second = bias(data).categories
    assert first.prevalence_index == pytest.approx(byrt.prevalence_index)
    assert second.prevalence_index == pytest.approx(-byrt.prevalence_index)
    assert first.bias_index == pytest.approx(abs(byrt.bias_index))
    assert second.bias_index == pytest.approx(abs(byrt.bias_index))


@pytest.mark.parametrize("missing", [0, 0.3])
def test_pairs_weigh_by_their_judgments(missing):
    data = af.Annotations.from_wide(seeded(5, 40, 6, "abcd", missing=missing).rows)
    counts = data.coder_marginals().values.tolist()
    pairs = list(combinations(counts, 2))
    weights = [sum(m) * sum(n) for m, n in pairs]
    for k, row in nonempty(enumerate(bias(data).categories)):
        shares = [(m[k] / sum(m), n[k] / sum(n)) for m, n in pairs]
        total = sum(weights)
        prevalence = sum(w * (x + y - 1) for w, (x, y) in zip(weights, shares, strict=True))
        apart = sum(w * abs(x - y) for w, (x, y) in zip(weights, shares, strict=True))
        assert row.prevalence_index == pytest.approx(prevalence / total)
        assert row.bias_index == pytest.approx(apart / total)
        own = [count[k] / sum(count) for count in counts]
        assert row.lowest_share == min(own)
        assert row.highest_share == max(own)


def test_ends_of_the_indices():
    apart = bias([("a", "b"), ("a", "b")]).categories
    assert [(row.prevalence_index, row.bias_index) for row in apart] == [(0, 1), (0, 1)]
    alike = bias(af.Annotations.from_wide([("a", "a")] * 2, categories=["a", "b"])).categories
    assert [(row.prevalence_index, row.bias_index) for row in alike] == [(1, 0), (-1, 0)]


def test_coders_who_judged_nothing_do_not_count():
    rows = [("a", "b", None), ("b", "b", None)]
    with_nobody = af.Annotations.from_wide(rows, coders=["A", "B", "C"])
    both = bias(with_nobody.select(coders=["A", "B"])).categories
    assert [row.bias_index for row in bias(with_nobody).categories] == [
        row.bias_index for row in both
    ]
    alone = bias(with_nobody.select(coders=["A", "C"])).categories
    assert all(math.isnan(row.bias_index) and math.isnan(row.prevalence_index) for row in alone)
