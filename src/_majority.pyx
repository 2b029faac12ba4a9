# The majority reference of items under subsets of coders: exactly, over all subsets at once, and
# subset by subset.
#
# The reference of an item is its most frequent category. `ties` says what a tie means.
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t

cdef extern from "majority.h" nogil:
    enum:
        AF_LANES
        AF_EXACT
        AF_FRACTIONAL
        AF_MEDIAN
    ctypedef struct af_items:
        const int16_t* codes
        int64_t stride
        const int64_t* weights
        const uint16_t* present
    ctypedef struct af_reference:
        int ties
        int64_t unit
        int64_t n_categories
        const uint16_t* chosen
        const uint16_t* mask
    ctypedef struct af_moves:
        const int32_t* moves
        const int64_t* ends
        int64_t n_subsets
        int afresh
    void af_moved(const af_items*, const af_reference*, int64_t, const af_moves*, uint16_t*,
                  int64_t*)

# The names of the ties in Python. Both "change" and "first" compare exactly.
TIES = {"change": AF_EXACT, "first": AF_EXACT, "fractional": AF_FRACTIONAL, "median": AF_MEDIAN}
LANES = AF_LANES

cdef enum Role:
    # A category has at most t judgments, the count of the top category: fewer; exactly t; either.
    LOW
    TOP
    EITHER


# The first `most` + 1 coefficients of a polynomial in z. The degree of an empty one is -1.
cdef struct polynomial:
    double* terms
    double* room
    Py_ssize_t degree
    Py_ssize_t most


cdef void times_binomial(polynomial* product, const double* binomial, Py_ssize_t n, Py_ssize_t t,
                         Role role) noexcept nogil:
    """product(z) times the sum of C(n, x) z^x over the x that a role allows; binomial[x] is C(n, x).

    Assumes room for most + 1 numbers in `terms` and `room`.
    """
    cdef Py_ssize_t m, x, first = t if role == TOP else 0
    cdef Py_ssize_t last = t - 1 if role == LOW else t
    cdef Py_ssize_t top, degree = product.degree
    cdef double* terms = product.terms
    cdef double* room = product.room
    if last > n:
        last = n
    if first > last:
        product.degree = -1
        return
    top = degree + last
    if top > product.most:
        top = product.most
    for m in range(top + 1):
        room[m] = 0.0
    for x in range(first, last + 1):
        for m in range(degree + 1):
            if m + x <= top:
                room[m + x] += binomial[x] * terms[m]
    for m in range(top + 1):
        terms[m] = room[m]
    product.degree = top


def same_exactly(const int64_t[:, ::1] counts not None, const unsigned char[:, ::1] roles not None,
                 const double[:, ::1] binomial not None, double[:, ::1] room not None,
                 double[:, ::1] out not None):
    """Count the sets of m judgments of a row that have the reference given by its roles.

    Adds to out[row, m] the sum over t of the coefficient of z^m in the product over the categories k
    of sum C(n_k, x) z^x, with x < t, x = t or x <= t by the role of k. `room` has two rows of the
    length of those of `out`.
    """
    cdef Py_ssize_t row, k, m, t, most, K = counts.shape[1], size
    cdef polynomial product
    product.terms, product.room = &room[0, 0], &room[1, 0]
    with nogil:
        for row in range(counts.shape[0]):
            most = 0
            size = 0
            for k in range(K):
                size += counts[row, k]
                if roles[row, k] != LOW and counts[row, k] > most:
                    most = counts[row, k]
            for t in range(1, most + 1):
                product.terms[0] = 1.0
                product.degree = 0
                product.most = size
                for k in range(K):
                    # a category that nobody chose adds nothing; if it must be on top, as a truth
                    # may that nobody found, no set will do
                    if counts[row, k] or roles[row, k] == TOP:
                        times_binomial(&product, &binomial[counts[row, k], 0], counts[row, k], t,
                                       <Role>roles[row, k])
                    if product.degree < 0:
                        break
                for m in range(product.degree + 1):
                    out[row, m] += product.terms[m]


