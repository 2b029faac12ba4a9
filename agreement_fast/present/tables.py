"""Results as tables: for data frames, Arrow, CSV files and notebooks.

A result inherits `Tabular` and defines its columns; everything else follows from them. `Matrix` is
a two-dimensional array with names on both sides. `Table` holds columns that belong to no result.
"""

from __future__ import annotations

import csv
import datetime
import html
import importlib.util
import itertools
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, fields
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar, TextIO, TypeVar, overload

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import InputError, InputTypeError, UnknownKeyError
from agreement_fast.present.terminal import (
    align,
    escape,
    filled,
    more,
    repr_label,
    show_as,
    show_interval,
    show_label,
    show_level,
    show_number,
    show_value,
    some_of,
    spell_label,
)

#: Libraries of data frames. The first one that is imported, or else installed, makes a frame.
LIBRARIES = ("pandas", "polars", "pyarrow")

#: How many rows of a table, and columns of a matrix, a notebook shows from each end.
SHOWN = 10

#: Columns about how a result was computed: frames have them, notebooks do not show them.
_DETAILS = (
    "chance confidence_level incomplete item_weight largest_distance method n_items_dropped "
    "n_resamples n_undefined resample"
)
DETAILS = frozenset(_DETAILS.split())

#: What other programs call the attributes of a result, by what they are called here.
OTHER_NAMES = {
    name: tuple(meant.split())
    for meant, names in {
        "low high": "ci conf_int confint confidence_interval interval",
        "low": "low lower ci_low ci_lower",
        "high": "high upper ci_high ci_upper",
        "standard_error": "standard_error se std_err std_error stderr",
        "p_value": "p_value pvalue p",
        "value": "estimate est score coef coefficient_value statistic",
        "to_frame": "df to_pandas to_dataframe to_polars frame table to_excel to_markdown to_latex",
        "to_dict": "to_json as_dict dict json",
        "write_csv": "to_csv csv",
        "to_text": "print summary to_string",
        "save": "to_html html to_docx to_pdf to_word write show",
        "labels": "label consensus",
        "gold_check": "accuracy",
        "findings": "coders problems",
        "confusion": "confusion_matrices confusion_matrix",
    }.items()
    for name in names.split()
}

#: What people look for at a result, and what to write.
WAYS = {
    "apa": "af.report(data, style='apa').sentence() is the sentence for a paper",
    "interpretation": "af.inference.benchmark(result) reads it on a published scale",
    "plot": "af.plots.forest(result) draws it",
}

#: Types of values that every library has.
_PLAIN = frozenset({bool, int, float, str})

#: Types of values that do not fit a cell.
_COMPOUND = (tuple, list, dict, np.ndarray)


