"""Distinct rows in an order that depends only on their content.

Sums of floats over them are then equal to the last bit, independent of how the rows were found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.patterns import (
    Rows,
    as_lists,
    as_table,
    dense,
    number_rows,
    room_of_table,
    take_rows,
)

WORD = 64

#: Returns the words of some rows that a step of the sort compares.
WordOf = Callable[[int, Array], Array]


def in_order(rows: Rows, n_coders: int | None, n_categories: int) -> Rows:
    """Return distinct rows sorted by their content: a table if most cells are filled, else lists.

    Lists must be sorted by coder, or by category if coders are not known. O(n log n) for n rows.
    """
    if n_coders is not None and rows.repeats is None:
        rows = in_usual_form(rows, n_coders)
    order = _places(rows, n_coders, n_categories)
    return rows if (order[1:] > order[:-1]).all() else take_rows(rows, order)


def group_within(
    rows: Rows, groups: Array, n_coders: int | None, n_categories: int
) -> tuple[Rows, Array]:
    """Return the distinct rows of each group, group by group, in the order of `in_order`.

    `groups` (int (N,)). Returns Rows; int (U,).
    """
    number, first = number_rows(rows)
    place = np.empty(len(first), np.int64)
    places = _places(take_rows(rows, first), n_coders, n_categories)
    place[places] = np.arange(len(first))
    rank = place[number]
    order = np.lexsort((rank, groups))
    if not len(order):
        return rows, groups
    rank, result = rank[order], groups[order]
    begin = np.flatnonzero(
        np.concatenate([[True], (rank[1:] != rank[:-1]) | (result[1:] != result[:-1])])
    )
    weights = np.ones(len(order), np.int64) if rows.weights is None else rows.weights
    sums = np.add.reduceat(weights[order], begin)
    return take_rows(rows, order[begin]).replace(weights=sums), result[begin]


def in_usual_form(rows: Rows, n_coders: int) -> Rows:
    """Return rows as a table if most cells are filled or there are few, else as lists."""
    n_judgments = int(np.count_nonzero(rows.codes >= 0)) if rows.width else len(rows.codes)
    if rows.n_rows * n_coders > room_of_table(n_judgments):
        return as_lists(rows)
    return rows if rows.width else as_table(dense(rows, n_coders), rows.weights)


def _places(rows: Rows, n_coders: int | None, n_categories: int) -> Array:
    """Return the order of distinct rows."""
    if rows.width:
        return _places_of_table(rows, n_categories)
    return _places_of_lists(rows, n_coders or 1, n_categories)


def _places_of_table(rows: Rows, n_categories: int) -> Array:
    table, bits = rows.table(), n_categories.bit_length()
    beside = WORD // max(bits, 1)

    def word(step: int, places: Array) -> Array:
        out = np.zeros(len(places), np.uint64)
        for column in range(step * beside, min((step + 1) * beside, rows.width)):
            codes = table[:, column] if step == 0 else table[places, column]
            out <<= np.uint64(bits)
            out |= (codes.astype(np.int64) + 1).view(np.uint64)
        return out

    return _sorted_places(rows.n_rows, -(-rows.width // beside), word)


def _places_of_lists(rows: Rows, n_coders: int, n_categories: int) -> Array:
    start, lengths = rows.start, np.diff(rows.start)
    bits = n_categories.bit_length()
    cells = rows.codes.astype(np.int64) + 1
    # Counts of a category take a word of their own, unless they are small.
    repeats = rows.repeats
    if rows.coders is not None:
        bits += n_coders.bit_length()
        cells |= (rows.coders.astype(np.int64) + 1) << n_categories.bit_length()
    elif repeats is not None:
        more = int(repeats.max(initial=0)).bit_length()
        if bits + more < WORD:
            bits += more
            cells = cells << more | repeats
            repeats = None
        else:
            bits = WORD
    beside = WORD // max(bits, 1)
    apart = rows.coders is None and repeats is not None

    def word(step: int, places: Array) -> Array:
        if apart:
            values = cells if step % 2 == 0 else cast(Array, repeats)
            return _cell(values, start, lengths, places, step // 2)
        out = np.zeros(len(places), np.uint64)
        for place in range(step * beside, (step + 1) * beside):
            out <<= np.uint64(bits)
            out |= _cell(cells, start, lengths, places, place)
        return out

    longest = int(lengths.max(initial=0))
    steps = 2 * longest if apart else -(-longest // beside)
    return _sorted_places(rows.n_rows, steps, word)


def _cell(cells: Array, start: Array, lengths: Array, places: Array, place: int) -> Array:
    """Return the elements of some lists at a position; 0 beyond their ends."""
    out = np.zeros(len(places), np.uint64)
    longer = lengths[places] > place
    out[longer] = cells[start[places[longer]] + place]
    return out


def _sorted_places(n_rows: int, steps: int, word: WordOf) -> Array:
    """Return the order of rows by their words, from the first word to the last.

    A word is only computed for rows that are equal in all words before.
    """
    places = np.arange(n_rows)
    if not steps or n_rows < 2:
        return places
    words = word(0, places)
    places = np.argsort(words)
    #: Whether a row differs from the one before it.
    new = np.concatenate([[True], words[places[1:]] != words[places[:-1]]])
    for step in range(1, steps):
        alone = new & np.append(new[1:], True)
        tied = np.flatnonzero(~alone)
        if not len(tied):
            break
        group = np.cumsum(new)[tied]
        some = places[tied]
        words = word(step, some)
        order = np.lexsort((words, group))
        places[tied] = some[order]
        words = words[order]
        new[tied[1:]] |= words[1:] != words[:-1]
    return places
