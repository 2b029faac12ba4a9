"""The interval of a result, computed when it is first asked for.

A result keeps the judgments that it was computed from if they take little memory, without the names
of the items, and in memory of its own. Those of larger annotations are there as long as these are.
A result that is pickled keeps numbers only.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import NamedTuple

from agreement_fast.annotations import Annotations
from agreement_fast.errors import InputError
from agreement_fast.patterns import Rows
from agreement_fast.points import Point
from agreement_fast.results import CONFIDENCE_LEVEL, NO_ENDS, Ends

#: The most bytes of judgments that a result keeps.
MOST_BYTES = 1 << 16


class IntervalLater:
    """The interval of a coefficient, from judgments that are kept until it is computed.

    Parameters
    ----------
    judgments : function
        Returns the judgments, or None if they are gone.
    point, incomplete
        The coefficient, and which items count.
    """

    __slots__ = ("_ends", "_incomplete", "_judgments", "_point")

    def __init__(
        self, judgments: Callable[[], Annotations | None], point: Point, incomplete: str
    ) -> None:
        self._judgments = judgments
        self._point, self._incomplete = point, incomplete
        self._ends: Ends | None = None

    def ends(self) -> Ends | None:
        """Return the interval and the standard error; NaN if there is none in closed form."""
        if self._ends is None and (annotations := self._judgments()) is not None:
            self._ends = self._computed(annotations)
            self._judgments = _gone
        return self._ends

    def _computed(self, annotations: Annotations) -> Ends:
        from agreement_fast.inference.closed_form import closed_form

        if not self._point.has_slope:
            return NO_ENDS
        found = closed_form(annotations, self._point, self._incomplete)
        if found.score is None:
            return NO_ENDS
        return Ends(*found.score.ends_of_one(CONFIDENCE_LEVEL), found.standard_error)

    def __reduce__(self) -> tuple[type[Known], tuple[Ends | None]]:
        try:
            return Known, (self.ends(),)
        except InputError:  # it needs what was not kept
            return Known, (NO_ENDS,)


class Known(NamedTuple):
    """An interval that is known, or None."""

    known: Ends | None

    def ends(self) -> Ends | None:
        """Return the interval and the standard error."""
        return self.known


def _gone() -> None:
    """Return no judgments."""


def interval_later(
    annotations: Annotations, point: Point, incomplete: str, *, own: bool
) -> IntervalLater | None:
    """Return the interval of a coefficient; None if its judgments cannot be kept.

    Parameters
    ----------
    own : bool
        Whether the judgments may be in memory of the caller, and are copied.
    """
    known = annotations.memo
    if "judgments" not in known:
        known["judgments"] = annotations.judgments(MOST_BYTES, copy=own)
    judgments = known["judgments"]
    if judgments is not None:
        return IntervalLater(lambda: judgments, point, incomplete)
    return None if own else IntervalLater(weakref.ref(annotations), point, incomplete)


def interval_of_rows(
    rows: Rows, n_categories: int, point: Point, incomplete: str
) -> IntervalLater | None:
    """Return the interval of a coefficient of a table of labels, which nobody else changes."""
    if rows.codes.nbytes > MOST_BYTES:
        return None

    def judgments() -> Annotations:
        return Annotations.assemble(
            categories=tuple(range(n_categories)),
            items=range(rows.n_rows),
            coders=range(rows.width),
            rows=rows,
        )

    return IntervalLater(judgments, point, incomplete)
