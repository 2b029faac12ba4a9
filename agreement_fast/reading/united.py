"""Unite the names of several pieces in one list.

The result depends only on the names, not on the order of the pieces or on how often some of them
were united before. The exception are categories that cannot be sorted, if `by_appearance`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from agreement_fast.errors import InputError
from agreement_fast.reading.ids import NUMBERS, arranged, text_of
from agreement_fast.reading.labels import Categories, arrange, shorten
from agreement_fast.reading.repeats import ordinals

__all__ = ["as_numbers", "same_names", "united_categories", "united_coders"]

_PLAIN = frozenset({str, int, bool})


def same_names(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Return whether names, their order and their types are equal: 1 differs from True here."""
    return one is other or (
        len(one) == len(other) and one == other and all(map(_alike, one, other))
    )


def _alike(one: Any, other: Any) -> bool:
    """Return whether equal names are also printed alike: 0.0 and -0.0 are not."""
    kind = type(one)
    if kind is not type(other):
        return False
    return kind in _PLAIN or (kind is float and one != 0) or text_of(one) == text_of(other)


def united_coders(
    lists: Sequence[tuple[Any, ...]],
) -> tuple[Any, ...]:
    """Return the coders of all pieces: in their common order if they have one, else sorted."""
    lists = [names for names in lists if names] or [()]
    first = lists[0]
    if all(same_names(names, first) for names in lists[1:]) and _sortable(first):
        return first if float not in map(type, first) else tuple(as_numbers(list(first)))
    found = as_numbers(_distinct(lists))
    # The names of repeated judgments ("first", "second", "tenth") are not in alphabetical order.
    places = ordinals(len(found))
    return tuple(places) if set(found) == set(places) else tuple(_arranged(found, False))


def united_categories(
    lists: Sequence[tuple[Categories, bool]], *, by_appearance: bool = False
) -> tuple[Categories, bool]:
    """Return the categories of all pieces, and whether they are declared.

    Each list comes with a flag that says whether it is declared. All pieces that declare categories
    must declare the same ones, and other pieces must not have other labels.

    Raises
    ------
    ValueError
        If pieces declare different categories, or have labels that other pieces do not declare.
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
    found = np.unique(np.concatenate([np.array(labels, np.float64) for labels in lists])) + 0.0
    if (found == np.floor(found)).all() and np.isfinite(found).all():
        return tuple(map(int, found.tolist()))
    return tuple(found.tolist())


def _distinct(lists: Iterable[Sequence[Any]]) -> list[Any]:
    """Return the names that occur; of equal names such as 1 and True, always the same one."""
    best: dict[Hashable, Any] = {}
    for names in lists:
        for name in names:
            known = best.setdefault(name, name)
            if known is not name and not _alike(known, name):
                best[name] = min(known, name, key=lambda one: (isinstance(one, bool), text_of(one)))
    return list(best.values())


def as_numbers(labels: list[Any]) -> list[Any]:
    """Return numbers as floats if one has a fraction, else as ints.

    Whether 1.0 was read as 1 depends on the other labels of its piece.
    """
    fractions = any(type(label) is float and not label.is_integer() for label in labels)

    def written(label: Any) -> Any:
        if type(label) is float and label.is_integer() and not fractions:
            return int(label)
        if type(label) is int and fractions and _is_float(label):
            return float(label)
        return label + 0.0 if type(label) is float else label  # -0.0 is 0.0

    return list(map(written, labels))


def _is_float(whole: int) -> bool:
    """Return whether a float represents an integer exactly."""
    try:
        return float(whole) == whole
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
