"""Why an interval has no width, or too little."""

from __future__ import annotations

import math

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.chance import Chance
from agreement_fast.coefficients import observed_agreement
from agreement_fast.inference.few_others import Documents, rests_on_few
from agreement_fast.inference.intervals import is_point
from agreement_fast.terminal import show_label

#: The note if nothing more is known.
ALIKE = "all resamples have this value, which says nothing of other items"

#: The note if D_o is 0.
NO_DISAGREEMENT = "no item disagrees, so no resample can, which says nothing of other items"

#: The most coders × categories for which each coder's use of each category is counted.
CELLS = 1 << 24


def why_narrow(
    annotations: Annotations,
    name: str,
    chance: Chance,
    observed: float,
    ends: tuple[float, float],
    *,
    value: float,
    confidence_level: float,
    incomplete: str = "published",
    documents: Documents | None = None,
) -> str | None:
    """Explain in one sentence an interval that is a point or rests on few judgments; else None.

    The parameters are those of `no_width` and `rests_on_few`. Intervals with NaN ends give None.
    """
    if math.isnan(ends[0]) or math.isnan(ends[1]):
        return None
    if annotations.kept_moments is not None:
        return (NO_DISAGREEMENT if observed == 0 else ALIKE) if is_point(*ends) else None
    if is_point(*ends):
        return no_width(
            annotations, name, chance, observed, ends,
            confidence_level=confidence_level, incomplete=incomplete,
        )  # fmt: skip
    return rests_on_few(annotations, chance, value, documents)


def no_width(
    annotations: Annotations,
    name: str,
    chance: Chance,
    observed: float,
    ends: tuple[float, float],
    *,
    confidence_level: float,
    incomplete: str = "published",
) -> str | None:
    """Explain in one sentence an interval of a coefficient that is a point; else None.

    Parameters
    ----------
    annotations : Annotations
        The data.
    name : str
        Name of the coefficient.
    chance : Chance
        Its chance model.
    observed : float
        D_o.
    ends : (low, high)
        The interval.
    confidence_level : float
        Of the interval of the observed agreement.
    incomplete : str
        Which items count.
    """
    if not is_point(*ends):
        return None
    if observed == 0:
        found = observed_agreement(
            annotations, confidence_level=confidence_level, incomplete=incomplete
        )
        text = NO_DISAGREEMENT
        if found.value == 1:
            text += f"; the interval of the observed agreement is {found.low:.4f} to 1"
        return text
    return settled_by_coders(annotations, name, chance, ends[0]) or ALIKE


def settled_by_coders(
    annotations: Annotations, name: str, chance: Chance, value: float
) -> str | None:
    """Explain in one sentence a coefficient that coders of one category determine; else None."""
    if not chance.knows_coders or not (why := constant_coders(annotations)):
        return None
    return f"{name} is {round(value, 12) + 0.0:.4g} for any items: {why}"


def constant_coders(annotations: Annotations) -> str | None:
    """Say who used one category only, if at most one coder used more; else None."""
    if annotations.coders is None or len(annotations.coders) * len(annotations.labels) > CELLS:
        return None
    counts = annotations.coder_marginals().values
    used = np.count_nonzero(counts, axis=1)
    single, several = np.flatnonzero(used == 1), np.flatnonzero(used > 1)
    if not len(single) or len(several) > 1:
        return None
    if len(single) > 1:
        but = f" but {show_label(annotations.coders[several[0]])}" if len(several) else ""
        return f"no coder{but} used more than one category"
    (place,) = single.tolist()
    label = annotations.categories[int(counts[place].argmax())]
    return f"coder {show_label(annotations.coders[place])} used {show_label(label)} only"
