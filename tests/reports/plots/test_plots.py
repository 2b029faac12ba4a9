"""Plots draw the data, they render, and they change no global state."""

from __future__ import annotations

import io
import itertools
import subprocess
import sys
from dataclasses import replace
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import agreement_fast as af
from agreement_fast import agreement_by_group, plots, subsets, units
from agreement_fast.diagnostics import category_path, drift
from agreement_fast.diagnostics.category_path import CategoryPath
from agreement_fast.inference.results import BootstrapResult
from agreement_fast.inference.scales import SCALES
from agreement_fast.measures import limits_of_agreement
from agreement_fast.reports.plots._canvas import STYLES, marks, symbol
from agreement_fast.subsets.all_subsets import SizeSummary, SubsetStudy
from agreement_fast.subsets.references import ReferenceStability

nan = float("nan")


def size(coders: int, deviation: float, sampled: bool = False) -> SizeSummary:
    """A summary; only its deviation is drawn."""
    return SizeSummary(
        "", "", coders, 10, 20, sampled, 0, 1.0, deviation, deviation, *[0.5] * 5,
        np.array([10]), np.array([0.0, 1.0]),
    )  # fmt: skip


def study(**measures: list[SizeSummary]) -> SubsetStudy:
    """A study of coefficients under their distances, as in alpha_interval."""
    summaries = tuple(
        tuple(
            replace(row, coefficient=name.split("_")[0], distance=name.split("_")[1])
            for row in rows
        )
        for name, rows in measures.items()
    )
    return SubsetStudy(tuple("abcde"), (2, 3, 4, 5), "published", 10, summaries)


def stability(changed: tuple[float, ...] = (0.3, 0.2, 0.1, 0.0)) -> ReferenceStability:
    """Four sizes, not in order."""
    back = np.array(changed)[::-1]
    return ReferenceStability(
        np.array([5, 4, 3, 2]), (1, 5, 10, 10), back, back * 0, back / 2, back * 2, back,
        np.array([1, 5, 10, 10]), 100, 0, 5, "first",
    )  # fmt: skip


def result(
    coefficient: str = "alpha",
    distance: str = "nominal",
    value: float = 0.5,
    low: float = 0.4,
    high: float = 0.6,
    undefined: str | None = None,
    replicates: Any = None,
) -> BootstrapResult:
    """A bootstrap with given numbers."""
    drawn = np.linspace(0.3, 0.7, 1001) if replicates is None else replicates
    return BootstrapResult(
        coefficient, distance, "items", int(np.isnan(drawn).sum()), drawn, value=value,
        standard_error=0.05, low=low, high=high, confidence_level=0.95, method="percentile",
        n_resamples=len(drawn), undefined=undefined,
    )  # fmt: skip


STUDY = study(
    alpha_nominal=[size(2, 0.4), size(3, 0.2), size(4, 0.1, True), size(5, 0.0)],
    alpha_interval=[size(2, 0.2), size(3, nan), size(4, 0.05), size(5, 0.0)],
)

#: Items × coders; the last item has one judgment.
TABLE = [["a", "a", "b"], ["b", "b", "b"], ["a", "c", None], ["c", None, None]]


def rendered(ax: Axes) -> bytes:
    """Draw into a buffer; a warning (of a missing letter, of a layout) would be an error."""
    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=60)
    return buffer.getvalue()


def lines(ax: Axes) -> dict[str, tuple[list[float], list[float]]]:
    """The points of each named line."""
    return {
        str(line.get_label()): (list(line.get_xdata()), list(line.get_ydata()))
        for line in ax.get_lines()
        if not str(line.get_label()).startswith("_")
    }


def texts(ax: Axes) -> str:
    """Return all texts on the axes."""
    legend = ax.get_legend()
    parts = [*ax.texts, *(legend.get_texts() if legend else ()), ax.xaxis.label, ax.yaxis.label]
    parts += [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.title]
    return "\n".join(part.get_text() for part in parts)


