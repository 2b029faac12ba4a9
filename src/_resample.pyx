"""Sums over rows of judgments under many sets of weights of the rows at once."""

from libc.math cimport exp, lgamma, log, sqrt
from libc.stdint cimport int32_t, int64_t

from numpy import empty as _empty
from numpy import int32 as _int32
from numpy import int64 as _int64
from numpy import zeros as _zeros

from agreement_fast._kernels._rows cimport Rows, af_rows

cdef extern from "resample.h" nogil:
    enum:
        AF_LANES
    cdef enum af_kind:
        AF_NOMINAL
        AF_MATRIX
        AF_SQUARED
        AF_ABSOLUTE
        AF_LISTED
        AF_RANKED
    ctypedef struct af_apart:
        int kind
        const double* values
        int64_t width
    ctypedef struct af_copies:
        const double* copies
        int64_t lanes
        int64_t* seen
        int32_t* labels
        double* counts
    void af_copied_sizes(const af_rows*, const af_copies*, double*, double*)
    void af_copied_disagreement(const af_rows*, const af_copies*, const af_apart*, double*)
    void af_add_copied(const af_rows*, const af_copies*, const double*, double*)

# Places from which a Poisson number is looked for.
cdef enum:
    _GUIDE = 256

# The most resamples of coders that are processed together.
LANES = AF_LANES

# What `values` are, by the name that a form has for it: nothing, K x K distances, K x r features,
# K x 1 positions, the distances of each row's pairs of labels as _sums.pairs lists them (n x 1), or
# a feature of each label in each resample (K x R).
KINDS = {"nominal": AF_NOMINAL, "matrix": AF_MATRIX, "squared": AF_SQUARED,
         "absolute": AF_ABSOLUTE, "blocks": AF_LISTED, "ranked": AF_RANKED}


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


def add_groups(const int64_t[::1] start not None, const int32_t[::1] bins not None,
               const int64_t[::1] repeats, const double[::1] factors not None,
               const double[::1] weights not None, const int64_t[::1] groups not None,
               double[:, ::1] out not None):
    """out[group of the row, bin] += repeats * factor * weight of the row for each judgment's bin.

    Assumes groups below the rows of `out` and bins below its columns (columns.Counts).
    """
    cdef Py_ssize_t row, i
    cdef bint repeated = repeats is not None
    cdef double* sums
    with nogil:
        for row in range(start.shape[0] - 1):
            sums = &out[groups[row], 0]
            for i in range(start[row], start[row + 1]):
                if repeated:
                    sums[bins[i]] += factors[row] * repeats[i] * weights[row]
                else:
                    sums[bins[i]] += factors[row] * weights[row]


def dot_groups(const int64_t[::1] start not None, const int32_t[::1] bins not None,
               const int64_t[::1] repeats, const double[::1] factors not None,
               const double[:, ::1] gradient not None, const int64_t[::1] groups,
               double[::1] out not None):
    """out[row] = sum over its judgments of repeats * factor * gradient[group of the row, bin].

    Without groups, there is one. Assumes groups and bins within `gradient` (columns.Counts).
    """
    cdef Py_ssize_t row, i
    cdef bint repeated = repeats is not None
    cdef double total
    cdef const double* slope = &gradient[0, 0]
    with nogil:
        for row in range(start.shape[0] - 1):
            if groups is not None:
                slope = &gradient[groups[row], 0]
            total = 0.0
            for i in range(start[row], start[row + 1]):
                total += slope[bins[i]] * (factors[row] * repeats[i] if repeated else factors[row])
            out[row] = total


def dot_rows(const double[:, :] values not None, const double[:, ::1] gradient not None,
             const int64_t[::1] groups not None, double[::1] out not None):
    """out[row] = sum of values[row, k] * gradient[group of the row, k]. Assumes groups in `gradient`."""
    cdef Py_ssize_t row, k, width = values.shape[1]
    cdef double total
    with nogil:
        for row in range(values.shape[0]):
            total = 0.0
            for k in range(width):
                total += values[row, k] * gradient[groups[row], k]
            out[row] = total


def squared_gaps(const int64_t[::1] start not None, const int32_t[::1] codes not None,
                 const int64_t[::1] repeats, const double[:, ::1] features not None,
                 const int64_t[::1] groups not None, double[::1] out not None):
    """out[row] = the sum over its ordered pairs of judgments of (f_j - f_l)², f being its group's.

    A row whose judgments have one feature gets 0, exactly. Assumes groups and codes within `features`
    (columns.Items).
    """
    cdef Py_ssize_t row, i
    cdef double gap, count, size, first, second
    cdef const double* own
    with nogil:
        for row in range(start.shape[0] - 1):
            size = first = second = 0.0
            for i in range(start[row], start[row + 1]):
                own = &features[groups[row], 0]
                gap, count = own[codes[i]] - own[codes[start[row]]], 1.0
                if repeats is not None:
                    count = <double>repeats[i]
                size += count
                first += count * gap
                second += count * gap * gap
            out[row] = 2.0 * (size * second - first * first)


def sum_groups(const int64_t[::1] groups not None, const double[::1] values not None,
               double[::1] out not None):
    """out[group] += value, for each value and its group. Assumes groups within `out`.

    Values of a group that stand together are added in four sums, which wait for each other less.
    """
    cdef Py_ssize_t i = 0, last, n = values.shape[0]
    cdef int64_t group
    cdef double first, second, third, fourth
    with nogil:
        while i < n:
            group = groups[i]
            last = i + 1
            while last < n and groups[last] == group:
                last += 1
            first = second = third = fourth = 0.0
            while i + 4 <= last:
                first += values[i]
                second += values[i + 1]
                third += values[i + 2]
                fourth += values[i + 3]
                i += 4
            while i < last:
                first += values[i]
                i += 1
            out[group] += (first + second) + (third + fourth)


