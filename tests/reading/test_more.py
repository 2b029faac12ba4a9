"""Judgments that are added later count as if they had been read with the others."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af

A = af.Annotations

LABELS = [
    ["x", "y", "z"],
    [1, 2, 10],
    ["a", 1, ("t", 2)],
    [0.5, 1.0, 2.0],
    [frozenset("ab"), ("a",)],
]
ITEMS = [[3, 1, 2, 9], ["i", "j", "k"], [("d", 1), "d", 2.5], [1.5, 2.5]]
CODERS = [["A", "B", "C"], [5, 1, 20], ["A", 1, ("t", 2)], ["B", "A", 1, ("t", 2)]]


def held(data):
    """Return every array, every name with its type, and all counts."""
    rows = data.rows
    arrays = [rows.codes, rows.start, rows.coders, rows.repeats, rows.weights, data.weights]
    return (
        [None if array is None else (array.dtype, array.tolist()) for array in arrays],
        rows.width,
        repr(data),
        [repr(data.categories), repr(data.coders), repr(list(data.items))],
        data.declared,
        data.missing_judgments,
        data.left_out,
    )


def columns(rows):
    """Return items, coders and labels as three lists."""
    return [[row[i] for row in rows] for i in range(3)]


@pytest.mark.parametrize("duplicates", ["first", "last"])
@given(data=st.data())
def test_added_judgments_are_those_of_one_list(duplicates, data):
    """For every split of the rows, with missing labels and repeated judgments."""
    pools = [data.draw(st.sampled_from(pool)) for pool in (ITEMS, CODERS, LABELS)]
    label = st.sampled_from([*pools[2], None])
    rows = data.draw(
        st.lists(st.tuples(*map(st.sampled_from, pools[:2]), label), min_size=1, max_size=12)
    )
    declared = data.draw(st.sampled_from([None, pools[2][::-1]]))
    if duplicates == "last" and pools[2] in (LABELS[2], LABELS[4]):
        # These do not sort, and a first judgment that was replaced is not known any more.
        declared = pools[2][::-1]
    cuts = sorted(data.draw(st.lists(st.integers(1, len(rows)), max_size=3)))
    result = A.from_long(
        *columns(rows[: cuts[0] if cuts else len(rows)]), categories=declared, duplicates=duplicates
    )
    for first, last in zip(cuts, [*cuts[1:], len(rows)], strict=False):
        result = result.with_judgments(*columns(rows[first:last]), duplicates=duplicates)
    whole = A.from_long(*columns(rows), categories=declared, duplicates=duplicates)
    # a whole float among ints becomes an int, which the repr shows
    if 0.5 in pools[2] or len(pools[0]) == 2:
        assert held(result)[:2] == held(whole)[:2]
        assert result.categories == whole.categories
        assert list(result.items) == list(whole.items)
    else:
        assert held(result) == held(whole)


@pytest.mark.parametrize("n_items", [50, 30_000])
def test_columns_of_numbers_stay_arrays(n_items):
    """For tables and for lists of judgments; items equal those of from_long."""
    rng = np.random.default_rng(n_items)
    items = np.repeat(rng.permutation(n_items) + 7, 3)
    coders = (rng.integers(0, 400, n_items)[:, None] + [0, 130, 260]).ravel() % 400
    labels = rng.integers(0, 5, len(items))
    order = rng.permutation(len(items))
    items, coders, labels = items[order], coders[order], labels[order]
    half = len(items) // 2
    old = A.from_long(items[:half], coders[:half], labels[:half])
    result = old.with_judgments(items[half:], coders[half:], labels[half:])
    whole = A.from_long(items, coders, labels)
    assert bool(whole.rows.width) == (n_items == 50)
    assert held(result) == held(whole)
    assert isinstance(result.items, np.ndarray)
    assert old.n_judgments == half


def test_a_second_coder_comes_later():
    """The table may have no names, so that items are numbered; weights and texts remain."""
    old = A.from_wide([["a", None], ["b", None]], coders=["Ann", "Bea"]).with_texts({0: "What?"})
    result = old.with_judgments([1, 0, 2], ["Bea", "Cid", "Bea"], ["a", "b", "b"])
    assert result.coders == ("Ann", "Bea", "Cid")
    assert result.to_wide().tolist() == [["a", None, "b"], ["b", "a", None], [None, "b", None]]
    assert (result.texts[0], list(result.items)) == ("What?", [0, 1, 2])
    weighted = A.from_wide([["a"], ["b"]], items=["i", "j"], weights=[3, 2])
    result = weighted.with_judgments(["j", "k"], [1, 1], ["b", "a"])
    assert (result.weights.tolist(), result.n_items) == ([3, 2, 1], 6)
    assert af.alpha(result).n_items == 2


def test_nothing_to_add_changes_nothing():
    """Neither items nor categories."""
    old = A.from_long([1, 2], ["A", "A"], ["x", None])
    assert held(old.with_judgments([], [], [])) == held(old)
    assert held(A.from_long([], [], []).with_judgments([1, 2], ["A", "A"], ["x", None])) == held(
        old
    )


def test_an_existing_judgment_is_named():
    """The error also lists the remedies, fewer than if all judgments are read at once."""
    old = A.from_long([1, 2], ["A", "A"], ["x", "y"])
    for added in ([2], ["A"], ["x"]), ([3, 3], ["B", "B"], ["x", "y"]):
        with pytest.raises(ValueError, match=r"coder '[AB]', item [23]\): pass .*") as error:
            old.with_judgments(*added)
        assert str(error.value).endswith("pass duplicates='first' or duplicates='last'")
        assert error.value.argument == "duplicates"
    again = [2, 2], ["A", "A"], ["x", "z"]
    first = old.with_judgments(*again, duplicates="first")
    last = old.with_judgments(*again, duplicates="last")
    assert (first.to_wide().tolist(), first.categories) == ([["x"], ["y"]], ("x", "y"))
    assert (last.to_wide().tolist(), last.categories) == ([["x"], ["z"]], ("x", "z"))
    assert first.duplicates_dropped == last.duplicates_dropped == 2
    for policy in ("majority", "set", 3):
        with pytest.raises(ValueError, match=r"must be 'error', 'first' or 'last'.*only one"):
            old.with_judgments(*again, duplicates=policy)


def test_labels_that_were_not_declared_are_refused():
    """The error names their place among the added judgments."""
    old = A.from_long([1, 2], ["A", "A"], ["x", "y"], categories=["y", "x"])
    assert old.with_judgments([1], ["B"], ["x"]).categories == ("y", "x")
    with pytest.raises(ValueError, match=r"label 'z' of judgment 0 \(item 1, coder 'B'\)"):
        old.with_judgments([1], ["B"], ["z"])


@pytest.mark.parametrize("keep_coders", [True, False])
def test_annotations_without_items_cannot_grow(keep_coders):
    """The same number would mean another item."""
    data = af.concat(
        [A.from_wide([["a", "b"], ["b", "b"]])], keep_items=False, keep_coders=keep_coders
    )
    with pytest.raises(ValueError, match=r"with_judgments\(\).*do not keep"):
        data.with_judgments([0], ["C"], ["a"])
    with pytest.raises(ValueError, match=r"with_judgments\(\).*counts"):
        A.from_counts([[1, 1]]).with_judgments([0], ["C"], ["a"])


def test_open_items_are_closed_when_they_are_complete():
    """A daily step: add judgments to open items, and complete items to the sum."""
    rng = random.Random(1)
    rows = [(item, coder, rng.choice("xyz")) for item in range(60) for coder in "AB"]
    rng.shuffle(rows)
    closed, still_open = [], A.from_long([], [], [])
    for day in range(0, 120, 30):
        still_open = still_open.with_judgments(*columns(rows[day : day + 30]))
        sizes = still_open.to_counts().values.sum(axis=1)
        done = [item for item, n in zip(still_open.items, sizes, strict=True) if n == 2]
        rest = [item for item, n in zip(still_open.items, sizes, strict=True) if n < 2]
        closed.append(af.concat([still_open.select(items=done)], keep_items=False))
        still_open = still_open.select(items=rest)
    assert still_open.n_items == 0
    whole = af.concat([A.from_long(*columns(rows))], keep_items=False)
    merged = af.concat(closed, keep_items=False)
    assert held(merged) == held(whole)
    assert af.kappa(merged) == af.kappa(whole)


def test_names_of_two_types_stay_apart():
    """Items 1 and "1" are two items, even if each column of names is an array."""
    old = A.from_long(np.array([1, 2]), ["A", "A"], ["x", "y"])
    result = old.with_judgments(np.array(["1", "i"]), np.array([3, 3]), ["x", "y"])
    assert (list(result.items), result.coders) == ([1, 2, "1", "i"], (3, "A"))


def test_sets_and_texts_do_not_mix():
    """A text with a separator would not equal the set that it means."""
    sets = A.from_long([1, 2], ["A", "A"], ["a|b", "a"], set_separator="|")
    with pytest.raises(ValueError, match=r"are sets, but the new label 'b\|a' is text: pass set_s"):
        sets.with_judgments([1], ["B"], ["b|a"])
    result = sets.with_judgments([1], ["B"], ["b|a"], set_separator="|")
    assert result.categories == sets.categories
    texts = A.from_long([1, 2], ["A", "A"], ["ab", "a"])
    with pytest.raises(
        ValueError, match=r"new labels are sets, but the existing label 'a' is text"
    ):
        texts.with_judgments([1], ["B"], ["b|a"], set_separator="|")


def test_coders_of_mixed_types_have_one_order():
    """Numbers, texts, then others, for any order and pieces of the data."""
    rows = [(i, coder, "x") for i, coder in enumerate(["b", "a", 2, 10, ("t",), 1.5])]
    expected = (1.5, 2, 10, "a", "b", ("t",))
    for turned in (rows, rows[::-1]):
        assert A.from_long(*columns(turned)).coders == expected
        for cut in range(1, len(rows)):
            some, more = columns(turned[:cut]), columns(turned[cut:])
            assert A.from_long(*some).with_judgments(*more).coders == expected
            assert af.concat([A.from_long(*some), A.from_long(*more)]).coders == expected
            assert (
                af.concat([A.from_long(*some), A.from_long(*more)], keep_items=False).coders
                == expected
            )
