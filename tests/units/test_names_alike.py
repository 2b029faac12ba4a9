"""Names of coders, places and labels that may be meant as one, in objects and relations."""

from __future__ import annotations

import warnings

import pytest

import agreement_fast as af
from agreement_fast import units

BOXES = [(0, 0, 10, 10), (0, 0, 10, 8), (20, 20, 30, 30)]


@pytest.mark.parametrize(
    ("images", "coders", "labels", "message"),
    [
        (["p", "p", "p"], ["Ann", "ann", "Ben"], ["car"] * 3, "names of coders .*'Ann' = 'ann'"),
        (["p", "p ", "q"], ["Ann", "Ben", "Ann"], ["car"] * 3, "names of images .*'p' = 'p '"),
        (["p", "p", "p"], ["Ann", "Ben", "Ann"], ["car", "Car", "bus"], "'Car' = 'car'|= 'Car'"),
        (["p", "p", "p"], ["Ann", "Ben", "gold"], ["car"] * 3, "coder 'gold' counts as a coder"),
    ],
)
def test_objects(images, coders, labels, message):
    with pytest.warns(af.LabelHint, match=message):
        units.Objects.from_boxes(images, coders, BOXES, labels)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("d", "Ann", 1, 2, "of"), ("d", "ann", 1, 2, "of")], "names of coders .*'Ann' = 'ann'"),
        ([("d", "Ann", 1, 2, "of"), ("D", "Ben", 1, 2, "of")], "names of documents"),
        ([("d", "Ann", 1, 2, "of"), ("d", "Ben", 1, 2, "NA")], "label 'NA'"),
    ],
)
def test_relations(rows, message):
    with pytest.warns(af.LabelHint, match=message):
        units.Relations.from_rows(rows)


def test_names_that_differ_pass():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        units.Objects.from_boxes(["p", "p", "q"], ["Ann", "Ben", "Ann"], BOXES)
        units.Relations.from_rows([("d", "Ann", 1, 2, "of"), ("d", "Ben", 1, 2, "to")])
