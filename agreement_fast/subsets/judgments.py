"""Sums over the judgments of each coder, and of all others: one pass for all coders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from agreement_fast._kernels import _majority
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray, ratio
from agreement_fast.chance import beyond_chance
from agreement_fast.distances import check_symmetric, resolve
from agreement_fast.distances.forms import Form
from agreement_fast.errors import InputError
from agreement_fast.patterns import as_lists, counts_of, group_equal
from agreement_fast.results import NO_PAIRS, NO_VARIATION
from agreement_fast.sums import routes
from agreement_fast.tables import Aligned
from agreement_fast.terminal import align, show_label

if TYPE_CHECKING:
    from scipy.sparse import csr_array


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
    return np.asarray(np.where(tied.sum(-1) > 1, middle, first).astype(np.int64))


#: The most numbers that are held at a time.
ROOM = 1 << 21

#: The most categories for which an item's judgments are counted rather than compared in pairs.
FEW_CATEGORIES = 256


class Judgments:
    """The judgments one after the other, row by row.

    Attributes
    ----------
    names : tuple of C coders
    sizes : int64 array of shape (U,)
        The number of judgments of each row.
    weights : int64 array of shape (U,)
        The number of items that each row stands for.
    codes, coders, row : arrays of shape (n,)
        Category, coder and row of each judgment.
    """

    def __init__(self, annotations: Annotations) -> None:
        self.names = tuple(annotations.known_coders("a study of each coder"))
        self.n_categories = len(annotations.labels)
        lists = as_lists(annotations.grouped())
        self.start = lists.start
        self.codes = lists.codes
        self.coders = cast(Array, lists.coders)
        self.sizes: Array = np.diff(lists.start)
        self.row: Array = np.repeat(np.arange(len(self.sizes)), self.sizes)
        ones = np.ones(len(self.sizes), np.int64)
        self.weights: Array = ones if lists.weights is None else lists.weights

    def by_coder(self, of_row: Array) -> Array:
        """Return Σ over a coder's rows of the weight times a number of each row: (C,)."""
        return self._gathered(self.weights * of_row)

    def all_less(self, of_row: Array) -> Array:
        """Return Σ over the rows that a coder did not judge of the weight times a number: (C,).

        The sum is exact for whole numbers. For others it is 0 if the coder judged all that count.
        """
        each = self.weights * of_row
        out = each.sum() - self._gathered(each)
        if each.dtype.kind == "f":
            counts = each != 0
            out[counts.sum() - self._gathered(counts.astype(np.int64)) == 0] = 0.0
        return np.asarray(out)

    def _gathered(self, each: Array) -> Array:
        out = np.zeros(len(self.names), each.dtype)
        np.add.at(out, self.coders, each[self.row])
        return out

    def _blocks(self, row_numbers: int) -> Iterator[tuple[int, int]]:
        """Yield runs of rows that fit `ROOM`, given the numbers for each row."""
        step = max(1, ROOM // max(row_numbers, 1))
        for first in range(0, len(self.sizes), step):
            yield first, min(first + step, len(self.sizes))

    def counts(self, first: int, last: int) -> FloatArray:
        """n_ik of some rows: float64 (last - first, K)."""
        begin, end = self.start[first], self.start[last]
        cells = (self.row[begin:end] - first) * self.n_categories + self.codes[begin:end]
        counts = np.bincount(cells, minlength=(last - first) * self.n_categories)
        return counts.astype(np.float64).reshape(last - first, self.n_categories)

    # ------------------------------------------------------------------ observed disagreement

    def disagreement(
        self, to_others: FloatArray, before: FloatArray, after: FloatArray
    ) -> FloatArray:
        """Σ over rows of weight · factor · Σ_jl n_ij n_il d_jl without each coder: (C,).

        `before` are the rows' factors with all their judgments, `after` without one.
        """
        whole = np.add.reduceat(np.append(to_others, 0.0), self.start[:-1]) * (self.sizes > 0)
        rest = np.maximum(whole[self.row] - 2.0 * to_others, 0.0)
        kept = np.zeros(len(self.names))
        np.add.at(kept, self.coders, (self.weights * after)[self.row] * rest)
        return np.asarray(self.all_less(before * whole) + kept)

    def to_others(self, form: Form) -> FloatArray:
        """The sum of the distances of each judgment to the others of its row: (n,)."""
        out = np.zeros(len(self.codes))
        if self.n_categories <= FEW_CATEGORIES:
            for first, last in self._blocks(self.n_categories):
                begin, end = self.start[first], self.start[last]
                sums = form.times(self.counts(first, last))
                out[begin:end] = sums[self.row[begin:end] - first, self.codes[begin:end]]
            return out
        for size in np.unique(self.sizes[self.sizes > 1]).tolist():
            rows = np.flatnonzero(self.sizes == size)
            step, width = max(1, ROOM // size**2), max(1, min(size, ROOM // size))
            for first in range(0, len(rows), step):
                places = self.start[rows[first : first + step], None] + np.arange(size)
                said = self.codes[places]
                for left in range(0, size, width):
                    some = said[:, left : left + width]
                    apart = form.between(some[:, :, None], said[:, None, :])
                    out[places[:, left : left + width]] = apart.sum(-1)
        return out

    # ------------------------------------------------------------------ marginals

    @cached_property
    def _labels(self) -> csr_array:
        """Rows × categories, n_ik."""
        from scipy.sparse import csr_array

        shape = (len(self.sizes), self.n_categories)
        ones = np.ones(len(self.codes), np.int64)
        table = csr_array((ones, self.codes.astype(np.int32), self.start.copy()), shape=shape)
        table.sum_duplicates()  # in place
        return table

    def _own(self, of_row: Array) -> Array:
        """Σ over the coder's judgments of each category of a number of the row: (C, K)."""
        out = np.zeros((len(self.names), self.n_categories), of_row.dtype)
        np.add.at(out, (self.coders, self.codes), of_row[self.row])
        return out

    def _met(self, of_row: Array) -> Array:
        """Σ over the coder's rows of a number of the row times n_ik: (C, K)."""
        from scipy.sparse import csr_array

        shape = (len(self.sizes), len(self.names))
        judged = csr_array((of_row[self.row], self.coders, self.start), shape=shape)
        return np.asarray((judged.T @ self._labels).toarray())

    def _without(self, before: Array, after: Array) -> Array:
        """Σ over rows of factor · n_ik without each coder: (C, K)."""
        total = before @ self._labels
        met = self._met(after - before)
        return np.asarray(total[None, :] + met - self._own(after))

    def counts_of_others(self, least: int) -> Array:
        """n_k without each coder, over items with `least` judgments left: int64 (C, K)."""
        before = self.weights * (self.sizes >= least)
        return self._without(before, self.weights * (self.sizes - 1 >= least))

    def shares_of_others(self, before: FloatArray, after: FloatArray) -> FloatArray:
        """Σ over rows of factor · n_ik, the rows' factors with and without a judgment: (C, K)."""
        return self._without(self.weights * before, self.weights * after)

    def coder_counts(self, least: int) -> Array:
        """n_ck over the items with `least` judgments: int64 (C, K)."""
        return self._own(self.weights * (self.sizes >= least))

    def used_by_others(self) -> npt.NDArray[np.bool_]:
        """Whether a category occurs without each coder, in items of any weight: (C, K)."""
        own = self._own(np.ones(len(self.sizes), np.int64))
        return np.asarray(own.sum(0) - own > 0)


def own_and_rest(said: Judgments) -> tuple[FloatArray, FloatArray, Array]:
    """Marginals of each coder and of the others, over the items that both judged.

    Σ over the coder's items with two judgments or more of the judgment's indicator, and of the
    others' shares, (C, K) each; and how many such items there are, (C,).
    """
    paired = said.weights * (said.sizes > 1)
    share = paired / np.maximum(said.sizes - 1, 1)
    own = said._own(paired).astype(np.float64)
    rest = said._met(share) - said._own(share)
    # Categories that nobody else used for these items are exactly 0, without rounding errors.
    rest[said._met(paired) - said._own(paired) == 0] = 0.0
    return own, rest, said.by_coder((said.sizes > 1).astype(np.int64))


def pair_tables(said: Judgments, before: FloatArray, after: FloatArray) -> FloatArray:
    """Σ over rows of weight · factor · n_ij n_il without each coder: (C, K, K)."""
    K, C = said.n_categories, len(said.names)
    from scipy.sparse import csr_array

    total, less = np.zeros((K, K)), np.zeros((C, K * K))
    for first, last in said._blocks(K * K * (1 + int(said.sizes.max(initial=0)))):
        counts = said.counts(first, last)
        begin, end = said.start[first], said.start[last]
        row, code = said.row[begin:end], said.codes[begin:end]
        weighted = counts * (said.weights * before)[first:last, None]
        total += counts.T @ weighted
        # what the row gave before, and what it gives without the judgment
        rest = counts[row - first]
        old = rest[:, :, None] * weighted[row - first][:, None, :]
        rest[np.arange(end - begin), code] -= 1
        scale = (said.weights * after)[row]
        new = rest[:, :, None] * (rest * scale[:, None])[:, None, :]
        who = csr_array(
            (np.ones(end - begin), (said.coders[begin:end], np.arange(end - begin))),
            shape=(C, end - begin),
        )
        less += who @ (old - new).reshape(end - begin, K * K)
    np.subtract(total.reshape(-1), less, out=less)
    return less.reshape(C, K, K)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AgainstRest(Aligned):
    """The agreement of each coder with the others.

    Attributes
    ----------
    distance : str
        Name of the distance.
    coders : tuple
        Names of the coders.
    value, observed_disagreement, expected_disagreement : float64 arrays of shape (C,)
        1 − D_o / D_e, D_o and D_e; NaN if undefined.
    n_items : int64 array of shape (C,)
        Items that the coder and at least one other judged, weights counted.
    undefined : tuple of C str or None
        Why there is no value.
    """

    distance: str
    coders: tuple[Any, ...]
    value: FloatArray
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray
    n_items: Array
    undefined: tuple[str | None, ...]

    _column_names = (
        "coder=coders distance value observed_disagreement expected_disagreement n_items undefined"
    )

    def __repr__(self) -> str:
        known = self.value[~np.isnan(self.value)]
        low, high = (known.min(), known.max()) if len(known) else (np.nan, np.nan)
        return (
            f"<each of {len(self.coders)} coders against the others ({self.distance}): "
            f"{low:.6g} to {high:.6g}>"
        )

    def __str__(self) -> str:
        """List the coders; the one who agrees least comes first."""
        rows = [
            (
                show_label(self.coders[c]),
                f"{self.value[c]:.4f}",
                f"{self.observed_disagreement[c]:.4f}",
                f"{self.expected_disagreement[c]:.4f}",
                str(self.n_items[c]),
            )
            for c in np.argsort(self.value, kind="stable").tolist()
        ]
        head = ("coder", "value", "D_o", "D_e", "items")
        return "\n".join(align(head, rows, "<>>>>", indent=""))


def one_against_rest(data: Any, distance: Any = "nominal") -> AgainstRest:
    """Compute how far each coder agrees with the others, beyond chance.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Coders must be known.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`. The ordinal distance is that
        of all coders' marginals.

    Returns
    -------
    AgainstRest
        A value for each coder.

    Raises
    ------
    ValueError
        If coders are unknown, or the distance does not fit the labels or is not symmetric.

    Notes
    -----
    Over the items that coder c and at least one other coder judged, with the label x_ic of c, and
    n'_il judgments l by the n'_i others:

    - D_o = mean over these items of Σ_l n'_il d(x_ic, l) / n'_i,
    - D_e = Σ_jl P(j) Q(l) d_jl, P the shares of c's judgments, Q the mean of n'_il / n'_i.

    With complete data and the nominal distance this is Schouten's (1982) agreement of one observer
    with the group: (Ō − Ē) / (1 − Ē), where Ō and Ē are the means of Cohen's observed and expected
    agreement over the others. The means of D_o and of D_e over the coders are then those of multi-κ
    (or β), which is therefore the mean of these values weighted by D_e.

    O(Σ_i n_i r_i) for n_i judgments and r_i labels of an item, for all coders together.

    References
    ----------
    Schouten, H. J. A. (1982). Measuring pairwise interobserver agreement when all subjects are
    judged by the same observers. Statistica Neerlandica 36, 45–61.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import subsets
    >>> table = [["x", "x", "x"], ["y", "y", "x"], ["x", "x", "y"], ["y", "y", "y"]]
    >>> data = af.Annotations.from_wide(table, coders=["Ann", "Bea", "Cid"])
    >>> subsets.one_against_rest(data).value.tolist()
    [0.5, 0.5, 0.0]
    """
    annotations = as_annotations(data)
    annotations.known_coders("one_against_rest()")
    resolved = resolve(distance)
    check_symmetric(resolved)
    said = Judgments(annotations)
    counts: FloatArray | None = None
    if resolved.ranks:
        pairable = ((said.sizes > 1) * said.weights).astype(np.float64)
        counts = np.zeros(said.n_categories)
        np.add.at(counts, said.codes, pairable[said.row])
    form = resolved.bind(annotations.labels, annotations.declared, counts)
    own, rest, n_items = own_and_rest(said)
    sums = np.zeros(len(said.names))
    share = said.weights * (said.sizes > 1) / np.maximum(said.sizes - 1, 1)
    np.add.at(sums, said.coders, share[said.row] * said.to_others(form))
    items = n_items.astype(np.float64)
    some = n_items > 0
    observed, expected = ratio(sums, items), ratio(form.bilinear(own, rest), items**2)
    defined = some & (expected > 0)
    value = beyond_chance(observed, expected)
    reasons = tuple(
        NO_PAIRS if not n else None if ok else NO_VARIATION
        for n, ok in zip(n_items.tolist(), defined.tolist(), strict=True)
    )
    return AgainstRest(resolved.name, said.names, value, observed, expected, n_items, reasons)
