"""Decide what a table is: which layout it has, and which column is what.

What is certain is taken, what is in doubt is refused with what to write, and what the caller names
is never overruled.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, TypedDict

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, Sentence, ShapeHint, either, hint, say
from agreement_fast.options import Duplicates, Label, Layout, Names, PerItem
from agreement_fast.present.terminal import escape
from agreement_fast.reading.recognition.arithmetic import (
    are_counted_numbers,
    are_counted_pairs,
    are_counts,
    are_counts_without_zeros,
    are_no_triples,
    are_shares,
    are_square_shares,
    begin_again,
    below_columns,
    few_with_one_sum,
    is_name_of_sums,
    may_be_square_counts,
    numbers_name_rows,
    order_of_triples,
    ties,
    whole_numbers,
)
from agreement_fast.reading.recognition.columns import (
    APART,
    BEYOND,
    COUNTS_ROWS,
    DESCRIPTIONS,
    EXTREMES,
    UNLIKE,
    Verdict,
    codes_of_one,
    constants,
    judge,
    rows_agree,
    two_codings,
    without_common,
)
from agreement_fast.reading.recognition.headers import without_name
from agreement_fast.reading.recognition.labels import coder_notes, name_notes, separator_of_sets
from agreement_fast.reading.recognition.names import (
    asks,
    leaves_out,
    name_criteria,
    names_answer_key,
    names_criterion,
    names_people,
    number_what_is_judged,
    odd_names,
    opposite_labels,
    role_of_name,
    says_how_often,
    usual_columns,
)
from agreement_fast.reading.recognition.names import looks_like_model as looks_like_model
from agreement_fast.reading.recognition.names import names_a as names_a
from agreement_fast.reading.recognition.profile import LONGER, Column, Table, occurrences
from agreement_fast.reading.recognition.rows import NO_WORDS
from agreement_fast.reading.recognition.wording import LISTED, PYTHON, Wording

ROLES = ("item", "coder", "label")
#: A long table has fewer items than this share of its rows, unless most items were judged once.
REPEATED = 0.8
#: With this many rows, labels that are all different do not show items by accident.
FEWEST_ITEMS = 3
#: The roles of names such as "gold", "verdict" and "majority", and what these are beside coders.
_RESULTS = frozenset({"gold", "result", "total"})
_OF_GOLD = "of gold labels or of a result, not of a coder"
#: Coders agree on labels by this many standard deviations more often than chance.
AGREED = 4
#: Agreement of columns, corrected for chance, below which they are no coders who agree; and fewest
#: items that show it.
LEAST, FEWEST_CODED = 0.1, 10
#: Labels that occur once make up the first row by chance in this share of tables.
BY_CHANCE = 0.004
#: Names of columns of what may number its items from 1 again.
_PARTS = re.compile(
    r"((?P<document>doc(ument)?|dokument|essay|transcript|interview|conversation|dialog(ue)?"
    r"|thread|speech|article|paper|abstract|book|story|chapter|kapitel|section|scene|page|video"
    r"|patient|case|project|corpus|data[ _]?set)|batch|file|folder|recording|session|part|source"
    r"|day|week|round|wave|hit|set)"
    r"([\W_]?(id|name|nr|no))?",
    re.IGNORECASE,
)
#: Names of columns of what coders are.
_TRAITS = frozenset({"gender", "sex", "age", "experience", "expertise", "education", "nationality"})
#: What divides the name of a column, and the name of a coder with a number or a letter.
_CUT = re.compile(r"[_.\s:/|()\[\]-]+|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=[a-z])(?=[A-Z])")
_CODER = re.compile(r"([^\W\d_]+)[\W_]*(\d+[a-z]?|[a-z])", re.IGNORECASE)
#: Names of columns that have none: their places.
_NUMBERED = re.compile(r"(column_?)?\d+")


class ReadingOptions(TypedDict, total=False):
    """How a table of judgments is read, at every function that takes one; see `agreement`."""

    item: Names | None
    coder: Names | None
    label: str | None
    layout: Layout | None
    missing: Names | None
    categories: Iterable[Label] | None
    weights: PerItem | None
    duplicates: Duplicates


class Named(NamedTuple):
    """What the caller named."""

    #: Columns.
    item: Any = None
    #: The column of coders, or the columns of the coders.
    coder: Any = None
    label: Any = None
    layout: str | None = None
    #: Columns with other roles, such as weights and groups.
    taken: tuple[Any, ...] = ()
    #: What stands between the elements of labels that are sets.
    separator: str | None = None


class Recognised(NamedTuple):
    """What a table is."""

    #: {"long", "wide", "counts", "contingency"}.
    layout: str
    #: Columns; coder and label of the long layout only.
    item: Any = None
    coder: Any = None
    label: Any = None
    #: The columns of the coders, or of the categories that are counted.
    coders: tuple[Any, ...] = ()
    #: What was not named: the keyword, its value, and from what it was guessed.
    guessed: tuple[tuple[str, Any, str], ...] = ()
    #: Columns that have no role though the caller named those of coders, and why.
    left_out: tuple[tuple[Any, str], ...] = ()
    #: What is taken but may be meant otherwise.
    doubts: tuple[str, ...] = ()


# ---------------------------------------------------------------------- one judgment per row


def recognise_long(table: Table, named: Named, words: Wording) -> Recognised | None:
    """Return the columns of a table of one judgment per row; None if it is something else.

    Raises InputError if a table looks like one but its columns are not certain.
    """
    roles = usual_roles(table.names, named)
    several = isinstance(named.coder, tuple)
    if named == Named(taken=named.taken):
        refuse_spans(table.names, roles, words)
    must = not several and (
        named.layout == "long" or named.coder is not None or named.label is not None
    )
    if several or not (must or (roles["coder"] and (roles["item"] or roles["label"]))):
        return None
    guessed = tuple(
        (role, names[0], "its name")
        for role, names in roles.items()
        if getattr(named, role) is None and names
    )
    items, coders, labels = roles.values()
    if len(coders) > 1 and len(items) == len(labels) == 1 and _occurs_again(table, items[0]):
        raise InputError(
            f"column {' or '.join(map(_show, coders))} could be the coder",
            ("pass ", Argument("coder", *coders)),
        )
    if all(len(names) == 1 for names in roles.values()):
        item, coder, label = (names[0] for names in roles.values())
        if not (must or _repeats(table, item, coder, label)):
            raise InputError(
                f"the columns {_listed([item, coder, label])} have the names of one judgment per "
                "row, but (almost) no item was judged twice",
                (words.long(roles), "; else ", words.wide(item, None, (coder, label), ())),
            )
        refuse_merged(table, (item, coder), words)
        doubts: tuple[str, ...] = ()
        if named.item is None:
            doubts = restarted(table, item, coder, label, named.taken, words)
        if named.label is None:
            refuse_others(table, item, coder, label, named.taken, words)
        return Recognised("long", item, coder, label, guessed=guessed, doubts=doubts)
    if not (must or _looks_long(table, roles)):
        return None
    free = [
        name for name in table.names
        if name not in named.taken and not any(name in names for names in roles.values())
    ]  # fmt: skip
    unknown = [role for role, names in roles.items() if not names]
    if len(unknown) == 1 and len(free) == 1:
        roles = {**roles, unknown[0]: free}
    raise InputError(
        f"the columns {_listed(table.names)} look like one judgment per row, but their roles are "
        "not certain",
        words.long(roles),
    )


def refuse_others(
    table: Table, item: Any, coder: Any, label: Any, taken: Collection[Any] = (),
    words: Wording = PYTHON,
) -> None:  # fmt: skip
    """Refuse labels whose column was guessed if others show that they may not be what counts.

    The guess may describe the items, or be one of several labels; other columns may say how often
    judgments occurred, or which of them do not count. `taken`: columns with other roles.
    """
    others = [
        name for name in table.names
        if name not in (item, coder, label, *taken) and table[name].filled
    ]  # fmt: skip
    if not others or table[label].distinct < 2:
        return
    criterion = names_criterion(label)
    likely = [
        name for name in others
        if names_a("label", name) or (criterion and _may_be_labels(table[name]))
    ]  # fmt: skip
    for of, what in ((item, "item"), (coder, "coder")) if criterion else ((item, "item"),):
        varying = [name for name in likely if _within(table, of, name)[1]]
        n_several, vary = _within(table, of, label) if varying else (0, True)
        if varying and n_several >= (FEWEST_ITEMS if of == item else 2) and not vary:
            _refuse_label(
                f"column {_show(label)} has one value for each {what}, as what describes the "
                f"{what} has, and the labels of {_listed(varying)} vary",
                item, coder, (*varying, label), words,
            )  # fmt: skip
    also = [name for name in others if _are_labels(table, item, coder, label, name)]
    if also:
        _refuse_label(
            f"columns {_listed([label, *also])} differ within items and within coders, as "
            "labels do",
            item, coder, (label, *also), words,
        )  # fmt: skip
    roles = {"item": [item], "coder": [coder], "label": [label]}
    for name in others:
        own = _asks_another_question(table, item, coder, label, name)
        several = asks(name) and _within(table, item, name)[1]
        if own or (several and len(_met(table, item, coder)) == len(table[item].codes)):
            what = "has coders and labels of its own" if own else "is one of several of an item"
            raise InputError(
                f"each value of column {_show(name)}, such as {table[name].values[0]!r}, {what}, "
                "as different questions " + ("have" if own else "are"),
                words.without(name, table[name].values[0], ("label", label), "all of them"),
                argument="label",
            )
        refuse_void(table, name, ("label", label), words)
        numbers = table[name].numbers and not table[name].all_different
        if says_how_often(name) and numbers and {*table[name].values} != {1}:
            raise InputError(
                f"column {_show(name)} may say how often each row occurred",
                (
                    words.long({**roles, "weights": [name]}),
                    " if it is how often each item occurred; repeat the rows if judgments of an "
                    "item occurred so often; else ",
                    words.long(roles),
                ),
                argument="label",
            )


def refuse_void(table: Table, name: Any, kept: tuple[str, Any], words: Wording) -> None:
    """Refuse rows that may not count, as a column says; naming `kept` counts them."""
    value = next((x for x in table[name].values if leaves_out(name, x)), None)
    if value is not None and (table[name].distinct > 1 or not table[name].complete):
        often = table[name].counts[table[name].values.index(value)]
        value = int(value) if isinstance(value, float) else value
        raise InputError(
            f"{often:,} judgments have {value!r} in column {_show(name)}, and may not count",
            words.without(name, value, kept, "all of them"),
            argument=kept[0],
        )


def _refuse_label(
    problem: str, item: Any, coder: Any, labels: Sequence[Any], words: Wording
) -> None:
    """Refuse to choose among columns of labels."""
    ways = [words.long({"item": [item], "coder": [coder], "label": [name]}) for name in labels]
    raise InputError(
        problem, tuple(part for way in ways for part in (", or ", way))[1:], argument="label"
    )


def _may_be_labels(column: Column) -> bool:
    """Return whether a column has few values that repeat, and a name without another role."""
    few = 1 < column.distinct <= column.filled / 2 and not column.nested
    return few and isinstance(column.name, str) and role_of_name(column.name) is None


def _are_labels(table: Table, item: Any, coder: Any, label: Any, name: Any) -> bool:
    """Return whether a column holds other labels of the same judgments.

    Few values that differ within items and within coders, and are no other names of the labels. If
    its name is no usual one, coders must agree on them more than chance explains.
    """
    column, usual = table[name], names_a("label", name) or name_criteria([name, label])
    if not usual and (not isinstance(name, str) or role_of_name(name) or says_how_often(name)):
        return False
    if column.nested or column.distinct < 2 or 2 * column.distinct > column.filled:
        return False
    if not all(_within(table, of, name)[1] for of in (item, coder, label)):
        return False
    items, values = (table[of].codes.astype(np.int64) for of in (item, name))
    both = (items >= 0) & (values >= 0)
    n_pairs = ties(items[both])
    alike = ties(items[both] * (column.distinct + 1) + values[both])
    share = float(((column.counts / column.filled) ** 2).sum())
    return usual or alike > n_pairs * share + AGREED * math.sqrt(n_pairs * share * (1 - share))


def _asks_another_question(table: Table, item: Any, coder: Any, label: Any, name: Any) -> bool:
    """Return whether each value of a column has coders and labels of its own, of shared items."""
    values = table[name]
    if not 1 < values.distinct <= table[label].distinct // 2:
        return False
    if len(_met(table, name, item)) == table[item].distinct or not all(
        len(_met(table, name, of)) == table[of].distinct for of in (coder, label)
    ):
        return False
    # If labels are many, coders of one question may have none in common, too.
    part_of_label = {of: part for part, of in _met(table, name, label)}
    n_coders = Counter(of for of, _ in _met(table, label, coder))
    return len({part_of_label[of] for of, n in n_coders.items() if n > 1}) == values.distinct


def _met(table: Table, name: Any, of: Any) -> set[tuple[int, int]]:
    """Return which values of two columns stand in one row, by their places."""
    return {*zip(table[name].codes.tolist(), table[of].codes.tolist(), strict=True)}


def _within(table: Table, item: Any, name: Any) -> tuple[int, bool]:
    """Return how many items have several values in a column, and whether these differ."""
    items, values = (table.longer(of).codes.astype(np.int64) for of in (item, name))
    both = (items >= 0) & (values >= 0)
    often = np.bincount(items[both])
    pairs = np.unique(items[both] * (int(values.max(initial=0)) + 1) + values[both])
    return int((often > 1).sum()), len(pairs) > int(np.count_nonzero(often))


#: The columns of the ends of a unit.
ENDS = ("start", "end")


def unit_columns(names: Iterable[Any]) -> dict[str, str]:
    """Return the columns of units, one a row, that have usual names, by role."""
    texts = [name for name in names if isinstance(name, str)]
    return columns_by_name(("coder", *ENDS, "category", "document"), texts, ())[0]


def doubt_one_document(
    table: Table, names: Iterable[Any], roles: Mapping[str, Any], write: Callable[[Any], str]
) -> str | None:
    """Say which unused columns may name the documents of units that are read as one document.

    They have few values, in all rows, which differ within coders and within categories. `write`
    names such a column as the one of documents.
    """
    known = [roles[role] for role in ("coder", "category") if roles.get(role) is not None]
    names = list(names)
    usual = unit_columns(names)
    others = {name for role, name in usual.items() if role != "document"}
    likely = [
        name
        for name in names
        if name not in others
        and 1 < table[name].distinct <= table[name].filled / 2
        and table[name].filled == table[name].rows
        and not (table[name].nested or table[name].fractional)
        and all(_within(table, of, name)[1] for of in known)
    ]
    if not likely:
        return None
    return (
        f"all units are in one document; columns that vary and are not used: {_listed(likely)}; "
        f"if one names documents, pass {either([write(name) for name in likely[:LISTED]])}"
    )


def refuse_spans(names: Sequence[Any], roles: Mapping[str, Sequence[Any]], words: Wording) -> None:
    """Refuse a table of units: with starts and ends, and no other item than a document."""
    known = unit_columns(names)
    if {"coder", "start", "end"} <= known.keys() and {*roles["item"]} <= {known.get("document")}:
        raise InputError(
            f"the columns {_listed([known['start'], known['end']])} seem to be where units start "
            "and end",
            (words.spans(known), "; else ", words.long({"item": roles["item"]})),
        )


def usual_roles(names: Sequence[Any], named: Named) -> dict[str, list[Any]]:
    """Return the columns that a role may have: the named one, else those with a usual name."""
    roles: dict[str, list[Any]] = {}
    for role in ROLES:
        name = getattr(named, role)
        if name is not None and not isinstance(name, tuple):
            roles[role] = [name]
    for role in ROLES:
        if role not in roles:
            taken = {*named.taken, *(name for names in roles.values() for name in names)}
            free = [name for name in names if isinstance(name, str) and name not in taken]
            roles[role] = usual_columns(role, free)
    return {role: roles[role] for role in ROLES}


def columns_by_name(
    roles: Iterable[str], columns: Sequence[str], taken: Iterable[str], last: Collection[str] = ()
) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Choose the one column with a usual name for each role, if there is one.

    `roles`: in their order: a column has one role. `taken`: columns that have a role. `last`:
    columns that are only taken if no other has a usual name. Returns the column of each role that
    has one, and the columns of the first role that several could have; no role after it is looked
    at.
    """
    chosen: dict[str, str] = {}
    for role in roles:
        known = {*taken, *chosen.values()}
        matches = usual_columns(role, [name for name in columns if name not in known])
        matches = [name for name in matches if name not in last] or matches
        if len(matches) > 1:
            return chosen, {role: matches}
        if matches:
            chosen[role] = matches[0]
    return chosen, {}


