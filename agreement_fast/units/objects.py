"""Objects that coders marked in images: their places, judgments and scores, and their files."""

from __future__ import annotations

import json
import math
import os
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from agreement_fast._kernels.arrays import Array, FloatArray, ranges
from agreement_fast.annotations import Annotations
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.inference.draws import NO_SPREAD, spreads, why_no_interval
from agreement_fast.inference.resample import Options
from agreement_fast.options import (
    BootstrapMethod,
    ByName,
    Column,
    Label,
    Numbers,
    Seed,
    Seen,
    check_choice,
    check_kind,
    check_share,
)
from agreement_fast.present.tables import DETAILS, Tabular, aligned
from agreement_fast.present.terminal import show_label
from agreement_fast.reading.frames import Dictionary
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import in_python
from agreement_fast.results import NO_PAIRS, NO_VARIATION, Resampled
from agreement_fast.units.continuum import who_saw
from agreement_fast.units.doubts import hint_at_names, notes_on
from agreement_fast.units.pair_scores import Choices, Kind, PairSums, Study, best_matching, f1

#: Errors of these arguments.
wrong_boxes = partial(InputError, argument="boxes")
wrong_masks = partial(InputError, argument="masks")

FORMS = ("xyxy", "xywh")

#: Corners up to which areas are far from overflow, and sides from which on they are no 0.
LARGEST, SMALLEST = 1e100, 1e-100


# ---------------------------------------------------------------------------------------------
# Boxes


class Boxes:
    """Boxes x0, y0, x1, y1: float64 of shape (n, 4)."""

    def __init__(self, ends: FloatArray) -> None:
        self.ends = ends

    def __len__(self) -> int:
        return len(self.ends)

    def iou(self, first: Array, second: Array) -> FloatArray:
        """Return the area of the intersection divided by that of the union."""
        a, b = self.ends[first], self.ends[second]
        sides = np.minimum(a[:, 2:], b[:, 2:]) - np.maximum(a[:, :2], b[:, :2])
        shared = np.prod(np.clip(sides, 0, None), axis=1)
        either = np.prod(a[:, 2:] - a[:, :2], axis=1) + np.prod(b[:, 2:] - b[:, :2], axis=1)
        return np.asarray(shared / (either - shared))

    def described(self) -> list[str]:
        return [" ".join(f"{x:.12g}" for x in row) for row in self.ends.tolist()]


def read_boxes(boxes: Any, form: str) -> Boxes:
    """Check boxes; `form` says what their four numbers are."""
    check_choice("form", form, FORMS)
    try:
        ends = np.array(boxes if hasattr(boxes, "__array__") else list(boxes), np.float64)
    except (TypeError, ValueError):
        raise InputTypeError(
            "boxes are rows of four numbers, and these are not all numbers or not all as long",
            argument="boxes",
        ) from None
    if not ends.size:
        ends = ends.reshape(0, 4)
    if ends.ndim != 2 or ends.shape[1] != 4:
        width = ends.shape[1] if ends.ndim == 2 else ends.ndim
        more = "rotated boxes are not read: pass masks" if width == 5 else "pass x0, y0, x1, y1"
        raise wrong_boxes(f"boxes must have four numbers, not {width}", more)
    wrong = np.flatnonzero(~(np.abs(ends) <= LARGEST).all(1))
    if len(wrong):
        result = ends[wrong[0]]
        number = result[~(np.abs(result) <= LARGEST)][0]
        raise wrong_boxes(
            f"box {wrong[0]} has the number {number:g}: they go from {-LARGEST:g} to {LARGEST:g}",
            "leave the box out, or correct it",
        )
    if form == "xywh":
        ends[:, 2:] += ends[:, :2]
    bad = np.flatnonzero((ends[:, 2:] - ends[:, :2] < SMALLEST).any(1))
    if len(bad):
        row = [float(f"{x:.12g}") for x in ends[bad[0]].tolist()]
        raise wrong_boxes(
            f"box {bad[0]} is from {row[0]:g}, {row[1]:g} to {row[2]:g}, {row[3]:g}: the second "
            "corner must be right of the first and below it",
            ("if the numbers are x, y, width and height, pass ", Argument("form", "xywh"))
            if form == "xyxy"
            else None,
        )
    return Boxes(ends)


