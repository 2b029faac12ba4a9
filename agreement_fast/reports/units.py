"""The page of units on a continuum."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.options import Seed
from agreement_fast.present.markup import label
from agreement_fast.present.result import Presented
from agreement_fast.present.sections import (
    Bar,
    Block,
    Estimate,
    Full,
    Plain,
    Rows,
    Section,
    Terms,
    details,
)
from agreement_fast.present.tables import Table, of_each
from agreement_fast.present.terminal import (
    by_reason,
    counted,
    show_digits,
    show_label,
    show_mean,
    some_of,
)
from agreement_fast.reports.intervals import fault
from agreement_fast.reports.rendering import Beside, Page, sections_page
from agreement_fast.results import Resampled
from agreement_fast.units.coefficients import bootstrap
from agreement_fast.units.coincidences import (
    QUESTIONS,
    UnitizingIntervals,
    UnitizingTable,
    alpha_table,
)
from agreement_fast.units.continuum import Continuum
from agreement_fast.units.gamma import gamma_table
from agreement_fast.units.line import category_order
from agreement_fast.units.scores import scores

#: The most stretches × coders that are held at a time.
CELLS = 20_000_000


@dataclass(frozen=True, eq=False)
class Stretches:
    """Stretches of some documents within which no unit starts or ends.

    Attributes
    ----------
    document, start, end : int64 arrays of shape (S,)
        Start and end in steps of the resolution.
    share : float64 array of shape (S,)
        The share of the pairs of coders who saw the document that marked something different there.
    """

    document: Array
    start: Array
    end: Array
    share: FloatArray

    def of_documents(self, n: int) -> FloatArray:
        """Return the length of disagreement of each of n documents: lengths times shares."""
        lengths = (self.end - self.start) * self.share
        return np.asarray(np.bincount(self.document, weights=lengths, minlength=n), np.float64)


def most_units(data: Continuum) -> Array:
    """Return the documents with the most units, up to the number that can be compared."""
    counts = np.bincount(data.document, minlength=len(data.documents))
    order = np.argsort(-counts, kind="stable")
    cells = np.cumsum((2 * counts[order] + 2) * max(data.n_coders, 1))
    return np.sort(order[: max(int(np.searchsorted(cells, CELLS, side="right")), 1)])


def stretches(data: Continuum, documents: Array) -> Stretches:
    """Cut some documents where units start and end, and compare the coders on each stretch.

    O(S · C) for S stretches. The set of a coder's categories at a place is represented by the sum
    of a random number for each category; different sets have equal sums with probability 2⁻⁶⁴.
    """
    place = np.full(len(data.documents), -1)
    place[documents] = np.arange(len(documents))
    kept = place[data.document] >= 0
    extents = data.extents[documents]
    # Concatenate all documents.
    shift = np.concatenate([[0], np.cumsum(extents[:, 1] - extents[:, 0])]) - np.append(
        extents[:, 0], 0
    )
    which = place[data.document[kept]]
    start, end = (edge[kept] + shift[which] for edge in (data.start, data.end))
    edges = np.unique(
        np.concatenate([start, end, extents[:, 0] + shift[:-1], extents[:, 1] + shift[:-1]])
    )
    random = np.random.default_rng(0).integers(0, 2**64, len(data.categories), dtype=np.uint64)
    marks = np.zeros((len(edges), max(data.n_coders, 1)), np.uint64)
    added = random[data.category[kept]]
    np.add.at(marks, (np.searchsorted(edges, start), data.coder[kept]), added)
    np.subtract.at(marks, (np.searchsorted(edges, end), data.coder[kept]), added)
    np.cumsum(marks, axis=0, out=marks)
    first, last = edges[:-1], edges[1:]
    row = np.searchsorted(extents[:, 0] + shift[:-1], first, side="right") - 1
    saw = data.n_seeing[documents]
    if data.seen is not None:
        # Coders who did not see a document do not count there.
        missing = np.ones((len(data.documents), data.n_coders), bool)
        missing[data.seen[:, 0], data.seen[:, 1]] = False
        alone = np.random.default_rng(1).integers(0, 2**64, data.n_coders, dtype=np.uint64)
        marks[:-1] = np.where(missing[documents][row], alone, marks[:-1])
    share = _differing(marks[:-1], saw[row])
    return Stretches(documents[row], first - shift[row], last - shift[row], share)


def _differing(marks: Array, saw: Array) -> FloatArray:
    """Return the share of pairs of columns that differ in each row, among those who saw it."""
    marks = np.sort(marks, axis=1)
    run, equal = np.zeros(len(marks), np.int64), np.zeros(len(marks), np.int64)
    for column in range(1, marks.shape[1]):
        run = np.where(marks[:, column] == marks[:, column - 1], run + 1, 0)
        equal += run
    pairs = saw * (saw - 1) / 2
    return np.where(pairs > 0, 1.0 - equal / np.maximum(pairs, 1), 0.0)


#: The most documents and coders that are drawn.
DOCUMENTS = 30
LANES = 15

#: The most units of a strip, and strips of a document.
CROWDED = 24
STRIPS = 6

#: Shades of the line that shows where coders disagree.
LEVELS = 4

#: Pixels.
LANES_WIDTH = 960
LANE = 22
NAMES = 120

#: Categories that have their own colour; the categories have letters while there are letters.
COLOURS = 8
LETTERS = string.ascii_uppercase + string.ascii_lowercase

#: Width of a character.
CHARACTER = 7


def lanes(data: Continuum, most: int) -> dict[str, Any]:
    """Return the values of the section of the documents, those with most disagreement first.

    Parameters
    ----------
    data : Continuum
        The units.
    most : int
        The most units that are drawn.
    """
    known = most_units(data)
    apart = stretches(data, known)
    lengths = np.diff(data.extents, axis=1)[:, 0]
    disagreement = apart.of_documents(len(data.documents))
    order = known[np.argsort(-disagreement[known], kind="stable")]
    units = np.bincount(data.document, minlength=len(data.documents))
    totals = np.bincount(data.coder, minlength=data.n_coders)
    coders = np.sort(np.argsort(-totals, kind="stable")[:LANES])
    frequent = category_order(data)
    rank = np.empty(len(frequent), np.int64)
    rank[frequent] = np.arange(len(frequent))
    drawn: list[dict[str, Any]] = []
    room = most
    for place in order[:DOCUMENTS].tolist():
        if drawn and units[place] > room:
            break
        chosen = np.flatnonzero(data.document == place)
        chosen = chosen[np.argsort(data.start[chosen], kind="stable")]
        n_units = len(chosen)
        chosen = chosen[:room]
        room -= len(chosen)
        share = float(disagreement[place] / lengths[place]) if lengths[place] else 0.0
        drawn.append(
            {
                "name": label(data.documents[place], 80),
                "share": f"{share:.1%}",
                "n_units": f"{n_units:,}",
                "cut": n_units > len(chosen),
                "strips": _strips(data, place, chosen, coders, rank, apart),
                "units": [
                    (
                        label(data.coders[data.coder[unit]], 40),
                        label(data.categories[data.category[unit]], 60),
                        *(_position(data, int(edge[unit])) for edge in (data.start, data.end)),
                    )
                    for unit in chosen.tolist()
                ],
            }
        )
    return {
        "documents": drawn,
        "n_documents": len(data.documents),
        "n_coders": data.n_coders,
        "n_lanes": len(coders),
        "compared": len(known) == len(data.documents),
        "width": LANES_WIDTH,
        "names": NAMES,
        "legend": [
            {
                "colour": _colour(at),
                "letter": _letter(at),
                "name": label(data.categories[k], 60),
            }
            for at, k in enumerate(frequent.tolist()[: len(LETTERS)])
        ],
        "n_categories": len(data.categories),
    }


def _colour(rank: int) -> str:
    return f"k{rank}" if rank < COLOURS else "kx"


def _letter(rank: int) -> str:
    return LETTERS[rank] if rank < len(LETTERS) else "·"


def _position(data: Continuum, step: float) -> str:
    return show_digits(step * data.resolution, 7)


def _strips(
    data: Continuum, place: int, chosen: Array, coders: Array, rank: Array, apart: Stretches
) -> list[dict[str, Any]]:
    """Cut a document into strips with a limited number of units, and draw each."""
    begin, end = data.extents[place].tolist()
    most = np.bincount(data.coder[chosen], minlength=1).max(initial=0)
    n = min(max(math.ceil(most / CROWDED), 1), STRIPS, max(end - begin, 1))
    cuts = [begin + (end - begin) * i // n for i in range(n + 1)]
    return [
        {
            "lanes": [
                {
                    "name": label(data.coders[coder], 18),
                    "y": lane * LANE,
                    "rects": _boxes(data, chosen[data.coder[chosen] == coder], rank, first, last),
                }
                for lane, coder in enumerate(coders.tolist())
            ],
            "shades": _shades(apart, place, first, last),
            "height": LANE * len(coders) + 34,
            "y": LANE * len(coders),
            "from": _position(data, first),
            "to": _position(data, last),
        }
        for first, last in pairwise(cuts)
    ]


def _x(step: int, first: int, last: int) -> float:
    """Return where a step is drawn on a strip."""
    share = (min(max(step, first), last) - first) / max(last - first, 1)
    return round(NAMES + share * (LANES_WIDTH - NAMES), 1)


def _boxes(
    data: Continuum, units: Array, rank: Array, first: int, last: int
) -> list[dict[str, Any]]:
    """Place the units of a coder on a strip, each with the name or letter of its category."""
    boxes = []
    inside = (data.start[units] < last) & (data.end[units] > first)
    for unit in units[inside].tolist():
        start, end, k = int(data.start[unit]), int(data.end[unit]), int(data.category[unit])
        left = _x(start, first, last)
        width = max(round(_x(end, first, last) - left, 1), 1.5)
        name = text = label(data.categories[k], 60)
        if len(name) * CHARACTER + 6 > width:
            text = _letter(int(rank[k])) if width >= CHARACTER + 4 else ""
        title = f"{name}, {_position(data, start)} to {_position(data, end)}"
        colour = _colour(int(rank[k]))
        boxes.append({"x": left, "width": width, "colour": colour, "text": text, "title": title})
    return boxes


def _shades(apart: Stretches, place: int, first: int, last: int) -> list[tuple[int, str]]:
    """Return how much coders differ along a strip, and where, as a path for each shade."""
    inside = (apart.document == place) & (apart.start < last) & (apart.end > first)
    paths: dict[int, str] = {}
    for i in np.flatnonzero(inside & (apart.share > 0)).tolist():
        left, right = (_x(int(edge[i]), first, last) for edge in (apart.start, apart.end))
        level = min(int(float(apart.share[i]) * LEVELS) + 1, LEVELS)
        paths[level] = paths.get(level, "") + f"M{left} 0h{max(round(right - left, 1), 0.5)}"
    return sorted(paths.items())


#: Bytes that a unit takes on a page; more if names are long.
UNIT = 300

#: Coders, and rows of coefficients and categories, that are listed.
CODERS = 40
LISTED = 200

TITLE = "Agreement on units"

#: Coefficients for the answer: the first that is defined, or else the first.
FIRST = ("u_alpha", "alpha_u")


@dataclass(frozen=True, repr=False)
class UnitsReport(Presented):
    """The result of `report` for units.

    Attributes
    ----------
    data : Continuum
        The units.
    table : UnitizingTable
        The coefficients.
    intervals : UnitizingIntervals or None
        Their intervals, with documents as the sample, if they were asked for.
    beside : Table
        F1 of spans, and γ if it was asked for; see `beside_alpha`.
    """

    _caption = "Report on {data.n_units:unit}"
    _remarks = ""

    data: Continuum
    table: UnitizingTable
    intervals: UnitizingIntervals | None
    beside: Table

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a row for each coefficient, with its interval if it has one."""
        return (self.intervals or self.table).columns()

    def sections(self) -> list[Section]:
        """Return the answer, then all coefficients, their intervals, and what the coders marked."""
        columns: dict[str, Any] = dict(self.table.columns())
        columns["coefficient"] = [QUESTIONS[name][0] for name in columns["coefficient"]]
        of_category = [category is not None for category in columns["category"]]
        columns["category"] = ["all" if x is None else x for x in columns["category"]]
        columns["value"] = [x if x == x else "undefined" for x in columns["value"]]
        meaning = (
            "Every coefficient is 1 - D_o / D_e: 1 is perfect agreement, 0 is what units of these"
            " lengths, placed at random, would give. Coverage is the share of the marked length"
            " that a coefficient is computed from."
        )
        explained: list[Plain] = [meaning, "", Terms(list(QUESTIONS.values()), wide=16), ""]
        layout = (
            "coefficient | category | units = n_units | coverage:.0% |"
            " D_o = observed_disagreement:# | D_e = expected_disagreement:# | value"
        )
        shown: dict[str, Any] = {"what": "value", "most": LISTED, "brief": 3, "sides": "<<>>>>>"}
        drawn = self.intervals
        if drawn is not None and len(self.data.documents) > 1:
            columns |= of_each(drawn, "low high")
            layout += " | low..high"
            shown |= {"level": drawn[0].confidence_level, "sides": "<<>>>>>>>"}
        # Of all categories together first
        places = np.argsort(of_category, kind="stable").tolist()
        values = Rows.laid(columns, layout, places, **shown)
        named = (columns[name] for name in ("coefficient", "category", "undefined"))
        reasons = by_reason(
            (f"{name} of {show_label(category, 24)}" if own else name, reason)
            for own, name, category, reason in zip(of_category, *named, strict=True)
        )
        why = [f"{', '.join(names)}: {reason}." for reason, names in reasons.items()]
        return [
            self._answer(),
            Section("Coefficients", [*map(Full, explained), values, *_sample(drawn)]),
            Section("Beside alpha", _beside_blocks(self.beside)),
            details("Coders", _coders(self.data)),
            details("Undefined, and why", *why),
        ]

    def _answer(self) -> Section:
        """Say what the first defined coefficient is, in which interval, and of what."""
        first = next((name for name in FIRST if self.table[name].undefined is None), FIRST[0])
        result, data = self.table[first], self.data
        ends = None if self.intervals is None else self.intervals[first]
        name = QUESTIONS[first][0]
        value: Plain = f"{name} is undefined: {result.undefined}."
        if result.undefined is None:
            value = Estimate(name, result.value, meaning="1 is perfect, 0 is chance")
            if ends is not None:
                level = ends.confidence_level
                value = value._replace(low=ends.low, high=ends.high, confidence_level=level)
        step = "" if data.resolution == 1 else f" steps of {data.resolution:g}"
        n = len(data.documents)
        facts = (
            f"{counted(data.n_units, 'unit')} of {counted(data.n_coders, 'coder')} in"
            f" {counted(n, 'document')}, {data.length:,}{step} long{' together' * (n > 1)}, in"
            f" {counted(len(data.categories), 'category')}: {some_of(data.categories, 12, 24)}."
        )
        note = [] if ends is None or ends.note is None else [f"{fault(ends)}: {ends.note}."]
        inferred = "A document is assumed to end with its last unit, and all values depend on it."
        return Section("Agreement", [value, facts, *note, *[Full(inferred)] * data.inferred])

    def page(self, *, title: str = TITLE) -> Page:
        """Make an HTML page of the coefficients, with the documents as lanes.

        It has at most 400 kB. Of too many documents, it shows those with the most disagreement and
        says so.
        """
        return sections_page(
            self.sections(), {}, title=title, beside=beside_units(self.data, title)
        )

    def save(self, path: str | Path, *, title: str = TITLE) -> None:
        """Write the page to a file, which replaces an existing one only when it is complete."""
        self.page(title=title).save(path)


