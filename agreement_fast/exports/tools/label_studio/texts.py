"""Which text of a task the spans are on, and whether their offsets fit it."""

from __future__ import annotations

from typing import Any

__all__ = ["Texts"]


class Texts:
    """Finds out which field of the tasks' data holds the text that a control shows.

    An export does not say so; but spans bring the text that they mark.

    Attributes
    ----------
    misplaced : int
        Spans whose text does not stand where they are.
    """

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}
        self.misplaced = 0

    def known(self, data: dict[str, Any]) -> list[tuple[str, str]]:
        """Give (control, text) for each control whose text is known to be in the data."""
        return [
            (to_name, data[field])
            for to_name, field in self._fields.items()
            if data.get(field).__class__ is str
        ]

    def place(
        self, to_name: str, data: dict[str, Any], start: float, end: float, quoted: Any
    ) -> tuple[float, float]:
        """Give the start and end of a span in code points.

        Older versions of Label Studio counted UTF-16 units: an emoji was two. Such offsets are
        recognised by the text that the span brings.
        """
        if quoted.__class__ is not str or not quoted:
            return start, end
        first, last = int(start), int(end)
        field = self._fields.get(to_name)
        if field is None:
            fits = [
                name
                for name, text in data.items()
                if text.__class__ is str and _find(text, first, last, quoted) is not None
            ]
            if len(fits) != 1:
                return start, end
            field = self._fields[to_name] = fits[0]
        text = data.get(field)
        if text.__class__ is not str:
            return start, end
        found = _find(text, first, last, quoted)
        if found is None:
            self.misplaced += 1
            return start, end
        return found


def _find(text: str, start: int, end: int, quoted: str) -> tuple[int, int] | None:
    """Find a span in a text by its offsets in code points, or else in UTF-16 units."""
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
