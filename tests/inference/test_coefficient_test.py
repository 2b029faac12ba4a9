"""A test beside every number: p-values agree with intervals, and with Student's t by hand."""

import math
from statistics import NormalDist

import numpy as np
import pytest
import reference_classical as plain
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import tables

import agreement_fast as af
from agreement_fast import bootstrap, compare
from agreement_fast.inference import coefficient_test, standard_error
from agreement_fast.inference.hypotheses import CoefficientTest
from agreement_fast.inference.intervals import acceleration, interval
from agreement_fast.inference.results import BootstrapResult

N = None
#: Gwet's four raters and twelve units.
UNITS = [
    (1, 1, N, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4),
    (4, 4, 4, 4), (1, 1, 2, 1), (2, 2, 2, 2), (N, 5, 5, 5), (N, N, 1, 1), (N, N, 3, N),
]  # fmt: skip
ROWS = [["x", "x"], ["x", "y"], ["y", "y"], ["x", "x"], ["y", "x"], ["y", "y"]] * 4
ALTERNATIVES = ("two-sided", "greater", "less")

# irrCAC 0.4.4 prints value and standard error, and p is 2 P(T > value / error) on 11 degrees.
IRRCAC = [
    ("ac", 0.775444068127, 0.142949950641),
    ("pi", 0.761169275422, 0.153019203469),
    ("s", 0.772727272727, 0.144716619899),
]


@pytest.mark.parametrize(("name", "value", "error"), IRRCAC)
def test_p_is_student_s_t_of_the_standard_error(name, value, error):
    """Against 0 as irrCAC, against another value, and on Fisher's scale."""
    plain_p = 2 * plain.t_tail(value / error, 11)
    result = coefficient_test(UNITS, name, method="gwet", transform="none")
    assert result.p_value == pytest.approx(plain_p, rel=1e-7)
    assert (result.df, result.n_items, result.n_items_dropped) == (11, 12, 0)
    assert result.statistic == pytest.approx(value / error, rel=1e-9)
    above = coefficient_test(
        UNITS, name, method="gwet", transform="none", null_value=0.6, alternative="greater"
    )
    assert above.p_value == pytest.approx(plain.t_tail((value - 0.6) / error, 11), rel=1e-7)
    t = (math.atanh(value) - math.atanh(0.6)) * (1 - value**2) / error
    fisher = coefficient_test(
        UNITS, name, method="gwet", transform="atanh", null_value=0.6, alternative="greater"
    )
    assert fisher.statistic == pytest.approx(t, rel=1e-9)
    assert fisher.p_value == pytest.approx(plain.t_tail(t, 11), rel=1e-7)
    assert fisher.p_value > above.p_value


