"""Names on their way to others."""

from agreement_fast.reading.set_labels import from_indicators, from_masks

__all__ = [
    "from_indicators",
    "from_masks",
]
