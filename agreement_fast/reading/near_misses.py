"""Labels that may be meant as one, or as sets, but count as written.

Labels are equal as in Python: 'yes', 'Yes' and 'yes ' are three categories, and 'a|b' is one.
Nothing is merged or split here; such labels are only reported.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from reprlib import Repr
from typing import Any

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast.hints import LabelHint, hint

__all__ = [
    "coder_notes",
    "hint_at_coders",
    "hint_at_labels",
    "near_miss_notes",
    "near_misses",
    "separator_of_sets",
    "set_notes",
]

#: Floats that differ by at most this number of units in the last place may be the same number.
LAST_BITS = 4


@dataclass(frozen=True)
class Separator:
    """A mark that may separate the elements of a set.

    Attributes
    ----------
    mark : str
    recurring : float
        The least share of elements that other labels must have, too.
    in_numbers : bool
        Whether the mark may stand within a number.
    """

    mark: str
    recurring: float
    in_numbers: bool


#: Prose contains commas, and rarely the other marks.
SEPARATORS = (Separator("|", 0, False), Separator(";", 0, False), Separator(",", 0.5, True))

#: Longer parts are taken for sentences.
LONGEST_PART = 40

#: Largest number of groups that a note lists.
SHOWN = 5

#: Integers below this bound are near some float.
_FLOATS = 1 << 1023

#: Numbers whose relative difference is larger are clearly different; others are inspected.
_FAR = 1e-9

#: The first character of a text that may be a number.
_BEGIN_NUMBERS = frozenset("0123456789+-.")

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def near_misses(labels: Iterable[Hashable]) -> list[tuple[Any, ...]]:
    """Find labels that differ only in case, blanks, type or the last bits of a number.

    Parameters
    ----------
    labels : iterable
        Distinct labels of any kind; elements of sets are treated like labels.

    Returns
    -------
    list of tuples
        Groups of two labels or more, in the order of the labels.

    Notes
    -----
    O(labels log labels).

    Examples
    --------
    >>> near_misses(["yes", "no", "Yes", "no ", "perhaps"])
    [('yes', 'Yes'), ('no', 'no ')]
    >>> near_misses([1, "1", 0.3, 0.1 + 0.2])
    [(1, '1'), (0.3, 0.30000000000000004)]
    """
    listed: list[Any] = list(labels)
    kinds = set(map(type, listed))
    if kinds <= {int}:
        return []
    if kinds <= {int, float} and min(listed) > -_FLOATS and max(listed) < _FLOATS:
        ordered = sorted(listed)
        if all(b - a > _FAR * max(abs(a), abs(b)) for a, b in pairwise(ordered)):
            return []
        close = _close(list(zip(listed, range(len(listed)), strict=True)))
        return [tuple(listed[place] for place in sorted(group)) for group in sorted(close, key=min)]
    if kinds == {str} and _are_other_texts(listed):
        return []
    sets = [label for label in listed if isinstance(label, frozenset)]
    sets_differ = _are_far_apart(sets)
    groups: dict[Any, list[int]] = {}
    numbers: list[tuple[int | float, int]] = []
    for place, label in enumerate(listed):
        if sets_differ and isinstance(label, frozenset):
            continue
        key = _key(label)
        if isinstance(key, int | float):
            numbers.append((key, place))
        else:
            groups.setdefault(key, []).append(place)
    found = [group for group in groups.values() if len(group) > 1] + _close(numbers)
    return [tuple(listed[place] for place in sorted(group)) for group in sorted(found, key=min)]


def _are_other_texts(texts: list[str]) -> bool:
    """Return whether plain texts clearly differ, even without case and blanks."""
    if not all(map(str.isascii, texts)):
        return False
    keys = {" ".join(text.split()).casefold() for text in texts}
    if len(keys) < len(texts):
        return False
    numbers = [key for key in keys if key[:1] in _BEGIN_NUMBERS]
    # Such whole numbers have only one spelling.
    return all(key.isdigit() and key[0] != "0" and len(key) <= 18 for key in numbers)


def _are_far_apart(sets: list[frozenset[Any]]) -> bool:
    """Return whether no two elements may be meant as one; then no two of the sets may, either."""
    kinds = _encode.element_types(sets)
    if kinds <= {int}:
        return True
    elements = frozenset().union(*sets)
    return kinds == {str} and len({str(_key(element)) for element in elements}) == len(elements)


def _key(label: Any) -> Any:
    """Return the common key of labels that may be meant as one: a number, a text, or a set."""
    if isinstance(label, bool | np.bool_):
        return str(label).casefold()
    if isinstance(label, int) and label.bit_length() > 1023:  # beyond all floats
        return hex(label)
    if isinstance(label, int | float):
        return label
    if isinstance(label, frozenset):
        return frozenset(str(_key(element)) for element in label)
    text = " ".join(unicodedata.normalize("NFKC", str(label)).split()).casefold()
    if not _NUMBER.fullmatch(text):
        return text
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else float(text)


def _close(numbers: Sequence[tuple[Any, int]]) -> list[list[int]]:
    """Group the places of numbers that are equal except for their last bits."""
    if not numbers:
        return []
    values = np.array([value for value, _ in numbers], dtype=np.float64)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    with np.errstate(invalid="ignore", over="ignore"):  # very large differences are not near
        near = ordered[1:] - ordered[:-1] <= LAST_BITS * np.spacing(np.abs(ordered[1:]))
    groups: list[list[int]] = []
    end = -1
    for i in near.nonzero()[0].tolist():
        (one, first), (other, second) = numbers[order[i]], numbers[order[i + 1]]
        # Integers beyond 2^53 are exact, but floats are not.
        if isinstance(one, int) and isinstance(other, int) and one != other:
            continue
        if end == i:
            groups[-1].append(second)
        else:
            groups.append([first, second])
        end = i + 1
    return groups


def separator_of_sets(labels: Iterable[Hashable]) -> str | None:
    """Return the mark between the elements of labels that look like sets.

    Parameters
    ----------
    labels : iterable
        Distinct labels; only texts are considered.

    Returns
    -------
    str or None
        One of ``|``, ``;`` and ``,``. Labels look like sets if a mark joins short texts that
        other labels consist of, too.

    Examples
    --------
    >>> separator_of_sets(["cause", "cause|effect", "none"])
    '|'
    >>> separator_of_sets(["Boston, USA", "Lima, Peru"]) is None
    True
    """
    texts = [label for label in labels if isinstance(label, str)]
    if not texts:
        return None
    for separator in SEPARATORS:
        parts = [[part.strip() for part in text.split(separator.mark)] for text in texts]
        joined = [label for label in parts if len(label) > 1]
        if not joined or not all(_are_elements(label, separator) for label in joined):
            continue
        uses = Counter(part for label in parts for part in set(label))
        elements = {part for label in joined for part in label}
        recurring = sum(uses[part] > 1 for part in elements)
        if recurring and recurring >= separator.recurring * len(elements):
            return separator.mark
    return None


def _are_elements(parts: Sequence[str], separator: Separator) -> bool:
    """Return whether the parts of a label can be elements: short, and not those of a number."""
    short = all(0 < len(part) <= LONGEST_PART for part in parts)
    return short and not (separator.in_numbers and all(part.isdigit() for part in parts))


def hint_at_labels(categories: Sequence[Hashable]) -> None:
    """Warn once of categories that may be meant as one, or as sets; O(K log K)."""
    for note in near_miss_notes(categories):
        hint(f"{note}; merge_categories() makes one of several", LabelHint)
    for note in set_notes(categories):
        hint(note, LabelHint)


def hint_at_coders(coders: Iterable[Hashable]) -> None:
    """Warn once of names of coders that may be meant as one; O(C log C)."""
    for note in coder_notes(coders):
        hint(f"{note}; if they are one, use one name for them in the data", LabelHint)


def coder_notes(coders: Iterable[Hashable]) -> list[str]:
    """Return a note on names of coders that may be meant as one, or an empty list."""
    plain = coders.tolist() if isinstance(coders, np.ndarray) else coders
    return near_miss_notes(plain, "names of coders", "coders")


def near_miss_notes(
    labels: Iterable[Hashable], what: str = "labels", are: str = "categories"
) -> list[str]:
    """Report labels that may be meant as one.

    Parameters
    ----------
    labels : iterable
        Distinct labels, or names.
    what, are : str
        How to call the labels, and what different ones count as.

    Returns
    -------
    list of str
        One note that lists them, or an empty list.

    Examples
    --------
    >>> near_miss_notes(["yes", "Yes", "no"])[0][-13:]
    "'yes' = 'Yes'"
    """
    groups = near_misses(labels)
    if not groups:
        return []
    listed = [" = ".join(map(_shown, group[:SHOWN])) for group in groups[:SHOWN]]
    if len(groups) > SHOWN:
        listed.append(f"{len(groups) - SHOWN:,} more")
    return [
        f"{what} differ only in case, blanks, type or last bits, and count as different {are}:"
        f" {'; '.join(listed)}"
    ]


def set_notes(labels: Iterable[Hashable]) -> list[str]:
    """Report labels that look like sets.

    Parameters
    ----------
    labels : iterable
        Distinct labels.

    Returns
    -------
    list of str
        One note that names the argument to pass, or an empty list.

    Examples
    --------
    >>> set_notes(["a", "b", "a|b"])
    ["labels such as 'a|b' look like sets: if they are, pass set_separator='|'"]
    """
    listed = list(labels)
    mark = separator_of_sets(listed)
    if mark is None:
        return []
    example = next(label for label in listed if isinstance(label, str) and mark in label)
    return [
        f"labels such as {_shown(example)} look like sets: if they are, pass set_separator={mark!r}"
    ]


def _shown(label: Any) -> str:
    shown = Repr()
    shown.maxstring = shown.maxother = LONGEST_PART
    return shown.repr(label)
