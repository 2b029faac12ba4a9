"""Items whose right label is known, as the judgments of a coder who never errs."""

from __future__ import annotations

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.latent import Judgments
from agreement_fast.patterns import Rows, as_lists


def with_gold_coder(judgments: Judgments, reference: Array) -> Judgments:
    """Add a coder, the last one, who gives each item its right label.

    With the probabilities of `never_errs` for this coder, the other classes of such an item are
    impossible in every E-step.

    Parameters
    ----------
    judgments : Judgments
    reference : int64 array of shape (N,)
        The code of the right label of each item; -1 if it is not known.
    """
    lists = as_lists(judgments.rows)
    known = np.flatnonzero(reference >= 0)
    at = lists.start[known + 1]
    start = lists.start.copy()
    start[1:] += np.cumsum(reference >= 0)
    assert lists.coders is not None
    rows = Rows(
        np.insert(lists.codes, at, reference[known]),
        0,
        start,
        np.insert(lists.coders, at, len(judgments.coders)),
        None,
        lists.weights,
    )
    coders = (*judgments.coders, None)
    return Judgments(judgments.items, coders, judgments.categories, rows, rows)


def never_errs(table: FloatArray) -> None:
    """Write the probabilities of the last coder of a table of coders × categories × classes."""
    table[-1] = np.eye(table.shape[1])
