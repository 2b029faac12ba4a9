"""Trees of labels, the formats they are read from, and distances between their labels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.distances.forms import (
    BLOCK,
    NO_VALUES,
    Blocks,
    Distance,
    Form,
    OverCategories,
    small_as_matrix,
)
from agreement_fast.errors import Argument, InputError, InputTypeError, Sentence
from agreement_fast.options import ByName, Label, check_choice
from agreement_fast.present.tables import Tabular
from agreement_fast.present.terminal import shorten
from agreement_fast.reading.labels import Labels, as_python

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Errors of these arguments.
wrong_root = partial(InputError, argument="root")
wrong_source = partial(InputError, argument="source")


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Tree(Tabular):
    """A tree of labels, in depth-first order from the roots. Create it with `tree`.

    Attributes
    ----------
    labels : tuple of K labels
        Each node comes directly before all nodes below it.
    parents : int64 array of shape (K,)
        The place of each node's parent; −1 for a root.
    depths : int64 array of shape (K,)
        The number of edges between each node and its root.
    ends : int64 array of shape (K,)
        The nodes below node i are those at i + 1 .. ends[i] − 1.
    n_leaves : int64 array of shape (K,)
        The number of leaves below each node; 1 for a leaf.

    Examples
    --------
    >>> from agreement_fast import distances
    >>> nodes = distances.tree(["animal/cat", "animal/dog"])
    >>> nodes.labels, nodes.n_leaves.tolist()
    (('animal', 'animal/cat', 'animal/dog'), [2, 1, 1])
    """

    _caption = "tree of {labels:label}: {_roots:root}, {_leaves} leaves, depth {_depth}"

    @property
    def _roots(self) -> int:
        return int((self.parents < 0).sum())

    @property
    def _leaves(self) -> int:
        return int((self.ends == np.arange(len(self)) + 1).sum())

    @property
    def _depth(self) -> int:
        return int(self.depths.max())

    labels: tuple[Hashable, ...]
    parents: Array
    depths: Array
    ends: Array
    n_leaves: Array
    _places: dict[Hashable, int]

    def __len__(self) -> int:
        return len(self.labels)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a table's columns: each label, its parent (None for a root), depth and leaves."""
        return {
            "label": self.labels,
            "parent": [self.labels[i] if i >= 0 else None for i in self.parents.tolist()],
            "depth": self.depths,
            "n_leaves": self.n_leaves,
        }

    def __contains__(self, label: object) -> bool:
        return label in self._places

    def ancestors(self, label: Hashable) -> tuple[Hashable, ...]:
        """Return the labels above a label, its parent first.

        Examples
        --------
        >>> from agreement_fast import distances
        >>> distances.tree(["question/yn/check"]).ancestors("question/yn/check")
        ('question/yn', 'question')
        """
        above, place = [], int(self.places([label])[0])
        while (place := int(self.parents[place])) >= 0:
            above.append(self.labels[place])
        return tuple(above)

    def places(self, labels: Sequence[Label] | Array) -> Array:
        """Return the places of labels in the tree, int64.

        Raises
        ------
        ValueError
            If a label is not in the tree.
        """
        listed = labels.tolist() if isinstance(labels, np.ndarray) else labels
        try:
            return np.array([self._places[as_python(label)] for label in listed], dtype=np.int64)
        except KeyError as error:
            label = error.args[0]
            raise InputError(
                f"label {label!r} is not in the tree; its labels are {shorten(self.labels)}",
                ("add it to the tree, or pass ", Argument("missing", [label])),
            ) from None


class Graph(Protocol):
    """A graph, as networkx has it."""

    @property
    def nodes(self) -> Any:
        """The labels."""

    @property
    def edges(self) -> Any:
        """Pairs of labels."""

    def is_directed(self) -> bool:
        """Whether edges lead from parent to child."""


#: What a tree is read from.
TreeLike: TypeAlias = Tree | Mapping[Any, Any] | Iterable[str] | Graph