def columns_of_gold(
    columns: Sequence[Any], own: Sequence[Any] | None = None, item: Any = None, label: Any = None
) -> tuple[Any, Any]:
    """Find the columns of the items and of the right labels in a table of right labels.

    `own`: those of them that hold values and are no index; by default all. `item`: the column of
    the items, if it is known. `label`: the column that holds labels elsewhere. Each is None if it
    is unclear.
    """
    own = columns if own is None else own
    if item is None and len(columns) == 2 and len(own) == 1:
        item = next(name for name in columns if name not in own)
    texts = [name for name in columns if isinstance(name, str)]
    items = usual_columns("item", texts) if item is None else [item]
    rest = [name for name in own if name not in items]
    gold = [name for name in rest if role_of_name(str(name)) == "gold"]
    texts = [name for name in rest if isinstance(name, str)]
    usual = [label] if label in rest else usual_columns("label", texts)
    labels = next((candidates for candidates in (gold, usual, rest) if len(candidates) == 1), [])
    if len(columns) == 2 and not items and labels:
        items = [name for name in columns if name not in labels]
    return items[0] if len(items) == 1 else None, labels[0] if labels else None


def roles_by_name(columns: Iterable[str], **named: Any) -> dict[str, Any]:
    """Return the columns of item, coder and label; those not named are found by usual names.

    Raises InputError if no column or several have a usual name.
    """
    left = [name for name in columns if name not in named.values()]
    for role, name in named.items():
        likely = [name] if name is not None else usual_columns(role, left)
        if len(likely) != 1:
            what = f"{' or '.join(map(repr, likely))} could be" if likely else "none is known as"
            raise InputError(
                f"the columns are {', '.join(map(repr, left))}, and {what} the {role}",
                ("pass ", Argument(role, *likely)) if likely else ("name it by ", Argument(role)),
                argument=role,
            )
        named[role] = likely[0]
    return named