class Tabular:
    """A result that is also a table. A subclass defines `columns`."""

    __slots__ = ()

    #: Columns that a notebook does not show.
    aside: ClassVar[frozenset[str]] = DETAILS

    #: The repr and the text of a result: a sentence (see `filled`), a layout of columns (see
    #: `laid_out`), the column that orders its rows ("-name" has the largest first, "|name|" the
    #: one that is furthest from 0), how many of them are shown, what a row is, attributes with
    #: remarks, and those that only the text has.
    _caption: ClassVar[str] = ""
    _table: ClassVar[str] = ""
    _ordered_by: ClassVar[str] = ""
    _most: ClassVar[int | None] = 10
    _what: ClassVar[str] = "row"
    _remarks: ClassVar[str] = "note undefined"
    _below: ClassVar[str] = "notes"

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns by name: lists or arrays of the same length."""
        raise NotImplementedError

    def _advice(self, name: str) -> str:
        """Say, after "object has no attribute ...", what is meant by a name; "" if nothing is."""
        if name.startswith("_"):
            return ""
        meant = OTHER_NAMES.get(name, (name,))
        own = [entry for entry in dir(self) if entry[0] != "_" and not hasattr(float, entry)]
        if not hasattr(type(self), name) and name not in meant and {*own}.issuperset(meant):
            return f": it has {' and '.join(meant)}"
        if name in WAYS:
            return f": {WAYS[name]}"
        if meant == OTHER_NAMES["print"]:
            return ": print(result) shows it, and af.report(data) what it rests on"
        return f": it has {', '.join(own)}"

    if not TYPE_CHECKING:  # which knows the attributes

        def __getattr__(self, name: str) -> Any:
            """Raise an error that names the attribute that is meant."""
            text = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(text + self._advice(name), name=name, obj=self)

    def to_dict(self) -> dict[str, Any]:
        """Return the columns as lists.

        Returns
        -------
        dict of str to list
            The columns by name. NaN stays NaN, None stays None.
        """
        return {name: _listed(column) for name, column in self.columns().items()}

    def to_frame(self, library: str | ModuleType | None = None) -> Any:
        """Return a data frame.

        Parameters
        ----------
        library : {"pandas", "polars", "pyarrow"} or module, optional
            The library of the frame. By default, the first of pandas, polars and pyarrow that is
            already imported, or else installed.

        Returns
        -------
        pandas.DataFrame, polars.DataFrame or pyarrow.Table
            The table. Undefined values are null. Sets, and columns with labels of several types,
            become text.

        Raises
        ------
        ValueError
            If the library is unknown or not installed.

        Examples
        --------
        >>> import agreement_fast as af
        >>> table = af.agreement_table([["x", "x"], ["y", "y"], ["x", "y"]], ["pi", "kappa"])
        >>> table.to_frame("pandas")[["coefficient", "value"]].round(3)
          coefficient  value
        0          pi  0.333
        1       kappa  0.400
        """
        import narwhals as nw

        columns = {name: _uniform(column) for name, column in self.columns().items()}
        backend: Any = _library(library)
        return nw.from_dict(columns, backend=backend).to_native()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Export the table to libraries that read Arrow streams: polars, pyarrow, DuckDB."""
        library = next((name for name in ("pyarrow", "polars") if _is_installed(name)), None)
        if library is None:
            raise InputError(
                "an Arrow stream needs pyarrow or polars", 'pip install "agreement-fast[parquet]"'
            )
        return self.to_frame(library).__arrow_c_stream__(requested_schema)

    def write_csv(self, path: str | Path) -> None:
        """Write the table as CSV: UTF-8, with a header, and empty cells for undefined values.

        Parameters
        ----------
        path : str or Path
            The file to write.
        """
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            write_rows(self, file)

    def _value_of(self, name: str) -> Any:
        """Give an attribute, or one of an attribute, for a sentence."""
        if name == "type":
            return type(self).__name__
        if name == "rows":
            return len(self)  # type: ignore[arg-type]
        if name == "interval":
            return show_interval(self) if self.low == self.low else None  # type: ignore[attr-defined]
        first, _, second = name.partition(".")
        value = getattr(self, first)
        if second:
            value = None if value is None else getattr(value, second)
        return value() if callable(value) else value

    def _layout(self) -> str:
        return self._table

    def _rows_shown(self, columns: Mapping[str, Any]) -> Sequence[int]:
        """Give the places of all rows in the order of the text."""
        name = self._ordered_by
        if not name:
            return range(len(next(iter(columns.values()), ())))
        values = np.asarray(_column(self, name.strip("-|"), columns), dtype=float)
        values = -np.abs(values) if name[0] == "|" else -values if name[0] == "-" else values
        order: list[int] = np.argsort(values, kind="stable").tolist()
        return order

    def _remarked(self, names: str) -> list[str]:
        remarks = (getattr(self, name, None) for name in names.split())
        called = (remark() if callable(remark) else remark for remark in remarks)
        lists = ([entry] if isinstance(entry, str) else entry or () for entry in called)
        return list(dict.fromkeys(itertools.chain.from_iterable(lists)))

    def __repr__(self) -> str:
        if not self._caption:
            return super().__repr__() if self._layout() == "" else str(self)
        text = "; ".join([filled(self._caption, self._value_of), *self._remarked(self._remarks)])
        return text if text.startswith(f"{type(self).__name__}(") else f"<{text}>"

    def __str__(self) -> str:
        if self._layout() == "":
            return repr(self)
        head = [filled(self._caption, self._value_of)] if self._caption else []
        columns, indent = self.columns(), "  " * len(head)
        places = self._rows_shown(columns)
        lines = in_columns(self, self._layout(), places[: self._most], indent, columns)
        hidden = len(places) - len(places[: self._most])
        others = [indent + more(hidden, self._what)] if hidden else []
        return "\n".join(
            [*head, *lines, *others, *self._remarked(f"{self._remarks} {self._below}")]
        )

    def _repr_html_(self) -> str:
        """Show the table in a notebook; of a long table its beginning and end."""
        columns = self.columns()
        n_rows = len(next(iter(columns.values()), ()))
        labels, *more = repr(self).splitlines()
        # A single row repeats what its repr says.
        caption = "" if more or n_rows == 1 else labels.strip("<>")
        ends = {name: _ends(column) for name, column in columns.items()}
        return html_of(caption, _looked_at(ends, caption, self.aside), n_rows)


