"""Counts with the marginals of coders: results, and marginals that are impossible."""

import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from strategies import tables

import agreement_fast as af
from agreement_fast.inference import standard_error

pytestmark = pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")

FULL = [["a", "b", None], ["a", "a", "b"], [None, "b", None], ["b", "b", "b"]]
COUNTS = [[1, 1], [2, 1], [0, 1], [0, 3]]
SAID = [[2, 1], [1, 3], [0, 2]]
ALONE = [[0, 0], [0, 1], [0, 0]]


def counted(table):
    """Return a table's counts, and each coder's marginals: overall, and in items judged once."""
    said, alone = (np.zeros((table.n_coders, len(table.order)), int) for _ in range(2))
    for row, weight in zip(table.rows, table.frequencies, strict=True):
        given = [(c, table.order.index(x)) for c, x in enumerate(row) if x is not None]
        for cell in given:
            said[cell] += weight
            alone[cell] += weight * (len(given) == 1)
    return said, alone


@examples(12)
@given(table=tables("words"))
def test_all_that_needs_marginals_is_that_of_the_judgments(table):
    """For every coefficient and its sums, and for both treatments of incomplete items."""
    full = af.Annotations.from_wide(
        table.rows, weights=table.weights, categories=tuple(table.order), coders=table.coders
    )
    said, alone = counted(table)
    data = af.Annotations.from_counts(
        np.array(table.counts).reshape(len(table.rows), -1),
        categories=tuple(table.order),
        weights=table.weights,
        coder_counts=said,
        single_counts=alone,
        coders=table.coders,
    )
    assert data.coders == full.coders
    assert data.coder_marginals().tolist() == full.coder_marginals().tolist()
    for incomplete in ("published", "pairable"):
        for name in ("kappa", "beta", "pi", "alpha", "ac"):
            result, expected = (
                af.agreement(some, name, incomplete=incomplete) for some in (data, full)
            )
            for part in ("value", "observed_disagreement", "expected_disagreement", "undefined"):
                assert repr(getattr(result, part)) == repr(getattr(expected, part))


def test_it_is_what_accumulate_keeps():
    full = af.Annotations.from_wide(FULL, weights=[2, 1, 4, 1])
    kept = af.concat([full], keep_items=False, keep_coders=False)
    data = af.Annotations.from_counts(
        full.to_counts(),
        weights=[2, 1, 4, 1],
        coder_counts=full.coder_marginals(),
        single_counts=4 * np.array(ALONE),
    )
    assert af.concat([data], keep_items=False, keep_coders=False).kept_marginals.keys() == {1, 2}
    for least, marginals in kept.kept_marginals.items():
        assert marginals.dtype == data.kept_marginals[least].dtype == np.int64
        assert (marginals == data.kept_marginals[least]).all()
    twice = af.concat([data, kept], keep_items=False, keep_coders=False)
    assert af.kappa(twice) == af.kappa(full)
    assert twice.n_items == 16


def test_names_of_coders_and_columns():
    """A matrix and a frame name their columns, which may be in another order."""
    pairs = [["a", "b"], ["b", "b"]]
    full = af.Annotations.from_wide(pairs, coders=["ann", "bob"])
    data = af.Annotations.from_counts(full.to_counts(), coder_counts=full.coder_marginals())
    assert data.coders == ("ann", "bob")
    triples = pl.DataFrame({"a": [1, 0], "b": [1, 1], "c": [0, 1]})
    said = pl.DataFrame({"b": [1, 1], "c": [0, 1], "a": [1, 0]})
    for categories in (None, ["no", "yes", "maybe"]):
        turned = af.Annotations.from_counts(
            triples, categories=categories, coder_counts=said, coders=["x", "y"]
        )
        assert turned.coders == ("x", "y")
        assert turned.coder_marginals().tolist() == [[1, 1, 0], [0, 1, 1]]


