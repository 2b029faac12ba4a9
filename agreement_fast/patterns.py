"""Rows of judgments, and their grouping into patterns.

Every definition of agreement sees an item only through its row of judgments, so equal rows are one
row with a weight (a pattern). A table of 5 coders and 5 categories has at most 7,776 of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from agreement_fast._kernels import _group, _patterns, _sums, parallel
from agreement_fast._kernels._rows import CountTable as CountTable
from agreement_fast._kernels._rows import Rows as Rows
from agreement_fast._kernels.arrays import Array, FloatArray
from agreement_fast.errors import TooLargeError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

#: Rows below which a histogram takes longer than the rows themselves.
FEW_ROWS = 8192

#: Cells that a histogram may have for each row: with more of them, α takes up to twice as long as
#: from the rows, and nothing that follows is faster.
CELLS_A_ROW = 0.5

#: A histogram of the rows' keys is taken while it stays in the processor's cache.
HISTOGRAM_BITS = 17

#: A histogram of the keys of several rows together is taken while it stays in the first cache.
BESIDE_BITS = 12

#: Histograms up to this size are kept four times over: equal keys in a row would wait.
SIDE_BITS = 12

#: Bytes of a row that a kernel packs into a key at once.
KEY_BYTES = 8


#: Sums of what is counted must fit 64 bits, with room to add two of them.
LARGEST_TOTAL = 2**62


def check_total(total: float, what: str) -> None:
    """Refuse more than can be counted."""
    if total >= LARGEST_TOTAL:
        raise TooLargeError(
            f"about {total:.3g} {what} cannot be counted in 64 bits",
            "divide the weights or counts by a common factor",
        )


def as_table(codes: Array, weights: Array | None) -> Rows:
    """Rows of an items × coders array of codes."""
    n_rows, width = codes.shape
    if width == 0:  # lists of no judgments: a table of width 0 would not know its length
        start = np.zeros(n_rows + 1, np.int64)
        return Rows(codes.reshape(-1), 0, start, np.zeros(0, np.int32), weights=weights)
    return Rows(np.ascontiguousarray(codes).reshape(-1), width, weights=weights)


def narrow(n_categories: int) -> type[np.signedinteger[Any]]:
    """The narrowest code type for a number of categories."""
    if n_categories <= 127:
        return np.int8
    return np.int16 if n_categories <= 32767 else np.int32


def key_bits(n_states: int, width: int) -> int | None:
    """Bits a column needs in a row's key, or None where a histogram of keys would be too large."""
    bits = max(1, (n_states - 1).bit_length())
    return bits if width and width * bits <= HISTOGRAM_BITS else None


def key_histogram(
    table: Array, weights: Array | None, low: int, n_states: int
) -> tuple[Array, Array] | None:
    """Distinct rows of a table of bytes, as digits from 0, and their weights. O(N · C).

    Every value must lie in low .. low + n_states - 1. Returns None if the rows are few or their
    keys do not fit a histogram, see `key_bits`.
    """
    n_rows, width = table.shape
    bits = key_bits(n_states, width)
    if bits is None or table.dtype != np.int8 or n_rows < FEW_ROWS:
        return None
    if 1 << bits * width > CELLS_A_ROW * n_rows:
        return None
    if weights is not None or not (_stored_by_row(table) or table.flags.f_contiguous):

        def count(first: int, last: int, out: Array) -> None:
            some = None if weights is None else weights[first:last]
            _patterns.count_keys(table[first:last], some, low, bits, out)

        histogram = _counted(count, n_rows, bits * width)
    else:
        histogram = _counted_beside(table, low, bits)
    keys = np.flatnonzero(histogram)
    digits = (keys[:, None] >> (bits * np.arange(width))) & ((1 << bits) - 1)
    return digits, histogram[keys]


def _stored_by_row(table: Array) -> bool:
    return table.flags.c_contiguous and table.shape[1] <= KEY_BYTES


