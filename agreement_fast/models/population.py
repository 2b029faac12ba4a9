"""Populations: classes of items and the coders who judge them, for simulation.

Every fitted model returns its population with ``population()``. Coders judge independently given
the class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.distances import Distance, resolve
from agreement_fast.distances.forms import DistanceLike, Form
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_probability
from agreement_fast.present.tables import Tabular
from agreement_fast.present.terminal import counted, number_of
from agreement_fast.reading.tables import check_distinct, name_places

#: How far a sum of probabilities may be from 1.
ROUNDING = 1e-6


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Population(Tabular):
    """Classes of items, and how each coder labels each class.

    Attributes
    ----------
    categories : tuple of K labels
    shares : float64 array of shape (T,)
        The share of items of each class.
    probabilities : float64 array of shape (C, T, K)
        P(coder c says k | class t).
    coders : sequence of labels
        A single coder stands for any number of coders with the same probabilities.
    truth : tuple of T labels or None
        The true label of the items of each class; None for a class without a true label.
    note : str or None
        A remark on coders that were left out and on probabilities that were filled in.
    """

    _caption = "Population({coders:coder}, {shares:class}, {categories:category})"
    _remarks = ""

    categories: tuple[Any, ...]
    shares: FloatArray
    probabilities: FloatArray
    coders: Sequence[Any]
    truth: tuple[Any, ...]
    note: str | None = None

    def __post_init__(self) -> None:
        shares, table = (
            _numbers(name, x)
            for name, x in (("shares", self.shares), ("probabilities", self.probabilities))
        )
        shape = (len(self.coders), len(self.truth), len(self.categories))
        if shares.shape != shape[1:2] or table.shape != shape or not all(shape):
            raise InputError(
                "expected shares and probabilities for "
                f"{number_of(shape[0], 'coder')}, {shape[1]} classes and {shape[2]} categories, "
                f"got shapes {shares.shape} and {table.shape}",
            )
        for name, names in (("categories", self.categories), ("coders", self.coders)):
            check_distinct(names, name)
        odd = [entry for entry in self.truth if entry is not None and entry not in self.categories]
        if odd:
            raise InputError(
                f"truth must be of the categories {list(self.categories)} or None, not {odd[0]!r}",
                argument="truth",
            )
        for name, rows in (("shares", shares), ("probabilities", table)):
            sums = rows.sum(-1)
            if not (rows >= 0).all() or not np.allclose(sums, 1.0, rtol=0, atol=ROUNDING):
                wrong = sums.flat[np.abs(sums - 1).argmax()]
                raise InputError(
                    f"{name} must be probabilities that add to 1, got a sum of {wrong:.6g} and "
                    f"{rows.min():.6g} as the smallest",
                    argument=name,
                )
        object.__setattr__(self, "shares", shares / shares.sum())
        object.__setattr__(self, "probabilities", table / table.sum(2, keepdims=True))

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return the columns of a table with the probability of each coder, class and label."""
        coder, place, label = (x.ravel().tolist() for x in np.indices(self.probabilities.shape))
        return {
            "coder": [self.coders[c] for c in coder],
            "class": [t + 1 for t in place],
            "truth": [self.truth[t] for t in place],
            "share": self.shares[place],
            "label": [self.categories[k] for k in label],
            "probability": self.probabilities.ravel(),
        }

    def population(self) -> Population:
        """Itself."""
        return self

    @property
    def alike(self) -> bool:
        """Whether it stands for any number of coders with the same probabilities."""
        return len(self.coders) == 1

    def marginals(self) -> FloatArray:
        """The mean share of each category over the coders: float64 of shape (K,)."""
        return np.asarray(self.shares @ self.probabilities.mean(0))

    def right(self) -> FloatArray:
        """The accuracy of each coder, of shape (C,); NaN if there are no true labels."""
        known = np.array([label is not None for label in self.truth])
        places = [self.categories.index(label) for label in self.truth if label is not None]
        if not self.shares[known].sum() > 0:
            return np.full(len(self.coders), np.nan)
        of = self.shares[known] / self.shares[known].sum()
        return np.asarray(self.probabilities[:, known, :][:, np.arange(len(places)), places] @ of)

    def reliability(self, distance: DistanceLike = "nominal") -> float:
        """Compute 1 − D_o / D_e over endlessly many items, the limit of α.

        D_o is the mean over the pairs of coders, D_e the mean over two judgments of any coders. NaN
        if only one category has a positive probability.
        """
        form = bound(resolve(distance), self.categories, self.marginals())
        labels = self.marginals()
        expected = float(form.bilinear(labels, labels))
        if not expected > 0:
            return float("nan")
        table = self.probabilities
        C = len(table)
        if C == 1:
            observed = form.bilinear(table[0], table[0])
        else:
            own = sum(np.asarray(form.bilinear(entry, entry)) for entry in table)
            whole = table.sum(0)
            observed = (form.bilinear(whole, whole) - own) / (C * (C - 1))
        return 1.0 - float(self.shares @ observed) / expected

    def choose(self, places: Array, coders: Sequence[Any]) -> Population:
        """Select coders by their places, which may repeat, and give them these names."""
        return replace(self, probabilities=self.probabilities[places], coders=tuple(coders))

    def with_noise(self, probability: float, coders: Iterable[Any] | None = None) -> Population:
        """Replace some judgments by random ones, drawn from the mean distribution of all coders.

        This is disagreement without a pattern (Reidsma & Carletta 2008).

        Parameters
        ----------
        probability : float
            The probability that a judgment is replaced, from 0 to 1.
        coders : iterable of names, optional
            The coders whose judgments are replaced; by default all.

        Returns
        -------
        Population
            A new population; this one does not change.

        Examples
        --------
        >>> from agreement_fast import subsets
        >>> coders = subsets.noisy_coders({"x": 1, "y": 1}, 0.81, n_coders=3, spread=0)
        >>> coders.with_noise(0.2).probabilities[0].round(3).tolist()
        [[0.86, 0.14], [0.14, 0.86]]
        """
        return self._mixed(probability, self.marginals(), coders)

    def with_overuse(
        self, label: Any, probability: float, coders: Iterable[Any] | None = None
    ) -> Population:
        """Replace some judgments by one label.

        This is disagreement with a pattern, which repeats in all data of these coders (Reidsma &
        Carletta 2008).

        Parameters
        ----------
        label : category
            The label that the coders overuse.
        probability : float
            The probability that a judgment is replaced, from 0 to 1.
        coders : iterable of names, optional
            The coders whose judgments are replaced; by default all.

        Returns
        -------
        Population
            A new population; this one does not change.

        Examples
        --------
        >>> from agreement_fast import subsets
        >>> coders = subsets.noisy_coders({"x": 1, "y": 1}, 0.81, n_coders=3, spread=0)
        >>> coders.with_overuse("x", 0.2, coders=[0]).probabilities[0].round(3).tolist()
        [[0.96, 0.04], [0.24, 0.76]]
        """
        if label not in self.categories:
            raise InputError(
                f"{label!r} is not a category; the categories are {list(self.categories)}",
                argument="label",
            )
        only = np.zeros(len(self.categories))
        only[self.categories.index(label)] = 1.0
        return self._mixed(probability, only, coders)

    def _mixed(
        self, probability: float, labels: FloatArray, coders: Iterable[Any] | None
    ) -> Population:
        check_probability("probability", probability)
        chosen = np.ones(len(self.coders), bool)
        if coders is not None:
            chosen[:] = False
            chosen[name_places(self.coders, coders, "coder")] = True
        table = self.probabilities.copy()
        table[chosen] = (1 - probability) * table[chosen] + probability * labels
        return replace(self, probabilities=table)


