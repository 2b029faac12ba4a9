"""Measure agreement on what coders marked: spans, segments or chains.

Read units that coders marked on texts or recordings, and print how far the coders agree on
where the units are, and on their categories. A file has one unit per row: a coder, a start
and an end, and optionally a category and a document. A unit from 3 to 5 covers the places 3
and 4. Segments without gaps and coreference chains have options of their own: see
agreement-fast units --of segments --help, and --of chains.

examples:
  agreement-fast units spans.csv --length 5000
      the columns are guessed from their names; the text has 5,000 characters
  agreement-fast units spans.csv --coder who --start from --end to --category what
      the same, with the columns named
  agreement-fast units spans.csv --document text --length letter=800,diary=12000
      several documents, each with its length
  agreement-fast units gestures.csv --resolution 0.001 --length 65.2
      positions in seconds, with three decimals
  agreement-fast units spans.csv --all-coder ann,bob,eve --json
      name the coders, because some may have marked nothing; print a JSON document
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.gate import Measured, add_gate, chosen_gates
from agreement_fast.cli.options import find_coders, options_of
from agreement_fast.cli.outcome import Outcome
from agreement_fast.cli.output import (
    document_of,
    keep_digests,
    read_section,
    shown_notes,
    shown_source,
    title_of,
)
from agreement_fast.cli.wording import Phrases, UsageError, in_options, written
from agreement_fast.errors import Phrase
from agreement_fast.present.documents import json_fields

if TYPE_CHECKING:
    from agreement_fast.cli.gate import Gates
    from agreement_fast.files import Source
    from agreement_fast.present.sections import Section
    from agreement_fast.reports.rendering import Beside
    from agreement_fast.reports.units import UnitsReport
    from agreement_fast.units import Continuum

NAME = "units"


INTERVALS = {
    "--method percentile|basic|bca": "compute an interval for every value, from a bootstrap that"
    " draws documents",
    **options.CONFIDENCE,
    **options.DRAWS,
    "--gamma": "also compute gamma of Mathet et al. (2015) and its parts, from random samples",
}
ROWS = {
    **options.WHERE,
    **options.TEXT,
    "--length N": "length of every document; BEGIN:END if it does not begin at 0; DOCUMENT=N,... if"
    " lengths differ (default: up to the end of the last unit)",
    **options_of("files.exports.reading:read", "--resolution STEP:float"),
    "--all-coder A,B,C": "all coders, including those who marked nothing",
}
COLUMNS = {
    "--coder COLUMN": "who marked the unit",
    **options.CODER_FROM,
    "--start COLUMN": "where the unit starts",
    "--end COLUMN": "where the unit ends: the first place after it",
    "--category COLUMN": "the category of the unit (without such a column: all units have the"
    " same)",
    "--document COLUMN": "the document of the unit (without such a column: there is only one)",
    **options.EXCLUDE,
}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_files(parser)
    options.declare(parser, "what coders marked", options.OF)
    options.add_export(parser, units=True)
    options.declare(parser, "columns (guessed from their names if not given)", COLUMNS)
    options.declare(parser, "rows and positions", ROWS)
    options.declare(parser, "intervals", INTERVALS, confidence_level=0.95, n_resamples=2000, rng=0)
    add_gate(parser, names="u_alpha=0.67", lower=False)
    options.declare(parser, "names", options.ANONYMOUS)


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and compute the coefficients."""
    from agreement_fast.reports.units import units_report
    from agreement_fast.units import doubts
    from agreement_fast.units.coincidences import QUESTIONS

    options.need_file(arguments)
    gates = chosen_gates(arguments, [name for name in QUESTIONS if name != "ku_alpha"])
    confidence = options.confidence_level(arguments)
    draws = options.chosen_draws(arguments, [], ["n_resamples", "rng"])
    source, continuum = _read(arguments)
    with in_options(arguments):
        data = continuum()
        names = [*data.coders, *data.documents, *data.unit_names]
        doubtful = doubts.notes(data)
        data = data.anonymous() if arguments.anonymous else data
        how = {"gamma": arguments.gamma, "seed": arguments.rng, "confidence_level": confidence}
        report = units_report(data, arguments.method, **how, **draws)
    notes = list(source.notes)
    if data.inferred:
        notes.append(
            "documents are assumed to end with their last unit: --length says how long they are,"
            " and all values depend on it"
        )
    words = {**doubts.WORDS, **_left_out(source)}
    notes += [written(note, arguments, words) for note in doubtful]
    source, shown = shown_source(arguments, source), shown_notes(arguments, notes, names)
    return _Units(arguments, source, shown, report, gates)


