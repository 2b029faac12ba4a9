"""Responses of one record, in the four forms in which Argilla writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agreement_fast.exports.records import is_position, written
from agreement_fast.files.errors import ReadError, show

__all__ = ["Response", "Shape", "responses_of"]

_RESPONSES = ".responses"
_SUGGESTION = ".suggestion"
_OLD_SUGGESTION = "-suggestion"
_STATES = ("submitted", "draft", "discarded", "pending")


@dataclass(frozen=True)
class Response:
    """The answer of a user, or the suggestion of an agent."""

    question: str
    value: Any
    where: str
    user: str | None = None
    status: str = "submitted"
    status_said: bool = True
    agent: str | None = None


@dataclass
class Shape:
    """What the values of a question show about its type."""

    has_spans: bool = False
    _orders: int = 0
    _first: list[Any] | None = None
    _same: bool = True

    def look_at(self, value: Any) -> None:
        """Look at one value."""
        if not isinstance(value, list):
            self._same = self._same and value is None
            return
        self.has_spans = self.has_spans or any(_is_span(one) for one in value)
        if not all(isinstance(one, str) for one in value):
            self._same = False
            return
        if self._first is None:
            self._first = value
        self._orders += value != self._first
        self._same = self._same and sorted(value) == sorted(self._first) and len(value) > 1

    @property
    def is_ranking(self) -> bool:
        """Whether all lists have the same elements in different orders."""
        return self._same and self._orders > 0

    def spans(self, response: Response) -> Iterator[tuple[int, int, str]]:
        """Yield the spans of a response."""
        value = response.value
        for one in value if isinstance(value, list) else [value]:
            if not _is_span(one):
                raise ReadError(
                    f"{response.where}: a span needs whole numbers start and end and a label, got"
                    f" {written(one)}"
                )
            yield one["start"], one["end"], one["label"]


def _is_span(one: Any) -> bool:
    return (
        isinstance(one, dict)
        and all(is_position(one.get(key)) for key in ("start", "end"))
        and isinstance(one.get("label"), str)
    )


def responses_of(record: dict[str, Any], where: str) -> Iterator[Response]:
    """Return the responses and suggestions of a record.

    Raises
    ------
    ReadError
        If parallel lists have different lengths, or if a status is unknown.
    """
    for key, value in record.items():
        if key == "responses" and isinstance(value, dict) and "fields" in record:
            for question, given in value.items():
                yield from _old(question, given, f"{where}, {show(question)}")
        elif key == "suggestions" and isinstance(value, dict) and "fields" in record:
            for question, given in value.items():
                if isinstance(given, dict):
                    yield from _suggestion(question, given.get("value"), given.get("agent"), where)
        elif key.endswith(_RESPONSES):
            yield from _parallel(record, key, value, f"{where}, {show(key)}")
        elif key.endswith(_SUGGESTION):
            agent = record.get(f"{key}.agent")
            yield from _suggestion(key.removesuffix(_SUGGESTION), value, agent, where)
        elif key.endswith(_OLD_SUGGESTION) and key.removesuffix(_OLD_SUGGESTION) in record:
            more = record.get(f"{key}-metadata")
            agent = more.get("agent") if isinstance(more, dict) else None
            yield from _suggestion(key.removesuffix(_OLD_SUGGESTION), value, agent, where)
        elif (isinstance(value, list | dict) and f"{key}{_OLD_SUGGESTION}" in record) or _is_old(
            value
        ):
            yield from _old(key, value, f"{where}, {show(key)}")


def _is_old(value: Any) -> bool:
    one = value[0] if isinstance(value, list) and value else value
    return isinstance(one, dict) and {"user_id", "value", "status"} <= one.keys()


def _holds(value: Any) -> bool:
    return isinstance(value, list | dict)


def _suggestion(question: str, value: Any, agent: Any, where: str) -> Iterator[Response]:
    if value is not None:
        name = agent if isinstance(agent, str) and agent else "suggestion"
        yield Response(question, value, f"{where}, {show(question)}", agent=name)


def _parallel(record: dict[str, Any], key: str, values: Any, where: str) -> Iterator[Response]:
    """Read three parallel lists: values, users and statuses."""
    if f"{key}.users" not in record:
        raise ReadError(f"{where}: there is no {show(key + '.users')}, which says whose they are")
    users, states = record[f"{key}.users"], record.get(f"{key}.status")
    if values is None and users is None:
        return
    states = [None] * len(users) if states is None and isinstance(users, list) else states
    question = key.removesuffix(_RESPONSES)
    yield from _rows(question, values, users, states, where)


def _rows(question: str, values: Any, users: Any, states: Any, where: str) -> Iterator[Response]:
    lists = (values, users, states)
    if not all(isinstance(one, list) and len(one) == len(values) for one in lists):
        raise ReadError(f"{where}: values, users and status must be lists of the same length")
    for value, user, status in zip(*lists, strict=True):
        state = _state(status, where)
        yield Response(question, value, where, _user(user, where), state, status is not None)


def _old(question: str, given: Any, where: str) -> Iterator[Response]:
    """Read a list of objects, or an object of lists."""
    if isinstance(given, dict):
        users, values = given.get("user_id"), given.get("value")
        states = given.get("status")
        if users is None and values is None:
            return
        yield from _rows(question, values, users, states, where)
        return
    if given is None:
        return
    for one in given if isinstance(given, list) else [given]:
        if not isinstance(one, dict) or not {"user_id", "value"} <= one.keys():
            raise ReadError(f"{where}: a response needs 'user_id' and 'value', got {written(one)}")
        user, said = _user(one["user_id"], where), one.get("status")
        yield Response(question, one["value"], where, user, _state(said, where), said is not None)


def _user(user: Any, where: str) -> str | None:
    if user is None:
        return None
    if not isinstance(user, str) or not user:
        raise ReadError(f"{where}: a user must be a text, got {written(user)}")
    return user


def _state(status: Any, where: str) -> str:
    """Return the status of a response; a response without a status was submitted."""
    if status is None:
        return "submitted"
    if status not in _STATES:
        raise ReadError(f"{where}: the status must be {', '.join(_STATES)}, got {written(status)}")
    return str(status)
