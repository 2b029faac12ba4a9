"""Pieces as Arrow tables, to be stored and sent: a row for each pattern.

The columns are its weight, its labels, and its coders or how often each label was given. Labels and
coders are numbers; their names and the other parts of the piece are in the metadata of the table's
schema, as JSON. Kernels do not check their input, so reading checks everything.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
import math
import re
from collections.abc import Callable, Hashable
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.patterns import LARGEST_TOTAL, Rows, as_lists, group_rows, narrow
from agreement_fast.present.terminal import escape
from agreement_fast.reading.parts import LeftOut
from agreement_fast.reading.pieces import LEAST, Piece
from agreement_fast.reading.row_order import in_usual_form

#: Types that JSON has.
_OWN = frozenset({str, int, bool})

#: A datetime64 of numpy whose digits imply its unit.
_MOMENT = re.compile(r"-?[0-9]{4,}(-[0-9T:.-]*)?")

#: Zones that the text of a time describes completely; others have a name.
_ZONES = (type(None), datetime.timezone)


def as_json(name: Any, what: str) -> Any:
    """Return a name as JSON; `what` names it in the error if it cannot be stored.

    Examples
    --------
    >>> as_json(("a", 1.5), "category")
    {'tuple': ['a', 1.5]}
    """
    kind = type(name)
    if kind in _OWN or (kind is float and math.isfinite(name)):
        return name
    if kind is float:
        return {"float": repr(name)}
    if kind is tuple:
        return {"tuple": [as_json(element, what) for element in name]}
    if kind is frozenset:
        return {"frozenset": sorted((as_json(entry, what) for entry in name), key=json.dumps)}
    if kind is Decimal:
        return {"Decimal": str(name)}
    if kind is np.datetime64 and _MOMENT.fullmatch(str(name)):
        return {"datetime64": str(name)}
    if isinstance(name, datetime.datetime) and not getattr(name, "nanosecond", 0):
        # A Timestamp of pandas equals a datetime if it has no nanoseconds.
        kind = datetime.datetime
    if kind is datetime.date or (kind is datetime.datetime and type(name.tzinfo) in _ZONES):
        return {kind.__name__: name.isoformat()}
    raise InputError(
        f"{what} {escape(repr(name))} is of type {kind.__name__}, which cannot be stored",
        "make it text, a number, a date, or a tuple or frozenset of these",
    )


def from_json(value: Any) -> Hashable:
    """Return the name that `as_json` wrote.

    Raises ValueError if the value is not what `as_json` writes.
    """
    if type(value) in _OWN or (type(value) is float and math.isfinite(value)):
        return value  # type: ignore[no-any-return]
    if isinstance(value, dict) and len(value) == 1:
        ((kind, content),) = value.items()
        try:
            name = _READ[kind](content)
            if name == name and as_json(name, "name") == value:
                return name
        except (KeyError, TypeError, ValueError, ArithmeticError):
            pass
    raise InputError(f"{value!r} is not a name")


def _elements(content: Any) -> list[Hashable]:
    if not isinstance(content, list):
        raise TypeError
    return [from_json(element) for element in content]


def _moment(content: Any) -> Hashable:
    # numpy also reads "now" as a time.
    if not _MOMENT.fullmatch(content):
        raise ValueError
    return np.datetime64(content)


_READ: dict[str, Callable[[Any], Hashable]] = {
    "float": float,
    "tuple": lambda content: tuple(_elements(content)),
    "frozenset": lambda content: frozenset(_elements(content)),
    "Decimal": Decimal,
    "date": datetime.date.fromisoformat,
    "datetime": datetime.datetime.fromisoformat,
    "datetime64": _moment,
}


#: Where the metadata of a schema has what belongs to a piece.
KEY = b"agreement_fast"

VERSION = 1

#: What a file begins with.
PARQUET, ARROW = b"PAR1", b"ARROW1"

ENDINGS = (".parquet", ".arrow")

#: Coders × categories of marginals, most of them 0, that a table may ask for: 1 GB.
MOST_CELLS = 1 << 27


def _arrow() -> ModuleType:
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError(
            "stored patterns need pyarrow", 'pip install "agreement-fast[parquet]"'
        ) from None
    return pa  # type: ignore[no-any-return]


# ---------------------------------------------------------------------- writing


def to_table(piece: Piece) -> Any:
    """The patterns of a piece as a pyarrow.Table.

    Raises ValueError: a category or coder whose type cannot be stored; too many of them for coders'
    marginals.
    """
    pa = _arrow()
    shape = (len(piece.coders or ()), len(piece.categories))
    if piece.marginals is not None and not _fit_memory(shape):
        raise InputError(
            f"marginals of {_sizes(shape)} are too many to be stored",
            ("keep who said what: pass ", Argument("keep_coders", True)),
        )
    columns = _columns(as_lists(piece.rows))
    about = _about(piece)
    about["digest"] = digest_of(columns, about)
    start = pa.array(columns.pop("start"))
    arrays = {"weight": pa.array(columns.pop("weight"))}
    for name, values in columns.items():
        arrays[name] = pa.LargeListArray.from_arrays(start, pa.array(values))
    return pa.table(arrays).replace_schema_metadata({KEY: _spelled(about)})


def to_bytes(piece: Piece) -> bytes:
    """The patterns of a piece as a stream of Arrow, in memory."""
    pa, table = _arrow(), to_table(piece)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return cast(bytes, sink.getvalue().to_pybytes())


def write_piece(piece: Piece, path: str | Path) -> None:
    """Write the patterns of a piece to a file of Parquet or Arrow, by the ending of its name."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise InputError(
            f"patterns are written as Parquet or Arrow, not to {escape(repr(path.name))}",
            f"end the name in {' or '.join(ENDINGS)}",
            argument="path",
        )
    pa, table = _arrow(), to_table(piece)
    with path.open("wb") as file:
        if ending == ".arrow":
            with pa.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table)
        else:
            import pyarrow.parquet as pq

            pq.write_table(table, file, write_page_checksum=True)


