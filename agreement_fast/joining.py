"""Several annotations as one: their items one after the other, or their patterns added up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any, cast

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.patterns import (
    Rows,
    as_lists,
    as_table,
    count_rows,
    group_rows,
    narrow,
    row_of,
    stack,
)
from agreement_fast.reading import labels
from agreement_fast.reading.labels import Categories, shorten
from agreement_fast.reading.parts import LeftOut
from agreement_fast.reading.tables import check_distinct
from agreement_fast.sums.of_annotations import sums_of
from agreement_fast.sums.routes import group_counts


def accumulate(pieces: Iterable[Annotations], *, keep_coders: bool = True) -> Annotations:
    """Add up the patterns of annotations that come in pieces; the items' names are let go.

    The pieces may be many, and come in any order; at no time are more than a few of them in memory.
    Items of different pieces are different items, so no item may be split between two.

    Parameters
    ----------
    pieces : iterable of Annotations
        Coders and categories are matched by name.
    keep_coders : bool
        False keeps only how many coders gave an item each category, and how often each coder used
        each category. That is all that any coefficient needs, and memory then follows the distinct
        counts; what needs to know who said what about an item (`select`, `contingency_table`,
        ``incomplete="complete"``) raises.

    Returns
    -------
    Annotations
        One row for each distinct pattern, its weight saying how many items have it.

    Notes
    -----
    O(n log n) for n patterns of all pieces; exact, and associative.

    Examples
    --------
    >>> import agreement_fast as af
    >>> pieces = (af.Annotations.from_wide([[1, 1], [1, 2]]) for _ in range(1000))
    >>> whole = af.accumulate(pieces)
    >>> whole
    Annotations(2000 items, 2 coders, 4000 judgments, 2 categories: 1, 2)
    >>> whole.n_rows
    2
    """
    # A binary counter of merged pieces: each pattern is moved O(log n) times.
    stack_of_merged: list[Annotations] = []
    for i, piece in enumerate(pieces):
        if not isinstance(piece, Annotations):
            raise InputTypeError(
                f"piece {i} is {type(piece).__name__}, not Annotations",
                argument="pieces",
            )
        if keep_coders and piece.kept_marginals is not None:
            raise InputError(
                f"piece {i} has let go who said what",
                ("pass ", Argument("keep_coders", False), " for all pieces"),
                argument="keep_coders",
            )
        if stack_of_merged and (piece.coders is None) != (stack_of_merged[0].coders is None):
            raise InputError(
                f"piece {i} {'is counts' if piece.coders is None else 'knows its coders'} and the "
                "pieces before it do not match: counts and coders do not add up",
                argument="pieces",
            )
        stack_of_merged.append(_as_patterns(piece, keep_coders))
        while (
            len(stack_of_merged) > 1 and stack_of_merged[-2].n_rows < 2 * stack_of_merged[-1].n_rows
        ):
            last = stack_of_merged.pop()
            stack_of_merged.append(_merge([stack_of_merged.pop(), last]))
    if not stack_of_merged:
        raise InputError("accumulate needs at least one piece", argument="pieces")
    return stack_of_merged[0] if len(stack_of_merged) == 1 else _merge(stack_of_merged)


def concat(parts: Iterable[Annotations]) -> Annotations:
    """Put the items of several annotations one after the other.

    Coders and categories are matched by name. Items keep their names, which must differ between
    the parts; unnamed items are renumbered.

    Parameters
    ----------
    parts : iterable of Annotations

    Returns
    -------
    Annotations

    Raises
    ------
    ValueError
        No parts; an item name in two parts; parts with and without known coders; different
        declared categories.

    Notes
    -----
    O(judgments).

    Examples
    --------
    >>> import agreement_fast as af
    >>> first = af.Annotations.from_wide([["a", "b"]], coders=["Ann", "Bea"])
    >>> second = af.Annotations.from_wide([["a", "a"]], coders=["Bea", "Cid"])
    >>> af.concat([first, second])
    Annotations(2 items, 3 coders, 4 judgments, 2 categories: 'a', 'b')
    """
    parts = list(parts)
    if not parts:
        raise InputError("concat needs at least one Annotations", argument="parts")
    for i, part in enumerate(parts):
        if not isinstance(part, Annotations):
            raise InputTypeError(
                f"part {i} is {type(part).__name__}, not Annotations",
                argument="parts",
            )
        if part.kept_marginals is not None:
            raise InputError(
                f"part {i} comes from accumulate(keep_coders=False)",
                "accumulate its pieces instead",
                argument="parts",
            )
    if len({part.coders is None for part in parts}) > 1:
        raise InputError(
            "some parts know their coders and some are counts: they do not concatenate",
            argument="parts",
        )
    return _joined(parts)


def _joined(parts: list[Annotations]) -> Annotations:
    declared = any(part.declared for part in parts)
    if declared:
        categories = parts[0].categories
        for i, part in enumerate(parts):
            if part.categories != categories:
                raise InputError(
                    f"part {i} has the categories {shorten(part.categories)} and part 0 has "
                    f"{shorten(categories)}",
                    "declare the same ones in each",
                    argument="parts",
                )
    else:
        union = list(dict.fromkeys(chain.from_iterable(part.categories for part in parts)))
        categories = tuple(union[i] for i in labels.arrange(union))
    coders: Sequence[Any] | None = None
    if parts[0].coders is not None:
        names = [list(part.coders or ()) for part in parts]
        coders = max(names, key=len)
        # The shorter ones may be where a longer one begins: its order is theirs.
        if any(other != coders[: len(other)] for other in names):
            union = list(dict.fromkeys(chain.from_iterable(names)))
            coders = [union[i] for i in labels.arrange(union)]
    rows = stack([_recoded(part, categories, coders) for part in parts])
    return Annotations.assemble(
        categories=categories,
        declared=declared,
        items=_joined_items(parts),
        coders=coders,
        rows=rows,
        weights=rows.weights,
        missing=sum(part.missing_judgments for part in parts),
        left_out=LeftOut.add_up(part.left_out for part in parts),
    )


def _joined_items(parts: list[Annotations]) -> Any:
    if all(isinstance(part.items, range) for part in parts):
        return range(sum(part.n_rows for part in parts))
    listed: list[Any] = []
    for part in parts:
        place = len(listed)
        unnamed = isinstance(part.items, range)
        names = range(place, place + part.n_rows) if unnamed else part.items
        listed += [labels.as_python(name) for name in names]
    try:
        check_distinct(listed, "concat: the parts' items")
    except ValueError as error:
        raise InputError(
            f"{error}",
            "items with judgments in several parts go together through from_long",
            argument="parts",
        ) from None
    return listed


def _recoded(part: Annotations, categories: Categories, coders: Sequence[Any] | None) -> Rows:
    """A part's rows with the codes of all parts' categories and coders."""
    rows = part.rows
    code = {label: i for i, label in enumerate(categories)}
    lookup = np.array([code[label] for label in part.categories] + [-1])
    codes = lookup.astype(narrow(len(categories)))[rows.codes]
    if coders is None or part.coders is None or part.kept_marginals is not None:
        return Rows(codes, 0, rows.start, None, rows.repeats, rows.weights)
    place = {name: i for i, name in enumerate(coders)}
    positions = np.array([place[name] for name in part.coders], np.int64)
    same = len(positions) == len(coders) and (positions == np.arange(len(coders))).all()
    if rows.width:
        if same:
            return Rows(codes, rows.width, weights=rows.weights)
        if rows.n_rows * len(coders) <= 4 * len(codes):
            table = np.full((rows.n_rows, len(coders)), -1, codes.dtype)
            table[:, positions] = codes.reshape(-1, rows.width)
            return as_table(table, rows.weights)
        rows = as_lists(Rows(codes, rows.width, weights=rows.weights))
        codes = rows.codes
    renamed = positions.astype(np.int32)[cast(Array, rows.coders)]
    row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
    order = np.lexsort((renamed, row))
    return Rows(codes[order], 0, rows.start, renamed[order], None, rows.weights)


# ---------------------------------------------------------------------- patterns


def _as_patterns(piece: Annotations, keep_coders: bool) -> Annotations:
    """A piece's patterns as annotations of nameless items."""
    if keep_coders or piece.coders is None or piece.kept_marginals is not None:
        return _nameless(piece, group_rows(piece.grouped()), piece.kept_marginals)
    counted = {least: sums_of(piece, least).each() for least in (1, 2)}
    marginals = {n: c if isinstance(c, np.ndarray) else c.toarray() for n, c in counted.items()}
    rows, K = piece.grouped(), len(piece.categories)
    grouped = group_counts(rows, K)
    if grouped is None:
        grouped = group_rows(_without_coders(rows, K))
    else:
        assert grouped.repeats is not None
        grouped = count_rows(grouped.repeats.reshape(-1, K), grouped.weights)
    return _nameless(piece, grouped, marginals)


