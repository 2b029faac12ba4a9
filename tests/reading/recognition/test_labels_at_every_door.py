"""Labels that may be meant otherwise are pointed out at every door, and innocent ones are not."""

from __future__ import annotations

import math
import warnings
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from command import Command

import agreement_fast as af
from agreement_fast.errors import say
from agreement_fast.reading.recognition.labels import hint_at_labels, label_notes

A = af.Annotations


def hints(function: Any, *arguments: Any, **options: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*arguments, **options)
    return [str(one.message) for one in caught]


@pytest.mark.parametrize(
    ("labels", "named"),
    [
        (["a", "b", "NA"], "label 'NA' may mean a missing judgment: if so, pass missing=['NA']"),
        (["a", "b", "-", "k.A."], "labels '-' and 'k.A.' may mean"),
        (["a", "b", "DK", "Skipped", "refused"], "labels 'DK', 'Skipped' and 'refused' may mean"),
        (["a", "b", "Don't know", "Wei\xdf nicht"], "may mean a missing judgment"),
        (["good", "bad", "missing"], "label 'missing' may mean"),
        (["Causes", "Treats", "NONE"], "label 'NONE' may mean"),
        (["CAUSES", "TREATS", "none"], "label 'none' may mean"),
        (["a", "b", "(leer)", "Entfällt", "NSP"], "labels '(leer)', 'Entfällt' and 'NSP' may mean"),
        (["a", "b", "ne sait pas", "/", "[]"], "labels 'ne sait pas', '/' and '[]' may mean"),
        (
            [1.5, 2.5, math.inf],
            "label inf may mean a missing judgment: if so, pass missing=[float('inf')]",
        ),
        (["a", "b", "#REF!", "#DIV/0!"], "labels '#REF!' and '#DIV/0!' may mean"),
        ([1, 2, 3, 4, 5, 9], "label 9 lies outside the scale of the others, 1 to 5"),
        ([1, 2, 3, 4, 5, 6, 7, 9], "label 9 lies"),
        ([0, 1, 9], "label 9 lies"),
        ([*range(11), 99], "label 99 lies"),
        ([1, 2, 3, 8, 9], "labels 8 and 9 lie"),
        ([-99, -9, 1, 2, 3], "labels -99 and -9 lie"),
        ([-1, 1, 2, 3, 4, 5], "label -1 lies"),
        ([-1, 0, 1, 2], "label -1 lies"),
        ([-1, 1, 2], "label -1 lies"),
        ([True, False, 99], "label 99 is a number beside labels that are none"),
        (["a", "b", -9, 99], "labels -9 and 99 are numbers beside"),
        (["a", "b", "NA", "99"], "label '99' is a number beside"),
        (["1", "2", "3", "NA", "99"], "label '99' lies"),
        ([1.5, 2.25, 3.0, 99.0], "label 99.0 lies"),
        (["1", "2", "1900-01-03"], "label '1900-01-03' is a date beside numbers"),
        ([1, 2, datetime(1900, 1, 3)], "is a date beside numbers"),
        ([1, 2, 3, -(2**31)], "label -2147483648 lies"),
        ([1, 2, 3, -(2**63)], "label -9223372036854775808 lies"),
        (["1", "2", "-9223372036854775808"], "label '-9223372036854775808' lies"),
        (["cause + effect", "effect + cause", "none", "effect"], "set_separator='+'"),
        (["a/b", "b/a", "c"], "set_separator='/'"),
        (["1", "2", "other", "99"], "label '99' lies"),
        (["cat", "\u0441at"], r"'cat' = '\u0441at'"),
        (["cat", "c\u00adat"], "'cat' = 'c"),
        (["not-sure", "not\u2013sure"], r"'not-sure' = 'not\u2013sure'"),
        (["don't", "don\u2019t"], "count as different categories"),
        (["1", "-1", "\u22121"], r"'-1' = '\u22121'"),
        (["a", "b", "#WERT!", "Not applicable"], "labels '#WERT!' and 'Not applicable' may mean"),
        (["\uff41", "a"], r"'\uff41' = 'a'"),
        ([b"a", "a"], "b'a' = 'a'"),
        (["1.000", "1000", "2"], "'1.000' = '1000'"),
        ([0.1, float(np.float32(0.1))], "0.1 = 0.10000000149011612"),
        (["['a', 'b']", "['a']"], "are lists written as text"),
        ([frozenset("ab"), "a"], "some labels are sets, but 'a' is not"),
    ],
)
def test_doubts(labels: list[Any], named: str) -> None:
    assert named in "; ".join(map(say, label_notes(labels)))


