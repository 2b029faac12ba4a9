"""Tag trees, and distances between the tags of a tree.

A label may be any node of the tree, also an inner one: a coder who is sure of "question" but not of
its kind says "question". Trees are given as a mapping child → parent, as a networkx graph, or as
paths like "question/yn/check"; each function here takes any of these, or a `Tree` made once.

================  ==========================================================  ===================
distance          between a and b, c their lowest common ancestor             triangle inequality
================  ==========================================================  ===================
leaf_overlap      1 − Σ over leaves of min(P(leaf|a), P(leaf|b))              holds
path              edges (or their lengths) on the way from a to b             holds
path, scaled      the same, by the longest way in the tree                    holds
wu_palmer         1 − 2 level(c) / (level(a) + level(b))                      holds
level_dependent   1 − step^Δ · correction^Γ if one is above the other,        fails: two siblings
                  else 1                                                      and their parent
================  ==========================================================  ===================

All are 0 between equal labels. leaf_overlap is 0 also between a node and its only child, which
dominate the same leaves; path is 0 across edges of length 0.

A tree may have several roots (the dimensions of a dialogue act scheme, say). They then hang below a
root that is no label: no leaf is shared across them and the level of the common ancestor is 0, so
their tags are as far apart as can be.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement_fast.distances import Distance
from agreement_fast.forms import BLOCK, Blocks, FloatArray, Form, Matrix
from agreement_fast.labels import Categories, as_python, shorten

Array = npt.NDArray[Any]
#: Distances of nodes given as places in the tree, element by element.
Between = Callable[[Array, Array], FloatArray]

__all__ = ["Tree", "leaf_overlap", "level_dependent", "path", "tree", "wu_palmer"]

#: Pairs of nodes that are compared at a time, so that the steps in between stay small.
PAIRS = BLOCK // 16


@dataclass(frozen=True, eq=False, slots=True)
class Tree:
    """A tree of labels, in the order in which a walk from the roots meets them. Made by `tree`.

    Attributes
    ----------
    labels : tuple of K labels
        Each node before the nodes below it, which follow it without a gap.
    parents : int64 array of shape (K,)
        The place of each node's parent; −1 for a root.
    depths : int64 array of shape (K,)
        Edges between each node and the root above it.
    ends : int64 array of shape (K,)
        The nodes below node i are those at i + 1 .. ends[i] − 1.
    n_leaves : int64 array of shape (K,)
        Leaves below each node; 1 for a leaf.
    """

    labels: tuple[Hashable, ...]
    parents: Array
    depths: Array
    ends: Array
    n_leaves: Array
    _places: dict[Hashable, int]

    def __len__(self) -> int:
        return len(self.labels)

    def __contains__(self, label: object) -> bool:
        return label in self._places

    def __repr__(self) -> str:
        roots, leaves = int((self.parents < 0).sum()), int((self.n_leaves * self._is_leaf()).sum())
        return (
            f"<tree of {len(self)} labels: {roots} {'root' if roots == 1 else 'roots'}, "
            f"{leaves} leaves, depth {int(self.depths.max())}>"
        )

    def _is_leaf(self) -> Array:
        return np.asarray(self.ends == np.arange(len(self)) + 1)

    def ancestors(self, label: Hashable) -> tuple[Hashable, ...]:
        """The labels above a label, its parent first.

        Examples
        --------
        >>> from agreement_fast import hierarchy
        >>> hierarchy.tree(["question/yn/check"]).ancestors("question/yn/check")
        ('question/yn', 'question')
        """
        above, place = [], int(self.places([label])[0])
        while (place := int(self.parents[place])) >= 0:
            above.append(self.labels[place])
        return tuple(above)

    def places(self, labels: Sequence[Any] | Array) -> Array:
        """Where labels stand in the tree, int64.

        Raises
        ------
        ValueError
            A label that is not in the tree.
        """
        listed = labels.tolist() if isinstance(labels, np.ndarray) else labels
        try:
            return np.array([self._places[as_python(label)] for label in listed], dtype=np.int64)
        except KeyError as error:
            raise ValueError(
                f"label {error.args[0]!r} is not in the tree, which has "
                f"{shorten(self.labels)}: add it to the tree, or list it in missing="
            ) from None


# ---------------------------------------------------------------------- making a tree


def tree(source: Any, *, separator: str = "/", root: Hashable | None = None) -> Tree:
    """A tree of labels from any of the ways to write one down.

    Parameters
    ----------
    source : mapping, graph, iterable of str, or Tree
        A mapping child → parent, in which a root has the parent None or is nobody's child. Or a
        networkx graph (anything with ``nodes``, ``edges`` and ``is_directed()``): edges of a
        directed one lead from parent to child, as networkx draws trees. Or paths from a root, as
        ``["question/yn/check", "answer"]``: labels are whole paths, and each path's beginnings are
        labels too.
    separator : str
        What stands between the steps of a path.
    root : label, optional
        The root of an undirected graph, which does not show it otherwise.

    Returns
    -------
    Tree

    Raises
    ------
    ValueError
        Nothing given, a cycle, a node with two parents, an empty step in a path.
    TypeError
        Something else than the above.

    Notes
    -----
    O(K) for K labels. With several roots their nearest common ancestor is a root that is no label.

    Examples
    --------
    >>> from agreement_fast import hierarchy
    >>> hierarchy.tree({"A1": "A", "A2": "A", "A": "top", "B": "top"})
    <tree of 5 labels: 1 root, 3 leaves, depth 2>
    >>> hierarchy.tree(["question/yn/check", "question/wh", "answer"]).labels
    ('question', 'question/yn', 'question/yn/check', 'question/wh', 'answer')
    """
    if isinstance(source, Tree):
        return source
    is_graph = all(hasattr(source, name) for name in ("nodes", "edges", "is_directed"))
    if root is not None and not is_graph:
        raise TypeError("root goes with an undirected graph: a mapping or a path shows its roots")
    if is_graph:
        return _grow(_graph_parents(source, as_python(root)))
    if isinstance(source, Mapping):
        return _grow(_mapping_parents(source))
    if isinstance(source, str) or not isinstance(source, Iterable):
        raise TypeError(
            f"{source!r} is no tree: give a mapping child -> parent, a networkx graph, or a list "
            "of paths"
        )
    return _grow(_path_parents(source, separator))


def _mapping_parents(mapping: Mapping[Any, Any]) -> dict[Hashable, Hashable | None]:
    parents: dict[Hashable, Hashable | None] = {}
    for child, parent in mapping.items():
        if parent is not None and not isinstance(parent, Hashable):
            raise TypeError(f"the parent of {child!r} is {parent!r}: a label, or None, is wanted")
        parents[as_python(child)] = as_python(parent)
    for parent in list(parents.values()):
        if parent is not None:
            parents.setdefault(parent, None)
    return parents


def _path_parents(paths: Iterable[Any], separator: str) -> dict[Hashable, Hashable | None]:
    if not separator:
        raise ValueError("separator is empty: it must say where a path's steps end")
    parents: dict[Hashable, Hashable | None] = {}
    for written in paths:
        if not isinstance(written, str):
            raise TypeError(f"path {written!r} is not text; give other labels as child -> parent")
        steps = written.split(separator)
        if not all(steps):
            raise ValueError(
                f"path {written!r} has an empty step: a path is steps joined by one "
                f"{separator!r}, without one at either end"
            )
        above = None
        for n_steps in range(1, len(steps) + 1):
            here = separator.join(steps[:n_steps])
            parents[here] = above
            above = here
    return parents


def _graph_parents(graph: Any, root: Hashable | None) -> dict[Hashable, Hashable | None]:
    nodes = [as_python(node) for node in graph.nodes]
    edges = [(as_python(edge[0]), as_python(edge[1])) for edge in graph.edges]
    if not graph.is_directed():
        return _rooted(nodes, edges, root)
    if root is not None:
        raise ValueError("root goes with an undirected graph: a directed one shows its roots")
    parents: dict[Hashable, Hashable | None] = dict.fromkeys(nodes)
    for parent, child in edges:
        if parents[child] is not None:
            raise ValueError(
                f"{child!r} has two parents, {parents[child]!r} and {parent!r}: edges must lead "
                "from parent to child, and no node may have two (graph.reverse() turns them round)"
            )
        parents[child] = parent
    return parents


def _rooted(
    nodes: list[Hashable], edges: list[tuple[Hashable, Hashable]], root: Hashable | None
) -> dict[Hashable, Hashable | None]:
    """Parents in an undirected graph, by a walk from its root."""
    if root is None:
        raise ValueError("an undirected graph does not show its root: pass root=")
    neighbours: dict[Hashable, list[Hashable]] = {node: [] for node in nodes}
    if root not in neighbours:
        raise ValueError(f"the root {root!r} is not in the graph, which has {shorten(nodes)}")
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    parents: dict[Hashable, Hashable | None] = {root: None}
    reached = [root]
    for node in reached:
        for other in neighbours[node]:
            if other not in parents:
                parents[other] = node
                reached.append(other)
    missed = [node for node in nodes if node not in parents]
    if missed:
        raise ValueError(f"the graph has no way from the root {root!r} to {missed[0]!r}")
    if len(edges) != len(nodes) - 1:
        raise ValueError(
            f"the graph has a cycle: {len(nodes)} nodes in a tree have {len(nodes) - 1} edges, "
            f"this has {len(edges)}"
        )
    return parents


def _grow(parent_of: dict[Hashable, Hashable | None]) -> Tree:
    if not parent_of:
        raise ValueError("the tree is empty: it needs a label at least")
    children: dict[Hashable, list[Hashable]] = {label: [] for label in parent_of}
    waiting: list[tuple[Hashable, int]] = []
    for label, parent in parent_of.items():
        if parent is None:
            waiting.append((label, -1))
        else:
            children[parent].append(label)
    waiting.reverse()
    labels: list[Hashable] = []
    places: dict[Hashable, int] = {}
    parents: list[int] = []
    depths: list[int] = []
    while waiting:
        label, parent_place = waiting.pop()
        place = places[label] = len(labels)
        labels.append(label)
        parents.append(parent_place)
        depths.append(depths[parent_place] + 1 if parent_place >= 0 else 0)
        waiting.extend((child, place) for child in reversed(children[label]))
    if len(labels) < len(parent_of):
        raise ValueError(_cycle(parent_of, places))
    ends = list(range(1, len(labels) + 1))
    n_leaves = [0] * len(labels)
    for place in range(len(labels) - 1, -1, -1):  # what is below a node comes first
        n_leaves[place] += ends[place] == place + 1
        if (upper := parents[place]) >= 0:
            ends[upper] = max(ends[upper], ends[place])
            n_leaves[upper] += n_leaves[place]
    above, down, end, below = (
        np.array(values, dtype=np.int64) for values in (parents, depths, ends, n_leaves)
    )
    return Tree(tuple(labels), above, down, end, below, places)


def _cycle(parent_of: dict[Hashable, Hashable | None], reached: Mapping[Hashable, int]) -> str:
    label: Any = next(label for label in parent_of if label not in reached)
    way: dict[Any, None] = {}
    while label not in way:
        way[label] = None
        label = parent_of[label]
    turn = list(way)
    turn = [*turn[turn.index(label) :], label]
    return f"the tree has a cycle: {' is below '.join(repr(node) for node in turn)}"


# ---------------------------------------------------------------------- distances


def leaf_overlap(source: Any) -> Distance:
    """1 − Σ over leaves of min(P(leaf|a), P(leaf|b)): how little of their leaves two tags share.

    P(.|T) is uniform over the leaves below T, and all of it is on T where T is a leaf. So the
    distance is 1 unless one tag is above the other, and then 1 − leaves(lower) / leaves(upper).

    Parameters
    ----------
    source : Tree, or what `tree` takes

    Returns
    -------
    Distance
        In [0, 1]. O(1) for a pair of labels.

    Notes
    -----
    Melamed & Resnik 2000, with a minimum for their product as Artstein & Poesio 2008, section 4.5,
    restate it. They divide the probability "uniformly to all the nodes dominated by T", here read
    as equal shares of the leaves; equal shares of the children, and so on down, would differ in
    trees that are not balanced. It is the total variation distance of two distributions, so the
    triangle inequality holds.

    Examples
    --------
    A tag against one of its two sub-tags (Artstein & Poesio 2008, 4.5):

    >>> from agreement_fast import hierarchy
    >>> d = hierarchy.leaf_overlap({"A1": "A", "A2": "A"})
    >>> d.matrix(["A", "A1", "A2"])
    array([[0. , 0.5, 0.5],
           [0.5, 0. , 1. ],
           [0.5, 1. , 0. ]])
    """
    nodes = tree(source)

    def between(a: Array, b: Array) -> FloatArray:
        upper, lower, related = _upper_first(nodes, a, b)
        shared = nodes.n_leaves[lower] * related
        # whole numbers until the division: a tag and its only child are at exactly 0
        out: FloatArray = (nodes.n_leaves[upper] - shared) / nodes.n_leaves[upper]
        return out

    return _distance("leaf_overlap", nodes, between)


def path(
    source: Any, *, lengths: Mapping[Any, float] | None = None, scaled: bool = False
) -> Distance:
    """The edges on the way from one tag to another, up to their common ancestor and down again.

    Parameters
    ----------
    source : Tree, or what `tree` takes
    lengths : mapping label -> float ≥ 0, optional
        How long the edge above a label is, 1 where nothing is said. With several roots, the edge
        above a root leads to the one that is no label.
    scaled : bool
        Whether to divide by the longest way between two labels of the tree, so that distances
        are in [0, 1]. That changes no coefficient, only D_o, D_e and the observed agreement.

    Returns
    -------
    Distance
        O(1) for a pair of labels, after O(K log K).

    Raises
    ------
    ValueError
        A length that is negative or not finite, or of a label that is not in the tree.

    Notes
    -----
    The usual edge counting (Rada, Mili, Bicknell & Blettner 1989). The triangle inequality holds.

    Examples
    --------
    >>> from agreement_fast import hierarchy
    >>> d = hierarchy.path(["question/yn/check", "question/wh", "answer"])
    >>> d.matrix(["question/yn/check", "question/wh", "question", "answer"])
    array([[0., 3., 2., 4.],
           [3., 0., 1., 3.],
           [2., 1., 0., 2.],
           [4., 3., 2., 0.]])
    """
    nodes = tree(source)
    edge = np.ones(len(nodes))
    for label, length in (lengths or {}).items():
        if not (np.isfinite(length) and length >= 0):
            raise ValueError(f"the edge above {label!r} has length {length}: it must be >= 0")
        edge[nodes.places([label])] = length
    way = _Ways(nodes, edge)
    longest = 1.0
    if scaled:
        everything = np.arange(len(nodes))
        # the farthest node from anywhere is an end of a longest way
        end = np.argmax(way.between(np.zeros_like(everything), everything))
        longest = float(way.between(np.full_like(everything, end), everything).max()) or 1.0

    def between(a: Array, b: Array) -> FloatArray:
        return way.between(a, b) / longest

    return _distance("path_scaled" if scaled else "path", nodes, between)


def wu_palmer(source: Any) -> Distance:
    """1 − 2 level(c) / (level(a) + level(b)), c the lowest common ancestor of a and b.

    The level counts nodes: a root is at level 1, its children at level 2. So a difference deep in
    the tree weighs less than one near its root.

    Parameters
    ----------
    source : Tree, or what `tree` takes

    Returns
    -------
    Distance
        In [0, 1]; 1 for tags below different roots. O(1) for a pair of labels, after O(K log K).

    Notes
    -----
    1 less the similarity of Wu & Palmer 1994. It is the Dice distance of the sets of nodes from
    each tag up to its root. The triangle inequality holds in trees, unlike for sets in general.

    Examples
    --------
    >>> from agreement_fast import hierarchy
    >>> d = hierarchy.wu_palmer({"A1": "A", "A2": "A", "A": "top", "B": "top"})
    >>> d.matrix(["A1", "A2", "B"]).round(3)
    array([[0.   , 0.333, 0.6  ],
           [0.333, 0.   , 0.6  ],
           [0.6  , 0.6  , 0.   ]])
    """
    nodes = tree(source)
    way = _Ways(nodes, np.ones(len(nodes)))

    def between(a: Array, b: Array) -> FloatArray:
        out: FloatArray = way.between(a, b) / (way.down[a] + way.down[b])
        return out

    return _distance("wu_palmer", nodes, between)


def level_dependent(source: Any, *, step: float = 0.75, correction: float = 1.0) -> Distance:
    """1 − step^Δ · correction^Γ for a tag and one above it, 1 for two tags on different branches.

    Δ is the number of levels between the two, Γ the depth of the upper one, 0 for a root.

    Parameters
    ----------
    source : Tree, or what `tree` takes
    step : float
        How much agreement is left one level away, between 0 and 1.
    correction : float
        Between 0 and 1. Below 1, a difference that begins deeper in the tree leaves less
        agreement; 1 ignores where it begins.

    Returns
    -------
    Distance
        In [0, 1]. O(1) for a pair of labels.

    Raises
    ------
    ValueError
        A `step` or `correction` outside 0 .. 1.

    Notes
    -----
    After Geertzen & Bunt 2006, who weigh kappa for the DIT++ dialogue acts so: partial agreement
    only between ancestor and offspring, a factor for each level, a correction factor for depth.
    Their equation was not at hand when this was written: compare before citing values with
    `correction` below 1. The triangle inequality fails: siblings are at distance 1, but for `step`
    above 1/2 each is nearer than 1/2 to their parent.

    Examples
    --------
    >>> from agreement_fast import hierarchy
    >>> d = hierarchy.level_dependent(["question/yn/check", "question/wh"])
    >>> d.matrix(["question", "question/yn", "question/yn/check", "question/wh"])
    array([[0.    , 0.25  , 0.4375, 0.25  ],
           [0.25  , 0.    , 0.25  , 1.    ],
           [0.4375, 0.25  , 0.    , 1.    ],
           [0.25  , 1.    , 1.    , 0.    ]])
    """
    nodes = tree(source)
    for name, value in (("step", step), ("correction", correction)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must be between 0 and 1, not {value}")

    def between(a: Array, b: Array) -> FloatArray:
        upper, lower, related = _upper_first(nodes, a, b)
        apart = np.where(related, nodes.depths[lower] - nodes.depths[upper], 0)
        weight = float(step) ** apart * float(correction) ** nodes.depths[upper]
        return np.where(upper == lower, 0.0, np.where(related, 1.0 - weight, 1.0))

    name = f"level_dependent:{step:g}" + ("" if correction == 1 else f":{correction:g}")
    return _distance(name, nodes, between)


def _upper_first(nodes: Tree, a: Array, b: Array) -> tuple[Array, Array, Array]:
    """Of two nodes the one that is met first, the other, and whether the first is above it."""
    upper, lower = np.minimum(a, b), np.maximum(a, b)
    return upper, lower, lower < nodes.ends[upper]


class _Ways:
    """Ways between the nodes of a tree whose edges have lengths."""

    def __init__(self, nodes: Tree, edge: FloatArray) -> None:
        #: How far each node is below the root that is no label.
        self.down = edge.copy()
        for place, above in enumerate(nodes.parents.tolist()):
            if above >= 0:
                self.down[place] += self.down[above]
        above = np.where(nodes.parents < 0, 0.0, self.down[nodes.parents])
        # Of the nodes after a, up to b, the parents are c and nodes below it: c is the least far
        # down of them. Row r holds minima over runs of 2 ** r nodes, two of which cover any run.
        n_rows = len(nodes).bit_length()
        self._least = np.empty((n_rows, len(nodes)))
        self._least[0] = above
        for row in range(1, n_rows):
            half, stop = 2 ** (row - 1), len(nodes) - 2**row + 1
            shorter = self._least[row - 1]
            self._least[row, :stop] = np.minimum(shorter[:stop], shorter[half : stop + half])

    def between(self, a: Array, b: Array) -> FloatArray:
        first, last = np.minimum(a, b), np.maximum(a, b)
        row = np.frexp(np.maximum(last - first, 1))[1] - 1
        stop = last + 1 - (1 << row)
        start = np.minimum(first + 1, stop)
        common = np.minimum(self._least[row, start], self._least[row, stop])
        way: FloatArray = self.down[a] + self.down[b] - 2.0 * common
        return np.where(first == last, 0.0, way)


def _distance(name: str, nodes: Tree, of_nodes: Between) -> Distance:
    """A distance between labels from one between nodes: a matrix where it fits, else blocks."""

    def bind(categories: Categories | Array, declared: bool, marginals: FloatArray | None) -> Form:
        places = nodes.places(categories)
        K = len(places)

        def between(a: Array, b: Array) -> FloatArray:
            return of_nodes(places[a], places[b])

        if K * K > BLOCK:
            return Blocks(K, between)
        values = np.empty((K, K))
        everything, rows = np.arange(K), max(1, PAIRS // max(K, 1))
        for first in range(0, K, rows):
            some = everything[first : first + rows]
            values[some] = between(some[:, None], everything[None, :])
        return Matrix(values)

    return Distance(name, bind)
