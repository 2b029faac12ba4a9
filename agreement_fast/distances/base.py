"""A distance between labels, and what it becomes once it is bound to categories."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.distances.forms import Form
from agreement_fast.errors import Argument, InputError
from agreement_fast.reading.labels import Labels, declared_categories


class Bind(Protocol):
    """Binds a distance to categories."""

    def __call__(
        self,
        categories: Labels,
        declared: bool,
        marginals: FloatArray | None = None,
        /,
    ) -> Form: ...


@dataclass(frozen=True, eq=False)
class Distance:
    """A distance between labels, not yet bound to categories.

    Attributes
    ----------
    name : str
    bind : function of categories, whether they were declared, and how often each was used
        Gives the distance over these categories as a `Form`; checks that they are what it needs.
    ranks : bool
        Whether the distance depends on how often each category was used (ordinal).
    differences : bool
        Whether it is (a − b)², whose sums need no categories.
    """

    name: str
    bind: Bind
    ranks: bool = False
    differences: bool = False

    def __repr__(self) -> str:
        return f"<distance {self.name}>"

    def matrix(
        self, categories: Sequence[Hashable], marginals: Sequence[float] | None = None
    ) -> FloatArray:
        """The distances of all pairs of categories, float64 of shape (K, K).

        Parameters
        ----------
        categories : sequence of K labels
            In their order, for the distances that need one.
        marginals : sequence of K numbers, optional
            Pairable judgments of each category; only ordinal needs them.

        Examples
        --------
        >>> from agreement_fast import distances
        >>> distances.linear.matrix([1, 2, 10])
        array([[0., 1., 9.],
               [1., 0., 8.],
               [9., 8., 0.]])
        """
        labels = declared_categories(categories)
        assert labels is not None
        if self.ranks and marginals is None:
            raise InputError(
                f"{self.name} depends on how often categories occur",
                ("pass ", Argument("marginals")),
                argument="marginals",
            )
        counts = None if marginals is None else np.asarray(marginals, dtype=np.float64)
        if counts is not None and counts.shape != (len(labels),):
            raise InputError(
                (
                    Argument("marginals"),
                    f": expected {len(labels)}, one for each category, got shape {counts.shape}",
                ),
                argument="marginals",
            )
        form = self.bind(labels, True, counts)
        places = np.arange(len(labels))
        return form.between(places[:, None], places[None, :])


@dataclass(frozen=True, eq=False, repr=False)
class MatrixDistance(Distance):
    """A distance given as an array; `symmetric` says whether it is a distance at all.

    Asymmetric weights, or ones with a diagonal, are Cohen's (1968): only `weighted_kappa` of two
    coders takes them.
    """

    symmetric: bool = True


def check_symmetric(distance: Distance) -> None:
    """Refuse such weights where the two judgments of a pair count alike."""
    if isinstance(distance, MatrixDistance) and not distance.symmetric:
        raise InputError(
            "the matrix is not a distance (it is asymmetric or its diagonal is not 0)",
            "only weighted_kappa and kappa_test, of exactly two coders, take such weights",
            argument="distance",
        )
