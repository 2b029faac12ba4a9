# The majority reference of items under subsets of coders: exactly, over all subsets at once, and
# subset by subset.
#
# The reference of an item is its most frequent category, and `ties` says what several such mean.
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t

cdef extern from "majority.h" nogil:
    enum:
        AF_LANES
        AF_EXACT
        AF_FRACTIONAL
        AF_MEDIAN
    void af_moved(const int16_t*, int64_t, const int32_t*, const int64_t*, int64_t, int, int,
                  const uint16_t*, const uint16_t*, int64_t, const int64_t*, const uint16_t*,
                  int64_t, uint16_t*, int64_t*)

# The names that Python uses for what a tie means; both "change" and "first" compare exactly.
TIES = {"change": AF_EXACT, "first": AF_EXACT, "fractional": AF_FRACTIONAL, "median": AF_MEDIAN}
LANES = AF_LANES

cdef enum Role:
    # A category with t judgments or fewer, t being the most that any has: with fewer; with exactly
    # t; either.
    LOW
    TOP
    EITHER


cdef void times_binomial(double* product, Py_ssize_t* degree, const double[:, ::1] binomial,
                         Py_ssize_t n, Py_ssize_t most, Py_ssize_t t, Role role,
                         double* room) noexcept nogil:
    """product(z) times the sum of C(n, x) z^x over the x that a role allows, up to `most` terms.

    Assumes room for most + 1 numbers in `product` and `room`.
    """
    cdef Py_ssize_t m, x, first = t if role == TOP else 0
    cdef Py_ssize_t last = t - 1 if role == LOW else t
    cdef Py_ssize_t top
    if last > n:
        last = n
    if first > last:
        degree[0] = -1
        return
    top = degree[0] + last
    if top > most:
        top = most
    for m in range(top + 1):
        room[m] = 0.0
    for x in range(first, last + 1):
        for m in range(degree[0] + 1):
            if m + x <= top:
                room[m + x] += binomial[n, x] * product[m]
    for m in range(top + 1):
        product[m] = room[m]
    degree[0] = top


def same_exactly(const int64_t[:, ::1] counts not None, const unsigned char[:, ::1] roles not None,
                 const double[:, ::1] binomial not None, double[::1] product not None,
                 double[::1] room not None, Py_ssize_t first, Py_ssize_t last,
                 double[:, ::1] out not None):
    """out[row, m] += how many of the sets of m judgments of a row have the reference that its
    roles say, whatever its count t: sum over t of the coefficient of z^m in the product over the
    categories of sum C(n_k, x) z^x, x < t, x = t or x <= t.
    """
    cdef Py_ssize_t row, k, m, t, most, degree, K = counts.shape[1], size
    with nogil:
        for row in range(first, last):
            most = 0
            size = 0
            for k in range(K):
                size += counts[row, k]
                if roles[row, k] != LOW and counts[row, k] > most:
                    most = counts[row, k]
            for t in range(1, most + 1):
                product[0] = 1.0
                degree = 0
                for k in range(K):
                    # a category that nobody chose adds nothing; if it must be on top, as a truth
                    # may that nobody found, no set will do
                    if counts[row, k] or roles[row, k] == TOP:
                        times_binomial(&product[0], &degree, binomial, counts[row, k], size, t,
                                       <Role>roles[row, k], &room[0])
                    if degree < 0:
                        break
                for m in range(degree + 1):
                    out[row, m] += product[m]


