"""One table over groups, and their trend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agreement_fast.chance import CHANCE
from agreement_fast.distances import resolve
from agreement_fast.options import PerItem
from agreement_fast.present.sections import Block, Brief, Full, Rows, Section
from agreement_fast.present.terminal import (
    by_reason,
    counted,
    show_label,
    show_level,
    some_of,
)
from agreement_fast.reports.intervals import closed_form

if TYPE_CHECKING:
    from agreement_fast.inference.groups import GroupAgreement
    from agreement_fast.reports.content import Report
    from agreement_fast.reports.intervals import Interval
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

        coders_let_go = report.annotations.kept_marginals is not None
        by_name = {resolve(entry).name: entry for entry in distances}
        main, rows = main_place(report.table), []
        others = [
            place
            for place, entry in enumerate(report.table)
            if every and place != main and entry.distance == report.table[main].distance
        ]
        for result, place in ((report.table[place], place) for place in (main, *others)):
            if report.intervals is not None:
                interval: Interval | None = report.intervals[place]
            elif coders_let_go and CHANCE[result.chance].knows_coders:
                interval = None
            else:
                interval = closed_form(
                    report.annotations,
                    result.coefficient,
                    by_name[result.distance],
                    confidence_level=confidence_level,
                    incomplete=report.incomplete,
                    cluster=cluster,
                )
            ends = ("standard_error", "low", "high", "note")
            own: dict[str, Any] = {"note": CODERS_LET_GO}
            if interval is not None:
                own = {name: getattr(interval, name) for name in ends}
            own |= {name: getattr(result, name) for name in OF_RESULT}
            rows.append(GroupAgreement(group=group, confidence_level=confidence_level, **own))
        return cls(group, report, tuple(rows))


def main_place(table: AgreementTable) -> int:
    """Return the index of the main coefficient of a group: alpha with the last distance."""
    last = table[-1].distance
    of_last = [i for i, result in enumerate(table) if result.distance == last]
    alpha = [i for i in of_last if table[i].coefficient == "alpha"]
    return (alpha or of_last)[0]


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

    def table_of(others: Sequence[int]) -> Rows:
        head = [
            *(show_label(name, room) for name in by), "items", "judgments", "A_o",
            main.coefficient, level, "to", *(table[place].coefficient for place in others),
        ]  # fmt: skip
        lines = []
        for name, (_, report, (row, *_)) in zip(names, groups, strict=True):
            values = (report.observed.value, row.value, row.low, row.high)
            beside = (float(report.table[place].value) for place in others)
            lines.append([*name, report.n_items, report.n_judgments, *values, *beside])
        sides = "<" * len(by) + ">" * (len(head) - len(by))
        return Rows(head, lines, sides, "group", "--csv FILE has all", most=SHOWN, last=SHOWN)

    while others and table_of(others).width() > widest:
        others = others[:-1]
    of = f": {main.coefficient} ({main.distance})" if main.distance != "nominal" else ""
    title = f"{counted(len(groups), 'group')} of {', '.join(map(show_label, by))}{of}"
    rows = table_of(others)
    if len(groups) <= 2 * SHOWN:
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
