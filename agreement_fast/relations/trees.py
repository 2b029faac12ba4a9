"""The heads of units in trees."""

from __future__ import annotations

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError
from agreement_fast.options import check_choice
from agreement_fast.relations.related import Relations, checked
from agreement_fast.terminal import show_label


def heads_of(data: Relations, head: str) -> tuple[Array, Array]:
    """Return each coder's head and label of each unit, by position; -1 for none.

    Returns
    -------
    heads, labels : int64 array of shape (coders, units)
        Positions in the units and labels of the data.
    """
    check_choice("head", head, ("source", "target"))
    checked(data)
    above, below = (data.source, data.target) if head == "source" else (data.target, data.source)
    own = data.coder * max(len(data.units), 1) + below
    order = np.argsort(own, kind="stable")
    twice = np.flatnonzero(own[order][1:] == own[order][:-1])
    if len(twice):
        first, second = order[twice[0]], order[twice[0] + 1]
        document, unit = data.units[below[first]]
        raise InputError(
            f"coder {show_label(data.coders[data.coder[first]])} gives unit {show_label(unit)} of "
            f"{show_label(document)} two heads, {show_label(data.units[above[first]][1])} and "
            f"{show_label(data.units[above[second]][1])}",
            ("a unit of a tree has one: check ", Argument("head")),
            argument="data",
        )
    found, labels = np.full((2, len(data.coders), len(data.units)), -1, np.int64)
    found[data.coder, below] = above
    labels[data.coder, below] = data.label
    return found, labels
