"""Which way the judgments of an engine come here: the one of which little comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agreement_fast.engines.counts import read_counts
from agreement_fast.engines.found import Asked, Found
from agreement_fast.engines.gathered import Gathered
from agreement_fast.engines.items import check_items
from agreement_fast.engines.moments import read_moments
from agreement_fast.engines.partitions import read_partitions, start
from agreement_fast.engines.patterns import read_patterns
from agreement_fast.engines.queries import MOST_ROWS, Queries, integers
from agreement_fast.engines.reading import PART_ROWS, Reading
from agreement_fast.engines.repeats import check_policy, settle
from agreement_fast.engines.table import CODER, GIVEN, LABEL, N_ROWS, LazyTable, find_roles
from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_choice
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.labels import missing_values
from agreement_fast.reading.parts import LeftOut
from agreement_fast.reading.repeats import ORDERED, policy_of

__all__ = ["WAYS", "read_lazy"]

WAYS = ("auto", "patterns", "counts", "moments", "partitions")

#: Coders beyond which a column for each is too wide a table.
MOST_COLUMNS = 64
#: Labels beyond which a count of each is.
MOST_LABELS = 64
#: Rows of which the numbers are looked at, before all are grouped.
LOOK = 4096

_ASKED = "way={!r} was asked for"

#: Pairs of a coder and a label that may occur.
MOST_PAIRS = 1 << 20


def read_lazy(
    frame: Any,
    *,
    item: str | Sequence[str] | None = None,
    coder: str | None = None,
    label: str | None = None,
    weights: str | None = None,
    order: str | None = None,
    by: Sequence[str] = (),
    along: Sequence[str] = (),
    missing: Any = None,
    categories: Any = None,
    duplicates: str = "error",
    repeats_of: Any = None,
    set_separator: str | None = None,
    way: str = "auto",
) -> Found:
    """Read one judgment a row, where an engine holds it; see `Annotations.from_frame`."""
    import narwhals as nw

    check_choice("way", way, WAYS)
    policy_of(duplicates)
    check_policy(duplicates, order, repeats_of)
    lazy = nw.from_native(frame)
    roles = find_roles(lazy.collect_schema(), item=item, coder=coder, label=label)
    names: Mapping[str, Sequence[str]] = {
        **{role: _listed(name) for role, name in roles.items()},
        "weights": _listed(weights),
        "order": _listed(order),
        "by": by,
        "along": along,
    }
    table = LazyTable(lazy, names, missing_values(missing))
    engine = lazy.implementation.name.lower()
    asked = Asked(categories, set_separator, missing, duplicates, repeats_of, order)
    queries = Queries()
    found, taken, why = None, way, ""
    if way == "moments":
        return _moments(table, duplicates, queries, engine)
    apart = _why_apart(table, asked, way, queries)
    if apart is None:
        found, taken, why = _grouped(table, asked, way, queries)
        apart = why
    if found is None:
        found, taken, why = _partitions(table, engine, asked, queries), "partitions", apart
    found.parts["gathered"] = Gathered(
        engine, taken, why, queries.n_queries, queries.n_rows, queries.n_bytes, queries.n_parts
    )
    return found


def _why_apart(table: LazyTable, asked: Asked, way: str, queries: Queries) -> str | None:
    """Why no engine groups these judgments; None where it may."""
    if way == "partitions":
        return _ASKED.format(way)
    label = table.names["label"][0]
    if asked.duplicates == "set" or asked.repeats_of is not None:
        name, value = ("duplicates", "set")
        if asked.repeats_of is not None:
            name, value = ("repeats_of", asked.repeats_of)
        if way != "auto":
            raise InputError(
                (Argument(name, value), " is not computed by engines"),
                ("pass ", Argument("way", "partitions"), ", which reads the rows here"),
                argument=name,
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
    table: LazyTable, asked: Asked, way: str, queries: Queries
) -> tuple[Found | None, str, str]:
    """What came back of a group-by, which way that is, and why; None and why nothing came."""
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
    n_labels = seen[LABEL].n_unique()
    few_coders, few_labels = len(coders) <= MOST_COLUMNS, n_labels <= MOST_LABELS
    if way == "patterns" and not few_coders:
        return _nothing(way, f"{len(coders):,} coders are more than {MOST_COLUMNS} columns")
    if way == "counts" and not few_labels:
        return _nothing(way, f"{n_labels:,} labels are more than {MOST_LABELS}")
    if not (few_coders or few_labels):
        return _nothing(way, f"{len(coders):,} coders and {n_labels:,} labels are many")
    left_out = LeftOut()
    if asked.duplicates != "error":
        left_out = settle(table, asked.duplicates, queries)
    found, taken, why = None, way, ""
    if way != "counts" and few_coders:
        found, taken = read_patterns(table, coders, seen, asked, queries, MOST_ROWS), "patterns"
        why = f"{len(coders)} coders are few"
    if found is None and way != "patterns" and few_labels:
        found, taken = read_counts(table, coders, seen, asked, queries, MOST_ROWS), "counts"
        why = f"{len(coders)} coders are many, and {n_labels} labels few"
        if few_coders:
            why = f"patterns are more than {MOST_ROWS:,}, and {n_labels} labels few"
    if found is None:
        return _nothing(way, f"more than {MOST_ROWS:,} distinct rows would come back")
    found.parts["coders"] = named
    found.parts["missing"] = n_missing + left_out.duplicates_tied
    found.parts["left_out"] = left_out
    return found, taken, why if way == "auto" else _ASKED.format(way)


def _nothing(way: str, why: str) -> tuple[None, str, str]:
    """Say why nothing came back, which is an error where this way was asked for."""
    if way != "auto":
        raise InputError(
            (why, ", which ", Argument("way", way), " does not take"),
            ("pass ", Argument("way", "partitions"), " or leave it out"),
            argument="way",
        )
    return None, way, why


def _partitions(table: LazyTable, engine: str, asked: Asked, queries: Queries) -> Found:
    """Read whole items, some at a time."""
    coder = start(table, asked.repeats_of, queries)
    categories = table.declared if asked.categories is None else asked.categories
    ordered = coder is not None or asked.duplicates in ORDERED
    beside = [*zip(table.by, table.names["by"], strict=True)]
    beside += zip(table.along, table.names["along"], strict=True)
    reading = Reading(
        keys=tuple(table.keys),
        beside=tuple(beside),
        weighted=table.weighted,
        order=asked.order if ordered else None,
        missing=asked.missing,
        categories=categories,
        duplicates=asked.duplicates,
        repeats_of=coder,
        set_separator=asked.set_separator,
        part_rows=PART_ROWS,
    )
    return read_partitions(table, engine, reading, queries)


def _moments(table: LazyTable, duplicates: str, queries: Queries, engine: str) -> Found:
    """The way of numbers, which never looks at distinct labels."""
    if table.by or table.along:
        raise InputError(
            (Argument("way", "moments"), " does not know groups or what stands along"),
            ("pass ", Argument("way", "patterns")),
            argument="way",
        )
    seen = table.look(queries, MOST_PAIRS, (CODER,))
    if seen is None:
        raise InputError(f"more than {MOST_PAIRS:,} coders are too many", argument="coder")
    table.n_given = int(integers(seen[GIVEN]).sum())
    n_missing = int(integers(seen[N_ROWS]).sum()) - table.n_given
    _, coders = encode_sorted_ids(frames.column(seen[CODER]), "coder")
    left_out = LeftOut() if duplicates == "error" else settle(table, duplicates, queries)
    parts = read_moments(table, coders, queries)
    parts["missing"] = n_missing + left_out.duplicates_tied
    parts["left_out"] = left_out
    parts["gathered"] = Gathered(
        engine,
        "moments",
        "way='moments' was asked for: sums of numbers are all that the interval distance needs",
        queries.n_queries,
        queries.n_rows,
        queries.n_bytes,
    )
    return Found(parts, [])


def _listed(name: Any) -> Sequence[str]:
    if name is None:
        return ()
    return (name,) if isinstance(name, str) else tuple(name)
