"""The best alignment and γ, compared with pygamma-agreement: equal disorders, and times.

python benchmarks/gamma.py [--rival PYTHON]

PYTHON is an interpreter that has pygamma-agreement. It goes over all tuples of units, so it runs
only the cases with few enough of them, and its approximation ("fast") for the others. Each case has
at most two minutes of processor time.
Times are processor seconds of one alignment, and of γ with 30 samples of chance, warm.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
from time import process_time

import numpy as np

#: tests/data/AlexPaulSuzan.csv of pygamma-agreement.
EXAMPLE = [
    [0, 2, 9, "1"], [0, 11, 17, "2"], [0, 24, 30, "5"], [0, 32, 36, "6"], [0, 36, 44, "6"],
    [0, 44, 60, "7"], [1, 2, 9, "1"], [1, 11, 17, "3"], [1, 19, 25, "5"], [1, 32, 44, "6"],
    [2, 2, 9, "1"], [2, 11, 17, "4"], [2, 21, 27, "5"], [2, 32, 36, "6"], [2, 36, 40, "6"],
    [2, 40, 44, "6"],
]  # fmt: skip
SAMPLES = 30
CHANCE = {"sampler": "statistical", "n_samples": SAMPLES, "precision": None, "rng": 1}
#: The most tuples of units for which the rival computes an alignment, and γ.
ALIGNED, MEASURED = 130_000_000, 6_000_000
#: Processor seconds after which the rival is stopped.
PATIENCE = 120
#: Kind, units per coder, coders.
CASES = [
    ("example", 0, 0),
    *(("usual", n, 3) for n in (10, 40, 80, 300)),
    *(("usual", n, 2) for n in (100, 1000)),
    ("usual", 20, 5),
    ("usual", 30, 4),
    ("usual", 250, 4),
    ("usual", 1000, 4),
    ("far", 80, 3),
    ("far", 20, 5),
    ("far", 250, 4),
    ("far", 1000, 4),
    ("dense", 80, 3),
    ("dense", 30, 4),
]


def marked(kind: str, n: int, m: int) -> list[list[object]]:
    """Coders who move the units of one text ("usual"), or mark anything ("far", "dense")."""
    if kind == "example":
        return EXAMPLE
    rng = np.random.default_rng(n * m)
    length = {"usual": 20 * n, "far": 10 * n, "dense": 3 * n}[kind]
    start = np.sort(rng.integers(0, length, n))
    size = rng.integers(3, 20, n)
    label = rng.integers(0, 5, n)
    rows = set()
    for coder in range(m):
        if kind == "usual":
            begin = start + rng.integers(-2, 3, n)
            own = np.maximum(1, size + rng.integers(-2, 3, n))
            named = np.where(rng.random(n) < 0.9, label, rng.integers(0, 5, n))
            kept = rng.random(n) < 0.95
        else:
            begin, own = rng.integers(0, length, n), rng.integers(3, 20, n)
            named, kept = rng.integers(0, 5, n), np.ones(n, bool)
        for a, b, k in zip(begin[kept], own[kept], named[kept], strict=True):
            rows.add((coder, int(a), int(a + b), str(k)))
    return [list(row) for row in sorted(rows)]


def timed(call):
    """Return the result and its time: the shorter of two if it is short."""
    began = process_time()
    result = call()
    seconds = process_time() - began
    if seconds < 1:
        began = process_time()
        result = call()
        seconds = min(seconds, process_time() - began)
    return result, seconds


def rival() -> None:
    """Read a case and write the results of pygamma-agreement, one line each."""
    import logging
    import os

    logging.disable(logging.CRITICAL)
    import pygamma_agreement as pa
    from pyannote.core import Segment

    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # the solver writes there
    alike = pa.CombinedCategoricalDissimilarity(alpha=1, beta=1)

    def continuum(rows):
        made = pa.Continuum()
        for coder, start, end, label in rows:
            made.add(str(coder), Segment(start, end), label)
        return made

    def tell(name, call):
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        result, seconds = timed(call)
        answers.write(json.dumps({name: [*result, seconds]}) + "\n")

    continuum(EXAMPLE).compute_gamma(alike)
    for line in sys.stdin:
        case = json.loads(line)
        made = continuum(case["rows"])
        if case["align"]:
            tell("align", lambda made=made: [float(made.get_best_alignment(alike).disorder)])
        else:
            made.measure_best_window_size(alike)
            size = made.best_window_size
            tell(
                "fast",
                lambda made=made, size=size: [float(made.get_fast_alignment(alike, size).disorder)],
            )
        if case["gamma"]:
            tell("gamma", lambda made=made: expected(made.compute_gamma(alike, n_samples=SAMPLES)))
        answers.write(json.dumps({"done": []}) + "\n")


def expected(result) -> list[float]:
    """The mean and the standard deviation of the rival's samples."""
    drawn = [one.disorder for one in result.chance_alignments]
    return [float(np.mean(drawn)), float(np.std(drawn))]


