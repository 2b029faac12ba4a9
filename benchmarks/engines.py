"""Judgments that an engine holds: time, memory and data returned, compared with the bare group-bys.

    python benchmarks/engines.py                               # 1,000,000 judgments
    python benchmarks/engines.py --rows 1000000 10000000 100000000 --json build/engines.json
    python benchmarks/engines.py --table build/engines.json    # only print what is there

Each measurement is a process of its own that reads Parquet, asks the engine for the judgments and
computes five coefficients; the engine was started, and has seen a small table, before the clock
runs. Processor time and peak memory are those of all its processes together, the JVM and Python's
workers included. The bare group-bys are those of `engine_queries.py`. Results are asserted equal
over all engines. Tables are written to build/engines (3 GB for 100,000,000 rows).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import engine_queries
from engine_tables import EACH, KINDS, write

ENGINES = ("memory", "duckdb", "polars", "dask", "pyspark")
COEFFICIENTS = ("pi", "kappa", "alpha", "ac1", "s")
#: Rows of the table that warms up an engine before the measurement.
WARM = 1000
#: Seconds after which a measurement is stopped.
PATIENCE = 1800
#: The memory limit of Spark's JVM.
JVM = os.environ.get("JVM_MEMORY", "6g")


def open_spark() -> Any:
    """A session on this machine's cores."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": JVM,
        "spark.sql.shuffle.partitions": "16",
    }
    builder = SparkSession.builder.master("local[*]")
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def open_table(engine: str, folder: Path) -> Any:
    """A folder of Parquet files, opened as users of the engine do."""
    files = f"{folder}/*.parquet"
    if engine == "duckdb":
        import duckdb

        return duckdb.read_parquet(files)
    if engine == "dask":
        import dask.dataframe as dd

        return dd.read_parquet(files)
    if engine == "pyspark":
        return open_spark().read.parquet(str(folder))
    import polars as pl

    return pl.read_parquet(files) if engine == "memory" else pl.scan_parquet(files)


# ---------------------------------------------------------------------- plans


def shuffles(engine: str, query: Any) -> int:
    """How often the plan of a query shuffles rows, by the columns of the grouping."""
    native = query.to_native()
    if engine == "pyspark":
        plan = native._jdf.queryExecution().executedPlan().toString()
        return plan.count("Exchange hashpartitioning")
    if engine == "dask":
        names = {type(node).__name__ for node in native.optimize(fuse=False).expr.walk()}
        return sum("Shuffle" in name for name in names)
    return 0


class Watched:
    """Keeps the package's queries, so that their plans can be read later."""

    def __init__(self) -> None:
        from agreement_fast.reading.engines.table import Queries

        self.queries: list[Any] = []
        fetch = Queries.fetch

        def watched(asker: Any, query: Any, *most: int) -> Any:
            self.queries.append(query)
            return fetch(asker, query, *most)

        Queries.fetch = watched  # type: ignore[method-assign]


# ---------------------------------------------------------------------- one measurement


