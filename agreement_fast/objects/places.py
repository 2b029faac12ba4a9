"""α of the places of matched objects, by the distance 1 − IoU."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from agreement_fast.annotations import Annotations
from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError
from agreement_fast.inference.documents import NO_SPREAD, Options, shown, spreads, why_no_interval
from agreement_fast.objects.marked import Objects, check_threshold, checked, matches
from agreement_fast.reading.frames import Dictionary
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Result
from agreement_fast.tables import DETAILS


def groups(data: Objects, threshold: float) -> Array:
    """Number the objects so that matched objects have the same number.

    Coders are taken in the order of the data (Tschirschwitz et al. 2022). The objects of the next
    coder are matched with those of the first, the rest with those of the second, and so on, if the
    group has none of theirs yet. Objects without a match begin a new group.
    """
    group = np.full(len(checked(data)), -1, np.int64)
    n = 0
    for coder in range(len(data.coders)):
        left = np.flatnonzero(data.coder == coder)
        taken = np.zeros(n, bool)
        for earlier in range(coder):
            free = np.flatnonzero(data.coder == earlier)
            free = free[~taken[group[free]]]
            found = matches(data, free, left, threshold, False)
            group[found.second] = group[found.first]
            taken[group[found.first]] = True
            left = left[group[left] < 0]
        group[left] = n + np.arange(len(left))
        n += len(left)
    return group


def matched(
    data: Objects, threshold: float = 0.5, *, not_marked: Any = "not marked"
) -> Annotations:
    """Match the objects of all coders, and return each coder's label of each object.

    Parameters
    ----------
    data : Objects
        The objects of the coders.
    threshold : float, default 0.5
        The least IoU at which two objects may be matched, above 0.
    not_marked : object, default "not marked"
        The label for coders who saw the image and did not mark the object; None leaves the judgment
        missing.

    Returns
    -------
    Annotations
        Judgments of items (image, number), for coefficients, intervals (pass the images as
        ``cluster=``) and diagnoses.

    Raises
    ------
    ValueError
        If the threshold is outside (0, 1], or `not_marked` is a label of the data.

    Notes
    -----
    α (nominal) of the result is the K-α of Tschirschwitz et al. (2022) over all images together.
    They take the mean of its values for single images; `inference.agreement_by_group` returns
    these. Objects are matched by place alone, so their labels may differ. With three coders or
    more, the groups depend on the order of the coders: an object that is near two others, which are
    not near each other, is matched with the first. Places that no coder marked are not items, so
    there is no agreement on "nothing there", and chance-corrected values are lower. With a single
    label, α is below 0 unless all coders mark the same objects.

    References
    ----------
    Tschirschwitz, D., Klemstein, F., Stein, B. & Rodehorst, V. (2022). A dataset for analysing
    complex document layouts in the digital humanities and its evaluation with Krippendorff's alpha.
    GCPR.

    Examples
    --------
    >>> import agreement_fast as af
    >>> data = af.objects.Objects.from_boxes(
    ...     ["p1"] * 5, ["Ann", "Ann", "Bob", "Bob", "Bob"],
    ...     [(0, 0, 10, 10), (20, 20, 30, 30), (0, 0, 10, 8), (20, 20, 30, 29), (50, 0, 60, 9)],
    ...     ["car", "dog", "car", "cat", "cat"],
    ... )
    >>> found = af.objects.matched(data)
    >>> found.to_wide().tolist()
    [['car', 'car'], ['dog', 'cat'], ['not marked', 'cat']]
    >>> round(af.alpha(found).value, 3)
    0.231
    """
    threshold = check_threshold(threshold)
    if not_marked is not None and not_marked in checked(data).labels:
        raise InputError(
            (Argument("not_marked", not_marked), " is a label of the data"), "pass another label"
        )
    group = groups(data, threshold)
    n = int(group.max(initial=-1)) + 1
    image = np.zeros(n, np.int64)
    image[group] = data.image
    absent = data.seen[:, image]
    absent[data.coder, group] = False
    who, which = np.nonzero(absent) if not_marked is not None else (group[:0], group[:0])
    # image by image, in the order of the objects' numbers
    order = np.argsort(image, kind="stable")
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    first = np.searchsorted(image[order], image[order], side="left")
    number = np.arange(n) - first + 1
    names = [
        (data.images[i], k) for i, k in zip(image[order].tolist(), number.tolist(), strict=True)
    ]
    item = rank[np.concatenate([group, which])]
    by_item = np.argsort(item, kind="stable")
    labels = np.concatenate([data.label, np.full(len(which), len(data.labels))])
    kinds = list(data.labels) + ([not_marked] if len(which) else [])
    return Annotations.from_long(
        Dictionary(item[by_item].astype(np.int32), names, False),
        Dictionary(
            np.concatenate([data.coder, who])[by_item].astype(np.int32), list(data.coders), False
        ),
        Dictionary(labels[by_item].astype(np.int32), kinds, False),
    )


#: Up to this number of objects, all pairs are used for the expected disagreement.
ALL_PAIRS = 2000

#: Otherwise, this number of pairs is drawn.
DRAWN = 2_000_000


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PlaceAgreement(Result):
    """α of places: a float, with its interval.

    Attributes
    ----------
    value : float
        1 − D_o / D_e; NaN if undefined.
    observed_disagreement, expected_disagreement : float
        The mean of 1 − IoU over pairs within groups, and over all pairs of objects.
    expected_error : float
        The standard error of the expected disagreement if pairs were drawn; 0 if all were used.
    threshold : float
        The least IoU of matched objects.
    n_images, n_groups, n_objects : int
        Number of groups of two objects or more, and of their images and objects.
    n_unmatched : int
        Number of objects that a single coder marked, which are left out.
    standard_error, low, high : float
        The standard error and the ends of the interval, from resampling images.
    confidence_level : float
        The confidence of the interval.
    method : str
        The kind of bootstrap interval.
    n_resamples : int
        Number of resamples.
    undefined, note : str or None
        The reason if there is no value; the reason if there is no interval, or one without width.
    """

    aside = DETAILS | {"expected_error", "n_images", "n_groups", "standard_error"}

    value: float
    observed_disagreement: float
    expected_disagreement: float
    expected_error: float
    threshold: float
    n_images: int
    n_groups: int
    n_objects: int
    n_unmatched: int
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    n_resamples: int
    undefined: str | None
    note: str | None

    def __repr__(self) -> str:
        text = (
            f"alpha(1 - IoU) = {self.value:.6g} of {self.n_objects:,} objects in "
            f"{self.n_groups:,} groups at IoU {self.threshold:g}, {self.n_unmatched:,} left alone"
        )
        return shown(text, self, "images", with_interval=not math.isnan(self.low))


def place_alpha(
    data: Objects,
    threshold: float = 0.5,
    *,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    method: str = "percentile",
    rng: Any = None,
    threads: int | None = None,
    progress: bool = False,
) -> PlaceAgreement:
    """Krippendorff's α of the places of matched objects, with the distance 1 − IoU.

    Parameters
    ----------
    data : Objects
        The objects of the coders.
    threshold : float, default 0.5
        The least IoU at which two objects may be matched, above 0.
    n_resamples : int, default 1000
        How many times images are drawn with replacement for the interval.
    confidence_level : float, default 0.95
        Confidence of the interval, between 0 and 1.
    method : {"bca", "percentile", "basic"}, default "percentile"
        The kind of bootstrap interval.
    rng : int or numpy.random.Generator, optional
        A seed or generator, which also draws pairs of objects. The same seed gives the same values.
    threads : int, optional
        The largest number of threads. By default one for each processor.
    progress : bool, default False
        Whether to show a progress bar (needs tqdm).

    Returns
    -------
    PlaceAgreement
        A float with its parts and its interval.

    Warnings
    --------
    This value measures how exactly coders outline the objects that two of them found. It ignores
    objects that a single coder marked: see `matched` and `scores`. The threshold bounds D_o from
    above, so values at different thresholds are not comparable.

    Notes
    -----
    Items are the groups of `matched`, and their values are the shapes. D_o is the mean of 1 − IoU
    over the pairs within groups. D_e is the mean over all pairs of objects in groups, in the same
    or different images, by their coordinates (masks by rows and columns of pixels), as for values
    paired at random (Krippendorff 2011). For more than 2,000 objects, D_e is the mean over
    2,000,000 drawn pairs. In resamples of the images, D_e is replaced by its linear approximation.

    O(pairs of objects of an image).

    Examples
    --------
    >>> from agreement_fast import objects
    >>> data = objects.Objects.from_boxes(
    ...     ["p1", "p1", "p2", "p2"], ["Ann", "Bob", "Ann", "Bob"],
    ...     [(0, 0, 10, 10), (0, 0, 10, 8), (40, 40, 50, 50), (40, 40, 50, 49)],
    ... )
    >>> round(objects.place_alpha(data, rng=1).value, 3)
    0.791
    """
    threshold = check_threshold(threshold)
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    group = groups(data, threshold)
    size = np.bincount(group) if len(group) else np.zeros(0, np.int64)
    paired = np.flatnonzero(size[group] > 1) if len(group) else group
    first, second = _within(group, paired)
    apart = 1 - data.shapes.iou(first, second)
    shares = apart / np.maximum(size[group[first]] - 1, 1)
    n = len(paired)
    images, image = np.unique(data.image[paired], return_inverse=True)
    place = np.zeros(len(data), np.int64)
    place[paired] = image
    observed = np.bincount(place[first], shares, len(images))
    counts = np.bincount(image, minlength=len(images)).astype(np.float64)
    gaps, expected, error = _expected(data, paired, options.rng)
    by_object = np.bincount(image, gaps, len(images)) if n else counts
    sums = np.array([observed, counts, by_object])

    def values_of(weights: FloatArray) -> FloatArray:
        d_o, total, d_e = sums @ weights
        with np.errstate(invalid="ignore", divide="ignore"):
            moved = 2 * d_e / total - expected
            return np.asarray(1 - d_o / total / np.where(moved > 0, moved, np.nan))[None]

    undefined = NO_PAIRS if not n else None if expected > 0 else NO_VARIATION
    d_o = float(observed.sum() / n) if n else math.nan
    spread = spreads(values_of, len(images), options)[0] if undefined is None else NO_SPREAD
    note = None if undefined else why_no_interval(spread, len(images))
    return PlaceAgreement(
        value=1 - d_o / expected if undefined is None else math.nan,
        observed_disagreement=d_o,
        expected_disagreement=expected,
        expected_error=error,
        threshold=threshold,
        n_images=len(images),
        n_groups=int(np.count_nonzero(size > 1)),
        n_objects=n,
        n_unmatched=len(data) - n,
        **spread.parts(options),
        undefined=undefined,
        note=note,
    )


def _within(group: Array, paired: Array) -> tuple[Array, Array]:
    """Pair each object with each other object of its group."""
    order = paired[np.argsort(group[paired], kind="stable")]
    begin = np.searchsorted(group[order], group[order], side="left")
    count = np.searchsorted(group[order], group[order], side="right") - begin
    first = np.repeat(order, count)
    inside = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
    second = order[np.repeat(begin, count) + inside]
    return first[first != second], second[first != second]


def _expected(
    data: Objects, paired: Array, rng: np.random.Generator
) -> tuple[FloatArray, float, float]:
    """Return the mean distance of each object to others, that of all pairs, and its error."""
    n = len(paired)
    if n < 2:
        return np.zeros(n), math.nan, 0.0
    if n <= ALL_PAIRS:
        first, second = np.triu_indices(n, 1)
        apart = 1 - data.shapes.iou(paired[first], paired[second])
        gaps = np.bincount(first, apart, n) + np.bincount(second, apart, n)
        return gaps / (n - 1), math.fsum(gaps) / (n * (n - 1)), 0.0
    each = -(-DRAWN // n)
    first = np.repeat(np.arange(n), each)
    second = (first + rng.integers(1, n, len(first))) % n
    apart = 1 - data.shapes.iou(paired[first], paired[second])
    gaps = apart.reshape(n, each).mean(1)
    return gaps, float(apart.mean()), float(apart.std(ddof=1) / math.sqrt(len(apart)))
