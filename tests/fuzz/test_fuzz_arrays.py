"""A short run of `fuzz_arrays`: the same cases every time."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import fuzz_arrays


@pytest.mark.breadth
def test_hostile_arrays_give_right_values_or_clear_errors():
    """No finding, and every kind of outcome among the cases."""
    said = []
    result, findings = fuzz_arrays.run(0, 0, 400, said.append)
    assert not findings, said[0]
    assert result["right"] > 20
    assert result["value"] > 20
    assert sum(count for name, count in result.items() if name.startswith("error")) > 100


@pytest.mark.breadth
def test_a_wrong_value_is_a_finding(monkeypatch):
    """Guard the fuzzer: half of a right value is noticed."""
    right = fuzz_arrays.right_value
    monkeypatch.setattr(
        fuzz_arrays, "right_value", lambda *given: (right(*given) or 0.125) / 2 + 0.25
    )
    assert fuzz_arrays.run(0, 0, 120, lambda text: None)[1]
