"""What the numbers and pairs of a table show: counts, contingency tables, one judgment a row.

A row that is the sum of the others is a margin if it has the name of one. Without the name, chance
must explain the equal sums: the larger the numbers, the less likely it is that they add up.
"""

from __future__ import annotations

import math
import operator
import re
import sys
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels._looks import computed
from agreement_fast._kernels.arrays import Array
from agreement_fast.patterns import group_equal
from agreement_fast.reading.recognition.names import (
    numbers_rows,
    opposite_labels,
    says_how_often,
    usual_columns,
    words_in,
)
from agreement_fast.reading.recognition.profile import ROWS, Column

#: Chance explains what is observed with e^-DOUBT at most.
DOUBT = 7.0
#: Chance with which guesses explain that columns vary against each other as much.
AGAINST = 1e-3
#: Pairs of numbers that all differ are counted if chance explains it with e^-DOUBT_OF_PAIRS; that
#: they stand in order counts as e^-ONE_SIGN, and so does the name of the third column.
DOUBT_OF_PAIRS, ONE_SIGN = 5.0, 3.5
#: Fewest items whose numbers begin again.
FEWEST_NUMBERED = 3
#: An odd number whose powers spread over 64 bits.
MIXED = np.uint64(0x9E3779B97F4A7C15)
#: Chance explains that two columns mirror each other with e^-MIRRORED at most: five rows do.
MIRRORED = math.log(math.factorial(5)) - 1e-9
#: Counts are below this number.
LARGEST = 2.0**40
#: With fewer rows, nothing shows that columns vary against each other.
FEWEST = 8
_PERCENT = re.compile(r"[0-9]+([.,][0-9]+)?\s*%")
#: In fewer rows, labels may form all pairs.
CROSSED = 8
#: Pairs of rows with the same values of two columns that are not left to chance.
FEWEST_TIES = 20
#: What the order of rows, and labels on a part of the scale, add to evidence at most.
SORTED, NARROW = 4.5, 6.5


def whole_numbers(columns: Sequence[Column]) -> Array | None:
    """Return columns of whole numbers from 0 as a table; None if they hold anything else."""
    if not all(column.whole and column.complete and column.low >= 0 for column in columns):
        return None
    table = np.column_stack([column.floats for column in columns])
    return table if not np.isnan(table).any() and table.max() < LARGEST else None


def are_shares(columns: Sequence[Column]) -> int:
    """Return 1 or 100 if cells are shares or percentages that add to it in each row, else 0.

    They have fractions or a sign of percent, and are rounded. Of zeros and ones, nothing is said.
    """
    if any(column.sets for column in columns):
        return 0
    texts = [[*map(str, column.values)] for column in columns]
    signs = {_PERCENT.fullmatch(text) is not None for of in texts for text in of}
    if signs == {True}:
        cells = [[*(float(t.rstrip("% ").replace(",", ".")) for t in of), 0] for of in texts]
        table = np.column_stack(
            [np.array(of)[c.codes] for of, c in zip(cells, columns, strict=True)]
        )
    elif any(c.fractional for c in columns) and columns[0].rows >= FEWEST_SUMS:
        table = np.column_stack([column.floats for column in columns])
    else:
        return 0
    sums = table.sum(axis=1)
    if not (table >= 0).all():
        return 0
    if (np.abs(sums - 1) <= len(columns) * ROUNDED).all():
        return 1
    return 100 * bool((np.abs(sums - 100) <= len(columns) / 2).all())


def are_square_shares(columns: Sequence[Column]) -> bool:
    """Return whether the cells of a square table are fractions that add to 1 together."""
    if columns[0].rows != len(columns) or not any(column.fractional for column in columns):
        return False
    table = np.column_stack([column.floats for column in columns])
    return bool((table >= 0).all() and abs(table.sum() - 1) <= table.size * ROUNDED)


def are_counts_without_zeros(columns: Sequence[Column]) -> int:
    """Return the sum of each row if it is the same however many cells are filled, else 0."""
    filled = [column for column in columns if column.filled]
    if not filled or not all(column.whole and column.low > 0 for column in filled):
        return 0
    table = np.column_stack([column.floats for column in columns])
    n_filled = np.isfinite(table).sum(axis=1)
    table = np.nan_to_num(table)
    if not np.ptp(n_filled) or not n_filled.all() or not _sums_are_equal(table):
        return 0
    return int(np.median(table.sum(axis=1)))