def _counted_beside(table: Array, low: int, bits: int) -> Array:
    """The histogram of keys, several rows at a time having one key as long as keys stay few.

    Half of the additions to a histogram are then saved, or three quarters, or more.
    """
    n_rows, width = table.shape
    by_row = _stored_by_row(table)
    beside = 1
    while 2 * beside * width * bits <= BESIDE_BITS and (
        2 * beside * width <= KEY_BYTES or not by_row
    ):
        beside *= 2
    n_keys = n_rows // beside
    whole = table[: n_keys * beside]

    def count(first: int, last: int, out: Array) -> None:
        if by_row:
            keys = whole.reshape(n_keys, beside * width)
            _patterns.count_keys_of_rows(keys[first:last], low, bits, out)
        else:
            columns = whole.T.reshape(width, beside, n_keys).transpose(1, 0, 2)
            _patterns.count_keys_of_columns(columns[:, :, first:last], low, bits, out)

    together = _counted(count, n_keys, beside * width * bits)
    cells = 1 << (width * bits)
    together = together.reshape((cells,) * beside)
    histogram = np.zeros(cells, np.int64)
    for row in range(beside):
        histogram += together.sum(tuple(other for other in range(beside) if other != row))
    _patterns.count_keys(table[n_keys * beside :], None, low, bits, histogram[None])
    return histogram


def _counted(count: Callable[[int, int, Array], None], n_keys: int, key_bits: int) -> Array:
    """The histogram that `count` makes of keys first .. last - 1, over all of them."""

    def work(first: int, last: int) -> Array:
        sides = np.zeros((4 if key_bits <= SIDE_BITS else 1, 1 << key_bits), np.int64)
        count(first, last, sides)
        return cast(Array, sides.sum(0))

    return cast(Array, np.sum(parallel.over_rows(work, n_keys, 0.1), axis=0))


def group_equal(rows: Array) -> tuple[Array, Array]:
    """Number equal rows alike, in order of first appearance; O(N) expected.

    `rows` (array of shape (N, B) or (N,), any type without objects): rows are compared byte by
    byte. Returns int32 (N,); int64 (U,): a row of each group.
    """
    n_rows, width = len(rows), rows.size // max(len(rows), 1)
    as_bytes = np.ascontiguousarray(rows).view(np.uint8).reshape(n_rows, width * rows.itemsize)
    group = np.empty(n_rows, np.int32)
    return group, _patterns.group_rows(as_bytes, group)


def group_rows(rows: Rows) -> Rows:
    """The distinct rows, with the sum of their weights."""
    group, first = number_rows(rows)
    if rows.width and len(first) == rows.n_rows:
        return rows
    return take_rows(rows, first).replace(weights=sum_weights(group, len(first), rows.weights))


def number_rows(rows: Rows) -> tuple[Array, Array]:
    """Number equal rows alike, in order of first appearance; see `group_equal`."""
    return group_equal(rows.table()) if rows.width else _number_lists(rows)


def _number_lists(rows: Rows) -> tuple[Array, Array]:
    """Number equal lists alike; memory is of the order of the judgments and rows."""
    lengths = np.diff(rows.start)
    if len(lengths) * int(lengths.max(initial=0)) <= room_of_table(len(rows.codes)):
        return _group_padded(rows)
    # A few long lists among many short ones: within a power of two, padding doubles them at most.
    power = np.frexp(lengths)[1]
    number = np.empty(len(lengths), np.int32)
    result: list[Array] = []
    n_groups = 0
    for each in np.unique(power):
        picked = np.flatnonzero(power == each)
        group, first = _group_padded(take_rows(rows, picked))
        number[picked] = group + n_groups
        result.append(picked[first])
        n_groups += len(first)
    first = np.concatenate(result)
    order = np.argsort(first)
    place = np.empty(n_groups, np.int32)
    place[order] = np.arange(n_groups, dtype=np.int32)
    return place[number], first[order]


