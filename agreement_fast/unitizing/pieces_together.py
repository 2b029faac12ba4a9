"""Sums over the pieces of each unit."""

from __future__ import annotations

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.unitizing.continuum import Continuum


def first_pieces(data: Continuum) -> Array:
    """Say in which row the first piece of each unit stands; units keep the rows' order."""
    if data.unit is None:
        return np.arange(len(data.start))
    return np.sort(np.unique(data.unit, return_index=True)[1])


def whole_units(data: Continuum, *values: Array) -> list[Array]:
    """Give the category of each unit, and the sums of some values over its pieces.

    Units stand in the order of their first pieces, and so of their categories.
    """
    if data.unit is None:
        return [data.category, *values]
    first = first_pieces(data)
    place = np.empty(len(first), np.int64)
    place[data.unit[first]] = np.arange(len(first))
    sums = []
    for some in values:
        together = np.zeros(len(first), np.int64)
        np.add.at(together, place[data.unit], some)
        sums.append(together)
    return [data.category[first], *sums]
