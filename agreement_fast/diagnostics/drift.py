"""Drift: how agreement changes along each coder's sequence of judgments, or over groups.

The values of groups are compared on Fisher's scale, atanh, on which they are nearly normal and
their standard errors depend little on them. Groups are weighted by their numbers of items. The
usual weights, from the groups' own standard errors, would give most weight to groups that agree
well by luck.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, Unpack, overload

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import student_quantile, student_share, two_sided_quantile
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions
from agreement_fast.diagnostics.each_coder import Judgments, own_and_rest
from agreement_fast.diagnostics.intra_coder import JudgedRows, judged_rows, turns
from agreement_fast.distances import Distance, check_symmetric, resolve
from agreement_fast.distances.forms import DistanceLike, Form
from agreement_fast.errors import Argument, InputError, InputTypeError, Phrase
from agreement_fast.inference.groups import GroupAgreement, GroupTable, agreement_by_group
from agreement_fast.inference.hypotheses import holm, normal_p
from agreement_fast.options import Column, Incomplete, Label, Names, check_count, check_share
from agreement_fast.present.documents import json_fields
from agreement_fast.present.tables import (
    DETAILS,
    Listing,
    Row,
    Tabular,
    aligned,
    of_each,
)
from agreement_fast.present.terminal import (
    show_label,
    some_of,
)
from agreement_fast.reading import frames
from agreement_fast.reading.gold import with_labels
from agreement_fast.reading.labels import as_python
from agreement_fast.reading.recognition.order import Doubt, order_of, proposed
from agreement_fast.results import NO_PAIRS, NO_VARIATION

NAN = math.nan

Every: TypeAlias = Literal["day", "week", "month", "quarter", "year"]

TOO_FEW = "too few groups: a drift needs two with a value and a standard error"

#: Characters of the name of a group in a sentence.
LONGEST_NAME = 24


#: The numbers of the tests of a drift and of differences.
TESTS = (
    "slope slope_standard_error slope_low slope_high statistic p_value first last heterogeneity df"
    " heterogeneity_p_value"
)


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

    _caption = (
        "{coefficient}({distance}) over {groups:group} of {by}[: {first:.4f} to {last:.4f}, z = "
        "{statistic:.4f}, p = {p_value:.4g}]"
    )
    _table = "{by} = groups | {coefficient} = value | low..high | fitted | n_items"
    _what = "group"
    _below = "to_sentence"
    _most = None

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
        return json_fields(self, f"coefficient distance by {TESTS} undefined")

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
        result = "drift" if self.p_value < 1 - self.confidence_level else "no clear drift"
        return (
            f"Over {self.by}, in the order {self._order()}, {name} {moves} on the fitted "
            f"line: {result} (z = {self.statistic:.2f}, {_p(self.p_value)}). "
            f"{self.difference_sentence()}"
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
        """Say whether the groups differ, regardless of order, and which ones are left out.

        `which` follows the word groups.
        """
        left = ""
        if self.n_left_out:
            parts = zip(self.groups, self.used, strict=True)
            some = some_of([group for group, used in parts if not used], 3)
            have = "1 group has" if self.n_left_out == 1 else f"{self.n_left_out:,} groups have"
            left = (
                f" {have} no value below 1 with a standard error, and no part in the tests: {some}."
            )
        apart = self.heterogeneity_p_value < 1 - self.confidence_level
        differ = "differ" if apart else "may be alike"
        return (
            f"Regardless of order, the {int(self.used.sum()):,} groups{which} {differ} in "
            f"{self.coefficient} ({_p(self.heterogeneity_p_value)}).{left}"
        )


def _p(value: float) -> str:
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.4f}"


def drift_of_groups(
    table: GroupTable, by_order: Sequence[Any] | None, confidence_level: float
) -> GroupDrift:
    """Return the drift of one coefficient over the groups of a table of one column."""
    if len(table.by) > 1:
        raise InputError((Argument("by"), " of a drift is one column of groups"), "name one")
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
    fit: dict[str, Any] = dict.fromkeys(TESTS.split(), NAN)
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


FEW = "no trend: fewer than three judgments at different places"
ALIKE = "no trend: all judgments agree equally with the others"
EXACT = "no test: the line fits exactly"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CoderDrift(Row):
    """How a coder's agreement changes from the first judgment to the last.

    Attributes
    ----------
    coder : object
    value : float
        Chance-corrected agreement over all judgments, as in `coder_report`.
    first, last : float
        The fitted line at the first and at the last judgment; of judgments at the same time, at
        their mean place.
    change, change_low, change_high : float
        `last` minus `first`, and the ends of its interval.
    p_value : float
        Of the test that the slope is 0.
    adjusted_p_value : float
        The p-value adjusted for the number of coders (Holm 1979).
    confidence_level : float
        The level of the interval.
    n_judgments : int
        Judgments that can be compared with another one, or with gold labels.
    undefined : str or None
        Why there is no value, no line or no test.
    """

    _caption = "{coder:l}: {first:.4f} to {last:.4f}, p = {p_value:.4g}"

    coder: Any
    value: float
    first: float
    last: float
    change: float
    change_low: float
    change_high: float
    p_value: float
    adjusted_p_value: float
    confidence_level: float
    n_judgments: int
    undefined: str | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DriftWindow(Row):
    """A coder's agreement over some consecutive judgments.

    Attributes
    ----------
    coder : object
        The name of the coder.
    start, end : int
        Places of the first and the last judgment in the coder's sequence, from 1.
    value, low, high : float
        Chance-corrected agreement, and the ends of its interval.
    confidence_level : float
        The level of the interval.
    n_judgments : int
        Judgments that can be compared with another one, or with gold labels.
    """

    _caption = "{coder:l}, judgments {start} to {end}: {value:.4f}, {low:.4f} to {high:.4f}"

    coder: Any
    start: int
    end: int
    value: float
    low: float
    high: float
    confidence_level: float
    n_judgments: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Drift(Tabular):
    """The drift of each coder, made by `drift`.

    Attributes
    ----------
    distance, against : str
        The distance; "others" or "gold".
    coders : Listing of CoderDrift
        A row for each coder, in the order of their names.
    windows : Listing of DriftWindow
        A row for each part of each coder's sequence.
    """

    _caption = (
        "{coders:coder} against the {against} ({distance}): {_drifting} of {_tested} that can be "
        "tested drift"
    )
    _table = (
        "coder | value | first | last | change:+ | change_low..change_high:+ | adjusted_p_value "
        "| n_judgments"
    )
    _ordered_by = "|change|"
    _what = "coder"
    _remarks = ""

    def _tested(self) -> int:
        return sum(not math.isnan(coder.p_value) for coder in self.coders)

    def _drifting(self) -> int:
        return sum(coder.adjusted_p_value < 1 - coder.confidence_level for coder in self.coders)

    distance: str
    against: str
    coders: Listing[CoderDrift]
    windows: Listing[DriftWindow]

    def __len__(self) -> int:
        return len(self.coders)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with a row for each coder."""
        return self.coders.columns()


