"""The right labels of items: a column of the files that were read, or a table of their own.

They are read as text in a pass of their own, so that no other part of the reading knows of them,
and then become values as the labels of the judgments are.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agreement_fast.cli.options import find_coders, gold_file
from agreement_fast.cli.output import is_anonymous
from agreement_fast.cli.own_distances import written_labels
from agreement_fast.cli.wording import UsageError, clause
from agreement_fast.present.terminal import and_more, show_label, some_of, spell_label

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from agreement_fast.annotations import Annotations
    from agreement_fast.files import LongTable, ReadOptions, WideTable, Workplace


@dataclass(frozen=True)
class Gold:
    """The right labels of some items.

    Attributes
    ----------
    notes : tuple of str
        How many there are, and what the reader of a result should know of them.
    unused : tuple
        The labels that no coder gives.
    grouped : bool
        Whether an item may have one label in each group.
    labels : mapping
        By group, as it is written, and by item.
    coder : str, optional
        Who has the right labels, in place of all others.
    """

    notes: tuple[str, ...] = ()
    unused: tuple[Any, ...] = ()
    grouped: bool = False
    labels: Mapping[str | None, Mapping[Any, Any]] = field(default_factory=dict)
    coder: str | None = None

    def of(self, annotations: Annotations, group: Any = None) -> Any:
        """Give the labels of those items of a group that have one, or the coder."""
        if self.coder is not None:
            return find_coders(annotations.coders or (), [self.coder], "--gold")[0]
        known = self.labels.get(_group_key(group) if self.grouped else None, {})
        return {item: known[item] for item in annotations.items if item in known}


def gold_column(
    arguments: argparse.Namespace, workplace: Workplace, requested: ReadOptions
) -> str | None:
    """Return the column of the tables that ``--gold`` names; None if it is a file or a coder."""
    from agreement_fast.files import column_names

    column: str = arguments.gold
    if column not in column_names(workplace, arguments.files[0], requested):
        return None
    for role in ("item", "coder", "label", "weights", "by"):
        given = vars(arguments)[role]
        if column in (given if isinstance(given, list) else [given]):
            raise UsageError(f"--gold and --{role} name the same column {column!r}")
    return column


def read_gold(
    arguments: argparse.Namespace,
    workplace: Workplace,
    requested: ReadOptions,
    table: LongTable | WideTable,
    declared: list[Any] | None,
    column: str | None,
) -> Gold:
    """Read the right labels of the items of a table.

    Parameters
    ----------
    arguments : Namespace
        With ``gold``.
    workplace : Workplace
        The one with which the table was opened: it has copies of what is read only once.
    requested : ReadOptions
        The options with which the table was read.
    table : LongTable or WideTable
    declared : list or None
        The categories that were declared.
    column : str or None
        The column of the table that holds them.

    Raises
    ------
    ReadError
        A file cannot be read, or has no such column.
    UsageError
        Two labels of one item; a label that is no category; no item with a label.
    """
    file = gold_file(arguments)
    if column is None and file is None:
        return Gold(coder=_coder(arguments, workplace, requested, table))
    place = _place(arguments, workplace, requested, table, column)
    names = [str(name) for name in place.texts]
    values = written_labels(names, "--gold", arguments, table.labels.values)
    if declared is not None:
        _check_declared(place, values, declared)
    if arguments.duplicates == "set":
        values = [value if isinstance(value, frozenset) else frozenset([value]) for value in values]
    # The same label may be written in several ways (1 and 1.0).
    index: dict[Any, int] = {}
    same = np.array([index.setdefault(value, len(index)) for value in values] + [-1], np.int64)
    codes = same[place.codes]
    keys = place.groups * len(place.items) + place.item_codes
    given = np.flatnonzero(codes >= 0)
    if not len(given):
        raise UsageError(f"{place.shown} has no label in any row that is read")
    result, first = np.unique(keys[given], return_index=True)
    first = given[first]
    labels = np.full(int(keys.max()) + 1, -1, np.int64)
    labels[result] = codes[first]
    differing = given[labels[keys[given]] != codes[given]]
    distinct = list(index)
    if len(differing):
        row = int(differing[0])
        both = distinct[labels[keys[row]]], distinct[codes[row]]
        raise UsageError(
            f"{place.shown}: item {show_label(place.name_of(row))} has two right labels,"
            f" {' and '.join(map(show_label, both))}: a gold label is the same in all rows of its"
            " item"
        )
    groups: dict[str | None, dict[Any, Any]] = {}
    for row, code in zip(first.tolist(), codes[first].tolist(), strict=True):
        group = groups.setdefault(place.group_names[place.groups[row]], {})
        group[place.name_of(row)] = distinct[code]
    in_some = int(np.count_nonzero(np.isin(np.unique(keys[codes < 0]), result)))
    texts = set(table.labels.values.tolist())
    unused = tuple(value for value in distinct if value not in texts)
    return Gold(_notes(place, table, groups, unused, in_some), unused, place.grouped, groups)


@dataclass(frozen=True)
class _Place:
    """What a column of right labels holds, and what it is called in errors."""

    shown: str
    own_file: bool
    #: The distinct labels as text, and their codes by row; -1 is none.
    texts: list[Any]
    codes: NDArray[np.int64]
    #: The items, by row.
    items: list[Any]
    item_codes: NDArray[np.int64]
    #: By row; all 0 if there are no groups.
    grouped: bool
    groups: NDArray[np.int64]
    group_names: list[str | None]

    def name_of(self, row: int) -> Any:
        return self.items[self.item_codes[row]]


def _place(
    arguments: argparse.Namespace,
    workplace: Workplace,
    options: ReadOptions,
    table: LongTable | WideTable,
    column: str | None,
) -> _Place:
    """Read the column, from the files of the table or from one of its own."""
    from agreement_fast.diagnostics.intra_coder import turns
    from agreement_fast.files import WideTable, open_table
    from agreement_fast.files.errors import show

    source, own_file = table.source, None if column is not None else gold_file(arguments)
    if own_file is None:
        item, by, paths = source.item, source.by, arguments.files
        requested = replace(options, exclude=(), weights=None, coder_from=None, label=None)
        shown = f"column {show(str(column))}"
    else:
        file, column = own_file
        item, column, by = _columns_of(file, column, workplace, options, table)
        paths, requested = [file], _as_requested(options)
        shown = f"column {show(column)} of {show(file)}"
    if is_anonymous(arguments):
        shown = "a column" if own_file is None else "a file of its own"
    requested = replace(requested, item=item, coder=[str(column)], by=by, layout="wide", text=True)
    result = open_table(workplace, paths, requested, whole=True)
    assert isinstance(result, WideTable)
    rows = len(result.labels.codes)
    groups = np.zeros(rows, np.int64)
    group_names: list[str | None] = [None]
    if result.groups is not None:
        group_names = [*map(_group_key, result.groups.values.tolist()), _group_key(None)]
        groups = result.groups.codes.astype(np.int64) % len(group_names)
    if item is None or result.items is None:
        # The items of a table whose items have no names are the rows of each group, numbered
        items, item_codes = list(range(len(groups))), turns(groups)
    else:
        items, item_codes = result.items.values.tolist(), result.items.codes.astype(np.int64)
    return _Place(
        shown, own_file is not None, result.labels.values.tolist(),
        result.labels.codes[:, 0].astype(np.int64), items, item_codes,
        result.groups is not None, groups, group_names,
    )  # fmt: skip


def _coder(
    arguments: argparse.Namespace,
    workplace: Workplace,
    requested: ReadOptions,
    table: LongTable | WideTable,
) -> str:
    """Return the coder of ``--gold``; the error for another name lists what there is."""
    from agreement_fast.files import column_names
    from agreement_fast.files.errors import show

    given: str = arguments.gold
    coders = list(map(spell_label, table.coder_names))
    if given in coders:
        return given
    columns: list[str] = []
    if table.source.layout != "export":
        columns = column_names(workplace, arguments.files[0], requested)
    near = difflib.get_close_matches(given, [*columns, *coders], 1)
    hint = f" (did you mean {show(near[0])}?)" if near else ""
    known = f"the columns are {some_of(columns, 8)}, " if columns else ""
    raise UsageError(
        f"--gold: no column, file or coder is called {show(given)}{hint}; {known}the coders are"
        f" {some_of(coders, 8)}"
    )


def _as_requested(requested: ReadOptions) -> ReadOptions:
    """Give what is asked of a file of its own: missing labels and how texts are coded."""
    from agreement_fast.files import ReadOptions

    return ReadOptions(missing=requested.missing, encoding=requested.encoding)


def _group_key(group: Any) -> str | None:
    """Give a group as it is written; in two files it may be of two types."""
    return None if group is None else str(group)


def _columns_of(
    file: str, column: str | None, workplace: Workplace, requested: ReadOptions,
    table: LongTable | WideTable,
) -> tuple[str, str, str | None]:  # fmt: skip
    """Choose the columns of a file of right labels: its items, its labels, its groups."""
    from agreement_fast.files import column_names
    from agreement_fast.files.errors import show
    from agreement_fast.files.roles import named_parts
    from agreement_fast.reading.recognition.recognise import columns_of_gold

    source = table.source
    if source.layout == "wide" and source.item is None:
        raise UsageError(f"--gold {file} names items, and the data has none: pass --item COLUMN")
    columns = column_names(workplace, file, _as_requested(requested))
    shown = f"{show(file)} has {and_more(list(map(show, columns[:20])), len(columns))}"
    by = source.by if source.by in columns else None
    item = source.item
    if item is not None and not set(named_parts(item, columns)) <= set(columns):
        item = None
    parts = [] if item is None else named_parts(item, columns)
    taken = {*parts, by, column}
    rest = [name for name in columns if name not in taken]
    likely, label = columns_of_gold(rest, item=item, label=source.label)
    if likely is None:
        raise UsageError(
            f"--gold {file}: cannot tell which column names the items: call it"
            f" {show(source.item or 'item')}; {shown}"
        )
    if column is None and label is None:
        raise UsageError(
            f"--gold {file}: cannot tell which column holds the right labels: pass --gold"
            f" {file}:COLUMN; {shown}"
        )
    return likely, column or str(label), by


def _check_declared(place: _Place, values: list[Any], declared: list[Any]) -> None:
    known = set(declared)
    for code, value in enumerate(values):
        rows = np.flatnonzero(place.codes == code)
        if value not in known and len(rows):
            some = some_of(declared, 8)
            raise UsageError(
                f"{place.shown}: item {show_label(place.name_of(int(rows[0])))} has the label"
                f" {show_label(value)}, which is none of the categories ({some})"
            )


def _notes(
    place: _Place,
    table: LongTable | WideTable,
    groups: Mapping[str | None, Mapping[Any, Any]],
    unused: tuple[Any, ...],
    in_some: int,
) -> tuple[str, ...]:
    """Say how many items have a label, and what does not fit; no fitting item is an error."""
    n_gold = sum(map(len, groups.values()))
    notes = []
    unknown = 0
    if place.own_file:
        assert table.items is not None
        known = set(table.items.values.tolist())
        unknown = sum(item not in known for group in groups.values() for item in group)
        if unknown == n_gold:
            theirs, ours = next(iter(next(iter(groups.values())))), table.items.values[0]
            raise UsageError(
                f"{place.shown}: none of its items is in the data (the first are"
                f" {show_label(theirs)} there and {show_label(ours)} in the data)"
            )
    labels = "a right label" if n_gold - unknown == 1 else "right labels"
    notes.append(f"gold is {place.shown}: {clause(n_gold - unknown, 'item', 'has')} {labels}")
    if unknown:
        items = clause(unknown, "more item", between=f" of {place.shown}")
        notes.append(f"{items} not in the data")
    if in_some and not place.own_file:
        notes.append(
            f"{in_some:,} item{' has its' if in_some == 1 else 's have their'} gold label in some"
            " of the rows only: it counts for the item"
        )
    if unused:
        plural = "" if len(unused) == 1 else "s"
        notes.append(f"no coder gives the gold label{plural} {some_of(unused, 5)}")
    return tuple(notes)
