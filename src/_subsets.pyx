# Every subset of the coders: its sums, its coefficients, and what is told of them.
#
# A subset is a bit mask, coder c being bit c. Values are taken in runs of subsets of equal size.
from libc.math cimport NAN
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

cdef extern from "subsets.h" nogil:
    int AF_TILE
    void af_add_column(const double*, const double*, double, int64_t, double*)
    void af_ratios(const double*, const double*, double, double, int64_t, double*)
    void af_describe(const double*, int64_t, double, double, int32_t, double*, int32_t*)
    double af_refine(const double*, int64_t, double, double, int32_t, const uint8_t*, double,
                     const double*, int32_t, int32_t*, double*, int64_t*)
    void af_count_table(const int8_t*, int64_t, int64_t, int64_t, int64_t, int64_t, uint8_t*)
    void af_sum_subset(const uint8_t*, const double*, int64_t, int64_t, int64_t, double*, double*,
                       double*, double*, double*)
    void af_add_bytes(const uint8_t*, const uint8_t*, int64_t, uint8_t*)
    int __builtin_ctzll(uint64_t)
    int __builtin_popcountll(uint64_t)

TILE = AF_TILE


def combinations(uint64_t first, uint64_t[::1] out not None):
    """The masks from `first` on with as many bits, ascending (Gosper's hack)."""
    cdef Py_ssize_t i
    cdef uint64_t mask = first, lowest, carried
    with nogil:
        for i in range(out.shape[0]):
            out[i] = mask
            lowest = mask & (~mask + 1)
            carried = mask + lowest
            # the last of all has nowhere to go; what follows it is never asked for
            mask = carried | (((mask ^ carried) >> 2) >> __builtin_ctzll(lowest)) if lowest else 0


def coder_sums(const uint64_t[::1] masks not None, const double[:, ::1] features not None,
               double[:, ::1] out not None):
    """out[b] = sum of features[c] over the coders c of a subset: no BLAS, which has threads.

    Assumes masks of coders that have features.
    """
    cdef Py_ssize_t b, f, n = features.shape[1]
    cdef uint64_t mask
    cdef const double* row
    if n == 0:  # no other coders: there is no first column to point to
        return
    with nogil:
        for b in range(masks.shape[0]):
            mask = masks[b]
            for f in range(n):
                out[b, f] = 0.0
            while mask:
                row = &features[__builtin_ctzll(mask), 0]
                mask &= mask - 1
                for f in range(n):
                    out[b, f] += row[f]


def sum_halves(const double[:, :, ::1] columns not None, const double[:, :, ::1] crossed not None,
               uint64_t first, uint64_t last, double[:, :, ::1] levels not None,
               const int32_t[::1] runs not None, const int64_t[::1] low_sets not None,
               const int64_t[::1] high_sets not None, const int64_t[:, ::1] measures not None,
               const double[:, :, ::1] p not None, const double[:, :, ::1] q not None,
               double[:, ::1] out not None):
    """Coefficients of the subsets that have high coders `first` .. `last` - 1, as masks of those.

    A sum over the pairs of a subset is that of its low coders (levels[sum, -1, i], i any subset of
    them, sorted by size in `runs`), that of its high coders (crossed[sum, a, b], a, b among them),
    and what low ones add for each high one (columns[sum, a, i], itself alone included). High masks
    ascend, so that each differs by one coder from one whose sums are still there:
    levels[sum, t] holds those of the last mask whose lowest coder is t.

    measures[m]: the sums X and Y of 1 - X / (p + q Y). p and q (m, set, size) depend on the size of
    the subset and on which rare categories it uses: low_sets[i] of the low ones, or'ed with
    high_sets[a] of the high ones. out[m, (high - first) * n_low + i].
    """
    cdef Py_ssize_t n_sums = columns.shape[0], n_high = columns.shape[1], n_low = columns.shape[2]
    cdef Py_ssize_t s, m, r, begin, size, source, t, place = 0
    cdef Py_ssize_t i
    cdef uint64_t high, bits, done, start = first
    cdef int64_t every = p.shape[1] - 1, there
    cdef double expected
    with nogil:
        # what the first masks build on
        done = 0
        bits = first
        while bits:
            t = 63 - __builtin_clz64(bits)
            bits &= ~(<uint64_t>1 << t)
            for s in range(n_sums):
                add_high(levels, columns, crossed, s, t, done, n_low)
            done |= <uint64_t>1 << t
        high = first
        while high < last:
            if high != start:
                t = __builtin_ctzll(high)
                for s in range(n_sums):
                    add_high(levels, columns, crossed, s, t, high & (high - 1), n_low)
            source = __builtin_ctzll(high) if high else n_high
            there = 0
            bits = high
            while bits:
                there |= high_sets[__builtin_ctzll(bits)]
                bits &= bits - 1
            for m in range(measures.shape[0]):
                for r in range(runs.shape[0] - 1):
                    begin = runs[r]
                    size = r + __builtin_popcountll(high)
                    if there != every:
                        for i in range(begin, runs[r + 1]):
                            done = there | low_sets[i]
                            expected = (p[m, done, size] + q[m, done, size]
                                        * levels[measures[m, 1], source, i])
                            out[m, place + i] = (
                                1.0 - levels[measures[m, 0], source, i] / expected
                                if expected > 0 else NAN)
                        continue
                    af_ratios(&levels[measures[m, 0], source, begin],
                              &levels[measures[m, 1], source, begin],
                              p[m, every, size], q[m, every, size], runs[r + 1] - begin,
                              &out[m, place + begin])
            place += n_low
            high += 1