def write_rows(table: Tabular, file: TextIO) -> None:
    """Write a table as CSV to an open text file."""
    columns = {name: _cells(column) for name, column in table.columns().items()}
    texts = itertools.chain(columns, *columns.values())
    # The csv module does not quote a lone carriage return, which also ends a line.
    breaks = any(isinstance(text, str) and "\r" in text for text in texts)
    writer = csv.writer(
        file,
        lineterminator="\n",
        quoting=csv.QUOTE_NONNUMERIC if breaks else csv.QUOTE_MINIMAL,
    )
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))


def safe_cells(table: Tabular) -> tuple[Table, list[str]]:
    """Return a table in which a spreadsheet takes no text for a formula, and the changed texts.

    Texts that begin with =, +, -, @ or a control character get an apostrophe in front.

    Examples
    --------
    >>> safe_cells(Table({"label": ["=1+1", "yes"], "value": [-1.0, 0.5]}))
    (label    value
    '=1+1  -1.0000
    yes     0.5000, ['=1+1'])
    """
    changed: list[str] = []

    def safe(cell: Any) -> Any:
        if not isinstance(cell, str) or not cell or (cell[0] not in _FORMULA and cell[0] > "\x1f"):
            return cell
        changed.append(cell)
        return f"'{cell}"

    columns = {name: list(map(safe, _cells(column))) for name, column in table.columns().items()}
    return Table({safe(name): column for name, column in columns.items()}), changed


#: What a formula begins with, also in the widths of East Asia, and a minus sign.
_FORMULA = frozenset("=+-@\N{MINUS SIGN}\x7f\uff1d\uff0b\uff0d\uff20")


def of_fields(results: Iterable[Any]) -> dict[str, list[Any]]:
    """Return dataclasses of one type as columns: a row for each, a column for each field.

    Fields with more than one value are left out, and those with the metadata "column": False. With
    "column": NAME, a column has this name, and its values are labels, which may be tuples.
    """
    rows = list(results)
    declared = in_order(rows[0]) if rows else []
    named = {entry.name: entry.metadata.get("column", entry.name) for entry in declared}
    columns = of_each(rows, " ".join(f"{name}={of}" for of, name in named.items() if name))
    labels = {entry.metadata.get("column") for entry in declared}
    return {
        name: column
        for name, column in columns.items()
        if name in labels or not any(isinstance(value, _COMPOUND) for value in column)
    }


#: Places of fields that many dataclasses inherit: after the names of what was measured, which have
#: no number among them, or after all others.
AFTER_NAMES, LAST = 1, 3


def in_order(result: Any) -> list[Field[Any]]:
    """Return the fields of a dataclass in the order of the columns."""
    declared = list(fields(result))
    if any("place" in entry.metadata for entry in declared):
        number = re.compile("(int|float|bool)")
        own = {entry.name: 2 if number.match(str(entry.type)) else 0 for entry in declared}
        declared.sort(key=lambda entry: entry.metadata.get("place", own[entry.name]))
    return declared


class Row(Tabular):
    """A dataclass that is a table of one row, a column for each of its fields."""

    __slots__ = ()

    def columns(self) -> Mapping[str, Sequence[Any]]:
        return of_fields([self])

    def __repr__(self) -> str:
        """Return the repr of a dataclass; labels that are sets do not depend on the run."""
        if self._caption:
            return super().__repr__()
        values = ", ".join(
            f"{field.name}={repr_label(getattr(self, field.name))}"
            for field in fields(self)  # type: ignore[arg-type]
        )
        return f"{type(self).__qualname__}({values})"


class Aligned(Tabular):
    """A dataclass of lists and arrays of one length: a row for each place in them.

    A subclass names its columns in their order: attributes, or "name=attribute" for another name.
    "name=names[codes]" are the names at the places that an array of codes has. An attribute with a
    single value is the same in every row.
    """

    __slots__ = ()

    _column_names: ClassVar[str]

    def __len__(self) -> int:
        return len(next(iter(self.columns().values())))

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        return aligned(self, self._column_names)


def aligned(result: Any, names: str) -> dict[str, Sequence[Any] | Array]:
    """Return attributes of one length as columns, named as `Aligned` says."""
    pairs = [name.partition("=") for name in names.split()]
    value = {name: _attribute(result, of or name) for name, _, of in pairs}
    several = (Sequence, np.ndarray)
    lists = (x for x in value.values() if isinstance(x, several) and not isinstance(x, str))
    n = len(next(lists))
    return {
        name: x if isinstance(x, several) and not isinstance(x, str) else [x] * n
        for name, x in value.items()
    }


