# The first check of a table: whether it may be something other than labels of items x coders.
#
# It reads few rows and can only raise a doubt; `recognition` then reads more of them.
from libc.math cimport exp, floor, sqrt
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memset

cdef extern from "hot.h" nogil:
    int af_narrow_double(const double*, int64_t, int, int8_t*)
    int af_narrow_int64(const int64_t*, int64_t, int8_t*, int8_t*, int8_t*)

from numpy import empty as _empty
from numpy import int8 as _int8
from numpy import int32 as _int32
from numpy import ndarray as _ndarray

from agreement_fast._kernels._numbers cimport number
from agreement_fast._kernels._rows import Rows
from agreement_fast._kernels._sums import BySize

# Bits of the answer.
cdef enum:
    _COLUMNS = 1
    _SUMS = 2
    _PAIRS = 4

# COLUMNS: a column may not be a coder's. SUMS: rows have the same sum or columns vary against each
# other, like counts, or the table is square, like a contingency table. PAIRS: two of three columns
# almost never repeat a pair, like items and coders.
COLUMNS, SUMS, PAIRS = _COLUMNS, _SUMS, _PAIRS

# Rows that are looked at: for columns, for sums, for pairs. ROWS is the most of them.
cdef enum:
    _FOR_COLUMNS = 20
    _FOR_SUMS = 32
    _FOR_PAIRS = 32

ROWS = _FOR_PAIRS

# With fewer rows, the content of a column says nothing: of numbers, of labels of all kinds.
cdef enum:
    _FEWEST = 4
    _FEWEST_LABELS = 3

FEWEST = _FEWEST_LABELS

# The highest number of a scale of few steps.
cdef enum:
    _SCALE = 10

# Counts are below 2^40, and three rows in four have the same sum.
cdef double _LARGE = 1099511627776.0


def at_numbers(const number[:, :] head not None, Py_ssize_t n_rows):
    """Return the doubts that the first rows of a table of numbers raise; NaN is missing.

    Assumes at least the first `ROWS` of `n_rows` rows, or all of them.
    """
    return _at_numbers(head, n_rows)


cdef int _at_numbers(const number[:, :] head, Py_ssize_t n_rows):
    cdef int found = 0
    cdef Py_ssize_t width = head.shape[1]
    if width < 2:
        return 0
    if n_rows >= _FEWEST and _odd_numbers(head):
        found |= _COLUMNS
    if n_rows >= 2 and _even_sums(head, n_rows):
        found |= _SUMS
    if width == 3 and not _pairs_repeat(head):
        found |= _PAIRS
    return found


cdef bint _odd_numbers(const number[:, :] head):
    """Return whether some columns number the rows and others do not, or one goes beyond a scale.

    Such columns hold whole numbers: a fraction in one of the rows clears a column.
    """
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_COLUMNS), i, c, high = 0, steps = 0
    cdef bint step, beyond, whole
    cdef double value
    for c in range(head.shape[1]):
        step = True
        beyond = False
        whole = True
        for i in range(rows):
            value = <double>head[i, c]
            if value != floor(value) and value == value:
                whole = False
                break
            beyond = beyond or value > _SCALE or value < -_SCALE
            if i and value != <double>head[i - 1, c] + 1:
                step = False
        high += whole and beyond
        steps += whole and step
    return high == 1 or 0 < steps < head.shape[1]


cdef bint _even_sums(const number[:, :] head, Py_ssize_t n_rows):
    """Whether rows are whole numbers from 0 that may be counts; see `_like_counts`."""
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_SUMS), width = head.shape[1], i, c, zeros = 0
    cdef double[_FOR_SUMS] sums
    cdef double value, total, squares, within = 0
    for i in range(rows):
        sums[i] = 0
    for c in range(width):
        total = 0
        squares = 0
        for i in range(rows):
            value = <double>head[i, c]
            if not (0 <= value < _LARGE and value == floor(value)):
                return False
            zeros += value == 0
            sums[i] += value
            total += value
            squares += value * value
        within += squares - total * total / rows
    return n_rows == width or _like_counts(sums, rows, n_rows, width, zeros, within)


