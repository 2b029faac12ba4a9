"""Spans as items and as programs are scored, against every matching tried out."""

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast import units

CODERS = "ABC"
LENGTH = 9


@st.composite
def spans(draw):
    """Units of three coders, who saw some documents each: nested, alike and in pieces."""
    seen = {
        document: draw(st.lists(st.sampled_from(CODERS), unique=True, min_size=1))
        for document in ["d", "e", "f"][: draw(st.integers(1, 3))]
    }
    marked = {}
    for document, coders in seen.items():
        for coder in coders:
            for _ in range(draw(st.integers(0, 4))):
                places = draw(st.sets(st.integers(0, LENGTH - 1), min_size=1, max_size=5))
                if draw(st.booleans()):
                    places = range(min(places), max(places) + 1)
                pieces, at = [], None
                for place in sorted(places):
                    if place == at:
                        pieces[-1] = (pieces[-1][0], place + 1)
                    else:
                        pieces.append((place, place + 1))
                    at = place + 1
                marked[coder, document, draw(st.sampled_from("xy")), tuple(pieces)] = None
    return sorted(marked), seen


def continuum(marked, seen):
    rows = [
        (coder, start, end, category, document, name)
        for name, (coder, document, category, pieces) in enumerate(marked)
        for start, end in pieces
    ]
    columns = list(zip(*rows, strict=True)) or [()] * 6
    return units.Continuum.from_rows(
        *columns[:5],
        units=columns[5],
        seen=seen,
        all_coders=list(CODERS),
        extents=dict.fromkeys(seen, LENGTH),
    )


def places_of(pieces):
    return {place for start, end in pieces for place in range(start, end)}


MATCH = {
    "exact": lambda a, b: a == b,
    "near": lambda a, b: (
        len(a) == len(b)
        and all(
            abs(p - q) <= 1 for x, y in zip(a, b, strict=True) for p, q in zip(x, y, strict=True)
        )
    ),
    "overlap": lambda a, b: bool(places_of(a) & places_of(b)),
}


def most_pairs(one, other, match):
    """The size of the largest matching: each unit is left alone or given each free partner."""
    if not one:
        return 0
    best = most_pairs(one[1:], other, match)
    for i, candidate in enumerate(other):
        if match(one[0], candidate):
            rest = other[:i] + other[i + 1 :]
            best = max(best, 1 + most_pairs(one[1:], rest, match))
    return best


def counted(marked, seen, how, labels):
    """Matches, and what each of two coders has, by pair and group of a document and category."""
    result = {}
    for a, b in combinations(CODERS, 2):
        for document, coders in seen.items():
            if not {a, b} <= set(coders):
                continue
            for category in "xy" if labels else [None]:
                one, other = (
                    [u[3] for u in marked if u[:2] == (who, document) and category in (None, u[2])]
                    for who in (a, b)
                )
                if how == "positions":
                    one, other = (set().union(*map(places_of, some)) for some in (one, other))
                    size = len(one & other)
                else:
                    size = most_pairs(one, other, MATCH[how])
                old = result.get((a, b, category), (0, 0, 0))
                new = (size, len(one), len(other))
                result[a, b, category] = tuple(x + y for x, y in zip(old, new, strict=True))
    return result


def f1(counts):
    return Fraction(2 * counts[0], counts[1] + counts[2]) if sum(counts[1:]) else None


def mean(values):
    values = [value for value in values if value is not None]
    return sum(values, Fraction(0)) / len(values) if values else None


def same(result, correct):
    if correct is None:
        assert math.isnan(result)
    else:
        assert result == pytest.approx(float(correct), abs=1e-14)


@examples(40)
@given(spans(), st.sampled_from(["exact", "near", "overlap", "positions"]), st.booleans())
def test_scores_are_those_of_the_largest_matching(study, how, labels):
    marked, seen = study
    data = continuum(marked, seen)
    near = {"measure": "exact", "tolerance": 1} if how == "near" else {"measure": how}
    by = "label" if labels else None
    counts = counted(marked, seen, how, labels)
    result = units.scores(data, **near, labelled=labels, by=by, n_resamples=1, rng=1)
    how = near["measure"]
    micros, macros = [], []
    for a, b in combinations(CODERS, 2):
        own = [counts.get((a, b, category), (0, 0, 0)) for category in ("xy" if labels else [None])]
        if data.coders.index(a) > data.coders.index(b):
            a, b, own = b, a, [(m, other, one) for m, one, other in own]
        together = tuple(map(sum, zip(*own, strict=True)))
        score = result.of(how, a, b)
        same(score.value, f1(together))
        same(score.precision, Fraction(together[0], together[2]) if together[2] else None)
        same(score.recall, Fraction(together[0], together[1]) if together[1] else None)
        assert (score.n_matched, score.n_key, score.n_response) == together
        assert score.n_documents == sum({a, b} <= set(coders) for coders in seen.values())
        micros.append(f1(together))
        if labels and data.categories:
            macros.append(mean(map(f1, own)))
            same(result.of(how, a, b, average="macro").value, macros[-1])
            for category, counted_here in zip("xy", own, strict=True):
                if category in data.categories:
                    same(result.of(how, a, b, category).value, f1(counted_here))
    same(result[how].value, mean(micros))
    if labels and data.categories:
        same(result.of(how, average="macro").value, mean(macros))
    assert math.isnan(result[how].precision)


