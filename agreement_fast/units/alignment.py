"""The best alignment of coders' units, and what it sums to in each document."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast import distances
from agreement_fast._kernels.arrays import Array, FloatArray, ranges
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_number
from agreement_fast.present.tables import Tabular
from agreement_fast.present.terminal import align as in_columns
from agreement_fast.present.terminal import more, number_of, show_label, show_number
from agreement_fast.units.coincidences import why_not
from agreement_fast.units.continuum import Continuum, checked, paired
from agreement_fast.units.line import in_pieces


class Lanes(NamedTuple):
    """Units in any order. Positions are of any kind of number."""

    #: Arrays of shape (n,).
    document: Array
    coder: Array
    start: Array
    end: Array
    category: Array
    n_coders: int
    #: How many coders saw each document, two at least. Those who marked nothing count, too. Int64
    #: array of shape (D,).
    n_seeing: Array

    @staticmethod
    def of(data: Continuum) -> Lanes:
        """The units of a continuum, in its order."""
        return Lanes(*(getattr(data, name) for name in Lanes._fields))

    @property
    def n_documents(self) -> int:
        """Documents, with and without units."""
        return len(self.n_seeing)

    @property
    def pairs(self) -> Array:
        """C(n, 2) of each document: a unitary alignment's disorder is a mean over these pairs."""
        return np.asarray(self.n_seeing * (self.n_seeing - 1) // 2)


#: Weights up to which sums and squares of dissimilarities are numbers.
HEAVIEST = 1e50


def check_soft(soft: Any) -> None:
    """Refuse what is no truth value: any text would be true."""
    if not isinstance(soft, bool):
        raise InputTypeError.must_be("soft", "True or False", soft)


@dataclass(frozen=True, slots=True, eq=False)
class Dissimilarity:
    """α d_pos + β d_cat between units, and Δ∅ between a unit and none."""

    #: Name of the distance between categories.
    distance: str
    #: Distances between categories, none above 1: float64 array of shape (K, K).
    table: FloatArray
    #: The weights α and β, and Δ∅.
    alpha: float
    beta: float
    empty: float

    @staticmethod
    def of(
        data: Continuum, distance: DistanceLike, alpha: Any, beta: Any, empty: Any
    ) -> Dissimilarity:
        """Check the choices, and bring the distances between the categories to at most 1."""
        weights = {"alpha": alpha, "beta": beta, "empty": empty}
        for name, value in weights.items():
            weights[name] = check_number(name, value)
            if not (0 <= weights[name] < math.inf) or (name == "empty" and not weights[name]):
                requested = "a positive number" if name == "empty" else "a number of 0 or more"
                raise InputError.must_be(name, requested, value)
            if weights[name] > HEAVIEST or (name == "empty" and weights[name] < 1 / HEAVIEST):
                least = 1 / HEAVIEST if name == "empty" else 0
                raise InputError.must_be(name, f"a number from {least:g} to {HEAVIEST:g}", value)
        if not (weights["alpha"] or weights["beta"]):
            raise InputError(
                "alpha and beta are both 0: all units would be alike", argument="alpha"
            )
        chosen = distances.resolve(distance)
        counts = np.bincount(data.category, minlength=len(data.categories)).tolist()
        table = chosen.matrix(data.categories, counts) if counts else np.zeros((0, 0))
        largest = float(table.max(initial=0.0))
        if largest > 1:
            table = table / largest
        return Dissimilarity(chosen.name, table, **weights)

    def positional(self, units: Lanes, a: Array, b: Array) -> FloatArray:
        """d_pos of units at places: ((|s − s'| + |e − e'|) / (l + l'))² Δ∅."""
        start, end = units.start, units.end
        apart = np.abs(start[a] - start[b]) + np.abs(end[a] - end[b])
        ratio = apart / ((end[a] - start[a]) + (end[b] - start[b]))
        return np.asarray(ratio * ratio * self.empty, np.float64)

    def between(self, units: Lanes, a: Array, b: Array) -> FloatArray:
        """α d_pos + β d_cat of units at places."""
        result = self.beta * (self.table[units.category[a], units.category[b]] * self.empty)
        if self.alpha:
            result += self.alpha * self.positional(units, a, b)
        return np.asarray(result, np.float64)

    def reach(self, most: float) -> float:
        """How often l + l' the ends of two units are apart at most, if they differ by `most`."""
        return math.sqrt(most / (self.alpha * self.empty)) if self.alpha else math.inf


#: By how much windows are wider than the exact bound, which is asked for afterwards.
SLACK = 1e-9


class Neighbours(NamedTuple):
    """For each unit of one coder the near units of another."""

    #: The neighbours of the unit at place i of all units stand from first[i] to first[i + 1]: int64
    #: array of shape (n + 1,).
    first: Array
    #: Int64 array.
    other: Array
    #: How unlike the two units are: float64 array.
    unlike: FloatArray


class Axis:
    """All units by their centres on one axis, document after document."""

    def __init__(self, units: Lanes) -> None:
        self.units = units
        self.length = np.asarray(units.end - units.start, np.float64)
        # Twice the centre: with it |s − s'| + |e − e'| is max(|c − c'|, |l − l'|).
        self.centre = np.asarray(units.start + units.end, np.float64)
        self.order = np.lexsort((self.centre, units.document))
        # Lengths that differ by less than a factor of 2 are looked at together, so that one long
        # unit does not widen the windows of all.
        self.size = np.frexp(self.length)[1]

    def near(self, p: int, q: int, most: float, dissimilarity: Dissimilarity) -> Neighbours:
        """The units of coder q that differ by at most `most` from each of coder p."""
        units = self.units
        left = np.flatnonzero(units.coder == p)
        ours = self.order[units.coder[self.order] == q]
        reach = dissimilarity.reach(most) * (1 + SLACK)
        result = []
        for size in np.unique(self.size[ours]).tolist():
            right = ours[self.size[ours] == size]
            i, j = self._within(left, right, reach * (self.length[left] + 2.0**size))
            unlike = dissimilarity.between(units, i, j)
            keep = unlike <= most
            result.append((i[keep], j[keep], unlike[keep]))
        if not result:
            nothing = np.zeros(0, np.int64)
            result = [(nothing, nothing, np.zeros(0))]
        i, j, unlike = (np.concatenate(parts) for parts in zip(*result, strict=True))
        by_left = np.argsort(i, kind="stable")
        first = np.zeros(len(units.start) + 1, np.int64)
        np.cumsum(np.bincount(i, minlength=len(units.start)), out=first[1:])
        return Neighbours(first, j[by_left], unlike[by_left])

    def _within(self, left: Array, right: Array, window: FloatArray) -> tuple[Array, Array]:
        """All pairs of the same document whose centres are not farther apart than a window."""
        document, centre = self.units.document, self.centre
        begin = np.searchsorted(document[right], document[left], "left")
        stop = np.searchsorted(document[right], document[left], "right")
        if math.isfinite(window.max(initial=0.0)):
            both = np.concatenate([left, right])
            ranks, place = np.unique(document[both], return_inverse=True)
            base, low, high = (np.full(len(ranks), of) for of in (0.0, np.inf, -np.inf))
            np.minimum.at(low, place, centre[both])
            np.maximum.at(high, place, centre[both])
            length = np.cumsum(high - low + 1.0)
            base[1:] = length[:-1]
            slack = SLACK * max(1.0, float(length[-1]))
            # The centres on one axis, document after document
            where, line = np.split(centre[both] - low[place] + base[place], [len(left)])
            begin = np.maximum(begin, np.searchsorted(line, where - window - slack, "left"))
            stop = np.minimum(stop, np.searchsorted(line, where + window + slack, "right"))
        counts = np.maximum(stop - begin, 0)
        i, j = ranges(begin, counts)
        return left[i].astype(np.int64), right[j].astype(np.int64)


#: What rounding may add to a sum of dissimilarities, as a share of cΔ.
ROUNDING = 1e-9
#: Candidates that can be chosen from in a minute or so.
MOST = 5_000_000


class Candidates(NamedTuple):
    """Unitary alignments to choose from, or the chosen ones."""

    #: Places of units, −1 for none: int64 array of shape (r, n_coders).
    members: Array
    #: Float64 array of shape (r,).
    disorder: FloatArray


def candidates(units: Lanes, dissimilarity: Dissimilarity) -> Candidates:
    """All unitary alignments that can be in a best alignment, of all documents."""
    n, empty = units.n_coders, dissimilarity.empty
    top = units.pairs * empty
    # Parting two units that are this unlike pays even if both are like all others.
    most = float((units.pairs + units.n_seeing - 1).max(initial=0)) * empty * (1 + ROUNDING)
    axis = Axis(units)
    members, disorder, count = [], [], 0
    for p in range(n):
        rows = np.full((int((units.coder == p).sum()), n), -1, np.int64)
        rows[:, p] = np.flatnonzero(units.coder == p)
        sums = np.zeros((len(rows), n))
        for q in range(p + 1, n):
            near = axis.near(p, q, most, dissimilarity)
            ceiling = (top[units.document] + (n - 1 - q) * empty) * (1 + ROUNDING)
            # A near unit of coder q joins each row, in all ways.
            counts = np.diff(near.first)[rows[:, p]]
            if int(counts.sum()) + len(rows) > MOST - count:
                raise InputError(
                    f"more than {MOST:,} unitary alignments can be in the best alignment, because "
                    "many units are near each other",
                    "select fewer coders or categories, or put texts into documents of their own",
                    argument="data",
                )
            row, at = ranges(near.first[rows[:, p]], counts)
            unit = near.other[at]
            extra = np.zeros((len(row), n))
            extra[:, p] = near.unlike[at] - empty
            keep = sums[row, p] + extra[:, p] <= ceiling[unit]
            row, unit, extra = row[keep], unit[keep], extra[keep]
            for r in range(p + 1, q):
                with_one = np.flatnonzero(rows[row, r] >= 0)
                if not len(with_one):
                    continue
                entry = rows[row[with_one], r]
                extra[with_one, r] = dissimilarity.between(units, entry, unit[with_one]) - empty
                keep = np.ones(len(row), bool)
                keep[with_one] = sums[row[with_one], r] + extra[with_one, r] <= ceiling[entry]
                row, unit, extra = row[keep], unit[keep], extra[keep]
            extra[:, q] = extra.sum(1)
            keep = extra[:, q] <= ceiling[unit]
            made, made_sums = rows[row[keep]], sums[row[keep]] + extra[keep]
            made[:, q] = unit[keep]
            rows, sums = np.concatenate([rows, made]), np.concatenate([sums, made_sums])
        members.append(rows)
        home = units.document[rows[:, p]]
        disorder.append((top[home] + sums.sum(1) / 2) / units.pairs[home])
        count += len(rows)
    return Candidates(np.concatenate(members), np.concatenate(disorder))


#: The largest number of sets of units ahead to keep; for more, another search is faster.
MOST_STATES = 200


def swept(members: Array, spare: FloatArray, order: Array, limit: float) -> Array | None:
    """The places of the candidates that hold each unit once, and whose `spare` sums to the least.

    `members` (int (r, n_coders)): of a document's candidates; -1 for none. `spare` (float64 (r,)):
    None below 0, but for rounding. `order` (int array): the document's units, along it. `limit`:
    sums above it are not looked for. Returns int64 array, or None: None if no sum is within the
    limit, or if too many sets are to be kept.
    """
    rank = dict(zip(order.tolist(), range(len(order)), strict=True))
    waiting: list[list[tuple[int, float, frozenset[int]]]] = [[] for _ in rank]
    for place in np.flatnonzero(spare <= limit).tolist():
        held = sorted(rank[unit] for unit in members[place].tolist() if unit >= 0)
        waiting[held[0]].append((place, float(spare[place]), frozenset(held[1:])))
    # What a set of units ahead costs at the least, and what was chosen: a place and the rest.
    states: dict[frozenset[int], tuple[float, Any]] = {frozenset(): (0.0, None)}
    for unit, proposals in enumerate(waiting):
        after: dict[frozenset[int], tuple[float, Any]] = {}
        for ahead, (spent, chosen) in states.items():
            if unit in ahead:
                choices = [(ahead - {unit}, spent, chosen)]
            else:
                choices = [
                    (ahead | others, spent + more, (place, chosen))
                    for place, more, others in proposals
                    if spent + more <= limit and ahead.isdisjoint(others)
                ]
            for key, cost, path in choices:
                if key not in after or cost < after[key][0]:
                    after[key] = cost, path
        if not 0 < len(after) <= MOST_STATES:
            return None
        states = after
    chosen = states[frozenset()][1]
    places = []
    while chosen is not None:
        place, chosen = chosen
        places.append(place)
    return np.sort(np.array(places, np.int64))


#: How much above their prices the candidates of the first search are, where a unit alone costs 1.
FIRST = 1 / 8
#: How far above the optimum sweeps look: the lower, the faster.
LIMITS = (1 / 8, 1.0)
#: Costs that differ by less are one: HiGHS asks no more of a solution.
SAME = 1e-7


def choose(given: Candidates, units: Lanes, *, soft: bool = False) -> Array:
    """Places of the candidates that are chosen.

    `given`: all units are among them, alone. `soft`: whether units may be in several unitary
    alignments, and not in exactly one.
    """
    if not len(units.document):
        return np.zeros(0, np.int64)
    program = Program(given, len(units.document), soft)
    share, prices = program.relaxed()
    torn = (share > SAME) & (share < 1 - SAME)
    if not torn.any():
        return np.flatnonzero(share > 0.5)
    home = units.document[given.members.max(1)]
    along = np.lexsort((units.start + units.end, units.document))
    spare = program.cost - np.append(prices, 0.0)[given.members].sum(1)
    parts = np.unique(home[torn])
    places = [np.flatnonzero((share > 0.5) & ~np.isin(home, parts))]
    for part in parts.tolist():
        ours = np.flatnonzero(home == part)
        order = along[units.document[along] == part]
        sweeps = (swept(given.members[ours], spare[ours], order, limit) for limit in LIMITS)
        best = None if soft else next((sweep for sweep in sweeps if sweep is not None), None)
        if best is None:
            least = float(program.cost[ours] @ share[ours])
            best = program.searched(ours, least, spare[ours])
        else:
            best = ours[best]
        places.append(best)
    return np.sort(np.concatenate(places))


class Program:
    """Candidates, what they cost where a unit alone costs 1, and how often they hold a unit."""

    def __init__(self, given: Candidates, n_units: int, soft: bool) -> None:
        self.members, self.n_units, self.soft = given.members, n_units, soft
        self.is_lone = (given.members >= 0).sum(1) == 1
        self.cost = given.disorder / given.disorder[self.is_lone][0]

    def relaxed(self) -> tuple[FloatArray, FloatArray]:
        """The share of each candidate in the optimum of the linear program, and units' prices."""
        from scipy.optimize import linprog

        holds, ones = self._holds(np.arange(len(self.cost))), np.ones(self.n_units)
        rows = {"A_ub": -holds, "b_ub": -ones} if self.soft else {"A_eq": holds, "b_eq": ones}
        result = _solved(linprog(self.cost, **rows, bounds=(0, None), method="highs-ds"))
        prices = -result.ineqlin.marginals if self.soft else result.eqlin.marginals
        return result.x, prices

    def searched(self, ours: Array, least: float, spare: FloatArray) -> Array:
        """The best choice among the candidates of a document that cannot cost less than `least`."""
        from scipy import optimize

        gap, bound = FIRST, np.inf if self.soft else 1.0
        while True:
            among = ours[self.is_lone[ours] | (spare <= gap)]
            units = self.members[among].max(1)[self.is_lone[among]]
            held = self._holds(among).tocsr()[units]
            result = _solved(
                optimize.milp(
                    self.cost[among],
                    constraints=optimize.LinearConstraint(held, 1.0, bound),
                    bounds=optimize.Bounds(0, 1),
                    integrality=np.ones(len(among), np.int64),
                    options={"mip_rel_gap": 0.0},
                )
            )
            chosen = np.asarray(among[result.x > 0.5])
            needed = float(self.cost[chosen].sum()) - least + SAME
            if needed <= gap:
                return chosen
            gap = needed

    def _holds(self, among: Array) -> Any:
        """A row for each unit, a column for each candidate: whether it holds the unit."""
        from scipy.sparse import csc_array

        members = self.members[among]
        held = members >= 0
        column = np.nonzero(held)[0]
        # milp of scipy before 1.15 takes indices of 32 bits only.
        places = members[held].astype(np.int32), column.astype(np.int32)
        return csc_array((np.ones(len(column)), places), shape=(self.n_units, len(among)))


def _solved(result: Any) -> Any:
    if result.status:
        raise RuntimeError(f"no best alignment: {result.message}")
    return result


def best(units: Lanes, dissimilarity: Dissimilarity, *, soft: bool = False) -> Candidates:
    """The alignment of the least disorder, of all documents."""
    given = candidates(units, dissimilarity)
    chosen = choose(given, units, soft=soft)
    return Candidates(given.members[chosen], given.disorder[chosen])


class Sums(NamedTuple):
    """What disorders of documents, and of any number of them together, are ratios of."""

    #: For γ the disorders of the unitary alignments and the mean number of units per coder; for
    #: γ_cat the weighted distances of categories of aligned pairs and the weights; for γ_k of each
    #: category the same of pairs that have it: float64 arrays of shape (1 + 1 + K, D).
    above: FloatArray
    below: FloatArray


def sums(units: Lanes, dissimilarity: Dissimilarity, best: Candidates) -> Sums:
    """Sum the parts of a best alignment by documents."""
    d, k = units.n_documents, len(dissimilarity.table)
    above, below = np.zeros((2 + k, d)), np.zeros((2 + k, d))
    home = units.document[best.members.max(1)] if len(best.members) else np.zeros(0, np.int64)
    above[0] = np.bincount(home, best.disorder, minlength=d)
    below[0] = np.bincount(units.document, minlength=d) / units.n_seeing
    held = (best.members >= 0).sum(1)
    for p, q in itertools.combinations(range(units.n_coders), 2):
        rows = np.flatnonzero((best.members[:, p] >= 0) & (best.members[:, q] >= 0))
        a, b = best.members[rows, p], best.members[rows, q]
        # Of n units aligned each is in n − 1 pairs: so a unit counts once.
        near = np.maximum(0.0, 1.0 - dissimilarity.positional(units, a, b) / dissimilarity.empty)
        weight = near / (held[rows] - 1)
        far = weight * dissimilarity.table[units.category[a], units.category[b]]
        place = home[rows]
        above[1] += np.bincount(place, far, minlength=d)
        below[1] += np.bincount(place, weight, minlength=d)
        first, second = units.category[a], units.category[b]
        for category, of in ((first, slice(None)), (second, first != second)):
            np.add.at(above, (2 + category[of], place[of]), far[of])
            np.add.at(below, (2 + category[of], place[of]), weight[of])
    return Sums(above, below)


#: Unitary alignments that are printed.
SHOWN = 20


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Alignment(Tabular):
    """The alignment of units with the least disorder: which units belong together.

    Attributes
    ----------
    data : Continuum
        The units, without documents that fewer than two coders saw.
    members : int64 array of shape (r, n_coders)
        The row of each coder's unit in `data`, for each unitary alignment; −1 for none. Sorted by
        document and place.
    disorders : float64 array of shape (r,)
        The mean dissimilarity of units over all pairs of coders; Δ∅ for a pair in which a coder has
        no unit.
    disorder : float
        The sum of `disorders`, divided by the mean number of units per coder over all documents;
        NaN if undefined. The means of documents with different coders are added.
    n_unpaired_documents : int
        Number of documents that fewer than two coders saw, which do not count.
    soft : bool
        Whether a unit may be in several unitary alignments.
    undefined : str or None
        The reason if there is no alignment.
    """

    data: Continuum
    members: Array
    disorders: FloatArray
    disorder: float
    n_unpaired_documents: int
    soft: bool
    undefined: str | None

    def __len__(self) -> int:
        return len(self.members)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a row for each unit of each unitary alignment."""
        row, coder = np.nonzero(self.members >= 0)
        unit = self.members[row, coder]
        of_units = self.data.columns()
        return {
            "alignment": row,
            "disorder": self.disorders[row],
            **{name: [values[i] for i in unit.tolist()] for name, values in of_units.items()},
        }

    def __repr__(self) -> str:
        if self.undefined is not None:
            return f"<alignment: undefined ({self.undefined})>"
        head = ["document", "disorder", *(show_label(name, 24) for name in self.data.coders)]
        step, seers = self.data.resolution, self.data.saw
        rows = []
        for members, disorder in zip(self.members[:SHOWN], self.disorders, strict=False):
            place = self.data.document[members.max()]
            cells = [
                ("-" if saw else "not seen")
                if unit < 0
                else f"{self.data.start[unit] * step:g}–{self.data.end[unit] * step:g} "
                + show_label(self.data.categories[self.data.category[unit]], 16)
                for unit, saw in zip(members.tolist(), seers[place], strict=True)
            ]
            document = self.data.documents[place]
            rows.append([show_label(document, 24), show_number(float(disorder)), *cells])
        lines = in_columns(head, rows, "<>" + "<" * len(self.data.coders), indent="")
        if len(self) > SHOWN:
            lines.append(more(len(self) - SHOWN, "unitary alignment"))
        title = f"{number_of(len(self), 'unitary alignment')}, disorder {self.disorder:.6g}"
        if self.n_unpaired_documents:
            title += f", {number_of(self.n_unpaired_documents, 'document')} without two coders"
        return "\n".join([title, *lines])


def align(
    data: Continuum,
    *,
    distance: DistanceLike = "nominal",
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
    soft: bool = False,
) -> Alignment:
    """Find the best alignment of the coders' units (Mathet et al. 2015).

    A unitary alignment has one unit or none of each coder. Its disorder is the mean of
    α d_pos + β d_cat over all pairs of coders, and Δ∅ for a pair in which a coder has no unit. The
    best alignment holds each unit once and has the least sum of disorders.

    Parameters
    ----------
    data : Continuum
        The units of the coders. Units of one coder may overlap. Units of different documents are
        not aligned.
    distance : str or Distance, default "nominal"
        The distance between categories; see `agreement_fast.distances`. If distances exceed 1, all
        are divided by the largest.
    alpha, beta : float, default 1
        Weights of place and category. With ``alpha=0``, any two units of a document can be aligned.
    empty : float, default 1
        Δ∅, the cost of a unit that is aligned with none.
    soft : bool, default False
        Whether a unit may be in several unitary alignments, so that a coder's unit can be aligned
        with two parts of it that another coder marked (pygamma-agreement's soft alignment).

    Returns
    -------
    Alignment
        The unitary alignments with their disorders.

    Raises
    ------
    ValueError
        If a weight is negative, or if there are more than 5 million possible unitary alignments.

    Notes
    -----
    Exact up to 1e-6 · Δ∅. If several alignments have the least disorder, one of them is returned.
    Coders who did not see a document are not in its pairs. A unit in several pieces leaves the
    alignment undefined.

    Examples
    --------
    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(
    ...     coders=["A", "A", "B", "B"], starts=[0, 6, 1, 20], ends=[4, 9, 4, 24],
    ...     categories=["x", "y", "x", "y"],
    ... )
    >>> units.align(data)
    3 unitary alignments, disorder 1.0102
    document  disorder  A      B
    document    0.0204  0–4 x  1–4 x
    document    1.0000  6–9 y  -
    document    1.0000  -      20–24 y
    """
    used = paired(checked(data))
    chosen = Dissimilarity.of(used, distance, alpha, beta, empty)
    check_soft(soft)
    alone = len(data.documents) - len(used.documents)
    why = why_not(used, used.n_units) or in_pieces(used, "an alignment")
    if why is not None:
        none = np.zeros((0, used.n_coders), np.int64)
        return Alignment(used, none, np.zeros(0), np.nan, alone, soft, why)
    units = Lanes.of(used)
    result = best(units, chosen, soft=soft)
    held = np.where(result.members >= 0, used.start[result.members], np.iinfo(np.int64).max)
    order = np.lexsort((held.min(1), used.document[result.members.max(1)]))
    made = sums(units, chosen, result)
    disorder = float(made.above[0].sum() / made.below[0].sum())
    members, disorders = result.members[order], result.disorder[order]
    return Alignment(used, members, disorders, disorder, alone, soft, None)
