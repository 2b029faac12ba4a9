"""The objects that coders marked in images."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.matching import best_matching
from agreement_fast.objects.shapes import Shapes, read_boxes, read_masks
from agreement_fast.options import check_share
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import as_python
from agreement_fast.reading.seen import read_seen
from agreement_fast.tables import Tabular
from agreement_fast.terminal import number_of, show_label

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
