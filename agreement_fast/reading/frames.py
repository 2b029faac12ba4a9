"""Convert data frames of any library that narwhals supports to numpy columns.

Categorical columns keep the library's own codes. Text is numbered in Arrow's memory without a copy;
only the distinct labels become Python objects.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast._kernels._texts import number_texts
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.present.tables import Tabular
from agreement_fast.reading.recognition.order import MOST, Doubt, order_of, proposed
from agreement_fast.reading.recognition.profile import ROWS
from agreement_fast.reading.recognition.recognise import names_a, roles_by_name


class Dictionary(NamedTuple):
    """A dictionary-encoded column: codes (-1 missing) and the labels they stand for.

    `ordered` means that the labels are in a declared order; `by_appearance` means that all of them
    are used and are in order of first appearance.
    """

    codes: Array
    labels: list[Any]
    ordered: bool
    by_appearance: bool = False


#: Class names of lazy frames, by the first part of the module's name.
_LAZY = {
    "polars": ("LazyFrame",),
    "duckdb": ("DuckDBPyRelation",),
    "_duckdb": ("DuckDBPyRelation",),
    "dask": ("DataFrame",),
    "pyspark": ("DataFrame",),
    "ibis": ("Table",),
    "sqlframe": ("DataFrame", "BaseDataFrame"),
    "daft": ("DataFrame",),
    "narwhals": ("LazyFrame",),
}


def is_lazy(data: Any) -> bool:
    """Return whether `data` is a lazy frame that narwhals supports; imports nothing."""
    if hasattr(data, "__narwhals_lazyframe__"):
        return True
    return any(
        kind.__name__ in _LAZY.get(kind.__module__.partition(".")[0], ())
        for kind in type(data).__mro__
    )


def is_frame(data: Any) -> bool:
    """Return whether `data` is a table of named columns; imports nothing."""
    return (
        hasattr(data, "columns")
        and (
            hasattr(data, "__narwhals_dataframe__")
            or hasattr(data, "__dataframe__")
            or hasattr(data, "__arrow_c_stream__")
        )
        and not isinstance(data, Tabular)
    )


def is_series(data: Any) -> bool:
    """Return whether `data` is one column of a data frame library; imports nothing."""
    root = type(data).__module__.partition(".")[0]
    libraries = ("pandas", "polars", "pyarrow", "narwhals", "modin", "cudf")
    return root in libraries and not hasattr(type(data), "schema")  # Arrow's readers have one


def index(data: Any) -> Any:
    """Return the index of a data frame or Series; None if its library has none."""
    if type(data).__module__.startswith("narwhals"):
        data = data.to_native()
    index = getattr(data, "index", None)
    return index if hasattr(index, "get_indexer") else None


def only_counts(index: Any) -> bool:
    """Return whether an index only numbers the rows: 0, 1, 2, ..."""
    if type(index).__name__ == "RangeIndex":
        return bool(index.start == 0 and index.step == 1)
    # That of rows chosen by their places is a range in pandas from 3 on only.
    numbers = getattr(index, "dtype", None) == np.int64 and index.name is None
    return numbers and np.array_equal(index, np.arange(len(index)))


def index_columns(data: Any) -> dict[Any, Any]:
    """Return the levels of an index that are named or several: columns that became an index."""
    row_index = index(data)
    if row_index is None:
        return {}
    n_levels = getattr(row_index, "nlevels", 1)
    levels = {
        f"level_{i}" if name is None else name: row_index.get_level_values(i)
        for i, name in enumerate(row_index.names)
        if name is not None or n_levels > 1
    }
    return {name: np.asarray(level) for name, level in levels.items()}


def row_names_beside(data: Any) -> dict[Any, Any]:
    """Return the columns that became an index, also one without a name that does not count."""
    row_index = index(data)
    if row_index is None or getattr(row_index, "nlevels", 1) > 1 or row_index.name is not None:
        return index_columns(data)
    return {} if only_counts(row_index) else {"index": np.asarray(row_index)}


def names_of(index: Any) -> Array | list[Any]:
    """Return the names in an index, which must all differ."""
    missing = np.asarray(index.isna()) if getattr(index, "nlevels", 1) == 1 else np.zeros(0, bool)
    if missing.any():
        raise InputError(
            f"the index has no name for row {int(np.argmax(missing))}",
            "it names the items; reset_index(drop=True) names them 0, 1, 2, ...",
        )
    if not index.is_unique:
        twice = index[int(np.argmax(np.asarray(index.duplicated())))]
        raise InputError(
            f"the index holds {twice!r} twice",
            "it names the items, which must differ; reset_index(drop=True) names them 0, 1, 2, "
            "..., and from_frame reads one judgment per row",
        )
    plain = isinstance(index.dtype, np.dtype) and index.dtype.kind in "iu"
    return index.to_numpy() if plain else list(index.to_numpy(object))


def _eager(frame: Any) -> Any:
    import narwhals as nw

    native = at_hand(frame.to_frame() if isinstance(frame, Tabular) else frame)
    if _is_pandas(native) and hasattr(native, "columns"):
        native = _with_plain_names(native)
    return nw.from_native(native, eager_only=True)


def _with_plain_names(frame: Any) -> Any:
    """Return a pandas frame whose columns have one name each, and names that differ."""
    names = frame.columns
    if names.nlevels > 1:
        varying = [i for i in range(names.nlevels) if names.get_level_values(i).nunique() > 1]
        if len(varying) > 1:
            raise InputError(
                f"the columns have {names.nlevels} levels, such as {names[0]!r}: several variables "
                "of each coder, or several tables",
                f"pass the columns of one variable, such as frame[{names[0][0]!r}]",
            )
        names = names.get_level_values(varying[0] if varying else 0)
        frame = frame.set_axis(names, axis=1)
    if not names.is_unique:
        twice = names[int(np.argmax(np.asarray(names.duplicated())))]
        raise InputError(f"two columns are called {twice!r}", "rename one of them, or leave it out")
    return frame


class SmallTable(NamedTuple):
    """The cells of a small data frame and the names of its columns."""

    cells: Array | list[list[Any]]
    names: tuple[Any, ...]


#: The types of numbers of 64 bits, by the kind of an array.
WIDE = {"i": np.int64, "u": np.int64, "f": np.float64}


def widened(array: Array) -> Array:
    """Return numbers of at most 64 bits as numbers of 64 bits, row by row, and others as they are.

    Unsigned numbers that are too large become negative.
    """
    wide = WIDE.get(array.dtype.kind)
    return array if wide is None or array.itemsize > 8 else np.ascontiguousarray(array, wide)


def small_table(frame: Any) -> SmallTable | None:
    """Return a small pandas frame of numbers or texts whose rows have no names; None for others."""
    if not (_is_pandas(frame) and hasattr(frame, "columns") and len(frame) <= ROWS):
        return None
    names, rows = frame.columns, frame.index
    if names.nlevels > 1 or not names.is_unique or (names.name, rows.name) != (None, None):
        return None
    if not only_counts(rows):
        return None
    cells = frame.to_numpy()
    if cells.dtype.kind in WIDE:
        cells = widened(cells)
    elif all(kind == "O" or type(kind).__name__ == "StringDtype" for kind in frame.dtypes):
        cells = cells.tolist()
    else:
        return None
    return SmallTable(cells, tuple(names.tolist()))


def refuse_transposed(frame: Any) -> None:
    """Refuse a pandas frame whose columns are called items, or whose rows are called coders."""
    names = getattr(frame, "columns", None)
    for axis, role in ((names, "item"), (index(frame), "coder")):
        name = getattr(axis, "name", None)
        if names_a(role, name):
            raise InputError(
                f"the {'columns' if role == 'item' else 'rows'} of the frame are called {name!r}, "
                "but a row is an item and a column a coder",
                "transpose it: frame.T",
            )


def refuse_label_axis(frame: Any) -> None:
    """Refuse a pandas frame whose columns are called labels, as those of a table of counts are."""
    name = getattr(getattr(frame, "columns", None), "name", None)
    if names_a("label", name):
        raise InputError(
            f"the columns of the frame are called {name!r}, as the labels are whose counts a table "
            "holds, but a row is an item and a column a coder",
            ("pass ", Argument("layout", "counts"), " if it holds counts; else ",
             Argument("layout", "wide")),
            argument="layout",
        )  # fmt: skip


def at_hand(data: Any) -> Any:
    """Return a table whose rows are in memory: open an Arrow stream, refuse a lazy frame."""
    if is_lazy(data):
        raise InputTypeError(
            f"the table is a lazy frame ({type(data).__module__.partition('.')[0].strip('_')})",
            "collect it first; af.Annotations.from_frame and from_wide read lazy frames",
        )
    return opened(data)


def opened(data: Any) -> Any:
    """Return a table that has only an Arrow stream as a frame; return other data unchanged."""
    refuse_grouped(data)
    if not hasattr(data, "__arrow_c_stream__") or is_series(data):
        return data
    if hasattr(data, "columns") and type(data).__name__ != "RecordBatch":
        return data
    import narwhals as nw

    for library in ("pyarrow", "polars", "pandas"):
        if importlib.util.find_spec(library) is not None:
            return nw.from_arrow(data, backend=library).to_native()
    raise InputTypeError(
        f"{type(data).__name__} has an Arrow stream, which needs pyarrow, polars or pandas",
        "pip install pyarrow",
    )


def refuse_grouped(data: Any) -> None:
    """Refuse what a library's `groupby` returns: its groups are no table; imports nothing."""
    kind = type(data)
    if "Group" not in kind.__name__ or not any(
        name in kind.__name__ for name in ("GroupBy", "GroupedData", "GroupedTable")
    ):
        return
    keys = getattr(data, "keys", None)  # pandas has them here
    listed = keys if isinstance(keys, list) else [keys]
    by = Argument("by", keys) if all(isinstance(key, str) for key in listed) else "by=..."
    raise InputTypeError(
        f"the data are groups of {kind.__module__.partition('.')[0]} ({kind.__name__})",
        ("for a value of each group call af.agreement_by_group(data, ", by, ")"),
        argument="data",
    )


