"""Disorders of what was read and of what chance makes, and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from agreement_fast import _threads
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError
from agreement_fast.inference.documents import Options
from agreement_fast.options import bar, check_choice, check_count, check_share
from agreement_fast.unitizing.aligned.best import Dissimilarity, Lanes, Sums, best, saw_what, sums
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


#: More samples than this are not drawn, even if δ_e is less precise than was asked for.
MOST_SAMPLES = 100_000
#: Units that are aligned in one go.
AT_ONCE = 2000


class Sampling(NamedTuple):
    """How chance is sampled, checked."""

    sampler: str
    n_samples: int
    precision: float | None

    @staticmethod
    def of(sampler: Any, n_samples: Any, precision: Any) -> Sampling:
        """Refuse what cannot be."""
        check_choice("sampler", sampler, tuple(SAMPLERS))
        check_count("n_samples", n_samples, 2)
        if n_samples > MOST_SAMPLES:
            raise InputError.must_be("n_samples", f"{MOST_SAMPLES:,} or less", n_samples)
        if precision is not None:
            check_share("precision", precision)
        return Sampling(sampler, n_samples, precision)


class Study:
    """Sums of the best alignments of all documents, read and by chance.

    Attributes
    ----------
    observed : Sums
        Arrays of shape (P, D).
    above, below : float64 arrays of shape (P, S, D)
        The same of each sample.
    """

    def __init__(
        self,
        data: Continuum,
        dissimilarity: Dissimilarity,
        soft: bool,
        sampling: Sampling,
        options: Options,
    ) -> None:
        self._data, self._dissimilarity, self._soft = data, dissimilarity, soft
        self._sampler = SAMPLERS[sampling.sampler]
        units = Lanes.of(data)
        self.observed = sums(units, dissimilarity, best(units, dissimilarity, soft=soft))
        parts = self._samples(sampling.n_samples, options)
        if sampling.precision is not None:
            drawn = np.concatenate([_ratio(one.above[:1], one.below[:1])[0] for one in parts])
            enough = needed(drawn, sampling.precision, options.confidence_level)
            more = min(enough, MOST_SAMPLES) - len(drawn)
            parts += self._samples(max(0, more), options)
        self.above = np.concatenate([one.above for one in parts], axis=1)
        self.below = np.concatenate([one.below for one in parts], axis=1)

    def _samples(self, n: int, options: Options) -> list[Sums]:
        size = max(1, AT_ONCE // self._data.n_units)
        counts = [min(size, n - i) for i in range(0, n, size)]
        tasks = list(zip(counts, options.rng.spawn(len(counts)), strict=True))
        workers = _threads.available() if options.threads is None else options.threads
        parts = []
        with bar(options.progress, n, "samples of chance") as advance:
            for part in _threads.in_order(self._sample, tasks, max(1, min(workers, len(tasks)))):
                parts.append(part)
                advance(part.above.shape[1])
        return parts

    def _sample(self, task: tuple[int, np.random.Generator]) -> Sums:
        n, rng = task
        units = self._sampler(self._data, rng, n)
        found = sums(units, self._dissimilarity, best(units, self._dissimilarity, soft=self._soft))
        shape = (-1, n, len(self._data.documents))
        return Sums(found.above.reshape(shape), found.below.reshape(shape))

    def disorders(self, part: int) -> tuple[float, FloatArray]:
        """Return δ of all documents, and δ of each sample; NaN if undefined."""
        one = slice(part, part + 1)
        observed = _ratio(self.observed.above[one], self.observed.below[one])
        return float(observed[0]), _ratio(self.above[part], self.below[part])

    def values(self, parts: Array, weights: FloatArray) -> FloatArray:
        """1 − δ / δ_e of documents that are there as often as weights (D, R) say: (P, R)."""
        found = np.empty((len(parts), weights.shape[1]))
        for row, part in enumerate(parts.tolist()):
            above, below = self.above[part] @ weights, self.below[part] @ weights
            observed = _divided(
                self.observed.above[part] @ weights, self.observed.below[part] @ weights
            )
            found[row] = 1 - _divided(observed, _mean(_divided(above, below)))
        return found


def needed(drawn: FloatArray, precision: float, confidence_level: float) -> int:
    """How many samples the mean needs to be that precise: (cv z / e)² (Mathet et al. 2015)."""
    known = drawn[~np.isnan(drawn)]
    mean = float(known.mean()) if len(known) else 0.0
    if len(known) < 2 or not mean:
        return 0
    z = NormalDist().inv_cdf((1 + confidence_level) / 2)
    return math.ceil((float(known.std(ddof=1)) / mean * z / precision) ** 2)


def error_of(drawn: FloatArray, confidence_level: float) -> float:
    """Half of the interval of the mean of samples."""
    known = drawn[~np.isnan(drawn)]
    if len(known) < 2:
        return math.nan
    z = NormalDist().inv_cdf((1 + confidence_level) / 2)
    return float(z * known.std(ddof=1) / math.sqrt(len(known)))


def mean_of(drawn: Iterable[float]) -> float:
    """The mean of the samples that have a value."""
    return float(_mean(np.asarray(drawn, np.float64)[:, None])[0])


def _mean(samples: FloatArray) -> FloatArray:
    there = ~np.isnan(samples)
    return _divided(np.where(there, samples, 0.0).sum(0), there.sum(0).astype(np.float64))


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    return _divided(above.sum(-1), below.sum(-1))


def _divided(above: FloatArray, below: FloatArray) -> FloatArray:
    """A ratio, NaN where the divisor is 0."""
    out = np.full(np.broadcast_shapes(np.shape(above), np.shape(below)), np.nan)
    np.divide(above, below, out=out, where=below > 0)
    return out
