"""A finding, and the thresholds for reporting one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agreement_fast.diagnostics.bias import THRESHOLDS
from agreement_fast.tables import Row

#: The smallest gain that is reported.
WORTH = 0.01

#: The level of the test of a gain, over all candidates together.
CHANCE = 0.01

#: The value from which a coefficient is good enough for most purposes (Krippendorff 1980).
GOOD = THRESHOLDS[-1]


@dataclass(frozen=True, slots=True)
class Finding(Row):
    """Something that lowers the agreement, or makes its value uncertain.

    Attributes
    ----------
    kind : str
        "undefined", "bias", "prevalence", "confusion", "camps", "one coder", "coders at chance",
        "single-category coders", "disputed items", "near misses", "no agreement", "few items" or
        "few judgments".
    cost : float
        How much the coefficient would rise without it. For "few items", half of the width of the
        interval. NaN if the finding has no effect on the value of the coefficient.
    sentence : str
        What was found.
    advice : str
        What to do.
    numbers : dict
        The numbers behind the sentence.
    """

    kind: str
    cost: float
    sentence: str
    advice: str
    numbers: dict[str, Any]
