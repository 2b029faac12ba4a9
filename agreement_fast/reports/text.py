"""The report as text."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.distances import resolve
from agreement_fast.distances.sums.categories import sums_of
from agreement_fast.inference.delta_method import ONE_CLUSTER, standard_error
from agreement_fast.points import COEFFICIENTS, Point
from agreement_fast.present.documents import json_fields, json_value
from agreement_fast.present.sections import (
    Bar,
    Brief,
    Estimate,
    Full,
    Label,
    Plain,
    Quote,
    Rows,
    Section,
    Terms,
    Whisker,
    details,
)
from agreement_fast.present.tables import of_each
from agreement_fast.present.terminal import (
    by_reason,
    counted,
    show_interval,
    show_label,
    show_mean,
    show_value,
)
from agreement_fast.reports.intervals import (
    FAILING,
    REPORTED,
    WARNING,
    also_called,
    failing,
    fault,
    read_all,
    readings,
    shown_ends,
    why_not_read,
)
from agreement_fast.reports.paper import (
    CHOOSE,
    citation,
    methodology_section,
    sentence,
    why_quoted,
)
from agreement_fast.reports.why import as_names
from agreement_fast.results import Agreement

if TYPE_CHECKING:
    from agreement_fast.present.sections import Block
    from agreement_fast.reports.content import CategoryCount, Report
    from agreement_fast.reports.intervals import Interval
    from agreement_fast.reports.why import Remark


#: Categories that a table shows, the most frequent; the others are one.
SHOWN = 50


class CrossTable(NamedTuple):
    """Categories by categories, with their margins.

    Attributes
    ----------
    kind : {"contingency", "coincidence"}
        Counts of items by the labels of two coders; or, for any number of coders, how often two
        categories were given to the same item, normalized so that each item adds up to its number
        of judgments (Krippendorff 2011).
    coders : pair of objects, or None
        The coders of the rows and of the columns, for a contingency table.
    labels : tuple of objects
        The categories that are shown, in their order.
    n_others : int
        Number of categories that are combined in the last row and the last column.
    values : tuple of tuples of float
        One row for each of `labels`, and one more if there are other categories.
    """

    kind: str
    coders: tuple[Any, Any] | None
    labels: tuple[Any, ...]
    n_others: int
    values: tuple[tuple[float, ...], ...]

    @property
    def row_totals(self) -> tuple[float, ...]:
        """The sums of the rows."""
        return tuple(math.fsum(row) for row in self.values)

    @property
    def column_totals(self) -> tuple[float, ...]:
        """The sums of the columns."""
        return tuple(math.fsum(column) for column in zip(*self.values, strict=True))

    @property
    def total(self) -> float:
        """The sum of all: items that both judged, or judgments of items with two or more."""
        return math.fsum(self.row_totals)

    def in_order(self, labels: Sequence[Any]) -> CrossTable:
        """Return the table with its labels in this order, and written as here."""
        places = {label: i for i, label in enumerate(self.labels)}
        shown = [label for label in labels if label in places]
        order = [places[label] for label in shown] + list(range(len(shown), len(self.values)))
        values = tuple(tuple(self.values[i][j] for j in order) for i in order)
        return self._replace(labels=tuple(shown), values=values)

    def most_frequent(self, n: int) -> CrossTable:
        """Return the table of the most frequent categories; all others are combined."""
        if n >= len(self.labels):
            return self
        used = np.add(self.row_totals, self.column_totals)[: len(self.labels)]
        kept = np.sort(np.argsort(-used, kind="stable")[:n])
        group = np.full(len(self.values), n)
        group[kept] = range(n)
        merged = np.zeros((n + 1, n + 1))
        np.add.at(merged, (group[:, None], group[None, :]), np.array(self.values))
        return CrossTable(
            self.kind,
            self.coders,
            tuple(self.labels[i] for i in kept.tolist()),
            self.n_others + len(self.labels) - n,
            tuple(map(tuple, merged.tolist())),
        )

    def again(self, places: Sequence[int]) -> float:
        """Return how often another judgment of an item is the same if one has these categories.

        This is the specific agreement of these categories, summed over them; NaN if none of them
        was used.
        """
        rows, columns = self.row_totals, self.column_totals
        used = math.fsum(rows[i] + columns[i] for i in places)
        return 2 * math.fsum(self.values[i][i] for i in places) / used if used else math.nan


def cross_table(annotations: Annotations) -> CrossTable | None:
    """Return the table of annotations; None if they have many numbers or no labels.

    O(patterns · k²) for k categories, at most 51.
    """
    labels = annotations.labels
    if not len(labels) or (isinstance(labels, np.ndarray) and len(labels) > SHOWN):
        return None
    n_others, shown = 0, list(annotations.categories if len(labels) <= SHOWN else ())
    if not shown:
        if all(isinstance(label, int | float) for label in annotations.categories):
            return None
        # Let one category stand for all but the most frequent, which are given in their order
        categories = annotations.categories
        by_use = np.argsort(-sums_of(annotations).counts(1), kind="stable")
        rest = [categories[i] for i in by_use[SHOWN:].tolist()]
        merged = annotations.merge_categories(dict.fromkeys(rest, rest[0]))
        annotations, shown = (merged, [categories[i] for i in np.sort(by_use[:SHOWN]).tolist()])
        n_others = len(labels) - SHOWN
    coders = annotations.coders
    pair, kind = None, "coincidence"
    if coders is not None and len(coders) == 2 and annotations.kept_marginals is None:
        pair, kind = (coders[0], coders[1]), "contingency"
        values = annotations.contingency_table(*pair).astype(np.float64)
    else:
        values = sums_of(annotations).coincidences()
    if n_others:
        places = {label: i for i, label in enumerate(annotations.categories)}
        order = [places.pop(label) for label in shown] + list(places.values())
        values = values[np.ix_(order, order)]
    return CrossTable(kind, pair, tuple(shown), n_others, tuple(map(tuple, values.tolist())))


#: What a document has of a report, of a coefficient, of an interval and of a table of labels.
OF_REPORT = (
    "n_rows n_items n_items_single n_items_unjudged n_coders n_judgments n_missing"
    " n_duplicates_dropped n_duplicates_united n_duplicates_tied n_items_judged_once incomplete"
    " declared categories remarks tests methodology measures rare"
)
OF_COEFFICIENT = (
    "coefficient distance chance item_weight value observed_disagreement expected_disagreement"
    " observed_agreement expected_agreement n_items n_items_dropped n_coders n_judgments"
    " n_categories undefined"
)
OF_INTERVAL = "method confidence_level standard_error low high note"
OF_CROSS = "kind coders labels n_others row_totals column_totals total"


def report_dict(report: Report) -> dict[str, Any]:
    """See `Report.to_dict`."""
    intervals = report.intervals or [None] * len(report.table)
    components = None if report.measures is None else report.measures.components
    return {
        **json_fields(report, OF_REPORT),
        "observed": json_fields(report.observed, f"value n_items undefined {OF_INTERVAL}"),
        "table": [
            _coefficient_dict(result, interval)
            for result, interval in zip(report.table, intervals, strict=True)
        ],
        "cross": report.cross
        and {**json_fields(report.cross, OF_CROSS), "values": list(map(list, report.cross.values))},
        "components": components
        and {"sources": json_value(components), "plan": json_value(components.plan())},
        "paper": {
            **json_fields(report.table[report.quoted], "coefficient distance"),
            "interval": _interval_dict(report.quoted_interval),
            "readings": {
                reading.scale.key: {
                    "value": reading.band.meaning,
                    "low": None if reading.low is None else reading.low.meaning,
                    "high": None if reading.high is None else reading.high.meaning,
                }
                for reading in readings(report)
            },
            "sentence": sentence(report),
            "citation": citation(),
        },
    }


def _coefficient_dict(result: Agreement, interval: Interval | None) -> dict[str, Any]:
    row = COEFFICIENTS.get(result.coefficient)
    return {
        **json_fields(result, OF_COEFFICIENT),
        "also_called": also_called(result) or None,
        "source": None if row is None else row.source,
        "readings": {
            scale.key: None if band is None else band.meaning
            for scale, band in zip(REPORTED, read_all(result), strict=True)
        },
        "interval": _interval_dict(interval),
    }


def _interval_dict(interval: Interval | None) -> dict[str, Any] | None:
    if interval is None:
        return None
    drawn = ("resample", "n_resamples", "n_undefined")
    probabilities = [{"minimum": least, "probability": q} for least, q in failing(interval).items()]
    return {
        **json_fields(interval, OF_INTERVAL),
        **{name: getattr(interval, name, None) for name in drawn},
        "failing": probabilities or None,
    }


EXPLANATION = (
    "Each is 1 - D_o / D_e: observed disagreement over the disagreement expected by chance. 1 is"
    " perfect, 0 is chance, below 0 is worse. They differ in what they take for chance."
)


def quoted_point(report: Report, distance: Iterable[Any] = ()) -> Point:
    """Return the quoted coefficient; its distance is one of these, or found by its name."""
    quoted = report.table[report.quoted]
    known = (entry for entry in distance if resolve(entry).name == quoted.distance)
    return Point.of(quoted.coefficient, next(known, quoted.distance))


#: The heading of what a report says of costs.
COSTS = "What costs agreement most, and roughly how much"


def costs_of(report: Report, distance: Iterable[Any] = ()) -> Section:
    """Say what costs the quoted coefficient agreement, with the interval of the report."""
    from agreement_fast.diagnostics.diagnosis import diagnosis

    point, interval = quoted_point(report, distance), partial(getattr, report, "quoted_interval")
    diagnosed = diagnosis(report.annotations, point, interval, report.incomplete)
    return diagnosed.sections(notes=False)[0]._replace(heading=COSTS)


def report_sections(
    report: Report,
    width: int = 96,
    *,
    max_categories: int = 20,
    explain: bool = True,
    costs: Section | None = None,
) -> list[Section]:
    """Return the sections of a report: the answer, then what explains it.

    `costs` says what costs agreement most, which a report does not look for. Tables of labels by
    labels are cut to fit `width`.
    """
    known, words = report.remarks, Quote(sentence(report))
    undecided = report.measured is None and as_names(report)
    paper: list[Block] = [CHOOSE, Full(words)] if undecided else [words]
    if explain:
        paper += [Full(""), Full(citation())]
    left_out = _DOUBTS if explain else (*_DOUBTS, *_ONCE)
    remarks = [remark.text for remark in known if remark.kind not in left_out]
    return [
        _answer(report, known),
        *([] if costs is None else [costs]),
        Section(f"For a paper: {why_quoted(report)}", paper),
        _counts(report),
        _categories(report, max_categories),
        _observed(report),
        _coefficients(report, explain),
        _undefined(report),
        details(
            "What they say",
            *([Terms([("-", text) for text in remarks], wide=2)] if remarks else []),
        ),
        _intervals(report, explain),
        _measures(report),
        _components(report),
        _failing(report, explain),
        cross_section(report, explain, width),
        _readings(report, explain),
        methodology_section(report, explain),
    ]


#: What answers whether weighted kappa, alpha or the ICC is to be quoted for numbers.
_SINGLE = ("alpha(interval)", "beta(interval)", "ICC(2,1)")


def _measures(report: Report) -> Section:
    """Say what measures that are not agreement are, and what each says."""
    table = report.measures
    if table is None:
        return Section("Measures beside agreement")
    layout = "measure | value:# | low:# | high:# | what it says = tells"
    rows = Rows.laid(table.to_dict(), layout, sides="<>>><", limit=120)
    few = [measure for measure in table.measures if measure.measure in _SINGLE]
    brief = [
        Estimate(single.measure, single.value, single.low, single.high, single.confidence_level)
        for single in few
    ]
    meaning = "Quote the one that your field expects; if items are many, all are near each other."
    answer = [*map(Brief, brief), *([Brief(meaning)] if len(few) > 1 else [])]
    # Which items they are of is a part of the answer, too: the coefficients above may have more.
    notes = table.notes() if few else map(Full, table.notes())
    return Section("Measures beside agreement", [*answer, Full(rows), *notes])


def _components(report: Report) -> Section:
    """Say what items and coders add to the spread of ratings, and what more coders would change."""
    components = None if report.measures is None else report.measures.components
    if components is None:
        return Section("Components of variance")
    if components.undefined is not None:
        return details("Components of variance", f"They are undefined: {components.undefined}.")
    layout = "source = sources | variance = value | low | high | share:.1%"
    planned = "coders = n_coders | G = g | low = g_low | high = g_high | Φ = phi"
    return details(
        "Components of variance",
        "How much of the spread is the items, the coders on all items, and the rest.",
        Rows.laid(components, layout),
        *components.notes(),
        "",
        "The mean of several coders: G is how well it orders the items; for Φ, the bias of coders "
        "is an error, too. Each further coder adds less to it.",
        Rows.laid(
            components.plan(),
            f"{planned} | low = phi_low | high = phi_high | one more coder = gain:+.4f",
            sides=">" * 8,
        ),
    )


def as_grades(report: Report) -> list[Estimate]:
    """Give the ordinal coefficient of numbers that are compared as names."""
    if not as_names(report):
        return []
    result = standard_error(report.annotations, distance="ordinal", incomplete=report.incomplete)
    if result.undefined is not None or report.clustered:
        return []
    level = result.confidence_level
    return [Estimate("alpha (ordinal)", result.value, result.low, result.high, level)]


def _answer(report: Report, known: Sequence[Remark]) -> Section:
    """Say what the quoted coefficient is, in which interval, and what it rests on."""
    result, interval = report.table[report.quoted], report.quoted_interval
    name = f"{result.coefficient} ({result.distance})"
    low, high = shown_ends(interval)
    value: Plain
    if result.undefined is not None:
        value = f"{name} is undefined: {result.undefined}."
    else:
        level = math.nan if interval is None else interval.confidence_level
        value = Estimate(name, result.value, low, high, level, "1 is perfect, 0 is chance")
    who = "" if report.n_coders is None else f" by {counted(report.n_coders, 'coder')}"
    missing = f"; {report.n_missing:,} missing" if report.n_missing else ""
    basis = f"{counted(report.n_judgments, 'judgment')} of {counted(report.n_items, 'item')}{who}"
    doubts = [remark.text for remark in known if remark.kind in _DOUBTS]
    grades = as_grades(report)
    return Section("Agreement", [value, *grades, f"{basis}{missing}.", *doubts])


def _counts(report: Report) -> Section:
    once, united = report.n_items_judged_once, report.n_duplicates_united
    mean = show_mean(report.n_judgments / report.n_items) if report.n_items else ""
    used = sum(1 for category in report.categories if category.n_judgments)
    rows: list[tuple[str, int | None, list[str]]] = [
        ("items", report.n_items, [
            f"with one judgment: {report.n_items_single:,}",
            f"with none: {report.n_items_unjudged:,}",
            f"judged once and left out: {once:,}" * bool(once),
            f"in {report.n_rows:,} weighted rows" * (report.n_rows != report.n_items),
        ]),
        ("coders", report.n_coders, []),
        ("judgments", report.n_judgments, [
            f"missing: {report.n_missing:,}",
            f"rows that became sets with others: {united:,}" if united
            else f"duplicates dropped: {report.n_duplicates_dropped:,}",
            f"tied: {report.n_duplicates_tied:,}" * bool(report.n_duplicates_tied),
            f"{mean} an item" * bool(mean),
        ]),
        ("categories", len(report.categories), [
            "declared" if report.declared else "what occurs",
            f"{used:,} of them used" * (used < len(report.categories)),
        ]),
    ]  # fmt: skip
    numbers = ["unknown" if n is None else f"{n:,}" for _, n, _ in rows]
    wide = max(map(len, numbers))
    pairs = [
        (name, f"{number:>{wide}}" + (f"  ({', '.join(filter(None, more))})" if more else ""))
        for (name, _, more), number in zip(rows, numbers, strict=True)
    ]
    return details("Data", Terms(pairs))


def _categories(report: Report, most: int) -> Section:
    if not report.categories:
        return Section("Categories")
    shown: Sequence[CategoryCount] = report.categories
    if len(shown) > most:
        # Stable: equally frequent categories stay in their order.
        shown = sorted(shown, key=lambda category: -category.n_judgments)[:most]
    columns: dict[str, list[Any]] = of_each(shown, "category judgments=n_judgments share")
    top = max(columns["judgments"]) or 1
    columns["bar"] = [Bar(count / top) for count in columns["judgments"]]
    layout = "category | judgments | share:% |  = bar"
    blocks: list[Plain] = [Rows.laid(columns, layout, sides="<>><", limit=32)]
    rest = len(report.categories) - len(shown)
    if rest:
        left = sum(c.n_judgments for c in report.categories) - sum(c.n_judgments for c in shown)
        blocks.append(f"and {rest:,} more, with {left:,} judgments")
        labels = [row.category for row in report.categories]
        if all(isinstance(label, int | float) for label in labels):
            blocks.append(f"numbers from {min(labels):g} to {max(labels):g}")
    title = "Categories" if not rest else f"Categories: the {most} most frequent"
    if any(isinstance(row.category, frozenset) for row in report.categories):
        blocks.append("Each is a whole set: {a} means a and nothing else.")
    return details(title, *blocks)


def _observed(report: Report) -> Section:
    observed = report.observed
    if observed.undefined is not None:
        text = f"A_o is undefined: {observed.undefined}."
    else:
        none = math.isnan(observed.low)
        interval = f"no interval: {ONE_CLUSTER}" if none else show_interval(observed)
        text = (
            f"A_o = {observed.value:.4f}: two judgments of an item are equal"
            f" {observed.value:.1%} of the time ({interval}). Every item counts the same."
        )
        rest = report.n_items - observed.n_items
        if rest:
            says = "item says" if rest == 1 else "items say"
            text += f" {rest:,} {says} nothing about agreement: fewer than two judgments count."
    return details("Observed agreement", text)


def _coefficients(report: Report, explain: bool) -> Section:
    columns = {**report.table.columns(), "also called": [*map(also_called, report.table)]}
    columns["value"] = [value if value == value else "undefined" for value in columns["value"]]
    layout = (
        "coefficient | distance | D_o = observed_disagreement:# | D_e = expected_disagreement:# |"
        " value | also called"
    )
    lines = []
    if explain:
        text = EXPLANATION
        if any(result.distance != "nominal" for result in report.table):
            text += " D_o and D_e have the unit of their distance: only their ratio counts."
        lines += [text, ""]
    table = Rows.laid(columns, layout, sides="<<>>><", limit=WHOLE)
    return details("Coefficients", *lines, table)


#: Columns of a name that is not cut.
WHOLE = 1000

#: Remarks on what was read, which stand below the answer.
_DOUBTS = ("below", "numbers")
#: Remarks that are printed only once if there are several reports.
_ONCE = ("three numbers", "diagnose")


#: What a bootstrap draws, and what its interval therefore speaks of.
_DRAWN = {
    "items": "They say how far values would move with other items of the same kind, judged by these"
    " coders. Other coders are another question: the command subsets, or af.subsets.",
    "coders": "They say how far values would move with other coders of the same kind, on these"
    " items.",
    "both": "They say how far values would move with other items and coders of the same kind.",
}


#: The same where clusters of items are the sample.
_CLUSTERS = (
    "The sample is the {n:,} clusters of items, not single items: they say how far values would"
    " move with other clusters of the same kind, judged by these coders."
)


#: The same of draws of pairs of judgments.
_PAIRS = (
    "It takes the pairs as independent and the disagreement by chance as known, so it is no"
    " interval for other items: use it to compare with values that were published this way, and"
    " bca or delta for other items."
)


def _how(report: Report, interval: Interval) -> str:
    """Say how intervals were computed, and what they mean."""
    method = {
        "score": "Wilson's score interval in closed form, after a prior of one item or less",
        "delta": "From the standard error (delta method, Student's t on Fisher's scale)",
        "bayesian": "A Bayesian bootstrap with a prior that weighs four judgments",
        "percentile": "Percentiles of a bootstrap",
        "basic": "A basic bootstrap",
        "bca": "A bias-corrected and accelerated bootstrap",
        "krippendorff": "Hayes & Krippendorff's bootstrap (2007)",
    }[interval.method]
    pairs = interval.method == "krippendorff"
    n = getattr(interval, "n_resamples", None)
    resamples = "" if n is None else f", {n:,} resamples{' of pairs of judgments' * pairs}"
    drawn = _PAIRS if pairs else _DRAWN[getattr(interval, "resample", "items")]
    if report.n_clusters is not None and not pairs:
        drawn = _CLUSTERS.format(n=report.n_clusters)
    return f"{method}{resamples}. {drawn}"


def _intervals(report: Report, explain: bool) -> Section:
    if report.intervals is None:
        return Section("Intervals")
    ways = list(dict.fromkeys(_how(report, entry) for entry in report.intervals))
    shown = [(entry.value, *shown_ends(entry)) for entry in report.intervals]
    start = max(min(0.0, *(end for ends in shown for end in ends if end == end), 0.0), -1.0)
    columns: dict[str, Any] = of_each(report.intervals, "coefficient distance standard_error")
    columns |= zip(("value", "low", "high"), zip(*shown, strict=True), strict=True)
    columns["drawn"] = [Whisker(*ends, start) for ends in shown]
    layout = "coefficient | distance | value | std. error = standard_error | low..high |  = drawn"
    how: dict[str, Any] = {"limit": WHOLE, "level": report.intervals[0].confidence_level}
    lines: list[Plain] = [*ways, ""] if explain else []
    lines.append(Rows.laid(columns, layout, sides="<<>>>>>", **how))
    undefined = [
        f"{entry.coefficient} ({entry.distance}) {n:,}"
        for entry in report.intervals
        if (n := getattr(entry, "n_undefined", 0))
    ]
    if undefined:
        lines.append(f"Resamples without a value, left out: {', '.join(undefined)}.")
    notes = by_reason(
        (f"{entry.coefficient} ({entry.distance})", entry.note and (fault(entry), entry.note))
        for entry in report.intervals
    )
    for (what, note), names in notes.items():
        lines.append(f"{what}: {', '.join(names)}. {note[0].upper()}{note[1:]}.")
    return details("Intervals", *lines)


def _undefined(report: Report) -> Section:
    reasons = by_reason(
        (f"{entry.coefficient} ({entry.distance})", entry.undefined) for entry in report.table
    )
    every = len(report.table)
    lines = (
        f"{'All' if len(names) == every else ', '.join(names)}: {reason}."
        for reason, names in reasons.items()
    )
    return details("Undefined, and why", *lines)


def _failing(report: Report, explain: bool) -> Section:
    rows = [
        (interval.coefficient, interval.distance, *failing(interval).values())
        for interval in report.intervals or ()
        if failing(interval)
    ]
    head = ("coefficient", "distance", *(f"{least:.2f}" for least in FAILING))
    text = "The share of the resamples below the value (Hayes & Krippendorff 2007)."
    blocks: list[Plain] = [text, ""] if explain else []
    blocks.append(Rows(head, rows, "<<" + ">" * len(FAILING)))
    return details("Probability of failing to reach a value", *(blocks if rows else ()))


#: Categories that the table shows, and columns of a label in it.
CROSSED = 10
COLUMNS = 12


def cross_section(report: Report, explain: bool, width: int) -> Section:
    """Show which labels met, with margins; empty without a table."""
    table = report.cross
    if table is None or len(table.labels) < 2:
        return Section("")
    shown = min(CROSSED, len(table.labels))
    cells = _cross_rows(table.most_frequent(shown))
    while cells.width() > width and shown > 2:
        shown -= 1
        cells = _cross_rows(table.most_frequent(shown))
    if table.kind == "contingency":
        assert table.coders is not None
        rows, columns = (show_label(coder) for coder in table.coders)
        title, text = f"Who said what: rows {rows}, columns {columns}", ""
    else:
        title = "Which labels met"
        text = "Pairs of judgments of an item; each item adds up to its judgments (coincidences)."
    left = table.n_others + len(table.labels) - shown
    if left:
        text += f" Only the {shown} most frequent labels are shown; {left:,} others are combined."
    head = [text.strip()] if text and (explain or left) else []
    return details(title, *head, cells)


def _cross_rows(table: CrossTable) -> Rows:
    def cell(value: float) -> str:
        whole = round(value)
        return f"{whole:,}" if abs(value - whole) < 0.05 else f"{value:,.1f}"

    names: list[str] = [Label.of(label, COLUMNS) for label in table.labels]
    if table.n_others:
        names.append("(others)")
    rows = [
        (name, *map(cell, row), cell(total))
        for name, row, total in zip(names, table.values, table.row_totals, strict=True)
    ]
    rows.append(("total", *map(cell, table.column_totals), cell(table.total)))
    return Rows(("", *names, "total"), rows)


def _readings(report: Report, explain: bool) -> Section:
    result = report.table[report.quoted]
    title = "How such values have been read"
    if result.undefined is not None:
        return Section(title)
    name = f"{result.coefficient} ({result.distance})"
    reason = why_not_read(report)
    if reason is not None:
        lines = [f"Not read so: {name}. {reason}"] if explain else []
        return details(title, *lines)
    rows = [(reading.scale.name, reading.band.word, reading.reach) for reading in readings(report)]
    table = Rows(("scale", "reading", "its interval"), rows, "<<<")
    warned = [WARNING] if explain else []
    return details(f"{title}: {name} {show_value(result.value)}", table, *warned)