def are_counted_pairs(columns: Sequence[Column]) -> bool:
    """Return whether two columns hold pairs of labels, each once, and the third counts them."""
    *pair, often = columns
    labels = set(pair[0].values) | set(pair[1].values)
    sizes, n = [column.distinct for column in pair], len(often.codes)
    if not (often.whole and all(column.complete for column in columns) and often.low >= 0):
        return False
    if len(labels) == sum(sizes) or not max(4, *(size + 1 for size in sizes)) <= n:
        return False
    if len(np.unique(pair[0].codes.astype(np.int64) * n + pair[1].codes)) < n:
        return False
    in_runs = _runs(pair[0]) == sizes[0] and n == math.prod(sizes)
    if in_runs and not labels.issuperset(often.values):
        return True
    return not any(column.numbers for column in pair)


def are_counted_numbers(columns: Sequence[Column]) -> bool:
    """Return whether two columns hold pairs of numbers, each once, and the third may count them.

    Three ratings of an item are numbers, too, but their pairs repeat, and stand in no order.
    """
    *pair, often = columns
    n, n_pairs = len(often.codes), math.prod(column.distinct for column in pair)
    if not all(column.whole and column.complete for column in columns) or often.low < 0:
        return False
    if max(column.distinct for column in pair) * REPEATS > n:
        return False
    rows = np.column_stack([column.floats for column in pair]).tolist()
    if len({*map(tuple, rows)}) < n or {*pair[0].values}.isdisjoint(pair[1].values):
        return False
    falling = sorted(often.floats.tolist(), reverse=True)
    in_order = rows == sorted(rows) or often.floats.tolist() == falling
    signs = int(in_order) + says_how_often(often.name)
    by_chance = float(np.log1p(-np.arange(n) / n_pairs).sum())
    return signs > 0 and signs * ONE_SIGN - by_chance >= DOUBT_OF_PAIRS


def may_be_square_counts(table: Array) -> bool:
    """Return whether a square table of whole numbers may hold counts of two coders' labels.

    Zeros and ones, or ones and twos, are labels.
    """
    if table.shape[0] != table.shape[1]:
        return False
    return not any(np.isin(table, pair).all() for pair in ((0, 1), (1, 2)))


def are_counts(table: Array) -> str | None:
    """Return why whole numbers look like counts of categories; None if they may be labels."""
    if _sums_are_equal(table) or _mirrored(table):
        sums, often = np.unique(table.sum(axis=1), return_counts=True)
        return f"its rows add to {sums[often.argmax()]:.0f}"
    return "its columns vary against each other" if _vary_against(table) else None


def few_with_one_sum(columns: Sequence[Column]) -> int:
    """Return the sum of each of a few rows of whole numbers with zeros if it is the same, else 0.

    They are too few to be certain of counts, but coders who agree have sums that differ.
    """
    table = whole_numbers(columns)
    if table is None or not 2 < len(table) < FEWEST or table.all():
        return 0
    sums = table.sum(axis=1)
    same = sums[0] > 1 and not np.ptp(sums) and np.ptp(table, axis=0).any()
    return int(sums[0]) if same else 0


def _vary_against(table: Array) -> bool:
    """Return whether a row is large in one column because it is small in others.

    The labels of an item vary together, or independently if coders guess. Then the variance of the
    sums of rows is at least the sum of the variances of columns, and their ratio is distributed
    like χ² / (rows − 1). Counts have zeros, but no row of them.
    """
    rows, width = table.shape
    each = float(table.var(axis=0).sum())
    if rows < FEWEST or each == 0 or (table == 0).mean() < 1 / width / 2:
        return False
    if not table.any(axis=1).all():
        return False
    from scipy.special import gammainc

    freedom = (rows - 1) / 2
    ratio = float(table.sum(axis=1).var()) / each
    return bool(gammainc(freedom, freedom * ratio) < AGAINST)


