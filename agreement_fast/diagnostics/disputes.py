"""Items on which coders disagree, and their judgments: a list for adjudication."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances import are_sets, ranked_among, resolve, usual_names
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.linear import Ranked, linear
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.derivatives import influences
from agreement_fast.options import Incomplete, Label, check_choice, check_flag, check_several
from agreement_fast.patterns import Rows as JudgedRows
from agreement_fast.patterns import as_lists, dense, group_equal, sum_weights, take_rows
from agreement_fast.points import Point, named
from agreement_fast.present.result import Sectioned
from agreement_fast.present.sections import BRIEF, Block, Brief, Full, Rows, Section, Terms
from agreement_fast.present.tables import MadeRows, Row, of_fields
from agreement_fast.present.terminal import more, show_cell, show_label, some_of, spell_label

#: The most coders for which a table has a column each.
FEW_CODERS = 12

#: Digits to which disagreements are compared; further digits are rounding errors.
DIGITS = 12

#: The relative difference up to which sums of shares are treated as equal.
ROUNDING = 1e-12

#: Items that are printed, characters of a text, and those of who gave an item its labels.
SHOWN, TEXT, ROOM = 20, 400, 52


class ItemSums(NamedTuple):
    """A coefficient, and what each item adds to it: float64 arrays of shape (N,)."""

    value: float
    #: The mean distance between two judgments; NaN if the item does not count in D_o.
    disagreement: FloatArray
    #: The share of D_o, including the weight; 0 for items that do not count, NaN if D_o is 0.
    share: FloatArray
    influence: FloatArray


def sums_of_items(annotations: Annotations, point: Point, incomplete: Incomplete) -> ItemSums:
    """Compute the disagreement, share and influence of each item, in the order of the items."""
    rows, place = _patterns(annotations.rows)
    made = linear(annotations, [point], incomplete, rows=rows)
    sums = made.whole
    (values,) = made.values(sums)
    value = float(values.value[0])
    if point.distance.ranks:
        ranks = Ranked.of(sums.marginals["pairable"]).features[0]
        parts = made.ranked_rows(point.item_weight, ranks)
    else:
        parts = made.column((point.distance, point.item_weight))
    disagreement = np.full(len(parts), np.nan)
    np.divide(parts, made.column(point.item_weight), out=disagreement, where=made.kept)
    influence = np.full(len(parts), np.nan)
    if point.has_slope and not np.isnan(value):
        influence = np.where(made.counted, influences(made, point, sums, values=values), 0.0)
    total = float(made.weights @ parts)
    share = parts / total if total > 0 else np.full(len(parts), np.nan)
    # From the distinct rows back to the items, each with its own weight.
    weights = 1 if annotations.weights is None else annotations.weights
    return ItemSums(value, disagreement[place], share[place] * weights, influence[place] * weights)


def _patterns(rows: JudgedRows) -> tuple[JudgedRows, Any]:
    """Return the distinct rows of a table with their weights, and the index of each row in them."""
    if not rows.width:
        return rows, slice(None)
    group, first = group_equal(rows.table())
    sums = sum_weights(group, len(first), rows.weights)
    return take_rows(rows, first).replace(weights=sums), group


@dataclass(frozen=True, slots=True)
class Dispute(Row):
    """An item and its judgments.

    Attributes
    ----------
    rank : int
        1 for the most disputed items; equally disputed items have the same rank.
    item : object
        The name of the item.
    disagreement, share, influence : float
        The mean distance of two judgments of the item, its share of D_o, and its contribution to
        the coefficient; see `Disagreements`.
    counts : dict
        The number of judgments of each label, the most frequent label first.
    judgments : dict
        From coder to label, in the order of the coders; without coders who did not judge the item.
        Empty if the coders are unknown.
    text : str or None
        The text of the item, if the annotations have texts (`Annotations.with_texts`).
    """

    rank: int
    item: Any
    disagreement: float
    share: float
    influence: float
    counts: dict[Any, int]
    judgments: dict[Any, Any]
    text: str | None

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row; labels and judgments are texts."""
        counts, judgments = _spelled(self.counts), _spelled(self.judgments)
        return {**of_fields([self]), "labels": [counts], "labels_by_coder": [judgments]}

    @property
    def coders_by_label(self) -> dict[Any, tuple[Any, ...]]:
        """The coders who gave each label, the most frequent label first."""
        result: dict[Any, list[Any]] = {}
        for coder, label in self.judgments.items():
            result.setdefault(label, []).append(coder)
        # sorted() is stable: ties keep their order.
        ordered = sorted(result.items(), key=lambda entry: -len(entry[1]))
        return {label: tuple(coders) for label, coders in ordered}


