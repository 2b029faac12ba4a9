# The first check of a table: whether it may be something other than labels of items x coders.
#
# It reads few rows and can only raise a doubt; `recognition` then reads more of them.
from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.math cimport NAN, exp, fabs, floor, lgamma, log, sqrt
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memset

cdef extern from "hot.h" nogil:
    int af_narrow_double(const double*, int64_t, int, int8_t*)
    int af_narrow_int64(const int64_t*, int64_t, int8_t*, int8_t*, int8_t*)
    uint64_t af_used_codes(const int8_t*, int64_t)
    void af_place_codes(int8_t*, int64_t, uint64_t)

from numpy import array as _array
from numpy import empty as _empty
from numpy import int8 as _int8
from numpy import int32 as _int32
from numpy import ndarray as _ndarray

from agreement_fast._kernels._numbers cimport number
from agreement_fast._kernels._rows cimport Rows
from agreement_fast._kernels._sums import BySize

# Bits of the answer.
cdef enum:
    _COLUMNS = 1
    _SUMS = 2
    _PAIRS = 4
    _LAST = 8
    _DERIVED = 16

# COLUMNS: a column may not be a coder's. SUMS: rows have the same sum or columns vary against each
# other, like counts, or the table is square, like a contingency table, of shares, too. PAIRS: two of
# three columns almost never repeat a pair, like items and coders. LAST: the last row or the last
# column may have the sums or the means of the others. DERIVED: the last column may be computed from
# their labels.
COLUMNS, SUMS, PAIRS, LAST, DERIVED = _COLUMNS, _SUMS, _PAIRS, _LAST, _DERIVED

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

# More rows are not all looked at: here, and by `recognition`.
cdef enum:
    _ITEMS = 8192
    _SEEN = 1000

# Fewest rows in which columns differ from which another may follow; of more, no pairs are compared.
cdef enum:
    _APART = 3
    _COMPARED = 6

# Chance explains that another follows with e^-DOUBT at most; half the evidence for what is derived.
cdef double _DOUBT = 7, _DERIVES = 4

# Fewest complete rows that show it.
cdef enum:
    _DERIVED_ROWS = 8

# From what a last column follows, 1 and on, in the order in which it is looked for.
cdef enum:
    _EMPTY = 1
    _MAJORITY
    _MEDIAN
    _SMALLEST
    _LARGEST
    _EQUAL
    _COARSER

# Fewest rows above their sums; room for rounding to two digits.
cdef enum:
    _ABOVE = 5
cdef double _ROUNDED = 0.0051

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
    if n_rows > _ABOVE and (_ends_with_sums(head, n_rows) or (width > 2 and _last_follows(head))):
        found |= _LAST
    if n_rows > _ABOVE and width > 2 and _last_derives(head, NAN, n_rows, True):
        found |= _DERIVED
    return found


cdef inline bint _follows(double value, double total, Py_ssize_t n):
    """Return whether a number is the sum or the mean of n others."""
    return fabs(value - total) <= _ROUNDED or fabs(value - total / n) <= _ROUNDED


cdef bint _ends_with_sums(const number[:, :] head, Py_ssize_t n_rows):
    """Return whether the last row of a small table may have the sums or the means of the columns."""
    cdef Py_ssize_t i, c, n
    cdef double total, value
    if head.shape[0] < n_rows or n_rows > _ITEMS:
        return False
    for c in range(head.shape[1]):
        total = 0
        n = 0
        for i in range(n_rows - 1):
            value = <double>head[i, c]
            if value == value:
                total += value
                n += 1
        if n == 0 or not _follows(<double>head[n_rows - 1, c], total, n):
            return False
    return True


cdef bint _last_follows(const number[:, :] head):
    """Return whether the last column may have the sums or the means of the others in its row."""
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_COLUMNS), last = head.shape[1] - 1, i, c
    cdef double total
    for i in range(rows):
        total = 0
        for c in range(last):
            total += <double>head[i, c]
        if total == total and not _follows(<double>head[i, last], total, last):
            return False
    return True


