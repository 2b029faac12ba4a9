"""Potato: one folder per user, with the state of all their answers."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, TypeAlias

from agreement_fast.files.errors import show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents
from agreement_fast.files.exports.streams import LOOKED_AT, Look, json_values, look_at
from agreement_fast.files.exports.tool import (
    Options,
    Place,
    Tool,
    Wrong,
    a_whole_number,
    expect,
    part_of_path,
    value_of,
    written,
)

#: Values by schema and name, and spans by layer, field, parts and category.
Labels: TypeAlias = dict[str, dict[str, Any]]
Marks: TypeAlias = list[tuple[str, str, list[tuple[int, int]], str]]

#: Values that mark an option as chosen, and as not chosen; 0 may also be an answer.
_CHOSEN = frozenset({"true", "True", "on"})
_NOT = (None, "", "false", "False")

#: Names under which the value is the answer, and those under which it is free text.
_VALUE_NAMES = frozenset(
    {
        "select-one", "slider", "number", "scale", "selection", "scale_value", "decision",
        "confidence_level",
    }
)  # fmt: skip
_PROSE_NAMES = frozenset({"free_response", "text_box", "textbox", "justification"})

#: Values above this length are free text; the number of values that decide it.
_LONGEST, _FEW = 100, 20


class Schemas:
    """Collects answers, and makes questions of them at the end."""

    def __init__(self, out: Contents, options: Options) -> None:
        self.out = out
        self._options = options
        self._taken_labels: list[tuple[str, str, Labels]] = []
        self._fields: dict[str, dict[str, None]] = {}

    def take(self, item: str, coder: str, labels: Labels, marks: Marks) -> None:
        """Add the answers of a coder for an item."""
        chosen = {
            schema: {name: value for name, value in names.items() if _plain(value) not in _NOT}
            for schema, names in labels.items()
        }
        if not (any(chosen.values()) or marks):
            self.out.leave_out("items without an answer")
            return
        self._taken_labels.append((item, coder, chosen))
        for layer, field, parts, category in marks:
            self._fields.setdefault(layer, {})[field] = None
            spans = self.out.spans_of(layer, "spans")
            spans.mark(_document(item, field), coder, parts, category)

    def finish(self) -> None:
        """Make a question of each schema."""
        for layer, fields in self._fields.items():
            spans = self.out.spans_of(layer, "spans")
            for item, coder, _ in self._taken_labels:
                for field in fields:
                    spans.see(_document(item, field), coder)
        values: dict[str, dict[str, set[Any]]] = defaultdict(lambda: defaultdict(set))
        for _, _, labels in self._taken_labels:
            for schema, names in labels.items():
                for name, value in names.items():
                    values[schema][name].add(_plain(value))
        for schema, known in values.items():
            prose = known.keys() & _PROSE_NAMES
            for name in prose:
                self._leave_out_all(schema, name, "free texts")
                del known[name]
            if not known:
                continue
            if self._is_choice(schema, known):
                self._choices(schema, set(known))
            else:
                for name in known:
                    alone = len(known) == 1 and (name in _VALUE_NAMES or name == schema)
                    self._values(schema, name, schema if alone else f"{schema}: {name}")

    def _is_choice(self, schema: str, values: dict[str, set[Any]]) -> bool:
        """Whether names are options whose values mark them as chosen."""
        numbers = 0
        for name, some in values.items():
            rest = some - _CHOSEN - {"0", name}
            if name in _VALUE_NAMES or name == schema or None in map(_number, rest):
                return False
            numbers = max(numbers, len(rest))
        # The number of an option is always the same, unless it was moved; several options at once
        # that have several numbers are ratings.
        return numbers < 2 or (
            len(values) > 1
            and all(
                len(values.keys() & labels.get(schema, {}).keys()) < 2
                for *_, labels in self._taken_labels
            )
        )

    def _choices(self, schema: str, names: set[str]) -> None:
        """Add the names of chosen options."""
        numbers = all(name.isdecimal() and name.isascii() for name in names)
        answers = []
        for item, coder, labels in self._taken_labels:
            values = labels.get(schema, {}).items()
            some = {name for name, value in values if name == "0" or _plain(value) != "0"}
            answers.append((item, coder, frozenset(some & names)))
        several = any(len(chosen) > 1 for _, _, chosen in answers)
        question = self.out.answers_to(schema, "choices" if several else "choice")
        for item, coder, chosen in answers:
            label = frozenset(int(name) for name in chosen) if numbers else chosen
            empty = not chosen and not (several and self._options.count_empty)
            question.add(item, coder, None if empty else label)
        missing = sum(not chosen for _, _, chosen in answers)
        if several and missing and not self._options.count_empty:
            self.out.note(
                "Potato stores nothing for an item without ticks, as for one that nobody looked"
                " at: both are missing; with --count-empty, no tick is a judgment"
            )

    def _values(self, schema: str, name: str, question: str) -> None:
        """Add the values under a name."""
        values = [_plain(labels.get(schema, {}).get(name)) for *_, labels in self._taken_labels]
        some = [value for value in values if value is not None]
        numbers = {value: _number(value) for value in set(some)}
        are_numbers = None not in numbers.values()
        if any(str(value)[:1] in ("{", "[") for value in some):
            self._leave_out_all(schema, name, "answers of several values")
        elif not are_numbers and (
            max(map(len, map(str, some))) > _LONGEST
            or (len(some) >= _FEW and len(numbers) > 0.8 * len(some))
        ):
            self._leave_out_all(schema, name, "free texts")
        else:
            answers = self.out.answers_to(question, "value")
            for (item, coder, _), value in zip(self._taken_labels, values, strict=True):
                answers.add(item, coder, numbers[value] if are_numbers and value else value)

    def _leave_out_all(self, schema: str, name: str, what: str) -> None:
        count = sum(name in labels.get(schema, ()) for _, _, labels in self._taken_labels)
        self.out.leave_out(what, count)


def _document(item: str, field: str) -> str:
    """Return the document of a span; offsets start at 0 in each field of an item."""
    return f"{item}:{field}" if field else item


def _plain(value: Any) -> str | None:
    """Return a value as text, as most forms of Potato store it."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else None
    return written(value)[1:-1] if isinstance(value, list | dict) else str(value)