def _columns(rows: Rows) -> dict[str, Array]:
    """The arrays of lists by the names of their columns; `start` bounds the lists."""
    assert rows.weights is not None
    columns = {"start": rows.start, "weight": rows.weights, "labels": rows.codes.astype(np.int32)}
    if rows.coders is not None:
        columns["coders"] = rows.coders
    if rows.repeats is not None:
        columns["repeats"] = rows.repeats
    return columns


def _about(piece: Piece) -> dict[str, Any]:
    about = {
        "version": VERSION,
        "categories": [as_json(label, "category") for label in piece.categories],
        "declared": piece.declared,
        "coders": None,
        "marginals": None,
        "missing": piece.missing,
        "left_out": list(piece.left_out),
    }
    if piece.coders is not None:
        about["coders"] = [as_json(coder, "coder") for coder in piece.coders]
    if piece.hashes is not None:
        about["items"] = base64.b64encode(piece.hashes.astype("<u8").tobytes()).decode()
    if piece.marginals is not None:
        about["marginals"] = [_cells(piece.marginals[least]) for least in LEAST]
    return about


def _cells(counts: Array) -> list[list[int]]:
    """The coders, categories and counts of the cells that are not 0."""
    coder, category = np.nonzero(counts)
    return [part.tolist() for part in (coder, category, counts[coder, category])]


def _fit_memory(shape: tuple[int, int]) -> bool:
    return shape[0] * shape[1] <= MOST_CELLS


def _sizes(shape: tuple[int, int]) -> str:
    return f"{shape[0]:,} coders × {shape[1]:,} categories"


def _spelled(about: dict[str, Any]) -> bytes:
    try:
        return json.dumps(about, sort_keys=True).encode()
    except ValueError as error:  # an integer of thousands of digits
        raise InputError(f"the names cannot be stored: {error}") from None


