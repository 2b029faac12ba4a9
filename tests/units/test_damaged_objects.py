"""Boxes and masks as people give them, and what is refused."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from agreement_fast import units
from agreement_fast.errors import InputError, InputTypeError
from agreement_fast.units import Objects

BOXES = [(0, 0, 10, 10), (0, 0, 10, 8)]


def boxes(some: Any = BOXES, **more: Any) -> Objects:
    return Objects.from_boxes(["p", "p"], ["A", "B"], some, **more)


def masks(*some: Any) -> Objects:
    return Objects.from_masks(["p", "p"], ["A", "B"], some)


@pytest.mark.parametrize("library", [pd, pl])
def test_boxes_and_who_saw_what_may_be_frames(library: Any) -> None:
    frame = library.DataFrame(dict(zip("abcd", zip(*BOXES, strict=True), strict=True)))
    seen = library.DataFrame({"coder": ["C"], "image": ["p"]})
    data = boxes(frame, seen=seen)
    assert data.shapes.iou(np.array([0]), np.array([1])).tolist() == [0.8]
    assert data.coders == ("A", "B", "C")
    assert data.seen.all()
    assert boxes(seen={"p": ["C"]}).seen.tolist() == data.seen.tolist()


@pytest.mark.parametrize(
    ("some", "message"),
    [
        ([(0, 0, np.nan, 1), BOXES[0]], "box 0 has the number nan: .*leave the box out"),
        ([BOXES[0], (0, 0, 1e200, 1e200)], r"box 1 has the number 1e\+200"),
        ([BOXES[0], (-np.inf, 0, 1, 1)], "box 1 has the number -inf"),
        ([(0, 0, 1e-200, 1e-200), BOXES[0]], "box 0 is from"),
    ],
)
def test_numbers_that_have_no_area_are_refused(some: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        boxes(some)


def test_masks_of_images_of_different_height_are_compared_by_coordinates() -> None:
    """D_e pairs masks of all images: a pixel is its row and column, for images of any height."""
    rng = np.random.default_rng(3)
    shapes = [(4, 6), (4, 6), (7, 5), (7, 5), (5, 9), (5, 9)]
    tables = [rng.random(shape) < 0.6 for shape in shapes]
    data = Objects.from_masks(list("ppqqrr"), ["A", "B"] * 3, tables)
    pixels = [set(map(tuple, np.argwhere(table).tolist())) for table in tables]
    for i, j in itertools.product(range(6), repeat=2):
        expected = len(pixels[i] & pixels[j]) / len(pixels[i] | pixels[j])
        assert data.shapes.iou(np.array([i]), np.array([j]))[0] == pytest.approx(expected, abs=0)
    assert data.to_dict()["shape"][2].endswith("of 7 x 5 pixels")


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ({"size": [2], "counts": [1, 2]}, "mask 0 has the size"),
        ({"size": None, "counts": [1, 2]}, "mask 0 has the size None"),
        ({"size": [-2, -3], "counts": [1, 5]}, "mask 0 has the size"),
        ({"size": [2.5, 3], "counts": [1, 5]}, "mask 0 has the size"),
        ({"size": [2, 3], "counts": [1.5, 5.5]}, "the counts of mask 0 must be whole numbers"),
    ],
)
def test_run_lengths_that_are_none_are_refused(mask: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        masks(mask, mask)


def test_masks_are_a_list() -> None:
    with pytest.raises(InputTypeError, match="masks must be a list of masks, not NoneType"):
        Objects.from_masks(["p"], ["A"], None)  # type: ignore[arg-type]


def test_what_is_no_objects_is_refused() -> None:
    with pytest.raises(InputTypeError, match=r"expected Objects, got list: .*from_boxes"):
        units.place_alpha([1])  # type: ignore[arg-type]


def test_flags_are_no_texts() -> None:
    with pytest.raises(InputTypeError, match="labelled must be True or False, not 'no'"):
        units.scores(boxes(), labelled="no")  # type: ignore[arg-type]


def test_an_unknown_score_names_the_pairs() -> None:
    with pytest.raises(KeyError, match="pairs, in this order, are 'A' and 'B'"):
        units.scores(boxes()).of("f1", "B", "A")


def test_of_a_label_both_must_have_said_it() -> None:
    data = boxes(labels=["car", "dog"])
    result = units.scores(data, by="label", labelled=False)
    assert [result.of("f1", "A", "B", label=label).value for label in (None, "car", "dog")] == [
        1,
        0,
        0,
    ]
