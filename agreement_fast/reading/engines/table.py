"""The columns of a lazy frame under fixed names, and queries that are counted."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from functools import reduce
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.reading.labels import as_python
from agreement_fast.reading.parts import Gathered
from agreement_fast.reading.recognition.labels import Missing
from agreement_fast.reading.tables import LARGEST_WEIGHT, no_column, no_weight

#: All integers below this are exact as floats.
EXACT = 2.0**53

#: The largest number of rows and of cells that a query may return: half a gigabyte.
MOST_ROWS, MOST_CELLS = 1 << 22, 1 << 26


class Queries:
    """The queries of one call, which are counted."""

    def __init__(self) -> None:
        #: The number of queries, and the rows and bytes that they returned.
        self.n_queries = self.n_rows = self.n_bytes = 0
        #: The number of parts in which rows were read.
        self.n_parts: int | None = None

    def came(self, n_rows: int, n_bytes: int) -> None:
        """Count rows and bytes that were returned."""
        self.n_rows += n_rows
        self.n_bytes += n_bytes

    def fetch(self, query: Any, most: int = MOST_ROWS) -> Any:
        """Compute a lazy frame of at most `most` rows; None if it has more."""
        try:
            rows = query.head(most + 1).collect()
        except ModuleNotFoundError as error:
            raise InputError(
                f"the engine returns its results as a frame of {error.name}, which is not"
                " installed",
                f"pip install {error.name}",
            ) from None
        except (ValueError, TypeError) as error:
            if not type(error).__module__.startswith("pyarrow"):
                raise
            raise not_of_type(error) from None
        self.n_queries += 1
        self.came(len(rows), int(rows.estimated_size()))
        _refuse_rounded(query.collect_schema(), rows)
        return rows if len(rows) <= most else None

    def count(self, rows: Any) -> int:
        """Return the number of rows of a lazy frame."""
        return int(integers(self.fetch(rows.select(nw.len().alias(N_ROWS)))[N_ROWS])[0])

    def gathered(self, engine: str, way: str, why: str) -> Gathered:
        """Return a description of how the judgments were read."""
        return Gathered(engine, way, why, self.n_queries, self.n_rows, self.n_bytes, self.n_parts)


def most_rows(n_columns: int, most: int = MOST_ROWS) -> int:
    """Return how many rows of some columns a query may return, at most `most`."""
    return min(most, MOST_CELLS // max(n_columns, 1))


def _refuse_rounded(schema: Any, rows: Any) -> None:
    """Raise an error for integers that were returned as floats and are too large for them."""
    for name, kind in schema.items():
        column = rows[name]
        if kind.is_integer() and column.dtype.is_float():
            largest = max(abs(column.max() or 0), abs(column.min() or 0))
            if largest >= EXACT:
                raise rounded(largest)


def rounded(number: float) -> InputError:
    """Return the error for integers that the engine rounds."""
    return InputError(
        f"whole numbers such as {number:.0f} are rounded by this engine, which makes different"
        " numbers equal",
        "cast them to text",
    )


def changed() -> InputError:
    """Return the error for an engine whose rows change between queries."""
    return InputError(
        "the rows changed between two queries, or each query returns different rows",
        "store them as a table first",
    )


def not_of_type(error: Exception) -> InputError:
    """Return the error for values that do not have the type of their column, as in SQLite."""
    message = str(error.args[0] if error.args else error).partition("\n")[0]
    message = "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)
    return InputError(
        f"a column holds values of another type than its own ({message})",
        "cast the column, or leave out these rows",
    )


def integers(column: Any) -> Array:
    """Return a column of integers, from decimals, floats or unsigned integers."""
    cast: Array = column.cast(nw.Int64).to_numpy()
    return np.ascontiguousarray(cast, np.int64)


#: Databases without NaN, which also have no function for it.
WITHOUT_NAN = ("sqlite", "mysql", "mssql", "oracle")

#: Databases whose integers Ibis returns as floats if some are missing.
ROUNDING = ("sqlite",)

#: A function from a column of floats to its NaN mask.
IsNan: TypeAlias = Callable[[Any], Any]


def enums_declare(frame: Any) -> bool:
    """Return whether Enums declare categories; DuckDB makes one of each categorical of pandas."""
    if not frame.implementation.is_duckdb():
        return True
    return "PANDAS_SCAN" not in frame.to_native().explain()


def nan_of(frame: Any) -> IsNan | None:
    """Return the NaN function of a lazy frame of narwhals; None if the engine has no NaN."""
    if _database(frame) in WITHOUT_NAN:
        return None
    if _database(frame) == "duckdb" or frame.implementation.is_duckdb():
        # Compared as text: Parquet statistics without NaN make `is_nan` False.
        return lambda column: column.cast(nw.String) == "nan"
    return lambda column: column.is_nan()


def rounds(frame: Any) -> bool:
    """Whether integers of 2⁵³ and more are rounded."""
    return _database(frame) in ROUNDING


def _database(frame: Any) -> str | None:
    """Return the name of the database behind a lazy frame of Ibis; None of a mere description."""
    native = frame.to_native()
    if not hasattr(native, "get_backend"):
        return None
    from ibis.common.exceptions import IbisError

    with suppress(IbisError):
        return str(native.get_backend().name)
    return None


CODER, LABEL, WEIGHT, ORDER = "af_coder", "af_label", "af_weight", "af_order"
#: 1 if there is a label, otherwise 0.
GIVEN = "af_given"
#: Flags of invalid rows: without an item or a coder, or with an invalid weight.
NAMELESS, BAD = "af_nameless", "af_bad"
#: The number of rows.
N_ROWS = "af_n_rows"
#: Weights of the rows.
TOTAL = "af_total"
#: Roles of columns that may also have another role.
SHARED = ("by", "along", "order")


class LazyTable:
    """A lazy frame with one judgment per row.

    `frame`: the judgments. `names` (mapping of str to sequence of str): the columns of the roles
    "item", "coder", "label", "weights", "order", "by" (groups: the same item in two groups is two
    items) and "along" (columns that describe items). `missing`: labels that are missing, besides
    null and NaN.
    """

    def __init__(self, frame: Any, names: Mapping[str, Sequence[str]], missing: Missing) -> None:
        self.names = names
        schema = frame.collect_schema()
        check_columns(schema, names)
        self.by = [f"af_by_{i}" for i in range(len(names["by"]))]
        self.along = [f"af_along_{i}" for i in range(len(names["along"]))]
        #: The columns in `frame` that name an item, those of them that are groups, and the columns
        #: along.
        self.keys = [f"af_item_{i}" for i in range(len(names["item"]))] + self.by
        #: Whether there is a column of weights.
        self.weighted = bool(names["weights"])
        ours = {
            **dict(zip(self.keys, [*names["item"], *names["by"]], strict=True)),
            **dict(zip(self.along, names["along"], strict=True)),
            **dict(zip([CODER], names["coder"], strict=True)),
            **dict(zip([ORDER], names["order"], strict=False)),
        }
        (label,) = names["label"]
        dtype = schema[label]
        #: The type of the labels.
        self.kind = dtype
        #: The number of labels; known after `look`, and smaller after `repeats.settle`.
        self.n_given = 0
        #: The sum of the weights of all rows; known after `look`.
        self.total = 0.0
        #: The categories that the type of the column declares.
        self.declared = None
        if dtype == nw.Enum and enums_declare(frame):
            self.declared = tuple(name for name in dtype.categories if name not in missing)
        ours[LABEL] = label
        #: The boolean columns, which are 1 and 0 in `frame`.
        self.truths = {own for own, name in ours.items() if schema[name] == nw.Boolean}
        texts = (nw.String, nw.Categorical, nw.Enum)
        #: The columns of texts that name items and coders.
        self.texts = {own for own in (*self.keys, CODER) if schema[ours[own]] in texts}
        self.texts -= {*self.by}
        #: Whether the labels are boolean.
        self.truth = LABEL in self.truths
        #: The name of the label column in messages.
        self.place = f"column {label!r}"
        #: Whether the engine rounds labels of 2⁵³ and more.
        self.rounds = dtype.is_integer() and rounds(frame)
        nan = nan_of(frame)
        declared = [own for own in (ORDER,) if own in ours and schema[ours[own]] == nw.Enum]
        columns = [
            # An Enum declares an order, which text would lose.
            (nw.col(name) if own in declared else _plain(schema, name, nan)).alias(own)
            for own, name in ours.items()
        ]
        columns[-1] = label_column(schema, label, missing, nan).alias(LABEL)
        columns += [nw.col(name).alias(WEIGHT) for name in names["weights"]]
        given = flag(~nw.col(LABEL).is_null())
        #: The judgments under fixed names: `keys`, CODER, LABEL, GIVEN, `along`, and WEIGHT and
        #: ORDER if there are such columns. Missing labels are null.
        self.frame = frame.select(*columns).with_columns(given.alias(GIVEN))
        #: The same columns without GIVEN, with coders and labels unchanged.
        self.rows = frame.select(*self._as_they_are(schema, ours, (CODER, *declared), nan))
        for name in names["weights"]:
            check_weight_type(schema, name)

    def _as_they_are(
        self, schema: Any, ours: Mapping[str, str], kept: Sequence[str], nan: IsNan | None
    ) -> list[Any]:
        """Return the columns of `rows`; those in `kept` are unchanged."""
        columns = [
            (nw.col(name) if own in kept else _plain(schema, name, nan)).alias(own)
            for own, name in ours.items()
            if own != LABEL
        ]
        labels = nw.col(ours[LABEL])
        if self.kind in (nw.Categorical, nw.Enum):
            labels = labels.cast(nw.String)
        columns += [nw.col(name).cast(nw.Int64).alias(WEIGHT) for name in self.names["weights"]]
        return [*columns, labels.alias(LABEL)]

    @property
    def is_grouped(self) -> bool:
        """Whether engines group the labels."""
        return is_grouped(self.kind)

    def check_grouped(self) -> None:
        """Raise an error for labels that engines do not group."""
        if not self.is_grouped:
            raise InputTypeError(
                f"column {self.names['label'][0]!r} holds {self.kind}, which engines do not group",
                ("pass ", Argument("way", "partitions"), ", which reads the rows"),
                argument="label",
            )

    def only(self, coder: Any) -> None:
        """Keep only the judgments of one coder."""
        self.frame = self.frame.filter(nw.col(CODER) == coder)
        self.rows = self.rows.filter(nw.col(CODER) == coder)

    def look(self, queries: Queries, most: int, groups: Sequence[str] = (CODER, LABEL)) -> Any:
        """Count the rows of each coder and label, and raise an error for invalid rows.

        Returns the columns of `groups`, N_ROWS, and GIVEN, the number of these rows with a label.
        None if there are more than `most` rows.
        """
        rows, flags = self._flagged()
        seen = queries.fetch(rows.group_by(*groups).agg(nw.col(*flags, GIVEN).sum()), most)
        if seen is not None:
            self._refuse_flagged(seen, queries)
            if self.rounds:
                # Integers that the engine would round
                label = nw.col(LABEL)
                ends = self.frame.select(label.min().alias("low"), label.max().alias("high"))
                for end in queries.fetch(ends).row(0):
                    if end is not None and abs(end) >= EXACT:
                        raise rounded(end)
        return seen

    def check(self, queries: Queries) -> None:
        """Raise an error for invalid rows, in one pass without a group-by."""
        rows, flags = self._flagged()
        self._refuse_flagged(queries.fetch(rows.select(nw.col(*flags).sum())), queries)

    def _flagged(self) -> tuple[Any, list[str]]:
        """Return the rows with columns that are 1 for invalid rows, and with N_ROWS."""
        absent = reduce(lambda a, b: a | b, map(self._is_nameless, (*self.keys, CODER)))
        flags = {NAMELESS: flag(absent), N_ROWS: nw.lit(1, nw.Int64)}
        if self.weighted:
            flags[TOTAL] = in_range().cast(nw.Float64)
            flags[BAD] = is_no_weight()
        return self.frame.with_columns(**flags), list(flags)

    def _is_nameless(self, own: str) -> Any:
        """Return whether a column has no name for an item, a coder or a group, or a blank one."""
        column = nw.col(own)
        if own not in self.texts:
            return column.is_null()
        return column.is_null() | is_blank(column)

    def _refuse_flagged(self, seen: Any, queries: Queries) -> None:
        """Raise an error for the first invalid rows, if the sums of flags are not 0."""
        if _any(seen[NAMELESS]):
            raise self._nameless(queries)
        if self.weighted and _any(seen[BAD]):
            rows, _ = self._flagged()
            bad = queries.fetch(rows.filter(nw.col(BAD) > 0).select(*self.keys, WEIGHT).head(1))
            if not len(bad):
                raise changed()
            *key, weight = bad.row(0)
            # Dask returns pandas' missing values.
            weight = None if type(weight).__name__ == "NAType" else as_python(weight)
            raise no_weight(f"weight {weight} of item {self.name_of(key)!r}")
        if self.weighted:
            self.total = float(seen[TOTAL].sum() or 0)

    def _nameless(self, queries: Queries) -> InputError:
        """Return which of the columns that name things has rows without a name."""
        roles = [*(("item", name) for name in self.names["item"])]
        roles += [*(("by", name) for name in self.names["by"]), ("coder", self.names["coder"][0])]
        for own, (role, name) in zip([*self.keys, CODER], roles, strict=True):
            empty = self.frame.filter(self._is_nameless(own)).select(nw.col(GIVEN))
            n = queries.count(empty)
            if n:
                rows = "1 row has" if n == 1 else f"{n:,} rows have"
                what = "group" if role == "by" else role
                return InputError(
                    f"{rows} no {what} (column {name!r})", "filter them out first", argument=role
                )
        return changed()

    def name_of(self, key: Sequence[Any]) -> Any:
        """Return the name of an item, from its `keys`."""
        values = tuple(self.as_read(own, value) for own, value in zip(self.keys, key, strict=True))
        return values[0] if len(values) == 1 else values

    def as_read(self, own: str, value: Any) -> Any:
        """Return a value of a column as it is in the caller's table."""
        return bool(value) if own in self.truths and value is not None else as_python(value)


