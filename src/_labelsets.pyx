# Sums over distances between sets.
#
# A set is a bit mask of some words, a sorted list of element numbers, or a span from start to end.
# Lists and spans find the sets that overlap a set; all others have the distance of disjoint sets.
# Assumes that masks, tables and offsets have room for every element, and that a list has each element
# once (geometry.py, spans.py).
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from numpy import int64 as _int64
from numpy import uint16 as _uint16
from numpy import zeros as _zeros

cdef extern from "labelsets.h" nogil:
    enum:
        AF_TILE
        AF_PASSONNEAU
        AF_JACCARD
        AF_DICE
        AF_MASI
        AF_MASI_PRODUCT
        AF_HAMMING
        AF_OVERLAP
    ctypedef struct af_pairs:
        double* size_a
        double* size_b
        double* common
        double* weight_a
        double* weight_b
        double* shared
    ctypedef struct af_mask_distances:
        int kind
        int64_t n
        int64_t words
        const uint64_t* masks
        const double* table
        const double* sizes
        const double* weights
        const double* by_size
        const int32_t* places
        int64_t longest
    ctypedef struct af_sum:
        double high
        double low
    void af_distances(int, const af_pairs*, int64_t, double*)
    void af_common(const uint64_t*, const uint64_t*, int64_t, int64_t, double*)
    void af_mirror(double*, int64_t)
    void af_look_up(const af_mask_distances*, int64_t, int64_t, int64_t, double*)
    void af_shared(const uint64_t*, const uint64_t*, int64_t, const double*, int64_t, double*)
    double af_dot(const double*, const double*, int64_t)
    void af_add(af_sum*, double)
    double af_less(af_sum, af_sum)

cdef extern from "set_pairs.h" nogil:
    ctypedef struct af_holder:
        int32_t set
        int32_t rest
    ctypedef struct af_children:
        af_holder* holders
        int64_t* begins
    ctypedef struct af_subsets:
        int64_t longest
        const int64_t* start
        const int32_t* elements
        const uint16_t* firsts
        const uint64_t* u
        const uint64_t* v
        const uint64_t* choose
        uint64_t* shared
        int64_t* uses
        uint64_t* u_of
        uint64_t* v_of
        uint64_t* same
        af_children* levels
        uint32_t* tables
    enum:
        AF_TABLE_BITS
    int af_share_firsts(af_subsets*, int64_t, const int64_t*, int)
    bint af_share_subsets(af_subsets*, const af_holder*, int64_t, int64_t)

#: The first elements whose sets are counted together, in count_shared.
TABLE_BITS = AF_TABLE_BITS

# The names that Python uses for the distances.
KINDS = {
    "passonneau": AF_PASSONNEAU, "jaccard": AF_JACCARD, "dice": AF_DICE, "masi": AF_MASI,
    "masi_product": AF_MASI_PRODUCT, "hamming": AF_HAMMING, "overlap": AF_OVERLAP,
}


# What is known of all sets: how many elements each has, and what these weigh.
cdef struct measured:
    const double* sizes
    const double* weights


cdef measured measured_by(const double[::1] sizes, const double[::1] weights,
                          Py_ssize_t n) except *:
    cdef measured out
    if sizes.shape[0] != n or weights.shape[0] != n:
        raise ValueError(f"{sizes.shape[0]} sizes and {weights.shape[0]} weights of {n} sets")
    out.sizes = &sizes[0] if n else NULL
    out.weights = &weights[0] if n else NULL
    return out


# The sums of rows of v that are asked for; see Sums.
cdef struct asked:
    Py_ssize_t n_rows
    Py_ssize_t n_sets
    const double* u
    const double* v
    const double* total
    Py_ssize_t first
    Py_ssize_t n
    double* out


cdef class Sums:
    """Sums over all sets j of v_rj d_ij, for each row r and n of the sets i.

    Parameters
    ----------
    u : float64 array of shape (R, K) or None
        Only sums with u_ri other than 0 are computed; None means all.
    v : float64 array of shape (R, K)
    first : int
        The place of the first of the n sets, in the order of the sets.
    out : float64 array of shape (R, n)
        The sums; the kernels add to them.
    total : float64 array of shape (R, 4) or None
        The result of `totals` for v. Lists and spans need it.

    Raises
    ------
    ValueError
        If the shapes of the arrays do not match.
    """

    cdef readonly object out
    # what owns the arrays
    cdef tuple given
    cdef asked c

    def __init__(self, u, v, Py_ssize_t first, out, total=None):
        cdef const double[:, ::1] columns = v, others
        cdef double[:, ::1] sums = out
        cdef Py_ssize_t rows = columns.shape[0], n_sets = columns.shape[1], n = sums.shape[1]
        if sums.shape[0] != rows or not 0 <= first <= n_sets - n:
            raise ValueError(f"sums {first} to {first + n} of {rows} x {n_sets} numbers")
        self.given, self.out = (u, v, total), out
        self.c.n_rows, self.c.n_sets, self.c.first, self.c.n = rows, n_sets, first, n
        if rows and n:
            self.c.v, self.c.out = &columns[0, 0], &sums[0, 0]
        if u is not None:
            others = u
            if others.shape[0] != rows or others.shape[1] != n_sets:
                raise ValueError(f"numbers of two shapes, {rows} x {n_sets} the one")
            self.c.u = &others[0, 0] if rows and n_sets else NULL
        if total is not None:
            others = total
            if others.shape[0] != rows or others.shape[1] != 4:
                raise ValueError(f"totals of other than {rows} rows")
            self.c.total = &others[0, 0] if rows else NULL


