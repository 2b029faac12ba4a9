"""Judges who err on the same items: how their errors correlate, and how many judges they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.diagnostics.apart import is_name, set_apart
from agreement_fast.diagnostics.gold import with_labels
from agreement_fast.diagnostics.majority import label_counts, majority_codes
from agreement_fast.errors import InputError
from agreement_fast.inference.delta_method import interval_ends
from agreement_fast.inference.shares import wilson
from agreement_fast.judges.models import Judged, read_models
from agreement_fast.options import check_choice, check_share
from agreement_fast.patterns import row_sizes
from agreement_fast.tables import Matrix, Tabular
from agreement_fast.terminal import align, number_of, show_label, show_value

ERRORS = ("wrong", "deviation")

ALIKE = "no variation: one of the two is right on all items, or wrong on all"

#: Pairs that are printed.
SHOWN = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ErrorCorrelation(Tabular):
    """The errors of each two judges: arrays of pairs have shape (P,), of judges (M,).

    Attributes
    ----------
    models : tuple
    truth : str
        "gold", or "majority of the people", or "mean of the people".
    errors : {"wrong", "deviation"}
    first, second : int64 (P,)
        The pairs, as places in `models`.
    correlation, low, high : float64 (P,)
        Pearson's r of the errors, φ of right and wrong, and its interval; NaN where a judge's
        errors do not vary.
    both_wrong : int64 (P,)
        Items on which both are wrong, weights counted.
    both_wrong_expected : float64 (P,)
        How many there would be if they erred independently.
    same_wrong, same_wrong_low, same_wrong_high : float64 (P,)
        The share of these on which both give the same wrong label, and Wilson's interval.
    same_wrong_expected : float
        1 / (K − 1): that of judges who choose among the wrong labels by lot. 1 for two categories.
    error_rate, error_rate_low, error_rate_high : float64 (M,)
        The share of wrong labels of each judge, and Wilson's interval; NaN for deviations.
    varies : bool (M,)
        Whether a judge's errors vary: one that never errs, or always, correlates with nobody.
    mean_correlation, mean_low, mean_high : float
        The mean of the pairs that have a value, and its interval.
    effective, effective_low, effective_high : float
        How many independent judges those whose errors vary are worth: n / (1 + (n − 1) mean r)
        of n such judges. The others are not counted.
    effective_by_eigenvalues : float
        n² / Σ r²: the same from the eigenvalues of all correlations.
    n_items : int
        Items that all judges judged and that have a truth, weights counted.
    n_without, n_incomplete : int
        Items without a truth; those with one that some judge did not judge.
    n_one_person : int
        Of the items, those whose truth is what a single person said; 0 where the truth is given.
    confidence_level : float
    undefined : tuple of P str or None
    """

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

    def __len__(self) -> int:
        return len(self.first)

    def matrix(self) -> Matrix:
        """Give the correlations of all judges, 1 of each with itself; NaN where undefined."""
        n = len(self.models)
        out = np.eye(n)
        out[self.first, self.second] = out[self.second, self.first] = self.correlation
        return Matrix(out, self.models, self.models, "model", "model")

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Give a row for each pair of judges."""
        n = len(self)
        return {
            "first": [self.models[i] for i in self.first.tolist()],
            "second": [self.models[i] for i in self.second.tolist()],
            "correlation": self.correlation,
            "low": self.low,
            "high": self.high,
            "both_wrong": self.both_wrong,
            "both_wrong_expected": self.both_wrong_expected,
            "same_wrong": self.same_wrong,
            "same_wrong_low": self.same_wrong_low,
            "same_wrong_high": self.same_wrong_high,
            "confidence_level": [self.confidence_level] * n,
            "n_items": [self.n_items] * n,
            "undefined": self.undefined,
        }

    def __repr__(self) -> str:
        ends = f"{self.effective_low:.3g} to {self.effective_high:.3g}"
        return (
            f"<errors of {self._counted()} against the {self.truth}: mean correlation "
            f"{self.mean_correlation:.6g}, as good as {self.effective:.3g} independent judges "
            f"({ends}), {number_of(self.n_items, 'item')}>"
        )

    def _counted(self) -> str:
        n, every = int(self.varies.sum()), len(self.models)
        return f"{every} judges" if n == every else f"{n} of {every} judges (those that vary)"

    def __str__(self) -> str:
        """The pairs whose errors correlate most."""
        order = np.argsort(-self.correlation, kind="stable")[:SHOWN].tolist()
        rows = [
            (
                show_label(self.models[self.first[p]]),
                show_label(self.models[self.second[p]]),
                show_value(float(self.correlation[p])),
                f"{show_value(float(self.low[p]))} to {show_value(float(self.high[p]))}",
                str(self.both_wrong[p]),
                f"{self.both_wrong_expected[p]:.1f}",
                show_value(float(self.same_wrong[p])),
            )
            for p in order
        ]
        head = (
            "judge",
            "judge",
            "correlation",
            "interval",
            "both wrong",
            "by chance",
            "same label",
        )
        return "\n".join([repr(self)[1:-1], *align(head, rows, "<<>>>>>")])


