"""The objects that coders marked in images."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.matching import best_matching
from agreement_fast.options import check_choice, check_share
from agreement_fast.reading.ids import encode_ids, read_seen
from agreement_fast.reading.labels import as_python
from agreement_fast.tables import Tabular
from agreement_fast.terminal import number_of, show_label

FORMS = ("xyxy", "xywh")

#: Corners up to which areas are far from overflow, and sides from which on they are no 0.
LARGEST, SMALLEST = 1e100, 1e-100


class Shapes(Protocol):
    """Shapes of objects, and the overlap of pairs of them."""

    def __len__(self) -> int: ...

    def iou(self, first: Array, second: Array) -> FloatArray:
        """Return the IoU of some pairs of shapes, given by their positions."""

    def described(self) -> list[str]:
        """Describe each shape for a cell of a table."""


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
        raise InputError(f"boxes must have four numbers, not {width}", more, argument="boxes")
    wrong = np.flatnonzero(~(np.abs(ends) <= LARGEST).all(1))
    if len(wrong):
        found = ends[wrong[0]]
        number = found[~(np.abs(found) <= LARGEST)][0]
        raise InputError(
            f"box {wrong[0]} has the number {number:g}: they go from {-LARGEST:g} to {LARGEST:g}",
            "leave the box out, or correct it",
            argument="boxes",
        )
    if form == "xywh":
        ends[:, 2:] += ends[:, :2]
    bad = np.flatnonzero((ends[:, 2:] - ends[:, :2] < SMALLEST).any(1))
    if len(bad):
        row = [float(f"{x:.12g}") for x in ends[bad[0]].tolist()]
        raise InputError(
            f"box {bad[0]} is from {row[0]:g}, {row[1]:g} to {row[2]:g}, {row[3]:g}: the second "
            "corner must be right of the first and below it",
            ("if the numbers are x, y, width and height, pass ", Argument("form", "xywh"))
            if form == "xyxy"
            else None,
            argument="boxes",
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
            one if own == height else _in_height(one, own, height)
            for one, (own, _) in zip(runs, sizes, strict=True)
        ]
        self.runs = runs
        ends = [(int(one.start[0]), int(one.start[-1] + one.length[-1])) for one in runs]
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
            one, other = sorted((self.runs[i], self.runs[j]), key=lambda runs: len(runs.start))
            stop = one.start + one.length
            shared = int((other.up_to(stop) - other.up_to(one.start)).sum())
            out[place] = shared / (one.area + other.area - shared)
        return out

    def described(self) -> list[str]:
        return [
            f"{one.area} of {height} x {width} pixels"
            for one, (height, width) in zip(self.runs, self.sizes, strict=True)
        ]


def _in_height(runs: Runs, own: int, height: int) -> Runs:
    """The runs of a mask as if its columns were higher; a run ends with its column."""
    stop = runs.start + runs.length
    first, last = runs.start // own, (stop - 1) // own
    n = last - first + 1
    run = np.repeat(np.arange(len(n)), n)
    column = first[run] + np.arange(len(run)) - np.repeat(np.cumsum(n) - n, n)
    start = np.maximum(runs.start[run], column * own)
    length = np.minimum(stop[run], (column + 1) * own) - start
    before = np.cumsum(length) - length
    return Runs(start + column * (height - own), length, before, runs.area)


def read_masks(masks: Any) -> Masks:
    """Check masks: arrays of two dimensions, or COCO's uncompressed run lengths."""
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
            raise InputError(
                f"mask {place} is not a table of 0 and 1",
                "pass an array of two dimensions, or COCO's {'size': ..., 'counts': ...}",
                argument="masks",
            )
        flat = np.concatenate([[0], table.T.reshape(-1).astype(np.int8), [0]])
        edges = np.flatnonzero(np.diff(flat))
        counts, size = np.diff(edges, prepend=0), (table.shape[0], table.shape[1])
    ends = np.cumsum(counts)
    length = counts[1::2]
    start = ends[1::2] - length
    start, length = start[length > 0], length[length > 0]
    if not len(length):
        raise InputError(f"mask {place} has no pixel", "leave it out", argument="masks")
    return Runs(start, length, np.cumsum(length) - length, int(length.sum())), size


