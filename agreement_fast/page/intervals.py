"""A number has the same interval everywhere on a page: that of the table of coefficients."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from agreement_fast.report import Report

if TYPE_CHECKING:
    from agreement_fast.report.intervals import Interval


#: The difference up to which values are treated as the same number.
ROUNDING = 1e-12


def shown_interval(report: Report, names: Collection[str], number: float) -> Interval | None:
    """Return the interval of a number in the table of coefficients, or None.

    Parameters
    ----------
    report : Report
        The report with the table.
    names : collection of str
        The names of the coefficients that can have this value.
    number : float
        The value.
    """
    intervals: list[Interval | None] = [None] * len(report.table)
    intervals[report.quoted] = report.quoted_interval
    for result, interval in zip(report.table, report.intervals or intervals, strict=True):
        near = abs(result.value - number) <= ROUNDING
        if interval is not None and near and result.coefficient in names:
            return interval
    return None