def tree(source: TreeLike, *, separator: str = "/", root: Hashable | None = None) -> Tree:
    """Read a tree of labels.

    Parameters
    ----------
    source : mapping, graph, iterable of str, or Tree
        One of:

        - a mapping child → parent, in which a root has no parent (None, NaN) or is no key;
        - a networkx graph, or any object with ``nodes``, ``edges`` and ``is_directed()``; edges of
          a directed graph lead from parent to child;
        - paths from a root, such as ``["question/yn/check", "answer"]``; labels are whole paths,
          and each beginning of a path is a label too.
    separator : str, default "/"
        The text between the steps of a path.
    root : label, optional
        The root of an undirected graph; required for such a graph.

    Returns
    -------
    Tree
        The tree, which all distances between labels of a tree take.

    Raises
    ------
    ValueError
        If the tree is empty, has a cycle or a node with two parents, or a path has an empty step.
    TypeError
        If `source` is none of these.

    Notes
    -----
    The cost is O(K) for K labels. Several roots have an unlabelled root as common ancestor.

    Examples
    --------
    >>> from agreement_fast import distances
    >>> distances.tree({"A1": "A", "A2": "A", "A": "top", "B": "top"})
    <tree of 5 labels: 1 root, 3 leaves, depth 2>
    >>> distances.tree(["question/yn/check", "question/wh", "answer"]).labels
    ('question', 'question/yn', 'question/yn/check', 'question/wh', 'answer')
    """
    if isinstance(source, Tree):
        return source
    is_graph = all(hasattr(source, name) for name in ("nodes", "edges", "is_directed"))
    if root is not None and not is_graph:
        raise InputTypeError(
            "root is only for undirected graphs: a mapping or a path shows its roots",
            argument="root",
        )
    if is_graph:
        return _grow(_graph_parents(source, as_python(root)))
    if isinstance(source, Mapping):
        return _grow(_mapping_parents(source))
    if isinstance(source, str) or not isinstance(source, Iterable):
        raise InputTypeError(
            f"{source!r} is not a tree",
            "pass a mapping child -> parent, a networkx graph, or a list of paths",
            argument="source",
        )
    return _grow(_path_parents(source, separator))


def _mapping_parents(mapping: Mapping[Any, Any]) -> dict[Hashable, Hashable | None]:
    for child, parent in mapping.items():
        if not isinstance(parent, Hashable):
            raise InputTypeError(
                f"the parent of {child!r} must be a label or None, not {parent!r}",
                argument="source",
            )
    above = [as_python(parent) for parent in mapping.values()]
    codes = np.empty(len(above), np.int32)
    _encode.encode_objects(above, {}, codes)  # missing values of any kind are -1
    parents: dict[Hashable, Hashable | None] = {
        as_python(child): None if code < 0 else parent
        for child, parent, code in zip(mapping, above, codes.tolist(), strict=True)
    }
    for parent in list(parents.values()):
        if parent is not None:
            parents.setdefault(parent, None)
    return parents


def _path_parents(paths: Iterable[Any], separator: str) -> dict[Hashable, Hashable | None]:
    if not (isinstance(separator, str) and separator):
        raise InputError.must_be("separator", "the text between the steps of a path", separator)
    parents: dict[Hashable, Hashable | None] = {}
    for written in paths:
        if not isinstance(written, str):
            raise InputTypeError(
                f"path {written!r} is not text",
                "pass labels that are not text as a mapping child -> parent",
                argument="source",
            )
        steps = written.split(separator)
        if not all(steps):
            raise wrong_source(
                f"path {written!r} has an empty step: join the steps by one {separator!r}, "
                "without one at either end"
            )
        above = None
        for n_steps in range(1, len(steps) + 1):
            path = separator.join(steps[:n_steps])
            parents[path] = above
            above = path
    return parents


