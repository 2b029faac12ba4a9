# The first check of a table: whether it may be something other than labels of items x coders.
#
# It reads few rows and can only raise a doubt; `recognition` then reads more of them.
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytearray cimport PyByteArray_AsString, PyByteArray_FromStringAndSize
from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.math cimport INFINITY, NAN, exp, fabs, floor, lgamma, log, rint, sqrt
from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy, memset

cdef extern from "hot.h" nogil:
    int af_narrow_double(const double*, int64_t, int, int8_t*)
    int af_narrow_int64(const int64_t*, int64_t, int8_t*, int8_t*, int8_t*)
    uint64_t af_used_codes(const int8_t*, int64_t)
    void af_place_codes(int8_t*, int64_t, uint64_t)

cdef extern from "plain.h" nogil:
    enum:
        AF_COLUMNS
    bint af_is_plain(const int8_t*, int64_t, int64_t, bint)

from numpy import dtype as _dtype
from numpy import empty as _empty
from numpy import frombuffer as _frombuffer
from numpy import int32 as _int32
from numpy import ndarray as _ndarray

from agreement_fast._kernels._numbers cimport number
from agreement_fast._kernels._rows cimport Rows
from agreement_fast._kernels._sums cimport BySize

# Bits of the answer.
cdef enum:
    _COLUMNS = 1
    _SUMS = 2
    _PAIRS = 4
    _LAST = 8
    _DERIVED = 16

# COLUMNS: a column may not be a coder's. SUMS: rows have the same sum or columns vary against each
# other, like counts, or the table is square, like a contingency table, of shares, too. PAIRS: two of
# three columns almost never repeat a pair, like items and coders. LAST: the last row may have the
# sums or the means of the others. DERIVED: a column may be computed from the others.
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
    _FEW = 8

# Chance explains that another follows with e^-DOUBT at most; less evidence is asked of some rows.
cdef double _DOUBT = 7, _DERIVES = 2.5
# Of rows drawn with replacement, this share are different.
cdef double _DIFFERENT = 0.63

# Fewest complete rows that show it, of numbers that are computed and of labels.
cdef enum:
    _COMPUTED_ROWS = 5
    _DERIVED_ROWS = 8

# What people compute from the labels of an item, in the order in which it is looked for.
cdef enum:
    _SUM
    _MEAN
    _DIFFERENCE
    _EMPTY
    _FILLED
    _MAJORITY
    _MEDIAN
    _SMALLEST
    _LARGEST
    _ROUNDED
    _TENTHS
    _AMONG
    _EQUAL
    _COARSER

# Fewest rows above their sums; room for rounding to two digits.
cdef enum:
    _ABOVE = 5
cdef double _ROOM = 0.0051

# The highest number of a scale of few steps.
cdef enum:
    _SCALE = 10

# Counts are below 2^40, and three rows in four have the same sum.
cdef double _LARGE = 1099511627776.0

# No label of this size is added up.
cdef double _HUGE = 1e300


def at_numbers(const number[:, :] head not None, Py_ssize_t n_rows):
    """Return the doubts that the first rows of a table of numbers raise; NaN is missing.

    Assumes at least the first `ROWS` of `n_rows` rows, or all of them.
    """
    cdef int doubts = _at_numbers(head, n_rows)
    if _numbers_follow(head, _FOR_PAIRS, n_rows):
        doubts |= _DERIVED
    if head.shape[1] > 1 and _ends_with_sums(head, None, n_rows):
        doubts |= _LAST
    return doubts


cdef int _at_numbers(const number[:, :] head, Py_ssize_t n_rows):
    """The same without the last row and what is computed."""
    cdef int doubts = 0
    cdef Py_ssize_t width = head.shape[1]
    if width < 2:
        return 0
    if n_rows >= _FEWEST and _odd_numbers(head):
        doubts |= _COLUMNS
    if n_rows >= 2 and _even_sums(head, None, n_rows):
        doubts |= _SUMS
    if width == 3 and not _pairs_repeat(head):
        doubts |= _PAIRS
    return doubts


cdef inline bint _follows(double value, double total, Py_ssize_t n) noexcept nogil:
    """Return whether a number is the sum or the mean of n others."""
    return fabs(value - total) <= _ROOM or fabs(value - total / n) <= _ROOM


cdef inline double _value(const number[:, :] head, list labels, Py_ssize_t i, Py_ssize_t c):
    """Return a number or, of codes, the number that is its label; infinity if that is none."""
    cdef object label
    if labels is None:
        return <double>head[i, c]
    if <int64_t>head[i, c] < 0:
        return NAN
    label = labels[<Py_ssize_t>head[i, c]]
    if type(label) is float or (type(label) is int and -_LARGE < label < _LARGE):
        return <double>label
    return INFINITY


cdef bint _ends_with_sums(const number[:, :] head, list labels, Py_ssize_t n_rows):
    """Return whether the last row of a small table may have the sums or the means of the columns."""
    cdef Py_ssize_t i, c, n
    cdef double total, value, last
    if not _ABOVE < n_rows <= head.shape[0] or n_rows > (_ITEMS if labels is None else _SEEN):
        return False
    for c in range(head.shape[1]):
        last = _value(head, labels, n_rows - 1, c)
        total = 0
        n = 0
        for i in range(n_rows - 1 if fabs(last) < _HUGE else 0):
            value = _value(head, labels, i, c)
            if value == value:
                total += value
                n += 1
        if n == 0 or not _follows(last, total, n):
            return False
    return True


