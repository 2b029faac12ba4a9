"""Labels of items: majorities, ties, gold, what is left out, and tables."""

from __future__ import annotations

import csv
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from examples import examples
from fits import mace
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty
from plain_aggregation import modes, stability

import agreement_fast as af
from agreement_fast import aggregate
from agreement_fast.models import Judgments
from agreement_fast.models.aggregation import shares_of
from agreement_fast.subsets import reference_stability

TABLE = [
    ["x", "x", "y", "x"],
    ["x", "y", None, None],
    ["z", None, None, None],
    [None, None, None, None],
    ["x", "y", "z", None],
    ["y", "y", "x", "x"],
]


@pytest.fixture
def data():
    return af.Annotations.from_wide(TABLE, items=list("abcdef"), coders=["A", "B", "C", "D"])


def test_ties_have_no_label_and_are_counted(data):
    result = aggregate(data)
    assert result.labels.tolist() == ["x", None, "z", None, None, None]
    assert result.status.tolist() == ["decided", "tie", "decided", "unjudged", "tie", "tie"]
    assert result.tied_labels.tolist() == [
        None, ("x", "y"), None, None, ("x", "y", "z"), ("x", "y"),
    ]  # fmt: skip
    assert result.n_judgments.tolist() == [4, 2, 1, 0, 3, 4]
    assert result.n_agreeing.tolist() == [3, 1, 1, 0, 1, 2]
    assert result.confidence[[0, 2]].tolist() == [0.75, 1.0]
    assert np.isnan(result.confidence[[1, 3, 4, 5]]).all()
    assert (result.n_items, result.n_decided, result.n_ties) == (6, 2, 3)
    assert (result.n_unjudged, result.n_gold) == (1, 0)
    assert result.mean_confidence == 0.875
    assert result.notes == (
        "3 items have labels that tie: they have no label",
        "1 item has no judgment: it has no label",
        "1 item has a single judgment, so its share of the votes is 1 and says nothing: see "
        "posterior",
    )
    # one judgment is less than three of four
    assert result.posterior[2] < result.posterior[0] < 1


def test_the_first_of_ties_is_taken_when_asked_for(data):
    result = aggregate(data, ties="first")
    assert result.labels.tolist() == ["x", "x", "z", None, "x", "x"]
    assert result.status.tolist()[1] == "tie"
    assert result.confidence[[1, 4]].tolist() == [0.5, pytest.approx(1 / 3)]
    assert result.notes[0] == "3 items have labels that tie: they have the first of them"
    # what is decided stays what it was
    assert (result.n_ties, result.mean_confidence) == (3, 0.875)
    declared = af.Annotations.from_wide(TABLE, categories=["z", "y", "x"])
    assert aggregate(declared, ties="first").labels.tolist() == ["x", "y", "z", None, "z", "y"]


def test_gold_labels_are_the_labels(data):
    gold = {"a": "y", "b": "x", "d": "w"}
    result = aggregate(data, gold=gold)
    assert result.labels.tolist() == ["y", "x", "z", "w", None, None]
    assert result.status.tolist()[:4] == ["gold", "gold", "decided", "gold"]
    assert result.tied_labels.tolist()[1] is None
    assert result.confidence[[0, 1, 3]].tolist() == [1.0, 1.0, 1.0]
    assert result.n_agreeing.tolist()[:4] == [1, 1, 1, 0]
    assert (result.n_gold, result.n_decided, result.n_ties, result.n_unjudged) == (3, 1, 2, 0)
    # without gold, "a" is wrong, "b" ties, and "d" has no judgment
    check = result.gold_check
    assert (check.n_items, check.n_right, check.n_tied, check.accuracy) == (2, 0, 1, 0.0)
    assert result.coders.n_gold.tolist() == [2, 2, 1, 1]
    assert result.coders.gold_accuracy.tolist() == [0.5, 0.0, 1.0, 0.0]
    assert aggregate(data).gold_check is None
    assert aggregate(data).coders.gold_accuracy is None
    # a majority learns nothing from it
    plain = aggregate(data)
    assert result.coders.accuracy.tolist() == pytest.approx(plain.coders.accuracy.tolist())


