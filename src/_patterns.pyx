# Rows of codes -> distinct rows and how often each occurs, and counts of pairs of labels by coder.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memcpy, memmove

from os import urandom as _urandom

from numpy import empty as _empty
from numpy import int32 as _int32
from numpy import int64 as _int64
from numpy import uint64 as _uint64
from numpy import zeros as _zeros

from agreement_fast._kernels._rows cimport (
    Rows, af_begin, af_code, af_end, af_repeats, af_rows, af_weight, code
)

cdef extern from "hot.h" nogil:
    int af_rows_of_word(int64_t)
    void af_count_bytes(const int8_t*, int64_t, int, int, int, int, int64_t*)
    void af_count_columns(const int8_t*, int64_t, int64_t, int, int, int64_t, int, int, int, int64_t*)
    void af_bit_planes(const int8_t*, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, uint64_t*)
    void af_pair_counts(const uint64_t*, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t*, int64_t*)
    void af_pack_counts(const int8_t*, const int64_t*, int64_t, int64_t, int64_t, int, uint64_t*)

cdef extern from "numbering.h" nogil:
    ctypedef struct af_numbering:
        int64_t count
        int64_t* first
    enum:
        AF_SECRETS
    void af_set_secrets(const uint8_t*)
    uint64_t af_mix(uint64_t)
    bint af_open(af_numbering*, bint)
    bint af_number_rows(af_numbering*, const uint8_t*, int64_t, int64_t, int32_t*)
    void af_close(af_numbering*)


def set_secrets(const uint8_t[::1] secrets not None):
    """Replace the secrets of the hashes, which no result depends on. Assumes that no table is in use."""
    if secrets.shape[0] != AF_SECRETS * 8:
        raise ValueError(f"{secrets.shape[0]} bytes of secrets")
    af_set_secrets(&secrets[0])


set_secrets(_urandom(AF_SECRETS * 8))


def count_keys_of_rows(const int8_t[:, ::1] table not None, int low, int bits,
                       int64_t[:, ::1] out not None):
    """Histogram of the keys of the rows of a table that is stored row by row.

    Column c of a row holds `bits` bits of its key from c * bits on: value - low, modulo 2 ** bits.
    `out` has 1 or 4 rows of 2 ** (columns * bits) cells; one of them is added to for each key.

    Assumes 1 to 8 columns, and 1 <= bits <= 8.
    """
    cdef Py_ssize_t n = table.shape[0], columns = table.shape[1], i = 0, c
    cdef uint64_t key, mask = (<uint64_t>1 << bits) - 1
    cdef int beside = af_rows_of_word(columns)
    with nogil:
        if n > 8:
            # This reads words of eight bytes. The last rows have fewer and come below.
            i = n - n % beside if beside > 1 else n - 8
            af_count_bytes(&table[0, 0], i, <int>columns, low, bits, <int>out.shape[0], &out[0, 0])
        while i < n:
            key = 0
            for c in range(columns):
                key |= (<uint64_t>(table[i, c] - low) & mask) << (c * bits)
            out[0, key] += 1
            i += 1


def count_keys_of_columns(const int8_t[:, :, :] columns not None, int low, int bits,
                          int64_t[:, ::1] out not None):
    """The same for columns that are each stored together, as a cube of (b, width, n) bytes.

    Key i is that of (b, width) bytes side by side, which are b rows of a table.

    Assumes that the last axis is contiguous, 1 <= bits <= 8, and b * width * bits <= 31.
    """
    if columns.shape[2]:
        with nogil:
            af_count_columns(&columns[0, 0, 0], columns.strides[1], columns.shape[2],
                             <int>columns.shape[1], <int>columns.shape[0], columns.strides[0],
                             low, bits, <int>out.shape[0], &out[0, 0])


def count_keys(const int8_t[:, :] table not None, const int64_t[::1] weights, int low, int bits,
               int64_t[:, ::1] out not None):
    """The same for a table with any strides; each row counts by its weight.

    Assumes columns * bits <= 31 (patterns.key_bits).
    """
    cdef Py_ssize_t i, c
    cdef bint weighted = weights is not None
    cdef uint64_t key, mask = (<uint64_t>1 << bits) - 1
    with nogil:
        for i in range(table.shape[0]):
            key = 0
            for c in range(table.shape[1]):
                key |= (<uint64_t>(table[i, c] - low) & mask) << (c * bits)
            out[0, key] += weights[i] if weighted else 1