@pytest.mark.parametrize(
    "labels",
    [
        [1, 2, 3, 4, 5],
        [5, 6, 7, 8, 9],
        [1, 2, 3, 4, 5, 6, 7, 8],
        [-1, 0, 1],
        [-1, 1],
        [-2, -1, 0, 1],
        [94, 95, 99],
        [1985, 1990, 1999],
        [0, 1, 3, 9],
        [True, False],
        ["a", "b", "3"],
        ["a", "99"],
        ["unknown", "other", "ok"],
        ["x", "y", "caf\u00e9"],
        [0.25, 0.5, 0.75],
        ["2024-01-31", "2024-02-01"],
        ["1", "2", "other"],
        ["A", "A+", "B/C", "C++"],
        ["1/2", "2/3", "1/3"],
        ["POSITIVE", "NEGATIVE", "NONE"],
    ],
)
def test_innocent_labels(labels: list[Any]) -> None:
    assert label_notes(labels) == []


@pytest.mark.parametrize("labels", [[1, 2, 3], [0], [], ["a", "b"], ["yes"]])
def test_usual_labels_are_not_looked_at_twice(
    labels: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("agreement_fast.reading.recognition.labels.label_notes")
    hint_at_labels(labels)


ROWS = [
    ("1", "A", "x"),
    ("1", "B", "y"),
    ("2", "A", "NA"),
    ("2", "B", "x"),
    ("3", "A", ""),
    ("3", "B", "y"),
    ("4", "A", "y"),
    ("4", "B", " "),
]


def doors(folder: Path) -> dict[str, Any]:
    frame = pd.DataFrame(ROWS, columns=["item", "coder", "label"])
    wide = frame.pivot(index="item", columns="coder", values="label")
    frame.to_csv(folder / "t.csv", index=False)
    frame.to_json(folder / "t.jsonl", orient="records", lines=True)
    relation = duckdb.from_df(frame)
    lazy = pl.from_pandas(frame).lazy()
    return {
        "lists": lambda **o: A.from_wide(wide.to_numpy().tolist(), **o),
        "array": lambda **o: A.from_wide(wide.to_numpy().astype(str), **o),
        "frame": lambda **o: A.from_wide(wide, **o),
        "long": lambda **o: A.from_frame(frame, **o),
        "triples": lambda **o: A.from_long(*(frame[c].tolist() for c in frame), **o),
        "duckdb": lambda **o: A.from_frame(relation, way="patterns", **o),
        "counts": lambda **o: A.from_frame(relation, way="counts", **o),
        "parts": lambda **o: A.from_frame(relation, way="partitions", **o),
        "polars": lambda **o: A.from_frame(lazy, **o),
        "csv": lambda **o: af.read(folder / "t.csv", **_listed(o)),
        "json": lambda **o: af.read(folder / "t.jsonl", **_listed(o)),
    }


def _listed(options: dict[str, Any]) -> dict[str, Any]:
    return {n: [v] if n == "missing" and isinstance(v, str) else v for n, v in options.items()}


DOORS = [
    "lists", "array", "frame", "long", "triples", "duckdb", "counts", "parts", "polars", "csv",
    "json",
]  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
def test_every_door(door: str, tmp_path: Path) -> None:
    read = doors(tmp_path)[door]
    (said,) = hints(read)
    assert said.startswith("label 'NA' ")
    assert "may mean a missing judgment: if so, pass missing=['NA']" in said
    assert said.endswith("if it is a label, categories=['NA', 'x', 'y']")
    assert hints(read, missing=["NA"]) == hints(read, categories=["NA", "x", "y"]) == []
    with pytest.warns(UserWarning, match="no label has this value, but 'NA' is written almost"):
        read(missing="na")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert read().n_judgments == 6
        assert read(missing=["NA"]).n_judgments == 5


def test_the_command(command: Command, folder: Path) -> None:
    doors(folder)
    notes = command.json("report", "t.csv")["source"]["notes"]
    assert notes == [
        "label 'NA' (1 judgment) may mean a missing judgment: if so, pass --missing NA; if it is"
        " a label, --categories NA,x,y"
    ]
    assert command.json("report", "t.csv", "--missing", "NA")["source"]["notes"] == []
    assert command.json("report", "t.csv", "--categories", "NA,x,y")["source"]["notes"] == []


def test_missing_matches_numbers_and_texts_that_write_them() -> None:
    for table, missing in [
        ([[1, 1], [2, 99], [3, 3]], "99"),
        ([["1", "1"], ["2", "99"], ["3", "3"]], 99),
        (np.array([[1.5, 1], [2, 99], [3, 3]]), "99.0"),
        (np.column_stack([np.arange(300) / 7, [99.0] * 300]), "99"),
    ]:
        data = A.from_wide(table, missing=missing)
        assert data.n_judgments == (5 if len(table) == 3 else 300)
        assert hints(A.from_wide, table, missing=missing) == []
    assert "missing='x'" in hints(A.from_wide, [[1, 1], [2, 2]], missing="x")[0]


def test_codes_among_numbers_that_are_not_counted() -> None:
    table = np.random.default_rng(0).normal(3, 1, (400, 2))
    table[3, 1] = 99
    assert "label 99 (1 judgment) lies outside" in hints(A.from_wide, table)[0]


def test_arrays_as_labels_are_sets_or_an_error() -> None:
    one = np.array(["a", "b"])
    data = A.from_wide([["a", "a"], ["a", one], ["b", ["a", "b"]], ["b", pd.Series(["b", "a"])]])
    assert data.n_judgments == 8
    assert frozenset("ab") in data.categories
    with pytest.raises(af.AgreementError, match="of item 1, coder 0 cannot be hashed"):
        A.from_wide([["a", "a"], [np.array([["a", "b"]]), "b"]])


def test_names_of_items_and_coders() -> None:
    (said,) = hints(A.from_long, ["s3", "s3 ", "s4", "s4"], ["Ann", "Bea"] * 2, list("xyxy"))
    assert said.startswith("items 's3' and 's3 ' differ only in how they are written")
    frame = pd.DataFrame({"Ann": ["x", None], "Bea": [None, "y"]}, index=["s3", "S3"])
    assert "items 's3' and 'S3'" in hints(A.from_wide, frame)[0]
    frame = pd.DataFrame({"Ann": ["x", "y"], "ann": ["x", "y"]}, index=["s3", "S3"])
    assert "'Ann' = 'ann'" in "; ".join(hints(A.from_wide, frame))


def test_names_of_items_in_groups() -> None:
    """An item of another group is another item, however it is written."""
    table = pd.DataFrame(
        {
            "project": list("AAAAAABBBB"),
            "item": ["1", "1", "01", "01", "2", "2", "1", "1", "2", "2"],
            "coder": ["Ann", "Bea", "Cid", "Dan", "Ann", "Bea", "Ann", "Bea", "Ann", "Bea"],
            "label": list("xyxyxxxxyy"),
        }
    )
    (note,) = hints(af.agreement_by_group, table, "project")
    assert note.startswith("items '1' and '01' differ only in how they are written")
    table["project"] = list("AABBAAAABB")
    table.loc[6:7, "item"] = "3"
    assert hints(af.agreement_by_group, table, "project") == []


def test_infinity_is_asked_about_without_a_word_of_numpy() -> None:
    table = np.array([[1, np.inf, 1], *[[1, 1, 1], [2, 2, 1], [2, 2, 2], [1, 2, 1]] * 3])
    (hint,) = hints(af.alpha, table)
    assert hint.startswith("label inf (1 judgment) may mean a missing judgment")
    assert hints(af.alpha, table, missing=[float("inf")]) == []


SCALE = pl.DataFrame(
    {
        "item": [i for i in range(10) for _ in "ab"],
        "coder": [*"ab"] * 10,
        "label": [1, 1, 2, 2, 3, 3, 4, 4, 9, 1, 1, 2, 2, 3, 3, 4, 4, 9, 1, 1],
    }
)


@pytest.mark.parametrize("kind", [pl.Int64, pl.Decimal(4, 1), pl.Int128], ids=str)
@pytest.mark.parametrize(
    "door",
    [pl.DataFrame.lazy, pl.DataFrame.clone, lambda table: pd.DataFrame(table.rows(named=True))],
    ids=["lazy", "polars", "pandas"],
)  # fmt: skip
def test_codes_of_missing_judgments_of_every_type_of_number(kind, door):
    table = door(SCALE.with_columns(pl.col("label").cast(kind)))
    (note,) = hints(af.alpha, table, "interval")
    assert note == (
        "label 9 (2 judgments) lies outside the scale of the others, 1 to 4, and may mean a missing"
        " judgment: if so, pass missing=[9]; if it is a label, categories=[1, 2, 3, 4, 9]"
    )
    assert hints(af.alpha, table, "interval", missing=[9]) == []
    assert hints(af.alpha, table, "interval", categories=[1, 2, 3, 4, 9]) == []


@pytest.mark.parametrize("label", ["label::DECIMAL(4, 1)", "label::HUGEINT"])
def test_codes_of_missing_judgments_of_a_database(label):
    query = f"item, coder, {label} AS label"
    relation = duckdb.connect().from_arrow(SCALE.to_arrow()).project(query)
    (note,) = hints(af.alpha, relation, "interval")
    assert note.startswith("label 9 (2 judgments) lies outside the scale of the others, 1 to 4")
