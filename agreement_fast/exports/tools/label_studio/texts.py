"""Find the text of a task that spans are on, and check their offsets."""

from __future__ import annotations

from collections import Counter
from typing import Any

from agreement_fast.exports.found import Found

__all__ = ["Texts"]


class Texts:
    """Finds which field of the data is the text that a control shows.

    An export does not name this field, but spans contain the text that they mark. Fields with the
    same text are interchangeable.
    """

    def __init__(self) -> None:
        #: The fields that fit all spans of a text.
        self._fields: dict[str, tuple[str, ...]] = {}
        self._misplaced: Counter[str] = Counter()
        self._ambiguous = 0

    def known(self, data: dict[str, Any]) -> list[tuple[str, str]]:
        """Return (control, text) for each control whose text is in the data."""
        known = []
        for to_name, fields in self._fields.items():
            texts = {data[field] for field in fields if data.get(field).__class__ is str}
            if len(texts) == 1:
                known.append((to_name, texts.pop()))
            elif to_name in fields and texts:
                known.append((to_name, data[to_name]))
        return known

    def place(
        self, to_name: str, data: dict[str, Any], start: float, end: float, quoted: Any
    ) -> tuple[float, float]:
        """Return the start and end of a span in code points.

        Older versions of Label Studio counted UTF-16 units, so that an emoji counted as two. Such
        offsets are recognised by the text of the span.
        """
        if quoted.__class__ is not str or not quoted:
            return start, end
        first, last = int(start), int(end)
        fits: dict[str, tuple[int, int]] = {}
        found: dict[str, tuple[int, int] | None] = {}
        for field in self._fields.get(to_name, data):
            text = data.get(field)
            if text.__class__ is not str:
                continue
            if text not in found:
                found[text] = _find(text, first, last, quoted)
            place = found[text]
            if place is not None:
                fits[field] = place
        if not fits:
            self._misplaced[to_name] += bool(found)
            return start, end
        self._fields[to_name] = tuple(fits)
        places = set(fits.values())
        if to_name in fits:
            return fits[to_name]
        self._ambiguous += len(places) > 1
        return places.pop() if len(places) == 1 else (start, end)

    def tell(self, found: Found) -> None:
        """Add notes on spans that could not be checked or are at other places."""
        misplaced = sum(n for to_name, n in self._misplaced.items() if to_name in self._fields)
        nowhere = self._misplaced.total() - misplaced
        if misplaced:
            found.note(
                f"{misplaced:,} spans have a text that is at another place in the data: their"
                " offsets are kept"
            )
        if nowhere:
            found.note(
                f"the text of {nowhere:,} spans is not in the data: it is not known whether their"
                " offsets count characters"
            )
        if self._ambiguous:
            found.note(
                f"{self._ambiguous:,} spans fit several fields of the data, at different offsets:"
                " their offsets are kept"
            )


def _find(text: str, start: int, end: int, quoted: str) -> tuple[int, int] | None:
    """Find a span in a text by its offsets in code points, or in UTF-16 units."""
    if text[start:end] == quoted:
        return start, end
    if text.isascii() or start < 0:
        return None
    units = text.encode("utf-16-le", "surrogatepass")
    try:
        before = len(units[: 2 * start].decode("utf-16-le"))
        inside = units[2 * start : 2 * end].decode("utf-16-le")
    except UnicodeDecodeError:
        return None
    return (before, before + len(quoted)) if inside == quoted else None
