"""Subsets of coders as bit masks: all of a size, or a uniform sample; coder c is bit c.

The subsets of one size are numbered in ascending order of their masks (the combinatorial number
system): the one with coders c₁ < c₂ < ... has number Σ (c_i over i).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb

import numpy as np

from agreement_fast._kernels import _subsets
from agreement_fast.arrays import Array, FloatArray

#: The most coders in a mask.
MOST_CODERS = 63

#: Coders of the lower half of a mask, whose subsets are summed at once: they stay in cache.
LOW = 12


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """Subsets of one size: numbers `first` to `last`, or these places of a sample."""

    size: int
    n_coders: int
    first: int
    last: int
    #: The numbers of the whole sample, ascending; None if all subsets are taken.
    sample: Array | None = field(default=None, repr=False)

    def __len__(self) -> int:
        return self.last - self.first

    def masks(self) -> Array:
        """Return the masks, uint64 of shape (last − first,)."""
        if self.sample is not None:
            return masks_of(self.sample[self.first : self.last], self.size, self.n_coders)
        out = np.empty(len(self), np.uint64)
        start = masks_of(np.array([self.first]), self.size, self.n_coders)
        _subsets.combinations(int(start[0]), out)
        return out


def blocks_of(size: int, n_coders: int, sample: Array | None, length: int) -> list[Block]:
    """Divide the subsets of one size into blocks."""
    n = comb(n_coders, size) if sample is None else len(sample)
    return [
        Block(size, n_coders, first, min(first + length, n), sample)
        for first in range(0, n, length)
    ]


def masks_of(numbers: Array, size: int, n_coders: int) -> Array:
    """Return the masks of subsets given by number: uint64. O(numbers · coders)."""
    rest = numbers.astype(np.int64)
    left = np.full(len(rest), size)
    out = np.zeros(len(rest), np.uint64)
    for coder in range(n_coders - 1, -1, -1):
        # The number of subsets with all their remaining coders below this one.
        below = np.array([comb(coder, k) for k in range(size + 1)], np.int64)[left]
        taken = (left > 0) & (below <= rest)
        rest -= np.where(taken, below, 0)
        left -= taken
        out |= taken.astype(np.uint64) << np.uint64(coder)
    return out


def sampled(size: int, n_coders: int, n: int, rng: np.random.Generator) -> Array:
    """Draw the numbers of `n` different subsets of a size uniformly; they are ascending."""
    return np.sort(rng.choice(comb(n_coders, size), n, replace=False, shuffle=False))


def mask_bits(masks: Array, n_coders: int) -> FloatArray:
    """Mark the coders of each subset with 1.0: float64 of shape (B, C)."""
    bits = (masks[:, None] >> np.arange(n_coders, dtype=np.uint64)) & np.uint64(1)
    return bits.astype(np.float64)


@dataclass(frozen=True, eq=False, slots=True)
class Halves:
    """All subsets as pairs of a subset of the high coders and one of the `low` lowest.

    Attributes
    ----------
    order : uint64 array of shape (2 ** low,)
        The subsets of the low coders, by size.
    runs : int32 array of shape (low + 2,)
        The place of the first subset of each size.
    """

    n_coders: int
    low: int
    order: Array
    runs: Array

    @classmethod
    def of(cls, n_coders: int) -> Halves:
        low = min(n_coders, LOW)
        every = np.arange(1 << low, dtype=np.uint64)
        sizes = mask_bits(every, low).sum(1).astype(np.int64)
        order = every[np.argsort(sizes, kind="stable")]
        runs = np.concatenate([[0], np.cumsum(np.bincount(sizes, minlength=low + 1))])
        return cls(n_coders, low, order, runs.astype(np.int32))

    @property
    def n_high(self) -> int:
        """Number of subsets of the high coders."""
        return 1 << (self.n_coders - self.low)

    def masks(self, first: int, last: int) -> Array:
        """Return the masks whose high parts are `first` to `last` - 1."""
        high = np.arange(first, last, dtype=np.uint64) << np.uint64(self.low)
        return (high[:, None] | self.order).reshape(-1)

    def layout(self, first: int, last: int) -> tuple[Array, Array]:
        """Return the starts of runs of one size, int64, and these sizes, int32."""
        high = np.arange(first, last)
        sizes = mask_bits(high.astype(np.uint64), self.n_coders - self.low).sum(1).astype(np.int32)
        n_low = len(self.order)
        starts = (np.arange(len(high)) * n_low)[:, None] + self.runs[:-1]
        each = sizes[:, None] + np.arange(self.low + 1, dtype=np.int32)
        starts = np.append(starts.reshape(-1), len(high) * n_low)
        return starts.astype(np.int64), each.reshape(-1).astype(np.int32)
