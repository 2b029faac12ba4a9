"""Why judgments are missing: states in place of labels, counted by coder and item, and what the
coefficient would be if the missing judgments had been given.

A filling gives each missing judgment a category. How many judgments an item has then, and how many
there are in all, does not depend on the filling. So D_o is a sum over the items, and D_e a
quadratic function q of the marginals x, which are sums over the missing judgments. With D_e ≤ L(x)
for a linear function L, the least ratio D_o / D_e of all fillings is at least that of D_o / L,
which is found item by item (Dinkelbach 1967: the least D_o − ρ L is 0). L is the tangent of q at a
point, plus the most by which q lies above it in a region: an eigenvalue of its second derivative
times the square of the region's radius. If q is concave, that is 0 everywhere, and the point is
moved to the best tangent (Frank & Wolfe 1956). Otherwise the region is halved where the bound is
worst. The largest ratio is found in the same way, with L ≤ D_e.
"""

from __future__ import annotations

import heapq
import itertools
import math
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import wilson
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.chance import CHANCE, ITEM_WEIGHTS, Marginals
from agreement_fast.coefficients import result_of
from agreement_fast.distances.forms import DistanceLike, Form
from agreement_fast.distances.sums.categories import least_judgments
from agreement_fast.distances.sums.columns import Items, pattern_rows
from agreement_fast.distances.sums.linear import Linear, bound_forms
from agreement_fast.errors import InputError, LabelHint
from agreement_fast.inference.closed_form import closed_form
from agreement_fast.options import ByName, Incomplete, Names, check_choice, check_share
from agreement_fast.patterns import (
    Rows,
    as_lists,
    as_lists_without_coders,
    as_table,
    coder_of,
    dense,
    narrow,
    row_of,
)
from agreement_fast.points import Point
from agreement_fast.present.result import Presented
from agreement_fast.present.sections import Rows as Shown
from agreement_fast.present.sections import Section
from agreement_fast.present.tables import Table, ends_of
from agreement_fast.present.terminal import number_of, shorten, show_cell, show_interval
from agreement_fast.reading.labels import arrange

POLICIES = ("missing", "not applicable", "label", "item")

#: Numbers in memory and fillings, up to which all fillings are compared.
CELLS, FILLINGS = 1 << 22, 1 << 16
#: Categories, and rows × categories, up to which there are bounds.
CATEGORIES, MARGINS = 256, 1 << 24
#: Tangents that are tried, fewer if rows × categories × tangents are more than `WORK`.
TANGENTS, WORK = 200, 1 << 28
#: Bounds this near to the value of a filling are exact; nearer than `CLOSE`, no region is halved.
EXACT, CLOSE = 1e-9, 1e-5

TOO_MANY = "no bounds: the distances of more than {:,} categories are not compared"
TOO_LARGE = "no bounds: {:,} different rows of {:,} categories take too much memory"
RANKS = "no bounds: the ordinal distance depends on the filling, and {:,} judgments are missing"
NO_MODEL = "no bounds: the chance model {} is not known to be quadratic"
NO_EXPECTED = "unbounded: in some filling almost no disagreement would be expected"
NO_FILLING = "undefined in every filling"


