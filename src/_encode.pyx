# Labels -> small integer codes. Missing is -1.
from cpython.dict cimport PyDict_GetItemWithError
from cpython.list cimport PyList_GetItem
from cpython.object cimport PyObject
from cpython.tuple cimport PyTuple_GetItem
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from numpy import bool_ as _truth
from numpy import empty as _empty
from numpy import int8 as _int8
from numpy import int16 as _int16
from numpy import int32 as _int32

cdef extern from "hot.h" nogil:
    int af_narrow_double(const double*, int64_t, int, int8_t*)
    int af_narrow_float(const float*, int64_t, int, int8_t*)
    int af_narrow_int16(const int16_t*, int64_t, int8_t*, int8_t*, int8_t*)
    int af_narrow_int32(const int32_t*, int64_t, int8_t*, int8_t*, int8_t*)
    int af_narrow_int64(const int64_t*, int64_t, int8_t*, int8_t*, int8_t*)
    int af_shorten_int32(const int32_t*, int64_t, int16_t*, int16_t*, int16_t*)
    int af_shorten_int64(const int64_t*, int64_t, int16_t*, int16_t*, int16_t*)
    int af_copy_int8(const int8_t*, int64_t, int64_t, int, int64_t, int8_t*)
    int af_copy_int16(const int16_t*, int64_t, int64_t, int, int64_t, int16_t*)
    int af_copy_int32(const int32_t*, int64_t, int64_t, int, int64_t, int32_t*)
    int af_mark_bytes(const int8_t*, int64_t, int, int, uint8_t*)
    int AF_BLOCK
    ctypedef struct af_few:
        uint64_t factor
        int count
        double[127] labels
    int af_few_arrange(af_few*)
    int64_t af_few_number(const af_few*, const double*, int64_t, int8_t*)
    int af_few_add(af_few*, double)
    int af_few_sort(af_few*, int8_t*, int64_t)

cdef extern from "compiler.h" nogil:
    void af_prefetch(const void*)

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

ctypedef fused long_enough:
    int32_t
    int64_t

ctypedef fused number:
    double
    float

ctypedef fused cell:
    int8_t
    int16_t
    int32_t
    int64_t
    uint8_t
    uint16_t
    uint32_t
    uint64_t


def encode_objects(list values not None, dict codes not None, int32_t[::1] out not None):
    """Number objects in order of first appearance; equal objects (== and hash) share a number.

    `codes` maps a label to its code and is extended. A value mapped to -1 is missing, and so are
    None, NaN, NaT and NA: for them, `x != x` is neither False nor an array.
    Returns (-1, None), or (position, error) for the first value that cannot be hashed.

    Assumes fewer than 2^31 labels, and room in `out` for all values.
    """
    cdef int32_t next_code = _next_code(codes)
    if not values:
        return -1, None
    return _number(values, codes, &out[0], &next_code)


def encode_elements(list sets not None, dict codes not None, int32_t[::1] out not None):
    """Number the elements of some sets as `encode_objects` does, set by set.

    Assumes room in `out` for all elements of all sets.
    """
    cdef int32_t next_code = _next_code(codes)
    cdef Py_ssize_t i = 0
    cdef object value, some
    cdef PyObject* found
    for some in sets:
        for value in some:
            found = PyDict_GetItemWithError(codes, value)
            if found != NULL:
                out[i] = <int32_t><object>found
            elif _is_missing(value):
                out[i] = -1
            else:
                codes[value] = next_code
                out[i] = next_code
                next_code += 1
            i += 1


def element_types(list sets not None):
    """The types of the elements of some sets."""
    cdef set types = set()
    cdef object value, some, last = None
    for some in sets:
        for value in some:
            if type(value) is not last:
                last = type(value)
                types.add(last)
    return types


cdef int32_t _next_code(dict codes):
    cdef int32_t next_code = 0
    cdef object code
    for code in codes.values():
        if code >= next_code:
            next_code = code + 1
    return next_code


cdef tuple _number(object values, dict codes, int32_t* out, int32_t* next_code):
    """Number the labels of a list or tuple; new ones from next_code on."""
    cdef Py_ssize_t i = 0, n = len(values)
    cdef object value
    while i < n:
        try:
            while i < n:
                value = values[i]
                out[i] = _code_of(value, codes, next_code)
                i += 1
        except TypeError as error:
            if not _is_missing(value):
                return i, error
            out[i] = -1
            i += 1
    return -1, None


