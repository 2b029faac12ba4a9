"""The path of merges: each step against α from its definition, and the resamples' own paths."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast.diagnostics import category_confusions, category_path
from agreement_fast.diagnostics.category_path import by_confusion, by_gain, group_codes, members_of

TABLE = [("a", "a")] * 5 + [("b", "c")] * 3 + [("b", "b"), ("c", "c"), ("d", "d"), ("a", "d")]


def plain_alpha(rows):
    """1 − D_o / D_e from all pairs of judgments; None without variation."""
    rows = [row for row in rows if len(row) > 1]
    pooled = Counter(label for row in rows for label in row)
    n = sum(pooled.values())
    apart = sum(Fraction(sum(a != b for a, b in product(row, row)), len(row) - 1) for row in rows)
    chance = sum(pooled[a] * pooled[b] for a in pooled for b in pooled if a != b)
    return 1 - (n - 1) * apart / chance if chance else None


def merged(rows, groups):
    name = {label: i for i, group in enumerate(groups) for label in group}
    return [[name[label] for label in row] for row in rows]


def random_rows(rng):
    n_categories = int(rng.integers(3, 7))
    return [
        ["abcdef"[k] for k in rng.integers(0, n_categories, rng.integers(1, 5))]
        for _ in range(int(rng.integers(4, 15)))
    ]


@pytest.mark.parametrize("seed", range(12))
def test_each_step_is_the_best_of_all_merges(seed):
    rows = random_rows(np.random.default_rng(seed))
    wide = [row + [None] * (4 - len(row)) for row in rows]
    path = category_path(af.Annotations.from_wide(wide, coders=list("wxyz")), n_resamples=0)
    groups = [{label} for label in path.categories]
    assert path.value == pytest.approx(float(plain_alpha(rows_in(rows, groups))))
    for step in path:
        tried = []
        for one, other in combinations(groups, 2):
            rest = [group for group in groups if group not in (one, other)]
            alpha = plain_alpha(merged(rows_in(rows, groups), [*rest, one | other]))
            tried += [] if alpha is None else [alpha]
        assert step.value == pytest.approx(float(max(tried)))
        first, second = set(step.first), set(step.second)
        groups = [group for group in groups if group not in (first, second)] + [first | second]
        own = merged(rows_in(rows, groups), groups)
        assert step.value == pytest.approx(float(plain_alpha(own)))
        assert step.n_categories == len(groups)
    assert len(groups) == 2


def rows_in(rows, groups):
    """Return the rows with two judgments or more."""
    known = set().union(*groups)
    return [row for row in rows if len(row) > 1 and known.issuperset(row)]


def test_the_first_step_is_the_largest_gain_of_category_confusions():
    worst = category_confusions(TABLE, sort="gain")[0]
    step = category_path(TABLE, n_resamples=0)[0]
    assert (step.first, step.second) == ((worst.first,), (worst.second,))
    assert (step.value, step.gain) == pytest.approx((worst.merged_alpha, worst.gain))


@pytest.mark.parametrize("by", ["gain", "confusion"])
def test_values_are_those_of_merged_categories(by):
    data = af.Annotations.from_wide(TABLE)
    path = category_path(data, by=by, n_resamples=60, rng=1)
    assert path.value == af.alpha(data)
    assert path.mapping(4) == {}
    for step in path:
        again = data.merge_categories(path.mapping(step.n_categories))
        assert step.value == pytest.approx(af.alpha(again).value)
        assert step.low <= step.value <= step.high
        assert step.gain == pytest.approx(step.value - step.before)
        assert 0 < step.support <= 1


def test_the_tree_merges_what_is_confused_most():
    """b and c meet in 6 of their 10 judgments, a and d in 2 of 14."""
    first, second = category_path(TABLE, by="confusion", n_resamples=0)
    assert (first.merged, first.height) == (("b", "c"), pytest.approx(1 - 6 / 10))
    assert (second.merged, second.height) == (("a", "d"), pytest.approx(1 - 2 / 14))
    o = np.array([[[8, 4, 1, 0], [4, 8, 3, 0], [1, 3, 8, 1], [0, 0, 1, 8]]], float)
    for linkage, height in (("single", 1 - 6 / 28), ("complete", 1 - 2 / 22)):
        assert by_confusion(o, linkage).height[0, 1] == pytest.approx(height)


def test_many_tables_at_once_are_each_by_itself():
    rng = np.random.default_rng(5)
    tables = rng.integers(0, 6, (40, 5, 5)).astype(float)
    tables += tables.transpose(0, 2, 1)
    tables[0] = 0
    tables[1, :, 2:] = tables[1, 2:, :] = 0
    codes = np.array([1, 2, 4, 8, 16], np.uint64)
    for way in (by_gain, lambda o: by_confusion(o, "average")):
        together = way(tables)
        for r in nonempty(range(len(tables))):
            alone = way(tables[r : r + 1])
            assert members_of(alone, 0) == members_of(together, r)
            expected = [sum(1 << k for k in a + b) for a, b in members_of(together, r)]
            result = group_codes(together, codes)[r].tolist()
            assert [code for code in result if code] == expected


def test_support_is_a_share_of_resamples():
    """Of 30 items none is always drawn, so the one that joins a and d is missing in some."""
    clear = category_path(TABLE * 20, n_resamples=100, rng=2)
    few = category_path(TABLE, n_resamples=100, rng=2)
    assert [step.support for step in clear] == [1, 1]
    assert few[1].support < few[0].support <= 1
    assert few[1].support * 100 == round(few[1].support * 100)
    again = category_path(TABLE, n_resamples=100, rng=2)
    assert str(again) == str(few)


def test_intervals_are_those_of_the_bootstrap():
    wide = category_path(TABLE, n_resamples=4000, rng=3)
    plain = af.bootstrap(
        af.Annotations.from_wide(TABLE), "alpha", n_resamples=4000, method="percentile", rng=4
    )
    assert (wide.low, wide.high) == pytest.approx((plain.low, plain.high), abs=0.04)
    whole = category_path(TABLE * 2, cluster=["x"] * 12 + ["y"] * 12, n_resamples=40, rng=3)
    assert whole.low == whole.high == pytest.approx(whole.value)  # two documents, both alike


def test_unused_categories_take_no_part():
    data = af.Annotations.from_wide(
        [*TABLE, ("e", None)], categories=["a", "b", "c", "d", "e", "f"], missing=[None]
    )
    path = category_path(data, n_resamples=0)
    assert path.unused == ("e", "f")
    assert [step.merged for step in path] == [("b", "c"), ("a", "d")]
    assert "Unused categories: e, f." in str(path)


def test_data_without_a_path_are_refused():
    with pytest.raises(
        af.AgreementError,
        match="at least three categories in items with two judgments or more, got 2",
    ):
        category_path([("a", "a"), ("b", "a"), ("b", "b")])
    with pytest.raises(af.AgreementError, match="by must be 'gain' or 'confusion'"):
        category_path(TABLE, by="chance")
    path = category_path(TABLE, n_resamples=0)
    with pytest.raises(af.AgreementError, match="n_categories must be 4 or less, not 5"):
        path.mapping(5)
    with pytest.raises(af.AgreementError, match="n_categories must be a whole number, 2 or more"):
        path.mapping(1)


def test_it_prints_the_merges():
    text = str(category_path(TABLE, n_resamples=50, rng=1))
    assert text.startswith("4 categories merged by gain, from alpha = ")
    assert text.splitlines()[1].split() == [
        "merged", "categories", "alpha", "95%", "interval", "gain", "support"
    ]  # fmt: skip
    assert "part of each gain is due to chance (50 resamples)" in text
