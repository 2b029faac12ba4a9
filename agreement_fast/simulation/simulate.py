"""Annotations of a given reliability: drawn from latent classes, or data modified at random.

Antoine, Villaneau & Lefeuvre 2014, section 6, plan to modify human annotations at random, to see
how a value of a reliability measure relates to the confidence in the reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations, as_annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.coefficients import agreement
from agreement_fast.distances import Distance, resolve
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.latent.population import Drawable, Population, bound
from agreement_fast.options import check_count, check_number, generator
from agreement_fast.patterns import as_table, dense, narrow
from agreement_fast.simulation.noisy_coders import noisy_coders
from agreement_fast.simulation.varied_coders import varied_coders
from agreement_fast.subsets.majority import first_reference, tied_categories
from agreement_fast.tables import Tabular

#: Items × coders that are drawn, or of weighted data modified item by item, at most.
MOST_CELLS = 1 << 30

#: Categories whose squares are held, of data that are modified.
MOST_CATEGORIES = 2048


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Simulation(Tabular):
    """Simulated annotations and the truth behind them.

    Attributes
    ----------
    annotations : Annotations
    truth : object array of shape (N,)
        The true label of each item: that of the latent class drawn, or for modified data their
        majority reference (the first category of a tie). None where the class has no label, as
        Aickin's hard items, or nobody judged the item.
    reliability : float
        What was asked for: the value under `distance` that is expected with many items.
    distance : str
    modified : float
        The share of judgments that were drawn anew; NaN for drawn data.
    model : NoisyCoders, a fitted model, or None
        What the data were drawn from.
    classes : int64 array of shape (N,) or None
        The class of each item, of drawn data; places in the `truth` of the population.
    population : Population or None
        The coders who drew them.
    """

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

    def __repr__(self) -> str:
        return (
            f"Simulation({self.annotations!r}, reliability {self.reliability:.4g} "
            f"({self.distance}))"
        )


def simulate(
    source: Any,
    *,
    reliability: float | None = None,
    distance: Any = "nominal",
    errors: Any = None,
    n_items: int | None = None,
    n_coders: int | None = None,
    spread: float = 0.0,
    missing: float = 0.0,
    rng: int | np.random.Generator | None = None,
) -> Simulation:
    """Draw annotations of a given reliability, or modify annotations until they have it.

    Parameters
    ----------
    source : mapping label -> share, a model, Annotations or what `from_wide` reads
        Shares: truth and judgments are drawn from `noisy_coders` of that reliability. A model, that
        is a `Population` or anything with a method ``population()``, as all fitted models of
        `agreement_fast.latent` and `NoisyCoders` have: from it. Data: their judgments are modified
        at random.
    reliability : float
        1 − D_o / D_e under `distance` that is expected; with data, of Krippendorff's α. Not with a
        model, which has its own.
    distance :
        As in `agreement`.
    errors : distance, optional
        With shares only: see `noisy_coders`.
    n_items, n_coders : int
        How many to draw; with data those of the data. A model of coders who differ has its own; of
        these, `n_coders` are chosen at random, with replacement.
    spread : float
        With shares only: how much coders differ, see `varied_coders`; 0 for not at all.
    missing : float
        The share of drawn judgments that are missing, at random.
    rng : int or numpy Generator, optional

    Returns
    -------
    Simulation
        The value of α of the simulated annotations differs from `reliability` as that of any
        sample does; compute it by `alpha`.

    Notes
    -----
    Data are made less reliable by drawing each judgment, with probability ε, anew from the shares
    of all pairable judgments: then D_o becomes (1 − ε)² D_o + (1 − (1 − ε)²) Σ p_j p_l d_jl and D_e
    stays, which gives ε. They are made more reliable by giving each judgment, with probability ε,
    the item's majority reference: pairs are untouched with (1 − ε)², and one of them is changed
    with 2 ε (1 − ε); the marginals move, and ε is found by bisection. Weighted items become as many
    items.

    O(judgments), vectorized; memory for N × C numbers.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import simulation
    >>> drawn = simulation.simulate(
    ...     {"yes": 0.3, "no": 0.7}, reliability=0.6, n_items=10_000, n_coders=5, rng=1
    ... )
    >>> round(af.alpha(drawn.annotations).value, 2)
    0.6
    """
    random = generator(rng)
    resolved = resolve(distance)
    model: Drawable
    if isinstance(source, Mapping):
        if reliability is None:
            raise InputTypeError((Argument("reliability"), " is needed"), argument="reliability")
        if n_items is None or n_coders is None:
            raise _sizes_needed()
        options = {"distance": resolved, "errors": errors}
        if check_number("spread", spread):
            model = varied_coders(
                source, reliability, n_coders=n_coders, spread=spread, rng=random, **options
            )
            n_coders = None
        else:
            model = noisy_coders(source, reliability, **options)
        return _drawn(model, reliability, resolved, n_items, n_coders, missing, random)
    if spread:
        raise InputTypeError(
            "spread is for drawing from shares",
            "models have coders of their own",
            argument="spread",
        )
    if is_drawable(source):
        if reliability is not None or errors is not None:
            raise InputTypeError("a model has its own reliability and errors", "leave them out")
        return _drawn(source, None, resolved, n_items, n_coders, missing, random)
    if reliability is None:
        raise InputTypeError((Argument("reliability"), " is needed"), argument="reliability")
    if n_items is not None or n_coders is not None or missing or errors is not None:
        raise InputTypeError(
            "n_items, n_coders, missing and errors are for drawing; data keep their own"
        )
    return _modified(as_annotations(source), reliability, resolved, random)


def is_drawable(source: Any) -> bool:
    """Whether its class has a method `population`; a column of a frame is none."""
    return callable(getattr(type(source), "population", None))


def _sizes_needed() -> InputTypeError:
    return InputTypeError(
        (Argument("n_items"), " and ", Argument("n_coders"), " are needed to draw annotations")
    )


def _check_counts(n_items: int, n_coders: int | None, missing: float) -> None:
    check_count("n_items", n_items)
    if n_coders is not None:
        check_count("n_coders", n_coders)
    if not 0 <= check_number("missing", missing) < 1:
        raise InputError.must_be("missing", "a share from 0 to below 1", missing)


def _drawn(
    model: Drawable,
    reliability: float | None,
    distance: Distance,
    n_items: int | None,
    n_coders: int | None,
    missing: float,
    rng: np.random.Generator,
) -> Simulation:
    given = model.population()
    if n_items is None or (n_coders is None and given.alike):
        raise _sizes_needed()
    _check_counts(n_items, n_coders, missing)
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
    codes, classes = _judged(chosen, n_items, missing, rng)
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


def _judged(
    of: Population, n_items: int, missing: float, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Codes of shape (N, C), -1 where missing, and the classes of the items."""
    C, T, K = of.probabilities.shape
    classes = _pick(np.cumsum(of.shares)[None, :], np.zeros(n_items, np.int64), rng)
    rows = (classes[:, None] + T * np.arange(C)).reshape(-1)
    ladder = np.cumsum(of.probabilities.reshape(C * T, K), axis=1)
    codes = _pick(ladder, rows, rng).astype(narrow(K))
    if missing:
        codes[rng.random(len(codes)) < missing] = -1
    return codes.reshape(n_items, C), classes


