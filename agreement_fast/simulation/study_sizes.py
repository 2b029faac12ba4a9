"""How many coders and items a study needs for an interval of a given width, without any data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.inference.delta_method import standard_error
from agreement_fast.inference.sample_size import items_needed
from agreement_fast.options import check_count, check_counts, check_number, check_share, generator
from agreement_fast.simulation.simulate import is_drawable, simulate
from agreement_fast.tables import Tabular
from agreement_fast.terminal import align, show_value


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StudySizes(Tabular):
    """The number of items that gives an interval of a given width, for several numbers of coders.

    Attributes
    ----------
    n_coders : int64 array of shape (S,)
        Numbers of coders.
    n_items : tuple of S ints or None
        Numbers of items. None if the simulated annotations leave the coefficient or its standard
        error undefined.
    value, standard_error : float64 arrays of shape (S,)
        The coefficient of the simulated annotations, and its standard error.
    n_simulated : int
        Number of simulated items.
    coefficient, distance : str
        Their names.
    width, confidence_level : float
        The width of the interval, and its level.
    """

    n_coders: Array
    n_items: tuple[int | None, ...]
    value: FloatArray
    standard_error: FloatArray
    n_simulated: int
    coefficient: str
    distance: str
    width: float
    confidence_level: float

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each number of coders."""
        n = len(self.n_coders)
        coders = self.n_coders.tolist()
        return {
            "coefficient": [self.coefficient] * n,
            "distance": [self.distance] * n,
            "n_coders": self.n_coders,
            "n_items": list(self.n_items),
            "n_judgments": [
                None if items is None else items * c
                for items, c in zip(self.n_items, coders, strict=True)
            ],
            "value": self.value,
            "standard_error": self.standard_error,
        }

    def __repr__(self) -> str:
        return (
            f"StudySizes({self.coefficient} ({self.distance}), intervals of width {self.width:g} "
            f"for {self.n_coders.tolist()} coders)"
        )

    def __str__(self) -> str:
        rows = [
            (str(coders), *("undefined" if x is None else f"{x:,}" for x in (items, judgments)),
             show_value(value))
            for coders, items, judgments, value in zip(
                *(self.to_dict()[name] for name in ("n_coders", "n_items", "n_judgments", "value")),
                strict=True,
            )
        ]  # fmt: skip
        return "\n".join(
            [repr(self)[11:-1], *align(("coders", "items", "judgments", "value"), rows, ">>>>")]
        )


def study_sizes(
    source: Any,
    width: float,
    *,
    coefficient: str = "alpha",
    distance: Any = "nominal",
    reliability: float | None = None,
    errors: Any = None,
    spread: float = 0.0,
    n_coders: Iterable[int] = (2, 3, 5, 10),
    confidence_level: float = 0.95,
    n_simulated: int = 5000,
    rng: int | np.random.Generator | None = None,
) -> StudySizes:
    """Compute how many items a study needs for an interval of a given width.

    Parameters
    ----------
    source : mapping label -> share, or a model
        What is expected of the study: shares of the categories, with a reliability; or a model,
        such as one fitted to a pilot.
    width : float
        Width of the interval, high − low.
    coefficient : str, default "alpha"
        Name of a coefficient.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    reliability : float, optional
        The expected reliability. Required with shares; a model has its own.
    errors : str, Distance, array, mapping or function, optional
        How unlikely each error is, as a distance; by default `distance`. With shares only.
    spread : float, default 0
        How much the reliabilities of coders differ, as in `varied_coders`. With shares only.
    n_coders : iterable of int, default (2, 3, 5, 10)
        Numbers of coders, 2 or more each.
    confidence_level : float, default 0.95
        Of the interval, between 0 and 1.
    n_simulated : int, default 5000
        Number of items to draw for each number of coders. More items give a more precise standard
        error.
    rng : int or numpy Generator, optional
        Seed or generator.

    Returns
    -------
    StudySizes
        The number of items for each number of coders. Its table also has the number of judgments:
        if items are plenty, two coders of many items cost less than many coders of few.

    Raises
    ------
    TypeError, ValueError
        If the width is not positive, shares come without a reliability, an option does not suit a
        model, or `source` is data.

    Notes
    -----
    The standard error of the simulated annotations (`inference.standard_error`) falls with the
    square root of the number of items. It holds for other items judged by the same coders. With a
    `spread`, or a model whose coders differ, other coders are drawn for each number of coders.

    Examples
    --------
    >>> from agreement_fast import simulation
    >>> sizes = simulation.study_sizes({"yes": 1, "no": 1}, 0.1, reliability=0.7, rng=1)
    >>> list(sizes.n_items)
    [775, 463, 272, 132]
    """
    if not 0 < check_number("width", width) < np.inf:
        raise InputError.must_be("width", "a positive number", width)
    check_share("confidence_level", confidence_level)
    check_count("n_simulated", n_simulated, 2)
    random = generator(rng)
    sizes = check_counts("n_coders", n_coders, 2)
    if not isinstance(source, Mapping) and not is_drawable(source):
        raise InputTypeError.must_be(
            "source", "shares of categories or a model", source,
            "fit a model to a pilot, such as latent.dawid_skene(data)",
        )  # fmt: skip
    options: dict[str, Any] = {"distance": distance, "errors": errors, "spread": spread}
    options |= {"rng": random, "n_items": n_simulated}
    found = [
        standard_error(
            simulate(source, reliability=reliability, n_coders=n, **options).annotations,
            coefficient, distance=distance, confidence_level=confidence_level,
        )
        for n in sizes
    ]  # fmt: skip
    return StudySizes(
        np.array(sizes, np.int64),
        tuple(
            items_needed(one, width=width, confidence_level=confidence_level)
            if one.standard_error > 0
            else None
            for one in found
        ),
        np.array([one.value for one in found]),
        np.array([one.standard_error for one in found]),
        n_simulated,
        found[0].coefficient,
        found[0].distance,
        width,
        confidence_level,
    )
