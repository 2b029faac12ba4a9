"""The queries by which DuckDB reads the files, locked so that it can do nothing else."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from agreement_fast import _threads
from agreement_fast._kernels._arrow import Batch, Batches
from agreement_fast.files.errors import ReadError, first_line, one_line, show
from agreement_fast.files.file import (
    KINDS,
    NO_NUMBER,
    File,
    Kind,
    counted_kinds,
    identifier,
    literal,
    narrowest,
    refuse_unlike_paths,
    source,
    split_key,
)
from agreement_fast.files.opening import Workplace, open_files, tables_of
from agreement_fast.files.regular import Together, check_end, put_together, read_apart
from agreement_fast.files.roles import Asked, AskedRows, Columns, Roles
from agreement_fast.files.tables import (
    NUMBER,
    Coded,
    LongTable,
    Source,
    WideTable,
    declared_categories,
    label_kinds,
    refuse_codes,
    value_groups,
    value_labels,
)
from agreement_fast.recognition.rows import (
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
from agreement_fast.recognition.wording import condition_for_shell

if TYPE_CHECKING:
    import duckdb

    from agreement_fast._kernels._arrow import Batch

INSTALL = 'pip install "agreement-fast[cli]"'

#: DuckDB's memory if there may be many rows; beyond it, data are written to disk.
MEMORY = "800MB"

#: DuckDB's memory if there are many rows and they are read as a stream.
MEMORY_OF_STREAM = "400MB"


#: A whole number with a point that may mark thousands.
_THOUSANDS = "[1-9][0-9]{0,2}[.]000"


def connect(files: Sequence[File], workplace: Workplace) -> duckdb.DuckDBPyConnection:
    """Open DuckDB so that, after `Reader.lock`, it can only read these files."""
    try:
        import duckdb
    except ImportError:
        raise ReadError(f"reading files needs DuckDB: {INSTALL}") from None
    connection = duckdb.connect(
        ":memory:",
        config={
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            # Otherwise secrets in the user's home could be requested by name.
            "allow_persistent_secrets": "false",
            # Otherwise a name in `where` could reach a variable of the calling Python program.
            "python_enable_replacements": "false",
            "temp_directory": os.path.join(workplace.folder, "spill"),
        },
    )
    # Progress is requested by `Reader.percent`; it must not be printed into the caller's output.
    connection.execute("SET enable_progress_bar = true")
    connection.execute("SET enable_progress_bar_print = false")
    allowed = ", ".join(literal(path) for file in files for path in (file.path, file.spare))
    connection.execute(f"SET allowed_paths = [{allowed}]")
    connection.execute("SET enable_external_access = false")
    return connection


def no_value(count: int, key: str, first: int, files: Sequence[File]) -> ReadError:
    """Return the error for rows without item or coder; `first` counts from 0."""
    columns = files[0].own(key)
    gaps = (f"; in {file.shown}: {file.gaps[name]}" for file in files for name in columns
            if name in file.gaps)  # fmt: skip
    why = next(gaps, "")
    rows = "1 row has" if count == 1 else f"{count:,} rows have"
    written = (name if name.isidentifier() else identifier(name) for name in columns)
    condition = " and ".join(f"{name} is not null" for name in written)
    return ReadError(
        f"{rows} no value in column {' or '.join(map(show, columns))} (the first is row"
        f" {first + 1:,} below the header{why}): --where '{condition}' leaves such rows out"
    )


def is_number(cell: str, pattern: str = NUMBER) -> str:
    """Return the condition that a text is a number; DuckDB also casts "1_0" and "0x10"."""
    return f"coalesce(regexp_full_match({cell}, {literal(pattern)}), false)"


def bad_weight(cell: str) -> str:
    """Return the condition that a text is not a whole number, or is negative."""
    return (
        f"NOT {is_number(cell)}"
        f" OR try_cast({cell} AS BIGINT) IS NULL"
        f" OR try_cast({cell} AS DOUBLE) <> try_cast({cell} AS BIGINT)"
        f" OR try_cast({cell} AS BIGINT) < 0"
    )


def refuse_weight(cell: str | None, name: str) -> ReadError:
    """Return the error for a cell that is not a weight."""
    shown = "an empty cell" if cell is None else show(cell)
    return ReadError(
        f"weights must be whole numbers, not negative; column {show(name)} has {shown}"
    )


class Reader:
    """The queries of one call of `read`, on the tables behind paths.

    Attributes
    ----------
    files : list of File
    notes : list of str
        Remarks on the paths.
    """

    def __init__(self, paths: Sequence[str], workplace: Workplace, asked: AskedRows) -> None:
        names, self.notes = tables_of(paths)
        self.files = open_files(names, workplace, asked)
        self._connection = connect(self.files, workplace)
        workplace.at_end(self._connection.close)
        self._kinds: list[Kind] = []
        self._labels: tuple[str, ...] = ()
        #: The columns whose texts have the quotes of JSON.
        self._quoted: tuple[str, ...] = ()
        self.rows_in_files = 0

    # -- columns

    def find_columns(self, where: str | None) -> None:
        """Fill in each file's columns and their types, which matter only to `where`."""
        for file in self.files:
            check_end(file)
        for form, some in groupby(self.files, lambda file: file.format):
            form.find_all(list(some), self.run, typed=where is not None)
        if where is None:
            texts = [file for file in self.files if not file.format.has_types]
            read_apart(put_together(texts), self._look_at_first_rows)
        else:
            self._find_partition_types()
        refuse_unlike_paths(where, self.files)

    def _look_at_first_rows(self, file: File) -> None:
        """Refuse a second header and the like; note a header if there should be none."""
        cells = [file.text(name) for name in file.columns]
        verb = "CREATE OR REPLACE TEMP TABLE first_rows AS FROM ("
        self.load_cells(file, verb, cells, None, f") LIMIT {FIRST}")
        first = self._connection.execute("FROM first_rows").fetchall()
        if file.header_row:
            # There may be more rows.
            found = rows_that_are_none(file.columns, first, n_rows=FIRST + 1)
            self.refuse_rows(found, dict(enumerate(file.columns)), file)
        elif (why := header_of_data(first)) is not None:
            names = ", ".join(show(cell) for cell in first[0][:5] if cell)
            if why == "above numbers":
                raise ReadError(
                    f"{file.shown}: the first row, {names}, has texts above columns of numbers, as"
                    " a header has",
                    "leave out --no-header",
                )
            file.remarks.append(
                (None, f"{file.shown}: the first row, {names}, looks like a header, for its words"
                 " never occur below: if so, leave out --no-header")
            )  # fmt: skip

    def refuse_rows(
        self, found: Sequence[NoItem], columns: Mapping[int, str], file: File,
        item: int | None = None,
    ) -> None:  # fmt: skip
        """Refuse rows that are no items, if there are any.

        Parameters
        ----------
        found : sequence of NoItem
        columns : mapping of int to str
            The columns of their cells, by place.
        file : File
        item : int, optional
            The place of the column of items.
        """
        if not found:
            return
        cells = {at: [row.cells[at] for row in found] for at in columns}
        if item is not None and len(file.own(columns[item])) > 1:
            columns = {item: file.own(columns[item])[0]}
            cells = {item: [text and split_key(text)[0] for text in cells[item]]}
        full = [at for at, some in cells.items() if {None, ""}.isdisjoint(some)]
        remedy = "delete it"
        if full:
            at = item if item in full else full[0]
            name = columns[at] if columns[at].isidentifier() else identifier(columns[at])
            texts = [literal(text) for text in dict.fromkeys(cells[at])]
            test = f"{name} {'<>' if at == item else 'IS DISTINCT FROM'} {texts[0]}"
            if len(texts) > 1:
                test = f"{name} NOT IN ({', '.join(texts)})"
                # A row is not left out because a cell in a column of labels is empty.
                test += "" if at == item else f" OR {name} IS NULL"
            which = "it" if len(found) == 1 else "them"
            remedy = f"pass --where {condition_for_shell(test)} to leave {which} out"
        below = f"below the header of {file.shown}" if file.header_row else f"of {file.shown}"
        if len(self.files) > 1:
            below = "of the files"
        said = problem(found, lambda row: f"row {row + 1:,} {below}")
        raise ReadError(f"a row is no item: {said}", remedy)

    def _check_items(self, roles: Roles, labels: Coded, items: Coded | None) -> None:
        """Refuse rows of the table that are no items: totals, statistics, repeated headers."""
        columns = roles.columns()
        file, own = self.files[0], [name for name in columns if name != roles.weights]
        n_rows = self.count("cells")
        cells = ", ".join(f"k{columns.index(name)}" for name in own)

        def fetch(which: str) -> list[tuple[int, Cells]]:
            query = f"SELECT rowid, {cells} FROM cells WHERE {which} ORDER BY rowid LIMIT {FIRST}"
            rows = self._connection.execute(query).fetchall()
            return [(row[0], self.as_texts(own, row[1:])) for row in rows]

        first, last = fetch(f"rowid < {FIRST}"), fetch(f"rowid >= {n_rows - LAST}")
        item = None if roles.item is None else own.index(roles.item)
        names = own if file.header_row else None
        found = rows_that_are_none(
            names, [row for _, row in first], [row for _, row in last], n_rows, item
        )
        named = file.header_row and all(isinstance(value_of(one), str) for one in roles.labels())
        if named and {*map(self.as_written, roles.labels())} <= set(labels.values):
            is_header = " AND ".join(
                f"k{columns.index(name)} = {literal(self.as_written(name))}"
                for name in own
                if name in {*roles.labels(), roles.item}
            )
            found += [NoItem(at, row, REPEATED) for at, row in fetch(is_header)]
        if items is not None and (words := words_of_totals(items.values.tolist())):
            totals = f"k{columns.index(roles.item or '')} IN ({', '.join(map(literal, words))})"
            found += [NoItem(at, row, UNLIKE) for at, row in fetch(totals)]
        found = list({row.row: row for row in reversed(found)}.values())
        self.refuse_rows(sorted(found), dict(enumerate(own)), file, item)

    def as_written(self, name: str) -> str:
        """Return the name of a column as a cell below it would hold it."""
        return name if name not in self._quoted else json.dumps(name, ensure_ascii=False)

    def as_texts(self, names: Sequence[str], cells: Cells) -> Cells:
        """Return the cells of columns without the quotes of JSON."""
        return [
            json.loads(cell) if name in self._quoted and str(cell)[:1] == '"' else cell
            for name, cell in zip(names, cells, strict=True)
        ]

    def _find_partition_types(self) -> None:
        """Find the types that `where` sees for columns in paths: those that fit all values."""
        values: dict[str, set[str]] = {}
        for file in self.files:
            for name, text in file.partitions.items():
                values.setdefault(name, set()).update([] if text is None else [text])
        counts = ", ".join(counted_kinds("v", list(KINDS)))
        for name, texts in values.items():
            query = f"SELECT {counts} FROM (SELECT unnest($texts) AS v)"
            # Spellings that programs use for floats that are not numbers.
            no_number = {text for text in texts if re.fullmatch(NO_NUMBER, text)}
            ran = self._connection.execute(query, {"texts": list(texts - no_number)})
            ((filled, *found),) = ran.fetchall()
            fit = [kind for kind, n in zip(KINDS, found, strict=True) if n == filled]
            if no_number:
                fit = [kind for kind in fit if kind == "DOUBLE"]
            for file in self.files:
                file.partition_types[name] = narrowest(fit, filled + len(no_number))

    # -- the rows

    def lock(self, memory: str | None) -> None:
        """Forbid any later change of settings, and limit DuckDB's memory to `memory`."""
        if memory is not None:
            self._connection.execute(f"SET memory_limit = '{memory}'")
            # Each thread has its own buffers.
            self._connection.execute(f"SET threads = {min(_threads.available(), 8)}")
        # The texts of a few thousand rows may take more than 2^31 bytes.
        self._connection.execute("SET arrow_large_buffer_size = true")
        self._connection.execute("SET lock_configuration = true")

    def prepare(self, roles: Columns) -> None:
        """Check what can be checked before any row is read."""
        self._kinds = label_kinds(self.files, roles)
        self._labels = roles.labels()
        self._quoted = self._labels if self._kinds[:1] == ["json"] else ()

    def check_condition(self, where: str | None) -> None:
        """Refuse a text that is not a condition."""
        import duckdb

        if where is not None:
            try:
                # Exactly one expression: no second statement, no clause, no open parenthesis.
                duckdb.SQLExpression(where)
            except duckdb.Error as error:
                raise ReadError(f"--where {show(where)}: {first_line(error)}") from None

    def load(self, roles: Columns, where: str | None, numbers: Sequence[str] = ()) -> None:
        """Read the required columns into one table, as text.

        `numbers` are constants of files, added as whole numbers after the columns.
        """
        verb = "CREATE TEMP TABLE cells AS"

        def load(file: File) -> None:
            nonlocal verb
            cells = [
                file.text(name, is_label=name in self._labels, with_gaps=name in roles.with_gaps())
                for name in roles.columns()
            ]
            cells += [f"CAST({file.constant(name)} AS INTEGER)" for name in numbers]
            self.rows_in_files += self.load_cells(file, verb, cells, where)
            verb = "INSERT INTO cells"

        read_apart(put_together(self.files), load, where)
        kept = self.count("cells")
        if where is None:
            self.rows_in_files = kept
        self.check_rows(kept, where)

    def load_cells(
        self, file: File, verb: str, cells: Sequence[str], where: str | None, end: str = ""
    ) -> int:
        """Read expressions on one file; return the number of rows of the file."""

        def load() -> None:
            self.run(f"{verb} {self.select(file, cells, where)}{end}", file)

        while (rows := self.read_anyhow(file, where, load)) is None:
            pass
        return rows

    def first_cells(
        self, columns: Sequence[str], where: str | None, rows: int
    ) -> list[list[str | None]]:
        """Return the first rows that a condition keeps, column by column, as text."""
        cells: list[list[str | None]] = [[] for _ in columns]

        def look(file: File) -> None:
            left = rows - len(cells[0])
            if left <= 0:
                return
            texts = [file.text(name) for name in columns]
            verb = "CREATE OR REPLACE TEMP TABLE looked AS FROM ("
            self.load_cells(file, verb, texts, where, f") LIMIT {left}")
            for column, found in zip(cells, self.fetch("FROM looked").values(), strict=True):
                column += np.ma.asarray(found).tolist()  # None for a missing value

        if columns:
            read_apart(put_together(self.files), look, where)
        return cells

    def read_anyhow(self, file: File, where: str | None, read: Callable[[], None]) -> int | None:
        """Read a file with a function; None if it was irregular and now refers to a copy.

        Else returns the number of rows of the file if there is a condition, which may drop some,
        and 0 otherwise.
        """
        import duckdb

        try:
            rows = 0
            if where is not None:
                rows = file.format.settle(file, where, self.run)
            read()
            return rows
        except duckdb.InvalidInputException as error:
            # For files that are read together, the irregular one is unknown.
            if isinstance(file, Together) or not file.format.rewrite(file, error):
                raise
        return None

    def has_more(self, most: int) -> bool:
        """Return whether the files have more than `most` rows; reading stops there."""
        rows = sum(file.least_rows for file in self.files if file.format.knows_rows)

        def count(file: File) -> None:
            nonlocal rows
            if rows > most:
                return
            scan = f"(SELECT 1 FROM {file.format.scan(file)} LIMIT {most + 1 - rows})"
            counted = 0

            def read() -> None:
                nonlocal counted
                counted = self.count(scan, file)

            while self.read_anyhow(file, None, read) is None:
                pass
            rows += counted

        read_apart(put_together([file for file in self.files if not file.format.knows_rows]), count)
        return rows > most

    def batches(self, file: File, cells: Sequence[str], where: str | None) -> Generator[Batch]:
        """Yield the kept rows of a file in order: expressions of type BIGINT or VARCHAR."""
        # With parameters, DuckDB would hold the whole result. The first `$path` is the scan's.
        scan = file.format.scan(file, exact=True).replace("$path", source(file.source), 1)
        return read_batches(self._connection, self.select(file, cells, where, scan))

    def percent(self) -> float:
        """Return the progress of the running query in percent; -1 if it is unknown."""
        return self._connection.query_progress()

    def check_rows(self, kept: int, where: str | None) -> None:
        """Refuse files without rows, and conditions that no row satisfies."""
        if self.rows_in_files == 0:
            which = self.files[0].shown if len(self.files) == 1 else "the files"
            raise ReadError(f"{which}: there is a header, but no rows below it")
        if kept == 0:
            raise ReadError(f"no row satisfies --where {show(where or '')}")

    def _check_single(self, query: str) -> None:
        """Check that the assembled text is a single SELECT, regardless of `where`."""
        import duckdb

        try:
            statements = self._connection.extract_statements(query)
        except duckdb.Error as error:
            raise ReadError(f"--where: {first_line(error)}") from None
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise ReadError("--where must be one condition")

    def select(
        self, file: File, cells: Sequence[str], where: str | None, scan: str | None = None
    ) -> str:
        """Return the query for expressions on a file's columns, called k0, k1, ..."""
        scan = scan or file.format.scan(file, exact=True)
        if where is None:
            named = [f"{cell} AS k{i}" for i, cell in enumerate(cells)]
            return f"SELECT {', '.join(named)} FROM {scan}"
        # The file's own columns may also be called k0, k1, ...
        mark = "cell_"  # no name of a column starts with it
        while any(name.lower().startswith(mark) for name in file.known):
            mark = f"_{mark}"
        named = [f"{cell} AS {mark}{i}" for i, cell in enumerate(cells)]
        in_path = file.known[len(file.columns) :]
        names = _distinct_names(file.known)
        typed = [
            f"{file.format.value(file, at)} AS {identifier(name)}"
            for at, name in enumerate(names[: len(file.columns)])
        ]
        typed += [
            f"CAST({file.constant(own)} AS {file.partition_types[own]}) AS {identifier(name)}"
            for own, name in zip(in_path, names[len(file.columns) :], strict=True)
        ]
        columns = ", ".join(f"{mark}{i} AS k{i}" for i in range(len(cells)))
        # On a line of its own: `where` may end in a comment.
        query = (
            f"SELECT {columns} FROM (SELECT {', '.join([*typed, *named])} FROM {scan})"
            f"\nWHERE (\n{where}\n)"
        )
        self._check_single(query)
        return query

    # -- from text to codes

    def table(self, roles: Roles, asked: Asked) -> LongTable | WideTable:
        """Return the loaded rows as codes and values."""
        requested = {name: f"k{i}" for i, name in enumerate(roles.columns())}
        remarks = [*self.notes, *self.remarks(roles)]
        labels = self._codes([requested[name] for name in roles.labels()])
        items = None if roles.item is None else self.keys(requested[roles.item], roles.item)
        self._check_items(roles, labels, items)
        labels = self.value_labels(labels, asked, remarks)
        if not roles.wide:
            labels = Coded(labels.codes[:, 0], labels.values)
        groups = None
        if roles.by is not None:
            groups = value_groups(self.texts(requested[roles.by]), len(self.groups_of(roles)))
        weights = None
        if roles.weights is not None:
            weights = self._weights(requested[roles.weights], roles.weights, remarks)
        along = {name: self.texts(requested[name]) for name in roles.along}
        source = self.source(roles, asked.where, len(labels.codes), remarks)
        beside: dict[str, Any] = {"weights": weights, "groups": groups, "along": along}
        if roles.wide:
            return WideTable(source, items, roles.coders, labels, **beside)
        assert items is not None
        assert roles.coder is not None
        coders = self.keys(requested[roles.coder], roles.coder)
        return LongTable(source, items, coders, labels, **beside)

    def value_labels(self, coded: Coded, asked: Asked, remarks: list[str]) -> Coded:
        """Turn the distinct texts of the labels into values; extends `remarks`."""
        kind: Kind = self._kinds[0] if len(set(self._kinds)) == 1 else "written"
        if asked.text:
            kind = "json" if kind == "json" else "text"
        labels = value_labels(coded, kind, asked.missing, asked.text, remarks)
        refuse_codes(labels, self.files, self._labels)
        return labels

    def source(self, roles: Roles, where: str | None, rows: int, remarks: Sequence[str]) -> Source:
        """Describe what was read."""
        return Source(
            files=tuple(file.name for file in self.files),
            formats=tuple(file.format.name for file in self.files),
            layout=roles.layout,
            item=roles.item,
            coder=roles.coder,
            label=roles.label,
            coders=roles.coders,
            weights=roles.weights,
            by=roles.by,
            by_columns=self.groups_of(roles),
            guessed=roles.guessed,
            rows=rows,
            rows_in_files=self.rows_in_files,
            where=where,
            notes=tuple(remarks),
            declared=declared_categories(self.files, roles),
        )

    def groups_of(self, roles: Roles) -> tuple[str, ...]:
        """Return the columns that make the groups."""
        return () if roles.by is None else self.files[0].own(roles.by)

    def _codes(self, columns: Sequence[str]) -> Coded:
        """Encode columns by their common sorted distinct values, with codes (rows, columns)."""
        every = f"SELECT unnest([{', '.join(columns)}]) AS v FROM cells"
        one = f"SELECT {columns[0]} AS v FROM cells"
        distinct = (
            f"SELECT DISTINCT v FROM ({one if len(columns) == 1 else every})"
            " WHERE v IS NOT NULL ORDER BY v"
        )
        seen = self.fetch(f"CREATE OR REPLACE TEMP TABLE seen AS {distinct}; FROM seen")
        values = np.asarray(seen["v"], dtype=object)
        if len(values) == 0:
            return Coded(
                np.full((self.count("cells"), len(columns)), -1, dtype=np.int32),
                np.empty(0, dtype=object),
            )
        # An enum is DuckDB's dictionary type: cells become its codes without a join.
        self.fetch("DROP TYPE IF EXISTS dictionary; CREATE TYPE dictionary AS ENUM (FROM seen)")
        cells = ", ".join(
            f"coalesce(CAST(enum_code(CAST({column} AS dictionary)) AS INTEGER), -1) AS c{i}"
            for i, column in enumerate(columns)
        )
        fetched = self.fetch(f"SELECT {cells} FROM cells")
        codes = np.empty((len(fetched["c0"]), len(columns)), dtype=np.int32)
        for i in range(len(columns)):
            codes[:, i] = fetched[f"c{i}"]
        return Coded(codes, values)

    def texts(self, column: str) -> Coded:
        """Encode a column; -1 is an empty cell."""
        coded = self._codes([column])
        return Coded(np.ascontiguousarray(coded.codes[:, 0]), coded.values)

    def keys(self, column: str, name: str) -> Coded:
        """Encode a column of items or coders, in which no cell may be empty."""
        coded = self.texts(column)
        empty = np.flatnonzero(coded.codes < 0)
        if len(empty):
            raise no_value(len(empty), name, int(empty[0]), self.files)
        return coded

    def _weights(self, column: str, name: str, remarks: list[str]) -> NDArray[np.int64]:
        bad = self._connection.execute(
            f"SELECT {column} FROM cells WHERE {bad_weight(column)} LIMIT 1"
        ).fetchall()
        if bad:
            raise refuse_weight(bad[0][0], name)
        ((pointed, plain),) = self._connection.execute(
            f"SELECT min({column}) FILTER (WHERE regexp_full_match({column}, '{_THOUSANDS}')),"
            f" count(*) FILTER (WHERE NOT contains({column}, '.')) FROM cells"
        ).fetchall()
        if pointed is not None and plain:
            remarks.append(
                f"column {show(name)}: {show(pointed)} beside weights without a"
                f" point is read as {pointed.partition('.')[0]}: if the point marks thousands,"
                f" write {pointed.replace('.', '')}"
            )
        fetched = self.fetch(f"SELECT CAST({column} AS BIGINT) AS w FROM cells")
        return np.asarray(fetched["w"], dtype=np.int64)

    def numbers(self, roles: Columns) -> NDArray[np.int32]:
        """Return the first of the `numbers` that were loaded after the columns."""
        column = f"k{len(roles.columns())}"
        return np.asarray(self.fetch(f"SELECT {column} AS n FROM cells")["n"], np.int32)

    # -- running

    def run(self, query: str, file: File) -> duckdb.DuckDBPyConnection:
        return self._connection.execute(query, {"path": file.source})

    def fetch(self, query: str, file: File | None = None) -> Mapping[str, NDArray[Any]]:
        ran = self._connection.execute(query) if file is None else self.run(query, file)
        fetched: Mapping[str, NDArray[Any]] = ran.fetchnumpy()
        return fetched

    def count(self, relation: str, file: File | None = None) -> int:
        query = f"SELECT count(*) FROM {relation}"
        ran = self._connection.execute(query) if file is None else self.run(query, file)
        return int(ran.fetchall()[0][0])

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
            query = f"SELECT 1 FROM {file.format.scan(file)} LIMIT 1"
            with one_line(file.shown):
                if not self.run(query, file).fetchall():
                    remarks.append(f"{file.shown} has no rows")
        return remarks