@pytest.mark.parametrize("method", ["dawid_skene", "mace"])
def test_models_learn_from_gold(method):
    # two camps of equal size: only gold tells which of them is right
    table = [["x", "x", "y", "y"], ["y", "y", "x", "x"]] * 20
    data = af.Annotations.from_wide(table, coders=list("ABCD"))
    gold = {i: "x" if i % 2 == 0 else "y" for i in range(6)}
    result = aggregate(data, method, gold=gold)
    assert result.labels.tolist() == ["x", "y"] * 20
    assert result.n_gold == 6
    assert result.confidence[6:].min() > 0.99
    assert result.coders.gold_accuracy.tolist() == [1.0, 1.0, 0.0, 0.0]
    assert result.coders.accuracy[:2].min() > 0.99 > result.coders.accuracy[2:].max() + 0.9
    assert result.gold_check.n_items == 6
    # random starts take one of the camps for spammers by chance
    assert result.gold_check.n_right in (0, 6)
    if method == "dawid_skene":
        assert aggregate(data, method, gold=gold, n_restarts=0).gold_check.n_tied == 6


def test_gold_tells_who_was_right():
    # all coders but one are wrong about the gold items, as no model would have it
    table = [["x", "x", "y"]] * 30 + [["y", "y", "y"]] * 10 + [["x", "x", "x"]] * 10
    data = af.Annotations.from_wide(table, coders=["A", "B", "C"])
    for method in ("dawid_skene", "mace"):
        result = aggregate(data, method, gold={0: "y", 1: "y"})
        assert result.coders.gold_accuracy.tolist() == [0.0, 0.0, 1.0]
        without = aggregate(data, method)
        lost = (without.coders.accuracy - result.coders.accuracy)[0]
        assert lost >= 2 / 50 - 1e-3


def test_one_wrong_judgment_makes_nobody_the_worst():
    table = [["x", "x", "x", "y", None]] * 9 + [["x", "x", "x", "x", None]] * 5
    table.append(["x", "x", "x", "x", "y"])
    result = aggregate(af.Annotations.from_wide(table, coders=list("ABCDE"))).coders
    assert result.accuracy[[3, 4]].tolist() == [pytest.approx(6 / 15), 0.0]
    assert result.to_dict()["coder"][:2] == ["D", "E"]


def test_posteriors_that_tie_are_ties():
    table = [["x", "y"], ["y", "x"], ["x", "x"], ["y", "y"]]
    result = aggregate(table, "mace", n_restarts=0)
    assert result.status.tolist() == ["tie", "tie", "decided", "decided"]
    assert result.labels.tolist() == [None, None, "x", "y"]
    assert aggregate(table, "mace", ties="first", n_restarts=0).labels.tolist()[:2] == ["x", "x"]


@pytest.mark.parametrize("method", ["majority", "dawid_skene", "mace"])
@pytest.mark.parametrize("table", [np.zeros((0, 3), int), [[None, None], [None, None]]])
def test_nothing_to_aggregate(method, table):
    result = aggregate(
        af.Annotations.from_wide(table, coders=range(len(np.array(table).T))), method
    )
    assert result.labels.tolist() == [None] * len(table)
    assert (result.n_unjudged, result.n_decided) == (len(table), 0)
    assert math.isnan(result.mean_confidence)
    assert "unjudged" in repr(result)
    assert str(result)
    assert str(result.coders)
    if method != "majority":
        assert result.model.undefined


def test_one_category_is_no_model():
    result = aggregate([["x", "x"], ["x", None]])
    assert result.labels.tolist() == ["x", "x"]
    assert result.model.undefined == "one category: every judgment is right"
    assert np.isnan(result.posterior).all()
    once = aggregate([["x", None], [None, "y"]])
    assert "no item has two judgments" in once.model.undefined


