"""Ratios of the times that pytest-benchmark measured, as Markdown.

    pytest benchmarks --benchmark-only --benchmark-json=run.json
    python benchmarks/ratios.py run.json > ratios.md
    python benchmarks/ratios.py run.json --table > table.md

A ratio compares the medians of two rows of the same group, size and run. ``--table`` prints one
line for each of our rows and each rival of the same size, and the limit.
"""

from __future__ import annotations

import json
import sys
from itertools import groupby
from operator import itemgetter


def seconds(value):
    """Format a time: three digits and a unit."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if value >= unit:
            return f"{value / unit:.3g} {name}" if value / unit < 1000 else f"{value:.0f} {name}"
    return f"{value / 1e-9:.3g} ns"


def times(value):
    """Format a ratio."""
    return f"{value:.2g}×" if value < 10 else f"{value:,.0f}×"


def rows_of(report):
    """The rows of a report as flat dictionaries, in the order of the run."""
    for benchmark in report["benchmarks"]:
        if "role" in benchmark["extra_info"]:
            stats = benchmark["stats"]
            yield benchmark["extra_info"] | {
                "group": benchmark["group"],
                "median": stats["median"],
                "rounds": stats["rounds"] * stats["iterations"],
            }


def group_table(rows):
    """The lines of a group: ours and the references, then the rivals, each against ours."""
    ours = [row for row in rows if row["role"] == "ours"]

    def at(row):
        return [our for our in ours if our["items"] == row["items"]]

    yield "| tool | input | items | median | ratio |"
    yield "|---|---|---:|---:|---|"
    for row in sorted(rows, key=lambda row: ("ours", "rival", "reference").index(row["role"])):
        if row["role"] == "ours":
            best = [r for r in rows if r["role"] == "rival" and r["items"] == row["items"]]
            fastest = min(best, key=itemgetter("median"), default=None)
            ratio = (
                ""
                if fastest is None
                else f"{times(fastest['median'] / row['median'])} as fast as {fastest['tool']}"
                f" ({fastest['form']})"
            )
        elif row["role"] == "rival":
            ratio = ", ".join(
                f"{times(row['median'] / our['median'])} our {our['form']}" for our in at(row)
            )
        else:
            ratio = ", ".join(
                f"our {our['form']} is {times(our['median'] / row['median'])}"
                for our in at(row)
                if our["form"].startswith(row["against"])
            )
        yield (
            f"| {row['tool']} | {row['form']} | {row['items']:,} | {seconds(row['median'])} "
            f"| {ratio} |"
        )


def memory_table(rows):
    """The lines about the memory that calls add."""
    yield "| tool | input | items | input, MiB | added, MiB | ratio |"
    yield "|---|---|---:|---:|---:|---:|"
    for row in rows:
        held, added = row["input_bytes"] / 2**20, row["added_bytes"] / 2**20
        yield (
            f"| {row['tool']} | {row['form']} | {row['items']:,} | {held:,.1f} | {added:,.1f} "
            f"| {added / held:.2f} |"
        )


def one_table(result):
    """The lines of one table over all groups: ours, the rivals of the same size, and the limit."""
    yield "| work | items | our input | ours | rival, its input | its time | ratio | ours / limit |"
    yield "|---|---:|---|---:|---|---:|---:|---:|"
    for group, members in groupby(result, key=itemgetter("group")):
        rows = [row for row in members if "added_bytes" not in row]
        shown = group
        for our in (row for row in rows if row["role"] == "ours"):
            same = [row for row in rows if row["items"] == our["items"]]
            limits = [
                times(our["median"] / row["median"])
                for row in same
                if row["role"] == "reference" and our["form"].startswith(row["against"])
            ]
            rivals = sorted(
                (row for row in same if row["role"] == "rival"), key=itemgetter("median")
            )
            for rival in rivals or [None]:
                beside = ("", "", "")
                if rival is not None:
                    ratio = times(rival["median"] / our["median"])
                    beside = (f"{rival['tool']}, {rival['form']}", seconds(rival["median"]), ratio)
                cells = (
                    shown, f"{our['items']:,}", our["form"], seconds(our["median"]), *beside,
                    ", ".join(limits),
                )  # fmt: skip
                yield f"| {' | '.join(cells)} |"
                shown = ""


def main(path, *options):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    machine = report["machine_info"]
    cpu = machine.get("cpu", {})
    print(
        f"{cpu.get('brand_raw', machine['processor'])}, {cpu.get('count', '?')} processors, "
        f"{machine['python_implementation']} {machine['python_version']}, {report['datetime'][:10]}"
    )
    result = sorted(rows_of(report), key=itemgetter("group"))
    if "--table" in options:
        print("\n" + "\n".join(one_table(result)))
        return
    for group, members in groupby(result, key=itemgetter("group")):
        rows = list(members)
        print(f"\n### {group}\n")
        table = memory_table if all("added_bytes" in row for row in rows) else group_table
        print("\n".join(table(rows)))
        if table is memory_table and "growth" in group:
            print()
            print("\n".join(group_table(rows)))


if __name__ == "__main__":
    main(*sys.argv[1:])
