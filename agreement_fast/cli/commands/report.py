"""Read annotation files and print how far the coders agree.

Read annotation files and print what they hold, how often each category was used, and
how far the coders agree. A file has one judgment per row, with columns for the item,
the coder and the label. With --layout wide it has one row per item and one column
per coder.

examples:
  agreement-fast report labels.csv
      one judgment per row; the columns are guessed from their names
  agreement-fast report labels.csv --item tweet --coder worker --label stance
      the same, with the columns named
  agreement-fast report 'batch*.csv.gz' extra.jsonl --by batch
      several files read as one table, with a line for each value of the column batch
  agreement-fast report ratings.csv --layout wide --distance interval --missing NA
      one row per item, one column per coder; near misses count less
  agreement-fast report labels.csv --categories "low,medium,high" --distance ordinal
      text labels with an order
  agreement-fast report slides.csv --layout wide --weights slides --coefficient kappa,alpha
      a table of counts: the column slides says how many items each row stands for
  agreement-fast report labels.parquet --where "duration > 5 and lang = 'en'" --json
      some of the rows, as a JSON document
  agreement-fast report labels.csv --method score --figure agreement.png
      confidence intervals, and a picture of them
  agreement-fast report --example
      data that come with the package: the anaesthetists of Dawid & Skene 1979
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.gate import (
    Measured,
    add_gate,
    check_gates,
    chosen_gates,
    has_gates,
)
from agreement_fast.cli.options import options_of
from agreement_fast.cli.outcome import Outcome, Picture
from agreement_fast.cli.output import (
    document_of,
    group_heading,
    opening,
    options_document,
    terminal_width,
    title_of,
)
from agreement_fast.cli.reading import (
    Part,
    Read,
    cluster_note,
    clusters_of,
    open_annotations,
    progress_shown,
)
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.documents import json_rows
from agreement_fast.present.sections import Section
from agreement_fast.present.terminal import show_label, some_of, spell_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.cli.gate import Gates
    from agreement_fast.diagnostics.drift import GroupDrift
    from agreement_fast.distances import Distance
    from agreement_fast.present.tables import Tabular
    from agreement_fast.reports.content import Report
    from agreement_fast.reports.groups import GroupReport
    from agreement_fast.reports.rendering import Beside


#: Columns of a trend, of the table of the groups.
TREND = ("position", "fitted", "slope", "p_value")


#: The default method of intervals, those without draws, and all.
INTERVAL = "score"
CLOSED = (INTERVAL, "delta")
INTERVALS = (*CLOSED, "bayesian", "percentile", "basic", "bca", "krippendorff")

FUNCTION = "reports.content:report"

#: Up to this number of groups, the report of each follows the table of groups.
FEW = 3

#: Columns of a terminal that the table of groups may take.
WIDEST_TABLE = 200

#: Groups that fit a picture.
MOST_ROWS = 60

NAME = "report"


INTERVAL_OPTIONS = {
    **options_of(
        FUNCTION, f"--method NAME={'|'.join(INTERVALS)}", "--confidence-level SHARE:float"
    ),
    **options_of(FUNCTION, "--resample items|coders|both", "--n-resamples N:int", "--rng N:int"),
    "--cluster COLUMN": "sample whole clusters of items, such as the documents that they come"
    " from, instead of single items",
    "--figure FILE": "draw the coefficients (with --by the groups) over the scale of Landis &"
    " Koch, as .png, .svg, ...",
}
GROUPS = {
    "--every day|week|month|quarter|year": "make groups of the days, weeks (of ISO 8601) and so on"
    " of --by, a column of dates; an item is in the period of its first judgment",
    "--each": f"print the report of each group even if there are more than {FEW} groups",
    "--trend": "test for a trend of agreement over the groups, such as weeks",
    "--by-order A,B,...": "order of the groups (default: by number or date, 'batch 2' before"
    " 'batch 10')",
}


METHODOLOGY = options_of(
    FUNCTION,
    "--threshold VALUE:float",
    "--methodology FIELD=TEXT ...",
    "--measures",
    "--style plain|apa",
)
PAGE = {
    "--show COLUMN": "the text or link of each item, shown on the page",
    "--no-text": "leave texts out of the page",
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser)
    options.declare(parser, "groups of --by", GROUPS)
    defaults = {"resample": "items", "n_resamples": 2000, "rng": 0}
    options.declare(parser, "intervals", INTERVAL_OPTIONS, **defaults)
    add_gate(parser, names="alpha=0.67 or alpha:ordinal=0.8")
    options.declare(parser, "methodology", METHODOLOGY, style="plain")
    options.declare(parser, "HTML page", PAGE)


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and compute the coefficients."""
    from agreement_fast import report
    from agreement_fast.points import chosen
    from agreement_fast.reports.groups import GroupReport

    # Invalid lists and thresholds are refused before anything is read.
    options.chosen_distances(arguments)
    requested = options.chosen_coefficients(arguments)
    intervals = _intervals(arguments)
    intervals |= _methodology(arguments)
    gates = chosen_gates(arguments)
    _check_gates(gates, requested, arguments)
    for name in ("trend", "each", "by_order", "every"):
        if getattr(arguments, name) and not arguments.by:
            raise UsageError(f"--{name.replace('_', '-')} needs groups: pass --by COLUMN, too")
    level = intervals.get("confidence_level", 0.95)
    along = [] if arguments.cluster is None else [arguments.cluster]
    with open_annotations(arguments, along=along) as read:
        for name in ("trend", "by-order"):
            if getattr(arguments, name.replace("-", "_")) and len(read.source.by_columns) > 1:
                raise UsageError(f"--{name} takes the groups of one column, and --by names several")
        distances = read.distances()
        distance_named = bool(arguments.distance or arguments.matrix or arguments.tree)
        coefficients = options.with_weighted(requested, distances)
        read.check_early(lambda labels: report(labels, coefficients, distances))
        # Complete items and bootstraps need to know who judged what.
        keep_coders = arguments.incomplete == "complete" or "method" in intervals
        if gates:
            points = chosen(coefficients, distances, coders_known=True)
            check_gates(gates, [(point.name, point.distance.name) for point in points])
        reports = []
        groups = []
        for part in read.parts(keep_coders=keep_coders):
            with in_options(read.arguments, read.place(part.group)):
                if arguments.cluster is not None:
                    intervals["cluster"] = clusters_of(part, arguments.cluster)
                result = report(
                    part.annotations,
                    coefficients,
                    distances,
                    incomplete=arguments.incomplete,
                    measures=arguments.measures,
                    style=arguments.style,
                    **intervals,
                )
                result = replace(result, distance_named=distance_named)
                if arguments.by:
                    group = read.group_values(part.group)
                    how: dict[str, Any] = {"cluster": intervals.get("cluster")}
                    every = requested is not None
                    groups.append(
                        GroupReport.of(group, result, distances, level, every=every, **how)
                    )
            part = part._replace(annotations=result.annotations)
            reports.append((part, _as_read(result, part)))
    if arguments.by_order is not None:
        order = _group_order(arguments, [part.group for part, _ in reports])
        reports = [reports[place] for place in order]
        groups = [groups[place] for place in order]
    trend = None
    if groups:
        from agreement_fast.diagnostics.drift import drift_of

        # Groups without an order may differ, but have no trend.
        ordered = arguments.by_order is not None or not arguments.trend
        with in_options(arguments):
            # Groups that have a name; combinations of columns are one step apart
            rows = [group.rows[0] for group in groups if None not in group.group]
            columns = read.source.by_columns
            ordered = ordered or len(columns) > 1
            trend = drift_of(rows, ", ".join(columns), level, ordered=ordered)
    notes = list(read.notes)
    if (column := arguments.cluster) is not None:
        counts = [len(set(part.along[column].values())) for part, _ in reports]
        notes.append(cluster_note(column, counts))
    notes += _remarks(read, coefficients, distances, reports)
    return Studied(read, notes, distances, level, reports, groups, trend, gates)


