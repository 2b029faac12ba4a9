"""What an item is where coders marked spans: readings of spans as judgments of items.

Each reading is an object in the table `READINGS`. It gives the items of a document, and says which
of them a span belongs to.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from agreement_fast.exports.found import Answers, Found, Span, Spans
from agreement_fast.files.errors import ReadError, show

__all__ = ["CONTINUUM", "NOT_MARKED", "READINGS", "items_of_spans", "needs_texts", "reading_named"]

#: The label of a coder who saw a document and did not mark an item of it.
NOT_MARKED = "not marked"

#: The reading that is none: units on a continuum.
CONTINUUM = "continuum"

#: As Windows, Unix, old Macs and Qt write it.
_LINE_END = r"(?>\r\n|[\r\n\u2028\u2029])"

_CHARACTERS = re.compile(r"(\d{1,9})( characters| tokens)?")


class Reading(ABC):
    """One way to make items of spans.

    Attributes
    ----------
    description : str
        What an item is.
    sets : bool
        Whether a label is the set of all categories marked there, the empty set included.
    needs_text : bool
        Whether the texts of the documents must be known.
    """

    description: str
    sets = False
    needs_text = False

    @abstractmethod
    def items(self, document: Any, spans: Sequence[Span], found: Found) -> list[str]:
        """Name the items of a document in their order."""

    @abstractmethod
    def places(self, document: Any, spans: Sequence[Span], found: Found) -> list[list[int]]:
        """Say which items each span belongs to."""


class _Exact(Reading):
    description = "the union of the exact spans that were marked"

    def items(self, document: Any, spans: Sequence[Span], found: Found) -> list[str]:
        return [_written(parts) for parts in _distinct(spans)]

    def places(self, document: Any, spans: Sequence[Span], found: Found) -> list[list[int]]:
        numbers = {parts: number for number, parts in enumerate(_distinct(spans))}
        return [[numbers[span.parts]] for span in spans]


class _Overlapping(Reading):
    description = "the spans that overlap, taken together"

    def items(self, document: Any, spans: Sequence[Span], found: Found) -> list[str]:
        clusters: dict[int, list[tuple[float, float]]] = defaultdict(list)
        for span, (number,) in zip(spans, self.places(document, spans, found), strict=True):
            clusters[number] += span.parts
        # Two clusters may begin and end alike, where spans have gaps; what they cover differs.
        return [_written(_covered(parts)) for _, parts in sorted(clusters.items())]

    def places(self, document: Any, spans: Sequence[Span], found: Found) -> list[list[int]]:
        # Imported where it is needed: it takes a tenth of a second.
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        if not spans:
            return []
        edges, reach, furthest = [], float("-inf"), 0
        for begin, end, i in sorted(
            (a, b, i) for i, span in enumerate(spans) for a, b in span.parts
        ):
            edges.append((i, furthest if begin < reach else i))
            if end >= reach:
                reach, furthest = end, i
        pairs = np.array(edges).T
        linked = coo_array((np.ones(len(edges), np.int8), tuple(pairs)), shape=(len(spans),) * 2)
        count, cluster = connected_components(linked, directed=False)
        first = np.full(count, np.inf)
        np.minimum.at(first, cluster, [span.parts[0][0] for span in spans])
        number = np.argsort(np.argsort(first, kind="stable"), kind="stable")
        return [[one] for one in number[cluster].tolist()]


class _Pieces(Reading):
    """Pieces of the text that do not depend on what was marked."""

    sets = True

    def __init__(
        self, description: str, cut: Callable[[Any, Sequence[Span], Found], list[float]], text: bool
    ) -> None:
        self.description = description
        self._cut = cut
        self.needs_text = text

    def items(self, document: Any, spans: Sequence[Span], found: Found) -> list[str]:
        cuts = self._cut(document, spans, found)
        return [_written((pair,)) for pair in pairwise(cuts)]

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


def _covered(parts: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join parts that overlap or touch."""
    covered: list[tuple[float, float]] = []
    for begin, end in sorted(parts):
        if covered and begin <= covered[-1][1]:
            covered[-1] = covered[-1][0], max(end, covered[-1][1])
        else:
            covered.append((begin, end))
    return covered


def _distinct(spans: Sequence[Span]) -> list[tuple[tuple[float, float], ...]]:
    return sorted({span.parts for span in spans})


def _written(parts: Sequence[tuple[float, float]]) -> str:
    return ", ".join(f"{begin:.15g}-{end:.15g}" for begin, end in parts)


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
    """Cut behind each match of a pattern, where text follows."""
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
    """Give the reading of a name: one of `READINGS`, or a number such as "200 characters".

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
    """Whether a reading needs the texts of the documents, or how long they are."""
    return name is not None and name != CONTINUUM and reading_named(name).needs_text


def items_of_spans(spans: Spans, found: Found, how: str) -> Answers:
    """Make judgments of items of spans.

    Every coder who saw a document judged all items of it; what the coder did not mark is
    `NOT_MARKED`. If a coder gave an item several categories, all labels are sets, and what was not
    marked is the empty set.

    Parameters
    ----------
    spans : Spans
    found : Found
        Texts and extents of the documents.
    how : str
        The name of a reading.

    Returns
    -------
    Answers

    Raises
    ------
    ReadError
        A name that is none; a text or a length that is needed and not there.
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
    judged: list[tuple[str, Any, list[Any]]] = []
    for document, coders in seen.items():
        some = of_document.get(document, [])
        names = reading.items(document, some, found)
        said: dict[tuple[int, Any], list[Any]] = defaultdict(list)
        for span, places in zip(some, reading.places(document, some, found), strict=True):
            for place in places:
                if span.category not in said[place, span.coder]:
                    said[place, span.coder].append(span.category)
        for place, name in enumerate(names):
            item = f"{document}:{name}" if several else name
            judged += [(item, coder, said.get((place, coder), [])) for coder in coders]
    sets = reading.sets or any(len(categories) > 1 for _, _, categories in judged)
    for item, coder, categories in judged:
        if sets:
            answers.add(item, coder, frozenset(categories))
        else:
            answers.add(item, coder, categories[0] if categories else NOT_MARKED)
    return answers