def error_correlation(
    data: Any,
    models: Any,
    truth: Any = None,
    *,
    people: Iterable[Any] | None = None,
    errors: str = "wrong",
    confidence_level: float = 0.95,
) -> ErrorCorrelation:
    """Correlate the errors of judges, and count how many independent judges they are worth.

    Parameters
    ----------
    data : Annotations, or anything that `Annotations.from_wide` reads
    models : sequence of coders, or mapping name -> labels
        As in `judges.compare`; two or more.
    truth : coder, mapping item -> label, or sequence of shape (n_rows,), optional
        By default what most of the people say; items on which they are level have none.
    people : sequence of coders, optional
        By default all who are neither models nor the truth.
    errors : {"wrong", "deviation"}
        What an error is: another label than the truth, or, for labels that are numbers, the label
        less the truth. For deviations the truth is by default the mean of the people.
    confidence_level : float

    Returns
    -------
    ErrorCorrelation

    Raises
    ------
    ValueError
        Fewer than two models; no item that all models judged and that has a truth; labels that are
        no numbers for deviations.

    Notes
    -----
    Over the items that all judges judged and that have a truth. The variance of r is that of the
    delta method, whose influences are z_a z_b − r (z_a² + z_b²) / 2 for standardized errors z; the
    interval is symmetric on the scale of atanh, with n − 1 degrees of freedom. That of the mean
    correlation takes the mean of the influences.

    The mean of n judges of equal variance whose errors correlate by r on average varies as much as
    that of n / (1 + (n − 1) r) independent ones (the design effect of Kish 1965). The second
    number, n² / Σ_ab r_ab² = (Σ λ)² / Σ λ², weighs negative and positive correlations alike
    (Bretherton et al. 1999). The share of equal labels where both are wrong is that of Kim et al.
    (2025).

    A truth that people voted on errs itself, and its errors are wrong answers of all judges who are
    right there: it adds to the correlation. O(items · models²).

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
    >>> found = af.judges.error_correlation([[t] for t in truth], models, truth)
    >>> found.correlation.round(3).tolist()
    [0.707, -0.316, -0.447]
    >>> found.both_wrong.tolist(), found.same_wrong.tolist()
    ([20, 0, 0], [1.0, nan, nan])
    """
    check_choice("errors", errors, ERRORS)
    check_share("confidence_level", confidence_level)
    judged, right = _with_truth(data, models, truth, people)
    n_models = len(judged.models)
    if n_models < 2:
        raise InputError(
            f"error_correlation() needs two models or more, got {n_models}", argument="models"
        )
    what = "gold"
    alone = (row_sizes(judged.people.rows) == 1) & (right is None)
    true: FloatArray | None = None
    if errors == "deviation":
        numbers = _numbers(judged.people)
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
    complete = (judged.said >= 0).all(1)
    kept = known & complete & (weights > 0)
    n = int(weights[kept].sum())
    if not n:
        raise InputError(
            f"no item has a label of every model and a truth ({what})", argument="models"
        )
    said, w = judged.said[kept], weights[kept].astype(np.float64)
    wrong = np.zeros(said.shape, bool)
    if true is not None:
        error = numbers[said] - true[kept, None]
    else:
        assert right is not None
        wrong = said != right[kept, None]
        error = wrong.astype(np.float64)
    first, second = np.triu_indices(n_models, 1)
    of_pairs = _correlate(error, w, first, second)
    spread_ends = interval_ends(
        of_pairs.r, of_pairs.error, np.full(len(first), n), confidence_level, "atanh"
    )
    both = np.array([w @ (wrong[:, a] & wrong[:, b]) for a, b in zip(first, second, strict=True)])
    same = np.array(
        [w @ (wrong[:, a] & (said[:, a] == said[:, b])) for a, b in zip(first, second, strict=True)]
    )
    rates = w @ wrong
    nothing = np.nan if errors == "deviation" else 0.0
    rate_ends = wilson(rates + nothing, n, confidence_level)
    same_ends = wilson(same, both, confidence_level)
    K = len(judged.people.labels)
    mean, mean_error = of_pairs.mean, of_pairs.mean_error
    mean_low, mean_high = (
        float(end[0]) for end in interval_ends([mean], [mean_error], [n], confidence_level, "atanh")
    )
    vary = int(of_pairs.varies.sum()) if math.isfinite(mean) else 0
    return ErrorCorrelation(
        models=judged.models,
        truth=what,
        errors=errors,
        first=first,
        second=second,
        correlation=of_pairs.r,
        low=spread_ends[0],
        high=spread_ends[1],
        both_wrong=both.astype(np.int64),
        both_wrong_expected=rates[first] * rates[second] / n + nothing,
        same_wrong=np.divide(same, both, out=np.full(len(both), np.nan), where=both > 0),
        same_wrong_low=same_ends[0],
        same_wrong_high=same_ends[1],
        same_wrong_expected=1.0 / (K - 1) if K > 1 and true is None else math.nan,
        error_rate=rates / n + nothing,
        error_rate_low=rate_ends[0],
        error_rate_high=rate_ends[1],
        varies=of_pairs.varies,
        mean_correlation=mean,
        mean_low=mean_low,
        mean_high=mean_high,
        effective=_effective(vary, mean),
        effective_low=_effective(vary, mean_high),
        effective_high=_effective(vary, mean_low),
        effective_by_eigenvalues=_participation(of_pairs.r, vary),
        n_items=n,
        n_without=int(weights[~known].sum()),
        n_incomplete=int(weights[known & ~complete].sum()),
        n_one_person=int(weights[kept & alone].sum()),
        confidence_level=confidence_level,
        undefined=tuple(ALIKE if np.isnan(r) else None for r in of_pairs.r.tolist()),
    )


