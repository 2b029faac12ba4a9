"""Intervals of pairs, categories and coders against a reference, by brute force in numpy alone."""

import itertools
import math

import numpy as np
import pytest
from diagnosed import annotations, columns_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from loops import nonempty
from scipy.special import stdtrit
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast import patterns
from agreement_fast.diagnostics import (
    categories,
    category_agreement,
    cells,
    coder_report,
    gold_scores,
    pairwise_agreement,
)
from agreement_fast.diagnostics import coders as coders_module
from agreement_fast.inference import standard_error

STEP = 1e-40


def derivative(function, weights):
    """The derivative of a rational function in each weight: exact, by a complex step."""
    out = np.empty(len(weights))
    for i in range(len(weights)):
        moved = weights.astype(complex)
        moved[i] += 1j * STEP
        out[i] = function(moved).imag / STEP
    return out


def plain_error(function, weights):
    """The delta method over items: √(n/(n − 1) Σ w (u − ū)²)."""
    weights = np.asarray(weights, float)
    u, n = derivative(function, weights), weights.sum()
    if n <= 1:
        return math.nan
    mean = (weights * u).sum() / n
    return math.sqrt(n / (n - 1) * (weights * (u - mean) ** 2).sum())


def of_two(name, first, second, K, d):
    """A coefficient of two coders as a function of the items' weights."""

    def value(w):
        n = w.sum()
        own, other = (
            sum(w[i] * np.eye(K)[side[i]] for i in range(len(w))) for side in (first, second)
        )
        observed = (w * d[first, second]).sum() / n
        both = own + other
        if name == "kappa":
            expected = own @ d @ other / n**2
        elif name == "pi":
            expected = both @ d @ both / (4 * n**2)
        elif name == "alpha":
            expected = both @ d @ both / (2 * n * (2 * n - 1))
        elif name == "s":
            expected = d.sum() / K**2
        else:
            p = both / (2 * n)
            expected = d.max() - d.max() * (
                (1 - d / d.max()).sum() * (p * (1 - p)).sum() / (K * (K - 1))
            )
        return 1 - observed / expected

    return value


def close(result, exact, value=0.5):
    """Whether an error is right; where a value is 1 or has no spread rounding is all there is."""
    if math.isnan(exact):
        return math.isnan(result)
    return result == pytest.approx(exact, rel=1e-8, abs=1e-8)


COEFFICIENTS = ("kappa", "pi", "alpha", "s", "ac")