def doubt_orientation(n_rows: int, n_columns: int) -> str | None:
    """Return the doubt about a table with more columns than rows, which nobody named."""
    if not n_columns > n_rows > 0:
        return None
    return (
        f"the table has {n_rows} rows (items) and {n_columns} columns (coders); if the rows are "
        "coders, transpose it"
    )


def hint_at_orientation(n_rows: int, n_columns: int) -> None:
    """Warn of a table in memory with more columns than rows, which nobody named."""
    orientation = doubt_orientation(n_rows, n_columns)
    if orientation is not None:
        hint(
            f"{orientation}; af.Annotations.from_wide(table, coders=[...]) says that they are",
            ShapeHint,
        )


def hint_at_doubts(doubts: Iterable[str]) -> None:
    """Warn of what a table in memory is taken for."""
    for doubt in doubts:
        hint(doubt, ShapeHint)


def no_coders(names: Iterable[Any]) -> list[str]:
    """Return the names of coders that are those of gold labels or results, beside two others.

    Examples
    --------
    >>> no_coders(["ann", "bob", "gold"]), no_coders(["gold", "model"])
    (['gold'], [])
    """
    listed = list(names)
    odd = [name for name in listed if isinstance(name, str) and role_of_name(name) in _RESULTS]
    return odd if len(listed) - len(odd) > 1 else []


def refuse_gold(names: Iterable[Any], column: str, words: Wording) -> None:
    """Refuse coders of a guessed column who have the names of gold labels or results."""
    for name in no_coders(names):
        raise InputError(
            f"coder {_show(name)} of column {_show(column)} has the name {_OF_GOLD}",
            words.without(column, name, ("coder", column), "it as a coder"),
        )


def gold_notes(names: Iterable[Any]) -> list[str]:
    """Return notes on such names among the coders of a column that the caller named."""
    return [
        f"coder {_show(name)} counts as a coder and has the name {_OF_GOLD}: if it is none, leave "
        "its judgments out"
        for name in no_coders(names)
    ]


def doubt_gold(names: Iterable[Any], guessed: str | None) -> None:
    """Refuse such names in a guessed column, and warn of them in a named one."""
    if guessed is not None:
        refuse_gold(names, guessed, PYTHON)
    for note in gold_notes(names):
        hint(note, ShapeHint)


def _apart(table: Table, coder: Any, label: Any) -> bool:
    """Return whether coders and labels have no value in common."""
    return set(table[coder].values).isdisjoint(table[label].values)


