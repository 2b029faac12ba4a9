"""Agreement of a judge's repeated judgments of the same items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.diagnostics.gold import as_column
from agreement_fast.diagnostics.intra_coder import of_rounds, shared_fields, turns
from agreement_fast.errors import InputError
from agreement_fast.options import check_share
from agreement_fast.points import Point
from agreement_fast.reading.ids import encode_ids, encode_sorted_ids
from agreement_fast.reading.tables import column_length, judgment_column
from agreement_fast.tables import Aligned, in_columns
from agreement_fast.terminal import show_span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RunStability(Aligned):
    """Agreement of each of M judges with itself.

    Attributes
    ----------
    coefficient, distance : str
        Names of the coefficient and the distance.
    judges : tuple
        Names of the judges.
    n_runs : int64 array of shape (M,)
        The largest number of judgments of an item.
    n_items : int64 array of shape (M,)
        Items that were judged at least twice.
    n_once : int64 array of shape (M,)
        Items that were judged once and are left out.
    value, low, high : float64 array of shape (M,)
        The coefficient of the runs and its interval; NaN if undefined.
    same, same_low, same_high : float64 array of shape (M,)
        The share of items on which all runs give the same label, and Wilson's interval.
    confidence_level : float
        Confidence level of the intervals.
    undefined : tuple of M str or None
        Why a value is undefined.
    """

    coefficient: str
    distance: str
    judges: tuple[Any, ...]
    n_runs: Array
    n_items: Array
    n_once: Array
    value: FloatArray
    low: FloatArray
    high: FloatArray
    same: FloatArray
    same_low: FloatArray
    same_high: FloatArray
    confidence_level: float
    undefined: tuple[str | None, ...]

    _column_names = (
        "judge=judges coefficient distance value low high same same_low same_high "
        "confidence_level n_runs n_items n_once undefined"
    )

    def __repr__(self) -> str:
        span = show_span(self.value)
        return f"<{self.coefficient}({self.distance}) of the runs of {len(self)} judges: {span}>"

    def __str__(self) -> str:
        """Return a table of the judges, the least stable first."""
        order = np.argsort(self.value, kind="stable").tolist()
        layout = (
            f"judge | {self.coefficient} = value | interval = low..high | all alike = same | "
            "runs = n_runs | items = n_items"
        )
        return "\n".join([repr(self)[1:-1], *in_columns(self.columns(), layout, order)])


def run_stability(
    items: Any,
    judges: Any,
    labels: Any,
    runs: Any = None,
    *,
    coefficient: str = "alpha",
    distance: Any = "nominal",
    confidence_level: float = 0.95,
) -> RunStability:
    """Compute each judge's agreement with itself over repeated runs (intra-coder agreement).

    Parameters
    ----------
    items, judges, labels : array-like of shape (n,)
        One judgment per row. Rows with a missing label are ignored.
    runs : array-like of shape (n,), optional
        The run of each judgment. A judge must not judge an item twice in one run. By default the
        judgments of an item are numbered in the order of the rows.
    coefficient : str, default "alpha"
        Name of a coefficient; the runs are its coders. The order of the runs matters only to
        coefficients with one distribution per coder, such as "kappa".
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.

    Returns
    -------
    RunStability
        One row per judge, sorted by name.

    Raises
    ------
    ValueError
        If the columns have different lengths, or if a judge judged an item twice in a run.

    Notes
    -----
    The value and its interval are those of `inference.standard_error`, on the scale of atanh, over
    the items that the judge judged at least twice. If a judge always gives the same label, there is
    no variation and the value is undefined; `same` still has a value.

    The cost is O(n log n).

    Examples
    --------
    >>> import agreement_fast as af
    >>> items = [1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3]
    >>> judges = ["gpt"] * 6 + ["llama"] * 6
    >>> labels = ["x", "x", "y", "y", "y", "y", "x", "y", "y", "y", "x", "y"]
    >>> found = af.judges.run_stability(items, judges, labels)
    >>> found.judges, found.value.round(3).tolist(), found.same.round(3).tolist()
    (('gpt', 'llama'), [1.0, -0.25], [1.0, 0.333])
    """
    check_share("confidence_level", confidence_level)
    point = Point.of(coefficient, distance)
    columns = {"items": items, "judges": judges, "labels": labels}
    if runs is not None:
        columns["runs"] = runs
    columns = {name: judgment_column(column, name) for name, column in columns.items()}
    lengths = {name: column_length(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        raise InputError(f"columns must have the same length, got: {shown}")
    what, item_names = encode_ids(columns["items"], "items")
    who, names = encode_sorted_ids(columns["judges"], "judges")
    which, run_names = None, None
    if runs is not None:
        which, run_names = encode_sorted_ids(columns["runs"], "runs")
    said = Annotations.from_long(np.arange(len(what)), np.zeros(len(what), int), columns["labels"])
    codes = as_column(said.rows)
    found = []
    for judge, name in enumerate(names):
        own = np.flatnonzero((who == judge) & (codes >= 0))
        own_runs = turns(what[own]) if which is None else which[own]
        order = np.lexsort((own_runs, what[own]))
        own, own_runs = own[order], own_runs[order]
        twice = np.flatnonzero((np.diff(what[own]) == 0) & (np.diff(own_runs) == 0))
        if len(twice) and run_names is not None:
            place = int(twice[0])
            raise InputError(
                f"judge {name!r} judged item {item_names[what[own[place]]]!r} twice in run "
                f"{run_names[own_runs[place]]!r}",
                "leave one of them out, or leave out runs",
                argument="runs",
            )
        found.append(of_rounds(said, what[own], own_runs, codes[own], point, confidence_level))
    return RunStability(
        coefficient=point.name,
        distance=point.distance.name,
        judges=tuple(names),
        n_runs=np.array([one.n_rounds for one in found], np.int64),
        **shared_fields(found, confidence_level),
    )
