"""A coefficient with its standard error, and what its interval is made from, in one pass."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from agreement_fast._kernels import _values
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.chance import CHANCE
from agreement_fast.distances.forms import Form, table_of
from agreement_fast.distances.sums.categories import least_judgments
from agreement_fast.distances.sums.columns import Groups, pattern_rows
from agreement_fast.distances.sums.linear import (
    Linear,
    Sums,
    bound_forms,
    linear,
    need_no_categories,
    reason,
)
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.derivatives import influences
from agreement_fast.inference.intervals import is_point
from agreement_fast.inference.resample import counted_weights, whole_sums
from agreement_fast.inference.score import (
    JUDGMENTS,
    LEAST_GAP,
    Score,
    influence_of,
    score,
    spread_of,
)
from agreement_fast.options import Incomplete
from agreement_fast.patterns import Rows
from agreement_fast.points import Point
from agreement_fast.results import NO_PAIRS, NO_VARIATION

#: The most cells of a matrix of distances, and coders × categories.
CELLS, MARGINALS = 1 << 18, 1 << 20


class ClosedForm(NamedTuple):
    """A coefficient and its uncertainty.

    Attributes
    ----------
    value, observed : float
        The coefficient and D_o.
    standard_error : float
        That of the infinitesimal jackknife, or Gwet's.
    n, n_dropped : int
        Items or documents that count, and those that do not.
    undefined : str or None
        Why there is no value.
    score : Score or None
        What an interval by "score" is made from; None for other methods.
    """

    value: float
    observed: float
    standard_error: float
    n: int
    n_dropped: int
    undefined: str | None
    score: Score | None


def closed_form(
    annotations: Annotations,
    point: Point,
    incomplete: Incomplete,
    rows: Rows | None = None,
    documents: Array | None = None,
    method: str = "score",
) -> ClosedForm:
    """Compute a coefficient and its uncertainty; the parameters are those of `standard_error`.

    Parameters
    ----------
    rows, documents : Rows and int array of shape (U,), optional
        The rows of each document, and the number of their document, if documents are the sample.
    """
    if documents is None and method != "gwet":
        result = _of_table(annotations, point, incomplete)
        if result is not None:
            return result if method == "score" else result._replace(score=None)
    made = linear(annotations, [point], incomplete, rows=rows, drawn=False)
    weights, sums = counted_weights(made), whole_sums(made)
    whole = made.values(sums)[0]
    value, undefined = float(whole.value[0]), reason(whole)
    part = made.kept if point.of_pairs else made.counted
    if method == "gwet" and point.chance is not CHANCE["pooled_unbiased"]:
        part = made.counted
    sampled = weights if part.all() else np.where(part, weights, 0)
    n = round(float(sampled.sum()))
    n_dropped, error, scored = annotations.n_items - n, math.nan, None
    if documents is not None:
        there = np.bincount(documents[part], sampled[part]) > 0
        n = int(there.sum())
        n_dropped = len(np.unique(documents)) - n
    if undefined is None:
        gwet = method == "gwet"
        influence = _gwet(made, point, sums) if gwet else influences(made, point, sums, None, whole)
        if documents is not None:
            of_documents = np.bincount(documents[part], (influence * sampled)[part])
            influence, sampled = of_documents[there].astype(np.float64), np.ones(n, np.int64)
        error = float(standard_errors(influence, sampled)[0])
        if is_point(value - error, value + error):  # the rest is rounding
            error = 0.0
    if method == "score" and undefined is None:
        scored = score(made, point, sums, whole.value, documents=documents)
    observed = float(whole.observed[0])
    return ClosedForm(value, observed, error, n, n_dropped, undefined, scored)


def _of_table(annotations: Annotations, point: Point, incomplete: Incomplete) -> ClosedForm | None:
    """Compute those of a table in one pass; None if its distance is not that of a small matrix."""
    chance, distance = point.chance, point.distance
    of_numbers = distance.differences and not chance.counts_categories
    if chance.name not in _values.MODELS or distance.ranks or of_numbers:
        return None
    K, C = len(annotations.labels), 1
    if not K or not (K * K <= CELLS if distance.name != "nominal" else K <= MARGINALS):
        return None
    if chance.knows_coders:
        C = len(annotations.known_coders("what looks at single coders (κ, β, draws of coders)"))
    if C * K > MARGINALS:
        return None
    (form,) = bound_forms(annotations, [point]).values()
    rows = pattern_rows(annotations, chance.knows_coders, drawn=False)
    least, out = least_judgments(annotations, incomplete), np.empty((9, 1))
    of_tables(rows, np.array([0, rows.n_rows]), point, form, (C, K), least, out)
    value, *_, observed, _, error, n_items = out[:, 0].tolist()
    n, undefined = round(n_items), None
    if math.isnan(value):
        undefined = NO_PAIRS if math.isnan(observed) else NO_VARIATION
    elif is_point(value - error, value + error):  # the rest is rounding
        error = 0.0
    scored = None if undefined else Score(*out[:5])
    return ClosedForm(value, observed, error, n, annotations.n_items - n, undefined, scored)


def of_tables(
    rows: Rows,
    start: Array,
    point: Point,
    form: Form,
    shape: tuple[int, int],
    least: int,
    out: Array,
) -> None:
    """Compute a coefficient of some tables and what its intervals are made from, in one pass.

    Parameters
    ----------
    rows : Rows
        The rows of all tables; those of table t are start[t] .. start[t + 1] - 1.
    form : Form
        The distance, which is put into a matrix unless it is nominal or of squared differences.
    shape : (int, int)
        The numbers of coders, 1 if the coefficient does not know them, and of categories.
    least : int
        The judgments of an item that counts.
    out : float64 array of shape (9, n)
        The fields of `Score`, D_o, D_e, the standard error and the number of items are stored here.
    """
    distances = None
    if form.kind == "squared" and form.values.shape[1] == 1:
        distances = form.values
    elif form.kind != "nominal":
        distances = np.ascontiguousarray(table_of(form.between, shape[1]), np.float64)
    _values.intervals_of_tables(
        rows, start, _values.MODELS[point.chance.name], point.item_weight == "judgments", *shape,
        distances, need_no_categories([point]), float(form.total()), float(form.largest), least,
        JUDGMENTS, LEAST_GAP, out,
    )  # fmt: skip


def standard_errors(
    influence: FloatArray, sampled: Array, groups: Groups | None = None
) -> FloatArray:
    """Return √(n/(n − 1) Σ (u_i − ū)²) of all rows, or of each group; NaN unless n > 1.

    Parameters
    ----------
    influence : float64 array of shape (U,)
        The derivative of the coefficient in the weight of each row.
    sampled : int64 array of shape (U,)
        The number of units that each row stands for.
    groups : Groups, optional
        The group of each row.
    """
    groups = Groups(np.zeros(len(sampled), np.int64), 1) if groups is None else groups
    n, _, squares, _ = spread_of(influence, sampled, groups)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.sqrt(squares * np.where(n > 1, n / (n - 1), np.nan)))


class Intervals(NamedTuple):
    """Standard errors and both ends of intervals, one for each group."""

    error: FloatArray
    low: FloatArray
    high: FloatArray


def intervals_of(
    made: Linear, point: Point, sums: Sums, value: FloatArray, groups: Groups, level: float
) -> Intervals:
    """Compute the standard errors and the intervals of groups; NaN for those without a value."""
    result = influence_of(made, point, sums, value, groups)
    error = standard_errors(influences(made, point, sums, groups), result.sampled, groups)
    return where_defined(value, error, *result.score().ends(level))


def where_defined(values: FloatArray, *columns: FloatArray) -> Intervals:
    """Return errors and ends of the defined values, and NaN of the others."""
    return Intervals(*(np.where(np.isnan(values), np.nan, column) for column in columns))


def _gwet(made: Linear, point: Point, sums: Sums) -> FloatArray:
    """Return Gwet's influences as irrCAC computes them (Gwet 2014, chapter 5)."""
    if point.distance.ranks:
        raise InputError(
            (
                Argument("method", "gwet"),
                " takes the distances as fixed, and the ordinal distance depends on the data",
            ),
            (
                "pass ",
                Argument("method", "delta"),
                "; irrCAC's weights 'ordinal' are another distance, the function (r + 1) r / 2 of "
                "the difference r of two ranks",
            ),
        )
    form = made.forms[point.distance]
    disagreement = made.column((point.distance, point.item_weight))
    pairs = float(made.plain(sums, point.item_weight)[0])
    observed = float(made.plain(sums, (point.distance, point.item_weight))[0]) / pairs
    if point.chance is not CHANCE["pooled_unbiased"]:
        weights = counted_weights(made)
        value = 1 - observed / float(point.chance.expected(made.marginals_of(sums, 0), form))
        two, first = (
            np.where(some, 1 / (weights @ some), 0.0) for some in (made.kept, made.counted)
        )
        return influences(made, point, sums) + value * (two - first)
    counts = sums.marginals["pairable"]
    mass = float(form.mass(counts)[0])
    expected = float(form.bilinear(counts, counts)[0]) / mass**2
    sizes = np.where(made.kept, made.items.sizes, 0.0)
    by_judgment = made.marginals["pairable"].dot(form.times(counts) / mass)
    influence: FloatArray = (
        (1 - 1 / mass) * observed * sizes
        - disagreement
        + 2 * observed / expected * (by_judgment - expected * sizes)
    ) / (mass * expected)
    return influence
