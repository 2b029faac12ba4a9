"""Each code of sets as a label of its own: given or not given, over the same items.

A code divides the judgments into two categories. Most items do not have most codes. So the rows of
a code are one for each item to which somebody gave it, and one for all other items that the same
coders judged. Codes are groups of rows, like groups of items (`inference.groups`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.distances import are_sets, nominal
from agreement_fast.distances.forms import Nominal
from agreement_fast.errors import InputError, Phrase
from agreement_fast.patterns import Rows, as_lists, group_equal, list_positions
from agreement_fast.points import Point
from agreement_fast.sums.categories import judgments_needed
from agreement_fast.sums.columns import Groups, Items
from agreement_fast.sums.linear import Linear

#: The number of judgments and of sums that are processed together.
ROOM = 1 << 22

#: The categories of a code's rows: whether it was given.
NOT_GIVEN, GIVEN = 0, 1


class Block(NamedTuple):
    """Some codes, each a group of rows.

    Attributes
    ----------
    first, last : int
        The codes first .. last - 1.
    made : Linear
    groups : Groups
        The code of each row, minus `first`.
    items : int64 array of shape (m,)
        The items of the first m rows, to which somebody gave the code.
    patterns : int64 array of shape (n, P)
        For each code and pattern of coders, the row of the items to which nobody gave the code.
    given : int64 array of shape (rows,)
        The number of coders who gave the code.
    """

    first: int
    last: int
    made: Linear
    groups: Groups
    items: Array
    patterns: Array
    given: Array


class Stacked:
    """The codes of annotations whose labels are sets.

    Attributes
    ----------
    codes : tuple
        All elements of all sets, sorted if possible.
    n_uses : int64 array of shape (E,)
        The number of judgments with each code, weights counted.
    n_items : int64 array of shape (E,)
        The number of items to which somebody gave each code.
    pattern_of : int64 array of shape (items,)
        The number of the set of coders who judged each item.
    weights : int64 array of shape (items,)
    """

    def __init__(self, annotations: Annotations, points: Sequence[Point], incomplete: str) -> None:
        labels: tuple[Any, ...] = annotations.categories
        if labels and not are_sets(labels):
            odd = next(label for label in labels if not isinstance(label, frozenset))
            raise InputError(
                f"codes are elements of sets, but label {odd!r} is not a set",
                Phrase("sets", "pass sets, or text and the separator of its codes"),
                argument="labels",
            )
        self._points = points
        self._least = judgments_needed(annotations, incomplete)
        self._n_coders = annotations.n_coders
        self._rows = rows = as_lists(annotations.rows)
        n_items = rows.n_rows
        weights = rows.weights
        self.weights: Array = np.ones(n_items, np.int64) if weights is None else weights
        self.codes = _sorted({element for label in labels for element in label})
        place = {code: i for i, code in enumerate(self.codes)}
        elements = [sorted(place[element] for element in label) for label in labels]
        #: The codes of label l are those at start[l] .. start[l + 1] - 1.
        start = np.concatenate([[0], np.cumsum([len(one) for one in elements])]).astype(np.int64)
        flat = np.array([code for one in elements for code in one], np.int64)
        item_of = np.repeat(np.arange(n_items), np.diff(rows.start))
        judged, offsets = list_positions(start, rows.codes.astype(np.int64))
        mentioned_by = np.repeat(item_of, np.diff(offsets))
        n_codes = len(self.codes)
        # One number for each code and item, ascending by code.
        keys, counts = np.unique(flat[judged] * n_items + mentioned_by, return_counts=True)
        self._code, self._item = keys // max(n_items, 1), keys % max(n_items, 1)
        self._count = counts
        of_item = self.weights[self._item]
        self.n_uses: Array = np.bincount(self._code, counts * of_item, n_codes).astype(np.int64)
        self.n_items: Array = np.bincount(self._code, of_item, n_codes).astype(np.int64)
        self._starts, self._flat = start, flat
        self.pattern_of, self._pattern_items = self._patterns()

    def _patterns(self) -> tuple[Array, Array]:
        """Number the items by the coders who judged them, and return an item of each number."""
        rows = self._rows
        assert rows.coders is not None
        sizes = np.diff(rows.start)
        by_coder = any(point.chance.knows_coders for point in self._points)
        if not by_coder:
            group, first = group_equal(sizes)
            return group.astype(np.int64), first
        # Sums of random numbers, and the number of coders, identify a set of coders.
        numbers = np.random.default_rng(0).integers(0, 2**63, (self._n_coders or 0, 2), np.uint64)
        sums = np.zeros((rows.n_rows, 3), np.uint64)
        item_of = np.repeat(np.arange(rows.n_rows), sizes)
        for column in range(2):
            np.add.at(sums[:, column], item_of, numbers[rows.coders, column])
        sums[:, 2] = sizes
        group, first = group_equal(sums)
        return group.astype(np.int64), first

    def blocks(self) -> Iterator[Block]:
        """Yield the codes in blocks."""
        pattern_size = int(np.diff(self._rows.start)[self._pattern_items].sum())
        own = np.diff(self._rows.start)[self._item]
        judgments = np.bincount(self._code, own, len(self.codes)) + pattern_size
        # Sums of a code, and a column that says which labels contain it.
        width = 2 * (self._n_coders or 1) + len(self._starts)
        costs = np.cumsum(judgments + width)
        first = 0
        while first < len(self.codes):
            before = costs[first - 1] if first else 0
            last = int(np.searchsorted(costs, before + ROOM, side="right"))
            last = max(last, first + 1)
            yield self._block(first, last)
            first = last

    def _block(self, first: int, last: int) -> Block:
        rows, n = self._rows, last - first
        assert rows.coders is not None
        some = slice(*np.searchsorted(self._code, [first, last]))
        code, item = self._code[some] - first, self._item[some]
        n_patterns = len(self._pattern_items)
        # Items with the code, and then one row of each pattern for the other items.
        picked = np.concatenate([item, np.tile(self._pattern_items, n)])
        positions, start = list_positions(rows.start, picked)
        n_given = len(item)
        labels = np.full(len(positions), NOT_GIVEN, np.int32)
        with_code = slice(0, start[n_given])
        holds = np.zeros((len(self._starts) - 1, n), bool)
        of_label = np.repeat(np.arange(len(holds)), np.diff(self._starts))
        here = (self._flat >= first) & (self._flat < last)
        holds[of_label[here], self._flat[here] - first] = True
        of_row = np.repeat(code, np.diff(start[: n_given + 1]))
        labels[with_code] = np.where(
            holds[rows.codes[positions[with_code]], of_row], GIVEN, NOT_GIVEN
        )
        # All items of a pattern except those with the code.
        totals = np.bincount(self.pattern_of, self.weights, n_patterns)
        left = np.tile(totals, (n, 1))
        np.subtract.at(left, (code, self.pattern_of[item]), self.weights[item])
        weights = np.concatenate([self.weights[item], left.reshape(-1).astype(np.int64)])
        stacked = Rows(labels, 0, start, rows.coders[positions], None, weights)
        groups = Groups(np.concatenate([code, np.repeat(np.arange(n), n_patterns)]), n)
        items = Items(stacked, 2, self._n_coders)
        made = Linear(items, self._points, self._least, {nominal: Nominal(2)})
        given = np.concatenate([self._count[some], np.zeros(n * n_patterns, np.int64)])
        patterns = n_given + np.arange(n * n_patterns).reshape(n, n_patterns)
        return Block(first, last, made, groups, item, patterns, given)

    def by_item(self, values: Array, block: Block, sums: Array, of_patterns: Array) -> None:
        """Add the values of a block's rows to the sums of their items.

        Parameters
        ----------
        values : float64 array of shape (rows,)
        block : Block
        sums, of_patterns : float64 arrays of shape (items,) and (P,)
            The sums, changed in place; ``sums + of_patterns[pattern_of]`` is the total over codes.
        """
        n_given = len(block.items)
        of_patterns += values[block.patterns].sum(0)
        code = block.groups.codes[:n_given]
        otherwise = values[block.patterns[code, self.pattern_of[block.items]]]
        np.add.at(sums, block.items, values[:n_given] - otherwise)


def _sorted(codes: set[Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(codes))
    except TypeError:  # labels of several types
        return tuple(sorted(codes, key=lambda code: (type(code).__name__, str(code))))