def moved_fractions(const int64_t[:, ::1] counts not None,
                    const unsigned char[:, ::1] reference not None,
                    const double[:, ::1] binomial not None,
                    double[:, :, ::1] state not None, double[:, :, ::1] following not None,
                    Py_ssize_t first, Py_ssize_t last, double[:, ::1] out not None):
    """out[row, m] += sum over the sets of m judgments of the part of the reference that moves.

    state[a, b, m] counts sets with a top categories inside the reference and b outside. Assumes rows of
    equally many judgments, and a place for each number of them and of categories (majority._moved_sets),
    as do the two others.
    """
    cdef Py_ssize_t row, k, m, x, t, a, b, parts, inside, outside, degree, cap
    cdef Py_ssize_t K = counts.shape[1], n, most
    cdef double whole, held
    with nogil:
        for row in range(first, last):
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
                const double[:, ::1] binomial not None, double[:, :, ::1] sides not None,
                double[:, ::1] rooms not None, Py_ssize_t first, Py_ssize_t last,
                double[:, ::1] out not None):
    """out[row, m] += how many of the sets of m judgments of a row have several top categories and
    the reference as their lower median.

    sides[s, tops, n] counts the sets of n judgments below (s = 0) or above (1) the reference with
    0, 1 or more top categories.
    """
    cdef Py_ssize_t row, k, t, r, x, n, m, side, tops, low, high, most, size, own, i
    cdef Py_ssize_t K = counts.shape[1]
    cdef Py_ssize_t degree[2]
    cdef double ways
    with nogil:
        for row in range(first, last):
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
                                rooms[tops, m] = 0.0
                        for tops in range(3):
                            for m in range(degree[side] + 1):
                                ways = sides[side, tops, m]
                                if ways == 0.0:
                                    continue
                                for x in range((n if n < t else t) + 1):
                                    i = tops + 1 if x == t and tops < 2 else tops
                                    rooms[i, m + x] += ways * binomial[n, x]
                        for tops in range(3):
                            for m in range(size + 1):
                                sides[side, tops, m] = rooms[tops, m]
                        degree[side] = size
                own = counts[row, r]
                # sums over "so many top categories or more", so that nothing is subtracted
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


def moved(const int16_t[:, ::1] codes not None, const int32_t[::1] moves not None,
          const int64_t[::1] ends not None, Py_ssize_t n_subsets, bint afresh, int ties,
          const uint16_t[:, :, ::1] wanted not None, const uint16_t[:, :, ::1] mask not None,
          const int64_t[::1] weights not None, const uint16_t[::1] present, int64_t unit,
          uint16_t[::1] counts not None, int64_t[::1] out not None):
    """out[s] += the weight of the items whose reference subset s changes, in `unit`s.

    codes: coders x items, the items filled up to whole blocks of LANES. wanted, mask: blocks x
    categories x LANES. counts: room for categories x LANES. Assumes what af_moved does (walk.Walk).
    """
    cdef Py_ssize_t block, n_blocks = wanted.shape[0], K = wanted.shape[1]
    if n_subsets == 0 or K == 0:
        return
    with nogil:
        for block in range(n_blocks):
            af_moved(&codes[0, block * AF_LANES], codes.shape[1], &moves[0], &ends[0], n_subsets,
                     afresh, ties, &wanted[block, 0, 0], &mask[block, 0, 0], K,
                     &weights[block * AF_LANES],
                     &present[block * AF_LANES] if present is not None else NULL, unit,
                     &counts[0], &out[0])


def spread(const int64_t[::1] values not None, const int32_t[::1] sizes not None,
           const int64_t[::1] centre not None, Py_ssize_t n_subsets, int64_t[::1] n not None,
           int64_t[::1] smallest not None, int64_t[::1] largest not None,
           double[::1] sums not None, double[::1] squares not None):
    """Gather values by the size of their subset; sums are of differences from `centre`.

    Assumes sizes below the length of `n` (walk.Walk has a place for each number of coders).
    """
    cdef Py_ssize_t s, size
    cdef double away
    with nogil:
        for s in range(n_subsets):
            size = sizes[s]
            n[size] += 1
            if values[s] < smallest[size]:
                smallest[size] = values[s]
            if values[s] > largest[size]:
                largest[size] = values[s]
            away = <double>(values[s] - centre[size])
            sums[size] += away
            squares[size] += away * away
