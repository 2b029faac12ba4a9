"""Join annotations: put their items one after the other, or add up their patterns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.annotations import Annotations
from agreement_fast.errors import Argument, InputError, InputTypeError, ReadHint, hint
from agreement_fast.options import check_flag
from agreement_fast.patterns import stack
from agreement_fast.present.terminal import number_of
from agreement_fast.reading import labels
from agreement_fast.reading.labels import Categories
from agreement_fast.reading.parts import LeftOut
from agreement_fast.reading.pieces import (
    Names,
    Piece,
    add_up,
    hashed,
    parts_of,
    piece_of,
    recoded,
    united_categories,
    united_coders,
)
from agreement_fast.reading.recognition.labels import hint_at_labels, hint_at_names_of_coders

#: The most names that are compared with those of earlier parts if no hashes are kept.
MOST_NAMES = 1 << 17


class _Seen:
    """The hashes of the items of parts, in which an item that is split is detected."""

    def __init__(self) -> None:
        #: Sorted arrays, each at least twice as long as the next one.
        self._levels: list[Array] = []
        #: Whether all parts had hashes.
        self.whole = True

    def take(self, i: int, part: Annotations, keep: bool) -> None:
        """Add the items of a part; raise an error if one of them is in an earlier part."""
        hashes = part.hashes
        if hashes is None and keep:
            if part.unnamed or isinstance(part.items, range):
                raise InputError(
                    f"part {i} has no names of items to keep the hashes of",
                    "read its items with their names (from_long, from_frame)",
                    argument="keep_items",
                )
            hashes = np.unique(hashed(part.items))
        if hashes is None:
            self.whole = False
            return
        split = [np.intersect1d(level, hashes, assume_unique=True) for level in self._levels]
        if twice := {*np.concatenate(split).tolist()} if split else None:
            names = [] if part.unnamed else part.items
            own = hashed(names).tolist()
            known = [name for name, digest in zip(names, own, strict=True) if digest in twice]
            shown = f", such as {labels.as_python(known[0])!r}" if known else ""
            raise InputError(
                f"{number_of(len(twice), 'item')} of part {i} {'is' if len(twice) == 1 else 'are'}"
                f" in an earlier part, too{shown}: judgments of one item would count as two items",
                "keep an item open, with with_judgments, until it is complete",
                argument="parts",
            )
        while self._levels and len(self._levels[-1]) < 2 * len(hashes):
            hashes = np.union1d(self._levels.pop(), hashes)
        self._levels.append(hashes)

    def hashes(self) -> Array | None:
        """Return all hashes, ascending; None if a part had none."""
        return np.sort(np.concatenate(self._levels)) if self.whole else None


def _added_up(parts: Iterable[Annotations], keep_coders: bool, keep_hashes: bool) -> Annotations:
    """Add up the patterns of parts; only a few of them are in memory at a time.

    O(n log n) for n patterns of all parts. The sum is exact and associative: all of its arrays are
    independent of the order of the parts and of how items are divided among them. Rows are sorted,
    and so are coders unless all parts have the same coders in the same order. Categories are
    sorted; if they cannot be, numbers come first, then texts.
    """
    seen = _Seen()
    whole = add_up(_as_pieces(parts, keep_coders, seen, keep_hashes))
    _hint(whole.categories, whole.declared, whole.coders)
    return Annotations.assemble(**parts_of(whole._replace(hashes=seen.hashes())))


def _hint(categories: Categories, declared: bool, coders: tuple[Any, ...] | None) -> None:
    """Warn of names in different pieces that may be meant as one."""
    if not declared:
        hint_at_labels(categories)
    hint_at_names_of_coders(coders or ())


def _hint_at_split(i: int, part: Annotations, known: set[int]) -> bool:
    """Warn of an item in an earlier part; return whether to look at further parts.

    `known`: Python's hashes of the names of earlier parts, to which those of this one are added.
    """
    if part.unnamed or isinstance(part.items, range):
        return True
    twice = known.intersection(hashes := list(map(hash, part.items)))
    if twice:
        name = labels.as_python(part.items[next(map(hashes.index, twice))])
        hint(
            f"part {i} and an earlier one have an item {name!r}, which counts as two items: if it "
            "is one, join its judgments by with_judgments first",
            ReadHint,
        )
    known.update(hashes)
    return not twice and len(known) <= MOST_NAMES


def _as_pieces(
    parts: Iterable[Annotations], keep_coders: bool, seen: _Seen, keep_hashes: bool
) -> Iterator[Piece]:
    known, look = set[int](), not keep_hashes
    for i, piece in enumerate(parts):
        if not isinstance(piece, Annotations):
            raise InputTypeError(
                f"part {i} must be Annotations, not {type(piece).__name__}",
                "read patterns in files with af.concat(map(af.Annotations.read_patterns, paths), "
                "keep_items=False)"
                if isinstance(piece, str | Path)
                else None,
                argument="parts",
            )
        if keep_coders and piece.kept_marginals is not None:
            raise InputError(
                f"part {i} does not keep who said what",
                ("pass ", Argument("keep_coders", False), " for all parts"),
                argument="keep_coders",
            )
        seen.take(i, piece, keep_hashes)
        look = look and _hint_at_split(i, piece, known)
        yield piece_of(piece.known_parts(), keep_coders=keep_coders)
        del piece


def concat(
    parts: Iterable[Annotations],
    *,
    keep_items: bool | Literal["hashes"] = True,
    keep_coders: bool = True,
) -> Annotations:
    """Put the items of several annotations one after the other, or add up their patterns.

    Coders and categories are matched by name. Items keep their names, which must differ between
    the parts; unnamed items are renumbered. A column read `along` is None for the items of parts
    that do not have it.

    Parameters
    ----------
    parts : iterable of Annotations
        The annotations, one or more. Without the names of items they may be many, and in any order.
    keep_items : bool or "hashes", default True
        If False, only add up the patterns. Only a few parts are in memory at a time, and the
        result is the same in any order of the parts. Items of different parts are different items,
        so an item must not be split between parts; a name that occurs in two is warned about while
        the parts have no more than 131,072 names. "hashes" keeps 8 bytes of each name beside the
        patterns, in files, too, so that a split item raises an error.
    keep_coders : bool, default True
        If False, which needs ``keep_items=False``, only keep how many coders gave an item each
        category, and how often each coder used each category. That is enough for all coefficients,
        and takes memory for the distinct counts only. Methods that need to know who said what about
        an item (`select`, `contingency_table`, ``incomplete="complete"``) then raise an error.

    Returns
    -------
    Annotations
        The items of all parts, in their order. Without their names, a row for each distinct
        pattern; its weight is the number of items that have it.

    Raises
    ------
    ValueError
        If there are no parts, if an item name or its hash occurs in two parts, if only some parts
        hold their coders, or if parts declare different categories.

    Warns
    -----
    ReadHint
        If the name of an item is in two parts that are added up.

    Notes
    -----
    O(judgments); O(n log n) for n patterns if items are not kept.

    Examples
    --------
    >>> import agreement_fast as af
    >>> first = af.Annotations.from_wide([["a", "b"]], coders=["Ann", "Bea"])
    >>> second = af.Annotations.from_wide([["a", "a"]], coders=["Bea", "Cid"])
    >>> af.concat([first, second])
    Annotations(2 items, 3 coders, 4 judgments, 2 categories: 'a', 'b')

    A thousand parts; only the patterns are kept:

    >>> parts = (af.Annotations.from_wide([[1, 1], [1, 2]]) for _ in range(1000))
    >>> whole = af.concat(parts, keep_items=False)
    >>> whole
    Annotations(2000 items, 2 coders, 4000 judgments, 2 categories: 1, 2)
    >>> whole.n_rows
    2

    An item whose judgments are in two parts is detected by its hash:

    >>> monday = af.Annotations.from_long(["i1", "i2"], ["Ann", "Ann"], ["a", "b"])
    >>> tuesday = af.Annotations.from_long(["i2", "i3"], ["Bea", "Bea"], ["b", "b"])
    >>> af.concat([monday, tuesday], keep_items="hashes")
    Traceback (most recent call last):
    agreement_fast.errors.InputError: 1 item of part 1 is in an earlier part, too, such as 'i2': \
