"""Several annotations as one: their items one after the other, or their patterns added up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from agreement_fast.annotations import Annotations
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.patterns import stack
from agreement_fast.pieces import Names, Piece, add_up, parts_of, piece_of, recoded
from agreement_fast.reading import labels
from agreement_fast.reading.labels import Categories
from agreement_fast.reading.near_misses import hint_at_coders, hint_at_labels
from agreement_fast.reading.parts import LeftOut
from agreement_fast.reading.united import united_categories, united_coders


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
    O(n log n) for n patterns of all pieces; exact, and associative. The result is the same in every
    array, whatever the order of the pieces, and however the items were shared out among them: rows
    are sorted, and so are coders, unless all pieces have the same in the same order. Categories are
    as in `from_wide`, but if they cannot be sorted, numbers come first, then texts.

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
    if isinstance(pieces, Annotations):
        raise InputTypeError(
            "accumulate adds up several Annotations, and got one",
            "pass a list of them: accumulate([monday, tuesday])",
            argument="pieces",
        )
    whole = add_up(_as_pieces(pieces, keep_coders))
    _hint(whole.categories, whole.declared, whole.coders)
    return Annotations.assemble(**parts_of(whole))


def _hint(categories: Categories, declared: bool, coders: tuple[Any, ...] | None) -> None:
    """Say which names of different pieces may be meant as one."""
    if not declared:
        hint_at_labels(categories)
    hint_at_coders(coders or ())


def _as_pieces(pieces: Iterable[Annotations], keep_coders: bool) -> Iterator[Piece]:
    for i, piece in enumerate(pieces):
        if not isinstance(piece, Annotations):
            raise InputTypeError(
                f"piece {i} is {type(piece).__name__}, not Annotations",
                "patterns in files are read one by one: "
                "accumulate(map(Annotations.read_patterns, paths))"
                if isinstance(piece, str | Path)
                else None,
                argument="pieces",
            )
        if keep_coders and piece.kept_marginals is not None:
            raise InputError(
                f"piece {i} has let go who said what",
                ("pass ", Argument("keep_coders", False), " for all pieces"),
                argument="keep_coders",
            )
        yield piece_of(piece.known_parts(), keep_coders=keep_coders)
        del piece


def concat(parts: Iterable[Annotations]) -> Annotations:
    """Put the items of several annotations one after the other.

    Coders and categories are matched by name. Items keep their names, which must differ between
    the parts; unnamed items are renumbered. What was read `along` is None for the items of parts
    that were read without that column.

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
    if isinstance(parts, Annotations):
        raise InputTypeError(
            "concat puts several Annotations together, and got one",
            "pass a list of them: concat([monday, tuesday])",
            argument="parts",
        )
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
                f"part {i} is counts with the marginals of coders, which do not know who said what",
                "accumulate it with the other parts, keep_coders=False",
                argument="parts",
            )
    if len({part.coders is None for part in parts}) > 1:
        raise InputError(
            "some parts know their coders and some are counts: they do not concatenate",
            argument="parts",
        )
    return _joined(parts)


def _joined(parts: list[Annotations]) -> Annotations:
    categories, declared = united_categories(
        [(part.categories, part.declared) for part in parts], by_appearance=True
    )
    coders = None
    if parts[0].coders is not None:
        coders = united_coders([part.coders or () for part in parts], by_appearance=True)
    _hint(categories, declared, coders)
    whole = Names(categories, coders)
    rows = stack([recoded(part.rows, Names(part.categories, part.coders), whole) for part in parts])
    return Annotations.assemble(
        categories=categories,
        declared=declared,
        items=_joined_items(parts),
        coders=coders,
        rows=rows,
        weights=rows.weights,
        missing=sum(part.missing_judgments for part in parts),
        left_out=LeftOut.add_up(part.left_out for part in parts),
        unnamed=any(part.unnamed for part in parts),
        along=_joined_along(parts),
    )


def _joined_along(parts: list[Annotations]) -> dict[str, list[Any]]:
    """What columns say of all rows, None where a part was read without one of them."""
    names = dict.fromkeys(name for part in parts for name in part.along)
    return {
        name: [said for part in parts for said in part.along.get(name, [None] * part.n_rows)]
        for name in names
    }


def _joined_items(parts: list[Annotations]) -> Any:
    if all(isinstance(part.items, range) for part in parts):
        return range(sum(part.n_rows for part in parts))
    listed: list[Any] = []
    for part in parts:
        place = len(listed)
        unnamed = isinstance(part.items, range)
        names = range(place, place + part.n_rows) if unnamed else part.items
        listed += [labels.as_python(name) for name in names]
    seen: set[Any] = set()
    for name in listed:
        if name in seen:
            raise InputError(
                f"item {name!r} is in two parts",
                "items with judgments in several parts go together through from_long or"
                " with_judgments",
                argument="parts",
            )
        seen.add(name)
    return listed
