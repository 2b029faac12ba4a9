"""A tree of categories from a file: rows of child and parent, indented lines, or JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.small_texts import SmallText, read_small

__all__ = ["read_tree"]

#: The names that the columns of child and parent may have.
CHILD = frozenset({"child", "category", "label", "node", "code", "tag", "name"})
PARENT = frozenset({"parent", "above", "parent_id", "broader", "belongs_to"})

#: A node, its parent (None for a root) and the place in the file.
Edges = Iterator[tuple[str, str | None, str]]


def read_tree(path: str) -> dict[str, str | None]:
    """Read a tree as a mapping from child to parent, None for a root.

    Parameters
    ----------
    path : str
        Rows of child and parent (a root alone, or with an empty parent), lines that are indented
        below their parent, or JSON: an object from child to parent, or objects within objects.

    Raises
    ------
    ReadError
        If a category has two parents, is below itself, or a line cannot be read.
    """
    file = read_small(path)
    if file.is_json:
        edges = _of_json(file)
    elif any(line[:1].isspace() and line.strip() for line in file.text.splitlines()):
        edges = _of_indented(file)
    else:
        edges = _of_rows(file)
    parents: dict[str, tuple[str | None, str]] = {}
    for child, parent, place in edges:
        if not child:
            raise ReadError(f"{file.shown}, {place}: a category has no name")
        before = parents.get(child)
        if before is not None and before[0] != parent:
            first, second = (
                "no parent" if one is None else show(one) for one in (before[0], parent)
            )
            raise ReadError(
                f"{file.shown}, {place}: {show(child)} is below {second}, and in {before[1]} below"
                f" {first}; a category has one parent"
            )
        if child == parent:
            raise ReadError(f"{file.shown}, {place}: {show(child)} is below itself")
        parents[child] = parent, place
    return {child: parent for child, (parent, _) in parents.items()}


def _of_rows(file: SmallText) -> Edges:
    for i, (number, cells) in enumerate(file.lines()):
        child, parent = cells[0], cells[1] if len(cells) > 1 else ""
        if any(cells[2:]):
            raise ReadError(
                f"{file.shown}, line {number}: {len(cells)} cells, expected a category and its"
                " parent"
            )
        if i == 0 and child.lower() in CHILD and parent.lower() in PARENT:
            continue
        yield child, parent or None, f"line {number}"


def _of_indented(file: SmallText) -> Edges:
    #: The lines above that this one may be below: their indents and names.
    above: list[tuple[str, str]] = []
    #: The indent of the lines directly below each of them.
    below: dict[int, str] = {}
    for number, line in enumerate(file.text.splitlines(), 1):
        name = line.strip()
        if not name:
            continue
        indent = line[: len(line) - len(line.lstrip())]
        while above and not (indent.startswith(above[-1][0]) and indent != above[-1][0]):
            above.pop()
        if indent and not above:
            raise ReadError(
                f"{file.shown}, line {number}: {show(name)} is indented, but no line above it is"
                " indented less"
            )
        level = len(above)
        below = {upper: one for upper, one in below.items() if upper <= level}
        if below.setdefault(level, indent) != indent:
            raise ReadError(
                f"{file.shown}, line {number}: {show(name)} is indented differently from the lines"
                " above: all lines below one category must start with the same blanks or tabs"
            )
        yield name, above[-1][1] if above else None, f"line {number}"
        above.append((indent, name))


def _of_json(file: SmallText) -> Edges:
    found = file.json()
    if isinstance(found, Mapping) and all(
        isinstance(parent, str | int | float | None) for parent in found.values()
    ):
        for child, parent in found.items():
            yield child, None if parent is None else str(parent), f"[{show(child)}]"
        return
    waiting: list[tuple[Any, str | None, str]] = [(found, None, "the beginning")]
    while waiting:
        below, parent, place = waiting.pop()
        if isinstance(below, Mapping):
            for child, more in below.items():
                yield child, parent, f"[{show(child)}]"
                if more not in (None, "", [], {}):
                    waiting.append((more, child, f"[{show(child)}]"))
        elif isinstance(below, list):
            for one in below:
                if isinstance(one, list):
                    raise ReadError(f"{file.shown}, {place}: a list within a list")
                if isinstance(one, Mapping):
                    waiting.append((one, parent, place))
                else:
                    yield str(one), parent, place
        else:
            yield str(below), parent, place