@overload
def drift(
    data: Any,
    by: None = None,
    coefficient: str = "alpha",
    distance: DistanceLike = "nominal",
    *,
    order: str | None = None,
    gold: Any = None,
    n_windows: int = 10,
    by_order: Sequence[Label] | None = None,
    every: Every | None = None,
    confidence_level: float = 0.95,
    incomplete: Incomplete = "published",
    **reading: Unpack[ReadingOptions],
) -> Drift: ...
@overload
def drift(
    data: Any,
    by: Any,
    coefficient: str = "alpha",
    distance: DistanceLike = "nominal",
    *,
    order: str | None = None,
    gold: Any = None,
    n_windows: int = 10,
    by_order: Sequence[Label] | None = None,
    every: Every | None = None,
    confidence_level: float = 0.95,
    incomplete: Incomplete = "published",
    **reading: Unpack[ReadingOptions],
) -> GroupDrift: ...
def drift(
    data: JudgmentsLike,
    by: Names | None = None,
    coefficient: str = "alpha",
    distance: DistanceLike = "nominal",
    *,
    order: str | None = None,
    gold: Label | Column | None = None,
    n_windows: int = 10,
    by_order: Sequence[Label] | None = None,
    every: Every | None = None,
    confidence_level: float = 0.95,
    incomplete: Incomplete = "published",
    **reading: Unpack[ReadingOptions],
) -> Drift | GroupDrift:
    """Test whether agreement changes along each coder's judgments, or over groups such as weeks.

    Parameters
    ----------
    data : data frame, lazy frame, list of dicts, table of items × coders, or Annotations
        One judgment a row. With `by` also a column for each coder, or Annotations.
    by : str, sequence or mapping, optional
        The column whose values make groups with an order, such as batches or weeks. For
        `Annotations` and tables without names of columns: the group of each item, as a sequence, a
        mapping or a Series; or the name of a column that was read `along`. By default each coder's
        sequence of judgments is tested.
    coefficient : str, default "alpha"
        The coefficient of the groups; a coder is compared with the others as in `coder_report`.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`. It must be symmetric.
    order : str, optional
        The column that orders each coder's judgments by value: numbers, dates or times, also as
        texts, or an ordered categorical; equal values share their mean place. By default, the order
        of the rows. Not with `by`.
    gold : mapping item -> label, or sequence, optional
        Labels to compare each coder with, instead of those of the others. A sequence has a label
        for each item, in the order of their first rows. Not with `by`.
    n_windows : int, default 10
        The number of parts of equal length into which each coder's sequence is divided.
    by_order : sequence, optional
        All groups in their order; they are then one step apart. By default the order is that of an
        ordered categorical, or by value: numbers, dates, times (also as texts such as
        "2024-01-31"), and texts with a number, "batch 2" before "batch 10". The positions are then
        the numbers or days; other groups are one step apart. Words, such as months, have no order.
    every : {"day", "week", "month", "quarter", "year"}, optional
        `by` is a column of dates, also as texts, and the groups are their weeks (of ISO 8601),
        months and so on, in the zone of a time that has one. An item of several rows is in the
        period of its first judgment, so that its judgments stay together. Only with `by`,
        and not for lazy frames.
    confidence_level : float, default 0.95
        The level of the intervals, between 0 and 1. A drift is reported if p is below 1 −
        confidence_level.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items of the groups count if judgments are missing: those that the coefficient's
        authors count, those with two judgments or more, or those that every coder of the group
        judged.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`. Without `by` a row is a judgment, which counts once, so
        there are no weights and duplicates.

    Returns
    -------
    Drift or GroupDrift
        Without `by` a row for each coder, and in ``windows`` a row for each part of each coder's
        sequence. With `by` the groups with their values, the fitted line and the tests.

    Raises
    ------
    ValueError
        If a column does not exist, a coder judged an item twice, the column `order` has an empty
        cell, or words whose order is not declared; if `by` names several columns, `by_order` leaves
        a group out, or a group is infinite or a word and there is no `by_order`.

    Notes
    -----
    Coders: let y_j be the mean distance of judgment j of coder c to the other judgments of its
    item. A value is 1 − ȳ / D_e with the D_e of the coder against the others over all items of the
    coder, so the mean of the windows' values, weighted by their judgments, is the coder's value.
    The line is the least-squares fit of y on the place in the coder's sequence. The test is the
    t test of the slope with n − 2 degrees of freedom; for large n it holds for any distribution of
    y. The intervals of windows use Student's t and the standard deviation within windows. D_e is
    treated as known, and items as independent. Items that become harder have the same effect as
    coders who become careless. To separate the two, give coders the items in different orders, or
    compare coders with each other. O(n log n).

    Groups: let y_i = atanh(value) have the standard error s_i = SE_i / (1 - value²) by the delta
    method. Let n_i be the items and x_i the positions about their weighted mean. The slope is b =
    Σ n_i x_i y_i / Σ n_i x_i², its variance Σ (n_i x_i s_i)² / (Σ n_i x_i²)², and b divided by its
    standard error is compared with the normal distribution. Weights of 1 / s_i² would be better if
    s_i were known. Estimated from few items they are far too sure: with 20 groups of 10 items and
    no drift, p is then below 0.05 in 13% of simulated series, and in 4% with the weights n_i. The
    test of whether groups differ uses Σ n_i (y_i - ȳ)², a weighted sum of χ² variables, scaled so
    that its mean and variance are those of a χ² (Box 1954). It is Cochran's Q if n_i s_i² is the
    same in all groups. A group without a standard error, or with the value 1, has no place on
    Fisher's scale and is left out. With many such groups the tests show little. O(judgments).

    References
    ----------
    Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal
    of Statistics 6, 65-70. Box, G. E. P. (1954). Some theorems on quadratic forms applied in the
    study of analysis of variance problems, I. Annals of Mathematical Statistics 25, 290-302.

    Examples
    --------
    From the middle on, Cid only uses "x":

    >>> import pandas as pd
    >>> from agreement_fast import diagnostics
    >>> labels = list("xyyx" * 10)
    >>> frame = pd.DataFrame({
    ...     "item": list(range(40)) * 3,
    ...     "coder": ["Ann"] * 40 + ["Bea"] * 40 + ["Cid"] * 40,
    ...     "label": labels + labels[:39] + ["y"] + labels[:20] + ["x"] * 20,
    ... })
    >>> for window in diagnostics.drift(frame, n_windows=2).windows[-2:]:
    ...     print(window.coder, window.start, window.end, round(window.value, 3))
    Cid 1 20 1.0
    Cid 21 40 -0.037

    Over six weeks, all coders together agree less and less:

    >>> agree, differ = [("x", "x"), ("y", "y")], [("x", "y"), ("y", "x")]
    >>> weeks = [20 * agree + week * differ for week in range(1, 7)]
    >>> table = [row for week in weeks for row in week]
    >>> by = [number for number, week in enumerate(weeks, 1) for _ in week]
    >>> result = diagnostics.drift(table, by)
    >>> round(result.first, 2), round(result.last, 2), result.p_value < 0.01
    (0.88, 0.49, True)

    The same by the months of the days on which items were judged:

    >>> days = [f"2024-0{month}-{1 + day % 28:02}" for month in range(1, 7)
    ...         for day in range(len(weeks[month - 1]))]
    >>> result = diagnostics.drift(table, days, every="month")
    >>> result.groups[:2], round(result.first, 2), round(result.last, 2)
    (('2024-01', '2024-02'), 0.88, 0.49)
    """
    check_share("confidence_level", confidence_level)
    if by is not None:
        for argument, given in (("order", order), ("gold", gold)):
            if given is not None:
                raise InputError(
                    (Argument(argument), " is for a coder's sequence, and ", Argument("by"),
                     " makes groups of all coders"),
                    ("leave one of the two out",)
                )  # fmt: skip
        table = agreement_by_group(
            data,
            by,
            [coefficient],
            [distance],
            confidence_level=confidence_level,
            every=every,
            incomplete=incomplete,
            **reading,
        )
        return drift_of_groups(table, by_order, confidence_level)
    if every is not None:
        raise InputError(
            (Argument("every", every), " makes groups of a column of dates"),
            ("name the column: ", Argument("by")),
        )
    check_count("n_windows", n_windows)
    resolved = resolve(distance)
    check_symmetric(resolved)
    rows = judged_rows(data, "the drift of a coder", **reading)
    _check_once(rows)
    times = None
    if order is not None:
        times = _times(data, order, rows.row)
    place, turn = _places(rows.coder, times)
    annotations, listed = rows.by_item(np.arange(len(rows.item)))
    if gold is None:
        observed, expected = _from_others(annotations, resolved)
    else:
        observed, expected = _from_gold(annotations, resolved, gold)
    who, place, turn = rows.coder[listed], place[listed], turn[listed]
    by_turn = np.lexsort((turn, who))
    begin = np.searchsorted(who[by_turn], np.arange(len(rows.coder_names) + 1))
    trends, parts = [], []
    for c, name in enumerate(rows.coder_names):
        own = by_turn[begin[c] : begin[c + 1]]
        away, scale = observed[own], float(expected[c])
        trends.append(_trend(name, place[own], away, scale, confidence_level))
        parts += _windows(name, away, scale, n_windows, confidence_level)
    adjusted = holm([trend.p_value for trend in trends])
    return Drift(
        resolved.name,
        "others" if gold is None else "gold",
        Listing(
            replace(trend, adjusted_p_value=p) for trend, p in zip(trends, adjusted, strict=True)
        ),
        Listing(parts),
    )


