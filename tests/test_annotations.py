"""Annotations: what goes in in any form comes out in any other, and nothing changes afterwards.

The same judgments are handed over in every form that is understood and compared by what they show:
names, categories, and the label of each coder on each item. Errors are compared by what they must
name: the value, its place and the remedy.
"""

import collections
import datetime
import gc
import itertools
import math
import re
import time
import warnings
from collections import Counter
from fractions import Fraction
from typing import NamedTuple

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from layouts import laid_out
from strategies import Table, seeded, tables
from test_against_reference import wide

import agreement_fast as af
from agreement_fast.patterns import Rows

A = af.Annotations

# Most tables here are a row or two: wider than long, as no real one is.
pytestmark = pytest.mark.filterwarnings("ignore::agreement_fast.ShapeHint")

ROWS = [[1, 2, 1], [2, 2, None], [None, 3, 3], [1, 1, 2]]
WORDS = [["b", "a", "b"], ["a", "a", None], [None, "c", "c"], ["b", "b", "a"]]
HEAVY = 10**15


def shown(data):
    """All that annotations show of themselves."""
    return {
        "items": [x.item() if isinstance(x, np.generic) else x for x in data.items],
        "coders": data.coders,
        "categories": data.categories,
        "declared": data.declared,
        "labels": data.to_wide().tolist(),
        "weights": None if data.weights is None else data.weights.tolist(),
        "missing": data.missing_judgments,
        "counts": (data.n_rows, data.n_items, data.n_coders, data.n_judgments),
    }


def assert_same_judgments(result, expected, skip=()):
    """Compare two annotations by all that they show."""
    here, there = shown(result), shown(expected)
    for what in skip:
        here.pop(what)
        there.pop(what)
    assert here == there
    assert [type(x) for x in result.categories] == [type(x) for x in expected.categories]


# ---------------------------------------------------------------- wide tables of every kind


def masked(rows, dtype):
    """A masked array of rows, None masked."""
    gaps = [[x is None for x in row] for row in rows]
    filler = next(x for row in rows for x in row if x is not None)
    filled = [[filler if x is None else x for x in row] for row in rows]
    return np.ma.masked_array(np.array(filled, dtype=dtype), gaps)


def nan(rows):
    """The rows with NaN for None."""
    return [[np.nan if x is None else x for x in row] for row in rows]


NUMBERS = {
    "lists": lambda: ROWS,
    "tuples": lambda: tuple(map(tuple, ROWS)),
    "a generator": lambda: (tuple(row) for row in ROWS),
    "rows of arrays": lambda: [np.array(row, object) for row in ROWS],
    "lists of floats": lambda: [[x if x is None else float(x) for x in row] for row in ROWS],
    "lists of numpy": lambda: [[x if x is None else np.int16(x) for x in row] for row in ROWS],
    "float64": lambda: np.array(nan(ROWS)),
    "float32": lambda: np.array(nan(ROWS), np.float32),
    "float16": lambda: np.array(nan(ROWS), np.float16),
    "longdouble": lambda: np.array(nan(ROWS), np.longdouble),
    "objects": lambda: np.array(ROWS, object),
    "objects with NaN": lambda: np.array(nan(ROWS), object),
    "masked int8": lambda: masked(ROWS, np.int8),
    "masked float": lambda: masked(ROWS, float),
    "masked uint64": lambda: masked(ROWS, np.uint64),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_of_every_kind_are_the_same_labels(kind):
    """Lists, arrays of all types, masked arrays: 1, 1.0 and np.int16(1) are one label, 1."""
    expected = A.from_wide(ROWS)
    assert expected.categories == (1, 2, 3)
    assert expected.to_wide().tolist() == ROWS
    assert_same_judgments(A.from_wide(NUMBERS[kind]()), expected)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"])
@pytest.mark.parametrize("missing", [9, [9], (9, 77), np.array([9]), 9.0])
def test_integers_name_what_is_missing(dtype, missing):
    """Arrays without a value for missing say which label means it."""
    array = np.array([[9 if x is None else x for x in row] for row in ROWS], dtype)
    assert_same_judgments(A.from_wide(array, missing=missing), A.from_wide(ROWS))
    assert_same_judgments(A.from_wide(array.tolist(), missing=missing), A.from_wide(ROWS))


TEXTS = {
    "lists": lambda: WORDS,
    "objects": lambda: np.array(WORDS, object),
    "str": lambda: np.array([["?" if x is None else x for x in row] for row in WORDS]),
    "wide str": lambda: np.array([["?" if x is None else x for x in row] for row in WORDS], "U99"),
    "masked str": lambda: masked(WORDS, "U1"),
    "numpy strings in lists": lambda: [
        [x if x is None else np.str_(x) for x in row] for row in WORDS
    ],
}
if hasattr(np.dtypes, "StringDType"):
    TEXTS["StringDType"] = lambda: np.array(
        [["?" if x is None else x for x in row] for row in WORDS], np.dtypes.StringDType()
    )


@pytest.mark.parametrize("kind", TEXTS)
def test_texts_of_every_kind_are_the_same_labels(kind):
    """Python's and numpy's strings, of fixed width or not."""
    assert_same_judgments(A.from_wide(TEXTS[kind](), missing="?"), A.from_wide(WORDS))


@pytest.mark.parametrize("order", ["C", "F"])
def test_booleans_are_labels(order):
    """False and True stay what they are."""
    rows = [[True, False], [False, False], [True, True]]
    data = A.from_wide(np.array(rows, order=order))
    assert data.categories == (False, True)
    assert [type(x) for x in data.categories] == [bool, bool]
    assert data.to_wide().tolist() == rows
    assert A.from_wide([[True, False]] * 3).categories == (False, True)
    assert A.from_wide(np.ones((3, 2), bool)).categories == (True,)


@pytest.mark.parametrize("unit", ["D", "s", "ns"])
def test_dates_of_numpy_are_labels_and_not_a_time_is_missing(unit):
    """datetime64 and timedelta64, sorted."""
    days = np.array([["2024-05-02", "2024-05-01"], ["NaT", "2024-05-02"]], f"datetime64[{unit}]")
    data = A.from_wide(days)
    assert data.n_judgments == 3
    assert len(data.categories) == 2
    assert data.categories[0] < data.categories[1]
    assert data.to_counts().tolist() == [[1, 1], [0, 1]]
    spans = A.from_wide(days - days[0, 1])
    assert spans.to_counts().tolist() == [[1, 1], [0, 1]]


def test_labels_may_be_any_objects_that_can_be_hashed():
    """Dates, tuples, frozensets, fractions, bytes; those that do not sort stand as they come."""
    day = datetime.date(2024, 5, 1)
    half = Fraction(1, 2)
    for labels in (
        [day, day + datetime.timedelta(1)],
        [(1, "a"), (2, "b")],
        [b"a", b"b"],
        [half, 1],
    ):
        data = A.from_wide([[labels[1], labels[0]], [labels[0], labels[0]]])
        assert data.categories == tuple(labels)
    sets = [frozenset("ab"), frozenset("b")]
    assert A.from_wide([sets, sets]).categories == tuple(sets)
    assert A.from_wide([["b", 1], ["a", 1]]).categories == ("b", 1, "a")


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_empty_tables_are_tables(shape):
    """No items, or no coders: nothing is judged."""
    data = A.from_wide(np.zeros(shape, np.int8))
    assert (data.n_items, data.n_coders, data.n_judgments, data.categories) == (*shape, 0, ())
    assert data.to_wide().shape == shape
    assert data.to_counts().shape == (shape[0], 0)
    assert af.alpha(data).undefined.startswith("no pairs:")


# ---------------------------------------------------------------- data frames

FRAMES = {
    "pandas": lambda columns: pd.DataFrame(columns),
    "pandas nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow"),
    "pandas objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "pyarrow": lambda columns: pa.table(columns),
    "narwhals": lambda columns: nw.from_native(pl.DataFrame(columns, strict=False)),
    "narwhals of pandas": lambda columns: nw.from_native(pd.DataFrame(columns)),
}


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("rows", [ROWS, WORDS], ids=["numbers", "texts"])
def test_data_frames_of_every_library_are_the_same_tables(library, rows):
    """Columns are coders, named by the column; nulls are missing."""
    columns = {name: [row[i] for row in rows] for i, name in enumerate("xyz")}
    result = A.from_wide(FRAMES[library](columns))
    assert_same_judgments(result, A.from_wide(rows, coders=["x", "y", "z"]))


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize("rows", [ROWS, WORDS], ids=["numbers", "texts"])
def test_data_frames_of_every_library_are_the_same_judgments(library, rows):
    """One judgment per row: integers or texts for items, coders and labels, with null labels."""
    flat = [(f"i{i}", c, x) for i, row in enumerate(rows) for c, x in enumerate(row)]
    columns = dict(zip(("id", "who", "say"), map(list, zip(*flat, strict=True)), strict=True))
    frame = FRAMES[library](columns)
    expected = A.from_wide(rows, items=[f"i{i}" for i in range(4)])
    result = A.from_frame(frame, item="id", coder="who", label="say")
    assert_same_judgments(result, expected)
    series = [frame[name] for name in columns]
    assert_same_judgments(A.from_long(*series), expected)
    assert_same_judgments(A.from_long(*columns.values()), expected)
    triples = zip(columns["who"], columns["id"], columns["say"], strict=True)
    assert_same_judgments(A.from_triples(triples), expected)
    weighted = A.from_long(*series, weights=[3] * 12)
    assert weighted.n_items == 12


