"""Argilla records as JSON, and as data sets of Hugging Face in JSON lines or Parquet."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, cast

from agreement_fast.files.errors import ReadError, full_disk, one_line, show
from agreement_fast.files.exports import typed
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.streams import Look, Wrong, json_values, look_at
from agreement_fast.files.exports.tool import SKIPPED, Contents, Options, Tool

_RESPONSES = ".responses"
_SUGGESTION = ".suggestion"
_OLD_SUGGESTION = "-suggestion"
_STATES = ("submitted", "draft", "discarded", "pending")


class Response(NamedTuple):
    """The answer of a user, or the suggestion of an agent."""

    question: str
    value: Any
    user: str | None = None
    status: str | None = "submitted"
    agent: str | None = None


class Shape:
    """What the values of a question show about its type."""

    def __init__(self) -> None:
        self.has_spans = False
        self._first: list[Any] | None = None
        self._has_orders, self._same = False, True

    def look_at(self, value: Any) -> None:
        """Look at one value."""
        if isinstance(value, list):
            self.has_spans = self.has_spans or any(map(_is_span, value))
        if isinstance(value, list) and all(isinstance(element, str) for element in value):
            first = self._first = value if self._first is None else self._first
            self._has_orders = self._has_orders or value != first
            self._same = self._same and sorted(value) == sorted(first) and len(value) > 1
        elif value is not None:
            self._same = False

    @property
    def is_ranking(self) -> bool:
        """Whether all lists have the same elements in different orders."""
        return self._same and self._has_orders


def _is_span(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and all(typed.is_position(value.get(key)) for key in ("start", "end"))
        and isinstance(value.get("label"), str)
    )


def responses_of(record: dict[str, Any], out: Contents) -> Iterator[Response]:
    """Return the responses and suggestions of a record.

    Raises Wrong if parallel lists have different lengths, or if a status is unknown.
    """
    for key, value in record.items():
        if key in ("responses", "suggestions") and isinstance(value, dict) and "fields" in record:
            for question, given in value.items():
                with out.at(question):
                    if key == "responses":
                        yield from _old(question, given)
                    elif isinstance(given, dict):
                        yield from _suggestion(question, given.get("value"), given.get("agent"))
        elif key.endswith(_RESPONSES):
            with out.at(key):
                if (names := f"{key}.users") not in record:
                    raise Wrong(f"there is no {show(names)}, which says whose they are")
                question, states = key.removesuffix(_RESPONSES), record.get(f"{key}.status")
                yield from _rows(question, value, record[names], states)
        elif key.endswith(_SUGGESTION):
            with out.at(question := key.removesuffix(_SUGGESTION)):
                yield from _suggestion(question, value, record.get(f"{key}.agent"))
        elif key.endswith(_OLD_SUGGESTION) and key.removesuffix(_OLD_SUGGESTION) in record:
            more = record.get(f"{key}-metadata")
            agent = more.get("agent") if isinstance(more, dict) else None
            with out.at(question := key.removesuffix(_OLD_SUGGESTION)):
                yield from _suggestion(question, value, agent)
        elif (isinstance(value, list | dict) and f"{key}{_OLD_SUGGESTION}" in record) or _is_old(
            value
        ):
            with out.at(key):
                yield from _old(key, value)


def _is_old(value: Any) -> bool:
    entry = value[0] if isinstance(value, list) and value else value
    return isinstance(entry, dict) and {"user_id", "value", "status"} <= entry.keys()


def _suggestion(question: str, value: Any, agent: Any) -> Iterator[Response]:
    if value is not None:
        name = agent if isinstance(agent, str) and agent else "suggestion"
        yield Response(question, value, agent=name)


def _old(question: str, given: Any) -> Iterator[Response]:
    """Read a list of objects, or an object of lists."""
    keys = ("value", "user_id", "status")
    if isinstance(given, dict):
        yield from _rows(question, *map(given.get, keys))
        return
    entries = given if isinstance(given, list) else [] if given is None else [given]
    for entry in entries:
        if not isinstance(entry, dict) or not {"user_id", "value"} <= entry.keys():
            raise Wrong(f"a response needs 'user_id' and 'value', got {typed.written(entry)}")
    yield from _rows(question, *([entry.get(key) for entry in entries] for key in keys))


def _rows(question: str, values: Any, users: Any, states: Any) -> Iterator[Response]:
    """Read parallel lists; without states, all are unknown."""
    if values is None and users is None:
        return
    if states is None and isinstance(users, list):
        states = [None] * len(users)
    lists = (values, users, states)
    if not all(isinstance(entry, list) and len(entry) == len(values) for entry in lists):
        raise Wrong("values, users and status must be lists of the same length")
    for value, user, status in zip(*lists, strict=True):
        if user is not None and (not isinstance(user, str) or not user):
            raise Wrong(f"a user must be a text, got {typed.written(user)}")
        if status not in (None, *_STATES):
            raise Wrong(f"the status must be {', '.join(_STATES)}, got {typed.written(status)}")
        yield Response(question, value, user, status)


_MAGIC = b"PAR1"
#: The number of bytes of a footer to look at.
_FOOTER = 1 << 22
#: The largest file in an archive to look at, in bytes; larger ones need --format.
_LOOKED_AT = 1 << 26
#: The number of rows to fetch at a time.
_SOME = 1_000


def parquet_footer(member: Member) -> bytes:
    """Return the end of a file, with the names of the columns; empty if it is not Parquet."""
    with suppress(ReadError, OSError), member.open() as file:
        if file.read(4) != _MAGIC:
            return b""
        if file.seekable():
            file.seek(max(4, file.seek(0, 2) - _FOOTER))
            return file.read(_FOOTER)
        # A stream without seek is read whole, if it is not large.
        end = file.read(_LOOKED_AT + 1)
        return end[-_FOOTER:] if len(end) <= _LOOKED_AT else b""
    return b""


def parquet_rows(member: Member) -> Iterator[dict[str, Any]]:
    """Yield each row as a mapping of column names to values.

    Raises ReadError if the file is damaged, or if DuckDB is not installed.
    """
    try:
        import duckdb
    except ImportError:
        raise ReadError(
            f'{member.shown} is Parquet, which needs DuckDB: pip install "agreement-fast[cli]"'
        ) from None
    # DuckDB must not download anything. It reads only files on the disk, so members of archives
    # are copied.
    folder = partial(tempfile.TemporaryDirectory, prefix="agreement-fast-")
    with full_disk(), folder(ignore_cleanup_errors=True) as name, one_line(member.shown):
        path = os.path.join(name, "export.parquet")
        with member.open() as file, open(path, "wb") as copy:
            shutil.copyfileobj(file, copy, 1 << 20)
        query = "select * from read_parquet($path, binary_as_string=true, hive_partitioning=false)"
        with duckdb.connect() as connection:
            connection.execute("SET autoinstall_known_extensions = false")
            connection.execute("SET autoload_known_extensions = false")
            rows = connection.execute(query, {"path": path})
            names = [column[0] for column in rows.description]
            for row in chain.from_iterable(iter(lambda: rows.fetchmany(_SOME), [])):
                yield dict(zip(names, row, strict=True))


_SUFFIXES = (".parquet", ".json", ".jsonl")
_IDS = ("id", "external_id", "_server_id")
_NO_FIELDS = {*_IDS, "status", "metadata", "inserted_at", "updated_at"}
_KINDS = {"draft": "drafts", "discarded": "discarded responses", "pending": "pending responses"}


class Argilla(Tool):
    """Reads records of Argilla; questions are those with responses, and coders are the users."""

    name = "argilla"
    title = "Argilla"
    options = ("item_from", "with_predictions", "count_skips")
    suffixes = (".parquet",)

    def holds(self, look: Look) -> bool:
        """Whether the records have responses of users."""
        record = look.record
        if {"fields", "responses", "suggestions"} <= look.keys:
            return isinstance(record["responses"], dict) and isinstance(record["fields"], dict)
        if any(key.endswith(".responses.users") for key in record):
            return True
        if any(map(_is_old, record.values())):
            return True
        footer = parquet_footer(look.member)
        # Version 1 writes so of its questions, in what Hugging Face keeps of the columns.
        return b".responses.users" in footer or b'"id": "question"' in footer

    def read(self, bundle: Bundle, out: Contents, options: Options) -> None:
        """Find out what the questions ask for, and then read the responses."""
        members = [entry for entry in bundle.ending(*_SUFFIXES) if self.holds(look_at(entry))]
        members = members or list(bundle.members)
        out.leave_out("other files", len(bundle.members) - len(members))
        shapes: dict[str, Shape] = {}
        for record in _records(members, out):
            for entry in responses_of(record, out):
                shapes.setdefault(entry.question, Shape()).look_at(entry.value)
        for record in _records(members, out):
            item = _item(record, options)
            out.describe(item, _fields(record))
            for entry in responses_of(record, out):
                _take(entry, item, shapes[entry.question], out)


def _records(members: list[Member], out: Contents) -> Iterator[dict[str, Any]]:
    for member in members:
        packed = member.head(4) == _MAGIC
        values = parquet_rows(member) if packed else json_values(member, out.options.encoding)
        yield from out.walk(member, values, "a record")


def _item(record: dict[str, Any], options: Options) -> str | int:
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
        raise Wrong(
            f"{requested} cannot name an item: --item-from names another field, such as the text",
            argument="item_from",
        )
    return item


def _fields(record: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that annotators see; in tables, they are beside the answers."""
    if isinstance(record.get("fields"), dict):
        return cast("dict[str, Any]", record["fields"])
    return {
        name: value
        for name, value in record.items()
        if name not in _NO_FIELDS and "." not in name and not name.endswith(_OLD_SUGGESTION)
        if not _is_old(value)
    }


