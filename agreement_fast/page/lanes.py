"""Documents as lanes: a lane for each coder, and below them the places of disagreement."""

from __future__ import annotations

import math
import string
from itertools import pairwise
from typing import Any

import numpy as np

from agreement_fast.arrays import Array
from agreement_fast.page.disagreeing import Stretches, most_units, stretches
from agreement_fast.page.words import count, label, percent
from agreement_fast.terminal import show_digits
from agreement_fast.unitizing import Continuum
from agreement_fast.unitizing.lanes import category_order

#: The most documents and coders that are drawn.
DOCUMENTS = 30
CODERS = 15

#: The most units of a strip, and strips of a document.
CROWDED = 24
STRIPS = 6

#: Shades of the line that shows where coders disagree.
LEVELS = 4

#: Pixels.
WIDTH = 960
LANE = 22
NAMES = 120

#: Categories that have their own colour; the categories have letters while there are letters.
COLOURS = 8
LETTERS = string.ascii_uppercase + string.ascii_lowercase

#: Width of a character.
CHARACTER = 7


def lanes(data: Continuum, most: int) -> dict[str, Any]:
    """Return the values of the section of the documents, those with most disagreement first.

    Parameters
    ----------
    data : Continuum
        The units.
    most : int
        The most units that are drawn.
    """
    known = most_units(data)
    apart = stretches(data, known)
    lengths = np.diff(data.extents, axis=1)[:, 0]
    disagreement = apart.of_documents(len(data.documents))
    order = known[np.argsort(-disagreement[known], kind="stable")]
    units = np.bincount(data.document, minlength=len(data.documents))
    totals = np.bincount(data.coder, minlength=data.n_coders)
    coders = np.sort(np.argsort(-totals, kind="stable")[:CODERS])
    frequent = category_order(data)
    rank = np.empty(len(frequent), np.int64)
    rank[frequent] = np.arange(len(frequent))
    drawn: list[dict[str, Any]] = []
    room = most
    for place in order[:DOCUMENTS].tolist():
        if drawn and units[place] > room:
            break
        chosen = np.flatnonzero(data.document == place)
        chosen = chosen[np.argsort(data.start[chosen], kind="stable")]
        n_units = len(chosen)
        chosen = chosen[:room]
        room -= len(chosen)
        share = float(disagreement[place] / lengths[place]) if lengths[place] else 0.0
        drawn.append(
            {
                "name": label(data.documents[place], 80),
                "share": percent(share),
                "n_units": count(n_units),
                "cut": n_units > len(chosen),
                "strips": _strips(data, place, chosen, coders, rank, apart),
                "units": [_row(data, unit) for unit in chosen.tolist()],
            }
        )
    return {
        "documents": drawn,
        "n_documents": len(data.documents),
        "n_coders": data.n_coders,
        "n_lanes": len(coders),
        "compared": len(known) == len(data.documents),
        "width": WIDTH,
        "names": NAMES,
        "legend": [
            {
                "colour": _colour(at),
                "letter": _letter(at),
                "name": label(data.categories[k], 60),
            }
            for at, k in enumerate(frequent.tolist()[: len(LETTERS)])
        ],
        "n_categories": len(data.categories),
    }


def _colour(rank: int) -> str:
    return f"k{rank}" if rank < COLOURS else "kx"


def _letter(rank: int) -> str:
    return LETTERS[rank] if rank < len(LETTERS) else "·"


def _position(data: Continuum, step: float) -> str:
    return show_digits(step * data.resolution, 7)


def _row(data: Continuum, unit: int) -> tuple[str, str, str, str]:
    return (
        label(data.coders[data.coder[unit]], 40),
        label(data.categories[data.category[unit]], 60),
        _position(data, int(data.start[unit])),
        _position(data, int(data.end[unit])),
    )


def _strips(
    data: Continuum, place: int, chosen: Array, coders: Array, rank: Array, apart: Stretches
) -> list[dict[str, Any]]:
    """Cut a document into strips with a limited number of units, and draw each."""
    begin, end = data.extents[place].tolist()
    most = np.bincount(data.coder[chosen], minlength=1).max(initial=0)
    n = min(max(math.ceil(most / CROWDED), 1), STRIPS, max(end - begin, 1))
    cuts = [begin + (end - begin) * i // n for i in range(n + 1)]
    there = np.flatnonzero(apart.document == place)
    return [
        _strip(data, chosen, coders, rank, apart, there, first, last)
        for first, last in pairwise(cuts)
    ]


def _strip(
    data: Continuum,
    chosen: Array,
    coders: Array,
    rank: Array,
    apart: Stretches,
    there: Array,
    first: int,
    last: int,
) -> dict[str, Any]:
    scale = (WIDTH - NAMES) / max(last - first, 1)

    def x(step: int) -> float:
        return round(NAMES + (min(max(step, first), last) - first) * scale, 1)

    inside = chosen[(data.start[chosen] < last) & (data.end[chosen] > first)]
    rows = []
    for lane, coder in enumerate(coders.tolist()):
        rects = []
        for unit in inside[data.coder[inside] == coder].tolist():
            start, end = int(data.start[unit]), int(data.end[unit])
            k = int(data.category[unit])
            left, width = x(start), max(round(x(end) - x(start), 1), 1.5)
            name = label(data.categories[k], 60)
            rects.append(
                {
                    "x": left,
                    "width": width,
                    "colour": _colour(int(rank[k])),
                    "text": _fitting(name, int(rank[k]), width),
                    "title": f"{name}, {_position(data, start)} to {_position(data, end)}",
                }
            )
        name = label(data.coders[coder], 18)
        rows.append({"name": name, "y": lane * LANE, "rects": rects})
    shades = dict.fromkeys(range(1, LEVELS + 1), "")
    for i in there[(apart.start[there] < last) & (apart.end[there] > first)].tolist():
        share = float(apart.share[i])
        if share > 0:
            left, right = x(int(apart.start[i])), x(int(apart.end[i]))
            level = min(int(share * LEVELS) + 1, LEVELS)
            shades[level] += f"M{left} 0h{max(round(right - left, 1), 0.5)}"
    return {
        "lanes": rows,
        "shades": [(level, path) for level, path in shades.items() if path],
        "height": LANE * len(rows) + 34,
        "y": LANE * len(rows),
        "from": _position(data, first),
        "to": _position(data, last),
    }


def _fitting(name: str, rank: int, width: float) -> str:
    """Return the text that fits into a unit: the category, its letter, or nothing."""
    if len(name) * CHARACTER + 6 <= width:
        return name
    return _letter(rank) if width >= CHARACTER + 4 else ""
