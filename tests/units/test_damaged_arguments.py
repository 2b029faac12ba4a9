"""What is given wrongly: an error that names it, and never a number of something else."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from agreement_fast import units
from agreement_fast.errors import AgreementError, InputError, InputTypeError
from agreement_fast.inference.draws import ALIKE, Spread, why_no_interval
from agreement_fast.units import Continuum
from agreement_fast.units.line import levels


def two(**more: Any) -> Continuum:
    given = {"extents": 5, **more}
    return Continuum.from_rows(["A", "B"], [0, 0], [2, 2], **given)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"all_coders": ["A", None]}, r"all_coders: an entry has no coder \(None\)"),
        ({"all_coders": ["A", math.nan]}, r"all_coders: an entry has no coder \(nan\)"),
        ({"all_coders": [["A"]]}, r"all_coders has the coder \['A'\], which is not hashable"),
        ({"extents": math.nan}, "extent of document 'document' is missing or not finite"),
        ({"extents": "5"}, r"the extent of document 'document' must be a length or"),
        ({"extents": (0, True)}, "the extent of document 'document' must be"),
        ({"extents": 5.5}, "extent 5.5 of document 'document' is not a whole multiple"),
        ({"resolution": True}, "resolution must be a positive number, not True"),
        ({"seen": [1, 2]}, r"seen has row 0 1: a row is \(document, coder\)"),
        ({"seen": [("document", None)]}, r"seen: row 0 has no coder \(None\)"),
        ({"seen": [("document", pd.NA)]}, r"seen: row 0 has no coder \(<NA>\)"),
        ({"seen": [("document", ["A"])]}, r"seen has the coder \['A'\], which is not hashable"),
        ({"seen": "all"}, "seen must be a mapping from documents to coders, or rows"),
        ({"seen": {"document": "A"}}, "seen has 'A' for document 'document': expected a list"),
    ],
)
def test_a_continuum_refuses(more: dict[str, Any], message: str) -> None:
    with pytest.raises(AgreementError, match=message):
        two(**more)


def test_positions_that_pandas_misses_are_missing() -> None:
    with pytest.raises(InputError, match="start of row 1 is missing"):
        Continuum.from_rows(["A", "B"], pd.array([0, None], dtype="Int64"), [2, 2], extents=5)
    ends = np.ma.MaskedArray([2, 2], [True, False])
    with pytest.raises(InputError, match="end of row 0 is missing"):
        Continuum.from_rows(["A", "B"], [0, 0], ends, extents=5)


@pytest.mark.parametrize("library", [pd, pl])
def test_who_saw_what_may_be_a_frame_with_columns_in_any_order(library: Any) -> None:
    rows = {"coder": ["A", "B", "C"], "document": ["d", "d", "d"]}
    result = Continuum.from_rows(
        ["A", "B"], [0, 0], [2, 2], documents=["d", "d"], extents=5, seen=library.DataFrame(rows)
    )
    assert result.coders == ("A", "B", "C")
    assert result.n_seeing.tolist() == [3]


def test_times_since_1970_in_thousandths_are_whole_multiples() -> None:
    data = Continuum.from_rows(
        ["A", "B"], [1.7e9 + 0.123, 1.7e9], [1.7e9 + 2.001, 1.7e9 + 3.25], resolution=0.001,
        extents=(1.7e9, 1.7e9 + 10),
    )  # fmt: skip
    assert data.start.tolist() == [1_700_000_000_123, 1_700_000_000_000]
    assert data.end.tolist() == [1_700_000_002_001, 1_700_000_003_250]
    with pytest.raises(InputError, match="not a whole multiple"):
        Continuum.from_rows(["A"], [1.7e9 + 0.1235], [1.7e9 + 2], resolution=0.001)


def test_span_scores_of_one_coder_are_refused() -> None:
    alone = Continuum.from_rows(["A"], [0], [2], extents=5)
    with pytest.raises(InputError, match=r"at least two coders, got 1"):
        units.scores(alone)
    with pytest.raises(InputTypeError, match="labelled must be True or False, not 'no'"):
        units.scores(two(), labelled="no")  # type: ignore[arg-type]


def test_the_table_of_spans_says_why_there_is_no_value() -> None:
    nobody = Continuum.from_rows([], [], [], extents=5, all_coders=["A", "B"])
    assert "neither marked anything" in repr(units.scores(nobody))


@pytest.mark.parametrize("series", [pd.Series, np.array, list, tuple, pl.Series], ids=str)
def test_the_place_of_what_is_no_boundary_is_named(series: Any) -> None:
    row = series([0, 1, 2])
    if series is pd.Series:
        row.index = [5, 6, 7]
    with pytest.raises(InputError, match="place 2 has 2, expected 0 or 1"):
        units.boundary_similarity(row, "010")


def test_series_of_sets_have_types() -> None:
    one, other = [{"a"}, set(), {"b"}], [set(), {"a"}, {"b"}]
    result = units.boundary_similarity(pd.Series(one, index=[4, 5, 6]), pd.Series(other)).edits
    assert repr(result) == repr(units.boundary_similarity(one, other).edits)
    assert result.n_transpositions == 1


def test_rows_of_0_and_1_do_not_stand_beside_sets() -> None:
    cuts = {"A": "010", "B": [set(), {"topic"}, set()]}
    for function in (units.segmentation_agreement, units.boundary_majority):
        with pytest.raises(InputError, match="coder A has a row of 0 and 1, and coder B a row of"):
            function(cuts)
    with pytest.raises(InputError, match="row of sets of types"):
        units.boundary_similarity(*cuts.values())


@pytest.mark.parametrize(
    ("measure", "option"),
    [
        ("boundary_similarity", {"window": 2}),
        ("segmentation_similarity", {"window": 2}),
        ("p_k", {"n_t": 3}),
        ("p_k", {"weights": "whole"}),
        ("window_diff", {"ordered_types": [1]}),
    ],
)
def test_options_that_change_nothing_are_refused(measure: str, option: dict[str, Any]) -> None:
    (name,) = option
    with pytest.raises(InputError, match=f"{name} has no effect on {measure}: leave it out, or"):
        units.segmentation_agreement({"A": "0101", "B": "0110"}, measure, **option)


def test_flags_are_no_texts_and_windows_no_flags() -> None:
    with pytest.raises(InputTypeError, match="weighted must be True or False, not 'no'"):
        units.window_diff("01", "01", weighted="no")  # type: ignore[arg-type]
    with pytest.raises(InputTypeError, match="own_vote must be True or False, not 1"):
        units.boundary_majority({"A": "01", "B": "01"}, own_vote=1)  # type: ignore[arg-type]
    with pytest.raises(InputTypeError, match="whole number of places, not True"):
        units.p_k("01", "01", window=True)


def test_lengths_that_differ_are_said_in_one_sentence() -> None:
    with pytest.raises(InputError, match=r"^coder A has 2 places for boundaries and coder B 3"):
        units.boundary_majority({"A": "01", "B": "010"})


def test_a_trace_of_width_is_none() -> None:
    """Sums that are drawn twice and three times differ in their last bit."""
    drawn = np.linspace(0.4, 0.4, 100)
    traces = [Spread(drawn, 0.0, 0.4, 0.4 + width) for width in (0.0, 1e-16, 1e-3)]
    assert [why_no_interval(one, 2) for one in traces] == [ALIKE, ALIKE, None]
    assert why_no_interval(traces[2], 1, "a single one") == "a single one"


def test_of_units_that_start_together_the_longest_stands_lowest() -> None:
    assert levels([(0, 3), (0, 9), (3, 5)]) == [1, 0, 1]


def test_the_start_of_a_text_is_the_place_before_the_first() -> None:
    cuts = {"A": "010", "B": "000"}
    result = units.judgments(cuts, outer="start")
    assert result.items == (-1, 0, 1, 2)
    assert result.to_wide().tolist() == [[1, 1], [0, 0], [1, 0], [0, 0]]
    assert units.judgments(cuts, outer="both").items == (-1, 0, 1, 2, 3)


def test_pieces_of_a_unit_may_touch() -> None:
    data = Continuum.from_rows(["A", "A", "B"], [0, 2, 0], [2, 4, 4], extents=5, units=[1, 1, 2])
    assert (data.n_units, data.n_pieces) == (2, 3)
    with pytest.raises(InputError, match="overlap, and its pieces stand apart"):
        Continuum.from_rows(["A", "A"], [0, 1], [2, 4], extents=5, units=[1, 1])


def test_a_table_is_no_column_of_positions() -> None:
    with pytest.raises(InputError, match=r"starts must be a column .* of shape \(2, 1\)"):
        Continuum.from_rows(["A", "B"], [[0], [0]], [2, 2], extents=5)
