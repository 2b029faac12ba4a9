"""What an item of a batch is: a HIT, an input, or one of several inputs of a HIT."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from agreement_fast.exports.found import Found
from agreement_fast.files.errors import ReadError, show

__all__ = ["HIT", "Items"]

HIT = "HITId"
_INPUT = "Input."
_NUMBERED = re.compile(r"(.*?)[_\-.]?([0-9]{1,4})")


def _stems(names: Iterable[str]) -> dict[str, dict[int, str]]:
    """Group names that differ in a final number, numbered from 0 or 1 without gaps."""
    stems: dict[str, dict[int, str]] = defaultdict(dict)
    for name in names:
        match = _NUMBERED.fullmatch(name)
        if match:
            stems[match[1]][int(match[2])] = name
    return {
        stem: numbered
        for stem, numbered in stems.items()
        if len(numbered) > 1 and sorted(numbered) in (
            list(range(len(numbered))), list(range(1, len(numbered) + 1))
        )
    }  # fmt: skip


class Items:
    """Finds the item of each answer.

    A HIT is divided into several items only if the division is certain: the answers q1..qN and the
    inputs id1..idN have the same numbers, and there is only one such input or the user names it.
    """

    def __init__(self, item_from: str | None, headers: Sequence[tuple[str, ...]]) -> None:
        self._from = item_from or HIT
        self._columns = list(dict.fromkeys(name for header in headers for name in header))
        self._inputs = [name for name in self._columns if name.startswith(_INPUT)]
        self._hits: dict[int, str] = {}
        self._posted_twice: set[int] = set()
        self._of: dict[str, tuple[str, str]] = {}

    def look_at(self, row: Mapping[str, str]) -> None:
        """Look at a row before any is read."""
        if self._inputs:
            said = hash(tuple(row.get(name, "") for name in self._inputs))
            if self._hits.setdefault(said, row[HIT]) != row[HIT]:
                self._posted_twice.add(said)

    def decide(self, asked: Sequence[str], found: Found, shown: str) -> None:
        """Identify the items after looking at all rows, given the questions."""
        self._hits.clear()
        inputs, questions = _stems(self._inputs), _stems(asked)
        alike = {
            stem: numbered
            for stem, numbered in inputs.items()
            if any(one.keys() == numbered.keys() for one in questions.values())
        }
        chosen = alike.get(self._from)
        if chosen is None and self._from == HIT and len(alike) == 1:
            (chosen,) = alike.values()
        if chosen is not None:
            for stem, numbered in questions.items():
                if numbered.keys() == chosen.keys():
                    for number, name in numbered.items():
                        self._of[name] = stem or "answer", chosen[number]
            column = show(min(chosen.values()))
            found.note(f"each HIT has {len(chosen)} items, named by columns such as {column}")
            if self._from not in self._columns:
                self._from = HIT
        elif self._from not in self._columns:
            raise ReadError(
                f"--item-from must be a column of {shown} ({HIT},"
                f" {', '.join(map(show, self._inputs[:20]))}), got {show(self._from)}",
                argument="item_from",
            )
        elif len(alike) > 1 and self._from == HIT:
            found.note(
                "a HIT seems to have several items, and its questions are read separately:"
                f" --item-from {' or '.join(map(show, alike))} names the items"
            )
        if self._posted_twice and self._from == HIT and chosen is None:
            found.note(
                f"{len(self._posted_twice):,} inputs were posted in several HITs, and each HIT is"
                f" an item: --item-from {self._inputs[0]} combines them"
            )

    def item(self, row: Mapping[str, str], name: str) -> tuple[str, str]:
        """Return the question and the item of an answer."""
        question, column = self._of.get(name, (name, self._from))
        return question, row.get(column, "")
