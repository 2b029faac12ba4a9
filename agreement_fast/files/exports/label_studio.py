"""Label Studio: JSON, JSON-MIN, CSV and TSV.

First what annotations say (coders, items, texts, and the regions of a control), then how the files
are read: tasks one by one, and rows by their columns.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from agreement_fast.files.errors import show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.streams import (
    Look,
    Varying,
    Wrong,
    csv_rows,
    json_values,
    look_at,
)
from agreement_fast.files.exports.tool import SKIPPED, Answers, Contents, Options, Place, Tool

#: Kinds of results whose answer is a set of labels.
SETS = ("choices", "taxonomy")
#: Kinds of results that mark parts of a text or of a recording.
SPANS = ("labels", "hypertextlabels", "htmllabels", "paragraphlabels", "timeserieslabels")
#: Marks on an image, which are compared by their set of labels.
RECTANGLES = "rectanglelabels"

#: Keys with the position of a region in an image or a video.
_ELSEWHERE = ("x", "points", "vertices", "rle", "ranges", "sequence")

_NUMBERS = ("rating", "number")

#: The kind of a result without a known key.
UNKNOWN_KIND = "unknown"

_LEFT_OUT = {
    "textarea": "text areas",
    "relation": "relations",
    "brushlabels": "brush strokes",
    "polygonlabels": "polygons",
    "ellipselabels": "ellipses",
    "keypointlabels": "keypoints",
}


def kind_of(value: dict[str, Any]) -> str:
    """Return the kind of a result, from the keys of its value."""
    if "selected" in value:
        return "pairwise"
    for kind in (*SETS, *_NUMBERS, "datetime", *SPANS, RECTANGLES, *_LEFT_OUT):
        if kind in value:
            return kind
    return "textarea" if isinstance(value.get("text"), list) else UNKNOWN_KIND


def left_out_as(kind: str) -> str | None:
    """Return under which name a result is counted as left out, if it is not read."""
    if kind in (*SETS, *SPANS, *_NUMBERS, "pairwise", "datetime", RECTANGLES):
        return None
    return _LEFT_OUT.get(kind, f"results of type {show(kind)}")


class Result(NamedTuple):
    """A result of an annotation.

    `question`, `kind`, `value`: its question, its kind, and its value. `to_name`: the text or image
    that it is about. `region`: the value of the region that it is about. `place`: corrects a start
    and an end, given the text of the span.
    """

    question: str
    kind: str
    value: dict[str, Any]
    to_name: str = ""
    region: dict[str, Any] | None = None
    place: Callable[[float, float, Any], tuple[float, float]] | None = None


@dataclass
class Sheet:
    """The results of one annotation."""

    #: Counts what is left out.
    out: Contents
    #: Returns the layer of a question about a text or a recording.
    layer: Callable[[str, str], str]
    #: The paths of the categories of taxonomies, for all annotations.
    paths: dict[str, tuple[str, ...]]
    #: Answers that are sets: dict of question to (kind, set of labels).
    sets: dict[str, tuple[str, set[Any]]] = field(default_factory=dict)
    #: Answers that are single labels.
    singles: list[tuple[str, str, Any]] = field(default_factory=list)
    #: Spans: dict of layer to list of (start, end, category).
    spans: dict[str, list[tuple[float, float, Any]]] = field(default_factory=dict)
    #: Layers with a span that cannot be read.
    unread: set[str] = field(default_factory=set)
    #: The unit of positions.
    unit: str = "characters"
    #: The length of a recording.
    length: float | None = None

    def take(self, result: Result) -> None:
        """Add one result."""
        question, kind, value, to_name, region, _ = result
        if kind in SPANS:
            labels = _labels(value, kind if kind in value else "labels")
            if not labels and _is_on_text(value):
                self._miss("spans without a label", question, to_name)
            elif not labels:
                self.out.leave_out("spans without a label")
            else:
                self._mark(result, value, labels)
                if kind == "timeserieslabels":
                    self.unit = "positions in a time series"
        elif kind == RECTANGLES:
            labels = _labels(value, kind)
            if not labels:
                self.out.leave_out("rectangles without a label")
            self.sets.setdefault(question, (kind, set()))[1].update(labels)
        elif left_out_as(kind) is None:
            is_region = _is_on_text(value) or not value.keys().isdisjoint(_ELSEWHERE)
            about = value if is_region and len(value) > 1 else region
            if about is not None and not _is_on_text(about):
                self.out.leave_out("answers about regions of images")
                return
            if kind == "choices":
                labels = _labels(value, kind)
            elif kind == "taxonomy":
                labels = [self._category(path) for path in typed.value(value, kind, list)]
            elif kind in _NUMBERS:
                labels = [typed.number(value, kind)]
            else:
                labels = [typed.value(value, "selected" if kind == "pairwise" else kind, str)]
            if about is not None:
                self._mark(result, about, labels)
            elif kind in SETS:
                # Some programs write one result per choice; together they are one answer.
                self.sets.setdefault(question, (kind, set()))[1].update(labels)
            else:
                self.singles.append((question, kind, labels[0]))
        else:
            self.out.leave_out(left_out_as(kind) or kind)

    def _category(self, path: Any) -> str:
        if not isinstance(path, list) or not path or any(p.__class__ is not str for p in path):
            raise Wrong("'taxonomy' must be a list of paths, each a list of texts")
        category = " / ".join(path)
        if self.paths.setdefault(category, tuple(path)) != tuple(path):
            raise Wrong(f"two paths of a taxonomy are both written {show(category)}: rename one")
        return category

    def _miss(self, what: str, question: str, to_name: str) -> None:
        """Count a span that cannot be read."""
        layer = self.layer(question, to_name)
        self.out.leave_out(what, question=layer)
        self.unread.add(layer)

    def _mark(self, result: Result, value: dict[str, Any], labels: list[Any]) -> None:
        if "globalOffsets" in value:
            offsets = typed.value(value, "globalOffsets", dict)
        elif "startOffset" in value or value.get("start").__class__ is str:
            unplaced = "spans in HTML or paragraphs that have no global offsets"
            return self._miss(unplaced, result.question, result.to_name)
        elif "start" not in value and not value.keys().isdisjoint(_ELSEWHERE):
            return self.out.leave_out("labels of regions of images")
        else:
            offsets = value
        start, end = typed.span(offsets, "start", "end", typed.number)
        if "channel" in value or start.__class__ is float or end.__class__ is float:
            self.unit = "seconds"
        elif result.place is not None:
            start, end = result.place(start, end, value.get("text"))
        spans = self.spans.setdefault(self.layer(result.question, result.to_name), [])
        spans += [(start, end, label) for label in labels]


def _is_on_text(value: dict[str, Any]) -> bool:
    return "start" in value or "globalOffsets" in value


def _labels(value: dict[str, Any], kind: str) -> list[Any]:
    """Return the labels of a result, or none if they are absent."""
    labels = typed.value(value, kind, list) if kind in value or kind == "choices" else []
    if any(label.__class__ is not str for label in labels):
        raise Wrong(f"{show(kind)} must be a list of texts")
    return labels


#: The kind of a question about rectangles.
OF_RECTANGLES = "labels of rectangles, as a set"


class Collected:
    """Adds annotations to a `Contents`.

    An annotation does not mention the questions that it leaves unanswered, and the questions are
    known only when somebody has answered them. Therefore a journal keeps all annotations: a skipped
    task is missing in every question, and a coder without marks has finished the document.
    """

    def __init__(self, out: Contents) -> None:
        self.out = out
        #: Who annotated or (True) skipped what, and when.
        self._work = Answers()
        self._submitted = 0
        self._answered: Counter[str] = Counter()
        self._kinds: dict[str, str] = {}
        self._layers: dict[tuple[str, str], str] = {}
        #: What follows the item in the names of the documents of each layer.
        self._suffixes: dict[str, str] = {}
        self._main: str | None = None
        self._units: set[str] = set()
        self._paths: dict[str, tuple[str, ...]] = {}

    def new_sheet(self) -> Sheet:
        """Return a sheet for the results of an annotation."""
        return Sheet(self.out, self._layer, self._paths)

    def document(self, item: str, to_name: str) -> str:
        """Return the document of marks on a text or a recording of an item."""
        return item if to_name == self._main else f"{item} ({to_name})"

    def submit(
        self, item: str, coder: str, time: float, sheet: Sheet, *, partly: bool = False
    ) -> None:
        """Add the results of an annotation.

        `partly` if the questions that it does not answer were perhaps not asked.
        """
        answered = set()
        sets = [(question, kind, frozenset(some)) for question, (kind, some) in sheet.sets.items()]
        for question, kind, label in (*sets, *sheet.singles):
            name = self._question(question, kind)
            self.out.answers[name].add(item, coder, label, time)
            answered.add(name)
        self._answered.update(answered)
        for name, kind in self._kinds.items():
            if name not in answered and self._may_be_empty(kind) and not partly:
                self.out.answers[name].add(item, coder, frozenset(), time)
        for layer, suffix in self._suffixes.items():
            spans, whole = sheet.spans.get(layer, ()), layer not in sheet.unread
            if partly and whole and not spans:
                self.out.leave_out("predictions without spans", question=layer)
            else:
                self.out.finish(layer, item + suffix, coder, spans, time, whole=whole)
        if sheet.spans:
            self._units.add(sheet.unit)
        self._submitted += 1
        if sheet.length is not None:
            self.out.extents[item] = (0, sheet.length)
        if not partly:
            self._work.add(item, coder, False, time)

    def skip(self, item: str, coder: str, time: float) -> None:
        """Record that a coder skipped a task."""
        for name, kind in self._kinds.items():
            self._miss(name, kind, item, coder, time)
        self._work.add(item, coder, True, time)

    def close(self) -> None:
        """Finish, and add notes on what was left out."""
        self.out.in_time()
        for name, kind in self._kinds.items():
            unanswered = self._submitted - self._answered[name]
            if unanswered and not self._may_be_empty(kind):
                what = f"annotations without an answer to {show(name)}"
                self.out.leave_out(what, unanswered, name)
        if self._units:
            self.out.unit = " or ".join(sorted(self._units))
        if RECTANGLES in self._kinds.values():
            self.out.note(
                "rectangles are compared by the set of their labels in each image, not by position"
            )

    def _question(self, question: str, kind: str) -> str:
        name = question if question not in self._suffixes else f"{question} (whole item)"
        if self._kinds.get(name, kind) != kind:
            name = f"{name} ({kind})"
        if name not in self._kinds:
            self._kinds[name] = kind
            self.out.answers_to(name, OF_RECTANGLES if kind == RECTANGLES else kind)
            for item, coder, time, skipped in self._journal():
                if skipped:
                    self._miss(name, kind, item, coder, time)
                elif self._may_be_empty(kind):
                    self.out.answers[name].add(item, coder, frozenset(), time)
        return name

    def _layer(self, question: str, to_name: str) -> str:
        if (question, to_name) in self._layers:
            return self._layers[question, to_name]
        if self._main is None:
            self._main = to_name
        name = question
        if any(known == question for known, _ in self._layers):
            name = f"{question} on {to_name}"
        if name in self._kinds:
            name = f"{name} (regions)"
        self._layers[question, to_name] = name
        suffix = self._suffixes[name] = self.document("", to_name)
        for item, coder, time, skipped in self._journal():
            if not skipped:
                self.out.finish(name, item + suffix, coder, (), time)
        return name

    def _may_be_empty(self, kind: str) -> bool:
        """Whether the tool writes nothing for a set without labels."""
        return kind == RECTANGLES or (kind in SETS and self.out.options.count_empty)

    def _miss(self, name: str, kind: str, item: str, coder: str, time: float) -> None:
        skipped = frozenset([SKIPPED]) if kind in (*SETS, RECTANGLES) else SKIPPED
        label = skipped if self.out.options.count_skips else None
        self.out.answers[name].add(item, coder, label, time)

    def _journal(self) -> Iterator[tuple[str, str, float, bool]]:
        work = self._work
        items, coders, skipped = work.items.values, work.coders.values, work.labels.values
        for item, coder, time, label in zip(
            work.item, work.coder, work.time, work.label, strict=True
        ):
            yield items[item], coders[coder], time, skipped[label]


class Coders:
    """Names coders consistently."""

    def __init__(self) -> None:
        self._numbers: dict[int, str] = {}
        self._pooled: dict[str, set[str]] = {}

    def of(self, annotation: dict[str, Any], key: str = "completed_by") -> str:
        """Return the name of the coder of an annotation."""
        who = annotation.get(key)
        if who is None:
            # The key of the first versions and of programs derived from them.
            who = annotation.get("created_username")
        if who.__class__ not in (int, str, dict) and who is not None:
            raise Wrong(f"{show(key)} must be a number or an object")
        number, name = (who.get("id"), who.get("email")) if isinstance(who, dict) else (who, who)
        name = name if name.__class__ is str and name else None
        if number.__class__ is not int and name is None:
            raise Wrong(
                "it does not name the annotator: pass --coder-from file if each file is of one"
                " coder"
            )
        if number.__class__ is not int:
            return str(name)
        own = name or str(number)
        known = self._numbers.setdefault(number, own)
        if known != own:
            both = f"{show(known)} and {show(own)}"
            raise Wrong(f"coder {number} is called {both}: export all files in the same way")
        return known

    def pool(self, coder: str, annotation: dict[str, Any]) -> None:
        """Record the annotator of an annotation whose coder --coder-from determines."""
        with suppress(Wrong):
            self._pooled.setdefault(coder, set()).add(Coders().of(annotation))

    def tell(self, out: Contents) -> None:
        """Add a note if --coder-from combines several people."""
        for coder, people in self._pooled.items():
            if len(people) > 1:
                out.note(
                    f"coder {show(coder)} is {len(people):,} people in the export, whom"
                    " --coder-from combines: leave it out to compare them"
                )


class Texts:
    """Finds which field of the data is the text that a control shows.

    An export does not name this field, but spans contain the text that they mark. Fields with the
    same text are interchangeable.
    """

    def __init__(self) -> None:
        #: The fields that fit all spans of a text.
        self._fields: dict[str, tuple[str, ...]] = {}
        self._misplaced: Counter[str] = Counter()
        self._ambiguous = 0

    def known(self, data: dict[str, Any]) -> list[tuple[str, str]]:
        """Return (control, text) for each control whose text is in the data."""
        known = []
        for to_name, fields in self._fields.items():
            texts = {data[name] for name in fields if data.get(name).__class__ is str}
            if len(texts) == 1:
                known.append((to_name, texts.pop()))
            elif to_name in fields and texts:
                known.append((to_name, data[to_name]))
        return known

    def place(
        self, to_name: str, data: dict[str, Any], start: float, end: float, quoted: Any
    ) -> tuple[float, float]:
        """Return the start and end of a span in code points.

        Older versions of Label Studio counted UTF-16 units, so that an emoji counted as two. Such
        offsets are recognised by the text of the span.
        """
        if quoted.__class__ is not str or not quoted:
            return start, end
        first, last = int(start), int(end)
        fits: dict[str, tuple[int, int]] = {}
        result: dict[str, tuple[int, int] | None] = {}
        for name in self._fields.get(to_name, data):
            text = data.get(name)
            if text.__class__ is str and text not in result:
                result[text] = _find(text, first, last, quoted)
            if text.__class__ is str and (place := result[text]) is not None:
                fits[name] = place
        if not fits:
            self._misplaced[to_name] += bool(result)
            return start, end
        self._fields[to_name] = tuple(fits)
        places = set(fits.values())
        if to_name in fits:
            return fits[to_name]
        self._ambiguous += len(places) > 1
        return places.pop() if len(places) == 1 else (start, end)

    def tell(self, out: Contents) -> None:
        """Add notes on spans that could not be checked or are at other places."""
        misplaced = sum(n for to_name, n in self._misplaced.items() if to_name in self._fields)
        nowhere = self._misplaced.total() - misplaced
        if misplaced:
            out.note(
                f"{misplaced:,} spans have a text that is at another place in the data: their"
                " offsets are kept"
            )
        if nowhere:
            out.note(
                f"the text of {nowhere:,} spans is not in the data: it is not known whether their"
                " offsets count characters"
            )
        if self._ambiguous:
            out.note(
                f"{self._ambiguous:,} spans fit several fields of the data, at different offsets:"
                " their offsets are kept"
            )


def _find(text: str, start: int, end: int, quoted: str) -> tuple[int, int] | None:
    """Find a span in a text by its offsets in code points, or in UTF-16 units."""
    if text[start:end] == quoted:
        return start, end
    if text.isascii() or start < 0:
        return None
    units = text.encode("utf-16-le", "surrogatepass")
    try:
        before = len(units[: 2 * start].decode("utf-16-le"))
        inside = units[2 * start : 2 * end].decode("utf-16-le")
    except UnicodeDecodeError:
        return None
    return (before, before + len(quoted)) if inside == quoted else None


#: The largest number of tasks to keep until it is known which field is the text.
MOST_WAITING = 1_000


class Items:
    """Names items, and records the lengths of their texts.

    If a task is in several files, its data must be the same in all of them, and an annotation that
    is in several files counts once.
    """

    def __init__(self, out: Contents, into: Collected, *, several: bool) -> None:
        self._out, self._into, self._several = out, into, several
        self._data: dict[str, int] = {}
        self._annotations: set[int] = set()
        self._waiting: list[tuple[str, dict[str, str]]] = []
        self.texts = Texts()

    def name(self, task: dict[str, Any], data: dict[str, Any]) -> str:
        """Return the name of the item of a task."""
        how = self._out.options.item_from or "id"
        if how not in ("id", "inner_id"):
            if data.get(how).__class__ in (int, float, bool):
                return str(data[how])
            if how not in data:
                known = ", ".join(show(name) for name in list(data)[:20])
                raise Wrong(f"--item-from {show(how)} is not a field of the data: {known}")
            return str(typed.name(data, how))
        item = str(typed.name(task, how))
        if self._several:
            digest = hash(repr(data))
            if self._data.setdefault(item, digest) != digest:
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
            self._out.leave_out("annotations that are also in another file")
            return False
        self._annotations.add(key)
        return True

    def measure(self, item: str, data: dict[str, Any]) -> None:
        """Record the lengths of the texts of a task, once it is known which fields are texts."""
        known = self.texts.known(data)
        self._take(item, known)
        if not known and len(self._waiting) < MOST_WAITING:
            texts = {name: value for name, value in data.items() if value.__class__ is str}
            self._waiting.append((item, texts))
        if not known:
            self._out.describe(item, data)

    def close(self) -> None:
        """Measure the tasks that came before it was known which field is the text."""
        for item, data in self._waiting:
            self._take(item, self.texts.known(data))
        self.texts.tell(self._out)

    def _take(self, item: str, texts: list[tuple[str, str]]) -> None:
        for to_name, text in texts:
            self._out.measure(self._into.document(item, to_name), text)


_REVIEWED = {
    "rejected": "annotations were rejected by a reviewer: they are kept",
    "fixed_and_accepted": (
        "annotations were changed by a reviewer: the coder's own answers are not in the export"
    ),
}


class _Reader:
    """Reads annotations into what was collected."""

    def __init__(self, out: Contents, *, several: bool) -> None:
        self._out = out
        self._into = Collected(out)
        self._items = Items(out, self._into, several=several)
        self._coders = Coders()
        self._reviewed = dict.fromkeys(_REVIEWED, 0)

    def read(self, member: Member) -> None:
        """Read a file."""
        how, look = self._out.options.coder_from, look_at(member)
        coder = None if how is None else member.part(how, "--coder-from")
        if _holds_rows(look) or look.text[:1] not in ("[", "{"):
            # The file is read twice: it does not mark which keys are controls.
            columns = Columns()
            self._each(member, columns.look)
            controls = columns.controls(self._out)
            if self._out.options.item_from in controls:
                controls.remove(str(self._out.options.item_from))
            self._each(member, lambda record: self._record(record, controls, coder))
            return
        for number, task in enumerate(json_values(member, self._out.options.encoding), 1):
            try:
                if task.__class__ is not dict:
                    raise Wrong("a task must be an object with the keys data and annotations")
                self._task(task, coder)
            except Wrong:
                name = task.get("id", number) if isinstance(task, dict) else number
                shown = name if name.__class__ is int else show(str(name))
                self._out.place = Place(f"{member.shown}, task {shown}")
                raise

    def close(self) -> None:
        """Add what is known at the end, and notes on the work of reviewers."""
        self._items.close()
        self._coders.tell(self._out)
        for action, count in self._reviewed.items():
            if count:
                self._out.note(f"{count:,} {_REVIEWED[action]}")
        self._into.close()

    # -- tasks and their annotations

    def _task(self, task: dict[str, Any], coder: str | None) -> None:
        if "result" in task and task.get("task").__class__ is dict:
            # A storage target has one file per annotation, which contains the task.
            task = {**task["task"], "annotations": [task]}
        key = "annotations" if "annotations" in task or "completions" not in task else "completions"
        annotations = typed.value(task, key, list)
        data = typed.value(task, "data", dict)
        item = self._items.name(task, data)
        for number, annotation in enumerate(annotations, 1):
            with typed.Within(f"annotation {number}"):
                self._annotation(item, data, annotation, coder)
        for what in ("drafts", "predictions"):
            some = typed.value(task, what, list) if task.get(what) else []
            if what == "drafts" or not self._out.options.with_predictions:
                self._out.leave_out(what, len(some))
                continue
            for number, prediction in enumerate(some, 1):
                if prediction.__class__ is not dict:
                    self._out.leave_out("predictions that the export only counts")
                    continue
                version = prediction.get("model_version")
                name = f"prediction: {version}" if version else "prediction"
                with typed.Within(f"prediction {number}"):
                    self._submit(item, data, name, prediction, is_prediction=True)
        self._items.measure(item, data)

    def _annotation(
        self, item: str, data: dict[str, Any], annotation: Any, coder: str | None
    ) -> None:
        if annotation.__class__ is not dict:
            raise Wrong("an annotation must be an object: export the annotations, not their ids")
        if not self._items.is_new(item, annotation):
            return
        if coder is None:
            coder = self._coders.of(annotation)
        else:
            self._coders.pool(coder, annotation)
        if typed.flag(annotation, "was_cancelled") or typed.flag(annotation, "skipped"):
            self._out.leave_out("cancelled annotations")
            self._into.skip(item, coder, typed.moment(annotation.get("created_at")))
            return
        if typed.flag(annotation, "ground_truth"):
            if not self._out.options.with_curation:
                self._out.leave_out("ground truth annotations")
                return
            coder = "ground truth"
        action = annotation.get("last_action")
        if action.__class__ is str and action in self._reviewed:
            self._reviewed[action] += 1
        self._submit(item, data, coder, annotation)

    def _submit(
        self,
        item: str,
        data: dict[str, Any],
        coder: str,
        value: dict[str, Any],
        *,
        is_prediction: bool = False,
    ) -> None:
        sheet = self._into.new_sheet()
        results = value.get("result")
        if results is not None or "result" not in value:
            results = typed.value(value, "result", list)
            # The regions, for answers about them.
            regions = {
                result["id"]: result["value"]
                for result in results
                if isinstance(result, dict) and str(result.get("type")).endswith("labels")
                if result.get("id").__class__ is str and result.get("value").__class__ is dict
            }
            for result in results:
                self._result(sheet, data, result, regions)
        # A model may not have been asked the questions that it does not answer.
        partly = is_prediction and bool(results)
        self._into.submit(item, coder, typed.moment(value.get("created_at")), sheet, partly=partly)

    def _result(
        self, sheet: Sheet, data: dict[str, Any], result: Any, regions: dict[str, dict[str, Any]]
    ) -> None:
        if result.__class__ is not dict:
            raise Wrong("a result must be an object")
        kind = typed.value(result, "type", str)
        left_out = left_out_as(kind)
        if left_out is not None:
            self._out.leave_out(left_out)
            return
        to_name = result.get("to_name")
        to_name = to_name if to_name.__class__ is str else ""
        place = partial(self._items.texts.place, to_name, data)
        if "original_length" in result and result["original_length"] is not None:
            sheet.length = typed.number(result, "original_length")
            sheet.unit = "seconds"
        number = result.get("id")
        sheet.take(
            Result(
                typed.value(result, "from_name", str),
                kind,
                typed.value(result, "value", dict),
                to_name,
                regions.get(number) if number.__class__ is str else None,
                None if sheet.unit == "seconds" else place,
            )
        )

    # -- records with one annotation each

    def _each(self, member: Member, use: Callable[[dict[str, Any]], None]) -> None:
        for record in self._out.walk(member, self._records(member), "an annotation"):
            use(record)

    def _records(self, member: Member) -> Iterator[Any]:
        if look_at(member).text[:1] in ("[", "{"):
            yield from json_values(member, self._out.options.encoding)
            return
        for row in csv_rows(member, ("id", "annotation_id"), self._out.options.encoding):
            yield {name: _cell(cell) for name, cell in row.items() if cell != ""}

    def _record(self, record: dict[str, Any], controls: list[str], coder: str | None) -> None:
        if record.get("annotation_id") is None:
            self._out.leave_out("tasks without annotations")
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
        place = partial(self._items.texts.place, "", data)
        for name in controls:
            value = record.get(name)
            for entry in value if isinstance(value, list) else [] if value is None else [value]:
                if entry.__class__ is str:
                    sheet.take(Result(name, "choices", {"choices": [entry]}))
                elif entry.__class__ is dict:
                    sheet.take(Result(name, kind_of(entry), entry, place=place))
                elif entry.__class__ in (int, float):
                    sheet.take(Result(name, "number", {"number": entry}))
                else:
                    what = "holds an answer that is neither a text nor an object"
                    raise Wrong(f"{show(name)} {what}")
        self._into.submit(item, coder, typed.moment(record.get("created_at")), sheet)
        self._items.measure(item, data)


#: Keys that are neither controls nor data.
RESERVED = frozenset(
    ["id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement",
     "history"]
)  # fmt: skip


@dataclass
class _Column:
    """The observed values of a key."""

    answers: bool = False  # objects as controls write them
    texts: bool = True  # nothing but bare texts
    numbers: bool = True  # nothing but bare numbers
    several: bool = False  # lists of bare texts
    behind_id: bool = True  # between the id of the task and the annotator, in each record


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
            column.numbers &= value.__class__ in (int, float)
            column.texts &= value.__class__ is str
            if value.__class__ is dict:
                # Controls of all other kinds also write a list for one object.
                column.answers |= kind_of(value) in ("choices", "textarea")
            elif value.__class__ is list and value:
                objects = [element for element in value if element.__class__ is dict]
                known = len(objects) == len(value) and UNKNOWN_KIND not in map(kind_of, objects)
                column.answers |= known
                column.several |= any(element.__class__ is str for element in value)

    def controls(self, out: Contents) -> list[str]:
        """Return the names of the controls, and add notes on what is left out."""
        usable = {n: c for n, c in self._columns.items() if c.answers or c.texts or c.numbers}
        for name, column in self._columns.items():
            if name not in usable and not column.several and self._asks(name):
                out.note(f"{show(name)} is left out: its values were not written by a control")
            # A list of texts may also be data if it does not vary.
            if column.several and self._asks(name):
                out.note(
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
            out.note(
                f"{', '.join(data)} {'are' if len(data) > 1 else 'is'} the same in all"
                " annotations of a task, and read as data: if it is a question, export as JSON"
            )
        return sure

    def _asks(self, name: str) -> bool:
        """Whether a column is certainly not a field of the data."""
        behind_id = self._ordered and self._columns[name].behind_id
        return name in self._varying.names or behind_id


def _cell(cell: str) -> Any:
    """Read a cell: JSON of an object or a list, or a text."""
    with suppress(ValueError, RecursionError):
        if cell[0] in "[{":
            return json.loads(cell)
    return cell


class LabelStudio(Tool):
    """Reads exports of Label Studio; a question is the name of a control."""

    name = "label-studio"
    title = "Label Studio"
    options = (
        "coder_from",
        "item_from",
        "with_predictions",
        "with_curation",
        "count_skips",
        "count_empty",
    )
    columns = True

    def holds(self, look: Look) -> bool:
        """Whether a file has tasks with annotations, or records with one annotation each."""
        record = look.record
        if record.get("result").__class__ is list and record.get("task").__class__ is dict:
            record = {**record["task"], "annotations": []}
        some = record.get("annotations", record.get("completions"))
        has_tasks = some.__class__ is list and record.get("data").__class__ is dict
        return has_tasks or _holds_rows(look)

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read all files; each is a project or a part of one."""
        reader = _Reader(out, several=len(bundle.members) > 1)
        for member in bundle.members:
            reader.read(member)
        reader.close()


def _holds_rows(look: Look) -> bool:
    names = look.keys or set(look.columns)
    return {"id", "annotation_id"} <= names and bool({"annotator", "lead_time"} & names)