def test_counts_have_no_coders():
    data = af.Annotations.from_counts([[2, 1], [1, 1], [0, 3]], categories=["x", "y"])
    result = aggregate(data)
    assert result.labels.tolist() == ["x", None, "y"]
    assert result.n_judgments.tolist() == [3, 2, 3]
    assert result.coders is None
    with pytest.raises(ValueError, match="needs to know which coder"):
        aggregate(data, "mace")


def test_what_it_refuses(data):
    with pytest.raises(ValueError, match="method must be"):
        aggregate(data, "mode")
    with pytest.raises(
        ValueError, match=r"'median' is a score .* use af\.diagnostics\.item_scores"
    ):
        aggregate(data, "median")
    with pytest.raises(ValueError, match="smoothing is not an option of method='majority'"):
        aggregate(data, smoothing=0.1)
    with pytest.raises(ValueError, match="ties must be"):
        aggregate(data, ties="random")
    with pytest.raises(ValueError, match="'q', which is not in the data"):
        aggregate(data, gold={"q": "x"})
    said = Judgments.from_long(["i"], ["a"], ["x"])
    with pytest.raises(ValueError, match="gold labels go with Annotations"):
        aggregate(said, gold=["x"])
    with pytest.raises(ValueError, match="smoothing must be"):
        mace(data, smoothing=-1)


def test_as_tables(data, tmp_path: Path):
    result = aggregate(data, gold={"a": "y"})
    path = tmp_path / "labels.csv"
    result.write_csv(path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["item"] for row in rows] == list("abcdef")
    assert rows[4].pop("entropy") == str(result.entropy[4])
    assert rows[4] == {
        "item": "e", "label": "", "confidence": "", "posterior": "", "n_judgments": "3",
        "n_agreeing": "1", "status": "tie", "tied_labels": "x | y | z",
    }  # fmt: skip
    frame = result.to_frame("pandas")
    assert frame["label"].tolist()[::2] == ["y", "z", frame["label"].iloc[4]]
    assert frame["label"].isna().tolist() == [False, True, False, True, True, True]
    assert "posterior" not in aggregate(data, "mace").columns()
    coders = result.coders.to_frame("pandas")
    assert list(coders.columns) == [
        "coder", "n_judgments", "n_compared", "accuracy", "low", "high", "n_gold",
        "gold_accuracy", "gold_low", "gold_high", "suspect", "adjusted_p_value",
    ]  # fmt: skip
    assert coders["high"].is_monotonic_increasing
    assert "a     y" in str(result)
    assert "gold  judgments" in str(result.coders)
    assert "competence" in str(mace(data))
    assert mace(data).to_dict()["coder"] == ["A", "B", "C", "D"]


LABELS = st.lists(st.lists(st.sampled_from("xyz"), max_size=6), min_size=1, max_size=12)


@examples(20, deadline=None)
@given(LABELS)
def test_majorities_are_the_most_frequent_labels(rows):
    width = max(3, *map(len, rows))
    table = [row + [None] * (width - len(row)) for row in rows]
    result = aggregate(af.Annotations.from_wide(table, coders=range(width), categories=list("xyz")))
    for i, row in nonempty(enumerate(rows)):
        best = modes(row)
        assert result.labels[i] == (next(iter(best)) if len(best) == 1 else None)
        assert result.n_agreeing[i] == max(Counter(row).values(), default=0)
        assert set(result.tied_labels[i] or ()) == (best if len(best) > 1 else set())
        if len(best) == 1:
            assert result.confidence[i] == pytest.approx(row.count(result.labels[i]) / len(row))
    # each coder against the majority of the others
    for c in nonempty(range(width)):
        right = compared = 0
        for row in table:
            others = modes([k for d, k in enumerate(row) if d != c and k is not None])
            if row[c] is not None and len(others) == 1:
                compared += 1
                right += row[c] in others
        assert result.coders.n_compared[c] == compared
        accuracy = right / compared if compared else math.nan
        assert result.coders.accuracy[c] == pytest.approx(accuracy, nan_ok=True)


