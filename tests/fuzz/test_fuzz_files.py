"""A short run of `fuzz_files`, and proof that it notices."""

from __future__ import annotations

import importlib.util
import sys
import time
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def fuzzing() -> ModuleType:
    """Give the module, which is a program beside this file."""
    path = Path(__file__).with_name("fuzz_files.py")
    spec = importlib.util.spec_from_file_location("fuzz_files", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz_files"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.own_database
@pytest.mark.breadth
def test_mutated_files_are_read_or_refused(fuzzing: ModuleType) -> None:
    codes, findings = fuzzing.fuzz(60, seed=1)
    assert findings == []
    assert codes[0] >= 10
    assert codes[2] >= 10


def test_a_lost_row_a_traceback_and_two_lines_are_noticed(
    fuzzing: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = b"item,coder,label\na,x,1\na,y,1\n"
    case = fuzzing.Case("f.csv", good, ["report", "--json"], 3)
    assert fuzzing.run_case(case) == (0, "2 rows, Python reads 3")

    def fails(argv: list[str]) -> int:
        raise ZeroDivisionError

    def chatters(argv: list[str]) -> int:
        print("one\ntwo", file=sys.stderr)
        return 2

    def leaves(argv: list[str]) -> int:
        Path("left").touch()
        return 2

    def sleeps(argv: list[str]) -> int:
        time.sleep(9)
        return 0

    def hoards(argv: list[str]) -> int:
        print('{"source": {"rows_in_files": 3}}')
        return 0

    monkeypatch.setattr(fuzzing, "SECONDS", 0.1)
    monkeypatch.setattr(fuzzing, "BYTES", 10_000_000)
    monkeypatch.setattr(fuzzing, "_memory", iter([0, 0, 0, 0, 0, 20_000_000, 20_000_000]).__next__)
    for main, message in (
        (fails, "ZeroDivisionError"),
        (chatters, "one"),
        (leaves, "left"),
        (sleeps, "TimeoutError"),
        (hoards, "20,000,000 bytes"),
    ):
        monkeypatch.setattr(fuzzing, "main", main)
        assert message in fuzzing.run_case(case)[1]