def path_of(n_resamples: int = 40, k: int = 4) -> CategoryPath:
    labels = [chr(ord("a") + i) for i in range(k)]
    rows = [(a, a) for a in labels for _ in range(4)]
    rows += [(a, b) for a, b in itertools.pairwise(labels)] + [("b", "c")] * 3
    return category_path(rows, n_resamples=n_resamples, rng=1)


NUMBERS = [[1, 2], [2, 2], [3, 5], [4, 5], [6, 6], [5, 7], [5, 7]]
JUDGED = pl.DataFrame(
    {
        "item": list(range(40)) * 2,
        "coder": ["Ann"] * 40 + ["Bea"] * 40,
        "label": list("xyyx" * 10) + list("xyyx" * 5 + "xxyy" * 5),
    }
)
UNITS = units.Continuum.from_rows(
    ["A", "A", "A", "A", "B", "C"], [0, 1, 6, 2, 4, 0], [8, 3, 7, 3, 9, 2], list("xyyzxx"),
    ["d", "d", "d", "d", "d", "e"], units=[1, 2, 2, 3, 1, 1], extents=10,
    seen={"d": ["A", "B"], "e": ["A", "C"]},
)  # fmt: skip

PICTURES: dict[str, Any] = {
    "bland_altman": lambda ax: plots.bland_altman(limits_of_agreement(NUMBERS)[0], ax=ax),
    "drift": lambda ax: plots.drift(drift(JUDGED, n_windows=4), ax=ax),
    "coder_subsets": lambda ax: plots.coder_subsets(STUDY, ax=ax),
    "bootstrap_distribution": lambda ax: plots.bootstrap_distribution(result(), ax=ax),
    "category_confusion": lambda ax: plots.category_confusion(TABLE, ax=ax),
    "category_path": lambda ax: plots.category_path(path_of(), ax=ax),
    "coder_marginals": lambda ax: plots.coder_marginals(TABLE, ax=ax),
    "segmentations": lambda ax: plots.segmentations({"Ann": "0100", "Ben": "0010"}, ax=ax),
    "coder_pairs": lambda ax: plots.coder_pairs([[1, 0.2], [0.2, 1]], ax=ax),
    "forest": lambda ax: plots.forest({"one": TABLE, "other": TABLE}, ax=ax),
    "items_by_coders": lambda ax: plots.items_by_coders(TABLE, ax=ax),
    "reference_errors": lambda ax: plots.reference_errors(
        subsets.reference_errors({"x": 1, "y": 1}, reliability=[0.3, 0.8], n_items=50, rng=1),
        ax=ax,
    ),
    "units": lambda ax: plots.units(UNITS, document="d", ax=ax),
}


def test_every_plot_is_tested() -> None:
    assert set(PICTURES) == set(plots.__all__)


@pytest.mark.few("units", "drift", "bootstrap_distribution")
@pytest.mark.parametrize("name", PICTURES)
def test_it_renders_on_new_axes_and_on_given_ones(name: str) -> None:
    own = PICTURES[name](None)
    assert rendered(own).startswith(b"\x89PNG")
    ax = Figure().add_subplot()
    assert PICTURES[name](ax) is ax
    assert rendered(ax) != rendered(Figure().add_subplot())
    assert texts(own).strip()


@pytest.mark.few("units", "drift", "bootstrap_distribution")
@pytest.mark.parametrize("name", PICTURES)
def test_it_does_not_change_matplotlib_settings(name: str) -> None:
    before = dict(mpl.rcParams)
    PICTURES[name](None)
    assert dict(mpl.rcParams) == before
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or not pyplot.get_fignums()


def test_no_plot_loads_pyplot() -> None:
    code = (
        "import sys, agreement_fast as af; from agreement_fast import plots;"
        "assert 'matplotlib' not in sys.modules;"
        "ax = plots.forest(af.agreement_table([[1, 1], [1, 2]]));"
        "ax.figure.savefig(sys.stdout.buffer, format='png');"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"\x89PNG")


def test_matplotlib_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "agreement-fast\[plot\]"'):
        plots.bootstrap_distribution(result())


