"""WebAnno TSV 3: one token per line, one column per feature.

Spans over several tokens repeat an id in brackets, and stacked annotations are separated by "|".
Offsets count UTF-16 units. The text consists of the sentences; the text between them is not in the
file.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

from agreement_fast.exports.bundle import Member
from agreement_fast.exports.tools.shared.layers import Annotated, Mark
from agreement_fast.files.errors import ReadError, show

__all__ = ["HEAD", "read_tsv"]

#: The beginning of a file.
HEAD = "#FORMAT=WebAnno TSV "

_ROW = re.compile(r"(\d{1,9})-(\d{1,9})(\.\d{1,9})?")
_PLACE = re.compile(r"(\d{1,15})-(\d{1,15})")
_ENTRY = re.compile(r"((?:[^\\]|\\.)*?)(?:\[(\d{1,15})\])?", re.DOTALL)
_STACKED = re.compile(r"(?:[^|\\]|\\.)*", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
#: A cell without an annotation, and a feature without a value.
_NONE, _EMPTY = "_", "*"


class _BadCellError(Exception):
    """A cell that does not have the form of the format."""


@dataclass
class _Layer:
    """The columns of a layer.

    Attributes
    ----------
    name : str
        The name of the layer.
    kind : str
        "SP" for spans, "RL" for relations, "CH" for chains.
    features : list of (str or None, bool)
        For each column its feature, and whether it names the targets of links. None for a column
        that only marks the presence of an annotation.
    begin : int
        The first column.
    marks : dict
        Open annotations, by id or by place: begin, end and values by column.
    """

    name: str
    kind: str
    features: list[tuple[str | None, bool]]
    begin: int
    marks: dict[Any, tuple[list[int], dict[int, Any]]] = field(default_factory=dict)

    @property
    def end(self) -> int:
        return self.begin + len(self.features)


def read_tsv(member: Member, encoding: str | None = None) -> Annotated:
    """Read a file of WebAnno or INCEpTION.

    Raises
    ------
    ReadError
        If the file has another version of the format, or a line is invalid.
    """
    lines = member.read_text(encoding).split("\n")
    layers = _header(member, lines)
    width = layers[-1].end if layers else 3
    annotated = Annotated("TSV")
    text = _Text()
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if line.startswith("#Text="):
            text.sentence(line.removeprefix("#Text="))
        if not line or line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) == width + 1 and not cells[-1]:
            cells.pop()
        row = _ROW.fullmatch(cells[0])
        place = _PLACE.fullmatch(cells[1]) if len(cells) > 1 else None
        if len(cells) != width or row is None or place is None:
            raise ReadError(
                f"{member.shown}, line {number:,}: expected a token in {width} columns, got"
                f" {show(line[:60])}: the file is damaged or truncated"
            )
        begin, end = int(place[1]), int(place[2])
        if end < begin:
            raise ReadError(
                f"{member.shown}, line {number:,}: {show(cells[1])} ends before it begins"
            )
        if row[3] is None:
            text.token(begin, end, _plain(cells[2]))
        for layer in layers:
            some = cells[layer.begin : layer.end]
            if some.count(_NONE) < len(some):
                try:
                    _take(layer, some, number, begin, end, annotated)
                except _BadCellError as error:
                    raise ReadError(f"{member.shown}, line {number:,}: {error}") from None
    annotated.text, annotated.length = text.whole()
    for layer in layers:
        _finish(layer, text, annotated)
    return annotated


def _header(member: Member, lines: list[str]) -> list[_Layer]:
    first = lines[0].removesuffix("\r")
    if not first.startswith(HEAD + "3"):
        raise ReadError(
            f"{member.shown}, line 1: expected '{HEAD}3...', got {show(first[:60])}: export the"
            " document again as WebAnno TSV 3.3 or UIMA CAS JSON"
        )
    layers: list[_Layer] = []
    for line in lines[1:]:
        line = line.removesuffix("\r")
        if line.startswith(("#T_SP=", "#T_RL=", "#T_CH=")):
            name, *parts = line[6:].split("|")
            begin = layers[-1].end if layers else 3
            layers.append(_Layer(name, line[3:5], _columns(parts), begin))
        elif line and not line.startswith("#"):
            break
    return layers


def _columns(parts: list[str]) -> list[tuple[str | None, bool]]:
    """Return the columns of a layer; a link feature has two, for roles and for targets."""
    columns: list[tuple[str | None, bool]] = []
    targets = False
    for part in parts or [""]:
        if targets:
            columns += [(None, False), (None, True)]
        elif not part.startswith("ROLE_"):
            columns.append((part or None, False))
        targets = not targets and part.startswith("ROLE_")
    return columns


def _take(
    layer: _Layer, cells: list[str], line: int, begin: int, end: int, annotated: Annotated
) -> None:
    """Add the annotations of a line for a layer."""
    if layer.kind != "SP":
        what = "relations" if layer.kind == "RL" else "links of chains"
        annotated.left_out[what] += len(_entries(cells[-1])) if cells[-1] != _NONE else 0
        return
    stacks = [_entries(cell) for cell in cells]
    for i in range(max(map(len, stacks))):
        entries = [stack[i] if i < len(stack) else (_NONE, None) for stack in stacks]
        # The ids of targets belong to other annotations.
        own = zip(entries, layer.features, strict=True)
        number = next((one for (_, one), (_, links) in own if one is not None and not links), None)
        if number is None and all(value == _NONE for value, _ in entries):
            continue
        key = (line, i) if number is None else number
        place, values = layer.marks.setdefault(key, ([begin, end], {}))
        place[:] = min(place[0], begin), max(place[1], end)
        for column, (value, _) in enumerate(entries):
            if value not in (_NONE, _EMPTY):
                values.setdefault(column, value)


def _entries(cell: str) -> list[tuple[str, str | None]]:
    """Split a cell into values and ids, with their escapes."""
    parts = cell.split("|") if "\\" not in cell else _divided(cell)
    entries = []
    for part in parts:
        entry = _ENTRY.fullmatch(part)
        if entry is None:
            raise _BadCellError(f"{show(cell)} ends in a backslash")
        entries.append((entry[1], entry[2]))
    return entries


def _divided(cell: str) -> list[str]:
    parts, at = [], 0
    while True:
        match = _STACKED.match(cell, at)
        end = match.end() if match else at
        parts.append(cell[at:end])
        if end >= len(cell):
            return parts
        if cell[end] != "|":
            raise _BadCellError(f"{show(cell)} ends in a backslash")
        at = end + 1


def _plain(written: str) -> str:
    """Remove the escapes of a value."""
    if "\\" not in written:
        return written
    return _ESCAPED.sub(lambda found: _CONTROLS.get(found[1], found[1]), written)


def _finish(layer: _Layer, text: _Text, annotated: Annotated) -> None:
    for (begin, end), values in layer.marks.values():
        features = {}
        for column, (name, links) in enumerate(layer.features):
            if links:
                annotated.left_out["links between annotations"] += column in values
            elif name is not None:
                features[name] = _plain(values[column]) if column in values else None
        place = text.point(begin), text.point(end)
        annotated.marks.append(Mark(layer.name, features, place))


class _Text:
    """The text of a file, and its characters that take two UTF-16 units."""

    def __init__(self) -> None:
        self._wide: list[int] = []
        self._sentences: list[tuple[int, str, str]] = []
        self._lines: list[str] = []
        self._end = 0

    def sentence(self, line: str) -> None:
        self._lines.append(_plain(line))

    def token(self, begin: int, end: int, token: str) -> None:
        if self._lines:
            self._sentences.append((begin, token, "\n".join(self._lines)))
            self._lines = []
        self._end = max(self._end, end)
        if not token.isascii() and len(token) < end - begin:
            at = begin
            for character in token:
                if character > "\uffff":
                    self._wide.append(at)
                    at += 1
                at += 1

    def point(self, offset: int) -> int:
        """Return the code point at a UTF-16 unit."""
        return offset - bisect_left(self._wide, offset)

    def whole(self) -> tuple[str, int]:
        """Return the text and its length; each sentence is a line."""
        self._wide.sort()
        parts: list[str] = []
        length = 0
        for begin, token, sentence in self._sentences:
            at = max(self.point(begin) - max(sentence.find(token), 0), 0)
            if at > length:
                # Each sentence is a line; paragraphs are not known.
                parts.append(("\n" if length else "").ljust(min(at - length, _MOST_UNKNOWN)))
                length = at
            parts.append(sentence[length - at :])
            length += len(parts[-1])
        return "".join(parts), max(length, self.point(self._end))


#: The largest gap between two sentences in characters; a larger one is a damaged offset.
_MOST_UNKNOWN = 1 << 20
