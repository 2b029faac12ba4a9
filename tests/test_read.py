"""What was read is said on results, without the caller's data; notes on values below chance."""

import gc
import pickle
import weakref

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import agreement_fast as af

A = af.Annotations
LONG = pd.DataFrame({"id": [1, 1, 2, 2], "coder": list("abab"), "label": list("xxyx")})


def test_the_layout_and_the_coders_are_said():
    result = af.alpha(A.from_wide([["x", "x"], ["x", "y"]], coders=["Ann", "Bea"])).read
    assert (result.layout, result.coders, result.n_items) == ("wide", ("Ann", "Bea"), 2)
    assert (result.guessed, result.left_out, result.call) == ((), (), {})
    assert repr(result).splitlines() == [
        "read      wide",
        "items     2",
        "coders    2 coders: Ann, Bea",
    ]
    assert af.alpha(A.from_counts([[2, 0], [1, 1]])).read.coders is None
    weighted = A.from_long([1, 1, 2], list("aba"), list("xxy"), weights={1: 5})
    assert af.observed_agreement(weighted).read.n_items == 6
    assert af.agreement_table([[1, 2], [2, 2]]).read.layout == "wide"


@pytest.mark.parametrize(
    "to",
    [pd.DataFrame, lambda f: duckdb.from_arrow(pa.Table.from_pandas(f))],
    ids=["pandas", "duckdb"],
)
def test_guessed_columns_are_said_and_the_call_names_them(to):
    data = A.from_frame(to(LONG))
    result = af.alpha(data).read
    assert result.layout == "long"
    assert result.guessed == tuple(
        (role, name, "its name")
        for role, name in (("item", "id"), ("coder", "coder"), ("label", "label"))
    )
    assert result.call == {"item": "id", "coder": "coder", "label": "label"}
    again = A.from_frame(to(LONG), **result.call)
    assert again.read.guessed == ()
    assert af.alpha(again) == af.alpha(data)
    assert result.to_dict()["keyword"] == ["item", "coder", "label"]
    assert result.to_dict()["reason"] == ["its name"] * 3


@pytest.mark.parametrize("read", [af.alpha, A.from_wide], ids=["alpha", "from_wide"])
def test_the_call_pins_a_wide_table(read):
    """Other values, of which none is like the first, are read in the same way or not at all."""
    first = pd.DataFrame({"id": [7, 8, 9, 10], "ann": list("abab"), "bob": list("abbb")})
    other = pd.DataFrame({"id": [1, 1, 2, 3], "ann": [1, 2, 3, 4], "bob": [800, 900, 900, 750]})
    with pytest.raises(ValueError, match="bob"):
        read(other)
    call = read(first).read.call
    names = ("items", "coders") if read is A.from_wide else ("item", "coder")
    assert {name: call[name] for name in names} == {names[0]: "id", names[1]: ("ann", "bob")}
    again = read(first, **call).read
    assert (again.guessed, again.call) == ((), {**call, names[1]: again.call[names[1]]})
    with pytest.raises(ValueError, match="names 1 twice"):
        read(other, **call)
    assert read(other.assign(id=[1, 2, 3, 4]), **call).read.coders == ("ann", "bob")


def test_rows_without_names_are_pinned_by_their_layout():
    square = [[2, 0, 1], [0, 3, 0], [1, 1, 2]]
    with pytest.raises(ValueError, match="layout"):
        af.alpha(square)
    call = af.alpha([["x", "y"], ["x", "x"], ["y", "y"]]).read.call
    assert call == {"layout": "wide"}
    assert af.alpha(square, **call) == af.alpha(A.from_wide(square))


def test_columns_that_are_no_coder_that_was_named_are_left_out():
    data = pd.DataFrame({"id": [1, 2], "ann": list("ab"), "bob": list("bb"), "topic": list("tu")})
    for read in (
        af.alpha(data, item="id", coder=["ann", "bob"]).read,
        A.from_wide(data, items="id", coders=["ann", "bob"]).read,
    ):
        assert read.left_out == (("topic", "not named as a coder"),)
    assert "topic: not named as a coder" in repr(read)


