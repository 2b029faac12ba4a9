"""Labels of tables of counts that may be meant otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Command

ROWS = [(2, 1, 0), (3, 0, 0), (1, 1, 1), (0, 3, 0), (2, 0, 1), (2, 1, 0), (2, 1, 0), (3, 0, 0)]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, labels in (("c.csv", "yes,no,NA"), ("l.csv", "Yes,no,yes")):
        lines = [f"s{i},{','.join(map(str, row))}" for i, row in enumerate(ROWS)]
        Path(name).write_text("\n".join([f"item,{labels}", *lines]) + "\n")
    Path("k.csv").write_text("first,yes,no,NA\nyes,20,3,2\nno,4,15,1\nNA,1,2,5\n")


def read_as(command: Command, *argv: str) -> str:
    return " ".join(command.text("report", *argv).split())


def test_a_label_that_looks_missing_is_pointed_out(command: Command) -> None:
    text = read_as(command, "c.csv", "--layout", "counts")
    assert "label 'NA' may mean a missing judgment: if so, pass --exclude with its name" in text
    text = read_as(command, "c.csv", "--layout", "counts", "--exclude", "NA")
    assert "categories are yes, no " in text
    assert "'NA'" not in text


def test_rows_of_a_contingency_table_are_no_items(command: Command) -> None:
    text = read_as(command, "k.csv", "--layout", "contingency")
    assert "if so, leave out its row and its column" in text
    assert "item 'NA'" not in text


def test_columns_are_no_coders(command: Command) -> None:
    text = read_as(command, "l.csv", "--layout", "counts")
    assert "count as different categories: 'Yes' = 'yes'" in text
    assert "names of coders" not in text