def _any(flags: Any) -> bool:
    """Whether sums of flags are not 0; the sum of no rows is null."""
    return bool(integers(flags.fill_null(0)).any())


def flag(condition: Any) -> Any:
    """1 where a condition holds, otherwise 0."""
    return nw.when(condition).then(nw.lit(1, nw.Int64)).otherwise(nw.lit(0, nw.Int64))


def in_range() -> Any:
    """Return WEIGHT if it is a valid number of items, otherwise -1."""
    weight = nw.col(WEIGHT)
    within = ~weight.is_null() & (weight >= 0) & (weight <= LARGEST_WEIGHT)
    return nw.when(within).then(weight).otherwise(nw.lit(-1, nw.Int64))


def is_no_weight() -> Any:
    """Return 1 if WEIGHT is not a valid number of items, otherwise 0."""
    # Numbers outside 64 bits must not be cast, nor missing values in Dask.
    whole = (in_range() >= 0) & (in_range().cast(nw.Int64) == in_range())
    return nw.when(whole).then(nw.lit(0, nw.Int64)).otherwise(nw.lit(1, nw.Int64))


def check_weight_type(schema: Any, name: str) -> None:
    """Raise an error for a column of weights that are not numbers."""
    if not schema[name].is_numeric():
        raise InputTypeError((Argument("weights"), f" must be whole numbers, not {schema[name]}"))