def _occurs_again(table: Table, item: Any) -> bool:
    """Return whether most items occur in several rows."""
    return table[item].distinct <= REPEATED * table.n_rows


def _repeats(table: Table, item: Any, coder: Any, label: Any) -> bool:
    """Return whether items repeat, or other values show that each row is a judgment."""
    if not table.complete:
        return True
    if _occurs_again(table, item) or _apart(table, coder, label):
        return True
    return usual_columns("coder", [coder, "coder"])[0] == coder and label in usual_columns(
        "label", [label, "label"]
    )


def _looks_long(table: Table, roles: Mapping[str, Sequence[Any]]) -> bool:
    """Return whether a column holds coders, and items repeat or labels are of another kind."""
    if len(roles["coder"]) != 1:
        return False
    if len(roles["item"]) == 1:
        return _occurs_again(table, roles["item"][0])
    return any(_apart(table, roles["coder"][0], name) for name in roles["label"])


def restarted(
    table: Table, item: Any, coder: Any, label: Any, taken: Collection[Any] = (),
    words: Wording = PYTHON,
) -> tuple[str, ...]:  # fmt: skip
    """Return doubts about items whose numbers may restart in the values of a column.

    Raises InputError if the name of the column is one of documents or batches.
    """
    doubts: list[str] = []
    for name in table.names:
        if name in (item, coder, label, *taken) or str(name).lower() in _TRAITS:
            continue
        kind = _PARTS.fullmatch(name) if isinstance(name, str) else None
        apart: Sentence = words.long({"item": [[name, item]]})
        if kind is None:
            if not doubts and _begin_again(table, item, coder, name):
                doubts.append(
                    f"the items of column {_show(item)} are numbers that begin again in each value "
                    f"of column {_show(name)}, whose coders are others: if they are different "
                    f"items, {say(apart)}; if not, {say(words.long({'item': [item]}))}"
                )
            continue
        refuse_merged(table, (name,), words)
        parts = table[name]
        shared = len(_met(table, name, item)) > table[item].distinct
        # A file may be that of a coder, and coders may judge the same items in several rounds.
        n_coders = Counter(part for part, _ in _met(table, name, coder))
        alone = len(_met(table, item, coder)) == len(table[item].codes)
        certain = kind["document"] is not None or (alone and 1 not in n_coders.values())
        if parts.distinct > 1 and shared and certain:
            raise InputError(
                f"the items of column {_show(item)} occur in several values of column "
                f"{_show(name)}, so their numbers may restart there",
                (apart, *(("; else ", words.long({"item": [item]})) if alone else ())),
            )
    return tuple(doubts)


def _begin_again(table: Table, item: Any, coder: Any, name: Any) -> bool:
    """Return whether numbers of items begin again in each value of a column; see `begin_again`."""
    if not (table[item].whole and table[item].low in (0, 1)) or table[name].nested:
        return False
    items, coders, parts = (table.longer(of) for of in (item, coder, name))
    return begin_again(items.floats, coders.codes, parts.codes)


def refuse_merged(table: Table, names: Iterable[Any], words: Wording) -> None:
    """Refuse columns whose values stand once each, the first on top, above empty cells."""
    for name in names:
        column, remedy = table[name], words.filled(name)
        if remedy is None or not column.all_different or column.codes[0] < 0:
            continue
        if 2 * column.filled <= column.rows:
            raise InputError(
                f"column {_show(name)} is empty below each of its values, as merged cells are",
                remedy,
            )


def with_part(
    error: ValueError, table: Table, item: Any, coder: Any, label: Any, taken: Collection[Any] = ()
) -> ValueError:
    """Add to the error of repeated judgments which column may tell apart items of the same name.

    Together with the items it leaves no judgment repeated, and items of several judgments. `taken`:
    columns with other roles.
    """
    if not isinstance(error, InputError) or error.argument != "duplicates":
        return error
    part = part_of(table, item, coder, (label, *taken))
    return error if part is None else naming_part(error, part, item)


def naming_part(error: InputError, part: Any, item: Any) -> InputError:
    """Add to an error that a column may tell apart items of the same name."""
    apart = Argument("item", [part, item])
    return error.with_first(("if column ", _show(part), " tells items apart, pass ", apart))


def part_of(table: Table, item: Any, coder: Any, taken: Collection[Any]) -> Any:
    """Return the column that tells apart repeated judgments of items of the same name, or None."""
    items, coders = (table.longer(name).codes for name in (item, coder))
    if len(np.unique(np.column_stack([items, coders]), axis=0)) == len(items):
        return None
    for name in table.names:
        if name in (item, coder, *taken):
            continue
        keys = np.column_stack([table.longer(name).codes, items, coders])
        keys = keys[(keys >= 0).all(axis=1)]
        if len(np.unique(keys, axis=0)) == len(keys) >= 2 * len(np.unique(keys[:, :2], axis=0)) > 0:
            return name
    return None


# ---------------------------------------------------------------------- one item per row


