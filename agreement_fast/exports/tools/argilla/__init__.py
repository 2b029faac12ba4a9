"""Argilla records as JSON, and as data sets of Hugging Face in JSON lines or Parquet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agreement_fast.exports.bundle import Bundle, Member
from agreement_fast.exports.found import Found
from agreement_fast.exports.json_stream import json_values
from agreement_fast.exports.look import Look, every, look_at, some
from agreement_fast.exports.records import Place, expect
from agreement_fast.exports.tool import SKIPPED, Options, Tool
from agreement_fast.exports.tools.argilla.parquet import is_parquet, parquet_footer, parquet_rows
from agreement_fast.exports.tools.argilla.record import Response, Shape, responses_of
from agreement_fast.exports.tools.shared.labels import NO_LABEL, label_of
from agreement_fast.files.errors import ReadError, show

__all__ = ["Argilla"]

_SUFFIXES = (".parquet", ".json", ".jsonl")
_IDS = ("id", "external_id", "_server_id")
_KINDS = {"draft": "drafts", "discarded": "discarded responses", "pending": "pending responses"}


def _is_argilla(look: Look) -> bool:
    record = look.record
    if {"fields", "responses", "suggestions"} <= look.keys:
        return isinstance(record["responses"], dict) and isinstance(record["fields"], dict)
    if any(key.endswith(".responses.users") for key in record):
        return True
    if any(_is_old(value) for value in record.values()):
        return True
    footer = parquet_footer(look.member)
    # Version 1 writes so of its questions, in what Hugging Face keeps of the columns.
    return b".responses.users" in footer or b'"id": "question"' in footer


def _is_old(value: Any) -> bool:
    one = value[0] if isinstance(value, list) and value else value
    return isinstance(one, dict) and {"user_id", "value", "status"} <= one.keys()


class Argilla(Tool):
    """Reads records of Argilla; questions are those with responses, and coders are the users."""

    name = "argilla"
    title = "Argilla"
    options = ("item_from", "with_predictions", "count_skips")

    def recognise(self, bundle: Bundle) -> bool:
        """Whether the records have responses of users."""
        return every(bundle, _is_argilla) or some(bundle, _is_argilla, ".parquet")

    def read(self, bundle: Bundle, found: Found, options: Options) -> None:
        """Find out what the questions ask for, and then read the responses."""
        members = [one for one in bundle.ending(*_SUFFIXES) if _is_argilla(look_at(one))]
        members = members or list(bundle.members)
        if len(members) < len(bundle.members):
            found.leave_out("other files", len(bundle.members) - len(members))
        shapes: dict[str, Shape] = {}
        for where, record in _records(members, options):
            for one in responses_of(record, where):
                shapes.setdefault(one.question, Shape()).look_at(one.value)
        for where, record in _records(members, options):
            item = _item(record, where, options)
            for one in responses_of(record, where):
                _take(one, item, shapes[one.question], found, options)


def _records(members: list[Member], options: Options) -> Iterator[tuple[str, dict[str, Any]]]:
    for member in members:
        values: Iterator[Any] = (
            parquet_rows(member) if is_parquet(member) else json_values(member, options.encoding)
        )
        for number, record in enumerate(values, start=1):
            where = f"{member.shown}, record {number:,}"
            with Place(where):
                expect(record, "a record", dict)
            yield where, record


def _item(record: dict[str, Any], where: str, options: Options) -> str | int:
    """Return the name of a record."""
    fields = record.get("fields")
    if options.item_from not in (None, "id"):
        inner = fields if isinstance(fields, dict) else {}
        item = record.get(str(options.item_from), inner.get(options.item_from))
        requested = show(str(options.item_from))
    else:
        item = next((record[key] for key in _IDS if record.get(key) is not None), None)
        requested = "'id'"
    if isinstance(item, bool) or not isinstance(item, str | int) or item == "":
        raise ReadError(
            f"{where}: {requested} cannot name an item: --item-from names another field, such as"
            " the text",
            argument="item_from",
        )
    return item


def _take(one: Response, item: str | int, shape: Shape, found: Found, options: Options) -> None:
    """Add a response to its question."""
    if one.agent is not None:
        if not options.with_predictions:
            found.leave_out("suggestions")
            return
        coder = f"prediction: {one.agent}"
    elif one.user is None:
        found.leave_out("responses without a user")
        return
    else:
        coder = one.user
        if not one.status_said:
            found.note("responses without a status count as submitted: drafts may be among them")
    if shape.is_ranking:
        found.leave_out(f"rankings in answer to {show(one.question)}")
        return
    if shape.has_spans:
        spans = found.spans_of(one.question, "spans")
        if one.status != "submitted":
            found.leave_out(_KINDS[one.status])
            return
        if one.value is None:
            return
        spans.see(item, coder)
        for begin, end, label in shape.spans(one):
            spans.mark(item, coder, [(begin, end)], label)
        return
    answers = found.answers_to(one.question, "responses")
    if one.status != "submitted":
        found.leave_out(_KINDS[one.status])
        skipped = one.status == "discarded" and options.count_skips
        answers.add(item, coder, SKIPPED if skipped else None)
        return
    label = label_of(one.value)
    if label is NO_LABEL:
        found.leave_out(f"responses of an unknown kind to {show(one.question)}")
        return
    answers.add(item, coder, label)
