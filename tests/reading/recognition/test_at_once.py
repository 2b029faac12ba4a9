"""A small table that is counted at once is what the long way of reading says it is."""

import warnings

import numpy as np
import pandas as pd
import pytest

import agreement_fast as af
from agreement_fast.annotations import count_at_once, of_counted, read_table

NAMES = ("ann", "bob", "eve", "kim", "leo")
WORDS = np.array(["cat", "dog", "owl", "fox", "yak", "ann"])


def draw(rng):
    """A table of labels of a few coders, in which a column is now and then something else."""
    n, width = rng.integers(3, 40), rng.integers(2, 6)
    true = rng.integers(0, rng.integers(2, 6), (n, 1)) + rng.integers(0, 2)
    table = np.where(rng.random((n, width)) < rng.choice([0.3, 0.6, 0.9]), true, rng.permuted(true))
    others = table[:, 1:]
    odd = [
        np.arange(n),
        rng.permutation(n),
        others.sum(axis=1),
        others.max(axis=1),
        np.abs(others[:, 0] - others[:, -1]),
        rng.integers(0, 2, n),
        np.full(n, 2),
        7 - np.minimum(others[:, 0], 7),
        np.arange(n) // 3,
    ]
    if rng.random() < 0.5:
        table[:, 0] = odd[rng.integers(len(odd))]
    if width == 3 and rng.random() < 0.3:
        table[:, 1] = np.arange(n) % 3
    if rng.random() < 0.2:
        table[-1] = table[:-1].sum(axis=0)
    gaps = rng.random(table.shape) < rng.choice([0, 0, 0.1])
    if table.max() < len(WORDS) and rng.random() < 0.5:
        return np.where(gaps, None, WORDS[table].astype(object))
    return np.where(gaps, np.nan, table) if gaps.any() else table


def of_rows(table):
    """Rows without names: a list or an array."""
    cells = [[None if x != x else x for x in row] for row in table.tolist()]
    return table if table.dtype.kind == "f" or len(table) % 2 else cells


def of_short_numbers(table):
    """An array by column, or of numbers of fewer bits."""
    kind = ("f2", "f4", ">f8")[len(table) % 3]
    if table.dtype.kind == "i":
        kind = ("i1", "u1", "i2", "u2", "i4", "u4", "u8", ">i8", "i8")[len(table) % 9]
    return np.asfortranarray(table, None if table.dtype.kind == "O" else kind)


def of_frame(table):
    """A frame with names of coders."""
    return pd.DataFrame(table, columns=NAMES[: table.shape[1]])


@pytest.mark.parametrize("make", [of_rows, of_short_numbers, of_frame])
def test_what_is_counted_at_once_is_what_the_long_way_says(make):
    """Neither refuses, warns, names or counts what the other does not."""
    rng = np.random.default_rng(27)
    at_once = 0
    for _ in range(250):
        data = make(draw(rng))
        counted = count_at_once(data)
        if counted is None:
            continue
        at_once += 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            long_way = read_table(data)
        short = of_counted(counted)
        assert (short.coders, short.labels) == (long_way.coders, long_way.labels)
        assert repr(af.alpha(long_way).read) == repr(af.alpha(data).read)
        np.testing.assert_array_equal(short.rows.codes, long_way.rows.codes)
    assert at_once > 60


@pytest.mark.parametrize("n", [30, 200, 1500])
def test_guesses_with_zeros_are_counted_at_once_and_counts_are_not(n):
    """Columns that vary against each other in the first rows do so in all rows if they count."""
    rng = np.random.default_rng(n)
    for _ in range(20):
        guesses = rng.integers(0, 5, (n, 5))
        assert count_at_once(guesses) is not None
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read_table(guesses)
        counts = rng.multinomial(rng.integers(6, 9, n), [0.2] * 5)
        assert count_at_once(counts) is None


def test_rows_of_one_sum_hide_no_column_of_sums():
    """The first rows have one sum, so that only those below show that a column adds the others."""
    rng = np.random.default_rng(1)
    table = rng.integers(0, 4, (60, 4))
    table[:32, 1:] = rng.permuted([[0, 1, 2]] * 32, axis=1)
    table[40, 1:] = 4, 3, 3  # 10 is on a scale, and no 9 that may mean "no answer"
    table[:, 0] = table[:, 1:].sum(axis=1)
    assert count_at_once(table) is None
    with pytest.raises(ValueError, match="sum"):
        read_table(table)


@pytest.mark.parametrize("kind", ["i1", "u2", "i8", "u8", "f4", ">f8"])
def test_small_arrays_of_any_numbers_are_counted_at_once(kind):
    """Columns need not be in one piece, nor numbers have 64 bits."""
    table = np.array([[1, 1, 2], [0, 0, 0], [2, 1, 2], [1, 1, 1], [0, 2, 0]])
    by_column = np.asfortranarray(table, kind)
    assert count_at_once(by_column) is not None
    assert af.alpha(by_column) == af.alpha(table.tolist())
    assert af.kappa(*by_column.T[:2]).value == af.kappa(table[:, :2].tolist()).value


@pytest.mark.parametrize("number", [2**64 - 1, 2**63, 2**63 + 5])
def test_large_unsigned_numbers_are_labels_of_their_own(number):
    """None is taken for another one."""
    table = np.array([[1, 1], [0, 0], [number, number], [1, 1], [0, number]], np.uint64)
    assert count_at_once(table) is None
    assert af.Annotations.from_wide(table).categories == (0, 1, number)


def test_numbers_of_more_than_64_bits_are_not_rounded():
    """Two labels that are one of 64 bits are two."""
    table = np.array([[1, 1], [0, 0], [1, 1], [0, 0]], np.longdouble)
    table[2] += np.finfo(np.longdouble).eps
    assert count_at_once(table) is None


def test_labels_that_are_names_of_the_columns_are_looked_at_twice():
    """A row of the names repeats the header."""
    table = pd.DataFrame([["cat", "cat"], ["dog", "dog"], ["ann", "bob"]] * 3, columns=NAMES[:2])
    assert count_at_once(table) is None
    assert count_at_once(table.set_axis(NAMES[3:], axis=1)) is not None
