"""What most coders say of each item, and how often each coder says it, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.inference.shares import wilson, wilson_of_error
from agreement_fast.options import check_share
from agreement_fast.patterns import as_lists, counts_of
from agreement_fast.results import Result
from agreement_fast.terminal import align, number_of, show_label, show_value

NOBODY = "no judgments: no item has two of them and a majority"

#: Counts of items × categories that are held at a time.
CELLS = 1 << 22

#: Coders that are printed.
SHOWN = 20


def label_counts(annotations: Annotations) -> Iterator[tuple[slice, FloatArray]]:
    """How many coders gave each item each category, some items at a time."""
    rows, K = annotations.rows, len(annotations.labels)
    step = max(1, CELLS // max(K, 1))
    for begin in range(0, rows.n_rows, step):
        end = min(begin + step, rows.n_rows)
        yield slice(begin, end), counts_of(rows, range(begin, end), K)


def majority_codes(annotations: Annotations) -> Array:
    """What most say of each item, as a place among the categories: int64 (n_rows,).

    -1 where several categories are level, or nobody judged.
    """
    out = np.full(annotations.n_rows, -1, np.int64)
    for some, counts in label_counts(annotations):
        if counts.shape[1]:
            top = counts.max(1)
            alone = ((counts == top[:, None]).sum(1) == 1) & (top > 0)
            out[some] = np.where(alone, counts.argmax(1), -1)
    return out


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MajorityAgreement(Result):
    """Percentage agreement with the majority opinion, a float; arrays have shape (C,).

    Attributes
    ----------
    value, low, high : float
        The share of all judgments that are the majority's, and its interval.
    coders : tuple
    observed_agreement, observed_low, observed_high : float64
        The share of each coder's, and Wilson's interval.
    n_judgments : int64
        Judgments of each coder of items that have a majority.
    n_items : int
        Items with two judgments or more and a majority, weights counted.
    n_level : int
        Items with two judgments or more on which categories are level; they have no majority.
    confidence_level : float
    undefined : str or None
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

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give a row for each coder."""
        return {
            "coder": self.coders,
            "observed_agreement": self.observed_agreement.tolist(),
            "low": self.observed_low.tolist(),
            "high": self.observed_high.tolist(),
            "confidence_level": [self.confidence_level] * len(self.coders),
            "n_judgments": self.n_judgments.tolist(),
        }

    def __repr__(self) -> str:
        return (
            f"<agreement with the majority opinion {self.value:.6g}, "
            f"{100 * self.confidence_level:.12g}% interval {self.low:.4f} to {self.high:.4f}, "
            f"{number_of(self.n_items, 'item')}, {self.n_level} without a majority>"
        )

    def __str__(self) -> str:
        """The coders from the one who agrees least."""
        order = np.argsort(self.observed_agreement, kind="stable")[:SHOWN].tolist()
        rows = [
            (
                show_label(self.coders[c]),
                show_value(float(self.observed_agreement[c])),
                f"{show_value(float(self.observed_low[c]))} to "
                f"{show_value(float(self.observed_high[c]))}",
                str(self.n_judgments[c]),
            )
            for c in order
        ]
        head = ("coder", "agreement", "interval", "judgments")
        return "\n".join([repr(self)[1:-1], *align(head, rows, "<>>>")])


def majority_agreement(data: Any, *, confidence_level: float = 0.95) -> MajorityAgreement:
    """Percentage agreement with the majority opinion (Passonneau & Litman 1993).

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        With known coders.
    confidence_level : float

    Returns
    -------
    MajorityAgreement

    Notes
    -----
    The judgments that are the label most coders gave their item, over all judgments of items that
    have such a label; a coder's own vote counts for the majority, unlike in `against_gold` without
    gold. Items with a single judgment, and items on which categories are level, are left out.

    It is not corrected for chance, and cannot be small: of three coders and two categories the
    majority has at least two thirds (Carletta 1996). The interval is Wilson's
    of the sample size that the standard error has; judgments of an item are not independent, so the
    error is that of the delta method over items. O(items · K).

    Examples
    --------
    >>> from agreement_fast.diagnostics import majority_agreement
    >>> found = majority_agreement([("x", "x", "y"), ("y", "y", "y"), ("x", "y", "x")])
    >>> round(found.value, 3), found.observed_agreement.round(3).tolist()
    (0.778, [1.0, 0.667, 0.667])
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
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
        observed_agreement=np.divide(agree, n, out=np.full(len(n), np.nan), where=n > 0),
        observed_low=ends[0],
        observed_high=ends[1],
        n_judgments=n,
        n_items=n_items,
        n_level=int(weights[shared & (top < 0)].sum()),
        confidence_level=confidence_level,
        undefined=None if n_judgments else NOBODY,
    )
