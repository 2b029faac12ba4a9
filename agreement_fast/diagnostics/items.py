"""The disagreement of each item, and its influence on a coefficient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.inference.delta_method import influences
from agreement_fast.inference.resample import counted_weights, whole_sums
from agreement_fast.patterns import Rows, counts_of, group_equal, take_rows
from agreement_fast.points import Point
from agreement_fast.sums.linear import Ranked, linear
from agreement_fast.tables import Listing, Row, Tabular
from agreement_fast.terminal import align, number_of, show_label, show_number, spell_label

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
        found = []
        for i, said in zip(picked.tolist(), counts, strict=True):
            order = np.argsort(-said, kind="stable")
            found.append(
                DisputedItem(
                    self.items[i],
                    float(self.disagreement[i]),
                    float(self.share[i]),
                    float(self.influence[i]),
                    {labels[k]: int(said[k]) for k in order.tolist() if said[k]},
                    annotations.texts.get(self.items[i]),
                )
            )
        return DisputedItems(found)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with a row for each item, in the order of the items."""
        texts = self._annotations.texts
        found: dict[str, Sequence[Any] | Array] = {
            "item": self.items,
            "disagreement": self.disagreement,
            "share": self.share,
            "influence": self.influence,
        }
        return {**found, "text": [texts.get(item) for item in self.items]} if texts else found

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
                show_label(one.item),
                show_number(one.disagreement),
                f"{one.share:.2%}",
                f"{one.influence:+.6f}",
                ", ".join(f"{show_label(label, 20)}: {n}" for label, n in one.counts.items()),
            )
            for one in disputed
        ]
        head = ("item", "disagreement", "of D_o", "influence", "labels")
        title, *listed = align(head, rows, "<>>><")
        lines = [repr(self)[1:-1], title]
        for one, row in zip(disputed, listed, strict=True):
            lines += [row, *([] if one.text is None else [f"    {show_label(one.text, 88)}"])]
        more = self.tied(SHOWN - 1)[1] - SHOWN if len(self.order) > SHOWN else 0
        if more:
            lines.append(f"  and {more:,} more, as disputed as the last one")
        return "\n".join(lines)


def disputed_columns(items: Sequence[DisputedItem]) -> Mapping[str, Sequence[Any]]:
    """Return the columns of a table of items; their labels are a text such as "x: 2, y: 1"."""
    return {
        "item": [one.item for one in items],
        "labels": [
            ", ".join(f"{spell_label(label)}: {n}" for label, n in one.counts.items())
            for one in items
        ],
        "disagreement": [one.disagreement for one in items],
        "share": [one.share for one in items],
        "influence": [one.influence for one in items],
        "text": [one.text for one in items],
    }


class DisputedItems(Listing[DisputedItem]):
    """The most disputed items, as a sequence and a table."""

    def columns(self) -> Mapping[str, Sequence[Any]]:
        return disputed_columns(self)


def item_disagreement(
    data: Any,
    coefficient: str = "alpha",
    *,
    distance: Any = "nominal",
    incomplete: str = "published",
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
    annotations = as_annotations(data)
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
