# (item, coder, label) triples -> rows grouped by item.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint64_t

cdef extern from "mix.h" nogil:
    uint64_t af_mix(uint64_t)

ctypedef fused code:
    int8_t
    int16_t
    int32_t


def fill_table(const int32_t[::1] items not None, const int32_t[::1] coders not None,
               const int32_t[::1] labels not None, bint keep_last, code[:, ::1] out not None,
               int64_t[:, ::1] out_repeats not None):
    """Write labels into an items x coders table that holds -1; missing labels are passed over.

    (item, coder) of judgments that found their cell taken go to out_repeats, as many as it holds.
    Returns how many there were.

    Assumes items, coders and labels within the table and the type of its codes (ids.encode_ids,
    patterns.narrow).
    """
    cdef Py_ssize_t i, n = items.shape[0], room = out_repeats.shape[0]
    cdef int64_t repeats = 0
    with nogil:
        for i in range(n):
            if labels[i] < 0:
                continue
            if out[items[i], coders[i]] >= 0:
                if repeats < room:
                    out_repeats[repeats, 0] = items[i]
                    out_repeats[repeats, 1] = coders[i]
                repeats += 1
                if not keep_last:
                    continue
            out[items[i], coders[i]] = <code>labels[i]
    return repeats


def order_by(const int32_t[::1] keys not None, int64_t[::1] start not None,
             int64_t[::1] out not None):
    """A stable counting sort: `out` holds 0, 1, 2, ... sorted by key.

    start (number of keys + 1) is room to work in. Assumes keys from 0 to the number of keys - 1.
    """
    cdef Py_ssize_t i, k, n = keys.shape[0]
    cdef int64_t here, before = 0
    with nogil:
        start[:] = 0
        for i in range(n):
            start[keys[i]] += 1
        for k in range(start.shape[0]):
            here = start[k]
            start[k] = before
            before += here
        for i in range(n):
            out[start[keys[i]]] = i
            start[keys[i]] += 1


def fill_lists(tuple judgments not None, const int64_t[::1] order, int64_t[::1] start not None,
               int32_t[::1] out_coders not None, code[::1] out not None):
    """Scatter judgments into their items' lists, in the order given or as they come.

    `judgments` are three int32 arrays: items, coders, labels. start holds the lists' offsets and is
    moved on to their ends; missing labels are passed over.
    Assumes lists as long as their items' judgments are many (patterns.group_by_item).
    """
    cdef const int32_t[::1] items = judgments[0], coders = judgments[1], labels = judgments[2]
    cdef Py_ssize_t i, n = items.shape[0]
    cdef bint natural = order is None
    cdef int64_t position, place
    if not natural:
        n = order.shape[0]
    with nogil:
        for i in range(n):
            position = i if natural else order[i]
            if labels[position] < 0:
                continue
            place = start[items[position]]
            start[items[position]] = place + 1
            out_coders[place] = coders[position]
            out[place] = <code>labels[position]


def tidy_lists(int64_t[::1] start not None, bint keep_last, int32_t[::1] coders not None,
               code[::1] codes not None, int64_t[:, ::1] out_repeats not None):
    """Sort each list by coder and keep one judgment of each, moving the lists together.

    An insertion sort: lists are short, or sorted already. (row, coder) of judgments that repeat
    another's go to out_repeats, as many as it holds. Returns how many there were.

    Assumes coders from 0 on, and no missing codes.
    """
    cdef Py_ssize_t row, n_rows = start.shape[0] - 1, room = out_repeats.shape[0]
    cdef int64_t begin, end = 0, i, j, kept = 0, repeats = 0
    cdef int32_t coder, last
    cdef code label
    with nogil:
        for row in range(n_rows):
            begin = end
            end = start[row + 1]
            for i in range(begin + 1, end):
                coder = coders[i]
                label = codes[i]
                j = i
                while j > begin and coders[j - 1] > coder:
                    coders[j] = coders[j - 1]
                    codes[j] = codes[j - 1]
                    j -= 1
                coders[j] = coder
                codes[j] = label
            start[row] = kept
            last = -1
            for i in range(begin, end):
                if coders[i] == last:
                    if repeats < room:
                        out_repeats[repeats, 0] = row
                        out_repeats[repeats, 1] = last
                    repeats += 1
                    if keep_last:
                        codes[kept - 1] = codes[i]
                else:
                    last = coders[i]
                    coders[kept] = last
                    codes[kept] = codes[i]
                    kept += 1
        start[n_rows] = kept
    return repeats


def sort_into_bins(const int64_t[:, ::1] rows not None, int64_t[::1] ends not None,
                   int64_t[:, ::1] out not None):
    """Rows of words with those of one bin together, in their order; `ends` of the bins.

    A row's first word decides its bin, of which there are len(ends): a power of two, from 2 to 2^32.
    Assumes `out` of the shape of `rows`.
    """
    cdef Py_ssize_t i, w, n = rows.shape[0], width = rows.shape[1], bin_, place
    cdef int bits = 0
    cdef int64_t here, before = 0
    while ends.shape[0] >> bits > 1:
        bits += 1
    with nogil:
        ends[:] = 0
        for i in range(n):
            ends[<Py_ssize_t>(af_mix(<uint64_t>rows[i, 0]) >> (64 - bits))] += 1
        for i in range(ends.shape[0]):
            here = ends[i]
            ends[i] = before
            before += here
        for i in range(n):
            bin_ = <Py_ssize_t>(af_mix(<uint64_t>rows[i, 0]) >> (64 - bits))
            place = ends[bin_]
            ends[bin_] = place + 1
            for w in range(width):
                out[place, w] = rows[i, w]


def number_keys(const int64_t[:, ::1] rows not None, int width, const int64_t[::1] ends not None,
                int32_t[::1] slots not None, int32_t[::1] out not None, int64_t[::1] out_first not None):
    """Number the keys of rows, bin by bin in order of first appearance: one word or two each.

    A key is in one bin, and the bins' hash tables are one after the other in `slots`. out_first gets
    a row of each key. Returns how many there are.

    Assumes 1 <= width <= 2, fewer than 2^31 rows, room in `slots` for twice the rows of each bin,
    rounded up to a power of two, and in `out_first` for each row.
    """
    cdef Py_ssize_t i, b, begin, end = 0, mask
    cdef int32_t count = 0, known, row
    cdef uint64_t slot
    with nogil:
        for b in range(ends.shape[0]):
            begin = end
            end = ends[b]
            mask = 1
            while mask < 2 * (end - begin):
                mask *= 2
            slots[:mask] = -1
            mask -= 1
            for i in range(begin, end):
                # The upper bits are those of the bin.
                slot = af_mix(<uint64_t>rows[i, 0]) & <uint64_t>mask
                while True:
                    known = slots[slot]
                    if known < 0:
                        slots[slot] = count
                        out_first[count] = i
                        out[i] = count
                        count += 1
                        break
                    row = <int32_t>out_first[known]
                    if rows[row, 0] == rows[i, 0] and (width == 1 or rows[row, 1] == rows[i, 1]):
                        out[i] = known
                        break
                    slot = (slot + 1) & <uint64_t>mask
    return count
