"""Exports that are damaged: whatever they hold, reading them raises nothing but a ReadError."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from exported import read

from agreement_fast.exports.segments import CONTINUUM, READINGS
from agreement_fast.files.errors import ReadError

#: What stands in place of a value that should be there.
OTHERS: tuple[Any, ...] = (None, True, -1, 2.5, "", "x", [], [[]], [1], {}, {"x": 1})


def refused(*paths: Path, format: str, **said: Any) -> str | None:
    """Give the error of reading an export and all its questions; None where it can be read."""
    try:
        export = read(*paths, format=format, **said)
        for question in export.questions:
            if question in export.found.spans:
                for reading in READINGS:
                    _table(export, question, reading)
                export.units(question)
            else:
                export.table(question)
        export.pick(None)
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


def changed(value: Any) -> Iterator[Any]:
    """Give copies of a value in which one thing is missing or is something else."""
    if isinstance(value, dict):
        for key, inner in value.items():
            rest = {other: one for other, one in value.items() if other != key}
            yield rest
            for other in (*OTHERS, *changed(inner)):
                yield {**value, key: other}
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield value[:place] + value[place + 1 :]
            for other in (*OTHERS, *changed(inner)):
                yield [*value[:place], other, *value[place + 1 :]]


def cut(content: bytes, step: int = 1) -> Iterator[bytes]:
    """Give the beginnings of a file."""
    for end in range(0, len(content), step):
        yield content[:end]


def flipped(content: bytes, bytes_: Sequence[int] = (0, 9, 10, 32, 58, 255)) -> Iterator[bytes]:
    """Give copies of a file in which one byte is another."""
    for place in range(len(content)):
        for byte in bytes_:
            yield content[:place] + bytes([byte]) + content[place + 1 :]
