# Sums over rows of judgments: sizes, marginals, disagreement.
from libc.math cimport fabs
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport calloc, free

from numpy import asarray as _asarray
from numpy import float64 as _float64
from numpy import int64 as _int64
from numpy import zeros as _zeros

from agreement_fast._kernels._rows cimport (
    CountTable, Rows, af_begin, af_code, af_counts, af_end, af_repeats, af_rows, af_weight)

cdef extern from "dense.h" nogil:
    enum:
        AF_BESIDE
    void af_beside(const double*, int64_t, const double*, double*)
    int64_t af_count_cells(const af_counts*, int64_t, int64_t, int32_t*, int64_t*)
    int64_t af_add_rows(const af_counts*, int64_t*)
    int64_t af_add_columns(const af_counts*, int64_t*)
    int64_t af_turn_cells(const af_counts*, int64_t, int64_t, double*)
    int64_t af_list_cells(const af_counts*, int64_t*, int32_t*, int64_t*)

cdef extern from "sums.h" nogil:
    int AF_BLOCK
    enum:
        AF_WIDEST
    void af_take(const af_rows*, int64_t, int64_t, int64_t, void*, uint8_t*)
    void af_compare(const af_rows*, const void*, uint16_t*)
    int af_count_block(
        const int8_t*, const uint8_t*, const uint16_t*, int64_t, int64_t, int64_t, int64_t, int64_t*)
    void af_count_pairs(
        const af_rows*, const void*, int64_t, uint32_t, const uint32_t*, const int64_t*, int64_t*)

WIDEST = AF_WIDEST
BESIDE = AF_BESIDE


cdef inline bint _by_columns(const af_rows* rows) noexcept nogil:
    """Whether kernels look at rows column by column."""
    return rows.width and rows.width <= AF_WIDEST and rows.bytes < 4 and rows.repeats == NULL