def test_styles_differ_without_colour() -> None:
    seen = {(str(style["linestyle"]), style["marker"]) for style in STYLES}
    assert len(seen) == len(STYLES)
    assert len({str(style["linestyle"]) for style in STYLES[:5]}) == 5


# -- studies over coders


def test_the_deviation_has_a_line_a_coefficient() -> None:
    ax = plots.coder_subsets(STUDY)
    outcome = lines(ax)
    assert list(outcome) == ["α", "α (interval)"]
    assert outcome["α"] == ([2, 3, 4, 5], [0.4, 0.2, 0.1, 0.0])
    np.testing.assert_array_equal(outcome["α (interval)"][1], [0.2, nan, 0.05, 0.0])
    assert (ax.get_ylabel(), ax.get_ylim()[0]) == ("relative standard deviation", 0)
    assert {line.get_linestyle() for line in ax.get_lines()[::2]} == {"-", "--"}


def test_sampled_sizes_are_open_and_said() -> None:
    ax = plots.coder_subsets(STUDY)
    opened = [line for line in ax.get_lines() if line.get_label() == "_sampled"]
    assert [list(line.get_xdata()) for line in opened] == [[4], []]
    assert opened[0].get_markerfacecolor() == "white"
    assert ax.get_xlabel() == "number of coders\nopen markers: a sample of the subsets"
    exact = study(pi_nominal=[size(2, 0.4), size(3, 0.0)])
    assert plots.coder_subsets(exact).get_xlabel() == "number of coders"


def test_many_sizes_have_a_logarithmic_axis() -> None:
    sizes = [2, 3, 10, 100, 1000]
    ax = plots.coder_subsets(study(pi_nominal=[size(coders, 1 / coders) for coders in sizes]))
    assert ax.get_xscale() == "log"
    assert lines(ax)["π"][0] == sizes
    rendered(ax)
    assert "1,000" in texts(ax)
    assert plots.coder_subsets(STUDY).get_xscale() == "linear"
    assert marks(np.arange(2, 1000))[0] == 0
    assert 10 <= len(marks(np.arange(2, 1000))) <= 20 == len(marks(np.arange(100, 1000)))


def test_a_study_without_a_value_says_so() -> None:
    ax = plots.coder_subsets(study(pi_nominal=[size(2, nan)]))
    assert "nothing is defined here" in texts(ax)
    rendered(ax)


def test_changes_of_the_reference_add_up_on_the_same_axes() -> None:
    ax = plots.coder_subsets(stability(), name="5 classes")
    plots.coder_subsets(stability((0.2, 0.1, 0.0, 0.0)), name="3 classes", ax=ax)
    assert lines(ax) == {
        "5 classes": ([2, 3, 4, 5], [0.3, 0.2, 0.1, 0.0]),
        "3 classes": ([2, 3, 4, 5], [0.2, 0.1, 0.0, 0.0]),
    }
    first, second = (line.get_linestyle() for line in ax.get_lines())
    assert first != second
    assert list(lines(plots.coder_subsets(stability()))) == ["ties: first"]


def test_the_band_of_the_reference_is_minimum_to_maximum() -> None:
    ax = plots.coder_subsets(stability())
    (band,) = ax.collections
    corners = {(float(x), float(y)) for x, y in band.get_paths()[0].vertices}
    assert {(2.0, 0.15), (2.0, 0.6), (3.0, 0.4), (5.0, 0.0)} <= corners


# -- values and intervals