def _check_once(rows: JudgedRows) -> None:
    pairs = rows.item.astype(np.int64) * max(len(rows.coder_names), 1) + rows.coder
    order = np.argsort(pairs, kind="stable")
    twice = np.flatnonzero(np.diff(pairs[order]) == 0)
    if len(twice):
        row = order[twice[0]]
        raise InputError(
            f"coder {rows.coder_names[rows.coder[row]]!r} judged item "
            f"{as_python(rows.item_names[rows.item[row]])!r} more than once",
            "keep one judgment of each; intra_coder_agreement compares repeated judgments",
            argument="data",
        )


def _times(data: Any, order: str, row: Array) -> Array:
    """Return the rank of each judgment's time; equal times have equal ranks."""
    times = frames.ranks_of(frames.at_hand(data), order)
    if (times < 0).any():
        raise InputError(
            f"the column {order!r} has an empty cell, so the order of the judgments is unknown",
            "fill the cell, or leave these rows out",
            argument="order",
        )
    return times[row]


def _places(who: Array, times: Array | None) -> tuple[FloatArray, Array]:
    """Return each judgment's place in its coder's sequence (ties share the mean), and its turn."""
    if times is None:
        turn = turns(who)
        return turn.astype(np.float64), turn
    order = np.lexsort((times, who))
    turn = np.empty(len(who), np.int64)
    turn[order] = turns(who[order])
    pairs = who.astype(np.int64) * (int(times.max(initial=0)) + 1) + times
    run = np.unique(pairs, return_inverse=True)[1]
    return (np.bincount(run, turn) / np.bincount(run))[run], turn


