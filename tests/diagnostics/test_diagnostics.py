"""Items, coders and pairs of coders against plain rational arithmetic."""

import functools
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
import reference
import reference_diagnostics as plain
from diagnosed import DISTANCES, annotations, distance_of, same
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast import diagnostics, patterns
from agreement_fast.diagnostics import (
    cells,
    coder_report,
    disagreements,
    pairs,
    pairwise_agreement,
)

# ---------------------------------------------------------------- items

EVERY = {"include_agreed": True, "sort": "item"}


@examples(60)
@given(tables("scale"), st.sampled_from(["alpha", "alpha_prime"]), st.sampled_from(list(DISTANCES)))
def test_items_disagree_by_the_mean_distance_of_their_judgments(table, coefficient, distance):
    options = {"distance": distance, "include_agreed": True}
    result = disagreements(annotations(table), coefficient, sort="item", **options)
    by_share = disagreements(annotations(table), coefficient, sort="share", distance=distance)
    d = distance_of(table, distance)
    item_weight = reference.COEFFICIENTS[coefficient][1]
    exact = [plain.item_disagreement(item, d) for item in table.items]
    assert result.places.tolist() == [i for i, value in enumerate(exact) if value is not None]
    for place, value in zip(result.places.tolist(), result.disagreement, strict=True):
        assert same(value, exact[place])
    shares = plain.item_shares(table.items, table.frequencies, item_weight, d)
    if shares is None:
        assert np.isnan(result.share).all()
        assert len(by_share) == 0
        assert by_share.holding() == 0
    else:
        assert all(same(a, shares[i]) for i, a in zip(result.places, result.share, strict=True))
        ranked = sorted((share for share in shares if share), reverse=True)
        assert by_share.share == pytest.approx(list(map(float, ranked)))
    cell = table.cube(DISTANCES[distance]).named(coefficient)
    assert same(result.value, cell.value)


def test_shares_under_the_ordinal_distance_are_of_its_ranks():
    table = seeded(4, 30, 4, range(1, 6))
    result = disagreements(annotations(table), distance="ordinal", **EVERY)
    kept = reference.kept_items(table.items, table.frequencies, table.coders, "published")
    d = reference.ordinal(table.order, reference.pairable_counts(kept))
    shares = plain.item_shares(table.items, table.frequencies, "judgments", d)
    shares = [float(shares[i]) for i in result.places]
    assert result.share.tolist() == pytest.approx(shares, rel=1e-12)