def recognise_wide(table: Table, named: Named, words: Wording) -> Recognised:
    """Return the columns of items and coders, or of counts, if that is the named layout.

    Raises InputError if a column may not be a coder, or the table may have another layout.
    """
    names = [name for name in table.names if name not in (named.item, *named.taken)]
    if isinstance(named.coder, tuple):
        item = named.item
        free = [name for name in names if name not in named.coder and isinstance(name, str)]
        likely = usual_columns("item", free) if item is None else []
        guesses: list[tuple[str, Any, str]] = []
        if len(likely) == 1 and table[likely[0]].all_different:
            item, guesses = likely[0], [("item", likely[0], "its name")]
        return Recognised(
            named.layout or "wide",
            item,
            coders=named.coder,
            guessed=tuple(guesses),
            left_out=tuple(
                (name, "not named as a coder") for name in names if name not in (item, *named.coder)
            ),
        )
    if named.layout in ("counts", "contingency"):
        return _counts(table, names, named, words)
    _refuse_header(table, names, words)
    _refuse_lists_of_coders(table, names, words)
    _refuse_variables(table, names, named, words)
    columns = table.take(names)
    if named.separator is not None:
        columns = {name: replace(c, separator=named.separator) for name, c in columns.items()}
    verdicts = judge(columns)
    items = [verdict for verdict in verdicts if verdict.role == "item"]
    coders = [verdict.column for verdict in verdicts if verdict.role == "coder"]
    item, guesses = named.item, [("coder", tuple(coders), "their labels")]
    left = len(verdicts) - len(coders)
    sure = len(items) == 1 and isinstance(items[0].column, str)
    if left == 1 and sure and item is None and coders:
        item = items[0].column
        guesses.insert(0, ("item", item, items[0].why))
        left = 0
    if named.layout is None:
        rows = _names_of_rows(table, names) if item is None else item
        doubt = doubt_counts(table, rows, [name for name in names if name != rows])
        if doubt is not None:
            raise InputError(doubt[0], words.layouts(*doubt[1]), argument="layout")
    refuse_counted(table, names, words)
    _refuse_triples(table, names, words)
    _refuse_questions(table, item, verdicts, words)
    _refuse_last_row(table, item, coders, words)
    if named.layout is None and len(names) == 1 and opposite_labels([named.item, *names]):
        raise InputError(
            f"columns {_listed([named.item, *names])} are names of labels, and one column is left "
            "for a coder beside the items",
            words.layouts("contingency", "counts", "wide"),
            argument="layout",
        )
    if not coders and len(items) == len(verdicts):
        raise InputError(f"no coder columns: the columns are {_listed(table.names)}")
    if left or not coders:
        remedy = _remedy(verdicts, table, named, words)
        sets = _sets_apart(verdicts, table, words)
        raise InputError(
            _question(verdicts),
            remedy if sets is None else (sets, "; else ", remedy),
            argument="coder" if len(coders) > 1 or sets else None,
        )
    odd = dict.fromkeys(
        constants([table[name] for name in coders if isinstance(name, str)]),
        "holds one number only, which the others rarely do",
    )
    odd |= {v.column: APART.why.replace("it ", "") for v in verdicts if v.why == APART.why}
    odd |= odd_names(coders)
    even = [name for name in coders if isinstance(name, str) and table[name].even]
    if len(even) == 1:
        odd[even[0]] = "has each number equally often, in runs or in turn"
    doubts = [
        f"column {_show(name)} counts as a coder and {why}: if it is none, leave it out"
        for name, why in odd.items()
    ]
    if guesses[0][2] == COUNTS_ROWS and any(table[name].rising for name in coders):
        doubts.append(
            f"column {_show(item)} counts the rows, and is taken for the item, but others rise "
            "with it: if it is a coder, name the columns of the coders"
        )
    if names_people(item) and rows_agree([table[name] for name in coders]):
        doubts.append(
            f"the rows agree with each other more than the columns {_listed(coders)} do, and "
            f"column {_show(item)} may name people who judge: if they do, "
            f"{say(words.transposed(item, ()))}"
        )
    total = few_with_one_sum([table[name] for name in coders]) if named.layout is None else 0
    if total:
        doubts.append(
            f"each of the {table.n_rows} rows adds to {total}, as counts of labels do: if a number "
            f"says how often a label was given, {say(words.layouts('counts'))}"
        )
    apart = _written_apart([table[name] for name in coders]) if len(coders) == 2 else None
    doubts += [] if apart is None else [apart]
    codes = codes_of_one([table[name] for name in coders if isinstance(name, str)])
    if codes is not None:
        doubts.append(
            f"the columns {_listed(coders)} of 0 and 1 agree by chance only, and the share of 1 "
            f"differs, from {codes[0]:.0%} to {codes[1]:.0%}: if each is a code that one coder "
            "gave or not, this is no agreement; compare the tables of two coders, by column"
        )
    return Recognised(
        named.layout or "wide",
        item,
        coders=tuple(coders),
        guessed=tuple(guesses),
        doubts=tuple(doubts),
    )


def _refuse_questions(table: Table, item: Any, verdicts: Sequence[Verdict], words: Wording) -> None:
    """Refuse columns that are items, criteria or questions, not coders, by names beside them."""
    columns = [verdict.column for verdict in verdicts if verdict.role == "coder"]
    beside = [verdict for verdict in verdicts if verdict.role != "coder"]
    item = next((v.column for v in beside if v.role in ("item", "item?")), item)
    rows = next((v.column for v in beside if v.role == "coders"), item)
    others = [verdict.column for verdict in beside if verdict.column not in (item, rows)]
    as_coders = words.wide(None, None, columns, ())
    named = [name for name in others if names_a("coder", name) and not table[name].all_different]
    if len(named) == 1 and len(columns) > 1:
        beside_coders = [item] if item is not None else others
        items = [
            name for name in beside_coders if name not in named and not table[name].all_different
        ]
        judged = {"item": items, "coder": named, "label": columns[:1]}
        raise InputError(
            f"column {_show(named[0])} has the name of one of coders, so that each row may be what "
            f"a coder said, and the columns {_listed(columns)} several questions",
            (words.long(judged), f" for {_show(columns[0])}; if they are coders, ", as_coders),
            argument="coder",
        )
    if not (numbered := number_what_is_judged(columns)) and not name_criteria(columns):
        return
    transposed = words.transposed(rows, others)
    if numbered:
        raise InputError(
            f"the columns {_listed(columns)} have names of items, so that each row may be a coder",
            ("if the rows are coders, ", transposed, "; if they are items, ", as_coders),
            argument="coder",
        )
    raise InputError(
        f"the columns {_listed(columns)} have names of criteria, not of coders: agreement needs "
        "several coders of one criterion",
        (
            "pass a table of one criterion with a column for each coder; if the rows are coders, ",
            transposed, "; if the columns are, ", as_coders,
        ),
        argument="coder",
    )  # fmt: skip


def _refuse_lists_of_coders(table: Table, names: Sequence[Any], words: Wording) -> None:
    """Refuse lists of coders beside lists of their labels, by the names of the columns."""
    lists = [name for name in names if isinstance(name, str) and table[name].sets]
    coders = [name for name in lists if names_a("coder", name.removesuffix("s"))]
    labels = [name for name in lists if name not in coders]
    if len(coders) != 1 or not labels:
        return
    items = usual_columns("item", [name for name in names if isinstance(name, str)])
    lists = [coders[0], labels[0]]
    raise InputError(
        f"each row of column {_show(coders[0])} seems to list coders, and of {_listed(labels)} "
        "their labels",
        (
            f"spread them, as frame = frame.explode({lists!r}) does in pandas and polars, and ",
            words.long({"item": items, "coder": coders, "label": labels[:1]}),
        ),
        argument="coder",
    )


def _counts(table: Table, names: Sequence[Any], named: Named, words: Wording) -> Recognised:
    """Return the columns of counts; texts that all differ name the rows, and some numbers do."""
    item = named.item
    if item is None:
        item = _names_of_rows(table, names)
    if item is None and names and whole_numbers([table[names[0]]]) is not None:
        first, *others = names
        numbers = {name: table[name].floats if table[name].numbers else None for name in others}
        n_columns = table.n_rows if named.layout == "contingency" else None
        counted = numbers_name_rows(first, table[first].floats, numbers, n_columns)
        if counted is None:
            raise InputError(
                f"column {_show(first)} may name the rows or count, for its numbers differ",
                words.wide(first, None, names, ()),
            )
        item = first if counted else None
    coders = tuple(name for name in names if name != item)
    return Recognised(str(named.layout), item, coders=coders)


def _names_of_rows(table: Table, names: Sequence[Any]) -> Any:
    """Return the first column if its texts all differ, as the names of rows of counts do."""
    first = [name for name in names[:1] if not table[name].numbers and table[name].all_different]
    return first[0] if first else None


