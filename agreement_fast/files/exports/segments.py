"""Make items of spans: readings of spans as judgments of items.

Each reading is an object in the table `READINGS`. It returns the items of a document, and the items
to which each span belongs.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple, TypeAlias

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.exports.tool import Answers, Contents, Span, Spans
from agreement_fast.reading import span_items
from agreement_fast.reading.span_items import Parts

#: The name for units on a continuum, which are not items.
CONTINUUM = "continuum"

#: Characters or tokens that are shown before and after an item of a text.
AROUND = 60

#: Line ends of Windows, Unix, old Macs and Qt.
_LINE_END = r"(?>\r\n|[\r\n\u2028\u2029])"

_CHARACTERS = re.compile(r"(\d{1,9})( characters| tokens)?")


#: The parts of items, and for each span the places of its own.
Items: TypeAlias = tuple[list[Parts], list[list[int]]]


class Reading(NamedTuple):
    """A way to make items of spans."""

    #: What an item is.
    description: str
    #: Returns the items of a document in their order, and for each of its spans the items to which
    #: it belongs.
    items: Callable[[Any, Sequence[Span], Contents], Items]
    #: Whether a label is the set of all categories of the item, which may be empty.
    sets: bool = False
    #: Whether the texts of the documents must be known.
    needs_text: bool = False


def _marked(
    grouped: Callable[[Sequence[Parts]], tuple[list[Parts], list[int]]], description: str
) -> Reading:
    """Read what was marked itself as items."""

    def items(document: Any, spans: Sequence[Span], out: Contents) -> Items:
        parts, places = grouped([span.parts for span in spans])
        return parts, [[place] for place in places]

    return Reading(description, items)


def _pieces(
    description: str, cut: Callable[[Any, Sequence[Span], Contents], list[float]], needs_text: bool
) -> Reading:
    """Read pieces of the text, which do not depend on the spans, as items."""

    def items(document: Any, spans: Sequence[Span], out: Contents) -> Items:
        cuts = cut(document, spans, out)

        def touched(begin: float, end: float) -> range:
            first = min(max(bisect_right(cuts, begin) - 1, 0), len(cuts) - 2)
            # A span of no length touches the piece that it stands in.
            return range(first, max(min(bisect_left(cuts, end), len(cuts) - 1), first + 1))

        return [(pair,) for pair in pairwise(cuts)], [
            sorted({number for begin, end in span.parts for number in touched(begin, end)})
            for span in spans
        ]

    return Reading(description, items, True, needs_text)


# -- where documents are cut


def _extent(document: Any, spans: Sequence[Span], out: Contents) -> tuple[float, float]:
    if document in out.extents:
        return out.extents[document]
    if document in out.texts:
        return 0, len(out.texts[document])
    raise ReadError(
        f"the export does not say how long document {show(str(document))} is: choose --spans exact"
        " or --spans overlapping"
    )


def _whole(document: Any, spans: Sequence[Span], out: Contents) -> list[float]:
    ends = [end for span in spans for _, end in span.parts]
    return [0, max([1, *ends, out.extents.get(document, (0, 0))[1]])]


def _matches(pattern: str) -> Callable[[Any, Sequence[Span], Contents], list[float]]:
    """Cut after each match of a pattern that text follows."""
    break_ = re.compile(pattern)

    def cut(document: Any, spans: Sequence[Span], out: Contents) -> list[float]:
        if document not in out.texts:
            raise ReadError(
                f"the export does not hold the text of document {show(str(document))}: choose"
                " --spans exact, overlapping or document"
            )
        text = out.texts[document]
        ends = [match.end() for match in break_.finditer(text) if text[match.end() :].strip()]
        return [0, *ends, max(len(text), 1)]

    return cut


def _every(step: int) -> Callable[[Any, Sequence[Span], Contents], list[float]]:
    def cut(document: Any, spans: Sequence[Span], out: Contents) -> list[float]:
        begin, end = _extent(document, spans, out)
        cuts = [float(at) for at in range(int(begin), int(end), step)]
        return [*(cuts or [begin]), max(end, begin + 1)]

    return cut


READINGS: dict[str, Reading] = {
    "exact": _marked(span_items.exact_items, "the union of the exact spans that were marked"),
    "overlapping": _marked(span_items.overlapping_items, "the spans that overlap, taken together"),
    "document": _pieces("whole documents, with the set of what was marked", _whole, False),
    "paragraph": _pieces(
        "paragraphs (divided by an empty line), with the set of what was marked",
        _matches(rf"{_LINE_END}[ \t]*{_LINE_END}\s*"),
        True,
    ),
    "line": _pieces(
        "lines that are not empty, with the set of what was marked",
        _matches(rf"{_LINE_END}\s*"),
        True,
    ),
}


def reading_named(name: str) -> Reading:
    """Return the reading of a name: one of `READINGS`, or a number such as "200 characters"."""
    if name in READINGS:
        return READINGS[name]
    match = _CHARACTERS.fullmatch(name.strip())
    if match is None or not int(match[1]):
        raise ReadError(
            f"spans must be {CONTINUUM}, {', '.join(READINGS)} or a number of characters such as"
            f" '200 characters', got {show(name)}"
        )
    return _pieces(
        f"pieces of {int(match[1]):,} positions, with the set of what was marked",
        _every(int(match[1])),
        True,
    )


def needs_texts(name: str | None) -> bool:
    """Whether a reading needs the texts or the lengths of the documents."""
    return name is not None and name != CONTINUUM and reading_named(name).needs_text


def items_of_spans(spans: Spans, out: Contents, how: str) -> Answers:
    """Make judgments of items from spans.

    Every coder who saw a document judged all of its items. Items that a coder did not mark have the
    label `NOT_MARKED`. If a coder gave an item several categories, all labels are sets, and items
    without marks have the empty set. `spans`: the spans of a layer. `out`: texts and extents of
    the documents. `how`: the name of a reading. Returns one judgment per item and coder. Raises
    ReadError if the name is unknown, or if a text or a length is needed and not known.
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
    judged: list[span_items.Judged] = []
    for document, coders in seen.items():
        some = of_document.get(document, [])
        parts, places = reading.items(document, some, out)
        names = [f"{document}:" * several + span_items.written(part) for part in parts]
        tokens = out.tokens.get(document)
        if tokens or document in out.texts:
            text, joint = (tokens, " ") if tokens else (out.texts[document], "")
            out.texts |= {
                name: around(text, part, joint) for name, part in zip(names, parts, strict=True)
            }
        marked = ((span.coder, span.category, own) for span, own in zip(some, places, strict=True))
        judged += span_items.judge(names, coders, marked)
    for entry, label in zip(judged, span_items.as_labels(judged, sets=reading.sets), strict=True):
        answers.add(entry.item, entry.coder, label)
    return answers


