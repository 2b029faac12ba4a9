# Sums over rows of judgments: sizes, marginals, disagreement.
#
# A row is codes[begin:end], -1 being missing; begin is row * width, or start[row] where width is 0.
# repeats, where given, says how many judgments each code stands for. A row's judgments are first
# gathered as distinct labels with counts, so that the work for a row of n judgments and r distinct
# labels is O(n + r^2), never more than O(n^2) or O(n + K^2).
#
# Codes are assumed in -1..K-1, K being what the arrays have room for (reading/labels.py checks them when they
# are read, and Annotations are immutable), sizes below the length of what they index, and counts that
# add up to less than 2^62 (patterns.check_total).
from libc.math cimport fabs
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t

cdef extern from "hot.h" nogil:
    void af_count_coders_int8(const int8_t*, int64_t, int64_t, int64_t, int64_t*)
    void af_count_coders_int16(const int16_t*, int64_t, int64_t, int64_t, int64_t*)
    void af_count_coders_int32(const int32_t*, int64_t, int64_t, int64_t, int64_t*)

ctypedef fused code:
    int8_t
    int16_t
    int32_t

cdef enum Form:
    NOMINAL
    MATRIX
    SQUARED
    ABSOLUTE

# The names that Python uses for the forms of a distance.
FORMS = {"nominal": NOMINAL, "matrix": MATRIX, "squared": SQUARED, "absolute": ABSOLUTE}


def row_sizes(const code[::1] codes not None, const int64_t[::1] start not None, Py_ssize_t width,
              const int64_t[::1] repeats, Py_ssize_t first, Py_ssize_t last,
              int64_t[::1] out not None):
    """out[row]: how many judgments the row has."""
    cdef Py_ssize_t row, i, begin, end
    cdef bint repeated = repeats is not None
    cdef int64_t size
    with nogil:
        for row in range(first, last):
            begin = row * width if width else start[row]
            end = begin + width if width else start[row + 1]
            size = 0
            for i in range(begin, end):
                if codes[i] >= 0:
                    size += repeats[i] if repeated else 1
            out[row] = size


def label_marginals(const code[::1] codes not None, const int64_t[::1] start not None,
                    Py_ssize_t width, const int64_t[::1] repeats, const int64_t[::1] weights,
                    const int32_t[::1] size_of_row not None, Py_ssize_t first, Py_ssize_t last,
                    int64_t[:, ::1] out not None):
    """out[size, label] += weight of each judgment, `size` being the row's index of sizes."""
    cdef Py_ssize_t row, i, begin, end
    cdef bint repeated = repeats is not None, weighted = weights is not None
    cdef int64_t weight
    cdef int64_t* sums
    if out.shape[1] == 0:
        return
    with nogil:
        for row in range(first, last):
            begin = row * width if width else start[row]
            end = begin + width if width else start[row + 1]
            weight = weights[row] if weighted else 1
            sums = &out[size_of_row[row], 0]
            for i in range(begin, end):
                if codes[i] >= 0:
                    sums[codes[i]] += weight * repeats[i] if repeated else weight


def label_sums(const code[::1] codes not None, const int64_t[::1] start not None,
               Py_ssize_t width, const int64_t[::1] repeats, const int64_t[::1] weights,
               const int32_t[::1] size_of_row not None, const double[::1] factors not None,
               Py_ssize_t first, Py_ssize_t last, double[::1] out not None):
    """out[label] += weight times factors[size] of each judgment."""
    cdef Py_ssize_t row, i, begin, end
    cdef bint repeated = repeats is not None, weighted = weights is not None
    cdef double factor
    with nogil:
        for row in range(first, last):
            begin = row * width if width else start[row]
            end = begin + width if width else start[row + 1]
            factor = factors[size_of_row[row]]
            if weighted:
                factor *= weights[row]
            for i in range(begin, end):
                if codes[i] >= 0:
                    out[codes[i]] += factor * repeats[i] if repeated else factor


def coder_marginals(const code[::1] codes not None, const int64_t[::1] start not None,
                    Py_ssize_t width, const int32_t[::1] coders, const int64_t[::1] weights,
                    const int64_t[::1] sizes not None, int64_t least,
                    Py_ssize_t first, Py_ssize_t last, int64_t[:, ::1] out not None):
    """out[coder, label] += weight of each judgment in rows of at least `least` judgments.

    With width, the coder is the position in the row; else coders[i].
    """
    cdef Py_ssize_t row, i, begin, end
    cdef bint weighted = weights is not None
    cdef int64_t weight
    with nogil:
        for row in range(first, last):
            if sizes[row] < least:
                continue
            begin = row * width if width else start[row]
            end = begin + width if width else start[row + 1]
            weight = weights[row] if weighted else 1
            for i in range(begin, end):
                if codes[i] >= 0:
                    out[i - begin if width else coders[i], codes[i]] += weight