# A table of codes, and room for what is counted in it.
cdef struct Cells:
    # The codes of labels, row by row; -1 is missing.
    const int32_t* codes
    # The labels; NaN if one is no number. NULL if none is.
    const double* numbers
    Py_ssize_t n, width, n_labels
    # How many rows of the whole table each row stands for, in what follows from labels, too; and
    # the least evidence.
    double times, share, doubt
    # Whether each column is compared with pairs and single ones, though that takes long; else few.
    bint all_pairs
    # The missing cells of each row; how often it counts, once rows are `compared`.
    int32_t* gaps
    int32_t* often
    bint compared
    # Of each label: votes, which are zero between uses, and what it stands for in the run `stamp`.
    int32_t* votes
    int64_t* image
    int64_t stamp


def computed(const int32_t[:, ::1] codes not None, const double[::1] numbers, Py_ssize_t n_labels):
    """Return from what the labels of each column follow, unless chance explains that.

    A coder is expected to be like the others as often as the one of them who is most. Of more than
    32 columns, only the last may follow from labels.

    Parameters
    ----------
    codes : int32 array of shape (rows, columns)
        Codes of labels; -1 is missing. Repeated rows are less evidence, but of arithmetic.
    numbers : float64 array of shape (labels,) or None
        The labels, NaN if one is no number; None if none is.
    n_labels : int

    Returns
    -------
    list of int
        -1: from nothing. 0, 1, 2: it is the sum, the mean or the difference of the others. 3, 4: it
        is empty, or filled, where the others are equal, and nowhere else. 5, 6, 7, 8: it is their
        majority, their median, their least, their largest. 9, 10: it is their mean, rounded to
        whole numbers or tenths. 11: it is their largest in some order of the labels, which are no
        numbers. 12: it says where others are equal. 13: its values stand for values of another.
    """
    cdef Py_ssize_t n = codes.shape[0], width = codes.shape[1], at
    cdef Cells cells
    cdef const double* values = NULL
    cdef list kinds = [-1] * width
    if numbers is not None and numbers.shape[0]:
        values = &numbers[0]
    if n and _open(&cells, &codes[0, 0], n, width, values, n_labels, n):
        for at in range(width):
            kinds[at] = _computed(&cells, at)
        free(cells.image)
    return kinds


cdef bint _any_follows(
    const int32_t* codes, Py_ssize_t n, Py_ssize_t width, const double* numbers, Py_ssize_t n_labels,
    Py_ssize_t n_rows, bint all_pairs
) noexcept nogil:
    """Return whether a column may be computed from others, as the first of `n_rows` rows show."""
    cdef Cells cells
    cdef Py_ssize_t at
    cdef bint follows = False
    if _open(&cells, codes, n, width, numbers, n_labels, n_rows):
        cells.all_pairs = all_pairs or width <= _FEW
        for at in range(width):
            follows = follows or _computed(&cells, at) >= 0
        free(cells.image)
    return follows


cdef bint _open(
    Cells* t, const int32_t* codes, Py_ssize_t n, Py_ssize_t width, const double* numbers,
    Py_ssize_t n_labels, Py_ssize_t n_rows
) noexcept nogil:
    """Make room to look at a table; False if too few rows are complete, or there is no room."""
    cdef Py_ssize_t i, c, filled = 0
    if width < 3 or n_rows < _COMPUTED_ROWS:
        return False
    t.codes, t.numbers, t.n, t.width, t.n_labels = codes, numbers, n, width, n_labels
    t.times = t.share = <double>n_rows / n
    t.doubt = _DOUBT if n == n_rows else _DERIVES
    t.image = <int64_t*>calloc(n_labels * 3 + n * 2, sizeof(int32_t))
    if t.image == NULL:
        return False
    t.votes = <int32_t*>(t.image + n_labels)
    t.gaps = t.votes + n_labels
    t.often = t.gaps + n
    t.compared = False
    t.all_pairs = True
    t.stamp = 0
    for i in range(n):
        for c in range(width):
            t.gaps[i] += codes[i * width + c] < 0
        filled += t.gaps[i] < 2
    if filled * t.times < _COMPUTED_ROWS:
        free(t.image)
        return False
    return True


cdef int _computed(Cells* t, Py_ssize_t at) noexcept nogil:
    """Return from what a column follows; -1 if it does not, or chance explains it."""
    cdef const int32_t* row
    cdef Py_ssize_t i
    cdef int kind, known, like, arithmetic = 1 << _SUM | 1 << _MEAN | 1 << _DIFFERENCE
    cdef int blanks = 1 << _EMPTY | 1 << _FILLED, alive = ((1 << _AMONG) - 1) ^ blanks
    cdef double[_STATES] ranks
    cdef double more
    cdef bint beyond = t.width > _CODERS and at < t.width - 1
    if t.numbers == NULL:
        alive |= 1 << _AMONG
    for i in range(t.n):
        if t.codes[i * t.width + at] < 0:
            alive |= blanks
    if beyond:
        alive = arithmetic if _may_be_sums(t, at) else 0
    for i in range(t.n if alive else 0):
        row = t.codes + i * t.width
        if t.gaps[i] > (row[at] < 0):
            continue
        like = _like(t, row, at, at, t.numbers, &known)
        alive &= like | ~known
        if not alive:
            break
    for kind in range(_AMONG):
        # Rounding leaves room to be like a mean.
        more = log(t.width) if kind >= _ROUNDED else 0
        if alive >> kind & 1 and _is_evident(t, at, kind, t.numbers, more):
            return kind
    if beyond or not (t.all_pairs or at == t.width - 1):
        return -1
    if t.numbers == NULL and alive >> _AMONG & 1 and _rank(t, at, ranks):
        if _is_evident(t, at, _LARGEST, ranks, lgamma(t.n_labels + 1.0)):
            return _AMONG
    return _follows_from_few(t, at)


