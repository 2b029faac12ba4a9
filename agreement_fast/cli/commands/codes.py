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
from agreement_fast.cli.outcome import Outcome, of_groups
from agreement_fast.cli.reading import Part, Read, open_annotations
from agreement_fast.cli.wording import UsageError, in_options
from agreement_fast.present.sections import Block, Brief, Full, Rows, Section, Terms, details
from agreement_fast.present.terminal import (
    by_reason,
    counted,
    json_fields,
    show_label,
    show_level,
    some_of,
    spell_label,
)

if TYPE_CHECKING:
    from agreement_fast.diagnostics.codes import CodeTable, CodeValue
    from agreement_fast.inference.delta_method import StandardError

#: Number of codes that are printed.
SHOWN = 60

#: Characters of a code and of a coefficient of a code that are printed, and coefficients in one
#: table.
LONGEST = 20
ROOM = 60
BESIDE = 2

#: Default coefficients of each code.
USUAL = ("kappa", "alpha")

#: The ways to summarize all codes, and what they mean.
TOGETHER = {
    "mean": "the mean of the codes' values",
    "pooled": "computed from observed and expected disagreement added up over the codes (De Vries"
    " et al. 2008): rare codes count less",
    "micro": "computed from the sum of the codes' tables of given and not given: it also credits"
    " coders for knowing which codes are frequent",
}

SETS = "whole sets are compared; sets that share codes agree in part"

NAME = "codes"
USAGE = "FILE... [--set-separator CHAR] [options]"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_annotations(parser, example=None, incomplete="pairable")
    options.declare(parser, "intervals", options.CONFIDENCE, confidence_level=0.95)
    add_gate(parser, names="pooled_kappa=0.7, kappa=0.6 (of every code) or kappa:CODE=0.6")


@dataclass(frozen=True)
class _CodeValues:
    """What was found of a group: each code, and the sets as wholes."""

    codes: CodeTable
    sets: Sequence[StandardError]


def run(arguments: argparse.Namespace) -> Outcome:
    """Read the files and compute the agreement on each code."""
    from agreement_fast.diagnostics import code_agreement
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

        return of_groups(
            read,
            "groups",
            compute,
            sections=_sections,
            entry=_entry,
            table=lambda entry: entry.codes,
            gates=gates,
            measured=_measured,
        )


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


def _measured(first: _CodeValues) -> Iterator[Measured]:
    """Give the coefficients of each code and of all codes together."""
    table = first.codes
    for name in table.coefficients:
        values: list[tuple[str, str | None, CodeValue]]
        values = [(name, spell_label(row.code), row[name]) for row in table]
        values += [(f"{way}_{name}", None, getattr(table, way)[name]) for way in TOGETHER]
        for what, code, value in values:
            ends = value.value, value.low, value.high, value.confidence_level
            yield Measured(what, code, *ends, value.undefined)


# ---------------------------------------------------------------------------------------------
# Output


def _sections(value: _CodeValues, explain: bool) -> Iterator[Section]:
    table = value.codes
    yield _together(value, explain=explain)
    # The codes with the lowest values, for an answer
    name = table.coefficients[0]
    worst = sorted(
        (row for row in table if row[name].undefined is None), key=lambda row: row[name].value
    )
    rows = [
        (
            show_label(row.code, LONGEST),
            row.n_uses,
            *_cells(row[name]),
            _cells(row["positive_agreement"])[0],
        )
        for row in worst
    ]
    head = ("code", "uses", name, "from", "to", "positive")
    short = Rows(head, rows, "<>>>>>", "code", "--csv FILE writes all", brief=5)
    yield Section("Codes with the lowest agreement", [Brief(short)] if rows else [])
    message = f"{_counts(table)}."
    if explain:
        message += (
            " Items: how many items some coder gave the code. Uses: how many judgments contain it."
            f" The most used codes come first. Each value is followed by its"
            f" {show_level(table.confidence_level)} interval."
        )
    blocks: list[str | Rows] = [message]
    for first in range(0, len(table.coefficients), BESIDE):
        names = table.coefficients[first : first + BESIDE]
        blocks += ["", _table(table, names, counts=True)]
    yield details("Each code", *blocks)
    text = (
        "Observed: how often two judgments of an item are alike. Positive: how often another coder"
        " gives the code if one does. Negative: how often another does not if one does not, which"
        " is high for every rare code."
    )
    shares = [f"{name}_agreement" for name in ("observed", "positive", "negative")]
    yield details(
        "Shares of agreement", *([text, ""] if explain else []), _table(table, shares, counts=False)
    )
    yield from _remarks(table)


