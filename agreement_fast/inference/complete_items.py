"""The items that all coders judged: codes of their labels, and the table of two coders."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.errors import InputError
from agreement_fast.results import NO_PAIRS

#: The most categories for which a K × K table of floats is made (128 MB).
MOST = 4096

NO_COMPLETE = "no pairs: no item was judged by all {} coders; select(coders=...) takes fewer"


class CompleteItems(NamedTuple):
    """Patterns without a missing judgment.

    Attributes
    ----------
    annotations : Annotations
        The data.
    codes : int array of shape (U, C)
        Places of the labels among the categories.
    weights : int64 array of shape (U,)
        The number of items that each pattern stands for.
    n_items, n_dropped : int
        Number of complete items, and of items that lack a judgment.
    """

    annotations: Annotations
    codes: Array
    weights: Array
    n_items: int
    n_dropped: int

    @property
    def n_coders(self) -> int:
        """Number of coders, C."""
        return int(self.codes.shape[1])

    @property
    def undefined(self) -> str | None:
        """Why nothing can be computed, if there is no complete item."""
        if self.n_items:
            return None
        return NO_PAIRS if self.n_coders == 2 else NO_COMPLETE.format(self.n_coders)

    def counts(self) -> Array:
        """Count how often each coder used each category, float64 of shape (C, K)."""
        K = len(self.annotations.labels)
        return np.array([np.bincount(column, self.weights, K) for column in self.codes.T])

    def table(self, first: int, second: int) -> Array:
        """Return the contingency table of two coders by their places, float64 of shape (K, K)."""
        K = len(self.annotations.labels)
        cells = self.codes[:, first].astype(np.int64) * K + self.codes[:, second]
        return np.bincount(cells, self.weights, K * K).reshape(K, K)


def complete_items(data: JudgmentsLike, purpose: str) -> CompleteItems:
    """Return the complete items of two coders or more; errors begin with the `purpose`."""
    annotations = as_annotations(data)
    coders = annotations.known_coders(purpose)
    if len(coders) < 2:
        raise InputError(
            f"{purpose} compares coders, and these annotations have {len(coders)}",
            "pass the judgments of two coders or more",
        )
    check_size(annotations, purpose)
    codes, weights = annotations.patterns()
    whole = (codes >= 0).all(axis=1) & (weights > 0)
    n = int(weights[whole].sum())
    return CompleteItems(annotations, codes[whole], weights[whole], n, annotations.n_items - n)


def table_of_two(data: JudgmentsLike, purpose: str) -> tuple[Annotations, Array, int]:
    """Return annotations, the table (K, K) of items of both coders, and the number of others."""
    annotations = as_annotations(data)
    coders = annotations.known_coders(purpose)
    if len(coders) != 2:
        raise InputError(
            f"{purpose} compares two coders, these annotations have {len(coders)}",
            "select two with data.select(coders=[first, second])",
        )
    check_size(annotations, purpose)
    table = annotations.contingency_table(*coders).values
    return annotations, table, annotations.n_items - int(table.sum())


def check_size(annotations: Annotations, purpose: str) -> None:
    """Refuse categories whose table would take gigabytes."""
    K = len(annotations.labels)
    if K > MOST:
        raise InputError(
            f"{purpose} needs a table of {K} × {K} categories, at most {MOST} are possible",
            "use standard_error or bootstrap, or merge categories",
        )
