"""Mutated files and the command: each run prints a report, or refuses in one line.

By hand::

    python tests/fuzz/fuzz_files.py --count 20000 --seed 1

A case is made from its seed and number alone, so that ``--first 123 --count 1`` runs it again. A
case that takes longer than SECONDS, or more than BYTES of memory, is a finding.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import faulthandler
import io
import json
import os
import random
import resource
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

sys.path.insert(0, str(Path(__file__).parents[1]))

from packed import PACKINGS

from agreement_fast.cli import main

#: What a case may take. A file has a few hundred bytes.
SECONDS = 20
BYTES = 1_000_000_000

#: Pieces that readers stumble over.
PIECES = [
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\n", b"\r\n", b'"', b'""', b"'", b",",
    b";", b"\t", b"|", b"\\", b"{", b"}", b"[", b"]", b":", b"null", b"NaN", b"1e999", b"-0",
    b"9" * 400, b"\\ud800", b"\\u0000", b"\x1b[31m", b"\xe2\x80\xae", b"\xf0\x9f\x8e\x89", b"NA",
    b" ", b"k0", b"0x10", b"1_0", b"true", b"PAR1", b"\x1f\x8b", b"\x28\xb5\x2f\xfd",
]  # fmt: skip

LABELS = ["yes", "no", "p,q", "line\nbreak", 'say "x"', "", "é", "1", "2.5", "a|b"]


@dataclass
class Case:
    """A file, the arguments that read it, and the rows that Python reads (None: not compared)."""

    name: str
    content: bytes
    argv: list[str]
    rows: int | None


def _rows(rng: random.Random) -> list[dict[str, str]]:
    labels = rng.sample(LABELS, rng.randint(1, 5))
    return [
        {"item": f"i{item}", "coder": f"c{coder}", "label": rng.choice(labels), "place": str(item)}
        for item in range(rng.randint(1, 12))
        for coder in range(rng.randint(1, 4))
    ]


def _csv(rng: random.Random, table: list[dict[str, str]], delimiter: str) -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(
        text, list(table[0]), delimiter=delimiter, lineterminator=rng.choice(["\n", "\r\n", "\r"])
    )
    writer.writeheader()
    writer.writerows(table)
    return text.getvalue().encode()


def _parquet(table: list[dict[str, str]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(table), file)
    return file.getvalue()


def _valid(rng: random.Random) -> tuple[str, bytes, list[str]]:
    """Give a file that can be read: its ending, its bytes, the arguments."""
    table = _rows(rng)
    form = rng.choice(["csv", "tsv", "json", "jsonl", "parquet", "wide", "units"])
    if form == "parquet":
        return form, _parquet(table), ["report"]
    if form == "json":
        return form, json.dumps(table).encode(), ["report"]
    if form == "jsonl":
        return form, "\n".join(map(json.dumps, table)).encode(), ["report"]
    if form == "wide":
        wide = [
            {"A": rng.choice(LABELS), "B": rng.choice(LABELS), "C": rng.choice(LABELS)}
            for _ in range(rng.randint(1, 12))
        ]
        return "csv", _csv(rng, wide, ","), ["report", "--layout", "wide"]
    if form == "units":
        units = [
            {"coder": f"c{i % 3}", "start": str(9 * i), "end": str(9 * i + 5), "category": "p"}
            for i in range(rng.randint(2, 9))
        ]
        return "csv", _csv(rng, units, ","), ["units"]
    return form, _csv(rng, table, "\t" if form == "tsv" else ","), ["report"]


def _mutated(rng: random.Random, content: bytes) -> bytes:
    """Change bytes, put pieces in, cut, repeat, and swap lines."""
    # Most of the time below the header: a broken header hides all other errors.
    head = content.find(b"\n") + 1 if rng.random() < 0.7 else 0
    data = bytearray(content[head:])
    for _ in range(rng.randint(1, 3)):
        at, other = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        way = rng.randrange(6)
        if way == 0 and data:
            data[min(at, len(data) - 1)] = rng.randrange(256)
        elif way == 1:
            data[at:at] = rng.choice(PIECES)
        elif way == 2:
            del data[at : min(other, at + 20)]
        elif way == 3:
            data[other:other] = data[at:other]
        elif way == 4:
            del data[at:]
        else:
            lines = bytes(data).splitlines(keepends=True)
            rng.shuffle(lines)
            data = bytearray(b"".join(lines))
        if not data:
            break
    return content[:head] + bytes(data)


def python_rows(ending: str, content: bytes) -> int | None:
    """Count rows by Python's csv and json modules; return None if they do not read the file."""
    try:
        text = content.decode("utf-8-sig")
        if "\0" in text:
            return None
        if ending in ("csv", "tsv"):
            delimiter = "\t" if ending == "tsv" else ","
            table = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter,
                                    strict=True))  # fmt: skip
            table = [row for row in table if row]
            if not table or len({len(row) for row in table}) != 1 or len(table[0]) == 1:
                return None
            return len(table) - 1
        if ending == "jsonl":
            records = [json.loads(line) for line in text.splitlines() if line.strip()]
        elif ending == "json":
            records = json.loads(text)
        else:
            return None
        if isinstance(records, list) and all(isinstance(one, dict) for one in records):
            return len(records)
    except (ValueError, csv.Error, RecursionError):
        pass
    return None


