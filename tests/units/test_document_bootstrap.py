"""Draws of documents: against continua whose documents are written out as often as drawn."""

import math
import sys

import numpy as np
import pytest
from continua import continuum, studies
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from loops import nonempty

import agreement_fast as af
from agreement_fast import units
from agreement_fast.units.coincidences import COEFFICIENTS, DocumentSums, UnitizingTable


def written_out(study, times):
    """The study with each document there so often, copies being documents of their own."""
    marked, extents, coders = study
    copies = [(d, i) for d, n in zip(extents, times, strict=True) for i in range(n)]
    return continuum(
        [(*unit[:4], f"{d}-{i}") for d, i in copies for unit in marked if unit[4] == d],
        {f"{d}-{i}": extents[d] for d, i in copies},
        coders,
    )


def values(data):
    """Each coefficient of each category that has a value."""
    parts = UnitizingTable([compute(data) for compute in COEFFICIENTS.values()]).parts()
    return {(name, category): part.value for name, category, part in parts}


@examples(40)
@given(studies(coders=2, exclusive=True) | studies(), st.data())
def test_sums_of_documents_are_the_coefficients_of_what_is_drawn(study, draw):
    data = continuum(*study)
    parts = [part for part, value in values(data).items() if not math.isnan(value)]
    assume(parts)
    times = draw.draw(
        st.lists(st.integers(0, 3), min_size=len(data.documents), max_size=len(data.documents))
        .filter(any)
    )  # fmt: skip
    sums = DocumentSums(data, parts)
    order = [list(study[1]).index(name) for name in data.documents]
    weights = np.array(times, float)[order][:, None]
    result = sums.values(np.hstack([weights, np.ones_like(weights)]))
    drawn, whole = values(written_out(study, times)), values(data)
    for part, (one, every) in nonempty(zip(parts, result, strict=True)):
        assert every == pytest.approx(whole[part], abs=1e-11)
        # a category that is in no document that was drawn has no value
        expected = drawn.get(part, math.nan)
        assert one == pytest.approx(expected, abs=1e-11, nan_ok=True)


def documents(n, seed=3, coders=("A", "B")):
    """Documents with a few units each, which coders move and sometimes call otherwise."""
    rng = np.random.default_rng(seed)
    rows = []
    for document in range(n):
        for start in range(0, 40, 10):
            for coder in coders:
                begin = start + int(rng.integers(0, 4))
                end = begin + int(rng.integers(2, 6))
                rows.append((coder, begin, end, str(rng.choice(["x", "x", "y"])), document))
    return units.Continuum.from_rows(*zip(*rows, strict=True), extents=dict.fromkeys(range(n), 44))


def test_threads_and_blocks_change_nothing(monkeypatch):
    data = documents(12)
    one = af.bootstrap(data, n_resamples=600, rng=5, threads=1)
    monkeypatch.setattr(sys.modules[DocumentSums.__module__], "ROOM", 500)
    monkeypatch.setattr("agreement_fast.inference.draws.LEFT_OUT", 5)
    two = af.bootstrap(data, n_resamples=600, rng=5, threads=3)
    assert len(one) == 8
    for a, b in zip(one, two, strict=True):
        np.testing.assert_allclose(a.replicates, b.replicates, rtol=1e-12)
        assert (a.low, a.high) == pytest.approx((b.low, b.high))
        assert a.low < a.value < a.high
        assert a.standard_error == pytest.approx(np.nanstd(a.replicates, ddof=1))
    # pieces have draws of their own
    assert not np.isin(one["u_alpha"].replicates[256:], one["u_alpha"].replicates[:256]).all()
    again = af.bootstrap(data, "u_alpha", n_resamples=600, rng=6)["u_alpha"]
    assert again.replicates.tolist() != one["u_alpha"].replicates.tolist()


def test_methods_are_those_of_the_replicates():
    data = documents(8)
    outcome = {
        method: af.bootstrap(data, "u_alpha", rng=2, method=method, confidence_level=0.8)[0]
        for method in ("percentile", "basic", "bca")
    }
    plain = outcome["percentile"]
    assert (plain.low, plain.high) == pytest.approx(np.quantile(plain.replicates, [0.1, 0.9]))
    assert outcome["basic"].low == pytest.approx(2 * plain.value - plain.high)
    assert outcome["bca"].low != plain.low
    for result in outcome.values():
        assert result.value == units.u_alpha(data).value
        assert result.replicates.tolist() == plain.replicates.tolist()


def test_long_documents_lose_no_digits():
    rng = np.random.default_rng(1)
    starts = rng.integers(0, 10**9, (8, 5)) + 8 * 10**10
    rows = [
        (coder, int(start) + shift, int(start) + 7, "x", d)
        for d, some in enumerate(starts)
        for start in some
        for coder, shift in (("A", 0), ("B", int(rng.integers(0, 4))))
    ]
    extents = dict.fromkeys(range(8), (8 * 10**10, 10**15))
    data = units.Continuum.from_rows(*zip(*rows, strict=True), extents=extents)
    result = 1 - DocumentSums(data, [("alpha_u", None)]).values(np.ones((8, 1)))[0, 0]
    # D_o / D_e is tiny: its digits are those of whole numbers
    exact = units.alpha_u(data)
    assert result == pytest.approx(
        exact.observed_disagreement / exact.expected_disagreement, rel=1e-9
    )


def test_bca_leaves_out_each_document():
    data = documents(6)
    sums = DocumentSums(data, [("u_alpha", None)])
    result = sums.values(1 - np.eye(6))[0]
    plain = [
        units.u_alpha(data.select(documents=[d for d in range(6) if d != out])).value
        for out in range(6)
    ]
    np.testing.assert_allclose(result, plain)


