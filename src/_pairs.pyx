# Contingency tables of all pairs of coders, by bit planes and population counts.
from libc.stdint cimport int8_t, int64_t, uint64_t

from agreement_fast._kernels._rows cimport Rows

cdef extern from "hot.h" nogil:
    void af_bit_planes(const int8_t*, int64_t, int64_t, int64_t, int64_t, int64_t, uint64_t*)
    void af_pair_counts(const uint64_t*, int64_t, int64_t, int64_t, int64_t*)


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
