"""Coders who differ in how reliable they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agreement_fast.errors import InputError
from agreement_fast.latent.population import Population
from agreement_fast.options import check_count, check_number, generator
from agreement_fast.simulation.noisy_coders import noisy_coders

#: Smaller spreads count as 0.
ROUNDING = 1e-9


def varied_coders(
    shares: Mapping[Any, float],
    reliability: float,
    *,
    n_coders: int,
    spread: float = 0.1,
    distance: Any = "nominal",
    errors: Any = None,
    rng: int | np.random.Generator | None = None,
) -> Population:
    """Make a population of coders whose reliabilities differ about a given mean.

    Parameters
    ----------
    shares : mapping label -> number
        The share of each category, among true categories and among judgments, in the order of the
        scale. The numbers are divided by their sum.
    reliability : float
        The reliability of two coders drawn at random, above 0 and below 1.
    n_coders : int
        Number of coders.
    spread : float, default 0.1
        How much coders differ: the standard deviation of the square roots of their reliabilities,
        divided by the mean of these. With 0 they are all alike.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    errors : str, Distance, array, mapping or function, optional
        How unlikely each error is, as a distance; by default `distance`.
    rng : int or numpy Generator, optional
        Seed or generator.

    Returns
    -------
    Population
        The population.

    Raises
    ------
    TypeError, ValueError
        If the reliability is not above 0 and below 1, or the spread is negative or larger than a
        Beta distribution with that mean can have.

    Notes
    -----
    The square root of a coder's reliability measures how much of the truth is in their judgments.
    With ``errors="nominal"`` it is the probability that the coder knows the label; otherwise the
    judgment is drawn from the shares. Two coders with the roots v and w agree like two coders of
    the reliability v w, so the mean over the pairs is the square of the mean root. The roots are
    drawn from the Beta distribution whose mean is √reliability.

    Examples
    --------
    >>> from agreement_fast import simulation
    >>> coders = simulation.varied_coders({"x": 1, "y": 1}, 0.64, n_coders=4, rng=1)
    >>> coders.right().round(3).tolist()
    [0.898, 0.935, 0.91, 0.909]
    """
    check_count("n_coders", n_coders)
    if not 0 < check_number("reliability", reliability) < 1:
        raise InputError.must_be("reliability", "above 0 and below 1", reliability)
    if not check_number("spread", spread) >= 0:
        raise InputError.must_be("spread", "0 or more", spread)
    mean = float(np.sqrt(reliability))
    limit = float(np.sqrt((1 - mean) / mean))
    if spread >= limit:
        raise InputError.must_be(
            "spread", f"below {limit:.4g} for a reliability of {reliability:g}", spread
        )
    roots = np.full(n_coders, mean)
    if spread < ROUNDING:
        spread = 0.0
    if spread:
        size = (1 - mean) / (mean * spread**2) - 1
        roots = generator(rng).beta(mean * size, (1 - mean) * size, n_coders)
    made = [
        noisy_coders(shares, root**2, distance=distance, errors=errors)
        for root in (roots if spread else roots[:1]).tolist()
    ]
    table = np.array([one.confusion for one in made])
    return Population(
        made[0].categories,
        made[0].shares,
        np.broadcast_to(table, (n_coders, *table.shape[1:])),
        range(n_coders),
        made[0].categories,
    )
