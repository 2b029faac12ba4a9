from libc.stdint cimport int8_t, int16_t, int32_t, int64_t

cdef extern from "rows.h" nogil:
    ctypedef struct af_rows:
        const void* codes
        int bytes
        int64_t width
        const int64_t* start
        const int32_t* coders
        const int64_t* repeats
        const int64_t* weights
        int64_t first
        int64_t last
    ctypedef struct af_counts:
        const void* cells
        int bytes
        int64_t n_labels
        const int64_t* weights
        int64_t first
        int64_t last
    int64_t af_code(const af_rows*, int64_t)
    int64_t af_begin(const af_rows*, int64_t)
    int64_t af_end(const af_rows*, int64_t)
    int64_t af_weight(const af_rows*, int64_t)
    int64_t af_repeats(const af_rows*, int64_t)

# The types of codes, from the narrowest that fits.
ctypedef fused code:
    int8_t
    int16_t
    int32_t


cdef class Rows:
    cdef readonly object codes
    cdef readonly Py_ssize_t width
    cdef readonly object start
    cdef readonly object coders
    cdef readonly object repeats
    cdef readonly object weights
    cdef readonly Py_ssize_t n_rows
    cdef af_rows c


cdef class CountTable:
    cdef readonly object cells
    cdef readonly object weights
    cdef readonly Py_ssize_t n_rows
    cdef af_counts c