class Ordered(NamedTuple):
    """Rows of a data frame, sorted by a column."""

    frame: Any
    #: Ascending; equal for rows with equal values in the column: int64 array of shape (n,).
    times: Array


def in_order(frame: Any, column: str) -> Ordered:
    """Return the rows of a data frame sorted by a column; equal rows keep their order."""
    ranks = ranks_of(frame, column)
    ranks[ranks < 0] = len(ranks)  # missing ones are last
    rows = np.argsort(ranks, kind="stable")
    ranks = ranks[rows]
    times = np.zeros(len(ranks), np.int64)
    np.cumsum(ranks[1:] != ranks[:-1], out=times[1:])
    return Ordered(_eager(frame)[rows.tolist()].to_native(), times)


def ranks_of(frame: Any, name: str) -> Array:
    """Return the place of each row by a column, as int64; equal values share one, -1 is missing.

    Raises ValueError if the values are words, whose order nobody declared, or dates with two
    readings.
    """

    (values,) = pick(frame, order=name)
    series = _eager(frame).get_column(name)
    if series.dtype.is_temporal():
        ranks = series.rank("dense").fill_null(0).to_numpy()
        return np.asarray(ranks).astype(np.int64) - 1
    if isinstance(values, Dictionary):
        codes, labels, ordered = values.codes, values.labels, values.ordered
    elif values.dtype.kind == "O":
        codes, known = np.empty(len(values), np.int32), dict[Any, int]()
        position, error = _encode.encode_objects(values.tolist(), known, codes)
        if error is not None:
            raise InputTypeError(
                (Argument("order", name), f" has {values[position]!r} in row {position}"),
                "an order needs numbers, dates or times",
            )
        labels, ordered = list(known), False
    else:
        _, codes = np.unique(values, return_inverse=True)
        return np.where(values == values, codes.reshape(-1), -1).astype(np.int64)
    if ordered:
        return codes.astype(np.int64)
    used = np.unique(codes[codes >= 0]).tolist()
    order = order_of([labels[code] for code in used])
    if isinstance(order, Doubt):
        raise _no_order(frame, name, [labels[code] for code in used], order)
    lookup = np.full(len(labels) + 1, -1, np.int64)
    place = {key: i for i, key in enumerate(sorted(set(order.keys)))}
    lookup[used] = [place[key] for key in order.keys]
    return lookup[codes]


