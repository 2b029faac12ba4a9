"""Valid exports made invalid, one change at a time, and what may come of reading them."""

from __future__ import annotations

import copy
import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exported import read

from agreement_fast.files.errors import ReadError

#: What a key may hold instead of what it should.
ODD = (
    None,
    3,
    -1,
    1.5,
    float("nan"),
    True,
    "",
    "x",
    "\x00\n'",
    "[",
    [],
    [None],
    [[]],
    {},
    {"x": 1},
)


def cuts(content: bytes, most: int = 400) -> Iterator[bytes]:
    """Cut a file off at up to `most` places."""
    for at in range(0, len(content), max(1, len(content) // most)):
        yield content[:at]


def blots(content: bytes, most: int = 400) -> Iterator[bytes]:
    """Write something else over one byte."""
    for number, at in enumerate(range(0, len(content), max(1, len(content) // most))):
        yield content[:at] + (b"\xff", b"\x00", b'"', b"{", b"9")[number % 5] + content[at + 1 :]


def changes(value: Any) -> Iterator[Any]:
    """Remove or replace each value within a value that JSON can hold."""
    for path in list(_paths(value)):
        for odd in (..., *ODD):
            changed = copy.deepcopy(value)
            holder = changed
            for key in path[:-1]:
                holder = holder[key]
            if odd is ...:
                del holder[path[-1]]
            else:
                holder[path[-1]] = copy.deepcopy(odd)
            yield changed


def _paths(value: Any) -> Iterator[tuple[Any, ...]]:
    pairs: Any = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, inner in pairs:
        yield (key,)
        yield from ((key, *rest) for rest in _paths(inner))


def csv_changes(text: str) -> Iterator[str]:
    """Remove each column of a CSV, and replace each cell."""
    rows = list(csv.reader(io.StringIO(text)))
    for column in range(len(rows[0])):
        yield _csv([row[:column] + row[column + 1 :] for row in rows])
        for odd in ("", "x", "\x00\n'", "[", "{}", '{"a": [1]}', "[[]]", "NaN", "9" * 30, "é"):
            for line in range(len(rows)):
                changed = [list(row) for row in rows]
                changed[line][column] = odd
                yield _csv(changed)


def _csv(rows: list[list[str]]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


def reads_or_says(*paths: Path, format: str, **said: Any) -> bool:
    """Read a file that may be broken: whether all of it is read; else a ReadError of one line."""
    said_wrong = ""
    try:
        export = read(*paths, format=format, **said)
        for question in export.questions:
            if question in export.found.spans:
                export.units(question)
            else:
                export.table(question)
        export.notes()
    except ReadError as error:
        said_wrong = str(error) or "\n"
    assert "\n" not in said_wrong
    return not said_wrong
