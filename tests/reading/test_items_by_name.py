"""A frame's index names the items, and values for items are matched by these names."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import agreement_fast as af
from agreement_fast import bootstrap, compare
from agreement_fast.diagnostics import disagreements, gold_scores, model_agreement
from agreement_fast.inference import standard_error

A = af.Annotations
NAMES = [f"d{i:02}" for i in range(30)]
RNG = np.random.default_rng(3)
RIGHT = pd.Series(RNG.choice(["x", "y", "z"], 30), index=NAMES)
FRAME = pd.DataFrame(
    {
        "ann": RIGHT,
        "bob": RIGHT.where(RNG.random(30) < 0.7, "x"),
        "cid": RIGHT.where(RNG.random(30) < 0.6, "y"),
    }
)
SHUFFLED = RIGHT.sample(frac=1, random_state=1)
COUNTED = RIGHT.reset_index(drop=True)


def test_the_index_of_a_frame_names_the_items() -> None:
    assert list(A.from_wide(FRAME).items) == NAMES
    assert list(A.from_wide(FRAME, items=range(30)).items) == list(range(30))
    assert list(A.from_wide(FRAME[FRAME.ann == "x"]).items) == [
        name for name in NAMES if RIGHT[name] == "x"
    ]
    assert A.from_wide(FRAME.reset_index(drop=True)).items == range(30)
    assert A.from_wide(pl.from_pandas(FRAME)).items == range(30)
    later = FRAME.reset_index(drop=True).iloc[10:]
    assert list(A.from_wide(later).items) == list(range(10, 30))
    counts = pd.DataFrame({"x": [2, 1], "y": [0, 1]}, index=["p", "q"])
    assert list(A.from_counts(counts).items) == ["p", "q"]


def test_an_index_with_two_parts_names_items_by_both() -> None:
    two = FRAME.set_index(pd.MultiIndex.from_arrays([["s", "t"] * 15, NAMES]))
    assert list(A.from_wide(two).items)[:2] == [("s", "d00"), ("t", "d01")]


def test_an_index_that_cannot_name_items_is_refused() -> None:
    twice = pd.concat([FRAME, FRAME.iloc[:1]])
    with pytest.raises(ValueError, match=r"index holds 'd00' twice.*reset_index\(drop=True\)"):
        af.alpha(twice)
    nameless = FRAME.rename(index={"d03": None})
    with pytest.raises(ValueError, match="no name for row 3"):
        af.alpha(nameless)


def test_disputed_items_are_shown_by_name() -> None:
    worst = disagreements(FRAME)[0]
    assert worst.item in NAMES
    assert worst.counts == FRAME.loc[worst.item].value_counts().to_dict()
    assert f"  {worst.item} " in str(disagreements(FRAME))


@pytest.mark.parametrize("given", [SHUFFLED, RIGHT, RIGHT.to_dict(), RIGHT.to_numpy()])
def test_gold_is_found_by_name(given: object) -> None:
    assert gold_scores(FRAME, given).agreement[0] == 1.0


def test_gold_may_leave_items_out() -> None:
    part = SHUFFLED.iloc[:20]
    result = gold_scores(FRAME, part)
    assert result.n_items[:3].tolist() == [20, 20, 20]
    assert result.n_without[:3].tolist() == [10, 10, 10]
    assert result.agreement.tolist() == gold_scores(FRAME, part.to_dict()).agreement.tolist()


def test_a_series_of_other_names_is_refused() -> None:
    with pytest.raises(ValueError, match=r"gold names item 0, which is not.*gold\.to_numpy\(\)"):
        gold_scores(FRAME, COUNTED)
    with pytest.raises(ValueError, match=r"model names item 'd\d\d', which is not in the data"):
        model_agreement(FRAME.to_numpy(), SHUFFLED, n_resamples=40)
    with pytest.raises(ValueError, match="gold names item 'd00' twice"):
        gold_scores(FRAME, pd.concat([RIGHT.iloc[:1], RIGHT]))


def test_a_series_that_only_counts_stands_in_the_order_of_items_that_only_count() -> None:
    table = FRAME.to_numpy()
    assert gold_scores(table, COUNTED).agreement[0] == 1.0
    assert gold_scores(table, COUNTED.sample(frac=1, random_state=1)).agreement[0] == 1.0
    assert gold_scores(table, pl.Series(COUNTED.to_list())).agreement[0] == 1.0


@pytest.mark.parametrize("given", [SHUFFLED, SHUFFLED.to_dict()])
def test_a_model_is_found_by_name(given: object) -> None:
    by_name = model_agreement(FRAME, given, n_resamples=40, rng=1)
    in_order = model_agreement(FRAME, RIGHT.to_list(), n_resamples=40, rng=1)
    assert repr(by_name) == repr(in_order)


def test_documents_are_found_by_name() -> None:
    documents = pd.Series(np.arange(30) // 5, index=NAMES)
    shuffled = documents.sample(frac=1, random_state=2)
    expected = standard_error(FRAME, "alpha", cluster=documents.to_list())
    for given in (documents, shuffled, shuffled.to_dict()):
        assert repr(standard_error(FRAME, "alpha", cluster=given)) == repr(expected)
    drawn = [
        bootstrap(FRAME, "alpha", cluster=given, n_resamples=40, rng=1).replicates.tolist()
        for given in (documents.to_list(), shuffled)
    ]
    assert drawn[0] == drawn[1]
    with pytest.raises(ValueError, match="cluster does not name item 'd00'"):
        standard_error(FRAME, "alpha", cluster=documents.iloc[1:])
    with pytest.raises(ValueError, match="cluster names item 0"):
        standard_error(FRAME, "alpha", cluster=documents.reset_index(drop=True))


def test_frequencies_are_found_by_name() -> None:
    often = pd.Series(np.arange(1, 31), index=NAMES)
    backwards = often.iloc[::-1]
    expected = A.from_wide(FRAME, weights=often.to_list())
    for given in (often, backwards, backwards.to_dict()):
        data = A.from_wide(FRAME, weights=given)
        assert data.weights is not None
        assert expected.weights is not None
        assert data.weights.tolist() == expected.weights.tolist()
    some = A.from_wide(FRAME, weights={"d02": 5}).weights
    assert some is not None
    assert some.tolist() == [1, 1, 5] + [1] * 27
    with pytest.raises(ValueError, match="weights does not name item 'd00'"):
        A.from_wide(FRAME, weights=often.iloc[1:])
    with pytest.raises(ValueError, match="weights names item 'p'"):
        A.from_wide(FRAME, weights={"p": 2})
    table = pd.DataFrame({"x": [2, 1], "y": [0, 1]}, index=["p", "q"])
    counted = A.from_counts(table, weights=pd.Series([3, 4], index=["q", "p"])).weights
    assert counted is not None
    assert counted.tolist() == [4, 3]


LONG = pd.DataFrame(
    {"item": ["p", "p", "q", "q"], "coder": ["a", "b"] * 2, "label": ["x", "x", "x", "y"]},
    index=[7, 8, 9, 10],
)


def _long(weights: object) -> list[int]:
    result = A.from_long(LONG.item, LONG.coder, LONG.label, weights=weights).weights
    assert result is not None
    return [int(weight) for weight in result]


def test_frequencies_of_judgments_share_their_index_or_name_the_items() -> None:
    assert _long(pd.Series([2, 2, 3, 3], index=LONG.index)) == [2, 3]
    assert _long(pd.Series([3, 2], index=["q", "p"])) == [2, 3]
    assert _long(np.array([2, 2, 3, 3])) == [2, 3]
    with pytest.raises(ValueError, match="weights names item 0"):
        _long(pd.Series([2, 2, 3, 3]))


def test_columns_of_judgments_have_one_index() -> None:
    with pytest.raises(ValueError, match="items and labels have different indexes"):
        A.from_long(LONG.item, LONG.coder, LONG.label.iloc[::-1])
    kept = A.from_long(LONG.item, LONG.coder.to_numpy(), LONG.label.to_list())
    assert kept.n_judgments == 4


def test_paired_data_are_found_by_name() -> None:
    new = FRAME.assign(bob=RIGHT.where(RNG.random(30) < 0.9, "z"))
    other = new.sample(frac=1, random_state=4)
    draws = {"n_resamples": 50, "rng": 1, "method": "percentile"}
    expected, reordered = (compare(FRAME, one, paired=True, **draws) for one in (new, other))
    assert reordered.replicates.tolist() == expected.replicates.tolist()
    expected, reordered = (compare(FRAME, one, paired=True) for one in (new, other))
    assert (reordered.low, reordered.high) == (expected.low, expected.high)
    with pytest.raises(ValueError, match="item 'd00' is in the first only"):
        compare(FRAME, new.iloc[1:], paired=True)
    with pytest.raises(ValueError, match="item 'd00' is in the first only"):
        compare(FRAME, new.to_numpy(), paired=True)
