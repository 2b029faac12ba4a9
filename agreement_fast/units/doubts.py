"""What may be wrong with the names that units have, as with those of judgments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

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
    documents = data.documents if len(data.documents) <= MOST_ITEMS else ()
    named = [
        *name_notes(data.coders),
        *name_notes(documents, "names of documents", "documents"),
    ]
    return [
        *coder_notes(data.coders),
        *gold_notes(data.coders),
        *((note, Phrase("merge", "")) for note in named),
        *label_notes(data.categories),
    ]


def hint_at_units(data: Continuum) -> None:
    """Warn of the same."""

    def words(mark: Mark) -> str | None:
        return WORDS.get(mark.kind) if isinstance(mark, Phrase) else None

    for note in notes(data):
        hint(say(note, words), LabelHint)
