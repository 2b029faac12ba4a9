"""Studies of coders and items under distances between sets and in trees, against one value each."""

from itertools import combinations

import numpy as np
import pytest

import agreement_fast as af
from agreement_fast import bootstrap, distances
from agreement_fast.diagnostics import coder_report
from agreement_fast.inference import standard_error
from agreement_fast.subsets import coder_subsets

CODERS = "vwxyz"
TREE = {"c": "a", "d": "a", "a": "top", "b": "top"}


def judgments(make):
    """Random labels of 25 items, some missing, from a function of a generator."""
    rng = np.random.default_rng(7)
    rows = [[None if rng.random() < 0.15 else make(rng) for _ in CODERS] for _ in range(25)]
    return af.Annotations.from_wide(rows, coders=list(CODERS))


SETS = judgments(lambda rng: frozenset(rng.choice(5, rng.integers(4), replace=False).tolist()))
TAGS = judgments(lambda rng: str(rng.choice([*"abcd", "top"])))
SPANS = judgments(lambda rng: tuple(sorted(rng.integers(9, size=2).tolist())))
CASES = {
    "masi": (SETS, "masi"),
    "hamming": (SETS, "hamming"),
    "weighted": (SETS, distances.weighted("dice", {e: e + 1 for e in range(5)})),
    "extended": (TAGS, distances.extended("passonneau", {"c": "a", "d": "a"})),
    "spans": (SPANS, distances.spans("jaccard")),
    "leaf_overlap": (TAGS, distances.leaf_overlap(TREE)),
    "path": (TAGS, distances.tree_path(TREE)),
    "wu_palmer": (TAGS, distances.wu_palmer(TREE)),
    "level_dependent": (TAGS, distances.level_dependent(TREE)),
}


@pytest.mark.few
@pytest.mark.parametrize("name", ["alpha", "alpha_prime", "beta", "brennan_prediger", "ac"])
@pytest.mark.parametrize(("data", "distance"), CASES.values(), ids=CASES)
def test_without_a_coder_and_with_some_of_them(data, distance, name):
    """Each value is that of the coders selected."""

    def of(coders):
        return getattr(af, name)(data.select(coders=list(coders)), distance).value

    report = coder_report(data, name, distance=distance)
    assert report.value + report.change == pytest.approx(
        [of(CODERS.replace(c, "")) for c in CODERS], rel=1e-11
    )
    (three,) = coder_subsets(data, [name], distance=[distance], size=[3])[name, distance]
    values = [of(coders) for coders in combinations(CODERS, 3)]
    assert three.mean == pytest.approx(np.mean(values), rel=1e-11)
    assert (three.minimum, three.maximum) == pytest.approx((min(values), max(values)), rel=1e-11)


@pytest.mark.parametrize(("data", "distance"), CASES.values(), ids=CASES)
def test_a_resampled_value_is_that_of_items_with_weights(data, distance):
    """The bootstrap's spread and the standard error of the formula are of one size."""
    resampled = bootstrap(data, "alpha", distance=distance, n_resamples=500, rng=1)
    formula = standard_error(data, "alpha", distance=distance)
    assert resampled.value == pytest.approx(af.alpha(data, distance).value, rel=1e-12)
    assert resampled.n_undefined == 0
    assert 0.7 < resampled.standard_error / formula.standard_error < 1.4