def _attribute(result: Any, name: str) -> Any:
    """Return an attribute, or of "names[codes]" the names at these places."""
    names, _, codes = name.rstrip("]").partition("[")
    value = attrgetter(names)(result)
    return [value[place] for place in getattr(result, codes).tolist()] if codes else value


def of_each(results: Iterable[Any], names: str) -> dict[str, list[Any]]:
    """Return these attributes of results as columns, with a row for each; results are floats.

    A name is that of an attribute, or "name=attribute" for another name of the column.
    """
    rows, pairs = list(results), (name.partition("=") for name in names.split())
    return {
        name: [float(x) if isinstance(x, float) else x for x in map(attrgetter(of or name), rows)]
        for name, _, of in pairs
    }


def ends_of(name: str, ends: Iterable[Any]) -> dict[str, Any]:
    """Name both ends of an interval as columns: low and high, or those of a name.

    Examples
    --------
    >>> ends_of("", (0.25, 0.5)), ends_of("gain", (0.25, 0.5))
    ({'low': 0.25, 'high': 0.5}, {'gain_low': 0.25, 'gain_high': 0.5})
    """
    names = (f"{name}_{end}".lstrip("_") for end in ("low", "high"))
    return dict(zip(names, ends, strict=True))


def in_columns(
    source: Any,
    layout: str,
    places: Sequence[int] | None = None,
    indent: str = "  ",
    columns: Mapping[str, Any] | None = None,
) -> list[str]:
    """Lay out columns, or attributes of a result or of several, as lines of text.

    Texts stand left, numbers right.

    Parameters
    ----------
    source : mapping of str to sequence, result, or sequence of results
        Columns by name, or results with attributes of these names.
    layout : str
        The columns to show, between bars: "name", "head = name", or either with a format, as in
        "gain:+" or "share:%"; an interval is "low..high", and "head = {one} of {other}" a sentence
        about each row (see `filled`).
    places : sequence of int, optional
        The rows to show, in their order. By default all.
    indent : str
        What each line begins with.
    columns : mapping, optional
        The columns of the source, if they are known.

    Examples
    --------
    >>> table = {"coder": ["Ann", "Bea"], "value": [0.5, 0.75], "n_items": [1000, 8]}
    >>> for line in in_columns(table, "coder | value | n_items", [1, 0]):
    ...     print(line)
      coder   value  items
      Bea    0.7500      8
      Ann    0.5000  1,000
    """
    heads, sides, cells = [], "", []
    for head, form, column in laid_out(source, layout, places, columns):
        shown = [_cell(ends, form) for ends in column]
        if {*shown} == {"-"} and len(column[0]) == 2:  # no interval was asked for
            continue
        heads.append(head)
        cells.append(shown)
        numeric = all(map(_is_numeric, column))
        # The first column has labels, which may be whole numbers.
        counted = form == "," or any(isinstance(ends[0], float) for ends in column)
        sides += ">" if numeric and (sides or counted) else "<"
    return align(heads, list(zip(*cells, strict=True)), sides, indent)


def laid_out(
    source: Any,
    layout: str,
    places: Sequence[int] | None = None,
    columns: Mapping[str, Any] | None = None,
) -> Iterator[tuple[str, str, list[list[Any]]]]:
    """Yield the head, the format and the cells of each column of a layout, as `in_columns` says.

    A cell is a list of one value, or of both ends of an interval. An undefined value in a table of
    results says why.
    """
    if columns is None and isinstance(source, Mapping | Tabular):
        columns = source.columns() if isinstance(source, Tabular) else source

    def column(name: str) -> list[Any]:
        entries = _column(source, name, columns)
        if places is None or isinstance(entries, np.ndarray):
            return _listed(entries if places is None else entries[list(places)])
        return [entries[i] for i in places]

    for part in layout.split(" | "):
        head, equals, shown = part.rpartition(" = ")
        if "{" in head:
            head = filled(head, source._value_of)
        if "{" in shown:
            names = re.findall(r"{(\w+)", shown)
            rows = zip(*map(column, names), strict=True)
            texts = [filled(shown, dict(zip(names, row, strict=True)).__getitem__) for row in rows]
            yield head, "s", [[text] for text in texts]
            continue
        name, _, form = shown.partition(":")
        ends = [column(end) for end in name.split("..")]
        if name == "value" and isinstance(source, Sequence) and "undefined" in (columns or ()):
            reasons = column("undefined")
            if any(reasons):
                pairs = zip(ends[0], reasons, strict=True)
                ends = [[f"undefined ({why})" if why else show_value(v) for v, why in pairs]]
                form = "s"
        form = form or "," * name.startswith("n_")
        head = head if equals else _head(source, name, columns)
        yield head, form, [list(c) for c in zip(*ends, strict=True)]


