"""The majority reference under subsets of coders, one subset after the other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from agreement_fast import _threads
from agreement_fast._kernels import _majority
from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.options import bar
from agreement_fast.patterns import check_total, dense
from agreement_fast.subsets.majority import first_reference, tied_categories

#: Rows × subsets of one call of the kernel: some milliseconds.
PIECE = 1 << 24

#: The most moves of one call.
MOVES = 1 << 20

#: Calls for each thread between two checks for Ctrl-C.
BATCH = 8


class Walk:
    """The rows of the judgments in the kernel's form, and the results for each size."""

    def __init__(self, annotations: Annotations, ties: str, centre: Array, sizes: Array) -> None:
        rows = annotations.grouped()
        coders = annotations.n_coders
        assert coders is not None
        K = len(annotations.labels)
        table = dense(rows, coders)
        judged = (table >= 0).any(1)
        weights = None if rows.weights is None else rows.weights[judged]
        table = table[judged]
        n_rows, lanes = len(table), _majority.LANES
        n_blocks = -(-n_rows // lanes)
        self.n_rows, self.n_coders, self.sizes = n_rows, coders, sizes
        codes = np.full((coders, n_blocks * lanes), -1, np.int16)
        codes[:, :n_rows] = table.T
        filled = np.zeros(n_blocks * lanes, np.int64)
        filled[:n_rows] = 1 if weights is None else weights
        present = filled.astype(np.uint16) if weights is None else None
        self._items = _majority.Items(codes, filled, present)
        counts = np.zeros((n_blocks * lanes, K), np.int64)
        for c in range(coders):
            said = np.flatnonzero(codes[c] >= 0)
            counts[said, codes[c, said]] += 1
        tied = tied_categories(counts)
        #: The units of one item; parts of an item are whole numbers of units, or near to 12 digits.
        self.unit = 1
        if ties == "fractional":
            most = min(K, coders)
            self.unit = math.lcm(*range(1, most + 1)) if most <= 20 else 1 << 40
        check_total(float(filled.sum()) * self.unit, "parts of items")
        mask = np.ones_like(tied)
        if ties in ("first", "median"):
            chosen = first_reference(counts, tied, ties)[:, None]
            at = np.arange(K)
            tied = at == chosen
            mask = at <= chosen if ties == "first" else at < chosen
        requested, looked_at = (self._in_blocks(x, n_blocks) for x in (tied, mask))
        kind = _majority.TIES[ties]
        self._reference = _majority.Reference(kind, requested, looked_at, self.unit)
        self._room = K * lanes
        places = np.zeros(coders + 1, np.int64)
        places[sizes] = (centre * self.unit).astype(np.int64)
        #: The number of subsets of each size, and the smallest and the largest change.
        self.seen = _majority.Seen(
            places,
            np.zeros(coders + 1, np.int64),
            np.full(coders + 1, np.iinfo(np.int64).max),
            np.full(coders + 1, np.iinfo(np.int64).min),
        )
        self.sums, self.squares = np.zeros(coders + 1), np.zeros(coders + 1)

    @staticmethod
    def _in_blocks(flags: Array, n_blocks: int) -> Array:
        """Items × categories of flags as blocks × categories × lanes of 0 and 0xFFFF."""
        blocks = flags.reshape(n_blocks, _majority.LANES, -1).transpose(0, 2, 1)
        out: Array = np.ascontiguousarray(blocks).astype(np.uint16) * np.uint16(0xFFFF)
        return out

    def look(
        self,
        n_subsets: tuple[int, ...],
        looked: tuple[int, ...],
        rng: np.random.Generator,
        threads: int | None,
        progress: bool,
    ) -> None:
        """Compare `looked` subsets of each size with the reference."""
        pieces = self._pieces(n_subsets, looked, rng)
        at_once = BATCH * (_threads.available() if threads is None else threads)
        with bar(progress, sum(looked)) as advance:
            while batch := [piece for _, piece in zip(range(at_once), pieces, strict=False)]:
                work = self.n_rows * sum(len(piece.sizes) for piece in batch)
                places = [(i, i + 1) for i in range(len(batch))]
                found = _threads.run(partial(self._values, batch), places, work, threads)
                for values, piece in zip(found, batch, strict=True):
                    sums, squares = np.zeros((2, len(self.sums)))
                    _majority.spread(values, piece.sizes, self.seen, sums, squares)
                    self.sums += sums
                    self.squares += squares
                    advance(int(np.isin(piece.sizes, self.sizes).sum()) if progress else 0)

    def _pieces(
        self, n_subsets: tuple[int, ...], looked: tuple[int, ...], rng: np.random.Generator
    ) -> Iterator[_majority.Moves]:
        """Yield moves from subset to subset, with ends, sizes, and whether each restarts."""
        step = int(np.clip(PIECE // max(self.n_rows, 1), 64, 1 << 16))
        everything = looked == n_subsets
        # Walking through all sizes costs less than a new start for each subset.
        if everything and self.n_coders < 62 and 2**self.n_coders <= 8 * sum(looked) + 64:
            for first in range(1, 2**self.n_coders, step):
                last = min(first + step, 2**self.n_coders)
                moves = np.empty(last - first + 64, np.int32)
                ends, sizes = np.empty(last - first, np.int64), np.empty(last - first, np.int32)
                _majority.gray_moves(first, last, moves, ends, sizes)
                yield _majority.Moves(moves, ends, sizes, False)
            return
        for size, n, all_of_them in zip(self.sizes.tolist(), looked, n_subsets, strict=True):
            some = max(1, min(step, MOVES // size))
            if n == all_of_them:
                lists = combinations(self.n_coders, size, some)
            else:
                lists = draw(self.n_coders, size, n, some, rng)
            for subsets in lists:
                ends = np.arange(1, len(subsets) + 1, dtype=np.int64) * size
                sizes = np.full(len(subsets), size, np.int32)
                yield _majority.Moves(subsets.reshape(-1), ends, sizes, True)

    def _values(self, batch: list[_majority.Moves], place: int, _: int) -> Array:
        """Return the weight of the items that each subset of a piece changes, in units."""
        piece = batch[place]
        out, room = np.zeros(len(piece.ends), np.int64), np.empty(self._room, np.uint16)
        _majority.moved(self._items, self._reference, piece, room, out)
        return out

    def extremes(self, total: int, sampled: Array) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return minimum, maximum and standard deviation of the share for each size."""
        n = self.seen.n[self.sizes].astype(np.float64)
        scale = float(total) * self.unit
        some = n > 0
        low = np.where(some, self.seen.smallest[self.sizes] / scale, np.nan)
        high = np.where(some, self.seen.largest[self.sizes] / scale, np.nan)
        sums, squares = self.sums[self.sizes], self.squares[self.sizes]
        divisor = n - sampled
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.maximum(squares - sums * sums / n, 0.0) / divisor
        return low, high, np.where(divisor > 0, np.sqrt(variance) / scale, np.nan)


def combinations(n_coders: int, size: int, step: int) -> Iterator[Array]:
    """Yield all subsets of a size as arrays of shape (up to `step`, size)."""
    every = itertools.combinations(range(n_coders), size)
    while True:
        some = np.array(list(itertools.islice(every, step)), np.int32).reshape(-1, size)
        if not len(some):
            return
        yield some


def draw(n_coders: int, size: int, n: int, step: int, rng: np.random.Generator) -> Iterator[Array]:
    """Draw n different subsets of a size uniformly; rows are sorted."""
    total = math.comb(n_coders, size)
    if total <= 4 * n:  # most draws would repeat earlier ones
        chosen = np.zeros(total, bool)
        chosen[rng.permutation(total)[:n]] = True
        first = 0
        for some in combinations(n_coders, size, step):
            yield some[chosen[first : first + len(some)]]
            first += len(some)
        return
    seen: set[bytes] = set()
    while n > 0:
        # A random order of the coders for each subset; some at a time.
        rows = min(n, step, max(1, (1 << 22) // n_coders))
        order = rng.random((rows, n_coders)).argpartition(size - 1, axis=1)[:, :size]
        subsets = np.sort(order, axis=1).astype(np.int32)
        fresh = []
        for i, key in enumerate(row.tobytes() for row in subsets):
            if key not in seen:
                seen.add(key)
                fresh.append(i)
        if fresh:
            yield subsets[fresh]
        n -= len(fresh)