def _group_padded(rows: Rows) -> tuple[Array, Array]:
    """Number equal lists alike by their labels, coders and repeats, padded with -1."""
    lengths = np.diff(rows.start)
    parts = [part for part in (rows.codes, rows.coders, rows.repeats) if part is not None]
    longest = int(lengths.max(initial=0))
    if not longest:
        return np.zeros(rows.n_rows, np.int32), np.zeros(min(rows.n_rows, 1), np.int64)
    if rows.n_rows * longest == len(rows.codes):
        padded = np.stack([part.reshape(rows.n_rows, longest) for part in parts], axis=-1)
    else:
        padded = np.full((rows.n_rows, longest, len(parts)), -1, np.result_type(*parts))
        inside = np.arange(longest) < lengths[:, None]
        for i, part in enumerate(parts):
            padded[..., i][inside] = part
    return group_equal(padded.reshape(rows.n_rows, -1))


def count_labels(rows: Rows, n_categories: int) -> Rows:
    """Rows as their labels, with how often each occurs; coders are left out.

    The labels stand in ascending order, as those of a row of a table must.
    """
    if rows.width:
        table = rows.table()
        given = table >= 0
        new = given.copy()
        new[:, 1:] &= table[:, 1:] != table[:, :-1]
        place = np.flatnonzero(new[given])
        repeats = np.diff(place, append=np.count_nonzero(given))
        start = np.concatenate([[0], np.cumsum(new.sum(1))]).astype(np.int64)
        return Rows(table[new], 0, start, None, repeats.astype(np.int64), rows.weights)
    cells, counts = np.unique(
        row_of(rows, np.arange(len(rows.codes))) * n_categories + rows.codes, return_counts=True
    )
    row = cells // max(n_categories, 1)
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows.n_rows))])
    codes = (cells % max(n_categories, 1)).astype(rows.codes.dtype)
    return Rows(codes, 0, start.astype(np.int64), None, counts.astype(np.int64), rows.weights)


def list_positions(start: Array, picked: Array) -> tuple[Array, Array]:
    """Positions of the judgments of some lists, one list after the other, and their new offsets."""
    lengths = start[picked + 1] - start[picked]
    new_start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    positions = np.repeat(start[picked] - new_start[:-1], lengths) + np.arange(new_start[-1])
    return positions, new_start


def sum_weights(group: Array, n_groups: int, weights: Array | None) -> Array:
    """Sum whole numbers, or count, over each group: int64 (n_groups,)."""
    if weights is None:
        return np.bincount(group, minlength=n_groups).astype(np.int64)
    sums = np.zeros(n_groups, np.int64)
    np.add.at(sums, group, weights)
    return sums


# ---------------------------------------------------------------------- making and taking rows


def take_rows(rows: Rows, picked: Array) -> Rows:
    weights = None if rows.weights is None else rows.weights[picked]
    if rows.width:
        return as_table(rows.table()[picked], weights)
    positions, start = list_positions(rows.start, picked)
    return Rows(
        rows.codes[positions],
        0,
        start,
        None if rows.coders is None else rows.coders[positions],
        None if rows.repeats is None else rows.repeats[positions],
        weights,
    )


def cut_rows(rows: Rows, first: int, last: int) -> Rows:
    """The rows first .. last - 1; arrays are shared."""
    weights = None if rows.weights is None else rows.weights[first:last]
    if rows.width:
        return Rows(rows.codes[first * rows.width : last * rows.width], rows.width, weights=weights)
    some = slice(rows.start[first], rows.start[last])
    return Rows(
        rows.codes[some],
        0,
        rows.start[first : last + 1] - rows.start[first],
        None if rows.coders is None else rows.coders[some],
        None if rows.repeats is None else rows.repeats[some],
        weights,
    )


def room_of_table(n_judgments: int) -> int:
    """How many cells a table may have, so that it is filled enough not to be held as lists."""
    return max(4 * n_judgments, 1 << 16)