@examples(20, deadline=None)
@given(LABELS.filter(any))
def test_stability_is_that_of_all_sets(rows):
    width = max(3, *map(len, rows))
    table = [row + [None] * (width - len(row)) for row in rows]
    result = reference_stability(
        af.Annotations.from_wide(table, coders=range(width)), resample="items"
    )
    judged = [row for row in rows if row]
    tied = sum(len(modes(row)) > 1 for row in judged)
    assert (result.n_tied, result.n_unjudged) == (tied, len(rows) - len(judged))
    for i, size in enumerate(result.sizes.tolist()):
        shares, n = stability(judged, size) if result.n_items[i] else ([math.nan] * 3, 0)
        assert [result.same[i], result.tied[i], result.other[i]] == pytest.approx(
            list(shares), abs=1e-12, nan_ok=True
        )
        assert result.n_items[i] == n
        assert result.n_fewer[i] == len(judged) - tied - n
        assert result.n_exactly[i] == sum(len(row) == size and len(modes(row)) == 1 for row in rows)


def test_stability_of_many_judgments():
    counts = np.array([[60, 40], [200, 3], [7, 1]])
    data = af.Annotations.from_counts(counts)
    result = reference_stability(data, resample="items", size=[1, 7, 101])
    assert result.same[0] == pytest.approx((0.6 + 200 / 203 + 7 / 8) / 3)
    assert result.n_items.tolist() == [3, 3, 1]
    assert result.n_fewer.tolist() == [0, 0, 2]
    assert result.same[2] == pytest.approx(1.0)
    assert (result.low <= result.same).all() or np.isnan(result.low[2])
    assert result.low[0] < result.same[0] < result.high[0]
    assert reference_stability(data, resample="items").sizes.tolist() == list(range(1, 16))
    with pytest.raises(
        ValueError, match="size must be from 1 to 203, the number of coders, not 300"
    ):
        reference_stability(data, resample="items", size=[300])
    assert "judgments" in str(result)
    assert result.to_dict()["n_judgments"] == [1, 7, 101]


def test_stability_of_a_crowd_is_not_that_of_its_coders():
    rng = np.random.default_rng(0)
    n = 60
    items = np.repeat(np.arange(n), 3)
    data = af.Annotations.from_long(items, rng.permutation(3 * n), ["x", "x", "y"] * n)
    result = reference_stability(data, resample="items")
    assert result.same.tolist() == pytest.approx([2 / 3, 1 / 3, 1.0])
    misled = af.subsets.reference_stability(data, size=[1])
    assert misled.changed[0] > 0.98


def test_wilson_by_its_equation():
    share, low, high = shares_of(np.array([3.0, 0.0, 0.0]), np.array([7.0, 4.0, 0.0]), 0.9)
    for end in (low[0], high[0]):
        assert (3 / 7 - end) ** 2 == pytest.approx(1.6448536269514722**2 * end * (1 - end) / 7)
    assert (share[1], low[1]) == (0.0, 0.0)
    assert np.isnan([share[2], low[2], high[2]]).all()


def test_an_odd_number_of_two_labels_never_ties():
    """1 - same - other would leave a rest of rounding."""
    rng = np.random.default_rng(0)
    result = reference_stability(
        rng.choice(list("xy"), (7, 5), p=[0.7, 0.3]).tolist(), resample="items"
    )
    assert result.tied[::2].tolist() == [0.0, 0.0, 0.0]
    assert (result.tied[1::2] > 0.1).all()
    assert result.same + result.other + result.tied == pytest.approx(np.ones(5))