def _without_coders(rows: Rows, K: int) -> Rows:
    """Each row as its categories, ascending, with how often each occurs."""
    where = np.flatnonzero(rows.codes >= 0)
    cells, repeats = np.unique(row_of(rows, where) * K + rows.codes[where], return_counts=True)
    lengths = np.bincount(cells // K, minlength=rows.n_rows)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    codes = (cells % K).astype(rows.codes.dtype)
    return Rows(codes, 0, start, None, repeats.astype(np.int64), rows.weights)


def _nameless(piece: Annotations, rows: Rows, marginals: dict[int, Array] | None) -> Annotations:
    weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
    weights.flags.writeable = False
    rows = Rows(rows.codes, rows.width, rows.start, rows.coders, rows.repeats, weights)
    return Annotations.assemble(
        categories=piece.categories,
        declared=piece.declared,
        items=range(rows.n_rows),
        coders=piece.coders,
        rows=rows,
        patterns=rows,
        marginals=marginals,
        weights=weights,
        missing=piece.missing_judgments,
        left_out=piece.left_out,
    )


def _merge(parts: list[Annotations]) -> Annotations:
    whole = _joined(parts)
    marginals = None
    if any(part.kept_marginals is not None for part in parts):
        marginals = {
            least: sum(_renamed_marginals(part, whole, least) for part in parts) for least in (1, 2)
        }
    return _nameless(whole, group_rows(whole.rows), cast("dict[int, Array] | None", marginals))


def _renamed_marginals(part: Annotations, whole: Annotations, least: int) -> Array:
    assert part.kept_marginals is not None
    assert whole.coders is not None
    assert part.coders is not None
    coder = {name: i for i, name in enumerate(whole.coders)}
    category = {label: k for k, label in enumerate(whole.categories)}
    out = np.zeros((len(coder), len(category)), np.int64)
    places = np.ix_(
        [coder[name] for name in part.coders], [category[label] for label in part.categories]
    )
    out[places] = part.kept_marginals[least]
    return out
