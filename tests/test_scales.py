"""Published scales: what they say at their borders, and words for values."""

import math

import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast.inference import SCALES, benchmark
from agreement_fast.inference.scales import Band, Scale, find_scale

#: The lowest value of each band from the top, to three decimals, and its word; the rest below.
BORDERS = {
    # Krippendorff 2004, p. 241: above .800, from .667
    "krippendorff_2004": [(0.801, "reliable"), (0.667, "tentative"), (-1, "discard")],
    # Fleiss 1981, p. 218: greater than .75, below .40
    "fleiss_1981": [(0.751, "excellent"), (0.4, "fair to good"), (-1, "poor")],
    # Altman 1991, p. 404: .81 to 1.00, .61 to .80, .41 to .60, .21 to .40
    "altman_1991": [
        (0.801, "very good"), (0.601, "good"), (0.401, "moderate"), (0.201, "fair"), (-1, "poor"),
    ],
    # Di Eugenio & Glass 2004, section 1: .20 < κ ≤ .40 fair, .40 < κ ≤ .60 moderate
    "rietveld_van_hout_1993": [
        (0.801, "almost perfect"), (0.601, "substantial"), (0.401, "moderate"), (0.201, "fair"),
        (0.0, "slight"), (-1, "poor"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("key", BORDERS)
def test_bands_begin_where_the_authors_say(key):
    for thousandths in nonempty(range(-1000, 1001)):
        value = thousandths / 1000
        expected = next(word for least, word in BORDERS[key] if value >= least)
        assert benchmark(value, key).band == expected, value


def test_a_value_has_a_word_of_each_scale():
    value = float(af.kappa([["x", "x"], ["y", "y"], ["x", "y"]]))
    words = {scale.key: benchmark(value, scale.key).band for scale in SCALES}
    assert words["landis_koch_1977"] == "fair"
    assert words["altman_1991"] == "fair"
    assert {benchmark(math.nan, scale).band for scale in SCALES} == {None}
    own = Scale(
        "own", "Mine", "Mine", "", (Band(0.5, True, "up", ""), Band(-9.0, True, "down", ""))
    )
    assert (benchmark(0.5, own).band, benchmark(0.49, own).band) == ("up", "down")
    assert find_scale(own) is own


def test_rietveld_and_van_hout_are_landis_and_koch():
    """The scale of Di Eugenio & Glass has the bands of the better known one."""
    one, other = find_scale("rietveld_van_hout_1993"), find_scale("landis_koch_1977")
    ends = [(band.above, band.closed, band.word) for band in one.bands]
    assert ends == [(band.above, band.closed, band.word) for band in other.bands]


def test_what_has_no_word_is_refused():
    with pytest.raises(ValueError, match=r"result must be at most 1, not 67"):
        benchmark(67)
    with pytest.raises(ValueError, match=r"scale must be 'landis_koch_1977', .*, not 'cohen'"):
        benchmark(0.67, "cohen")
    with pytest.raises(TypeError, match="result must be a number, not 'high'"):
        benchmark("high")
    numbers = af.Annotations.from_wide([[1, 2], [2, 2], [5, 4], [3, 3]])
    weighted = af.alpha(numbers, "interval")
    assert "no scale is meant for another distance" in benchmark(weighted).note
    assert benchmark(float(weighted), "altman_1991").band == "very good"
