"""Units in several pieces: rows of one coder and document that have the same name."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import InputError, Phrase


def seen_codes(pairs: list[tuple[Any, Any]], documents: list[Any], coders: list[Any]) -> Array:
    """Number pairs by the places of their names: int64 of shape (P, 2), sorted, each once."""
    of_document = {name: place for place, name in enumerate(documents)}
    of_coder = {name: place for place, name in enumerate(coders)}
    found = {(of_document[document], of_coder[coder]) for document, coder in pairs}
    return np.array(sorted(found), np.int64).reshape(-1, 2)


def check_seen(
    seen: Array, document: Array, coder: Array, documents: list[Any], coders: list[Any]
) -> None:
    """Refuse a unit in a document that its coder did not see."""
    known = seen[:, 0] * len(coders) + seen[:, 1]
    unknown = ~np.isin(document.astype(np.int64) * len(coders) + coder, known)
    if unknown.any():
        row = int(np.argmax(unknown))
        who, where = coders[coder[row]], documents[document[row]]
        raise InputError(
            (
                Phrase("row", f"row {row}", row),
                f" is a unit of coder {who!r} in document {where!r}, which seen says that "
                f"{who!r} did not see",
            ),
            "add the pair to seen",
            argument="seen",
        )


class Named(NamedTuple):
    """The rows of units, in the order of the rows, and what they are called in errors."""

    coder: Array
    document: Array
    category: Array
    start: Array
    end: Array
    coders: list[Any]
    documents: list[Any]
    categories: list[Any]


def unit_of_rows(rows: Named, codes: Array, names: list[Any]) -> tuple[Array, tuple[Any, ...]]:
    """Number the units that rows are pieces of, and name each; a name counts within a document.

    Raises
    ------
    ValueError
        Pieces of one unit that overlap or are of different categories.
    """
    table = np.column_stack([rows.document, rows.coder, codes])
    found, unit = np.unique(table, axis=0, return_inverse=True)
    unit = unit.reshape(-1).astype(np.int64)
    order = np.lexsort((rows.end, rows.start, unit))
    first, second = order[:-1], order[1:]
    same = unit[first] == unit[second]
    mixed = same & (rows.category[first] != rows.category[second])
    meeting = same & (rows.start[second] < rows.end[first])
    for bad, what in ((mixed, "categories"), (meeting, "places")):
        if bad.any():
            at = int(np.argmax(bad))
            pair = sorted((int(first[at]), int(second[at])))
            a, b = (rows.categories[rows.category[row]] for row in pair)
            said = (
                f"are of categories {a!r} and {b!r}, and a unit has one"
                if what == "categories"
                else "overlap, and its pieces stand apart"
            )
            raise InputError(
                (
                    Phrase("rows", f"rows {pair[0]} and {pair[1]}", tuple(pair)),
                    f" are pieces of unit {names[codes[pair[0]]]!r} of coder "
                    f"{rows.coders[rows.coder[pair[0]]]!r} in document "
                    f"{rows.documents[rows.document[pair[0]]]!r}: they {said}",
                ),
                "give units of their own names of their own",
                argument="units",
            )
    return unit, tuple(names[code] for code in found[:, 2].tolist())


def refuse_doubles(rows: Named, unit: Array | None) -> None:
    """Refuse a unit that one coder marked twice: in all pieces, and of the same category."""
    columns = (rows.coder, rows.document, rows.category, rows.start, rows.end)
    order = np.lexsort(columns[::-1])
    twice = np.logical_and.reduce([np.diff(column[order]) == 0 for column in columns])
    if unit is None or not twice.any():
        pairs = [(int(order[at]), int(order[at + 1])) for at in np.flatnonzero(twice)[:1]]
        count = int(twice.sum())
    else:
        # Units that share a piece are the same one only if they share all.
        shared = np.concatenate([order[:-1][twice], order[1:][twice]])
        some = np.flatnonzero(np.isin(unit, unit[shared]))
        pieces: dict[int, list[tuple[int, ...]]] = {}
        for row in some[np.lexsort((rows.start[some],))].tolist():
            pieces.setdefault(int(unit[row]), []).append(
                tuple(int(column[row]) for column in columns)
            )
        known: dict[tuple[tuple[int, ...], ...], int] = {}
        doubles = []
        for number, own in pieces.items():
            other = known.setdefault(tuple(own), number)
            if other != number:
                doubles.append((other, number))
        pairs = [
            (int(np.argmax(unit == one)), int(np.argmax(unit == two))) for one, two in doubles[:1]
        ]
        count = len(doubles)
    for pair in pairs:
        one, two = sorted(pair)
        raise InputError(
            (
                Phrase("rows", f"rows {one} and {two}", (one, two)),
                f" are the same unit, both by coder {rows.coders[rows.coder[one]]!r} and of "
                f"category {rows.categories[rows.category[one]]!r} (such pairs: {count}): a coder "
                "marks a unit once",
            )
        )
