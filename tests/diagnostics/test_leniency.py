"""Leniency of judges beside least squares with a column for each item and judge."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast.diagnostics import leniency


def by_hand(ratings: Any, documents: Any) -> tuple[np.ndarray, np.ndarray, int]:
    """Leniencies and cluster-robust standard errors from the matrix of the whole model.

    The covariance is that of the estimates of (XᵀX)⁺ Xᵀ y with residuals summed within documents,
    times n/(n − 1).
    """
    n_items, n_judges = ratings.shape
    cells = [(i, j) for i in range(n_items) if np.isfinite(ratings[i]).sum() > 1
             for j in range(n_judges) if np.isfinite(ratings[i, j])]  # fmt: skip
    design = np.zeros((len(cells), n_items + n_judges))
    y = np.array([ratings[cell] for cell in cells])
    for row, (i, j) in enumerate(cells):
        design[row, i] = design[row, n_items + j] = 1
    inverse = np.linalg.pinv(design.T @ design)
    solved = inverse @ design.T @ y
    # of all solutions, the contrast of a judge with the mean of all
    contrast = np.zeros((n_judges, n_items + n_judges))
    contrast[:, n_items:] = np.eye(n_judges) - 1 / n_judges
    rest = y - design @ solved
    used = sorted({documents[i] for i, _ in cells})
    products = np.zeros((len(design[0]),) * 2)
    for document in used:
        rows = [row for row, (i, _) in enumerate(cells) if documents[i] == document]
        g = design[rows].T @ rest[rows]
        products += np.outer(g, g)
    n = len(used)
    covariance = contrast @ inverse @ products @ inverse @ contrast.T * n / (n - 1)
    return contrast @ solved, np.sqrt(np.diagonal(covariance)), n


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("clustered", [False, True])
def test_values_and_errors_are_those_of_least_squares(seed: int, clustered: bool) -> None:
    rng = np.random.default_rng(seed)
    n_items, n_judges = int(rng.integers(5, 15)), int(rng.integers(2, 5))
    ratings = rng.integers(1, 8, (n_items, n_judges)).astype(float)
    ratings[rng.random(ratings.shape) < rng.choice([0, 0.2])] = np.nan
    ratings[0] = range(1, n_judges + 1)
    documents = (np.arange(n_items) // 2 if clustered else np.arange(n_items)).tolist()
    table = [[None if x != x else int(x) for x in row] for row in ratings]
    data = af.Annotations.from_wide(table, coders=list("ABCD")[:n_judges])
    result = leniency(data, cluster=documents if clustered else None)
    value, error, n = by_hand(ratings, documents)
    np.testing.assert_allclose(result.leniency, value, atol=1e-10)
    np.testing.assert_allclose(result.standard_error, error, atol=1e-10)
    assert result.leniency.sum() == pytest.approx(0, abs=1e-10)
    from scipy.stats import t

    np.testing.assert_allclose(
        result.high - result.leniency, t.ppf(0.975, n - 1) * error, atol=1e-9
    )
    np.testing.assert_allclose(result.p_value, 2 * t.sf(np.abs(value / error), n - 1), rtol=1e-7)
    np.testing.assert_allclose(result.mean, np.nanmean(ratings, 0))


def test_complete_ratings_give_differences_of_means() -> None:
    ratings = [(1, 2, 2), (3, 4, 3), (2, 4, 3), (4, 5, 5), (1, 3, 2), (3, 3, 3)]
    result = leniency(ratings)
    means = np.mean(ratings, 0)
    np.testing.assert_allclose(result.leniency, means - means.mean())
    assert result.n_items.tolist() == [6, 6, 6]
    assert [line.split()[0] for line in str(result).splitlines()[3:6]] == ["1", "2", "0"]


def test_a_judge_of_good_items_is_not_taken_for_a_lenient_one() -> None:
    """B and C agree with A, who rates all; B has the items with low ratings, C those with high."""
    rows = [(x, x if x < 4 else None, x if x >= 4 else None) for x in (1, 2, 3, 4, 5, 6)]
    result = leniency(af.Annotations.from_wide(rows, coders=list("ABC")))
    np.testing.assert_allclose(result.leniency, 0, atol=1e-12)
    assert result.mean.tolist() == [3.5, 2.0, 5.0]


def test_weights_are_that_many_items() -> None:
    rows, weights = [(1, 2), (3, 3), (2, 4), (5, 4)], [3, 1, 2, 2]
    many = [row for row, n in zip(rows, weights, strict=True) for _ in range(n)]
    short = leniency(af.Annotations.from_wide(rows, weights=weights))
    whole = leniency(af.Annotations.from_wide(many))
    for name in ("leniency", "standard_error", "low", "p_value", "mean"):
        np.testing.assert_allclose(getattr(short, name), getattr(whole, name))


def test_judges_who_share_no_items_are_not_compared() -> None:
    rows = [(1, 2, None, None), (2, 2, None, None), (None, None, 3, 4), (None, None, 4, 4)]
    result = leniency(af.Annotations.from_wide(rows, coders=list("ABCD")))
    assert np.isnan(result.leniency).all()
    assert set(result.undefined) == {"C, D share no items with the others"}
    rows = [(1, 2, None), (2, 4, None), (None, None, 5)]
    alone = leniency(af.Annotations.from_wide(rows, coders=list("ABC")))
    assert alone.undefined == (None, None, "no item was rated by another judge")
    assert alone.leniency[:2].tolist() == pytest.approx([-0.75, 0.75])
    one = leniency(af.Annotations.from_wide([(1, 3)], coders=["A", "B"]))
    assert one.leniency.tolist() == pytest.approx([-1, 1])
    assert one.undefined[0] == "one item has no spread"
    assert np.isnan(one.low).all()


@pytest.mark.breadth
@pytest.mark.parametrize("n", [10, 50])
def test_intervals_hold_the_leniencies_of_simulated_judges(n: int) -> None:
    """Errors of a judge depend on the item; every third rating is missing."""
    rng, true = np.random.default_rng(3), np.array([-0.5, 0.0, 0.1, 0.4])
    inside = 0
    for _ in range(300):
        ratings = rng.normal(0, 1, (n, 1)) + true + rng.normal(0, 1, (n, 1)) * [1, 0, 0, -1]
        ratings = np.round(3 * (ratings + rng.normal(0, 0.5, ratings.shape)))
        ratings[rng.random(ratings.shape) < 1 / 3] = np.nan
        table = [[None if x != x else int(x) for x in row] for row in ratings]
        result = leniency(af.Annotations.from_wide(table, coders=list("ABCD")))
        inside += int(((result.low <= 3 * true) & (3 * true <= result.high)).sum())
    assert 0.925 <= inside / 1200 <= 0.985


def test_labels_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match=r"leniency\(\) needs labels that are numbers, got 'a'"):
        leniency([("a", "b"), ("b", "b")])