def _take(response: Response, item: str | int, shape: Shape, out: Contents) -> None:
    """Add a response to its question."""
    if response.agent is not None:
        if not out.options.with_predictions:
            out.leave_out("suggestions")
            return
        coder = f"prediction: {response.agent}"
    elif response.user is None:
        out.leave_out("responses without a user")
        return
    else:
        coder = response.user
        if response.status is None:
            out.note("responses without a status count as submitted: drafts may be among them")
    if shape.is_ranking:
        out.leave_out(f"rankings in answer to {show(response.question)}")
        return
    kept = response.status not in _KINDS
    if not kept:
        out.leave_out(_KINDS[str(response.status)])
    if shape.has_spans:
        spans = out.spans_of(response.question, "spans")
        if kept and response.value is not None:
            spans.see(item, coder)
            value = response.value
            for entry in value if isinstance(value, list) else [value]:
                if not _is_span(entry):
                    needs = "a span needs whole numbers start and end and a label"
                    raise Wrong(f"{needs}, got {typed.written(entry)}")
                spans.mark(item, coder, [(entry["start"], entry["end"])], entry["label"])
        return
    answers = out.answers_to(response.question, "responses")
    if not kept:
        skipped = response.status == "discarded" and out.options.count_skips
        answers.add(item, coder, SKIPPED if skipped else None)
        return
    label = typed.label(response.value)
    if label is typed.NO_LABEL:
        out.leave_out(f"responses of an unknown kind to {show(response.question)}")
        return
    answers.add(item, coder, label)