cdef bint _like_counts(
    const double* sums, Py_ssize_t rows, Py_ssize_t n_rows, Py_ssize_t width, Py_ssize_t zeros,
    double within
):
    """Whether most rows have one sum, or columns with zeros vary against each other.

    `within` is the sum of the squared deviations of all columns. `recognition` is stricter.
    """
    cdef Py_ssize_t i
    cdef double total = 0, squares = 0, most
    if _most_often(sums, rows) >= 0.75 * rows:
        return True
    for i in range(rows):
        total += sums[i]
        squares += sums[i] * sums[i]
    most = 0.85 if n_rows > rows else exp(-4 * sqrt(2.0 / rows))
    return 2 * zeros >= rows and squares - total * total / rows < most * within


cdef Py_ssize_t _most_often(const double* sums, Py_ssize_t n):
    cdef Py_ssize_t i, j, same, most = 0
    for i in range(n):
        same = 0
        for j in range(n):
            same += sums[i] == sums[j]
        most = max(most, same)
    return most


cdef bint _pairs_repeat(const number[:, :] head):
    """Return whether every two of three columns repeat pairs, as labels of few categories do."""
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_PAIRS), i, j, a, b, distinct
    cdef bint new
    for a in range(2):
        for b in range(a + 1, 3):
            distinct = 0
            for i in range(rows):
                new = True
                for j in range(i):
                    if head[i, a] == head[j, a] and head[i, b] == head[j, b]:
                        new = False
                        break
                distinct += new
            if distinct >= rows - _FOR_PAIRS // 10:
                return False
    return True


def at_labels(const int32_t[:, ::1] head not None, list labels not None, Py_ssize_t n_rows):
    """Return the doubts that the first rows of a table of codes raise; -1 is missing.

    Assumes at least the first `ROWS` of `n_rows` rows, or all of them, and a label for each code.
    """
    cdef int found = 0
    cdef Py_ssize_t width = head.shape[1]
    cdef const int32_t[:, :] codes = head
    if width < 2:
        return 0
    if n_rows >= _FEWEST_LABELS and _odd_labels(head, labels):
        found |= _COLUMNS
    if n_rows >= 2 and _even_labels(head, labels, n_rows):
        found |= _SUMS
    if width == 3 and not _pairs_repeat[int32_t](codes):
        found |= _PAIRS
    return found


cdef bint _odd_labels(const int32_t[:, ::1] head, list labels):
    """Return whether some columns differ in the type of their labels, or have few repeated labels."""
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_COLUMNS), width = head.shape[1], i, j, c
    cdef Py_ssize_t given, distinct, single = 0, high = 0
    cdef bint numbers = False, mixed = False, different = False, new, beyond
    cdef object label
    for c in range(width):
        if head[0, c] >= 0 and isinstance(labels[head[0, c]], (int, float)):
            numbers = True
    for c in range(width):
        given = 0
        distinct = 0
        beyond = False
        for i in range(rows):
            if head[i, c] < 0:
                continue
            given += 1
            new = True
            for j in range(i):
                if head[j, c] == head[i, c]:
                    new = False
                    break
            distinct += new
            if new and numbers:
                label = labels[head[i, c]]
                if not isinstance(label, (int, float)):
                    mixed = True
                elif label > _SCALE:
                    beyond = True
        single += 2 * distinct > given
        different = different or distinct == rows
        high += beyond
    if mixed or high == 1:
        return True
    if 0 < single < width and different:
        return True
    return not numbers and _one_is_alone(head, rows)


cdef bint _one_is_alone(const int32_t[:, ::1] head, Py_ssize_t rows):
    """Return whether a column has labels, and shares none of them with another column."""
    cdef dict column_of = {}
    cdef set met = set()
    cdef Py_ssize_t i, c
    cdef object other
    for i in range(rows):
        for c in range(head.shape[1]):
            if head[i, c] >= 0:
                other = column_of.setdefault(head[i, c], c)
                if other != c:
                    met.add(other)
                    met.add(c)
                    if len(met) == head.shape[1]:
                        return False
    return len(set(column_of.values()) - met) > 0


cdef bint _even_labels(const int32_t[:, ::1] head, list labels, Py_ssize_t n_rows):
    """Whether rows are whole numbers from 0 that may be counts; see `_like_counts`."""
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_SUMS), width = head.shape[1], i, c, zeros = 0
    cdef double[_FOR_SUMS] sums
    cdef double value, total, squares, within = 0
    cdef object label
    for i in range(rows):
        sums[i] = 0
    for c in range(width):
        total = 0
        squares = 0
        for i in range(rows):
            if head[i, c] < 0:
                return False
            label = labels[head[i, c]]
            if type(label) is not int or not 0 <= label < _LARGE:
                return False
            value = <double>label
            zeros += value == 0
            sums[i] += value
            total += value
            squares += value * value
        within += squares - total * total / rows
    return n_rows == width or _like_counts(sums, rows, n_rows, width, zeros, within)


