"""Forms of distances over a tree, with cheap sums.

Few labels have a matrix. For many labels, almost all pairs are on different branches. A sum over
all pairs then visits the labels and their ancestors instead of the pairs. The sums subtract
nothing, so no digits are lost if one label has nearly all judgments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.distances.forms import BLOCK, NO_VALUES, Blocks, Form, Matrix, OverCategories
from agreement_fast.hierarchy.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Distances of nodes, given by their places in the tree, element by element.
Between = Callable[[Array, Array], FloatArray]

#: The number of pairs of nodes compared at a time, so that temporary arrays are small.
PAIRS = BLOCK // 16


def matrix(places: Array, between: Between) -> Form | None:
    """Return the distances of the labels at some places as one matrix, or None if too many."""
    K = len(places)
    if K * K > BLOCK:
        return None
    values, rows = np.empty((K, K)), max(1, PAIRS // max(K, 1))
    for first in range(0, K, rows):
        values[first : first + rows] = between(places[first : first + rows, None], places[None, :])
    return Matrix(values)


def blocks(places: Array, between: Between) -> Form:
    """Return a form that holds no distances; each sum visits every pair."""
    return Blocks(len(places), lambda a, b: between(places[a], places[b]))


def branches(nodes: Tree, places: Array, between: Between) -> Form:
    """Return the form of a distance that is 1 between different branches."""
    if int((nodes.depths[places] + 1).sum()) > BLOCK:
        return blocks(places, between)
    return Branches(nodes, places, between)


def ways(nodes: Tree, places: Array, between: Between, edge: FloatArray) -> Form:
    """Return the form of path lengths."""
    if int((nodes.depths + 1).sum()) > BLOCK:
        return blocks(places, between)
    return Ways(nodes, places, between, edge)


class OverTree(OverCategories):
    """Labels at places in a tree; subclasses define the sums."""

    kind = "blocks"
    values = NO_VALUES

    def __init__(self, places: Array, between: Between) -> None:
        self._places = places
        self._between = between

    def times(self, v: Array) -> FloatArray:
        raise NotImplementedError

    def bilinear(self, u: Array, v: Array) -> FloatArray:
        return np.asarray((self.times(u) * v).sum(-1))

    def total(self) -> float:
        return float(self.times(np.ones(len(self._places))).sum())

    def between(self, a: Array, b: Array) -> FloatArray:
        return self._between(self._places[a], self._places[b])


class Branches(OverTree):
    """1 between labels on different branches, less between a label and its ancestor.

    O(labels on one branch with another) for each row of marginals.
    """

    def __init__(self, nodes: Tree, places: Array, between: Between) -> None:
        super().__init__(places, between)
        K = len(places)
        label = np.full(len(nodes), -1)
        label[places] = np.arange(K)
        lower, above = _above(nodes, places)
        upper = label[above]
        lower, above, upper = (x[(upper >= 0) & (upper != lower)] for x in (lower, above, upper))
        near = between(places[lower], above)
        self._related = _sparse(
            np.concatenate([near, near]),
            np.concatenate([lower, upper]),
            np.concatenate([upper, lower]),
            (K, K),
        )
        self._apart = Apart(nodes, places, places)
        n_apart = self._apart.sums(np.ones(K))
        self._largest = 1.0 if n_apart.any() else float(near.max(initial=0.0))

    def times(self, v: Array) -> FloatArray:
        v = v.astype(np.float64)
        return self._apart.sums(v) + _product(self._related, v)

    @property
    def largest(self) -> float:
        return self._largest


class Ways(OverTree):
    """Path lengths: the sum of the lengths of the edges that separate two labels.

    O(nodes and their ancestors) for each row of marginals.
    """

    def __init__(self, nodes: Tree, places: Array, between: Between, edge: FloatArray) -> None:
        super().__init__(places, between)
        everything = np.arange(len(nodes))
        lower, above = _above(nodes, everything)
        #: For each node, the node and its ancestors.
        self._up = _sparse(np.ones(len(lower)), lower, above, (len(nodes), len(nodes)))
        self._edge = edge
        self._ends = nodes.ends
        self._gone = Apart(nodes, everything, everything)

    def times(self, v: Array) -> FloatArray:
        masses = np.zeros((*v.shape[:-1], len(self._edge)))
        masses[..., self._places] = v
        below = _product(self._up.T, masses)
        before = _prefixes(masses)[..., :-1]
        after = _suffixes(masses)[..., self._ends]
        crossed = _product(self._up, self._edge * (before + after))
        # Edges that are not above a node: on other branches, or below it.
        weights = self._edge * below
        others = self._gone.before(weights) + _suffixes(weights)[..., 1:]
        return np.asarray((crossed + others)[..., self._places])

    @property
    def largest(self) -> float:
        # the label farthest from any label is an end of a longest path
        if not len(self._places):
            return 0.0
        everything = np.arange(len(self._places))
        end = np.argmax(self.between(np.zeros_like(everything), everything))
        return float(self.between(np.full_like(everything, end), everything).max())


class Apart:
    """Sums over the labels that are on a different branch than a node."""

    def __init__(self, nodes: Tree, labels: Array, of: Array) -> None:
        ends = nodes.ends[labels]
        self._by_place, self._by_end = np.argsort(labels), np.argsort(ends, kind="stable")
        # In the order of a walk, they end before the node or start after its last descendant.
        self._ended = np.searchsorted(ends[self._by_end], of, "right")
        self._later = np.searchsorted(labels[self._by_place], nodes.ends[of], "left")

    def before(self, v: Array) -> FloatArray:
        """Sum v over the labels that end before each node."""
        return np.asarray(_prefixes(v[..., self._by_end])[..., self._ended])

    def sums(self, v: Array) -> FloatArray:
        """Sum v over all labels on other branches."""
        later = _suffixes(v[..., self._by_place])[..., self._later]
        return np.asarray(self.before(v) + later)


def _prefixes(v: Array) -> Array:
    """Sum the first 0, 1, 2, ... numbers."""
    out = np.zeros((*v.shape[:-1], v.shape[-1] + 1))
    np.cumsum(v, axis=-1, out=out[..., 1:])
    return out


def _suffixes(v: Array) -> Array:
    """Sum the numbers from the first, second, ... on, and none."""
    return _prefixes(v[..., ::-1])[..., ::-1]


def _above(nodes: Tree, places: Array) -> tuple[Array, Array]:
    """Return all pairs of a position in `places` and a node that is its node or an ancestor."""
    who, node = np.arange(len(places)), places
    rows, columns = [], []
    while len(who):
        rows.append(who)
        columns.append(node)
        node = nodes.parents[node]
        who, node = who[node >= 0], node[node >= 0]
    nothing = np.zeros(0, np.int64)
    return np.concatenate([nothing, *rows]), np.concatenate([nothing, *columns])


def _sparse(values: Array, rows: Array, columns: Array, shape: tuple[int, int]) -> csr_array:
    from scipy.sparse import coo_array

    return coo_array((values, (rows, columns)), shape=shape).tocsr()


def _product(matrix: Any, v: Array) -> FloatArray:
    """Multiply the matrix by each row of marginals."""
    flat = v.reshape(-1, v.shape[-1])
    return np.asarray((matrix @ flat.T).T.reshape(*v.shape[:-1], matrix.shape[0]))