@dataclass(frozen=True, repr=False)
class MissingJudgments(Presented):
    """Why judgments are missing, and how far they could move a coefficient.

    Attributes
    ----------
    coefficient, distance : str
        The coefficient.
    value, low, high : float
        The coefficient of the judgments that were given, and its interval.
    confidence_level : float
        The level of all intervals.
    n_items, n_judgments : int
        The items that the value rests on, and their judgments.
    n_missing : int
        Judgments that are missing (of states with the policy "missing"), which the bounds fill in.
    least, largest : float
        Bounds of the coefficient over all ways to fill in the missing judgments with categories.
    certainty : str
        "exact" if some filling has each of these values; "guaranteed" if every filling lies between
        them, but perhaps none at them.
    undefined : str or None
        Why a bound is NaN.
    states : Table
        A row per state: its policy, its judgments, the share of all entries with its interval, and
        the items and coders that have it.
    coders : Table
        A row per coder and state: the number, and its share of the coder's entries with its
        interval. An empty cell is no entry, unless None is a state.
    items : Table
        A row per item and state that occurs, the items with most such entries first.
    scenarios : Table
        The coefficient if the states are treated otherwise, or the missing judgments filled in:
        "chosen" (the policies that were chosen), "missing" (all states left out), "label" (each
        state a category), "item" (items with any state left out), "agreed" and "disagreed" (each
        missing judgment equal to the label nearest to the item's others, or farthest).
    """

    _caption = (
        "{n_missing:judgment} missing: {coefficient}({distance}) = {value}, from {least} to "
        "{largest} in all fillings ({certainty})"
    )
    _remarks = ""

    coefficient: str
    distance: str
    value: float
    low: float
    high: float
    confidence_level: float
    n_items: int
    n_judgments: int
    n_missing: int
    least: float
    largest: float
    certainty: str
    undefined: str | None
    states: Table
    coders: Table
    items: Table
    scenarios: Table

    def sections(self) -> list[Section]:
        """Say how far what is missing could move the coefficient, and what is missing."""
        name = f"{self.coefficient} ({self.distance})"
        if self.n_missing and not self.undefined:
            how = "these bounds are exact" if self.certainty == "exact" else (
                "no filling lies outside, though perhaps none reaches these bounds"
            )  # fmt: skip
            filled = (
                f"In all ways to fill in {number_of(self.n_missing, 'missing judgment')}, it lies"
                f" between {show_cell(self.least)} and {show_cell(self.largest)}: {how}."
            )
        else:
            why = self.undefined or "no judgment is missing"
            filled = f"{why[:1].upper()}{why[1:]}."
        answer = f"{name} = {show_cell(self.value)}, {show_interval(self)}."
        result = [Section("If nothing were missing", [answer, filled])]
        layout = "scenario | value | low..high | items = n_items | judgments = n_judgments"
        sides = "<>>>>>"
        level: Any = {"level": self.confidence_level}
        if any(self.scenarios.to_dict()["undefined"]):
            layout, sides = f"{layout} | undefined", "<>>>>><"
        scenarios = self.scenarios.to_dict()
        scenarios["undefined"] = [why or "–" for why in scenarios["undefined"]]
        shown = Shown.laid(scenarios, layout, sides=sides, limit=200, **level)
        result.append(Section("Scenarios", [shown]))
        layout = "state | policy | n | share | low..high | items = n_items | coders = n_coders"
        result.append(
            Section("States", [Shown.laid(_named(self.states), layout, sides="<<>>>>>>", **level)])
        )
        if len(self.coders):
            layout = "coder | state | n | share | low..high"
            shown = Shown.laid(_named(self.coders), layout, sides="<<>>>>", what="row", **level)
            result.append(Section("Coders", [shown]).hidden())
        if len(self.items):
            shown = Shown.laid(
                _named(self.items), "item | state | n", sides="<<>", what="row", most=50
            )
            result.append(Section("Items", [shown]).hidden())
        return result


