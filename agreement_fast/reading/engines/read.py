"""Choose the way in which judgments are read, the first that returns few rows; items × coders."""

from collections.abc import Hashable, Mapping, Sequence
from functools import partial, reduce
from operator import or_
from typing import Any, cast

import narwhals as nw
import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError, LabelHint, hint
from agreement_fast.options import check_choice
from agreement_fast.patterns import as_lists, check_total, take_rows
from agreement_fast.present.terminal import shorten
from agreement_fast.reading import frames
from agreement_fast.reading.engines.counts import (
    distinct_rows,
    read_counts,
    read_moments,
    read_patterns,
)
from agreement_fast.reading.engines.items import (
    N_ITEMS,
    Fetched,
    check_items,
    check_policy,
    check_texts,
    encode_labels,
    hint_at,
    settle,
)
from agreement_fast.reading.engines.partitions import PART_ROWS, Reading, read_partitions, start
from agreement_fast.reading.engines.table import (
    CODER,
    GIVEN,
    LABEL,
    MOST_ROWS,
    N_ROWS,
    WEIGHT,
    LazyTable,
    Queries,
    check_columns,
    check_label_type,
    check_weight_type,
    enums_declare,
    integers,
    is_no_weight,
    label_column,
    labels_of_named,
    most_rows,
    named_values,
    nan_of,
)
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.labels import as_python
from agreement_fast.reading.looks import (
    cells_of,
    refuse_nameless,
    refuse_no_items,
    refuse_summaries,
    table_of_columns,
)
from agreement_fast.reading.parts import USUAL, WAYS, LeftOut, Options, Parts
from agreement_fast.reading.recognition.columns import MOST_JUDGMENTS, coders_apart
from agreement_fast.reading.recognition.labels import LOOK_MISSING, Missing, hint_at_items
from agreement_fast.reading.recognition.profile import ROWS
from agreement_fast.reading.recognition.read import long_by_roles
from agreement_fast.reading.recognition.recognise import (
    Named,
    Recognised,
    doubt_gold,
    hint_at_doubts,
    hint_at_orientation,
    recognise_long,
    recognise_wide,
    refuse_others,
    restarted,
    roles_by_name,
)
from agreement_fast.reading.recognition.rows import (
    FIRST,
    LAST,
    SUMMARIES,
    problem,
    summaries_beside,
)
from agreement_fast.reading.recognition.wording import PYTHON
from agreement_fast.reading.repeats import ORDERED, policy_of, refuse_duplicates
from agreement_fast.reading.tables import no_weight
from agreement_fast.reading.wide import refuse_judgments

#: Errors of this argument.
wrong_way = partial(InputError, argument="way")

#: The largest number of coders with a column each.
MOST_COLUMNS = 64
#: The largest number of labels with a column of counts each.
MOST_LABELS = 64
#: The number of rows to look at before numbers are grouped.
LOOK = 4096

_NAMED = "way={!r} was passed"

#: With more rows, names of items are not compared.
MOST_COMPARED = 10_000_000
#: The largest number of pairs of names that are written alike whose coders are compared.
MOST_GROUPS = 1000
#: Names without case and blanks, and the ends of those that are alike.
FOLDED, LEAST, GREATEST = "af_folded", "af_first", "af_last"

#: The largest number of pairs of a coder and a label.
MOST_PAIRS = 1 << 20


