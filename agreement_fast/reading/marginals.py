"""How often each coder used each category, given beside counts that do not say who judged.

κ and β need only these marginals of the coders: over all items, and over items with two or more
judgments. The latter are all marginals minus those of items with a single judgment.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError
from agreement_fast.patterns import check_total
from agreement_fast.reading.count_tables import as_counts, named_cells
from agreement_fast.reading.labels import Categories, as_python
from agreement_fast.reading.tables import checked_names
from agreement_fast.terminal import number_of

__all__ = ["Counted", "read_marginals"]


class Counted(NamedTuple):
    """A table of counts and its names, for which coders' marginals are read.

    Attributes
    ----------
    table : int array of shape (N, K)
    weights : int64 array of shape (N,), or None
    items : sequence
    categories : tuple
    columns : list or None
        The names of the columns in the table itself, even if other categories were given.
    """

    table: Array
    weights: Array | None
    items: Any
    categories: Categories
    columns: list[Any] | None


def read_marginals(
    counted: Counted, coder_counts: Any, single_counts: Any, coders: Sequence[Any] | None
) -> tuple[list[Any], dict[int, Array]]:
    """Return the coders, and their marginals by the least number of judgments of an item.

    The parameters are those of `Annotations.from_counts`.
    """
    every, rows = _table(counted, coder_counts, "coder_counts")
    n_coders = len(every)
    if coders is None:
        coders = range(n_coders) if rows is None else rows
    names = checked_names(coders, n_coders, "coders", "coder")
    sizes = counted.table.sum(1, dtype=np.int64)
    _check_sizes(counted, sizes, n_coders)
    _check_sums(counted, every, np.ones(len(sizes), bool), "coder_counts")
    _check_coders(counted, every, sizes > 0, names, "")
    single = sizes == 1
    if counted.weights is not None:
        single &= counted.weights > 0
    if single_counts is None:
        if single.any():
            raise _singles_unknown(counted, single)
        return names, {1: every, 2: every.copy()}
    alone, _ = _table(counted, single_counts, "single_counts")
    if len(alone) != n_coders:
        raise InputError(
            (
                Argument("single_counts"),
                f" has {len(alone)} rows, ",
                Argument("coder_counts"),
                f" has {n_coders}",
            ),
            "both must have a row for each coder",
            argument="single_counts",
        )
    _check_sums(counted, alone, single, "single_counts")
    beyond = alone > every
    if beyond.any():
        coder, k = (int(i) for i in np.argwhere(beyond)[0])
        raise InputError(
            (
                Argument("single_counts"),
                f" has {alone[coder, k]} for coder {names[coder]!r}, category "
                f"{counted.categories[k]!r}, and ",
                Argument("coder_counts"),
                f" has {every[coder, k]}",
            ),
            "single_counts must count those judgments that are the only one of their item",
            argument="single_counts",
        )
    _check_coders(counted, every - alone, sizes > 1, names, " of several judgments")
    return names, {1: every, 2: every - alone}


def _table(counted: Counted, given: Any, argument: str) -> tuple[Array, Any]:
    """Return counts of coders × categories in the order of the categories, and coders' names."""
    cells = named_cells(given, argument, n_columns=len(counted.categories))
    table, names = as_counts(cells.values, argument), cells.columns
    n_categories = len(counted.categories)
    if table.shape[1] != n_categories:
        raise InputError(
            (
                Argument(argument),
                f" has {table.shape[1]} columns, but there are {n_categories} categories",
            ),
            "it must have a row for each coder and a column for each category",
            argument=argument,
        )
    every: Array = table.astype(np.int64)
    if names is None:
        return every, cells.rows
    named = [as_python(name) for name in names]
    for known in (list(counted.categories), counted.columns or []):
        if sorted(map(repr, named)) == sorted(map(repr, known)):
            places = [named.index(name) for name in known]
            return np.ascontiguousarray(every[:, places]), cells.rows
    strange = next((name for name in named if name not in counted.categories), named[0])
    raise InputError(
        (Argument(argument), f" has a column {strange!r}, which is not a category"),
        "pass an array, whose columns have no names, to take them in the order of the categories",
        argument=argument,
    )