cdef bint _last_derives(const number[:, :] head, double gap, Py_ssize_t n_rows, bint ordered):
    """Return whether the last column may be what people compute from the labels of the others.

    It is what most of the others are, or their least or largest; it is empty if they are equal, or
    says so; or its values stand for those of another column. `gap`: the code of what is missing.
    If others agree in most of `n_rows`, a coder does, too. `ordered`: whether codes are in the
    order of the labels; else any may be the least.
    """
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_PAIRS), last = head.shape[1] - 1, i, c, k, votes
    cdef Py_ssize_t full = 0, equal = 0, most = 0, different
    cdef Py_ssize_t[_CODERS] often
    cdef bint same, among, empty, repeated, major = True, least = True, largest = True, tie = True
    cdef double value, own
    memset(often, 0, sizeof(often))
    for i in range(rows):
        same = True
        among = False
        empty = False
        own = <double>head[i, last]
        for c in range(last):
            value = <double>head[i, c]
            empty = empty or value != value or value == gap
            same = same and value == <double>head[i, 0]
            among = among or value == own
        if empty:
            continue
        full += 1
        equal += same
        empty = own != own or own == gap
        tie = tie and empty == same
        if empty:
            continue
        major = major and among
        least = least and among
        largest = largest and among
        for c in range(last):
            value = <double>head[i, c]
            least = least and (own <= value or not ordered)
            largest = largest and own >= value
            votes = 0
            for k in range(last if major and c < _CODERS else 0):
                votes += <double>head[i, k] == value
            if 2 * votes > last:
                often[c] += 1
                major = own == value
    for c in range(min(last, _CODERS)):
        most = max(most, often[c])
    if full - equal >= _APART and (
        (tie and equal)
        or (major and n_rows * log((full + 2.0) / (most + 1)) >= _DERIVES)
        or ((least or largest) and n_rows * log((full + 2.0) / (equal + 1)) >= _DERIVES)
    ):
        return True
    if _says_equal(head, rows, 0, last):
        return True
    for c in range(last):
        for k in range(c + 1, min(last, _COMPARED)):
            if _says_equal(head, rows, c, k):
                return True
        different = 0
        repeated = False
        for i in range(rows):
            different += head[i, c] != head[i, last]
            for k in range(i):
                if head[i, c] == head[k, c]:
                    repeated = True
                    if head[i, last] != head[k, last]:
                        break
            else:
                continue
            break
        else:
            if repeated and 4 * different >= rows:
                return True
    return False


cdef bint _says_equal(const number[:, :] head, Py_ssize_t rows, Py_ssize_t first, Py_ssize_t second):
    """Return whether the last column has a value where two others, or all, are equal, else another.

    All, if the second is the last column.
    """
    cdef Py_ssize_t last = head.shape[1] - 1, i, c, at_equal = -1, at_unlike = -1
    cdef bint same
    for i in range(rows):
        same = head[i, first] == head[i, second]
        if second == last:
            same = True
            for c in range(last):
                same = same and head[i, c] == head[i, 0]
        if same:
            if at_equal < 0:
                at_equal = i
            if head[i, last] != head[at_equal, last]:
                return False
        else:
            if at_unlike < 0:
                at_unlike = i
            if head[i, last] != head[at_unlike, last]:
                return False
    return at_equal >= 0 and at_unlike >= 0 and head[at_equal, last] != head[at_unlike, last]


def derives(const int32_t[:, ::1] codes not None, const double[::1] numbers, Py_ssize_t n_labels):
    """Return from what the labels of the last column follow, unless chance explains that.

    A coder is expected to be like the others as often as the one of them who is most.

    Parameters
    ----------
    codes : int32 array of shape (rows, columns)
        Codes of labels; -1 is missing. Every row is evidence, so equal rows should stand once.
    numbers : float64 array of shape (labels,) or None
        The labels, if they are numbers.
    n_labels : int

    Returns
    -------
    int
        0: from nothing. 1: it is empty where the others are equal, and nowhere else, or the other
        way round. 2, 3, 4, 5: it is their majority, their median, their least, their largest. 6: it
        says where others are equal. 7: its values stand for values of another column.
    """
    return _derives(codes, numbers, n_labels)