def doubt_two_coders(table: Table) -> str | None:
    """Return the doubt about the labels of two coders if they have none in common.

    Raises InputError if the first labels look like a header.
    """
    columns = [table[name] for name in table.names]
    if not all(column.filled for column in columns):
        return None
    cells = _header(columns)
    if cells:
        raise InputError(
            f"the first labels ({_listed(cells)}) look like the names of the coders, for they "
            "never occur below",
            (
                "leave them out, as with first[1:] and second[1:]; if they are labels, pass ",
                Argument("categories"),
                " with all labels",
            ),
        )
    if without_common(columns) and not table.complete:
        columns = [table.longer(name) for name in table.names]
    if columns[0].rows < table.n_rows or not without_common(columns):
        return _written_apart(columns)
    first, second = (", ".join(map(repr, column.values[:3])) for column in columns)
    return (
        f"the two coders have no label in common, such as {first} and {second}: if the labels are "
        "the same, write them alike; if they differ, pass categories=[...] with all labels"
    )


def may_be_written_apart(rows: Any) -> bool:
    """Return whether the first labels of two coders are never equal, or go with each other."""
    pairs = {*(rows if type(rows) is list else map(tuple, rows.tolist()))}
    equal = sum(a == b for a, b in pairs)
    if 0 < equal < len(pairs):
        return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})
    return not equal


def _written_apart(columns: Sequence[Column]) -> str | None:
    """Return the doubt about labels that two coders may have written differently."""
    why = two_codings(columns)
    return why and (
        f"the labels of the two coders differ, but {why}: if they mean the same, write them alike"
    )


def doubt_two_codings(first: Array, second: Array, names: Sequence[Any]) -> str | None:
    """Return the doubt about two tables whose columns agree with their namesakes alone.

    Coders of one table agree beyond chance if they agree with themselves; codes that two coders
    gave do not. `first`, `second`: labels of items × columns, objects.
    """
    width = len(names)
    if width < 3 or len(first) < FEWEST_CODED:
        return None
    often = Counter[Any]([*first.reshape(-1).tolist(), *second.reshape(-1).tolist()])
    if None in often:
        return None
    share = sum((n / often.total()) ** 2 for n in often.values())
    beside = [
        float((table[:, a] == table[:, b]).mean())
        for table in (first, second)
        for a, b in combinations(range(width), 2)
    ]
    own = (first == second).mean(axis=0).astype(float)
    if sum(beside) / len(beside) > share + LEAST * (1 - share):
        return None
    if (own <= share + 0.5 * (1 - share)).any() or own.min() <= max(beside):
        return None
    by_name = all(isinstance(name, str) for name in names)
    columns = f"[{[*names]!r}]" if by_name else ""
    column = f"{{}}[{names[0]!r}]" if by_name else "np.array({})[:, 0]"
    more = ""
    if {*often} <= {0, 1}:
        both = f"np.stack([data{columns}, other{columns}], axis=1)"
        more = f", and of all as sets af.Annotations.from_indicators({both})"
    return (
        f"the columns {_listed(names)} agree with each other by chance only, and each agrees with "
        "its namesake in the other data set: if they are codes that two coders gave, the agreement "
        f"on the first is af.kappa({column.format('data')}, {column.format('other')}){more}"
    )


def _refuse_header(table: Table, names: Sequence[Any], words: Wording) -> None:
    """Refuse columns without names whose first cells look like names.

    The second of two rows of a header may lie below columns without names.
    """
    item = next((name for name in names if isinstance(name, str) and names_a("item", name)), None)
    coders = [name for name in names if name != item]
    numbered = all(_NUMBERED.fullmatch(str(name)) for name in names)
    if len(coders) < 2 or not (numbered or without_name([*map(str, coders)])):
        return
    columns = [table[name] for name in coders]
    cells = _header(columns)
    if cells:
        if numbered and columns[0].all_different and not all(c.all_different for c in columns):
            item, *coders = names
        raise InputError(
            f"the first row ({_listed(cells)}) looks like the names of the columns, for its words "
            "never occur below",
            (
                words.below_header(cells, item, coders if numbered else cells),
                "; if it is an item, ",
                words.wide(item, None, coders, ()),
            ),
            argument="coder",
        )


def _header(columns: Sequence[Column]) -> list[str]:
    """Return the first cells of columns if they are words that no row repeats, else nothing.

    Rare labels may also stand together in the first row, by chance.
    """
    cells = [
        column.values[column.codes[0]] for column in columns if column.rows and column.codes[0] >= 0
    ]
    if len(cells) < len(columns) or not all(isinstance(cell, str) for cell in cells):
        return []
    often = occurrences(columns)
    if any(often[cell] > 1 for cell in cells):
        return []
    once = sum(n == 1 for n in often.values())
    by_chance = math.comb(once, len(cells)) / math.comb(often.total(), len(cells))
    return cells if by_chance <= BY_CHANCE or _names_columns(cells, columns) else []


def _names_columns(cells: Sequence[str], columns: Sequence[Column]) -> bool:
    """Return whether labels that occur once stand in the first row only, beside the items."""
    repeating = [column for column in columns if not column.all_different]
    if columns[0].rows <= FEWEST_ITEMS:
        return False
    if columns[0].all_different and names_a("item", cells[0]):
        return True
    return 1 < len(repeating) == sum(n == 1 for n in occurrences(repeating).values())


def _refuse_variables(table: Table, names: Sequence[Any], named: Named, words: Wording) -> None:
    """Refuse columns whose names combine several variables with several coders."""
    parts = _combined(names)
    if not parts:
        return
    both = [[*dict.fromkeys(part[i] for part in parts.values())] for i in (0, 1)]
    known = [any(usual_columns("label", [x]) or role_of_name(x) for x in of) for of in both]
    coders = [any(names_a("coder", re.sub(r"\d+$", "", x)) for x in of) for of in both]
    certain = [i for i in (0, 1) if known[i] or coders[1 - i]]
    certain = certain or [i for i in (0, 1) if _are_indicators(table, parts, 1 - i)]
    others = [name for name in names if isinstance(name, str) and name not in parts]
    items = [name for name in usual_columns("item", others) if table[name].all_different]
    item = items[0] if named.item is None and len(items) == 1 else named.item
    remedies = []
    for i in certain[:1] or (0, 1):
        variable = next((x for x in both[i] if usual_columns("label", [x])), both[i][0])
        columns = [name for name, part in parts.items() if part[i] == variable]
        rest = [name for name in parts if name not in columns]
        remedies += [", or ", words.wide(item, None, columns, rest)]
    first, last = (", ".join(map(_show, of[:5])) for of in both)
    raise InputError(
        f"the names of the columns {_listed([*parts])} combine {first} with {last}, as several "
        "variables of each coder do",
        (*remedies[1:], ", with the columns of one variable"),
        argument="coder",
    )


def _are_indicators(table: Table, parts: Mapping[Any, tuple[str, str]], at: int) -> bool:
    """Return whether columns that agree in one part of their names say which label was chosen."""
    groups: dict[str, list[Column]] = {}
    for name, part in parts.items():
        groups.setdefault(part[at], []).append(table[name])
    return all({*column.values} <= {0, 1} for group in groups.values() for column in group) and all(
        (np.sum([column.floats for column in group], axis=0) == 1).all()
        for group in groups.values()
    )


