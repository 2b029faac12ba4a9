"""The agreement of each pair of coders, and their mean compared with that of all coders; camps: two
groups of coders who agree with their own group but not with the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import student_share
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.coefficients import result_of
from agreement_fast.diagnostics.cells import (
    NUMBERS,
    bound,
    mean_of_pairs,
    notes_of,
    pair_cells,
    scores_of,
)
from agreement_fast.diagnostics.findings import CHANCE, WORTH, Finding
from agreement_fast.distances.forms import DistanceLike, Form
from agreement_fast.distances.sums.rows import row_disagreement
from agreement_fast.errors import InputError
from agreement_fast.options import Incomplete, check_choice, check_count, check_share
from agreement_fast.patterns import Rows, as_lists, row_sizes
from agreement_fast.points import Point
from agreement_fast.present.tables import DETAILS, Matrix, Row, Tabular, aligned, ends_of
from agreement_fast.present.terminal import some_of
from agreement_fast.reading.tables import name_places
from agreement_fast.results import Agreement

#: The most coders whose agreement is returned as a matrix (200 MB).
MATRIX = 5000


@dataclass(frozen=True, eq=False, repr=False)
class PairwiseAgreement(Tabular):
    """The agreement of each pair of coders on the items that both judged.

    Attributes
    ----------
    coefficient, distance : str
        The names of the coefficient and the distance.
    coders : tuple
        The names of the coders.
    first, second : int32 arrays of shape (P,)
        The pairs that share items, as indices of `coders`; ``first < second``, ascending.
    n_items : int64 array of shape (P,)
        Items that both judged, including weights.
    observed_disagreement, expected_disagreement, value : float64 arrays of shape (P,)
        D_o, D_e and 1 − D_o / D_e; the value is NaN if D_e is 0.
    standard_error, low, high : float64 arrays of shape (P,)
        The standard error of each value (delta method, items as the sample), and a score interval;
        NaN if there is none. `note` says why, or that it rests on few judgments.
    confidence_level : float
        The level of the intervals.
    n_few : int
        The number of pairs that share items, but fewer than `min_items`.
    rests_on : int64 array of shape (P,)
        The number of judgments of rarer categories on which an interval rests; 0 if these are not
        few.
    has_slope : bool
        Whether the standard error of the coefficient is known in closed form.
    """

    _caption = "{coefficient}({distance}) of {first:pair} of {coders:coder}: mean {_mean_value}"
    _table = "coder = first | coder = second | {coefficient} = value | low..high | n_items"
    _ordered_by = "value"
    _what = "pair"
    _remarks = ""

    def _mean_value(self) -> float:
        return mean_value(self.value)

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
    has_slope: bool
    _annotations: Annotations
    _point: Point
    _min_items: int

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def mean(self) -> PairMean:
        """The mean of the pairs (Light 1971), its interval, and why all coders' value differs.

        It is computed when it is read first, which takes about as long as the pairs.
        """
        annotations, point = self._annotations, self._point
        form, level = bound(annotations, point.distance), self.confidence_level
        if len(self) == 1:  # that of the pair
            ends = float(self.low[0]), float(self.high[0])
        else:
            ends = mean_of_pairs(annotations, point, form, self.value, self._min_items, level)
        together = result_of(annotations, point)
        n = self.n_items.astype(np.float64)
        observed, expected = self.observed_disagreement, self.expected_disagreement
        same, weighed = _ratio(observed, expected), _ratio(n * observed, n * expected)
        defined = self.value[~np.isnan(self.value)]
        mean = mean_value(self.value)
        by_chance, by_items, rest = same - mean, weighed - same, together.value - weighed
        n_coders = len(self.coders)
        return PairMean(
            value=mean,
            **ends_of("", ends),
            confidence_level=self.confidence_level,
            together=together,
            n_pairs=len(self),
            n_undefined=self.n_undefined,
            n_apart=n_coders * (n_coders - 1) // 2 - len(self),
            lowest=float(defined.min()) if len(defined) else math.nan,
            highest=float(defined.max()) if len(defined) else math.nan,
            by_chance=by_chance,
            by_items=by_items,
            by_rest=rest,
            why=_why(mean, together, by_chance, by_items, rest),
        )

    @property
    def n_undefined(self) -> int:
        """The number of pairs without a value, because both coders used the same one category."""
        return int(np.isnan(self.value).sum())

    @property
    def note(self) -> tuple[str | None, ...]:
        """For each pair, why it has no interval, or that it rests on few judgments."""
        numbers = (self.value, self.low, self.n_items, self.rests_on)
        return tuple(notes_of(*numbers, self.has_slope))

    def matrix(
        self,
        of: Literal[
            "value",
            "low",
            "high",
            "standard_error",
            "n_items",
            "observed_disagreement",
            "expected_disagreement",
        ] = "value",
        coders: Iterable[Any] | None = None,
    ) -> Matrix:
        """Return a symmetric matrix of coders × coders.

        Parameters
        ----------
        of : {"value", "low", "high", "standard_error", "n_items", "observed_disagreement", \
"expected_disagreement"}, default "value"
            The number of each pair that is returned.
        coders : iterable of names, optional
            The coders of rows and columns, in this order; by default all.

        Returns
        -------
        Matrix
            NaN on the diagonal and for pairs that share no item.

        Raises
        ------
        ValueError
            If there are more than 5,000 coders; use `first`, `second` and `value` instead.
        """
        check_choice("of", of, (*NUMBERS, "n_items"))
        names = self.coders if coders is None else tuple(coders)
        n = len(names)
        if n > MATRIX:
            raise InputError(
                f"a matrix of {n} coders is too large",
                f"use first, second and {of}, which hold the {len(self)} pairs that share items",
            )
        place = np.full(len(self.coders), -1)
        place[name_places(self.coders, names, "coder")] = np.arange(n)
        first, second = place[self.first], place[self.second]
        both = (first >= 0) & (second >= 0)
        out = np.full((n, n), np.nan)
        out[first[both], second[both]] = getattr(self, of)[both]
        out[second[both], first[both]] = getattr(self, of)[both]
        return Matrix(out, names, names, "coder", "coder")

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with a row for each pair of coders that shares items."""
        return {
            "first": [self.coders[place] for place in self.first.tolist()],
            "second": [self.coders[place] for place in self.second.tolist()],
            **aligned(
                self,
                "coefficient distance value standard_error low high confidence_level "
                "observed_disagreement expected_disagreement n_items note",
            ),
        }


