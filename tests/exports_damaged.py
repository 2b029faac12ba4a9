"""What hostile hands make of an export: each value deleted, and replaced by strange ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

HOSTILE = (None, True, 0, -1, 1.5, 10**400, "", "x", "\ud800", [], {}, [None], [[]], {"id": {}})


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the path of each value within a value."""
    keys: Any = ()
    if isinstance(value, dict):
        keys = value
    elif isinstance(value, list):
        keys = range(len(value))
    for key in keys:
        yield (*path, key)
        yield from places(value[key], (*path, key))


def damaged(content: Any) -> Iterator[Any]:
    """Give copies of a value in which one value is deleted or replaced."""
    text = json.dumps(content)
    for *inner, last in places(content):
        for hostile in (..., *HOSTILE):
            copy = json.loads(text)
            place = copy
            for key in inner:
                place = place[key]
            if hostile is ...:
                del place[last]
            else:
                place[last] = hostile
            yield copy
