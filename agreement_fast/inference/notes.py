"""Notes on an interval: why it has no width, or too little, or rests on few judgments."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations
from agreement_fast.chance import Chance
from agreement_fast.coefficients import observed_agreement
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.inference.intervals import is_point
from agreement_fast.options import Incomplete
from agreement_fast.patterns import Rows, as_lists
from agreement_fast.points import Point
from agreement_fast.present.terminal import number_of, show_category, show_label

#: The rows of each document, and the number of their document.
Documents: TypeAlias = tuple[Rows, Array]

#: The most judgments that are too few. Those of an item whose coders agree count as one.
FEW = 10.0

#: The largest share of all judgments that they may be: others are not rare.
SHARE = 0.1


def are_few(others: Any, n_judgments: Any, items: Any, value: Any) -> Array:
    """Whether a number of judgments, among all judgments of some items, is too small.

    Judgments of items with m judgments are worth 1/(1 + (m − 1) α) of independent ones, so that
    agreement makes them fewer.
    """
    others, total = np.asarray(others, np.float64), np.asarray(n_judgments, np.float64)
    agreed = np.clip(np.nan_to_num(value), 0.0, 1.0)
    alike = 1 + (total / np.maximum(items, 1) - 1) * agreed
    return np.asarray((others > 0) & (others <= SHARE * total) & (others <= FEW * alike))


def rests_on_few(
    annotations: Annotations, chance: Chance, value: float, documents: Documents | None = None
) -> str | None:
    """Say that the interval of a coefficient rests on few judgments or documents, or return None.

    If expected agreement does not depend on how often each category is used, rare categories are
    like any others.

    Parameters
    ----------
    documents : (Rows, int array), optional
        The rows of each document, and the number of their document, if documents are the sample.
    """
    if chance.counts_categories:
        return None
    if documents is None and annotations.uncounted and annotations.numbers is not None:
        # Whether the first rows show that more judgments are outside of any number than are few. If
        # few are outside of the most frequent number, it is the median of any sample twice that
        # size.
        most, first = FEW * annotations.numbers.shape[1], annotations.numbers[: int(4 * FEW)]
        first = first[(~np.isnan(first)).sum(1) > 1]
        first = np.sort(first[~np.isnan(first)])
        if len(first) > 2 * most and np.count_nonzero(first != first[len(first) // 2]) > most:
            return None
    sums = sums_of(annotations)
    counts = sums.counts()
    if not len(counts) or not counts.any():
        return None
    items = sum(n for size, n in sums.items_by_size.items() if size > 1)
    top, total = int(counts.argmax()), int(counts.sum())
    others = total - int(counts[top])
    if not 0 < others <= SHARE * total:
        return None
    number = judgments(others)
    if not are_few(others, total, items, value):
        if documents is None:
            return None
        rows, of_rows = as_lists(documents[0]), documents[1]
        row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
        n_documents = len(np.unique(of_rows[row[rows.codes != top]]))
        if n_documents > FEW:
            return None
        number = f"{number} (in {number_of(n_documents, 'document')})"
    rare = [k for k in np.flatnonzero(counts).tolist() if k != top]
    of = f"categories other than {show_category(annotations.categories[top])}"
    if len(rare) == 1:
        of = f"the category {show_category(annotations.categories[rare[0]])}"
    return f"the interval rests on {number} of {of}"


def judgments(number: int) -> str:
    """Give a number of judgments in words."""
    return "1 judgment" if number == 1 else f"{number:,} judgments"


#: The note if nothing more is known.
ALIKE = "all resamples have this value, which says nothing of other items"

#: The note if D_o is 0.
NO_DISAGREEMENT = "no item disagrees, so no resample can, which says nothing of other items"

#: The most coders × categories for which each coder's use of each category is counted.
CELLS = 1 << 24


def why_narrow(
    annotations: Annotations,
    point: Point,
    observed: float,
    ends: tuple[float, float],
    *,
    value: float,
    confidence_level: float,
    incomplete: Incomplete = "published",
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
            annotations, point, observed, ends,
            confidence_level=confidence_level, incomplete=incomplete,
        )  # fmt: skip
    return rests_on_few(annotations, point.chance, value, documents)


def no_width(
    annotations: Annotations,
    point: Point,
    observed: float,
    ends: tuple[float, float],
    *,
    confidence_level: float,
    incomplete: Incomplete = "published",
) -> str | None:
    """Explain in one sentence an interval of a coefficient that is a point; else None.

    Parameters
    ----------
    annotations : Annotations
        The data.
    point : Point
        The coefficient.
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
        result = observed_agreement(
            annotations, confidence_level=confidence_level, incomplete=incomplete
        )
        text = NO_DISAGREEMENT
        if result.value == 1:
            text += f"; the interval of the observed agreement is {result.low:.4f} to 1"
        return text
    return settled_by_coders(annotations, point, ends[0]) or ALIKE


def settled_by_coders(annotations: Annotations, point: Point, value: float) -> str | None:
    """Explain in one sentence a coefficient that coders of one category determine; else None."""
    if not point.chance.knows_coders or not (why := constant_coders(annotations)):
        return None
    return f"{point.name} is {round(value, 12) + 0.0:.4g} for any items: {why}"


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
