"""Pieces of data as patterns, and their sum: shared by `concat` and partitions of engines.

Addition is exact and associative. To the last bit of every array, the sum depends on the items
alone, not on the order of the pieces or on how items are divided among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError
from agreement_fast.patterns import (
    Rows,
    as_lists,
    as_table,
    check_total,
    count_coders,
    group_rows,
    narrow,
    room_of_table,
    row_sizes,
    stack,
)
from agreement_fast.reading.kept_moments import count_patterns
from agreement_fast.reading.labels import Categories, count_numbers
from agreement_fast.reading.parts import LeftOut, Parts, written_rows
from agreement_fast.reading.row_order import in_order
from agreement_fast.reading.united import are_floats, same_names, united_categories, united_coders

#: Coders' labels are counted over items with at least 1 and at least 2 judgments.
LEAST = (1, 2)


class Piece(NamedTuple):
    """The patterns of some items, without the items' names."""

    #: The categories.
    categories: Categories
    #: Whether the categories and their order were declared.
    declared: bool
    #: The coders; None if they are not known.
    coders: tuple[Any, ...] | None
    #: Distinct rows with weights. They hold counts if the coders are not known or not kept.
    rows: Rows
    #: If who said what is not kept: how often each coder used each category, by the least number of
    #: judgments of an item: dict of int to int64 array of shape (C, K), or None.
    marginals: dict[int, Array] | None
    #: Number of missing entries read.
    missing: int
    #: Counts of repeated judgments that reading left out.
    left_out: LeftOut


def piece_of(parts: Parts, *, keep_coders: bool = True) -> Piece:
    """Return the patterns of what was read.

    `parts`: from `reading` or from annotations. Known patterns replace rows. `keep_coders`: if
    False, only counts and the coders' marginals are kept.
    """
    categories, rows = parts.get("categories"), parts.get("patterns")
    coders, marginals = parts.get("coders"), parts.get("marginals")
    missing = parts.get("missing")
    if categories is None or rows is None or missing is None:
        categories, read = _settled(parts)
        rows = read if rows is None else rows
        missing = int(np.count_nonzero(read.codes < 0)) if missing is None else missing
    if rows.weights is not None:
        check_total(float(rows.weights.sum(dtype=np.float64)), "items")
    if keep_coders or coders is None or marginals is not None:
        rows = group_rows(rows)
    else:
        marginals = _marginals(rows, len(coders), len(categories))
        rows = count_patterns(rows, len(categories))
    return Piece(
        categories,
        parts.get("declared", False),
        None if coders is None else tuple(coders),
        _weighted(rows),
        marginals,
        missing,
        parts.get("left_out", LeftOut()),
    )


def parts_of(piece: Piece) -> Parts:
    """Return the parts of annotations with a nameless item for each pattern."""
    return Parts(
        categories=piece.categories,
        declared=piece.declared,
        items=range(piece.rows.n_rows),
        unnamed=True,
        coders=piece.coders,
        rows=piece.rows,
        patterns=piece.rows,
        marginals=piece.marginals,
        weights=piece.rows.weights,
        missing=piece.missing,
        left_out=piece.left_out,
    )


def add_up(pieces: Iterable[Piece]) -> Piece:
    """Add up pieces; rows, categories and coders are sorted.

    O(n log n) for n patterns of all pieces. Only a few pieces are in memory at a time. Raises
    ValueError if there is no piece, if only some pieces hold their coders, or if pieces declare
    different categories.
    """
    # A binary counter of merged pieces: each pattern is moved O(log n) times.
    merged: list[Piece] = []
    for i, piece in enumerate(pieces):
        if merged:
            _check_kind(i, piece, merged[0])
        merged.append(piece)
        while len(merged) > 1 and merged[-2].rows.n_rows < 2 * merged[-1].rows.n_rows:
            last = merged.pop()
            merged.append(_merge([merged.pop(), last]))
    if not merged:
        raise InputError("there must be at least one piece", argument="parts")
    return _settle(_merge(merged))


def _check_kind(i: int, piece: Piece, first: Piece) -> None:
    if (piece.coders is None) != (first.coders is None):
        known, counts = (f"part {i}", "parts before it")
        if piece.coders is None:
            known, counts = (f"parts before part {i}", "it")
        raise InputError(
            f"{known} {'have' if piece.coders is None else 'has'} coders, but {counts}"
            f" {'is' if piece.coders is None else 'are'} counts without coders",
            (
                "read the counts with Annotations.from_counts(counts, ",
                Argument("coder_counts"),
                "=...) and pass ",
                Argument("keep_coders", False),
                " to concat",
            ),
            argument="parts",
        )
    if (piece.marginals is None) != (first.marginals is None):
        which = f"part {i} does" if first.marginals is None else f"parts before part {i} do"
        raise InputError(
            f"{which} not keep who said what",
            ("pass ", Argument("keep_coders", False), " for all pieces"),
            argument="keep_coders",
        )


# ---------------------------------------------------------------------- of one piece


def _settled(parts: Parts) -> tuple[Categories, Rows]:
    """Return the categories and the rows of what was read, written out if they are not yet."""
    categories, weights = parts.get("categories"), parts.get("weights")
    numbers, rows = parts.get("numbers"), parts.get("rows")
    if categories is None:
        assert numbers is not None
        codes, result = count_numbers(numbers)
        categories = result if isinstance(result, tuple) else tuple(result.tolist())
        rows = as_table(codes, weights)
    if rows is None:
        rows = written_rows(len(categories), weights, parts.get("raw"), parts.get("counts"))
    return categories, cast(Rows, rows)