cdef inline int32_t _code_of(object value, dict codes, int32_t* next_code) except -2:
    """The code of a label, a new one being next_code; -1 if it is missing."""
    cdef PyObject* found = PyDict_GetItemWithError(codes, value)
    if found != NULL:
        return <int32_t><object>found
    if _is_missing(value):
        return -1
    codes[value] = next_code[0]
    next_code[0] += 1
    return next_code[0] - 1


cdef bint _is_missing(object value):
    if value is None:
        return True
    if isinstance(value, (str, bytes, int, frozenset)):  # sets compare element by element
        return False
    if type(value).__name__ == "MaskedConstant":  # numpy.ma.masked equals nothing, not even this
        return True
    cdef object differs
    try:
        differs = value != value
    except (TypeError, ValueError):
        return False
    if isinstance(differs, bool):
        return differs
    # pandas' NA differs from itself by NA; an array, by an array: it is no missing label.
    return type(differs).__name__ == "NAType" or (isinstance(differs, _truth) and bool(differs))


cdef enum:
    _AHEAD = 8  # triples: objects lie about in memory, and are asked for before they are needed


cdef inline int _prefetch_members(object triple) except -1:
    cdef Py_ssize_t m
    if isinstance(triple, tuple):
        for m in range(len(triple)):
            af_prefetch(PyTuple_GetItem(triple, m))
    return 0


def number_triples(list triples not None, int32_t[:, ::1] out not None):
    """Number the three members of tuples or lists, each as `encode_objects` does.

    out[m, i] gets the code of member m of triple i. Returns the three lists of what the codes stand
    for; None if a triple is neither tuple nor list, has another length, or holds an unhashable
    object.

    Creates no object that the garbage collector counts, so that it does not run.

    Assumes fewer than 2^31 triples, and room in `out` for them all.
    """
    cdef Py_ssize_t i, n = len(triples)
    cdef int32_t[3] next_codes = [0, 0, 0]
    cdef dict first = {}, second = {}, third = {}
    cdef object triple, a, b, c
    try:
        for i in range(n):
            if i + 2 * _AHEAD < n:
                af_prefetch(PyList_GetItem(triples, i + 2 * _AHEAD))
                _prefetch_members(<object>PyList_GetItem(triples, i + _AHEAD))
            triple = <object>PyList_GetItem(triples, i)
            if not isinstance(triple, (tuple, list)) or len(triple) != 3:
                return None
            # Each access is checked: another thread may shorten a list.
            if isinstance(triple, tuple):
                a = <object>PyTuple_GetItem(triple, 0)
                b = <object>PyTuple_GetItem(triple, 1)
                c = <object>PyTuple_GetItem(triple, 2)
            else:
                a = <object>PyList_GetItem(triple, 0)
                b = <object>PyList_GetItem(triple, 1)
                c = <object>PyList_GetItem(triple, 2)
            out[0, i] = _code_of(a, first, &next_codes[0])
            out[1, i] = _code_of(b, second, &next_codes[1])
            out[2, i] = _code_of(c, third, &next_codes[2])
    except (IndexError, TypeError):
        return None
    return list(first), list(second), list(third)


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


def shorten_integers(const long_enough[::1] values not None, int16_t[::1] out not None):
    """Copy integers into shorts: (all fit, smallest, largest), at least one."""
    cdef int64_t n = values.shape[0]
    cdef int broken
    cdef int16_t low, high
    with nogil:
        if long_enough is int32_t:
            broken = af_shorten_int32(&values[0], n, &out[0], &low, &high)
        else:
            broken = af_shorten_int64(&values[0], n, &out[0], &low, &high)
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


# The labels found in this many first values are sorted: few labels come later, and few values must
# be renumbered.
cdef enum:
    _LOOK = 4096