def group_rows(const uint8_t[:, ::1] rows not None, int32_t[::1] out_group not None):
    """Number rows in order of first appearance; rows of the same bytes share a number.

    Returns the first row of each group: int64 (U,).

    Compares bytes only: -0.0 and 0.0 differ (patterns.group_equal).
    """
    cdef af_numbering known
    cdef int64_t n = rows.shape[0]
    cdef const uint8_t* bytes_ = <const uint8_t*>&n  # rows without bytes are not looked into
    cdef int64_t[::1] first
    cdef bint done
    try:
        with nogil:
            done = af_open(&known, rows.shape[1] > 8)
            if done and n:
                if rows.shape[1]:
                    bytes_ = &rows[0, 0]
                done = af_number_rows(&known, bytes_, n, rows.shape[1], &out_group[0])
        if not done:
            raise MemoryError
        out = _empty(known.count, _int64)
        if known.count:
            first = out
            memcpy(&first[0], known.first, known.count * sizeof(int64_t))
        return out
    finally:
        af_close(&known)


# A label and how often a row has it in one number.
cdef enum:
    SHIFT = 40
cdef uint64_t COUNT = (<uint64_t>1 << SHIFT) - 1

# The number of labels that fit beside a count.
LABELS = 1 << (64 - SHIFT)


cdef struct Run:
    uint64_t* cells  # of a row, ascending or by coder
    int64_t n
    int64_t weight


cdef int _compare(const void* one, const void* other) noexcept nogil:
    """Compare two rows by their cells, the first one that differs; a row comes before its continuations."""
    cdef const Run* a = <const Run*>one
    cdef const Run* b = <const Run*>other
    cdef int64_t i
    for i in range(min(a.n, b.n)):
        if a.cells[i] != b.cells[i]:
            return -1 if a.cells[i] < b.cells[i] else 1
    return (a.n > b.n) - (a.n < b.n)


def sort_patterns(Rows given not None, bint by_coder):
    """Return the distinct rows in the order of `row_order.in_order`, as lists of judgments.

    The result is what `Rows` takes: with coders, whose rows must be a table; or
    with repeats, how often each label occurs in a row. O(n log n). Assumes fewer than LABELS labels.
    """
    cdef af_rows rows = given.c
    cdef int64_t n = rows.last - rows.first, row, i, k, n_runs = 0, total = 0, distinct = 0
    cdef int64_t begin = af_begin(&rows, rows.first), end = af_begin(&rows, rows.last)
    cdef uint64_t cell
    cdef Run* run
    cdef Run* runs = <Run*>malloc((n + 1) * sizeof(Run))
    cdef uint64_t* cells = <uint64_t*>malloc((end - begin + 1) * sizeof(uint64_t))
    cdef int32_t[::1] codes, coders
    cdef int64_t[::1] start, repeats, weights
    try:
        if runs == NULL or cells == NULL:
            raise MemoryError
        with nogil:
            for row in range(rows.first, rows.last):
                run = &runs[n_runs]
                n_runs += 1
                run.cells, run.n, run.weight = cells + af_begin(&rows, row) - begin, 0, af_weight(&rows, row)
                for i in range(af_begin(&rows, row), af_end(&rows, row)):
                    if by_coder:  # missing judgments come first
                        run.cells[run.n] = <uint64_t>(af_code(&rows, i) + 1)
                        run.n += 1
                        continue
                    if af_code(&rows, i) < 0 or not af_repeats(&rows, i):
                        continue
                    cell = <uint64_t>af_code(&rows, i) << SHIFT
                    k = run.n
                    while k > 0 and run.cells[k - 1] >> SHIFT << SHIFT > cell:
                        run.cells[k] = run.cells[k - 1]
                        k -= 1
                    if k > 0 and run.cells[k - 1] >> SHIFT << SHIFT == cell:
                        run.cells[k - 1] += af_repeats(&rows, i)
                        memmove(run.cells + k, run.cells + k + 1, (run.n - k) * sizeof(uint64_t))
                    else:
                        run.cells[k] = cell + af_repeats(&rows, i)
                        run.n += 1
            qsort(runs, n_runs, sizeof(Run), _compare)
            for row in range(n_runs):
                if distinct and _compare(&runs[distinct - 1], &runs[row]) == 0:
                    runs[distinct - 1].weight += runs[row].weight
                    continue
                runs[distinct] = runs[row]
                distinct += 1
                for i in range(runs[row].n):
                    total += not by_coder or runs[row].cells[i] > 0
        codes = _empty(total, _int32)
        start, weights = _empty(distinct + 1, _int64), _empty(distinct, _int64)
        if by_coder:
            coders = _empty(total, _int32)
        else:
            repeats = _empty(total, _int64)
        total = start[0] = 0
        for row in range(distinct):
            run = &runs[row]
            for i in range(run.n):
                cell = run.cells[i]
                if not by_coder:
                    codes[total], repeats[total] = <int32_t>(cell >> SHIFT), <int64_t>(cell & COUNT)
                    total += 1
                elif cell:
                    codes[total], coders[total] = <int32_t>cell - 1, <int32_t>i
                    total += 1
            start[row + 1], weights[row] = total, run.weight
        if by_coder:
            return codes.base, 0, start.base, coders.base, None, weights.base
        return codes.base, 0, start.base, None, repeats.base, weights.base
    finally:
        free(runs)
        free(cells)


