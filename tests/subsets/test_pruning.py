"""Random pruning to a constant number of judgments."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast.subsets import prune, pruned_agreement
from agreement_fast.subsets.pruning import _OfItems, _OfPatterns, _pruner

TABLE = [
    ["x", "y", "x", None], ["y", "y", None, "y"], ["x", "x", "y", "z"], ["z", None, None, None],
    ["y", "y", "x", "y"], ["x", None, None, "z"],
]  # fmt: skip


def said(data):
    return dict(zip(data.items, data.to_wide().tolist(), strict=True))


def test_each_item_keeps_n_of_its_judgments_by_their_coders():
    data = af.Annotations.from_wide(TABLE, items=list("abcdef"), coders=list("ABCD"))
    old = said(data)
    for seed in range(20):
        pruned = prune(data, 3, rng=seed)
        assert list(pruned.items) == list("abce")
        assert pruned.coders == tuple("ABCD")
        assert pruned.categories == data.categories
        for item, row in said(pruned).items():
            assert sum(one is not None for one in row) == 3
            assert all(a in (None, b) for a, b in zip(row, old[item], strict=True))
    assert said(prune(data, 3, rng=4)) == said(prune(data, 3, rng=4))


def ways(pruner, seeds, draw):
    """How often each choice of judgments is drawn."""
    rng = np.random.default_rng(1)
    return Counter(itertools.chain.from_iterable(draw(pruner(rng)) for _ in range(seeds)))


def rows_of(pruned):
    table, weights = pruned.patterns()
    return [
        tuple(row) for row, n in zip(table.tolist(), weights.tolist(), strict=True)
        for _ in range(n)
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["items", "patterns"])
def test_all_choices_are_equally_likely(kind):
    data = af.Annotations.from_wide([[0, 1, 2, 3]] * 50, coders=list("ABCD"))
    pruner = _OfPatterns(data, data.grouped(), 2)
    if kind == "items":
        pruner = _OfItems(data, data.rows, 2, named=True)
    result = ways(pruner, 60, rows_of)
    expected = {
        tuple(k if k in chosen else -1 for k in range(4))
        for chosen in itertools.combinations(range(4), 2)
    }
    assert result.keys() == expected
    chi_square = sum((n - 500) ** 2 / 500 for n in result.values())
    assert 0.01 < chi_square < 20.5  # 99.9% of χ² with 5 degrees of freedom


@pytest.mark.parametrize("kind", ["items", "patterns"])
def test_counts_are_drawn_without_replacement(kind):
    """The counts of n judgments are multivariate hypergeometric."""
    data = af.Annotations.from_counts([[3, 2, 1]] * 60, categories=range(3))
    pruner = _OfPatterns(data, data.grouped(), 3)
    if kind == "items":
        pruner = _OfItems(data, data.rows, 3, named=True)
    drawn = ways(pruner, 50, counts_in)
    chi_square, n_cells = 0.0, 0
    for counts in itertools.product(range(4), range(3), range(2)):
        if sum(counts) != 3:
            continue
        share = Fraction(
            math.prod(math.comb(a, b) for a, b in zip((3, 2, 1), counts, strict=True)), 20
        )
        expected, n_cells = float(3000 * share), n_cells + 1
        chi_square += (drawn[counts] - expected) ** 2 / expected
    assert sum(drawn.values()) == 3000
    assert n_cells == 6
    assert 0.01 < chi_square < 20.5


def counts_in(data):
    weights = [1] * data.n_items if data.rows.weights is None else data.rows.weights.tolist()
    counts = map(tuple, data.to_counts().tolist())
    return [row for row, n in zip(counts, weights, strict=True) for _ in range(n)]


def test_both_ways_of_drawing_have_the_same_spread():
    rng = np.random.default_rng(2)
    table = rng.integers(0, 3, (80, 4))
    data = af.Annotations.from_wide(table)
    assert isinstance(_pruner(data, 2), _OfPatterns)
    values = [
        [af.alpha(pruner(rng)) for _ in range(150)]
        for pruner in (
            _OfPatterns(data, data.grouped(), 2),
            _OfItems(data, data.rows, 2, named=True),
        )
    ]
    assert np.mean(values[0]) == pytest.approx(np.mean(values[1]), abs=0.02)
    assert np.std(values[0]) == pytest.approx(np.std(values[1]), rel=0.25)


def test_rows_with_many_judgments_are_pruned_item_by_item():
    rng = np.random.default_rng(3)
    data = af.Annotations.from_wide(rng.integers(0, 3, (30, 25)))
    pruner = _pruner(data, 5)
    assert isinstance(pruner, _OfItems)
    pruned = pruner(rng)
    assert (pruned.n_items, pruned.n_judgments) == (30, 150)


def test_items_with_just_enough_judgments_keep_them_all():
    data = af.Annotations.from_wide([["x", "y"], ["y", "y"], ["z", "x"]], items=list("abc"))
    for seed in range(5):
        assert said(prune(data, 2, rng=seed)) == said(data)


def test_a_pruning_to_all_judgments_has_no_spread():
    result = pruned_agreement(TABLE, 4, ["alpha", "kappa"], n_resamples=5, rng=1)
    complete = af.Annotations.from_wide(
        [row for row in TABLE if None not in row], coders=list("ABCD")
    )
    for one in nonempty(result):
        assert one.minimum == one.maximum == pytest.approx(af.agreement(complete, one.coefficient))
        assert one.standard_deviation == 0
        assert (one.n_items, one.n_items_dropped) == (2, 4)
        assert (one.n_judgments, one.n_judgments_dropped) == (8, 9)
        assert one.value == pytest.approx(af.agreement(TABLE, one.coefficient))


def test_the_study_tells_the_values_of_its_prunings():
    result = pruned_agreement(TABLE, 2, "alpha", distance="nominal", n_resamples=50, rng=7)[0]
    known = result.values[~np.isnan(result.values)]
    assert result.n_undefined == 50 - len(known)
    assert result.mean == pytest.approx(known.mean())
    assert result.standard_deviation == pytest.approx(known.std(ddof=1))
    assert (result.minimum, result.maximum) == (known.min(), known.max())
    assert result.minimum <= result.low < result.high <= result.maximum
    assert "pruning" in repr(result)
    again = pruned_agreement(TABLE, 2, "alpha", n_resamples=50, rng=7)[0]
    assert result.values.tolist() == again.values.tolist()


def test_the_mean_disagreement_of_prunings_is_that_of_all_judgments():
    """Each pair of an item's judgments is kept equally often, so D_o is estimated without bias."""
    data = af.Annotations.from_wide([row for row in TABLE if sum(map(bool, row)) > 1])
    whole = af.pi(data).observed_disagreement
    rng, pruner = np.random.default_rng(5), _pruner(data, 2)
    drawn = [af.pi(pruner(rng)).observed_disagreement for _ in range(600)]
    assert np.mean(drawn) == pytest.approx(whole, abs=4 * np.std(drawn) / math.sqrt(600))


def test_weights_are_pruned_as_items():
    data = af.Annotations.from_contingency([[10**9, 5], [7, 10**9]])
    pruned = prune(data, 2, rng=1)
    assert pruned.n_items == data.n_items
    assert af.kappa(pruned) == pytest.approx(af.kappa(data))


def test_what_cannot_be_pruned_says_why():
    with pytest.raises(af.AgreementError, match="no item has 5 judgments, the largest number is 4"):
        prune(TABLE, 5)
    with pytest.raises(af.AgreementError, match="n_judgments must be a whole number, 2 or more"):
        prune(TABLE, 1)


@pytest.mark.parametrize("level", [95, 0, 1, "high"])
def test_a_level_that_is_not_a_share_is_refused(level):
    data = af.Annotations.from_wide([["x", "x", "y"]] * 4, coders=range(3))
    with pytest.raises((TypeError, ValueError), match="confidence_level must be"):
        af.subsets.pruned_agreement(data, 2, confidence_level=level, rng=1)
