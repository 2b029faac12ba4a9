"""Precision, recall and F1 of objects matched at a threshold."""

from __future__ import annotations

from typing import Any

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.inference.documents import Options
from agreement_fast.objects.marked import Objects, Overlaps, check_threshold, checked, matches
from agreement_fast.options import check_choice, check_flag
from agreement_fast.pair_scores import (
    PairScores,
    PairSums,
    coder_pairs,
    f_score,
    pair_scores,
    ratio,
)
from agreement_fast.tables import Table

NO_OBJECTS = "neither coder marked anything in images that both saw"


def scores(
    data: Objects,
    threshold: float = 0.5,
    *,
    by: str | None = None,
    labels: bool = True,
    gold: Any = None,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "percentile",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> PairScores:
    """Score the objects of each pair of coders, or of each coder against a gold one.

    Parameters
    ----------
    data : Objects
        The objects of the coders.
    threshold : float, default 0.5
        The least IoU at which two objects may be matched, above 0.
    by : {"label"}, optional
        "label" adds a score for each label.
    labels : bool, default True
        Whether objects must have the same label to match, as in detection benchmarks. If False,
        they are matched by place alone.
    gold : object, optional
        The coder who is taken as correct. Recall is then the share of their objects that the others
        have. By default, the first coder of each pair takes this role.
    n_resamples : int, default 1000
        How many times images are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "percentile"
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
        The measure "f1" for each pair of coders, and the mean over the pairs.

    Raises
    ------
    ValueError
        If the threshold is outside (0, 1], or `gold` is not a coder.

    Notes
    -----
    In each image that both coders saw, objects are matched one to one with the largest sum of IoU
    (Kuhn 1955), among pairs at or above the threshold. Recall is the share of the key's objects
    that are matched, precision the share of the response's. Not corrected for chance.

    O(pairs of objects of an image).

    Examples
    --------
    >>> from agreement_fast import objects
    >>> data = objects.Objects.from_boxes(
    ...     ["p1", "p1", "p1", "p2", "p2"], ["Ann", "Bob", "Bob", "Ann", "Bob"],
    ...     [(0, 0, 10, 10), (0, 0, 10, 8), (20, 20, 30, 30), (5, 5, 9, 9), (5, 5, 9, 7)],
    ... )
    >>> found = objects.scores(data, 0.6, rng=1)["f1"]
    >>> round(found.precision, 3), found.recall, found.value
    (0.333, 0.5, 0.4)
    """
    if by is not None:
        check_choice("by", by, ("label",))
    threshold = check_threshold(threshold)
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    pairs: list[PairSums] = []
    labels = check_flag("labels", labels)
    for key, response in coder_pairs(checked(data).coders, gold):
        own, other, shared = both_saw(data, key, response)
        found = matches(data, own, other, threshold, labels)
        pairs.append(_sums(data, (key, response), None, own, other, found, shared))
        for label in range(len(data.labels) if by == "label" else 0):
            mine, theirs = (which[data.label[which] == label] for which in (own, other))
            of_label = found.at(data.label[found.first] == label)
            if not labels:  # matched by place: both must have the label
                of_label = of_label.at(data.label[of_label.second] == label)
            pairs.append(_sums(data, (key, response), label, mine, theirs, of_label, shared))
    reasons = {"f1": NO_OBJECTS}
    gold_known = gold is not None
    return pair_scores(
        data.coders, pairs, {"f1": _f1}, reasons, len(data.images), options, gold=gold_known
    )


def by_image(
    data: Objects, threshold: float = 0.5, *, labels: bool = True, gold: Any = None
) -> Table:
    """Compute precision, recall and F1 image by image, to find images in which coders differ.

    Parameters
    ----------
    data : Objects
        The objects of the coders.
    threshold : float, default 0.5
        The least IoU at which two objects may be matched, above 0.
    labels : bool, default True
        Whether objects must have the same label to match. If False, they are matched by place
        alone.
    gold : object, optional
        The coder who is taken as correct. Recall is then the share of their objects that the others
        have. By default, the first coder of each pair takes this role.

    Returns
    -------
    Table
        A row for each image and pair of coders who both saw it: "image", "key", "response",
        "n_key", "n_response", "n_matched", "precision", "recall", "f1" and "mean_iou", the mean IoU
        of matched objects. Values without anything to count are NaN.

    Examples
    --------
    >>> from agreement_fast import objects
    >>> data = objects.Objects.from_boxes(
    ...     ["p1", "p1", "p1"], ["Ann", "Bob", "Bob"],
    ...     [(0, 0, 10, 10), (0, 0, 10, 8), (20, 20, 30, 30)],
    ... )
    >>> found = objects.by_image(data).to_dict()
    >>> found["precision"], found["recall"], found["mean_iou"]
    ([0.5], [1.0], [0.8])
    """
    threshold = check_threshold(threshold)
    names = ("image", "key", "response", "n_key", "n_response", "n_matched", "precision", "recall")
    columns: dict[str, list[Any]] = {name: [] for name in (*names, "f1", "mean_iou")}
    labels = check_flag("labels", labels)
    for key, response in coder_pairs(checked(data).coders, gold):
        own, other, shared = both_saw(data, key, response)
        found = matches(data, own, other, threshold, labels)
        n = len(data.images)
        counts = np.array(
            [np.bincount(data.image[which], minlength=n) for which in (found.first, own, other)],
            np.float64,
        )[:, shared]
        iou = np.bincount(data.image[found.first], found.iou, n).astype(np.float64)[shared]
        precision, recall, f1 = _f1(counts)
        columns["image"] += [data.images[i] for i in shared.tolist()]
        columns["key"] += [data.coders[key]] * len(shared)
        columns["response"] += [data.coders[response]] * len(shared)
        for name, column in zip(("n_matched", "n_key", "n_response"), counts, strict=True):
            columns[name] += column.astype(np.int64).tolist()
        for name, values in (
            ("precision", precision),
            ("recall", recall),
            ("f1", f1),
            ("mean_iou", ratio(iou, counts[0])),
        ):
            columns[name] += values.tolist()
    return Table(columns)


def both_saw(data: Objects, first: int, second: int) -> tuple[Array, Array, Array]:
    """Return the objects of two coders in images that both saw, and these images."""
    shared = data.seen[first] & data.seen[second]
    inside = shared[data.image]
    own, other = (np.flatnonzero(inside & (data.coder == coder)) for coder in (first, second))
    return own, other, np.flatnonzero(shared)


def _sums(
    data: Objects,
    pair: tuple[int, int],
    label: int | None,
    own: Array,
    other: Array,
    found: Overlaps,
    shared: Array,
) -> PairSums:
    n = len(data.images)
    counts = np.array(
        [np.bincount(data.image[which], minlength=n) for which in (found.first, own, other)],
        np.float64,
    )
    images = np.flatnonzero(counts.any(0))
    name = None if label is None else data.labels[label]
    return PairSums(*pair, name, images, counts[:, images], shared)


def _f1(sums: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    precision, recall = ratio(sums[0], sums[2]), ratio(sums[0], sums[1])
    return precision, recall, f_score(precision, recall)
