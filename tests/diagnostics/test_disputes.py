"""Items on which coders disagree, against a loop over items and pairs of coders."""

from __future__ import annotations

import csv
import itertools
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement_fast import Annotations, concat
from agreement_fast.diagnostics import disagreements
from agreement_fast.errors import InputError

TABLES = st.integers(2, 4).flatmap(
    lambda n: st.lists(
        st.lists(st.sampled_from([None, "x", "y", "z"]), min_size=n, max_size=n),
        min_size=1,
        max_size=8,
    )
)


def made(table) -> Annotations:
    return Annotations.from_wide(table, coders=range(len(table[0])))


def by_hand(table, coders, labels=None, include_agreed=False):
    """Return the expected (item, disagreement, judgments), the most disputed items first."""
    result = []
    for item, row in enumerate(table):
        said = {c: row[c] for c in coders if row[c] is not None}
        pairs = list(itertools.combinations(said.values(), 2))
        if not pairs:
            continue
        share = sum(a != b for a, b in pairs) / len(pairs)
        if (share or include_agreed) and (labels is None or set(said.values()) == set(labels)):
            result.append((item, share, said))
    return sorted(result, key=lambda one: -round(one[1], 9))


@given(TABLES, st.booleans(), st.sampled_from([None, ("x", "y"), ("z", "x")]), st.booleans())
def test_the_list_is_that_of_a_loop(table, two, labels, include_agreed) -> None:
    data = made(table)
    if labels is not None and not set(labels) <= set(data.categories):
        labels = None
    coders = [1, 0] if two else list(range(len(table[0])))
    result = disagreements(
        data, between=coders if two else None, between_labels=labels, include_agreed=include_agreed
    )
    expected = by_hand(table, coders, labels, include_agreed)
    assert [one.item for one in result] == [item for item, _, _ in expected]
    for one, (_, share, said) in zip(result, expected, strict=True):
        assert one.disagreement == pytest.approx(share)
        assert one.judgments == said
        assert one.rank == 1 + sum(other > share + 1e-9 for _, other, _ in expected)
    everything = by_hand(table, coders, include_agreed=True)
    assert result.n_judged == len(everything)
    assert result.n_disputed == sum(share > 0 for _, share, _ in everything)


@given(TABLES)
def test_lists_and_tables_are_alike(table) -> None:
    rows = [(i, c, label) for i, row in enumerate(table) for c, label in enumerate(row)]
    # Coders who judge one item each make the rows lists.
    more = [(0, 100 + k, None) for k in range(40)]
    judged = [row for row in [*rows, *more] if row[2] is not None or row in more]
    data = Annotations.from_long(*map(list, zip(*judged, strict=True)))
    result, expected = disagreements(data), disagreements(made(table))
    assert [one.judgments for one in result] == [one.judgments for one in expected]
    columns = result.columns()
    assert "said" not in columns
    assert columns["labels_by_coder"] == [
        "; ".join(f"{coder}: {label}" for coder, label in one.judgments.items()) for one in expected
    ]


DATA = Annotations.from_wide(
    [("x", "y", "x"), ("x", "y", "y"), ("x", "y", "z"), ("x", "x", "x"), ("y", None, None),
     ("z", "x", None)],
    coders=["Ann", "Bea", "rank"],
    items=["a", "b", "c", "d", "e", "f"],
)  # fmt: skip


def test_ties_are_reported() -> None:
    result = disagreements(DATA)
    assert [(one.rank, one.item) for one in result] == [(1, "c"), (1, "f"), (3, "a"), (3, "b")]
    assert [result.tied_after(n) for n in range(6)] == [0, 1, 0, 1, 0, 0]
    # Their shares of 2/3 come from other sums, and are equal.
    assert repr(result) == "<4 of 5 items on which coders disagree, 4 listed>"
    head = result.head(3)
    assert (len(head), head.n_disputed, head[-1].item) == (3, 4, "a")
    assert [one.item for one in result[1:3]] == ["f", "a"]


def test_the_table_has_a_column_for_each_coder(tmp_path: Path) -> None:
    data = DATA.with_texts({"c": "the third, it says"})
    path = tmp_path / "out.csv"
    disagreements(data).write_csv(path)
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert list(rows[0]) == [
        *("rank", "item", "text", "disagreement", "share", "influence", "Ann", "Bea"), "coder_rank"
    ]  # fmt: skip
    assert rows[0]["text"] == "the third, it says"
    assert rows[1]["coder_rank"] == rows[1]["text"] == ""
    assert disagreements(data)[0].text == "the third, it says"