def _with_truth(
    data: Any, models: Any, truth: Any, people: Iterable[Any] | None
) -> tuple[Judged, Array | None]:
    """Models and people without the coder who is the truth; its codes by row."""
    purpose = "judges.error_correlation()"
    if truth is None:
        return read_models(data, models, people, purpose), None
    if not is_name(truth):
        judged = read_models(data, models, people, purpose)
        annotations, _ = with_labels(judged.people, truth, "truth")
        if annotations is judged.people:
            return judged, with_labels(annotations, truth, "truth")[1]
        old = {label: code for code, label in enumerate(annotations.categories)}
        moved = np.array([old[label] for label in judged.people.categories] + [-1])
        right = with_labels(annotations, truth, "truth")[1]
        return Judged(annotations, judged.models, moved[judged.said]), right
    if isinstance(models, Mapping):
        # The truth is one more "model", taken out of the data.
        judged = read_models(data, models, None, purpose)
        others, right = set_apart(judged.people, [truth], people, purpose)
        return Judged(others, judged.models, judged.said), right[:, 0]
    listed = [models] if is_name(models) else list(models)
    judged = read_models(data, [*listed, truth], people, purpose)
    return (
        Judged(judged.people, judged.models[:-1], judged.said[:, :-1]),
        judged.said[:, -1],
    )


def _numbers(annotations: Annotations) -> FloatArray:
    labels = annotations.categories
    for label in labels:
        if isinstance(label, (str, bool)) or not isinstance(label, (int, float)):
            raise InputError(
                f"errors='deviation' needs labels that are numbers, got {label!r}",
                argument="errors",
            )
    return np.array(labels, np.float64)


def _means(annotations: Annotations, numbers: FloatArray) -> FloatArray:
    out = np.full(annotations.n_rows, np.nan)
    for some, counts in label_counts(annotations):
        n = counts.sum(1)
        out[some] = np.divide(counts @ numbers, n, out=np.full(len(n), np.nan), where=n > 0)
    return out


class _Correlated(NamedTuple):
    """Correlations of pairs with their standard errors, and their mean with its own."""

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
    """Independent judges that n judges of a mean correlation are worth."""
    if math.isnan(r):
        return math.nan
    left = 1 + (n - 1) * r
    return n / left if left > 1e-12 else math.inf


def _participation(r: FloatArray, n: int) -> float:
    squares = float((r[~np.isnan(r)] ** 2).sum())
    return n * n / (n + 2 * squares) if n else math.nan
