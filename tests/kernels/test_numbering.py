"""Numbering of rows of bytes and columns of text, in order of first appearance."""

import itertools
import tracemalloc
from unittest.mock import patch

import numpy as np
import pytest
from examples import USUAL, examples
from hash_secrets import KNOWN, mix, secrets
from hypothesis import given
from hypothesis import strategies as st

from agreement_fast import patterns
from agreement_fast._kernels import _patterns, _texts
from agreement_fast._kernels._rows import Rows
from agreement_fast.reading.row_order import group_within

pa = pytest.importorskip("pyarrow")

#: Numbers of entries around the length of a run, and around the sizes at which the table grows.
LENGTHS = [0, 1, 2, 127, 128, 129, 255, 256, 257, 384, 385, 511, 512, 513, 1920, 1921, 2049, 8200]


def numbered(values):
    """Numbers by a dict, and the place of each value's first appearance; None is missing."""
    known, first, codes = {}, [], []
    for i, value in enumerate(values):
        if value is not None and value not in known:
            known[value] = len(known)
            first.append(i)
        codes.append(-1 if value is None else known[value])
    return codes, first, list(known)


def group(rows):
    out = np.empty(len(rows), np.int32)
    first = _patterns.group_rows(rows, out)
    assert first.dtype == np.int64
    return out.tolist(), first.tolist()


@pytest.mark.few
@pytest.mark.parametrize("width", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 31, 40])
@pytest.mark.parametrize("n", LENGTHS)
def test_rows_are_numbered_as_a_dict_does(n, width):
    """Few distinct rows and many, of every width."""
    rng = np.random.default_rng([n, width])
    for high in (1, 2, 3, 256):
        rows = rng.integers(0, high, (n, width)).astype(np.uint8)
        codes, first, _ = numbered([row.tobytes() for row in rows])
        assert group(rows) == (codes, first)


