"""Names of coders: sessions, which are named after the data set and the person."""

from __future__ import annotations

import re
from typing import Any

from agreement_fast.exports.found import Found
from agreement_fast.exports.records import Wrong
from agreement_fast.files.errors import show

__all__ = ["REVIEWER", "names_of", "session_of"]

REVIEWER = "reviewer"

#: How Prodigy names sessions without a name: by time.
_TIME = re.compile(r"(^|-)\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}$")


def session_of(record: dict[str, Any]) -> str:
    """Return the session of a judgment."""
    for key in ("_annotator_id", "_session_id"):
        name = record.get(key)
        if name.__class__ is str and name:
            return str(name)
        if name is not None and name != "":
            raise Wrong(f"{show(key)} must be a text")
    raise Wrong(
        "it has neither '_annotator_id' nor '_session_id': pass --coder-from file if each file is"
        " of one coder"
    )


def names_of(sessions: list[str], found: Found) -> dict[str, str]:
    """Return the names of sessions, without the name of the data set if all have it."""
    unnamed = [name for name in sessions if _TIME.search(name)]
    if unnamed:
        found.note(
            f"{len(unnamed):,} of {len(sessions):,} coders are sessions without a name, such as"
            f" {show(unnamed[0])}: one person may have had several; if each file is of one coder,"
            " pass --coder-from file"
        )
    named = [name for name in sessions if name != REVIEWER and not _TIME.search(name)]
    prefix = _shared(named) if len(named) > 1 else ""
    if not prefix:
        return {}
    names = {name: name.removeprefix(prefix) for name in named}
    others = [name for name in sessions if name not in names]
    if "" in names.values() or set(names.values()) & set(others):
        return {}
    found.note(f"{show(prefix)}, with which all names of coders begin, is left out of the names")
    return names


def _shared(names: list[str]) -> str:
    """Return the common prefix of all names, up to a hyphen."""
    first, last = min(names), max(names)
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), None)
    return first[: first.rfind("-", 0, same) + 1]
