"""Compare the agreement in two files, groups or codings.

Compare how far coders agree in two files, in two groups of a file, or in two codings of
the same items, and print the difference with its interval.

examples:
  agreement-fast compare pilot.csv main.csv
      two studies: other items, other coders
  agreement-fast compare before.csv after.csv --paired
      the same items, coded before and after a change of the guidelines
  agreement-fast compare labels.csv --by round --by-only 1,3
      two groups of a file; --by-only is not needed if the column has two values
  agreement-fast compare labels.csv --labels topic,stance
      two questions about the same items
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agreement_fast.cli import options
from agreement_fast.cli.options import options_of
from agreement_fast.cli.outcome import Outcome, Picture
from agreement_fast.cli.output import (
    head_of,
    opening,
    options_document,
    source_document,
)
from agreement_fast.cli.reading import (
    Read,
    cluster_note,
    clusters_of,
    open_annotations,
    progress_shown,
)
from agreement_fast.cli.wording import UsageError, clause, in_options, written
from agreement_fast.present.documents import json_rows
from agreement_fast.present.sections import Block, Full, Rows, Section
from agreement_fast.present.terminal import (
    counted,
    show_cell,
    show_label,
    show_level,
    show_p,
    some_of,
    spell_label,
)

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.inference.delta_method import StandardError
    from agreement_fast.inference.results import Difference
    from agreement_fast.present.tables import Table

#: Coefficients of an answer.
COMPARED = 2

#: Differences below this are due to rounding.
ROUNDING = 1e-12

NAME = "compare"
USAGE = "FILE FILE [options], or FILE --by COLUMN, or FILE --labels A,B"


FUNCTION = "inference.comparison:compare"
DEFAULTS = {"confidence_level": 0.95, "n_resamples": 2000, "rng": 0}
SIDES = {
    "--by-only A,B": "the two values of --by to compare",
    "--labels A,B": "two columns of labels of the same items to compare",
    "--[no-]paired": "both files or groups have the same items, which are matched by name (default:"
    " if all names are the same)",
    "--cluster COLUMN": "sample whole clusters of paired items, such as the documents that they"
    " come from",
}

INTERVALS = {
    **options_of(FUNCTION, "--method NAME=score|percentile|basic|bca"),
    **options.CONFIDENCE,
    **options_of(FUNCTION, "--n-resamples N:int", "--rng N:int"),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser, example=False)
    options.declare(parser, "what is compared", SIDES)
    options.declare(parser, "intervals", INTERVALS, method="score", **DEFAULTS)
    figure = {"--figure FILE": "draw both values and their difference: .png, .svg, ..."}
    options.declare(parser, "picture", figure)


@dataclass(frozen=True)
class _Side:
    """One side of the comparison.

    `in_parts` says that its items were added up and have no names. `clusters` are the clusters of
    its items, if ``--cluster`` names their column.
    """

    name: str
    annotations: Annotations
    in_parts: bool
    clusters: Mapping[Any, str | None] | None = None


class _Compared(NamedTuple):
    """A coefficient of both sides, and the difference."""

    values: tuple[StandardError, StandardError]
    difference: Difference

    @property
    def name(self) -> str:
        """The coefficient and its distance."""
        return f"{self.values[0].coefficient} ({self.values[0].distance})"


@dataclass(frozen=True)
class _Comparison(Outcome):
    """Both sides, as they were read, and the coefficients."""

    reads: Sequence[Read]
    notes: Sequence[str]
    sides: tuple[_Side, _Side]
    paired: bool
    coefficients: Sequence[_Compared]

    def text(self) -> list[Section]:
        """Give what was read, each difference in words, and all in a table."""
        (first, *others), sides = self.reads, self.sides
        sections = [opening(first, [*first.notes, *self.notes]), *map(opening, others)]
        rows = [
            (
                show_label(side.name),
                side.annotations.n_items,
                "unknown" if (n := side.annotations.n_coders) is None else n,
                side.annotations.n_judgments,
            )
            for side in sides
        ]
        how = "Independent data: each side has its own items."
        if self.paired:
            clusters = "" if sides[0].clusters is None else " in whole clusters"
            how = f"The same items{clusters}: what is alike in both sides cancels out."
        counts = Rows(("", "items", "coders", "judgments"), rows, "<>>>", last=2)
        entry = self.coefficients[0].difference
        lines: list[tuple[Any, ...]] = []
        for both in self.coefficients:
            value, d = both.values[0], both.difference
            numbers: list[tuple[Any, ...]] = [
                (show_label(side.name), own, own.low, own.high, "")
                for side, own in zip(sides, both.values, strict=True)
            ]
            numbers.append(("difference", d, d.low, d.high, show_p(d.p_value)))
            names = [(value.coefficient, value.distance), ("", ""), ("", "")]
            lines += [(*name, *row) for name, row in zip(names, numbers, strict=True)]
        level = f"{show_level(entry.confidence_level)} from"
        head = ("coefficient", "distance", "", "value", level, "to", "p")
        drawn = f" with {counted(entry.n_resamples, 'resample')}" if entry.n_resamples else ""
        message = (
            f"The difference is the first minus the second; its interval is by the method"
            f" {entry.method}{drawn}."
        )
        words = self.words()
        shown: list[Block] = [*words[:COMPARED], *map(Full, words[COMPARED:])]
        differences = Rows(head, lines, "<<<>>>>", "coefficient", brief=COMPARED, each=3)
        return [
            *sections,
            Section("In words", shown),
            Section("Differences", [Full(message), Full(""), differences]),
            Section("Compared", [counts, Full(how)]),
        ]

    def words(self) -> list[str]:
        """Say what each difference means."""
        names = [show_label(side.name) for side in self.sides]
        labels = []
        for both in self.coefficients:
            name, d = both.name, both.difference
            if d.undefined is not None:
                why = next(value.undefined or "" for value in both.values if value.undefined)
                labels.append(f"{name}: the difference is undefined because one value is ({why}).")
                continue
            size = show_cell(abs(float(d)))
            size = "less than 0.0001" if size == "0.0000" else size
            # The sign is that of the table: the first less the second
            ends = f"{show_cell(d.low)} to {show_cell(d.high)}"
            side = "higher" if d >= 0 else "lower"
            higher = f"{name} is {size} {side} in {names[0]} than in {names[1]}"
            if abs(d) < ROUNDING:
                interval = "" if d.low != d.low else f" (interval of the difference: {ends})"
                labels.append(f"{name} is equal in {names[0]} and {names[1]}{interval}.")
            elif d.low != d.low:
                labels.append(f"{higher}; it has no interval.")
            elif d.low <= 0 <= d.high:
                labels.append(
                    f"{higher}, but the interval includes 0 ({ends}): these data do not show a"
                    " difference."
                )
            else:
                labels.append(f"{higher} ({ends}).")
            if d.note is not None:
                labels[-1] += f" {d.note[0].upper()}{d.note[1:]}."
        return labels

    def table(self) -> Table:
        """Give a row for each coefficient."""
        from agreement_fast.present.tables import Table, of_each

        result = self.coefficients
        columns = of_each((both.values[0] for both in result), "coefficient distance")
        for place, side in enumerate(("first", "second")):
            columns[side] = [self.sides[place].name] * len(result)
            names = f"{side}_value=value {side}_low=low {side}_high=high"
            columns |= of_each((both.values[place] for both in result), names)
        names = "difference=value low high p_value confidence_level method n_resamples n_undefined"
        return Table(columns | of_each((both.difference for both in result), f"{names} undefined"))

    def picture(self) -> Picture:
        """Draw both values of each coefficient, and the differences."""
        from agreement_fast.plots import forest

        values = {
            f"{side.name}, {value.coefficient} {value.distance}": value
            for both in self.coefficients
            for side, value in zip(self.sides, both.values, strict=True)
        }
        differences = {entry.name: entry.difference for entry in self.coefficients}
        none: Any = {"band": (0.0, 0.0, 0.0), "band_name": "no difference"}
        named: Any = {"name": list(values), "measure": "agreement"}
        panels = [
            lambda ax: forest(list(values.values()), **named, ax=ax),
            lambda ax: forest(differences, measure="first minus second", **none, ax=ax),
        ]
        return Picture([panels], None, size=(6.4, 1.6 + 0.6 * len(self.coefficients)))

    def document(self) -> dict[str, Any]:
        """Give the document of docs/output.schema.json."""

        reads, notes = self.reads, self.notes
        return {
            **head_of(reads[0].arguments, *(read.source for read in reads)),
            "sources": [
                source_document(read.arguments, read.source, [*read.notes, *notes])
                for read in reads
            ],
            "options": options_document(reads[0]),
            "paired": self.paired,
            "differences": json_rows(self.table()),
        }


def run(arguments: argparse.Namespace) -> Outcome:
    """Read both sides and compare them."""
    from agreement_fast.inference import standard_error
    from agreement_fast.inference.comparison import compare, doubts, same_items
    from agreement_fast.points import chosen

    _check(arguments)
    method: Any = arguments.method
    draws = options.chosen_draws(arguments, ["score"], ["n_resamples", "rng"])
    confidence = options.confidence_level(arguments)
    with contextlib.ExitStack() as stack:
        reads, (first, second), notes = _sides(arguments, stack)
    paired = True if arguments.labels is not None else arguments.paired
    guessed = paired is None
    if paired is None:
        with in_options(arguments):
            paired = same_items(first.annotations, second.annotations)
        if paired:
            notes.append("both sides name the same items, so they are paired (else: --no-paired)")
    if paired:
        first, second, more = _same_items(first, second)
        notes += more
        if first.clusters is not None:
            notes.append(cluster_note(arguments.cluster, [len(set(first.clusters.values()))]))
    distances = reads[0].distances(*reads[1:])
    requested = options.with_weighted(
        options.chosen_coefficients(arguments) or ["alpha"], distances
    )
    result = []
    with in_options(arguments):
        points = chosen(requested, distances, coders_known=True)
        both = first.annotations, second.annotations
        doubtful = doubts(*both, points, may_be_paired=guessed and not paired)
        notes += [written(doubt, arguments) for doubt, _ in doubtful]
        for point in points:
            same: dict[str, Any] = {
                "distance": point.distance,
                "confidence_level": confidence,
                "incomplete": arguments.incomplete,
                "cluster": first.clusters,
            }
            how = {**same, "method": method, "progress": progress_shown(arguments)}
            how |= draws if method != "score" else {}
            left, right = (standard_error(side, point.name, **same) for side in both)
            difference = compare(*both, point.name, paired=paired, **how)
            result.append(_Compared((left, right), difference))
    return _Comparison(reads, notes, (first, second), paired, result)


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that do not say which two sides are compared."""
    given = {
        "two files": len(arguments.files) == 2,
        "--by": arguments.by,
        "--labels": arguments.labels,
    }
    ways = [way for way in given if given[way]]
    if len(ways) > 1 and "two files" in ways:
        raise UsageError(f"two files and {ways[1]}: compare one file by {ways[1]}, or two without")
    if len(ways) > 1:
        raise UsageError("--by and --labels exclude each other")
    if not ways:
        n = len(arguments.files)
        raise UsageError(
            f"compare takes two files, got {n}: to compare groups of one file pass --by COLUMN, to"
            " compare two questions --labels A,B"
        )
    if len(arguments.files) == 2 and arguments.files[0] == arguments.files[1]:
        raise UsageError(f"{arguments.files[0]} is given twice: compare takes two different files")
    if arguments.by_only is not None and not arguments.by:
        raise UsageError("--by-only are values of a column: pass --by COLUMN, too")
    if arguments.cluster is not None and not (arguments.paired or arguments.labels):
        raise UsageError("--cluster needs paired items: pass --paired or --labels, too")
    if arguments.labels is not None and (arguments.label or arguments.layout == "wide"):
        other = "--label" if arguments.label else "--layout wide"
        raise UsageError(f"--labels and {other} exclude each other")


