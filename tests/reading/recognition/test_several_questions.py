"""Long tables that hold several questions, several documents, or pairs of judgments in a row."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from command import Command

import agreement_fast as af

PEOPLE = {"q1": ("ann", "ben", "cyn"), "q2": ("dan", "eve", "fay")}
LABELS = {"q1": "abc", "q2": "xyz"}


def questions(**others: Any) -> pd.DataFrame:
    """Two questions on the same items, each with coders and labels of its own."""
    rows = [
        (item, coder, question, LABELS[question][(item + (place == 0) * (item % 3 == 0)) % 3])
        for question, coders in PEOPLE.items()
        for item in range(8)
        for place, coder in enumerate(coders)
    ]
    return pd.DataFrame(rows, columns=["item", "coder", "question", "label"]).assign(**others)


DOCUMENTS = pd.DataFrame(
    {
        "interview": ["A"] * 8 + ["B"] * 8,
        "item": [1, 2, 3, 4] * 4,
        "coder": ["ann"] * 4 + ["ben"] * 4 + ["cyn"] * 4 + ["dan"] * 4,
        "label": list("pqppqqpppqpqqqpp"),
    }
)
PAIRS = pd.DataFrame(
    {
        "item": range(12),
        "coder1": [1, 2, 3] * 4,
        "label1": [1, 2, 3, 3] * 3,
        "coder2": [2, 3, 1] * 4,
        "label2": [1, 2, 3, 1] * 3,
    }
)
TEAMS = questions(team="north").rename(columns={"coder": "worker", "team": "annotator"})

#: Each label occurs once, so no two coders share one, in a group or not.
SPARSE = pd.DataFrame(
    [(item, coder, group, f"{coder} {item}")
     for item in range(4) for coder, group in zip("abcd", "mmff", strict=True)],
    columns=["item", "coder", "gender", "label"],
)  # fmt: skip

#: Two coders answered one question about each item, and the third another one.
OF_ONE = pd.DataFrame(
    [(item, coder, "tone" if coder != "cyn" else "stance", 1 + (item + (coder == "ben")) % 3)
     for item in range(6) for coder in ("ann", "ben", "cyn")],
    columns=["item", "coder", "question", "label"],
)  # fmt: skip

REFUSED = {
    "a question of one coder": (OF_ONE, "column 'question', such as 'tone', is one of several of"),
    "questions": (questions(), "column 'question', such as 'q1', has coders and labels of its own"),
    "documents": (DOCUMENTS, "the items of column 'item' occur in several values of .*'interview'"),
    "pairs": (PAIRS, "combine 'coder', 'label' with '1', '2'"),
    "two columns of coders": (TEAMS, "column 'worker' or 'annotator' could be the coder"),
}


@pytest.mark.parametrize(("frame", "message"), REFUSED.values(), ids=REFUSED)
def test_what_may_hold_several_studies_is_refused(
    command: Command, tmp_path: Path, frame: pd.DataFrame, message: str
) -> None:
    with pytest.raises(af.AgreementError, match=message):
        af.alpha(frame)
    frame.to_csv(tmp_path / "t.csv", index=False)
    assert re.search(message, command.error("report", str(tmp_path / "t.csv")))


def test_what_the_errors_propose_is_taken() -> None:
    first = questions().query("question != 'q2'")
    assert af.alpha(first) == af.alpha(questions().iloc[:24])
    assert af.alpha(questions(), item="item", label="label").n_items == 8
    assert af.alpha(DOCUMENTS, item=["interview", "item"]).n_items == 8
    assert af.alpha(DOCUMENTS, item="item").n_items == 4
    pairs = af.Annotations.from_wide(PAIRS, items="item", coders=["label1", "label2"])
    assert pairs.categories == (1, 2, 3)
    assert af.alpha(TEAMS, item="item", coder="worker", label="label").n_judgments == 48


def test_coders_of_their_own_are_warned_about() -> None:
    common = questions().assign(label=questions().label.str.translate(str.maketrans("xyz", "abc")))
    with pytest.raises(af.AgreementError, match="'question', such as 'q1', is one of several"):
        af.alpha(common)
    common = common.rename(columns={"question": "team"})
    with pytest.warns(af.ShapeHint, match="begin again in each value of column 'team'"):
        assert af.alpha(common).n_items == 8
    assert af.alpha(common, item=["team", "item"]).n_items == 16
    assert af.alpha(common, item="item").n_items == 8


@pytest.mark.parametrize(
    "frame",
    [
        questions().assign(item=questions().item + 10 * (questions().question == "q2")),
        DOCUMENTS.rename(columns={"interview": "gender"}),
        SPARSE,
        pd.concat(
            [
                questions().query("question == 'q1'"),
                SPARSE.rename(columns={"gender": "question"}).query("coder == 'a'"),
            ]
        ).rename(columns={"question": "team"}),
        DOCUMENTS.assign(interview=DOCUMENTS.item.map("d{}".format)),
    ],
    ids=[
        "items of their own",
        "what coders are",
        "few labels",
        "one other coder",
        "what items are",
    ],
)
def test_columns_that_tell_nothing_apart_pass(frame: pd.DataFrame) -> None:
    assert af.alpha(frame).n_judgments == len(frame)


@pytest.mark.parametrize(
    "innocent",
    [
        OF_ONE.assign(question=OF_ONE.item % 3),
        OF_ONE.rename(columns={"question": "team"}),
        OF_ONE.assign(question="tone"),
    ],
    ids=["of items", "of coders", "one"],
)
def test_columns_that_ask_nothing_else(innocent: pd.DataFrame) -> None:
    assert af.alpha(innocent) == af.alpha(OF_ONE, label="label")
