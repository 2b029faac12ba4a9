# Rows of codes -> distinct rows and how often each occurs, and contingency tables of pairs of coders.
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy

from os import urandom as _urandom

from numpy import empty as _empty
from numpy import int64 as _int64

from agreement_fast._kernels._rows cimport Rows

cdef extern from "hot.h" nogil:
    void af_count_bytes(const int8_t*, int64_t, int, int, int, int, int64_t*)
    void af_count_columns(const int8_t*, int64_t, int64_t, int, int, int64_t, int, int, int, int64_t*)
    void af_bit_planes(const int8_t*, int64_t, int64_t, int64_t, int64_t, int64_t, uint64_t*)
    void af_pair_counts(const uint64_t*, int64_t, int64_t, int64_t, int64_t*)
    void af_pack_counts(const int8_t*, const int64_t*, int64_t, int64_t, int64_t, int, uint64_t*)

cdef extern from "numbering.h" nogil:
    ctypedef struct af_numbering:
        int64_t count
        int64_t* first
    enum:
        AF_SECRETS
    void af_set_secrets(const uint8_t*)
    uint64_t af_mix(uint64_t)
    bint af_open(af_numbering*, bint)
    bint af_number_rows(af_numbering*, const uint8_t*, int64_t, int64_t, int32_t*)
    void af_close(af_numbering*)


def set_secrets(const uint8_t[::1] secrets not None):
    """Replace the secrets of the hashes, which no result depends on. Assumes that no table is in use."""
    if secrets.shape[0] != AF_SECRETS * 8:
        raise ValueError(f"{secrets.shape[0]} bytes of secrets")
    af_set_secrets(&secrets[0])


set_secrets(_urandom(AF_SECRETS * 8))


def count_keys_of_rows(const int8_t[:, ::1] table not None, int low, int bits,
                       int64_t[:, ::1] out not None):
    """Histogram of the keys of the rows of a table that is stored row by row.

    Column c of a row holds `bits` bits of its key from c * bits on: value - low, modulo 2 ** bits.
    `out` has 1 or 4 rows of 2 ** (columns * bits) cells; one of them is added to for each key.

    Assumes 1 to 8 columns, and 1 <= bits <= 8.
    """
    cdef Py_ssize_t n = table.shape[0], columns = table.shape[1], i = 0, c
    cdef uint64_t key, mask = (<uint64_t>1 << bits) - 1
    with nogil:
        if n > 8:
            # This reads eight bytes for each key. The last rows have fewer and come below.
            i = n - 8
            af_count_bytes(&table[0, 0], i, <int>columns, low, bits, <int>out.shape[0], &out[0, 0])
        while i < n:
            key = 0
            for c in range(columns):
                key |= (<uint64_t>(table[i, c] - low) & mask) << (c * bits)
            out[0, key] += 1
            i += 1


def count_keys_of_columns(const int8_t[:, :, :] columns not None, int low, int bits,
                          int64_t[:, ::1] out not None):
    """The same for columns that are each stored together, as a cube of (b, width, n) bytes.

    Key i is that of (b, width) bytes side by side, which are b rows of a table.

    Assumes that the last axis is contiguous, 1 <= bits <= 8, and b * width * bits <= 31.
    """
    if columns.shape[2]:
        with nogil:
            af_count_columns(&columns[0, 0, 0], columns.strides[1], columns.shape[2],
                             <int>columns.shape[1], <int>columns.shape[0], columns.strides[0],
                             low, bits, <int>out.shape[0], &out[0, 0])


def count_keys(const int8_t[:, :] table not None, const int64_t[::1] weights, int low, int bits,
               int64_t[:, ::1] out not None):
    """The same for a table with any strides; each row counts by its weight.

    Assumes columns * bits <= 31 (patterns.key_bits).
    """
    cdef Py_ssize_t i, c
    cdef bint weighted = weights is not None
    cdef uint64_t key, mask = (<uint64_t>1 << bits) - 1
    with nogil:
        for i in range(table.shape[0]):
            key = 0
            for c in range(table.shape[1]):
                key |= (<uint64_t>(table[i, c] - low) & mask) << (c * bits)
            out[0, key] += weights[i] if weighted else 1


