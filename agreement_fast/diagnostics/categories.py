"""Which categories cost agreement: specific agreement, α of each, confusions, merges.

All of it comes from Krippendorff's coincidences o_jl, the expected number of judgments l that meet
a judgment j of the same item: a K × K matrix, gathered in one pass over the patterns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.diagnostics.category_errors import category_intervals
from agreement_fast.errors import UnknownKeyError
from agreement_fast.inference.few_others import are_few, judgments
from agreement_fast.options import check_choice, check_count, check_share
from agreement_fast.results import NO_PAIRS, NO_VARIATION
from agreement_fast.sums.of_annotations import sums_of
from agreement_fast.tables import Listing, Row, Tabular, of_fields
from agreement_fast.terminal import align, show_label, show_value

ONE_ITEM = "one item has no spread, so there is no standard error"


@dataclass(frozen=True, slots=True)
class CategoryAgreement(Row):
    """How far coders agree on one category.

    Attributes
    ----------
    label : object
        Where labels are sets, a whole set: {a} is the judgments of a and nothing else.
    n_judgments : int
        Judgments of the category in items with two judgments or more, weights counted.
    share : float
        Of all such judgments.
    specific_agreement : float
        The probability that another judgment of the item is of the category too, given that one is.
        For two coders 2a / (2a + b + c): the positive and negative agreement of Cicchetti &
        Feinstein 1990. Each judgment counts the same, so an item with more judgments counts more.
        NaN for a category that is not used.
    specific_standard_error, specific_low, specific_high : float
        Of the specific agreement, items being the sample: its error by the delta method, and a
        score interval, which lies in [0, 1] and has a width also where all agree.
    alpha : float
        Krippendorff's α of the category against all others taken as one.
    alpha_standard_error, alpha_low, alpha_high : float
        Of `alpha`: its error by the delta method, and a score interval.
    confidence_level : float
    undefined : str or None
        Why there is no `alpha`.
    note : str or None
        Why there is no standard error, or that α rests on few judgments.
    """

    label: Any
    n_judgments: int
    share: float
    specific_agreement: float
    specific_standard_error: float
    specific_low: float
    specific_high: float
    alpha: float
    alpha_standard_error: float
    alpha_low: float
    alpha_high: float
    confidence_level: float
    undefined: str | None
    note: str | None

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give one row, as in `CategoryTable`."""
        return _by_category([self])


def _by_category(rows: Sequence[CategoryAgreement]) -> Mapping[str, Sequence[Any]]:
    found = of_fields(rows)
    return {"category": found.pop("label", []), **found}