def family() -> list[int]:
    """This process and all its descendants."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        parents[int(stat.parent.name)] = int(fields[1])
    result = [os.getpid()]
    for own in result:
        result += [child for child, parent in parents.items() if parent == own]
    return result


def spent() -> float:
    """Processor seconds of the family."""
    ticks = 0
    for process in family():
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def peak() -> int:
    """The sum of the peak memory of all processes, in bytes."""
    total = 0
    for process in family():
        for line in Path(f"/proc/{process}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                total += int(line.split()[1]) * 1024
    return total


def ours(engine: str, folder: Path) -> dict[str, Any]:
    """Compute the coefficients of a table with the package."""
    import agreement_fast as af

    data = af.Annotations.from_frame(open_table(engine, folder))
    values = [float(af.agreement(data, name)).hex() for name in COEFFICIENTS]
    result = {"result": [data.n_items, data.n_judgments, *values]}
    if data.gathered is not None:
        keys = ("way", "n_queries", "n_rows", "n_bytes")
        result |= {key: getattr(data.gathered, key) for key in keys}
    return result


def bare(engine: str, folder: Path) -> dict[str, Any]:
    """Run the bare group-bys of the engine."""
    kind = KINDS[folder.name.rpartition("-")[0]]
    counted = kind.coders > 64
    coders = [f"coder{i:04}" for i in range(kind.coders)] if not counted else []
    rows = getattr(engine_queries, engine)(folder, coders, counted=counted)
    return {"result": [len(rows), sum(rows)]}


TASKS: dict[str, Callable[[str, Path], dict[str, Any]]] = {"ours": ours, "bare": bare}


def one(engine: str, task: str, folder: Path, small: Path) -> dict[str, Any]:
    """Measure here."""
    warnings.simplefilter("ignore")
    began = perf_counter()
    if engine == "pyspark":
        open_spark()
    started = perf_counter() - began
    TASKS[task](engine, small)
    watched = Watched()
    at_first, began = spent(), perf_counter()
    result = TASKS[task](engine, folder)
    result["seconds"] = perf_counter() - began
    result["processor"] = spent() - at_first
    result["peak"], result["started"] = peak(), started
    if task == "ours" and engine != "memory":
        result["shuffles"] = sum(shuffles(engine, query) for query in watched.queries)
    return result


# ---------------------------------------------------------------------- all of them


def measure(engine: str, task: str, folder: Path, small: Path) -> dict[str, Any] | None:
    """Measure in a fresh process; return None if it failed or took too long."""
    command = [sys.executable, __file__, "--one", engine, task, str(folder), str(small)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        print(f"{engine}, {task}, {folder.name}: not done in {PATIENCE} s", file=sys.stderr)
        return None
    if done.returncode:
        printed = done.stderr.strip().splitlines()[-1:] or [f"ended with {done.returncode}"]
        print(f"{engine}, {task}, {folder.name}: {printed[0][:200]}", file=sys.stderr)
        return None
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def run(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Run all measurements, and compare each result as soon as it is known."""
    out = []
    for n_rows in options.rows:
        for kind in options.kinds:
            small, folder = (write(kind, n, options.folder) for n in (WARM, n_rows))
            results: dict[str, Any] = {}
            for engine in options.engines:
                for task in TASKS:
                    if engine == "memory" and task == "bare":
                        continue
                    result = measure(engine, task, folder, small)
                    row = {"rows": n_rows, "kind": kind, "engine": engine, "task": task}
                    out.append(row | (result or {"failed": True}))
                    if result is not None:
                        first = results.setdefault(task, result["result"])
                        assert result["result"] == first, (engine, task, result["result"], first)
                        if task == "bare":
                            assert result["result"][1] == n_rows // EACH
                    if options.json is not None:
                        options.json.write_text(json.dumps(out, indent=1))
                    print(json.dumps(out[-1]), file=sys.stderr)
    return out


def size(n_bytes: float) -> str:
    """Bytes for people."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if n_bytes >= unit:
            return f"{n_bytes / unit:.3g} {name}"
    return f"{n_bytes:.0f} B"


def print_table(measured: list[dict[str, Any]]) -> None:
    """One row for each table and engine, as Markdown."""
    bare_of = {(m["rows"], m["kind"], m["engine"]): m for m in measured if m["task"] == "bare"}
    print(
        "| table | judgments | engine | wall | processor | peak memory | bare: wall | processor | "
        "peak memory | way | queries | shuffles | rows back | bytes back |\n"
        "|---|---:|---|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|"
    )
    for result in measured:
        if result["task"] == "bare":
            continue
        beside = bare_of.get((result["rows"], result["kind"], result["engine"]), {"failed": True})
        cells = [KINDS[result["kind"]].title, f"{result['rows']:,}", result["engine"]]
        for each in (result, beside):
            if "failed" in each:
                cells += ["", "", ""]
            else:
                cells += [f"{each['seconds']:.2f} s", f"{each['processor']:.2f} s"]
                cells.append(size(each["peak"]))
        if "failed" in result:
            cells[3] = "did not finish"
        back = result.get("n_bytes")
        cells += [str(result.get(key, "")) for key in ("way", "n_queries", "shuffles")]
        cells += [
            "" if back is None else f"{result['n_rows']:,}",
            "" if back is None else size(back),
        ]
        print(f"| {' | '.join(cells)} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--folder", type=Path, default=Path("build/engines"))
    parser.add_argument("--json", type=Path, help="also write what was measured to this file")
    parser.add_argument("--table", type=Path, help="print the table of such a file")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one is not None:
        engine, task, *folders = options.one
        print(json.dumps(one(engine, task, *map(Path, folders))))
    elif options.table is not None:
        print_table(json.loads(options.table.read_text()))
    else:
        print_table(run(options))


if __name__ == "__main__":
    main()