def read_lazy(
    frame: Any,
    options: Options = USUAL,
    *,
    item: str | Sequence[str] | None = None,
    coder: str | None = None,
    label: str | None = None,
    weights: str | None = None,
    by: Sequence[str] = (),
    along: Sequence[str] = (),
    way: str = "auto",
    guessed: str | None = None,
) -> Fetched:
    """Read one judgment per row from an engine; see `Annotations.from_frame`.

    `guessed` is the column of coders if nobody named it.
    """
    check_choice("way", way, WAYS)
    duplicates, repeats_of, order = options.duplicates, options.repeats_of, options.order
    policy_of(duplicates)
    check_policy(duplicates, order, repeats_of)
    lazy = nw.from_native(frame)
    roles = roles_by_name(lazy.collect_schema(), item=item, coder=coder, label=label)
    names: Mapping[str, Sequence[str]] = {
        **{role: _listed(name) for role, name in roles.items()},
        "weights": _listed(weights),
        "order": _listed(order),
        "by": by,
        "along": along,
    }
    absent = options.absent()
    table = LazyTable(lazy, names, absent)
    recognition = long_by_roles(roles, item=item, coder=coder, label=label)
    engine = lazy.implementation.name.lower()
    queries = Queries()
    known = lazy.collect_schema().names()
    beside = (weights, order, *by, *along)
    by_default = label is None and isinstance(roles["item"], str)
    if by_default and not {*known} <= {*roles.values(), *beside}:
        looked = table_of_columns(*_first_rows(lazy, known, Queries()), absent)
        refuse_others(looked, **roles, taken=beside)
        if item is None:
            hint_at_doubts(restarted(looked, **roles, taken=beside))
    if order is not None and (duplicates in ORDERED or repeats_of is not None):
        check_texts(table, queries)
    result, taken, why = None, way, ""
    if way == "moments":
        result, why = _moments(table, options, queries), _NAMED.format(way)
        why += ": the interval distance needs only sums of numbers"
    else:
        if options.categories is None:
            options = options._replace(categories=table.declared)
        apart = _why_apart(table, options, way, queries)
        if apart is None:
            result, taken, why = _grouped(table, options, way, queries)
            apart = why
        if result is None:
            result, taken, why = _partitions(table, engine, options, queries), "partitions", apart
        doubt_gold(result.parts["coders"] or (), guessed)
        _hint(table, result, absent, queries)
    result.parts["gathered"] = queries.gathered(engine, taken, why)
    result.parts["read"] = recognition
    return result


def described(
    frame: Any,
    options: Options,
    *,
    item: str | Sequence[str] | None,
    coder: str | None,
    label: str | None,
) -> LazyTable:
    """Return a lazy frame of judgments, or the description of one, whose rows are not read."""
    if not frames.is_lazy(frame):
        raise InputTypeError.must_be("frame", "a DuckDB relation, or a table of Ibis", frame)
    lazy = nw.from_native(frame)
    roles = roles_by_name(lazy.collect_schema(), item=item, coder=coder, label=label)
    names = {role: _listed(name) for role, name in roles.items()}
    nothing: dict[str, Sequence[str]] = dict.fromkeys(("weights", "order", "by", "along"), ())
    table = LazyTable(lazy, {**names, **nothing}, options.absent())
    table.check_grouped()
    return table


def _hint(table: LazyTable, contents: Fetched, absent: Missing, queries: Queries) -> None:
    """Warn of names that may be one, and of labels that `missing` names and nobody gave."""
    hint_at(contents.parts)
    _hint_at_coders_apart(contents.parts)
    _hint_at_items(table, queries)
    if table.truth:  # 1 and 0 in the engine
        return
    named = named_values(absent, table.kind) if absent.unmet else []
    if named:
        label = nw.col(LABEL)
        if table.kind == nw.Float32:
            label = label.cast(nw.Float64)
        rows = table.rows.filter(label.is_in(named))
        # Ibis on polars has no `unique`.
        some = queries.fetch(rows.group_by(LABEL).agg(nw.len().alias(N_ROWS)))
        absent.among(some[LABEL].to_list())
    absent.hint(contents.parts.get("categories") or ())