def _no_order(frame: Any, name: str, values: list[Any], doubt: Doubt) -> InputError:
    """Return the error for a column that orders rows by words; it shows how to declare an order."""
    remedy = doubt.remedy
    if remedy is None:
        listed = repr(proposed(values)) if len(values) <= MOST else "[...]"
        remedy = "make it numbers, dates or times"
        if _is_pandas(frame):
            column = f"pd.Categorical(frame[{name!r}], {listed}, ordered=True)"
            remedy = f"declare the order: frame[{name!r}] = {column}"
        elif type(frame).__module__.partition(".")[0] == "polars":
            column = f"pl.col({name!r}).cast(pl.Enum({listed}))"
            remedy = f"declare the order: frame = frame.with_columns({column})"
    return InputError(
        (Argument("order", name), f" is a column of texts, and {doubt.problem}"), remedy
    )


def columns(frame: Any) -> dict[str, Array | Dictionary]:
    """Return every column of a data frame, by name."""
    if _is_pandas(frame):  # for a table of a few rows, narwhals would take longer than all else
        return {name: column(series) for name, series in _with_plain_names(frame).items()}
    eager = _eager(frame)
    return {name: column(eager.get_column(name)) for name in eager.columns}


class NamedColumns(NamedTuple):
    """The columns of a table that is no data frame: records, a mapping, or a structured array."""

    columns: dict[Any, Any]