def is_grouped(dtype: Any) -> bool:
    """Whether engines group values of a type."""
    return not (dtype.is_nested() or type(dtype).__name__ in ("Object", "Unknown", "Binary"))


def check_label_type(schema: Any, name: str) -> None:
    """Raise an error for a column that engines cannot compare."""
    if not is_grouped(schema[name]):
        raise InputTypeError(
            f"column {name!r} holds {schema[name]}, which engines do not group",
            ("convert it to text, with ", Argument("set_separator"), " for sets, or collect it"),
            argument="coders",
        )


def check_columns(schema: Any, names: Mapping[str, Sequence[Any]]) -> None:
    """Raise an error for names that are not columns, and for a column with two roles.

    Columns that describe items may also name them: groups, columns along, and the order.
    """
    taken: dict[str, str] = {}
    for argument, listed in names.items():
        for name in listed:
            if not (isinstance(name, str) and name in schema):
                raise no_column(argument, name, schema)
            if argument in SHARED:
                continue
            if name in taken:
                raise _taken_twice(name, taken[name], argument)
            taken[name] = argument


def _taken_twice(name: str, first: str, second: str) -> InputError:
    if first == second:
        return InputError((Argument(first), f" names {name!r} twice"))
    return InputError(
        (f"column {name!r} is used as ", Argument(first), " and as ", Argument(second)),
        "each needs a column of its own",
        argument=second,
    )


