"""Coefficients of many groups at once, with intervals.

A group's coefficient is a function of sums over its items (`sums.linear`), as a resample's is. So
groups are a leading axis of these sums: a pass over the judgments adds up what each group needs,
and chance models compute all groups together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, read_by, refuse_to_read
from agreement_fast.distances import Distance
from agreement_fast.distances.forms import DistanceLike, Form
from agreement_fast.distances.sums.categories import least_judgments
from agreement_fast.distances.sums.columns import Groups, Items, Numbers
from agreement_fast.distances.sums.linear import Linear, bound_forms, of_numbers
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.closed_form import in_one_pass, of_tables, standard_errors
from agreement_fast.inference.delta_method import interval_ends
from agreement_fast.inference.derivatives import influences
from agreement_fast.inference.intervals import ROUNDING
from agreement_fast.inference.results import ALIKE, NO_DISAGREEMENT, NO_SLOPE, ONE_ITEM
from agreement_fast.inference.score import score
from agreement_fast.options import Incomplete, Names, bar, check_choice, check_share
from agreement_fast.patterns import Rows, as_lists, cut_rows, take_rows
from agreement_fast.points import Point, chosen
from agreement_fast.present.tables import DETAILS, MadeRows, of_fields
from agreement_fast.present.terminal import spell_label
from agreement_fast.reading import frames
from agreement_fast.reading.groups import Grouped, group_items, in_periods, read_groups
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.recognition.read import Origin
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Estimated

#: The most judgments, and numbers in the sums of groups, that are processed together.
ROOM = 1 << 20


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GroupAgreement(Estimated):
    """A coefficient of a group, a float, with its interval.

    Attributes
    ----------
    group : tuple
        The value of each column of `by`.
    coefficient, distance : str
        Their names.
    value : float
        1 − D_o / D_e; NaN if undefined.
    observed_agreement : float
        1 − D_o, for distances from 0 to 1.
    observed_disagreement, expected_disagreement : float
        D_o and D_e, in units of the distance.
    standard_error, low, high, confidence_level : float
        Standard error and interval.
    n_items, n_judgments : int
        Items with two judgments or more, and their judgments; weights counted.
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval, or why it has no width.
    """

    @property
    def _names(self) -> tuple[Any, ...]:
        return self.group

    _caption = "{_names:list}: {coefficient}({distance}) = {value}[, {interval}], {n_items:item}"

    aside = DETAILS | {"n_judgments", "observed_disagreement", "expected_disagreement"}

    group: tuple[Any, ...]
    coefficient: str
    distance: str
    observed_disagreement: float
    expected_disagreement: float
    n_items: int
    n_judgments: int

    @property
    def observed_agreement(self) -> float:
        """A_o, which is 1 - D_o."""
        return 1.0 - self.observed_disagreement

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give one row, with the group as text."""
        return {"group": [", ".join(map(spell_label, self.group))], **of_fields([self])}


class _GroupValues(NamedTuple):
    """The computed arrays, of shape (points, groups)."""

    value: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    confidence_level: FloatArray
    n_items: Array
    n_judgments: Array
    observed_disagreement: FloatArray
    expected_disagreement: FloatArray

    def at(self, point: int, group: int) -> dict[str, Any]:
        """Return the numbers of one point and group, as fields of a result."""
        return {name: column[point, group].item() for name, column in self._asdict().items()}


