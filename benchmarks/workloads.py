"""The data that the benchmarks measure, and how large they are.

Each item has a true label, and coders give it with probability 0.7, so that rows repeat as in
annotated corpora. All data come from seeded generators, block by block: a table of ten items is the
beginning of a table of ten million.
"""

from __future__ import annotations

import os
from functools import lru_cache

import numpy as np

#: `QUICK=1` makes every size 100 times smaller. `LARGE=1` adds rows that take minutes or gigabytes.
QUICK = os.environ.get("QUICK", "0") not in ("", "0")
LARGE = os.environ.get("LARGE", "0") not in ("", "0")

KEPT = 0.7
BLOCK = 1 << 20


def size(full: int) -> int:
    """The number of items to run instead of `full`."""
    return min(full, max(30, full // 100)) if QUICK else full


@lru_cache(maxsize=6)
def table(items, coders=5, categories=5, missing=0.1, dtype="int8"):
    """Codes 0, 1, ... of shape (items, coders); -1 is missing."""
    out = np.empty((items, coders), dtype)
    for block, first in enumerate(range(0, items, BLOCK)):
        rng = np.random.default_rng([2026, coders, categories, block])
        part = out[first : first + BLOCK]
        part[:] = rng.integers(0, categories, (BLOCK, 1))[: len(part)]
        own = rng.random((BLOCK, coders), np.float32)[: len(part)] >= KEPT
        part[own] = rng.integers(0, categories, (BLOCK, coders))[: len(part)][own]
        if missing:
            part[rng.random((BLOCK, coders), np.float32)[: len(part)] < missing] = -1
    out.flags.writeable = False
    return out


def floats(codes):
    """Codes as float64 with NaN."""
    out = codes.astype(np.float64)
    out[codes < 0] = np.nan
    return out


def counts(codes):
    """How many coders gave each item each category: int64 of shape (items, categories)."""
    return np.stack([(codes == k).sum(1) for k in range(int(codes.max()) + 1)], axis=1)


def strings(codes):
    """Codes as Python strings in an object array; None is missing."""
    n = int(codes.max()) + 1
    return np.array([f"category {k}" for k in range(n)] + [None], object)[codes]


@lru_cache(maxsize=2)
def scores(items, coders=5, distinct=None):
    """Measurements, float64, without missing ones: nearly all values differ.

    `distinct` rounds them to about this number of values, all positive.
    """
    rng = np.random.default_rng([2026, items, coders])
    true = rng.normal(0, 10, (items, 1))
    kept = rng.random((items, coders)) < KEPT
    out = np.where(kept, true + rng.normal(0, 1, (items, coders)), rng.normal(0, 10, kept.shape))
    if distinct is not None:
        # every value occurs, evenly spread
        out = 1.0 + np.argsort(np.argsort(out, axis=None)) * distinct // out.size
        out = out.reshape(items, coders).astype(np.float64)
    out.flags.writeable = False
    return out


@lru_cache(maxsize=1)
def wide_ids(items, coders=3, distinct=1000):
    """Labels that are large ids, int64: 0, 1, ... of many, spread over 10^12."""
    rng = np.random.default_rng([2026, items, coders, distinct])
    codes = np.where(
        rng.random((items, coders), np.float32) < KEPT,
        rng.integers(0, distinct, (items, 1)),
        rng.integers(0, distinct, (items, coders)),
    )
    ids = np.unique(rng.integers(0, 10**12, distinct))
    rng.shuffle(ids)
    out = ids[codes % len(ids)]
    out.flags.writeable = False
    return out


@lru_cache(maxsize=1)
def crowd(items, coders=10_000, each=5, dtype="int64", shuffled=False):
    """Judgments of `each` of many coders on every item: items, coders, labels."""
    rng = np.random.default_rng([2026, items, coders, each])
    # distinct coders of an item: one from each of `each` equal parts of all
    part = coders // each
    coder = rng.integers(0, part, (items, each)) + part * np.arange(each)
    columns = (
        np.repeat(np.arange(items), each),
        coder.reshape(-1),
        table(items, each, 5, 0.0).reshape(-1),
    )
    order = rng.permutation(items * each) if shuffled else slice(None)
    return tuple(np.ascontiguousarray(column[order], dtype=dtype) for column in columns)


@lru_cache(maxsize=1)
def zipf(judgments, coders=50_000, shuffled=True):
    """Judgments of 4.3 coders an item; the coders' shares follow Zipf's law. Int64 columns."""
    rng = np.random.default_rng([2026, judgments, coders])
    items = judgments * 10 // 43
    share = 1 / np.arange(1, coders + 1)
    drawn = judgments + judgments // 3
    coder = rng.choice(rng.permutation(coders), drawn, p=share / share.sum())
    pairs = np.unique(rng.integers(0, items, drawn) * coders + coder)
    pairs = rng.permutation(pairs)[:judgments]
    if not shuffled:
        pairs.sort()
    item, coder = np.divmod(pairs, coders)
    label = (rng.integers(0, 5, items)[item] + (rng.random(len(item)) < 0.3)) % 5
    return item, coder, label


@lru_cache(maxsize=1)
def distance_matrix(categories):
    """A matrix of the distances of points in a plane: no position on a line gives them."""
    places = np.random.default_rng(2026).normal(size=(categories, 2))
    return np.sqrt(((places[:, None] - places[None]) ** 2).sum(2))


def bytes_of(data):
    """The number of bytes of arrays, data frames and their columns."""
    if isinstance(data, np.ndarray):
        return [data.reshape(-1).view(np.uint8)] if data.flags.c_contiguous else [data]
    import pyarrow as pa

    if hasattr(data, "to_arrow"):  # polars
        data = data.to_arrow()
    elif not isinstance(data, pa.Table):
        data = pa.Table.from_pandas(data)
    return [
        np.frombuffer(buffer, np.uint8)
        for column in data.columns
        for chunk in column.chunks
        for buffer in chunk.buffers()
        if buffer is not None and buffer.size
    ]


def read(*parts):
    """Read every byte once, at the speed of C."""
    for part in parts:
        part.max()


def hand_over(iterables):
    """Read every Python object once, at the speed of C."""
    from collections import deque
    from itertools import chain

    deque(chain.from_iterable(iterables), maxlen=0)
