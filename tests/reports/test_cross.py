"""Which labels met: the table of two coders, Krippendorff's coincidences of more."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast import report
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.present.markup import html_of, tables
from agreement_fast.reports.text import SHOWN, cross_table

TABLE = [[46, 0, 0], [6, 32, 6], [0, 0, 10]]
ACTS = ["statement", "info-request", "check"]
# Krippendorff 2011, example C
UNITS = [
    (1, 1, None, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4),
    (4, 4, 4, 4), (1, 1, 2, 1), (2, 2, 2, 2), (None, 5, 5, 5), (None, None, 1, 1),
    (None, 3, None, None),
]  # fmt: skip


def test_two_coders_have_a_contingency_table() -> None:
    data = af.Annotations.from_contingency(TABLE, categories=ACTS, coders=["A", "B"])
    result = report(data).cross
    assert result is not None
    assert (result.kind, result.coders, result.labels) == ("contingency", ("A", "B"), tuple(ACTS))
    assert [list(map(int, row)) for row in result.values] == TABLE
    assert (result.row_totals, result.column_totals) == ((46, 44, 10), (52, 32, 16))
    assert result.total == 100
    text = report(data).to_text()
    assert "Who said what: rows A, columns B\n" in text
    table = text.split("columns B\n")[1].split("\n\n")[0]
    assert [line.split() for line in table.splitlines()] == [
        ["statement", "info-request", "check", "total"],
        ["statement", "46", "0", "0", "46"],
        ["info-request", "6", "32", "6", "44"],
        ["check", "0", "0", "10", "10"],
        ["total", "52", "32", "16", "100"],
    ]
    assert "coincidences" not in text


def test_more_coders_have_coincidences() -> None:
    result = report(UNITS).cross
    assert result is not None
    assert (result.kind, result.coders) == ("coincidence", None)
    # the matrix that Krippendorff prints
    expected = [
        [7, 4 / 3, 1 / 3, 1 / 3, 0], [4 / 3, 10, 4 / 3, 1 / 3, 0], [1 / 3, 4 / 3, 8, 1 / 3, 0],
        [1 / 3, 1 / 3, 1 / 3, 4, 0], [0, 0, 0, 0, 3],
    ]  # fmt: skip
    assert np.array(result.values) == pytest.approx(np.array(expected))
    assert result.total == pytest.approx(40)
    text = report(UNITS).to_text()
    assert "each item adds up to its judgments (coincidences)." in text
    total = next(line for line in text.splitlines() if line.startswith("  total"))
    assert total.split() == ["total", "9", "13", "10", "5", "3", "40"]
    assert report(UNITS).to_text(explain=False).count("(coincidences)") == 0


def test_coders_that_were_let_go_leave_coincidences() -> None:
    data = af.Annotations.from_contingency(TABLE, categories=ACTS)
    added = cross_table(af.concat([data], keep_items=False, keep_coders=False))
    assert added is not None
    assert added.kind == "coincidence"
    assert np.array(added.values) == pytest.approx(np.add(TABLE, np.transpose(TABLE)))


@examples(30)
@given(st.integers(0, 10**6), st.sampled_from([3, 5]), st.sampled_from([20, 200]), st.booleans())
def test_coincidences_by_every_route(seed: int, n_coders: int, n: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(-2, 3, (n, n_coders)).astype(object)
    table[table < 0] = None
    weights = rng.integers(0, 4, n) if weighted else None
    data = af.Annotations.from_wide(table, weights=weights)
    expected = np.zeros((3, 3))
    for i, row in enumerate(table.tolist()):
        judged = [label for label in row if label is not None]
        for a in range(len(judged)):
            for b in range(len(judged)):
                if a != b:
                    weight = 1 if weights is None else weights[i]
                    expected[judged[a], judged[b]] += weight / (len(judged) - 1)
    used = list(data.categories)
    assert sums_of(data).coincidences() == pytest.approx(expected[np.ix_(used, used)])
    assert data.coincidence_matrix() == pytest.approx(expected[np.ix_(used, used)])


def test_rare_labels_are_taken_together() -> None:
    labels = [f"l{i:03}" for i in range(SHOWN + 15)]
    rows = [[label, label, labels[0]] for i, label in enumerate(labels) for _ in range(1 + i % 3)]
    data = af.Annotations.from_wide(rows)
    result = cross_table(data)
    assert result is not None
    assert (len(result.labels), result.n_others, len(result.values)) == (SHOWN, 15, SHOWN + 1)
    assert list(result.labels) == sorted(result.labels)
    whole = data.coincidence_matrix()
    assert result.total == pytest.approx(whole.sum())
    kept = [labels.index(label) for label in result.labels]
    rest = [i for i in range(len(labels)) if i not in kept]
    # none of those that are left out is used more often
    assert whole.sum(0)[rest].max() <= whole.sum(0)[kept].min() + 1e-9
    values = np.array(result.values)
    assert values[:-1, :-1] == pytest.approx(whole[np.ix_(kept, kept)])
    assert values[-1, -1] == pytest.approx(whole[np.ix_(rest, rest)].sum())
    ten = result.most_frequent(10)
    assert (len(ten.labels), ten.n_others) == (10, SHOWN + 15 - 10)
    assert ten.total == pytest.approx(result.total)
    assert ten.most_frequent(10) is ten
    assert "most frequent labels are shown; 55 others are combined." in " ".join(
        report(data).to_text().split()
    )


def test_many_numbers_have_no_table() -> None:
    data = [[i, i + 0.5] for i in range(SHOWN)]
    assert report(data).cross is None
    assert report(data).to_dict()["cross"] is None
    assert "Who said what" not in report(data).to_text()
    assert report(af.Annotations.from_long([], [], [])).cross is None


def test_a_single_label_is_no_table_to_print() -> None:
    text = report([["x", "x"], ["x", "x"]]).to_text()
    assert "Who said what" not in text
    assert report([["x", "x"], ["x", "x"]]).to_dict()["cross"]["values"] == [[2.0]]


def test_the_table_fits_the_page() -> None:
    labels = [f"a long label {i}" for i in range(9)]
    rows = [[a, b] for a in labels for b in labels]
    result = report(af.Annotations.from_wide(rows, weights=[1234] * len(rows)))
    for width in (72, 96):
        text = result.to_text(width=width)
        table = text.split("Who said what")[1].split("How such")[0]
        assert max(map(len, table.splitlines())) <= width
        assert "a long labe…" in table
        assert "others are combined" in table


@pytest.mark.parametrize("places", [[0], [1], [0, 2], [0, 1, 2]])
def test_specific_agreement_of_some_categories(places: list[int]) -> None:
    from agreement_fast.diagnostics import category_agreement

    two = af.Annotations.from_contingency(TABLE, categories=ACTS)
    three = [["a", "a", "b"], ["b", "b", "c"], ["c", "c", None], ["a", "b", "a"], ["c", "c", "c"]]
    for data in (two, af.Annotations.from_wide(three)):
        table, each = cross_table(data), category_agreement(data)
        assert table is not None
        same = math.fsum(each[k].specific_agreement * each[k].n_judgments for k in places)
        used = sum(each[k].n_judgments for k in places)
        assert table.again(places) == pytest.approx(same / used)
    assert math.isnan(table.again([]))


def test_the_document_has_the_table_with_its_margins() -> None:
    data = af.Annotations.from_contingency(TABLE, categories=ACTS, coders=["A", 2])
    document = report(data).to_dict()["cross"]
    assert (document["coders"], document["n_others"]) == (["A", 2], 0)
    assert document["labels"] == ACTS
    assert document["values"] == TABLE
    assert (document["row_totals"], document["column_totals"]) == ([46, 44, 10], [52, 32, 16])
    assert document["total"] == 100


def test_labels_stand_as_somebody_orders_them() -> None:
    result = cross_table(af.Annotations.from_wide([["a", "b"], ["b", "b"], ["c", "a"]]))
    assert result is not None
    turned = result.in_order(["c", "b", "a"])
    assert turned.labels == ("c", "b", "a")
    assert turned.values == tuple(row[::-1] for row in result.values[::-1])


#: Cells that are whole, and those that are not.
@pytest.mark.parametrize(("rows", "cell"), [([("a", "a")] * 1234, "1,234"), (UNITS, "1.3")])
def test_cells_are_readable(rows: Any, cell: str) -> None:
    other = ("b", *rows[0][1:])
    table = report([*rows, other]).to_text().split("total", 1)[1]
    assert cell in table.split()


def test_a_page_and_a_table_to_paste_have_whole_labels() -> None:
    """A terminal has room for few characters of a label, and two labels may begin alike."""
    names = ["strongly negative", "strongly negative and ironic"]
    result = report([names, names[:1] * 2, names[1:] * 2])
    (cross,) = (entry for entry in result.sections() if entry.heading.startswith("Who said what"))
    assert cross.text(True, 96).count("strongly ne…") == 4
    for written in (html_of(cross, "part"), tables([cross], "markdown"), tables([cross], "latex")):
        assert "…" not in written
        assert "ldots" not in written
        assert written.count(names[1]) == 2
