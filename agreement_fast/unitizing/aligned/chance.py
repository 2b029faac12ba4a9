"""Random continua, made from those that were read.

Many are made at once: a `Lanes` of n × D documents, in which the first D are the first sample.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.unitizing.aligned.lanes import Lanes, saw_what
from agreement_fast.unitizing.continuum import Continuum

#: How often a shift that is near another is drawn again, before it is taken to have no room.
DRAWS = 50

Sampler = Callable[[Continuum, np.random.Generator, int], Lanes]


def shuffled(data: Continuum, rng: np.random.Generator, n: int) -> Lanes:
    """Shift coders along their documents (Mathet, Widlöcher & Métivier 2015, 5.2).

    Each coder of a sample is one of those who saw the document, drawn with replacement. Their units
    are moved by a random length; those that begin after the document's end come in at its
    beginning.
    No two shifts are nearer than the mean length of the document's units, as long as there is room.
    """
    order = np.lexsort((data.coder, data.document))
    m, d, lanes = data.n_coders, len(data.documents), int(data.n_seeing.max())
    key = data.document[order].astype(np.int64) * m + data.coder[order]
    first = np.searchsorted(key, np.arange(d * m + 1))
    length = np.diff(data.extents, axis=1)[:, 0]
    n_units = np.maximum(np.diff(first[::m]), 1)
    apart = np.bincount(data.document, data.end - data.start, minlength=d) / n_units
    shift = _shifts(rng, n, np.maximum(length, 1), apart, data.n_seeing)
    drawn = rng.integers(data.n_seeing[:, None], size=(n, d, lanes))
    # A row for each sample, document and lane; `units` are those of the coder who was drawn.
    saw = np.argsort(~saw_what(data), axis=1, kind="stable")
    source = (np.arange(d)[:, None] * m + np.take_along_axis(saw[None], drawn, 2)).ravel()
    counts = np.diff(first)[source]
    counts[np.tile(np.arange(lanes) >= data.n_seeing[:, None], (n, 1)).ravel()] = 0
    row = np.repeat(np.arange(len(source)), counts)
    at = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts, counts) + first[source[row]]
    units = order[at]
    document = row // lanes
    start = data.start[units] + shift.ravel()[row]
    over = start >= data.extents[document % d, 1]
    start = start - np.where(over, length[document % d], 0)
    end = start + (data.end - data.start)[units]
    n_seeing = np.tile(data.n_seeing, n)
    return Lanes(document, row % lanes, start, end, data.category[units], lanes, n_seeing)


def _shifts(
    rng: np.random.Generator, n: int, length: Array, apart: FloatArray, n_seeing: Array
) -> Array:
    """Whole numbers below each document's length, far enough from each other around it.

    Of shape (n, D, m) for the m coders who saw the most; the first of each document count.
    """
    m = int(n_seeing.max())
    shift = rng.integers(length[:, None], size=(n, len(length), m))
    for j in range(1, m):
        wrong = np.ones((n, len(length)), bool)
        for _ in range(DRAWS):
            gap = np.abs(shift[:, :, :j] - shift[:, :, j, None])
            gap = np.minimum(gap, length[:, None] - gap)
            wrong = (gap < apart[:, None]).any(2) & (j < n_seeing)
            if not wrong.any():
                break
            shift[wrong, j] = rng.integers(np.broadcast_to(length, wrong.shape)[wrong])
    return shift


def statistical(data: Continuum, rng: np.random.Generator, n: int) -> Lanes:
    """Draw numbers of units, gaps and lengths from normal distributions, and categories by share.

    The sampler that pygamma-agreement takes by default. Means and standard deviations are those of
    the document; a gap is from a unit's end to the next one's start, or from the document's
    beginning. A number is cut to a whole one, and it and lengths lose their sign.
    """
    order = np.lexsort((data.end, data.start, data.coder, data.document))
    parts, saw = len(data.documents), saw_what(data)
    columns: list[tuple[Array, ...]] = []
    for d in range(parts):
        ours = order[data.document[order] == d]
        if not len(ours):
            continue
        coder, start, end = data.coder[ours], data.start[ours], data.end[ours]
        before = np.where(np.diff(coder, prepend=-1) != 0, data.extents[d, 0], np.roll(end, 1))
        gaps, lengths = start - before, end - start
        held = np.bincount(coder, minlength=data.n_coders)[saw[d]]
        m = len(held)
        counts = np.abs(rng.normal(held.mean(), held.std(), n * m).astype(np.int64))
        row = np.repeat(np.arange(n * m), counts)
        made = len(row)
        gap = rng.normal(gaps.mean(), gaps.std(), made)
        # A length of 0 has no place: it is drawn from a continuous distribution unless all are.
        span = np.abs(rng.normal(lengths.mean(), lengths.std(), made))
        stop = np.cumsum(gap + span)
        begun = np.cumsum(counts) - counts
        stop -= np.concatenate([[0.0], stop])[begun[row]]
        stop += data.extents[d, 0]
        columns.append(
            (
                row // m * parts + d,
                row % m,
                stop - span,
                stop,
                rng.choice(data.category[ours], made),
            )
        )
    document, lane, start, end, category = (
        np.concatenate(values) for values in zip(*columns, strict=True)
    )
    return Lanes(document, lane, start, end, category, data.n_coders, np.tile(data.n_seeing, n))


SAMPLERS: dict[str, Sampler] = {"shuffle": shuffled, "statistical": statistical}
