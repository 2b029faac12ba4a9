"""Reading annotation files: CSV, TSV, JSON lines and Parquet into columns of codes.

The files are read by DuckDB, which is imported in this package only, and only when a file is read
(``pip install "agreement-fast[cli]"``). What leaves it are numpy arrays of codes with the
values that they stand for: no Python object is made for a row, so the same queries can later be
run piece by piece over files that do not fit in memory.

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

from agreement_fast.files.errors import ReadError, one_line
from agreement_fast.files.opening import Workplace, expand, open_file
from agreement_fast.files.query import Reader, connect
from agreement_fast.files.roles import Asked, choose_columns
from agreement_fast.files.tables import Coded, LongTable, Source, WideTable

__all__ = ["Coded", "LongTable", "ReadError", "Source", "WideTable", "read"]


def read(
    paths: str | Sequence[str],
    *,
    item: str | None = None,
    coder: str | Sequence[str] | None = None,
    label: str | None = None,
    weights: str | None = None,
    by: str | None = None,
    wide: bool = False,
    where: str | None = None,
    missing: Iterable[str] = (),
    header: bool = True,
    delimiter: str | None = None,
    encoding: str | None = None,
    text: bool = False,
) -> LongTable | WideTable:
    """Read annotation files, long (one judgment a row) unless `wide`.

    CSV and TSV (delimiter found from the first line), JSON (lines, or one array of objects) and
    Parquet; the first two also compressed by gzip or zstd. ``"-"`` is the standard input. Several
    files are read as one.

    Parameters
    ----------
    paths : str or sequence of str
        Files or globs.
    item, coder, label : str, optional
        Column names; guessed from usual names where absent. With `wide`, `coder` may be a sequence
        of columns, one for each coder: every column that has no other role where absent.
    weights : str, optional
        Column of item frequencies: whole numbers, not negative.
    by : str, optional
        Column of groups; see `LongTable.split`.
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
    encoding : {"utf-8", "utf-16", "latin-1"}, optional
        Of CSV files. UTF-8, or UTF-16 where the file starts with its mark.
    text : bool, default False
        Keep labels as text, also where all of them are numbers.

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
    names, notes = expand([paths] if isinstance(paths, str) else list(paths))
    asked = Asked(item, coder, label, weights, by, wide, header)
    with ExitStack() as stack:
        workplace = Workplace(stack)
        opened = [open_file(name, workplace, header, delimiter, encoding) for name in names]
        connection = connect([one.path for one in opened], workplace)
        stack.callback(connection.close)
        # What goes wrong in one file names it; this is for the rest, such as a full disk.
        stack.enter_context(one_line("reading"))
        reader = Reader(connection, opened)
        reader.find_columns()
        roles = choose_columns(asked, opened)
        reader.load(roles, where)
        return reader.table(roles, where, tuple(missing), text, tuple(notes))
