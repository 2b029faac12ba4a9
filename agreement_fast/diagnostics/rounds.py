"""The agreement of a coder's repeated judgments, with rounds in place of coders."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.inference.delta_method import StandardError, standard_error
from agreement_fast.patterns import Rows, narrow
from agreement_fast.points import Point


class OfRounds(NamedTuple):
    """The agreement of one coder's rounds, and the numbers of items.

    Attributes
    ----------
    agreement : StandardError
        The agreement, with its standard error and interval.
    n_rounds : int
        The highest number of judgments of an item.
    n_items, n_alike, n_once : int
        The number of items that were judged at least twice, of those among them with a single
        label, and of items that were judged once.
    """

    agreement: StandardError
    n_rounds: int
    n_items: int
    n_alike: int
    n_once: int


def turns(items: Array) -> Array:
    """Number the judgments of each item from 0, in the order of the rows."""
    order = np.argsort(items, kind="stable")
    sizes = np.bincount(items)
    begin = np.cumsum(sizes) - sizes
    out = np.empty(len(items), np.int64)
    out[order] = np.arange(len(items)) - begin[items[order]]
    return out


def of_rounds(
    said: Annotations, items: Array, rounds: Array, codes: Array, point: Point, level: float
) -> OfRounds:
    """Compute the agreement of one coder's rounds; judgments are sorted by item and round."""
    sizes = np.unique_counts(items).counts
    kept = np.repeat(sizes > 1, sizes)
    rounds, codes = rounds[kept], codes[kept]
    start = np.concatenate([[0], np.cumsum(sizes[sizes > 1])]).astype(np.int64)
    rows = Rows(codes.astype(narrow(len(said.labels))), 0, start, rounds.astype(np.int32))
    runs = Annotations.assemble(
        categories=said.categories,
        declared=said.declared,
        items=range(rows.n_rows),
        coders=range(int(rounds.max(initial=1)) + 1),
        rows=rows,
    )
    first = np.repeat(codes[start[:-1]], np.diff(start))
    others = np.bincount(np.repeat(np.arange(rows.n_rows), np.diff(start)), codes != first)
    return OfRounds(
        standard_error(
            runs, point.name, distance=point.distance, confidence_level=level, transform="atanh"
        ),
        int(sizes.max(initial=0)),
        rows.n_rows,
        int((others == 0).sum()),
        int((sizes == 1).sum()),
    )