def pack_counts(Rows rows not None, int bits, uint64_t[::1] out not None):
    """Count how often each row has each category, with `bits` bits a category.

    Assumes codes of one byte, and what af_pack_counts does (routes.group_counts).
    """
    if rows.c.first == rows.c.last or rows.c.codes == NULL:
        out[:] = 0
        return
    with nogil:
        af_pack_counts(<const int8_t*>rows.c.codes, rows.c.start, rows.c.width, rows.c.first,
                       rows.c.last, bits, &out[0])


def count_words(const uint64_t[::1] words not None, const int64_t[::1] weights,
                uint64_t[::1] keys not None, int64_t[::1] counts not None, Py_ssize_t n_keys):
    """Add words to an open hash table: keys[slot] is the word, and counts[slot] += weight.

    The length of the table is a power of two; keys of all ones are free slots. Returns the number of
    keys, or -1 as soon as the table is half full.

    Assumes no word of all ones: with K categories it takes a row of K * (2 ** bits - 1) judgments,
    and rows have fewer than 2 ** bits (routes.group_counts).
    """
    cdef Py_ssize_t i, slot, mask = keys.shape[0] - 1, limit = keys.shape[0] // 2
    cdef bint weighted = weights is not None
    cdef uint64_t word, free = ~<uint64_t>0
    with nogil:
        for i in range(words.shape[0]):
            word = words[i]
            slot = <Py_ssize_t>(af_mix(word) & <uint64_t>mask)
            while keys[slot] != word and keys[slot] != free:
                slot = (slot + 1) & mask
            if keys[slot] == free:
                n_keys += 1
                if n_keys > limit:
                    n_keys = -1
                    break
                keys[slot] = word
            counts[slot] += weights[i] if weighted else 1
    return n_keys


def count_pairs(Rows rows not None, int64_t first, uint64_t[::1] planes not None,
                int64_t[:, :, ::1] out not None):
    """Add to out[pair, j, l] the rows to which the first coder of a pair gave j and the second l.

    The pairs are (first, first + 1), (first, first + 2) and so on, one for each table of `out`. `planes`
    (coders x categories x W words) is working memory for 64 W rows at a time. Assumes a table of bytes
    that has these pairs, at least one category, W that is a multiple of 4, and what af_bit_planes
    assumes (patterns.pair_tables).
    """
    cdef const int8_t* codes = <const int8_t*>rows.c.codes
    cdef Py_ssize_t width = rows.c.width, n_categories = out.shape[1]
    cdef Py_ssize_t words = planes.shape[0] // (width * n_categories)
    cdef Py_ssize_t row, last = rows.c.last, count, n_pairs = out.shape[0]
    cdef int64_t[::1] totals
    if not n_pairs:
        return
    totals = _empty(width * (n_categories + 1), _int64)
    with nogil:
        row = rows.c.first
        while row < last:
            count = min(64 * words, last - row)
            af_bit_planes(codes, width, row, count, first, n_categories, words, &planes[0])
            af_pair_counts(&planes[0], width, n_categories, words, count, first, n_pairs, &totals[0],
                           &out[0, 0, 0])
            row += count


