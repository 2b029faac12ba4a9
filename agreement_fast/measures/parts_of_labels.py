"""Coefficients whose chance draws parts of labels: elements of sets, or leaves of a tree.

Krippendorff's α for multi-valued data, and Melamed & Resnik's coefficient.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import Any, Literal, Protocol, Unpack

import numpy as np

from agreement_fast import distances
from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.distances import are_sets
from agreement_fast.distances.forms import Blocks, Form
from agreement_fast.distances.sets import sorted_elements
from agreement_fast.distances.sums.columns import Items
from agreement_fast.distances.trees import Tree, TreeLike, read_tree
from agreement_fast.errors import Argument, InputError, Phrase
from agreement_fast.inference.draws import OwnSums, draw_interval, items_and_documents
from agreement_fast.inference.resample import Options
from agreement_fast.options import BootstrapMethod, PerItem, Seed, check_choice
from agreement_fast.present.tables import DETAILS
from agreement_fast.reading.labels import declared_categories
from agreement_fast.reading.recognition.order import example
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Resampled

#: Errors of these arguments.
wrong_categories = partial(InputError, argument="categories")
wrong_distance = partial(InputError, argument="distance")


class Sums(Protocol):
    """Sums over the patterns, linear in their weights, from which a coefficient is computed."""

    #: The number of items of each pattern; 0 if the pattern has a single judgment: int64 (U,).
    weights: Array

    def parts(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute what is observed and expected, for weights of shape (U, R): both (R,)."""
        ...

    @property
    def steps(self) -> float:
        """The approximate cost of one value, in nanoseconds."""
        ...


def _labels_of(items: Items, n_labels: int) -> tuple[Array, FloatArray, Any]:
    """Return the row and the number of each judgment, and how often each row has each label."""
    from scipy import sparse

    row = np.repeat(np.arange(items.n_rows), np.diff(items.start))
    times = np.ones(len(row)) if items.repeats is None else items.repeats.astype(np.float64)
    place = (row, items.codes.astype(np.int64))
    return row, times, sparse.csr_array((times, place), shape=(items.n_rows, n_labels))


def _estimated(
    annotations: Annotations,
    sums: Sums,
    corrected: Callable[[FloatArray, FloatArray], FloatArray],
    documents: Array | None,
    options: Options,
) -> tuple[float, float, dict[str, Any]]:
    """Return what is observed and expected, and the fields that both results have."""
    observed, expected = sums.parts(sums.weights.astype(np.float64)[:, None])
    value = float(corrected(observed, expected)[0])
    own = OwnSums(
        sums.weights, lambda weights: corrected(*sums.parts(weights)), sums.steps, documents
    )
    drawn, note = draw_interval(value, own, options)
    n_items = int(sums.weights.sum())
    fields = {
        "value": value,
        **drawn.parts(options),
        "n_items": n_items,
        "n_items_dropped": annotations.n_items - n_items,
        "n_coders": annotations.n_coders,
        "n_undefined": drawn.n_undefined,
        "replicates": drawn.replicates,
        "undefined": None if not math.isnan(value) else NO_VARIATION if n_items else NO_PAIRS,
        "note": note,
    }
    return float(observed[0]), float(expected[0]), fields


