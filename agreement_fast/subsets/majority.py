"""The majority reference over all subsets of coders at once, from the items' counts alone."""

from __future__ import annotations

import numpy as np

from agreement_fast._kernels import _majority
from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError
from agreement_fast.patterns import counts_of, group_equal
from agreement_fast.sums import routes

TIES = ("change", "first", "fractional", "median")

#: The most judgments of one item; for larger n, 2ⁿ does not fit a float.
MOST_JUDGMENTS = 1000

#: The most cells of counts, rows × categories, that are held at a time.
CELLS = 1 << 22


def distinct_counts(annotations: Annotations) -> tuple[Array, Array, int]:
    """Return distinct rows of n_ik with a judgment, their weights, and the weight of empty rows."""
    rows, K = routes.choose(annotations), len(annotations.labels)
    found: list[Array] = []
    weights: list[Array] = []
    step = max(1, CELLS // max(K, 1))
    for first in range(0, rows.n_rows, step):
        block = range(first, min(first + step, rows.n_rows))
        table = counts_of(rows, block, K).astype(np.int64)
        weight = np.ones(len(block), np.int64) if rows.weights is None else rows.weights[block]
        found.append(table)
        weights.append(weight)
        found, weights = _grouped(np.concatenate(found), np.concatenate(weights))
    if not found:
        return np.zeros((0, K), np.int64), np.zeros(0, np.int64), 0
    table, weight = found[0], weights[0]
    judged = table.any(1)
    return table[judged], weight[judged], int(weight[~judged].sum())


def _grouped(table: Array, weights: Array) -> tuple[list[Array], list[Array]]:
    if not table.shape[1]:
        return [table[:1]], [weights.sum(keepdims=True)]
    group, first = group_equal(table)
    sums = np.zeros(len(first), np.int64)
    np.add.at(sums, group, weights)
    return [table[first]], [sums]


def means(
    counts: Array,
    weights: Array,
    ties: str,
    sizes: Array,
    n_coders: int,
    truth: Array | None = None,
) -> tuple[FloatArray, FloatArray]:
    """Return the mean shares of changed and of unjudged items for each size.

    A change is a difference from the reference of all coders, or from `truth`, which marks one
    category of each row.
    """
    changed, unjudged = np.zeros(len(sizes)), np.zeros(len(sizes))
    total = float(weights.sum())
    if not total:
        return changed + np.nan, unjudged + np.nan
    n_judgments = counts.sum(1)
    if n_judgments.max() > MOST_JUDGMENTS:
        raise InputError(
            f"an item has {n_judgments.max()} judgments, more than {MOST_JUDGMENTS}",
            "select fewer coders",
        )
    for n in np.unique(n_judgments).tolist():
        same_size = n_judgments == n
        # The probability that m of its n judges are in the subset, (S, n + 1).
        # P(m of n marked are among s of C), from its ratios about the mode; rows add to 1
        chance = np.zeros((len(sizes), n + 1))
        m = np.arange(n, dtype=np.float64)
        for i, s in enumerate(sizes.tolist()):
            low, high = max(0, s - (n_coders - n)), min(n, s)
            steps = m[low:high]
            ratio = (n - steps) * (s - steps) / ((steps + 1) * (n_coders - n - s + steps + 1))
            mode = int(np.count_nonzero(ratio > 1))
            terms = np.ones(high - low + 1)
            terms[mode + 1 :] = np.cumprod(ratio[mode:])
            terms[:mode] = np.cumprod(1 / ratio[:mode][::-1])[::-1]
            chance[i, low : high + 1] = terms / terms.sum()
        rows, weight = counts[same_size], weights[same_size]
        requested = tied_categories(rows) if truth is None else truth[same_size]
        moved = _moved_sets(rows, weight, requested, ties, n) / (total * _binomials(n)[n])
        changed += chance @ moved
        unjudged += chance[:, 0] * (float(weight.sum()) / total)
    # All coders give exactly the reference of all coders, without rounding errors.
    if truth is None:
        changed[sizes == n_coders] = 0.0
    return changed, unjudged


def _binomials(n: int) -> FloatArray:
    """Return C(a, b) for a, b = 0 .. n; exact up to n = 53."""
    table = np.zeros((n + 1, n + 1))
    table[:, 0] = 1.0
    for a in range(1, n + 1):
        table[a, 1:] = table[a - 1, 1:] + table[a - 1, :-1]
    return table


def _moved_sets(counts: Array, weights: Array, tied: Array, ties: str, n: int) -> FloatArray:
    """Return the weighted number of sets of m of n judgments whose reference differs: (n + 1,).

    Rows are processed in pieces, so that Ctrl-C works.
    """
    total = np.zeros(n + 1)
    binomial = _binomials(n)
    step = max(1, (1 << 24) // (n**3 + 1))
    for first in range(0, len(counts), step):
        rows, tops = counts[first : first + step], tied[first : first + step]
        weight = weights[first : first + step].astype(np.float64)
        out = np.zeros((len(rows), n + 1))
        if ties == "fractional":
            inside = int(tops.sum(1).max())
            outside = int(((rows > 0) & ~tops).sum(1).max())
            room = np.empty((2, inside + 2, outside + 2, n + 1))
            _majority.moved_fractions(rows, tops.view(np.uint8), binomial, room, out)
            out[:, 0] = 1.0
        else:
            chosen = first_reference(rows, tops, ties)
            at = np.arange(rows.shape[1])
            if ties == "change":
                roles = tops.astype(np.uint8)
            else:
                roles = (at == chosen[:, None]).astype(np.uint8)
                if ties == "first":
                    roles[at > chosen[:, None]] = 2
            _majority.same_exactly(rows, roles, binomial, np.empty((2, n + 1)), out)
            if ties == "median":
                _majority.same_median(rows, chosen, binomial, np.empty((3, 3, n + 1)), out)
            out = binomial[n] - out
        total += weight @ out
    return total


def tied_categories(counts: Array) -> Array:
    """Mark the most frequent categories of each row: bool, of the shape of the counts."""
    top = np.asarray(counts.max(-1, keepdims=True, initial=0))
    return np.asarray((counts == top) & (top > 0))


def first_reference(counts: Array, tied: Array, ties: str) -> Array:
    """Choose one category of each row by `ties`: "first", or "median" of the judgments."""
    first: Array = tied.argmax(-1).astype(np.int64)
    if ties != "median":
        return first
    up_to = np.cumsum(counts, -1)
    middle = (2 * up_to >= up_to[..., -1:]).argmax(-1)
    out: Array = np.where(tied.sum(-1) > 1, middle, first).astype(np.int64)
    return out
