"""The same data under several category maps, in closed form and on shared draws."""

from functools import partial

import numpy as np
import pytest
from loops import nonempty
from strategies import seeded

import agreement_fast as af
from agreement_fast import bootstrap, compare, inference
from agreement_fast.distances.sums.columns import pattern_items
from agreement_fast.inference import standard_error
from agreement_fast.patterns import dense

drawn = partial(inference.category_merging, method="bca")

SCALE = range(-2, 3)
#: Antoine et al. 2014, section 5.1.
VALENCE = {-2: -1, 2: 1}
NEUTRAL = {-2: "not", -1: "not", 1: "not", 2: "not", 0: "neutral"}


def scale(missing=0.1, heaviest=None):
    """Judgments of 80 sentences by 7 coders on a scale of five."""
    table = seeded(2014, 80, 7, SCALE, missing=missing, heaviest=heaviest)
    return af.Annotations.from_wide(table.rows, weights=table.weights)


@pytest.mark.parametrize("heaviest", [None, 3])
def test_values_are_those_of_merged_data(heaviest):
    """Tables 2 and 3: each map gives what the coefficient of the merged data is."""
    data = scale(heaviest=heaviest)
    study = drawn(
        data, {"valence": VALENCE}, ["kappa", "pi", "alpha"], ["nominal", "linear"], rng=1
    )
    merged = data.merge_categories(VALENCE)
    assert study.maps == ("unmerged", "valence")
    assert study.categories == ((-2, -1, 0, 1, 2), (-1, 0, 1))
    for name, annotations in (("unmerged", data), ("valence", merged)):
        for coefficient in ("kappa", "pi", "alpha"):
            expected = af.agreement(annotations, coefficient)
            assert study[name, coefficient].value == pytest.approx(expected.value, rel=1e-12)
        expected = af.alpha(annotations, "linear")
        assert study[name, "alpha", "linear"].value == pytest.approx(expected.value, rel=1e-12)
    assert len(study["valence"]) == 4


