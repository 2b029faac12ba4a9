"""Rows that are no items: totals, statistics, repeated headers, types, rules and units."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import Annotations
from agreement_fast.reading.recognition.arithmetic import below_columns
from agreement_fast.reading.recognition.rows import (
    FIRST,
    LAST,
    REPEATED,
    UNLIKE,
    NoItem,
    are_plain,
    header_of_data,
    problem,
    rows_that_are_none,
    value_of,
    words_of_totals,
)

NAMES = ("item", "ann", "bob")
IDS = [(str(i), "yn"[i % 2], "yn"[i % 3 > 0]) for i in range(8)]
SCORES = [(f"s{i}", str(1 + i % 5), str(1 + i % 3)) for i in range(8)]
WORDS = [(word, *row[1:]) for word, row in zip(
    ("house", "tree", "sum", "river", "mean", "cat", "road", "total"), IDS, strict=True
)]  # fmt: skip


def rows_without_items(rows: list[Any], item: int | None = 0, names: Any = NAMES) -> list[int]:
    return [row.row for row in rows_that_are_none(names, rows, item=item)]


@pytest.mark.parametrize(
    "last",
    [
        ("Total", "8", "8"),
        ("TOTAL:", "", ""),
        ("Mean", "3.2", "2.8"),
        ("Mittelwert", "2,5", "y"),
        ("SD", "1", "1"),
        ("Summe", 24, 15),
        ("N", 8, 8),
        ("Kappa", "0.53", None),
        ("Cohen's kappa", "", "y"),
        ("75%", "y", "n"),
        ("Agreement (%)", "63%", "62%"),
        ("Average", float("nan"), 2.0),
    ],
)
@pytest.mark.parametrize("rows", [IDS, SCORES])
def test_a_total_or_statistic_below_items(rows: list[Any], last: Any) -> None:
    assert rows_without_items([*rows, last]) == [8]
    assert rows_without_items([*rows, last, ("", "", "")]) == [8]
    assert rows_without_items([last, *rows]) == [0]


def test_statistics_below_words() -> None:
    assert rows_without_items(WORDS) == []
    assert rows_without_items([*WORDS, ("Total", "80%", "75%")]) == [8]
    # An item is called "total"; the row below it is one.
    assert rows_without_items([*WORDS, ("Total", "8", "8")]) == [8]
    assert rows_without_items([*WORDS[:7], ("", "", ""), ("Total", "y", "n")]) == [8]
    describe = ("count", "mean", "std", "min", "25%", "50%", "75%", "max")
    assert rows_without_items([*WORDS[:7], *((name, "1", "2") for name in describe)]) == list(
        range(7, 15)
    )
    assert rows_without_items([*WORDS, ("Krippendorff's alpha", "y", "n")]) == [8]


def test_notes_below_items() -> None:
    notes = [("Note: n and y", None, None), ("n = no", None, ""), (None, None, None)]
    n = len(IDS)
    assert rows_without_items([*IDS, *notes[:2]]) == [n, n + 1]
    assert rows_without_items([*IDS, *notes[:2]], item=None) == []
    assert rows_without_items([*IDS, ("a note", "y", None)]) == []
    assert rows_without_items([*IDS, ("last", None, None)]) == []
    named = [(f"essay {item}", *labels) for item, *labels in IDS]
    assert rows_without_items([*named, notes[0]]) == []
    assert rows_without_items([*IDS[:2], notes[0]]) == []
    assert rows_without_items([*IDS[:3], notes[0]]) == [3]


def test_items_may_have_such_names() -> None:
    moods = [(word, *row[1:]) for word, row in zip(("min", "max", "sum", "n"), IDS, strict=False)]
    assert rows_without_items(moods) == []
    assert rows_without_items([*IDS[:4], ("overture", "y", "n")]) == []
    films = [(word, *row[1:]) for word, row in zip(
        ("house", "Overall", "Result", "river", "score", "cat", "Total Recall"), IDS, strict=False
    )]  # fmt: skip
    assert rows_without_items(films) == []
    # Words for results are plausible items, even with cells that no other item has.
    assert rows_without_items([*films[:6], ("Score", 9, 8)]) == []
    assert rows_without_items([("a", "1", "2"), ("b", "2", "2"), ("Total", "2", "1")]) == []
    words = ("house", "tree", "river", "total")
    assert (
        rows_without_items([(word, coder, "yn"[coder > "b"]) for word in words for coder in "abc"])
        == []
    )
    letters = [(letter, "y", "n") for letter in "ABCDEFGHIJKLMN"]
    assert rows_without_items(letters) == []


def test_a_total_may_be_far_below() -> None:
    last = [*((str(i), "y", "n") for i in range(991, 1000)), ("Total", "430", "570")]
    rows = rows_that_are_none(NAMES, [*IDS], last, 1000, 0)
    assert [row.row for row in rows] == [999]


RATED = [(3, 1), (2, 2), (5, 4), (1, 1), (2, 3)]
NAN = float("nan")


@pytest.mark.parametrize(
    ("above", "last", "what"),
    [
        (RATED, (13, 11), "sums"),
        (RATED, (13, 10), None),
        (RATED, (2.6, 2.2), "means"),
        (RATED, (2.6, 2.21), None),
        ([*RATED, (1, 2)], (14 / 6, 13 / 6), "means"),
        ([*RATED, (1, 2)], (2.33, 2.17), "means"),
        ([*RATED, (1, 2)], (2.34, 2.17), None),
        ([*RATED, (NAN, 2)], (13, 13), "sums"),
        ([*RATED, (NAN, 2)], (2.6, 13 / 6), "means"),
        (RATED[:4], (11, 8), None),  # too few rows
        ([(0, 0), (0, 0), (0, 1), (1, 0), (0, 0)], (1, 1), None),  # no more than a label
        ([(1, 1), (3, 3), (2, 2), (3, 1), (1, 3), (2, 2)], (2, 2), None),  # means that are labels
        ([(x, x) for x, _ in RATED], (2.6, 2.6), "means"),  # coders who agree
        ([(x, x) for x in (0.1, 0.3, 0.2, 0.4, 0.6)], (0.32, 0.32), None),
        ([(0.11, 0.5), (0.3, 0.25), (0.2, 0.1), (0.4, 0.8), (0.6, 0.7)], (1.61, 2.35), "sums"),
        ([(11, 150), (30, 25), (20, 310), (40, 88), (65, 77)], (33.2, 130.0), "means"),
        ([(-1, 3), (-2, 2), (1, 1), (0, 2), (-1, 1)], (-3, 9), None),
        ([*RATED, (NAN, NAN)], (NAN, 11), None),
        ([(NAN, 1)] * 6, (1, 6), None),
    ],
)
def test_sums_and_means_without_a_name(above, last, what) -> None:
    assert below_columns(np.array([*above, last], float)) == what


def test_counts_without_a_name() -> None:
    rows = [row[1:] for row in IDS]
    yes = tuple(sum(row[at] == "y" for row in rows) for at in range(2))
    assert rows_without_items([*rows, yes], item=None, names=None) == [8]
    assert rows_without_items([*rows, (8, 8)], item=None, names=None) == [8]
    # 99 may be a judgment that is missing, unless the row stands apart.
    assert rows_without_items([*rows, (99, 99)], item=None, names=None) == []
    assert rows_without_items([*rows, ("", ""), (99, 99)], item=None, names=None) == [9]
    assert rows_without_items([*rows, ("y", 8)], item=None, names=None) == []


@pytest.mark.parametrize("at", [0, 3, 8])
def test_a_repeated_header(at: int) -> None:
    for again in (NAMES, ("Item", "ANN ", "bob"), ("\ufeffitem", "ann", "bob")):
        assert rows_without_items([*IDS[:at], again, *IDS[at:]]) == [at]
    assert rows_without_items([*IDS[:at], ("item", "y", "n"), *IDS[at:]]) == []
    assert rows_without_items([*IDS[:at], NAMES, *IDS[at:]], names=None) in ([], [0])


def test_rows_between_the_header_and_the_items() -> None:
    assert rows_without_items([("---", ":---:", "---"), *IDS]) == [0]
    assert rows_without_items([("string", "nominal", "nominal"), *IDS]) == [0]
    assert rows_without_items([("object", "int64", "int64"), *SCORES]) == [0]
    assert rows_without_items([("", "(1-5)", "(1-5)"), *SCORES]) == [0]
    assert rows_without_items([("Response ID", "Rate the first", "Rate the second"),
                  *((i, *row[1:]) for i, row in enumerate(SCORES))], item=None) == [0]  # fmt: skip
    questions = ("Response ID", "How would you rate the first?", "How would you rate the other?")
    assert rows_without_items([questions, *IDS]) == [0]
    ids = tuple(f'{{"ImportId":"QID{i}"}}' for i in range(3))
    assert rows_without_items([("Response ID", "Good?", "Bad?"), ids, *IDS]) == [0, 1]


def test_first_rows_that_are_items() -> None:
    kinds = [("q1", "nominal", "ordinal"), ("q2", "ordinal", "ordinal"), ("q3", "nominal", "ratio")]
    assert rows_without_items([*kinds, ("q4", "ratio", "nominal")]) == []
    assert rows_without_items([("1", "---", "---"), *IDS]) == []
    assert rows_without_items([("s0", "NA", "3"), *SCORES]) == []
    # Without items, dashes may be missing judgments, unless they stand below the header.
    dashes = [("---", "---"), *(row[1:] for row in IDS)]
    assert rows_without_items(dashes, item=None, names=None) == [0]
    assert rows_without_items([*dashes[1:], dashes[0]], item=None, names=None) == []
    agree, other = "strongly agree with it", "strongly disagree with it"
    scale = [(f"s{i}", *pair) for i, pair in enumerate([(agree, other), (other, agree)] * 4)]
    assert (
        rows_without_items(
            [("s8", "neither agree nor disagree", "no answer was given here"), *scale]
        )
        == []
    )
    assert (
        rows_without_items([("a", "%", "m"), ("b", "m", "%"), ("c", "%", "m"), ("d", "m", "m")])
        == []
    )


def test_names_of_items_alone() -> None:
    names: list[Any] = [f"s{i}" for i in range(40)]
    assert words_of_totals(names) == words_of_totals([]) == words_of_totals(range(5)) == []
    assert words_of_totals([*range(20), "Subtotal", *range(20, 50)]) == ["Subtotal"]
    assert words_of_totals(["house", "tree", "Subtotal", *"abcdefghijklmno"]) == []
    ends = [(name,) for name in [*names[:FIRST], *names[-LAST:], "Kappa"]]
    assert [row.row for row in rows_that_are_none(None, ends, item=0)] == [len(ends) - 1]
    assert rows_that_are_none(None, ends[:-1], item=0) == []


def test_a_header_among_data() -> None:
    assert header_of_data([NAMES, *SCORES]) == "above numbers"
    assert header_of_data([NAMES, *IDS]) == "above numbers"
    assert header_of_data([(None, *NAMES[1:]), *SCORES]) == "above numbers"
    assert header_of_data([NAMES, *((f"s{row[0]}", *row[1:]) for row in IDS)]) == "words"
    numbered = [("s1", "2", "3"), ("s2", "1", "2")]
    assert header_of_data([("item", "1", "2"), *numbered]) == "words"
    assert header_of_data([("item", "2", "1"), *numbered]) is None
    assert header_of_data([("s0", "1", "2"), *numbered]) is None
    missing = [("s", "NA", "NA"), *SCORES]
    long = [("s0", "ann", "NA"), ("s0", "bob", "1"), *[("s1", "ann", "2")] * 4]
    again = [("a", "y", "n"), ("b", "n", "y"), ("c", "y", "y")] * 2
    for rows in (IDS, SCORES, missing, long, again, [], [NAMES]):
        assert header_of_data(rows) is None


def test_labels_that_no_row_but_an_item_has() -> None:
    assert are_plain(["yes", "no", "X2", None])
    for label in ("Factor", "KG", "Total score", "--", "a" * 20, "", b"yes", 1):
        assert not are_plain(["yes", label])


def test_the_problem_names_rows_and_cells() -> None:
    rows = rows_that_are_none(NAMES, [*IDS, ("Total", "8", "8")], item=0)
    assert problem(rows, lambda row: f"row {row + 1}") == (
        "row 9 ('Total', '8', '8') has the name of a total or a statistic, and cells that are no"
        " labels of the others"
    )
    wide = [NoItem(2, ("Total", *range(1, n)), UNLIKE) for n in (4, 5)]
    assert problem(wide[:1], str).startswith("2 ('Total', 1, 2, 3) has")
    assert problem(wide[1:], str).startswith("2 ('Total', 1, 2, 3, ...) has")
    rows = rows_that_are_none(NAMES, [*IDS, *[NAMES] * 7])
    assert [row.why for row in rows] == [REPEATED] * 7
    assert problem(rows, str).endswith("; and 2 more")


def test_values_of_odd_cells() -> None:
    assert value_of([1]) == ("[1]",)
    assert value_of(True) is True
    assert rows_without_items(
        [("s1", [1], {"a"}), ("s2", [1], {"a"}), ("s3", [1], {"a"}), ("Total", 3, 3)]
    ) == [3]


def test_few_random_tables_are_refused() -> None:
    """Of 4,000 tables of labels with names of items, none has a row that is no item."""
    draw = random.Random(0)
    refused = 0
    for _ in range(4000):
        n, k = draw.randint(2, 40), draw.randint(2, 6)
        labels: list[Any] = draw.choice(
            [["y", "n"], [0, 1], list(range(1, 6)), list("abcdef"), [0, 0, 0, 1, 7], ["NA", "x"]]
        )
        names = draw.choice([[f"s{i}" for i in range(n)], list(range(n)), [None] * n])
        rows = [(names[i], *draw.choices(labels, k=k)) for i in range(n)]
        item = 0 if names[0] is not None else None
        refused += bool(rows_that_are_none([*range(k + 1)], rows[:20], rows[20:][-10:], n, item))
    assert refused == 0


SUMMARIES = """
    total,totals,grand total,subtotal,all,sum,sums,n,count,counts,mean,means,average,averages,avg,
    median,mode,sd,std,std dev,st dev,stdev,standard deviation,variance,var,se,sem,standard error,
    min,minimum,max,maximum,range,percent,percentage,unique,top,freq,missing,kappa,cohen's kappa,
    cohens kappa,fleiss kappa,fleiss' kappa,weighted kappa,alpha,krippendorff's alpha,
    krippendorffs alpha,cronbach's alpha,icc,agreement,percent agreement,% agreement,agreement %,
    observed agreement,irr,gesamt,gesamtsumme,insgesamt,summe,anzahl,mittelwert,mittelwerte,mittel,
    durchschnitt,ø,σ,standardabweichung,varianz,übereinstimmung,somme,moyenne,écart type,médiane,
    suma,media,promedio,desviación estándar,totale,somma,totaal,som,gemiddelde,totalt,summa,
    medelvärde,soma,média,κ,α