def few_numbers(const number[:, :] values not None, int most):
    """Encode a table of at most `most` distinct numbers: ascending labels, and codes row by row.

    NaN is missing, and -0.0 is 0.0. Returns None if the table has more distinct numbers.

    Assumes most <= 127.
    """
    cdef Py_ssize_t rows = values.shape[0], width = values.shape[1], row = 0, column = 0
    cdef int64_t done = 0, n = rows * width, count, i
    cdef object out = _empty(n, _int8)
    cdef int8_t[::1] codes = out
    cdef double[256] some
    cdef af_few few
    cdef bint fits, sorted_ = True
    cdef bint plain = (values.strides[1] == sizeof(number)
                       and values.strides[0] == <Py_ssize_t>sizeof(number) * width)
    few.factor = 0
    few.count = 0
    with nogil:
        fits = af_few_arrange(&few) != 0
        while done < n and fits:
            count = min(AF_BLOCK, n - done)
            if plain:
                for i in range(count):
                    some[i] = (&values[0, 0])[done + i]
            else:
                for i in range(count):
                    some[i] = values[row, column]
                    column += 1
                    if column == width:
                        column = 0
                        row += 1
            i = af_few_number(&few, some, count, &codes[done])
            while i < count and fits:
                sorted_ = False
                fits = few.count < most and af_few_add(&few, some[i]) != 0
                i += af_few_number(&few, &some[i], count - i, &codes[done + i])
            done += count
            if fits and not sorted_ and (done == _LOOK or done == n):
                fits = af_few_sort(&few, &codes[0], done) != 0
                sorted_ = True
    return ([few.labels[i] for i in range(few.count)], out) if fits else None


# The arrays below may belong to the caller, and other threads may write to them at any time. So each
# value is compared with the range that was found before; outside of it the answer is False.


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
           out not None):
    """out[i] = lookup[values[i] - low]; returns whether all have a place there.

    `out` is an int8, int16 or int32 array; a type for each of these, too, would take long to compile.
    """
    cdef Py_ssize_t size = out.itemsize
    if size == 1:
        return _recode[integer, int8_t](values, low, lookup, out)
    if size == 2:
        return _recode[integer, int16_t](values, low, lookup, out)
    return _recode[integer, int32_t](values, low, lookup, out)


cdef bint _recode(const integer[::1] values, int64_t low, const int32_t[::1] lookup,
                  code[:] out) except -1:
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


def copy_codes(const code[::1] values not None, int64_t first, bint missing, int64_t n_categories,
               code[::1] out not None):
    """out[i] = values[i] - first; with `missing`, the value before the first becomes -1.

    Returns whether all are such; others become -1, too.

    Assumes that first, the value before it if `missing`, and n_categories values fit the type.
    """
    cdef int64_t n = values.shape[0], states = n_categories + missing
    cdef int broken = 0
    if n:
        with nogil:
            if code is int8_t:
                broken = af_copy_int8(&values[0], n, first, missing, states, &out[0])
            elif code is int16_t:
                broken = af_copy_int16(&values[0], n, first, missing, states, &out[0])
            else:
                broken = af_copy_int32(&values[0], n, first, missing, states, &out[0])
    return broken == 0


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


def number_rows(list rows not None):
    """Number the labels of a list of rows in order of first appearance, as `encode_objects` does.

    Returns None if rows differ in length, or one is neither list nor tuple. Else (codes, labels,
    position, error): codes of shape (rows, columns), and the labels that they stand for. If a label
    cannot be hashed, its position, counted row by row, and the error; the codes are then invalid.
    """
    cdef Py_ssize_t row, stopped, n = len(rows), width = -1
    cdef int32_t next_code = 0
    cdef int32_t[:, ::1] out
    cdef dict known = {}
    cdef object codes, error, one
    for one in rows:
        if not isinstance(one, (list, tuple)) or (width >= 0 and len(one) != width):
            return None
        width = len(one)
    width = max(width, 0)
    codes = _empty((n, width), _int32)
    if n and width:
        out = codes
        for row in range(n):
            stopped, error = _number(rows[row], known, &out[row, 0], &next_code)
            if error is not None:
                return codes, [], row * width + stopped, error
    return codes, list(known), -1, None


def integral(list labels not None):
    """Return ints if all labels are whole floats: 1.0 and 1 are the same, and 1 reads better."""
    cdef object label
    for label in labels:
        if type(label) is not float or not label.is_integer():
            return labels
    return [int(label) for label in labels]


