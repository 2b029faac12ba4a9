"""Read annotation files (tables of text, spreadsheets and others) into columns of codes.

Python alone reads plain CSV of up to a megabyte (`plain`); DuckDB reads all else, and only this
package imports it (``pip install "agreement-fast[cli]"``). The results are numpy arrays of codes
and the values that the codes stand for: DuckDB makes no Python object for a row. Large files can be
read part by part, each item whole in one part (`open_table`).

Files are data, never programs: DuckDB may not load extensions, use the network or open files other
than the named ones. ``where``, the only SQL that users write, is parsed as a single expression.

References
----------
The layouts are those of common tools: long as in NLTK and crowd platforms (one judgment per row),
wide as in spreadsheets (one item per row, one column per coder).
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agreement_fast.files import stream
from agreement_fast.files.errors import ReadError, as_read_errors, one_line
from agreement_fast.files.file import File, take_coders
from agreement_fast.files.opening import Workplace
from agreement_fast.files.plain import open_reader
from agreement_fast.files.query import MEMORY, MEMORY_OF_STREAM, QueryReader
from agreement_fast.files.reader import FOLDER, Folders, check_guessed_label, notes_on_paths
from agreement_fast.files.roles import (
    ReadOptions,
    RowOptions,
    check_everywhere,
    choose_columns,
    columns_of,
    excluded_columns,
    key_column,
    look_at,
    named_column,
    refuse_faults,
    uncertain_roles,
)
from agreement_fast.files.stream import Progress, Stream, quietly
from agreement_fast.files.tables import Coded, LongTable, Source, WideTable
from agreement_fast.reading.recognition.recognise import (
    columns_by_name,
    doubt_one_document,
    refuse_gold,
    refuse_void,
)
from agreement_fast.reading.recognition.wording import SHELL, listed_for_shell

__all__ = [
    "Coded",
    "LongTable",
    "ReadError",
    "ReadOptions",
    "Source",
    "Stream",
    "WideTable",
    "Workplace",
    "column_names",
    "open_table",
    "read",
]


def read(paths: str | Sequence[str], **options: Any) -> LongTable | WideTable:
    """Read annotation files: one judgment per row, or one item per row with `layout="wide"`.

    Formats are CSV and TSV, JSON (lines, or one array of objects), each also compressed by gzip or
    zstd, and Parquet. Spreadsheets (.xlsx, .xls, .ods) need the extra ``excel``; SPSS, Stata and
    SAS need ``stats``. ``"-"`` is standard input. Several files are read as one.

    Parameters
    ----------
    paths : str or sequence of str
        Files, globs or folders. A folder stands for all tables below it.
    item, coder, label : str, optional
        Column names; guessed from usual names by default. `item` may be several columns, which
        are joined to one name, and so may `coder` if `label` is given. With `layout="wide"`,
        `coder` may be a sequence of columns, one for each coder; by default, every column without
        another role. Folders such as ``project=a/day=2`` in a path are columns that can be named.
    weights : str, optional
        Column of item frequencies: whole numbers, not negative.
    by : str or sequence of str, optional
        Columns of groups; see `LongTable.split`. A row without a value belongs to no group; with
        several columns, a group has None for those without a value.
    layout : {"long", "wide", "counts", "contingency"}, optional
        One judgment a row; one item a row and one column per coder, or per label with its counts;
        or two coders' contingency table. Recognised by default, or refused.
    where : str, optional
        A condition in SQL on the columns of the file; only rows that satisfy it are read.
    missing : iterable of labels
        Labels that stand for a missing judgment. Empty and blank cells are missing anyway.
    header : bool, default True
        Whether the first line of a CSV names the columns; else they are called "1", "2", "3".
    delimiter : str, optional
        One character; found from the first line by default.
    encoding : {"utf-8", "utf-16", "cp1252", "latin-1"}, optional
        Encoding of text files. By default UTF-8, or UTF-16 if the file starts with its mark.
    text : bool, default False
        Keep labels as text, even if all of them are numbers.
    exclude : iterable of str
        Columns that are not guessed to have a role and, with `layout="wide"`, are not coders.
    skip_rows : int, default 0
        Number of rows above the header of each CSV file or spreadsheet.
    sheet : str or int, optional
        Name or number, from 1, of the sheet of each spreadsheet; by default the only sheet that
        has data.
    coder_from : str, optional
        For files of one coder each: "file" takes the coder from the name of the file, without the
        beginning and end that all names share. Any other text is a regular expression that is
        searched in each path; its only group, or its group "coder", is the coder.
    value_codes : bool, default False
        Read the codes of SPSS and Stata instead of their value labels.

    Returns
    -------
    LongTable or WideTable
        The columns as codes, and the values that the codes stand for.

    Raises
    ------
    ReadError
        In one line: what is wrong, in which file, and what to do.

    Notes
    -----
    A CSV has no types. Its labels are numbers if every label that is not missing is written as a
    number without leading zeros, else text. Items and coders are always text. The files are read
    once; the rest is O(rows) on three columns in DuckDB, which spills to disk if memory runs out.

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
    for name in {"missing", "exclude"} & options.keys():
        options[name] = tuple(options[name])
    with ExitStack() as stack:
        workplace = Workplace(stack)
        listed = [paths] if isinstance(paths, str) else paths
        table = open_table(workplace, listed, ReadOptions(**options), whole=True)
    assert not isinstance(table, Stream)
    return table