cdef extern from *:
    """
    #define __builtin_clz64(x) __builtin_clzll(x)
    """
    int __builtin_clz64(uint64_t) nogil


cdef inline void add_high(double[:, :, ::1] levels, const double[:, :, ::1] columns,
                          const double[:, :, ::1] crossed, Py_ssize_t s, Py_ssize_t t,
                          uint64_t others, Py_ssize_t n_low) noexcept nogil:
    """levels[s, t] from that of the `others`, all above t."""
    cdef Py_ssize_t source = __builtin_ctzll(others) if others else columns.shape[1]
    cdef double constant = 0.0
    while others:
        constant += crossed[s, t, __builtin_ctzll(others)]
        others &= others - 1
    af_add_column(&levels[s, source, 0], &columns[s, t, 0], constant, n_low, &levels[s, t, 0])


def describe(const double[:, ::1] values not None, const int64_t[::1] starts not None,
             const int32_t[::1] groups not None, const double[:, :, ::1] grid not None,
             double[:, :, ::1] moments not None, int32_t[:, :, ::1] counts not None):
    """Add runs of values to what is told of their groups (sizes), measure by measure.

    Run r is values[:, starts[r]:starts[r + 1]] and belongs to groups[r]; -1 leaves it out.
    grid[m, g]: the low end and the bins per unit; moments[m, g]: sum, smallest, largest;
    counts[m, g]: bins, then the undefined. Assumes runs within values and groups within grid.
    """
    cdef Py_ssize_t m, r, g, begin
    with nogil:
        for m in range(values.shape[0]):
            for r in range(groups.shape[0]):
                g = groups[r]
                begin = starts[r]
                if g >= 0 and starts[r + 1] > begin:
                    af_describe(&values[m, begin], starts[r + 1] - begin, grid[m, g, 0],
                                grid[m, g, 1], <int32_t>counts.shape[2] - 1, &moments[m, g, 0],
                                &counts[m, g, 0])


