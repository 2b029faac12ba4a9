"""The agreement of each two coders, and their mean beside the coefficient of all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.coefficients import agreement
from agreement_fast.diagnostics.cell_errors import few_others, intervals_of, why_doubtful, why_none
from agreement_fast.diagnostics.cells import bound, pair_cells, values_of
from agreement_fast.errors import InputError
from agreement_fast.options import check_choice, check_count, check_share
from agreement_fast.points import Point
from agreement_fast.results import Agreement
from agreement_fast.tables import DETAILS, Matrix, Row, Tabular
from agreement_fast.terminal import align, show_label, show_value

#: Coders up to which their agreement is held as a matrix (200 MB).
MATRIX = 5000

#: Pairs that are printed.
SHOWN = 10

#: Numbers of each pair that can stand in a matrix.
OF_PAIRS = (
    "value",
    "low",
    "high",
    "standard_error",
    "n_items",
    "observed_disagreement",
    "expected_disagreement",
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairwiseAgreement(Tabular):
    """The agreement of each two coders over the items that both judged.

    Attributes
    ----------
    coefficient, distance : str
    coders : tuple
    first, second : int32 arrays of shape (P,)
        The pairs that met, as places in `coders`, ``first < second``, ascending.
    n_items : int64 array of shape (P,)
        Items that both judged, weights counted.
    observed_disagreement, expected_disagreement, value : float64 arrays of shape (P,)
        D_o, D_e and 1 − D_o / D_e; the value is NaN where D_e is 0.
    standard_error, low, high : float64 arrays of shape (P,)
        Of each value, items being the sample: the error by the delta method, and a score interval.
        NaN where there is none: `note` says why, or that it rests on few judgments.
    confidence_level : float
    n_few : int
        Pairs that met, but on fewer items than asked for.
    rests_on : int64 array of shape (P,)
        Judgments of rarer categories that an interval rests on, 0 where they are not few.
    """

    aside = DETAILS | {"observed_disagreement", "expected_disagreement"}

    coefficient: str
    distance: str
    coders: tuple[Any, ...]
    first: Array
    second: Array
    n_items: Array
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray
    value: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    confidence_level: float
    n_few: int
    rests_on: Array
    has_slope: bool = True

    def __len__(self) -> int:
        return len(self.first)

    @property
    def mean(self) -> float:
        """The mean of the values of all pairs that have one, each counting the same (Light)."""
        defined = self.value[~np.isnan(self.value)]
        return float(defined.mean()) if len(defined) else math.nan

    @property
    def n_undefined(self) -> int:
        """Pairs without a value: both used one category, the same."""
        return int(np.isnan(self.value).sum())

    @property
    def note(self) -> tuple[str | None, ...]:
        """For each pair why it has no interval, or what it rests on if that is little."""
        columns = (self.value.tolist(), self.low.tolist(), self.n_items.tolist())
        few = self.rests_on.tolist()
        return tuple(
            why_none(value, low, n, self.has_slope)
            or (None if math.isnan(value) else why_doubtful(others))
            for value, low, n, others in zip(*columns, few, strict=True)
        )

    def matrix(self, of: str = "value") -> Matrix:
        """Coders × coders, symmetric; NaN on the diagonal and where two coders did not meet.

        Parameters
        ----------
        of : {"value", "low", "high", "standard_error", "n_items", "observed_disagreement", \
"expected_disagreement"}

        Raises
        ------
        ValueError
            More than 5,000 coders: their pairs stand in `first`, `second` and `value`.
        """
        check_choice("of", of, OF_PAIRS)
        n = len(self.coders)
        if n > MATRIX:
            raise InputError(
                f"a matrix of {n} coders is too large",
                f"first, second and {of} have the {len(self)} pairs that met",
            )
        out = np.full((n, n), np.nan)
        out[self.first, self.second] = out[self.second, self.first] = getattr(self, of)
        return Matrix(out, self.coders, self.coders, "coder", "coder")

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each pair of coders that met."""
        return {
            "first": [self.coders[place] for place in self.first.tolist()],
            "second": [self.coders[place] for place in self.second.tolist()],
            "coefficient": [self.coefficient] * len(self),
            "distance": [self.distance] * len(self),
            "value": self.value,
            "standard_error": self.standard_error,
            "low": self.low,
            "high": self.high,
            "confidence_level": [self.confidence_level] * len(self),
            "observed_disagreement": self.observed_disagreement,
            "expected_disagreement": self.expected_disagreement,
            "n_items": self.n_items,
            "note": self.note,
        }

    def __repr__(self) -> str:
        return (
            f"<{self.coefficient}({self.distance}) of {len(self)} pairs of {len(self.coders)} "
            f"coders: mean {self.mean:.6g}>"
        )

    def __str__(self) -> str:
        """The pairs that agree least; of equal ones those with more items first."""
        order = np.lexsort((-self.n_items, self.value))[:SHOWN]
        rows = [
            (
                show_label(self.coders[self.first[p]]),
                show_label(self.coders[self.second[p]]),
                show_value(float(self.value[p])),
                show_value(float(self.low[p])),
                show_value(float(self.high[p])),
                str(self.n_items[p]),
            )
            for p in order.tolist()
        ]
        head = ("coder", "coder", self.coefficient, "low", "high", "items")
        lines = align(head, rows, "<<>>>>")
        return "\n".join([repr(self)[1:-1], *lines])