cdef bint _may_be_sums(Cells* t, Py_ssize_t at) noexcept nogil:
    """Return whether a number of the first complete row may be the sum or the mean of the others."""
    cdef Py_ssize_t i, c
    cdef double total = 0, own
    for i in range(t.n if t.numbers != NULL else 0):
        if t.gaps[i] == 0:
            own = t.numbers[t.codes[i * t.width + at]]
            for c in range(t.width):
                total += t.numbers[t.codes[i * t.width + c]]
            return total != total or _follows(own, total - own, t.width - 1)
    return False


# Numbers below and above a cell's: how many, and the nearest.
cdef struct neighbours:
    Py_ssize_t below, above
    double low, high


cdef inline void _add_neighbour(neighbours* near, double number, double value) noexcept nogil:
    if value < number:
        near.low = value if not near.below else max(near.low, value)
        near.below += 1
    elif value > number:
        near.high = value if not near.above else min(near.high, value)
        near.above += 1


cdef int _like(
    Cells* t, const int32_t* row, Py_ssize_t of, Py_ssize_t at, const double* numbers, int* known
) noexcept nogil:
    """Return the kinds that a cell is like, as bits, and the kinds that are known.

    The column `at`, if it follows from the others, makes these alike. So it is left out where two
    others remain, but of medians, which two cells rarely have.
    """
    cdef Py_ssize_t width = t.width, c, n = 0, among = 0, top = 0, tops = 0
    cdef int32_t own = row[of], code, before = -1
    cdef int like, arithmetic = 1 << _SUM | 1 << _MEAN | 1 << _DIFFERENCE
    cdef bint middle, same = True, beside = at != of and width > 3
    cdef double value = 0, number = 0, total = 0, size = 0, low = INFINITY, high = -INFINITY
    cdef neighbours near = [0, 0, 0, 0]
    if numbers != NULL and own >= 0:
        number = numbers[own]
    for c in range(width):
        if c == of or (beside and c == at):
            continue
        code = row[c]
        n += 1
        same = same and (before < 0 or code == before)
        before = code
        among += code == own
        t.votes[code] += 1
        if t.votes[code] > top:
            top = t.votes[code]
            tops = 1
        elif t.votes[code] == top:
            tops += 1
        if numbers == NULL:
            continue
        value = numbers[code]
        total += value
        size += fabs(value)
        low = min(low, value)
        high = max(high, value)
        _add_neighbour(&near, number, value)
    for c in range(width):
        if row[c] >= 0:
            t.votes[row[c]] = 0
    like = 1 << (_EMPTY if (own < 0) == same else _FILLED)
    known[0] = 1 << _EMPTY | 1 << _FILLED
    if own < 0:
        return like
    known[0] |= 1 << _AMONG
    like |= (among > 0) << _AMONG
    if tops == 1 or (of == at and not among):
        known[0] |= 1 << _MAJORITY
        like |= (tops == 1 and among == top) << _MAJORITY
    known[0] |= arithmetic | 1 << _MEDIAN | 1 << _SMALLEST | 1 << _LARGEST | 1 << _ROUNDED | 1 << _TENTHS
    if numbers == NULL:
        return like
    if not fabs(total) + fabs(number) < 9007199254740992.0:  # NaN, or sums that lose whole numbers
        known[0] &= ~arithmetic
        return like
    size *= 1e-9
    like |= (fabs(number - total) <= size) << _SUM
    # Numbers that are close to each other are close to their mean.
    like |= (fabs(number - total / n) <= min(_ROOM, (high - low) / 10 + size)) << _MEAN
    # The value is that of the last of the others.
    like |= (n == 2 and fabs(fabs(number) - fabs(total - 2 * value)) <= size) << _DIFFERENCE
    like |= (among > 0 and near.below == 0) << _SMALLEST | (among > 0 and near.above == 0) << _LARGEST
    total = fabs(number - total / n) - 1e-9
    like |= (total <= 0.5 and number == floor(number)) << _ROUNDED
    like |= (total <= 0.05 and fabs(10 * number - rint(10 * number)) < 1e-9) << _TENTHS
    if beside:
        _add_neighbour(&near, number, numbers[row[at]])
    middle = near.below == near.above and number == (near.low + near.high) / 2
    if 2 * max(near.below, near.above) < width - 1 or middle:
        like |= 1 << _MEDIAN
    return like