def _graph_parents(graph: Any, root: Hashable | None) -> dict[Hashable, Hashable | None]:
    nodes = [as_python(node) for node in graph.nodes]
    edges = [(as_python(edge[0]), as_python(edge[1])) for edge in graph.edges]
    parents: dict[Hashable, Hashable | None]
    if not graph.is_directed():
        # A walk from the root finds the parents.
        if root is None:
            raise wrong_root(
                "an undirected graph does not show its root", ("pass ", Argument("root"))
            )
        neighbours: dict[Hashable, list[Hashable]] = {node: [] for node in nodes}
        if root not in neighbours:
            raise wrong_root(
                f"the root {root!r} is not in the graph; its nodes are {shorten(nodes)}"
            )
        for a, b in edges:
            neighbours[a].append(b)
            neighbours[b].append(a)
        parents = {root: None}
        reached = [root]
        for node in reached:
            for other in neighbours[node]:
                if other not in parents:
                    parents[other] = node
                    reached.append(other)
        missed = [node for node in nodes if node not in parents]
        if missed:
            raise wrong_root(f"the graph has no path from the root {root!r} to {missed[0]!r}")
        if len(edges) != len(nodes) - 1:
            raise wrong_source(
                f"the graph has a cycle: a tree of {len(nodes)} nodes has {len(nodes) - 1} edges, "
                f"this graph has {len(edges)}"
            )
        return parents
    if root is not None:
        raise wrong_root("root is only for undirected graphs: a directed graph shows its roots")
    parents = dict.fromkeys(nodes)
    for parent, child in edges:
        if parents[child] is not None:
            raise wrong_source(
                f"{child!r} has two parents, {parents[child]!r} and {parent!r}: edges must lead "
                "from parent to child, and no node may have two (graph.reverse() reverses "
                "the edges)"
            )
        parents[child] = parent
    return parents


def _grow(parent_of: dict[Hashable, Hashable | None]) -> Tree:
    if not parent_of:
        raise wrong_source("the tree is empty: it needs at least one label")
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
        raise wrong_source(_cycle(parent_of, places))
    ends = list(range(1, len(labels) + 1))
    n_leaves = [0] * len(labels)
    for place in range(len(labels) - 1, -1, -1):  # nodes below a node come first
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
    turn = turn[turn.index(label) :]
    shown = [repr(node) for node in [*turn, label]]
    if len(shown) > 8:
        shown[4:-4] = [f"({len(shown) - 8} more)"]
    return f"the tree has a cycle: {' is below '.join(shown)}"


#: The reader, where `tree` is what is read.
read_tree = tree


#: Distances of nodes, given by their places in the tree, element by element.
Between = Callable[[Array, Array], FloatArray]


class OverTree(OverCategories):
    """Labels at places in a tree; subclasses define the sums."""

    kind = "blocks"
    values = NO_VALUES

    def __init__(self, places: Array, between: Between) -> None:
        self._places = places
        self._between = between

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
        self.largest = 1.0 if n_apart.any() else float(near.max(initial=0.0))

    def times(self, v: Array) -> FloatArray:
        v = v.astype(np.float64)
        return self._apart.sums(v) + _product(self._related, v)


class Ways(OverTree):
    """Path lengths: the sum of the lengths of the edges that separate two labels.

    O(nodes and their ancestors) for each row of marginals.
    """

    def __init__(self, nodes: Tree, edge: FloatArray, places: Array, between: Between) -> None:
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
        return _longest(self.between, len(self._places)) if len(self._places) else 0.0


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


def _longest(between: Between, n: int) -> float:
    """Return the largest of n nodes' distances: the farthest from any is an end of a longest path.

    At least one node is needed.
    """
    everything = np.arange(n)
    end = np.argmax(between(np.zeros_like(everything), everything))
    return float(between(np.full_like(everything, end), everything).max())


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