def _check_sizes(counted: Counted, sizes: Array, n_coders: int) -> None:
    """Refuse items with more judgments than there are coders."""
    most = int(sizes.max(initial=0))
    if most > n_coders:
        name = as_python(counted.items[int(sizes.argmax())])
        coders = "1 coder" if n_coders == 1 else f"{n_coders} coders"
        raise InputError(
            (
                f"item {name!r} has {most} judgments, but ",
                Argument("coder_counts"),
                f" has rows for {coders}",
            ),
            "a coder judges an item once; coders must be the rows, categories the columns",
            argument="coder_counts",
        )


def _sums(counted: Counted, rows: Array) -> Array:
    """Return how often each category was used in some rows, with weights: int64 (K,)."""
    table = counted.table[rows].astype(np.int64)
    if counted.weights is None:
        sums: Array = table.sum(0)
        return sums
    weights = counted.weights[rows]
    check_total(float((weights.astype(np.float64) @ table).sum()), "judgments")
    weighted: Array = weights @ table
    return weighted


def _check_sums(counted: Counted, marginals: Array, rows: Array, argument: str) -> None:
    """Refuse marginals whose sums differ from the counts."""
    sums, requested = marginals.sum(0), _sums(counted, rows)
    if (sums == requested).all():
        return
    k = int(np.argmax(sums != requested))
    which = "" if argument == "coder_counts" else " in items of one judgment"
    weighted = "" if counted.weights is None else ", weights applied"
    raise InputError(
        (
            Argument(argument),
            f" adds up to {sums[k]} for category {counted.categories[k]!r}, which was used "
            f"{'once' if requested[k] == 1 else f'{requested[k]} times'}{which}{weighted}",
        ),
        "count each judgment of these items once",
        argument=argument,
    )


def _check_coders(
    counted: Counted, marginals: Array, rows: Array, names: Sequence[Any], which: str
) -> None:
    """Refuse coders with more judgments, or uses of a label, than there are items for them."""
    weights = np.ones(len(rows), np.int64) if counted.weights is None else counted.weights
    n_items = int(weights[rows].sum())
    having = np.array([int(weights[rows & (column > 0)].sum()) for column in counted.table.T])
    weighted = "" if counted.weights is None else ", weights applied"
    once = "a coder judges an item once"
    if which:
        once = f"{once}; these are the counts without single_counts"
    for coder, said in enumerate(marginals):
        who = f" has {{}} of coder {as_python(names[coder])!r}{{}}, more than "
        if (n := int(said.sum())) > n_items:
            raise InputError(
                (
                    Argument("coder_counts"),
                    who.format(number_of(n, "judgment"), which and f" in items{which}"),
                    f"{number_of(n_items, 'such item' if which else 'item')}{weighted}",
                ),
                once,
                argument="coder_counts",
            )
        beyond = said > having
        if beyond.any():
            k = int(np.argmax(beyond))
            raise InputError(
                (
                    Argument("coder_counts"),
                    f" has {said[k]} for coder {as_python(names[coder])!r}, category "
                    f"{counted.categories[k]!r}, which "
                    f"{number_of(int(having[k]), 'item')}{which} "
                    f"{'has' if having[k] == 1 else 'have'}{weighted}",
                ),
                once,
                argument="coder_counts",
            )


def _singles_unknown(counted: Counted, single: Array) -> InputError:
    row = int(np.argmax(single))
    n = int(single.sum() if counted.weights is None else counted.weights[single].sum())
    have = "1 item has" if n == 1 else f"{n} items have"
    return InputError(
        f"{have} one judgment (the first is {as_python(counted.items[row])!r}), but the coder "
        "who gave it is not known",
        (
            "pass ",
            Argument("single_counts"),
            ", how often each coder used each category in such items, or leave these items out",
        ),
        argument="single_counts",
    )