def take_coders(rows: Rows, chosen: Array, n_coders: int) -> Rows:
    if rows.width:
        return as_table(rows.table().take(chosen, 1), rows.weights)
    lookup = np.full(n_coders, -1, np.int32)
    lookup[chosen] = np.arange(len(chosen), dtype=np.int32)
    renamed = lookup[cast(Array, rows.coders)]
    kept = np.flatnonzero(renamed >= 0)
    row = row_of(rows, kept)
    order = kept[np.lexsort((renamed[kept], row))]
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=rows.n_rows))])
    lists = Rows(rows.codes[order], 0, start.astype(np.int64), renamed[order], None, rows.weights)
    if rows.n_rows * len(chosen) <= room_of_table(len(order)):
        return as_table(dense(lists, len(chosen)), rows.weights)
    return lists


def as_lists(rows: Rows) -> Rows:
    """A table as lists."""
    if not rows.width:
        return rows
    given = rows.table() >= 0
    start = np.concatenate([[0], np.cumsum(row_sizes(rows))])
    coders = np.broadcast_to(np.arange(rows.width, dtype=np.int32), given.shape)[given]
    return Rows(rows.table()[given], 0, start, coders, None, rows.weights)


def as_lists_without_coders(rows: Rows) -> Rows:
    """A table as lists that do not say who judged; lists as they are."""
    if not rows.width:
        return rows
    codes, start = rows.codes, np.arange(rows.n_rows + 1, dtype=np.int64) * rows.width
    given = codes >= 0
    if not given.all():
        codes = codes[given]
        start = np.concatenate([[0], np.cumsum(row_sizes(rows))])
    return Rows(codes, 0, start, None, None, rows.weights)


def stack(parts: list[Rows]) -> Rows:
    weights = None
    if any(part.weights is not None for part in parts):
        weights = np.concatenate(
            [np.ones(p.n_rows, np.int64) if p.weights is None else p.weights for p in parts]
        )
        check_total(float(weights.sum(dtype=np.float64)), "items")
        weights.flags.writeable = False
    widths = {part.width for part in parts}
    if len(widths) == 1 and 0 not in widths:
        codes = np.concatenate([part.codes for part in parts])
        return Rows(codes, parts[0].width, weights=weights)
    parts = [as_lists(part) for part in parts]
    offsets = np.cumsum([0, *(len(part.codes) for part in parts)])
    start = np.concatenate(
        [[0], *(p.start[1:] + offset for p, offset in zip(parts, offsets, strict=False))]
    ).astype(np.int64)
    coders = None
    if parts[0].coders is not None:
        coders = np.concatenate([cast(Array, part.coders) for part in parts])
    repeats = None
    if any(part.repeats is not None for part in parts):
        repeats = np.concatenate([cast(Array, part.repeats) for part in parts])
    return Rows(np.concatenate([p.codes for p in parts]), 0, start, coders, repeats, weights)


def row_sizes(rows: Rows | CountTable) -> Array:
    """How many judgments each row has: int64 (U,)."""
    sizes = np.zeros(rows.n_rows, np.int64)
    if isinstance(rows, CountTable):
        _sums.add_rows(rows, sizes)
        return sizes

    def work(first: int, last: int) -> None:
        _sums.sizes(rows.part(first, last), sizes)

    parallel.over_rows(work, rows.n_rows)
    return sizes


def used_labels(rows: Rows, n_categories: int) -> Array | None:
    """The labels that occur, in rows of any weight, ascending; None if all do. O(judgments)."""
    seen = np.zeros(n_categories, np.uint8)
    if _sums.mark_labels(rows, seen) == n_categories:
        return None
    return np.flatnonzero(seen)


#: Coders × categories that are counted in a table; more of them, mostly zeros, are listed.
DENSE = 1 << 24


def count_coders(
    rows: Rows, n_coders: int, n_categories: int, counted: Array | None = None
) -> Array | csr_array:
    """n_ck, how often each coder used each category: int64 (C, K), weights applied. O(judgments).

    `counted` flags the rows that count, as uint8; by default all do.
    """
    if n_coders * n_categories > DENSE:
        return _list_coders(rows, n_coders, n_categories, counted)

    def work(first: int, last: int) -> Array:
        out = np.zeros((n_coders, n_categories + 1), np.int64)
        _sums.coders(rows.part(first, last), counted, out)
        return out

    # Many coders: one table is enough memory.
    if n_coders * n_categories < 1 << 20:
        parts = parallel.over_rows(work, rows.n_rows)
    else:
        parts = [work(0, rows.n_rows)]
    return sum_of(parts)[:, 1:]


