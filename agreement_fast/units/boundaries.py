"""The starts or ends of spans, as judgments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.distances.sets import is_number, span_parts
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.patterns import coder_of, row_of
from agreement_fast.reading.labels import as_python

#: Errors of this argument.
wrong_relative_to = partial(InputError, argument="relative_to")


def judged_ends(data: Annotations, end: int, relative_to: Any) -> Annotations:
    """Return the starts (end 0) or ends (1) of spans, relative to a position of each item."""
    coders = data.known_coders("a position of spans")
    positions = span_parts(data.categories, "of positions")[1 + end]
    names = [as_python(name) for name in data.items]
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
    rows = data.rows
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
    weights = data.weights
    return Annotations.from_long(
        item_names[row[order]],
        coder_names[coder[order]],
        values[order],
        weights=None if weights is None else weights[row[order]],
    )