@pytest.mark.parametrize("n", LENGTHS)
def test_all_different_and_all_twice(n):
    """The table grows in the middle of its input."""
    for width in (8, 16):
        numbers = np.arange(n, dtype=np.int64) * (1 << 40)
        rows = np.repeat(numbers[:, None], width // 8, axis=1)
        rows = np.concatenate([rows, rows[::-1]]).view(np.uint8).reshape(2 * n, width)
        assert group(rows) == ([*range(n), *range(n - 1, -1, -1)], list(range(n)))


# ---------------------------------------------------------------- lists of judgments


def rows_of(lists, parts, dtype=np.int8):
    """Lists of label, coder and repeats as rows; `parts` says which of the latter are known."""
    cells = np.array([cell for one in lists for cell in one], np.int64).reshape(-1, 3)
    return Rows(
        cells[:, 0].astype(dtype),
        0,
        np.cumsum([0, *map(len, lists)]),
        cells[:, 1].astype(np.int32) if "coders" in parts else None,
        cells[:, 2].copy() if "repeats" in parts else None,
        np.arange(len(lists)),
    )


#: Long and short lists that differ from each other in their ends, or in numbers of many bits.
CELLS = st.tuples(
    st.integers(0, 1), st.sampled_from([0, 1, 2**31 - 1]), st.sampled_from([1, 2**31, 2**40])
)
LISTS = st.builds(
    lambda cells, times, end: cells * times + end,
    st.lists(CELLS, max_size=3),
    st.sampled_from([1, 1, 2, 11]),
    st.lists(CELLS, max_size=1),
)


@examples(3 * USUAL)
@given(
    distinct=st.lists(LISTS, min_size=1, max_size=12),
    order=st.lists(st.integers(0, 11), max_size=30),
    parts=st.sampled_from([("coders",), ("repeats",), (), ("coders", "repeats")]),
    dtype=st.sampled_from([np.int8, np.int16, np.int32]),
    room=st.sampled_from([0, 2**62]),
)
def test_lists_are_numbered_as_a_dict_does(distinct, order, parts, dtype, room):
    """Whether all of them are padded to one length, or those of a power of two to theirs."""
    lists = [distinct[i % len(distinct)] for i in order]
    known = [True, "coders" in parts, "repeats" in parts]
    seen = [tuple(tuple(itertools.compress(cell, known)) for cell in one) for one in lists]
    codes, first, _ = numbered(seen)
    with patch.object(patterns, "room_of_table", lambda n: room):
        rows = rows_of(lists, parts, dtype)
        number, result = patterns.number_rows(rows)
        grouped = patterns.group_rows(rows)
        within, groups = group_within(rows, np.array(codes, np.int64) % 2, 2**31, 2)
    assert (number.dtype, result.dtype) == (np.int32, np.int64)
    assert (number.tolist(), result.tolist()) == (codes, first)
    assert grouped.n_rows == len(first)
    assert grouped.weights.tolist() == np.bincount(codes, range(len(codes))).tolist()
    assert within.n_rows == len(first)
    assert sorted(groups.tolist()) == sorted(code % 2 for code in set(codes))


@pytest.mark.parametrize("parts", [("coders",), ("repeats",), (), ("coders", "repeats")])
@pytest.mark.parametrize("room", [0, 2**62])
def test_lists_differ_by_each_part(parts, room):
    """All lists of up to three judgments, whose numbers differ in their lowest or highest bits."""
    known = [True, "coders" in parts, "repeats" in parts]
    cells = itertools.product([0, 1], [0, 256] if known[1] else [0], [1, 2**32 + 1][: 1 + known[2]])
    cells = list(cells)
    lists = [list(one) for n in range(4) for one in itertools.product(cells, repeat=n)]
    order = np.random.default_rng(1).permutation(2 * len(lists)) % len(lists)
    codes, first, _ = numbered(order.tolist())
    with patch.object(patterns, "room_of_table", lambda n: room):
        number, result = patterns.number_rows(rows_of([lists[i] for i in order], parts))
    assert (number.tolist(), result.tolist()) == (codes, first)


def test_a_long_list_costs_no_more_than_its_judgments():
    """A gold item of all coders beside many items of few."""
    lengths = np.array([1, 3] * 2000 + [0, 4000, 4000, 3999])
    start = np.concatenate([[0], np.cumsum(lengths)])
    coders = (np.arange(start[-1]) - np.repeat(start[:-1], lengths)).astype(np.int32)
    rows = Rows(np.zeros(start[-1], np.int8), 0, start, coders)
    tracemalloc.start()
    number, first = patterns.number_rows(rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert number.tolist() == [0, 1] * 2000 + [2, 3, 3, 4]
    assert first.tolist() == [0, 1, 4000, 4001, 4003]
    assert peak < 100 * (len(coders) + len(lengths))


def state(half, length):
    """The state of a text's hash after its first eight bytes."""
    return (mix(KNOWN[2] ^ length ^ int.from_bytes(half, "little")) + 0x9E3779B97F4A7C15) % 2**64


def alike(rest, n):
    """Texts of ASCII characters of one hash, which differ in their first 16 bytes."""
    length, result, goal = 16 + len(rest), [], None
    for candidate in range(10**8):
        half = b"%08d" % candidate
        goal = state(half, length) ^ 0x4141414141414141 if goal is None else goal
        second = (state(half, length) ^ goal).to_bytes(8, "little")
        if max(second) < 128:
            result.append(half + second + rest)
        if len(result) == n:
            return result


def longer_and_shorter():
    """Texts of one hash; the longer begins and ends like the shorter."""
    for candidate in range(10**8):
        half = b"%08d" % candidate
        middle = state(half, 24) ^ KNOWN[2] ^ 16 ^ int.from_bytes(half, "little")
        if max(middle.to_bytes(8, "little")) < 128:
            return [half + b"the tail", half + middle.to_bytes(8, "little") + b"the tail"]


@pytest.mark.parametrize("texts", [alike(b"", 5), alike(b"the tail", 5), longer_and_shorter()])
def test_different_bytes_with_one_hash_are_two(texts):
    """Bytes are compared, and the search goes on if they differ."""
    with secrets(*KNOWN):
        _are_two(texts)


def _are_two(texts):
    order = [0, 1, 0, 2, 3, 1, 4, 4, 2, 0]
    chosen = [texts[i % len(texts)] for i in order]
    codes, first, distinct = numbered(chosen)
    assert len(distinct) == len(texts)
    assert read(pa.chunked_array([[text.decode() for text in chosen]])) == (
        codes,
        [text.decode() for text in distinct],
    )
    if len({*map(len, texts)}) == 1:
        rows = np.frombuffer(b"".join(chosen), np.uint8).reshape(len(order), -1)
        assert group(rows) == (codes, first)


# ---------------------------------------------------------------- text

LAYOUTS = {"string": pa.string(), "large": pa.large_string(), "view": pa.string_view()}


def read(column):
    out = np.full(len(column), -7, np.int32)
    texts = _texts.number_texts(column.__arrow_c_stream__(), out)
    return out.tolist(), texts


def laid_out(values, layout, cuts=()):
    """A column in several chunks, each a slice of a longer array."""
    cuts = [0, *cuts, len(values)]
    chunks = []
    for begin, end in itertools.pairwise(cuts):
        long = pa.array(["before", None, *values[begin:end], "after"], LAYOUTS[layout])
        chunks.append(long.slice(2, end - begin))
    return pa.chunked_array(chunks, LAYOUTS[layout])


def assert_read(values, layout, cuts=()):
    codes, _, distinct = numbered(values)
    assert read(laid_out(values, layout, cuts)) == (codes, distinct)


@pytest.mark.parametrize("layout", LAYOUTS)
@examples(3 * USUAL)
@given(
    values=st.lists(
        st.one_of(
            st.none(), st.text(max_size=20), st.sampled_from(["", "a", "\0", "a\0", "ä", "𝒳"])
        )
    ),
    data=st.data(),
)
def test_texts_are_numbered_as_a_dict_does(layout, values, data):
    """In any chunks, missing ones, empty ones and characters of several bytes among them."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(values)), max_size=3)))
    assert_read(values, layout, cuts)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("length", [*range(18), 23, 24, 25, 32, 33])
def test_texts_that_differ_in_one_byte_are_two(layout, length):
    """Every byte counts, and so does the length."""
    base = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ"[:length]
    texts = [base, base + "\0", base + "\0\0", base[:-1]]
    texts += [base[:i] + "_" + base[i + 1 :] for i in range(length)]
    assert_read(texts + texts[::-1] + [None], layout)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n", LENGTHS)
def test_any_number_of_texts(layout, n):
    """Few and many, a third of them missing, each in several chunks."""
    rng = np.random.default_rng(n)
    for distinct in (1, 5, max(n, 1), 10 * n + 1):
        numbers = rng.integers(0, distinct, n)
        values = [None if rng.random() < 0.3 else f"item of number {i}"[8:] for i in numbers]
        assert_read(values, layout, [n // 3, n // 3, 2 * n // 3])
        assert_read([value for value in values if value], layout)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_no_chunks_and_nothing_but_missing(layout):
    """There are no texts then."""
    assert read(pa.chunked_array([], LAYOUTS[layout])) == ([], [])
    assert_read([], layout)
    assert_read([None] * 300, layout)


@pytest.mark.parametrize(
    "column",
    [
        pa.chunked_array([[1, 2]]),
        pa.chunked_array([[b"a"]]),
        pa.chunked_array([[0.5]]),
        pa.chunked_array([pa.array(["a", "b"]).dictionary_encode()]),
    ],
)
def test_what_is_no_plain_text_is_told(column):
    """Numbers, bytes and categories."""
    assert read(column)[1] is None


def test_a_column_of_another_length_is_refused():
    """The kernel writes all codes, and nothing beyond them."""
    column = pa.chunked_array([["a", "b"], ["c"]])
    out = np.full(4, -7, np.int32)
    with pytest.raises(ValueError, match="more than it said"):
        _texts.number_texts(column.__arrow_c_stream__(), out[:2])
    assert out[2:].tolist() == [-7, -7]
    with pytest.raises(ValueError, match="less than it said"):
        _texts.number_texts(column.__arrow_c_stream__(), out)


@pytest.mark.parametrize("given", [None, "text", 1])
def test_what_is_no_stream_is_refused(given):
    """Also a capsule of something else."""
    with pytest.raises((TypeError, ValueError)):
        _texts.number_texts(given, np.empty(1, np.int32))
    with pytest.raises(ValueError, match="PyCapsule"):
        _texts.number_texts(pa.string().__arrow_c_schema__(), np.empty(1, np.int32))
