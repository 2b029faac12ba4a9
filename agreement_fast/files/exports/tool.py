"""The interface of a tool, and what its reader fills: answers, spans, and what was left out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.streams import LOOKED_AT, Look, every, json_values, look_at

#: The largest integer up to which all integers are exact as floats.
MOST_STEPS = 1 << 53

#: The largest difference from 1 of a step times its inverse.
EXACT = 1e-9

#: A time, whether there are no other marks, and the begin, end and category of the marks.
_Marked: TypeAlias = tuple[float, bool, tuple[tuple[float, float, Any], ...]]


class Names:
    """Numbers for names in the order of their first occurrence."""

    def __init__(self) -> None:
        self._codes: dict[Hashable, int] = {}
        self.values: list[Any] = []

    def __len__(self) -> int:
        return len(self.values)

    def code(self, name: Any) -> int:
        """Return the number of a name; 1 and 1.0 are the same name, True is another."""
        key = name if name.__class__ is str else (name.__class__ is bool, name)
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = len(self.values)
            self.values.append(name)
        return code


@dataclass
class Answers:
    """The labels that coders gave to items in answer to one question."""

    #: The tool's name for the kind of question, such as "choices" or "rating".
    kind: str = ""
    #: The names.
    items: Names = field(default_factory=Names)
    coders: Names = field(default_factory=Names)
    labels: Names = field(default_factory=Names)
    #: One judgment per place; a label of -1 is missing: arrays of int.
    item: array[int] = field(default_factory=lambda: array("i"))
    coder: array[int] = field(default_factory=lambda: array("i"))
    label: array[int] = field(default_factory=lambda: array("i"))
    #: When each judgment was made, NaN if unknown; empty if the tool does not tell: array of float.
    time: array[float] = field(default_factory=lambda: array("d"))

    def __len__(self) -> int:
        return len(self.item)

    def add(self, item: Any, coder: Any, label: Any, time: float | None = None) -> None:
        """Add a judgment; None is a missing label, and a frozenset is a set of labels."""
        self.item.append(self.items.code(item))
        self.coder.append(self.coders.code(coder))
        self.label.append(-1 if label is None else self.labels.code(label))
        if time is not None:
            self.time.append(time)


class Span(NamedTuple):
    """A span that a coder marked."""

    coder: Any
    document: Any
    #: Half-open intervals; several if the span has gaps.
    parts: tuple[tuple[float, float], ...]
    category: Any


@dataclass
class Spans:
    """The spans that coders marked on documents, in one layer."""

    #: The tool's name for the kind of layer.
    kind: str = ""
    #: The spans.
    marked: list[Span] = field(default_factory=list)
    #: Which coders finished which documents, perhaps without marking anything, in order.
    seen: dict[tuple[Any, Any], None] = field(default_factory=dict)
    #: Documents with spans of a coder that could not be read. They count as unfinished.
    missed: dict[tuple[Any, Any], None] = field(default_factory=dict)
    #: By document and coder, the last annotation: its time, whether there are no other marks, and
    #: the marks. `Contents.in_time` adds them.
    latest: dict[tuple[str, str], _Marked] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.marked)

    def see(self, document: Any, coder: Any) -> None:
        """Record that a coder finished a document."""
        self.seen[document, coder] = None

    def mark(self, document: Any, coder: Any, parts: Sequence[Sequence[float]], name: Any) -> None:
        """Add a span of a coder, which also records that the coder saw the document."""
        self.see(document, coder)
        ordered = tuple(sorted((start, end) for start, end in parts))
        self.marked.append(Span(coder, document, ordered, name))

    def miss(self, document: Any, coder: Any) -> None:
        """Record that a span of a coder cannot be read, so that the document is incomplete."""
        self.missed[document, coder] = None


@dataclass(frozen=True)
class Options:
    """The options that a user may pass for an export."""

    #: How to find the coder's name if the tool leaves that open: "file", "folder", a regular
    #: expression with one group that is searched in the path, or a value that the tool adds.
    coder_from: str | None = None
    #: The same for the document.
    document_from: str | None = None
    #: What names an item: "id", "text" or the name of a field.
    item_from: str | None = None
    #: Whether the labels of a model or a curator are read as those of a coder.
    with_predictions: bool = False
    with_curation: bool = False
    #: Whether skipping an item counts as the label "skipped"; otherwise the judgment is missing.
    count_skips: bool = False
    #: Whether an empty answer counts as a judgment (the empty set) if the tool leaves that open.
    count_empty: bool = False
    #: Whether to read documents that a coder did not finish, if the tool knows this.
    with_unfinished: bool = False
    #: Whether to keep texts of items.
    keep_texts: bool = False
    #: The length of a step of time in seconds; by default that of the tool.
    resolution: float | None = None
    #: The encoding of text files; by default the one that the file declares, or UTF-8.
    encoding: str | None = None


@dataclass
class Place:
    """Where a reader is."""

    #: The file as an error names it, or the place around this one.
    inside: str | Place = ""
    #: The record (or what else it is): its number from 1, or its name; 0 stands for the whole.
    number: int | str = 0
    what: str = "record"

    def __str__(self) -> str:
        if self.number == 0:
            return str(self.inside)
        name = show(self.number) if isinstance(self.number, str) else f"{self.number:,}"
        return f"{self.inside}, {' '.join(filter(None, (self.what, name)))}"


class _At:
    """A part of a record that is read; errors in its block name it."""

    def __init__(self, out: Contents, name: str, what: str) -> None:
        self._out, self._place = out, Place(out.place, name, what)

    def __enter__(self) -> None:
        self._out.place = self._place

    def __exit__(self, kind: Any, error: object, trace: object) -> None:
        if kind is None:
            self._out.place = cast(Place, self._place.inside)


#: The label of a skipped item, if skips count.
SKIPPED = "skipped"

#: The remedy for two files of one document and coder.
TELL_APART = "pass --document-from or --coder-from with a regular expression that tells them apart"


class Contents:
    """What a reader finds.

    A question has either labels of items (`answers`) or a layer of spans (`spans`). Readers fill
    this object, and `Export` reads it. `options`: those of the user.
    """

    def __init__(self, options: Options = Options()) -> None:
        self.options = options
        #: The place of the reader, for errors.
        self.place = Place()
        #: The questions: dict of question to Answers, Spans.
        self.answers: dict[str, Answers] = {}
        self.spans: dict[str, Spans] = {}
        #: The text or link of items and documents.
        self.texts: dict[Any, str] = {}
        #: The tokens of documents, if positions count tokens.
        self.tokens: dict[Any, Sequence[str]] = {}
        #: The beginning and end of each document, as far as known: dict of document to (begin,
        #: end).
        self.extents: dict[Any, tuple[float, float]] = {}
        #: The number of things left out, by a plural such as "cancelled annotations".
        self.left_out: Counter[str] = Counter()
        #: The part of these numbers that concerns one question only: dict of question to Counter of
        #: str.
        self.left_out_of: dict[str, Counter[str]] = defaultdict(Counter)
        self._same: dict[Any, Any] = {}
        #: The files of documents and coders.
        self._taken: dict[Any, Member] = {}
        #: The length and hash of texts, and where they are, by document.
        self._known: dict[Any, tuple[int, int, str]] = {}
        #: What the user must know.
        self.notes: list[str] = []
        #: The unit of positions: "characters", "tokens", "milliseconds" or "seconds". Seconds may
        #: have fractions and are rounded to steps after reading.
        self.unit = "characters"
        #: The step of positions: 1, or a number of seconds.
        self.step = 1.0

    def round_times(self, step: float) -> None:
        """Round positions and extents to multiples of a step.

        Raises ReadError if a time is not a number, or is too large for the step.
        """
        per_second = round(1 / step)
        # 9 / 1000 is the float that is written 0.009; 9 * 0.001 is its neighbour.
        exact = abs(per_second * step - 1) < EXACT

        def rounded(pair: tuple[float, float]) -> tuple[float, float]:
            for place in pair:
                if not abs(place / step) < MOST_STEPS:
                    what = f"a time of {place:g} seconds is too large for steps of"
                    raise ReadError(f"{what} {step:g} seconds")
            begin, end = (round(place / step) for place in pair)
            if exact:
                return begin / per_second, end / per_second
            return begin * step, end * step

        for spans in self.spans.values():
            spans.marked = [
                span._replace(parts=tuple(map(rounded, span.parts))) for span in spans.marked
            ]
        self.extents = {document: rounded(pair) for document, pair in self.extents.items()}
        self.step = step

    def at(self, name: str, what: str = "") -> _At:
        """Name the part of a record that is read, for errors."""
        return _At(self, name, what)

    def records(self, member: Member, what: str) -> Iterator[dict[str, Any]]:
        """Yield the objects of a file of JSON; what is wrong with one of them names its place.

        `what`: how errors call such an object.
        """
        return self.walk(member, json_values(member, self.options.encoding), what)

    def walk(self, member: Member, values: Iterable[Any], what: str) -> Iterator[Any]:
        """Yield values of a file, which must be objects, as `records` does."""
        place = self.place = Place(member.shown)
        for place.number, value in enumerate(values, 1):
            if value.__class__ is not dict:
                typed.expect(value, what, dict)
            yield value

    def refuse_second(
        self, document: str, coder: str, member: Member, what: str = "", remedy: str = TELL_APART
    ) -> None:
        """Raise an error if another file is of the same document (which `what` names) and coder."""
        other = self._taken.setdefault((document, coder), member)
        if other is not member:
            what = what or f"document {show(document)} of coder {show(coder)}"
            both = f"{other.shown} and {member.shown} are both {what}"
            raise ReadError(f"{both}: {remedy}", argument="coder_from")

    @property
    def questions(self) -> dict[str, Answers | Spans]:
        """All questions by name."""
        return {**self.answers, **self.spans}

    def answers_to(self, question: str, kind: str = "") -> Answers:
        """Return the answers to a question, which is added if it is new."""
        return self.answers.setdefault(question, Answers(kind))

    def spans_of(self, layer: str, kind: str = "") -> Spans:
        """Return the spans of a layer, which is added if it is new."""
        return self.spans.setdefault(layer, Spans(kind))

    def measure(self, document: Any, text: str) -> None:
        """Record the length of the text of a document, and perhaps the text."""
        self.extents[document] = 0, len(text)
        if self.options.keep_texts:
            self.texts[document] = text

    def describe(self, item: Any, fields: Mapping[str, Any]) -> None:
        """Keep what coders saw of an item: its only text, or each text behind its name.

        A chat, which is a list of objects with a role and a content, counts as a text.
        """
        if not self.options.keep_texts or item in self.texts:
            return
        texts = {name: _text_of(value).strip() for name, value in fields.items()}
        texts = {name: text for name, text in texts.items() if text}
        if texts:
            several = (f"{name}: {text}" for name, text in texts.items())
            self.texts[item] = "\n".join(several if len(texts) > 1 else texts.values())

    def check_text(self, document: Any, text: str, shown: str, remedy: str) -> None:
        """Raise an error for two texts of one document, because positions cannot be compared.

        `document`: its name, or a tuple with its name first. `shown`: the file of the text.
        """
        length, known, other = self._known.setdefault(document, (len(text), hash(text), shown))
        if known != hash(text):
            name = document[0] if isinstance(document, tuple) else document
            raise ReadError(
                f"{other} and {shown} hold different texts of document {show(str(name))}"
                f" ({length:,} and {len(text):,} characters), so their positions cannot be"
                f" compared: {remedy}"
            )

    def leave_out(self, what: str, count: int = 1, question: str | None = None) -> None:
        """Count what is not read; `what` is a plural such as "cancelled annotations".

        Pass `question` if it concerns one question only.
        """
        if count:
            self.left_out[what] += count
        if count and question is not None:
            self.left_out_of[question][what] += count

    def left_out_for(self, question: str | None) -> Counter[str]:
        """Return the counts of what was left out, without those of other questions."""
        counted = self.left_out.copy()
        for name, some in self.left_out_of.items():
            if question is not None and name != question:
                counted.subtract(some)
        return +counted

    def drop_missed(self) -> None:
        """Drop documents with spans of a coder that could not be read."""
        for layer, spans in self.spans.items():
            if dropped := spans.missed:
                spans.seen = {pair: None for pair in spans.seen if pair not in dropped}
                spans.marked = [s for s in spans.marked if (s.document, s.coder) not in dropped]
                what = "documents of coders with spans that cannot be read"
                self.leave_out(what, len(dropped), layer)

    def note(self, sentence: str) -> None:
        """Add a note for the user, once."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    # -- judgments and spans with a time

    def finish(
        self,
        layer: str,
        document: str,
        coder: str,
        spans: Iterable[tuple[float, float, Any]],
        time: float,
        *,
        whole: bool = True,
    ) -> None:
        """Add the spans that a coder marked on a finished document, perhaps none.

        `whole` if there are no other marks on the document. If a coder finishes a document twice,
        the later spans count; without a time, those that were read later.
        """
        latest, same = self.spans_of(layer, "spans").latest, self._same.setdefault
        pair = same(document, document), same(coder, coder)  # equal texts are kept once
        if pair in latest:
            self.leave_out("earlier annotations of a document by the same coder", question=layer)
            if time < latest[pair][0]:
                return
            del latest[pair]
        marks = tuple((_whole(begin), _whole(end), same(name, name)) for begin, end, name in spans)
        latest[pair] = time, whole, marks

    @property
    def coders(self) -> list[str]:
        """All coders, in the order of their first occurrence."""
        names = [name for some in self.answers.values() for name in some.coders.values]
        names += [coder for spans in self.spans.values() for _, coder in spans.latest]
        return list(dict.fromkeys(names))

    def in_time(self, names: Mapping[str, str] = MappingProxyType({})) -> None:
        """Order the judgments of one coder for one item by time, and add the last spans.

        `names` maps coders to their names in results.
        """
        for answers in self.answers.values():
            _order(answers, np.asarray(answers.time))
            answers.coders.values[:] = [names.get(value, value) for value in answers.coders.values]
        for spans in self.spans.values():
            for (document, coder), (_, whole, marks) in spans.latest.items():
                name = names.get(coder, coder)
                spans.see(document, name)
                if not whole:
                    spans.miss(document, name)
                for begin, end, category in marks:
                    spans.mark(document, name, ((begin, end),), category)