@pytest.mark.few
@pytest.mark.parametrize("coefficient", ["alpha", "pi", "kappa", "ac", "s"])
@pytest.mark.parametrize("distance", ["nominal", "interval", "ordinal"])
def test_influence_is_the_change_without_an_item_to_first_order(coefficient, distance):
    """Exact leave-one-out: the error falls with the square of the number of items."""
    if distance != "nominal":
        coefficient = {"pi": "alpha_prime", "kappa": "beta", "s": "brennan_prediger"}.get(
            coefficient, coefficient
        )
    errors = []
    table = seeded(7, 40, 4, range(1, 5), missing=0.1)
    for n_items in (40, 160):
        data = af.Annotations.from_wide(table.rows * (n_items // 40), categories=range(1, 5))
        result = disagreements(data, coefficient, distance=distance, **EVERY)
        exact = []
        for i in result.places.tolist():
            others = data.select(items=[j for j in range(n_items) if j != i])
            exact.append(result.value - af.agreement(others, coefficient, distance=distance).value)
        errors.append(np.abs(result.influence - exact).max())
        # scale of an influence is 1 / N
        assert errors[-1] < 8 / n_items**2
        assert np.abs(exact).max() > 1.5 * errors[-1]
    assert errors[1] < errors[0] / 12


def test_most_disputed_items_come_first_with_their_labels():
    rows = [("x", "x", "x"), ("x", "y", "z"), ("y", "y", "x"), ("z", "z", None), ("x", None, None)]
    data = af.Annotations.from_wide(rows, items=["a", "b", "c", "d", "e"])
    result = disagreements(data)
    first, second = result
    assert (first.item, first.counts) == ("b", {"x": 1, "y": 1, "z": 1})
    assert (second.item, second.counts) == ("c", {"y": 2, "x": 1})
    assert first.disagreement == 1
    assert "e" not in [item.item for item in disagreements(data, include_agreed=True)]
    assert result.holding(0.5) == 1
    assert result.holding(0.7) == 2
    assert str(result).splitlines()[3].split() == ["1.0000", "b", "x:", "0;", "y:", "1;", "z:", "2"]


def test_half_of_the_disagreement_allows_for_rounding():
    """Six shares of 1/12 add up to slightly less than 1/2."""
    assert np.cumsum(np.full(12, 1 / 12))[5] < 0.5
    result = disagreements([("x", "y")] * 12 + [("x", "x"), ("y", "y")])
    assert result.holding(0.5) == 6


def test_equally_disputed_items_are_tied():
    rows = [("x", "x", "y")] * 15 + [("x", "y", "z")] * 2 + [("y", "y", "y")] * 3
    result = disagreements(rows)
    assert [int(result.ranks[place]) for place in (0, 1, 2, 16)] == [1, 1, 3, 3]
    assert [result.tied_after(n) for n in (1, 2, 3, 17)] == [1, 0, 14, 0]
    assert "  and 7 more items (--csv FILE, or write_csv, has all)" in str(result).splitlines()
    assert str(result).endswith("\n\n  to_text() has the rest.")
    many = disagreements(rows * 2)
    assert "14 of the others are as disputed as the last of them" in " ".join(
        many.to_text().split()
    )
    assert "more items" not in str(disagreements(rows[7:]))


def test_items_of_undefined_data_have_no_influence():
    result = disagreements([("x", "x"), ("x", "x")], include_agreed=True)
    assert math.isnan(result.value)
    assert np.isnan(result.influence).all()
    assert result.disagreement.tolist() == [0, 0]


# ---------------------------------------------------------------- pairs of coders


@examples(60)
@given(
    tables("scale"),
    st.sampled_from(["s", "pi", "kappa", "alpha", "ac"]),
    st.sampled_from(list(DISTANCES)),
)
def test_pairs_of_coders(table, coefficient, distance):
    if distance != "nominal":
        coefficient = {"pi": "alpha_prime", "kappa": "beta", "s": "brennan_prediger"}.get(
            coefficient, coefficient
        )
    result = pairwise_agreement(annotations(table), coefficient, distance=distance)
    d = distance_of(table, distance)
    exact = plain.pairs(table.items, table.frequencies, table.coders, coefficient, d, table.order)
    assert list(zip(result.first.tolist(), result.second.tolist(), strict=True)) == list(exact)
    for place, (observed, expected, value, n_items) in enumerate(exact.values()):
        assert result.n_items[place] == n_items
        assert same(result.observed_disagreement[place], observed)
        assert same(result.expected_disagreement[place], expected)
        assert same(result.value[place], value)


@pytest.mark.parametrize("coefficient", ["s", "pi", "kappa", "alpha", "ac"])
def test_one_category_is_at_no_distance_from_itself(coefficient):
    rows = [["x", "x"]] * 3
    pairs = pairwise_agreement(rows, coefficient)
    expected = af.agreement(rows, coefficient).expected_disagreement
    assert pairs.expected_disagreement.tolist() == [expected] == [0]


@pytest.mark.parametrize("coefficient", ["kappa", "alpha"])
def test_tables_and_lists_of_judgments_have_the_same_pairs(coefficient):
    """The bit counts of a filled table, and the pairs listed item by item."""
    table = seeded(3, 200, 7, "abcd", missing=0.3)
    data = annotations(table)
    items, coders, labels = data.to_long()
    sparse = af.Annotations.from_long(
        items=[*items, *[f"other {i}" for i in range(3000)]],
        coders=[*coders, *[f"{i}" for i in range(3000)]],
        labels=[*labels, *["a"] * 3000],
    )
    assert not sparse.rows.width
    a, b = pairwise_agreement(data, coefficient), pairwise_agreement(sparse, coefficient)
    names = [
        {
            (str(pairs.coders[i]), str(pairs.coders[j])): value
            for i, j, value in zip(pairs.first, pairs.second, pairs.value, strict=True)
        }
        for pairs in (a, b)
    ]
    assert names[0] == pytest.approx(names[1], rel=1e-12)
    assert len(names[0]) == 21


def test_more_tables_than_judgments_are_listed_and_fewer_counted(monkeypatch):
    data = annotations(seeded(3, 200, 7, "abcd", missing=0.3))
    whole = pairwise_agreement(data)
    monkeypatch.setattr(cells, "TABLES", 0)
    listed = []
    list_pairs = cells._listed
    monkeypatch.setattr(cells, "_listed", lambda *a: listed.append(1) or list_pairs(*a))
    again = pairwise_agreement(data)  # 336 cells, some 2,000 pairs of judgments
    assert not listed
    few = functools.partial(pairs.pair_cells, room=40)  # two or three pairs, or those of one coder
    monkeypatch.setattr(pairs, "pair_cells", few)
    runs = pairwise_agreement(data)
    assert not listed
    monkeypatch.setattr(cells, "row_sizes", lambda rows: np.zeros(1, np.int64))
    other = pairwise_agreement(data)
    assert listed
    for result in (again, runs, other):
        assert result.columns().keys() == whole.columns().keys()
        for name in ("first", "second", "n_items", "rests_on"):
            assert (getattr(result, name) == getattr(whole, name)).all()
        for name in ("value", "standard_error", "low", "high"):
            assert getattr(result, name) == pytest.approx(getattr(whole, name), rel=1e-12)


@pytest.mark.parametrize("step", [1, 1 << 26])
@pytest.mark.parametrize("coders", [range(4), range(1), range(1, 3), range(3, 4)])
def test_pairs_of_some_coders_are_counted_over_all_rows(monkeypatch, coders, step):
    monkeypatch.setattr(patterns, "STEP", step)
    rows = annotations(seeded(3, 200, 4, "abc", missing=0.3)).grouped()
    tables = iter(patterns.pair_tables(rows, 4, 3, coders))
    table = rows.table()
    for a in coders:
        for b in range(a + 1, 4):
            expected = [
                [int(((table[:, a] == j) & (table[:, b] == m)).sum()) for m in range(3)]
                for j in range(3)
            ]
            assert next(tables).tolist() == expected
    assert next(tables, None) is None


def test_pairs_equal_the_coefficient_of_two_coders_selected():
    data = annotations(seeded(5, 60, 5, "abc", declared=True))
    result = pairwise_agreement(data, "kappa").matrix()
    for a, b in combinations(range(5), 2):
        two = af.kappa(data.select(coders=[a, b]), incomplete="complete")
        assert result[a, b] == result[b, a] == pytest.approx(two.value, rel=1e-12)
    assert np.isnan(np.diag(result)).all()


def test_pairs_of_many_coders_are_listed_and_no_matrix_is_made():
    rng = np.random.default_rng(1)
    n = 3000
    items = np.repeat(np.arange(n), 3)
    coders = np.repeat(3 * np.arange(n), 3) + np.tile([0, 1, 2], n)
    data = af.Annotations.from_long(items, coders, rng.integers(0, 3, 3 * n))
    result = pairwise_agreement(data)
    assert result.n_items.sum() == 3 * n
    with pytest.raises(ValueError, match="too large"):
        result.matrix()
    with pytest.raises(ValueError, match=r"of must be .*, not 'kappa'"):
        result.matrix("kappa")
    assert "pairs of" in repr(result)
    assert len(str(result).splitlines()) == 13


@pytest.mark.parametrize("coefficient", ["beta", "alpha_prime", "alpha"])
@pytest.mark.parametrize("distance", ["interval", "linear", "ordinal"])
def test_pairs_of_models_without_a_kernel_have_the_same_numbers(coefficient, distance, monkeypatch):
    data = annotations(seeded(8, 60, 6, range(30), missing=0.8))
    in_one_pass = pairwise_agreement(data, coefficient, distance=distance)
    monkeypatch.setattr(cells._values, "MODELS", {})
    result = pairwise_agreement(data, coefficient, distance=distance)
    for column in ("expected_disagreement", "value", "standard_error", "low", "high"):
        a, b = (getattr(pairs, column) for pairs in (result, in_one_pass))
        assert np.isfinite(a).any()
        assert a == pytest.approx(b, rel=1e-9, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("K", [20, 200, 3000])
def test_pairs_are_counted_column_by_column_as_from_lists(K, weighted, monkeypatch):
    rng = np.random.default_rng(K)
    table = np.where(rng.random((300, 1)) < 0.5, rng.integers(0, K, (300, 7)), K // 2)
    table[rng.random(table.shape) < 0.2] = -1
    table[:, 5] = np.where(np.arange(300) < 2, 0, -1)  # shares two items with others
    table[:, 6] = -1
    weights = rng.integers(0, 4, 300) if weighted else None
    data = af.Annotations.from_wide(table, missing=-1, weights=weights)
    monkeypatch.setattr(cells, "TABLES", 0)  # no tables of bits
    whole = cells.pair_cells

    def runs(dense, room):
        monkeypatch.setattr(cells, "DENSE", dense)
        for first, second, some in whole(data, room):
            for t, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
                here = slice(some.start[t], some.start[t + 1])
                parts = (some.first[here], some.second[here], some.counts[here])
                yield pair, [part.tolist() for part in parts]

    every = dict(runs(0, 1000))
    assert 10 <= len(every) < 21
    for room in (1, 1000, 10**6):
        assert dict(runs(math.inf, room)) == every
    means = []
    for dense, room in ((0, 1000), (math.inf, 1000), (math.inf, 10**6)):
        monkeypatch.setattr(cells, "DENSE", dense)
        monkeypatch.setattr(cells, "pair_cells", lambda data, room=room: whole(data, room))
        mean = pairwise_agreement(data, min_items=3).mean
        means.append((mean.value, mean.low, mean.high))
    assert not np.isnan(means).any()
    assert means[0] == pytest.approx(means[1], rel=1e-12)
    assert means[1] == pytest.approx(means[2], rel=1e-12)


def test_pairs_that_share_few_items_are_left_out_and_counted():
    rows = [("x", "y", None), ("x", "x", "x"), ("y", "y", None), ("y", None, "x")]
    result = pairwise_agreement(rows, min_items=2)
    assert result.n_items.tolist() == [3, 2]
    assert result.n_few == 1
    everything = pairwise_agreement(rows)
    assert everything.n_few == 0
    assert result.value.tolist() == pytest.approx(everything.value[:2].tolist())
    assert pairwise_agreement(rows, min_items=2).mean.n_apart == 1
    with pytest.raises(ValueError, match=r"min_items must be .*, not 0"):
        pairwise_agreement(rows, min_items=0)


def test_pairs_need_coders_and_a_distance():
    with pytest.raises(ValueError, match="which coder"):
        pairwise_agreement(af.Annotations.from_counts([[1, 2], [2, 1]]))
    with pytest.raises(ValueError, match="beta"):
        pairwise_agreement([(1, 2), (2, 2)], "kappa", distance="interval")
    with pytest.raises(ValueError, match="asymmetric"):
        pairwise_agreement([(1, 2), (2, 2)], "beta", distance=[[0, 1], [2, 0]])


@examples(40)
@given(tables(weighted=False), st.sampled_from(["pi", "kappa", "alpha"]))
def test_the_steps_from_the_pairs_mean_to_all_coders_add_up(table, coefficient):
    result = pairwise_agreement(annotations(table), coefficient).mean
    d = distance_of(table, "nominal")
    exact = plain.pairs(table.items, table.frequencies, table.coders, coefficient, d, table.order)
    values = [value for _, _, value, _ in exact.values() if value is not None]
    assert same(result.value, sum(values) / len(values) if values else None)
    assert result.n_pairs == len(exact)
    assert result.n_undefined == len(exact) - len(values)
    assert result.n_apart == math.comb(table.n_coders, 2) - len(exact)
    assert same(result.together.value, table.cube().named(coefficient).value)
    if values and result.together.undefined is None:
        steps = result.by_chance + result.by_items + result.by_rest
        assert result.value + steps == pytest.approx(result.together.value, rel=1e-9, abs=1e-12)
        same_weight = 1 - Fraction(sum(o for o, *_ in exact.values())) / sum(
            e for _, e, *_ in exact.values()
        )
        assert same(result.value + result.by_chance, same_weight)


def test_multi_kappa_of_complete_data_is_the_mean_of_pairs_weighted_by_their_expected_part():
    table = seeded(9, 50, 5, "abcd", missing=0)
    result = pairwise_agreement(annotations(table)).mean
    assert result.by_items == pytest.approx(0, abs=1e-15)
    assert result.by_rest == pytest.approx(0, abs=1e-14)
    assert result.by_chance != 0
    assert f"{result.by_chance:+.4f} because" in result.why
    pairs = pairwise_agreement(annotations(table))
    covariance = np.cov(pairs.value, pairs.expected_disagreement, bias=True)[0, 1]
    exact = covariance / pairs.expected_disagreement.mean()
    assert result.by_chance == pytest.approx(exact, rel=1e-9)


def test_two_coders_have_one_kappa():
    result = pairwise_agreement([("x", "x"), ("x", "y"), ("y", "y")]).mean
    assert result.value == pytest.approx(result.together.value, rel=1e-12)
    assert "do not differ" in result.why


# ---------------------------------------------------------------- coders


@examples(40)
@given(tables(declared=False))
def test_what_coders_use(table):
    report = coder_report(annotations(table))
    items, weights = table.items, table.frequencies
    pool = [
        sum(w * list(i.values()).count(k) for i, w in zip(items, weights, strict=True))
        for k in table.used
    ]
    total = sum(pool)
    for c in nonempty(table.coders):
        own = [
            sum(w for i, w in zip(items, weights, strict=True) if i.get(c, None) == k and c in i)
            for k in table.used
        ]
        n = sum(own)
        assert report.n_judgments[c] == n
        if not n:
            assert math.isnan(report.entropy[c])
            assert report.favourite[c] is None
            continue
        assert report.entropy[c] == pytest.approx(plain.entropy(own), abs=1e-12)
        assert report.divergence[c] == pytest.approx(plain.divergence(own, pool), abs=1e-12)
        assert report.single_category[c] == (max(own) == n)
        assert report.favourite[c] == table.used[own.index(max(own))]
        assert report.favourite_share[c] == pytest.approx(max(own) / n, rel=1e-12)
        once = sum(Fraction(k, total) ** n for k in pool)
        assert report.chance_of_one[c] == pytest.approx(float(once), rel=1e-9)


def test_change_is_that_of_leaving_the_coder_out():
    data = annotations(seeded(2, 40, 5, "abc"))
    report = coder_report(data, "pi")
    for c in range(5):
        others = data.select(coders=[a for a in range(5) if a != c])
        assert report.change[c] == pytest.approx(af.pi(others).value - af.pi(data).value, rel=1e-9)
    assert report.change[report.order].tolist() == sorted(report.change, reverse=True)
    assert len(str(report).splitlines()) == 7


@pytest.mark.parametrize("name", ["kappa", "alpha", "ac"])
def test_the_mean_of_one_pair_has_its_interval(name):
    rows = [("x", "x"), ("x", "y"), ("y", "y"), ("z", "z"), ("z", None), ("y", "z")] * 4
    pairs = pairwise_agreement(rows, name, confidence_level=0.9)
    result = pairwise_agreement(rows, name, confidence_level=0.9).mean
    assert (result.low, result.high) == pytest.approx((pairs.low[0], pairs.high[0]), abs=1e-12)


def test_the_interval_of_the_mean_of_pairs_counts_weights_and_the_items_of_both():
    rows = [("x", "x", "x"), ("x", "x", "y"), ("y", "y", "y"), ("z", "z", "x"), ("z", None, "z")]
    rows = rows * 4
    weights = list(range(1, len(rows) + 1))
    some = af.Annotations.from_wide(rows, coders=["a", "b", "c"], weights=weights)
    repeated = [row for row, n in zip(rows, weights, strict=True) for _ in range(n)]
    each, same_rows = pairwise_agreement(some).mean, pairwise_agreement(repeated).mean
    assert (each.low, each.high) == pytest.approx((same_rows.low, same_rows.high), abs=1e-12)
    assert each.low < each.value < each.high
    pairs = pairwise_agreement(some)
    assert each.high - each.low < np.mean(pairs.high - pairs.low)
    # A pair without enough items does not count, nor do its items.
    with_one = [*((*row, None) for row in repeated), ("x", None, None, "x")]
    fewer = pairwise_agreement(with_one, min_items=2).mean
    assert (fewer.low, fewer.high) == pytest.approx((each.low, each.high), abs=1e-12)


@pytest.mark.parametrize(
    "function",
    [
        diagnostics.bias,
        diagnostics.coder_report,
        diagnostics.disagreements,
        diagnostics.largest_kappa,
        diagnostics.pairwise_agreement,
    ],
)
def test_columns_of_a_table_are_named(function):
    """Columns whose names say nothing, with another one that could be the labels."""
    table = {
        "p": [1, 1, 2, 2, 3, 3] * 2,
        "q": ["A", "B"] * 6,
        "r": list("xxyyxyyxyyxx"),
        "s": list("yxyxyxyxyxyx"),
    }
    table["p"] = [place + 3 * (i // 6) for i, place in enumerate(table["p"])]
    data = af.Annotations.from_long(table["p"], table["q"], table["r"])
    assert str(function(table, item="p", coder="q", label="r")) == str(function(data))