@settings(max_examples=35)
@given(tables("words"), st.sampled_from(COEFFICIENTS))
def test_each_pair_of_coders(table, name):
    result = pairwise_agreement(annotations(table), name)
    assume(len(result.first))
    K, code = len(table.order), {label: k for k, label in enumerate(table.order)}
    for place, (a, b) in nonempty(enumerate(zip(result.first, result.second, strict=True))):
        rows = [
            (code[row[a]], code[row[b]], w)
            for row, w in zip(table.rows, table.frequencies, strict=True)
            if w and row[a] is not None and row[b] is not None
        ]
        first, second, weights = (np.array(side) for side in zip(*rows, strict=True))
        value = result.value[place]
        if math.isnan(value):
            assert math.isnan(result.standard_error[place])
            assert result.note[place] is None
            continue
        exact = plain_error(of_two(name, first, second, K, 1 - np.eye(K)), weights)
        error = result.standard_error[place]
        assert close(error, exact) or (math.isnan(error) and exact < 1e-8)
        low, high = result.low[place], result.high[place]
        assert math.isnan(low) or low - 1e-12 <= value <= high + 1e-12
        counts = np.bincount(first, weights, K) + np.bincount(second, weights, K)
        others = counts.sum() - counts.max()
        most = min(10 * (1 + max(value, 0)), counts.sum() / 10)
        few = 0 < others <= most and name not in ("s", "ac")
        assert result.rests_on[place] == (others if few else 0)
        assert (result.note[place] is None) == (low < high and not few)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("name", "distance"),
    [("kappa", "nominal"), ("beta", "interval"), ("alpha_prime", "linear"), ("alpha", "ratio")],
)
def test_pairs_are_as_two_coders_selected(monkeypatch, name, distance, compiled):
    """The kernel and the sums of blocks of tables, and the interval of the whole package."""
    if not compiled:
        monkeypatch.setattr(cells._values, "MODELS", {})
    monkeypatch.setattr(cells, "TABLES_AT_ONCE", 40)
    data = annotations(seeded(3, 60, 5, range(1, 9), missing=0.4, heaviest=3, declared=True))
    result = pairwise_agreement(data, name, distance=distance, confidence_level=0.9)
    for place, (a, b) in nonempty(enumerate(zip(result.first, result.second, strict=True))):
        pair = data.select(coders=[data.coders[a], data.coders[b]])
        one = standard_error(
            pair, name, distance=distance, incomplete="complete", confidence_level=0.9
        )
        assert result.n_items[place] == one.n_items
        for column in ("value", "standard_error"):
            assert getattr(result, column)[place] == pytest.approx(getattr(one, column), rel=1e-9)
        assert (result.low[place], result.high[place]) == pytest.approx(
            (one.low, one.high), rel=1e-9, nan_ok=True
        )


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("n", [1, 2, 5, 40])
@pytest.mark.parametrize("K", [2, 3, 9])
def test_intervals_of_many_tables_are_those_of_any_coefficient(monkeypatch, K, n, missing):
    """The compiled sums of two coders beside the influences of rows with weights."""
    rng = np.random.default_rng(100 * K + n)
    table = rng.integers(0, K, (n, 6)).astype(float)
    table[rng.random(table.shape) < missing] = np.nan
    table[: n // 2 + 1, 1] = table[: n // 2 + 1, 0]
    table[:, 2] = 1  # a coder who used one category
    data = af.Annotations.from_wide(table, categories=list(range(K)), coders=list("abcdef"))
    matrix = np.abs(np.subtract.outer(rng.random(K), rng.random(K)))
    matrix = np.triu(matrix, 1) + np.triu(matrix, 1).T
    for name, distance in (("kappa", "nominal"), ("beta", "linear"), ("beta", matrix)):
        result = pairwise_agreement(data, name, distance=distance, confidence_level=0.9)
        with monkeypatch.context() as patch:
            patch.setattr("agreement_fast._kernels._values.MODELS", {})
            plain = pairwise_agreement(data, name, distance=distance, confidence_level=0.9)
        for column in ("value", "standard_error", "low", "high"):
            expected = pytest.approx(getattr(plain, column), rel=1e-10, abs=1e-12, nan_ok=True)
            assert getattr(result, column) == expected, (name, column)


def test_each_coder_against_gold_has_both_intervals():
    rng = np.random.default_rng(5)
    gold = rng.integers(0, 3, 50)
    table = np.where(rng.random((50, 4)) < 0.7, gold[:, None], rng.integers(0, 3, (50, 4)))
    table = table.astype(object)
    table[rng.random((50, 4)) < 0.2] = None
    options = {"coefficient": "kappa", "majority": False, "confidence_level": 0.9}
    result = gold_scores(af.Annotations.from_wide(table), gold.tolist(), **options)
    each = columns_of(result.coefficients)
    for c in range(4):
        there = np.array([label is not None for label in table[:, c]])
        pair = np.column_stack([table[there, c], gold[there]])
        one = standard_error(pair, "kappa", confidence_level=0.9)
        share = af.observed_agreement(pair, confidence_level=0.9, method="wilson")
        assert each.standard_error[c] == pytest.approx(one.standard_error)
        assert (each.low[c], each.high[c]) == pytest.approx((one.low, one.high))
        assert (result.agreement_low[c], result.agreement_high[c]) == pytest.approx(
            (share.low, share.high)
        )
    lines, ends = str(result).splitlines(), ("90%", "from", "to")
    assert lines[1].split() == ["coder", "items", "agreement", *ends, "macro", "F1", *ends]
    assert ["coder", "kappa", *ends] in [line.split() for line in result.to_text().splitlines()]


def test_pairs_without_an_interval_say_why():
    table = [["x", "x", "y"], ["y", "y", "y"], ["x", "x", None], [None, None, "x"]]
    result = pairwise_agreement(table)
    assert result.note[0] is None
    both = standard_error(af.Annotations.from_wide([row[:2] for row in table[:3]]), "kappa")
    assert (result.low[0], result.high[0]) == pytest.approx((both.low, both.high))
    assert result.low[0] < result.high[0] == 1.0
    constant = pairwise_agreement([["x", "x"], ["x", "y"], ["x", "y"]])
    assert constant.value[0] == 0.0
    assert constant.low[0] < 0 < constant.high[0]
    once = pairwise_agreement(af.Annotations.from_wide([["x", "y"]], coders=["a", "b"]), "s")
    assert math.isnan(once.low[0])
    assert "one item" in once.note[0]
    assert result.matrix("high")[0, 1] == 1.0


def test_intervals_of_rare_categories_say_what_they_rest_on():
    rows = [["x", "x"]] * 50 + [["y", "y"]]
    result = pairwise_agreement(rows)
    why = "the interval rests on 2 judgments of rarer categories"
    assert result.note == (why,)
    assert result.to_dict()["note"] == [why]
    assert pairwise_agreement(rows, "s").note == (None,)
    assert pairwise_agreement(rows + rows[-1:] * 6).note == (None,)
    x, y = category_agreement(rows)
    assert x.note == "alpha rests on 2 judgments of other categories"
    assert y.note == "alpha rests on 2 judgments of the category"
    assert [row.note for row in category_agreement(rows + rows[-1:] * 6)] == [None, None]


def test_one_item_has_an_interval_but_no_standard_error():
    for row in nonempty(
        category_agreement(af.Annotations.from_wide([["x", "y"]], coders=["a", "b"]))
    ):
        assert math.isnan(row.specific_standard_error)
        assert row.specific_low < row.specific_high
        assert row.note == "one item has no spread"


# ---------------------------------------------------------------- categories


def shares_of(rows, label):
    """Judgments of a category and of all, for each row."""
    return tuple(
        np.array([sum(1 for said in row if keep(said)) for row in rows], float)
        for keep in (lambda said: said == label, lambda said: said is not None)
    )


@settings(max_examples=35)
@given(tables("words"))
def test_each_category(table):
    rows = [
        (row, w)
        for row, w in zip(table.rows, table.frequencies, strict=True)
        if w and sum(said is not None for said in row) > 1
    ]
    weights = np.array([w for _, w in rows], float)
    categories = category_agreement(annotations(table))
    assume(len(categories))
    for row in nonempty(categories):
        own, size = shares_of([said for said, _ in rows], row.label)

        def specific(w, own=own, size=size):
            return (w * own * (own - 1) / (size - 1)).sum() / (w * own).sum()

        def alpha(w, own=own, size=size):
            n, m = (w * size).sum(), (w * own).sum()
            return 1 - (n - 1) * (w * own * (size - own) / (size - 1)).sum() / (m * (n - m))

        if math.isnan(row.specific_agreement):
            assert math.isnan(row.specific_low)
            assert math.isnan(row.alpha_low)
            continue
        assert close(row.specific_standard_error, plain_error(specific, weights))
        assert 0 <= row.specific_low <= row.specific_agreement <= row.specific_high <= 1
        assert row.specific_low < row.specific_high
        if row.undefined is None and weights.sum() == 1:  # one item shows no spread
            assert math.isnan(row.alpha_low)
            assert math.isnan(row.alpha_high)
        elif row.undefined is None:
            assert close(row.alpha_standard_error, plain_error(alpha, weights))
            assert row.alpha_low - 1e-12 <= row.alpha <= row.alpha_high + 1e-12
            assert row.alpha_low < row.alpha_high <= 1
        mine, both, items = (weights * own).sum(), (weights * size).sum(), weights.sum()
        few = any(0 < m <= both / 10 and m * items <= 5 * both for m in (mine, both - mine))
        assert (row.note is None) == (items > 1 and not few)


@pytest.mark.parametrize("sorted_labels", [True, False])
def test_alpha_of_a_category_is_that_of_two_categories(monkeypatch, sorted_labels):
    monkeypatch.setattr(patterns, "TALLIED", 0 if sorted_labels else 16)
    table = seeded(8, 80, 4, "abcd", missing=0.3, heaviest=3)
    data = annotations(table)
    for row in nonempty(category_agreement(data)):
        two = [[None if x is None else x == row.label for x in items] for items in table.rows]
        one = standard_error(af.Annotations.from_wide(two, weights=table.weights), "alpha")
        assert (row.alpha, row.alpha_standard_error, row.alpha_low, row.alpha_high) == (
            pytest.approx((one.value, one.standard_error, one.low, one.high), rel=1e-9)
        )


def test_alpha_of_a_category_with_one_kind_of_item_has_a_width():
    """Two coders who never disagree, and a category on which they never agree."""
    both = category_agreement([("k", "k")] * 5 + [("o", "o")] * 15)
    for row in both:
        n = {"k": 5, "o": 15}[row.label]
        reach = 1.959963984540054**2 / (2 * n + 1.959963984540054**2)
        assert row.specific_low == pytest.approx(1 - reach)
        assert row.alpha_high == 1.0
        # both categories have one α, which is that of the data
        whole = standard_error([("k", "k")] * 5 + [("o", "o")] * 15)
        assert (row.alpha_low, row.alpha_high) == (whole.low, whole.high)
        assert row.alpha_standard_error == pytest.approx(0.0, abs=1e-12)
    row = category_agreement([("k", "o"), ("o", "k")] + [("o", "o")] * 15).of("k")
    assert row.specific_agreement == row.specific_low == 0.0
    assert row.alpha < 0 < 0.3 < row.alpha_high < 1


def test_counts_without_coders_have_the_same_intervals():
    counts = [[3, 1, 0], [0, 4, 0], [2, 1, 1], [0, 0, 2], [1, 3, 0], [4, 0, 0]]
    rows = [["a"] * a + ["b"] * b + ["c"] * c + [None] * (4 - a - b - c) for a, b, c in counts]
    result = category_agreement(af.Annotations.from_counts(counts, categories=["a", "b", "c"]))
    for one, other in nonempty(zip(result, category_agreement(rows), strict=True)):
        assert (one.specific_low, one.alpha_low) == pytest.approx(
            (other.specific_low, other.alpha_low)
        )


@pytest.mark.parametrize(("both", "one"), [(4, 2), (6, 0), (0, 5), (1, 30)])
def test_two_coders_have_wilsons_interval_of_the_items_that_both_named(both, one):
    rows = [("k", "k")] * both + [("k", "o")] * one + [("o", "o")] * 9
    row = category_agreement(rows).of("k")
    n, p, z = both + one, both / (both + one), 1.959963984540054
    root = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    ends = ((p + z * z / (2 * n) + sign * root) / (1 + z * z / n) for sign in (-1, 1))
    low, high = (2 * end / (1 + end) for end in ends)
    assert row.specific_low == pytest.approx(low, abs=1e-12)
    assert row.specific_high == pytest.approx(high, abs=1e-12)


@pytest.mark.parametrize("size", [2, 3, 4, 7, 10])
@pytest.mark.parametrize("p", [0.0, 0.05, 0.4, 0.83, 1.0])
def test_the_largest_variance_is_that_of_two_kinds_of_items(size, p):
    """Of all ways to mix items so that the agreement is p."""
    y = np.arange(1, size + 1)
    gaps = y * ((y - 1) / (size - 1) - p)
    most = max(-a * b for a, b in itertools.product(gaps, gaps) if a <= 0 <= b)
    result = categories._largest_variance(np.array([p]), np.array([float(size)]))[0]
    if 0 < p < 1:
        assert result * p * (1 - p) == pytest.approx(most)
    assert result >= size if p else result == size


def test_the_table_shows_the_intervals():
    result = category_agreement([("yes", "yes")] * 4 + [("yes", "no")] * 2 + [("no", "no")] * 14)
    assert str(result).splitlines()[3].split() == [
        "yes", "10", "25.0%", "0.8000", "0.4615", "to", "0.9492",
        "0.7400", "0.2480", "to", "0.9360",
    ]  # fmt: skip


# ---------------------------------------------------------------- coders


def of_coders(name, codes, kept, K):
    """α or π of some coders as a function of the items' weights; −1 is no judgment."""
    counts = np.stack([(codes[:, kept] == k).sum(1) for k in range(K)], axis=1).astype(float)
    size = counts.sum(1)
    pair = size > 1
    same = (counts**2).sum(1) - size
    apart = np.where(pair, size * (size - 1) - same, 0.0) / np.where(pair, size - 1, 1)

    def value(w):
        if name == "alpha":
            n_k = (w * pair) @ counts
            n = n_k.sum()
            return 1 - (w @ apart / n) / ((n**2 - (n_k**2).sum()) / (n * (n - 1)))
        there = size > 0
        p = (w * there) @ (counts / np.maximum(size, 1)[:, None]) / (w * there).sum()
        observed = w @ (apart / np.maximum(size, 1)) / (w * pair).sum()
        return 1 - observed / (1 - (p**2).sum())

    return value


@pytest.mark.parametrize("name", ["alpha", "pi"])
@pytest.mark.parametrize("missing", [0.0, 0.35])
def test_what_leaving_out_a_coder_changes(name, missing):
    table = seeded(4, 50, 5, "abc", missing=missing, heaviest=3)
    result = coder_report(annotations(table), name, confidence_level=0.9)
    codes = np.array([["abc".index(x) if x else -1 for x in row] for row in table.rows])
    weights = np.array(table.frequencies, float)
    # items that nobody judged are no sample
    kept = (codes >= 0).any(1) & (weights > 0)
    codes, weights = codes[kept], weights[kept]
    everybody = list(range(5))
    for c in everybody:
        rest = [other for other in everybody if other != c]

        def change(w, rest=rest):
            return of_coders(name, codes, rest, 3)(w) - of_coders(name, codes, everybody, 3)(w)

        assert result.change[c] == pytest.approx(change(weights))
        error = plain_error(change, weights)
        assert result.change_standard_error[c] == pytest.approx(error)
        reach = stdtrit(weights.sum() - 1, 0.95) * error
        assert result.change_low[c] == pytest.approx(result.change[c] - reach)
        assert result.change_high[c] == pytest.approx(result.change[c] + reach)
    # the same items: far surer than either coefficient
    assert result.change_standard_error.max() < standard_error(annotations(table)).standard_error
    assert result.note is None
    assert str(result).splitlines()[1].split()[4:7] == ["change", "90%", "interval"]


def test_changes_of_ranks_are_as_by_hand():
    table = seeded(6, 40, 4, range(1, 6), missing=0.2, declared=True)
    data = annotations(table)
    result = coder_report(data, "alpha", distance="ordinal")
    assert not np.isnan(result.change_low).any()
    assert (result.change_low < result.change).all()
    # ranks stay those among all labels, also without the one coder who used 3
    rows = [[5, 5, 4, 4], [1, 1, 1, 2], [2, 1, 3, 1], [4, 5, 5, 4], [2, 2, 3, 2], [1, 2, 1, 1]]
    both = (coder_report(rows, "beta", distance=name) for name in ("rank_linear", "linear"))
    one, other = (report.change_standard_error for report in both)
    assert one == pytest.approx(other)


def test_changes_without_an_interval_say_why(monkeypatch):
    data = annotations(seeded(6, 40, 4, "abc"))
    assert "intervals=False" in coder_report(data, intervals=False).note
    monkeypatch.setattr(coders_module, "UNASKED", 10)
    result = coder_report(data)
    assert "intervals=True" in result.note
    assert np.isnan(result.change_low).all()
    assert "intervals=True" in str(result)
    assert coder_report(data, intervals=True).note is None
    two = coder_report(annotations(seeded(6, 40, 2, "abc")))
    assert np.isnan(two.change_low).all()  # one coder is left


def test_tables_hold_the_intervals():
    data = annotations(seeded(6, 40, 4, "abc"))
    pairs = pairwise_agreement(data)
    few = pairwise_agreement(data, min_items=int(np.median(pairs.n_items)) + 1)
    assert 0 < len(few) < len(pairs)
    met = {(a, b): i for i, (a, b) in enumerate(zip(pairs.first, pairs.second, strict=True))}
    kept = [met[pair] for pair in zip(few.first, few.second, strict=True)]
    for name in ("standard_error", "low", "high"):
        assert getattr(few, name).tolist() == getattr(pairs, name)[kept].tolist()
    columns = pairs.to_dict()
    assert columns["low"] == pairs.low.tolist()
    assert columns["note"] == [None] * 6
    gold = gold_scores(data)
    columns = gold.to_dict()
    assert columns["kappa_high"] == gold.coefficients.to_dict()["high"][::2]
    assert columns["agreement_low"] == gold.agreement_low.tolist()
    coders = coder_report(data)
    assert coders.to_dict()["change_high"] == coders.change_high.tolist()
    table = category_agreement(data)
    columns = table.to_dict()
    assert columns["category"] == ["a", "b", "c"]
    assert columns["alpha_low"] == [row.alpha_low for row in table]


@pytest.mark.parametrize("name", ["alpha", "beta", "ac"])
def test_many_sets_have_the_interval_of_few(name, monkeypatch):
    """A matrix of all distances, and distances that are looked up."""
    rng = np.random.default_rng(4)
    picked = rng.random((60, 3, 12)) < 0.3
    rows = [[frozenset(np.flatnonzero(one).tolist()) for one in row] for row in picked]
    outcome = []
    for most in (2048, 1):
        monkeypatch.setattr(cells, "MATRIX_OF_ALL", most)
        pairs = af.diagnostics.pairwise_agreement(rows, name, distance="masi")
        outcome.append([pairs.value, pairs.standard_error, pairs.low, pairs.high])
    assert np.isfinite(outcome[0]).all()
    assert np.array(outcome[0]) == pytest.approx(np.array(outcome[1]), abs=1e-12)
