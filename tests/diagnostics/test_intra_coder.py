"""The same coder twice."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import agreement_fast as af
from agreement_fast import diagnostics, inference


def rounds(n=30, n_coders=3, seed=1, n_rounds=2):
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 3, n)
    rows = [
        (i, f"c{c}", r, int(true[i]) if rng.random() < 0.9 - 0.15 * c else int(rng.integers(0, 3)))
        for r in range(n_rounds) for c in range(n_coders) for i in range(n)
        if rng.random() < 0.9
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["item", "coder", "round", "label"])


@pytest.mark.parametrize("coefficient", ["alpha", "kappa"])
@pytest.mark.parametrize("distance", ["nominal", "interval"])
def test_a_coders_rounds_are_coders(coefficient, distance):
    if (coefficient, distance) == ("kappa", "interval"):
        coefficient = "beta"
    frame = rounds()
    result = diagnostics.intra_coder_agreement(
        frame, round="round", coefficient=coefficient, distance=distance
    )
    for c, name in enumerate(result.coders):
        mine = frame[frame.coder == name]
        wide = mine.pivot(index="item", columns="round", values="label").dropna()
        data = af.Annotations.from_wide(wide.to_numpy(), coders=[0, 1], categories=[0, 1, 2])
        expected = inference.standard_error(data, coefficient, distance=distance)
        assert result.value[c] == pytest.approx(expected.value)
        assert (result.low[c], result.high[c]) == pytest.approx((expected.low, expected.high))
        assert result.same[c] == np.mean(wide[0] == wide[1])
        assert result.n_items[c] == len(wide)
        assert result.n_once[c] == mine.item.nunique() - len(wide)
    t = stats.t.interval(0.95, 2, result.value.mean(), stats.sem(result.value))
    assert (result.mean_low, result.mean_high) == pytest.approx((max(t[0], -1), min(t[1], 1)))
    assert -1 <= result.mean_low < result.mean < result.mean_high <= 1
    assert result.mean == pytest.approx(result.value.mean())


def test_between_coders_the_first_judgments_count():
    frame = rounds(seed=4)
    result = diagnostics.intra_coder_agreement(frame, round="round")
    first = frame.sort_values("round").drop_duplicates(["item", "coder"])
    data = af.Annotations.from_frame(first, item="item", coder="coder", label="label")
    assert result.between == pytest.approx(af.alpha(data).value)
    assert result.between.low < result.between < result.between.high
    shuffled = frame.sample(frac=1, random_state=3)
    again = diagnostics.intra_coder_agreement(shuffled, round="round")
    assert again.between == result.between
    assert again.value.tolist() == result.value.tolist()
    alone = diagnostics.intra_coder_agreement(frame[frame.coder == "c0"], round="round")
    assert alone.between is None


@pytest.mark.parametrize(
    "names", [("T2", "T10"), ("2024-02-01", "2024-10-01"), ("02.01.2024", "31.10.2023")[::-1]]
)
def test_rounds_named_by_counters_and_dates_are_in_their_order(names):
    frame = rounds(seed=4)
    expected = diagnostics.intra_coder_agreement(frame, round="round")
    named = frame.assign(round=[names[i] for i in frame["round"]])
    result = diagnostics.intra_coder_agreement(named, round="round")
    assert result.between == expected.between
    assert result.value.tolist() == expected.value.tolist()


def test_rounds_named_by_words_are_refused_unless_their_order_is_declared():
    frame = rounds(seed=4)
    expected = diagnostics.intra_coder_agreement(frame, round="round").between
    named = frame.assign(session=[("pre", "post")[i] for i in frame["round"]])
    with pytest.raises(
        ValueError, match="round='session' has rounds without an order: nothing"
    ) as e:
        diagnostics.intra_coder_agreement(named, round="session")
    remedy = str(e.value).partition("as in ")[2]
    assert remedy == "frame['session'] = frame['session'].map({'pre': 1, 'post': 2})"
    order = pd.Categorical(named.session, ["pre", "post"], ordered=True)
    for column in (named.session.map({"pre": 1, "post": 2}), order):
        result = diagnostics.intra_coder_agreement(named.assign(session=column), round="session")
        assert result.between == expected
    ambiguous = named.assign(session=named.session.map({"pre": "02.01.2024", "post": "03.02.2024"}))
    with pytest.raises(ValueError, match="write dates as 2024-01-31, or number the rounds"):
        diagnostics.intra_coder_agreement(ambiguous, round="session")
    alone = named[named.coder == "c0"]  # nothing depends on which round is the first
    assert diagnostics.intra_coder_agreement(alone, round="session").between is None


def test_without_rounds_the_order_of_the_rows_counts():
    frame = rounds(seed=5, n_rounds=3)
    result = diagnostics.intra_coder_agreement(frame.drop(columns="round"))
    numbered = frame.assign(round=frame.groupby(["item", "coder"]).cumcount())
    runs = diagnostics.intra_coder_agreement(numbered, round="round")
    assert result.value.tolist() == runs.value.tolist()
    assert result.n_rounds.tolist() == [3, 3, 3]
    assert "mean" in repr(result)
    shown = result.to_text().partition("\n\n")[2].splitlines()
    assert shown[1].strip().startswith(result.coders[int(np.argmin(result.value))])


def test_missing_labels_are_no_judgments():
    frame = pd.DataFrame(
        {"item": [1, 1, 2, 2, 3, 3], "coder": ["a"] * 6, "label": ["x", "x", "y", "?", "y", "y"]}
    )
    result = diagnostics.intra_coder_agreement(frame, missing="?")
    assert (result.n_items.tolist(), result.n_once.tolist()) == ([2], [1])
    assert math.isnan(result.mean_low)


def test_what_cannot_be_compared_is_refused():
    frame = rounds()
    with pytest.raises(ValueError, match="'c0' judged item 0 twice in round 0"):
        diagnostics.intra_coder_agreement(frame.assign(round=0, item=0), round="round")
    with pytest.raises(ValueError, match="no coder judged an item twice"):
        diagnostics.intra_coder_agreement(frame[frame["round"] == 0])
    with pytest.raises(ValueError, match="round='session' is not a column"):
        diagnostics.intra_coder_agreement(frame, round="session")


def test_the_error_on_repeated_judgments_names_it():
    with pytest.raises(ValueError, match=r"diagnostics\.intra_coder_agreement compares them"):
        af.Annotations.from_long([1, 1], ["a", "a"], ["x", "y"])
