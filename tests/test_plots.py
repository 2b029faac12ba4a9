"""The pictures: what they draw is the data, they render, and they leave the world as it was."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import agreement_fast as af
from agreement_fast import plots
from agreement_fast.plots._canvas import STYLES, marks, symbol
from agreement_fast.scales import SCALES

nan = float("nan")


@dataclass
class Size:
    size: int
    relative_standard_deviation: float
    sampled: bool = False


class Study(dict[tuple[str, str], list[Size]]):
    @property
    def measures(self) -> tuple[tuple[str, str], ...]:
        return tuple(self)


@dataclass
class Stability:
    sizes: tuple[int, ...] = (2, 3, 4, 5)
    changed: Any = (0.3, 0.2, 0.1, 0.0)
    minimum: Any = (0.1, 0.1, 0.05, 0.0)
    maximum: Any = (0.5, 0.3, 0.2, 0.0)
    ties: str = "first"


@dataclass
class Result:
    coefficient: str = "alpha"
    distance: str = "nominal"
    value: float = 0.5
    low: float = 0.4
    high: float = 0.6
    confidence_level: float = 0.95
    undefined: str | None = None
    replicates: Any = field(default_factory=lambda: np.linspace(0.3, 0.7, 1001))


STUDY = Study(
    {
        ("alpha", "nominal"): [Size(2, 0.4), Size(3, 0.2), Size(4, 0.1, True), Size(5, 0.0)],
        ("alpha", "interval"): [Size(2, 0.2), Size(3, nan), Size(4, 0.05), Size(5, 0.0)],
    }
)


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
    """All that is written on the axes."""
    legend = ax.get_legend()
    parts = [*ax.texts, *(legend.get_texts() if legend else ()), ax.xaxis.label, ax.yaxis.label]
    parts += [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.title]
    return "\n".join(part.get_text() for part in parts)


PICTURES: dict[str, Any] = {
    "relative_standard_deviation": lambda ax: plots.relative_standard_deviation(STUDY, ax=ax),
    "reference_changes": lambda ax: plots.reference_changes(Stability(), ax=ax),
    "coefficients_on_scale": lambda ax: plots.coefficients_on_scale([Result()], ax=ax),
    "bootstrap_distribution": lambda ax: plots.bootstrap_distribution(Result(), ax=ax),
}


def test_every_picture_is_tried() -> None:
    assert set(PICTURES) == set(plots.__all__)


@pytest.mark.parametrize("name", PICTURES)
def test_it_renders_on_new_axes_and_on_given_ones(name: str) -> None:
    own = PICTURES[name](None)
    assert rendered(own).startswith(b"\x89PNG")
    ax = Figure().add_subplot()
    assert PICTURES[name](ax) is ax
    assert rendered(ax) != rendered(Figure().add_subplot())
    assert texts(own).strip()


@pytest.mark.parametrize("name", PICTURES)
def test_it_leaves_matplotlib_alone(name: str) -> None:
    before = dict(mpl.rcParams)
    PICTURES[name](None)
    assert dict(mpl.rcParams) == before
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or not pyplot.get_fignums()


def test_no_picture_loads_pyplot() -> None:
    code = (
        "import sys, agreement_fast as af; from agreement_fast import plots;"
        "assert 'matplotlib' not in sys.modules;"
        "ax = plots.coefficients_on_scale(af.agreement_table([[1, 1], [1, 2]]));"
        "ax.figure.savefig(sys.stdout.buffer, format='png');"
        "assert 'matplotlib.pyplot' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"\x89PNG")


def test_matplotlib_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "agreement-fast\[plot\]"'):
        plots.bootstrap_distribution(Result())


def test_styles_differ_without_colour() -> None:
    seen = {(str(style["linestyle"]), style["marker"]) for style in STYLES}
    assert len(seen) == len(STYLES)
    assert len({str(style["linestyle"]) for style in STYLES[:5]}) == 5


# -- studies over coders


def test_the_deviation_has_a_line_a_coefficient() -> None:
    ax = plots.relative_standard_deviation(STUDY)
    found = lines(ax)
    assert list(found) == ["α", "α (interval)"]
    assert found["α"] == ([2, 3, 4, 5], [0.4, 0.2, 0.1, 0.0])
    np.testing.assert_array_equal(found["α (interval)"][1], [0.2, nan, 0.05, 0.0])
    assert (ax.get_ylabel(), ax.get_ylim()[0]) == ("relative standard deviation", 0)
    assert {line.get_linestyle() for line in ax.get_lines()[::2]} == {"-", "--"}


def test_sampled_sizes_are_open_and_said() -> None:
    ax = plots.relative_standard_deviation(STUDY)
    opened = [line for line in ax.get_lines() if line.get_label() == "_sampled"]
    assert [list(line.get_xdata()) for line in opened] == [[4], []]
    assert opened[0].get_markerfacecolor() == "white"
    assert ax.get_xlabel() == "number of coders\nopen markers: a sample of the subsets"
    exact = Study({("pi", "nominal"): [Size(2, 0.4), Size(3, 0.0)]})
    assert plots.relative_standard_deviation(exact).get_xlabel() == "number of coders"


def test_many_sizes_are_seen_by_their_ratios() -> None:
    sizes = [2, 3, 10, 100, 1000]
    ax = plots.relative_standard_deviation(
        Study({("pi", "nominal"): [Size(size, 1 / size) for size in sizes]})
    )
    assert ax.get_xscale() == "log"
    assert lines(ax)["π"][0] == sizes
    rendered(ax)
    assert "1,000" in texts(ax)
    assert plots.relative_standard_deviation(STUDY).get_xscale() == "linear"
    assert marks(np.arange(2, 1000))[0] == 0
    assert 10 <= len(marks(np.arange(2, 1000))) <= 20 == len(marks(np.arange(100, 1000)))


def test_a_study_without_a_value_says_so() -> None:
    ax = plots.relative_standard_deviation(Study({("pi", "nominal"): [Size(2, nan)]}))
    assert "nothing is defined here" in texts(ax)
    rendered(ax)


def test_changes_of_the_reference_add_up_on_the_same_axes() -> None:
    ax = plots.reference_changes(Stability(), label="5 classes")
    plots.reference_changes(Stability(changed=(0.2, 0.1, 0.0, 0.0)), label="3 classes", ax=ax)
    assert lines(ax) == {
        "5 classes": ([2, 3, 4, 5], [0.3, 0.2, 0.1, 0.0]),
        "3 classes": ([2, 3, 4, 5], [0.2, 0.1, 0.0, 0.0]),
    }
    first, second = (line.get_linestyle() for line in ax.get_lines())
    assert first != second
    assert list(lines(plots.reference_changes(Stability()))) == ["ties: first"]


def test_the_band_of_the_reference_is_minimum_to_maximum() -> None:
    ax = plots.reference_changes(Stability())
    (band,) = ax.collections
    corners = {(float(x), float(y)) for x, y in band.get_paths()[0].vertices}
    assert {(2.0, 0.1), (2.0, 0.5), (3.0, 0.3), (5.0, 0.0)} <= corners


# -- values and intervals


def test_rows_of_a_scale_are_value_and_interval() -> None:
    ax = plots.coefficients_on_scale(
        [Result("pi", value=0.3, low=0.2, high=0.45), Result("alpha", "interval", 0.7, 0.6, 0.8)]
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
    ax = plots.coefficients_on_scale([Result(value=-0.2, low=-0.3, high=0.1)], scale=scale.key)
    words = {text.get_text().replace("\n", " ") for text in ax.texts}
    assert words == {band.word for band in scale.bands}
    edges = [line.get_xdata()[0] for line in ax.get_lines() if line.get_linestyle() == ":"]
    assert edges == [band.above for band in scale.bands if np.isfinite(band.above)]
    assert lines(plots.coefficients_on_scale([Result()], scale=scale)).keys() == set()


def test_a_band_below_zero_is_left_out_where_nothing_is_there() -> None:
    ax = plots.coefficients_on_scale([Result()])
    assert "poor" not in texts(ax)
    assert "slight" in texts(ax)
    bare = plots.coefficients_on_scale([Result("alpha", "ordinal")], scale=None)
    assert not bare.texts
    assert bare.get_yticklabels()[0].get_text() == "α (ordinal)"


def test_values_without_interval_and_undefined_ones() -> None:
    table = af.agreement_table([[1, 1], [1, 1]], ["pi"])
    ax = plots.coefficients_on_scale(table)
    assert "undefined" in texts(ax)
    assert "interval" not in ax.get_xlabel()
    half = plots.coefficients_on_scale([Result(low=nan, high=nan)], scale=None)
    assert [list(line.get_xdata()) for line in half.get_lines()] == [[0.5]]
    rendered(plots.coefficients_on_scale([]))


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="scale 'fleiss' is not known: it is one of 'landis_koch"):
        plots.coefficients_on_scale([Result()], scale="fleiss")


def test_the_distribution_is_a_histogram_of_what_is_defined() -> None:
    replicates = np.random.default_rng(3).normal(0.5, 0.1, 1000)
    replicates[:7] = nan
    ax = plots.bootstrap_distribution(Result(replicates=replicates))
    assert sum(patch.get_height() for patch in ax.patches) == 993
    left = min(patch.get_x() for patch in ax.patches)
    assert left == pytest.approx(np.nanmin(replicates))
    assert [line.get_xdata()[0] for line in ax.get_lines()] == [0.5, 0.4, 0.6]
    assert "7 of 1,000 replicates are undefined" in ax.get_xlabel()
    assert "95% interval 0.400 to 0.600" in texts(ax)


def test_the_distribution_of_few_or_no_values() -> None:
    constant = plots.bootstrap_distribution(Result(replicates=np.full(50, 0.25)))
    assert sum(patch.get_height() for patch in constant.patches) == 50
    rendered(constant)
    wild = np.r_[np.full(999, 0.5), 0.9]
    assert len(plots.bootstrap_distribution(Result(replicates=wild)).patches) <= 60
    empty = Result(value=nan, low=nan, high=nan, undefined="no pairs: one coder",
                   replicates=np.full(3, nan))  # fmt: skip
    ax = plots.bootstrap_distribution(empty)
    assert "undefined: no pairs: one coder" in texts(ax)
    rendered(ax)


def test_symbols_are_those_of_the_papers() -> None:
    assert [symbol(name, "nominal") for name in af.COEFFICIENTS] == [
        "S", "S", "π", "α′", "κ", "β", "α", "AC",
    ]  # fmt: skip
    rendered(plots.coefficients_on_scale([Result(name) for name in af.COEFFICIENTS]))
