"""Answers of an assignment: columns of answers, columns of options, and JSON in one column."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agreement_fast.exports.found import Found
from agreement_fast.exports.records import is_position, written
from agreement_fast.exports.tools.shared.labels import NO_LABEL, label_of
from agreement_fast.files.errors import ReadError, show

__all__ = ["Entities", "Reader"]

_ANSWER, _TASK = "Answer.", "Answer.taskAnswers"
_BOOLEANS = {"true": True, "false": False, "": None}


@dataclass(frozen=True)
class Entities:
    """Marked spans: (begin, end, category)."""

    marked: tuple[tuple[int, int, str], ...]


class Reader:
    """Reads answers after looking at all rows.

    A column "Answer.QUESTION.OPTION" with only true and false is an option. A column with "|" in a
    cell has several choices.
    """

    def __init__(self) -> None:
        self._texts: dict[str, bool] = {}
        self._several: set[str] = set()
        self._in_json: dict[str, None] = {}
        self._columns: dict[str, dict[str, str]] = {}

    def look_at(self, row: Mapping[str, str], where: str) -> None:
        """Look at a row before any is read."""
        for column, cell in row.items():
            if column.startswith(_ANSWER) and column != _TASK:
                self._texts[column] = self._texts.get(column, False) or (
                    cell.strip().lower() not in _BOOLEANS
                )
                if "|" in cell:
                    self._several.add(column)
        if row.get(_TASK):
            self._in_json.update((question, None) for question, _ in _of_json(row[_TASK], where))

    def decide(self) -> list[str]:
        """Identify the columns after looking at all rows; return the questions."""
        columns: dict[str, dict[str, str]] = defaultdict(dict)
        for column, text in self._texts.items():
            name = column.removeprefix(_ANSWER)
            question, dot, option = name.rpartition(".")
            if dot and question and option and not text:
                columns[question][option] = column
            else:
                columns[name][""] = column
        self._columns = dict(columns)
        return list({**self._columns, **self._in_json})

    def answers(
        self, row: Mapping[str, str], where: str, found: Found
    ) -> Iterator[tuple[str, Any]]:
        """Yield the questions that a row answers, and the labels."""
        for question, columns in self._columns.items():
            yield question, self._label(row, columns)
        if row.get(_TASK):
            for question, value in _of_json(row[_TASK], where):
                label = _of_value(value, f"{where}, {_TASK}, {show(question)}")
                if label is not NO_LABEL:
                    yield question, label
                else:
                    kind = ", ".join(value) if isinstance(value, dict) else type(value).__name__
                    found.leave_out(f"answers of an unknown kind ({show(kind)[1:-1]})")

    def _label(self, row: Mapping[str, str], columns: dict[str, str]) -> Any:
        if "" in columns:
            cell = row.get(columns[""], "").strip()
            if columns[""] in self._several:
                return frozenset(filter(None, map(str.strip, cell.split("|")))) if cell else None
            return cell or None
        chosen = {
            option: _BOOLEANS[row.get(column, "").strip().lower()]
            for option, column in columns.items()
        }
        if all(value is None for value in chosen.values()):
            return None
        return _of_options(chosen)

    def tell(self, found: Found) -> None:
        """Add a note on the columns that were read as several choices."""
        if self._several:
            names = ", ".join(map(show, sorted(self._several)[:20]))
            found.note(f"answers with | are read as several choices: {names}")


def _of_options(chosen: Mapping[str, bool | None]) -> bool | frozenset[str]:
    """Return the selected options; a single "on" is a checkbox."""
    if list(chosen) == ["on"]:
        return bool(chosen["on"])
    return frozenset(option for option, on in chosen.items() if on)


def _of_json(cell: str, where: str) -> Iterator[tuple[str, Any]]:
    try:
        whole = json.loads(cell)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{where}: {_TASK} is not JSON ({error})") from None
    for task in whole if isinstance(whole, list) else [whole]:
        if not isinstance(task, dict):
            raise ReadError(f"{where}: {_TASK} must hold objects, got {written(task)}")
        yield from task.items()


def _of_value(value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        return label_of(value)
    if value and all(isinstance(one, bool) for one in value.values()):
        return _of_options(value)
    for key in ("label", "labels"):
        if key in value:
            return label_of(value[key])
    if "entities" in value:
        return Entities(tuple(_entities(value["entities"], where)))
    return NO_LABEL


def _entities(entities: Any, where: str) -> Iterator[tuple[int, int, str]]:
    for one in entities if isinstance(entities, list) else [entities]:
        keys = {"startOffset": int, "endOffset": int, "label": str}
        for key, kind in keys.items():
            got = one.get(key) if isinstance(one, dict) else None
            if not (is_position(got) if kind is int else isinstance(got, kind)):
                raise ReadError(f"{where}: an entity needs {key}, got {written(one)}")
        yield one["startOffset"], one["endOffset"], one["label"]