def _bound(annotations: Annotations, distance: Distance) -> Form:
    counts = None
    if distance.ranks:
        counts = annotations.coder_marginals().values.sum(0).astype(np.float64)
    return distance.bind(annotations.labels, annotations.declared, counts)


def _from_others(annotations: Annotations, distance: Distance) -> tuple[FloatArray, FloatArray]:
    """Return the mean distance of each judgment to the others of its item, and each coder's D_e."""
    judgments = Judgments(annotations)
    form = _bound(annotations, distance)
    away = ratio(judgments.to_others(form), judgments.sizes[judgments.row] - 1)
    own, rest, n_items = own_and_rest(judgments)
    return away, _expected(form, own, rest, n_items)


def _from_gold(
    annotations: Annotations, distance: Distance, gold: Any
) -> tuple[FloatArray, FloatArray]:
    """Return the distance of each judgment to the gold label, and D_e of each coder."""
    data, codes = with_labels(annotations, gold, "gold")
    judgments, form = Judgments(data), _bound(data, distance)
    right = codes[judgments.row]
    known = np.flatnonzero(right >= 0)
    away = np.full(len(right), NAN)
    away[known] = form.between(judgments.codes[known].astype(np.int64), right[known])
    own, rest = np.zeros((2, len(judgments.names), judgments.n_categories))
    np.add.at(own, (judgments.coders[known], judgments.codes[known]), 1.0)
    np.add.at(rest, (judgments.coders[known], right[known]), 1.0)
    return away, _expected(form, own, rest, own.sum(1))


