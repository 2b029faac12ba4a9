"""Distances between the tags of a tree, and Melamed & Resnik's coefficient of its leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array, FloatArray, ratio
from agreement_fast.distances import Distance
from agreement_fast.distances.forms import BLOCK, NO_VALUES, Blocks, Form, Matrix, OverCategories
from agreement_fast.errors import Argument, InputError, InputTypeError, Sentence
from agreement_fast.hierarchy.tree import Tree, tree
from agreement_fast.inference.documents import Options
from agreement_fast.inference.own_sums import OwnSums, draw_interval, items_and_documents
from agreement_fast.options import check_choice
from agreement_fast.reading.labels import Labels
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Result
from agreement_fast.sums.columns import Items
from agreement_fast.terminal import number_of

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


def leaf_overlap(source: Any) -> Distance:
    """1 − Σ over leaves of min(P(leaf|a), P(leaf|b)): 1 minus the overlap of two tags' leaves.

    P(.|T) is uniform over the leaves below T; if T is a leaf, it is 1 for T. So the distance is 1
    unless one tag is above the other; then it is 1 − leaves(lower) / leaves(upper).

    Parameters
    ----------
    source : Tree, mapping, graph or iterable of str
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
        # integers until the division, so that a tag and its only child are at exactly 0
        return np.asarray((nodes.n_leaves[upper] - shared) / nodes.n_leaves[upper])

    return _distance("leaf_overlap", nodes, between, lambda x: branches(nodes, x, between))