def with_index(frame: Any) -> Any:
    """Return a pandas frame whose named levels of the index are columns; other tables unchanged."""
    levels = index_columns(frame)
    if not levels or not is_frame(frame) or not set(levels).isdisjoint(frame.columns):
        return frame
    return frame.reset_index()


def judgment_roles(frame: Any, **named: str | None) -> dict[str, Any]:
    """Return the columns of item, coder and label; those not named are found by usual names."""
    for role, name in named.items():
        if not isinstance(name, str | None):
            raise InputTypeError.must_be(role, "the name of a column", name)
    if None not in named.values():
        return named
    of = frame if isinstance(frame, NamedColumns) else _eager(frame)
    return roles_by_name(list(of.columns), **named)


def pick(frame: Any, **names: str | None) -> list[Any]:
    """Return the columns that arguments name; None for an argument that names none.

    An unknown name raises an error that lists the columns.
    """
    if isinstance(frame, NamedColumns):
        known, take = list(frame.columns), frame.columns.__getitem__
    elif _is_pandas(frame) and hasattr(frame, "columns") and frame.columns.is_unique:
        known, take = list(frame.columns), frame.__getitem__
    else:
        eager = _eager(frame)
        known, take = eager.columns, eager.get_column
    for argument, name in names.items():
        if name is not None and not isinstance(name, Hashable):
            raise InputTypeError.must_be(argument, "the name of a column", name)
        if name is not None and name not in known:
            raise InputError(
                (
                    Argument(argument, name),
                    f" is not a column; the columns are {', '.join(map(repr, known))}",
                )
            )
    if isinstance(frame, NamedColumns):
        return [None if name is None else take(name) for name in names.values()]
    return [None if name is None else column(take(name)) for name in names.values()]


def in_roles(frame: Any, roles: Sequence[str], argument: str) -> list[Array | Dictionary]:
    """The columns of a frame in the order of some roles.

    Columns that are named like the roles are found by name, in any order. If none is, columns are
    taken by their places.
    """
    known = columns(at_hand(frame))
    if all(role in known for role in roles):
        return [known[role] for role in roles]
    names = list(known)
    moved = [role for role in roles if role in names and names.index(role) != roles.index(role)]
    if len(names) != len(roles) or moved:
        raise InputError(
            f"the columns of {argument} are {', '.join(map(repr, names))}",
            f"name them {', '.join(roles)}, or pass {len(roles)} columns in this order",
            argument=argument,
        )
    return list(known.values())


def only_column(frame: Any) -> Any:
    """Return the only column of a data frame, with the frame's index if it has one."""
    if _is_pandas(frame):
        return frame.iloc[:, 0]
    eager = _eager(frame)
    return eager.get_column(eager.columns[0]).to_native()


def listed(values: Array | Dictionary | list[Any]) -> list[Any]:
    """Return a column as Python objects, None for missing cells."""
    if isinstance(values, Dictionary):
        return [None if code < 0 else values.labels[code] for code in values.codes.tolist()]
    return values if isinstance(values, list) else list(values.tolist())


def _is_pandas(data: Any) -> bool:
    return type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "iloc")


def column(series: Any) -> Array | Dictionary:
    """Return a column as numbers (floats with NaN if some are missing) or as a dictionary."""
    if _is_pandas(series):
        # for a table of a few rows, narwhals would take longer than all other steps
        if isinstance(series.dtype, np.dtype) and series.dtype.kind in "biuf":
            return cast(Array, series.to_numpy())
        if type(series.dtype).__name__ in ("CategoricalDtype", "StringDtype"):
            return _of_pandas(series)
        if series.dtype.kind in "mM":
            codes, times = series.factorize()
            return Dictionary(codes.astype(np.int32), list(times), False, by_appearance=True)
    import narwhals as nw

    if type(series).__module__.startswith("pyarrow") and not hasattr(series, "num_chunks"):
        import pyarrow as pa

        series = pa.chunked_array([series])  # the only Arrow columns that narwhals takes
    if type(series).__module__.startswith("pandas") and not hasattr(series, "iloc"):
        import pandas as pd

        series = pd.Series(series)  # an Index, a Categorical, or another array
    series = nw.from_native(series, series_only=True)
    dtype = series.dtype
    if dtype in (nw.Int128, nw.UInt128):
        return _objects(series)  # numpy has no such integers
    if dtype.is_integer() or dtype == nw.Boolean:
        if not series.is_null().any():
            return cast(Array, series.to_numpy())
        array = series.to_numpy()
        # Nullable integers become objects or floats; beyond 2^53 floats would merge labels.
        exact = array.dtype.kind == "f" and np.nanmax(np.abs(array), initial=0) < 2**53
        return cast(Array, array) if exact else _objects(series)
    if dtype.is_float():
        array = series.to_numpy()
        return cast(Array, array.astype(np.float64) if array.dtype.kind == "O" else array)
    if dtype == nw.Categorical or dtype == nw.Enum or dtype == nw.String:
        return _dictionary(series, dtype)
    return _objects(series)


