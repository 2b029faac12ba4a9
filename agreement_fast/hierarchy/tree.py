"""Trees of labels, and the ways to write them down."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels import _encode
from agreement_fast.arrays import Array
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.reading.labels import as_python, shorten
from agreement_fast.tables import Tabular


@dataclass(frozen=True, eq=False, slots=True)
class Tree(Tabular):
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

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each label: its parent, None for a root, its depth and its leaves."""
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
            label = error.args[0]
            raise InputError(
                f"label {label!r} is not in the tree, which has {shorten(self.labels)}",
                ("add it to the tree, or pass ", Argument("missing", [label])),
            ) from None


def tree(source: Any, *, separator: str = "/", root: Hashable | None = None) -> Tree:
    """A tree of labels from any of the ways to write one down.

    Parameters
    ----------
    source : mapping, graph, iterable of str, or Tree
        A mapping child → parent, in which a root has no parent (None, NaN) or is no key. Or a
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
        raise InputTypeError(
            "root goes with an undirected graph: a mapping or a path shows its roots",
            argument="root",
        )
    if is_graph:
        return _grow(_graph_parents(source, as_python(root)))
    if isinstance(source, Mapping):
        return _grow(_mapping_parents(source))
    if isinstance(source, str) or not isinstance(source, Iterable):
        raise InputTypeError(
            f"{source!r} is no tree",
            "give a mapping child -> parent, a networkx graph, or a list of paths",
            argument="source",
        )
    return _grow(_path_parents(source, separator))


def _mapping_parents(mapping: Mapping[Any, Any]) -> dict[Hashable, Hashable | None]:
    for child, parent in mapping.items():
        if not isinstance(parent, Hashable):
            raise InputTypeError(
                f"the parent of {child!r} must be a label, or None, not {parent!r}",
                argument="source",
            )
    above = [as_python(parent) for parent in mapping.values()]
    codes = np.empty(len(above), np.int32)
    _encode.encode_objects(above, {}, codes)  # numbers what is missing, in whatever way, as -1
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
        raise InputError.must_be("separator", "text that says where a path's steps end", separator)
    parents: dict[Hashable, Hashable | None] = {}
    for written in paths:
        if not isinstance(written, str):
            raise InputTypeError(
                f"path {written!r} is not text",
                "give other labels as child -> parent",
                argument="source",
            )
        steps = written.split(separator)
        if not all(steps):
            raise InputError(
                f"path {written!r} has an empty step: a path is steps joined by one {separator!r}, "
                "without one at either end",
                argument="source",
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
        raise InputError(
            "root goes with an undirected graph: a directed one shows its roots",
            argument="root",
        )
    parents: dict[Hashable, Hashable | None] = dict.fromkeys(nodes)
    for parent, child in edges:
        if parents[child] is not None:
            raise InputError(
                f"{child!r} has two parents, {parents[child]!r} and {parent!r}: edges must lead "
                "from parent to child, and no node may have two (graph.reverse() turns them "
                "round)",
                argument="source",
            )
        parents[child] = parent
    return parents


def _rooted(
    nodes: list[Hashable], edges: list[tuple[Hashable, Hashable]], root: Hashable | None
) -> dict[Hashable, Hashable | None]:
    """Parents in an undirected graph, by a walk from its root."""
    if root is None:
        raise InputError(
            "an undirected graph does not show its root",
            ("pass ", Argument("root")),
            argument="root",
        )
    neighbours: dict[Hashable, list[Hashable]] = {node: [] for node in nodes}
    if root not in neighbours:
        raise InputError(
            f"the root {root!r} is not in the graph, which has {shorten(nodes)}",
            argument="root",
        )
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
        raise InputError(
            f"the graph has no way from the root {root!r} to {missed[0]!r}",
            argument="root",
        )
    if len(edges) != len(nodes) - 1:
        raise InputError(
            f"the graph has a cycle: {len(nodes)} nodes in a tree have {len(nodes) - 1} edges, "
            f"this has {len(edges)}",
            argument="source",
        )
    return parents


def _grow(parent_of: dict[Hashable, Hashable | None]) -> Tree:
    if not parent_of:
        raise InputError("the tree is empty: it needs a label at least", argument="source")
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
        raise InputError(_cycle(parent_of, places), argument="source")
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
    turn = turn[turn.index(label) :]
    shown = [repr(node) for node in [*turn, label]]
    if len(shown) > 8:
        shown[4:-4] = [f"({len(shown) - 8} more)"]
    return f"the tree has a cycle: {' is below '.join(shown)}"
