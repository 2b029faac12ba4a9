"""Pieces of data as patterns, and their sum: shared by `concat` and partitions of engines.

Addition is exact and associative. To the last bit of every array, the sum depends on the items
alone, not on the order of the pieces or on how items are divided among them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
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
from agreement_fast.present.terminal import shorten
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import NUMBERS, arranged, encode_ids, text_of
from agreement_fast.reading.kept_moments import count_patterns
from agreement_fast.reading.labels import Categories, arrange, as_python, count_numbers, in_python
from agreement_fast.reading.long import read_long
from agreement_fast.reading.parts import LeftOut, Options, Parts, written_rows
from agreement_fast.reading.repeats import ordinals
from agreement_fast.reading.row_order import in_order

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
    #: The hashes of the items' names, ascending: uint64 array, or None.
    hashes: Array | None = None


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
        parts.get("hashes"),
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
        hashes=piece.hashes,
    )


def hashed(names: Iterable[Any]) -> Array:
    """Return the hashes of items' names, of 64 bits, in any process the same. About 1 µs a name.

    1 and 1.0 are one name, and "1" is another.
    """
    from hashlib import blake2b  # of all that reads data, only this takes OpenSSL

    spelled = (
        name if isinstance(name, str) else f"\0{text_of(*as_numbers([as_python(name)]))}"
        for name in (names.tolist() if isinstance(names, np.ndarray) else names)
    )
    digests = (blake2b(text.encode(), digest_size=8).digest() for text in spelled)
    return np.frombuffer(b"".join(digests), "<u8").astype(np.uint64)


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
                "read the counts with af.Annotations.from_counts(counts, ",
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


_PLAIN = frozenset({str, int, bool})


def same_names(first: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether names, their order and their types are equal: 1 differs from True here."""
    return first is other or (
        len(first) == len(other) and first == other and all(map(_alike, first, other))
    )


def _alike(first: Any, other: Any) -> bool:
    """Return whether equal names are also printed alike: 0.0 and -0.0 are not."""
    kind = type(first)
    if kind is not type(other):
        return False
    return kind in _PLAIN or (kind is float and first != 0) or text_of(first) == text_of(other)


def united_coders(
    lists: Sequence[tuple[Any, ...]],
) -> tuple[Any, ...]:
    """Return the coders of all pieces: in their common order if they have one, else sorted."""
    lists = [names for names in lists if names] or [()]
    first = lists[0]
    if all(same_names(names, first) for names in lists[1:]) and _sortable(first):
        return first if float not in map(type, first) else tuple(as_numbers(list(first)))
    coders = as_numbers(_distinct(lists))
    # The names of repeated judgments ("first", "second", "tenth") are not in alphabetical order.
    places = ordinals(len(coders))
    return tuple(places) if set(coders) == set(places) else tuple(_arranged(coders, False))


def united_categories(
    lists: Sequence[tuple[Categories, bool]], *, by_appearance: bool = False
) -> tuple[Categories, bool]:
    """Return the categories of all pieces, and whether they are declared.

    Each list comes with a flag that says whether it is declared. All pieces that declare categories
    must declare the same ones, and other pieces must not have other labels. Raises ValueError if
    pieces declare different categories, or have labels that other pieces do not declare.
    """
    declared = [labels for labels, is_declared in lists if is_declared]
    if not declared:
        return _occurring([labels for labels, _ in lists], by_appearance), False
    first = declared[0]
    for labels in declared:
        if labels != first:
            raise InputError(
                f"the categories {shorten(labels)} of one piece are not the categories "
                f"{shorten(first)} of another",
                "declare the same ones in each",
            )
    known = set(first)
    for labels, _ in lists:
        unknown = [label for label in labels if label not in known]
        if unknown:
            raise InputError(
                f"a piece has the label {shorten(unknown[:1])}, which is not among the categories "
                f"{shorten(first)} that another piece declares",
                "declare the same ones in each",
            )
    best = {label: label for label in _distinct(declared)}
    return tuple(best[label] for label in first), True


def _occurring(lists: list[Categories], by_appearance: bool) -> Categories:
    lists = [labels for labels in lists if labels] or [()]
    first = lists[0]
    kinds = set(map(type, first))
    if kinds == {float} and all(are_floats(labels) for labels in lists[1:]):
        return _numbers(lists)
    if (kinds <= {str} or kinds <= {int}) and all(same_names(labels, first) for labels in lists):
        return first
    return tuple(_arranged(as_numbers(_distinct(lists)), by_appearance))


def are_floats(labels: Categories) -> bool:
    """Return whether all labels are floats; there may be millions of labels."""
    return set(map(type, labels)) == {float}


def _numbers(lists: list[Categories]) -> Categories:
    """Return the floats that occur, ascending; as ints if none has a fraction."""
    numbers = np.unique(np.concatenate([np.array(labels, np.float64) for labels in lists])) + 0.0
    if (numbers == np.floor(numbers)).all() and np.isfinite(numbers).all():
        return tuple(map(int, numbers.tolist()))
    return tuple(numbers.tolist())


def _distinct(lists: Iterable[Sequence[Any]]) -> list[Any]:
    """Return the names that occur; of equal names such as 1 and True, always the same one."""
    best: dict[Hashable, Any] = {}
    for names in lists:
        for name in names:
            known = best.setdefault(name, name)
            if known is not name and not _alike(known, name):
                best[name] = min(
                    known, name, key=lambda entry: (isinstance(entry, bool), text_of(entry))
                )
    return list(best.values())


