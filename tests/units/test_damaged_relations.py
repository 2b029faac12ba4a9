"""Relations as people give them, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import polars as pl
import pytest

from agreement_fast import units
from agreement_fast.errors import AgreementError, InputError, InputTypeError
from agreement_fast.units import Relations

ROWS = [("d", "A", "s", "t", "x"), ("d", "B", "s", "t", "y")]
NAMES = ["document", "coder", "source", "target", "label"]


@pytest.mark.parametrize("library", [pd, pl])
def test_columns_of_frames_are_found_by_name(library: Any) -> None:
    columns = dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True))
    turned = library.DataFrame({name: columns[name] for name in reversed(NAMES)})
    assert Relations.from_rows(turned).to_dict() == Relations.from_rows(ROWS).to_dict()
    unnamed = library.DataFrame(dict(zip("abcde", columns.values(), strict=True)))
    assert Relations.from_rows(unnamed).to_dict() == Relations.from_rows(ROWS).to_dict()


@pytest.mark.parametrize("names", [["coder", "document", "from", "to", "label"], list("abcd")])
def test_columns_that_may_be_others_are_refused(names: list[str]) -> None:
    frame = pd.DataFrame([row[: len(names)] for row in ROWS], columns=names)
    with pytest.raises(InputError, match="name them document, coder, source, target, label, or"):
        Relations.from_rows(frame)


@pytest.mark.parametrize(
    ("rows", "more", "message"),
    [
        (None, {}, "rows must be rows of"),
        ("text", {}, "rows must be rows of"),
        ([("d", "A", ["s"], "t", "x")], {}, "relation 0 is .* must be hashable"),
        ([("d", "A", "s", "t", {"x"})], {}, "relation 0 is .* must be hashable"),
        (ROWS, {"units": ["s"]}, "units must be a mapping from documents to units"),
        (ROWS, {"units": {"d": "stu"}}, "units has 'stu' for document 'd': pass a list"),
        (ROWS, {"units": {"d": 3}}, "units has 3 for document 'd': pass a list"),
        (ROWS, {"alignment": ["s"]}, "alignment must be a mapping from coder to names"),
        (ROWS, {"alignment": {"A": "s"}}, "alignment has 's' for coder 'A'"),
        (ROWS, {"alignment": {"C": {}}}, "alignment names coder 'C', who has no relations"),
        (ROWS, {"seen": [("d", None)]}, r"seen: row 0 has no coder \(None\)"),
        (ROWS, {"seen": "some"}, "seen must be 'all', a mapping from documents to coders"),
    ],
)
def test_relations_refuse(rows: Any, more: dict[str, Any], message: str) -> None:
    with pytest.raises(AgreementError, match=message):
        Relations.from_rows(rows, **more)


def test_who_saw_what_may_be_a_mapping() -> None:
    one = Relations.from_rows(ROWS, seen={"d": ["C"], "e": ["A", "B"]})
    other = Relations.from_rows(ROWS, seen=[("d", "C"), ("e", "A"), ("e", "B")])
    assert one.documents == other.documents == ("d", "e")
    assert one.seen.tolist() == other.seen.tolist() == [[True, True], [True, True], [True, False]]


@pytest.mark.parametrize("label", [None, math.nan])
def test_what_is_no_label_would_leave_judgments_out(label: Any) -> None:
    data = Relations.from_rows(ROWS)
    with pytest.raises(InputError, match="no_relation must be a label"):
        units.judgments(data, no_relation=label)
    with pytest.raises(InputError, match="root must be a label"):
        units.judgments(data, "head", root=label)
    with pytest.raises(InputTypeError, match="directed must be True or False, not 'no'"):
        units.judgments(data, directed="no")  # type: ignore[arg-type]


def test_what_is_no_units_is_refused() -> None:
    with pytest.raises(
        InputTypeError, match=r"or Objects, got list: make them with af.units.Continuum"
    ):
        units.scores([1])  # type: ignore[arg-type]
    with pytest.raises(InputTypeError, match=r"expected a Continuum, Relations, .*got list"):
        units.judgments([1])  # type: ignore[arg-type]


def test_a_pair_without_a_value_does_not_count_in_the_mean() -> None:
    """C saw no document with anybody."""
    rows = [*ROWS, ("d", "A", "t", "u", "x"), ("d", "B", "t", "u", "x"), ("e", "C", "s", "t", "x")]
    result = units.scores(Relations.from_rows(rows))
    assert [math.isnan(one.value) for one in result[:4]] == [False, True, True, False]
    assert result["labelled"].value == result.of("labelled", "A", "B").value == 0.5
