"""The sections of categories and items on a page."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics import category_agreement, category_confusions
from agreement_fast.diagnostics.disputes import Disagreements
from agreement_fast.patterns import counts_of, row_of, row_sizes, take_rows
from agreement_fast.present.markup import clean, label
from agreement_fast.present.sections import Bar, Rows, Section, Shade, Whisker, details
from agreement_fast.present.tables import of_each
from agreement_fast.present.terminal import show_label, show_value
from agreement_fast.reports.coders import CLUSTERED, numbered, sentences
from agreement_fast.reports.intervals import interval_of, shown_ends
from agreement_fast.reports.rendering import as_json

if TYPE_CHECKING:
    from agreement_fast.reports.content import Report

#: The most categories for which the agreement on each is computed.
MOST_CATEGORIES = 1000

#: The most categories of the table, of the matrix of confusions, and the most pairs.
LISTED = 30
CROSSED = 15
PAIRS = 10


def category_sections(annotations: Annotations, report: Report) -> list[Section]:
    """Return the agreement on each category, their confusions, and the effect of merging."""
    n = len(report.categories)
    if n > MOST_CATEGORIES:
        text = f"There are {n:,} different labels, too many to examine. Round or merge them first."
        return [Section("Agreement on each category", [text])]
    if not n:
        return []
    table = category_agreement(annotations, confidence_level=report.observed.confidence_level)
    counts = np.array([row.n_judgments for row in table])
    order = np.argsort(-counts, kind="stable")
    places = np.sort(order[:LISTED]).tolist()
    columns = table.to_dict()
    if report.clustered:
        for name in ("specific_low", "specific_high", "alpha_low", "alpha_high"):
            columns[name] = [math.nan] * n
    # With two categories, α of each against the other is the coefficient itself.
    if np.count_nonzero(counts) == 2:
        for k in places:
            same = interval_of(report, ("alpha",), table[k].alpha)
            if same is not None:
                columns["alpha_low"][k], columns["alpha_high"][k] = shown_ends(same)
    ends = ("specific_agreement", "specific_low", "specific_high")
    columns["drawn"] = [Whisker(*row) for row in zip(*(columns[end] for end in ends), strict=True)]
    text = sentences(
        "Specific agreement: if one coder chooses the category, how often does another? α is that"
        " of the category against all others combined.",
        any(isinstance(row.label, frozenset) for row in table)
        and "Labels are sets: {a} stands for judgments of a alone.",
        table.uneven and "Each judgment counts the same, so items with more judgments count more.",
        report.clustered and CLUSTERED,
        n > LISTED and f"The {LISTED} most frequent of {n:,} categories are shown.",
    )
    layout = (
        "category | judgments = n_judgments | specific agreement = specific_agreement |"
        " specific_low..high |  = drawn | α = alpha | alpha_low..high"
    )
    shown = Rows.laid(columns, layout, places, limit=48, level=report.observed.confidence_level)
    confused = _confusions(annotations, np.sort(order[:CROSSED]).tolist(), n)
    return [Section("Agreement on each category", [text, shown]), *confused]


#: The ratios to chance at which the next shade begins.
RATIOS = (0.25, 0.5, 1.0, 1.5, 3.0)


def _confusions(annotations: Annotations, top: list[int], n: int) -> list[Section]:
    """Return the confusions of the most frequent categories, and the worst pairs."""
    met = annotations.coincidence_matrix()
    counts = met.sum(0)
    total = float(counts.sum())
    if n < 2 or total < 2 or np.count_nonzero(counts) < 2:
        return []
    expected = annotations.expected_coincidences().values
    ratio = np.full(met.shape, math.nan)
    np.divide(met, expected, out=ratio, where=expected > 0)
    names = [show_label(annotations.categories[k], 24) for k in top]

    def cell(i: int, j: int) -> Shade:
        a, b = top[i], top[j]
        value = float(ratio[a, b])
        shade = "rx" if math.isnan(value) else f"r{sum(value >= end for end in RATIOS)}"
        text = "▲" * (i != j and value >= 1) + _ratio(value)
        times = f"{names[i]} and {names[j]}: {met[a, b]:,.0f} times, {expected[a, b]:.1f} by chance"
        return Shade(text, "rs" if i == j else shade, times)

    rows = [(name, *(cell(i, j) for j in range(len(top)))) for i, name in enumerate(names)]
    text = sentences(
        "How often two categories occur on the same item, divided by how often they would by"
        " chance: 0 if coders never confuse them, 1 if they do not distinguish them, and ▲ above 1"
        " if they confuse them more often than by chance. The diagonal is agreement.",
        n > len(top) and f"The {len(top)} most frequent of {n:,} categories are shown.",
    )
    pairs = [pair for pair in category_confusions(annotations, limit=PAIRS) if pair.observed > 0]
    n_pairs = int(np.count_nonzero(met[np.triu_indices(n, 1)]))
    merging = sentences(
        "Merging afterwards does not replace a new study: coders with a single category might have"
        " decided differently (Artstein & Poesio 2008). Values are nominal α.",
        n_pairs > len(pairs) and f"{len(pairs)} of {n_pairs:,} pairs are shown.",
    )
    columns = of_each(pairs, "first second share merged_alpha gain ratio")
    columns |= {"bar": [*map(Bar, columns["share"])], "ratio": [*map(_ratio, columns["ratio"])]}
    layout = (
        "category = first | with = second | share of disagreement = share:% |  = bar |"
        " relative to chance = ratio:s | α if merged = merged_alpha | gain:+"
    )
    sections = [Section("Confusions", [text, numbered(names, rows)])]
    if pairs:
        listed = Rows.laid(columns, layout, sides="<<>>>>>", limit=32)
        sections.append(details("Most confused pairs, and merging them", merging, listed))
    return sections


def _ratio(number: float) -> str:
    return show_value(number, digits=0 if number >= 99.5 else 1 if number >= 10 else 2)


#: The most items of a page.
MOST_ITEMS = 2000

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
        known = {name: vars(self)[name] for name in ("coders", "labels", "rows", "weighted")}
        known |= {"rows": rows, "known": self.with_coders}
        limits = {"text": TEXT, "judgments": JUDGMENTS, "labels": LABELS}
        written = [self._written(row) for row in rows[:WRITTEN]]
        return {**vars(self), "rows": written, "n_shown": n, "limits": limits}, known

    def _written(self, row: list[Any]) -> dict[str, Any]:
        """Return an item as shown without the script of the page."""
        name, disagreement, share, weight, text, judgments = row
        labels: dict[int, list[str]] = {}
        numbers: dict[int, int] = {}
        for who, what in zip(judgments[::2], judgments[1::2], strict=True):
            if self.with_coders:
                labels.setdefault(what, []).append(self.coders[who])
            numbers[what] = numbers.get(what, 0) + (1 if self.with_coders else who)
        groups = sorted(numbers.items(), key=lambda pair: (-pair[1], pair[0]))
        return {
            "name": name,
            "disagreement": f"{disagreement:.3f}",
            "share": f"{share:.2%}",
            "weight": f"{weight:,}",
            "text": text,
            "link": text if text.startswith(("https://", "http://")) and " " not in text else "",
            "said": [
                (self.labels[what], f"{n:,}", ", ".join(labels.get(what, ()))) for what, n in groups
            ],
        }


def items(result: Disagreements, annotations: Annotations, *, texts: bool, named: bool) -> Items:
    """Gather the most disputed items.

    Parameters
    ----------
    result : Disagreements
        The disputed items, those with the largest share of D_o first.
    annotations : Annotations
        The judgments of these items.
    texts : bool
        Whether to show the texts of the items.
    named : bool
        Whether items have names; if not, equal items were added up.
    """
    picked = result.places[:MOST_ITEMS]
    rows = take_rows(annotations.rows, picked)
    known = annotations.coders is not None and annotations.kept_marginals is None
    too_many = known and int(row_sizes(rows).max(initial=0)) > JUDGMENTS
    with_coders = known and not too_many
    coders: list[str] = []
    if with_coders:
        where = np.flatnonzero(rows.codes >= 0)
        who = where % rows.width if rows.width else np.asarray(rows.coders)[where]
        row, what = row_of(rows, where), np.asarray(rows.codes)[where]
        used, who = np.unique(who, return_inverse=True)
        names = annotations.coders or ()
        coders = [label(names[c], 40) for c in used.tolist()]
    else:
        # The numbers of the most frequent labels stand in the place of the coders.
        numbers: list[tuple[int, int, int]] = []
        for place in range(rows.n_rows):
            counts = counts_of(rows, range(place, place + 1), len(annotations.labels))[0]
            most = np.argsort(-counts, kind="stable")[:LABELS]
            numbers += [(place, int(counts[k]), k) for k in most[counts[most] > 0].tolist()]
        row, who, what = np.array(numbers, np.int64).reshape(-1, 3).T
    kinds, what = np.unique(what, return_inverse=True)
    # The judgments of each row: coder, label, coder, label,
    n = len(picked)
    both = np.column_stack([who, what]).astype(np.int64)
    ends = np.searchsorted(row, np.arange(n + 1)).tolist()
    judgments = [both[ends[i] : ends[i + 1]].ravel().tolist() for i in range(n)]
    weights = rows.weights
    known_texts = annotations.texts if texts else {}
    made = []
    for place, i in enumerate(picked.tolist()):
        name = annotations.items[i]
        text = clean(known_texts.get(name, "")[: 2 * TEXT])
        made.append(
            [
                label(name, 60) if named else f"kind {place + 1}",
                round(float(result.disagreement[place]), 4),
                float(f"{result.share[place]:.4g}"),
                1 if weights is None else int(weights[place]),
                text if len(text) <= TEXT else text[: TEXT - 1] + "…",
                judgments[place],
            ]
        )
    return Items(
        rows=made,
        coders=coders,
        labels=[label(annotations.categories[k], 40) for k in kinds.tolist()],
        n_disputed=len(result),
        n_items=annotations.n_rows,
        holding=result.holding(),
        weighted=weights is not None,
        with_coders=with_coders,
        too_many=too_many,
        with_texts=any(entry[4] for entry in made),
        named=named,
    )


def _size(value: Any) -> int:
    """Return the number of bytes of a value in the page."""
    return len(as_json(value).encode()) + 1