"""


@pytest.mark.parametrize("name", [name.strip() for name in SUMMARIES.split(",")])
def test_words_of_totals_and_statistics(name: str) -> None:
    assert rows_without_items([*IDS, (name.capitalize(), "0.5", "0.5")]) == [8]


PARTS = """
    total,totals,subtotal,grand total,sum,mean,average,gesamt,summe,mittelwert,durchschnitt,moyenne,
    promedio,totale,totaal,gemiddelde
"""


@pytest.mark.parametrize("name", [name.strip() for name in PARTS.split(",")])
def test_words_of_totals_below_each_part_of_a_table(name: str) -> None:
    for written in (name, name.upper(), name.capitalize(), name.title()):
        items = [*range(30), written, *range(30, 60)]
        assert words_of_totals(items) == [written]


@pytest.mark.parametrize(
    "types",
    """string discrete continuous|meta nominal ordinal|text interval ratio|character factor logical
    chr fct lgl|dbl int num|str int8 int16|int32 int64 integer|varchar bigint double
    object float32 float64|char float bool|category categorical enum|date datetime boolean
    text number numeric|scale scale string""".replace("\n", "|").split("|"),
)
def test_types_that_programs_write_below_the_header(types: str) -> None:
    assert rows_without_items([tuple(types.split()), *IDS]) == [0]
    assert rows_without_items([(*types.split()[:2], "thing"), *IDS]) == []


@pytest.mark.parametrize(
    "units",
    ["% kg", "g km", "m cm", "mm h", "min s", "sec ms", "points pts", "years [1-5]", "% <m>"],
)
def test_units_below_the_header(units: str) -> None:
    assert rows_without_items([("", *units.split()), *SCORES]) == [0]
    assert rows_without_items([("", units.split()[0], "y"), *IDS]) == []


@pytest.mark.parametrize(
    "name", ["Overall", "%", "Accuracy", "Proportion", "Result", "Score", "Number", "Points"]
)
def test_words_of_results(name: str) -> None:
    assert rows_without_items([*IDS, (name, "y", "n")]) == [8]
    assert rows_without_items([(name, "y", "n"), *IDS]) == [0]


@pytest.mark.parametrize(
    "name",
    ["Column total", "Sum of Ann", "total yes", "# yes", "Count yes", "n of x", "#yes",
     "Overall mean", "Proportion of yes"],
)  # fmt: skip
def test_names_of_statistics_of_something(name: str) -> None:
    assert (
        rows_without_items([*IDS, (name, "7", "6")])
        == rows_without_items([*SCORES, (name, "3", "2")])
        == [8]
    )
    assert rows_without_items([*WORDS[:7], (name, "9", "8")]) == [7]
    # An item may be called so.
    assert rows_without_items([*IDS, (name, "y", "n")]) == []


@pytest.mark.parametrize("name", ["Total", "Mean", "SD", "Sum", "All", "Gesamt"])
def test_the_index_of_a_frame_names_a_total(name: str) -> None:
    pd = pytest.importorskip("pandas")
    columns = {"ann": [1, 2, 3, 1, 2, 2], "ben": [1, 2, 2, 1, 2, 1]}
    table = pd.DataFrame(columns, index=["t1", "t2", "t3", "t4", "t5", name])
    for read in (Annotations.from_wide, af.alpha):
        with pytest.raises(ValueError, match=f"row 5 .*'{name}', 2, 1.* has the name of a total"):
            read(table)
        assert read(table.set_axis([*table.index[:-1], "t6"]))
        assert read(table.iloc[:-1])


def test_bytes_that_are_no_text_are_compared_all_the_same() -> None:
    assert value_of(b"a\xff ") == "a\ufffd"