def arrange(list labels not None):
    """Return the order of distinct labels: sorted if possible, else in order of appearance."""
    cdef object label
    for label in labels:
        if isinstance(label, (set, frozenset)):
            return list(range(len(labels)))  # `<` on sets is inclusion: it sorts nothing
    try:
        return sorted(range(len(labels)), key=labels.__getitem__)
    except TypeError:
        return list(range(len(labels)))


def settle(const code[:, ::1] codes not None, list labels not None):
    """Sort numbered labels: return (labels, codes in the narrowest type, row by row).

    Assumes codes from -1 (missing) to len(labels) - 1.
    """
    cdef Py_ssize_t i, n = codes.shape[0] * codes.shape[1], K = len(labels)
    cdef list found = integral(labels), order = arrange(found)
    cdef int32_t[256] few
    cdef int32_t[::1] many
    cdef int32_t* ranks = few
    cdef object out
    cdef int8_t[::1] bytes_
    cdef int16_t[::1] shorts
    cdef int32_t[::1] ints
    cdef const code* given = &codes[0, 0] if n else NULL
    if K > 255:
        many = _empty(K + 1, _int32)
        ranks = &many[0]
    ranks[0] = -1
    for i in range(K):
        ranks[<int32_t>order[i] + 1] = <int32_t>i
    if K <= 127:
        out = _empty(n, _int8)
        bytes_ = out
        for i in range(n):
            bytes_[i] = <int8_t>ranks[given[i] + 1]
    elif K <= 32767:
        out = _empty(n, _int16)
        shorts = out
        for i in range(n):
            shorts[i] = <int16_t>ranks[given[i] + 1]
    else:
        out = _empty(n, _int32)
        ints = out
        for i in range(n):
            ints[i] = ranks[given[i] + 1]
    return tuple([found[place] for place in order]), out


cdef inline bint _fits(cell value) noexcept:
    """Whether an integer lies from -128 to 127."""
    cdef int64_t wide
    if cell is uint64_t:  # beside which -128 would be a large number
        return value <= 127
    else:
        wide = value
        return -128 <= wide <= 127


def settle_integers(const cell[:, :] values not None):
    """Integers from -128 to 127 as labels: (labels, codes row by row).

    None if there are others.
    """
    cdef Py_ssize_t rows = values.shape[0], width = values.shape[1], i, c, place = 0
    cdef object out = _empty(rows * width, _int8)
    cdef int8_t[::1] codes = out
    cdef int16_t[256] ranks
    cdef int k
    cdef list labels = []
    cdef cell value
    for k in range(256):
        ranks[k] = -1
    for i in range(rows):
        for c in range(width):
            value = values[i, c]
            if not _fits(value):
                return None
            ranks[<int>value + 128] = 0
    for k in range(256):
        if ranks[k] == 0:
            if len(labels) == 127:
                return None
            ranks[k] = <int16_t>len(labels)
            labels.append(k - 128)
    for i in range(rows):
        for c in range(width):
            value = values[i, c]
            # the array may be written to meanwhile: what was not there before is missing
            if _fits(value):
                codes[place] = <int8_t>ranks[<int>value + 128]
            else:
                codes[place] = -1
            place += 1
    return tuple(labels), out


# Up to this many distinct bytes, each is searched for on its own.
cdef enum:
    _FEW_BYTES = 16


def present(const integer[::1] values not None, int64_t low, Py_ssize_t n_states):
    """Return which of low, low + 1, ... occur, as offsets from low; None if another value occurs.

    Stops reading once all have been seen.
    """
    cdef Py_ssize_t i, begin = 0, step = max(4096, n_states)
    cdef object flags = bytearray(n_states)
    cdef uint8_t[::1] seen = flags
    while begin < values.shape[0]:
        if integer is int8_t:
            # Some state has not occurred yet: searching for each is faster than marking all values.
            if begin and n_states <= _FEW_BYTES and low >= -128 and low + n_states <= 128:
                if not af_mark_bytes(&values[0], values.shape[0], <int>low, <int>n_states, &seen[0]):
                    return None
                break
        if not mark_present(values[begin : min(begin + step, values.shape[0])], low, seen):
            return None
        if 0 not in flags:
            break
        begin += step
    return [i for i in range(n_states) if seen[i]]
