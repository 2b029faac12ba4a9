"""Items that differ only in spelling are reported if they have no coder in common."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import Command

from agreement_fast.reading.recognition import labels


def notes(command: Command, rows: str) -> list[str]:
    Path("t.csv").write_text("item,coder,label\n" + rows, encoding="utf-8")
    result = command.json("report", "t.csv")["source"]["notes"]
    return [note for note in result if note.startswith("items ")]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        # Identifiers after a spreadsheet has changed them.
        ("01,a,x\n1,b,y\n2,a,x\n2,b,x\n", ("01", "1", 1)),
        ("1.0,a,x\n1,b,y\n2.0,a,x\n2,b,x\n", ("1.0", "1", 2)),
        ('"t1 ",a,x\nt1,b,y\n', ("t1 ", "t1", 1)),
        ("T1,a,x\nt1,b,y\n", ("T1", "t1", 1)),
        # One coder distinguishes the two, so they are two items.
        ("01,a,x\n1,a,y\n2,a,x\n2,b,x\n", None),
        # Both were judged by two coders.
        ("01,a,x\n01,b,x\n1,a,y\n1,b,y\n", None),
        ("01,a,x\n01,b,x\n1,b,y\n1,a,y\n", None),
        # A missing label is not a judgment.
        ("01,a,x\n1,b,\n2,a,x\n2,b,x\n", None),
        ("11,a,x\n1,b,y\n2,a,x\n2,b,x\n", None),
    ],
)
def test_items_without_a_common_coder(
    command: Command, folder: Path, rows: str, said: tuple[str, str, int] | None
) -> None:
    result = notes(command, rows)
    if said is None:
        assert result == []
    else:
        names = {f"items '{said[0]}' and '{said[1]}'", f"items '{said[1]}' and '{said[0]}'"}
        assert len(result) == 1
        assert result[0].split(" differ only")[0] in names
        assert f"they stay two items (such cases: {said[2]})" in result[0]


def test_very_many_items_are_not_compared(
    command: Command, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labels, "MOST_ITEMS", 1)
    assert notes(command, "01,a,x\n1,b,y\n") == []
