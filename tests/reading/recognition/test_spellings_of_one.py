"""A label that one coder writes where others mostly write almost the same one is pointed out."""

from __future__ import annotations

import warnings

import pandas as pd
import polars as pl
import pytest
from command import Command

import agreement_fast as af

TRUE = ["negative", "neutral", "positive", "neutral", "negative", "positive"] * 3


def wide(labels: list[str]) -> pd.DataFrame:
    """Three coders, each of whom errs once."""
    erring = ["positive", *TRUE[1:]], [*TRUE[:-1], "neutral"]
    return pd.DataFrame(
        {"ann": erring[0], "ben": erring[1], "cyn": [*labels[:4], "positive", *labels[5:]]}
    )


def written(**spelled: str) -> list[str]:
    """Every second label in another spelling."""
    return [spelled.get(label, label) if place % 4 else label for place, label in enumerate(TRUE)]


def long(frame: pd.DataFrame) -> pd.DataFrame:
    named = frame.assign(item=[f"t{place}" for place in range(len(frame))])
    return named.melt(id_vars="item", var_name="coder", value_name="label")


def notes(data: object) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        af.alpha(data)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize(
    "spelled",
    [
        {"negative": "negatvie"}, {"negative": "negativ"}, {"neutral": "nuetral"},
        {"positive": "positives"}, {"positive": "pos"}, {"positive": "1 positive"},
    ],
    ids=lambda spelled: "".join(spelled.values()),
)  # fmt: skip
@pytest.mark.parametrize(
    "make",
    [wide, lambda labels: long(wide(labels)), lambda labels: pl.from_pandas(wide(labels)).lazy()],
    ids=["wide", "long", "lazy"],
)
def test_spellings_of_one_coder(make, spelled: dict[str, str]) -> None:
    ((label, own),) = spelled.items()
    assert notes(make(written(**spelled))) == [
        f"only coder 'cyn' writes {own!r} for {label!r}, as others mostly label these items: if "
        "they are one, write them alike"
    ]


def test_the_command_says_so(command: Command, tmp_path) -> None:
    long(wide(written(neutral="nuetral"))).to_csv(tmp_path / "t.csv", index=False)
    wide(written(neutral="nuetral")).to_csv(tmp_path / "w.csv", index=False)
    for name in ("t.csv", "w.csv"):
        text = " ".join(command.answer("report", str(tmp_path / name)).split())
        assert "only coder 'cyn' writes 'nuetral' for 'neutral', as others mostly label" in text


def test_initials_of_several_labels() -> None:
    first = ["yes", "no", "yes", "no"] * 5
    some = [label[0] if place > 9 else label for place, label in enumerate(first)]
    (note,) = notes(pd.DataFrame({"ann": first, "ben": some}))
    assert "only coder 'ben' writes 'n' for 'no', 'y' for 'yes', as" in note
    one = ["y" if label == "yes" and place > 9 else label for place, label in enumerate(first)]
    assert not notes(pd.DataFrame({"ann": first, "ben": one}))


@pytest.mark.parametrize(
    "labels",
    [
        written(negative="bad"),
        written(negative="very negative"),
        written(negative="seminegative"),
        ["neutra" if label == "positive" else label for label in TRUE],
    ],
    ids=["another word", "a finer label", "another beginning", "where others say otherwise"],
)
def test_labels_of_one_coder_that_are_others(labels: list[str]) -> None:
    assert not notes(wide(labels))


def test_labels_that_others_have_too_or_that_are_declared() -> None:
    table = wide(written(negative="negativ"))
    assert not notes(table.assign(ben=table.cyn))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        af.alpha(table, categories=["negative", "negativ", "neutral", "positive"])


def test_two_spellings_of_two_coders_are_one_note() -> None:
    erring = ["positive", *TRUE[1:]]
    table = pd.DataFrame({"ann": erring, "ben": ["pos" if x == "positive" else x for x in TRUE]})
    (note,) = notes(table)
    assert "only coder 'ben' writes 'pos' for 'positive'" in note
