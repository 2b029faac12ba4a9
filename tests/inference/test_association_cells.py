"""The cells of two coders' table, held against χ² and against Haberman's residuals by hand."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast.inference import association

#: Artstein & Poesio 2005, table 2, of 200 items.
TABLE_2 = [[50, 26, 24], [24, 4, 32], [6, 30, 4]]


def test_table_2_of_artstein_and_poesio():
    """Section 2.2: A-IREQ / B-CHCK holds .15 of the items, where .06 are expected."""
    data = af.Annotations.from_contingency(TABLE_2, categories=["stat", "ireq", "chck"])
    cells = association(data).cells
    worst = cells[0]
    assert (worst.first, worst.second) == ("chck", "ireq")
    assert worst.observed / 200 == 0.15
    assert worst.expected / 200 == pytest.approx(0.06)
    assert worst.contribution == pytest.approx(27)
    assert worst.adjusted_residual == pytest.approx(18 / math.sqrt(12 * 0.8 * 0.7))
    assert [cell.contribution for cell in cells] == sorted(
        (cell.contribution for cell in cells), reverse=True
    )


@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=3, max_size=3))
def test_cells_add_up_to_the_chi_square_and_to_the_items(table):
    data = af.Annotations.from_contingency(table)
    cells = association(data).cells
    n = sum(map(sum, table))
    assert sum(cell.observed for cell in cells) == n
    if n:
        assert sum(cell.expected for cell in cells) == pytest.approx(n)
    result = association(data)
    if result.undefined is None:
        total = sum(cell.contribution for cell in cells)
        assert total == pytest.approx(result.statistic, abs=1e-9)
    for cell in cells:
        row, column = sum(table[cell.first]), sum(line[cell.second] for line in table)
        expected = Fraction(row * column, n)
        spread = expected * (1 - Fraction(row, n)) * (1 - Fraction(column, n))
        assert cell.expected == pytest.approx(float(expected))
        if spread:
            z = (cell.observed - expected) / math.sqrt(spread)
            assert cell.adjusted_residual == pytest.approx(float(z), abs=1e-12)
        else:
            assert math.isnan(cell.adjusted_residual)


def test_other_data_are_refused():
    with pytest.raises(ValueError, match="compares two coders, these annotations have 3"):
        association([("a", "b", "a"), ("b", "a", "b")] * 2)
    assert len(association([("a", None), (None, "b")]).cells) == 0
