"""Three columns of a lazy frame, and those that stand beside them, under names of our own."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import reduce
from typing import Any

from agreement_fast.engines.nan import has_nan
from agreement_fast.engines.queries import Queries, integers
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.reading.labels import as_python, shorten
from agreement_fast.reading.tables import LARGEST_WEIGHT
from agreement_fast.reading.usual_names import usual_columns

__all__ = [
    "CODER",
    "GIVEN",
    "LABEL",
    "N_ROWS",
    "ORDER",
    "WEIGHT",
    "LazyTable",
    "check_columns",
    "check_label_type",
    "check_weight_type",
    "find_roles",
    "label_column",
    "no_weight",
]

CODER, LABEL, WEIGHT, ORDER = "af_coder", "af_label", "af_weight", "af_order"
#: 1 where there is a label, else 0.
GIVEN = "af_given"
#: Rows that are refused: without an item or a coder, and with a weight that is none.
NAMELESS, BAD = "af_nameless", "af_bad"
#: How many rows.
N_ROWS = "af_n_rows"


class LazyTable:
    """One judgment a row, where an engine holds it.

    Parameters
    ----------
    frame : lazy frame of narwhals
    names : mapping of str to sequence of str
        The columns of the roles "item", "coder", "label", "weights", "order", "by" (groups: the
        same item in two groups is two items) and "along" (what says something about an item).
    missing : tuple
        Labels that are none, beside null and NaN.

    Attributes
    ----------
    frame : lazy frame of narwhals
        With columns of our own names: `keys`, CODER, LABEL, GIVEN, `along`, and WEIGHT and ORDER if
        there are such. Labels that are missing are null.
    keys, by, along : list of str
        The columns in `frame` that name an item, and which of these are groups; what stands along.
    weighted : bool
    declared : tuple or None
        The categories that the type of the column declares.
    n_given : int
        How many labels there are; known after `look`.
    truth : bool
        Whether labels are True and False, which `frame` holds as 1 and 0.
    """

    def __init__(
        self, frame: Any, names: Mapping[str, Sequence[str]], missing: tuple[Hashable, ...]
    ) -> None:
        import narwhals as nw

        self.names = names
        schema = frame.collect_schema()
        check_columns(schema, names)
        self.by = [f"af_by_{i}" for i in range(len(names["by"]))]
        self.along = [f"af_along_{i}" for i in range(len(names["along"]))]
        self.keys = [f"af_item_{i}" for i in range(len(names["item"]))] + self.by
        self.weighted = bool(names["weights"])
        ours = {
            **dict(zip(self.keys, [*names["item"], *names["by"]], strict=True)),
            **dict(zip(self.along, names["along"], strict=True)),
            **dict(zip([CODER], names["coder"], strict=True)),
            **dict(zip([ORDER], names["order"], strict=False)),
        }
        (label,) = names["label"]
        dtype = schema[label]
        check_label_type(schema, label)
        self.n_given = 0
        self.declared = None
        if dtype == nw.Enum:
            self.declared = tuple(name for name in dtype.categories if name not in missing)
        self.truth = dtype == nw.Boolean
        nan = has_nan(frame)
        columns = [_plain(schema, name, nan).alias(own) for own, name in ours.items()]
        columns.append(label_column(schema, label, missing, nan).alias(LABEL))
        columns += [nw.col(name).alias(WEIGHT) for name in names["weights"]]
        one, zero = nw.lit(1, nw.Int64), nw.lit(0, nw.Int64)
        given = nw.when(nw.col(LABEL).is_null()).then(zero).otherwise(one)
        self.frame = frame.select(*columns).with_columns(given.alias(GIVEN))
        for name in names["weights"]:
            check_weight_type(schema, name)

    def look(self, queries: Queries, most: int, groups: Sequence[str] = (CODER, LABEL)) -> Any:
        """Count the rows of each coder and label, and refuse rows that cannot be.

        Returns
        -------
        frame or None
            The columns of `groups`, N_ROWS, and GIVEN, how many of these rows have a label; None
            where more than `most` would come back.
        """
        import narwhals as nw

        one, zero = nw.lit(1, nw.Int64), nw.lit(0, nw.Int64)
        absent = reduce(
            lambda a, b: a | b, [nw.col(name).is_null() for name in (*self.keys, CODER)]
        )
        flags = {NAMELESS: nw.when(absent).then(one).otherwise(zero), N_ROWS: one}
        if self.weighted:
            flags[BAD] = no_weight()
        rows = self.frame.with_columns(**flags)
        seen = queries.fetch(rows.group_by(*groups).agg(nw.col(*flags, GIVEN).sum()), most)
        if seen is None:
            return None
        if integers(seen[NAMELESS]).any():
            raise self._nameless(queries)
        if self.weighted and integers(seen[BAD]).any():
            bad = queries.fetch(rows.filter(nw.col(BAD) > 0).select(*self.keys, WEIGHT).head(1))
            *key, weight = map(as_python, bad.row(0))
            raise InputError(
                f"weight {weight} of item {self.name_of(key)!r}",
                "a weight is how often an item occurred, a whole number from 0 to 10**15",
                argument="weights",
            )
        return seen

    def _nameless(self, queries: Queries) -> InputError:
        """Say which of the columns that name things has rows without a name."""
        import narwhals as nw

        roles = [*(("item", name) for name in self.names["item"])]
        roles += [*(("by", name) for name in self.names["by"]), ("coder", self.names["coder"][0])]
        for own, (role, name) in zip([*self.keys, CODER], roles, strict=True):
            empty = self.frame.filter(nw.col(own).is_null()).select(nw.col(GIVEN))
            found = queries.fetch(empty.select(nw.len().alias(N_ROWS)))
            n = int(integers(found[N_ROWS])[0])
            if n:
                rows = "1 row has" if n == 1 else f"{n:,} rows have"
                what = "group" if role == "by" else role
                return InputError(
                    f"{rows} no {what} (column {name!r})", "filter them out first", argument=role
                )
        raise AssertionError("every row has its names")

    def name_of(self, key: Sequence[Any]) -> Any:
        """The name of an item, from its `keys`."""
        values = tuple(map(as_python, key))
        return values[0] if len(values) == 1 else values


def no_weight() -> Any:
    """1 where WEIGHT says no number of items, else 0."""
    import narwhals as nw

    weight = nw.col(WEIGHT)
    whole = (weight >= 0) & (weight <= LARGEST_WEIGHT) & (weight.cast(nw.Int64) == weight)
    return nw.when(whole).then(nw.lit(0, nw.Int64)).otherwise(nw.lit(1, nw.Int64))


def check_weight_type(schema: Any, name: str) -> None:
    """Refuse a column of weights that holds no numbers."""
    if not schema[name].is_numeric():
        raise InputTypeError(
            (Argument("weights"), f" must be whole numbers, not {schema[name]}"),
            argument="weights",
        )


def check_label_type(schema: Any, name: str) -> None:
    """Refuse a column of what engines cannot compare."""
    dtype = schema[name]
    if dtype.is_nested() or type(dtype).__name__ in ("Object", "Unknown", "Binary"):
        raise InputTypeError(
            f"column {name!r} holds {dtype}, which engines do not group",
            ("make text of it, with ", Argument("set_separator"), " for sets, or collect it"),
            argument="label",
        )


def check_columns(schema: Any, names: Mapping[str, Sequence[Any]]) -> None:
    """Refuse names that are no columns, and a column that has two roles."""
    for argument, listed in names.items():
        for name in listed:
            if not (isinstance(name, str) and name in schema):
                raise InputError(
                    (
                        Argument(argument, name),
                        f" is not a column; the columns are {shorten(list(schema))}",
                    ),
                    argument=argument,
                )


def find_roles(schema: Any, **asked: Any) -> dict[str, Any]:
    """The columns of the item, coder and label; what was not asked for is found by usual names."""
    taken = [name for name in asked.values() if isinstance(name, str)]
    there = [name for name in schema if name not in taken]
    for role, name in asked.items():
        found = [name] if name is not None else usual_columns(role, there)
        if len(found) != 1:
            what = f"{' or '.join(map(repr, found))} could be" if found else "none is known as"
            raise InputError(
                f"the columns are {', '.join(map(repr, schema))}, and {what} the {role}",
                ("pass ", Argument(role, *found)) if found else ("name it by ", Argument(role)),
                argument=role,
            )
        asked[role] = found[0]
    return asked


def _plain(schema: Any, name: str, nan: bool) -> Any:
    """A column without categories of its own, whose missing entries are null."""
    import narwhals as nw

    column, dtype = nw.col(name), schema[name]
    if dtype in (nw.Categorical, nw.Enum):
        return column.cast(nw.String)
    if dtype == nw.Boolean:
        return column.cast(nw.Int64)  # databases know no largest truth
    if dtype.is_float() and nan:
        return nw.when(~column.is_nan()).then(column)
    return column


def label_column(schema: Any, name: str, missing: tuple[Hashable, ...], nan: bool) -> Any:
    """A column of labels, whose missing entries are null."""
    import narwhals as nw

    column, dtype = _plain(schema, name, nan), schema[name]
    text = dtype in (nw.String, nw.Categorical, nw.Enum)
    numbers = dtype.is_numeric() or dtype == nw.Boolean
    absent = [
        value
        for value in missing
        if (text and isinstance(value, str)) or (numbers and isinstance(value, (int, float)))
    ]
    return nw.when(~column.is_in(absent)).then(column) if absent else column
