"""The codings of a source of REFI-QDA: spans of text, spans of time, or whole sources."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

from agreement_fast.exports.found import Found
from agreement_fast.exports.tools.refi.project import name_of, number_of, tag_of
from agreement_fast.files.errors import ReadError, show

__all__ = ["TEXT", "TIMES", "WHOLE", "Coded", "codings_of", "is_text", "parts_of"]

#: The layer of spans of text, and the question of what whole sources are.
TEXT, WHOLE = "text", "documents"
#: Selections in time, and their layers.
TIMES = {"AudioSelection": "audio", "VideoSelection": "video"}
#: Selections that are no spans.
_AREAS = {"PDFSelection": "codings of areas of PDFs", "PictureSelection": "codings of pictures"}
#: What has a text, within another source or as one of its own.
_TEXTS = ("TextSource", "Representation", "TextDescription", "Transcript")


@dataclass(frozen=True)
class Coded:
    """A coding.

    Attributes
    ----------
    layer : str
        Its layer or question.
    place : (int, int) or None
        A half-open interval; None for a whole source.
    coding : Element
        The coding.
    selection : Element or None
        The coded part, if only a part of the source was coded.
    """

    layer: str
    place: tuple[int, int] | None
    coding: ET.Element
    selection: ET.Element | None


def is_text(source: ET.Element) -> bool:
    """Whether a source, or a part of one, has a text with positions."""
    return tag_of(source) in _TEXTS


def parts_of(source: ET.Element, name: str) -> Iterator[tuple[str, ET.Element]]:
    """Yield a source and the texts that belong to it, by name; the only text has the source's."""
    yield name, source
    texts = [child for child in source if is_text(child)]
    for number, text in enumerate(texts, 1):
        more = "" if len(texts) == 1 else f" / {text.get('name') or number}"
        yield name + more, text


def codings_of(source: ET.Element, shown: str, found: Found) -> Iterator[Coded]:
    """Yield the codings of a source or one of its texts; `shown` is its file.

    Raises
    ------
    ReadError
        If a selection has no place, or ends before it begins.
    """
    points = {one.get("guid", ""): one for one in source if tag_of(one) == "SyncPoint"}
    for child in source:
        kind = tag_of(child)
        if kind == "Coding":
            yield Coded(WHOLE, None, child, None)
            continue
        codings = _codings(child)
        if not codings:
            continue
        if kind in _AREAS:
            found.leave_out(_AREAS[kind], len(codings))
            continue
        place: tuple[int, int] | None
        if kind == "PlainTextSelection":
            layer, place = TEXT, _range(child, "startPosition", "endPosition", shown)
        elif kind in TIMES:
            layer, place = TIMES[kind], _range(child, "begin", "end", shown)
        elif kind == "TranscriptSelection":
            layer, place = TEXT, _between(child, points, shown)
            if place is None:
                found.leave_out("codings of transcripts without positions", len(codings))
                continue
        else:
            continue
        for coding in codings:
            yield Coded(layer, place, coding, child)


def _codings(selection: ET.Element) -> list[ET.Element]:
    return [child for child in selection if tag_of(child) == "Coding"]


def _range(element: ET.Element, first: str, last: str, shown: str) -> tuple[int, int]:
    begin, end = number_of(element, first, shown), number_of(element, last, shown)
    if end < begin:
        raise ReadError(
            f"{shown}: {tag_of(element)} {show(name_of(element))} ends at {end}, before it begins"
            f" at {begin}"
        )
    return begin, end


def _between(
    element: ET.Element, points: dict[str, ET.Element], shown: str
) -> tuple[int, int] | None:
    """Return the place of a selection between two points of a transcript, if both are known."""
    places = []
    for key in ("fromSyncPoint", "toSyncPoint"):
        point = points.get(element.get(key, ""))
        if point is None or point.get("position") is None:
            return None
        places.append(number_of(point, "position", shown))
    return min(places), max(places)
