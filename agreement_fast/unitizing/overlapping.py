"""Which units leave coefficients undefined: those that overlap, and those in several pieces.

Some coefficients need a place to belong to one segment, and some a unit to have two ends.
"""

from __future__ import annotations

import numpy as np

from agreement_fast.unitizing.continuum import Continuum


def overlap(data: Continuum, units: slice = slice(None)) -> str | None:
    """Say which units of one coder overlap first, of all units or of one category's."""
    order = np.lexsort(
        (data.end[units], data.start[units], data.document[units], data.coder[units])
    )
    order += units.start or 0
    coder, document = data.coder[order], data.document[order]
    start, end = data.start[order], data.end[order]
    bad = (np.diff(coder) == 0) & (np.diff(document) == 0) & (start[1:] < end[:-1])
    if not bad.any():
        return None
    i = int(np.argmax(bad))
    names = [repr(data.categories[data.category[order[i + k]]]) for k in (0, 1)]
    return (
        f"units overlap: coder {data.coders[coder[i]]!r} has {names[0]} and {names[1]} at "
        f"{start[i + 1] * data.resolution:g} of {data.documents[document[i]]!r}, and a place must "
        "belong to one segment"
    )


def in_pieces(data: Continuum, coefficient: str, units: slice = slice(None)) -> str | None:
    """Say which unit is in several pieces, of all units or of one category's."""
    if data.unit is None:
        return None
    names, first, counts = np.unique(data.unit[units], return_index=True, return_counts=True)
    broken = np.flatnonzero(counts > 1)
    if not len(broken):
        return None
    i = int(broken[np.argmin(first[broken])])
    row = int(first[i]) + (units.start or 0)
    return (
        f"a unit in several pieces: {data.unit_names[names[i]]!r} of coder "
        f"{data.coders[data.coder[row]]!r} in {data.documents[data.document[row]]!r} has "
        f"{counts[i]}, and {coefficient} compares where a unit starts and ends"
    )
