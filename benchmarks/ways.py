"""How far a call goes through the package: calls of its functions, and changes of file.

    python benchmarks/ways.py                 # each way: calls, changes of file, milliseconds
    python benchmarks/ways.py report --most 30  # and the functions that one way calls most

Generators and comprehensions count as calls, each time one is entered. A change of file is a call
into another file of the package than the call before it, the first one included. The second call
is counted: modules are loaded by then. Data are a table of 20 items and 3 coders, and a continuum
of 20 units. The last row is the processor time of `report` in a process of its own, with imports.
One processor is used, so that counts repeat.
"""

import argparse
import collections
import contextlib
import io
import itertools
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

import agreement_fast as af
from agreement_fast.cli import main as command

PACKAGE = str(pathlib.Path(af.__file__).parent)
Place = tuple[str, int, str]


def passed(call: Callable[[], Any]) -> list[Place]:
    """Return the functions of the package that a call enters, in order."""
    call()
    places: list[Place] = []

    def note(frame: Any, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            places.append((code.co_filename, code.co_firstlineno, code.co_qualname))

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return places


def changes(places: list[Place]) -> int:
    """Count calls into another file than that of the call before; the first is one."""
    files = ["", *(file for file, _, _ in places)]
    return sum(file != before for before, file in itertools.pairwise(files))


def silent(*words: str) -> Callable[[], None]:
    """Make a call of the command, which prints nothing."""

    def call() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            assert command(list(words)) == 0, words

    return call


def ways(folder: str) -> dict[str, Callable[[], Any]]:
    """Return each call by its name; files of the commands are written into a folder."""
    rng = np.random.default_rng(0)
    true = rng.choice(list("abc"), 20)
    kept = rng.random((20, 3)) < 0.7
    labels = np.where(kept, true[:, None], rng.choice(list("abc"), (20, 3)))
    frame = pd.DataFrame(labels, columns=["ann", "bob", "cem"])
    groups = np.array(["x", "y"])[np.arange(20) % 2]
    frame.to_csv(f"{folder}/x.csv", index=False)
    starts = np.arange(20) // 2 * 12 + 2 * (np.arange(20) % 2)
    units = pd.DataFrame(
        {
            "coder": np.array(["ann", "bob"])[np.arange(20) % 2],
            "start": starts,
            "end": starts + 6,
            "category": rng.choice(list("ab"), 20),
        }
    )
    units.to_csv(f"{folder}/units.csv", index=False)
    rows = labels.tolist()
    data = af.Annotations.from_wide(rows)
    return {
        "list": lambda: af.alpha(rows),
        "frame": lambda: af.alpha(frame),
        "bootstrap": lambda: af.bootstrap(data, rng=1),
        "by_group": lambda: af.agreement_by_group(data, groups),
        "report": silent("report", f"{folder}/x.csv"),
        "html": silent("report", f"{folder}/x.csv", "--html", f"{folder}/x.html"),
        "units": silent("units", f"{folder}/units.csv"),
    }


def seconds(*words: str, rounds: int = 9) -> float:
    """Return the processor time of a command in a process of its own: the least of some."""

    def spent() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    times = [spent()]
    for _ in range(rounds):
        program = [sys.executable, "-P", "-m", "agreement_fast", *words]
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
        times.append(spent())
    return float(np.diff(times).min())


def main() -> None:
    """Print a row for each way, or the functions that one way calls most."""
    parser = argparse.ArgumentParser()
    parser.add_argument("way", nargs="?")
    parser.add_argument("--most", type=int, default=0)
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        for name, call in ways(folder).items():
            if arguments.way not in (None, name):
                continue
            places = passed(call)
            begun = time.process_time()
            call()
            spent = 1e3 * (time.process_time() - begun)
            print(f"{name:10} {len(places):6,} calls {changes(places):6,} changes {spent:9.2f} ms")
            counted = collections.Counter(places).most_common(arguments.most)
            for (file, line, function), count in counted:
                print(f"{count:8,}  {os.path.relpath(file, PACKAGE)}:{line} {function}")
        if arguments.way is None:
            large = pd.read_csv(f"{folder}/x.csv").sample(1_600, replace=True, random_state=0)
            large.to_csv(f"{folder}/x.csv", index=False)
            report = ("report", f"{folder}/x.csv")
            text, page = seconds(*report), seconds(*report, "--html", f"{folder}/x.html")
            print(f"report of 10 kB: {text:.3f} s, as a page {page:.3f} s")


if __name__ == "__main__":
    main()