def _sides(
    arguments: argparse.Namespace, stack: contextlib.ExitStack
) -> tuple[list[Read], tuple[_Side, _Side], list[str]]:
    """Read both sides."""
    if arguments.by:
        return _groups(arguments, stack)
    if arguments.labels is not None:
        columns = _two(arguments.labels, "--labels", "columns")
        changes: list[dict[str, Any]] = [{"label": column} for column in columns]
        names = columns
    else:
        changes = [{"files": [path]} for path in arguments.files]
        names = [os.path.basename(path) for path in arguments.files]
        if names[0] == names[1]:
            names = list(arguments.files)
        if arguments.anonymous:
            names = ["file 1", "file 2"]
    reads: list[Read] = []
    sides: list[_Side] = []
    for name, change in zip(names, changes, strict=True):
        # Each side has its own copy, because reading may fill in options.
        own = argparse.Namespace(**{**vars(arguments), **change})
        # The items are the same, so the first side has all of their clusters.
        column = None if sides else arguments.cluster
        along = [] if column is None else [column]
        read = stack.enter_context(open_annotations(own, along=along))
        with _named(name, names):
            (part,) = read.parts(keep_coders=True)
            clusters = None if column is None else clusters_of(part, column)
        reads.append(read)
        sides.append(_Side(name, part.annotations, read.adds_up, clusters))
    return reads, (sides[0], sides[1]), []