judgments of one item would count as two items: keep an item open, with with_judgments, until it \
is complete
    """
    if isinstance(parts, Annotations):
        raise InputTypeError(
            "concat expected several Annotations, got one",
            "pass a list of them: af.concat([monday, tuesday])",
            argument="parts",
        )
    if keep_items == "hashes" or not check_flag("keep_items", keep_items):
        keep_hashes = keep_items == "hashes"
        return _added_up(parts, check_flag("keep_coders", keep_coders), keep_hashes)
    if not check_flag("keep_coders", keep_coders):
        raise InputError(
            "items that keep their names keep their coders",
            ("pass ", Argument("keep_items", False), ", too"),
            argument="keep_coders",
        )
    parts = list(parts)
    if not parts:
        raise InputError("concat needs at least one Annotations", argument="parts")
    for i, part in enumerate(parts):
        if not isinstance(part, Annotations):
            raise InputTypeError(
                f"part {i} must be Annotations, not {type(part).__name__}",
                argument="parts",
            )
        if part.kept_marginals is not None:
            raise InputError(
                f"part {i} is counts with the marginals of coders, without who said what",
                "add up the parts with af.concat(parts, keep_items=False, keep_coders=False)",
                argument="parts",
            )
    if len({part.coders is None for part in parts}) > 1:
        raise InputError(
            "some parts hold their coders and some are counts: they cannot be concatenated",
            argument="parts",
        )
    categories, declared = united_categories(
        [(part.categories, part.declared) for part in parts], by_appearance=True
    )
    coders = None
    if parts[0].coders is not None:
        coders = united_coders([part.coders or () for part in parts])
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
    """Return the columns along of all rows, with None for parts that do not have them."""
    names = dict.fromkeys(name for part in parts for name in part.along)
    return {
        name: [labels for part in parts for labels in part.along.get(name, [None] * part.n_rows)]
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
        listed += labels.in_python(names)
    seen: set[Any] = set()
    for name in listed:
        if name in seen:
            raise InputError(
                f"item {name!r} is in two parts",
                "join the judgments of one item with from_long or with_judgments",
                argument="parts",
            )
        seen.add(name)
    return listed
