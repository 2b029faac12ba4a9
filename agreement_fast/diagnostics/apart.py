"""Coders that are separated from the others: one who is the reference, or models among people."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array
from agreement_fast.errors import InputError
from agreement_fast.patterns import codes_of_coder, take_coders
from agreement_fast.reading import frames
from agreement_fast.reading.tables import name_places


def set_apart(
    annotations: Annotations, apart: Iterable[Any], kept: Iterable[Any] | None, purpose: str
) -> tuple[Annotations, Array]:
    """Take some coders out of the data.

    Parameters
    ----------
    apart, kept : names of coders
        The coders who are taken out, and those who stay (None for all others).
    purpose : str
        What the coders are needed for, for the error if they are unknown.

    Returns
    -------
    others : Annotations
        The data without them, with the categories of all coders.
    codes : int array of shape (n_rows, M)
        The labels of those taken out, as indices of categories; -1 for missing.
    """
    names = list(annotations.known_coders(purpose))
    out = name_places(names, apart, "coder")
    left = set(out.tolist())
    if kept is None:
        stay = np.array([i for i in range(len(names)) if i not in left], np.int64)
    else:
        stay = name_places(names, kept, "coder")
        both = [names[i] for i in stay.tolist() if i in left]
        if both:
            raise InputError(f"coder {both[0]!r} is named on both sides", "name it on one of them")
    # A label that only other coders used is not a category, unless it was declared.
    some = annotations.select(coders=[names[i] for i in (*stay.tolist(), *out.tolist())])
    rows, n = some.rows, len(stay) + len(out)
    codes = [codes_of_coder(rows, place) for place in range(len(stay), n)]
    others = Annotations.assemble(
        categories=some.categories,
        declared=annotations.declared,
        items=annotations.items,
        coders=[names[i] for i in stay.tolist()],
        rows=take_coders(rows, np.arange(len(stay)), n),
        weights=rows.weights,
        left_out=annotations.left_out,
        texts=annotations.texts,
    )
    table = np.stack(codes, 1) if codes else np.zeros((rows.n_rows, 0), np.int64)
    return others, table.astype(np.int64)


def is_name(given: Any) -> bool:
    """Return whether a reference is given by the name of its coder, not by its labels."""
    labels = isinstance(given, Iterable) or frames.is_frame(given)
    return isinstance(given, (str, bytes)) or not labels