def moved_fractions(const int64_t[:, ::1] counts not None,
                    const unsigned char[:, ::1] reference not None,
                    const double[:, ::1] binomial not None,
                    double[:, :, :, ::1] room not None, double[:, ::1] out not None):
    """out[row, m] += sum over the sets of m judgments of the part of the reference that moves.

    room[0, a, b, m] counts sets with a top categories inside the reference and b outside; room[1]
    is for the next such table. Assumes rows of equally many judgments, and a place for each number
    of them and of categories (majority._moved_sets), as do the two others.
    """
    cdef double[:, :, ::1] state = room[0]
    cdef double[:, :, ::1] following = room[1]
    cdef Py_ssize_t row, k, m, x, t, a, b, parts, inside, outside, degree, cap
    cdef Py_ssize_t K = counts.shape[1], n, most
    cdef double whole, held
    with nogil:
        for row in range(counts.shape[0]):
            most = 0
            parts = 0
            for k in range(K):
                parts += reference[row, k]
                if counts[row, k] > most:
                    most = counts[row, k]
            for t in range(1, most + 1):
                state[0, 0, 0] = 1.0
                inside = 0
                outside = 0
                degree = 0
                for k in range(K):
                    n = counts[row, k]
                    if n == 0:
                        continue
                    cap = n if n < t else t
                    for a in range(inside + 2):
                        for b in range(outside + 2):
                            for m in range(degree + cap + 1):
                                following[a, b, m] = 0.0
                    for a in range(inside + 1):
                        for b in range(outside + 1):
                            for m in range(degree + 1):
                                held = state[a, b, m]
                                if held == 0.0:
                                    continue
                                for x in range(cap + 1):
                                    if x < t:
                                        following[a, b, m + x] += held * binomial[n, x]
                                    elif reference[row, k]:
                                        following[a + 1, b, m + x] += held * binomial[n, x]
                                    else:
                                        following[a, b + 1, m + x] += held * binomial[n, x]
                    degree += cap
                    if n >= t:
                        if reference[row, k]:
                            inside += 1
                        else:
                            outside += 1
                    for a in range(inside + 1):
                        for b in range(outside + 1):
                            for m in range(degree + 1):
                                state[a, b, m] = following[a, b, m]
                for a in range(inside + 1):
                    for b in range(outside + 1):
                        if a + b == 0:
                            continue
                        whole = a + b if a + b > parts else parts
                        if whole == a:
                            continue
                        for m in range(degree + 1):
                            out[row, m] += state[a, b, m] * ((whole - a) / whole)


def same_median(const int64_t[:, ::1] counts not None, const int64_t[::1] reference not None,
                const double[:, ::1] binomial not None, double[:, :, ::1] room not None,
                double[:, ::1] out not None):
    """out[row, m] += how many of the sets of m judgments of a row have several top categories and
    the reference as their lower median.

    room[s, tops, n] counts the sets of n judgments below (s = 0) or above (1) the reference with
    0, 1 or more top categories; room[2] is for the next such table.
    """
    cdef double[:, :, ::1] sides = room
    cdef double[:, ::1] following = room[2]
    cdef Py_ssize_t row, k, t, r, x, n, m, side, tops, low, high, most, size, own, i
    cdef Py_ssize_t K = counts.shape[1]
    cdef Py_ssize_t degree[2]
    cdef double ways
    with nogil:
        for row in range(counts.shape[0]):
            r = reference[row]
            most = 0
            for k in range(K):
                if counts[row, k] > most:
                    most = counts[row, k]
            for t in range(1, most + 1):
                for side in range(2):
                    for tops in range(3):
                        sides[side, tops, 0] = 0.0
                    sides[side, 0, 0] = 1.0
                    degree[side] = 0
                    for k in range(0 if side == 0 else r + 1, r if side == 0 else K):
                        n = counts[row, k]
                        if n == 0:
                            continue
                        size = degree[side] + (n if n < t else t)
                        for tops in range(3):
                            for m in range(size + 1):
                                following[tops, m] = 0.0
                        for tops in range(3):
                            for m in range(degree[side] + 1):
                                ways = sides[side, tops, m]
                                if ways == 0.0:
                                    continue
                                for x in range((n if n < t else t) + 1):
                                    i = tops + 1 if x == t and tops < 2 else tops
                                    following[i, m + x] += ways * binomial[n, x]
                        for tops in range(3):
                            for m in range(size + 1):
                                sides[side, tops, m] = following[tops, m]
                        degree[side] = size
                own = counts[row, r]
                # cumulated over the number of top categories, so that nothing is subtracted
                for m in range(degree[1] + 1):
                    sides[1, 1, m] += sides[1, 2, m]
                    sides[1, 0, m] += sides[1, 1, m]
                for x in range((own if own < t else t) + 1):
                    # the lower median is r where low < x + high and high <= x + low
                    for low in range(degree[0] + 1):
                        high = low - x + 1 if low >= x else 0
                        while high <= low + x and high <= degree[1]:
                            if x == t:
                                ways = sides[0, 0, low] * sides[1, 1, high]
                                ways += (sides[0, 1, low] + sides[0, 2, low]) * sides[1, 0, high]
                            else:
                                ways = sides[0, 0, low] * sides[1, 2, high]
                                ways += sides[0, 1, low] * sides[1, 1, high]
                                ways += sides[0, 2, low] * sides[1, 0, high]
                            out[row, low + x + high] += ways * binomial[own, x]
                            high += 1


