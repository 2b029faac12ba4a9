"""Does agreement drift over groups that have an order, such as batches or weeks?

Values are compared on Fisher's scale, atanh, where they are nearly normal and their standard errors
hardly depend on them. A group counts by its number of items: were it weighed by its own standard
error, as usual, groups that agree well by luck would count most.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.groups import GroupAgreement, agreement_by_group
from agreement_fast.inference.twocoders import normal_p
from agreement_fast.options import check_share
from agreement_fast.reading.natural import numbers_of
from agreement_fast.tables import DETAILS, Tabular
from agreement_fast.terminal import align, number_of, show_label

NAN = math.nan

TOO_FEW = "too few groups: a trend takes two that have a value and a standard error"

#: Rows that are printed from the beginning and the end.
SHOWN = 10

#: Characters of the name of a group in a sentence.
LONGEST_NAME = 24


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Trend(Tabular):
    """A coefficient over ordered groups, and tests of whether it changes.

    Attributes
    ----------
    coefficient, distance, by : str
    groups : tuple
        In their order.
    position : float64 array of shape (G,)
        Where each group stands: numbers as they are, dates in days from the first, else 0, 1, 2.
    value, standard_error, low, high : float64 arrays of shape (G,)
        Of each group, the interval on Fisher's scale; NaN where undefined.
    n_items, n_judgments : int64 arrays of shape (G,)
    confidence_level : float
    used : bool array of shape (G,)
        The groups that the tests rest on: those with a value within -1 and 1 and a standard error.
    slope : float
        Of atanh(value) by position, each group counting by its items.
    slope_standard_error, slope_low, slope_high : float
    statistic, p_value : float
        Slope over its standard error, and the two-sided probability under no drift.
    first, last : float
        The fitted value at the first and the last position.
    heterogeneity, df, heterogeneity_p_value : float
        Do the groups differ at all, in whatever order? The sum of squares about their mean, scaled
        to a χ² with `df` degrees of freedom, G - 1 at most.
    undefined : str or None
        Why there is no test.
    """

    coefficient: str
    distance: str
    by: str
    groups: tuple[Any, ...]
    position: FloatArray
    value: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    n_items: Array
    n_judgments: Array
    confidence_level: float
    used: Array
    slope: float
    slope_standard_error: float
    slope_low: float
    slope_high: float
    statistic: float
    p_value: float
    first: float
    last: float
    heterogeneity: float
    df: float
    heterogeneity_p_value: float
    undefined: str | None

    aside = DETAILS | {"coefficient", "distance", "n_judgments"}

    def __len__(self) -> int:
        return len(self.groups)

    @property
    def n_left_out(self) -> int:
        """Groups that the tests do not rest on."""
        return int(np.count_nonzero(~self.used))

    @property
    def fitted(self) -> FloatArray:
        """The line at each position, as a coefficient."""
        if self.undefined is not None:
            return np.full(len(self), NAN)
        middle = math.atanh(self.first) - self.slope * float(self.position[self.used].min())
        return np.asarray(np.tanh(middle + self.slope * self.position))

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each group."""
        n = len(self)
        ours: dict[str, Sequence[Any] | Array] = {
            "coefficient": [self.coefficient] * n,
            "distance": [self.distance] * n,
            "position": self.position,
            "value": self.value,
            "standard_error": self.standard_error,
            "low": self.low,
            "high": self.high,
            "confidence_level": [self.confidence_level] * n,
            "fitted": self.fitted,
            "n_items": self.n_items,
            "n_judgments": self.n_judgments,
            "used": self.used,
        }
        return {f"group_{self.by}" if self.by in ours else self.by: self.groups, **ours}

    def to_plain(self) -> dict[str, Any]:
        """Give the tests as plain values; what has no value is None."""
        names = (
            "coefficient", "distance", "by", "slope", "slope_standard_error", "slope_low",
            "slope_high", "statistic", "p_value", "first", "last", "heterogeneity", "df",
            "heterogeneity_p_value", "undefined",
        )  # fmt: skip
        found = {name: getattr(self, name) for name in names}
        return {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in found.items()
        }

    def to_sentence(self) -> str:
        """Say what the tests show."""
        name = self.coefficient
        if self.distance != "nominal":
            name += f" ({self.distance})"
        if self.undefined is not None:
            return f"No trend of {name} over {self.by}: {self.undefined}."
        first, last = f"{self.first:.4f}", f"{self.last:.4f}"
        moves = f"{'falls' if self.slope < 0 else 'rises'} from {first} to {last}"
        if first == last:
            moves = f"stays at {first}"
        left = ""
        if self.n_left_out:
            groups = "1 group has" if self.n_left_out == 1 else f"{self.n_left_out:,} groups have"
            left = f" {groups} no value below 1 with a standard error, and no part in this."
        found = "drift" if self.p_value < 1 - self.confidence_level else "no clear drift"
        return (
            f"Over {self.by}, in the order {self._order()}, {name} {moves} on the fitted "
            f"line: {found} (z = {self.statistic:.2f}, {_p(self.p_value)}). "
            f"{self.difference_sentence()}{left}"
        )

    def _order(self) -> str:
        """Name the groups of the tests in their order."""
        names = [
            show_label(group, LONGEST_NAME)
            for group, used in zip(self.groups, self.used, strict=True)
            if used
        ]
        return ", ".join(names if len(names) <= 4 else [*names[:3], "...", names[-1]])

    def difference_sentence(self, which: str = "") -> str:
        """Say whether the groups differ in any order; `which` tells them from others."""
        apart = self.heterogeneity_p_value < 1 - self.confidence_level
        differ = "differ" if apart else "may be alike"
        return (
            f"Regardless of order, the {int(self.used.sum()):,} groups{which} {differ} in "
            f"{self.coefficient} ({_p(self.heterogeneity_p_value)})."
        )

    def __repr__(self) -> str:
        groups = number_of(len(self), "group")
        text = f"{self.coefficient}({self.distance}) over {groups} of {self.by}"
        if self.undefined is not None:
            return f"<{text}; {self.undefined}>"
        return (
            f"<{text}: {self.first:.4f} to {self.last:.4f}, z = {self.statistic:.4f}, "
            f"p = {self.p_value:.4g}>"
        )

    def __str__(self) -> str:
        rows = [
            (
                show_label(group),
                *("-" if math.isnan(one) else f"{one:z.4f}" for one in numbers),
                str(n),
            )
            for group, *numbers, n in zip(
                self.groups,
                self.value.tolist(),
                self.low.tolist(),
                self.high.tolist(),
                self.fitted.tolist(),
                self.n_items.tolist(),
                strict=True,
            )
        ]
        head = (self.by, self.coefficient, "low", "high", "fitted", "items")
        lines = align(head, rows, "<" + ">" * 5, indent="")
        if len(rows) > 2 * SHOWN:
            lines[1 + SHOWN : -SHOWN] = [f"... {len(rows) - 2 * SHOWN} more"]
        return "\n".join([*lines, self.to_sentence()])


