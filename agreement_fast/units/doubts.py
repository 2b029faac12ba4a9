"""What may be wrong with the names that units have, as with those of judgments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agreement_fast.errors import LabelHint, Mark, Phrase, Sentence, hint, say
from agreement_fast.reading.recognition.labels import (
    MOST_ITEMS,
    coder_notes,
    label_notes,
    name_notes,
)
from agreement_fast.reading.recognition.recognise import gold_notes

if TYPE_CHECKING:
    from agreement_fast.units.continuum import Continuum

#: What is said of units in place of judgments: every unit has one category.
WORDS: Mapping[str, str] = {
    "left_out": "leave its units out",
    "declared": "",
    "lists": "write a unit for each element",
    "merge": "; if they are one, use one name for them in the data",
    "separator": "write a unit for each element",
}


def notes(data: Continuum) -> list[Sentence]:
    """Return notes on coders, documents and categories that are none, or may be meant as one.

    Examples
    --------
    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(["Ann", "Ben", "ben"], [0, 5, 9], [3, 8, 12], extents=12)
    >>> print(notes(data)[0][0][-13:])
    'Ben' = 'ben'
    """
    if "notes" not in data.memo:
        data.memo["notes"] = notes_on(data.coders, data.documents, data.categories)
    result: list[Sentence] = data.memo["notes"]
    return result


def notes_on(
    coders: Sequence[Any], places: Sequence[Any], labels: Sequence[Any], what: str = "documents"
) -> list[Sentence]:
    """Return the same notes on names; `what`: what the places are."""
    named = [
        *name_notes(coders),
        *name_notes(places if len(places) <= MOST_ITEMS else (), f"names of {what}", what),
    ]
    return [
        *coder_notes(coders),
        *gold_notes(coders),
        *((note, Phrase("merge", "")) for note in named),
        *label_notes(labels),
    ]


def hint_at_names(result: Iterable[Sentence]) -> None:
    """Warn of notes on names."""

    def words(mark: Mark) -> str | None:
        return WORDS.get(mark.kind) if isinstance(mark, Phrase) else None

    for note in result:
        hint(say(note, words), LabelHint)