def _number(value: str) -> int | float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    if not abs(number) < 1e15:
        return None
    return int(number) if number == int(number) else number


_STATE, _LINES = "user_state.json", "annotated_instances.jsonl"
_LABELS, _SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"

#: Other keys of a state, and the name under which they are counted.
_LEFT_OUT = {
    "instance_id_to_link_to_value": "links of spans",
    "instance_id_to_event_to_value": "events",
}


class Potato(Tool):
    """Reads the folder `annotation_output` of Potato."""

    name = "potato"
    title = "Potato"
    options = ("coder_from", "count_empty")

    def looks_like(self, bundle: Bundle) -> bool:
        """Whether a file of users is of the tool."""
        return any(self.holds(look_at(member)) for member in _files(bundle)[:LOOKED_AT])

    def holds(self, look: Look) -> bool:
        """Whether a file is the state of a user, or has lines with `label_annotations`."""
        # Typed text may come before the labels, which are then far from the beginning.
        known = '"instance_id_ordering"' in look.text or f'"{_LABELS}"' in look.text
        return (look.text[:1] == "{" and known) or {"id", "label_annotations"} <= look.keys

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Read the answers of each user's file."""
        schemas = Schemas(out, options)
        for member in _files(bundle):
            with Place(member.shown) as place:
                for place.number, record in enumerate(json_values(member, options.encoding), 1):
                    if "label_annotations" in expect(record, "what is said", dict):
                        _read_line(record, _coder(member, {}, options), schemas)
                    else:
                        _read_state(record, _coder(member, record, options), schemas)
        schemas.finish()