def _hint_at_coders_apart(parts: Parts) -> None:
    """Warn of coders who share no item or no label with the others, if there are few judgments."""
    rows, coders, weights = parts.get("rows"), parts.get("coders"), parts.get("weights")
    if rows is None or coders is None or not (rows.width or rows.coders is not None):
        return
    repeats = np.ones(rows.n_rows, np.int64) if weights is None else weights
    if repeats.sum() > MOST_JUDGMENTS:
        return
    lists = as_lists(take_rows(rows, np.repeat(np.arange(rows.n_rows), repeats)))
    items = np.repeat(np.arange(lists.n_rows), np.diff(lists.start))
    labels = parts.get("categories") or ()
    of_coders = cast(Array, lists.coders)
    for note in coders_apart(items, of_coders, lists.codes, coders, labels):
        hint(note, LabelHint)


def _hint_at_items(table: LazyTable, queries: Queries) -> None:
    """Warn of items whose names look missing, or differ only in case and in blanks around them.

    Without groups, and if one column of texts names the items; not of very many rows, as it takes
    a query.
    """
    item = table.keys[0]
    texts = table.frame.collect_schema()[item] == nw.String
    if len(table.keys) > 1 or not texts or table.n_given > MOST_COMPARED:
        return
    folded = nw.col(item).str.strip_chars().str.to_lowercase().alias(FOLDED)
    ends = [nw.col(item).min().alias(LEAST), nw.col(item).max().alias(GREATEST)]
    apart = table.frame.select(nw.col(item), folded).group_by(FOLDED).agg(*ends)
    doubted = (nw.col(LEAST) != nw.col(GREATEST)) | nw.col(FOLDED).is_in(sorted(LOOK_MISSING))
    groups = queries.fetch(apart.filter(doubted).head(MOST_GROUPS))
    few = sorted({*groups[LEAST].to_list(), *groups[GREATEST].to_list()})
    if not few:
        return
    rows = table.frame.filter(nw.col(item).is_in(few) & ~nw.col(LABEL).is_null())
    pairs = queries.fetch(rows.group_by(item, CODER).agg(nw.len().alias(N_ROWS)))
    coders: dict[str, list[Any]] = {name: [] for name in few}
    for name, coder in zip(pairs[item].to_list(), pairs[CODER].to_list(), strict=True):
        coders[name].append(coder)
    hint_at_items(few, lambda places: [coders[few[place]] for place in places])


def _why_apart(table: LazyTable, options: Options, way: str, queries: Queries) -> str | None:
    """Return why engines cannot group these judgments; None if they can."""
    if way == "partitions":
        return _NAMED.format(way)
    label = table.names["label"][0]
    if options.duplicates == "set" or options.repeats_of is not None:
        name, value = ("duplicates", "set")
        if options.repeats_of is not None:
            name, value = ("repeats_of", options.repeats_of)
        if way != "auto":
            raise InputError(
                (Argument(name, value), " is not computed by engines"),
                ("pass ", Argument("way", "partitions"), ", which reads the rows"),
            )
        return f"{Argument(name, value)} is not computed by engines"
    if way != "auto":
        table.check_grouped()
    elif not table.is_grouped:
        return f"engines do not group column {label!r}, which holds {table.kind}"
    elif table.kind.is_float():
        few = queries.fetch(table.frame.select(LABEL).head(LOOK))
        n_distinct = few[LABEL].drop_nulls().n_unique()
        if n_distinct > LOOK // 4:
            return f"the first {len(few):,} rows have {n_distinct:,} different numbers"
    return None


