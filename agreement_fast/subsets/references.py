"""How the majority reference depends on the number of coders (Antoine et al. 2014, figure 4).

The judgments of an item by a subset of s coders are a draw without replacement from those by all
coders. The mean over all subsets therefore follows from each item's counts, by the multivariate
hypergeometric distribution; it is exact for any number of coders. The extremes and the standard
deviation are not sums over items, so they are computed from the subsets themselves.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Literal, Unpack, overload

import numpy as np

from agreement_fast._kernels import _majority, parallel
from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances import ordinal
from agreement_fast.distances.sums.rows import choose
from agreement_fast.errors import Argument, InputError
from agreement_fast.models.votes import MajorityStability, majority_stability
from agreement_fast.options import (
    Seed,
    bar,
    check_choice,
    check_count,
    check_sizes,
    check_threads,
    generator,
)
from agreement_fast.patterns import check_total, counts_of, dense, group_equal, sum_weights
from agreement_fast.present.result import Sectioned
from agreement_fast.present.sections import Block, Full, Rows, Section
from agreement_fast.present.tables import Aligned
from agreement_fast.present.terminal import number_of

TIES = ("change", "first", "fractional", "median")

#: The most judgments of one item; for larger n, 2ⁿ does not fit a float.
MOST_JUDGMENTS = 1000

#: The most cells of counts, rows × categories, that are held at a time.
CELLS = 1 << 22


def distinct_counts(annotations: Annotations) -> tuple[Array, Array, int]:
    """Return distinct rows of n_ik with a judgment, their weights, and the weight of empty rows."""
    rows, K = choose(annotations), len(annotations.labels)
    table, weights = np.zeros((0, K), np.int64), np.zeros(0, np.int64)
    step = max(1, CELLS // max(K, 1))
    for first in range(0, rows.n_rows, step):
        block = range(first, min(first + step, rows.n_rows))
        table = np.concatenate([table, counts_of(rows, block, K).astype(np.int64)])
        more = np.ones(len(block), np.int64) if rows.weights is None else rows.weights[block]
        # Without categories, all rows are alike.
        group, kept = group_equal(table) if K else (np.zeros(len(table), np.int64), [0])
        table = table[kept]
        weights = sum_weights(group, len(kept), np.concatenate([weights, more]))
    judged = table.any(1)
    return table[judged], weights[judged], int(weights[~judged].sum())


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
            labels = np.flatnonzero(codes[c] >= 0)
            counts[labels, codes[c, labels]] += 1
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
        self._reference = _majority.Reference(_majority.TIES[ties], requested, looked_at, self.unit)
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
        return np.asarray(np.ascontiguousarray(blocks).astype(np.uint16) * np.uint16(0xFFFF))

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
        at_once = BATCH * (parallel.available() if threads is None else threads)
        with bar(progress, sum(looked)) as advance:
            while batch := [piece for _, piece in zip(range(at_once), pieces, strict=False)]:
                work = self.n_rows * sum(len(piece.sizes) for piece in batch)
                places = [(i, i + 1) for i in range(len(batch))]
                result = parallel.run(partial(self._values, batch), places, work, threads)
                for values, piece in zip(result, batch, strict=True):
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


#: The most rows × subsets that are computed by default: some 20 s on one core.
UNASKED = 1 << 35

#: Share of items without a judgment by the subset from which on there is a note.
LOST = 0.25

#: The most categories for the kernel's codes.
MOST_CATEGORIES = 32767


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReferenceStability(Aligned, Sectioned):
    """How much of the majority reference changes with only some of the coders.

    Attributes
    ----------
    sizes : int64 array of shape (S,)
        Numbers of coders.
    n_subsets : tuple of S int
        Number of subsets of each size.
    changed : float64 array of shape (S,)
        The share of items whose reference changes: the exact mean over all subsets of a size. Items
        that no coder of a subset judged count as changed.
    unjudged : float64 array of shape (S,)
        The mean share of items that no coder of the subset judged; a part of `changed`.
    minimum, maximum, standard_deviation : float64 arrays of shape (S,)
        Of the share, over the subsets that were compared one by one; NaN without any. The divisor
        of the variance is the number n of subsets, or n − 1 if they are a sample.
    n_compared : int64 array of shape (S,)
        Number of subsets that were compared one by one: all, or a random sample.
    n_items : int
        Items with at least one judgment, weights counted.
    n_items_dropped : int
        Items that nobody judged.
    n_coders : int
        Number of coders.
    ties : str
        How ties were treated.
    """

    _caption = "ReferenceStability of {n_items:item}, ties {ties:r}: changed {_by_size}"

    def sections(self) -> list[Section]:
        """Return the share of changed items for each number of coders."""
        meaning = (
            f"The share of the {self.n_items:,} items whose most frequent label changes if only the"
            " coders of a subset take part, on average over all subsets. Items that no coder of a"
            " subset judged (unjudged) count as changed."
        )
        layout = (
            "coders = sizes:d | subsets = _subsets:s | changed:.2% | sd = standard_deviation:.2% |"
            " minimum:.2% | maximum:.2% | unjudged:.2%"
        )
        table = Rows.laid(self, layout, sides=">" * 7, what="size", brief=5)
        blocks: list[Block] = [Full(meaning), table]
        pairs = zip(self.n_compared.tolist(), self.n_subsets, strict=True)
        if most := max((n for n, every in pairs if n < every), default=0):
            sampled = (
                f"If a size has more than {most:,} subsets, sd, minimum and maximum are those of a"
                f" random sample of {most:,} subsets."
            )
            blocks.append(Full(sampled))
        blocks += [f"{self.note}."] * bool(self.note)
        return [Section(f"Changes of the majority label (ties: {self.ties})", blocks)]

    @property
    def _by_size(self) -> dict[str, float]:
        pairs = zip(self.sizes[:4].tolist(), self.changed[:4].tolist(), strict=True)
        return {number_of(size, "coder"): value for size, value in pairs}

    @property
    def _subsets(self) -> list[str]:
        return list(map(_short, self.n_subsets))

    sizes: Array
    n_subsets: tuple[int, ...]
    changed: FloatArray
    unjudged: FloatArray
    minimum: FloatArray
    maximum: FloatArray
    standard_deviation: FloatArray
    n_compared: Array
    n_items: int
    n_items_dropped: int
    n_coders: int
    ties: str

    _column_names = (
        "n_coders=sizes n_subsets changed unjudged changed_of_judged minimum maximum "
        "standard_deviation n_compared"
    )

    @property
    def changed_of_judged(self) -> FloatArray:
        """The changed share of the items that the subset judged: a ratio of means, (S,)."""
        return ratio(self.changed - self.unjudged, 1.0 - self.unjudged)

    @property
    def note(self) -> str | None:
        """What these numbers cannot answer, if most changes are of items without a judgment.

        In a crowd a few of many coders judge each item, and most subsets miss it.
        """
        lost = self.unjudged > self.changed / 2
        lost &= self.unjudged >= LOST
        if not lost.any():
            return None
        i = int(lost.argmax())
        size = int(self.sizes[i])
        return (
            f"{self.unjudged[i]:.0%} of the items are judged by none of {size} of the"
            f" {self.n_coders} coders and count as changed. This does not show how stable a"
            f" majority of {size} judgments is, or how many judgments an item needs: use items that"
            " all of the coders judged, or draw from each item's own judgments with"
            " resample='items'. changed_of_judged leaves such items out"
        )


def _short(count: int) -> str:
    """Format a count; one of more than 12 digits is rounded."""
    return f"{count:,}" if count < 10**12 else f"{Decimal(count):.2e}"


@overload
def reference_stability(
    data: JudgmentsLike,
    *,
    resample: Literal["coders"] = "coders",
    size: int | Iterable[int] | None = None,
    ties: Literal["change", "first", "fractional", "median"] | None = None,
    max_subsets: int | None = None,
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> ReferenceStability: ...
@overload
def reference_stability(
    data: JudgmentsLike,
    *,
    resample: Literal["items"],
    size: int | Iterable[int] | None = None,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> MajorityStability: ...
def reference_stability(
    data: JudgmentsLike,
    *,
    resample: Literal["coders", "items"] = "coders",
    size: int | Iterable[int] | None = None,
    ties: Literal["change", "first", "fractional", "median"] | None = None,
    max_subsets: int | None = None,
    confidence_level: float | None = None,
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> ReferenceStability | MajorityStability:
    """Compare the majority reference of fewer coders, or fewer judgments, with that of all.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. With ``"items"`` also `models.Judgments`, and
        coders need not be known.
    resample : {"coders", "items"}, default "coders"
        What is drawn: the same coders for all items, or some judgments of each item.
    size : int or iterable of int, optional
        Numbers of coders, each from 1 to C; by default all of them. With ``"items"``, numbers of
        judgments; by default from 1 to the largest number of an item, at most 15.
    ties : {"change", "first", "fractional", "median"}, optional
        With ``"coders"``, what a tie is; by default "change".
        The reference of an item is its most frequent category. If several are equally frequent, in
        the subset or among all coders:

        - ``"change"``: the reference is the set of them. Any other set is a change.
        - ``"first"``: the reference is the first of them in the order of the categories.
        - ``"fractional"``: each of m holds 1/m of the item, and the change is the part that moves,
          1 − |common| / max(|tied in the subset|, |tied in all|).
        - ``"median"``: the reference is the lower median of all judgments of the item, not only of
          the tied ones, in the order of the categories, which must be numbers or declared. Without
          a tie it is the most frequent category.
    max_subsets : int, optional
        The most subsets of a size for minimum, maximum and standard deviation. If there are more,
        a random sample without repetition is taken; 0 takes none. By default all subsets are taken
        if that takes seconds (rows × subsets up to 3.4·10¹⁰), else none. The mean is always over
        all subsets.
    confidence_level : float, optional
        With ``"items"``, the level of the intervals; by default 0.95. ``"coders"`` has none.
    rng : int or numpy Generator, optional
        Seed or generator for samples. A seed gives the same result with any number of threads.
    threads : int, optional
        Largest number of threads; by default the number that the process may use.
    progress : bool, default False
        Show a progress bar (needs tqdm).
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ReferenceStability or MajorityStability
        The share of items whose reference changes, for each size. ``print`` shows a table. With
        ``"items"``, how often the majority stays the same, ties or changes.

    Raises
    ------
    ValueError
        If coders are unknown, a size is out of range, categories have no order for "median", or an
        item has more than 1,000 judgments.

    Notes
    -----
    With ``resample="coders"``, subsets of coders are drawn, not judgments of an item: it shows what
    a choice of coders does. With ``"items"``, judgments are drawn from those of each item without
    replacement, as if fewer had been bought: it shows how many judgments an item needs, also in a
    crowd, in which few coders judged a given item and most subsets of the coders miss it.

    An item that no coder of a subset judged has lost its reference and counts as changed;
    `unjudged` is the share of such items, and `changed_of_judged` leaves them out. Items that
    nobody judged are left out.

    Mean: for n_k judgments of category k among n judgments of an item, m of them are in the subset
    with hypergeometric probability C(n, m) C(C − n, s − m) / C(C, s), and all sets of m are equally
    likely. The number of sets with reference k and count t is the coefficient of z^m in
    C(n_k, t) z^t Π_{j≠k} Σ_{x<t} C(n_j, x) z^x. All terms are positive and, up to 53 judgments,
    whole numbers that a float holds. O(n³) for each distinct row of counts and each category.

    Single subsets: 64 items in parallel, from one subset to the next in Gray code order; O(rows ·
    K) bytes and time for each.

    References
    ----------
    Antoine, Villaneau & Lefeuvre 2014, section 6 and figure 4. They do not define ties.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import subsets
    >>> data = af.Annotations.from_wide([[1, 1, 1], [1, 1, 2], [1, 2, 2], [2, 2, 2]])
    >>> print(subsets.reference_stability(data))
    Changes of the majority label (ties: change)
      coders  subsets  changed      sd  minimum  maximum  unjudged
           1        3   16.67%  11.79%    0.00%   25.00%     0.00%
           2        3   33.33%  11.79%   25.00%   50.00%     0.00%
           3        1    0.00%   0.00%    0.00%    0.00%     0.00%
      to_text() has the rest.
    >>> subsets.reference_stability(data, resample="items").same.round(4).tolist()
    [0.8333, 0.6667, 1.0]
    """
    check_choice("resample", resample, ("coders", "items"))
    of_coders = {"ties": ties, "max_subsets": max_subsets, "rng": rng, "threads": threads}
    of_items = {"confidence_level": confidence_level}
    given, other = (of_coders, "coders") if resample == "items" else (of_items, "items")
    for name, value in given.items():
        if value is not None:
            raise InputError(
                (Argument(name), " is not an option of ", Argument("resample", resample)),
                ("pass ", Argument("resample", other)),
                argument=name,
            )
    if resample == "items":
        level = 0.95 if confidence_level is None else confidence_level
        return majority_stability(data, size, level, **reading)
    ties = "change" if ties is None else ties
    annotations = as_annotations(data, **reading)
    n_coders = len(annotations.known_coders("reference_stability()"))
    check_choice("ties", ties, TIES)
    if len(annotations.labels) > MOST_CATEGORIES:
        raise InputError(
            f"a majority reference needs at most {MOST_CATEGORIES} categories, these annotations "
            f"have {len(annotations.labels)}",
        )
    if ties == "median":
        labels = annotations.labels
        ordinal.bind(labels, annotations.declared, np.ones(len(labels)))  # checks the order
    requested = np.array(check_sizes(size, 1, n_coders), np.int64)
    if max_subsets is not None:
        max_subsets = check_count("max_subsets", max_subsets, 0)
    threads = check_threads(threads)
    n_subsets = tuple(math.comb(n_coders, s) for s in requested.tolist())
    counts, weights, n_empty = distinct_counts(annotations)
    total = int(weights.sum())
    changed, unjudged = means(counts, weights, ties, requested, n_coders)
    looked = _looked_at(n_subsets, annotations.grouped().n_rows, max_subsets)
    low, high, deviation = (np.full(len(requested), np.nan) for _ in range(3))
    if total and any(looked):
        walk = Walk(annotations, ties, np.rint(changed * total), requested)
        walk.look(n_subsets, looked, generator(rng), threads, progress)
        sampled = np.array([n < every for n, every in zip(looked, n_subsets, strict=True)])
        low, high, deviation = walk.extremes(total, sampled)
    return ReferenceStability(
        sizes=requested,
        n_subsets=n_subsets,
        changed=changed,
        unjudged=unjudged,
        minimum=low,
        maximum=high,
        standard_deviation=deviation,
        n_compared=np.array(looked if total else [0] * len(requested), np.int64),
        n_items=total,
        n_items_dropped=n_empty,
        n_coders=n_coders,
        ties=ties,
    )


def _looked_at(n_subsets: tuple[int, ...], n_rows: int, max_subsets: int | None) -> tuple[int, ...]:
    """Return the number of subsets of each size that are compared one by one."""
    if max_subsets is not None:
        return tuple(min(n, max_subsets) for n in n_subsets)
    return n_subsets if sum(n_subsets) * n_rows <= UNASKED else (0,) * len(n_subsets)
