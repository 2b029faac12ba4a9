"""Coders against a gold standard, and a model against people."""

import math

import numpy as np
import pytest
import reference
import reference_diagnostics as plain
from diagnosed import DISTANCES, annotations, columns_of, distance_of, same
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import nonempty
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast.diagnostics import gold_scores, model_agreement
from agreement_fast.diagnostics.model_agreement import WithPeople
from agreement_fast.points import Point

# ---------------------------------------------------------------- gold


@examples(60)
@given(tables("words"), st.sampled_from(["kappa", "pi", "alpha", "s"]))
def test_each_coder_against_the_majority_of_the_others(table, coefficient):
    result = gold_scores(annotations(table), coefficient=coefficient)
    each = columns_of(result.coefficients)
    assert not result.has_majority
    d = distance_of(table, "nominal")
    exact = plain.against_majority(
        table.items, table.frequencies, table.coders, coefficient, d, table.order
    )
    for c in nonempty(table.coders):
        cell, tied = exact[c]
        alone = sum(
            w for item, w in zip(table.items, table.frequencies, strict=True) if set(item) == {c}
        )
        assert result.n_without[c] == tied + alone
        if cell is None:
            assert result.n_items[c] == 0
            assert "no pairs" in result.undefined[c]
            assert each.undefined[c] == result.undefined[c]
            continue
        observed, expected, value, n_items = cell
        assert result.n_items[c] == n_items
        assert same(result.agreement[c], 1 - observed)
        assert same(each.expected_disagreement[c], expected)
        assert same(each.value[c], value)


@examples(40)
@given(tables("scale"), st.data())
def test_each_coder_gold_scores(table, data):
    labels = st.sampled_from([*table.order, None])
    if table.categories is None:
        labels |= st.sampled_from([101, 102.5])  # categories that no coder used
    gold = data.draw(st.lists(labels, min_size=len(table.rows), max_size=len(table.rows)))
    used = {label for row in table.rows for label in row}
    # Whole numbers beyond the scale on one side, and nothing else, are refused.
    assume(table.categories or (used & {*gold}) - {None} or 102.5 in gold or {*gold} <= {None})
    options = {"coefficient": "beta", "distance": "interval", "majority": False}
    result = gold_scores(annotations(table), gold, **options)
    each = columns_of(result.coefficients)
    d = reference.interval(None, None)
    for c in nonempty(table.coders):
        both = [
            ({0: item[c], 1: right}, w)
            for item, w, right in zip(table.items, table.frequencies, gold, strict=True)
            if w and c in item and right is not None
        ]
        assert result.n_items[c] == sum(w for _, w in both)
        if both:
            observed, expected, value, _ = plain.two(both, "beta", d, None)
            assert same(each.observed_disagreement[c], observed)
            assert same(each.expected_disagreement[c], expected)
            assert same(each.value[c], value)
            equal = sum(w for pair, w in both if pair[0] == pair[1])
            assert result.agreement[c] == pytest.approx(equal / result.n_items[c])


def test_gold_by_item_and_by_order_are_the_same():
    data = af.Annotations.from_long(
        ["u", "u", "v", "v", "w"], ["A", "B", "A", "B", "A"], ["x", "y", "y", "y", "x"]
    )
    by_name = gold_scores(data, {"w": "z", "u": "x"}, majority=False)
    by_order = gold_scores(data, np.array(["x", None, "z"], object), majority=False)
    assert by_name.agreement.tolist() == by_order.agreement.tolist() == [0.5, 0]
    assert by_name.n_items.tolist() == [2, 1]
    assert by_name.n_without.tolist() == [1, 1]
    assert "2 coders against gold" in repr(by_name)
    assert "2 coders against the majority of the others" in repr(gold_scores(data))
    _, rows, *_ = by_name.to_text().split("\n\n")
    assert [line.split()[0] for line in rows.splitlines()[1:3]] == ["B", "A"]


def test_bad_gold_is_refused():
    data = af.Annotations.from_wide([("x", "y"), ("y", "y")], categories=["x", "y"])
    with pytest.raises(ValueError, match="names item 7"):
        gold_scores(data, {7: "x"})
    with pytest.raises(ValueError, match="3 labels for 2 items"):
        gold_scores(data, ["x", "y", "x"])
    with pytest.raises(ValueError, match=r"'z'.*declared"):
        gold_scores(data, ["x", "z"])
    with pytest.raises(ValueError, match="which coder"):
        gold_scores(af.Annotations.from_counts([[1, 1]]), [0])
    with pytest.raises(ValueError, match="gold 'xy' is not a coder; the coders are 0, 1: pass the"):
        gold_scores(data, "xy")
    with pytest.raises(ValueError, match="gold 5 is not a coder"):
        gold_scores(data, 5)
    with pytest.raises(ValueError, match=r"one label per item, got shape \(2, 2\)"):
        gold_scores(data, np.ones((2, 2)))


def test_no_items_have_no_gold():
    for gold in ([], {}, None):
        assert len(gold_scores([], gold, majority=False)) == 0


def test_ordinal_ranks_are_those_of_all_labels_that_are_compared():
    """One coder and gold are two coders; with more coders, all have the same ranks."""
    labels, gold = [1, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 4]
    options = {"coefficient": "alpha", "distance": "ordinal", "majority": False}
    one = columns_of(gold_scores(np.array(labels)[:, None], gold, **options).coefficients)
    exact = af.alpha(np.column_stack([labels, gold]), "ordinal")
    assert one.value[0] == pytest.approx(exact.value, rel=1e-12)
    others = [1, 2, 3, 4, 4, 4]
    both = columns_of(gold_scores(np.column_stack([labels, others]), gold, **options).coefficients)
    counts = {
        k: sum(column.count(k) for column in (labels, others, gold, gold)) for k in range(1, 5)
    }
    metric = reference.ordinal(range(1, 5), counts)
    pairs = [({0: a, 1: b}, 1) for a, b in zip(labels, gold, strict=True)]
    observed, _, value, _ = plain.two(pairs, "alpha", metric, None)
    assert same(both.observed_disagreement[0], observed)
    assert same(both.value[0], value)