def around(text: Sequence[str], parts: Parts, joint: str) -> str:
    """Return what an item covers, with its parts in brackets if there is a text around it.

    `text`: characters, or tokens that `joint` puts between.
    """
    begin, end = int(parts[0][0]), int(parts[-1][1])
    first, last = max(begin - AROUND, 0), min(end + AROUND, len(text))
    if (begin, end) == (0, len(text)):
        return joint.join(text)
    pieces, at = [], first
    for start, stop in ((int(start), int(stop)) for start, stop in parts):
        pieces += [joint.join(text[at:start]), f"[{joint.join(text[start:stop])}]"]
        at = stop
    shown = joint.join(filter(None, [*pieces, joint.join(text[at:last])]))
    return "…" * (first > 0) + shown + "…" * (last < len(text))


class Units(NamedTuple):
    """Arguments of `Continuum.from_rows`, one unit per place."""

    #: The units.
    coders: list[Any]
    starts: list[float]
    ends: list[float]
    categories: list[Any]
    documents: list[Any]
    #: If the tool does not give them, a document ends with its last unit: dict of document to
    #: (begin, end).
    extents: dict[Any, tuple[float, float]]
    #: All coders, also those who marked nothing.
    everyone: tuple[Any, ...]
    #: Documents, and the coders who finished them.
    seen: list[tuple[Any, Any]]
    #: What was left out or joined.
    notes: list[str]
    #: Positions are multiples of this number.
    step: float = 1.0


