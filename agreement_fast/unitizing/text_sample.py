"""What a sample of texts leaves open."""

from __future__ import annotations

from agreement_fast.inference.intervals import TOO_FEW, too_few
from agreement_fast.unitizing.resampling import ALIKE, Spread

#: Of windows, and of places.
ONE_TEXT = "one text: windows of it overlap and are no sample, so there is no interval"
PLACES_OF_ONE_TEXT = (
    "one text: its places are no independent sample of anything, so there is no interval"
)


def why_no_interval(found: Spread, n_texts: int, one_text: str = ONE_TEXT) -> str | None:
    """Why a value of texts has no interval, or one without width."""
    if n_texts < 2:
        return one_text
    if too_few(found.replicates):
        return TOO_FEW
    return ALIKE if found.high == found.low else None