def _sums_are_equal(table: Array) -> bool:
    """Return whether (nearly) all rows have one sum, which is unlikely for labels.

    The most frequent row is left out: coders who agree on one category repeat it, too.
    """
    every, shares = np.unique(table.sum(axis=1), return_counts=True)
    if every[shares.argmax()] < 1 or shares.max() < 0.95 * len(table):
        return False
    # Compare one number for each row: sorting rows themselves takes ten times as long.
    with np.errstate(over="ignore"):
        powers = MIXED ** np.arange(table.shape[1], dtype=np.uint64)
        _, first, counts = np.unique(
            (table.astype(np.uint64) * powers).sum(axis=1), return_index=True, return_counts=True
        )
    counts_used = table[first]
    rows = np.delete(counts_used, counts.argmax(), axis=0)
    often = np.delete(counts, counts.argmax())
    if not len(rows):
        return False
    sums, place = np.unique(rows.sum(axis=1), return_inverse=True)
    share = np.bincount(place, often)
    usual = float(sums[share.argmax()])
    if usual < 1 or counts_used[counts.argmax()].sum() != usual or share.max() < 0.95 * often.sum():
        return False
    spread = math.sqrt(2 * math.pi * (float(table.var(axis=0).sum()) + 1 / 12))
    return float(share.max()) * math.log(max(spread, 1.0)) >= DOUBT


def _mirrored(table: Array) -> bool:
    """Return whether all rows of two columns have one sum, which guesses in any order do rarely.

    Agreement on the middle of a scale is left out if no other row is as frequent.
    """
    if table.shape[1] != 2 or not len(table) or np.ptp(table.sum(axis=1)):
        return False
    values, counts = np.unique(table[:, 0], return_counts=True)
    if values[counts.argmax()] == table[0].sum() / 2:
        counts = np.delete(counts, counts.argmax())
    ways = math.lgamma(counts.sum() + 1) - sum(math.lgamma(n + 1) for n in counts.tolist())
    return ways >= MIRRORED


def order_of_triples(columns: Sequence[Column]) -> tuple[int, int, int] | None:
    """Return which of three columns hold the item, the coder and the label of a judgment.

    Two of the columns repeat their values, but almost never a pair of them. None if the columns
    may be the labels of three coders.
    """
    if len(columns) != 3:
        return None
    evidence = {
        pair: -1.0
        if any(columns[i].fractional for i in pair)
        else _evidence(columns[pair[0]].codes, columns[pair[1]].codes)
        for pair in combinations(range(3), 2)
    }
    for pair in [pair for pair, x in evidence.items() if x >= 0]:
        evidence[pair] += _further(*(columns[i] for i in (*pair, 3 - sum(pair))))
    pair, best = max(evidence.items(), key=lambda item: item[1])
    values = [set(column.values) for column in columns]
    apart = len(set().union(*values)) == sum(map(len, values))
    if best < DOUBT and not (apart and best > 0.5):
        pairs = [both for both in evidence if _are_crossed(*(columns[i] for i in both))]
        if len(pairs) != 1:
            return None
        pair = pairs[0]
    coder, item = sorted(pair, key=lambda i: columns[i].distinct)
    return item, coder, 3 - item - coder


def are_no_triples(columns: Sequence[Column]) -> bool:
    """Return whether the first rows exclude that three columns are an item, a coder and a label.

    Either values rarely repeat, as in measurements, or each two columns repeat pairs as often as by
    chance. The first rows may be those of one coder, whose pairs with items then do not repeat.
    """
    codes = [column.codes for column in columns]
    if len(codes[0]) < ROWS:
        return False
    if all(column.distinct * REPEATS > ROWS and not column.fractional for column in columns):
        return True
    return all(
        ties(_pairs_of(*pair)) >= FEWEST_TIES and _evidence(*pair) < 0
        for pair in combinations(codes, 2)
    )