class CategoryTable(Tabular, Sequence[CategoryAgreement]):
    """The agreement on each category, in their order; ``table.of(label)`` finds one.

    Attributes
    ----------
    uneven : bool
        Whether items have different numbers of judgments, so that some count more than others.
    """

    def __init__(self, rows: Sequence[CategoryAgreement], uneven: bool) -> None:
        self._rows = tuple(rows)
        self.uneven = uneven

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[CategoryAgreement]:
        return iter(self._rows)

    @overload
    def __getitem__(self, key: int) -> CategoryAgreement: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[CategoryAgreement]: ...
    def __getitem__(self, key: int | slice) -> CategoryAgreement | Sequence[CategoryAgreement]:
        return self._rows[key]

    def __repr__(self) -> str:
        return f"<agreement on each of {len(self)} categories>"

    def __str__(self) -> str:
        rows = [
            (
                show_label(row.label),
                f"{row.n_judgments:,}",
                f"{row.share:.1%}",
                show_value(row.specific_agreement),
                show_value(row.specific_low),
                show_value(row.specific_high),
                show_value(row.alpha),
                show_value(row.alpha_low),
                show_value(row.alpha_high),
            )
            for row in self
        ]
        of_sets = any(isinstance(row.label, frozenset) for row in self)
        first = "exactly this set" if of_sets else "category"
        ends = ("low", "high")
        head = (first, "judgments", "share", "specific agreement", *ends, "alpha", *ends)
        lines = align(head, rows, "<>>>>>>>>")
        if self.uneven:
            lines.append(
                "  Each judgment counts the same: items weigh by how often they were judged."
            )
        return "\n".join(lines)

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give a row for each category."""
        return _by_category(self._rows)

    def of(self, label: Any) -> CategoryAgreement:
        """The row of a category."""
        for row in self._rows:
            if row.label == label:
                return row
        raise UnknownKeyError(f"{label!r} is not a category", argument="label")


def category_agreement(data: Any, *, confidence_level: float = 0.95) -> CategoryTable:
    """Agreement on each category by itself.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
    confidence_level : float
        Between 0 and 1; each interval holds by itself, not all of them together.

    Returns
    -------
    CategoryTable

    Notes
    -----
    With the coincidences o_jl, n_k = Σ_l o_kl and n = Σ_k n_k: the specific agreement is
    o_kk / n_k = (Σ_i n_ik (n_ik − 1) / (n_i − 1)) / Σ_i n_ik. Each judgment counts the same, as in
    α. Uebersax's Σ n_ik (n_ik − 1) / Σ n_ik (n_i − 1) lets each pair of judgments count the same;
    for complete data that is equal. α of k against the rest is 1 − (n − 1) (n_k − o_kk) /
    (n_k (n − n_k)) (Krippendorff 2004, 12.4). Its standard error is that of
    `inference.standard_error` for the two categories. The interval of the specific agreement is for
    two judgments an item Wilson's (1927) of the share of items that both gave the category, of
    those that either did; with more, it is as wide as these vary. That of α is the same mapped,
    with the variance of α: it holds its level for rare categories and few items, too, and has a
    width where nobody disagrees. O(patterns · K²).

    Examples
    --------
    >>> from agreement_fast.diagnostics import category_agreement
    >>> table = [("yes", "yes")] * 4 + [("yes", "no")] * 2 + [("no", "no")] * 14
    >>> for row in category_agreement(table):
    ...     print(row.label, round(row.specific_agreement, 3), round(row.alpha, 3))
    no 0.933 0.74
    yes 0.8 0.74
    """
    check_share("confidence_level", confidence_level)
    annotations = as_annotations(data)
    observed = annotations.coincidence_matrix().values
    counts = observed.sum(0)
    total = float(counts.sum())
    sums = sums_of(annotations)
    n_items = sum(n for size, n in sums.items_by_size.items() if size > 1)
    specific, alphas = np.full((2, len(counts)), np.nan)
    reasons: list[str | None] = []
    for k in range(len(counts)):
        mine, same = float(counts[k]), float(observed[k, k])
        # What is not k, summed and never subtracted: one judgment in a billion keeps its digits.
        others = math.fsum(np.delete(counts, k))
        apart = math.fsum(np.delete(observed[k], k))
        reasons.append(NO_PAIRS if not total else None if mine * others else NO_VARIATION)
        if reasons[k] is None:
            alphas[k] = 1.0 - (total - 1) * apart / (mine * others)
        if mine:
            specific[k] = same / mine
    of_specific, of_alpha = category_intervals(
        annotations, observed, specific, alphas, confidence_level
    )
    rows = [
        CategoryAgreement(
            label=label,
            n_judgments=round(float(counts[k])),
            share=float(counts[k]) / total if total else math.nan,
            specific_agreement=float(specific[k]),
            specific_standard_error=float(of_specific.error[k]),
            specific_low=float(of_specific.low[k]),
            specific_high=float(of_specific.high[k]),
            alpha=float(alphas[k]),
            alpha_standard_error=float(of_alpha.error[k]),
            alpha_low=float(of_alpha.low[k]),
            alpha_high=float(of_alpha.high[k]),
            confidence_level=confidence_level,
            undefined=reasons[k],
            note=ONE_ITEM
            if counts[k] and math.isnan(of_specific.error[k])
            else _rests_on(float(counts[k]), total, n_items),
        )
        for k, label in enumerate(annotations.categories)
    ]
    return CategoryTable(rows, uneven=len(sums.pairable_sizes) > 1)


def _rests_on(own: float, total: float, n_items: int) -> str | None:
    """Say that α of a category rests on few judgments, its own or all others."""
    others = total - own
    for number, of in ((own, "of the category"), (others, "of other categories")):
        if are_few(number, total, n_items):
            return f"alpha rests on {judgments(round(number))} {of}"
    return None


@dataclass(frozen=True, slots=True)
class Confusion(Row):
    """Two categories that meet on the same items.

    Attributes
    ----------
    first, second : object
    observed : float
        Coincidences of the two, o_jl + o_lj: the pairs of judgments, each item's adding up to its
        number of judgments.
    expected : float
        The same by chance, 2 n_j n_l / (n − 1).
    ratio : float
        Observed over expected: 1 is chance, above 1 coders exchange the two more often than that.
    share : float
        Of all disagreement D_o under the nominal distance.
    merged_alpha : float
        α (nominal) if the two were one category; NaN where no variation would be left.
    gain : float
        What merging adds to α. **Merging after the fact is not a new study**: coders with fewer
        categories might have decided otherwise (Artstein & Poesio 2008, 4.1).
    """

    first: Any
    second: Any
    observed: float
    expected: float
    ratio: float
    share: float
    merged_alpha: float
    gain: float


def category_confusions(
    data: Any, *, limit: int | None = None, order: str = "observed"
) -> Listing[Confusion]:
    """Pairs of categories: those that cost the most disagreement first, or that merging gains most.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
    limit : int, optional
        How many to give; all K (K − 1) / 2 by default.
    order : {"observed", "gain"}
        Whether the pairs with the most coincidences stand first, or those whose merging would add
        most to α.

    Returns
    -------
    Listing of Confusion
        A sequence, and a table.

    Notes
    -----
    Merging j and l takes their coincidences out of D_o and their product out of D_e: α of every
    merge follows from the coincidences. O(patterns · K² + K²).

    Examples
    --------
    >>> from agreement_fast.diagnostics import category_confusions
    >>> table = [("a", "a")] * 5 + [("b", "c")] * 3 + [("b", "b"), ("c", "c"), ("a", "b")]
    >>> worst = category_confusions(table)[0]
    >>> worst.first, worst.second, round(worst.share, 2), round(worst.gain, 3)
    ('b', 'c', 0.75, 0.383)
    """
    check_choice("order", order, ("observed", "gain"))
    limit = None if limit is None else check_count("limit", limit, 0)
    annotations = as_annotations(data)
    coincidences = annotations.coincidence_matrix().values
    K = len(coincidences)
    counts = coincidences.sum(0)
    total = float(counts.sum())
    first, second = np.triu_indices(K, 1)
    met = coincidences[first, second] + coincidences[second, first]
    product = 2.0 * counts[first] * counts[second]
    apart, chance = math.fsum(met), math.fsum(product)
    alpha = 1.0 - (total - 1) * apart / chance if chance else math.nan
    # a difference of sums of integers: what is left of two categories is nothing
    chance_left = chance - product
    merged = np.full(len(met), np.nan)
    possible = (chance_left > 0) & (K > 2)
    merged[possible] = 1.0 - (total - 1) * (apart - met[possible]) / chance_left[possible]
    gains = merged - alpha
    by_chance = product / (total - 1) if total > 1 else np.full(len(met), np.nan)
    rank = met if order == "observed" else np.nan_to_num(gains, nan=-np.inf)
    labels = annotations.categories
    return Listing(
        Confusion(
            first=labels[first[i]],
            second=labels[second[i]],
            observed=float(met[i]),
            expected=float(by_chance[i]),
            ratio=float(met[i] / by_chance[i]) if by_chance[i] > 0 else math.nan,
            share=float(met[i]) / apart if apart else math.nan,
            merged_alpha=float(merged[i]),
            gain=float(gains[i]),
        )
        for i in np.argsort(-rank, kind="stable")[:limit].tolist()
    )
