"""The doors of the package: every way in which a table of judgments can be handed over.

A door opens a neutral `Table` (see `tables.py`) and returns the value of its coefficient and the
warnings. A door lists what it lacks, in the words of `needs`: an array has no names, a CSV file
has no types. A table goes through every door that can carry it.

To add a door, add a row to `DOORS`.
"""

from __future__ import annotations

import contextlib
import csv
import functools
import io
import json
import warnings
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import agreement_fast as af
from agreement_fast.cli import main
from agreement_fast.files import ReadOptions

#: Whether files are read in every layout without a word of the user. As long as they are not, a
#: wide file is read as the documentation says, with `layout="wide"` or `--layout wide`.
RECOGNISED = "layout" in ReadOptions.__dataclass_fields__

#: Keywords that coefficients take; others belong to the functions that read.
OF_COEFFICIENTS = {"item", "coder", "label", "layout"}

FAST, BREADTH, ENGINES = "fast", "breadth", "engines"


class Table(NamedTuple):
    """A table as a person sees it.

    Attributes
    ----------
    name : str
        What it is; unique.
    header : tuple of str, or None
        The names of the columns.
    rows : tuple of tuples
        Cells are Python objects, None if there is nothing.
    layout : str
        What the table is: "wide", "long", "counts" or "contingency".
    outcome : Outcome
        What must come of it; see `tables.py`.
    keywords : dict
        What the user names, in Python's words.
    roles : tuple of three names, or None
        The columns of item, coder and label if they are known; for a wide table, the first is the
        column that names the items.
    nameless : bool
        Whether the outcome is the same without names of columns.
    firm : bool
        Whether the outcome is the same if the user names the layout.
    coefficient, distance : str
        What is computed.
    hidden : tuple of str
        The columns that are hidden in a sheet.
    more : frozenset of str
        What a door must carry, beside what `needs` sees by itself.
    """

    name: str
    header: tuple[Any, ...] | None
    rows: tuple[tuple[Any, ...], ...]
    layout: str
    outcome: Any
    keywords: dict[str, Any] = {}  # noqa: RUF012
    roles: tuple[Any, ...] | None = None
    nameless: bool = False
    firm: bool = True
    coefficient: str = "alpha"
    distance: str = "nominal"
    hidden: tuple[str, ...] = ()
    more: frozenset[str] = frozenset()

    @property
    def columns(self) -> list[list[Any]]:
        """The cells by column."""
        return [list(column) for column in zip(*self.rows, strict=True)]

    @property
    def names(self) -> tuple[Any, ...]:
        """The names of the columns, or their places."""
        return tuple(range(len(self.rows[0]))) if self.header is None else self.header


def needs(table: Table) -> set[str]:
    """Return what a door must carry so that the table stays the same.

    names
        Columns have names.
    unnamed
        Columns have no names.
    repeated, any_names, nothing_as_name
        Two columns have the same name; a name is no identifier; a name is empty.
    objects
        A column holds cells of several types, so it is a column of Python objects.
    rows
        One row holds cells of several types.
    gaps, text_gaps
        A cell is empty; so is one beside texts.
    types
        A text reads as a number or as nothing, or a number differs from the same text.
    alike
        A number differs from the text that writes it; both are one number in a sheet, where people
        type numbers as text.
    ends
        A text ends in a blank.
    lists, bytes, dates
        Cells of these types; "arrays", which a table says itself, are lists that must not become
        lists.
    single
        Numbers of less than 64 bits.
    values
        Keywords hold values that a shell cannot write.
    hidden
        Columns are hidden.
    header
        The first row can be declared to be a header or not.
    """
    required = set(table.more)
    if table.header is not None and not table.nameless:
        required.add("names")
    names = [str(name) for name in table.names]
    if len(set(names)) < len(names):
        required.add("repeated")
    if not all(name.isidentifier() and name.isascii() for name in names):
        required.add("any_names")
    if "" in names:
        required.add("nothing_as_name")
    if table.header is None:
        required.add("unnamed")
    if table.hidden:
        required.add("hidden")
    if "header" in table.keywords:
        required.add("header")
    for column in table.columns:
        if len({_kind(cell) for cell in column if cell is not None}) > 1:
            required.add("objects")
        if any(cell is None for cell in column):
            required.add("gaps")
            if any(isinstance(cell, str) for cell in column):
                required.add("text_gaps")
    for row in table.rows:
        kinds = {_kind(cell) for cell in row if cell is not None}
        if len(kinds) > 1:
            required.add("rows")
        if any(isinstance(cell, np.floating) for cell in row):
            required.add("single")
        required |= kinds & {"lists", "bytes", "dates"}
        if any(isinstance(cell, str) and _reads_otherwise(cell) for cell in row):
            required.add("types")
        if any(isinstance(cell, str) and cell.strip() and cell[-1] == " " for cell in row):
            required.add("ends")
    cells = {cell for row in table.rows for cell in row if isinstance(cell, str | int | float)}
    if any(isinstance(cell, str) and cell.isdigit() and int(cell) in cells for cell in cells):
        required.add("alike")
    for name, value in table.keywords.items():
        if isinstance(value, set | frozenset | dict):
            required.add("values")
        if name == "missing" and not isinstance(value, str | list):
            required.add("values")
    return required


