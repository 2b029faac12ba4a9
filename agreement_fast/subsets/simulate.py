"""Annotations of a given reliability: drawn from a model of coders, or modified at random.

The model has the shares of the categories, the reliability of the coders, and a distance that shows
which errors are likely. All coders are alike and independent given the item.

Antoine, Villaneau & Lefeuvre (2014, section 6) plan to modify human annotations at random, to study
how the value of a reliability measure relates to the confidence in the reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Unpack, cast, overload

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.coefficients import agreement
from agreement_fast.distances import Distance, resolve
from agreement_fast.distances.forms import DistanceLike, Form, table_of
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.models.population import Drawable, Population, bound, easy_and_hard
from agreement_fast.options import (
    ByName,
    Seed,
    check_choice,
    check_count,
    check_number,
    check_probability,
    generator,
)
from agreement_fast.patterns import as_table, dense, narrow
from agreement_fast.present.tables import Tabular, unlike
from agreement_fast.present.terminal import spell_label
from agreement_fast.subsets.references import first_reference, tied_categories

#: Errors of this argument.
wrong_second = partial(InputError, argument="second")


def aickin_coders(
    first: ByName[float],
    easy: float,
    *,
    second: ByName[float] | None = None,
    model: Literal["constant", "linear"] = "constant",
) -> Population:
    """Make a population of two coders by one of Aickin's models.

    `models.aickin_alpha` estimates the share of easy items of these models.

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
    >>> from agreement_fast import models, subsets
    >>> model = subsets.aickin_coders({"x": 3, "y": 1}, 0.6)
    >>> data = subsets.simulate(model, n_items=200_000, rng=1).annotations
    >>> round(models.aickin_alpha(data).value, 2)
    0.6
    """
    check_choice("model", model, ("constant", "linear"))
    check_probability("easy", easy)
    for name, given in (("first", first), ("second", second)):
        if not (isinstance(given, Mapping) or given is second is None):
            raise InputTypeError.must_be(name, "a mapping of labels to numbers", given)
    labels = tuple(first)
    entry = _shares("first", first)
    two = entry
    if second is not None:
        if set(second) != set(labels):
            raise wrong_second(
                f"second must have the labels of first, {list(labels)}, not {list(second)}"
            )
        two = _shares("second", {label: second[label] for label in labels})
    if model == "linear" and not np.allclose(entry, two, rtol=0, atol=1e-12):
        raise wrong_second(
            "in the linear model both coders must have the same shares", "leave out second"
        )
    return easy_and_hard(labels, easy, entry, two, model, (0, 1))


def _shares(name: str, given: Mapping[Any, float]) -> FloatArray:
    result = np.array([check_number(f"{name}[{label!r}]", x) for label, x in given.items()])
    if not len(result) or not (result >= 0).all() or not 0 < result.sum() < np.inf:
        raise InputError.must_be(name, "numbers of 0 or more that are not all 0", dict(given))
    return np.asarray(result / result.sum())


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

    _caption = "NoisyCoders({categories:category}, {_kept:.3g} of judgments true)"
    _remarks = ""

    @property
    def _kept(self) -> float:
        return float(self.shares @ np.diagonal(self.confusion))

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
        return np.asarray(self.shares @ self.confusion)

    def reliability(self, distance: DistanceLike = "nominal") -> float:
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
    labels = shares @ confusion
    expected = float(form.bilinear(labels, labels))
    if not expected > 0:
        return float("nan")
    return 1.0 - float(shares @ form.bilinear(confusion, confusion)) / expected


@overload
def noisy_coders(
    shares: ByName[float],
    reliability: float,
    *,
    n_coders: None = None,
    spread: None = None,
    distance: DistanceLike = "nominal",
    errors: DistanceLike | None = None,
) -> NoisyCoders: ...
@overload
def noisy_coders(
    shares: ByName[float],
    reliability: float,
    *,
    n_coders: int,
    spread: float | None = None,
    distance: DistanceLike = "nominal",
    errors: DistanceLike | None = None,
    rng: Seed = None,
) -> Population: ...
def noisy_coders(
    shares: ByName[float],
    reliability: float,
    *,
    n_coders: int | None = None,
    spread: float | None = None,
    distance: DistanceLike = "nominal",
    errors: DistanceLike | None = None,
    rng: Seed = None,
) -> NoisyCoders | Population:
    """Make a model of coders with a given reliability, all alike or different.

    Parameters
    ----------
    shares : mapping label -> number
        The share of each category, among true categories and among judgments, in the order of the
        scale. The numbers are divided by their sum.
    reliability : float
        From 0 (coders guess) to 1 (they are always right): 1 − D_o / D_e under `distance`, the
        limit of α, π and κ with many items. With `n_coders`, the reliability of two coders drawn at
        random, above 0 and below 1.
    n_coders : int, optional
        Number of coders, who differ. By default all are alike, in any number.
    spread : float, optional
        With `n_coders`, how much coders differ: the standard deviation of the square roots of their
        reliabilities, divided by the mean of these; by default 0.1. With 0 they are all alike.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    errors : str, Distance, array, mapping or function, optional
        How unlikely each error is, as a distance; by default `distance`. With ``"nominal"`` all
        errors are equally likely; with ``"linear"`` each further step on a scale is less likely by
        the same factor.
    rng : int or numpy Generator, optional
        Seed or generator of the coders' reliabilities.

    Returns
    -------
    NoisyCoders or Population
        The model; with `n_coders`, a population of coders.

    Raises
    ------
    TypeError, ValueError
        If there are fewer than two categories, a share is not above 0, or the reliability is out of
        range or cannot be reached, or the spread is negative or larger than a Beta distribution
        with that mean can have.

    Notes
    -----
    The true category j and the judgment l have the joint probability u_j u_l exp(−s e_jl), where e
    is `errors`. u is such that both margins are the shares (Sinkhorn's scaling), and the sharpness
    s is found by bisection. So neither prevalence nor bias depends on the reliability.

    The square root of a coder's reliability measures how much of the truth is in their judgments.
    With ``errors="nominal"`` it is the probability that the coder knows the label; otherwise the
    judgment is drawn from the shares. Two coders with the roots v and w agree like two coders of
    the reliability v w, so the mean over the pairs is the square of the mean root. The roots are
    drawn from the Beta distribution whose mean is √reliability.

    Examples
    --------
    >>> from agreement_fast import subsets
    >>> model = subsets.noisy_coders({"yes": 0.5, "no": 0.5}, 0.64)
    >>> model.confusion.round(6).tolist()
    [[0.9, 0.1], [0.1, 0.9]]
    >>> subsets.noisy_coders({"x": 1, "y": 1}, 0.64, n_coders=4, rng=1).right().round(3).tolist()
    [0.898, 0.935, 0.91, 0.909]
    """
    if n_coders is None:
        if spread is not None:
            raise InputError((Argument("spread"), " needs ", Argument("n_coders")))
        return _alike(shares, reliability, distance, errors)
    # Coders whose reliabilities differ about a given mean
    check_count("n_coders", n_coders)
    if not 0 < check_number("reliability", reliability) < 1:
        raise InputError.must_be("reliability", "above 0 and below 1", reliability)
    if spread is None:
        spread = 0.1
    if not check_number("spread", spread) >= 0:
        raise InputError.must_be("spread", "0 or more", spread)
    mean = float(np.sqrt(reliability))
    limit = float(np.sqrt((1 - mean) / mean))
    if spread >= limit:
        raise InputError.must_be(
            "spread", f"below {limit:.4g} for a reliability of {reliability:g}", spread
        )
    roots = np.array([mean])
    if spread >= ROUNDING:
        size = (1 - mean) / (mean * spread**2) - 1
        roots = generator(rng).beta(mean * size, (1 - mean) * size, n_coders)
    made = [_alike(shares, root**2, distance, errors) for root in roots.tolist()]
    table = np.array([entry.confusion for entry in made])
    return Population(
        made[0].categories,
        made[0].shares,
        np.broadcast_to(table, (n_coders, *table.shape[1:])),
        range(n_coders),
        made[0].categories,
    )


def _alike(shares: ByName[float], reliability: float, distance: Any, errors: Any) -> NoisyCoders:
    """Make a model of coders who all have one confusion matrix."""
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
    true = numbers / numbers.sum()
    check_probability("reliability", reliability)
    form = bound(resolve(distance), labels, true)
    if not float(form.bilinear(true, true)) > 0:
        raise InputError("reliability needs two categories at a distance above 0")
    errs = bound(resolve(distance if errors is None else errors), labels, true)
    off = table_of(errs.between, len(labels))
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
        short = expected_agreement(true, coders(middle), form) < reliability
        low, high = (middle, high) if short else (low, middle)
    return NoisyCoders(labels, true, coders(high if reliability else 0.0))


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
    return np.asarray(joint / joint.sum(1, keepdims=True))


#: Smaller spreads count as 0.
ROUNDING = 1e-9


#: The most items × coders that are drawn, or that weighted data may have when modified.
MOST_CELLS = 1 << 30

#: The most categories of data that are modified.
MOST_CATEGORIES = 2048


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(Tabular):
    """Simulated annotations and the truth behind them.

    Attributes
    ----------
    annotations : Annotations
        The simulated annotations.
    truth : object array of shape (N,)
        The true label of each item: that of its latent class, or for modified data the majority
        reference (the first category of a tie). None if the class has no label, such as Aickin's
        hard items, or nobody judged the item.
    reliability : float
        The requested reliability: the value under `distance` that is expected with many items.
    distance : str
        Name of the distance.
    modified : float
        The share of judgments that were replaced; NaN for drawn data.
    model : NoisyCoders, a fitted model, or None
        The model that the data were drawn from.
    classes : int64 array of shape (N,) or None
        The class of each drawn item, as a place in the `truth` of the population.
    population : Population or None
        The population that the data were drawn from.
    """

    _caption = "Simulation({annotations}, reliability {reliability:.4g} ({distance}))"
    _remarks = ""

    annotations: Annotations
    truth: Array
    reliability: float
    distance: str
    modified: float
    model: Drawable | None
    classes: Array | None = None
    population: Population | None = None

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each item with its true label."""
        return {"item": self.annotations.items, "truth": self.truth}


def simulate(
    data: JudgmentsLike | Drawable,
    *,
    reliability: float | None = None,
    distance: DistanceLike = "nominal",
    errors: DistanceLike | None = None,
    n_items: int | None = None,
    n_coders: int | None = None,
    spread: float = 0.0,
    missing_share: float = 0.0,
    rng: Seed = None,
    **reading: Unpack[ReadingOptions],
) -> Simulation:
    """Draw annotations of a given reliability, or modify annotations until they have it.

    Parameters
    ----------
    data : mapping label -> share, a model, Annotations or what `Annotations.from_wide` reads
        With shares of labels, truth and judgments are drawn from `noisy_coders` of the requested
        reliability. With a model, they are drawn from it: a `Population`, or anything with a method
        ``population()``, such as `NoisyCoders` and the fitted models of `agreement_fast.models`.
        With data, their judgments are modified at random.
    reliability : float, optional
        The expected 1 − D_o / D_e under `distance`; with data, that of Krippendorff's α. Required,
        except with a model, which has its own.
    distance : str, Distance, array, mapping or function, default "nominal"
        How far apart two labels are; see `agreement_fast.distances`.
    errors : str, Distance, array, mapping or function, optional
        How unlikely each error is, as a distance; by default `distance`. With shares only.
    n_items : int, optional
        Number of items to draw. Not with data.
    n_coders : int, optional
        Number of coders to draw. Not with data. If the coders of a model differ, `n_coders` of them
        are chosen at random with replacement; by default each of them once.
    spread : float, default 0
        How much the reliabilities of coders differ, as in `noisy_coders`. With shares only.
    missing_share : float, default 0
        The share of drawn judgments that are missing at random.
    rng : int or numpy Generator, optional
        Seed or generator.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    Simulation
        The annotations and their truth. α of the annotations differs from `reliability` by sampling
        error; compute it with `alpha`.

    Raises
    ------
    TypeError, ValueError
        If an argument that these data need is missing or one that it does not take is given, the
        reliability cannot be reached, or the annotations do not fit into memory.

    Notes
    -----
    Data are made less reliable by replacing each judgment, with probability ε, by a draw from the
    shares of all pairable judgments. D_o then becomes (1 − ε)² D_o + (1 − (1 − ε)²) Σ p_j p_l d_jl
    and D_e stays, which gives ε. Data are made more reliable by replacing each judgment, with
    probability ε, by the item's majority reference. A pair is then unchanged with probability
    (1 − ε)², and one of its judgments is changed with 2 ε (1 − ε); the marginals move, and ε is
    found by bisection. An item of weight w becomes w items.

    O(judgments); memory for N × C numbers.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import subsets
    >>> drawn = subsets.simulate(
    ...     {"yes": 0.3, "no": 0.7}, reliability=0.6, n_items=10_000, n_coders=5, rng=1
    ... )
    >>> round(af.alpha(drawn.annotations).value, 2)
    0.6
    """
    random = generator(rng)
    resolved = resolve(distance)
    model: Drawable
    if isinstance(data, Mapping) and not reading:
        if reliability is None:
            raise InputTypeError((Argument("reliability"), " is needed"))
        if n_items is None or n_coders is None:
            raise _sizes_needed()
        options: dict[str, Any] = {"distance": resolved, "errors": errors}
        if check_number("spread", spread):
            model = noisy_coders(
                data, reliability, n_coders=n_coders, spread=spread, rng=random, **options
            )
            n_coders = None
        else:
            model = noisy_coders(data, reliability, **options)
        return _drawn(model, reliability, resolved, n_items, n_coders, missing_share, random)
    if spread:
        raise InputTypeError(
            "spread is for drawing from shares",
            "models have coders of their own",
            argument="spread",
        )
    if is_drawable(data) and not reading:
        if reliability is not None or errors is not None:
            raise InputTypeError("a model has its own reliability and errors", "leave them out")
        return _drawn(cast(Any, data), None, resolved, n_items, n_coders, missing_share, random)
    if reliability is None:
        raise InputTypeError((Argument("reliability"), " is needed"))
    if n_items is not None or n_coders is not None or missing_share or errors is not None:
        raise InputTypeError(
            "n_items, n_coders, missing_share and errors are for drawing; data keep their own"
        )
    return _modified(as_annotations(data, **reading), reliability, resolved, random)


def is_drawable(source: Any) -> bool:
    """Whether the class has a method `population`; a column of a frame does not count."""
    return callable(getattr(type(source), "population", None))


def _sizes_needed() -> InputTypeError:
    return InputTypeError(
        (Argument("n_items"), " and ", Argument("n_coders"), " are needed to draw annotations")
    )


def _drawn(
    model: Drawable,
    reliability: float | None,
    distance: Distance,
    n_items: int | None,
    n_coders: int | None,
    missing_share: float,
    rng: np.random.Generator,
) -> Simulation:
    given = model.population()
    if n_items is None or (n_coders is None and given.alike):
        raise _sizes_needed()
    check_count("n_items", n_items)
    if n_coders is not None:
        check_count("n_coders", n_coders)
    if not 0 <= check_number("missing_share", missing_share) < 1:
        raise InputError.must_be("missing_share", "a share from 0 to below 1", missing_share)
    chosen = given
    if n_coders is not None:
        places = np.zeros(n_coders, np.int64)
        if not given.alike:
            places = rng.integers(0, len(given.coders), n_coders)
        chosen = given.choose(places, range(n_coders))
    if n_items * len(chosen.coders) > MOST_CELLS:
        raise InputError(
            f"{n_items:,} items of {len(chosen.coders):,} coders do not fit into memory",
            ("lower ", Argument("n_items"), " or ", Argument("n_coders")),
            argument="n_items",
        )
    # Codes of shape (N, C), -1 for a missing judgment, and the classes of the items
    C, T, K = chosen.probabilities.shape
    classes = _pick(np.cumsum(chosen.shares)[None, :], np.zeros(n_items, np.int64), rng)
    rows = (classes[:, None] + T * np.arange(C)).reshape(-1)
    ladder = np.cumsum(chosen.probabilities.reshape(C * T, K), axis=1)
    codes = _pick(ladder, rows, rng).astype(narrow(K))
    if missing_share:
        codes[rng.random(len(codes)) < missing_share] = -1
    codes = codes.reshape(n_items, C)
    if reliability is None:
        reliability = (given if given.alike else chosen).reliability(distance)
    return Simulation(
        _annotations(codes, chosen.categories, range(n_items), chosen.coders),
        _labels(chosen.truth)[classes],
        reliability,
        distance.name,
        float("nan"),
        model,
        classes,
        chosen,
    )


def _pick(cumulative: FloatArray, rows: Array, rng: np.random.Generator) -> Array:
    """Draw once for each entry of `rows` from that row of cumulative probabilities."""
    K = cumulative.shape[1]
    # Joined rows, each raised by its number, are one ascending list.
    ladder = (np.minimum(cumulative, 1.0) + np.arange(len(cumulative))[:, None]).reshape(-1)
    ladder[K - 1 :: K] = np.arange(1, len(cumulative) + 1)
    result = np.searchsorted(ladder, rows + rng.random(len(rows)), side="right")
    return np.asarray(result - rows * K)


def _labels(categories: tuple[Any, ...]) -> Array:
    """Return labels by code, with None for the code -1."""
    return np.fromiter((*categories, None), object)


def _annotations(codes: Array, categories: tuple[Any, ...], items: Any, coders: Any) -> Annotations:
    return Annotations.assemble(
        categories=categories,
        declared=True,
        items=items,
        coders=coders,
        rows=as_table(codes, None),
    )


# ---------------------------------------------------------------------- modifying data


def _modified(
    annotations: Annotations, reliability: float, distance: Distance, rng: np.random.Generator
) -> Simulation:
    names = annotations.known_coders("simulate() of data")
    if len(annotations.labels) > MOST_CATEGORIES:
        raise InputError(
            f"modifying data needs at most {MOST_CATEGORIES} categories, these annotations have "
            f"{len(annotations.labels)}"
        )
    rows = annotations.rows
    codes = dense(rows, len(names))
    items: Any = annotations.items
    if rows.weights is not None:
        if float(rows.weights.sum()) * len(names) > MOST_CELLS:
            raise InputError(
                f"an item of weight w becomes w items, and {rows.weights.sum():,} items of "
                f"{len(names)} coders do not fit",
                "divide the weights",
            )
        codes = np.repeat(codes, rows.weights, axis=0)
        items = range(len(codes))
    codes, K = codes.copy(), len(annotations.labels)
    now = agreement(annotations, "alpha", distance=distance)
    if now.undefined is not None:
        raise InputError(f"the data have no reliability to change: {now.undefined}")
    if not check_number("reliability", reliability) <= 1:
        raise InputError.must_be("reliability", "at most 1", reliability)
    row, column = np.nonzero(codes >= 0)
    labels = codes[row, column]
    counts = np.zeros((len(codes), K), np.int64)
    np.add.at(counts, (row, labels), 1)
    reference = np.where(counts.any(1), first_reference(counts, tied_categories(counts), ""), -1)
    pairable = counts.sum(1) > 1
    share = counts[pairable].sum(0) / max(1, counts[pairable].sum())
    if reliability <= now.value:
        form = bound(distance, annotations.categories, share * counts[pairable].sum())
        pooled = float(form.bilinear(share, share))
        target = (1 - reliability) * now.expected_disagreement
        if target > pooled:
            raise InputError(
                (
                    Argument("reliability", reliability),
                    " is less than chance: redrawing all judgments reaches "
                    f"{1 - pooled / now.expected_disagreement:.3g}",
                )
            )
        kept = (pooled - target) / (pooled - now.observed_disagreement)
        probability = 1 - np.sqrt(kept)
        replaced = rng.random(len(labels)) < probability
        drawn = _pick(np.cumsum(share)[None, :], np.zeros(int(replaced.sum()), np.int64), rng)
    else:
        probability = _towards_reference(annotations, counts, reference, reliability, distance)
        replaced = rng.random(len(labels)) < probability
        drawn = reference[row[replaced]]
    codes[row[replaced], column[replaced]] = drawn
    return Simulation(
        _annotations(codes, annotations.categories, items, names),
        _labels(annotations.categories)[reference],
        reliability,
        distance.name,
        float(replaced.mean()),
        None,
    )


def _towards_reference(
    annotations: Annotations,
    counts: Array,
    reference: Array,
    reliability: float,
    distance: Distance,
) -> float:
    """Find the probability of replacing a judgment by the reference that gives the expected α."""
    sizes = counts.sum(1)
    used = sizes > 1
    counts, reference, sizes = counts[used], reference[used], sizes[used]
    K = counts.shape[1]
    total = int(sizes.sum())
    labels = counts.sum(0) / total
    meant = np.bincount(reference, weights=sizes, minlength=K) / total
    # The shares of pairs of categories: of a judgment and its item's reference, and of two
    # judgments of an item.
    away = np.zeros((K, K))
    np.add.at(away.T, reference, counts / total)
    each = counts / np.sqrt(np.maximum(sizes - 1, 1) * float(total))[:, None]
    pairs = each.T @ each
    pairs[np.diag_indices(K)] -= (counts / (np.maximum(sizes - 1, 1) * float(total))[:, None]).sum(
        0
    )

    def alpha(probability: float) -> float:
        marginals = (1 - probability) * labels + probability * meant
        form = bound(distance, annotations.categories, marginals * total)
        apart = table_of(form.between, K)
        observed = (1 - probability) ** 2 * (pairs * apart).sum()
        observed += 2 * probability * (1 - probability) * (away * apart).sum()
        expected = float(form.bilinear(marginals, marginals)) * total / (total - 1)
        return float(1 - observed / expected) if expected > 0 else 1.0

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if alpha(middle) < reliability else (low, middle)
    return high
