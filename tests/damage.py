"""Exports that are damaged: with any content, reading them raises nothing but a ReadError."""

from __future__ import annotations

import copy
import csv
import io
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from exported import read

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.segments import CONTINUUM, READINGS

#: What stands in place of a value that should be there.
OTHERS: tuple[Any, ...] = (
    None, True, 0, -1, 2.5, float("nan"), 10**400, "", "x", "\ud800", "\x00\n'", "[", [], [None],
    [[]], [1], {}, {"x": 1},
)  # fmt: skip


def refused(*paths: Path, **said: Any) -> str | None:
    """Give the error of reading an export and all its questions; None where it can be read."""
    try:
        export = read(*paths, **said)
        for question in export.questions:
            if question in export.contents.spans:
                for reading in READINGS:
                    _table(export, question, reading)
                export.units(question)
            else:
                export.table(question)
        export.notes()
    except ReadError as error:
        return one_line(str(error))
    return None


def one_line(message: str) -> str:
    """Give a message, which must be one line."""
    assert message
    assert "\n" not in message
    return message


def _table(export: Any, question: str, reading: str) -> None:
    assert reading != CONTINUUM
    try:
        export.table(question, reading)
    except ReadError as error:
        # A reading may need texts that the export does not have.
        one_line(str(error))


def changed(value: Any, every: int = 1) -> Iterator[Any]:
    """Give copies of a JSON value in which one thing is missing or is something else.

    Everything is missing once; of what may stand in its place, `every` takes only some.
    """
    for number, (*path, last) in enumerate(_places(value)):
        for other in (..., *OTHERS[number % every :: every]):
            other_value = copy.deepcopy(value)
            holder = other_value
            for key in path:
                holder = holder[key]
            if other is ...:
                del holder[last]
            else:
                holder[last] = copy.deepcopy(other)
            yield other_value


def _places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys: Any = value if isinstance(value, dict) else ()
    for key in range(len(value)) if isinstance(value, list) else keys:
        yield (*before, key)
        yield from _places(value[key], (*before, key))


def csv_changes(text: str) -> Iterator[str]:
    """Remove each column of a CSV, and replace its name and cells.

    All cells of a column are read alike: each odd text stands in one of them, in turn.
    """
    rows = list(csv.reader(io.StringIO(text)))
    odds = ("", "x", "\x00\n'", "[", "{}", '{"a": [1]}', "[[]]", "NaN", "9" * 30, "é")
    for column in range(len(rows[0])):
        yield _csv([row[:column] + row[column + 1 :] for row in rows])
        for number, odd in enumerate(odds):
            for line in (0, 1 + (column + number) % (len(rows) - 1)):
                changed = [list(row) for row in rows]
                changed[line][column] = odd
                yield _csv(changed)


def _csv(rows: list[list[str]]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


def cuts(content: bytes, most: int = 80) -> Iterator[bytes]:
    """Give up to `most` beginnings of a file."""
    for end in range(0, len(content), max(1, len(content) // most)):
        yield content[:end]


def truncated(path: Path, content: bytes, most: int, check: Callable[[Path], Any]) -> None:
    """Write beginnings of a file, and check each."""
    for some in cuts(content, most):
        path.write_bytes(some)
        check(path)


def blots(content: bytes, most: int = 80) -> Iterator[bytes]:
    """Give copies of a file in which one byte of up to `most` is another."""
    for number, at in enumerate(range(0, len(content), max(1, len(content) // most))):
        yield content[:at] + (b"\xff", b"\x00", b'"', b"{", b"9")[number % 5] + content[at + 1 :]


def flipped(
    content: bytes, bytes_: Sequence[int] = (0, 9, 10, 32, 58, 255), every: int = 1
) -> Iterator[bytes]:
    """Give copies of a file in which one byte, each once, is another.

    Of what may stand in its place, `every` takes only some.
    """
    for place in range(len(content)):
        for byte in bytes_[place % every :: every]:
            yield content[:place] + bytes([byte]) + content[place + 1 :]


def damaged_text(text: str, seed: int) -> str:
    """Give a text with a few characters gone, doubled or replaced."""
    chance = random.Random(seed)
    letters = list(text)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(letters))
        letters[at] = chance.choice(
            ["", letters[at] * 2, "\t", "\n", "|", "[", "\\", "-", "<", '"', "9"]
        )
    return "".join(letters)
