"""Categories, bias and prevalence: definitions, papers, identities."""

import math
from itertools import combinations

import numpy as np
import pytest
import reference
import reference_diagnostics as plain
from di_eugenio_glass_2004 import EXAMPLES, example
from diagnosed import annotations, same
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import nonempty
from reference import rounds_to
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast.diagnostics import (
    bias,
    category_agreement,
    category_confusions,
)
from agreement_fast.subsets import bias_by_size

# ---------------------------------------------------------------- categories


@examples(60)
@given(tables("words"))
def test_agreement_on_each_category(table):
    result = category_agreement(annotations(table))
    assert [row.label for row in result] == table.order
    counts = reference.pairable_counts(
        reference.kept_items(table.items, table.frequencies, table.coders, "published")
    )
    total = sum(counts.values())
    for row in result:
        exact = plain.specific_agreement(table.items, table.frequencies, row.label)
        assert same(row.specific_agreement, exact)
        assert row.n_judgments == counts[row.label]
        if total:
            assert row.share == pytest.approx(counts[row.label] / total)
        # The label against all others combined.
        others = {label: "others" for label in table.used if label != row.label}
        items = plain.renamed(table.items, others)
        cell = reference.agreement(items, "alpha", weights=list(table.frequencies))
        assert same(row.alpha, cell.value)
        assert (row.undefined is None) == (cell.value is not None)


def test_alpha_of_a_category_is_alpha_of_merged_data():
    data = annotations(seeded(1, 60, 5, "abcd"))
    for row in nonempty(category_agreement(data)):
        others = {label: "-" for label in "abcd" if label != row.label}
        merged = af.alpha(data.merge_categories(others))
        assert row.alpha == pytest.approx(merged.value, rel=1e-12)


def test_positive_and_negative_agreement_of_meyer():
    """Slide "Equal weights": A_o+ = 2 · 10 / 60 = 0.333, A_o- = 2 · 1000 / 2040 = 0.980."""
    data = af.Annotations.from_contingency([[10, 20], [20, 1000]], categories=["+", "-"])
    result = category_agreement(data)
    assert rounds_to(result.of("+").specific_agreement, "0.333")
    assert rounds_to(result.of("-").specific_agreement, "0.980")
    with pytest.raises(KeyError, match="'0' is not a category"):
        result.of("0")
    assert result[0].label == "+"
    assert len(result[0:1]) == 1


@examples(60)
@given(tables("words"))
def test_confusions_and_what_merging_would_give(table):
    data = annotations(table)
    result = category_confusions(data)
    met = plain.coincidences(table.items, table.frequencies)
    counts = reference.pairable_counts(
        reference.kept_items(table.items, table.frequencies, table.coders, "published")
    )
    n, apart = sum(counts.values()), sum(c for (a, b), c in met.items() if a != b)
    assert len(result) == math.comb(len(table.order), 2)
    alpha = reference.agreement(table.items, "alpha", weights=list(table.frequencies)).value
    for pair in result:
        together = met[pair.first, pair.second] + met[pair.second, pair.first]
        assert same(pair.observed, together)
        assert same(pair.share, together / apart if apart else None)
        if n > 1:
            expected = 2 * counts[pair.first] * counts[pair.second] / (n - 1)
            assert pair.expected == pytest.approx(expected)
            if expected:
                assert pair.ratio == pytest.approx(float(together) / expected)
        items = plain.renamed(table.items, {pair.second: pair.first})
        merged = reference.agreement(items, "alpha", weights=list(table.frequencies)).value
        assert same(pair.merged_alpha, merged)
        if merged is not None and alpha is not None:
            assert pair.gain == pytest.approx(float(merged - alpha), rel=1e-9, abs=1e-12)
    observed = [pair.observed for pair in result]
    assert observed == sorted(observed, reverse=True)


def test_merged_alpha_is_alpha_of_merged_data():
    data = annotations(seeded(4, 50, 4, "abcde"))
    result = category_confusions(data, limit=4)
    assert len(result) == 4
    for pair in result:
        merged = af.alpha(data.merge_categories({pair.second: pair.first}))
        assert pair.merged_alpha == pytest.approx(merged.value, rel=1e-12)


