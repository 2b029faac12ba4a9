"""Objects from files: one of COCO or of CVAT from each coder."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from agreement_fast._kernels.arrays import Array
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.options import check_choice
from agreement_fast.units.objects import Objects

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
    files: Mapping[Any, str | os.PathLike[str]], shape: Literal["boxes", "masks"] = "boxes"
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
    files: Mapping[Any, str | os.PathLike[str]], shape: Literal["boxes", "masks"] = "boxes"
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
    files: Mapping[Any, str | os.PathLike[str]],
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
        rows += [(entry.image, coder, entry.shape, entry.label) for entry in marked]
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