def test_rows_of_a_scale_are_value_and_interval() -> None:
    ax = plots.forest(
        [result("pi", value=0.3, low=0.2, high=0.45), result("alpha", "interval", 0.7, 0.6, 0.8)],
        scale="landis_koch_1977",
    )
    points = [(list(line.get_xdata()), set(line.get_ydata())) for line in ax.get_lines()
              if set(line.get_ydata()) <= {0, 1} and line.get_zorder() == 2]  # fmt: skip
    assert points == [([0.2, 0.45], {0}), ([0.3], {0}), ([0.6, 0.8], {1}), ([0.7], {1})]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["π", "α (interval)*"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first on top
    assert "95% interval" in ax.get_xlabel()
    assert "no scale is meant for this distance" in ax.get_xlabel()


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.key)
def test_the_bands_of_a_scale_are_named_and_end_where_it_says(scale: Any) -> None:
    ax = plots.forest([result(value=-0.2, low=-0.3, high=0.1)], scale=scale.key)
    words = {text.get_text().replace("\n", " ") for text in ax.texts}
    assert words == {band.word for band in scale.bands}
    edges = [line.get_xdata()[0] for line in ax.get_lines() if line.get_linestyle() == ":"]
    assert edges == [band.above for band in scale.bands if np.isfinite(band.above)]
    assert lines(plots.forest([result()], scale=scale)).keys() == set()


def test_a_band_below_zero_is_left_out_where_nothing_is_there() -> None:
    ax = plots.forest([result()], scale="landis_koch_1977")
    assert "poor" not in texts(ax)
    assert "slight" in texts(ax)
    bare = plots.forest([result("alpha", "ordinal")])
    assert not bare.texts
    assert bare.get_yticklabels()[0].get_text() == "α (ordinal)"


def test_groups_are_called_by_their_names() -> None:
    table = [[1, 1], [2, 2], [1, 2], [1, 1], [2, 2], [2, 1], [1, 1], [2, 2]]
    by = ["batch 10"] * 4 + ["batch 2"] * 4
    ax = plots.forest(agreement_by_group(table, by))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["batch 2", "batch 10"]
    assert ax.get_xlabel().startswith("α with 95% interval")
    both = plots.forest(agreement_by_group(table, by, ["alpha", "pi"]))
    assert [label.get_text() for label in both.get_yticklabels()] == ["batch 2", "batch 10"]
    assert [text.get_text() for text in both.get_legend().get_texts()] == ["α", "π"]
    own = plots.forest(agreement_by_group(table, by), name=["first", "second"])
    assert [label.get_text() for label in own.get_yticklabels()] == ["first", "second"]


def test_values_without_interval_and_undefined_ones() -> None:
    table = af.agreement_table([[1, 1], [1, 1]], ["pi"])
    ax = plots.forest(table)
    assert "undefined" in texts(ax)
    assert "interval" not in ax.get_xlabel()
    half = plots.forest(result(low=nan, high=nan))
    assert [list(line.get_xdata()) for line in half.get_lines()] == [[0.5]]
    rendered(plots.forest([]))


def test_results_of_other_functions_are_refused() -> None:
    """The error names the function whose result is drawn."""
    for draw, maker in (
        (plots.coder_subsets, r"subsets\.coder_subsets"),
        (plots.bootstrap_distribution, r"af\.bootstrap of one"),
        (plots.forest, r"has int, which is not one coefficient"),
        (plots.bland_altman, r"expected a table of items × coders, got int"),
        (plots.drift, r"diagnostics\.drift"),
    ):
        with pytest.raises(TypeError, match=maker):
            draw(3)  # type: ignore[arg-type, operator]


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(ValueError, match=r"scale must be 'landis_koch.*, not 'fleiss'"):
        plots.forest([result()], scale="fleiss")


def test_the_distribution_is_a_histogram_of_what_is_defined() -> None:
    replicates = np.random.default_rng(3).normal(0.5, 0.1, 1000)
    replicates[:7] = nan
    ax = plots.bootstrap_distribution(result(replicates=replicates))
    assert sum(patch.get_height() for patch in ax.patches) == 993
    left = min(patch.get_x() for patch in ax.patches)
    assert left == pytest.approx(np.nanmin(replicates))
    assert [line.get_xdata()[0] for line in ax.get_lines()] == [0.5, 0.4, 0.6]
    assert "7 of 1,000 replicates are undefined" in ax.get_xlabel()
    assert "95% interval 0.400 to 0.600" in texts(ax)