class GroupTable(MadeRows[GroupAgreement]):
    """Coefficients of groups: a sequence of `GroupAgreement`, group by group.

    ``print(table)`` shows the first and last of them.

    Attributes
    ----------
    by : tuple of str
        The columns that make the groups; "group" if the groups were given without a name.
    groups : list of tuple
        The groups, in ascending order or that of an ordered categorical. Numbers within texts count
        as numbers: "batch 2" comes before "batch 10".
    ordered : bool
        Whether the groups are in the order of an ordered categorical.
    confidence_level : float
        Of the intervals.
    read : Read
        What was read, and what may be meant otherwise.
    """

    _table = "{by:list} = {_names:list} | coefficient | distance | n_items | value | low..high"
    _remarks = "_notes"
    _most = 20

    @property
    def _notes(self) -> Sequence[str]:
        return self.read.notes

    aside = DETAILS | {"n_judgments", "observed_disagreement", "expected_disagreement"}

    def __init__(
        self,
        groups: Grouped,
        points: Sequence[Point],
        result: _GroupValues,
        confidence_level: float,
        origin: Origin,
    ) -> None:
        self.by = tuple(map(str, groups.by))
        self.groups = groups.names
        self.ordered = groups.ordered
        self.confidence_level = confidence_level
        self._points = points
        self._values = result
        distances = {point.distance.name for point in points}
        self.read = origin.read(distances.pop() if len(distances) == 1 else "")

    def __len__(self) -> int:
        return len(self.groups) * len(self._points)

    def _made(self, places: Sequence[int]) -> Iterator[GroupAgreement]:
        for group, i in (divmod(place, len(self._points)) for place in places):
            point = self._points[i]
            yield GroupAgreement(
                group=self.groups[group],
                coefficient=point.name,
                distance=point.distance.name,
                **self._values.at(i, group),
                undefined=self._undefined(i, group),
                note=self._note(i, group),
            )

    def _undefined(self, i: int, group: int) -> str | None:
        if not np.isnan(self._values.value[i, group]):
            return None
        return NO_PAIRS if not self._values.n_items[i, group] else NO_VARIATION

    def _note(self, i: int, group: int) -> str | None:
        result, point = self._values, self._points[i]
        if np.isnan(result.value[i, group]):
            return None
        if np.isnan(result.standard_error[i, group]):
            return ONE_ITEM if point.has_slope else NO_SLOPE
        if result.low[i, group] < result.high[i, group]:
            return None
        return NO_DISAGREEMENT if not result.observed_disagreement[i, group] else ALIKE

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give a row for each group and coefficient.

        Returns
        -------
        dict of str to list
            The columns of `by`, "coefficient", "distance", "value", "standard_error", "low",
            "high", "confidence_level", "n_items", "n_judgments", "observed_disagreement",
            "expected_disagreement", "undefined" and "note" (texts or None). A column of `by` with
            one of these names gets the prefix "group_".
        """
        n, result = len(self._points), self._values
        undefined, narrow = np.isnan(result.value), ~(result.low < result.high)
        each = [(i, group) for group in range(len(self.groups)) for i in range(n)]
        ours = {
            "coefficient": [point.name for point in self._points] * len(self.groups),
            "distance": [point.distance.name for point in self._points] * len(self.groups),
            **{name: column.T.reshape(-1).tolist() for name, column in result._asdict().items()},
            "undefined": [self._undefined(*at) if undefined[at] else None for at in each],
            "note": [self._note(*at) if narrow[at] else None for at in each],
        }
        groups = {
            f"group_{name}" if name in ours else name: [
                group[place] for group in self.groups for _ in range(n)
            ]
            for place, name in enumerate(self.by)
        }
        return {**groups, **ours}


def agreement_by_group(
    data: JudgmentsLike,
    by: Names,
    coefficient: str | Iterable[str] | None = "alpha",
    distance: DistanceLike | Sequence[DistanceLike] = "nominal",
    *,
    confidence_level: float = 0.95,
    method: Literal["score", "delta"] = "score",
    incomplete: Incomplete = "published",
    progress: bool = False,
    order: str | None = None,
    every: Literal["day", "week", "month", "quarter", "year"] | None = None,
    **reading: Unpack[ReadingOptions],
) -> GroupTable:
    """Compute the coefficients of each group of items, with intervals.

    Parameters
    ----------
    data : data frame, lazy frame, list of dicts, table of items × coders, or Annotations
        One judgment a row (columns item, coder and label), or a column for each coder. The same
        item name in two groups means two items.
    by : str, sequence of str, or mapping
        The column, or the columns, whose values make the groups, by name; or a Series or an array
        of a group for each row. For `Annotations` and tables without names of columns: the group
        of each item, as a sequence, a mapping or a Series; or the name of a column that was read
        `along`.
    coefficient : str or sequence of str or None, default "alpha"
        Names of coefficients. None gives the usual ones of `agreement_table`.
    distance : str, Distance, array, mapping or function, or several, default "nominal"
        Each coefficient is computed under each distance that it takes.
    confidence_level : float, default 0.95
        Between 0 and 1.
    method : {"score", "delta"}, default "score"
        The interval: that of `standard_error`, which all reports use, or that of the delta method,
        on Fisher's scale.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: those that the coefficient's authors count,
        those with two judgments or more, or those that every coder of the group judged.
    progress : bool, default False
        Show a progress bar (needs tqdm).
    order : str, optional
        Name of a column that orders the judgments, for ``duplicates`` "first" and "last". By
        default it is the order of the rows of a data frame; the rows of a lazy frame have none.
    every : {"day", "week", "month", "quarter", "year"}, optional
        `by` is a column of dates, also as texts, and the groups are their weeks (of ISO 8601),
        months and so on, in the zone of a time that has one. An item of several rows is in the
        period of its first judgment, so that its judgments stay together. Not for lazy frames.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    GroupTable
        A row for each group and coefficient.

    Raises
    ------
    ValueError
        If a group has no name, a column is unknown, or the data are bad.

    Notes
    -----
    All groups share the categories: those declared, or all that occur in the table. S,
    Brennan-Prediger and AC depend on the number of categories. Ordinal ranks are those of the
    group. O(judgments + groups × categories); for κ and β, also times the coders of the group.
    About a million sums are held at a time.

    Examples
    --------
    >>> import pandas as pd
    >>> from agreement_fast import agreement_by_group
    >>> frame = pd.DataFrame({
    ...     "project": ["a"] * 6 + ["b"] * 6,
    ...     "item": [1, 1, 2, 2, 3, 3] * 2,
    ...     "coder": ["ann", "bob"] * 6,
    ...     "label": ["x", "x", "y", "y", "x", "y", "x", "y", "y", "x", "x", "x"],
    ... })
    >>> agreement_by_group(frame, "project")
    project  coefficient  distance  items    value       95% interval
    a        alpha        nominal       3   0.4444  -0.6329 to 0.9745
    b        alpha        nominal       3  -0.2500  -0.3504 to 0.9392
    """
    check_share("confidence_level", confidence_level)
    check_choice("method", method, ("score", "delta"))
    annotations, groups = grouped(data, by, order, every, **reading)
    points = chosen(coefficient, distance, annotations.coders is not None)
    if any(point.chance.knows_coders for point in points):
        annotations.known_coders("a chance model of individual coders (κ, β)")
    shape = (len(points), len(groups.names))
    value, error, low, high, observed, expected = np.full((6, *shape), np.nan)
    level, (n_items, n_judgments) = np.full(shape, confidence_level), np.zeros((2, *shape), int)
    result = _GroupValues(
        value, error, low, high, level, n_items, n_judgments, observed, expected
    )  # fmt: skip
    with bar(progress, len(groups.names), "groups") as more:
        for block in _blocks(annotations, groups, points, incomplete):
            for i, point in enumerate(points):
                _fill(result, i, point, block, confidence_level, method)
            more(block.groups.n)
    return GroupTable(groups, points, result, confidence_level, annotations.origin)


def grouped(
    data: Any,
    by: Any,
    order: str | None = None,
    every: str | None = None,
    **reading: Unpack[ReadingOptions],
) -> tuple[Annotations, Grouped]:
    """Return annotations and the groups of their items."""
    named, options, weights = read_by(**reading)
    if isinstance(data, Annotations):
        refuse_to_read({**reading, "order": order})
        groups = in_periods(group_items(data.beside(by, "by"), data.items), every)
        return data, groups._replace(by=(by,)) if isinstance(by, str) else groups
    data = frames.opened(data)
    read: Any = partial(read_groups, every=every)
    if frames.is_lazy(data):
        if every is not None:
            raise InputError(
                (Argument("every", every), " is for tables in memory"),
                ("make a column of periods in the query, and pass it as ", Argument("by")),
            )
        from agreement_fast.reading.engines.read import read_lazy_groups

        read = read_lazy_groups
    parts, groups = read(data, by, named, options._replace(order=order), weights)
    return Annotations.assemble(**parts), groups


class _Block(NamedTuple):
    """Some groups: their places, their items, and the judgments of an item that counts.

    Attributes
    ----------
    places : int array of shape (n,)
    groups : Groups
        The group of each item, from 0 to n − 1.
    items : Items or Numbers
        The items in the order of their groups.
    least : int array of shape (n,)
        The judgments of an item that counts, of each group.
    forms : dict
        The distances bound to the categories.
    """

    places: Array
    groups: Groups
    items: Items | Numbers
    least: Array
    forms: dict[Distance, Form]

    def counted(self, least: int) -> tuple[FloatArray, FloatArray]:
        """Return the items with at least some judgments, and their judgments, of each group."""
        sizes = self.items.sizes
        enough = sizes >= np.maximum(least, self.least)[self.groups.codes]
        weights = np.where(enough, self.items.weights, 0)
        return self.groups.sums(weights), self.groups.sums(weights * sizes)


def _fill(
    result: _GroupValues, i: int, point: Point, block: _Block, confidence_level: float, method: str
) -> None:
    """Fill in the coefficient of each group of a block, its interval and its numbers of items."""
    groups, items = block.groups, block.items
    error = low = high = np.full(groups.n, np.nan)
    if isinstance(items, Items) and in_one_pass(point, items.n_coders or 1, items.n_categories):
        start = np.searchsorted(groups.codes, np.arange(groups.n + 1))
        shape = (items.n_coders or 1 if point.chance.knows_coders else 1, items.n_categories)
        form = block.forms[point.distance]
        scored, observed, expected, error, _ = of_tables(
            items.rows, start, point, form, shape, block.least
        )
        value = scored.value
    else:
        made = Linear(items, [point], block.least[groups.codes], block.forms)
        sums = made.sums_of(groups)
        ((value, observed, expected),) = values = made.values(sums)
        if point.has_slope and not np.isnan(value).all():
            part = np.where(made.kept if point.of_pairs else made.counted, items.weights, 0)
            of_rows = influences(made, point, sums, groups, values[0])
            error = standard_errors(of_rows, part, groups)
            error[np.isnan(value)] = np.nan
            scored = score(made, point, sums, value, groups)
    if not np.isnan(error).all():
        flat = 2 * error <= ROUNDING * np.maximum(1.0, np.abs(value))  # the rest is rounding
        error[flat] = 0.0
        if method == "score":
            low, high = scored.ends(confidence_level)
        else:
            n_sampled, _ = block.counted(2 if point.of_pairs else 1)
            low, high = interval_ends(value, error, n_sampled, confidence_level, "atanh")
            low[flat] = high[flat] = value[flat]
    columns = value, error, low, high, confidence_level, *block.counted(2), observed, expected
    for column, entry in zip(result, columns, strict=True):
        column[i, block.places] = entry


def _blocks(
    annotations: Annotations, groups: Grouped, points: Sequence[Point], incomplete: Incomplete
) -> Iterator[_Block]:
    """Yield the groups with their items, some groups at a time."""
    codes, order = groups.codes, None
    if (codes[1:] < codes[:-1]).any():
        order = np.argsort(codes, kind="stable")
        codes = codes[order]
    start = np.searchsorted(codes, np.arange(len(groups.names) + 1))
    kind = _NumberBlocks if of_numbers(annotations, points) else _CategoryBlocks
    blocks = kind(annotations, points, incomplete, order)
    for first, last in _cuts(*blocks.sizes(start)):
        own = Groups(codes[start[first] : start[last]] - first, last - first)
        block = blocks.block(int(start[first]), int(start[last]), own)
        yield block._replace(places=np.arange(first, last))


def _cuts(judgments: Array, width: Array) -> Iterator[tuple[int, int]]:
    """Yield ranges of groups whose judgments and sums fit `ROOM`, or of a single group.

    Parameters
    ----------
    judgments : int64 array of shape (n,)
        Judgments of each group.
    width : int64 array of shape (n,)
        Size of the sums of each group. In a range, all groups take the size of the widest.
    """
    n, first = len(judgments), 0
    until = np.cumsum(judgments)
    while first < n:
        before = until[first] - judgments[first]
        last = int(np.searchsorted(until, before + ROOM, side="right"))
        last = min(last, first + ROOM // max(int(width[first]), 1))
        widest = np.maximum.accumulate(width[first:last])
        fit = np.searchsorted(widest * np.arange(1, len(widest) + 1), ROOM, side="right")
        last = max(first + int(fit), first + 1)
        yield first, last
        first = last


#: The places of groups that are not known yet.
NO_PLACES = np.zeros(0, np.int64)


@dataclass(eq=False)
class _ItemBlocks:
    """Ranges of items, in the order of their groups."""

    annotations: Annotations
    points: Sequence[Point]
    incomplete: Incomplete
    order: Array | None

    def __post_init__(self) -> None:
        self._complete = self.incomplete == "complete"
        self._least = least_judgments(self.annotations, self.incomplete)


class _CategoryBlocks(_ItemBlocks):
    """Ranges of items as functions of sums over categories."""

    def __post_init__(self) -> None:
        super().__post_init__()
        annotations, rows = self.annotations, self.annotations.rows
        self._rows = rows if self.order is None else take_rows(rows, self.order)
        self._forms = bound_forms(annotations, self.points)
        self._n_categories = len(annotations.labels)
        self._by_coder = self._complete or any(point.chance.knows_coders for point in self.points)
        self._n_coders = annotations.n_coders or 0

    def sizes(self, start: Array) -> tuple[Array, Array]:
        """Return the judgments of each group, and the size of its sums."""
        rows = self._rows
        judgments = start * rows.width if rows.width else rows.start[start]
        judgments = np.diff(judgments)
        coders = np.minimum(judgments, self._n_coders) if self._by_coder else 1
        return judgments, np.zeros_like(judgments) + coders * self._n_categories

    def block(self, first: int, last: int, groups: Groups) -> _Block:
        """Return the items first .. last - 1, which belong to some groups."""
        rows = as_lists(cut_rows(self._rows, first, last))
        least = np.full(groups.n, self._least)
        n_coders = None
        if self._by_coder:
            rows, n_coders, of_group = self._with_own_coders(rows, groups)
            if self._complete:
                least = np.maximum(1, of_group)
        items = Items(rows, self._n_categories, n_coders)
        return _Block(NO_PLACES, groups, items, least, self._forms)

    def _with_own_coders(self, rows: Rows, groups: Groups) -> tuple[Rows, int, Array]:
        """Number the coders within each group: the rows, the most of a group, and each group's."""
        assert rows.coders is not None
        of_group = np.repeat(groups.codes, np.diff(rows.start))
        pairs, keys = encode_ids(of_group * self._n_coders + rows.coders, "coder")
        group = keys // max(self._n_coders, 1)
        n = np.bincount(group, minlength=groups.n)
        order = np.argsort(keys)  # the coders of a group keep their order
        number = np.empty(len(keys), np.int32)
        number[order] = np.arange(len(keys)) - np.repeat(np.cumsum(n) - n, n)
        own = Rows(rows.codes, 0, rows.start, number[pairs], rows.repeats, rows.weights)
        return own, int(n.max(initial=0)), n


