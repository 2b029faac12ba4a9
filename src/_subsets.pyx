# Every subset of the coders: its sums, its coefficients, and their summary.
#
# A subset is a bit mask; coder c is bit c. Values come in runs of subsets of equal size.
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
        const uint8_t* keep
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
    """List the masks with the same number of bits as `first`, ascending from it (Gosper's hack)."""
    cdef Py_ssize_t i
    cdef uint64_t mask = first, lowest, carried
    with nogil:
        for i in range(out.shape[0]):
            out[i] = mask
            lowest = mask & (~mask + 1)
            carried = mask + lowest
            # no mask follows the last one, and none is ever requested
            mask = carried | (((mask ^ carried) >> 2) >> __builtin_ctzll(lowest)) if lowest else 0


def coder_sums(const uint64_t[::1] masks not None, const double[:, ::1] features not None,
               double[:, ::1] out not None):
    """Compute out[b], the sum of features[c] over the coders c of subset b.

    Does not use BLAS, which has threads of its own. Assumes features for each coder in a mask.
    """
    cdef Py_ssize_t b, f, n = features.shape[1]
    cdef uint64_t mask
    cdef const double* row
    if n == 0:  # there is no first column to point to
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
    """Sums over the pairs of coders of a subset. The coders are split into low and high ones.

    Parameters
    ----------
    columns : float64 array of shape (S, C - low, n_low)
        For each sum, what a high coder adds to each subset of the low coders, the empty one included.
    crossed : float64 array of shape (S, C - low, C - low)
        What two high coders add.
    runs : int32 array
        The start of each size among the subsets of the low coders, and the end.
    low_sets : int64 array of shape (n_low,)
        The rare categories that each subset of the low coders uses, as a mask.
    high_sets : int64 array of shape (C - low,)
        The rare categories that each high coder uses, as a mask.

    Raises
    ------
    ValueError
        If the shapes of the arrays do not match.
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
    """Coefficients of the form 1 - X / (p + q Y), where X and Y are sums over pairs of coders.

    Parameters
    ----------
    sums : int64 array of shape (M, 2)
        The numbers of the sums X and Y.
    p, q : float64 arrays of shape (M, G, C + 1)
        By the set of rare categories that a subset uses, and by its size.

    Raises
    ------
    ValueError
        If the shapes of the arrays do not match.
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
    """Compute the coefficients of the subsets whose masks of high coders are `first` .. `last` - 1.

    A sum over the pairs of a subset has three parts: the pairs of its low coders (levels[sum, -1, i]
    for subset i of them), the pairs of its high coders, and the pairs of a low and a high coder.
    High masks ascend, so that each adds one coder to a mask whose sums are still known:
    levels[sum, t] holds the sums of the last mask whose lowest coder is t. The coefficient is
    out[m, (high - first) * n_low + i].

    Assumes a level for each sum, and valid numbers of sums (complete.Complete).
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
        # the sums that the first masks build on
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
    """Compute levels[sum, t] of every sum from the level of the `others`, which are all above t."""
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
    """Runs of values of M measures. Each run belongs to one group.

    Parameters
    ----------
    values : float64 array of shape (M, N)
    starts : int64 array of shape (R + 1,)
        Run r is values[:, starts[r]:starts[r + 1]].
    groups : int32 array of shape (R,)
        The group of each run; a run with group -1 is left out.

    Raises
    ------
    ValueError
        If a run has no group, or ends beyond the values.
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
    """Results of a first pass over values, for the second pass.

    Parameters
    ----------
    grid : float64 array of shape (M, G, 2)
        For each measure and group, the low end of a grid and its bins per unit.
    keep : uint8 array of shape (M, G, bins + 1)
        Whether to keep the values of each bin of the grid, and undefined values (the last entry).
    means : float64 array of shape (M, G)
    edges : float64 array of shape (M, G, columns + 1)
        The edges of a histogram, from the smallest value to the largest.

    Raises
    ------
    ValueError
        If the arrays differ in the number of measures or groups.
    """

    cdef readonly object grid
    cdef readonly object keep
    cdef readonly object means
    cdef readonly object edges
    cdef const double[:, :, ::1] c_grid
    cdef const uint8_t[:, :, ::1] c_keep
    cdef const double[:, ::1] c_means
    cdef const double[:, :, ::1] c_edges

    def __init__(self, grid, keep, means, edges):
        self.grid, self.keep, self.means, self.edges = grid, keep, means, edges
        self.c_grid, self.c_keep, self.c_means, self.c_edges = grid, keep, means, edges
        if not grid.shape[:2] == keep.shape[:2] == means.shape == edges.shape[:2]:
            raise ValueError(f"bounds of other measures and groups than {grid.shape[:2]}")


def describe(Runs runs not None, const double[:, :, ::1] grid not None,
             double[:, :, ::1] moments not None, int32_t[:, :, ::1] counts not None):
    """Add runs of values to the moments and counts of their groups (sizes), for each measure.

    grid[m, g]: the low end and the bins per unit; moments[m, g]: sum, smallest, largest;
    counts[m, g]: bins, then undefined values. Assumes groups within grid (summary.First).
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
    """Compute squares, histograms and values near quantiles, with the means and extremes known.

    `found` gets the kept values run by run for each measure: n_found[m, r] of each run. Assumes the
    values that `describe` saw, and what af_refine assumes (summary.Second).
    """
    cdef Py_ssize_t m, r, g, begin
    cdef int64_t kept = 0, before
    cdef const double[:, ::1] values = runs.c_values
    cdef const int64_t[::1] starts = runs.c_starts
    cdef const int32_t[::1] groups = runs.c_groups
    cdef const uint8_t[:, :, ::1] keep = bounds.c_keep
    cdef const double[:, :, ::1] edges = bounds.c_edges
    cdef af_bounds here
    here.bins, here.n_edges = <int32_t>keep.shape[2] - 1, <int32_t>edges.shape[2] - 1
    with nogil:
        for m in range(values.shape[0]):
            for r in range(groups.shape[0]):
                g = groups[r]
                begin = starts[r]
                before = kept
                if g >= 0 and starts[r + 1] > begin:
                    here.grid, here.keep = &bounds.c_grid[m, g, 0], &keep[m, g, 0]
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
    """TILE items and working memory, for the sums of any subset.

    Parameters
    ----------
    tables : uint8 array of shape (F, P, K TILE)
        tables[f, pattern]: the counts of each category of the items, by the coders in a pattern of
        the f-th group of coders (`count_table`). A pattern has log2(P) bits.
    weights : float64 array of shape (TILE,)
        How many items each stands for; 0 if the tile has fewer items.
    counts : uint8 array of shape (3, K TILE)
        Room.
    room : float64 array of shape (K + 9, TILE)
        Room; the first row must be ones.

    Raises
    ------
    ValueError
        If the shapes of the arrays do not match.
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
        The items that count, those with two judgments or more, and the judgments of the latter.
    labels : float64 array of shape (B, 2 K)
        For each category, shares of items; then, for each category, judgments.
    pairs : float64 array of shape (B, 2, P)
        For each pair of categories, by items and by judgments.

    Raises
    ------
    ValueError
        If the shapes of the arrays do not match.
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

    An item counts if it has at least `least` judgments, and at least one. Assumes a sum for each
    mask, with the same categories as the tile (incomplete.Incomplete).
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
    # Successive masks differ mostly in the lowest few coders: the counts of the others are kept, in
    # row 0 or 1.
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
    """Add to out[b, coder, label] the weights of the items with `least` judgments by subset b.

    judged[i] has the bits of the coders who judged item i. Assumes that `codes` agrees with it.
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
