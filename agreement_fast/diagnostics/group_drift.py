"""Does agreement drift over groups that have an order, such as batches or weeks?

Values are compared on Fisher's scale, atanh, on which they are nearly normal and their standard
errors depend little on them. Groups are weighted by their numbers of items. The usual weights, from
the groups' own standard errors, would give most weight to groups that agree well by luck.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast._kernels.normal import two_sided_quantile
from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase
from agreement_fast.inference.groups import GroupAgreement, GroupTable
from agreement_fast.inference.hypotheses import normal_p
from agreement_fast.present.tables import DETAILS, Tabular, aligned, of_each
from agreement_fast.present.terminal import align, number_of, show_label
from agreement_fast.reading.recognition.order import Doubt, order_of, proposed

NAN = math.nan

TOO_FEW = "too few groups: a drift needs two with a value and a standard error"

#: Rows that are printed from the beginning and the end.
SHOWN = 10

#: Characters of the name of a group in a sentence.
LONGEST_NAME = 24


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GroupDrift(Tabular):
    """A coefficient over ordered groups, and tests of whether it changes; made by `drift(by=)`.

    Attributes
    ----------
    coefficient, distance, by : str
        Names of the coefficient, the distance and the column of groups.
    groups : tuple
        The groups in their order.
    position : float64 array of shape (G,)
        Position of each group: its number, its date in days from the first, or else 0, 1, 2.
    value, standard_error, low, high : float64 arrays of shape (G,)
        The coefficient of each group, with an interval on Fisher's scale; NaN if undefined.
    n_items, n_judgments : int64 arrays of shape (G,)
        Items of each group with two judgments or more, and their judgments.
    confidence_level : float
        Of the intervals, and 1 less the level of the tests.
    used : bool array of shape (G,)
        The groups that the tests use: those with a value between -1 and 1 and a standard error.
    slope : float
        Slope of atanh(value) by position, with groups weighted by their items.
    slope_standard_error, slope_low, slope_high : float
        Standard error and interval of the slope.
    statistic, p_value : float
        The slope divided by its standard error, and the two-sided p-value of no drift.
    first, last : float
        The fitted value at the first and the last position.
    heterogeneity, df, heterogeneity_p_value : float
        Test of whether the groups differ, regardless of their order: the sum of squares about their
        mean, scaled to a χ² with `df` degrees of freedom, G - 1 at most.
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
        """Number of groups that the tests do not use."""
        return int(np.count_nonzero(~self.used))

    @property
    def fitted(self) -> FloatArray:
        """The fitted coefficient at each position."""
        if self.undefined is not None:
            return np.full(len(self), NAN)
        middle = math.atanh(self.first) - self.slope * float(self.position[self.used].min())
        return np.asarray(np.tanh(middle + self.slope * self.position))

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each group."""
        ours = aligned(
            self,
            "coefficient distance position value standard_error low high confidence_level fitted "
            "n_items n_judgments used",
        )
        return {f"group_{self.by}" if self.by in ours else self.by: self.groups, **ours}

    def to_plain(self) -> dict[str, Any]:
        """Give the tests as plain values; None if undefined."""
        names = (
            "coefficient", "distance", "by", "slope", "slope_standard_error", "slope_low",
            "slope_high", "statistic", "p_value", "first", "last", "heterogeneity", "df",
            "heterogeneity_p_value", "undefined",
        )  # fmt: skip
        result = {name: getattr(self, name) for name in names}
        return {
            name: None if isinstance(value, float) and math.isnan(value) else value
            for name, value in result.items()
        }

    def to_sentence(self) -> str:
        """Say what the tests show."""
        name = self.coefficient
        if self.distance != "nominal":
            name += f" ({self.distance})"
        if self.undefined is not None:
            return f"No drift of {name} over {self.by}: {self.undefined}."
        first, last = f"{self.first:.4f}", f"{self.last:.4f}"
        moves = f"{'falls' if self.slope < 0 else 'rises'} from {first} to {last}"
        if first == last:
            moves = f"stays at {first}"
        left = ""
        if self.n_left_out:
            groups = "1 group has" if self.n_left_out == 1 else f"{self.n_left_out:,} groups have"
            left = f" {groups} no value below 1 with a standard error, and no part in the tests."
        result = "drift" if self.p_value < 1 - self.confidence_level else "no clear drift"
        return (
            f"Over {self.by}, in the order {self._order()}, {name} {moves} on the fitted "
            f"line: {result} (z = {self.statistic:.2f}, {_p(self.p_value)}). "
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
        """Say whether the groups differ, regardless of order; `which` follows the word groups."""
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
                *("-" if math.isnan(number) else f"{number:z.4f}" for number in numbers),
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


def drift_of_groups(
    table: GroupTable, by_order: Sequence[Any] | None, confidence_level: float
) -> GroupDrift:
    """Return the drift of one coefficient over the groups of a table of one column."""
    if len(table.by) > 1:
        raise InputError(
            (Argument("by"), " of a drift is one column of groups"), "name one", argument="by"
        )
    rows = list(table)
    if by_order is not None:
        if isinstance(by_order, (str, bytes, set, frozenset)) or not isinstance(by_order, Iterable):
            raise InputTypeError.must_be("by_order", "a sequence of all groups", by_order)
        place = {group: i for i, group in enumerate(by_order)}
        for row in rows:
            if row.group[0] not in place:
                raise InputError(
                    (Argument("by_order"), f" leaves out the group {row.group[0]!r}"),
                    "name every group",
                    argument="by_order",
                )
        rows.sort(key=lambda row: place[row.group[0]])
    ordered = by_order is not None or table.ordered
    return drift_of(rows, table.by[0], confidence_level, ordered=ordered)


def drift_of(
    rows: Sequence[GroupAgreement], by: str, confidence_level: float, *, ordered: bool = False
) -> GroupDrift:
    """Return the drift over groups whose values are known, one step apart if `ordered`."""
    groups = tuple(row.group[0] for row in rows)
    position = np.arange(len(rows), dtype=np.float64) if ordered else positions(groups, by)
    columns = of_each(rows, "value standard_error low high n_items n_judgments")
    arrays: dict[str, Any] = {name: np.array(column) for name, column in columns.items()}
    value, error, n_items = (arrays[name] for name in ("value", "standard_error", "n_items"))
    used = (np.abs(value) < 1) & (error > 0) & (n_items > 0)
    fit: dict[str, Any] = dict.fromkeys(
        ("slope", "slope_standard_error", "slope_low", "slope_high", "statistic", "p_value",
         "first", "last", "heterogeneity", "df", "heterogeneity_p_value"), NAN
    )  # fmt: skip
    undefined = None if len({*position[used].tolist()}) > 1 else TOO_FEW
    if undefined is None:
        fit = _tests(position[used], value[used], error[used], n_items[used], confidence_level)
    return GroupDrift(
        coefficient=rows[0].coefficient,
        distance=rows[0].distance,
        by=by,
        groups=groups,
        position=position,
        **arrays,
        confidence_level=confidence_level,
        used=used,
        undefined=undefined,
        **fit,
    )


def positions(groups: Sequence[Any], by: str) -> FloatArray:
    """Return the positions of groups by value: their numbers, the days of dates, or 0, 1, 2.

    Raises
    ------
    ValueError
        If the groups are words, whose order nobody declared, or a number is infinite.
    """
    result = order_of(groups)
    if isinstance(result, Doubt):
        listed = proposed(groups)
        remedy = Phrase(
            "group_order",
            ("pass all groups in their order, as in ", Argument("by_order", listed)),
            listed,
        )
        raise InputError(
            (Argument("by", by), f" has groups without an order: {result.problem}"),
            remedy if result.remedy is None else (f"{result.remedy}, or ", remedy),
            argument="by",
        )
    if result.positions is None:
        rank = {key: i for i, key in enumerate(sorted(set(result.keys)))}
        return np.array([rank[key] for key in result.keys], np.float64)
    out = np.array(result.positions, np.float64)
    if not np.isfinite(out).all():
        endless = groups[int(np.argmin(np.isfinite(out)))]
        raise InputError(
            (Argument("by"), f" has the group {endless!r}, which is not a finite number"),
            ("use finite numbers, or pass ", Argument("by_order")),
            argument="by",
        )
    return out


def _tests(
    x: FloatArray, value: FloatArray, error: FloatArray, n_items: Array, confidence_level: float
) -> dict[str, float]:
    """Compute the slope and the heterogeneity of groups that have a place on Fisher's scale."""
    from scipy.special import chdtrc

    y, s = np.arctanh(value), error / (1 - value**2)
    share = n_items / n_items.sum()
    centre, mean = float(share @ x), float(share @ y)
    moved = share * (x - centre)
    spread = float(moved @ (x - centre))
    slope = float(moved @ y) / spread
    slope_error = math.sqrt(float((moved**2) @ s**2)) / spread
    reach = two_sided_quantile(confidence_level) * slope_error
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