cdef class BySize:
    """Sums over rows by their number of judgments.

    Parameters
    ----------
    n_labels, n_sizes : int
    n_coders : int, optional
        The columns of tables whose labels are counted for each column; 1 counts them together.

    Attributes
    ----------
    table : int64 array of shape (n_sizes, 2 + n_coders * (n_labels + 1))
        For each size from 0, the weighted numbers of rows, of their unordered pairs of equal
        judgments, and, for each coder, of missing judgments and of each label.
    squares : int
        The sum over the rows of the square of the number of distinct labels.
    """

    def __cinit__(self, Py_ssize_t n_labels, Py_ssize_t n_sizes, Py_ssize_t n_coders=1):
        self._n_labels, self._n_coders = n_labels, n_coders
        self._shape[0], self._shape[1] = n_sizes, 2 + n_coders * (n_labels + 1)
        self._strides[0], self._strides[1] = self._shape[1] * sizeof(int64_t), sizeof(int64_t)
        self._cells = <int64_t*>calloc(max(n_sizes * self._shape[1], 1), sizeof(int64_t))
        if self._cells == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self._cells)

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        buffer.buf, buffer.obj, buffer.format = self._cells, self, "q"
        buffer.itemsize, buffer.len = sizeof(int64_t), self._shape[0] * self._strides[0]
        buffer.ndim, buffer.shape, buffer.strides = 2, self._shape, self._strides
        buffer.readonly, buffer.suboffsets, buffer.internal = False, NULL, NULL

    @property
    def table(self):
        return _asarray(self)

    def __reduce__(self):
        return (
            BySize, (self._n_labels, self._shape[0], self._n_coders), (self.table, self.squares))

    def __setstate__(self, state):
        self.table[:], self.squares = state

    def add(self, rows not None, int32_t[::1] place=None):
        """Count Rows or a CountTable; return whether all sizes have a line. If not, the table is invalid.

        place[row] gets the size of a row of a CountTable.

        Assumes labels below n_labels and sums that fit int64. Several coders need a table with one
        column each, codes of one or two bytes, and at most WIDEST columns (CategorySums).
        """
        if isinstance(rows, CountTable):
            return self._add_counts(rows, place)
        return self.count_rows(rows)

    cdef bint _add_counts(self, CountTable counts, int32_t[::1] place):
        cdef int64_t squares = 0
        cdef int32_t* sizes = &place[0] if place is not None and place.shape[0] else NULL
        with nogil:
            squares = af_count_cells(
                &counts.c, self._shape[0], self._shape[1], sizes, self._cells)
        self.squares += squares
        return squares >= 0

    cdef bint count_rows(self, Rows rows):
        """`add` for Rows."""
        cdef int64_t squares
        cdef Py_ssize_t step = self._n_labels + 1 if self._n_coders > 1 else 0
        cdef int64_t[::1] seen
        if _by_columns(&rows.c):
            if rows.c.width >= self._shape[0]:
                return False
            with nogil:
                _count_table(
                    rows.c, rows.n_rows, self._n_labels, step, self._shape[1], self._cells)
            return True
        seen = _zeros(self._n_labels, _int64)
        with nogil:
            squares = _count(rows.c, seen, self._shape[0], self._shape[1], self._cells)
        self.squares += squares
        return squares >= 0

    def items(self):
        """Return the number of items of each size that occurs, ascending."""
        cdef Py_ssize_t size
        return {size: self._line(size)[0] for size in range(self._shape[0])
                if self._line(size)[0]}

    # The line of `table` for rows of one size, from 0 to the number of sizes less one.
    cdef int64_t* _line(self, Py_ssize_t size) noexcept nogil:
        return self._cells + size * self._shape[1]

    def coders(self, Py_ssize_t least):
        """How often each coder gave each label in the rows of `least` judgments: int64 (C, K)."""
        cdef Py_ssize_t size, c, k
        cdef object out = _zeros((self._n_coders, self._n_labels), _int64)
        cdef int64_t[:, ::1] sums = out
        cdef int64_t* line
        for size in range(least, self._shape[0]):
            if self._line(size)[0]:
                line = self._line(size) + 3
                for c in range(self._n_coders):
                    for k in range(self._n_labels):
                        sums[c, k] += line[k]
                    line += self._n_labels + 1
        return out

    def counts(self, Py_ssize_t least):
        """How often the rows of `least` judgments or more have each label: int64."""
        cdef Py_ssize_t size, k
        cdef object out = _zeros(self._n_labels, _int64)
        cdef int64_t[::1] sums = out
        for size in range(least, self._shape[0]):
            if self._line(size)[0]:
                for k in range(self._n_labels):
                    sums[k] += self._count(size, k)
        return out

    def unequal_counts(self, Py_ssize_t least):
        """The ordered pairs of unequal labels among all judgments of these rows.

        Assumes that they fit int64.
        """
        cdef Py_ssize_t size, k
        cdef int64_t count, total = 0, squares = 0
        for k in range(self._n_labels):
            count = 0
            for size in range(least, self._shape[0]):
                if self._line(size)[0]:
                    count += self._count(size, k)
            total += count
            squares += count * count
        return <double>(total * total - squares)

    def shares(self, Py_ssize_t least):
        """The mean over these rows of the share of each label: float64, 0 without such rows.

        Assumes least > 0.
        """
        cdef Py_ssize_t size, k
        cdef int64_t n = 0
        cdef object out = _zeros(self._n_labels, _float64)
        cdef double[::1] sums = out
        for size in range(least, self._shape[0]):
            if self._line(size)[0]:
                n += self._line(size)[0]
                for k in range(self._n_labels):
                    sums[k] += <double>self._count(size, k) / size
        for k in range(self._n_labels):
            sums[k] /= max(n, 1)
        return out

    cdef int64_t add_coder(self, Py_ssize_t c, const double* values, double* total) noexcept nogil:
        """Add the values of the labels that a coder gave, and return how many there are."""
        cdef Py_ssize_t size, k
        cdef int64_t n = 0
        cdef int64_t* line
        for size in range(1, self._shape[0]):
            line = self._line(size) + 3 + c * (self._n_labels + 1)
            for k in range(self._n_labels):
                n += line[k]
                total[0] += line[k] * values[k]
        return n

    cdef int64_t _count(self, Py_ssize_t size, Py_ssize_t k) except -1:
        """How often the rows of a size have a label."""
        cdef Py_ssize_t c
        cdef int64_t count = 0
        for c in range(self._n_coders):
            count += self._line(size)[3 + c * (self._n_labels + 1) + k]
        return count

    def unequal(self):
        """The ordered pairs of unequal judgments of the rows of each size that any item has.

        Assumes that they fit int64.
        """
        cdef int64_t size
        return [<double>(self._line(size)[0] * size * (size - 1) - 2 * self._line(size)[1])
                for size in range(self._shape[0]) if self._line(size)[0]]


