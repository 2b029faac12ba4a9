"""What every reading of tables has in common: refusals, and the way from cells to codes.

`query` reads with DuckDB, and `plain` reads what is small with Python alone. Both hold the columns
that were asked for as cells, by place; here the cells become a table.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agreement_fast.files import tables
from agreement_fast.files.errors import ReadError, one_line, show
from agreement_fast.files.file import File, Kind, all_partitions, partitions_read, split_key
from agreement_fast.files.roles import Columns, ReadOptions, Roles, key_of
from agreement_fast.files.tables import Coded, LongTable, Source, WideTable
from agreement_fast.reading.recognition.arithmetic import begin_again
from agreement_fast.reading.recognition.headers import may_be_data
from agreement_fast.reading.recognition.profile import Column
from agreement_fast.reading.recognition.rows import (
    FIRST,
    LAST,
    REPEATED,
    UNLIKE,
    Cells,
    NoItem,
    header_of_data,
    problem,
    rows_that_are_none,
    value_of,
    words_of_totals,
)
from agreement_fast.reading.recognition.wording import (
    condition_for_shell,
    condition_without,
    quoted_name,
)

#: The cells of a column as texts; None is an empty cell.
Texts: TypeAlias = list[str | None]
#: The index of a row, and its cells.
Numbered: TypeAlias = tuple[int, Cells]
#: By the place of a column: the texts that are looked for.
Among: TypeAlias = Mapping[int, Collection[str]]

#: A whole number with a point that may mark thousands.
_THOUSANDS = re.compile("[1-9][0-9]{0,2}[.]000")

_NUMBER, _WHOLE = map(re.compile, (tables.NUMBER, tables.WHOLE))


def no_value(
    count: int, key: str, first: int, files: Sequence[File], *, merged: bool = False
) -> ReadError:
    """Return the error for rows without item or coder.

    `first` counts from 0. `merged`: whether most cells are empty, below values that stand once.
    """
    columns = files[0].own(key)
    gaps = (f"; in {file.shown}: {file.gaps[name]}" for file in files for name in columns
            if name in file.gaps)  # fmt: skip
    why = next(gaps, "")
    rows = "1 row has" if count == 1 else f"{count:,} rows have"
    condition = " and ".join(f"{quoted_name(name)} is not null" for name in columns)
    where = f"--where '{condition}' leaves such rows out"
    if merged:
        where = f"if an empty cell means the value above it, fill the column down; else {where}"
    return ReadError(
        f"{rows} no value in column {' or '.join(map(show, columns))} (the first is row"
        f" {first + 1:,} below the header{why}): {where}"
    )


def refuse_weight(cell: str | None, name: str) -> ReadError:
    """Return the error for a cell that is not a weight."""
    shown = "an empty cell" if cell is None else show(cell)
    return ReadError(
        f"weights must be whole numbers, not negative; column {show(name)} has {shown}"
    )


def no_position(cell: str | None, name: str, row: int) -> ReadError:
    """Return the error for a cell that is not a position; `row` counts from 0."""
    shown = "an empty cell" if cell is None else show(cell)
    return ReadError(
        f"positions must be numbers, such as 12 or 0.5; column {show(name)} has {shown} in row"
        f" {row + 1:,} below the header"
    )


def unlike_path(name: str, file: File, inside: str | None, outside: str | None) -> ReadError:
    """Return the error for a cell of a column that the path also has, with another value."""
    holds, says = ("nothing" if text is None else show(text) for text in (inside, outside))
    return ReadError(
        f"column {show(name)} of {file.shown} holds {holds}, and the folder {show(name + '=...')}"
        f" in its path says {says}: rename the column or the folder, or name the file from inside"
        " that folder"
    )


def fits_int64(number: int) -> bool:
    """Return whether a number fits an int64."""
    return -(2**63) <= number < 2**63


def _weight(text: str) -> int | None:
    """Return the whole number that a text writes in any way, such as 1.0 and 1e3."""
    if not _NUMBER.fullmatch(text):
        return None
    if not _WHOLE.fullmatch(text) and not float(text).is_integer():
        return None
    number = int(text) if _WHOLE.fullmatch(text) else int(float(text))
    return number if number >= 0 and fits_int64(number) else None


class Reader(ABC):
    """One call of `read`, on the tables behind paths.

    `notes`: remarks on the paths.
    """

    def __init__(self, files: list[File], notes: list[str]) -> None:
        #: The parameters.
        self.files, self.notes = files, notes
        self._kinds: list[Kind] = []
        self._labels: tuple[str, ...] = ()
        #: The columns whose texts have the quotes of JSON.
        self._quoted: tuple[str, ...] = ()
        #: The rows of the files, once they are read.
        self.rows_in_files = 0

    # -- how a kind of reader reads

    @abstractmethod
    def find_columns(self, where: str | None) -> None:
        """Fill in each file's columns and their types, which matter only to `where`."""

    @abstractmethod
    def check_condition(self, where: str | None) -> None:
        """Refuse a text that is not a condition."""

    @abstractmethod
    def lock(self, memory: str | None) -> None:
        """Forbid any later change of settings, and limit the memory to `memory`."""

    @abstractmethod
    def first_cells(self, columns: Sequence[str], where: str | None, rows: int) -> list[Texts]:
        """Return the first rows that a condition keeps, column by column, as text."""

    @abstractmethod
    def load(self, roles: Columns, where: str | None, numbers: Sequence[str] = ()) -> None:
        """Read the required columns as text.

        `numbers` are constants of files, added as whole numbers after the columns.
        """

    @abstractmethod
    def n_rows(self) -> int:
        """Return the number of rows that were loaded."""

    @abstractmethod
    def some_rows(self, places: Sequence[int], within: range, among: Among) -> list[Numbered]:
        """Return the first rows whose cells are among given texts: their indices and cells."""

    @abstractmethod
    def codes(self, places: Sequence[int]) -> Coded:
        """Encode columns by their common sorted distinct values, with codes (rows, columns)."""

    @abstractmethod
    def positions(self, place: int, name: str) -> NDArray[Any]:
        """Return a column of positions: int64 if all are whole, else float64."""

    @abstractmethod
    def numbers(self, roles: Columns) -> NDArray[np.int32]:
        """Return the first of the `numbers` that were loaded after the columns."""

    @abstractmethod
    def is_empty(self, file: File) -> bool:
        """Return whether a file has no rows."""

    @abstractmethod
    def refuse_unlike_path(self, names: Sequence[str]) -> None:
        """Refuse a column of a file that holds another number, time or text than its path."""

    # -- columns

    def look_at_first_rows(self, file: File, first: Sequence[Cells]) -> None:
        """Refuse a second header and the like; note a header if there should be none."""
        if file.header_row:
            # There may be more rows.
            result = rows_that_are_none(file.columns, first, n_rows=FIRST + 1)
            self.refuse_rows(result, dict(enumerate(file.columns)), file, seen=first)
            if may_be_data(file.columns, first):
                names = ", ".join(map(show, file.columns[:5]))
                file.note(
                    f"{file.shown}: the first row, {names}, is read as the header, but its names"
                    " are labels below, too: if it is a row of labels, pass --no-header"
                )
        elif (why := header_of_data(first)) is not None:
            names = ", ".join(show(cell) for cell in first[0][:5] if cell)
            if why == "above numbers":
                raise ReadError(
                    f"{file.shown}: the first row, {names}, has texts above columns of numbers, as"
                    " a header has",
                    "leave out --no-header",
                )
            file.note(
                f"{file.shown}: the first row, {names}, looks like a header, for its words"
                " never occur below: if so, leave out --no-header"
            )

    def refuse_rows(
        self, values: Sequence[NoItem], columns: Mapping[int, str], file: File,
        item: int | None = None, seen: Sequence[Cells] = (),
    ) -> None:  # fmt: skip
        """Refuse rows that are no items, if there are any.

        `columns` (mapping of int to str): the columns of their cells, by place. `item`: the place
        of the column of items. `seen`: other rows, which the remedy must not leave out, and rows
        that are no items.
        """
        if not values:
            return
        cells = {at: [row.cells[at] for row in values] for at in columns}
        if item is not None and len(file.own(columns[item])) > 1:
            columns = {item: file.own(columns[item])[0]}
            cells = {item: [text and split_key(text)[0] for text in cells[item]]}
        none = {tuple(row.cells) for row in values}
        others = [row for row in seen if tuple(row) not in none]
        full = [
            at for at, some in cells.items()
            if {None, ""}.isdisjoint(some) and {row[at] for row in others}.isdisjoint(some)
        ]  # fmt: skip
        remedy = "delete it"
        if full:
            at = item if item in full else full[0]
            test = condition_without(columns[at], list(dict.fromkeys(cells[at])))
            which = "it" if len(values) == 1 else "them"
            remedy = f"pass --where {condition_for_shell(test)} to leave {which} out"
        again = values[0].why == REPEATED and (values[0].row == 0 or not full)
        if again and file.header and file.format.lines:
            if full:
                remedy += ", or --no-header if the first line is data"
            else:
                remedy = f"pass --no-header if the first line is data, or {remedy}"
        below = f"below the header of {file.shown}" if file.header_row else f"of {file.shown}"
        if len(self.files) > 1:
            below = "of the files"
        message = problem(values, lambda row: f"row {row + 1:,} {below}")
        raise ReadError(f"a row is no item: {message}", remedy)

    def _check_items(self, roles: Roles, labels: Coded, items: Coded | None) -> None:
        """Refuse rows of the table that are no items: totals, statistics, repeated headers."""
        columns = roles.columns()
        file, own = self.files[0], [name for name in columns if name != roles.weights]
        n_rows = self.n_rows()
        places = [columns.index(name) for name in own]

        def fetch(within: range, among: Among) -> list[Numbered]:
            rows = self.some_rows(places, within, among)
            quoted = self._quoted
            return [(row, self.as_texts(own, cells)) for row, cells in rows] if quoted else rows

        every = range(n_rows)
        first, last = fetch(every[:FIRST], {}), fetch(every[-LAST:], {})
        seen = [row for _, row in (*first, *last)]
        item = None if roles.item is None else own.index(roles.item)
        names = own if file.header_row else None
        result = rows_that_are_none(
            names, [row for _, row in first], [row for _, row in last], n_rows, item
        )
        named = file.header_row and all(
            isinstance(value_of(label), str) for label in roles.labels()
        )
        if named and {*map(self.as_written, roles.labels())} <= set(labels.values):
            header = {
                columns.index(name): [self.as_written(name)]
                for name in own
                if name in {*roles.labels(), roles.item}
            }
            result += [NoItem(at, row, REPEATED) for at, row in fetch(every, header)]
        if items is not None and (words := words_of_totals(items.values.tolist())):
            totals = {columns.index(roles.item or ""): words}
            result += [NoItem(at, row, UNLIKE) for at, row in fetch(every, totals)]
        result = list({row.row: row for row in reversed(result)}.values())
        if roles.layout in ("counts", "contingency"):  # whose sums are checked, and left out
            result = [row for row in result if row.why == REPEATED]
        self.refuse_rows(sorted(result), dict(enumerate(own)), file, item, seen)

    def as_written(self, name: str) -> str:
        """Return the name of a column as a cell below it would hold it."""
        return name if name not in self._quoted else json.dumps(name, ensure_ascii=False)

    def as_texts(self, names: Sequence[str], cells: Cells) -> Cells:
        """Return the cells of columns without the quotes of JSON."""
        return [
            json.loads(cell) if name in self._quoted and str(cell)[:1] == '"' else cell
            for name, cell in zip(names, cells, strict=True)
        ]

    # -- the rows

    def prepare(self, roles: Columns) -> None:
        """Check what can be checked before any row is read."""
        self._kinds = tables.label_kinds(self.files, roles)
        self._labels = roles.labels()
        self._quoted = self._labels if self._kinds[:1] == ["json"] else ()

    def check_rows(self, kept: int, where: str | None) -> None:
        """Refuse files without rows, and conditions that no row satisfies."""
        if self.rows_in_files == 0:
            which = self.files[0].shown if len(self.files) == 1 else "the files"
            raise ReadError(f"{which}: there is a header, but no rows below it")
        if kept == 0:
            raise ReadError(f"no row satisfies --where {show(where or '')}")

    # -- from text to codes

    def table(self, roles: Roles, options: ReadOptions) -> LongTable | WideTable:
        """Return the loaded rows as codes and values."""
        place = {name: i for i, name in enumerate(roles.columns())}
        remarks = [*self.notes, *self.remarks(roles)]
        labels = self.codes([place[name] for name in roles.labels()])
        items = None if roles.item is None else self.keys(place[roles.item], roles.item)
        self._check_items(roles, labels, items)
        labels = self.value_labels(labels, options, remarks)
        if not roles.wide:
            labels = Coded(labels.codes[:, 0], labels.values)
        groups = None
        if roles.by is not None:
            groups = tables.value_groups(self.texts(place[roles.by]), len(self.groups_of(roles)))
        weights = None
        if roles.weights is not None:
            weights = self._weights(place[roles.weights], roles.weights, remarks)
        along = {name: self.texts(place[name]) for name in roles.along}
        source = self.source_of(roles, options.where, len(labels.codes), remarks)
        beside: dict[str, Any] = {"weights": weights, "groups": groups, "along": along}
        if roles.wide:
            return WideTable(source, items, roles.coders, labels, **beside)
        assert items is not None
        assert roles.coder is not None
        coders = self.keys(place[roles.coder], roles.coder)
        return LongTable(source, items, coders, labels, **beside)

    def _weights(self, place: int, name: str, remarks: list[str]) -> NDArray[np.int64]:
        coded = self.texts(place)
        texts: list[str] = coded.values.tolist()
        numbers = {text: _weight(text) for text in texts}
        bad = [text for text in texts if numbers[text] is None]
        if bad or (coded.codes < 0).any():
            raise refuse_weight(bad[0] if bad else None, name)
        pointed = next(filter(_THOUSANDS.fullmatch, texts), None)
        if pointed is not None and not all("." in text for text in texts):
            remarks.append(
                f"column {show(name)}: {show(pointed)} beside weights without a point is read as"
                f" {pointed.partition('.')[0]}: if the point marks thousands, write"
                f" {pointed.replace('.', '')}"
            )
        return np.array(list(numbers.values()), np.int64)[coded.codes]

    def value_labels(self, coded: Coded, options: ReadOptions, remarks: list[str]) -> Coded:
        """Turn the distinct texts of the labels into values; extends `remarks`."""
        kind: Kind = self._kinds[0] if len(set(self._kinds)) == 1 else "written"
        if options.text:
            kind = "json" if kind == "json" else "text"
        missing = options.missing
        marks = tables.marks_beside_numbers(coded.values.tolist()) if kind == "written" else ()
        if marks := tuple(mark for mark in marks if mark not in missing):
            missing = (*missing, *marks)
            names = " and ".join(map(show, marks))
            remarks.append(
                f"{names} beside numbers {'are' if len(marks) > 1 else 'is'} read as missing: if"
                f" {'they are labels' if len(marks) > 1 else 'it is a label'}, pass --text"
            )
        commas = all(file.format.lines and file.delimiter in (";", "\t") for file in self.files)
        labels = tables.value_labels(coded, kind, missing, options.text, remarks, commas)
        tables.refuse_codes(labels, self.files, self._labels)
        return labels

    def source(self, layout: str, where: str | None, notes: Sequence[str], **own: Any) -> Source:
        """Describe what was read; `own` has what depends on the roles of columns."""
        return Source(
            files=tuple(file.name for file in self.files),
            formats=tuple(file.format.name for file in self.files),
            layout=layout,
            rows_in_files=self.rows_in_files,
            where=where,
            notes=tuple(notes),
            **own,
        )

    def source_of(self, roles: Roles, where: str | None, n: int, notes: Sequence[str]) -> Source:
        """Describe judgments that were read."""
        same = ("item", "coder", "label", "coders", "weights", "by", "guessed", "part")
        own: dict[str, Any] = {name: getattr(roles, name) for name in same}
        own |= {"rows": n, "by_columns": self.groups_of(roles)}
        own["declared"] = tables.declared_categories(self.files, roles)
        own["header"] = all(file.header or not file.format.lines for file in self.files)
        return self.source(roles.layout, where, notes, **own)

    def groups_of(self, roles: Roles) -> tuple[str, ...]:
        """Return the columns that make the groups."""
        return () if roles.by is None else self.files[0].own(roles.by)

    def texts(self, place: int) -> Coded:
        """Encode a column; -1 is an empty cell."""
        coded = self.codes([place])
        return Coded(np.ascontiguousarray(coded.codes[:, 0]), coded.values)

    def keys(self, place: int, name: str) -> Coded:
        """Encode a column of items or coders, in which no cell may be empty."""
        coded = self.texts(place)
        empty = np.flatnonzero(coded.codes < 0)
        if len(empty):
            values = len(coded.values)
            merged = empty[0] > 0 and values == len(coded.codes) - len(empty) <= len(empty)
            raise no_value(len(empty), name, int(empty[0]), self.files, merged=merged)
        return coded

    def remarks(self, roles: Columns) -> list[str]:
        """Return the remarks of files on columns, and name files without rows among several."""
        remarks = [
            remark
            for file in self.files
            for column, remark in file.remarks
            if column is None or any(column in file.own(name) for name in roles.columns())
        ]
        unseen = [file for file in self.files if not file.least_rows]
        for file in unseen if len(self.files) > 1 else ():
            with one_line(file.shown):
                if self.is_empty(file):
                    remarks.append(f"{file.shown} has no rows")
        return remarks


