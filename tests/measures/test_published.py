"""Published figures and published formulas, refusals, and the table beside agreement."""

import math

import numpy as np
import pytest
from loops import nonempty
from scipy import stats

import agreement_fast as af
from agreement_fast import measures, plots
from agreement_fast.measures.beside import measure_table

#: Six targets and four judges (Shrout & Fleiss 1979, table 2).
TARGETS = [
    [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7],
]  # fmt: skip

#: Peak flow by the Wright and the mini meter, first measurements (Bland & Altman 1986, table 1).
WRIGHT = [494, 395, 516, 434, 476, 557, 413, 442, 650, 433, 417, 656, 267, 478, 178, 423, 427]
MINI = [512, 430, 520, 428, 500, 600, 364, 380, 658, 445, 432, 626, 260, 477, 259, 350, 451]

#: Continuous ratings by three coders, with what pingouin 0.5 and later print of them.
RATINGS = [
    [8.8, 9.4, 3.84], [-0.78, 0.93, 0.42], [4.78, 8.27, 3.4], [3.47, 4.09, 0.36],
    [4.58, 4.35, 3.51], [4.33, 6.07, 4.62], [1.92, 0.57, -0.71], [4.34, 4.74, 1.92],
    [3.29, 4.65, 2.31], [13.19, 12.73, 10.57], [6.0, 6.04, 6.56], [3.79, 5.46, 4.42],
]  # fmt: skip
PINGOUIN = {
    "ICC(1,1)": (0.787249, 0.55, 0.93),
    "ICC(2,1)": (0.793694, 0.44, 0.94),
    "ICC(3,1)": (0.873029, 0.71, 0.96),
    "ICC(1,k)": (0.917362, 0.79, 0.97),
    "ICC(2,k)": (0.920265, 0.70, 0.98),
    "ICC(3,k)": (0.953763, 0.88, 0.99),
}


def test_shrout_fleiss_1979_table_4():
    result = af.icc(TARGETS)
    names = ["ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)"]
    assert [one.measure for one in result] == names
    assert [f"{one:.2f}" for one in result] == ["0.17", "0.29", "0.71", "0.44", "0.62", "0.91"]
    these = "ICC(A,1) in McGraw & Wong; the interval is over items, for these coders"
    assert result.named("ICC(2,1)").note == these
    drawn = af.icc(TARGETS, method="f")
    assert drawn.named("ICC(2,1)").note == "ICC(A,1) in McGraw & Wong"
    with pytest.raises(ValueError, match="method must be 'score' or 'f'"):
        measures.cronbach_alpha(TARGETS, method="feldt")


def test_intraclass_correlations_and_intervals_are_those_of_pingouin():
    for one in nonempty(af.icc(RATINGS, method="f")):
        value, low, high = PINGOUIN[one.measure]
        assert one == pytest.approx(value, abs=5e-7)
        assert (round(one.low, 2), round(one.high, 2)) == (low, high)


def test_an_interval_of_means_has_no_lower_end_above_its_value():
    """1 + (k - 1) ICC is not above 0 at the lower end: means may agree as little as one likes."""
    table = [
        [0.3, 0.8, 0.3, -1.3],
        [0.9, 0.4, -0.5, 0.6],
        [0.4, 0.3, 0, 0.5],
        [-0.7, -0.2, -0.5, 0.6],
    ]
    result = af.icc(table, method="f")
    single, mean = result.named("ICC(2,1)"), result.named("ICC(2,k)")
    assert 1 + 3 * single.low < 0
    assert mean.low == -math.inf
    assert mean.low < mean < mean.high


def test_cronbach_is_icc_of_means_with_feldts_interval():
    one = measures.cronbach_alpha(RATINGS, method="f")
    assert (round(one, 6), round(one.low, 3), round(one.high, 3)) == (0.953763, 0.878, 0.986)
    n, k = 12, 3
    feldt = [1 - (1 - one) * stats.f.ppf(p, n - 1, (n - 1) * (k - 1)) for p in (0.975, 0.025)]
    assert (one.low, one.high) == pytest.approx(feldt)


