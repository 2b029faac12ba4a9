"""What the numbers and pairs of a table show: counts, contingency tables, one judgment a row."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.patterns import group_equal
from agreement_fast.reading.recognition.profile import Column

#: Chance explains what is observed with e^-DOUBT at most.
DOUBT = 7.0
#: Chance with which guesses explain that columns vary against each other as much.
AGAINST = 1e-3
#: An odd number whose powers spread over 64 bits.
MIXED = np.uint64(0x9E3779B97F4A7C15)
#: Chance explains that two columns mirror each other with e^-MIRRORED at most: five rows do.
MIRRORED = math.log(math.factorial(5)) - 1e-9
#: Counts are below this number.
LARGEST = 2.0**40
#: With fewer rows, nothing shows that columns vary against each other.
FEWEST = 8
_PERCENT = re.compile(r"[0-9]+([.,][0-9]+)?\s*%")
#: In fewer rows, labels may form all pairs.
CROSSED = 8


def whole_numbers(columns: Sequence[Column]) -> Array | None:
    """Return columns of whole numbers from 0 as a table; None if they hold anything else."""
    if not all(column.whole and column.complete and column.low >= 0 for column in columns):
        return None
    table = np.column_stack([column.floats for column in columns])
    return table if not np.isnan(table).any() and table.max() < LARGEST else None


def are_shares(columns: Sequence[Column]) -> bool:
    """Return whether all cells are percentages, and each row has 100% but for rounding."""
    written = [_PERCENT.fullmatch(str(value)) for column in columns for value in column.values]
    if not written or None in written:
        return False
    percent = [[float(str(x).rstrip("% ").replace(",", ".")) for x in c.values] for c in columns]
    table = np.column_stack(
        [np.array([*of, 0])[c.codes] for of, c in zip(percent, columns, strict=True)]
    )
    return bool((np.abs(table.sum(axis=1) - 100) <= len(columns) / 2).all())


def may_be_square_counts(table: Array) -> bool:
    """Return whether a square table of whole numbers may hold counts of two coders' labels.

    Zeros and ones, or ones and twos, are labels.
    """
    if table.shape[0] != table.shape[1]:
        return False
    return not any(np.isin(table, pair).all() for pair in ((0, 1), (1, 2)))


def are_counts(table: Array) -> str | None:
    """Return why whole numbers look like counts of categories; None if they may be labels."""
    if _sums_are_equal(table) or _mirrored(table):
        sums, often = np.unique(table.sum(axis=1), return_counts=True)
        return f"its rows add to {sums[often.argmax()]:.0f}"
    return "its columns vary against each other" if _vary_against(table) else None


def _vary_against(table: Array) -> bool:
    """Return whether a row is large in one column because it is small in others.

    The labels of an item vary together, or independently if coders guess. Then the variance of the
    sums of rows is at least the sum of the variances of columns, and their ratio is distributed
    like χ² / (rows − 1). Counts have zeros, but no row of them.
    """
    rows, width = table.shape
    each = float(table.var(axis=0).sum())
    if rows < FEWEST or each == 0 or (table == 0).mean() < 1 / width / 2:
        return False
    if not table.any(axis=1).all():
        return False
    from scipy.special import gammainc

    freedom = (rows - 1) / 2
    ratio = float(table.sum(axis=1).var()) / each
    return bool(gammainc(freedom, freedom * ratio) < AGAINST)


def _sums_are_equal(table: Array) -> bool:
    """Return whether (nearly) all rows have one sum, which is unlikely for labels.

    The most frequent row is left out: coders who agree on one category repeat it, too.
    """
    every, shares = np.unique(table.sum(axis=1), return_counts=True)
    if every[shares.argmax()] < 1 or shares.max() < 0.95 * len(table):
        return False
    # Compare one number for each row: sorting rows themselves takes ten times as long.
    with np.errstate(over="ignore"):
        powers = MIXED ** np.arange(table.shape[1], dtype=np.uint64)
        _, first, counts = np.unique(
            (table.astype(np.uint64) * powers).sum(axis=1), return_index=True, return_counts=True
        )
    counts_used = table[first]
    rows = np.delete(counts_used, counts.argmax(), axis=0)
    often = np.delete(counts, counts.argmax())
    if not len(rows):
        return False
    sums, place = np.unique(rows.sum(axis=1), return_inverse=True)
    share = np.bincount(place, often)
    usual = float(sums[share.argmax()])
    if usual < 1 or counts_used[counts.argmax()].sum() != usual or share.max() < 0.95 * often.sum():
        return False
    spread = math.sqrt(2 * math.pi * (float(table.var(axis=0).sum()) + 1 / 12))
    return float(share.max()) * math.log(max(spread, 1.0)) >= DOUBT


def _mirrored(table: Array) -> bool:
    """Return whether all rows of two columns have one sum, which guesses in any order do rarely.

    Agreement on the middle of a scale is left out if no other row is as frequent.
    """
    if table.shape[1] != 2 or not len(table) or np.ptp(table.sum(axis=1)):
        return False
    values, counts = np.unique(table[:, 0], return_counts=True)
    if values[counts.argmax()] == table[0].sum() / 2:
        counts = np.delete(counts, counts.argmax())
    ways = math.lgamma(counts.sum() + 1) - sum(math.lgamma(n + 1) for n in counts.tolist())
    return ways >= MIRRORED


def order_of_triples(columns: Sequence[Column], n_rows: int) -> tuple[int, int, int] | None:
    """Return which of three columns hold the item, the coder and the label of a judgment.

    Two of the columns repeat their values, but almost never a pair of them. None if the columns
    may be the labels of three coders.
    """
    if len(columns) != 3:
        return None
    evidence = {
        pair: -1.0
        if any(not all(float(x).is_integer() for x in columns[i].scale) for i in pair)
        else _evidence(columns[pair[0]].codes, columns[pair[1]].codes)
        for pair in combinations(range(3), 2)
    }
    pair, best = max(evidence.items(), key=lambda item: item[1])
    values = [set(column.values) for column in columns]
    apart = len(set().union(*values)) == sum(map(len, values))
    if best < DOUBT and not (apart and best > 0.5 and n_rows >= 4):
        pairs = [both for both in evidence if _are_crossed(*(columns[i] for i in both))]
        if len(pairs) != 1:
            return None
        pair = pairs[0]
    coder, item = sorted(pair, key=lambda i: columns[i].distinct)
    return item, coder, 3 - item - coder


def _are_crossed(first: Column, second: Column) -> bool:
    """Return whether each value of one column stands in a run, with each of the other's once."""
    sizes, n = (first.distinct, second.distinct), len(first.codes)
    if n < CROSSED or min(sizes) < 2 or sizes[0] * sizes[1] != n:
        return False
    runs = [1 + np.count_nonzero(np.diff(column.codes)) for column in (first, second)]
    pairs = first.codes.astype(np.int64) * n + second.codes
    return any(map(operator.eq, runs, sizes)) and len(np.unique(pairs)) == n


def _evidence(first: Array, second: Array) -> float:
    """Return x such that chance explains the few repeated pairs of two columns with e^-x.

    Negative if they repeat about as often as by chance (Chernoff's bound for a Poisson variable).
    """
    pairs = first * (int(second.max(initial=0)) + 2) + second
    expected = _ties(first) * _ties(second) / max(math.comb(len(pairs), 2), 1)
    observed = _ties(pairs)
    if not observed:
        return expected
    if observed > expected / 10:
        return -1.0
    return expected - observed + observed * math.log(observed / expected)


def _ties(codes: Array) -> int:
    """Return the number of pairs of rows with the same value."""
    counts = np.bincount(group_equal(codes)[0])
    return int((counts * (counts - 1) // 2).sum())