cdef int _derives(const int32_t[:, ::1] codes, const double[::1] numbers, Py_ssize_t n_labels):
    cdef Py_ssize_t width = codes.shape[1], last = width - 1, i, c, n = 0, full = 0, equal = 0
    cdef Py_ssize_t blank = 0, alike = 0
    cdef int32_t[:, ::1] rows = _empty((codes.shape[0], width), _int32)
    cdef bint same, empty
    for i in range(codes.shape[0]):
        same = True
        for c in range(last):
            if codes[i, c] < 0:
                break
            same = same and codes[i, c] == codes[i, 0]
        else:
            empty = codes[i, last] < 0
            full += 1
            equal += same
            blank += empty
            alike += empty == same
            rows[n, :] = codes[i, :]
            n += not empty
    if width < 3 or full < _DERIVED_ROWS or full - equal < _APART:
        return 0
    if (alike == 0 or alike == full) and _ways(full, blank) >= _DOUBT:
        return _EMPTY
    if n < _DERIVED_ROWS:
        return 0
    rows = rows[:n]
    if n_labels <= _STATES and _is_of_others(_MAJORITY, rows, numbers):
        return _MAJORITY
    if numbers is not None:
        for i in range(_MEDIAN, _LARGEST + 1):
            if _is_of_others(<int>i, rows, numbers):
                return <int>i
    return _follows_from_one(rows, n_labels)


cdef void _swap(int32_t[:, ::1] table, Py_ssize_t at):
    """Let a column and the last one take turns."""
    cdef Py_ssize_t i, last = table.shape[1] - 1
    cdef int32_t cell
    for i in range(table.shape[0]):
        cell = table[i, at]
        table[i, at] = table[i, last]
        table[i, last] = cell


cdef double _ways(Py_ssize_t n, Py_ssize_t k):
    """Return the logarithm of the number of ways to choose k of n."""
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)


cdef bint _is_of_others(int kind, const int32_t[:, ::1] rows, const double[::1] numbers):
    """Return whether the last column is the majority of the others, or so, in all rows."""
    cdef Py_ssize_t last = rows.shape[1] - 1, i, c, sure = 0, known, like
    cdef int alike
    cdef double most = 0
    for i in range(rows.shape[0]):
        alike = _is_like(kind, rows[i], last, numbers)
        if alike == 0:
            return False
        sure += alike > 0
    for c in range(last):
        known = like = 0
        for i in range(rows.shape[0]):
            alike = _is_like(kind, rows[i], c, numbers)
            known += alike >= 0
            like += alike > 0
        most = max(most, (like + 2.0) / (known + 2))
    return sure * -log(most) >= _DOUBT + log(4)


cdef int _is_like(int kind, const int32_t[::1] row, Py_ssize_t of, const double[::1] numbers):
    """Return whether a label is the majority of the others, or so; -1 if they have no majority.

    What follows from the others makes these alike, so it is left out where two others remain.
    """
    cdef Py_ssize_t width = row.shape[0], c, below = 0, above = 0, equal = 0, top = 0, tops = 0
    cdef int32_t[_STATES] votes
    cdef double own, value, low = 0, high = 0
    memset(votes, 0, sizeof(votes))
    for c in range(width):
        if c == of or (c == width - 1 and width > 3 and kind != _MEDIAN):
            continue
        if kind == _MAJORITY:
            votes[row[c]] += 1
            top = max(top, votes[row[c]])
            continue
        value, own = numbers[row[c]], numbers[row[of]]
        equal += value == own
        if value < own:
            low = value if not below else max(low, value)
            below += 1
        elif value > own:
            high = value if not above else min(high, value)
            above += 1
    if kind == _SMALLEST:
        return equal and not below
    if kind == _LARGEST:
        return equal and not above
    if kind == _MEDIAN:
        return 2 * max(below, above) < width - 1 or (below == above and own == (low + high) / 2)
    for c in range(_STATES):
        tops += votes[c] == top
    if of == width - 1 and not votes[row[of]]:
        return 0
    return votes[row[of]] == top if tops == 1 else -1


