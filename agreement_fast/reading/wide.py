"""Tables of items × coders."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from agreement_fast import patterns
from agreement_fast._kernels import _encode
from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError, LabelHint, hint
from agreement_fast.patterns import Rows, key_histogram, narrow
from agreement_fast.present.terminal import shorten
from agreement_fast.reading import frames, labels
from agreement_fast.reading.labels import Categories, Raw, encode
from agreement_fast.reading.looks import (
    columns_of_values,
    raises_doubts,
    refuse_no_items,
    refuse_summaries_of_values,
    table_of_columns,
)
from agreement_fast.reading.parts import USUAL, Options, Parts, codes_of
from agreement_fast.reading.recognition.columns import cell_notes
from agreement_fast.reading.recognition.labels import (
    Missing,
    hint_at_coders,
    hint_at_items,
    hint_at_labels,
    hint_at_numbers,
    label_counts,
)
from agreement_fast.reading.recognition.profile import rows_to_look_at
from agreement_fast.reading.recognition.read import Recognition
from agreement_fast.reading.recognition.recognise import (
    Named,
    Recognised,
    hint_at_doubts,
    hint_at_orientation,
    of_levels,
    recognise_long,
    recognise_wide,
)
from agreement_fast.reading.recognition.wording import PYTHON
from agreement_fast.reading.repeats import refuse_duplicates
from agreement_fast.reading.tables import (
    checked_names,
    column_values,
    item_weights,
    n_rows_of,
    named_columns,
    names_in,
    row_names,
    take_column,
    wide_values,
)

#: Blank texts are missing.
_NOTHING = Missing()
#: What a table of items × coders is.
WIDE = Recognition("wide")


def read_wide(
    table: Any,
    options: Options = USUAL,
    *,
    items: Any = None,
    coders: Sequence[Any] | None = None,
    weights: Any = None,
    columns: dict[Any, Any] | None = None,
    named: bool = True,
    copy: bool = True,
    layout: str | None = "wide",
    hints: bool = True,
) -> Parts:
    """Read a table of items × coders; see `Annotations.from_wide`.

    `columns` are those of a table with names that was recognised; `named` means that the table may
    have names and has not been inspected. If `copy`, copy a table that the caller could change
    later. A `layout` of None means that numbers may also be counts, which are refused. If `hints`,
    warn of labels and names that may be meant otherwise.
    """
    missing, categories, duplicates, _, set_separator, *_ = options
    if duplicates != "error":
        refuse_duplicates(duplicates)
    declared = None if categories is None else labels.declared_categories(categories)
    plain = declared is None and missing is None and set_separator is None
    absent = _NOTHING if plain else labels.missing_values(missing, declared, set_separator)
    known, guessed, read = columns, coders is None, WIDE
    if columns is None and named:
        table = frames.at_hand(table)
        known = named_columns(table)
        if known is not None:
            if isinstance(weights, str):
                weights = names_in(take_column(known, weights, "weights"))
            items, coders, read = _take_columns(
                table, known, items, coders, layout, absent, set_separator
            )
    if known is None:
        values, shape, names = wide_values(table)
        if type(weights) is int and 0 <= weights < shape[1]:
            weights = table_column(values, weights, shape[1])
        if isinstance(items, int) or (coders is not None and len(coders) < shape[1]):
            values, shape, items, coders = _take_places(values, shape, items, coders)
    else:
        values, shape, names = column_values(known, n_rows_of(table, known))
    if known is None:
        refuse_summaries_of_values(values, shape)
    if coders is None:
        if known is None and raises_doubts(values, shape, counts=layout is None):
            marks = () if isinstance(values, frames.Dictionary) else absent
            looked = table_of_columns(columns_of_values(values, shape[1]), shape[0], marks)
            hint_at_doubts(recognise_wide(looked, Named(layout=layout), PYTHON).doubts)
        coders = names
    n_rows, width = shape
    plain_items = known is None and items is None
    item_names = range(n_rows) if plain_items else row_names(table, n_rows, items)
    frequencies = None if weights is None else item_weights(weights, item_names)
    coder_names = (
        range(width) if coders is None else checked_names(coders, width, "coders", "column")
    )
    if guessed:
        hint_at_orientation(n_rows, width)
    parts = Parts(items=item_names, coders=coder_names, weights=frequencies, read=read)
    if isinstance(values, frames.Dictionary) and values.ordered and declared is None:
        declared = labels.declared_order(values, absent)
        plain = False
    parts["declared"] = declared is not None
    if not (plain and _settle(parts, values, shape, absent)):
        of_numbers = declared is None and set_separator is None
        values = _numbers(parts, values, absent, plain, of_numbers, copy)
        if values is not None:
            _number(parts, values, shape, absent, declared, set_separator, copy)
    if hints:
        _hint(parts, absent, plain_items)
    return parts


def _settle(parts: Parts, values: Any, shape: tuple[int, int], absent: Missing) -> bool:
    """Number the plain labels of a small table, or of one that is numbered; False for others."""
    if not shape[1]:
        return False
    settled = None
    if isinstance(values, frames.Dictionary):
        if values.by_appearance:
            settled = _encode.settle(np.ascontiguousarray(values.codes), values.labels)
    elif shape[0] < patterns.FEW_ROWS and isinstance(values, np.ndarray):
        settled = labels.settle_numbers(values)
    if settled is None or absent.among(settled[0]) is not None:
        return False
    parts["categories"], codes = settled
    parts["rows"] = Rows(codes, shape[1], None, None, None, parts["weights"])
    return True


def _numbers(
    parts: Parts, values: Any, absent: Missing, plain: bool, of_numbers: bool, copy: bool
) -> Any:
    """Return labels to be numbered; None if they are distinct numbers, which the parts keep."""
    if not (isinstance(values, np.ndarray) and values.dtype.kind == "f" and values.size):
        return values
    if not (plain and len(values) < patterns.FEW_ROWS):  # small plain tables are settled
        counted = labels.whole_numbers(values) or labels.few_numbers(values)
        if counted is not None:
            return counted
    if not of_numbers:
        return values
    # Distinct numbers are only counted when needed, which an interval distance does not.
    numbers = values.astype(np.float64, copy=copy or bool(absent))
    for number in absent.numbers():
        gone = numbers == number
        if gone.any() and number in absent:
            numbers[gone] = np.nan
    parts["numbers"] = numbers
    return None


def _hint(parts: Parts, absent: Missing, unnamed: bool) -> None:
    """Warn of labels and names that may be meant otherwise."""
    coders, names, numbers = parts["coders"], parts["items"], parts.get("numbers")
    categories = parts.get("categories") or ()
    if numbers is not None:
        hint_at_numbers(numbers)
    elif not parts.get("declared"):
        hint_at_labels(categories, lambda: label_counts(codes_of(parts), len(categories)))
    if absent.unmet:
        absent.hint(categories)
    if not isinstance(coders, range):
        hint_at_coders(coders or ())
    if not unnamed:
        hint_at_items(names, partial(_coders_of, parts))
    width = len(coders or ())
    if width > 1:
        cells = codes_of(parts).reshape(-1, width) if numbers is None else numbers
        labels_of_all = () if numbers is not None or parts.get("declared") else categories
        for note in cell_notes(cells, coders or (), labels_of_all):
            hint(note, LabelHint)


def _coders_of(parts: Parts, items: list[int]) -> list[Any]:
    """Return the coders who judged each of some items."""
    numbers = parts.get("numbers")
    if numbers is not None:
        judged = ~np.isnan(numbers)
    else:
        judged = (codes_of(parts) >= 0).reshape(len(parts["items"]), -1)
    return [np.flatnonzero(judged[item]).tolist() for item in items]


def _number(
    parts: Parts,
    values: Any,
    shape: tuple[int, int],
    absent: Missing,
    declared: Categories | None,
    set_separator: str | None,
    copy: bool,
) -> None:
    """Number the labels of any table, and find its patterns if that is cheap."""
    (n_rows, width), frequencies = shape, parts["weights"]
    item_names, coder_names = parts["items"], parts["coders"]
    assert coder_names is not None

    def where(flat: int) -> str:
        row, column = divmod(flat, width)
        return f"item {item_names[row]!r}, coder {coder_names[column]!r}"

    histogram: list[tuple[Array, Array]] = []

    def occurring(array: Array, low: int, n_states: int) -> Array | None:
        """Return the integers that occur, from the patterns, which are needed anyway."""
        histogram_part = key_histogram(array, frequencies, low, n_states)
        # The histogram does not count rows of weight 0, but their labels are labels, too.
        if histogram_part is None or (frequencies is not None and not frequencies.all()):
            return None
        histogram.append(histogram_part)
        flags = np.zeros(1 << max(1, (n_states - 1).bit_length()), np.uint8)
        flags[histogram_part[0]] = 1
        return flags[:n_states]

    small = n_rows < patterns.FEW_ROWS
    raw, categories = encode(
        values, absent, declared, where, None if small else occurring, set_separator
    )
    parts["categories"] = categories
    if raw.values.ndim == 1:
        raw = Raw(raw.values.reshape(shape), *raw[1:])
    shared = isinstance(values, np.ndarray) and np.may_share_memory(raw.values, values)
    if width and (small or (copy and shared)):
        # Copy the codes before the caller changes the table.
        codes = raw.codes(len(categories)).reshape(-1)
        parts["rows"] = Rows(codes, width, None, None, None, frequencies)
    else:
        parts["raw"] = raw
    if histogram:
        digits, often = histogram[0]
        codes = raw.lookup[digits].astype(narrow(len(categories)))
        parts["patterns"] = Rows(codes.reshape(-1), width, weights=often)


def _take_columns(
    table: Any,
    known: dict[Any, Any],
    items: Any,
    coders: Sequence[Any] | None,
    layout: str | None,
    absent: Missing,
    separator: str | None,
) -> tuple[Any, Sequence[Any] | None, Recognition]:
    """Leave only the coders among the columns; return the names of items and coders."""
    item = items if isinstance(items, (str, int)) else None
    if coders is not None and not isinstance(coders, (str, bytes)):
        coders = list(coders)
        if not (coders and all(isinstance(name, Hashable) and name in known for name in coders)):
            if len(coders) < len(known) and all(place in range(len(known)) for place in coders):
                raise InputError(
                    (Argument("coders", coders), " are the places of columns that have names"),
                    ("pass ", Argument("coders", [[*known][place] for place in coders])),
                )
            if item is not None:
                items = names_in(take_column(known, item))
            return items, coders, WIDE  # names for the columns
    elif coders is not None:
        raise InputTypeError.must_be("coders", "a sequence of names", coders)
    if item is not None and item not in known:
        take_column(known, item)
    rows = {**frames.index_columns(table), **known}
    if coders is None:
        refuse_judgments(rows, n_rows_of(table, known), absent)
    by_coder = None if coders is None else tuple(coders)
    named = Named(item, by_coder, layout=layout, separator=separator)
    result = recognise_columns(table, known, named, absent)
    beside = {**frames.row_names_beside(table), **known}
    refuse_no_items(beside, n_rows_of(table, known), result.coders, result.item, absent)
    guessed = tuple((f"{role}s", value, why) for role, value, why in result.guessed)
    pinned: list[tuple[str, Any]] = [("coders", list(result.coders))]
    if items is None or item is not None:
        items = None
        if result.item is not None:
            pinned.insert(0, ("items", result.item))
            items = names_in(known[result.item])
    for name in [name for name in known if name not in result.coders]:
        del known[name]
    in_order = {name: known.pop(name) for name in result.coders}
    known.update(in_order)
    read = Recognition("wide", guessed, result.left_out, tuple(pinned))
    return items, None if coders is None else list(result.coders), read


def read_named_wide(
    table: Any, columns: Mapping[Any, Any], named: Named, options: Options, weights: Any
) -> tuple[Parts, Recognised]:
    """Read a table of named columns, and say which columns are coders."""
    absent = options.absent()
    wide = recognise_columns(table, columns, named, absent)
    beside = {**frames.row_names_beside(table), **columns}
    refuse_no_items(beside, n_rows_of(table, columns), wide.coders, wide.item, absent)
    every = {**frames.index_columns(table), **columns}
    guessed = any(keyword == "coder" for keyword, *_ in wide.guessed)
    parts = read_wide(
        table,
        options,
        items=None if wide.item is None else names_in(every[wide.item]),
        coders=None if guessed else wide.coders,
        weights=weights,
        columns={name: columns[name] for name in wide.coders},
        copy=False,
    )
    return parts, wide


def recognise_columns(
    table: Any, columns: Mapping[Any, Any], named: Named, absent: Missing = _NOTHING
) -> Recognised:
    """Return what the named columns of a table of one item per row are."""
    index = frames.index(table)
    beside = () if index is None or frames.only_counts(index) else index[: rows_to_look_at(1)]
    looked = table_of_columns(columns, n_rows_of(table, columns), absent, row_names=beside)
    frames.refuse_transposed(table)
    if named.layout is None and not isinstance(named.coder, tuple):
        frames.refuse_label_axis(table)
    if getattr(index, "nlevels", 1) > 1 and len(columns) == 1:
        raise InputError(
            f"the table has one column and an index of {index.nlevels} levels "
            f"({shorten(list(frames.index_columns(table)))})",
            of_levels(looked, index.nlevels, frames.is_series(table)),
        )
    result = recognise_wide(looked, named, PYTHON)
    hint_at_doubts(result.doubts)
    return result


def _take_places(
    values: Any, shape: tuple[int, int], items: Any, coders: Sequence[Any] | None
) -> tuple[Any, tuple[int, int], Any, Sequence[Any] | None]:
    """Take the columns of items and coders by their places in a table without names."""
    width = shape[1]
    places = list(range(width)) if coders is None else list(coders)
    if not all(isinstance(place, int) and 0 <= place < width for place in (*places, items or 0)):
        return values, shape, items, coders
    if isinstance(items, int):
        places = [place for place in places if place != items]
        items = list(table_column(values, items, width))
    if isinstance(values, list):
        taken = [values[row * width + place] for row in range(shape[0]) for place in places]
        return taken, (shape[0], len(places)), items, places
    if isinstance(values, frames.Dictionary):
        values = values._replace(codes=values.codes[:, places], by_appearance=False)
    else:
        values = values[:, places]
    return values, (shape[0], len(places)), items, places


def table_column(values: Any, place: int, width: int) -> list[Any]:
    """Return a column of labels in row-major order."""
    if isinstance(values, list):
        return values[place::width]
    if isinstance(values, frames.Dictionary):
        return frames.listed(values._replace(codes=values.codes[:, place]))
    return list(values[:, place].tolist())


def refuse_judgments(columns: Mapping[Any, Any], n_rows: int, absent: Missing = _NOTHING) -> None:
    """Refuse columns that hold one judgment per row."""
    result = recognise_long(table_of_columns(columns, n_rows, absent), Named(), PYTHON)
    if result is not None:
        raise InputError(
            f"the columns {result.item!r}, {result.coder!r} and {result.label!r} hold one judgment "
            "per row",
            (
                PYTHON.long(
                    {"item": [result.item], "coder": [result.coder], "label": [result.label]}
                ),
                ", or pass ",
                Argument("coders"),
                " to say that each column is a coder",
            ),
        )