def open_table(
    workplace: Workplace,
    paths: Sequence[str],
    options: ReadOptions,
    *,
    whole: bool = False,
    progress: Progress = quietly,
) -> LongTable | WideTable | Stream:
    """Read files, or, if they have many rows, prepare to read them part by part.

    Parameters
    ----------
    workplace : Workplace
        Holds the temporary files. A Stream reads from them until the workplace is closed.
    paths : sequence of str
        Files, globs or folders.
    options : ReadOptions
        The arguments of `read`.
    whole : bool, default False
        Read everything at once, even if it is large.
    progress : Progress, optional
        Called with the progress while many rows are read.

    Returns
    -------
    LongTable, WideTable or Stream
        A Stream if the files of a long table have more than ``stream.LARGE`` rows.

    Raises
    ------
    ReadError
        In one line: what is wrong, in which file, and what to do.

    Examples
    --------
    >>> from importlib.resources import files
    >>> path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
    >>> with ExitStack() as stack:
    ...     table = open_table(Workplace(stack), [str(path)], ReadOptions())
    ...     table.source.rows
    315
    """
    reader = open_reader(paths, workplace, options)
    # An error in one file names that file; this is for other errors, such as a full disk.
    with one_line("reading"):
        reader.find_columns(options.where)
        with as_read_errors():
            roles = choose_columns(reader, options)
        refuse_faults(roles.columns(), reader.files)
        on_paths = notes_on_paths(reader, roles, options.where, options.exclude)
        reader.notes += [*roles.notes, *on_paths]
        table: LongTable | WideTable | Stream
        large = not (whole or roles.wide) and stream.may_be_large(reader.files)
        if large and isinstance(reader, QueryReader) and reader.has_more(stream.LARGE):
            reader.lock(MEMORY_OF_STREAM)
            reader.prepare(roles)
            table = Stream(reader, roles, options, workplace, progress)
        else:
            reader.lock(MEMORY if large else None)
            reader.prepare(roles)
            folders = Folders.of(roles, reader.files)
            reader.load(roles, options.where, [FOLDER] if folders else [])
            table = reader.table(roles, options)
            if folders:
                table = folders.with_note(table, lambda: reader.numbers(roles))
        if roles.label is not None and "label" in roles.guessed:
            # A stream has no codes to count, so its missing labels count as judgments here.
            in_parts = isinstance(table, Stream)
            judgments = table.source.rows if in_parts else np.sum(table.labels.codes >= 0)
            check_guessed_label(roles.label, table.labels, int(judgments))
        if roles.coder is not None and "coder" in roles.guessed:
            with as_read_errors():
                refuse_gold(table.coder_names, roles.coder, SHELL)
        return table


def column_names(workplace: Workplace, path: str, options: ReadOptions) -> list[str]:
    """Return the names of the columns of a file.

    Parameters
    ----------
    workplace : Workplace
        Holds temporary files.
    path : str
        The file.
    options : ReadOptions
        Says how the file is written; its roles are ignored.

    Returns
    -------
    list of str
        Names in the order of the columns.

    Examples
    --------
    >>> from importlib.resources import files
    >>> path = files("agreement_fast") / "data" / "dawid_skene_1979_anaesthetists.csv"
    >>> with ExitStack() as stack:
    ...     column_names(Workplace(stack), str(path), ReadOptions())
    ['coder', 'item', 'label']
    """
    reader = open_reader([path], workplace, options)
    with one_line("reading"):
        reader.find_columns(None)
    return reader.files[0].columns


# -- tables whose columns have special roles: units, links, segmentations, chains


@dataclass(frozen=True)
class Role:
    """The role of a column."""

    #: Names without empty cells, texts, labels (numbers if all of them are) or positions: {"key",
    #: "text", "label", "number"}.
    kind: Literal["key", "text", "label", "number"]
    needed: bool = True


#: The roles in a table of one unit per row.
UNIT_ROLES = {
    "coder": Role("key"),
    "start": Role("number"),
    "end": Role("number"),
    "category": Role("label", needed=False),
    "document": Role("key", needed=False),
}