@dataclass(frozen=True)
class Studied(Outcome):
    """The reports of all parts, and what is computed over the groups of ``--by``.

    Attributes
    ----------
    read : Read
    notes : sequence of str
        What the reader of the reports should know.
    distances : sequence of str or Distance
    level : float
        The confidence level.
    reports : sequence of (Part, Report)
    groups : sequence of GroupReport
        Of the same order; empty without ``--by``.
    trend : GroupDrift or None
        Over those of `groups` that have a name.
    """

    read: Read
    notes: Sequence[str]
    distances: Sequence[Any]
    level: float
    reports: Sequence[tuple[Part, Report]]
    groups: Sequence[GroupReport]
    trend: GroupDrift | None
    gates: Gates

    def text(self) -> Iterator[Section]:
        """Give the table of the groups, and each report."""
        from agreement_fast.reports.text import costs_of, report_sections

        width, arguments = terminal_width(), self.read.arguments
        yield opening(self.read, self.notes)
        if self.trend is not None:
            yield self._of_groups(self.trend)
            if len(self.groups) > FEW and not arguments.each:
                return
        if not arguments.by:
            ((_, report),) = self.reports
            with in_options(arguments):
                yield from report_sections(report, width, costs=costs_of(report, self.distances))
            return
        explain = True
        for part, entry in self.reports:
            yield group_heading(arguments.by, part.group, part.rows).hidden()
            for section in report_sections(entry, width, explain=explain):
                yield section.hidden()
            # One explanation is enough if every coefficient is defined.
            explain = explain and all(result.undefined is not None for result in entry.table)

    def _of_groups(self, trend: GroupDrift) -> Section:
        """Return a line for each group, and a sentence on whether they differ."""
        from agreement_fast.reports.groups import group_section

        arguments, groups = self.read.arguments, self.groups
        columns = self.read.source.by_columns
        labels = []
        if arguments.trend:
            labels.append(trend.to_sentence())
        elif trend.undefined is None:
            drift = " --trend tests for a drift over them." if len(columns) == 1 else ""
            which = ""
            if any(None in group.group for group in groups):
                which = f" with a value of {' and '.join(map(show_label, columns))}"
            labels.append(trend.difference_sentence(which) + drift)
        if len(groups) > FEW and not arguments.each:
            labels.append(
                "--each adds the report of each group, --csv FILE the table of all values."
            )
        table = group_section(columns, groups, self.level, terminal_width(WIDEST_TABLE))
        return table._replace(blocks=[*table.blocks, *([""] if labels else []), *labels])

    def table(self) -> Tabular:
        """Give a row for each coefficient, of each group of ``--by``."""
        from agreement_fast.present.tables import Table

        groups = self.groups
        if not groups:
            return self.reports[0][1]
        trend = self.trend if self.read.arguments.trend else None
        place = {} if trend is None else {group: i for i, group in enumerate(trend.groups)}
        parts = []
        for (_, result), entry in zip(self.reports, groups, strict=True):
            columns = dict(result.columns())
            if result.intervals is None:
                # Those of the coefficients that have one in the table of groups
                known = {
                    (row.coefficient, row.distance): row
                    for row in entry.rows
                    if not math.isnan(row.low)
                }
                own = [known.get((row.coefficient, row.distance)) for row in result.table]
                columns |= {
                    name: [getattr(row, name, None) for row in own]
                    for name in ("standard_error", "low", "high", "confidence_level")
                }
                columns["method"] = [None if row is None else INTERVAL for row in own]
            if trend is not None:
                # The place of a group on the line, and the test, beside the coefficient they are of
                at, main = None if None in entry.group else place[entry.group[0]], entry.rows[0]
                line = (trend.position, trend.fitted)
                ours: list[Any] = [None] * 4
                if at is not None:
                    ours = [*(float(of[at]) for of in line), trend.slope, trend.p_value]
                is_main = [(row.coefficient, row.distance) == (main.coefficient, main.distance)
                           for row in result.table]  # fmt: skip
                columns |= {
                    f"trend_{name}": [value if shown else None for shown in is_main]
                    for name, value in zip(TREND, ours, strict=True)
                }
            parts.append((entry.group, Table(columns)))
        return Table.stack(self.read.source.by_columns, parts)

    def document(self) -> dict[str, Any]:
        """Return the document of docs/output.schema.json."""

        tested, trend = {}, self.trend
        if trend is not None and self.read.arguments.trend:
            tested = {"trend": {**trend.to_plain(), "groups": json_rows(trend)}}
        return {
            **document_of(self.read.arguments, self.read.source, self.notes),
            "options": options_document(self.read),
            "reports": [
                {"group": part.group, "rows": part.rows, **entry.to_dict()}
                for part, entry in self.reports
            ],
            **tested,
        }

    def picture(self) -> Picture | None:
        """Draw the coefficients of a report, or a panel for each coefficient of the groups."""
        groups = self.groups
        if not groups:
            report = self.reports[0][1]
            draw = partial(_draw, report.intervals or report.table)
            return Picture([[draw]], None, size=(7.2, 1.5 + 0.38 * len(report.table)))
        if len(groups) > MOST_ROWS:
            return Picture(
                (), None, (0, 0), f"{len(groups)} groups are too many, at most {MOST_ROWS} fit"
            )
        panels = [
            partial(_draw, [group.rows[i] for group in groups]) for i in range(len(groups[0].rows))
        ]
        return Picture([panels], None, size=(7.2, 1.5 + 0.3 * len(groups)))

    def measured(self) -> Iterator[Measured]:
        """Give each coefficient of each group, with its interval if there is one."""
        for part, entry in self.reports:
            for i, result in enumerate(entry.table):
                interval = None if entry.intervals is None else entry.intervals[i]
                ends = ("low", "high", "confidence_level") if interval is not None else ()
                yield Measured(
                    result.coefficient,
                    result.distance,
                    result.value,
                    undefined=result.undefined or (None if interval is None else interval.note),
                    group=self.read.group_name(part.group),
                    **{end: getattr(interval, end) for end in ends},
                )

    def beside(self) -> Beside | None:
        """Give coders, categories and items, unless there are groups."""
        if self.groups:
            return None
        from agreement_fast.reports.page import beside_report

        read, ((_, result),) = self.read, self.reports
        with in_options(read.arguments):
            return beside_report(
                result,
                self.distances,
                title=f"Agreement: {title_of(read.source)}",
                texts=not read.arguments.no_text,
                named=not read.adds_up,
            )


