"""Segmentations: boundaries and segments as judgments, WindowDiff and P_k beside NLTK's."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.segmentation import pk, windowdiff

import agreement_fast as af
from agreement_fast import distances, units

MARKS = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.text("01", min_size=n, max_size=n)] * 2, st.integers(1, n))
)


@given(marks=MARKS)
def test_scores_are_those_of_nltk(marks):
    """Both scores for any window, weighted and not."""
    reference, hypothesis, window = marks
    assert units.p_k(reference, hypothesis, window=window) == pytest.approx(
        pk(reference, hypothesis, window), rel=1e-15
    )
    for weighted in (False, True):
        result = units.window_diff(reference, hypothesis, window=window, weighted=weighted)
        correct = windowdiff(reference, hypothesis, window, weighted=weighted)
        assert result == pytest.approx(correct, rel=1e-15)


@given(marks=MARKS)
def test_scores_are_their_definitions(marks):
    """Pairs of elements k apart: how many boundaries lie between them, and whether one does."""
    reference, hypothesis, window = marks
    ends = range(len(reference) + 1 - window)
    between = [(r[i : i + window].count("1"), r) for r in (reference, hypothesis) for i in ends]
    there, here = between[: len(ends)], between[len(ends) :]
    differ = [a[0] != b[0] for a, b in zip(there, here, strict=True)]
    split = [(a[0] > 0) != (b[0] > 0) for a, b in zip(there, here, strict=True)]
    assert units.window_diff(reference, hypothesis, window=window) == pytest.approx(
        sum(differ) / len(ends)
    )
    assert units.p_k(reference, hypothesis, window=window) == pytest.approx(sum(split) / len(ends))


def test_the_default_window_is_half_the_mean_segment():
    """Twelve elements in three segments: half of 4 is 2."""
    reference, hypothesis = units.from_lengths([4, 4, 4]), units.from_lengths([2, 6, 4])
    for score in (units.window_diff, units.p_k):
        assert score(reference, hypothesis) == score(reference, hypothesis, window=2)
        assert score("11", "11") == 0  # half of 1 is at least 1


def test_raw_scores_say_that_they_are_raw():
    """The docstring says that they are not corrected for chance."""
    for score in (units.window_diff, units.p_k):
        assert "not corrected for chance" in score.__doc__


@given(lengths=st.lists(st.integers(1, 9), min_size=1, max_size=9))
def test_lengths_make_segments(lengths):
    """From lengths to boundaries and back."""
    marks = units.from_lengths(lengths)
    spans = units.segments(marks)
    assert len(marks) == sum(lengths) - 1
    assert np.diff(spans, axis=1)[:, 0].tolist() == lengths
    assert spans[0, 0] == 0
    assert (spans[1:, 0] == spans[:-1, 1]).all()


FORMS = {
    "text": lambda marks: "".join(map(str, marks)),
    "list": list,
    "bool": lambda marks: np.array(marks, bool),
    "float": lambda marks: np.array(marks, float),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_segmentation_is_the_same_in_every_form(form):
    """Text, lists and arrays."""
    marks = [0, 1, 0, 0, 1, 0]
    assert units.segments(FORMS[form](marks)).tolist() == [[0, 2], [2, 5], [5, 7]]
    assert units.p_k(marks, FORMS[form](marks)) == 0


def test_the_window_is_half_of_the_mean_segment():
    """11 elements in two segments: half of 5.5 is 2.75, three places. Of 10 it would be two."""
    reference, hypothesis = "0000100000", "0010000100"
    assert units.from_lengths([5, 6]).tolist() == [int(mark) for mark in reference]
    for measure in (units.p_k, units.window_diff):
        result = measure(reference, hypothesis)
        assert result == measure(reference, hypothesis, window=3)
        assert result != measure(reference, hypothesis, window=2)


@examples(50)
@given(marks=MARKS)
def test_boundaries_are_judgments_of_two_categories(marks):
    """Each place is an item, each coder says 0 or 1; texts join under their names."""
    first, second, _ = marks
    data = units.judgments({"A": first, "B": second})
    rows = [[int(a), int(b)] for a, b in zip(first, second, strict=True)]
    assert data.to_wide().tolist() == rows
    assert data.categories == (0, 1)
    texts = {"A": {"d": first, "e": first}, "B": {"d": second}, "C": {"e": second}}
    both = units.judgments(texts)
    names = [(text, place) for text in "de" for place in range(len(first))]
    assert list(both.items) == names
    own = [[a, b, None] for a, b in rows], [[a, None, b] for a, b in rows]
    assert both.to_wide().tolist() == [*own[0], *own[1]]


@examples(50)
@given(marks=MARKS)
def test_segments_are_judgments_of_spans(marks):
    """Each element is an item; a coder's label is the segment that holds it."""
    first, second, _ = marks
    data = units.judgments({"A": first, "B": second}, "segment")
    assert data.n_items == len(first) + 1
    for column, text in enumerate((first, second)):
        spans = [tuple(span) for span in units.segments(text).tolist()]
        correct = [span for span in spans for _ in range(*span)]
        assert [row[column] for row in data.to_wide().tolist()] == correct
    named = units.judgments({"A": {"d": first}}, "segment")
    assert all(label[0] == "d" for label in named.categories)