# ---------------------------------------------------------------------------------------------
# Masks


class Runs(NamedTuple):
    """A mask as runs of pixels, column by column: their starts, lengths and cumulated lengths."""

    start: Array
    length: Array
    before: Array
    area: int

    def up_to(self, place: Array) -> Array:
        """How many pixels of the mask stand before some places."""
        run = np.searchsorted(self.start, place, side="right") - 1
        inside = np.minimum(place - self.start[run], self.length[run])
        return np.where(run < 0, 0, self.before[run] + inside)


class Masks:
    """Masks by their runs, and the size of the image of each.

    Places are counted column by column, so that masks of images of different height are brought to
    the greatest one: then pixels of one row and column have one place.
    """

    def __init__(self, runs: Sequence[Runs], sizes: Sequence[tuple[int, int]]) -> None:
        self.sizes = list(sizes)
        height = max((own for own, _ in sizes), default=0)
        runs = [
            run if own == height else _in_height(run, own, height)
            for run, (own, _) in zip(runs, sizes, strict=True)
        ]
        self.runs = runs
        ends = [(int(run.start[0]), int(run.start[-1] + run.length[-1])) for run in runs]
        self._span = np.array(ends, np.int64).reshape(-1, 2)

    def __len__(self) -> int:
        return len(self.runs)

    def iou(self, first: Array, second: Array) -> FloatArray:
        """Return the area of the intersection divided by that of the union."""
        a, b = self._span[first], self._span[second]
        out = np.zeros(len(first))
        meet = (a[:, 0] < b[:, 1]) & (b[:, 0] < a[:, 1])
        for place in np.flatnonzero(meet).tolist():
            i, j = int(first[place]), int(second[place])
            entry, other = sorted((self.runs[i], self.runs[j]), key=lambda runs: len(runs.start))
            stop = entry.start + entry.length
            shared = int((other.up_to(stop) - other.up_to(entry.start)).sum())
            out[place] = shared / (entry.area + other.area - shared)
        return out

    def described(self) -> list[str]:
        return [
            f"{run.area} of {height} x {width} pixels"
            for run, (height, width) in zip(self.runs, self.sizes, strict=True)
        ]


def _in_height(runs: Runs, own: int, height: int) -> Runs:
    """The runs of a mask as if its columns were higher; a run ends with its column."""
    stop = runs.start + runs.length
    first, last = runs.start // own, (stop - 1) // own
    run, column = ranges(first, last - first + 1)
    start = np.maximum(runs.start[run], column * own)
    length = np.minimum(stop[run], (column + 1) * own) - start
    before = np.cumsum(length) - length
    return Runs(start + column * (height - own), length, before, runs.area)


#: A mask: an array of two dimensions, or COCO's run lengths.
Mask: TypeAlias = Numbers | Mapping[str, Any]


def read_masks(masks: Any) -> Masks:
    """Check masks: arrays of two dimensions, or COCO's run lengths."""
    if isinstance(masks, (str, bytes, Mapping)) or not isinstance(masks, Iterable):
        raise InputTypeError(
            f"masks must be a list of masks, not {type(masks).__name__}", argument="masks"
        )
    read = [_runs(mask, place) for place, mask in enumerate(masks)]
    return Masks([runs for runs, _ in read], [size for _, size in read])


def _runs(mask: Any, place: int) -> tuple[Runs, tuple[int, int]]:
    if isinstance(mask, Mapping):
        counts, size = _counts(mask, place)
    else:
        table = np.asarray(mask)
        if table.ndim != 2 or table.dtype.kind not in "bui" or not np.isin(table, (0, 1)).all():
            raise wrong_masks(
                f"mask {place} is not a table of 0 and 1",
                "pass an array of two dimensions, or COCO's {'size': ..., 'counts': ...}",
            )
        flat = np.concatenate([[0], table.T.reshape(-1).astype(np.int8), [0]])
        edges = np.flatnonzero(np.diff(flat))
        counts, size = np.diff(edges, prepend=0), (table.shape[0], table.shape[1])
    ends = np.cumsum(counts)
    length = counts[1::2]
    start = ends[1::2] - length
    start, length = start[length > 0], length[length > 0]
    if not len(length):
        raise wrong_masks(f"mask {place} has no pixel", "leave it out")
    return Runs(start, length, np.cumsum(length) - length, int(length.sum())), size


