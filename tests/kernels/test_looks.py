"""The first check of a table, against plain Python."""

import itertools
import math
import statistics
from collections import Counter

import numpy as np
import pytest
from examples import USUAL, examples
from hypothesis import example, given
from hypothesis import strategies as st

from agreement_fast._kernels import _looks


def distinct_pairs(table, a, b):
    """How many pairs two columns hold; NaN is no other NaN."""
    kinds = [(row[a], row[b]) for row in table]
    return sum(all(pair != before for before in kinds[:i]) for i, pair in enumerate(kinds))


def pairs_repeat(table):
    """Whether all three pairs of columns repeat pairs, as labels of few categories do."""
    some = table[:32]
    most = max(distinct_pairs(some, a, b) for a, b in ((0, 1), (0, 2), (1, 2)))
    return most < len(some) - 3


def like_counts(table, n_rows):
    """Whether three rows in four have one sum, or columns with zeros vary against each other."""
    sums = [sum(row) for row in table]
    if max(sums.count(total) for total in sums) >= 0.75 * len(sums):
        return True

    def squares(values):
        return sum(x * x for x in values) - sum(values) ** 2 / len(values)

    within = sum(squares(column) for column in zip(*table, strict=True))
    zeros = sum(x == 0 for row in table for x in row)
    most = 0.85 if n_rows > len(table) else math.exp(-4 * math.sqrt(2 / len(table)))
    return 2 * zeros >= len(table) and squares(sums) < most * within


def is_count(x):
    """A whole number from 0."""
    return 0 <= x < 2**40 and x == math.floor(x)


def follows(value, others):
    """Whether a number is the sum or the mean of others, rounded to two digits."""
    return bool(others) and any(
        abs(value - expected) <= 0.0051 for expected in (sum(others), sum(others) / len(others))
    )


def is_number(x):
    return isinstance(x, int | float) and abs(x) < 2**40


def last_row_follows(table):
    """Whether the last row has the sums or the means of the columns."""
    columns = [[x for x in column if x is not None] for column in zip(*table, strict=True)]
    return None not in table[-1] and all(
        all(map(is_number, column)) and follows(column[-1], column[:-1]) for column in columns
    )


def last_column_follows(table):
    """Whether the last column has the sums or the means of the others in each complete row."""
    rows = [list(itertools.takewhile(lambda x: x is not None, row)) for row in table[:20]]
    return len(table[0]) > 2 and all(
        all(map(is_number, row)) and (len(row) < len(table[0]) or follows(row[-1], row[:-1]))
        for row in rows
    )


def ends_in_sums(table):
    return len(table) > 5 and (last_row_follows(table) or last_column_follows(table))


def says_equal(table, equal):
    """Whether the last column has one value in some rows, and another in the others."""
    at, off = ([row[-1] for row, is_at in zip(table, equal, strict=True) if is_at == flag]
               for flag in (True, False))  # fmt: skip
    one_each = all(all(x == of[0] for x in of) for of in (at, off))
    return bool(at and off) and one_each and at[0] != off[0]


def last_derives(table, is_gap, n_rows, *, ordered=True):
    """Whether the last column may be computed from the labels of the others."""
    table = table[:32]
    last = len(table[0]) - 1
    full = [row for row in table if not any(map(is_gap, row[:-1]))]
    same = [all(x == row[0] for x in row[:-1]) for row in full]
    empty = [is_gap(row[-1]) for row in full]
    if same.count(False) >= 3:
        if any(same) and empty == same:
            return True
        some = [row for row, blank in zip(full, empty, strict=True) if not blank]
        most = [[x for x in row[:-1] if 2 * row[:-1].count(x) > last][:1] for row in some]
        among = all(row[-1] in row[:-1] for row in some)
        if among and all([row[-1]] == top for row, top in zip(some, most, strict=True) if top):
            often = max(sum([row[c]] == top for row, top in zip(some, most, strict=True))
                        for c in range(last))  # fmt: skip
            if n_rows * math.log((len(full) + 2) / (often + 1)) >= 4:
                return True
        ends = any(all(row[-1] == end(row[:-1]) for row in some) for end in (min, max))
        if (ends if ordered else among) and n_rows * math.log(
            (len(full) + 2) / (same.count(True) + 1)
        ) >= 4:
            return True
    pairs = itertools.combinations(range(min(last, 6)), 2)
    if says_equal(table, [all(x == row[0] for x in row[:-1]) for row in table]) or any(
        says_equal(table, [row[a] == row[b] for row in table]) for a, b in pairs
    ):
        return True
    both = list(itertools.combinations(table, 2))
    return any(
        any(one[c] == other[c] for one, other in both)
        and not any(one[c] == other[c] and one[-1] != other[-1] for one, other in both)
        and 4 * sum(row[c] != row[-1] for row in table) >= len(table)
        for c in range(last)
    )


