"""The section of the items: the most disputed ones, and the labels of each coder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.diagnostics import ItemDisagreement
from agreement_fast.page.rendering import as_json
from agreement_fast.page.words import clean, count, label, percent, value
from agreement_fast.patterns import Rows, counts_of, row_of, row_sizes, take_rows

#: The most items of a page.
MOST = 2000

#: The most characters of an item's text.
TEXT = 400

#: Items that are listed without the script of the page.
WRITTEN = 20

#: The most judgments of an item whose coders are listed, and the most labels of other items.
JUDGMENTS = 200
LABELS = 50


@dataclass(frozen=True)
class Items:
    """The most disputed items, up to the number that a page can have.

    Attributes
    ----------
    rows : list of list
        For each item its name, disagreement, share of D_o, weight, text, and judgments: coder,
        label, coder, label, ... If coders are unknown or too many: number, label, number, label,
        ...
    coders, labels : list of str
        The names of the codes in the judgments.
    n_disputed, n_items : int
        The number of rows with any disagreement, and of all rows.
    holding : int
        How many of them hold half of the disagreement.
    weighted, with_coders, too_many, with_texts, named : bool
    """

    rows: list[list[Any]]
    coders: list[str]
    labels: list[str]
    n_disputed: int
    n_items: int
    holding: int
    weighted: bool
    with_coders: bool
    too_many: bool
    with_texts: bool
    named: bool

    def fitting(self, room: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the values of the template `items.html`, and the data of its script.

        Parameters
        ----------
        room : int
            The most bytes of the data.
        """
        left, n = room - _size(self.coders) - _size(self.labels), 0
        for row in self.rows:
            left -= _size(row)
            if left < 0:
                break
            n += 1
        rows = self.rows[:n]
        known = {
            "coders": self.coders,
            "labels": self.labels,
            "rows": rows,
            "weighted": self.weighted,
            "known": self.with_coders,
        }
        shown = {
            "rows": [self._written(row) for row in rows[:WRITTEN]],
            "n_shown": count(n),
            "n_disputed": count(self.n_disputed),
            "n_items": count(self.n_items),
            "all_shown": n == self.n_disputed,
            "any": self.n_disputed > 0,
            "holding": count(self.holding),
            "one": self.holding == 1,
            "weighted": self.weighted,
            "with_coders": self.with_coders,
            "with_texts": self.with_texts,
            "named": self.named,
            "text_limit": TEXT,
            "too_many": self.too_many,
            "judgments_limit": JUDGMENTS,
            "labels_limit": LABELS,
        }
        return shown, known

    def _written(self, row: list[Any]) -> dict[str, Any]:
        """Return an item as shown without the script of the page."""
        name, disagreement, share, weight, text, judgments = row
        said: dict[int, list[str]] = {}
        numbers: dict[int, int] = {}
        for who, what in zip(judgments[::2], judgments[1::2], strict=True):
            if self.with_coders:
                said.setdefault(what, []).append(self.coders[who])
            numbers[what] = numbers.get(what, 0) + (1 if self.with_coders else who)
        groups = sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))
        return {
            "name": name,
            "disagreement": value(disagreement),
            "share": percent(share, 2),
            "weight": count(weight),
            "text": text,
            "link": text if text.startswith(("https://", "http://")) and " " not in text else "",
            "said": [
                (self.labels[what], count(n), ", ".join(said.get(what, ()))) for what, n in groups
            ],
        }


def items(found: ItemDisagreement, annotations: Annotations, *, texts: bool, named: bool) -> Items:
    """Gather the most disputed items.

    Parameters
    ----------
    found : ItemDisagreement
        The disagreement of the items.
    annotations : Annotations
        The judgments of these items.
    texts : bool
        Whether to show the texts of the items.
    named : bool
        Whether items have names; if not, equal items were added up.
    """
    picked = found.order[:MOST]
    rows = take_rows(annotations.rows, picked)
    known = annotations.coders is not None and annotations.kept_marginals is None
    too_many = known and int(row_sizes(rows).max(initial=0)) > JUDGMENTS
    with_coders = known and not too_many
    coders: list[str] = []
    if with_coders:
        row, who, what = _who(rows)
        used, who = np.unique(who, return_inverse=True)
        names = annotations.coders or ()
        coders = [label(names[c], 40) for c in used.tolist()]
    else:
        row, who, what = _how_many(rows, len(annotations.labels))
    kinds, what = np.unique(what, return_inverse=True)
    # The judgments of each row: coder, label, coder, label,
    n = len(picked)
    both = np.column_stack([who, what]).astype(np.int64)
    ends = np.searchsorted(row, np.arange(n + 1)).tolist()
    judgments = [both[ends[i] : ends[i + 1]].ravel().tolist() for i in range(n)]
    names_of = found.items
    weights = rows.weights
    known_texts = annotations.texts if texts else {}
    made = []
    for place, i in enumerate(picked.tolist()):
        name = names_of[i]
        text = clean(known_texts.get(name, "")[: 2 * TEXT])
        made.append(
            [
                label(name, 60) if named else f"kind {place + 1}",
                round(float(found.disagreement[i]), 4),
                float(f"{found.share[i]:.4g}"),
                1 if weights is None else int(weights[place]),
                text if len(text) <= TEXT else text[: TEXT - 1] + "…",
                judgments[place],
            ]
        )
    return Items(
        rows=made,
        coders=coders,
        labels=[label(annotations.categories[k], 40) for k in kinds.tolist()],
        n_disputed=len(found.order),
        n_items=annotations.n_rows,
        holding=found.holding(),
        weighted=weights is not None,
        with_coders=with_coders,
        too_many=too_many,
        with_texts=any(one[4] for one in made),
        named=named,
    )


def _who(rows: Rows) -> tuple[Array, Array, Array]:
    """Return the row, the coder and the code of each judgment."""
    where = np.flatnonzero(rows.codes >= 0)
    who = where % rows.width if rows.width else np.asarray(rows.coders)[where]
    return row_of(rows, where), who, np.asarray(rows.codes)[where]


def _how_many(rows: Rows, K: int) -> tuple[Array, Array, Array]:
    """Return the row, number and code of the most frequent labels of each row."""
    parts: list[tuple[Array, Array, Array]] = []
    for place in range(rows.n_rows):
        counts = counts_of(rows, range(place, place + 1), K)[0]
        most = np.argsort(-counts, kind="stable")[:LABELS]
        most = most[counts[most] > 0]
        parts.append((np.full(len(most), place), counts[most], most))
    if not parts:
        return (np.zeros(0, np.int64),) * 3
    row, number, code = (np.concatenate(column) for column in zip(*parts, strict=True))
    return row, number, code


def _size(value: Any) -> int:
    """Return the number of bytes of a value in the page."""
    return len(as_json(value).encode()) + 1
