"""Which keys of a JSON-MIN or CSV export are controls, and which are fields of the data."""

from __future__ import annotations

from typing import Any

from agreement_fast.exports.csv_stream import Varying
from agreement_fast.exports.found import Found
from agreement_fast.exports.tools.label_studio.sheet import UNKNOWN_KIND, kind_of
from agreement_fast.files.errors import show

__all__ = ["RESERVED", "Columns"]

#: Keys that are neither controls nor data.
RESERVED = frozenset(
    ["id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement",
     "history"]
)  # fmt: skip


class _Column:
    """The observed values of a key."""

    def __init__(self) -> None:
        self.answers = False  # objects as controls write them
        self.texts = True  # nothing but bare texts
        self.numbers = True  # nothing but bare numbers
        self.several = False  # lists of bare texts
        self.behind_id = True  # between the id of the task and the annotator, in each record


class Columns:
    """Looks at all records to distinguish controls from data.

    The answers of coders to a task may differ, but the data of a task may not. A control with one
    choice is a plain text, like a field of the data. In JSON-MIN it follows the id of the task; in
    CSV all columns are sorted.
    """

    def __init__(self) -> None:
        self._columns: dict[str, _Column] = {}
        self._varying = Varying(gaps=True)
        self._ordered = True

    def look(self, record: dict[str, Any]) -> None:
        """Look at a record."""
        if record.get("annotation_id") is None:
            return
        names = list(record)
        begin, end = (names.index(k) if k in names else -1 for k in ("id", "annotator"))
        self._ordered = self._ordered and 0 < begin < end
        fields = {name: value for name, value in record.items() if name not in RESERVED}
        self._varying.look(repr(record.get("id")), fields)
        for place, name in enumerate(names):
            if name in RESERVED:
                continue
            value = record[name]
            column = self._columns.setdefault(name, _Column())
            column.behind_id &= begin < place < end
            column.numbers = column.numbers and value.__class__ in (int, float)
            if value.__class__ is not str:
                column.texts = False
                if isinstance(value, dict | list):
                    column.answers = column.answers or _is_answer(value)
                    column.several = column.several or _has_bare_texts(value)

    def controls(self, found: Found) -> list[str]:
        """Return the names of the controls, and add notes on what is left out."""
        usable = {n: c for n, c in self._columns.items() if c.answers or c.texts or c.numbers}
        for name, column in self._columns.items():
            if name not in usable and not column.several and self._asks(name):
                found.note(f"{show(name)} is left out: its values were not written by a control")
            # A list of texts may also be data if it does not vary.
            if column.several and self._asks(name):
                found.note(
                    f"{show(name)} holds answers about regions, and this format does not say which"
                    " regions: export as JSON"
                )
                usable.pop(name, None)
        for name in list(usable):
            # A field of the data with the name of a control gets this name.
            if name.startswith("_data_") and name.removeprefix("_data_") in self._columns:
                del usable[name]
        if self._ordered:
            return [name for name in usable if self._asks(name)]
        varying = self._varying.names
        sure = [name for name, column in usable.items() if column.answers or name in varying]
        if not sure:
            # All coders agree, or each task has one coder: any of the keys may be a control.
            return list(usable)
        data = [show(name) for name in usable if name not in sure]
        if data:
            found.note(
                f"{', '.join(data)} {'are' if len(data) > 1 else 'is'} the same in all"
                " annotations of a task, and read as data: if it is a question, export as JSON"
            )
        return sure

    def _asks(self, name: str) -> bool:
        """Whether a column is certainly not a field of the data."""
        behind_id = self._ordered and self._columns[name].behind_id
        return name in self._varying.names or behind_id


def _is_answer(value: dict[str, Any] | list[Any]) -> bool:
    """Whether a value is one or several objects in the form that controls write."""
    if isinstance(value, dict):
        # Controls of all other kinds also write a list for one object.
        return kind_of(value) in ("choices", "textarea")
    return bool(value) and all(
        one.__class__ is dict and kind_of(one) != UNKNOWN_KIND for one in value
    )


def _has_bare_texts(value: Any) -> bool:
    return isinstance(value, list) and any(one.__class__ is str for one in value)