class _NumberBlocks(_ItemBlocks):
    """Ranges of items as functions of sums of numbers and their squares."""

    def __post_init__(self) -> None:
        super().__post_init__()
        numbers, weights, order = self.annotations.numbers, self.annotations.weights, self.order
        assert numbers is not None
        self._numbers = numbers if order is None else numbers[order]
        self._weights = weights if order is None or weights is None else weights[order]

    def sizes(self, start: Array) -> tuple[Array, Array]:
        """Return the numbers of each group, and the size of its sums."""
        width = self._numbers.shape[1]
        return np.diff(start) * width, np.full(len(start) - 1, 3 * max(width, 1))

    def block(self, first: int, last: int, groups: Groups) -> _Block:
        """Return the items first .. last - 1, which belong to some groups."""
        numbers = self._numbers[first:last]
        weights = None if self._weights is None else self._weights[first:last]
        given = ~np.isnan(numbers)
        # Shifting a group changes no difference, and keeps digits if groups are far apart.
        rows = np.flatnonzero(given.any(1))
        group, place = np.unique(groups.codes[rows], return_index=True)
        row = rows[place]
        origin = np.zeros(groups.n)
        origin[group] = numbers[row, given[row].argmax(1)]
        least = np.full(groups.n, self._least)
        if self._complete:
            present = np.zeros((groups.n, numbers.shape[1]), bool)
            np.logical_or.at(present, groups.codes, given)
            least = np.maximum(1, present.sum(1))
        items = Numbers(numbers - origin[groups.codes, None], weights, origin=0.0)
        distances = (point.distance for point in self.points)
        forms: dict[Distance, Form] = dict.fromkeys(distances, items.form)
        return _Block(NO_PLACES, groups, items, least, forms)
