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
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.options import check_choice, check_count, check_counts, check_share, generator
from agreement_fast.patterns import dense
from agreement_fast.simulation.simulate import Simulation, is_drawable, simulate
from agreement_fast.subsets.majority import TIES, first_reference, means, tied_categories
from agreement_fast.tables import Table, Tabular
from agreement_fast.terminal import align

#: Reliabilities that nobody asked for.
RELIABILITIES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

#: How many times as many coders are drawn as the largest set has, where they differ.
POOL = 2

#: Judgments, and counts of sets, that are held at a time.
CELLS = 1 << 22


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReferenceErrors(Tabular):
    """How often the majority of some coders is not the truth, by their reliability.

    Attributes
    ----------
    reliability : float64 array of shape (R,)
        What was asked for, or what a model has.
    measured : float64 array of shape (R,)
        α of the simulated annotations.
    n_coders : int64 array of shape (S,)
    error : float64 array of shape (R, S)
        The share of items whose majority reference is not the truth: the mean over all subsets of
        so many of the simulated coders.
    standard_error : float64 array of shape (R, S)
        Of `error`, for the items that were drawn (the largest that it can be).
    low, high : float64 arrays of shape (R, S)
        Between which the errors of 95% of the sets of so many coders lie, by a sample of `n_sets`;
        both are `error` where all simulated coders are the only set.
    n_sets : int
    distance, ties : str
    """

    reliability: FloatArray
    measured: FloatArray
    n_coders: Array
    error: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    n_sets: int
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
            "low": self.low.reshape(-1),
            "high": self.high.reshape(-1),
        }

    def coders_needed(self, error: float, *, of_most_sets: bool = False) -> Table:
        """How many coders bring the error of their majority down to a number.

        Parameters
        ----------
        error : float
            The largest error that is wanted, above 0 and below 1.
        of_most_sets : bool
            Whether 97.5% of the sets of so many coders shall reach it, and not their mean.

        Returns
        -------
        Table
            A row for each reliability: the least of the numbers of coders looked at from which on
            the error is no larger (None where it stays larger), and the error of so many.

        Examples
        --------
        >>> from agreement_fast import simulation
        >>> table = simulation.reference_errors(
        ...     {"yes": 1, "no": 1}, reliability=[0.2, 0.5, 0.8], n_coders=range(1, 12, 2), rng=1
        ... )
        >>> table.coders_needed(0.05).to_dict()["n_coders"]
        [None, 5, 3]
        """
        check_share("error", error)
        looked_at = self.high if of_most_sets else self.error
        order = np.argsort(self.n_coders, kind="stable")
        found: list[tuple[int | None, float, float]] = []
        for i in range(len(self.reliability)):
            enough = looked_at[i, order] <= error
            # from the last that is not enough on
            first = len(order) - int(np.logical_and.accumulate(enough[::-1]).sum())
            if first == len(order):
                found.append((None, float("nan"), float("nan")))
            else:
                at = order[first]
                found.append(
                    (int(self.n_coders[at]), float(self.error[i, at]), float(self.high[i, at]))
                )
        return Table(
            {
                "reliability": self.reliability,
                "n_coders": [n for n, _, _ in found],
                "error": np.array([mean for _, mean, _ in found]),
                "high": np.array([high for _, _, high in found]),
            }
        )

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
    reliability: Iterable[float] | None = None,
    n_coders: Iterable[int] = (1, 3, 5, 10, 25),
    distance: Any = "nominal",
    errors: Any = None,
    spread: float = 0.0,
    n_items: int = 2000,
    ties: str = "fractional",
    n_sets: int = 100,
    rng: int | np.random.Generator | None = None,
) -> ReferenceErrors:
    """From reliability to the error of the majority reference, for several numbers of coders.

    Parameters
    ----------
    source, distance, errors, spread, n_items, rng :
        As in `simulate`; the largest of `n_coders` are drawn, with a `spread` twice as many.
        With data, the coders and items are those of the data, and what is called the truth is the
        reference of the data as they are. With a model whose coders differ, they are its coders.
        Items whose class has no true label are left out.
    reliability : iterable of float, optional
        One simulation each; by default 0.2, 0.3 ... 0.9. Not with a model, which has its own.
    n_coders : iterable of int
        Sizes of the subsets of coders whose majority is taken.
    ties : {"fractional", "change", "first", "median"}
        As in `reference_stability`, the truth standing for the reference of all coders. With
        "change" a tie is an error; with "fractional" it is one in part.
    n_sets : int
        How many sets of coders are drawn for `low` and `high`, 1 or more.

    Returns
    -------
    ReferenceErrors
        ``print`` shows a table, one line for each reliability. `plots.reference_errors` draws it.

    Raises
    ------
    ValueError
        More coders than data or a model of coders who differ have; options of a source that it
        does not take; "median" with categories that have no order.

    Notes
    -----
    The mean over all sets of coders is exact (hypergeometric counts), and O(N K) for each size;
    `low` and `high` are percentiles over sets that are drawn.

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
    check_count("n_sets", n_sets)
    random = generator(rng)
    sizes = np.array(check_counts("n_coders", n_coders), np.int64)
    options: dict[str, Any] = {"distance": distance, "rng": random, "errors": errors}
    options["spread"] = spread
    wanted = _reliabilities(reliability)
    if isinstance(source, Mapping):
        drawn = int(sizes.max()) * (POOL if spread else 1)
        options |= {"n_items": n_items, "n_coders": drawn}
    elif is_drawable(source):
        if reliability is not None:
            raise InputTypeError("a model has its own reliability", "leave it out")
        given = source.population()
        wanted = [None]
        options |= {"n_items": n_items, "n_coders": int(sizes.max()) if given.alike else None}
        if not given.alike:
            _check_sizes(sizes, len(given.coders), "model")
    else:
        source = as_annotations(source)
        _check_sizes(sizes, len(source.known_coders("reference_errors()")), "data")
        if ties == "median":
            labels = source.labels
            ordinal.bind(labels, source.declared, np.ones(len(labels)))  # checks the order
    shape = len(wanted), len(sizes)
    asked, measured = np.zeros(len(wanted)), np.zeros(len(wanted))
    share, spreads, low, high = (np.zeros(shape) for _ in range(4))
    sets = random.spawn(1)[0]
    for i, target in enumerate(wanted):
        made = simulate(source, reliability=target, **options)
        asked[i] = made.reliability
        measured[i] = agreement(made.annotations, "alpha", distance=distance).value
        judged = _Judged.of(made)
        share[i] = judged.mean_errors(ties, sizes)
        spreads[i] = np.sqrt(share[i] * (1 - share[i]) / max(len(judged.truth), 1))
        for j, size in enumerate(sizes.tolist()):
            of_sets = judged.errors_of_sets(ties, size, n_sets, sets)
            low[i, j], high[i, j] = np.quantile(of_sets, [0.025, 0.975])
    return ReferenceErrors(
        asked, measured, sizes, share, spreads, low, high, n_sets, resolve(distance).name, ties
    )


def _reliabilities(given: Any) -> list[float | None]:
    if given is None:
        return [*RELIABILITIES]
    if not isinstance(given, Iterable) or isinstance(given, (str, bytes)):
        remedy = ("pass ", Argument("reliability", [given]))
        raise InputTypeError.must_be("reliability", "a sequence of numbers", given, remedy)
    found = [*given]
    if not found:
        raise InputError((Argument("reliability"), " is empty"), argument="reliability")
    return found


def _check_sizes(sizes: Array, n_coders: int, what: str) -> None:
    if sizes.max() > n_coders:
        have = "have" if what == "data" else "has"
        raise InputError(
            f"n_coders: the {what} {have} {n_coders} coders, not {sizes.max()}",
            argument="n_coders",
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """What coders said, of shape (N, C) and -1 where nothing, of items with a truth."""

    codes: Array
    truth: Array
    n_categories: int

    @staticmethod
    def of(made: Simulation) -> _Judged:
        place = {label: k for k, label in enumerate(made.annotations.categories)}
        truth = np.array([-1 if label is None else place[label] for label in made.truth.tolist()])
        rows = made.annotations.rows
        n_coders = made.annotations.n_coders
        assert n_coders is not None
        known = truth >= 0
        return _Judged(dense(rows, n_coders)[known], truth[known], len(place))

    def mean_errors(self, ties: str, sizes: Array) -> FloatArray:
        """The mean over all sets of so many coders."""
        counts = self._one_hot().sum(2).astype(np.int64)
        true = np.arange(self.n_categories) == self.truth[:, None]
        weights = np.ones(len(counts), np.int64)
        changed, _ = means(counts, weights, ties, sizes, self.codes.shape[1], true)
        return changed

    def errors_of_sets(
        self, ties: str, size: int, n_sets: int, rng: np.random.Generator
    ) -> FloatArray:
        """The errors of some sets of so many coders, drawn at random."""
        C = self.codes.shape[1]
        chosen = np.argsort(rng.random((n_sets, C)), axis=1)[:, :size]
        members = np.zeros((C, n_sets), np.float32)
        members[chosen, np.arange(n_sets)[:, None]] = 1
        one_hot = self._one_hot()
        found, step = np.zeros(n_sets), max(1, CELLS // (self.n_categories * max(n_sets, C)))
        for first in range(0, len(one_hot), step):
            counts = (one_hot[first : first + step] @ members).transpose(0, 2, 1).astype(np.int64)
            found += _wrong(counts, self.truth[first : first + step], ties).sum(0)
        return found / max(len(one_hot), 1)

    def _one_hot(self) -> Array:
        """Who says what of each item: float32 of shape (N, K, C)."""
        said = self.codes[:, None, :] == np.arange(self.n_categories)[:, None]
        out: Array = said.astype(np.float32)
        return out


def _wrong(counts: Array, truth: Array, ties: str) -> FloatArray:
    """How far the majorities of counts (N, S, K) are not the truth of the items (N,): (N, S)."""
    tied = tied_categories(counts)
    held = tied[np.arange(len(truth)), :, truth]
    n_tied = tied.sum(-1)
    if ties in ("first", "median"):
        right = (first_reference(counts, tied, ties) == truth[:, None]) & (n_tied > 0)
    elif ties == "change":
        right = held & (n_tied == 1)
    else:
        right = held / np.maximum(n_tied, 1)
    out: FloatArray = 1.0 - right
    return out