def _kind(cell: Any) -> str:
    if isinstance(cell, bool | np.bool_):
        return "bool"
    if isinstance(cell, int | float | np.number):
        return "number"
    if isinstance(cell, str):
        return "text"
    if isinstance(cell, bytes):
        return "bytes"
    if isinstance(cell, date | datetime):
        return "dates"
    return "lists"


def _reads_otherwise(cell: str) -> bool:
    """Return whether a text is read as something else from a file without types."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


class Door(NamedTuple):
    """A way in.

    Attributes
    ----------
    name : str
    tier : str
        FAST, BREADTH or ENGINES.
    open : callable
        Takes a Table and a folder; returns the value.
    lacks : frozenset of str
        What it cannot carry, in the words of `needs`.
    layouts : tuple of str
        The layouts that it takes.
    names_layout : bool
        Whether it says by its own name which layout a table has.
    """

    name: str
    tier: str
    open: Callable[[Table, Path], float]
    lacks: frozenset[str] = frozenset()
    layouts: tuple[str, ...] = ("wide", "long", "counts", "contingency")
    names_layout: bool = False

    def carries(self, table: Table, required: set[str]) -> bool:
        """Return whether a table that needs so much is still the same table behind this door."""
        named = table.keywords.get("layout")
        if table.layout not in self.layouts or required & self.lacks:
            return False
        if self.name.endswith(" by roles") and (table.roles is None or None in table.roles):
            return False
        if self.names_layout:
            return named == table.layout or (named is None and table.firm)
        return True


class Measured(NamedTuple):
    """What came of a table behind a door: a value with warnings, or an error."""

    value: float | None
    warnings: tuple[str, ...]
    error: BaseException | None


def measure(door: Door, table: Table, folder: Path) -> Measured:
    """Open a table and catch what it answers."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            value = door.open(table, folder)
        except (Exception, SystemExit) as error:
            return Measured(None, (), error)
    texts = [f"{warning.category.__name__}: {warning.message}" for warning in caught]
    return Measured(float(value), tuple(texts), None)


# ---------------------------------------------------------------- computing


def _compute(table: Table, data: Any, keywords: dict[str, Any] | None = None) -> float:
    """Ask a coefficient for its value; what it does not take goes to the function that reads."""
    keywords = dict(table.keywords if keywords is None else keywords)
    how = {} if table.distance == "nominal" else {"distance": table.distance}
    if keywords.keys() <= OF_COEFFICIENTS:
        return float(af.agreement(data, table.coefficient, **how, **keywords))
    layout = keywords.pop("layout", table.layout)
    return float(af.agreement(_by_layout(layout, data, keywords), table.coefficient, **how))


def _by_layout(layout: str, data: Any, keywords: dict[str, Any]) -> af.Annotations:
    """Call the function that a layout has a name in."""
    if layout == "long":
        return af.Annotations.from_frame(data, **keywords)
    if layout == "wide":
        plural = {"item": "items", "coder": "coders"}
        named = {plural.get(name, name): value for name, value in keywords.items()}
        return af.Annotations.from_wide(data, **named)
    if layout == "counts":
        return af.Annotations.from_counts(data, **keywords)
    return af.Annotations.from_contingency(data, **keywords)


