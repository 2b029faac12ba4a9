"""Read items × coders with one group-by: one row for all items with the same judgments."""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

import narwhals as nw

from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.patterns import check_total
from agreement_fast.reading import frames
from agreement_fast.reading.engines.counts import distinct_rows
from agreement_fast.reading.engines.items import N_ITEMS, Fetched, encode_labels, hint_at
from agreement_fast.reading.engines.table import (
    MOST_ROWS,
    N_ROWS,
    WEIGHT,
    Queries,
    check_columns,
    check_label_type,
    check_weight_type,
    integers,
    is_no_weight,
    label_column,
    labels_of_named,
    most_rows,
    nan_of,
)
from agreement_fast.reading.labels import as_python, declared_categories, missing_values, shorten
from agreement_fast.reading.looks import (
    cells_of,
    refuse_nameless,
    refuse_no_items,
    refuse_summaries,
    table_of_columns,
)
from agreement_fast.reading.parts import USUAL, Options
from agreement_fast.reading.recognition.labels import Missing
from agreement_fast.reading.recognition.profile import ROWS
from agreement_fast.reading.recognition.recognise import (
    Named,
    Recognised,
    hint_at_doubts,
    hint_at_orientation,
    recognise_long,
    recognise_wide,
)
from agreement_fast.reading.recognition.rows import (
    FIRST,
    LAST,
    SUMMARIES,
    problem,
    summaries_beside,
)
from agreement_fast.reading.recognition.wording import PYTHON
from agreement_fast.reading.repeats import refuse_duplicates
from agreement_fast.reading.tables import no_weight
from agreement_fast.reading.wide import refuse_judgments