cdef bint is_requested(const asked* sums, Py_ssize_t i) noexcept nogil:
    cdef Py_ssize_t r
    if sums.u == NULL:
        return True
    for r in range(sums.n_rows):
        if sums.u[r * sums.n_sets + i] != 0:
            return True
    return False


cdef void both_sides(af_pairs* pairs, measured sets, const int32_t* a, const int32_t* b,
                     Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(n):
        pairs.size_a[k] = sets.sizes[a[k]]
        pairs.size_b[k] = sets.sizes[b[k]]
        pairs.weight_a[k] = sets.weights[a[k]]
        pairs.weight_b[k] = sets.weights[b[k]]


cdef inline void one_side(af_pairs* pairs, double size, double weight) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(AF_TILE):
        pairs.size_a[k] = size
        pairs.weight_a[k] = weight


# ---------------------------------------------------------------------- masks


def fill_masks(const int64_t[::1] start not None, const int32_t[::1] elements not None,
               uint64_t[:, ::1] masks not None):
    """Set the bits of each list's elements."""
    cdef Py_ssize_t i, p
    cdef uint64_t one = 1
    with nogil:
        for i in range(masks.shape[0]):
            for p in range(start[i], start[i + 1]):
                masks[i, elements[p] >> 6] |= one << (elements[p] & 63)


def weigh_masks(const uint64_t[:, ::1] masks not None, const double[:, ::1] table not None,
                double[::1] out not None):
    """out[i]: the weight of a mask, summed as it is for what two masks share."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(masks.shape[0]):
            af_shared(&masks[i, 0], &masks[i, 0], masks.shape[1], &table[0, 0], 1, &out[i])


def distances_by_size(int kind, double[:, :, ::1] out not None):
    """out[a, b, c]: the distance of sets of a and b elements, c of them in common; else 0."""
    cdef Py_ssize_t a, b, c, n = out.shape[0]
    cdef af_pairs pairs
    with nogil:
        for a in range(n):
            one_side(&pairs, a, a)
            for b in range(n):
                for c in range(n):
                    out[a, b, c] = 0
                for c in range(min(a, b) + 1):
                    pairs.size_b[0] = pairs.weight_b[0] = b
                    pairs.common[0] = pairs.shared[0] = c
                    af_distances(kind, &pairs, 1, &out[a, b, c])


cdef class Masks:
    """K sets as bit masks of W words.

    Parameters
    ----------
    masks : uint64 array of shape (K, W)
        Element e is bit e % 64 of word e // 64.
    sizes : float64 array of shape (K,)
        How many elements each set has.
    weights : float64 array of shape (K,)
        The sum of the weights of the elements of each set.
    table : float64 array of shape (8 W, 256) or None
        The weight of the bits of each value of each byte; None means that each bit weighs 1.

    Attributes
    ----------
    n_sets : int
        K.

    Raises
    ------
    ValueError
        If the lengths of the arrays do not match.
    """

    cdef readonly Py_ssize_t n_sets
    cdef readonly object masks
    cdef readonly object sizes
    cdef readonly object weights
    cdef readonly object table
    cdef af_mask_distances c

    def __init__(self, masks, sizes, weights, table=None):
        cdef const uint64_t[:, ::1] bits = masks
        cdef const double[:, ::1] weigh
        cdef Py_ssize_t n = bits.shape[0], words = bits.shape[1]
        cdef measured sets = measured_by(sizes, weights, n)
        if not words:
            raise ValueError("masks without a word")
        self.masks, self.sizes, self.weights, self.table = masks, sizes, weights, table
        self.n_sets, self.c.n, self.c.words = n, n, words
        self.c.masks = &bits[0, 0] if n else NULL
        self.c.sizes, self.c.weights = sets.sizes, sets.weights
        if table is not None:
            weigh = table
            if weigh.shape[0] != 8 * words or weigh.shape[1] != 256:
                raise ValueError(f"no table of the bytes of {words} words")
            self.c.table = &weigh[0, 0]


cdef class MaskDistances:
    """A distance between the sets of some masks.

    Parameters
    ----------
    kind : int
        One of `KINDS`.
    masks : Masks
    by_size : float64 array of shape (L, L, L) or None
        For elements of equal weight, the result of `distances_by_size` for sets of less than L elements.
    places : int32 array of shape (K,) or None
        The offset in by_size[a] for a set of the size of each: L times that size.

    Raises
    ------
    ValueError
        If the distances by size have no place for each set.
    """

    cdef readonly Masks masks
    cdef tuple given
    cdef af_mask_distances c

    def __init__(self, int kind, Masks masks not None, by_size=None, places=None):
        cdef const double[:, :, ::1] distances
        cdef const int32_t[::1] begins
        self.masks, self.given = masks, (by_size, places)
        self.c = masks.c
        self.c.kind = kind
        if by_size is not None:
            distances, begins = by_size, places
            if begins.shape[0] != masks.n_sets or not distances.shape[0]:
                raise ValueError(f"places of {begins.shape[0]} of {masks.n_sets} sets")
            self.c.by_size, self.c.longest = &distances[0, 0, 0], distances.shape[0]
            self.c.places = &begins[0] if masks.n_sets else NULL


cdef void from_mask(const af_mask_distances* distances, Py_ssize_t i, Py_ssize_t j, Py_ssize_t n,
                    af_pairs* pairs, double* out) noexcept nogil:
    """Distances of mask i, whose side of the pairs is filled, from n masks beginning with j."""
    cdef Py_ssize_t k, words = distances.words
    cdef const uint64_t* mask = distances.masks + i * words
    cdef const uint64_t* others = distances.masks + j * words
    if distances.by_size != NULL:
        af_look_up(distances, i, j, n, out)
        return
    af_common(mask, others, words, n, pairs.common)
    if distances.table == NULL:
        for k in range(n):
            pairs.shared[k] = pairs.common[k]
    else:
        af_shared(mask, others, words, distances.table, n, pairs.shared)
    for k in range(n):
        pairs.size_b[k] = distances.sizes[j + k]
        pairs.weight_b[k] = distances.weights[j + k]
    af_distances(distances.kind, pairs, n, out)


def mask_rows(MaskDistances distances not None, double[:, ::1] out not None):
    """out[i, j]: the distance of masks i and j."""
    cdef const af_mask_distances* masks = &distances.c
    cdef Py_ssize_t i, j
    cdef af_pairs pairs
    with nogil:
        for i in range(masks.n):
            one_side(&pairs, masks.sizes[i], masks.weights[i])
            j = i
            while j < masks.n:
                from_mask(masks, i, j, min(AF_TILE, masks.n - j), &pairs, &out[i, j])
                j += AF_TILE
        if masks.n:
            af_mirror(&out[0, 0], masks.n)


def mask_sums(MaskDistances distances not None, Sums sums not None, bint upper):
    """Add to the requested sums; `upper` takes j > i only."""
    cdef const af_mask_distances* masks = &distances.c
    cdef const asked* request = &sums.c
    cdef Py_ssize_t i, j, p, r, n, K = masks.n
    cdef af_pairs pairs
    cdef double d[AF_TILE]
    with nogil:
        for p in range(request.n):
            i = request.first + p
            if not is_requested(request, i):
                continue
            one_side(&pairs, masks.sizes[i], masks.weights[i])
            j = i + 1 if upper else 0
            while j < K:
                n = min(AF_TILE, K - j)
                from_mask(masks, i, j, n, &pairs, d)
                for r in range(request.n_rows):
                    if request.u == NULL or request.u[r * K + i] != 0:
                        request.out[r * request.n + p] += af_dot(request.v + r * K + j, d, n)
                j += n


def mask_largest(MaskDistances distances not None, double enough, Py_ssize_t first,
                 Py_ssize_t last):
    """The largest distance of masks first .. last - 1 from those after them, or one >= enough."""
    cdef const af_mask_distances* masks = &distances.c
    cdef Py_ssize_t i, j, k, n, K = masks.n
    cdef af_pairs pairs
    cdef double d[AF_TILE]
    cdef double largest = 0
    with nogil:
        for i in range(first, last):
            one_side(&pairs, masks.sizes[i], masks.weights[i])
            j = i + 1
            while j < K:
                n = min(AF_TILE, K - j)
                from_mask(masks, i, j, n, &pairs, d)
                for k in range(n):
                    largest = d[k] if d[k] > largest else largest
                j += n
            if largest >= enough:
                break
    return largest


def mask_pairs(int kind, Masks masks not None, const int32_t[::1] a not None,
               const int32_t[::1] b not None, double[::1] out not None):
    """out[k]: the distance of masks a[k] and b[k]."""
    cdef const af_mask_distances* sets = &masks.c
    cdef Py_ssize_t begin = 0, k, n, words = sets.words
    cdef const uint64_t* one
    cdef const uint64_t* other
    cdef measured sides
    cdef af_pairs pairs
    sides.sizes, sides.weights = sets.sizes, sets.weights
    with nogil:
        while begin < out.shape[0]:
            n = min(AF_TILE, out.shape[0] - begin)
            for k in range(n):
                one = sets.masks + a[begin + k] * words
                other = sets.masks + b[begin + k] * words
                af_common(one, other, words, 1, &pairs.common[k])
                if sets.table == NULL:
                    pairs.shared[k] = pairs.common[k]
                else:
                    af_shared(one, other, words, sets.table, 1, &pairs.shared[k])
            both_sides(&pairs, sides, &a[begin], &b[begin], n)
            af_distances(kind, &pairs, n, &out[begin])
            begin += AF_TILE


# ---------------------------------------------------------------------- lists and spans


def totals(const double[:, ::1] v not None, const double[::1] weights not None,
           double[:, ::1] out not None):
    """out[r]: Σ_j v_rj and Σ_j v_rj weights_j, each as a sum and what it lost."""
    cdef Py_ssize_t r, j
    cdef af_sum plain, weighted
    with nogil:
        for r in range(v.shape[0]):
            plain.high = plain.low = weighted.high = weighted.low = 0
            for j in range(v.shape[1]):
                if v[r, j] != 0:
                    af_add(&plain, v[r, j])
                    af_add(&weighted, v[r, j] * weights[j])
            out[r, 0] = plain.high
            out[r, 1] = plain.low
            out[r, 2] = weighted.high
            out[r, 3] = weighted.low


# Set i, the sets that it meets, and what they have in common with it by their own numbers.
cdef struct meeting:
    Py_ssize_t i
    Py_ssize_t n
    int32_t* sets
    double* common
    double* shared


cdef class Met:
    """Room for the sets that a set meets.

    Parameters
    ----------
    sets : int32 array of shape (K,)
    common : float64 array of shape (K,)
        Zeros; room for how many elements each has in common with the current set.
    shared : float64 array of shape (K,)
        Zeros; room for the weight of these elements. `common` itself if each element weighs 1.

    Raises
    ------
    ValueError
        If the lengths of the arrays differ.
    """

    # keeps the arrays alive
    cdef tuple given
    cdef meeting c

    def __init__(self, sets, common, shared):
        cdef int32_t[::1] numbers = sets
        cdef double[::1] many = common, weight = shared
        cdef Py_ssize_t n = numbers.shape[0]
        if many.shape[0] != n or weight.shape[0] != n:
            raise ValueError(f"no room of one length, {n}")
        self.given = sets, common, shared
        if n:
            self.c.sets, self.c.common, self.c.shared = &numbers[0], &many[0], &weight[0]


cdef void add_near(int kind, measured sets, const asked* asked_for, const meeting* met,
                   Py_ssize_t place) noexcept nogil:
    """Add to the sums at a place: the sets that share an element one by one, the rest at once.

    Clears `common`. The rest is a difference of sums of two doubles each, so that a small rest keeps
    its digits.
    """
    cdef Py_ssize_t begin, k, n, r, i = met.i, K = asked_for.n_sets
    cdef int32_t j
    cdef const double* v
    cdef const double* u = asked_for.u
    cdef const double* total
    cdef const int32_t* near_sets = met.sets
    cdef af_pairs pairs
    cdef double d[AF_TILE]
    cdef double near, rest
    cdef af_sum whole, met_sum
    one_side(&pairs, sets.sizes[i], sets.weights[i])
    begin = 0
    while begin < met.n:
        n = min(AF_TILE, met.n - begin)
        for k in range(n):
            j = near_sets[begin + k]
            pairs.size_b[k] = sets.sizes[j]
            pairs.weight_b[k] = sets.weights[j]
            pairs.common[k] = met.common[j]
            pairs.shared[k] = met.shared[j]
        af_distances(kind, &pairs, n, d)
        for r in range(asked_for.n_rows):
            if u == NULL or u[r * K + i] != 0:
                v = asked_for.v + r * K
                near = 0
                for k in range(n):
                    near += v[near_sets[begin + k]] * d[k]
                asked_for.out[r * asked_for.n + place] += near
        begin += AF_TILE
    for r in range(asked_for.n_rows):
        if u != NULL and u[r * K + i] == 0:
            continue
        v, total = asked_for.v + r * K, asked_for.total + r * 4
        met_sum.high = met_sum.low = 0
        for k in range(met.n):
            af_add(&met_sum, v[near_sets[k]])
        whole.high = total[0]
        whole.low = total[1]
        rest = af_less(whole, met_sum)
        if kind == AF_HAMMING:
            rest *= sets.weights[i]
            met_sum.high = met_sum.low = 0
            for k in range(met.n):
                af_add(&met_sum, v[near_sets[k]] * sets.weights[near_sets[k]])
            whole.high = total[2]
            whole.low = total[3]
            rest += af_less(whole, met_sum)
        asked_for.out[r * asked_for.n + place] += rest
    for k in range(met.n):
        met.common[near_sets[k]] = 0
        met.shared[near_sets[k]] = 0


cdef class Index:
    """For each element the sets that have it: those of e are members[begin[e] : begin[e + 1]].

    Parameters
    ----------
    begin : int64 array of shape (E + 1,)
    members : int32 array

    Raises
    ------
    ValueError
        If the offsets do not run from 0 to the number of members.
    """

    cdef readonly object begin
    cdef readonly object members
    cdef const int64_t* c_begin
    cdef const int32_t* c_members

    def __init__(self, begin, members):
        cdef const int64_t[::1] offsets = begin
        cdef const int32_t[::1] sets = members
        cdef Py_ssize_t n = offsets.shape[0] - 1
        if n < 0 or offsets[0] != 0 or offsets[n] != sets.shape[0]:
            raise ValueError(f"the offsets of elements do not lead from 0 to {sets.shape[0]}")
        self.begin, self.members = begin, members
        self.c_begin = &offsets[0]
        self.c_members = &sets[0] if sets.shape[0] else NULL


cdef class Lists:
    """K sets as sorted lists of element numbers: that of i is elements[start[i] : start[i + 1]].

    Parameters
    ----------
    start : int64 array of shape (K + 1,)
    elements : int32 array
    index : Index
        The sets of each element.
    sizes : float64 array of shape (K,)
        How many elements each set has.
    weights : float64 array of shape (K,)
        The sum of the weights of the elements of each set.
    element_weights : float64 array or None
        The weight of each element; None means 1.

    Attributes
    ----------
    n_sets : int
        K.

    Raises
    ------
    ValueError
        If the lengths of the arrays do not match.
    """

    cdef readonly Py_ssize_t n_sets
    cdef readonly object start
    cdef readonly object elements
    cdef readonly Index index
    cdef readonly object sizes
    cdef readonly object weights
    cdef readonly object element_weights
    cdef measured c
    cdef const int64_t* c_start
    cdef const int32_t* c_elements
    cdef const double* c_element_weights

    def __init__(self, start, elements, Index index not None, sizes, weights,
                 element_weights=None):
        cdef const int64_t[::1] offsets = start
        cdef const int32_t[::1] numbers = elements
        cdef const double[::1] each
        cdef Py_ssize_t n = offsets.shape[0] - 1
        if n < 0 or offsets[0] != 0 or offsets[n] != numbers.shape[0]:
            raise ValueError(f"the offsets of lists do not lead from 0 to {numbers.shape[0]}")
        if len(index.members) != numbers.shape[0]:
            raise ValueError(f"an index of {len(index.members)} of {numbers.shape[0]} elements")
        self.c = measured_by(sizes, weights, n)
        self.n_sets, self.start, self.elements, self.index = n, start, elements, index
        self.sizes, self.weights, self.element_weights = sizes, weights, element_weights
        self.c_start = &offsets[0]
        self.c_elements = &numbers[0] if numbers.shape[0] else NULL
        if element_weights is not None:
            each = element_weights
            if each.shape[0] < len(index.begin) - 1:
                raise ValueError(f"{each.shape[0]} weights of {len(index.begin) - 1} elements")
            self.c_element_weights = &each[0] if each.shape[0] else NULL


cdef void meet(Lists lists, Py_ssize_t i, meeting* here) noexcept nogil:
    """Find the lists that meet list i, and what each has in common with it."""
    cdef Py_ssize_t p, q
    cdef int32_t e, j
    cdef double weight = 1
    cdef const int64_t* begin = lists.index.c_begin
    cdef const int32_t* members = lists.index.c_members
    here.i, here.n = i, 0
    for p in range(lists.c_start[i], lists.c_start[i + 1]):
        e = lists.c_elements[p]
        if lists.c_element_weights != NULL:
            weight = lists.c_element_weights[e]
        for q in range(begin[e], begin[e + 1]):
            j = members[q]
            if here.common[j] == 0:
                here.sets[here.n] = j
                here.n += 1
            here.common[j] += 1
            here.shared[j] += weight


def list_sums(int kind, Lists lists not None, Sums sums not None, Met met not None):
    """Add to the requested sums."""
    cdef Py_ssize_t place
    cdef meeting here = met.c
    with nogil:
        for place in range(sums.c.n):
            if is_requested(&sums.c, sums.c.first + place):
                meet(lists, sums.c.first + place, &here)
                add_near(kind, lists.c, &sums.c, &here, place)


def list_rows(int kind, Lists lists not None, Met met not None, double[:, ::1] out not None):
    """out[i, j]: the distance of lists i and j; O(pairs of them and an element of both, K^2)."""
    cdef Py_ssize_t i, begin, k, n, K = lists.n_sets
    cdef meeting here = met.c
    cdef af_pairs pairs
    with nogil:
        for i in range(K):
            meet(lists, i, &here)
            one_side(&pairs, lists.c.sizes[i], lists.c.weights[i])
            begin = 0
            while begin < K:
                n = min(AF_TILE, K - begin)
                for k in range(n):
                    pairs.size_b[k] = lists.c.sizes[begin + k]
                    pairs.weight_b[k] = lists.c.weights[begin + k]
                    pairs.common[k] = here.common[begin + k]
                    pairs.shared[k] = here.shared[begin + k]
                af_distances(kind, &pairs, n, &out[i, begin])
                # Not in the loop above: GCC 12 would clear entries that it has not read yet.
                for k in range(n):
                    here.common[begin + k] = here.shared[begin + k] = 0
                begin += AF_TILE


def list_pairs(int kind, Lists lists not None, const int32_t[::1] a not None,
               const int32_t[::1] b not None, double[::1] out not None):
    """out[k]: the distance of lists a[k] and b[k]; O(their lengths)."""
    cdef Py_ssize_t from_pair = 0, k, n, p, q, end_p, end_q
    cdef const int64_t* start = lists.c_start
    cdef const int32_t* elements = lists.c_elements
    cdef const double* element_weights = lists.c_element_weights
    cdef af_pairs pairs
    with nogil:
        while from_pair < out.shape[0]:
            n = min(AF_TILE, out.shape[0] - from_pair)
            for k in range(n):
                pairs.common[k] = pairs.shared[k] = 0
                p, end_p = start[a[from_pair + k]], start[a[from_pair + k] + 1]
                q, end_q = start[b[from_pair + k]], start[b[from_pair + k] + 1]
                while p < end_p and q < end_q:
                    if elements[p] == elements[q]:
                        pairs.common[k] += 1
                        pairs.shared[k] += (
                            1.0 if element_weights == NULL else element_weights[elements[p]]
                        )
                        p += 1
                        q += 1
                    elif elements[p] < elements[q]:
                        p += 1
                    else:
                        q += 1
            both_sides(&pairs, lists.c, &a[from_pair], &b[from_pair], n)
            af_distances(kind, &pairs, n, &out[from_pair])
            from_pair += AF_TILE


def index_elements(const int64_t[::1] start not None, int32_t[::1] elements not None,
                   int64_t[::1] begin not None, int32_t[:, ::1] holders not None):
    """Sort the elements of each set, and list the sets that hold each element, by counting.

    begin[e + 1] gets the end of the holders of element e, which are pairs of a set and the place of e in
    it. Assumes zeros in `begin`, and holders for all elements of sets.
    """
    cdef Py_ssize_t n_sets = start.shape[0] - 1, n_elements = begin.shape[0] - 1, i, p, e
    cdef int64_t[::1] next_ = _zeros(max(n_sets, n_elements + 1), _int64)
    with nogil:
        for p in range(elements.shape[0]):
            begin[elements[p] + 1] += 1
        for e in range(n_elements):
            begin[e + 1] += begin[e]
            next_[e] = begin[e]
        for i in range(n_sets):
            for p in range(start[i], start[i + 1]):
                e = elements[p]
                holders[next_[e], 0] = <int32_t>i
                next_[e] += 1
        next_[:] = 0
        for e in range(n_elements):
            for p in range(begin[e], begin[e + 1]):
                i = holders[p, 0]
                holders[p, 1] = <int32_t>next_[i]
                elements[start[i] + next_[i]] = <int32_t>e
                next_[i] += 1


cdef class Holders:
    """For each element, the sets that contain it and how many elements precede it in each.

    Parameters
    ----------
    start : int64 array of shape (K + 1,)
    elements : int32 array
        Set i is elements[start[i] : start[i + 1]], ascending.
    begin : int64 array of shape (E + 1,)
    holders : int32 array of shape (pairs of a set and its element, 2)
        For element e, holders[begin[e] : begin[e + 1]] are pairs of a set and the place of e in it.

    Raises
    ------
    ValueError
        If the offsets do not run from 0 to the number of elements.
    """

    cdef readonly Py_ssize_t n_sets
    # what owns the arrays
    cdef tuple given
    cdef const int64_t* c_start
    cdef const int32_t* c_elements
    cdef const int64_t* c_begin
    cdef const af_holder* c_holders
    cdef const uint16_t* c_firsts
    cdef Py_ssize_t n_elements

    def __init__(self, start, elements, begin, holders):
        cdef const int64_t[::1] starts = start, begins = begin
        cdef const int32_t[::1] numbers = elements
        cdef const int32_t[:, ::1] places = holders
        cdef Py_ssize_t n = numbers.shape[0]
        cdef Py_ssize_t n_sets = starts.shape[0] - 1, n_elements = begins.shape[0] - 1, i, place
        cdef uint16_t[::1] firsts
        if (n_sets < 0 or n_elements < 0 or places.shape[0] != n or places.shape[1] != 2
                or starts[n_sets] != n or begins[n_elements] != n):
            raise ValueError(f"the offsets of sets or elements do not lead from 0 to {n}")
        self.n_sets, self.n_elements = n_sets, n_elements
        firsts = _zeros(n_sets + 1, _uint16)
        for i in range(n_sets):
            for place in range(starts[i], starts[i + 1]):
                if numbers[place] < AF_TABLE_BITS:
                    firsts[i] |= <uint16_t>(1 << numbers[place])
        self.given = start, elements, begin, holders, firsts
        self.c_start, self.c_begin, self.c_firsts = &starts[0], &begins[0], &firsts[0]
        if n:
            self.c_elements, self.c_holders = &numbers[0], <const af_holder*>&places[0, 0]


def count_shared(Holders holders not None, const uint64_t[:, ::1] uv not None, Py_ssize_t first,
                 Py_ssize_t last, const uint64_t[:, ::1] choose not None,
                 uint64_t[:, :, ::1] shared not None):
    """Add to shared[a, b, m] the sets of m elements that two sets of a and b elements share.

    Each ordered pair of different sets i and j counts u_i v_j (the rows of uv). Only sets of elements
    whose last one is in first .. last - 1 count. Sums are modulo 2^64. choose[r, s] is the number of
    sets of s out of r elements. Assumes that no set is longer than the tables.
    """
    cdef Py_ssize_t side = shared.shape[0], e, level
    cdef af_subsets sets
    cdef bint enough
    cdef int together = <int>min(last, AF_TABLE_BITS), counted = 0
    if shared.shape[1] != side or shared.shape[2] != side or choose.shape[0] != side:
        raise ValueError(f"tables of other sides than {side}")
    if choose.shape[1] != side or uv.shape[0] != 2 or uv.shape[1] != holders.n_sets:
        raise ValueError(f"no two numbers for each of {holders.n_sets} sets")
    if not 0 <= first <= last <= holders.n_elements:
        raise ValueError(f"elements {first} to {last} of {holders.n_elements}")
    if first == last:
        return
    sets.longest, sets.start, sets.elements = side - 1, holders.c_start, holders.c_elements
    sets.firsts, sets.u, sets.v = holders.c_firsts, &uv[0, 0], &uv[1, 0]
    if memcmp(sets.u, sets.v, holders.n_sets * sizeof(uint64_t)) == 0:
        sets.v = sets.u
    sets.choose, sets.shared, sets.tables = &choose[0, 0], &shared[0, 0, 0], NULL
    with nogil:
        sets.uses = <int64_t*>calloc(holders.n_elements, sizeof(int64_t))
        sets.u_of = <uint64_t*>calloc(3 * side, sizeof(uint64_t))
        sets.levels = <af_children*>calloc(side, sizeof(af_children))
        enough = sets.uses != NULL and sets.u_of != NULL and sets.levels != NULL
        if enough:
            sets.v_of, sets.same = sets.u_of + side, sets.u_of + 2 * side
            if first == 0:
                counted = af_share_firsts(&sets, holders.n_sets, holders.c_begin, together)
                enough = counted >= 0
        e = together if counted else first
        while enough and e < last:
            enough = af_share_subsets(&sets, holders.c_holders + holders.c_begin[e],
                                      holders.c_begin[e + 1] - holders.c_begin[e], 1)
            e += 1
        if sets.levels != NULL:
            for level in range(side):
                free(sets.levels[level].holders)
                free(sets.levels[level].begins)
        free(sets.tables)
        free(sets.levels)
        free(sets.u_of)
        free(sets.uses)
    if not enough:
        raise MemoryError("the sets that pairs of sets share")


# Spans in some order.
cdef struct places:
    const int32_t* document
    const double* start
    const double* end


cdef places places_of(const int32_t[::1] document, const double[::1] start, const double[::1] end,
                      Py_ssize_t n) except *:
    cdef places out
    if document.shape[0] != n or start.shape[0] != n or end.shape[0] != n:
        raise ValueError(
            f"{document.shape[0]} documents, {start.shape[0]} starts, {end.shape[0]} ends of "
            f"{n} spans"
        )
    out.document = &document[0] if n else NULL
    out.start = &start[0] if n else NULL
    out.end = &end[0] if n else NULL
    return out


cdef class Spans:
    """K spans of documents, each from start to end.

    Parameters
    ----------
    document : int32 array of shape (K,)
    start, end : float64 arrays of shape (K,)
    weights : float64 array of shape (K,)
        The length of each span.

    Attributes
    ----------
    n_sets : int
        K.

    Raises
    ------
    ValueError
        If the lengths of the arrays differ.
    """

    cdef readonly Py_ssize_t n_sets
    cdef readonly object weights
    # what owns the arrays
    cdef tuple given
    cdef places c
    cdef measured sets

    def __init__(self, document, start, end, weights):
        self.n_sets, self.weights = len(weights), weights
        self.given = document, start, end
        self.c = places_of(document, start, end, self.n_sets)
        self.sets = measured_by(weights, weights, self.n_sets)


cdef class Sweep:
    """Some spans in ascending order of (document, start).

    Parameters
    ----------
    whole : Spans
        The same spans, ordered by their numbers.
    order : int32 array of shape (K,)
        The number of the span at each place.
    document, start, end : arrays of shape (K,)
        Of order[p].
    reach : float64 array of shape (K,)
        The largest end among the spans of the document up to this one.

    Raises
    ------
    ValueError
        If the lengths of the arrays differ.
    """

    cdef readonly Spans whole
    cdef readonly object order
    cdef tuple given
    cdef places c
    cdef const int32_t* c_order
    cdef const double* reach

    def __init__(self, Spans whole not None, order, document, start, end, reach):
        cdef const int32_t[::1] numbers = order
        cdef const double[::1] ends = reach
        cdef Py_ssize_t n = whole.n_sets
        if numbers.shape[0] != n or ends.shape[0] != n:
            raise ValueError(f"{numbers.shape[0]} places and {ends.shape[0]} reaches of {n} spans")
        self.whole, self.order, self.given = whole, order, (document, start, end, reach)
        self.c = places_of(document, start, end, n)
        self.c_order = &numbers[0] if n else NULL
        self.reach = &ends[0] if n else NULL


def span_sums(int kind, Sweep sweep not None, Sums sums not None, Met met not None):
    """Add to the requested sums, with the sets in the order of the sweep."""
    cdef Py_ssize_t p, q, place, n_met, K = sweep.whole.n_sets
    cdef double overlap
    cdef const int32_t* order = sweep.c_order
    cdef const int32_t* document = sweep.c.document
    cdef const double* start = sweep.c.start
    cdef const double* end = sweep.c.end
    cdef const double* reach = sweep.reach
    cdef meeting here = met.c
    with nogil:
        for place in range(sums.c.n):
            p = sums.c.first + place
            here.i = order[p]
            if not is_requested(&sums.c, here.i):
                continue
            n_met = 0
            q = p
            while q < K and document[q] == document[p] and start[q] < end[p]:
                here.sets[n_met] = order[q]
                here.common[order[q]] = min(end[p], end[q]) - start[q]
                n_met += 1
                q += 1
            q = p - 1
            while q >= 0 and document[q] == document[p] and reach[q] > start[p]:
                overlap = min(end[p], end[q]) - start[p]
                if overlap > 0:
                    here.sets[n_met] = order[q]
                    here.common[order[q]] = overlap
                    n_met += 1
                q -= 1
            here.n = n_met
            add_near(kind, sweep.whole.sets, &sums.c, &here, place)


def span_pairs(int kind, Spans whole not None, const int32_t[::1] a not None,
               const int32_t[::1] b not None, double[::1] out not None):
    """out[k]: the distance of spans a[k] and b[k]."""
    cdef Py_ssize_t begin = 0, k, n
    cdef int32_t i, j
    cdef double overlap
    cdef places c = whole.c
    cdef af_pairs pairs
    with nogil:
        while begin < out.shape[0]:
            n = min(AF_TILE, out.shape[0] - begin)
            for k in range(n):
                i, j = a[begin + k], b[begin + k]
                overlap = min(c.end[i], c.end[j]) - max(c.start[i], c.start[j])
                if c.document[i] != c.document[j] or overlap < 0:
                    overlap = 0
                pairs.common[k] = pairs.shared[k] = overlap
            both_sides(&pairs, whole.sets, &a[begin], &b[begin], n)
            af_distances(kind, &pairs, n, &out[begin])
            begin += AF_TILE