cdef void _count_table(
    af_rows rows, int64_t n_rows, Py_ssize_t n_labels, Py_ssize_t step, Py_ssize_t line, int64_t* out
) noexcept nogil:
    """For tables of some columns, by comparing columns; `step` leads to the next column's counts.

    `out` has a line for each size, as `BySize.table` has.
    """
    cdef int16_t[AF_WIDEST * 256] columns
    cdef uint8_t[256] gone
    cdef uint16_t[256] same
    cdef int64_t first = rows.first, n, i, c, place, missing, weight, width = rows.width
    cdef bint whole
    cdef int64_t* sums
    while first < rows.last:
        n = min(AF_BLOCK, rows.last - first)
        af_take(&rows, n_rows, first, n, columns, gone)
        af_compare(&rows, columns, same)
        whole = n == AF_BLOCK and rows.bytes == 1 and rows.weights == NULL
        if not whole or not af_count_block(
            <const int8_t*>columns, gone, same, width, n_labels, step, line, out
        ):
            place = first * width
            for i in range(n):
                missing = gone[i]
                weight = af_weight(&rows, first + i)
                sums = out + (width - missing) * line
                sums[0] += weight
                sums[1] += weight * (same[i] - missing * (missing - 1) // 2)
                sums += 3
                for c in range(width):
                    sums[af_code(&rows, place + c)] += weight
                    sums += step
                place += width
        first += n


def coincidences(Rows rows not None, int64_t[:, :, ::1] out not None):
    """out[size, j + 1, l + 1] += the rows' weighted pairs of judgments of j and l; returns whether it can.

    Each unordered pair of a row of `size` judgments is counted once, as (j, l) or as (l, j). Line and
    column 0 get pairs with missing judgments. Only tables of one or two bytes and at most WIDEST
    columns can be counted.

    Assumes that `out` has a place for each label and size, sums that fit int64, and fewer than 2^31
    cells (CategorySums).
    """
    if not _by_columns(&rows.c):
        return False
    with nogil:
        _coincidences(rows.c, rows.n_rows, out)
    return True


cdef void _coincidences(af_rows rows, int64_t n_rows, int64_t[:, :, ::1] out) noexcept nogil:
    cdef int16_t[AF_WIDEST * 256] columns
    cdef uint8_t[256] gone
    cdef uint32_t[256] lines
    cdef int64_t[256] weights
    cdef int64_t first = rows.first, n, i
    cdef uint32_t states = <uint32_t>out.shape[1]
    while first < rows.last:
        n = min(AF_BLOCK, rows.last - first)
        af_take(&rows, n_rows, first, n, columns, gone)
        for i in range(AF_BLOCK):
            lines[i] = <uint32_t>(rows.width - gone[i]) * states * states
        for i in range(n):
            weights[i] = af_weight(&rows, first + i)
        af_count_pairs(&rows, columns, n, states, lines, weights, &out[0, 0, 0])
        first += n


cdef int64_t _count(
    af_rows rows, int64_t[::1] seen, Py_ssize_t n_sizes, Py_ssize_t line, int64_t* out
) noexcept nogil:
    """Return the sum of the squares of the numbers of distinct labels, or -1 if a size has no line."""
    cdef int64_t row, i, begin, end, size, weight, count, same, distinct, label, squares = 0
    cdef int64_t* sums
    for row in range(rows.first, rows.last):
        begin, end = af_begin(&rows, row), af_end(&rows, row)
        weight = af_weight(&rows, row)
        size = 0
        for i in range(begin, end):
            if af_code(&rows, i) >= 0:
                size += af_repeats(&rows, i)
        if size >= n_sizes:
            return -1
        sums = out + size * line
        sums[0] += weight
        same = distinct = 0
        for i in range(begin, end):
            label = af_code(&rows, i)
            if label >= 0:
                count = af_repeats(&rows, i)
                distinct += seen[label] == 0 and count > 0
                # with those before, and among themselves
                same += count * seen[label] + count * (count - 1) // 2
                seen[label] += count
                sums[3 + label] += weight * count
            else:
                sums[2] += weight
        sums[1] += weight * same
        squares += distinct * distinct
        for i in range(begin, end):
            label = af_code(&rows, i)
            if label >= 0:
                seen[label] = 0
    return squares


def add_rows(CountTable counts not None, int64_t[::1] sums not None):
    """sums[row] = how many judgments the row has; returns how many counts are not 0.

    Assumes a zero for each row, and sums that fit int64 (as_counts).
    """
    cdef int64_t used = 0
    if counts.c.cells != NULL:
        with nogil:
            used = af_add_rows(&counts.c, &sums[0])
    return used


def add_columns(CountTable counts not None, int64_t[::1] sums not None):
    """sums[label] += how often the rows have it, not weighted.

    Assumes a place for each label, and sums that fit int64 (as_counts).
    """
    if counts.c.cells != NULL:
        with nogil:
            af_add_columns(&counts.c, &sums[0])


def tally(Rows given not None, int16_t[:, ::1] out not None):
    """out[row, label] += how many judgments of the row have the label.

    Assumes a place for each row and label, and rows of less than 2^15 judgments.
    """
    cdef af_rows rows = given.c
    cdef int64_t row, i, label
    if out.shape[1] == 0:
        return
    with nogil:
        for row in range(rows.first, rows.last):
            for i in range(af_begin(&rows, row), af_end(&rows, row)):
                label = af_code(&rows, i)
                if label >= 0:
                    out[row, label] += 1


def list_cells(CountTable counts not None, int64_t[::1] start not None, int32_t[::1] labels not None,
               int64_t[::1] repeats not None):
    """Write out the counts that are not 0, row by row: their labels and values.

    start[row + 1] gets the end of the row. Assumes room for what add_rows counted.
    """
    if counts.c.cells != NULL:
        with nogil:
            af_list_cells(&counts.c, &start[0], &labels[0] if labels.shape[0] else NULL,
                          &repeats[0] if repeats.shape[0] else NULL)


def sizes(Rows given not None, int64_t[::1] out not None):
    """out[row]: how many judgments the row has."""
    cdef af_rows rows = given.c
    cdef int64_t row, i, size
    with nogil:
        for row in range(rows.first, rows.last):
            size = 0
            for i in range(af_begin(&rows, row), af_end(&rows, row)):
                if af_code(&rows, i) >= 0:
                    size += af_repeats(&rows, i)
            out[row] = size


def mark_labels(Rows given not None, uint8_t[::1] seen not None):
    """Set seen[label] = 1 for each label that occurs, and return their number.

    Stops once all have been seen, which is soon in most data. The weights of the rows do not matter.
    Assumes zeros, one for each label.
    """
    cdef af_rows rows = given.c
    cdef int64_t i, label
    cdef Py_ssize_t found = 0, most = seen.shape[0]
    with nogil:
        for i in range(af_begin(&rows, rows.first), af_begin(&rows, rows.last)):
            label = af_code(&rows, i)
            if label >= 0 and not seen[label]:
                seen[label] = 1
                found += 1
                if found == most:
                    break
    return found


def labels(Rows given not None, const double[::1] factors not None, double[::1] out not None):
    """out[label] += the row's weight times factors[row] for each judgment.

    Assumes a factor for each row, and labels below the length of `out`.
    """
    cdef af_rows rows = given.c
    cdef int64_t row, i, label
    cdef double factor
    with nogil:
        for row in range(rows.first, rows.last):
            factor = factors[row] * af_weight(&rows, row)
            for i in range(af_begin(&rows, row), af_end(&rows, row)):
                label = af_code(&rows, i)
                if label >= 0:
                    out[label] += factor * af_repeats(&rows, i)


def coders(Rows given not None, const uint8_t[::1] counted, int64_t[:, ::1] out not None):
    """out[coder, label + 1] += the row's weight for each judgment in the rows that are counted.

    Column 0 gets the missing judgments of a table. Without `counted`, all rows count.

    Assumes lists with coders, a flag for each row, and a place in `out` for each coder and label.
    """
    cdef af_rows rows = given.c
    cdef int64_t row, i, c, weight, states = out.shape[1], width = rows.width
    cdef int64_t* sums
    cdef bint some = counted is not None
    with nogil:
        for row in range(rows.first, rows.last):
            if some and not counted[row]:
                continue
            weight = af_weight(&rows, row)
            if width:
                sums = &out[0, 1]
                for c in range(width):
                    sums[af_code(&rows, row * width + c)] += weight
                    sums += states
            else:
                for i in range(rows.start[row], rows.start[row + 1]):
                    out[rows.coders[i], af_code(&rows, i) + 1] += weight


cdef enum Kind:
    NOMINAL
    MATRIX
    SQUARED
    ABSOLUTE

# How the kernel sums over an item's pairs, by the name that a form has for it.
KINDS = {"nominal": NOMINAL, "matrix": MATRIX, "squared": SQUARED, "absolute": ABSOLUTE}


def disagreement(Rows given not None, const int32_t[::1] place not None, Kind kind,
                 const double[:, ::1] values not None, int64_t[:, ::1] room not None,
                 double[:, ::1] out not None):
    """out[place[row]] += the row's weight times the sum of distances over its ordered pairs.

    out[:, 1] holds the rounding errors of out[:, 0] (Neumaier 1974), so that a sum of any length
    keeps its digits. By kind, `values` are K x K distances, K x r features or K x 1 positions. `room`
    has two lines of the length of the longest row, and a third one with a zero for each label; without
    the third, a row's labels are compared with each other.

    Assumes that `values` and `room` have a place for each label, and `place` within `out`.
    """
    cdef af_rows rows = given.c
    cdef int64_t row, i, r, count, size, known, label
    cdef int64_t* labels = &room[0, 0]
    cdef int64_t* counts = &room[1, 0]
    cdef int64_t* seen = &room[2, 0] if room.shape[0] > 2 else NULL
    with nogil:
        for row in range(rows.first, rows.last):
            r = 0
            size = 0
            for i in range(af_begin(&rows, row), af_end(&rows, row)):
                label, count = af_code(&rows, i), af_repeats(&rows, i)
                if label < 0:
                    continue
                size += count
                if seen == NULL:
                    known = 0
                    while known < r and labels[known] != label:
                        known += 1
                    if known == r:
                        labels[r] = label
                        counts[r] = 0
                        r += 1
                    counts[known] += count
                else:
                    if seen[label] == 0:
                        labels[r] = label
                        r += 1
                    seen[label] += count
            if seen != NULL:
                for i in range(r):
                    counts[i] = seen[labels[i]]
                    seen[labels[i]] = 0
            if r < 2:
                continue
            _add(_pairs(kind, values, labels, counts, r, size) * af_weight(&rows, row),
                 &out[place[row], 0])


def dense_disagreement(given not None, const int32_t[::1] place not None,
                       const double[:, ::1] matrix not None, double[:, ::1] room not None,
                       double[:, ::1] out not None):
    """The sums of `disagreement` for a matrix, by way of rows of counts of all labels.

    `given` are Rows or a CountTable. `matrix` is read below the diagonal. `room` has a zero for each
    label and BESIDE rows; it holds zeros afterwards.

    Assumes that `matrix` and `room` have a place for each label, and `place` within `out`.
    """
    cdef double[AF_BESIDE] totals
    cdef bint counted = isinstance(given, CountTable)
    cdef af_rows rows
    cdef af_counts counts
    cdef const int64_t* weights
    cdef int64_t row, last, i, j, n, label
    if counted:
        counts = (<CountTable>given).c
        row, last, weights = counts.first, counts.last, counts.weights
    else:
        rows = (<Rows?>given).c
        row, last, weights = rows.first, rows.last, rows.weights
    if room.shape[0] == 0:
        return
    with nogil:
        while row < last:
            n = min(AF_BESIDE, last - row)
            if counted:
                af_turn_cells(&counts, row, n, &room[0, 0])
            else:
                for i in range(n):
                    for j in range(af_begin(&rows, row + i), af_end(&rows, row + i)):
                        label = af_code(&rows, j)
                        if label >= 0:
                            room[label, i] += af_repeats(&rows, j)
            af_beside(&matrix[0, 0], room.shape[0], &room[0, 0], totals)
            for i in range(n):
                _add(2.0 * totals[i] * (weights[row + i] if weights != NULL else 1),
                     &out[place[row + i], 0])
                if not counted:
                    for j in range(af_begin(&rows, row + i), af_end(&rows, row + i)):
                        label = af_code(&rows, j)
                        if label >= 0:
                            room[label, i] = 0.0
            row += n


cdef inline void _add(double term, double* sums) noexcept nogil:
    """Add a term, and the rounding error of the sum (Neumaier 1974)."""
    cdef double total = sums[0] + term
    sums[1] += (sums[0] - total) + term if sums[0] >= term else (term - total) + sums[0]
    sums[0] = total


cdef double _pairs(Kind kind, const double[:, ::1] values, const int64_t* labels,
                   const int64_t* counts, int64_t r, int64_t size) noexcept nogil:
    """The sum of the distances of all ordered pairs of a row's judgments, r distinct labels."""
    cdef int64_t a, b, f, features = values.shape[1], pivot
    cdef double total = 0.0, part, gap, first, second
    if kind == NOMINAL:
        for a in range(r):
            total += <double>counts[a] * <double>(size - counts[a])
        return total
    if kind == SQUARED and r > 16:
        # n S2 - S1^2 about the most frequent label, which bounds the digits lost by r
        pivot = 0
        for a in range(1, r):
            if counts[a] > counts[pivot]:
                pivot = a
        for f in range(features):
            first = 0.0
            second = 0.0
            for a in range(r):
                gap = values[labels[a], f] - values[labels[pivot], f]
                first += counts[a] * gap
                second += counts[a] * gap * gap
            total += 2.0 * (size * second - first * first)
        return total
    for a in range(1, r):
        part = 0.0
        for b in range(a):
            if kind == MATRIX:
                part += counts[b] * values[labels[a], labels[b]]
            elif kind == ABSOLUTE:
                part += counts[b] * fabs(values[labels[a], 0] - values[labels[b], 0])
            else:
                for f in range(features):
                    gap = values[labels[a], f] - values[labels[b], f]
                    part += counts[b] * gap * gap
        total += counts[a] * part
    return 2.0 * total


def pairs(Rows given not None, int64_t[:, ::1] room not None, int32_t[:, ::1] out_labels not None,
          double[::1] out_count not None, int64_t[::1] out_row not None):
    """The unordered pairs of distinct labels of the rows to look at, until the room is used up.

    out_count is the number of ordered pairs of judgments that a pair of labels stands for. `room` is
    that of `disagreement`. Returns (pairs, next row), or (pairs needed, the same row) if one row alone
    has too many pairs.
    """
    cdef af_rows rows = given.c
    cdef int64_t row = rows.first, i, j, r, label, n = 0, needed = 0, most = out_row.shape[0]
    cdef int64_t* labels = &room[0, 0]
    cdef int64_t* seen = &room[2, 0]
    cdef bint fits
    with nogil:
        while row < rows.last:
            r = 0
            for i in range(af_begin(&rows, row), af_end(&rows, row)):
                label = af_code(&rows, i)
                if label >= 0 and af_repeats(&rows, i):
                    if seen[label] == 0:
                        labels[r] = label
                        r += 1
                    seen[label] += af_repeats(&rows, i)
            needed = r * (r - 1) // 2
            fits = n + needed <= most
            if fits:
                for i in range(1, r):
                    for j in range(i):
                        out_labels[0, n] = <int32_t>labels[i]
                        out_labels[1, n] = <int32_t>labels[j]
                        out_count[n] = 2.0 * seen[labels[i]] * seen[labels[j]]
                        out_row[n] = row
                        n += 1
            for i in range(r):
                seen[labels[i]] = 0
            if not fits:
                break
            row += 1
    return (needed, row) if row == rows.first and row < rows.last else (n, row)
