"""Several judgments of one item by the same coder: they are reduced to one, or compared.

`POLICIES` lists the ways to reduce them to one judgment. `judgments_of` separates the judgments of
one coder, so that the first ones, the second ones and so on are like those of different coders.
A missing label is not a judgment and repeats nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, Phrase, Sentence, either
from agreement_fast.options import check_choice
from agreement_fast.patterns import narrow
from agreement_fast.present.terminal import shorten
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import (
    Categories,
    arrange,
    as_python,
    encode,
    integral,
    split_set,
    undeclared,
)
from agreement_fast.reading.parts import Options
from agreement_fast.reading.tables import Columns, judgment_column, place_of


class Repeated(NamedTuple):
    """Judgments of items that their coder judged more than once."""

    #: Their rows: the rows of one coder and item follow each other, in any order: int64 array of
    #: shape (n,).
    rows: Array
    #: The beginning of each coder and item in `rows`; the last entry is the end: int64 array of
    #: shape (pairs + 1,).
    start: Array


class Settled(NamedTuple):
    """Columns without repeated judgments, and the number of ties that became missing judgments."""

    columns: Columns
    ties: int


class Policy(NamedTuple):
    """How to treat several judgments of an item by one coder."""

    #: Which judgment to keep, if one of them is kept unchanged.
    keep_last: bool = False
    #: Applied to all judgments, repeated or not.
    prepare: Callable[[Columns], Columns] | None = None
    #: Reduces several judgments to one.
    settle: Callable[[Columns, Repeated], Settled] | None = None


def _majority(columns: Columns, repeated: Repeated) -> Settled:
    """Choose the label that a coder gave most often; a tie is a missing judgment."""
    n_pairs, n_labels = len(repeated.start) - 1, max(len(columns.categories), 1)
    pair = np.repeat(np.arange(n_pairs), np.diff(repeated.start))
    given, counts = np.unique(pair * n_labels + columns.codes[repeated.rows], return_counts=True)
    pair, label = np.divmod(given, n_labels)
    most = np.zeros(n_pairs, np.int64)
    np.maximum.at(most, pair, counts)
    top = counts == most[pair]
    tied = np.bincount(pair[top], minlength=n_pairs) > 1
    winner = np.empty(n_pairs, np.int64)
    winner[pair[top]] = label[top]
    winner[tied] = -1
    return Settled(_with_one_each(columns, repeated, winner), int(np.count_nonzero(tied)))


def _as_sets(columns: Columns) -> Columns:
    """Turn each label into a set of one element; labels that are sets stay unchanged."""
    number: dict[frozenset[Any], int] = {}
    codes = [number.setdefault(_elements(label), len(number)) for label in columns.categories]
    recoded = np.array([*codes, -1], narrow(len(number)))[columns.codes]
    return _with_used_labels(
        columns._replace(codes=recoded, categories=tuple(number), declared=False)
    )


def _elements(label: Hashable) -> frozenset[Any]:
    return label if isinstance(label, frozenset) else frozenset((label,))


def _union(columns: Columns, repeated: Repeated) -> Settled:
    """Unite the elements of all sets that a coder gave."""
    sets = list(columns.categories)
    number = dict(zip(sets, range(len(sets)), strict=True))
    united: dict[tuple[int, ...], int] = {}
    codes = columns.codes[repeated.rows].tolist()
    start = repeated.start.tolist()
    union = np.empty(len(start) - 1, np.int64)
    for pair, (begin, end) in enumerate(pairwise(start)):
        given = tuple(codes[begin:end])
        if given not in united:
            distinct = frozenset().union(*(sets[code] for code in given))
            united[given] = number.setdefault(distinct, len(number))
        union[pair] = united[given]
    categories = tuple(number)
    wide = columns._replace(
        codes=columns.codes.astype(narrow(len(categories))), categories=categories
    )
    return Settled(_with_used_labels(_with_one_each(wide, repeated, union)), 0)


def _with_one_each(columns: Columns, repeated: Repeated, codes: Array) -> Columns:
    """Set one code for each coder and item; the other judgments become missing."""
    settled = columns.codes.copy()
    settled[repeated.rows] = -1
    settled[repeated.rows[repeated.start[:-1]]] = codes
    return columns._replace(codes=settled)


def _with_used_labels(columns: Columns) -> Columns:
    """Leave out unused labels; the others are in the order of labels that were just read."""
    labels = columns.categories
    first = np.full(len(labels) + 1, len(columns.codes), np.int64)
    # assigning in reverse order keeps the first row of each label
    first[columns.codes[::-1]] = np.arange(len(columns.codes))[::-1]
    used = [
        i for i in np.argsort(first[:-1], kind="stable").tolist() if first[i] < len(columns.codes)
    ]
    used = [used[i] for i in arrange([labels[i] for i in used])]
    lookup = np.full(len(labels) + 1, -1, narrow(len(used)))
    lookup[used] = np.arange(len(used))
    return columns._replace(codes=lookup[columns.codes], categories=tuple(labels[i] for i in used))


#: The values of ``duplicates``. For "error" there is nothing to settle: the reader refuses.
POLICIES: Mapping[str, Policy] = {
    "error": Policy(),
    "first": Policy(),
    "last": Policy(keep_last=True),
    "majority": Policy(settle=_majority),
    "set": Policy(prepare=_as_sets, settle=_union),
}


#: Policies that depend on which judgment came first.
ORDERED = ("first", "last")


def policy_of(duplicates: Any) -> Policy:
    """Return the policy with a name, which must be one of `POLICIES`."""
    check_choice("duplicates", duplicates, tuple(POLICIES))
    return POLICIES[duplicates]


def refuse_duplicates(duplicates: str) -> None:
    """Refuse to make sets of labels if each column is a coder, who has no other labels."""
    if policy_of(duplicates).prepare is not None:
        raise InputError(
            (Argument("duplicates", duplicates), " is for one judgment per row"),
            "this table has one item per row and one coder per column",
        )


def excluded() -> InputError:
    """Return the error for two options that exclude each other."""
    return InputError(
        (Argument("repeats_of"), " and ", Argument("duplicates"), " exclude each other"),
        "repeated judgments are either compared or reduced to one",
    )


def remedies() -> Argument:
    """Return the arguments that settle repeated judgments."""
    return Argument("duplicates", *(name for name in POLICIES if name != "error"))


def refused(n_repeats: int, shown: Sequence[tuple[Any, Any]]) -> InputError:
    """Return the error that names the first repeated judgments, (item, coder), and the remedies."""
    named: list[str | Phrase] = []
    for item, coder in shown:
        named += ["; " if named else " (", f"coder {coder!r}, "]
        named.append(Phrase("item", f"item {item!r}", item))
    message = "1 judgment repeats" if n_repeats == 1 else f"{n_repeats} judgments repeat"
    return InputError(
        (
            Phrase("repeats", message),
            " a coder's judgment of an item",
            *named,
            " ...)" if n_repeats > len(shown) else ")",
        ),
        ("pass ", remedies(), Phrase("again", "; diagnostics.intra_coder_agreement compares them")),
        argument="duplicates",
    )


def repeated(columns: Columns, items: Array) -> Repeated:
    """Find the judgments of items that their coder judged more than once.

    `columns`: the judgments. `items` (int array): items with repeated judgments; only their rows
    are sorted.
    """
    flags = np.zeros(len(columns.item_names), bool)
    flags[items] = True
    rows = np.flatnonzero(flags[columns.items] & (columns.codes >= 0))
    pairs = columns.items[rows].astype(np.int64) * len(columns.coder_names) + columns.coders[rows]
    order = np.argsort(pairs)
    rows, pairs = rows[order], pairs[order]
    ends = np.flatnonzero(np.diff(pairs)) + 1  # of all coders and items but the last
    sizes = np.diff(np.concatenate([[0], ends, [len(pairs)]]))
    start = np.concatenate([[0], np.cumsum(sizes[sizes > 1])])
    return Repeated(rows[np.repeat(sizes > 1, sizes)], start)


def check_elements(
    columns: Columns, declared: Categories | None, separator: str | None = None
) -> None:
    """Refuse labels with undeclared elements; a declared set declares its elements."""
    if declared is None:
        return
    if separator is not None:
        declared = tuple(split_set(label, separator) for label in declared)
    known = tuple(dict.fromkeys(chain.from_iterable(map(_elements, declared))))
    for code, label in enumerate(columns.categories):
        new = _elements(label).difference(known)
        rows = np.flatnonzero(columns.codes == code) if new else np.zeros(0, np.int64)
        if len(rows):  # an ordered column may declare labels that nobody used
            raise undeclared(label, known, place_of(columns, int(rows[0])))


# ---------------------------------------------------------------------- a coder's own repeats


class OfCoder(NamedTuple):
    """The repeated judgments of one coder."""

    #: The coders are named "first", "second", "third", ...
    columns: Columns
    #: The rows of these judgments in the whole table: int array.
    rows: Array
    #: The places of the items in the whole table: int array.
    items: Array
    #: Items that the coder judged once; they are left out.
    n_judged_once: int
    #: Number of missing labels of the coder.
    n_missing: int


def judgments_of(columns: Columns, coder: Hashable) -> OfCoder:
    """Separate the judgments of a coder: the first of each item, the second, and so on.

    Items that the coder judged only once are left out.
    """
    names = columns.coder_names
    own = columns.coders == (names.index(coder) if coder in names else -1)
    rows = np.flatnonzero(own & (columns.codes >= 0))
    sizes = np.bincount(columns.items[rows], minlength=len(columns.item_names))
    kept = np.flatnonzero(sizes > 1)
    rows = rows[sizes[columns.items[rows]] > 1]
    rows = rows[np.argsort(columns.items[rows], kind="stable")]
    start = np.concatenate([[0], np.cumsum(sizes[kept])])
    place = np.arange(len(rows)) - np.repeat(start[:-1], sizes[kept])
    n_places = max(int(sizes.max(initial=0)), 2)
    taken = columns._replace(
        items=np.repeat(np.arange(len(kept), dtype=np.int32), sizes[kept]),
        coders=place.astype(np.int32),
        codes=columns.codes[rows],
        item_names=columns.item_names[kept]
        if isinstance(columns.item_names, np.ndarray)
        else [columns.item_names[i] for i in kept.tolist()],
        coder_names=ordinals(n_places),
    )
    if not columns.declared:
        taken = _with_used_labels(taken)
        taken = taken._replace(categories=tuple(integral(list(taken.categories))))
    return OfCoder(
        taken,
        rows,
        kept,
        int(np.count_nonzero(sizes == 1)),
        int(np.count_nonzero(own & (columns.codes < 0))),
    )


def declare(
    columns: Columns,
    declared: Categories,
    separator: str | None,
    where: Callable[[int], Sentence],
    rows: Array,
) -> Columns:
    """Set the declared categories of columns.

    An undeclared label raises an error; `where` describes its place among all `rows`.
    """
    if separator is not None:
        declared = tuple(dict.fromkeys(split_set(label, separator) for label in declared))
    place = dict(zip(declared, range(len(declared)), strict=True))
    lookup = np.full(len(columns.categories) + 1, -1, narrow(len(declared)))
    for code, label in enumerate(columns.categories):
        if label in place:
            lookup[code] = place[label]
        elif (places := np.flatnonzero(columns.codes == code)).size:
            raise undeclared(label, declared, where(int(rows[places].min())))
    return columns._replace(codes=lookup[columns.codes], categories=declared, declared=True)


#: Names of the first judgments.
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip


def ordinals(n: int) -> list[str]:
    """Return the names of the first n judgments of an item by one coder."""
    return [_ordinal(place) for place in range(1, n + 1)]


def _ordinal(n: int) -> str:
    """Return the name of a place, from 1 on.

    Examples
    --------
    >>> [_ordinal(n) for n in (1, 10, 11, 21, 102, 113)]
    ['first', 'tenth', '11th', '21st', '102nd', '113th']
    """
    if n <= len(_ORDINALS):
        return _ORDINALS[n - 1]
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def find_coder(names: Sequence[Hashable], requested: Any) -> Hashable:
    """Return the coder with a name; an unknown name raises an error with similar names."""
    from difflib import get_close_matches

    requested = as_python(requested)
    if requested in names:
        return names[names.index(requested)]
    folded: dict[str, list[Hashable]] = {}
    for name in names:
        folded.setdefault(str(name).strip().casefold(), []).append(name)
    near = get_close_matches(str(requested).strip().casefold(), folded, n=3)
    alike = [repr(name) for key in near for name in folded[key]]
    meant = f" (did you mean {either(alike)}?)" if alike else ""
    raise InputError(
        f"there is no coder {requested!r}{meant}; the coders are {shorten(names)}",
        argument="repeats_of",
    )


def no_repeats(coder: Hashable, n_judged_once: int) -> InputError:
    """Return the error for a coder without repeated judgments."""
    judged = {0: "no item at all", 1: "1 item, once"}.get(
        n_judged_once, f"{n_judged_once:,} items, each once"
    )
    return InputError(
        f"coder {coder!r} judged {judged}",
        (
            Argument("repeats_of"),
            " compares several judgments of an item by one coder",
        ),
        argument="repeats_of",
    )


def check_order(columns: Columns, options: Options) -> None:
    """Refuse repeated judgments if the order does not say which came first and it matters."""
    times, duplicates, repeats_of = options.times, options.duplicates, options.repeats_of
    if times is None or (duplicates not in ORDERED and repeats_of is None):
        return
    if not len(times) or times[-1] == len(times) - 1:  # all rows differ
        return
    taken = columns.codes >= 0
    if repeats_of is not None:
        own = [i for i, name in enumerate(columns.coder_names) if name == repeats_of]
        taken &= np.isin(columns.coders, own)
    rows = np.flatnonzero(taken)
    if not len(rows):
        return
    pairs = columns.items[rows].astype(np.int64) * len(columns.coder_names) + columns.coders[rows]
    by_pair = np.argsort(pairs, kind="stable")
    rows, pairs = rows[by_pair], pairs[by_pair]
    new_pair = np.append(True, pairs[1:] != pairs[:-1])
    new_time = np.append(True, times[rows][1:] != times[rows][:-1]) | new_pair
    start = np.flatnonzero(new_time)
    labels = columns.codes[rows]
    several = np.maximum.reduceat(labels, start) != np.minimum.reduceat(labels, start)
    opens = new_pair[start]
    if duplicates == "first":
        several &= opens
    elif duplicates == "last":
        several &= np.append(opens[1:], True)
    if not several.any():
        return
    row = rows[start[np.argmax(several)]]
    item = as_python(columns.item_names[columns.items[row]])
    coder = as_python(columns.coder_names[columns.coders[row]])
    raise InputError(
        (
            f"coder {coder!r} has several labels for ",
            Phrase("item", f"item {item!r}", item),
            f" with the same {options.order!r}, which does not say which came first",
        ),
        ("name a column by ", Argument("order"), " whose values differ"),
        argument="order",
    )


def joined_key(columns: Sequence[Any]) -> Any:
    """Return several columns as one of tuples; a single column is returned unchanged."""
    if len(columns) == 1:
        return columns[0]
    numbered = [encode_ids(judgment_column(column, "items"), "item") for column in columns]
    keys = np.zeros(len(numbered[0][0]), np.int64)
    for codes, names in numbered:
        keys, _ = encode_ids(keys * max(len(names), 1) + codes, "item")
        keys = keys.astype(np.int64)
    first = np.unique(keys, return_index=True)[1]
    parts = [
        [as_python(names[code]) for code in codes[first].tolist()] for codes, names in numbered
    ]
    return Dictionary(keys.astype(np.int32), list(zip(*parts, strict=True)), False, True)


def labels_of_items(items: Any, column: Any, name: str) -> list[Any]:
    """Return the value of a column for each item; None if it is empty in all rows of the item.

    Items are in order of first appearance, as `encode_ids` numbers them.
    """
    item_codes, names = encode_ids(judgment_column(items, "items"), "item")
    raw, values = encode(judgment_column(column, "along"), None, None, lambda place: f"row {place}")
    codes = raw.codes(len(values)).reshape(-1).astype(np.int64)
    given = np.flatnonzero(codes >= 0)
    out = np.full(len(names), -1, np.int64)
    # Assigning in reverse order keeps the first row of each item.
    out[item_codes[given[::-1]]] = codes[given[::-1]]
    unlike = given[out[item_codes[given]] != codes[given]]
    if len(unlike):
        item = as_python(names[item_codes[unlike[0]]])
        two = (values[out[item_codes[unlike[0]]]], values[codes[unlike[0]]])
        raise InputError(
            (
                Phrase("item", f"item {item!r}", item),
                f" has {two[0]!r} and {two[1]!r} in column {name!r}",
            ),
            "it must say the same in all rows of an item",
            argument="along",
        )
    listed = [*values, None]
    return [listed[code] for code in out.tolist()]
