"""Items on which coders disagree, and who said what: a list for adjudication."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack, overload

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, as_annotations
from agreement_fast.diagnostics.items import item_disagreement
from agreement_fast.distances import are_sets, ranked_among, resolve, usual_names
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_flag, check_several
from agreement_fast.patterns import as_lists, dense, take_rows
from agreement_fast.present.tables import Row, Tabular, of_fields
from agreement_fast.present.terminal import align, show_label, some_of, spell_label
from agreement_fast.reading.recognition.recognise import ReadingOptions

#: The most coders for which a table has a column each.
FEW_CODERS = 12

#: Digits to which disagreements are compared; further digits are rounding errors.
DIGITS = 12

#: Items that are printed.
SHOWN = 10


@dataclass(frozen=True, slots=True)
class Dispute(Row):
    """An item and what each coder said about it.

    Attributes
    ----------
    rank : int
        1 for the most disputed items; equally disputed items have the same rank.
    item : object
        The name of the item.
    disagreement : float
        The mean distance of two judgments of the item.
    judgments : dict
        From coder to label, in the order of the coders; without coders who did not judge the item.
    text : str or None
        The text of the item, if the annotations have texts (`Annotations.with_texts`).
    """

    rank: int
    item: Any
    disagreement: float
    judgments: dict[Any, Any]
    text: str | None = None

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return the columns of a table with one row; who said what is a text."""
        return {**of_fields([self]), "said": [_said(self)]}

    @property
    def coders_by_label(self) -> dict[Any, tuple[Any, ...]]:
        """The coders who gave each label, the most frequent label first."""
        result: dict[Any, list[Any]] = {}
        for coder, label in self.judgments.items():
            result.setdefault(label, []).append(coder)
        # sorted() is stable: ties keep their order.
        ordered = sorted(result.items(), key=lambda entry: -len(entry[1]))
        return {label: tuple(coders) for label, coders in ordered}


