"""JSON-MIN, CSV and TSV: one record per annotation, one key per control or field of the data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from agreement_fast.exports.bundle import Member
from agreement_fast.exports.csv_stream import csv_rows
from agreement_fast.exports.found import Found
from agreement_fast.exports.json_stream import json_values
from agreement_fast.exports.look import look_at
from agreement_fast.exports.records import Place, Wrong, expect, moment
from agreement_fast.exports.tool import Options, part_of_path
from agreement_fast.exports.tools.label_studio.coders import Coders
from agreement_fast.exports.tools.label_studio.collected import Collected
from agreement_fast.exports.tools.label_studio.columns import RESERVED, Columns
from agreement_fast.exports.tools.label_studio.items import Items
from agreement_fast.exports.tools.label_studio.sheet import kind_of
from agreement_fast.files.errors import show

__all__ = ["Rows"]

Record = dict[str, Any]


class Rows:
    """Reads records with one annotation each.

    Such files do not mark which keys are controls. They are read twice, first to find the controls.
    """

    def __init__(
        self, found: Found, options: Options, into: Collected, items: Items, coders: Coders
    ) -> None:
        self._found = found
        self._options = options
        self._into = into
        self._items = items
        self._coders = coders

    def read(self, member: Member) -> None:
        """Read a file."""
        how = self._options.coder_from
        coder = None if how is None else part_of_path(member, how, "--coder-from")
        columns = Columns()
        self._each(member, columns.look)
        controls = columns.controls(self._found)
        if self._options.item_from in controls:
            controls.remove(str(self._options.item_from))
        self._each(member, lambda record: self._record(record, controls, coder))

    def _each(self, member: Member, use: Callable[[Record], None]) -> None:
        with Place(member.shown) as place:
            for place.number, record in enumerate(self._records(member), 1):
                use(expect(record, "an annotation", dict))

    def _records(self, member: Member) -> Iterator[Any]:
        if look_at(member).text[:1] in ("[", "{"):
            yield from json_values(member, self._options.encoding)
            return
        for row in csv_rows(member, ("id", "annotation_id"), self._options.encoding):
            yield {name: _cell(cell) for name, cell in row.items() if cell != ""}

    def _record(self, record: Record, controls: list[str], coder: str | None) -> None:
        if record.get("annotation_id") is None:
            self._found.leave_out("tasks without annotations")
            return
        data = {
            name: value
            for name, value in record.items()
            if name not in RESERVED and name not in controls
        }
        item = self._items.name(record, data)
        annotation = {"id": record["annotation_id"], "created_at": record.get("created_at")}
        if not self._items.is_new(item, annotation):
            return
        coder = coder or self._coders.of(record, "annotator")
        sheet = self._into.new_sheet()

        def place(start: float, end: float, quoted: Any) -> tuple[float, float]:
            return self._items.texts.place("", data, start, end, quoted)

        for name in controls:
            value = record.get(name)
            values = value if isinstance(value, list) else [] if value is None else [value]
            for one in values:
                if one.__class__ is str:
                    sheet.take(name, "choices", {"choices": [one]})
                elif one.__class__ is dict:
                    sheet.take(name, kind_of(one), one, place=place)
                elif one.__class__ in (int, float):
                    sheet.take(name, "number", {"number": one})
                else:
                    raise Wrong(
                        f"{show(name)} holds an answer that is neither a text nor an object"
                    )
        self._into.submit(item, coder, moment(record.get("created_at")), sheet)
        self._items.measure(item, data)


def _cell(cell: str) -> Any:
    """Read a cell: JSON of an object or a list, or a text."""
    if cell[0] in "[{":
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            return cell
    return cell
