"""Tables that were read, and how texts become labels: which are missing, which are numbers."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, fields, replace
from itertools import compress
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from agreement_fast.errors import Argument, Mark, say
from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.file import File, Kind, split_key
from agreement_fast.files.roles import Columns
from agreement_fast.patterns import narrow
from agreement_fast.reading.pieces import is_float
from agreement_fast.reading.recognition.labels import Missing, spelled_twice, thousands_notes
from agreement_fast.reading.recognition.order import natural_order, with_decimal_commas
from agreement_fast.reading.recognition.read import Recognition
from agreement_fast.reading.recognition.wording import listed_for_shell

Codes = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as codes into its distinct values.

    Attributes
    ----------
    codes : int32 array of any shape
        Indices into `values`; -1 if the cell is missing.
    values : ndarray
        The distinct values: int64, float64, bool, or object for text (and for mixed JSON values).
    """

    codes: Codes
    values: NDArray[Any]

    def decode(self) -> NDArray[Any]:
        """Return the values cell by cell; a missing cell is None.

        Returns
        -------
        ndarray of the shape of `codes`
            Has the dtype of `values` if nothing is missing, else float64 with NaN for floats and
            object with None for other values. O(cells).
        """
        if not (self.codes < 0).any():
            return np.asarray(self.values[self.codes])
        if self.values.dtype.kind == "f":
            # One more value at the end, which the code -1 selects.
            return np.append(self.values, np.nan)[self.codes]
        # tolist() returns Python scalars, so that labels print as 1 and not as np.int64(1).
        padded: NDArray[Any] = np.fromiter([*self.values.tolist(), None], object)
        return padded[self.codes]

    def take(self, rows: NDArray[Any]) -> Coded:
        """Return the rows at these positions, with only the values that occur in them."""
        codes = self.codes[rows]
        if codes.size >= len(self.values):
            return Coded(codes, self.values)
        # Otherwise each of a thousand groups would carry the items of all groups.
        used, places = np.unique(codes, return_inverse=True)
        absent = int(len(used) > 0 and used[0] < 0)
        fewer = (places.reshape(codes.shape) - absent).astype(np.int32)
        return Coded(fewer, self.values[used[absent:]])


@dataclass(frozen=True)
class Source:
    """What was read, and how it was interpreted.

    Attributes
    ----------
    files : tuple of str
        The files, as named or as a glob listed them.
    formats : tuple of str
        The name of the format of each file, such as "csv", "json" or "parquet".
    layout : {"long", "wide", "counts", "contingency", "units", "links", "segmentations", "export"}
        "export" has no columns; its `label` is the question.
    item, weights, by : str or None
        Column names.
    coder, label : str or None
        Column names of the long layout.
    coders : tuple of str
        The coder columns of the wide layout.
    guessed : tuple of str
        Roles among "item", "coder", "label" and "coders" whose columns were guessed.
    rows : int
        Number of rows read, those that satisfy `where`.
    rows_in_files : int
        Number of rows in the files; equal to `rows` without `where`.
    where : str or None
        The condition on the rows.
    notes : tuple of str
        Remarks for readers of a report, one sentence each.
    columns : tuple of pairs of str
        The columns of units, links and segmentations: role and column name (None if there is no
        column).
    declared : tuple of str or None
        The categories that the files declare, in their order, including unused ones.
    by_columns : tuple of str
        The columns that make the groups; a group of several columns is a tuple.
    header : bool
        Whether the first row of each file names the columns.
    part : str or None
        The column that may tell apart items of the same name.
    full_item : str or None
        Value for the argument `item` if items of the same name in several folders are different
        items.
    """

    files: tuple[str, ...]
    formats: tuple[str, ...]
    layout: str
    rows: int
    rows_in_files: int
    item: str | None = None
    coder: str | None = None
    label: str | None = None
    coders: tuple[str, ...] = ()
    weights: str | None = None
    by: str | None = None
    guessed: tuple[str, ...] = ()
    where: str | None = None
    notes: tuple[str, ...] = ()
    columns: tuple[tuple[str, str | None], ...] = ()
    declared: tuple[str, ...] | None = None
    by_columns: tuple[str, ...] = ()
    header: bool = True
    part: str | None = None
    full_item: str | None = None

    @property
    def recognition(self) -> Recognition:
        """How the files were understood, with the keywords of `read` that name all columns."""
        wide, why = self.layout in ("wide", "counts", "contingency"), "the names of the columns"
        named: dict[str, Any] = {
            "item": self.item,
            "coder": self.coders if wide else self.coder,
            "label": self.label,
            "weights": self.weights,
            "by": self.by_columns or self.by,
            "layout": self.layout if wide or self.layout == "long" else None,
            **dict(self.columns),
        }
        if wide:
            why = "the names and values of the columns"
        if self.layout == "export":
            named = {}
        guessed = ((role.removesuffix("s"), why) for role in self.guessed)
        return Recognition(
            self.layout,
            tuple((role, named.get(role), source) for role, source in guessed),
            (),
            (
                *((role, name) for role, name in named.items() if name),
                *([] if self.header else [("header", False)]),
            ),
        )