def _two(text: str, option: str, what: str) -> list[str]:
    names = options.listed([text], option)
    if len(names) != 2:
        raise UsageError(f"{option} must be two {what}, A,B, not {len(names)}")
    if names[0] == names[1]:
        raise UsageError(f"{option} names {names[0]!r} twice: compare takes two {what}")
    return names


@contextlib.contextmanager
def _named(name: str, names: Sequence[str]) -> Iterator[None]:
    """Say which side an error is about."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{name}: {error}" if names[0] != names[1] else str(error)) from None


def _groups(
    arguments: argparse.Namespace, stack: contextlib.ExitStack
) -> tuple[list[Read], tuple[_Side, _Side], list[str]]:
    """Read two groups of a file."""
    along = [] if arguments.cluster is None else [arguments.cluster]
    read = stack.enter_context(open_annotations(arguments, along=along))
    parts = {
        "no value" if part.group is None else spell_label(part.group): part
        for part in read.parts(keep_coders=True)
    }
    requested = list(parts)
    if arguments.by_only is not None:
        requested = _two(arguments.by_only, "--by-only", "values")
    some = some_of(list(parts), 8)
    for name in requested:
        if name not in parts:
            raise UsageError(f"--by-only: {arguments.by} has no value {name!r}; it has {some}")
    if len(requested) != 2:
        raise UsageError(
            f"--by {arguments.by}: {len(requested)} groups ({some}); compare takes two:"
            " pass --by-only"
        )
    first, second = (_Side(name, parts[name].annotations, read.adds_up) for name in requested)
    if arguments.cluster is not None:
        clusters = clusters_of(parts[first.name], arguments.cluster)
        first = replace(first, clusters=clusters)
    left_out = [name for name in parts if name not in requested]
    notes = [f"groups left out: {some_of(left_out, 8)}"] if left_out else []
    return [read], (first, second), notes


def _same_items(first: _Side, second: _Side) -> tuple[_Side, _Side, list[str]]:
    """Keep the items that both sides have, and say what is left out."""
    sides = [first, second]
    for side in sides:
        if side.in_parts:
            raise UsageError(
                f"{side.name} is too large to keep the names of its items, so that they cannot be"
                " paired"
            )
    known = [set(side.annotations.items) for side in sides]
    both = known[0] & known[1]
    if not both:
        raise UsageError(f"{first.name} and {second.name} have no items in common")
    notes = []
    kept = [item for item in first.annotations.items if item in both]
    for side, other, items in zip(sides, sides[::-1], known, strict=True):
        if len(items) > len(both):
            left = clause(len(items) - len(both), "item")
            notes.append(f"{left} only in {side.name}, not in {other.name}, and left out")
    if not notes:
        return first, second, notes
    first, second = (
        replace(side, annotations=side.annotations.select(items=kept)) for side in sides
    )
    if first.clusters is not None:
        first = replace(first, clusters={item: first.clusters[item] for item in kept})
    return first, second, notes