def _sample(intervals: UnitizingIntervals | None) -> list[Block]:
    """Say what intervals mean."""
    if intervals is None:
        return []
    first = intervals[0]
    if first.n_documents == 1:
        return [Full("One document has no intervals, because documents are the sample.")]
    meaning = (
        f"Intervals: how far values would move with other documents of the same kind, from"
        f" {first.n_resamples:,} draws of the {first.n_documents:,} documents ({first.method})."
    )
    few = ["With fewer than 10 documents, intervals are too narrow."] * (first.n_documents < 10)
    return [Full(meaning), *few]


def _beside_blocks(table: Table) -> list[Block]:
    """Show F1 and γ of all units together, and of each category."""
    columns = table.to_dict()
    if not len(table):
        return []
    meaning = (
        "F1 is not corrected for chance: the share of spans that two coders have in common, with"
        " the same places (exact) or with a place in common (overlap); with more coders the mean"
        " over pairs. Gamma aligns the units of all coders (Mathet et al. 2015)"
    )
    meaning += (
        "." if "gamma" in columns["measure"] else "; --gamma computes it, which takes longer."
    )
    of_all = list(columns["category"]).count(None)  # they come first
    columns["category"] = [
        "all" if category is None else show_label(category, 24) for category in columns["category"]
    ]
    level = columns["confidence_level"][0]
    layout = "measure | category | value | low..high"
    rows = Rows.laid(columns, layout, sides="<<>>>", level=level, what="value", brief=of_all)
    why = by_reason(
        (f"{name} of {category}", reason)
        for name, category, reason in zip(
            *(columns[name] for name in ("measure", "category", "undefined")), strict=True
        )
    )
    reasons = [Full(f"{', '.join(names)}: {reason}.") for reason, names in why.items()]
    return [Full(meaning), Full(""), rows, *reasons]


