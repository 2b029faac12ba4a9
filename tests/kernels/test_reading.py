"""The kernels that read labels, against plain Python."""

import itertools
import math
from typing import NamedTuple

import numpy as np
import pytest
from examples import USUAL, examples
from hypothesis import given
from hypothesis import strategies as st
from layouts import laid_out

from agreement_fast._kernels import _encode

LABELS = st.one_of(
    st.integers(-3, 9),
    st.sampled_from([None, math.nan, "a", "b", "B", "", 1.0, 2.5, True, False, (1, 2)]),
    st.sampled_from([frozenset("ab"), frozenset(), 10**30, b"x"]),
)


def is_missing(label):
    """None and NaN."""
    return label is None or (isinstance(label, float) and label != label)


@st.composite
def tables(draw, labels=LABELS):
    """Lists of rows of equal length, lists and tuples."""
    width = draw(st.integers(0, 4))
    row = st.lists(labels, min_size=width, max_size=width)
    return draw(st.lists(st.one_of(row, row.map(tuple)), max_size=8))


@examples(3 * USUAL)
@given(rows=tables())
def test_labels_are_numbered_as_they_come(rows):
    """Equality is Python's; None and NaN are missing."""
    codes, labels, position, error = _encode.number_rows(rows)
    assert (position, error) == (-1, None)
    assert codes.shape == (len(rows), len(rows[0]) if rows else 0)
    known = {}
    for row, result in zip(rows, codes.tolist(), strict=True):
        for label, code in zip(row, result, strict=True):
            assert code == (-1 if is_missing(label) else known.setdefault(label, len(known)))
    assert labels == list(known)
    assert [type(label) for label in labels] == [type(label) for label in known]


@pytest.mark.parametrize(
    "rows", [[[1], [1, 2]], [[1, 2], [1]], [[1], 2], [[1], "a"], [1], [{1}], [[1], None]]
)
def test_what_are_no_rows_is_told(rows):
    """Rows of other lengths, and rows that are neither lists nor tuples."""
    assert _encode.number_rows(rows) is None


@pytest.mark.parametrize("missing", [None, math.nan])
def test_a_label_without_a_hash_is_told_with_its_place(missing):
    """Counted row by row; missing ones are no labels."""
    _, _, position, error = _encode.number_rows([[1, missing, 2], [3, {4}, 5]])
    assert position == 4
    assert "unhashable" in str(error)


class Triple(NamedTuple):
    """A tuple with names."""

    coder: object
    item: object
    label: object


@examples(3 * USUAL)
@given(
    triples=st.lists(
        st.tuples(LABELS, LABELS, LABELS).flatmap(
            lambda triple: st.sampled_from([triple, list(triple), Triple(*triple)])
        ),
        max_size=40,
    )
)
def test_triples_are_numbered_by_member(triples):
    """Each member by itself, like a column; more triples than are prefetched."""
    codes = np.full((3, len(triples)), -7, np.int32)
    known = _encode.number_triples(triples, codes)
    for member in range(3):
        column = [triple[member] for triple in triples]
        expected, labels = np.empty(len(triples), np.int32), {}
        assert _encode.encode_objects(column, labels, expected) == (-1, None)
        assert codes[member].tolist() == expected.tolist()
        assert known[member] == list(labels)
        assert list(map(type, known[member])) == list(map(type, labels))