class Rival:
    """The other interpreter. It is restarted after a timeout."""

    def __init__(self, python: str) -> None:
        self.python = python
        self.process: subprocess.Popen[str] | None = None

    def ask(self, rows: list[list[object]]) -> dict[str, list[float]]:
        """The answers that arrive in time."""
        if self.process is None:
            self.process = subprocess.Popen(
                [self.python, "-W", "ignore", __file__, "--as-rival"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        tuples = float(np.prod(np.bincount([row[0] for row in rows]) + 1.0))
        case = {"rows": rows, "align": tuples <= ALIGNED, "gamma": tuples <= MEASURED}
        process, answers = self.process, {"tuples": [tuples]}
        process.stdin.write(json.dumps(case) + "\n")
        process.stdin.flush()
        for line in process.stdout:
            answers |= json.loads(line)
            if "done" in answers:
                break
        else:
            self.process = None
        return answers


def main(python: str | None) -> None:
    """Print a row for each case."""
    from agreement_fast import units

    other = Rival(python) if python else None
    print(f"{'case':<10}{'n × coders':>12}{'disorder':>10}{'align':>9}{'γ':>9}", end="")
    print(f"{'rival':>10}{'γ':>9}{'times':>8}{'γ':>7}" if python else "")
    for kind, n, m in CASES:
        rows = marked(kind, n, m)
        data = units.Continuum.from_rows(*zip(*rows, strict=True))
        result, align = timed(lambda data=data: units.align(data))
        measured, gamma = timed(lambda data=data: units.gamma(data, **CHANCE))
        size = f"{n} × {m}" if n else "16 units"
        print(f"{kind:<10}{size:>12}{result.disorder:>10.6f}{align:>8.3f}s{gamma:>8.3f}s", end="")
        if other:
            told = other.ask(rows)
            print(compared(told, result, measured, align, gamma), end="")
        print(flush=True)


def compared(told, result, measured, align: float, gamma: float) -> str:
    """Check the rival's values, and return its times."""
    text = f"{'-':>10}{'-':>9}{told['tuples'][0]:>9.1e} tuples"
    if "align" in told:
        disorder, seconds = told["align"]
        assert abs(disorder - result.disorder) < 1e-5 * result.disorder, (disorder, result.disorder)
        text = f"{seconds:>9.3f}s{'-':>9}{seconds / align:>7.0f}×"
    elif "fast" in told:
        disorder, seconds = told["fast"]
        assert disorder > result.disorder * (1 - 1e-5)
        more = 100 * (disorder / result.disorder - 1)
        text = f"{seconds:>9.3f}s{'-':>9}{seconds / align:>7.0f}×  (fast: disorder {more:+.2g}%)"
    if "gamma" in told:
        expected, spread, seconds = told["gamma"]
        # Two means of 30 samples.
        error = spread * (2 / SAMPLES) ** 0.5
        assert abs(expected - measured.expected_disorder) < 4 * error, (expected, measured)
        text = text.replace(f"{'-':>9}", f"{seconds:>8.2f}s") + f"{seconds / gamma:>6.0f}×"
    return text


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rival", metavar="PYTHON", help="an interpreter with pygamma-agreement")
    parser.add_argument("--as-rival", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.as_rival:
        rival()
    else:
        main(chosen.rival)
