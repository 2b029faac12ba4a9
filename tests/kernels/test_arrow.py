"""The kernels that read Arrow streams and sort rows into bins, against plain Python."""

import itertools
import random

import numpy as np
import pyarrow as pa
import pytest
from hash_secrets import KNOWN, mix, secrets

from agreement_fast._kernels import _arrow, _group

TEXTS = ["", "a", "b", "ab", "ba", "\0", "a\0", "abc", "1234567", "12345678", "123456789", "é" * 40]
NUMBERS = [0, 1, -1, 7, 2**62, -(2**63), 2**63 - 1]


def batches_of(*columns):
    """The batches of a pyarrow stream, each of the length of a chunk of the first column."""
    table = pa.table({str(i): column for i, column in enumerate(columns)})
    stream = _arrow.Batches(table.__arrow_c_stream__())
    result = []
    while True:
        batch, message = stream.next()
        assert message is None
        if batch is None:
            assert stream.next() == (None, None)
            return result
        result.append(batch)


def array(values, kind):
    """An Arrow array of a kind that is read."""
    return pa.array(values, pa.large_string() if kind == "text" else pa.int64())


def drawn(kind, n, empty, seed):
    """Cells that repeat, some of them empty."""
    draw = random.Random(seed)
    pool = TEXTS if kind == "text" else NUMBERS
    return [None if draw.random() < empty else draw.choice(pool) for _ in range(n)]


def cells(distinct, kind):
    """What was numbered, as Python has it."""
    if kind == "text":
        return [cell.decode() for cell in distinct.cells()]
    return [int(np.frombuffer(cell, np.int64)[0]) for cell in distinct.cells()]


@pytest.mark.parametrize("kind", ["text", "number"])
@pytest.mark.parametrize("empty", [0, 0.3, 1])
@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 63, 64, 65, 200])
@pytest.mark.parametrize("start", [0, 1, 7, 8, 13])
def test_cells_are_numbered_as_they_come(kind, empty, n, start):
    """From any place of a longer array, in any order of columns, into any stride."""
    values = drawn(kind, start + n + 5, empty, n)
    column = array(values, kind)[start : start + n]
    other = array(list(range(n)), "number")
    correct = values[start : start + n]
    distinct, known = _arrow.Distinct(), {}
    for batch in batches_of(other, column):
        out = np.full((len(batch), 2), 99, np.int32)
        told = _arrow.number_cells(batch, 1, distinct, out[:, 1])
        expected = [-1 if v is None else known.setdefault(v, len(known)) for v in correct]
        assert out[:, 1].tolist() == expected
        assert (out[:, 0] == 99).all()
        assert told == (correct.count(None), correct.index(None) if None in correct else -1)
        for row, value in enumerate(correct):
            if value is not None and kind == "text":
                assert _arrow.cell_at(batch, 1, row).decode() == value
    assert cells(distinct, kind) == list(known)
    assert len(distinct) == len(known)


@pytest.mark.parametrize("kind", ["text", "number"])
def test_numbers_go_on_over_batches_and_as_the_table_grows(kind):
    """Around the sizes at which the room grows."""
    for n in (511, 512, 513, 1023, 1024, 1025, 5000):
        values = [f"name {i * 7919}" if kind == "text" else i * 7919 for i in range(n)] * 2
        column = pa.chunked_array([array(values[:n], kind), array(values[n:], kind)])
        distinct = _arrow.Distinct()
        for batch in batches_of(column):
            out = np.empty(n, np.int32)
            assert _arrow.number_cells(batch, 0, distinct, out) == (0, -1)
            assert out.tolist() == list(range(n))
        assert cells(distinct, kind) == values[:n]


def test_long_texts_have_room():
    """A text longer than all the room."""
    texts = ["x" * 5000, "y" * 8191, "z" * 100_000, "x" * 5001, "", "y" * 8191]
    distinct = _arrow.Distinct()
    (batch,) = batches_of(array(texts, "text"))
    out = np.empty(6, np.int32)
    _arrow.number_cells(batch, 0, distinct, out)
    assert out.tolist() == [0, 1, 2, 3, 4, 1]
    assert cells(distinct, "text") == texts[:5]


def keys_of(texts):
    """The keys of texts."""
    (batch,) = batches_of(array(texts, "text"))
    out = np.empty((len(texts), 2), np.int64)
    _arrow.take_keys(batch, 0, out)
    return out


def test_keys_of_texts_differ_in_both_words():
    """Each byte matters at every length, and zero bytes change the hash by the length."""
    texts = ["".join(some) for n in range(7) for some in itertools.product("a\0b", repeat=n)]
    for n in range(1, 70):
        plain = "ab" * n
        texts += {plain[:n] + "\0" * k for k in range(3)}
        texts += [plain[:i] + "#" + plain[i + 1 : n] for i in range(n)]
    texts = list(dict.fromkeys(texts))
    keys = keys_of(texts)
    assert len(np.unique(keys[:, 0])) == len(np.unique(keys[:, 1])) == len(texts)
    # Nothing else matters: neither the place in memory nor the bytes around it.
    order = random.Random(1).sample(range(len(texts)), len(texts))
    assert (keys_of([texts[i] for i in order]) == keys[order]).all()
    numbers = _arrow.Distinct()
    (batch,) = batches_of(array(texts + texts[::-1], "text"))
    out = np.empty(2 * len(texts), np.int32)
    _arrow.number_cells(batch, 0, numbers, out)
    assert out.tolist() == [*range(len(texts)), *reversed(range(len(texts)))]


