"""The cheapest choice of unitary alignments, found in one sweep along a document.

Each unitary alignment waits for the first of its units. When the sweep gets to a unit, either one
that was chosen before holds it, or one that waits for it must be chosen. All that matters of what
was chosen before are the units ahead that it holds. These are near, because aligned units are, so
few different sets of them have to be kept, each with the cheapest choice that leads to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray

#: The largest number of sets of units ahead to keep; for more, another search is faster.
MOST_STATES = 200


def swept(members: Array, spare: FloatArray, order: Array, limit: float) -> Array | None:
    """The places of the candidates that hold each unit once, and whose `spare` sums to the least.

    Parameters
    ----------
    members : int array of shape (r, n_coders)
        Of a document's candidates; -1 for none.
    spare : float64 array of shape (r,)
        None below 0, but for rounding.
    order : int array
        The document's units, along it.
    limit : float
        Sums above it are not looked for.

    Returns
    -------
    int64 array, or None
        None if no sum is within the limit, or if too many sets are to be kept.
    """
    rank = dict(zip(order.tolist(), range(len(order)), strict=True))
    waiting: list[list[tuple[int, float, frozenset[int]]]] = [[] for _ in rank]
    for place in np.flatnonzero(spare <= limit).tolist():
        held = sorted(rank[unit] for unit in members[place].tolist() if unit >= 0)
        waiting[held[0]].append((place, float(spare[place]), frozenset(held[1:])))
    # What a set of units ahead costs at the least, and what was chosen: a place and the rest.
    states: dict[frozenset[int], tuple[float, Any]] = {frozenset(): (0.0, None)}
    for unit, candidates in enumerate(waiting):
        after: dict[frozenset[int], tuple[float, Any]] = {}
        for ahead, (spent, chosen) in states.items():
            if unit in ahead:
                choices = [(ahead - {unit}, spent, chosen)]
            else:
                choices = [
                    (ahead | others, spent + more, (place, chosen))
                    for place, more, others in candidates
                    if spent + more <= limit and ahead.isdisjoint(others)
                ]
            for key, cost, path in choices:
                if key not in after or cost < after[key][0]:
                    after[key] = cost, path
        if not 0 < len(after) <= MOST_STATES:
            return None
        states = after
    chosen = states[frozenset()][1]
    places = []
    while chosen is not None:
        place, chosen = chosen
        places.append(place)
    return np.sort(np.array(places, np.int64))