def pairwise_agreement(
    data: Any,
    coefficient: str = "kappa",
    *,
    distance: Any = "nominal",
    min_items: int = 1,
    confidence_level: float = 0.95,
) -> PairwiseAgreement:
    """A coefficient for each pair of coders that judged an item in common.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        With known coders.
    coefficient : str
        Any name; the default, κ, is Cohen's of each pair, and needs "beta" for other distances.
    distance : str, Distance, array, mapping or function
        Ordinal ranks are those of all coders' judgments.
    min_items : int
        Pairs that share fewer items are left out and counted in ``n_few``: a value over one or two
        items says nothing.
    confidence_level : float
        Between 0 and 1; each interval holds by itself, not all of them together.

    Returns
    -------
    PairwiseAgreement

    Notes
    -----
    Each pair is taken by itself over the items that both judged, as in
    ``agreement(data.select(coders=[a, b]), coefficient, incomplete="complete")``, but that the
    categories are all of the data's. Its standard error is that of `inference.standard_error`, but
    that ordinal ranks are taken as given. Its interval is Wilson's (1927) of the observed
    agreement, with the variance of the coefficient in place of that of a share: it holds its level
    on twenty items, and has a width where two never disagree. O(Σ n_i²) for n_i judgments of an
    item plus O(P · K); only pairs that met take memory.

    Examples
    --------
    >>> from agreement_fast.diagnostics import pairwise_agreement
    >>> table = [("x", "x", "y"), ("y", "y", "x"), ("x", "x", "x"), ("y", "x", None)]
    >>> pairs = pairwise_agreement(table)
    >>> pairs.matrix().round(3).tolist()
    [[nan, 0.5, -0.5], [0.5, nan, -0.5], [-0.5, -0.5, nan]]
    >>> pairs.n_items.tolist()
    [4, 3, 3]
    """
    annotations = as_annotations(data)
    point = Point.of(coefficient, distance)
    min_items = check_count("min_items", min_items)
    check_share("confidence_level", confidence_level)
    coders = tuple(annotations.known_coders("pairwise_agreement()"))
    first, second, cells = pair_cells(annotations)
    form, K = bound(annotations, point.distance), len(annotations.labels)
    observed, expected, value = values = values_of(cells, point.chance, form, K)
    error, low, high = intervals_of(cells, point, form, K, values, confidence_level)
    n_items = cells.n_items
    kept = n_items >= min_items
    return PairwiseAgreement(
        coefficient=point.name,
        distance=point.distance.name,
        coders=coders,
        first=first[kept],
        second=second[kept],
        n_items=n_items[kept],
        observed_disagreement=observed[kept],
        expected_disagreement=expected[kept],
        value=value[kept],
        standard_error=error[kept],
        low=low[kept],
        high=high[kept],
        confidence_level=confidence_level,
        n_few=int(np.count_nonzero(~kept)),
        rests_on=few_others(cells, point.chance, K)[kept],
        has_slope=point.has_slope,
    )