class Disagreements(Tabular, Sequence[Dispute]):
    """Items on which coders disagree, the most disputed first; made by `disagreements`.

    A sequence of `Dispute`, and a table with a row for each item. ``print(found)`` shows the first
    ones.

    Attributes
    ----------
    distance : str
        The name of the distance.
    coders : tuple
        The coders who are compared.
    n_judged : int
        The number of items that two or more of these coders judged.
    n_disputed : int
        The number of items on which they disagree, including items that are not listed.
    ranks : int64 array of shape (n,)
        1 for the most disputed of the listed items; equally disputed items have the same rank.
    disagreement : float64 array of shape (n,)
        The mean distance of two judgments of the item.
    """

    def __init__(
        self,
        annotations: Annotations,
        places: Array,
        disagreement: FloatArray,
        ranks: Array,
        distance: str,
        counts: tuple[int, int],
    ) -> None:
        self.distance = distance
        self.coders: tuple[Any, ...] = annotations.coders or ()
        self.n_judged, self.n_disputed = counts
        self.disagreement = disagreement
        self.ranks = ranks
        self._annotations = annotations
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Dispute: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Dispute]: ...
    def __getitem__(self, place: int | slice) -> Dispute | Sequence[Dispute]:
        if isinstance(place, slice):
            return list(self._disputes(range(*place.indices(len(self)))))
        return next(self._disputes([range(len(self))[place]]))

    def __iter__(self) -> Iterator[Dispute]:
        return self._disputes(range(len(self)))

    def head(self, n: int) -> Disagreements:
        """Return the first n items."""
        return Disagreements(
            self._annotations,
            self._places[:n],
            self.disagreement[:n],
            self.ranks[:n],
            self.distance,
            (self.n_judged, self.n_disputed),
        )

    def tied_after(self, n: int) -> int:
        """Count the items after the first n that are as disputed as the n-th.

        Equally disputed items keep the order of the data.
        """
        if not 0 < n < len(self):
            return 0
        return int(np.count_nonzero(self.ranks[n:] == self.ranks[n - 1]))

    def _disputes(self, places: Sequence[int]) -> Iterator[Dispute]:
        annotations = self._annotations
        labels, texts = annotations.categories, annotations.texts
        chosen = np.asarray(places, np.int64)
        rows = as_lists(take_rows(annotations.rows, self._places[chosen]))
        assert rows.coders is not None
        start, coders, codes = rows.start.tolist(), rows.coders.tolist(), rows.codes.tolist()
        for i, place in enumerate(chosen.tolist()):
            values = sorted(
                (coders[j], codes[j]) for j in range(start[i], start[i + 1]) if codes[j] >= 0
            )
            item = annotations.items[self._places[place]]
            yield Dispute(
                rank=int(self.ranks[place]),
                item=as_plain(item),
                disagreement=float(self.disagreement[place]),
                judgments={self.coders[coder]: labels[code] for coder, code in values},
                text=texts.get(item),
            )

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with a row for each item.

        Returns
        -------
        dict
            "rank", "item", "text" (if the items have texts), "disagreement" and "weight" (if the
            items have weights), then a column for each coder, with None for a missing judgment.
            With more than 12 coders, a single column "said": "coder: label; coder: label".
        """
        annotations = self._annotations
        items = [as_plain(annotations.items[i]) for i in self._places.tolist()]
        columns: dict[str, Sequence[Any] | Array] = {"rank": self.ranks, "item": items}
        if annotations.texts:
            columns["text"] = [annotations.texts.get(item) for item in items]
        columns["disagreement"] = self.disagreement
        if annotations.weights is not None:
            columns["weight"] = annotations.weights[self._places]
        if len(self.coders) > FEW_CODERS:
            columns["said"] = [_said(entry) for entry in self]
            return columns
        labels = self._table()
        for coder, column in zip(self.coders, labels.T, strict=True):
            name = spell_label(coder)
            while name in columns:
                name = f"coder_{name}"
            columns[name] = column.tolist()
        return columns

    def _table(self) -> Array:
        """Return the label of each item by each coder: objects (n, coders), None for missing."""
        annotations = self._annotations
        codes = dense(take_rows(annotations.rows, self._places), len(self.coders))
        labels: Array = np.fromiter((*annotations.categories, None), object)
        return labels[codes]

    def __repr__(self) -> str:
        what = "items" if self._annotations.weights is None else "weighted rows"
        return (
            f"<{self.n_disputed:,} of {self.n_judged:,} {what} on which coders disagree, "
            f"{len(self):,} listed>"
        )

    def __str__(self) -> str:
        rows = [
            (str(entry.rank), show_label(entry.item), f"{entry.disagreement:.4f}", show_said(entry))
            for entry in self[:SHOWN]
        ]
        lines = [repr(self)[1:-1], *align(("rank", "item", "disagreement", "said"), rows, "><><")]
        more = self.tied_after(SHOWN)
        if more:
            lines.append(f"  and {more:,} more, as disputed as the last one")
        return "\n".join(lines)


def as_plain(item: Any) -> Any:
    """Return a name as a Python object instead of a numpy scalar."""
    return item.item() if isinstance(item, np.generic) else item


def show_said(dispute: Dispute, limit: int = 5) -> str:
    """Return the coders who gave each label, for a terminal."""
    parts = []
    for label, coders in dispute.coders_by_label.items():
        names = some_of(coders, limit, 24)
        parts.append(f"{show_label(label)}: {names}")
    return "; ".join(parts)


def _said(dispute: Dispute) -> str:
    return "; ".join(f"{spell_label(c)}: {spell_label(y)}" for c, y in dispute.judgments.items())


def disagreements(
    data: JudgmentsLike,
    *,
    distance: DistanceLike | None = None,
    between: Sequence[Any] | None = None,
    between_labels: Sequence[Any] | None = None,
    include_agreed: bool = False,
    **reading: Unpack[ReadingOptions],
) -> Disagreements:
    """List the items on which coders disagree, the most disputed first, and who said what.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    distance : str, Distance, array, mapping or function, optional
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. By default
        "nominal", or "masi" if labels are sets.
    between : sequence of coders, optional
        Compare only these coders (at least two).
    between_labels : sequence of two labels, optional
        List only items with exactly these two labels.
    include_agreed : bool, default False
        Also list items on which all coders agree, if at least two judged them.

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
        If the coders are unknown, or a coder or label does not exist.

    Notes
    -----
    The disagreement of an item is the mean distance between two judgments of it (Artstein & Poesio
    2005, 2.5). For the nominal distance, it is the share of pairs of coders who disagree. The
    weight of an item has no effect. O(judgments + n log n) for n items.

    Examples
    --------
    >>> from agreement_fast.diagnostics import disagreements
    >>> table = [("x", "x", "x"), ("x", "y", "z"), ("y", "y", "x"), ("z", "z", None)]
    >>> for one in disagreements(table):
    ...     print(one.rank, one.item, round(one.disagreement, 3), one.judgments)
    1 1 1.0 {0: 'x', 1: 'y', 2: 'z'}
    2 2 0.667 {0: 'y', 1: 'y', 2: 'x'}
    """
    check_flag("include_agreed", include_agreed)
    annotations = as_annotations(data, **reading)
    annotations.known_coders("disagreements()")
    whole = annotations.labels
    if distance is None:
        distance = usual_names(are_sets(whole))[-1]
    distance = ranked_among(resolve(distance), whole)
    both = None if between_labels is None else _two_labels(annotations, between_labels)
    if between is not None:
        listed = check_several("between", between, "a sequence of coders")
        if len(listed) < 2:
            raise InputError.must_be("between", "two coders or more", between)
        annotations = annotations.select(coders=listed)
    result = item_disagreement(annotations, distance=distance).disagreement
    judged = ~np.isnan(result)
    disputed = judged & (result > 0)
    kept = judged if include_agreed else disputed
    if both is not None:
        kept = kept & _given_exactly(annotations, both)
    places = np.flatnonzero(kept)
    # The last digits depend on the order of additions.
    scaled = result[places] / (float(result[places].max(initial=0.0)) or 1.0)
    keys = -np.round(scaled, DIGITS)
    order = np.argsort(keys, kind="stable")
    # The rank is 1 plus the number of items that are more disputed.
    ranks = np.searchsorted(keys[order], keys[order], side="left") + 1
    counts = int(np.count_nonzero(judged)), int(np.count_nonzero(disputed))
    places = places[order]
    return Disagreements(annotations, places, result[places], ranks, distance.name, counts)


def _two_labels(annotations: Annotations, labels: Sequence[Any]) -> tuple[Any, Any]:
    listed = check_several("between_labels", labels, "a sequence of two labels")
    if len(listed) != 2 or listed[0] == listed[1]:
        raise InputError.must_be("between_labels", "two different labels", labels)
    known = set(annotations.categories)
    for label in listed:
        if label not in known:
            some = ", ".join(show_label(category, 24) for category in annotations.categories[:8])
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
    there = [np.bincount(row[rows.codes == code], minlength=rows.n_rows) > 0 for code in both]
    other = (rows.codes >= 0) & ~np.isin(rows.codes, both)
    without = np.bincount(row[other], minlength=rows.n_rows) == 0
    exactly: Array = there[0] & there[1] & without
    return exactly
