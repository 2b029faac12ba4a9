"""Contingency tables of proportions, such as tables 2 and 4 of Artstein & Poesio 2005."""

import warnings

import numpy as np
import pandas as pd
import pytest

import agreement_fast as af

TABLE_2 = [[0.25, 0.13, 0.12], [0.12, 0.02, 0.16], [0.03, 0.15, 0.02]]


@pytest.mark.parametrize("n_items", [100, 200, 1_000_000])
def test_proportions_become_counts_of_items(n_items):
    data = af.Annotations.from_contingency(TABLE_2, n_items=n_items)
    counts = [[round(share * n_items) for share in row] for row in TABLE_2]
    assert data.n_items == n_items
    assert data.contingency_table(0, 1).tolist() == counts
    assert af.kappa(data) == pytest.approx(af.kappa(af.Annotations.from_contingency(counts)))


def test_names_of_a_frame_are_kept():
    frame = pd.DataFrame([[0.5, 0.1], [0.0, 0.4]], columns=["yes", "no"])
    data = af.Annotations.from_contingency(frame, n_items=10, coders=["Ann", "Bea"])
    assert data.categories == ("yes", "no")
    assert data.contingency_table("Ann", "Bea").tolist() == [[5, 1], [0, 4]]


def test_a_table_of_proportions_without_their_number_says_what_to_pass():
    for table in (TABLE_2, pd.DataFrame(TABLE_2)):
        with pytest.raises(
            af.AgreementError, match=r"holds proportions.*from_contingency\(table, n_items="
        ):
            af.Annotations.from_contingency(table)


@pytest.mark.parametrize(
    ("table", "n_items", "message"),
    [
        (TABLE_2, 30, r"has 0.25 in row 0, column 0, which is 7.5 of 30 items"),
        ([[0.33, 0.33], [0, 0.33]], 100, r"add up to 0.99, expected 1"),
        ([[1.2, 0], [0, -0.2]], 10, r"counts must be whole numbers from 0"),
        ([[0.5, float("nan")], [0, 0.5]], 10, r"add up to nan, expected 1"),
        ([[0.5, 0.5]], 10, r"a contingency table must be square"),
        ([["a", "b"], ["c", "d"]], 10, r"must hold whole numbers, not"),
        ([0.5, 0.5], 10, r"two dimensions"),
        (TABLE_2, 0, r"n_items"),
        (TABLE_2, 2.5, r"n_items"),
    ],
)
def test_other_tables_are_refused(table, n_items, message):
    with pytest.raises(af.AgreementError, match=message):
        af.Annotations.from_contingency(table, n_items=n_items)


def test_fractions_that_are_no_proportions_are_refused_as_before():
    with pytest.raises(af.AgreementError, match=r"has 0.5 in row 0, column 0"):
        af.Annotations.from_contingency([[0.5, 2], [1, 1]])


@pytest.mark.parametrize("n", [1, 3, 8, 40])
def test_percentages_of_few_judgments_are_doubted(n):
    shares = np.array([[k, n - k] for k in (0, n, n // 3, 0)]) * 100 / n
    table = np.floor(shares).astype(int)
    table[:, 1] = 100 - table[:, 0]
    with pytest.warns(af.ShapeHint, match=r"may be percentages of \d+ judgment"):
        af.Annotations.from_counts(table)


def test_counts_of_a_hundred_judgments_are_not():
    counts = np.random.default_rng(1).multinomial(100, [0.5, 0.3, 0.2], 20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert af.Annotations.from_counts(counts).n_judgments == 2000
