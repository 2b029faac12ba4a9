"""One call in a process of its own: its seconds, and the peak of the memory that it adds.

``python alone.py CASE ITEMS ROUNDS THREADS`` prints both as JSON; `measure` starts it. THREADS is
the number of processors that the process may use; 0 means all.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import workloads

_now = 0.0


def clock() -> float:
    """A clock that advances only by the seconds that `measure` reports."""
    return _now


def advance(seconds: float) -> None:
    """Advance the clock."""
    global _now
    _now += seconds


def measure(case: str, items: int, rounds: int = 1, threads: int = 0) -> dict[str, Any]:
    """Run a case in a fresh process: input_bytes, added_bytes, value, seconds."""
    command = [sys.executable, __file__, case, str(items), str(rounds), str(threads)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise RuntimeError(f"{case} at {items} items ended with {done.returncode}, see stderr")
    result = json.loads(done.stdout)
    advance(result["seconds"])
    return result


# ---------------------------------------------------------------------- cases


def _wide(codes):
    import agreement_fast as af

    return af.alpha(af.Annotations.from_wide(codes, missing=-1)).value


def _kept(codes):
    import agreement_fast as af

    return af.alpha(af.Annotations.from_wide(codes, missing=-1, copy=False)).value


def _alpha(distance="nominal"):
    def call(table):
        import agreement_fast as af

        return af.alpha(table, distance).value

    return call


def _krippendorff(distance="nominal", **form):
    def call(data):
        import krippendorff

        name = form.get("name", "reliability_data")
        return krippendorff.alpha(**{name: data}, level_of_measurement=distance)

    return call


def _long(items, coders, labels):
    import agreement_fast as af

    return af.alpha(af.Annotations.from_long(items, coders, labels)).value


def _codes(n):
    return (workloads.table(n),)


def _floats(n):
    return (workloads.floats(workloads.table(n)),)


def _of_coders(n):
    import numpy as np

    return (np.ascontiguousarray(_floats(n)[0].T),)


def _crowd(**options):
    return lambda n: workloads.crowd(n, **options)


#: Name -> (items -> input arrays, input arrays -> value).
CASES: dict[str, tuple[Callable[[int], tuple[Any, ...]], Callable[..., float]]] = {
    "int8": (_codes, _wide),
    "int8-kept": (_codes, _kept),
    "ids": (lambda n: (workloads.wide_ids(n),), _alpha()),
    "many-ids": (lambda n: (workloads.wide_ids(n, distinct=1_000_000),), _alpha()),
    "float64": (_floats, _alpha()),
    "scores": (lambda n: (workloads.scores(n),), _alpha("interval")),
    "crowd-int64": (_crowd(), _long),
    "crowd-int64-shuffled": (_crowd(shuffled=True), _long),
    "crowd-int32": (_crowd(dtype="int32"), _long),
    "krippendorff": (_of_coders, _krippendorff()),
    "krippendorff-counts": (
        lambda n: (workloads.counts(workloads.table(n)),),
        _krippendorff(name="value_counts"),
    ),
    "krippendorff-scores": (lambda n: (workloads.scores(n).T.copy(),), _krippendorff("interval")),
}


# ---------------------------------------------------------------------- the process


def _now_and_peak() -> tuple[int, int]:
    """Return the resident bytes now and their peak since the last reset."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except FileNotFoundError:  # not Linux: return the peak so far for both
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        peak *= 1 if sys.platform == "darwin" else 1024
        return peak, peak
    result = dict(line.split(":", 1) for line in lines)
    return tuple(int(result[key].split()[0]) * 1024 for key in ("VmRSS", "VmHWM"))


def _forget_peak() -> None:
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)  # return the memory left over from making the data
        Path("/proc/self/clear_refs").write_text("5")
    except (AttributeError, OSError):
        pass


def main(case: str, items: int, rounds: int, threads: int) -> None:
    """Measure a case in this process and print the result."""
    if threads:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    make, call = CASES[case]
    call(*make(12))  # imports, pools and caches must not count
    arguments = make(items)
    held = sum(array.nbytes for array in arguments)
    workloads.table.cache_clear()
    workloads.scores.cache_clear()
    workloads.crowd.cache_clear()
    workloads.wide_ids.cache_clear()
    _forget_peak()
    before, _ = _now_and_peak()
    seconds = []
    for _ in range(rounds):
        began = perf_counter()
        value = call(*arguments)
        seconds.append(perf_counter() - began)
    _, peak = _now_and_peak()
    result = {
        "input_bytes": held,
        "added_bytes": max(0, peak - before),
        "value": float(value),
        "seconds": median(seconds),
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], *(int(argument) for argument in sys.argv[2:]))
