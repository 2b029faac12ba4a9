"""Places of a continuum where coders disagree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.unitizing import Continuum

#: The most stretches × coders that are held at a time.
CELLS = 20_000_000


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretches of some documents within which no unit starts or ends.

    Attributes
    ----------
    document, start, end : int64 arrays of shape (S,)
        Start and end in steps of the resolution.
    share : float64 array of shape (S,)
        The share of the pairs of coders who saw the document that marked something different there.
    """

    document: Array
    start: Array
    end: Array
    share: FloatArray

    def of_documents(self, n: int) -> FloatArray:
        """Return the length of disagreement of each of n documents: lengths times shares."""
        lengths = (self.end - self.start) * self.share
        return np.asarray(np.bincount(self.document, weights=lengths, minlength=n), np.float64)


def most_units(data: Continuum) -> Array:
    """Return the documents with the most units, up to the number that can be compared."""
    counts = np.bincount(data.document, minlength=len(data.documents))
    order = np.argsort(-counts, kind="stable")
    cells = np.cumsum((2 * counts[order] + 2) * max(data.n_coders, 1))
    return np.sort(order[: max(int(np.searchsorted(cells, CELLS, side="right")), 1)])


def stretches(data: Continuum, documents: Array) -> Stretches:
    """Cut some documents where units start and end, and compare the coders on each stretch.

    O(S · C) for S stretches. The set of a coder's categories at a place is represented by the sum
    of a random number for each category; different sets have equal sums with probability 2⁻⁶⁴.
    """
    place = np.full(len(data.documents), -1)
    place[documents] = np.arange(len(documents))
    kept = place[data.document] >= 0
    extents = data.extents[documents]
    # Concatenate all documents.
    shift = np.concatenate([[0], np.cumsum(extents[:, 1] - extents[:, 0])]) - np.append(
        extents[:, 0], 0
    )
    which = place[data.document[kept]]
    start, end = (edge[kept] + shift[which] for edge in (data.start, data.end))
    edges = np.unique(
        np.concatenate([start, end, extents[:, 0] + shift[:-1], extents[:, 1] + shift[:-1]])
    )
    random = np.random.default_rng(0).integers(0, 2**64, len(data.categories), dtype=np.uint64)
    marks = np.zeros((len(edges), max(data.n_coders, 1)), np.uint64)
    added = random[data.category[kept]]
    np.add.at(marks, (np.searchsorted(edges, start), data.coder[kept]), added)
    np.subtract.at(marks, (np.searchsorted(edges, end), data.coder[kept]), added)
    np.cumsum(marks, axis=0, out=marks)
    first, last = edges[:-1], edges[1:]
    row = np.searchsorted(extents[:, 0] + shift[:-1], first, side="right") - 1
    saw = data.n_seeing[documents]
    if data.seen is not None:
        # Coders who did not see a document do not count there.
        missing = np.ones((len(data.documents), data.n_coders), bool)
        missing[data.seen[:, 0], data.seen[:, 1]] = False
        alone = np.random.default_rng(1).integers(0, 2**64, data.n_coders, dtype=np.uint64)
        marks[:-1] = np.where(missing[documents][row], alone, marks[:-1])
    share = _differing(marks[:-1], saw[row])
    return Stretches(documents[row], first - shift[row], last - shift[row], share)


def _differing(marks: Array, saw: Array) -> FloatArray:
    """Return the share of pairs of columns that differ in each row, among those who saw it."""
    marks = np.sort(marks, axis=1)
    run, equal = np.zeros(len(marks), np.int64), np.zeros(len(marks), np.int64)
    for column in range(1, marks.shape[1]):
        run = np.where(marks[:, column] == marks[:, column - 1], run + 1, 0)
        equal += run
    pairs = saw * (saw - 1) / 2
    return np.where(pairs > 0, 1.0 - equal / np.maximum(pairs, 1), 0.0)
