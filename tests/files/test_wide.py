"""Columns beside those of the coders are not coders, and odd columns may be coders."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import Command

import agreement_fast as af
from agreement_fast.files import ReadError, WideTable, read
from agreement_fast.reading.recognition.columns import (
    FEWEST_CELLS,
    FEWEST_DIFFERENT,
    LEAST_SHARED,
    REPEATS,
    SCALE,
)
from agreement_fast.reading.recognition.names import role_of_name
from agreement_fast.reading.recognition.profile import MOSTLY, Column

# Two teachers and 100 essays: 90 passed by both, 1 by none
ESSAYS = [["ok", "ok"]] * 90 + [["ok", "no"]] * 4 + [["no", "ok"]] * 5 + [["no", "no"]]
RATINGS = [[1, 2], [2, 2], [3, 3], [2, 1], [1, 1], [3, 2], [1, 1], [2, 2], [3, 3], [1, 3]]


def table(path: Path, head: Sequence[str], columns: Sequence[Sequence[Any]]) -> str:
    """Write a CSV of columns and return its name."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(zip(*columns, strict=True))
    path.write_text(text.getvalue())
    return str(path)


def roles(path: Path, head: Sequence[str], columns: Sequence[Sequence[Any]]) -> Any:
    """Return the item and the coders that are found, or the question that is asked."""
    try:
        result = read(table(path / "t.csv", head, columns), layout="wide")
    except ReadError as error:
        return str(error)
    assert isinstance(result, WideTable)
    return result.source.item, list(result.coders)


def beside(path: Path, column: Sequence[Any], name: str = "x", rows: Any = None) -> Any:
    """Return the verdict on a column beside two that hold ratings."""
    rows = RATINGS if rows is None else rows
    return roles(path, [name, "A", "B"], [column, *zip(*rows[: len(column)], strict=True)])


TAKEN = ("x", ["A", "B"])
CODERS = (None, ["x", "A", "B"])


@pytest.mark.few("essay", "Nr", "Essay ID")
@pytest.mark.parametrize(
    "name", ["essay", "Nr", "uid", "respondent", "participant", "patient_nr", "id", "x", "Essay ID"]
)
def test_one_column_of_items_is_taken(command: Command, folder: Path, name: str) -> None:
    one, two = zip(*ESSAYS, strict=True)
    table(folder / "e.csv", [name, "t_a", "t_b"], [range(1, 101), one, two])
    document = command.json("report", "e.csv", "--layout", "wide", "--coefficient", "kappa")
    assert document["source"]["columns"]["item"] == name
    assert document["source"]["columns"]["coders"] == ["t_a", "t_b"]
    assert document["source"]["guessed"] == ["item", "coders"]
    assert f"items are named by column '{name}': " in document["source"]["notes"][0]
    (kappa,) = document["reports"][0]["table"]
    assert kappa["value"] == pytest.approx(af.kappa(ESSAYS).value, rel=1e-12)
    assert f"item is {name}, coders are t_a, t_b" in command.text(
        "diagnose", "e.csv", "--layout", "wide"
    )


@pytest.mark.filterwarnings("ignore:items are named by column 'id'")
def test_a_judge_beside_a_human_is_a_coder_as_in_memory(tmp_path: Path) -> None:
    """The name of a column of coders names one of two coders where no item is judged twice."""
    columns = [range(8), list("yynynyny"), list("yynyyynn")]
    path = table(tmp_path / "verdicts.csv", ["id", "human", "judge"], columns)
    data = af.read(path)
    assert list(data.coders) == ["human", "judge"]
    assert af.alpha(data).value == af.alpha(
        {name: list(column) for name, column in zip(["id", "human", "judge"], columns, strict=True)}
    )


def test_no_note_on_items_beside_coders_that_are_named(tmp_path: Path) -> None:
    path = table(tmp_path / "e.csv", ["item", "a", "b"], [range(100), *zip(*ESSAYS, strict=True)])
    guessed, named = (read(path, layout="wide", coder=options) for options in (None, ["a", "b"]))
    assert guessed.source.notes[0].startswith("items are named by column 'item': ")
    assert (named.source.item, named.source.notes) == ("item", ())