cdef int _follows_from_one(const int32_t[:, ::1] rows, Py_ssize_t n_labels):
    """Return whether the last column says which others are equal, or repeats one more coarsely."""
    cdef Py_ssize_t n = rows.shape[0], last = rows.shape[1] - 1, compared = min(last, _COMPARED)
    cdef Py_ssize_t i, c, k, kinds, values, common = 0, differ, of_first = 0
    cdef int32_t[::1] image = _empty(n_labels, _int32), often = _empty(n_labels, _int32)
    cdef bint alone = False
    often[:] = 0
    for i in range(n):
        often[rows[i, last]] += 1
        common = max(common, often[rows[i, last]])
        of_first += rows[i, last] == rows[0, last]
    values = _kinds(rows, last, last, image)
    if values == 2:
        for c in range(last):
            alone = alone or _kinds(rows, last, c, image) > 0
        if not alone and _ways(n, of_first) >= _DOUBT + log(1 + compared * (compared - 1) / 2.0):
            if _splits(rows, 0, last):
                return _EQUAL
            for c in range(compared):
                for k in range(c + 1, compared):
                    if _splits(rows, c, k):
                        return _EQUAL
    for c in range(last):
        differ = 0
        for i in range(n):
            differ += rows[i, c] != rows[i, last]
        kinds = _kinds(rows, c, last, image)
        if kinds > values > 1 and 4 * differ >= n and (n - kinds) * -log(common / <double>n) >= _DOUBT:
            return _COARSER
    return 0


cdef Py_ssize_t _kinds(
    const int32_t[:, ::1] rows, Py_ssize_t source, Py_ssize_t target, int32_t[::1] image
):
    """Return how many values a column has, 0 if another does not follow from it."""
    cdef Py_ssize_t i, kinds = 0
    for i in range(rows.shape[0]):
        image[rows[i, source]] = -1
    for i in range(rows.shape[0]):
        if image[rows[i, source]] < 0:
            image[rows[i, source]] = rows[i, target]
            kinds += 1
        elif image[rows[i, source]] != rows[i, target]:
            return 0
    return kinds


cdef bint _splits(const int32_t[:, ::1] rows, Py_ssize_t first, Py_ssize_t second):
    """Return whether two columns, or all others, are equal where the last has one of two values."""
    cdef Py_ssize_t n = rows.shape[0], last = rows.shape[1] - 1, i, c, matches = 0
    cdef bint same
    for i in range(n):
        same = rows[i, first] == rows[i, second]
        if second == last:
            same = True
            for c in range(last):
                same = same and rows[i, c] == rows[i, 0]
        matches += same == (rows[i, last] == rows[0, last])
    return matches == 0 or matches == n


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
    """Whether rows are whole numbers that may be counts, also without zeros; see `_like_counts`."""
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_SUMS), width = head.shape[1], i, c, zeros = 0, gaps = 0
    cdef double[_FOR_SUMS] sums
    cdef double value, total, squares, within = 0
    for i in range(rows):
        sums[i] = 0
    for c in range(width):
        total = 0
        squares = 0
        for i in range(rows):
            value = <double>head[i, c]
            if value != value:
                gaps += 1
                continue
            if not (0 <= value < _LARGE and value == floor(value)):
                return n_rows == width and 0 <= value < 1
            zeros += value == 0
            sums[i] += value
            total += value
            squares += value * value
        within += squares - total * total / rows
    if gaps:  # in place of zeros
        return zeros == 0 and _most_often(sums, rows) >= 0.75 * rows
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
    cdef int found = _at_labels(head, labels, n_rows)
    cdef Py_ssize_t width = head.shape[1]
    if n_rows > _ABOVE and width > 1 and (
        _labels_end_with_sums(head, labels, n_rows) or (width > 2 and _last_label_follows(head, labels))
    ):
        found |= _LAST
    return found


cdef int _at_labels(const int32_t[:, ::1] head, list labels, Py_ssize_t n_rows):
    """The same without the last row and the last column."""
    cdef int found = 0
    cdef Py_ssize_t width = head.shape[1]
    cdef const int32_t[:, :] codes = head
    if width < 2:
        return 0
    if (n_rows >= _FEWEST_LABELS and _odd_labels(head, labels)) or _begins_with_names(head, labels):
        found |= _COLUMNS
    if n_rows >= 2 and _even_labels(head, labels, n_rows):
        found |= _SUMS
    if width == 3 and not _pairs_repeat[int32_t](codes):
        found |= _PAIRS
    if n_rows > _ABOVE and width > 2 and _last_derives[int32_t](codes, -1, n_rows, False):
        found |= _DERIVED
    return found


