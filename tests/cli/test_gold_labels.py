"""The right labels of items, read from a column of the data or from a file of their own."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agreement_fast.cli.options import GOLD, add_annotations, declare
from agreement_fast.cli.outputs import add_outputs
from agreement_fast.cli.reading import open_annotations
from agreement_fast.cli.wording import UsageError
from agreement_fast.files import stream

LONG = """\
item,coder,label,truth,lang
1,A,yes,yes,en
1,B,no,yes,en
2,A,no,,en
2,B,no,,en
3,A,yes,no,de
3,B,yes,no,de
"""
WIDE = "item,A,B,truth\n1,yes,no,yes\n2,no,no,\n3,yes,yes,no\n"
TOLD = "item,gold,by whom\n1,yes,Eva\n3,no,Eva\n9,no,Eva\n"

Reading = Callable[..., tuple[dict[Any, Any], str]]


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reading:
    monkeypatch.chdir(tmp_path)
    parser = argparse.ArgumentParser()
    add_annotations(parser)
    declare(parser, "gold", GOLD)
    add_outputs(parser)

    def read(data: str, *argv: str, told: str = TOLD) -> tuple[dict[Any, Any], str]:
        Path("d.csv").write_text(data)
        Path("told.csv").write_text(told)
        arguments = parser.parse_args(["d.csv", *argv])
        arguments.command = "aggregate"
        with open_annotations(arguments) as opened:
            assert opened.gold is not None
            result = {
                part.group: opened.gold.of(part.annotations, part.group)
                for part in opened.parts(keep_coders=True)
            }
            return (result if arguments.by else result[None]), "\n".join(opened.notes)

    return read


@pytest.mark.parametrize(
    ("data", "argv", "items"),
    [
        (LONG, ["--gold", "truth"], "2 items have right labels"),
        (WIDE, ["--layout", "wide", "--gold", "truth"], "2 items have right labels"),
        (LONG, ["--gold", "told.csv"], "1 more item of column 'gold' of 'told.csv' is not in"),
        (
            WIDE,
            ["--layout", "wide", "--gold", "told.csv", "--exclude", "truth"],
            "is not in the data",
        ),
        (LONG, ["--gold", "told.csv:gold"], "2 items have right labels"),
        (LONG, ["--gold", "truth", "--missing", "no"], "1 item has a right label"),
        (LONG, ["--gold", "truth", "--where", "lang = 'en'"], "1 item has a right label"),
    ],
)
def test_a_label_for_each_item(gold: Reading, data: str, argv: list[str], items: str) -> None:
    result, notes = gold(data, *argv)
    only_one = "--missing" in argv or "--where" in argv
    assert result == ({"1": "yes"} if only_one else {"1": "yes", "3": "no"})
    assert items in notes


def test_of_two_columns_the_other_holds_the_items(gold: Reading) -> None:
    result, _ = gold(LONG, "--gold", "told.csv", told="essay,gold\n1,yes\n3,no\n")
    assert result == {"1": "yes", "3": "no"}


def test_items_without_names_go_by_place(gold: Reading) -> None:
    unnamed = "A,B,truth,lang\nyes,no,yes,en\nno,no,,de\nyes,yes,no,de\n"
    result, _ = gold(unnamed, "--layout", "wide", "--coder", "A,B", "--gold", "truth")
    assert result == {0: "yes", 2: "no"}
    result, _ = gold(
        unnamed, "--layout", "wide", "--coder", "A,B", "--gold", "truth", "--by", "lang"
    )
    assert result == {"de": {1: "no"}, "en": {0: "yes"}}


def test_groups_may_have_labels_of_their_own(gold: Reading) -> None:
    data = LONG + "1,C,no,no,fr\n1,D,no,no,\n"
    result, notes = gold(data, "--gold", "truth", "--by", "lang")
    assert result == {"de": {"3": "no"}, "en": {"1": "yes"}, "fr": {"1": "no"}, None: {"1": "no"}}
    assert "4 items have" in notes
    told = "item,lang,gold\n1,en,no\n1,fr,yes\n"
    result, _ = gold(data, "--gold", "told.csv", "--by", "lang", told=told)
    assert result == {"de": {}, "en": {"1": "no"}, "fr": {"1": "yes"}, None: {}}
    # without the column of the groups, a label is that of all groups
    result, _ = gold(data, "--gold", "told.csv", "--by", "lang")
    assert result["fr"] == result["en"] == {"1": "yes"}
    assert result["de"] == {"3": "no"}


def test_labels_are_values_of_the_same_kind(gold: Reading) -> None:
    numbers = "item,coder,label,gold\n1,A,1,2.0\n1,B,2,2\n2,A,3,4\n2,B,3,4\n"
    result, notes = gold(numbers, "--gold", "gold")
    assert result == {"1": 2, "2": 4}
    assert "no coder gives the gold label 4" in notes
    result, _ = gold(numbers, "--gold", "gold", "--text", "--where", "item = '2'")
    assert result == {"2": "4"}
    # labels that look like numbers, beside others that do not
    result, _ = gold(LONG.replace(",no,de", ",7,de"), "--gold", "truth")
    assert result["3"] == "7"
    sets = "item,coder,label,gold\n1,A,a|b,b|a\n1,B,a,b | a\n2,A,b,NONE\n2,B,b,NONE\n"
    result, _ = gold(sets, "--gold", "gold", "--set-separator", "|", "--empty-set", "NONE")
    assert result == {"1": frozenset("ab"), "2": frozenset()}
    result, _ = gold(LONG, "--gold", "truth", "--duplicates", "set")
    assert result["1"] == frozenset({"yes"})


def test_what_should_be_known_of_them_is_said(gold: Reading) -> None:
    result, notes = gold(LONG.replace("B,no,yes", "B,no,"), "--gold", "truth")
    assert result == {"1": "yes", "3": "no"}
    assert "1 item has its gold label in some of the rows only" in notes
    _, notes = gold(
        LONG.replace("yes,yes,en", "yes,Yes,en").replace("no,yes", "no,Yes"), "--gold", "truth"
    )
    assert "no coder gives the gold label Yes" in notes
    assert "'Yes' = 'yes'" in notes or "'yes' = 'Yes'" in notes


def test_keys_of_two_columns(gold: Reading) -> None:
    data = "task,question,coder,label\n1,a,A,x\n1,a,B,y\n1,b,A,x\n"
    told = "question,task,gold\na,1,x\nb,1,y\n"
    result, _ = gold(data, "--item", "task,question", "--gold", "told.csv", told=told)
    assert sorted(result.values()) == ["x", "y"]


def test_the_standard_input_is_read_once(
    gold: Reading, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = io.TextIOWrapper(io.BytesIO(LONG.encode()))
    monkeypatch.setattr(sys, "stdin", pipe)
    parser = argparse.ArgumentParser()
    add_annotations(parser)
    declare(parser, "gold", GOLD)
    add_outputs(parser)
    arguments = parser.parse_args(["-", "--gold", "truth"])
    arguments.command = "aggregate"
    with open_annotations(arguments) as opened:
        assert opened.gold is not None
        (part,) = opened.parts(keep_coders=True)
        assert opened.gold.of(part.annotations) == {"1": "yes", "3": "no"}


def test_many_rows_are_read_as_a_whole(gold: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "LARGE", 3)
    monkeypatch.setattr(stream, "LARGE_FILE", 3)
    assert gold(LONG, "--gold", "truth")[0] == {"1": "yes", "3": "no"}


@pytest.mark.parametrize(
    ("data", "argv", "told", "error"),
    [
        (LONG, ["--gold", "truht"], TOLD, "did you mean 'truth'?"),
        (LONG, ["--gold", "label", "--label", "label"], TOLD, "--gold and --label name the same"),
        (LONG.replace("A,yes,no", "A,yes,yes"), ["--gold", "truth"], TOLD,
         "column 'truth': item 3 has two right labels, yes and no"),
        (LONG, ["--gold", "truth", "--where", "item = '2'"], TOLD, "has no label in any row"),
        (LONG, ["--gold", "truth", "--categories", "yes"], TOLD,
         "column 'truth': item 3 has the label no, which is none of the categories (yes)"),
        (LONG.replace("yes", "1").replace("no", "0").replace("0,de", "x,de"), ["--gold", "truth"],
         TOLD, "--gold names 'x', but the labels are numbers (0, 1): pass --text"),
        (LONG, ["--gold", "told.csv"], "item,gold\n8,yes\n",
         "none of its items is in the data (the first are 8 there and 1 in the data)"),
        (LONG, ["--gold", "told.csv"], "item,p,q\n1,yes,1\n", "told.csv:COLUMN; 'told.csv' has"),
        (LONG, ["--gold", "told.csv"], "essay,by,gold\n1,Eva,yes\n",
         "call it 'item'; 'told.csv'"),
        (LONG, ["--gold", "told.csv"], "item,gold\n1,yes\n1,no\n", "two right labels"),
        (LONG, ["--gold", "none.csv"], TOLD, "none.csv"),
        ("A,B\nx,y\n", ["--layout", "wide", "--gold", "told.csv"], TOLD, "pass --item COLUMN"),
    ],
)  # fmt: skip
def test_errors_name_the_place_and_the_remedy(
    gold: Reading, data: str, argv: list[str], told: str, error: str
) -> None:
    with pytest.raises(UsageError) as raised:
        gold(data, *argv, told=told)
    assert error in str(raised.value)
    assert "\n" not in str(raised.value)