def test_categories_of_counts_may_have_any_names(tmp_path: Path) -> None:
    counts = [3, 2, 0, 1, 0, 0], [0, 1, 3, 1, 0, 1], [0, 0, 0, 1, 3, 2]
    columns = [[f"s{i}" for i in range(6)], *counts]
    names = ["agree", "disagree", "same"]
    result = read(table(tmp_path / "c.csv", ["item", *names], columns), layout="counts").source
    assert (result.item, list(result.coders)) == ("item", names)


def test_what_is_asked_can_be_typed(command: Command, folder: Path) -> None:
    one, two = zip(*RATINGS, strict=True)
    texts = [f"Once upon a time, {i}" for i in range(10)]
    head = ["segment", "text", "Maria", "Tom, jr", "gold label", "comments"]
    table(folder / "s.csv", head, [range(10), texts, one, two, one, ["", "?"] * 5])
    for name in ("report", "diagnose", "subsets"):
        error = command.error(name, "s.csv", "--layout", "wide")
        for text in (
            "'segment' looks like the item (its name, and its values all differ)",
            "'text' looks like the item (",
            "'gold label' looks like a gold label (its name)",
            "'comments' looks like a comment (its name)",
            "'Maria', 'Tom, jr' look like coders",
            "pass --item segment --exclude 'text,gold label,comments'",
            """or --coder 'Maria,"Tom, jr"' to name the coders""",
        ):
            assert text in error
    argv = ["report", "s.csv", "--layout", "wide", "--item", "segment"]
    excluded = command.json(*argv, "--exclude", "text,gold label,comments")
    named = command.json(*argv, "--coder", 'Maria,"Tom, jr"')
    assert excluded["source"]["columns"]["coders"] == ["Maria", "Tom, jr"]
    assert excluded["reports"] == named["reports"]
    assert "pass --exclude 'text,gold label,comments', or" in command.error(*argv)


@pytest.mark.few(every=3)
@pytest.mark.parametrize(
    ("name", "role", "advice"),
    [
        ("comments", "a comment", "--exclude comments"),
        ("Tom's remark", "a comment", "--exclude 'Tom"),
        ("gold", "a gold label", "--exclude gold"),
        ("trueLabel", "a gold label", "--exclude trueLabel"),
        ("majority_vote", "a total", "--exclude majority_vote"),
        ("agree", "a total", "--exclude agree"),
        ("mean score", "a total", "--exclude 'mean score'"),
        ("frequency", "how often an item occurred", "--weights frequency"),
        ("created_at", "an attribute of the item", "--exclude created_at"),
    ],
)
def test_names_that_are_not_of_coders(tmp_path: Path, name: str, role: str, advice: str) -> None:
    """This also holds if the column has the coders' labels."""
    question = beside(tmp_path, [row[0] for row in RATINGS], name)
    assert f"looks like {role} (its name)" in question
    assert f"pass {advice}" in question


@pytest.mark.parametrize("name", ["student", "text", "x", "reader", "1"])
def test_a_name_alone_makes_no_item(tmp_path: Path, name: str) -> None:
    assert beside(tmp_path, [row[1] for row in RATINGS], name) == (None, [name, "A", "B"])


def test_names_of_people_and_machines_are_coders() -> None:
    for name in (
        "Tom",
        "Max",
        "rater_1",
        "t_a",
        "gpt-4",
        "annotator 2",
        "task1",
        "A",
        "",
        "?",
        "7",
    ):
        assert role_of_name(name) is None, name


# -- values


@pytest.mark.parametrize("column", [range(100, 110), [f"i{i}" for i in range(10)], range(1, 11)])
def test_values_that_all_differ_name_items(tmp_path: Path, column: Sequence[Any]) -> None:
    assert beside(tmp_path, column) == TAKEN


