"""What damaged exports must lead to: a result, or an error of one line."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from exported import read

from agreement_fast.files.errors import ReadError

#: What a key is replaced by.
WRONG: tuple[Any, ...] = (None, 7, -1, 1.5, True, "", "text", [], {}, [1], [{}], {"a": 1}, "\ud800")


def survives(path: Path, **said: Any) -> ReadError | None:
    """Read it, and use all of it; return the error, if it is one of one line."""
    try:
        export = read(path, **said)
        for question in export.questions:
            if question in export.found.spans:
                export.units(question)
                export.answers(question, "exact")
            else:
                export.table(question)
    except ReadError as error:
        caught = error
    else:
        return None
    assert str(caught)
    assert "\n" not in str(caught)
    return caught


def spoiled(value: Any, every: int = 1) -> Iterator[Any]:
    """Give copies of a JSON value in each of which one key or element is gone or wrong.

    Every key is once gone; of what it may be replaced by, only some is taken if `every` says so.
    """
    for number, path in enumerate(_paths(value)):
        for wrong in ("gone", *WRONG[number % every :: every]):
            damaged = copy.deepcopy(value)
            holder = damaged
            for key in path[:-1]:
                holder = holder[key]
            if wrong == "gone":
                del holder[path[-1]]
            else:
                holder[path[-1]] = wrong
            yield damaged


def _paths(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield (*before, key)
        yield from _paths(value[key], (*before, key))


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


def truncated(path: Path, content: bytes, step: int, check: Callable[[Path], Any]) -> None:
    """Cut a file at many places, and check each."""
    for size in range(0, len(content), step):
        path.write_bytes(content[:size])
        check(path)
