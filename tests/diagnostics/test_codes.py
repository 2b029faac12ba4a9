"""Agreement on each code of sets, against coefficients of each code computed by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, f1_score

import agreement_fast as af
from agreement_fast import Annotations
from agreement_fast.diagnostics import category_agreement, code_agreement
from agreement_fast.errors import InputError, UnknownKeyError
from agreement_fast.inference import standard_error

NAMES = ("kappa", "alpha", "pi", "ac", "s")

JUDGMENTS = st.one_of(st.none(), st.frozensets(st.sampled_from("abc"), max_size=3))


@st.composite
def tables(draw):
    n = draw(st.integers(2, 4))
    row = st.lists(JUDGMENTS, min_size=n, max_size=n)
    table = draw(st.lists(row, min_size=2, max_size=8))
    weights = draw(st.none() | st.lists(st.integers(1, 3), min_size=8, max_size=8))
    return table, weights and weights[: len(table)]


def made(table, weights=None, categories=None) -> Annotations:
    coders = range(len(table[0]))
    return Annotations.from_wide(table, coders=coders, weights=weights, categories=categories)


def of_code(table, code, weights=None) -> Annotations:
    """Give whether each judgment holds a code, as labels."""
    given = [[None if said is None else code in said for said in row] for row in table]
    return made(given, weights, [False, True])


def same(result, expected) -> None:
    parts = ("value", "standard_error", "low", "high")
    left, right = ([getattr(one, part) for part in parts] for one in (result, expected))
    assert left == pytest.approx(right, abs=1e-9, nan_ok=True)


INCOMPLETE = st.sampled_from([{}, {"incomplete": "published"}])


@given(tables(), INCOMPLETE)
def test_each_code_is_that_of_two_categories(drawn, asked) -> None:
    table, weights = drawn
    result = code_agreement(made(table, weights), NAMES, **asked)
    counted = {"incomplete": "pairable", **asked}
    assert result.codes == tuple(
        sorted({code for row in table for said in row for code in said or ()})
    )
    for row in result:
        data = of_code(table, row.code, weights)
        for name in NAMES:
            expected = standard_error(data, name, **counted)
            same(row[name], expected)
            assert row[name].undefined == expected.undefined
        same(row["observed_agreement"], af.observed_agreement(data))
        no, yes = category_agreement(data)
        for measure, expected in (("positive", yes), ("negative", no)):
            share = row[f"{measure}_agreement"]
            assert share == pytest.approx(expected.specific_agreement, nan_ok=True)
            assert (share.undefined is None) == (not np.isnan(share))
            assert np.isnan(share) or 0 <= share.low <= share <= share.high <= 1
        uses = [[said is not None and row.code in said for said in line] for line in table]
        of_item = np.array(weights or [1] * len(table))
        assert row.n_uses == (np.array(uses).sum(1) * of_item).sum()
        assert row.n_items == (np.array(uses).any(1) * of_item).sum()


@given(tables(), INCOMPLETE)
def test_all_codes_together(drawn, asked) -> None:
    table, _ = drawn
    result = code_agreement(made(table), NAMES, **asked)
    counted = {"incomplete": "pairable", **asked}
    for name in NAMES:
        each = [af.agreement(of_code(table, code), name, **counted) for code in result.codes]
        defined = [one.value for one in each if one.undefined is None]
        mean = float(np.mean(defined)) if defined else np.nan
        assert result.mean[name] == pytest.approx(mean, nan_ok=True)
        observed = sum(one.observed_disagreement for one in each)
        expected = sum(one.expected_disagreement for one in each)
        pooled = 1 - observed / expected if expected > 0 else np.nan
        assert result.pooled[name] == pytest.approx(pooled, nan_ok=True)
        assert (result.pooled[name].undefined is None) == (not np.isnan(pooled))
        if not result.codes:
            continue
        # Micro is the coefficient of codes times items, which are drawn together.
        given = [
            [None if s is None else c in s for s in row] for c in result.codes for row in table
        ]
        items = list(range(len(table))) * len(result.codes)
        data = made(given, categories=[False, True])
        same(result.micro[name], standard_error(data, name, cluster=items, **counted))


@given(tables())
def test_codes_that_are_alike_have_the_interval_of_one_of_them(drawn) -> None:
    table, weights = drawn
    twice = [
        [None if said is None else frozenset(f"{n}{code}" for n in "12" for code in said & {"a"})
         for said in row]
        for row in table
    ]  # fmt: skip
    result = code_agreement(made(twice, weights), NAMES)
    for row in result:
        for name in NAMES:
            for way in ("mean", "pooled"):
                same(getattr(result, way)[name], row[name])


def test_intervals_of_all_codes_are_those_of_changed_weights() -> None:
    rng = np.random.default_rng(3)
    table = [
        [frozenset("abc"[i] for i in range(3) if rng.random() < 0.4) for _ in range(3)]
        for _ in range(20)
    ]
    many = 10_000

    def value(weights, way):
        result = code_agreement(made(table, weights), ["kappa"])
        return getattr(result, way)["kappa"].value

    once = code_agreement(made(table), ["kappa"])
    for way in ("mean", "pooled"):
        whole = [many] * len(table)
        slopes = []
        for i in range(len(table)):
            more = [n + (i == j) for j, n in enumerate(whole)]
            slopes.append((value(more, way) - value(whole, way)) * many)
        slopes = np.array(slopes) - np.mean(slopes)
        n = len(table)
        error = np.sqrt(n / (n - 1) * (slopes**2).sum())
        assert getattr(once, way)["kappa"].standard_error == pytest.approx(error, rel=1e-2)
        assert getattr(once, way)["kappa"].low < getattr(once, way)["kappa"]


def test_two_coders_as_scikit_learn_has_them() -> None:
    rng = np.random.default_rng(0)
    indicators = rng.random((2, 200, 5)) < rng.random(5) * 0.5
    indicators[1] = np.where(rng.random((200, 5)) < 0.6, indicators[0], indicators[1])
    table = [
        [frozenset(np.flatnonzero(indicators[c, i]).tolist()) for c in range(2)] for i in range(200)
    ]
    result = code_agreement(made(table))
    for code in range(5):
        one, other = indicators[:, :, code]
        assert result.of(code)["kappa"] == pytest.approx(cohen_kappa_score(one, other))
        # The F1 of one coder by the other, whichever is taken for the truth.
        assert result.of(code)["positive_agreement"] == pytest.approx(f1_score(one, other))
    # De Vries et al. 2008: the means of observed and expected agreement.
    observed = (indicators[0] == indicators[1]).mean(0)
    a, b = indicators.mean(1)
    expected = a * b + (1 - a) * (1 - b)
    pooled = (observed.mean() - expected.mean()) / (1 - expected.mean())
    assert result.pooled["kappa"] == pytest.approx(pooled)
    flat = indicators.reshape(2, -1)
    assert result.micro["kappa"] == pytest.approx(cohen_kappa_score(*flat))


def test_many_codes_are_taken_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    table = [
        [frozenset(rng.integers(0, 40, 3).tolist()) if rng.random() < 0.8 else None for _ in "abc"]
        for _ in range(30)
    ]
    whole = code_agreement(made(table)).to_dict()
    monkeypatch.setattr("agreement_fast.diagnostics.codes.ROOM", 300)
    result = code_agreement(made(table))
    np.testing.assert_equal(result.to_dict(), whole)


def test_the_table_names_everything() -> None:
    result = code_agreement(made([({"x"}, {"x"}), ({"x", "y"}, {"y"}), (set(), None)]))
    columns = result.columns()
    assert list(columns)[:6] == ["code", "n_uses", "n_items", "kappa", "kappa_low", "kappa_high"]
    assert columns["code"] == ["x", "y"]
    assert (result.n_items, result.n_coders) == (2, 2)
    # An item that one coder judged "no code" is no agreement, but a judgment of kappa's.
    assert result.of("y").n_uses == 2
    with pytest.raises(UnknownKeyError, match="'z' is not a code; the codes are x, y"):
        result.of("z")
    shown = [line.split() for line in result.to_text().splitlines()]
    assert ["code", "items", "uses", "kappa", "from", "to", "alpha", "from", "to"] in shown
    shares = ("observed", "positive", "negative")
    assert ["code", *(x for share in shares for x in (share, "from", "to"))] in shown
    answer = str(result)
    assert "  2 codes, 2 items with two judgments, 2 coders." in answer
    assert "observed" not in answer


def test_no_code_at_all() -> None:
    result = code_agreement(made([(set(), set()), (set(), None)]))
    assert (len(result), result.codes) == (0, ())
    assert result.pooled["kappa"].undefined == "no code has a value"
    alone = code_agreement(made([({"x"}, None), (None, {"x"})]))
    assert alone[0]["kappa"].undefined.startswith("no pairs")
    assert alone[0]["observed_agreement"].undefined.startswith("no pairs")
    never = code_agreement(made([({"x"}, {"x"}), ({"x"}, {"x"})]))
    assert never[0]["negative_agreement"].undefined.startswith("everybody gave the code")
    assert never[0]["alpha"].undefined.startswith("no variation")


@pytest.mark.parametrize(
    ("table", "options", "said"),
    [
        ([("x", "y")] * 2, {}, "codes are elements of sets, but label 'x' is not a set"),
        ([({"x"}, {"y"})] * 2, {"coefficient": ["kapa"]}, "coefficient 'kapa' is not known"),
        ([({"x"}, {"y"})] * 2, {"coefficient": []}, "coefficient is empty"),
        ([({"x"}, {"y"})] * 2, {"confidence_level": 95}, "confidence_level"),
    ],
)
def test_faults(table, options, said) -> None:
    with pytest.raises(InputError, match=said):
        code_agreement(made(table), **options)