cdef bint _last_label_follows(const int32_t[:, ::1] head, list labels):
    """Return what `_last_follows` does, of labels that are numbers."""
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_COLUMNS), last = head.shape[1] - 1, i, c
    cdef double total
    cdef object label
    for i in range(rows):
        total = 0
        for c in range(last + 1):
            if head[i, c] < 0:
                break
            label = labels[head[i, c]]
            if not isinstance(label, (int, float)) or not -_LARGE < label < _LARGE:
                return False
            if c < last:
                total += label
            elif not _follows(label, total, last):
                return False
    return True


cdef bint _labels_end_with_sums(const int32_t[:, ::1] head, list labels, Py_ssize_t n_rows):
    """Return what `_ends_with_sums` does, of labels that are numbers."""
    cdef Py_ssize_t i, c, n
    cdef double total, value = 0
    cdef object label
    if head.shape[0] < n_rows or n_rows > _SEEN:
        return False
    for c in range(head.shape[1]):
        total = 0
        n = 0
        for i in reversed(range(n_rows)):
            label = labels[head[i, c]] if head[i, c] >= 0 else None
            if label is not None and not (
                isinstance(label, (int, float)) and -_LARGE < label < _LARGE
            ):
                return False
            if i == n_rows - 1:
                if label is None:
                    return False
                value = label
            elif label is not None:
                total += label
                n += 1
        if n == 0 or not _follows(value, total, n):
            return False
    return True


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


cdef bint _begins_with_names(const int32_t[:, ::1] head, list labels):
    """Return whether the texts of the first row differ, and the next rows have none of them."""
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_PAIRS), width = head.shape[1], i, c, first
    if rows < 2 or head[0, 0] < 0 or not isinstance(labels[head[0, 0]], str):
        return False
    for first in range(width):
        if head[0, first] < 0:
            return False
        for i in range(rows):
            for c in range(width):
                if head[i, c] == head[0, first] and (i or c != first):
                    return False
    return True


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
    """Whether rows are whole numbers that may be counts, also without zeros; see `_like_counts`."""
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_SUMS), width = head.shape[1], i, c, zeros = 0, gaps = 0
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
                gaps += 1
                continue
            label = labels[head[i, c]]
            if type(label) is not int or not 0 <= label < _LARGE:
                return n_rows == width and type(label) is float and 0 <= label < 1
            value = <double>label
            zeros += value == 0
            sums[i] += value
            total += value
            squares += value * value
        within += squares - total * total / rows
    if gaps:  # in place of zeros
        return zeros == 0 and _most_often(sums, rows) >= 0.75 * rows
    return n_rows == width or _like_counts(sums, rows, n_rows, width, zeros, within)


# Small tables of whole numbers from 0 or of words, which are counted while they are looked at.
cdef enum:
    _STATES = 64
    _CODERS = 32

# Words have fewer letters.
cdef enum:
    _LONG = 20

# Fewer rows are all pairs of items and coders, or of labels; fewer show no order of rows and labels.
cdef enum:
    _CROSSED = 6
    _TRIPLES = 12

# What the order of rows, and labels on a part of the scale, add to evidence for such pairs at most;
# and how many deviations the variance of sums may lie below that of columns, which is fewer than
# in `recognition`.
cdef double _SORTED = 4.5, _NARROW = 6.5, _DEVIATIONS = 2.9

# The flags of arrays stored by row that processors can read.
cdef enum:
    _PLAIN = 0x101

cdef object _WHOLE = list(range(_STATES)), _NUMBERS = _array(_WHOLE, float)

