"""Collect the annotations of all tasks."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator

from agreement_fast.exports.found import Found, Names
from agreement_fast.exports.tool import SKIPPED, Options
from agreement_fast.exports.tools.label_studio.sheet import RECTANGLES, SETS, Sheet
from agreement_fast.exports.tools.shared.in_time import InTime
from agreement_fast.files.errors import show

__all__ = ["Collected"]

#: The kind of a question about rectangles.
OF_RECTANGLES = "labels of rectangles, as a set"


class _Layer:
    """The name of a layer, and the document of its marks."""

    def __init__(self, name: str, suffix: str) -> None:
        self.name, self.suffix = name, suffix


class Collected:
    """Adds annotations to a `Found`.

    An annotation does not mention the questions that it leaves unanswered, and the questions are
    known only when somebody has answered them. Therefore a journal keeps all annotations: a skipped
    task is missing in every question, and a coder without marks has finished the document.
    """

    def __init__(self, found: Found, options: Options) -> None:
        self.found = found
        self._options = options
        self._in_time = InTime(found)
        self._items, self._coders = Names(), Names()
        self._item, self._coder = array("i"), array("i")
        self._time = array("d")
        self._skipped = bytearray()
        self._partly = 0
        self._answered: Counter[str] = Counter()
        self._kinds: dict[str, str] = {}
        self._layers: dict[tuple[str, str], _Layer] = {}
        self._named: dict[str, _Layer] = {}
        self._main: str | None = None
        self._units: set[str] = set()
        self._paths: dict[str, tuple[str, ...]] = {}

    def new_sheet(self) -> Sheet:
        """Return a sheet for the results of an annotation."""
        return Sheet(self.found, self._layer, self._paths)

    def document(self, item: str, to_name: str) -> str:
        """Return the document of marks on a text or a recording of an item."""
        return item if to_name == self._main else f"{item} ({to_name})"

    def submit(
        self, item: str, coder: str, time: float, sheet: Sheet, *, partly: bool = False
    ) -> None:
        """Add the results of an annotation.

        `partly` if the questions that it does not answer were perhaps not asked.
        """
        answer = self._in_time.answer
        answered = set()
        for question, (kind, labels) in sheet.sets.items():
            name = self._question(question, kind)
            answer(name, kind, item, coder, frozenset(labels), time)
            answered.add(name)
        for question, kind, label in sheet.singles:
            name = self._question(question, kind)
            answer(name, kind, item, coder, label, time)
            answered.add(name)
        self._answered.update(answered)
        for name, kind in self._kinds.items():
            if name not in answered and self._may_be_empty(kind) and not partly:
                answer(name, kind, item, coder, frozenset(), time)
        for layer in self._named.values():
            spans = sheet.spans.get(layer.name, ())
            whole = layer.name not in sheet.unread
            if partly and whole and not spans:
                self.found.leave_out("predictions without spans", question=layer.name)
                continue
            document = item + layer.suffix
            self._in_time.finish(layer.name, "spans", document, coder, spans, time, whole=whole)
        if sheet.spans:
            self._units.add(sheet.unit)
        self._partly += partly
        if sheet.length is not None:
            self.found.extents[item] = (0, sheet.length)
        if not partly:
            self._write(item, coder, time, skipped=False)

    def skip(self, item: str, coder: str, time: float) -> None:
        """Record that a coder skipped a task."""
        for name, kind in self._kinds.items():
            self._miss(name, kind, item, coder, time)
        self._write(item, coder, time, skipped=True)

    def close(self) -> None:
        """Finish, and add notes on what was left out."""
        self._in_time.close()
        submitted = len(self._skipped) - sum(self._skipped) + self._partly
        for name, kind in self._kinds.items():
            unanswered = submitted - self._answered[name]
            if unanswered and not self._may_be_empty(kind):
                what = f"annotations without an answer to {show(name)}"
                self.found.leave_out(what, unanswered, name)
        if self._units:
            self.found.unit = " or ".join(sorted(self._units))
        if RECTANGLES in self._kinds.values():
            self.found.note(
                "rectangles are compared by the set of their labels in each image, not by position"
            )

    def _question(self, question: str, kind: str) -> str:
        name = question if question not in self._named else f"{question} (whole item)"
        if self._kinds.get(name, kind) != kind:
            name = f"{name} ({kind})"
        if name not in self._kinds:
            self._kinds[name] = kind
            self._in_time.ask(name, OF_RECTANGLES if kind == RECTANGLES else kind)
            for item, coder, time, skipped in self._journal():
                if skipped:
                    self._miss(name, kind, item, coder, time)
                elif self._may_be_empty(kind):
                    self._in_time.answer(name, kind, item, coder, frozenset(), time)
        return name

    def _layer(self, question: str, to_name: str) -> str:
        layer = self._layers.get((question, to_name))
        if layer is None:
            if self._main is None:
                self._main = to_name
            name = question
            if any(known == question for known, _ in self._layers):
                name = f"{question} on {to_name}"
            if name in self._kinds:
                name = f"{name} (regions)"
            suffix = self.document("", to_name)
            layer = self._layers[question, to_name] = self._named[name] = _Layer(name, suffix)
            for item, coder, time, skipped in self._journal():
                if not skipped:
                    self._in_time.finish(name, "spans", item + suffix, coder, (), time)
        return layer.name

    def _may_be_empty(self, kind: str) -> bool:
        """Whether the tool writes nothing for a set without labels."""
        return kind == RECTANGLES or (kind in SETS and self._options.count_empty)

    def _miss(self, name: str, kind: str, item: str, coder: str, time: float) -> None:
        label = None
        if self._options.count_skips:
            label = frozenset([SKIPPED]) if kind in (*SETS, RECTANGLES) else SKIPPED
        self._in_time.answer(name, kind, item, coder, label, time)

    def _write(self, item: str, coder: str, time: float, *, skipped: bool) -> None:
        self._item.append(self._items.code(item))
        self._coder.append(self._coders.code(coder))
        self._time.append(time)
        self._skipped.append(skipped)

    def _journal(self) -> Iterator[tuple[str, str, float, int]]:
        items, coders = self._items.values, self._coders.values
        for item, coder, time, skipped in zip(
            self._item, self._coder, self._time, self._skipped, strict=True
        ):
            yield items[item], coders[coder], time, skipped