cdef bint _is_evident(
    Cells* t, Py_ssize_t at, int kind, const double* numbers, double more
) noexcept nogil:
    """Return whether chance does not explain that all cells of a column are of a kind.

    `more` evidence is needed if the kind was chosen among others. Coders who agree are like their
    own mean, too.
    """
    cdef Py_ssize_t i, c, full = 0, equal = 0, blank = 0, apart = 0, sure = 0, ours, theirs
    cdef const int32_t* row
    cdef int known, like
    cdef int32_t own = -1
    cdef Py_ssize_t often = 1
    cdef bint empty, varies = False
    cdef double most = 0
    if kind > _DIFFERENCE:
        _compare_rows(t)
    for i in range(t.n):
        row = t.codes + i * t.width
        empty = row[at] < 0
        if kind > _DIFFERENCE:
            often = t.often[i]
        if t.gaps[i] > empty or not often:
            continue
        like = _like(t, row, at, at, numbers, &known)
        full += often
        blank += often * empty
        equal += often * (empty == (like >> _EMPTY & 1))
        if empty or not known >> kind & 1:
            continue
        sure += often
        apart += often * (not like >> _AMONG & 1)
        varies = varies or (own >= 0 and row[at] != own)
        own = row[at]
    if kind <= _DIFFERENCE:
        return varies and sure * t.times >= _COMPUTED_ROWS and apart * t.times >= _FEWEST_LABELS
    if full * t.share < _DERIVED_ROWS or (full - equal) * t.share < _APART:
        return False
    if kind <= _FILLED:
        return _ways(full, blank) * t.share >= t.doubt
    if (full - blank) * t.share < _DERIVED_ROWS:
        return False
    for c in range(t.width):
        if c == at:
            continue
        ours = theirs = 0
        for i in range(t.n):
            if t.gaps[i] == 0 and t.often[i]:
                like = _like(t, t.codes + i * t.width, c, at, numbers, &known)
                theirs += t.often[i] * (known >> kind & 1)
                ours += t.often[i] * ((known & like) >> kind & 1)
        # Others that few rows show to be like them throughout are not in all rows.
        most = max(most, (ours + 1.0 + (t.times == 1)) / (theirs + 2))
    return sure * -log(most) * t.share >= t.doubt + log(4) + more


cdef void _compare_rows(Cells* t) noexcept nogil:
    """Find how often each row counts, 0 if it repeats another; of some rows of a table, all are one.

    Different rows are evidence, or .63 of all if that is more: of rows drawn with replacement, .63
    are different. A table that is repeated as a whole is one.
    """
    cdef Py_ssize_t i, k, different = 0
    cdef int32_t common = 0
    cdef size_t size = t.width * sizeof(int32_t)
    if t.compared:
        return
    t.compared = True
    for i in range(t.n):
        t.often[i] = 1
        for k in range(i if t.times == 1 else 0):
            if t.often[k] and memcmp(t.codes + i * t.width, t.codes + k * t.width, size) == 0:
                t.often[k] += 1
                t.often[i] = 0
                break
    for i in range(t.n):
        different += t.often[i] > 0
        common = _common_divisor(t.often[i], common)
    if _DIFFERENT * t.n > different * common:
        t.share = t.times * _DIFFERENT / common
        return
    for i in range(t.n):
        t.often[i] = t.often[i] > 0


cdef int32_t _common_divisor(int32_t a, int32_t b) noexcept nogil:
    while b:
        a, b = b, a % b
    return a


cdef bint _rank(Cells* t, Py_ssize_t at, double* ranks) noexcept nogil:
    """Find an order of labels in which a column is the largest of the others, if there is one."""
    cdef uint64_t[_STATES] above
    cdef uint64_t ranked = 0
    cdef Py_ssize_t i, c, k
    cdef const int32_t* row
    if t.n_labels > _STATES:
        return False
    memset(above, 0, sizeof(above))
    for i in range(t.n):
        row = t.codes + i * t.width
        for c in range(t.width if t.gaps[i] == 0 else 0):
            if row[c] != row[at]:
                above[row[at]] |= <uint64_t>1 << row[c]
    for i in range(t.n_labels):
        for k in range(t.n_labels):
            if not ranked >> k & 1 and not above[k] & ~ranked:
                ranked |= <uint64_t>1 << k
                ranks[k] = i
                break
        else:
            return False
    return True


cdef double _ways(Py_ssize_t n, Py_ssize_t k) noexcept nogil:
    """Return the logarithm of the number of ways to choose k of n."""
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0)


cdef int _follows_from_few(Cells* t, Py_ssize_t at) noexcept nogil:
    """Return whether a column says which others are equal, or repeats one more coarsely."""
    cdef Py_ssize_t c, k, kinds, compared = min(t.width - 1, _COMPARED)
    cdef Py_ssize_t last = min(compared + (at <= compared), t.width)
    if _splits(t, at, at, at) and _says_equal(t, at, compared):
        return _EQUAL
    for c in range(last):
        for k in range(c + 1, last):
            if c != at and k != at and _splits(t, at, c, k) and _says_equal(t, at, compared):
                return _EQUAL
    for c in range(t.width):
        if c != at:
            kinds = _kinds(t, c, at)
            if kinds > 1 and _is_coarser(t, at, c, kinds):
                return _COARSER
    return -1


