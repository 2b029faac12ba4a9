"""Spans as items and as units, compared with what the definitions say place by place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loops import nonempty

from agreement_fast.files.errors import ReadError
from agreement_fast.files.exports.segments import (
    READINGS,
    items_of_spans,
    reading_named,
    units_of_spans,
)
from agreement_fast.files.exports.tool import Contents, Spans
from agreement_fast.reading.span_items import NOT_MARKED

LENGTH = 12
PART = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 4)).map(
    lambda pair: (pair[0], min(pair[0] + pair[1], LENGTH))
)
SPAN = st.tuples(
    st.sampled_from("de"),
    st.sampled_from(["ann", "ben", "eve"]),
    st.lists(PART, min_size=1, max_size=2, unique=True),
    st.sampled_from("XY"),
)
SEEN = st.lists(st.tuples(st.sampled_from("de"), st.sampled_from(["ann", "ben", "eve"])))
TEXT = "ab c.\n\nde\nfg"  # as long as LENGTH


def found_of(marked: Any, seen: Any) -> tuple[Contents, Spans]:
    result = Contents()
    spans = result.spans_of("layer", "labels")
    for document, coder in seen:
        spans.see(document, coder)
    for document, coder, parts, name in marked:
        spans.mark(document, coder, parts, name)
    for document in "de":
        result.extents[document] = (0, LENGTH)
        result.texts[document] = TEXT
    return result, spans


def listed(spans: Spans, result: Contents, how: str) -> dict[tuple[str, str], list[Any]]:
    """Give the labels of each item and coder, those of a repeated judgment sorted."""
    answers = items_of_spans(spans, result, how)
    labels: dict[tuple[str, str], list[Any]] = {}
    for item, coder, label in zip(answers.item, answers.coder, answers.label, strict=True):
        key = answers.items.values[item], answers.coders.values[coder]
        labels.setdefault(key, []).append(answers.labels.values[label])
    return {key: sorted(some, key=str) for key, some in labels.items()}


def as_labels(said: dict[Any, Any]) -> dict[Any, list[Any]]:
    """Categories of each item and coder as labels: sets, if somebody gave several."""
    if any(len(some) > 1 for some in said.values()):
        return {key: [frozenset(some)] for key, some in said.items()}
    return {key: list(some) or [NOT_MARKED] for key, some in said.items()}


def name(spans: Spans, document: str, text: str) -> str:
    return f"{document}:{text}" if len({d for d, _ in spans.seen}) > 1 else text


@given(marked=st.lists(SPAN, max_size=8), seen=SEEN)
def test_exact_spans(marked: Any, seen: Any) -> None:
    result, spans = found_of(marked, seen)
    expected = {}
    for document in {d for d, _ in spans.seen}:
        for parts in {one.parts for one in spans.marked if one.document == document}:
            text = name(spans, document, ", ".join(f"{a}-{b}" for a, b in parts))
            for coder in {c for d, c in spans.seen if d == document}:
                key = document, coder, parts
                said = {s.category for s in spans.marked if (s.document, s.coder, s.parts) == key}
                expected[text, coder] = said
    assert listed(spans, result, "exact") == as_labels(expected)


@given(marked=st.lists(SPAN, max_size=8), seen=SEEN)
def test_overlapping_spans(marked: Any, seen: Any) -> None:
    result, spans = found_of(marked, seen)
    expected = {}
    for document in {d for d, _ in spans.seen}:
        some = [one for one in spans.marked if one.document == document]
        places = [{p for a, b in one.parts for p in range(a, b)} for one in some]
        cluster = list(range(len(some)))
        for _ in some:  # until nothing moves
            for i in range(len(some)):
                for j in range(len(some)):
                    if places[i] & places[j]:
                        cluster[i] = cluster[j] = min(cluster[i], cluster[j])
        for root in set(cluster):
            members = [one for one, its in zip(some, cluster, strict=True) if its == root]
            covered = set().union(
                *(p for p, its in zip(places, cluster, strict=True) if its == root)
            )
            begins = sorted(p for p in covered if p - 1 not in covered)
            ends = sorted(p + 1 for p in covered if p + 1 not in covered)
            runs = ", ".join(f"{a}-{b}" for a, b in zip(begins, ends, strict=True))
            text = name(spans, document, runs)
            for coder in {c for d, c in spans.seen if d == document}:
                said = sorted({one.category for one in members if one.coder == coder})
                expected[text, coder] = said
    assert listed(spans, result, "overlapping") == as_labels(expected)


PIECES = {
    "document": [(0, 12)],
    "paragraph": [(0, 7), (7, 12)],
    "line": [(0, 7), (7, 10), (10, 12)],
    "5 characters": [(0, 5), (5, 10), (10, 12)],
    "4": [(0, 4), (4, 8), (8, 12)],
    "99 characters": [(0, 12)],
}


@pytest.mark.few("document", "paragraph", "4")
@pytest.mark.parametrize("how", PIECES)
@given(marked=st.lists(SPAN, max_size=8), seen=SEEN)
def test_pieces_of_the_text(how: str, marked: Any, seen: Any) -> None:
    result, spans = found_of(marked, seen)
    expected = {}
    for document in {d for d, _ in spans.seen}:
        for begin, end in PIECES[how]:
            for coder in {c for d, c in spans.seen if d == document}:
                said = frozenset(
                    one.category
                    for one in spans.marked
                    if (one.document, one.coder) == (document, coder)
                    and any(a < end and begin < b for a, b in one.parts)
                )
                expected[name(spans, document, f"{begin}-{end}"), coder] = [said]
    assert listed(spans, result, how) == expected


@given(
    marked=st.lists(SPAN, max_size=8),
    seen=SEEN,
    only=st.none() | st.sets(st.sampled_from(["ann", "ben", "eve"]), min_size=1),
)
def test_units(marked: Any, seen: Any, only: Any) -> None:
    result, spans = found_of(marked, seen)
    coders = {c for _, c in spans.seen if only is None or c in only}
    pairs = {(d, c) for d, c in spans.seen if c in coders}
    kept = {d for d, _ in pairs}
    finished = [sum(d == e for e, _ in pairs) for d in kept]
    if not coders or max(finished) < min(len(coders), 2):
        with pytest.raises(ReadError, match="no document was finished by two"):
            units_of_spans(spans, result, only)
        return
    units = units_of_spans(spans, result, only)
    assert set(units.everyone) == coders
    assert set(units.seen) == pairs
    assert units.extents == dict.fromkeys(kept, (0, LENGTH))
    covered: dict[Any, list[int]] = {}
    for document, coder, begin, end, name in zip(
        units.documents, units.coders, units.starts, units.ends, units.categories, strict=True
    ):
        covered.setdefault((document, coder, name), []).extend(range(int(begin), int(end)))
    for key, places in covered.items():
        assert len(places) == len(set(places)), key  # units of a category do not overlap
    expected: dict[Any, set[int]] = {}
    for one in spans.marked:
        if one.document in kept and one.coder in coders:
            for a, b in one.parts:
                expected.setdefault((one.document, one.coder, one.category), set()).update(
                    range(a, b)
                )
    assert {key: set(places) for key, places in covered.items()} == expected
    assert sum("not finished by all" in note for note in units.notes) == (
        min(finished) < len(coders)
    )


def test_units_that_touch_stay_two() -> None:
    result, spans = found_of([("d", "ann", [(0, 2)], "X"), ("d", "ann", [(2, 4)], "X")], [])
    units = units_of_spans(spans, result)
    assert list(zip(units.starts, units.ends, strict=True)) == [(0, 2), (2, 4)]


def test_documents_of_unknown_length() -> None:
    result, spans = found_of(
        [("d", "ann", [(3, 8)], "X")], [("d", "ben"), ("e", "ann"), ("e", "ben")]
    )
    result.extents.clear()
    units = units_of_spans(spans, result)
    assert units.extents == {"d": (0, 8)}
    assert [(note.split(",")[0], note[-3:]) for note in units.notes] == [
        (
            "documents without a length in the export are taken to end with their last unit",
            "(1)",
        ),
        (
            "documents without a length in the export were left out if nobody marked anything (1)",
            "(1)",
        ),
    ]
    result.texts.clear()
    for how, said in (
        ("line", "the text"),
        ("paragraph", "the text"),
        ("5 characters", "how long"),
    ):
        with pytest.raises(ReadError, match=said):
            items_of_spans(spans, result, how)
    assert listed(spans, result, "document")["d:0-8", "ann"] == [frozenset("X")]


def test_spans_of_no_length() -> None:
    result, spans = found_of([("d", "ann", [(5, 5)], "X"), ("d", "ben", [(12, 12)], "X")], [])
    assert listed(spans, result, "exact") == {
        ("5-5", "ann"): ["X"], ("5-5", "ben"): [NOT_MARKED],
        ("12-12", "ann"): [NOT_MARKED], ("12-12", "ben"): ["X"],
    }  # fmt: skip
    assert listed(spans, result, "5 characters")["5-10", "ann"] == [frozenset("X")]
    assert listed(spans, result, "5 characters")["10-12", "ben"] == [frozenset("X")]
    assert "spans of no length were left out (2)" in units_of_spans(spans, result).notes


@pytest.mark.parametrize("how", ["", "exactly", "0 characters", "-3", "5 words", "1e3"])
def test_readings_that_are_none(how: str) -> None:
    with pytest.raises(ReadError, match="spans must be continuum, exact"):
        reading_named(how)


def test_every_reading_says_what_it_does() -> None:
    for reading in nonempty(READINGS.values()):
        assert reading.description
