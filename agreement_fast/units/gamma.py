"""γ, γ_cat and γ_k: agreement on units by their best alignment, and by that of chance."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, mean_of_defined, ranges, ratio
from agreement_fast._kernels.normal import two_sided_quantile
from agreement_fast.distances.forms import DistanceLike
from agreement_fast.errors import InputError
from agreement_fast.inference.draws import NO_SPREAD, Spread, spreads, why_no_interval
from agreement_fast.inference.resample import Lot, Options, in_lots
from agreement_fast.options import (
    BootstrapMethod,
    ByName,
    Seed,
    check_choice,
    check_count,
    check_share,
)
from agreement_fast.present.tables import DETAILS
from agreement_fast.results import Resampled
from agreement_fast.units.alignment import (
    Dissimilarity,
    Lanes,
    Sums,
    best,
    check_soft,
    sums,
)
from agreement_fast.units.coincidences import NO_VARIATION, ByCategory, why_not
from agreement_fast.units.continuum import Continuum, checked, paired
from agreement_fast.units.line import in_pieces, overlap

#: How often a shift that is near another is drawn again, before it is taken to have no room.
DRAWS = 50

Sampler = Callable[[Continuum, np.random.Generator, int], Lanes]


def shuffled(data: Continuum, rng: np.random.Generator, n: int) -> Lanes:
    """Shift coders along their documents (Mathet, Widlöcher & Métivier 2015, 5.2).

    Each coder of a sample is one of those who saw the document, drawn with replacement. Their units
    are moved by a random length; those that begin after the document's end come in at its
    beginning.
    No two shifts are nearer than the mean length of the document's units, as long as there is room.
    """
    order = np.lexsort((data.coder, data.document))
    m, d, lanes = data.n_coders, len(data.documents), int(data.n_seeing.max())
    key = data.document[order].astype(np.int64) * m + data.coder[order]
    first = np.searchsorted(key, np.arange(d * m + 1))
    length = np.diff(data.extents, axis=1)[:, 0]
    n_units = np.maximum(np.diff(first[::m]), 1)
    apart = np.bincount(data.document, data.end - data.start, minlength=d) / n_units
    shift = _shifts(rng, n, np.maximum(length, 1), apart, data.n_seeing)
    drawn = rng.integers(data.n_seeing[:, None], size=(n, d, lanes))
    # A row for each sample, document and lane; `units` are those of the coder who was drawn.
    saw = np.argsort(~data.saw, axis=1, kind="stable")
    source = (np.arange(d)[:, None] * m + np.take_along_axis(saw[None], drawn, 2)).ravel()
    counts = np.diff(first)[source]
    counts[np.tile(np.arange(lanes) >= data.n_seeing[:, None], (n, 1)).ravel()] = 0
    row, at = ranges(first[source], counts)
    units = order[at]
    document = row // lanes
    start = data.start[units] + shift.ravel()[row]
    over = start >= data.extents[document % d, 1]
    start = start - np.where(over, length[document % d], 0)
    end = start + (data.end - data.start)[units]
    n_seeing = np.tile(data.n_seeing, n)
    return Lanes(document, row % lanes, start, end, data.category[units], lanes, n_seeing)


def _shifts(
    rng: np.random.Generator, n: int, length: Array, apart: FloatArray, n_seeing: Array
) -> Array:
    """Whole numbers below each document's length, far enough from each other around it.

    Of shape (n, D, m) for the m coders who saw the most; the first of each document count.
    """
    m = int(n_seeing.max())
    shift = rng.integers(length[:, None], size=(n, len(length), m))
    for j in range(1, m):
        wrong = np.ones((n, len(length)), bool)
        for _ in range(DRAWS):
            gap = np.abs(shift[:, :, :j] - shift[:, :, j, None])
            gap = np.minimum(gap, length[:, None] - gap)
            wrong = (gap < apart[:, None]).any(2) & (j < n_seeing)
            if not wrong.any():
                break
            shift[wrong, j] = rng.integers(np.broadcast_to(length, wrong.shape)[wrong])
    return shift


def statistical(data: Continuum, rng: np.random.Generator, n: int) -> Lanes:
    """Draw numbers of units, gaps and lengths from normal distributions, and categories by share.

    The sampler that pygamma-agreement takes by default. Means and standard deviations are those of
    the document; a gap is from a unit's end to the next one's start, or from the document's
    beginning. A number is cut to a whole one, and it and lengths lose their sign.
    """
    order = np.lexsort((data.end, data.start, data.coder, data.document))
    parts, saw = len(data.documents), data.saw
    columns: list[tuple[Array, ...]] = []
    for d in range(parts):
        ours = order[data.document[order] == d]
        if not len(ours):
            continue
        coder, start, end = data.coder[ours], data.start[ours], data.end[ours]
        before = np.where(np.diff(coder, prepend=-1) != 0, data.extents[d, 0], np.roll(end, 1))
        gaps, lengths = start - before, end - start
        held = np.bincount(coder, minlength=data.n_coders)[saw[d]]
        m = len(held)
        counts = np.abs(rng.normal(held.mean(), held.std(), n * m).astype(np.int64))
        row = np.repeat(np.arange(n * m), counts)
        made = len(row)
        gap = rng.normal(gaps.mean(), gaps.std(), made)
        # A length of 0 has no place: it is drawn from a continuous distribution unless all are.
        span = np.abs(rng.normal(lengths.mean(), lengths.std(), made))
        stop = np.cumsum(gap + span)
        begun = np.cumsum(counts) - counts
        stop -= np.concatenate([[0.0], stop])[begun[row]]
        stop += data.extents[d, 0]
        columns.append(
            (
                row // m * parts + d,
                row % m,
                stop - span,
                stop,
                rng.choice(data.category[ours], made),
            )
        )
    document, lane, start, end, category = (
        np.concatenate(values) for values in zip(*columns, strict=True)
    )
    return Lanes(document, lane, start, end, category, data.n_coders, np.tile(data.n_seeing, n))


SAMPLERS: dict[str, Sampler] = {"shuffle": shuffled, "statistical": statistical}


#: More samples than this are not drawn, even if δ_e is less precise than was asked for.
MOST_SAMPLES = 100_000
#: Units that are aligned in one go.
AT_ONCE = 2000


class Sampling(NamedTuple):
    """How chance is sampled, checked."""

    sampler: str
    n_samples: int
    precision: float | None

    @staticmethod
    def of(sampler: Any, n_samples: Any, precision: Any) -> Sampling:
        """Refuse what cannot be."""
        check_choice("sampler", sampler, tuple(SAMPLERS))
        check_count("n_samples", n_samples, 2)
        if n_samples > MOST_SAMPLES:
            raise InputError.must_be("n_samples", f"{MOST_SAMPLES:,} or less", n_samples)
        if precision is not None:
            check_share("precision", precision)
        return Sampling(sampler, n_samples, precision)


class Study:
    """Sums of the best alignments of all documents, read and by chance."""

    def __init__(
        self,
        data: Continuum,
        dissimilarity: Dissimilarity,
        soft: bool,
        sampling: Sampling,
        options: Options,
    ) -> None:
        self._data, self._dissimilarity, self._soft = data, dissimilarity, soft
        self._sampler = SAMPLERS[sampling.sampler]
        units = Lanes.of(data)
        #: Arrays of shape (P, D).
        self.observed = sums(units, dissimilarity, best(units, dissimilarity, soft=soft))
        parts = self._samples(sampling.n_samples, options)
        if sampling.precision is not None:
            drawn = np.concatenate([_ratio(part.above[:1], part.below[:1])[0] for part in parts])
            enough = needed(drawn, sampling.precision, options.confidence_level)
            more = min(enough, MOST_SAMPLES) - len(drawn)
            parts += self._samples(max(0, more), options)
        #: The same of each sample: float64 arrays of shape (P, S, D).
        self.above = np.concatenate([part.above for part in parts], axis=1)
        self.below = np.concatenate([part.below for part in parts], axis=1)

    def _samples(self, n: int, options: Options) -> list[Sums]:
        n_documents = len(self._data.documents)

        def sample(lot: Lot) -> Sums:
            rng, n = lot
            units = self._sampler(self._data, rng, n)
            chosen = best(units, self._dissimilarity, soft=self._soft)
            result = sums(units, self._dissimilarity, chosen)
            return Sums(*(part.reshape(-1, n, n_documents) for part in result))

        size = max(1, AT_ONCE // self._data.n_units)
        return in_lots(sample, size, options._replace(n_resamples=n), "samples of chance")

    def disorders(self, part: int) -> tuple[float, FloatArray]:
        """Return δ of all documents, and δ of each sample; NaN if undefined."""
        entry = slice(part, part + 1)
        observed = _ratio(self.observed.above[entry], self.observed.below[entry])
        return float(observed[0]), _ratio(self.above[part], self.below[part])

    def values(self, parts: Array, weights: FloatArray) -> FloatArray:
        """1 − δ / δ_e of documents that are there as often as weights (D, R) say: (P, R)."""
        result = np.empty((len(parts), weights.shape[1]))
        for row, part in enumerate(parts.tolist()):
            above, below = self.above[part] @ weights, self.below[part] @ weights
            observed = ratio(
                self.observed.above[part] @ weights, self.observed.below[part] @ weights
            )
            result[row] = 1 - ratio(observed, mean_of_defined(ratio(above, below)))
        return result


def needed(drawn: FloatArray, precision: float, confidence_level: float) -> int:
    """How many samples the mean needs to be that precise: (cv z / e)² (Mathet et al. 2015)."""
    known = drawn[~np.isnan(drawn)]
    mean = float(known.mean()) if len(known) else 0.0
    if len(known) < 2 or not mean:
        return 0
    z = two_sided_quantile(confidence_level)
    return math.ceil((float(known.std(ddof=1)) / mean * z / precision) ** 2)


def _ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    return ratio(above.sum(-1), below.sum(-1))


#: Columns about how a value was computed, which notebooks do not show.
HOW = DETAILS | {
    "sampler", "n_samples", "precision", "n_units", "n_coders", "n_documents",
    "n_unpaired_documents", "distance", "alpha",
    "beta", "empty", "soft", "standard_error", "note",
}  # fmt: skip

NO_ALIGNED_PAIRS = "no aligned pairs: no units near each other are aligned"
MOST_DRAWN = f"no more than {MOST_SAMPLES:,} samples are drawn: see the precision of δ_e"
NO_CHANCE = "no expected disorder: no random sample has aligned pairs"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Gamma(Resampled):
    """γ, γ_cat or γ_k: a float, with its parts.

    Attributes
    ----------
    coefficient : str
        "gamma", "gamma_cat" or "gamma_k".
    category : label or None
        The category of γ_k; None for the others.
    value : float
        1 − δ / δ_e; NaN if undefined.
    observed_disorder, expected_disorder : float
        δ of the best alignment, and δ_e, the mean over the best alignments of random continua.
    chance_low, chance_high : float
        The interval of the value for these documents: δ_e is a mean over random samples.
    low, high : float
        The interval of the value for other documents of the same kind, from a bootstrap of the
        documents. NaN for one document.
    standard_error : float
        The standard error from this bootstrap.
    confidence_level : float
        The confidence of both intervals.
    n_samples : int
        Number of random continua with a disorder.
    sampler : str
        How random continua were made.
    precision : float
        Half the width of the interval of δ_e, divided by δ_e.
    n_units, n_coders, n_documents : int
        Numbers of units, coders and documents, over documents that two coders or more saw.
    n_unpaired_documents : int
        Number of other documents, which do not count.
    distance : str
        The distance between categories.
    alpha, beta, empty : float
        The weights of place and category, and the cost of a unit that is aligned with none.
    soft : bool
        Whether a unit could be in several unitary alignments.
    method : str
        The kind of bootstrap interval.
    n_resamples, n_undefined : int
        Number of resamples of the documents, and of those that leave the value undefined.
    undefined : str or None
        The reason if there is no value.
    note : str or None
        The reason if there is no interval, or if δ_e is less precise than requested.
    """

    _caption = (
        "{coefficient}[ of {category:r}]: {value}, δ = {observed_disorder}, δ_e = "
        "{expected_disorder} ({n_samples:sample} by {sampler:r}, γ from {chance_low:.4g} to "
        "{chance_high:.4g})[, {interval}][, {n_unpaired_documents:document} without two coders]"
    )

    aside: ClassVar[frozenset[str]] = HOW

    coefficient: str
    category: Any
    observed_disorder: float
    expected_disorder: float
    chance_low: float
    chance_high: float
    n_samples: int
    sampler: str
    precision: float
    n_units: int
    n_coders: int
    n_documents: int
    n_unpaired_documents: int
    distance: str
    alpha: float
    beta: float
    empty: float
    soft: bool
    n_undefined: int


class GammaTable(ByCategory[Gamma]):
    """γ, γ_cat and γ_k of one alignment: a sequence that also takes names.

    The names are ``result["gamma"]``, ``result["gamma_cat"]`` and ``result["gamma_k", category]``.
    """

    _table = (
        "coefficient | category = [{category:l}][all{category!:l}] | δ = "
        "observed_disorder:# | δ_e = expected_disorder:# | value | low..high"
    )

    aside = HOW


def gamma_table(data: Continuum, **options: Any) -> GammaTable:
    """Compute γ, γ_cat, and γ_k of each category, from the same alignments and samples.

    γ_cat (Mathet 2017) asks whether coders give aligned units the same category. Units that are
    aligned with none do not count; pairs of aligned units that are near each other weigh more:
    max(0, 1 − d_pos / Δ∅) / (k − 1), if k units are aligned. γ_k is γ_cat of the pairs in which at
    least one unit has category k. The options are those of `gamma`.

    Several documents count as one continuum: the disorder is the sum over all unitary alignments
    divided by the mean number of units per coder, so documents count by their units. If documents
    have different coders, each document's mean is over those who saw it, and these means are added.
    """
    given = inspect.signature(gamma).bind(data, **options)
    given.apply_defaults()
    of = SimpleNamespace(**given.arguments)
    used = paired(checked(data))
    chosen = Dissimilarity.of(used, of.distance, of.alpha, of.beta, of.empty)
    check_soft(of.soft)
    sampling = Sampling.of(of.sampler, of.n_samples, of.precision)
    how = of.n_resamples, of.confidence_level, of.method, of.rng, of.threads, of.progress
    draws = Options.of(*how)
    names = [("gamma", None), ("gamma_cat", None), *(("gamma_k", k) for k in used.categories)]
    common: dict[str, Any] = {
        "sampler": sampling.sampler,
        "n_units": used.n_units,
        "n_coders": used.n_coders,
        "n_documents": len(used.documents),
        "n_unpaired_documents": len(data.documents) - len(used.documents),
        "distance": chosen.distance,
        "alpha": chosen.alpha,
        "beta": chosen.beta,
        "empty": chosen.empty,
        "soft": of.soft,
    }
    why = why_not(used, used.n_units) or in_pieces(used, "an alignment")
    if why is not None:
        values = [Value(math.nan, np.zeros(0), why)] * len(names)
        drawn: dict[int, Spread] = {}
    else:
        study = Study(used, chosen, of.soft, sampling, draws)
        values = [Value.of(*study.disorders(part)) for part in range(len(names))]
        parts = np.flatnonzero([value.undefined is None for value in values])
        drawn = {}
        if len(used.documents) > 1 and len(parts):
            shown = spreads(lambda w: study.values(parts, w), len(used.documents), draws)
            drawn = dict(zip(parts.tolist(), shown, strict=True))
    table = []
    for part, ((coefficient, category), value) in enumerate(zip(names, values, strict=True)):
        spread, why = drawn.get(part, NO_SPREAD), value.undefined
        error = value.error(draws.confidence_level)
        few = sampling.precision is not None and len(value.samples) >= MOST_SAMPLES
        notes = why_no_interval(spread, len(used.documents)), MOST_DRAWN if few else None
        table.append(
            Gamma(
                coefficient=coefficient,
                category=category,
                value=math.nan if why else value.at(0.0),
                observed_disorder=value.observed,
                expected_disorder=value.expected,
                chance_low=value.at(-error),
                chance_high=value.at(error),
                precision=math.nan if why else error / value.expected,
                **spread.parts(draws),
                n_samples=int((~np.isnan(value.samples)).sum()),
                **common,
                n_undefined=spread.n_undefined,
                undefined=why,
                note=None if why else "; ".join(filter(None, notes)) or None,
            )
        )
    return GammaTable(table)


class Value(NamedTuple):
    """δ, and δ of each random sample, whose mean is δ_e."""

    observed: float
    samples: FloatArray
    undefined: str | None

    @staticmethod
    def of(observed: float, samples: FloatArray) -> Value:
        """Say why there is no value if it is undefined."""
        expected = float(mean_of_defined(samples))
        why = None if expected else NO_VARIATION
        if math.isnan(expected):
            why = NO_CHANCE
        return Value(observed, samples, NO_ALIGNED_PAIRS if math.isnan(observed) else why)

    @property
    def expected(self) -> float:
        """δ_e."""
        return float(mean_of_defined(self.samples))

    def at(self, error: float) -> float:
        """Return γ for a δ_e that is larger by `error`."""
        expected = self.expected + error
        if math.isnan(expected):
            return math.nan
        return 1 - self.observed / expected if expected > 0 else -math.inf

    def error(self, confidence_level: float) -> float:
        """Half of the interval of δ_e; NaN if the value is undefined."""
        known = self.samples[~np.isnan(self.samples)]
        if self.undefined is not None or len(known) < 2:
            return math.nan
        z = two_sided_quantile(confidence_level)
        return float(z * known.std(ddof=1) / math.sqrt(len(known)))


def gamma(
    data: Continuum,
    *,
    distance: DistanceLike = "nominal",
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
    soft: bool = False,
    sampler: Literal["shuffle", "statistical"] = "shuffle",
    n_samples: int = 30,
    precision: float | None = 0.02,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "bca",
    rng: Seed = None,
    threads: int | None = None,
    progress: bool = False,
) -> Gamma:
    """γ: do coders mark the same units, in place and category? (Mathet et al. 2015).

    Units of one coder may overlap, be nested or stacked. 1 is perfect agreement, 0 is chance, and
    negative is worse than chance. ``af.agreement_table(data, ["gamma", "gamma_cat", "gamma_k"])``
    also returns γ_cat and γ_k of the same alignments.

    Parameters
    ----------
    data : Continuum
        The units of the coders. Give the lengths of documents (``extents``): chance moves units
        along the whole document. Units of different documents are not aligned. Documents that fewer
        than two coders saw do not count.
    distance : str or Distance, default "nominal"
        The distance between categories; see `agreement_fast.distances`. If distances exceed 1, all
        are divided by the largest.
    alpha, beta : float, default 1
        Weights of place and category. With ``alpha=0``, any two units of a document can be aligned.
    empty : float, default 1
        Δ∅, the cost of a unit that is aligned with none.
    soft : bool, default False
        Whether a unit may be in several unitary alignments, so that a coder's unit can be aligned
        with two parts of it that another coder marked (pygamma-agreement's soft alignment).
    sampler : {"shuffle", "statistical"}, default "shuffle"
        How random continua are made. "shuffle" shifts coders along each document (Mathet et al.
        2015); "statistical" draws units from normal distributions, as pygamma-agreement does.
    n_samples : int, default 30
        The initial number of random continua.
    precision : float or None, default 0.02
        Draw further samples until δ_e of γ is within this share of its value, at the confidence
        level: (cv z / e)² samples altogether, 100,000 at most. None draws no further samples.
    n_resamples : int, default 2000
        How many times documents are drawn with replacement, for the interval from `low` to `high`.
    confidence_level : float, default 0.95
        Confidence of the intervals, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The kind of bootstrap interval.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same values with any number of threads.
    threads : int, optional
        The largest number of threads. By default one for each processor.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    Gamma
        A float with its parts; NaN with the reason if there are no pairs of coders, no units, or if
        a unit is in several pieces.

    Raises
    ------
    ValueError
        If a name or an option is unknown, or if there are more than 5 million possible unitary
        alignments.

    Examples
    --------
    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(
    ...     coders=["A", "B"] * 3, starts=[0, 1, 12, 12, 30, 31], ends=[9, 9, 20, 21, 36, 36],
    ...     categories=["x", "x", "y", "x", "y", "y"], extents=50,
    ... )
    >>> result = units.gamma(data, rng=1)
    >>> round(result.value, 2), result.chance_low < result.value < result.chance_high
    (0.71, True)
    """
    return gamma_table(**locals())["gamma"]


# ---------------------------------------------------------------------- units of two texts


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class TextGamma(Resampled):
    """tγ of two coders' texts: a float, with its parts and interval.

    Attributes
    ----------
    value : float
        1 − δ / δ_e; NaN if undefined.
    observed_disorder, expected_disorder : float
        δ of the best alignment, and δ_e of categories by chance.
    standard_error, low, high : float
        The standard error and the ends of the interval, from resampling documents. NaN for one
        document.
    confidence_level : float
        The confidence of the interval.
    method : str
        The kind of bootstrap interval.
    n_units, n_aligned, n_documents, n_resamples : int
        Numbers of units, of pairs of aligned units, of documents and of resamples.
    undefined : str or None
        The reason if there is no value.
    note : str or None
        The reason if there is no interval, or one without width.
    """

    _caption = (
        "text_gamma = {value}, δ = {observed_disorder}, δ_e = {expected_disorder}[, {interval} "
        "({method}, {n_resamples} resamples of documents)]"
    )

    observed_disorder: float
    expected_disorder: float
    n_units: int
    n_aligned: int
    n_documents: int


def text_gamma(
    data: Continuum,
    texts: ByName[str | ByName[str]],
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Seed = None,
) -> TextGamma:
    """tγ: agreement of two coders on the categories of units, each in a text of their own.

    For coders who also correct the text, such as that of a manuscript, and so cut different texts
    into units (Barteld, Schröder & Zinsmeister 2016; `TextGammaAgreement` of DKPro).

    Parameters
    ----------
    data : Continuum
        The units of two coders, which must not overlap. Positions are characters of the coder's own
        text.
    texts : mapping coder -> text, or coder -> mapping document -> text
        The texts.
    n_resamples : int, default 2000
        How many times documents are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The kind of bootstrap interval.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same values.

    Returns
    -------
    TextGamma
        A float with its parts; NaN with the reason if all units are of one category, or if units of
        a coder overlap.

    Raises
    ------
    ValueError
        If there are not two coders, if a coder has no text for a document, or if a unit is not in
        its text.

    Notes
    -----
    Both texts are written with marks where units start and end, and aligned so that most characters
    and marks are equal. Units whose two marks are aligned are aligned. Of all such alignments, one
    with the most aligned units counts, and of these the one of the least disorder. A unit aligned
    with none costs 1; an aligned pair costs 1/2 if the texts of the units differ, and 1/2 if their
    categories do. δ is the sum divided by the mean number of units of a coder. Chance draws the
    categories of aligned units of the same text from all units: δ_e = (1 − Σ p²) / 2 for shares p
    of the categories. That is DKPro's sampler for texts and segments that do not change by chance.
    O(characters²) for each document.

    Examples
    --------
    >>> from agreement_fast import units
    >>> data = units.Continuum.from_rows(
    ...     list("AABB"), [0, 7, 0, 5], [6, 10, 4, 8], ["noun", "verb", "noun", "verb"]
    ... )
    >>> result = units.text_gamma(data, {"A": "hounde ran", "B": "hond ran"})
    >>> round(result.value, 3), result.n_aligned
    (0.0, 2)
    """
    options = Options.of(n_resamples, confidence_level, method, rng, None, False)
    if checked(data).n_coders != 2:
        raise InputError(f"tγ is of two coders, and there are {data.n_coders}", argument="data")
    used = paired(data)
    K, why = len(used.categories), why_not(used, used.n_units) or overlap(used)
    rows = []
    for place, name in enumerate(used.documents) if why is None else ():
        sides = []
        for code, coder in enumerate(used.coders):
            own = np.flatnonzero((used.document == place) & (used.coder == code))
            own = own[np.argsort(used.start[own])]
            text = texts.get(coder) if isinstance(texts, Mapping) else None
            text = text.get(name) if isinstance(text, Mapping) else text
            if not isinstance(text, str):
                raise InputError(f"texts have no text of coder {coder!r} for document {name!r}")
            ends = np.column_stack([used.start[own], used.end[own]])
            if ends.min(initial=0) < 0 or ends.max(initial=0) > len(text):
                raise InputError(f"a unit of coder {coder!r} is not in the text of {name!r}")
            sides.append((text, ends, used.category[own]))
        (first, ours, labels), (other, theirs, others) = sides
        words, more = ([t[a:b] for a, b in e.tolist()] for t, e in ((first, ours), (other, theirs)))
        unlike = np.array([[a != b for b in more] for a in words], int).reshape(
            len(words), len(more)
        )
        pairs, halves = _texts_aligned(
            _marked(first, ours), _marked(other, theirs), unlike + (labels[:, None] != others)
        )
        counts = np.bincount(np.concatenate([labels, others]), minlength=K)
        rows.append([counts.sum() - 2 * pairs + halves / 2, pairs, *counts])
    sums = np.array(rows, np.float64).reshape(-1, K + 2).T

    def disorders(weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        costs, counts = sums[0] @ weights, sums[2:] @ weights
        n = counts.sum(0)
        return ratio(2 * costs, n), (1 - ratio((counts**2).sum(0), n**2)) / 2

    def values_of(weights: FloatArray) -> FloatArray:
        return 1 - ratio(*disorders(weights))[None]

    observed = expected = math.nan
    spread = NO_SPREAD
    if why is None:
        observed, expected = (float(x[0]) for x in disorders(np.ones((len(rows), 1))))
        why = None if expected else NO_VARIATION
        (spread,) = spreads(values_of, len(rows), options)
    return TextGamma(
        value=math.nan if why else 1 - observed / expected,
        observed_disorder=observed,
        expected_disorder=expected,
        **spread.parts(options),
        n_units=used.n_units,
        n_aligned=int(sums[1].sum()),
        n_documents=len(used.documents),
        undefined=why,
        note=None if why else why_no_interval(spread, len(rows)),
    )


#: Marks of where units start and end, which are no characters.
START, STOP = -1, -2
#: Below every sum, and far enough that steps between parts of a text do not reach it.
NOWHERE = -(2**45)


def _marked(text: str, ends: Array) -> Array:
    """Return the characters of a text with marks where units start and end."""
    characters = np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.int64)
    return np.insert(characters, ends.ravel(), np.tile([START, STOP], len(ends)))


def _texts_aligned(first: Array, other: Array, costs: Array) -> tuple[int, int]:
    """Return how many units are aligned in the best alignment of two texts, and their costs.

    The best has most equal characters and marks, then most aligned units, then the least cost: one
    number, in which these have places of their own.
    """
    place = 2 * min(costs.shape) + 2
    marks = other < 0
    part = np.concatenate([[0], np.cumsum(marks)])
    # Sums up to each place of `other`: apart, and within two units that start together.
    apart, within = np.zeros(len(other) + 1, np.int64), np.full(len(other) + 1, NOWHERE)
    for at, character in enumerate(first.tolist()):
        equal = np.flatnonzero(other == character)
        gain = apart[equal] + place**2
        if character >= 0:
            both = within[equal] + place**2
        elif character == START:
            both, gain = gain, np.full(len(equal), NOWHERE)
            apart, within = np.maximum(apart, within), np.full_like(within, NOWHERE)
        else:
            own = costs[np.sum(first[:at] == STOP), part[equal] // 2]
            gain = np.maximum(gain, within[equal] + place**2 + place - own)
            both = np.full(len(equal), NOWHERE)
            apart, within = np.maximum(apart, within), np.full_like(within, NOWHERE)
        apart[equal + 1] = np.maximum(apart[equal + 1], gain)
        within[equal + 1] = np.maximum(within[equal + 1], both)
        # Units that start together end apart if a mark of one of them is skipped.
        within = np.maximum.accumulate(within - 2 * NOWHERE * part) + 2 * NOWHERE * part
        apart[1:][marks] = np.maximum(apart[1:], within[:-1])[marks]
        apart = np.maximum.accumulate(apart)
    rest = int(apart[-1]) % place**2
    pairs = -(-rest // place)
    return pairs, pairs * place - rest
