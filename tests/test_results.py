"""Results are floats with their parts."""

import copy
import itertools
import json
import math
import pickle
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast import inference, models, units
from agreement_fast.results import Agreement

TABLE = [[1, 1], [2, 3], [3, 3], [1, 2], [2, 2], [3, 1]]
OTHER = [[1, 2], [2, 3], [3, 3], [1, 2], [2, 1], [3, 1]]
BINARY = [[0, 0], [1, 1], [0, 1], [1, 1], [0, 0], [1, 0], [0, 0]]


def _units() -> units.Continuum:
    return units.Continuum.from_rows(
        coders=["a", "b", "a", "b"],
        starts=[0, 1, 6, 6],
        ends=[4, 4, 9, 8],
        categories=["x", "x", "y", "y"],
        extents=10,
    )


MAKERS: dict[str, Callable[[], af.Result]] = {
    "agreement": lambda: af.alpha(TABLE, "interval"),
    "observed": lambda: af.observed_agreement(TABLE),
    "standard error": lambda: inference.standard_error(TABLE, "alpha"),
    "bootstrap": lambda: af.bootstrap(TABLE, "alpha", n_resamples=20, rng=1),
    "difference": lambda: af.compare(TABLE, OTHER, "pi"),
    "test": lambda: inference.coefficient_test(TABLE, "kappa", method="null"),
    "variance test": lambda: inference.coefficient_test(
        TABLE, distance="interval", method="variance", alternative="greater"
    ),
    "aickin": lambda: models.aickin_alpha(BINARY),
    "unitizing": lambda: units.u_alpha(_units()),
    "category of a unitizing": lambda: af.agreement(_units(), "ku_alpha").by_category[0],
}


@pytest.fixture(params=MAKERS, ids=list(MAKERS))
def result(request: pytest.FixtureRequest) -> Any:
    return MAKERS[request.param]()


def test_a_result_is_a_float_in_place_of_any_number(result: Any) -> None:
    value = float(result)
    assert type(value) is float
    assert isinstance(result, float)
    assert isinstance(result, af.Result)
    assert result == result.value == value
    assert hash(result) == hash(value)
    assert f"{result:.3f}" == f"{value:.3f}"
    assert f"{result:+.1%}" == f"{value:+.1%}"
    assert round(result, 3) == round(value, 3)
    assert (result < 0.67) == (value < 0.67)
    assert result + 1 == value + 1
    assert -result == -value
    assert json.dumps({"value": result}) == json.dumps({"value": value})
    assert sorted([2.0, result, -2.0]) == [-2.0, value, 2.0]
    assert np.mean([result, result]) == value
    array = np.asarray([result, 1])
    assert array.dtype == np.float64
    assert array.tolist() == [value, 1.0]
    assert np.asarray(result).shape == ()
    assert np.isclose(result, value)


def test_a_result_keeps_its_parts_when_it_is_copied(result: Any) -> None:
    for again in (
        pickle.loads(pickle.dumps(result)),
        copy.copy(result),
        copy.deepcopy(result),
        replace(result),
    ):
        assert type(again) is type(result)
        assert again == result
        assert repr(again) == repr(result)
        assert again.undefined == result.undefined


def test_a_result_is_shown_with_its_parts(result: Any) -> None:
    assert str(result) == repr(result) == f"{result}"
    assert repr(result) != repr(float(result))


def test_a_result_cannot_be_changed(result: Any) -> None:
    with pytest.raises(AttributeError):
        result.value = 2.0
    assert not hasattr(result, "__dict__")


def test_a_result_without_a_value_is_nan_with_its_reason() -> None:
    result = af.alpha([[1, 1], [1, 1]])
    assert math.isnan(result)
    assert result.undefined is not None
    assert result != result.value
    assert bool(result) is bool(math.nan) is True
    assert math.isnan(np.mean([result, 1.0]))
    again = pickle.loads(pickle.dumps(result))
    assert again.undefined == result.undefined


def test_the_value_chosen_for_undefined_is_the_float() -> None:
    assert af.alpha([[1, 1], [1, 1]], undefined=0) == 0.0


def test_results_of_one_value_are_equal_as_floats_are() -> None:
    first, second = af.alpha(TABLE), af.alpha(TABLE[::-1])
    assert first == second
    assert first is not second
    assert {first: "found"}[second] == "found"


def test_a_result_that_lacks_its_parts_is_an_error() -> None:
    with pytest.raises(TypeError, match="missing"):
        Agreement()  # type: ignore[call-arg]


LOOKED_FOR = {
    "ci": "it has low and high",
    "lower": "it has low",
    "se": "it has standard_error",
    "std_error": "it has standard_error",
    "pvalue": "af.inference.coefficient_test(data, 'alpha') has p_value",
}


@pytest.mark.parametrize("name", LOOKED_FOR)
def test_an_attribute_of_other_programs_is_answered(name):
    """The error names the attribute, or the function that has it."""
    data = [["x", "x"], ["x", "y"], ["y", "y"]] * 20
    value = af.alpha(data)
    assert not hasattr(value, name)
    with pytest.raises(AttributeError, match=": " + re.escape(LOOKED_FOR[name])):
        getattr(value, name)
    results = [value, af.inference.standard_error(data)]
    if name == "pvalue":
        with pytest.raises(AttributeError, match=r"distance=\.\.\.\) has"):
            getattr(af.alpha([[1, 2], [2, 2]], distance="interval"), name)
        results = [af.inference.coefficient_test(data)]
    with pytest.raises(TypeError, match="no keys: " + re.escape(LOOKED_FOR[name])):
        value[name]
    with pytest.raises(TypeError, match=r"no keys: write \.value$"):
        value["value"]
    parts = LOOKED_FOR[name].partition(" has ")[2].split(" and ")
    for result, part in nonempty(list(itertools.product(results, parts))):
        assert math.isfinite(getattr(result, part))
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing': it(s names are| has) "):
        value.nothing  # noqa: B018
