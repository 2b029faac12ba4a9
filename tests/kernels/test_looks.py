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
    return type(x) is float or (type(x) is int and abs(x) < 2**40)


def last_row_follows(table):
    """Whether the last row has the sums or the means of the columns."""
    columns = [[x for x in column if x is not None] for column in zip(*table, strict=True)]
    return None not in table[-1] and all(
        all(map(is_number, column)) and follows(column[-1], column[:-1]) for column in columns
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
    result = 0
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
            result |= _looks.COLUMNS
    some = table[:32]
    filled = [[x for x in row if x == x] for row in some]
    odd = (x for column in zip(*some, strict=True) for x in column if x == x and not is_count(x))
    if n_rows == width and 0 <= next(odd, 1) < 1:
        result |= _looks.SUMS
    counts = all(is_count(x) for row in filled for x in row)
    if n_rows >= 2 and counts and sums_are_even(filled, n_rows, width, filled != some):
        result |= _looks.SUMS
    plain = [[None if x != x else x for x in row] for row in table]
    if any(
        kind >= 0 for kind in Follows(plain[:32], n_rows, {x: x for r in plain for x in r}).kinds()
    ):
        result |= _looks.DERIVED
    if width == 3 and not pairs_repeat(table):
        result |= _looks.PAIRS
    if n_rows > 5 and last_row_follows(plain):
        result |= _looks.LAST
    return result


def doubts_of_labels(table, n_rows, width):
    """The same for labels; None is missing."""
    result = 0
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
        result |= _looks.COLUMNS if odd else 0
    some = table[:32]
    names, below = some[0], {x for row in some[1:] for x in row}
    if below and isinstance(names[0], str) and len({*names} - below - {None}) == width:
        result |= _looks.COLUMNS  # a row of names stands above the labels
    filled = [[x for x in row if x is not None] for row in some]
    odd = [
        x
        for column in zip(*some, strict=True)
        for x in column
        if x is not None and not (is_number(x) and is_count(x))
    ]
    if n_rows == width > 1 and odd and is_number(odd[0]) and 0 <= odd[0] < 1:
        result |= _looks.SUMS
    counts = all(is_number(x) and is_count(x) for row in filled for x in row)
    if n_rows >= 2 and counts and sums_are_even(filled, n_rows, width, filled != some):
        result |= _looks.SUMS
    numbers = {x: x for row in table for x in row if isinstance(x, int | float)}
    if any(kind >= 0 for kind in Follows(table[:32], n_rows, numbers).kinds()):
        result |= _looks.DERIVED
    if width == 3 and not pairs_repeat(table):
        result |= _looks.PAIRS
    if n_rows > 5 and last_row_follows(table):
        result |= _looks.LAST
    return result


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
    result = _looks.count_plain(table, 0, frozenset())
    assert result is not None
    names, _, rows = result
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


def test_a_column_of_one_word_is_looked_at_again():
    """That the next column has the word, too, is no second one."""
    second, third = "bccababcbccb", "bccbbbbbbccb"
    for first, at_once in (("abacababacac", True), ("aaaaaaaaaaaa", False)):
        rows = list(map(list, zip(first, second, third, strict=True)))
        assert (_looks.count_plain(rows, 0, frozenset(), True) is not None) is at_once


SUM, MEAN, DIFFERENCE, EMPTY, FILLED, MAJORITY, MEDIAN = range(7)
SMALLEST, LARGEST, ROUNDED, TENTHS, AMONG, EQUAL, COARSER = range(7, 14)


class Follows:
    """From what columns follow, of the first of some rows; `numbers` are those of labels."""

    def __init__(self, table, n_rows, numbers, all_pairs=False):
        self.table, self.numbers = table, numbers
        self.width, self.partial = len(table[0]), n_rows > len(table)
        self.times = self.share = n_rows / len(table)
        often = Counter(map(tuple, table))
        common = math.gcd(*often.values())
        self.all_count = self.partial or 0.63 * len(table) > len(often) * common
        if self.all_count and not self.partial:
            self.share = 0.63 / common
        self.doubt = 2.5 if self.partial else 7
        self.all_pairs = all_pairs or self.width <= 8
        self.enough = n_rows >= 5 and self.width > 2
        self.enough &= sum(row.count(None) < 2 for row in table) * self.times >= 5

    def kinds(self):
        return [self.kind(at) if self.enough else -1 for at in range(self.width)]

    def kind(self, at):
        full = [row for row in self.table if None not in row[:at] + row[at + 1 :]]
        filled = [row for row in full if row[at] is not None]
        for kind in range(AMONG):
            more = math.log(self.width) if kind in (ROUNDED, TENTHS) else 0
            if self.is_evident(full, filled, at, kind, self.numbers, more):
                return kind
        if not (self.all_pairs or at == self.width - 1):
            return -1
        labels = {x for row in self.table for x in row if x is not None}
        ranks = None if self.numbers else self.order(filled, at, labels)
        if ranks and self.is_evident(
            full, filled, at, LARGEST, ranks, math.lgamma(len(labels) + 1)
        ):
            return AMONG
        return self.of_few(self.counted(filled), at)

    def counted(self, rows):
        return rows if self.all_count else [list(row) for row in dict.fromkeys(map(tuple, rows))]

    def like(self, row, of, at, kind, numbers):
        """Whether a label is of a kind; None if that is unknown."""
        width, own = len(row), row[of]
        beside = [x for c, x in enumerate(row) if c != of]
        if kind in (EMPTY, FILLED):
            return ((own is None) == (len({*beside}) == 1)) == (kind == EMPTY)
        if own is None:
            return None
        if of != at and width > 3 and kind != MEDIAN:
            beside = [x for c, x in enumerate(row) if c not in (of, at)]
        if kind == MAJORITY:
            (top, most), *others = Counter(beside).most_common()
            if others and others[0][1] == most:
                return False if of == at and own not in beside else None
            return own == top
        if not all(x in numbers for x in row if x is not None):
            return None if numbers and kind <= DIFFERENCE else False
        own, beside = numbers[own], [numbers[x] for x in beside]
        if kind == DIFFERENCE:
            return len(beside) == 2 and abs(abs(own) - abs(beside[0] - beside[1])) <= 1e-9
        if kind in (SMALLEST, LARGEST):
            return own == (min if kind == SMALLEST else max)(beside)
        if kind == MEDIAN:
            return own == statistics.median(beside)
        if kind == SUM:
            return abs(own - sum(beside)) <= 1e-9
        far = abs(own - sum(beside) / len(beside))
        if kind == MEAN:
            return far <= 0.0051
        steps = 1 if kind == ROUNDED else 10
        return far <= 0.5 / steps + 1e-9 and abs(own * steps - round(own * steps)) < 1e-9

    def is_evident(self, full, filled, at, kind, numbers, more):
        rows = full if kind in (EMPTY, FILLED) else filled
        likes = [self.like(row, at, at, kind, numbers) for row in rows]
        known = [row for row, like in zip(rows, likes, strict=True) if like is not None]
        if False in likes or (not known and kind <= DIFFERENCE):
            return False
        beside = [row[:at] + row[at + 1 :] for row in known]
        if kind <= DIFFERENCE:
            apart = sum(row[at] not in others for row, others in zip(known, beside, strict=True))
            varies = len({row[at] for row in known}) > 1
            return varies and len(known) * self.times >= 5 and apart * self.times >= 3
        rows = self.counted(full)
        blank = sum(row[at] is None for row in rows)
        unlike = sum(len({*row[:at], *row[at + 1 :]}) > 1 for row in rows)
        if len(rows) * self.share < 8 or unlike * self.share < 3:
            return False
        if kind in (EMPTY, FILLED):
            return math.log(math.comb(len(rows), blank)) * self.share >= self.doubt
        if (len(rows) - blank) * self.share < 8:
            return False
        rows = self.counted(filled)
        sure = [self.like(row, at, at, kind, numbers) for row in rows]
        most = 0
        for c in range(self.width):
            like = [self.like(row, c, at, kind, numbers) for row in rows]
            like = [x for x in like if x is not None]
            if c != at:
                most = max(most, (sum(like) + 2 - self.partial) / (len(like) + 2))
        evidence = sum(x is not None for x in sure) * -math.log(most)
        return evidence * self.share >= self.doubt + math.log(4) + more

    def order(self, rows, at, labels):
        """An order in which a column is the largest of the others, which it must be among."""
        if any(row[at] not in row[:at] + row[at + 1 :] for row in rows):
            return None
        below = {
            label: {x for r in rows if r[at] == label for x in r} - {label} for label in labels
        }
        ranks = {}
        while len(ranks) < len(labels):
            free = [x for x in labels if x not in ranks and below[x] <= ranks.keys()]
            if not free:
                return None
            ranks[min(free, key=self.first)] = len(ranks)
        return ranks

    def first(self, label):
        """Codes are in the order of first appearance."""
        return [x for row in self.table for x in row].index(label)

    def of_few(self, rows, at):
        n = len(rows)
        if not rows:
            return -1
        columns = list(zip(*rows, strict=True))
        own = columns[at]
        others = [column for c, column in enumerate(columns) if c != at]
        unlike = sum(len({*row}) > 1 for row in zip(*others, strict=True))
        enough = n * self.share >= 8 and unlike * self.share >= 3
        compared = list(itertools.combinations(others[:6], 2))
        if enough and len({*own}) == 2:
            first = [x == own[0] for x in own]
            ways = math.log(math.comb(n, sum(first))) * self.share
            splits = [[len({*row}) == 1 for row in zip(*others, strict=True)]]
            splits += [[x == y for x, y in zip(a, b, strict=True)] for a, b in compared]
            alone = not any(len({*zip(own, x, strict=True)}) == 2 for x in others)
            same = any(split in (first, [not x for x in first]) for split in splits)
            if alone and same and ways >= self.doubt + math.log(1 + len(compared)):
                return EQUAL
        common = Counter(own).most_common(1)[0][1] / n
        for other in others:
            kinds = len({*other})
            coarser = len({*zip(other, own, strict=True)}) == kinds > len({*own}) > 1
            differ = sum(x != y for x, y in zip(other, own, strict=True))
            evidence = (n - kinds) * -math.log(common) * self.share
            if (
                enough
                and coarser
                and 4 * differ >= n
                and evidence >= self.doubt + math.log(self.width)
            ):
                return COARSER
        return -1


#: What people compute from the labels of an item.
COMPUTED = (
    sum,
    statistics.mean,
    lambda row: row[0] - row[1],
    lambda row: None if len({*row}) == 1 else 1,
    lambda row: 1 if len({*row}) == 1 else None,
    lambda row: Counter(row).most_common(1)[0][0],
    statistics.median_low,
    min,
    max,
    lambda row: math.floor(statistics.mean(row) + 0.5),
    lambda row: round(statistics.mean(row), 1),
    lambda row: max(row, key=lambda x: 5 * x % 7),
    lambda row: 9 if row[0] == row[1] else 8,
    lambda row: row[0] // 2,
    lambda row: 9 if row[-1] == row[1] else 8,
    lambda row: row[-1],
)


def test_what_follows_from_other_columns_is_found():
    """As plain Python finds it, in tables with gaps and of coders who agree more or less."""
    rng = np.random.default_rng(11)
    met = Counter()
    for number in range(1600):
        n, width, top = rng.integers(6, 40), rng.integers(2, 7), rng.integers(2, 7)
        truth, own = rng.integers(0, top, (n, 1)), rng.integers(0, top, (n, width))
        table = np.where(rng.random((n, width)) < rng.random(), truth, own).tolist()
        at = int(rng.integers(0, width + 1))
        rows = [[*row[:at], COMPUTED[number % len(COMPUTED)](row), *row[at:]] for row in table]
        if number % 4 == 0:
            rows[n // 2][at] = 1
        if number % 3 == 0:
            rows[n // 3][0] = rows[n // 2][-1] = None
        rows *= 1 + (number % 7 == 0)
        labels = list(dict.fromkeys(x for row in rows for x in row if x is not None))
        codes = [[-1 if x is None else labels.index(x) for x in row] for row in rows]
        words = number % 5 == 0 or number % len(COMPUTED) == 11
        numbers = None if words else np.array(labels, float)
        expected = Follows(
            rows, len(rows), {} if words else {x: x for x in labels}, all_pairs=True
        ).kinds()
        result = _looks.computed(np.array(codes, np.int32), numbers, len(labels))
        assert result == expected, (number, rows)
        met.update(result)
    assert set(met) == set(range(-1, 14))
    assert min(met.values()) >= 4


@pytest.mark.parametrize(("below", "is_sum"), [(0, False), (1, True)])
def test_sums_that_may_lose_whole_numbers_are_no_evidence(below, is_sum):
    """A number and the sum of the others must add to less than 2^53."""
    rng = np.random.default_rng(0)
    sign, apart = rng.choice([1, -1], 40), rng.integers(0, 6, 40)
    first, second = sign * (2.0**51 - below - apart), sign * (2.0**51 + apart)
    table = np.column_stack([first, second, first + second])
    labels, codes = np.unique(table, return_inverse=True)
    codes = codes.reshape(table.shape).astype(np.int32)
    assert (_looks.computed(codes, labels, len(labels)) == [2, 2, 0]) is is_sum


def doubtful_tables(rng):
    """Labels that leave no doubt, some with gaps, and with a column or a row of something else."""
    functions = (*COMPUTED, lambda row: 1 + (row[0] == row[1]), lambda row: abs(row[0] - row[1]))
    for number in range(30 * len(functions)):
        n, width, top = rng.integers(16, 33), 2 + number % 4, rng.integers(2, 7)
        truth, own = rng.integers(1, top, (n, 1)), rng.integers(1, top, (n, width))
        rows = np.where(rng.random((n, width)) < 0.5 * rng.random(), truth, own).tolist()
        function = functions[rng.integers(len(functions))]
        if number % 13 == 0:
            rows[0] = [*range(9, 9 + width)]
        elif number % 13 == 1:
            rows = [[i, *row] for i, row in enumerate(rows)]
        elif number % 13 == 2:
            rows[-1] = [sum(column[:-1]) for column in zip(*rows, strict=True)]
        elif number % 13 < 5:
            rows = [[None if rng.random() < 0.1 else x for x in row] for row in rows]
        else:
            rows = [[*row, function(row)] for row in rows]
        if number % 13 == 12:
            rows[n // 2][0] = None
        yield rows


@pytest.mark.parametrize("kind", ["numbers", "words", "array"])
def test_tables_that_are_counted_raise_no_doubts(kind):
    """None of those that plain Python finds."""
    bits = (_looks.COLUMNS, _looks.DERIVED, *[_looks.LAST] * (kind == "array"))
    doubtful, counted = Counter(), 0
    for rows in doubtful_tables(np.random.default_rng(12)):
        n, width = len(rows), len(rows[0])
        cells = [x for row in rows for x in row if x is not None]
        if not all(type(x) is int and 0 <= x < 26 for x in cells) and kind == "words":
            continue
        if kind == "words":
            rows = [[None if x is None else chr(97 + x) for x in row] for row in rows]
        table, numbers = rows, {} if kind == "words" else {x: x for x in cells}
        doubts = doubts_of_labels(rows, n, width)
        if kind == "array":
            table = np.array(rows, float)
            doubts = doubts_of_numbers(table.tolist(), n, width)
        found = doubts & (_looks.COLUMNS | _looks.LAST)
        if any(kind >= 0 for kind in Follows(rows, n, numbers).kinds()):
            found |= _looks.DERIVED
        result = _looks.count_plain(table, 0, frozenset())
        assert not found or result is None, rows
        counted += result is not None
        doubtful.update(bit for bit in bits if found & bit)
    assert counted > 20
    assert min(doubtful[bit] for bit in bits) > 10


def test_tables_in_doubt_by_chance_are_counted():
    """A few labels of three coders may look like pairs, or like a mean; all rows tell."""
    rng = np.random.default_rng(7)
    doubted = Counter()
    for _ in range(400):
        truth, own = rng.integers(1, 6, (40, 1)), rng.integers(1, 6, (40, 3))
        table = np.where(rng.random((40, 3)) < 0.6, truth, own).astype(float)
        table[rng.random(table.shape) < 0.1] = np.nan
        table[:32, 2] = np.floor(table[:32, :2].mean(axis=1) + 0.5)
        for part, rows, doubt in (
            (table[:12, ::-1], 12, _looks.PAIRS), (table, 32, _looks.DERIVED)
        ):  # fmt: skip
            if _looks.at_numbers(part[:rows], len(part)) & doubt:
                part = np.ascontiguousarray(part)
                doubted[doubt] += _looks.count_plain(part, 0, frozenset()) is not None
    assert doubted[_looks.PAIRS] >= 5
    assert doubted[_looks.DERIVED] >= 5