# Small tables of whole numbers from 0, whose labels are counted while they are looked at.
cdef enum:
    _STATES = 64
    _CODERS = 32
    _ITEMS = 8192

# The flags of arrays stored by row that processors can read.
cdef enum:
    _PLAIN = 0x101

cdef object _WHOLE = list(range(_STATES))

def count_plain(object table, uint64_t doubtful):
    """Count the judgments of a small table of items x coders, or return None.

    Parameters
    ----------
    table : anything
    doubtful : int
        The bits of the numbers that are no plain labels if they are the largest.

    Returns
    -------
    (number of coders, number of labels, BySize, Rows) or None
        None unless it is an array of 64 bits, or a list of lists, of whole numbers from 0 to 63 and
        missing judgments that raise no doubts.
    """
    cdef const double[:, ::1] floats
    cdef const int64_t[:, ::1] integers
    cdef int8_t low, high
    cdef Py_ssize_t n, width
    cdef object table_of_codes
    cdef int8_t[::1] codes
    cdef bint is_list = type(table) is list
    if is_list:
        n, width = len(table), _width(table)
    elif type(table) is _ndarray and table.ndim == 2:
        n, width = table.shape
    else:
        return None
    if not (1 < width <= _CODERS and width <= n < _ITEMS):
        return None
    codes = table_of_codes = _empty(n * width, _int8)
    if is_list:
        if not _take_rows(table, n, width, codes):
            return None
    elif table.flags.num & _PLAIN != _PLAIN or not table.dtype.isnative:
        return None
    elif table.dtype.char == "d":
        floats = table
        if af_narrow_double(&floats[0, 0], n * width, -1, &codes[0]) & ~2:
            return None
        if _at_numbers[double](floats, n):
            return None
    elif table.dtype.char == "l":
        integers = table
        if af_narrow_int64(&integers[0, 0], n * width, &codes[0], &low, &high) or low < 0:
            return None
        if _at_numbers[int64_t](integers, n):
            return None
    else:
        return None
    return _count_codes(table_of_codes, codes, width, doubtful)


cdef Py_ssize_t _width(list rows):
    """Return the length of the first row of a list."""
    cdef object first = rows[0] if rows else None
    return len(first) if type(first) is list or type(first) is tuple else 0


cdef bint _take_rows(list rows, Py_ssize_t n, Py_ssize_t width, int8_t[::1] codes) except -1:
    """Write lists as codes, -1 for None and NaN; return whether they are so and raise no doubts."""
    cdef Py_ssize_t i, c, looked = min(n, _FOR_PAIRS)
    cdef object row, cell
    cdef object head = _empty((looked, width), _int32)
    cdef int32_t[:, ::1] first = head
    cdef int64_t value
    for i in range(n):
        row = rows[i]
        if not (type(row) is list or type(row) is tuple) or len(row) != width:
            return False
        c = 0
        for cell in row:
            if type(cell) is int:
                if not 0 <= cell < _STATES:
                    return False
                value = cell
            elif cell is None or (type(cell) is float and cell != cell):
                value = -1
            else:
                return False
            codes[i * width + c] = <int8_t>value
            if i < looked:
                first[i, c] = <int32_t>value
            c += 1
    return at_labels(head, _WHOLE, n) == 0


cdef object _count_codes(object table, int8_t[::1] codes, Py_ssize_t width, uint64_t doubtful):
    """Return the number of distinct codes, their `BySize` and their rows; None if the largest is doubtful."""
    cdef bint[256] used
    cdef Py_ssize_t i, k, n_labels = 0, top = 0
    cdef int8_t[256] place
    cdef object sums, rows
    memset(used, 0, sizeof(used))
    for i in range(codes.shape[0]):
        used[codes[i] + 128] = True
    for k in range(256):
        if used[k] and k != 127:
            if not 128 <= k < 128 + _STATES:
                return None
            place[k] = <int8_t>n_labels
            n_labels += 1
            top = k - 128
    place[127] = -1
    if doubtful >> top & 1 or n_labels == 0:
        return None
    if n_labels <= top:
        for i in range(codes.shape[0]):
            codes[i] = place[codes[i] + 128]
    rows = Rows(table, width)
    sums = BySize(n_labels, width + 1, width)
    sums.add(rows)
    return width, n_labels, sums, rows