def beside_alpha(
    data: Continuum, *, gamma: bool = False, confidence_level: float = 0.95, rng: Seed = 0
) -> Table:
    """Compute F1 and γ, with intervals over documents.

    Parameters
    ----------
    data : Continuum
    gamma : bool
        Whether γ, γ_cat and γ_k are computed.
    confidence_level : float
    rng : int or Generator

    Returns
    -------
    Table
        A row for each measure of all units, then of each category; empty for fewer than two
        coders.
    """
    how: dict[str, Any] = {"confidence_level": confidence_level, "rng": rng}
    shown: list[tuple[str, Any, Resampled]] = []
    if data.n_coders > 1:
        each = scores(data, ["exact", "overlap"], by="label", **how)
        shown = [
            (f"F1 {row.measure}", row.label, row)
            for row in each
            if row.average != "macro" and (data.n_coders == 2 or row.key is None)
        ]
        shown += [
            (row.coefficient, row.category, row)
            for row in (gamma_table(data, **how) if gamma else ())
        ]
    shown.sort(key=lambda entry: entry[1] is not None)  # all units together come first
    return Table(
        {
            "measure": [name for name, _, _ in shown],
            "category": [category for _, category, _ in shown],
            **of_each(
                [row for _, _, row in shown],
                "value standard_error low high confidence_level method n_resamples undefined note",
            ),
        }
    )