def table_marginals(const code[::1] codes not None, Py_ssize_t width, Py_ssize_t first,
                    Py_ssize_t last, int64_t[:, ::1] out not None):
    """out[coder, label + 1] += 1 for a table's judgments, column 0 counting what is missing."""
    cdef int64_t states = out.shape[1]
    if first == last:
        return
    with nogil:
        if code is int8_t:
            af_count_coders_int8(&codes[first * width], width, last - first, states, &out[0, 0])
        elif code is int16_t:
            af_count_coders_int16(&codes[first * width], width, last - first, states, &out[0, 0])
        else:
            af_count_coders_int32(&codes[first * width], width, last - first, states, &out[0, 0])


cdef double disagreement(Form form, const double[:, ::1] values, const int32_t* labels,
                         const int64_t* counts, Py_ssize_t r, int64_t size) noexcept nogil:
    """Sum of the distances of all ordered pairs of judgments of one row."""
    cdef Py_ssize_t a, b, f, features = values.shape[1], pivot
    cdef double total = 0.0, part, gap, first, second
    if form == NOMINAL:
        # n^2 - sum n_k^2 as a sum of products of what is not equal: exact while it is below 2^53,
        # and to the last digits beyond
        for a in range(r):
            total += <double>counts[a] * <double>(size - counts[a])
        return total
    if form == SQUARED and r > 16:
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
            if form == MATRIX:
                part += counts[b] * values[labels[a], labels[b]]
            elif form == ABSOLUTE:
                part += counts[b] * fabs(values[labels[a], 0] - values[labels[b], 0])
            else:
                for f in range(features):
                    gap = values[labels[a], f] - values[labels[b], f]
                    part += counts[b] * gap * gap
        total += counts[a] * part
    return 2.0 * total


def sum_disagreement(const code[::1] codes not None, const int64_t[::1] start not None,
                     Py_ssize_t width, const int64_t[::1] repeats, const int64_t[::1] weights,
                     const int32_t[::1] size_of_row not None, int form,
                     const double[:, ::1] values not None,
                     int64_t[::1] seen not None, int32_t[::1] labels not None,
                     int64_t[::1] counts not None, Py_ssize_t first, Py_ssize_t last,
                     double[:, ::1] out not None):
    """out[size, 0] + out[size, 1] += weight * sum of distances over a row's ordered pairs.

    out[:, 1] holds what rounding took from out[:, 0] (Neumaier 1974), so that a sum of any length
    keeps its digits. `values` is what the form needs: K x K distances, K x r features, K x 1
    positions. `seen` (K zeros), `labels` and `counts` (longest row) are room to work in.
    """
    cdef Py_ssize_t row, i, r, begin, end
    cdef bint repeated = repeats is not None, weighted = weights is not None
    cdef int64_t size, count
    cdef int32_t label
    cdef double term, total
    cdef double* sums
    with nogil:
        for row in range(first, last):
            begin = row * width if width else start[row]
            end = begin + width if width else start[row + 1]
            r = 0
            size = 0
            for i in range(begin, end):
                label = codes[i]
                if label >= 0:
                    count = repeats[i] if repeated else 1
                    if count == 0:
                        continue
                    size += count
                    if seen[label] == 0:
                        labels[r] = label
                        r += 1
                    seen[label] += count
            for i in range(r):
                counts[i] = seen[labels[i]]
                seen[labels[i]] = 0
            if r < 2:
                continue
            term = disagreement(<Form>form, values, &labels[0], &counts[0], r, size)
            if weighted:
                term *= weights[row]
            sums = &out[size_of_row[row], 0]
            total = sums[0] + term
            sums[1] += (sums[0] - total) + term if sums[0] >= term else (term - total) + sums[0]
            sums[0] = total


def list_pairs(const code[::1] codes not None, const int64_t[::1] start not None,
               Py_ssize_t width, const int64_t[::1] repeats,
               int64_t[::1] seen not None, int32_t[::1] labels not None, Py_ssize_t row,
               Py_ssize_t last, int32_t[::1] out_a not None, int32_t[::1] out_b not None,
               double[::1] out_count not None, int64_t[::1] out_row not None):
    """The unordered pairs of distinct labels of rows from `row` on, until the room is used up.

    out_count is how many ordered pairs of judgments a pair stands for. Returns (pairs, next row);
    a row whose pairs alone exceed the room gives (pairs needed, the same row).
    """
    cdef Py_ssize_t i, j, r, begin, end, n = 0, room = out_a.shape[0], needed = 0
    cdef Py_ssize_t begin_row = row
    cdef bint repeated = repeats is not None, fits
    cdef int64_t count
    cdef int32_t label
    with nogil:
        while row < last:
            begin = row * width if width else start[row]
            end = begin + width if width else start[row + 1]
            r = 0
            for i in range(begin, end):
                label = codes[i]
                if label >= 0:
                    count = repeats[i] if repeated else 1
                    if count and seen[label] == 0:
                        labels[r] = label
                        r += 1
                    seen[label] += count
            needed = r * (r - 1) // 2
            fits = n + needed <= room
            if fits:
                for i in range(1, r):
                    for j in range(i):
                        out_a[n] = labels[i]
                        out_b[n] = labels[j]
                        out_count[n] = 2.0 * seen[labels[i]] * seen[labels[j]]
                        out_row[n] = row
                        n += 1
            for i in range(r):
                seen[labels[i]] = 0
            if not fits:
                break
            row += 1
    return (needed, row) if row == begin_row and row < last else (n, row)
