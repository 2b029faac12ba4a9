"""The page of a study: all results of one set of annotations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agreement_fast.annotations import Annotations
from agreement_fast.diagnostics import disagreements
from agreement_fast.diagnostics.diagnosis import diagnosis
from agreement_fast.diagnostics.findings import GOOD, SPREAD, Diagnosis
from agreement_fast.distances import resolve
from agreement_fast.points import COEFFICIENTS, Point
from agreement_fast.present.markup import html_of
from agreement_fast.present.sections import Rows, Section
from agreement_fast.present.terminal import by_reason, counted, show_label, show_level
from agreement_fast.reports.coders import coders
from agreement_fast.reports.intervals import (
    REPORTED,
    WARNING,
    Reading,
    also_called,
    fault,
    readings,
    shown_ends,
    why_not_read,
)
from agreement_fast.reports.items import categories, items
from agreement_fast.reports.paper import CHOOSE, citation, undecided
from agreement_fast.reports.rendering import Page, as_json, check_jinja, embedded, render, safe
from agreement_fast.reports.text import CROSSED, as_grades, cross_section
from agreement_fast.reports.words import (
    LEGEND_OF_RATIOS,
    LEGEND_OF_VALUES,
    Axis,
    bar_width,
    clean,
    count,
    distance,
    method,
    percent,
    report_facts,
    value,
)

if TYPE_CHECKING:
    from agreement_fast.reports.content import Report


#: Width of the plot in its own units; it is scaled to the width of the page.
WIDTH = 640


def verdict(report: Report) -> dict[str, Any]:
    """Return the values of the template `verdict.html`."""
    result = report.table[report.quoted]
    interval = report.quoted_interval
    low, high = shown_ends(interval)
    read = readings(report)
    row = COEFFICIENTS[result.coefficient]
    # Why there is no interval, or why it has no width or is too narrow
    no_interval = "it has no interval"
    if interval is not None:
        too_few = "the data are too few for an interval" if math.isnan(low) else ""
        no_interval = interval.note or too_few
    missing = "" if report.n_coders is None else "none missing"
    if report.n_missing:
        possible = report.n_judgments + report.n_missing
        missing = f"{percent(report.n_missing / possible)} missing"
    single = report.n_items_single + report.n_items_unjudged
    unused = sum(1 for category in report.categories if not category.count)
    facts = [
        (counted(report.n_items, "item"),
         f"{count(single)} with fewer than two judgments" if single else ""),
        ("? coders" if report.n_coders is None else counted(report.n_coders, "coder"),
         "it is not known who judged what" if report.n_coders is None else ""),
        (counted(report.n_judgments, "judgment"), missing),
        (counted(len(report.categories), "category"),
         f"{count(unused)} never used" if unused else ""),
    ]  # fmt: skip
    return {
        "symbol": row.symbol,
        "name": also_called(result) or result.coefficient,
        "distance": result.distance,
        "value": value(result.value),
        "undefined": result.undefined,
        "level": "" if interval is None else show_level(interval.confidence_level),
        "low": value(low),
        "high": value(high),
        "no_interval": no_interval,
        "facts": [(*number.split(" "), remark) for number, remark in facts],
        "picture": None if result.undefined else _picture(result.value, low, high, bool(read)),
        "readings": [
            {"scale": entry.scale.name, "word": _words(entry), "legend": entry.scale.legend}
            for entry in read
        ],
        "warning": None if result.undefined else why_not_read(report) or WARNING,
        "grades": [
            (grade.name, *map(value, (grade.value, grade.low, grade.high)))
            for grade in as_grades(report)
        ],
        "choose": CHOOSE if undecided(report) else "",
        "sentence": report.sentence(),
        "citation": citation(),
        "bibtex": citation("bibtex"),
    }


def _words(reading: Reading) -> str:
    """Return the name of the band of the value, or the names of those that its interval reaches."""
    if reading.low is None or reading.high is None or not reading.crosses:
        return reading.band.word
    return f"{reading.band.word} (interval: {reading.low.word} to {reading.high.word})"


def _picture(number: float, low: float, high: float, banded: bool) -> dict[str, Any]:
    """Place a value and its interval over the bands of Krippendorff 1980."""
    axis = Axis.over([number, low], WIDTH, margin=12)
    bands = []
    if banded:
        top = 1.0
        for level, band in enumerate(REPORTED[1].bands):
            bottom = max(band.above, axis.low)
            left, right = axis.x(bottom), axis.x(top)
            bands.append(
                {
                    "x": left,
                    "width": round(right - left, 1),
                    "middle": round((left + right) / 2, 1),
                    "word": band.word,
                    "level": level,
                }
            )
            top = bottom
    return {
        "width": WIDTH,
        "x": axis.x(number),
        "low": axis.place(low),
        "high": axis.place(high),
        "bands": bands,
        "ticks": axis.ticks(),
    }


#: Kinds of remarks that refer to other commands, whose results are on the page.
POINTERS = ("diagnose",)

#: Width of the plot of an interval, in pixels.
WHISKER = 220


def coefficients_of(report: Report) -> dict[str, Any]:
    """Return the values of the template `coefficients.html`."""
    intervals = report.intervals or [None] * len(report.table)
    ends = [
        end
        for interval in intervals
        if interval is not None
        for end in (interval.low, interval.high)
    ]
    axis = Axis.over([*(entry.value for entry in report.table), *ends], WHISKER)
    rows = []
    for place, (result, interval) in enumerate(zip(report.table, intervals, strict=True)):
        low, high = shown_ends(interval)
        rows.append(
            {
                "name": result.coefficient,
                "symbol": COEFFICIENTS[result.coefficient].symbol,
                "also": also_called(result),
                "distance": result.distance,
                "quoted": place == report.quoted,
                "undefined": result.undefined,
                "value": value(result.value),
                "fault": None if interval is None else fault(interval),
                "note": None if interval is None else interval.note,
                "observed": distance(result.observed_disagreement),
                "expected": distance(result.expected_disagreement),
                **axis.whisker(result.value, low, high),
            }
        )
    first = report.intervals[0] if report.intervals else None
    return {
        "rows": rows,
        "width": WHISKER,
        "ticks": axis.ticks(),
        "level": "" if first is None else show_level(first.confidence_level),
        "several_distances": len({row["distance"] for row in rows}) > 1,
        "undefined": _reasons(rows, "undefined"),
        "notes": [
            (what, names, reason)
            for what in dict.fromkeys(row["fault"] for row in rows if row["note"])
            for names, reason in _reasons([row for row in rows if row["fault"] == what], "note")
        ],
        "remarks": [clean(remark.text) for remark in report.remarks if remark.kind not in POINTERS],
    }


def _reasons(rows: list[dict[str, Any]], key: str) -> list[tuple[str, str]]:
    """Return each reason once, with its coefficients."""
    result = by_reason((f"{row['symbol']} ({row['distance']})", row[key]) for row in rows)
    return [(", ".join(names), clean(reason)) for reason, names in result.items()]


#: The parts of the page that show a kind of finding, and the text of the link to the first of them.
SHOWN_IN = {
    "undefined": (("coefficients", "the coefficients"),),
    "bias": (("usage", "the categories used by each coder"),),
    "prevalence": (("categories", "the categories"),),
    "confusion": (("confusions", "the confusions"), ("categories", "the categories")),
    "camps": (("pairs", "the pairs of coders"),),
    "one coder": (("each-coder", "the agreement without each coder"),),
    "coders at chance": (("each-coder", "the agreement without each coder"),),
    "single-category coders": (("usage", "the categories used by each coder"),),
    "disputed items": (("items", "the most disputed items"),),
    "near misses": (("confusions", "the confusions"), ("categories", "the categories")),
    "few items": (("coefficients", "the intervals"),),
    "no agreement": (("coefficients", "the intervals"),),
    "few judgments": (("each-coder", "the judgments of each coder"),),
}


def findings(diagnosis: Diagnosis, anchors: set[str]) -> dict[str, Any]:
    """Return the values of the template `findings.html`.

    Parameters
    ----------
    diagnosis : Diagnosis
        The diagnosis.
    anchors : set of str
        The parts that are on the page; other parts are not linked.
    """
    most = max((element.cost for element in diagnosis if not math.isnan(element.cost)), default=0.0)
    shown = []
    for entry in diagnosis:
        places = [link for link in SHOWN_IN.get(entry.kind, ()) if link[0] in anchors]
        known = not math.isnan(entry.cost)
        shown.append(
            {
                "kind": entry.kind,
                "cost": value(entry.cost) if known else "",
                "width": bar_width(entry.cost, most),
                "sentence": clean(entry.sentence),
                "advice": clean(entry.advice),
                "place": places[0] if places else None,
            }
        )
    result = diagnosis.agreement
    good = result.undefined is None and result.value >= GOOD
    return {
        "coefficient": result.coefficient,
        "distance": result.distance,
        "findings": shown,
        "nothing": "Nothing was found that lowers the agreement." if good else SPREAD,
        "skipped": [clean(element) for element in diagnosis.skipped],
    }


#: The most bytes of a page, and of its items.
MOST = 400_000
ITEMS = 180_000

#: The fewest bytes that a category takes in the document.
A_CATEGORY = 40

#: Bytes by which the numbers of items in the text may differ.
SPARE = 500

#: The most items, coders and categories whose judgments stand on a page as matrices.
MOST_ITEMS = 50


def _matrices(annotations: Annotations, report: Report, distance: Any) -> list[Any]:
    """Show which labels met, with margins, and how far they are apart, as elements of a page."""
    sections = [cross_section(report, True, 96)]
    categories = annotations.categories
    if report.table[report.quoted].distance != "nominal" and 1 < len(categories) <= CROSSED:
        matrix = annotations.distance_matrix(distance)
        names = [show_label(category) for category in categories]
        rows = [(name, *row) for name, row in zip(names, matrix.values.tolist(), strict=True)]
        heading = f"Distances of labels ({report.table[report.quoted].distance})"
        sections.append(Section(heading, [Rows(("", *names), rows)]))
    shown = (section for section in sections if section.heading)
    return [safe(html_of(section, f"matrix-{place}", 3)) for place, section in enumerate(shown)]


def _judgments(annotations: Annotations) -> list[Any]:
    """Show the judgments of a small table by coder, and counted by label, as elements of a page."""
    if annotations.n_rows > MOST_ITEMS:
        return []
    show: Callable[[Any], str] = str
    matrices = [("Labels by item (counts)", annotations.to_counts(), show)]
    if annotations.coders is not None:
        data = annotations.reliability_matrix()
        matrices.insert(0, ("Labels by coder (reliability data)", data, show_label))
    shown = []
    for place, (heading, matrix, text_of) in enumerate(matrices):
        names, *columns = matrix.columns().items()
        cells = [["-" if x is None else text_of(x) for x in column] for _, column in columns]
        rows = list(zip(map(show_label, names[1]), *cells, strict=True))
        if max(len(columns), len(rows)) <= MOST_ITEMS:
            head = (names[0], *(show_label(name) for name, _ in columns))
            table = Section(heading, [Rows(head, rows)])
            shown.append(safe(html_of(table, f"judgments-{place}", 3)))
    return shown


def page_of(
    annotations: Annotations,
    report: Report,
    *,
    distance: Iterable[Any] | None = None,
    title: str,
    texts: bool = True,
    named: bool = True,
    document: Callable[[], Mapping[str, Any]] | None = None,
    source: Mapping[str, Any] | None = None,
    command: str | None = None,
) -> Page:
    """Make the HTML page of a report that was computed before.

    Parameters
    ----------
    annotations : Annotations
        The judgments.
    report : Report
        The report of these judgments.
    distance : iterable of str or Distance, optional
        The distances of the report; by default, they are found by their names.
    title : str
        The title of the page.
    texts : bool, default True
        Whether to show the texts of the items.
    named : bool, default True
        Whether items have names. If equal items were added up, they have none.
    document : callable () -> mapping, optional
        Returns the JSON document that the page contains; by default ``found.to_dict``.
    source : mapping, optional
        The files that were read, and how, as in the JSON document of the command.
    command : str, optional
        The command line that makes the page.

    Returns
    -------
    Page
        A page of at most 400 kB.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_wide([["yes", "yes"], ["no", "yes"], ["no", "no"]])
    >>> page_of(data, af.report(data), title="Pilot study").title
    'Pilot study'
    """
    check_jinja()
    quoted = report.table[report.quoted]
    name = quoted.coefficient
    known = (entry for entry in distance or () if resolve(entry).name == quoted.distance)
    own = next(known, quoted.distance)
    of_coders = coders(annotations, name, own, report)
    of_categories = categories(annotations, report)
    disputed = disagreements(
        annotations, name, distance=own, incomplete=report.incomplete, sort="share"
    )
    of_items = items(disputed, annotations, texts=texts, named=named)
    matrix = None if of_coders is None else of_coders["matrix"]
    anchors = {"coefficients", "categories"}
    anchors |= {"each-coder", "usage"} if of_coders and not of_coders["too_many"] else set()
    anchors |= {"pairs"} if matrix is not None else set()
    anchors |= {"confusions"} if of_categories["confusions"] is not None else set()
    anchors |= {"items"} if of_items.n_disputed else set()
    diagnosed = diagnosis(
        annotations, Point.of(name, own), lambda: report.quoted_interval, report.incomplete
    )
    inside = embedded(document or report.to_dict, at_least=A_CATEGORY * len(report.categories))
    content: dict[str, Any] = {
        "title": clean(title),
        "verdict": verdict(report),
        "diagnosis": findings(diagnosed, anchors),
        "coefficients": coefficients_of(report),
        "coders": of_coders,
        "categories": of_categories,
        "matrices": _matrices(annotations, report, own),
        "judgments": _judgments(annotations) if named else [],
        "method": method(source or {}, command, inside, report_facts(report)),
        "legend_of_values": LEGEND_OF_VALUES,
        "legend_of_ratios": LEGEND_OF_RATIOS,
    }
    data: dict[str, Any] = dict(inside[0])
    if matrix is not None:
        data["pairs-data"] = matrix["data"]

    def made(room: int) -> tuple[str, int]:
        """Return the page with at most this number of bytes of items, and the bytes it has."""
        shown, known = of_items.fitting(room)
        whole = render("study.html", {**content, "items": shown}, {**data, "items-data": known})
        return whole, len(as_json(known).encode())

    whole, size = made(ITEMS)
    over = len(whole.encode()) - MOST
    if over > 0:
        whole, _ = made(max(size - over - SPARE, 0))
    return Page(content["title"], whole)