def _counts(mask: Mapping[str, Any], place: int) -> tuple[Array, tuple[int, int]]:
    """The run lengths of COCO: pixels without and with the object in turn, column by column."""
    if not {"size", "counts"} <= mask.keys():
        raise InputError(f"mask {place} has no 'size' and 'counts'", argument="masks")
    if isinstance(mask["counts"], (str, bytes)):
        raise InputError(
            f"mask {place} has compressed counts",
            "decode it first, by pycocotools.mask.decode",
            argument="masks",
        )
    size, counts = (np.asarray(mask[name]) for name in ("size", "counts"))
    if size.shape != (2,) or size.dtype.kind not in "iu" or (size < 1).any():
        raise InputError(
            f"mask {place} has the size {mask['size']!r}",
            "pass its height and its width, two whole numbers",
            argument="masks",
        )
    height, width = size.tolist()
    if counts.dtype.kind not in "iu":
        raise InputError(f"the counts of mask {place} must be whole numbers", argument="masks")
    counts = counts.astype(np.int64)
    if counts.ndim != 1 or (counts < 0).any() or counts.sum() != height * width:
        raise InputError(
            f"the counts of mask {place} do not add up to {height} x {width} pixels",
            argument="masks",
        )
    return counts, (height, width)


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
    """

    def __init__(
        self,
        names: tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]],
        codes: tuple[Array, Array, Array],
        shapes: Shapes,
        seen: Array,
    ) -> None:
        self.images, self.coders, self.labels = names
        self.image, self.coder, self.label = codes
        self.shapes, self.seen = shapes, seen

    @staticmethod
    def from_boxes(
        images: Any,
        coders: Any,
        boxes: Any,
        labels: Any = None,
        *,
        form: str = "xyxy",
        seen: Any = None,
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
        >>> from agreement_fast.objects import Objects
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
        images: Any, coders: Any, masks: Iterable[Any], labels: Any = None, *, seen: Any = None
    ) -> Objects:
        """Read masks, one a row.

        Parameters
        ----------
        images, coders : sequence of length n
            The image and the coder of each mask.
        masks : iterable of length n
            Two-dimensional arrays of 0 and 1, or COCO's uncompressed run lengths
            ``{"size": [height, width], "counts": [...]}``.
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
            or if counts are compressed.

        Examples
        --------
        >>> from agreement_fast.objects import Objects
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
                raise InputError(
                    f"masks of image {show_label(data.images[image])} have the sizes "
                    f"{known[image]} and {size}",
                    "give all masks of an image its size",
                    argument="masks",
                )
        return data

    def __len__(self) -> int:
        return len(self.image)

    def columns(self) -> Mapping[str, Sequence[Any]]:
        """Return a row for each object."""
        return {
            "image": [self.images[i] for i in self.image.tolist()],
            "coder": [self.coders[i] for i in self.coder.tolist()],
            "label": [self.labels[i] for i in self.label.tolist()],
            "shape": self.shapes.described(),
        }

    def __repr__(self) -> str:
        labels = ", ".join(show_label(label) for label in self.labels[:8])
        more = ", ..." if len(self.labels) > 8 else ""
        return (
            f"<{number_of(len(self), 'object')} of {number_of(len(self.coders), 'coder')} in "
            f"{number_of(len(self.images), 'image')}, labels: {labels}{more}>"
        )


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
    known = [[as_python(name) for name in names] for names in (image_names, coder_names)]
    everybody = isinstance(seen, str) and seen == "all"
    pairs = (
        []
        if seen is None or everybody
        else _numbered(read_seen(seen, "image", or_all=True)[1], known)
    )
    looked = np.zeros((len(known[1]), len(known[0])), bool)
    looked[coder, image] = True
    if everybody:
        looked[:] = True
    for i, c in pairs:
        looked[c, i] = True
    names = (tuple(known[0]), tuple(known[1]), tuple(as_python(name) for name in label_names))
    codes = (np.asarray(image), np.asarray(coder), np.asarray(label))
    return Objects(names, codes, shapes, looked)


def _numbered(pairs: list[tuple[Any, Any]], known: list[list[Any]]) -> list[tuple[int, int]]:
    """Return pairs as numbers; names without an object are added to the known names."""
    places = [{name: i for i, name in enumerate(names)} for names in known]
    found = []
    for pair in pairs:
        for name, names, place in zip(pair, known, places, strict=True):
            if name not in place:
                place[name] = len(names)
                names.append(name)
        found.append((places[0][pair[0]], places[1][pair[1]]))
    return found


def checked(data: Any) -> Objects:
    """Return the data of a function, which must be objects."""
    if not isinstance(data, Objects):
        raise InputTypeError(
            f"expected Objects, got {type(data).__name__}",
            "make them with Objects.from_boxes or Objects.from_masks",
            argument="data",
        )
    return data


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
    found = []
    stop = np.cumsum(count)
    place = 0
    while place < len(first):
        reached = stop[place - 1] if place else 0
        last = max(int(np.searchsorted(stop, reached + AT_ONCE, side="right")), place + 1)
        n = count[place:last]
        inside = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        a, b = np.repeat(first[place:last], n), order[np.repeat(begin[place:last], n) + inside]
        iou = data.shapes.iou(a, b)
        kept = iou >= threshold
        found.append(Overlaps(a[kept], b[kept], iou[kept]))
        place = last
    if not found:
        none = np.zeros(0, np.int64)
        return Overlaps(none, none, np.zeros(0))
    return Overlaps(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def matches(
    data: Objects, first: Array, second: Array, threshold: float, same_label: bool
) -> Overlaps:
    """Return the one-to-one matching of two lists of objects with the largest sum of IoU."""
    every = overlaps(data, first, second, threshold, same_label)
    return every.at(best_matching(every.first, every.second, every.iou))