class Triple(NamedTuple):
    """A judgment as people write it."""

    coder: object
    item: object
    label: object


def as_object_array(triple):
    """A triple as an array: neither tuple nor list, and no sequence."""
    out = np.empty(3, object)
    out[:] = triple
    return out


FORMS_OF_TRIPLES = {
    "tuples": tuple,
    "lists": list,
    "namedtuples": lambda triple: Triple(*triple),
    "deques": collections.deque,
    "arrays": as_object_array,
}

COLUMNS_OF_TRIPLES = {
    "none": ([], [], [], {}),
    "text": (["a", "b", "a"], ["i", "i", "j"], ["y", "x", "x"], {}),
    "numbers": ([1, 1.0, True, 2], [3, 4, 5, 3.0], [1.0, 2.0, math.nan, 1], {}),
    "numpy": (
        [np.int64(2), 1, np.str_("a")], [np.float32(1), 1, np.int8(2)],
        [np.bool_(True), 1, np.float64(0)], {},
    ),
    "missing": (["a", "b", "c"], ["i", "i", "i"], ["x", "?", None], {"missing": ["?", "!"]}),
    "declared": (["a", "b"], ["i", "i"], ["y", "x"], {"categories": ["x", "y", "z"]}),
    "sets": (["a", "b"], ["i", "i"], [{1, 2}, [2, 1]], {}),
    "text of sets": (["a", "b"], ["i", "i"], ["x|y", "y|x"], {"set_separator": "|"}),
    "first": (["a", "a", "b"], ["i", "i", "i"], ["x", "y", "z"], {"duplicates": "first"}),
    "last": (["a", "a", "b"], ["i", "i", "i"], ["x", "y", "z"], {"duplicates": "last"}),
    "weights": (["a", "b", "a"], ["i", "i", "j"], ["x", "x", "y"], {"weights": [2, 2, 5]}),
    "masked": (["a", "b"], ["i", "i"], [np.ma.masked, "x"], {}),
    "many": (
        [f"c{i % 3}" for i in range(300)], [i // 3 for i in range(300)],
        [i * i % 7 for i in range(300)], {},
    ),
    "lists of items": (
        [f"c{i}" for i in range(600)], [i // 2 for i in range(600)], [i % 5 for i in range(600)], {}
    ),
    "no item": (["a", "b"], ["i", None], ["x", "x"], {}),
    "no coder": (["a", math.nan], ["i", "j"], ["x", "x"], {}),
    "item without hash": (["a", "b"], ["i", ["j"]], ["x", "x"], {}),
    "coder without hash": (["a", {}], ["i", "j"], ["x", "x"], {}),
    "label without hash": (["a", "b"], ["i", "j"], ["x", {}], {}),
    "repeated": (["a", "a", "b"], ["i", "i", "i"], ["x", "x", "x"], {}),
    "undeclared": (["a", "b"], ["i", "i"], ["x", "y"], {"categories": ["x"]}),
}  # fmt: skip


def read_or_error(read):
    """What is read, or the error and its sentence."""
    try:
        return read()
    except (TypeError, ValueError) as error:
        return type(error), str(error)


@pytest.mark.few
@pytest.mark.parametrize("case", COLUMNS_OF_TRIPLES)
@pytest.mark.parametrize("form", FORMS_OF_TRIPLES)
def test_triples_are_their_columns(form, case):
    """Triples of any kind, in a list or not, give what their columns give, errors included."""
    coders, items, labels, options = COLUMNS_OF_TRIPLES[case]
    expected = read_or_error(lambda: A.from_long(items, coders, labels, **options))
    triples = list(map(FORMS_OF_TRIPLES[form], zip(coders, items, labels, strict=True)))
    for some in (triples, tuple(triples), iter(triples)):
        result = read_or_error(lambda some=some: A.from_triples(some, **options))
        if isinstance(expected, A):
            assert_same_judgments(result, expected)
        else:
            assert result == expected


@pytest.mark.parametrize(
    ("bad", "shown"), [(("c", "j"), "('c', 'j')"), (5, "5"), ([1, 2, 3, 4], "[1, 2, 3, 4]")]
)
def test_a_bad_triple_is_named_before_other_faults(bad, shown):
    """With its place, for any content of the others."""
    triples = [("c", {}, "x"), bad, ("c", None, "x")]
    with pytest.raises(ValueError, match="^" + re.escape(f"triple 1 is {shown}: each must be")):
        A.from_triples(triples)


def test_reading_triples_does_not_wake_the_garbage_collector():
    """It would look at every triple, again and again."""
    triples = [(f"c{i % 5}", f"i{i // 5}", "xy"[i % 3 % 2]) for i in range(20_000)]
    phases = []

    def note(phase, info):
        phases.append(phase)

    gc.collect()
    gc.callbacks.append(note)
    try:
        A.from_triples(triples)
    finally:
        gc.callbacks.remove(note)
    assert phases == []


@pytest.mark.few
@pytest.mark.parametrize(
    "layout", ["C", "strided", "reversed", "swapped", "unaligned", "read-only"]
)
@pytest.mark.parametrize(
    "dtype",
    ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float64"],
)
def test_names_of_coders_are_sorted_and_those_of_items_as_they_come(dtype, layout):
    """Numbers of every type, from either end of it; in a table and in lists."""
    rng = np.random.default_rng(7)
    kind, most = np.dtype(dtype).kind, 2 if dtype == "bool" else 100
    for (n_items, share), first in itertools.product(((1, 0.5), (9, 0.5), (900, 0.02)), range(5)):
        there = rng.random((n_items, most)) < share
        there[0, :2] = True
        item, coder = np.nonzero(there)
        order = rng.permutation(len(item))
        item, coder = item[order], coder[order]
        low = 0
        if kind in "iu":
            info = np.iinfo(dtype)
            low = [0, int(info.min), int(info.max) - most, 5, 0][first]
        # names that are far apart are found by their hashes
        gap = 10_000_000 if first == 4 and dtype in ("int64", "float64") else 1
        names = np.array([low + gap * c for c in range(most)], dtype)
        label = (item * 3 + coder) % 4
        column = laid_out(names[coder][:, None], layout)[:, 0]
        ids = laid_out(item[:, None].astype(np.int32), layout)[:, 0]
        data = A.from_long(ids, column, label)
        seen = sorted(set(names[coder].tolist()))
        assert list(data.coders) == seen
        assert [type(name) for name in data.coders] == [type(name) for name in seen]
        assert list(data.items) == list(dict.fromkeys(item.tolist()))
        expected = {
            (i, c): x
            for i, c, x in zip(item.tolist(), names[coder].tolist(), label.tolist(), strict=True)
        }
        assert data.n_judgments == len(expected)
        rows = data.rows
        assert bool(rows.width) == (len(data.items) * len(seen) <= max(4 * len(item), 1 << 16))
        if rows.width:
            given = {(r, c): x for (r, c), x in np.ndenumerate(rows.table()) if x >= 0}
        else:
            row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start)).tolist()
            given = dict(
                zip(zip(row, rows.coders.tolist(), strict=True), rows.codes.tolist(), strict=True)
            )
        result = {(int(data.items[r]), seen[c]): data.labels[x] for (r, c), x in given.items()}
        assert result == expected