@dataclass(frozen=True)
class _Units(Outcome):
    """What was read, and the report on it."""

    arguments: argparse.Namespace
    source: Source
    notes: Sequence[str]
    report: UnitsReport
    gates: Gates

    def text(self) -> list[Section]:
        """Give what was read, and the report."""
        return [read_section(self.source, self.notes), *self.report.sections()]

    def table(self) -> UnitsReport:
        """Give the coefficients, with their intervals if they have any."""
        return self.report

    def measured(self) -> list[Measured]:
        """Give the coefficients of all units."""
        return [
            Measured(entry.coefficient, None, entry.value, undefined=entry.undefined)
            for entry in self.report.table
        ]

    def beside(self) -> Beside:
        """Give the documents as lanes."""
        from agreement_fast.reports.units import beside_units

        return beside_units(self.report.data, f"Agreement on units: {title_of(self.source)}")

    def document(self) -> dict[str, Any]:
        """Give the document of docs/output.schema.json."""

        report, data = self.report, self.report.data
        return {
            **document_of(self.arguments, self.source, self.notes),
            **json_fields(data, "n_units categories inferred resolution"),
            "coders": [str(coder) for coder in data.coders],
            "documents": [
                {"name": str(name), "begin": begin, "end": end}
                for name, (begin, end) in zip(
                    data.documents, (data.extents * data.resolution).tolist(), strict=True
                )
            ],
            "table": [
                {
                    **json_fields(entry, f"coefficient {OF_ROW}"),
                    "by_category": [
                        json_fields(part, f"category {OF_ROW}") for part in entry.by_category
                    ],
                }
                for entry in report.table
            ],
            **json_fields(report, "intervals beside"),
        }


#: What the document has of a coefficient and of each of its categories.
OF_ROW = "value observed_disagreement expected_disagreement n_units coverage undefined"


def _left_out(source: Source) -> Phrases:
    """Give the words that leave out the units of some categories of a table."""
    from agreement_fast.reading.recognition.wording import condition_for_shell, condition_without

    column = dict(source.columns).get("category")
    if column is None:
        return {}

    def words(phrase: Phrase) -> str:
        condition = condition_without(column, list(map(str, phrase.value)))
        return f"pass --where {condition_for_shell(condition)} to leave its units out"

    return {"left_out": words}


def _read(arguments: argparse.Namespace) -> tuple[Source, Callable[[], Continuum]]:
    """Read tables of units, or the export of a tool; the continuum is made when it is called."""
    from agreement_fast.cli.reading import open_export, requested_coders
    from agreement_fast.files import UNIT_ROLES, ReadError, Workplace, read_columns
    from agreement_fast.files.exports.reading import continuum_of, continuum_of_table

    extents = _extents(arguments.length)
    everyone = options.listed(
        [arguments.all_coder] if arguments.all_coder is not None else None, "--all-coder"
    )
    requested = replace(options.chosen_columns(arguments, UNIT_ROLES), text=arguments.text)
    named = None not in (arguments.coder, arguments.start, arguments.end)
    with ExitStack() as stack:
        workplace = Workplace(stack)
        try:
            export = open_export(arguments, workplace, named=named)
            if export is None:
                table = read_columns(workplace, arguments.files, requested, UNIT_ROLES, "units")
                keep_digests(arguments, workplace, table.source.files)

                def continuum() -> Continuum:
                    result = continuum_of_table(
                        table, extents=extents, everyone=everyone, resolution=arguments.resolution
                    )
                    names = requested_coders(arguments)
                    if names is None:
                        return result
                    return result.select(coders=find_coders(result.coders, names, "--only-coder"))

                return table.source, continuum
            units = export.units(arguments.question, requested_coders(arguments))
            source = export.source(export.pick(arguments.question, units=True), len(units.starts))
            keep_digests(arguments, workplace, source.files)
        except ReadError as error:
            guessed = str(error).startswith("cannot tell which column")
            others = "; --of segments reads cuts, and --of chains links" if guessed else ""
            raise UsageError(f"{error}{others}") from None
    source = replace(source, notes=(*source.notes, *units.notes))
    return source, lambda: continuum_of(units, extents=extents, everyone=everyone)


def _extents(text: str | None) -> Any:
    """Parse ``--length``: a number, (begin, end), or either for each document."""
    if text is None:
        return None
    pieces = options.listed([text], "--length")
    if "=" not in text:
        if len(pieces) > 1:
            raise UsageError(f"--length {text!r}: for several documents pass DOCUMENT=N,...")
        return _extent(pieces[0])
    extents = {}
    for piece in pieces:
        name, equals, length = piece.rpartition("=")
        if not equals or not name:
            raise UsageError(f"--length {text!r}: {piece!r} is not DOCUMENT=N")
        extents[name] = _extent(length)
    return extents


def _extent(text: str) -> Any:
    try:
        numbers = [float(part) if not part.isdigit() else int(part) for part in text.split(":")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 2) or not all(map(math.isfinite, numbers)):
        raise UsageError(f"--length: {text!r} is neither a number nor BEGIN:END")
    return numbers[0] if len(numbers) == 1 else tuple(numbers)
