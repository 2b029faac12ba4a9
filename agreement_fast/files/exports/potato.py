"""Potato: one folder per user, with the state of all their answers."""

from collections import defaultdict
from typing import Any, TypeAlias

from agreement_fast.files.errors import show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.streams import LOOKED_AT, Look, Wrong, look_at
from agreement_fast.files.exports.tool import Contents, Options, Tool

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


class Schemas:
    """Collects answers, and makes questions of them at the end."""

    def __init__(self, out: Contents) -> None:
        self.out = out
        self._taken_labels: list[tuple[str, str, Labels]] = []
        self._fields: dict[str, dict[str, None]] = {}
        #: What was shown of each item; it may be HTML, in which offsets do not count.
        self.shown: dict[str, Any] = {}

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
            self.out.spans_of(layer, "spans").mark(_document(item, field), coder, parts, category)

    def finish(self) -> None:
        """Make a question of each schema."""
        for layer, fields in self._fields.items():
            spans = self.out.spans_of(layer, "spans")
            for item, coder, _ in self._taken_labels:
                for field in fields:
                    spans.see(_document(item, field), coder)
        for item, text in () if self._fields else self.shown.items():
            self.out.describe(item, {"text": text})
        values: dict[str, dict[str, set[Any]]] = defaultdict(lambda: defaultdict(set))
        for _, _, labels in self._taken_labels:
            for schema, names in labels.items():
                for name, value in names.items():
                    values[schema][name].add(_plain(value))
        for schema, known in values.items():
            for name in known.keys() & _PROSE_NAMES:
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
        at_once = (labels.get(schema, {}).keys() for *_, labels in self._taken_labels)
        return numbers < 2 or (
            len(values) > 1 and all(len(values.keys() & names) < 2 for names in at_once)
        )

    def _choices(self, schema: str, names: set[str]) -> None:
        """Add the names of chosen options."""
        answers = []
        for item, coder, labels in self._taken_labels:
            values = labels.get(schema, {}).items()
            some = {name for name, value in values if name == "0" or _plain(value) != "0"}
            answers.append((item, coder, frozenset(some & names)))
        several = any(len(chosen) > 1 for _, _, chosen in answers)
        if several and not self.out.options.count_empty and not all(some for *_, some in answers):
            self.out.note(
                "Potato stores nothing for an item without ticks, as for one that nobody looked"
                " at: both are missing; with --count-empty, no tick is a judgment"
            )
        numbers = all(name.isdecimal() and name.isascii() for name in names)
        question = self.out.answers_to(schema, "choices" if several else "choice")
        for item, coder, chosen in answers:
            label = frozenset(map(int, chosen)) if numbers else chosen
            counts = chosen or (several and self.out.options.count_empty)
            question.add(item, coder, label if counts else None)

    def _values(self, schema: str, name: str, question: str) -> None:
        """Add the values under a name."""
        values = [_plain(labels.get(schema, {}).get(name)) for *_, labels in self._taken_labels]
        some = [value for value in values if value is not None]
        numbers: dict[str | None, Any] = {value: _number(value) for value in some}
        are_numbers = None not in numbers.values()
        if any(value[:1] in ("{", "[") for value in some):
            self._leave_out_all(schema, name, "answers of several values")
        elif not are_numbers and typed.are_free_texts(some):
            self._leave_out_all(schema, name, "free texts")
        else:
            answers = self.out.answers_to(question, "value")
            for (item, coder, _), value in zip(self._taken_labels, values, strict=True):
                answers.add(item, coder, numbers.get(value) if are_numbers else value)

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
    return typed.written(value)[1:-1] if isinstance(value, list | dict) else str(value)


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
        schemas = Schemas(out)
        for member in _files(bundle):
            for record in out.records(member, "what is said"):
                is_line = "label_annotations" in record
                if options.coder_from or is_line or record.get("user_id") is None:
                    coder = member.part(options.coder_from or "folder", "--coder-from")
                else:
                    coder = typed.value(record, "user_id", str)
                if not is_line:
                    _read_state(record, coder, schemas)
                    continue
                # A line of Potato 1 is an item.
                item = str(typed.value(record, "id", str, int))
                if item.endswith(".html"):
                    # Consent forms and surveys are pages among the items.
                    out.leave_out("pages of surveys")
                    continue
                labels = _labels(typed.value(record, "label_annotations", dict, list))
                schemas.shown.setdefault(item, record.get("displayed_text"))
                schemas.take(item, coder, labels, _spans(record.get("span_annotations", [])))
        schemas.finish()