def sums_are_even(table, n_rows, width, gaps):
    """Whether rows of counts, with zeros or with gaps in place of them, may be counts."""
    if gaps:
        sums = [sum(row) for row in table]
        often = max(sums.count(total) for total in sums)
        return not any(x == 0 for row in table for x in row) and often >= 0.75 * len(sums)
    return n_rows == width or like_counts(table, n_rows)


def doubts_of_numbers(table, n_rows, width):
    """The expected answer of the kernel."""
    found = 0
    if width < 2:
        return 0
    head = table[:20]
    columns = list(zip(*head, strict=True))
    if n_rows >= 4:
        whole = [all(x != x or x == math.floor(x) for x in column) for column in columns]
        columns = [column for column, of_numbers in zip(columns, whole, strict=True) if of_numbers]
        high = sum(any(abs(x) > 10 for x in column) for column in columns)
        steps = sum(all(y == x + 1 for x, y in itertools.pairwise(column)) for column in columns)
        if high == 1 or 0 < steps < width:
            found |= _looks.COLUMNS
    some = table[:32]
    filled = [[x for x in row if x == x] for row in some]
    odd = (x for column in zip(*some, strict=True) for x in column if x == x and not is_count(x))
    if n_rows == width and 0 <= next(odd, 1) < 1:
        found |= _looks.SUMS
    counts = all(is_count(x) for row in filled for x in row)
    if n_rows >= 2 and counts and sums_are_even(filled, n_rows, width, filled != some):
        found |= _looks.SUMS
    if n_rows > 5 and width > 2 and last_derives(table, math.isnan, n_rows):
        found |= _looks.DERIVED
    if width == 3 and not pairs_repeat(table):
        found |= _looks.PAIRS
    # Every number counts here, and NaN is missing but in the last column.
    some = [[None if x != x else x for x in row] for row in table]
    complete = [row for row in some[:20] if None not in row[:-1]]
    column = width > 2 and all(
        row[-1] is not None and follows(row[-1], row[:-1]) for row in complete
    )
    columns = [[x for x in column if x is not None] for column in zip(*some, strict=True)]
    row = None not in some[-1] and all(follows(own[-1], own[:-1]) for own in columns)
    if n_rows > 5 and (row or column):
        found |= _looks.LAST
    return found


def doubts_of_labels(table, n_rows, width):
    """The same for labels; None is missing."""
    found = 0
    if width < 2:
        return 0
    head = table[:20]
    first = {isinstance(x, int | float) for x in head[0] if x is not None}
    columns = [[x for x in column if x is not None] for column in zip(*head, strict=True)]
    if n_rows >= 3:
        single = [2 * len(set(column)) > len(column) for column in columns]
        used = [set(column) for column in columns]
        alone = [
            bool(own) and not any(own & other for d, other in enumerate(used) if d != c)
            for c, own in enumerate(used)
        ]
        different = [len(own) == len(head) for own in used]
        doubtful = any(single) and not all(single) and any(different)
        odd = len(first) > 1 or doubtful or (True not in first and any(alone))
        if True in first:
            odd |= any(not isinstance(x, int | float) for column in columns for x in column)
            high = [
                any(isinstance(x, int | float) and x > 10 for x in column) for column in columns
            ]
            odd |= sum(high) == 1
        found |= _looks.COLUMNS if odd else 0
    some = table[:32]
    names, below = some[0], {x for row in some[1:] for x in row}
    if below and isinstance(names[0], str) and len({*names} - below - {None}) == width:
        found |= _looks.COLUMNS  # a row of names stands above the labels
    filled = [[x for x in row if x is not None] for row in some]
    odd = [
        x
        for column in zip(*some, strict=True)
        for x in column
        if x is not None and not (type(x) is int and is_count(x))
    ]
    if n_rows == width > 1 and odd and type(odd[0]) is float and 0 <= odd[0] < 1:
        found |= _looks.SUMS
    counts = all(type(x) is int and is_count(x) for row in filled for x in row)
    if n_rows >= 2 and counts and sums_are_even(filled, n_rows, width, filled != some):
        found |= _looks.SUMS
    known = {}
    codes = [[known.setdefault(x, len(known)) if x is not None else -1 for x in r] for r in table]
    if (
        n_rows > 5
        and width > 2
        and last_derives(codes, lambda code: code < 0, n_rows, ordered=False)
    ):
        found |= _looks.DERIVED
    if width == 3 and not pairs_repeat(table):
        found |= _looks.PAIRS
    if ends_in_sums(table):
        found |= _looks.LAST
    return found