def gray_moves(int64_t first, int64_t last, int32_t[::1] moves not None,
               int64_t[::1] ends not None, int32_t[::1] sizes not None):
    """The subsets first .. last - 1 in the order of the binary reflected Gray code, as moves from
    one to the next; `moves` has room for last - first + 64. sizes[s] is how many coders s has.
    Assumes 0 < first < last <= 2^62 (walk.Walk takes fewer coders).
    """
    cdef int64_t code, index
    cdef int32_t coder, size = 0
    cdef Py_ssize_t n = 0, s
    with nogil:
        code = first ^ (first >> 1)
        coder = 0
        while code >> coder:
            if code >> coder & 1:
                moves[n] = coder
                n += 1
                size += 1
            coder += 1
        for s in range(last - first):
            index = first + s
            if s:
                coder = 0
                while not (index >> coder & 1):
                    coder += 1
                if (index ^ (index >> 1)) >> coder & 1:
                    moves[n] = coder
                    size += 1
                else:
                    moves[n] = -1 - coder
                    size -= 1
                n += 1
            ends[s] = n
            sizes[s] = size


cdef class Items:
    """The judgments of the items, in blocks of LANES items.

    Parameters
    ----------
    codes : int16 array of shape (C, N)
        Category codes; -1 is missing. Items fill whole blocks.
    weights : int64 array of shape (N,)
        How many items each column stands for.
    present : uint16 array of shape (N,) or None
        The weights, if all of them are 1 or 0.

    Raises
    ------
    ValueError
        If the lengths of the arrays do not match, or are not multiples of LANES.
    """

    # keep the arrays alive
    cdef readonly object codes
    cdef readonly object weights
    cdef readonly object present
    cdef af_items c

    def __init__(self, codes, weights, present=None):
        cdef const int16_t[:, ::1] said = codes
        cdef const int64_t[::1] longs = weights
        cdef const uint16_t[::1] shorts
        cdef Py_ssize_t n = longs.shape[0]
        if said.shape[1] != n or n % AF_LANES:
            raise ValueError(f"{n} weights of {said.shape[1]} items, in blocks of {AF_LANES}")
        self.codes, self.weights, self.present = codes, weights, present
        self.c.stride = n
        if n and said.shape[0]:
            self.c.codes, self.c.weights = &said[0, 0], &longs[0]
        if present is not None:
            shorts = present
            if shorts.shape[0] != n:
                raise ValueError(f"{shorts.shape[0]} weights of {n} items")
            self.c.present = &shorts[0] if n else NULL


cdef class Reference:
    """The reference of all coders, block by block, and the categories to compare.

    Parameters
    ----------
    ties : int
        One of `TIES`.
    chosen : uint16 array of shape (B, K, LANES)
        All bits set for the categories in the reference of an item, and none for the others.
    mask : uint16 array of shape (B, K, LANES)
        All bits set for the categories to compare. By `ties`: those before the reference, those up to
        it, or all.
    unit : int
        The number of units that one item counts.

    Raises
    ------
    ValueError
        If the shapes of the arrays do not match.
    """

    cdef readonly object chosen
    cdef readonly object mask
    cdef readonly object unit
    cdef Py_ssize_t n_blocks
    cdef af_reference c

    def __init__(self, int ties, chosen, mask, int64_t unit):
        cdef const uint16_t[:, :, ::1] top = chosen, looked_at = mask
        self.n_blocks, self.c.n_categories = top.shape[0], top.shape[1]
        if looked_at.shape[0] != self.n_blocks or looked_at.shape[1] != self.c.n_categories:
            raise ValueError(f"masks of other than {self.n_blocks} x {self.c.n_categories} blocks")
        if top.shape[2] != AF_LANES or looked_at.shape[2] != AF_LANES:
            raise ValueError(f"blocks of other than {AF_LANES} items")
        self.chosen, self.mask, self.unit = chosen, mask, unit
        self.c.ties, self.c.unit = ties, unit
        if self.n_blocks and self.c.n_categories:
            self.c.chosen, self.c.mask = &top[0, 0, 0], &looked_at[0, 0, 0]