@pytest.mark.parametrize("cluster", [None, [item // 8 for item in range(80)]])
def test_intervals_are_those_of_the_merged_data_and_of_paired_comparisons(cluster):
    data = scale(missing=0.2)
    study = inference.category_merging(
        data, {"valence": VALENCE}, ["kappa", "alpha"], ["nominal", "interval"], cluster=cluster
    )
    merged = data.merge_categories(VALENCE)
    assert study.tables[0].columns()["method"] == ["score"] * 3
    for name, distance in (("kappa", "nominal"), ("alpha", "nominal"), ("alpha", "interval")):
        for part, of in ((data, "unmerged"), (merged, "valence")):
            alone = standard_error(part, name, distance=distance, cluster=cluster)
            result = study[of, name, distance]
            assert (result.value, result.low, result.high) == (alone.value, alone.low, alone.high)
            assert result.standard_error == alone.standard_error
        change = study.difference("valence", (name, distance))
        expected = compare(merged, data, name, distance=distance, paired=True, cluster=cluster)
        for of in ("value", "low", "high", "standard_error", "p_value"):
            assert getattr(change, of) == pytest.approx(getattr(expected, of), rel=1e-9, abs=1e-12)
        back = study.difference("unmerged", (name, distance), "valence")
        assert (back.low, back.high) == pytest.approx((-change.high, -change.low))
    assert "valence" in str(study)
    assert repr(study["valence"]).startswith("coefficient  distance")
    same = study.difference("valence", "kappa", "valence")
    assert (same.value, same.p_value) == (0, 1)


def test_a_seed_is_for_draws():
    with pytest.raises(af.AgreementError, match="rng is for draws"):
        inference.category_merging(scale(), {"valence": VALENCE}, rng=1)


def test_replicates_are_of_the_same_items():
    """Each replicate, made again by hand: items drawn once, looked at under every map."""
    data = scale(missing=0.2)
    study = drawn(
        data, {"valence": VALENCE, "neutral": NEUTRAL}, ["alpha", "kappa"], n_resamples=12, rng=5
    )
    draws = _draws(data, 12, 5)
    patterns = dense(pattern_items(data, True).rows, 7)
    labels = np.array([*data.categories, None], object)[patterns]
    for name, mapping in (("unmerged", {}), ("valence", VALENCE), ("neutral", NEUTRAL)):
        rows = np.vectorize(lambda label, to=mapping: to.get(label, label), otypes=[object])(labels)
        for r, weights in nonempty(enumerate(draws)):
            again = af.Annotations.from_wide(np.repeat(rows, weights, axis=0))
            for coefficient in ("alpha", "kappa"):
                expected = af.agreement(again, coefficient).value
                result = study[name, coefficient].replicates[r]
                assert result == pytest.approx(expected, rel=1e-12)


def _draws(data, n, seed):
    """The weights of the items in each resample."""
    from agreement_fast.inference.resample import Draw

    weights = pattern_items(data, True).weights
    assert (weights == 1).all()  # 7 coders: rows do not repeat, so patterns are the items
    own = np.random.default_rng(seed).spawn(1)[0]
    return Draw(weights)(own, n).T.astype(int)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_differences_are_paired(method):
    """The interval of a difference is that of the replicates' differences, and narrower for it."""
    study = drawn(
        scale(), {"valence": VALENCE, "neutral": NEUTRAL}, ["pi", "alpha"], method=method, rng=2
    )
    change = study.difference("valence", "pi")
    replicates = study["valence", "pi"].replicates - study["unmerged", "pi"].replicates
    assert change.replicates.tolist() == replicates.tolist()
    assert change.value == study["valence", "pi"].value - study["unmerged", "pi"].value
    assert change.low < change.value < change.high
    independent = np.hypot(
        study["valence", "pi"].standard_error, study["unmerged", "pi"].standard_error
    )
    assert change.standard_error < 0.8 * independent
    other = study.difference("neutral", "pi", "valence")
    both = study.difference("neutral", "pi").value - change.value
    assert other.value == pytest.approx(both, abs=1e-15)


def test_the_unmerged_map_is_a_bootstrap():
    """Its standard error is that of `bootstrap`, within what 2,000 resamples leave open."""
    data = scale()
    study = drawn(data, {"valence": VALENCE}, ["alpha"], n_resamples=2000, rng=1)
    plain = bootstrap(data, "alpha", n_resamples=2000, rng=2)
    assert study["unmerged", "alpha"].standard_error == pytest.approx(plain.standard_error, rel=0.1)


def test_documents_counts_seeds_and_threads():
    """Whole documents can be drawn, coders may be unknown, and threads change nothing."""
    data = scale()
    options = {"n_resamples": 300, "rng": 4}
    documents = np.arange(80) // 4
    study = drawn(data, {"v": VALENCE}, ["pi"], cluster=documents, **options)
    assert study["v", "pi"].standard_error > 0
    one = drawn(data, {"v": VALENCE}, ["pi"], threads=1, **options)
    two = drawn(data, {"v": VALENCE}, ["pi"], threads=2, **options)
    assert one["v", "pi"].replicates.tolist() == two["v", "pi"].replicates.tolist()
    counts = af.Annotations.from_counts(data.to_counts(), categories=data.categories)
    same = drawn(counts, {"v": VALENCE}, ["pi", "alpha"], **options)
    assert same["v", "pi"].value == pytest.approx(one["v", "pi"].value, rel=1e-12)
    with pytest.raises(ValueError, match="which coder"):
        drawn(counts, {"v": VALENCE}, ["kappa"])


def test_a_map_that_leaves_one_category_is_undefined():
    """NaN with a reason, and the other map stays."""
    everything = dict.fromkeys(SCALE, "x")
    study = drawn(scale(), {"one": everything}, ["pi"], n_resamples=20, rng=1)
    assert study["one", "pi"].undefined.startswith("no variation:")
    assert study["one", "pi"].n_undefined == 20
    assert study.difference("one", "pi").undefined.startswith("no variation:")
    assert study["unmerged", "pi"].undefined is None


def test_matrices_and_functions_of_one_name_are_distinguished():
    data = af.Annotations.from_wide([[1, 2, 3], [2, 2, 4], [4, 4, 1], [1, 1, 1], [3, 2, 3]])

    def steps(square):
        return lambda a, b: abs(a - b) ** (2 if square else 1)

    study = drawn(
        data, {"m": {4: 3}}, ["alpha"], [steps(False), steps(True)], n_resamples=30, rng=1
    )
    expected = drawn(data, {"m": {4: 3}}, ["alpha"], ["linear", "interval"], n_resamples=30, rng=1)
    for place, name in enumerate(("linear", "interval")):
        change = expected.difference("m", ("alpha", name))
        assert study.difference("m", place).value == pytest.approx(change.value, abs=1e-12)
        assert study.difference("m", place).low == pytest.approx(change.low, abs=1e-12)
        assert f"{change.value:+.4f}" in str(study).splitlines()[-2 + place]
    with pytest.raises(KeyError, match="find equal names by position"):
        study.difference("m", "alpha")
    apart = [[0, 1, 2, 3], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]
    same = af.bootstrap(data, [("alpha", apart)], n_resamples=9, rng=1)
    assert same["alpha", "matrix"] is same[0]


def test_bad_input_is_named():
    """Errors say what is wrong."""
    data = scale()
    with pytest.raises(ValueError, match="3 is not a category"):
        drawn(data, {"v": {3: 1}})
    with pytest.raises(ValueError, match="must not use 'unmerged', the name"):
        drawn(data, {"unmerged": VALENCE})
    with pytest.raises(TypeError, match="coefficient must be a name or a sequence of names, not 5"):
        drawn(data, {"v": VALENCE}, 5)
    for mappings in (VALENCE, [VALENCE], {1: VALENCE}):
        with pytest.raises(TypeError, match="mapping must be names with mappings of old to new"):
            drawn(data, mappings)
    with pytest.raises(ValueError, match="use alpha_prime"):
        drawn(data, {"v": VALENCE}, ["pi"], ["linear"])
    study = drawn(data, {"v": VALENCE}, ["pi"], n_resamples=5, rng=1)
    with pytest.raises(KeyError, match="the maps are unmerged, v"):
        study["w"]


def test_results_are_readable():
    """A line, and a table with a row for each map and coefficient."""
    study = drawn(scale(), {"valence": VALENCE}, ["pi", "alpha"], n_resamples=50, rng=1)
    assert repr(study) == "<pi(nominal), alpha(nominal) under unmerged, valence>"
    lines = str(study).splitlines()
    assert lines[1] == "  Merged to 3 categories: -1, 0, 1."
    assert lines[2].split()[:4] == ["categories", "number", "coefficient", "distance"]
    assert [line.split()[0] for line in lines[3:]] == ["unmerged"] * 2 + ["valence"] * 2