def path(
    source: Any, *, lengths: Mapping[Any, float] | None = None, scaled: bool = False
) -> Distance:
    """The number or length of the edges on the path between two tags.

    Parameters
    ----------
    source : Tree, mapping, graph or iterable of str
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
    longest = 1.0
    if scaled:
        everything = np.arange(len(nodes))
        # the node farthest from any node is an end of a longest path
        end = np.argmax(way.between(np.zeros_like(everything), everything))
        longest = float(way.between(np.full_like(everything, end), everything).max()) or 1.0

    def between(a: Array, b: Array) -> FloatArray:
        return way.between(a, b) / longest

    return _distance(
        "path_scaled" if scaled else "path",
        nodes,
        between,
        lambda places: ways(nodes, places, between, edge / longest),
    )


def wu_palmer(source: Any) -> Distance:
    """1 − 2 level(c) / (level(a) + level(b)), c the lowest common ancestor of a and b.

    The level counts nodes: a root is at level 1, its children at level 2. So a difference deep in
    the tree weighs less than one near its root.

    Parameters
    ----------
    source : Tree, mapping, graph or iterable of str
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
    >>> from agreement_fast import hierarchy
    >>> d = hierarchy.wu_palmer({"A1": "A", "A2": "A", "A": "top", "B": "top"})
    >>> d.matrix(["A1", "A2", "B"]).round(3)
    array([[0.   , 0.333, 0.6  ],
           [0.333, 0.   , 0.6  ],
           [0.6  , 0.6  , 0.   ]])
    """
    nodes = tree(source)
    way = Depths(nodes, np.ones(len(nodes)))

    def between(a: Array, b: Array) -> FloatArray:
        return np.asarray(way.between(a, b) / (way.down[a] + way.down[b]))

    return _distance("wu_palmer", nodes, between, lambda places: blocks(places, between))


def level_dependent(
    source: Any, *, step: float = 0.75, correction: float = 1.0, deeper: str = "farther"
) -> Distance:
    """1 − step^Δ · correction^Γ for a tag and one above it, 1 for two tags on different branches.

    Δ is the number of levels between the two tags; Γ measures how deep in the tree they are.

    Parameters
    ----------
    source : Tree, mapping, graph or iterable of str
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
    >>> from agreement_fast import hierarchy
    >>> acts = ["seek/ynq/check/positive", "seek/whq"]
    >>> d = hierarchy.level_dependent(acts)
    >>> d.matrix(["seek", "seek/ynq", "seek/ynq/check", "seek/whq"])
    array([[0.    , 0.25  , 0.4375, 0.25  ],
           [0.25  , 0.    , 0.25  , 1.    ],
           [0.4375, 0.25  , 0.    , 1.    ],
           [0.25  , 1.    , 1.    , 0.    ]])
    >>> d = hierarchy.level_dependent(acts, correction=0.8, deeper="nearer")
    >>> d.matrix(["seek", "seek/ynq", "seek/ynq/check", "seek/ynq/check/positive"])[0].round(3)
    array([0.  , 0.52, 0.64, 0.73])
    >>> d.matrix(["seek/ynq/check", "seek/ynq/check/positive"])[0]
    array([0.  , 0.25])
    """
    nodes = tree(source)
    check_choice("deeper", deeper, ("farther", "nearer"))
    for name, value in (("step", step), ("correction", correction)):
        if not isinstance(value, Real) or not 0 <= value <= 1:
            raise InputError.must_be(name, "between 0 and 1", value, _other_way(name, value))

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
    return _distance(name, nodes, between, lambda x: branches(nodes, x, between))


def _other_way(name: str, value: Any) -> Sentence | None:
    """Return what to pass if a correction above 1 was meant to make deeper tags nearer."""
    if name == "correction" and isinstance(value, Real) and float(value) > 1:
        return (
            "to make deeper differences nearer, pass its inverse and ",
            Argument("deeper", "nearer"),
        )
    return None


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


def _distance(name: str, nodes: Tree, between: Between, many: Callable[[Array], Form]) -> Distance:
    """A distance between labels: a matrix of a few, `many` of places where there are more."""

    def bind(categories: Labels, declared: bool, marginals: FloatArray | None = None) -> Form:
        places = nodes.places(categories)
        return matrix(places, between) or many(places)

    return Distance(name, bind)


COMMON = ("product", "minimum")

#: The most numbers in memory at a time.
ROOM = 1 << 22


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class LeafAgreement(Result):
    """Melamed & Resnik's coefficient, with its interval.

    Attributes
    ----------
    common : str
        "product" or "minimum", as passed.
    value : float
        (A_o − A_e) / (1 − A_e); NaN if undefined.
    observed_agreement, expected_agreement : float
    standard_error : float
        The standard deviation of the replicates.
    low, high : float
        The ends of the interval; NaN if there is none.
    confidence_level : float
    method : str
        The method of the interval.
    n_items, n_items_dropped : int
        The number of items with two or more judgments, and of the other items; weights counted.
    n_coders : int or None
    n_resamples, n_undefined : int
        The number of resamples, and of those in which the coefficient is undefined.
    replicates : float64 array of shape (n_resamples,)
        The coefficient of each resample; NaN if undefined.
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval.
    """

    common: str
    value: float
    observed_agreement: float
    expected_agreement: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    n_items: int
    n_items_dropped: int
    n_coders: int | None
    n_resamples: int
    n_undefined: int
    replicates: FloatArray = field(repr=False)
    undefined: str | None
    note: str | None

    def __repr__(self) -> str:
        text = (
            f"leaf_agreement({self.common}) = {self.value:.6g}, "
            f"{100 * self.confidence_level:.12g}% interval {self.low:z.4f} to {self.high:z.4f}: "
            f"A_o = {self.observed_agreement:.6g}, A_e = {self.expected_agreement:.6g}, "
            f"{number_of(self.n_items, 'item')}"
        )
        said = "; ".join(why for why in (text, self.note, self.undefined) if why)
        return f"<{said}>"


def leaf_agreement(
    data: Any,
    source: Any,
    *,
    common: str = "product",
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    cluster: Any = None,
    rng: Any = None,
    progress: bool = False,
) -> LeafAgreement:
    """Compute Melamed & Resnik's coefficient for tags in a tree, with a bootstrap interval.

    A tag is spread evenly over the leaves below it, and coders agree as far as they share leaves.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments; their labels are tags of the tree.
    source : Tree, mapping, graph or iterable of str
        A `Tree`, a mapping child → parent, a networkx graph, or paths such as "question/yn".
    common : {"product", "minimum"}
        The overlap of two tags a and b: Σ over leaves of P(l|a) P(l|b), as published (the default),
        or of min(P(l|a), P(l|b)), as Melamed later corrected it.
    n_resamples : int, default 1000
        The number of resamples; fewer than 20 give no interval.
    confidence_level : float, default 0.95
        Confidence level of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The bootstrap interval.
    cluster : mapping item -> document, sequence of shape (n_rows,), or str, optional
        The document of each item. Whole documents are then resampled.
    rng : int or numpy Generator, optional
        Seed or generator of the resamples. The same seed gives the same interval.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    LeafAgreement
        The coefficient with its interval.

    Raises
    ------
    ValueError
        If a label is not in the tree, or an option is invalid.

    Notes
    -----
    The coefficient is (A_o − A_e) / (1 − A_e). A_o is the mean over items of the overlap of two of
    their judgments. A_e = Σ over leaves of P(l)², where P(l) is the share of a leaf after all
    judgments are spread and each item counts the same. Items need two judgments.

    The equations are those that Artstein & Poesio (2008, section 4.5) report from Melamed & Resnik
    (2000). They say that chance chooses leaves, but not which coders' distribution it uses; the
    distribution of all coders together, as in π, is our reading.

    They criticise two properties. With the product, two coders who both say A, which has two
    leaves, agree by only .5. With the minimum, they agree by 1, but chance still chooses leaves, as
    if nobody could say A. Prefer α with the distance `leaf_overlap`: its observed agreement is that
    of the minimum, and its chance model uses A as often as the coders do.

    References
    ----------
    Melamed, I. D. & Resnik, P. (2000). Tagger evaluation given hierarchical tag sets. Computers and
    the Humanities 34, 79–84.

    Examples
    --------
    >>> from agreement_fast import hierarchy
    >>> tree = {"A1": "A", "A2": "A", "B": None}
    >>> table = [["A", "A"], ["B", "B"], ["A1", "A"]]
    >>> published = hierarchy.leaf_agreement(table, tree, rng=1)
    >>> corrected = hierarchy.leaf_agreement(table, tree, common="minimum", rng=1)
    >>> round(published.observed_agreement, 4), round(corrected.observed_agreement, 4)
    (0.6667, 0.8333)
    >>> round(published.expected_agreement, 4), round(published, 4), round(corrected, 4)
    (0.3472, 0.4894, 0.7447)
    """
    check_choice("common", common, COMMON)
    options = Options.of(n_resamples, confidence_level, method, rng, 1, progress)
    annotations = as_annotations(data)
    items, documents = items_and_documents(annotations, cluster)
    sums = _Sums(items, tree(source), annotations.categories, common)
    observed, expected = sums.parts(sums.weights.astype(np.float64)[:, None])
    value = float(_corrected(observed, expected)[0])
    own = OwnSums(
        sums.weights, lambda weights: _corrected(*sums.parts(weights)), sums.steps, documents
    )
    drawn, note = draw_interval(value, own, options)
    n_items = int(sums.weights.sum())
    return LeafAgreement(
        common=common,
        value=value,
        observed_agreement=float(observed[0]),
        expected_agreement=float(expected[0]),
        **drawn.parts(options),
        n_items=n_items,
        n_items_dropped=annotations.n_items - n_items,
        n_coders=annotations.n_coders,
        n_undefined=drawn.n_undefined,
        replicates=drawn.replicates,
        undefined=None if value == value else NO_VARIATION if n_items else NO_PAIRS,
        note=note,
    )


class _Sums:
    """Sums over the patterns, linear in their weights, from which the coefficient is computed."""

    def __init__(self, items: Items, nodes: Tree, labels: Any, common: str) -> None:
        from scipy import sparse

        self._nodes = nodes
        self._places = places = nodes.places(labels)
        #: The number of items of each pattern; 0 if the pattern has a single judgment: int64 array
        #: of shape (U,).
        self.weights: Array = np.where(items.sizes >= 2, items.weights, 0)

        def between(a: Array, b: Array) -> FloatArray:
            """Compute 1 minus the overlap of two tags, and 0 for equal tags."""
            upper, lower = np.minimum(places[a], places[b]), np.maximum(places[a], places[b])
            related = lower < nodes.ends[upper]
            top = nodes.n_leaves[lower] if common == "minimum" else 1
            return np.asarray(1.0 - related * top / nodes.n_leaves[upper])

        row = np.repeat(np.arange(items.n_rows), np.diff(items.start))
        times = np.ones(len(row)) if items.repeats is None else items.repeats.astype(np.float64)
        # Pairs of equal tags count too, because with the product their distance is not 0.
        apart = items.disagreement(Blocks(len(places), between))
        own = between(np.arange(len(places)), np.arange(len(places)))[items.codes]
        apart += self._equal_pairs(items, row, times, own)
        n_pairs = np.maximum(items.sizes * (items.sizes - 1), 1)
        self._common = (1.0 - apart / n_pairs) * (self.weights > 0)
        shares = times / np.maximum(items.sizes[row], 1)
        self._said = sparse.csr_array(
            (shares, (row, items.codes.astype(np.int64))), shape=(items.n_rows, len(places))
        )

    @staticmethod
    def _equal_pairs(items: Items, row: Array, times: FloatArray, own: FloatArray) -> FloatArray:
        """Sum the tags' distances from themselves over the pairs of equal tags of each row."""
        codes = items.codes.astype(np.int64)
        keys = row * (int(codes.max(initial=0)) + 1) + codes
        found, first, place = np.unique(keys, return_index=True, return_inverse=True)
        counts = np.bincount(place, times, len(found))
        pairs = counts * (counts - 1) * own[first]
        return np.asarray(np.bincount(row[first], pairs, items.n_rows), np.float64)

    def parts(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute A_o and A_e for weights of the patterns: (U, R) to (R,) and (R,)."""
        n = (weights * (self.weights > 0)[:, None]).sum(0)
        share = np.maximum(n, 1.0)
        observed = self._common @ weights / share
        said = (self._said.T @ weights) / share
        step = max(1, ROOM // len(self._nodes))
        expected = [
            (self._on_leaves(said[:, first : first + step]) ** 2).sum(0)
            for first in range(0, said.shape[1], step)
        ]
        none = n == 0
        return np.where(none, np.nan, observed), np.where(none, np.nan, np.concatenate(expected))

    def _on_leaves(self, said: FloatArray) -> FloatArray:
        """Spread shares of labels over the leaves below them: (K, R) to (leaves, R)."""
        nodes = self._nodes
        on = np.zeros((len(nodes), said.shape[1]))
        on[self._places] = said / nodes.n_leaves[self._places][:, None]
        for depth in range(1, int(nodes.depths.max()) + 1):
            here = np.flatnonzero(nodes.depths == depth)
            on[here] += on[nodes.parents[here]]
        return np.asarray(on[nodes.ends == np.arange(len(nodes)) + 1])

    @property
    def steps(self) -> float:
        """Return the approximate cost of one value, in nanoseconds."""
        return 10.0 * len(self._nodes) + len(self.weights)


def _corrected(observed: FloatArray, expected: FloatArray) -> FloatArray:
    """Compute (A_o − A_e) / (1 − A_e); NaN if A_e is 1."""
    return ratio(observed - expected, 1 - expected)