def notes_on_paths(
    reader: Reader, roles: Columns, where: str | None, excluded: Sequence[str] = ()
) -> list[str]:
    """Return notes on columns that come from paths.

    If all other columns of a table are coders, columns of paths must clearly not be coders, unless
    they are `excluded`. Raises ReadError if a file also has such a column, with other values than
    its path.
    """
    files = reader.files
    names = partitions_read(roles.columns(), where, files)
    if isinstance(roles, Roles) and "coders" in roles.guessed:
        own = {name for file in files for name in file.columns} - {*excluded}
        names = partitions_read([*roles.columns(), *own], where, files)
    reader.refuse_unlike_path(names)
    from_paths = [name for name in names if any(name not in file.columns for file in files)]
    if not from_paths:
        return []
    some = f"column {show(from_paths[0])} is"
    if len(from_paths) > 1:
        some = f"columns {', '.join(map(show, from_paths))} are"
    folder = show(f"{from_paths[0]}=...")
    return [f"{some} read from the paths of the files, from folders such as {folder}"]


#: Name of the constant of a file that numbers its folder; no column has this name.
FOLDER = "\0folder"


@dataclass(frozen=True)
class Folders:
    """Folders, distinguished by the columns of paths that have no role."""

    #: The values of each folder, by its number.
    values: list[tuple[str | None, ...]]
    #: Columns with several values among the folders.
    keys: tuple[str, ...]
    #: The columns that name an item.
    item: tuple[str, ...]

    @classmethod
    def of(cls, roles: Roles, files: Sequence[File]) -> Folders | None:
        """Number the folders of files, or else the files, in their `constants`; None for one."""
        if roles.item is None:
            return None
        used = {part for name in roles.columns() for file in files for part in file.own(name)}
        keys = tuple(
            name
            for name in all_partitions(files)
            if name not in used and len({file.partitions.get(name) for file in files}) > 1
        )
        if not keys and (roles.wide or "item" not in roles.guessed or len(files) < 2):
            return None
        numbers: dict[tuple[str | None, ...], int] = {}
        for file in files:
            values = tuple(map(file.partitions.get, keys)) or (file.name,)
            file.constants[FOLDER] = str(numbers.setdefault(values, len(numbers)))
        return cls(list(numbers), keys, files[0].own(roles.item))

    def full_item(self, keys: Sequence[str]) -> str:
        """Return the key of an item, with columns of paths before those that name it."""
        return key_of([*keys, *self.item])

    def with_note(
        self, table: LongTable | WideTable, folders: Callable[[], NDArray[np.int32]]
    ) -> LongTable | WideTable:
        """Note in a table if items of the same name are in several folders or files.

        `folders` returns the number of each row's folder; of its file if all folders are the same.
        If no item has two judgments below one value of a column, its values stand for coders, and
        no note is added. The numbers of items in files must begin again.
        """
        if table.items is None:
            return table
        cells = table.labels.codes >= 0
        judged = np.asarray(cells.any(axis=1) if isinstance(table, WideTable) else cells)
        items, folder_codes = table.items.codes[judged], folders()[judged]
        keys = []
        for place, key in enumerate(self.keys):
            known: dict[str | None, int] = {}
            codes = [known.setdefault(value[place], len(known)) for value in self.values]
            values = np.array(codes, np.int64)[folder_codes]
            last = np.zeros(len(table.items.values), np.int64)
            last[items] = values
            if (last[items] == values).all():
                continue
            apart = np.unique(items * np.int64(len(known)) + values)
            if len(apart) < len(items) or isinstance(table, WideTable):
                keys.append(key)
        if isinstance(table, LongTable) and not self.keys:
            numbers = Column.of(table.source.item, items, table.items.values.tolist()).floats
            if begin_again(numbers, table.coders.codes[judged], folder_codes):
                keys = ["part"]
        if not keys:
            return table
        full = self.full_item(keys)
        option = full if full.replace(",", "").isidentifier() else show(full)
        note = (
            f"items of the same name are in folders with different values of"
            f" {' and '.join(map(show, keys))}: if these are different items, pass --item {option}"
            if self.keys
            else "numbers of items begin again in each file, whose coders are others: if these are"
            " different items, put each file into a folder of its own, such as part=1, and pass"
            f" --item {option}"
        )
        notes = (*table.source.notes, note)
        full_item = full if self.keys else None
        return replace(table, source=replace(table.source, notes=notes, full_item=full_item))