def _plain(schema: Any, name: str, nan: IsNan | None) -> Any:
    """Return a column without categories whose missing entries are null."""
    column, dtype = nw.col(name), schema[name]
    if dtype in (nw.Categorical, nw.Enum):
        return column.cast(nw.String)
    if dtype == nw.Boolean:
        # Databases have no largest boolean, and PostgreSQL does not cast it to a number.
        return nw.when(~column.is_null()).then(flag(column))
    if dtype.is_float() and nan is not None:
        return nw.when(~nan(column)).then(column)
    return column


def named_values(missing: Missing, dtype: Any) -> list[Any]:
    """Return the labels that `missing` names, in the type of a column."""
    return list(
        dict.fromkeys(value for spelling in missing.spellings() for value in _like(spelling, dtype))
    )


def labels_of_named(
    schema: Any, name: str, missing: Missing, nan: IsNan | None
) -> list[tuple[Any, Any]]:
    """Return the labels that `missing` names, each with whether a column holds it."""
    column, dtype = _plain(schema, name, nan), schema[name]
    if dtype == nw.Float32:
        column = column.cast(nw.Float64)
    return [(value, flag(column.is_in([value])).max()) for value in named_values(missing, dtype)]


def is_blank(column: Any) -> Any:
    """Return whether texts are empty or blank."""
    # Ibis calls a dictionary of polars a text, and polars strips only texts.
    return nw.concat_str(nw.lit(""), column).str.strip_chars() == ""