def test_the_distribution_of_few_or_no_values() -> None:
    constant = plots.bootstrap_distribution(result(replicates=np.full(50, 0.25)))
    assert sum(patch.get_height() for patch in constant.patches) == 50
    rendered(constant)
    wild = np.r_[np.full(999, 0.5), 0.9]
    assert len(plots.bootstrap_distribution(result(replicates=wild)).patches) <= 60
    empty = result(value=nan, low=nan, high=nan, undefined="no pairs: one coder",
                   replicates=np.full(3, nan))  # fmt: skip
    ax = plots.bootstrap_distribution(empty)
    assert "undefined: no pairs: one coder" in texts(ax)
    rendered(ax)


def test_symbols_are_those_of_the_papers() -> None:
    assert [symbol(name, "nominal") for name in af.COEFFICIENTS] == [
        "S", "S", "π", "α′", "κ", "β", "α", "AC",
    ]  # fmt: skip
    rendered(plots.forest([result(name) for name in af.COEFFICIENTS]))


# -- tables


def shades(ax: Axes) -> list[list[float]]:
    """The values of the cells, NaN where they are empty."""
    (image,) = ax.images
    return np.ma.filled(image.get_array().astype(float), nan).tolist()


def test_pairs_are_a_table_without_diagonal() -> None:
    values = [[1, 0.5, nan], [0.5, 1, -0.2], [nan, -0.2, 1]]
    ax = plots.coder_pairs(values, ["x", "y", "z"], measure="κ")
    np.testing.assert_array_equal(
        shades(ax), [[-0.2, 0.5, nan], [0.5, -0.2, -0.2], [nan, -0.2, -0.2]]
    )
    assert sorted(text.get_text() for text in ax.texts) == ["-0.20", "-0.20", "0.50", "0.50"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["x", "y", "z"]
    (hatched,) = ax.patches
    assert hatched.get_hatch()
    rendered(ax)


def test_pairs_of_a_diagnosis() -> None:
    data = af.Annotations.from_wide(
        [["a", "a", None, "b"], ["b", "b", "a", None], ["a", "b", "a", None]], coders=list("wxyz")
    )
    pairs = af.diagnostics.pairwise_agreement(data)
    ax = plots.coder_pairs(pairs)
    expected = pairs.matrix()
    outcome = np.array(shades(ax))
    off = ~np.eye(4, dtype=bool)
    np.testing.assert_array_equal(outcome[off], expected[off])
    assert ax.get_title() == ""
    fewer = plots.coder_pairs(pairs, max_coders=2)
    assert [label.get_text() for label in fewer.get_xticklabels()] == ["w", "x"]
    assert np.array(shades(fewer))[0, 1] == expected[0, 1]
    assert fewer.get_title() == "2 of 4 coders, who share most items"
    named = plots.coder_pairs(pairs, ["x", "w"], measure="K")
    assert [label.get_text() for label in named.get_xticklabels()] == ["x", "w"]
    assert named.figure.axes[1].get_ylabel() == "K"
    rendered(ax)


def test_many_coders_are_counted_and_not_named() -> None:
    ax = plots.coder_pairs(np.full((41, 41), 0.5))
    assert (ax.get_xlabel(), len(ax.texts)) == ("41 coders", 0)
    rendered(ax)


@pytest.mark.parametrize(
    ("values", "names", "message"),
    [
        ([[1, 2]], None, r"shape \(coders, coders\), got \(1, 2\)"),
        ([[1]], ["a", "b"], "2 names for 1 coders"),
    ],
)
def test_pairs_must_be_square_and_named(values: Any, names: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plots.coder_pairs(values, names)


def test_confusion_is_observed_over_expected() -> None:
    ax = plots.category_confusion(TABLE)
    # o: item 1 gives aa 1, ab 1, ba 1; item 2 bb 3; item 3 ac 1, ca 1. n_a = 3, n_b = 4, n_c = 1.
    expected = {"aa": 3 * 2 / 7, "ab": 3 * 4 / 7, "ac": 3 * 1 / 7, "bb": 4 * 3 / 7}
    numbers = [text.get_text() for text in ax.texts]
    assert numbers == [
        f"{1 / expected['aa']:.2f}", f"{1 / expected['ab']:.2f}", f"{1 / expected['ac']:.2f}",
        f"{1 / expected['ab']:.2f}", f"{3 / expected['bb']:.2f}", "0.00",
        f"{1 / expected['ac']:.2f}", "0.00",
    ]  # fmt: skip
    np.testing.assert_allclose(shades(ax)[0], [0, 7 / 12, 7 / 3])
    framed = [patch.get_xy() for patch in ax.patches if patch.get_label() == "_framed"]
    assert framed == [(2 - 0.46, -0.46), (-0.46, 2 - 0.46)]  # a with c, above chance


def test_the_most_frequent_categories_are_kept_and_that_is_said() -> None:
    rows = [[i, i] for i in range(40)] + [[39, 39], [5, 5]]
    ax = plots.category_confusion(rows, max_categories=2)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["5", "39"]
    assert ax.get_title() == "the 2 most frequent of 40 categories"
    unused = af.Annotations.from_wide([["a", "a"]] * 2, categories=["a", "b"])
    rendered(plots.category_confusion(unused))
    rendered(plots.category_confusion([["a", None]] * 2))


def test_items_come_by_their_disagreement() -> None:
    ax = plots.items_by_coders(TABLE)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["2", "0", "1"]
    np.testing.assert_array_equal(shades(ax), [[1, 1, nan], [0.5, 0.5, 1], [0, 0, 0]])
    assert [text.get_text() for text in ax.texts] == [*"ac", *"aab", *"bbb"]
    assert ax.get_title() == ""


def test_items_by_a_distance_and_weights() -> None:
    data = af.Annotations.from_wide(
        [[1, 2, 5], [1, 1, 1], [2, None, None]], weights=[3, 1, 7], items=["p", "q", "r"]
    )
    ax = plots.items_by_coders(data, distance="interval")
    assert shades(ax) == [[(1 + 16) / 2, (1 + 9) / 2, (16 + 9) / 2], [0, 0, 0]]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["p ×3", "q ×1"]
    rendered(plots.items_by_coders(data, distance="ordinal"))


def test_many_items_are_sampled_from_the_first_to_the_last_and_that_is_said() -> None:
    rows = [[1, 1, 1 + (i < 50)] for i in range(1000)]
    ax = plots.items_by_coders(rows, max_items=10, max_coders=2)
    assert len(shades(ax)) == 10
    assert ax.get_title().splitlines() == [
        "10 of 1,000 items, from the most disputed to the least",
        "2 of 3 coders, who judged most of these items",
    ]
    assert ax.get_yticklabels()[0].get_text() == "0"


def test_coders_who_share_few_items_give_way_to_judgments() -> None:
    # 30 items, each judged by three coders of its own
    triples = [(f"c{3 * i + j}", i, "x" if j else "y") for i in range(30) for j in range(3)]
    ax = plots.items_by_coders(af.Annotations.from_triples(triples))
    assert shades(ax) == [[1, 0.5, 0.5]] * 30
    assert [text.get_text() for text in ax.texts][:3] == ["y", "x", "x"]
    assert "90 coders share few items" in ax.get_title()
    assert ax.get_xlabel() == "judgments of the item"


def test_items_that_say_nothing() -> None:
    assert "no item has two judgments" in texts(plots.items_by_coders([["a", None]] * 2))
    rendered(plots.items_by_coders([["a", "a"]] * 2))
    counted = af.Annotations.from_counts([[2, 1]])
    with pytest.raises(ValueError, match="coders"):
        plots.items_by_coders(counted)
    with pytest.raises(ValueError, match="coders"):
        plots.coder_marginals(counted)


def test_marginals_are_shares_the_farthest_first() -> None:
    ax = plots.coder_marginals(TABLE)
    # pool a 3/9, b 4/9, c 2/9; coder 0: 2/4, 1/4, 1/4; coder 1: 1/3, 1/3, 1/3; coder 2: b only
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == ["all (9)", "2 (2)", "0 (4)", "1 (3)"]
    widths = np.array([[bar.get_width() for bar in bars] for bars in ax.containers]).T
    np.testing.assert_allclose(
        widths, [[3 / 9, 4 / 9, 2 / 9], [0, 1, 0], [0.5, 0.25, 0.25], [1 / 3, 1 / 3, 1 / 3]]
    )
    looks = {(bars[0].get_facecolor(), bars[0].get_hatch()) for bars in ax.containers}
    assert len(looks) == 3


def test_rare_categories_and_coders_are_added_up_or_left_out_and_that_is_said() -> None:
    rows = [[i % 15, i % 15 if i < 20 else None] for i in range(45)]
    ax = plots.coder_marginals(rows, max_coders=1)
    assert "6 others" in texts(ax)
    assert "1 of 2 coders, who judged most" in ax.get_xlabel()
    assert sum(bars[0].get_width() for bars in ax.containers) == pytest.approx(1)
    assert "there are no judgments" in texts(plots.coder_marginals([[None, None]] * 2))


# ---------------------------------------------------------------------------- paths


def test_a_path_is_a_dendrogram_with_its_values() -> None:
    rows = [("a", "a")] * 5 + [("b", "c")] * 3 + [("b", "b"), ("c", "c"), ("d", "d"), ("a", "d")]
    path = category_path(rows, n_resamples=40, rng=1)
    ax = plots.category_path(path)
    assert [label.get_text() for label in ax.get_yticklabels()] == list("adbc")
    ticks = [label.get_text().split("\n") for label in ax.get_xticklabels()]
    assert [tick[0] for tick in ticks] == ["4", "3", "2"]
    values = [path.value, *(step.value for step in path)]
    assert [tick[1] for tick in ticks] == [f"{value:.3f}" for value in values]
    assert ticks[0][2] == f"{path.low:.2f} to"
    drawn = [(list(line.get_xdata()), list(line.get_ydata())) for line in ax.get_lines()]
    assert drawn == [
        ([0, 1, 1, 0], [2, 2, 3, 3]),
        ([0, 2, 2, 0], [0, 0, 1, 1]),
        ([1, 2.9], [2.5, 2.5]),
        ([2, 2.9], [0.5, 0.5]),
    ]
    notes = [text.get_text() for text in ax.texts]
    assert notes == [f"{step.gain:+.3f}\n{step.support:.0%}" for step in path]
    assert "is chance" in ax.get_title()


def test_a_path_without_resamples_or_with_many_categories() -> None:
    ax = plots.category_path(path_of(0))
    assert ax.get_xlabel() == "categories left, and α"
    assert "%" not in texts(ax)
    many = plots.category_path(path_of(0, 20))
    assert len(many.get_xticks()) == 10
    assert not many.texts
    with pytest.raises(TypeError, match=r"expected the result of .*diagnostics\.category_path"):
        plots.category_path(STUDY)  # type: ignore[arg-type]


def test_errors_fall_with_the_reliability() -> None:
    table = subsets.reference_errors(
        {"x": 1, "y": 1}, reliability=[0.8, 0.3], n_coders=[5, 1], n_items=200, rng=1
    )
    ax = plots.reference_errors(table, target=0.05)
    rendered(ax)
    assert [line.get_label() for line in ax.get_lines()] == ["1 coder", "5 coders", "target: 5%"]
    one, five, target = ax.get_lines()
    np.testing.assert_array_equal(one.get_xdata(), [0.3, 0.8])
    np.testing.assert_array_equal(one.get_ydata(), table.error[::-1, 1])
    np.testing.assert_array_equal(five.get_ydata(), table.error[::-1, 0])
    assert set(target.get_ydata()) == {0.05}
    band = ax.collections[0].get_paths()[0].vertices[:, 1]
    assert {table.low[1, 1], table.high[0, 1]} <= set(band.tolist())
    nothing = replace(table, error=table.error * nan)
    assert "no item has a true label" in texts(plots.reference_errors(nothing))
    with pytest.raises(TypeError, match=r"expected the result of .*subsets\.reference_errors"):
        plots.reference_errors([1])  # type: ignore[arg-type]


def test_markers_of_differences_grow_with_their_items() -> None:
    ax = plots.bland_altman(limits_of_agreement(NUMBERS)[0])
    areas = ax.collections[0].get_sizes()
    assert sorted(set(areas.tolist())) == [14, 220]
    assert ax.get_title("right") == "markers: 1 to 2 items"
    apart = plots.bland_altman(limits_of_agreement([[1, None], [2, None], [None, 3]])[0])
    assert "no item was judged by both" in texts(apart)


def test_drift_is_drawn_window_by_window() -> None:
    outcome = drift(JUDGED, n_windows=4)
    ax = plots.drift(outcome, coders=["Bea"])
    values = [list(line.get_ydata()) for line in ax.get_lines()]
    bea = [one for one in outcome.windows if one.coder == "Bea"]
    assert values[0] == [one.value for one in bea]
    assert values[1] == [outcome.coders[1].first, outcome.coders[1].last]
    assert list(ax.get_lines()[0].get_xdata()) == [(one.start + one.end) / 2 for one in bea]
    with pytest.raises(ValueError, match="'Cid' is not one of the coders"):
        plots.drift(outcome, coders=["Cid"])
    many = pl.concat([JUDGED.with_columns(coder=pl.col("coder") + str(i)) for i in range(4)])
    ax = plots.drift(drift(many, n_windows=2))
    assert ax.get_title("right") == "the 5 of 8 coders who change most"


def test_units_are_lanes_with_nested_ones_above() -> None:
    ax = plots.units(UNITS, document="d")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["A", "B", "C"]
    # from the left; a box of a higher level is nearer to the top, where the axis is small
    boxes = {box.get_x(): (box.get_width(), box.get_y()) for box in ax.patches}
    assert {left: width for left, (width, _) in boxes.items()} == {0: 8, 1: 2, 6: 1, 2: 1, 4: 5}
    assert boxes[2][1] < boxes[1][1] == boxes[6][1] < boxes[0][1] < boxes[4][1]
    joined = [line.get_xdata() for line in ax.get_lines() if len(line.get_xdata()) == 2]
    assert [3, 6] in [list(ends) for ends in joined]
    assert texts(ax).count("did not see this document") == 1
    looks = {(box.get_facecolor(), box.get_hatch()) for box in ax.patches}
    assert len(looks) == 3
    legend = ax.get_legend()
    assert legend is not None
    assert [label.get_text() for label in legend.get_texts()] == ["x", "y", "z"]


def test_a_part_of_the_units_and_few_coders_are_drawn_and_that_is_said() -> None:
    ax = plots.units(UNITS, document="d", positions=(2, 5), max_coders=2)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["A", "B"]
    assert ax.get_title() == "d\n2 of 3 coders, who marked most"
    assert sorted((box.get_x(), box.get_width()) for box in ax.patches) == [
        (2, 1), (2, 1), (2, 3), (4, 1),
    ]  # fmt: skip
    many = units.Continuum.from_rows(["A"] * 12, range(12), range(1, 13), range(12))
    assert "4 others" in texts(plots.units(many))
    silent = units.Continuum.from_rows([], [], [], all_coders=["A"], extents=3)
    rendered(plots.units(silent))


@pytest.mark.parametrize(
    ("asked", "error", "text"),
    [
        ({}, ValueError, "expected one document, got 2.*pass document, one of 'd', 'e'"),
        ({"document": "f"}, KeyError, "no document 'f'"),
        ({"document": "d", "positions": (5, 5)}, ValueError, "not inside.*from 0 to 10"),
        ({"document": "d", "positions": (5, 11)}, ValueError, "not inside"),
    ],
)
def test_a_plot_of_units_needs_a_document(
    asked: dict[str, Any], error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        plots.units(UNITS, **asked)
    with pytest.raises(TypeError, match=r"Continuum\.from_rows"):
        plots.units([[1]], document="d")