#: With fewer judgments, all labels may differ by chance.
FEWEST_JUDGMENTS = 5

#: Distinct labels that are inspected: the first ones are enough.
LOOKED = 1_000


#: How values that are not labels begin.
NO_LABELS = {
    "holds dates": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]|$)"),
    "holds web addresses": re.compile(r"[a-z][a-z0-9+.-]*://"),
}


def check_guessed_label(column: str, labels: Coded, judgments: int) -> None:
    """Raise if the values of a guessed label column are probably not labels.

    `column`: the name of the column. Its values are the distinct labels. `judgments`: number of
    cells that are not missing. Raises ReadError if the values are dates, web addresses or all
    different.
    """
    values, why = labels.values, None
    some = values[:LOOKED].tolist()
    for what, form in NO_LABELS.items():
        if some and all(isinstance(value, str) and form.match(value) for value in some):
            why = what
    # Numbers that are not whole may be measurements.
    whole = values.dtype.kind != "f" or bool((values == np.floor(values)).all())
    if why is None and whole and judgments >= FEWEST_JUDGMENTS and len(values) >= judgments:
        why = "holds no value twice"
    if why is not None:
        raise ReadError(
            f"cannot tell which column is the label: {show(column)} has a usual name of labels but"
            f" {why}: pass --label {column if column.isidentifier() else show(column)} if it is the"
            " label, or the name of another column"
        )
