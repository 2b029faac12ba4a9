"""One table over groups, and their trend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agreement_fast.chance import CHANCE
from agreement_fast.distances import resolve
from agreement_fast.options import PerItem
from agreement_fast.present.sections import Block, Brief, Full, Rows, Section
from agreement_fast.present.terminal import (
    align,
    by_reason,
    counted,
    show_cell,
    show_label,
    show_level,
    some_of,
)
from agreement_fast.reports.intervals import closed_form

if TYPE_CHECKING:
    from agreement_fast.diagnostics.drift import GroupDrift
    from agreement_fast.inference.groups import GroupAgreement
    from agreement_fast.reports.content import Report
    from agreement_fast.results import AgreementTable


#: Coefficients beside the main one.
OTHERS = 4

#: What a coefficient of a group has of that of its report.
OF_RESULT = (
    *("coefficient", "distance", "value", "observed_disagreement", "expected_disagreement"),
    *("n_items", "n_judgments", "undefined"),
)

#: Columns of a terminal that the names of a group may take, in a table and in a sentence.
NAMES = 40
ROOM = 96

#: Number of groups that are listed from each end of a longer table.
SHOWN = 50

#: Why a coefficient of many rows has no interval.
CODERS_LET_GO = (
    "intervals of coefficients that need to know who said what (--method score keeps them)"
)


class GroupReport(NamedTuple):
    """A group, its report, and the coefficients that are shown with an interval."""

    group: tuple[Any, ...]
    report: Report
    rows: tuple[GroupAgreement, ...]

    @classmethod
    def of(
        cls,
        group: tuple[Any, ...],
        report: Report,
        distances: Sequence[Any],
        confidence_level: float,
        *,
        every: bool,
        cluster: PerItem | None = None,
    ) -> GroupReport:
        """Take the main coefficient; with `every`, all others of its distance, too."""
        from agreement_fast.inference.groups import GroupAgreement

        by_name, annotations = (
            {resolve(entry).name: entry for entry in distances},
            report.annotations,
        )
        main, rows = main_place(report.table), []
        others = [
            place
            for place, entry in enumerate(report.table)
            if every and place != main and entry.distance == report.table[main].distance
        ]
        for place in (main, *others):
            result = report.table[place]
            error = low = high = math.nan
            note = None
            if report.intervals is not None:
                value = report.intervals[place]
            elif annotations.kept_marginals is not None and CHANCE[result.chance].knows_coders:
                value, note = None, CODERS_LET_GO
            else:
                value = closed_form(
                    annotations,
                    result.coefficient,
                    by_name[result.distance],
                    confidence_level=confidence_level,
                    incomplete=report.incomplete,
                    cluster=cluster,
                )
            if value is not None:
                error, low, high, note = value.standard_error, value.low, value.high, value.note
            rows.append(
                GroupAgreement(
                    group=group,
                    standard_error=error,
                    low=low,
                    high=high,
                    confidence_level=confidence_level,
                    **{name: getattr(result, name) for name in OF_RESULT},
                    note=note,
                )
            )
        return cls(group, report, tuple(rows))


def main_place(table: AgreementTable) -> int:
    """Return the index of the main coefficient of a group: alpha with the last distance."""
    last = table[-1].distance
    of_last = [i for i, result in enumerate(table) if result.distance == last]
    alpha = [i for i in of_last if table[i].coefficient == "alpha"]
    return (alpha or of_last)[0]


def groups_trend(
    groups: Sequence[GroupReport], by: str, confidence_level: float, *, ordered: bool = False
) -> GroupDrift:
    """The trend of the main coefficient over the groups that have a name; they are in order.

    `ordered` says that they are one step apart.
    """
    from agreement_fast.diagnostics.drift import drift_of

    rows = [group.rows[0] for group in groups if None not in group.group]
    ordered = ordered or len(groups[0].group) > 1
    return drift_of(rows, by, confidence_level, ordered=ordered)


def group_section(
    by: Sequence[str],
    groups: Sequence[GroupReport],
    confidence_level: float,
    widest: int,
) -> Section:
    """Return a line for each group: its items, the main coefficient, and others that fit.

    Lines of the table have at most `widest` columns. Coefficients that do not fit are named below
    it.
    """
    main = groups[0].rows[0]
    table = groups[0].report.table
    every = [
        place
        for place, result in enumerate(table)
        if result.distance == main.distance and result.coefficient != main.coefficient
    ]
    others = every[:OTHERS]
    level = f"{show_level(confidence_level)} from"
    room = max(8, NAMES // len(by))
    names = [[_value_name(value, room) for value in group.group] for group in groups]
    while True:
        head = [
            *(show_label(name, room) for name in by), "items", "judgments", "A_o",
            main.coefficient, level, "to", *(table[place].coefficient for place in others),
        ]  # fmt: skip
        lines = [
            [
                *name,
                f"{group.report.n_items:,}",
                f"{group.report.n_judgments:,}",
                show_cell(group.report.observed.value),
                *map(show_cell, (group.rows[0].value, group.rows[0].low, group.rows[0].high)),
                *(show_cell(group.report.table[place].value) for place in others),
            ]
            for name, group in zip(names, groups, strict=True)
        ]
        sides = "<" * len(by) + ">" * (len(head) - len(by))
        if not others or max(map(len, align(head, lines, sides))) <= (widest):
            break
        others = others[:-1]
    of = f": {main.coefficient} ({main.distance})" if main.distance != "nominal" else ""
    title = f"{counted(len(groups), 'group')} of {', '.join(map(show_label, by))}{of}"
    rows = Rows(head, lines, sides, "group", "--csv FILE has all", most=SHOWN, last=SHOWN)
    if len(lines) <= 2 * SHOWN:
        rows = replace(rows, most=None, last=0)
    blocks: list[Block] = [Brief(replace(rows, last=0)), Full(rows)]
    left_out = [table[place].coefficient for place in every[len(others) :]]
    if left_out:
        unseen = ", ".join(left_out)
        blocks += ["", f"Not in this table: {unseen}; --csv FILE has all."]
    reasons = by_reason(
        (
            ", ".join(_value_name(value, NAMES) for value in group.group),
            group.rows[0].undefined or group.rows[0].note,
        )
        for group in groups
    )
    explained = [f"{some_of(names, 5, ROOM)}: {why}." for why, names in reasons.items()]
    return Section(title, [*blocks, *([""] if explained else []), *explained])


def _value_name(value: Any, limit: int) -> str:
    return "no value" if value is None else show_label(value, limit)