def test_who_said_what_by_label() -> None:
    one = disagreements(DATA)[2]
    assert one.coders_by_label == {"x": ("Ann", "rank"), "y": ("Bea",)}
    assert "x: Ann, rank; y: Bea" in str(disagreements(DATA))


def test_weights_and_distances() -> None:
    data = Annotations.from_wide([(1, 2), (1, 3), (2, 2)], weights=[5, 1, 1])
    result = disagreements(data, distance="interval")
    # The rare item is more disputed, even if the other one occurs more often.
    assert [(one.item, one.disagreement) for one in result] == [(1, 4.0), (0, 1.0)]
    assert result.columns()["weight"].tolist() == [1, 5]
    sets = made([({"a"}, {"a", "b"}), ({"a"}, {"b"})])
    assert [one.item for one in disagreements(sets)] == [1, 0]
    assert disagreements(sets).distance == "masi"
    # Ranks are those among all categories, even if fewer coders are compared.
    ranks = made([(1, 5, 2), (1, 3, 2)])
    result = disagreements(ranks, distance="rank_linear", between=[0, 1])
    assert [one.disagreement for one in result] == [3.0, 2.0]


def test_rounding_does_not_break_ties() -> None:
    steps = [(k / 10, (k + 1) / 10, (k + 2) / 10) for k in range(8)]
    result = disagreements(made(steps), distance="interval")
    assert len(set(result.disagreement.tolist())) > 1
    assert set(result.ranks.tolist()) == {1}
    assert [one.item for one in result] == list(range(8))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"between": ["Ann"]}, "between must be two coders or more"),
        ({"between": "Ann"}, "between must be two coders or more"),
        ({"between": ["Ann", "Cid"]}, "there is no coder 'Cid'"),
        ({"between_labels": ["x"]}, "between_labels must be two different labels"),
        ({"between_labels": ["x", "x"]}, "between_labels must be two different labels"),
        ({"between_labels": ["x", "w"]}, "no label 'w' in between_labels: there are x, y, z"),
    ],
)
def test_faults(options, said) -> None:
    with pytest.raises(InputError, match=said):
        disagreements(DATA, **options)


def test_what_has_nothing_to_dispute() -> None:
    with pytest.raises(InputError, match="which coder made which judgment"):
        disagreements(Annotations.from_counts([[1, 1]]), between=[0, 1])
    result = disagreements(made([("x", None), (None, "y")]))
    assert (len(result), result.n_judged, list(result)) == (0, 0, [])
    assert math.isclose(disagreements(made([("x", "x")]), include_agreed=True)[0].disagreement, 0)


def test_rows_of_equal_items_are_called_rows():
    data = concat([Annotations.from_wide([[1, 2], [1, 2], [1, 1]])], keep_items=False)
    assert repr(disagreements(data)) == "<1 of 2 weighted rows on which coders disagree, 1 listed>"


def test_counts_have_labels_in_place_of_coders():
    data = Annotations.from_counts([[2, 0, 1], [0, 3, 0], [1, 1, 1]], categories=["x", "y", "z"])
    result = disagreements(data)
    assert result.coders == ()
    assert [(one.item, one.counts, one.judgments) for one in result] == [
        (2, {"x": 1, "y": 1, "z": 1}, {}), (0, {"x": 2, "z": 1}, {})
    ]  # fmt: skip
    assert result.to_dict()["labels"] == ["x: 1; y: 1; z: 1", "x: 2; z: 1"]
    assert "x: 2; z: 1" in str(result)
    assert result[1].columns()["labels"] == ["x: 2; z: 1"]


def test_items_are_sorted_by_what_is_asked():
    rows = [
        ("x", "x", "x", "y"),
        ("x", "y", None, None),
        ("z", "z", "z", "z"),
        ("x", "y", "x", "y"),
    ]
    result = {
        sort: disagreements(rows, "pi", sort=sort, include_agreed=True)
        for sort in ("disagreement", "share", "item")
    }
    assert result["disagreement"].places.tolist() == [1, 3, 0, 2]
    assert result["item"].places.tolist() == [0, 1, 2, 3]
    assert result["item"].ranks.tolist() == [3, 1, 4, 2]
    # α weighs items by their judgments, so a pair that differs is a smaller part of D_o.
    by_share = disagreements(rows, "alpha", sort="share")
    assert by_share.places.tolist() == [3, 0, 1]
    assert (by_share.share[:-1] >= by_share.share[1:]).all()
    assert by_share.holding(0.5) == disagreements(rows, "alpha").holding(0.5) == 2
    with pytest.raises(InputError, match="sort must be 'disagreement', 'share' or 'item'"):
        disagreements(rows, sort="rank")