def _numbers(name: str, given: Any) -> FloatArray:
    try:
        return np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise InputTypeError.must_be(name, "numbers in rows of equal length", given) from None


@runtime_checkable
class Drawable(Protocol):
    """An object that can be simulated, such as a fitted model."""

    def population(self) -> Population:
        """Return the classes of the items, and the coders."""
        ...


def bound(distance: Distance, categories: tuple[Any, ...], marginals: FloatArray) -> Form:
    """Bind a distance to categories in the given order."""
    return distance.bind(categories, True, marginals if distance.ranks else None)


def estimated(
    categories: Sequence[Any],
    shares: FloatArray,
    probabilities: FloatArray,
    coders: Sequence[Any],
    truth: Sequence[Any],
    undefined: str | None,
) -> Population:
    """Return the population of a fit, in which some coders may never have met some classes.

    Coders without any judgment are left out. For a class that a coder never met, the mean of the
    other coders is used.
    """
    if undefined is not None:
        raise InputError(f"the model has no estimate to draw from: {undefined}")
    seen = ~np.isnan(probabilities[:, :, 0])
    met = np.asarray(shares > 0)
    kept = np.asarray(seen.any(1))
    table = probabilities[kept][:, met]
    unknown = np.isnan(table)
    of_all = np.nansum(table, axis=0) / np.maximum((~unknown).sum(0), 1)
    table = np.where(unknown, of_all, table)
    n_unknown = int(unknown[:, :, 0].sum())
    labels = []
    if not kept.all():
        labels.append(f"{counted(int((~kept).sum()), 'coder')} without judgments left out")
    if n_unknown:
        labels.append(
            f"{counted(n_unknown, 'pair')} of coder and class never met: the mean of the other"
            " coders is used"
        )
    return Population(
        tuple(categories),
        shares[met],
        table,
        tuple(name for name, keep in zip(coders, kept.tolist(), strict=True) if keep),
        tuple(label for label, keep in zip(truth, met.tolist(), strict=True) if keep),
        "; ".join(labels) or None,
    )


def easy_and_hard(
    categories: Sequence[Any],
    easy: float,
    first: FloatArray,
    second: FloatArray,
    model: str,
    coders: Sequence[Any],
) -> Population:
    """Return Aickin's items (1990): a class of easy items for each category, and one of hard items.

    With the model "constant", the share of each class of easy items is proportional to the product
    of the coders' distributions; with "linear", to their common distribution.
    """
    weights = first * second if model == "constant" else first
    if not weights.sum() > 0:
        raise InputError("the coders have no category in common, so no item can be easy")
    K = len(categories)
    table = np.zeros((2, K + 1, K))
    table[:, :K] = np.eye(K)
    table[0, K], table[1, K] = first, second
    shares = np.append(easy * weights / weights.sum(), 1 - easy)
    return Population(tuple(categories), shares, table, tuple(coders), (*categories, None), None)