@pytest.mark.parametrize("n", [0, 7, 8, 9, 15, 16, 17, 40])
@pytest.mark.parametrize(
    "bad",
    [(), (1, 2), [1, 2], (1, 2, 3, 4), [1, 2, 3, 4], "abc", {1, 2, 3}, None, 5, ({1}, 2, 3),
     (1, {2}, 3), (1, 2, [3])],
)  # fmt: skip
def test_what_is_no_triple_is_told(n, bad):
    """Wherever it stands among triples."""
    for place in {0, n // 2, n}:
        triples = [(1, 2, 3)] * n
        triples.insert(place, bad)
        assert _encode.number_triples(triples, np.empty((3, n + 1), np.int32)) is None


def test_triples_that_shrink_on_the_way_are_told():
    """A label whose hash shortens its list, or the list of triples."""

    class Shortens:
        def __init__(self, victim):
            self.victim = victim

        def __hash__(self):
            del self.victim[1:]
            return 1

    triples = [(1, 2, 3) for _ in range(40)]
    triples[0] = (Shortens(triples), 2, 3)
    assert _encode.number_triples(triples, np.empty((3, 40), np.int32)) is None
    one = [0, 2, 3]
    one[0] = Shortens(one)
    assert _encode.number_triples([one], np.empty((3, 1), np.int32)) == ([one[0]], [2], [3])


@examples(3 * USUAL)
@given(labels=st.lists(LABELS.filter(lambda x: not is_missing(x)), unique=True))
def test_labels_are_sorted_where_they_can_be(labels):
    """Sets are never sorted, and mixed types keep their order."""
    order = _encode.arrange(labels)
    assert sorted(order) == list(range(len(labels)))
    try:
        expected = sorted(labels)
        if any(isinstance(label, frozenset) for label in labels):
            raise TypeError
    except TypeError:
        expected = labels
    assert [labels[i] for i in order] == expected


def test_whole_floats_are_integers_where_all_are():
    """1.0 and 1 are one label."""
    assert list(map(type, _encode.integral([1.0, -2.0]))) == [int, int]
    assert _encode.integral([1.0, 2.5]) == [1.0, 2.5]
    assert list(map(type, _encode.integral([1.0, 2]))) == [float, int]
    assert _encode.integral([1.0, math.inf]) == [1.0, math.inf]
    assert _encode.integral([]) == []


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize("K", [0, 1, 2, 127, 128, 300, 32767, 32768])
def test_labels_are_settled_in_the_narrowest_type(K, dtype):
    """Codes follow their labels, missing ones stay -1."""
    if np.iinfo(dtype).max < K - 1:
        return
    rng = np.random.default_rng(K)
    labels = rng.permutation(K).tolist()
    codes = rng.integers(-1, K, (50, 3)) if K else np.full((50, 3), -1)
    if K:
        codes[0] = [K - 1, 0, -1]
    result, out = _encode.settle(codes.astype(dtype), labels)
    assert result == tuple(range(K))
    assert out.dtype == (np.int8 if K <= 127 else np.int16 if K <= 32767 else np.int32)
    assert out.tolist() == [-1 if c < 0 else labels[c] for c in codes.reshape(-1).tolist()]


DTYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", ["C", "F", "strided"])
def test_small_integers_are_settled(dtype, order):
    """In any layout."""
    kind = np.dtype(dtype).kind
    for low, high in [(0, 1), (0, 5), (-128, -120), (100, 127), (-128, 127), (1, 127), (0, 127)]:
        if kind == "u" and low < 0:
            continue
        rng = np.random.default_rng(high - low)
        wide = rng.integers(low, high + 1, (500, 4))
        wide[0], wide[1] = low, high
        table = wide.astype(dtype)
        given = {
            "C": table,
            "F": np.asfortranarray(table),
            "strided": table[::-1, ::-1][::-1, ::-1],
        }
        plain = table.reshape(-1).tolist()
        labels = sorted(set(plain))
        result = _encode.settle_integers(given[order])
        if len(labels) > 127:
            assert result is None
            continue
        place = {label: code for code, label in enumerate(labels)}
        assert result[0] == tuple(labels)
        assert set(map(type, result[0])) <= {int}
        assert result[1].dtype == np.int8
        assert result[1].tolist() == [place[x] for x in plain]


@pytest.mark.parametrize(
    ("number", "dtype"),
    [
        (128, "i2"),
        (-129, "i2"),
        (128, "u1"),
        (2**63, "u8"),
        (-(2**63), "i8"),
    ],
)
def test_other_integers_are_left_to_others(number, dtype):
    """The answer is None at any place of the number."""
    for place in (0, 5, 11):
        table = np.zeros((4, 3), dtype)
        table.reshape(-1)[place] = number
        assert _encode.settle_integers(table) is None


def fractions(n_labels, dtype):
    """Distinct numbers far apart and side by side, some whole, none of them in order."""
    rng = np.random.default_rng(n_labels)
    one = np.dtype(dtype).type(1)
    pool = [0.0, 0.1, np.nextafter(one / 10, one), 0.5, -3.0, 1e30, -1e-30, math.inf, -math.inf]
    pool += (rng.permutation(400) / 7 - 20).tolist()
    distinct = list(dict.fromkeys(np.array(pool, dtype).tolist()))[:n_labels]
    assert len(distinct) == n_labels
    return [distinct[i] for i in rng.permutation(n_labels)]


#: Cells around the blocks of 256 values, and around those after which the labels are sorted.
CELLS = (1, 2, 255, 256, 257, 513, 4095, 4096, 4097, 4600)


@pytest.mark.few
@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("layout", ["C", "Fortran", "strided", "reversed", "read-only"])
@pytest.mark.parametrize("n", CELLS)
def test_few_numbers_are_numbered(dtype, layout, n):
    """In any order: NaN is missing, -0.0 is 0.0, and the last cell may hold a new number."""
    for n_labels, width in itertools.product((1, 2, 9, 40, 127), (1, 3, 5)):
        labels = fractions(n_labels, dtype)
        rng = np.random.default_rng(n)
        rows = -(-n // width)
        plain = rng.choice(labels[: max(1, n_labels - 1)], rows * width)
        plain[rng.random(plain.shape) < 0.1] = np.nan
        plain[plain == 0] = rng.choice([0.0, -0.0], np.count_nonzero(plain == 0))
        plain[-1] = labels[-1]
        table = laid_out(plain.astype(dtype).reshape(rows, width), layout)
        given = [None if x != x else float(x) for x in plain.astype(dtype).tolist()]
        used = sorted({x for x in given if x is not None})
        place = {label: code for code, label in enumerate(used)}
        result, codes = _encode.few_numbers(table, 127)
        assert result == used
        assert all(math.copysign(1, x) == 1 for x in result if x == 0)
        assert codes.dtype == np.int8
        assert codes.tolist() == [-1 if x is None else place[x] for x in given]
        assert _encode.few_numbers(np.repeat(table, 2, axis=0)[::2], 127)[0] == used
        assert _encode.few_numbers(table, len(used))[0] == used
        assert _encode.few_numbers(table, len(used) - 1) is None


def test_nothing_is_few_numbers():
    """Tables without a cell, and of NaN alone."""
    for shape in [(0, 3), (3, 0), (0, 0)]:
        result, codes = _encode.few_numbers(np.zeros(shape), 127)
        assert result == []
        assert codes.size == 0
    result, codes = _encode.few_numbers(np.full((300, 2), np.nan), 127)
    assert result == []
    assert codes.tolist() == [-1] * 600
    negative = -np.full((2, 2), np.nan)
    assert _encode.few_numbers(negative, 127)[1].tolist() == [-1] * 4
    assert _encode.few_numbers(np.arange(256.0).reshape(128, 2), 127) is None


def test_numbers_that_differ_anywhere_in_their_bits_are_told_apart():
    """Keys that differ in one bit of 64, or have equal halves: all get slots of their own."""
    bits = [1 << place for place in range(63)]
    bits += [bit | (1 << 32 | 1) for bit in bits[:62]]
    numbers = np.array(list(dict.fromkeys(bits)), np.uint64).view(np.float64)
    numbers = numbers[np.isfinite(numbers)][:127].reshape(-1, 1)
    result, codes = _encode.few_numbers(numbers, 127)
    assert result == sorted(numbers[:, 0].tolist())
    assert [result[code] for code in codes] == numbers[:, 0].tolist()


def test_what_occurs_is_listed():
    """Places from the lowest on; a value beyond them gives no answer."""
    values = np.array([3, 5, 3, 7], np.int16)
    assert _encode.present(values, 3, 5) == [0, 2, 4]
    assert _encode.present(values, 3, 4) is None
    assert _encode.present(values, 4, 9) is None
    assert _encode.present(np.array([-128, -121], np.int8), -130, 10) == [2, 9]
    assert _encode.present(np.array([121, 127], np.int8), 120, 10) == [1, 7]
    for n, high in itertools.product((1, 255, 256, 257, 1000), (-128, -100, 0, 15, 100, 127)):
        for n_states in (1, 2, 15, 16, 17, 100):
            low = max(-128, high - n_states + 1)
            bytes_ = np.full(n, high, np.int8)
            bytes_[n // 2] = low
            expected = sorted({int(x) - low for x in bytes_})
            assert _encode.present(bytes_, low, high - low + 1) == expected
            if high < 127:
                bytes_[-1] = high + 1
                assert _encode.present(bytes_, low, high - low + 1) is None
            if low > -128:
                bytes_[-1] = low - 1
                assert _encode.present(bytes_, low, high - low + 1) is None


@pytest.mark.parametrize("known", [{}, {"b": 0, 7: 3}])
def test_elements_are_numbered_set_by_set(known):
    """As they appear, after those that are known; missing ones are -1."""
    sets = [
        frozenset(), frozenset("ab"), frozenset([1, "b", None]), frozenset([True, 7, math.nan]),
        frozenset([(1, 2), frozenset("a")]),
    ]  # fmt: skip
    codes, expected = dict(known), dict(known)
    out = np.full(sum(map(len, sets)), -5, np.int32)
    _encode.encode_elements(sets, codes, out)
    listed, following = [], max(known.values(), default=-1) + 1
    for value in [value for some in sets for value in some]:
        if value is None or value != value:
            listed.append(-1)
            continue
        if value not in expected:
            expected[value], following = following, following + 1
        listed.append(expected[value])
    assert out.tolist() == listed
    assert codes == expected
    _encode.encode_elements([], codes, out[:0])
    assert codes == expected


def test_types_of_elements_are_all_told():
    assert _encode.element_types([]) == set()
    assert _encode.element_types([frozenset(), frozenset()]) == set()
    mixed = [frozenset([1, "a"]), frozenset([2.5, 1]), frozenset([True]), frozenset(["a", None])]
    assert _encode.element_types(mixed) == {int, str, float, bool, type(None)}
