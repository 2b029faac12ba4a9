"""A coefficient with its standard error, and what its interval is made from, in one pass."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from agreement_fast._kernels import _values, parallel
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations
from agreement_fast.chance import CHANCE
from agreement_fast.distances.forms import Form, table_of
from agreement_fast.distances.sums.categories import least_judgments, parts_of
from agreement_fast.distances.sums.columns import Groups, pattern_rows
from agreement_fast.distances.sums.linear import (
    Linear,
    Resampled,
    Sums,
    bound_forms,
    linear,
    need_no_categories,
    of_numbers,
)
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.derivatives import influences
from agreement_fast.inference.intervals import ROUNDING, is_point
from agreement_fast.inference.score import (
    JUDGMENTS,
    LEAST_GAP,
    Score,
    score,
    spread_of,
)
from agreement_fast.options import Incomplete
from agreement_fast.patterns import Rows
from agreement_fast.points import Point

#: The most cells of a matrix of distances (or squared number of ranks), and coders × categories.
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
    weights, sums = made.weights, made.whole
    whole = made.values(sums)[0]
    parts = parts_of(annotations, point, least_judgments(annotations, incomplete), {})
    value, undefined = parts.value, parts.undefined
    part = made.kept if point.of_pairs else made.counted
    if method == "gwet" and point.chance is not CHANCE["pooled_unbiased"]:
        part = made.counted
    sampled = weights if part.all() else np.where(part, weights, 0)
    n = round(float(sampled.sum()))
    n_dropped, error, scored = annotations.n_items - n, math.nan, None
    if documents is not None:
        present = np.bincount(documents[part], sampled[part]) > 0
        n = int(present.sum())
        n_dropped = len(np.unique(documents)) - n
    if undefined is None:
        gwet = method == "gwet"
        influence = _gwet(made, point, sums) if gwet else influences(made, point, sums, None, whole)
        if documents is not None:
            of_documents = np.bincount(documents[part], (influence * sampled)[part])
            influence, sampled = of_documents[present].astype(np.float64), np.ones(n, np.int64)
        error = float(standard_errors(influence, sampled)[0])
        if is_point(value - error, value + error):  # the rest is rounding
            error = 0.0
    if method == "score" and undefined is None:
        scored = score(made, point, sums, np.array([value]), documents=documents)
    return ClosedForm(value, parts.observed, error, n, n_dropped, undefined, scored)


def _of_table(annotations: Annotations, point: Point, incomplete: Incomplete) -> ClosedForm | None:
    """Compute those of a table in one pass; None if its distance is not that of a small matrix."""
    chance, K, C = point.chance, 0, 1
    if annotations.kept_moments is None and not of_numbers(annotations, [point]):
        K = len(annotations.labels)
    if K and chance.knows_coders:
        C = len(annotations.known_coders("what looks at single coders (κ, β, draws of coders)"))
    if not in_one_pass(point, C, K):
        return None
    (form,) = bound_forms(annotations, [point]).values()
    rows = pattern_rows(annotations, chance.knows_coders, drawn=False)
    least, start = least_judgments(annotations, incomplete), np.array([0, rows.n_rows])
    result = of_tables(rows, start, point, form, (C, K), least)
    parts, n = parts_of(annotations, point, least, {}), int(result.n_items[0])
    scored = None if parts.undefined else result.score._replace(value=np.array([parts.value]))
    return ClosedForm(
        parts.value,
        parts.observed,
        float(result.error[0]),
        n,
        annotations.n_items - n,
        parts.undefined,
        scored,
    )


class Tables(NamedTuple):
    """A coefficient of some tables and its uncertainty: arrays of shape (n,), NaN if undefined.

    Attributes
    ----------
    score : Score
        The coefficients, and what their intervals are made from.
    observed, expected, error : float64 arrays
        D_o, D_e and the standard errors.
    n_items : int64 array
        The items that count.
    """

    score: Score
    observed: FloatArray
    expected: FloatArray
    error: FloatArray
    n_items: Array


def in_one_pass(point: Point, n_coders: int, n_categories: int) -> bool:
    """Return whether `of_tables` can compute a coefficient: not large matrices or many ranks."""
    chance, distance = point.chance, point.distance
    if not n_categories or chance.name not in _values.MODELS:
        return False
    if distance.name not in ("nominal", "interval") and n_categories**2 > CELLS:
        return False
    return (n_coders if chance.knows_coders else 1) * n_categories <= MARGINALS


def of_tables(
    rows: Rows,
    start: Array,
    point: Point,
    form: Form,
    shape: tuple[int, int],
    least: int | Array,
) -> Tables:
    """Compute a coefficient of some tables and what its intervals are made from, in one pass.

    Equal items may be one row with a weight, or a row each, in any order: no bit depends on it.

    Parameters
    ----------
    rows : Rows
        The rows of all tables; those of table t are start[t] .. start[t + 1] - 1.
    form : Form
        The distance, which is put into a matrix unless it is nominal or of squared differences.
        That of ranks has those of the judgments of each table.
    shape : (int, int)
        The numbers of coders, 1 if the coefficient does not know them, and of categories.
    least : int, or int array of shape (n,)
        The judgments of an item that counts, of all tables or of each.
    """
    distances = None
    if form.kind == "squared" and form.values.shape[1] == 1:
        distances = form.values
    elif form.kind != "nominal":
        distances = np.ascontiguousarray(table_of(form.between, shape[1]), np.float64)
    n = len(start) - 1
    out, every = np.empty((9, n)), np.full(n, least)
    model, by_judgments = _values.MODELS[point.chance.name], point.item_weight == "judgments"
    numbers, total, largest = need_no_categories([point]), float(form.total()), float(form.largest)

    def work(begin: int, end: int) -> None:
        _values.intervals_of_tables(
            rows, start[begin : end + 1], model, by_judgments, *shape, distances, numbers,
            point.distance.ranks, total, largest, every[begin:end], JUDGMENTS, LEAST_GAP,
            out[:, begin:end],
        )  # fmt: skip

    parallel.over_rows(work, n, rows.n_rows / max(n, 1))
    value, observed, expected, error = out[[0, 5, 6, 7]]
    error[2 * error <= ROUNDING * np.maximum(1.0, np.abs(value))] = 0.0  # the rest is rounding
    return Tables(Score(*out[:5]), observed, expected, error, out[8].astype(np.int64))


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
        weights = made.weights
        value = 1 - observed / float(point.chance.expected(Resampled(made, sums, 0), form))
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