def _p(value: float) -> str:
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.4f}"


def trend(
    data: Any,
    by: Any,
    coefficient: str = "alpha",
    distance: Any = "nominal",
    *,
    order: Sequence[Any] | None = None,
    confidence_level: float = 0.95,
    incomplete: str = "published",
    missing: Any = None,
    categories: Any = None,
    duplicates: str = "error",
    item: str | None = None,
    coder: str | None = None,
    label: str | None = None,
    weights: str | None = None,
) -> Trend:
    """Whether agreement drifts over batches, weeks, or other groups with an order.

    Parameters
    ----------
    data, by, incomplete, missing, categories, duplicates, item, coder, label, weights :
        As in `agreement_by_group`; `by` is one column.
    coefficient : str
    distance : str, Distance, array, mapping or function
    order : sequence, optional
        The groups in their order, which are then one step apart. By default they are in ascending
        order, "batch 2" before "batch 10", or that of an ordered categorical. Numbers, also as
        texts, stand where they are, dates and texts such as "2024-01-31" by their day, others one
        step apart.
    confidence_level : float

    Returns
    -------
    Trend

    Raises
    ------
    ValueError
        As in `agreement_by_group`; several columns; an order that leaves a group out; an infinite
        group without an order.

    Notes
    -----
    With y_i = atanh(value), its standard error s_i = SE_i / (1 - value²) by the delta method, n_i
    items and positions x_i about their weighted mean, the slope is b = Σ n_i x_i y_i / Σ n_i x_i²
    and its variance Σ (n_i x_i s_i)² / (Σ n_i x_i²)². b over its standard error is taken for
    normal. Weights of 1 / s_i² would be better if s_i were known; estimated from few items they are
    far too sure: with 20 groups of 10 items, 14% of p are then below 0.05 without any drift, and 4%
    as it is done here.

    Whether groups differ at all: Σ n_i (y_i - ȳ)² is a sum of χ² variables with weights, whose
    mean and variance those of a scaled χ² are made to be (Box 1954). It is Cochran's Q where
    n_i s_i² is the same in all groups.

    A group whose value is 1, or that has no standard error, has no place on Fisher's scale and is
    left out: with many such groups the test says little. O(judgments).

    References
    ----------
    Box, G. E. P. (1954). Some theorems on quadratic forms applied in the study of analysis of
    variance problems, I. Annals of Mathematical Statistics 25, 290-302.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import inference
    >>> agree, differ = [("x", "x"), ("y", "y")], [("x", "y"), ("y", "x")]
    >>> weeks = [20 * agree + week * differ for week in range(1, 7)]
    >>> table = [row for week in weeks for row in week]
    >>> by = [number for number, week in enumerate(weeks, 1) for _ in week]
    >>> found = inference.trend(table, by)
    >>> round(found.first, 2), round(found.last, 2), found.p_value < 0.01
    (0.88, 0.49, True)
    """
    check_share("confidence_level", confidence_level)
    table = agreement_by_group(
        data,
        by,
        [coefficient],
        [distance],
        confidence_level=confidence_level,
        transform="atanh",
        incomplete=incomplete,
        missing=missing,
        categories=categories,
        duplicates=duplicates,
        item=item,
        coder=coder,
        label=label,
        weights=weights,
    )
    if len(table.by) > 1:
        raise InputError("a trend goes over one column", "name one", argument="by")
    rows = list(table)
    if order is not None:
        place = {group: i for i, group in enumerate(order)}
        for row in rows:
            if row.group[0] not in place:
                raise InputError(
                    (Argument("order"), f" leaves out the group {row.group[0]!r}"),
                    "name every group",
                    argument="order",
                )
        rows.sort(key=lambda row: place[row.group[0]])
    return trend_of(rows, table.by[0], confidence_level, ordered=order is not None)