def test_bland_altman_1986_peak_flow():
    """Mean difference -2.1 l/min, standard deviation 38.8, limits with 2 deviations -79.7, 75.5."""
    data = af.Annotations.from_wide(list(zip(WRIGHT, MINI, strict=True)), coders=["Wright", "mini"])
    (one,) = measures.limits_of_agreement(data, share=math.erf(2 / math.sqrt(2)))
    assert (round(one.bias, 1), round(one.standard_deviation, 1)) == (-2.1, 38.8)
    assert one.lower_limit == pytest.approx(-79.7, abs=0.06)
    assert one.upper_limit == pytest.approx(75.5, abs=0.1)
    d, n = np.subtract(WRIGHT, MINI), 17
    (one,) = measures.limits_of_agreement(data)
    assert (one.bias_low, one.bias_high) == pytest.approx(
        stats.t.interval(0.95, n - 1, d.mean(), stats.sem(d))
    )
    error = d.std(ddof=1) * math.sqrt(1 / n + 1.959964**2 / (2 * (n - 1)))
    ends = stats.t.interval(0.95, n - 1, one.lower_limit, error)
    assert (one.lower_limit_low, one.lower_limit_high) == pytest.approx(ends, rel=1e-5)
    assert one.upper_limit_high - one.upper_limit == pytest.approx(ends[1] - one.lower_limit)
    ax = plots.bland_altman(one)
    assert [text.get_text() for text in ax.texts] == [
        "mean −2.118", "lower limit −78.1", "upper limit 73.86"
    ]  # fmt: skip
    offsets = ax.collections[0].get_offsets()
    expected = {((a + b) / 2, a - b) for a, b in zip(WRIGHT, MINI, strict=True)}
    assert {tuple(map(float, point)) for point in offsets} == expected


