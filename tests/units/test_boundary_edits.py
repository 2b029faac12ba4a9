"""Boundary edit distance against a plain search, and the similarities that are made of it."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from agreement_fast import units


def searched(first, second, n_t, ordered=None):
    """The least (edits, weight, −transpositions), by trying every set of transpositions.

    A segmentation is a list of sets. What is not moved is added, removed or substituted.
    """
    types = sorted(set().union(*first, *second), key=str) if ordered is None else ordered
    n = len(first)
    moves = [
        (one, i, j)
        for one in types
        for i in range(n)
        for j in range(i + 1, min(n, i + n_t))
        for a, b in ((first, second), (second, first))
        if one in a[i] - b[i] and one in b[j] - a[j]
    ]

    def steps(one, other):
        if ordered is None:
            return Fraction(1)
        return Fraction(abs(ordered.index(one) - ordered.index(other)), len(ordered))

    def in_place(place, moved):
        here, there = (
            [one for one in a[place] - b[place] if (one, place) not in moved]
            for a, b in ((first, second), (second, first))
        )
        few, many = sorted((here, there), key=len)
        swaps = min(
            sum(map(steps, few, some), Fraction(0))
            for some in itertools.permutations(many, len(few))
        )
        return len(many), len(many) - len(few) + swaps

    def all_choices(left, moved, chosen):
        if not left:
            parts = [in_place(place, moved) for place in range(n)]
            far = sum((Fraction(j - i, n_t) for _, i, j in chosen), Fraction(0))
            yield (
                len(chosen) + sum(number for number, _ in parts),
                far + sum(weight for _, weight in parts),
                -len(chosen),
            )
            return
        (one, i, j), *rest = left
        yield from all_choices(rest, moved, chosen)
        if not {(one, i), (one, j)} & moved:
            yield from all_choices(rest, moved | {(one, i), (one, j)}, [*chosen, left[0]])

    return min(all_choices(moves, frozenset(), []))


def counted(first, second, n_t, ordered=None):
    result = units.boundary_similarity(first, second, n_t=n_t, ordered_types=ordered).edits
    assert result.n_edits == result.n_additions + result.n_substitutions + result.n_transpositions
    return result.n_edits, result.value, -result.n_transpositions


def of_text(marks):
    return [{1} if mark == "1" else set() for mark in marks]


def agree(result, correct):
    return (result[0], result[2]) == (correct[0], correct[2]) and result[1] == pytest.approx(
        float(correct[1]), abs=1e-12
    )


@pytest.mark.parametrize("n_t", [1, 2, 3, 4])
def test_edits_of_one_type_are_fewest_in_all_small_segmentations(n_t):
    for n in (1, 2, 4):
        for first, second in itertools.product(itertools.product("01", repeat=n), repeat=2):
            correct = searched(of_text(first), of_text(second), n_t)
            assert agree(counted("".join(first), "".join(second), n_t), correct), (first, second)


@pytest.mark.few(every=3)
@pytest.mark.parametrize("ordered", [None, ["a", "b"]])
@pytest.mark.parametrize("n_t", [1, 2, 3])
def test_edits_of_two_types_are_fewest_in_all_small_segmentations(n_t, ordered):
    places = [set(), {"a"}, {"b"}, {"a", "b"}]
    cuts = [*itertools.product(places, repeat=2)]
    longer = [*itertools.product(places, repeat=3)]
    pairs = [*itertools.product(cuts, repeat=2), *[*itertools.product(longer, repeat=2)][::61]]
    for first, second in pairs:
        correct = searched(first, second, n_t, ordered)
        assert agree(counted(first, second, n_t, ordered), correct), (first, second)


SETS = st.sets(st.sampled_from([1, 2, 3]))


@examples(60, deadline=None)
@given(
    places=st.lists(st.tuples(SETS, SETS), min_size=1, max_size=5),
    n_t=st.integers(1, 4),
    ordered=st.sampled_from([None, [1, 2, 3]]),
)
def test_edits_of_three_types_are_fewest(places, n_t, ordered):
    first, second = (list(some) for some in zip(*places, strict=True))
    assert agree(counted(first, second, n_t, ordered), searched(first, second, n_t, ordered))


@examples(60, deadline=None)
@given(
    marks=st.lists(st.sampled_from(["00", "01", "10", "11"]), min_size=1, max_size=60),
    n_t=st.integers(1, 5),
)
def test_a_type_that_never_stands_changes_no_edit(marks, n_t):
    """Boundaries of one type have a faster way of their own, with n_t = 2 two of them."""
    first, second = ("".join(side) for side in zip(*marks, strict=True))
    one = units.boundary_similarity(first, second, n_t=n_t).edits
    two = units.boundary_similarity(
        of_text(first), of_text(second), n_t=n_t, ordered_types=[1, "never"]
    ).edits
    assert one.columns() == two.columns()
    again = units.boundary_similarity(second, first, n_t=n_t).edits
    assert one.columns() == again.columns()


def test_clusters_that_look_alike_count_as_often_as_they_stand():
    cluster = "1010010000", "0101001000"
    once = units.boundary_similarity(*cluster, n_t=3).edits
    often = units.boundary_similarity(*(part * 50 for part in cluster), n_t=3).edits
    assert once.n_edits
    assert often.value == 50 * once.value
    assert often.n_transpositions == 50 * once.n_transpositions


def test_examples_of_segevals_documentation():
    """Syllables, as its first page has them: B, and matches, near misses and full misses."""
    words = {
        ("au·to·ma·tic", "au·tom·a·tic"): (0.83, 2, 1, 0),
        ("seg·men·ta·tion", "seg·ment·ation"): (0.50, 1, 1, 1),
        ("fun", "f·un"): (0.0, 0, 0, 1),
    }
    for pair, (similarity, matches, near, full) in words.items():
        cuts = [units.from_lengths([len(part) for part in word.split("·")]) for word in pair]
        edits = units.boundary_similarity(*cuts).edits
        assert (edits.n_matches, edits.n_transpositions, edits.n_additions) == (matches, near, full)
        assert round(units.boundary_similarity(*cuts), 2) == similarity


#: Two segmentations, n_t, and what segeval 2.0.11 gives: additions, substitutions, transpositions.
SEGEVAL_HAS_MORE = [
    ("10011001100001", "11000100011001", 3, (2, 0, 3), (0, 0, 4)),
    ("1011111110000", "1110001011110", 5, (4, 0, 2), (2, 0, 3)),
]


@pytest.mark.parametrize(("first", "second", "n_t", "theirs", "fewest"), SEGEVAL_HAS_MORE)
def test_segeval_misses_moves_because_it_takes_the_shortest_first(
    first, second, n_t, theirs, fewest
):
    result = units.boundary_similarity(first, second, n_t=n_t).edits
    assert (result.n_additions, result.n_substitutions, result.n_transpositions) == fewest
    assert agree(counted(first, second, n_t), searched(of_text(first), of_text(second), n_t))
    assert sum(fewest) < sum(theirs)


def test_similarities_are_their_definitions():
    first = [{1}, set(), {2}, set(), {1, 2}, {3}, set()]
    second = [set(), {1}, {3}, set(), {1}, {3}, {2}]
    edits = units.boundary_similarity(first, second, ordered_types=[1, 2, 3]).edits
    # One near miss, one substitution a step of three, two additions; 1 and 3 stand in both.
    assert (edits.n_transpositions, edits.n_substitutions, edits.n_additions) == (1, 1, 2)
    weight = 1 / 2 + 1 / 3 + 2
    assert edits.value == pytest.approx(weight)
    ordered = {"ordered_types": [1, 2, 3]}
    assert units.boundary_similarity(first, second, **ordered) == pytest.approx(1 - weight / 6)
    assert units.segmentation_similarity(first, second, **ordered) == pytest.approx(1 - weight / 21)
    plain = units.boundary_similarity(first, second).edits
    assert plain.value == pytest.approx(3.5)
    whole = units.boundary_similarity(first, second, weights="whole").edits
    assert whole.value == whole.n_edits == 4


def test_texts_add_up_and_are_drawn():
    first = {"a": "0100100", "b": "0010000", "c": "0100010", "d": "1000"}
    second = {"a": "0100010", "b": "0001010", "c": "0100010", "d": "0001"}
    each = [units.boundary_similarity(first[text], second[text]).edits for text in first]
    result = units.boundary_similarity(first, second, rng=1)
    edits, matches = sum(one.n_edits for one in each), sum(one.n_matches for one in each)
    assert result == pytest.approx(1 - sum(one.value for one in each) / (edits + matches))
    assert 0 <= result.low < result.value < result.high <= 1
    assert (result.n_texts, result.edits.n_edits, result.edits.n_matches) == (4, edits, matches)
    assert result.note is None
    alone = units.boundary_similarity("010", "010")
    assert alone == 1
    assert np.isnan(alone.low)
    assert "no independent sample" in alone.note
    assert "similarity = 1" in repr(alone)


def test_without_boundaries_there_is_nothing_to_compare():
    result = units.boundary_similarity("000", "000")
    assert np.isnan(result.value)
    assert "no boundaries" in result.undefined
    assert units.segmentation_similarity("000", "000") == 1
    assert units.boundary_similarity([set()] * 3, [set()] * 3).edits == 0


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: units.boundary_similarity("01", "010").edits, ValueError, "first has 2 places.*3"),
        (
            lambda: units.boundary_similarity("01", "0x").edits,
            ValueError,
            "second'?: place 1 has 'x'",
        ),
        (lambda: units.boundary_similarity("", "").edits, ValueError, "no place for a boundary"),
        (lambda: units.boundary_similarity("01", {"a": "01"}).edits, TypeError, "both a mapping"),
        (
            lambda: units.boundary_similarity({"a": "01"}, {"b": "01"}).edits,
            ValueError,
            "has no text a",
        ),
        (lambda: units.boundary_similarity({}, {}).edits, ValueError, "no texts"),
        (
            lambda: units.boundary_similarity([{1}, 0], "01").edits,
            TypeError,
            "place 1 has 0.*a set",
        ),
        (lambda: units.boundary_similarity("01", "01", n_t=0).edits, ValueError, "n_t"),
        (
            lambda: units.boundary_similarity("01", "01", weights="half").edits,
            ValueError,
            "weights",
        ),
        (
            lambda: units.boundary_similarity([{"a"}], [{"b"}], ordered_types=["a"]).edits,
            ValueError,
            "type b are not among",
        ),
        (
            lambda: units.boundary_similarity("1", "1", ordered_types=[1, 1]).edits,
            ValueError,
            "different types",
        ),
        (
            lambda: units.boundary_similarity("1", "1", ordered_types="ab").edits,
            TypeError,
            "sequence",
        ),
    ],
)
def test_bad_segmentations_say_whose_and_where(call, error, text):
    with pytest.raises(error, match=text):
        call()
