"""What a finding is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that costs agreement, or keeps it from being known.

    Attributes
    ----------
    kind : str
        "undefined", "bias", "prevalence", "confusion", "one coder", "coders at chance",
        "single-category coders", "disputed items", "near misses", "few items" or "few judgments".
    cost : float
        What the coefficient would gain without it; for "few items" how far it may be from its
        value. NaN where it says nothing about the value of the coefficient.
    sentence : str
        What was found.
    advice : str
        What to do.
    numbers : dict
        What the sentence rests on.
    """

    kind: str
    cost: float
    sentence: str
    advice: str
    numbers: dict[str, Any]