def trend_of(
    rows: Sequence[GroupAgreement], by: str, confidence_level: float, *, ordered: bool = False
) -> Trend:
    """The trend over groups whose values are known; `ordered`: they are one step apart."""
    groups = tuple(row.group[0] for row in rows)
    position = np.arange(len(rows), dtype=np.float64) if ordered else positions(groups)
    value, error = (
        np.array([getattr(row, name) for row in rows], np.float64)
        for name in ("value", "standard_error")
    )
    n_items = np.array([row.n_items for row in rows], np.int64)
    used = (np.abs(value) < 1) & (error > 0) & (n_items > 0)
    fit = dict.fromkeys(
        ("slope", "slope_standard_error", "slope_low", "slope_high", "statistic", "p_value",
         "first", "last", "heterogeneity", "df", "heterogeneity_p_value"), NAN
    )  # fmt: skip
    undefined = None if len({*position[used].tolist()}) > 1 else TOO_FEW
    if undefined is None:
        fit = _tests(position[used], value[used], error[used], n_items[used], confidence_level)
    return Trend(
        coefficient=rows[0].coefficient,
        distance=rows[0].distance,
        by=by,
        groups=groups,
        position=position,
        value=value,
        standard_error=error,
        low=np.array([row.low for row in rows]),
        high=np.array([row.high for row in rows]),
        n_items=n_items,
        n_judgments=np.array([row.n_judgments for row in rows], np.int64),
        confidence_level=confidence_level,
        used=used,
        undefined=undefined,
        **fit,
    )


def positions(groups: Sequence[Any]) -> FloatArray:
    """Where groups stand: numbers as they are, dates by their day, others one step apart."""
    if all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in groups):
        found = np.array(groups, np.float64)
        if not np.isfinite(found).all():
            endless = groups[int(np.argmin(np.isfinite(found)))]
            raise InputError(
                (Argument("by"), f" has a group {endless!r}, which has no place on a line"),
                "give finite numbers, or say in what order the groups are",
                argument="by",
            )
        return found
    numbers = numbers_of(groups) if groups else None
    if numbers is not None:
        return np.array(numbers, np.float64)
    days = [_day(one) for one in groups]
    if groups and None not in days:
        found = np.array(days, np.float64)
        return np.asarray(found - found.min())
    return np.arange(len(groups), dtype=np.float64)


def _day(value: Any) -> float | None:
    """A date as a number of days; None for what is none."""
    if isinstance(value, str):
        try:
            value = datetime.date.fromisoformat(value)
        except ValueError:
            return None
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            # Days are 24 hours: no clock is put forward.
            value = value.replace(tzinfo=datetime.UTC)
        return float(value.timestamp()) / 86400
    return float(value.toordinal()) if isinstance(value, datetime.date) else None


def _tests(
    x: FloatArray, value: FloatArray, error: FloatArray, n_items: Array, confidence_level: float
) -> dict[str, float]:
    """The slope and the heterogeneity of groups that have a place on Fisher's scale."""
    from scipy.special import chdtrc, ndtri

    y, s = np.arctanh(value), error / (1 - value**2)
    share = n_items / n_items.sum()
    centre, mean = float(share @ x), float(share @ y)
    moved = share * (x - centre)
    spread = float(moved @ (x - centre))
    slope = float(moved @ y) / spread
    slope_error = math.sqrt(float((moved**2) @ s**2)) / spread
    reach = float(ndtri((1 + confidence_level) / 2)) * slope_error
    # Each group's part of the sum of squares, and the moments of that sum.
    variance = share * s**2
    squares = float(share @ (y - mean) ** 2)
    apart = np.eye(len(x)) - np.sqrt(np.outer(share, share))
    expected = float(np.diag(apart) @ variance)
    second = float(variance @ apart**2 @ variance)
    df = expected**2 / second
    scaled = squares * expected / second
    first, last = (math.tanh(mean + slope * (end - centre)) for end in (x.min(), x.max()))
    return {
        "slope": slope,
        "slope_standard_error": slope_error,
        "slope_low": slope - reach,
        "slope_high": slope + reach,
        "statistic": slope / slope_error,
        "p_value": normal_p(slope / slope_error, "two-sided"),
        "first": first,
        "last": last,
        "heterogeneity": scaled,
        "df": df,
        "heterogeneity_p_value": float(chdtrc(df, scaled)),
    }