def test_the_mean_counts_every_document_of_some_pair():
    marked = [("A", "d", "x", ((0, 2),)), ("B", "e", "x", ((0, 2),))]
    result = units.scores(continuum(marked, {"d": ["A", "B"], "e": ["B", "C"], "f": ["A"]}))
    assert [result.of("exact", *pair).n_documents for pair in combinations(CODERS, 2)] == [1, 0, 1]
    assert result["exact"].n_documents == 2


@examples(40)
@given(spans())
def test_spans_are_judged_by_who_saw_their_document(study):
    """The judgments of exact spans and of positions are those of looking each one up."""
    marked, seen = study
    exact = units.judgments(continuum(marked, seen))
    correct = {}
    for document, coders in seen.items():
        for pieces in {u[3] for u in marked if u[1] == document}:
            name = ", ".join(f"{start}-{end}" for start, end in pieces)
            name = f"{document}:{name}" if len(seen) > 1 else name
            for coder in coders:
                marks = {
                    u[2] for u in marked if u[0] == coder and u[1] == document and u[3] == pieces
                }
                correct[name, coder] = marks
    sets = any(len(marks) > 1 for marks in correct.values())
    assert len(exact.items) == len({name for name, _ in correct})
    table = exact.to_wide()
    for row, item in enumerate(exact.items):
        for column, coder in enumerate(exact.coders):
            marks = correct.get((item, coder))
            label = table[row, column]
            if marks is None:
                assert label is None
            elif sets:
                assert label == frozenset(marks)
            else:
                assert label == (min(marks) if marks else "not marked")


@examples(40)
@given(spans())
def test_positions_disagree_as_u_alpha_does(study):
    """α over places has the observed disagreement of uα, also for missing coders."""
    data = continuum(*study)
    family = units.u_alpha(data)
    judged = units.judgments(data, "positions")
    assert judged.n_items == LENGTH * len(study[1])
    if family.undefined is None:
        result = af.alpha(judged)
        assert result.observed_disagreement == pytest.approx(family.observed_disagreement)


def test_overlapping_spans_are_one_item_through_others():
    data = units.Continuum.from_rows(
        list("AABB"), [0, 4, 2, 8], [3, 6, 5, 9], list("xyxx"), extents=10
    )
    judged = units.judgments(data, "overlap")
    assert judged.to_wide().tolist() == [
        [frozenset("xy"), frozenset("x")],
        [frozenset(), frozenset("x")],
    ]
    assert judged.items == ("0-6", "8-9")


def letters(n, seed=2):
    """Documents of three coders who move and rename units, with one who saw the even ones only."""
    rng = np.random.default_rng(seed)
    rows = []
    for document in range(n):
        for start in range(0, 40, 8):
            for coder in "ABC"[: 3 - document % 2]:
                if rng.random() < 0.85:
                    at = start + int(rng.integers(0, 2))
                    rows.append((coder, at, start + 6, "xy"[int(rng.random() < 0.3)], document))
    return units.Continuum.from_rows(
        *zip(*rows, strict=True),
        extents=50,
        seen={document: list("ABC"[: 3 - document % 2])
              for document in range(n)},
    )  # fmt: skip


def test_intervals_are_of_documents_written_out():
    """A resample's value is that of its documents; the interval holds the value."""
    data = letters(12)
    result = units.scores(data, "overlap", n_resamples=200, rng=3)
    for score in result:
        assert score.low < score.value < score.high
        assert score.undefined is None
    again = units.scores(data, "overlap", n_resamples=200, rng=3, threads=1)
    assert str(result) == str(again)
    assert result.of("overlap", "A", "C").n_documents == 6
    plain = units.scores(data, "overlap", method="percentile", n_resamples=200, rng=3)
    half = units.scores(letters(48), "overlap", method="percentile", n_resamples=200, rng=3)
    assert half[-1].high - half[-1].low < plain[-1].high - plain[-1].low


def test_one_document_has_no_interval_and_says_so():
    data = units.Continuum.from_rows("AB", [0, 0], [4, 5], extents=9)
    (score, *_) = units.scores(data, tolerance=1, rng=1)
    assert score.value == 1
    assert math.isnan(score.low)
    assert "one document" in score.note
    assert repr(score).startswith("<exact, A / B: F = 1 (precision 1.0000, recall 1.0000); one doc")
    assert "one document" in str(units.scores(data, rng=1))


def test_pairs_without_documents_or_spans_are_undefined():
    data = units.Continuum.from_rows(
        "AB", [0, 0], [4, 5], documents="de", extents=9, seen={"d": ["A", "C"], "e": ["B"]}
    )
    result = units.scores(data, rng=1)
    assert result.of("exact", "A", "B").undefined == "no document that both coders judged"
    assert result.of("exact", "A", "C").value == 0
    assert result["exact"].value == 0
    silent = units.Continuum.from_rows([], [], [], all_coders=["A", "B"], extents=9)
    assert units.scores(silent, rng=1)["exact"].undefined == "neither marked anything"


