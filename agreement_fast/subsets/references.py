"""How the majority reference depends on the number of coders (Antoine et al. 2014, figure 4).

The judgments of an item by a subset of s coders are a draw without replacement from those by all
coders. The mean over all subsets therefore follows from each item's counts, by the multivariate
hypergeometric distribution; it is exact for any number of coders. The extremes and the standard
deviation are not sums over items, so they are computed from the subsets themselves.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances import ordinal
from agreement_fast.errors import InputError
from agreement_fast.options import check_choice, check_count, check_sizes, check_threads, generator
from agreement_fast.subsets.majority import TIES, distinct_counts, means
from agreement_fast.subsets.walk import Walk
from agreement_fast.tables import Aligned
from agreement_fast.terminal import align

#: The most rows × subsets that are computed by default: some 20 s on one core.
UNASKED = 1 << 35

#: Share of items without a judgment by the subset from which on there is a note.
LOST = 0.25

#: The most categories for the kernel's codes.
MOST_CATEGORIES = 32767


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReferenceStability(Aligned):
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
        judged = 1.0 - self.unjudged
        out: FloatArray = np.divide(
            self.changed - self.unjudged, judged, out=np.full(len(judged), np.nan), where=judged > 0
        )
        return out

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
            " aggregation.majority_stability. changed_of_judged leaves such items out"
        )

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{size}: {share:.3g}"
            for size, share in list(zip(self.sizes.tolist(), self.changed.tolist(), strict=True))[
                :4
            ]
        )
        more = ", ..." if len(self.sizes) > 4 else ""
        note = "" if self.note is None else f"; {self.note}"
        return (
            f"ReferenceStability(ties={self.ties!r}, {self.n_items} items, {self.n_coders} coders; "
            f"changed {{{shown}{more}}}{note})"
        )

    def __str__(self) -> str:
        head = ("coders", "subsets", "changed", "sd", "minimum", "maximum", "unjudged")
        lines: list[tuple[str, ...]] = []
        for i, size in enumerate(self.sizes.tolist()):
            shares = (
                self.changed[i],
                self.standard_deviation[i],
                self.minimum[i],
                self.maximum[i],
                self.unjudged[i],
            )
            lines.append((str(size), _short(self.n_subsets[i]), *(f"{x:.4f}" for x in shares)))
        lines_shown = align(head, lines, ">" * len(head), indent="")
        if self.note is not None:
            lines_shown += ["", textwrap.fill(f"{self.note}.", 79)]
        return "\n".join(lines_shown)


def _short(count: int) -> str:
    """Format a count; one of more than 12 digits is rounded."""
    return str(count) if count < 10**12 else f"{Decimal(count):.2e}"


def reference_stability(
    data: Any,
    *,
    sizes: Iterable[int] | None = None,
    ties: str = "change",
    max_subsets: int | None = None,
    rng: int | np.random.Generator | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> ReferenceStability:
    """Compare the majority reference of every subset of the coders with that of all coders.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders. Coders must be known.
    sizes : iterable of int, optional
        Numbers of coders, each from 1 to C; by default all of them.
    ties : {"change", "first", "fractional", "median"}, default "change"
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
    rng : int or numpy Generator, optional
        Seed or generator for samples. A seed gives the same result with any number of threads.
    threads : int, optional
        Largest number of threads; by default the number that the process may use.
    progress : bool, default False
        Show a progress bar (needs tqdm).

    Returns
    -------
    ReferenceStability
        The share of items whose reference changes, for each size. ``print`` shows a table.

    Raises
    ------
    ValueError
        If coders are unknown, a size is out of range, categories have no order for "median", or an
        item has more than 1,000 judgments.

    Notes
    -----
    Subsets of coders are drawn, not judgments of an item. `aggregation.majority_stability` shows
    how many judgments an item needs.

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
    coders  subsets  changed      sd  minimum  maximum  unjudged
         1        3   0.1667  0.1179   0.0000   0.2500    0.0000
         2        3   0.3333  0.1179   0.2500   0.5000    0.0000
         3        1   0.0000  0.0000   0.0000   0.0000    0.0000
    """
    annotations = as_annotations(data)
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
    requested = np.array(check_sizes(sizes, 1, n_coders), np.int64)
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
