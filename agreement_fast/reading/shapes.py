"""Detect tables that may not be items × coders.

Names of columns and values are inspected. A table that is clearly something else is read as such
or refused; a doubtful one raises a warning. Names of coders (``coders=``) say that the columns are
coders, and skip these checks.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

import numpy as np

from agreement_fast._kernels import _looks
from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError
from agreement_fast.hints import ShapeHint, hint
from agreement_fast.patterns import group_equal
from agreement_fast.reading import frames, labels
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import shorten
from agreement_fast.reading.usual_names import names_answer_key, role_of_name, usual_columns

__all__ = [
    "ColumnNames",
    "Judgments",
    "check_values",
    "find_judgments",
    "item_column",
    "judgments_in_first_rows",
]


#: Types of numbers that the kernels take.
NUMBERS = "bhilqBHILQfd"
#: Number of rows that are inspected first; a few are often enough.
ROWS = 1000
#: Number of cells that are inspected if there are many columns.
CELLS = 50_000
#: A long table has fewer items than this share of its rows, unless most items were judged once.
REPEATED = 0.8
#: With this number of rows, distinct values are names, not labels that differ by accident.
ENOUGH = 10
#: Chance explanations of e^-7 cause a warning, of e^-14 an error.
DOUBT, CERTAINTY = 7.0, 14.0
#: What a column beside two or more coders holds, by the role that its name suggests.
BESIDE = {
    "comment": "comments",
    "gold": "a gold standard, which diagnostics.against_gold takes",
    "total": "a result",
    "weights": "frequencies, which Annotations.from_wide takes as weights=",
    "attribute": "something about the item",
}
#: The highest number of a scale of few steps.
SCALE = 10
PAIRS = ((0, 1), (0, 2), (1, 2))
#: An odd number whose powers spread over 64 bits.
MIXED = np.uint64(0x9E3779B97F4A7C15)
#: A contingency table has at least this number of items per category.
ITEMS_PER_CATEGORY = 10


class ColumnNames(TypedDict, total=False):
    """Which columns of a table hold the items, the coders and the labels."""

    item: str
    coder: str
    label: str


class Judgments(NamedTuple):
    """The columns of a table of one judgment per row."""

    item: Any
    coder: Any
    label: Any


class _Looked(NamedTuple):
    """What the first rows of a column hold."""

    labels: frozenset[Any]
    given: int
    rows: int

    @property
    def all_different(self) -> bool:
        return len(self.labels) == self.rows

    @property
    def numbers(self) -> bool:
        return all(isinstance(label, int | float) for label in self.labels)

    @property
    def fractions(self) -> bool:
        return any(isinstance(label, float) and not label.is_integer() for label in self.labels)


def _look(column: Any, rows: int = ROWS) -> _Looked:
    if isinstance(column, Dictionary):
        codes = column.codes[:rows]
        there = codes[codes >= 0]
        used = frozenset(column.labels[code] for code in np.unique(there).tolist())
        return _Looked(used, len(there), len(codes))
    first = column[:rows]
    raw, found = labels.encode(first, None, None, str)
    given = int(np.count_nonzero(raw.codes(len(found)) >= 0))
    return _Looked(frozenset(found), given, len(first))


def _n_different(column: Any) -> int:
    """Return the number of distinct values of a column; 0 if some are missing."""
    try:
        return len(encode_ids(column, "item")[1])
    except (TypeError, ValueError):
        return 0


def _length(column: Any) -> int:
    return len(column.codes) if isinstance(column, Dictionary) else len(column)


# ---------------------------------------------------------------------- one judgment per row


def find_judgments(columns: Mapping[Any, Any], asked: ColumnNames) -> Judgments | None:
    """Return the columns of items, coders and labels of a table of one judgment per row.

    None if the table is something else. Columns that are not given are found by usual names.

    Raises
    ------
    ValueError
        If a table looks like one but its columns are not certain, or a name is not a column.
    """
    for role, name in asked.items():
        if name not in columns:
            raise InputError(
                (
                    Argument(role, name),
                    f" is not a column; the columns are {shorten(list(columns))}",
                ),
                argument=role,
            )
    found: dict[str, list[Any]] = {role: [name] for role, name in asked.items()}
    for role in ("item", "coder", "label"):
        if role not in found:
            taken = [name for names in found.values() for name in names]
            free = [name for name in columns if isinstance(name, str) and name not in taken]
            found[role] = usual_columns(role, free)
    must = "coder" in asked or "label" in asked
    if not must and not (found["coder"] and (found["item"] or found["label"])):
        return None
    if all(len(names) == 1 for names in found.values()):
        roles = Judgments(*(found[role][0] for role in Judgments._fields))
        return roles if must or _repeats(columns, roles) else None
    if must or _looks_long(columns, found):
        said = ", ".join(
            f"{role}={found[role][0]!r}" if len(found[role]) == 1 else f"{role}=..."
            for role in Judgments._fields
        )
        raise InputError(
            f"the columns {shorten(list(columns))} look like one judgment per row, but their roles "
            "are not certain",
            f"write Annotations.from_frame(frame, {said})",
        )
    return None


def judgments_in_first_rows(columns: Mapping[Any, Any], asked: ColumnNames) -> Judgments | None:
    """Return the same for the first rows of a table, in which items may not repeat yet.

    Raises
    ------
    ValueError
        If only the rest of the table decides what it is.
    """
    found = find_judgments(columns, asked)
    listed = [name for name in columns if isinstance(name, str) and name not in asked.values()]
    named: Mapping[str, Any] = asked
    usual = [
        [named[role]] if role in named else usual_columns(role, listed)
        for role in Judgments._fields
    ]
    if found is not None or any(len(names) != 1 for names in usual):
        return found
    roles = Judgments(*(name for (name,) in usual))
    if _look(columns[roles.coder]).labels.isdisjoint(_look(columns[roles.label]).labels):
        return roles
    said = ", ".join(
        f"{role}={name!r}" for role, name in zip(Judgments._fields, roles, strict=True)
    )
    raise InputError(
        f"the first rows of the lazy frame do not show whether it holds one judgment per row "
        f"(columns {roles.item!r}, {roles.coder!r}, {roles.label!r}) or items × coders",
        (
            f"write Annotations.from_frame(frame, {said}), or Annotations.from_wide(frame, ",
            Argument("coders"),
            "=[...]) with the columns of the coders",
        ),
    )


def _repeats(columns: Mapping[Any, Any], roles: Judgments) -> bool:
    """Return whether items repeat, as they do if each row is a judgment."""
    items = columns[roles.item]
    share = _n_different(items) / max(_length(items), 1)
    if share == 1:
        return False
    apart = _look(columns[roles.coder]).labels.isdisjoint(_look(columns[roles.label]).labels)
    return share <= REPEATED or apart


def _looks_long(columns: Mapping[Any, Any], found: Mapping[str, Sequence[Any]]) -> bool:
    """Return whether a column holds coders, and items repeat or labels are of another kind."""
    if len(found["coder"]) != 1:
        return False
    coders = _look(columns[found["coder"][0]])
    if len(found["item"]) == 1:
        items = columns[found["item"][0]]
        return _n_different(items) <= REPEATED * _length(items)
    return any(coders.labels.isdisjoint(_look(columns[name]).labels) for name in found["label"])


# ---------------------------------------------------------------------- items × coders, with names


def item_column(table: Any, columns: Mapping[Any, Any]) -> Any:
    """Return the column with the names of items in a table of items × coders; None without one.

    Raises
    ------
    ValueError
        If a column cannot be a coder.

    Warns
    -----
    ShapeHint
        If a column may not be a coder.
    """
    index = frames.index_columns(table)
    if len(index) > 1 and len(columns) == 1:
        levels = [f"index.get_level_values({i})" for i in range(len(index))]
        raise InputError(
            f"the table has one column and an index of {len(index)} levels "
            f"({shorten(list(index))})",
            "if each row is a judgment, write Annotations.from_long(items, coders, labels) with "
            f"{' and '.join(levels)} for items and coders, or name the levels 'item' and 'coder'",
        )
    _refuse_crosstab(table, columns)
    rows = max(min(ROWS, CELLS // max(len(columns), 1)), 2 * ENOUGH)
    looked = {name: _look(column, rows) for name, column in columns.items()}
    alone = _alone(looked)
    items = _named_items(columns, looked, alone)
    doubts = _doubts(looked, alone, items)
    for name in columns:
        if name == items:
            continue
        if name not in doubts:
            _hint_at_name(name, len(looked))
            continue
        kept = shorten([other for other in columns if other not in (name, items)])
        _point_out(
            name,
            doubts[name],
            f"write Annotations.from_wide(frame, items={name!r})",
            f"pass only the coders' columns ({kept}); "
            "Annotations.from_wide(frame, coders=list(frame.columns))",
        )
    return items


def _alone(looked: Mapping[Any, _Looked]) -> set[Any]:
    """Return the columns that share no label with another column."""
    uses: dict[Any, int] = {}
    for one in looked.values():
        for label in one.labels:
            uses[label] = uses.get(label, 0) + 1
    return {
        name
        for name, one in looked.items()
        if one.labels and all(uses[label] == 1 for label in one.labels)
    }


def _doubts(
    looked: Mapping[Any, _Looked], alone: set[Any], items: Any = None
) -> dict[Any, tuple[str, bool]]:
    """Return the columns that may not be coders: the reason, and whether it is certain."""
    found = {}
    for name, one in looked.items():
        if name == items:
            continue
        others = [
            looked[other] for other in looked if other not in (name, items) and looked[other].given
        ]
        doubt = None
        if name in alone or (one.numbers and one.all_different):
            doubt = _no_coder(one, others, name in alone)
        if doubt is None and _beyond(one, others):
            doubt = "goes beyond the numbers of all others, as frequencies do", False
        if doubt is not None:
            found[name] = doubt
    return found


def _point_out(name: Any, doubt: tuple[str, bool], as_items: str, else_: str) -> None:
    """Warn that a column may not be a coder, or raise an error if that is certain."""
    reason, certain = doubt
    error = InputError(
        f"column {name!r} {reason}",
        (
            f"is it a coder? If it names the items, {as_items}; if it says how often each row "
            "occurred, pass it as ",
            Argument("weights"),
            f"; if it is neither, {else_} takes all columns for coders",
        ),
    )
    if certain:
        raise error
    hint(str(error), ShapeHint)


def _hint_at_name(name: Any, n_columns: int) -> None:
    """Warn of a column beside two or more coders whose name suggests another role."""
    if not isinstance(name, str) or n_columns <= 2:
        return
    role = "gold" if names_answer_key(name) else role_of_name(name)
    if role in BESIDE:
        hint(
            f"column {name!r} was read as a coder, but its name suggests {BESIDE[role]}: "
            "pass only the coders' columns, or pass coders=list(frame.columns) to "
            "Annotations.from_wide",
            ShapeHint,
        )


def _named_items(
    columns: Mapping[Any, Any], looked: Mapping[Any, _Looked], alone: set[Any]
) -> str | None:
    """Return a column with a usual name of items whose values all differ while others repeat."""
    for name in usual_columns("item", [name for name in columns if isinstance(name, str)]):
        rest = [one for other, one in looked.items() if other != name and one.given]
        if not looked[name].all_different or all(one.all_different for one in rest):
            continue
        trusted = usual_columns("item", [name, "item"]) == [name, "item"] or name.lower() == "id"
        sure = trusted or name in alone or looked[name].rows >= ENOUGH
        if sure and _n_different(columns[name]) == _length(columns[name]):
            return name
    return None


def _refuse_crosstab(table: Any, columns: Mapping[Any, Any]) -> None:
    """Refuse a frame whose rows have the names of its columns: it is a contingency table."""
    index = frames.index(table)
    if index is None or frames.only_counts(index) or len(index) != len(columns) or len(index) < 2:
        return
    if list(index) == list(columns):
        raise InputError(
            "the rows of the frame have the names of its columns, as in a contingency table of two "
            "coders",
            "write Annotations.from_contingency(frame)",
        )


def _no_coder(one: _Looked, others: Sequence[_Looked], alone: bool) -> tuple[str, bool] | None:
    """Return why a column may not be a coder, and whether that is certain."""
    if not others or not one.labels or one.fractions:
        return None
    theirs = frozenset[Hashable]().union(*(other.labels for other in others))
    share_labels = len(theirs) < sum(len(other.labels) for other in others)
    if not share_labels and len(others) > 1:
        return None
    if any(2 * len(other.labels) > other.given and other.given >= ENOUGH for other in others):
        return None  # open answers, or a fine scale: labels seldom repeat
    certain = len(others) > 1
    scale = [label for label in theirs if isinstance(label, int | float)]
    if one.numbers and not scale:
        if len(others) > 1 or one.all_different:
            return "holds numbers, and the others texts", certain or one.rows >= ENOUGH
        return None
    if one.numbers:
        if not one.all_different or len(one.labels) < 6 or 2 * len(theirs) > one.rows:
            return None
        low, high = min(one.labels), max(one.labels)
        runs = high - low + 1 == len(one.labels)
        beyond = [x for x in one.labels if not min(scale) <= x <= max(scale)] if alone else []
        if runs or 2 * len(beyond) > len(one.labels):
            return "holds another number in each row, as names of items do", one.rows >= ENOUGH
        return None
    texts = all(isinstance(label, str) for label in one.labels)
    if alone and texts and one.given >= 5 and 2 * len(one.labels) > one.given:
        text = "holds texts of its own, almost all of them different"
        return text, certain and one.given >= ENOUGH
    return None


def _beyond(one: _Looked, others: Sequence[_Looked]) -> bool:
    """Return whether numbers lie beyond a scale that all other columns share, as frequencies do."""
    if len(others) < 2 or not one.numbers or one.fractions:
        return False
    theirs = frozenset[Any]().union(*(other.labels for other in others))
    if not (one.labels and theirs):
        return False  # only empty cells were inspected
    if not all(isinstance(label, int | float) for label in theirs):
        return False
    highest = max(theirs)
    beyond = sum(label > highest for label in one.labels)
    far = highest <= SCALE < max(one.labels)
    return bool(far and beyond >= 3 and 2 * beyond >= len(one.labels))


# ---------------------------------------------------------------------- tables without names


def check_values(values: Any, shape: tuple[int, int], names: Sequence[Any] | None = None) -> None:
    """Look for judgments, counts and contingency tables that were passed as items × coders.

    Parameters
    ----------
    values : array of shape (N, C), list of N · C labels row by row, or Dictionary
        The labels.
    shape : tuple of int
        The numbers of rows and columns, (N, C).
    names : sequence of C names, optional

    Raises
    ------
    ValueError
        If rows are judgments.

    Warns
    -----
    ShapeHint
        If rows may be judgments or counts.
    """
    if isinstance(values, Dictionary):
        codes = values.codes
        if codes.dtype != np.int32 or not codes.flags.c_contiguous:
            codes = np.ascontiguousarray(codes[: _looks.ROWS], np.int32)
        doubts = _looks.at_labels(codes, values.labels, shape[0])
        if names is not None:
            doubts &= ~_looks.SUMS
    elif isinstance(values, list):  # of sets
        doubts = _looks.PAIRS if shape[1] == 3 else 0
        if shape[0] >= _looks.FEWEST and shape[1] > 1:
            doubts |= _looks.COLUMNS
    elif values.dtype.char in NUMBERS:
        doubts = _looks.at_numbers(values, shape[0])
    elif values.dtype.kind in "bf":
        doubts = _looks.at_numbers(values[: _looks.ROWS].astype(np.float64), shape[0])
    else:
        try:
            raw, found = labels.encode(values[: _looks.ROWS], None, None, str)
        except TypeError:  # reading the table will refuse it, and name the place
            return
        head = np.ascontiguousarray(raw.codes(len(found)), np.int32)
        doubts = _looks.at_labels(head, list(found), shape[0])
    if not doubts:
        return
    if doubts & _looks.PAIRS:
        _check_triples(values, shape[0], names)
    if doubts & _looks.COLUMNS and names is None:
        _check_columns(values, shape)
    counts = _as_counts(values, shape) if doubts & _looks.SUMS else None
    if counts is None:
        return
    if shape[0] == shape[1] and _may_be_contingency(counts):
        hint(
            f"{_size(shape)} of numbers looks like a contingency table of two coders, and was read "
            "as labels of items × coders: write Annotations.from_contingency(table) if it is one, "
            "Annotations.from_wide(table, coders=range(table_columns)) if not".replace(
                "table_columns", str(shape[1])
            ),
            ShapeHint,
        )
    elif _may_be_counts(counts):
        hint(
            f"the rows of the table add to {_usual_sum(counts)}, as counts of categories do, and "
            "were read as labels of items × coders: write Annotations.from_counts(table) if they "
            f"are counts, Annotations.from_wide(table, coders=range({shape[1]})) if not",
            ShapeHint,
        )


def _size(shape: tuple[int, int]) -> str:
    return f"the table of {shape[0]} × {shape[1]}"


def _column(values: Any, which: int, width: int, rows: int) -> Any:
    if isinstance(values, list):
        return values[which : rows * width : width]
    if isinstance(values, Dictionary):
        return Dictionary(values.codes[:rows, which], values.labels, False)
    return values[:rows, which]


def _check_columns(values: Any, shape: tuple[int, int]) -> None:
    """Look for columns that are not coders, if the first rows raise a doubt."""
    width = shape[1]
    rows = max(min(ROWS, CELLS // width), 2 * ENOUGH)
    looked = {which: _look(_column(values, which, width, rows)) for which in range(width)}
    for which, doubt in _doubts(looked, _alone(looked)).items():
        rest = "table[:, 1:]" if which == 0 else f"np.delete(table, {which}, axis=1)"
        _point_out(
            which,
            doubt,
            f"write Annotations.from_wide({rest}, items=table[:, {which}])",
            f"pass only the coders' columns; Annotations.from_wide(table, coders=range({width}))",
        )


def _check_triples(values: Any, n_rows: int, names: Sequence[Any] | None) -> None:
    """Detect judgments: two of three columns repeat a lot, but their pairs almost never do."""
    for rows in (ROWS, 1 << 16):
        columns = [_column(values, which, 3, rows) for which in range(3)]
        found = {pair: _evidence(*(columns[i] for i in pair)) for pair in PAIRS}
        if all(evidence < 0 for evidence in found.values()):
            return
        if rows >= n_rows:
            break
    looked = [_look(column, rows) for column in columns]
    for pair in PAIRS:
        if any(looked[i].fractions for i in pair):
            found[pair] = -1.0
    (first, second), evidence = max(found.items(), key=lambda one: one[1])
    apart = len(frozenset().union(*(one.labels for one in looked))) == sum(
        len(one.labels) for one in looked
    )
    certain = evidence >= CERTAINTY or (apart and evidence > 0.5 and n_rows >= 4)
    if not certain and evidence < DOUBT:
        return
    coder, item = sorted((first, second), key=lambda which: len(looked[which].labels))
    label = 3 - first - second
    if names is not None:
        line = (
            f"Annotations.from_frame(frame, item={names[item]!r}, coder={names[coder]!r}, "
            f"label={names[label]!r})"
        )
    elif (coder, item, label) == (0, 1, 2):
        line = "Annotations.from_triples(triples)"
    else:
        order = {item: "items", coder: "coders", label: "labels"}
        unpacked = ", ".join(order[i] for i in range(3))
        line = f"{unpacked} = zip(*rows); Annotations.from_long(items, coders, labels)"
    keep = f"Annotations.from_wide(table, coders={list(names) if names else [0, 1, 2]})"
    error = InputError(
        "the rows look like one judgment each (an item, a coder, a label), not like the labels "
        f"of three coders, because columns {first} and {second} almost never repeat a pair",
        f"write {line}; {keep} takes the columns for coders",
    )
    if certain:
        raise error
    hint(str(error), ShapeHint)


def _codes(column: Any) -> Array:
    if isinstance(column, Dictionary):
        return column.codes
    if isinstance(column, np.ndarray) and column.dtype.kind in "biuf":
        return labels.number_values(column)[0]
    if isinstance(column, np.ndarray) and column.dtype.kind in "SU":
        return encode_ids(column, "label")[0]
    known: dict[Any, int] = {}
    listed = column.tolist() if isinstance(column, np.ndarray) else column
    return np.array([known.setdefault(_hashable(label), len(known)) for label in listed], np.int64)


def _hashable(label: Any) -> Hashable:
    try:
        label = labels.freeze(label)
    except TypeError:  # reading the table will refuse it
        return repr(label)
    return label if isinstance(label, Hashable) else repr(label)


def _evidence(first: Any, second: Any) -> float:
    """Return x such that chance explains the few repeated pairs of two columns with e^-x.

    Negative if they repeat about as often as by chance (Chernoff's bound for a Poisson variable).
    """
    one, other = _codes(first).astype(np.int64), _codes(second).astype(np.int64)
    pairs = one * (int(other.max(initial=0)) + 2) + other
    expected = _ties(one) * _ties(other) / max(math.comb(len(pairs), 2), 1)
    seen = _ties(pairs)
    if not seen:
        return expected
    if seen > expected / 10:
        return -1.0
    return expected - seen + seen * math.log(seen / expected)


def _ties(codes: Array) -> int:
    """Return the number of pairs of rows with the same value."""
    counts = np.bincount(group_equal(codes)[0])
    return int((counts * (counts - 1) // 2).sum())


def _as_counts(values: Any, shape: tuple[int, int]) -> Array | None:
    """Return the first rows of a table of whole numbers from 0; None for any other table."""
    rows = 10 * ROWS
    if isinstance(values, Dictionary):
        codes = values.codes[:rows]
        known = [x if type(x) is int and 0 <= x < 2**40 else -1 for x in values.labels]
        table = np.array([*known, -1], np.float64)[codes]
    elif values.dtype.kind in "iuf":
        table = values[:rows].astype(np.float64)
    else:
        return None
    if not ((table >= 0) & (table == np.floor(table)) & (table < 2**40)).all():
        return None
    sums = np.unique(table.sum(1), return_counts=True)[1]
    return table if shape[0] == shape[1] or sums.max() >= 0.75 * len(table) else None


def _usual_sum(table: Array) -> int:
    sums, counts = np.unique(table.sum(1), return_counts=True)
    return int(sums[counts.argmax()])


def _may_be_counts(table: Array) -> bool:
    """Return whether (nearly) all rows have one sum of 2 or more, which is unlikely for labels.

    The most frequent row is left out: coders who agree on one category repeat it, too.
    """
    every, shares = np.unique(table.sum(1), return_counts=True)
    if every[shares.argmax()] < 2 or shares.max() < 0.95 * len(table):
        return False
    # Compare one number for each row: sorting rows themselves takes ten times as long.
    with np.errstate(over="ignore"):
        powers = MIXED ** np.arange(table.shape[1], dtype=np.uint64)
        _, first, counts = np.unique(
            (table.astype(np.uint64) * powers).sum(1), return_index=True, return_counts=True
        )
    found = table[first]
    rows = np.delete(found, counts.argmax(), axis=0)
    often = np.delete(counts, counts.argmax())
    if not len(rows):
        return False
    sums, place = np.unique(rows.sum(1), return_inverse=True)
    share = np.bincount(place, often)
    usual = float(sums[share.argmax()])
    if usual < 2 or found[counts.argmax()].sum() != usual or share.max() < 0.95 * often.sum():
        return False
    spread = math.sqrt(2 * math.pi * (float(table.var(0).sum()) + 1 / 12))
    return float(share.max()) * math.log(max(spread, 1.0)) >= DOUBT


def _may_be_contingency(table: Array) -> bool:
    """Return whether a square table holds enough items, most of them on its diagonal."""
    diagonal = np.diagonal(table)
    rest = table.copy()
    np.fill_diagonal(rest, -1)
    heavy = (diagonal > rest.max(0)).all() and (diagonal > rest.max(1)).all()
    total = float(table.sum())
    return bool(heavy and total >= ITEMS_PER_CATEGORY * len(table) and diagonal.sum() > total / 2)