def label_column(schema: Any, name: str, missing: Missing, nan: IsNan | None) -> Any:
    """Return a column of labels whose missing entries are null."""
    column, dtype = _plain(schema, name, nan), schema[name]
    absent = named_values(missing, dtype)
    if dtype in (nw.String, nw.Categorical, nw.Enum) and missing.kept is not None:
        blank = is_blank(column)
        if missing.kept:
            blank = blank & ~column.is_in(
                [entry for entry in missing.kept if isinstance(entry, str)]
            )
        column = nw.when(~blank).then(column)
    if dtype == nw.Float32:
        return nw.when(~column.cast(nw.Float64).is_in(absent)).then(column) if absent else column
    return nw.when(~column.is_in(absent)).then(column) if absent else column


def _like(value: Any, dtype: Any) -> list[Any]:
    """Return a value in the type of a column, for engines that compare no other; [] if impossible.

    A text is never a number. 1.0 and True equal 1, as everywhere.
    """
    if dtype in (nw.String, nw.Categorical, nw.Enum):
        return [value] if isinstance(value, str) else []
    if dtype == nw.Date:
        return [value] if type(value) is date else []
    if dtype == nw.Datetime:
        return [value] if isinstance(value, datetime) else []
    if not isinstance(value, int | float | Decimal) or value != value:
        return []
    if dtype.is_float():
        try:
            return [float(value)] if float(value) == value else []
        except OverflowError:  # larger than any float
            return []
    if dtype.is_decimal():
        return [Decimal(value)]
    fits = -(2**63) <= value < 2**63 and value == int(value)
    return [int(value)] if fits and (dtype.is_integer() or dtype == nw.Boolean) else []
