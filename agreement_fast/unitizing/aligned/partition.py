"""The cheapest choice of unitary alignments that holds each unit once: exact.

A linear program over the candidates, of all documents at once, gives each unit a price. It is
nearly always solved by whole numbers, and these are the answer. If those of a document are not, the
excess of a candidate is its cost minus the prices of its units. The sum of excesses is what a
choice costs more than the program's optimum, and a sweep along the document finds the least sum. If
that would take long, HiGHS searches the candidates whose excess is at most that of a known choice:
no other candidate can be part of a better choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.unitizing.aligned.candidates import Candidates
from agreement_fast.unitizing.aligned.lanes import Lanes
from agreement_fast.unitizing.aligned.sweep import swept

#: How much above their prices the candidates of the first search are, where a unit alone costs 1.
FIRST = 1 / 8
#: How far above the optimum sweeps look: the lower, the faster.
LIMITS = (1 / 8, 1.0)
#: Costs that differ by less are one: HiGHS asks no more of a solution.
SAME = 1e-7


def choose(given: Candidates, units: Lanes, *, soft: bool = False) -> Array:
    """Places of the candidates that are chosen.

    Parameters
    ----------
    given : Candidates
        All units are among them, alone.
    units : Lanes
    soft : bool
        Whether units may be in several unitary alignments, and not in exactly one.
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
    found = [np.flatnonzero((share > 0.5) & ~np.isin(home, parts))]
    for part in parts.tolist():
        ours = np.flatnonzero(home == part)
        order = along[units.document[along] == part]
        best = None if soft else _swept(given.members[ours], spare[ours], order)
        if best is None:
            least = float(program.cost[ours] @ share[ours])
            best = program.searched(ours, least, spare[ours])
        else:
            best = ours[best]
        found.append(best)
    return np.sort(np.concatenate(found))


def _swept(members: Array, spare: FloatArray, order: Array) -> Array | None:
    found = (swept(members, spare, order, limit) for limit in LIMITS)
    return next((places for places in found if places is not None), None)


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
        found = _solved(linprog(self.cost, **rows, bounds=(0, None), method="highs-ds"))
        prices = -found.ineqlin.marginals if self.soft else found.eqlin.marginals
        return found.x, prices

    def searched(self, ours: Array, least: float, spare: FloatArray) -> Array:
        """The best choice among the candidates of a document that cannot cost less than `least`."""
        gap = FIRST
        while True:
            chosen = self._search(ours[self.is_lone[ours] | (spare <= gap)])
            needed = float(self.cost[chosen].sum()) - least + SAME
            if needed <= gap:
                return chosen
            gap = needed

    def _search(self, among: Array) -> Array:
        from scipy import optimize

        units = self.members[among].max(1)[self.is_lone[among]]
        found = _solved(
            optimize.milp(
                self.cost[among],
                constraints=optimize.LinearConstraint(
                    self._holds(among).tocsr()[units], 1.0, np.inf if self.soft else 1.0
                ),
                bounds=optimize.Bounds(0, 1),
                integrality=np.ones(len(among), np.int64),
                options={"mip_rel_gap": 0.0},
            )
        )
        return np.asarray(among[found.x > 0.5])

    def _holds(self, among: Array) -> Any:
        """A row for each unit, a column for each candidate: whether it holds the unit."""
        from scipy.sparse import csc_array

        members = self.members[among]
        held = members >= 0
        column = np.nonzero(held)[0]
        shape = (self.n_units, len(among))
        return csc_array((np.ones(len(column)), (members[held], column)), shape=shape)


def _solved(found: Any) -> Any:
    if found.status:
        raise RuntimeError(f"no best alignment: {found.message}")
    return found