def pairwise_agreement(
    data: JudgmentsLike,
    coefficient: str = "kappa",
    *,
    distance: DistanceLike = "nominal",
    min_items: int = 1,
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> PairwiseAgreement:
    """Compute a coefficient for each pair of coders, on the items that both judged.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments; the coders must be known.
    coefficient : str, default "kappa"
        The name of the coefficient. The default is Cohen's κ of each pair; use "beta" for other
        distances than "nominal".
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart: the name of a distance such as "nominal", "ordinal" or
        "interval", a K × K matrix, a mapping of pairs, or a function of two labels. Ordinal ranks
        are those of all coders' judgments.
    min_items : int, default 1
        Pairs that share fewer items are left out and counted in ``n_few``. The value of one or two
        items says nothing.
    confidence_level : float, default 0.95
        The level of each interval, between 0 and 1. The intervals are not simultaneous.

    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    PairwiseAgreement
        The pairs that share items; ``pairs.matrix()`` is a matrix of coders × coders, and
        ``pairs.mean`` the mean of the pairs (Light's κ) with its interval.

    Raises
    ------
    ValueError
        If the coders are unknown, or an argument is not valid.

    Notes
    -----
    The value of a pair is that of
    ``agreement(data.select(coders=[a, b]), coefficient, incomplete="complete")``, but with the
    categories of all of the data. The interval and the standard error are those of
    `inference.standard_error`, but ordinal ranks of three coders and more are treated as fixed.
    O(Σ n_i²) for n_i judgments of an item, plus O(P · K); the memory is proportional to the pairs
    that share items.

    The interval of the mean is made as that of a coefficient (`inference.standard_error`), from the
    mean of the pairs' influences in each item.

    References
    ----------
    Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations
    and alternatives. Psychological Bulletin 76, 365–377.

    Examples
    --------
    >>> from agreement_fast.diagnostics import pairwise_agreement
    >>> table = [("x", "x", "y"), ("y", "y", "x"), ("x", "x", "x"), ("y", "x", None)]
    >>> pairs = pairwise_agreement(table)
    >>> pairs.matrix().round(3).tolist()
    [[nan, 0.5, -0.5], [0.5, nan, -0.5], [-0.5, -0.5, nan]]
    >>> pairs.n_items.tolist()
    [4, 3, 3]
    >>> round(pairs.mean.value, 4), round(pairs.mean.together.value, 4)
    (-0.1667, -0.2281)
    """
    annotations = as_annotations(data, **reading)
    point = Point.of(coefficient, distance)
    min_items = check_count("min_items", min_items)
    check_share("confidence_level", confidence_level)
    coders = tuple(annotations.known_coders("pairwise_agreement()"))
    form, K = bound(annotations, point.distance), len(annotations.labels)
    parts, n_few = [], 0
    for first, second, cells in pair_cells(annotations):
        columns = scores_of(cells, point, form, K, confidence_level, alone=len(coders) == 2)
        kept = columns["n_items"] >= min_items
        columns |= {"first": first, "second": second}
        if n_left_out := int(np.count_nonzero(~kept)):
            n_few += n_left_out
            columns = {name: column[kept] for name, column in columns.items()}
        parts.append(columns)
    return PairwiseAgreement(
        coefficient=point.name,
        distance=point.distance.name,
        coders=coders,
        confidence_level=confidence_level,
        n_few=n_few,
        has_slope=point.has_slope,
        _annotations=annotations,
        _point=point,
        _min_items=min_items,
        **{name: np.concatenate([part.pop(name) for part in parts]) for name in list(parts[0])},
    )


@dataclass(frozen=True, slots=True, repr=False)
class PairMean(Row):
    """The mean of the pairwise coefficients, compared with the coefficient of all coders.

    ``value + by_chance + by_items + by_rest`` is the coefficient of all coders.

    Attributes
    ----------
    value : float
        The unweighted mean of the pairs that have a value; for κ, Light's κ (1971).
    low, high, confidence_level : float
        Its interval, over the items; NaN if there is none.
    together : Agreement
        The coefficient of all coders.
    n_pairs, n_undefined, n_apart : int
        The number of pairs; of those without a value; and of pairs that share no item, or fewer
        than `min_items`.
    lowest, highest : float
        The lowest and the highest value of a pair.
    by_chance : float
        The change if each pair is weighted by its D_e: 1 − Σ D_o / Σ D_e instead of the mean of
        1 − D_o / D_e. It is the covariance of the pairs' values and D_e over the mean of D_e.
    by_items : float
        The further change if each pair is also weighted by its number of items; 0 for complete
        data.
    by_rest : float
        The remaining difference from the coefficient of all coders, which weights items and coders
        differently and takes D_e from all judgments of a coder. 0 for κ and β of complete data.
    why : str
        These differences in words.
    """

    _caption = (
        "mean {together.coefficient} of {n_pairs:pair} {value}[, {interval}], of all coders "
        "{together.value}"
    )

    aside = DETAILS | {"n_apart"}

    value: float
    low: float
    high: float
    confidence_level: float
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


def mean_value(values: FloatArray) -> float:
    """Return the unweighted mean of the defined values; NaN if there is none."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else math.nan


def _ratio(observed: FloatArray, expected: FloatArray) -> float:
    total = math.fsum(expected)
    return 1.0 - math.fsum(observed) / total if total > 0 else math.nan


def _why(mean: float, together: Agreement, by_chance: float, by_items: float, rest: float) -> str:
    name = together.coefficient
    if math.isnan(mean) or math.isnan(together.value):
        return together.undefined or "no pair of coders has a value"
    gap = together.value - mean
    message = (
        f"The mean {name} of the pairs is {mean:.4f}, {name} of all coders {together.value:.4f}"
    )
    if abs(gap) < 5e-5 and max(abs(by_chance), abs(by_items), abs(rest)) < 5e-5:
        return message + ": they do not differ."
    parts = []
    if abs(by_chance) >= 5e-5:
        more = "more" if by_chance > 0 else "less"
        parts.append(
            f"{by_chance:+.4f} because pairs are weighted by their expected disagreement, and "
            f"those with more of it agree {more}"
        )
    if abs(by_items) >= 5e-5:
        parts.append(f"{by_items:+.4f} because pairs are weighted by the items that they share")
    if abs(rest) >= 5e-5:
        parts.append(
            f"{rest:+.4f} because the coders' shares are those of all judgments, not only of the "
            "items that a pair shares"
        )
    return message + ": " + ", ".join(parts) + "."


#: The most coders whose pairs are compared; in a crowd, most pairs share no item.
CODERS = 64

#: Items that each pair of coders must share.
SHARED = 10

#: Coders of a camp who are named.
LISTED = 6


def camps(
    annotations: Annotations, point: Point, result: Agreement, incomplete: Incomplete
) -> Iterator[Finding]:
    """Find two camps: each pair within a camp agrees better than each pair across."""
    coders = annotations.known_coders("a diagnosis of coders")
    if not 4 <= len(coders) <= CODERS:
        return
    pairs = pairwise_agreement(annotations, point.name, distance=point.distance)
    first = separated(pairs)
    if first is None:
        return
    contrasts = Contrasts.of(annotations, first, bound(annotations, point.distance))
    if not contrasts.p_value < CHANCE:
        return
    sides = [np.flatnonzero(first).tolist(), np.flatnonzero(~first).tolist()]
    names = [[coders[c] for c in side] for side in sides]
    values = [result_of(annotations.select(coders=side), point, incomplete).value for side in names]
    added = (
        sum(len(side) * value for side, value in zip(names, values, strict=True)) / len(coders)
        - result.value
    )
    if not added >= 5 * WORTH:
        return
    across = first[pairs.first] != first[pairs.second]
    best, worst = float(pairs.value[across].max()), float(pairs.value[~across].min())
    order = sorted(range(2), key=lambda i: -len(names[i]))
    shown = " and ".join(f"{some_of(names[i], LISTED)} ({values[i]:.3f})" for i in order)
    yield Finding(
        "camps",
        added,
        f"The coders form two camps: {shown}. The {point.name} of two coders is at least"
        f" {worst:.2f} within a camp and at most {best:.2f} across; that of all coders is"
        f" {result.value:.3f}.",
        "Ask each camp for its reasons: they may read the guidelines differently, or see different"
        " things in the items. No single coder is at fault, and a majority vote would hide one of"
        " the two readings.",
        {
            "camps": [names[i] for i in order],
            "values": [values[i] for i in order],
            "lowest_within": worst,
            "highest_across": best,
            "gain": added,
            "p_value": contrasts.p_value,
        },
    )


def separated(pairs: PairwiseAgreement) -> npt.NDArray[np.bool_] | None:
    """Return who is in the first of two camps as bool (C,), or None if there are no camps.

    Each pair within a camp agrees better than each pair across. If there are such camps, single
    linkage joins the members of each camp before it joins the two camps.
    """
    n = len(pairs.coders)
    if len(pairs) < n * (n - 1) // 2 or np.isnan(pairs.value).any():
        return None
    if pairs.n_items.min() < SHARED:
        return None
    camp = np.arange(n)
    left = n
    for p in np.argsort(-pairs.value, kind="stable").tolist():
        a, b = camp[pairs.first[p]], camp[pairs.second[p]]
        if a != b:
            if left == 2:
                break
            camp[camp == b] = a
            left -= 1
    first: npt.NDArray[np.bool_] = camp == camp[0]
    within = first[pairs.first] == first[pairs.second]
    if min(first.sum(), n - first.sum()) < 2:
        return None
    return first if pairs.value[within].min() > pairs.value[~within].max() else None


class Contrasts(NamedTuple):
    """How much more two coders of different groups disagree than two of the same group."""

    #: The mean distance of judgments across the groups minus that within each group, and its
    #: standard error over items.
    values: tuple[float, float]
    errors: tuple[float, float]
    #: One-sided p-value of the smaller contrast (Student's t), Bonferroni-corrected for all
    #: divisions into two groups, at most 1.
    p_value: float

    @staticmethod
    def of(annotations: Annotations, first: npt.NDArray[np.bool_], form: Form) -> Contrasts:
        """Compute the contrasts of these coders and the others. O(judgments)."""
        rows, K = as_lists(annotations.grouped()), len(annotations.labels)
        weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(np.float64)
        parts = [_of_coders(rows, side) for side in (first, ~first)]
        # Ordered pairs of judgments of an item and their distances, for all and for each group.
        (all_pairs, apart), *within = [_pairs(part, form, K) for part in (rows, *parts)]
        n_across = all_pairs - within[0][0] - within[1][0]
        across = _mean(apart - within[0][1] - within[1][1], n_across, weights)
        n = float(weights.sum())
        values, errors = [], []
        for pairs, distances in within:
            own = _mean(distances, pairs, weights)
            moved = across[1] - own[1]
            values.append(across[0] - own[0])
            errors.append(math.sqrt(float(weights @ moved**2) * n / (n - 1)))
        t = min(
            value / error if error > 0 else math.copysign(math.inf, value)
            for value, error in zip(values, errors, strict=True)
        )
        choices = 2.0 ** (len(first) - 1) - 1 - len(first)
        p_value = min(1.0, choices * student_share(n - 1, -t))
        return Contrasts((values[0], values[1]), (errors[0], errors[1]), p_value)


def _of_coders(rows: Rows, kept: npt.NDArray[np.bool_]) -> Rows:
    """Select the judgments of some coders."""
    assert rows.coders is not None
    compared = kept[rows.coders]
    start = np.concatenate([[0], np.cumsum(compared)])[rows.start]
    return Rows(rows.codes[compared], 0, start, rows.coders[compared])


def _pairs(rows: Rows, form: Form, n_categories: int) -> tuple[FloatArray, FloatArray]:
    """Return the number of ordered pairs of judgments of each row, and the sum of distances."""
    sizes = row_sizes(rows).astype(np.float64)
    return sizes * (sizes - 1), row_disagreement(rows, form, n_categories)


def _mean(
    distances: FloatArray, pairs: FloatArray, weights: FloatArray
) -> tuple[float, FloatArray]:
    """Return the mean distance, and each row's contribution to it, to first order."""
    total = float(weights @ pairs)
    mean = float(weights @ distances) / total
    return mean, (distances - mean * pairs) / total