cdef Py_ssize_t _kinds(Cells* t, Py_ssize_t source, Py_ssize_t target) noexcept nogil:
    """Return how many values a column has, 0 if another does not follow from it."""
    cdef Py_ssize_t i, kinds = 0
    cdef const int32_t* row
    cdef int64_t value
    t.stamp += 1
    for i in range(t.n):
        if t.gaps[i]:
            continue
        row = t.codes + i * t.width
        value = t.stamp << 32 | row[target]
        if t.image[row[source]] >> 32 != t.stamp:
            t.image[row[source]] = value
            kinds += 1
        elif t.image[row[source]] != value:
            return 0
    return kinds


cdef bint _splits(Cells* t, Py_ssize_t at, Py_ssize_t first, Py_ssize_t second) noexcept nogil:
    """Return whether two columns, or all others, are equal in the rows with the first value of one only.

    All, if both are that one; also whether they are equal everywhere else.
    """
    cdef Py_ssize_t i, c, other = 1 if at == 0 else 0, matches = 0, n = 0
    cdef int32_t own = -1
    cdef const int32_t* row
    cdef bint same
    for i in range(t.n):
        if t.gaps[i]:
            continue
        row = t.codes + i * t.width
        same = row[first] == row[second]
        if first == second:
            for c in range(t.width):
                same = same and (c == at or row[c] == row[other])
        if n == 0:
            own = row[at]
        n += 1
        matches += same == (row[at] == own)
        if 0 < matches < n:
            return False
    return n > 0


cdef bint _says_equal(Cells* t, Py_ssize_t at, Py_ssize_t compared) noexcept nogil:
    """Return whether a column has two values, neither chance nor another column explains which."""
    cdef Py_ssize_t c, n, common = 0
    if _kinds(t, at, at) != 2:
        return False
    for c in range(t.width):
        if c != at and _kinds(t, at, c):
            return False
    n = _counted(t, at, &common)
    return n > 0 and _ways(n, common) * t.share >= t.doubt + log(
        1 + compared * (compared - 1) / 2.0
    )


cdef bint _is_coarser(Cells* t, Py_ssize_t at, Py_ssize_t source, Py_ssize_t kinds) noexcept nogil:
    """Return whether a column has fewer values than one from which it follows, not by chance."""
    cdef Py_ssize_t i, differ = 0, common = 0, n = _counted(t, at, &common)
    for i in range(t.n):
        if t.gaps[i] == 0:
            differ += t.often[i] * (t.codes[i * t.width + source] != t.codes[i * t.width + at])
    return (
        kinds > _kinds(t, at, at) > 1
        and n > 0
        and 4 * differ >= n
        and (n - kinds) * -log(common / <double>n) * t.share >= t.doubt + log(t.width)
    )


cdef Py_ssize_t _counted(Cells* t, Py_ssize_t at, Py_ssize_t* common) noexcept nogil:
    """Return how many complete rows count, 0 if too few, and how many have one value in a column."""
    cdef Py_ssize_t i, c, other = 1 if at == 0 else 0, n = 0, equal = 0
    cdef const int32_t* row
    cdef bint same
    _compare_rows(t)
    for i in range(t.n):
        if t.gaps[i] == 0 and t.often[i]:
            row = t.codes + i * t.width
            same = True
            for c in range(t.width):
                same = same and (c == at or row[c] == row[other])
            n += t.often[i]
            equal += t.often[i] * same
            t.votes[row[at]] += t.often[i]
            common[0] = max(common[0], t.votes[row[at]])
    memset(t.votes, 0, t.n_labels * sizeof(int32_t))
    return n if n * t.share >= _DERIVED_ROWS and (n - equal) * t.share >= _APART else 0


cdef bint _numbers_follow(
    const number[:, :] head, Py_ssize_t looked, Py_ssize_t n_rows
) except -1:
    """Return whether a column of numbers may be computed from others.

    If the first rows say so, more of them are looked at.
    """
    cdef Py_ssize_t n = min(head.shape[0], looked), width = head.shape[1], i, c, k, n_labels = 0
    cdef uint64_t slots = 4, bits, at
    cdef double value
    cdef bint follows = False
    if width < 3 or n_rows < _COMPUTED_ROWS:
        return False
    while slots < <uint64_t>(2 * n * width):
        slots *= 2
    cdef double* numbers = <double*>malloc(n * width * sizeof(double))
    cdef int32_t* codes = <int32_t*>malloc(n * width * sizeof(int32_t))
    cdef int32_t* known = <int32_t*>calloc(slots, sizeof(int32_t))
    if numbers != NULL and codes != NULL and known != NULL:
        for i in range(n):
            for c in range(width):
                k = i * width + c
                value = <double>head[i, c] + 0.0  # no -0
                codes[k] = -1
                if value != value:
                    continue
                memcpy(&bits, &value, sizeof(bits))
                at = (bits * <uint64_t>0x9E3779B97F4A7C15 >> 32) & (slots - 1)
                while known[at] and numbers[known[at] - 1] != value:
                    at = (at + 1) & (slots - 1)
                if not known[at]:
                    numbers[n_labels] = value
                    n_labels += 1
                    known[at] = <int32_t>n_labels
                codes[k] = known[at] - 1
        follows = _any_follows(codes, n, width, numbers, n_labels, n_rows, False)
    free(numbers)
    free(codes)
    free(known)
    if follows and _has_more(n, looked, width):
        return _numbers_follow(head, _SEEN, n_rows)
    return follows