def _weighted(rows: Rows) -> Rows:
    """Return rows with explicit weights."""
    weights = np.ones(rows.n_rows, np.int64) if rows.weights is None else rows.weights
    weights.flags.writeable = False
    return Rows(rows.codes, rows.width, rows.start, rows.coders, rows.repeats, weights)


def _marginals(rows: Rows, n_coders: int, n_categories: int) -> dict[int, Array]:
    sizes, counted = row_sizes(rows), {}
    for least in LEAST:
        enough = None if least == 1 else (sizes >= least).astype(np.uint8)
        result = count_coders(rows, n_coders, n_categories, enough)
        counted[least] = result if isinstance(result, np.ndarray) else result.toarray()
    return counted


# ---------------------------------------------------------------------- of several


def _merge(pieces: list[Piece]) -> Piece:
    if len(pieces) == 1:
        return pieces[0]
    categories, declared = united_categories([(p.categories, p.declared) for p in pieces])
    coders = None
    if pieces[0].coders is not None:
        coders = united_coders([p.coders or () for p in pieces])
    names = Names(categories, coders)
    rows = stack([recoded(p.rows, _names_in_rows(p), names) for p in pieces])
    marginals = None
    if pieces[0].marginals is not None:
        renamed = [_renamed_marginals(p, categories, coders or ()) for p in pieces]
        marginals = {least: sum(some[least] for some in renamed) for least in LEAST}
    return Piece(
        categories,
        declared,
        coders,
        _weighted(group_rows(rows)),
        cast("dict[int, Array] | None", marginals),
        sum(p.missing for p in pieces),
        LeftOut.add_up(p.left_out for p in pieces),
    )


def _settle(piece: Piece) -> Piece:
    """Return a piece with sorted categories, coders and rows."""
    categories, _ = united_categories([(piece.categories, piece.declared)])
    coders = None if piece.coders is None else united_coders([piece.coders])
    rows = recoded(piece.rows, _names_in_rows(piece), Names(categories, coders))
    marginals = piece.marginals
    if marginals is not None:
        marginals = _renamed_marginals(piece, categories, coders or ())
    n_coders = None if marginals is not None or coders is None else len(coders)
    rows = _weighted(in_order(rows, n_coders, len(categories)))
    return piece._replace(categories=categories, coders=coders, rows=rows, marginals=marginals)


class Names(NamedTuple):
    """What the codes of rows stand for; coders are None if rows hold counts."""

    categories: Categories
    coders: Sequence[Any] | None


def _names_in_rows(piece: Piece) -> Names:
    return Names(piece.categories, piece.coders if piece.marginals is None else None)


def recoded(rows: Rows, old: Names, new: Names) -> Rows:
    """Return rows with the codes of other categories and coders, which include their own."""
    ascending = True
    if not same_names(old.categories, new.categories):
        lookup = np.append(_places(old.categories, new.categories), -1)
        ascending = bool((lookup[1:-1] > lookup[:-2]).all())
        codes = lookup.astype(narrow(len(new.categories)))[rows.codes]
        rows = Rows(codes, rows.width, rows.start, rows.coders, rows.repeats, rows.weights)
    if old.coders is None or new.coders is None:
        return rows if ascending else _sorted_lists(rows, rows.codes, None)
    if same_names(old.coders, new.coders):
        return rows
    place = {name: i for i, name in enumerate(new.coders)}
    positions = np.array([place[name] for name in old.coders], np.int64)
    if rows.width:
        if rows.n_rows * len(place) <= room_of_table(len(rows.codes)):
            table = np.full((rows.n_rows, len(place)), -1, rows.codes.dtype)
            table[:, positions] = rows.table()
            return as_table(table, rows.weights)
        rows = as_lists(rows)
    renamed = positions.astype(np.int32)[cast(Array, rows.coders)]
    return _sorted_lists(rows, renamed, renamed)


def _places(labels: Categories, among: Categories) -> Array:
    """Return the positions of labels among others; many floats are looked up by sorting."""
    if are_floats(labels) and are_floats(among):
        sought, values = np.array(labels), np.array(among)
        order = np.argsort(values)
        return order[np.searchsorted(values, sought, sorter=order)]
    code = {label: i for i, label in enumerate(among)}
    return np.array([code[label] for label in labels], np.int64)


def _sorted_lists(rows: Rows, keys: Array, coders: Array | None) -> Rows:
    """Return lists whose judgments are sorted by some keys."""
    row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
    order = np.lexsort((keys, row))
    repeats = None if rows.repeats is None else rows.repeats[order]
    coders = None if coders is None else coders[order]
    return Rows(rows.codes[order], 0, rows.start, coders, repeats, rows.weights)


def _renamed_marginals(
    piece: Piece, categories: Categories, coders: Sequence[Any]
) -> dict[int, Array]:
    assert piece.marginals is not None
    assert piece.coders is not None
    coder = {name: i for i, name in enumerate(coders)}
    category = {label: k for k, label in enumerate(categories)}
    places = np.ix_(
        [coder[name] for name in piece.coders], [category[label] for label in piece.categories]
    )
    renamed = {}
    for least, counts in piece.marginals.items():
        renamed[least] = np.zeros((len(coder), len(category)), np.int64)
        renamed[least][places] = counts
    return renamed