@dataclass(frozen=True)
class ColumnOptions(RowOptions):
    """The same options, and columns by role."""

    named: Mapping[str, str | Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ColumnTable:
    """Columns by role; roles without a column are left out."""

    source: Source
    #: Names, texts and labels; -1 is an empty cell: dict of str to Coded, codes of shape (rows,).
    keys: dict[str, Coded]
    #: Dict of str to int64 or float64 arrays of shape (rows,).
    numbers: dict[str, NDArray[Any]]


class _Chosen(NamedTuple):
    """The columns that were chosen, by role."""

    columns_of_roles: dict[str, str]
    guessed: tuple[str, ...]
    notes: tuple[str, ...]
    kinds: Mapping[str, Role]

    def labels(self) -> tuple[str, ...]:
        named = self.columns_of_roles.items()
        return tuple(column for role, column in named if self.kinds[role].kind == "label")

    def with_gaps(self) -> tuple[str, ...]:
        return ()

    def columns(self) -> list[str]:
        return list(dict.fromkeys(self.columns_of_roles.values()))


def read_columns(
    workplace: Workplace,
    paths: Sequence[str],
    options: ColumnOptions,
    roles: Mapping[str, Role],
    layout: Literal["units", "links", "segmentations"],
) -> ColumnTable:
    """Read files whose columns have these roles.

    `workplace`: where temporary files are put. `paths`: files, folders or globs; several files are
    read as one. `options`: columns that are not named are guessed from usual names. `roles`: in
    the order in which the result lists them. `layout`: the layout that the result reports. A
    ReadError says in one line what is wrong, in which file, and what to do.
    """
    reader = open_reader(paths, workplace, options)
    with one_line("reading"):
        reader.find_columns(options.where)
        chosen = _choose(options, reader.files, roles)
        notes = [*reader.notes, *notes_on_paths(reader, chosen, options.where)]
        reader.lock(None)
        reader.check_condition(options.where)
        known, names = chosen.columns_of_roles, reader.files[0].columns
        taken = {*chosen.columns(), *options.exclude}
        others = [name for name in names if name not in taken and names.count(name) == 1]
        used = [known[role] for role in ("coder", "category") if known.get(role) in names]
        table = look_at(reader, [*others, *used], ReadOptions(where=options.where))
        if "coder" in chosen.guessed:
            with as_read_errors():
                for name in others:
                    refuse_void(table, name, ("coder", known["coder"]), SHELL)
        if layout == "units" and "document" not in known:
            roles_there = {role: name for role, name in known.items() if name in used}
            doubt = doubt_one_document(
                table, others, roles_there, lambda name: f"--document {listed_for_shell([name])}"
            )
            notes += filter(None, [doubt])
        reader.prepare(chosen)
        reader.load(chosen, options.where)
        notes += [*chosen.notes, *reader.remarks(chosen)]
        keys: dict[str, Coded] = {}
        numbers: dict[str, NDArray[Any]] = {}
        for role in filter(chosen.columns_of_roles.__contains__, roles):
            kind, name = roles[role].kind, chosen.columns_of_roles[role]
            place = chosen.columns().index(name)
            if kind == "number":
                numbers[role] = reader.positions(place, name)
                continue
            keys[role] = reader.texts(place) if kind == "text" else reader.keys(place, name)
            if kind == "label":
                keys[role] = reader.value_labels(keys[role], ReadOptions(text=options.text), notes)
        own = {"rows": reader.n_rows(), "guessed": chosen.guessed}
        columns = tuple((role, chosen.columns_of_roles.get(role)) for role in roles)
        source = reader.source(layout, options.where, notes, columns=columns, **own)
        return ColumnTable(source, keys, numbers)


def _choose(options: ColumnOptions, files: Sequence[File], roles: Mapping[str, Role]) -> _Chosen:
    """Decide which column has which role: as asked, else by usual names."""
    columns = files[0].columns
    chosen = {
        role: named_column(name, files[0].known, files[0], role)
        if isinstance(name, str) and roles[role].kind != "key"
        else key_column(name, files, role)
        for role, name in options.named.items()
    }
    notes: list[str] = []
    if options.coder_from is not None:
        if "coder" in chosen:
            raise ReadError("--coder and --coder-from exclude each other")
        chosen["coder"], notes = take_coders(files, options.coder_from)
    named = [part for name in chosen.values() for part in files[0].own(name)]
    excluded = excluded_columns(options.exclude, named, files)
    taken = {*named, *chosen.values(), *excluded}
    guessed, several = columns_by_name([r for r in roles if r not in chosen], columns, taken)
    if several:
        raise ReadError(*uncertain_roles(several))
    chosen |= guessed
    if unknown := [role for role in roles if roles[role].needed and role not in chosen]:
        advice = " ".join(f"--{role}" for role in unknown)
        if unknown == ["coder"] and len(files) > 1:
            advice += ", or --coder-from file if each file is of one coder"
        raise ReadError(
            f"cannot tell which column is the {' and the '.join(unknown)}: pass {advice};"
            f" {columns_of(files[0])}"
        )
    used = [part for name in chosen.values() for part in files[0].own(name)]
    if len(set(used)) < len(used):
        *first, last = roles
        raise ReadError(f"{', '.join(first)} and {last} must be different columns")
    check_everywhere(list(chosen.values()), files)
    refuse_faults(list(chosen.values()), files)
    return _Chosen(chosen, tuple(guessed), tuple(notes), roles)
