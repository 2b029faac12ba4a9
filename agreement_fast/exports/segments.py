"""Make items of spans: readings of spans as judgments of items.

Each reading is an object in the table `READINGS`. It returns the items of a document, and the items
to which each span belongs.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from agreement_fast.exports.found import Answers, Found, Span, Spans
from agreement_fast.files.errors import ReadError, show
from agreement_fast.span_items import (
    NOT_MARKED,
    Judged,
    as_labels,
    exact_items,
    judge,
    overlapping_items,
    written,
)

__all__ = ["CONTINUUM", "NOT_MARKED", "READINGS", "items_of_spans", "needs_texts", "reading_named"]

#: The name for units on a continuum, which are not items.
CONTINUUM = "continuum"

#: Line ends of Windows, Unix, old Macs and Qt.
_LINE_END = r"(?>\r\n|[\r\n\u2028\u2029])"

_CHARACTERS = re.compile(r"(\d{1,9})( characters| tokens)?")


class Reading(ABC):
    """One way to make items of spans.

    Attributes
    ----------
    description : str
        What an item is.
    sets : bool
        Whether a label is the set of all categories of the item, which may be empty.
    needs_text : bool
        Whether the texts of the documents must be known.
    """

    description: str
    sets = False
    needs_text = False

    @abstractmethod
    def items(self, document: Any, spans: Sequence[Span], found: Found) -> list[str]:
        """Return the names of the items of a document in their order."""

    @abstractmethod
    def places(self, document: Any, spans: Sequence[Span], found: Found) -> list[list[int]]:
        """Return the items to which each span belongs."""


class _Exact(Reading):
    description = "the union of the exact spans that were marked"

    def items(self, document: Any, spans: Sequence[Span], found: Found) -> list[str]:
        return [written(parts) for parts in exact_items([span.parts for span in spans])[0]]

    def places(self, document: Any, spans: Sequence[Span], found: Found) -> list[list[int]]:
        return [[place] for place in exact_items([span.parts for span in spans])[1]]


class _Overlapping(Reading):
    description = "the spans that overlap, taken together"

    def items(self, document: Any, spans: Sequence[Span], found: Found) -> list[str]:
        return [written(parts) for parts in overlapping_items([span.parts for span in spans])[0]]

    def places(self, document: Any, spans: Sequence[Span], found: Found) -> list[list[int]]:
        return [[place] for place in overlapping_items([span.parts for span in spans])[1]]


class _Pieces(Reading):
    """Pieces of the text that do not depend on the spans."""

    sets = True

    def __init__(
        self, description: str, cut: Callable[[Any, Sequence[Span], Found], list[float]], text: bool
    ) -> None:
        self.description = description
        self._cut = cut
        self.needs_text = text

    def items(self, document: Any, spans: Sequence[Span], found: Found) -> list[str]:
        cuts = self._cut(document, spans, found)
        return [written((pair,)) for pair in pairwise(cuts)]

    def places(self, document: Any, spans: Sequence[Span], found: Found) -> list[list[int]]:
        cuts = self._cut(document, spans, found)

        def touched(begin: float, end: float) -> range:
            first = min(max(bisect_right(cuts, begin) - 1, 0), len(cuts) - 2)
            # A span of no length touches the piece that it stands in.
            return range(first, max(min(bisect_left(cuts, end), len(cuts) - 1), first + 1))

        return [
            sorted({number for begin, end in span.parts for number in touched(begin, end)})
            for span in spans
        ]


# -- where documents are cut


def _extent(document: Any, spans: Sequence[Span], found: Found) -> tuple[float, float]:
    if document in found.extents:
        return found.extents[document]
    if document in found.texts:
        return 0, len(found.texts[document])
    raise ReadError(
        f"the export does not say how long document {show(str(document))} is: choose --spans exact"
        " or --spans overlapping"
    )


def _whole(document: Any, spans: Sequence[Span], found: Found) -> list[float]:
    ends = [end for span in spans for _, end in span.parts]
    return [0, max([1, *ends, found.extents.get(document, (0, 0))[1]])]


def _matches(pattern: str) -> Callable[[Any, Sequence[Span], Found], list[float]]:
    """Cut after each match of a pattern that text follows."""
    break_ = re.compile(pattern)

    def cut(document: Any, spans: Sequence[Span], found: Found) -> list[float]:
        if document not in found.texts:
            raise ReadError(
                f"the export does not hold the text of document {show(str(document))}: choose"
                " --spans exact, overlapping or document"
            )
        text = found.texts[document]
        ends = [match.end() for match in break_.finditer(text) if text[match.end() :].strip()]
        return [0, *ends, max(len(text), 1)]

    return cut


def _every(step: int) -> Callable[[Any, Sequence[Span], Found], list[float]]:
    def cut(document: Any, spans: Sequence[Span], found: Found) -> list[float]:
        begin, end = _extent(document, spans, found)
        cuts = [float(at) for at in range(int(begin), int(end), step)]
        return [*(cuts or [begin]), max(end, begin + 1)]

    return cut


READINGS: dict[str, Reading] = {
    "exact": _Exact(),
    "overlapping": _Overlapping(),
    "document": _Pieces("whole documents, with the set of what was marked", _whole, False),
    "paragraph": _Pieces(
        "paragraphs (divided by an empty line), with the set of what was marked",
        _matches(rf"{_LINE_END}[ \t]*{_LINE_END}\s*"),
        True,
    ),
    "line": _Pieces(
        "lines that are not empty, with the set of what was marked",
        _matches(rf"{_LINE_END}\s*"),
        True,
    ),
}


def reading_named(name: str) -> Reading:
    """Return the reading of a name: one of `READINGS`, or a number such as "200 characters".

    Raises
    ------
    ReadError
    """
    if name in READINGS:
        return READINGS[name]
    found = _CHARACTERS.fullmatch(name.strip())
    if found is None or not int(found[1]):
        raise ReadError(
            f"spans must be {CONTINUUM}, {', '.join(READINGS)} or a number of characters such as"
            f" '200 characters', got {show(name)}"
        )
    return _Pieces(
        f"pieces of {int(found[1]):,} positions, with the set of what was marked",
        _every(int(found[1])),
        True,
    )


def needs_texts(name: str | None) -> bool:
    """Whether a reading needs the texts or the lengths of the documents."""
    return name is not None and name != CONTINUUM and reading_named(name).needs_text


def items_of_spans(spans: Spans, found: Found, how: str) -> Answers:
    """Make judgments of items from spans.

    Every coder who saw a document judged all of its items. Items that a coder did not mark have the
    label `NOT_MARKED`. If a coder gave an item several categories, all labels are sets, and items
    without marks have the empty set.

    Parameters
    ----------
    spans : Spans
        The spans of a layer.
    found : Found
        Texts and extents of the documents.
    how : str
        The name of a reading.

    Returns
    -------
    Answers
        One judgment per item and coder.

    Raises
    ------
    ReadError
        If the name is unknown, or if a text or a length is needed and not known.
    """
    reading = reading_named(how)
    answers = Answers(f"items: {reading.description}")
    of_document: dict[Any, list[Span]] = defaultdict(list)
    for span in spans.marked:
        of_document[span.document].append(span)
    seen: dict[Any, list[Any]] = defaultdict(list)
    for document, coder in spans.seen:
        seen[document].append(coder)
    several = len(seen) > 1
    judged: list[Judged] = []
    for document, coders in seen.items():
        some = of_document.get(document, [])
        names = reading.items(document, some, found)
        if several:
            names = [f"{document}:{name}" for name in names]
        places = reading.places(document, some, found)
        marked = ((span.coder, span.category, own) for span, own in zip(some, places, strict=True))
        judged += judge(names, coders, marked)
    for one, label in zip(judged, as_labels(judged, sets=reading.sets), strict=True):
        answers.add(one.item, one.coder, label)
    return answers
