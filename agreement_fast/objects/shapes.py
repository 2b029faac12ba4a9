"""Boxes and masks: reading them, and the IoU of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from agreement_fast.arrays import Array, FloatArray
from agreement_fast.errors import Argument, InputError, InputTypeError
from agreement_fast.options import check_choice

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
