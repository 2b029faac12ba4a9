"""The gain of each special case of the kernels on realistic data: time with it and without it.

    python benchmarks/gains.py [name ...]

Each case is switched off by its named constant, or replaced by the general function. Both ways read
a fresh array and give the same coefficient, on one thread. A case that is less than 1.3 times as
fast on every shape in the list should be deleted.
"""

import contextlib
import math
import sys
import time
from unittest import mock

import numpy as np

import agreement_fast as af
from agreement_fast import patterns as rows
from agreement_fast._kernels import _encode, _patterns, parallel
from agreement_fast.distances.sums import rows as summed_rows
from agreement_fast.distances.sums.categories import CategorySums
from agreement_fast.reading import kept_moments, wide

MILLION = 1_000_000


def table(n_items, n_coders, n_categories, skewed=False, missing=0.0, seed=0):
    """Codes that agree in six of ten; `skewed`: 19 of 20 are in one category."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, n_categories, (n_items, 1))
    if skewed:
        true = np.where(rng.random(true.shape) < 0.95, 0, true)
    own = rng.integers(0, n_categories, (n_items, n_coders))
    noise = 0.02 if skewed else 0.4
    codes = np.where(rng.random(own.shape) < noise, own, true)
    codes[rng.random(codes.shape) < missing] = -1
    return codes.astype(np.int8 if n_categories <= 127 else np.int32)


def alpha(data):
    """Read an array and compute α."""
    return af.Annotations.from_wide(data, missing=-1, copy=False)


def general_keys(table, weights, low, n_states):
    """`rows.key_histogram` by the kernel that takes any layout and weights, one row a key."""
    bits = rows.key_bits(n_states, table.shape[1])
    if bits is None or table.dtype != np.int8 or len(table) < rows.FEW_ROWS:
        return None
    histogram = np.zeros((1, 1 << bits * table.shape[1]), np.int64)
    _patterns.count_keys(table, weights, low, bits, histogram)
    keys = np.flatnonzero(histogram[0])
    digits = (keys[:, None] >> (bits * np.arange(table.shape[1]))) & ((1 << bits) - 1)
    return digits, histogram[0][keys]


def narrow_integers_by_numpy(values, out):
    low, high = int(values.min()), int(values.max())
    if low < -128 or high > 127:
        return False, 0, 0
    out[:] = values
    return True, low, high


def narrow_floats_by_numpy(values, nan_as, out):
    absent = np.isnan(values)
    filled = np.where(absent, nan_as, values)
    if not (np.rint(filled) == filled).all() or filled.min() < -128 or filled.max() > 127:
        return False, False, False
    out[:] = filled
    return True, bool(absent.any()), bool((values == nan_as).any())


def by_gathering(sums, form):
    """Disagreement from the distinct labels of each row, as for other distances."""
    return [math.fsum(parts) for parts in zip(*sums._by_rows(form), strict=True)]


def floats(codes):
    return np.where(codes < 0, np.nan, codes.astype(np.float64))


def value(data):
    return af.alpha(alpha(data)).value


def interval(data):
    return af.alpha(alpha(data), "interval").value


def from_long(columns):
    item, coder, label = columns
    return af.alpha(af.Annotations.from_long(item, coder, label)).value


def long(n_items, n_coders, judgments, n_categories=5, seed=0):
    rng = np.random.default_rng(seed)
    item = rng.integers(0, n_items, judgments).astype(np.int32)
    coder = rng.integers(0, n_coders, judgments).astype(np.int32)
    keep = np.unique(item.astype(np.int64) * n_coders + coder, return_index=True)[1]
    keep = rng.permutation(keep)
    return item[keep], coder[keep], rng.integers(0, n_categories, len(keep)).astype(np.int8)


NO_HISTOGRAM = (rows, "HISTOGRAM_BITS", 0)
SINGLE = (parallel, "available", lambda: 1)

#: name: (the call, the data, how to switch the case off)
CASES = {
    "keys: histogram of rows, 1M×5×5": (value, lambda: table(MILLION, 5, 5), [NO_HISTOGRAM]),
    "keys: histogram of rows, 1M×2×5": (value, lambda: table(MILLION, 2, 5), [NO_HISTOGRAM]),
    "keys: from how many rows, 4,096×5×5": (value, lambda: table(4096, 5, 5), [NO_HISTOGRAM]),
    "keys: from how many rows, 20,000×5×5": (value, lambda: table(20_000, 5, 5), [NO_HISTOGRAM]),
    "af_count_bytes, 1M×5×5": (
        value, lambda: table(MILLION, 5, 5), [(wide, "key_histogram", general_keys)],
    ),
    "af_count_bytes, 1M×3×20": (
        value, lambda: table(MILLION, 3, 20), [(wide, "key_histogram", general_keys)],
    ),
    "af_count_columns, 1M×5×5 Fortran": (
        value, lambda: np.asfortranarray(table(MILLION, 5, 5)),
        [(wide, "key_histogram", general_keys)],
    ),
    "rows beside each other, 1M×2×3": (
        value, lambda: table(MILLION, 2, 3), [(rows, "BESIDE_BITS", 0)],
    ),
    "rows beside each other, 1M×2×3 Fortran": (
        value, lambda: np.asfortranarray(table(MILLION, 2, 3)), [(rows, "BESIDE_BITS", 0)],
    ),
    "four histograms, 1M×2×50 skewed": (
        value, lambda: table(MILLION, 2, 50, skewed=True), [(rows, "SIDE_BITS", 0)],
    ),
    "four histograms, 1M×3×5 skewed": (
        value, lambda: table(MILLION, 3, 5, skewed=True), [(rows, "SIDE_BITS", 0)],
    ),
    "counts: hash of counts, 1M×14×5": (
        interval, lambda: table(MILLION, 14, 5), [(summed_rows, "FEW", 1 << 60)],
    ),
    "counts: hash of counts, 1M×25×5": (
        interval, lambda: table(MILLION, 25, 5, missing=0.3), [(summed_rows, "FEW", 1 << 60)],
    ),
    "counts: second hash table, 1M×25×5": (
        interval, lambda: table(MILLION, 25, 5, missing=0.3), [(kept_moments, "SLOTS", (1 << 13,))],
    ),
    "counts: from how many rows, 20,000×25×5": (
        interval, lambda: table(20_000, 25, 5), [(summed_rows, "FEW", 1 << 60)],
    ),
    "af_narrow_double, 1M×5×5 floats": (
        value, lambda: floats(table(MILLION, 5, 5, missing=0.1)),
        [(_encode, "narrow_floats", narrow_floats_by_numpy)],
    ),
    "af_narrow_int64, 1M×5×5": (
        value, lambda: table(MILLION, 5, 5).astype(np.int64),
        [(_encode, "narrow_integers", narrow_integers_by_numpy)],
    ),
    "af_compare_int8: equal pairs by comparing columns, 1M×8×20": (
        value, lambda: table(MILLION, 8, 20), [(CategorySums, "disagreement", by_gathering)],
    ),
    "af_compare_int8: equal pairs by comparing columns, 1M×3×50": (
        value, lambda: table(MILLION, 3, 50), [(CategorySums, "disagreement", by_gathering)],
    ),
    "keys: from how many rows, 8,192×2×5": (value, lambda: table(8192, 2, 5), [NO_HISTOGRAM]),
    "keys: from how many rows, 8,192×3×5": (value, lambda: table(8192, 3, 5), [NO_HISTOGRAM]),
    "keys: from how many rows, 4,096×2×5": (value, lambda: table(4096, 2, 5), [NO_HISTOGRAM]),
    "keys: from how many rows, 33,000×5×5": (value, lambda: table(33_000, 5, 5), [NO_HISTOGRAM]),
    "keys: from how many rows, 70,000×5×5": (value, lambda: table(70_000, 5, 5), [NO_HISTOGRAM]),
    "keys: from how many rows, 33,000×2×100": (
        value, lambda: table(33_000, 2, 100), [NO_HISTOGRAM],
    ),
    "ITEM_BITS: judgments sorted in buckets, 5M of a million items": (
        from_long, lambda: long(MILLION, 10_000, 5 * MILLION), [(rows, "ITEM_BITS", 20)],
    ),
}  # fmt: skip


def least_times(work, data, patches, repeat=15):
    """The least processor time with and without the special case, taken in turn on fresh copies."""
    taken, result = ([], []), [None, None]
    for _ in range(repeat):
        for side, off in enumerate(([], patches)):
            fresh = data.copy(order="K") if isinstance(data, np.ndarray) else data
            with contextlib.ExitStack() as stack:
                for patch in (SINGLE, *off):
                    stack.enter_context(mock.patch.object(*patch))
                begin = time.process_time()
                result[side] = work(fresh)
                taken[side].append(time.process_time() - begin)
    np.testing.assert_allclose(*result, rtol=1e-12)
    return min(taken[0]), min(taken[1])


def main(words):
    print(f"{'special case':58s} {'with':>8s} {'without':>8s}   gain   (ms, least of 15)")
    for name, (work, make, patches) in CASES.items():
        if not words or any(word in name for word in words):
            fast, slow = least_times(work, make(), patches)
            print(f"{name:58s} {fast * 1e3:8.2f} {slow * 1e3:8.2f} {slow / fast:6.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