def missing_judgments(
    data: JudgmentsLike,
    state: ByName[str] | Names,
    coefficient: str = "alpha",
    *,
    distance: DistanceLike = "nominal",
    incomplete: Incomplete = "published",
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> MissingJudgments:
    """Count why judgments are missing, and bound the coefficient if they had been given.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments of known coders, in which some labels are states such as "n/a" or "abstained".
    state : mapping of label to policy, label, or sequence of labels
        The labels that are states, and what each means:

        - "missing", as in a sequence: a judgment was due and is missing. It is left out, and the
          bounds fill it in.
        - "not applicable": no judgment was due. It is left out, and not filled in.
        - "label": it is a judgment, and a category of its own.
        - "item": the item is left out for all coders.

        None stands for empty cells, which are otherwise not applicable.
    coefficient : str, default "alpha"
        The name of the coefficient.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far two labels are apart; see `agreement_fast.distances`.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count; see `agreement`.
    confidence_level : float, default 0.95
        The level of the intervals, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    MissingJudgments
        The coefficient with its bounds; tables of states, coders, items and scenarios.

    Raises
    ------
    ValueError
        If a state does not occur, or a policy is not known.

    Notes
    -----
    Categories are those of the judgments that were given, or declared. "agreed" gives each missing
    judgment the category with the least sum of distances to the item's judgments, which is their
    majority for the nominal distance, and "disagreed", one after the other, that with the largest;
    the first of several, and the most frequent category for items without judgments.
    "disagreed" is not always the least value, because the labels also change chance.

    If there are few, all fillings are compared, and the bounds are exact. Otherwise they are
    guaranteed: D_o is bounded item by item, and D_e, which is quadratic in the marginals, by linear
    functions (Dinkelbach 1967). Bounds are those of these items; the intervals are about others.

    O(judgments + states · items); bounds O(distinct rows · K) for each of some hundred tangents.

    References
    ----------
    Dinkelbach, W. (1967). On nonlinear fractional programming. Management Science 13, 492–498.

    Examples
    --------
    >>> from agreement_fast import diagnostics
    >>> table = [["x", "x"], ["y", "n/a"], ["y", "y"], ["x", "abstained"], ["x", "y"]]
    >>> result = diagnostics.missing_judgments(table, {"n/a": "missing", "abstained": "missing"})
    >>> result
    <2 judgments missing: alpha(nominal) = 0.444444, from -0.08 to 0.64 in all fillings (exact)>
    >>> columns = result.scenarios.to_dict()
    >>> dict(zip(columns["scenario"], columns["value"]))["agreed"]
    0.64
    """
    check_share("confidence_level", confidence_level)
    policies = _policies(state)
    with warnings.catch_warnings():
        # The states are named, so that their looks need no warning.
        for label in policies:
            warnings.filterwarnings("ignore", re.escape(f"label {label!r} "), LabelHint)
        annotations = as_annotations(data, **reading)
    for label in policies:
        if label is not None and label not in annotations.categories:
            raise InputError(
                f"{label!r} is no label of these data; the labels are "
                f"{shorten(annotations.categories)}",
                argument="state",
            )
    point = Point.of(coefficient, distance)
    names = annotations.known_coders("missing_judgments()")
    rows = annotations.rows
    if None in policies and not rows.width:
        rows = as_table(dense(rows, len(names)), rows.weights)
    read = _Read(annotations, rows, policies)
    chosen = read.marked(policies)
    given = _unfilled(chosen)
    filling = _Filling(chosen, given, point, incomplete)
    made: dict[str, Annotations | None] = {"chosen": given}
    for name in ("missing", "label", "item"):
        made[name] = _unfilled(read.marked(dict.fromkeys(policies, name)))
    for name in ("agreed", "disagreed"):
        made[name] = given if not filling.n else filling.scenario(name)
    scenarios = [
        _scenario(name, some, point, incomplete, confidence_level, filling.refused)
        for name, some in made.items()
    ]
    least, largest, exact, undefined = filling.bounds()
    value: Any = scenarios[0]
    tables: Any = read.counts(confidence_level)
    return MissingJudgments(
        coefficient=point.name,
        distance=point.distance.name,
        **{name: value[name] for name in ("value", "low", "high")},
        confidence_level=confidence_level,
        n_items=value["n_items"],
        n_judgments=value["n_judgments"],
        n_missing=filling.n,
        least=least if filling.n else value["value"],
        largest=largest if filling.n else value["value"],
        certainty="exact" if exact or not filling.n else "guaranteed",
        undefined=undefined if filling.n else value["undefined"],
        **tables,
        scenarios=Table({name: [row[name] for row in scenarios] for name in value}),
    )


def _policies(states: Any) -> dict[Any, str]:
    """Return the policy of each state, checked."""
    if isinstance(states, str) or not isinstance(states, Iterable):
        states = [states]
    policies = dict(states) if isinstance(states, Mapping) else dict.fromkeys(states, "missing")
    if not policies:
        raise InputError("state is empty", "name the labels that are states", argument="state")
    for state, policy in policies.items():
        check_choice("state", policy, POLICIES)
        if state is None and policy == "label":
            raise InputError(
                "an empty cell is no label",
                "choose missing, not applicable or item",
                argument="state",
            )
    return policies


class _Read:
    """Judgments with the state of each."""

    def __init__(self, annotations: Annotations, rows: Rows, policies: Mapping[Any, str]) -> None:
        self.annotations, self.rows, self.states = annotations, rows, list(policies)
        self._policies = policies
        #: The number of the state of each code; of an empty cell at the end. -1 is a label.
        self._state = np.array(
            [self.states.index(label) if label in policies else -1
             for label in (*annotations.categories, None)]
        )  # fmt: skip
        self._of_each = self._state[rows.codes]
        self._row = row_of(rows, np.arange(len(rows.codes)))
        self._weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights

    def marked(self, policies: Mapping[Any, str]) -> Annotations:
        """Recode: the last category stands for what is missing, and other states are left out."""
        data, rows = self.annotations, self.rows
        kept = [
            label
            for label in data.categories
            if label not in policies or policies[label] == "label"
        ]
        kept = kept if data.declared else [kept[i] for i in arrange(kept)]
        place = {label: k for k, label in enumerate(kept)}
        place |= {state: len(kept) for state, policy in policies.items() if policy == "missing"}
        lookup = np.array([place.get(label, -1) for label in (*data.categories, None)])
        codes = lookup[rows.codes].astype(narrow(len(kept) + 1))
        left_out = [policies[state] == "item" for state in self.states]
        dropped = np.zeros(rows.n_rows, bool)
        dropped[self._row[np.array([*left_out, False])[self._of_each]]] = True
        codes[dropped[self._row]] = -1
        return data.with_rows(_given(rows, codes), categories=(*kept, _MISSING))

    def counts(self, confidence_level: float) -> dict[str, Table]:
        """Count the states, by coder and by item."""
        n, data = len(self.states), self.annotations
        C = len(data.known_coders("missing_judgments()"))
        entry = np.flatnonzero((self.rows.codes >= 0) | (None in self._policies))
        own, row, coder = self._of_each[entry], self._row[entry], coder_of(self.rows, entry)
        weights = self._weights[row]
        cells = np.bincount(coder * (n + 1) + own + 1, weights, C * (n + 1)).reshape(C, n + 1)
        totals = cells.sum(1)
        of_state = cells[:, 1:].sum(0)
        pairs, first = np.unique(row * (n + 1) + own + 1, return_index=True)
        items = np.bincount(pairs % (n + 1), weights[first], n + 1)[1:]
        ends = wilson(of_state, np.full(n, totals.sum()), confidence_level)
        of_states: dict[str, Any] = {
            "state": self.states,
            "policy": [self._policies[state] for state in self.states],
            "n": of_state.astype(np.int64),
            "share": ratio(of_state, totals.sum()),
            **ends_of("", ends),
            "n_items": items.astype(np.int64),
            "n_coders": (cells[:, 1:] > 0).sum(0),
        }
        ends = wilson(cells[:, 1:], np.repeat(totals[:, None], n, 1), confidence_level)
        of_coders: dict[str, Any] = {
            "coder": [name for name in data.known_coders("counts") for _ in range(n)],
            "state": self.states * C,
            "n": cells[:, 1:].reshape(-1).astype(np.int64),
            "share": ratio(cells[:, 1:], totals[:, None]).reshape(-1),
            **ends_of("", map(np.ravel, ends)),
        }
        with_state = own >= 0
        cell, times = np.unique(row[with_state] * n + own[with_state], return_counts=True)
        of_item = np.bincount(cell // n, times, self.rows.n_rows)
        order = np.lexsort((cell, -of_item[cell // n]))
        if data.unnamed:
            order = order[:0]
        of_items: dict[str, Any] = {
            "item": np.fromiter(data.items, object)[cell[order] // n].tolist(),
            "state": np.fromiter(self.states, object)[cell[order] % n].tolist(),
            "n": times[order],
        }
        return {"states": Table(of_states), "coders": Table(of_coders), "items": Table(of_items)}


#: The category that stands for a missing judgment; no label is equal to it.
_MISSING = object()


def _named(table: Table) -> dict[str, Any]:
    """Return the columns of a table for people, who read None as an empty cell."""
    columns = table.to_dict()
    names = ["empty cell" if label is None else label for label in columns["state"]]
    return {**columns, "state": names}


def _given(rows: Rows, codes: Array) -> Rows:
    """Return rows with other codes, without judgments whose code is -1."""
    if rows.width:
        return rows.replace(codes=codes)
    kept = codes >= 0
    lengths = np.bincount(row_of(rows, np.flatnonzero(kept)), minlength=rows.n_rows)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    coders = None if rows.coders is None else rows.coders[kept]
    return Rows(codes[kept], 0, start, coders, None, rows.weights)


def _unfilled(marked: Annotations) -> Annotations:
    """Return the judgments without those that are missing."""
    rows, labels = marked.rows, marked.categories[:-1]
    codes = np.where(rows.codes == len(labels), rows.codes.dtype.type(-1), rows.codes)
    return marked.with_rows(_given(rows, codes), categories=labels)


def _scenario(
    name: str,
    data: Annotations | None,
    point: Point,
    incomplete: Incomplete,
    level: float,
    refused: str | None,
) -> dict[str, Any]:
    """Return the coefficient of a scenario with its interval, or why there is none."""
    keys = "scenario value low high n_items n_judgments undefined".split()  # noqa: SIM905
    nothing = dict(zip(keys, (name, math.nan, math.nan, math.nan, 0, 0, refused), strict=True))
    if data is None:
        return nothing
    try:
        result = result_of(data, point, incomplete)
    except InputError as error:  # the distance does not take all labels
        return {**nothing, "undefined": str(error.problem)}
    scored = closed_form(data, point, incomplete).score if point.has_slope else None
    low, high = (math.nan, math.nan) if scored is None else scored.ends_of_one(level)
    values = (name, result.value, low, high, result.n_items, result.n_judgments, result.undefined)
    return dict(zip(keys, values, strict=True))


def _distinct(marked: Annotations, by_coder: bool) -> Rows:
    """Return the distinct rows as lists, with each judgment by itself; see `pattern_rows`."""
    rows = pattern_rows(marked, by_coder)
    rows = as_lists(rows) if by_coder else as_lists_without_coders(rows)
    if rows.repeats is None:
        return rows
    ends = np.concatenate([[0], np.cumsum(rows.repeats)]).astype(np.int64)
    return Rows(np.repeat(rows.codes, rows.repeats), 0, ends[rows.start], None, None, rows.weights)


class _Filling:
    """The missing judgments in the distinct rows, and what they may become."""

    def __init__(
        self, marked: Annotations, given: Annotations, point: Point, incomplete: Incomplete
    ) -> None:
        self.marked, self.given, self.point = marked, given, point
        self.by_coder, self.least = point.chance.knows_coders, least_judgments(given, incomplete)
        self.n = 0
        self.K = K = len(given.labels)
        rows = as_lists(marked.rows)
        weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
        self.n = int(weights[row_of(rows, np.flatnonzero(rows.codes == K))].sum())
        self.refused = TOO_MANY.format(CATEGORIES) if K > CATEGORIES else None
        if not self.n or self.refused or not K:
            self.refused = self.refused or (NO_FILLING if not K else None)
            return
        self.rows = rows = _distinct(marked, self.by_coder or incomplete == "complete")
        self.row = row_of(rows, np.arange(len(rows.codes)))
        self.weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(float)
        self.missing = rows.codes == K
        self.sizes = np.diff(rows.start).astype(np.float64)
        self.n_missing = np.bincount(self.row, self.missing, rows.n_rows).astype(np.int64)
        self.distances = np.asarray(given.distance_matrix(point.distance).values)
        #: The rows in which something is missing, and how often each category was given there.
        self.some = np.flatnonzero(self.n_missing)
        if len(self.some) * K > MARGINS:
            self.refused = TOO_LARGE.format(len(self.some), K)
            return
        place = np.full(rows.n_rows, -1)
        place[self.some] = np.arange(len(self.some))
        inside = ~self.missing & (place[self.row] >= 0)
        cells = place[self.row[inside]] * K + rows.codes[inside]
        self.counts = np.bincount(cells, minlength=len(self.some) * K).reshape(-1, K).astype(float)
        #: The row, among those, of each missing judgment.
        self.slot_row = place[self.row[self.missing]]

    def scenario(self, name: str) -> Annotations | None:
        """Return the judgments in which what is missing had agreed, or disagreed."""
        if self.refused:
            return None
        order = np.arange(len(self.slot_row)) - np.searchsorted(self.slot_row, self.slot_row)
        costs = self.counts @ self.distances
        uses = np.bincount(self.rows.codes[~self.missing], self.weights[self.row[~self.missing]])
        codes = np.zeros(len(self.slot_row), self.rows.codes.dtype)
        nothing = self.counts.sum(1) == 0
        for step in range(int(order.max()) + 1):
            slots = np.flatnonzero(order == step)
            own = costs[self.slot_row[slots]]
            picked = own.argmin(1) if name == "agreed" else own.argmax(1)
            if step == 0:
                picked[nothing[self.slot_row[slots]]] = uses.argmax()
            codes[slots] = picked
            costs[self.slot_row[slots]] += self.distances[picked]
        every = self.rows.codes.copy()
        every[self.missing] = codes
        return self.given.with_rows(self.rows.replace(codes=every))

    def bounds(self) -> tuple[float, float, bool, str | None]:
        """Return the least and the largest value, whether they are exact, and why they are NaN."""
        if not self.n or self.refused:
            return math.nan, math.nan, False, self.refused
        values = self._all_values()
        if values is not None:
            values = values[~np.isnan(values)]
            if not len(values):
                return math.nan, math.nan, True, NO_FILLING
            return float(values.min()), float(values.max()), True, None
        if self.point.distance.ranks:
            return math.nan, math.nan, False, RANKS.format(self.n)
        if self.point.chance is not CHANCE.get(self.point.chance.name):
            return math.nan, math.nan, False, NO_MODEL.format(self.point.chance.name)
        if self.K < 2 or self.sizes.max() < max(2, self.least):
            return math.nan, math.nan, True, NO_FILLING
        ratios = _Ratios(self)
        (most, top), (fewest, low) = ratios.bound(largest=True), ratios.bound(largest=False)
        undefined = None if math.isfinite(most) else NO_EXPECTED
        if abs(most - top) <= EXACT and abs(fewest - low) <= EXACT:
            return 1 - top, 1 - low, True, None
        return (1 - most if undefined is None else math.nan), 1 - fewest, False, undefined

    def _all_values(self) -> FloatArray | None:
        """Compute the value of every filling, or None if they are too many. Equal items are alike.

        Each way to fill in a row is a row of its own; a filling says how many items have each.
        """
        K, kept = self.K, np.flatnonzero(self.n_missing == 0)
        ways, times, n = [], [], 1
        for u in self.some.tolist():
            m, w = int(self.n_missing[u]), int(self.weights[u])
            n_ways = K**m if self.by_coder else math.comb(m + K - 1, m)
            n *= math.comb(w + n_ways - 1, w)
            if n > FILLINGS or n * (len(kept) + n_ways) > CELLS:
                return None
            ways.append(
                list(itertools.product(range(K), repeat=m))
                if self.by_coder
                else list(itertools.combinations_with_replacement(range(K), m))
            )
            times.append(_compositions(w, n_ways))
        if n * (len(kept) + sum(map(len, ways))) > CELLS:
            return None
        # The rows: those that are complete, and each way to fill in the others
        source = np.concatenate([kept, np.repeat(self.some, list(map(len, ways)))])
        start = np.concatenate([[0], np.cumsum(np.diff(self.rows.start)[source])]).astype(np.int64)
        places = np.repeat(self.rows.start[source] - start[:-1], np.diff(start))
        places += np.arange(start[-1])
        codes, coders = self.rows.codes[places], self.rows.coders
        codes[codes == K] = list(itertools.chain.from_iterable(itertools.chain(*ways)))
        of_coders = None if coders is None else coders[places]
        items = Items(Rows(codes, 0, start, of_coders), K, self.given.n_coders)
        made = Linear(items, [self.point], self.least, bound_forms(self.given, [self.point]))
        each = np.meshgrid(*(np.arange(len(some)) for some in times), indexing="ij")
        drawn = [some[place.reshape(-1)].T for some, place in zip(times, each, strict=True)]
        same = np.repeat(self.weights[kept][:, None], n, 1)
        chosen = np.ascontiguousarray(np.concatenate([same, *drawn]), np.float64)
        return made.values(made.sums(chosen))[0].value


def _compositions(total: int, parts: int) -> Array:
    """List the ways to write a number as an ordered sum of `parts` numbers: (ways, parts)."""
    bars = np.array(list(itertools.combinations(range(total + parts - 1), parts - 1)), np.int64)
    ends = np.full((len(bars), 1), total + parts - 1)
    return np.diff(np.hstack([np.full_like(ends, -1), bars.reshape(len(ends), -1), ends])) - 1


class _Marginals(Marginals):
    """The marginals of a filling, of the one kind that a chance model needs."""

    def __init__(self, values: FloatArray, form: Form) -> None:
        self._values, self._form = values, form

    def scale(self, form: Form) -> tuple[Any, Any, Any]:
        return form.total(), self._values.shape[-1], form.largest

    def shares(self) -> FloatArray:
        return self._values

    counts = each = shares


class _Ratios:
    """D_o / D_e of the fillings. A filling of a row is how often it has each category: (U, K)."""

    def __init__(self, filling: _Filling) -> None:
        self.filling, self.K = filling, filling.K
        self.chance = filling.point.chance
        (self.form,) = bound_forms(filling.given, [filling.point]).values()
        sizes, weights, some = filling.sizes, filling.weights, filling.some
        kept = sizes >= max(2, filling.least)
        counted = sizes >= max(1, filling.least)
        of_items = weights * kept * (sizes if ITEM_WEIGHTS[filling.point.item_weight] else 1.0)
        factor = of_items / np.maximum(sizes * (sizes - 1), 1.0) / of_items.sum()
        # D_o of what was given, and the factor of each pair of the rows where something is missing
        codes, row, rows = filling.rows.codes, filling.row, filling.rows
        given = Rows(np.where(filling.missing, -1, codes), 0, rows.start, rows.coders)
        items = Items(_given(given, given.codes), self.K, filling.given.n_coders)
        self.observed = float(factor @ items.disagreement(self.form))
        self.pair = 2 * factor[some]
        self.to_given = (filling.counts @ filling.distances) * self.pair[:, None]
        self.m = filling.n_missing[some].astype(np.float64)
        # How much a judgment of a row adds to the marginal
        needs = self.chance.needs - {"categories"}
        part = kept if "pairable" in needs else counted
        adds = weights * part
        if "shares" in needs:
            adds = adds / np.maximum(sizes, 1) / adds.sum()
        self.adds = adds[some]
        present = ~filling.missing
        by_coder = "coders" in needs
        shape = (filling.given.n_coders if by_coder else 1) or 1
        coder = np.zeros(len(codes), np.int64)
        if by_coder and rows.coders is not None:
            coder = rows.coders.astype(np.int64)
        cells = coder[present] * self.K + codes[present]
        known = np.bincount(cells, adds[row[present]], shape * self.K).reshape(shape, self.K)
        #: The block of each missing judgment: its coder, if chance knows coders.
        self.block = coder[filling.missing]
        self.total = np.bincount(self.block, self.adds[filling.slot_row], shape)
        self.known, self.by_coder, self.no_chance = known, by_coder, not needs
        self.varied = np.flatnonzero(self.total > 0)
        self.curvature = self._curvature()
        self.steps = int(np.clip(WORK // max(len(some) * self.K, 1) // 4, 4, TANGENTS))

    def expected(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Return D_e with x (blocks, K) added to what was given, and its derivative."""
        values = self.known + x
        marginals = _Marginals(values if self.by_coder else values[0], self.form)
        value = self.chance.expected(marginals, self.form)
        slope = np.zeros(values.shape)
        if not self.no_chance:
            assert self.chance.slope is not None
            of_each = self.chance.slope(marginals, self.form, np.asarray(value))
            for name in ("shares", "pairable", "coders"):
                if name in of_each:
                    slope = slope + of_each[name].reshape(slope.shape)
        return float(value), slope

    def _curvature(self) -> tuple[float, float]:
        """Return the least and the largest d in D_e(x + δ) = D_e(x) + slope·δ + d |δ|².

        δ adds up to 0 in each block, as the difference of two fillings does.
        """
        if self.no_chance or self.K < 2:
            return 0.0, 0.0
        # An orthonormal basis of the vectors with sum 0
        basis = np.linalg.qr(np.hstack([np.ones((self.K, 1)), np.eye(self.K)[:, 1:]]))[0][:, 1:].T
        x = self.centre()
        _, start = self.expected(x)
        columns = []
        for c in self.varied.tolist():
            scale = self.total[c]
            for direction in basis:
                moved = x.copy()
                moved[c] += scale * direction
                change = (self.expected(moved)[1] - start) / scale
                columns.append((change[self.varied] @ basis.T).reshape(-1))
        if not columns:
            return 0.0, 0.0
        second = np.array(columns)
        values = np.linalg.eigvalsh((second + second.T) / 4)
        rounding = 1e-12 * float(np.abs(values).max())
        low, high = float(values[0]) - rounding, float(values[-1]) + rounding
        return (low if low < -2 * rounding else 0.0), (high if high > 2 * rounding else 0.0)

    def centre(self) -> FloatArray:
        """Return the marginals in which every category is as frequent."""
        return np.repeat(self.total[:, None] / self.K, self.K, 1)

    def extreme(self, costs: FloatArray, largest: bool) -> tuple[float, float, FloatArray]:
        """Optimise D_o plus costs (blocks, K) of the marginals, row by row.

        Returns a bound of the D_o of the optimum that may be beyond it, the D_o of the filling that
        was found, and the marginals of this filling.
        """
        sign, filling, D = (-1 if largest else 1), self.filling, self.filling.distances
        if not self.by_coder:
            own = sign * (self.to_given + self.adds[:, None] * costs)
            if largest and filling.point.distance.name == "nominal":
                filled = np.zeros(own.shape)
                for step in range(int(self.m.max())):
                    best = (own + self.pair[:, None] * filled).argmin(1)
                    filled[np.arange(len(best)), best] += self.m > step
                among = self.pair * (self.m**2 - (filled**2).sum(1)) / 2
                value = self.observed + float((self.to_given * filled).sum() + among.sum())
                return value, value, (self.adds @ filled)[None]
            filled = np.eye(self.K)[own.argmin(1)] * self.m[:, None]
            x = (self.adds @ filled)[None]
        else:
            slot = self.filling.slot_row
            own = sign * (self.to_given[slot] + self.adds[slot, None] * costs[self.block])
            best = own.argmin(1)
            filled = np.bincount(slot * self.K + best, minlength=len(self.m) * self.K)
            filled = filled.reshape(-1, self.K).astype(np.float64)
            x = np.bincount(self.block * self.K + best, self.adds[slot], self.known.size)
            x = x.reshape(self.known.shape)
        alone = self.observed + float((self.to_given * filled).sum())
        among = float((self.pair * ((filled @ D) * filled).sum(1)).sum() / 2)
        most = float((self.pair * self.m * (self.m - 1)).sum() / 2) * float(D.max(initial=0.0))
        return alone + (most if largest else 0.0), alone + among, x

    def along(
        self, point: FloatArray, room: float, largest: bool
    ) -> tuple[float, float, FloatArray]:
        """Bound D_o / D_e by the tangent of D_e at a point, moved by `room`.

        Returns the bound, the ratio of a filling, and this filling's marginals.
        """
        value, slope = self.expected(point)
        base = value + room - float((slope * point).sum())
        if largest:
            least = sum(
                self.total[c] * slope[c].min() for c in self.varied.tolist()
            )  # of the tangent over all fillings
            if base + least <= EXACT * self.filling.distances.max():
                return math.inf, math.nan, point
        ratio, reached, at = 0.0 if largest else math.inf, math.nan, point
        for _ in range(100):
            costs = -(0.0 if math.isinf(ratio) else ratio) * slope
            beyond, observed, x = self.extreme(costs, largest)
            line = base + float((slope * x).sum())
            new = beyond / line if line > 0 else 0.0
            expected = self.expected(x)[0]
            if expected > 0:
                own = observed / expected
                better = own > reached if largest else own < reached
                if math.isnan(reached) or better:
                    reached, at = own, x
            if (new <= ratio * (1 + 1e-14)) if largest else (new >= ratio * (1 - 1e-14)):
                break
            ratio = new
        return ratio, reached, at

    def bound(self, largest: bool) -> tuple[float, float]:
        """Return a bound of the largest or least D_o / D_e, and the ratio of a filling near it."""
        sign = -1.0 if largest else 1.0  # bounds times sign: larger is closer
        curved = self.curvature[0] if largest else self.curvature[1]
        best, reached = -math.inf, math.inf

        def tried(point: FloatArray, room: float) -> tuple[float, FloatArray]:
            nonlocal reached
            ratio, own, x = self.along(point, room, largest)
            if not math.isnan(own):
                reached = min(reached, sign * own)
            return sign * ratio, x

        centre = self.centre()
        if not curved:
            point = centre
            for step in range(self.steps):
                ratio, x = tried(point, 0.0)
                best = max(best, ratio)
                if reached - best <= EXACT:
                    break
                point = point + (x - point) * (2 / (step + 3))
            return sign * best, sign * reached
        # Regions: the corners (K, K) of a simplex in each block
        regions = [np.eye(self.K) * self.total[c] for c in self.varied.tolist()]
        queue: list[tuple[float, int, list[FloatArray]]] = []

        def put(corners: list[FloatArray], parent: float) -> None:
            point = np.zeros(centre.shape)
            radius = 0.0
            for c, own in zip(self.varied.tolist(), corners, strict=True):
                point[c] = own.mean(0)
                radius += float(((own - point[c]) ** 2).sum(1).max())
            ratio, _ = tried(point, curved * radius)
            heapq.heappush(queue, (max(ratio, parent), next(count), corners))

        count = itertools.count()
        put(regions, -math.inf)
        for _ in range(self.steps):
            worst, _, corners = queue[0]
            if reached - worst <= CLOSE:
                break
            heapq.heappop(queue)
            lengths = [((own[:, None] - own[None]) ** 2).sum(-1) for own in corners]
            block = int(np.argmax([length.max() for length in lengths]))
            i, j = np.unravel_index(lengths[block].argmax(), lengths[block].shape)
            for end in (i, j):
                half = corners[block].copy()
                half[end] = (corners[block][i] + corners[block][j]) / 2
                put([half if b == block else own for b, own in enumerate(corners)], worst)
        return sign * queue[0][0], sign * reached
