"""Sums over rows of judgments under many sets of weights of the rows at once."""

from libc.stdint cimport int32_t, int64_t

from agreement_fast._kernels._rows cimport Rows


def add_weights(const int64_t[::1] start not None, const int32_t[::1] bins not None,
                const int64_t[::1] repeats, const double[::1] factors not None,
                const double[:, ::1] weights not None, double[:, ::1] out not None):
    """out[bin, r] += repeats * factor of the row * weights[row, r] for each judgment's bin.

    Assumes bins below the rows of `out` (columns.Counts).
    """
    cdef Py_ssize_t row, i, r, replicates = weights.shape[1]
    cdef bint repeated = repeats is not None
    cdef double amount
    cdef const double* given
    cdef double* sums
    if replicates == 0:
        return
    with nogil:
        for row in range(start.shape[0] - 1):
            if factors[row] == 0.0:
                continue
            given = &weights[row, 0]
            for i in range(start[row], start[row + 1]):
                amount = factors[row] * repeats[i] if repeated else factors[row]
                sums = &out[bins[i], 0]
                for r in range(replicates):
                    sums[r] += amount * given[r]


def add_squares(Rows rows not None, const double[::1] factors not None,
                const double[:, ::1] weights not None, const double[:, ::1] features not None,
                double[:, ::1] room not None, double[::1] out not None):
    """out[r] += factor * weights[row, r] * sum of squared differences over ordered pairs of a row.

    The label k is at features[k, r] in replicate r. `room` is (2, replicates) to work in. Assumes
    lists, their codes being int32, and factor 0 for rows without judgments, whose first label is
    asked for else (linear.Linear).
    """
    cdef const int64_t* start = rows.c.start
    cdef const int32_t* codes = <const int32_t*>rows.c.codes
    cdef const int64_t* repeats = rows.c.repeats
    cdef Py_ssize_t row, i, r, replicates = weights.shape[1]
    cdef double count, size, gap
    cdef double* first
    cdef double* second
    cdef const double* given
    cdef const double* place
    cdef const double* origin
    if replicates == 0:
        return
    first = &room[0, 0]
    second = &room[1, 0]
    with nogil:
        for row in range(rows.c.first, rows.c.last):
            if factors[row] == 0.0:
                continue
            for r in range(replicates):
                first[r] = 0.0
                second[r] = 0.0
            # about the row's first label: agreeing judgments sum to exactly 0
            origin = &features[codes[start[row]], 0]
            size = 0.0
            for i in range(start[row], start[row + 1]):
                count = repeats[i] if repeats != NULL else 1.0
                size += count
                place = &features[codes[i], 0]
                if count == 0.0 or place == origin:
                    continue
                for r in range(replicates):
                    gap = place[r] - origin[r]
                    first[r] += count * gap
                    second[r] += count * gap * gap
            given = &weights[row, 0]
            for r in range(replicates):
                out[r] += factors[row] * given[r] * 2.0 * (size * second[r] - first[r] * first[r])


def count_draws(const int32_t[::1] picked not None, const int32_t[::1] pattern not None,
                double[::1] out not None):
    """out[pattern of the item] += 1 for each item that was picked.

    Assumes picked items that are there (resample.Draw draws them).
    """
    cdef Py_ssize_t i
    with nogil:
        for i in range(picked.shape[0]):
            out[pattern[picked[i]]] += 1.0
