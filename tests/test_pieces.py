"""Pieces add up to the same arrays, however the items were shared out among them."""

import datetime
import random
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tables

import agreement_fast as af
from agreement_fast.patterns import Rows, as_table
from agreement_fast.reading.counts import read_counts
from agreement_fast.reading.long import read_long
from agreement_fast.reading.parts import Options
from agreement_fast.reading.pieces import (
    add_up,
    parts_of,
    piece_of,
    united_categories,
    united_coders,
)
from agreement_fast.reading.row_order import in_order
from agreement_fast.reading.wide import read_wide

pytestmark = pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")


def as_bytes(array):
    """What is compared: a zero of another type, or an array of another width, is not the same."""
    return None if array is None else (array.dtype.str, array.shape, array.tobytes())


def content(piece):
    """All that a piece holds, also how its names are written."""
    rows = piece.rows
    marginals = piece.marginals or {}
    return {
        "categories": repr(piece.categories),
        "declared": piece.declared,
        "coders": repr(piece.coders),
        "width": rows.width,
        **{
            f"rows' {name}": as_bytes(getattr(rows, name))
            for name in ("codes", "start", "coders", "repeats", "weights")
        },
        **{f"marginals {least}": as_bytes(counts) for least, counts in marginals.items()},
        "missing": piece.missing,
        "left_out": piece.left_out,
    }


def shared_out(rows, rng):
    """Rows in any order, in any number of lists; some of them may be empty."""
    shares = [[] for _ in range(rng.randint(1, 4))]
    for row in rng.sample(rows, len(rows)):
        rng.choice(shares).append(row)
    return shares


def added(pieces, rng):
    """The sum of pieces, and some may have been added up before."""
    pieces = list(pieces)
    rng.shuffle(pieces)
    cut = rng.randint(0, len(pieces))
    if cut > 1:
        pieces = [add_up(pieces[:cut]), *pieces[cut:]]
        rng.shuffle(pieces)
    return add_up(pieces)


@pytest.mark.few
@pytest.mark.parametrize("keep_coders", [True, False])
@pytest.mark.parametrize("kind", ["words", "scale", "mixed"])
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_tables_add_up_to_the_same_arrays(kind, keep_coders, data, seed):
    """In any piece; columns are coders everywhere."""
    table = data.draw(tables(kind))
    rng = random.Random(seed)
    rows = list(zip(table.rows, table.frequencies, strict=True))

    def read(some):
        parts = read_wide(
            [row for row, _ in some],
            Options(categories=table.categories),
            coders=[f"c{9 - c}" for c in table.coders],
            weights=[weight for _, weight in some],
        )
        return piece_of(parts, keep_coders=keep_coders)

    whole = content(add_up([read(rows)]))
    shares = [read(some) for some in shared_out(rows, rng) if some]
    assert content(added(shares, rng)) == whole
    assert whole["coders"] == repr(tuple(f"c{9 - c}" for c in table.coders))


LABELS = ["a", "b", 1, 2.5, False, frozenset("xy"), frozenset([1]), ("a", 1), None]


@pytest.mark.few
@pytest.mark.parametrize("keep_coders", [True, False])
@pytest.mark.parametrize("pool", [["A", "B", "C"], [3, 20, 100], ["A", 3, ("x", 1), "é"]])
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_lists_add_up_to_the_same_arrays(pool, keep_coders, data, seed):
    """A piece knows the coders and labels that occur in it, in any order of appearance."""
    rng = random.Random(seed)
    label = st.sampled_from(data.draw(st.sampled_from([LABELS, ["x", "y"], [1.0, 2.0, 2.5]])))
    judged = st.dictionaries(st.sampled_from(pool), label, min_size=1)
    items = list(enumerate(data.draw(st.lists(judged, min_size=1, max_size=8))))

    def read(some):
        judgments = [(item, coder, label) for item, said in some for coder, label in said.items()]
        rng.shuffle(judgments)
        columns = [list(column) for column in zip(*judgments, strict=True)]
        return piece_of(read_long(*columns), keep_coders=keep_coders)

    whole = content(add_up([read(items)]))
    shares = [read(some) for some in shared_out(items, rng) if some]
    assert content(added(shares, rng)) == whole