class DrawnSets:
    """Products over the elements, as coefficients for all pairs of sizes.

    `counts` (float64 (R, L)): n_c, in each of R resamples. `largest`: the largest size.
    """

    def __init__(self, counts: FloatArray, largest: int) -> None:
        self._counts = counts
        self._largest = largest
        #: eₐ₋₁ / eₐ for a = 1 .. largest; 0 if there are no sets of a elements.
        self._steps = _steps(counts, largest)

    @property
    def _shape(self) -> tuple[int, int, int]:
        return len(self._counts), self._largest + 1, self._largest + 1

    def _no_sets(self) -> FloatArray:
        weights = np.zeros(self._shape)
        weights[:, 0, 0] = 1.0
        return weights

    def _first(self, place: int, sums: FloatArray) -> FloatArray:
        """Return the sums after the element is added to C only."""
        moved = np.zeros_like(sums)
        factor = self._counts[:, place, None] * self._steps
        moved[..., 1:, :] = sums[..., :-1, :] * factor[:, :, None]
        return moved

    def _second(self, place: int, sums: FloatArray) -> FloatArray:
        """Return the sums after the element is added to K only."""
        return self._first(place, sums.swapaxes(-2, -1)).swapaxes(-2, -1)

    def _both(self, place: int, sums: FloatArray) -> FloatArray:
        """Return the sums after the element is added to both."""
        moved = np.zeros_like(sums)
        n = self._counts[:, place, None, None]
        factor = n * (n - 1) * self._steps[:, :, None] * self._steps[:, None, :]
        moved[..., 1:, 1:] = sums[..., :-1, :-1] * factor
        return moved

    def _any(self, place: int, sums: FloatArray) -> FloatArray:
        """Return the sums over all places of the element, in neither set, one, or both."""
        first, second = self._first(place, sums), self._second(place, sums)
        return sums + first + second + self._both(place, sums)

    def shared(self) -> tuple[FloatArray, FloatArray]:
        """Compute the weights of pairs of sets by their sizes, and Σ weight · |C ∩ K|: (R, A, A).

        O(L A²) for each resample.
        """
        weights, shared = self._no_sets(), np.zeros(self._shape)
        for place in range(self._counts.shape[1]):
            shared = self._any(place, shared) + self._both(place, weights)
            weights = self._any(place, weights)
        return weights, shared

    def apart(self, distances: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute the weights, and Σ weight · Σ d(c, k) over c in C and k in K but not in C.

        O(L² A²) for each resample. `distances` (float64 (L, L)).
        """
        n_labels = self._counts.shape[1]
        weights, apart = self._no_sets(), np.zeros(self._shape)
        # For each earlier element: the weights of pairs whose C has it, and whose K alone has it.
        in_first = np.zeros((n_labels, *self._shape))
        in_second = np.zeros((n_labels, *self._shape))
        for place in range(n_labels):
            met, gaps = slice(place), distances[place, :place]
            from_met = np.tensordot(gaps, in_first[met], 1)
            to_met = np.tensordot(gaps, in_second[met], 1)
            apart = self._any(place, apart)
            apart += self._second(place, from_met)
            apart += self._first(place, to_met) + self._both(place, to_met)
            in_first[met] = self._any(place, in_first[met])
            in_second[met] = self._any(place, in_second[met])
            in_first[place] = self._first(place, weights) + self._both(place, weights)
            in_second[place] = self._second(place, weights)
            weights = self._any(place, weights)
        return weights, apart


def expected_distance(
    counts: FloatArray, sizes: FloatArray, distances: FloatArray | None
) -> FloatArray:
    """Compute the mean distance of sets drawn by chance, in each of R resamples: float64 (R,).

    `counts` (float64 (R, L)): the number of sets that have each element. `sizes` (float64 (R, A +
    1)): the share of sets of 0 .. A elements. `distances` (float64 (L, L)): the distances between
    elements, at most 1; by default 1 between different elements.

    Two sizes without a pair of sets of positive weight add nothing.
    """
    largest = sizes.shape[1] - 1
    drawn = DrawnSets(counts, largest)
    size = np.arange(largest + 1.0)
    either = np.maximum(size[:, None] + size, 1.0)
    if distances is None:
        weights, shared = drawn.shared()
        sums = weights - 2 * shared / either
    else:
        weights, apart = drawn.apart(distances)
        apart = apart / np.maximum(size, 1.0)[:, None]
        sums = (apart + apart.transpose(0, 2, 1)) / either
        # All other sets have the same distance from the empty set.
        sums[:, 0, :], sums[:, :, 0] = weights[:, 0, :], weights[:, :, 0]
    sums[:, 0, 0] = 0.0
    mean = np.divide(sums, weights, out=np.zeros_like(sums), where=weights > 0)
    return np.asarray(np.einsum("ra,rab,rb->r", sizes, mean, sizes))


def _steps(counts: FloatArray, largest: int) -> FloatArray:
    """Compute eₐ₋₁ / eₐ of the elementary symmetric sums eₐ of some numbers, on the log scale."""
    with np.errstate(divide="ignore"):
        logs = np.log(counts)
    sums = np.full((len(counts), largest + 1), -np.inf)
    sums[:, 0] = 0.0
    for place in range(counts.shape[1]):
        sums[:, 1:] = np.logaddexp(sums[:, 1:], sums[:, :-1] + logs[:, place, None])
    finite = np.isfinite(sums[:, 1:])
    # The logarithm of a missing sum is −∞, which has no difference.
    gaps = np.where(finite, sums[:, :-1], 0.0) - np.where(finite, sums[:, 1:], 0.0)
    return np.where(finite, np.exp(gaps), 0.0)


DISTANCES = ("nominal", "ordinal", "interval", "ratio")
#: The most numbers in memory: sums of resamples, distances between elements of pairs of sets.
ROOM = 1 << 22

#: The most steps of one expected disagreement, of about a nanosecond each.
STEPS = 1e12


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class MultiValuedAlpha(Resampled):
    """Krippendorff's α for multi-valued data, with its interval.

    Attributes
    ----------
    distance : str
        The distance between elements: "nominal", "ordinal", "interval" or "ratio".
    value : float
        1 − D_o / D_e; NaN if undefined.
    observed_disagreement, expected_disagreement : float
    standard_error : float
        The standard deviation of the replicates.
    low, high : float
        The ends of the interval; NaN if there is none.
    confidence_level : float
    method : str
        The method of the interval.
    n_items, n_judgments : int
        The number of items with two or more judgments, and of their judgments; weights counted.
    n_items_dropped : int
        The number of items with fewer judgments.
    n_coders : int or None
    n_elements, n_sets : int
        The number of distinct elements in the sets of these items, and of distinct sets of all
        items.
    n_resamples, n_undefined : int
        The number of resamples, and of those in which the coefficient is undefined.
    replicates : float64 array of shape (n_resamples,)
        The coefficient of each resample; NaN if undefined.
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval.
    """

    _caption = (
        "mv_alpha({distance}) = {value}[, {interval}]: D_o = {observed_disagreement}, D_e = "
        "{expected_disagreement}, {n_items:item}, {n_judgments:judgment}, {n_elements:element}"
    )

    aside = DETAILS | {"n_judgments", "n_elements", "n_sets", "replicates"}

    distance: str
    observed_disagreement: float
    expected_disagreement: float
    n_items: int
    n_judgments: int
    n_items_dropped: int
    n_coders: int | None
    n_elements: int
    n_sets: int
    n_undefined: int
    replicates: FloatArray = field(repr=False)


def mv_alpha(
    data: JudgmentsLike,
    distance: Literal["nominal", "ordinal", "interval", "ratio"] = "nominal",
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "bca",
    cluster: PerItem | None = None,
    rng: Seed = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> MultiValuedAlpha:
    """Compute Krippendorff's α for multi-valued data, mvα, with a bootstrap interval.

    Labels are sets, such as the topics of a text. In α with a distance between sets, chance draws
    whole sets that occur. In mvα, chance draws elements, and so also sets that nobody gave. If all
    sets have one element, mvα equals α.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments; labels must be sets. The empty set is a judgment, None is a missing one.
    distance : {"nominal", "ordinal", "interval", "ratio"}
        The distance between elements, by default "nominal". The others need elements that are
        numbers.
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
        and `duplicates`; see `agreement`. Here `categories` are elements: their order for the
        distance "ordinal", if they are not numbers; also for `Annotations`.

    Returns
    -------
    MultiValuedAlpha
        The coefficient with its interval.

    Raises
    ------
    ValueError
        If labels are not sets, elements do not fit the distance, the empty set occurs with
        "ordinal", or there are too many elements for a distance other than "nominal".

    Notes
    -----
    The distance of two sets C and K is

        (Σ_{c∈C} Σ_{k∈K∖C} d(c, k) / |C| + Σ_{k∈K} Σ_{c∈C∖K} d(c, k) / |K|) / (|C| + |K|),

    It is 1 between the empty set and another set, and 0 between equal sets. With the nominal d it
    is Dice's distance. Distances between elements are at most 1: those of "ordinal" and "interval"
    are divided by the largest, which matters only if there are empty sets. D_o is that of α. For
    D_e, sizes are drawn from the observed sizes. Two sets of these sizes are then drawn in
    proportion to Π n_c over elements of only one set times Π n_c (n_c − 1) over elements of both,
    where n_c is the number of sets with c, in items with two or more judgments.

    Krippendorff & Craggs (2016) define mvα. The equations here were read from the R package mvalpha
    by C. F. Drake, whose value for their table 3 is that of the example below. That package lists
    all pairs of sets that chance can draw. This function lists none: for L elements and sets of up
    to A elements, "nominal" costs O(L A²) and other distances O(L² A²). "ordinal" raises an error
    with empty sets, because we know no definition of their rank. In resamples, the distances
    between elements are those of the data. Two sizes for which the judgments give no pair of sets
    add nothing to D_e.

    References
    ----------
    Krippendorff, K. & Craggs, R. (2016). The reliability of multi-valued coding of data.
    Communication Methods and Measures 10, 181–198.

    Examples
    --------
    Krippendorff & Craggs 2016, table 3:

    >>> from agreement_fast import measures
    >>> table = [
    ...     [{"b", "d"}, {"d"}, None],
    ...     [{"a", "b", "d"}, {"b"}, {"b", "d"}],
    ...     [set(), {"a"}, {"a"}],
    ...     [{"a"}, None, None],
    ... ]
    >>> result = measures.mv_alpha(table, rng=1)
    >>> round(result, 4), round(result.observed_disagreement, 4), result.n_items
    (0.2866, 0.4625, 3)
    """
    check_choice("distance", distance, DISTANCES)
    options = Options.of(n_resamples, confidence_level, method, rng, 1, progress)
    categories = reading.pop("categories", None)
    if categories is not None and distance != "ordinal":
        raise InputError(
            (Argument("categories"), f" is only for the distance 'ordinal', got {distance!r}")
        )
    annotations = as_annotations(data, **reading)
    sums = SumsOfSets(annotations, distance, categories, cluster)
    observed, expected, fields = _estimated(
        annotations, sums, lambda o, e: 1.0 - ratio(o, e), sums.documents, options
    )
    return MultiValuedAlpha(
        distance=distance,
        observed_disagreement=observed,
        expected_disagreement=expected,
        n_judgments=int(sums.weights @ sums.judgments),
        n_elements=sums.n_elements,
        n_sets=len(annotations.categories),
        **fields,
    )


class SumsOfSets:
    """Sums over the patterns, linear in their weights, from which mvα is computed."""

    def __init__(
        self,
        annotations: Annotations,
        distance: str,
        categories: Iterable[Any] | None,
        cluster: Any,
    ) -> None:
        from scipy import sparse

        sets: tuple[Any, ...] = annotations.categories
        if sets and not are_sets(sets):
            odd = next(label for label in sets if not isinstance(label, frozenset))
            raise InputError(
                f"mv_alpha needs labels that are sets, but label {odd!r} is not a set",
                Phrase("sets", "pass sets, or text and the separator of its elements"),
                argument="labels",
            )
        #: Int array of shape (U,), or None.
        items, self.documents = items_and_documents(annotations, cluster)
        #: Float64 array of shape (U,).
        self.judgments = items.sizes
        #: The number of items of each pattern; 0 if the pattern has a single judgment: int64 array
        #: of shape (U,).
        self.weights: Array = np.where(items.sizes >= 2, items.weights, 0)
        _, _, labels = _labels_of(items, len(sets))
        used = self.weights @ labels > 0
        elements = sorted_elements(
            {c for entry, keep in zip(sets, used, strict=True) if keep for c in entry}
        )
        if categories is not None:
            elements = _declared(categories, elements)
        self.n_elements = len(elements)
        place = {element: i for i, element in enumerate(elements)}
        held = [[place[c] for c in entry if c in place] for entry in sets]
        lengths = np.array([len(entry) for entry in held], np.int64)
        self._holds = sparse.csr_array(
            (
                np.ones(int(lengths.sum())),
                (
                    np.repeat(np.arange(len(sets)), lengths),
                    np.array([c for entry in held for c in entry], np.int64),
                ),
            ),
            shape=(len(sets), len(elements)),
        )
        self._elements_by_row = (labels @ self._holds).tocsr()
        largest = int(lengths.max(initial=0))
        of_size = sparse.csr_array(
            (np.ones(len(sets)), (np.arange(len(sets)), lengths)), shape=(len(sets), largest + 1)
        )
        self._sizes_by_row = (labels @ of_size).tocsr()
        self._gaps = None
        if distance != "nominal":
            if distance == "ordinal":
                self._check_ranks(elements, categories, bool((used & (lengths == 0)).any()))
            self._gaps = self._between(distance, elements)
            if self.steps > STEPS:
                raise wrong_distance(
                    f"mv_alpha compares {self.n_elements:,} elements of sets of up to "
                    f"{self._sizes_by_row.shape[1] - 1}, which takes too long",
                    ("round the elements, or pass ", Argument("distance", "nominal")),
                )
        form = distances.dice.bind(sets, False) if self._gaps is None else self._form()
        others = np.maximum(items.sizes - 1, 1)
        self._disagreement = items.disagreement(form) / others * (self.weights > 0)

    def _check_ranks(
        self, elements: Sequence[Any], categories: Iterable[Any] | None, empty: bool
    ) -> None:
        odd = [c for c in elements if not isinstance(c, Real)]
        if categories is None and odd:
            raise wrong_categories(
                f"distance ordinal needs an order, but element {odd[0]!r} is not a number",
                ("declare the order, as in ", Argument("categories", example(elements))),
            )
        if empty:
            raise wrong_distance(
                "distance ordinal has no definition for the empty set, which occurs in the data",
                ("use ", Argument("distance", "nominal", "interval")),
            )

    def _between(self, distance: str, elements: Sequence[Any]) -> FloatArray:
        """Return the distances between elements, at most 1."""
        if not elements:  # all sets are empty
            return np.zeros((0, 0))
        if distance == "ratio":
            return distances.ratio.matrix(elements)
        counts = None
        if distance == "ordinal":
            counts = (self.weights @ self._elements_by_row).tolist()
        gaps = getattr(distances, distance).matrix(elements, counts)
        largest = float(gaps.max(initial=0.0))
        return np.asarray(gaps / largest) if largest > 0 else np.asarray(gaps)

    def _form(self) -> Form:
        """Return the form of the distance between sets."""
        assert self._gaps is not None
        holds, gaps = self._holds, self._gaps
        lengths = np.diff(holds.indptr)
        step = max(1, ROOM // max(1, len(gaps)))

        def between(a: Array, b: Array) -> FloatArray:
            a, b = np.broadcast_arrays(a, b)
            first, second = a.reshape(-1), b.reshape(-1)
            out = np.empty(len(first))
            for begin in range(0, len(first), step):
                some = slice(begin, begin + step)
                out[some] = part(first[some], second[some])
            return out.reshape(a.shape)

        def part(a: Array, b: Array) -> FloatArray:
            first, second = holds[a].toarray(), holds[b].toarray()
            n_first, n_second = lengths[a], lengths[b]
            apart = ((first @ gaps) * second * (1 - first)).sum(1) / np.maximum(n_first, 1)
            apart += ((second @ gaps) * first * (1 - second)).sum(1) / np.maximum(n_second, 1)
            one_empty = (n_first == 0) != (n_second == 0)
            return np.where(one_empty, 1.0, apart / np.maximum(n_first + n_second, 1))

        return Blocks(len(lengths), between)

    def parts(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Compute D_o and D_e for weights of the patterns: (U, R) to (R,) and (R,)."""
        n = self.judgments @ weights
        share = np.maximum(n, 1.0)
        observed: FloatArray = np.where(n > 0, self._disagreement @ weights / share, np.nan)
        counts = np.asarray((self._elements_by_row.T @ weights).T)
        sizes = np.asarray((self._sizes_by_row.T @ weights).T) / share[:, None]
        step = max(1, int(ROOM // self._width))
        expected = [
            expected_distance(counts[first : first + step], sizes[first : first + step], self._gaps)
            for first in range(0, len(counts), step)
        ]
        return observed, np.where(n > 0, np.concatenate(expected), np.nan)

    @property
    def _width(self) -> float:
        """Return the number of values in memory for each resample."""
        pairs = float(self._sizes_by_row.shape[1]) ** 2
        return pairs if self._gaps is None else pairs * 2 * max(self.n_elements, 1)

    @property
    def steps(self) -> float:
        """Return the approximate cost of one D_e, in nanoseconds."""
        return self._width * max(self.n_elements, 1) * 20


def _declared(categories: Iterable[Any], elements: Sequence[Any]) -> list[Any]:
    """Return the elements that occur, in a declared order."""
    declared = declared_categories(categories)
    assert declared is not None
    missing = [element for element in elements if element not in set(declared)]
    if missing:
        raise wrong_categories(
            f"element {missing[0]!r} is not in the categories",
            ("add it to ", Argument("categories")),
        )
    return [element for element in declared if element in set(elements)]


COMMON = ("product", "minimum")


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

    _caption = (
        "leaf_agreement({common}) = {value}[, {interval}]: A_o = {observed_agreement}, A_e = "
        "{expected_agreement}, {n_items:item}"
    )

    common: str
    observed_agreement: float
    expected_agreement: float
    n_items: int
    n_items_dropped: int
    n_coders: int | None
    n_undefined: int
    replicates: FloatArray = field(repr=False)


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
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
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
    sums = SumsOfLeaves(items, read_tree(tree), annotations.categories, common)
    observed, expected, fields = _estimated(
        annotations, sums, lambda o, e: ratio(o - e, 1 - e), documents, options
    )
    return LeafAgreement(
        common=common, observed_agreement=observed, expected_agreement=expected, **fields
    )


class SumsOfLeaves:
    """Sums over the patterns, linear in their weights, from which the coefficient is computed."""

    def __init__(self, items: Items, nodes: Tree, labels: Any, common: str) -> None:
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

        row, times, labelled = _labels_of(items, len(places))
        # Pairs of equal tags count too, because with the product their distance is not 0.
        apart = items.disagreement(Blocks(len(places), between))
        own = between(np.arange(len(places)), np.arange(len(places)))[items.codes]
        apart += self._equal_pairs(items, row, times, own)
        n_pairs = np.maximum(items.sizes * (items.sizes - 1), 1)
        self._common = (1.0 - apart / n_pairs) * (self.weights > 0)
        self._shares = labelled.multiply(1 / np.maximum(items.sizes, 1)[:, None]).tocsr()

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
            level = np.flatnonzero(nodes.depths == depth)
            on[level] += on[nodes.parents[level]]
        return np.asarray(on[nodes.ends == np.arange(len(nodes)) + 1])

    @property
    def steps(self) -> float:
        """Return the approximate cost of one value, in nanoseconds."""
        return 10.0 * len(self._nodes) + len(self.weights)