def _counts(mask: Mapping[str, Any], place: int) -> tuple[Array, tuple[int, int]]:
    """The run lengths of COCO: pixels without and with the object in turn, column by column."""
    if not {"size", "counts"} <= mask.keys():
        raise wrong_masks(f"mask {place} has no 'size' and 'counts'")
    size, counts = np.asarray(mask["size"]), mask["counts"]
    if isinstance(counts, (str, bytes)):
        counts = _decompressed(counts if isinstance(counts, bytes) else counts.encode(), place)
    counts = np.asarray(counts)
    if size.shape != (2,) or size.dtype.kind not in "iu" or (size < 1).any():
        raise wrong_masks(
            f"mask {place} has the size {mask['size']!r}",
            "pass its height and its width, two whole numbers",
        )
    height, width = size.tolist()
    if counts.dtype.kind not in "iu":
        raise wrong_masks(f"the counts of mask {place} must be whole numbers")
    counts = counts.astype(np.int64)
    if counts.ndim != 1 or (counts < 0).any() or counts.sum() != height * width:
        raise wrong_masks(f"the counts of mask {place} do not add up to {height} x {width} pixels")
    return counts, (height, width)


def _decompressed(text: bytes, place: int) -> list[int]:
    """Return the counts that COCO writes as text.

    A character holds five bits, the lowest first, and a sixth that says whether more follow; the
    last of a number has its sign. From the fourth number on, each is the difference from the count
    two before it.
    """
    counts: list[int] = []
    number = shift = 0
    for character in text:
        bits = character - 48
        if not 0 <= bits < 64:
            raise wrong_masks(f"mask {place} has compressed counts with the byte {character}")
        number |= (bits & 31) << shift
        shift += 5
        if not bits & 32:
            if bits & 16:
                number -= 1 << shift
            counts.append(number + (counts[-2] if len(counts) > 2 else 0))
            number = shift = 0
    if shift:
        raise wrong_masks(f"mask {place} has compressed counts that end within a number")
    return counts


Shapes = Boxes | Masks

#: The label of objects without a label.
MARKED = "marked"