@given(
    counts=st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=8),
    huge=st.sampled_from([1, 2**40, 10**15 // 3]),
    seed=st.integers(0, 2**32),
)
def test_counts_add_up_to_the_same_arrays(counts, huge, seed):
    """Their categories are declared, and stand as they do."""
    rng = random.Random(seed)
    counts = [(a * huge, b, c) for a, b, c in counts]

    def read(some):
        return piece_of(read_counts(some, ["z", "x", "y"], None, None))

    whole = content(add_up([read(counts)]))
    shares = [read(some) for some in shared_out(counts, rng) if some]
    assert content(added(shares, rng)) == whole
    assert whole["categories"] == "('z', 'x', 'y')"


def crowd(rng, n_items, n_coders, n_labels, judged):
    """Items of a few judgments by some of many coders."""
    return [
        {
            coder: rng.randrange(n_labels)
            for coder in rng.sample(range(n_coders), rng.randint(1, judged))
        }
        for _ in range(n_items)
    ]


@pytest.mark.parametrize("keep_coders", [True, False])
@pytest.mark.parametrize("judged", [3, 12])
def test_crowds_add_up_to_the_same_arrays(judged, keep_coders):
    """Of pieces some are tables and some lists, and what comes out is one of both."""
    rng = random.Random(judged)
    items = list(enumerate(crowd(rng, 500, 4000, 200, judged)))

    def read(some):
        rows = [(i, coder, label) for i, said in some for coder, label in said.items()]
        return piece_of(read_long(*zip(*rows, strict=True)), keep_coders=keep_coders)

    pieces = [read(some) for some in (items[:2], items[2:20], items[20:40], items[40:])]
    kinds = {bool(piece.rows.width) for piece in pieces}
    assert kinds == ({True, False} if keep_coders else {False})
    # columns in another order, of coders who have other judgments, too
    columns = rng.sample(sorted({coder for _, said in items for coder in said}), 4)
    table = [[rng.randrange(200) for _ in columns] for _ in range(3)]
    wide = piece_of(read_wide(table, coders=columns), keep_coders=keep_coders)
    pieces.append(wide)
    items += [(f"i{i}", dict(zip(columns, row, strict=True))) for i, row in enumerate(table)]
    whole = add_up([read(items)])
    assert not whole.rows.width
    assert content(added(pieces, rng)) == content(whole)


def test_annotations_of_a_piece_are_what_was_read():
    """`parts_of` makes annotations: the table that was read, its rows sorted and counted."""
    rows = [["b", "a"], ["a", None], ["b", "a"], [None, "b"], ["a", "a"]]
    result = af.Annotations.assemble(**parts_of(add_up([piece_of(read_wide(rows))])))
    assert result.to_wide().tolist() == [[None, "b"], ["a", None], ["a", "a"], ["b", "a"]]
    assert result.weights.tolist() == [1, 1, 1, 2]
    assert (result.n_items, result.missing_judgments) == (5, 2)
    assert result.coder_marginals().tolist() == [[2, 2], [3, 1]]


@pytest.mark.parametrize(("n_coders", "K"), [(3, 2), (30, 3), (33, 3), (70, 300), (9, 40000)])
def test_rows_of_tables_are_sorted(n_coders, K):
    """Rows that differ in the last word only, too; codes of one, two and four bytes."""
    rng = np.random.default_rng(n_coders)
    dtype = np.int8 if K < 128 else np.int16 if K < 32768 else np.int32
    table = np.repeat(rng.integers(-1, K, (4, n_coders)), 9, axis=0)
    table[:, -2:] = rng.integers(-1, K, (36, 2))
    table = np.unique(table, axis=0).astype(dtype)
    order = rng.permutation(len(table))
    rows = as_table(table[order], np.arange(len(table))[order])
    result = in_order(rows, n_coders, K)
    np.testing.assert_array_equal(result.table(), table)
    assert result.weights.tolist() == list(range(len(table)))


@pytest.mark.parametrize("heaviest", [3, 2**40, 2**62])
@pytest.mark.parametrize("longest", [1, 7, 40])
def test_rows_of_counts_are_sorted(longest, heaviest):
    """By their first category, its count, the second category and so on."""
    rng = random.Random(longest)
    lists = {
        tuple((k, rng.randint(1, heaviest)) for k in sorted(rng.sample(range(50), n)))
        for n in [0, 1, longest] * 9
    }
    lists = list({*lists, *((*one[:-1], (49, heaviest)) for one in lists if one)})
    rng.shuffle(lists)
    flat = [cell for one in lists for cell in one]
    rows = Rows(
        np.array([k for k, _ in flat], np.int8),
        0,
        np.cumsum([0, *map(len, lists)]),
        None,
        np.array([n for _, n in flat], np.int64),
        np.arange(len(lists)),
    )
    result = in_order(rows, None, 50)
    assert [lists[i] for i in result.weights] == sorted(lists)


# ---------------------------------------------------------------- names

PLACES = ("first", "second", "third", "fourth")
DAYS = (datetime.date(2025, 1, 2), datetime.date(2026, 1, 2))
SETS = "(frozenset(), frozenset({'a'}), frozenset({'b'}))"


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        ([("b", "a"), ("b", "a")], "('b', 'a')"),
        ([("b", "a"), ("b",)], "('a', 'b')"),
        ([("b", "a"), ()], "('b', 'a')"),
        ([(2, 1), (10,)], "(1, 2, 10)"),
        ([("x", 1)], "(1, 'x')"),
        ([(True,), (1, 2)], "(1, 2)"),
        ([(1.0, 2.0)], "(1, 2)"),
        ([("first", "second"), PLACES], repr(PLACES)),
        ([], "()"),
    ],
)
def test_coders_keep_a_common_order(lists, expected):
    """Else they are sorted: as numbers and as places, if they are numbers."""
    assert repr(united_coders(lists)) == expected
    assert repr(united_coders(lists[::-1])) == expected


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        ([("b",), ("a", "b")], "('a', 'b')"),
        ([(1,), (1.0, 2.5)], "(1.0, 2.5)"),
        ([(2,), (1, 2)], "(1, 2)"),
        ([(True, False), (1,)], "(False, 1)"),
        ([(True, False), (False,)], "(False, True)"),
        ([("a", 10), (9.0,)], "(9, 10, 'a')"),
        ([(-0.0, 0.5), (0.0, 0.5)], "(0.0, 0.5)"),
        ([(2**60 + 1,), (0.5,)], f"(0.5, {2**60 + 1})"),
        ([(Decimal(1),), (1,)], "(Decimal('1'),)"),
        ([DAYS[1:], DAYS[:1]], repr(DAYS)),
        ([(frozenset("b"),), (frozenset(), frozenset("a"))], SETS),
        ([(), ()], "()"),
    ],
)
def test_categories_are_written_in_one_way(lists, expected):
    """Equal labels of several types become one of them, in any order."""
    for some in (lists, lists[::-1]):
        result, declared = united_categories([(labels, False) for labels in some])
        assert (repr(result), declared) == (expected, False)