def _objects(series: Any) -> Array:
    return np.fromiter(series.to_list(), object, len(series))


def _texts(native: Any) -> Dictionary | None:
    """Return a column of text from Arrow's interface without a copy; None for other columns."""
    if not hasattr(native, "__arrow_c_stream__"):
        return None
    codes = np.empty(len(native), np.int32)
    texts = number_texts(native.__arrow_c_stream__(), codes)
    return None if texts is None else Dictionary(codes, texts, False, by_appearance=True)


def _dictionary(series: Any, dtype: Any) -> Array | Dictionary:
    """Return categories with the library's codes; narwhals has no codes, so ask each library."""
    import narwhals as nw

    native = series.to_native()
    library = series.implementation
    ordered = dtype == nw.Enum
    if library.is_pandas():
        return _of_pandas(native)
    texts = _texts(native) if dtype == nw.String else None
    if texts is not None:
        return texts
    if library.is_polars() and dtype != nw.String:
        return _of_polars(native, ordered)
    if library.is_pyarrow() and dtype != nw.String:
        return _of_pyarrow(native)
    return _objects(series)


def _of_polars(native: Any, ordered: bool) -> Dictionary:
    import polars as pl

    # Codes are unsigned; null becomes the largest, which is -1 as a signed code.
    unsigned = native.to_physical().cast(pl.UInt32).fill_null(2**32 - 1).to_numpy()
    physical = np.ascontiguousarray(unsigned).view(np.int32)
    if ordered:
        return Dictionary(physical, native.dtype.categories.to_list(), True)
    # Codes may refer to all categoricals of the process: number those that occur here.
    lookup = np.full(int(physical.max(initial=-1)) + 2, -1, np.int32)
    codes, first = np.empty(len(physical), np.int32), np.empty(len(lookup), np.int64)
    n = _encode.number_in_order(physical, -1, lookup, codes, first)
    labels = native.gather(first[:n]).to_list()
    if None not in labels:
        return Dictionary(codes, labels, False, by_appearance=True)
    null = labels.index(None)
    renamed = np.array([i - (i > null) if i != null else -1 for i in range(n)], np.int32)
    texts = labels[:null] + labels[null + 1 :]
    return Dictionary(renamed[codes], texts, False, by_appearance=True)


def _of_pyarrow(chunked: Any) -> Dictionary:
    import pyarrow as pa

    ordered = bool(chunked.type.ordered)
    if chunked.num_chunks == 0:
        return Dictionary(np.zeros(0, np.int32), [], ordered)
    # Unifying chunks would look up all texts again, which is not needed for a shared dictionary.
    texts_of = chunked.chunk(0).dictionary
    if not all(chunk.dictionary.equals(texts_of) for chunk in chunked.chunks[1:]):
        chunked = chunked.unify_dictionaries()
        texts_of = chunked.chunk(0).dictionary
    parts = [chunk.indices.cast(pa.int32()).fill_null(-1) for chunk in chunked.chunks]
    codes = np.concatenate([part.to_numpy(zero_copy_only=False) for part in parts])
    return Dictionary(codes, texts_of.to_numpy(zero_copy_only=False).tolist(), ordered)


def _of_pandas(series: Any) -> Dictionary:
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        codes = np.asarray(series.cat.codes, np.int32)
        return Dictionary(codes, series.cat.categories.tolist(), bool(series.cat.ordered))
    texts = _texts(_in_arrow(series))
    if texts is not None:
        return texts
    result, labels = pd.factorize(series, use_na_sentinel=True)
    distinct = np.asarray(labels, dtype=object).tolist()
    return Dictionary(result.astype(np.int32), distinct, False, by_appearance=True)


def _in_arrow(series: Any) -> Any:
    """Return a pandas column of text in Arrow's memory: without a copy, or copied from objects.

    None without Arrow, and for objects that Arrow has no type for.
    """
    try:
        import pyarrow as pa

        held = pa.array(series, from_pandas=True)
        return held if isinstance(held, pa.ChunkedArray) else pa.chunked_array([held])
    except (ImportError, ValueError, TypeError, NotImplementedError):
        return None
