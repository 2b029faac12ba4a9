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
    ctypedef struct af_bounds:
        const double* grid
        int32_t bins
        const uint8_t* wanted
        double mean
        const double* edges
        int32_t n_edges
    ctypedef struct af_sums:
        double* totals
        double* labels
        double* items
        double* judgments
    void af_describe(const double*, int64_t, const double*, int32_t, double*, int32_t*)
    double af_refine(const double*, int64_t, const af_bounds*, int32_t*, double*, int64_t*)
    void af_count_table(const int8_t*, int64_t, int64_t, int64_t, int64_t, uint8_t*)
    void af_sum_subset(const uint8_t*, const double*, int64_t, int64_t, double*, const af_sums*)
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


cdef class Split:
    """Sums over the pairs of a subset of coders, cut into low and high ones.

    Parameters
    ----------
    columns : float64 array of shape (S, C - low, n_low)
        For each sum, what a high coder adds to each subset of the low ones, itself alone included.
    crossed : float64 array of shape (S, C - low, C - low)
        What two high coders add.
    runs : int32 array
        Where each size begins among the subsets of the low coders, and the end.
    low_sets : int64 array of shape (n_low,)
        Which rare categories each subset of the low coders uses, as a mask.
    high_sets : int64 array of shape (C - low,)
        Which of them each high coder uses.

    Raises
    ------
    ValueError
        Arrays whose shapes do not fit each other.
    """

    cdef readonly object columns
    cdef readonly object crossed
    cdef readonly object runs
    cdef readonly object low_sets
    cdef readonly object high_sets
    cdef Py_ssize_t n_sums
    cdef Py_ssize_t n_high
    cdef Py_ssize_t n_low
    cdef Py_ssize_t n_runs
    cdef const double* c_columns
    cdef const double* c_crossed
    cdef const int32_t* c_runs
    cdef const int64_t* c_low_sets
    cdef const int64_t* c_high_sets

    def __init__(self, columns, crossed, runs, low_sets, high_sets):
        cdef const double[:, :, ::1] added = columns, between = crossed
        cdef const int32_t[::1] begins = runs
        cdef const int64_t[::1] low = low_sets, high = high_sets
        self.n_sums, self.n_high, self.n_low = added.shape[0], added.shape[1], added.shape[2]
        self.n_runs = begins.shape[0] - 1
        if between.shape[0] != self.n_sums or not (
            between.shape[1] == between.shape[2] == high.shape[0] == self.n_high
        ):
            raise ValueError(f"sums of other than {self.n_sums} x {self.n_high} high coders")
        if low.shape[0] != self.n_low or self.n_runs < 0 or begins[self.n_runs] != self.n_low:
            raise ValueError(f"other than {self.n_low} subsets of the low coders")
        self.columns, self.crossed, self.runs = columns, crossed, runs
        self.low_sets, self.high_sets = low_sets, high_sets
        self.c_runs = &begins[0]
        self.c_low_sets = &low[0] if self.n_low else NULL
        if self.n_high:
            self.c_high_sets = &high[0]
            if self.n_sums:
                self.c_crossed = &between[0, 0, 0]
                self.c_columns = &added[0, 0, 0] if self.n_low else NULL


cdef class Ratios:
    """Coefficients that are 1 - X / (p + q Y), X and Y being sums over pairs of coders.

    Parameters
    ----------
    sums : int64 array of shape (M, 2)
        Which sums X and Y are.
    p, q : float64 arrays of shape (M, G, C + 1)
        By the set of rare categories that a subset uses, and by its size.

    Raises
    ------
    ValueError
        Arrays whose shapes do not fit each other.
    """

    cdef readonly object sums
    cdef readonly object p
    cdef readonly object q
    cdef const int64_t[:, ::1] c_sums
    cdef const double[:, :, ::1] c_p
    cdef const double[:, :, ::1] c_q

    def __init__(self, sums, p, q):
        cdef const int64_t[:, ::1] used = sums
        cdef const double[:, :, ::1] at_0 = p, slope = q
        if used.shape[1] != 2 or not used.shape[0] == at_0.shape[0] == slope.shape[0] or not (
            at_0.shape[1] == slope.shape[1] and at_0.shape[2] == slope.shape[2]
        ):
            raise ValueError(f"p and q of other than {used.shape[0]} coefficients")
        self.sums, self.p, self.q = sums, p, q
        self.c_sums, self.c_p, self.c_q = used, at_0, slope


