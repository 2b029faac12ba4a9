"""Bootstrap intervals of coefficients, from draws of items, coders, or both.

Two methods draw something else. The Bayesian bootstrap draws weights of items from a posterior: a
resample can only hold what the data hold. If no item of the data disagrees, none of a resample
does, and a category that nobody happened to use never appears. A prior that weighs four judgments
(two items of two coders) gives every row of judgments a chance, and a few items outweigh it.

Hayes & Krippendorff's bootstrap of α draws pairs of judgments and keeps D_e. The algorithm is
Krippendorff's ("Algorithm for bootstrapping a distribution of α", 2006, revised 2011), as Hayes'
macro KALPHA 3.0 runs it. It treats the pairs of an item as independent and D_e as known. With many
coders and few items its intervals are therefore narrower than those of a bootstrap of items.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal, Unpack, overload

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions, as_annotations
from agreement_fast.chance import CHANCE
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.distances.sums.categories import bind, least_judgments
from agreement_fast.distances.sums.columns import Items, pattern_items
from agreement_fast.distances.sums.linear import Values, linear, reason
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.inference.draws import Spread
from agreement_fast.inference.intervals import (
    METHODS,
    TOO_FEW,
    Jackknife,
    acceleration,
    too_few,
)
from agreement_fast.inference.resample import (
    AT_ONCE,
    CoderDraw,
    Drawing,
    Lot,
    Options,
    draw_of,
    in_lots,
    jackknives,
    resampled,
)
from agreement_fast.inference.results import (
    BootstrapResult,
    BootstrapTable,
    settled_by_coders,
    why_narrow,
)
from agreement_fast.options import Incomplete, PerItem, Seed, check_choice
from agreement_fast.patterns import Rows, stack, take_rows
from agreement_fast.points import Point
from agreement_fast.reading.entrance import for_all_kinds
from agreement_fast.reading.groups import rows_of_documents

RESAMPLE = ("items", "coders", "both")


@overload
def bootstrap(  # type: ignore[overload-overlap]  # a text is a sequence of texts
    data: JudgmentsLike,
    coefficient: str = ...,
    *,
    distance: DistanceLike = ...,
    n_resamples: int = ...,
    confidence_level: float = ...,
    method: Literal["bca", "percentile", "basic", "bayesian", "krippendorff"] = ...,
    resample: Literal["items", "coders", "both"] = ...,
    cluster: PerItem | None = ...,
    incomplete: Incomplete = ...,
    rng: Seed = ...,
    threads: int | None = ...,
    progress: bool = ...,
    **reading: Unpack[ReadingOptions],
) -> BootstrapResult: ...
@overload
def bootstrap(
    data: JudgmentsLike,
    coefficient: Sequence[str | tuple[str, Any]],
    *,
    distance: DistanceLike = ...,
    n_resamples: int = ...,
    confidence_level: float = ...,
    method: Literal["bca", "percentile", "basic", "bayesian", "krippendorff"] = ...,
    resample: Literal["items", "coders", "both"] = ...,
    cluster: PerItem | None = ...,
    incomplete: Incomplete = ...,
    rng: Seed = ...,
    threads: int | None = ...,
    progress: bool = ...,
    **reading: Unpack[ReadingOptions],
) -> BootstrapTable: ...
@for_all_kinds
def bootstrap(
    data: JudgmentsLike,
    coefficient: str | Sequence[str | tuple[str, DistanceLike]] = "alpha",
    *,
    distance: DistanceLike = "nominal",
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: Literal["bca", "percentile", "basic", "bayesian", "krippendorff"] = "bca",
    resample: Literal["items", "coders", "both"] = "items",
    cluster: PerItem | None = None,
    incomplete: Incomplete = "published",
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
    **reading: Unpack[ReadingOptions],
) -> BootstrapResult | BootstrapTable:
    """Compute coefficients with intervals from resampled data.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        Annotations, or a table of items × coders.
    coefficient : str, or sequence of str and (str, distance)
        One name gives a `BootstrapResult`. Several give a `BootstrapTable` of coefficients that
        share the draws, so that their differences have intervals too.
    distance : str, Distance, array, mapping or function, default "nominal"
        The distance of every coefficient that is given without one; see
        `agreement_fast.distances`.
    n_resamples : int, default 2000
        Number of resamples. There is no interval if fewer than 20 resamples are defined.
    confidence_level : float, default 0.95
        Between 0 and 1.
    method : {"bca", "percentile", "basic", "bayesian", "krippendorff"}, default "bca"
        - "bca": bias-corrected and accelerated percentiles, with the exact jackknife; not for
          draws of both items and coders;
        - "percentile": percentiles of the replicates;
        - "basic": these percentiles mirrored at the value;
        - "bayesian": the Bayesian bootstrap with a prior that weighs four judgments (two items of
          two coders);
        - "krippendorff": draws of pairs of judgments, for α (Hayes & Krippendorff 2007).

        The interval of reports needs no draws; `standard_error` gives it.
    resample : {"items", "coders", "both"}, default "items"
        What is drawn with replacement. A coder who is drawn twice counts as two coders; a judgment
        is never paired with its own copy.
    cluster : mapping item -> document, sequence of shape (n_rows,), or str, optional
        The document of each stored item, or the name of a column that was read `along`. Whole
        documents are then drawn, because items of one text are not independent. A pandas Series
        is matched to the items by its index.
    incomplete : {"published", "pairable", "complete"}, default "published"
        Which items count if judgments are missing: those that the coefficient's authors count,
        those with two judgments or more, or those that every coder judged. Items that do not count
        are not drawn. For α and S, items with a single judgment never count.
    rng : int or numpy Generator, optional
        Seed or generator. A seed gives the same replicates with any number of threads.
    threads : int, optional
        Largest number of threads; by default the number of processors.
    progress : bool, default False
        Show a progress bar (needs tqdm).
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    BootstrapResult or BootstrapTable
        The value, standard error, interval and replicates of one coefficient, or of each.

    Raises
    ------
    ValueError
        If a name or choice is unknown, the distance does not fit the labels, coders are needed but
        unknown, `cluster` is combined with drawing coders, or "bca" with drawing both.

    Notes
    -----
    Items are drawn as multinomial weights of their patterns, which is equivalent to drawing the
    items: after one pass over the data, a replicate costs O(U · r) for U patterns of r judgments.
    Drawing coders takes one pass over the patterns for each replicate. Resamples that leave a
    coefficient undefined are counted, and left out of the interval and the standard error. All
    resamples of a single item or document are undefined, because they cannot vary.

    References
    ----------
    Efron & Tibshirani 1993, *An Introduction to the Bootstrap*; Efron 1987, Better bootstrap
    confidence intervals, *Journal of the American Statistical Association* 82, 171–185; Rubin 1981,
    The Bayesian bootstrap, *Annals of Statistics* 9, 130–134; Hayes & Krippendorff 2007, Answering
    the call for a standard reliability measure for coding data, *Communication Methods and
    Measures* 1, 77–89.

    Examples
    --------
    >>> import agreement_fast as af
    >>> from agreement_fast import bootstrap
    >>> data = af.Annotations.from_contingency([[46, 0, 0], [6, 32, 6], [0, 0, 10]])
    >>> result = bootstrap(data, "kappa", rng=1)
    >>> round(result.value, 3), result.n_undefined
    (0.801, 0)
    >>> 0.68 < result.low < 0.75 and 0.86 < result.high < 0.92
    True
    """
    check_choice("resample", resample, RESAMPLE)
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress, METHODS)
    entry = isinstance(coefficient, str)
    points = _points([coefficient] if isinstance(coefficient, str) else coefficient, distance)
    annotations = as_annotations(data, **reading)
    if cluster is not None and resample != "items":
        raise InputError(
            (
                "cluster draws whole documents, and ",
                Argument("resample", resample),
                " draws coders",
            ),
            argument="cluster",
        )
    special = {"bayesian": "weights of single items", "krippendorff": "pairs of judgments"}
    if method in special and (resample != "items" or cluster is not None):
        raise InputError(
            (Argument("method", method), f" draws {special[method]}"),
            ("leave out ", Argument("cluster" if resample == "items" else "resample")),
        )
    if method == "bca" and resample == "both":
        raise InputError(
            (
                Argument("method", method),
                " needs one kind of unit to leave out, ",
                Argument("resample", resample),
                " has two",
            ),
            ("pass ", Argument("method", "percentile", "basic")),
        )
    rows = documents = None
    if cluster is not None:
        rows, documents = rows_of_documents(annotations, cluster)
    made = linear(annotations, points, incomplete, rows=rows, coders=resample != "items")
    draw = draw_of([made], documents)
    whole = made.values(made.whole)
    left_out: list[Jackknife] | None = None
    if method == "krippendorff":
        seeds = zip(points, options.rng.spawn(len(points)), strict=True)
        each = [(point, options._replace(rng=own)) for point, own in seeds]
        replicates = np.stack([pair_replicates(annotations, *own, incomplete) for own in each])
    else:
        coders = None
        if resample != "items":
            coders = CoderDraw(made, least_judgments(annotations, incomplete))
        drawing: Drawing = draw
        if method == "bayesian":
            # The rows of the data and of the prior, and draws of these rows
            by_coder = any(point.chance.knows_coders for point in points)
            rows, mass = with_prior(pattern_items(annotations, by_coder), options.rng)
            made = linear(annotations, points, incomplete, rows=rows)
            mass = np.where(made.counted, mass, 0.0)
            drawing = PosteriorDraw(made.weights, made.kept, mass)
        replicates = resampled([made], drawing, options, coders, resample == "both")
        if method == "bca":
            left_out = jackknives(made, draw, coders)
    table = summarized(
        annotations, incomplete, points, whole, replicates, options, left_out,
        "pairs" if method == "krippendorff" else resample, None if documents is None else draw.n,
    )  # fmt: skip
    return table[0] if entry else table


def _points(coefficients: Iterable[Any], distance: Any) -> list[Point]:
    if not isinstance(coefficients, Iterable):
        raise InputTypeError.must_be("coefficient", "a name or a sequence of names", coefficients)
    points = []
    for entry in coefficients:
        pair = isinstance(entry, tuple)
        if pair and len(entry) != 2:
            raise InputError(
                f"coefficient must hold names or pairs (name, distance), not {entry!r}",
                argument="coefficient",
            )
        name, own = entry if pair else (entry, distance)
        points.append(Point.of(name, own))
    if not points:
        raise InputError("coefficient is empty", argument="coefficient")
    return points


def summarized(
    annotations: Annotations,
    incomplete: Incomplete,
    points: Sequence[Point],
    whole: Sequence[Values],
    replicates: FloatArray,
    options: Options,
    left_out: Sequence[Jackknife] | None,
    resample: str = "items",
    n_clusters: int | None = None,
) -> BootstrapTable:
    """Return the results of points, given their values in the data and in each resample (P, R)."""
    results = []
    for i, point in enumerate(points):
        value = float(whole[i].value[0])
        faster = math.nan if left_out is None else acceleration([left_out[i]])
        drawn = Spread.of(value, replicates[i], options, faster)
        if not math.isnan(value) and too_few(replicates[i]):
            note: str | None = TOO_FEW
        elif options.method == "bayesian":
            note = settled_by_coders(annotations, point, value)
        else:
            ends, observed = (drawn.low, drawn.high), float(whole[i].observed[0])
            of = (annotations, point, observed, ends, options.confidence_level, incomplete)
            note = why_narrow(*of, value=value)
        results.append(
            BootstrapResult(
                coefficient=point.name,
                distance=point.distance.name,
                value=value,
                **drawn.parts(options),
                resample=resample,
                n_undefined=drawn.n_undefined,
                replicates=drawn.replicates,
                undefined=reason(whole[i]),
                note=note,
                acceleration=faster,
                n_clusters=n_clusters,
            )
        )
    return BootstrapTable(results, left_out)


#: Number of rows in each half of the prior.
ROWS_A_HALF = 64

#: Weight of all rows of the prior together, in judgments, and the most that it is in items. An item
#: of ten coders weighs much more than one of two. A prior of two such items would outweigh 20 items
#: of ten coders who guess, and look like agreement.
MASS_JUDGMENTS = 4.0
MOST_ITEMS = 2.0


def with_prior(items: Items, rng: np.random.Generator) -> tuple[Rows, FloatArray]:
    """Return the rows of the data and of the prior, and the weight of each row in the prior.

    The coders of each row of the prior are those of an item drawn at random. In one half of the
    prior all judgments of a row are of one random category; in the other half each judgment is of a
    random category.

    Returns
    -------
    rows : Rows
        Lists. The rows of the prior come last, with a weight of 0.
    mass : float64 array of shape (U,)
        The weight of each row in the prior; 0 for rows of the data.
    """
    some = np.flatnonzero((items.weights > 0) & (items.sizes > 0))
    if not len(some) or not items.n_categories:
        return items.rows, np.zeros(items.n_rows)
    n = 2 * ROWS_A_HALF
    shares = items.weights[some] / items.weights[some].sum()
    judged = take_rows(items.rows, rng.choice(some, n, p=shares))
    alike = np.arange(n) < ROWS_A_HALF
    prior = _relabelled(judged, alike, items.n_categories, rng).replace(
        weights=np.zeros(n, np.int64)
    )
    per_item = float(shares @ items.sizes[some])
    weight = min(MASS_JUDGMENTS / per_item, MOST_ITEMS)
    mass = np.concatenate([np.zeros(items.n_rows), np.full(n, weight / n)])
    return stack([items.rows.replace(weights=items.weights), prior]), mass


def _relabelled(rows: Rows, alike: Array, n_categories: int, rng: np.random.Generator) -> Rows:
    """Replace labels by random ones: one for each row that is `alike`, else one a judgment."""
    of_row = rng.integers(0, n_categories, rows.n_rows, dtype=np.int32)
    repeats = rows.repeats
    if repeats is not None:  # lists of counts
        new, counts = [], []
        for i, (first, last) in enumerate(zip(rows.start[:-1], rows.start[1:], strict=True)):
            size = int(repeats[first:last].sum())
            if alike[i]:
                places = np.array([of_row[i]]), np.array([size])
            elif size < n_categories:
                places = np.unique(rng.integers(0, n_categories, size), return_counts=True)
            else:
                times = rng.multinomial(size, np.full(n_categories, 1 / n_categories))
                places = np.flatnonzero(times), times[times > 0]
            new.append(places[0].astype(np.int32))
            counts.append(places[1].astype(repeats.dtype))
        start = np.concatenate([[0], np.cumsum([len(each) for each in new])]).astype(np.int64)
        return Rows(np.concatenate(new), 0, start, None, np.concatenate(counts))
    row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
    of_judgment = rng.integers(0, n_categories, len(row), dtype=np.int32)
    codes = np.where(alike[row], of_row[row], of_judgment)
    if rows.coders is None:  # such lists are sorted
        codes = codes[np.lexsort((codes, row))]
    return rows.replace(codes=codes)


class PosteriorDraw:
    """Weights of patterns, drawn from the posterior distribution of their frequencies.

    The posterior is a Dirichlet distribution: the weight of a pattern of n items is a draw from the
    gamma distribution of shape n, that of a row of the prior a draw of the shape of its mass (Rubin
    1981; Ferguson 1973). The weights are scaled to add up to the number of items.

    Parameters
    ----------
    weights : int array of shape (U,)
        The number of items that each pattern stands for.
    inner : bool array of shape (U,)
        Patterns with a pair of judgments: the sample for coefficients of pairs.
    mass : float array of shape (U,)
        The weight of each row in the prior.
    """

    def __init__(self, weights: Array, inner: Array, mass: FloatArray) -> None:
        self._shape = (weights + mass)[:, None]
        self._inner = inner
        self.n, self.n_inner = int(weights.sum()), int(weights[inner].sum())

    def __call__(self, rng: np.random.Generator, n_resamples: int) -> FloatArray:
        """Draw weights of the patterns, float64 of shape (U, R)."""
        drawn = rng.standard_gamma(self._shape, (len(self._shape), n_resamples))
        return _scaled(drawn, self.n)

    def both(self, rng: np.random.Generator, n_resamples: int) -> tuple[FloatArray, FloatArray]:
        """Draw weights of all patterns, and of the patterns with a pair alone."""
        every = self(rng, n_resamples)
        return every, _scaled(np.where(self._inner[:, None], every, 0.0), self.n_inner)


def _scaled(drawn: FloatArray, n: int) -> FloatArray:
    """Scale weights so that they add up to n in each draw."""
    totals = drawn.sum(0)
    return np.asarray(drawn * np.divide(n, totals, out=np.zeros_like(totals), where=totals > 0))


#: The most categories for which the cells of the coincidence matrix are drawn.
CATEGORIES = 2048

#: The most draws for each cell of the coincidence matrix that is not empty.
DRAWS_A_CELL = 25


def pair_replicates(
    annotations: Annotations, point: Point, options: Options, incomplete: Incomplete
) -> FloatArray:
    """Return α of draws of pairs, float64 of shape (options.n_resamples,).

    A draw takes M = min(25 Q, (m − 1) n.. / 2) cells of the coincidence matrix by their shares, for
    Q cells that are not empty, m coders and n.. pairable judgments. It gives 1 − Σ δ² / (M D_e), at
    least −1. Draws that show agreement only are set to 0 as often as all pairs would fall into one
    category, and always if the coders agree on one category only.
    """
    if point.chance is not CHANCE["pooled_unbiased"] or point.item_weight != "judgments":
        raise InputError(
            (Argument("method", "krippendorff"), f" is for alpha, not for {point.name}")
        )
    K = len(annotations.labels)
    if K > CATEGORIES:
        raise InputError(
            (
                Argument("method", "krippendorff"),
                f" needs a matrix of {K} x {K} coincidences",
            ),
            ("pass ", Argument("method", "percentile")),
        )
    least = least_judgments(annotations, incomplete)
    sums, form, _ = bind(annotations, point.distance, CHANCE["uniform"], least)
    coincidences = annotations.coincidence_matrix().values
    if least > 2:
        kept = np.flatnonzero(annotations.to_counts().sum(1) >= least).tolist()
        every = annotations.select(items=[annotations.items[item] for item in kept])
        coincidences = every.coincidence_matrix().values
    n = coincidences.sum()
    counts = coincidences.sum(1)
    if n < 2:
        return np.full(options.n_resamples, np.nan)
    expected = float(form.bilinear(counts, counts)) / (n * (n - 1))
    if not expected > 0:
        return np.full(options.n_resamples, np.nan)
    first, second = np.nonzero(np.triu(coincidences))
    shares = coincidences[first, second] * np.where(first == second, 1.0, 2.0) / n
    shares /= shares.sum()
    gaps = form.between(first, second) * (first != second)
    n_cells = int(np.count_nonzero(coincidences))
    n_coders = annotations.n_coders or max(sums.items_by_size)
    draws = int(min(DRAWS_A_CELL * n_cells, (n_coders - 1) * n / 2))
    agreed = np.diagonal(coincidences)
    agreed = agreed[agreed > 0]

    def work(lot: Lot) -> FloatArray:
        own, count = lot
        drawn = own.multinomial(draws, shares, size=count)
        return np.asarray(np.maximum(1.0 - (drawn @ gaps) / (draws * expected), -1.0))

    alphas = np.concatenate(in_lots(work, AT_ONCE, options))
    perfect = np.flatnonzero(alphas == 1.0)
    if len(agreed) == 1:
        alphas[perfect] = 0.0
    else:
        pairs = sum(n * size * (size - 1) / 2 for _, size, n in sums.pairable_sizes)
        constant = round(options.n_resamples * float(((agreed / n) ** pairs).sum()))
        alphas[perfect[:constant]] = 0.0
    return alphas
