"""``agreement-fast diagnose``: its sentences, its document, its picture, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command import Command

from agreement_fast import Annotations, diagnose


@pytest.fixture
def study(folder: Path) -> np.ndarray:
    """Write a wide file in which the last coder guesses."""
    rng = np.random.default_rng(1)
    true = rng.integers(1, 4, 120)
    table = np.where(rng.random((120, 5)) < 0.9, true[:, None], rng.integers(1, 4, (120, 5)))
    table[:, 4] = rng.integers(1, 4, 120)
    lines = [",".join(map(str, row)) for row in table.tolist()]
    (folder / "d.csv").write_text("A,B,C,D,E\n" + "\n".join(lines) + "\n")
    return table


def test_the_findings_are_those_of_the_library(command: Command, study: np.ndarray) -> None:
    document = command.json("diagnose", "d.csv", "--layout", "wide")
    (one,) = document["diagnoses"]
    expected = diagnose(study)
    assert one["value"] == pytest.approx(expected.agreement.value, rel=1e-12)
    assert [result["kind"] for result in one["findings"]] == [f.kind for f in expected]
    for result, correct in zip(one["findings"], expected, strict=True):
        cost = None if correct.cost != correct.cost else pytest.approx(correct.cost, rel=1e-12)
        assert result["cost"] == cost
    assert one["findings"][0]["numbers"]["coder"] == "E"


def test_the_text(command: Command, study: np.ndarray) -> None:
    text = command.text("diagnose", "d.csv", "--layout", "wide")
    first = text.index("One coder. Without coder E, alpha would be")
    assert text.index("What costs agreement: alpha (nominal) = ") < first
    assert "Spearman" in text
    # guesses are as often far off as near: the labels being numbers is no finding
    assert "With the ordinal distance" not in " ".join(text.split())
    example = command.text("diagnose", "--example", "--distance", "ordinal")
    assert "What costs agreement: alpha (ordinal) = 0.8119" in example


def test_sets_have_the_distance_that_the_library_takes(command: Command, folder: Path) -> None:
    rows = [["a", "a|b"], ["a", "a"], ["b", "b|c"], ["b", "b"], ["c", "c"], ["a|c", "a"]] * 6
    (folder / "s.csv").write_text("A,B\n" + "\n".join(",".join(row) for row in rows) + "\n")
    data = Annotations.from_wide(rows, set_separator="|")
    for options, coefficient in (([], "alpha"), (["--coefficient", "kappa"], "kappa")):
        document = command.json(
            "diagnose", "s.csv", "--layout", "wide", "--set-separator", "|", *options
        )
        (one,) = document["diagnoses"]
        expected = diagnose(data, coefficient).agreement
        assert (one["distance"], one["value"]) == (expected.distance, pytest.approx(expected.value))
    text = command.text(
        "diagnose", "s.csv", "--layout", "wide", "--set-separator", "|", "--figure", "sets.png"
    )
    assert "alpha (masi)" in text


def test_groups_and_pictures(command: Command, folder: Path) -> None:
    text = command.text("diagnose", "long.csv", "--by", "lang", "--figure", "d.png")
    assert "lang: de" in text
    assert "lang: en" in text
    assert (folder / "d.png").read_bytes().startswith(b"\x89PNG")
    command.text(
        "diagnose",
        "long.csv",
        "--categories",
        "low,mid,high",
        "--distance",
        "ordinal",
        "--figure",
        "o.svg",
    )
    assert (folder / "o.svg").read_text().startswith("<?xml")


def test_nothing_to_find_and_nothing_to_measure(command: Command, folder: Path) -> None:
    (folder / "u.csv").write_text("item,coder,label\na,x,p\na,y,p\n")
    assert "alpha has no value. No variation" in command.text("diagnose", "u.csv")
    (one,) = command.json("diagnose", "u.csv")["diagnoses"]
    assert (one["value"], one["findings"][0]["kind"]) == (None, "undefined")
    lines = [f"{i},{c},{'pq'[i % 2]}" for i in range(30) for c in "xyz"]
    (folder / "p.csv").write_text("item,coder,label\n" + "\n".join(lines) + "\n")
    assert "Nothing was found that lowers" in command.text("diagnose", "p.csv")


def test_what_could_not_be_looked_at_is_said(command: Command, folder: Path) -> None:
    lines = [f"{i},{c},{i}" for i in range(5000) for c in "xy"]
    (folder / "n.csv").write_text("item,coder,label\n" + "\n".join(lines) + "\n")
    text = command.text("diagnose", "n.csv")
    (one,) = command.json("diagnose", "n.csv")["diagnoses"]
    assert one["skipped"]
    assert "Not examined: single coders (there are only two); categories (there are 5,000" in text


def test_hostile_names_stay_harmless(command: Command, folder: Path) -> None:
    rng = np.random.default_rng(4)
    labels = ["\x1b[31m" if rng.random() < 0.3 else "q" for _ in range(180)]
    coders = ["\x1b]0;x", "y", "z"]
    lines = [f"{n // 3},{coders[n % 3]},{label}" for n, label in enumerate(labels)]
    (folder / "h.csv").write_text("item,coder,label\n" + "\n".join(lines) + "\n")
    command.text("diagnose", "h.csv")
    command.json("diagnose", "h.csv")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "no file was named: agreement-fast diagnose FILE, - for the standard"),
        (["long.csv", "--coefficient", "pi,alpha"], "diagnose takes one coefficient at a time"),
        (["long.csv", "--distance", "ratio,linear"], "diagnose takes one distance at a time"),
        (["long.csv", "--distance", "interval"], "needs numbers, but category 'high'"),
        (["long.csv", "--coefficient", "nope"], "coefficient 'nope' is not known"),
        (
            [
                "long.csv",
                "--coefficient",
                "kappa",
                "--categories",
                "low,mid,high",
                "--distance",
                "ordinal",
            ],
            "beta",
        ),
        (["long.csv", "--figure", "x"], "the ending says the format"),
    ],
)
def test_errors_are_one_line(command: Command, folder: Path, argv: list[str], message: str) -> None:
    assert message in command.error("diagnose", *argv)