cdef inline bint _has_more(Py_ssize_t n, Py_ssize_t looked, Py_ssize_t width) noexcept nogil:
    """Return whether rows of a narrow table that was looked at may remain to be looked at."""
    return n == looked < _SEEN and width <= _FEW


cdef bint _labels_follow(
    const int32_t[:, ::1] head, list labels, Py_ssize_t looked, Py_ssize_t n_rows
) except -1:
    """Return whether a column of labels may be computed from others, as `_numbers_follow` does."""
    cdef Py_ssize_t n = min(head.shape[0], looked), width = head.shape[1], i, c
    cdef bint follows = False, any_number = False
    if width < 3 or n_rows < _COMPUTED_ROWS:
        return False
    cdef double* numbers = <double*>malloc(max(len(labels), 1) * sizeof(double))
    if numbers != NULL:
        for i in range(n):
            for c in range(width):
                if head[i, c] >= 0:
                    numbers[head[i, c]] = _number_of(labels[head[i, c]])
                    any_number = any_number or numbers[head[i, c]] == numbers[head[i, c]]
        follows = _any_follows(
            &head[0, 0], n, width, numbers if any_number else NULL, len(labels), n_rows, False
        )
    free(numbers)
    if follows and _has_more(n, looked, width):
        return _labels_follow(head, labels, _SEEN, n_rows)
    return follows


cdef double _number_of(object label):
    """Return a label that is a number; else NaN."""
    return label if isinstance(label, (int, float)) and -_HUGE < label < _HUGE else NAN


cdef bint _codes_follow(
    const int8_t* codes, Py_ssize_t n, Py_ssize_t width, Py_ssize_t words, Py_ssize_t n_rows,
    bint all_pairs
) noexcept nogil:
    """Return whether a column of small numbers, or of some words, may be computed from others."""
    cdef Py_ssize_t k
    cdef bint follows = False
    cdef int32_t* wide = <int32_t*>malloc(n * width * sizeof(int32_t))
    if wide != NULL:
        for k in range(n * width):
            wide[k] = codes[k]
        follows = _any_follows(
            wide, n, width, NULL if words else _NUMBERS, words or _STATES, n_rows, all_pairs
        )
    free(wide)
    return follows


cdef bint _odd_numbers(const number[:, :] head):
    """Return whether some columns number the rows, or repeat in a cycle or in runs of one length,
    and others do not, or one goes beyond a scale.

    Such columns hold whole numbers: a fraction in one of the rows clears a column.
    """
    cdef Py_ssize_t rows = min(head.shape[0], _FOR_COLUMNS), i, c, high = 0, steps = 0, even = 0
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
        even += whole and _is_even(head, c, rows)
    return high == 1 or 0 < steps < head.shape[1] or 0 < even < head.shape[1]


cdef bint _is_even(const number[:, :] head, Py_ssize_t c, Py_ssize_t rows):
    """Whether a column begins with three values or more, over and over or in runs of one length."""
    cdef Py_ssize_t i, period = 1, run = 1
    cdef bint cycle, runs
    while period < rows and head[period, c] != head[0, c]:
        period += 1
    while run < rows and head[run, c] == head[0, c]:
        run += 1
    cycle, runs = 2 < period and 3 * period <= rows, 2 < run and 3 * run <= rows
    for i in range(1, rows):
        cycle = cycle and (i < period or head[i, c] == head[i - period, c])
        runs = runs and (i % run != 0) == (head[i, c] == head[i - 1, c])
    return cycle or runs


cdef bint _even_sums(const number[:, :] head, list labels, Py_ssize_t n_rows):
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
            value = _value(head, labels, i, c)
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
    cdef int doubts = _at_labels(head, labels, n_rows)
    if _labels_follow(head, labels, _FOR_PAIRS, n_rows):
        doubts |= _DERIVED
    if head.shape[1] > 1 and _ends_with_sums[int32_t](head, labels, n_rows):
        doubts |= _LAST
    return doubts


cdef int _at_labels(const int32_t[:, ::1] head, list labels, Py_ssize_t n_rows):
    """The same without the last row and what is computed."""
    cdef int doubts = 0
    cdef Py_ssize_t width = head.shape[1]
    cdef const int32_t[:, :] codes = head
    if width < 2:
        return 0
    if (n_rows >= _FEWEST_LABELS and _odd_labels(head, labels)) or _begins_with_names(head, labels):
        doubts |= _COLUMNS
    if n_rows >= 2 and _even_sums[int32_t](codes, labels, n_rows):
        doubts |= _SUMS
    if width == 3 and not _pairs_repeat[int32_t](codes):
        doubts |= _PAIRS
    return doubts


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

# As `recognition` has it: fewer labels show no copy of a coder.
cdef enum:
    _FOR_COPIES = 10

# What the order of rows, and labels on a part of the scale, add to evidence for such pairs at most;
# and how many deviations the variance of sums may lie below that of columns, which is fewer than
# in `recognition`.
cdef double _SORTED = 4.5, _NARROW = 6.5, _DEVIATIONS = 2.9