BIG = 2**60


@pytest.mark.parametrize("library", FRAMES)
def test_nullable_integers_beyond_floats_keep_their_digits(library):
    """2**60 and 2**60 + 1 are two labels, nulls beside them or not."""
    columns = {"x": [BIG, None], "y": [BIG + 1, BIG]}
    if "pandas" in library:  # which would make floats of a list
        columns["x"] = pd.array(columns["x"], "Int64")
    data = A.from_wide(FRAMES[library](columns))
    assert data.categories == (BIG, BIG + 1)
    assert data.n_judgments == 3


ORDER = ["low", "mid", "high"]
SAID = ["mid", "low", None, "low"]


def dictionary(values, order, ordered):
    """An Arrow column of dictionary type."""
    codes = pa.array([None if x is None else order.index(x) for x in values], pa.int8())
    return pa.DictionaryArray.from_arrays(codes, pa.array(order), ordered=ordered)


ORDERED = {
    "pandas": lambda: pd.Series(pd.Categorical(SAID, ORDER, ordered=True)),
    "polars Enum": lambda: pl.Series(SAID, dtype=pl.Enum(ORDER)),
    "pyarrow": lambda: dictionary(SAID, ORDER, ordered=True),
    "pyarrow in chunks": lambda: pa.chunked_array(
        [dictionary(SAID[:2], ORDER, ordered=True), dictionary(SAID[2:], ORDER, ordered=True)]
    ),
    "narwhals Enum": lambda: nw.from_native(
        pl.Series(SAID, dtype=pl.Enum(ORDER)), series_only=True
    ),
}
UNORDERED = {
    "pandas": lambda: pd.Series(pd.Categorical(SAID, ORDER)),
    "polars Categorical": lambda: pl.Series(SAID, dtype=pl.Categorical),
    "pyarrow": lambda: dictionary(SAID, ORDER, ordered=False),
    "pyarrow in chunks": lambda: pa.chunked_array(
        [dictionary(SAID[:2], ORDER, ordered=False), dictionary(SAID[2:], ORDER[::-1], False)]
    ),
    "texts": lambda: pl.Series(SAID),
}


@pytest.mark.parametrize("kind", ORDERED)
def test_ordered_categoricals_declare_the_categories_and_their_order(kind):
    """Unused categories count; null is missing."""
    data = A.from_long([1, 1, 2, 2], [1, 2, 1, 2], ORDERED[kind]())
    assert data.categories == tuple(ORDER)
    assert data.declared
    assert data.to_wide().tolist() == [["mid", "low"], [None, "low"]]
    assert af.alpha(data, "ordinal").n_categories == 3
    without = A.from_long([1, 1, 2, 2], [1, 2, 1, 2], ORDERED[kind](), missing="mid")
    assert without.categories == ("low", "high")
    assert without.n_judgments == 2
    other = A.from_long([1, 1, 2, 2], [1, 2, 1, 2], ORDERED[kind](), categories=ORDER[::-1])
    assert other.categories == tuple(ORDER[::-1])


@pytest.mark.parametrize("kind", UNORDERED)
def test_unordered_categoricals_are_texts(kind):
    """What occurs, sorted, in any order of the library."""
    data = A.from_long([1, 1, 2, 2], [1, 2, 1, 2], UNORDERED[kind]())
    assert data.categories == ("low", "mid")
    assert not data.declared
    assert data.to_wide().tolist() == [["mid", "low"], [None, "low"]]
    as_ids = A.from_long([1, 2, 3, 4], pl.Series(["b", "a", "b", "c"], dtype=pl.Categorical), SAID)
    assert as_ids.coders == ("a", "b", "c")


def test_tables_of_ordered_categoricals_declare_the_categories():
    """If all columns have the same ones."""
    for frame in (
        pd.DataFrame({"x": ORDERED["pandas"](), "y": ORDERED["pandas"]()}),
        pl.DataFrame({"x": ORDERED["polars Enum"](), "y": ORDERED["polars Enum"]()}),
        pa.table({"x": ORDERED["pyarrow"](), "y": ORDERED["pyarrow"]()}),
    ):
        data = A.from_wide(frame)
        assert (data.categories, data.declared) == (tuple(ORDER), True)
        assert data.to_wide().tolist() == [[x, x] for x in SAID]
    mixed = pd.DataFrame({"x": ORDERED["pandas"](), "y": UNORDERED["pandas"]()})
    assert A.from_wide(mixed).categories == ("low", "mid")
    assert not A.from_wide(mixed).declared


def test_booleans_and_dates_of_data_frames_are_labels():
    """Nullable ones, too."""
    flags = [True, None, False]
    days = [datetime.date(2024, 5, 2), None, datetime.date(2024, 5, 1)]
    for frame in (pl.DataFrame({"x": flags, "y": flags}), pa.table({"x": flags, "y": flags})):
        data = A.from_wide(frame)
        assert data.categories == (False, True)
        assert data.n_judgments == 4
    for frame in (pl.DataFrame({"x": days, "y": days}), pa.table({"x": days, "y": days})):
        data = A.from_wide(frame)
        assert data.categories == (days[2], days[0])
        assert data.n_judgments == 4


def test_counts_and_contingency_tables_may_be_data_frames():
    """The columns are categories."""
    for frame in (pd.DataFrame, pl.DataFrame, pa.table):
        counts = frame({"no": [2, 0], "yes": [1, 3]})
        assert A.from_counts(counts).categories == ("no", "yes")
        assert A.from_counts(counts).to_counts().tolist() == [[2, 1], [0, 3]]
        table = A.from_contingency(counts)
        assert table.contingency_table(0, 1).tolist() == [[2, 1], [0, 3]]
        assert table.n_items == 6


# ---------------------------------------------------------------- names, orientation, weights