class Objects(Tabular):
    """Boxes or masks that coders marked in images. Make them with `from_boxes` or `from_masks`.

    Attributes
    ----------
    images, coders, labels : tuple
        The names of images, coders and labels.
    image, coder, label : int array of shape (n,)
        The image, coder and label of each object, as positions in these names.
    seen : bool array of shape (coders, images)
        Which coder saw which image.

    Examples
    --------
    >>> from agreement_fast import units
    >>> boxes = [(0, 0, 10, 10), (1, 0, 11, 10)]
    >>> marked = units.Objects.from_boxes(["a", "a"], ["Ann", "Bea"], boxes, ["cat", "cat"])
    >>> marked.images, marked.coders, marked.labels
    (('a',), ('Ann', 'Bea'), ('cat',))
    """

    _caption = "{rows:object} of {coders:coder} in {images:image}, labels: {labels:list}"

    def __init__(
        self,
        names: tuple[tuple[Label, ...], tuple[Label, ...], tuple[Label, ...]],
        codes: tuple[Array, Array, Array],
        shapes: Shapes,
        seen: Array,
    ) -> None:
        self.images, self.coders, self.labels = names
        self.image, self.coder, self.label = codes
        self.shapes, self.seen = shapes, seen

    @staticmethod
    def from_boxes(
        images: Column,
        coders: Column,
        boxes: Numbers,
        labels: Column | None = None,
        *,
        form: Literal["xyxy", "xywh"] = "xyxy",
        seen: Seen | None = None,
    ) -> Objects:
        """Read boxes, one a row.

        Parameters
        ----------
        images, coders : sequence of length n
            The image and the coder of each box.
        boxes : array-like of shape (n, 4)
            The boxes, with sides parallel to the image's.
        labels : sequence of length n, optional
            The label of each box. By default all have the label "marked".
        form : {"xyxy", "xywh"}, default "xyxy"
            Whether the numbers of a box are two corners, or a corner, width and height (COCO).
        seen : "all", pairs (image, coder), or mapping image -> coders, optional
            Which coders saw an image. By default those who marked something in it: an image in
            which a coder marked nothing counts as not seen by them. "all": all coders saw all
            images. Pairs or a mapping add coders who saw an image without marking anything.

        Returns
        -------
        Objects
            The boxes.

        Raises
        ------
        ValueError
            If columns differ in length, or if boxes have no area or are rotated.

        Examples
        --------
        >>> from agreement_fast.units import Objects
        >>> data = Objects.from_boxes(
        ...     ["p1", "p1", "p1"], ["Ann", "Bob", "Bob"],
        ...     [(0, 0, 10, 10), (0, 0, 10, 8), (20, 20, 30, 30)], ["car", "car", "dog"],
        ... )
        >>> data
        <3 objects of 2 coders in 1 image, labels: car, dog>
        """
        return _objects(images, coders, read_boxes(boxes, form), labels, seen)

    @staticmethod
    def from_masks(
        images: Column,
        coders: Column,
        masks: Iterable[Mask],
        labels: Column | None = None,
        *,
        seen: Seen | None = None,
    ) -> Objects:
        """Read masks, one a row.

        Parameters
        ----------
        images, coders : sequence of length n
            The image and the coder of each mask.
        masks : iterable of length n
            Two-dimensional arrays of 0 and 1, or COCO's run lengths
            ``{"size": [height, width], "counts": ...}``, compressed or not.
        labels : sequence of length n, optional
            The label of each mask. By default all have the label "marked".
        seen : "all", pairs (image, coder), or mapping image -> coders, optional
            Which coders saw an image. By default those who marked something in it. "all": all
            coders saw all images. Pairs or a mapping add coders who saw an image without marking
            anything.

        Returns
        -------
        Objects
            The masks.

        Raises
        ------
        ValueError
            If columns differ in length, if a mask is empty, if masks of one image differ in size,
            or if compressed counts are damaged.

        Examples
        --------
        >>> from agreement_fast.units import Objects
        >>> left = [[1, 1, 0], [1, 1, 0]]
        >>> same = {"size": [2, 3], "counts": [0, 4, 2]}
        >>> data = Objects.from_masks(["p", "p"], ["Ann", "Bob"], [left, same])
        >>> float(data.shapes.iou([0], [1])[0])
        1.0
        """
        shapes = read_masks(masks)
        data = _objects(images, coders, shapes, labels, seen)
        known: dict[int, tuple[int, int]] = {}
        for image, size in zip(data.image.tolist(), shapes.sizes, strict=True):
            if known.setdefault(image, size) != size:
                raise wrong_masks(
                    f"masks of image {show_label(data.images[image])} have the sizes "
                    f"{known[image]} and {size}",
                    "give all masks of an image its size",
                )
        return data

    def __len__(self) -> int:
        return len(self.image)

    def columns(self) -> Mapping[str, Sequence[Any] | Array]:
        """Return a row for each object."""
        columns = aligned(self, "image=images[image] coder=coders[coder] label=labels[label]")
        return {**columns, "shape": self.shapes.described()}


def _objects(images: Any, coders: Any, shapes: Shapes, labels: Any, seen: Any) -> Objects:
    image, image_names = encode_ids(images, "image")
    coder, coder_names = encode_ids(coders, "coder")
    n = len(shapes)
    label, label_names = encode_ids([MARKED] * n if labels is None else labels, "label")
    for column, what in ((image, "images"), (coder, "coders"), (label, "labels")):
        if len(column) != n:
            raise InputError(
                f"got {len(column)} {what} for {n} shapes: pass one for each shape", argument=what
            )
    of_image, of_coder = (
        {name: i for i, name in enumerate(in_python(names))} for names in (image_names, coder_names)
    )
    saw = who_saw(seen, "image", of_image, of_coder, np.array([image, coder]))
    named = (tuple(of_image), tuple(of_coder), tuple(in_python(label_names)))
    hint_at_names(notes_on(named[1], named[0], named[2], "images"))
    return Objects(named, (np.asarray(image), np.asarray(coder), np.asarray(label)), shapes, saw)


