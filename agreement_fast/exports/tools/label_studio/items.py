"""Names and texts of items, in one file or several."""

from __future__ import annotations

from typing import Any

from agreement_fast.exports.found import Found
from agreement_fast.exports.records import Wrong, a_name
from agreement_fast.exports.tool import Options
from agreement_fast.exports.tools.label_studio.collected import Collected
from agreement_fast.exports.tools.label_studio.texts import Texts
from agreement_fast.files.errors import show

__all__ = ["Items"]

#: The largest number of tasks to keep until it is known which field is the text.
MOST_WAITING = 1_000


class Items:
    """Names items, and records the lengths of their texts.

    If a task is in several files, its data must be the same in all of them, and an annotation that
    is in several files counts once.
    """

    def __init__(self, found: Found, options: Options, into: Collected, *, several: bool) -> None:
        self._found = found
        self._options = options
        self._into = into
        self._several = several
        self._data: dict[str, int] = {}
        self._annotations: set[int] = set()
        self._waiting: list[tuple[str, dict[str, str]]] = []
        self.texts = Texts()

    def name(self, task: dict[str, Any], data: dict[str, Any]) -> str:
        """Return the name of the item of a task."""
        how = self._options.item_from
        if how not in (None, "id", "inner_id"):
            return _as_text(data, str(how))
        item = str(a_name(task, how or "id"))
        if self._several:
            known = self._data.setdefault(item, hash(repr(data)))
            if known != hash(repr(data)):
                raise Wrong(
                    "another file has different data under the same id: pass --item-from and a"
                    " field of the data, such as text"
                )
        return item

    def is_new(self, item: str, annotation: dict[str, Any]) -> bool:
        """Whether an annotation was not yet read from another file."""
        number = annotation.get("id")
        if not self._several or number.__class__ is not int:
            return True
        key = hash((item, number, repr(annotation.get("created_at"))))
        if key in self._annotations:
            self._found.leave_out("annotations that are also in another file")
            return False
        self._annotations.add(key)
        return True

    def measure(self, item: str, data: dict[str, Any]) -> None:
        """Record the lengths of the texts of a task, once it is known which fields are texts."""
        known = self.texts.known(data)
        for to_name, text in known:
            self._take(item, to_name, text)
        if not known and len(self._waiting) < MOST_WAITING:
            texts = {name: value for name, value in data.items() if value.__class__ is str}
            self._waiting.append((item, texts))
        if self._options.keep_texts and not known:
            some = [text for text in data.values() if text.__class__ is str]
            if len(some) == 1:
                self._found.texts[item] = some[0]

    def close(self) -> None:
        """Measure the tasks that came before it was known which field is the text."""
        for item, data in self._waiting:
            for to_name, text in self.texts.known(data):
                self._take(item, to_name, text)
        self.texts.tell(self._found)

    def _take(self, item: str, to_name: str, text: str) -> None:
        document = self._into.document(item, to_name)
        self._found.extents[document] = (0, len(text))
        if self._options.keep_texts:
            self._found.texts[document] = text


def _as_text(data: dict[str, Any], field: str) -> str:
    value = data.get(field)
    if value.__class__ in (int, float, bool):
        return str(value)
    if field not in data:
        known = ", ".join(show(name) for name in list(data)[:20])
        raise Wrong(f"--item-from {show(field)} is not a field of the data: {known}")
    return str(a_name(data, field))
