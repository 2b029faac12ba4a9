"""Precision, recall and F1 of relations, and attachment scores of trees."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import TooLargeError
from agreement_fast.inference.documents import Options
from agreement_fast.options import check_choice
from agreement_fast.pair_scores import (
    Measure,
    PairScores,
    PairSums,
    coder_pairs,
    f_score,
    pair_scores,
    ratio,
)
from agreement_fast.relations.related import Relations, checked, heads_of

NO_RELATIONS = "neither coder relates anything in documents that both saw"
NO_UNITS = "there are no units in documents that both saw"


def scores(
    data: Relations,
    *,
    by: str | None = None,
    gold: Any = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> PairScores:
    """Score the relations of each pair of coders, or of each coder against a gold one.

    Parameters
    ----------
    data : Relations
        The relations of the coders.
    by : {"label"}, optional
        "label" returns "labelled" for each label, without the other measures.
    gold : object, optional
        The coder who is taken as correct. Recall is then the share of their relations that the
        others have. By default, the first coder of each pair takes this role.
    n_resamples : int, default 1000
        How many times documents are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The kind of bootstrap interval.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same values.
    threads : int, optional
        The largest number of threads. By default one for each processor.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    PairScores
        The measures "labelled" (same source, target and label), "unlabelled" (same source and
        target) and "undirected" (same two units).

    Notes
    -----
    Recall is the share of the key's relations that the response also has, precision the share of
    the response's relations that the key also has, in documents that both coders saw. Not corrected
    for chance: see `pairs`. F1 equals positive agreement over all pairs of units, which κ
    approaches if most pairs are unrelated (Hripcsak & Rothschild 2005). O(relations).

    References
    ----------
    Hripcsak, G. & Rothschild, A. S. (2005). Agreement, the F-measure, and reliability in
    information retrieval. Journal of the American Medical Informatics Association 12, 296-298.

    Examples
    --------
    >>> from agreement_fast import relations
    >>> data = relations.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s3", "s2", "contrast"),
    ... ])
    >>> found = relations.scores(data)
    >>> [found[name].value for name in ("labelled", "unlabelled", "undirected")]
    [0.5, 0.5, 1.0]
    """
    if by is not None:
        check_choice("by", by, ("label",))
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    kinds = _keys(checked(data))
    if by == "label":
        kinds = kinds[:1]
    found: list[PairSums] = []
    for pair in coder_pairs(data.coders, gold):
        shared = np.flatnonzero(data.seen[pair[0]] & data.seen[pair[1]])
        sides = [np.flatnonzero(data.coder == coder) for coder in pair]
        sums = np.concatenate([_in_common(data, keys, *sides) for keys in kinds])
        found.append(PairSums(*pair, None, shared, sums[:, shared], shared))
        for label in range(len(data.labels) if by == "label" else 0):
            mine, theirs = (side[data.label[side] == label] for side in sides)
            sums = _in_common(data, kinds[0], mine, theirs)
            found.append(PairSums(*pair, data.labels[label], shared, sums[:, shared], shared))
    names = ("labelled", "unlabelled", "undirected")[: len(kinds)]
    measures = {name: _f1(3 * place) for place, name in enumerate(names)}
    reasons = dict.fromkeys(names, NO_RELATIONS)
    known = gold is not None
    return pair_scores(
        data.coders, found, measures, reasons, len(data.documents), options, gold=known
    )


def attachment(
    data: Relations,
    *,
    head: str = "source",
    gold: Any = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "bca",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> PairScores:
    """Compute attachment scores of trees: the share of units with the same head.

    Parameters
    ----------
    data : Relations
        The trees of the coders: each relation gives a unit its head, at most one for each coder. A
        unit without a head is a root, and all roots count as the same head.
    head : {"source", "target"}, default "source"
        Which end of a relation is the head.
    gold : object, optional
        Compare this coder with each other coder. By default all pairs of coders are compared.
    n_resamples : int, default 1000
        How many times documents are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "bca"
        The kind of bootstrap interval.
    rng : int or numpy.random.Generator, optional
        A seed or generator. The same seed gives the same values.
    threads : int, optional
        The largest number of threads. By default one for each processor.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    PairScores
        The measures "unlabelled_attachment" (UAS) and "labelled_attachment" (LAS: same head and
        label). Precision, recall and F are equal: both coders judge the same units.

    Raises
    ------
    ValueError
        If a unit has two heads.

    Notes
    -----
    Units are those that some coder relates, and those passed as ``units`` to `Relations.from_rows`.
    The scores are those of dependency parsing. Not corrected for chance. O(coders² · units).

    Examples
    --------
    >>> from agreement_fast import relations
    >>> data = relations.Relations.from_rows([
    ...     ("d", "Ann", "s1", "s2", "cause"), ("d", "Bob", "s1", "s2", "cause"),
    ...     ("d", "Ann", "s2", "s3", "cause"), ("d", "Bob", "s1", "s3", "contrast"),
    ... ])
    >>> round(relations.attachment(data)["unlabelled_attachment"].value, 3)
    0.667
    """
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    heads, labels = heads_of(data, head)
    n = len(data.documents)
    found = []
    for pair in coder_pairs(data.coders, gold):
        shared = np.flatnonzero(data.seen[pair[0]] & data.seen[pair[1]])
        same = heads[pair[0]] == heads[pair[1]]
        alike = same & (labels[pair[0]] == labels[pair[1]])
        sums = np.array([
            np.bincount(data.document_of, kept, n) for kept in (same, alike, np.ones(len(same)))
        ])  # fmt: skip
        found.append(PairSums(*pair, None, shared, sums[:, shared], shared))
    names = ("unlabelled_attachment", "labelled_attachment")
    measures = {name: _share(place) for place, name in enumerate(names)}
    reasons = dict.fromkeys(names, NO_UNITS)
    return pair_scores(data.coders, found, measures, reasons, n, options, gold=gold is not None)


def _keys(data: Relations) -> list[Array]:
    """Number each relation with its label, without it, and without its direction."""
    V, L = max(len(data.units), 1), max(len(data.labels), 1)
    if float(V) * V * L >= 2.0**62:
        raise TooLargeError(f"{V:,} units and {L:,} labels are too many to number their relations")
    directed = data.source * V + data.target
    low, high = np.minimum(data.source, data.target), np.maximum(data.source, data.target)
    return [directed * L + data.label, directed, low * V + high]


def _in_common(data: Relations, keys: Array, first: Array, second: Array) -> FloatArray:
    """Count by document the relations that two lists share, and those of each."""
    found = []
    one, place = np.unique(keys[first], return_index=True)
    other, other_place = np.unique(keys[second], return_index=True)
    _, at, _ = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    for which in (first[place[at]], first[place], second[other_place]):
        found.append(np.bincount(data.document[which], minlength=len(data.documents)))
    return np.array(found, np.float64)


def _f1(start: int) -> Measure:
    def measure(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        precision = ratio(sums[start], sums[start + 2])
        recall = ratio(sums[start], sums[start + 1])
        return precision, recall, f_score(precision, recall)

    return measure


def _share(row: int) -> Measure:
    def measure(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        share = ratio(sums[row], sums[2])
        return share, share, share

    return measure
