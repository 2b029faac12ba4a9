"""Results of coefficients have the interval of `standard_error`, computed when it is asked for."""

import math
import pickle

import numpy as np
import pandas as pd
import pytest
from loops import nonempty

import agreement_fast as af
from agreement_fast.inference import standard_error

RNG = np.random.default_rng(5)
WHOLE = RNG.integers(0, 3, (40, 4))
TABLES = {
    "whole numbers": WHOLE,
    "lists": WHOLE.tolist(),
    "bytes": WHOLE.astype(np.int8),
    "texts": [["x", "y"], ["x", "x"], ["y", None], ["y", "y"]] * 5,
    "gaps": np.where(RNG.random(WHOLE.shape) < 0.3, np.nan, WHOLE),
    "floats": RNG.normal(size=(60, 3)),
    "many": RNG.integers(0, 3, (30_000, 5)).astype(np.int8),
    "frame": pd.DataFrame(
        {"item": list("aabbccdd"), "coder": list("mn") * 4, "label": list("xxyyxyzz")}
    ),
    "counts": af.Annotations.from_counts(RNG.integers(1, 4, (25, 3))),
    "weights": af.Annotations.from_contingency([[40, 3, 1], [2, 30, 5], [0, 4, 20]]),
}


def kept(result):
    return result.low, result.high, result.standard_error


def asked(function):
    return function.low, function.high, function.standard_error


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", ["alpha", "pi", "kappa", "ac", "s"])
def test_it_is_that_of_standard_error(table, name):
    """To the last bit, also in a table of several coefficients, and after pickling."""
    data = TABLES[table]
    if (table, name) == ("counts", "kappa"):
        with pytest.raises(ValueError, match="coder"):
            af.kappa(data)
        return
    expected = standard_error(data, name)
    result = af.agreement(data, name)
    assert kept(pickle.loads(pickle.dumps(af.agreement(data, name)))) == asked(expected)
    assert kept(result) == asked(expected) == kept(result)
    assert kept(pickle.loads(pickle.dumps(result))) == asked(expected)
    assert kept(af.agreement_table(data, [name])[0]) == asked(expected)
    assert (result.interval, result.confidence_level) == ((result.low, result.high), 0.95)
    assert result.low < result.high


@pytest.mark.parametrize("distance", ["ordinal", "interval", "ratio"])
def test_it_takes_the_distance(distance):
    for data in nonempty([WHOLE + 1, np.exp(TABLES["floats"]), (WHOLE + 1).tolist()]):
        expected = standard_error(data, distance=distance, incomplete="pairable")
        result = af.alpha(data, distance=distance, incomplete="pairable")
        assert kept(result) == asked(expected)


@pytest.mark.parametrize("distance", ["nominal", "interval"])
@pytest.mark.parametrize("kind", [np.int64, np.int8, float])
def test_a_table_that_changes_later_changes_nothing(distance, kind):
    table = WHOLE.astype(kind) + (0.5 if kind is float else 0)
    expected = asked(standard_error(table.copy(), distance=distance))
    result = af.alpha(table, distance=distance)
    table[:] = 0
    assert kept(result) == expected
    rows = WHOLE.tolist()
    result, expected = af.alpha(rows), asked(standard_error(WHOLE))
    rows[0][:] = rows[1] = [0, 0, 0, 0]
    assert kept(result) == expected


def test_judgments_of_large_tables_are_not_kept():
    table = RNG.integers(0, 200, (20_000, 4))
    result = af.alpha(table)
    with pytest.raises(AttributeError, match=r"standard_error\(data, 'alpha'\) has low$"):
        result.low  # noqa: B018
    with pytest.raises(AttributeError, match=r"standard_error\(data, 'alpha'\) has low and high"):
        result.interval  # noqa: B018
    data = af.Annotations.from_wide(table)
    result, lost = af.alpha(data), af.alpha(data)
    assert kept(result) == asked(standard_error(data))
    del data
    assert math.isfinite(result.low)
    assert not hasattr(lost, "low")
    assert not hasattr(pickle.loads(pickle.dumps(lost)), "low")


def test_an_undefined_value_has_none():
    for rows in nonempty([[["x", "x"]] * 3, [["x", None]] * 3]):
        result = af.alpha(af.Annotations.from_wide(rows, coders=["a", "b"]), undefined=0.0)
        assert np.isnan(kept(result)).all()
