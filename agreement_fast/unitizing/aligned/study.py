"""Disorders of what was read and of what chance makes, and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from agreement_fast import _threads
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError
from agreement_fast.inference.documents import Options
from agreement_fast.options import bar, check_choice, check_count, check_share
from agreement_fast.unitizing.aligned.best import Sums, best, sums
from agreement_fast.unitizing.aligned.chance import SAMPLERS
from agreement_fast.unitizing.aligned.dissimilarity import Dissimilarity
from agreement_fast.unitizing.aligned.lanes import Lanes
from agreement_fast.unitizing.continuum import Continuum

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
