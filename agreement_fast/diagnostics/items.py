"""The disagreement of each item, and its influence on a coefficient."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.diagnostics.bias import THRESHOLDS
from agreement_fast.diagnostics.findings import GOOD, Finding
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.linear import Ranked, linear
from agreement_fast.inference.derivatives import influences
from agreement_fast.inference.resample import counted_weights, whole_sums
from agreement_fast.inference.study_sizes import (
    Pilot,
    items_needed,
    judgments_needed,
    spearman_brown,
)
from agreement_fast.options import Incomplete
from agreement_fast.patterns import Rows, counts_of, group_equal, take_rows
from agreement_fast.points import Point
from agreement_fast.present.tables import Listing, Row, Tabular, aligned, of_each
from agreement_fast.present.terminal import align, number_of, show_label, show_number, spell_label
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.results import Agreement

#: Items that are printed.
SHOWN = 10

#: The relative difference up to which shares are treated as equal.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class DisputedItem(Row):
    """An item and its labels.

    Attributes
    ----------
    item : object
        The name of the item.
    disagreement, share, influence : float
        The mean distance of two judgments, the share of D_o, and the contribution to the
        coefficient; see `ItemDisagreement`.
    counts : dict
        The number of coders who gave the item each label, the most frequent label first.
    text : str or None
        The text of the item, if the annotations have texts (`Annotations.with_texts`).
    """

    item: Any
    disagreement: float
    share: float
    influence: float
    counts: dict[Any, int]
    text: str | None = None

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row; the counts are a text."""
        return disputed_columns([self])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ItemDisagreement(Tabular):
    """The disagreement of each item, in the order of the items.

    Attributes
    ----------
    coefficient, distance : str
        The names of the coefficient and the distance.
    value, observed_disagreement : float
        The coefficient and D_o.
    items : sequence of N names
        The names of the items.
    disagreement : float64 array of shape (N,)
        The mean distance between two judgments of the item; NaN if the item does not count in D_o
        because it has fewer than two judgments.
    share : float64 array of shape (N,)
        The item's share of D_o, including its weight. The shares add up to 1; they are 0 for items
        that do not count, and NaN if D_o is 0.
    influence : float64 array of shape (N,)
        The item's contribution to the coefficient, to first order: its weight times the derivative
        of the coefficient with respect to that weight (the infinitesimal jackknife, Jaeckel 1972).
        Without the item, the coefficient would be lower by about this value; the error decreases
        with the square of the number of items. NaN if the coefficient is undefined, or if the
        derivative of its chance model is not known.
    order : int64 array
        Indices of the disputed items, those with the largest share first; ties keep the order of
        the items.
    """

    coefficient: str
    distance: str
    value: float
    observed_disagreement: float
    items: Sequence[Any]
    disagreement: FloatArray
    share: FloatArray
    influence: FloatArray
    order: Array
    _annotations: Annotations

    def most_disputed(self, limit: int = SHOWN) -> Listing[DisputedItem]:
        """Return the items with the largest share of D_o, and the counts of their labels."""
        picked = self.order[:limit]
        annotations = self._annotations
        rows = take_rows(annotations.rows, picked)
        counts = counts_of(rows, range(len(picked)), len(annotations.labels))
        labels = annotations.categories
        result = []
        for i, count in zip(picked.tolist(), counts, strict=True):
            order = np.argsort(-count, kind="stable")
            result.append(
                DisputedItem(
                    self.items[i],
                    float(self.disagreement[i]),
                    float(self.share[i]),
                    float(self.influence[i]),
                    {labels[k]: int(count[k]) for k in order.tolist() if count[k]},
                    annotations.texts.get(self.items[i]),
                )
            )
        return DisputedItems(result)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with a row for each item, in the order of the items."""
        texts = self._annotations.texts
        result = aligned(self, "item=items disagreement share influence")
        return {**result, "text": [texts.get(item) for item in self.items]} if texts else result

    def _repr_html_(self) -> str:
        """Return the most disputed items as HTML, for notebooks."""
        return self.most_disputed()._repr_html_()

    def holding(self, share: float = 0.5) -> int:
        """Return how many of the most disputed items together hold a share of D_o."""
        if not len(self.order):
            return 0
        held = np.cumsum(self.share[self.order])
        # A sum that equals the share but for rounding errors is enough.
        return int(np.searchsorted(held, share * (1 - ROUNDING))) + 1

    def tied(self, rank: int) -> tuple[int, int]:
        """Return the range of ranks of the items that are as disputed as the item at a rank.

        The end of the range is exclusive. Within it, `order` has the order of the items.
        """
        shares = self.share[self.order]
        same = shares[rank]
        return (
            int(np.count_nonzero(shares > same * (1 + ROUNDING))),
            int(np.count_nonzero(shares >= same * (1 - ROUNDING))),
        )

    def __repr__(self) -> str:
        what = "item" if self._annotations.weights is None else "weighted row"
        return (
            f"<disagreement of {number_of(len(self.items), what)} ({self.distance}): "
            f"{len(self.order)} with any, half of D_o in {self.holding()}>"
        )

    def __str__(self) -> str:
        """Return a table of the most disputed items."""
        disputed = self.most_disputed()
        rows = [
            (
                show_label(element.item),
                show_number(element.disagreement),
                f"{element.share:.2%}",
                f"{element.influence:+.6f}",
                ", ".join(f"{show_label(label, 20)}: {n}" for label, n in element.counts.items()),
            )
            for element in disputed
        ]
        head = ("item", "disagreement", "of D_o", "influence", "labels")
        title, *listed = align(head, rows, "<>>><")
        lines = [repr(self)[1:-1], title]
        for entry, row in zip(disputed, listed, strict=True):
            lines += [row, *([] if entry.text is None else [f"    {show_label(entry.text, 88)}"])]
        more = self.tied(SHOWN - 1)[1] - SHOWN if len(self.order) > SHOWN else 0
        if more:
            lines.append(f"  and {more:,} more, as disputed as the last one")
        return "\n".join(lines)


def disputed_columns(items: Sequence[DisputedItem]) -> Mapping[str, Sequence[Any]]:
    """Return the columns of a table of items; their labels are a text such as "x: 2, y: 1"."""
    labels = [", ".join(f"{spell_label(k)}: {n}" for k, n in item.counts.items()) for item in items]
    return {
        **of_each(items, "item"),
        "labels": labels,
        **of_each(items, "disagreement share influence text"),
    }


class DisputedItems(Listing[DisputedItem]):
    """The most disputed items, as a sequence and a table."""

    def columns(self) -> Mapping[str, Sequence[Any]]:
        return disputed_columns(self)


def item_disagreement(
    data: JudgmentsLike,
    coefficient: str = "alpha",
    *,
    distance: DistanceLike = "nominal",
    incomplete: Incomplete = "published",
    **reading: Unpack[ReadingOptions],
) -> ItemDisagreement:
    """Compute the disagreement of each item and its influence on a coefficient.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments.
    coefficient : str, default "alpha"
        The name of the coefficient. It determines the weights of the items: some coefficients weigh
        items by their number of judgments.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. See
        `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ItemDisagreement
        Arrays with an entry for each item; ``print(found)`` shows the most disputed items.

    Raises
    ------
    ValueError
        If the coefficient, the distance or `incomplete` is not valid.

    Notes
    -----
    The disagreement of item i is Σ_jl n_ij n_il d_jl / (n_i (n_i − 1)) (Artstein & Poesio 2005,
    2.5). One pass over the items; O(judgments) for distances with a closed form.

    Examples
    --------
    >>> from agreement_fast.diagnostics import item_disagreement
    >>> table = [("x", "x", "x"), ("x", "y", "z"), ("y", "y", "x"), ("z", "z", None)]
    >>> found = item_disagreement(table)
    >>> found.disagreement.round(3).tolist(), found.share.round(3).tolist()
    ([0.0, 1.0, 0.667, 0.0], [0.0, 0.6, 0.4, 0.0])
    >>> found.most_disputed(1)[0].counts
    {'x': 1, 'y': 1, 'z': 1}
    """
    annotations = as_annotations(data, **reading)
    point = Point.of(coefficient, distance)
    rows, place = _patterns(annotations.rows)
    made = linear(annotations, [point], incomplete, rows=rows)
    sums = whole_sums(made)
    whole = made.values(sums)[0]
    if point.distance.ranks:
        ranks = Ranked.of(sums.marginals["pairable"]).features[0]
        parts = made.ranked_rows(point.item_weight, ranks)
    else:
        parts = made.column((point.distance, point.item_weight))
    disagreement = np.full(len(parts), np.nan)
    np.divide(parts, made.column(point.item_weight), out=disagreement, where=made.kept)
    influence = np.full(len(parts), np.nan)
    if point.has_slope and not np.isnan(whole.value[0]):
        influence = np.where(made.counted, influences(made, point, sums), 0.0)
    total = float(counted_weights(made) @ parts)
    share = parts / total if total > 0 else np.full(len(parts), np.nan)
    # From the distinct rows back to the items, each with its own weight.
    disagreement, share, influence = (each[place] for each in (disagreement, share, influence))
    if annotations.weights is not None:
        share *= annotations.weights
        influence *= annotations.weights
    disputed = np.flatnonzero(share > 0)
    order = disputed[np.argsort(-share[disputed], kind="stable")]
    return ItemDisagreement(
        coefficient=point.name,
        distance=point.distance.name,
        value=float(whole.value[0]),
        observed_disagreement=float(whole.observed[0]),
        items=annotations.items,
        disagreement=disagreement,
        share=share,
        influence=influence,
        order=order,
        _annotations=annotations,
    )


def _patterns(rows: Rows) -> tuple[Rows, Any]:
    """Return the distinct rows of a table with their weights, and the index of each row in them."""
    if not rows.width:
        return rows, slice(None)
    group, first = group_equal(rows.table())
    weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
    sums = np.zeros(len(first), np.int64)
    np.add.at(sums, group, weights)
    return take_rows(rows, first).replace(weights=sums), group


#: Half of the width from which an interval is called wide.
WIDE = 0.1

#: Judgments per item above which more judgments are not recommended.
MANY = 20

#: Items that are named.
LISTED = 5


class Interval(Protocol):
    """The interval of the coefficient: a `StandardError` or a `BootstrapResult`."""

    @property
    def standard_error(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def confidence_level(self) -> float: ...
    @property
    def note(self) -> str | None: ...


def disputed_finding(
    annotations: Annotations, point: Point, result: Agreement, incomplete: Incomplete
) -> Iterator[Finding]:
    """Find a tenth of the items, or fewer, that hold half of the disagreement."""
    if result.value >= GOOD:
        return
    items = item_disagreement(
        annotations, result.coefficient, distance=point.distance, incomplete=incomplete
    )
    n_items, holding = len(items.items), items.holding(0.5)
    if holding < 1:
        return
    begin, end = items.tied(holding - 1)
    # The most disputed items are equally disputed, so no order among them is meaningful.
    alike = begin == 0 and end > holding
    if begin == 0 and end == len(items.order):
        # All disputed items are equally disputed, as always for two coders and the nominal
        # distance. That they hold the disagreement then only says how many there are.
        return
    n = end if alike else holding
    if n > 0.1 * n_items:
        return
    share = float(items.share[items.order[:n]].sum())
    top = items.most_disputed(LISTED)
    shown = ", ".join(show_label(entry.item) for entry in top)
    last = items.tied(len(top) - 1)[1]
    more = f" (and {last - LISTED:,} more tied with the last)" if last > LISTED else ""
    if alike:
        more = f" and {n - LISTED:,} more" if n > LISTED else ""
        sentence = (
            f"{_part(share)} of the disagreement lies in {n:,} of {n_items:,} items, which are "
            f"equally disputed: {shown}{more}."
        )
    else:
        sentence = (
            f"Half of the disagreement lies in {n:,} of {n_items:,} items. The most disputed are "
            f"{shown}{more}."
        )
    yield Finding(
        "disputed items",
        share * result.observed_disagreement / result.expected_disagreement,
        sentence,
        "Read these items first: what they have in common is often missing from the guidelines. "
        "Do not drop them: they are part of the task.",
        {
            "n_holding_half": holding,
            "n_equally_disputed": end - begin if end > holding else 0,
            "share": share,
            "items": [entry.item for entry in top],
            "shares": [entry.share for entry in top],
            "influences": [entry.influence for entry in top],
        },
    )


def _part(share: float) -> str:
    return "All" if share > 1 - ROUNDING else f"{share:.0%}"


def few_items_finding(
    result: Agreement, error: Interval, *, prevails: bool = False
) -> Iterator[Finding]:
    """Find an interval that is wide, includes a threshold, or rests on few judgments.

    `result`: the coefficient. `prevails`: whether one category prevails, so that a value of 0
    concerns only the others.
    """
    level = f"{100 * error.confidence_level:g}%"
    reach = (error.high - error.low) / 2
    if math.isnan(reach):
        yield Finding(
            "few items",
            math.nan,
            f"With {result.n_items:,} item{'s' * (result.n_items > 1)}, {result.coefficient} has "
            f"no interval, so its precision is unknown{f': {error.note}' if error.note else ''}.",
            "Have more items judged.",
            {"n_items": result.n_items},
        )
        return
    numbers = {
        "n_items": result.n_items,
        "standard_error": error.standard_error,
        "low": error.low,
        "high": error.high,
    }
    if error.note is not None and result.observed_disagreement > 0:
        yield Finding(
            "few items",
            min(reach, 1.0),
            f"With {result.n_items:,} items, the {level} interval of {result.coefficient} is "
            f"{error.low:.3f} to {error.high:.3f}, but it is unreliable. "
            f"{error.note[:1].upper()}{error.note[1:]}.",
            "Have more items judged, especially items of the rarer categories. Until then, the "
            "data support few conclusions.",
            numbers,
        )
        return
    if error.high < 0 or (error.low <= 0 and reach <= WIDE):
        yield Finding(
            "no agreement",
            math.nan,
            f"Coders agree {'less' if error.high < 0 else 'no more'} than expected by chance: "
            f"with {result.n_items:,} items, {result.coefficient} is {result.value:.3f} "
            f"({level} interval {error.low:.3f} to {error.high:.3f}).",
            "First check that the data were read correctly: which column is the item, which the "
            "coder, and which the label. Then let the coders discuss some items: they do not yet "
            f"share an understanding of the {'rarer ' * prevails}categories, and more judgments "
            "will not change that.",
            numbers,
        )
        return
    cuts = [t for t in THRESHOLDS if error.low < t <= error.high]
    if not (reach > WIDE or (reach > 0.02 and cuts)):
        return
    needed = math.ceil(result.n_items * (reach / 0.05) ** 2)
    if isinstance(error, Pilot):
        of_error = items_needed(error, width=0.1, confidence_level=error.confidence_level)
        needed = math.ceil(of_error * result.n_items / error.n_items)  # of documents, if clustered
    verdict = ""
    if error.low <= 0:
        verdict = ", so it is unclear whether coders agree beyond chance"
    elif cuts:
        verdict = ", so it is unclear whether it reaches " + " or ".join(f"{t:g}" for t in cuts)
    more = f"; an interval of ±0.05 requires about {needed:,} items" if reach > 0.05 else ""
    yield Finding(
        "few items",
        min(reach, 1.0),
        f"With {result.n_items:,} items, {result.coefficient} is known only to ±{reach:.3f} "
        f"({level} interval {error.low:.3f} to {min(error.high, 1.0):.3f}){verdict}.",
        f"Have more items judged{more}.",
        numbers | {"thresholds": cuts, "n_items_for_0.05": needed},
    )


def few_judgments_finding(annotations: Annotations, result: Agreement) -> Iterator[Finding]:
    """Find items without a second judgment, or too few judgments for a reliable majority."""
    dropped, n_items = result.n_items_dropped, annotations.n_items
    each = result.n_judgments / result.n_items
    value = result.value
    together = spearman_brown(value, each) if value > 0 else math.nan
    needed = judgments_needed(value, GOOD) if value > 0 else None
    numbers = {
        "judgments_an_item": each,
        "n_items_dropped": dropped,
        "n_items": n_items,
        "reliability_together": together,
        "judgments_for_0.8": needed,
    }
    if dropped > 0.05 * n_items:
        why = (
            "are left out because not all coders judged them"
            if result.incomplete == "complete"
            else "have fewer than two judgments and show nothing about agreement"
        )
        yield Finding(
            "few judgments",
            math.nan,
            f"{dropped:,} of {n_items:,} items {why}.",
            "Have them judged by more coders, or report that the value is that of the other "
            f"{result.n_items:,} items.",
            numbers,
        )
    elif value > 0 and together < GOOD and needed is not None:
        yield Finding(
            "few judgments",
            math.nan,
            f"Items with at least two judgments have {each:.3g} on average. If you use the mean "
            f"or majority of an item, its reliability is about {together:.2f} (Spearman–Brown).",
            f"With this agreement, a reliability of {GOOD:g} requires {needed:,} judgments per "
            "item; "
            + ("better guidelines require fewer." if needed <= MANY else "improve the guidelines."),
            numbers,
        )
