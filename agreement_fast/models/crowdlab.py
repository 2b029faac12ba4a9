"""CROWDLAB: labels from judgments and the probabilities of a trained classifier."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.annotations import JudgmentsLike, as_annotations
from agreement_fast.errors import InputError
from agreement_fast.patterns import dense
from agreement_fast.present.tables import Aligned, in_columns
from agreement_fast.present.terminal import number_of
from agreement_fast.reading.labels import Categories

#: The least error of the most common label, and the least weight.
LEAST = 1e-6

#: Items that are printed.
SHOWN = 10


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Crowdlab(Aligned):
    """Labels of N items from judgments and a classifier, and how much each coder counts.

    Attributes
    ----------
    items, coders, categories : sequences of labels
    labels : tuple
        The most probable label of each item, with the weights that majorities give.
    confidence : float64 array of shape (N,)
        Its probability, with the weights that these labels give.
    posterior : float64 array of shape (N, K)
    n_judgments : int64 array of shape (N,)
    agreement : float64 array of shape (C,)
        How often a coder agrees with another one; the mean of the others for coders who share no
        item with anybody.
    weight : float64 array of shape (C,)
        How much a judgment of each coder counts.
    classifier_weight : float
        How much the classifier counts for an item.
    log_likelihood : float
        NaN: the weights maximise none.
    undefined : None
        CROWDLAB has labels, or raises an error.

    Notes
    -----
    A judgment gives its label the probability P, the mean share of an item's judgments that give
    its majority label, and the others the same share of the rest. The posterior is the mean of
    these and the classifier's probabilities, weighted: a coder by 1 − e/e₀, where e is how often
    they disagree with others and e₀ how often the most common label is wrong, and the classifier in
    the same way by its errors, times the root of the mean number of judgments. Right is first the
    majority, in which the classifier decides ties, and then, once, the label that follows.

    References
    ----------
    Goh, H. W., Tkachenko, U., & Mueller, J. (2022). CROWDLAB: supervised learning to infer
    consensus labels and quality scores for data with multiple annotators. arXiv:2210.06812.

    Examples
    --------
    >>> from agreement_fast import aggregate
    >>> table = [("x", "x", "y"), ("y", "y", "y"), ("x", "y", None), ("y", "y", "x")]
    >>> classifier = [(0.9, 0.1), (0.2, 0.8), (0.3, 0.7), (0.1, 0.9)]
    >>> model = aggregate(table, "crowdlab", probabilities=classifier).model
    >>> model.labels, model.confidence.round(3).tolist()
    (('x', 'y', 'y', 'y'), [0.9, 0.8, 0.7, 0.9])
    """

    items: Sequence[Any]
    coders: Sequence[Any]
    categories: Categories
    labels: tuple[Any, ...]
    confidence: FloatArray
    posterior: FloatArray
    n_judgments: Array
    agreement: FloatArray
    weight: FloatArray
    classifier_weight: float
    log_likelihood: float = math.nan
    undefined: None = None

    _column_names = "item=items label=labels confidence n_judgments"

    def __repr__(self) -> str:
        return (
            f"<Crowdlab: {number_of(len(self), 'item')}, {number_of(len(self.coders), 'coder')},"
            f" weight of the classifier {self.classifier_weight:.4g}>"
        )

    def __str__(self) -> str:
        """Show the items of least confidence."""
        order = np.argsort(self.confidence, kind="stable")[:SHOWN].tolist()
        layout = "item | label | confidence | judgments = n_judgments"
        lines = in_columns(self.columns(), layout, order, sides="<<>>")
        return "\n".join([repr(self)[1:-1], *lines])


def fit_crowdlab(data: JudgmentsLike, probabilities: Any) -> Crowdlab:
    """Weigh the coders and the classifier, twice. O(judgments · K)."""
    annotations = as_annotations(data)
    coders = annotations.known_coders("CROWDLAB")
    categories = annotations.categories
    model = _probabilities(probabilities, categories, annotations.n_rows)
    codes = dense(annotations.rows, len(coders)).astype(np.int64)
    seen = codes >= 0
    n = seen.sum(1)
    weights = annotations.rows.weights
    each = np.ones(len(n)) if weights is None else weights.astype(np.float64)
    several = (n > 1) & (each > 0)
    if not several.any():
        raise InputError("CROWDLAB needs an item with two judgments", argument="data")
    K = len(categories)
    votes = np.zeros((len(n), K))
    np.add.at(votes, (np.nonzero(seen)[0], codes[seen]), 1.0)
    tops = votes == votes.max(1, keepdims=True)
    majority = np.where(tops, model, -1.0).argmax(1)
    agreement = _agreement(codes, votes, n, each)
    mean = float(np.average(n[n > 0], weights=each[n > 0]))
    rows, labels = np.nonzero(seen)[0], codes[seen]

    def weighed(consensus: Array) -> tuple[FloatArray, FloatArray, float]:
        """Return the posterior with the weights that these labels give, and the weights."""
        over = consensus[several]
        same = (seen & (codes == consensus[:, None])).sum(1)
        share = float(np.average(same[several] / n[several], weights=each[several]))
        common = np.bincount(over, each[several], K).argmax()
        worst = max(float(np.average(over != common, weights=each[several])), LEAST)
        weight = np.maximum(1 - (1 - agreement) / worst, LEAST)
        error = float(np.average(model[several].argmax(1) != over, weights=each[several]))
        of_model = max(1 - error / worst, LEAST) * math.sqrt(mean)
        own = np.where(seen, weight, 0.0)
        rest = (1 - share) / max(K - 1, 1)
        posterior = model * of_model + rest * own.sum(1, keepdims=True)
        np.add.at(posterior, (rows, labels), (share - rest) * own[seen])
        return posterior / (of_model + own.sum(1, keepdims=True)), weight, of_model

    best = weighed(majority)[0].argmax(1)
    posterior, weight, of_model = weighed(best)
    return Crowdlab(
        items=annotations.items,
        coders=coders,
        categories=categories,
        labels=tuple(categories[k] for k in best.tolist()),
        confidence=posterior[np.arange(len(best)), best],
        posterior=posterior,
        n_judgments=n.astype(np.int64),
        agreement=agreement,
        weight=weight,
        classifier_weight=of_model,
    )


def _agreement(codes: Array, votes: FloatArray, n: Array, each: FloatArray) -> FloatArray:
    """Return how often each coder agrees with another judgment of the item."""
    seen = codes >= 0
    others = np.where(seen, np.take_along_axis(votes, np.maximum(codes, 0), 1) - 1, 0.0)
    pairs = ((n - 1)[:, None] * seen * each[:, None]).sum(0)
    result = np.full(codes.shape[1], np.nan)
    np.divide((others * each[:, None]).sum(0), pairs, out=result, where=pairs > 0)
    result[np.isnan(result)] = np.nanmean(result)
    return result


def _probabilities(given: Any, categories: Categories, n_rows: int) -> FloatArray:
    """Return the classifier's probabilities in the order of the categories."""
    names = list(getattr(given, "columns", ()))
    try:
        result = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise InputError("probabilities must be numbers", argument="probabilities") from None
    if result.shape != (n_rows, len(categories)):
        raise InputError(
            f"probabilities must have a row for each of {n_rows} items and a column for each of"
            f" {len(categories)} categories, got shape {result.shape}",
            argument="probabilities",
        )
    if names and set(names) == set(categories):
        result = result[:, [names.index(label) for label in categories]]
    if not ((result >= 0).all() and np.allclose(result.sum(1), 1, atol=1e-6)):
        raise InputError(
            "probabilities must be 0 or more and add up to 1 in each row", argument="probabilities"
        )
    return result
