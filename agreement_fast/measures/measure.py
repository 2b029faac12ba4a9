"""The result of one measure: a value with its interval and the counts it was computed from."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.errors import Argument, InputError, choice
from agreement_fast.inference.closed_form import standard_errors
from agreement_fast.inference.delta_method import interval_ends
from agreement_fast.patterns import (
    as_lists,
    codes_of_coder,
    dense,
    group_rows,
    row_sizes,
    sum_weights,
    take_rows,
)
from agreement_fast.present.tables import Listing
from agreement_fast.present.terminal import show_label
from agreement_fast.reading.kept_moments import check_spread
from agreement_fast.reading.recognition.order import example
from agreement_fast.results import Result

#: Errors of this argument.
wrong_data = partial(InputError, argument="data")

#: The most distinct rows times coders for which pairs of coders fit in memory.
MOST_CELLS = 1 << 28


class Complete(NamedTuple):
    """The items that every coder judged.

    Attributes
    ----------
    values : float64 array of shape (U, C)
        One row per pattern of judgments.
    weights : int64 array of shape (U,)
        The number of items of each pattern.
    """

    values: FloatArray
    weights: Array

    @property
    def n_items(self) -> int:
        """The number of items of all patterns."""
        return int(self.weights.sum())


class Points(NamedTuple):
    """The values of two coders on the items that both judged; equal pairs are counted.

    Attributes
    ----------
    x, y : float64 arrays of shape (P,)
    weights : int64 array of shape (P,)
        The number of items of each point.
    rows : int array
        The patterns in which both coders judged.
    place : int array
        The point of each of these patterns.
    """

    x: FloatArray
    y: FloatArray
    weights: Array
    rows: Array
    place: Array

    @property
    def n_items(self) -> int:
        """The number of items of all points."""
        return int(self.weights.sum())


class Ratings:
    """The judgments of all coders, as numbers.

    Parameters
    ----------
    data : Annotations, or what `Annotations.from_wide` reads
        The coders must be known.
    purpose : str
        The name of the measure, for errors.
    ranks : bool, default False
        Whether labels need only an order; the numbers are then their ranks.
    """

    def __init__(self, data: Any, purpose: str, *, ranks: bool = False) -> None:
        annotations = self.annotations = as_annotations(data)
        self.coders: Sequence[Any] = tuple(annotations.known_coders(purpose))
        if len(self.coders) < 2:
            raise InputError(f"{purpose} needs two or more coders, got {len(self.coders)}")
        #: What was subtracted from all numbers.
        self.origin = 0.0
        if ranks:
            labels = annotations.labels
            if not annotations.declared and not isinstance(labels, np.ndarray):
                odd = next((label for label in labels if not _is_number(label)), None)
                if odd is not None:
                    raise wrong_data(
                        f"{purpose} needs labels with an order, but {odd!r} is not a number",
                        (
                            "declare the order, as in ",
                            Argument("categories", example(labels)),
                            "; nominal labels have none, use kappa or alpha",
                        ),
                    )
            self._values = np.arange(len(labels), dtype=np.float64)
        else:
            self.origin, self._values = _numbers(annotations, purpose)
        self._rows = group_rows(annotations.grouped())
        weights = self._rows.weights
        self.weights: Array = (
            np.ones(self._rows.n_rows, np.int64) if weights is None else np.asarray(weights)
        )

    @property
    def n_rows(self) -> int:
        """The number of patterns of judgments."""
        return int(self._rows.n_rows)

    @property
    def n_items(self) -> int:
        """The number of items, judged or not."""
        return int(self.weights.sum())

    def complete(self) -> Complete:
        """Return the items that every coder judged. O(judgments)."""
        n_coders = len(self.coders)
        whole = np.flatnonzero(row_sizes(self._rows) == n_coders)
        codes = dense(take_rows(self._rows, whole), n_coders)
        return Complete(self._values[codes], self.weights[whole])

    def of_complete(self) -> Annotations:
        """Return the judgments of the items that every coder judged. O(judgments)."""
        whole = np.flatnonzero(row_sizes(self._rows) == len(self.coders))
        return self.annotations.with_rows(take_rows(self._rows, whole))

    def cells(self) -> tuple[Array, Array, FloatArray]:
        """Return the pattern, the coder and the value of each judgment. O(judgments)."""
        rows = as_lists(self._rows)
        pattern = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
        return pattern, np.asarray(rows.coders).astype(np.int64), self._values[rows.codes]

    def pairs(self, least: int = 0) -> Iterator[tuple[int, int, Points]]:
        """Yield the places of each pair of coders who share `least` items, and their points.

        O(U) for each of these pairs and U patterns.
        """
        n_coders = len(self.coders)
        if n_coders * self.n_rows > MOST_CELLS:
            raise InputError(
                f"all pairs of {n_coders:,} coders on {self.n_rows:,} rows would fill the memory",
                "pass data.select(coders=[...])",
            )
        labels = [codes_of_coder(self._rows, place) for place in range(n_coders)]
        places: Iterable[Sequence[int]] = itertools.combinations(range(n_coders), 2)
        if least:
            from scipy.sparse import csr_array, triu

            pattern, coder, _ = self.cells()
            shape = self.n_rows, n_coders
            judged = csr_array((np.ones(len(coder), np.int64), (pattern, coder)), shape=shape)
            shared = triu(judged.T @ (judged * self.weights[:, None]), 1, "csr")
            places = zip(*np.argwhere((shared >= least).toarray()).T.tolist(), strict=True)
        for first, second in places:
            yield first, second, self._points(labels[first], labels[second])

    def measured(
        self,
        name: str,
        ends: tuple[float, float, float],
        confidence_level: float,
        n_items: int,
        undefined: str | None,
        note: str | None,
        pair: tuple[int, int] | None = None,
    ) -> Measure:
        """Return a measure of all coders, or of a pair: its value and the ends of its interval."""
        first, second = (None, None) if pair is None else (self.coders[place] for place in pair)
        n_coders = len(self.coders) if pair is None else 2
        n_left_out = self.n_items - n_items
        return Measure(
            name, first, second, *ends, confidence_level, n_items, n_left_out, n_coders,
            undefined, note,
        )  # fmt: skip

    def _points(self, first: Array, other: Array) -> Points:
        rows = np.flatnonzero((first >= 0) & (other >= 0))
        n_labels = max(len(self._values), 1)
        keys = first[rows].astype(np.int64) * n_labels + other[rows]
        result, place = np.unique(keys, return_inverse=True)
        weights = sum_weights(place, len(result), self.weights[rows])
        return Points(
            self._values[result // n_labels], self._values[result % n_labels], weights, rows, place
        )


def _numbers(annotations: Annotations, purpose: str) -> tuple[float, FloatArray]:
    """Return the first number, and each label minus it; whole numbers keep all their digits."""
    labels: Sequence[Any] = annotations.labels  # type: ignore[assignment]
    if not are_numbers(annotations):
        bad = next(label for label in labels if not _is_finite(label))
        raise wrong_data(
            f"{purpose} needs finite numbers, got the label {bad!r}",
            "nominal labels have no mean or spread, use kappa or alpha; digits in quotes are "
            "text, convert them",
        )
    if not len(labels):
        return 0.0, np.zeros(0)
    check_spread(purpose, float(min(labels)), float(max(labels)), "data")
    if isinstance(labels, np.ndarray):
        return float(labels[0]), np.asarray(labels - labels[:1], float)
    whole = all(isinstance(label, int) for label in labels)
    first = labels[0] if whole else float(labels[0])
    return float(first), np.array([float(label - first) for label in labels])


def are_numbers(annotations: Annotations) -> bool:
    """Return whether all labels are finite numbers."""
    labels = annotations.labels
    if isinstance(labels, np.ndarray):
        return bool(np.isfinite(labels).all())
    return all(map(_is_finite, labels))


def _is_finite(label: Any) -> bool:
    return _is_number(label) and math.isfinite(float(label))


def _is_number(label: Any) -> bool:
    if isinstance(label, (str, bytes)):
        return False
    try:
        float(label)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


NAN = math.nan

NO_ITEMS = "no items: fewer than two items have the judgments that it needs"
NO_SPREAD = "no variation: a coder gives all items the same value"
NO_VARIATION = "no variation: all judgments are equal"
EXACT = "no interval: the data fit exactly, so there is no error to estimate"
SAME = "no interval: no single item moves the value, so there is no error to estimate"
FEW_ITEMS = "no interval: too few items"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Measure(Result):
    """The value of a measure, with its interval.

    Attributes
    ----------
    measure : str
    first, second : object
        The two coders; None for a measure of all coders.
    value : float
        The value; NaN if undefined.
    low, high : float
        The ends of the interval; NaN if there is none.
    confidence_level : float
    n_items, n_items_left_out : int
        The number of items used, and of items that lack a judgment that the measure needs.
    n_coders : int
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval, or a remark about the value.
    """

    _caption = (
        "{measure} of {of} = {value}[, {interval}], {n_items:item}[, {n_items_left_out} left out]"
    )
    _remarks = "undefined note"

    measure: str
    first: Any
    second: Any
    value: float
    low: float
    high: float
    confidence_level: float
    n_items: int
    n_items_left_out: int
    n_coders: int
    undefined: str | None = None
    note: str | None = None

    @property
    def of(self) -> str:
        """The coders, for printing."""
        if self.first is None and self.second is None:
            return f"{self.n_coders} coders"
        return f"{show_label(self.first, 24)}, {show_label(self.second, 24)}"


class Measures(Listing[Measure]):
    """A sequence and table of measures; `named` finds one by its name."""

    _table = "measure | coders = of | value | low..high | n_items"
    _most = None

    @property
    def _reasons(self) -> list[str]:
        return [
            f"{entry.measure} of {entry.of}: {reason}"
            for entry in self
            for reason in (entry.undefined, entry.note)
            if reason
        ]

    __slots__ = ()

    def named(self, measure: str, first: Any = None, second: Any = None) -> Measure:
        """Return the measure with this name, of this pair of coders if they are given.

        Parameters
        ----------
        measure : str
            The name of the measure.
        first, second : object, optional
            The two coders, in any order.

        Returns
        -------
        Measure
            The first measure that matches.

        Raises
        ------
        ValueError
            If there is no measure with this name, or none of these coders.

        Examples
        --------
        >>> import agreement_fast as af
        >>> table = [[1, 2], [2, 4], [3, 6], [5, 10]]
        >>> result = af.measures.correlations(table)
        >>> round(result.named("pearson", 0, 1), 3)
        1.0
        """
        same = [entry for entry in self if entry.measure == measure]
        if not same:
            names = list(dict.fromkeys(entry.measure for entry in self))
            raise InputError.must_be("measure", choice(names), measure)
        if first is None and second is None:
            return same[0]
        pairs = [(first, second), (second, first)]
        result = [entry for entry in same if (entry.first, entry.second) in pairs]
        if not result:
            raise InputError(f"{measure} has no value for the coders {first!r} and {second!r}")
        return result[0]


def of_influence(
    value: float, influence: FloatArray, weights: Array, confidence_level: float
) -> tuple[float, float, str | None]:
    """Compute the interval of a value by the delta method on Fisher's scale.

    Parameters
    ----------
    influence : float64 array of shape (U,)
        What one more item of each distinct row adds to the value.
    weights : int64 array of shape (U,)
        The number of items of each distinct row.

    Returns
    -------
    tuple
        Both ends, and the reason if there is no interval.
    """
    n = int(weights.sum())
    nothing = no_interval(value, (n < 3, FEW_ITEMS), (abs(value) >= 1 - 1e-12, EXACT))
    if nothing:
        return nothing
    error = float(standard_errors(influence, weights)[0])
    if error < 1e-12:
        return NAN, NAN, SAME
    low, high = interval_ends(value, error, n, confidence_level, "atanh")
    return float(low), float(high), None


def no_interval(value: float, *reasons: tuple[bool, str]) -> tuple[float, float, str | None] | None:
    """Return ends that are NaN, with the first reason that holds; None if there is an interval."""
    if math.isnan(value):
        return NAN, NAN, None
    return next(((NAN, NAN, reason) for holds, reason in reasons if holds), None)


def names_of_pairs(measure: str | Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return names of measures as a tuple; each name must be known and unique."""
    names = (measure,) if isinstance(measure, str) else tuple(measure)
    for name in names:
        if name not in known:
            raise InputError.must_be("measure", choice(known), name)
    return tuple(dict.fromkeys(names))