def count_plain(object table, uint64_t doubtful, frozenset no_words not None, bint certain=False):
    """Count the judgments of a small table of items x coders, or return None.

    Parameters
    ----------
    table : anything
    doubtful : int
        The bits of the numbers that are no plain labels if they are the largest.
    no_words : frozenset of str
        Words in lower case that are no plain labels.
    certain : bool
        Whether all rows must show that no column is anything but a coder, as names are looked at
        elsewhere.

    Returns
    -------
    (labels in their order, BySize, Rows) or None
        None unless it is an array of 64 bits, or a list of lists, of whole numbers from 0 to 63, or
        a list of lists of words, and missing judgments that raise no doubts.
    """
    cdef const double[:, ::1] floats
    cdef const int64_t[:, ::1] integers
    cdef int8_t low, high
    cdef int doubts
    cdef uint64_t used
    cdef Py_ssize_t n, width, i
    cdef Rows rows
    cdef int8_t* codes
    cdef dict words = {}
    cdef list labels = _WHOLE
    cdef object cells
    cdef int32_t[:, ::1] turned
    cdef const int32_t[:, :] looked
    cdef bint is_list = type(table) is list
    if is_list:
        n, width = len(table), _width(table)
    elif type(table) is _ndarray and table.ndim == 2:
        n, width = table.shape
    else:
        return None
    if not (1 < width <= _CODERS and width <= n < _ITEMS):
        return None
    cells = _empty(n * width, _int8)
    rows = Rows(cells, width)
    codes = <int8_t*>rows.c.codes
    if is_list:
        doubts = _take_rows(table, n, width, codes, words)
        if words:
            if doubts & _COLUMNS or not are_words(list(words), no_words):
                return None
            labels = _sort(words, codes, n * width)
            doubtful = 0
        elif n > _ABOVE and _sums_below(codes, n, width):
            return None
    elif table.flags.num & _PLAIN != _PLAIN or not table.dtype.isnative:
        return None
    elif table.dtype.char == "d":
        floats = table
        if af_narrow_double(&floats[0, 0], n * width, -1, codes) & ~2:
            return None
        doubts = _at_numbers[double](floats, n)
    elif table.dtype.char == "l":
        integers = table
        if af_narrow_int64(&integers[0, 0], n * width, codes, &low, &high) or low < 0:
            return None
        doubts = _at_numbers[int64_t](integers, n)
    else:
        return None
    used = af_used_codes(codes, n * width)
    if not used:
        return None
    if doubts & ~(_PAIRS | _DERIVED) or (
        (certain or doubts) and not _are_labels(codes, n, width, not words, certain)
    ):
        return None
    if certain or doubts:
        turned = cells.reshape(n, width).astype(_int32)
        looked = turned
        for i in range(width):
            _swap(turned, i)
            if _last_derives[int32_t](looked, -1, n, not words) and _derives(
                turned, None if words else _NUMBERS, _STATES
            ):
                return None
            _swap(turned, i)
    return _count_codes(rows, used, doubtful, labels)


cdef bint _sums_below(const int8_t* codes, Py_ssize_t n, Py_ssize_t width):
    """The same as `_ends_with_sums` for small numbers in lists; -1 is missing."""
    cdef Py_ssize_t i, c, filled
    cdef double total
    for c in range(width):
        total = 0
        filled = 0
        for i in range(n - 1):
            if codes[i * width + c] >= 0:
                total += codes[i * width + c]
                filled += 1
        if filled == 0 or not _follows(codes[(n - 1) * width + c], total, filled):
            return False
    return True


cdef Py_ssize_t _width(list rows):
    """Return the length of the first row of a list."""
    cdef object first = rows[0] if rows else None
    return len(first) if type(first) is list or type(first) is tuple else 0


cdef int _take_rows(
    list rows, Py_ssize_t n, Py_ssize_t width, int8_t* codes, dict words
) except -1:
    """Write lists of numbers or words as codes, -1 for None and NaN; return the doubts they raise.

    `words` gets the codes of words, in order of first appearance. Other lists raise all doubts.
    """
    cdef bint numbers = False
    cdef Py_ssize_t i, c, looked = min(n, _FOR_PAIRS)
    cdef object row, cell
    cdef PyObject* known
    cdef int32_t[:, ::1] first = _empty((looked, width), _int32)
    cdef int64_t value
    for i in range(n):
        row = rows[i]
        if not (type(row) is list or type(row) is tuple) or len(row) != width:
            return _COLUMNS
        c = 0
        for cell in row:
            if type(cell) is int:
                if not 0 <= cell < _STATES:
                    return _COLUMNS
                value = cell
                numbers = True
            elif type(cell) is str:
                known = PyDict_GetItemWithError(words, cell)
                if known != NULL:
                    value = <object>known
                elif len(words) == _STATES:
                    return _COLUMNS
                else:
                    value = words[cell] = len(words)
            elif cell is None or (type(cell) is float and cell != cell):
                value = -1
            else:
                return _COLUMNS
            codes[i * width + c] = <int8_t>value
            if i < looked:
                first[i, c] = <int32_t>value
            c += 1
    if words and numbers:
        return _COLUMNS
    return _at_labels(first, list(words) if words else _WHOLE, n)


