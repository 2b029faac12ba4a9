# (item, coder, label) triples -> rows grouped by item.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t

ctypedef fused code:
    int8_t
    int16_t
    int32_t


def fill_table(const int32_t[::1] items not None, const int32_t[::1] coders not None,
               const int32_t[::1] labels not None, bint keep_last, code[:, ::1] out not None,
               int64_t[::1] out_repeats not None):
    """Write labels into an items x coders table that holds -1; missing labels are passed over.

    Positions of judgments that found their cell taken go to out_repeats, as many as it holds.
    Returns how many there were.
    """
    cdef Py_ssize_t i, n = items.shape[0], room = out_repeats.shape[0]
    cdef int64_t repeats = 0
    with nogil:
        for i in range(n):
            if labels[i] < 0:
                continue
            if out[items[i], coders[i]] >= 0:
                if repeats < room:
                    out_repeats[repeats] = i
                repeats += 1
                if not keep_last:
                    continue
            out[items[i], coders[i]] = <code>labels[i]
    return repeats


def order_by(const int32_t[::1] keys not None, const int64_t[::1] order not None,
             int64_t[::1] start not None, int64_t[::1] out not None):
    """A stable counting sort: `out` is `order` sorted by keys[order].

    start (number of keys + 1) becomes the offsets of the keys' runs. Negative keys are left out.
    An empty `order` stands for 0, 1, 2, ...
    """
    cdef Py_ssize_t i, n, k, n_keys = start.shape[0] - 1
    cdef bint natural = order.shape[0] == 0
    cdef int64_t here, before, position
    n = keys.shape[0] if natural else order.shape[0]
    with nogil:
        for k in range(n_keys + 1):
            start[k] = 0
        for i in range(n):
            k = keys[i if natural else order[i]]
            if k >= 0:
                start[k] += 1
        before = 0
        for k in range(n_keys + 1):
            here = start[k]
            start[k] = before
            before += here
        for i in range(n):
            position = i if natural else order[i]
            k = keys[position]
            if k >= 0:
                out[start[k]] = position
                start[k] += 1
        # each offset now stands at the end of its run: shift back
        for k in range(n_keys, 0, -1):
            start[k] = start[k - 1]
        start[0] = 0


def drop_repeats(const int64_t[::1] start not None, const int32_t[::1] coders not None,
                 const int64_t[::1] order not None, bint keep_last,
                 int64_t[::1] out_start not None, int64_t[::1] out_order not None,
                 int64_t[::1] out_repeats not None):
    """Keep one judgment of each run of the same coder within an item's run.

    `order` lists judgments by item, coder, position. Returns how many were repeats; the first
    positions of them go to out_repeats.
    """
    cdef Py_ssize_t row, n_rows = start.shape[0] - 1, room = out_repeats.shape[0]
    cdef int64_t i, position, repeats = 0, kept = 0
    cdef int32_t coder, last
    with nogil:
        for row in range(n_rows):
            out_start[row] = kept
            last = -1
            for i in range(start[row], start[row + 1]):
                position = order[i]
                coder = coders[position]
                if coder == last:
                    if repeats < room:
                        out_repeats[repeats] = position
                    repeats += 1
                    if keep_last:
                        out_order[kept - 1] = position
                else:
                    out_order[kept] = position
                    kept += 1
                    last = coder
        out_start[n_rows] = kept
    return repeats