def _grouped(
    table: LazyTable, options: Options, way: str, queries: Queries
) -> tuple[Fetched | None, str, str]:
    """Return the result of a group-by, its way, and why; None and why if there is no result."""
    seen = table.look(queries, MOST_PAIRS)
    if seen is None:
        why = f"there are more than {MOST_PAIRS:,} pairs of a coder and a label"
        return _nothing(way, why)
    check_items(table, queries)
    labelled = (~seen[LABEL].is_null()).to_numpy().astype(bool)
    n_rows = integers(seen[N_ROWS])
    table.n_given = int(n_rows[labelled].sum())
    n_missing = int(n_rows[~labelled].sum())
    _, coders = encode_sorted_ids(frames.column(seen[CODER]), "coder")
    named = [table.as_read(CODER, coder) for coder in coders]
    n_labels = seen[LABEL].drop_nulls().n_unique()
    few_coders, few_labels = len(coders) <= MOST_COLUMNS, n_labels <= MOST_LABELS
    if way == "patterns" and not few_coders:
        return _nothing(way, f"{len(coders):,} coders are more than {MOST_COLUMNS}")
    if way == "counts" and not few_labels:
        return _nothing(way, f"{n_labels:,} labels are more than {MOST_LABELS}")
    if not (few_coders or few_labels):
        return _nothing(
            way, f"{len(coders):,} coders and {n_labels:,} labels are too many for a column each"
        )
    left_out = LeftOut()
    if options.duplicates != "error":
        left_out = settle(table, options.duplicates, queries)
    n_beside = len(table.by) + len(table.along) + 3  # the number of items, and flags of errors
    outcome, taken, why, most = None, way, "", 0
    if way != "counts" and few_coders:
        most = most_rows(len(coders) + n_beside, MOST_ROWS)
        outcome, taken = read_patterns(table, coders, seen, options, queries, most), "patterns"
        why = f"there are few coders ({len(coders)})"
    if outcome is None and way != "patterns" and few_labels:
        why = f"there are more than {MOST_COLUMNS} coders, and few labels ({n_labels})"
        if few_coders:
            why = f"there are more than {most:,} patterns, and few labels ({n_labels})"
        most = most_rows(n_labels + n_beside, MOST_ROWS)
        outcome, taken = read_counts(table, coders, seen, options, queries, most), "counts"
    if outcome is None:
        return _nothing(way, f"more than {most:,} distinct rows would come back")
    outcome.parts["coders"] = named
    _say_left_out(outcome, n_missing, left_out)
    return outcome, taken, why if way == "auto" else _NAMED.format(way)


def _nothing(way: str, why: str) -> tuple[None, str, str]:
    """Return why there is no result, which is an error if this way was passed."""
    if way != "auto":
        raise wrong_way(
            (Argument("way", way), f" is not possible: {why}"),
            ("pass ", Argument("way", "partitions"), " or leave it out"),
        )
    return None, way, why


def _partitions(table: LazyTable, engine: str, options: Options, queries: Queries) -> Fetched:
    """Read whole items, a part at a time."""
    coder = start(table, options.repeats_of, queries)
    ordered = coder is not None or options.duplicates in ORDERED
    settled = options._replace(order=options.order if ordered else None, repeats_of=coder)
    beside = [*zip(table.by, table.names["by"], strict=True)]
    beside += zip(table.along, table.names["along"], strict=True)
    reading = Reading(tuple(table.keys), settled, tuple(beside), table.weighted, PART_ROWS)
    return read_partitions(table, engine, reading, queries)


def _moments(table: LazyTable, options: Options, queries: Queries) -> Fetched:
    """Read sums of numbers, without distinct labels."""
    # Options that sums of numbers do not support
    if table.by or table.along:
        raise wrong_way(
            (Argument("way", "moments"), " does not support groups or columns along"),
            ("pass ", Argument("way", "patterns")),
        )
    unknown = {
        name: getattr(options, name) for name in ("categories", "set_separator", "repeats_of")
    }
    unknown["duplicates"] = "set" if options.duplicates == "set" else None
    for name, value in unknown.items():
        if value is not None:
            raise InputError(
                (Argument(name), " is not supported by ", Argument("way", "moments")),
                ("leave it out, or pass ", Argument("way", "partitions")),
            )
    seen = table.look(queries, MOST_PAIRS, (CODER,))
    if seen is None:
        raise InputError(f"more than {MOST_PAIRS:,} coders are too many", argument="coder")
    check_items(table, queries)
    table.n_given = int(integers(seen[GIVEN]).sum())
    n_missing = int(integers(seen[N_ROWS]).sum()) - table.n_given
    _, coders = encode_sorted_ids(frames.column(seen[CODER]), "coder")
    left_out = LeftOut()
    if options.duplicates != "error":
        left_out = settle(table, options.duplicates, queries)
    contents = Fetched(read_moments(table, coders, queries), [])
    _say_left_out(contents, n_missing, left_out)
    return contents