def test_the_largest_gain_comes_first_if_requested():
    data = annotations(seeded(4, 50, 4, "abcde"))
    everything = category_confusions(data)
    result = category_confusions(data, limit=3, sort="gain")
    ranked = sorted(everything, key=lambda pair: -pair.gain)
    assert list(result) == ranked[:3]
    with pytest.raises(ValueError, match=r"sort must be .*, not 'share'"):
        category_confusions(data, sort="share")
    with pytest.raises(ValueError, match=r"limit must be .*, not -1"):
        category_confusions(data, limit=-1)
    with pytest.raises(TypeError, match=r"limit must be .*, not 1\.5"):
        category_confusions(data, limit=1.5)


def test_a_set_is_a_category_as_a_whole():
    """{SYMPTOM} stands for SYMPTOM alone, and is not printed like the element."""
    rows = [["SYMPTOM", "SYMPTOM|CAUSE"], ["SYMPTOM", "SYMPTOM"], ["CAUSE", "CAUSE"]]
    result = category_agreement(af.Annotations.from_wide(rows, set_separator="|"))
    assert "exactly {" in str(result).splitlines()[2]
    assert result.of(frozenset({"SYMPTOM"})).n_judgments == 3


def test_a_tuple_is_a_category_of_the_table():
    table = category_agreement([((1, 2), (1, 2)), ((1, 2), (3, 4))])
    assert table.to_dict()["category"] == [(1, 2), (3, 4)]
    assert table[1].to_dict()["category"] == [(3, 4)]
    assert "(3, 4)" in str(table)
    confused = category_confusions([((1, 2), (1, 2)), ((1, 2), (3, 4))])
    assert confused.to_dict()["second"] == [(3, 4)]


def test_categories_print():
    result = category_agreement(annotations(seeded(4, 50, 4, "abc")))
    lines = str(result).splitlines()
    assert [line.split()[0] for line in lines[1:5]] == ["category", "a", "b", "c"]
    assert lines[0] == ("agreement on each of 3 categories; items with more judgments count more")
    assert len(lines) == 5
    assert result.uneven
    complete = category_agreement([["a", "b", "a"], ["b", "b", "b"], ["a", "a", "b"]])
    assert not complete.uneven
    assert len(str(complete).splitlines()) == 4
    # Items with one judgment do not count.
    assert not category_agreement([["a", "b"], ["b", "b"], ["a", None]]).uneven
    assert "3 categories" in repr(result)


# ---------------------------------------------------------------- bias and prevalence


@pytest.mark.parametrize(
    ("number", "kappa", "pi", "pabak"),
    [
        (1, "0.6725", "0.663", "0.6667"),
        (2, "0.6637", "0.663", "0.6667"),
        # -0.048 is printed for κ
        (3, "-0.0526", "-0.0526", "0.8"),
        (4, "0.80", "0.80", "0.8"),
        # 0.27 is printed for κ and π of example 5, 0.418 and 0.27 for those of 6
        (5, "0.286", "0.284", "0.3"),
        (6, "0.364", "0.284", "0.3"),
    ],
)
def test_three_numbers_of_di_eugenio_and_glass(number, kappa, pi, pabak):
    result = bias(example(number))
    assert rounds_to(result.individual.value, kappa)
    assert rounds_to(result.pooled.value, pi)
    assert rounds_to(result.adjusted, pabak)
    (a, b), (c, d) = EXAMPLES[number]
    n = a + b + c + d
    assert result.bias_index == pytest.approx((b - c) / n, rel=1e-12)
    assert result.prevalence_index == pytest.approx((a - d) / n, rel=1e-12)
    # of two coders and two categories B is half of the square of the bias index
    assert result.bias == pytest.approx(((b - c) / n) ** 2 / 2, abs=1e-15)


def test_only_example_1_straddles_a_cutoff():
    assert [bias(example(number)).straddles for number in EXAMPLES] == [(0.67,)] + [()] * 5
    assert bias(example(6), threshold=(0.3, 0.5)).straddles == (0.3,)


@examples(80)
@given(tables("words"), st.sampled_from(["published", "pairable"]))
def test_kappa_minus_pi_follows_from_bias(table, incomplete):
    """κ − π = B (1 − A_o) / ((1 − A_e^π)(1 − A_e^κ)) (Artstein & Poesio 2005, section 3)."""
    result = bias(annotations(table), incomplete=incomplete)
    kappa, pi = result.individual, result.pooled
    assume(kappa.undefined is None and pi.undefined is None)
    exact = table.cube()
    exact_kappa, exact_pi = (exact.named(name, incomplete) for name in ("kappa", "pi"))
    big_b = exact_kappa.expected - exact_pi.expected
    assert result.bias == pytest.approx(float(big_b), rel=1e-9, abs=1e-14)
    identity = big_b * exact_pi.observed / (exact_pi.expected * exact_kappa.expected)
    assert result.difference == pytest.approx(float(identity), rel=1e-9, abs=1e-12)
    by_agreement = (
        result.bias
        * (1 - pi.observed_agreement)
        / ((1 - pi.expected_agreement) * (1 - kappa.expected_agreement))
    )
    assert result.difference == pytest.approx(by_agreement, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("distance", "exact"), [("interval", reference.interval)])
