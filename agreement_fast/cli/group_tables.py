"""The table of ``report --csv``: with ``--by`` it has what the table of groups shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agreement_fast.cli.reading import Part, Read
    from agreement_fast.inference import GroupAgreement, Trend
    from agreement_fast.report import Report
    from agreement_fast.report.groups import GroupReport
    from agreement_fast.tables import Tabular


def report_table(
    read: Read,
    reports: Sequence[tuple[Part, Report]],
    groups: Sequence[GroupReport],
    trend: Trend | None,
) -> Tabular:
    """Give a row for each coefficient, of each group of ``--by``.

    Parameters
    ----------
    read : Read
    reports : sequence of (Part, Report)
    groups : sequence of GroupReport
        Of the same order; empty without ``--by``.
    trend : Trend or None
        Over those of `groups` that have a name.
    """
    from agreement_fast.tables import Table

    if not groups:
        return reports[0][1]
    place = {} if trend is None else {group: i for i, group in enumerate(trend.groups)}
    parts = []
    for (_, found), one in zip(reports, groups, strict=True):
        columns = dict(found.columns())
        if found.intervals is None:
            columns |= _intervals(found, one.rows)
        if trend is not None:
            at = None if None in one.group else place[one.group[0]]
            # The place of a group on the line, and the test, beside the coefficient they are of
            main = one.rows[0]
            ours: dict[str, Any] = {
                "position": None if at is None else float(trend.position[at]),
                "fitted": None if at is None else float(trend.fitted[at]),
                "slope": None if at is None else trend.slope,
                "p_value": None if at is None else trend.p_value,
            }
            is_main = [(one.coefficient, one.distance) == (main.coefficient, main.distance)
                       for one in found.table]  # fmt: skip
            columns |= {
                f"trend_{name}": [value if here else None for here in is_main]
                for name, value in ours.items()
            }
        parts.append((one.group, Table(columns)))
    return Table.stack(read.source.by_columns, parts)


def _intervals(found: Report, rows: Sequence[GroupAgreement]) -> Mapping[str, Sequence[Any]]:
    """Give the intervals of the coefficients that have one in the table of groups."""
    known = {(row.coefficient, row.distance): row for row in rows if not math.isnan(row.low)}
    own = [known.get((result.coefficient, result.distance)) for result in found.table]
    names = ("standard_error", "low", "high", "confidence_level")
    return {
        **{name: [None if one is None else getattr(one, name) for one in own] for name in names},
        "method": [None if one is None else "delta" for one in own],
    }
