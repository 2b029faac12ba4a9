"""Components of variance: against dense matrices, fractions, published tables and a mixed model."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
import scipy.linalg
from loops import nonempty

import agreement_fast as af
from agreement_fast import measures
from agreement_fast.inference import spearman_brown

#: Six targets and four judges (Shrout & Fleiss 1979, table 2).
TARGETS = [
    [9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7],
]  # fmt: skip

#: Ten persons, three tasks with four raters each (Brennan 2001, synthetic data set no. 4).
BRENNAN_4 = [
    [5, 6, 5, 5, 5, 3, 4, 5, 6, 7, 3, 3],
    [9, 3, 7, 7, 7, 5, 5, 5, 7, 7, 5, 2],
    [3, 4, 3, 3, 5, 3, 3, 5, 6, 5, 1, 6],
    [7, 5, 5, 3, 3, 1, 4, 3, 5, 3, 3, 5],
    [9, 2, 9, 7, 7, 7, 3, 7, 2, 7, 5, 3],
    [3, 4, 3, 5, 3, 3, 6, 3, 4, 5, 1, 2],
    [7, 3, 7, 7, 7, 5, 5, 7, 5, 5, 5, 4],
    [5, 8, 5, 7, 7, 5, 5, 4, 3, 2, 1, 1],
    [9, 9, 8, 8, 6, 6, 6, 5, 5, 8, 1, 1],
    [4, 4, 4, 3, 3, 5, 6, 5, 5, 7, 1, 1],
]
TASK_OF = {rater: f"task {rater // 4 + 1}" for rater in range(12)}
SOURCES = ("item", "coder", "repeat", "item × coder", "residual")


def raters(table=BRENNAN_4):
    """A table of raters, which has not the shape of items by few coders."""
    return af.Annotations.from_wide(table, coders=list(range(12)))


# ---- an independent calculation: dense matrices, and expectations of quadratic forms


def indicator(codes):
    names = sorted(set(codes))
    return np.array([[float(code == name) for name in names] for code in codes])


def projection(*parts):
    """The matrix that projects on what the columns of all parts span."""
    basis = scipy.linalg.orth(np.hstack(parts), rcond=1e-10)
    return basis @ basis.T


def forms_plain(cells):
    """Expectations and values of the squares of cells (item, coder, round or None, value)."""
    item, coder, rounds, value = zip(*cells, strict=True)
    y, n = np.array(value, float), len(cells)
    z = {"item": indicator(item), "coder": indicator(coder)}
    if rounds[0] is not None:
        z["repeat"] = indicator(list(zip(coder, rounds, strict=True)))
        z["item × coder"] = indicator(list(zip(item, coder, strict=True)))
    z["residual"] = unit = np.eye(n)
    of = {name: projection(matrix) for name, matrix in z.items()}
    mean = np.full((n, n), 1 / n)
    if rounds[0] is None:
        both = projection(z["item"], z["coder"])
        forms = [both - of["coder"], both - of["item"], unit - both]
    else:
        both = projection(z["item × coder"], z["repeat"])
        crossed = of["item × coder"] - of["item"] - of["coder"] + mean
        forms = [of["item"] - mean, of["coder"] - mean, both - of["item × coder"], crossed,
                 unit - both]  # fmt: skip
    expected = [[np.trace(form @ m @ m.T) for m in z.values()] for form in forms]
    return np.array(expected), np.array([y @ form @ y for form in forms])


def random_cells(rng, repeated):
    """A small design with gaps; items, coders and rounds have effects."""
    n_items, n_coders = int(rng.integers(3, 8)), int(rng.integers(2, 5))
    n_rounds = int(rng.integers(2, 4)) if repeated else 1
    gaps = rng.choice([0, 0.15, 0.35])
    of_item, of_coder = rng.normal(size=n_items), rng.normal(size=n_coders)
    cells = []
    for i, c, r in itertools.product(range(n_items), range(n_coders), range(n_rounds)):
        if rng.random() >= gaps:
            value = round(2 * of_item[i] + of_coder[c] + rng.normal(), int(rng.integers(0, 3)))
            cells.append((i, c, f"r{r}" if repeated else None, value))
    return cells


def components_of(cells, repeated):
    item, coder, rounds, value = zip(*cells, strict=True)
    frame = pd.DataFrame({"item": item, "coder": coder, "label": value, "round": rounds})
    named = {"round": "round"} if repeated else {"layout": "long"}
    return measures.variance_components(frame, item="item", coder="coder", label="label", **named)


def check_random_cases(seeds):
    compared = 0
    for seed in seeds:
        rng = np.random.default_rng(seed)
        repeated = bool(seed % 2)
        cells = random_cells(rng, repeated)
        if len({coder for _, coder, _, _ in cells}) < 2:
            continue
        result = components_of(cells, repeated)
        if result.undefined is not None:
            continue
        compared += 1
        expected = np.linalg.solve(*forms_plain(cells))
        scale = np.var([value for *_, value in cells])
        assert result.value == pytest.approx(expected, abs=1e-8 * scale, rel=1e-8), seed
    return compared


def test_components_are_those_of_dense_matrices():
    assert check_random_cases(range(12)) > 9


@pytest.mark.breadth
def test_components_are_those_of_dense_matrices_in_500_cases():
    assert check_random_cases(range(100, 660)) > 500


@pytest.mark.parametrize("repeated", [False, True])
def test_what_is_undefined_has_a_singular_matrix(repeated):
    """Of designs that are refused, also the dense matrices determine no components."""
    seen = 0
    for seed in range(40):
        rng = np.random.default_rng([seed, repeated])
        cells = [cell for cell in random_cells(rng, repeated) if rng.random() < 0.45]
        if len({coder for _, coder, _, _ in cells}) < 2:
            continue
        result = components_of(cells, repeated)
        if result.undefined is not None and np.ptp([value for *_, value in cells]):
            seen += 1
            assert np.isnan(result.value).all()
            assert result.undefined in repr(result)
            expected, _ = forms_plain(cells)
            n_items = len({item for item, *_ in cells})
            assert n_items < 2 or np.linalg.matrix_rank(expected, tol=1e-9) < len(expected)
    assert seen > 3


# ---- with all ratings: the analysis of variance


def test_plans_of_all_ratings_are_the_intraclass_correlations():
    """G of one coder is ICC(3,1), Φ is ICC(2,1), and those of the mean of k follow."""
    rng = np.random.default_rng(1)
    compared = 0
    for n, k in [(6, 4), (20, 2), (15, 3), (40, 5)]:
        table = rng.normal(size=(n, 1)) + rng.normal(size=k) + rng.normal(size=(n, k))
        icc = {one.measure: one.value for one in af.icc(table)}
        result = measures.variance_components(table)
        if (result.value < 0).any():
            continue
        compared += 1
        plan = result.plan([1, k])
        expected = [icc[f"ICC({kind},{size})"] for kind in "32" for size in "1k"]
        assert [*plan.g, *plan.phi] == pytest.approx(expected, abs=1e-13)
        # ICC(1,·) has one component of coders and residual together.
        item, *rest = result.value
        one = item + (rest[1] - sum(rest)) / k  # what items have beyond noise within items
        assert one / (one + sum(rest)) == pytest.approx(icc["ICC(1,1)"], abs=1e-12)
        assert one / (one + sum(rest) / k) == pytest.approx(icc["ICC(1,k)"], abs=1e-12)
    assert compared > 2


def test_shrout_fleiss_1979():
    """Mean squares 11.24, 32.49 and 1.02 of their table 3 give these components."""
    result = measures.variance_components(TARGETS)
    expected = [(11.24 - 1.02) / 4, (32.49 - 1.02) / 6, 1.02]
    assert result.value == pytest.approx(expected, abs=0.005)
    assert (result.share.sum(), result.n_items, result.n_coders) == (pytest.approx(1), 6, 4)
    assert result.plan(4).phi[0] == pytest.approx(0.62, abs=0.005)


def test_brennan_2001_raters_within_tasks():
    """His components are .4731, .3252, .6475, .5596 and 2.3802; with 3 tasks and 4 raters each,
    Eρ² is .55 and Φ is .46."""
    result = measures.variance_components(raters(), round=TASK_OF)
    assert result.sources == SOURCES
    assert result.value.round(4).tolist() == [0.4731, 0.3252, 0.6475, 0.5596, 2.3802]
    plan = result.plan(3, 4)
    assert (round(plan.g[0], 2), round(plan.phi[0], 2)) == (0.55, 0.46)


@pytest.mark.breadth
def test_reml_of_a_mixed_model_gives_the_same_if_all_are_positive():
    """statsmodels, whose likelihood is at its top where the mean squares are as expected."""
    formula = pytest.importorskip("statsmodels.formula.api")
    frame = pd.DataFrame(
        [(i, c, y) for i, row in enumerate(TARGETS) for c, y in enumerate(row)],
        columns=["item", "coder", "y"],
    )
    model = formula.mixedlm(
        "y ~ 1", frame, groups=np.ones(len(frame)), re_formula="0",
        vc_formula={"coder": "0 + C(coder)", "item": "0 + C(item)"},
    )  # fmt: skip
    fit = model.fit(reml=True)
    of = dict(zip(model.exog_vc.names, fit.vcomp, strict=True))
    item, coder, rest = measures.variance_components(TARGETS).value
    assert (of["item"], of["coder"], fit.scale) == pytest.approx((item, coder, rest), rel=2e-3)


# ---- ways to the same


def test_equal_items_may_be_counted_once():
    rng = np.random.default_rng(3)
    few = rng.integers(1, 5, (8, 3)).astype(float)
    few[rng.random(few.shape) < 0.2] = math.nan
    times = rng.integers(1, 4, 8)
    counted = measures.variance_components(few, layout="wide", weights=times)
    single = measures.variance_components(np.repeat(few, times, axis=0))
    for name in ("value", "low", "high", "degrees_of_freedom", "share_low"):
        assert getattr(counted, name) == pytest.approx(getattr(single, name), rel=1e-9)
    assert (counted.n_items, counted.n_judgments) == (single.n_items, single.n_judgments)


def test_rounds_are_a_column_or_names_of_coders():
    rows = [
        (f"p{i}", TASK_OF[rater], rater % 4, y)
        for i, row in enumerate(BRENNAN_4)
        for rater, y in enumerate(row)
        if (i + rater) % 7
    ]
    frame = pd.DataFrame(rows, columns=["item", "coder", "run", "label"])
    long = measures.variance_components(frame, round="run")
    gaps = [
        [y if (i + rater) % 7 else None for rater, y in enumerate(row)]
        for i, row in enumerate(BRENNAN_4)
    ]
    wide = measures.variance_components(raters(gaps), round=TASK_OF)
    assert long.value == pytest.approx(wide.value, rel=1e-9)
    assert long.low == pytest.approx(wide.low, rel=1e-6)
    assert (long.n_coders, long.n_judgments) == (3, len(rows))
    columns = frame.to_dict("list")
    assert measures.variance_components(columns, round="run").value == pytest.approx(long.value)


def test_a_constant_or_another_unit_changes_what_it_should():
    plain = measures.variance_components(TARGETS)
    moved = measures.variance_components(np.array(TARGETS) * 3 + 10**9)
    for name in ("value", "low", "high"):
        assert getattr(moved, name) == pytest.approx(9 * getattr(plain, name))
    assert moved.share_high == pytest.approx(plain.share_high)


# ---- plans


def test_a_plan_has_the_variances_of_its_means():
    """The means of a planned study, by the covariance of all its ratings."""
    result = measures.variance_components(raters(), round=TASK_OF)
    of = dict(zip(result.sources, result.value, strict=True))
    for n_coders, n_repeats in ((1, 1), (2, 3), (3, 2)):
        cells = list(itertools.product(range(5), range(n_coders), range(n_repeats)))
        keys = {
            "item": lambda i, c, r: i, "coder": lambda i, c, r: c,
            "repeat": lambda i, c, r: (c, r), "item × coder": lambda i, c, r: (i, c),
            "residual": lambda i, c, r: (i, c, r),
        }  # fmt: skip
        covariance = sum(
            of[name] * (lambda z: z @ z.T)(indicator([key(*cell) for cell in cells]))
            for name, key in keys.items()
        )
        plan = result.plan(n_coders, n_repeats, n_items=5)
        assert plan.mean_error[0] ** 2 == pytest.approx(covariance.mean())
        own = np.array([cell[0] == 0 for cell in cells])
        of_item = covariance[own][:, own].mean()
        assert plan.item_error[0] ** 2 == pytest.approx(of_item - of["item"])
        assert plan.phi[0] == pytest.approx(of["item"] / of_item)
        shared = covariance[own][:, [cell[0] == 1 for cell in cells]].mean()
        assert plan.g[0] == pytest.approx(of["item"] / (of_item - shared))


def test_the_value_of_one_more_coder():
    result = measures.variance_components(TARGETS)
    plan = result.plan(range(1, 9))
    assert plan.gain[:-1] == pytest.approx(np.diff(plan.phi))
    assert (np.diff(plan.gain) < 0).all()
    for n, phi, g in nonempty(zip(plan.n_coders, plan.phi, plan.g, strict=True)):
        assert phi == pytest.approx(spearman_brown(plan.phi[0], int(n)))
        assert g == pytest.approx(spearman_brown(plan.g[0], int(n)))
    needed = result.coders_needed(0.75)
    assert result.plan(needed).phi[0] >= 0.75 > result.plan(needed - 1).phi[0]
    assert result.coders_needed(0.75, absolute=False) == 2
    assert len(result.plan([1, 2]).to_frame("pandas")) == 2


def test_negative_estimates_are_said_and_count_as_0():
    table = [[1, 5], [5, 1], [2, 4], [4, 3], [3, 3]]
    result = measures.variance_components(table)
    assert result.value[0] < 0
    assert result.share[0] == 0
    assert "item: estimated below 0" in str(result)
    assert result.plan(3).g[0] == result.plan(3).phi[0] == 0
    with pytest.raises(ValueError, match="no number of judgments is enough"):
        result.coders_needed()


def test_what_fits_exactly_has_no_interval():
    result = measures.variance_components([[1, 2], [2, 3], [4, 5]])
    assert result.value[2] == 0
    assert np.isnan(result.low).all()
    assert "no interval: the data fit exactly" in str(result)
    assert result.plan(1).g[0] == 1
    same = measures.variance_components([[3, 3], [3, 3], [3, 3]])
    assert same.undefined.startswith("no variation")
    one = measures.variance_components(af.Annotations.from_wide([[1, 2, 4]], coders=[0, 1, 2]))
    assert one.undefined == "one item has no spread"
    assert np.isnan(one.plan([1, 2]).phi).all()


def test_what_cannot_be_computed_is_refused():
    with pytest.raises(ValueError, match="finite numbers"):
        measures.variance_components([["x", "y"], ["y", "y"]])
    with pytest.raises(ValueError, match="all of one coder, 'gpt'"):
        measures.variance_components(TARGETS, round=dict.fromkeys(range(4), "gpt"))
    result = measures.variance_components(TARGETS)
    with pytest.raises(ValueError, match="no component of repeats to plan with"):
        result.plan(2, 2)
    with pytest.raises(ValueError, match="n_coders"):
        result.plan(0)
    frame = pd.DataFrame({"item": [1, 1, 2, 2], "coder": [0, 1, 0, 1], "label": [1, 2, 3, 3]})
    with pytest.raises(ValueError, match="is not a column"):
        measures.variance_components(frame, round="run")
    with pytest.raises(ValueError, match="not for rounds in a column"):
        measures.variance_components(frame.assign(run=1), round="run", layout="wide")


@pytest.mark.breadth
def test_intervals_hold_the_components_as_often_as_they_say():
    """Of normal effects; benchmarks/components.py has the whole study."""
    held, n = np.zeros(4), 200
    truth = np.array([1.0, 0.3, 1.0])
    for seed in range(n):
        rng = np.random.default_rng(seed)
        effects = [rng.normal(size=shape) for shape in ((40, 1), 5, (40, 5))]
        table = sum(math.sqrt(v) * of for v, of in zip(truth, effects, strict=True))
        result = measures.variance_components(np.where(rng.random((40, 5)) < 0.2, np.nan, table))
        plan = result.plan(3)
        held[:3] += (result.low <= truth) & (truth <= result.high)
        held[3] += plan.phi_low[0] <= 1 / (1 + 1.3 / 3) <= plan.phi_high[0]
    assert (held / n > 0.9).all()
