"""Percentages in place of counts, and the index of counted values."""

from __future__ import annotations

import warnings

import pandas as pd
import pytest

import agreement_fast as af


@pytest.mark.parametrize("axis", ["row", "column"])
def test_percentages_of_rows_or_columns_are_pointed_out(axis):
    shares = pd.DataFrame([[70, 20, 10], [10, 81, 10], [0, 33, 66]], [*"xyz"], [*"xyz"])
    table = shares if axis == "row" else shares.T
    with pytest.warns(af.ShapeHint, match=f"each {axis} of the contingency table adds to 100"):
        af.kappa(table, layout="contingency")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        af.kappa(table + 1, layout="contingency")


def test_sizes_are_no_judgments():
    sizes = pd.Series([*"xxyyy"]).groupby([[*"xxyyy"], [*"xyyyx"]]).size()
    with pytest.raises(af.AgreementError, match=r"from_counts\(frame.unstack"):
        af.alpha(sizes)
    named = sizes.rename_axis(["ann", "ben"]).rename("count")
    with pytest.raises(af.AgreementError) as error:
        af.alpha(named)
    assert "from_long" not in str(error.value)