def _cells(value: CodeValue | StandardError) -> tuple[Any, Any, Any]:
    """Format a value and the ends of its interval."""
    if value.undefined is not None:
        return "-", "", ""
    return value.value, value.low, value.high


def _table(table: CodeTable, names: Sequence[str], *, counts: bool) -> Rows:
    """Return the codes, the most used first, with values and intervals."""
    head = ["code", *(("items", "uses") if counts else ())]
    head += [cell for name in names for cell in (name.removesuffix("_agreement"), "from", "to")]
    rows = [
        (
            show_label(row.code, LONGEST),
            *((row.n_items, row.n_uses) if counts else ()),
            *(cell for name in names for cell in _cells(row[name])),
        )
        for row in sorted(table, key=lambda row: -row.n_uses)
    ]
    return Rows(head, rows, "", "code", "--csv FILE writes all", most=SHOWN)


def _counts(table: CodeTable) -> str:
    coders = "unknown coders" if table.n_coders is None else counted(table.n_coders, "coder")
    items = counted(table.n_items, "item")
    return f"{counted(len(table), 'code')}, {items} with two judgments, {coders}"


def _remarks(table: CodeTable) -> list[Section]:
    """Explain undefined coefficients and intervals without width, if there are any."""
    reasons = by_reason(
        (show_label(row.code, 28), (why := row[name].undefined) and f"{name} is undefined ({why})")
        for row in table
        for name in table.coefficients
    )
    undefined = [f"{why}: {some_of(codes, 12, ROOM)}." for why, codes in reasons.items()]
    flat = [
        f"{name} of {show_label(row.code, 28)}"
        for row in table
        for name in table.coefficients
        if row[name].high == row[name].low
    ]
    text = (
        f"{some_of(flat, 12, ROOM)}: every sample of these items has this value, which says nothing"
        " about other items."
    )
    return [
        details("Undefined, and why", *undefined),
        details("Intervals without width", *([text] if flat else [])),
    ]


def _together(first: _CodeValues, *, explain: bool) -> Section:
    table = first.codes
    rows = [
        (way, name, *_cells(getattr(table, way)[name]))
        for name in table.coefficients
        for way in TOGETHER
    ]
    rows += [
        ("sets", f"{entry.coefficient} ({entry.distance})", *_cells(entry)) for entry in first.sets
    ]
    head = ("", "coefficient", "value", "from", "to")
    shown = Rows(head, rows, "<<>>>", "value", brief=len(TOGETHER), last=len(first.sets))
    blocks: list[Block] = [Brief(f"{_counts(table)}."), shown]
    for value in first.sets:
        if value.undefined is not None:
            why = f"sets: {value.coefficient} ({value.distance}) is undefined ({value.undefined})."
            blocks.append(why)
    if explain:
        meant = {**TOGETHER, **({"sets": SETS} if first.sets else {})}
        blocks += [Full(""), Full(Terms(list(meant.items()), wide=8))]
    return Section("All codes together", blocks)


def _entry(first: _CodeValues) -> dict[str, Any]:
    """Return the part of a group of docs/output.schema.json."""
    from agreement_fast.present.tables import json_rows

    numbers = "value low high undefined"
    return {
        **json_fields(first.codes, "items=n_items coders=n_coders confidence_level"),
        "codes": json_rows(first.codes),
        "together": [
            {
                "coefficient": name,
                "how": way,
                **json_fields(getattr(first.codes, way)[name], numbers),
            }
            for name in first.codes.coefficients
            for way in TOGETHER
        ],
        "sets": [json_fields(value, f"coefficient distance {numbers}") for value in first.sets],
    }