def _head(source: Any, name: str, columns: Mapping[str, Any] | None) -> str:
    """Name a column in words, an interval by its level."""
    if ".." not in name:
        return name.removeprefix("n_").removesuffix("_value").replace("_", " ")
    levels = {*(columns or {}).get("confidence_level", ())}
    level = levels.pop() if len(levels) == 1 else getattr(source, "confidence_level", None)
    return f"{show_level(level)} interval" if isinstance(level, float) else "interval"


def _column(source: Any, name: str, columns: Mapping[str, Any] | None) -> Any:
    if columns is not None and name in columns:
        return columns[name]
    several = isinstance(source, Sequence)
    return [getattr(row, name) for row in source] if several else getattr(source, name)


def formatted(value: Any, form: str) -> str:
    """Format a value of a layout; what is undefined is "-"."""
    if value is None or value != value:
        return "-"
    if form:
        return show_as(value, form)
    return show_value(value) if isinstance(value, float) else _shown(value)


def _cell(ends: Sequence[Any], form: str = "") -> str:
    """Format a cell, or both ends of an interval."""
    shown = [formatted(end, form) for end in ends]
    return "-" if "-" in shown else " to ".join(shown)


R = TypeVar("R")


class ResultTable(Tabular, Sequence[R]):
    """Several results of one type: a sequence, and a table with a row for each.

    Results of slices are tuples. A subclass whose results have names finds them in `_named`.
    """

    __slots__ = ("_rows",)

    _most: ClassVar[int | None] = None
    _remarks = "_reasons"

    def __init__(self, rows: Iterable[R]) -> None:
        self._rows = tuple(rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows)

    @overload
    def __getitem__(self, key: int | str | tuple[str, Any]) -> R: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[R]: ...
    def __getitem__(self, key: Any) -> R | Sequence[R]:
        places = (int, np.integer, slice)
        return self._rows[key] if isinstance(key, places) else self._named(key)

    @property
    def _reasons(self) -> list[str]:
        """The remarks on defined values: undefined ones say their reasons in the table."""
        rows = (row for row in self._rows if not getattr(row, "undefined", None))
        return [row.note for row in rows if getattr(row, "note", None)]  # type: ignore[attr-defined]

    def _named(self, key: Any) -> R:
        raise InputTypeError(f"rows have places, not names such as {key!r}", "pass a whole number")

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        return of_fields(self._rows)


class MadeRows(Tabular, Sequence[R]):
    """A table whose rows are made when they are asked for, by `_made`."""

    __slots__ = ()

    def _made(self, places: Sequence[int]) -> Iterator[R]:
        raise NotImplementedError

    @overload
    def __getitem__(self, place: int) -> R: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[R]: ...
    def __getitem__(self, place: int | slice) -> R | Sequence[R]:
        every = range(len(self))
        return (
            list(self._made(every[place]))
            if isinstance(place, slice)
            else next(self._made([every[place]]))
        )

    def __iter__(self) -> Iterator[R]:
        return self._made(range(len(self)))


class Listing(ResultTable[R]):
    """Several dataclasses of one type: a sequence, and a table with a row for each.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Mean:
    ...     coder: str
    ...     value: float
    >>> means = Listing([Mean("Ann", 0.5), Mean("Bea", 0.75)])
    >>> means[-1].coder, means.to_dict()
    ('Bea', {'coder': ['Ann', 'Bea'], 'value': [0.5, 0.75]})
    """

    __slots__ = ()

    @overload
    def __getitem__(self, key: int | str | tuple[str, Any]) -> R: ...
    @overload
    def __getitem__(self, key: slice) -> Listing[R]: ...
    def __getitem__(self, key: Any) -> R | Listing[R]:
        return type(self)(self._rows[key]) if isinstance(key, slice) else self._rows[key]

    def __repr__(self) -> str:
        return str(self) if self._table else "\n".join(map(repr, self._rows)) or "<no rows>"


