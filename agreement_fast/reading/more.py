"""Further judgments of existing items and of new ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError
from agreement_fast.patterns import Rows, as_lists
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import as_python, shorten
from agreement_fast.reading.long import read_long
from agreement_fast.reading.parts import LeftOut, Parts
from agreement_fast.reading.united import as_numbers

__all__ = ["read_more"]

#: Ways to settle an old and a new judgment of one item by one coder.
POLICIES = ("error", "first", "last")

#: Types of numpy arrays that hold names unchanged.
SIMPLE = "biufU"


def read_more(
    old: Parts,
    items: Any,
    coders: Any,
    said: Any,
    *,
    missing: Any = None,
    duplicates: str = "error",
    set_separator: str | None = None,
) -> Parts:
    """Combine old parts and three more columns; see `Annotations.with_judgments`."""
    if duplicates not in POLICIES:
        raise InputError(
            (Argument("duplicates"), f" must be 'error', 'first' or 'last', not {duplicates!r}"),
            "of the earlier judgments, only one of each coder and item was kept",
            argument="duplicates",
        )
    declared = old["categories"] if old["declared"] else None
    try:
        new = read_long(
            items,
            coders,
            said,
            missing=missing,
            categories=declared,
            duplicates=duplicates,
            set_separator=set_separator,
            hints=False,
        )
        _check_sets(old, new)
        both = _joined(old, new, duplicates)
    except InputError as error:
        if error.argument != "duplicates":
            raise
        raise InputError(
            error.problem, ("pass ", Argument("duplicates", *POLICIES[1:])), argument="duplicates"
        ) from None
    rows, weights = both["rows"], old.get("weights")
    assert rows is not None
    if weights is not None:
        weights = np.concatenate([weights, np.ones(rows.n_rows - len(weights), np.int64)])
        both["rows"] = Rows(rows.codes, rows.width, rows.start, rows.coders, None, weights)
    both["weights"] = weights
    both["missing"] = (old["missing"] or 0) + (new["missing"] or 0)
    both["left_out"] = LeftOut.add_up([old["left_out"], new["left_out"], both["left_out"]])
    return both


def _check_sets(old: Parts, new: Parts) -> None:
    """Refuse texts beside sets: 'a|b' is not the set of a and b."""
    given, added = old["categories"] or (), new["categories"] or ()
    text = next((label for label in added if isinstance(label, str)), None)
    if text is not None and given and all(isinstance(label, frozenset) for label in given):
        raise InputError(
            f"the existing labels are sets, but the new label {shorten([text])} is text",
            (
                "pass ",
                Argument("set_separator"),
                ", the text between the elements, as for the earlier labels",
            ),
            argument="set_separator",
        )
    text = next((label for label in given if isinstance(label, str)), None)
    if text is not None and added and all(isinstance(label, frozenset) for label in added):
        raise InputError(
            f"the new labels are sets, but the existing label {shorten([text])} is text",
            ("read all of them with ", Argument("set_separator"), ", or none"),
            argument="set_separator",
        )


def _joined(old: Parts, new: Parts, duplicates: str) -> Parts:
    lists = [as_lists(part["rows"]) for part in (old, new) if part["rows"] is not None]
    rows = [np.repeat(np.arange(part.n_rows), np.diff(part.start)) for part in lists]
    items = _column(old["items"], new["items"], rows)
    coders = _column(old["coders"], new["coders"], [part.coders for part in lists])
    said = _column(old["categories"], new["categories"], [part.codes for part in lists])
    said = said._replace(labels=as_numbers(list(said.labels)))
    declared = old["categories"] if old["declared"] else None
    return read_long(items, coders, said, categories=declared, duplicates=duplicates)


def _column(old: Any, new: Any, codes: list[Any]) -> Dictionary:
    """Concatenate two columns, with codes that are places among their names."""
    numbers, names = encode_ids(_all(old, new), "name")
    places = [numbers[: len(old)][codes[0]], numbers[len(old) :][codes[1]]]
    return Dictionary(np.concatenate(places).astype(np.int32), names, False, by_appearance=True)


def _all(old: Any, new: Any) -> Array | list[Any]:
    """Concatenate names, as an array if that changes none."""
    arrays = [np.asarray(names) if isinstance(names, range) else names for names in (old, new)]
    kinds = {names.dtype.kind if isinstance(names, np.ndarray) else "O" for names in arrays}
    if len(kinds) == 1 and kinds <= set(SIMPLE):
        return np.concatenate(arrays)
    return [as_python(name) for names in arrays for name in names]