def test_names_are_numbers_unless_given():
    """Items and coders count from 0; given ones must fit and differ."""
    data = A.from_wide(ROWS)
    assert (list(data.items), data.coders) == ([0, 1, 2, 3], (0, 1, 2))
    named = A.from_wide(ROWS, items=["p", "q", "r", "s"], coders=np.array(["x", "y", "z"]))
    assert (list(named.items), named.coders) == (list("pqrs"), ("x", "y", "z"))
    assert all(type(x) is str for x in named.coders)
    assert len(named) == 4


def test_more_columns_than_rows_are_pointed_out():
    """A hint at the caller's line, unless the caller says that the columns are coders."""
    wider = [[1, 2, 1], [2, 2, 1]]
    hint = r"2 rows \(items\) and 3 columns \(coders\).*transpose it; .*coders="
    with pytest.warns(af.ShapeHint, match=hint) as caught:
        A.from_wide(wider)
    assert caught[0].filename == __file__
    named = pd.DataFrame(wider, columns=["a", "b", "c"])
    for call in (lambda: af.alpha(wider), lambda: af.alpha(named), lambda: A.from_wide(named)):
        with pytest.warns(af.ShapeHint, match=hint):
            call()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        A.from_wide(wider, coders=["a", "b", "c"])
        A.from_wide(named, coders=["a", "b", "c"])
        A.from_wide(np.transpose(wider))
        A.from_wide([[1, 2], [2, 2]])


WEIGHTS = [2, 0, 5, 1]


@pytest.mark.parametrize(
    "given_as",
    [
        list,
        tuple,
        np.array,
        pd.Series,
        pl.Series,
        lambda w: np.array(w, float),
        lambda w: np.array(w, "u1"),
    ],
    ids=["list", "tuple", "array", "pandas", "polars", "floats", "uint8"],
)
def test_weights_of_every_form_are_frequencies(given_as):
    """int64, in the order of the rows; items are counted with them, rows are not."""
    data = A.from_wide(ROWS, weights=given_as(WEIGHTS))
    assert data.weights.tolist() == WEIGHTS
    assert data.weights.dtype == np.int64
    assert (data.n_items, data.n_rows, data.n_judgments) == (8, 4, 2 * 3 + 0 + 5 * 2 + 3)
    assert data.missing_judgments == 2
    items = np.repeat([f"i{i}" for i in range(4)], 3)
    coders, said = [0, 1, 2] * 4, [x for row in ROWS for x in row]
    each = A.from_long(items, coders, said, weights=given_as(np.repeat(WEIGHTS, 3).tolist()))
    assert each.weights.tolist() == WEIGHTS
    mapping = A.from_long(items, coders, said, weights={"i0": 2, "i1": 0, "i2": np.int8(5)})
    assert mapping.weights.tolist() == WEIGHTS
    counts = A.from_counts(A.from_wide(ROWS).to_counts(), weights=given_as(WEIGHTS))
    assert counts.weights.tolist() == WEIGHTS
    assert af.pi(counts).value == pytest.approx(af.pi(data).value, rel=1e-13)
    frame = pd.DataFrame({"i": items, "c": coders, "s": said, "w": np.repeat(WEIGHTS, 3)})
    framed = A.from_frame(frame, item="i", coder="c", label="s", weights="w")
    assert framed.weights.tolist() == WEIGHTS


def test_marginals_and_tables_count_weights_where_they_say_so():
    """n_ck, coincidences and contingency tables do; n_ik shows a row once."""
    data = A.from_wide([[1, 2], [1, 1], [2, None]], weights=[3, 10**12, 7])
    assert data.to_counts().tolist() == [[1, 1], [2, 0], [0, 1]]
    assert data.coder_marginals().tolist() == [[10**12 + 3, 7], [10**12, 3]]
    assert data.contingency_table(0, 1).tolist() == [[10**12, 3], [0, 0]]
    assert data.contingency_tables().tolist() == [[[10**12, 3], [0, 0]]]
    assert data.coincidence_matrix().tolist() == [[2 * 10**12, 3], [3, 0]]


# ---------------------------------------------------------------- tables, there and back


@given(table=tables("words"))
def test_tables_show_the_judgments(table):
    """n_ik, n_ck, contingency tables and coincidences, counted by hand."""
    data = wide(table)
    K, place = len(table.order), {label: k for k, label in enumerate(table.order)}
    assert data.categories == tuple(table.order)
    assert data.to_counts().tolist() == table.counts
    assert data.to_counts().shape == (len(table.rows), K)
    marginals = np.zeros((table.n_coders, K), int)
    coincidences = [[Fraction(0)] * K for _ in range(K)]
    pairs = np.zeros((table.n_coders, table.n_coders, K, K), int)
    for item, weight in zip(table.items, table.frequencies, strict=True):
        for c, label in item.items():
            marginals[c, place[label]] += weight
            for other, said in item.items():
                pairs[c, other, place[label], place[said]] += weight
                if c != other:
                    coincidences[place[label]][place[said]] += Fraction(weight, len(item) - 1)
    assert data.coder_marginals().tolist() == marginals.tolist()
    for a in range(table.n_coders):
        for b in range(table.n_coders):
            np.testing.assert_array_equal(data.contingency_table(a, b), pairs[a, b])
    np.testing.assert_allclose(
        data.coincidence_matrix(), np.array(coincidences, float).reshape(K, K), rtol=1e-13
    )
    assert data.n_judgments == marginals.sum()
    assert data.missing_judgments == sum(row.count(None) for row in table.rows)


@pytest.mark.few("words", "mixed")
@pytest.mark.parametrize("kind", ["words", "integers", "scale", "mixed"])
@given(data=st.data())
def test_wide_and_long_tables_are_read_back(kind, data):
    """to_wide and to_long lose nothing but, in judgments, who judged nothing."""
    table = data.draw(tables(kind))
    first = wide(table)
    again = A.from_wide(
        first.to_wide(), categories=table.categories, coders=table.coders, weights=table.weights
    )
    assert_same_judgments(again, first)
    assert first.to_wide().tolist() == [list(row) for row in table.rows]
    columns = first.to_long()
    assert len({len(column) for column in columns}) == 1
    judgments = [(i, c, x) for i, item in enumerate(table.items) for c, x in item.items()]
    assert list(zip(*map(list, columns), strict=True)) == judgments
    assume(judgments)
    back = A.from_long(*columns, categories=table.categories)
    kept = [i for i, item in enumerate(table.items) if item]
    judged = [c for c in table.coders if any(row[c] is not None for row in table.rows)]
    expected = wide(Table(table.rows, None, table.categories)).select(coders=judged, items=kept)
    if kind != "mixed":  # what does not sort stands in order of appearance
        assert_same_judgments(back, expected, ["missing"])
    assert back.to_wide().tolist() == expected.to_wide().tolist()


def test_sparse_judgments_are_read_back():
    """10,000 coders: lists of judgments, not a table."""
    rng = np.random.default_rng(0)
    items, coders = np.repeat(np.arange(300), 3), rng.permutation(10_000)[:900]
    labels = rng.integers(0, 5, 900)
    data = A.from_long(items, coders, labels)
    back = A.from_long(*data.to_long())
    assert shown(back) == shown(data)
    result = list(zip(*map(list, data.to_long()), strict=True))
    by_hand = sorted(zip(items.tolist(), coders.tolist(), labels.tolist(), strict=True))
    assert result == by_hand