def _combined(names: Sequence[Any]) -> dict[str, tuple[str, str]]:
    """Return columns whose names combine two parts, each with several others, and these parts.

    Marks, digits and capitals divide a name, at the first or the last of them. A name that another
    one begins with has an empty part: "tone" beside "tone.1". "expert 1" names a coder.
    """
    texts = [name for name in names if isinstance(name, str)]
    numbered = {name: match for name in texts for match in [_CODER.fullmatch(name)] if match}
    coders = {name for name, match in numbered.items() if names_a("coder", match[1])}
    if any(usual_columns("label", [match[1]]) for match in numbered.values()):
        coders = set()  # "coder1" stands beside "label1"
    for at in (-1, 0):
        parts: dict[str, tuple[str, str]] = {}
        for name in texts:
            cuts = [m for m in _CUT.finditer(name) if m.start() > 0 and m.end() < len(name)]
            if cuts and name not in coders:
                parts[name] = name[: cuts[at].start()], name[cuts[at].end() :].rstrip(")]")
        first = {first for first, _ in parts.values()}
        parts |= {name: (name, "") for name in texts if name in first and name not in parts}
        before = None
        while parts != before:
            before = parts
            often = [Counter(part[i] for part in parts.values()) for i in (0, 1)]
            parts = {n: p for n, p in parts.items() if often[0][p[0]] > 1 < often[1][p[1]]}
        if parts:
            return {name: parts[name] for name in texts if name in parts}
    return {}


@lru_cache(64)
def no_labels_below(names: tuple[Any, ...]) -> frozenset[str] | None:
    """Return words that may be no labels in columns of these names, in lower case.

    None if a name may be that of something else than a coder.
    """
    texts = [name for name in names if isinstance(name, str)]
    if (
        _combined(names)
        or usual_roles(names, Named())["coder"]
        or opposite_labels(names)
        or number_what_is_judged(names)
        or name_criteria(names)
        or odd_names(names)
        or name_notes(names)
        or coder_notes(names)
        or any(role_of_name(x) or names_answer_key(x) or x.lower() in EXTREMES for x in texts)
    ):
        return None
    return NO_WORDS.union(name.strip().lower() for name in texts)


def doubt_counts(
    table: Table, item: Any, names: Sequence[Any], *, square: bool = True
) -> tuple[str, tuple[str, str]] | None:
    """Return why numbers may be counts, and the layouts to choose from; None if they are labels.

    `square` says whether a square table without names is in doubt.
    """
    if len(names) < 2:
        return None
    every = [item, *names] if item in table.names and item not in names else names
    alike = _named_alike(table, item, every) if table.complete else frozenset()
    if alike and all(map(is_name_of_sums, alike)):
        return (
            "the rows and the columns have sums, as in a table of counts or of two coders",
            ("counts", "contingency"),
        )
    if alike:
        holes = "" if all(table[name].complete for name in names) else ", whose zeros are left out"
        return (
            "the rows of the table have the names of its columns, as in a contingency table of two "
            f"coders{holes}",
            ("contingency", "wide"),
        )
    columns = [table[name] for name in names]
    if total := are_shares(columns):
        kind = "shares" if total == 1 else "percentages"
        return (
            f"the cells are {kind} that add to {total} in each row; if they count labels, multiply "
            "each row by how often its item was judged",
            ("counts", "wide"),
        )
    if square and table.complete and are_square_shares(columns):
        return (
            "the cells of a square table are shares that add to 1, as those of a contingency table "
            "of two coders may be",
            ("contingency", "wide"),
        )
    if number := are_counts_without_zeros(columns):
        return (
            f"each row adds to {number}, with fewer cells the larger they are, as counts do whose "
            "zeros are left out; write 0 in such cells if they are",
            ("counts", "wide"),
        )
    numbers = whole_numbers(columns)
    if numbers is None:
        return None
    unnamed = not any(isinstance(name, str) and not name.isdigit() for name in names)
    if square and unnamed and table.complete and item is None and may_be_square_counts(numbers):
        return (
            f"a square table of {len(numbers)} × {len(numbers)} whole numbers may hold the labels "
            "of items × coders, or be a contingency table of two coders",
            ("wide", "contingency"),
        )
    why, labels = are_counts(numbers), opposite_labels(every)
    if why is None and not labels:
        return None
    reason = f"{_listed(labels)} are names of labels, not of coders"
    return (
        f"the numbers of the columns {_listed(names)} may be labels of items × coders, or counts "
        f"of categories: {f'{why}, as those of counts do' if why else reason}",
        ("counts", "wide"),
    )


def _named_alike(table: Table, item: Any, names: Sequence[Any]) -> Collection[Any]:
    """Return the names of columns that hold whole numbers which rows have, too.

    They stand beside the rows, or in a column: that of the items, or of texts that all differ.
    """
    sides = {
        name: set(table[name].values)
        for name in names
        if name == item or (table[name].all_different and not table[name].numbers)
    }
    for by, rows in {None: table.row_names, **sides}.items():
        others = [name for name in names if name != by]
        alike: Collection[Any] = rows & {float(n) if str(n).isdigit() else n for n in others}
        bare = _without_common_begin(others)
        if len(bare) > 1 and bare == _without_common_begin(rows):
            alike = alike or frozenset(others)
        cells = [table[n] for n in others]
        # Without zeros, such a table has holes; then more names must be the same. Columns of
        # numbers are also named as some of many numbered items are.
        often = len(rows) > 2 * len(alike) + FEWEST_ITEMS
        numbered = often and any(isinstance(name, float) for name in alike)
        most = 2 * len(alike) > max(len(rows), len(others)) or (
            not numbered and all(c.complete for c in cells)
        )
        if alike and len(others) > 1 and most and all(c.numbers and c.low >= 0 for c in cells):
            return alike
    return frozenset()


def _without_common_begin(names: Collection[Any]) -> set[str]:
    """Return what tells names apart: "yes" and "no" of "Ann: yes" and "Ann: no"; no numbers."""
    parts = [re.fullmatch(r"([^\W_]+)[\W_]+(.+)", str(name)) for name in names]
    same = len({part[1] for part in parts if part}) == 1 and None not in parts
    return {part[2] for part in parts if part and not part[2].isdigit()} if same else set()


def _refuse_last_row(table: Table, item: Any, coders: Sequence[Any], words: Wording) -> None:
    """Refuse a last row with the sums or the means of the columns."""
    if len(coders) < 2 or table.n_rows > LONGER or not all(table[x].numbers for x in coders):
        return
    columns = [table.longer(name) for name in coders]
    if columns[0].rows < table.n_rows or not all(column.numbers for column in columns):
        return
    numbers = np.column_stack([column.floats for column in columns])
    what = below_columns(numbers)
    if what is not None:
        cells = [f"{x:.15g}" for x in numbers[-1, :5].tolist()] + ["..."] * (len(columns) > 5)
        if item in table.names:
            names = table.longer(item)
            cells.insert(0, _show([*names.values, None][names.codes[-1]]))
        raise InputError(
            f"the last row ({', '.join(cells)}) has the {what} of the columns",
            ("leave it out; if it is an item, ", words.wide(None, None, coders, ())),
            argument="coder",
        )


