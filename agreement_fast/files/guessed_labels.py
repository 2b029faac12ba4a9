"""Checks that a column guessed to be the labels holds values that labels can have."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agreement_fast.files.errors import ReadError, show
from agreement_fast.files.tables import Coded

__all__ = ["check_guessed_label"]

#: With fewer judgments, all labels may differ by chance.
FEWEST_JUDGMENTS = 5

#: Distinct labels that are inspected: the first ones are enough.
LOOKED = 1_000


@dataclass(frozen=True)
class Refusal:
    """Values that are not labels, judged by the distinct values and the number of judgments."""

    what: str
    holds: Callable[[NDArray[Any], int], bool]


def _written_as(pattern: str) -> Callable[[NDArray[Any], int], bool]:
    """Return a check that all values are texts of a given form."""
    form = re.compile(pattern)

    def holds(values: NDArray[Any], judgments: int) -> bool:
        return len(values) > 0 and all(
            isinstance(value, str) and form.match(value) for value in values[:LOOKED].tolist()
        )

    return holds


def _all_differ(values: NDArray[Any], judgments: int) -> bool:
    """Return whether no label occurs twice; numbers that are not whole may be measurements."""
    if judgments < FEWEST_JUDGMENTS or len(values) < judgments:
        return False
    return values.dtype.kind != "f" or bool((values == np.floor(values)).all())


REFUSALS = (
    Refusal("holds dates", _written_as(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]|$)")),
    Refusal("holds web addresses", _written_as(r"[a-z][a-z0-9+.-]*://")),
    Refusal("holds no value twice", _all_differ),
)


def check_guessed_label(column: str, labels: Coded, judgments: int) -> None:
    """Raise if the values of a guessed label column are probably not labels.

    Parameters
    ----------
    column : str
    column : str
        The name of the column.
        Its values are the distinct labels.
    judgments : int
        Number of cells that are not missing.

    Raises
    ------
    ReadError
        If the values are dates, web addresses or all different.
    """
    for refusal in REFUSALS:
        if refusal.holds(labels.values, judgments):
            raise ReadError(
                f"cannot tell which column is the label: {show(column)} has a usual name of labels"
                f" but {refusal.what}: pass --label"
                f" {column if column.isidentifier() else show(column)} if it is the label, or the"
                " name of another column"
            )
