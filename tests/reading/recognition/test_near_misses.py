"""Labels that may be meant as one, or as sets, are found; other labels are not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import agreement_fast as af
from agreement_fast.errors import say
from agreement_fast.reading.recognition.columns import coders_apart
from agreement_fast.reading.recognition.labels import (
    LAST_BITS,
    label_notes,
    near_misses,
    separator_of_sets,
)


def notes(labels: list[Any]) -> list[str]:
    return [say(note) for note in label_notes(labels)]


@pytest.mark.parametrize(
    ("labels", "groups"),
    [
        (["yes", "Yes", "YES", "no"], [("yes", "Yes", "YES")]),
        (["no", "no ", " no", "n o"], [("no", "no ", " no")]),
        (["a  b", "a b", "a\tb", "a\u00a0b"], [("a  b", "a b", "a\tb", "a\u00a0b")]),
        ([1, "1", 2], [(1, "1")]),
        (["1", "1.0", "01"], [("1", "1.0", "01")]),
        (["1000", "1,000", "x"], [("1000", "1,000")]),
        ([1000, "1.000", "x"], [(1000, "1.000")]),
        ([True, "True", "true"], [(True, "True", "true")]),
        ([0.3, 0.1 + 0.2, 0.31], [(0.3, 0.1 + 0.2)]),
        ([0.5, "0.5"], [(0.5, "0.5")]),
        ([frozenset({"a", "b"}), frozenset({"A", "b"})],
         [(frozenset({"a", "b"}), frozenset({"A", "b"}))]),
        ([frozenset({1, 2}), frozenset({"1", 2}), frozenset({3})],
         [(frozenset({1, 2}), frozenset({"1", 2}))]),
        ([frozenset({True, 2}), frozenset({"true", 2}), frozenset({1, 3})],
         [(frozenset({True, 2}), frozenset({"true", 2}))]),
        ([frozenset({"a"}), frozenset({"b"}), "x", "X", frozenset({"a", "b"})], [("x", "X")]),
        ([frozenset({"01"}), frozenset({"1"})], [(frozenset({"01"}), frozenset({"1"}))]),
        ([frozenset({1}), frozenset({1.5, 1}), frozenset(), frozenset({2**1030})], []),
        (["B", "x", "b", "X"], [("B", "b"), ("x", "X")]),
        (["2", "1", "2,0", "2.5", "2,5"], [("2", "2,0"), ("2.5", "2,5")]),
        ([0.1, "10%", "20 %", 0.3], [(0.1, "10%")]),
        (["10", "10%", "x"], [("10", "10%")]),
        (["12,5%", 0.125, "0.7 %", 0.007], [("12,5%", 0.125), ("0.7 %", 0.007)]),
        (["2,0", "2,00", "x"], [("2,0", "2,00")]),
        (['"yes"', "yes", "'no'", "no", "`no`"], [('"yes"', "yes"), ("'no'", "no", "`no`")]),
        (["no.", "No", "'no.'", "yes"], [("no.", "No", "'no.'")]),
        (["«oui»", "oui", "„oui“", "non"], [("«oui»", "oui", "„oui“")]),
        (["not-sure", "not_sure", "Not sure:", "sure"], [("not-sure", "not_sure", "Not sure:")]),
        ([frozenset({"no."}), frozenset({"no"})], [(frozenset({"no."}), frozenset({"no"}))]),
        (["1", "10", "100", "1,000"], []),
        (["10%", "20%", "2,5", "3", "5,2%"], []),
        (["+", "-", ".", ":", '"', "''"], []),
        (["1-2", "1_2", "C", "C++", "12.", "1,2", "2"], []),
        # Labels that only look alike.
        (["yes", "no", "yes!"], []),
        ([1, 2, 3], []),
        ([2**60, 2**60 + 1, 1.5], []),
        ([str(2**53), str(2**53 + 1)], []),
        ([math.inf, -math.inf, 1.0], []),
        ([1e308, -1e308, 10**400], []),
        ([0.5, -(10**400)], []),
        (["1_0", "10"], []),
        (["nan", "inf", 1.0], []),
        ([0.30001, 0.3, "x"], []),
        ([], []),
    ],
)  # fmt: skip
def test_near_misses(labels: list[Any], groups: list[Any]) -> None:
    assert near_misses(labels) == groups


def test_last_bits_end_somewhere() -> None:
    one = 0.3
    near = far = one
    for _ in range(LAST_BITS):
        near = math.nextafter(near, 1)
    for _ in range(LAST_BITS + 1):
        far = math.nextafter(far, 1)
    assert near_misses([one, near]) == [(one, near)]
    assert near_misses([one, far]) == []
    # 32 bits write numbers as small as this one with few digits.
    small = float(np.float32(1e-39))
    near, far = small * (1 + 0.9e-7), small * (1 + 1.1e-7)
    assert near_misses([small, near]) == [(small, near)]
    assert near_misses([small, far]) == []


@pytest.mark.parametrize(
    ("labels", "mark"),
    [
        (["a", "b", "a|b"], "|"),
        (["a|b", "b|c"], "|"),
        (["CAUSES; SIDE_EFFECT", "CAUSES", "NONE"], ";"),
        (["a, b", "a", "b"], ","),
        (["a,b", "b,c", "a,c"], ","),
        (["1;3", "1", "3"], ";"),
        (["a|b", "c|d"], None),
        (["Boston, USA", "Lima, Peru", "Austin, USA"], None),
        (["yes, surely", "yes, perhaps", "no, never"], None),
        (["1,5", "2,5", "5"], None),
        (["a|", "a"], None),
        (["a", "b"], None),
        ([1, 2, frozenset("ab")], None),
        (["well; " + "x" * 41, "well"], None),
    ],
)
def test_separator_of_sets(labels: list[Any], mark: str | None) -> None:
    assert separator_of_sets(labels) == mark


def test_notes_list_what_they_are_about_and_end() -> None:
    end = "; merge_categories() makes one of several"
    (one,) = notes(["yes", "Yes", "no", 1, "1"])
    assert one.endswith(": 'yes' = 'Yes'; 1 = '1'" + end)
    (many,) = notes([f(c) for c in "abcdefg" for f in (str.lower, str.upper)])
    assert many.endswith("; 'e' = 'E'; 2 more" + end)
    for labels in (["a;b", "b", "a"], [7, "a;b", "b", "a"]):
        assert notes(labels) == [
            "labels such as 'a;b' look like sets: if they are, pass set_separator=';' to "
            "af.Annotations.from_wide or from_frame"
        ]
    assert notes(["yes", "no"]) == []
    assert "\x1b" not in notes(["\x1b[31ma", "\x1b[31mA"])[0]


def test_a_coder_of_a_part_may_have_a_label_of_their_own() -> None:
    """A column with few repeated texts gets a warning; with as many as others, it is refused."""
    rows = [["xyz"[i % 3], "xyz"[i % 3] if i % 4 else "x", None] for i in range(12)]
    for row in rows[2:6]:
        row[2] = "other"
    for table in (rows, pd.DataFrame(rows, columns=["ann", "bob", "cid"])):
        with pytest.warns(af.ShapeHint, match=r"counts as a coder and shares no label with other"):
            result = af.alpha(table)
        with pytest.warns(af.ShapeHint):
            assert result == af.alpha(af.Annotations.from_wide(rows))
    for row in rows[:8]:
        row[2] = "other"
    with pytest.raises(ValueError, match="shares no label with other columns"):
        af.alpha(pd.DataFrame(rows, columns=["ann", "bob", "cid"]))
    numbers = [[i % 3, i % 3 if i % 4 else 0, 77 if 1 < i < 6 else None] for i in range(12)]
    with pytest.raises(ValueError, match="shares no label with other columns"):
        af.alpha(pd.DataFrame(numbers, columns=["ann", "bob", "cid"]))


def test_labels_that_one_other_coder_has_are_shared() -> None:
    """Pairs of coders have labels of their own; what is written differently is found among many."""
    names, labels = range(13), [f"{x}{pair}" for pair in range(7) for x in "yn"]
    # One of a pair differs once, as no copy does.
    rows = [(i, c, c // 2 * 2 + (i + (c % 2 and i == 5)) % 2) for i in range(12) for c in names]
    notes = coders_apart(*np.array(rows).T, names, labels)
    assert len(notes) == 1
    assert "coder 12 has no label in common with the others" in notes[0]


def test_of_very_many_elements_none_is_looked_at() -> None:
    """Mentions and documents have names; codes are few."""
    sets = [frozenset((f"m{i}", "m")) for i in range(998)]
    alike = "'M' = 'm'"
    assert alike in " ".join(say(note) for note in label_notes([*sets[:-2], frozenset("xM")]))
    assert alike not in " ".join(say(note) for note in label_notes([*sets, frozenset("xM")]))