class Table(Tabular):
    """Columns by name.

    Parameters
    ----------
    columns : mapping of str to sequence
        The columns, of the same length.

    Examples
    --------
    >>> Table({"coder": ["Ann", "Bea"], "value": [0.5, 0.75]})
    coder   value
    Ann    0.5000
    Bea    0.7500
    """

    __slots__ = ("_columns",)

    def __init__(self, columns: Mapping[str, Sequence[Any] | Array]) -> None:
        self._columns = dict(columns)

    @classmethod
    def stack(cls, by: Sequence[str], parts: Iterable[tuple[Sequence[Any], Tabular]]) -> Table:
        """Stack tables with the same columns.

        Parameters
        ----------
        by : sequence of str
            Names of new columns that identify the tables. A name that is already taken gets the
            prefix "group_".
        parts : iterable of (values, table)
            The values of the new columns for each table, and the table.

        Returns
        -------
        Table
            The rows of all tables.
        """
        columns: dict[str, list[Any]] = {}
        keys: list[list[Any]] = [[] for _ in by]
        for values, part in parts:
            result = {name: _listed(column) for name, column in part.columns().items()}
            for name, column in result.items():
                columns.setdefault(name, []).extend(column)
            n_rows = len(next(iter(result.values())))
            for key, value in zip(keys, values, strict=True):
                key += [value] * n_rows
        names = [f"group_{name}" if name in columns else name for name in by]
        return cls({**dict(zip(names, keys, strict=True)), **columns})

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns by name."""
        return self._columns

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __repr__(self) -> str:
        columns = [_listed(column) for column in self._columns.values()]
        sides = "".join(">" if _is_numeric(column) else "<" for column in columns)
        rows = [[_shown(value) for value in row] for row in zip(*columns, strict=True)]
        if len(rows) > 2 * SHOWN:
            rows = [*rows[:SHOWN], ["…"] * len(columns), *rows[-SHOWN:]]
        return "\n".join(align(list(self._columns), rows, sides, indent=""))


class Matrix(Tabular, NDArrayOperatorsMixin):
    """An array of two dimensions with names on both sides.

    It works as the array in arithmetic and in numpy's functions.

    Parameters
    ----------
    values : array of shape (n_rows, n_columns)
        The cells.
    row_names, column_names : sequence
        The names of rows and columns, such as coders or categories.
    row_title, column_title : str, default ""
        What the rows and the columns are, such as "coder" and "category".

    Examples
    --------
    >>> import numpy as np
    >>> table = Matrix(np.array([[2, 0], [1, 3]]), ["x", "y"], ["x", "y"], "Ann", "Bea")
    >>> table
    Ann \\ Bea  x  y
    x          2  0
    y          1  3
    >>> table.at("y", "x"), int(table[1, 0]), table.sum(0).tolist()
    (1, 1, [3, 3])
    """

    __slots__ = ("column_names", "column_title", "row_names", "row_title", "values")

    def __init__(
        self,
        values: Array,
        row_names: Sequence[Any],
        column_names: Sequence[Any],
        row_title: str = "",
        column_title: str = "",
    ) -> None:
        self.values = np.asarray(values)
        if self.values.shape != (len(row_names), len(column_names)):
            raise InputError(
                f"a matrix of shape {self.values.shape} has {len(row_names)} row names and "
                f"{len(column_names)} column names"
            )
        self.row_names, self.column_names = row_names, column_names
        self.row_title, self.column_title = row_title, column_title

    # ---- as an array

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        return len(self.row_names), len(self.column_names)

    def __len__(self) -> int:
        return len(self.row_names)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False and dtype not in (None, self.values.dtype):
            raise InputError("another dtype needs a copy")
        result = self.values if dtype is None else self.values.astype(dtype, copy=False)
        return result.copy() if copy else result

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        plain = (entry.values if isinstance(entry, Matrix) else entry for entry in inputs)
        return getattr(ufunc, method)(*plain, **options)

    def __getitem__(self, place: Any) -> Any:
        """Return cells by position, as for an array; `at` takes names."""
        return self.values[place]

    def __setitem__(self, place: Any, value: Any) -> None:
        self.values[place] = value

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the array: `sum`, `tolist`, `T`, ..."""
        if name in Matrix.__slots__ or name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.values, name)

    # ---- as a table

    def at(self, row: Any, column: Any) -> Any:
        """Return the cell of a row and a column, by their names.

        Parameters
        ----------
        row, column : object
            The names of the row and the column.

        Returns
        -------
        int or float
            The value of the cell.

        Raises
        ------
        KeyError
            If there is no such name.
        """
        return self.values[
            _place(self.row_names, row, "row"), _place(self.column_names, column, "column")
        ].item()

    def with_margins(self) -> Matrix:
        """Return the matrix with the sums of its rows, its columns and all cells.

        Returns
        -------
        Matrix
            The cells, with a last row and a last column named "total".

        Examples
        --------
        >>> import agreement_fast as af
        >>> data = af.Annotations.from_wide([["x", "x"], ["x", "y"], ["y", "y"]])
        >>> data.coincidence_matrix().with_margins()
        category \\ category       x       y   total
        x                    2.0000  1.0000  3.0000
        y                    1.0000  2.0000  3.0000
        total                3.0000  3.0000  6.0000
        """
        if self.values.dtype.kind not in "buif":
            raise InputTypeError("a matrix of labels has no margins: they are not numbers")
        rows = np.column_stack([self.values, self.values.sum(1)])
        return Matrix(
            np.vstack([rows, rows.sum(0)]),
            [*self.row_names, "total"],
            [*self.column_names, "total"],
            self.row_title,
            self.column_title,
        )

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a column of the rows' names, and a column for each column."""
        title = self.row_title or "row"
        names = unlike(title, [spell_label(name) for name in self.column_names])
        return {title: self.row_names, **dict(zip(names, self.values.T, strict=True))}

    def __reduce__(self) -> tuple[Any, ...]:
        parts = ("values", "row_names", "column_names", "row_title", "column_title")
        return Matrix, attrgetter(*parts)(self)

    def _corner(self) -> dict[str, list[Any]]:
        """Return the names of the rows and the cells; of a large matrix, both ends of each side."""
        rows, columns = map(_places, self.shape)
        names = [
            ["…" if place is None else show_label(side[place], 24) for place in places]
            for side, places in ((self.row_names, rows), (self.column_names, columns))
        ]
        titles = (show_label(entry) for entry in (self.row_title, self.column_title) if entry)
        title = " \\ ".join(titles)
        cells = {title: names[0]}
        for name, j in zip(unlike(title, names[1]), columns, strict=True):
            cells[name] = [
                "…" if i is None or j is None else np.asarray(self.values[i, j]).item()
                for i in rows
            ]
        return cells

    def __repr__(self) -> str:
        names, *columns = (cells := self._corner()).values()
        lines = zip(names, *(map(_shown, column) for column in columns), strict=True)
        return "\n".join(align(list(cells), list(lines), "<" + ">" * len(columns), indent=""))

    def _repr_html_(self) -> str:
        cells = self._corner()
        return html_of("", cells, len(next(iter(cells.values()))))


