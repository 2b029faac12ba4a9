"""Read items × coders with one group-by: one row for all items with the same judgments."""

from collections.abc import Mapping, Sequence
from typing import Any

from agreement_fast.engines.counts import distinct_rows
from agreement_fast.engines.found import Asked, Found, check_declared, hint_at
from agreement_fast.engines.items import N_ITEMS
from agreement_fast.engines.queries import MOST_ROWS, Queries, integers, most_rows
from agreement_fast.engines.table import (
    N_ROWS,
    WEIGHT,
    check_columns,
    check_label_type,
    check_weight_type,
    label_column,
    nan_of,
    no_weight,
    said_of_named,
)
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.patterns import check_total
from agreement_fast.reading import frames
from agreement_fast.reading.labels import as_python, declared_categories, missing_values, shorten
from agreement_fast.reading.looks import refuse_summaries, table_of_columns
from agreement_fast.reading.wide import refuse_judgments
from agreement_fast.recognition.labels import Missing
from agreement_fast.recognition.profile import ROWS
from agreement_fast.recognition.recognise import (
    Named,
    Recognised,
    hint_at_orientation,
    recognise_long,
    recognise_wide,
)
from agreement_fast.recognition.wording import PYTHON


class _WideTable:
    """The coder columns of a lazy frame, and WEIGHT."""

    def __init__(
        self, frame: Any, coders: Sequence[str], weights: str | None, missing: Missing
    ) -> None:
        import narwhals as nw

        schema, nan = frame.collect_schema(), nan_of(frame)
        self.by: list[str] = []
        self.along: list[str] = []
        for name in coders:
            check_label_type(schema, name)
        kinds = [schema[name] for name in coders]
        self.truth = all(kind == nw.Boolean for kind in kinds)
        self.declared = None
        if kinds and all(kind == nw.Enum for kind in kinds):
            orders = {tuple(kind.categories) for kind in kinds}
            if len(orders) == 1:
                self.declared = tuple(name for name in orders.pop() if name not in missing)
        self.said = {name: f"af_said_{i}" for i, name in enumerate(coders)}
        columns = [
            label_column(schema, name, missing, nan).alias(own) for name, own in self.said.items()
        ]
        weight = nw.lit(1, nw.Int64)
        if weights is not None:
            check_weight_type(schema, weights)
            weight = nw.col(weights)
        self.frame = frame.select(*columns, weight.alias(WEIGHT))
        self.weighted = weights is not None

    def as_read(self, own: str, value: Any) -> Any:
        """A value that stands beside the judgments; nothing does."""
        return value

    def check_weights(self, queries: Queries) -> None:
        """Raise an error for invalid weights, and for more items than 64 bits can count."""
        import narwhals as nw

        bad = queries.fetch(self.frame.filter(no_weight() > 0).select(WEIGHT).head(1))
        if len(bad):
            raise InputError(
                f"a row has weight {as_python(bad[WEIGHT][0])}",
                "a weight is how often an item occurred, a whole number from 0 to 10**15",
                argument="weights",
            )
        total = queries.fetch(self.frame.select(nw.col(WEIGHT).cast(nw.Float64).sum()))
        check_total(float(total[WEIGHT][0] or 0), "items")
        self.frame = self.frame.with_columns(nw.col(WEIGHT).cast(nw.Int64))


def _opened(frame: Any) -> Any:
    """Return a lazy frame of narwhals whose columns have texts as names; Dask's may be numbers."""
    import narwhals as nw

    lazy = nw.from_native(frame)
    if all(isinstance(name, str) for name in lazy.columns):
        return lazy
    return nw.from_native(frame.rename(columns=str))


def collected(frame: Any) -> Any:
    """Return the rows of a lazy frame as a frame in memory; counts need them all."""
    lazy = _opened(frame)
    most = most_rows(len(lazy.collect_schema()), MOST_ROWS)
    rows = Queries().fetch(lazy, most)
    if rows is None:
        raise InputError(f"the lazy frame has more than {most:,} rows", "collect it first")
    return rows.to_native()


def recognise_lazy(frame: Any, named: Named) -> Recognised:
    """Return what the first rows of a lazy frame show that it is.

    Raises
    ------
    InputError
        If only the rest of the frame decides.
    """
    import narwhals as nw

    lazy = _opened(frame)
    names = [name for name in lazy.collect_schema().names() if name not in named.taken]
    rows = Queries().fetch(lazy.select(*map(nw.col, names)).head(ROWS + 1))
    columns = {name: frames.column(rows[name]) for name in names}
    complete = len(rows) <= ROWS
    table = table_of_columns(columns, len(rows), complete=complete)
    if named.layout in (None, "long"):
        long = recognise_long(table, named, PYTHON)
        if long is not None and not complete and long.guessed:
            _refuse_uncertain(columns, long)
        if long is not None:
            roles = {name: columns[name] for name in (long.item, long.coder, long.label)}
            refuse_summaries(roles, len(rows), long.item)
            return long
    if named.layout == "wide" and named.item is None:
        refuse_judgments(columns, len(rows))
    wide = recognise_wide(table, named, PYTHON)
    refuse_summaries(columns, len(rows), wide.item)
    if any(keyword == "coder" for keyword, *_ in wide.guessed):
        hint_at_orientation(len(rows), len(wide.coders))
    return wide


