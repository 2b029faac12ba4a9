"""γ, γ_cat and γ_k: agreement on units by their best alignment."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, TypedDict, Unpack, overload

import numpy as np

from agreement_fast.arrays import FloatArray
from agreement_fast.errors import UnknownKeyError
from agreement_fast.inference.documents import ALIKE, ONE_DOCUMENT, Options, Spread, spreads
from agreement_fast.inference.intervals import TOO_FEW, too_few
from agreement_fast.results import Result
from agreement_fast.tables import DETAILS, Tabular, of_fields
from agreement_fast.terminal import align as in_columns
from agreement_fast.terminal import number_of, show_value
from agreement_fast.unitizing.aligned.dissimilarity import Dissimilarity, check_soft
from agreement_fast.unitizing.aligned.study import MOST_SAMPLES, Sampling, Study, error_of, mean_of
from agreement_fast.unitizing.continuum import Continuum, checked, paired
from agreement_fast.unitizing.overlapping import in_pieces
from agreement_fast.unitizing.results import NO_VARIATION, why_not

#: Columns that say how a value was computed, which notebooks leave aside.
HOW = DETAILS | {
    "sampler", "n_samples", "precision", "n_units", "n_coders", "n_documents",
    "n_unpaired_documents", "distance", "alpha",
    "beta", "empty", "soft", "standard_error", "note",
}  # fmt: skip

NO_ALIGNED_PAIRS = "no aligned pairs: no two units are aligned that are near each other"
MOST_DRAWN = f"no more than {MOST_SAMPLES:,} samples are drawn: see how precise δ_e is"
NO_CHANCE = "no expected disorder: no sample of chance has aligned pairs"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Gamma(Result):
    """γ, γ_cat or γ_k: a float, with its parts.

    Attributes
    ----------
    coefficient : str
        "gamma", "gamma_cat" or "gamma_k".
    category : label or None
        Of γ_k.
    value : float
        1 − δ / δ_e; NaN where undefined.
    observed_disorder, expected_disorder : float
        δ of the best alignment, and δ_e, the mean of the samples' best alignments.
    chance_low, chance_high : float
        Between which the value is for these data, because δ_e is the mean of a sample.
    low, high : float
        How far the value would move with other documents of the same kind: a bootstrap of the
        documents. NaN for one document.
    standard_error : float
        Of that bootstrap.
    confidence_level : float
        Of both intervals.
    n_samples : int
        Continua by chance that have a disorder.
    sampler : str
        Where these come from.
    precision : float
        Half of the interval of δ_e as a share of it: that which was reached.
    n_units, n_coders, n_documents : int
        Of the documents that two coders or more saw.
    n_unpaired_documents : int
        All other documents. Nothing in them can be aligned.
    distance : str
    alpha, beta, empty : float
    soft : bool
    method : str
    n_resamples, n_undefined : int
        Resamples of the documents, and those of them that leave the value undefined.
    undefined : str or None
        Why there is no value.
    note : str or None
        Why there is no interval, or why δ_e is less precise than was asked for.
    """

    aside: ClassVar[frozenset[str]] = HOW

    coefficient: str
    category: Any
    value: float
    observed_disorder: float
    expected_disorder: float
    chance_low: float
    chance_high: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
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
    method: str
    n_resamples: int
    n_undefined: int
    undefined: str | None
    note: str | None

    def __repr__(self) -> str:
        of = "" if self.category is None else f" of {self.category!r}"
        if self.undefined is not None:
            return f"<{self.coefficient}{of}: undefined ({self.undefined})>"
        alone = self.n_unpaired_documents
        text = (
            f"<{self.coefficient}{of}: {self.value:.6g}, δ = {self.observed_disorder:.6g}, "
            f"δ_e = {self.expected_disorder:.6g} ({self.n_samples} samples by {self.sampler!r}, "
            f"γ from {self.chance_low:.4g} to {self.chance_high:.4g})"
        )
        if not math.isnan(self.low):
            text += f", documents {self.low:.4g} to {self.high:.4g}"
        if alone:
            text += f", {number_of(alone, 'document')} without two coders"
        return text + ">"


class GammaOptions(TypedDict, total=False):
    """The options of `gamma_table`."""

    distance: Any
    alpha: float
    beta: float
    empty: float
    soft: bool
    sampler: str
    n_samples: int
    precision: float | None
    n_resamples: int
    confidence_level: float
    method: str
    rng: Any
    threads: int | None
    progress: bool


class GammaTable(Tabular, Sequence[Gamma]):
    """γ, γ_cat and γ_k of one alignment, also found by name; ``print`` shows them.

    ``found["gamma"]``, ``found["gamma_cat"]``, and ``found["gamma_k", category]``.
    """

    aside = HOW

    def __init__(self, results: Iterable[Gamma]) -> None:
        self._results = tuple(results)

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, key: int | str | tuple[str, Any]) -> Gamma: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[Gamma]: ...
    def __getitem__(self, key: int | slice | str | tuple[str, Any]) -> Gamma | Sequence[Gamma]:
        if isinstance(key, (int, slice)):
            return self._results[key]
        name, category = key if isinstance(key, tuple) else (key, None)
        for result in self._results:
            if result.coefficient == name and result.category == category:
                return result
        shown = [
            r.coefficient if r.category is None else repr((r.coefficient, r.category))
            for r in self._results
        ]
        raise UnknownKeyError(f"{key!r}: there are {', '.join(shown)}")

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Give a row for each coefficient; the category of γ and γ_cat is None."""
        return of_fields(self._results)

    def __repr__(self) -> str:
        head = ("coefficient", "category", "δ", "δ_e", "value", "low", "high")
        rows = [
            (
                one.coefficient,
                "all" if one.category is None else str(one.category),
                show_value(one.observed_disorder),
                show_value(one.expected_disorder),
                show_value(one.value) if one.undefined is None else f"undefined ({one.undefined})",
                show_value(one.low),
                show_value(one.high),
            )
            for one in self._results
        ]
        lines = in_columns(head, rows, "<<>>>>>", indent="")
        return "\n".join([*lines, *dict.fromkeys(r.note for r in self._results if r.note)])


