"""Coders close to chance: in a crowd, a single coder changes little but many such coders do."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics.finding import CHANCE, Finding
from agreement_fast.diagnostics.gains import gain
from agreement_fast.points import Point
from agreement_fast.subsets.against_rest import AgainstRest, one_against_rest
from agreement_fast.sums.of_annotations import sums_of
from agreement_fast.terminal import show_label

#: Agreement with the others below which a coder is close to chance.
NONE = 0.1

#: Coders who are named.
LISTED = 6


def outsiders(annotations: Annotations, point: Point, incomplete: str) -> Iterator[Finding]:
    """Find two or more coders whose agreement with the others is close to chance."""
    coders = annotations.known_coders("a diagnosis of coders")
    rest = one_against_rest(annotations, point.distance)
    counts = sums_of(annotations).counts()
    form = point.distance.bind(annotations.labels, annotations.declared, counts)
    largest = float(form.largest)
    apart = np.flatnonzero((rest.value < NONE) & _clearly_below(rest, largest))
    if len(apart) < 2 or len(coders) - len(apart) < 2:
        return
    order = apart[np.argsort(rest.value[apart], kind="stable")].tolist()
    left = set(order)
    kept = annotations.select(coders=[name for c, name in enumerate(coders) if c not in left])
    added = gain(annotations, kept, point, incomplete)
    if not added.worth_reporting:
        return
    shown = ", ".join(
        f"{show_label(coders[c])} ({round(rest.value[c], 2) + 0.0:.2f})" for c in order[:LISTED]
    )
    more = f" and {len(order) - LISTED:,} more" if len(order) > LISTED else ""
    yield Finding(
        "coders at chance",
        added.gain,
        f"The agreement of {len(order):,} of {len(coders):,} coders with the others is close to"
        f" chance, below {NONE} (the median is {np.nanmedian(rest.value):.2f}): {shown}{more}."
        f" Without them, {point.name} would be {added.value:.3f} instead of"
        f" {added.value - added.gain:.3f}.",
        "Check whether they answered at random or understood the task differently.",
        {
            "coders": [coders[c] for c in order],
            "against_rest": [float(rest.value[c]) for c in order],
            "n_items": [int(rest.n_items[c]) for c in order],
            "value_without": added.value,
            "gain": added.gain,
            "standard_error": added.standard_error,
            "p_value": added.p_value,
        },
    )


def _clearly_below(rest: AgainstRest, largest: float) -> npt.NDArray[np.bool_]:
    """Return the coders whose agreement is below the median by more than chance explains.

    The threshold allows for the choice of the lowest of all coders (Bonferroni). A variable between
    0 and M with mean m has a variance of at most m (M − m) (Bhatia & Davis 2000). With M the
    largest distance, the error is not underestimated for any distance.
    """
    from scipy.special import ndtri

    known = ~np.isnan(rest.value)
    below = np.zeros(len(known), bool)
    if not known.any():
        return below
    observed = rest.observed_disagreement[known]
    expected = rest.expected_disagreement[known]
    error = np.sqrt(observed * (largest - observed) / rest.n_items[known]) / expected
    reach = -float(ndtri(CHANCE / np.count_nonzero(known)))
    # One item shows nothing, even if the bound says otherwise.
    few = rest.n_items[known] < math.ceil(reach**2)
    value = rest.value[known]
    below[known] = (value + reach * error < np.median(value)) & ~few
    return below