class _WideTable:
    """The coder columns of a lazy frame, and WEIGHT."""

    def __init__(
        self, frame: Any, coders: Sequence[str], weights: str | None, missing: Missing
    ) -> None:
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
        self.judged = {name: f"af_said_{i}" for i, name in enumerate(coders)}
        columns = [
            label_column(schema, name, missing, nan).alias(own) for name, own in self.judged.items()
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
        bad = queries.fetch(self.frame.filter(is_no_weight() > 0).select(WEIGHT).head(1))
        if len(bad):
            raise no_weight(f"a row has weight {as_python(bad[WEIGHT][0])}")
        total = queries.fetch(self.frame.select(nw.col(WEIGHT).cast(nw.Float64).sum()))
        check_total(float(total[WEIGHT][0] or 0), "items")
        self.frame = self.frame.with_columns(nw.col(WEIGHT).cast(nw.Int64))


def _opened(frame: Any) -> Any:
    """Return a lazy frame of narwhals whose columns have texts as names; Dask's may be numbers."""
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


def recognise_lazy(frame: Any, named: Named, absent: Missing) -> Recognised:
    """Return what the first rows of a lazy frame show that it is.

    Raises InputError if only the rest of the frame decides.
    """

    lazy = _opened(frame)
    names = [name for name in lazy.collect_schema().names() if name not in named.taken]
    queries = Queries()
    columns, n_rows = _first_rows(lazy, names, queries)
    complete = n_rows <= ROWS
    table = table_of_columns(columns, n_rows, absent, complete=complete)
    if named.layout in (None, "long"):
        long = recognise_long(table, named, PYTHON)
        if long is not None and not complete and long.guessed:
            _refuse_uncertain(columns, long)
        if long is not None:
            roles = {name: columns[name] for name in (long.item, long.coder, long.label)}
            refuse_summaries(roles, n_rows, long.item)
            return long
    if named.layout == "wide" and named.item is None:
        refuse_judgments(columns, n_rows)
    wide = recognise_wide(table, named, PYTHON)
    _refuse_no_items(lazy, columns, n_rows, wide.coders, wide.item, queries)
    if any(keyword == "coder" for keyword, *_ in wide.guessed):
        hint_at_orientation(n_rows, len(wide.coders))
    hint_at_doubts(wide)
    return wide


def _first_rows(lazy: Any, names: Sequence[str], queries: Queries) -> tuple[dict[str, Any], int]:
    """Return the first cells of columns, and how many; more than ROWS if there are more."""
    rows = queries.fetch(lazy.select(*map(nw.col, names)).head(ROWS + 1))
    return {name: frames.column(rows[name]) for name in names}, len(rows)


def _refuse_no_items(
    lazy: Any,
    columns: Mapping[str, Any],
    n_rows: int,
    coders: Sequence[str],
    item: str | None,
    queries: Queries,
) -> None:
    """Refuse totals and the like in the first rows, and those that usual words name in others."""
    refuse_no_items(columns, n_rows, coders, item)
    schema = lazy.collect_schema()
    texts = [name for name in columns if name not in coders and schema[name] == nw.String]
    if n_rows <= ROWS or not texts:
        return
    words = sorted(SUMMARIES)
    is_word = reduce(or_, (nw.col(name).is_in(words) for name in texts))
    named = queries.fetch(lazy.select(*map(nw.col, columns)).filter(is_word).head(LAST))
    first = list(zip(*(cells_of(column, range(FIRST)) for column in columns.values()), strict=True))
    last = list(zip(*(named[name].to_list() for name in columns), strict=True))
    _, none = summaries_beside(list(columns), coders, first, last)
    if none:
        raise InputError(problem(none, lambda _: "a row"), "leave it out")


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
    options: Options = USUAL,
    *,
    items: Any = None,
    coders: Sequence[str] | None = None,
    weights: Any = None,
    looked: bool = False,
) -> Fetched:
    """Read items × coders from an engine; see `Annotations.from_wide`.

    `looked` says that the first rows have been inspected.
    """
    lazy = _opened(frame)
    schema = lazy.collect_schema()
    for name, value in (("items", items), ("weights", weights)):
        if not (value is None or isinstance(value, str)):
            raise InputTypeError(
                (Argument(name), f" of a lazy frame is a column, not {type(value).__name__}"),
                "the rows of an engine have no order",
            )
    if isinstance(coders, str):
        raise InputTypeError.must_be("coders", "a sequence of names", coders)
    roles: Mapping[str, Sequence[Any]] = {
        "items": () if items is None else (items,),
        "weights": () if weights is None else (weights,),
        "coders": () if coders is None else tuple(coders),
    }
    check_columns(schema, roles)
    missing, categories, duplicates, _, set_separator, _ = options
    refuse_duplicates(duplicates)
    absent = missing_values(missing, declared_categories(categories), set_separator)
    queries = Queries()
    if coders is None:
        named = Named(items, layout="wide", taken=tuple(roles["weights"]))
        result = recognise_lazy(frame, named, absent)
        items, coders = result.item, result.coders
    elif not looked and coders:
        columns, n_rows = _first_rows(lazy, schema.names(), looks := Queries())
        _refuse_no_items(lazy, columns, n_rows, coders, items, looks)
    if not coders:
        raise InputError(
            f"the columns {shorten(schema.names())} have no coder among them",
            "a column is a coder, a row an item",
            argument="coders",
        )
    table = _WideTable(lazy, coders, weights, absent)
    if items is not None:
        _check_items(lazy, items, coders, queries)
    if table.weighted:
        table.check_weights(queries)
    most = most_rows(len(table.judged) + 2, MOST_ROWS)
    rows = queries.fetch(
        table.frame.group_by(*table.judged.values()).agg(
            nw.col(WEIGHT).sum().alias(N_ITEMS), nw.len().alias(N_ROWS)
        ),
        most,
    )
    if rows is None:
        raise InputError(
            f"more than {most:,} rows of the lazy frame differ",
            "collect it: Annotations.from_wide also reads frames in memory",
        )
    columns = {}
    if categories is None:
        options = options._replace(categories=table.declared)
    for name, own in table.judged.items():
        columns[name] = frames.column(rows[own])
        if categories is not None:
            labels = rows[own].drop_nulls().unique().sort().to_list()
            encode_labels(f"column {name!r}", labels, options)
    read = distinct_rows(table, rows, columns, options)
    hint_at(read.parts)
    _hint_at_missing(lazy, coders, absent, read.parts["categories"], queries)
    often = integers(rows[N_ROWS])
    read.parts["missing"] = sum(
        int(often[rows[own].is_null().to_numpy().astype(bool)].sum())
        for own in table.judged.values()
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
        (value, column)
        for name in coders
        for value, column in labels_of_named(schema, name, absent, nan)
    ]
    if named:
        answers = queries.fetch(
            lazy.select(*(column.alias(f"af_{i}") for i, (_, column) in enumerate(named)))
        )
        absent.among([value for i, (value, _) in enumerate(named) if answers[f"af_{i}"][0]])
    absent.hint(categories or ())


def _check_items(lazy: Any, items: str, coders: Sequence[str], queries: Queries) -> None:
    """Raise an error if a column names an item twice, or not though it has labels."""
    schema, nan = lazy.collect_schema(), nan_of(lazy)
    blank = nw.col(items).is_null()
    if schema[items] in (nw.String, nw.Float32, nw.Float64):
        blank = label_column(schema, items, Missing(), nan).is_null()
    judged = reduce(or_, (~label_column(schema, c, Missing(), nan).is_null() for c in coders))
    if nameless := queries.count(lazy.filter(blank & judged)):
        refuse_nameless(nameless, items)
    named = lazy.filter(~nw.col(items).is_null())
    # narwhals takes a name for an expression if it is empty.
    often = named.group_by(nw.col(items)).agg(nw.len().alias(N_ROWS)).filter(nw.col(N_ROWS) > 1)
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
