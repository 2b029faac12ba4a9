# Labels -> small integer codes. Missing is -1.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t

cdef extern from "hot.h" nogil:
    int af_narrow_double(const double*, int64_t, int, int8_t*)
    int af_narrow_float(const float*, int64_t, int, int8_t*)
    int af_narrow_int16(const int16_t*, int64_t, int8_t*, int8_t*, int8_t*)
    int af_narrow_int32(const int32_t*, int64_t, int8_t*, int8_t*, int8_t*)
    int af_narrow_int64(const int64_t*, int64_t, int8_t*, int8_t*, int8_t*)

ctypedef fused integer:
    int8_t
    int16_t
    int32_t
    int64_t

ctypedef fused code:
    int8_t
    int16_t
    int32_t

ctypedef fused wide:
    int16_t
    int32_t
    int64_t

ctypedef fused number:
    double
    float


def encode_objects(list values not None, dict codes not None, int32_t[::1] out not None):
    """Number objects in order of first appearance, as Python's == and hash have it.

    `codes` maps a label to its code and is extended; a value mapped to -1 is missing, and so are
    None, NaN, NaT and NA, which are told by `x != x` not being plainly false.
    Returns (-1, None), or (position, error) for the first value that cannot be hashed.

    Assumes fewer than 2^31 labels, and room in `out` for all values.
    """
    cdef int32_t next_code = _next_code(codes)
    if not values:
        return -1, None
    return _number(values, codes, &out[0], &next_code)


cdef int32_t _next_code(dict codes):
    cdef int32_t next_code = 0
    cdef object code
    for code in codes.values():
        if code >= next_code:
            next_code = code + 1
    return next_code


cdef tuple _number(object values, dict codes, int32_t* out, int32_t* next_code):
    """Number the labels of a list or tuple; new ones from next_code on."""
    cdef Py_ssize_t i = 0
    cdef object value, found
    for value in values:
        try:
            found = codes.get(value)
        except TypeError as error:
            if not _is_missing(value):
                return i, error
            found = None
        if found is not None:
            out[i] = found
        elif _is_missing(value):
            out[i] = -1
        else:
            codes[value] = next_code[0]
            out[i] = next_code[0]
            next_code[0] += 1
        i += 1
    return -1, None


cdef bint _is_missing(object value):
    if value is None:
        return True
    if isinstance(value, (str, bytes, int)):
        return False
    if type(value).__name__ == "MaskedConstant":  # numpy.ma.masked equals nothing, not even this
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):
        # pandas' NA refuses to be a truth value; an array as a label is not hashable anyway
        return True


def narrow_integers(const wide[::1] values not None, int8_t[::1] out not None):
    """Copy integers into bytes: (all fit, smallest, largest), at least one."""
    cdef int64_t n = values.shape[0]
    cdef int broken
    cdef int8_t low, high
    with nogil:
        if wide is int16_t:
            broken = af_narrow_int16(&values[0], n, &out[0], &low, &high)
        elif wide is int32_t:
            broken = af_narrow_int32(&values[0], n, &out[0], &low, &high)
        else:
            broken = af_narrow_int64(&values[0], n, &out[0], &low, &high)
    return broken == 0, low, high


def narrow_floats(const number[::1] values not None, int nan_as, int8_t[::1] out not None):
    """Copy whole numbers from -128 to 127 into bytes, NaN becoming `nan_as`.

    Returns (all of them are such, one of them is NaN, one of them equals nan_as).
    """
    cdef int64_t n = values.shape[0]
    cdef int found = 0
    if n:
        with nogil:
            if number is double:
                found = af_narrow_double(&values[0], n, nan_as, &out[0])
            else:
                found = af_narrow_float(&values[0], n, nan_as, &out[0])
    return found & 1 == 0, found & 2 != 0, found & 4 != 0


# The arrays below may be the caller's, whose other threads may write to them at any time. So each value
# is compared with the range that was found before, and out of it the answer is False.


