# (item, coder, label) triples -> rows grouped by item.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from os import urandom as _urandom

from numpy import empty as _empty
from numpy import int64 as _int64
from numpy import uint64 as _uint64

cdef extern from "mix.h" nogil:
    enum:
        AF_SECRETS
    void af_set_secrets(const uint8_t*)
    uint64_t af_mix(uint64_t)

ctypedef fused code:
    int8_t
    int16_t
    int32_t


def set_secrets(const uint8_t[::1] secrets not None):
    """Replace the secrets of the hashes, which no result depends on. Assumes that no table is in use."""
    if secrets.shape[0] != AF_SECRETS * 8:
        raise ValueError(f"{secrets.shape[0]} bytes of secrets")
    af_set_secrets(&secrets[0])


set_secrets(_urandom(AF_SECRETS * 8))


def fill_table(const int32_t[::1] items not None, const int32_t[::1] coders not None,
               const code[::1] labels not None, bint keep_last, code[:, ::1] out not None,
               int64_t[:, ::1] out_repeats not None):
    """Write labels into an items x coders table filled with -1; skip missing labels.

    If a cell is already taken, (item, coder) goes to out_repeats until it is full. Returns the
    number of such judgments.

    Assumes items and coders within the table (ids.encode_ids).
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
            out[items[i], coders[i]] = labels[i]
    return repeats


cdef enum:
    _SHORT = 24  # a list up to this length is sorted by comparing all of its judgments

# The key of a judgment, from the highest bits: the item's place in its bucket, the coder, the label.
# A bucket holds the judgments of 2^item_bits consecutive items.


def count_buckets(const int32_t[::1] items not None, const code[::1] labels not None, int item_bits,
                  int64_t[::1] out_bounds not None):
    """Compute the offset of each bucket's keys, and the last end; missing labels have no key.

    Assumes a bucket for each item (patterns.pack_judgments).
    """
    cdef Py_ssize_t i
    cdef int64_t here, before = 0
    with nogil:
        out_bounds[:] = 0
        for i in range(items.shape[0]):
            out_bounds[items[i] >> item_bits] += labels[i] >= 0
        for i in range(out_bounds.shape[0]):
            here = out_bounds[i]
            out_bounds[i] = before
            before += here


def pack(const int32_t[::1] items not None, const int32_t[::1] coders not None,
         const code[::1] labels not None, tuple bits not None, int64_t[::1] cursors not None,
         uint64_t[::1] out not None):
    """Write the key of each judgment into its item's bucket, in the order given.

    `bits` are those of items, coders and labels in a key, at most 64 in all. `cursors` hold the
    offsets of the buckets and are advanced to their ends. Missing labels are skipped.

    Assumes numbers that fit their bits, and buckets as `count_buckets` found them.
    """
    cdef int item_bits = bits[0], label_bits = bits[2], high_bits = label_bits + <int>bits[1]
    cdef uint64_t inside = (<uint64_t>1 << item_bits) - 1
    cdef Py_ssize_t i
    cdef int64_t* cursor
    with nogil:
        for i in range(items.shape[0]):
            if labels[i] >= 0:
                cursor = &cursors[items[i] >> item_bits]
                out[cursor[0]] = ((<uint64_t>items[i] & inside) << high_bits
                                  | <uint64_t>coders[i] << label_bits | <uint64_t>labels[i])
                cursor[0] += 1


def list_buckets(uint64_t[::1] keys not None, tuple packing not None, int64_t[::1] start not None,
                 int32_t[::1] out_coders not None, code[::1] out not None,
                 int64_t[:, ::1] out_repeats not None):
    """Sort the keys of each bucket and write the items' lists, one judgment of each coder.

    `packing` is (bounds of the buckets, bits of items, coders and labels, whether the last of
    repeated judgments is kept and not the first). `start` gets the offsets of the lists. (row,
    coder) of repeated judgments goes to out_repeats until it is full. Returns the number of
    repeated judgments. The keys are overwritten.

    Assumes keys as `pack` writes them, and room in `out` for all of them.
    """
    cdef const int64_t[::1] bounds = packing[0]
    cdef int item_bits = packing[1][0], coder_bits = packing[1][1], label_bits = packing[1][2]
    cdef bint keep_last = packing[2]
    cdef int64_t bucket, first_row, n_rows, n, n_kept, i, longest = 0
    cdef int64_t kept = 0, repeats = 0, all_rows = start.shape[0] - 1
    cdef int64_t n_places = min(<int64_t>1 << item_bits, all_rows)
    cdef uint64_t coder_mask = (<uint64_t>1 << coder_bits) - 1
    cdef uint64_t label_mask = (<uint64_t>1 << label_bits) - 1
    cdef uint64_t* here
    cdef int64_t[::1] ends
    cdef uint64_t[::1] room
    if keys.shape[0] == 0:
        start[:] = 0
        return 0
    for bucket in range(bounds.shape[0] - 1):
        longest = max(longest, bounds[bucket + 1] - bounds[bucket])
    ends, room = _empty(n_places + 1, _int64), _empty(longest + 1, _uint64)
    with nogil:
        for bucket in range(bounds.shape[0] - 1):
            first_row = bucket << item_bits
            n_rows = min(n_places, all_rows - first_row)
            n = bounds[bucket + 1] - bounds[bucket]
            here = &keys[0] + bounds[bucket]
            _sort_bucket(here, n, label_bits, coder_bits, &ends[0], n_rows, &room[0])
            n_kept = n
            if not _ascend(here, n, label_bits):
                n_kept = _drop_repeats(here, &ends[0], n_rows, label_bits, keep_last, &room[0])
                for i in range(n - n_kept):
                    if repeats + i < out_repeats.shape[0]:
                        out_repeats[repeats + i, 0] = first_row + <int64_t>(
                            room[i] >> (label_bits + coder_bits))
                        out_repeats[repeats + i, 1] = room[i] >> label_bits & coder_mask
                repeats += n - n_kept
            start[first_row] = kept
            for i in range(n_rows):
                start[first_row + i + 1] = kept + ends[i]
            for i in range(n_kept):
                out_coders[kept + i] = <int32_t>(here[i] >> label_bits & coder_mask)
                out[kept + i] = <code>(here[i] & label_mask)
            kept += n_kept
    return repeats


cdef bint _ascend(const uint64_t* keys, int64_t n, int label_bits) noexcept nogil:
    """Return whether the keys ascend strictly by item and coder."""
    cdef int64_t i
    for i in range(1, n):
        if keys[i - 1] >> label_bits >= keys[i] >> label_bits:
            return False
    return True


cdef void _sort_bucket(uint64_t* keys, int64_t n, int label_bits, int coder_bits, int64_t* ends,
                       int64_t n_rows, uint64_t* room) noexcept nogil:
    """Sort keys by item and coder (a stable sort). `ends` gets the ends of the lists."""
    cdef int high_bits = label_bits + coder_bits
    cdef int64_t i, row, begin = 0, end, before = 0
    memset(ends, 0, n_rows * sizeof(int64_t))
    for i in range(n):
        ends[keys[i] >> high_bits] += 1
    if _ascend(keys, n, label_bits):
        for row in range(n_rows):
            before += ends[row]
            ends[row] = before
        return
    for row in range(n_rows):
        end = ends[row]
        ends[row] = before
        before += end
    for i in range(n):
        row = keys[i] >> high_bits
        room[ends[row]] = keys[i]
        ends[row] += 1
    for row in range(n_rows):
        end = ends[row]
        if end - begin <= _SHORT:
            _sort_short(room + begin, end - begin, label_bits, keys + begin)
        else:
            _sort_long(room + begin, end - begin, label_bits, coder_bits, keys + begin)
        begin = end


cdef void _sort_short(const uint64_t* keys, int64_t n, int label_bits,
                      uint64_t* out) noexcept nogil:
    """Put each key after all that are smaller, or equal and earlier. No branch is to be predicted."""
    cdef int64_t i, j, place
    cdef uint64_t here
    for i in range(n):
        here = keys[i] >> label_bits
        place = 0
        for j in range(i):
            place += keys[j] >> label_bits <= here
        for j in range(i + 1, n):
            place += keys[j] >> label_bits < here
        out[place] = keys[i]


cdef void _sort_long(uint64_t* keys, int64_t n, int label_bits, int coder_bits,
                     uint64_t* out) noexcept nogil:
    """Sort the keys of one item by coder, byte by byte from the lowest."""
    cdef int64_t[256] places
    cdef int64_t i, before, here
    cdef int shift = label_bits, last = label_bits + coder_bits
    cdef uint64_t* given = keys
    cdef uint64_t* sorted_ = out
    while shift < last:
        memset(places, 0, sizeof(places))
        for i in range(n):
            places[given[i] >> shift & 255] += 1
        before = 0
        for i in range(256):
            here = places[i]
            places[i] = before
            before += here
        for i in range(n):
            here = given[i] >> shift & 255
            sorted_[places[here]] = given[i]
            places[here] += 1
        given, sorted_ = sorted_, given
        shift += 8
    if given != out:
        memcpy(out, given, n * sizeof(uint64_t))


cdef int64_t _drop_repeats(uint64_t* keys, int64_t* ends, int64_t n_rows, int label_bits,
                           bint keep_last, uint64_t* out_repeats) noexcept nogil:
    """Keep one key of each item and coder among sorted keys; return how many are kept."""
    cdef int64_t row, i = 0, kept = 0, repeats = 0
    for row in range(n_rows):
        while i < ends[row]:
            if kept and keys[kept - 1] >> label_bits == keys[i] >> label_bits:
                out_repeats[repeats] = keys[i]
                repeats += 1
                if keep_last:
                    keys[kept - 1] = keys[i]
            else:
                keys[kept] = keys[i]
                kept += 1
            i += 1
        ends[row] = kept
    return kept


def sort_into_bins(const int64_t[:, ::1] rows not None, int64_t[::1] ends not None,
                   int64_t[:, ::1] out not None):
    """Sort rows of words into bins (a stable sort); `ends` gets the ends of the bins.

    The first word of a row decides its bin. The number of bins, len(ends), is a power of two from 2
    to 2^32. Assumes `out` of the shape of `rows`.
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