def add_squares(Rows rows not None, const double[::1] factors not None,
                const double[:, ::1] weights not None, const double[:, ::1] features not None,
                double[:, ::1] room not None, double[::1] out not None):
    """out[r] += factor * weights[row, r] * sum of squared differences over ordered pairs of a row.

    The label k is at features[k, r] in replicate r. `room` is (2, replicates) to work in. Assumes
    lists of int32 codes, and factor 0 for rows without judgments: otherwise their first label is read
    (linear.Linear).
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


cdef class Copies:
    """Up to LANES resamples of the coders, and room to work in: for one thread at a time.

    Parameters
    ----------
    copies : float64 array of shape (C, R)
        How often each coder was drawn: whole numbers with a sum below 9e7.
    longest : int
        The number of judgments of the longest row.
    n_categories : int

    Raises
    ------
    ValueError
        If there is no resample, or more than LANES.

    Notes
    -----
    Rows are lists of int32 codes below `n_categories`, with coders below C (columns.Items). Arrays
    of results have one line for each row.
    """

    cdef readonly object copies
    cdef object _seen, _labels, _counts
    cdef af_copies c

    def __init__(self, copies, Py_ssize_t longest, Py_ssize_t n_categories):
        cdef const double[:, ::1] given = copies
        cdef int64_t[::1] seen = _zeros(max(n_categories, 1), _int64)
        cdef int32_t[::1] labels = _empty(max(longest, 1), _int32)
        cdef double[:, ::1] counts = _empty((max(longest, 1), max(given.shape[1], 1)))
        if not 0 < given.shape[1] <= AF_LANES:
            raise ValueError(f"{given.shape[1]} resamples, not 1 to {AF_LANES}")
        self.copies, self._seen, self._labels, self._counts = copies, seen, labels, counts
        self.c.copies = &given[0, 0] if given.shape[0] else NULL
        self.c.lanes = given.shape[1]
        self.c.seen, self.c.labels, self.c.counts = &seen[0], &labels[0], &counts[0, 0]

    def sizes(self, Rows rows not None, double[:, ::1] sizes not None,
              double[:, ::1] selfs not None):
        """Count the judgments of each row, and the pairs of a judgment with itself or its copies."""
        if rows.c.first < rows.c.last:
            with nogil:
                af_copied_sizes(&rows.c, &self.c, &sizes[0, 0], &selfs[0, 0])

    def disagreement(self, Rows rows not None, int kind, const double[:, ::1] values not None,
                     double[:, ::1] out not None):
        """Compute out[row, r], the distances of the row's ordered pairs of judgments; see KINDS."""
        cdef af_apart apart
        apart.kind, apart.width = kind, values.shape[1]
        apart.values = &values[0, 0] if values.shape[0] and values.shape[1] else NULL
        if rows.c.first < rows.c.last:
            with nogil:
                af_copied_disagreement(&rows.c, &self.c, &apart, &out[0, 0])

    def add(self, Rows rows not None, const double[:, ::1] amounts not None,
            double[:, ::1] out not None):
        """Add amounts[row, r] to out[label, r] for each judgment, as often as its coder was drawn."""
        if rows.c.first < rows.c.last and out.shape[0]:
            with nogil:
                af_add_copied(&rows.c, &self.c, &amounts[0, 0], &out[0, 0])


def poisson(double[:, ::1] drawn not None, const double[::1] means not None):
    """Turn uniform numbers from 0 to 1 into Poisson numbers with the means of their rows.

    Assumes means above 0 (resample.Draw).
    """
    cdef Py_ssize_t i, r, k, first, start, last, n = means.shape[0]
    cdef double[::1] below
    cdef int32_t[_GUIDE] guide
    cdef double here, reach, mean, most = 0.0
    for i in range(n):
        most = max(most, means[i])
    below = _empty(<Py_ssize_t>(18 * sqrt(most)) + 40)
    with nogil:
        for i in range(n):
            mean = means[i]
            # below[k] is the share of numbers up to first + k; beyond the reach are 1 in 10^18
            reach = 9 * sqrt(mean)
            first = <Py_ssize_t>max(0.0, mean - reach - 10)
            last = <Py_ssize_t>(mean + reach + 20) - first
            start = <Py_ssize_t>mean - first
            here = exp((start + first) * log(mean) - mean - lgamma(start + first + 1.0))
            below[start] = here
            for k in range(start + 1, last):
                below[k] = below[k - 1] * mean / (k + first)
            for k in range(start, 0, -1):
                below[k - 1] = below[k] * (k + first) / mean
            for k in range(1, last):
                below[k] += below[k - 1]
            below[last] = 2.0
            k = 0
            for r in range(_GUIDE):
                while below[k] <= <double>r / _GUIDE:
                    k += 1
                guide[r] = <int32_t>k
            for r in range(drawn.shape[1]):
                k = guide[<int>(drawn[i, r] * _GUIDE)]
                while below[k] <= drawn[i, r]:
                    k += 1
                drawn[i, r] = k + first


def count_draws(const int32_t[::1] picked not None, const int64_t[::1] sizes not None,
                const int32_t[::1] pattern not None, double[:, ::1] out not None):
    """out[r, pattern of the item] += 1 for each item that resample r picked, sizes[r] of them.

    Assumes that the picked items exist, those of one resample after those of the other
    (resample.Draw draws them).
    """
    cdef Py_ssize_t i = 0, r, last = 0
    with nogil:
        for r in range(out.shape[0]):
            last += sizes[r]
            while i < last:
                out[r, pattern[picked[i]]] += 1.0
                i += 1
