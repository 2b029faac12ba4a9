"""The result of one measure: a value with its interval and the counts it was computed from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError, choice
from agreement_fast.inference.delta_method import interval_ends, standard_errors
from agreement_fast.results import Result
from agreement_fast.tables import Listing
from agreement_fast.terminal import align, number_of, show_label, show_value

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

    def __repr__(self) -> str:
        text = (
            f"{self.measure} of {self.of} = {round(self.value, 12):z.6g}, "
            f"{100 * self.confidence_level:.12g}% interval {self.low:z.4f} to {self.high:z.4f}, "
            f"{number_of(self.n_items, 'item')}"
        )
        if self.n_items_left_out:
            text += f", {self.n_items_left_out:,} left out"
        return "<" + "; ".join([text, *filter(None, (self.undefined, self.note))]) + ">"


class Measures(Listing[Measure]):
    """A sequence and table of measures; `named` finds one by its name."""

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
        >>> found = af.other_measures.correlations(table)
        >>> round(found.named("pearson", 0, 1), 3)
        1.0
        """
        same = [one for one in self if one.measure == measure]
        if not same:
            names = list(dict.fromkeys(one.measure for one in self))
            raise InputError.must_be("measure", choice(names), measure)
        if first is None and second is None:
            return same[0]
        pairs = [(first, second), (second, first)]
        found = [one for one in same if (one.first, one.second) in pairs]
        if not found:
            raise InputError(f"{measure} has no value for the coders {first!r} and {second!r}")
        return found[0]

    def __repr__(self) -> str:
        rows = [
            (
                one.measure,
                one.of,
                show_value(float(one)),
                show_value(one.low),
                show_value(one.high),
                f"{one.n_items:,}",
            )
            for one in self
        ]
        lines = align(
            ("measure", "coders", "value", "low", "high", "items"), rows, "<<>>>>", indent=""
        )
        reasons = [
            f"{one.measure} of {one.of}: {reason}"
            for one in self
            for reason in (one.undefined, one.note)
            if reason
        ]
        return "\n".join([*lines, *reasons])


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
    if math.isnan(value):
        return NAN, NAN, None
    if n < 3:
        return NAN, NAN, FEW_ITEMS
    error = float(standard_errors(influence, weights)[0])
    if abs(value) >= 1 - 1e-12:
        return NAN, NAN, EXACT
    if error < 1e-12:
        return NAN, NAN, SAME
    low, high = interval_ends(value, error, n, confidence_level, "atanh")
    return float(low), float(high), None


def first_of(*reasons: tuple[bool, str]) -> str | None:
    """Return the first reason that holds, or None."""
    return next((reason for holds, reason in reasons if holds), None)


def names_of_pairs(measures: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return names of measures as a tuple; each name must be known and unique."""
    if isinstance(measures, str):
        measures = (measures,)
    for name in measures:
        if name not in known:
            raise InputError.must_be("measures", choice(known), name)
    return tuple(dict.fromkeys(measures))