def leaf_overlap(tree: TreeLike) -> Distance:
    """1 − Σ over leaves of min(P(leaf|a), P(leaf|b)): 1 minus the overlap of two tags' leaves.

    P(.|T) is uniform over the leaves below T; if T is a leaf, it is 1 for T. So the distance is 1
    unless one tag is above the other; then it is 1 − leaves(lower) / leaves(upper).

    Parameters
    ----------
    tree : Tree, mapping, graph or iterable of str
        A `Tree`, a mapping child → parent, a networkx graph, or paths such as "question/yn".

    Returns
    -------
    Distance
        The distance, from 0 to 1.

    Notes
    -----
    This is the measure of Melamed & Resnik (2000) with a minimum in place of their product, as in
    Artstein & Poesio (2008, section 4.5). The probability is divided "uniformly to all the nodes
    dominated by T", which is read here as equal shares of the leaves. Equal shares of the children,
    and so on down, would differ in unbalanced trees. It is the total variation distance of two
    distributions, so the triangle inequality holds.

    A pair of labels costs O(1). Expected disagreement over many labels costs O(ancestors of the
    labels).

    Examples
    --------
    A tag against one of its two sub-tags (Artstein & Poesio 2008, 4.5):

    >>> from agreement_fast import distances
    >>> d = distances.leaf_overlap({"A1": "A", "A2": "A"})
    >>> d.matrix(["A", "A1", "A2"])
    array([[0. , 0.5, 0.5],
           [0.5, 0. , 1. ],
           [0.5, 1. , 0. ]])
    """
    nodes = read_tree(tree)

    def between(a: Array, b: Array) -> FloatArray:
        upper, lower, related = _upper_first(nodes, a, b)
        shared = nodes.n_leaves[lower] * related
        # integers until the division, so that a tag and its only child are at exactly 0
        return np.asarray((nodes.n_leaves[upper] - shared) / nodes.n_leaves[upper])

    return _distance("leaf_overlap", nodes, between, partial(Branches, nodes))


def tree_path(
    tree: TreeLike, *, lengths: ByName[float] | None = None, scaled: bool = False
) -> Distance:
    """The number or length of the edges on the path between two tags.

    Parameters
    ----------
    tree : Tree, mapping, graph or iterable of str
        A `Tree`, a mapping child → parent, a networkx graph, or paths such as "question/yn".
    lengths : mapping label -> float ≥ 0, optional
        The length of the edge above each label, by default 1. If there are several roots, the edge
        above a root leads to the unlabelled root.
    scaled : bool, default False
        Whether to divide by the longest path between two labels of the tree, so that distances
        are in [0, 1]. This changes no coefficient, only D_o, D_e and the observed agreement.

    Returns
    -------
    Distance
        The distance, 0 or more.

    Raises
    ------
    ValueError
        If a length is negative or not finite, or its label is not in the tree.

    Notes
    -----
    This is edge counting (Rada, Mili, Bicknell & Blettner 1989). The triangle inequality holds. A
    pair of labels costs O(1) after O(K log K) for K labels. Expected disagreement over many labels
    costs O(ancestors of the labels).

    Examples
    --------
    >>> from agreement_fast import distances
    >>> d = distances.tree_path(["question/yn/check", "question/wh", "answer"])
    >>> d.matrix(["question/yn/check", "question/wh", "question", "answer"])
    array([[0., 3., 2., 4.],
           [3., 0., 1., 3.],
           [2., 1., 0., 2.],
           [4., 3., 2., 0.]])
    """
    nodes = read_tree(tree)
    edge = np.ones(len(nodes))
    if lengths is not None and not isinstance(lengths, Mapping):
        raise InputTypeError.must_be("lengths", "a mapping label -> number", lengths)
    for label, length in (lengths or {}).items():
        if not isinstance(length, Real) or not 0 <= length < np.inf:
            raise InputError(
                f"the length of the edge above {label!r} must be a number >= 0, not {length!r}",
                argument="lengths",
            )
        edge[nodes.places([label])] = length
    way = Depths(nodes, edge)
    longest = (_longest(way.between, len(nodes)) if scaled else 1.0) or 1.0

    def between(a: Array, b: Array) -> FloatArray:
        return way.between(a, b) / longest

    name = "tree_path_scaled" if scaled else "tree_path"
    return _distance(name, nodes, between, partial(Ways, nodes, edge / longest), True)