def list_tables(const int64_t[:, :, ::1] tables not None, int64_t[::1] start not None,
                int32_t[::1] first not None, int32_t[::1] second not None, int64_t[::1] counts not None):
    """List the cells of tables that are not 0, table by table, and return their number.

    start[t] is the place of the first one of table t. Assumes room for every cell.
    """
    cdef Py_ssize_t t, j, l, n = 0, K = tables.shape[1]
    with nogil:
        for t in range(tables.shape[0]):
            start[t] = n
            for j in range(K):
                for l in range(K):
                    if tables[t, j, l]:
                        first[n], second[n], counts[n] = <int32_t>j, <int32_t>l, tables[t, j, l]
                        n += 1
        start[tables.shape[0]] = n
    return n


def list_pairs(const int32_t[:, ::1] columns not None, const int32_t[:, ::1] order not None,
               const int64_t[::1] weights, const int32_t[::1] of_first not None,
               const int32_t[::1] of_second not None, int64_t[::1] start not None,
               int32_t[::1] first not None, int32_t[::1] second not None, int64_t[::1] counts not None):
    """List the cells of the tables of pairs of coders, table by table, and return their number.

    columns[c] are the labels of coder c, below 0 for none, and order[c] their places, ascending by label.
    start[t] is the place of the first cell of table t. Assumes room for a cell of each item and table, and
    positive weights.

    The items of a table are dealt, in the order of the second coder, to the labels of the first.
    """
    cdef Py_ssize_t t, i, j, n = 0, n_items = columns.shape[1], n_labels = 0
    cdef int32_t a, b, own, other, previous, coder = -1
    cdef int64_t count
    cdef int32_t[::1] place = _empty(n_items, _int32)   # of the label of each item among those of the first
    cdef int32_t[::1] labels = _empty(n_items, _int32)  # these labels
    cdef int64_t[:, ::1] ends = _empty((2, n_items), _int64)  # where the items of each begin, and end
    cdef int32_t[::1] dealt = _empty(n_items, _int32)
    with nogil:
        for t in range(of_first.shape[0]):
            a, b, start[t] = of_first[t], of_second[t], n
            if a != coder:
                coder, n_labels, previous = a, 0, -1
                for i in range(n_items):
                    own = columns[a, order[a, i]]
                    if own != previous:
                        labels[n_labels], ends[0, n_labels] = own, i
                        n_labels += 1
                        previous = own
                    place[order[a, i]] = <int32_t>(n_labels - 1 if own >= 0 else -1)
            for j in range(n_labels):
                ends[1, j] = ends[0, j]
            for i in range(n_items):
                j = place[order[b, i]]
                if j >= 0 and columns[b, order[b, i]] >= 0:
                    dealt[ends[1, j]] = order[b, i]
                    ends[1, j] += 1
            for j in range(n_labels):
                previous = -1
                for i in range(ends[0, j], ends[1, j]):
                    other, count = columns[b, dealt[i]], 1 if weights is None else weights[dealt[i]]
                    if other == previous:
                        counts[n - 1] += count
                    else:
                        first[n], second[n], counts[n] = labels[j], other, count
                        n += 1
                        previous = other
        start[of_first.shape[0]] = n
    return n


def add_of_pairs(const int32_t[:, ::1] columns not None, const int32_t[::1] of_first not None,
                 const int32_t[::1] of_second not None, const int64_t[::1] start not None,
                 const int32_t[::1] first not None, const int32_t[::1] second not None,
                 const double[::1] values not None, double[:, ::1] out not None):
    """Add the number of each item's cell in the tables of pairs to out[0], and how many have it to out[1].

    The cells of a table ascend; items without a cell, or whose cell has NaN, count for nothing. The other
    parameters are those of `list_pairs`.
    """
    cdef Py_ssize_t t, i, low, high, middle
    cdef int64_t own, other
    with nogil:
        for t in range(of_first.shape[0]):
            for i in range(columns.shape[1]):
                own, other = columns[of_first[t], i], columns[of_second[t], i]
                if own < 0 or other < 0:
                    continue
                low, high = start[t], start[t + 1]
                while low < high:
                    middle = (low + high) >> 1
                    if first[middle] < own or (first[middle] == own and second[middle] < other):
                        low = middle + 1
                    else:
                        high = middle
                if (low < start[t + 1] and first[low] == own and second[low] == other
                        and values[low] == values[low]):
                    out[0, i] += values[low]
                    out[1, i] += 1.0