@dataclass(frozen=True, eq=False)
class _Table:
    """What tables of judgments have in common."""

    source: Source
    _: KW_ONLY
    weights: NDArray[np.int64] | None = None
    groups: Coded | None = None
    along: Mapping[str, Coded] = field(default_factory=dict)

    def split(self) -> Iterator[tuple[Any, Self]]:
        """Yield ``(group, its rows)`` for each group in natural order, missing (None) last."""
        columns = {
            field.name: column
            for field in fields(self)
            if isinstance(column := getattr(self, field.name), Coded) and field.name != "groups"
        }
        for group, rows in group_rows(self.groups):
            taken: dict[str, Any] = {name: column.take(rows) for name, column in columns.items()}
            if self.weights is not None:
                taken["weights"] = self.weights[rows]
            taken["along"] = {name: column.take(rows) for name, column in self.along.items()}
            source = replace(self.source, rows=len(rows))
            yield group, replace(self, source=source, groups=None, **taken)


@dataclass(frozen=True, eq=False)
class LongTable(_Table):
    """A table of one judgment per row.

    Attributes
    ----------
    source : Source
    items, coders, labels : Coded, codes of shape (rows,)
    weights : int64 array (rows,) or None
    groups : Coded or None
        The column of ``by``.
    along : mapping of str to Coded
        The requested additional columns, by name.
    """

    items: Coded
    coders: Coded
    labels: Coded

    @property
    def coder_names(self) -> list[str]:
        """The names of the coders."""
        return list(self.coders.values)


@dataclass(frozen=True, eq=False)
class WideTable(_Table):
    """A table of one item per row and one column per coder.

    Attributes
    ----------
    source : Source
    items : Coded of shape (rows,) or None
        None if no column names the items.
    coders : tuple of str
        The column names.
    labels : Coded, codes of shape (rows, coders)
    weights : int64 array (rows,) or None
    groups : Coded or None
        The column of ``by``.
    along : mapping of str to Coded
        The requested additional columns, by name.
    """

    items: Coded | None
    coders: tuple[str, ...]
    labels: Coded

    @property
    def coder_names(self) -> list[str]:
        """The names of the coders."""
        return list(self.coders)


def group_rows(groups: Coded | None) -> Iterator[tuple[Any, NDArray[np.intp]]]:
    """Yield each group and its rows in natural order. O(rows log rows), one sort for all groups."""
    if groups is None:
        raise ValueError("the table was read without by=")
    # numpy uses a counting sort for codes of 8 and 16 bits.
    codes = groups.codes.astype(narrow(len(groups.values)))
    order = np.argsort(codes, kind="stable")
    distinct, starts = np.unique(codes[order], return_index=True)
    parts = dict(zip(distinct.tolist(), np.split(order, starts[1:]), strict=True))
    for code in natural_order(groups.values.tolist()):
        if code in parts:
            yield groups.values[code : code + 1].tolist()[0], parts[code]
    if -1 in parts:
        yield None, parts[-1]


