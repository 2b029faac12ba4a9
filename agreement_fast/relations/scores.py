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
from agreement_fast.relations.related import Relations, checked
from agreement_fast.relations.trees import heads_of

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
    by : {"label"}, optional
        Give "labelled" for each label, and nothing else.
    gold : object, optional
        The coder who is taken to be right; without it, the first of two coders.
    n_resamples, confidence_level, method, rng, threads, progress :
        How documents are drawn, as in `unitizing.bootstrap`.

    Returns
    -------
    PairScores
        Of the measures "labelled" (source, target and label are the same), "unlabelled" (source and
        target) and "undirected" (the two units, whichever is the source).

    Notes
    -----
    Recall is the share of the key's relations that the response has, too, precision the reverse; in
    documents that both coders saw. Not corrected for chance: see `pairs`. F1 is also positive
    agreement over all pairs of units, which κ approaches where nearly all are unrelated (Hripcsak &
    Rothschild 2005). O(relations).

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
    """Attachment scores of trees: the share of units that have the same head.

    Parameters
    ----------
    data : Relations
        Of which each gives a unit its head, one at most for each coder. A unit without is a root,
        which is the same head for all.
    head : {"source", "target"}
        Which end of a relation is the head.
    gold, n_resamples, confidence_level, method, rng, threads, progress :
        As in `scores`.

    Returns
    -------
    PairScores
        Of the measures "unlabelled_attachment" (UAS) and "labelled_attachment" (LAS: head and label
        are the same). Precision, recall and F are one number: both coders judge the same units.

    Raises
    ------
    ValueError
        A unit with two heads.

    Notes
    -----
    Units are those that some coder relates and those given as ``units`` of `Relations.from_rows`.
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
    """A number for each relation with its label, without it, and without its direction."""
    V, L = max(len(data.units), 1), max(len(data.labels), 1)
    if float(V) * V * L >= 2.0**62:
        raise TooLargeError(f"{V:,} units and {L:,} labels are too many to number their relations")
    directed = data.source * V + data.target
    low, high = np.minimum(data.source, data.target), np.maximum(data.source, data.target)
    return [directed * L + data.label, directed, low * V + high]


def _in_common(data: Relations, keys: Array, first: Array, second: Array) -> FloatArray:
    """By document, how many relations two lists share, and how many each has."""
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