def _list_coders(rows: Rows, n_coders: int, n_categories: int, counted: Array | None) -> csr_array:
    from scipy.sparse import coo_array

    judged = np.flatnonzero(rows.codes >= 0)
    row = row_of(rows, judged)
    if counted is not None:
        kept = counted[row] > 0
        judged, row = judged[kept], row[kept]
    coders = judged % rows.width if rows.width else cast(Array, rows.coders)[judged]
    weights = np.ones(len(judged), np.int64) if rows.weights is None else rows.weights[row]
    shape = (n_coders, n_categories)
    return coo_array((weights, (coders, rows.codes[judged])), shape).tocsr()


def sum_of(parts: list[Array]) -> Array:
    """The sum of arrays, in the memory of the first."""
    total = parts[0]
    for part in parts[1:]:
        total += part
    return total


#: Cells of rows × categories, for each judgment, up to which all are counted at once.
TALLIED = 16


def tallied(rows: Rows, n_categories: int) -> tuple[Array, Array, Array]:
    """Count the labels of each row: rows and labels, ascending, and int64 counts above 0."""
    where = np.flatnonzero(rows.codes >= 0)
    keys = row_of(rows, where) * n_categories + rows.codes[where]
    repeats = None if rows.repeats is None else rows.repeats[where]
    cells = rows.n_rows * n_categories
    if cells <= TALLIED * len(keys):
        counted = np.bincount(keys, repeats, cells)
        places = np.flatnonzero(counted)
        counts = counted[places].astype(np.int64)
    elif repeats is None:
        places, counts = np.unique(keys, return_counts=True)
    else:
        places, place = np.unique(keys, return_inverse=True)
        counts = np.bincount(place, repeats).astype(np.int64)
    return *np.divmod(places, max(n_categories, 1)), counts


def row_of(rows: Rows, positions: Array) -> Array:
    """The row of each judgment, by its position among the codes."""
    if rows.width:
        return positions // rows.width
    return cast(Array, np.searchsorted(rows.start, positions, side="right") - 1)


def coder_of(rows: Rows, positions: Array) -> Array:
    """The coder of each judgment, by its position among the codes."""
    return positions % rows.width if rows.width else cast(Array, rows.coders)[positions]


def judgments_of(rows: Rows) -> tuple[Array, Array, Array]:
    """The row, the coder and the code of each judgment that is not missing."""
    where = np.flatnonzero(rows.codes >= 0)
    return row_of(rows, where), coder_of(rows, where), rows.codes[where]


def dense(rows: Rows, n_coders: int) -> Array:
    if rows.width:
        return rows.table()
    table = np.full((rows.n_rows, n_coders), -1, rows.codes.dtype)
    if len(rows.codes):
        row = np.repeat(np.arange(rows.n_rows), np.diff(rows.start))
        table[row, cast(Array, rows.coders)] = rows.codes
    return table


def codes_of_coder(rows: Rows, place: int) -> Array:
    """Return a coder's code for each row; -1 for none."""
    if rows.width:
        return rows.table()[:, place]
    out = np.full(rows.n_rows, -1, rows.codes.dtype)
    positions = np.flatnonzero(cast(Array, rows.coders) == place)
    out[row_of(rows, positions)] = rows.codes[positions]
    return out


def counts_of(rows: Rows, block: range, K: int) -> FloatArray:
    """How often each label occurs in the rows of a block: float64 (rows, K)."""
    begin, end = (
        (block.start * rows.width, block.stop * rows.width)
        if rows.width
        else (int(rows.start[block.start]), int(rows.start[block.stop]))
    )
    where = np.flatnonzero(rows.codes[begin:end] >= 0) + begin
    cells = (row_of(rows, where) - block.start) * K + rows.codes[where]
    repeats = None if rows.repeats is None else rows.repeats[where]
    counts = np.bincount(cells, repeats, len(block) * K).astype(np.float64, copy=False)
    return counts.reshape(len(block), K)


