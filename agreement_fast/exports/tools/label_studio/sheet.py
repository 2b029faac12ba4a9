"""The results of one annotation, by question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agreement_fast.exports.found import Found
from agreement_fast.exports.records import Wrong, a_list, a_number, a_text, an_object
from agreement_fast.files.errors import show

__all__ = ["RECTANGLES", "SETS", "SPANS", "UNKNOWN_KIND", "Sheet", "kind_of", "left_out_as"]

#: Kinds of results whose answer is a set of labels.
SETS = ("choices", "taxonomy")
#: Kinds of results that mark parts of a text or of a recording.
SPANS = ("labels", "hypertextlabels", "htmllabels", "paragraphlabels", "timeserieslabels")
#: Marks on an image, which are compared by their set of labels.
RECTANGLES = "rectanglelabels"

#: Keys with the position of a region in an image or a video.
_ELSEWHERE = ("x", "points", "vertices", "rle", "ranges", "sequence")

_NUMBERS = ("rating", "number")

#: The kind of a result without a known key.
UNKNOWN_KIND = "unknown"

_LEFT_OUT = {
    "textarea": "text areas",
    "relation": "relations",
    "brushlabels": "brush strokes",
    "polygonlabels": "polygons",
    "ellipselabels": "ellipses",
    "keypointlabels": "keypoints",
}


def kind_of(value: dict[str, Any]) -> str:
    """Return the kind of a result, from the keys of its value."""
    if "selected" in value:
        return "pairwise"
    for kind in (*SETS, *_NUMBERS, "datetime", *SPANS, RECTANGLES, *_LEFT_OUT):
        if kind in value:
            return kind
    return "textarea" if isinstance(value.get("text"), list) else UNKNOWN_KIND


def left_out_as(kind: str) -> str | None:
    """Return under which name a result is counted as left out, if it is not read."""
    if kind in (*SETS, *SPANS, *_NUMBERS, "pairwise", "datetime", RECTANGLES):
        return None
    return _LEFT_OUT.get(kind, f"results of type {show(kind)}")


class Sheet:
    """The results of one annotation.

    Parameters
    ----------
    found : Found
        Counts what is left out.
    layer : callable
        Returns the layer of a question about a text or a recording.
    paths : dict of category to tuple of str
        The paths of the categories of taxonomies, for all annotations.

    Attributes
    ----------
    sets : dict of question to (kind, set of labels)
        Answers that are sets.
    singles : list of (question, kind, label)
        Answers that are single labels.
    spans : dict of layer to list of (start, end, category)
        Spans.
    unread : set of layers
        Layers with a span that cannot be read.
    unit : str
        The unit of positions.
    length : number or None
        The length of a recording.
    """

    def __init__(
        self,
        found: Found,
        layer: Callable[[str, str], str],
        paths: dict[str, tuple[str, ...]],
    ) -> None:
        self._found = found
        self._layer = layer
        self._paths = paths
        self.sets: dict[str, tuple[str, set[Any]]] = {}
        self.singles: list[tuple[str, str, Any]] = []
        self.spans: dict[str, list[tuple[float, float, Any]]] = {}
        self.unread: set[str] = set()
        self.unit = "characters"
        self.length: float | None = None

    def take(
        self,
        question: str,
        kind: str,
        value: dict[str, Any],
        *,
        to_name: str = "",
        region: dict[str, Any] | None = None,
        place: Callable[[float, float, Any], tuple[float, float]] | None = None,
    ) -> None:
        """Add one result.

        Parameters
        ----------
        question, kind : str
            The question and the kind of the result.
        value : dict
            The value of the result.
        to_name : str
            The text or image that the result is about.
        region : dict, optional
            The value of the region that the result is about.
        place : callable, optional
            Corrects a start and an end, given the text of the span.
        """
        if kind in SPANS:
            labels = _labels(value, kind if kind in value else "labels")
            if not labels and _is_on_text(value):
                self._miss("spans without a label", question, to_name)
            elif not labels:
                self._found.leave_out("spans without a label")
            else:
                self._mark(question, to_name, value, labels, place)
                if kind == "timeserieslabels":
                    self.unit = "positions in a time series"
        elif kind == RECTANGLES:
            labels = _labels(value, kind)
            if not labels:
                self._found.leave_out("rectangles without a label")
            self.sets.setdefault(question, (kind, set()))[1].update(labels)
        elif kind in SETS or kind in _NUMBERS or kind in ("pairwise", "datetime"):
            about = value if _is_region(value) else region
            if about is None:
                self._answer(question, kind, value)
            elif "start" in about or "globalOffsets" in about:
                self._mark(question, to_name, about, self._answers(kind, value), place)
            else:
                self._found.leave_out("answers about regions of images")
        else:
            self._found.leave_out(left_out_as(kind) or f"results of type {show(kind)}")

    def _answers(self, kind: str, value: dict[str, Any]) -> list[Any]:
        if kind == "choices":
            return _labels(value, kind)
        if kind == "taxonomy":
            return [self._category(path) for path in a_list(value, kind)]
        if kind in _NUMBERS:
            return [a_number(value, kind)]
        return [a_text(value, "selected" if kind == "pairwise" else kind)]

    def _answer(self, question: str, kind: str, value: dict[str, Any]) -> None:
        labels = self._answers(kind, value)
        if kind in SETS:
            # Some programs write one result per choice; together they are one answer.
            self.sets.setdefault(question, (kind, set()))[1].update(labels)
        else:
            self.singles.append((question, kind, labels[0]))

    def _category(self, path: Any) -> str:
        if not isinstance(path, list) or not path or any(p.__class__ is not str for p in path):
            raise Wrong("'taxonomy' must be a list of paths, each a list of texts")
        category = " / ".join(path)
        if self._paths.setdefault(category, tuple(path)) != tuple(path):
            raise Wrong(f"two paths of a taxonomy are both written {show(category)}: rename one")
        return category

    def _miss(self, what: str, question: str, to_name: str) -> None:
        """Count a span that cannot be read."""
        layer = self._layer(question, to_name)
        self._found.leave_out(what, question=layer)
        self.unread.add(layer)

    def _mark(
        self,
        question: str,
        to_name: str,
        value: dict[str, Any],
        labels: list[Any],
        place: Callable[[float, float, Any], tuple[float, float]] | None,
    ) -> None:
        if "globalOffsets" in value:
            offsets = an_object(value, "globalOffsets")
        elif "startOffset" in value or value.get("start").__class__ is str:
            what = "spans in HTML or paragraphs that have no global offsets"
            self._miss(what, question, to_name)
            return
        elif "start" not in value and any(key in value for key in _ELSEWHERE):
            self._found.leave_out("labels of regions of images")
            return
        else:
            offsets = value
        start, end = a_number(offsets, "start"), a_number(offsets, "end")
        if end < start:
            raise Wrong(f"a span must not end before it starts, got {start} to {end}")
        if "channel" in value or start.__class__ is float or end.__class__ is float:
            self.unit = "seconds"
        elif place is not None:
            start, end = place(start, end, value.get("text"))
        spans = self.spans.setdefault(self._layer(question, to_name), [])
        spans += [(start, end, label) for label in labels]


def _is_on_text(value: dict[str, Any]) -> bool:
    return "start" in value or "globalOffsets" in value


def _is_region(value: dict[str, Any]) -> bool:
    return len(value) > 1 and (
        "start" in value or "globalOffsets" in value or any(key in value for key in _ELSEWHERE)
    )


def _labels(value: dict[str, Any], kind: str) -> list[Any]:
    """Return the labels of a result, or none if they are absent."""
    if kind not in value and kind != "choices":
        return []
    labels = a_list(value, kind)
    for label in labels:
        if label.__class__ is not str:
            raise Wrong(f"{show(kind)} must be a list of texts")
    return labels
