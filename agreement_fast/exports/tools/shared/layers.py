"""Make questions from layers of annotations with features, as in UIMA.

Each feature of a layer is a question. An empty feature is the empty string, which differs from a
missing annotation.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from agreement_fast.exports.found import Found, Span, Spans
from agreement_fast.files.errors import ReadError, show

__all__ = ["NO_VALUE", "Annotated", "Layers", "Mark", "digest", "is_structure"]

#: The label of a feature without a value.
NO_VALUE = ""

#: Types that describe the text or the tool, and are not judgments.
_STRUCTURE = (
    "uima.",
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.",
    "de.tudarmstadt.ukp.clarin.webanno.",
    "de.tudarmstadt.ukp.inception.",
    "org.dkpro.core.api.xml.",
    "org.dkpro.core.api.pdf.",
)
_SEGMENTATION = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type."
#: Types among these that people annotate in the default project of WebAnno and INCEpTION.
_FILLED = ("Lemma", "Stem", "SurfaceForm")


def is_structure(layer: str) -> bool:
    """Whether a layer is not a question: tokens, sentences, metadata and the like

    Examples
    --------
    >>> is_structure("de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token")
    True
    >>> is_structure("webanno.custom.Stance")
    False
    """
    if layer.startswith(_SEGMENTATION):
        return layer.removeprefix(_SEGMENTATION) not in _FILLED
    return layer.startswith(_STRUCTURE)


def digest(text: str) -> bytes:
    """Return a hash that identifies a text."""
    return blake2b(text.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True)
class Mark:
    """An annotation.

    Attributes
    ----------
    layer : str
        The full name of its type.
    features : mapping of str to value
        None if there is no value, a tuple for several values; empty for a layer without features.
    place : (int, int) or None
        Begin and end in code points; None for an annotation of the whole document.
    """

    layer: str
    features: Mapping[str, Any]
    place: tuple[int, int] | None


@dataclass
class Annotated:
    """A document as one coder annotated it.

    Attributes
    ----------
    kind : str
        The format, "CAS" or "TSV".
    length : int
        The length of the text in code points.
    text : str
        The text.
    marks : list of Mark
        The annotations.
    left_out : Counter of str
        Counts of what was left out.
    """

    kind: str
    length: int = 0
    text: str = ""
    marks: list[Mark] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


class Layers:
    """Collects annotations of many documents and coders.

    Parameters
    ----------
    requested : mapping of layer to features, optional
        The layers to read and their features; all of them if None.
    """

    def __init__(self, requested: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._requested = requested
        self._finished: dict[tuple[str, str], None] = {}
        self._spans: dict[tuple[str, str], Spans] = {}
        self._said: dict[tuple[str, str], dict[tuple[str, str], set[Any]]] = {}
        self._texts: dict[tuple[str, str], tuple[int, bytes, str]] = {}

    def add(
        self, found: Found, document: str, coder: str, shown: str, annotated: Annotated, texts: bool
    ) -> None:
        """Add a document that a coder has finished; `shown` is its file."""
        self._check_text(document, shown, annotated)
        self._finished[document, coder] = None
        length = max(annotated.length, int(found.extents.get(document, (0, 0))[1]))
        found.extents[document] = 0, length
        if texts:
            self._keep_text(found, document, annotated)
        for what, count in (+annotated.left_out).items():
            found.leave_out(what, count)
        for mark in annotated.marks:
            for feature, values in self._values(mark):
                if mark.place is None:
                    said = self._said.setdefault((mark.layer, feature), defaultdict(set))
                    said[document, coder].update(values)
                else:
                    spans = self._spans.setdefault((mark.layer, feature), Spans("spans"))
                    for value in values:
                        spans.mark(document, coder, [mark.place], value)

    def _keep_text(self, found: Found, document: str, annotated: Annotated) -> None:
        if annotated.kind == "TSV":
            found.note(
                "WebAnno TSV does not contain the text between sentences: each sentence is a"
                " line, and there are no paragraphs"
            )
            found.texts.setdefault(document, annotated.text)
        else:
            found.texts[document] = annotated.text

    def _check_text(self, document: str, shown: str, annotated: Annotated) -> None:
        """Raise an error for two texts of one name, because their positions cannot be compared."""
        new = annotated.length, digest(annotated.text), shown
        length, text, other = self._texts.setdefault((document, annotated.kind), new)
        if (length, text) != new[:2]:
            raise ReadError(
                f"{other} and {shown} hold different texts of document {show(document)}"
                f" ({length:,} and {annotated.length:,} characters), so their positions cannot be"
                " compared: give documents different names with --document-from, or pass fewer"
                " files"
            )

    def _values(self, mark: Mark) -> Iterable[tuple[str, tuple[Any, ...]]]:
        asked = None if self._requested is None else self._requested.get(mark.layer)
        if (self._requested is not None and asked is None) or is_structure(mark.layer):
            return
        kept = [name for name in mark.features if asked is None or name in asked]
        for name in kept:
            value = mark.features[name]
            several = value if isinstance(value, tuple) else (value,)
            yield name, tuple(NO_VALUE if one is None else one for one in several) or (NO_VALUE,)
        if not kept:
            yield "", (_short(mark.layer),)

    def finish(self, found: Found) -> None:
        """Name the questions, and record who finished which document."""
        self._drop_unfilled(found)
        names = _names([*self._spans, *self._said])
        for key, spans in self._spans.items():
            joined = found.spans_of(names[key], spans.kind)
            joined.marked += spans.marked
            joined.seen |= self._finished
        for key, said in self._said.items():
            answers = found.answers_to(names[key], "labels of documents")
            for document, coder in self._finished:
                values = said.get((document, coder))
                answers.add(document, coder, None if values is None else frozenset(values))

    def _drop_unfilled(self, found: Found) -> None:
        """Drop features without values, if the layer has a feature with values."""
        empty = {key for key, spans in self._spans.items() if not any(map(_says, spans.marked))}
        filled = {layer for layer, _ in self._spans.keys() - empty}
        names = _names(self._spans)
        unfilled = [key for key in self._spans if key in empty and key[0] in filled]
        for key in unfilled:
            del self._spans[key]
        if unfilled:
            shown = ", ".join(show(names[key]) for key in unfilled[:10])
            more = f" and {len(unfilled) - 10:,} more" if len(unfilled) > 10 else ""
            found.note(f"{shown}{more} is not a question, because nobody filled it in")


def _says(span: Span) -> bool:
    return bool(span.category != NO_VALUE)


def _short(layer: str) -> str:
    return layer.rpartition(".")[2]


def _names(keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Name questions by layer and feature; use full names for layers whose names end alike."""
    keys = list(dict.fromkeys(keys))
    ends = Counter(_short(layer) for layer in {layer for layer, _ in keys})
    return {
        (layer, feature): (_short(layer) if ends[_short(layer)] == 1 else layer)
        + (f".{feature}" if feature else "")
        for layer, feature in keys
    }
