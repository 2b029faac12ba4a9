"""Unite the names of several pieces in one list, and judgments with further ones."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError
from agreement_fast.patterns import Rows, as_lists
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import NUMBERS, arranged, encode_ids, text_of
from agreement_fast.reading.labels import Categories, arrange, as_python, shorten
from agreement_fast.reading.long import read_long
from agreement_fast.reading.parts import LeftOut, Options, Parts
from agreement_fast.reading.repeats import ordinals

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
    return [as_python(name) for names in arrays for name in names]
