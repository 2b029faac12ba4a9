"""The queries by which DuckDB reads the files, locked so that it can do nothing else."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from agreement_fast._kernels import parallel
from agreement_fast._kernels._arrow import Batch, Batches
from agreement_fast.files import sql
from agreement_fast.files.errors import ReadError, first_line, show
from agreement_fast.files.file import File, refuse_unlike_paths
from agreement_fast.files.opening import Workplace
from agreement_fast.files.reader import Among, Numbered, Reader, Texts, no_position, unlike_path
from agreement_fast.files.regular import PLACE, Together, check_end, put_together, read_apart
from agreement_fast.files.roles import Columns
from agreement_fast.files.tables import NUMBER, WHOLE, Coded
from agreement_fast.reading.recognition.rows import FIRST, Cells

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")

INSTALL = 'pip install "agreement-fast[cli]"'

#: DuckDB's memory if there may be many rows; beyond it, data are written to disk.
MEMORY = "800MB"

#: DuckDB's memory if there are many rows and they are read as a stream.
MEMORY_OF_STREAM = "400MB"


def connect(files: Sequence[File], workplace: Workplace, why: str) -> duckdb.DuckDBPyConnection:
    """Open DuckDB so that, after `Reader.lock`, it can only read these files."""
    try:
        import duckdb
    except ImportError:
        raise ReadError(f"{why} takes DuckDB: {INSTALL}") from None
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
    allowed = ", ".join(sql.literal(path) for file in files for path in (file.path, file.spare))
    connection.execute(f"SET allowed_paths = [{allowed}]")
    connection.execute("SET enable_external_access = false")
    return connection


def is_number(cell: str, pattern: str = NUMBER) -> str:
    """Return the condition that a text is a number; DuckDB also casts "1_0" and "0x10"."""
    return f"coalesce(regexp_full_match({cell}, {sql.literal(pattern)}), false)"


def bad_weight(cell: str) -> str:
    """Return the condition that a text is not a whole number, or is negative."""
    return (
        f"NOT {is_number(cell)}"
        f" OR try_cast({cell} AS BIGINT) IS NULL"
        f" OR try_cast({cell} AS DOUBLE) <> try_cast({cell} AS BIGINT)"
        f" OR try_cast({cell} AS BIGINT) < 0"
    )


class QueryReader(Reader):
    """The queries of one call of `read`.

    `notes`: remarks on the paths. `workplace`: where what is larger than the memory is put. `why`:
    what takes DuckDB, for the error if it is not installed.
    """

    def __init__(
        self, files: list[File], notes: list[str], workplace: Workplace, why: str = "this"
    ) -> None:
        super().__init__(files, notes)
        self._connection = connect(files, workplace, why)
        workplace.at_end(self._connection.close)

    # -- columns

    def find_columns(self, where: str | None) -> None:
        """Fill in each file's columns and their types, which matter only to `where`."""
        for file in self.files:
            check_end(file)
        for form, some in groupby(self.files, lambda file: file.format):
            form.find_all(list(some), self.run, typed=where is not None)
        if where is None:
            read_apart(
                put_together([file for file in self.files if not file.format.has_types]),
                lambda file: self.look_at_first_rows(
                    file, self._first_rows(file, [*map(file.text, file.columns)], None, FIRST)
                ),
            )
        else:
            self._find_partition_types()
        refuse_unlike_paths(where, self.files)

    def _first_rows(
        self, file: File, cells: Sequence[str], where: str | None, most: int
    ) -> Sequence[Cells]:
        """Return the first rows of a file, or of files that are together, that are kept."""
        verb = "CREATE OR REPLACE TEMP TABLE first_rows AS FROM ("
        self.load_cells(file, verb, cells, where, f") LIMIT {most}")
        return self._connection.execute("FROM first_rows").fetchall()

    def _find_partition_types(self) -> None:
        """Find the types that `where` sees for columns in paths: those that fit all values."""
        values: dict[str, set[str]] = {}
        for file in self.files:
            for name, text in file.partitions.items():
                values.setdefault(name, set()).update([] if text is None else [text])
        counts = ", ".join(sql.counted_kinds("v", list(sql.KINDS)))
        for name, texts in values.items():
            query = f"SELECT {counts} FROM (SELECT unnest($texts) AS v)"
            # Spellings that programs use for floats that are not numbers.
            no_number = {text for text in texts if re.fullmatch(sql.NO_NUMBER, text)}
            ran = self._connection.execute(query, {"texts": list(texts - no_number)})
            ((filled, *result),) = ran.fetchall()
            fit = [kind for kind, n in zip(sql.KINDS, result, strict=True) if n == filled]
            if no_number:
                fit = [kind for kind in fit if kind == "DOUBLE"]
            for file in self.files:
                file.partition_types[name] = sql.narrowest(fit, filled + len(no_number))

    # -- the rows

    def lock(self, memory: str | None) -> None:
        """Forbid any later change of settings, and limit DuckDB's memory to `memory`."""
        if memory is not None:
            self._connection.execute(f"SET memory_limit = '{memory}'")
            # Each thread has its own buffers.
            self._connection.execute(f"SET threads = {min(parallel.available(), 8)}")
        # The texts of a few thousand rows may take more than 2^31 bytes.
        self._connection.execute("SET arrow_large_buffer_size = true")
        self._connection.execute("SET lock_configuration = true")

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
        kept = self.n_rows()
        if where is None:
            self.rows_in_files = kept
        self.check_rows(kept, where)

    def load_cells(
        self, file: File, verb: str, cells: Sequence[str], where: str | None, end: str = ""
    ) -> int:
        """Read expressions on one file; return the number of rows of the file."""

        def load() -> None:
            self.run(f"{verb} {self.select(file, cells, where)}{end}", file)

        return self._read(file, where, load)[0]

    def _read(self, file: File, where: str | None, read: Callable[[], T]) -> tuple[int, T]:
        """Read a file with a function, from a copy if it is irregular.

        Returns the number of rows of the file, as `read_anyhow` does, and what the function
        returned.
        """
        results: list[T] = []
        while (rows := self.read_anyhow(file, where, lambda: results.append(read()))) is None:
            pass
        return rows, results[0]

    def first_cells(self, columns: Sequence[str], where: str | None, rows: int) -> list[Texts]:
        """Return the first rows that a condition keeps, column by column, as text."""
        cells: list[Texts] = [[] for _ in columns]

        def look(file: File) -> None:
            if (left := rows - len(cells[0])) > 0:
                texts = [file.text(name) for name in columns]
                for row in self._first_rows(file, texts, where, left):
                    for column, cell in zip(cells, row, strict=True):
                        column.append(cell)

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
            rows += self._read(file, None, lambda: self._count(scan, file))[1]

        read_apart(put_together([file for file in self.files if not file.format.knows_rows]), count)
        return rows > most

    def batches(self, file: File, cells: Sequence[str], where: str | None) -> Generator[Batch]:
        """Yield the kept rows of a file in order: expressions of type BIGINT or VARCHAR."""
        # With parameters, DuckDB would hold the whole result. The first `$path` is the scan's.
        scan = file.format.scan(file, exact=True).replace("$path", sql.source(file.source), 1)
        return read_batches(self._connection, self.select(file, cells, where, scan))

    def percent(self) -> float:
        """Return the progress of the running query in percent; -1 if it is unknown."""
        return self._connection.query_progress()

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
            f"{file.format.value(file, at)} AS {sql.identifier(name)}"
            for at, name in enumerate(names[: len(file.columns)])
        ]
        typed += [
            f"CAST({file.constant(own)} AS {file.partition_types[own]}) AS {sql.identifier(name)}"
            for own, name in zip(in_path, names[len(file.columns) :], strict=True)
        ]
        columns = ", ".join(f"{mark}{i} AS k{i}" for i in range(len(cells)))
        # On a line of its own: `where` may end in a comment.
        query = (
            f"SELECT {columns} FROM (SELECT {', '.join([*typed, *named])} FROM {scan})"
            f"\nWHERE (\n{where}\n)"
        )
        # The text must be a single SELECT, regardless of `where`.
        import duckdb

        try:
            statements = self._connection.extract_statements(query)
        except duckdb.Error as error:
            raise ReadError(f"--where: {first_line(error)}") from None
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise ReadError("--where must be one condition")
        return query

    # -- from text to codes

    def n_rows(self) -> int:
        return self._count("cells")

    def some_rows(self, places: Sequence[int], within: range, among: Among) -> list[Numbered]:
        tests = [f"rowid BETWEEN {within.start} AND {within.stop - 1}"]
        tests += [f"k{at} IN ({', '.join(map(sql.literal, texts))})" for at, texts in among.items()]
        cells = "".join(f", k{at}" for at in places)
        query = f"SELECT rowid{cells} FROM cells WHERE {' AND '.join(tests)} ORDER BY rowid"
        rows = self._connection.execute(f"{query} LIMIT {FIRST}").fetchall()
        return [(row[0], row[1:]) for row in rows]

    def codes(self, places: Sequence[int]) -> Coded:
        columns = [f"k{at}" for at in places]
        every = f"SELECT unnest([{', '.join(columns)}]) AS v FROM cells"
        query = f"SELECT {columns[0]} AS v FROM cells"
        distinct = (
            f"SELECT DISTINCT v FROM ({query if len(columns) == 1 else every})"
            " WHERE v IS NOT NULL ORDER BY v"
        )
        seen = self.fetch(f"CREATE OR REPLACE TEMP TABLE seen AS {distinct}; FROM seen")
        values = np.asarray(seen["v"], dtype=object)
        if len(values) == 0:
            return Coded(np.full((self.n_rows(), len(columns)), -1, dtype=np.int32), values)
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

    def positions(self, place: int, name: str) -> NDArray[Any]:
        column = f"k{place}"
        finite = f"coalesce(isfinite(try_cast({column} AS DOUBLE)), false)"
        bad = f"NOT ({is_number(column)} AND {finite})"
        whole = f"{is_number(column, WHOLE)} AND try_cast({column} AS BIGINT) IS NOT NULL"
        counts = self.fetch(
            f"SELECT count(*) FILTER (WHERE {bad}) AS bad,"
            f" count(*) FILTER (WHERE NOT ({whole})) AS broken FROM cells"
        )
        if counts["bad"][0]:
            ((cell, row),) = self._connection.execute(
                f"SELECT {column}, rowid FROM cells WHERE {bad} ORDER BY rowid LIMIT 1"
            ).fetchall()
            raise no_position(cell, name, row)
        kind = "DOUBLE" if counts["broken"][0] else "BIGINT"
        return np.asarray(self.fetch(f"SELECT CAST({column} AS {kind}) AS x FROM cells")["x"])

    def numbers(self, roles: Columns) -> NDArray[np.int32]:
        column = f"k{len(roles.columns())}"
        return np.asarray(self.fetch(f"SELECT {column} AS n FROM cells")["n"], np.int32)

    # -- running

    def run(self, query: str, file: File) -> list[Any]:
        return self._connection.execute(query, {"path": file.source}).fetchall()

    def fetch(self, query: str) -> Mapping[str, NDArray[Any]]:
        return cast("Mapping[str, NDArray[Any]]", self._connection.execute(query).fetchnumpy())

    def _count(self, relation: str, file: File | None = None) -> int:
        query = f"SELECT count(*) FROM {relation}"
        rows = self.run(query, file) if file else self._connection.execute(query).fetchall()
        return int(rows[0][0])

    def is_empty(self, file: File) -> bool:
        return not self.run(f"SELECT 1 FROM {file.format.scan(file)} LIMIT 1", file)

    def refuse_unlike_path(self, names: Sequence[str]) -> None:
        twice = [file for file in self.files if any(name in file.columns for name in names)]
        read_apart(put_together(twice), partial(self._refuse_unlike_path, names))

    def _refuse_unlike_path(self, names: Sequence[str], file: File) -> None:
        place = PLACE if isinstance(file, Together) else "0"
        for name in names:
            if name not in file.columns or name not in file.partitions:
                continue
            cell, constant = file.text(name), file.constant(name)
            same = " OR ".join(
                f"coalesce(try_cast({cell} AS {kind}) = try_cast({constant} AS {kind}), false)"
                for kind in ("DOUBLE", "TIMESTAMP")
            )
            query = (
                f"SELECT {place}, {cell}, {constant} FROM {file.format.scan(file, exact=True)}"
                f" WHERE {cell} IS DISTINCT FROM {constant} AND NOT ({same}) LIMIT 1"
            )
            read = partial(self.run, query, file)
            for at, inside, outside in self._read(file, None, read)[1]:
                part = file.files[at] if isinstance(file, Together) else file
                raise unlike_path(name, part, inside, outside)