@pytest.mark.parametrize("kind", ["text", "number"])
@pytest.mark.parametrize("empty", [0, 0.3, 1])
def test_keys_of_empty_cells_are_none(kind, empty):
    """They are counted, and the row of the first is returned."""
    values = drawn(kind, 100, empty, 3)
    (batch,) = batches_of(array(values, kind))
    out = np.full((100, 1 + (kind == "text")), 5, np.int64)
    told = _arrow.take_keys(batch, 0, out)
    assert told == (values.count(None), values.index(None) if None in values else -1)
    for value, key in zip(values, out.tolist(), strict=True):
        if value is None:
            assert not any(key)
        elif kind == "number":
            assert key == [value]


def test_what_does_not_fit_is_refused():
    """Types that are not read, columns that are not there, and too little room."""
    numbers = pa.array([1, 2])
    others = [numbers.cast(kind) for kind in (pa.int32(), pa.string(), pa.float64(), pa.uint64())]
    for column in (*others, numbers.dictionary_encode()):
        with pytest.raises(TypeError, match="not 64-bit integers"):
            _arrow.Batches(pa.table({"a": numbers, "b": column}).__arrow_c_stream__())
    (batch,) = batches_of(array([1, 2], "number"))
    assert len(batch) == 2
    for place, out in ((1, np.empty(2, np.int32)), (-1, np.empty(2, np.int32)),
                       (0, np.empty(1, np.int32))):  # fmt: skip
        with pytest.raises(IndexError):
            _arrow.number_cells(batch, place, _arrow.Distinct(), out)
    for shape in ((1, 1), (2, 2)):
        with pytest.raises(IndexError):
            _arrow.take_keys(batch, 0, np.empty(shape, np.int64))
    for row in (-1, 2):
        with pytest.raises(IndexError):
            _arrow.cell_at(batch, 0, row)


def test_what_goes_wrong_in_the_stream_is_told():
    """The message of its producer."""

    def broken():
        yield pa.record_batch({"a": pa.array([1])})
        raise ValueError("nothing more")

    schema = pa.schema([("a", pa.int64())])
    stream = pa.RecordBatchReader.from_batches(schema, broken()).__arrow_c_stream__()
    stream = _arrow.Batches(stream)
    assert len(stream.next()[0]) == 1
    batch, message = stream.next()
    assert batch is None
    assert "nothing more" in message


# ---------------------------------------------------------------- bins


@pytest.mark.parametrize("width", [1, 2, 3, 5])
@pytest.mark.parametrize("n", [0, 1, 2, 255, 1000])
@pytest.mark.parametrize("n_bins", [2, 4, 1024])
def test_bins_hold_the_rows_of_a_key_in_their_order(width, n, n_bins):
    """The upper bits of the mixed first word are the bin."""
    draw = np.random.default_rng(n)
    rows = draw.integers(-(2**63), 2**63 - 1, (n, width))
    rows[:, 0] = draw.choice([*range(40), -5, -(2**63), 2**63 - 1], n)
    ends, out = np.empty(n_bins, np.int64), np.empty_like(rows)
    with secrets(*KNOWN):
        _group.sort_into_bins(rows, ends, out)
    bins = [mix(row[0] % 2**64) >> (64 - n_bins.bit_length() + 1) for row in rows.tolist()]
    assert (
        out.tolist() == [rows[i].tolist() for i in np.argsort(bins, kind="stable")] if n else True
    )
    assert ends.tolist() == [sum(b <= at for b in bins) for at in range(n_bins)]


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 255, 1000])
@pytest.mark.parametrize("n_bins", [2, 16])
@pytest.mark.parametrize("few", [1, 3, 400])
def test_keys_are_numbered_bin_by_bin(width, n, n_bins, few):
    """Keys of two words also differ where the first ones are equal."""
    draw = np.random.default_rng(few)
    rows = draw.integers(0, few, (n, 3))
    rows[:, 1] %= 3
    ends, out = np.empty(n_bins, np.int64), np.empty_like(rows)
    _group.sort_into_bins(rows, ends, out)
    largest = int(np.diff(ends, prepend=0).max())
    slots = np.empty(1 << max(2 * largest - 1, 0).bit_length(), np.int32)
    codes, first = np.full(n, -9, np.int32), np.full(n, -9, np.int64)
    n_keys = _group.number_keys(out, width, ends, slots, codes, first)
    known = {}
    for i, row in enumerate(out.tolist()):
        key = tuple(row[:width])
        assert codes[i] == known.setdefault(key, len(known))
    assert n_keys == len(known)
    assert [tuple(out[i, :width].tolist()) for i in first[:n_keys]] == list(known)