@st.composite
def tables(draw, cells):
    """Rows of a few kinds of columns: labels, running numbers, constants, sums that are one."""
    width, n = draw(st.integers(1, 5)), draw(st.integers(1, 40))
    columns = []
    for _ in range(width):
        kind = draw(st.integers(0, 3))
        if kind == 0:
            start = draw(st.integers(0, 20))
            columns.append([start + i for i in range(n)])
        elif kind == 1:
            columns.append([draw(cells)] * n)
        else:
            columns.append(draw(st.lists(cells, min_size=n, max_size=n)))
    if draw(st.booleans()) and width > 1 and all(isinstance(x, int) for c in columns for x in c):
        total = draw(st.integers(5, 9))
        columns[-1] = [max(0, total - sum(row)) for row in zip(*columns[:-1], strict=True)]
    if draw(st.booleans()):
        columns = [column[:width] for column in columns]  # square
    whole = all(isinstance(x, int) for column in columns for x in column)
    if draw(st.integers(0, 3)) == 0 and whole and max(map(sum, columns)) < 128:
        columns = [[*column, sum(column)] for column in columns]
    return [list(row) for row in zip(*columns, strict=True)]


@examples(3 * USUAL)
@example(table=[[x, x, x] for x in range(6)], dtype="i1")
@example(table=[[0, 1], *[[1, 0]] * 4, [4, 1]], dtype="i4")
@given(table=tables(st.integers(0, 3)), dtype=st.sampled_from(["i1", "i4", "i8", "u1", "f8", "f4"]))
def test_whole_numbers(table, dtype):
    """Every type of number."""
    array = np.array(table, dtype)
    expected = doubts_of_numbers(table, len(table), len(table[0]))
    assert _looks.at_numbers(array, len(table)) == expected
    assert _looks.at_numbers(np.asfortranarray(array), len(table)) == expected


@examples(3 * USUAL)
@given(table=tables(st.sampled_from([0, 1, 2.5, math.nan, -1, 11, 2.0**40])))
def test_any_numbers(table):
    """Missing, negative, broken and large ones."""
    array = np.array(table, np.float64)
    expected = doubts_of_numbers(array.tolist(), len(table), len(table[0]))
    assert _looks.at_numbers(array, len(table)) == expected


@examples(3 * USUAL)
@example(table=[[x, x, x] for x in range(6)])
@example(table=[[0, 1], *[[1, 0]] * 4, [4, 1]])
@given(table=tables(st.sampled_from([0, 1, 2, 12, "a", "b", None, 2.5, 1.0, True])))
def test_labels(table):
    """Numbers and texts, missing ones, and both in one column."""
    known, codes = {}, []
    for row in table:
        codes.append([-1 if x is None else known.setdefault(x, len(known)) for x in row])
    labels = list(known)
    plain = [[None if c < 0 else labels[c] for c in row] for row in codes]
    expected = doubts_of_labels(plain, len(table), len(table[0]))
    assert _looks.at_labels(np.array(codes, np.int32), labels, len(table)) == expected


def test_sums_are_of_whole_numbers():
    """Shares with the same sum are no counts."""
    shares = np.array([[0.5, 1.5], [1.0, 1.0], [0.5, 1.5], [2.0, 0.0]])
    assert _looks.at_numbers(shares, 4) == 0
    assert _looks.at_numbers(shares * 2, 4) == _looks.SUMS


def test_pairs_repeat_where_more_than_three_rows_do():
    """Three of the rows may repeat a pair."""
    for repeated, doubt in ((3, _looks.PAIRS), (4, 0)):
        different = 32 - repeated
        table = np.array([[min(i, different - 1), 0, 0] for i in range(32)])
        assert _looks.at_numbers(table, 32) & _looks.PAIRS == doubt


