"""Sums of numbers, as an engine makes them, against the numbers themselves and exact fractions."""

import copy
import math
import pickle

import duckdb
import numpy as np
import polars as pl
import pytest
import reference
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import agreement_fast as af
from agreement_fast import bootstrap
from agreement_fast.inference import coefficient_test, standard_error

COEFFICIENTS = ("alpha", "alpha_prime", "beta")
ENGINES = {
    "polars": pl.DataFrame.lazy,
    "duckdb": lambda frame: duckdb.connect().from_arrow(frame.to_arrow()),
}


def drawn(seed, n=60, n_coders=4, *, offset=0.0, spread=1.0, whole=False):
    """Judgments of normal numbers, a third of them missing; weights from 0 to 3."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, 4, n)
    rows = []
    for i in range(n):
        middle = 3 * rng.normal()
        for c in range(n_coders):
            if rng.random() < 0.65:
                x = offset + spread * (middle + rng.normal())
                rows.append((i, f"c{c}", round(1000 * x) if whole else x, int(weights[i])))
    return pl.DataFrame(rows, schema=["item", "coder", "label", "w"], orient="row")


def kept(frame, engine="polars", **more):
    return af.Annotations.from_frame(ENGINES[engine](frame), way="moments", **more)


@pytest.mark.parametrize(
    ("engine", "made", "weights"),
    [
        ("polars", {}, None),
        ("duckdb", {}, "w"),
        ("polars", {"offset": 1e6}, "w"),
        ("polars", {"spread": 1e-60}, "w"),
        ("polars", {"spread": 1e90}, "w"),
        ("duckdb", {"whole": True}, None),
        ("polars", {"n_coders": 2}, "w"),
    ],
    ids=["numbers", "weighted", "far from 0", "tiny", "huge", "whole", "two coders"],
)
def test_coefficients_and_their_errors_are_those_of_the_numbers(engine, made, weights):
    frame = drawn(1, **made)
    data, here = (
        kept(frame, engine, weights=weights),
        af.Annotations.from_frame(frame, weights=weights),
    )
    assert (data.n_items, data.n_judgments) == (here.n_items, here.n_judgments)
    for incomplete in ("published", "pairable"):
        options = {"distance": "interval", "incomplete": incomplete}
        for name in COEFFICIENTS:
            result, expected = (af.agreement(some, name, **options) for some in (data, here))
            assert math.isclose(result.value, expected.value, rel_tol=1e-12)
            for part in ("n_items", "n_items_dropped", "n_judgments", "n_coders", "undefined"):
                assert getattr(result, part) == getattr(expected, part)
        for name in ("alpha", "alpha_prime"):
            result, expected = (standard_error(some, name, **options) for some in (data, here))
            assert math.isclose(result.standard_error, expected.standard_error, rel_tol=1e-10)
            assert (result.n_items, result.n_items_dropped) == (
                expected.n_items,
                expected.n_items_dropped,
            )
    tests = [
        coefficient_test(
            some, distance="interval", method="variance", alternative="greater"
        ).p_value
        for some in (data, here)
    ]
    assert math.isclose(*tests, rel_tol=1e-9)


numbers = st.integers(-40, 40).map(lambda k: k / 8) | st.just(1.0)
tables_of_numbers = st.lists(
    st.lists(st.none() | numbers, min_size=3, max_size=3), min_size=1, max_size=6
)


@examples(12)
@given(rows=tables_of_numbers, weights=st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_the_value_is_that_of_exact_fractions(rows, weights):
    frame = pl.DataFrame(
        [(i, c, x, weights[i]) for i, row in enumerate(rows) for c, x in enumerate(row)],
        schema={"item": pl.Int64, "coder": pl.Int64, "label": pl.Float64, "w": pl.Int64},
        orient="row",
    )
    data = kept(frame, weights="w")
    cube = reference.Cube(
        reference.from_rows(rows), reference.interval, weights=weights[: len(rows)],
        coders=[0, 1, 2],
    )  # fmt: skip
    assert data.missing_judgments == sum(x is None for row in rows for x in row)
    for name in COEFFICIENTS:
        for incomplete in ("published", "pairable"):
            result = af.agreement(data, name, distance="interval", incomplete=incomplete)
            expected = cube.named(name, incomplete)
            if expected.value is None:
                assert result.undefined
            else:
                assert math.isclose(result.value, expected.value, rel_tol=1e-12, abs_tol=1e-12)


def test_no_more_than_sums_comes_back():
    for n in (100, 1000):
        result = kept(drawn(2, n)).gathered
        assert (result.way, result.engine) == ("moments", "polars")
        assert result.n_rows <= 20
        assert "interval distance" in result.why


def test_whole_numbers_are_summed_as_such():
    """Every order gives the same bits."""
    frame = drawn(3, whole=True)
    values = set()
    for engine in ENGINES:
        shuffled = frame.sample(fraction=1, shuffle=True, seed=len(engine) + len(values))
        values.add(af.beta(kept(shuffled, engine), distance="interval").value)
    assert len(values) == 1
    far = pl.DataFrame(
        {"item": [1, 1, 2, 2], "coder": ["a", "b"] * 2, "label": [0, 2**40, 2**61, 1]}
    )
    assert math.isclose(
        af.alpha(kept(far), distance="interval").value,
        af.alpha(far, distance="interval").value,
        rel_tol=1e-12,
    )


def constant_items(numbers):
    """Each number said by three coders, and one far number said once, of weight 5."""
    rows = [(i, c, x, 1) for i, x in enumerate(numbers) for c in "abc"]
    return pl.DataFrame(
        [*rows, (-1, "a", 1e6, 5)], schema=["item", "coder", "label", "w"], orient="row"
    )


def test_coders_who_agree_have_1():
    """However numbers are rounded."""
    data = kept(constant_items(np.random.default_rng(0).normal(size=40).tolist()))
    assert af.alpha(data, distance="interval").value == 1
    error = standard_error(data, distance="interval")
    assert 0.7 < error.low < error.high == 1
    delta = standard_error(data, distance="interval", method="delta")
    assert (delta.low, delta.high) == (1, 1)
    assert delta.note.startswith("no item disagrees")


def test_numbers_that_do_not_vary_have_no_value():
    """Neither items of one judgment nor those of weight 0 make α defined; the first do with β."""
    frame = constant_items([0.1] * 33)
    data = kept(frame)
    assert "no variation" in af.alpha(data, distance="interval").undefined
    assert "no variation" in standard_error(data, distance="interval").undefined
    assert af.beta(data, distance="interval").value == 1
    assert af.beta(data, distance="interval", incomplete="pairable").undefined
    without = kept(
        frame.with_columns(w=pl.when(pl.col("item") < 0).then(0).otherwise(1)), weights="w"
    )
    assert af.beta(without, distance="interval").undefined
    assert af.beta(without, distance="interval").largest_distance == 0


@pytest.mark.parametrize(
    "ask",
    [
        lambda data: af.alpha(data),
        lambda data: af.s(data),
        lambda data: af.alpha(data, distance="interval", incomplete="complete"),
        lambda data: data.categories,
        lambda data: data.to_counts(),
        lambda data: data.coder_marginals(),
        lambda data: data.patterns(),
        lambda data: data.select(coders=["c0"]),
        lambda data: af.concat([data], keep_items=False),
        lambda data: bootstrap(data, "alpha", distance="interval"),
        lambda data: standard_error(data, "beta", distance="interval"),
    ],
    ids=["nominal", "s", "complete", "categories", "counts", "marginals", "patterns", "select",
         "concat", "bootstrap", "beta's error"],
)  # fmt: skip
def test_sums_raise_for_other_distances_and_judgments(ask):
    with pytest.raises(af.AgreementError, match=r"numbers \(way='moments'\).*way='patterns' or"):
        ask(kept(drawn(4)))


def test_they_are_shown_and_copied():
    data = kept(drawn(4))
    assert repr(data).endswith("judgments, sums of numbers)")
    assert "sums of numbers" in data._repr_html_()
    for other in (copy.copy(data), pickle.loads(pickle.dumps(data))):
        assert af.alpha(other, distance="interval") == af.alpha(data, distance="interval")


@pytest.mark.parametrize(
    ("change", "asked", "message"),
    [
        ({"label": pl.lit("x")}, {}, "way='moments' sums numbers, and the labels are String"),
        ({"label": pl.lit(math.inf)}, {}, "needs finite numbers: column 'label' has inf"),
        ({"coder": pl.lit("c0")}, {}, "judgments repeat a coder's judgment"),
        ({"w": pl.int_range(pl.len())}, {"weights": "w"}, "item 0 has different weights"),
        ({"w": pl.lit(-1)}, {"weights": "w"}, "weight -1 of item"),
        ({"item": pl.lit(None, pl.Int64)}, {}, "no item"),
        ({}, {"along": "w"}, "way='moments' does not support groups or columns along"),
    ],
)
def test_data_that_cannot_be_summed_raise(change, asked, message):
    with pytest.raises(af.AgreementError, match=message):
        kept(drawn(5).with_columns(**change), **asked)


def test_repeated_judgments_are_settled_first():
    frame = pl.DataFrame(
        {"item": [1, 1, 1, 2, 2], "coder": ["a", "a", "b", "a", "b"], "t": [1, 2, 3, 4, 5],
         "label": [9.5, 0.5, 1.0, 2.0, 2.5]}
    )  # fmt: skip
    data = kept(frame, duplicates="last", order="t")
    assert data.duplicates_dropped == 1
    assert math.isclose(
        af.alpha(data, distance="interval").value,
        af.alpha([[0.5, 1.0], [2.0, 2.5]], distance="interval").value,
        rel_tol=1e-12,
    )
