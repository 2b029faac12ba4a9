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
from agreement_fast.present.terminal import show_level

if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations
    from agreement_fast.files import ColumnTable, Role, Source
    from agreement_fast.options import Incomplete
    from agreement_fast.points import Point
    from agreement_fast.present.tables import Table


def read_table(
    arguments: argparse.Namespace,
    roles: Mapping[str, Role],
    what: Literal["links", "segmentations"],
) -> ColumnTable:
    """Read the columns that the options name, or that their names tell."""
    from agreement_fast.files import ReadError, Workplace, read_columns

    options.need_file(arguments)
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
    incomplete: Incomplete = "published",
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
    from agreement_fast.present.tables import Table, of_each

    cluster = documents if len(set(documents)) > 1 else None
    values, errors = [], []
    for point in points:
        how: dict[str, Any] = {"distance": point.distance, "incomplete": incomplete}
        values.append(agreement(annotations, point.name, **how))
        how |= {"confidence_level": confidence_level, "cluster": cluster}
        errors.append(standard_error(annotations, point.name, **how))
    return Table(
        of_each(values, "coefficient distance value")
        | of_each(errors, "standard_error low high confidence_level")
        | of_each(values, "observed_disagreement expected_disagreement n_items undefined")
    )


def values_blocks(table: Table, n_documents: int) -> list[str | Rows]:
    """Show what `values_table` gave."""
    columns = table.to_dict()
    if not columns["value"]:
        return []
    level = show_level(columns["confidence_level"][0])
    rows = Rows.laid(
        columns,
        "coefficient | distance | D_o = observed_disagreement:# | D_e = expected_disagreement:# |"
        f" value | {level} from = low | to = high",
        sides="<<>>>>>",
        limit=60,
    )
    sample = (
        f"Intervals are from standard errors with the {n_documents:,} documents as the sample."
        if n_documents > 1
        else "There is one document: intervals take its items for independent, and are too narrow."
    )
    why = dict.fromkeys(reason for reason in columns["undefined"] if reason)
    undefined = [f"Undefined: {reason}." for reason in why]
    return [rows, sample, *undefined]