def sum_halves(Split split not None, Ratios ratios not None, uint64_t first, uint64_t last,
               double[:, :, ::1] levels not None, double[:, ::1] out not None):
    """Coefficients of the subsets that have high coders `first` .. `last` - 1, as masks of those.

    A sum over the pairs of a subset is that of its low coders (levels[sum, -1, i], i any subset of
    them), that of its high coders, and what low ones add for each high one. High masks ascend, so
    that each differs by one coder from one whose sums are still there: levels[sum, t] holds those of
    the last mask whose lowest coder is t. out[m, (high - first) * n_low + i].

    Assumes a level for each sum, and sums that there are (complete.Complete).
    """
    cdef Py_ssize_t n_high = split.n_high, n_low = split.n_low
    cdef Py_ssize_t m, r, begin, size, source, place = 0
    cdef Py_ssize_t i
    cdef const int32_t* runs = split.c_runs
    cdef const int64_t* low_sets = split.c_low_sets
    cdef const int64_t* high_sets = split.c_high_sets
    cdef const int64_t[:, ::1] measures = ratios.c_sums
    cdef const double[:, :, ::1] p = ratios.c_p
    cdef const double[:, :, ::1] q = ratios.c_q
    cdef uint64_t high, bits, done, start = first
    cdef int64_t every = p.shape[1] - 1, there
    cdef double expected
    with nogil:
        # what the first masks build on
        done = 0
        bits = first
        while bits:
            source = 63 - __builtin_clz64(bits)
            bits &= ~(<uint64_t>1 << source)
            add_high(split, levels, source, done)
            done |= <uint64_t>1 << source
        high = first
        while high < last:
            if high != start:
                add_high(split, levels, __builtin_ctzll(high), high & (high - 1))
            source = __builtin_ctzll(high) if high else n_high
            there = 0
            bits = high
            while bits:
                there |= high_sets[__builtin_ctzll(bits)]
                bits &= bits - 1
            for m in range(measures.shape[0]):
                for r in range(split.n_runs):
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


cdef inline void add_high(Split split, double[:, :, ::1] levels, Py_ssize_t t,
                          uint64_t others) noexcept nogil:
    """levels[sum, t] of every sum from that of the `others`, all above t."""
    cdef Py_ssize_t s, n_high = split.n_high, n_low = split.n_low
    cdef Py_ssize_t source = __builtin_ctzll(others) if others else n_high
    cdef const double* crossed
    cdef uint64_t left
    cdef double constant
    for s in range(split.n_sums):
        constant = 0.0
        crossed = split.c_crossed + (s * n_high + t) * n_high
        left = others
        while left:
            constant += crossed[__builtin_ctzll(left)]
            left &= left - 1
        af_add_column(&levels[s, source, 0], split.c_columns + (s * n_high + t) * n_low, constant,
                      n_low, &levels[s, t, 0])


cdef class Runs:
    """Runs of values, measure by measure, each of one group.

    Parameters
    ----------
    values : float64 array of shape (M, N)
    starts : int64 array of shape (R + 1,)
        Run r is values[:, starts[r]:starts[r + 1]].
    groups : int32 array of shape (R,)
        Whose it is; -1 leaves it out.

    Raises
    ------
    ValueError
        Runs without a group, or that end beyond the values.
    """

    cdef readonly object values
    cdef readonly object starts
    cdef readonly object groups
    cdef const double[:, ::1] c_values
    cdef const int64_t[::1] c_starts
    cdef const int32_t[::1] c_groups

    def __init__(self, values, starts, groups):
        self.values, self.starts, self.groups = values, starts, groups
        self.c_values, self.c_starts, self.c_groups = values, starts, groups
        cdef Py_ssize_t n = self.c_groups.shape[0]
        if self.c_starts.shape[0] != n + 1 or self.c_starts[n] > self.c_values.shape[1]:
            raise ValueError(f"{self.c_starts.shape[0]} starts of {n} runs")


