"""Coders who agree on easy items, and on hard ones by chance only (Aickin 1990)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.latent.population import Population, easy_and_hard
from agreement_fast.options import check_choice, check_number


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