def _memory(make: Callable[[Table], Any]) -> Callable[[Table, Path], float]:
    """Make a door of a function that turns a table into data."""
    return lambda table, folder: _compute(table, make(table))


def _named(make: Callable[[Table], Any]) -> Callable[[Table, Path], float]:
    """Make a door of the functions that have the layout in their names."""

    def opened(table: Table, folder: Path) -> float:
        keywords = {name: value for name, value in table.keywords.items() if name != "layout"}
        data = _by_layout(table.layout, make(table), keywords)
        return float(af.agreement(data, table.coefficient, distance=table.distance))

    return opened


# ---------------------------------------------------------------- memory


def _uniform(table: Table) -> np.ndarray:
    rows = [[np.nan if cell is None else cell for cell in row] for row in table.rows]
    return np.array(rows)


def _masked(table: Table) -> Any:
    filler = next(cell for row in table.rows for cell in row if cell is not None)
    mask = [[cell is None for cell in row] for row in table.rows]
    rows = [[filler if cell is None else cell for cell in row] for row in table.rows]
    return np.ma.masked_array(np.array(rows), mask)


def _objects(table: Table) -> np.ndarray:
    array = np.empty((len(table.rows), len(table.rows[0])), object)
    for i, row in enumerate(table.rows):
        for j, cell in enumerate(row):
            array[i, j] = cell
    return array


def _structured(table: Table) -> np.ndarray:
    columns = [np.array(column) for column in table.columns]
    fields = [(str(name), column.dtype) for name, column in zip(table.names, columns, strict=True)]
    array = np.empty(len(table.rows), fields)
    # numpy names a field without a name itself.
    for name, column in zip(array.dtype.names or (), columns, strict=True):
        array[name] = column
    return array


def _pandas(table: Table) -> Any:
    import pandas as pd

    return pd.DataFrame(_objects(table), columns=list(table.names))


def _inferred(table: Table) -> Any:
    """A frame as pandas makes it itself, with NaN in columns of numbers."""
    import pandas as pd

    return pd.DataFrame([list(row) for row in table.rows], columns=list(table.names))


def _categorical(table: Table) -> Any:
    frame = _inferred(table)
    texts = [name for name in frame if frame[name].map(type).isin([str, type(None)]).all()]
    return frame.astype(dict.fromkeys(texts, "category"))


def _arrow_backed(table: Table) -> Any:
    import pandas as pd

    return pd.DataFrame(
        {
            name: pd.Series(column, dtype=pd.ArrowDtype(column.type))
            for name, column in zip(table.names, _arrow(table).columns, strict=True)
        }
    )


def _indexed(table: Table) -> Any:
    """A frame with the items as its index."""
    assert table.roles is not None
    return _inferred(table).set_index(table.roles[0])


def _multiindexed(table: Table) -> Any:
    """A frame with items and coders as its index."""
    assert table.roles is not None
    return _inferred(table).set_index(list(table.roles[:2]))


def _arrow(table: Table) -> Any:
    import pyarrow as pa

    names = [str(name) for name in table.names]
    return pa.table([pa.array(column) for column in table.columns], names=names)


def _polars(table: Table) -> Any:
    import polars as pl

    return pl.DataFrame(
        [
            pl.Series(str(name), column, strict=False)
            for name, column in zip(table.names, table.columns, strict=True)
        ]
    )


def _narwhals(table: Table) -> Any:
    import narwhals as nw

    return nw.from_native(_polars(table))


def _columns(table: Table) -> dict[Any, list[Any]]:
    return dict(zip(table.names, table.columns, strict=True))


def _records(table: Table) -> list[dict[Any, Any]]:
    return [dict(zip(table.names, row, strict=True)) for row in table.rows]


def _of_roles(table: Table) -> tuple[list[Any], list[Any], list[Any]]:
    assert table.roles is not None
    columns = _columns(table)
    item, coder, label = table.roles
    return columns[item], columns[coder], columns[label]


def _left(table: Table) -> dict[str, Any]:
    """Return the keywords that do not name columns or the layout."""
    named = {"item", "coder", "label", "layout"}
    return {name: value for name, value in table.keywords.items() if name not in named}