def _spelled(texts: Mapping[Any, Any]) -> str:
    return "; ".join(f"{spell_label(key)}: {spell_label(value)}" for key, value in texts.items())


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Disagreements(Sectioned, MadeRows[Dispute]):
    """Items on which coders disagree, the most disputed first; made by `disagreements`.

    A sequence of `Dispute`, and a table with a row for each item. ``print(found)`` shows the first
    ones.

    Attributes
    ----------
    coefficient, distance : str
        The names of the coefficient and the distance.
    value : float
        The coefficient of the coders who are compared.
    coders : tuple
        The coders who are compared; empty if they are unknown.
    n_judged : int
        The number of items that two or more of these coders judged, and that count.
    n_disputed : int
        The number of items on which they disagree, including items that are not listed.
    places : int64 array of shape (n,)
        The place of each listed item among the items of the data.
    ranks : int64 array of shape (n,)
        1 for the most disputed of the listed items; equally disputed items have the same rank.
    disagreement : float64 array of shape (n,)
        The mean distance of two judgments of the item.
    share : float64 array of shape (n,)
        The item's share of D_o, including its weight. The shares of all items add up to 1; NaN if
        D_o is 0.
    influence : float64 array of shape (n,)
        The item's contribution to the coefficient, to first order: its weight times the derivative
        of the coefficient with respect to that weight (the infinitesimal jackknife, Jaeckel 1972).
        Without the item, the coefficient would be lower by about this value; the error decreases
        with the square of the number of items. NaN if the coefficient is undefined, or if the
        derivative of its chance model is not known.
    """

    coefficient: str
    distance: str
    value: float
    coders: tuple[Any, ...]
    n_judged: int
    n_disputed: int
    places: Array
    ranks: Array
    disagreement: FloatArray
    share: FloatArray
    influence: FloatArray
    _annotations: Annotations

    def __len__(self) -> int:
        return len(self.places)

    def head(self, n: int) -> Disagreements:
        """Return the first n items."""
        names = ("places", "ranks", "disagreement", "share", "influence")
        return replace(self, **{name: getattr(self, name)[:n] for name in names})

    def tied_after(self, n: int) -> int:
        """Count the items after the first n that are as disputed as the n-th.

        Equally disputed items keep the order of the data.
        """
        if not 0 < n < len(self):
            return 0
        return int(np.count_nonzero(self.ranks[n:] == self.ranks[n - 1]))

    def holding(self, share: float = 0.5) -> int:
        """Return how many of the listed items, those with the largest shares, hold a share of D_o.

        0 if the coders do not disagree.
        """
        if not self.n_disputed:
            return 0
        held = np.cumsum(-np.sort(-self.share))
        # A sum that equals the share but for rounding errors is enough.
        return int(np.searchsorted(held, share * (1 - ROUNDING))) + 1

    def _made(self, places: Sequence[int]) -> Iterator[Dispute]:
        annotations = self._annotations
        labels, texts = annotations.categories, annotations.texts
        chosen = np.asarray(places, np.int64)
        rows = as_lists(take_rows(annotations.rows, self.places[chosen]))
        numbers = zip(
            *(
                x[chosen].tolist()
                for x in (self.ranks, self.disagreement, self.share, self.influence)
            ),
            strict=True,
        )
        for i, (rank, disagreement, share, influence) in enumerate(numbers):
            judged = slice(int(rows.start[i]), int(rows.start[i + 1]))
            codes = rows.codes[judged].tolist()
            times = [1] * len(codes) if rows.repeats is None else rows.repeats[judged].tolist()
            counts: Counter[int] = Counter()
            for code, n in sorted(zip(codes, times, strict=True)):
                counts[code] += n if code >= 0 else 0
            judgments = {}
            if self.coders and rows.coders is not None:
                pairs = sorted(zip(rows.coders[judged].tolist(), codes, strict=True))
                judgments = {self.coders[c]: labels[code] for c, code in pairs if code >= 0}
            item = annotations.items[self.places[chosen[i]]]
            yield Dispute(
                rank=rank,
                item=as_plain(item),
                disagreement=disagreement,
                share=share,
                influence=influence,
                counts={labels[code]: n for code, n in counts.most_common() if n},
                judgments=judgments,
                text=texts.get(item),
            )

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with a row for each item.

        Returns
        -------
        dict
            "rank", "item", "text" (if the items have texts), "disagreement", "share", "influence"
            and "weight" (if the items have weights), then a column for each coder, with None for a
            missing judgment. With more than 12 coders, a single column "labels_by_coder":
            "coder: label; coder: label". If the coders are unknown, "labels": "label: number".
        """
        annotations = self._annotations
        items = [as_plain(annotations.items[i]) for i in self.places.tolist()]
        columns: dict[str, Sequence[Any] | Array] = {"rank": self.ranks, "item": items}
        if annotations.texts:
            columns["text"] = [annotations.texts.get(item) for item in items]
        for name in ("disagreement", "share", "influence"):
            columns[name] = getattr(self, name)
        if annotations.weights is not None:
            columns["weight"] = annotations.weights[self.places]
        if not self.coders:
            columns["labels"] = [_spelled(entry.counts) for entry in self]
        elif len(self.coders) > FEW_CODERS:
            columns["labels_by_coder"] = [_spelled(entry.judgments) for entry in self]
        else:
            codes = dense(take_rows(annotations.rows, self.places), len(self.coders))
            labels: Array = np.fromiter((*annotations.categories, None), object)
            for coder, column in zip(self.coders, labels[codes].T, strict=True):
                name = spell_label(coder)
                while name in columns:
                    name = f"coder_{name}"
                columns[name] = column.tolist()
        return columns

    def __repr__(self) -> str:
        what = "items" if self._annotations.weights is None else "weighted rows"
        return (
            f"<{self.n_disputed:,} of {self.n_judged:,} {what} on which coders disagree, "
            f"{len(self):,} listed>"
        )

    def sections(self, limit: int | None = None, chosen: str = "") -> list[Section]:
        """Say how many items are disputed, and list the first of them.

        Parameters
        ----------
        limit : int, optional
            How many are listed; by default 20, and how to see the others.
        chosen : str
            What is said of the choice of items.
        """
        n, judged, most = self.n_disputed, self.n_judged, SHOWN if limit is None else limit
        share = f" ({n / judged:.1%})" if judged else ""
        says = f"{n:,} of the {judged:,} items that two or more judged{share}. {chosen}".rstrip()
        following = []
        if len(self) > most:
            n_tied = self.tied_after(most)
            are = "is" if n_tied == 1 else "are"
            tied = f"; {n_tied:,} of the others {are} as disputed as the last of them"
            following.append(f"The first {most:,} follow{tied * bool(n_tied)}.")
            if limit is None:
                following.append("--csv FILE, or write_csv, writes all of them.")
        if len(self):
            following.append(
                "In front of who said what is the item's disagreement: the mean distance"
                f" ({self.distance}) of two judgments of it."
            )
        shown = self[:most]
        head = ("disagreement", "who said what")
        of_each = Terms([_with_labels(entry) for entry in shown], wide=8, head=head, apart=True)
        blocks: list[Block] = [Brief(says), Full(" ".join([says, *following])), Full(of_each)]
        if len(self):
            rows = [
                (entry.disagreement, show_label(entry.item, 24), show_label(_who(entry), ROOM))
                for entry in shown[:BRIEF]
            ]
            blocks.append(Brief(Rows((head[0], "item", head[1]), rows, "><<")))
        if len(self) > BRIEF:
            blocks.append(
                Brief(more(len(self) - BRIEF, "item", "--csv FILE, or write_csv, has all"))
            )
        who = "coders"
        if len(self.coders) < len(self._annotations.coders or ()):
            who = " and ".join(show_label(coder, 24) for coder in self.coders)
        return [Section(f"Items on which {who} differ", blocks)]


def as_plain(item: Any) -> Any:
    """Return a name as a Python object instead of a numpy scalar."""
    return item.item() if isinstance(item, np.generic) else item


def _labels_of(dispute: Dispute, label: int, coders: int, name: int) -> list[str]:
    """Return who gave each label, or how many, with labels and names of at most this length."""
    counts: Mapping[Any, Any] = dispute.coders_by_label or dispute.counts
    return [
        f"{show_label(key, label)}: {n if isinstance(n, int) else some_of(n, coders, name)}"
        for key, n in counts.items()
    ]


def _who(dispute: Dispute) -> str:
    return "; ".join(_labels_of(dispute, 16, 3, 12))


def _with_labels(dispute: Dispute) -> tuple[str, list[str]]:
    """Return an item with its text, and a line for each label."""
    item = show_label(dispute.item, 72)
    texts = [] if dispute.text is None else [show_label(dispute.text, TEXT)]
    return show_cell(dispute.disagreement), [item, *texts, *_labels_of(dispute, 40, SHOWN, 24)]


def usual_point(annotations: Annotations, coefficient: str, distance: Any) -> Point:
    """Return a coefficient and its distance, by default "masi" for sets if it takes one."""
    if distance is None:
        of_sets = are_sets(annotations.labels) and not named(coefficient).nominal_only
        distance = usual_names(of_sets)[-1]
    return Point.of(coefficient, distance)


def disagreements(
    data: JudgmentsLike,
    coefficient: str = "alpha",
    *,
    distance: DistanceLike | None = None,
    incomplete: Incomplete = "published",
    between: Sequence[Label] | None = None,
    between_labels: Sequence[Label] | None = None,
    include_agreed: bool = False,
    sort: Literal["disagreement", "share", "item"] = "disagreement",
    **reading: Unpack[ReadingOptions],
) -> Disagreements:
    """List the items on which coders disagree, the most disputed first, and their judgments.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments.
    coefficient : str, default "alpha"
        The name of the coefficient on which items have an influence. It determines the weights of
        the items in D_o: some coefficients weigh items by their number of judgments.
    distance : str, Distance, array, mapping or function, optional
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. By default
        "nominal", or "masi" if labels are sets and the coefficient takes a distance.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing. "published": those that the coefficient's
        authors count. "pairable": items with two judgments or more. "complete": items that every
        coder judged.
    between : sequence of coders, optional
        Compare only these coders (at least two).
    between_labels : sequence of two labels, optional
        List only items with exactly these two labels.
    include_agreed : bool, default False
        Also list items on which all coders agree, if at least two judged them.
    sort : {"disagreement", "share", "item"}, default "disagreement"
        What comes first: the items with the largest disagreement, those with the largest share of
        D_o, or the first items of the data. Ranks are by share for "share", else by disagreement.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Disagreements
        The items, the most disputed first; equally disputed items keep the order of the data.

    Raises
    ------
    ValueError
        If the coefficient, the distance or `incomplete` is not valid, or a coder or label does not
        exist.

    Notes
    -----
    The disagreement of item i is Σ_jl n_ij n_il d_jl / (n_i (n_i − 1)), the mean distance between
    two judgments of it (Artstein & Poesio 2005, 2.5). For the nominal distance, it is the share of
    pairs of coders who disagree. The weight of an item has no effect on it, and is part of its
    share and influence. O(judgments + n log n) for n items.

    Examples
    --------
    >>> from agreement_fast.diagnostics import disagreements
    >>> table = [("x", "x", "x"), ("x", "y", "z"), ("y", "y", "x"), ("z", "z", None)]
    >>> for one in disagreements(table):
    ...     print(one.rank, one.item, round(one.disagreement, 3), one.judgments)
    1 1 1.0 {0: 'x', 1: 'y', 2: 'z'}
    2 2 0.667 {0: 'y', 1: 'y', 2: 'x'}
    >>> disagreements(table, include_agreed=True, sort="item").share.round(3).tolist()
    [0.0, 0.6, 0.4, 0.0]
    """
    check_flag("include_agreed", include_agreed)
    check_choice("sort", sort, ("disagreement", "share", "item"))
    annotations = as_annotations(data, **reading)
    point = usual_point(annotations, coefficient, None if distance is None else resolve(distance))
    point = replace(point, distance=ranked_among(point.distance, annotations.labels))
    both = None if between_labels is None else _two_labels(annotations, between_labels)
    if between is not None:
        listed = check_several("between", between, "a sequence of coders")
        if len(listed) < 2:
            raise InputError.must_be("between", "two coders or more", between)
        annotations = annotations.select(coders=listed)
    sums = sums_of_items(annotations, point, incomplete)
    values = np.nan_to_num(sums.share if sort == "share" else sums.disagreement)
    judged = ~np.isnan(sums.disagreement)
    disputed = judged & (values > 0)
    kept = judged if include_agreed else disputed
    if both is not None:
        kept = kept & _given_exactly(annotations, both)
    places = np.flatnonzero(kept)
    # The last digits depend on the order of additions.
    scaled = values[places] / (float(values[places].max(initial=0.0)) or 1.0)
    keys = -np.round(scaled, DIGITS)
    # The rank is 1 plus the number of items that are more disputed.
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-np.inf))
    ranks = np.repeat(first + 1, np.diff(first, append=len(keys)))
    if sort == "item":
        ranks[order] = ranks.copy()
    else:
        places = places[order]
    known = annotations.coders is not None and annotations.kept_marginals is None
    return Disagreements(
        coefficient=point.name,
        distance=point.distance.name,
        value=sums.value,
        coders=tuple(annotations.coders or ()) if known else (),
        n_judged=int(np.count_nonzero(judged)),
        n_disputed=int(np.count_nonzero(disputed)),
        places=places,
        ranks=ranks,
        disagreement=sums.disagreement[places],
        share=sums.share[places],
        influence=sums.influence[places],
        _annotations=annotations,
    )


def _two_labels(annotations: Annotations, labels: Sequence[Any]) -> tuple[Any, Any]:
    listed = check_several("between_labels", labels, "a sequence of two labels")
    if len(listed) != 2 or listed[0] == listed[1]:
        raise InputError.must_be("between_labels", "two different labels", labels)
    known = set(annotations.categories)
    for label in listed:
        if label not in known:
            some = some_of(annotations.categories, 8, 24)
            raise InputError(
                (f"no label {label!r} in ", Argument("between_labels"), f": there are {some}")
            )
    return listed[0], listed[1]


def _given_exactly(annotations: Annotations, labels: tuple[Any, Any]) -> Array:
    """Return whether each item has these two labels and no other: bool of shape (items,)."""
    rows = as_lists(annotations.rows)
    row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
    place = {label: i for i, label in enumerate(annotations.categories)}
    both = [place.get(label, -2) for label in labels]  # a selection may have lost a label
    given = [np.bincount(row[rows.codes == code], minlength=rows.n_rows) > 0 for code in both]
    other = (rows.codes >= 0) & ~np.isin(rows.codes, both)
    without = np.bincount(row[other], minlength=rows.n_rows) == 0
    return np.asarray(given[0] & given[1] & without)
