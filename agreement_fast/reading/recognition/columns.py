"""Which columns of a table with one item per row are coders, and what the others are.

A column with item names, comments, gold labels or totals looks like another coder and would change
every coefficient. Therefore names and values are inspected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.reading.recognition.arithmetic import derived
from agreement_fast.reading.recognition.labels import MOST_SPELLED, may_spell
from agreement_fast.reading.recognition.names import (
    OTHER_ROLES,
    names_answer_key,
    names_coders,
    numbers_rows,
    opposite_labels,
    role_of_name,
    usual_columns,
)
from agreement_fast.reading.recognition.profile import Column, occurrences, shared

#: Repeated ratings within these bounds are on one scale, even if a coder used only one number.
SCALE = (-10.0, 10.0)

#: A column with fewer cells is not judged by its values.
FEWEST_CELLS = 3

#: Guesses on one scale explain that numbers all differ, or ascend, with e^-DOUBT at most.
DOUBT = 7.0

#: With fewer rows, values may all differ while others repeat, by accident.
FEWEST_DIFFERENT = 10

#: Fewest rows that a first column without a name numbers from 0 or 1 on.
FEWEST_NUMBERED = 4

#: Least share of a coder's cells with labels that other coders use, too.
LEAST_SHARED = 0.1

#: Cells with this mean length are texts, not labels.
LONG_TEXT = 40

#: A column repeats its values if it has at most this number of distinct values per cell.
REPEATS = 0.5

#: A scale from 0 to 1 has this number of steps; of more, numbers are probabilities.
FEW_STEPS = 5

#: Of more values, few occur twice: rows of a table of one item a row, not groups of items.
FEW_TWICE = 0.8

#: Coders of more judgments are not compared, and no more than these are named.
MOST_JUDGMENTS, LISTED = 1 << 16, 3
#: Coders are copies if they share this many items, and chance explains it less often than this.
FEWEST_COPIED, COPIED = 10, 0.001

#: Agreement, corrected for chance, that shows that rows are alike, and more so than columns.
ALIKE = 0.2

#: Rows in which a column must be computed from the others.
FEWEST_COMPUTED = 5

#: Names of columns that hold the smallest or the largest label of an item; coders have them, too.
EXTREMES = frozenset("min max minimum maximum lowest highest severity worst".split())  # noqa: SIM905

#: Fewest rows that show that columns of 0 and 1 are codes, and the share of disagreement that
#: chance explains.
FEWEST_CODED, BY_CHANCE = 20, 0.8

#: How an error describes each role.
DESCRIPTIONS = {
    "coder": "a coder",
    "item": "the item",
    "item?": "perhaps the item",
    "comment": "a comment",
    "gold": "a gold label",
    "result": "a decision or a prediction",
    "total": "a total",
    "weights": "how often an item occurred",
    "attribute": "an attribute of the item",
    "nested": "something other than a label",
    "text": "a text",
    "group": "a group of items",
    "unlike": "something else",
    "coders": "the names of coders",
}


class Verdict(NamedTuple):
    """The probable role of a column, and the reason."""

    column: Any
    role: str
    why: str


class Evidence(NamedTuple):
    """What is known of a column and the columns beside it."""

    column: Column
    named: str | None
    shared: float
    others: Sequence[Column]

    @property
    def names_items(self) -> bool:
        """Whether all rows have different values, and none is a set."""
        return self.column.all_different and self.column.complete and not self.column.sets

    @property
    def alone(self) -> bool:
        """Whether other columns share almost none of its values."""
        return bool(self.others) and self.shared < LEAST_SHARED and not self.column.sets

    @property
    def unlike_others(self) -> bool:
        """Whether its values all differ while those of all other columns repeat."""
        return (
            bool(self.others)
            and self.column.rows >= FEWEST_DIFFERENT
            and all(other.distinct <= REPEATS * other.filled for other in self.others)
        )

    @property
    def numbers_rows_in_order(self) -> bool:
        """Whether it is first, has no name, and counts the rows beside columns that repeat."""
        return (
            str(self.column.name) in ("0", "1")
            and self.column.rows >= FEWEST_NUMBERED
            and self.names_items
            and self.column.counting
            and self.column.numbers_rows
            and len(self.others) > 1
            and not any(other.all_different for other in self.others)
        )

    @property
    def may_be_rare(self) -> bool:
        """Whether chance explains that all labels are texts that nobody else used.

        Of the labels of others, those that occur once estimate how often a new one comes.
        """
        labels = occurrences(self.others)
        once = sum(n == 1 and isinstance(label, str) for label, n in labels.items())
        if not once or self.column.scale:
            return False
        return self.column.filled * math.log(once / labels.total()) > -DOUBT

    @property
    def may_be_habit(self) -> bool:
        """Whether less than half of the rows repeat few texts, as a coder of a part may do."""
        column = self.column
        few = 2 * column.filled < column.rows and column.distinct <= REPEATS * column.filled
        return few and not column.numbers and len(self.others) > 1

    @property
    def on_another_scale(self) -> bool:
        """Whether it has fractions beside whole numbers, or numbers beyond those of the others."""
        own, numbers = self.column, [other for other in self.others if other.filled]
        if not (own.numbers and numbers and all(other.numbers for other in numbers)):
            return False
        if not {*own.values}.isdisjoint({x for other in numbers for x in other.values}):
            return False
        low, high = min(other.low for other in numbers), max(other.high for other in numbers)
        several = all(column.distinct >= FEWEST_CELLS for column in (own, *numbers))
        # Of several columns, one beyond all others may hold frequencies.
        beyond = len(numbers) == 1 and several and (own.low > high or own.high < low)
        return beyond or (own.fractional and all(other.whole for other in numbers))

    @property
    def judged(self) -> bool:
        """Whether there are enough cells to judge the values."""
        return self.column.filled >= FEWEST_CELLS

    def stands_out(self, holds: Callable[[Column], bool], explained: Chance) -> bool:
        """Return whether something holds for this column alone, which guesses would not explain."""
        if not (self.names_items and holds(self.column)) or any(map(holds, self.others)):
            return False
        if all(other.all_different for other in self.others):
            return False  # ranks, in the order of one of the coders
        labels = len({*self.column.values, *(x for other in self.others for x in other.values)})
        doubt = DOUBT if len(self.others) > 1 else 2 * DOUBT
        return explained(self.column.rows, labels) + math.log(len(self.others) + 1) <= -doubt


#: The logarithm of the chance with which guesses on a scale explain something: of rows and labels.
Chance: TypeAlias = Callable[[int, int], float]


def _all_differ(rows: int, labels: int) -> float:
    differ = math.lgamma(labels + 1) - math.lgamma(labels - rows + 1)
    return differ - rows * math.log(labels)


def _ascend(rows: int, labels: int) -> float:
    return _all_differ(rows, labels) - math.lgamma(rows + 1)


def _count(rows: int, labels: int) -> float:
    return math.log(labels - rows + 1) - rows * math.log(labels)


class Rule(NamedTuple):
    """A role and its condition; the first rule that holds decides."""

    role: str
    why: str
    holds: Callable[[Evidence], bool]


COUNTS_ROWS = "it counts the rows"

RULES = (
    Rule("nested", "it holds lists or objects", lambda c: c.column.nested),
    *(
        Rule(role, "its name", lambda c, role=role: c.named == role)  # type: ignore[misc]
        for role in OTHER_ROLES if role not in ("group", "item")
    ),
    Rule("coders", "its name, and its values all differ",
         lambda c: c.named == "coder" and c.names_items and (c.alone or c.column.ascending)),
    Rule("coders", "its values are the names of coders",
         lambda c: c.names_items and names_coders(c.column.values)),
    Rule("item", "its name, and its values all differ",
         lambda c: c.named in ("item", "group") and c.names_items
         and (c.alone or len(c.others) != 1 or not c.others[0].all_different)),
    Rule("item?", "its name, and its values all differ, but some rows have none",
         lambda c: c.named == "item" and c.column.all_different and c.alone),
    Rule("gold", "its name, and it has the labels of other columns",
         lambda c: isinstance(c.column.name, str) and names_answer_key(c.column.name)
         and not c.names_items and not c.alone),
    Rule("text", "its cells are long", lambda c: c.column.length >= LONG_TEXT
         and c.column.distinct > REPEATS * c.column.filled and c.alone and not c.names_items),
    Rule("group", "its name", lambda c: c.named == "group"),
    Rule("group", "its name, and its values stand in ascending runs",
         lambda c: c.named == "item" and len(c.others) > 1 and c.column.runs),
    Rule("item", "its name, and few of its values occur twice",
         lambda c: c.named == "item" and c.alone
         and c.column.filled > c.column.distinct >= FEW_TWICE * c.column.filled),
    Rule("group", "its name, and no other column has its values",
         lambda c: c.named == "item" and c.alone),
    Rule("item", "its values all differ, and no other column has them",
         lambda c: c.judged and c.names_items and c.alone),
    Rule("item", COUNTS_ROWS,
         lambda c: c.stands_out(lambda column: column.counting, _count)),
    Rule("item", "it numbers the rows", lambda c: c.numbers_rows_in_order),
    Rule("item?", "its numbers ascend",
         lambda c: c.stands_out(lambda column: column.ascending, _ascend)),
    Rule("item?", "it holds the numbers of the rows",
         lambda c: c.stands_out(lambda column: column.numbers_rows, _all_differ)),
    Rule("item?", "its texts all differ",
         lambda c: c.names_items and not c.column.numbers and c.column.rows >= FEWEST_DIFFERENT
         and any(other.distinct <= REPEATS * other.filled for other in c.others)),
    Rule("item?", "its values all differ, and those of others repeat",
         lambda c: c.names_items and c.unlike_others),
    Rule("item?", "its name", lambda c: c.named == "item"
         and ("item" in c.column.name.lower() or numbers_rows(c.column.name))),
)  # fmt: skip

CODER = Rule("coder", "its labels", lambda c: True)
UNLIKE = Rule("unlike", "it shares no label with other columns",
              lambda c: c.judged
              and (c.on_another_scale or (c.alone and not c.may_be_rare)))  # fmt: skip
APART = Rule("coder", UNLIKE.why, lambda c: UNLIKE.holds(c) and c.may_be_habit)
BEYOND = Rule(
    "weights", "its numbers go beyond those of all others, as frequencies do", lambda c: False
)

EXTREME = Rule("total", "it is the smallest or largest of the other numbers", lambda c: False)


def judge(columns: Mapping[Any, Column]) -> list[Verdict]:
    """Return the probable role of each column; of two columns, none is refused for its name.

    Columns of texts without names are alike if none of them repeats its values, as answers to an
    open question do, or if there are two and both do.
    """
    if not any(isinstance(name, str) or column.numbers for name, column in columns.items()):
        repeats = [column.distinct <= REPEATS * column.filled for column in columns.values()]
        if not any(repeats) or (all(repeats) and len(repeats) == 2):
            return [Verdict(name, CODER.role, CODER.why) for name in columns]
    labels = opposite_labels(columns)
    named = {
        name: role_of_name(name) if isinstance(name, str) and name not in labels else None
        for name in columns
    }
    initials = [name for name in columns if isinstance(name, str) and len(name) == 1]
    named.update(dict.fromkeys(initials if len(initials) > 1 else ()))
    for name, role in named.items():
        if role is None and isinstance(name, str) and columns[name].all_different:
            named[name] = "coder" if usual_columns("coder", [name]) else None
    if sum(role != "item" for role in named.values()) <= 2:
        named = {name: role if role in ("item", "coder") else None for name, role in named.items()}
    plain = [
        name
        for name in columns
        if named[name] in (None, "item", "group", "coder") and not columns[name].nested
    ]
    # Columns with names of items are no examples of labels.
    unnamed = [name for name in plain if named[name] is None]
    share = {
        name: _shared(columns, dict.fromkeys([*unnamed, name]))[name]
        for name in plain
        if named[name] is not None
    } | _shared(columns, unnamed)
    rules = {}
    beside = _Beside(columns, unnamed)
    for name, column in columns.items():
        others = beside.others(name)
        evidence = Evidence(column, named[name], share.get(name, 0.0), others)
        rules[name] = next((rule for rule in RULES if rule.holds(evidence)), CODER)
    left = [name for name in columns if rules[name] is CODER]
    beside = _Beside(columns, left)
    for name, of_left in _shared(columns, left).items():
        evidence = Evidence(columns[name], named[name], of_left, beside.others(name))
        rules[name] = next((rule for rule in (APART, UNLIKE) if rule.holds(evidence)), CODER)
    beyond = _beyond_all([columns[name] for name in columns if rules[name] is CODER])
    if beyond is not None:
        rules[beyond] = BEYOND
    extreme = _named_extreme([columns[name] for name in columns if rules[name] is CODER])
    if extreme is not None:
        rules[extreme] = EXTREME
    left = [name for name in columns if rules[name] is CODER]
    while len(left) > 2 and (follows := derived([columns[name] for name in left])):
        at, role, why = follows
        rules[left.pop(at)] = Rule(role, why, lambda c: False)
    return [Verdict(name, rule.role, rule.why) for name, rule in rules.items()]


class _Beside:
    """Columns that are not empty, each to be compared with the others."""

    def __init__(self, columns: Mapping[Any, Column], names: Iterable[Any]) -> None:
        filled = [name for name in names if columns[name].filled]
        self._columns = [columns[name] for name in filled]
        self._place = {name: i for i, name in enumerate(filled)}

    def others(self, name: Any) -> list[Column]:
        """Return all columns but the one of this name."""
        place = self._place.get(name, len(self._columns))
        return self._columns[:place] + self._columns[place + 1 :]


def _shared(
    columns: Mapping[Any, Column], names: Sequence[Any] | dict[Any, None]
) -> dict[Any, float]:
    return shared({name: columns[name] for name in names}, SCALE)


def _beyond_all(columns: Sequence[Column]) -> Any:
    """Return the name of the column whose numbers lie beyond the scale of all others, or None."""
    filled = [column for column in columns if column.filled]
    if len(filled) < 3 or not all(column.whole for column in filled):
        return None
    *others, last = sorted(filled, key=lambda column: column.high)
    highest = others[-1].high
    if not highest <= SCALE[1] < last.high:
        return None
    above = sum(x > highest for x in last.scale)
    return last.name if above >= FEWEST_CELLS and 2 * above >= last.distinct else None


def constants(columns: Sequence[Column]) -> list[Any]:
    """Return the columns of one number, which the labels of the others do not explain by chance."""
    numbers = [column for column in columns if column.numbers]
    names = []
    for column in numbers:
        if column.distinct > 1 or column.filled < FEWEST_CELLS or len(numbers) < 2:
            continue
        cells = np.concatenate([other.floats for other in numbers if other is not column])
        share = (cells == column.low).sum() / max(np.count_nonzero(~np.isnan(cells)), 1)
        if share == 0 or column.filled * math.log(share) <= -DOUBT:
            names.append(column.name)
    return names


def rows_agree(columns: Sequence[Column]) -> bool:
    """Return whether the rows agree clearly, and more than the columns do, as coders in rows do.

    Compared is the variance within columns and within rows: that of numbers, else that of 0 and 1
    for each label, whose sum is the nominal disagreement.
    """
    if len(columns) < 3 or columns[0].rows < 3:
        return False
    cells = np.column_stack([column.floats for column in columns])[..., None]
    if not all(column.numbers for column in columns):
        labels = {label: i for i, label in enumerate(occurrences(columns))}
        codes = [[labels[x] for x in column.values] for column in columns]
        rows = [np.array([*of, -1])[c.codes] for of, c in zip(codes, columns, strict=True)]
        cells = np.column_stack(rows)[..., None] == np.arange(len(labels))
        cells = np.where((cells.any(axis=2))[..., None], cells.astype(float), np.nan)
    cells = cells[np.isfinite(cells).all(axis=(1, 2))]
    whole = float(cells.reshape(-1, cells.shape[2]).var(axis=0, ddof=1).sum()) if cells.size else 0
    if len(cells) < 3 or not whole:
        return False
    of_rows, of_columns = (
        1 - float(cells.var(axis=axis, ddof=1).sum(axis=1).mean()) / whole for axis in (0, 1)
    )
    return of_rows > ALIKE and of_rows > of_columns + ALIKE


def codes_of_one(columns: Sequence[Column]) -> tuple[float, float] | None:
    """Return the least and the largest share of 1 if columns of 0 and 1 are no coders' labels.

    Coders who agree by chance only do not differ as much in how often they say 1 as codes do.
    """
    if len(columns) < 3 or columns[0].rows < FEWEST_CODED:
        return None
    if not all({*c.values} <= {0, 1} and c.complete for c in columns):
        return None
    cells = np.column_stack([column.floats for column in columns])
    n, width = cells.shape
    shares, of_row = cells.mean(axis=0), cells.sum(axis=1)
    share = float(shares.mean())
    if not 0 < share < 1:
        return None
    pairs = width * (width - 1)
    unlike = float((of_row * (width - of_row)).mean()) / pairs
    by_chance = float(shares.sum() * (1 - shares).sum() - (shares * (1 - shares)).sum()) / pairs
    spread = n * float(((shares - share) ** 2).sum()) / (share * (1 - share))
    # `spread` is χ² of equal shares, which rarely exceeds twice its degrees of freedom and 30.
    if unlike < BY_CHANCE * by_chance or spread < 2 * width + 30:
        return None
    return float(shares.min()), float(shares.max())


def coders_apart(
    items: Array, coders: Array, codes: Array, names: Sequence[Any], labels: Sequence[Any]
) -> list[str]:
    """Return notes on coders of judgments who meet no other coder: in no item, or in no label.

    The rule for labels is that for columns of coders. The items of the others must overlap so much
    that chance does not explain it. `items`, `coders`, `codes` (int (judgments,)): the numbers of
    items, coders and labels; -1 is no label. `names`, `labels`: the names of the coders and the
    labels.
    """
    if len(names) < 2 or len(codes) > MOST_JUDGMENTS:
        return []
    judged = codes >= 0
    items, coders, codes = (numbers[judged].astype(np.intp) for numbers in (items, coders, codes))
    n = np.bincount(coders, minlength=len(names))
    coders_of = np.bincount(np.unique(items * len(names) + coders) // len(names))
    met = np.bincount(coders, coders_of[items] > 1, len(names))
    enough = n >= FEWEST_CELLS
    alone = (met == 0) & enough
    share = met.sum() / max(n[~alone].sum(), 1)
    chance = math.log1p(-share) if share < 1 else -math.inf
    notes = [
        f"coder {names[c]!r} has {n[c]:,} judgments, and nobody else judged these items, although"
        " the others share theirs: if the items are the same, name them alike"
        for c in np.flatnonzero(alone)[:LISTED].tolist()
        if n[c] * chance <= -DOUBT
    ]
    if (n_items := int(items.max(initial=-1)) + 1) * len(names) <= MOST_JUDGMENTS:
        cells = np.full((n_items, len(names)), -1)
        cells[items, coders] = codes
        notes += cell_notes(cells, names, labels)
    if len(names) * len(labels) > MOST_JUDGMENTS:
        return notes
    table = np.bincount(coders * len(labels) + codes, minlength=len(names) * len(labels))
    table = table.reshape(len(names), -1)
    common = table[:, np.count_nonzero(table, axis=0) > 1].sum(axis=1)
    for c in np.flatnonzero(enough & (common < LEAST_SHARED * n))[:LISTED].tolist():
        own, others = (Column.of(None, codes[of], labels) for of in (coders == c, coders != c))
        share = _shared({0: own, 1: others}, (0, 1))[0]
        if UNLIKE.holds(Evidence(own, None, share, [others] if others.filled else [])):
            notes.append(
                f"coder {names[c]!r} has no label in common with the others: if the labels are the"
                " same, write them alike"
            )
    return notes


def cell_notes(table: Array, names: Sequence[Any], labels: Sequence[Any] = ()) -> list[str]:
    """Return notes on coders with the very same labels, or with spellings of their own.

    `table`: the labels, by item and coder: codes of `labels`, of which -1 is none, or numbers with
    NaN.
    """
    if table.size > MOST_JUDGMENTS:
        return []
    return [*same_labels(table, names), *_spelled_by_one(table, names, labels)]


def _spelled_by_one(table: Array, names: Sequence[Any], labels: Sequence[Any]) -> list[str]:
    """Return notes on labels of one coder that may spell another, which others mostly have there.

    A single letter counts if the coder has several of them.
    """
    texts = [place for place, label in enumerate(labels) if isinstance(label, str)]
    if not (len(texts) > 2 and len(labels) <= MOST_SPELLED and table.dtype.kind in "iu"):
        return []
    keys = table + np.arange(len(names), dtype=np.intp) * len(labels)
    used = np.bincount(keys[table >= 0], minlength=len(labels) * len(names))
    used = used.reshape(len(names), -1)
    common = np.count_nonzero(used, axis=0) > 1
    notes: dict[tuple[int, bool], list[str]] = {}
    noted: set[int] = set()
    for own in texts:
        coder = int(used[:, own].argmax())
        if common[own] or not used[coder, common].any():
            continue
        others = np.delete(table[table[:, coder] == own], coder, axis=1)
        counts = np.bincount(others[others >= 0], minlength=len(labels))
        usual = int(counts.argmax())
        spells = 2 * counts[usual] > counts.sum() and may_spell(labels[own], labels[usual])
        if spells and usual not in noted:
            noted.add(own)
            key = coder, len(labels[own]) == 1
            notes.setdefault(key, []).append(f"{labels[own]!r} for {labels[usual]!r}")
    return [
        f"only coder {names[coder]!r} writes {', '.join(pairs[:LISTED])}, as others mostly label "
        "these items: if they are one, write them alike"
        for (coder, initial), pairs in notes.items() if len(pairs) > initial
    ]  # fmt: skip


def same_labels(table: Array, names: Sequence[Any]) -> list[str]:
    """Return notes on coders with the very same labels, where chance explains none of it.

    `table`: as in `cell_notes`. Others must agree with them so little that two of them are unlikely
    to agree throughout.
    """
    n_items, n_coders = table.shape
    if n_coders < 3 or n_items < FEWEST_COPIED:
        return []
    columns = np.ascontiguousarray(table.T)
    places: dict[bytes, list[int]] = {}
    for place, column in enumerate(columns):
        places.setdefault(column.tobytes(), []).append(place)
    if len(places) == n_coders:
        return []
    judged = columns != -1 if columns.dtype.kind in "iu" else np.isfinite(columns)
    notes = []
    for copies in places.values():
        own = columns[copies[0]]
        both = judged & judged[copies[0]]
        n, met = int(both[copies[0]].sum()), np.delete(both, copies, axis=0).sum(axis=1)
        alike = (np.delete(columns == own, copies, axis=0) & (met > 0)[:, None]).sum(axis=1)
        share = float(((alike + 1) / (met + 2)).max(initial=0))
        varied = len(np.unique(own[both[copies[0]]])) > 1
        if (
            len(copies) > 1
            and varied
            and n >= FEWEST_COPIED <= met.max(initial=0)
            and n_coders**2 * share**n < COPIED
        ):
            shown = " and ".join(repr(names[place]) for place in copies[:LISTED])
            notes.append(
                f"coders {shown} have the same label for each of {n:,} items, where others differ: "
                "if one is a copy, leave it out"
            )
    return notes[:LISTED]


def without_common(columns: Sequence[Column]) -> bool:
    """Return whether two columns have no label in common, by the rule for columns of coders."""
    share = _shared(dict(enumerate(columns)), (0, 1))
    return any(
        UNLIKE.holds(Evidence(own, None, share[place], [columns[1 - place]]))
        for place, own in enumerate(columns)
    ) and set(columns[0].values).isdisjoint(columns[1].values)


def two_codings(columns: Sequence[Column]) -> str | None:
    """Return in which way two coders wrote their labels differently, though others are alike.

    Each label of one goes with one label of the other, and chance does not explain that; or one
    has fractions from 0 to 1, such as probabilities, where the other has 0 and 1.
    """
    cells = np.column_stack([column.codes for column in columns])
    cells = cells[(cells >= 0).all(axis=1)]
    if not len(cells):
        return None
    pairs = np.unique(cells, axis=0)
    most = max(np.bincount(of).max() / len(of) for of in cells.T)
    labels = [[column.values[code] for column, code in zip(columns, pair, strict=True)]
              for pair in pairs.tolist()]  # fmt: skip
    if (
        1 < len(pairs) == len({a for a, _ in labels}) == len({b for _, b in labels})
        and any(a != b for a, b in labels)
        and (len(cells) - len(pairs)) * -math.log(most) >= DOUBT
    ):
        listed = ", ".join(f"{a!r} with {b!r}" for a, b in labels[:LISTED] if a != b)
        return f"each label of the one goes with one label of the other ({listed})"
    for own, other in (columns, columns[::-1]):
        inside = other.numbers and other.low >= 0 and other.high <= 1
        if {*own.values} == {0, 1} and inside and other.distinct > FEW_STEPS:
            fraction = next(x for x in other.values if x not in (0, 1))
            return f"the one has 0 and 1, the other fractions such as {fraction!r}"
    return None


def _named_extreme(columns: Sequence[Column]) -> Any:
    """Return the column of the least or largest of the other numbers, if its name says so."""
    numbers = [column for column in columns if column.numbers]
    if len(numbers) < 3:
        return None
    cells = np.column_stack([column.floats for column in numbers])
    cells = cells[np.isfinite(cells).all(axis=1)]
    for i, column in enumerate(numbers if len(cells) >= FEWEST_COMPUTED else []):
        others = np.delete(cells, i, axis=1)
        ends = others.min(axis=1), others.max(axis=1)
        if str(column.name).lower() in EXTREMES and any((cells[:, i] == x).all() for x in ends):
            return column.name
    return None