def _distinct_names(names: Sequence[str]) -> list[str]:
    """Number repeated names; SQL ignores case, so "Label" and "label" are the same name."""
    seen: set[str] = set()
    distinct = []
    for name in names:
        one, number = name, 1
        while one.lower() in seen:
            one, number = f"{name}_{number}", number + 1
        seen.add(one.lower())
        distinct.append(one)
    return distinct


def read_batches(connection: duckdb.DuckDBPyConnection, query: str) -> Generator[Batch]:
    """Run a query on columns of BIGINT and VARCHAR, and yield its rows in order.

    The next rows are read while the last ones are used. A caller who stops early must close the
    iterator.
    """
    batches = Batches(connection.sql(query).__arrow_c_stream__())
    # In a thread of its own: the main thread handles Ctrl-C while it waits.
    with ThreadPoolExecutor(1) as pool:
        ahead = pool.submit(batches.next)
        try:
            while True:
                batch, message = ahead.result()
                if message is not None:
                    raise _as_raised(message)
                if batch is None:
                    return
                ahead = pool.submit(batches.next)
                yield batch
                # DuckDB owns the batch's memory and reads on.
                del batch
        finally:
            if not ahead.done():
                connection.interrupt()


def _as_raised(message: str) -> Exception:
    """Return the exception that DuckDB raises elsewhere: a stream only has its message."""
    import duckdb

    kind = re.match(r"([A-Za-z ]+) Error: ", message)
    name = "" if kind is None else kind[1].replace(" ", "")
    if name.isupper():
        name = name.title()
    raised: Exception = getattr(duckdb, f"{name}Exception", duckdb.Error)(message)
    return raised
