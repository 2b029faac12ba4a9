"""What Artstein & Poesio (2008, 5.3) want reported: tests, and how the coders worked."""

from __future__ import annotations

import math

import pytest

import agreement_fast as af
from agreement_fast import inference, report

TABLE = [(1, 1, 1), (2, 2, 1), (1, 1, 1), (3, 3, 2), (2, 2, 2), (3, 1, 3), (1, 2, 1), (3, 3, 3)]


@pytest.mark.parametrize("threshold", [0.8, 0.667, 0.2])
@pytest.mark.parametrize("name", ["alpha", "pi", "kappa"])
def test_the_quoted_coefficient_is_tested_against_0_and_a_threshold(name, threshold):
    result = report(TABLE, [name], threshold=threshold)
    for test, null in zip(result.tests, (0, threshold), strict=True):
        expected = inference.coefficient_test(TABLE, name, null_value=null, alternative="greater")
        assert test.p_value == pytest.approx(expected.p_value)
        assert (test.null_value, test.coefficient) == (null, name)
    document = result.to_dict()
    assert [test["p_value"] for test in document["tests"]] == [t.p_value for t in result.tests]
    text = result.to_text()
    assert f"{name} (nominal) above {threshold:g} " in text
    assert f"p = {result.tests[1].p_value:.4f} (one-sided)" in text


def test_documents_are_the_sample_of_the_tests_where_they_are_that_of_the_intervals():
    clusters = [0, 0, 1, 1, 2, 2, 3, 3]
    result = report(TABLE, ["alpha"], cluster=clusters)
    expected = inference.coefficient_test(
        TABLE, null_value=0, alternative="greater", cluster=clusters
    )
    assert result.tests[0].p_value == pytest.approx(expected.p_value)


def test_a_bootstrap_is_tested_by_its_resamples():
    result = report(TABLE, ["alpha"], method="percentile", n_resamples=400, rng=1)
    drawn = af.bootstrap(TABLE, "alpha", method="percentile", n_resamples=400, rng=1)
    assert result.tests[1].p_value == drawn.test(0.8, "greater").p_value


def test_fields_are_printed_or_are_said_not_to_be_given():
    given = {"independent": True, "manual": False, "trained": "two hours"}
    result = report(TABLE, methodology=given)
    assert result.methodology == {
        "independent": "yes", "manual": "no", "trained": "two hours", "pieces": None
    }  # fmt: skip
    lines = result.to_text().splitlines()
    assert [" ".join(line.split()) for line in lines[-4:]] == [
        "coders worked independently of each other yes",
        "coders relied on a manual alone no",
        "coders were trained two hours",
        "coders worked in how many pieces not given",
    ]
    assert report(TABLE, methodology={"pieces": 3}).to_dict()["methodology"]["pieces"] == "3"
    assert report(TABLE).to_text().count("not given") == 4


def test_what_has_no_variation_is_not_tested():
    result = report([("a", "a"), ("a", "a")])
    assert all(math.isnan(test.p_value) for test in result.tests)
    assert "above 0.8  " in result.to_text()
    assert "not tested: no variation" in result.to_text()
    assert result.to_dict()["tests"][0]["p_value"] is None


def test_other_fields_and_thresholds_are_refused():
    with pytest.raises(ValueError, match="no field 'paid'; the fields are independent, manual"):
        report(TABLE, methodology={"paid": "yes"})
    with pytest.raises(TypeError, match="methodology must be a mapping"):
        report(TABLE, methodology="independent")
    with pytest.raises(ValueError, match="threshold must be a number above -1 and below 1"):
        report(TABLE, threshold=80)