def group_rows(const uint8_t[:, ::1] rows not None, int32_t[::1] out_group not None):
    """Number rows in order of first appearance; rows of the same bytes share a number.

    Returns the first row of each group: int64 (U,).

    Compares bytes only: -0.0 and 0.0 differ (patterns.group_equal).
    """
    cdef af_numbering known
    cdef int64_t n = rows.shape[0]
    cdef const uint8_t* bytes_ = <const uint8_t*>&n  # rows without bytes are not looked into
    cdef int64_t[::1] first
    cdef bint done
    try:
        with nogil:
            done = af_open(&known, rows.shape[1] > 8)
            if done and n:
                if rows.shape[1]:
                    bytes_ = &rows[0, 0]
                done = af_number_rows(&known, bytes_, n, rows.shape[1], &out_group[0])
        if not done:
            raise MemoryError
        out = _empty(known.count, _int64)
        if known.count:
            first = out
            memcpy(&first[0], known.first, known.count * sizeof(int64_t))
        return out
    finally:
        af_close(&known)


def pack_counts(Rows rows not None, int bits, uint64_t[::1] out not None):
    """Count how often each row has each category, with `bits` bits a category.

    Assumes codes of one byte, and what af_pack_counts does (routes.group_counts).
    """
    if rows.c.first == rows.c.last or rows.c.codes == NULL:
        out[:] = 0
        return
    with nogil:
        af_pack_counts(<const int8_t*>rows.c.codes, rows.c.start, rows.c.width, rows.c.first,
                       rows.c.last, bits, &out[0])


def count_words(const uint64_t[::1] words not None, const int64_t[::1] weights,
                uint64_t[::1] keys not None, int64_t[::1] counts not None, Py_ssize_t n_keys):
    """Add words to an open hash table: keys[slot] is the word, and counts[slot] += weight.

    The length of the table is a power of two; keys of all ones are free slots. Returns the number of
    keys, or -1 as soon as the table is half full.

    Assumes no word of all ones: with K categories it takes a row of K * (2 ** bits - 1) judgments,
    and rows have fewer than 2 ** bits (routes.group_counts).
    """
    cdef Py_ssize_t i, slot, mask = keys.shape[0] - 1, limit = keys.shape[0] // 2
    cdef bint weighted = weights is not None
    cdef uint64_t word, free = ~<uint64_t>0
    with nogil:
        for i in range(words.shape[0]):
            word = words[i]
            slot = <Py_ssize_t>(af_mix(word) & <uint64_t>mask)
            while keys[slot] != word and keys[slot] != free:
                slot = (slot + 1) & mask
            if keys[slot] == free:
                n_keys += 1
                if n_keys > limit:
                    n_keys = -1
                    break
                keys[slot] = word
            counts[slot] += weights[i] if weighted else 1
    return n_keys


def count_pairs(Rows rows not None, uint64_t[::1] planes not None, int64_t[:, :, ::1] out not None):
    """Add to out[pair, j, l] the rows to which the first coder of a pair gave j and the second l.

    `planes` (coders x categories x W words) is working memory for 64 W rows at a time. Assumes a table
    of bytes, at least one coder, category and word, and what af_bit_planes assumes
    (contingency.pair_tables).
    """
    cdef const int8_t* codes = <const int8_t*>rows.c.codes
    cdef Py_ssize_t width = rows.c.width, n_categories = out.shape[1]
    cdef Py_ssize_t words = planes.shape[0] // (width * n_categories)
    cdef Py_ssize_t row, last = rows.c.last, count
    with nogil:
        row = rows.c.first
        while row < last:
            count = min(64 * words, last - row)
            af_bit_planes(codes, width, row, count, n_categories, words, &planes[0])
            af_pair_counts(&planes[0], width, n_categories, words, &out[0, 0, 0])
            row += count