cdef object _WHOLE = list(range(_STATES)), _BYTES = _dtype("i1")
cdef double[_STATES] _NUMBERS
for _number in _WHOLE:
    _NUMBERS[<Py_ssize_t>_number] = _number


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
    cdef Py_ssize_t n, width, looked
    cdef dict words = {}
    cdef list labels = _WHOLE
    cdef object raw = None
    cdef int8_t* codes
    cdef uint64_t used
    cdef bint is_list = type(table) is list
    if is_list:
        n, width = len(table), _width(table)
        raw = _room(n, width)
    elif type(table) is _ndarray:
        raw = _narrowed(table, &n, &width)
    if raw is None:
        return None
    codes = <int8_t*>PyByteArray_AsString(raw)
    if is_list and not _take_rows(table, n, width, codes, words):
        return None
    if words:
        if not are_words(list(words), no_words):
            return None
        labels = _sort(words, codes, n * width)
        doubtful = 0
    used = af_used_codes(codes, n * width)
    if not used:
        return None
    if (certain or not af_is_plain(codes, n, width, not words)) and not _raises_no_doubts(
        table, codes, n, width, labels, certain
    ):
        return None
    if width > 2 and n >= _FOR_COPIES and _two_are_same(codes, n, width):
        return None
    return _count_codes(raw, n, width, used, doubtful, labels)


cdef object _room(Py_ssize_t n, Py_ssize_t width):
    """Return room for the codes of a small table; None if it is none."""
    if not (1 < width <= AF_COLUMNS and width <= n < _ITEMS):
        return None
    return PyByteArray_FromStringAndSize(NULL, n * width)


cdef object _narrowed(object table, Py_ssize_t* n, Py_ssize_t* width):
    """Return the cells of a small array of 64 bits as codes; None if it holds others than labels."""
    cdef Py_buffer view
    cdef object raw = None
    cdef int8_t low, high
    cdef int8_t* codes
    cdef char kind
    cdef bint fits = False
    try:
        PyObject_GetBuffer(table, &view, PyBUF_STRIDES | PyBUF_FORMAT)
    except (ValueError, BufferError):  # dates have none
        return None
    if view.ndim == 2 and view.itemsize == 8 and view.format[1] == 0 and view.strides[1] == 8:
        n[0], width[0], kind = view.shape[0], view.shape[1], view.format[0]
        if view.strides[0] == 8 * width[0] and <size_t>view.buf % 8 == 0:
            raw = _room(n[0], width[0])
        if raw is not None:
            codes = <int8_t*>PyByteArray_AsString(raw)
            if kind == b"d":
                fits = not af_narrow_double(<const double*>view.buf, n[0] * width[0], -1, codes) & ~2
            elif kind == b"l" or kind == b"q":
                fits = (
                    not af_narrow_int64(<const int64_t*>view.buf, n[0] * width[0], codes, &low, &high)
                    and low >= 0
                )
    PyBuffer_Release(&view)
    return raw if fits else None


cdef bint _raises_no_doubts(
    object table, const int8_t* codes, Py_ssize_t n, Py_ssize_t width, list labels, bint certain
) except -1:
    """Whether the first rows raise no doubts, or all rows settle those that they raise."""
    cdef Py_ssize_t looked = min(n, _FOR_PAIRS), i, c
    cdef Py_ssize_t words = 0 if labels is _WHOLE else len(labels)
    cdef int doubts
    cdef int32_t[:, ::1] head
    if type(table) is _ndarray:
        doubts = (
            _at_numbers[double](table, n)
            if table.dtype.char == "d"
            else _at_numbers[int64_t](table, n)
        )
    else:
        head = _empty((looked, width), _int32)
        for i in range(looked):
            for c in range(width):
                head[i, c] = codes[i * width + c]
        doubts = _at_labels(head, labels, n)
    if width > 2 and _codes_follow(codes, looked, width, words, n, certain):
        if n <= _SEEN or _codes_follow(codes, _SEEN, width, words, n, certain):
            doubts |= _DERIVED
    if doubts & ~(_PAIRS | _DERIVED | _SUMS) or (n == width and doubts & _SUMS):
        return False
    looked = min(n, _SEEN)
    if (certain or doubts) and (
        (n > _SEEN and (certain or width == 3 or doubts != _SUMS))
        or not _are_labels(codes, looked, width, not words, certain)
    ):
        return False
    return not (
        doubts & (_DERIVED | _SUMS)
        and _codes_follow(codes, looked, width, words, looked, certain or doubts & _SUMS)
    )


cdef Py_ssize_t _width(list rows):
    """Return the length of the first row of a list."""
    cdef object first = rows[0] if rows else None
    return len(first) if type(first) is list or type(first) is tuple else 0


cdef bint _take_rows(
    list rows, Py_ssize_t n, Py_ssize_t width, int8_t* codes, dict words
) except -1:
    """Write lists of numbers or words as codes, -1 for None and NaN; False if they hold others.

    `words` gets the codes of words, in order of first appearance.
    """
    cdef bint numbers = False
    cdef Py_ssize_t i
    cdef object row, cell
    cdef PyObject* known
    cdef int64_t value
    for i in range(n):
        row = rows[i]
        if not (type(row) is list or type(row) is tuple) or len(row) != width:
            return False
        for cell in row:
            if type(cell) is int:
                if not 0 <= cell < _STATES:
                    return False
                value = cell
                numbers = True
            elif type(cell) is str:
                known = PyDict_GetItemWithError(words, cell)
                if known != NULL:
                    value = <object>known
                elif len(words) == _STATES:
                    return False
                else:
                    value = words[cell] = len(words)
            elif cell is None or (type(cell) is float and cell != cell):
                value = -1
            else:
                return False
            codes[0] = <int8_t>value
            codes += 1
    return not (words and numbers)


