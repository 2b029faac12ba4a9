"""How the majority reference depends on the number of coders (Antoine et al. 2014, figure 4).

What a subset of s coders says of an item is a draw without replacement from what all said of it, so
the mean over all subsets follows from each item's counts alone, by the multivariate hypergeometric
distribution: exact for any number of coders, and no subset is looked at. Extremes and standard
deviation are not sums over items; they are taken from the subsets themselves.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Mapping, Sequence
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
from agreement_fast.tables import Tabular
from agreement_fast.terminal import align

#: Rows × subsets that are looked at without being asked to: some 20 s on one core.
UNASKED = 1 << 35

#: Share of items that no coder of a subset judged from which on it is said.
LOST = 0.25

#: Categories that the kernel's codes can tell apart.
MOST_CATEGORIES = 32767


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReferenceStability(Tabular):
    """How much of the majority reference changes when only some of the coders are asked.

    Attributes
    ----------
    sizes : int64 array of shape (S,)
        Numbers of coders.
    n_subsets : tuple of S int
        How many subsets have each size.
    changed : float64 array of shape (S,)
        The share of items whose reference changes, its mean over all subsets of a size; exact.
        Items that no coder of a subset judged count as changed.
    unjudged : float64 array of shape (S,)
        The mean share of items that no coder of the subset judged; a part of `changed`.
    minimum, maximum, standard_deviation : float64 arrays of shape (S,)
        Of the share, over the subsets that were looked at one by one; NaN where none was.
        The standard deviation is that of the subsets, divisor n, or where they are a sample an
        estimate of it, divisor n − 1.
    n_compared : int64 array of shape (S,)
        How many subsets were looked at one by one; all, or a random sample.
    n_items : int
        Items with at least one judgment, weights counted.
    n_items_dropped : int
        Items that nobody judged.
    n_coders : int
    ties : str
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

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each number of coders."""
        return {
            "n_coders": self.sizes,
            "n_subsets": self.n_subsets,
            "changed": self.changed,
            "unjudged": self.unjudged,
            "changed_of_judged": self.changed_of_judged,
            "minimum": self.minimum,
            "maximum": self.maximum,
            "standard_deviation": self.standard_deviation,
            "n_compared": self.n_compared,
        }

    @property
    def changed_of_judged(self) -> FloatArray:
        """The share among the items that the subset judged: ratio of the means, (S,)."""
        judged = 1.0 - self.unjudged
        out: FloatArray = np.divide(
            self.changed - self.unjudged, judged, out=np.full(len(judged), np.nan), where=judged > 0
        )
        return out

    @property
    def note(self) -> str | None:
        """What these numbers cannot answer, where most changes are of items that nobody judged.

        In a crowd each item is judged by a few of many coders, and a subset of them misses it.
        """
        lost = self.unjudged > self.changed / 2
        lost &= self.unjudged >= LOST
        if not lost.any():
            return None
        i = int(lost.argmax())
        size = int(self.sizes[i])
        return (
            f"{self.unjudged[i]:.0%} of the items are judged by none of {size} of the"
            f" {self.n_coders} coders and count as changed. So this is not how stable a majority of"
            f" {size} judgments is, and not how many judgments an item needs: that takes items that"
            " all of the coders judged, or draws from each item's own judgments, as"
            " aggregation.majority_stability does. changed_of_judged leaves such items out"
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
    """A count, rounded where hundreds of coders make it hundreds of digits long."""
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
    """The majority reference of every subset of the coders against that of all (figure 4).

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        Coders must be known.
    sizes : iterable of int, optional
        Numbers of coders, each from 1 to C; by default all of them.
    ties : {"change", "first", "fractional", "median"}
        The reference of an item is its most frequent category. Where several are, in the subset or
        among all coders:

        - ``"change"``: the reference is the set of them. A tie that was none with all coders is a
          change, and so is the end of a tie; the same tie is none.
        - ``"first"``: the reference is the one that stands first among the categories.
        - ``"fractional"``: each of m holds 1/m of the item; what changes is the part that moves,
          1 − |common| / max(|tied in the subset|, |tied in all|).
        - ``"median"``: the reference is then the lower median of all the item's judgments, not only
          of the tied ones, in the order of the categories, which must be numbers or declared. Where
          there is no tie it is the most frequent category as ever.
    max_subsets : int, optional
        How many subsets of a size minimum, maximum and standard deviation may be taken from. Where
        there are more, so many are drawn at random, without repetition. 0 is none. By default all
        are looked at where that takes seconds (rows × subsets up to 3.4·10¹⁰), else none. The mean
        is always over all subsets.
    rng : int or numpy Generator, optional
        For the drawn subsets; the same seed gives the same result with any number of threads.
    threads : int, optional
        By default as many as may run at once.
    progress : bool
        Show a bar while subsets are looked at.

    Returns
    -------
    ReferenceStability
        ``print`` shows a table, one line for each size.

    Raises
    ------
    ValueError
        Coders unknown; a size out of range; "median" without an order; an item with more than
        1,000 judgments.

    Notes
    -----
    Coders are drawn, and not judgments of an item: `aggregation.majority_stability` says how many
    judgments an item needs.

    An item that a subset did not judge has lost its reference and counts as changed; `unjudged` is
    their share, and `changed_of_judged` leaves them out. Items that nobody judged are left out.

    Mean: with n_k judgments of category k among n of an item, m judgments of it are in the subset
    with hypergeometric probability C(n, m) C(C − n, s − m) / C(C, s), and each set of m of the n is
    as likely as any. Those with reference k and count t are counted by the coefficient of z^m in
    C(n_k, t) z^t Π_{j≠k} Σ_{x<t} C(n_j, x) z^x. All terms are positive and, up to 53 judgments,
    whole numbers that a float holds. O(n³) for each distinct row of counts and each category.

    Subsets one by one: 64 items side by side, from one subset to the next in Gray code order;
    O(rows · K) bytes and time for each.

    Source: Antoine, Villaneau & Lefeuvre 2014, section 6, who do not say what ties are.

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
            f"{len(annotations.labels)} categories have no majority worth the name; more than "
            f"{MOST_CATEGORIES} are not taken",
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
    """How many subsets of each size are looked at one by one."""
    if max_subsets is not None:
        return tuple(min(n, max_subsets) for n in n_subsets)
    return n_subsets if sum(n_subsets) * n_rows <= UNASKED else (0,) * len(n_subsets)