def _places(n: int) -> list[int | None]:
    if n <= 2 * SHOWN:
        return list(range(n))
    return [*range(SHOWN), None, *range(n - SHOWN, n)]


# ---------------------------------------------------------------------------------------------
# Columns


def _place(names: Sequence[Any], name: Any, side: str) -> int:
    try:
        return names.index(name)
    except ValueError:
        some = some_of(names, 8)
        raise UnknownKeyError(f"there is no {side} {name!r}; the {side}s are {some}") from None


def unlike(title: str, names: Iterable[str]) -> list[str]:
    """Return the names, with numbers added so that they differ from each other and the title."""
    taken, out = {title}, []
    for name in names:
        free, n = name, 1
        while free in taken:
            n += 1
            free = f"{name} ({n})"
        taken.add(free)
        out.append(free)
    return out


def _ends(column: Sequence[Any] | Array) -> list[Any]:
    """Return the beginning and the end of a long column, or all of a short one."""
    if len(column) <= 2 * SHOWN:
        return _listed(column)
    return _listed(column[:SHOWN]) + _listed(column[len(column) - SHOWN :])


def _looked_at(
    columns: Mapping[str, list[Any]], caption: str, aside: frozenset[str]
) -> dict[str, list[Any]]:
    """Return the columns to show: none that are empty, and both ends of an interval in one."""
    shown: dict[str, list[Any]] = {}
    for name, column in columns.items():
        # The caption already says what is the same in all rows.
        one_name = name in ("coefficient", "distance") and len({*column}) == 1
        in_caption = one_name and column[0] in caption
        empty = all(value is None or _is_nan(value) for value in column) and name != "value"
        # "low" and "high", or "difference_low" and "difference_high".
        start, low, rest = name.rpartition("low")
        if low and not rest and f"{start}high" in columns:
            if start[:-1] in aside:
                continue
            levels = {*columns.get("confidence_level", ())}
            level = f"{show_level(levels.pop())} interval" if len(levels) == 1 else "interval"
            ends = map(_cell, zip(column, columns[f"{start}high"], strict=True))
            shown[f"{start[:-1]} {level}".strip()] = [None if x == "-" else x for x in ends]
        elif not (
            name in aside or in_caption or empty or name.removesuffix("high") + "low" in columns
        ):
            shown[name] = column
    return shown


