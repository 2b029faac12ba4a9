"""What values of JSON are as labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import Command
from exported import write_lines

from agreement_fast.files.exports import typed

NAN = float("nan")


@pytest.mark.parametrize(
    ("value", "label"),
    [
        ("a", "a"),
        (1, 1),
        (0, 0),
        (0.5, 0.5),
        (False, False),
        ("", None),
        (None, None),
        (NAN, None),
        (["b", "a", "b"], frozenset("ab")),
        ([], frozenset()),
        ((1 << 63) - 1, (1 << 63) - 1),
        (1 << 63, "9223372036854775808"),
        ([NAN], typed.NO_LABEL),
        ([["a"]], typed.NO_LABEL),
        ([None], typed.NO_LABEL),
        ({}, typed.NO_LABEL),
        ({"a": 1}, typed.NO_LABEL),
    ],
)
def test_labels(value: Any, label: Any) -> None:
    assert typed.label(value) == label
    assert type(typed.label(value)) is type(label)


def test_sets_are_declared_as_they_are_printed(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ann.jsonl", "ben.jsonl"):
        labels = [["A"], ["A", "B"], ["B"]]
        write_lines(
            tmp_path / name,
            [{"id": i, "text": "t", "label": one, "Comments": []} for i, one in enumerate(labels)],
        )
    monkeypatch.chdir(tmp_path)
    result = command.json(
        "report", ".", "--format", "doccano", "--coder-from", "file",
        "--categories", 'A,{B},"{A, B}",C',
    )  # fmt: skip
    assert len(result["reports"][0]["categories"]) == 4