def units_of_spans(spans: Spans, out: Contents, coders: Collection[Any] | None = None) -> Units:
    """Make units of spans.

    A coder who did not finish a document is missing there, and has not marked nothing. A span with
    gaps becomes one unit per part. Overlapping units of one coder and category are joined, and
    units of length 0 are left out. `spans`: the spans of a layer. `out`: extents of the documents.
    `coders`: the coders to compare; by default all of them. Returns the units and the notes on
    them. Raises ReadError if no document was finished by two coders, unless there is only one.
    """
    pairs = [(document, who) for document, who in spans.seen if coders is None or who in coders]
    everyone = tuple(dict.fromkeys(who for _, who in pairs))
    n_coders, finished = len(everyone), Counter(document for document, _ in pairs)
    if max(finished.values(), default=0) < min(n_coders, 2) or not n_coders:
        raise ReadError(
            f"no document was finished by two of the {n_coders} coders, so no judgments can be"
            " compared: check which documents and coders the files belong to"
        )
    alone, notes = sum(n == 1 for n in finished.values()), []
    if partly := sum(n < n_coders for n in finished.values()):
        by_one = f"; {alone:,} of them by one coder only, whose marks are not compared"
        notes.append(
            f"{partly:,} of {len(finished):,} documents were not finished by all {n_coders} coders:"
            f" coders who did not finish a document are missing there{by_one * bool(alone)}"
        )
    merged: dict[tuple[Any, Any, Any], list[tuple[float, float]]] = defaultdict(list)
    empty = broken = joined = 0
    for span in spans.marked:
        if not (coders is None or span.coder in coders):
            continue
        broken += len(span.parts) > 1
        solid = [part for part in span.parts if part[0] < part[1]]
        empty += len(span.parts) - len(solid)
        merged[span.document, span.coder, span.category] += solid
    rows: list[tuple[Any, ...]] = []
    marked: dict[Any, tuple[float, float]] = {}
    for (document, coder, category), parts in merged.items():
        # Overlapping intervals are joined; those that only touch are kept apart.
        disjoint: list[tuple[float, float]] = []
        for begin, end in sorted(parts):
            if disjoint and begin < disjoint[-1][1]:
                disjoint[-1] = disjoint[-1][0], max(end, disjoint[-1][1])
            else:
                disjoint.append((begin, end))
        joined += len(parts) - len(disjoint)
        rows += [(coder, begin, end, category, document) for begin, end in disjoint]
        edges = [0, *marked.get(document, ()), *chain.from_iterable(disjoint)]
        if disjoint:
            marked[document] = min(edges), max(edges)
    known = marked | out.extents
    extents = {name: known[name] for name in finished if name in known}
    without = "documents without a length in the export"
    sentences = {
        "spans with gaps became one unit for each of their parts": broken,
        "units that overlapped another one of the same coder and category were joined": joined,
        "spans of no length were left out": empty,
        f"{without} are taken to end with their last unit, and all values depend on that": len(
            extents.keys() - out.extents.keys()
        ),
        f"{without} were left out if nobody marked anything": len(finished) - len(extents),
    }
    notes += [f"{what} ({n:,})" for what, n in sentences.items() if n]
    coders_of, starts, ends, categories, documents = ([row[i] for row in rows] for i in range(5))
    units = (coders_of, starts, ends, categories, documents)
    return Units(*units, extents, everyone, pairs, notes, out.step)
