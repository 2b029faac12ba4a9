"""One number has one interval on a page: that of the table of coefficients."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from agreement_fast.report import Report

if TYPE_CHECKING:
    from agreement_fast.report.intervals import Interval

__all__ = ["shown_interval"]

#: Values that are as near as this are one number.
ROUNDING = 1e-12


def shown_interval(report: Report, names: Collection[str], number: float) -> Interval | None:
    """Give the interval that the table of coefficients has for a number, None if it has none.

    Parameters
    ----------
    report : Report
    names : collection of str
        Of the coefficients that may be the number.
    number : float
    """
    intervals: list[Interval | None] = [None] * len(report.table)
    intervals[report.quoted] = report.quoted_interval
    for result, interval in zip(report.table, report.intervals or intervals, strict=True):
        near = abs(result.value - number) <= ROUNDING
        if interval is not None and near and result.coefficient in names:
            return interval
    return None