def test_small_numbers_that_all_differ_name_items(tmp_path: Path) -> None:
    """Numbers in the range of a rating scale are only ratings if they repeat."""
    rows = [[0, 1], [1, 1], [0, 0], [1, 0]] * 2
    assert beside(tmp_path, [7, 3, 9, 4, 8, 2, 6, 5], rows=rows) == TAKEN


def test_ratings_that_all_differ_are_ratings(tmp_path: Path) -> None:
    one = [20.5, 31.25, 18.75, 25.5, 29.125, 33.5, 21.0625, 27.5]
    two = [21.5, 30.25, 19.75, 24.5, 28.125, 32.5, 22.0625, 26.5]
    assert roles(tmp_path, ["A", "B"], [one, two]) == (None, ["A", "B"])
    assert roles(tmp_path, ["id", "A", "B"], [range(8), one, two]) == ("id", ["A", "B"])
    # Whole numbers, in another order
    ten = [[round(4 * value) for value in column] for column in (one, two)]
    assert roles(tmp_path, ["A", "B"], ten) == (None, ["A", "B"])
    # Ranks
    assert roles(tmp_path, ["A", "B"], [[3, 1, 2, 5, 4], [1, 3, 2, 4, 5]]) == (None, ["A", "B"])


def test_two_coders_who_never_agree(tmp_path: Path) -> None:
    assert roles(tmp_path, ["A", "B"], [["x", "y"] * 5, ["y", "x"] * 5]) == (None, ["A", "B"])
    assert roles(tmp_path, ["A", "B"], [[0] * 5, [1] * 5]) == (None, ["A", "B"])
    question = roles(tmp_path, ["A", "B"], [["x"] * 5, ["y"] * 5])
    assert "it shares no label with other columns" in question
    assert question.endswith("pass --coder A,B to name the coders")
    named = read(str(tmp_path / "t.csv"), layout="wide", coder=["A", "B"])
    assert isinstance(named, WideTable)
    assert named.coders == ("A", "B")


def test_one_scale_of_small_numbers(tmp_path: Path) -> None:
    low, high = (int(bound) for bound in SCALE)
    assert roles(tmp_path, ["A", "B"], [[low] * 5, [high] * 5]) == (None, ["A", "B"])
    assert "shares no label" in roles(tmp_path, ["A", "B"], [[low] * 5, [high + 1] * 5])


def test_labels_that_are_rarely_shared(tmp_path: Path) -> None:
    others = [["a", "b"], ["b", "a"]] * 50
    few = round(LEAST_SHARED * 100)
    assert beside(tmp_path, ["a"] * few + ["z"] * (100 - few), rows=others) == CODERS
    question = beside(tmp_path, ["a"] * (few - 1) + ["z"] * (101 - few), rows=others)
    assert "'x' looks like something else (it shares no label" in question
    assert "pass --exclude x, or --coder A,B" in question


def test_few_cells_say_nothing(tmp_path: Path) -> None:
    for n in (FEWEST_CELLS - 1, FEWEST_CELLS):
        column = [f"z{i}" for i in range(n)] + [""] * (10 - n)
        result = beside(tmp_path, column)
        assert (result == CODERS) == (n < FEWEST_CELLS)
    assert beside(tmp_path, [""] * 10) == CODERS


def test_an_order_must_not_be_an_accident(tmp_path: Path) -> None:
    """Five guesses on a scale of six all differ with a chance of .09, and count with .0003."""
    rows = [[1, 9], [9, 1], [1, 9], [9, 9], [1, 1], [9, 1], [1, 9], [9, 1], [1, 1], [9, 9]]
    for n in (4, 5):
        counting = beside(tmp_path, range(1, n + 1), rows=rows)
        assert counting == (CODERS if n == 4 else TAKEN)
    for n in (5, 6):
        ascending = beside(tmp_path, [1, 2, 4, 7, 9, 10][:n], rows=rows)
        assert (ascending == CODERS) == (n == 5)
    assert "perhaps the item (its numbers ascend)" in ascending
    for n in (9, 11):
        few = [*rows[:5], [2, 3], [4, 5], [6, 7], [8, 10], [5, 6], [1, 1]]
        shuffled = beside(tmp_path, [2, 1, 4, 3, 6, 5, 8, 7, 9, 10, 11][:n], rows=few)
        assert (shuffled == CODERS) == (n == 9)
    assert "perhaps the item (it holds the numbers of the rows" in shuffled
    assert "pass --item x, or --coder x,A,B" not in shuffled