cdef class Bounds:
    """What a first pass over values found out for the second.

    Parameters
    ----------
    grid : float64 array of shape (M, G, 2)
        Of each measure and group the low end of a grid, and its bins per unit.
    wanted : uint8 array of shape (M, G, bins + 1)
        Whether values of a bin of the grid are to be kept; undefined ones last.
    means : float64 array of shape (M, G)
    edges : float64 array of shape (M, G, columns + 1)
        Of a histogram, from the smallest value to the largest.

    Raises
    ------
    ValueError
        Arrays of other measures or groups than the others.
    """

    cdef readonly object grid
    cdef readonly object wanted
    cdef readonly object means
    cdef readonly object edges
    cdef const double[:, :, ::1] c_grid
    cdef const uint8_t[:, :, ::1] c_wanted
    cdef const double[:, ::1] c_means
    cdef const double[:, :, ::1] c_edges

    def __init__(self, grid, wanted, means, edges):
        self.grid, self.wanted, self.means, self.edges = grid, wanted, means, edges
        self.c_grid, self.c_wanted, self.c_means, self.c_edges = grid, wanted, means, edges
        if not grid.shape[:2] == wanted.shape[:2] == means.shape == edges.shape[:2]:
            raise ValueError(f"bounds of other measures and groups than {grid.shape[:2]}")


def describe(Runs runs not None, const double[:, :, ::1] grid not None,
             double[:, :, ::1] moments not None, int32_t[:, :, ::1] counts not None):
    """Add runs of values to what is told of their groups (sizes), measure by measure.

    grid[m, g]: the low end and the bins per unit; moments[m, g]: sum, smallest, largest;
    counts[m, g]: bins, then the undefined. Assumes groups within grid (summary.First).
    """
    cdef Py_ssize_t m, r, g, begin
    cdef const double[:, ::1] values = runs.c_values
    cdef const int64_t[::1] starts = runs.c_starts
    cdef const int32_t[::1] groups = runs.c_groups
    with nogil:
        for m in range(values.shape[0]):
            for r in range(groups.shape[0]):
                g = groups[r]
                begin = starts[r]
                if g >= 0 and starts[r + 1] > begin:
                    af_describe(&values[m, begin], starts[r + 1] - begin, &grid[m, g, 0],
                                <int32_t>counts.shape[2] - 1, &moments[m, g, 0], &counts[m, g, 0])


def refine(Runs runs not None, Bounds bounds not None, double[:, ::1] squares not None,
           int32_t[:, :, ::1] counts not None, double[::1] found not None,
           int64_t[:, ::1] n_found not None):
    """What needs the means and extremes of `describe`: squares, histograms, values near quantiles.

    The values that are wanted stand in found one measure and run after the other, n_found[m, r] of
    each. Assumes the values of `describe`, and what af_refine does (summary.Second).
    """
    cdef Py_ssize_t m, r, g, begin
    cdef int64_t kept = 0, before
    cdef const double[:, ::1] values = runs.c_values
    cdef const int64_t[::1] starts = runs.c_starts
    cdef const int32_t[::1] groups = runs.c_groups
    cdef const uint8_t[:, :, ::1] wanted = bounds.c_wanted
    cdef const double[:, :, ::1] edges = bounds.c_edges
    cdef af_bounds here
    here.bins, here.n_edges = <int32_t>wanted.shape[2] - 1, <int32_t>edges.shape[2] - 1
    with nogil:
        for m in range(values.shape[0]):
            for r in range(groups.shape[0]):
                g = groups[r]
                begin = starts[r]
                before = kept
                if g >= 0 and starts[r + 1] > begin:
                    here.grid, here.wanted = &bounds.c_grid[m, g, 0], &wanted[m, g, 0]
                    here.mean, here.edges = bounds.c_means[m, g], &edges[m, g, 0]
                    squares[m, g] += af_refine(&values[m, begin], starts[r + 1] - begin, &here,
                                               &counts[m, g, 0], &found[0], &kept)
                n_found[m, r] = kept - before


def count_table(const int8_t[:, ::1] codes not None, Py_ssize_t first, Py_ssize_t n_coders,
                Py_ssize_t n_categories, uint8_t[:, ::1] table not None):
    """Counts of a tile of items for every pattern of some coders from `first` on, see Tile."""
    with nogil:
        if codes.shape[0]:
            af_count_table(&codes[0, first], codes.shape[1], codes.shape[0], n_coders,
                           n_categories, &table[0, 0])