cdef class Moves:
    """Some subsets of the coders, each reached by moves from the one before.

    Parameters
    ----------
    moves : int32 array
        c if coder c joins, -1 - c if coder c leaves.
    ends : int64 array of shape (S,)
        The end of the moves to each subset.
    sizes : int32 array of shape (S,)
        The number of coders in each subset.
    afresh : bool
        Whether the moves to each subset start from the empty subset.

    Raises
    ------
    ValueError
        If the lengths of the arrays do not match.
    """

    cdef readonly object moves
    cdef readonly object ends
    cdef readonly object sizes
    cdef af_moves c

    def __init__(self, moves, ends, sizes, bint afresh):
        cdef const int32_t[::1] each = moves
        cdef const int64_t[::1] stops = ends
        cdef Py_ssize_t n = stops.shape[0]
        if len(sizes) != n or (n and stops[n - 1] > each.shape[0]):
            raise ValueError(f"{each.shape[0]} moves to {n} subsets of {len(sizes)} sizes")
        self.moves, self.ends, self.sizes = moves, ends, sizes
        self.c.n_subsets, self.c.afresh = n, afresh
        self.c.moves = &each[0] if each.shape[0] else NULL
        self.c.ends = &stops[0] if n else NULL


def moved(Items items not None, Reference reference not None, Moves moves not None,
          uint16_t[::1] counts not None, int64_t[::1] out not None):
    """Add to out[s] the weight of the items whose reference subset s changes, in units.

    `counts` is room for categories x LANES. Assumes what af_moved assumes (walk.Walk).
    """
    cdef Py_ssize_t block
    if moves.c.n_subsets == 0 or reference.c.n_categories == 0:
        return
    with nogil:
        for block in range(reference.n_blocks):
            af_moved(&items.c, &reference.c, block, &moves.c, &counts[0], &out[0])


cdef class Seen:
    """A summary of the values of the subsets of each size.

    Parameters
    ----------
    centre : int64 array
        For each size, a central value, so that differences from it are small.
    n : int64 array
        The number of values.
    smallest, largest : int64 arrays

    Raises
    ------
    ValueError
        If the lengths of the arrays differ.
    """

    cdef readonly object centre
    cdef readonly object n
    cdef readonly object smallest
    cdef readonly object largest
    cdef const int64_t* c_centre
    cdef int64_t* c_n
    cdef int64_t* c_smallest
    cdef int64_t* c_largest

    def __init__(self, centre, n, smallest, largest):
        cdef const int64_t[::1] centres = centre
        cdef int64_t[::1] numbers = n, low = smallest, high = largest
        cdef Py_ssize_t length = numbers.shape[0]
        if not centres.shape[0] == low.shape[0] == high.shape[0] == length:
            raise ValueError(f"arrays of other than {length} sizes")
        self.centre, self.n, self.smallest, self.largest = centre, n, smallest, largest
        if length:
            self.c_centre, self.c_n = &centres[0], &numbers[0]
            self.c_smallest, self.c_largest = &low[0], &high[0]


def spread(const int64_t[::1] values not None, const int32_t[::1] sizes not None,
           Seen seen not None, double[::1] sums not None, double[::1] squares not None):
    """Summarise values by the size of their subset; sums are of differences from the centre.

    Assumes that `seen` has a place for each size (walk.Walk has one for each number of coders).
    """
    cdef Py_ssize_t s, size
    cdef int64_t value
    cdef double away
    cdef const int64_t* centre = seen.c_centre
    cdef int64_t* n = seen.c_n
    cdef int64_t* smallest = seen.c_smallest
    cdef int64_t* largest = seen.c_largest
    with nogil:
        for s in range(values.shape[0]):
            size, value = sizes[s], values[s]
            n[size] += 1
            if value < smallest[size]:
                smallest[size] = value
            if value > largest[size]:
                largest[size] = value
            away = <double>(value - centre[size])
            sums[size] += away
            squares[size] += away * away