def test_items_of_weight_0_have_no_judgment_of_their_own():
    data = af.Annotations.from_counts(
        [[1, 0], [1, 1]], weights=[0, 3], coder_counts=[[3, 0], [0, 3]]
    )
    assert af.kappa(data) == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"coder_counts": SAID}, r"1 item has one judgment \(the first is 2\).*single_counts"),
        (
            {"coder_counts": SAID, "single_counts": [[0, 0], [0, 2], [0, 0]]},
            "single_counts adds up to 2 for category 'b', which was used once in items of one",
        ),
        (
            {"coder_counts": [[2, 0], [1, 3], [0, 3]], "single_counts": [[0, 1], [0, 0], [0, 0]]},
            "single_counts has 1 for coder 0, category 'b', and coder_counts has 0",
        ),
        ({"coder_counts": SAID, "single_counts": ALONE[:2]}, "has 2 rows, coder_counts has 3"),
        ({"coder_counts": [[2, 1], [1, 3], [0, 3]]}, "adds up to 7 for category 'b'.*6 times"),
        ({"coder_counts": [[2, 1], [1, 5]]}, "item 1 has 3 judgments.*rows for 2 coders"),
        ({"coder_counts": [[2, 1, 0], [1, 3, 2]]}, "has 3 columns, but there are 2 categories"),
        ({"coder_counts": [[2, 1], [1, -3], [0, 2]]}, "coder_counts has -3 in row 1, column 1"),
        ({"coder_counts": [[2, 1], [1, 2.5], [0, 2]]}, "coder_counts has 2.5 in row 1, column 1"),
        (
            {"coder_counts": pl.DataFrame({"a": [2, 1, 0], "z": [1, 3, 2]})},
            "coder_counts has a column 'z'",
        ),
        ({"coder_counts": SAID, "coders": ["x", "y"]}, "coders has 2 names, the table has 3"),
        ({"coders": ["x", "y", "z"]}, "coders describes coders.*pass coder_counts"),
        ({"single_counts": ALONE}, "single_counts describes coders.*pass coder_counts"),
    ],
)
def test_impossible_marginals(given, message):
    with pytest.raises(ValueError, match=message):
        af.Annotations.from_counts(COUNTS, categories=["a", "b"], **given)


def test_weights_count_in_the_marginals():
    with pytest.raises(
        ValueError, match="adds up to 4 for category 0, which was used 6 times, weights"
    ):
        af.Annotations.from_counts([[2]], weights=[3], coder_counts=[[1], [3]])


def test_analyses_that_need_the_judgments_say_so():
    data = af.Annotations.from_counts([[1, 1], [2, 0]], coder_counts=[[2, 0], [1, 1]])
    for ask in (
        lambda: data.select(coders=[0]),
        lambda: data.contingency_table(0, 1),
        lambda: af.agreement(data, "pi", incomplete="complete"),
        lambda: standard_error(data, "kappa"),
    ):
        with pytest.raises(ValueError, match=r"from_counts.*do not keep"):
            ask()
    with pytest.raises(ValueError, match="or pass coder_counts to from_counts"):
        af.kappa(af.Annotations.from_counts([[1, 1]]))


@pytest.mark.parametrize(
    ("counts", "given", "message"),
    [
        (
            [[1, 1], [1, 1]],
            {"coder_counts": [[2, 2], [0, 0]]},
            "4 judgments of coder 0, more than 2 items: a coder",
        ),
        (
            [[2, 0], [0, 2], [1, 1]],
            {"coder_counts": [[3, 0], [0, 3]]},
            "has 3 for coder 0, category 0, which 2 items have: a coder",
        ),
        (
            [[2, 0], [0, 2], [1, 1]],
            {"coder_counts": [[5, 4], [3, 6]], "weights": [3, 4, 2]},
            None,
        ),
        (
            [[2, 0], [0, 2], [0, 0]],
            {"coder_counts": [[3, 4], [3, 4]], "weights": [3, 4, 2]},
            None,
        ),
        (
            [[2, 0], [1, 1], [0, 0]],
            {"coder_counts": [[8, 0], [2, 4]], "weights": [3, 4, 9]},
            "8 judgments of coder 0, more than 7 items, weights applied",
        ),
        (
            [[2, 0], [1, 0]],
            {"coder_counts": [[2, 0], [1, 0]], "single_counts": [[0, 0], [1, 0]]},
            "2 judgments of coder 0 in items of several judgments, more than 1 such item:",
        ),
    ],
)
def test_coders_who_judge_more_than_there_is(counts, given, message):
    """A coder judged an item twice, or used a label in more items than have it."""
    if message is None:
        counts_of = np.array(counts) * np.array(given["weights"])[:, None]
        assert af.Annotations.from_counts(counts, **given).n_judgments == counts_of.sum()
        return
    with pytest.raises(ValueError, match=message):
        af.Annotations.from_counts(counts, **given)