#: Floats represent all whole numbers up to this one.
_LARGEST_WHOLE = 2.0**53


def write_number(number: float) -> str:
    """Write a number; 1.0 is 1.

    Examples
    --------
    >>> write_number(1.0), write_number(0.1), write_number(1e300)
    ('1', '0.1', '1e+300')
    """
    return (
        str(int(number)) if number.is_integer() and abs(number) <= _LARGEST_WHOLE else repr(number)
    )


def in_order(code: Any) -> tuple[bool, Any]:
    """Return a key that sorts codes, numbers first."""
    return isinstance(code, str), code


#: How to write a value of each type; dates and times as in ISO 8601.
WRITE: Mapping[type, Callable[[Any], str]] = MappingProxyType(
    {
        str: str,
        int: str,
        float: write_number,
        bool: lambda truth: "TRUE" if truth else "FALSE",
        dt.date: dt.date.isoformat,
        dt.datetime: dt.datetime.isoformat,
        dt.time: dt.time.isoformat,
        dt.timedelta: lambda time: "PT{:02}H{:02}M{:02}S".format(
            time // dt.timedelta(hours=1), *divmod(time // dt.timedelta(seconds=1) % 3600, 60)
        ),
        type(None): lambda nothing: "",
    }
)


# A number as people write it, in patterns for Python and DuckDB. Leading zeros ("007") mark an
# identifier. Other spellings that a language accepts are not numbers: "1_0", "0x10", "inf", " 1".
_DIGITS = "(0|[1-9][0-9]*)"
WHOLE = f"[+-]?{_DIGITS}"
NUMBER = rf"[+-]?({_DIGITS}(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{{1,3}})?"
_WHOLE = re.compile(WHOLE)
_NUMBER = re.compile(NUMBER)

#: More digits may not fit an int64: such a label is an identifier and stays text.
_MOST_DIGITS = 18


def label_kinds(files: Sequence[File], roles: Columns) -> list[Kind]:
    """Return for each file how its labels are written."""
    result: list[tuple[Kind, File]] = []
    for file in files:
        if not file.format.has_types:
            result.append(("written", file))
            continue
        for name in roles.labels():
            if name not in file.columns:
                if name in file.partitions:
                    result.append(("written", file))
                continue
            kind = file.types[file.columns.index(name)]
            if re.search(r"\]$|^(STRUCT|MAP|UNION|LIST|BLOB)", kind):
                raise ReadError(
                    f"column {show(name)} of {file.shown} holds {kind}: labels must be numbers,"
                    " texts, or true and false"
                )
            result.append((file.format.label_kind(kind), file))
    kinds = [kind for kind, _ in result]
    different = set(kinds)
    if different <= {"int", "float"} and len(different) > 1:
        return ["float"]
    if len(different) > 1 and different != {"written", "int"} and different != {"written", "float"}:
        if len(files) == 1:
            kind, _ = result[0]
            names = [name for name in roles.labels() if name in files[0].known]
            other = next(n for n, (k, _) in zip(names, result, strict=True) if k != kind)
            raise ReadError(
                f"columns {show(names[0])} and {show(other)} of {files[0].shown} hold labels of"
                f" different types: convert one, or pass --exclude {listed_for_shell([other])} if"
                " it is no coder"
            )
        others = [file for file in files if file.format is not files[0].format]
        others += [file for kind, file in result if kind != kinds[0]]
        raise ReadError(
            f"{files[0].shown} and {others[0].shown} hold labels of different types: read them"
            " separately, or convert one"
        )
    return kinds or ["written"]