def _pick(cumulative: FloatArray, rows: Array, rng: np.random.Generator) -> Array:
    """One draw for each entry of `rows` from that row of cumulative probabilities."""
    K = cumulative.shape[1]
    # Rows one after the other, each lifted by its number, are one ascending list.
    ladder = (np.minimum(cumulative, 1.0) + np.arange(len(cumulative))[:, None]).reshape(-1)
    ladder[K - 1 :: K] = np.arange(1, len(cumulative) + 1)
    found = np.searchsorted(ladder, rows + rng.random(len(rows)), side="right")
    return np.asarray(found - rows * K)


def _labels(categories: tuple[Any, ...]) -> Array:
    """Labels by code; code -1 finds None."""
    out = np.empty(len(categories) + 1, object)
    out[: len(categories)] = categories
    return out


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
            f"{len(annotations.labels)} categories have no majority to modify data by; more than "
            f"{MOST_CATEGORIES} are not taken"
        )
    rows = annotations.rows
    codes = dense(rows, len(names))
    items: Any = annotations.items
    if rows.weights is not None:
        if float(rows.weights.sum()) * len(names) > MOST_CELLS:
            raise InputError(
                f"weighted items become as many items, and {rows.weights.sum():,} items of "
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
    said = codes[row, column]
    counts = np.zeros((len(codes), K), np.int64)
    np.add.at(counts, (row, said), 1)
    reference = np.where(counts.any(1), first_reference(counts, tied_categories(counts), ""), -1)
    pairable = counts.sum(1) > 1
    share = counts[pairable].sum(0) / max(1, counts[pairable].sum())
    if reliability <= now.value:
        form = bound(distance, annotations.categories, share * counts[pairable].sum())
        pooled = float(form.bilinear(share, share))
        wanted = (1 - reliability) * now.expected_disagreement
        if wanted > pooled:
            raise InputError(
                (
                    Argument("reliability", reliability),
                    " is less than chance: redrawing judgments reaches "
                    f"{1 - pooled / now.expected_disagreement:.3g}",
                ),
                argument="reliability",
            )
        kept = (pooled - wanted) / (pooled - now.observed_disagreement)
        probability = 1 - np.sqrt(kept)
        anew = rng.random(len(said)) < probability
        drawn = _pick(np.cumsum(share)[None, :], np.zeros(int(anew.sum()), np.int64), rng)
    else:
        probability = _towards_reference(annotations, counts, reference, reliability, distance)
        anew = rng.random(len(said)) < probability
        drawn = reference[row[anew]]
    codes[row[anew], column[anew]] = drawn
    return Simulation(
        _annotations(codes, annotations.categories, items, names),
        _labels(annotations.categories)[reference],
        reliability,
        distance.name,
        float(anew.mean()),
        None,
    )


def _towards_reference(
    annotations: Annotations,
    counts: Array,
    reference: Array,
    reliability: float,
    distance: Distance,
) -> float:
    """The probability of giving a judgment the reference at which α is expected to be reached."""
    sizes = counts.sum(1)
    used = sizes > 1
    counts, reference, sizes = counts[used], reference[used], sizes[used]
    K = counts.shape[1]
    total = int(sizes.sum())
    said = counts.sum(0) / total
    meant = np.bincount(reference, weights=sizes, minlength=K) / total
    # How often a judgment and its item's reference are each two categories, and how often, of the
    # judgments of an item, two are.
    away = np.zeros((K, K))
    np.add.at(away.T, reference, counts / total)
    each = counts / np.sqrt(np.maximum(sizes - 1, 1) * float(total))[:, None]
    pairs = each.T @ each
    pairs[np.diag_indices(K)] -= (counts / (np.maximum(sizes - 1, 1) * float(total))[:, None]).sum(
        0
    )
    places = np.arange(K)

    def alpha(probability: float) -> float:
        marginals = (1 - probability) * said + probability * meant
        form = bound(distance, annotations.categories, marginals * total)
        apart = form.between(places[:, None], places[None, :])
        observed = (1 - probability) ** 2 * (pairs * apart).sum()
        observed += 2 * probability * (1 - probability) * (away * apart).sum()
        expected = float(form.bilinear(marginals, marginals)) * total / (total - 1)
        return float(1 - observed / expected) if expected > 0 else 1.0

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if alpha(middle) < reliability:
            low = middle
        else:
            high = middle
    return high
