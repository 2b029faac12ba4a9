"""Bars of coefficients over conditions: Artstein & Poesio 2005, figure 2; 2008, figure 3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

import agreement_fast as af
from agreement_fast import inference, plots

COARSE = [("a", "a"), ("b", "b"), ("a", "b"), ("b", "b"), ("a", "a"), ("a", "a")]
FINE = [("a", "a"), ("b", "c"), ("a", "b"), ("b", "b"), ("d", "a"), ("d", "d")]
BOTH = {"coarse": COARSE, "fine": FINE}
ALIKE = [("a", "a"), ("a", "a")]


def heights(ax: Axes) -> dict[Any, list[float]]:
    """Return the heights of the bars of each coefficient."""
    return {bars.get_label(): [bar.get_height() for bar in bars] for bars in ax.containers}


def intervals(ax: Axes) -> list[tuple[float, ...]]:
    """Return the ends of each interval, and its position."""
    lines = [line for line in ax.lines if line.get_marker() == "_"]
    return [(float(line.get_xdata()[0]), *map(float, line.get_ydata())) for line in lines]


def words(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_bars_are_the_values_and_lines_their_intervals() -> None:
    ax = plots.coefficients_over_conditions(BOTH, ["pi", ("alpha", "nominal")])
    assert heights(ax) == {
        "π": [float(af.pi(COARSE)), float(af.pi(FINE))],
        "α": [float(af.alpha(COARSE)), float(af.alpha(FINE))],
    }
    expected = [
        (place + side, found.low, found.high)
        for name, side in (("pi", -0.2), ("alpha", 0.2))
        for place, data in enumerate((COARSE, FINE))
        for found in [inference.standard_error(data, name)]
    ]
    np.testing.assert_allclose(intervals(ax), expected)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["coarse", "fine"]
    assert ax.get_ylabel() == "value with 95% interval"


def test_bars_stand_beside_each_other_around_their_condition() -> None:
    ax = plots.coefficients_over_conditions(BOTH, ["s", "pi", "kappa", "alpha"])
    centers = sorted(bar.get_x() + bar.get_width() / 2 for bars in ax.containers for bar in bars)
    np.testing.assert_allclose(centers, [-0.3, -0.1, 0.1, 0.3, 0.7, 0.9, 1.1, 1.3])
    looks = {(bars[0].get_facecolor(), bars[0].get_hatch()) for bars in ax.containers}
    assert len(looks) == 4


def test_coefficients_may_have_distances_and_other_levels() -> None:
    numbers = {"one": [(1, 2), (3, 3), (2, 2), (5, 4)], "two": [(1, 1), (3, 5), (2, 2), (5, 4)]}
    ax = plots.coefficients_over_conditions(
        numbers, [("alpha", "interval"), "alpha"], confidence_level=0.9
    )
    assert list(heights(ax)) == ["α (interval)", "α"]
    assert heights(ax)["α (interval)"][1] == float(af.alpha(numbers["two"], "interval"))
    assert ax.get_ylabel() == "value with 90% interval"


@pytest.mark.parametrize("distance", list(af.distances.SETS))
def test_labels_that_are_no_sets_count_as_sets_of_their_own(distance: str) -> None:
    """Figure 2 has κ and β of antecedents, which are labels, beside those of chains, sets."""
    wrapped = [[frozenset([label]) for label in row] for row in FINE]
    ax = plots.coefficients_over_conditions(
        {"labels": FINE, "sets": wrapped}, ["kappa", ("beta", distance)]
    )
    κ, β = heights(ax).values()
    assert κ == [float(af.kappa(FINE))] * 2
    np.testing.assert_allclose(β, [float(af.beta(wrapped, distance))] * 2)


def test_results_are_drawn_as_they_are() -> None:
    boots = af.bootstrap(COARSE, ["kappa", "alpha"], n_resamples=50, rng=1)
    ax = plots.coefficients_over_conditions({"boot": boots, "bare": af.agreement_table(FINE)})
    assert heights(ax)["κ"] == [float(af.kappa(COARSE)), float(af.kappa(FINE))]
    # Coefficients that the bootstrap does not have.
    assert words(ax) == ["none"] * (len(af.agreement_table(FINE)) - 2)
    assert sorted(intervals(ax))[0][1:] == (boots["kappa"].low, boots["kappa"].high)
    chosen = plots.coefficients_over_conditions({"boot": boots}, ["Krippendorff's alpha"])
    assert heights(chosen) == {"α": [float(af.alpha(COARSE))]}


def test_undefined_values_are_said_and_negative_ones_have_room() -> None:
    against = [("a", "b"), ("b", "a"), ("a", "b")]
    ax = plots.coefficients_over_conditions({"alike": ALIKE, "against": against}, ["kappa"])
    assert words(ax) == ["undefined"]
    assert heights(ax)["κ"] == [0, float(af.kappa(against))]
    assert ax.get_ylim()[0] <= float(af.kappa(against)) < 0


@pytest.mark.parametrize(
    ("conditions", "coefficients", "message"),
    [
        ([COARSE], None, "conditions must be a mapping"),
        ({}, None, "there is nothing to draw"),
        (BOTH, [3], "coefficients must be names, or pairs"),
        (BOTH, ["kapa"], "kapa"),
        ({"results": [af.kappa(COARSE)]}, ["pi"], "there is nothing to draw"),
    ],
)
def test_what_cannot_be_drawn_is_refused(conditions: Any, coefficients: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        plots.coefficients_over_conditions(conditions, coefficients)
