"""The likelihood of ordered categories that depend on a normal trait (Samejima 1969).

P(coder c says more than category k | θ) = F(a_c θ − d_ck) with d_c1 < d_c2 < ..., where F is the
logistic or the normal distribution function. The trait is integrated out over equally spaced
points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.patterns import Rows, row_of

#: The largest point of the trait, in its standard deviations.
FARTHEST = 6.0

#: The smallest probability, used instead of one that underflows.
TINY = 1e-300

#: The most numbers, rows × points, in memory at a time.
CELLS = 1 << 22


class Link(NamedTuple):
    """A distribution function, its density and its quantiles."""

    below: Callable[[Any], Any]
    density: Callable[[Any], Any]
    quantile: Callable[[Any], Any]
    #: The variance of the error that is added to the trait.
    variance: float


def links() -> dict[str, Link]:
    """Return the links by name."""
    from scipy.special import expit, logit, ndtr, ndtri

    return {
        "logit": Link(expit, lambda x: expit(x) * expit(-x), logit, np.pi**2 / 3),
        "probit": Link(ndtr, lambda x: np.exp(-x * x / 2) / np.sqrt(2 * np.pi), ndtri, 1.0),
    }


def points(n: int) -> tuple[FloatArray, FloatArray]:
    """Return equally spaced points of a standard normal trait, and weights that add to 1."""
    at = np.linspace(-FARTHEST, FARTHEST, n)
    weights = np.exp(-at * at / 2)
    return at, weights / weights.sum()


@dataclass(frozen=True, slots=True, eq=False)
class Graded:
    """Distinct rows of judgments, and their likelihoods.

    Attributes
    ----------
    said : sparse matrix of shape (U, cells)
        Which cells, pairs of a coder and a category, each row has.
    weights : float64 array of shape (U,)
    first : int64 array of shape (C + 1,)
        Where the cells of each coder start; a coder has a cell for each category that they use.
    link : Link
    """

    said: Any
    weights: FloatArray
    first: Array
    link: Link

    @staticmethod
    def of(rows: Rows, cells: Array, first: Array, link: Link) -> Graded:
        """Prepare rows; `cells` is the cell of each coder and category, -1 for none."""
        from scipy.sparse import csr_matrix

        where = np.flatnonzero(rows.codes >= 0)
        coder = where % rows.width if rows.width else rows.coders
        assert coder is not None
        coder = coder if rows.width else coder[where]
        cell = cells[coder, rows.codes[where]]
        row, known = row_of(rows, where), cell >= 0
        shape = rows.n_rows, int(first[-1])
        said = csr_matrix((np.ones(int(known.sum())), (row[known], cell[known])), shape)
        weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights.astype(float)
        return Graded(said, weights, first, link)

    @property
    def n_coders(self) -> int:
        return len(self.first) - 1

    def thresholds_of(self, c: int) -> slice:
        """Return the places of a coder's thresholds among all thresholds."""
        return slice(int(self.first[c]) - c, int(self.first[c + 1]) - c - 1)

    def probabilities(
        self, slopes: FloatArray, cuts: FloatArray, at: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Compute P(cell | trait), float64 of shape (cells, Q), and the densities at all cuts."""
        out = np.empty((int(self.first[-1]), len(at)))
        density = np.empty((len(cuts), len(at)))
        for c in range(self.n_coders):
            mine = self.thresholds_of(c)
            x = slopes[c] * at - cuts[mine, None]
            above, below = self.link.below(x), self.link.below(-x)
            density[mine] = self.link.density(x)
            one = np.empty((len(x) + 1, len(at)))
            one[0], one[-1] = below[0], above[-1]
            # the smaller of the two tails keeps more digits
            one[1:-1] = np.where(x[:-1] > 0, below[1:] - below[:-1], above[:-1] - above[1:])
            out[int(self.first[c]) : int(self.first[c + 1])] = one
        return np.maximum(out, TINY), density

    def moments(
        self, slopes: FloatArray, cuts: FloatArray, n_points: int
    ) -> tuple[FloatArray, FloatArray]:
        """Compute the mean and standard deviation of the trait given each row, of shape (U,)."""
        at, weights = points(n_points)
        logs, prior = np.log(self.probabilities(slopes, cuts, at)[0]), np.log(weights)
        mean, spread = np.empty((2, len(self.weights)))
        for block in self.blocks(n_points):
            posterior, _ = self.block(block)._posteriors(logs, prior)
            mean[block] = posterior @ at
            spread[block] = np.sqrt((posterior * np.square(at - mean[block, None])).sum(1))
        return mean, spread

    def blocks(self, n_points: int) -> Iterator[slice]:
        """Yield the rows in blocks."""
        step = max(1, CELLS // n_points)
        for first in range(0, len(self.weights), step):
            yield slice(first, first + step)

    def block(self, rows: slice) -> Graded:
        """Select some of the rows."""
        return Graded(self.said[rows], self.weights[rows], self.first, self.link)

    def _posteriors(self, logs: FloatArray, prior: FloatArray) -> tuple[FloatArray, FloatArray]:
        joint = np.asarray(self.said @ logs) + prior
        top = joint.max(1, keepdims=True)
        joint = np.exp(joint - top)
        total = joint.sum(1, keepdims=True)
        return joint / total, (top + np.log(total))[:, 0]

    def log_likelihood(
        self, slopes: FloatArray, cuts: FloatArray, n_points: int
    ) -> tuple[float, FloatArray, FloatArray]:
        """Compute the log-likelihood, and its derivatives in the slopes and in the cuts.

        By Fisher's identity, the derivative is the expected derivative for the complete data.
        """
        at, weights = points(n_points)
        P, density = self.probabilities(slopes, cuts, at)
        logs, prior = np.log(P), np.log(weights)
        value, counts = 0.0, np.zeros_like(P)
        for block in self.blocks(n_points):
            some = self.block(block)
            posterior, found = some._posteriors(logs, prior)
            value += float(some.weights @ found)
            counts += np.asarray(some.said.T @ (some.weights[:, None] * posterior))
        by_cell = counts / P
        by_slope, by_cut = np.empty(len(slopes)), np.empty(len(cuts))
        for c in range(self.n_coders):
            mine = self.thresholds_of(c)
            one = by_cell[int(self.first[c]) : int(self.first[c + 1])]
            # a cut separates the categories below it from those above
            moved = density[mine] * (one[1:] - one[:-1])
            by_cut[mine] = -moved.sum(1)
            by_slope[c] = (moved @ at).sum()
        return value, by_slope, by_cut