cdef bint _are_labels(
    const int8_t* codes, Py_ssize_t n, Py_ssize_t width, bint numbers, bint named
):
    """Whether all columns hold labels of coders, as all rows show: `recognition` finds no other.

    Each column repeats a value, and others have half of its cells. Numbers are on a scale of few
    steps, and neither count nor follow from others. Below names, the last row has labels that stand
    above it.
    """
    cdef int32_t[_CODERS][_STATES] often
    cdef int32_t[_STATES] columns
    cdef Py_ssize_t i, c, k, distinct, most, shared, filled = 0, top = _SCALE if numbers else _STATES - 1
    cdef bint above = False
    if n > _SEEN:
        return False
    memset(often, 0, sizeof(often))
    memset(columns, 0, sizeof(columns))
    for i in range(n):
        for c in range(width):
            k = codes[i * width + c]
            if k > top:
                return False
            if k >= 0:
                above = above or (i == n - 1 and often[c][k])
                columns[k] += not often[c][k]
                often[c][k] += 1
    for c in range(width):
        distinct = most = shared = k = 0
        for k in range(top + 1):
            distinct += often[c][k] > 0
            most = max(most, often[c][k])
            filled += often[c][k]
            shared += often[c][k] if columns[k] > 1 else -often[c][k]
        if distinct < 2 or most < 2 or shared < 0:
            return False
    if (named and not above) or (width == 3 and _may_be_pairs(codes, n, often, numbers)):
        return False
    if not numbers:
        return True
    if filled == n * width and _may_count(codes, n, width, often):
        return False
    return width == 2 or not _may_follow(codes, n, width)