cdef bint _two_are_same(const int8_t* codes, Py_ssize_t n, Py_ssize_t width):
    """Whether two columns have the same cells."""
    cdef Py_ssize_t i, c, d
    for c in range(1, width):
        for d in range(c):
            for i in range(n):
                if codes[i * width + c] != codes[i * width + d]:
                    break
            else:
                return True
    return False


cdef bint _are_labels(
    const int8_t* codes, Py_ssize_t n, Py_ssize_t width, bint numbers, bint named
):
    """Whether all columns hold labels of coders, as all rows show: `recognition` finds no other.

    Each column repeats a value, and others have half of its cells. Numbers are on a scale of few
    steps, and do not count. Below names, the last row has labels that stand
    above it.
    """
    cdef int32_t[_CODERS][_STATES] often
    cdef int32_t[_STATES] columns
    cdef Py_ssize_t i, c, k, distinct, most, shared, filled = 0, top = _SCALE if numbers else _STATES - 1
    cdef bint above = False
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
    if named and numbers and width > 2 and _may_be_codes(n, width, often):
        return False
    if (named and not above) or (width == 3 and _may_be_pairs(codes, n, often, numbers)):
        return False
    return not numbers or not _may_count(codes, n, width, filled, often)


cdef bint _may_be_codes(Py_ssize_t n, Py_ssize_t width, int32_t[_CODERS][_STATES] often):
    """Whether columns of 0 and 1 differ in how often they say 1, as codes of one coder do."""
    cdef Py_ssize_t c
    cdef int64_t low = n, high = 0
    for c in range(width):
        if often[c][0] + often[c][1] < n:
            return False
        low = min(low, often[c][1])
        high = max(high, often[c][1])
    return 5 * (high - low) > n


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
            if observed == 0 and b == 1 and _are_in_order(codes, n):
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


cdef bint _are_in_order(const int8_t* codes, Py_ssize_t n):
    """Whether pairs ascend, or the numbers behind them fall, as those of counted pairs do."""
    cdef bint ascend = True, fall = True
    cdef Py_ssize_t i
    for i in range(3, 3 * n, 3):
        ascend &= (codes[i] > codes[i - 3]) | (
            (codes[i] == codes[i - 3]) & (codes[i + 1] > codes[i - 2])
        )
        fall &= codes[i + 2] <= codes[i - 1]
    return ascend or fall


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
    const int8_t* codes, Py_ssize_t n, Py_ssize_t width, Py_ssize_t filled,
    int32_t[_CODERS][_STATES] often
):
    """Whether sums of rows are alike, or columns with zeros vary against each other, as counts do.

    Rows with gaps are counts only if their sums are alike.
    """
    cdef int32_t[_CODERS * _SCALE + 1] rows
    cdef Py_ssize_t i, c, k
    cdef int64_t of_row, zeros = 0, squares = 0, total = 0, own, own_squares, most = 0
    cdef double within = 0, part = 2.0 / (9 * max(n - 1, 1))
    memset(rows, 0, sizeof(rows))
    for i in range(n):
        of_row = 0
        for c in range(width):
            of_row += max(codes[i * width + c], 0)
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
        filled == n * width
        and 2 * zeros >= n
        and squares - <double>total * total / n < within * max(1 - part - _DEVIATIONS * sqrt(part), 0.0) ** 3
    )


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


cdef object _count_codes(
    object raw, Py_ssize_t n, Py_ssize_t width, uint64_t used, uint64_t doubtful, list labels
):
    """Return what `count_plain` returns.

    None if the largest code is doubtful, or the last row has the sums of the others.
    """
    cdef int8_t* codes = <int8_t*>PyByteArray_AsString(raw)
    cdef int k, top = 0
    cdef double[_STATES] numbers
    cdef list result = []
    cdef Rows rows
    cdef BySize sums
    for k in range(_STATES):
        if used >> k & 1:
            numbers[len(result)] = k
            result.append(labels[k])
            top = k
    if doubtful >> top & 1:
        return None
    if len(result) <= top:
        af_place_codes(codes, n * width, used)
    rows = Rows.__new__(Rows)
    rows.codes, rows.width, rows.n_rows = _frombuffer(raw, _BYTES), width, n
    rows.c.codes, rows.c.bytes, rows.c.width, rows.c.last = codes, 1, width, n
    sums = BySize(len(result), width + 1, width)
    sums.count_rows(rows)
    if labels is _WHOLE and n > _ABOVE and _last_row_adds(sums, codes + (n - 1) * width, width, numbers):
        return None
    return tuple(result), sums, rows


cdef bint _last_row_adds(
    BySize sums, const int8_t* last, Py_ssize_t width, const double* numbers
) noexcept nogil:
    """Whether the last of the counted rows may have the sums or the means of the columns."""
    cdef Py_ssize_t c
    cdef int64_t n
    cdef double total
    for c in range(width):
        if last[c] < 0:
            return False
        total = -numbers[last[c]]
        n = sums.add_coder(c, numbers, &total) - 1
        if n == 0 or not _follows(numbers[last[c]], total, n):
            return False
    return True
