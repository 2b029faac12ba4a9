"""Store the groups and documents of items as the labels of an additional coder.

Patterns are then distinct together with their groups, and pieces need no code for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.engines.found import Found
from agreement_fast.patterns import Rows, as_lists, narrow
from agreement_fast.pieces import Names, Piece, parts_of, recoded
from agreement_fast.reading.labels import arrange
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.united import united_categories
from agreement_fast.row_order import group_within, in_usual_form

__all__ = ["put_beside", "take_apart"]

#: The name of this coder, and the prefix of its labels.
MARK = "agreement_fast: beside"
CODER = (MARK,)


def put_beside(parts: Parts, columns: Sequence[Sequence[Any]]) -> Parts:
    """Add a coder whose label of each item is the values of `columns`; None if all are missing.

    Categories lose their order; see `take_apart`.
    """
    categories, coders, rows = parts["categories"], parts["coders"], parts["rows"]
    assert categories is not None
    assert coders is not None
    assert rows is not None
    number: dict[Any, int] = {}
    said = [
        number.setdefault(
            (MARK, *(() if value is None else (value,) for value in row)), len(number)
        )
        for row in zip(*columns, strict=True)
    ]
    lists = as_lists(rows)
    ends = lists.start[1:]
    dtype = narrow(len(categories) + len(number))
    codes = np.insert(lists.codes.astype(dtype), ends, np.array(said, dtype) + len(categories))
    listed = np.insert(cast(Array, lists.coders), ends, len(coders))
    start = lists.start + np.arange(len(lists.start))
    more = Rows(codes, 0, start, listed, None, lists.weights)
    added = Parts(categories=(*categories, *number), declared=False, coders=[*coders, CODER])
    return cast(Parts, {**parts, **added, "rows": more})


def take_apart(piece: Piece, nothing: Piece, n_columns: int) -> Found:
    """Return the parts of annotations, and the values beside each row.

    Parameters
    ----------
    piece : Piece
        The sum of pieces from `put_beside`.
    nothing : Piece
        The piece of no judgments, with the declared categories.
    n_columns : int
        The number of columns beside the judgments.
    """
    if CODER not in (piece.coders or ()):  # no items
        return Found(parts_of(nothing), [[] for _ in range(n_columns)])
    rows = as_lists(piece.rows)
    coders, categories = cast("tuple[Any, ...]", piece.coders), piece.categories
    own = cast(Array, rows.coders) == coders.index(CODER)
    keys, groups = _numbered([categories[code] for code in rows.codes[own].tolist()], n_columns)
    labels, label = _without(categories, lambda one: isinstance(one, tuple) and one[:1] == CODER)
    names, name = _without(coders, lambda one: one == CODER)
    rest = Rows(
        label.astype(narrow(len(labels)))[rows.codes[~own]],
        0,
        rows.start - np.arange(len(rows.start)),
        name[cast(Array, rows.coders)[~own]],
        None,
        rows.weights,
    )
    found = tuple(labels[i] for i in arrange(labels))
    known = tuple(names[i] for i in arrange(names))
    settled, declared = united_categories([(nothing.categories, nothing.declared), (found, False)])
    rest = recoded(rest, Names(tuple(labels), names), Names(settled, known))
    rest, codes = group_within(in_usual_form(rest, len(known)), groups, len(known), len(settled))
    made = parts_of(piece._replace(categories=settled, declared=declared, coders=known, rows=rest))
    return Found(made, [[keys[code][i] for code in codes.tolist()] for i in range(n_columns)])


def _without(names: Sequence[Any], leave: Callable[[Any], bool]) -> tuple[list[Any], Array]:
    """Return names without some, and the place of each among the rest."""
    kept = np.array([not leave(name) for name in names], bool)
    left = [name for name, is_kept in zip(names, kept.tolist(), strict=True) if is_kept]
    return left, (np.cumsum(kept) - 1).astype(np.int32)


def _numbered(said: list[Any], n_columns: int) -> tuple[list[tuple[Any, ...]], Array]:
    """Return the distinct combinations in the order of their columns, and a code for each row."""
    columns, ranks = [], []
    for i in range(1, n_columns + 1):
        given = list(dict.fromkeys(value for words in said for value in words[i]))
        given = [given[place] for place in arrange(given)]
        values, _ = united_categories([(tuple(given), False)])
        rank = {value: place for place, value in enumerate(values)}
        ranks.append([rank[words[i][0]] if words[i] else len(values) for words in said])
        columns.append([*values, None])
    keys = sorted(set(zip(*ranks, strict=True)))
    code = {key: place for place, key in enumerate(keys)}
    named = [tuple(column[rank] for column, rank in zip(columns, key, strict=True)) for key in keys]
    return named, np.array([code[key] for key in zip(*ranks, strict=True)], np.int64)