def _say_left_out(contents: Fetched, n_missing: int, left_out: LeftOut) -> None:
    """Store the numbers of missing labels, including ties, and of what was left out."""
    contents.parts["missing"] = n_missing + left_out.duplicates_tied
    contents.parts["left_out"] = left_out


def _listed(name: Any) -> Sequence[str]:
    if name is None:
        return ()
    return (name,) if isinstance(name, str) else tuple(name)


def read_lazy_groups(
    frame: Any,
    by: str | Sequence[str],
    named: Named,
    options: Options,
    weights: str | None = None,
) -> Any:
    """Read judgments and the groups of their items as a `GroupedTable`; see `read_groups`.

    The same item in two groups is two items, and equal rows of two groups are two rows.
    """
    from agreement_fast.reading.groups import GroupedTable, number_groups

    if isinstance(named.coder, tuple) or named.layout not in (None, "long"):
        raise InputError(
            "groups of a lazy frame need one judgment per row, so one column of coders",
            "collect the frame",
        )
    listed: tuple[Hashable, ...] = (by,) if isinstance(by, str) else tuple(by)
    table_read = read_lazy(
        frame,
        options,
        by=tuple(map(str, listed)),
        weights=weights,
        item=named.item,
        coder=named.coder,
        label=named.label,
    )
    return GroupedTable(table_read.parts, number_groups(listed, table_read.beside))


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
        if kinds and all(kind == nw.Enum for kind in kinds) and enums_declare(frame):
            orders = {tuple(kind.categories) for kind in kinds}
            if len(orders) == 1:
                self.declared = tuple(name for name in orders.pop() if name not in missing)
        self.judged = {name: f"af_judged_{i}" for i, name in enumerate(coders)}
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
    queries = Queries()
    columns, n_rows = _first_rows(lazy, lazy.collect_schema().names(), queries)
    complete = n_rows <= ROWS
    table = table_of_columns(columns, n_rows, absent, complete=complete)
    if named.layout in (None, "long"):
        long = recognise_long(table, named, PYTHON)
        if long is not None and not complete and long.guessed:
            _refuse_uncertain(columns, long)
        if long is not None:
            roles = {name: columns[name] for name in (long.item, long.coder, long.label)}
            refuse_summaries(roles, n_rows, long.item)
            hint_at_doubts(long.doubts)
            return long
    if named.layout == "wide":
        refuse_judgments(columns, n_rows)
    wide = recognise_wide(table, named, PYTHON)
    _refuse_no_items(lazy, columns, n_rows, wide.coders, wide.item, queries)
    if any(keyword == "coder" for keyword, *_ in wide.guessed):
        hint_at_orientation(n_rows, len(wide.coders))
    hint_at_doubts(wide.doubts)
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
            (PYTHON.long(roles), ", or af.Annotations.from_wide(frame, ", Argument("coders"),
             "=[...]) with the columns of the coders"),
        ) from None  # fmt: skip


def read_lazy_wide(
    frame: Any,
    options: Options = USUAL,
    *,
    items: Any = None,
    coders: Sequence[Any] | None = None,
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
    categories = options.categories
    refuse_duplicates(options.duplicates)
    absent = options.absent()
    queries = Queries()
    if coders is None:
        named = Named(items, layout="wide", taken=tuple(roles["weights"]))
        result = recognise_lazy(frame, named, absent)
        items, coders = result.item, result.coders
    elif not looked:
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
            "collect it: af.Annotations.from_wide also reads frames in memory",
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
    _hint_at_coders_apart(read.parts)
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
                "a row is an item; if each row is a judgment, ",
                PYTHON.long({"item": [items], "coder": [], "label": []}),
                "; if the column is a coder, pass ",
                Argument("coders"),
            ),
            argument="items",
        )