def _from_long(table: Table, folder: Path) -> float:
    items, coders, labels = _of_roles(table)
    data = af.Annotations.from_long(items, coders, labels, **_left(table))
    return float(af.agreement(data, table.coefficient, distance=table.distance))


def _from_triples(table: Table, folder: Path) -> float:
    items, coders, labels = _of_roles(table)
    triples = zip(coders, items, labels, strict=True)
    data = af.Annotations.from_triples(triples, **_left(table))
    return float(af.agreement(data, table.coefficient, distance=table.distance))


# ---------------------------------------------------------------- lazy frames


def _lazy_polars(table: Table) -> Any:
    return _polars(table).lazy()


def _relation(table: Table) -> Any:
    import duckdb

    return duckdb.connect().from_arrow(_arrow(table))


def _ibis(table: Table) -> Any:
    import ibis

    return ibis.duckdb.connect().create_table("judgments", _arrow(table))


def _dask(table: Table) -> Any:
    import dask.dataframe as dd

    return dd.from_pandas(_arrow_backed(table), npartitions=2, sort=False)


@functools.cache
def _session() -> Any:
    from lazy_frames import spark

    stack = contextlib.ExitStack()
    return stack, stack.enter_context(spark())


def _spark(table: Table) -> Any:
    return _session()[1](_arrow(table).to_pandas())


# ---------------------------------------------------------------- files


def _write_text(table: Table, path: Path, delimiter: str = ",", start: str = "") -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(start)
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        if table.header is not None:
            writer.writerow(table.header)
        writer.writerows(["" if cell is None else cell for cell in row] for row in table.rows)


def _write_json(table: Table, path: Path) -> None:
    path.write_text(json.dumps(_records(table), ensure_ascii=False), encoding="utf-8")


