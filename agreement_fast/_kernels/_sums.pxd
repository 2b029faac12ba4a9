from libc.stdint cimport int32_t, int64_t

from agreement_fast._kernels._rows cimport CountTable, Rows


cdef class BySize:
    cdef public int64_t squares
    cdef int64_t* _cells
    cdef Py_ssize_t _n_labels, _n_coders
    cdef Py_ssize_t[2] _shape, _strides
    cdef bint _add_counts(self, CountTable counts, int32_t[::1] place)
    cdef bint count_rows(self, Rows rows)
    cdef int64_t* _line(self, Py_ssize_t size) noexcept nogil
    cdef int64_t add_coder(self, Py_ssize_t c, const double* values, double* total) noexcept nogil
    cdef int64_t _count(self, Py_ssize_t size, Py_ssize_t k) except -1