def _are_crossed(first: Column, second: Column) -> bool:
    """Return whether each value of one column stands in a run, with each of the other's once."""
    sizes, n = (first.distinct, second.distinct), len(first.codes)
    if n < CROSSED or min(sizes) < 2 or sizes[0] * sizes[1] != n:
        return False
    runs = [_runs(column) for column in (first, second)]
    pairs = first.codes.astype(np.int64) * n + second.codes
    return any(map(operator.eq, runs, sizes)) and len(np.unique(pairs)) == n


def _evidence(first: Array, second: Array) -> float:
    """Return x such that chance explains the few repeated pairs of two columns with e^-x.

    Negative if they repeat about as often as by chance (Chernoff's bound for a Poisson variable).
    """
    pairs = _pairs_of(first, second)
    expected = ties(first) * ties(second) / max(math.comb(len(pairs), 2), 1)
    observed = ties(pairs)
    if not observed:
        return expected
    if observed > expected / 10:
        return -1.0
    return expected - observed + observed * math.log(observed / expected)


def _pairs_of(first: Array, second: Array) -> Array:
    """Return a number for each pair of values."""
    return first * (int(second.max(initial=0)) + 2) + second


def _further(first: Column, second: Column, label: Column) -> float:
    """Return what rows in the order of a column, and labels that are its least numbers, add.

    People sort tables, and some coders use few labels, so this is bounded; few rows show neither.
    """
    n = len(first.codes)
    if n < FEWEST_TRIPLES:
        return 0.0
    sorted_by = any(1 < c.distinct == _runs(c) < c.filled == n for c in (first, second))
    return SORTED * sorted_by + min(NARROW, *(_beyond(label, of) for of in (first, second)))


def _runs(column: Column) -> int:
    """Return the number of runs of equal values."""
    return 1 + int(np.count_nonzero(np.diff(column.codes)))


def _beyond(label: Column, other: Column) -> float:
    """Return x such that labels from 0 or 1 are the least numbers of another with e^-x."""
    if label.low not in (0, 1) or not label.whole or 3 * label.distinct > label.filled:
        return 0.0
    inside = np.count_nonzero(other.floats <= label.high) if other.whole else other.filled
    return -label.filled * math.log(max(inside, 1) / max(other.filled, 1))