def _write_lines(table: Table, path: Path) -> None:
    lines = [json.dumps(record, ensure_ascii=False) for record in _records(table)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _write_parquet(table: Table, path: Path) -> None:
    import pyarrow.parquet as pq

    pq.write_table(_arrow(table), path)


def _write_xlsx(table: Table, path: Path) -> None:
    import openpyxl
    from openpyxl.utils import get_column_letter

    book = openpyxl.Workbook()
    for row in (table.header or (), *table.rows):
        if row:
            book.active.append(list(row))
    for cell in (cell for row in book.active.iter_rows() for cell in row if cell.data_type == "e"):
        cell.data_type = "s"  # openpyxl takes the text "#N/A" for an error
    for name in table.hidden:
        letter = get_column_letter(table.names.index(name) + 1)
        book.active.column_dimensions[letter].hidden = True
    book.save(path)


def _write_ods(table: Table, path: Path) -> None:
    from odf.opendocument import OpenDocumentSpreadsheet
    from odf.table import Table as Sheet
    from odf.table import TableCell, TableRow
    from odf.text import P

    book, sheet = OpenDocumentSpreadsheet(), Sheet(name="labels")
    for row in (table.header or (), *table.rows):
        line = TableRow()
        for value in row:
            if value is None:
                cell = TableCell()
            elif isinstance(value, bool):
                cell = TableCell(valuetype="boolean", booleanvalue=str(value).lower())
            elif isinstance(value, int | float):
                cell = TableCell(valuetype="float", value=value)
            else:
                cell = TableCell(valuetype="string")
            if value is not None:
                cell.addElement(P(text=str(value)))
            line.addElement(cell)
        if row:
            sheet.addElement(line)
    book.spreadsheet.addElement(sheet)
    book.save(str(path))


def _write_xls(table: Table, path: Path) -> None:
    import xlwt

    book = xlwt.Workbook()
    sheet = book.add_sheet("labels")
    for i, row in enumerate(row for row in (table.header or (), *table.rows) if row):
        for j, value in enumerate(row):
            if value is not None:
                sheet.write(i, j, value)
    book.save(str(path))


def _write_spss(table: Table, path: Path) -> None:
    import pyreadstat

    pyreadstat.write_sav(_inferred(table), str(path))


def _write_stata(table: Table, path: Path) -> None:
    import pyreadstat

    pyreadstat.write_dta(_inferred(table), str(path))


Writer = Callable[[Table, Path], None]

#: Endings of files whose columns need no names.
UNNAMED = (".csv", ".tsv")


def _layout_of_files(table: Table) -> dict[str, Any]:
    """Return what the user writes about the layout."""
    layout = table.keywords.get("layout")
    if RECOGNISED:
        return {} if layout is None else {"layout": layout}
    if layout in ("counts", "contingency"):
        return {"layout": layout}
    return {"layout": "wide"} if table.layout != "long" else {}


def _read(write: Writer, end: str) -> Callable[[Table, Path], float]:
    """Make a door of `af.read`."""

    def opened(table: Table, folder: Path) -> float:
        path = folder / f"table{end}"
        write(table, path)
        keywords = {name: value for name, value in table.keywords.items() if name != "layout"}
        if table.header is None and end in UNNAMED:
            keywords["header"] = False
        data = af.read(path, **keywords, **_layout_of_files(table))
        return float(af.agreement(data, table.coefficient, distance=table.distance))

    return opened


def _report(write: Writer, end: str) -> Callable[[Table, Path], float]:
    """Make a door of the command."""

    def opened(table: Table, folder: Path) -> float:
        path = folder / f"table{end}"
        write(table, path)
        arguments = ["report", str(path), "--json", "--coefficient", table.coefficient]
        if table.distance != "nominal":
            arguments += ["--distance", table.distance]
        for name, value in {**table.keywords, **_layout_of_files(table)}.items():
            arguments += _option(name, value)
        if table.header is None and end in UNNAMED:
            arguments.append("--no-header")
        document = _run(arguments)
        for note in document["source"]["notes"]:
            warnings.warn(str(note), af.ReadHint, stacklevel=1)
        (group,) = document["reports"]
        (cell,) = (
            cell for cell in group["table"] if cell["distance"].partition(" ")[0] == table.distance
        )
        return float("nan") if cell["value"] is None else float(cell["value"])

    return opened


def _option(name: str, value: Any) -> list[str]:
    """Write a keyword as an option."""
    if name == "layout" and not RECOGNISED and value == "long":
        return []
    option = f"--{name.replace('_', '-')}"
    if name == "header":
        return [] if value else ["--no-header"]
    if name == "missing":
        listed = [value] if isinstance(value, str) else value
        return [part for one in listed for part in (option, str(one))]
    if isinstance(value, str):
        return [option, value]
    cells = io.StringIO()
    csv.writer(cells, lineterminator="").writerow(value)
    return [option, cells.getvalue()]


class RefusedError(Exception):
    """The line with which the command refuses."""


def _run(arguments: Sequence[str]) -> dict[str, Any]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(arguments))
    if code:
        assert err.getvalue().startswith("agreement-fast: "), err.getvalue()
        raise RefusedError(err.getvalue())
    document: dict[str, Any] = json.loads(out.getvalue())
    return document


# ---------------------------------------------------------------- the table of doors

_UNNAMED = frozenset({"names", "hidden", "header"})
_TYPED = frozenset({"objects", "repeated", "hidden", "header", "single", "arrays"})
_ONE_TYPE = _UNNAMED | {"objects", "rows", "lists", "single"}
_PYTHON = frozenset({"repeated", "hidden", "header"})
_TEXT = frozenset({"types", "lists", "bytes", "hidden", "single", "values"})
_SHEET = _TEXT - {"hidden", "types"} | {"header", "dates", "unnamed", "alike"}
_LAZY = _TYPED | {"lists", "bytes", "dates"}
_FILE = frozenset({"hidden", "header", "lists", "bytes", "dates", "single", "values"})
_STATISTICS = _FILE | {"objects", "repeated", "gaps", "any_names", "alike"}
_JSON = _FILE | {"repeated", "nothing_as_name"}
_WIDE = ("wide", "counts", "contingency")

