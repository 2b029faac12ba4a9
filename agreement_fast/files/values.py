"""Turn the texts of a file into labels: which ones are missing, which ones are numbers."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement_fast.errors import Argument, Mark, say
from agreement_fast.files.cells import WRITE, in_order
from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.file import File, Kind, split_key
from agreement_fast.files.roles import Columns
from agreement_fast.files.tables import Coded
from agreement_fast.recognition.labels import Missing, thousands_notes

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
    found: list[tuple[Kind, File]] = []
    for file in files:
        if not file.format.has_types:
            found.append(("written", file))
            continue
        for name in roles.labels():
            if name not in file.columns:
                if name in file.partitions:
                    found.append(("written", file))
                continue
            kind = file.types[file.columns.index(name)]
            if re.search(r"\]$|^(STRUCT|MAP|UNION|LIST|BLOB)", kind):
                raise ReadError(
                    f"column {show(name)} of {file.shown} holds {kind}: labels must be numbers,"
                    " texts, or true and false"
                )
            found.append((file.format.label_kind(kind), file))
    kinds = [kind for kind, _ in found]
    different = set(kinds)
    if different <= {"int", "float"} and len(different) > 1:
        return ["float"]
    if len(different) > 1 and different != {"written", "int"} and different != {"written", "float"}:
        if len(files) == 1:
            kind, _ = found[0]
            names = [name for name in roles.labels() if name in files[0].known]
            other = next(n for n, (k, _) in zip(names, found, strict=True) if k != kind)
            raise ReadError(
                f"columns {show(names[0])} and {show(other)} of {files[0].shown} hold labels of"
                " different types: convert one, or name the columns of coders by --coder"
            )
        others = [file for file in files if file.format is not files[0].format]
        others += [file for kind, file in found if kind != kinds[0]]
        raise ReadError(
            f"{files[0].shown} and {others[0].shown} hold labels of different types: read them"
            " separately, or convert one"
        )
    return kinds or ["written"]


def declared_categories(files: Sequence[File], roles: Columns) -> tuple[str, ...] | None:
    """Return the categories that files declare for the columns of labels, in the order of codes.

    None if some file cannot declare any. A column may declare more categories than another.

    Raises
    ------
    ReadError
        If one code has two labels, or a column has no labels and others do.
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

    Parameters
    ----------
    labels : Coded
    files : sequence of File
    names : sequence of str
        The columns of labels.
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


def value_labels(
    coded: Coded,
    kind: Kind,
    missing: tuple[Any, ...],
    text: bool,
    notes: list[str],
) -> Coded:
    """Turn distinct texts into values, with -1 for missing. O(cells + distinct texts)."""
    texts: list[str] = coded.values.tolist()
    values: list[Any] = texts
    if kind == "json":
        values = [_json_value(one) for one in texts]
        if text:
            values = [None if v is None else v if isinstance(v, str) else t
                      for v, t in zip(values, texts, strict=True)]  # fmt: skip
    gone = Missing(missing)
    # --missing -1 also means -1.0 if the labels are numbers, and a number in JSON.
    keep = [
        not (value is None or value in gone or (isinstance(value, bool) and text in gone))
        for value, text in zip(values, texts, strict=True)
    ]
    kept = [value for value, here in zip(values, keep, strict=True) if here]
    typed = _typed(kept, kind)
    notes += [say(note, in_option) for note in gone.notes(kept)]
    if kind == "written" and typed.dtype.kind == "f":
        notes += thousands_notes(kept)
    # The same value may be written in several ways (1 and 1.0).
    index: dict[Any, int] = {}
    table = np.full(len(texts) + 1, -1, dtype=np.int32)
    place = iter(typed.tolist())
    for i, here in enumerate(keep):
        if here:
            value = next(place)
            # The label True equals the label 1, as in Python; NaN is missing.
            if value == value:
                table[i] = index.setdefault(value, len(index))
    values_array = typed[: len(index)].copy()
    if typed.dtype == object:
        for i, value in enumerate(index):
            values_array[i] = value
    else:
        values_array[:] = list(index)
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
    keys = [split_key(text) for text in coded.values.tolist()]
    columns = []
    for cells in zip(*keys, strict=True):
        texts = [text for text in dict.fromkeys(cells) if text is not None]
        own = Coded(np.arange(len(texts), dtype=np.int32), np.array(texts, dtype=object))
        value_of: dict[str | None, Any] = dict(
            zip(texts, value_groups(own, 1).decode().tolist(), strict=True)
        )
        columns.append([value_of.get(cell) for cell in cells])
    # The same values may be written in several ways (1 and 1.0).
    index: dict[tuple[Any, ...], int] = {}
    table = [index.setdefault(value, len(index)) for value in zip(*columns, strict=True)]
    values = np.empty(len(index), dtype=object)
    for value, i in index.items():
        values[i] = value
    return Coded(np.array([*table, -1], dtype=np.int32)[coded.codes], values)


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
    found = _NUMBER.fullmatch(text)
    if found is None or len(found[2] or "") > _MOST_DIGITS:
        return False
    return math.isfinite(float(text))


def _keeps(text: str) -> bool:
    """Return whether a float holds a number well enough: whole numbers exactly."""
    return not is_whole(text) or _is_float(int(text))


def _is_float(value: float) -> bool:
    """Return whether a float holds a number well enough."""
    try:
        return float(value) == value
    except OverflowError:
        return False


def _typed(values: Sequence[Any], kind: Kind) -> NDArray[Any]:
    """Return values as an array of their type."""
    if kind == "written":
        if values and all(is_whole(text) for text in values):
            kind = "int"
        elif values and all(is_number(text) and _keeps(text) for text in values):
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
        if types in ({float}, {int, float}) and all(map(_is_float, values)):
            return np.array(values, dtype=np.float64)
        kind = "text"
    if kind == "int" and all(-(2**63) <= int(text) < 2**63 for text in values):
        return np.array([int(text) for text in values], dtype=np.int64)
    if kind == "float":
        return np.array([float(text) for text in values], dtype=np.float64)
    if kind == "bool":
        return np.array([text == "true" for text in values], dtype=bool)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