# ---------------------------------------------------------------- models


@examples(60)
@given(
    tables("scale"),
    st.data(),
    st.sampled_from(["kappa", "pi", "alpha", "s"]),
    st.sampled_from(list(DISTANCES)),
)
def test_a_model_with_people(table, data, coefficient, distance):
    if distance != "nominal":
        coefficient = {"pi": "alpha_prime", "kappa": "beta", "s": "brennan_prediger"}.get(
            coefficient, coefficient
        )
    n = len(table.rows)
    labels = data.draw(st.lists(st.sampled_from([*table.order, None]), min_size=n, max_size=n))
    shared = [
        i
        for i in range(n)
        if labels[i] is not None and len(table.items[i]) > 1 and table.frequencies[i]
    ]
    assume(shared)
    result = model_agreement(
        annotations(table), labels, coefficient, distance=distance, n_resamples=40, rng=1
    )
    d = DISTANCES[distance](table.order, None)
    observed, expected, value = plain.model_with_people(
        table.items, table.frequencies, labels, coefficient, d, table.order
    )
    assert same(result.observed_disagreement[0], observed)
    assert same(result.expected_disagreement[0], expected)
    assert same(result.value[0], value)
    people = reference.agreement(
        [table.items[i] for i in shared],
        coefficient,
        DISTANCES[distance],
        weights=[table.frequencies[i] for i in shared],
        categories=table.order,
        coders=table.coders,
    )
    assert same(result.people[0], people.value)
    assert result.n_items[0] == sum(table.frequencies[i] for i in shared)
    assert result.n_items[0] + result.n_items_dropped[0] == sum(table.frequencies)


def test_a_coder_taken_for_a_model_completes_multi_kappa():
    """Complete data: D_o and D_e of all pairs are those of the people's and of the model's."""
    table = seeded(8, 60, 5, "abc", missing=0)
    data = annotations(table)
    people = data.select(coders=[0, 1, 2, 3])
    result = model_agreement(people, [row[4] for row in table.rows], n_resamples=40, rng=0)
    everybody = af.kappa(data)
    for half in ("observed_disagreement", "expected_disagreement"):
        together = 6 * getattr(af.kappa(people), half) + 4 * getattr(result, half)[0]
        assert together / 10 == pytest.approx(getattr(everybody, half), rel=1e-12)


@pytest.mark.parametrize("distance", ["nominal", "ordinal"])
def test_resamples_are_the_coefficients_of_weighted_items(distance):
    """Both values under any weights are those of data with such weights."""
    table = seeded(6, 30, 4, range(1, 5))
    data = annotations(table)
    rng = np.random.default_rng(3)
    labels = rng.integers(1, 5, 30)
    keep = [i for i, item in enumerate(table.items) if len(item) > 1]
    rows = [table.rows[i] for i in keep]
    data = af.Annotations.from_wide(rows, categories=range(1, 5))
    both = WithPeople(data, (labels[keep] - 1)[:, None], Point.of("beta", distance))
    drawn = rng.integers(0, 4, (len(rows), 3)).astype(float)
    of_model, _, _, people = both.values(both.made.sums(drawn), drawn)
    for r in range(3):
        weighted = af.Annotations.from_wide(
            rows, categories=range(1, 5), weights=drawn[:, r].astype(int)
        )
        result = model_agreement(weighted, labels[keep], "beta", distance=distance, n_resamples=40)
        assert of_model[0, r] == pytest.approx(result.value[0], rel=1e-12)
        assert people[r] == pytest.approx(result.people[0], rel=1e-12)


def test_the_interval_knows_a_better_and_a_like_model():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 400)
    noise = rng.random((400, 6)) < 0.3
    rows = np.where(noise, rng.integers(0, 3, (400, 6)), truth[:, None])
    people, like = rows[:, :5], rows[:, 5]
    same_kind = model_agreement(people, like, n_resamples=400, rng=1)
    better = model_agreement(people, truth, n_resamples=400, rng=1)
    worse = model_agreement(people, rng.permutation(truth), n_resamples=400, rng=1)
    assert same_kind.difference_low[0] < 0 < same_kind.difference_high[0]
    assert better.difference_low[0] > 0
    assert worse.difference_high[0] < 0
    # √(agreement with the truth): the noise of one coder instead of two
    assert better.value[0] == pytest.approx(math.sqrt(better.people[0]), abs=0.03)


def test_the_seed_gives_the_interval_with_any_number_of_threads():
    table = seeded(6, 200, 4, "abc")
    labels = [row[0] or "a" for row in table.rows]
    first, second = (
        model_agreement(annotations(table), labels, n_resamples=600, rng=9, threads=n)
        for n in (1, 2)
    )
    assert first.replicates.tolist() == second.replicates.tolist()
    assert first.difference_low[0] < first.difference[0] < first.difference_high[0]


def test_models_of_counts_and_without_shared_items():
    counts = af.Annotations.from_counts([[3, 0], [1, 2], [0, 3]], categories=["x", "y"])
    result = model_agreement(counts, ["x", "y", "y"], "pi", n_resamples=40, rng=0)
    assert result.observed_disagreement[0] == pytest.approx(1 / 9, rel=1e-12)
    with pytest.raises(ValueError, match="two people"):
        model_agreement([("x", None), ("y", "x")], ["x", None])
    assert "1 model with people" in repr(result)
