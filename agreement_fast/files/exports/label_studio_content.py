"""What Label Studio's annotations say: coders, items, texts, and the regions of a control."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from agreement_fast.files.errors import show
from agreement_fast.files.exports.contents import Answers, Contents, InTime
from agreement_fast.files.exports.tool import (
    SKIPPED,
    Options,
    Wrong,
    a_name,
    a_number,
    a_range,
    value_of,
)

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

    def take(
        self,
        question: str,
        kind: str,
        value: dict[str, Any],
        *,
        to_name: str = "",
        region: dict[str, Any] | None = None,
        place: Callable[[float, float, Any], tuple[float, float]] | None = None,
    ) -> None:
        """Add one result.

        `question`, `kind`: the question and the kind of the result. `value`: the value of the
        result. `to_name`: the text or image that the result is about. `region`: the value of the
        region that the result is about. `place`: corrects a start and an end, given the text of the
        span.
        """
        if kind in SPANS:
            labels = _labels(value, kind if kind in value else "labels")
            if not labels and _is_on_text(value):
                self._miss("spans without a label", question, to_name)
            elif not labels:
                self.out.leave_out("spans without a label")
            else:
                self._mark(question, to_name, value, labels, place)
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
                labels = [self._category(path) for path in value_of(value, kind, list)]
            elif kind in _NUMBERS:
                labels = [a_number(value, kind)]
            else:
                labels = [value_of(value, "selected" if kind == "pairwise" else kind, str)]
            if about is not None:
                self._mark(question, to_name, about, labels, place)
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

    def _mark(
        self,
        question: str,
        to_name: str,
        value: dict[str, Any],
        labels: list[Any],
        place: Callable[[float, float, Any], tuple[float, float]] | None,
    ) -> None:
        if "globalOffsets" in value:
            offsets = value_of(value, "globalOffsets", dict)
        elif "startOffset" in value or value.get("start").__class__ is str:
            unplaced = "spans in HTML or paragraphs that have no global offsets"
            return self._miss(unplaced, question, to_name)
        elif "start" not in value and not value.keys().isdisjoint(_ELSEWHERE):
            return self.out.leave_out("labels of regions of images")
        else:
            offsets = value
        start, end = a_range(offsets, "start", "end", a_number)
        if "channel" in value or start.__class__ is float or end.__class__ is float:
            self.unit = "seconds"
        elif place is not None:
            start, end = place(start, end, value.get("text"))
        spans = self.spans.setdefault(self.layer(question, to_name), [])
        spans += [(start, end, label) for label in labels]


def _is_on_text(value: dict[str, Any]) -> bool:
    return "start" in value or "globalOffsets" in value


def _labels(value: dict[str, Any], kind: str) -> list[Any]:
    """Return the labels of a result, or none if they are absent."""
    labels = value_of(value, kind, list) if kind in value or kind == "choices" else []
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

    def __init__(self, out: Contents, options: Options) -> None:
        self.out = out
        self._options = options
        self._in_time = InTime(out)
        #: Who annotated or (True) skipped what, and when.
        self._pairs, self._time = Answers(), array("d")
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
        answer = self._in_time.answer
        answered = set()
        sets = [(question, kind, frozenset(some)) for question, (kind, some) in sheet.sets.items()]
        for question, kind, label in (*sets, *sheet.singles):
            name = self._question(question, kind)
            answer(name, kind, item, coder, label, time)
            answered.add(name)
        self._answered.update(answered)
        for name, kind in self._kinds.items():
            if name not in answered and self._may_be_empty(kind) and not partly:
                answer(name, kind, item, coder, frozenset(), time)
        for layer, suffix in self._suffixes.items():
            spans, whole = sheet.spans.get(layer, ()), layer not in sheet.unread
            if partly and whole and not spans:
                self.out.leave_out("predictions without spans", question=layer)
            else:
                document = item + suffix
                self._in_time.finish(layer, "spans", document, coder, spans, time, whole=whole)
        if sheet.spans:
            self._units.add(sheet.unit)
        self._submitted += 1
        if sheet.length is not None:
            self.out.extents[item] = (0, sheet.length)
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
            self._in_time.ask(name, OF_RECTANGLES if kind == RECTANGLES else kind)
            for item, coder, time, skipped in self._journal():
                if skipped:
                    self._miss(name, kind, item, coder, time)
                elif self._may_be_empty(kind):
                    self._in_time.answer(name, kind, item, coder, frozenset(), time)
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
                self._in_time.finish(name, "spans", item + suffix, coder, (), time)
        return name

    def _may_be_empty(self, kind: str) -> bool:
        """Whether the tool writes nothing for a set without labels."""
        return kind == RECTANGLES or (kind in SETS and self._options.count_empty)

    def _miss(self, name: str, kind: str, item: str, coder: str, time: float) -> None:
        skipped = frozenset([SKIPPED]) if kind in (*SETS, RECTANGLES) else SKIPPED
        label = skipped if self._options.count_skips else None
        self._in_time.answer(name, kind, item, coder, label, time)

    def _write(self, item: str, coder: str, time: float, *, skipped: bool) -> None:
        self._pairs.add(item, coder, skipped)
        self._time.append(time)

    def _journal(self) -> Iterator[tuple[str, str, float, bool]]:
        pairs = self._pairs
        items, coders, skipped = pairs.items.values, pairs.coders.values, pairs.labels.values
        columns = zip(pairs.item, pairs.coder, self._time, pairs.label, strict=True)
        for item, coder, time, label in columns:
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
        number = who.get("id") if isinstance(who, dict) else who
        name = who.get("email") if isinstance(who, dict) else who
        name = name if name.__class__ is str and name else None
        if number.__class__ is not int and name is None:
            raise Wrong(
                "it does not name the annotator: pass --coder-from file if each file is of one"
                " coder"
            )
        if number.__class__ is not int:
            return str(name)
        known = self._numbers.setdefault(number, name or str(number))
        if known != (name or str(number)):
            raise Wrong(
                f"coder {number} is called {show(known)} and {show(name or str(number))}: export"
                " all files in the same way"
            )
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

    def __init__(self, out: Contents, options: Options, into: Collected, *, several: bool) -> None:
        self._contents = out
        self._options = options
        self._into = into
        self._several = several
        self._data: dict[str, int] = {}
        self._annotations: set[int] = set()
        self._waiting: list[tuple[str, dict[str, str]]] = []
        self.texts = Texts()

    def name(self, task: dict[str, Any], data: dict[str, Any]) -> str:
        """Return the name of the item of a task."""
        how = self._options.item_from or "id"
        if how not in ("id", "inner_id"):
            if data.get(how).__class__ in (int, float, bool):
                return str(data[how])
            if how not in data:
                known = ", ".join(show(name) for name in list(data)[:20])
                raise Wrong(f"--item-from {show(how)} is not a field of the data: {known}")
            return str(a_name(data, how))
        item = str(a_name(task, how))
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
            self._contents.leave_out("annotations that are also in another file")
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
            self._contents.describe(item, data, self._options.keep_texts)

    def close(self) -> None:
        """Measure the tasks that came before it was known which field is the text."""
        for item, data in self._waiting:
            self._take(item, self.texts.known(data))
        self.texts.tell(self._contents)

    def _take(self, item: str, texts: list[tuple[str, str]]) -> None:
        for to_name, text in texts:
            document = self._into.document(item, to_name)
            self._contents.measure(document, text, self._options.keep_texts)