def count_others(const int64_t[::1] start not None, const int32_t[::1] first not None,
                 const int32_t[::1] second not None, const int64_t[::1] counts not None, Py_ssize_t K,
                 int64_t[::1] out not None):
    """Count the judgments of each table that are not of its most frequent label.

    Assumes the four arrays of cells.Cells, of K categories.
    """
    cdef Py_ssize_t t, i
    cdef int64_t total, most
    cdef int64_t[::1] of_label = _zeros(K, _int64)
    with nogil:
        for t in range(start.shape[0] - 1):
            total = most = 0
            for i in range(start[t], start[t + 1]):
                total += 2 * counts[i]
                of_label[first[i]] += counts[i]
                of_label[second[i]] += counts[i]
            for i in range(start[t], start[t + 1]):
                most = max(most, of_label[first[i]], of_label[second[i]])
            for i in range(start[t], start[t + 1]):
                of_label[first[i]] = of_label[second[i]] = 0
            out[t] = total - most


cdef inline void _add_squares(const int64_t* counts, const int32_t* labels, Py_ssize_t distinct,
                              int64_t weight, Py_ssize_t K, int64_t* table) noexcept nogil:
    cdef Py_ssize_t j, k
    cdef int64_t more
    cdef int64_t* line
    for j in range(distinct):
        line, more = &table[labels[j] * K], weight * counts[labels[j]]
        for k in range(j + 1):
            line[labels[k]] += more * counts[labels[k]]


cdef inline void _add_all_squares(const int64_t* counts, int64_t sign, Py_ssize_t K,
                                  int64_t* table) noexcept nogil:
    cdef Py_ssize_t j, k
    cdef int64_t more
    for j in range(K):
        more = sign * counts[j]
        for k in range(j + 1):
            table[j * K + k] += more * counts[k]


cdef void _count_beside(const code* codes, const af_rows* rows, const int64_t[::1] line,
                        int64_t[::1] counts, int32_t[::1] labels, int64_t[:, :, :, ::1] beside,
                        int64_t[:, :, :, ::1] apart, int64_t[:, :, ::1] together) noexcept nogil:
    cdef Py_ssize_t n_coders = beside.shape[0], K = beside.shape[3]
    cdef Py_ssize_t i, k, c, s, begin, end, size, distinct
    cdef int64_t row, weight
    cdef bint by_most, judged
    cdef int64_t* own
    cdef int64_t* weighted = &counts[K]
    for row in range(rows.first, rows.last):
        begin, end = af_begin(rows, row), af_end(rows, row)
        weight = af_weight(rows, row)
        size = distinct = 0
        for i in range(begin, end):
            if codes[i] >= 0:
                size += 1
                if not counts[codes[i]]:
                    labels[distinct] = codes[i]
                    distinct += 1
                counts[codes[i]] += 1
        for k in range(distinct):
            weighted[k] = weight * counts[labels[k]]
        s = line[size]
        by_most = rows.width and 2 * size > n_coders
        if by_most:
            _add_squares(&counts[0], &labels[0], distinct, weight, K, &together[s, 0, 0])
        for i in range(begin, end):
            c = i - begin if rows.width else rows.coders[i]
            judged = codes[i] >= 0
            if judged:
                own = &beside[c, s, codes[i], 0]
                for k in range(distinct):
                    own[labels[k]] += weighted[k]
            if judged != by_most:
                _add_squares(&counts[0], &labels[0], distinct, weight if judged else -weight, K,
                             &apart[c, s, 0, 0])
        for k in range(distinct):
            counts[labels[k]] = 0