def test_weighted_bias_is_a_difference_of_expected_disagreements(distance, exact):
    table = seeded(3, 40, 4, range(5))
    result = bias(annotations(table), distance=distance)
    d = exact(None, None)
    big_b = plain.bias(table.items, table.frequencies, table.coders, d)
    assert result.individual.coefficient == "beta"
    assert result.bias == pytest.approx(float(big_b), rel=1e-10)
    assert result.adjusted is None
    assert result.bias_index is None


def test_bias_is_the_variance_of_the_coders_shares():
    """Appendix A, complete data: Σ_k of the variance over coders, over their number minus one."""
    table = seeded(5, 60, 4, "abc", missing=0)
    data = annotations(table)
    shares = data.coder_marginals() / 60
    exact = shares.var(axis=0).sum() / 3
    assert bias(data).bias == pytest.approx(exact, rel=1e-10)


@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_bias_by_size_is_the_mean_over_all_subsets(distance):
    table = seeded(7, 25, 5, range(4), missing=0)
    d = {"nominal": reference.nominal, "interval": reference.interval}[distance](range(4), None)
    result = bias_by_size(annotations(table), distance=distance, max_subsets=0).bias
    assert bias_by_size(annotations(table), distance=distance).bias.tolist() == result.tolist()
    for size, value in zip(range(2, 6), result, strict=True):
        each = [
            plain.bias(table.items, table.frequencies, some, d)
            for some in combinations(range(5), size)
        ]
        assert value == pytest.approx(float(sum(each) / len(each)), rel=1e-10)
    assert bias_by_size(annotations(table), size=3, distance=distance).bias.tolist() == [result[1]]
    with pytest.raises(ValueError, match="must be from 2 to 5"):
        bias_by_size(annotations(table), size=[6])
    with pytest.raises(TypeError, match=r"size must be .*, not 2\.5"):
        bias_by_size(annotations(table), size=[2.5])


def test_bias_by_size_leaves_out_coders_without_judgments():
    rows = [(1, 1, 2, None), (1, 2, 2, None), (1, 1, 1, None), (2, 2, 2, None)]
    result = bias_by_size(rows)
    others = bias_by_size([row[:3] for row in rows])
    assert result.to_dict() == others.to_dict()
    assert result.sizes.tolist() == [2, 3]


def test_bias_of_more_coders_than_subsets_can_be_made_of():
    rows = [[(i * i + i * c) % 3 for c in range(70)] for i in range(80)]
    with pytest.raises(ValueError, match="2 to 63 coders, got 70"):
        bias_by_size(rows)
    result = bias_by_size(rows, max_subsets=0)
    assert (result.bias > 0).all()
    assert np.isnan(result.difference).all()
    assert result.n_subsets.sum() == 0


def test_difference_by_size_is_the_mean_over_all_subsets():
    table = seeded(7, 25, 5, "abc", missing=0.1)
    data = annotations(table)
    result = bias_by_size(data)
    for place, size in enumerate(range(2, 6)):
        gaps = []
        for some in combinations(range(5), size):
            items = [{c: item[c] for c in some if c in item} for item in table.items]
            cube = reference.Cube(items, coders=list(some))
            gaps.append(cube.named("kappa").value - cube.named("pi").value)
        exact = float(sum(gaps) / len(gaps))
        assert result.difference[place] == pytest.approx(exact, rel=1e-9)
    assert result.n_subsets.tolist() == [10, 10, 5, 1]
    assert result.sizes.tolist() == [2, 3, 4, 5]
    assert (np.diff(result.difference) < 0).all()
    assert "by number of coders" in repr(result)


def test_bias_needs_coders():
    with pytest.raises(ValueError, match="which coder"):
        bias(af.Annotations.from_counts([[2, 1], [1, 2]]))


def test_specific_agreement_is_defined_where_judgments_meet():
    result = category_agreement([("x", None), (None, "y")])
    assert all(math.isnan(row.specific_agreement) for row in result)
    assert result[0].undefined.startswith("no pairs")