cdef bint _may_be_pairs(
    const int8_t* codes, Py_ssize_t n, int32_t[_CODERS][_STATES] often, bint numbers
):
    """Whether two of three columns may hold items and coders, which repeat few pairs."""
    cdef int32_t[_STATES + 1][_STATES + 1] pairs
    cdef Py_ssize_t i, a, b, of_a, of_b
    cdef int64_t[3] ties
    cdef int64_t observed, missing, distinct
    cdef int64_t[3] values
    cdef double expected, evidence
    for a in range(3):
        ties[a] = distinct = 0
        missing = n
        for i in range(_STATES):
            ties[a] += <int64_t>often[a][i] * (often[a][i] - 1) // 2
            missing -= often[a][i]
            distinct += often[a][i] > 0
        ties[a] += missing * (missing - 1) // 2
        values[a] = distinct
    for a in range(2):
        for b in range(a + 1, 3):
            memset(pairs, 0, sizeof(pairs))
            observed = 0
            for i in range(n):
                of_a, of_b = codes[3 * i + a] + 1, codes[3 * i + b] + 1
                observed += pairs[of_a][of_b]
                pairs[of_a][of_b] += 1
            expected = <double>ties[a] * ties[b] / max(n * (n - 1) // 2, 1)
            if observed == 0 and n >= _CROSSED and values[a] * values[b] == n:
                return True
            if observed > expected / 10:
                continue
            evidence = expected - observed
            if observed:
                evidence += observed * log(observed / expected)
            if n >= _TRIPLES:
                if _in_runs(codes + a, n, values[a]) or _in_runs(codes + b, n, values[b]):
                    evidence += _SORTED
                if numbers:
                    i = 3 - a - b
                    evidence += min(_NARROW, _beyond(often[i], often[a]), _beyond(often[i], often[b]))
            if evidence >= _DOUBT:
                return True
    return False


cdef bint _in_runs(const int8_t* column, Py_ssize_t n, int64_t values):
    """Return whether the values of one of three columns, more than one, stand in a run each."""
    cdef Py_ssize_t i, runs = 1
    for i in range(n):
        if column[3 * i] < 0:
            return False
        runs += i > 0 and column[3 * i] != column[3 * (i - 1)]
    return 1 < values == runs < n


cdef double _beyond(const int32_t* labels, const int32_t* other):
    """Return x such that labels from 0 or 1 are the least numbers of another column with e^-x."""
    cdef Py_ssize_t k, low = -1, high = 0, distinct = 0, filled = 0, inside = 0, of_other = 0
    for k in range(_STATES):
        if labels[k]:
            low = k if low < 0 else low
            high = k
            distinct += 1
            filled += labels[k]
        of_other += other[k]
    if low > 1 or 3 * distinct > filled:
        return 0
    for k in range(high + 1):
        inside += other[k]
    return -filled * log(max(inside, 1) / <double>max(of_other, 1))


cdef bint _may_count(
    const int8_t* codes, Py_ssize_t n, Py_ssize_t width, int32_t[_CODERS][_STATES] often
):
    """Whether sums of rows are alike, or columns with zeros vary against each other, as counts do."""
    cdef int32_t[_CODERS * _SCALE + 1] rows
    cdef Py_ssize_t i, c, k
    cdef int64_t of_row, zeros = 0, squares = 0, total = 0, own, own_squares, most = 0
    cdef double within = 0, part = 2.0 / (9 * max(n - 1, 1))
    memset(rows, 0, sizeof(rows))
    for i in range(n):
        of_row = 0
        for c in range(width):
            of_row += codes[i * width + c]
        rows[of_row] += 1
        most = max(most, rows[of_row])
        total += of_row
        squares += of_row * of_row
    for c in range(width):
        own = own_squares = 0
        zeros += often[c][0]
        for k in range(_SCALE + 1):
            own += k * often[c][k]
            own_squares += k * k * often[c][k]
        within += own_squares - <double>own * own / n
    # Wilson & Hilferty's approximation of χ² / (n - 1)
    return 4 * most >= 3 * n or (
        2 * zeros >= n
        and squares - <double>total * total / n < within * max(1 - part - _DEVIATIONS * sqrt(part), 0.0) ** 3
    )


cdef bint _may_follow(const int8_t* codes, Py_ssize_t n, Py_ssize_t width):
    """Whether a column may be the sum, the mean or the difference of the others."""
    cdef Py_ssize_t i, c
    cdef int total, own, other
    cdef bint summed, averaged, subtracted
    cdef const int8_t* row
    for c in range(width):
        summed = averaged = subtracted = True
        for i in range(n):
            row = &codes[i * width]
            total = 0
            for k in range(width):
                if row[k] < 0:
                    break
                total += row[k]
            else:
                own = row[c]
                other = row[(c + 1) % width] - row[(c + 2) % width]
                summed = summed and total == 2 * own
                averaged = averaged and total == width * own
                subtracted = subtracted and (own == other or own == -other)
        if summed or averaged or (width == 3 and subtracted):
            return True
    return False


def are_words(list labels not None, frozenset no_words not None):
    """Return whether labels are short texts of Latin letters, none of `no_words`, without case.

    They differ in more than case, and mean what they say.
    """
    cdef set lower = set()
    cdef str word
    for label in labels:
        if type(label) is not str:
            return False
        word = label
        if not (len(word) < _LONG and word.isascii() and word.isalpha()):
            return False
        lower.add(word.lower())
    return len(lower) == len(labels) and lower.isdisjoint(no_words)


cdef list _sort(dict words, int8_t* codes, Py_ssize_t n):
    """Give words codes in the order of the alphabet, and return them in it."""
    cdef int8_t[_STATES + 1] ranks
    cdef Py_ssize_t i
    cdef list ordered = sorted(words)
    ranks[0] = -1
    for i, word in enumerate(ordered):
        ranks[<Py_ssize_t>words[word] + 1] = <int8_t>i
    for i in range(n):
        codes[i] = ranks[codes[i] + 1]
    return ordered


cdef object _count_codes(Rows rows, uint64_t used, uint64_t doubtful, list labels):
    """Return what `count_plain` returns, None if the largest code is doubtful."""
    cdef int8_t* codes = <int8_t*>rows.c.codes
    cdef int64_t n = rows.n_rows * rows.width
    cdef int k, top = 0
    cdef object sums
    cdef list found = []
    for k in range(64):
        if used >> k & 1:
            found.append(labels[k])
            top = k
    if doubtful >> top & 1:
        return None
    if len(found) <= top:
        af_place_codes(codes, n, used)
    sums = BySize(len(found), rows.width + 1, rows.width)
    sums.add(rows)
    return tuple(found), sums, rows
