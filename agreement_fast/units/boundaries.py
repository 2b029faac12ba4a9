"""The starts or ends of spans, as judgments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.distances.sets import is_number, span_parts
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_choice
from agreement_fast.patterns import coder_of, row_of
from agreement_fast.reading.labels import as_python

#: Errors of this argument.
wrong_relative_to = partial(InputError, argument="relative_to")


def boundaries(
    data: Any, side: str = "start", *, relative_to: Mapping[Any, float] | None = None
) -> Annotations:
    """Return the starts or ends of spans, as numbers for the interval distance.

    Artstein & Poesio (2008, 4.4.3) show how much this choice matters. In one study of discourse
    deixis, α is 0.998 for starts by their position in the dialogue, since any two antecedents near
    the same expression are close, and 0.167 by their position relative to the expression.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The judgments; labels are spans, (start, end) or (document, start, end).
    side : {"start", "end"}
        The boundary to return; by default the start.
    relative_to : mapping item -> float, optional
        The position of each item's expression, which is subtracted.

    Returns
    -------
    Annotations
        The same judgments, with positions as labels.

    Raises
    ------
    ValueError
        If a label is not a span, or an item has no finite position in `relative_to`.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.Annotations.from_wide([[(3, 9), (5, 9)], [(81, 90), (88, 90)]], items=["a", "b"])
    >>> begin = af.labelsets.boundaries(data)
    >>> begin.categories
    (3, 5, 81, 88)
    >>> near = af.labelsets.boundaries(data, relative_to={"a": 10, "b": 91})
    >>> near.categories
    (-10, -7, -5, -3)
    """
    check_choice("side", side, ("start", "end"))
    annotations = as_annotations(data)
    coders = annotations.known_coders("boundaries()")
    parts = span_parts(annotations.categories, "boundaries()")
    positions = parts[1] if side == "start" else parts[2]
    names = [as_python(name) for name in annotations.items]
    origin = np.zeros(len(names))
    if relative_to is not None:
        if not isinstance(relative_to, Mapping):
            raise InputTypeError.must_be("relative_to", "a mapping item -> position", relative_to)
        for i, name in enumerate(names):
            if name not in relative_to:
                raise wrong_relative_to(f"relative_to has no position for item {name!r}")
            position = relative_to[name]
            if not (is_number(position) and np.isfinite(position)):
                raise wrong_relative_to(
                    f"relative_to must have a finite position for item {name!r}, not {position!r}"
                )
            origin[i] = position
    rows = annotations.rows
    given = np.flatnonzero(rows.codes >= 0)
    row = row_of(rows, given)
    coder = coder_of(rows, given)
    values = positions[rows.codes[given]] - origin[row]
    # Keep items without a judgment.
    unjudged = np.setdiff1d(np.arange(len(names)), row) if len(coders) else np.zeros(0, np.int64)
    row = np.concatenate([row, unjudged])
    order = np.argsort(row, kind="stable")
    coder = np.concatenate([coder, np.zeros(len(unjudged), np.int64)])
    values = np.concatenate([values, np.full(len(unjudged), np.nan)])
    item_names, coder_names = (np.fromiter(x, object) for x in (names, map(as_python, coders)))
    weights = annotations.weights
    return Annotations.from_long(
        item_names[row[order]],
        coder_names[coder[order]],
        values[order],
        weights=None if weights is None else weights[row[order]],
    )
