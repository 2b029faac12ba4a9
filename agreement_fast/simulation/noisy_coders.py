"""A model of coders: items have true categories, and coders err towards near ones.

The model has the shares of the categories, the reliability of the coders, and a distance that shows
which errors are likely. All coders are alike and independent given the item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.distances import resolve
from agreement_fast.distances.forms import Form
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.latent.population import Population, bound, easy_and_hard
from agreement_fast.options import check_choice, check_number
from agreement_fast.tables import Tabular, unlike
from agreement_fast.terminal import spell_label


def aickin_coders(
    first: Mapping[Any, float],
    easy: float,
    *,
    second: Mapping[Any, float] | None = None,
    model: str = "constant",
) -> Population:
    """Make a population of two coders by one of Aickin's models.

    `latent.aickin_alpha` estimates the share of easy items of these models.

    Parameters
    ----------
    first : mapping label -> number
        How often the first coder gives a hard item each category; the numbers are divided by their
        sum.
    easy : float
        The share of easy items, from 0 to 1. Both coders give an easy item the same category.
    second : mapping label -> number, optional
        The same for the second coder; by default `first`.
    model : {"constant", "linear"}, default "constant"
        How the easy items divide into categories: in proportion to the product of the coders'
        shares (Aickin's constant predictive probability), or to the share itself (assumption 4' of
        Artstein & Poesio 2005, 6.1), which needs equal shares of both coders.

    Returns
    -------
    Population
        A class for each category of easy items, and a class of hard items, whose truth is None.

    Raises
    ------
    TypeError, ValueError
        If `easy` is not from 0 to 1, shares are negative or all 0, the coders have other labels or
        no label in common, or they differ in the linear model.

    References
    ----------
    Aickin, M. (1990). Maximum likelihood estimation of agreement in the constant predictive
    probability model, and its relation to Cohen's kappa. Biometrics 46(2), 293-302.

    Examples
    --------
    >>> from agreement_fast import latent, simulation
    >>> model = simulation.aickin_coders({"x": 3, "y": 1}, 0.6)
    >>> data = simulation.simulate(model, n_items=200_000, rng=1).annotations
    >>> round(latent.aickin_alpha(data).value, 2)
    0.6
    """
    check_choice("model", model, ("constant", "linear"))
    if not 0 <= check_number("easy", easy) <= 1:
        raise InputError.must_be("easy", "from 0 to 1", easy)
    for name, given in (("first", first), ("second", second)):
        if not (isinstance(given, Mapping) or given is second is None):
            raise InputTypeError.must_be(name, "a mapping of labels to numbers", given)
    labels = tuple(first)
    one = _shares("first", first)
    two = one
    if second is not None:
        if set(second) != set(labels):
            raise InputError(
                f"second must have the labels of first, {list(labels)}, not {list(second)}",
                argument="second",
            )
        two = _shares("second", {label: second[label] for label in labels})
    if model == "linear" and not np.allclose(one, two, rtol=0, atol=1e-12):
        raise InputError(
            "in the linear model both coders must have the same shares", "leave out second",
            argument="second",
        )  # fmt: skip
    return easy_and_hard(labels, easy, one, two, model, (0, 1))


def _shares(name: str, given: Mapping[Any, float]) -> FloatArray:
    found = np.array([check_number(f"{name}[{label!r}]", x) for label, x in given.items()])
    if not len(found) or not (found >= 0).all() or not 0 < found.sum() < np.inf:
        raise InputError.must_be(name, "numbers of 0 or more that are not all 0", dict(given))
    out: FloatArray = found / found.sum()
    return out


#: The largest sharpness of errors, times the largest distance: coders make almost no errors.
SHARPEST = 1e4

#: The smallest share of a category, relative to the most frequent one.
RAREST = 1e-12

#: The most rounds to fit the shares to the last digits.
ROUNDS = 20_000


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NoisyCoders(Tabular):
    """True categories and the coders' errors.

    Attributes
    ----------
    categories : tuple of K labels
        The categories.
    shares : float64 array of shape (K,)
        The share of items whose true category is each one.
    confusion : float64 array of shape (K, K)
        The probability of each judgment (column) for each true category (row).
    """

    categories: tuple[Any, ...]
    shares: FloatArray
    confusion: FloatArray

    def __post_init__(self) -> None:
        K = len(self.categories)
        shares, confusion = (np.asarray(x, np.float64) for x in (self.shares, self.confusion))
        if shares.shape != (K,) or confusion.shape != (K, K):
            raise InputError(
                f"{K} categories need {K} shares and {K} × {K} probabilities, not shapes "
                f"{shares.shape} and {confusion.shape}"
            )
        for name, rows in (("shares", shares[None, :]), ("a row of confusion", confusion)):
            sums = rows.sum(1)
            if not (rows >= 0).all() or not np.allclose(sums, 1.0, atol=1e-9):
                raise InputError(f"{name} must be probabilities that add to 1, not to {sums}")
        object.__setattr__(self, "shares", shares)
        object.__setattr__(self, "confusion", confusion)

    def __repr__(self) -> str:
        kept = float(self.shares @ np.diagonal(self.confusion))
        return f"NoisyCoders({len(self.categories)} categories, {kept:.3g} of judgments true)"

    def columns(self) -> Mapping[str, Sequence[Any] | FloatArray]:
        """Give a row for each true category: its share, and the probability of each judgment."""
        names = unlike("category", ["share", *map(spell_label, self.categories)])
        return {
            "category": self.categories,
            **dict(zip(names, [self.shares, *self.confusion.T], strict=True)),
        }

    def population(self) -> Population:
        """Return the population of items with one coder who stands for all."""
        return Population(self.categories, self.shares, self.confusion[None], (0,), self.categories)

    def marginals(self) -> FloatArray:
        """Return the share of judgments of each category: float64 of shape (K,)."""
        said: FloatArray = self.shares @ self.confusion
        return said

    def reliability(self, distance: Any = "nominal") -> float:
        """Return 1 − D_o / D_e of two coders in the limit of many items.

        π, κ and α (α' and β under a distance) all tend to it, because coders are alike and the
        chance models then agree. NaN if there is only one category.

        Parameters
        ----------
        distance : str, Distance, array, mapping or function, default "nominal"
            How far apart two labels are.

        Returns
        -------
        float
            The reliability.
        """
        form = bound(resolve(distance), self.categories, self.marginals())
        return expected_agreement(self.shares, self.confusion, form)


def expected_agreement(shares: FloatArray, confusion: FloatArray, form: Form) -> float:
    """Return 1 − Σ_t π_t θ_t D θ_t / (q D q), q = Σ_t π_t θ_t."""
    said = shares @ confusion
    expected = float(form.bilinear(said, said))
    if not expected > 0:
        return float("nan")
    return 1.0 - float(shares @ form.bilinear(confusion, confusion)) / expected


def noisy_coders(
    shares: Mapping[Any, float],
    reliability: float,
    *,
    distance: Any = "nominal",
    errors: Any = None,
) -> NoisyCoders:
    """Make a model of coders with a given reliability.

    Parameters
    ----------
    shares : mapping label -> number
        The share of each category, among true categories and among judgments, in the order of the
        scale. The numbers are divided by their sum.
    reliability : float
        From 0 (coders guess) to 1 (they are always right): 1 − D_o / D_e under `distance`, the
        limit of α, π and κ with many items.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    errors : str, Distance, array, mapping or function, optional
        How unlikely each error is, as a distance; by default `distance`. With ``"nominal"`` all
        errors are equally likely; with ``"linear"`` each further step on a scale is less likely by
        the same factor.

    Returns
    -------
    NoisyCoders
        The model.

    Raises
    ------
    TypeError, ValueError
        If there are fewer than two categories, a share is not above 0, or the reliability is out of
        range or cannot be reached.

    Notes
    -----
    The true category j and the judgment l have the joint probability u_j u_l exp(−s e_jl), where e
    is `errors`. u is such that both margins are the shares (Sinkhorn's scaling), and the sharpness
    s is found by bisection. So neither prevalence nor bias depends on the reliability.

    Examples
    --------
    >>> from agreement_fast import simulation
    >>> model = simulation.noisy_coders({"yes": 0.5, "no": 0.5}, 0.64)
    >>> model.confusion.round(6).tolist()
    [[0.9, 0.1], [0.1, 0.9]]
    """
    labels, true = _checked_shares(shares)
    if not 0 <= check_number("reliability", reliability) <= 1:
        raise InputError.must_be("reliability", "from 0 to 1", reliability)
    form = bound(resolve(distance), labels, true)
    if not float(form.bilinear(true, true)) > 0:
        raise InputError("reliability needs two categories at a distance above 0")
    places = np.arange(len(labels))
    off = bound(resolve(distance if errors is None else errors), labels, true).between(
        places[:, None], places[None, :]
    )
    if not off.max() > 0:
        raise InputError((Argument("errors"), ": all distances are 0"))
    off = off / off.max()

    def coders(sharpness: float) -> FloatArray:
        return _confusion(true, np.exp(-sharpness * off))

    if reliability == 1:
        return NoisyCoders(labels, true, np.eye(len(labels)))
    low, high = 0.0, 1.0
    while expected_agreement(true, coders(high), form) < reliability:
        low, high = high, 2 * high
        if high > SHARPEST:
            raise InputError(
                (
                    Argument("reliability", reliability),
                    " cannot be reached: coders cannot distinguish categories at distance 0 by ",
                    Argument("errors"),
                )
            )
    for _ in range(80):
        middle = (low + high) / 2
        if expected_agreement(true, coders(middle), form) < reliability:
            low = middle
        else:
            high = middle
    return NoisyCoders(labels, true, coders(high if reliability else 0.0))


def _checked_shares(shares: Mapping[Any, float]) -> tuple[tuple[Any, ...], FloatArray]:
    labels = tuple(shares)
    numbers = np.array([check_number(f"shares[{label!r}]", shares[label]) for label in labels])
    for label, share in zip(labels, numbers.tolist(), strict=True):
        if not (np.isfinite(share) and share > 0):
            raise InputError(
                (Argument("shares"), f": category {label!r} has {share}, it must be above 0")
            )
    if len(labels) < 2:
        raise InputError(
            (Argument("shares"), f": expected two categories or more, got {len(labels)}")
        )
    numbers = numbers / numbers.max()  # so that the sum of very large numbers is finite
    rarest = int(numbers.argmin())
    if numbers[rarest] < RAREST:
        raise InputError(
            (
                Argument("shares"),
                f": category {labels[rarest]!r} has {numbers[rarest]:.3g} of the largest share, "
                f"expected {RAREST:g} or more",
            ),
            "leave it out",
        )
    return labels, numbers / numbers.sum()


def _confusion(shares: FloatArray, kernel: FloatArray) -> FloatArray:
    """Return P(judgment | true) of the joint u_j kernel_jl u_l whose margins are the shares."""
    u = np.sqrt(shares)
    for _ in range(ROUNDS):
        following = np.sqrt(u * shares / (kernel @ u))
        done = np.abs(following / u - 1).max() < 1e-15
        u = following
        if done:
            break
    joint = u[:, None] * kernel * u
    out: FloatArray = joint / joint.sum(1, keepdims=True)
    return out