def ties(codes: Array) -> int:
    """Return the number of pairs of rows with the same value."""
    counts = np.bincount(group_equal(codes)[0])
    return int((counts * (counts - 1) // 2).sum())


DECLARED = ("coder", "item", "label")
#: Fewer triples show no order.
FEWEST_TRIPLES = 12
#: A value that repeats occurs in this many rows, on average.
REPEATS = 1.5
#: Repeated judgments are the labels of other coders if they are this share of all, or more. If the
#: caller says what to do with them, that is certain only for these many of this many rows.
MANY = 0.2
MOST, MANY_ROWS = 0.6, 50


class Numbered(NamedTuple):
    """The codes of a column, and the values that they stand for."""

    codes: Array
    values: Sequence[Any]


def other_order(
    columns: Sequence[Numbered], *, repeated: bool = False, expected: bool = False
) -> tuple[Sequence[str], bool] | None:
    """Return an order more plausible than (coder, item, label), and whether this is certain.

    `columns`: in the order of the triples. `repeated`: whether a pair of the first two values
    occurs twice: a coder and an item, if the order is as declared. `expected`: whether the caller
    expects repeated judgments. Returns None if the declared order is plausible.
    """
    sizes = [len(column.values) for column in columns]
    n = len(columns[0].codes)
    if n < FEWEST_TRIPLES:
        return None
    if repeated:
        order = _without_repeats(columns)
        if order is None:
            return None
        certain = not expected or (n >= MANY_ROWS and _without_repeats(columns, MOST) == order)
        return order, certain
    swapped = ("item", "coder", "label")
    first, second = (_role(column.values) for column in columns[:2])
    certain = first == "item" or second == "coder"
    if first == "coder" or second == "item":
        return None
    if not certain:
        if not sizes[0] > sizes[1] > 1:
            return None
        numbers = [all(map(_is_number, column.values)) for column in columns[:2]]
        # Items that equally many coders judge occur equally often.
        often = [np.bincount(column.codes[column.codes >= 0]) for column in columns[:2]]
        alike = [bool((counts == counts[0]).all()) for counts in often]
        if numbers == [False, True] or alike == [False, True]:
            return None
        certain = sizes[0] > 2 * sizes[1] or numbers == [True, False] or alike == [True, False]
    return _without_repeats(columns) or swapped, certain


def _without_repeats(columns: Sequence[Numbered], share: float = MANY) -> Sequence[str] | None:
    """Return the only order in which no coder judges an item twice, if that of the labels is not.

    Values that rarely repeat are measurements, not names of items or coders.
    """
    sizes = [len(column.values) for column in columns]
    n = len(columns[0].codes)
    if n - _pairs(*columns[:2]) < share * n:
        return None
    pairs = [
        pair
        for pair in ((0, 2), (1, 2))
        if max(sizes[i] for i in pair) * REPEATS <= n and _pairs(*(columns[i] for i in pair)) == n
    ]
    if len(pairs) != 1:
        return None
    coder, item = sorted(pairs[0], key=lambda place: sizes[place])
    order = ["label"] * 3
    order[coder], order[item] = "coder", "item"
    return tuple(order)


def _pairs(first: Numbered, other: Numbered) -> int:
    """Return the number of different pairs of values of two columns."""
    return len(np.unique(first.codes.astype(np.int64) * (len(other.values) + 1) + other.codes))


def _role(values: Sequence[Any]) -> str | None:
    """Return "item" or "coder" if the first values are a usual name and a number: "rater_2"."""
    stems = {_stem(value) for value in values[:ROWS]}
    if len(stems) != 1:
        return None
    names = [stem for stem in stems if stem is not None]
    return next((role for role in ("item", "coder") if usual_columns(role, names)), None)


def _stem(value: Any) -> str | None:
    match = re.fullmatch(r"([^\W\d_]+)[\W_]*\d+", value) if isinstance(value, str) else None
    return match[1] if match else None


#: Chance explains sums with e^-DOUBT at most.
DOUBT_OF_SUMS = 5.0
#: Of two rows, each is the sum of the others if they are equal.
FEWEST_SUMS = 3
#: The largest relative difference of a sum of proportions.
ROUNDING = 1e-6
#: Names of sums. The first group may also name a category.
_AMBIGUOUS = frozenset({"all", "n"})
_SUMS = words_in(
    "total, totals, sum, sums, subtotal, margin, margins, gesamt, insgesamt, summe, somme, suma, "
    "somma, totale, totaal, totalt, summa, soma"
)
_BESIDE = frozenset({"row", "rows", "column", "columns", "col", "grand", "overall", "of", "n"})


def is_name_of_sums(name: Hashable) -> bool:
    """Say whether a row or column with this name may hold sums.

    Examples
    --------
    >>> [is_name_of_sums(name) for name in ("All", "Grand total", "total war", "yes", 1)]
    [True, True, False, False, False]
    """
    return says_sum(name) or (isinstance(name, str) and name.strip().lower() in _AMBIGUOUS)


def says_sum(name: Hashable) -> bool:
    """Say whether a row or column with this name must hold sums.

    Examples
    --------
    >>> [says_sum(name) for name in ("All", "Grand total", "sum")]
    [False, True, True]
    """
    words = set(re.findall(r"\w+", name.lower())) if isinstance(name, str) else set()
    return bool(words & _SUMS) and words <= _SUMS | _BESIDE


def rows_of_sums(table: Array, sums: Array | None = None) -> list[int]:
    """Return the rows of a table of numbers that are the sum of all other rows. O(cells).

    `sums` are the sums of the rows, if they are known.
    """
    kind = np.int64 if table.dtype.kind in "bi" else np.float64
    if sums is None:
        sums = table.sum(1, dtype=kind)
    # There are at most two such rows, or all of them are zeros.
    some = np.flatnonzero(_same(2 * sums, sums.sum()))[:2]
    if not (some.size and sums.any()):
        return []
    whole = table.sum(0, dtype=kind)
    return [int(i) for i in some if _same(2 * table[i].astype(kind), whole).all()]


def _same(values: Array, other: Array) -> Array:
    room = 0.0 if values.dtype.kind == "i" else ROUNDING
    same: Array = np.abs(values - other) <= room * np.abs(other)
    return same


def are_sums(values: Array, n_rows: int) -> bool:
    """Return whether sums of `n_rows` - 1 others are too large to be equal to these by chance.

    A number of n or so takes a certain value with probability 1 / (n + 1). That a row holds as much
    as all others together is the less likely, the more there are.
    """
    if n_rows < FEWEST_SUMS:
        return False
    return float(np.log1p(values.astype(np.float64)).sum()) + math.log(n_rows) >= DOUBT_OF_SUMS


#: Fewest rows above their sums or means, and room for rounding to two digits.
FEWEST_ABOVE, ROUNDED = 5, 0.0051
#: Chance explains equal sums with e^-BEYOND at most; that the last labels alone lie beyond all
#: others is rare in itself.
BEYOND = 4.0


def below_columns(table: Array) -> str | None:
    """Return whether the last row has the "sums" or the "means" of the columns; None if neither.

    `table`: numbers, NaN if missing. Chance, which explains that labels are what is computed from
    those above, must be excluded; coders who agree have the same sums, which count once. Sums lie
    above all labels, and means between them.
    """
    above, last = table[:-1], table[-1]
    filled = np.count_nonzero(np.isfinite(above), axis=0)
    if len(above) < FEWEST_ABOVE or not filled.all() or not np.isfinite(last).all():
        return None
    low, high, sums = np.nanmin(above, axis=0), np.nanmax(above, axis=0), np.nansum(above, axis=0)
    steps = np.where((last == np.rint(last)) & (high == np.rint(high)), 1.0, 2 * ROUNDED)
    if (last > high).all() and np.allclose(last, sums, rtol=1e-9, atol=1e-9):
        unlikely = np.log1p(np.unique(np.abs(last / steps))).sum() + math.log(len(table))
        return "sums" if unlikely >= BEYOND else None
    between = ~(above == last).any(axis=0)
    if not (np.abs(last - sums / filled) <= ROUNDED).all() or np.count_nonzero(between) < 2:
        return None
    _, places = np.unique(last[between], return_index=True)
    spread = ((high - low) / steps)[between][places]
    unlikely = np.log(np.maximum(spread, 1)).sum()
    if (np.isnan(above) | (above == np.rint(above))).all() and (last != np.rint(last)).any():
        unlikely += math.log(len(table))
    return "means" if unlikely >= DOUBT else None


def numbers_name_rows(
    name: Any, values: Array, others: Mapping[Any, Array | None], n_columns: int | None = None
) -> bool | None:
    """Return whether the numbers of the first column name the rows; None if they may count.

    They must differ. They are names if only the other columns are named by numbers, or if they
    number the rows from 0 or 1 on and the column has a usual name or no part in equal sums of rows.
    `others`: the other columns; None for one that does not hold numbers. `n_columns`: the number of
    columns that count, if it is known; it decides unless numbers repeat.
    """
    if len(values) < 2 or not all(map(_differ, (values[:ROWS], values))):
        return False
    if not _is_number(name) and all(map(_is_number, others)):
        named: bool | None = True
    else:
        named = _may_name_rows(name, values, others)
    if n_columns in (len(others), len(others) + 1):
        return named is not False and n_columns == len(others)
    return named


def _differ(values: Array) -> bool:
    """Return whether no number occurs twice."""
    return bool((values[1:] > values[:-1]).all()) or len(np.unique(values)) == len(values)


def _may_name_rows(name: Any, values: Array, others: Mapping[Any, Array | None]) -> bool | None:
    numbers = [column for column in others.values() if column is not None]
    complete = len(numbers) == len(others) > 0
    sums = np.sum(numbers, axis=0) if complete and len(others) > 1 else values
    counting = values[0] in (0, 1) and bool((np.diff(values) == 1).all())
    even = not np.ptp(sums)
    usual = numbers_rows(name) or (isinstance(name, str) and bool(usual_columns("item", [name])))
    if usual and not opposite_labels([name, *others]):
        return True if counting or even else None
    whole = values + np.sum(numbers, axis=0) if complete else values
    if len(values) < FEWEST_SUMS or not np.ptp(whole) or not (counting or even):
        return False
    if counting and even:
        return True
    return None if even or len(values) > FEWEST_SUMS else False


def _is_number(name: Any) -> bool:
    return isinstance(name, (int, float)) or (
        isinstance(name, str) and re.fullmatch(r"[+-]?\d+(\.\d+)?", name) is not None
    )


def begin_again(items: Array, coders: Array, parts: Array) -> bool:
    """Return whether numbers of items begin again in each part, which has coders of its own.

    `items`: numbers; `coders`, `parts`: codes; -1 is missing. Each part has several coders, who
    judged no other part, and all whole numbers from 0 or 1 to that of its last item.
    """
    known = parts >= 0
    items, coders, parts = items[known], coders[known], parts[known].astype(np.int64)
    n_parts = int(parts.max(initial=0)) + 1
    of_coders = np.unique(coders * np.int64(n_parts) + parts)
    n_coders = np.bincount(of_coders % n_parts, minlength=n_parts)
    if n_parts < 2 or n_coders.min() < 2 or len(of_coders) > len(np.unique(coders)):
        return False
    order = np.lexsort((items, parts))
    items, parts = items[order], parts[order]
    begins = np.diff(parts, prepend=-1) != 0
    n_items = np.bincount(parts[begins | (np.diff(items, prepend=np.nan) != 0)])
    low, high = items[begins], items[np.append(begins[1:], True)]
    return bool(
        (high - low + 1 == n_items).all()
        and np.isin(low, (0, 1)).all()
        and n_items.min() >= FEWEST_NUMBERED
    )


#: What the kernel finds that a column follows from: its role, and why.
_COMPUTED = (
    *(("total", f"it is the {x} of the other numbers") for x in ("sum", "mean", "difference")),
    ("result", "it is empty where the others are equal, and nowhere else"),
    ("result", "it is filled where the others are equal, and nowhere else"),
    ("result", "it is the majority of the other columns in all rows"),
    *(
        ("total", f"it is the {name} of the other columns in all rows")
        for name in ("median", "smallest", "largest", "rounded mean", "rounded mean")
    ),
    ("total", "it is the largest of the other columns in all rows, in some order of their labels"),
    ("unlike", "it says where other columns are equal"),
    ("unlike", "each of its values stands for values of another column"),
)
_SUM, _MEAN, _DIFFERENCE = range(3)


def derived(columns: Sequence[Column]) -> tuple[int, str, str] | None:
    """Return the place and the role of a column that is computed from the others, and why.

    Chance must not explain that it is what people compute from labels: their sum, mean, majority,
    median, least or largest, whether they are equal, or one of them in fewer categories. Of
    several, a sum of numbers from 0 or a mean is taken first, then a difference, else the last.
    """
    numbers = [place for place, column in enumerate(columns) if column.numbers]
    for places in (numbers, range(len(columns))):
        ranked: list[tuple[int, int, int]] = []
        for place, kind in zip(places, _kinds([columns[i] for i in places]), strict=True):
            # Parts of a sum are differences of it and the others.
            signed = any(column.low < 0 for column in columns if column is not columns[place])
            unclear = kind == _DIFFERENCE or (kind == _SUM and signed)
            ranked += [(2 if kind > _DIFFERENCE else unclear, -place, kind)] * (kind >= 0)
        if ranked:
            _, place, kind = min(ranked)
            return -place, *_COMPUTED[kind]
    return None


def _kinds(columns: Sequence[Column]) -> list[int]:
    """Return from what each column follows, as the kernel numbers it."""
    labels: dict[Any, int] = {}
    numbered = [[labels.setdefault(x, len(labels)) for x in c.values] for c in columns]
    codes = [
        np.array([*of, -1], np.int32)[c.codes] for of, c in zip(numbered, columns, strict=True)
    ]
    # A whole number beyond all floats is a label like any other.
    numbers = [
        x if isinstance(x, int | float) and abs(x) <= sys.float_info.max else math.nan
        for x in labels
    ]
    return computed(
        np.column_stack(codes) if codes else np.empty((0, 0), np.int32),
        np.array(numbers, float) if any(x == x for x in numbers) else None,
        len(labels),
    )