def _check_gates(
    gates: Gates, coefficients: list[str] | None, arguments: argparse.Namespace
) -> None:
    """Refuse thresholds that no file could make valid."""
    from agreement_fast.distances import Distance, nominal
    from agreement_fast.points import chosen

    if not gates:
        return
    computed = []
    of_files = {*options.TREE_DISTANCES, "matrix"}  # which are not read yet
    for of_sets in (False, True):
        names = options.chosen_distances(arguments, of_sets=of_sets)
        requested = options.with_weighted(coefficients, names)
        distances = [Distance(name, nominal.bind) if name in of_files else name for name in names]
        with in_options(arguments):
            points = chosen(requested, distances, coders_known=True)
        computed.append([(point.name, point.distance.name) for point in points])
    plain, of_sets_too = computed
    # Only the files show whether labels are sets, so a name may still mean two values.
    known = [gate for gate in gates if not any(gate[1].concerns(*entry) for entry in of_sets_too)]
    check_gates(gates if plain == of_sets_too else known, plain)


def _group_order(arguments: argparse.Namespace, values: Sequence[Any]) -> list[int]:
    """Return the indices of the groups in the order of ``--by-order``; no value comes last."""
    names = options.listed([arguments.by_order], "--by-order")
    place = {spell_label(group): i for i, group in enumerate(values) if group is not None}
    for name in names:
        if name not in place:
            some = some_of(list(place), 8)
            raise UsageError(f"--by-order: {arguments.by} has no {name!r}; it has {some}")
    if len(set(names)) < len(names):
        raise UsageError("--by-order names a group twice")
    for name in place:
        if name not in names:
            raise UsageError(
                f"--by-order leaves out the group {show_label(name)}: name all {len(place):,}"
            )
    return [
        *(place[name] for name in names),
        *(i for i, entry in enumerate(values) if entry is None),
    ]