def test_values_that_differ_where_others_repeat(tmp_path: Path) -> None:
    assert REPEATS == 0.5
    column = [5, 9, 1, 10, 3, 8, 2, 6, 4, 5.5]
    for n in (FEWEST_DIFFERENT - 1, FEWEST_DIFFERENT):
        result = beside(
            tmp_path, column[:n], rows=[[0, 10], [10, 0], [10, 10], [0, 0], [10, 0]] * 2
        )
        assert (result == CODERS) == (n < FEWEST_DIFFERENT)
    assert "those of others repeat" in result
    # Six different values in ten cells
    rows = [[0, 10], [2, 0], [4, 10], [6, 0], [8, 0], [10, 0], [10, 10], [0, 0], [10, 0], [2, 10]]
    assert beside(tmp_path, column, rows=rows) == CODERS


def test_texts_that_all_differ(tmp_path: Path) -> None:
    """This also holds if another column holds the same texts."""
    texts = [f"t{i}" for i in range(FEWEST_DIFFERENT)]
    question = roles(tmp_path, ["x", "y", "A"], [texts, texts[::-1], [row[0] for row in RATINGS]])
    assert "'x' looks like perhaps the item (its texts all differ)" in question
    assert roles(tmp_path, ["A", "B"], [texts[1:], texts[:0:-1]]) == (None, ["A", "B"])


def test_long_texts(tmp_path: Path) -> None:
    column = ["", *("ab"[i % 2] + str(i) for i in range(9))]
    for length in (39, 40):
        question = beside(tmp_path, [cell and cell.ljust(length, "x") for cell in column])
        assert ("looks like a text (its cells are long)" in question) == (length == 40)
    # Labels may be sentences.
    labels = ["I strongly agree with what was said there", "I strongly disagree with what was said"]
    columns = [[labels[row[i] > 1] for row in RATINGS] for i in (0, 1)]
    assert roles(tmp_path, ["A", "B"], columns) == (None, ["A", "B"])


def test_mostly_numbers_are_numbers(tmp_path: Path) -> None:
    """An odd mark among measurements does not make them texts."""
    n = round(1 / (1 - MOSTLY))
    one, two = ([i + part for i in range(2, n + 1)] for part in (0.25, 0.125))
    assert roles(tmp_path, ["A", "B"], [["?", *one[::-1]], ["?", *two]]) == (None, ["A", "B"])
    for marks in (["?"], ["?", "-"]):
        column = Column.of("A", np.arange(n), [*marks, *range(n - len(marks))])
        assert column.numbers == (len(marks) == 1)


def test_columns_without_a_name_count_the_rows(tmp_path: Path) -> None:
    for name in ("", "Unnamed: 0"):
        item, coders = beside(tmp_path, range(10), name)
        assert (item, coders) == (name or "column 1", ["A", "B"])


def test_frequencies_go_beyond_a_scale(tmp_path: Path) -> None:
    """Landis & Koch's slides; the name of the column does not matter."""
    often = [34, 2, 6, 1, 4, 5, 6, 1, 10, 16]
    result = beside(tmp_path, often)
    assert "'x' looks like how often an item occurred (its numbers go beyond those" in result
    assert result.endswith("pass --exclude x, or --weights x, or --coder A,B to name the coders")
    # One odd rating, few numbers, or a fine scale beside it are no evidence.
    assert beside(tmp_path, [1, 2, 3, 22, 1, 2, 3, 1, 2, 3]) == CODERS
    assert beside(tmp_path, [1, 1, 11, 12, 1, 1, 11, 12, 2, 2]) == CODERS
    fine = [[10 * a, b] for a, b in RATINGS]
    assert beside(tmp_path, [11, 22, 33, 44, 1, 2, 3, 4, 1, 5], rows=fine) == CODERS
    assert beside(tmp_path, [4, 5, 6, 7, 8, 9, 10, 4, 5, 6]) == CODERS


