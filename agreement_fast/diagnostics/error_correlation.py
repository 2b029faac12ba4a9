"""Correlation of the errors of judges, and the number of independent judges they are worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Unpack

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ratio
from agreement_fast._kernels.normal import wilson
from agreement_fast.annotations import Annotations, JudgmentsLike, ReadingOptions
from agreement_fast.diagnostics.gold_scores import label_counts, majority_codes
from agreement_fast.diagnostics.model_agreement import Judged, coder_list, read_models
from agreement_fast.errors import InputError
from agreement_fast.inference.delta_method import interval_ends
from agreement_fast.options import Column, Label, Names, check_choice, check_share
from agreement_fast.patterns import row_sizes
from agreement_fast.present.result import Sectioned
from agreement_fast.present.tables import Aligned, Matrix, ends_of
from agreement_fast.present.terminal import filled, show_label
from agreement_fast.reading.gold import is_name, set_apart, with_labels

ERRORS = ("wrong", "deviation")

ALIKE = "no variation: one of the two is right on all items, or wrong on all"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ErrorCorrelation(Sectioned, Aligned):
    """Correlations of the errors of M judges, for all P pairs of them.

    Attributes
    ----------
    models : tuple
        Names of the diagnostics.
    truth : str
        "gold", "majority of the people" or "mean of the people".
    errors : {"wrong", "deviation"}
        What an error is: a wrong label, or the difference from the truth.
    first, second : int64 array of shape (P,)
        The judges of each pair, as places in `models`.
    correlation, low, high : float64 array of shape (P,)
        Pearson's r of the errors (φ for wrong labels), and its interval; NaN if the errors of one
        of the judges do not vary.
    both_wrong : int64 array of shape (P,)
        Items on which both judges are wrong, counted with their weights.
    both_wrong_expected : float64 array of shape (P,)
        The expected number of such items if the judges err independently.
    same_wrong, same_wrong_low, same_wrong_high : float64 array of shape (P,)
        The share of these items on which both give the same wrong label, and Wilson's interval.
    same_wrong_expected : float
        1 / (K − 1) for K categories: the expected share if judges choose among the wrong labels at
        random. NaN for deviations.
    error_rate, error_rate_low, error_rate_high : float64 array of shape (M,)
        The share of wrong labels of each judge, and Wilson's interval; NaN for deviations.
    varies : bool array of shape (M,)
        Whether the errors of a judge vary. A judge that is always right, or always wrong, has no
        correlation.
    mean_correlation, mean_low, mean_high : float
        The mean over the pairs that have a correlation, and its interval.
    effective, effective_low, effective_high : float
        The number of independent judges that the n judges whose errors vary are worth,
        n / (1 + (n − 1) mean r), and its interval. Judges whose errors do not vary are left out.
    effective_by_eigenvalues : float
        The same number from the eigenvalues of the correlation matrix, n² / Σ r².
    n_items : int
        Items with a truth that all judges judged, counted with their weights.
    n_without, n_incomplete : int
        Items without a truth, and items with a truth that at least one judge did not judge.
    n_one_person : int
        Items among `n_items` whose truth is the label of a single person; 0 if `gold` was given.
    confidence_level : float
        Confidence level of the intervals.
    undefined : tuple of P str or None
        Why a correlation is undefined.
    """

    _caption = (
        "errors of {_counted} against the {truth}[: mean correlation {mean_correlation}][, as good "
        "as {effective:.3g} independent judges ({effective_low:.3g} to {effective_high:.3g})], "
        "{n_items:item}[, {n_one_person} of them with the label of a single person]"
    )
    _title = "Errors on the same items"
    _meaning = (
        "[{effective!}No two models have errors that vary, so there is no correlation. ][Not"
        " counted, because their errors do not vary: {_constant}. ][Same label: the share"
        " of the items on which both are wrong that have the same wrong label; by chance it would"
        " be {same_wrong_expected:.3g}.][{_deviates?}An error is a label minus the truth.]"
    )
    _ordered_by = "-correlation"
    _n_labels = 2
    _most = 12
    _what = "pair"
    _remarks = ""
    _below = "_left_out"

    def _layout(self) -> str:
        of_labels = (
            " | both wrong = both_wrong | by chance = both_wrong_expected:,.1f | same label ="
            " same_wrong"
        )
        pairs = "model = first | model = second | correlation | low..high"
        return pairs + of_labels * (not self._deviates)

    @property
    def _deviates(self) -> bool:
        return self.errors == "deviation"

    @property
    def _constant(self) -> str:
        wrong = {0.0: "never wrong", 1.0: "always wrong"}  # NaN for deviations
        return ", ".join(
            f"{show_label(name, 24)} ({wrong.get(rate, 'the same error everywhere')})"
            for name, rate, varies in zip(self.models, self.error_rate, self.varies, strict=True)
            if not varies
        )

    @property
    def _left_out(self) -> list[str]:
        left = filled(
            "Left out[: {n_without:item} without a truth][: {n_incomplete:item} that a model did "
            "not judge].",
            self._value_of,
        )
        people = (
            "People are not always right, and if they are wrong, all models that are right seem to"
            " err together: pass gold labels (--gold COLUMN, or gold=)."
        )
        return [left] * bool(self.n_without + self.n_incomplete) + [people] * (self.truth != "gold")

    models: tuple[Any, ...]
    truth: str
    errors: str
    first: Array
    second: Array
    correlation: FloatArray
    low: FloatArray
    high: FloatArray
    both_wrong: Array
    both_wrong_expected: FloatArray
    same_wrong: FloatArray
    same_wrong_low: FloatArray
    same_wrong_high: FloatArray
    same_wrong_expected: float
    error_rate: FloatArray
    error_rate_low: FloatArray
    error_rate_high: FloatArray
    varies: Array
    mean_correlation: float
    mean_low: float
    mean_high: float
    effective: float
    effective_low: float
    effective_high: float
    effective_by_eigenvalues: float
    n_items: int
    n_without: int
    n_incomplete: int
    n_one_person: int
    confidence_level: float
    undefined: tuple[str | None, ...]

    def matrix(self) -> Matrix:
        """Return the correlation matrix of all judges; NaN if a correlation is undefined."""
        out = np.eye(len(self.models))
        out[self.first, self.second] = out[self.second, self.first] = self.correlation
        return Matrix(out, self.models, self.models, "model", "model")

    _column_names = (
        "first=models[first] second=models[second] correlation low high both_wrong "
        "both_wrong_expected same_wrong same_wrong_low same_wrong_high confidence_level n_items "
        "undefined"
    )

    def _counted(self) -> str:
        n, every = int(self.varies.sum()), len(self.models)
        return f"{every} judges" if n == every else f"{n} of {every} judges (those that vary)"


def error_correlation(
    data: JudgmentsLike,
    model: Names,
    gold: Label | Column | None = None,
    *,
    person: Names | None = None,
    errors: Literal["wrong", "deviation"] = "wrong",
    confidence_level: float = 0.95,
    **reading: Unpack[ReadingOptions],
) -> ErrorCorrelation:
    """Correlate the errors of judges, and estimate how many independent judges they are worth.

    Parameters
    ----------
    data : Annotations, a file's path, or anything that `Annotations.from_wide` reads
        The judgments of the people, and of the models if `model` names coders.
    model : sequence of coders, or mapping name -> labels
        Two or more models: coders of `data`, or labels of models that are not in it, as in
        `model_agreement`.
    gold : coder, mapping item -> label, or sequence of shape (n_rows,), optional
        The correct labels. By default the majority of the people; items on which they tie have no
        truth. For ``errors="deviation"``, the default is the mean of the people.
    person : coder or sequence of coders, optional
        The people; by default all coders that are neither models nor the truth.
    errors : {"wrong", "deviation"}, default "wrong"
        What an error is. "wrong": a label other than the truth. "deviation": the label minus the
        truth, for labels that are numbers.
    confidence_level : float, default 0.95
        Confidence level of the intervals, between 0 and 1.
    **reading
        How to read a table: `item`, `coder`, `label`, `layout`, `missing`, `categories`, `weights`
        and `duplicates`; see `agreement`.

    Returns
    -------
    ErrorCorrelation
        The correlation of each pair, its mean, and the effective number of diagnostics.

    Raises
    ------
    ValueError
        If there are fewer than two models, if no item has a truth and a label of every model, or
        if ``errors="deviation"`` and a label is not a number.

    Notes
    -----
    All values are computed over the items that have a truth and that all judges judged. The
    variance of r is estimated by the delta method, with the influences
    z_a z_b − r (z_a² + z_b²) / 2 for standardized errors z. The interval is symmetric on the scale
    of atanh, with n − 1 degrees of freedom. The interval of the mean correlation uses the mean of
    the influences.

    The mean of n judges with equal variance and mean correlation r varies as much as the mean of
    n / (1 + (n − 1) r) independent judges (the design effect of Kish 1965). The second number,
    n² / Σ_ab r_ab² = (Σ λ)² / Σ λ², treats negative and positive correlations alike (Bretherton et
    al. 1999). The share of equal labels when both judges are wrong is from Kim et al. (2025).

    The majority of the people can be wrong. All judges that are right on such an item then count
    as wrong together, which raises the correlation.

    The cost is O(items · models²).

    References
    ----------
    Kish, L. (1965). Survey sampling. Wiley.
    Bretherton, C. S. et al. (1999). The effective number of spatial degrees of freedom of a
    time-varying field. Journal of Climate 12, 1990–2009.
    Kim, E., Garg, A., Peng, K. & Garg, N. (2025). Correlated errors in large language models.
    International Conference on Machine Learning, 30038–30066.

    Examples
    --------
    >>> import agreement_fast as af
    >>> truth = ["x", "y", "z", "x", "y", "z"] * 10
    >>> gpt = ["x", "y", "z", "y", "y", "x"] * 10
    >>> gemini = ["x", "y", "z", "y", "x", "x"] * 10
    >>> llama = ["y", "y", "z", "x", "y", "z"] * 10
    >>> models = {"gpt": gpt, "gemini": gemini, "llama": llama}
    >>> result = af.diagnostics.error_correlation([[t] for t in truth], models, truth)
    >>> result.correlation.round(3).tolist()
    [0.707, -0.316, -0.447]
    >>> result.both_wrong.tolist(), result.same_wrong.tolist()
    ([20, 0, 0], [1.0, nan, nan])
    """
    check_choice("errors", errors, ERRORS)
    check_share("confidence_level", confidence_level)
    judged, right = _with_gold(data, model, gold, person, **reading)
    n_models = len(judged.models)
    if n_models < 2:
        raise InputError(
            f"error_correlation() needs at least two models, got {n_models}", argument="model"
        )
    what = "gold"
    alone = (row_sizes(judged.people.rows) == 1) & (right is None)
    true: FloatArray | None = None
    if errors == "deviation":
        numbers = numbers_of(judged.people, "errors='deviation'", "errors")
        if right is None:
            what, true = "mean of the people", _means(judged.people, numbers)
        else:
            true = np.append(numbers, np.nan)[right]
        known = ~np.isnan(true)
    else:
        if right is None:
            what, right = "majority of the people", majority_codes(judged.people)
        known = right >= 0
    weights = judged.weights
    complete = (judged.labels >= 0).all(1)
    kept = known & complete & (weights > 0)
    n = int(weights[kept].sum())
    if not n:
        raise InputError(
            f"no item has a label of every model and a truth ({what})", argument="model"
        )
    labels, w = judged.labels[kept], weights[kept].astype(np.float64)
    wrong = np.zeros(labels.shape, bool)
    if true is not None:
        error = numbers[labels] - true[kept, None]
    else:
        assert right is not None
        wrong = labels != right[kept, None]
        error = wrong.astype(np.float64)
    first, second = np.triu_indices(n_models, 1)
    of_pairs = _correlate(error, w, first, second)
    spread_ends = interval_ends(
        of_pairs.r, of_pairs.error, np.full(len(first), n), confidence_level, "atanh"
    )
    pairs = list(zip(first, second, strict=True))
    both = np.array([w @ (wrong[:, a] & wrong[:, b]) for a, b in pairs])
    same = np.array([w @ (wrong[:, a] & (labels[:, a] == labels[:, b])) for a, b in pairs])
    rates = w @ wrong
    nothing = np.nan if errors == "deviation" else 0.0
    K = len(judged.people.labels)
    mean, mean_error = of_pairs.mean, of_pairs.mean_error
    mean_ends = [*map(float, interval_ends(mean, mean_error, n, confidence_level, "atanh"))]
    vary = int(of_pairs.varies.sum()) if math.isfinite(mean) else 0
    return ErrorCorrelation(
        models=judged.models,
        truth=what,
        errors=errors,
        first=first,
        second=second,
        correlation=of_pairs.r,
        **ends_of("", spread_ends),
        both_wrong=both.astype(np.int64),
        both_wrong_expected=rates[first] * rates[second] / n + nothing,
        same_wrong=ratio(same, both),
        **ends_of("same_wrong", wilson(same, both, confidence_level)),
        same_wrong_expected=1.0 / (K - 1) if K > 1 and true is None else math.nan,
        error_rate=rates / n + nothing,
        **ends_of("error_rate", wilson(rates + nothing, n, confidence_level)),
        varies=of_pairs.varies,
        mean_correlation=mean,
        **ends_of("mean", mean_ends),
        effective=_effective(vary, mean),
        **ends_of("effective", (_effective(vary, end) for end in mean_ends[::-1])),
        effective_by_eigenvalues=_participation(of_pairs.r, vary),
        n_items=n,
        n_without=int(weights[~known].sum()),
        n_incomplete=int(weights[known & ~complete].sum()),
        n_one_person=int(weights[kept & alone].sum()),
        confidence_level=confidence_level,
        undefined=tuple(ALIKE if np.isnan(r) else None for r in of_pairs.r.tolist()),
    )


def _with_gold(
    data: Any, model: Any, gold: Any, person: Any, **reading: Unpack[ReadingOptions]
) -> tuple[Judged, Array | None]:
    """Return models and people without the coder that is gold, and gold's codes."""
    purpose = "error_correlation()"
    if gold is None:
        return read_models(data, model, person, purpose, **reading), None
    if not is_name(gold):
        judged = read_models(data, model, person, purpose, **reading)
        annotations, right = with_labels(judged.people, gold, "gold")
        if annotations is judged.people:
            return judged, right
        old = {label: code for code, label in enumerate(annotations.categories)}
        moved = np.array([old[label] for label in judged.people.categories] + [-1])
        return Judged(annotations, judged.models, moved[judged.labels]), right
    if isinstance(model, Mapping):
        # Gold is one more "model", taken out of the data.
        judged = read_models(data, model, None, purpose, **reading)
        people = None if person is None else coder_list(person)
        others, right = set_apart(judged.people, [gold], people, purpose)
        return Judged(others, judged.models, judged.labels), right[:, 0]
    judged = read_models(data, [*coder_list(model), gold], person, purpose, **reading)
    return (
        Judged(judged.people, judged.models[:-1], judged.labels[:, :-1]),
        judged.labels[:, -1],
    )