def checked(data: Any) -> Objects:
    """Check the type."""
    return check_kind(data, Objects, "Objects", f"make them with {MADE_BY}")


#: Pairs that are looked at together.
AT_ONCE = 2**20


class Overlaps(NamedTuple):
    """Pairs of objects by their places, and their IoU."""

    first: Array
    second: Array
    iou: FloatArray

    def at(self, chosen: Array) -> Overlaps:
        return Overlaps(self.first[chosen], self.second[chosen], self.iou[chosen])


def check_threshold(threshold: float) -> float:
    """Return a threshold above 0, up to 1."""
    return 1.0 if threshold == 1 else check_share("threshold", threshold)


def overlaps(
    data: Objects, first: Array, second: Array, threshold: float, same_label: bool
) -> Overlaps:
    """All pairs of two lists of objects that lie in one image and reach a threshold.

    O(pairs of objects of an image), in pieces.
    """
    key = data.image.astype(np.int64)
    if same_label:
        key = key * len(data.labels) + data.label
    order = second[np.argsort(key[second], kind="stable")]
    begin = np.searchsorted(key[order], key[first], side="left")
    count = np.searchsorted(key[order], key[first], side="right") - begin
    result = []
    stop = np.cumsum(count)
    place = 0
    while place < len(first):
        reached = stop[place - 1] if place else 0
        last = max(int(np.searchsorted(stop, reached + AT_ONCE, side="right")), place + 1)
        which, at = ranges(begin[place:last], count[place:last])
        a, b = first[place:last][which], order[at]
        iou = data.shapes.iou(a, b)
        kept = iou >= threshold
        result.append(Overlaps(a[kept], b[kept], iou[kept]))
        place = last
    if not result:
        none = np.zeros(0, np.int64)
        return Overlaps(none, none, np.zeros(0))
    return Overlaps(*(np.concatenate(parts) for parts in zip(*result, strict=True)))


def matches(
    data: Objects, first: Array, second: Array, threshold: float, same_label: bool
) -> Overlaps:
    """Return the one-to-one matching of two lists of objects with the largest sum of IoU."""
    every = overlaps(data, first, second, threshold, same_label)
    return every.at(best_matching(every.first, every.second, every.iou))


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
            result = matches(data, free, left, threshold, False)
            group[result.second] = group[result.first]
            taken[group[result.first]] = True
            left = left[group[left] < 0]
        group[left] = n + np.arange(len(left))
        n += len(left)
    return group


def judged_matches(data: Objects, threshold: float, not_marked: Any) -> Annotations:
    """Match the objects of all coders, and return each coder's label of each object."""
    threshold = check_threshold(threshold)
    if not_marked is not None and not_marked in data.labels:
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
class PlaceAgreement(Resampled):
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

    _caption = (
        "alpha(1 - IoU) = {value} of {n_objects:object} in {n_groups:group} at IoU "
        "{threshold:g}, {n_unmatched} left alone[, {interval} ({method}, {n_resamples} resamples "
        "of images)]"
    )

    aside = DETAILS | {"expected_error", "n_images", "n_groups", "standard_error"}

    observed_disagreement: float
    expected_disagreement: float
    expected_error: float
    threshold: float
    n_images: int
    n_groups: int
    n_objects: int
    n_unmatched: int


