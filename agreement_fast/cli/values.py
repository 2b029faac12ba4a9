"""What commands of special labels share: reading their tables, and what they print."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Literal

from agreement_fast.cli import options
from agreement_fast.cli.output import keep_digests, read_section
from agreement_fast.cli.wording import UsageError
from agreement_fast.present.sections import Brief, Full, Rows, Section, Terms
from agreement_fast.terminal import show_level, show_number

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.files import Source
    from agreement_fast.files.columns import ColumnTable, Role
    from agreement_fast.points import Point
    from agreement_fast.tables import Table


def read_table(
    arguments: argparse.Namespace,
    roles: Mapping[str, Role],
    what: Literal["links", "segmentations"],
) -> ColumnTable:
    """Read the columns that the options name, or that their names tell."""
    from agreement_fast.files import ReadError, Workplace
    from agreement_fast.files.columns import read_columns

    if not arguments.files:
        raise UsageError(
            f"no file was named: agreement-fast {arguments.command} FILE, or - for standard input"
        )
    columns = options.asked_columns(arguments, roles)
    with ExitStack() as stack:
        try:
            workplace = Workplace(stack)
            table = read_columns(workplace, arguments.files, columns, roles, what)
            keep_digests(arguments, workplace, table.source.files)
        except ReadError as error:
            raise UsageError(str(error)) from None
    return table


def opening_of(source: Source, notes: Iterable[str], data: Mapping[str, str]) -> list[Section]:
    """Return the first sections: what was read, and facts about the data."""
    facts = Full(Terms(list(data.items())))
    brief = ", ".join(f"{name} {value}" for name, value in data.items())
    return [read_section(source, notes), Section("Data", [Brief(brief), facts])]


def values_table(
    annotations: Annotations,
    points: Iterable[Point],
    documents: Sequence[Any],
    *,
    confidence_level: float = 0.95,
    incomplete: str = "published",
) -> Table:
    """Compute coefficients, with intervals.

    Parameters
    ----------
    annotations : Annotations
    points : iterable of Point
    documents : sequence of shape (n_rows,)
        The document of each item. Items of a document depend on each other: if there are two
        documents or more, the documents are the sample.
    confidence_level : float
    incomplete : str

    Returns
    -------
    Table
        A row for each point.
    """
    from agreement_fast.coefficients import agreement
    from agreement_fast.inference import standard_error
    from agreement_fast.tables import Table

    several = len(set(documents)) > 1
    values, errors = [], []
    for point in points:
        how: dict[str, Any] = {"distance": point.distance, "incomplete": incomplete}
        values.append(agreement(annotations, point.name, **how))
        errors.append(
            standard_error(
                annotations,
                point.name,
                confidence_level=confidence_level,
                cluster=documents if several else None,
                **how,
            )
        )
    return Table(
        {
            "coefficient": [value.coefficient for value in values],
            "distance": [value.distance for value in values],
            "value": [value.value for value in values],
            "standard_error": [error.standard_error for error in errors],
            "low": [error.low for error in errors],
            "high": [error.high for error in errors],
            "confidence_level": [error.confidence_level for error in errors],
            "observed_disagreement": [value.observed_disagreement for value in values],
            "expected_disagreement": [value.expected_disagreement for value in values],
            "n_items": [value.n_items for value in values],
            "undefined": [value.undefined for value in values],
        }
    )


def values_blocks(table: Table, n_documents: int) -> list[str | Rows]:
    """Show what `values_table` gave."""
    columns = table.to_dict()
    if not columns["value"]:
        return []
    rows = [
        (
            columns["coefficient"][i],
            columns["distance"][i],
            show_number(columns["observed_disagreement"][i]),
            show_number(columns["expected_disagreement"][i]),
            *(columns[name][i] for name in ("value", "low", "high")),
        )
        for i in range(len(table))
    ]
    level = show_level(columns["confidence_level"][0])
    head = ("coefficient", "distance", "D_o", "D_e", "value", f"{level} from", "to")
    sample = (
        f"Intervals are from standard errors with the {n_documents:,} documents as the sample."
        if n_documents > 1
        else "There is one document: intervals take its items for independent, and are too narrow."
    )
    why = dict.fromkeys(reason for reason in columns["undefined"] if reason)
    undefined = [f"Undefined: {reason}." for reason in why]
    return [Rows(head, rows, "<<>>>>>"), sample, *undefined]
