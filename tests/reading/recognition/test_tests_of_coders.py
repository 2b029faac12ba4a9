"""Items that test coders, coders who try a tool out, and lists in another order are pointed out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import pandas as pd
import pytest

import agreement_fast as af
from agreement_fast import diagnostics

RIGHT = [1, 2, 3, 3, 1, 2, 2, 1, 3, 2]
OTHER = [1, 2, 3, 1, 1, 2, 2, 1, 3, 3]
NUMBERS = [9, 1, 0, 2, 3, 4, 5, 6, 7, 8]
COLUMNS = {"item": "item", "coder": "coder", "label": "label"}


def long(items: Sequence[Any], coders: Sequence[str] = ("ann", "ben")) -> pd.DataFrame:
    rows = [
        (item, coder, label)
        for place, item in enumerate(items)
        for coder, label in zip(coders, (RIGHT[place], OTHER[place], RIGHT[place]), strict=False)
    ]
    return pd.DataFrame(rows, columns=[*COLUMNS])


def notes(call: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(warning.message) for warning in caught]


NAMES = [f"t{number}" for number in range(10)]


@pytest.mark.parametrize(
    "check", ["attention_check_1", "Practice 2", "catch trial", "training item 3", "test-question"]
)
def test_items_that_test_coders(check: str) -> None:
    (note,) = notes(lambda: af.alpha(long([*NAMES[:8], f"{check}", "t9"])))
    assert note == (
        f"items such as {check!r} have the names of attention checks or of practice, and count as "
        "the others do (such items: 1): if they are, leave them out"
    )


@pytest.mark.parametrize(
    "items",
    [
        [*NAMES[:9], "practice"],
        [f"practice {number}" for number in range(10)],
        [f"{part}_{number}" for number in range(5) for part in ("train", "test")],
    ],
    ids=["a word", "all", "parts of data"],
)
def test_items_with_like_names(items: list[str]) -> None:
    assert not notes(lambda: af.alpha(long(items)))


def test_coders_who_try_a_tool_out() -> None:
    (note,) = notes(lambda: af.alpha(long(NAMES, ("ann", "ben", "Test user"))))
    assert note.startswith("coder 'Test user' has a name for trying a tool out")
    assert not notes(lambda: af.alpha(long(NAMES, ("test", "retest", "ann"))))
    assert not notes(lambda: af.alpha(long(NAMES, ("test", "ann"))))


@pytest.mark.parametrize("items", [NUMBERS, [f"E{n}" for n in NUMBERS]], ids=["numbers", "texts"])
def test_lists_beside_items_that_a_table_has_in_another_order(items: list[Any]) -> None:
    table, of_items = long(items), dict(zip(items, RIGHT, strict=True))
    for what, call in {
        "gold": lambda given: diagnostics.gold_scores(table, gold=given),
        "cluster": lambda given: af.bootstrap(table, n_resamples=9, rng=1, cluster=given),
    }.items():
        (note,) = notes(lambda call=call: call(RIGHT))
        assert note == (
            f"{what} is taken in the order in which the table first has the items "
            f"({items[0]!r}, {items[1]!r}, {items[2]!r}, ...), not in that of their numbers: if it "
            "has another order, pass a mapping from item to value"
        )
        assert not notes(lambda call=call: call(of_items))
        assert not notes(lambda call=call: call(pd.Series(of_items)))
    gold = table.assign(gold=table.item.map(of_items))
    assert not notes(lambda: diagnostics.gold_scores(gold, gold="gold", **COLUMNS))


@pytest.mark.parametrize(
    "items",
    [range(10), NAMES, [n * 7 for n in NUMBERS], list("jabcdefghi"), [f"{n}.{n}" for n in NUMBERS]],
    ids=["numbers", "texts", "gaps", "letters", "two numbers"],
)
def test_lists_beside_items_in_order(items: Sequence[Any]) -> None:
    assert not notes(lambda: diagnostics.gold_scores(long(items), gold=RIGHT))


def test_lists_beside_the_rows_of_a_table() -> None:
    wide = pd.DataFrame({"item": NUMBERS, "ann": RIGHT, "ben": OTHER})
    assert not notes(lambda: diagnostics.gold_scores(wide, gold=RIGHT))


def test_groups_that_tear_items_apart() -> None:
    table = long(NAMES)
    by = ["sure" if place < 6 or place % 2 else "unsure" for place in range(20)]
    call = lambda: af.agreement_by_group(table.assign(conf=by), by="conf", **COLUMNS)  # noqa: E731
    (note,) = notes(call)
    assert note == (
        "column 'conf' differs within items, and 14 of 20 judgments are the only one of their item "
        "in their group, and count nowhere: by= is for what describes items"
    )
    twice = pd.concat([table.assign(round=1), table.assign(round=2)])
    assert not notes(lambda: af.agreement_by_group(twice, by="round", **COLUMNS))
    once = pd.concat([table, pd.DataFrame([("u", "ann", 1)], columns=[*COLUMNS])])
    assert not notes(lambda: af.agreement_by_group(once.assign(team="x"), by="team", **COLUMNS))


def test_rows_without_a_group() -> None:
    table = long(NAMES).assign(team=[None, *"xy" * 9, "x"])
    with pytest.raises(af.AgreementError, match=r"no group .team.: .* or leave out the rows"):
        af.agreement_by_group(table, by="team", **COLUMNS)


def test_groups_in_the_order_of_months() -> None:
    months = dict(zip(NAMES, ["Jan", "Feb", "Mar", "Apr", "May"] * 2, strict=True))
    table = long(NAMES)
    by = af.agreement_by_group(table.assign(month=table.item.map(months)), by="month", **COLUMNS)
    assert [name for (name,) in by.groups] == ["Jan", "Feb", "Mar", "Apr", "May"]