def test_lists_are_not_labels(tmp_path: Path) -> None:
    rows = [{"id": i, "A": a, "B": b, "tags": ["u", "v"]} for i, (a, b) in enumerate(RATINGS)]
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(
        ReadError,
        match=r"'tags' looks like something other than a label .*--item id --exclude tags",
    ):
        read(str(path), layout="wide")
    result = read(str(path), layout="wide", exclude=["tags"])
    assert (result.source.item, result.source.coders) == ("id", ("A", "B"))


def test_only_rows_that_are_read_are_looked_at(tmp_path: Path) -> None:
    path = table(
        tmp_path / "t.csv", ["x", "A", "B"], [[1, 2, 3, 4], ["u", "v", "u", "v"], list("vvuu")]
    )
    assert read(path, layout="wide", where="x < 3").source.coders == ("x", "A", "B")
    assert read(path, layout="wide").source.item == "x"
    marked = table(tmp_path / "m.csv", ["A", "B"], [["NA"] * 4 + ["u"] * 4, ["NA"] * 4 + ["v"] * 4])
    assert read(marked, layout="wide").source.coders == ("A", "B")
    with pytest.raises(ReadError, match="shares no label"):
        read(marked, layout="wide", missing=["NA"])
    with pytest.raises(ReadError, match="no row satisfies"):
        read(path, layout="wide", where="x > 9")
    with pytest.raises(ReadError, match="--where"):
        read(path, layout="wide", where="x > ")


def test_an_irregular_csv_is_looked_at_as_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'x,A,B\n1,"two\r\nlines",v\r\n2,v,v\n3,u,"two\r\nlines"\r\n4,v,u\n')
    result = read(str(path), layout="wide", where="x < 4")
    assert (result.source.item, result.source.coders, result.source.rows) == ("x", ("A", "B"), 3)


def test_the_first_rows_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time does not depend on the length of the table."""
    monkeypatch.setattr("agreement_fast.reading.recognition.profile.ROWS", 10)
    monkeypatch.setattr("agreement_fast.reading.recognition.profile.FEWEST_ROWS", 10)
    column = [f"i{i}" for i in range(10)]
    names = [
        table(tmp_path / f"{n}.csv", ["x", "A", "B"], [column, *zip(*RATINGS, strict=True)])
        for n in "ab"
    ]
    assert read(names[0], layout="wide").source.item == "x"
    assert read(names, layout="wide").source.item == "x"
    monkeypatch.setattr("agreement_fast.reading.recognition.profile.ROWS", 20)
    monkeypatch.setattr("agreement_fast.reading.recognition.profile.FEWEST_ROWS", 20)
    with pytest.raises(ReadError, match="'x' looks like something else"):
        read(names, layout="wide")


@pytest.mark.parametrize("name", ["key", "Answer key", "answerKey"])
def test_a_key_with_the_labels_of_the_coders_is_no_coder(tmp_path, name):
    file = tmp_path / "essays.csv"
    file.write_text(f"Hill,Reed,{name}\n" + "pass,pass,pass\nfail,pass,fail\n" * 4)
    with pytest.raises(ReadError, match="looks like a gold label"):
        af.read(file, layout="wide")
    assert af.read(file, layout="wide", coder=["Hill", "Reed"]).coders == ("Hill", "Reed")


def test_a_key_that_numbers_rows_is_the_item(tmp_path):
    file = tmp_path / "essays.csv"
    rows = (f"{i},{'pass' if i % 2 else 'fail'},pass\n" for i in range(8))
    file.write_text("key,Hill,Reed\n" + "".join(rows))
    with pytest.warns(af.ReadHint, match="items are named by column 'key'"):
        assert af.read(file, layout="wide").coders == ("Hill", "Reed")