@dataclass(frozen=True, slots=True)
class PairMean(Row):
    """The mean of the pairwise coefficients beside the coefficient of all coders at once.

    Attributes
    ----------
    mean : float
        Of the pairs that have a value, each counting the same: Light's κ (1971) for κ.
    together : Agreement
        The coefficient of all coders.
    n_pairs, n_undefined, n_apart : int
        Pairs that count, those of them without a value, and pairs that judged no item in common, or
        too few.
    lowest, highest : float
        Of the pairs.
    by_chance : float
        What changes when a pair counts by its D_e: 1 − Σ D_o / Σ D_e instead of the mean of
        1 − D_o / D_e. It is the covariance of the pairs' values and D_e over the mean of D_e.
    by_items : float
        What changes when a pair counts also by its number of items; 0 for complete data.
    by_rest : float
        What then is left to the coefficient of all coders: items and coders count otherwise there,
        and D_e is of all that a coder judged. 0 for κ and β of complete data.
    why : str
        The same in words.
    """

    mean: float
    together: Agreement
    n_pairs: int
    n_undefined: int
    n_apart: int
    lowest: float
    highest: float
    by_chance: float
    by_items: float
    by_rest: float
    why: str

    def __repr__(self) -> str:
        name = self.together.coefficient
        return (
            f"<mean {name} of {self.n_pairs} pairs {self.mean:.6g}, of all coders "
            f"{self.together.value:.6g}>"
        )


def pair_mean(
    data: Any,
    coefficient: str = "kappa",
    *,
    distance: Any = "nominal",
    min_items: int = 1,
    incomplete: str = "published",
) -> PairMean:
    """Light's κ (1971), the mean of the pairwise coefficients, and why multi-coder κ differs.

    Parameters
    ----------
    data, coefficient, distance, min_items :
        As in `pairwise_agreement`.
    incomplete : {"published", "pairable", "complete"}
        For the coefficient of all coders, see `agreement`.

    Returns
    -------
    PairMean
        ``mean + by_chance + by_items + by_rest`` is the coefficient of all coders.

    References
    ----------
    Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations
    and alternatives. Psychological Bulletin 76, 365–377.

    Examples
    --------
    >>> from agreement_fast.diagnostics import pair_mean
    >>> table = [("x", "x", "y"), ("y", "y", "x"), ("x", "x", "x"), ("y", "x", "x")]
    >>> found = pair_mean(table)
    >>> round(found.mean, 4), round(found.together.value, 4), round(found.by_chance, 4)
    (-0.1111, -0.0909, 0.0202)
    """
    annotations = as_annotations(data)
    pairs = pairwise_agreement(annotations, coefficient, distance=distance, min_items=min_items)
    together = agreement(annotations, coefficient, distance=distance, incomplete=incomplete)
    n = pairs.n_items.astype(np.float64)
    observed, expected = pairs.observed_disagreement, pairs.expected_disagreement
    same, weighed = _ratio(observed, expected), _ratio(n * observed, n * expected)
    defined = pairs.value[~np.isnan(pairs.value)]
    by_chance, by_items, rest = same - pairs.mean, weighed - same, together.value - weighed
    n_coders = len(pairs.coders)
    return PairMean(
        mean=pairs.mean,
        together=together,
        n_pairs=len(pairs),
        n_undefined=pairs.n_undefined,
        n_apart=n_coders * (n_coders - 1) // 2 - len(pairs),
        lowest=float(defined.min()) if len(defined) else math.nan,
        highest=float(defined.max()) if len(defined) else math.nan,
        by_chance=by_chance,
        by_items=by_items,
        by_rest=rest,
        why=_why(pairs.mean, together, by_chance, by_items, rest),
    )


def _ratio(observed: FloatArray, expected: FloatArray) -> float:
    total = math.fsum(expected)
    return 1.0 - math.fsum(observed) / total if total > 0 else math.nan


def _why(mean: float, together: Agreement, by_chance: float, by_items: float, rest: float) -> str:
    name = together.coefficient
    if math.isnan(mean) or math.isnan(together.value):
        return together.undefined or "no pair of coders has a value"
    gap = together.value - mean
    said = f"The pairs' mean {name} is {mean:.4f}, that of all coders together {together.value:.4f}"
    if abs(gap) < 5e-5 and max(abs(by_chance), abs(by_items), abs(rest)) < 5e-5:
        return said + ": here it makes no difference."
    parts = []
    if abs(by_chance) >= 5e-5:
        more = "more" if by_chance > 0 else "less"
        parts.append(
            f"{by_chance:+.4f} because there a pair counts by its expected disagreement, and pairs "
            f"that expect more agree {more}"
        )
    if abs(by_items) >= 5e-5:
        parts.append(f"{by_items:+.4f} because a pair counts by the items that it shares")
    if abs(rest) >= 5e-5:
        parts.append(
            f"{rest:+.4f} because items and coders' shares are those of all judgments, not of the "
            "items that a pair shares"
        )
    return said + ": " + ", ".join(parts) + "."
