"""A number that is not agreement: a float with its interval and what it was computed from."""

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

NO_ITEMS = "no items: no two items have the judgments that it needs"
NO_SPREAD = "no variation: a coder gives all items the same value"
NO_VARIATION = "no variation: all judgments are equal"
EXACT = "no interval: the data fit exactly, which leaves nothing to estimate an error from"
SAME = "no interval: no single item moves the value, so that there is no error to estimate"
FEW_ITEMS = "no interval: too few items"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Measure(Result):
    """A number about judgments, a float, with its interval.

    Attributes
    ----------
    measure : str
    first, second : object
        The two coders; None for a measure of all coders.
    value : float
        NaN where undefined.
    low, high : float
        The interval; NaN where there is none.
    confidence_level : float
    n_items, n_items_left_out : int
        Items that count, and those that lack a judgment that the measure needs.
    n_coders : int
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval, or what the value rests on.
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
        """The coders in words."""
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
    """Several measures: a sequence, a table, and found by name with `named`."""

    __slots__ = ()

    def named(self, measure: str, first: Any = None, second: Any = None) -> Measure:
        """Give the measure of a name, of two coders where coders are named, in whatever order.

        Raises
        ------
        ValueError
            There is none of that name, or none of these coders.

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
        wanted = [(first, second), (second, first)]
        found = [one for one in same if (one.first, one.second) in wanted]
        if not found:
            raise InputError(f"{measure} has no pair of coders {first!r} and {second!r}")
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
    """The interval of a value by the delta method on Fisher's scale, and why there is none.

    Parameters
    ----------
    influence : float64 array of shape (U,)
        What one more item of each kind would add to the value.
    weights : int64 array of shape (U,)
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
    """The first reason that holds."""
    return next((reason for holds, reason in reasons if holds), None)


def names_of_pairs(measures: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Names of measures as a tuple, each of which must be known, once each."""
    if isinstance(measures, str):
        measures = (measures,)
    for name in measures:
        if name not in known:
            raise InputError.must_be("measures", choice(known), name)
    return tuple(dict.fromkeys(measures))