@pytest.mark.parametrize("policy", ["first", "last"])
@pytest.mark.parametrize("crowd", [False, True])
def test_duplicates_keep_the_first_or_the_last(policy, crowd):
    """In tables and in lists; missing labels repeat nothing."""
    rng = np.random.default_rng(1)
    n = 2000
    items, coders = rng.integers(0, 150, n), rng.integers(0, 4, n)
    coders += 4 * items * crowd  # each item has its own coders, so that rows are lists
    judgments = rng.integers(0, 6, n)
    labels = [None if x == 5 else x for x in judgments.tolist()]
    by_hand = {}
    for i, c, label in zip(items.tolist(), coders.tolist(), labels, strict=True):
        if label is not None and (policy == "last" or (i, c) not in by_hand):
            by_hand[i, c] = label
    data = A.from_long(items, coders, labels, duplicates=policy)
    assert (data.rows.width == 0) == crowd
    result = {(i, c): x for i, c, x in zip(*map(list, data.to_long()), strict=True)}
    assert result == by_hand
    assert data.duplicates_dropped == n - labels.count(None) - len(by_hand)
    with pytest.raises(
        ValueError, match=r"judgments repeat.*item.*\.\.\.\): pass duplicates='first'"
    ):
        A.from_long(items, coders, labels)


# ---------------------------------------------------------------- selection


@given(table=tables("words"), data=st.data())
def test_a_selection_is_what_was_chosen(table, data):
    """Coders and items in the order asked; unused categories go unless they were declared."""
    coders = data.draw(st.lists(st.sampled_from(table.coders), unique=True))
    items = data.draw(st.lists(st.integers(0, len(table.rows) - 1), unique=True))
    result = wide(table).select(coders=coders, items=items)
    rows = [[table.rows[i][c] for c in coders] for i in items]
    assert result.to_wide().tolist() == rows
    assert (result.coders, list(result.items)) == (tuple(coders), items)
    assert result.n_items == sum(table.frequencies[i] for i in items)
    if table.weights is not None:
        assert result.weights.tolist() == [table.weights[i] for i in items]
    used = {label for row in rows for label in row if label is not None}
    assert result.categories == tuple(
        label for label in table.order if table.categories is not None or label in used
    )
    names = tuple(f"item {i}" for i in range(len(table.rows)))
    named = A.from_wide(table.rows, items=names, coders=table.coders).select(items=[names[0]])
    assert list(named.items) == [names[0]]


@given(table=tables("words", declared=False), data=st.data())
def test_a_selection_of_lists_is_what_was_chosen(table, data):
    """The same from judgments of a crowd: 300 more items, each by another coder."""
    gap = (None,) * 300
    rows = tuple(row + gap for row in table.rows)
    rows += tuple((None,) * table.n_coders + gap[:i] + ("a",) + gap[i + 1 :] for i in range(300))
    whole = A.from_long(*wide(Table(rows)).to_long())
    assert not whole.rows.width
    items = data.draw(st.lists(st.sampled_from(list(whole.items)), unique=True, min_size=1))
    coders = data.draw(st.lists(st.sampled_from(whole.coders), unique=True, min_size=1))
    result = whole.select(coders=coders, items=items)
    assert result.to_wide().tolist() == [[rows[i][c] for c in coders] for i in items]


@pytest.mark.few
@pytest.mark.parametrize("layout", ["C", "Fortran", "strided", "reversed", "read-only", "swapped"])
@pytest.mark.parametrize(
    ("n_items", "dtype"),
    [
        (n_items, dtype)
        for dtype in ("int8", "int16", "int64", "float64", "object")
        # Objects take the way of smaller tables.
        for n_items in (0, 1, 2, 300, 9000)[: 4 if dtype == "object" else 5]
    ],
)
def test_coefficients_of_a_selection_are_those_of_its_columns(n_items, dtype, layout):
    """Fresh selections of a table against annotations of these columns alone."""
    rng = np.random.default_rng(n_items)
    codes = rng.integers(0, 4, (n_items, 1)) + rng.integers(0, 2, (n_items, 9)) * (n_items > 1)
    codes[:, 8] += 3  # labels that nobody else has
    table = laid_out(codes.astype(dtype), layout)
    for missing, weights in ((None, None), (2, rng.integers(0, 3, n_items))):
        whole = A.from_wide(table, missing=missing, weights=weights, coders=range(9))
        for chosen in ([0, 1], [7, 2, 8], [8, 5, 3, 1, 0], np.array([4, 6]), [3]):
            result = whole.select(coders=chosen)
            expected = A.from_wide(
                table[:, chosen], missing=missing, weights=weights, coders=chosen
            )
            assert result.categories == expected.categories
            for name in ("alpha", "kappa", "s"):
                one, other = af.agreement(result, name), af.agreement(expected, name)
                assert one.value == pytest.approx(other.value, rel=1e-14, nan_ok=True)
                assert (one.n_items, one.n_judgments) == (other.n_items, other.n_judgments)


def test_a_selection_names_what_is_not_there():
    """Unknown and repeated names, and a text where names are expected."""
    data = A.from_wide(ROWS, items=list("pqrs"), coders=["x", "y", "z"])
    with pytest.raises(ValueError, match=r"there is no coder 'w'; the coders are 'x', 'y', 'z'"):
        data.select(coders=["x", "w"])
    with pytest.raises(ValueError, match=r"there is no item 't'; the items are 'p', 'q'"):
        data.select(items=["t"])
    with pytest.raises(ValueError, match=r"names 'x' twice"):
        data.select(coders=["x", "x"])
    with pytest.raises(TypeError, match=r"coders must be a sequence of names, not 'x'"):
        data.select(coders="x")
    with pytest.raises(ValueError, match=r"there is no coder 'w'"):
        data.contingency_table("x", "w")
    with pytest.raises(ValueError, match=r"there is no item 4; the items are 0, 1"):
        A.from_wide(ROWS).select(items=[4])
    with pytest.raises(ValueError, match=r"there is no coder 3; the coders are 0, 1, 2"):
        A.from_wide(ROWS).select(coders=[3])


@given(table=tables("words"), data=st.data())
def test_merged_categories_are_those_of_relabelled_judgments(table, data):
    """As if the coders had used the new labels."""
    assume(table.order)
    targets = data.draw(st.lists(st.sampled_from([*table.order, "new"]), min_size=1, max_size=9))
    mapping = dict(zip(table.order, targets, strict=False))
    rows = [[mapping.get(x, x) for x in row] for row in table.rows]
    result = wide(table).merge_categories(mapping)
    assert result.to_wide().tolist() == rows
    merged = list(dict.fromkeys(mapping.get(x, x) for x in table.order))
    assert result.categories == tuple(merged if table.categories else sorted(merged))
    assert result.n_items == sum(table.frequencies)
    counts = A.from_counts(table.counts, categories=table.order, weights=table.weights)
    places = [list(result.categories).index(x) for x in merged]
    assert (
        counts.merge_categories(mapping).to_counts().tolist()
        == result.to_counts()[:, places].tolist()
    )


def test_merging_names_an_unknown_category():
    """The error lists those there are."""
    with pytest.raises(ValueError, match=r"'z' is not a category; the categories are 'a', 'b'"):
        A.from_wide([["a", "b"]]).merge_categories({"z": "a"})


@pytest.mark.parametrize("as_array", [True, False])
def test_patterns_are_distinct_rows_with_their_weights(as_array):
    """Codes are places among the categories, -1 is missing."""
    table = seeded(1, 300, 4, range(3), missing=0.2, heaviest=5)
    rows = [[-1 if x is None else x for x in row] for row in table.rows]
    given_rows = np.array(rows, np.int8) if as_array else table.rows
    data = A.from_wide(given_rows, missing=-1 if as_array else None, weights=table.weights)
    codes, weights = data.patterns()
    assert len({tuple(row) for row in codes.tolist()}) == len(codes)
    by_hand = Counter()
    for row, weight in zip(rows, table.weights, strict=True):
        by_hand[tuple(row)] += weight
    result = dict(zip(map(tuple, codes.tolist()), weights.tolist(), strict=True))
    assert {k: n for k, n in result.items() if n} == +by_hand


