"""What values of JSON are as labels."""

from __future__ import annotations

from typing import Any

import pytest

from agreement_fast.exports.tools.shared.labels import NO_LABEL, label_of

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
        ([NAN], NO_LABEL),
        ([["a"]], NO_LABEL),
        ([None], NO_LABEL),
        ({}, NO_LABEL),
        ({"a": 1}, NO_LABEL),
    ],
)
def test_labels(value: Any, label: Any) -> None:
    assert label_of(value) == label
    assert type(label_of(value)) is type(label)
