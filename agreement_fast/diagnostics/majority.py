"""The majority label of each item, and each coder's agreement with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack, cast

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import wilson, wilson_of_error
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.options import check_share
from agreement_fast.patterns import as_lists, counts_of
from agreement_fast.present.tables import aligned, in_columns
from agreement_fast.present.terminal import number_of, show_interval
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.results import Result

NOBODY = "no judgments: no item has two of them and a majority"

#: Counts of items × categories that are held at a time.
CELLS = 1 << 22

#: Coders that are printed.
SHOWN = 20


def label_counts(annotations: Annotations) -> Iterator[tuple[slice, FloatArray]]:
    """Count the coders who gave each item each category, some items at a time."""
    rows, K = annotations.rows, len(annotations.labels)
    step = max(1, CELLS // max(K, 1))
    for begin in range(0, rows.n_rows, step):
        end = min(begin + step, rows.n_rows)
        yield slice(begin, end), counts_of(rows, range(begin, end), K)


def majority_codes(annotations: Annotations) -> Array:
    """Return the majority category of each item: int64 (n_rows,), -1 for a tie or no judgment."""
    out = np.full(annotations.n_rows, -1, np.int64)
    for some, counts in label_counts(annotations):
        if counts.shape[1]:
            top = counts.max(1)
            alone = ((counts == top[:, None]).sum(1) == 1) & (top > 0)
            out[some] = np.where(alone, counts.argmax(1), -1)
    return out


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MajorityAgreement(Result):
    """Percentage agreement with the majority opinion; arrays have shape (C,).

    Attributes
    ----------
    value, low, high : float
        The share of all judgments that equal the majority label, and the ends of its interval.
    coders : tuple
        The names of the coders.
    observed_agreement, observed_low, observed_high : float64
        The share for each coder, and Wilson's interval.
    n_judgments : int64
        Each coder's judgments of items that have a majority.
    n_items : int
        Items with two judgments or more and a majority, including weights.
    n_level : int
        Items with two judgments or more on which categories tie, so that there is no majority.
    confidence_level : float
        The level of the intervals.
    undefined : str or None
        Why there is no value.
    """

    value: float
    low: float
    high: float
    coders: tuple[Any, ...]
    observed_agreement: FloatArray
    observed_low: FloatArray
    observed_high: FloatArray
    n_judgments: Array
    n_items: int
    n_level: int
    confidence_level: float
    undefined: str | None

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with a row for each coder."""
        return aligned(
            self,
            "coder=coders observed_agreement low=observed_low high=observed_high confidence_level "
            "n_judgments",
        )

    def __repr__(self) -> str:
        return (
            f"<agreement with the majority opinion {self.value:.6g}, "
            f"{show_interval(self)}, "
            f"{number_of(self.n_items, 'item')}, {self.n_level} without a majority>"
        )

    def __str__(self) -> str:
        """Return a table; first the coder who agrees least."""
        order = np.argsort(self.observed_agreement, kind="stable")[:SHOWN].tolist()
        layout = (
            "coder | agreement = observed_agreement | interval = low..high | "
            "judgments = n_judgments"
        )
        return "\n".join([repr(self)[1:-1], *in_columns(self.columns(), layout, order)])


def majority_agreement(
    data: JudgmentsLike, *, confidence_level: float = 0.95, **reading: Unpack[ReadingOptions]
) -> MajorityAgreement:
    """Compute percentage agreement with the majority opinion (Passonneau & Litman 1993).

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    MajorityAgreement
        The agreement of all judgments and of each coder.

    Raises
    ------
    ValueError
        If the coders are unknown.

    Notes
    -----
    The value is the number of judgments that equal the most frequent label of their item, divided
    by the number of judgments of items that have a single most frequent label. A coder's own vote
    counts for the majority, unlike in `gold_scores` without gold. Items with a single judgment and
    items on which categories tie are left out.

    The value is not corrected for chance and cannot be small: with three coders and two categories,
    the majority has at least two thirds (Carletta 1996). Judgments of an item are not independent,
    so the standard error is that of the delta method over items; the interval is Wilson's for the
    sample size that has this error. O(items · K).

    Examples
    --------
    >>> from agreement_fast.diagnostics import majority_agreement
    >>> found = majority_agreement([("x", "x", "y"), ("y", "y", "y"), ("x", "y", "x")])
    >>> round(found.value, 3), found.observed_agreement.round(3).tolist()
    (0.778, [1.0, 0.667, 0.667])
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data, **reading)
    coders = tuple(annotations.known_coders("majority_agreement()"))
    lists = as_lists(annotations.rows)
    sizes = np.diff(lists.start)
    weights = np.ones(lists.n_rows, np.int64) if lists.weights is None else lists.weights
    top = majority_codes(annotations)
    shared = (sizes > 1) & (weights > 0)
    kept = shared & (top >= 0)
    row = np.repeat(np.arange(lists.n_rows), sizes)
    some = kept[row]
    hit, who = (lists.codes == top[row])[some], cast(Array, lists.coders)[some]
    each = weights[row[some]]
    agree, n = (np.bincount(who, part, len(coders)).astype(np.int64) for part in (each * hit, each))
    hits = np.bincount(row[some], hit, lists.n_rows)[kept]
    n_items, n_judgments = int(weights[kept].sum()), int(n.sum())
    value = low = high = np.nan
    if n_judgments:
        value = agree.sum() / n_judgments
        influence = (hits - value * sizes[kept]) / n_judgments
        factor = n_items / max(n_items - 1, 1)
        error = np.sqrt(factor * (weights[kept] @ influence**2))
        low, high = map(float, wilson_of_error(value, error, n_items, confidence_level))
    ends = wilson(agree, n, confidence_level)
    return MajorityAgreement(
        value=float(value),
        low=low,
        high=high,
        coders=coders,
        observed_agreement=ratio(agree, n),
        observed_low=ends[0],
        observed_high=ends[1],
        n_judgments=n,
        n_items=n_items,
        n_level=int(weights[shared & (top < 0)].sum()),
        confidence_level=confidence_level,
        undefined=None if n_judgments else NOBODY,
    )
