"""What a finding is, and what is worth one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agreement_fast.diagnostics.bias import THRESHOLDS
from agreement_fast.tables import Row

#: Gains that are worth a sentence.
WORTH = 0.01

#: A gain that chance gives as often as this, all choices together, is not told.
CHANCE = 0.01

#: Value from which a coefficient is good enough for most purposes (Krippendorff 1980).
GOOD = THRESHOLDS[-1]


@dataclass(frozen=True, slots=True)
class Finding(Row):
    """Something that costs agreement, or keeps it from being known.

    Attributes
    ----------
    kind : str
        "undefined", "bias", "prevalence", "confusion", "camps", "one coder", "coders at chance",
        "single-category coders", "disputed items", "near misses", "no agreement", "few items" or
        "few judgments".
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