def as_numbers(labels: list[Any]) -> list[Any]:
    """Return numbers as floats if one has a fraction, else as ints.

    Whether 1.0 was read as 1 depends on the other labels of its piece.
    """
    fractions = any(type(label) is float and not label.is_integer() for label in labels)

    def written(label: Any) -> Any:
        if type(label) is float and label.is_integer() and not fractions:
            return int(label)
        if type(label) is int and fractions and is_float(label):
            return float(label)
        return label + 0.0 if type(label) is float else label  # -0.0 is 0.0

    return list(map(written, labels))


def is_float(number: float) -> bool:
    """Return whether a float is equal to a number; very large integers have none."""
    try:
        return float(number) == number
    except OverflowError:
        return False


def _sortable(names: Sequence[Any]) -> bool:
    """Return whether names can be sorted."""
    kinds = set(map(type, names))
    if kinds <= {str} or kinds <= NUMBERS:
        return True
    try:
        sorted(names)
    except TypeError:
        return False
    return frozenset not in kinds


def _arranged(names: list[Any], by_appearance: bool) -> list[Any]:
    return [names[i] for i in (arrange if by_appearance else arranged)(names)]


#: Ways to settle an old and a new judgment of one item by one coder.
POLICIES = ("error", "first", "last")

#: Types of numpy arrays that hold names unchanged.
SIMPLE = "biufU"


def read_more(
    old: Parts,
    items: Any,
    coders: Any,
    labels: Any,
    options: Options,
) -> Parts:
    """Combine old parts and three more columns; see `Annotations.with_judgments`."""
    duplicates = options.duplicates
    if duplicates not in POLICIES:
        raise InputError(
            (Argument("duplicates"), f" must be 'error', 'first' or 'last', not {duplicates!r}"),
            "of the earlier judgments, only one of each coder and item was kept",
        )
    declared = old["categories"] if old["declared"] else None
    try:
        options = options._replace(categories=declared)
        new = read_long(items, coders, labels, options, hints=False)
        _check_sets(old, new)
        both = _joined(old, new, duplicates)
    except InputError as error:
        if error.argument != "duplicates":
            raise
        raise InputError(
            error.problem, ("pass ", Argument("duplicates", *POLICIES[1:])), argument="duplicates"
        ) from None
    rows, weights = both["rows"], old.get("weights")
    assert rows is not None
    if weights is not None:
        weights = np.concatenate([weights, np.ones(rows.n_rows - len(weights), np.int64)])
        both["rows"] = Rows(rows.codes, rows.width, rows.start, rows.coders, None, weights)
    both["weights"] = weights
    both["missing"] = (old["missing"] or 0) + (new["missing"] or 0)
    both["left_out"] = LeftOut.add_up([old["left_out"], new["left_out"], both["left_out"]])
    return both


def _check_sets(old: Parts, new: Parts) -> None:
    """Refuse texts beside sets: 'a|b' is not the set of a and b."""
    given, added = old["categories"] or (), new["categories"] or ()
    text = next((label for label in added if isinstance(label, str)), None)
    if text is not None and given and all(isinstance(label, frozenset) for label in given):
        raise InputError(
            f"the existing labels are sets, but the new label {shorten([text])} is text",
            (
                "pass ",
                Argument("set_separator"),
                ", the text between the elements, as for the earlier labels",
            ),
            argument="set_separator",
        )
    text = next((label for label in given if isinstance(label, str)), None)
    if text is not None and added and all(isinstance(label, frozenset) for label in added):
        raise InputError(
            f"the new labels are sets, but the existing label {shorten([text])} is text",
            ("read all of them with ", Argument("set_separator"), ", or none"),
            argument="set_separator",
        )


def _joined(old: Parts, new: Parts, duplicates: str) -> Parts:
    lists = [as_lists(part["rows"]) for part in (old, new) if part["rows"] is not None]
    rows = [np.repeat(np.arange(part.n_rows), np.diff(part.start)) for part in lists]
    items = _column(old["items"], new["items"], rows)
    coders = _column(old["coders"], new["coders"], [part.coders for part in lists])
    labels = _column(old["categories"], new["categories"], [part.codes for part in lists])
    labels = labels._replace(labels=as_numbers(list(labels.labels)))
    declared = old["categories"] if old["declared"] else None
    return read_long(items, coders, labels, Options(categories=declared, duplicates=duplicates))


def _column(old: Any, new: Any, codes: list[Any]) -> Dictionary:
    """Concatenate two columns, with codes that are places among their names."""
    numbers, names = encode_ids(_all(old, new), "name")
    places = [numbers[: len(old)][codes[0]], numbers[len(old) :][codes[1]]]
    return Dictionary(np.concatenate(places).astype(np.int32), names, False, by_appearance=True)


def _all(old: Any, new: Any) -> Array | list[Any]:
    """Concatenate names, as an array if that changes none."""
    arrays = [np.asarray(names) if isinstance(names, range) else names for names in (old, new)]
    kinds = {names.dtype.kind if isinstance(names, np.ndarray) else "O" for names in arrays}
    if len(kinds) == 1 and kinds <= set(SIMPLE):
        return np.concatenate(arrays)
    return [name for names in arrays for name in in_python(names)]