def make_case(seed: int, number: int) -> Case:
    """Make a case. Deterministic."""
    rng = random.Random(f"{seed}:{number}")
    ending, content, argv = _valid(rng)
    if rng.random() < 0.9:
        content = _mutated(rng, content)
    rows = python_rows(ending, content)
    if ending != "parquet" and rng.random() < 0.25:
        name, pack = PACKINGS[rng.choice(list(PACKINGS))]
        content = pack(content)
        ending += name if rng.random() < 0.8 else ""
        if rng.random() < 0.5:
            content, rows = _mutated(rng, content), None
    if argv[0] == "report":
        policy = rng.choice(["first", "first", "majority", "set"])
        argv += ["--duplicates", policy] if "--layout" not in argv else []
        if rng.random() < 0.3:
            argv += ["--where", "true"]
    return Case(f"f.{ending}", content, [*argv, "--json"], rows)


@contextlib.contextmanager
def _standing_in(folder: str) -> Iterator[None]:
    before, temporary = os.getcwd(), tempfile.tempdir
    os.chdir(folder)
    os.mkdir("tmp")
    tempfile.tempdir = os.path.join(folder, "tmp")
    try:
        yield
    finally:
        os.chdir(before)
        tempfile.tempdir = temporary


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    """Stop a case that runs too long: by an exception, or else by the end of the process."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    faulthandler.dump_traceback_later(5 * SECONDS, exit=True)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _memory() -> int:
    """Return the peak memory of this process, in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def run_case(case: Case) -> tuple[int, str]:
    """Run a case, and give the exit code and what is wrong with it: "" if nothing is."""
    before = _memory()
    code, wrong = _outcome(case)
    if not wrong and _memory() - before > BYTES:
        wrong = f"{_memory() - before:,} bytes of memory"
    return code, wrong


def _outcome(case: Case) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, _standing_in(folder):
        Path(case.name).write_bytes(case.content)
        try:
            with _in_time(), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = main([case.argv[0], case.name, *case.argv[1:]])
        except BaseException:
            return -1, traceback.format_exc()
        left = sorted(os.listdir(".")) != sorted([case.name, "tmp"]) or os.listdir("tmp")
    if left:
        return code, "files are left behind"
    line = err.getvalue()
    if code == 2:
        clear = line.startswith("agreement-fast: ") and line.count("\n") == 1
        if not clear or out.getvalue() or not line[:-1].isprintable():
            return code, f"not one clear line: {line!r}"
        return code, ""
    if code or line:
        return code, f"exit code {code}, {line!r}"
    result = json.loads(out.getvalue())["source"]["rows_in_files"]
    if case.rows is not None and result != case.rows:
        return code, f"{result} rows, Python reads {case.rows}"
    return code, ""


def fuzz(count: int, seed: int, first: int = 0) -> tuple[Counter[int], list[tuple[int, str]]]:
    """Run cases; give how often each exit code came, and the findings."""
    codes: Counter[int] = Counter()
    findings = []
    for number in range(first, first + count):
        code, wrong = run_case(make_case(seed, number))
        codes[code] += 1
        if wrong:
            findings.append((number, wrong))
            print(f"seed {seed}, case {number}: {wrong}", file=sys.stderr, flush=True)
        if (number + 1) % 1000 == 0:
            print(f"{number + 1 - first} cases, exit codes {dict(codes)}", file=sys.stderr)
    return codes, findings


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    warnings.simplefilter("error")
    codes, findings = fuzz(arguments.count, arguments.seed, arguments.first)
    print(f"{arguments.count} cases, exit codes {dict(codes)}, {len(findings)} findings")
    sys.exit(bool(findings))