def digest_of(columns: dict[str, Array], about: dict[str, Any]) -> str:
    """What tells that no number and no name has changed."""
    digest = hashlib.blake2b(_spelled({k: v for k, v in about.items() if k != "digest"}))
    for name in sorted(columns):
        values = columns[name]
        digest.update(f"{name} {len(values)}".encode())
        digest.update(values.astype(values.dtype.newbyteorder("<"), copy=False).data)
    return digest.hexdigest()


# ---------------------------------------------------------------------- reading


class DamageError(Exception):
    """What is wrong with a table, and what else to do than to store it again."""

    def __init__(self, reason: str, remedy: str = "store the patterns again") -> None:
        super().__init__(reason)
        self.remedy = remedy


#: What to do instead of concatenating tables.
ADD_UP = (
    "several tables are added up by af.concat(map(af.Annotations.from_patterns, tables), "
    "keep_items=False); if it is one, store the patterns again"
)


def from_table(table: Any, what: str = "the table") -> Piece:
    """The piece that a table of `to_table` holds.

    Raises ValueError: it is no such table, was changed, or was stored by a later version.
    """
    pa = _arrow()
    if not isinstance(table, pa.Table):
        raise InputTypeError(f"{what} must be a pyarrow.Table, not {type(table).__name__}")
    spelled = (table.schema.metadata or {}).get(KEY)
    if spelled is None:
        raise InputError(
            f"{what} holds no stored patterns",
            "they are what Annotations.write_patterns and patterns_to_arrow give; judgments are"
            " read by af.Annotations.from_frame",
        )
    try:
        about = _parsed(spelled)
        if about["version"] == VERSION:
            return _piece(arrays_of(table), about)
    except (DamageError, pa.ArrowException) as error:
        reason = escape(str(error).split("\n")[0][:200])
        remedy = error.remedy if isinstance(error, DamageError) else "store the patterns again"
        raise InputError(f"{what} is damaged: {reason}", remedy) from None
    raise InputError(
        f"{what} was stored by a later version of agreement_fast (format {about['version']}, and "
        f"this one reads {VERSION})",
        "pip install --upgrade agreement-fast",
    )


def from_bytes(stream: bytes) -> Piece:
    """The piece that `to_bytes` wrote."""
    pa = _arrow()
    return _read(lambda: pa.ipc.open_stream(pa.BufferReader(stream)).read_all(), "the stream")


def read_piece(path: str | Path) -> Piece:
    """The piece of a file of `write_piece`; what the file begins with tells Parquet from Arrow."""
    pa, path = _arrow(), Path(path)
    what = escape(repr(path.name))
    if path.is_dir():
        raise InputError(
            f"{what} is a folder",
            "its files are read one by one: af.concat(map(af.Annotations.read_patterns, "
            "Path(folder).glob('*.parquet')), keep_items=False)",
            argument="path",
        )
    if not path.exists():
        raise FileNotFoundError(
            f"there is no file {escape(repr(str(path)))}; patterns are written by "
            "Annotations.write_patterns"
        )
    content = path.read_bytes()
    if content.startswith(ARROW):
        return _read(lambda: pa.ipc.open_file(pa.BufferReader(content)).read_all(), what)
    if not content.startswith(PARQUET):
        raise InputError(f"{what} is neither Parquet nor Arrow", argument="path")
    import pyarrow.parquet as pq

    def read() -> Any:
        source = pa.BufferReader(content)
        return pq.ParquetFile(source, page_checksum_verification=True).read()

    return _read(read, what)