def test_lins_interval_is_the_published_one():
    """Lin 1989 as corrected in 2000, on the scale of the hyperbolic arctangent."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=30)
        y = 0.6 * x + rng.normal(0.4, 0.5, 30)
        one = measures.correlations(np.c_[x, y], "lin", method="lin")[0]
        n, p, r = 30, one.value, np.corrcoef(x, y)[0, 1]
        u = (x.mean() - y.mean()) / math.sqrt(x.std() * y.std())
        error = math.sqrt(
            (
                (1 - r**2) * p**2 / ((1 - p**2) * r**2)
                + 2 * p**3 * (1 - p) * u**2 / (r * (1 - p**2) ** 2)
                - p**4 * u**4 / (2 * r**2 * (1 - p**2) ** 2)
            )
            / (n - 2)
        )
        ends = np.tanh(math.atanh(p) + stats.norm.ppf([0.025, 0.975]) * error)
        assert (one.low, one.high) == pytest.approx(tuple(ends))


def test_correlations_are_scipys():
    rng = np.random.default_rng(2)
    for table in (rng.integers(1, 5, (40, 2)), rng.normal(size=(40, 2)).cumsum(1)):
        x, y = table.T
        result = measures.correlations(table)
        r = stats.pearsonr(x, y)
        assert result.named("pearson") == pytest.approx(r.statistic)
        one = result.named("pearson")
        assert (one.low, one.high) == pytest.approx(tuple(r.confidence_interval()))
        assert result.named("spearman") == pytest.approx(stats.spearmanr(x, y).statistic)
        assert result.named("kendall") == pytest.approx(stats.kendalltau(x, y).statistic)


def test_the_interval_of_tau_is_brown_and_benedettis():
    """Their variance of a contingency table, cell by cell."""
    table = np.array([[20, 7, 2], [6, 15, 9], [1, 8, 12]])
    n = table.sum()
    rows, columns = table.sum(1), table.sum(0)
    d = np.zeros((3, 3))
    for i, j, k, m in np.ndindex(3, 3, 3, 3):
        d[i, j] += table[k, m] * np.sign(i - k) * np.sign(j - m)
    wr, wc = n**2 - (rows**2).sum(), n**2 - (columns**2).sum()
    w, score = math.sqrt(wr * wc), (table * d).sum()
    tau = score / w
    v = rows[:, None] * wc + columns[None, :] * wr
    variance = ((table * (2 * w * d + tau * v) ** 2).sum() - n**3 * tau**2 * (wr + wc) ** 2) / w**4
    data = af.Annotations.from_contingency(table)
    one = measures.correlations(data, "kendall")[0]
    error = math.sqrt(variance * n / (n - 1)) / (1 - tau**2)
    ends = np.tanh(math.atanh(tau) + stats.t.ppf([0.025, 0.975], n - 1) * error)
    assert one == pytest.approx(tau)
    assert (one.low, one.high) == pytest.approx(tuple(ends))


def test_fleiss_cohen_1973_weighted_kappa_is_nearly_an_intraclass_correlation():
    """They differ by terms of the order of 1/n; β (interval) is the quadratically weighted κ."""
    rng = np.random.default_rng(3)
    true = rng.integers(1, 6, 2000)
    table = np.clip(true[:, None] + rng.integers(-1, 2, (2000, 2)) + [0, 1], 1, 6)
    for n, near in ((20, 0.05), (2000, 0.0005)):
        icc = af.icc(table[:n]).named("ICC(2,1)")
        kappa = af.weighted_kappa(table[:n], "interval")
        assert 0 < icc - kappa < near
        assert measures.overall_concordance(table[:n]) == pytest.approx(kappa)


def test_a_coder_who_says_twice_as_much():
    """Artstein & Poesio 2005, table 3; Meyer 2009, slide "Why not use χ² or correlations?"."""
    same = measure_table([[i, i] for i in range(1, 6)])
    twice = measure_table([[i, 2 * i] for i in range(1, 6)])
    for name in ("pearson", "spearman", "kendall", "W"):
        assert same[name] == twice[name] == 1
        assert math.isnan(twice[name].low)
        assert twice[name].note.startswith("no interval")
    for name in ("kappa(nominal)", "alpha(nominal)", "alpha(interval)", "ICC(2,1)"):
        assert same[name] == 1
    assert round(twice["kappa(nominal)"], 3) == -0.087
    assert round(twice["alpha(nominal)"], 4) == -0.0465
    assert round(twice["alpha(interval)"], 3) == 0.317
    assert twice["overall CCC"] == twice["beta(interval)"]


def test_every_number_of_the_table_has_an_interval():
    result = measure_table(RATINGS)
    assert len(result) == 17
    for one, tells in zip(result.measures, result.tells, strict=True):
        assert one.low <= one < one.high
        assert tells
    two = measure_table([row[:2] for row in RATINGS])
    assert [one.measure for one in two.measures][-3:] == [
        "mean difference", "lower limit", "upper limit"
    ]  # fmt: skip
    with pytest.raises(ValueError, match="there is no measure 'phi'"):
        result["phi"]


def test_measures_beside_each_other_are_of_the_same_items():
    """Numbers that are equal by definition show the same value, also if judgments are missing."""
    rng = np.random.default_rng(6)
    table = rng.integers(1, 5, (60, 1)) + rng.integers(0, 2, (60, 3)).astype(float)
    table[rng.random(table.shape) < 0.1] = np.nan
    complete = table[~np.isnan(table).any(1)]
    result, alone = measure_table(table), measure_table(complete)
    for one, other in nonempty(zip(result.measures, alone.measures, strict=True)):
        assert one == pytest.approx(other.value, abs=1e-12)
        assert (one.n_items, one.n_items_left_out) == (len(complete), 60 - len(complete))
    assert result["overall CCC"] == result["beta(interval)"] != af.beta(table, "interval")
    assert result["Cronbach's alpha"] == result["ICC(3,k)"]
    assert result["beta(linear)"] == af.weighted_kappa(complete, "linear")
    left = f"All of them on the {len(complete)} items that every coder judged"
    assert left in repr(result)
    assert "All of them" not in repr(alone)
    # Components need no complete items.
    assert result.components.n_items == 60


def test_the_mean_over_pairs_has_the_interval_of_the_jackknife():
    rng = np.random.default_rng(4)
    rows = rng.integers(1, 5, (200, 1)) + rng.integers(-1, 2, (200, 3))
    for name in ("pearson", "spearman", "kendall"):
        one = measure_table(rows)[name]
        mean = lambda table, name=name: np.mean(  # noqa: E731
            [float(pair) for pair in measures.correlations(table, name)]
        )
        assert one == pytest.approx(mean(rows))
        left = np.array([mean(np.delete(rows, i, 0)) for i in range(0, 200, 8)])
        error = math.sqrt(199**2 / 200 * left.var())
        reach = (math.atanh(one.high) - math.atanh(one.low)) / 2 * (1 - one**2) / 1.972
        assert reach == pytest.approx(error, rel=0.35)


def test_words_with_an_order_have_measures_of_order():
    words = ["low", "medium", "high"]
    codes = np.random.default_rng(5).integers(0, 3, (20, 2))
    data = af.Annotations.from_wide(
        [[words[k] for k in row] for row in codes.tolist()], categories=words
    )
    result, numbers = measure_table(data), measure_table(codes)
    names = [one.measure for one in result.measures]
    assert names == ["kappa(nominal)", "alpha(nominal)", "spearman", "kendall", "W"]
    for name in names:
        assert result[name] == pytest.approx(numbers[name])
    assert "words with an order" in repr(result)
    assert result.components is None


@pytest.mark.parametrize(
    "ask",
    [
        measures.correlations, measures.cronbach_alpha, measures.kendall_w,
        af.icc, measures.limits_of_agreement,
        measures.overall_concordance, measure_table,
    ],
)  # fmt: skip
def test_what_is_no_number_is_refused(ask):
    with pytest.raises(ValueError, match=r"needs (finite numbers|labels with an order).*'(x|y)'"):
        ask([["x", "y"], ["y", "y"], ["x", "x"]])
    with pytest.raises(ValueError, match="which coder made which judgment"):
        ask(af.Annotations.from_counts([[1, 1], [2, 0]], categories=[1, 2]))
    with pytest.raises(ValueError, match="two or more coders"):
        ask(af.Annotations.from_wide([[1], [2], [3]]))


def test_numbers_that_are_text_or_infinite_are_refused():
    with pytest.raises(ValueError, match=r"got the label '1'.*digits in quotes"):
        measures.cronbach_alpha([["1", "2"], ["2", "2"], ["3", "1"]])
    with pytest.raises(ValueError, match="got the label inf"):
        measures.cronbach_alpha([[1.0, math.inf], [2.0, 2.0], [3.0, 1.0]])


def test_missing_judgments_are_counted_or_refused():
    table = [[1, 2, 1], [2, None, 3], [3, 3, 4], [5, 4, 4], [None, 1, 1]]
    for one in af.icc(table):
        assert (one.n_items, one.n_items_left_out) == (3, 2)
    apart = [[1, 2, None], [None, 2, 3], [3, None, 4]]
    with pytest.raises(ValueError, match=r"no item was judged by all 3 coders.*alpha"):
        af.icc(apart)
    result = repr(measure_table(apart))
    assert "No item was judged by all" in result
    assert "ICC" not in result
    assert "Only one item was judged by all" in repr(measure_table([*apart, [1, 2, 2]]))


def test_large_offsets_lose_no_digits():
    small = np.array(TARGETS)
    for offset in (10**15, 2**62):
        for one, other in nonempty(
            zip(
                af.icc(small + offset),
                af.icc(small),
                strict=True,
            )
        ):
            assert one == pytest.approx(other)


def test_no_variation_says_so():
    same = [[3, 3], [3, 3], [3, 3]]
    assert measures.cronbach_alpha(same).undefined.startswith("no variation")
    for one in measures.correlations(same, ["pearson", "spearman", "kendall", "lin"]):
        assert math.isnan(one)
        assert one.undefined.startswith("no variation")
    (one,) = measures.limits_of_agreement(same)
    assert (one.bias, one.lower_limit, one.note.split(":")[0]) == (0, 0, "no interval")
    assert math.isnan(one.bias_low)


def test_a_report_has_the_table_as_a_section():
    report = af.report(RATINGS, measures=True)
    assert report.measures["pearson"] == measure_table(RATINGS)["pearson"]
    for name in report.measures.columns()["measure"]:
        assert name in str(report)
    assert "Measures beside agreement" not in str(af.report(RATINGS))
    assert "\nComponents of variance\n" in str(report)
    written = report.to_dict()["components"]
    components = report.measures.components
    assert [row["value"] for row in written["sources"]] == components.value.tolist()
    assert [row["phi"] for row in written["plan"]] == components.plan().phi.tolist()
    assert "They are undefined: no variation" in str(af.report([[3, 3]] * 4, measures=True))
