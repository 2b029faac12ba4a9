"""From reliability to the error of the majority reference.

The open end of Antoine, Villaneau & Lefeuvre 2014, section 6: they expect a direct reading of
reliability measures from the modifications of the reference, and propose simulations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.coefficients import agreement
from agreement_fast.distances import ordinal, resolve
from agreement_fast.errors import InputError
from agreement_fast.options import check_choice, generator
from agreement_fast.simulation.noisy_coders import NoisyCoders
from agreement_fast.simulation.simulate import Simulation, simulate
from agreement_fast.subsets.majority import TIES, means
from agreement_fast.tables import Tabular
from agreement_fast.terminal import align


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReferenceErrors(Tabular):
    """How often the majority of some coders is not the truth, by their reliability.

    Attributes
    ----------
    reliability : float64 array of shape (R,)
        What was asked for.
    measured : float64 array of shape (R,)
        α of the simulated annotations.
    n_coders : int64 array of shape (S,)
    error : float64 array of shape (R, S)
        The share of items whose majority reference is not the truth: the mean over all subsets of
        so many of the simulated coders.
    standard_error : float64 array of shape (R, S)
        Of `error`, for the items that were drawn (the largest that it can be).
    distance, ties : str
    """

    reliability: FloatArray
    measured: FloatArray
    n_coders: Array
    error: FloatArray
    standard_error: FloatArray
    distance: str
    ties: str

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each reliability and number of coders."""
        n_coders = len(self.n_coders)
        return {
            "reliability": np.repeat(self.reliability, n_coders),
            "measured": np.repeat(self.measured, n_coders),
            "n_coders": np.tile(self.n_coders, len(self.reliability)),
            "error": self.error.reshape(-1),
            "standard_error": self.standard_error.reshape(-1),
        }

    def __repr__(self) -> str:
        return (
            f"ReferenceErrors({len(self.reliability)} reliabilities ({self.distance}), "
            f"{self.n_coders.tolist()} coders, ties={self.ties!r})"
        )

    def __str__(self) -> str:
        head = [
            "reliability",
            "measured",
            *(f"{n} coder{'s' * (n > 1)}" for n in self.n_coders.tolist()),
        ]
        lines = []
        for i in range(len(self.reliability)):
            lines.append(
                [
                    f"{self.reliability[i]:.2f}",
                    f"{self.measured[i]:.3f}",
                    *(f"{x:.4f}" for x in self.error[i].tolist()),
                ]
            )
        return "\n".join(align(head, lines, ">" * len(head), indent=""))


def reference_errors(
    source: Any,
    *,
    reliability: Iterable[float] = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    n_coders: Iterable[int] = (1, 3, 5, 10, 25),
    distance: Any = "nominal",
    errors: Any = None,
    n_items: int = 2000,
    ties: str = "fractional",
    rng: int | np.random.Generator | None = None,
) -> ReferenceErrors:
    """From reliability to the error of the majority reference, for several numbers of coders.

    Parameters
    ----------
    source, distance, errors, n_items, rng :
        As in `simulate`; the largest of `n_coders` are drawn. With data, the coders and items are
        those of the data, and what is called the truth is the reference of the data as they are.
    reliability : iterable of float
        One simulation each.
    n_coders : iterable of int
        Sizes of the subsets of coders whose majority is taken.
    ties : {"fractional", "change", "first", "median"}
        As in `reference_stability`, the truth standing for the reference of all coders. With
        "change" a tie is an error; with "fractional" it is one in part.

    Returns
    -------
    ReferenceErrors
        ``print`` shows a table, one line for each reliability.

    Examples
    --------
    >>> from agreement_fast import simulation
    >>> table = simulation.reference_errors(
    ...     {"yes": 0.5, "no": 0.5}, reliability=[0.25, 0.64], n_coders=[1, 3], rng=1
    ... )
    >>> table.error.round(2).tolist()
    [[0.25, 0.16], [0.1, 0.03]]
    """
    check_choice("ties", ties, TIES)
    random = generator(rng)
    wanted = np.array(list(reliability), np.float64)
    sizes = np.array(list(n_coders), np.int64)
    if not len(sizes) or sizes.min() < 1:
        raise InputError.must_be("n_coders", "one or more numbers, 1 or more", sizes.tolist())
    drawing = isinstance(source, (Mapping, NoisyCoders))
    options: dict[str, Any] = {"distance": distance, "rng": random}
    if drawing:
        options |= {"n_items": n_items, "n_coders": int(sizes.max()), "errors": errors}
    else:
        source = as_annotations(source)
        if sizes.max() > len(source.known_coders("reference_errors()")):
            raise InputError(
                f"n_coders: the data have {source.n_coders} coders, not {sizes.max()}",
                argument="n_coders",
            )
    if ties == "median" and not drawing:
        labels = source.labels
        ordinal.bind(labels, source.declared, np.ones(len(labels)))  # checks the order
    measured = np.zeros(len(wanted))
    share, spread = np.zeros((len(wanted), len(sizes))), np.zeros((len(wanted), len(sizes)))
    for i, target in enumerate(wanted.tolist()):
        made = simulate(source, reliability=target, **options)
        measured[i] = agreement(made.annotations, "alpha", distance=distance).value
        share[i], items = _errors(made, ties, sizes)
        spread[i] = np.sqrt(share[i] * (1 - share[i]) / max(items, 1))
    return ReferenceErrors(wanted, measured, sizes, share, spread, resolve(distance).name, ties)


def _errors(made: Simulation, ties: str, sizes: Array) -> tuple[FloatArray, int]:
    """The mean share of items whose majority is not the truth, and how many items have one."""
    counts = made.annotations.to_counts().values
    place = {label: k for k, label in enumerate(made.annotations.categories)}
    truth = np.array([-1 if label is None else place[label] for label in made.truth.tolist()])
    known = truth >= 0
    counts, truth = counts[known], truth[known]
    true = np.arange(counts.shape[1]) == truth[:, None]
    n_coders = made.annotations.n_coders
    assert n_coders is not None
    changed, _ = means(counts, np.ones(len(counts), np.int64), ties, sizes, n_coders, true)
    return changed, len(counts)