def wu_palmer(tree: TreeLike) -> Distance:
    """1 − 2 level(c) / (level(a) + level(b)), c the lowest common ancestor of a and b.

    The level counts nodes: a root is at level 1, its children at level 2. So a difference deep in
    the tree weighs less than one near its root.

    Parameters
    ----------
    tree : Tree, mapping, graph or iterable of str
        A `Tree`, a mapping child → parent, a networkx graph, or paths such as "question/yn".

    Returns
    -------
    Distance
        The distance, from 0 to 1; 1 for tags below different roots.

    Notes
    -----
    This is 1 minus the similarity of Wu & Palmer (1994). It equals the Dice distance of the sets of
    nodes from each tag up to its root. The triangle inequality holds in trees, although it fails
    for sets in general. A pair of labels costs O(1) after O(K log K) for K labels; expected
    disagreement visits every pair of labels.

    Examples
    --------
    >>> from agreement_fast import distances
    >>> d = distances.wu_palmer({"A1": "A", "A2": "A", "A": "top", "B": "top"})
    >>> d.matrix(["A1", "A2", "B"]).round(3)
    array([[0.   , 0.333, 0.6  ],
           [0.333, 0.   , 0.6  ],
           [0.6  , 0.6  , 0.   ]])
    """
    nodes = read_tree(tree)
    way = Depths(nodes, np.ones(len(nodes)))

    def between(a: Array, b: Array) -> FloatArray:
        return np.asarray(way.between(a, b) / (way.down[a] + way.down[b]))

    return _distance("wu_palmer", nodes, between)


