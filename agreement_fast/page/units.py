"""The page of units on a continuum."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from agreement_fast.page.lanes import lanes
from agreement_fast.page.rendering import Page, check_jinja, embedded, render
from agreement_fast.page.words import (
    DASH,
    Axis,
    between,
    clean,
    count,
    distance,
    label,
    level_of,
    percent,
    source_facts,
    value,
)
from agreement_fast.unitizing import (
    Continuum,
    UnitizingInterval,
    UnitizingIntervals,
    UnitizingTable,
    agreement_table,
)
from agreement_fast.unitizing.results import QUESTIONS

#: The most bytes of a page.
MOST = 400_000

#: The most units that are drawn; fewer if their names are long.
UNITS = 600

#: Coders and categories that are listed.
CODERS = 40
CATEGORIES = 40

#: Width of the plot of a value, in pixels.
WIDTH = 160

TITLE = "Agreement on units"

#: Coefficients for the verdict: the first that is defined, or else the first.
FIRST = ("u_alpha", "alpha_u")


def units_page(
    data: Any, *, title: str = TITLE, intervals: UnitizingIntervals | None = None
) -> Page:
    """Make an HTML page of the agreement on units, with the documents as lanes.

    Parameters
    ----------
    data : Continuum
        The units.
    title : str, default "Agreement on units"
        The title of the page.
    intervals : UnitizingIntervals, optional
        The intervals of the coefficients, from `unitizing.bootstrap`.

    Returns
    -------
    Page
        A page of at most 400 kB. If there are too many documents, it shows those with the most
        disagreement and says so.

    Raises
    ------
    ValueError, TypeError
        If `unitizing.agreement_table` does not accept the data, or Jinja2 is not installed.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> from agreement_fast.page import units_page
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["A", "A", "B"], starts=[0, 6, 1], ends=[4, 9, 4],
    ...     categories=["name", "name", "name"], extents=10,
    ... )
    >>> units_page(data, title="Names").title
    'Names'
    """
    check_jinja()
    return units_page_of(data, agreement_table(data), title=title, intervals=intervals)


def units_page_of(
    data: Continuum,
    found: UnitizingTable,
    *,
    title: str = TITLE,
    intervals: UnitizingIntervals | None = None,
    document: Callable[[], Mapping[str, Any]] | None = None,
    source: Mapping[str, Any] | None = None,
    command: str | None = None,
) -> Page:
    """Make the HTML page of coefficients of units that were computed before.

    Parameters
    ----------
    data : Continuum
        The units.
    found : UnitizingTable
        The coefficients of these units, from `unitizing.agreement_table`.
    title : str, default "Agreement on units"
        The title of the page.
    intervals : UnitizingIntervals, optional
        The intervals of the coefficients, from `unitizing.bootstrap`.
    document : callable () -> mapping, optional
        Returns the JSON document that the page contains; by default, there is none.
    source : mapping, optional
        The files that were read, and how, as in the JSON document of the command.
    command : str, optional
        The command line that makes the page.

    Returns
    -------
    Page
        A page of at most 400 kB.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> from agreement_fast.page import units_page_of
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["A", "A", "B"], starts=[0, 6, 1], ends=[4, 9, 4],
    ...     categories=["name", "name", "name"], extents=10,
    ... )
    >>> units_page_of(data, unitizing.agreement_table(data), title="Names").title
    'Names'
    """
    known = {one.coefficient: one for one in intervals or () if one.category is None}
    inside, size = ({}, "") if document is None else embedded(document)
    source = source or {}
    content: dict[str, Any] = {
        "title": clean(title),
        "verdict": _verdict(data, found, known),
        "coefficients": _coefficients(found, known),
        "coders": _coders(data),
        "categories": _categories(data, found),
        "command": None if command is None else clean(command),
        "facts": source_facts(source) if source else [],
        "notes": [clean(note) for note in source.get("notes", ())],
        "fits": bool(inside),
        "document_size": size,
    }
    most = UNITS
    while True:
        drawn = lanes(data, most)
        whole = render("units.html", {**content, "lanes": drawn}, inside)
        if len(whole.encode()) <= MOST or most == 1:
            return Page(content["title"], whole)
        most = most // 2  # names are long


def _verdict(
    data: Continuum, found: UnitizingTable, known: Mapping[str, UnitizingInterval]
) -> dict[str, Any]:
    first = next((name for name in FIRST if found[name].undefined is None), FIRST[0])
    result = found[first]
    return {
        "name": QUESTIONS[first][0],
        "question": QUESTIONS[first][1],
        "value": value(result.value),
        "undefined": result.undefined,
        "interval": _interval(known.get(first)),
        "facts": [
            (count(data.n_units), "units" if data.n_units != 1 else "unit"),
            (count(data.n_coders), "coders" if data.n_coders != 1 else "coder"),
            (count(len(data.documents)), "documents" if len(data.documents) != 1 else "document"),
            (
                count(len(data.categories)),
                "categories" if len(data.categories) != 1 else "category",
            ),
        ],
        "inferred": data.inferred,
    }


def _interval(one: UnitizingInterval | None) -> str:
    """Return the interval as text, or why there is none."""
    if one is None:
        return ""
    if math.isnan(one.low):
        return "" if one.note is None else clean(one.note)
    return f"{level_of(one)} {between(one.low, one.high)}, with documents as the sample"


def _coefficients(found: UnitizingTable, known: Mapping[str, UnitizingInterval]) -> dict[str, Any]:
    ends = [end for one in known.values() for end in (one.low, one.high)]
    axis = Axis.over([*(result.value for result in found), *ends], WIDTH)
    rows = [
        {
            "name": QUESTIONS[result.coefficient][0],
            "question": QUESTIONS[result.coefficient][1],
            "value": "undefined" if result.undefined else value(result.value),
            "x": None if math.isnan(result.value) else axis.x(result.value),
            **_ends(known.get(result.coefficient), axis),
            "observed": distance(result.observed_disagreement),
            "expected": distance(result.expected_disagreement),
            "coverage": percent(result.coverage, 0),
        }
        for result in found
        if result.coefficient != "ku_alpha"
    ]
    reasons: dict[str, list[str]] = {}
    for result in found:
        if result.undefined and result.coefficient != "ku_alpha":
            reasons.setdefault(clean(result.undefined), []).append(QUESTIONS[result.coefficient][0])
    undefined = [(", ".join(names), reason) for reason, names in reasons.items()]
    return {
        "rows": rows,
        "width": WIDTH,
        "ticks": axis.ticks(),
        "undefined": undefined,
        "interval": next((level_of(one) for one in known.values()), ""),
    }


def _ends(one: UnitizingInterval | None, axis: Axis) -> dict[str, Any]:
    if one is None or math.isnan(one.low):
        return {"between": DASH, "x_low": None, "x_high": None}
    return {
        "between": between(one.low, one.high),
        "x_low": axis.x(one.low),
        "x_high": axis.x(one.high),
    }


def _coders(data: Continuum) -> dict[str, Any]:
    units = np.bincount(data.coder, minlength=data.n_coders)
    marked = np.bincount(data.coder, weights=data.end - data.start, minlength=data.n_coders)
    order = np.argsort(-units, kind="stable")[:CODERS]
    top = float(units.max(initial=0))
    rows = [
        {
            "name": label(data.coders[c], 40),
            "units": count(int(units[c])),
            "width": round(100 * units[c] / top, 1) if top else 0,
            "length": distance(float(marked[c] / units[c]) * data.resolution) if units[c] else "–",
            "marked": percent(float(marked[c]) / data.length) if data.length else "–",
        }
        for c in order.tolist()
    ]
    return {"rows": rows, "n": data.n_coders}


def _categories(data: Continuum, found: UnitizingTable) -> dict[str, Any]:
    """Return the values of each category for the coefficients that have them."""
    heads = [result for result in found if result.by_category]
    units = np.bincount(data.category, minlength=len(data.categories))
    order = np.argsort(-units, kind="stable")[:CATEGORIES]
    parts = [{part.category: part for part in result.by_category} for result in heads]
    rows = []
    for k in order.tolist():
        name = data.categories[k]
        cells = [of.get(name) for of in parts]
        rows.append(
            {
                "name": label(name, 60),
                "units": count(int(units[k])),
                "values": [
                    ("–" if one is None else value(one.value), one.undefined if one else None)
                    for one in cells
                ],
            }
        )
    return {
        "heads": [QUESTIONS[result.coefficient][0] for result in heads],
        "rows": rows,
        "n": len(data.categories),
    }
