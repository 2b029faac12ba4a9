"""Tables of one judgment a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from agreement_fast._kernels import _encode, _group
from agreement_fast.errors import Argument, InputError, Phrase
from agreement_fast.options import check_choice
from agreement_fast.patterns import (
    Rows,
    as_table,
    group_by_item,
    narrow,
    pack_judgments,
    room_of_table,
)
from agreement_fast.reading import labels
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import plain
from agreement_fast.reading.near_misses import hint_at_labels
from agreement_fast.reading.parts import Parts
from agreement_fast.reading.tables import common_index, read_columns, weights_of_items

__all__ = ["columns_of_triples", "read_long"]


def read_long(
    items: Any,
    coders: Any,
    said: Any,
    *,
    missing: Any = None,
    categories: Any = None,
    duplicates: str = "error",
    weights: Any = None,
    set_separator: str | None = None,
) -> Parts:
    """Read three columns; see `Annotations.from_long`."""
    check_choice("duplicates", duplicates, ("error", "first", "last"))
    item_codes, coder_codes, codes, item_names, coder_names, found, declared = read_columns(
        items, coders, said, missing, categories, set_separator
    )
    judgments = common_index(items=items, coders=coders, labels=said)
    if not declared:
        hint_at_labels(found)
    n = len(codes)
    n_items, n_coders = len(item_names), len(coder_names)
    frequencies = weights_of_items(weights, item_codes, item_names, judgments)
    repeats = np.empty((3, 2), np.int64)
    keep_last = duplicates == "last"
    missing_labels = int(np.count_nonzero(codes < 0))
    if n_items * n_coders <= room_of_table(n):
        table = np.full((n_items, n_coders), -1, narrow(len(found)))
        n_repeats = _group.fill_table(item_codes, coder_codes, codes, keep_last, table, repeats)
        rows = as_table(table, frequencies)
    else:
        sizes = n_items, n_coders, len(found)
        packed = pack_judgments(item_codes, coder_codes, codes, sizes)
        del item_codes, coder_codes, codes  # the keys take their memory
        rows, n_repeats = group_by_item(packed, n_items, len(found), keep_last, repeats)
        rows = Rows(rows.codes, 0, rows.start, rows.coders, None, frequencies)
    if n_repeats and duplicates == "error":
        shown: list[str | Phrase] = []
        for item, coder in repeats[: min(n_repeats, 3)].tolist():
            name = labels.as_python(item_names[item])
            shown += ["; " if shown else " (", f"coder {coder_names[coder]!r}, "]
            shown.append(Phrase("item", f"item {name!r}", name))
        said = "1 judgment repeats" if n_repeats == 1 else f"{n_repeats} judgments repeat"
        raise InputError(
            (
                Phrase("repeats", said),
                " a coder's judgment of an item",
                *shown,
                " ...)" if n_repeats > 3 else ")",
            ),
            ("pass ", Argument("duplicates", "first", "last")),
            argument="duplicates",
        )
    return Parts(
        categories=found,
        declared=declared,
        items=item_names,
        coders=coder_names,
        rows=rows,
        weights=frequencies,
        missing=missing_labels,
        duplicates_dropped=n_repeats,
    )


def columns_of_triples(triples: Iterable[tuple[Any, Any, Any]]) -> tuple[Any, Any, Any]:
    """The items, coders and labels of (coder, item, label) triples."""
    listed = list(triples)
    codes = np.empty((3, len(listed)), np.int32)
    known = _encode.number_triples(listed, codes)
    if known is None:  # other sequences, sets as labels, and what an error is to point out
        return _columns_of_any(listed)
    coders, items, said = (
        Dictionary(numbers, plain(names), False, by_appearance=True)
        for numbers, names in zip(codes, known, strict=True)
    )
    return items, coders, said


def _columns_of_any(listed: list[Any]) -> tuple[list[Any], list[Any], list[Any]]:
    try:
        coders, items, said = zip(*listed, strict=True)
    except (TypeError, ValueError):
        bad = next(i for i, t in enumerate(listed) if not isinstance(t, Sequence) or len(t) != 3)
        raise InputError(
            f"triple {bad} is {listed[bad]!r}",
            "each must be (coder, item, label)",
            argument="triples",
        ) from None
    return list(items), list(coders), list(said)
