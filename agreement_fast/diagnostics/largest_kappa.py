"""The largest κ that two coders' use of the categories allows (Cohen 1960)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import FloatArray
from agreement_fast.contingency import pair_table
from agreement_fast.errors import InputError
from agreement_fast.inference.intervals import LEAST_DEFINED, ROUNDING
from agreement_fast.options import check_resamples, check_share, generator
from agreement_fast.tables import Tabular
from agreement_fast.terminal import align, counted, show_label, show_value

#: Pairs that are printed, and the most that are computed.
SHOWN = 20
MOST_PAIRS = 100_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LargestKappa(Tabular):
    """κ of each pair of coders, and the largest that their marginals allow: arrays of shape (P,).

    Attributes
    ----------
    first, second : tuples of labels
        The coders of each pair.
    value : float64 array
        Cohen's κ of the items that both judged; NaN where undefined.
    maximum : float64 array
        The largest κ of a table with the same marginals.
    maximum_low, maximum_high : float64 arrays
        Its interval, over other items of the same coders; NaN where there is none.
    ratio : float64 array
        value / maximum; NaN where the maximum is 0.
    ratio_low, ratio_high : float64 arrays
    n_items : int64 array
    confidence_level : float
    n_resamples : int
    """

    first: tuple[Any, ...]
    second: tuple[Any, ...]
    value: FloatArray
    maximum: FloatArray
    maximum_low: FloatArray
    maximum_high: FloatArray
    ratio: FloatArray
    ratio_low: FloatArray
    ratio_high: FloatArray
    n_items: Any
    confidence_level: float
    n_resamples: int

    def columns(self) -> Mapping[str, Sequence[Any] | FloatArray]:
        """Give a row for each pair of coders."""
        numbers = ("value", "maximum", "maximum_low", "maximum_high")
        ratios = ("ratio", "ratio_low", "ratio_high", "n_items")
        return {
            "first": self.first,
            "second": self.second,
            **{name: getattr(self, name) for name in (*numbers, *ratios)},
        }

    def __repr__(self) -> str:
        if len(self.value) == 1:
            return (
                f"<LargestKappa: κ = {self.value[0]:.4f}, {self.maximum[0]:.4f} at most "
                f"({self.ratio[0]:.4f} of it)>"
            )
        return f"<LargestKappa of {counted(len(self.value), 'pair')} of coders>"

    def __str__(self) -> str:
        numbers = (self.value, self.maximum, self.maximum_low, self.maximum_high, self.ratio)
        rows = [
            (
                show_label(self.first[i]),
                show_label(self.second[i]),
                *(show_value(float(x[i])) for x in numbers),
            )
            for i in range(min(SHOWN, len(self.value)))
        ]
        head = ("first", "second", "κ", "at most", "low", "high", "ratio")
        lines = align(head, rows, "<<>>>>>", indent="")
        if len(self.value) > SHOWN:
            lines.append(f"... and {len(self.value) - SHOWN} more pairs")
        return "\n".join(lines)


def largest_kappa(
    data: Any,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: int | np.random.Generator | None = None,
) -> LargestKappa:
    """The largest κ that the marginals of two coders allow, for each pair of coders.

    Parameters
    ----------
    data : Annotations, or a table as `Annotations.from_wide` takes it
    confidence_level : float
    n_resamples : int
        Of the items that a pair judged, for the intervals; 0 for none. Fewer than 20 with a value
        give none either.
    rng : int or numpy Generator, optional

    Returns
    -------
    LargestKappa
        One for each pair, in the order of ``itertools.combinations(coders, 2)``; NaN where a pair
        judged no item together or both used one category only.

    Raises
    ------
    ValueError
        Fewer than two coders; coders unknown; too many pairs.

    Notes
    -----
    Two coders who use the categories unlike cannot agree on everything: with the shares p_k and q_k
    at most on Σ min(p_k, q_k) of the items, and κ_max = (Σ min(p_k, q_k) − A_e) / (1 − A_e) (Cohen
    1960). It says how much of the disagreement the coders' habits alone explain. It is not what κ
    should be compared with where the habits themselves are errors. O(judgments · C + P · K² ·
    resamples) for P pairs.

    Coders whose habits are the same differ in every sample, and resamples of it differ more. So an
    interval reaches up to the percentile of the maximum or its mirror image at the value, whichever
    is higher, and at most to 1; that of the ratio reaches down likewise. Resamples that are all
    alike, as those of coders who agree on everything, give no interval.

    References
    ----------
    Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological
    Measurement 20(1), 37-46.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import diagnostics
    >>> data = af.Annotations.from_contingency([[40, 20], [5, 35]])
    >>> diagnostics.largest_kappa(data, rng=1)
    <LargestKappa: κ = 0.5098, 0.7059 at most (0.7222 of it)>
    """
    check_share("confidence_level", confidence_level)
    if n_resamples:
        check_resamples(n_resamples)
    random = generator(rng)
    annotations = as_annotations(data)
    coders = annotations.known_coders("largest_kappa()")
    n_pairs = len(coders) * (len(coders) - 1) // 2
    if not n_pairs:
        raise InputError(f"largest_kappa() compares two coders, and there are {len(coders)}")
    if n_pairs > MOST_PAIRS:
        raise InputError(
            f"{n_pairs:,} pairs of coders are more than {MOST_PAIRS:,}",
            "data.select(coders=[...]) takes some",
        )
    rows, K = annotations.grouped(), len(annotations.categories)
    pairs = list(islice(combinations(range(len(coders)), 2), n_pairs))
    found = np.full((3, n_pairs), np.nan)
    ends = np.full((2, 2, n_pairs), np.nan)
    sizes = np.zeros(n_pairs, np.int64)
    tails = [(1 - confidence_level) / 2, (1 + confidence_level) / 2]
    for i, (a, b) in enumerate(pairs):
        counts = pair_table(rows, a, b, K)
        sizes[i] = counts.sum()
        if not sizes[i]:
            continue
        seen = counts.any(0) | counts.any(1)
        shares = counts[np.ix_(seen, seen)] / sizes[i]
        found[:, i] = _of(shares[None])[:, 0]
        if n_resamples and not np.isnan(found[1, i]):
            drawn = random.multinomial(sizes[i], shares.reshape(-1), n_resamples) / sizes[i]
            maxima, ratios = _of(drawn.reshape(n_resamples, *shares.shape))[1:]
            low, high = _ends(found[1, i], maxima, tails)
            ends[0, :, i] = low, min(max(high, 2 * found[1, i] - low), 1.0)
            low, high = _ends(found[2, i], ratios, tails)
            ends[1, :, i] = min(low, 2 * found[2, i] - high), high
    return LargestKappa(
        tuple(coders[a] for a, _ in pairs),
        tuple(coders[b] for _, b in pairs),
        found[0],
        found[1],
        ends[0, 0],
        ends[0, 1],
        found[2],
        ends[1, 0],
        ends[1, 1],
        sizes,
        confidence_level,
        n_resamples,
    )


def _ends(value: float, drawn: FloatArray, tails: list[float]) -> tuple[float, float]:
    """Percentiles, extended to the value; NaN where resamples are too few or all alike."""
    known = drawn[~np.isnan(drawn)]
    if math.isnan(value) or len(known) < LEAST_DEFINED or np.ptp(known) < ROUNDING:
        return math.nan, math.nan
    low, high = np.quantile(known, tails).tolist()
    return min(low, value), max(high, value)


def _of(tables: FloatArray) -> FloatArray:
    """κ, its maximum and their ratio of tables of shares, (R, K, K): float64 of shape (3, R)."""
    p, q = tables.sum(2), tables.sum(1)
    observed = np.trace(tables, axis1=1, axis2=2)
    beyond = (p * (1 - q)).sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = 1 - (1 - observed) / beyond
        # 1 − Σ min(p, q), without the rounding of a difference from 1
        maximum = 1 - np.abs(p - q).sum(1) / 2 / beyond
        ratio = value / maximum
    constant = beyond < 1e-15
    for one in (value, maximum, ratio):
        one[constant | ~np.isfinite(one)] = np.nan
    return np.array([value, maximum, ratio])
