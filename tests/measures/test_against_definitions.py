"""Every value against its definition, computed over pairs and sums of plain fractions."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import measures, subsets
from agreement_fast.inference import standard_error
from agreement_fast.measures.beside import measure_table
from agreement_fast.measures.correlations import (
    ESTIMATES,
    concordance,
    concordance_of_ranks,
    estimate_of,
    mean_of_pairs,
    sign_sums,
)
from agreement_fast.measures.measure import Points, Ratings

#: All pairs of columns of three items and three values, up to the order of the items.
SMALL = [
    (x, y)
    for x in itertools.combinations_with_replacement((1, 2, 4), 3)
    for y in itertools.product((1, 2, 4), repeat=3)
]


def sign(a):
    return int(a > 0) - int(a < 0)


def mean(values):
    return Fraction(sum(values), 1) / len(values)


def moments(x, y):
    mx, my = mean(x), mean(y)
    both = list(zip(x, y, strict=True))
    return (
        mean([(a - mx) ** 2 for a in x]),
        mean([(b - my) ** 2 for b in y]),
        mean([(a - mx) * (b - my) for a, b in both]),
        mx - my,
    )


def pearson(x, y):
    sx, sy, sxy, _ = moments(x, y)
    return float(sxy) / math.sqrt(sx * sy) if sx and sy else None


def mid_ranks(x):
    return [sum(b < a for b in x) + Fraction(sum(b == a for b in x) + 1, 2) for a in x]


def spearman(x, y):
    return pearson(mid_ranks(x), mid_ranks(y))


def kendall(x, y):
    pairs = list(itertools.combinations(range(len(x)), 2))
    score = sum(sign(x[i] - x[j]) * sign(y[i] - y[j]) for i, j in pairs)
    untied = [sum(one[i] != one[j] for i, j in pairs) for one in (x, y)]
    return score / math.sqrt(untied[0] * untied[1]) if all(untied) else None


def lin(x, y):
    sx, sy, sxy, shift = moments(x, y)
    whole = sx + sy + shift**2
    return float(2 * sxy / whole) if whole else None


PLAIN = {"pearson": pearson, "spearman": spearman, "kendall": kendall, "lin": lin}


def points_of(x, y, weights=None):
    weights = np.ones(len(x), np.int64) if weights is None else np.asarray(weights)
    rows = np.arange(len(x))
    return Points(np.asarray(x, float), np.asarray(y, float), weights, rows, rows)


@pytest.mark.parametrize("name", PLAIN)
def test_correlations_of_all_small_columns(name):
    defined = 0
    for x, y in SMALL:
        expected = PLAIN[name](x, y)
        if name == "lin":  # β
            result = measures.correlations(np.c_[x, y], name)[0]
        else:
            result = estimate_of(name, points_of(x, y))
        if expected is None:
            assert math.isnan(result.value)
            assert result.undefined.startswith("no variation")
        else:
            defined += 1
            assert result.value == pytest.approx(expected, abs=1e-12)
            assert result.undefined is None
    assert defined > 160


@pytest.mark.parametrize("name", ESTIMATES)
def test_one_more_item_moves_the_value_as_its_influence_says(name):
    rng = np.random.default_rng(5)
    for _ in range(20):
        x, y = rng.integers(0, 4, 7), rng.integers(0, 4, 7)
        weights = rng.integers(1, 4, 7) * 10**7
        result = estimate_of(name, points_of(x, y, weights))
        if result.undefined:
            continue
        for k in range(7):
            more = weights + (np.arange(7) == k) * 1000
            moved = estimate_of(name, points_of(x, y, more)).value - result.value
            assert moved / 1000 == pytest.approx(result.influence[k], rel=2e-3, abs=1e-13)


def test_sums_over_pairs_are_those_of_a_double_loop():
    rng = np.random.default_rng(6)
    for n in [0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33]:
        x, y = rng.integers(0, 5, (2, n)).astype(float)
        w, v = rng.integers(1, 4, n), rng.normal(size=n)
        expected = [
            sum(w[j] * sign(x[k] - x[j]) * sign(y[k] - y[j]) for j in range(n)) for k in range(n)
        ]
        assert concordance(x, y, w).tolist() == expected
        expected = [sum(w[j] * v[j] * sign(x[j] - x[k]) for j in range(n)) for k in range(n)]
        assert sign_sums(x, w, v).tolist() == pytest.approx(expected, abs=1e-12)


def w_plain(table):
    """12 S / (C² (n³ − n) − C Σ T) (Kendall 1948)."""
    n, n_coders = len(table), len(table[0])
    columns = list(zip(*table, strict=True))
    ranks = [mid_ranks(one) for one in columns]
    sums = [sum(one[i] for one in ranks) for i in range(n)]
    s = sum((one - mean(sums)) ** 2 for one in sums)
    ties = sum(one.count(v) ** 3 - one.count(v) for one in columns for v in set(one))
    below = n_coders**2 * (n**3 - n) - n_coders * ties
    return float(12 * s / below) if below else None


def test_w_of_all_small_tables():
    defined = 0
    for cells in itertools.product((1, 3), (1, 2, 3), (1, 2, 3), (1, 2), (1, 2, 3), (1, 3)):
        table = [cells[:2], cells[2:4], cells[4:]]
        expected, result = w_plain(table), measures.kendall_w(table)
        if expected is None:
            assert math.isnan(result)
            assert result.undefined
        else:
            defined += 1
            assert result == pytest.approx(expected, abs=1e-12)
    assert defined > 200


def test_one_more_item_moves_w_as_its_influence_says():
    rng = np.random.default_rng(7)
    values, weights = rng.integers(0, 4, (6, 3)).astype(float), rng.integers(1, 4, 6) * 10**7
    value, influence = concordance_of_ranks(values, weights)
    for k in range(6):
        more = weights + (np.arange(6) == k) * 1000
        assert (concordance_of_ranks(values, more)[0] - value) / 1000 == pytest.approx(
            influence[k], rel=2e-3
        )


def mean_squares(table):
    """Mean squares by sums over all cells."""
    n, k = len(table), len(table[0])
    grand = mean([cell for row in table for cell in row])
    of_item = [mean(row) for row in table]
    of_coder = [mean(column) for column in zip(*table, strict=True)]
    cells = list(itertools.product(range(n), range(k)))
    items = k * sum((one - grand) ** 2 for one in of_item) / (n - 1)
    coders = n * sum((one - grand) ** 2 for one in of_coder) / (k - 1)
    within = sum((table[i][c] - of_item[i]) ** 2 for i, c in cells) / (n * (k - 1))
    error = sum((table[i][c] - of_item[i] - of_coder[c] + grand) ** 2 for i, c in cells)
    return items, coders, error / ((n - 1) * (k - 1)), within


def icc_plain(table):
    items, coders, error, within = mean_squares(table)
    n, k = len(table), len(table[0])
    ratios = {
        "ICC(1,1)": (items - within, items + (k - 1) * within),
        "ICC(2,1)": (items - error, items + (k - 1) * error + k * (coders - error) / n),
        "ICC(3,1)": (items - error, items + (k - 1) * error),
        "ICC(1,k)": (items - within, items),
        "ICC(2,k)": (items - error, items + (coders - error) / n),
        "ICC(3,k)": (items - error, items),
    }
    if ratios["ICC(2,k)"][1] < 0:  # an estimated variance, by which no share is above 1
        ratios["ICC(2,k)"] = (0, 0)
    return {name: part / whole if whole else None for name, (part, whole) in ratios.items()}


def cronbach_plain(table):
    """k/(k − 1) (1 − Σ s_c² / s²)."""
    k = len(table[0])
    variance = lambda values: mean([(one - mean(values)) ** 2 for one in values])  # noqa: E731
    whole = variance([sum(row) for row in table])
    own = sum(variance(column) for column in zip(*table, strict=True))
    return Fraction(k, k - 1) * (1 - own / whole) if whole else None


def test_intraclass_correlations_and_cronbach_of_small_tables():
    seen = 0
    for cells in itertools.product((1, 2), (1, 4), (1, 2, 4), (2, 4), (1, 2, 4), (1, 2)):
        table = [cells[:2], cells[2:4], cells[4:]]
        expected = icc_plain(table)
        for one in af.icc(table):
            if expected[one.measure] is None:
                assert math.isnan(one)
                assert one.undefined
            else:
                seen += 1
                assert one == pytest.approx(float(expected[one.measure]), abs=1e-10)
        alpha, plain = measures.cronbach_alpha(table), cronbach_plain(table)
        if plain is None:
            assert math.isnan(alpha)
        else:
            assert alpha == pytest.approx(float(plain), abs=1e-10)
    assert seen > 600


def test_what_has_no_value_says_why():
    """Items of equal means are not judgments that are all equal."""
    turned = [[1, 2], [2, 1], [1, 2], [2, 1]]
    result = af.icc(turned)
    for name, reason in (
        ("ICC(1,k)", "all items have the same mean"),
        ("ICC(3,k)", "all items have the same mean"),
        ("ICC(2,k)", "0 or less"),
    ):
        assert math.isnan(result.named(name))
        assert reason in result.named(name).undefined
    alpha = measures.cronbach_alpha(turned)
    assert math.isnan(alpha)
    assert "all items have the same mean" in alpha.undefined
    one = measures.overall_concordance([[1, 2], [3, None], [None, 4]])
    assert math.isnan(one.low)
    assert one.note == "one item has no spread"


def test_the_intervals_of_intraclass_correlations_are_those_of_agreement():
    """ICC(1,1) is a function of α, ICC(3,1) is β of centred judgments, and the ends follow."""
    rng = np.random.default_rng(8)
    table = rng.integers(1, 6, (40, 1)) + rng.integers(-1, 2, (40, 3)) + np.arange(3) * 0.5
    n, k = table.shape
    for level in (0.9, 0.99):
        result = af.icc(table, confidence_level=level)
        one, two, three = (result.named(f"ICC({kind},1)") for kind in "123")
        alpha = standard_error(table, "alpha", distance="interval", confidence_level=level)

        def mapped(value):
            ratio = ((n * k - 1) / (1 - value) - n * (k - 1)) / (n - 1)
            return (ratio - 1) / (ratio + k - 1)

        assert (one, one.low, one.high) == pytest.approx(
            [mapped(of) for of in (alpha.value, alpha.low, alpha.high)], abs=1e-9
        )
        beta = standard_error(
            table - table.mean(0), "beta", distance="interval", confidence_level=level
        )
        assert (three, three.low, three.high) == pytest.approx(
            (beta, beta.low, beta.high), abs=1e-9
        )
        ccc = measures.overall_concordance(table, confidence_level=level)
        assert (two.low, two.high) == pytest.approx((ccc.low, ccc.high), abs=0.02)
        assert (1 - two.low) / (1 - two) == pytest.approx((1 - ccc.low) / (1 - ccc))
        for kind, single in zip("123", (one, two, three), strict=True):
            mean = result.named(f"ICC({kind},k)")
            for end in ("value", "low", "high"):
                of = getattr(single, end)
                assert getattr(mean, end) == pytest.approx(k * of / (1 + (k - 1) * of))
        feldt = measures.cronbach_alpha(table, confidence_level=level)
        assert (feldt.low, feldt.high) == (mean.low, mean.high)


def test_a_coder_without_spread_is_not_an_exact_fit():
    for table in ([[1, 1], [1, 2], [1, 3]], [[1, 4], [1, 2], [1, 3], [1, 3]]):
        for one in (
            measures.correlations(table, "lin", method="lin")[0],
            measures.kendall_w(table),
        ):
            assert math.isnan(one.low)
            assert "no single item moves the value" in one.note


def test_equal_differences_have_no_spread():
    """.3 - .1 and .7 - .5 differ by rounding; large numbers that differ by little do not."""
    (result,) = measures.limits_of_agreement([[0.3, 0.1], [0.4, 0.2], [0.5, 0.3], [0.7, 0.5]])
    assert result.standard_deviation == 0
    assert math.isnan(result.bias_low)
    assert "fit exactly" in result.note
    big = [[1e15, 1e15 + 1], [1e15 + 2, 1e15 + 4], [1e15 + 3, 1e15 + 3]]
    (result,) = measures.limits_of_agreement(big)
    assert result.standard_deviation == 1
    assert result.bias == -1
    (result,) = measures.limits_of_agreement([[-5.0, 3.0], [-5.0, 3.0], [-5.0, 3.0001]])
    assert result.standard_deviation == pytest.approx(0.0001 / math.sqrt(3), rel=1e-6)


def cronbach_subsets(table):
    return subsets.coder_subsets(table, "cronbach_alpha")


@pytest.mark.parametrize("scale", [1e200, 1e-200])
@pytest.mark.parametrize(
    "measure",
    [
        measures.correlations,
        lambda table: measures.correlations(table, "lin"),
        af.icc,
        measures.cronbach_alpha,
        cronbach_subsets,
        measures.limits_of_agreement,
    ],
)
def test_numbers_whose_squares_no_float_holds_are_refused(measure, scale):
    table = [[1 * scale, 2 * scale], [3 * scale, 2 * scale], [4 * scale, 5 * scale]]
    with pytest.raises(
        ValueError, match=r"the range of the numbers from .*, expected 1e-140 to 1e\+140"
    ):
        measure(table)
    assert measures.kendall_w(table) > 0.8


def test_overall_concordance_is_barnharts():
    rng = np.random.default_rng(8)
    for _ in range(30):
        table = rng.integers(1, 5, (5, 3)).tolist()
        columns = list(zip(*table, strict=True))
        pairs = list(itertools.combinations(columns, 2))
        above = sum(2 * moments(a, b)[2] for a, b in pairs)
        below = 2 * sum(moments(one, one)[0] for one in columns)
        below += sum(moments(a, b)[3] ** 2 for a, b in pairs)
        result = measures.overall_concordance(table)
        assert result == pytest.approx(float(above / below), abs=1e-12)


def test_cronbach_of_every_subset_of_coders():
    rng = np.random.default_rng(9)
    table = rng.integers(1, 6, (6, 5)).tolist()
    for one in cronbach_subsets(table)["cronbach_alpha"]:
        alphas = [
            float(cronbach_plain([[row[c] for c in chosen] for row in table]))
            for chosen in itertools.combinations(range(5), one.size)
        ]
        assert one.n_subsets == math.comb(5, one.size) == len(alphas)
        assert one.mean == pytest.approx(np.mean(alphas))
        assert one.standard_deviation == pytest.approx(np.std(alphas), abs=1e-9)
        assert one.relative_standard_deviation == pytest.approx(
            np.std(alphas) / abs(np.mean(alphas)), abs=1e-9
        )
        assert (one.minimum, one.maximum) == pytest.approx((min(alphas), max(alphas)))
        assert not one.sampled
    ((drawn,),) = subsets.coder_subsets(table, "cronbach_alpha", size=[2], max_subsets=4, rng=1)
    assert (drawn.n_subsets, drawn.sampled) == (4, True)
    with pytest.raises(ValueError, match="compute it alone"):
        subsets.coder_subsets(table, ["alpha", "cronbach_alpha"])


def test_weights_are_items():
    rows = [[1, 2, 2], [3, 3, 4], [5, 4, 4], [2, 2, 1], [1, 4, 3]]
    counts = [3, 1, 2, 4, 2]
    every = [row for row, n in zip(rows, counts, strict=True) for _ in range(n)]
    cells = [(i, c, rows[i][c], counts[i]) for i in range(5) for c in range(3)]
    frame = pd.DataFrame(cells, columns=["item", "coder", "label", "n"])
    weighted = af.Annotations.from_frame(
        frame, item="item", coder="coder", label="label", weights="n"
    )
    one, other = measure_table(every), measure_table(weighted)
    for a, b in nonempty(zip(one.measures, other.measures, strict=True)):
        assert (a.measure, a.n_items) == (b.measure, b.n_items)
        assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), nan_ok=True)


def test_pairs_use_the_items_that_both_judged():
    table = [[1, 2, None], [2, 1, 3], [3, None, 4], [4, 5, 6], [None, 1, 2], [2, 4, 1], [5, 3, 2]]
    result = measures.correlations(table, ["pearson", "spearman", "kendall", "lin"])
    assert len(result) == 12
    for a, b in itertools.combinations(range(3), 2):
        both = [(row[a], row[b]) for row in table if None not in (row[a], row[b])]
        x, y = zip(*both, strict=True)
        for name in PLAIN:
            one = result.named(name, b, a)
            assert one == pytest.approx(PLAIN[name](x, y))
            assert (one.n_items, one.n_items_left_out) == (len(x), len(table) - len(x))
    with pytest.raises(ValueError, match="pearson has no value for the coders 0 and 5"):
        result.named("pearson", 0, 5)


@pytest.mark.parametrize("least", [1, 2, 3])
def test_pairs_that_share_few_items_are_not_visited(least):
    rng = np.random.default_rng(least)
    table = np.where(rng.random((40, 12)) < 0.25, rng.integers(0, 5, (40, 12)), -1)
    weights = rng.integers(1, 3, 40)
    data = af.Annotations.from_wide(table, missing=-1, weights=weights)
    ratings = Ratings(data, "r")
    every = list(ratings.pairs())
    assert [pair[:2] for pair in every] == list(itertools.combinations(range(12), 2))
    shared = {pair[:2]: pair[2].n_items for pair in every}
    visited = [pair[:2] for pair in ratings.pairs(least)]
    assert visited == [pair for pair, n in shared.items() if n >= least]
    assert 0 < len(visited) < len(every)
    defined = [r for *_, points in every if not math.isnan(r := estimate_of("pearson", points)[0])]
    assert mean_of_pairs(ratings, "pearson", 0.95).value == pytest.approx(np.mean(defined))
    none = Ratings(af.Annotations.from_wide([[1, 2, None], [None, None, 3], [2, None, None]]), "r")
    assert mean_of_pairs(none, "pearson", 0.95).undefined is not None


@pytest.mark.parametrize(
    ("measure", "variance"),
    [
        ("spearman", lambda rho, n: (1 + rho**2 / 2) / (n - 3)),
        ("kendall", lambda tau, n: 0.437 / (n - 4)),
    ],
)
def test_few_items_have_no_next_to_empty_interval(measure, variance):
    """Shrout & Fleiss' second and third judge: by the delta method .9532 to .9574 for ρ = .9553."""
    table = [(2, 5), (1, 3), (4, 6), (1, 2), (5, 6), (2, 4)]
    (result,) = measures.correlations(table, measure)
    reach = 1.959963984540054 * math.sqrt(variance(result.value, 6))
    scale = math.atanh(result.value)
    assert result.low == pytest.approx(math.tanh(scale - reach), abs=1e-12)
    assert result.high == pytest.approx(math.tanh(scale + reach), abs=1e-12)