def _text_of(value: Any) -> str:
    """Return the text of a value or of a chat; empty for all else."""
    if isinstance(value, list):
        turns = [
            (turn.get("role"), turn.get("content")) for turn in value if isinstance(turn, dict)
        ]
        return "\n".join(f"{role}: {text}" for role, text in turns if isinstance(text, str))
    return value if isinstance(value, str) else ""


def _whole(position: float) -> float:
    return int(position) if float(position).is_integer() else position


def _order(answers: Answers, times: Any) -> None:
    """Sort the labels of one coder for one item by time."""
    if len(times) < 2:
        return
    who = np.asarray(answers.item, np.int64) * len(answers.coders) + np.asarray(answers.coder)
    as_read = np.argsort(who, kind="stable")
    again = who[as_read][1:] == who[as_read][:-1]
    # NaN compares as not earlier, so annotations without a time do not move others.
    if not (again & (times[as_read][1:] < times[as_read][:-1])).any():
        return
    in_time = np.lexsort((times, who))
    label = np.array(answers.label)
    label[as_read] = label[in_time]
    answers.label[:] = array("i", label.tobytes())


class Tool(ABC):
    """A tool whose exports can be read."""

    #: Its name as a value of ``--format``.
    name: str
    #: Its name in messages.
    title: str
    #: The `Options` that its reader uses, besides `keep_texts` and `encoding`, which all readers
    #: use.
    options: tuple[str, ...] = ()
    #: The ends of the names of its files, if other files may be beside them.
    suffixes: tuple[str, ...] = ()
    #: Whether its exports are tables whose columns a user may also name.
    columns = False
    #: Whether other tables look like its exports. If a user names a column, it is then read as a
    #: table.
    plain = False

    def recognise(self, bundle: Bundle) -> bool:
        """Whether a bundle looks like an export of this tool. Raises no errors."""
        try:
            return self.looks_like(bundle)
        except ReadError:
            return False

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether all files are of the tool, or one of those with its suffixes."""
        ending = bundle.ending(*self.suffixes)[:LOOKED_AT]
        return every(bundle, self.holds) or any(map(self.holds, map(look_at, ending)))

    def holds(self, look: Look) -> bool:
        """Whether a file is of the tool."""
        return False

    @abstractmethod
    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Add the content to `out`; raise a ReadError if that is not possible."""
