"""How many examples of Hypothesis a test has: all in `make breadth`, a third in the quick tests."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

#: What `conftest.py` calls all examples of a test that names no number.
USUAL = 25


def examples(number: int, **others: Any) -> settings:
    """Give a test this number of examples, or as much more or fewer as the profile has of its own.

    Parameters
    ----------
    number : int
        All examples of the test.
    **others
        Other settings of Hypothesis.
    """
    return settings(max_examples=max(4, number * settings().max_examples // USUAL), **others)
