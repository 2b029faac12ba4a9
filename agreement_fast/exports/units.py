"""Make units on a continuum from spans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from agreement_fast.exports.found import Found, Spans
from agreement_fast.files.errors import ReadError

__all__ = ["Units", "units_of_spans"]


@dataclass(frozen=True)
class Units:
    """Arguments of `Continuum.from_rows`, one unit per place.

    Attributes
    ----------
    coders, starts, ends, categories, documents : list
        The units.
    extents : dict of document to (begin, end)
        If the tool does not give them, a document ends with its last unit.
    everyone : tuple
        All coders, also those who marked nothing.
    notes : list of str
        What was left out or joined.
    step : float
        Positions are multiples of this number.
    """

    coders: list[Any]
    starts: list[float]
    ends: list[float]
    categories: list[Any]
    documents: list[Any]
    extents: dict[Any, tuple[float, float]]
    everyone: tuple[Any, ...]
    notes: list[str]
    step: float = 1.0


def units_of_spans(spans: Spans, found: Found, coders: Collection[Any] | None = None) -> Units:
    """Make units of spans.

    A continuum has no missing coders: a coder without marks left a gap. Therefore only documents
    that all coders finished are kept. A span with gaps becomes one unit per part. Overlapping units
    of one coder and category are joined, and units of length 0 are left out.

    Parameters
    ----------
    spans : Spans
        The spans of a layer.
    found : Found
        Extents of the documents.
    coders : collection, optional
        The coders to compare; by default all of them.

    Returns
    -------
    Units
        The units and the notes on them.

    Raises
    ------
    ReadError
        If no document was finished by all coders.
    """
    seen: dict[Any, set[Any]] = defaultdict(set)
    for document, coder in spans.seen:
        if coders is None or coder in coders:
            seen[document].add(coder)
    everyone = tuple(dict.fromkeys(c for _, c in spans.seen if coders is None or c in coders))
    kept = [document for document, who in seen.items() if len(who) == len(everyone)]
    if not kept:
        raise ReadError(
            f"no document was finished by all {len(everyone)} coders, and a continuum has no"
            " missing judgments: choose some with --only-coders, or make items of the spans with"
            " --spans exact"
        )
    notes = []
    if len(kept) < len(seen):
        notes.append(
            f"{len(seen) - len(kept):,} of {len(seen):,} documents were left out: not all"
            f" {len(everyone)} coders finished them"
        )
    merged: dict[tuple[Any, Any, Any], list[tuple[float, float]]] = defaultdict(list)
    requested, empty, broken = set(kept), 0, 0
    for span in spans.marked:
        if span.document not in requested or not (coders is None or span.coder in coders):
            continue
        broken += len(span.parts) > 1
        solid = [part for part in span.parts if part[0] < part[1]]
        empty += len(span.parts) - len(solid)
        merged[span.document, span.coder, span.category] += solid
    joined = 0
    units = Units([], [], [], [], [], {}, everyone, notes, found.step)
    for (document, coder, category), parts in merged.items():
        disjoint = _disjoint(parts)
        joined += len(parts) - len(disjoint)
        for begin, end in disjoint:
            units.documents.append(document)
            units.coders.append(coder)
            units.categories.append(category)
            units.starts.append(begin)
            units.ends.append(end)
    if broken:
        notes.append(f"spans with gaps became one unit for each of their parts ({broken:,})")
    if joined:
        notes.append(
            "units that overlapped another one of the same coder and category were joined"
            f" ({joined:,})"
        )
    if empty:
        notes.append(f"spans of no length were left out ({empty:,})")
    units.extents.update(_extents(units, kept, found))
    return units


def _extents(units: Units, documents: list[Any], found: Found) -> dict[Any, tuple[float, float]]:
    """Return where documents begin and end; inferred ends are noted."""
    first: dict[Any, float] = {}
    last: dict[Any, float] = {}
    for document, begin, end in zip(units.documents, units.starts, units.ends, strict=True):
        first[document] = min(first.get(document, 0), begin)
        last[document] = max(last.get(document, 0), end)
    extents = {}
    inferred = unknown = 0
    for document in documents:
        if document in found.extents:
            extents[document] = found.extents[document]
        elif document in last:
            extents[document] = first[document], last[document]
            inferred += 1
        else:
            unknown += 1
    if inferred:
        units.notes.append(
            "documents without a length in the export are taken to end with their last unit, and"
            f" all values depend on that ({inferred:,})"
        )
    if unknown:
        units.notes.append(
            "documents without a length in the export were left out if nobody marked anything"
            f" ({unknown:,})"
        )
    return extents


def _disjoint(parts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join overlapping intervals; intervals that only touch are kept apart."""
    disjoint: list[tuple[float, float]] = []
    for begin, end in sorted(parts):
        if disjoint and begin < disjoint[-1][1]:
            disjoint[-1] = disjoint[-1][0], max(end, disjoint[-1][1])
        else:
            disjoint.append((begin, end))
    return disjoint
