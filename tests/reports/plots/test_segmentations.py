"""The plot of segmentations draws the boundaries and counts them."""

import numpy as np
import pytest
from matplotlib.collections import LineCollection

from agreement_fast import plots

CUTS = {"Ann": "010010", "Ben": "010000", "Eve": "001000"}


def upright(ax):
    """Return the positions of lines and their ends."""
    return [
        [tuple(np.round(line.ravel(), 6)) for line in some.get_segments()]
        for some in ax.collections
        if isinstance(some, LineCollection)
    ]


def test_boundaries_stand_where_segments_end():
    ax = plots.segmentations(CUTS)
    marks, bars = upright(ax)
    assert [(x, (low + high) / 2) for x, low, _, high in marks] == [(2, 0), (5, 0), (2, 1), (3, 2)]
    assert [x for x, *_ in bars] == [2, 3, 5]
    heights = [high - low for _, low, _, high in bars]
    assert heights == pytest.approx([0.8, 0.4, 0.4])
    assert [text.get_text() for text in ax.texts] == ["2", "1", "1"]
    black = np.array(ax.collections[1].get_colors())[:, :3].sum(axis=1) == 0
    assert black.tolist() == [True, False, False]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["Ann", "Ben", "Eve", "coders"]
    assert ax.get_xlim() == (0, 7)
    ax.figure.canvas.draw()


def test_types_have_markers_that_do_not_hide_each_other():
    ax = plots.segmentations({"A": [{"x", "y"}, set()], "B": [{"y"}, {"x"}]})
    result = {
        line.get_label(): [*zip(*map(list, line.get_data()), strict=True)]
        for line in ax.lines
        if not line.get_label().startswith("_")
    }
    assert result == {"x": [(1, -0.125), (2, 0.875)], "y": [(1, 0.125), (1, 1.125)]}
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["x", "y"]
    assert [text.get_text() for text in ax.texts] == ["2", "1"]


def test_a_long_text_is_cut_and_says_so():
    ax = plots.segmentations({"A": np.ones(5000, int), "B": np.zeros(5000, int)}, max_elements=100)
    assert ax.get_title() == "the first 100 of 5,001 elements"
    assert ax.get_xlim() == (0, 100)
    assert len(upright(ax)[0]) == 99
    assert not ax.texts


def test_one_of_several_texts_is_drawn():
    several = {"A": {"s": "01", "t": "100"}, "B": {"t": "010"}, "C": {"s": "11"}}
    ax = plots.segmentations(several, text="t")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["A", "B", "coders"]
    assert [x for x, *_ in upright(ax)[0]] == [1, 2]
    given = ax.figure.add_subplot()
    assert plots.segmentations({"A": "01"}, ax=given) is given


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda: plots.segmentations({"A": {"s": "0", "t": "1"}}),
            "expected one text, got 2: pass text='s'",
        ),
        (lambda: plots.segmentations({"A": {"s": "0"}}, text="t"), "no text t"),
        (lambda: plots.segmentations({"A": "01", "B": "0"}), "coder A has 2 places"),
        (lambda: plots.segmentations({"A": "01"}, max_elements=1), "max_elements"),
    ],
)
def test_what_cannot_be_drawn_is_refused(call, text):
    with pytest.raises(ValueError, match=text):
        call()
