"""Answers to schemas of Potato, whose kind is not in the files.

A choice is stored under its name, with a value that only marks it as chosen. Typed text and sliders
are stored as a value under a fixed name. Which of the two a schema uses is known only after reading
all answers.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from agreement_fast.exports.found import Found
from agreement_fast.exports.records import written
from agreement_fast.exports.tool import Options

__all__ = ["Marks", "Said", "Schemas"]

#: Values by schema and name, and spans by layer, field, parts and category.
Said: TypeAlias = dict[str, dict[str, Any]]
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

    def __init__(self, found: Found, options: Options) -> None:
        self._found = found
        self._options = options
        self._said: list[tuple[str, str, Said]] = []
        self._seen: list[tuple[str, str]] = []
        self._fields: dict[str, dict[str, None]] = {}

    def leave_out(self, what: str, count: int) -> None:
        """Count what is not read."""
        if count:
            self._found.leave_out(what, count)

    def take(self, item: str, coder: str, said: Said, marks: Marks) -> None:
        """Add the answers of a coder for an item."""
        chosen = {
            schema: {name: value for name, value in names.items() if _plain(value) not in _NOT}
            for schema, names in said.items()
        }
        if not (any(chosen.values()) or marks):
            self._found.leave_out("items without an answer")
            return
        self._said.append((item, coder, chosen))
        self._seen.append((item, coder))
        for layer, field, parts, category in marks:
            self._fields.setdefault(layer, {})[field] = None
            spans = self._found.spans_of(layer, "spans")
            spans.mark(_document(item, field), coder, parts, category)

    def finish(self) -> None:
        """Make a question of each schema."""
        for layer, fields in self._fields.items():
            spans = self._found.spans_of(layer, "spans")
            for item, coder in self._seen:
                for field in fields:
                    spans.see(_document(item, field), coder)
        values: dict[str, dict[str, set[Any]]] = {}
        for _, _, said in self._said:
            for schema, names in said.items():
                known = values.setdefault(schema, {})
                for name, value in names.items():
                    known.setdefault(name, set()).add(_plain(value))
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
            and all(len(values.keys() & said.get(schema, {}).keys()) < 2 for *_, said in self._said)
        )

    def _choices(self, schema: str, names: set[str]) -> None:
        """Add the names of chosen options."""
        numbers = all(name.isdecimal() and name.isascii() for name in names)
        answers = [
            (
                item,
                coder,
                frozenset(
                    name
                    for name, value in said.get(schema, {}).items()
                    if name in names and (name == "0" or _plain(value) != "0")
                ),
            )
            for item, coder, said in self._said
        ]
        several = any(len(chosen) > 1 for _, _, chosen in answers)
        question = self._found.answers_to(schema, "choices" if several else "choice")
        for item, coder, chosen in answers:
            label = frozenset(int(name) for name in chosen) if numbers else chosen
            empty = not chosen and not (several and self._options.count_empty)
            question.add(item, coder, None if empty else label)
        missing = sum(not chosen for _, _, chosen in answers)
        if several and missing and not self._options.count_empty:
            self._found.note(
                "Potato stores nothing for an item without ticks, as for one that nobody looked"
                " at: both are missing; with --count-empty, no tick is a judgment"
            )

    def _values(self, schema: str, name: str, question: str) -> None:
        """Add the values under a name."""
        given = [
            (item, coder, _plain(said.get(schema, {}).get(name)))
            for item, coder, said in self._said
        ]
        some = [value for _, _, value in given if value is not None]
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
            answers = self._found.answers_to(question, "value")
            for item, coder, value in given:
                answers.add(item, coder, numbers[value] if are_numbers and value else value)

    def _leave_out_all(self, schema: str, name: str, what: str) -> None:
        count = sum(name in said.get(schema, ()) for _, _, said in self._said)
        self._found.leave_out(what, count)


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