def _distinct_names(names: Sequence[str]) -> list[str]:
    """Number repeated names; SQL ignores case, so "Label" and "label" are the same name."""
    seen: set[str] = set()
    distinct = []
    for name in names:
        candidate, number = name, 1
        while candidate.lower() in seen:
            candidate, number = f"{name}_{number}", number + 1
        seen.add(candidate.lower())
        distinct.append(candidate)
    return distinct


def read_batches(connection: duckdb.DuckDBPyConnection, query: str) -> Generator[Batch]:
    """Run a query on columns of BIGINT and VARCHAR, and yield its rows in order.

    The next rows are read while the last ones are used. A caller who stops early must close the
    iterator.
    """
    from concurrent.futures import ThreadPoolExecutor

    import duckdb

    batches = Batches(connection.sql(query).__arrow_c_stream__())
    # In a thread of its own: the main thread handles Ctrl-C while it waits.
    with ThreadPoolExecutor(1) as pool:
        ahead = pool.submit(batches.next)
        try:
            while True:
                batch, message = ahead.result()
                if message is not None:
                    # The exception that DuckDB raises elsewhere: a stream only has its message.
                    kind = re.match(r"([A-Za-z ]+) Error: ", message)
                    name = "" if kind is None else kind[1].replace(" ", "")
                    name = name.title() if name.isupper() else name
                    raise getattr(duckdb, f"{name}Exception", duckdb.Error)(message)
                if batch is None:
                    return
                ahead = pool.submit(batches.next)
                yield batch
                # DuckDB owns the batch's memory and reads on.
                del batch
        finally:
            if not ahead.done():
                connection.interrupt()
