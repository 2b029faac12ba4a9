"""Timing of one row, with rounds chosen by its cost, and the table of memory."""

import sys
from pathlib import Path

import pytest

# Files of this folder import each other; pytest's importlib mode does not support that.
sys.path.insert(0, str(Path(__file__).parent))

from contest import BUDGET, OURS, QUICK_BUDGET, REFERENCE, timed
from workloads import QUICK

from agreement_fast import Annotations

MEMORY = pytest.StashKey[list]()


def pytest_configure(config):
    config.stash[MEMORY] = []


@pytest.fixture
def race(benchmark):
    """Time a row, in a number of rounds that depends on its cost, and return the result."""

    def run(row, items, arguments):
        role = {OURS: "ours", REFERENCE: "reference"}.get(row.tool, "rival")
        benchmark.extra_info.update(role=role, tool=row.tool, form=row.form, items=items)
        if role == "reference":
            benchmark.extra_info["against"] = row.against
        # Annotations cache results, so each call gets new ones.
        fresh = any(isinstance(argument, Annotations) for argument in arguments)
        # The first call is a warm-up. Its time decides the number of rounds and of calls in each.
        result, cost = timed(row.call, arguments)
        if cost < 1e-3:
            result, cost = timed(row.call, row.make(items) if fresh else arguments)
        calls = 1 if fresh else min(max(1, int(1e-3 / max(cost, 1e-6))), 1000)
        budget = QUICK_BUDGET if QUICK else BUDGET
        least = 3 if cost < BUDGET else 2 if cost < 3 * BUDGET else 1
        rounds = min(max(least, int(budget / (cost * calls))), 51)
        if fresh:
            benchmark.pedantic(row.call, setup=lambda: (row.make(items), {}), rounds=rounds)
        else:
            benchmark.pedantic(row.call, args=arguments, rounds=rounds, iterations=calls)
        return result

    return run


@pytest.fixture
def remember(benchmark, request):
    """Keep the memory of a call in a process of its own, for the table at the end."""

    def keep(tool, form, items, result):
        role = "ours" if tool == OURS else "rival"
        benchmark.extra_info.update(role=role, tool=tool, form=form, items=items, **result)
        request.config.stash[MEMORY].append(dict(benchmark.extra_info))

    return keep


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[MEMORY]
    if not rows:
        return
    terminalreporter.section("memory that a call adds, in a process of its own")
    terminalreporter.write_line(
        f"{'tool':16}{'input':44}{'items':>12}{'input MiB':>12}{'added MiB':>12}{'ratio':>8}"
    )
    for row in rows:
        held, added = row["input_bytes"] / 2**20, row["added_bytes"] / 2**20
        terminalreporter.write_line(
            f"{row['tool']:16}{row['form']:44}{row['items']:12,}{held:12.1f}{added:12.1f}"
            f"{added / held:8.2f}"
        )