def test_a_column_that_shares_no_label_is_in_doubt():
    """One of texts; numbers may be of one scale."""
    codes = np.array([[i // 2, 3 + i] for i in range(6)], np.int32)
    labels = ["a", "b", "c", "p", "q", "r", "s", "t", "u"]
    assert _looks.at_labels(codes, labels, 6) == _looks.COLUMNS
    codes[:, 1] = codes[:, 0] + 3
    assert _looks.at_labels(codes, labels, 6) == _looks.COLUMNS
    codes[0, 1] = 0
    assert _looks.at_labels(codes, labels, 6) == 0


def test_half_of_the_labels_may_differ():
    """A column each of whose labels comes twice is a coder's, one that repeats none is not."""
    codes = np.array([[i // 2, i] for i in range(6)], np.int32)
    assert _looks.at_labels(codes, [1, 2, 3, 4, 5, 6], 6) == _looks.COLUMNS
    codes[5, 1] = 0
    assert _looks.at_labels(codes, [1, 2, 3, 4, 5, 6], 6) == 0


def test_columns_that_all_count_the_rows_are_no_names():
    """One that does among others that do not is."""
    both = np.array([[i, i] for i in range(6)])
    assert _looks.at_numbers(both, 6) == 0
    both[:, 1] = 1
    assert _looks.at_numbers(both, 6) == _looks.COLUMNS


def test_one_column_beyond_a_scale_is_one():
    """However many of its numbers are."""
    table = np.ones((6, 2), int)
    table[:2, 0] = 14, 12
    assert _looks.at_numbers(table, 6) == _looks.COLUMNS
    table[3, 1] = 11
    assert _looks.at_numbers(table, 6) == 0


def test_a_column_is_doubted_for_labels_of_its_own_or_all_different():
    """Not for many that another column has, too."""
    labels = [1, 2, 3, 4, 5, 6]
    different = np.array([[0, 0], [1, 0], [2, 1], [3, 1], [4, 0], [5, 0]], np.int32)
    assert _looks.at_labels(different, labels, 6) & _looks.COLUMNS
    shared = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [0, 0]], np.int32)
    assert not _looks.at_labels(shared, labels, 6) & _looks.COLUMNS


@pytest.mark.parametrize("labels", [[0, 1], [0, 63], [1, 2, 3], [0, 3, 7, 9], [5, 6, 40, 41]])
@pytest.mark.parametrize("missing", [False, True])
def test_labels_between_which_others_are_missing_are_numbered(labels, missing):
    rng = np.random.default_rng(len(labels))
    table = np.array(labels)[rng.integers(0, len(labels), (300, 3))].astype(np.float64)
    if missing:
        table[rng.random(table.shape) < 0.1] = np.nan
    found = _looks.count_plain(table, 0, frozenset())
    assert found is not None
    names, _, rows = found
    used = np.unique(table[~np.isnan(table)])
    assert list(names) == used.tolist()
    codes = np.where(np.isnan(table), -1, np.searchsorted(used, table))
    assert rows.table().tolist() == codes.tolist()


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_numbers_that_are_no_small_labels_are_not_counted(dtype):
    """Neither are those in tables that raise doubts."""
    rng = np.random.default_rng(3)
    for number in (-2, -100, 64, 100):
        table = np.ones((300, 3), dtype)
        table[7, 1] = number
        assert _looks.count_plain(table, 0, frozenset()) is None
        doubtful = rng.integers(1, 6, (12, 3)).astype(dtype)
        doubtful[:, 2] = doubtful.max(axis=1)
        doubtful[7] = number
        assert _looks.at_numbers(doubtful, 12)
        assert _looks.count_plain(doubtful, 0, frozenset()) is None


def unlikely(n, k, ways=1):
    return math.log(math.comb(n, k)) >= 7 + math.log(ways)


def like_others(row, of, kind):
    """Whether a label is the majority of the others, or so; None if they have no majority."""
    last = len(row) - 1
    beside = [
        x for c, x in enumerate(row) if c not in {of, last} or (c == last != of and last == 2)
    ]
    if kind == 2:
        (top, most), *others = Counter(beside).most_common()
        if of == last and row[of] not in beside:
            return False
        return None if others and others[0][1] == most else row[of] == top
    if kind == 3:
        return row[of] == statistics.median(row[:of] + row[of + 1 :])
    return row[of] == (min if kind == 4 else max)(beside)


def is_of_others(rows, kind):
    last = len(rows[0]) - 1
    known = [
        [like for row in rows for like in [like_others(row, c, kind)] if like is not None]
        for c in range(last + 1)
    ]
    most = max((sum(like) + 2) / (len(like) + 2) for like in known[:-1])
    return all(known[-1]) and len(known[-1]) * -math.log(most) >= 7 + math.log(4)


def follows_from_one(rows):
    *others, own = zip(*rows, strict=True)
    compared = list(itertools.combinations(others[:6], 2))
    if len(set(own)) == 2 and not any(len({*zip(own, x, strict=True)}) == 2 for x in others):
        first = [x == own[0] for x in own]
        splits = [[len({*row[:-1]}) == 1 for row in rows]]
        splits += [[x == y for x, y in zip(a, b, strict=True)] for a, b in compared]
        same = any(split in (first, [not x for x in first]) for split in splits)
        if same and unlikely(len(own), sum(first), 1 + len(compared)):
            return 6
    common = Counter(own).most_common(1)[0][1] / len(own)
    for other in others:
        kinds = len(set(other))
        coarser = len({*zip(other, own, strict=True)}) == kinds > len(set(own)) > 1
        differ = sum(x != y for x, y in zip(other, own, strict=True))
        if coarser and 4 * differ >= len(own) and (len(own) - kinds) * -math.log(common) >= 7:
            return 7
    return 0


def derives(table, *, numbers):
    """From what the last column follows; None is missing."""
    full = [row for row in table if None not in row[:-1]]
    same = [len({*row[:-1]}) == 1 for row in full]
    if len(full) < 8 or same.count(False) < 3 or len(table[0]) < 3:
        return 0
    empty = [row[-1] is None for row in full]
    if empty in (same, [not x for x in same]) and unlikely(len(full), sum(empty)):
        return 1
    rows = [row for row in full if row[-1] is not None]
    if len(rows) < 8:
        return 0
    kinds = range(2, 6 if numbers else 3)
    return next((kind for kind in kinds if is_of_others(rows, kind)), 0) or follows_from_one(rows)


#: What people compute from the labels of an item.
COMPUTED = (
    lambda row: row[-1],
    lambda row: Counter(row).most_common(1)[0][0],
    statistics.median_low,
    min,
    max,
    lambda row: None if len({*row}) == 1 else 1,
    lambda row: 9 if row[0] == row[1] else 8,
    lambda row: row[0] // 2,
    lambda row: 9 if row[-1] == row[1] else 8,
)


def test_what_follows_from_other_columns_is_found():
    """As plain Python finds it, in tables with gaps and of coders who agree more or less."""
    rng = np.random.default_rng(11)
    met = Counter()
    for number in range(1500):
        n, width, top = rng.integers(6, 40), rng.integers(2, 7), rng.integers(2, 7)
        truth, own = rng.integers(0, top, (n, 1)), rng.integers(0, top, (n, width))
        table = np.where(rng.random((n, width)) < rng.random(), truth, own).tolist()
        rows = [[*row, COMPUTED[number % len(COMPUTED)](row)] for row in table]
        if number % 4 == 0:
            rows[n // 2][-1] = 1
        if number % 3 == 0:
            rows[n // 3][0] = rows[n // 2][-1] = None
        codes = np.array([[-1 if x is None else x for x in row] for row in rows], np.int32)
        numbers = None if number % 5 == 0 else np.arange(10.0)
        expected = derives(rows, numbers=numbers is not None)
        assert _looks.derives(codes, numbers, 10) == expected
        assert _looks.derives(codes, numbers, 65) == expected or expected == 2
        met[expected] += 1
    assert set(met) == set(range(8))
    assert min(met.values()) >= 4


def test_tables_in_doubt_by_chance_are_counted():
    """A few labels of three coders may look like pairs, or like a majority; all rows tell."""
    rng = np.random.default_rng(7)
    doubted = [0, 0]
    for _ in range(400):
        truth, own = rng.integers(1, 6, (12, 1)), rng.integers(1, 6, (12, 3))
        table = np.where(rng.random((12, 3)) < 0.6, truth, own).astype(float)
        table[rng.random(table.shape) < 0.1] = np.nan
        for place, doubt in enumerate((_looks.PAIRS, _looks.DERIVED)):
            if _looks.at_numbers(table, 12) & doubt:
                doubted[place] += _looks.count_plain(table, 0, frozenset()) is not None
    assert min(doubted) >= 5
