"""Coefficients on scales: membership probabilities by the error function, and irrCAC's numbers."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast import bootstrap
from agreement_fast.inference import benchmark, coefficient_test, standard_error
from agreement_fast.inference.scales import SCALES, Band, Scale

ROWS = [["x", "x"], ["x", "y"], ["y", "y"], ["x", "x"], ["y", "x"], ["y", "y"]] * 4


def normal(z):
    """P(Z < z)."""
    return math.erfc(-z / math.sqrt(2)) / 2


@pytest.mark.parametrize(
    ("scale", "cumulative", "band"),
    [
        # irrCAC 0.4's documentation, Benchmark(coeff=0.67, se=0.15)
        ("altman_1991", [0.18168, 0.67511, 0.96356, 0.99912, 1.0], "moderate"),
        # its Cicchetti-Sparrow has .75 and .4 too
        ("fleiss_1981", [0.28699, 0.96356, 1.0], "fair to good"),
        ("landis_koch_1977", [0.18168, 0.67511, 0.96356, 0.99912, None, 1.0], "moderate"),
    ],
)
def test_cumulative_probabilities_are_irrcac_s(scale, cumulative, band):
    result = benchmark(0.67, scale, standard_error=0.15)
    for got, printed in zip(result.cumulative, cumulative, strict=True):
        assert printed is None or got == pytest.approx(printed, abs=5.1e-6)
    assert result.band == band


@given(
    st.sampled_from(SCALES),
    st.floats(-1.3, 1),
    st.floats(0.01, 2),
    st.sampled_from([0.5, 0.8, 0.95, 0.999]),
)
def test_probabilities_are_those_of_a_normal_distribution_cut_at_both_ends(
    scale, value, error, certainty
):
    """Gwet's formula, band by band; the first band that is sure enough."""
    result = benchmark(value, scale, standard_error=error, certainty=certainty)
    whole = normal((value + 1) / error) - normal((value - 1) / error)
    ends = [1.0, *(max(band.above, -1) for band in scale.bands)]
    total, first = 0.0, None
    for place, band in enumerate(scale.bands):
        share = normal((value - ends[place + 1]) / error) - normal((value - ends[place]) / error)
        total += share / whole
        assert result.probability[place] == pytest.approx(share / whole, abs=1e-9)
        assert result.cumulative[place] == pytest.approx(total, abs=1e-9)
        assert (result.low[place], result.high[place]) == (ends[place + 1], ends[place])
        if first is None and result.cumulative[place] >= certainty:
            first = band.word
    assert result.band == first
    assert result.cumulative[-1] == 1
    assert float(result) == value


def test_far_tails_keep_their_digits():
    """Where differences of Φ are 0: P(Z > 50) / P(Z > 40) by the series of Mills' ratio."""

    def mills(z):
        return (1 - 1 / z**2 + 3 / z**4 - 15 / z**6) / z

    two = Scale("two", "Two", "Two", "", (Band(0.0, True, "up", ""), Band(-2.0, True, "down", "")))
    result = benchmark(-5, two, standard_error=0.1)
    ratio = math.exp((40**2 - 50**2) / 2) * mills(50) / mills(40)
    assert result.probability[0] == pytest.approx(ratio, rel=1e-6)
    assert benchmark(-200, standard_error=0.01).band == "poor"
    assert benchmark(1, standard_error=1e-9).cumulative[0] == 1


def test_what_carries_its_error():
    """Results bring value and standard error; one given counts instead."""
    error = standard_error(ROWS, "kappa")
    by_hand = benchmark(float(error), standard_error=error.standard_error)
    assert benchmark(error).cumulative.tolist() == by_hand.cumulative.tolist()
    drawn = bootstrap(ROWS, "kappa", n_resamples=50, rng=1)
    assert benchmark(drawn).standard_error == drawn.standard_error
    test = coefficient_test(ROWS, "kappa", method="null")
    assert benchmark(test).standard_error == test.standard_error
    assert benchmark(error, standard_error=0.01).standard_error == 0.01
    assert benchmark(error, standard_error=0.01).band != benchmark(error).band
    assert benchmark(error).note is None
    numbers = af.Annotations.from_wide([[1, 2], [2, 2], [5, 4], [3, 3]])
    assert "no scale is meant" in benchmark(standard_error(numbers, distance="interval")).note


@pytest.mark.parametrize(
    ("result", "error", "reason"),
    [
        (0.7, 0.0, "no variance: the standard error is 0"),
        (0.7, math.nan, "no variance: the standard error is undefined"),
        (math.nan, 0.1, "no value"),
        (standard_error([["x", "x"]] * 4), None, "no variation"),
        (
            standard_error([["x", "x"], ["y", "y"]] * 4),
            None,
            "no variance: the standard error is 0",
        ),
    ],
)
def test_what_has_no_probabilities_says_why(result, error, reason):
    outcome = benchmark(result, standard_error=error)
    assert outcome.undefined.startswith(reason)
    assert outcome.band is None
    assert np.isnan(outcome.probability).all()
    assert np.isnan(outcome.cumulative).all()
    assert reason in repr(outcome)
    assert str(outcome).split().count("-") == 2 * len(outcome.bands)


def test_the_text_names_the_band_and_the_table_has_all():
    result = benchmark(0.67, "fleiss_1981", standard_error=0.15)
    assert repr(result) == (
        "<0.67 ± 0.15 on the scale of Fleiss 1981: fair to good or higher with probability 0.9636>"
    )
    assert str(result).splitlines()[3].split() == (
        ["fair", "to", "good", "0.4", "0.75", "0.6766", "0.9636", "first", "to", "reach", "0.95"]
    )
    assert repr(benchmark(0.1, standard_error=0.3)).endswith(
        "with probability 1.0000, as any value>"
    )
    assert "excellent with probability" in repr(benchmark(0.99, "fleiss_1981", standard_error=0.01))
    assert result.to_dict()["band"] == ["excellent", "fair to good", "poor"]
    assert result.to_dict()["cumulative"] == result.cumulative.tolist()


def test_a_number_without_a_standard_error_has_the_band_of_its_value():
    result = benchmark(0.7)
    assert result.band == "substantial"
    assert np.isnan(result.probability).all()
    assert result.undefined is None
    assert "the band of the value alone" in repr(result)
    assert "holds 0.7" in str(result)
    with pytest.raises(ValueError, match="landis_koch_1977"):
        benchmark(0.5, [[1, 2], [2, 1]])


def test_what_benchmark_refuses():
    with pytest.raises(ValueError, match=r"scale must be 'landis_koch_1977', .*, not 'landis'"):
        benchmark(0.7, "landis", standard_error=0.1)
    with pytest.raises(
        TypeError, match=r"result must be a number, not \[\[.*pass what af.inference.standard"
    ):
        af.inference.benchmark([["x", "x"], ["x", "y"]])
    with pytest.raises(ValueError, match=r"result must be at most 1, not 1\.2"):
        benchmark(1.2, standard_error=0.1)
    with pytest.raises(ValueError, match="standard_error must be 0 or more"):
        benchmark(0.7, standard_error=-0.1)
    with pytest.raises(ValueError, match="certainty must be between 0 and 1"):
        benchmark(0.7, standard_error=0.1, certainty=95)
