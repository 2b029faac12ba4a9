"""Columns with a usual name of labels that hold something else are not guessed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command import Command

from agreement_fast.files import read
from agreement_fast.files.reader import FEWEST_JUDGMENTS


def long(rows: int, label: Callable[[int], Any], name: str = "rating") -> str:
    """Write a long table."""
    cells = [f"{i // 2},{'ab'[i % 2]},{label(i)}" for i in range(rows)]
    return "\n".join([f"item,coder,{name}", *cells]) + "\n"


@pytest.mark.few("numbers", "texts", "date")
@pytest.mark.parametrize(
    ("label", "why"),
    [
        (lambda i: 100 + i, "holds no value twice"),
        (lambda i: f"r{i}", "holds no value twice"),
        (lambda i: f"{i}.0", "holds no value twice"),
        (lambda i: f"2024-01-0{1 + i // 2}", "holds dates"),
        (lambda i: f"2024-01-0{1 + i // 2}T10:00:00Z", "holds dates"),
        (lambda i: f"2024-01-0{1 + i // 2} 10:00", "holds dates"),
        (lambda i: f"https://example.org/{i // 2}", "holds web addresses"),
    ],
    ids=["numbers", "texts", "whole", "date", "zone", "time", "address"],
)
def test_guessed_labels_that_are_refused(
    command: Command, folder: Path, label: Callable[[int], Any], why: str
) -> None:
    (folder / "t.csv").write_text(long(8, label))
    for name in ("report", "diagnose", "subsets"):
        assert command.error(name, "t.csv") == (
            f"cannot tell which column is the label: 'rating' has a usual name of labels but"
            f" {why}: pass --label rating if it is the label, or the name of another column"
        )
    assert command.json("report", "t.csv", "--label", "rating")["reports"][0]["n_judgments"] == 8


@pytest.mark.parametrize(
    "label",
    [
        lambda i: i + 0.25,
        lambda i: i if i else 7,
        lambda i: f"on 2024-01-0{1 + i // 2}",
        lambda i: "ab"[i % 2],
        lambda i: ["2024-01-01", "never"][i % 2],
    ],
    ids=["measurements", "once", "sentences", "usual", "one date"],
)
def test_guessed_labels_that_are_accepted(tmp_path: Path, label: Callable[[int], Any]) -> None:
    path = tmp_path / "t.csv"
    path.write_text(long(8, label))
    assert read(str(path)).source.label == "rating"


def test_few_judgments_may_all_differ(command: Command, folder: Path) -> None:
    for n in (FEWEST_JUDGMENTS - 1, FEWEST_JUDGMENTS):
        (folder / "t.csv").write_text(long(n, lambda i: f"r{i}"))
        if n < FEWEST_JUDGMENTS:
            assert command.json("report", "t.csv")["source"]["columns"]["label"] == "rating"
        else:
            assert "holds no value twice" in command.error("report", "t.csv")
    # Missing judgments are not a label that repeats.
    (folder / "t.csv").write_text(long(12, lambda i: f"r{i}" if i % 2 else ""))
    assert "holds no value twice" in command.error("report", "t.csv")


def test_labels_that_all_differ_are_refused_part_by_part(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agreement_fast.files.stream.LARGE", 1)
    monkeypatch.setattr("agreement_fast.files.stream.LARGE_FILE", 1)
    (folder / "t.csv").write_text(long(8, lambda i: f"r{i}"))
    assert "holds no value twice" in command.error("report", "t.csv")
    assert command.json("report", "t.csv", "--label", "rating")["reports"][0]["n_judgments"] == 8


def test_the_id_of_an_annotation_is_no_label(command: Command, folder: Path) -> None:
    (folder / "t.csv").write_text(long(8, lambda i: i % 2, "annotation_id"))
    assert "cannot tell which column is the label" in command.error("report", "t.csv")
