"""The order in which people list names: "batch 2" before "batch 10"."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from agreement_fast.reading.labels import arrange

__all__ = ["natural_order", "numbers_of"]

_DIGITS = re.compile("([0-9]+)")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def natural_order(values: Sequence[Any]) -> list[int]:
    """Return the places of values in ascending order; numbers in texts compare as numbers.

    Parameters
    ----------
    values : sequence
        Tuples are compared column by column. Values other than texts are in the order of
        categories: ascending if they can be sorted.

    Examples
    --------
    >>> names = ["week 10", "week 9", "pilot", "week 9b"]
    >>> [names[place] for place in natural_order(names)]
    ['pilot', 'week 9', 'week 9b', 'week 10']
    """
    listed = list(values)
    if listed and all(isinstance(value, tuple) for value in listed):
        ranks = list(zip(*map(_ranks, zip(*listed, strict=True)), strict=True))
        return sorted(range(len(listed)), key=ranks.__getitem__)
    if not all(isinstance(value, str) for value in listed):
        return list(arrange(listed))
    numbers = numbers_of(listed)
    keys: list[Any] = [_key(text) for text in listed] if numbers is None else numbers
    return sorted(range(len(listed)), key=lambda place: (keys[place], listed[place]))


def numbers_of(values: Sequence[Any]) -> list[float] | None:
    """Return texts that are all numbers as numbers; None if one is not a number."""
    if not all(isinstance(value, str) and _NUMBER.fullmatch(value) for value in values):
        return None
    numbers = [float(value) for value in values]
    return numbers if all(map(math.isfinite, numbers)) else None


def _ranks(values: Sequence[Any]) -> list[int]:
    """Return the rank of each value among the distinct ones; None is last."""
    distinct = [value for value in dict.fromkeys(values) if value is not None]
    rank = {distinct[place]: i for i, place in enumerate(natural_order(distinct))}
    return [rank.get(value, len(rank)) for value in values]


def _key(text: str) -> list[Any]:
    """Return alternating text and whole numbers; numbers compare by length, then by digits."""
    parts: list[Any] = _DIGITS.split(text)
    for place in range(1, len(parts), 2):
        digits = parts[place].lstrip("0")
        parts[place] = (len(digits), digits)
    return parts
