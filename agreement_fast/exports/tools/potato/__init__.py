"""Potato: one folder per user, with the state of all their answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.json_stream import json_values
from agreement_fast.exports.look import LOOKED_AT, look_at
from agreement_fast.exports.records import (
    Place,
    Wrong,
    a_list,
    a_text,
    a_whole_number,
    an_object,
    expect,
    value_of,
    written,
)
from agreement_fast.exports.tool import Options, Tool, part_of_path
from agreement_fast.exports.tools.potato.answers import Marks, Said, Schemas
from agreement_fast.files.errors import show

__all__ = ["Potato"]

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

    def recognise(self, bundle: Bundle) -> bool:
        """Whether a file is the state of a user, or has lines with `label_annotations`."""
        return any(
            _is_state(look.text) or {"id", "label_annotations"} <= look.keys
            for look in map(look_at, _files(bundle)[:LOOKED_AT])
        )

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Read the answers of each user's file."""
        schemas = Schemas(found, options)
        for member in _files(bundle):
            with Place(member.shown) as place:
                for place.number, record in enumerate(json_values(member, options.encoding), 1):
                    if "label_annotations" in expect(record, "what is said", dict):
                        _read_line(record, _coder(member, {}, options), schemas)
                    else:
                        _read_state(record, _coder(member, record, options), schemas)
        schemas.finish()


def _is_state(text: str) -> bool:
    # Typed text may come before the labels, which are then far from the beginning.
    return text[:1] == "{" and ('"instance_id_ordering"' in text or f'"{_LABELS}"' in text)


def _files(bundle: Bundle) -> tuple[Member, ...]:
    """Return the files of users; if none has the usual name, all files."""
    usual = tuple(one for one in bundle.members if one.name.rpartition("/")[2] in (_STATE, _LINES))
    return usual or bundle.ending(".json", ".jsonl")


def _coder(member: Member, state: dict[str, Any], options: Options) -> str:
    if options.coder_from is None and state.get("user_id") is not None:
        return a_text(state, "user_id")
    return part_of_path(member, options.coder_from or "folder", "--coder-from")


def _read_state(record: dict[str, Any], coder: str, schemas: Schemas) -> None:
    """Read the state of a user."""
    labels = an_object(record, _LABELS)
    spans = expect(record.get(_SPANS, {}), show(_SPANS), dict)
    for key, what in _LEFT_OUT.items():
        of_item = expect(record.get(key, {}), show(key), dict)
        for inner in of_item.values():
            schemas.leave_out(what, len(expect(inner, show(key), dict, list)))
    for item in dict.fromkeys((*labels, *spans)):
        try:
            said, marks = _labels(labels.get(item, {})), _spans(spans.get(item, []))
        except Wrong as wrong:
            raise Wrong(f"item {show(item)}: {wrong}") from None
        schemas.take(item, coder, said, marks)


def _read_line(record: dict[str, Any], coder: str, schemas: Schemas) -> None:
    """Read a line of Potato 1, which is an item."""
    item = str(value_of(record, "id", str, int))
    # Consent forms and surveys are pages among the items.
    if item.endswith(".html"):
        schemas.leave_out("pages of surveys", 1)
        return
    said = _labels(value_of(record, "label_annotations", dict, list))
    schemas.take(item, coder, said, _spans(record.get("span_annotations", [])))


def _labels(value: Any) -> Said:
    """Read answers: pairs of [{schema, name}, value], or an object of schemas."""
    said: Said = {}
    if isinstance(value, dict):
        for schema, names in value.items():
            names = an_object(value, schema)
            if isinstance(names.get("labels"), dict):
                names = names["labels"]
            said[schema] = dict(names)
        return said
    for pair in expect(value, "labels", list, dict):
        label, answer = _pair(pair, "a label")
        said.setdefault(a_text(label, "schema"), {})[a_text(label, "name")] = answer
    return said


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
            for span in a_list(value, schema):
                yield _span(expect(span, "a span", dict), schema)
        return
    for one in value:
        span, chosen = (one, True) if isinstance(one, dict) else _pair(one, "a span")
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
    return layer, field, parts, a_text(span, name)