def test_segments_are_milder_than_boundaries():
    """Artstein & Poesio 2005, 4.4: coders who agree on the bulk of segments agree, under Dice."""
    coders = {
        "A": units.from_lengths([10, 12, 8]),
        "B": units.from_lengths([11, 11, 8]),
        "C": units.from_lengths([10, 11, 9]),
    }

    strict = af.alpha(units.judgments(coders)).value
    elements = units.judgments(coders, "segment")
    mild = af.alpha(elements, distances.spans("dice")).value
    assert strict < 0.4 < 0.85 < mild


@pytest.mark.parametrize("name", ["dice", "jaccard"])
def test_segments_compare_as_sets_of_elements(name):
    """Spans, and the same segments written out as sets of their elements."""
    coders = {"A": "0010010000", "B": "0001010001", "C": "0010000100"}
    spans = units.judgments(coders, "segment")
    sets = [[frozenset(range(*label)) for label in row] for row in spans.to_wide().tolist()]
    correct = af.alpha(af.Annotations.from_wide(sets), name).value
    assert af.alpha(spans, distances.spans(name)).value == pytest.approx(correct, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: units.p_k("010", "01"), ValueError, "3 places.*and coder hypothesis 2"),
        (lambda: units.p_k("010", "0x0"), ValueError, "coder hypothesis: place 1 has 'x'"),
        (lambda: units.p_k([0, 2], "00"), ValueError, "coder reference: place 1 has 2"),
        (lambda: units.p_k([0, float("nan")], "00"), ValueError, "place 1 has nan"),
        (lambda: units.p_k([[0], [1]], "00"), ValueError, "2 deep"),
        (lambda: units.p_k(["0", "1"], "01"), TypeError, "row of 0 and 1"),
        (
            lambda: units.p_k("01", "01", window=3),
            ValueError,
            "1 to 2 places wide, not 3",
        ),
        (
            lambda: units.p_k("01", "01", window=0),
            ValueError,
            "1 to 2 places wide, not 0",
        ),
        (lambda: units.p_k("01", "01", window=1.5), TypeError, "whole number of places"),
        (lambda: units.p_k("", ""), ValueError, "no place for a boundary"),
        (lambda: units.from_lengths([2, 0]), ValueError, "segment 1 must have .*, not 0"),
        (lambda: units.from_lengths([]), ValueError, "at least one segment"),
        (lambda: units.from_lengths([1.5]), TypeError, "whole numbers"),
        (lambda: units.judgments({}), ValueError, "1 coders or more, not 0"),
        (lambda: units.judgments(["01"]), TypeError, "mapping"),
        (
            lambda: units.judgments({"A": "01", "B": "0"}, "segment"),
            ValueError,
            "coder A has 2 places.*coder B 1",
        ),
        (lambda: units.judgments({"A": "02"}), ValueError, "coder A: place 1"),
    ],
)
def test_bad_segmentations_say_whose_and_where(call, error, text):
    """Each with its coder, its place and what is expected."""
    with pytest.raises(error, match=text):
        call()