@examples(60)
@given(
    tables(weighted=False),
    st.sampled_from(["alpha", "pi", "kappa", "ac", "s"]),
    st.sampled_from(["score", "none", "atanh"]),
    st.sampled_from([0.5, 0.9, 0.95, 0.99]),
    st.booleans(),
)
def test_p_is_below_5_percent_exactly_if_the_interval_leaves_the_value_out(
    table, name, scale, level, by_document
):
    """For every level, scale and sample, just inside and just outside of both ends."""
    data = af.Annotations.from_wide(
        table.rows, coders=[f"c{i}" for i in range(table.n_coders)], categories=table.categories
    )
    cluster = [i // 2 for i in range(len(table.rows))] if by_document else None
    way = {} if scale == "score" else {"method": "delta", "transform": scale}
    error = standard_error(data, name, confidence_level=level, cluster=cluster, **way)
    units = -(-len(table.rows) // 2) if by_document else len(table.rows)
    assert error.n_items + error.n_items_dropped == units
    nulls = [-0.9, 0.0, 0.3, 0.667, 0.95]
    nulls += [end + gap for end in (error.low, error.high) for gap in (-1e-6, 1e-6)]
    for null in nulls:
        if not null < 1 or (scale == "atanh" and null <= -1):
            continue
        both, greater, less = (error.test(null, alternative) for alternative in ALTERNATIVES)
        assert isinstance(both, CoefficientTest)
        if both.undefined is not None:
            assert math.isnan(both.p_value)
            assert math.isnan(error.value) or not error.standard_error > 0 or units == 1
            continue
        assert (both.p_value < 1 - level) == (not error.low <= null <= error.high)
        assert greater.p_value + less.p_value == pytest.approx(1)
        assert both.p_value == pytest.approx(2 * min(greater.p_value, less.p_value))
        if scale != "score":
            assert (greater.p_value < 0.5) == (error.value > null)
        assert (both.low, both.high, both.value) == (error.low, error.high, error.value)


def test_the_test_of_a_function_is_that_of_its_standard_error():
    """All arguments go through; documents are the sample."""
    documents = [i // 5 for i in range(len(ROWS))]
    options = {"distance": "nominal", "cluster": documents, "confidence_level": 0.9}
    result = coefficient_test(ROWS, "kappa", null_value=0.2, alternative="less", **options)
    error = standard_error(ROWS, "kappa", **options)
    assert result.p_value == error.test(0.2, "less").p_value
    assert 0 < result.p_value < 1
    assert (result.n_items, result.low) == (5, error.low)
    assert 1 <= result.df <= 4
    weighted = coefficient_test(UNITS, "alpha", distance="interval", incomplete="complete")
    expected = standard_error(UNITS, "alpha", distance="interval", incomplete="complete")
    assert (weighted.value, weighted.standard_error) == (expected.value, expected.standard_error)
    assert (weighted.n_items, weighted.n_items_dropped) == (8, 4)
    assert coefficient_test(ROWS).to_dict()["distribution"] == ["t"]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([["x", "x"]] * 4, "no variation"),
        ([["x", None], [None, "y"]], "no pairs"),
        ([["x", "y"], ["x", None], [None, "y"]], "no variance: there is one item"),
    ],
)
def test_what_has_no_test_says_why(rows, reason):
    """NaN and a sentence, from the standard error and from the bootstrap."""
    data = af.Annotations.from_wide(rows, coders=["a", "b"])
    result = coefficient_test(data, "alpha", null_value=0.3)
    assert math.isnan(result.p_value)
    assert math.isnan(result.statistic)
    assert result.undefined.startswith(reason)
    assert reason in repr(result)
    drawn = bootstrap(data, "alpha", n_resamples=20, rng=1, method="bca").test(0.3)
    assert math.isnan(drawn.p_value)
    assert drawn.undefined is not None


def test_null_values_and_alternatives_are_checked():
    for null, message in [
        (1, "null_value must be above -1 and below 1, not 1"),
        (-1, "null_value must be above -1 and below 1, not -1"),
        (math.nan, "null_value must be above -1"),
    ]:
        with pytest.raises(ValueError, match=message):
            coefficient_test(ROWS, null_value=null, method="delta", transform="atanh")
    with pytest.raises(ValueError, match="null_value must be below 1, not 1"):
        bootstrap(ROWS, n_resamples=9, rng=1).test(1)
    assert coefficient_test(ROWS, null_value=-1).p_value < 1e-6
    with pytest.raises(ValueError, match="alternative must be"):
        bootstrap(ROWS, n_resamples=9, rng=1).test(0.5, "larger")
    with pytest.raises(ValueError, match="alternative must be"):
        standard_error(ROWS).test(0.5, "larger")


# ---------------------------------------------------------------------- of a bootstrap


def drawn(method, value, replicates, level, jackknife):
    """A result whose replicates are given."""
    left_out = [(np.array(jackknife), np.ones(len(jackknife)))]
    low, high = interval(method, value, replicates, level, acceleration(left_out))
    return BootstrapResult(
        "alpha", "nominal", "items", int(np.isnan(replicates).sum()), replicates,
        acceleration=acceleration(left_out), value=value, standard_error=0.1, low=low, high=high,
        confidence_level=level, method=method, n_resamples=len(replicates),
    )  # fmt: skip


@pytest.mark.breadth
@examples(100)
@given(
    st.sampled_from(["percentile", "basic", "bca", "krippendorff"]),
    st.integers(-3, 9).map(lambda tenths: tenths / 10),
    st.sampled_from([10, 1000]).flatmap(
        lambda unit: st.lists(
            st.integers(-unit, unit).map(lambda part: part / unit), min_size=20, max_size=60
        )
    ),
    st.sampled_from([0.5, 0.7, 0.8, 0.9]),
    st.lists(st.integers(0, 30), min_size=2, max_size=9),
    st.floats(-1, 0.99),
)
def test_p_of_a_bootstrap_is_the_level_at_which_its_interval_leaves_the_value_out(
    method, value, drawn_values, level, jackknife, null
):
    """Ties, replicates on one side of the value, and any acceleration."""
    replicates = np.array(drawn_values)
    assume(np.ptp(replicates) > 0)
    result = drawn(method, value, np.append(replicates, math.nan), level, np.array(jackknife) / 30)
    least = 1 / (len(replicates) + 1)
    for point in (null, *replicates[:3], *(end + gap for end in (result.low, result.high)
                                           for gap in (-1e-4, 1e-4))):  # fmt: skip
        gap = min(abs(point - result.low), abs(point - result.high))
        one_of_ties = gap == 0 and np.count_nonzero(replicates == point) > 1 and method != "basic"
        if point >= 1 or (gap < 1e-9 and not one_of_ties):
            continue
        both, greater, less = (result.test(point, alternative) for alternative in ALTERNATIVES)
        assert both.p_value == pytest.approx(min(1, 2 * min(greater.p_value, less.p_value)))
        assert min(greater.p_value, less.p_value) >= least
        if 1 - level > 2 * least:
            assert (both.p_value < 1 - level) == (not result.low <= point <= result.high)
            assert (greater.p_value < (1 - level) / 2) == (point < result.low)
            assert (less.p_value < (1 - level) / 2) == (point > result.high)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_few_resamples_give_neither_interval_nor_p(method):
    few, enough = (bootstrap(ROWS, "kappa", n_resamples=n, method=method, rng=1) for n in (19, 20))
    assert few.note == "fewer than 20 resamples have a value, too few for an interval"
    assert math.isnan(few.low)
    assert math.isnan(few.test(0.1).p_value)
    assert few.test(0.1).undefined == few.note
    assert enough.note is None
    assert enough.low < enough.high
    assert enough.test(0.1).p_value > 0
    said, halves = few.note, (ROWS[::2], ROWS[1::2])
    few, enough = (compare(*halves, n_resamples=n, method=method, rng=1) for n in (19, 20))
    assert few.note == said
    assert math.isnan(few.p_value)
    assert math.isnan(few.high)
    assert enough.note is None
    assert enough.p_value > 0


def test_replicates_that_differ_by_rounding_are_ties():
    """Half of them are 0.3, or 0.3 but for the last bit, on either side."""
    exact = np.repeat([0.2, 0.3, 0.4], [20, 40, 20])
    shaken = exact.copy()
    shaken[20:40], shaken[40:60] = np.nextafter(0.3, 1), np.nextafter(0.3, 0)
    for alternative in ALTERNATIVES:
        result = drawn("percentile", 0.31, exact, 0.9, [0.0, 1.0]).test(0.3, alternative)
        again = drawn("percentile", 0.31, shaken, 0.9, [0.0, 1.0]).test(0.3, alternative)
        assert (
            again.p_value
            == result.p_value
            == pytest.approx(1.0 if alternative == "two-sided" else 59 / 79)
        )


def test_p_of_percentiles_is_the_share_beyond():
    """0.1 to 10 in steps of 0.1, less 9.5: 20 of 100 lie below −7.5, the 21st on it."""
    replicates = np.arange(1, 101) / 10 - 9.5
    result = drawn("percentile", 0.0, replicates, 0.95, [0.0, 1.0])
    assert result.test(-7.4, "greater").p_value == pytest.approx(20 / 99)
    assert result.test(-7.4).p_value == pytest.approx(40 / 99)
    assert result.test(-7.4, "less").p_value == pytest.approx(79 / 99)
    assert result.test(-20, "greater").p_value == 1 / 101
    assert result.test(-20).p_value == 2 / 101
    mirrored = drawn("basic", 0.0, replicates, 0.95, [0.0, 1.0])
    assert mirrored.test(0.2, "less").p_value == pytest.approx(result.test(-0.2, "greater").p_value)


def test_bca_s_p_by_hand():
    """z₀ = 0 and a = 0.1: the level s has its end at Φ(z/(1 − z/10)), z = Φ⁻¹(s)."""
    normal = NormalDist()
    replicates = np.arange(-50, 51) / 200
    result = BootstrapResult(
        "alpha", "nominal", "items", 0, replicates, acceleration=0.1, value=0.0,
        standard_error=0.1, low=-0.2, high=0.2, confidence_level=0.95, method="bca",
        n_resamples=101,
    )  # fmt: skip
    place = normal.inv_cdf(10 / 100)  # of −0.2, the eleventh
    expected = normal.cdf(place / (1 + 0.1 * place))
    assert result.test(-0.2, "greater").p_value == pytest.approx(expected, rel=1e-9)
    assert result.test(-0.2, "greater").p_value < 0.1
    assert result.test(-0.2, "greater").distribution == "bootstrap"


@pytest.mark.parametrize("sign", [1, -1])
def test_what_no_end_of_bca_reaches_is_left_out_at_every_level(sign):
    """z₀ = ±3.7 and a = ±0.1375: ends never come near the replicates farthest from the value."""
    replicates = sign * np.arange(5001) / 6000
    result = drawn("bca", sign * 4999.5 / 6000, replicates, 0.9, sign * np.array([0.0] + [1.0] * 8))
    assert result.acceleration == pytest.approx(0.1375 * sign, abs=1e-4)
    away = result.test(sign * 0.05 / 6000, "greater" if sign > 0 else "less")
    assert away.p_value == 1 / 5002
    assert result.test(sign * 0.05 / 6000, "less" if sign > 0 else "greater").p_value == 1


def test_the_bootstrap_hands_over_its_acceleration():
    """From the values without each item (Efron 1987); the test inverts the very interval."""
    rows = [["x", "x"]] * 9 + [["x", "y"]] * 3 + [["y", "y"]] * 4 + [["y", "x"]]
    without = [af.alpha(rows[:i] + rows[i + 1 :]).value for i in range(len(rows))]
    gaps = np.mean(without) - np.array(without)
    expected = (gaps**3).sum() / (6 * (gaps**2).sum() ** 1.5)
    result = bootstrap(rows, "alpha", n_resamples=400, rng=1, method="bca")
    assert abs(expected) > 0.01
    assert result.acceleration == pytest.approx(expected, rel=1e-9)
    for gap in (-1e-3, 1e-3):
        for end in (result.low, result.high):
            outside = not result.low <= end + gap <= result.high
            assert (result.test(end + gap).p_value < 0.05) == outside
    assert math.isnan(bootstrap(rows, method="percentile", n_resamples=9, rng=1).acceleration)


def test_bootstrap_and_standard_error_find_nearly_the_same():
    """On 240 items; the three tests of the same hypothesis."""
    data = af.Annotations.from_contingency([[80, 20, 5], [10, 70, 10], [5, 10, 30]])
    t = coefficient_test(data, "kappa", null_value=0.56, alternative="greater")
    z = af.inference.coefficient_test(
        data, "kappa", null_value=0.56, alternative="greater", method="null"
    )
    b = bootstrap(data, "kappa", n_resamples=4000, rng=1).test(0.56, "greater")
    assert 0.05 < t.p_value < 0.2
    assert t.p_value == pytest.approx(b.p_value, rel=0.25)
    assert t.p_value == pytest.approx(z.p_value, rel=0.25)
    assert (b.df, b.n_items, b.test) == (None, None, "bca bootstrap")
    assert math.isnan(b.statistic)
    assert repr(b).startswith(f"<kappa(nominal) = {b.value:.6g}: against 0.56, p = 0.")