def _files(bundle: Bundle) -> tuple[Member, ...]:
    """Return the files of users; if none has the usual name, all files."""
    usual = (f"/{_STATE}", f"/{_LINES}")
    named = tuple(entry for entry in bundle.members if f"/{entry.name}".endswith(usual))
    return named or bundle.ending(".json", ".jsonl")


def _read_state(record: dict[str, Any], coder: str, schemas: Schemas) -> None:
    """Read the state of a user."""
    labels = typed.value(record, _LABELS, dict)
    spans = typed.expect(record.get(_SPANS, {}), show(_SPANS), dict)
    for key, what in _LEFT_OUT.items():
        for inner in typed.expect(record.get(key, {}), show(key), dict).values():
            schemas.out.leave_out(what, len(typed.expect(inner, show(key), dict, list)))
    for item in dict.fromkeys((*labels, *spans)):
        with typed.Within(f"item {show(item)}"):
            values, marks = _labels(labels.get(item, {})), _spans(spans.get(item, []))
            schemas.take(item, coder, values, marks)


def _labels(value: Any) -> Labels:
    """Read answers: pairs of [{schema, name}, value], or an object of schemas."""
    labels: Labels = defaultdict(dict)
    if isinstance(value, dict):
        for schema in value:
            names = typed.value(value, schema, dict)
            inner = names.get("labels")
            labels[schema] = dict(inner if isinstance(inner, dict) else names)
        return labels
    for pair in typed.expect(value, "labels", list, dict):
        label, answer = _pair(pair, "a label")
        labels[typed.value(label, "schema", str)][typed.value(label, "name", str)] = answer
    return labels


def _pair(pair: Any, what: str) -> tuple[dict[str, Any], Any]:
    if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], dict):
        raise Wrong(f"{what} must be [{{schema, name}}, value], got {typed.written(pair)}")
    return pair[0], pair[1]


def _spans(value: Any) -> Marks:
    """Read spans: pairs, objects, or an object of schemas with lists of objects."""
    if isinstance(typed.expect(value, "spans", list, dict), dict):
        lists = ((schema, typed.value(value, schema, list)) for schema in value)
        return [_span(span, schema) for schema, some in lists for span in some]
    pairs = [(span, True) if isinstance(span, dict) else _pair(span, "a span") for span in value]
    return [_span(span, "spans") for span, chosen in pairs if chosen not in (None, False)]


def _span(span: Any, schema: str) -> tuple[str, str, list[tuple[int, int]], str]:
    """Return the layer, the field of the item, the parts and the category of a span."""
    typed.expect(span, "a span", dict)
    name = next((key for key in ("name", "label", "annotation") if key in span), "name")
    others = typed.expect(span.get("additional_parts") or [], "'additional_parts'", list)
    parts = []
    for part in (span, *others):
        typed.expect(part, "a part of a span", dict)
        parts.append(typed.span(part, "start", "end", typed.whole_number))
        if parts[-1][0] < 0:
            raise Wrong(f"a span must not begin before its text, got {parts[-1][0]}")
    field = typed.expect(span.get("target_field") or "", "'target_field'", str)
    layer = typed.expect(span.get("schema", schema), "'schema'", str)
    return layer, field, parts, typed.value(span, name, str)