def _methodology(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `report` on tests and the coders' work."""
    from agreement_fast.reports.paper import THRESHOLD, check_methodology, tests_of

    fields: dict[str, str] = {}
    for text in arguments.methodology or ():
        name, equals, value = text.partition("=")
        if not equals or not value.strip():
            raise UsageError(f"--methodology {text}: expected FIELD=TEXT, such as independent=yes")
        fields[name.strip()] = value.strip()
    requested = {} if arguments.threshold is None else {"threshold": arguments.threshold}
    with in_options(arguments):
        check_methodology(fields)
        tests_of(None, requested.get("threshold", THRESHOLD))
    return {**requested, "methodology": fields} if fields else requested


def _intervals(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments of `report` that the options on intervals imply."""
    requested: dict[str, Any] = {}
    if arguments.confidence_level is not None:
        requested["confidence_level"] = options.confidence_level(arguments)
    draws = options.chosen_draws(arguments, CLOSED, ["resample", "n_resamples", "rng"])
    of_items = arguments.cluster is not None or has_gates(arguments)
    # A page shows all values with their intervals.
    if not (arguments.method or of_items or arguments.html):
        return requested
    return {
        **requested,
        **draws,
        "method": arguments.method or INTERVAL,
        "progress": progress_shown(arguments),
    }


def _draw(results: Any, ax: Axes) -> None:
    """Draw the values; the bands of a scale are meant for the nominal distance only."""
    from agreement_fast.plots import forest

    nominal = all(result.distance == "nominal" for result in results)
    forest(results, scale="landis_koch_1977" if nominal else None, ax=ax)


def _as_read(report: Report, part: Part) -> Report:
    """Complete a report with what only the files show."""
    categories = list(report.categories)
    # Sets from several parts are in the order of the parts.
    sets = all(isinstance(c.category, frozenset) for c in categories)
    if sets and not report.declared:
        categories.sort(key=lambda c: sorted(map(str, c.category)))
    # A part with only whole numbers has integers: 1 and 1.0 are one category.
    labels = [row.category for row in categories]
    kinds = {type(element) for label in labels for element in (label if sets else [label])}
    if kinds == {int, float} and not (sets and report.declared):
        as_float = (lambda label: frozenset(map(float, label))) if sets else float
        labels = list(map(as_float, labels))
    written = {label: label for label in labels}  # 1 finds 1.0
    return replace(
        report,
        # If parts were added up, the annotations have one row for each pattern.
        n_rows=part.items,
        categories=tuple(
            replace(c, category=label) for c, label in zip(categories, labels, strict=True)
        ),
        cross=None if report.cross is None else report.cross.in_order(labels),
        rare=tuple(replace(entry, label=written[entry.label]) for entry in report.rare),
    )


def _remarks(
    read: Read,
    coefficients: list[str] | None,
    distances: Sequence[str | Distance],
    reports: Sequence[tuple[Part, Report]],
) -> list[str]:
    """Return remarks on the chosen options, one sentence each."""
    from agreement_fast.points import COEFFICIENTS, named

    # A single report has them among its own remarks.
    notes = (note for _, entry in reports for note in entry.table.read.notes)
    remarks = list(dict.fromkeys(notes)) if read.arguments.by else []
    are_sets = read.arguments.duplicates == "set"
    others = [
        distance if isinstance(distance, str) else distance.name
        for distance in distances
        if distance != "nominal"
    ]
    for name in coefficients or ():
        row = named(name)
        if others and row.nominal_only:
            remarks.append(
                f"{name} takes only the nominal distance; with {' and '.join(others)} it is called"
                f" {row.weighted}"
            )
        plain = {
            coefficient.weighted: coefficient.name for coefficient in COEFFICIENTS.values()
        }.get(row.name)
        if not others and plain is not None:
            remarks.append(
                f"{name} with the nominal distance is {plain}: --distance quadratic, linear or"
                " ordinal counts a near miss as less than a far one"
            )
    sizes = {len(entry.categories) for _, entry in reports}
    if read.declared is None and len(sizes) > 1 and not are_sets:
        remarks.append(
            "the groups use different numbers of categories, which S and AC depend on: --categories"
            " makes them the same"
        )
    return remarks
