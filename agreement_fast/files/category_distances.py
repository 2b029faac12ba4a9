"""Distances between categories, and trees of them, from small files."""

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from agreement_fast.distances.named import LARGEST
from agreement_fast.files.errors import ReadError, show

#: Largest size in bytes; a larger file is not what was meant.
LARGEST_FILE = 1 << 26

DELIMITERS = ("\t", ";", ",")


class Line(NamedTuple):
    """A line of cells, and its number."""

    number: int
    cells: list[str]


class SmallText(NamedTuple):
    """A file that was read."""

    #: Its name, for errors.
    shown: str
    text: str

    @property
    def is_json(self) -> bool:
        """Whether the text begins as JSON does."""
        return self.text.lstrip()[:1] in ("{", "[")

    def json(self) -> Any:
        """Return the parsed JSON."""

        def pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            for name, n in Counter(name for name, _ in pairs).items():
                if n > 1:
                    raise ReadError(f"{self.shown}: {show(name)} is a key twice")
            return dict(pairs)

        try:
            return json.loads(self.text, object_pairs_hook=pairs)
        except ValueError as error:
            raise ReadError(f"{self.shown} is not JSON: {error}") from None
        except RecursionError:
            raise ReadError(f"{self.shown}: its JSON is nested too deeply") from None

    def delimiter(self) -> str:
        """Return the delimiter of cells: the first mark in all lines, else in any of them."""
        lines = [line for line in self.text.splitlines() if line.strip()]
        everywhere = (mark for mark in DELIMITERS if all(mark in line for line in lines))
        somewhere = (mark for mark in DELIMITERS if mark in self.text)
        return next(everywhere, None) or next(somewhere, ",")

    def lines(self) -> list[Line]:
        """Return the cells of lines that are not empty, without blanks around them."""
        reader = csv.reader(self.text.splitlines(), delimiter=self.delimiter(), strict=True)
        lines = []
        try:
            for cells in reader:
                stripped = [cell.strip() for cell in cells]
                if any(stripped):
                    lines.append(Line(reader.line_num, stripped))
        except csv.Error as error:
            raise ReadError(f"{self.shown}, line {reader.line_num}: {error}") from None
        if not lines:
            raise ReadError(f"{self.shown} is empty")
        return lines


def read_small(path: str) -> SmallText:
    """Read a small text file: UTF-8, with or without a mark."""
    shown = show(path)
    try:
        file = Path(path)
        if file.is_dir():
            raise ReadError(f"{shown} is a folder")
        if file.stat().st_size > LARGEST_FILE:
            raise ReadError(f"{shown} has more than {LARGEST_FILE >> 20} MiB")
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ReadError(f"{shown} is not UTF-8: save it as CSV in UTF-8") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ReadError(f"{shown} cannot be read: {reason or error}") from None
    if not text.strip():
        raise ReadError(f"{shown} is empty")
    if "\0" in text:
        raise ReadError(f"{shown} is a binary file: save it as CSV in UTF-8")
    return SmallText(shown, text)


FORMS = (
    "expected a square with the categories' names in the first row and the first column, or rows of"
    " two categories and their distance"
)


class Cell(NamedTuple):
    """A distance as written, and its place."""

    first: str
    second: str
    written: Any
    place: str


def read_distances(path: str) -> dict[str, dict[str, float]]:
    """Read the distance of every two categories.

    `path`: CSV, TSV, or JSON: an object of objects, or a list of [a, b, distance]. The diagonal and
    one half may be left out. Returns dict of str to dict of str to float: complete and symmetric,
    with 0 on the diagonal. Raises ReadError if a cell is missing, not a number, negative, or
    different from its mirror image.
    """
    file = read_small(path)
    cells = _of_json(file) if file.is_json else _of_lines(file)
    return _checked(file.shown, list(cells))


def _of_lines(file: SmallText) -> Iterator[Cell]:
    lines = file.lines()
    head, *rows = lines
    names = {row.cells[0] for row in rows}
    if rows and len(head.cells) == len(rows) + 1 == len(names) + 1 and names == {*head.cells[1:]}:
        for row in rows:
            if len(row.cells) > len(head.cells):
                raise ReadError(
                    f"{file.shown}, line {row.number}: {len(row.cells)} cells, but the first line"
                    f" has {len(head.cells)}"
                )
            for name, written in zip(head.cells[1:], row.cells[1:], strict=False):
                yield Cell(row.cells[0], name, written, f"line {row.number}")
    elif head.cells[0] and all(len(line.cells) == 3 for line in lines):
        # The first line holds column names if its third cell is not a number.
        for number, (a, b, written) in lines[_number(head.cells[2]) is None :]:
            if not a or not b:
                raise ReadError(f"{file.shown}, line {number}: a category has no name")
            yield Cell(a, b, written, f"line {number}")
    else:
        raise ReadError(f"{file.shown}: {_why_not_square(head, rows)}{FORMS}")


def _why_not_square(head: Line, rows: Sequence[Line]) -> str:
    """Explain what keeps something that looks like a square from being one."""
    columns, names = head.cells[1:], [row.cells[0] for row in rows]
    if len(set(columns) & set(names)) < 2:
        return ""
    for name in (*columns, *names):
        if columns.count(name) > 1 or names.count(name) > 1:
            return f"{show(name)} is among the names twice; "
        if name not in names:
            return f"column {show(name)} has no row of that name; "
        if name not in columns:
            return f"row {show(name)} has no column of that name; "
    return ""