def _read(read: Any, what: str) -> Piece:
    """What a reader of Arrow's reads; it has many ways to fail where a file is damaged."""
    try:
        table = read()
    except (_arrow().ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        reason = escape(str(error).split("\n")[0][:200])
        raise InputError(f"{what} cannot be read: {reason}", "store the patterns again") from None
    return from_table(table, what)


def _require(holds: Any, otherwise: str) -> None:
    if not holds:
        raise DamageError(otherwise)


def _parsed(spelled: bytes) -> dict[str, Any]:
    try:
        about = json.loads(spelled)
    except (ValueError, RecursionError):
        raise DamageError("its metadata is no JSON") from None
    _require(isinstance(about, dict), "its metadata is no JSON object")
    version = about.get("version")
    _require(type(version) is int and version >= VERSION, "its version is not known")
    return cast("dict[str, Any]", about)


def arrays_of(table: Any) -> dict[str, Array]:
    """The arrays of the columns, of the types that they should have; without gaps."""
    import pyarrow as pa

    table.validate(full=True)
    columns: dict[str, Array] = {}
    types = {"weight": pa.int64(), "labels": pa.int32(), "coders": pa.int32()}
    types["repeats"] = pa.int64()
    names = table.column_names
    _require(
        sorted(names) in (["coders", "labels", "weight"], ["labels", "repeats", "weight"]),
        f"its columns are {', '.join(map(repr, names))}",
    )
    for name in names:
        column = table.column(name)
        nested = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
        kind = column.type.value_type if nested else column.type
        fits = nested == (name != "weight") and kind == types[name]
        _require(fits, f"its column {name!r} is of type {column.type}")
        _require(column.null_count == 0, f"its column {name!r} has empty cells")
        if nested:
            lengths = [chunk.value_lengths() for chunk in column.chunks]
            sizes = _joined([part.to_numpy(zero_copy_only=False) for part in lengths], np.int64)
            start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
            same = "start" not in columns or np.array_equal(columns["start"], start)
            _require(same, "its lists are of different lengths")
            columns["start"] = start
            parts = [chunk.flatten() for chunk in column.chunks]
            _require(not any(part.null_count for part in parts), f"{name!r} has empty elements")
        else:
            parts = column.chunks
        values = [part.to_numpy(zero_copy_only=False) for part in parts]
        columns[name] = _joined(values, np.dtype(kind.to_pandas_dtype()))
    return columns


def _joined(parts: list[Array], dtype: Any) -> Array:
    """Arrays as one, in memory of its own."""
    return np.concatenate([np.zeros(0, dtype), *parts]).astype(dtype, copy=False)


def _piece(columns: dict[str, Array], about: dict[str, Any]) -> Piece:
    categories = _names(about.get("categories"), "categories")
    known = about.get("coders") is not None
    coders = _names(about["coders"], "coders") if known else None
    declared, missing, left_out = (about.get(k) for k in ("declared", "missing", "left_out"))
    _require(type(declared) is bool, "'declared' is neither true nor false")
    _require(_is_count(missing), "'missing' is no number")
    _require(
        isinstance(left_out, list) and len(left_out) == len(LeftOut._fields), "'left_out' is odd"
    )
    _require(all(map(_is_count, cast("list[Any]", left_out))), "'left_out' is odd")
    rows = _rows(columns, len(categories), None if coders is None else len(coders))
    let_go = about.get("marginals") is not None
    _require((rows.coders is not None) == (known and not let_go), "its columns are of another kind")
    marginals = None
    if let_go:
        marginals = _marginals(about["marginals"], rows, (len(coders or ()), len(categories)))
    hashes = _hashes(about["items"], rows) if "items" in about else None
    if about.get("digest") != digest_of(columns, about):
        raise DamageError("it was changed after it was stored", ADD_UP)
    if rows.coders is not None and coders is not None:
        rows = in_usual_form(rows, len(coders))
    return Piece(
        categories,
        bool(declared),
        coders,
        rows,
        marginals,
        cast(int, missing),
        LeftOut(*cast("list[int]", left_out)),
        hashes,
    )


def _hashes(written: Any, rows: Rows) -> Array:
    """The hashes of the names of items, at most one for each."""
    try:
        hashes = np.frombuffer(base64.b64decode(written, validate=True), "<u8").astype(np.uint64)
    except (TypeError, ValueError):
        raise DamageError("its hashes of items are odd") from None
    assert rows.weights is not None
    fits = len(hashes) <= rows.weights.sum() and (hashes[1:] > hashes[:-1]).all()
    _require(fits, "its hashes of items are odd")
    hashes.flags.writeable = False
    return hashes


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < LARGEST_TOTAL


def _names(written: Any, what: str) -> tuple[Any, ...]:
    _require(isinstance(written, list), f"its {what} are no list")
    try:
        names = tuple(map(from_json, written))
        distinct = len(set(names)) == len(names)
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise DamageError(f"of its {what} {error}") from None
    _require(distinct, f"of its {what} two are equal")
    return names


def _rows(columns: dict[str, Array], n_categories: int, n_coders: int | None) -> Rows:
    start, labels, weights = columns["start"], columns["labels"], columns["weight"]
    coders, repeats = columns.get("coders"), columns.get("repeats")
    _require((weights >= 0).all(), "a weight is negative")
    _require(((labels >= 0) & (labels < n_categories)).all(), "a label is out of range")
    if coders is not None:
        _require(n_coders is not None, "its coders have no names")
        _require(((coders >= 0) & (coders < cast(int, n_coders))).all(), "a coder is out of range")
    if repeats is not None:
        _require((repeats > 0).all(), "a label is given less than once")
    keys = labels if coders is None else coders
    first = np.zeros(len(keys) + 1, bool)
    first[start] = True
    what = "labels" if coders is None else "coders"
    _require(((keys[1:] > keys[:-1]) | first[1:-1]).all(), f"the {what} of a row do not ascend")
    each = np.ones(len(labels)) if repeats is None else repeats.astype(np.float64)
    row = np.repeat(np.arange(len(weights)), np.diff(start))
    judged = float(each @ weights[row].astype(np.float64))
    largest = max(judged, float(weights.sum(dtype=np.float64)), float(each.sum()))
    _require(largest < LARGEST_TOTAL, "its counts do not fit 64 bits")
    weights.flags.writeable = False
    rows = Rows(labels.astype(narrow(n_categories)), 0, start, coders, repeats, weights)
    if group_rows(rows).n_rows < rows.n_rows:
        raise DamageError("a pattern is there twice", ADD_UP)
    return rows


def _marginals(written: Any, rows: Rows, shape: tuple[int, int]) -> dict[int, Array]:
    """The coders' marginals, which must be those of the rows where coders are left aside."""
    _require(isinstance(written, list) and len(written) == len(LEAST), "its marginals are odd")
    _require(_fit_memory(shape), f"marginals of {_sizes(shape)} are too many to be stored")
    assert rows.repeats is not None
    assert rows.weights is not None
    row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
    sizes = np.zeros(rows.n_rows, np.int64)
    np.add.at(sizes, row, rows.repeats)
    marginals = {}
    for least, cells in zip(LEAST, written, strict=True):
        _require(isinstance(cells, list) and len(cells) == 3, "its marginals are odd")
        lengths = {len(part) if isinstance(part, list) else -1 for part in cells}
        _require(len(lengths) == 1 and lengths != {-1}, "its marginals are odd")
        _require(all(_is_count(value) for part in cells for value in part), "a marginal is odd")
        coder, category, counts = (np.array(part, np.int64) for part in cells)
        inside = (coder < shape[0]).all() and (category < shape[1]).all()
        _require(inside, "a marginal is out of range")
        marginals[least] = np.zeros(shape, np.int64)
        marginals[least][coder, category] = counts
        _require(np.count_nonzero(marginals[least]) == len(counts), "a marginal is there twice")
        total = np.zeros(shape[1], np.int64)
        counted = sizes[row] >= least
        np.add.at(total, rows.codes[counted], (rows.repeats * rows.weights[row])[counted])
        # As objects: what was made up may not fit 64 bits.
        of_coders = np.zeros(shape[1], object)
        np.add.at(of_coders, category, counts.astype(object))
        _require((of_coders == total).all(), "its marginals are not those of its rows")
    least, more = LEAST
    _require((marginals[more] <= marginals[least]).all(), "its marginals contradict each other")
    return marginals
