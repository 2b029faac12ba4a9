"""Measure agreement on each code if an item may have several (multi-label).

Measure agreement on labels that are sets of codes. For each code, given or not given,
print coefficients and positive agreement (how often another coder gives the code if one
does), then summaries over all codes. An empty set is a judgment that no code applies; a
missing judgment stays missing.

examples:
  agreement-fast codes interviews.csv --set-separator ";"
      labels such as trust;cost
  agreement-fast codes codings.csv
      one row per coding: the rows of a coder and an item are one set
  agreement-fast codes interviews.csv --set-separator ";" --empty-set none --csv codes.csv
      "none" means that no code applies; write a table with one row per code
  agreement-fast codes interviews.csv --set-separator ";" --fail-under pooled_kappa=0.7
      exit with code 1 if the pooled kappa is lower
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agreement_fast.cli import options
from agreement_fast.cli.gate import Measured, add_gate, chosen_gates
from agreement_fast.cli.outcome import Answer, Outcome, of_groups
from agreement_fast.cli.reading import Part, Read, open_annotations
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.documents import json_fields, json_rows
from agreement_fast.present.terminal import (
    show_label,
    spell_label,
)

if TYPE_CHECKING:
    from agreement_fast.diagnostics.codes import CodeTable, CodeValue
    from agreement_fast.inference.delta_method import StandardError
    from agreement_fast.present.sections import Section

#: Default coefficients of each code.
USUAL = ("kappa", "alpha")

NAME = "codes"
USAGE = "FILE... [--set-separator CHAR] [options]"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser, example=False, incomplete="pairable")
    options.declare(parser, "intervals", options.CONFIDENCE, confidence_level=0.95)
    add_gate(parser, names="pooled_kappa=0.7, kappa=0.6 (of every code) or kappa:CODE=0.6")


@dataclass(frozen=True)
class _CodeValues(Answer):
    """What was found of a group: each code, and the sets as wholes."""

    result: CodeTable
    sets: Sequence[StandardError]

    def sections(self, explain: bool) -> Iterator[Section]:
        """Give each code, and the sets as wholes."""
        return self.result.sections(explain, self.sets)

    def measured(self) -> Iterator[Measured]:
        """Give the coefficients of each code and of all codes together."""
        from agreement_fast.diagnostics.codes import TOGETHER

        table = self.result
        for name in table.coefficients:
            values: list[tuple[str, str | None, CodeValue]]
            values = [(name, spell_label(row.code), row[name]) for row in table]
            values += [(f"{way}_{name}", None, getattr(table, way)[name]) for way in TOGETHER]
            for what, code, value in values:
                ends = value.value, value.low, value.high, value.confidence_level
                yield Measured(what, code, *ends, value.undefined)

    def document(self) -> dict[str, Any]:
        """Give the part of a group of docs/output.schema.json."""
        from agreement_fast.diagnostics.codes import TOGETHER

        table, numbers = self.result, "value low high undefined"
        return {
            **json_fields(table, "n_items n_coders confidence_level"),
            "codes": json_rows(table),
            "together": [
                {"coefficient": name, "how": way, **json_fields(getattr(table, way)[name], numbers)}
                for name in table.coefficients
                for way in TOGETHER
            ],
            "sets": [json_fields(value, f"coefficient distance {numbers}") for value in self.sets],
        }


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and compute the agreement on each code."""
    from agreement_fast.diagnostics import code_agreement
    from agreement_fast.diagnostics.codes import TOGETHER
    from agreement_fast.inference import standard_error
    from agreement_fast.points import named

    with in_options(arguments):
        coefficients = [
            named(name).name for name in options.chosen_coefficients(arguments) or USUAL
        ]
    options.chosen_distances(arguments)
    confidence = options.confidence_level(arguments)
    names = [*coefficients, *(f"{way}_{name}" for way in TOGETHER for name in coefficients)]
    gates = chosen_gates(arguments, names)
    how = {"confidence_level": confidence, "incomplete": arguments.incomplete}
    with open_annotations(arguments) as read:
        _check_sets(read)
        distances = [distance for distance in read.distances() if distance != "nominal"]

        def compute(part: Part) -> _CodeValues:
            data = part.annotations
            sets = [
                standard_error(data, "alpha", distance=distance, **how) for distance in distances
            ]
            return _CodeValues(code_agreement(data, coefficients, **how), sets)

        return of_groups(read, "groups", compute, gates=gates)


def _check_sets(read: Read) -> None:
    """Take several rows of a coder and an item for a set; refuse labels that are no sets."""
    from agreement_fast.reading.recognition.labels import separator_of_sets

    labels, arguments = read.distinct_labels(), read.arguments
    if arguments.duplicates == "set" or any(isinstance(label, frozenset) for label in labels):
        return
    if not labels:
        return
    mark = separator_of_sets(labels)
    n_repeated = 0 if arguments.duplicates is not None else _rows_beyond_one(read)
    if n_repeated and mark is None:
        arguments.duplicates = "set"
        read.counted.rows_of_sets = n_repeated
        return
    remedy = (
        f'pass --set-separator "{mark or ";"}" if {mark or ";"} separates the codes of a label,'
        " --duplicates set if each code has a row of its own"
    )
    if n_repeated:
        remedy = (
            f'pass --set-separator "{mark}" --duplicates set: {mark} separates the codes of a'
            " label, and the rows of a coder and an item together are one set"
        )
    raise UsageError(
        f"codes are elements of sets, but labels such as {show_label(labels[0])!r} are not sets:"
        f" {remedy}"
    )


def _rows_beyond_one(read: Read) -> int:
    """Count the rows of long data beyond one for each coder, item and group."""
    import numpy as np

    from agreement_fast.files import LongTable

    table = read.table
    if not isinstance(table, LongTable) or read.arguments.repeats_of is not None:
        return 0
    keys = [table.items, table.coders, *([] if table.groups is None else [table.groups])]
    judged = table.labels.codes >= 0
    rows = np.stack([key.codes for key in keys], 1)[judged]
    return len(rows) - len(np.unique(rows, axis=0))
