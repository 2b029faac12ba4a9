"""From reliability to the error of the majority reference.

Antoine, Villaneau & Lefeuvre (2014, section 6) propose such simulations, to interpret values of
reliability measures by the errors of the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Unpack, cast

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.coefficients import agreement
from agreement_fast.distances import ordinal, resolve
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.inference.delta_method import standard_error
from agreement_fast.inference.sample_sizes import items_needed
from agreement_fast.options import (
    Seed,
    check_choice,
    check_count,
    check_counts,
    check_positive,
    check_several,
    check_share,
    generator,
)
from agreement_fast.patterns import dense
from agreement_fast.present.tables import Aligned, Table, Tabular
from agreement_fast.subsets.references import TIES, first_reference, means, tied_categories
from agreement_fast.subsets.simulate import Simulation, is_drawable, simulate


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StudySizes(Aligned):
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

    _caption = "StudySizes({coefficient}({distance}), intervals of width {width:g})"
    _table = "n_coders | n_items | n_judgments | value"
    _remarks = ""
    _most = None

    n_coders: Array
    n_items: tuple[int | None, ...]
    value: FloatArray
    standard_error: FloatArray
    n_simulated: int
    coefficient: str
    distance: str
    width: float
    confidence_level: float

    _column_names = "coefficient distance n_coders n_items n_judgments value standard_error"

    @property
    def n_judgments(self) -> tuple[int | None, ...]:
        """How many judgments these are."""
        pairs = zip(self.n_items, self.n_coders.tolist(), strict=True)
        return tuple(None if items is None else items * coders for items, coders in pairs)


def study_sizes(
    data: JudgmentsLike,
    width: float,
    *,
    coefficient: str = "alpha",
    distance: DistanceLike = "nominal",
    reliability: float | None = None,
    errors: DistanceLike | None = None,
    spread: float = 0.0,
    n_coders: Iterable[int] = (2, 3, 5, 10),
    confidence_level: float = 0.95,
    n_simulated: int = 5000,
    rng: Seed = None,
) -> StudySizes:
    """Compute how many items a study needs for an interval of a given width.

    Parameters
    ----------
    data : mapping label -> share, or a model
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
        How much the reliabilities of coders differ, as in `noisy_coders`. With shares only.
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
        model, or `data` is data.

    Notes
    -----
    The standard error of the simulated annotations (`inference.standard_error`) falls with the
    square root of the number of items. It holds for other items judged by the same coders. With a
    `spread`, or a model whose coders differ, other coders are drawn for each number of coders.

    Examples
    --------
    >>> from agreement_fast import subsets
    >>> sizes = subsets.study_sizes({"yes": 1, "no": 1}, 0.1, reliability=0.7, rng=1)
    >>> list(sizes.n_items)
    [779, 465, 273, 133]
    """
    check_positive("width", width)
    check_share("confidence_level", confidence_level)
    check_count("n_simulated", n_simulated, 2)
    random = generator(rng)
    sizes = check_counts("n_coders", n_coders, 2)
    if not isinstance(data, Mapping) and not is_drawable(data):
        raise InputTypeError.must_be(
            "data", "shares of categories or a model", data,
            "fit a model to a pilot, such as af.aggregate(data, 'dawid_skene').model",
        )  # fmt: skip
    options: dict[str, Any] = {"distance": distance, "errors": errors, "spread": spread}
    options |= {"rng": random, "n_items": n_simulated}
    result = [
        standard_error(
            simulate(data, reliability=reliability, n_coders=n, **options).annotations,
            coefficient, distance=distance, confidence_level=confidence_level,
        )
        for n in sizes
    ]  # fmt: skip
    return StudySizes(
        np.array(sizes, np.int64),
        tuple(
            items_needed(entry, width=width, confidence_level=confidence_level)
            if entry.standard_error > 0
            else None
            for entry in result
        ),
        np.array([entry.value for entry in result]),
        np.array([entry.standard_error for entry in result]),
        n_simulated,
        result[0].coefficient,
        result[0].distance,
        width,
        confidence_level,
    )


#: The default reliabilities.
RELIABILITIES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

#: Coders who are drawn for each coder of the largest set, if coders differ.
POOL = 2

#: The most judgments, and counts of sets, that are held at a time.
CELLS = 1 << 22


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ReferenceErrors(Tabular):
    """The error of the majority of some coders, by their reliability and number.

    Attributes
    ----------
    reliability : float64 array of shape (R,)
        The requested reliability, or that of the model.
    measured : float64 array of shape (R,)
        α of the simulated annotations.
    n_coders : int64 array of shape (S,)
        Numbers of coders.
    error : float64 array of shape (R, S)
        The share of items whose majority reference is not the truth: the mean over all sets of this
        number of the simulated coders.
    standard_error : float64 array of shape (R, S)
        Upper bound of the standard error of `error` from drawing items.
    low, high : float64 arrays of shape (R, S)
        The range of the errors of 95% of the sets of this number of coders, from a sample of
        `n_resamples`. Both equal `error` if all simulated coders are the only set.
    n_resamples : int
        Number of sets in the sample.
    distance, ties : str
        Name of the distance, and how ties are treated.
    """

    _caption = "ReferenceErrors({reliability:reliability}, {distance}, ties={ties:r})"
    _table = "reliability:.2f | measured:.3f | n_coders | error | low..high"
    _remarks = ""
    _most = None

    reliability: FloatArray
    measured: FloatArray
    n_coders: Array
    error: FloatArray
    standard_error: FloatArray
    low: FloatArray
    high: FloatArray
    n_resamples: int
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
        """Return the number of coders whose majority has at most a given error.

        Parameters
        ----------
        error : float
            The largest acceptable error, above 0 and below 1.
        of_most_sets : bool, default False
            Whether 97.5% of the sets of coders must reach it, rather than their mean.

        Returns
        -------
        Table
            A row for each reliability: the smallest of the simulated numbers of coders from which
            on the error is no larger (None if it stays larger), and its error.

        Examples
        --------
        >>> from agreement_fast import subsets
        >>> table = subsets.reference_errors(
        ...     {"yes": 1, "no": 1}, reliability=[0.2, 0.5, 0.8], n_coders=range(1, 12, 2), rng=1
        ... )
        >>> table.coders_needed(0.05).to_dict()["n_coders"]
        [None, 5, 3]
        """
        check_share("error", error)
        compared = self.high if of_most_sets else self.error
        order = np.argsort(self.n_coders, kind="stable")
        enough = (compared[:, order] <= error)[:, ::-1]
        # How many of the largest numbers are enough, and the smallest of these.
        n_enough = np.logical_and.accumulate(enough, axis=1).sum(axis=1)
        at = order[-np.maximum(n_enough, 1)]
        is_reached = n_enough > 0
        numbers = zip(is_reached.tolist(), self.n_coders[at].tolist(), strict=True)
        chosen = {
            name: np.where(is_reached, values[np.arange(len(at)), at], np.nan)
            for name, values in (("error", self.error), ("high", self.high))
        }
        needed = [n if some else None for some, n in numbers]
        return Table({"reliability": self.reliability, "n_coders": needed, **chosen})


def reference_errors(
    data: JudgmentsLike,
    *,
    reliability: float | Iterable[float] | None = None,
    n_coders: Iterable[int] = (1, 3, 5, 10, 25),
    distance: DistanceLike = "nominal",
    errors: DistanceLike | None = None,
    spread: float = 0.0,
    n_items: int = 2000,
    ties: Literal["fractional", "change", "first", "median"] = "fractional",
    n_resamples: int = 100,
    rng: Seed = None,
    **reading: Unpack[ReadingOptions],
) -> ReferenceErrors:
    """Simulate the error of the majority reference, by reliability and number of coders.

    Parameters
    ----------
    data : mapping label -> share, a model, Annotations or what `Annotations.from_wide` reads
        Shares of labels or a model to draw from, or data to modify at random, as in `simulate`.
        With data, coders and items are those of the data, and the majority reference of the
        unmodified data counts as the truth. If the coders of a model differ, they are its coders.
        Items whose class has no true label are left out.
    reliability : float or iterable of float, optional
        One simulation each; by default 0.2, 0.3 ... 0.9. Not with a model, which has its own.
    n_coders : iterable of int, default (1, 3, 5, 10, 25)
        Sizes of the sets of coders whose majority is taken.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    errors : str, Distance, array, mapping or function, optional
        How unlikely each error is, as a distance; by default `distance`. With shares only.
    spread : float, default 0
        How much the reliabilities of coders differ, as in `noisy_coders`. With shares only. Twice
        the largest of `n_coders` are then drawn.
    n_items : int, default 2000
        Number of items to draw. With data, all their items are used.
    ties : {"fractional", "change", "first", "median"}, default "fractional"
        What a tie of the most frequent categories counts: with "fractional" a partial error, with
        "change" an error; with "first" the first of them is taken in the order of the categories,
        with "median" the lower median of the judgments.
    n_resamples : int, default 100
        Number of sets of coders to draw for `low` and `high`, 1 or more.
    rng : int or numpy Generator, optional
        Seed or generator.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ReferenceErrors
        The errors. ``print`` shows a table with a line for each reliability, and
        `plots.reference_errors` draws them.

    Raises
    ------
    TypeError, ValueError
        If the data or the model have fewer coders than `n_coders`, an option does not suit the
        data, or categories have no order for "median".

    Notes
    -----
    The mean over all sets of coders is exact (hypergeometric counts) and takes O(N K) for each
    size; `low` and `high` are percentiles over the drawn sets.

    Examples
    --------
    >>> from agreement_fast import subsets
    >>> table = subsets.reference_errors(
    ...     {"yes": 0.5, "no": 0.5}, reliability=[0.25, 0.64], n_coders=[1, 3], rng=1
    ... )
    >>> table.error.round(2).tolist()
    [[0.25, 0.16], [0.1, 0.03]]
    """
    check_choice("ties", ties, TIES)
    check_count("n_resamples", n_resamples)
    random = generator(rng)
    sizes = np.array(check_counts("n_coders", n_coders), np.int64)
    options: dict[str, Any] = {"distance": distance, "rng": random, "errors": errors}
    options["spread"] = spread
    targets: list[float | None] = [*RELIABILITIES]
    if reliability is not None:
        several = [reliability] if isinstance(reliability, (int, float)) else reliability
        targets = list(check_several("reliability", several, "a number or a sequence of numbers"))
    if not targets:
        raise InputError((Argument("reliability"), " is empty"))
    if reading:
        data = as_annotations(data, **reading)
    if isinstance(data, Mapping):
        drawn = int(sizes.max()) * (POOL if spread else 1)
        options |= {"n_items": n_items, "n_coders": drawn}
    elif is_drawable(data):
        if reliability is not None:
            raise InputTypeError("a model has its own reliability", "leave it out")
        given = cast(Any, data).population()
        targets = [None]
        options |= {"n_items": n_items, "n_coders": int(sizes.max()) if given.alike else None}
        if not given.alike:
            _check_sizes(sizes, len(given.coders), "model")
    else:
        data = as_annotations(data)
        _check_sizes(sizes, len(data.known_coders("reference_errors()")), "data")
        if ties == "median":
            labels = data.labels
            ordinal.bind(labels, data.declared, np.ones(len(labels)))  # checks the order
    shape = len(targets), len(sizes)
    requested, measured = np.zeros(len(targets)), np.zeros(len(targets))
    share, spreads, low, high = (np.zeros(shape) for _ in range(4))
    sets = random.spawn(1)[0]
    for i, target in enumerate(targets):
        made = simulate(data, reliability=target, **options)
        requested[i] = made.reliability
        measured[i] = agreement(made.annotations, "alpha", distance=distance).value
        judged = _Judged.of(made)
        share[i] = judged.mean_errors(ties, sizes)
        spreads[i] = np.sqrt(share[i] * (1 - share[i]) / max(len(judged.truth), 1))
        for j, size in enumerate(sizes.tolist()):
            of_sets = judged.errors_of_sets(ties, size, n_resamples, sets)
            low[i, j], high[i, j] = np.quantile(of_sets, [0.025, 0.975])
    return ReferenceErrors(
        requested,
        measured,
        sizes,
        share,
        spreads,
        low,
        high,
        n_resamples,
        resolve(distance).name,
        ties,
    )


def _check_sizes(sizes: Array, n_coders: int, what: str) -> None:
    if sizes.max() > n_coders:
        have = "have" if what == "data" else "has"
        raise InputError(
            f"n_coders: the {what} {have} {n_coders} coders, not {sizes.max()}",
            argument="n_coders",
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """Judgments of items with a truth, of shape (N, C), -1 if missing."""

    codes: Array
    truth: Array
    n_categories: int

    @staticmethod
    def of(made: Simulation) -> _Judged:
        place = {label: k for k, label in enumerate(made.annotations.categories)}
        truth = np.array([-1 if label is None else place[label] for label in made.truth.tolist()])
        n_coders = made.annotations.n_coders
        assert n_coders is not None
        known = truth >= 0
        return _Judged(dense(made.annotations.rows, n_coders)[known], truth[known], len(place))

    def mean_errors(self, ties: str, sizes: Array) -> FloatArray:
        """Return the mean error over all sets of each size."""
        counts = self._one_hot().sum(2).astype(np.int64)
        true = np.arange(self.n_categories) == self.truth[:, None]
        weights = np.ones(len(counts), np.int64)
        changed, _ = means(counts, weights, ties, sizes, self.codes.shape[1], true)
        return changed

    def errors_of_sets(
        self, ties: str, size: int, n_resamples: int, rng: np.random.Generator
    ) -> FloatArray:
        """Return the errors of random sets of one size."""
        C = self.codes.shape[1]
        chosen = np.argsort(rng.random((n_resamples, C)), axis=1)[:, :size]
        members = np.zeros((C, n_resamples), np.float32)
        members[chosen, np.arange(n_resamples)[:, None]] = 1
        one_hot = self._one_hot()
        result = np.zeros(n_resamples)
        step = max(1, CELLS // (self.n_categories * max(n_resamples, C)))
        for first in range(0, len(one_hot), step):
            counts = (one_hot[first : first + step] @ members).transpose(0, 2, 1).astype(np.int64)
            # The errors of the majorities of counts (N, S, K) against the truth (N,): (N, S)
            truth = self.truth[first : first + step]
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
            result += out.sum(0)
        return result / max(len(one_hot), 1)

    def _one_hot(self) -> Array:
        """Mark the category of each judgment: float32 of shape (N, K, C)."""
        labels = self.codes[:, None, :] == np.arange(self.n_categories)[:, None]
        return np.asarray(labels.astype(np.float32))