def level_dependent(
    tree: TreeLike,
    *,
    step: float = 0.75,
    correction: float = 1.0,
    deeper: Literal["farther", "nearer"] = "farther",
) -> Distance:
    """1 − step^Δ · correction^Γ for a tag and one above it, 1 for two tags on different branches.

    Δ is the number of levels between the two tags; Γ measures how deep in the tree they are.

    Parameters
    ----------
    tree : Tree, mapping, graph or iterable of str
        A `Tree`, a mapping child → parent, a networkx graph, or paths such as "question/yn".
    step : float, default 0.75
        The agreement of tags one level apart, from 0 to 1.
    correction : float, default 1.0
        The factor for each level of Γ, from 0 to 1; 1 ignores depth.
    deeper : {"farther", "nearer"}
        How a `correction` below 1 changes differences deeper in the tree. With "farther" (the
        default), Γ is the depth of the upper tag, 0 for a root. With "nearer", Γ is the number of
        levels from the upper tag down to the deepest tag that has tags below it.

    Returns
    -------
    Distance
        The distance, from 0 to 1.

    Raises
    ------
    ValueError
        If `step` or `correction` is not from 0 to 1, or `deeper` is invalid.

    Notes
    -----
    This follows the idea of Geertzen & Bunt (2006), who weight kappa for the DIT++ dialogue acts:
    only ancestor and descendant agree in part, less with each level, corrected for depth. It is not
    their equation, which we could not read, and 0.75 is not their value. The description in
    Artstein & Poesio (2008, section 4.2) holds with ``deeper="nearer"`` and a `correction` below 1:
    information-seeking and yes-no question are farther apart than check and positive check.

    The triangle inequality fails: siblings are at distance 1, but with `step` above 1/2 and
    `correction` 1, each is nearer than 1/2 to their parent. A pair of labels costs O(1). Expected
    disagreement over many labels costs O(ancestors of the labels).

    Examples
    --------
    >>> from agreement_fast import distances
    >>> acts = ["seek/ynq/check/positive", "seek/whq"]
    >>> d = distances.level_dependent(acts)
    >>> d.matrix(["seek", "seek/ynq", "seek/ynq/check", "seek/whq"])
    array([[0.    , 0.25  , 0.4375, 0.25  ],
           [0.25  , 0.    , 0.25  , 1.    ],
           [0.4375, 0.25  , 0.    , 1.    ],
           [0.25  , 1.    , 1.    , 0.    ]])
    >>> d = distances.level_dependent(acts, correction=0.8, deeper="nearer")
    >>> d.matrix(["seek", "seek/ynq", "seek/ynq/check", "seek/ynq/check/positive"])[0].round(3)
    array([0.  , 0.52, 0.64, 0.73])
    >>> d.matrix(["seek/ynq/check", "seek/ynq/check/positive"])[0]
    array([0.  , 0.25])
    """
    nodes = read_tree(tree)
    check_choice("deeper", deeper, ("farther", "nearer"))
    for name, value in (("step", step), ("correction", correction)):
        if not isinstance(value, Real) or not 0 <= value <= 1:
            inverse: Sentence | None = None
            if name == "correction" and isinstance(value, Real) and float(value) > 1:
                inverse = (
                    "to make deeper differences nearer, pass its inverse and ",
                    Argument("deeper", "nearer"),
                )
            raise InputError.must_be(name, "between 0 and 1", value, inverse)

    levels = np.arange(int(nodes.depths.max()) + 1)
    steps, corrections = float(step) ** levels, float(correction) ** levels
    if deeper == "nearer":
        # The deepest tag with tags below it is one level above the deepest tag.
        corrections = corrections[np.maximum(len(levels) - 2 - levels, 0)]

    def between(a: Array, b: Array) -> FloatArray:
        upper, lower, related = _upper_first(nodes, a, b)
        apart = np.where(related, nodes.depths[lower] - nodes.depths[upper], 0)
        weight = steps[apart] * corrections[nodes.depths[upper]]
        return np.where(upper == lower, 0.0, np.where(related, 1.0 - weight, 1.0))

    name = f"level_dependent:{step:g}"
    if correction != 1:
        name += f":{correction:g}" + (":nearer" if deeper == "nearer" else "")
    return _distance(name, nodes, between, partial(Branches, nodes))


def _upper_first(nodes: Tree, a: Array, b: Array) -> tuple[Array, Array, Array]:
    """Return the node that a walk meets first, the other, and whether the first is above it."""
    upper, lower = np.minimum(a, b), np.maximum(a, b)
    return upper, lower, lower < nodes.ends[upper]


class Depths:
    """Depths of nodes, and distances between them, in a tree whose edges have lengths."""

    def __init__(self, nodes: Tree, edge: FloatArray) -> None:
        #: The distance of each node from the unlabelled root.
        self.down = edge.copy()
        for place, above in enumerate(nodes.parents.tolist()):
            if above >= 0:
                self.down[place] += self.down[above]
        above = np.where(nodes.parents < 0, 0.0, self.down[nodes.parents])
        # The parents of the nodes after a, up to b, are c and nodes below it, and c is the least
        # deep of them. Row r holds minima over runs of 2 ** r nodes; two such runs cover any run.
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


def _distance(
    name: str,
    nodes: Tree,
    between: Between,
    many: Callable[[Array, Between], Form] | None = None,
    every_node: bool = False,
) -> Distance:
    """A distance between labels: a matrix of a few, `many` of places where there are more.

    If there are too many pairs of a label (or of every node) and one above it, each sum visits
    every pair of labels.
    """

    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        places = nodes.places(categories)
        pairs = Blocks(len(places), lambda a, b: between(places[a], places[b]))
        form = small_as_matrix(pairs, len(places))
        depths = nodes.depths if every_node else nodes.depths[places]
        if many is None or form is not pairs or int((depths + 1).sum()) > BLOCK:
            return form
        return many(places, between)

    return Distance(name, bind)