def test_one_document_has_no_interval():
    outcome = af.bootstrap(documents(1), rng=1)
    for result in outcome:
        assert not math.isnan(result.value)
        assert math.isnan(result.low)
        assert math.isnan(result.standard_error)
        assert "one document" in result.note
        assert result.n_resamples == 0
    assert str(outcome).splitlines()[-1].startswith("one document")


def test_documents_that_are_alike_are_said_to_be():
    rows = [(c, 0, 4, "x", d) for c in "AB" for d in range(3)]
    rows += [("A", 5, 6, "x", d) for d in range(3)]
    data = units.Continuum.from_rows(*zip(*rows, strict=True), extents=dict.fromkeys(range(3), 9))
    result = af.bootstrap(data, "cu_alpha", rng=1)["cu_alpha"]
    assert result.undefined
    assert result.note is None
    rows.append(("B", 7, 8, "y", 0))
    rows.append(("A", 7, 8, "y", 0))
    data = units.Continuum.from_rows(*zip(*rows, strict=True), extents=dict.fromkeys(range(3), 9))
    result = af.bootstrap(data, "cu_alpha", rng=1)["cu_alpha"]
    assert result.value == result.low == result.high == 1.0
    assert "all resamples" in result.note
    assert result.n_undefined == np.isnan(result.replicates).sum() > 0


def test_what_has_no_value_has_no_resamples():
    rows = [(c, 4 * (c == "B"), 4 + 4 * (c == "B"), "x", d) for c in "AB" for d in range(4)]
    data = units.Continuum.from_rows(*zip(*rows, strict=True), extents=dict.fromkeys(range(4), 9))
    result = af.bootstrap(data, ["cu_alpha", "u_alpha"], rng=1, n_resamples=20)
    assert "no intersections" in result["cu_alpha"].undefined
    assert len(result["cu_alpha"].replicates) == 0
    assert len(result["u_alpha"].replicates) == 20


def test_results_are_read_and_are_tables():
    outcome = af.bootstrap(documents(5), ["ku_alpha", "u_alpha"], rng=1, n_resamples=50)
    assert outcome["ku_alpha", "y"].category == "y"
    assert "50 resamples of 5 documents" in repr(outcome["u_alpha"])
    assert str(outcome).splitlines()[0].split() == [
        "coefficient", "category", "value", "95%", "interval", "undefined",
    ]  # fmt: skip
    columns = outcome.to_dict()
    assert columns["category"] == ["x", "y", None]
    assert columns["low"] == [result.low for result in outcome]
    assert "replicates" not in columns
    with pytest.raises(KeyError, match=r"table, which has \('ku_alpha', 'x'\)"):
        outcome["alpha_u"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"coefficient": "alpha"}, "coefficient must be"),
        ({"coefficient": []}, "empty"),
        ({"method": "krippendorff"}, "'bca'"),
        ({"confidence_level": 1}, "between 0 and 1"),
        ({"n_resamples": 0}, "1 or more"),
    ],
)
def test_bad_options_are_refused(options, text):
    with pytest.raises(ValueError, match=text):
        af.bootstrap(documents(2), **options)


# ---------------------------------------------------------------- segmentations of texts


def texts(n, seed=0):
    """Right segmentations, and others that miss and shift some boundaries."""
    rng = np.random.default_rng(seed)
    right = {d: (rng.random(int(rng.integers(10, 30))) < 0.2).astype(int) for d in range(n)}
    return right, {d: np.where(rng.random(len(m)) < 0.1, 1 - m, m) for d, m in right.items()}


@pytest.mark.parametrize("measure", [units.window_diff, units.p_k])
def test_several_texts_have_an_interval(measure):
    right, outcome = texts(15)
    each = [measure(right[d], outcome[d], window=3) for d in right]
    result = measure(right, dict(reversed(outcome.items())), window=3, rng=4)
    windows = np.array([one.n_windows for one in each])
    assert windows.tolist() == [len(right[d]) - 2 for d in right]
    assert result.value == pytest.approx(
        windows @ np.array([one.value for one in each]) / windows.sum()
    )
    assert 0 <= result.low < result.value < result.high <= 1
    assert (result.n_texts, result.n_windows, result.n_resamples) == (15, windows.sum(), 2000)
    # the spread of a ratio of sums, by the delta method
    gaps = windows * (np.array([one.value for one in each]) - result.value)
    assert result.standard_error == pytest.approx(
        math.sqrt((gaps**2).sum() * 15 / 14) / windows.sum(), rel=0.15
    )
    assert "15 texts" in repr(result)
    again = measure(right, outcome, window=3, rng=4, method="percentile", confidence_level=0.8)
    assert result.low < again.low < again.high < result.high


def test_one_text_has_no_interval_and_texts_must_be_the_same():
    one = units.p_k("00100", "01000")
    assert math.isnan(one.low)
    assert "one text" in one.note
    same = units.window_diff({1: "00100", 2: "0100"}, {1: "00100", 2: "0100"}, rng=0)
    assert same.value == same.low == same.high == 0
    assert "all resamples" in same.note
    for right, result, error, text in (
        ({1: "01"}, {2: "01"}, ValueError, "hypothesis has no text 1"),
        ({1: "01"}, {1: "01", 2: "01"}, ValueError, "reference has no text 2"),
        ({1: "01"}, "01", TypeError, "mapping"),
        ({}, {}, ValueError, "no texts"),
        (
            {1: "01", 2: "01"},
            {1: "01", 2: "011"},
            ValueError,
            "coder reference, text 2, has 2 places",
        ),
    ):
        with pytest.raises(error, match=text):
            units.p_k(right, result)