# ---------------------------------------------------------------- nothing changes afterwards


def every_kind():
    """Annotations of each way of storing judgments."""
    array = np.array([[0, 1], [1, 1], [0, 0]], np.int8)
    return {
        "array": A.from_wide(array),
        "lists": A.from_wide(WORDS, items=list("pqrs"), weights=[1, 2, 3, 4]),
        "long": A.from_long(np.array([5, 5, 6]), np.array([1, 2, 1]), np.array([1, 2, 2])),
        "counts": A.from_counts([[1, 2], [2, 1]], weights=[1, 2]),
        "contingency": A.from_contingency([[3, 1], [0, 2]]),
        "selection": A.from_wide(ROWS, weights=[1, 2, 3, 4]).select(items=[0, 2], coders=[1, 2]),
        "merged": af.concat([A.from_wide(ROWS, weights=[1, 2, 3, 4])], keep_items=False),
        "concat": af.concat([A.from_wide(ROWS, weights=[1, 2, 3, 4]), A.from_wide(ROWS)]),
    }


@pytest.mark.parametrize("kind", list(every_kind()))
def test_annotations_cannot_be_changed(kind):
    """No attribute can be set, and what is handed out is a copy or read-only."""
    data = every_kind()[kind]
    for name in ("categories", "coders", "items", "weights", "n_items", "declared", "anything"):
        with pytest.raises(AttributeError):
            setattr(data, name, 1)
    before = af.alpha(data).value, repr(data), list(data.items)
    tables_of = [data.to_counts(), data.coincidence_matrix(), np.asarray(data.weights)]
    if data.coders is not None:
        tables_of += [data.coder_marginals(), *data.patterns(), data.to_wide(), *data.to_long()]
        tables_of += [data.contingency_tables(), data.contingency_table(*data.coders[:2])]
    for table in tables_of:
        if table.flags.writeable and table.ndim:
            table[...] = 0
    for names in (data.items, data.coders, data.categories):
        if names is not None:
            with pytest.raises((TypeError, ValueError)):
                names[0] = names[-1]
            assert not hasattr(names, "append")
    after = af.alpha(data).value, repr(data), list(data.items)
    assert after == before


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    "dtype", ["int8", "int64", "uint8", "float64", "float32", "bool", "U1", "O"]
)
def test_arrays_changed_afterwards_do_not_matter(dtype, order):
    """Neither the table nor weights, names, counts and columns are looked at again."""
    plain = np.array([[0, 1], [1, 1], [0, 0]])
    array = np.array(plain.astype(dtype), order=order)
    weights = np.array([1, 2, 3])
    counts = np.array([[2, 0], [1, 1]], np.int8)
    columns = [np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), plain[:2].ravel().astype(dtype)]
    names = ["x", "y"]
    made = [
        A.from_wide(array, weights=weights, coders=names),
        A.from_counts(counts),
        A.from_contingency(counts),
        A.from_long(*columns),
    ]
    fresh = [
        A.from_wide(array.copy(), weights=weights.copy(), coders=["x", "y"]),
        A.from_counts(counts.copy()),
        A.from_contingency(counts.copy()),
        A.from_long(*(column.copy() for column in columns)),
    ]
    expected = [(repr(x), af.alpha(x).value, x.to_counts().tolist()) for x in fresh]
    array[:] = array[0, 0]
    weights[:] = 9
    counts[:] = 7
    names[0] = "z"
    for column in columns:
        column[:] = column[0]
    result = [(repr(x), af.alpha(x).value, x.to_counts().tolist()) for x in made]
    assert result == expected
    assert made[0].coders == ("x", "y")
    assert made[0].weights.tolist() == [1, 2, 3]


def test_large_floats_changed_afterwards_do_not_matter():
    """Also where the numbers are counted only when somebody asks."""
    array = np.random.default_rng(0).random((5000, 2))
    data, expected = A.from_wide(array), af.alpha(array.copy(), "linear").value
    array[:] = 0
    assert af.alpha(data, "linear").value == expected
    assert len(data.categories) == 10_000


def test_annotations_are_made_by_name_only():
    """The constructor says which functions make them."""
    with pytest.raises(TypeError, match="from_wide, from_long"):
        A()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (
            A.from_wide([["x", "y"]], coders=[0, 1]),
            "Annotations(1 item, 2 coders, 2 judgments, 2 categories: 'x', 'y')",
        ),
        (A.from_counts([[1]]), "Annotations(1 item, coders unknown, 1 judgment, 1 category: 0)"),
        (
            A.from_wide([[i, i] for i in range(12)]),
            "Annotations(12 items, 2 coders, 24 judgments, 12 categories: "
            "0, 1, 2, 3, 4, 5, 6, 7 and 4 more)",
        ),
        (A.from_wide([]), "Annotations(0 items, 0 coders, 0 judgments, 0 categories)"),
    ],
    ids=["table", "counts", "many", "none"],
)
def test_the_repr_counts_what_there_is(data, text):
    """One line."""
    assert repr(data) == text


# ---------------------------------------------------------------- memory


def stored_bytes(data):
    """The bytes of all arrays that annotations hold."""
    arrays, seen = [], [getattr(data, name, None) for name in data.__slots__ if name[1] != "_"]
    while seen:
        part = seen.pop()
        if isinstance(part, np.ndarray):
            arrays.append(part)
        elif isinstance(part, Rows):
            seen += [part.codes, part.start, part.coders, part.repeats, part.weights]
        elif hasattr(part, "__slots__"):
            seen += [getattr(part, name, None) for name in part.__slots__]
        elif isinstance(part, dict):
            seen += part.values()
        elif isinstance(part, (list, tuple)) and part and isinstance(part[0], np.ndarray):
            seen += part
    distinct = {id(x): x for x in arrays}
    return sum(x.nbytes for x in distinct.values())


def test_a_million_items_of_ten_thousand_coders_take_less_than_100_mb():
    """Five judgments an item: stored as lists, neither as a table nor as objects."""
    n = 1_000_000
    items = np.repeat(np.arange(n, dtype=np.int32), 5)
    coders = ((items * 7 + np.tile(np.arange(5, dtype=np.int32) * 2003, n)) % 10_000).astype("i4")
    labels = (items % 7 % 4).astype(np.int8)
    start = time.perf_counter()
    data = A.from_long(items, coders, labels)
    assert time.perf_counter() - start < 10
    assert (data.n_items, data.n_coders, data.n_judgments) == (n, 10_000, 5 * n)
    assert 25e6 < stored_bytes(data) < 100e6
    assert af.alpha(data).observed_disagreement == 0
    assert stored_bytes(data) < 100e6


@pytest.mark.parametrize("make", [np.ascontiguousarray, np.asfortranarray])
def test_a_table_of_small_integers_is_stored_in_a_byte_a_judgment(make):
    """For any type."""
    table = make(np.random.default_rng(0).integers(0, 5, (200_000, 5)))
    data = A.from_wide(table)
    assert stored_bytes(data) <= 1.1e6
    af.alpha(data)
    data.to_wide()
    assert stored_bytes(data) <= 3e6


# ---------------------------------------------------------------- errors: value, place, remedy

