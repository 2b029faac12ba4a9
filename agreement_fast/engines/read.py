"""Which way the judgments of an engine come here: the one of which little comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agreement_fast.engines.counts import read_counts
from agreement_fast.engines.found import Asked, Found
from agreement_fast.engines.gathered import Gathered
from agreement_fast.engines.moments import read_moments
from agreement_fast.engines.patterns import read_patterns
from agreement_fast.engines.queries import MOST_ROWS, Queries, integers
from agreement_fast.engines.repeats import check_policy, settle
from agreement_fast.engines.table import CODER, GIVEN, LABEL, N_ROWS, LazyTable, find_roles
from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_choice
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_sorted_ids
from agreement_fast.reading.labels import missing_values
from agreement_fast.reading.parts import LeftOut
from agreement_fast.reading.repeats import policy_of

__all__ = ["WAYS", "read_lazy"]

WAYS = ("auto", "patterns", "counts", "moments", "partitions")

#: Coders beyond which a column for each is too wide a table.
MOST_COLUMNS = 64
#: Labels beyond which a count of each is.
MOST_LABELS = 64
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
    set_separator: str | None = None,
    way: str = "auto",
) -> Found:
    """Read one judgment a row, where an engine holds it; see `Annotations.from_frame`."""
    import narwhals as nw

    check_choice("way", way, WAYS)
    policy_of(duplicates)
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
    check_policy(duplicates, order)
    queries = Queries()
    if way == "moments":
        return _moments(table, duplicates, queries, lazy.implementation.name.lower())
    seen = table.look(queries, MOST_PAIRS)
    if seen is None:
        raise NotImplementedError("partitions")
    labelled = (~seen[LABEL].is_null()).to_numpy().astype(bool)
    n_rows = integers(seen[N_ROWS])
    table.n_given = int(n_rows[labelled].sum())
    n_missing = int(n_rows[~labelled].sum())
    _, coders = encode_sorted_ids(frames.column(seen[CODER]), "coder")
    n_labels = seen[LABEL].n_unique()
    left_out = LeftOut()
    if duplicates != "error":
        left_out = settle(table, duplicates, queries)
    asked = Asked(categories, set_separator)
    found, why = None, f"way={way!r} was asked for"
    if way in ("auto", "patterns") and len(coders) <= MOST_COLUMNS:
        found, taken = read_patterns(table, coders, asked, queries, MOST_ROWS), "patterns"
        why = f"{len(coders)} coders are few"
    if found is None and way in ("auto", "counts") and n_labels <= MOST_LABELS:
        found, taken = read_counts(table, coders, seen, asked, queries, MOST_ROWS), "counts"
        why = f"{len(coders)} coders are many, and {n_labels} labels few"
    if found is None:
        raise NotImplementedError("partitions")
    engine = lazy.implementation.name.lower()
    found.parts["missing"] = n_missing + left_out.duplicates_tied
    found.parts["left_out"] = left_out
    found.parts["gathered"] = Gathered(
        engine, taken, why, queries.n_queries, queries.n_rows, queries.n_bytes
    )
    return found


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
