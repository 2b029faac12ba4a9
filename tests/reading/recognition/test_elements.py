"""Elements of sets that may be meant otherwise are pointed out at every door."""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd
import polars as pl
import pytest
from command import Command

import agreement_fast as af

#: Two columns of labels, and what is said of their elements, in Python and by the command.
DOUBTS = [
    (["A|b", "b|c", "a|d"], ["a|c", "b|c", "c"], "elements of sets differ only in case.*'A' = 'a'"),
    (["NA|b", "b|c", "a"], ["a|c", "b|c", "c"], "element 'NA' of sets may mean a missing .* leave"),
    (
        ["99", "2|3", "1|3"],
        ["1|2", "2|3", "99"],
        "element '99' of sets lies outside .*, 1 to 3, an",
    ),
    (
        ["99|1", "2|3", "1|3"],
        ["1|2", "2|3", "3"],
        "'99' of sets lies .* if so, leave it out of them",
    ),
    (["a;b", "b", "a"], ["a|b", "b", "b"], "elements such as 'a;b' look like several"),
]
INNOCENT = [
    (["a|b", "b|c", "a|d"], ["a|c", "b|c", "c"]),
    (["1|2", "2|3", "1|3"], ["1|2", "2|4", "5"]),
    (["New York|Rome", "Rome", "Oslo"], ["Rome", "Rome", "New York"]),
    (["and|or", "or", "and"], ["or", "or", "and"][::-1]),
]


def frame_of(ann: list[str], ben: list[str]) -> pd.DataFrame:
    items = [f"i{number}" for number in range(len(ann))]
    rows = zip(items * 2, ["ann"] * len(ann) + ["ben"] * len(ben), ann + ben, strict=True)
    return pd.DataFrame(rows, columns=["item", "coder", "label"])


@pytest.mark.parametrize(("ann", "ben", "text"), DOUBTS)
def test_elements_are_doubted_at_every_door(
    ann: list[str], ben: list[str], text: str, tmp_path: Path, command: Command
) -> None:
    frame = frame_of(ann, ben)
    lists = pl.DataFrame(frame).with_columns(pl.col("label").str.split("|"))
    file = str(tmp_path / "sets.csv")
    frame.to_csv(file, index=False)
    for read in (
        lambda: af.Annotations.from_wide([*zip(ann, ben, strict=True)], set_separator="|"),
        lambda: af.Annotations.from_frame(frame, set_separator="|"),
        lambda: af.Annotations.from_frame(frame.assign(label=frame.label.str.split("|"))),
        lambda: af.Annotations.from_frame(lists),
        lambda: af.Annotations.from_frame(lists.lazy()),
        lambda: af.read(file, set_separator="|"),
    ):
        with pytest.warns(af.LabelHint, match=text):
            _ = read().categories
    notes = command.json("report", file, "--set-separator", "|")["source"]["notes"]
    assert sum("element" in note for note in notes) == 1


def test_the_only_element_of_labels_is_taken_for_missing() -> None:
    ann, ben, _ = DOUBTS[2]
    data = af.Annotations.from_wide(
        [*zip(ann, ben, strict=True)], set_separator="|", missing=["99"]
    )
    assert data.n_judgments == 4


def test_text_that_is_split_in_pandas_has_an_empty_element() -> None:
    codes = pd.Series(["x;y", "x", "", "", "y", "y"]).str.split(";")
    frame = frame_of(["x"] * 3, ["x"] * 3).assign(label=codes)
    for table in (frame, pl.DataFrame(frame), pl.DataFrame(frame).lazy()):
        with pytest.warns(af.LabelHint, match=r"element '' of sets is empty text.* write \[\] for"):
            _ = af.Annotations.from_frame(table).categories
    frame["label"] = [[code for code in listed if code] for listed in codes]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert frozenset() in af.Annotations.from_frame(frame).categories


@pytest.mark.parametrize(("ann", "ben"), INNOCENT)
def test_usual_elements_are_not_doubted(ann: list[str], ben: list[str]) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _ = af.Annotations.from_wide([*zip(ann, ben, strict=True)], set_separator="|").categories
    assert not [warning for warning in caught if "element" in str(warning.message)]


def test_lines_of_a_cell_and_braces_look_like_sets(tmp_path: Path, command: Command) -> None:
    rows = [["a\nb", "a"], ["b", "b"], ["a", "b"]]
    with pytest.warns(af.LabelHint, match=r"look like sets: if they are, pass set_separator='\\n'"):
        af.Annotations.from_wide(rows)
    assert len(af.Annotations.from_wide(rows, set_separator="\n").categories) == 3
    file = tmp_path / "lines.csv"
    file.write_text('item,ann,ben\n1,"a\nb",a\n2,b,b\n3,a,b\n')
    notes = command.json("report", str(file))["source"]["notes"]
    assert any("if they are, pass --set-separator $'\\n'" in note for note in notes)
    assert "alpha (masi)" in command.text("report", str(file), "--set-separator", "\n")
    braces = [["{a, b}", "{a}"], ["{b}", "{b}"], ["{a}", "{b,a}"]]
    with pytest.warns(af.LabelHint, match="are lists written as text") as caught:
        af.Annotations.from_wide(braces)
    remedy = str(caught[0].message).partition("into a list with ")[2]
    read = eval(f"lambda label: {remedy}")  # what the hint proposes
    data = af.Annotations.from_wide([[read(label) for label in row] for row in braces])
    assert {frozenset("ab"), frozenset("a"), frozenset("b")} == {*data.categories}


def test_lists_written_as_text_are_not_split_at_their_commas(tmp_path, command) -> None:
    rows = [["['a', 'b', 'c']", "['a', 'b', 'c']"], ["['a', 'c']", "['c']"], ["['b']", "['b']"]]
    with pytest.warns(af.LabelHint) as caught:
        af.Annotations.from_wide(rows)
    assert [str(each.message).partition("if they are sets")[2] for each in caught] == [
        ", turn each into a list with ast.literal_eval"
    ]
    for cells, remedy in (
        (rows, "turn each into a list with ast.literal_eval"),
        ([["{a,b}", "{a,b}"], ["{b}", "{a,c}"]], "label.strip('{}')"),
    ):
        with pytest.warns(af.LabelHint, match="begins as a list written as text") as caught:
            af.Annotations.from_wide(cells, set_separator=",")
        assert remedy in str(caught[0].message)
    file = tmp_path / "lists.csv"
    file.write_text(
        "item,ann,ben\n" + "".join(f'{i},"{a}","{b}"\n' for i, (a, b) in enumerate(rows))
    )
    notes = command.json("report", str(file))["source"]["notes"]
    assert not any('--set-separator ","' in note for note in notes)
    assert any('such as a|b, and pass --set-separator "|"' in note for note in notes)
