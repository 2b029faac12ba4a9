"""Precision, recall and F1 against gold, and agreement with the majority opinion."""

import math

import numpy as np
import pytest
import reference_scores as plain
from diagnosed import annotations, same
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from scipy.stats import norm
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support
from strategies import seeded, tables

import agreement_fast as af
from agreement_fast.diagnostics import gold_scores, majority_agreement
from agreement_fast.inference import standard_error

MEASURES = ("precision", "recall", "f1")


def rows_of(table):
    """The rows of a table as dicts."""
    columns = table.to_dict()
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@examples(30)
@given(tables("words"), st.data())
def test_scores_of_each_coder_and_the_majority(table, data):
    labels = st.sampled_from([*table.order, None])
    gold = data.draw(st.lists(labels, min_size=len(table.rows), max_size=len(table.rows)))
    result = gold_scores(annotations(table), gold)
    categories, averages = rows_of(result.categories), rows_of(result.averages)
    assert result.coders == (*table.coders, "majority")
    level = 0
    for c in result.coders:
        place = result.coders.index(c)
        pairs, without = [], 0
        for row, w, right in zip(table.rows, table.frequencies, gold, strict=True):
            said = plain.majority(row) if c == "majority" else row[c]
            if said is None:
                if c == "majority" and right is not None and any(x is not None for x in row):
                    level += w
            elif right is None:
                without += w
            elif w:
                pairs.append((said, right, w))
        assert result.n_without[place] == without
        assert result.n_items[place] == sum(w for _, _, w in pairs)
        assert (result.undefined[place] is None) == bool(pairs)
        own = {row["category"]: row for row in categories if row["coder"] == c}
        exact = plain.scores(pairs)
        assert own.keys() == exact.keys()
        for k, measures in exact.items():
            for measure, value in measures.items():
                assert same(own[k][measure], value)
        for row in averages:
            if row["coder"] == c:
                for measure in MEASURES:
                    assert same(row[measure], plain.average(pairs, measure, row["average"]))
        equal = sum(w for said, right, w in pairs if said == right)
        n = result.n_items[place]
        assert same(result.agreement[place], equal / n if n else None)
        matrix = result.confusion(c)
        assert matrix.sum() == n
        for said, right, _ in pairs:
            assert matrix.at(right, said) == sum(w for s, r, w in pairs if (s, r) == (said, right))
    assert result.n_level == level


def test_scores_are_those_of_scikit_learn():
    said, right = scored(200, 7)
    said[said == 2] = 3  # a category of the coder alone, and one of gold alone
    result = gold_scores(said[:, None], right, majority=False)
    exact = precision_recall_fscore_support(right, said, zero_division=np.nan)
    columns = result.categories.to_dict()
    for measure, values in zip((*MEASURES, "right"), exact, strict=True):
        assert columns[measure] == pytest.approx(values.tolist(), rel=1e-12, nan_ok=True)
    for row in rows_of(result.averages):
        exact = precision_recall_fscore_support(
            right, said, average=row["average"], zero_division=np.nan
        )
        for measure, value in zip(MEASURES, exact, strict=False):
            assert row[measure] == pytest.approx(value, rel=1e-12)
    assert result.confusion(0).tolist() == confusion_matrix(right, said).tolist()


@examples(20)
@given(tables("words"), st.data(), st.sampled_from([0.9, 0.95]))
def test_intervals_of_shares_are_wilsons(table, data, level):
    labels = st.sampled_from([*table.order, None])
    gold = data.draw(st.lists(labels, min_size=len(table.rows), max_size=len(table.rows)))
    result = gold_scores(annotations(table), gold, confidence_level=level)
    for row in rows_of(result.categories):
        correct, said, right = row["correct"], row["given"], row["right"]
        for measure, n in (("precision", said), ("recall", right)):
            exact = plain.wilson(correct, n, level)
            assert (row[f"{measure}_low"], row[f"{measure}_high"]) == pytest.approx(
                exact, abs=1e-9, nan_ok=True
            )
        jaccard = plain.wilson(correct, said + right - correct, level)
        f1 = [2 * end / (1 + end) for end in jaccard]
        assert (row["f1_low"], row["f1_high"]) == pytest.approx(f1, abs=1e-9)
    for c, n in nonempty(enumerate(result.n_items.tolist())):
        exact = plain.wilson(round(result.agreement[c] * n), n, level) if n else (math.nan,) * 2
        ends = result.agreement_low[c], result.agreement_high[c]
        assert ends == pytest.approx(exact, abs=1e-9, nan_ok=True)


def scored(n, seed, noise=0.3):
    """A coder and gold with three categories, one of them rare."""
    rng = np.random.default_rng(seed)
    right = rng.choice(3, n, p=[0.6, 0.3, 0.1])
    labels = np.where(rng.random(n) < noise, rng.integers(0, 3, n), right)
    return labels, right


