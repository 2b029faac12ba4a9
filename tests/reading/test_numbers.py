"""Numbers, times and text of any type and layout get the same codes as in plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from layouts import laid_out

import agreement_fast as af
from agreement_fast.reading import frames
from agreement_fast.reading.ids import encode_ids
from agreement_fast.reading.labels import number_values

INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f2", "f4", "f8", "g"]
TIMES = ["M8[s]", "m8[ns]"]
LAYOUTS = ("C", "Fortran", "strided", "reversed", "read-only")


def plain(value):
    """Return a label as a Python object; NaN and NaT are None."""
    if isinstance(value, np.datetime64 | np.timedelta64):
        return None if np.isnat(value) else int(value.astype(np.int64))
    return None if value != value else value


def assert_numbered(array):
    """Compare with the values that Python sorts."""
    values = [plain(value) for value in array.reshape(-1)]
    distinct = sorted({value for value in values if value is not None})
    place = {value: code for code, value in enumerate(distinct)}
    codes, result = number_values(array)
    assert codes.shape == array.shape
    assert codes.dtype == (
        np.int8 if len(distinct) <= 127 else np.int16 if len(distinct) <= 32767 else np.int32
    )
    assert codes.reshape(-1).tolist() == [-1 if v is None else place[v] for v in values]
    assert result.dtype == array.dtype
    assert [plain(value) for value in result] == distinct


def numbers(dtype, n, distinct, seed):
    """Return `n` numbers with about `distinct` values, over the whole range of a type."""
    rng = np.random.default_rng([n, distinct, seed])
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        some = rng.integers(info.min, info.max, distinct, dtype, endpoint=True)
        some[:2] = [info.min, info.max][: len(some[:2])]
    elif np.dtype(dtype).kind == "f":
        some = rng.normal(size=distinct).astype(dtype)
        some[: min(distinct, 6)] = [0.0, -0.0, np.nan, np.inf, -np.inf, 1.0][: min(distinct, 6)]
    else:
        some = rng.integers(-(2**62), 2**62, distinct).astype(dtype)
        some[:1] = "NaT"
    return some[rng.integers(0, distinct, n)]


@pytest.mark.few
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, *TIMES])
def test_every_type_and_layout(dtype, layout):
    """For few and many distinct values, around the limits of the types of codes."""
    for n, distinct in [(0, 1), (1, 1), (2, 2), (31, 9), (32, 2), (400, 1), (400, 128), (900, 900)]:
        array = numbers(dtype, 3 * n, distinct, 1).reshape(n, 3)
        assert_numbered(laid_out(array, layout))


@pytest.mark.few
@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("distinct", [126, 127, 128, 32766, 32767, 32768])
def test_codes_take_the_narrowest_type(distinct, repeated):
    """Whether values repeat early or only after all have occurred."""
    values = np.random.default_rng(1).permutation(distinct) * 10**9
    values = np.repeat(values, 2) if repeated else np.concatenate([values, values[:5]])
    assert_numbered(values)
    assert_numbered(values / 7)


def test_every_nan_is_missing_and_both_zeros_are_one():
    """NaNs with any bits are missing."""
    bits = np.array([0x7FF8000000000000, 0xFFF8000000000001, 0x7FF0000000000001], np.uint64)
    nans = bits.view(np.float64)
    for array in (
        np.concatenate([nans, [1.5, -0.0, 0.0]] * 20),
        np.concatenate([[0.0, -0.0, 2.5], nans]),
        nans,
        np.repeat(nans, 40),
    ):
        assert_numbered(array)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant != 63, reason="no bytes without a meaning")
def test_padding_bytes_are_ignored():
    """A long double has ten significant bytes and six bytes of padding."""
    array = numbers("g", 400, 5, 1)
    held = array.view(np.uint8).reshape(400, -1)
    held[:, 10:] = np.random.default_rng(1).integers(0, 256, (400, held.shape[1] - 10))
    assert_numbered(array)


@given(
    values=st.lists(st.one_of(st.none(), st.sampled_from([0, 10**12, -(10**15), 7, 2**63 - 1]))),
    missing=st.sampled_from([None, 7, (0, 10**12)]),
)
def test_large_ids_are_labels(values, missing):
    """In a table with values that mean missing judgments."""
    rows = [values[i : i + 2] for i in range(0, len(values) - 1, 2)]
    rows = [[3 if value is None else value for value in row] for row in rows] + [[0, 10**12]]
    absent = () if missing is None else (missing,) if isinstance(missing, int) else missing
    data = af.Annotations.from_wide(np.array(rows), missing=missing, coders=["a", "b"])
    distinct = sorted({value for row in rows for value in row if value not in absent})
    assert data.categories == tuple(distinct)
    codes = [[-1 if value in absent else distinct.index(value) for value in row] for row in rows]
    assert data.rows.table().tolist() == codes


def test_ids_read_from_an_array_do_not_change_with_it():
    """Codes written in the memory of the first pass are not shared."""
    table = np.random.default_rng(1).permutation(40_000 * 3).reshape(-1, 3) * 10**9
    table[1:3] = table[0]
    for copy in (True, False):
        given = table.copy()
        data = af.Annotations.from_wide(given, copy=copy, coders=["a", "b", "c"])
        labels = np.array(data.categories)
        given[:] = 0
        assert (labels[data.rows.table()] == table).all()


@given(ids=st.lists(st.one_of(st.integers(-(2**63), 2**63 - 1), st.sampled_from([0, 10**15]))))
def test_ids_are_numbered_by_first_appearance(ids):
    """Wide integers, floats and text."""
    known = dict.fromkeys(ids)
    place = {name: i for i, name in enumerate(known)}
    codes, names = encode_ids(np.array(ids, np.int64), "item")
    assert (codes.tolist(), list(names)) == ([place[i] for i in ids], list(known))
    codes, names = encode_ids(np.array([f"{i:040d}" for i in ids], "U40"), "item")
    assert codes.tolist() == [place[i] for i in ids]


# ---------------------------------------------------------------- columns of data frames


def column_in(library, values, kind):
    """Return a column of text of a library: plain or categorical."""
    if library == "pandas":
        pd = pytest.importorskip("pandas")
        return pd.Series(
            values, dtype={"plain": "str", "object": object, "categories": "category"}[kind]
        )
    if library == "polars":
        pl = pytest.importorskip("polars")
        column = pl.concat(
            [pl.Series(values[:3], dtype=pl.String), pl.Series(values[3:], dtype=pl.String)],
            rechunk=False,
        )
        return column.cast(pl.Categorical) if kind == "categories" else column
    pa = pytest.importorskip("pyarrow")
    column = pa.chunked_array([values[:3], values[3:]], pa.string())
    if kind == "categories":
        return column.dictionary_encode()
    return column.cast(pa.large_string()) if kind == "object" else column


@pytest.mark.few
@pytest.mark.parametrize("kind", ["plain", "object", "categories"])
@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
@given(
    values=st.lists(
        st.one_of(st.none(), st.sampled_from(["", "a", "ä", "a text of more than twelve bytes"])),
        min_size=1,
    )
)
def test_text_of_each_library(library, kind, values):
    """All libraries give the same labels and missing judgments."""
    column = frames.column(column_in(library, values, kind))
    if isinstance(column, np.ndarray):  # of objects, or nothing but missing ones
        result = [None if x is None or x != x else x for x in column.tolist()]
    else:
        result = [None if code < 0 else column.labels[code] for code in column.codes.tolist()]
        if column.by_appearance:
            assert column.labels == list(dict.fromkeys(x for x in values if x is not None))
    assert result == values


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_an_empty_column_has_no_labels(library):
    """It has no codes, either."""
    column = frames.column(column_in(library, [], "plain"))
    assert len(column if isinstance(column, np.ndarray) else column.codes) == 0


@pytest.mark.parametrize("odd", [1, 2.5, b"text 0", True, ("a",), "\ud800"])
def test_objects_that_are_not_all_text(odd):
    """An object after many texts is a label of its own."""
    pd = pytest.importorskip("pandas")
    values = [f"text {i % 7}" for i in range(300)] + [odd, None, odd]
    column = frames.column(pd.Series(values, dtype=object))
    assert not isinstance(column, np.ndarray)
    assert [None if c < 0 else column.labels[c] for c in column.codes.tolist()] == values
    assert type(column.labels[-1]) is type(odd)