def _refuse_triples(table: Table, names: Sequence[Any], words: Wording) -> None:
    """Refuse three columns that look like one judgment per row."""
    if len(names) != 3 or are_no_triples([table[name] for name in names]):
        return
    *pair, often = names
    columns = [table[name] for name in names]
    counted: Sentence = (
        words.wide(None, often, pair, ()),
        "; if all three are coders, ",
        words.wide(None, None, names, ()),
    )
    order = order_of_triples([table.longer(name) for name in names])
    are_numbers = are_counted_numbers(columns)
    if are_counted_pairs(columns) or (order is None and are_numbers):
        raise InputError(
            f"the pairs of columns {_listed(pair)} all differ, and column {_show(often)} may say "
            "how often each occurred",
            counted,
            argument="coder",
        )
    if order is None:
        return
    item, coder, label = (names[i] for i in order)
    if says_how_often(label):
        raise InputError(
            f"column {_show(label)} may say how often {_show(item)} got {_show(coder)}",
            words.counted(item, coder, label),
        )
    raise InputError(
        "the rows look like one judgment each (an item, a coder, a label), not like the labels of "
        f"three coders, because columns {_show(item)} and {_show(coder)} almost never repeat "
        "a pair",
        (
            words.long({"item": [item], "coder": [coder], "label": [label]})
            if any(isinstance(name, str) for name in names)
            else _of_triples(order, words),
            (
                "; if column ",
                _show(often),
                " says how often each pair of labels occurred, ",
                counted,
            )
            if are_numbers
            else "",
        ),
    )


def refuse_counted(table: Table, names: Sequence[Any], words: Wording) -> None:
    """Refuse three columns that say how often each item got each label, by their names."""
    texts = [name for name in names if isinstance(name, str)]
    roles, _ = columns_by_name(("item", "label"), texts, ())
    count = [name for name in texts if role_of_name(name) in ("weights", "total")]
    if len(names) != 3 or len(roles) != 2 or len(count) != 1 or count[0] in roles.values():
        return
    columns = [table.longer(name) for name in (roles["item"], roles["label"])]
    pairs = np.column_stack([column.codes for column in columns])
    if len(np.unique(pairs, axis=0)) == len(pairs) > columns[0].distinct:
        raise InputError(
            f"column {_show(count[0])} seems to count how often {_show(roles['item'])} got "
            f"{_show(roles['label'])}, which is one row of counts for each item",
            words.counted(roles["item"], roles["label"], count[0]),
        )


def of_levels(table: Table, n_levels: int, is_series: bool) -> str:
    """Propose what to write for a column of labels or of counts beside an index of levels."""
    (name,) = table.names
    column, ways = table[name], []
    if n_levels == 2 and column.whole and column.low >= 0:
        counted = f"frame{'' if is_series else '.iloc[:, 0]'}.unstack(fill_value=0)"
        ways = [
            f"if numbers say how often two coders gave each pair of labels, write "
            f"af.Annotations.from_contingency({counted})",
            f"if they say how often an item got each label, af.Annotations.from_counts({counted})",
        ]
    levels = ", ".join(f"frame.index.get_level_values({i})" for i in (0, 1))
    judged = (
        f"if each row is a judgment, write af.Annotations.from_long({levels}, "
        "frame.to_numpy().ravel()), or name the levels 'item' and 'coder'"
    )
    return "; ".join(ways + [judged] * (not (ways and says_how_often(name))))


def _of_triples(order: tuple[int, int, int], words: Wording) -> Sentence:
    if order == (1, 0, 2):
        return "pass layout='long', or write af.Annotations.from_triples(triples)"
    unpacked = ", ".join(sorted(("items", "coders", "labels"), key=lambda role: order[
        ("items", "coders", "labels").index(role)]))  # fmt: skip
    return f"write {unpacked} = zip(*rows); af.Annotations.from_long(items, coders, labels)"


def _question(verdicts: Sequence[Verdict]) -> str:
    """Return the problem: what each column seems to be."""
    odd = [verdict for verdict in verdicts if verdict.role != "coder"]
    coders = [verdict.column for verdict in verdicts if verdict.role == "coder"]
    listed = [f"{_show(v.column)} looks like {DESCRIPTIONS[v.role]} ({v.why})" for v in odd]
    if len(listed) > LISTED:
        listed[LISTED:] = [f"{len(odd) - LISTED:,} more are not coders"]
    if coders:
        verb = "looks like a coder" if len(coders) == 1 else "look like coders"
        listed.append(f"{_listed(coders)} {verb}")
    return f"cannot tell which columns are coders: {'; '.join(listed)}"


def _remedy(verdicts: Sequence[Verdict], table: Table, named: Named, words: Wording) -> Sentence:
    """Return what gives each column its role."""
    beside = [verdict.column for verdict in verdicts if verdict.role != "coder"]
    rows = next((v.column for v in verdicts if v.role in ("coders", "item")), None)
    transposed = words.transposed(rows, [name for name in beside if name != rows])
    if any(verdict.role == "coders" for verdict in verdicts):
        return transposed
    by_role = {
        role: next((v.column for kind in kinds for v in verdicts if v.role == kind), None)
        for role, kinds in (("item", ("item", "item?")), ("weights", ("weights",)))
    }
    item = by_role["item"] if named.item is None else None
    coders = [verdict.column for verdict in verdicts if verdict.role == "coder"]
    rest = [
        verdict.column
        for verdict in verdicts
        if verdict.role != "coder" and verdict.column not in (item, by_role["weights"])
    ]
    if len(coders) < 2:  # the remaining columns may be coders who never agree
        coders = [v.column for v in verdicts if v.role in ("coder", "unlike", "item?")]
        rest = []
    likely = BEYOND.why not in [verdict.why for verdict in verdicts]
    unlike = [v.column for v in verdicts if v.role == "unlike" and v.why == UNLIKE.why]
    proposed = words.wide(item, by_role["weights"], coders, rest, likely=likely)
    if isinstance(item, int) and table[item].numbers:  # a place in a table without names
        both = [v.column for v in verdicts if v.column in (item, *coders)]
        every = words.wide(None, by_role["weights"], both, rest, likely=likely)
        proposed = proposed, f"; if {item} is a coder, too, ", every
    if rows is not None and doubt_orientation(table.n_rows, len(coders)) is not None:
        return "if the rows are coders, ", transposed, "; if they are items, ", proposed
    if unlike and len(coders) > 1 and unlike[0] not in coders:
        alike = f"if {_show(unlike[0])} is a coder, write its labels as the others do; else "
        return alike, proposed
    return proposed


def _sets_apart(verdicts: Sequence[Verdict], table: Table, words: Wording) -> Sentence | None:
    """Return what reads columns as sets if they share no label and their texts look like sets."""
    unlike = [x for v in verdicts if v.why == UNLIKE.why for x in table[v.column].values]
    mark = separator_of_sets(unlike)
    if mark is None:
        return None
    example = next(label for label in unlike if isinstance(label, str) and mark in label)
    return f"if labels such as {_show(example)} are sets, ", words.sets(mark)


def _show(name: Any) -> str:
    return f"'{escape(name)}'" if isinstance(name, str) else str(name)


def _listed(names: Sequence[Any]) -> str:
    more = f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""
    return ", ".join(map(_show, names[:LISTED])) + more