def test_declared_categories_take_pieces_that_did_not_declare_them():
    """A piece of an engine may be empty, or know the labels that occur; others are refused."""
    declared = (("hi", "lo", "mid"), True)
    assert united_categories([(("lo",), False), declared, ((), False)]) == declared
    with pytest.raises(ValueError, match=r"'none'.*'hi', 'lo', 'mid'.*declare the same"):
        united_categories([(("none", "lo"), False), declared])
    with pytest.raises(ValueError, match=r"'lo', 'hi'.*'hi', 'lo', 'mid'.*declare the same"):
        united_categories([declared, (("lo", "hi"), True)])


@pytest.mark.parametrize("first", [True, False])
def test_pieces_that_let_go_who_said_what_do_not_mix(first):
    """The error is raised before anything is added."""
    pieces = [piece_of(read_wide([["a", "b"]]), keep_coders=keep) for keep in (first, not first)]
    with pytest.raises(ValueError, match=r"not keep who said what.*keep_coders=False"):
        add_up(pieces)


def test_marginals_that_were_kept_stay():
    """What is handed out is a copy; the annotations are as they were."""
    data = af.concat(
        [af.Annotations.from_wide([["a", "b"], ["b", "b"]])], keep_items=False, keep_coders=False
    )
    before = data.coder_marginals().tolist()
    assert before == [[1, 1], [0, 2]]
    np.asarray(data.coder_marginals())[:] = 9
    assert data.coder_marginals().tolist() == before