def _listed(column: Sequence[Any] | Array) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _uniform(column: Sequence[Any] | Array) -> Any:
    """Return a column of one type, with None for undefined values, as all libraries take it."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iub":
        return column
    if isinstance(column, np.ndarray) and column.dtype.kind == "f":
        return _without_nan(column) if np.isnan(column).any() else column
    values = [None if _is_nan(value) else value for value in _listed(column)]
    kinds = {type(value) for value in values if value is not None}
    if kinds <= {int, float} or (len(kinds) == 1 and kinds <= _PLAIN):
        return [float(v) if v is not None else v for v in values] if float in kinds else values
    if kinds and all(issubclass(kind, datetime.date) for kind in kinds) and len(kinds) == 1:
        # pandas has datetimes of its own.
        return [getattr(v, "to_pydatetime", lambda v=v: v)() for v in values]
    return [None if value is None else spell_label(value) for value in values]


def _cells(column: Sequence[Any] | Array) -> list[Any]:
    """Return a column as the csv module takes it: it writes None as an empty cell."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iubf":
        return _without_nan(column) if column.dtype.kind == "f" else _listed(column)
    return [
        spell_label(value) if isinstance(value, frozenset) else None if _is_nan(value) else value
        for value in _listed(column)
    ]


def _without_nan(column: Array) -> list[Any]:
    values = column.astype(object)
    values[np.isnan(column)] = None
    return _listed(values)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _is_numeric(column: Iterable[Any]) -> bool:
    numbers = (int, float, np.integer, np.floating)
    return all(
        value is None or (isinstance(value, numbers) and not isinstance(value, bool))
        for value in column
    )


def _shown(value: Any, limit: int = 32) -> str:
    """Format a cell."""
    if value is None or _is_nan(value):
        return "-"
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return show_number(float(value))
    return show_label(value, limit)


def _library(given: str | ModuleType | None) -> str:
    """Return the name of the library that makes a frame."""
    name = given.__name__ if isinstance(given, ModuleType) else given
    if name is None:
        name = next((library for library in LIBRARIES if library in sys.modules), None)
    if name is None:
        name = next(filter(_is_installed, LIBRARIES), None)
    if name is None:
        raise InputError("a data frame needs pandas, polars or pyarrow", "pip install pandas")
    if name not in LIBRARIES:
        raise InputError(f"library must be one of {', '.join(LIBRARIES)}, not {name!r}")
    if not _is_installed(name):
        raise InputError(f"{name} is not installed", f"pip install {name}")
    return name


def _is_installed(name: str) -> bool:
    return name in sys.modules or importlib.util.find_spec(name) is not None


# ---------------------------------------------------------------------------------------------
# Notebooks

#: The length up to which a cell is one line, and the largest length of a cell.
UNBROKEN = 28
LONGEST = 300

#: Colours are those of the notebook, light or dark.
_CELL = "padding:.15em .6em;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)"


def html_of(caption: str, columns: Mapping[str, list[Any]], n_rows: int) -> str:
    """Return columns as a table of HTML; they may be the two ends of a table of `n_rows`."""
    n_shown = len(next(iter(columns.values()), ()))
    numeric = {name: _is_numeric(column) for name, column in columns.items()}

    def cell(tag: str, name: str, text: str, more: str = "") -> str:
        side = "right" if numeric[name] else "left"
        wrap = "nowrap" if len(text) <= UNBROKEN and tag == "td" else "normal"
        shown = html.escape(text)
        if tag == "th":
            shown = shown.replace("_", "_<wbr>")
        return f'<{tag}{more} style="{_CELL};text-align:{side};white-space:{wrap}">{shown}</{tag}>'

    head = "".join(cell("th", name, escape(name), ' scope="col"') for name in columns)
    places: list[int | None] = list(range(n_shown))
    if n_rows > n_shown:
        places.insert(SHOWN, None)
    rows = []
    for i in places:
        cells = [
            cell("td", name, "…" if i is None else _shown(column[i], LONGEST))
            for name, column in columns.items()
        ]
        rows.append("".join(cells))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    labels = f"{caption} ({n_rows:,} rows)".strip() if n_rows > n_shown else caption
    title = f"<div>{html.escape(escape(labels))}</div>" if labels else ""
    return (
        f'<div style="overflow-x:auto">{title}<table style="border-collapse:collapse;'
        f'font-variant-numeric:tabular-nums"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )
