"""One workload: our rows and the rivals' in one table, with every result checked against ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import pytest
from workloads import LARGE, QUICK, size

#: The most seconds for the rounds of a row together.
BUDGET = 1.0
QUICK_BUDGET = 0.1

OURS = "agreement_fast"

#: The tool of rows that are only there for comparison, such as one read of the input.
REFERENCE = "reference"


@dataclass(frozen=True)
class Row:
    """A tool, the form of its input, and its call.

    Attributes
    ----------
    tool : str
        OURS, REFERENCE, or a rival's name.
    form : str
        The input, or what a reference does.
    make : callable
        Items -> the arguments of `call`; not timed.
    call : callable
        What is timed; its result is a number, numbers, or None for a reference.
    items : int or None
        The size for this row, if it would take too long at that of the workload.
    needs : str
        Module without which the row is skipped; by default the rival's name.
    slow : str or None
        Why the row runs at the workload's full size under LARGE=1 only.
    against : str
        For a reference, the prefix of our forms to compare it with; by default all.
    """

    tool: str
    form: str
    make: Callable[[int], tuple[Any, ...]]
    call: Callable[..., Any]
    items: int | None = None
    needs: str = ""
    slow: str | None = None
    against: str = ""


def contest(
    group: str, items: int, rows: Sequence[Row], *, also: Iterable[int] = (), rel: float = 1e-9
) -> Any:
    """A benchmark of one workload, in one group, to be bound to a name ``test_...``.

    The first row is ours and gives the expected result. It is repeated at every size at which a
    rival runs, so that ratios are taken between equal data, and at the sizes `also`.
    """
    first = rows[0]
    full = size(items)
    smaller = [*also, *(row.items for row in rows if row.items is not None)]
    sizes = dict.fromkeys([full, *map(size, smaller)])
    entries = [(first, n) for n in sizes]
    for row in rows[1:]:
        own = [full if row.items is None else size(row.items)]
        entries += [(row, n) for n in (sizes if row.tool == REFERENCE else own)]
    expected: dict[int, Any] = {}

    @pytest.mark.benchmark(group=group)
    @pytest.mark.filterwarnings("ignore")  # rivals warn
    @pytest.mark.parametrize(
        ("row", "n"), entries, ids=[f"{row.tool}, {row.form}, {n:,}" for row, n in entries]
    )
    def run(race: Callable[..., Any], row: Row, n: int) -> None:
        if row.slow and n == full and not (QUICK or LARGE):
            pytest.skip(f"only with LARGE=1: {row.slow}")
        if row.tool not in (OURS, REFERENCE) or row.needs:
            pytest.importorskip(row.needs or row.tool)
        result = race(row, n, row.make(n))
        if row.tool == REFERENCE:
            return
        if n not in expected:
            expected[n] = result if row is first else first.call(*first.make(n))
        assert result == pytest.approx(expected[n], rel=rel)

    return run


def timed(call: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, float]:
    """The result of a first call, and its seconds."""
    began = perf_counter()
    result = call(*arguments)
    return result, perf_counter() - began