def by_size(sizes: Array) -> Iterator[tuple[int, Array]]:
    """Yield each size above 1, in ascending order, and the places where it is."""
    ordered = np.sort(sizes[sizes > 1])
    for size in ordered[np.diff(ordered, prepend=0) > 0].tolist():
        yield size, np.flatnonzero(sizes == size)


def coincidences_of(rows: Rows, K: int) -> FloatArray:
    """Krippendorff's coincidences of the rows: float64 (K, K). O(rows · K²).

    Pairs are counted by the size of their items and divided then, so that the order of the rows
    does not matter.
    """
    out = np.zeros((K, K))
    step = max(1, 2**22 // max(K, 1))
    for size, places in by_size(row_sizes(rows)):
        alike = take_rows(rows, places)
        pairs = np.zeros((K, K))
        for first in range(0, alike.n_rows, step):
            block = range(first, min(first + step, alike.n_rows))
            counts = counts_of(alike, block, K)
            weighted = counts if alike.weights is None else counts * alike.weights[block, None]
            pairs += counts.T @ weighted
            pairs[np.diag_indices(K)] -= weighted.sum(0)
        out += pairs / (size - 1)
    return out


def tally(rows: Rows, n_categories: int) -> CountTable:
    """Return how often each row has each category. O(judgments + U · K)."""
    cells = np.zeros((rows.n_rows, n_categories), np.int16)

    def work(first: int, last: int) -> None:
        _sums.tally(rows.part(first, last), cells)

    parallel.over_rows(work, rows.n_rows, 0.1 * n_categories)
    return CountTable(cells, rows.weights)


def count_rows(counts: CountTable) -> Rows:
    """Return the labels that occur in each row, and how often. O(U · K)."""
    n_rows, n_labels = counts.cells.shape
    start = np.zeros(n_rows + 1, np.int64)
    n_used = _sums.add_rows(counts, start[1:])
    labels, repeats = np.empty(n_used, np.int32), np.empty(n_used, np.int64)
    _sums.list_cells(counts, start, labels, repeats)
    return Rows(labels.astype(narrow(n_labels)), 0, start, None, repeats, counts.weights)


#: Bits of the items that a bucket holds: their cursors stay in the processor's first cache.
ITEM_BITS = 10


class Packed(NamedTuple):
    """Judgments without missing ones as sortable keys, in buckets of successive items."""

    #: The item's place in its bucket, its coder and the label, from the highest bits on: uint64
    #: array of shape (n,).
    keys: Array
    #: The beginnings of the buckets, and the end of the last one: int64 array.
    bounds: Array
    #: Those of items, coders and labels.
    bits: tuple[int, int, int]


def pack_judgments(
    item_codes: Array, coder_codes: Array, codes: Array, sizes: tuple[int, int, int]
) -> Packed:
    """Judgments in buckets of items; `sizes` are how many items, coders and categories there are.

    A scatter to a million lists would miss the processor's caches at every judgment; one to a
    thousand buckets does not, nor does one to the lists of a bucket. O(n).
    """
    n_items, n_coders, n_categories = sizes
    coder_bits, label_bits = ((max(n, 1) - 1).bit_length() for n in (n_coders, n_categories))
    # At most a thousand buckets if keys leave the bits. Codes are int32, so they leave two or more.
    item_bits = min(max(ITEM_BITS, n_items.bit_length() - 10), 64 - coder_bits - label_bits)
    bounds = np.empty(max(-(-n_items >> item_bits), 1) + 1, np.int64)
    _group.count_buckets(item_codes, codes, item_bits, bounds)
    keys = np.empty(bounds[-1], np.uint64)
    bits = (item_bits, coder_bits, label_bits)
    _group.pack(item_codes, coder_codes, codes, bits, bounds.copy(), keys)
    return Packed(keys, bounds, bits)


def group_by_item(
    packed: Packed, n_items: int, n_categories: int, keep_last: bool, repeats: Array
) -> tuple[Rows, int]:
    """Judgments grouped by item and sorted by coder, repeated ones left out. O(n).

    The keys are of no use afterwards.
    """
    start = np.zeros(n_items + 1, np.int64)
    coders = np.empty(len(packed.keys), np.int32)
    labels = np.empty(len(packed.keys), narrow(n_categories))
    packing = (packed.bounds, packed.bits, keep_last)
    n_repeats = _group.list_buckets(packed.keys, packing, start, coders, labels, repeats)
    if n_repeats:
        coders, labels = coders[: start[-1]].copy(), labels[: start[-1]].copy()
    return Rows(labels, 0, start, coders), n_repeats


#: Words of 64 rows for each coder and category that are counted at a time; they fit the cache.
WORDS = 32


def pair_table(rows: Rows, first: int, second: int, K: int) -> Array:
    """Count items by the labels of two coders: int64 of shape (K, K), weights counted. O(U)."""
    entry, two = codes_of_coder(rows, first), codes_of_coder(rows, second)
    both = (entry >= 0) & (two >= 0)
    cells = entry[both].astype(np.int64) * K + two[both]
    table = np.zeros(K * K, np.int64)
    if rows.weights is None:
        table += np.bincount(cells, minlength=K * K)
    else:
        np.add.at(table, cells, rows.weights[both])
    return table.reshape(K, K)


#: Words of bits that are compared in one step, some 50 ms, between which Ctrl-C is noticed.
STEP = 1 << 26

#: The most cells of tables of pairs that a thread counts at a time, if a coder has no more.
PAIR_CELLS = 1 << 19


def runs_of_pairs(coders: range, n_coders: int, most: int) -> list[range]:
    """Cut the first coders of pairs into runs of at most some pairs, or of one coder."""
    runs, begin, n_pairs = [], coders.start, 0
    for coder in coders:
        n_pairs += n_coders - 1 - coder
        if n_pairs > most and coder > begin:
            runs.append(range(begin, coder))
            begin, n_pairs = coder, n_coders - 1 - coder
    return [*runs, range(begin, coders.stop)]


def pair_tables(rows: Rows, n_coders: int, K: int, coders: range | None = None) -> Array:
    """Return the tables of all pairs whose first coder is one of a range: int64 (P, K, K)."""
    coders = range(n_coders) if coders is None else coders
    out = np.zeros((sum(n_coders - 1 - a for a in coders), K, K), np.int64)
    if not (rows.width and rows.weights is None and rows.codes.dtype == np.int8 and K):
        pairs = ((a, b) for a in coders for b in range(a + 1, n_coders))
        for place, (a, b) in enumerate(pairs):
            out[place] = pair_table(rows, a, b, K)
        return out
    end = 0
    for some in runs_of_pairs(coders, n_coders, PAIR_CELLS // (K * K)):
        begin, end = end, end + sum(n_coders - 1 - a for a in some)
        _count_pairs(rows, some.start, out[begin:end])
    return out


def _count_pairs(rows: Rows, first: int, out: Array) -> None:
    """Add the tables of pairs from a first coder on."""

    def count(piece: tuple[int, int], tables: Array) -> Array:
        planes = np.empty(rows.width * tables.shape[1] * WORDS, np.uint64)
        _patterns.count_pairs(rows.part(*piece), first, planes, tables)
        return tables

    threads = parallel.available() if rows.n_rows > parallel.SMALL else 1
    steps = int(rows.n_rows * out.size / 64 / STEP)
    pieces = parallel.ranges(rows.n_rows, max(threads, steps))
    if len(pieces) < 2:
        count((0, rows.n_rows), out)
        return

    def work(piece: tuple[int, int]) -> Array:
        return count(piece, np.zeros_like(out))

    for tables in parallel.in_order(work, pieces, threads):
        np.add(out, tables, out=out)
