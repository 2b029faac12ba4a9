"""Judgments and spans in the order of time, for tools in which a coder may judge an item twice."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Any

import numpy as np

from agreement_fast.exports.found import Answers, Found, Names

__all__ = ["InTime"]


class _Layer:
    """The spans of a layer, and the annotation of each."""

    def __init__(self) -> None:
        self.documents, self.coders = Names(), Names()
        self.categories = Names()
        self.number: dict[tuple[int, int], int] = {}
        self.pairs: list[tuple[int, int]] = []
        self.time = array("d")
        self.alive = bytearray()
        self.whole = bytearray()
        self.of = array("i")
        self.start, self.end, self.category = array("d"), array("d"), array("i")


class InTime:
    """Fills a `Found` with judgments and spans in the order of time.

    If a coder answers a question about an item twice, both judgments are added in the order of
    time. If a coder marks a document twice, the later spans count. Annotations without a time keep
    the order in which they were read.
    """

    def __init__(self, found: Found) -> None:
        self._found = found
        self._answers: dict[str, tuple[Answers, array[float]]] = {}
        self._layers: dict[str, _Layer] = {}

    def ask(self, question: str, kind: str) -> None:
        """Record that a question was asked."""
        if question not in self._answers:
            self._answers[question] = self._found.answers_to(question, kind), array("d")

    def answer(
        self, question: str, kind: str, item: str, coder: str, label: Any, time: float
    ) -> None:
        """Add a judgment; None is a missing label."""
        if question not in self._answers:
            self.ask(question, kind)
        answers, times = self._answers[question]
        answers.add(item, coder, label)
        times.append(time)

    def finish(
        self,
        layer: str,
        kind: str,
        document: str,
        coder: str,
        spans: Iterable[tuple[float, float, Any]],
        time: float,
        *,
        whole: bool = True,
    ) -> None:
        """Add the spans of a coder on a finished document, perhaps none.

        `whole` if there are no other marks on the document.
        """
        into = self._layers.get(layer)
        if into is None:
            self._found.spans_of(layer, kind)
            into = self._layers[layer] = _Layer()
        pair = into.documents.code(document), into.coders.code(coder)
        before = into.number.get(pair)
        new = into.number[pair] = len(into.pairs)
        into.pairs.append(pair)
        into.time.append(time)
        into.alive.append(1)
        into.whole.append(whole)
        if before is not None:
            # The later one counts.
            dead = new if time < into.time[before] else before
            into.alive[dead] = 0
            into.number[pair] = before + new - dead
            self._found.leave_out(
                "earlier annotations of a document by the same coder", question=layer
            )
        for start, end, category in spans:
            into.of.append(new)
            into.start.append(start)
            into.end.append(end)
            into.category.append(into.categories.code(category))

    def coders(self) -> list[str]:
        """Return all coders, in the order of their first occurrence."""
        answers = (one.coders.values for one, _ in self._answers.values())
        layers = (one.coders.values for one in self._layers.values())
        return list(dict.fromkeys(name for names in (*answers, *layers) for name in names))

    def close(self, names: dict[str, str] | None = None) -> None:
        """Add everything to the `Found`; `names` maps coders to their names there."""
        for answers, times in self._answers.values():
            _order(answers, np.frombuffer(times, np.float64))
            answers.coders.values[:] = _called(answers.coders.values, names)
        for layer, held in self._layers.items():
            self._close(layer, held, _called(held.coders.values, names))

    def _close(self, layer: str, held: _Layer, coders: list[str]) -> None:
        spans = self._found.spans_of(layer)
        documents, categories = held.documents.values, held.categories.values
        for number, (document, coder) in enumerate(held.pairs):
            if held.alive[number]:
                spans.see(documents[document], coders[coder])
                if not held.whole[number]:
                    spans.miss(documents[document], coders[coder])
        for number, start, end, category in zip(
            held.of, held.start, held.end, held.category, strict=True
        ):
            if held.alive[number]:
                document, coder = held.pairs[number]
                part = (_whole(start), _whole(end))
                spans.mark(documents[document], coders[coder], (part,), categories[category])


def _whole(position: float) -> float:
    return int(position) if position.is_integer() else position


def _called(coders: list[str], names: dict[str, str] | None) -> list[str]:
    return [names.get(coder, coder) for coder in coders] if names else coders


def _order(answers: Answers, times: Any) -> None:
    """Sort the labels of one coder for one item by time."""
    if len(times) < 2:
        return
    item = np.frombuffer(answers.item, np.int32).astype(np.int64)
    who = item * len(answers.coders) + np.frombuffer(answers.coder, np.int32)
    as_read = np.argsort(who, kind="stable")
    again = who[as_read][1:] == who[as_read][:-1]
    # NaN compares as not earlier, so annotations without a time do not move others.
    if not (again & (times[as_read][1:] < times[as_read][:-1])).any():
        return
    in_time = np.lexsort((times, who))
    label = np.frombuffer(answers.label, np.int32).copy()
    label[as_read] = label[in_time]
    answers.label[:] = array("i", label.tobytes())