def gamma_table(
    data: Continuum,
    *,
    distance: Any = "nominal",
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
    soft: bool = False,
    sampler: str = "shuffle",
    n_samples: int = 30,
    precision: float | None = 0.02,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> GammaTable:
    """γ, γ_cat, and γ_k of each category, of the same alignments and samples.

    A unit in several pieces leaves them undefined. Documents that fewer than two coders saw do not
    count.

    Parameters
    ----------
    data : Continuum
        Units of one coder may overlap. Units of different documents are not aligned.
    distance, alpha, beta, empty, soft
        What is unlike, and what an alignment is: see `align`.
    sampler : {"shuffle", "statistical"}
        How chance makes continua. "shuffle" shifts coders along each document (Mathet et al.
        2015); "statistical" draws units from normal distributions, as pygamma-agreement does.
    n_samples : int
        Continua by chance to begin with.
    precision : float or None, default 0.02
        Draw as many more as δ_e of γ needs to be within this share of its value, at the confidence
        level: (cv z / e)² in all, 100,000 at most. None draws no more.
    n_resamples : int
        Of the documents, for the interval from `low` to `high`.
    confidence_level : float
        Between 0 and 1.
    method : {"bca", "percentile", "basic"}
        Of the interval, as in `inference.bootstrap`.
    rng : int or numpy Generator, optional
        The same seed gives the same values with any number of threads.
    threads : int, optional
        At most so many; by default as many as there are processors.
    progress : bool
        Show a bar (needs tqdm).

    Returns
    -------
    GammaTable

    Raises
    ------
    ValueError
        Unknown names and choices; more than 5 million possible unitary alignments.
    TypeError
        `data` that is no continuum; `soft` that is not True or False.

    Notes
    -----
    The disorder of several documents is that of one continuum that has them after each other: the
    sum over all unitary alignments by the mean number of units per coder. So documents count by
    their units. If documents have coders of their own, each document's mean is over those who saw
    it, and these means are added.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["A", "B"] * 3, starts=[0, 1, 12, 12, 30, 31], ends=[9, 9, 20, 21, 36, 36],
    ...     categories=["x", "x", "y", "x", "y", "y"], extents=50,
    ... )
    >>> found = unitizing.gamma_table(data, rng=1)
    >>> [(one.coefficient, one.category, round(one.value, 2)) for one in found][:2]
    [('gamma', None, 0.71), ('gamma_cat', None, 0.43)]
    """
    used = paired(checked(data))
    chosen = Dissimilarity.of(used, distance, alpha, beta, empty)
    check_soft(soft)
    sampling = Sampling.of(sampler, n_samples, precision)
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    names = [("gamma", None), ("gamma_cat", None), *(("gamma_k", k) for k in used.categories)]
    alone = len(data.documents) - len(used.documents)
    about = About(used, alone, chosen, soft, sampling, options)
    why = why_not(used, used.n_units) or in_pieces(used, "an alignment")
    if why is not None:
        nothing = np.zeros(0)
        return GammaTable(_result(name, nan_of(why), nothing, None, about) for name in names)
    study = Study(used, chosen, soft, sampling, options)
    found = [_value(*study.disorders(part)) for part in range(len(names))]
    parts = np.flatnonzero([one.undefined is None for one in found])
    drawn: dict[int, Spread] = {}
    if len(used.documents) > 1 and len(parts):
        shown = spreads(lambda w: study.values(parts, w), len(used.documents), options)
        drawn = dict(zip(parts.tolist(), shown, strict=True))
    return GammaTable(
        _result(name, found[part], study.disorders(part)[1], drawn.get(part), about)
        for part, name in enumerate(names)
    )


class About(NamedTuple):
    """What was asked for, and of what; the same for all coefficients."""

    data: Continuum
    n_unpaired_documents: int
    chosen: Dissimilarity
    soft: bool
    sampling: Sampling
    options: Options


@dataclass(frozen=True, slots=True)
class Value:
    """1 − δ / δ_e and its parts."""

    value: float
    observed: float
    expected: float
    undefined: str | None


def nan_of(why: str) -> Value:
    """No value, and why."""
    return Value(math.nan, math.nan, math.nan, why)


def _value(observed: float, samples: FloatArray) -> Value:
    expected = mean_of(samples)
    why = (
        NO_ALIGNED_PAIRS
        if math.isnan(observed)
        else NO_CHANCE
        if math.isnan(expected)
        else None
        if expected
        else NO_VARIATION
    )
    return Value(math.nan if why else 1 - observed / expected, observed, expected, why)


def _result(
    name: tuple[str, Any],
    found: Value,
    samples: FloatArray,
    drawn: Spread | None,
    about: About,
) -> Gamma:
    data, alone, chosen, soft, sampling, options = about
    error = error_of(samples, options.confidence_level) if found.undefined is None else math.nan
    precision = error / found.expected if found.undefined is None else math.nan
    return Gamma(
        coefficient=name[0],
        category=name[1],
        value=found.value,
        observed_disorder=found.observed,
        expected_disorder=found.expected,
        chance_low=_at(found, -error),
        chance_high=_at(found, error),
        low=math.nan if drawn is None else drawn.low,
        high=math.nan if drawn is None else drawn.high,
        standard_error=math.nan if drawn is None else drawn.standard_error,
        confidence_level=options.confidence_level,
        n_samples=int((~np.isnan(samples)).sum()),
        sampler=sampling.sampler,
        precision=precision,
        n_units=data.n_units,
        n_coders=data.n_coders,
        n_documents=len(data.documents),
        n_unpaired_documents=alone,
        distance=chosen.distance,
        alpha=chosen.alpha,
        beta=chosen.beta,
        empty=chosen.empty,
        soft=soft,
        method=options.method,
        n_resamples=0 if drawn is None else len(drawn.replicates),
        n_undefined=0 if drawn is None else int(np.isnan(drawn.replicates).sum()),
        undefined=found.undefined,
        note=None if found.undefined is not None else _note(about, drawn, len(samples)),
    )


def _at(found: Value, error: float) -> float:
    """The value if δ_e were this much larger."""
    expected = found.expected + error
    if math.isnan(error):
        return math.nan
    return 1 - found.observed / expected if expected > 0 else -math.inf


def _note(about: About, drawn: Spread | None, n_samples: int) -> str | None:
    few = about.sampling.precision is not None and n_samples >= MOST_SAMPLES
    notes = _no_interval(len(about.data.documents), drawn), MOST_DRAWN if few else None
    return "; ".join(note for note in notes if note) or None


def _no_interval(n_documents: int, drawn: Spread | None) -> str | None:
    if n_documents < 2 or drawn is None:
        return ONE_DOCUMENT
    if too_few(drawn.replicates):
        return TOO_FEW
    return ALIKE if drawn.high - drawn.low <= 1e-12 else None


def gamma(data: Continuum, **options: Unpack[GammaOptions]) -> Gamma:
    """γ: do coders mark the same units, in place and category? (Mathet et al. 2015).

    Units of one coder may overlap, be nested or stacked. 1 is perfect agreement, 0 what chance
    brings about; below 0 is worse than chance. `gamma_table` gives γ_cat and γ_k of the same
    alignments, too.

    Parameters
    ----------
    data : Continuum
        From `Continuum.from_rows` or `Continuum.from_frame`. Say how long documents are
        (``extents``): chance moves units along all of a document.
    **options
        By name, all optional:

        - ``distance``: between categories, "nominal" by default;
        - ``alpha``, ``beta``: weights of place and category, both 1;
        - ``empty``: what it costs that a unit is aligned with none, 1;
        - ``soft``: whether a unit may be aligned several times, False;
        - ``sampler``: how chance makes continua, "shuffle" (coders moved along the document) or
          "statistical" (units from normal distributions);
        - ``n_samples``: continua by chance to begin with, 30;
        - ``precision``: draw as many more as the expected disorder needs to be within this share
          of its value, 0.02; None draws no more;
        - ``n_resamples``, ``confidence_level``, ``method``: of the interval from a bootstrap of
          the documents, 1000, 0.95 and "bca";
        - ``rng``: a seed, for the same values every time;
        - ``threads``: at most so many, by default as many as there are processors;
        - ``progress``: whether to show a bar, False.

        `gamma_table` and `align` say more of each.

    Returns
    -------
    Gamma
        A float with its parts; NaN, and why, if there are no pairs of coders, no units, or a unit
        in several pieces.

    Raises
    ------
    ValueError
        Unknown names and choices; more than 5 million possible unitary alignments.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["A", "B"] * 3, starts=[0, 1, 12, 12, 30, 31], ends=[9, 9, 20, 21, 36, 36],
    ...     categories=["x", "x", "y", "x", "y", "y"], extents=50,
    ... )
    >>> found = unitizing.gamma(data, rng=1)
    >>> round(found.value, 2), found.chance_low < found.value < found.chance_high
    (0.71, True)
    """
    return gamma_table(data, **options)["gamma"]


def gamma_cat(data: Continuum, **options: Unpack[GammaOptions]) -> Gamma:
    """γ_cat: do coders give aligned units the same category? (Mathet 2017).

    Units that are aligned with none do not count. A pair of aligned units weighs the more, the
    nearer the two are: max(0, 1 − d_pos / Δ∅) / (k − 1), if k units are aligned.

    Parameters
    ----------
    data : Continuum
    **options
        Those of `gamma`.

    Returns
    -------
    Gamma

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["A", "B"] * 3, starts=[0, 0, 12, 12, 30, 30], ends=[9, 9, 20, 20, 36, 36],
    ...     categories=["x", "x", "y", "x", "y", "y"], extents=50,
    ... )
    >>> round(unitizing.gamma_cat(data, rng=1).observed_disorder, 4)
    0.3333
    """
    return gamma_table(data, **options)["gamma_cat"]


def gamma_k(data: Continuum, **options: Unpack[GammaOptions]) -> GammaTable:
    """γ_k: do coders agree if a unit of an aligned pair is of category k? (Mathet 2017).

    γ_cat of the pairs that have category k once at least.

    Parameters
    ----------
    data : Continuum
    **options
        Those of `gamma`.

    Returns
    -------
    GammaTable
        A row for each category: ``gamma_k(data)["gamma_k", category]``.

    Examples
    --------
    >>> from agreement_fast import unitizing
    >>> data = unitizing.Continuum.from_rows(
    ...     coders=["A", "B"] * 3, starts=[0, 0, 12, 12, 30, 30], ends=[9, 9, 20, 20, 36, 36],
    ...     categories=["x", "x", "y", "x", "y", "y"], extents=50,
    ... )
    >>> found = unitizing.gamma_k(data, rng=1)
    >>> found["gamma_k", "x"].observed_disorder, found["gamma_k", "y"].observed_disorder
    (0.5, 0.5)

    A's y and B's x are aligned: one of two pairs that have x, and one of two that have y.
    """
    return GammaTable(gamma_table(data, **options)[2:])