def place_alpha(
    data: Objects,
    threshold: float = 0.5,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    method: BootstrapMethod = "percentile",
    rng: Seed = None,
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
    n_resamples : int, default 2000
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
    >>> from agreement_fast import units
    >>> data = units.Objects.from_boxes(
    ...     ["p1", "p1", "p2", "p2"], ["Ann", "Bob", "Ann", "Bob"],
    ...     [(0, 0, 10, 10), (0, 0, 10, 8), (40, 40, 50, 50), (40, 40, 50, 49)],
    ... )
    >>> round(units.place_alpha(data, rng=1).value, 3)
    0.791
    """
    threshold = check_threshold(threshold)
    options = Options.of(n_resamples, confidence_level, method, rng, threads, progress)
    group = groups(data, threshold)
    size = np.bincount(group) if len(group) else np.zeros(0, np.int64)
    paired = np.flatnonzero(size[group] > 1) if len(group) else group
    # Each object with each other object of its group
    order = paired[np.argsort(group[paired], kind="stable")]
    begin = np.searchsorted(group[order], group[order], side="left")
    count = np.searchsorted(group[order], group[order], side="right") - begin
    which, at = ranges(begin, count)
    first, second = order[which], order[at]
    first, second = first[first != second], second[first != second]
    apart = 1 - data.shapes.iou(first, second)
    shares = apart / np.maximum(size[group[first]] - 1, 1)
    n = len(paired)
    images, image = np.unique(data.image[paired], return_inverse=True)
    place = np.zeros(len(data), np.int64)
    place[paired] = image
    observed = np.bincount(place[first], shares, len(images))
    counts = np.bincount(image, minlength=len(images)).astype(np.float64)
    gaps, expected, error = _expected(data, paired, options.rng)
    sums = np.array([observed, counts, np.bincount(image, gaps, len(images)) if n else counts])

    def values_of(weights: FloatArray) -> FloatArray:
        d_o, total, d_e = sums @ weights
        with np.errstate(invalid="ignore", divide="ignore"):
            moved = 2 * d_e / total - expected
            return np.asarray(1 - d_o / total / np.where(moved > 0, moved, np.nan))[None]

    undefined = NO_PAIRS if not n else None if expected > 0 else NO_VARIATION
    d_o = float(observed.sum() / n) if n else math.nan
    spread = spreads(values_of, len(images), options)[0] if undefined is None else NO_SPREAD
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
        note=None if undefined else why_no_interval(spread, len(images)),
    )


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


NO_OBJECTS = "neither coder marked anything in images that both saw"

#: Of matched objects, those of the key and those of the response.
F1 = f1(0, 1, 2, NO_OBJECTS, overlap=3)


def _study(data: Objects, choices: Choices) -> Study:
    threshold = check_threshold(choices.threshold)
    pairs: list[PairSums] = []
    for pair in choices.pairs:
        shared = data.seen[pair[0]] & data.seen[pair[1]]
        sides = [np.flatnonzero(shared[data.image] & (data.coder == coder)) for coder in pair]
        matched = matches(data, sides[0], sides[1], threshold, choices.labelled)
        images = np.flatnonzero(shared)
        pairs.append(PairSums.of(pair, None, _sums(data, matched, *sides), images))
        for code in range(len(data.labels) if choices.by_label else 0):
            own = [side[data.label[side] == code] for side in sides]
            # matched by place, both must have the label
            both = (data.label[matched.first] == code) & (data.label[matched.second] == code)
            sums = _sums(data, matched.at(both), *own)
            pairs.append(PairSums.of(pair, data.labels[code], sums, images))
    return Study(data.images, {"f1": F1}, pairs)


def _sums(data: Objects, matched: Overlaps, first: Array, second: Array) -> FloatArray:
    """Count by image the matches and the objects of each, and add up the overlap of matches."""
    n = len(data.images)
    counts = [np.bincount(data.image[some], minlength=n) for some in (matched.first, first, second)]
    return np.array([*counts, np.bincount(data.image[matched.first], matched.iou, n)], np.float64)


MADE_BY = "af.units.Objects.from_boxes or af.units.Objects.from_masks"
OPTIONS = frozenset({"labelled", "threshold"})
NAMED = ("f1",)
OBJECTS = Kind(Objects, MADE_BY, _study, ("label", "image"), NAMED, NAMED, OPTIONS, "percentile")


# ---------------------------------------------------------------------- files of COCO and CVAT

#: The shapes that are read.
SHAPES = ("boxes", "masks")

#: What COCO and CVAT have beside boxes and masks.
OTHERS = {
    "polygon": "draw polygons as masks",
    "polyline": "lines have no area",
    "points": "points have no area",
    "ellipse": "draw ellipses as masks",
    "cuboid": "cuboids are not in the plane",
    "skeleton": "skeletons have no area",
}


class Marked(NamedTuple):
    """An object of a file: its image, its shape and its label."""

    image: str
    shape: Any
    label: Any


def read_coco(
    files: ByName[str | os.PathLike[str]], shape: Literal["boxes", "masks"] = "boxes"
) -> Objects:
    """Read what each coder marked from a file of COCO.

    Parameters
    ----------
    files : mapping coder -> path
        A file of COCO's JSON for each coder, with "images", "annotations" and "categories".
    shape : {"boxes", "masks"}, default "boxes"
        Whether to compare "bbox", or the run lengths of "segmentation", compressed or not.

    Returns
    -------
    Objects
        The objects. Images are called by their file names. A coder saw all images of their file.

    Raises
    ------
    ValueError
        If a file is no such JSON, names an image or a category that it does not have, or has a
        polygon where masks are read. The error names the file and the annotation.

    Examples
    --------
    >>> import json, pathlib, tempfile
    >>> from agreement_fast import units
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for coder, width in (("Ann", 10), ("Bob", 8)):
    ...     _ = (folder / f"{coder}.json").write_text(json.dumps({
    ...         "images": [{"id": 1, "file_name": "p1.jpg"}, {"id": 2, "file_name": "p2.jpg"}],
    ...         "categories": [{"id": 3, "name": "car"}],
    ...         "annotations": [{"image_id": 1, "category_id": 3, "bbox": [0, 0, width, 10]}],
    ...     }))
    >>> units.read_coco({coder: folder / f"{coder}.json" for coder in ("Ann", "Bob")})
    <2 objects of 2 coders in 2 images, labels: car>
    """
    return _read(files, shape, _of_coco, "xywh")


def read_cvat(
    files: ByName[str | os.PathLike[str]], shape: Literal["boxes", "masks"] = "boxes"
) -> Objects:
    """Read what each coder marked from a file of CVAT, "CVAT for images 1.1".

    Parameters
    ----------
    files : mapping coder -> path
        The annotations.xml of each coder.
    shape : {"boxes", "masks"}, default "boxes"
        Which of the shapes to compare; the file may have no others.

    Returns
    -------
    Objects
        The objects. Images are called by their names. A coder saw all images of their file.

    Raises
    ------
    ValueError
        If a file is no such XML, or has rotated boxes or other shapes. The error names the file and
        the image.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from agreement_fast import units
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for coder, right in (("Ann", 10), ("Bob", 8)):
    ...     _ = (folder / f"{coder}.xml").write_text(
    ...         '<annotations><image id="0" name="p1.jpg" width="40" height="30">'
    ...         f'<box label="car" xtl="0" ytl="0" xbr="{right}" ybr="10"/></image></annotations>'
    ...     )
    >>> units.read_cvat({coder: folder / f"{coder}.xml" for coder in ("Ann", "Bob")})
    <2 objects of 2 coders in 1 image, labels: car>
    """
    return _read(files, shape, _of_cvat, "xyxy")


def _read(
    files: ByName[str | os.PathLike[str]],
    shape: str,
    parse: Callable[[Path, str], tuple[list[str], list[Marked]]],
    form: Literal["xyxy", "xywh"],
) -> Objects:
    check_choice("shape", shape, SHAPES)
    if not isinstance(files, Mapping):
        raise InputTypeError.must_be("files", "a mapping from coders to paths", files)
    rows: list[tuple[Any, ...]] = []
    seen: list[tuple[str, Any]] = []
    for coder, path in files.items():
        names, marked = parse(Path(path), shape)
        seen += [(image, coder) for image in names]
        rows += [(image, coder, drawn, label) for image, drawn, label in marked]
    images, coders, shapes, labels = map(list, zip(*rows, strict=True)) if rows else ([],) * 4
    if shape == "boxes":
        return Objects.from_boxes(images, coders, shapes, labels, form=form, seen=seen)
    return Objects.from_masks(images, coders, shapes, labels, seen=seen)


def _of_coco(path: Path, shape: str) -> tuple[list[str], list[Marked]]:
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
        images = {entry["id"]: entry.get("file_name", entry["id"]) for entry in document["images"]}
        names = {entry["id"]: entry["name"] for entry in document["categories"]}
        annotations = document["annotations"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _no_file(path, "COCO's JSON with images, annotations and categories", error) from None
    marked = []
    for place, annotation in enumerate(annotations):
        where = f"{path}: annotation {annotation.get('id', place)}"
        image, label = annotation.get("image_id"), annotation.get("category_id")
        if image not in images or label not in names:
            missing = f"category {label!r}" if image in images else f"image {image!r}"
            raise InputError(f"{where} has the {missing}, which the file does not list")
        read = annotation.get("bbox" if shape == "boxes" else "segmentation")
        if not read:
            raise InputError(f"{where} has no {'bbox' if shape == 'boxes' else 'segmentation'}")
        if shape == "masks" and not isinstance(read, Mapping):
            raise InputError(f"{where} has a polygon", OTHERS["polygon"])
        marked.append(Marked(str(images[image]), read, names[label]))
    return [str(image) for image in images.values()], marked


def _of_cvat(path: Path, shape: str) -> tuple[list[str], list[Marked]]:
    try:
        root = ET.parse(path).getroot()
    except ET.ParseError as error:
        raise _no_file(path, "XML", error) from None
    if root.tag != "annotations" or root.find("track") is not None:
        raise InputError(
            f"{path} is not annotations of CVAT for images",
            'export the task as "CVAT for images 1.1"',
        )
    images, marked = [], []
    for image in root.iter("image"):
        name = image.get("name", image.get("id", ""))
        images.append(name)
        try:
            marked += [
                Marked(name, *entry) for entry in _shapes(image, shape, f"{path}: image {name}")
            ]
        except (TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise _no_file(path, f"numbers of image {name}", error) from None
    return images, marked


def _shapes(image: ET.Element, shape: str, where: str) -> Iterator[tuple[Any, str]]:
    """Yield the shapes of an image with their labels."""
    for entry in image:
        if entry.tag in OTHERS or entry.tag in ("box", "mask"):
            kind = {"box": "boxes", "mask": "masks"}.get(entry.tag, entry.tag)
            if kind != shape:
                remedy = OTHERS.get(entry.tag, f"pass shape={kind!r}, or export only one kind")
                raise InputError(f"{where} has a {entry.tag}, and {shape} are read", remedy)
            if float(entry.get("rotation", 0)):
                raise InputError(f"{where} has a rotated box", "draw it as a mask")
            label = entry.get("label", "")
            if entry.tag == "box":
                yield [float(entry.get(end, "")) for end in ("xtl", "ytl", "xbr", "ybr")], label
            else:
                yield _mask(image, entry, where), label


def _mask(image: ET.Element, mask: ET.Element, where: str) -> Array:
    """Return a mask in its image; its runs go row by row through its own rectangle."""
    height, width = int(image.get("height", "")), int(image.get("width", ""))
    left, top, wide, high = (int(mask.get(n, "")) for n in ("left", "top", "width", "height"))
    counts = np.array([int(n) for n in mask.get("rle", "").split(",")], np.int64)
    if (counts < 0).any() or counts.sum() != wide * high:
        raise InputError(f"{where} has a mask whose counts do not add up to {high} x {wide} pixels")
    if min(left, top) < 0 or left + wide > width or top + high > height:
        raise InputError(f"{where} has a mask that is not within its {height} x {width} pixels")
    inside = np.repeat(np.arange(len(counts)) % 2, counts).reshape(high, wide)
    whole = np.zeros((height, width), np.int8)
    whole[top : top + high, left : left + wide] = inside
    return whole


def _no_file(path: Path, what: str, error: Exception) -> InputError:
    return InputError(f"{path} does not hold {what}: {type(error).__name__}: {error}")
