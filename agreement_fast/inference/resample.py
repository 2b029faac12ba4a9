"""Draw items and compute coefficients of the draws: the loop of every bootstrap."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np

from agreement_fast._kernels import _resample, parallel
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.distances.sums.columns import ROOM, Items
from agreement_fast.distances.sums.linear import Linear, Sums
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.intervals import RESAMPLED, Jackknife
from agreement_fast.options import (
    Seed,
    bar,
    check_choice,
    check_resamples,
    check_share,
    check_threads,
    generator,
)

#: Resamples that are made at a time; Ctrl-C and the progress bar act between them.
AT_ONCE = 256

#: The same for draws of coders: the kernel's number of resamples, because each piece has a seed.
CODERS_AT_ONCE = _resample.LANES

#: A multinomial number costs about as much as drawing and counting this number of items.
BINOMIAL = 20

#: Fewer patterns are drawn as binomial numbers, and more items are not listed.
MANY, LISTED = 256, 1 << 22

#: Judgments that a thread sums in its resamples between two checks for Ctrl-C: a fifth of a second.
SUMMED = 1 << 28

#: The most steps of a bootstrap or of the exact jackknife: some ten minutes, at a nanosecond each.
STEPS = 1e12

#: Steps for each number of the sums when a unit is left out, which numpy does.
A_SUM = 10


class Options(NamedTuple):
    """Checked options for draws."""

    n_resamples: int
    confidence_level: float
    method: str
    rng: np.random.Generator
    threads: int | None
    progress: bool

    @staticmethod
    def of(
        n_resamples: Any,
        confidence_level: Any,
        method: Any,
        rng: Seed,
        threads: Any,
        progress: bool,
        methods: Sequence[str] = RESAMPLED,
    ) -> Options:
        """Check the options; `methods` are those that may be chosen."""
        check_choice("method", method, methods)
        check_share("confidence_level", confidence_level)
        draws, random = check_resamples(n_resamples), generator(rng)
        return Options(draws, confidence_level, method, random, check_threads(threads), progress)


class _Urn:
    """Units of resampling, to draw from with replacement.

    Parameters
    ----------
    units : int array of shape (G,)
        The number of copies of each unit.
    """

    def __init__(self, units: Array) -> None:
        self.n = int(units.sum())
        self._length = len(units)
        self._used = np.flatnonzero(units)
        self._shares = units[self._used] / max(self.n, 1)
        self._items: Array | None = None
        many = len(self._used) >= MANY and self.n < LISTED
        #: Most of the draws of a resample may be Poisson numbers: the others are added one by one.
        self._poisson = many and self.n >= BINOMIAL * len(self._used)
        if many or self.n < min(BINOMIAL * len(self._used), 2**31):
            self._items = np.repeat(np.arange(len(units), dtype=np.int32), units)

    def counts(self, rng: np.random.Generator, sizes: Array) -> FloatArray:
        """Draw resamples of these sizes, and count each unit: float64 (R, G)."""
        drawn = np.zeros((len(sizes), self._length))
        if self._poisson and (mean := sizes.min() - 3 * math.sqrt(sizes.min())) > 0:
            # Poisson numbers of a sum are multinomial; sums beyond the size are drawn again.
            some = rng.random((len(self._used), len(sizes)))
            _resample.poisson(some, mean * self._shares)
            some[:, some.sum(0) > sizes] = 0.0
            drawn[:, self._used] = some.T
            sizes = sizes - some.sum(0).astype(np.int64)
        if self._items is not None and self.n:
            step = max(1, ROOM // max(1, int(sizes.max())))
            for first in range(0, len(sizes), step):
                some = sizes[first : first + step]
                picked = rng.integers(0, self.n, int(some.sum()), dtype=np.int32)
                _resample.count_draws(picked, some, self._items, drawn[first : first + step])
        elif self.n:
            # Without units of weight 0: the last share takes the rounding error of the others.
            drawn[:, self._used] = rng.multinomial(sizes, self._shares)
        return drawn


class Drawing(Protocol):
    """Weights of patterns in resamples of two samples, of `n` and of `n_inner` units."""

    n: int
    n_inner: int

    def __call__(self, rng: np.random.Generator, n_resamples: int) -> FloatArray:
        """Draw weights of the patterns, float64 of shape (U, R)."""

    def both(self, rng: np.random.Generator, n_resamples: int) -> tuple[FloatArray, FloatArray]:
        """Draw weights for both samples, which share their draws."""


class Draw:
    """Resamples of N units as weights of their patterns.

    Parameters
    ----------
    weights : int array of shape (U,)
        The number of items that each pattern stands for.
    unit : int array of shape (U,), optional
        The document of each pattern. Documents are then drawn, each with all its items.
    inner : bool array of shape (U,), optional
        Patterns of a smaller sample, for points of pairs; by default all.

    Attributes
    ----------
    units : int array of shape (G,)
        The number of copies of each unit of resampling.
    by_pattern : bool
        Whether the units of resampling are items rather than documents.

    Notes
    -----
    The number of draws of each of U patterns is multinomial. If few patterns repeat, it is cheaper
    to draw the items and count them, which gives the same distribution.
    """

    def __init__(self, weights: Array, unit: Array | None = None, inner: Array | None = None):
        self._weights = weights
        self._unit = unit
        self.by_pattern = unit is None
        inside = weights > 0 if inner is None else inner & (weights > 0)
        if unit is None:
            self.units, self.inner = weights, np.where(inside, weights, 0)
        else:
            result, self._unit = np.unique(unit, return_inverse=True)
            self.units, self.inner = (
                (np.bincount(self._unit, some, len(result)) > 0).astype(np.int64)
                for some in (weights > 0, inside)
            )
        self._every = _Urn(self.units)
        self._inner = _Urn(self.inner)
        self._outer = _Urn(self.units - self.inner)
        self.n, self.n_inner = self._every.n, self._inner.n

    def __call__(self, rng: np.random.Generator, n_resamples: int) -> FloatArray:
        """Draw weights of the patterns, float64 of shape (U, R)."""
        sizes = np.full(n_resamples, self.n)
        return self._of_patterns(self._every.counts(rng, sizes))

    def both(self, rng: np.random.Generator, n_resamples: int) -> tuple[FloatArray, FloatArray]:
        """Draw weights for the whole and the smaller sample, which share their draws.

        Each resample is n draws of the n units of its sample. The number of draws of the whole
        sample that fall into the smaller one is binomial, and both share these draws.
        """
        if self.n == self.n_inner or not self.n_inner:
            every = self(rng, n_resamples)
            return every, every
        sizes = rng.binomial(self.n, self.n_inner / self.n, n_resamples)
        shared = self._inner.counts(rng, np.minimum(sizes, self.n_inner))
        more = self._inner.counts(rng, np.maximum(sizes - self.n_inner, 0))
        others = self._outer.counts(rng, self.n - sizes)
        missing = self._inner.counts(rng, np.maximum(self.n_inner - sizes, 0))
        every = self._of_patterns(shared + more + others)
        return every, self._of_patterns(shared + missing)

    def _of_patterns(self, drawn: FloatArray) -> FloatArray:
        weights = np.ascontiguousarray(drawn.T)
        if self._unit is None:
            return weights
        return np.asarray(weights[self._unit] * self._weights[:, None])

    def without(self, first: int, last: int) -> FloatArray:
        """Return the weights of the patterns without one of each unit: (U, last - first)."""
        weights = np.repeat(self._weights[:, None].astype(np.float64), last - first, axis=1)
        if self._unit is None:
            weights[np.arange(first, last), np.arange(last - first)] -= 1.0
        else:
            rows = np.flatnonzero((self._unit >= first) & (self._unit < last))
            weights[rows, self._unit[rows] - first] = 0.0
        return weights


def draw_of(made: Sequence[Linear], documents: Array | None = None) -> Draw:
    """Prepare draws of the items that count for some points; all of `made` share their items.

    Items without a pair of judgments do not belong to the sample of points of pairs.
    """
    pairable = np.logical_or.reduce([entry.kept for entry in made])
    weights = np.maximum.reduce([entry.weights for entry in made])
    if np.concatenate([entry.of_pairs for entry in made]).all():
        weights = np.where(pairable, weights, 0)
    return Draw(weights, documents, pairable)


def at_once(made: Linear) -> int:
    """Return the number of resamples that a thread makes at a time, in some megabytes."""
    judgments = int(made.items.sizes.sum())
    most = min(ROOM // max(1, made.items.n_rows, made.width), SUMMED // max(1, judgments))
    return max(2, min(AT_ONCE, most))


P = TypeVar("P")

#: The generator of a lot, and its number of resamples.
Lot: TypeAlias = tuple[np.random.Generator, int]


def in_lots(
    work: Callable[..., P],
    step: int,
    options: Options,
    what: str = "",
    together: int = 1,
) -> list[P]:
    """Do random work on lots of `step` of the `n_resamples`, `together` lots at a time.

    `work` takes `together` lots as arguments. Each has its own generator, so the result depends on
    `step`, but not on `together`.
    """
    n, _, _, rng, threads, progress = options
    counts = [min(step, n - i) for i in range(0, n, step)]
    lots = list(zip(rng.spawn(len(counts)), counts, strict=True))
    tasks = [slice(i, i + together) for i in range(0, len(lots), together)]
    workers = min(parallel.available() if threads is None else threads, max(len(tasks), 1))
    result: list[P] = []
    with bar(progress, n, what) as advance:
        for part in parallel.in_order(lambda task: work(*lots[task]), tasks, workers):
            advance(sum(counts[tasks[len(result)]]))
            result.append(part)
    return result


#: Weights of the patterns in resamples of all items that count, and of those with a pair.
Drawn: TypeAlias = tuple[FloatArray, FloatArray]


def joined(lots: Sequence[Drawn]) -> Drawn:
    """Return the weights of several lots as one."""
    if len(lots) == 1:
        return lots[0]
    every, inner = (np.concatenate(side, axis=1) for side in zip(*lots, strict=True))
    return every, inner


def resampled(
    made: Sequence[Linear],
    draw: Drawing,
    options: Options,
    by_coder: CoderDraw | None = None,
    items_too: bool = True,
) -> FloatArray:
    """Compute the coefficients in each resample: float64 of shape (points, n_resamples).

    All of `made` share their items. With `by_coder`, coders are drawn, and items only if
    `items_too`. Resamples are made in pieces with a seed for each piece, so the result does not
    depend on the number of threads. Resamples of a single unit are all the same, which would look
    like certainty; they are undefined.
    """
    n_resamples = options.n_resamples
    of_pairs = np.concatenate([element.of_pairs for element in made])
    alone = np.where(of_pairs, draw.n_inner, draw.n) == 1
    if by_coder is not None and not items_too:
        alone[:] = False
    if alone.all():
        return np.full((len(alone), n_resamples), np.nan)
    both = of_pairs.any() and not of_pairs.all()
    parts, first = [], 0
    for entry in made:
        parts += [(part, first + places) for part, places in entry.by_sample()]
        first += len(entry.points)

    def drawn(own: np.random.Generator, count: int) -> Drawn:
        return draw.both(own, count) if both else (draw(own, count),) * 2

    def work(*lots: Lot) -> FloatArray:
        if by_coder is None:
            weights = joined([drawn(*lot) for lot in lots])
            out = np.empty((len(alone), weights[0].shape[1]))
            for part, places in parts:
                sums = part.sums(weights[int(part.of_pairs.all())])
                out[places] = [value.value for value in part.values(sums)]
        else:
            # One resample after the other, so that the draws do not depend on the size of a piece.
            items, copies = [], []
            for own in [own for own, count in lots for _ in range(count)]:
                if items_too:
                    items.append(drawn(own, 1))
                copies.append(by_coder.draw(own))
            out = by_coder.with_copies(np.array(copies), joined(items) if items_too else None)
        out[alone] = np.nan
        return out

    for entry in made:
        steps, name = entry.pair_steps()
        if steps * n_resamples > STEPS:
            raise InputError(
                f"distance {name} needs all pairs of {entry.items.n_categories} categories in each "
                f"of {n_resamples} resamples, which takes too long",
                "round the labels, use standard_error(), or a distance such as linear or interval",
                argument="distance",
            )
    step = min(at_once(element) for element in made)
    if by_coder is not None:
        step = min(step, CODERS_AT_ONCE)
    # Lots that are too small for a second thread go together.
    numbers = max(int(element.items.sizes.sum()) + element.width for element in made)
    together = 1 if by_coder is not None else max(1, parallel.SMALL // (step * max(1, numbers)))
    return np.concatenate(in_lots(work, step, options, together=together), axis=1)


# ---------------------------------------------------------------------- the jackknife


def jackknife(made: Linear, draw: Draw) -> tuple[FloatArray, Array]:
    """Compute the exact jackknife: the coefficients without each unit, and the units' numbers.

    The shapes are (points, G) and (G,). Units that are not drawn have no value. O(U · K) for items,
    O(judgments · documents) for documents and for the ordinal distance, whose ranks change with
    every item.
    """
    drawn = np.flatnonzero(draw.units)
    again = made.ranked or not draw.by_pattern
    step = at_once(made) if again else max(1, ROOM // made.width)
    parts = []
    for first in range(0, len(draw.units), step):
        last = min(first + step, len(draw.units))
        if again:
            sums = made.sums(draw.without(first, last))
        else:
            rows = made.rows(first, last)
            rest = {name: made.whole.marginals[name] - own for name, own in rows.marginals.items()}
            sums = Sums(made.whole.plain - rows.plain, rest, {})
        parts.append(np.stack([entry.value for entry in made.values(sums)]))
    values = np.concatenate(parts, axis=1) if parts else np.zeros((len(made.points), 0))
    return values[:, drawn], draw.units[drawn]


# ---------------------------------------------------------------------- coders


class CoderDraw:
    """Resamples of coders with replacement.

    A coder who is drawn twice counts as two coders who always agree. Their agreement would raise
    every coefficient, so a judgment is never paired with a copy of itself: neither in D_o, nor in
    the chance of α, which draws without replacement.
    """

    def __init__(self, made: Linear, least: int) -> None:
        items = made.items
        assert isinstance(items, Items)
        assert items.n_coders is not None
        self._items = items
        self._n_points = len(made.points)
        self._parts = made.by_sample()
        # Which items count depends on the judgments, not on the drawn coders.
        base = made.weights.astype(np.float64)[:, None]
        self._base = (base, base)
        self._least = 2 if least == 2 else 1
        self._n = items.n_coders

    def draw(self, rng: np.random.Generator) -> Array:
        """Draw the number of copies of each coder: int64 (C,)."""
        return rng.multinomial(self._n, np.full(self._n, 1 / self._n))

    def with_copies(self, copies: Array, weights: Drawn | None = None) -> FloatArray:
        """Compute the coefficients with ``copies[r, c]`` copies of coder c: (points, R).

        `weights` holds the weights of the items in each of the R resamples; without it all items
        have their own weights.
        """
        lines = np.ascontiguousarray(np.asarray(copies, np.float64).T)
        out = np.empty((self._n_points, lines.shape[1]))
        for part, places in self._parts:
            chosen = (self._base if weights is None else weights)[int(part.of_pairs.all())]
            sums = part.sums_of_copies(lines, chosen, self._least)
            out[places] = [entry.value for entry in part.values(sums)]
        return out

    def jackknife(self) -> tuple[FloatArray, Array]:
        """Return the coefficients without each coder, float64 (points, C), and C ones."""
        values = []
        for first in range(0, self._n, CODERS_AT_ONCE):
            coders = np.arange(first, min(first + CODERS_AT_ONCE, self._n))
            copies = np.ones((len(coders), self._n), np.int64)
            copies[coders - first, coders] = 0
            values.append(self.with_copies(copies))
        return np.concatenate(values, axis=1), np.ones(self._n, np.int64)


def jackknives(made: Linear, draw: Draw, coders: CoderDraw | None = None) -> list[Jackknife]:
    """Return the exact jackknife of each point, over items, documents or coders.

    All points have the same units. Units outside of a point's sample have weight 0.
    """
    if coders is not None:
        values, weights = coders.jackknife()
        return [(value, weights) for value in values]
    n_units = int(np.count_nonzero(draw.units))
    again = made.ranked or not draw.by_pattern
    judgments = float(made.items.sizes.sum()) if again else 0.0
    if n_units * (judgments + A_SUM * made.width + made.pair_steps()[0]) > STEPS:
        raise InputError(
            (
                Argument("method", "bca"),
                f" leaves out each of {n_units} units in turn, which takes too long for this "
                "distance",
            ),
            ("pass ", Argument("method", "percentile", "basic")),
        )
    values, weights = jackknife(made, draw)
    inner = draw.inner[np.flatnonzero(draw.units)]
    return [
        (value, inner if of_pairs else weights)
        for of_pairs, value in zip(made.of_pairs, values, strict=True)
    ]
