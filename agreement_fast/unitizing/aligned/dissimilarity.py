"""How unlike two units are, in place and in category (Mathet, Widlöcher & Métivier 2015)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast import distances
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_number
from agreement_fast.unitizing.continuum import Continuum


def saw_what(data: Continuum) -> Array:
    """Whether coders saw documents: bool of shape (D, n_coders)."""
    if data.seen is None:
        return np.ones((len(data.documents), data.n_coders), bool)
    found = np.zeros((len(data.documents), data.n_coders), bool)
    found[data.seen[:, 0], data.seen[:, 1]] = True
    return found


class Lanes(NamedTuple):
    """Units in any order. Positions are of any kind of number.

    Attributes
    ----------
    document, coder, start, end, category : arrays of shape (n,)
    n_coders : int
    n_seeing : int64 array of shape (D,)
        How many coders saw each document, two at least. Those who marked nothing count, too.
    """

    document: Array
    coder: Array
    start: Array
    end: Array
    category: Array
    n_coders: int
    n_seeing: Array

    @staticmethod
    def of(data: Continuum) -> Lanes:
        """The units of a continuum, in its order."""
        return Lanes(
            data.document,
            data.coder,
            data.start,
            data.end,
            data.category,
            data.n_coders,
            data.n_seeing,
        )

    @property
    def n_documents(self) -> int:
        """Documents, with and without units."""
        return len(self.n_seeing)

    @property
    def pairs(self) -> Array:
        """C(n, 2) of each document: a unitary alignment's disorder is a mean over these pairs."""
        pairs: Array = self.n_seeing * (self.n_seeing - 1) // 2
        return pairs


#: Weights up to which sums and squares of dissimilarities are numbers.
MOST = 1e50


def check_soft(soft: Any) -> None:
    """Refuse what is no truth value: any text would be true."""
    if not isinstance(soft, bool):
        raise InputTypeError.must_be("soft", "True or False", soft)


@dataclass(frozen=True, slots=True, eq=False)
class Dissimilarity:
    """α d_pos + β d_cat between units, and Δ∅ between a unit and none.

    Attributes
    ----------
    distance : str
        Name of the distance between categories.
    table : float64 array of shape (K, K)
        Distances between categories, none above 1.
    alpha, beta, empty : float
        The weights α and β, and Δ∅.
    """

    distance: str
    table: FloatArray
    alpha: float
    beta: float
    empty: float

    @staticmethod
    def of(data: Continuum, distance: Any, alpha: Any, beta: Any, empty: Any) -> Dissimilarity:
        """Check the choices, and bring the distances between the categories to at most 1."""
        weights = {"alpha": alpha, "beta": beta, "empty": empty}
        for name, value in weights.items():
            weights[name] = check_number(name, value)
            if not (0 <= weights[name] < math.inf) or (name == "empty" and not weights[name]):
                requested = "a positive number" if name == "empty" else "a number of 0 or more"
                raise InputError.must_be(name, requested, value)
            if weights[name] > MOST or (name == "empty" and weights[name] < 1 / MOST):
                least = 1 / MOST if name == "empty" else 0
                raise InputError.must_be(name, f"a number from {least:g} to {MOST:g}", value)
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

    def categorial(self, units: Lanes, a: Array, b: Array) -> FloatArray:
        """d_cat of units at places."""
        found = self.table[units.category[a], units.category[b]] * self.empty
        return np.asarray(found, np.float64)

    def between(self, units: Lanes, a: Array, b: Array) -> FloatArray:
        """α d_pos + β d_cat of units at places."""
        found = self.beta * self.categorial(units, a, b)
        if self.alpha:
            found += self.alpha * self.positional(units, a, b)
        return found

    def reach(self, most: float) -> float:
        """How often l + l' the ends of two units are apart at most, if they differ by `most`."""
        return math.sqrt(most / (self.alpha * self.empty)) if self.alpha else math.inf