DOORS = [
    # unnamed
    Door("list of lists", FAST, _memory(lambda table: [list(row) for row in table.rows]),
         _UNNAMED, _WIDE),
    Door("tuple of tuples", FAST, _memory(lambda table: table.rows), _UNNAMED, _WIDE),
    Door("generator", FAST, _memory(lambda table: (list(row) for row in table.rows)),
         _UNNAMED, _WIDE),
    Door("array of objects", FAST, _memory(_objects), _UNNAMED, _WIDE),
    Door("array of one type", FAST, _memory(_uniform), _ONE_TYPE | {"bytes", "text_gaps"}, _WIDE),
    Door("masked array", FAST, _memory(_masked), _ONE_TYPE | {"bytes"}, _WIDE),
    # named
    Door("records", FAST, _memory(_records), _PYTHON),
    Door("mapping of columns", FAST, _memory(_columns), _PYTHON),
    Door("structured array", FAST, _memory(_structured), _TYPED | {"gaps", "lists", "dates"}),
    Door("pandas", FAST, _memory(_inferred), _PYTHON - {"repeated"}),
    Door("pandas of objects", FAST, _memory(_pandas), _PYTHON - {"repeated"}),
    Door("pandas, nullable", FAST, _memory(lambda table: _inferred(table).convert_dtypes()),
         _PYTHON | {"single"}),
    Door("pandas, categorical", FAST, _memory(_categorical), _PYTHON | {"lists"}),
    Door("pandas, Arrow", FAST, _memory(_arrow_backed), _TYPED),
    Door("pandas, items as index by roles", FAST, _memory(_indexed), _PYTHON, ("long",)),
    Door("pandas, two levels of index by roles", FAST, _memory(_multiindexed),
         _PYTHON, ("long",)),
    Door("polars", FAST, _memory(_polars), _TYPED),
    Door("pyarrow", FAST, _memory(_arrow), _TYPED),
    Door("narwhals", FAST, _memory(_narwhals), _TYPED),
    # doors that name the layout
    Door("from_<layout> of lists", FAST, _named(lambda table: [list(row) for row in table.rows]),
         _UNNAMED, _WIDE, names_layout=True),
    Door("from_<layout> of pandas", FAST, _named(_inferred), _PYTHON, names_layout=True),
    Door("from_<layout> of polars", FAST, _named(_polars), _TYPED, names_layout=True),
    Door("from_long by roles", FAST, _from_long, _PYTHON, ("long",),
         names_layout=True),
    Door("from_triples by roles", FAST, _from_triples, _PYTHON, ("long",),
         names_layout=True),
    # lazy frames
    Door("lazy polars", BREADTH, _memory(_lazy_polars), _LAZY),
    Door("relation of DuckDB", BREADTH, _memory(_relation), _LAZY),
    Door("Ibis on DuckDB", ENGINES, _memory(_ibis), _LAZY),
    Door("Dask", ENGINES, _memory(_dask), _LAZY),
    Door("Spark", ENGINES, _memory(_spark), _LAZY),
    # files
    Door("read .csv", FAST, _read(_write_text, ".csv"), _TEXT),
    Door("read .csv with a mark", BREADTH,
         _read(lambda table, path: _write_text(table, path, start="\ufeff"), ".csv"),
         _TEXT),
    Door("read .tsv", BREADTH, _read(lambda table, path: _write_text(table, path, "\t"), ".tsv"),
         _TEXT),
    Door("read .json", BREADTH, _read(_write_json, ".json"), _JSON),
    Door("read .jsonl", BREADTH, _read(_write_lines, ".jsonl"), _JSON),
    Door("read .parquet", BREADTH, _read(_write_parquet, ".parquet"), _FILE | {"objects"}),
    Door("read .xlsx", BREADTH, _read(_write_xlsx, ".xlsx"), _SHEET),
    Door("read .ods", BREADTH, _read(_write_ods, ".ods"), _SHEET | {"hidden"}),
    Door("read .xls", BREADTH, _read(_write_xls, ".xls"), _SHEET | {"hidden"}),
    Door("read .sav", BREADTH, _read(_write_spss, ".sav"),
         _STATISTICS | {"ends"}),
    Door("read .dta", BREADTH, _read(_write_stata, ".dta"),
         _STATISTICS),
    Door("report .csv", FAST, _report(_write_text, ".csv"), _TEXT),
    Door("report .jsonl", BREADTH, _report(_write_lines, ".jsonl"), _JSON),
    Door("report .parquet", BREADTH, _report(_write_parquet, ".parquet"), _FILE | {"objects"}),
    Door("report .xlsx", BREADTH, _report(_write_xlsx, ".xlsx"), _SHEET),
]  # fmt: skip


def doors(*tiers: str) -> Iterable[Door]:
    """Return the doors of some tiers."""
    return [door for door in DOORS if door.tier in tiers]
