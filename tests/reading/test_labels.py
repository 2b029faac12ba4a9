"""Numbering ids and labels of any kind."""

import datetime
import unicodedata
from typing import Any

import numpy as np
import pandas as pd
import pytest

import agreement_fast as af
from agreement_fast.present import terminal as text

A = af.Annotations


@pytest.mark.parametrize("dtype", [">i2", ">i4", ">i8", ">u4", ">f8", "<i4", ">U3", ">M8[s]"])
def test_ids_of_either_byte_order(dtype: str) -> None:
    ids = np.arange(10).astype("M8[s]" if "M" in dtype else dtype).astype(dtype)
    data = A.from_long(ids, [0] * 10, ["a"] * 10)
    assert list(data.items) == list(ids)
    assert A.from_long([0] * 10, ids, ["a"] * 10).n_coders == 10


def test_padding_of_long_doubles_does_not_change_ids() -> None:
    ids = np.array([1, 2, 1, 2], np.longdouble)
    size = np.longdouble().itemsize
    padding = ids.view(np.uint8).reshape(4, size)
    if (padding[:, 10:] == 0).all() and size > 10:  # 80 bits in 16 bytes
        padding[:, 10:] = np.arange(4)[:, None]
    assert (ids == [1, 2, 1, 2]).all()
    data = A.from_long(ids, [0, 0, 1, 1], ["a", "a", "a", "b"])
    assert [float(name) for name in data.items] == [1.0, 2.0]
    third = np.longdouble(1) / 3
    near = A.from_long(np.array([third, np.float64(third)]), [0, 0], ["a", "b"])
    assert near.n_items == 1 + (np.longdouble(np.float64(third)) != third)


@pytest.mark.parametrize(
    "ids",
    [
        np.array(["2020-01-01", "NaT"], "M8[D]"),
        np.array([5, "NaT"], "m8[s]"),
        pd.to_datetime(pd.Series(["2020-01-01", None])),
        [datetime.date(2020, 1, 1), pd.NaT],
        pd.Series([1.0, np.nan]),
        np.array([1.0, np.nan], np.longdouble),
        ["a", None],
    ],
)
def test_a_judgment_of_no_item_is_refused(ids: Any) -> None:
    with pytest.raises(ValueError, match="judgment 1 has no item"):
        A.from_long(ids, ["a", "b"], ["x", "y"])
    with pytest.raises(ValueError, match="judgment 1 has no coder"):
        A.from_long(["a", "b"], ids, ["x", "y"])


def test_ids_that_are_bytes_or_floats() -> None:
    data = A.from_long(np.array([b"p", b"q", b"p"]), [0.5, 0.5, 1.5], ["x", "y", "x"])
    assert [bytes(name) for name in data.items] == [b"p", b"q"]
    assert data.coders == (0.5, 1.5)
    assert A.from_long(np.array([0.0, -0.0, 1.0]), [0, 1, 2], ["x"] * 3).n_items == 2


def test_showing_a_label_looks_at_each_character_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = 0

    def width(character: str) -> str:
        nonlocal seen
        seen += 1
        return unicodedata.east_asian_width(character)

    class Counted:
        east_asian_width = staticmethod(width)
        combining = staticmethod(unicodedata.combining)

    monkeypatch.setattr(text, "unicodedata", Counted)
    assert text.show_label("x" * 2000) == "x" * 31 + "…"
    assert text.show_label("a\u0301" * 2000) == "a\u0301" * 31 + "…"
    assert seen < 3 * 6000


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (["yes", "Yes", "no", "no "], "'Yes' = 'yes'; 'no' = 'no '.*merge_categories"),
        ([1, "1", 2, 2], "1 = '1'"),
        ([0.3, 0.1 + 0.2, 1.0, 1.0], "0.3 = 0.30000000000000004"),
        (["a", "b", "a|b", "c"], r"look like sets.*set_separator='\|'"),
        (["CAUSES", "CAUSES; SIDE_EFFECT", "SIDE_EFFECT", "OTHER"], "set_separator=';'"),
    ],
)
def test_labels_that_may_be_meant_otherwise_are_pointed_out(said: list[Any], message: str) -> None:
    rows = [said, said[::-1]]
    with pytest.warns(af.LabelHint, match=message) as caught:
        A.from_wide(np.array(rows, object).T)
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(af.LabelHint, match=message) as caught:
        A.from_long([0, 1, 2, 3], [0] * 4, said)
    assert [warning.filename for warning in caught] == [__file__]
    with pytest.warns(af.LabelHint, match=message) as caught:
        af.alpha(np.array(rows, object).T)
    assert [warning.filename for warning in caught] == [__file__]
    A.from_long([0, 1, 2, 3], [0] * 4, said, categories=list(dict.fromkeys(said)))


def test_many_numbers_are_looked_at_when_they_are_counted() -> None:
    table = np.random.default_rng(1).integers(0, 500, (3000, 2)) / 10
    table[0] = [0.3, 0.1 + 0.2]
    data = A.from_wide(table)
    assert data.uncounted
    af.alpha(data, "interval")
    with pytest.warns(af.LabelHint, match=r"0\.3 = 0\.30000000000000004"):
        af.alpha(data)


def test_sets_that_were_split_give_no_hint() -> None:
    data = A.from_long([0, 1, 2], [0] * 3, ["a", "a|b", "b"], set_separator="|")
    assert data.categories == (frozenset("a"), frozenset("ab"), frozenset("b"))


def test_columns_of_sets_are_recognised_by_their_elements(tmp_path):
    """With the mark between the elements, in memory and in a file; notes share no element."""
    columns = {
        "segment": [*range(12)],
        "anna": ["fear", "trust;fear", "trust", "trust;fear"] * 3,
        "ben": ["fear;trust", "fear;joy", "fear;trust", "joy"] * 3,
    }
    sets = {name: [frozenset(x.split(";")) for x in columns[name]] for name in ("anna", "ben")}
    expected = A.from_wide(sets, coders=["anna", "ben"])
    frame = pd.DataFrame(columns)
    frame.to_csv(tmp_path / "codes.csv", index=False)
    with pytest.warns(af.errors.ReadHint, match="column 'segment'"):
        read = af.read(tmp_path / "codes.csv", set_separator=";")
    for data in (A.from_wide(frame, set_separator=";"), read):
        assert data.coders == ("anna", "ben")
        assert af.alpha(data, "masi") == af.alpha(expected, "masi")
    frame["extra"] = [f"see page {i}; unclear" for i in range(12)]
    with pytest.raises(
        ValueError, match=r"'extra' looks like the item .* write .*coders=\['anna', 'ben'\]"
    ):
        A.from_wide(frame, set_separator=";")


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, tuple])
def test_labels_of_one_coder_are_compared_with_gold(kind):
    labels, gold = ["x", "y", "x", "y"], ["x", "y", "y", "y"]
    scores = af.diagnostics.gold_scores(kind(labels), kind(gold))
    expected = af.diagnostics.gold_scores([[label] for label in labels], gold)
    assert scores.agreement.tolist() == expected.agreement.tolist() == [0.75, 0.75]