def declared_categories(files: Sequence[File], roles: Columns) -> tuple[str, ...] | None:
    """Return the categories that files declare for the columns of labels, in the order of codes.

    None if some file cannot declare any. A column may declare more categories than another. Raises
    ReadError if one code has two labels, or a column has no labels and others do.
    """
    columns = [(file, name) for file in files for name in roles.labels() if name in file.columns]
    known: dict[Any, tuple[str, str]] = {}
    first = next(((file, name) for file, name in columns if name in file.declared), None)
    if first is None:
        return None
    for file, name in columns:
        place = f"column {show(name)} of {file.shown}"
        if name not in file.declared:
            if not file.format.has_value_labels:
                continue
            raise ReadError(
                f"{place} has no value labels, but column {show(first[1])} of {first[0].shown} has:"
                " give all columns of labels the same, or pass --value-codes to read numbers"
            )
        for code, label in file.declared[name].items():
            before, where = known.setdefault(code, (label, place))
            if before != label:
                raise ReadError(
                    f"value {WRITE[type(code)](code)} is {show(before)} in {where}, but"
                    f" {show(label)} in {place}: give all columns of labels the same value labels"
                )
    if not all(name in file.declared for file, name in columns):
        return None
    return tuple(dict.fromkeys(known[code][0] for code in sorted(known, key=in_order)))


def refuse_codes(labels: Coded, files: Sequence[File], names: Sequence[str]) -> None:
    """Refuse codes in a file without value labels if another file has labels for them.

    `names`: the columns of labels.
    """
    if all(file.format.has_value_labels for file in files):
        return
    declared = [(file, name) for file in files for name in names if name in file.declared]
    known = {label for file, name in declared for label in file.declared[name].values()}
    used = {label for label in labels.values.tolist() if isinstance(label, str)} - known
    for file, name in declared if used else ():
        for code, label in file.declared[name].items():
            if (text := WRITE[type(code)](code)) in used:
                raise ReadError(
                    f"label {show(text)} is the code of {show(label)} in column {show(name)} of"
                    f" {file.shown}: write the labels in all files, or pass --value-codes to read"
                    " numbers"
                )


#: Marks of missing judgments that ReCal, k-alpha.org and R write beside numbers.
_MARKS = ("NA", "#")


