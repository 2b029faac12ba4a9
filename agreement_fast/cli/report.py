"""The command ``agreement-fast report``."""

from __future__ import annotations

import argparse
import dataclasses
import shlex
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.errors import UsageError
from agreement_fast.cli.outcome import Outcome, Picture, in_groups
from agreement_fast.cli.output import (
    group_heading,
    opening,
    options_document,
    source_document,
    terminal_width,
    title_of,
    version,
)
from agreement_fast.cli.reading import Part, Read, open_annotations, progress_shown
from agreement_fast.cli.wording import in_options
from agreement_fast.options import check_count, check_resamples

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from agreement_fast.page import Page
    from agreement_fast.report import Report

#: Version of the JSON document; it grows when a field changes or goes.
SCHEMA_VERSION = 1

#: How intervals are made where nobody says how, and of how many resamples.
INTERVAL = "delta"
INTERVALS = ("delta", "percentile", "basic", "bca", "krippendorff")
RESAMPLES = 1000

NAME = "report"
USAGE = "FILE... [options]"
HELP = "read files and print how far the coders agree"
DESCRIPTION = """\
Read annotation files and print what they hold, how often each category was
used, and how far the coders agree. A file holds one judgment a row, in columns for
the item, the coder and the label (--wide: one row an item, one column a coder)."""
EXAMPLES = """\
examples:
  agreement-fast report labels.csv
      one judgment a row; the columns are guessed from their names
  agreement-fast report labels.csv --item tweet --coder worker --label stance
      the same, with the columns named
  agreement-fast report 'batch*.csv.gz' extra.jsonl --by batch
      several files as one, a report for each value of the column batch
  agreement-fast report ratings.csv --wide --distance interval --missing NA
      one row an item, one column a coder; near misses count less
  agreement-fast report labels.csv --order "low,medium,high"
      text labels with an order
  agreement-fast report slides.csv --wide --weights slides --coefficients kappa,alpha
      each row stands for as many items as the column slides says
  agreement-fast report labels.parquet --where "duration > 5 and lang = 'en'" --json
      only some rows; a document for programs
  agreement-fast report labels.csv --ci --figure agreement.png
      with intervals, and a picture of them
  agreement-fast report --example
      the anaesthetists of Dawid & Skene 1979, which come with the package
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Take annotations, and whether intervals are wanted."""
    options.add_annotations(parser, example="report on bundled real data (Dawid & Skene 1979)")
    intervals = parser.add_argument_group("intervals")
    intervals.add_argument(
        "--ci", action="store_true", help="give every coefficient a standard error and an interval"
    )
    intervals.add_argument(
        "--ci-method",
        metavar="NAME",
        choices=INTERVALS,
        help=f"delta (from the standard error) or a bootstrap: percentile, basic, bca,"
        f" krippendorff (default: {INTERVAL})",
    )
    intervals.add_argument(
        "--confidence", metavar="PERCENT", type=float, help="of all intervals (default: 95)"
    )
    intervals.add_argument(
        "--resample",
        choices=("items", "coders", "both"),
        help="what a bootstrap draws (default: items)",
    )
    intervals.add_argument(
        "--resamples", metavar="N", type=int, help=f"of a bootstrap (default: {RESAMPLES:,})"
    )
    intervals.add_argument("--seed", metavar="N", type=int, help="of a bootstrap (default: 0)")
    intervals.add_argument(
        "--figure",
        metavar="FILE",
        help="draw the coefficients over the scale of Landis & Koch, as .png, .svg, .pdf, ...",
    )
    options.add_page(parser)
    options.add_format(parser, page="report.md")


def run(arguments: argparse.Namespace) -> Outcome:
    """Read and compute."""
    from agreement_fast.report import report

    # What is no list is refused before anything is read.
    options.asked_distances(arguments)
    asked = options.asked_coefficients(arguments)
    intervals = _intervals(arguments)
    with open_annotations(arguments) as read:
        distances = options.asked_distances(arguments, of_sets=read.holds_sets)
        coefficients = options.with_weighted(asked, distances)
        read.check_early(lambda labels: report(labels, coefficients, distances))
        # Who completed an item, and who would be drawn with it, must be known.
        keep_coders = arguments.incomplete == "complete" or "interval" in intervals
        reports = []
        for part in read.parts(keep_coders=keep_coders):
            with in_options(read.arguments, read.place(part.group)):
                found = report(
                    part.annotations,
                    coefficients,
                    distances,
                    incomplete=arguments.incomplete,
                    **intervals,
                )
            reports.append((part, _as_read(found, part)))
    notes = [*read.notes, *_remarks(read, coefficients, distances, reports)]
    return Outcome(
        text=lambda: _text(read, notes, reports),
        document=lambda: _document(read, notes, reports),
        table=lambda: in_groups(read, reports),
        picture=Picture(
            [[partial(_draw, found)] for _, found in reports],
            [part.group for part, _ in reports],
            size=(7.2, 1.5 + 0.38 * len(reports[0][1].table)),
        ),
        page=lambda: _page(read, notes, reports, distances),
    )


def _intervals(arguments: argparse.Namespace) -> dict[str, Any]:
    """Give the arguments of `report` that the options on intervals ask for."""
    wanted: dict[str, Any] = {}
    if arguments.confidence is not None:
        wanted["confidence_level"] = options.confidence_level(arguments)
    bootstrap = {
        name: getattr(arguments, name)
        for name in ("resample", "resamples", "seed")
        if getattr(arguments, name) is not None
    }
    # A page shows all values with their intervals.
    if not (arguments.ci or arguments.ci_method or bootstrap or arguments.html):
        return wanted
    method = arguments.ci_method or ("percentile" if bootstrap else INTERVAL)
    if method == "delta" and bootstrap:
        raise UsageError(
            f"--{next(iter(bootstrap))} is of a bootstrap: pass --ci-method percentile"
        )
    with in_options(arguments):
        check_resamples(bootstrap.get("resamples", RESAMPLES))
        check_count("rng", bootstrap.get("seed", 0), 0)
    return wanted | {
        "interval": method,
        "resample": bootstrap.get("resample", "items"),
        "n_resamples": bootstrap.get("resamples", RESAMPLES),
        "rng": bootstrap.get("seed", 0),
        "progress": progress_shown(arguments),
    }


def _page(
    read: Read, notes: Sequence[str], reports: Sequence[tuple[Part, Report]], distances: list[str]
) -> Page:
    from agreement_fast.page import page_of

    arguments = read.arguments
    ((part, found),) = reports
    with in_options(arguments):
        return page_of(
            part.annotations,
            found,
            distances=distances,
            title=f"Agreement: {title_of(read.source)}",
            texts=not arguments.no_text,
            named=not read.adds_up,
            document=lambda: _document(read, notes, reports),
            source=source_document(read.source, notes),
            command=shlex.join(["agreement-fast", *arguments.typed]),
        )


def _draw(found: Report, ax: Axes) -> None:
    from agreement_fast.plots import coefficients_on_scale

    coefficients_on_scale(found.table if found.intervals is None else found.intervals, ax=ax)


def _as_read(found: Report, part: Part) -> Report:
    """Put in what only the files tell."""
    categories = found.categories
    # A part with whole numbers only has them as such: 1 and 1.0 are one category.
    if {type(category.label) for category in categories} == {int, float}:
        categories = tuple(
            dataclasses.replace(category, label=float(category.label)) for category in categories
        )
    # Sets of several parts stand in the order of the parts.
    if not found.declared and all(isinstance(c.label, frozenset) for c in categories):
        categories = tuple(sorted(categories, key=lambda c: sorted(map(str, c.label))))
        if {type(element) for category in categories for element in category.label} == {int, float}:
            categories = tuple(
                dataclasses.replace(category, label=frozenset(map(float, category.label)))
                for category in categories
            )
    labels = [category.label for category in categories]
    return dataclasses.replace(
        found,
        # Where parts were added up, the annotations have one row for each pattern.
        n_rows=part.items,
        categories=categories,
        cross=None if found.cross is None else found.cross.in_order(labels),
    )


def _remarks(
    read: Read,
    coefficients: list[str] | None,
    distances: list[str],
    reports: Sequence[tuple[Part, Report]],
) -> list[str]:
    """What a newcomer should know about the options, one sentence each."""
    from agreement_fast.points import named

    remarks = []
    values = read.labels.values
    are_sets = read.arguments.duplicates == "set"
    if distances == ["nominal"] and values.dtype.kind in "iuf" and len(values) > 2 and not are_sets:
        remarks.append(
            "the labels are numbers: if their order or distance means something, --distance ordinal"
            " or --distance interval counts a near miss as less than a far one"
        )
    others = [name for name in distances if name != "nominal"]
    for name in coefficients or ():
        row = named(name)
        if others and row.nominal_only:
            remarks.append(
                f"{name} knows the nominal distance only; with {' and '.join(others)} it is called"
                f" {row.weighted}"
            )
    sizes = {len(found.categories) for _, found in reports}
    if read.declared is None and len(sizes) > 1 and not are_sets:
        remarks.append(
            "the groups use different numbers of categories, which S and AC depend on: --categories"
            " makes them the same"
        )
    return remarks


def _text(read: Read, notes: Sequence[str], reports: Sequence[tuple[Part, Report]]) -> str:
    width = terminal_width()
    sections = [opening(read, notes)]
    explain = True
    for part, found in reports:
        if read.arguments.by:
            sections.append(group_heading(read.arguments.by, part.group, part.rows, width))
        sections.append(found.to_text(width=width, explain=explain).rstrip("\n"))
        # Once is enough, where it was all said.
        explain = explain and all(result.undefined is not None for result in found.table)
    return "\n\n".join(sections) + "\n"


def _document(
    read: Read, notes: Sequence[str], reports: Sequence[tuple[Part, Report]]
) -> dict[str, Any]:
    """Give the document of docs/report.schema.json."""
    return {
        "agreement_fast": version(),
        "schema_version": SCHEMA_VERSION,
        "source": source_document(read.source, notes),
        "options": options_document(read),
        "reports": [
            {"group": part.group, "rows": part.rows, **found.to_dict()} for part, found in reports
        ],
    }