def mark_present(const integer[::1] values not None, int64_t low, uint8_t[::1] out not None):
    """out[v - low] = 1 for every value v; returns whether all have a place there."""
    cdef Py_ssize_t i
    cdef uint64_t place, states = out.shape[0]
    cdef bint inside = True
    with nogil:
        for i in range(values.shape[0]):
            place = <uint64_t>values[i] - <uint64_t>low
            if place < states:
                out[place] = 1
            else:
                inside = False
    return inside


def recode(const integer[::1] values not None, int64_t low, const int32_t[::1] lookup not None,
           code[::1] out not None):
    """out[i] = lookup[values[i] - low]; returns whether all have a place there."""
    cdef Py_ssize_t i
    cdef uint64_t place, states = lookup.shape[0]
    cdef bint inside = True
    with nogil:
        for i in range(values.shape[0]):
            place = <uint64_t>values[i] - <uint64_t>low
            if place < states:
                out[i] = <code>lookup[place]
            else:
                out[i] = -1
                inside = False
    return inside


def copy_codes(const code[::1] values not None, int64_t n_categories, code[::1] out not None):
    """Copy codes, -1 to n_categories - 1; returns whether all are such, others being -1 then."""
    cdef Py_ssize_t i
    cdef code value, most = <code>(n_categories - 1), smallest = 0, largest = -1
    with nogil:
        for i in range(values.shape[0]):
            value = values[i]
            smallest = value if value < smallest else smallest
            largest = value if value > largest else largest
            out[i] = -1 if value > most or value < -1 else value
    return smallest >= -1 and largest <= most


def number_in_order(const integer[::1] values not None, int64_t low, int32_t[::1] lookup not None,
                    int32_t[::1] out not None, int64_t[::1] out_first not None):
    """Number integers in order of first appearance; lookup (all -1) covers low, low + 1, ...

    out_first gets the position of each one's first appearance; there is room for the distinct
    integers. Returns how many there are, or -1 if one has no place in lookup.

    Assumes fewer than 2^31 distinct integers: lookup has a place for each.
    """
    cdef Py_ssize_t i
    cdef uint64_t place, states = lookup.shape[0]
    cdef int64_t count = 0
    cdef int32_t known
    with nogil:
        for i in range(values.shape[0]):
            place = <uint64_t>values[i] - <uint64_t>low
            if place >= states:
                count = -1
                break
            known = lookup[place]
            if known < 0:
                known = <int32_t>count
                lookup[place] = known
                out_first[count] = i
                count += 1
            out[i] = known
    return count


def row_width(list rows not None):
    """How many labels each row has; -1 if rows differ in that, or one is neither list nor tuple."""
    cdef Py_ssize_t width = 0, i, n = len(rows)
    cdef object row
    for i in range(n):
        row = rows[i]
        if not isinstance(row, (list, tuple)):
            return -1
        if i == 0:
            width = len(row)
        elif len(row) != width:
            return -1
    return width


def encode_rows(list rows not None, dict codes not None, int32_t[:, ::1] out not None):
    """`encode_objects` of rows of equal length, its position being counted row by row.

    Assumes rows that are lists or tuples, as long as `out` is wide (row_width).
    """
    cdef Py_ssize_t row, stopped, width = out.shape[1]
    cdef int32_t next_code = _next_code(codes)
    cdef object error
    if out.shape[0] and width:
        for row in range(len(rows)):
            stopped, error = _number(rows[row], codes, &out[row, 0], &next_code)
            if error is not None:
                return row * width + stopped, error
    return -1, None


def arrange(list labels not None):
    """The order of distinct labels: sorted where sortable, else as they come."""
    cdef object label
    for label in labels:
        if isinstance(label, (set, frozenset)):
            return list(range(len(labels)))  # `<` on sets is inclusion: it sorts nothing
    try:
        return sorted(range(len(labels)), key=labels.__getitem__)
    except TypeError:
        return list(range(len(labels)))