def units_report(
    data: Continuum, method: str | None, *, gamma: bool = False, seed: Seed = 0, **how: Any
) -> UnitsReport:
    """Report on units; `how` are further options of `bootstrap`. See `agreement_fast.report`."""
    intervals = None if method is None else bootstrap(data, method=cast(Any, method), **how)
    level = how["confidence_level"]
    beside = beside_alpha(data, gamma=gamma, confidence_level=level, rng=seed)
    return UnitsReport(data, alpha_table(data), intervals, beside)


def beside_units(data: Continuum, title: str) -> Beside:
    """Return what the page of units has beside its text: the documents as lanes."""

    def fitted(room: int) -> tuple[dict[str, Any], dict[str, Any]]:
        return {"lanes": lanes(data, max(room // UNIT, 1))}, {}

    return Beside("units.html", ("lanes", "Documents"), fitted, title)


def _coders(data: Continuum) -> Rows:
    """Show how many units each coder marked, how long they are, and which share of the length."""
    units = np.bincount(data.coder, minlength=data.n_coders)
    marked = np.bincount(data.coder, weights=data.end - data.start, minlength=data.n_coders)
    top = max(int(units.max(initial=0)), 1)
    rows = [
        (
            show_label(data.coders[c]),
            int(units[c]),
            Bar(units[c] / top),
            show_mean(marked[c] / units[c] * data.resolution) if units[c] else "-",
            f"{marked[c] / data.length:.1%}" if data.length else "-",
        )
        for c in np.argsort(-units, kind="stable").tolist()
    ]
    head = ("coder", "units", "", "mean length", "share of length")
    return Rows(head, rows, "<><>>", "coder", most=CODERS)
