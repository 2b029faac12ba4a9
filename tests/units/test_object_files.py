"""Boxes and masks from files of COCO and of CVAT."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agreement_fast import units

#: Rows of masks, and what pycocotools 2.0.11 makes of them: `mask.encode(mask)["counts"]`.
ENCODED = [
    (["0001", "1010", "0111"], "1130N20N"),
    (["10", "00", "00", "00", "11"], "013010"),
    (["0110100", "0111101", "1101100", "0001000", "1011110", "1000001"], "21142MOO03OO0N40M010"),
    (["01010101"], "11100000"),
]


def table(rows: list[str]) -> Any:
    return np.array([[int(cell) for cell in row] for row in rows])


@pytest.mark.parametrize(("rows", "counts"), ENCODED)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_compressed_counts_are_the_mask(rows: list[str], counts: str, as_bytes: bool) -> None:
    mask = table(rows)
    written = {"size": list(mask.shape), "counts": counts.encode() if as_bytes else counts}
    data = units.Objects.from_masks(["p"] * 2, ["A", "B"], [mask, written])
    assert data.shapes.iou(np.array([0]), np.array([1])).tolist() == [1.0]


@pytest.mark.parametrize(
    ("counts", "words"),
    [("11 ", "the byte 32"), ("1X", "end within a number"), ("11", "do not add up to 2 x 2")],
)
def test_damaged_counts_are_refused(counts: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"mask 0 .*{words}|counts of mask 0 {words}"):
        units.Objects.from_masks(["p"], ["A"], [{"size": [2, 2], "counts": counts}])


def coco(folder: Path, coder: str, annotations: Any, **more: Any) -> Path:
    path = folder / f"{coder}.json"
    parts = {
        "images": [{"id": 7, "file_name": "one.jpg"}, {"id": 8, "file_name": "two.jpg"}],
        "categories": [{"id": 1, "name": "car"}, {"id": 2, "name": "dog"}],
        "annotations": annotations,
    }
    path.write_text(json.dumps({**parts, **more}))
    return path


def test_boxes_of_coco_have_their_names_and_an_image_without_any_was_seen(tmp_path: Path) -> None:
    files = {
        "Ann": coco(tmp_path, "Ann", [
            {"image_id": 7, "category_id": 1, "bbox": [0, 0, 10, 10]},
            {"image_id": 8, "category_id": 2, "bbox": [5, 5, 1, 2]},
        ]),
        "Bob": coco(tmp_path, "Bob", [{"image_id": 7, "category_id": 2, "bbox": [0, 0, 10, 5]}]),
    }  # fmt: skip
    data = units.read_coco(files)
    expected = units.Objects.from_boxes(
        ["one.jpg", "two.jpg", "one.jpg"],
        ["Ann", "Ann", "Bob"],
        [(0, 0, 10, 10), (5, 5, 6, 7), (0, 0, 10, 5)],
        ["car", "dog", "dog"],
        seen="all",
    )
    assert data.columns() == expected.columns()
    assert data.seen.tolist() == expected.seen.tolist()
    assert units.judgments(data).to_wide().tolist() == units.judgments(expected).to_wide().tolist()


def test_masks_of_coco_may_be_compressed(tmp_path: Path) -> None:
    mask = table(ENCODED[0][0])
    plain = {"size": [3, 4], "counts": [1, 1, 3, 1, 1, 3, 1, 1]}
    files = {
        coder: coco(tmp_path, coder, [{"image_id": 7, "category_id": 1, "segmentation": shape}])
        for coder, shape in (("A", plain), ("B", {"size": [3, 4], "counts": ENCODED[0][1]}))
    }
    data = units.read_coco(files, "masks")
    assert data.shapes.iou(np.array([0]), np.array([1])).tolist() == [1.0]
    assert data.columns()["shape"][0] == f"{mask.sum()} of 3 x 4 pixels"


@pytest.mark.parametrize(
    ("annotation", "shape", "words"),
    [
        ({"image_id": 9, "category_id": 1, "bbox": [0, 0, 1, 1]}, "boxes", "the image 9, which"),
        ({"image_id": 7, "category_id": 5, "bbox": [0, 0, 1, 1]}, "boxes", "the category 5, which"),
        ({"image_id": 7, "category_id": 1}, "boxes", "annotation 0 has no bbox"),
        ({"image_id": 7, "category_id": 1, "segmentation": [[0, 0, 1, 1, 0, 1]]}, "masks",
         "has a polygon: draw polygons as masks"),
    ],
)  # fmt: skip
def test_annotations_that_do_not_fit_are_named(
    tmp_path: Path, annotation: Any, shape: str, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        units.read_coco({"Ann": coco(tmp_path, "Ann", [annotation])}, shape)


def cvat(folder: Path, coder: str, content: str) -> Path:
    path = folder / f"{coder}.xml"
    path.write_text(f"<annotations><version>1.1</version><meta/>{content}</annotations>")
    return path


def test_boxes_of_cvat_are_those_of_their_corners(tmp_path: Path) -> None:
    image = '<image id="0" name="a.png" width="40" height="30">{}</image><image id="1" name="b"/>'
    box = '<box label="car" occluded="0" xtl="{}" ytl="0.5" xbr="10" ybr="10"><attribute/></box>'
    data = units.read_cvat(
        {
            "Ann": cvat(tmp_path, "Ann", image.format(box.format(0) + '<tag label="good"/>')),
            "Bob": cvat(tmp_path, "Bob", image.format(box.format(5))),
        }
    )
    assert data.columns()["shape"] == ["0 0.5 10 10", "5 0.5 10 10"]
    assert data.images == ("a.png", "b")
    assert data.seen.all()
    assert data.shapes.iou(np.array([0]), np.array([1])).tolist() == [0.5]


def test_masks_of_cvat_lie_in_their_rectangle_row_by_row(tmp_path: Path) -> None:
    """Runs 1, 2, 1, 1, 1 of a rectangle of 2 x 3 from column 1, row 2: .## and .#. there."""
    mask = '<mask label="car" rle="1, 2, 1, 1, 1" left="1" top="2" width="3" height="2"/>'
    image = f'<image name="a" width="5" height="4">{mask}</image>'
    data = units.read_cvat({"Ann": cvat(tmp_path, "Ann", image)}, "masks")
    drawn = units.Objects.from_masks(
        ["a", "a"], ["Ann", "Bob"], [table(["00000", "00000", "00110", "00100"])] * 2
    )
    (own,), other = data.shapes.runs, drawn.shapes.runs[0]
    assert own.start.tolist() == other.start.tolist()
    assert own.length.tolist() == other.length.tolist()


