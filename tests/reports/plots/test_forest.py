"""Coefficients of several codings: Artstein & Poesio 2005, figure 2; 2008, figure 3."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

import agreement_fast as af
from agreement_fast import diagnostics, inference, plots
from agreement_fast.present.tables import Table

COARSE = [("a", "a"), ("b", "b"), ("a", "b"), ("b", "b"), ("a", "a"), ("a", "a")]
FINE = [("a", "a"), ("b", "c"), ("a", "b"), ("b", "b"), ("d", "a"), ("d", "d")]
BOTH = {"coarse": COARSE, "fine": FINE}
ALIKE = [("a", "a"), ("a", "a")]


def marked(ax: Axes) -> dict[Any, list[tuple[float, float]]]:
    """Return the place and the value of the markers of each coefficient, by its name."""
    legend = ax.get_legend()
    looks = {} if legend is None else {
        handle.get_marker(): text.get_text()
        for handle, text in zip(legend.get_lines(), legend.get_texts(), strict=True)
    }  # fmt: skip
    result: dict[Any, list[tuple[float, float]]] = {}
    for line in ax.lines:
        if len(line.get_xdata()) == 1:
            point = float(line.get_ydata()[0]), float(line.get_xdata()[0])
            result.setdefault(looks.get(line.get_marker()), []).append(point)
    return result


def values(ax: Axes) -> dict[Any, list[float]]:
    return {name: [value for _, value in points] for name, points in marked(ax).items()}


def intervals(ax: Axes) -> list[tuple[float, ...]]:
    """Return the place of each interval, and its ends."""
    lines = [line for line in ax.lines if line.get_marker() == "|"]
    return [(float(line.get_ydata()[0]), *map(float, line.get_xdata())) for line in lines]


def words(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def names(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def test_markers_are_the_values_and_lines_their_intervals() -> None:
    ax = plots.forest(BOTH, coefficient=["pi", ("alpha", "nominal")])
    assert values(ax) == {
        "π": [float(af.pi(COARSE)), float(af.pi(FINE))],
        "α": [float(af.alpha(COARSE)), float(af.alpha(FINE))],
    }
    expected = [
        (place + side, result.low, result.high)
        for name, side in (("pi", -0.2), ("alpha", 0.2))
        for place, data in enumerate((COARSE, FINE))
        for result in [inference.standard_error(data, name)]
    ]
    np.testing.assert_allclose(intervals(ax), expected)
    assert names(ax) == ["coarse", "fine"]
    assert ax.get_xlabel() == "value with 95% interval"


def test_markers_stand_below_each_other_around_their_coding() -> None:
    ax = plots.forest(BOTH, coefficient=["s", "pi", "kappa", "alpha"])
    places = sorted(place for points in marked(ax).values() for place, _ in points)
    np.testing.assert_allclose(places, [-0.3, -0.1, 0.1, 0.3, 0.7, 0.9, 1.1, 1.3])
    assert list(marked(ax)) == ["S", "π", "κ", "α"]


def test_one_coefficient_of_codings_is_named_by_the_axis() -> None:
    ax = plots.forest(BOTH, coefficient="kappa", name=["first", "second"])
    assert values(ax) == {None: [float(af.kappa(COARSE)), float(af.kappa(FINE))]}
    assert names(ax) == ["first", "second"]
    assert ax.get_xlabel() == "κ with 95% interval"
    single = plots.forest({"coarse": af.kappa(COARSE)})
    assert values(single) == {None: [float(af.kappa(COARSE))]}


def test_numbers_of_ones_own_and_columns_of_tables() -> None:
    ax = plots.forest({"a": (0.5, 0.4, 0.6), "b": (0.7, np.nan, np.nan)}, measure="F1")
    assert (values(ax), intervals(ax)) == ({None: [0.5, 0.7]}, [(0, 0.4, 0.6)])
    assert (names(ax), ax.get_xlabel()) == (["a", "b"], "F1")
    table = diagnostics.category_agreement(FINE)
    drawn = plots.forest(Table(table.columns()), value="alpha")
    columns = table.columns()
    assert (names(drawn), drawn.get_xlabel()) == (list(columns["category"]), "alpha")
    expected = zip(columns["alpha_low"], columns["alpha_high"], strict=True)
    np.testing.assert_allclose([ends for _, *ends in intervals(drawn)], list(expected))
    with pytest.raises(ValueError, match=r"no column 'kappa'.* pass value, one of category"):
        plots.forest(Table(columns), value="kappa")


def test_coefficients_may_have_distances_and_other_levels() -> None:
    numbers = {"one": [(1, 2), (3, 3), (2, 2), (5, 4)], "two": [(1, 1), (3, 5), (2, 2), (5, 4)]}
    ax = plots.forest(numbers, coefficient=[("alpha", "interval"), "alpha"], confidence_level=0.9)
    assert list(values(ax)) == ["α (interval)", "α"]
    assert values(ax)["α (interval)"][1] == float(af.alpha(numbers["two"], "interval"))
    assert ax.get_xlabel() == "value with 90% interval"


@pytest.mark.parametrize("distance", list(af.distances.SETS))
def test_labels_that_are_no_sets_count_as_sets_of_their_own(distance: str) -> None:
    """Figure 2 has κ and β of antecedents, which are labels, beside those of chains, sets."""
    wrapped = [[frozenset([label]) for label in row] for row in FINE]
    ax = plots.forest({"labels": FINE, "sets": wrapped}, coefficient=["kappa", ("beta", distance)])
    κ, β = values(ax).values()
    assert κ == [float(af.kappa(FINE))] * 2
    np.testing.assert_allclose(β, [float(af.beta(wrapped, distance))] * 2)


def test_results_are_drawn_as_they_are() -> None:
    boots = af.bootstrap(COARSE, ["kappa", "alpha"], n_resamples=50, rng=1)
    ax = plots.forest({"boot": boots, "bare": af.agreement_table(FINE)})
    assert values(ax)["κ"] == [float(af.kappa(COARSE)), float(af.kappa(FINE))]
    # Coefficients that the bootstrap does not have.
    assert words(ax) == ["none"] * (len(af.agreement_table(FINE)) - 2)
    assert sorted(intervals(ax))[0][1:] == (boots["kappa"].low, boots["kappa"].high)
    chosen = plots.forest({"boot": boots}, coefficient=["Krippendorff's alpha"])
    assert values(chosen) == {None: [float(af.alpha(COARSE))]}


def test_undefined_values_are_said_and_negative_ones_have_room() -> None:
    against = [("a", "b"), ("b", "a"), ("a", "b")]
    ax = plots.forest({"alike": ALIKE, "against": against}, coefficient="kappa")
    assert words(ax) == ["undefined"]
    assert marked(ax) == {None: [(1, float(af.kappa(against)))]}
    assert ax.get_xlim()[0] <= float(af.kappa(against)) < 0


@pytest.mark.parametrize(
    ("results", "coefficient", "message"),
    [
        ([COARSE], None, "results has list, which is not one coefficient"),
        ({}, None, "there is nothing to draw"),
        (BOTH, [3], "coefficient must be names, or pairs"),
        (BOTH, ["kapa"], "kapa"),
        ({"results": [af.kappa(COARSE)]}, ["pi"], "there is nothing to draw"),
    ],
)
def test_what_cannot_be_drawn_is_refused(results: Any, coefficient: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        plots.forest(results, coefficient=coefficient)