ERRORS = {
    "label of a table": (
        lambda: A.from_wide(WORDS, categories=["a", "b"], items=list("pqrs"), coders=[7, 8, 9]),
        ValueError,
        r"label 'c' of item 'r', coder 8 is not among the declared categories 'a', 'b': declare it"
        r", or pass missing=\['c'\]",
    ),
    "label of an array": (
        lambda: A.from_wide(np.array([[0, 1], [1, 5]], np.int8), categories=[0, 1]),
        ValueError,
        r"label 5 of item 1, coder 1 is not among.*missing=",
    ),
    "label of a Fortran array": (
        lambda: A.from_wide(np.array([[0, 1], [5, 1]], np.int8, order="F"), categories=[0, 1]),
        ValueError,
        r"label 5 of item 1, coder 0 is not among.*missing=",
    ),
    "label of floats": (
        lambda: A.from_wide(np.array([[0.5, np.nan], [0.5, 2.5]]), categories=[0.5]),
        ValueError,
        r"label 2.5 of item 1, coder 1 is not among",
    ),
    "label of a frame": (
        lambda: A.from_wide(
            pd.DataFrame({"x": ["a", "b"], "y": ["a", "q"]}), categories=["a", "b"]
        ),
        ValueError,
        r"label 'q' of item 1, coder 'y' is not among",
    ),
    "label of a judgment": (
        lambda: A.from_long(["p", "p"], ["x", "y"], ["a", "q"], categories=["a"]),
        ValueError,
        r"label 'q' of judgment 1 \(item 'p', coder 'y'\) is not among.*declare it",
    ),
    "categories as text": (
        lambda: A.from_wide(WORDS, categories="abc"),
        TypeError,
        r"categories must be a sequence of labels, not 'abc': write categories=\[",
    ),
    "category twice": (
        lambda: A.from_wide(WORDS, categories=["a", "b", "a"]),
        ValueError,
        r"category 'a' is declared twice",
    ),
    "category 1 and True": (
        lambda: A.from_wide(ROWS, categories=[1, 2, True]),
        ValueError,
        r"category True is declared twice",
    ),
    "category None": (
        lambda: A.from_wide(WORDS, categories=["a", None]),
        ValueError,
        r"None means missing, so it cannot be a category",
    ),
    "category NaN": (
        lambda: A.from_wide(WORDS, categories=["a", float("nan")]),
        ValueError,
        r"nan means missing, so it cannot be a category",
    ),
    "category mapping": (
        lambda: A.from_wide(WORDS, categories=[{"a": 1}]),
        TypeError,
        r"category \{'a': 1\} cannot be hashed",
    ),
    "no categories": (
        lambda: A.from_wide(WORDS, categories=[]),
        ValueError,
        r"categories is empty: leave it out",
    ),
    "label mapping": (
        lambda: A.from_wide([["a", {"a": 1}]], coders=["x", "y"]),
        TypeError,
        r"label \{'a': 1\} of item 0, coder 'y' cannot be hashed: a label must be hashable",
    ),
    "ragged": (
        lambda: A.from_wide([[1, 2], [1]]),
        ValueError,
        r"row 1 has 1 entries, but row 0 has 2: write None where a judgment is missing",
    ),
    "one dimension": (
        lambda: A.from_wide(np.arange(3)),
        TypeError,
        r"two dimensions, this array has 1",
    ),
    "three dimensions": (
        lambda: A.from_wide(np.zeros((2, 2, 2))),
        TypeError,
        r"two dimensions, this array has 3",
    ),
    "list of labels": (
        lambda: A.from_wide(["ab", "cd"]),
        TypeError,
        r"row 0 of the table is 'ab', not a row of labels",
    ),
    "number": (lambda: A.from_wide(3), TypeError, r"items × coders, got int"),
    "complex": (
        lambda: A.from_wide(np.ones((3, 2), complex)),
        TypeError,
        r"labels of type complex128 are not supported: convert them",
    ),
    "items too few": (
        lambda: A.from_wide(ROWS, items=["a"]),
        ValueError,
        r"items has 1 names, the table has 4 rows",
    ),
    "coders too many": (
        lambda: A.from_wide(ROWS, coders=list("wxyz")),
        ValueError,
        r"coders has 4 names, the table has 3 columns",
    ),
    "coders twice": (
        lambda: A.from_wide(ROWS, coders=["x", "y", "x"]),
        ValueError,
        r"coders names 'x' twice",
    ),
    "names as text": (
        lambda: A.from_wide(ROWS, coders="xyz"),
        TypeError,
        r"coders must be a sequence of names, not 'xyz'",
    ),
    "weights too few": (
        lambda: A.from_wide(ROWS, weights=[1, 2]),
        ValueError,
        r"weights: expected one for each of 4 items, got shape \(2,\)",
    ),
    "weight negative": (
        lambda: A.from_wide(ROWS, weights=[1, 2, -3, 1]),
        ValueError,
        r"weight -3 of item 2: .*a whole number from 0 to 10\*\*15",
    ),
    "weight half": (
        lambda: A.from_wide(ROWS, weights=[1, 0.5, 3, 1]),
        ValueError,
        r"weight 0.5 of item 1: .*whole number",
    ),
    "weight too large": (
        lambda: A.from_wide(ROWS, weights=[1, 1, 1, HEAVY + 1]),
        ValueError,
        r"weight 1000000000000001 of item 3: .*10\*\*15",
    ),
    "weight NaN": (
        lambda: A.from_wide(ROWS, weights=[1, np.nan, 3, 1]),
        ValueError,
        r"weight nan of item 1",
    ),
    "weights as text": (
        lambda: A.from_wide(ROWS, weights=list("abcd")),
        TypeError,
        r"weights must be whole numbers, not",
    ),
    "weight of another item": (
        lambda: A.from_long(["p"], ["x"], ["a"], weights={"q": 2}),
        ValueError,
        r"weights names item 'q', which is not in the data",
    ),
    "weights differ": (
        lambda: A.from_long(["o", "p", "p"], ["x", "x", "y"], list("aab"), weights=[1, 1, 2]),
        ValueError,
        r"item 'p' has different weights in different judgments",
    ),
    "column length": (
        lambda: A.from_long([1, 2], [1], ["a", "b"]),
        ValueError,
        r"coders has 1 entries, labels has 2",
    ),
    "column text": (
        lambda: A.from_long("ab", [1, 2], ["a", "b"]),
        TypeError,
        r"items must be a sequence, not 'ab'",
    ),
    "column of rows": (
        lambda: A.from_long(np.zeros((2, 2)), [1, 2], ["a", "b"]),
        TypeError,
        r"items has 2 dimensions, expected one value a judgment",
    ),
    "item None": (
        lambda: A.from_long(["p", None], [1, 2], ["a", "b"]),
        ValueError,
        r"judgment 1 has no item: every judgment needs one",
    ),
    "coder NaN": (
        lambda: A.from_long([1, 2], np.array([0.5, np.nan]), ["a", "b"]),
        ValueError,
        r"judgment 1 has no coder: every judgment needs one",
    ),
    "coder null": (
        lambda: A.from_long([1, 2], pl.Series(["x", None]), ["a", "b"]),
        ValueError,
        r"judgment 1 has no coder",
    ),
    "item list": (
        lambda: A.from_long([[1], [2]], [1, 2], ["a", "b"]),
        TypeError,
        r"item \[1\] of judgment 0 cannot be hashed",
    ),
    "duplicate": (
        lambda: A.from_long(["p", "p"], ["x", "x"], ["a", "b"]),
        ValueError,
        r"1 judgment repeats a coder's judgment of an item "
        r"\(coder 'x', item 'p'\): pass duplicates=",
    ),
    "duplicates policy": (
        lambda: A.from_long(["p"], ["x"], ["a"], duplicates="best"),
        ValueError,
        r"duplicates must be 'error', 'first', 'last', 'majority' or 'set', not 'best'",
    ),
    "frame column": (
        lambda: A.from_frame(pd.DataFrame({"a": [1], "b": [1]}), item="a", coder="b", label="c"),
        ValueError,
        r"label='c' is not a column; the columns are 'a', 'b'",
    ),
    "triple": (
        lambda: A.from_triples([("c", "i", "x"), ("c", "j")]),
        ValueError,
        r"triple 1 is \('c', 'j'\): each must be \(coder, item, label\)",
    ),
    "count negative": (
        lambda: A.from_counts([[1, 2], [3, -4]]),
        ValueError,
        r"the agreement table has -4 in row 1, column 1: .*from_wide",
    ),
    "count half": (
        lambda: A.from_counts([[1, 2.5]]),
        ValueError,
        r"the agreement table has 2.5 in row 0, column 1",
    ),
    "counts as text": (
        lambda: A.from_counts([["a", "b"]]),
        TypeError,
        r"the agreement table must hold whole numbers, not",
    ),
    "counts in a row": (
        lambda: A.from_counts([1, 2]),
        TypeError,
        r"the agreement table must have two dimensions, this has 1",
    ),
    "counts and categories": (
        lambda: A.from_counts([[1, 2]], categories=["a"]),
        ValueError,
        r"1 categories are declared, the agreement table has 2 columns",
    ),
    "contingency not square": (
        lambda: A.from_contingency([[1, 2, 3], [4, 5, 6]]),
        ValueError,
        r"a contingency table must be square, but this one has 2 rows and 3 columns",
    ),
    "contingency coders": (
        lambda: A.from_contingency([[1, 2], [3, 4]], coders=["x"]),
        ValueError,
        r"coders has 1 names, the table has 2 sides",
    ),
    "patterns of counts": (
        lambda: A.from_counts([[1, 2]]).patterns(),
        ValueError,
        r"patterns\(\) needs to know which coder.*from_wide",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_name_the_value_its_place_and_the_remedy(case):
    """The message names what to change, and its place."""
    call, kind, text = ERRORS[case]
    with pytest.raises(kind, match=text):
        call()


@pytest.mark.parametrize("n_categories", [1, 2, 3, 4, 7, 8, 126])
@pytest.mark.parametrize("n_rows", [1, 63, 64, 65, 2049])
def test_contingency_tables_count_every_category(n_categories, n_rows):
    """Counted by bits, 64 rows at a time, for any number of binary digits of a category."""
    rng = np.random.default_rng(n_categories * n_rows)
    codes = rng.integers(-1, n_categories, (n_rows, 3))
    codes[0, 0] = n_categories - 1
    data = af.Annotations.from_wide(codes, missing=-1, categories=range(n_categories))
    expected = np.zeros((3, n_categories, n_categories), int)
    for row in codes.tolist():
        for table, (a, b) in enumerate(itertools.combinations(row, 2)):
            if a >= 0 and b >= 0:
                expected[table, a, b] += 1
    np.testing.assert_array_equal(data.contingency_tables(), expected)


def test_long_columns_may_be_arrays_of_text():
    """Numpy's text of fixed width, one cell after the other, names what lists of text name."""
    columns = ["u1", "u2", "u2"], ["A", "B", "A"], ["yes", "no", "yes"]
    data = A.from_long(*map(np.array, columns))
    assert_same_judgments(data, A.from_long(*columns))
    assert list(data.items) == ["u1", "u2"]


@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64", "halves"])
def test_the_mask_of_a_large_table_is_kept(dtype, copy):
    """A value below the mask is no judgment, also in floats that nobody counted yet."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, (2000, 3))
    gaps = rng.random(codes.shape) < 0.2
    below = np.where(gaps, 9, codes)
    table = below / 2 if dtype == "halves" else below.astype(dtype)
    data = af.Annotations.from_wide(np.ma.masked_array(table, gaps), copy=copy)
    plain = af.Annotations.from_wide(codes, missing=-1)
    expected = af.Annotations.from_wide(np.where(gaps, -1, codes), missing=-1)
    assert data.n_judgments == expected.n_judgments < plain.n_judgments
    assert af.alpha(data).value == af.alpha(expected).value
    assert af.alpha(data, "interval").value == pytest.approx(af.alpha(expected, "interval").value)


def test_numbers_that_count_something_are_not_masked():
    """A masked count, or a masked weight, is an error that names its place."""
    counts = np.ma.masked_array([[2, 1], [0, 3]], [[0, 0], [1, 0]])
    for read in (af.Annotations.from_counts, af.Annotations.from_contingency):
        with pytest.raises(ValueError, match=r"table is masked at row 1, column 0"):
            read(counts)
    with pytest.raises(ValueError, match="weights is masked at position 1"):
        af.Annotations.from_wide([[1, 2], [2, 2]], weights=np.ma.masked_array([1, 2], [0, 1]))


@pytest.mark.parametrize(
    ("table", "missing", "left"),
    [
        ([[1, 2], [None, 2]], pd.NA, 3),
        ([[1, 2], [3, 2]], [pd.NA, 1], 3),
        (np.array([[1.5, 2], [3, 2]]), [pd.NA, 1.5], 3),
        (np.array([["2020-01-01", "2021-01-01"]] * 2, "M8[D]"), [pd.NA], 4),
        ([[np.datetime64("2020-01-01"), 1], [2, 1]], [datetime.date(2020, 1, 1)], 4),
        ([["a", "b"], ["b", "b"]], ["a"], 3),
        (pd.DataFrame({"a": [1.5, 2], "b": [2, 2]}), [pd.NA, 2], 1),
    ],
    ids=str,
)
def test_missing_values_are_found_by_hash_and_equality(table, missing, left):
    """As labels are: NA is no other label, and a date is no datetime64."""
    assert A.from_wide(table, missing=missing).n_judgments == left


@pytest.mark.parametrize("missing", [[[1]], [{"a": 1}], [(1, [2])], [{1}]])
def test_missing_values_without_a_hash_are_refused(missing):
    """No label could be equal to one."""
    for table in ([[1, 2], [2, 2]], np.array([[1, 2], [2, 2]]), [["a", "b"]]):
        with pytest.raises(TypeError, match="missing must be labels"):
            A.from_wide(table, missing=missing)


def test_a_label_without_a_hash_is_named_by_item_and_coder():
    """In an array of objects as in a list."""
    table = np.empty((2, 2), object)
    table[:] = [[1, 2], [2, None]]
    table[1, 1] = {"b": 2}
    with pytest.raises(TypeError, match="item 1, coder 1 cannot be hashed"):
        af.alpha(table)


@pytest.mark.parametrize("odd", [pd.NA, [1], np.array(["pooled", "x"])], ids=str)
def test_choices_are_names_and_nothing_else(odd):
    """What cannot be compared is refused as any other value."""
    table = [[1, 2], [2, 2], [1, 1]]
    for call in (
        lambda: af.agreement(table, chance=odd),
        lambda: af.alpha(table, incomplete=odd),
        lambda: af.alpha(table, undefined=odd),
    ):
        with pytest.raises((ValueError, TypeError), match="must be"):
            call()


def test_from_frame_refuses_one_column():
    """A Series is no table of judgments."""
    with pytest.raises(TypeError):
        A.from_frame(pd.Series([1, 2]), item="item", coder="coder", label="label")