@pytest.mark.parametrize(
    ("content", "shape", "words"),
    [
        ('<box label="a" xtl="0" ytl="0" xbr="1" ybr="1" rotation="45"/>', "boxes", "rotated box"),
        ('<polygon label="a" points="0,0;1,1"/>', "boxes", "draw polygons as masks"),
        ('<box label="a" xtl="0" ytl="0" xbr="1" ybr="1"/>', "masks", "pass shape='boxes'"),
        ('<box label="a" xtl="x" ytl="0" xbr="1" ybr="1"/>', "boxes", "does not hold numbers of"),
        ('<mask label="a" rle="1, 2" left="0" top="0" width="2" height="2"/>', "masks",
         "do not add up to 2 x 2"),
        ('<mask label="a" rle="0, 4" left="4" top="0" width="2" height="2"/>', "masks",
         "not within its 4 x 5 pixels"),
    ],
)  # fmt: skip
def test_what_is_not_compared_is_refused_with_its_image(
    tmp_path: Path, content: str, shape: str, words: str
) -> None:
    image = f'<image name="a" width="5" height="4">{content}</image>'
    with pytest.raises(ValueError, match=words) as caught:
        units.read_cvat({"Ann": cvat(tmp_path, "Ann", image)}, shape)
    assert "Ann.xml" in str(caught.value)


def test_other_files_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("neither")
    with pytest.raises(ValueError, match="does not hold COCO's JSON"):
        units.read_coco({"Ann": text})
    with pytest.raises(ValueError, match="does not hold XML"):
        units.read_cvat({"Ann": text})
    video = cvat(tmp_path, "video", '<track id="0" label="car"/>')
    with pytest.raises(ValueError, match="export the task as"):
        units.read_cvat({"Ann": video})
    with pytest.raises(TypeError, match="files must be a mapping"):
        units.read_coco("ann.json")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="shape must be"):
        units.read_coco({}, "circles")