def _files(bundle: Bundle) -> tuple[Member, ...]:
    """Return the files of users; if none has the usual name, all files."""
    usual = tuple(
        member for member in bundle.members if member.name.rpartition("/")[2] in (_STATE, _LINES)
    )
    return usual or bundle.ending(".json", ".jsonl")


def _coder(member: Member, state: dict[str, Any], options: Options) -> str:
    if options.coder_from is None and state.get("user_id") is not None:
        return value_of(state, "user_id", str)
    return part_of_path(member, options.coder_from or "folder", "--coder-from")


def _read_state(record: dict[str, Any], coder: str, schemas: Schemas) -> None:
    """Read the state of a user."""
    labels = value_of(record, _LABELS, dict)
    spans = expect(record.get(_SPANS, {}), show(_SPANS), dict)
    for key, what in _LEFT_OUT.items():
        of_item = expect(record.get(key, {}), show(key), dict)
        for inner in of_item.values():
            schemas.out.leave_out(what, len(expect(inner, show(key), dict, list)))
    for item in dict.fromkeys((*labels, *spans)):
        try:
            values, marks = _labels(labels.get(item, {})), _spans(spans.get(item, []))
        except Wrong as wrong:
            raise Wrong(f"item {show(item)}: {wrong}") from None
        schemas.take(item, coder, values, marks)


def _read_line(record: dict[str, Any], coder: str, schemas: Schemas) -> None:
    """Read a line of Potato 1, which is an item."""
    item = str(value_of(record, "id", str, int))
    # Consent forms and surveys are pages among the items.
    if item.endswith(".html"):
        schemas.out.leave_out("pages of surveys")
        return
    labels = _labels(value_of(record, "label_annotations", dict, list))
    schemas.take(item, coder, labels, _spans(record.get("span_annotations", [])))


def _labels(value: Any) -> Labels:
    """Read answers: pairs of [{schema, name}, value], or an object of schemas."""
    labels: Labels = {}
    if isinstance(value, dict):
        for schema, names in value.items():
            names = value_of(value, schema, dict)
            if isinstance(names.get("labels"), dict):
                names = names["labels"]
            labels[schema] = dict(names)
        return labels
    for pair in expect(value, "labels", list, dict):
        label, answer = _pair(pair, "a label")
        labels.setdefault(value_of(label, "schema", str), {})[value_of(label, "name", str)] = answer
    return labels


def _pair(pair: Any, what: str) -> tuple[dict[str, Any], Any]:
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], dict):
        raise Wrong(f"{what} must be [{{schema, name}}, value], got {written(pair)}")
    return pair[0], pair[1]


def _spans(value: Any) -> Marks:
    """Read spans: pairs, objects, or an object of schemas with lists of objects."""
    return list(_each_span(expect(value, "spans", list, dict)))


def _each_span(value: Any) -> Iterator[tuple[str, str, list[tuple[int, int]], str]]:
    if isinstance(value, dict):
        for schema in value:
            for span in value_of(value, schema, list):
                yield _span(expect(span, "a span", dict), schema)
        return
    for element in value:
        span, chosen = (element, True) if isinstance(element, dict) else _pair(element, "a span")
        if chosen not in (None, False):
            yield _span(span, "spans")


def _span(span: dict[str, Any], schema: str) -> tuple[str, str, list[tuple[int, int]], str]:
    """Return the layer, the field of the item, the parts and the category of a span."""
    name = next((key for key in ("name", "label", "annotation") if key in span), "name")
    others = expect(span.get("additional_parts") or [], "'additional_parts'", list)
    parts = []
    for part in (span, *others):
        expect(part, "a part of a span", dict)
        start, end = a_whole_number(part, "start"), a_whole_number(part, "end")
        if not 0 <= start <= end:
            raise Wrong(f"a span must not end before it begins, got {start:,} to {end:,}")
        parts.append((start, end))
    field = expect(span.get("target_field") or "", "'target_field'", str)
    layer = expect(span.get("schema", schema), "'schema'", str)
    return layer, field, parts, value_of(span, name, str)