def _expected(form: Form, own: FloatArray, rest: FloatArray, n: Array) -> FloatArray:
    return ratio(form.bilinear(own, rest), np.asarray(n, float) ** 2)


def _trend(
    name: Any, place: FloatArray, away: FloatArray, expected: float, level: float
) -> CoderDrift:
    """Fit and test a coder's line; the p-value is not adjusted."""
    known = ~np.isnan(away)
    n = int(known.sum())
    result = CoderDrift(
        name, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, confidence_level=level, n_judgments=n,
        undefined=None,
    )  # fmt: skip
    if not n:
        return replace(result, undefined=NO_PAIRS)
    if not expected > 0:
        return replace(result, undefined=NO_VARIATION)
    y, x = away[known], place[known]
    ends = float(place.min()), float(place.max())
    mean = float(y.mean())
    result = replace(result, value=1 - mean / expected)
    moved = x - x.mean()
    spread = float(moved @ moved)
    if n < 3 or not spread:
        return replace(result, undefined=FEW)
    slope = float(moved @ y) / spread
    first, last = (1 - (mean + slope * (end - x.mean())) / expected for end in ends)
    length = ends[1] - ends[0]
    change = -slope * length / expected
    result = replace(result, first=first, last=last, change=change)
    residual = y - mean - slope * moved
    squares = float(residual @ residual)
    if squares <= 1e-20 * n:
        return replace(result, undefined=EXACT if np.ptp(y) else ALIKE)
    error = math.sqrt(squares / (n - 2) / spread)
    reach = student_quantile(n - 2, (1 + level) / 2) * error * length / expected
    return replace(
        result,
        change_low=change - reach,
        change_high=change + reach,
        p_value=2 * student_share(n - 2, -abs(slope) / error),
    )


def _windows(
    name: Any, away: FloatArray, expected: float, n_windows: int, level: float
) -> list[DriftWindow]:
    """Divide a coder's sequence into parts that differ in length by at most one judgment."""
    cuts = np.linspace(0, len(away), min(n_windows, len(away)) + 1).round().astype(np.int64)
    known = ~np.isnan(away)
    window = np.repeat(np.arange(len(cuts) - 1), np.diff(cuts))
    n = np.bincount(window[known], minlength=len(cuts) - 1)
    mean = ratio(np.bincount(window[known], away[known], len(n)), n)
    df = int(n.sum() - np.count_nonzero(n))
    reach = np.full(len(n), NAN)
    squares = float(((away[known] - mean[window[known]]) ** 2).sum())
    if df > 0 and squares > 1e-20:
        t = student_quantile(df, (1 + level) / 2)
        reach = ratio(np.array(t * math.sqrt(squares / df)), np.sqrt(n))
    scale = expected if expected > 0 else NAN
    return [
        DriftWindow(name, int(a) + 1, int(b), 1 - m / scale, 1 - (m + r) / scale,
                    1 - (m - r) / scale, level, int(k))
        for a, b, m, r, k in zip(cuts[:-1], cuts[1:], mean, reach, n, strict=True)
    ]  # fmt: skip
