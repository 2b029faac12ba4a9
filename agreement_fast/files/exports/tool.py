"""The interface of a tool, and what readers share: records, keys, labels."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.bundle import Bundle, Member
from agreement_fast.files.exports.contents import Contents, Options, Place, Wrong
from agreement_fast.files.exports.streams import LOOKED_AT, Look, every, json_values, look_at

__all__ = ["Options", "Wrong"]

#: The label of a skipped item, if skips count.
SKIPPED = "skipped"


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


def refuse_second(
    taken: dict[Any, Member], key: Any, member: Member, what: str, remedy: str
) -> None:
    """Raise an error if another file has the same key, such as one document and coder."""
    other = taken.setdefault(key, member)
    if other is not member:
        raise ReadError(
            f"{other.shown} and {member.shown} are both {what}: {remedy}", argument="coder_from"
        )


#: The remedy for two files of one document and coder.
TELL_APART = "pass --document-from or --coder-from with a regular expression that tells them apart"


Record = Mapping[str, Any]
T = TypeVar("T")
N = TypeVar("N", int, float)

#: An unknown time.
UNKNOWN = math.nan

#: The longest label in characters, and the number of texts that decide if they are labels.
_LONGEST_LABEL, _FEW_TEXTS = 100, 20

#: The largest integer that a float holds exactly: no position is larger.
_FURTHEST = 1 << 53

_KINDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
}


@contextmanager
def within(part: str) -> Iterator[None]:
    """Name the part of a record in which something is wrong."""
    try:
        yield
    except Wrong as error:
        raise Wrong(f"{part}: {error}", argument=error.argument) from None


def records(out: Contents, member: Member, what: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of JSON; what is wrong with one of them names its place.

    `what`: how errors call such an object.
    """
    return walk(out, member, json_values(member, out.options.encoding), what)


def walk(out: Contents, member: Member, values: Iterable[Any], what: str) -> Iterator[Any]:
    """Yield values of a file, which must be objects, as `records` does."""
    out.place = Place(member.shown)
    for number, value in enumerate(values, 1):
        out.place = Place(member.shown, number)
        yield expect(value, what, dict)


def is_position(value: Any) -> bool:
    """Whether a value is an integer that a float holds exactly."""
    return value.__class__ is int and -_FURTHEST <= value <= _FURTHEST


def a_whole_number(record: Record, key: str) -> int:
    """Return the integer under a key, which may be a position."""
    value = record.get(key)
    if value.__class__ is int and -_FURTHEST <= value <= _FURTHEST:
        return value
    raise _wrong(record, key, "a whole number")


def a_number(record: Record, key: str) -> int | float:
    """Return the finite number under a key."""
    value: Any = record.get(key)
    if is_position(value) or (value.__class__ is float and math.isfinite(value)):
        number: int | float = value
        return number
    raise _wrong(record, key, "a number")


def a_range(record: Record, first: str, last: str, read: Callable[[Record, str], N]) -> tuple[N, N]:
    """Return the begin and end of a span under two keys, which `read` reads."""
    begin, end = read(record, first), read(record, last)
    if end < begin:
        raise Wrong(f"a span must not end before it begins, got {begin} to {end}")
    return begin, end


def are_free_texts(texts: Sequence[str]) -> bool:
    """Whether coders wrote texts of their own: one is long, or nearly all are different."""
    many = len(texts) >= _FEW_TEXTS and len(set(texts)) > 0.8 * len(texts)
    return many or max(map(len, texts), default=0) > _LONGEST_LABEL


def a_flag(record: Record, key: str) -> bool:
    """Return whether a value is true; false, null and a missing key are not."""
    value = record.get(key)
    if value is None or value.__class__ is bool:
        return bool(value)
    raise _wrong(record, key, "true or false")


def a_name(record: Record, key: str) -> str | int:
    """Return the text, which is not empty, or the integer under a key."""
    value = record.get(key)
    if value.__class__ is int or (value.__class__ is str and value):
        return value
    raise _wrong(record, key, "a text or a whole number")


def value_of(record: Record, key: str, *kinds: type[T]) -> T:
    """Return the value of a key, of one of the JSON types; booleans are not numbers."""
    value = record.get(key)
    if value.__class__ in kinds:
        return value
    raise _wrong(record, key, _one_of(kinds))


def expect(value: Any, what: str, *kinds: type) -> Any:
    """Return a value, which must have one of the types; `what` begins the error message."""
    if value.__class__ in kinds:
        return value
    raise Wrong(f"{what} must be {_one_of(kinds)}, got {written(value)}")


def written(value: Any) -> str:
    """Return a JSON value as error messages show it."""
    # A value that is large or deeply nested is shortened.
    if isinstance(value, list | dict) and len(value) > 20:
        return f"{_KINDS[type(value)]} of {len(value):,}"
    try:
        return show(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
    except RecursionError:
        return f"{_KINDS[type(value)]} that is nested deeply"


def moment(value: Any) -> float:
    """Return a time in seconds, from seconds or from ISO 8601; all else is an unknown time."""
    if value.__class__ is str:
        try:
            time = datetime.fromisoformat(value)
        except ValueError:
            return UNKNOWN
        return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    if value.__class__ in (int, float) and abs(value) < _FURTHEST:
        return float(value)
    return UNKNOWN


def _one_of(kinds: tuple[type, ...]) -> str:
    return " or ".join(_KINDS[kind] for kind in kinds)


def _wrong(record: Record, key: str, requested: str) -> Wrong:
    if key not in record:
        return Wrong(f"there is no key {show(key)}")
    return Wrong(f"{show(key)} must be {requested}, got {written(record[key])}")


class _NoLabel:
    """The type of `NO_LABEL`: a value that is not a label, such as an object."""


NO_LABEL: Final = _NoLabel()


def label_of(value: Any) -> Any:
    """Return the label that a value is.

    A list is a set of choices; null, NaN and an empty text are missing.

    Examples
    --------
    >>> label_of(["b", "b"])
    frozenset({'b'})
    >>> label_of({"x": 1}) is NO_LABEL
    True
    """
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, str | int | float):
        # Numbers that do not fit into a numeric column are names.
        return str(value) if isinstance(value, int) and abs(value) >= 1 << 63 else value
    if isinstance(value, list):
        known = all(
            isinstance(element, str | int | float) and element == element for element in value
        )
        return frozenset(value) if known else NO_LABEL
    return NO_LABEL
