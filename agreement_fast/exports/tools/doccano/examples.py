"""Examples of doccano: classes, spans and what is left out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from agreement_fast.exports.found import Found
from agreement_fast.exports.keys import expect, value_of, written
from agreement_fast.exports.tool import Options
from agreement_fast.files.errors import ReadError, show

__all__ = ["LISTS", "SOURCES", "Examples"]

#: Keys of what is judged, and keys of what was said.
SOURCES = ("text", "filename", "data")
LISTS = ("label", "cats", "entities", "bbox", "segmentation")

_CLASSES, _SPANS = "categories", "spans"

_LEFT_OUT = {
    "bbox": "boxes",
    "segmentation": "segments of images",
    "relations": "relations",
    "Comments": "comments",
}

#: Characters that doccano lets a label have; how many labels are compared to tell texts from them.
_LONGEST_LABEL = 100
_FEW = 20


class Examples:
    """Takes examples one after the other."""

    def __init__(self, found: Found, options: Options) -> None:
        self._found = found
        self._options = options
        self._kinds = {"cats": _CLASSES, "entities": _SPANS}
        self._empty: dict[str, list[tuple[Any, str]]] = defaultdict(list)
        self._sources: dict[Any, tuple[int, str]] = {}
        self._given = 0

    def take(self, record: dict[str, Any], coder: str, where: str) -> None:
        """Take what a coder said of an example."""
        item = self._item(record, where)
        for key, what in _LEFT_OUT.items():
            if key in record:
                count = len(value_of(record, key, where, list))
                if count:
                    self._found.leave_out(what, count)
        said = {
            key: value_of(record, key, where, list) for key in ("label", "cats", "entities")
            if key in record
        }  # fmt: skip
        if not said:
            if not any(key in record for key in LISTS):
                raise ReadError(f"{where} has none of {', '.join(LISTS)}")
            return
        length = self._look_at(record, item, where)
        marked = any(said.values())
        for key, answer in said.items():
            if answer:
                kind = self._kind(key, answer[0], where)
                if kind == _CLASSES:
                    self._classify(key, item, coder, answer, where)
                else:
                    self._mark(key, item, coder, answer, length, where)
            elif marked and key == "entities":
                # Classified, and without a slot.
                self._found.spans_of(key, _SPANS).see(item, coder)
            else:
                self._empty[key].append((item, coder))

    def finish(self) -> None:
        """Take empty answers, now that it is known what is asked."""
        found = self._found
        for key, pairs in self._empty.items():
            kind = self._kinds.get(key)
            count = self._options.count_empty
            if not count:
                found.leave_out("examples without labels", len(pairs))
            elif kind == _SPANS:
                for item, coder in pairs:
                    found.spans_of(key, _SPANS).see(item, coder)
            if kind == _CLASSES:
                answers = found.answers_to(key, _CLASSES)
                for item, coder in pairs:
                    answers.add(item, coder, frozenset() if count else None)
        if any(self._empty.values()) and not self._options.count_empty:
            found.note(
                "an example that nobody looked at and one without labels look the same: both are"
                " missing, unless --count-empty says that no label is a judgment"
            )
        self._leave_out_texts()
        if not found.spans:
            found.extents.clear()
        self._note_what_is_not_shared()

    def _item(self, record: dict[str, Any], where: str) -> Any:
        key = self._options.item_from or "id"
        if key not in record and self._options.item_from is None:
            raise ReadError(f"{where} has no 'id': name what an item is, as in --item-from text")
        return value_of(record, key, where, int, str)

    def _look_at(self, record: dict[str, Any], item: Any, where: str) -> int | None:
        """Check that an example is the same for all, and give the length of its text."""
        source = next((key for key in SOURCES if key in record), None)
        if source is None:
            raise ReadError(f"{where} has none of {', '.join(SOURCES)}")
        text = value_of(record, source, where, str)
        mine = hash(text)
        other, there = self._sources.setdefault(item, (mine, where))
        if other != mine:
            raise ReadError(
                f"{where}: example {show(str(item))} has another text in {there}: ids of different"
                " projects do not meet, pass --item-from text"
            )
        if self._options.keep_texts:
            self._found.texts[item] = text
        if source != "text":
            return None
        if self._kinds.get("label") != _CLASSES:
            self._found.extents[item] = 0, len(text)
        return len(text)

    def _kind(self, key: str, first: Any, where: str) -> str:
        mine = _CLASSES if isinstance(first, str) else _SPANS
        kind = self._kinds.setdefault(key, mine)
        if kind != mine:
            raise ReadError(
                f"{where}: {show(key)} must hold {kind} as before, got {written(first)}: name the"
                " files of one project"
            )
        return kind

    def _classify(self, key: str, item: Any, coder: str, answer: list[Any], where: str) -> None:
        labels = [expect(label, f"{where}: a label in {show(key)}", str) for label in answer]
        self._given += len(labels)
        self._found.answers_to(key, _CLASSES).add(item, coder, frozenset(labels))

    def _mark(
        self, key: str, item: Any, coder: str, answer: list[Any], length: int | None, where: str
    ) -> None:
        spans = self._found.spans_of(key, _SPANS)
        for one in answer:
            start, end, label = _span(one, f"{where}: a span in {show(key)}")
            if not 0 <= start <= end or (length is not None and end > length):
                within = "" if length is None else f" of a text of {length:,} characters"
                raise ReadError(f"{where}: {written(one)} is no span{within}")
            spans.mark(item, coder, [(start, end)], label)

    def _leave_out_texts(self) -> None:
        """Leave out what was written, which looks like classes and is none."""
        answers = self._found.answers.get("label")
        if answers is None or not self._given:
            return
        labels = set().union(*(value for value in answers.labels.values))
        longest = max(map(len, labels))
        if longest > _LONGEST_LABEL or (self._given >= _FEW and len(labels) > 0.8 * self._given):
            del self._found.answers["label"]
            self._found.leave_out("written texts", self._given)
            self._found.note(
                "the labels are texts that coders wrote, of which nearly none is there twice:"
                " agreement on wording is no question of labels"
            )

    def _note_what_is_not_shared(self) -> None:
        seen: list[Iterable[tuple[Any, Any]]] = [
            zip(one.item, one.coder, strict=True) for one in self._found.answers.values()
        ]
        for pairs in (*seen, *(one.seen for one in self._found.spans.values())):
            of_item: dict[Any, Any] = {}
            coders = set()
            for item, coder in pairs:
                coders.add(coder)
                if of_item.setdefault(item, coder) != coder:
                    break
            else:
                if len(coders) > 1 and self._options.item_from in (None, "id"):
                    self._found.note(
                        "no two coders share an example: where each has a project of their own, ids"
                        " differ, and --item-from text finds what is the same"
                    )


def _span(value: Any, what: str) -> tuple[int, int, str]:
    """Read [start, end, label], or an object that says the same."""
    if isinstance(value, dict):
        return (
            value_of(value, "start_offset", what, int),
            value_of(value, "end_offset", what, int),
            value_of(value, "label", what, str),
        )
    if not isinstance(value, list) or [type(one) for one in value] != [int, int, str]:
        raise ReadError(f"{what} must be [start, end, label], got {written(value)}")
    start, end, label = value
    return start, end, label