@pytest.mark.parametrize("measure", MEASURES)
def test_the_weighted_average_has_the_error_of_the_infinitesimal_jackknife(measure):
    """The interval is Wilson's of the size that the derivative by each item's weight gives."""
    said, right = scored(60, 1)
    result = rows_of(gold_scores(said[:, None], right, majority=False).averages)[1]
    both = list(zip(said, right, strict=True))
    step, value, squares = 1e-5, result[measure], 0.0
    for i in range(60):
        up, down = (
            plain.average(
                [(s, r, 1 + move * (i == j)) for j, (s, r) in enumerate(both)], measure, "weighted"
            )
            for move in (step, -step)
        )
        squares += ((up - down) / (2 * step)) ** 2
    size = value * (1 - value) / (squares * 60 / 59)
    z = norm.ppf(0.975)
    for end in (result[f"{measure}_low"], result[f"{measure}_high"]):
        assert (value - end) ** 2 == pytest.approx(z * z * end * (1 - end) / size, rel=1e-6)


@pytest.mark.parametrize(("noise", "least"), [(0.3, 0.925), (0.03, 0.90)])
def test_intervals_of_macro_averages_hold_their_level(noise, least):
    """The level also holds if a category has six items and all are correct in many samples."""
    right_share = np.array([0.6, 0.3, 0.1])
    chance = noise / 3
    table = np.diag(right_share * (1 - noise)) + chance * right_share  # said × right
    correct, said = np.diag(table), table.sum(1)
    truth = {
        "precision": (correct / said).mean(),
        "recall": (correct / right_share).mean(),
        "f1": (2 * correct / (said + right_share)).mean(),
    }
    n_samples = 1000
    codes = np.random.default_rng(2).choice(9, (60, n_samples), p=table.reshape(-1))
    # A coder for each sample: coder c judges items c · 60 and following.
    items = np.arange(60 * n_samples)
    data = af.Annotations.from_long(items, items // 60, codes.T.reshape(-1) // 3)
    result = gold_scores(data, codes.T.reshape(-1) % 3, majority=False).averages.to_dict()
    for measure, exact in truth.items():
        low = np.array(result[f"{measure}_low"][::2])
        high = np.array(result[f"{measure}_high"][::2])
        assert (low >= -1e-12).all()
        assert (high <= 1 + 1e-12).all()
        assert least < ((low <= exact) & (exact <= high)).mean() < 0.98


def test_the_macro_average_of_correlated_f1_adds_their_errors():
    """Two categories: every error lowers both F1, so the interval is about that of one of them."""
    said, right = np.repeat([0, 1, 0, 1], 25), np.repeat([0, 1, 1, 0], [25, 25, 25, 25])
    said[50:] = right[50:]
    said[90:] = 1 - right[90:]
    result = gold_scores(said[:, None], right, majority=False)
    mean = rows_of(result.averages)[0]
    each = rows_of(result.categories)
    reach = [row["f1"] - row["f1_low"] for row in each]
    assert mean["f1"] - mean["f1_low"] > np.hypot(*reach) / 2 * 1.2
    assert mean["recall"] - mean["recall_low"] == pytest.approx(
        np.hypot(*(row["recall"] - row["recall_low"] for row in each)) / 2, rel=1e-12
    )


def test_coefficients_are_those_of_two_coders():
    said, right = scored(80, 4)
    result = gold_scores(
        said[:, None], right, coefficient=["beta", "alpha"], distance="interval", majority=False
    )
    for row in rows_of(result.coefficients):
        exact = standard_error(np.stack([said, right], 1), row["coefficient"], distance="interval")
        assert (row["value"], row["low"], row["high"]) == pytest.approx(
            (exact.value, exact.low, exact.high), rel=1e-9
        )
    assert result.to_dict()["beta"] == [result.coefficients.to_dict()["value"][0]]


def test_gold_may_be_a_coder_who_is_then_not_scored():
    table = seeded(3, 40, 4, "abc")
    data = annotations(table)
    by_name = gold_scores(data, 3)
    by_label = gold_scores(data.select(coders=[0, 1, 2]), [row[3] for row in table.rows])
    assert by_name.coders == (0, 1, 2, "majority")
    assert by_name.agreement.tolist() == by_label.agreement.tolist()
    alone = gold_scores(data, 3, majority=False)
    assert alone.coders == (0, 1, 2)
    assert alone.agreement.tolist() == by_name.agreement[:3].tolist()
    assert alone.n_without.tolist() == by_name.n_without[:3].tolist()
    text = af.Annotations.from_wide(table.rows, coders=["a", "b", "c", "expert"])
    assert gold_scores(text, "expert").agreement.tolist() == by_name.agreement.tolist()
    with pytest.raises(ValueError, match="gold 'ann' is not a coder; the coders are 0, 1, 2, 3"):
        gold_scores(data, "ann")
    with pytest.raises(ValueError, match="which coder"):
        gold_scores(af.Annotations.from_counts([[1, 1]]), [0])
    with pytest.raises(ValueError, match="coefficient must not be empty"):
        gold_scores(data, 3, coefficient=[])
    with pytest.raises(ValueError, match="use beta"):
        gold_scores(data, 3, distance="ordinal")


def test_what_is_printed_and_a_coder_called_majority():
    data = af.Annotations.from_wide([("x", "x"), ("y", "x")], coders=["majority", "B"])
    result = gold_scores(data, ["x", "y"])
    assert result.coders[-1] == "majority of the coders"
    assert repr(result) == (
        "<2 coders against gold: agreement 0.5 to 1; left out: 1 item without a majority, because "
        "labels tie>"
    )
    assert "majority of the coders" in str(result)
    assert result.n_level == 1
    assert result.confusion("B").row_title == "gold"
    with pytest.raises(ValueError, match="there is no coder 'C'"):
        result.confusion("C")


# ---------------------------------------------------------------- the majority opinion


@examples(30)
@given(tables("words"))
def test_agreement_with_the_majority_opinion(table):
    result = majority_agreement(annotations(table))
    agree, n, level = dict.fromkeys(table.coders, 0), dict.fromkeys(table.coders, 0), 0
    for row, w in zip(table.rows, table.frequencies, strict=True):
        labels = [label for label in row if label is not None]
        top = plain.majority(row)
        if len(labels) > 1 and top is None:
            level += w
        if len(labels) > 1 and top is not None:
            for c in table.coders:
                n[c] += w * (row[c] is not None)
                agree[c] += w * (row[c] == top)
    assert result.n_level == level
    assert result.n_judgments.tolist() == list(n.values())
    total = sum(n.values())
    assert same(result.value, sum(agree.values()) / total if total else None)
    assert (result.undefined is None) == bool(total)
    for c in table.coders:
        assert same(result.observed_agreement[c], agree[c] / n[c] if n[c] else None)
        ends = plain.wilson(agree[c], n[c])
        assert (result.observed_low[c], result.observed_high[c]) == pytest.approx(
            ends, abs=1e-9, nan_ok=True
        )


def test_the_interval_of_the_majority_opinion_takes_items_as_the_sample():
    """Repeating every item halves the interval; repeating every coder does not."""
    table = np.array(seeded(5, 60, 5, "ab", missing=0).rows)
    result = majority_agreement(table)
    four_times = majority_agreement(np.tile(table, (4, 1)))
    twice = majority_agreement(np.hstack([table, table]))
    width = result.high - result.low
    assert four_times.high - four_times.low == pytest.approx(width / 2, rel=0.03)
    assert twice.value == result.value
    assert twice.high - twice.low == pytest.approx(width, rel=1e-9)
    assert f"{float(result):.6g}" in repr(result)
    assert len(str(result).splitlines()) == 7


def test_seven_coders_and_two_categories_as_passonneau_and_litman_count():
    """Four of seven agree with the majority on the worst items, so 4 / 7 is the least possible."""
    worst = [("x",) * 4 + ("y",) * 3] * 10
    assert majority_agreement(worst).value == 4 / 7
    assert majority_agreement([("x",) * 7] * 10).low > 0.7


def test_the_error_of_the_majority_opinion_is_that_of_the_jackknife():
    rows = seeded(8, 80, 5, "ab", missing=0.3).rows
    result = majority_agreement(rows)
    kept = [row for row in rows if sum(x is not None for x in row) > 1 and plain.majority(row)]
    hits = np.array([sum(x == plain.majority(row) for x in row) for row in kept])
    sizes = np.array([sum(x is not None for x in row) for row in kept])
    n = len(kept)
    left = (hits.sum() - hits) / (sizes.sum() - sizes)
    error = np.sqrt((n - 1) * np.var(left))
    size = result.value * (1 - result.value) / error**2
    z = norm.ppf(0.975)
    for end in (result.low, result.high):
        reach = z * z * end * (1 - end) / size
        assert (result.value - end) ** 2 == pytest.approx(reach, rel=0.03)


def test_items_without_gold_are_no_ties_and_all_correct_is_wilsons():
    result = gold_scores([("x", "y"), ("x", "y"), ("x", "x")], ["x", None, "x"])
    assert result.n_level == 1
    right = ["x"] * 12 + ["y"] * 8
    mean = rows_of(gold_scores([[x] for x in right], right, majority=False).averages)[1]
    assert mean["f1_low"] == pytest.approx(plain.wilson(20, 20)[0])


def test_coefficients_with_gold_say_what_their_intervals_rest_on():
    labels = [["x", "x"]] * 50 + [["x", "y"]]
    data = af.Annotations.from_wide(labels, coders=["Ann", "Bea"])
    table = rows_of(gold_scores(data, [b for _, b in labels], majority=False).coefficients)
    notes = {(row["coder"], row["coefficient"]): row["note"] for row in table}
    assert notes["Ann", "alpha"] == "the interval rests on 1 judgment of rarer categories"
    assert notes["Ann", "kappa"] == "the interval rests on 1 judgment of rarer categories"
    assert notes["Bea", "kappa"] == "the interval rests on 2 judgments of rarer categories"
    even = gold_scores([["x"], ["y"]] * 20, ["x", "y"] * 19 + ["y", "x"], majority=False)
    assert [row["note"] for row in rows_of(even.coefficients)] == [None, None]
