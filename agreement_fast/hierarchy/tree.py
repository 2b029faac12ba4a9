"""Trees of labels, and the formats they are read from."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.reading.labels import as_python, shorten
from agreement_fast.tables import Tabular

#: Errors of these arguments.
wrong_root = partial(InputError, argument="root")
wrong_source = partial(InputError, argument="source")


@dataclass(frozen=True, eq=False, slots=True)
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
    """

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

    def __repr__(self) -> str:
        roots, leaves = int((self.parents < 0).sum()), int((self.n_leaves * self._is_leaf()).sum())
        return (
            f"<tree of {len(self)} labels: {roots} {'root' if roots == 1 else 'roots'}, "
            f"{leaves} leaves, depth {int(self.depths.max())}>"
        )

    def _is_leaf(self) -> Array:
        return np.asarray(self.ends == np.arange(len(self)) + 1)

    def ancestors(self, label: Hashable) -> tuple[Hashable, ...]:
        """Return the labels above a label, its parent first.

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


def tree(source: Any, *, separator: str = "/", root: Hashable | None = None) -> Tree:
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
        The tree, which all functions of `hierarchy` take.

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
            here = separator.join(steps[:n_steps])
            parents[here] = above
            above = here
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