def numbers_of(annotations: Annotations, purpose: str, argument: str) -> FloatArray:
    """Return the categories as numbers; `purpose` needs them."""
    labels = annotations.categories
    for label in labels:
        if isinstance(label, (str, bool)) or not isinstance(label, (int, float)):
            raise InputError(
                f"{purpose} needs labels that are numbers, got {label!r}", argument=argument
            )
    return np.array(labels, np.float64)


def _means(annotations: Annotations, numbers: FloatArray) -> FloatArray:
    out = np.full(annotations.n_rows, np.nan)
    for some, counts in label_counts(annotations):
        out[some] = ratio(counts @ numbers, counts.sum(1))
    return out


class _Correlated(NamedTuple):
    """Correlations of pairs and their mean, each with its standard error."""

    r: FloatArray
    error: FloatArray
    mean: float
    mean_error: float
    varies: Array


def _correlate(errors: FloatArray, w: FloatArray, first: Array, second: Array) -> _Correlated:
    n = w.sum()
    centred = errors - (w @ errors) / n
    spread = np.sqrt((w @ centred**2) / n)
    scale = np.abs(errors).max(0, initial=0.0)
    z = np.divide(centred, spread, out=np.full(centred.shape, np.nan), where=spread > 1e-12 * scale)
    r, error = np.full(len(first), np.nan), np.full(len(first), np.nan)
    together = np.zeros(len(w))
    factor = 1 / (n - 1) if n > 1 else np.nan
    for p, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        r[p] = np.clip((w * z[:, a]) @ z[:, b] / n, -1.0, 1.0)
        influence = z[:, a] * z[:, b] - r[p] / 2 * (z[:, a] ** 2 + z[:, b] ** 2)
        error[p] = math.sqrt(factor * (w @ influence**2) / n)
        if not np.isnan(r[p]):
            together += influence
    defined = ~np.isnan(r)
    varies = ~np.isnan(z).any(0)
    if not defined.any():
        return _Correlated(r, error, math.nan, math.nan, varies)
    mean_error = math.sqrt(factor * (w @ (together / defined.sum()) ** 2) / n)
    return _Correlated(r, error, float(r[defined].mean()), mean_error, varies)


def _effective(n: int, r: float) -> float:
    """Return the number of independent judges that n judges with mean correlation r are worth."""
    if math.isnan(r):
        return math.nan
    left = 1 + (n - 1) * r
    return n / left if left > 1e-12 else math.inf


def _participation(r: FloatArray, n: int) -> float:
    squares = float((r[~np.isnan(r)] ** 2).sum())
    return n * n / (n + 2 * squares) if n else math.nan
