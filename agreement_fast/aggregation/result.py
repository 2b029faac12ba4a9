"""One label an item, with what is known of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.aggregation.coders import CoderQuality, GoldCheck
from agreement_fast.aggregation.mace import Mace
from agreement_fast.aggregation.one_accuracy import OneAccuracy
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent import DawidSkene
from agreement_fast.reading.labels import Categories
from agreement_fast.tables import Tabular
from agreement_fast.terminal import align, show_label, show_value, spell_label

#: Items that are printed.
SHOWN = 10

#: What `status` may be, by its code.
STATUSES = ("decided", "tie", "gold", "unjudged")

#: What the methods are called.
TITLES = {
    "majority": "majority",
    "dawid_skene": "Dawid & Skene (1979)",
    "mace": "MACE (Hovy et al. 2013)",
}

#: What confidence means.
MEANINGS = {
    "majority": "the share of the item's judgments that give the label",
    "dawid_skene": "P(label | judgments) under the model of Dawid & Skene",
    "mace": "P(label | judgments) under MACE",
}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Aggregated(Tabular):
    """One label for each item, from many judgments: arrays of shape (N,).

    Attributes
    ----------
    method : {"majority", "dawid_skene", "mace"}
    ties : {"missing", "first"}
    items : sequence of labels
    categories : tuple of labels
    codes : int64
        Index of the label in the categories; -1 if the item has none.
    confidence : float64
        Confidence in the label, as `confidence_is` defines it; NaN if the item has no label, 1 if
        the label is gold.
    posterior : float64 or None
        For a majority, P(label | judgments) if every judgment is right with the same probability
        (`model`); None for other methods, whose confidence it is.
    n_judgments, n_agreeing : int64
        Judgments of the item, and those that give the label, or one of those that tie.
    status_codes : int64
        See `status`.
    tie_codes : int64
        Index in `tie_sets` of the labels that tie; -1 if there is no tie.
    tie_sets : tuple of tuples of labels
    weights : int64 array or None
        How many items each one stands for; counts and means are weighted with it.
    n_items, n_decided, n_ties, n_gold, n_unjudged : int
        All items, and those with each status.
    mean_confidence : float
        Of the items whose status is "decided"; NaN without any.
    coders : CoderQuality or None
        None if the judgments are counts of unknown coders.
    gold_check : GoldCheck or None
        None without gold labels.
    model : OneAccuracy, DawidSkene or Mace
        What was fitted. With gold labels its last coder may stand for them.
    log_likelihood : float
        Of the judgments (and the gold labels) under `model`.
    notes : tuple of str
    """

    method: str
    ties: str
    items: Sequence[Any]
    categories: Categories
    codes: Array
    confidence: FloatArray
    posterior: FloatArray | None
    n_judgments: Array
    n_agreeing: Array
    status_codes: Array
    tie_codes: Array
    tie_sets: tuple[tuple[Any, ...], ...]
    weights: Array | None
    n_items: int
    n_decided: int
    n_ties: int
    n_gold: int
    n_unjudged: int
    mean_confidence: float
    coders: CoderQuality | None
    gold_check: GoldCheck | None
    model: OneAccuracy | DawidSkene | Mace
    log_likelihood: float
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def labels(self) -> Array:
        """The label of each item: object array of shape (N,); None if it has none."""
        return _at(self.codes, self.categories)

    @property
    def status(self) -> Array:
        """Why each item has its label, or none: array of str of shape (N,).

        "decided" by the judgments, "tie", "gold", or "unjudged".
        """
        found: Array = np.array(STATUSES)[self.status_codes]
        return found

    @property
    def tied_labels(self) -> Array:
        """The labels that tie, as a tuple; None if there is no tie: object array (N,)."""
        return _at(self.tie_codes, self.tie_sets)

    @property
    def confidence_is(self) -> str:
        """What the confidence is."""
        return MEANINGS[self.method]

    def columns(self) -> dict[str, Any]:
        """Give a row for each item."""
        found: dict[str, Any] = {
            "item": self.items,
            "label": self.labels,
            "confidence": self.confidence,
        }
        if self.posterior is not None:
            found["posterior"] = self.posterior
        found |= {
            "n_judgments": self.n_judgments,
            "n_agreeing": self.n_agreeing,
            "status": self.status,
            "tied_labels": _at(self.tie_codes, [_spelled(one) for one in self.tie_sets]),
        }
        if self.weights is not None:
            found["weight"] = self.weights
        return found

    def __repr__(self) -> str:
        mean = "" if math.isnan(self.mean_confidence) else f", mean {self.mean_confidence:.4f}"
        return (
            f"<labels of {self.n_items:,} items by {self.method}: "
            f"{self.n_decided:,} decided{mean}, {self.n_ties:,} tied, {self.n_gold:,} gold, "
            f"{self.n_unjudged:,} unjudged>"
        )

    def __str__(self) -> str:
        """The first items."""
        found = self.labels
        rows = [
            (
                show_label(self.items[i]),
                "-" if self.codes[i] < 0 else show_label(found[i]),
                show_value(float(self.confidence[i])) if self.codes[i] >= 0 else "-",
                str(self.n_judgments[i]),
                STATUSES[self.status_codes[i]],
            )
            for i in range(min(SHOWN, len(self)))
        ]
        lines = align(("item", "label", "confidence", "judgments", "status"), rows, "<<>><")
        if len(self) > SHOWN:
            lines.append(f"  ... and {len(self) - SHOWN:,} more items")
        return "\n".join([repr(self)[1:-1], *lines, *(f"note: {note}" for note in self.notes)])


def _at(codes: Array, values: Sequence[Any]) -> Array:
    """The value of each code; None for -1."""
    every = np.empty(len(values) + 1, object)
    for i, value in enumerate(values):
        every[i] = value
    found: Array = every[codes]
    return found


def _spelled(labels: tuple[Any, ...]) -> str:
    return " | ".join(map(spell_label, labels))