def marks_beside_numbers(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the marks of missing judgments among labels that are numbers otherwise."""
    marks = tuple(mark for mark in _MARKS if mark in texts)
    numbers = [text for text in texts if text not in marks] if marks else []
    return marks if numbers and all(map(is_number, numbers)) else ()


def value_labels(
    coded: Coded, kind: Kind, missing: tuple[Any, ...], text: bool, notes: list[str],
    commas: bool = False,
) -> Coded:  # fmt: skip
    """Turn distinct texts into values, with -1 for missing. O(cells + distinct texts).

    `commas`: whether numbers may have a decimal comma, for no comma divides the columns.
    """
    texts: list[str] = coded.values.tolist()
    values: list[Any] = texts
    if kind == "json":
        values = [_json_value(text) for text in texts]
        if text:
            pairs = zip(values, texts, strict=True)
            values = [v if v is None or isinstance(v, str) else t for v, t in pairs]
    gone = Missing(missing)
    # --missing -1 also means -1.0 if the labels are numbers, and a number in JSON.
    keep = [
        not (value is None or value in gone or (isinstance(value, bool) and text in gone))
        for value, text in zip(values, texts, strict=True)
    ]
    kept = list(compress(values, keep))
    typed = _typed(kept, kind)
    notes += [say(note, in_option) for note in gone.notes(kept)]
    if kind == "written" and typed.dtype.kind == "f":
        notes += thousands_notes(kept)
        if twice := spelled_twice(kept):
            # Section 1.10 is not section 1.1.
            typed = _typed(kept, "text")
            notes.append(f"labels stay texts, because {' and '.join(map(repr, twice))} write one"
                         " number: if they are numbers, write each in one way")  # fmt: skip
    numbers = with_decimal_commas(kept) if commas and kind == "written" else None
    if numbers is not None:
        typed = np.array(numbers)
        example = next(text for text in kept if "," in text)
        notes.append(f"labels such as {example} are read as numbers with a decimal comma: --text "
                     "keeps them as texts")  # fmt: skip
    # The same value may be written in several ways (1 and 1.0).
    index: dict[Any, int] = {}
    table = np.full(len(texts) + 1, -1, dtype=np.int32)
    for i, value in zip(np.flatnonzero(keep).tolist(), typed.tolist(), strict=True):
        # The label True equals the label 1, as in Python; NaN is missing.
        if value == value:
            table[i] = index.setdefault(value, len(index))
    values_array = typed[: len(index)].copy()
    for value, i in index.items():
        values_array[i] = value
    return Coded(table[coded.codes], values_array)


def in_option(mark: Mark) -> str | None:
    """Write an argument as an option."""
    if isinstance(mark, Argument):
        return " ".join([f"--{mark.name}", *(show(str(value)) for value in mark.values)])
    return None


def value_groups(coded: Coded, n_columns: int) -> Coded:
    """Turn the distinct texts of the columns of groups into values, or tuples for several columns.

    A tuple has None if one of several columns is empty.
    """
    if n_columns == 1:
        return value_labels(coded, "written", (), False, [])
    columns = []
    for cells in zip(*map(split_key, coded.values.tolist()), strict=True):
        texts = [text for text in dict.fromkeys(cells) if text is not None]
        own = Coded(np.arange(len(texts), dtype=np.int32), np.array(texts, dtype=object))
        values = value_groups(own, 1).decode().tolist()
        value_of: dict[str | None, Any] = dict(zip(texts, values, strict=True))
        columns.append(list(map(value_of.get, cells)))
    # The same values may be written in several ways (1 and 1.0).
    index: dict[tuple[Any, ...], int] = {}
    table = [index.setdefault(value, len(index)) for value in zip(*columns, strict=True)]
    return Coded(np.array([*table, -1], dtype=np.int32)[coded.codes], np.fromiter(index, object))


def _json_value(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:  # Python refuses more than 4,300 digits, which would take long to parse.
        raise ReadError(
            f"a label is a number of {len(text):,} digits, {show(text[:20])}...: write such a"
            " label in quotes"
        ) from None
    if isinstance(value, float) and not math.isfinite(value):
        raise ReadError(f"a label is {show(text)}, not a finite float: write it in quotes")
    if isinstance(value, list | dict):
        raise ReadError(
            f"a label is {show(text)}: labels must be numbers, texts, or true and false"
        )
    return value


def is_whole(text: str) -> bool:
    """Return whether a text is a whole number that fits an int64."""
    return _WHOLE.fullmatch(text) is not None and len(text.lstrip("+-")) <= _MOST_DIGITS


def is_number(text: str) -> bool:
    """Return whether a text is a number that fits a float.

    Examples
    --------
    >>> [is_number(text) for text in ("-1", "1.5e3", "007", "1_0", "0x10", "1e999")]
    [True, True, False, False, False, False]
    """
    match = _NUMBER.fullmatch(text)
    if match is None or len(match[2] or "") > _MOST_DIGITS:
        return False
    return math.isfinite(float(text))


def _typed(values: Sequence[Any], kind: Kind) -> NDArray[Any]:
    """Return values as an array of their type."""
    if kind == "written":
        if values and all(is_whole(text) for text in values):
            kind = "int"
        elif values and all(
            is_number(text) and (not is_whole(text) or is_float(int(text))) for text in values
        ):
            kind = "float"
        else:
            kind = "text"
    elif kind == "json":
        # isinstance takes a bool for an int; here it must not become one.
        types = {type(value) for value in values}
        if types == {bool}:
            return np.array(values, dtype=bool)
        if types == {int} and all(abs(value) < 2**63 for value in values):
            return np.array(values, dtype=np.int64)
        if types in ({float}, {int, float}) and all(map(is_float, values)):
            return np.array(values, dtype=np.float64)
        kind = "text"
    if kind == "int" and all(-(2**63) <= int(text) < 2**63 for text in values):
        return np.array([int(text) for text in values], dtype=np.int64)
    if kind == "float":
        return np.array([float(text) for text in values], dtype=np.float64)
    if kind == "bool":
        return np.array([text == "true" for text in values], dtype=bool)
    return np.fromiter(values, object)