def refine(const double[:, ::1] values not None, const int64_t[::1] starts not None,
           const int32_t[::1] groups not None, const double[:, :, ::1] grid not None,
           const uint8_t[:, :, ::1] wanted not None, const double[:, ::1] means not None,
           const double[:, :, ::1] edges not None, double[:, ::1] squares not None,
           int32_t[:, :, ::1] counts not None, double[::1] found not None,
           int64_t[:, ::1] n_found not None):
    """What needs the means and extremes of `describe`: squares, histograms, values near quantiles.

    wanted[m, g, bin]: whether values of a bin of the grid are to be kept; they stand in found one
    measure and run after the other, n_found[m, r] of each. Assumes the values of `describe`, and what
    af_refine does (summary.Second).
    """
    cdef Py_ssize_t m, r, g, begin
    cdef int64_t kept = 0, before
    with nogil:
        for m in range(values.shape[0]):
            for r in range(groups.shape[0]):
                g = groups[r]
                begin = starts[r]
                before = kept
                if g >= 0 and starts[r + 1] > begin:
                    squares[m, g] += af_refine(
                        &values[m, begin], starts[r + 1] - begin, grid[m, g, 0], grid[m, g, 1],
                        <int32_t>wanted.shape[2] - 1, &wanted[m, g, 0], means[m, g],
                        &edges[m, g, 0], <int32_t>edges.shape[2] - 1, &counts[m, g, 0],
                        &found[0], &kept)
                n_found[m, r] = kept - before


def count_table(const int8_t[:, ::1] codes not None, Py_ssize_t first, Py_ssize_t n_coders,
                Py_ssize_t n_categories, uint8_t[:, ::1] table not None):
    """Counts of a tile of items for every pattern of some coders, see sum_counts."""
    with nogil:
        if codes.shape[0]:
            af_count_table(&codes[0, 0], codes.shape[1], codes.shape[0], first, n_coders,
                           n_categories, &table[0, 0])


def sum_counts(const uint64_t[::1] masks not None, const uint8_t[:, :, ::1] tables not None,
               const double[::1] weights not None, int64_t one, int64_t two,
               uint8_t[:, ::1] counts not None, double[:, ::1] room not None,
               double[:, ::1] totals not None, double[:, ::1] labels not None,
               double[:, :, ::1] pairs not None):
    """Add a tile of items to the sums of some subsets; see af_sum_subset.

    tables[c, pattern]: the counts that a pattern of the c-th few coders gives the items; their
    number is what a pattern has bits. counts (3 rows) and room are to work in. Assumes a power of two
    patterns, and ones in the first row of room (incomplete.Incomplete).
    """
    cdef Py_ssize_t b, c, n_categories = labels.shape[1] // 2, cells = tables.shape[2]
    cdef Py_ssize_t n_tables = tables.shape[0]
    cdef uint64_t inside = tables.shape[1] - 1, mask, rest = 0
    cdef int bits = __builtin_ctzll(tables.shape[1])
    # Masks that follow each other hardly differ: what the coders above the lowest few give is
    # kept, in row 0 or 1.
    cdef Py_ssize_t row = 0
    cdef bint known = False
    with nogil:
        for b in range(masks.shape[0]):
            mask = masks[b]
            if not known or mask >> bits != rest:
                known = True
                rest = mask >> bits
                memset(&counts[row, 0], 0, cells)
                for c in range(1, n_tables):
                    af_add_bytes(&counts[row, 0], &tables[c, mask >> (c * bits) & inside, 0], cells,
                                 &counts[1 - row, 0])
                    row = 1 - row
            af_add_bytes(&counts[row, 0], &tables[0, mask & inside, 0], cells, &counts[2, 0])
            af_sum_subset(&counts[2, 0], &weights[0], n_categories, one, two, &room[0, 0],
                          &totals[b, 0], &labels[b, 0], &pairs[b, 0, 0], &pairs[b, 1, 0])


def coder_counts(const int8_t[:, ::1] codes not None, const uint64_t[::1] judged not None,
                 const double[::1] weights not None, const uint64_t[::1] masks not None,
                 int64_t least, double[:, :, ::1] out not None):
    """out[b, coder, label] += weight of a subset's judgments of items with `least` of them.

    judged[i] has the bits of the coders with a judgment of item i; assumes that codes says so, too.
    """
    cdef Py_ssize_t b, i, c
    cdef uint64_t there
    with nogil:
        for b in range(masks.shape[0]):
            for i in range(codes.shape[0]):
                there = masks[b] & judged[i]
                if __builtin_popcountll(there) < least:
                    continue
                while there:
                    c = __builtin_ctzll(there)
                    there &= there - 1
                    out[b, c, codes[i, c]] += weights[i]