def test_a_tolerance_is_in_the_units_of_the_positions():
    data = units.Continuum.from_rows("AB", [0.1, 0.15], [0.7, 0.7], extents=2.5, resolution=0.01)
    assert units.scores(data, tolerance=0.05, rng=1)["exact"].value == 1
    assert units.scores(data, tolerance=0.049, rng=1)["exact"].value == 0


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"measure": "some"}, "measure must be"),
        ({"tolerance": -1}, "tolerance must be a number from 0 on"),
        ({"tolerance": "1"}, "tolerance must be a number"),
        ({"tolerance": True}, "tolerance must be a number"),
        ({"tolerance": math.nan}, "tolerance must be a number"),
        ({"measure": "overlap", "tolerance": 1}, "tolerance is for spans that match by their ends"),
        ({"by": "label", "labelled": False}, "have no scores of categories"),
        ({"head": "source", "threshold": 0.6}, "threshold is not for Continuum"),
        ({"n_resamples": 0}, "n_resamples"),
    ],
)
def test_what_cannot_be_asked_is_refused(change, text):
    with pytest.raises(ValueError, match=text):
        units.scores(letters(2), **change)


def test_spans_of_other_data_and_names_are_refused():
    with pytest.raises(TypeError, match=r"Continuum\.from_rows"):
        units.scores([1])
    with pytest.raises(KeyError, match="the pairs, in this order, are 'A' and 'B'"):
        units.scores(letters(2), n_resamples=1).of("exact", "B", "D")
    with pytest.raises(ValueError, match="item must be"):
        units.judgments(letters(2), "line")
    named = units.Continuum.from_rows("AB", [0, 0], [4, 5], ["x", "not marked"])
    with pytest.raises(ValueError, match="rename the category"):
        units.judgments(named)


def matches(first, second, **options):
    """How many units of two coders match; a unit is a list of pieces."""
    rows = [
        (coder, start, end, name)
        for coder, marked in (("A", first), ("B", second))
        for name, pieces in enumerate(marked)
        for start, end in pieces
    ]
    coders, starts, ends, names = zip(*rows, strict=True)
    data = units.Continuum.from_rows(coders, starts, ends, units=names, extents=20)
    return units.scores(data, **options, n_resamples=1)[0].n_matched


@pytest.mark.parametrize(
    ("first", "second", "measure", "count"),
    [
        # a long unit is met behind the end of one that it holds
        ([[(5, 6)]], [[(0, 9)], [(1, 2)]], "overlap", 1),
        # units that only touch do not meet, also where a longer one does
        ([[(3, 4)], [(3, 5)]], [[(0, 9)], [(1, 3)]], "overlap", 1),
        # a first piece is not the unit, with anything behind it
        ([[(0, 2), (5, 6)]], [[(0, 2)], [(5, 6)]], "exact", 0),
    ],
)
def test_units_that_nearly_match(first, second, measure, count):
    assert matches(first, second, measure=measure) == count
    assert matches(second, first, measure=measure) == count


def test_precision_of_a_category_is_by_the_second_coder():
    data = units.Continuum.from_rows(list("ABB"), [0, 0, 5], [2, 2, 7], extents=9)
    scores = units.scores(data, by="label", n_resamples=1)
    result = scores.of("exact", "A", "B", "unit")
    assert (result.precision, result.recall) == (0.5, 1.0)


def test_an_item_reaches_as_far_as_its_longest_span():
    data = units.Continuum.from_rows(list("AB"), [0, 1], [9, 2], extents=10)
    assert units.judgments(data, "overlap").items == ("0-9",)


@pytest.mark.parametrize("by", ["exact", "overlap", "positions"])
def test_documents_of_equal_texts_stay_apart(by):
    """Document 1 was read by A and B, document "1" by C and D, who agree in it."""
    data = units.Continuum.from_rows(
        list("ABCD"), [0] * 4, [5] * 4, list("xyzz"), documents=[1, 1, "1", "1"], extents=10,
        seen=[(1, "A"), (1, "B"), ("1", "C"), ("1", "D")],
    )  # fmt: skip
    result = units.judgments(data, by)
    rows = result.to_wide().tolist()
    marked = [row for row in rows if "not marked" not in row]
    assert marked == [["x", "y", None, None], [None, None, "z", "z"]]
    assert result.n_rows == len(rows) == (4 if by == "positions" else 2)


@pytest.mark.parametrize("by", ["exact", "overlap", "positions"])
def test_a_document_that_nobody_saw_has_no_items(by):
    unseen = units.Continuum.from_rows(
        ["A", "B"], [0, 0], [5, 5], ["x", "x"], documents=["p", "p"], extents={"p": 5, "q": 9},
        seen=[("p", "A"), ("p", "B")],
    )  # fmt: skip
    assert units.judgments(unseen, by).to_wide().tolist() == [["x", "x"]]
    nobody = units.Continuum.from_rows([], [], [], [], extents=10, seen=[])
    assert units.judgments(nobody, by).n_items == 0
