"""Melamed & Resnik's coefficient of labels that are spread over the leaves of a tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast.annotations import JudgmentsLike, as_annotations
from agreement_fast.distances.forms import Blocks
from agreement_fast.distances.sums.columns import Items
from agreement_fast.distances.trees import Tree, TreeLike, read_tree
from agreement_fast.inference.draws import Options, OwnSums, draw_interval, items_and_documents
from agreement_fast.options import BootstrapMethod, PerItem, Seed, check_choice
from agreement_fast.present.terminal import number_of, show_interval
from agreement_fast.reading.recognition.recognise import ReadingOptions
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Resampled

COMMON = ("product", "minimum")

#: The most numbers in memory at a time.
ROOM = 1 << 22


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class LeafAgreement(Resampled):
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
    observed_agreement: float
    expected_agreement: float
    n_items: int
    n_items_dropped: int
    n_coders: int | None
    n_undefined: int
    replicates: FloatArray = field(repr=False)

    def __repr__(self) -> str:
        text = (
            f"leaf_agreement({self.common}) = {self.value:.6g}, "
            f"{show_interval(self)}: "
            f"A_o = {self.observed_agreement:.6g}, A_e = {self.expected_agreement:.6g}, "
            f"{number_of(self.n_items, 'item')}"
        )
        message = "; ".join(why for why in (text, self.note, self.undefined) if why)
        return f"<{message}>"


def leaf_agreement(
    data: JudgmentsLike,
    tree: TreeLike,
    *,
    common: Literal["product", "minimum"] = "product",
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "bca",
    cluster: PerItem | None = None,
    rng: Seed = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> LeafAgreement:
    """Compute Melamed & Resnik's coefficient for tags in a tree, with a bootstrap interval.

    A tag is spread evenly over the leaves below it, and coders agree as far as they share leaves.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
        The judgments; their labels are tags of the tree.
    tree : Tree, mapping, graph or iterable of str
        A `Tree`, a mapping child → parent, a networkx graph, or paths such as "question/yn".
    common : {"product", "minimum"}
        The overlap of two tags a and b: Σ over leaves of P(l|a) P(l|b), as published (the default),
        or of min(P(l|a), P(l|b)), as Melamed later corrected it.
    n_resamples : int, default 2000
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
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

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
    >>> from agreement_fast import measures
    >>> tree = {"A1": "A", "A2": "A", "B": None}
    >>> table = [["A", "A"], ["B", "B"], ["A1", "A"]]
    >>> published = measures.leaf_agreement(table, tree, rng=1)
    >>> corrected = measures.leaf_agreement(table, tree, common="minimum", rng=1)
    >>> round(published.observed_agreement, 4), round(corrected.observed_agreement, 4)
    (0.6667, 0.8333)
    >>> round(published.expected_agreement, 4), round(published, 4), round(corrected, 4)
    (0.3472, 0.4894, 0.7447)
    """
    check_choice("common", common, COMMON)
    options = Options.of(n_resamples, confidence_level, method, rng, 1, progress)
    annotations = as_annotations(data, **reading)
    items, documents = items_and_documents(annotations, cluster)
    sums = _Sums(items, read_tree(tree), annotations.categories, common)
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
        self._shares = sparse.csr_array(
            (shares, (row, items.codes.astype(np.int64))), shape=(items.n_rows, len(places))
        )

    @staticmethod
    def _equal_pairs(items: Items, row: Array, times: FloatArray, own: FloatArray) -> FloatArray:
        """Sum the tags' distances from themselves over the pairs of equal tags of each row."""
        codes = items.codes.astype(np.int64)
        keys = row * (int(codes.max(initial=0)) + 1) + codes
        result, first, place = np.unique(keys, return_index=True, return_inverse=True)
        counts = np.bincount(place, times, len(result))
        pairs = counts * (counts - 1) * own[first]
        return np.asarray(np.bincount(row[first], pairs, items.n_rows), np.float64)

    def parts(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute A_o and A_e for weights of the patterns: (U, R) to (R,) and (R,)."""
        n = (weights * (self.weights > 0)[:, None]).sum(0)
        share = np.maximum(n, 1.0)
        observed = self._common @ weights / share
        labels = (self._shares.T @ weights) / share
        step = max(1, ROOM // len(self._nodes))
        expected = [
            (self._on_leaves(labels[:, first : first + step]) ** 2).sum(0)
            for first in range(0, labels.shape[1], step)
        ]
        none = n == 0
        return np.where(none, np.nan, observed), np.where(none, np.nan, np.concatenate(expected))

    def _on_leaves(self, labels: FloatArray) -> FloatArray:
        """Spread shares of labels over the leaves below them: (K, R) to (leaves, R)."""
        nodes = self._nodes
        on = np.zeros((len(nodes), labels.shape[1]))
        on[self._places] = labels / nodes.n_leaves[self._places][:, None]
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