def test_judgments_that_were_left_out_are_said():
    data = A.from_long([1, 1, 1, 2], list("aaba"), list("xyxx"), duplicates="last")
    assert data.read.left_out == (("1 judgment", "a coder's further judgments of an item"),)
    assert data.merge_categories({"y": "x"}).read == data.read


def test_a_result_holds_no_data_of_the_caller():
    table = np.array([[1, 2], [2, 2], [1, 1]])
    data = A.from_wide(table)
    results = [af.alpha(data), af.observed_agreement(data), *af.agreement_table(data)]
    held = weakref.ref(data)
    of_table = weakref.ref(table)
    del data, table
    gc.collect()
    assert held() is None
    assert of_table() is None
    assert all(result.read.layout == "wide" for result in results)
    assert pickle.loads(pickle.dumps(results[0])).read == results[0].read


def test_a_read_is_no_column_of_a_result():
    assert "origin" not in af.alpha([[1, 1], [1, 2]]).to_dict()


# ---------------------------------------------------------------------- below chance


def test_values_clearly_below_chance_have_a_note():
    # D_o = 1; with n items, D_e = (2n · 2n / 2) / (2n (2n − 1)) = n / (2n − 1).
    opposite = af.alpha([["x", "y"], ["y", "x"]] * 20)
    assert opposite == pytest.approx(1 - 79 / 40)
    assert "alpha is -0.9750, clearly below chance. Is the table what it was taken" in opposite.note
    assert repr(opposite).endswith("clearly below chance: see .note>")
    assert af.alpha([["x", "x"], ["y", "y"], ["x", "y"]]).note is None


def test_values_below_minus_one_have_a_note():
    # 2,000 items judged once, 5 twice: D_o = 1; half of the labels of 5 items of 2,005 are y.
    result = af.pi(["x"] * 2005, [None] * 2000 + ["y"] * 5)
    assert result == pytest.approx(1 - 2005**2 / (2 * 2.5 * 2002.5))
    assert result < -1
    assert result.note is not None


@pytest.mark.filterwarnings("ignore:each of the 4 rows adds to")
@pytest.mark.parametrize("n_items", [4, 20, 100])
def test_chance_alone_hardly_ever_has_a_note(n_items):
    rng = np.random.default_rng(n_items)
    tables = rng.integers(0, 3, (300, n_items, 2))
    assert sum(af.alpha(table).note is not None for table in tables) <= 9


def test_a_report_remarks_on_values_clearly_below_chance():
    from agreement_fast import report

    result = report([["x", "y"], ["y", "x"]] * 20)
    kinds = [remark.kind for remark in result.remarks]
    assert kinds[0] == "below"
    assert "clearly below chance" in " ".join(str(result).split())


# ---------------------------------------------------------------------- two coders

FIRST, SECOND = list("xxyyxy"), list("xyyyxx")
FRAME = pd.DataFrame({"a": FIRST, "b": SECOND})


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (iter(FIRST), iter(SECOND)),
        ((x for x in FIRST), SECOND),
        (dict(enumerate(FIRST)), dict(reversed([*enumerate(SECOND)]))),
        (FRAME[["a"]], FRAME[["b"]]),
        (FRAME[["a"]], FRAME[["b"]][::-1]),
        (pl.from_pandas(FRAME)[["a"]], pl.from_pandas(FRAME)[["b"]]),
        (pa.Table.from_pandas(FRAME).select(["a"]), FRAME["b"]),
    ],
    ids=["iterators", "generator", "mappings", "pandas", "another order", "polars", "arrow"],
)
def test_labels_of_two_coders_in_other_forms(first, second):
    # A_o = 4/6; both said x and y three times: A_e = 1/2.
    assert af.kappa(first, second) == pytest.approx((4 / 6 - 1 / 2) / (1 / 2))


def test_mappings_of_other_items_are_refused():
    with pytest.raises(af.AgreementError, match="name different items: 2 is in one of them"):
        af.kappa({1: "x", 2: "y"}, {1: "x"})
    with pytest.raises(TypeError, match="a mapping from items, the other's are list"):
        af.kappa({1: "x"}, ["x"])


def test_rows_with_a_single_one_are_no_counts():
    """Two coders who always differ about 0 and 1; a sum of 1 is no number of raters."""
    assert af.alpha([[1, 0], [0, 1], [1, 0]]) < 0
