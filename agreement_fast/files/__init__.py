"""Reading annotation files: tables of text, spreadsheets and others into columns of codes.

The files are read by DuckDB, which is imported in this package only, and only when a file is read
(``pip install "agreement-fast[cli]"``). What leaves it are numpy arrays of codes with the
values that they stand for: no Python object is made for a row. Many rows can be read part by part,
with every item whole in one part (`open_table`).

Files are data, never programs: DuckDB is opened without extensions, network or any file other than
the named ones, and the only SQL that comes from outside, ``where``, is parsed as one expression.

References
----------
Layouts are those of the tools that people come from: long as NLTK and crowd platforms have it (one
judgment a row), wide as spreadsheets have it (one item a row, one column a coder).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack

import numpy as np

from agreement_fast.files import stream
from agreement_fast.files.errors import ReadError, one_line
from agreement_fast.files.file import File
from agreement_fast.files.folders import tables_of
from agreement_fast.files.guessed_labels import check_guessed_label
from agreement_fast.files.opening import Workplace, open_files
from agreement_fast.files.partitions import refuse_unlike_paths
from agreement_fast.files.query import MEMORY, MEMORY_OF_STREAM, Reader, connect
from agreement_fast.files.restarted_items import FOLDER, Folders
from agreement_fast.files.roles import Asked, Roles, choose_columns, refuse_faults
from agreement_fast.files.stream import Progress, Stream, quietly
from agreement_fast.files.tables import Coded, LongTable, Source, WideTable
from agreement_fast.files.twice_said import notes_on_paths
from agreement_fast.files.wide import settle_coders

__all__ = [
    "Asked",
    "Coded",
    "LongTable",
    "ReadError",
    "Source",
    "Stream",
    "WideTable",
    "Workplace",
    "column_names",
    "open_table",
    "read",
]


def read(
    paths: str | Sequence[str],
    *,
    item: str | Sequence[str] | None = None,
    coder: str | Sequence[str] | None = None,
    label: str | None = None,
    weights: str | None = None,
    by: str | Sequence[str] | None = None,
    wide: bool = False,
    where: str | None = None,
    missing: Iterable[str] = (),
    header: bool = True,
    delimiter: str | None = None,
    encoding: str | None = None,
    text: bool = False,
    exclude: Iterable[str] = (),
    skip_rows: int = 0,
    sheet: str | int | None = None,
    coder_from: str | None = None,
    value_codes: bool = False,
) -> LongTable | WideTable:
    """Read annotation files, long (one judgment a row) unless `wide`.

    CSV and TSV (delimiter found from the first line), JSON (lines, or one array of objects) and
    Parquet; the first two also compressed by gzip or zstd. Spreadsheets (.xlsx, .xls, .ods) with
    the extra ``excel``, SPSS, Stata and SAS with ``stats``. ``"-"`` is the standard input. Several
    files are read as one.

    Parameters
    ----------
    paths : str or sequence of str
        Files, globs, or folders, which stand for the tables below them.
    item, coder, label : str, optional
        Column names; guessed from usual names where absent. The item may be several columns, which
        are joined to one name, and so may the coder where `label` is named, too. With `wide`,
        `coder` may be a sequence of columns, one for each coder: every column that has no other
        role where absent. What a path says, ``project=a/day=2``, are columns that can be named.
    weights : str, optional
        Column of item frequencies: whole numbers, not negative.
    by : str or sequence of str, optional
        Columns of groups; see `LongTable.split`. A row without a value belongs to no group; with
        several columns, a group has None where its rows have no value.
    wide : bool, default False
        One item a row, one column a coder.
    where : str, optional
        A condition in SQL on the columns of the file; only rows that satisfy it are read.
    missing : iterable of str
        Labels that stand for a missing judgment. Empty cells are missing anyway.
    header : bool, default True
        False: the first line of a CSV holds data, and the columns are called "1", "2", "3".
    delimiter : str, optional
        One character; found from the first line where absent.
    encoding : {"utf-8", "utf-16", "cp1252", "latin-1"}, optional
        Of texts. UTF-8, or UTF-16 where the file starts with its mark.
    text : bool, default False
        Keep labels as text, also where all of them are numbers.
    exclude : iterable of str
        Columns that are neither guessed nor, with `wide`, taken for coders.
    skip_rows : int, default 0
        How many rows stand above the header of each CSV file or spreadsheet.
    sheet : str or int, optional
        Name or number, from 1, of the sheet of each spreadsheet; the only one that has data where
        absent.
    coder_from : str, optional
        For files of one coder each: "file" takes the file's name for the coder, without what the
        names of all files begin and end with; else a regular expression that is searched in each
        path, whose only group, or the one called "coder", is the coder.
    value_codes : bool, default False
        Read the numbers of SPSS and Stata, and not their value labels.

    Returns
    -------
    LongTable or WideTable

    Raises
    ------
    ReadError
        In one line: what is wrong, in which file, and what to do.

    Notes
    -----
    A CSV has no types. Its labels are numbers where every label that is not missing is written as
    a number without leading zeros, else text; items and coders are always text. One pass over the
    files, then O(rows) on three columns of DuckDB's, which spills to disk where memory ends.

    Examples
    --------
    >>> from importlib.resources import files
    >>> path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
    >>> table = read(str(path), label="label")
    >>> table.source.rows, table.source.guessed
    (315, ('item', 'coder'))
    >>> table.labels.values
    array([1, 2, 3, 4])
    """
    asked = Asked(
        item=item,
        coder=coder,
        label=label,
        weights=weights,
        by=by,
        wide=wide,
        where=where,
        missing=tuple(missing),
        header=header,
        delimiter=delimiter,
        encoding=encoding,
        text=text,
        exclude=tuple(exclude),
        skip_rows=skip_rows,
        sheet=sheet,
        coder_from=coder_from,
        value_codes=value_codes,
    )
    with ExitStack() as stack:
        workplace = Workplace(stack)
        table = open_table(
            workplace, [paths] if isinstance(paths, str) else paths, asked, whole=True
        )
    assert not isinstance(table, Stream)
    return table


def open_table(
    workplace: Workplace,
    paths: Sequence[str],
    asked: Asked,
    *,
    whole: bool = False,
    progress: Progress = quietly,
) -> LongTable | WideTable | Stream:
    """Read files, or, where their rows are many, make ready to read them part by part.

    Parameters
    ----------
    workplace : Workplace
        A Stream reads until it is closed; with it go all temporary files.
    paths, asked :
        As in `read`.
    whole : bool, default False
        Read everything at once, however much it is.
    progress : Progress, optional
        Called with the progress of reading many rows.

    Returns
    -------
    LongTable, WideTable or Stream
        A Stream where the files of a long table have more than ``stream.LARGE`` rows.

    Raises
    ------
    ReadError
    """
    names, notes = tables_of(paths)
    files = open_files(names, workplace, asked)
    connection = connect(files, workplace)
    workplace.at_end(connection.close)
    # What goes wrong in one file names it; this is for the rest, such as a full disk.
    with one_line("reading"):
        reader = Reader(connection, files)
        reader.find_columns(asked.where)
        refuse_unlike_paths(asked.where, files)
        roles = choose_columns(asked, files)
        notes += roles.notes
        if "coders" in roles.guessed:
            reader.check_condition(asked.where)
            roles = settle_coders(reader, roles, asked, files)
            notes += roles.notes
        refuse_faults(roles.columns(), files)
        notes += notes_on_paths(reader, roles, asked.where, files, asked.exclude)
        table = _rows(reader, roles, asked, files, workplace, notes, progress, whole=whole)
        if roles.label is not None and "label" in roles.guessed:
            # A stream has no codes to count: a missing label among its many rows is let pass.
            in_parts = isinstance(table, Stream)
            judgments = table.source.rows if in_parts else np.sum(table.labels.codes >= 0)
            check_guessed_label(roles.label, table.labels, int(judgments))
        return table


def column_names(workplace: Workplace, path: str, asked: Asked) -> list[str]:
    """Give the names of the columns of a file, opened as `open_table` opens it."""
    names, _ = tables_of([path])
    files = open_files(names, workplace, asked)
    connection = connect(files, workplace)
    workplace.at_end(connection.close)
    with one_line("reading"):
        Reader(connection, files).find_columns(None)
    return files[0].columns


def _rows(
    reader: Reader,
    roles: Roles,
    asked: Asked,
    files: Sequence[File],
    workplace: Workplace,
    notes: Sequence[str],
    progress: Progress,
    *,
    whole: bool,
) -> LongTable | WideTable | Stream:
    """Read the rows, or make ready to read them part by part."""
    memory = None
    if not (whole or roles.wide) and stream.may_be_large(files):
        if reader.has_more(files, stream.LARGE):
            reader.lock(MEMORY_OF_STREAM)
            reader.prepare(roles, asked.where)
            return Stream(reader, roles, asked, files, workplace, notes, progress)
        memory = MEMORY
    reader.lock(memory)
    reader.prepare(roles, asked.where)
    folders = Folders.of(roles, files)
    if folders is None:
        reader.load(roles, asked.where)
        return reader.table(roles, asked, notes)
    reader.load(roles, asked.where, [FOLDER])
    return folders.told(reader.table(roles, asked, notes), lambda: reader.numbers(roles))
