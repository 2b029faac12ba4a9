"""Tables of one judgment per row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast._kernels import _encode, _group
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, LabelHint, ShapeHint, hint
from agreement_fast.patterns import (
    Packed,
    Rows,
    as_table,
    cut_rows,
    group_by_item,
    narrow,
    pack_judgments,
    room_of_table,
    row_of,
    row_sizes,
    used_labels,
)
from agreement_fast.present.tables import SHOWN, html_of
from agreement_fast.reading import labels
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.looks import refuse_summaries
from agreement_fast.reading.parts import USUAL, LeftOut, Options, Parts
from agreement_fast.reading.recognition.arithmetic import (
    DECLARED,
    FEWEST_TRIPLES,
    Numbered,
    other_order,
)
from agreement_fast.reading.recognition.columns import coders_apart
from agreement_fast.reading.recognition.labels import (
    hint_at_coders,
    hint_at_items,
    hint_at_labels,
    label_counts,
)
from agreement_fast.reading.recognition.read import Recognition
from agreement_fast.reading.recognition.recognise import doubt_gold
from agreement_fast.reading.repeats import (
    Policy,
    check_elements,
    check_order,
    declare,
    excluded,
    find_coder,
    judgments_of,
    no_repeats,
    policy_of,
    refused,
    repeated,
)
from agreement_fast.reading.tables import (
    Columns,
    common_index,
    judgment_column,
    place_of,
    read_columns,
    weights_of_items,
)

#: What a table of one judgment per row is.
LONG = Recognition("long")

#: Number of repeated judgments that an error names.
NAMED = 3


def read_long(
    items: Any,
    coders: Any,
    values: Any,
    options: Options = USUAL,
    *,
    weights: Any = None,
    is_part: bool = False,
    hints: bool = True,
    guessed: str | None = None,
) -> Parts:
    """Read three columns; see `Annotations.from_long`.

    If `is_part`, other rows exist elsewhere, which may hold judgments of the coder `repeats_of`. If
    `hints`, warn of labels and coders that may be meant otherwise. `guessed` is the column of
    coders if nobody named it.
    """
    missing, categories, duplicates, repeats_of, set_separator, *_ = options
    policy = policy_of(duplicates)
    if repeats_of is not None and duplicates != "error":
        raise excluded()
    # Labels that will become sets are elements here, so declared categories do not apply. With
    # `repeats_of`, they do not apply to coders who are not compared.
    of_labels = None if policy.prepare or repeats_of is not None else categories
    columns = read_columns(items, coders, values, missing, of_labels, set_separator)
    if hints:
        given = {"item": items, "coder": coders, "label": values}
        named = {name: judgment_column(column, name) for name, column in given.items()}
        refuse_summaries(named, len(columns.codes), "item")
    check_order(columns, options)
    judgments = common_index(items=items, coders=coders, labels=values)
    if hints:
        if categories is None and not columns.declared:
            n_labels = len(columns.categories)
            hint_at_labels(columns.categories, lambda: label_counts(columns.codes, n_labels))
        columns.absent.hint(columns.categories)
        doubt_gold(columns.coder_names, guessed)
        hint_at_coders(columns.coder_names)
        hint_at_items(columns.item_names, partial(_coders_of, columns))
        for note in coders_apart(
            columns.items, columns.coders, columns.codes, columns.coder_names, columns.categories
        ):
            hint(note, LabelHint)
    every, compared = columns, None
    n_missing = int(np.count_nonzero(columns.codes < 0))
    n_judged_once = 0
    if repeats_of is not None:
        if not is_part:
            repeats_of = find_coder(columns.coder_names, repeats_of)
        columns, compared, kept, n_judged_once, n_missing = judgments_of(columns, repeats_of)
        if not (len(kept) or is_part):
            raise no_repeats(repeats_of, n_judged_once)
        declared = labels.declared_categories(categories)
        if declared is not None:
            columns = declare(columns, declared, set_separator, partial(place_of, every), compared)
    frequencies = weights_of_items(weights, every.items, every.item_names, judgments, compared)
    if frequencies is not None and repeats_of is not None:
        frequencies = frequencies[kept]
    if policy.prepare is not None:
        check_elements(columns, labels.declared_categories(categories), set_separator)
        columns = policy.prepare(columns)
    shown = np.empty((NAMED, 2), np.int64)
    if _fits_table(columns):
        rows, n_repeats = _fill(columns, policy, shown)
    else:
        packed = _pack(columns)
        if policy.settle is None:
            columns = columns.without_rows()  # frees their memory for the keys
        rows, n_repeats = _list(packed, columns, policy, shown)
    if n_repeats and duplicates == "error":
        raise _refuse(columns, n_repeats, shown)
    n_ties = 0
    if n_repeats and policy.settle is not None:
        judged = np.bincount(columns.items[columns.codes >= 0], minlength=len(columns.item_names))
        again = repeated(columns, np.flatnonzero(judged != row_sizes(rows)))
        columns, n_ties = policy.settle(columns, again)
        rows, _ = (
            _fill(columns, policy, shown)
            if _fits_table(columns)
            else _list(_pack(columns), columns, policy, shown)
        )
    if n_repeats and not columns.declared:
        rows, columns = _with_kept_labels(rows, columns)
    return Parts(
        categories=columns.categories,
        declared=columns.declared,
        items=columns.item_names,
        coders=columns.coder_names,
        rows=Rows(rows.codes, rows.width, rows.start, rows.coders, None, frequencies),
        weights=frequencies,
        missing=n_missing + n_ties,
        left_out=LeftOut(n_repeats, n_ties, n_judged_once, n_repeats if policy.prepare else 0),
        read=LONG,
    )


def _coders_of(columns: Columns, items: list[int]) -> list[Any]:
    """Return the coders who judged each of some items."""
    judged = columns.codes >= 0
    return [np.unique(columns.coders[(columns.items == item) & judged]).tolist() for item in items]


def _fits_table(columns: Columns) -> bool:
    """Return whether there are enough judgments to fill a table of items × coders well."""
    n_cells = len(columns.item_names) * len(columns.coder_names)
    return n_cells <= room_of_table(len(columns.codes))


def _fill(columns: Columns, policy: Policy, shown: Array) -> tuple[Rows, int]:
    """Write judgments into a table; return the number of repeated ones, the first in `shown`."""
    shape = len(columns.item_names), len(columns.coder_names)
    codes = columns.codes
    table = np.full(shape, -1, codes.dtype)
    n_repeats = _group.fill_table(
        columns.items, columns.coders, codes, policy.keep_last, table, shown
    )
    return as_table(table, None), n_repeats


def _pack(columns: Columns) -> Packed:
    sizes = len(columns.item_names), len(columns.coder_names), len(columns.categories)
    return pack_judgments(columns.items, columns.coders, columns.codes, sizes)


def _list(packed: Packed, columns: Columns, policy: Policy, shown: Array) -> tuple[Rows, int]:
    """Write judgments into lists; see `_fill`."""
    sizes = len(columns.item_names), len(columns.categories)
    return group_by_item(packed, *sizes, policy.keep_last, shown)


def _with_kept_labels(rows: Rows, columns: Columns) -> tuple[Rows, Columns]:
    """Leave out labels that no kept judgment has: the categories are those that occur."""
    used = used_labels(rows, len(columns.categories))
    if used is None:
        return rows, columns
    kept = [columns.categories[code] for code in used.tolist()]
    order = labels.arrange(kept)
    lookup = np.full(len(columns.categories) + 1, -1, narrow(len(kept)))
    lookup[used[order]] = np.arange(len(kept))
    categories = tuple(labels.integral([kept[place] for place in order]))
    return rows.replace(codes=lookup[rows.codes]), columns._replace(categories=categories)


def _refuse(columns: Columns, n_repeats: int, shown: Array) -> InputError:
    """Return the error that names the first repeated judgments, and the remedies."""
    first = shown[: min(n_repeats, NAMED)].tolist()
    names = [
        (labels.as_python(columns.item_names[item]), columns.coder_names[coder])
        for item, coder in first
    ]
    return refused(n_repeats, names)


def are_triples(rows: Any) -> bool:
    """Return whether tuples are certainly (coder, item, label), as NLTK's, and no rows of labels.

    The columns share no value, as those of coders would; no coder has an item twice, and there are
    fewer coders than items.
    """
    if not isinstance(rows, list) or len(rows) < FEWEST_TRIPLES:
        return False
    for some in (rows[:FEWEST_TRIPLES], rows):  # a few show what most tables are
        if not all(type(row) is tuple and len(row) == 3 for row in some):
            return False
        columns = [*zip(*some, strict=True)]
        if any(isinstance(value, float) for column in columns[:2] for value in column):
            return False
        if not all(isinstance(label, Hashable) for label in columns[2]):
            return False
        coders, items, given = map(set, columns)
        if len(coders | items | given) < len(coders) + len(items) + len(given):
            return False
    pairs = {row[:2] for row in rows}
    return len(pairs) == len(rows) >= 2 * len(items) and 1 < len(coders) < len(items)


def read_triples(
    triples: Iterable[Sequence[Any]], order: Any, options: Options, weights: Any
) -> Parts:
    """Read triples; see `Annotations.from_triples`."""
    columns = _columns_of_triples(triples)
    if order is not None:
        roles = [order] if isinstance(order, str) else list(order)
        if sorted(map(str, roles)) != sorted(DECLARED):
            raise InputError.must_be("order", "'coder', 'item' and 'label' in some order", order)
        items, coders, labels = (columns[roles.index(role)] for role in ("item", "coder", "label"))
        return read_long(items, coders, labels, options, weights=weights)
    numbered = _numbered(columns)
    _refuse_order(numbered)
    coders, items, labels = columns
    repeats_count = options.repeats_of is None
    try:
        parts = read_long(items, coders, labels, options, weights=weights)
    except InputError as error:
        if error.argument == "duplicates" and repeats_count:
            _refuse_order(numbered, repeated=True)
        raise
    if repeats_count and parts["left_out"].duplicates_dropped:
        _refuse_order(numbered, repeated=True, expected=True)
    return parts


def _refuse_order(
    columns: Sequence[Numbered] | None, *, repeated: bool = False, expected: bool = False
) -> None:
    """Refuse triples that seem to be in another order than (coder, item, label)."""
    usual = None if columns is None else other_order(columns, repeated=repeated, expected=expected)
    if columns is None or usual is None:
        return
    order, certain = usual
    n_coders, n_items = (f"{len(column.values):,}" for column in columns[:2])
    error = InputError(
        f"the triples were read as (coder, item, label), with {n_coders} coders, "
        f"{n_items} items" + (" and repeated judgments" if repeated else ""),
        (
            "if they are (" + ", ".join(order) + "), pass ",
            Argument("order", tuple(order)),
            "; if not, ",
            Argument("order", DECLARED),
        ),
        argument="order",
    )
    if certain:
        raise error
    hint(str(error), ShapeHint)


def _numbered(columns: Sequence[Any]) -> list[Numbered] | None:
    """Return the columns as codes; None if labels are sets."""
    if all(isinstance(column, Dictionary) for column in columns):
        return [Numbered(column.codes, column.labels) for column in columns]
    try:
        ids = [encode_ids(judgment_column(column, "triples"), "triple") for column in columns]
    except (TypeError, ValueError):
        return None
    return [Numbered(*entry) for entry in ids]


def _columns_of_triples(triples: Iterable[Sequence[Any]]) -> list[Any]:
    """Return the three columns of triples, in their order."""
    listed = list(triples)
    codes = np.empty((3, len(listed)), np.int32)
    known = _encode.number_triples(listed, codes)
    if known is None:  # other sequences, sets as labels, or input that needs an error
        return _columns_of_any(listed)
    return [
        Dictionary(numbers, labels.in_python(names), False, by_appearance=True)
        for numbers, names in zip(codes, known, strict=True)
    ]


def _columns_of_any(listed: list[Any]) -> list[Any]:
    try:
        columns = list(map(list, zip(*listed, strict=True)))
        if len(columns) != 3:
            raise ValueError
    except (TypeError, ValueError):
        bad = next(i for i, t in enumerate(listed) if not isinstance(t, Sequence) or len(t) != 3)
        raise InputError(
            f"triple {bad} is {listed[bad]!r}",
            "each must be (coder, item, label)",
            argument="triples",
        ) from None
    return columns


if TYPE_CHECKING:
    from agreement_fast.annotations import Annotations


def judgment_columns(annotations: Annotations) -> Mapping[str, Array]:
    """Return the columns item, coder, label and, if there are weights, weight.

    Counts have no coders: there is a row for each item and label, with a column count.
    """
    return _columns(annotations, annotations.rows, 0)


def judgments_in_notebook(annotations: Annotations) -> str:
    """Return the first and the last judgments as HTML, in time independent of the others."""
    rows = annotations.rows
    parts = [(rows, 0)]
    if rows.n_rows > 2 * SHOWN:
        last = rows.n_rows - SHOWN
        parts = [(cut_rows(rows, 0, SHOWN), 0), (cut_rows(rows, last, rows.n_rows), last)]
    result = [_columns(annotations, part, first) for part, first in parts]
    n_judgments = int(np.count_nonzero(rows.codes >= 0))
    columns = {
        name: [*result[0][name], *(result[1][name] if result[1:] else ())] for name in result[0]
    }
    if len(columns["item"]) > 2 * SHOWN:
        columns = {name: [*all_[:SHOWN], *all_[-SHOWN:]] for name, all_ in columns.items()}
    return html_of(repr(annotations), columns, n_judgments)


def _columns(annotations: Annotations, rows: Rows, first: int) -> dict[str, Array]:
    """Return the judgments of some rows, which begin at row `first`."""
    where = np.flatnonzero(rows.codes >= 0)
    row = row_of(rows, where)
    items = annotations.items[first : first + rows.n_rows]
    result = {"item": np.fromiter(items, object)[row]}
    names = annotations.coders
    if names is not None and (rows.width or rows.coders is not None):
        coder = where % rows.width if rows.width else rows.coders
        assert coder is not None
        result["coder"] = np.fromiter(names, object)[coder if rows.width else coder[where]]
    result["label"] = np.fromiter(annotations.categories, object)[rows.codes[where]]
    if rows.repeats is not None:
        result["count"] = rows.repeats[where]
    if rows.weights is not None:
        result["weight"] = rows.weights[row]
    return result