def _refuse_uncertain(columns: Mapping[str, Any], long: Recognised) -> None:
    """Refuse judgments whose first rows have no item twice, and labels that coders also have."""
    whole = table_of_columns(columns, len(next(iter(columns.values()))), complete=True)
    try:
        recognise_long(whole, Named(), PYTHON)
    except InputError:
        roles = {"item": [long.item], "coder": [long.coder], "label": [long.label]}
        raise InputError(
            f"the first rows of the lazy frame do not show whether it holds one judgment per row "
            f"(columns {long.item!r}, {long.coder!r}, {long.label!r}) or items × coders",
            (PYTHON.long(roles), ", or Annotations.from_wide(frame, ", Argument("coders"),
             "=[...]) with the columns of the coders"),
        ) from None  # fmt: skip


def read_lazy_wide(
    frame: Any,
    *,
    items: Any = None,
    coders: Sequence[str] | None = None,
    weights: Any = None,
    missing: Any = None,
    categories: Any = None,
    set_separator: str | None = None,
) -> Found:
    """Read items × coders from an engine; see `Annotations.from_wide`."""
    import narwhals as nw

    lazy = _opened(frame)
    schema = lazy.collect_schema()
    for name, value in (("items", items), ("weights", weights)):
        if not (value is None or isinstance(value, str)):
            raise InputTypeError(
                (Argument(name), f" of a lazy frame is a column, not {type(value).__name__}"),
                "the rows of an engine have no order",
                argument=name,
            )
    if isinstance(coders, str):
        raise InputTypeError.must_be("coders", "a sequence of names", coders)
    roles: Mapping[str, Sequence[Any]] = {
        "items": () if items is None else (items,),
        "weights": () if weights is None else (weights,),
        "coders": () if coders is None else tuple(coders),
    }
    check_columns(schema, roles)
    queries = Queries()
    if coders is None:
        result = recognise_lazy(frame, Named(items, layout="wide", taken=tuple(roles["weights"])))
        items, coders = result.item, result.coders
    if not coders:
        raise InputError(
            f"the columns {shorten(schema.names())} have no coder among them",
            "a column is a coder, a row an item",
            argument="coders",
        )
    absent = missing_values(missing, declared_categories(categories), set_separator)
    table = _WideTable(lazy, coders, weights, absent)
    if items is not None:
        _check_items(lazy, items, queries)
    if table.weighted:
        table.check_weights(queries)
    most = most_rows(len(table.said) + 2, MOST_ROWS)
    found = queries.fetch(
        table.frame.group_by(*table.said.values()).agg(
            nw.col(WEIGHT).sum().alias(N_ITEMS), nw.len().alias(N_ROWS)
        ),
        most,
    )
    if found is None:
        raise InputError(
            f"more than {most:,} rows of the lazy frame differ",
            "collect it: Annotations.from_wide also reads frames in memory",
        )
    asked, columns = Asked(categories, set_separator), {}
    for name, own in table.said.items():
        columns[name] = frames.column(found[own])
        if categories is not None:
            said = found[own].drop_nulls().unique().sort().to_list()
            check_declared(f"column {name!r}", said, categories, asked)
    read = distinct_rows(table, found, columns, asked)
    hint_at(read.parts)
    _hint_at_missing(lazy, coders, absent, read.parts["categories"], queries)
    often = integers(found[N_ROWS])
    read.parts["missing"] = sum(
        int(often[found[own].is_null().to_numpy().astype(bool)].sum())
        for own in table.said.values()
    )
    engine = lazy.implementation.name.lower()
    read.parts["gathered"] = queries.gathered(engine, "patterns", "each column is a coder")
    return read


def _hint_at_missing(
    lazy: Any, coders: Sequence[str], absent: Missing, categories: Any, queries: Queries
) -> None:
    """Warn of labels that `missing` names and nobody gave."""
    if not absent.unmet:
        return
    schema, nan = lazy.collect_schema(), nan_of(lazy)
    named = [
        (value, said) for name in coders for value, said in said_of_named(schema, name, absent, nan)
    ]
    if named:
        answers = queries.fetch(
            lazy.select(*(said.alias(f"af_{i}") for i, (_, said) in enumerate(named)))
        )
        absent.among([value for i, (value, _) in enumerate(named) if answers[f"af_{i}"][0]])
    absent.hint(categories or ())


def _check_items(lazy: Any, items: str, queries: Queries) -> None:
    """Raise an error if a column names an item twice; rows without a name are also items."""
    import narwhals as nw

    named = lazy.filter(~nw.col(items).is_null())
    often = named.group_by(items).agg(nw.len().alias(N_ROWS)).filter(nw.col(N_ROWS) > 1)
    twice = queries.fetch(often.select(items).sort(items).head(1))
    if len(twice):
        name = as_python(twice[items][0])
        raise InputError(
            f"items names {name!r} twice",
            (
                "a row is an item; if each row is a judgment, write Annotations.from_frame(frame, ",
                Argument("item", items),
                ", ",
                Argument("coder", "..."),
                ", ",
                Argument("label", "..."),
                "); if the column is a coder, pass ",
                Argument("coders"),
            ),
            argument="items",
        )
