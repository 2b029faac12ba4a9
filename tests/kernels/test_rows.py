"""Rows and the histogram of their keys, over every width that a histogram can have."""

import itertools

import numpy as np
import pytest

from agreement_fast import patterns as rows
from agreement_fast._kernels._rows import Rows

#: Columns and bits of a column whose keys fit a histogram.
WIDTHS = [
    (columns, bits)
    for columns, bits in itertools.product(range(1, rows.HISTOGRAM_BITS + 1), range(1, 9))
    if columns * bits <= rows.HISTOGRAM_BITS
]

#: Around the rows that a kernel takes at once, up to eight of them side by side.
LENGTHS = (1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 1030)

LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "strided": lambda table: np.repeat(np.repeat(table, 3, axis=0), 2, axis=1)[::3, ::2],
    "reversed": lambda table: np.ascontiguousarray(table[::-1, ::-1])[::-1, ::-1],
}


def values_of(kind, rng, n_states, shape):
    """Digits from 0: at random, all of them the largest, or the largest beside the smallest."""
    if kind == "random":
        return rng.integers(0, n_states, shape)
    out = np.full(shape, n_states - 1)
    if kind == "alternating":
        out.reshape(-1)[::2] = 0
    return out


def expected_histogram(digits, weights):
    """Each distinct row of digits and its weight, by numbering rows in Python's integers."""
    result = {}
    for row, weight in zip(digits.tolist(), weights.tolist(), strict=True):
        result[tuple(row)] = result.get(tuple(row), 0) + weight
    return {row: weight for row, weight in result.items() if weight}


@pytest.mark.few
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("columns", "bits"), WIDTHS)
def test_every_histogram_of_keys_counts_each_row(columns, bits, layout, monkeypatch):
    """Bits 1 to 8 a column, keys up to 17 bits, any layout, weighted or not, both ends of int8."""
    monkeypatch.setattr(rows, "FEW_ROWS", 0)
    monkeypatch.setattr(rows, "CELLS_A_ROW", 1 << rows.HISTOGRAM_BITS)
    rng = np.random.default_rng(columns * 10 + bits)
    for n_states in (2 ** (bits - 1) + (bits > 1), 2**bits):
        assert rows.key_bits(n_states, columns) == bits
        lows = sorted({-128, min(-1, 128 - n_states), 128 - n_states})
        kinds = ("random", "largest", "alternating")
        for turn, n_rows in enumerate(LENGTHS):
            low, kind = lows[turn % len(lows)], kinds[turn % 3]
            digits = values_of(kind, rng, n_states, (n_rows, columns))
            table = LAYOUTS[layout]((digits + low).astype(np.int8))
            for weights in (None, rng.integers(0, 4, n_rows)):
                result = rows.key_histogram(table, weights, low, n_states)
                assert result is not None
                each = np.ones(n_rows, np.int64) if weights is None else weights
                got = dict(zip(map(tuple, result[0].tolist()), result[1].tolist(), strict=True))
                assert got == expected_histogram(digits, each), (n_states, n_rows, low, kind)


def test_a_histogram_is_taken_only_where_its_keys_fit(monkeypatch):
    """Too wide, too few or not bytes: None, not a wrong count."""
    table = np.zeros((50, 2), np.int8)
    assert rows.key_histogram(table, None, 0, 2) is None  # few
    monkeypatch.setattr(rows, "FEW_ROWS", 50)
    assert rows.key_histogram(table, None, 0, 2) is not None
    assert rows.key_histogram(table[:49], None, 0, 2) is None
    assert rows.key_histogram(table, None, 0, 5) is None  # 64 cells
    monkeypatch.setattr(rows, "FEW_ROWS", 0)
    assert rows.key_histogram(np.zeros((128, 2), np.int8), None, 0, 5) is not None
    assert rows.key_histogram(np.zeros((127, 2), np.int8), None, 0, 5) is None
    assert rows.key_histogram(table.astype(np.int16), None, 0, 2) is None
    assert rows.key_histogram(table[:, :0], None, 0, 2) is None
    most = rows.HISTOGRAM_BITS
    assert rows.key_bits(2, most) == 1
    assert rows.key_bits(2, most + 1) is None
    assert rows.key_bits(3, most // 2) == 2
    assert rows.key_bits(3, most // 2 + 1) is None


@pytest.mark.parametrize("n", [0, 2, 4, 6])
def test_rows_have_a_weight_each(n):
    codes = np.zeros(6, np.int8)
    weights = np.ones(n, np.int64)
    with pytest.raises(ValueError, match=f"{n} weights of 3 rows"):
        Rows(codes, 2, weights=weights)
    with pytest.raises(ValueError, match=f"{n} weights of 1 rows"):
        Rows(codes, 0, np.array([0, 6]), weights=weights)
    for repeats, coders, message in (
        (weights, None, f"{n} repeats of 5"), (None, weights.astype(np.int32), f"{n} coders of 5")
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            Rows(codes[:5], 0, np.array([0, 5]), coders, repeats)