def _of_json(file: SmallText) -> Iterator[Cell]:
    content = file.json()
    if isinstance(content, Mapping) and all(isinstance(row, Mapping) for row in content.values()):
        for a, others in content.items():
            for b, written in others.items():
                yield Cell(a, b, written, f"[{show(a)}][{show(b)}]")
    elif isinstance(content, list) and all(
        isinstance(row, list) and len(row) == 3 for row in content
    ):
        for place, (a, b, written) in enumerate(content):
            yield Cell(str(a), str(b), written, f"entry {place + 1}")
    else:
        raise ReadError(
            f'{file.shown}: expected an object of objects, {{"a": {{"b": 0.5}}}}, or a list of'
            ' ["a", "b", 0.5]'
        )


def _number(written: Any) -> float | None:
    if isinstance(written, str) and written.count(",") == 1 and "." not in written:
        written = written.replace(",", ".")  # a decimal comma, if cells are split at semicolons
    with suppress(TypeError, ValueError):
        return None if isinstance(written, bool) else float(written)
    return None


def _checked(shown: str, cells: Sequence[Cell]) -> dict[str, dict[str, float]]:
    given: dict[tuple[str, str], tuple[float, str]] = {}
    for cell in cells:
        if cell.written in ("", None):
            continue
        value = _number(cell.written)
        where = f"{shown}, {cell.place}: the distance of {show(cell.first)} and {show(cell.second)}"
        if value is None:
            raise ReadError(f"{where} is {show(str(cell.written))}, not a number")
        if not math.isfinite(value) or value < 0:
            raise ReadError(f"{where} is {value:g}, expected 0 or more")
        if value > LARGEST:
            raise ReadError(f"{where} is {value:g}, expected {LARGEST:g} or less")
        if cell.first == cell.second and value:
            hint = " (agreement weights have 1 there: a distance is 1 - weight)" * (value == 1)
            raise ReadError(f"{where} is {value:g}, expected 0{hint}")
        before, place = given.get((cell.first, cell.second), (value, ""))
        if before != value:
            raise ReadError(f"{where} is {value:g}, and {before:g} in {place}")
        given[cell.first, cell.second] = value, cell.place
    names = list(dict.fromkeys(name for cell in cells for name in (cell.first, cell.second)))
    distances: dict[str, dict[str, float]] = {a: {} for a in names}
    for a, b in product(names, names):
        # The file may give a distance in either order, or both.
        forth, back = given.get((a, b)), given.get((b, a))
        if forth is not None and back is not None and forth[0] != back[0]:
            raise ReadError(
                f"{shown}: the distance of {show(a)} and {show(b)} is {forth[0]:g} in {forth[1]},"
                f" and {back[0]:g} the other way round in {back[1]}"
            )
        known = (0.0, "") if a == b else forth or back
        if known is None:
            raise ReadError(f"{shown}: no distance of {show(a)} and {show(b)}")
        distances[a][b] = known[0]
    return distances


#: The names that the columns of child and parent may have.
CHILD = frozenset({"child", "category", "label", "node", "code", "tag", "name"})
PARENT = frozenset({"parent", "above", "parent_id", "broader", "belongs_to"})

#: A node, its parent (None for a root) and the place in the file.
Edges = Iterator[tuple[str, str | None, str]]


def read_tree(path: str) -> dict[str, str | None]:
    """Read a tree as a mapping from child to parent, None for a root.

    `path`: rows of child and parent (a root alone, or with an empty parent), lines that are
    indented below their parent, or JSON: an object from child to parent, or objects within objects.
    Raises ReadError if a category has two parents, is below itself, or a line cannot be read.
    """
    file = read_small(path)
    if file.is_json:
        edges = _edges_of_json(file)
    elif any(line[:1].isspace() and line.strip() for line in file.text.splitlines()):
        edges = _of_indented(file)
    else:
        edges = _edges_of_rows(file)
    parents: dict[str, tuple[str | None, str]] = {}
    for child, parent, place in edges:
        before, where = parents.setdefault(child, (parent, place))
        first, second = ("no parent" if name is None else show(name) for name in (before, parent))
        why = None
        if not child:
            why = "a category has no name"
        elif before != parent:
            below = f"{show(child)} is below {second}, and in {where} below {first}"
            why = f"{below}; a category has one parent"
        elif child == parent:
            why = f"{show(child)} is below itself"
        if why is not None:
            raise ReadError(f"{file.shown}, {place}: {why}")
    return {child: parent for child, (parent, _) in parents.items()}


def _edges_of_rows(file: SmallText) -> Edges:
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
        below = {upper: entry for upper, entry in below.items() if upper <= level}
        if below.setdefault(level, indent) != indent:
            raise ReadError(
                f"{file.shown}, line {number}: {show(name)} is indented differently from the lines"
                " above: all lines below one category must start with the same blanks or tabs"
            )
        yield name, above[-1][1] if above else None, f"line {number}"
        above.append((indent, name))


def _edges_of_json(file: SmallText) -> Edges:
    content = file.json()
    scalar = str | int | float | None
    if isinstance(content, Mapping) and all(isinstance(v, scalar) for v in content.values()):
        for child, parent in content.items():
            yield child, None if parent is None else str(parent), f"[{show(child)}]"
        return
    waiting: list[tuple[Any, str | None, str]] = [(content, None, "the beginning")]
    while waiting:
        below, parent, place = waiting.pop()
        for entry in below if isinstance(below, list) else [below]:
            if isinstance(entry, list):
                raise ReadError(f"{file.shown}, {place}: a list within a list")
            if not isinstance(entry, Mapping):
                yield str(entry), parent, place
                continue
            for child, more in entry.items():
                yield child, parent, f"[{show(child)}]"
                if more not in (None, "", [], {}):
                    waiting.append((more, child, f"[{show(child)}]"))