cdef void _count_bytes_beside(const int8_t* codes, const af_rows* rows, const int64_t[::1] line,
                              uint64_t[::1] sums, int64_t[:, :, :, ::1] beside,
                              int64_t[:, :, :, ::1] apart, int64_t[:, :, ::1] together) noexcept nogil:
    """The same for rows of weight 1 with up to 8 labels: counts are bytes of a word.

    Even and odd ones are added in `sums` with 16 bits each, also beside missing judgments, which are
    label -1, and from there to `beside` before they overflow.
    """
    cdef Py_ssize_t n_coders = beside.shape[0], n_lines = beside.shape[1], K = beside.shape[3]
    cdef Py_ssize_t c, k, s, size, slot, until, n_listed, n_sums = n_coders * n_lines
    cdef int64_t row = rows.first
    cdef int32_t listed[256]
    cdef uint64_t units[9]
    cdef uint64_t word, even, odd, lanes = 0x00ff00ff00ff00ff
    cdef int64_t counts[8]
    cdef int64_t* out = &beside[0, 0, 0, 0]
    cdef const int8_t* each
    cdef bint by_most
    units[0] = 0
    for k in range(8):
        units[k + 1] = <uint64_t>1 << (8 * k)
    while row < rows.last:
        until = min(row + 65535 // n_coders, rows.last)
        while row < until:
            each = &codes[row * n_coders]
            word = 0
            for c in range(n_coders):
                word += units[each[c] + 1]
            size = 0
            for k in range(K):
                counts[k] = (word >> (8 * k)) & 255
                size += counts[k]
            s = line[size]
            by_most = 2 * size > n_coders
            even, odd = word & lanes, (word >> 8) & lanes
            for c in range(n_coders):
                slot = 2 * ((c * n_lines + s) * (K + 1) + each[c] + 1)
                sums[slot] += even
                sums[slot + 1] += odd
            if by_most:
                _add_all_squares(counts, 1, K, &together[s, 0, 0])
            if size < n_coders or not by_most:
                n_listed = 0
                for c in range(n_coders):
                    listed[n_listed] = <int32_t>c
                    n_listed += (each[c] >= 0) != by_most
                for c in range(n_listed):
                    _add_all_squares(counts, -1 if by_most else 1, K, &apart[listed[c], s, 0, 0])
            row += 1
        for s in range(n_sums):
            for c in range(K):
                slot = 2 * (s * (K + 1) + c + 1)
                for k in range(K):
                    out[(s * K + c) * K + k] += (sums[slot + k % 2] >> (16 * (k // 2))) & 65535
        sums[:] = 0


def count_beside(Rows rows not None, const int64_t[::1] line not None,
                 int64_t[:, :, :, ::1] beside not None, int64_t[:, :, :, ::1] apart not None,
                 int64_t[:, :, ::1] together not None):
    """Add up the labels of rows beside those of each coder, by the number of judgments of a row.

    s is line[size], j the coder's label, and w the row's weight: beside[c, s, j, l] += w n_l over the
    rows that coder c judged. Over the same rows, apart[c, s] + together[s] is the sum of w n_j n_l, for
    one of (j, l) and (l, j); rows that most coders of a table judged are counted in `together`, and
    taken away for those who did not.

    Assumes at least one coder, size and label, sizes within `line`, its numbers within `together`,
    coders and codes within `beside`, and sums that fit int64 (judgments.Counted).
    """
    cdef Py_ssize_t n_coders = beside.shape[0], n_lines = beside.shape[1], K = beside.shape[3]
    cdef int64_t[::1] counts
    cdef int32_t[::1] labels
    cdef uint64_t[::1] sums
    if (rows.c.width and rows.c.width < 256 and rows.c.bytes == 1 and rows.c.weights == NULL
            and K <= 8):
        sums = _zeros(2 * n_coders * n_lines * (K + 1), _uint64)
        with nogil:
            _count_bytes_beside(<const int8_t*>rows.c.codes, &rows.c, line, sums, beside, apart,
                                together)
        return
    counts, labels = _zeros(2 * K, _int64), _empty(K, _int32)
    with nogil:
        if rows.c.bytes == 1:
            _count_beside[int8_t](<const int8_t*>rows.c.codes, &rows.c, line, counts, labels, beside,
                                  apart, together)
        elif rows.c.bytes == 2:
            _count_beside[int16_t](<const int16_t*>rows.c.codes, &rows.c, line, counts, labels,
                                   beside, apart, together)
        else:
            _count_beside[int32_t](<const int32_t*>rows.c.codes, &rows.c, line, counts, labels,
                                   beside, apart, together)