cdef class Tile:
    """TILE items, ready for the sums of any subset, with room to work in.

    Parameters
    ----------
    tables : uint8 array of shape (F, P, K TILE)
        tables[f, pattern]: the counts of each category that a pattern of the f-th few coders gives
        the items, see `count_table`. P is a power of two: a pattern has as many bits.
    weights : float64 array of shape (TILE,)
        How many items each stands for, 0 where there is none.
    counts : uint8 array of shape (3, K TILE)
        Room.
    room : float64 array of shape (K + 9, TILE)
        Room; ones in the first row.

    Raises
    ------
    ValueError
        Arrays whose shapes do not fit each other.
    """

    cdef readonly object tables
    cdef readonly object weights
    cdef Py_ssize_t n_categories
    cdef const uint8_t[:, :, ::1] c_tables
    cdef const double[::1] c_weights
    cdef uint8_t[:, ::1] counts
    cdef double[:, ::1] room

    def __init__(self, tables, weights, counts, room):
        self.tables, self.weights = tables, weights
        self.c_tables, self.c_weights, self.counts, self.room = tables, weights, counts, room
        cdef Py_ssize_t K = self.room.shape[0] - 9
        cdef Py_ssize_t patterns = self.c_tables.shape[1]
        self.n_categories = K
        if patterns < 1 or patterns & (patterns - 1):
            raise ValueError(f"{patterns} patterns are no power of two")
        if (self.c_weights.shape[0] != AF_TILE or self.room.shape[1] != AF_TILE
                or self.c_tables.shape[2] != K * AF_TILE or self.counts.shape[1] != K * AF_TILE
                or self.counts.shape[0] != 3):
            raise ValueError(f"room for other than {K} categories of {AF_TILE} items")


cdef class Sums:
    """Sums over the items for each of B subsets; see incomplete.Sums.

    Parameters
    ----------
    totals : float64 array of shape (B, 3)
        Items that count, those of two judgments and more, and their judgments.
    labels : float64 array of shape (B, 2 K)
        Of each category: shares of items, then judgments.
    pairs : float64 array of shape (B, 2, P)
        Of each pair of categories, by items and by judgments.

    Raises
    ------
    ValueError
        Arrays whose shapes do not fit each other.
    """

    cdef readonly object totals
    cdef readonly object labels
    cdef readonly object pairs
    cdef double[:, ::1] c_totals
    cdef double[:, ::1] c_labels
    cdef double[:, :, ::1] c_pairs

    def __init__(self, totals, labels, pairs):
        self.totals, self.labels, self.pairs = totals, labels, pairs
        self.c_totals, self.c_labels, self.c_pairs = totals, labels, pairs
        cdef Py_ssize_t n = self.c_totals.shape[0], K = self.c_labels.shape[1] // 2
        if self.c_labels.shape[0] != n or self.c_pairs.shape[0] != n:
            raise ValueError(f"sums of other than {n} subsets")
        if (self.c_totals.shape[1] != 3 or self.c_pairs.shape[1] != 2
                or self.c_pairs.shape[2] < K * (K - 1) // 2):
            raise ValueError(f"no sums of {K} categories and their pairs")


def sum_counts(const uint64_t[::1] masks not None, Tile tile not None, int64_t least,
               Sums out not None):
    """Add a tile of items to the sums of some subsets; see af_sum_subset.

    An item counts that has `least` judgments and at least one. Assumes a sum for each mask, of as
    many categories as the tile has (incomplete.Incomplete).
    """
    cdef Py_ssize_t b, c, n_categories = tile.n_categories
    cdef const uint8_t[:, :, ::1] tables = tile.c_tables
    cdef uint8_t[:, ::1] counts = tile.counts
    cdef Py_ssize_t n_tables = tables.shape[0], cells = tables.shape[2]
    cdef uint64_t inside = tables.shape[1] - 1, mask, rest = 0
    cdef int bits = __builtin_ctzll(tables.shape[1])
    cdef const double* weights = &tile.c_weights[0]
    cdef double* room = &tile.room[0, 0]
    cdef af_sums sums
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
            sums.totals, sums.labels = &out.c_totals[b, 0], &out.c_labels[b, 0]
            sums.items, sums.judgments = &out.c_pairs[b, 0, 0], &out.c_pairs[b, 1, 0]
            af_sum_subset(&counts[2, 0], weights, n_categories, least, room, &sums)


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
