"""Distances between labels, before they are bound to categories."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.distances.forms import Form, table_of
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
        Returns the distance over these categories as a `Form`; raises an error if they do not fit.
    ranks : bool
        Whether the distance depends on how often each category was used (ordinal).
    differences : bool
        Whether the distance is (a − b)², so that its sums need no categories.
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
        """Return the distances of all pairs of categories, float64 of shape (K, K).

        Parameters
        ----------
        categories : sequence of K labels
            The categories. Their order matters for the distances of ranks.
        marginals : sequence of K numbers, optional
            The number of pairable judgments of each category; only ordinal needs it.

        Returns
        -------
        float64 array of shape (K, K)
            The distances.

        Raises
        ------
        ValueError
            If the categories do not fit the distance, or ordinal lacks `marginals`.

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
                )
            )
        return table_of(self.bind(labels, True, counts).between, len(labels))


@dataclass(frozen=True, eq=False, repr=False)
class MatrixDistance(Distance):
    """A distance given as an array; `symmetric` says whether it is a distance.

    Weights that are asymmetric or not 0 on the diagonal are Cohen's (1968); only `weighted_kappa`
    and `kappa_test` of two coders accept them.
    """

    symmetric: bool = True


def check_symmetric(distance: Distance) -> None:
    """Raise an error for such weights if the order of the coders does not matter."""
    if isinstance(distance, MatrixDistance) and not distance.symmetric:
        raise InputError(
            "the matrix is not a distance (it is asymmetric or its diagonal is not 0)",
            "only weighted_kappa and kappa_test, for exactly two coders, take such weights",
            argument="distance",
        )
