# Sums over distances between sets.
#
# A set is a bit mask of some words, a sorted list of element numbers, or a span from start to end.
# Lists and spans find the sets that a set meets; all others are as far away as disjoint sets are.
# Elements are assumed below what masks, tables and offsets have room for, each once in a list; `met`,
# `common` and `shared` have a place for each set, the latter two zeros (geometry.py, spans.py).
from libc.stdint cimport int32_t, int64_t, uint64_t

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
    ctypedef struct af_sum:
        double high
        double low
    void af_distances(int, const af_pairs*, int64_t, double*)
    void af_common(const uint64_t*, const uint64_t*, int64_t, int64_t, double*)
    void af_look_up(const uint64_t*, const uint64_t*, int64_t, const int32_t*, const double*,
                    int64_t, double*)
    void af_shared(const uint64_t*, const uint64_t*, int64_t, const double*, int64_t, double*)
    double af_dot(const double*, const double*, int64_t)
    void af_add(af_sum*, double)
    double af_less(af_sum, af_sum)

# The names that Python uses for the distances.
KINDS = {
    "passonneau": AF_PASSONNEAU, "jaccard": AF_JACCARD, "dice": AF_DICE, "masi": AF_MASI,
    "masi_product": AF_MASI_PRODUCT, "hamming": AF_HAMMING, "overlap": AF_OVERLAP,
}


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


# ---------------------------------------------------------------------- masks


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


cdef void from_mask(int kind, const uint64_t[:, ::1] masks, const double[:, ::1] table,
                    const double[::1] sizes, const double[::1] weights,
                    const int32_t[::1] places, const double[:, :, ::1] by_size, Py_ssize_t i,
                    Py_ssize_t j, Py_ssize_t n, af_pairs* pairs, double* out) noexcept nogil:
    """Distances of mask i, whose side of the pairs is filled, from n masks beginning with j."""
    cdef Py_ssize_t k
    if by_size is not None:
        af_look_up(&masks[i, 0], &masks[j, 0], masks.shape[1], &places[j],
                   &by_size[<Py_ssize_t>sizes[i], 0, 0], n, out)
        return
    af_common(&masks[i, 0], &masks[j, 0], masks.shape[1], n, pairs.common)
    if table is None:
        for k in range(n):
            pairs.shared[k] = pairs.common[k]
    else:
        af_shared(&masks[i, 0], &masks[j, 0], masks.shape[1], &table[0, 0], n, pairs.shared)
    for k in range(n):
        pairs.size_b[k] = sizes[j + k]
        pairs.weight_b[k] = weights[j + k]
    af_distances(kind, pairs, n, out)


cdef inline void one_side(af_pairs* pairs, double size, double weight) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(AF_TILE):
        pairs.size_a[k] = size
        pairs.weight_a[k] = weight


def mask_rows(int kind, const uint64_t[:, ::1] masks not None, const double[:, ::1] table,
              const double[::1] sizes not None, const double[::1] weights not None,
              const int32_t[::1] places not None, const double[:, :, ::1] by_size,
              Py_ssize_t first, Py_ssize_t last, double[:, ::1] out not None):
    """out[i - first, j]: the distance of masks i and j.

    by_size, for elements that weigh the same, has the distances by sizes, and places[j] is where
    those from a set of the size of j begin.
    """
    cdef Py_ssize_t i, j, K = masks.shape[0]
    cdef af_pairs pairs
    with nogil:
        for i in range(first, last):
            one_side(&pairs, sizes[i], weights[i])
            j = 0
            while j < K:
                from_mask(kind, masks, table, sizes, weights, places, by_size, i, j,
                          min(AF_TILE, K - j), &pairs, &out[i - first, j])
                j += AF_TILE


cdef bint is_wanted(const double[:, ::1] u, Py_ssize_t i) noexcept nogil:
    cdef Py_ssize_t r
    if u is None:
        return True
    for r in range(u.shape[0]):
        if u[r, i] != 0:
            return True
    return False


def mask_sums(int kind, const uint64_t[:, ::1] masks not None, const double[:, ::1] table,
              const double[::1] sizes not None, const double[::1] weights not None,
              const int32_t[::1] places not None, const double[:, :, ::1] by_size,
              const double[:, ::1] u, const double[:, ::1] v not None, bint upper,
              Py_ssize_t first, Py_ssize_t last, double[:, ::1] out not None):
    """out[r, i - first] += Σ_j v_rj d_ij where u_ri is not 0; `upper` takes j > i only."""
    cdef Py_ssize_t i, j, r, n, K = masks.shape[0], R = v.shape[0]
    cdef af_pairs pairs
    cdef double d[AF_TILE]
    with nogil:
        for i in range(first, last):
            if not is_wanted(u, i):
                continue
            one_side(&pairs, sizes[i], weights[i])
            j = i + 1 if upper else 0
            while j < K:
                n = min(AF_TILE, K - j)
                from_mask(kind, masks, table, sizes, weights, places, by_size, i, j, n, &pairs, d)
                for r in range(R):
                    if u is None or u[r, i] != 0:
                        out[r, i - first] += af_dot(&v[r, j], d, n)
                j += n


def mask_largest(int kind, const uint64_t[:, ::1] masks not None, const double[:, ::1] table,
                 const double[::1] sizes not None, const double[::1] weights not None,
                 const int32_t[::1] places not None, const double[:, :, ::1] by_size,
                 double enough, Py_ssize_t first, Py_ssize_t last):
    """The largest distance of masks first .. last - 1 from those after them, or one >= enough."""
    cdef Py_ssize_t i, j, k, n, K = masks.shape[0]
    cdef af_pairs pairs
    cdef double d[AF_TILE]
    cdef double largest = 0
    with nogil:
        for i in range(first, last):
            one_side(&pairs, sizes[i], weights[i])
            j = i + 1
            while j < K:
                n = min(AF_TILE, K - j)
                from_mask(kind, masks, table, sizes, weights, places, by_size, i, j, n, &pairs, d)
                for k in range(n):
                    largest = d[k] if d[k] > largest else largest
                j += n
            if largest >= enough:
                break
    return largest


def mask_pairs(int kind, const uint64_t[:, ::1] masks not None, const double[:, ::1] table,
               const double[::1] sizes not None, const double[::1] weights not None,
               const int32_t[::1] a not None, const int32_t[::1] b not None,
               Py_ssize_t first, Py_ssize_t last, double[::1] out not None):
    """out[k]: the distance of masks a[k] and b[k]."""
    cdef Py_ssize_t begin, k, n, words = masks.shape[1]
    cdef af_pairs pairs
    with nogil:
        begin = first
        while begin < last:
            n = min(AF_TILE, last - begin)
            for k in range(n):
                af_common(&masks[a[begin + k], 0], &masks[b[begin + k], 0], words, 1,
                          &pairs.common[k])
                if table is None:
                    pairs.shared[k] = pairs.common[k]
                else:
                    af_shared(&masks[a[begin + k], 0], &masks[b[begin + k], 0], words,
                              &table[0, 0], 1, &pairs.shared[k])
            both_sides(&pairs, sizes, weights, &a[begin], &b[begin], n)
            af_distances(kind, &pairs, n, &out[begin])
            begin += AF_TILE


cdef void both_sides(af_pairs* pairs, const double[::1] sizes, const double[::1] weights,
                     const int32_t* a, const int32_t* b, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(n):
        pairs.size_a[k] = sizes[a[k]]
        pairs.size_b[k] = sizes[b[k]]
        pairs.weight_a[k] = weights[a[k]]
        pairs.weight_b[k] = weights[b[k]]


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


cdef void add_near(int kind, const double[::1] sizes, const double[::1] weights,
                   const double[:, ::1] u, const double[:, ::1] v, const double[:, ::1] total,
                   Py_ssize_t i, const int32_t* met, Py_ssize_t n_met, double* common,
                   double* shared, double* sums, Py_ssize_t stride) noexcept nogil:
    """sums[r] += Σ_j v_rj d_ij: what set i meets one by one, the rest at once. Clears `common`.

    The rest is a difference of sums of two doubles each: it keeps its digits where it is little.
    """
    cdef Py_ssize_t begin, k, n, r
    cdef int32_t j
    cdef af_pairs pairs
    cdef double d[AF_TILE]
    cdef double near, rest
    cdef af_sum whole, met_sum
    one_side(&pairs, sizes[i], weights[i])
    begin = 0
    while begin < n_met:
        n = min(AF_TILE, n_met - begin)
        for k in range(n):
            j = met[begin + k]
            pairs.size_b[k] = sizes[j]
            pairs.weight_b[k] = weights[j]
            pairs.common[k] = common[j]
            pairs.shared[k] = shared[j]
        af_distances(kind, &pairs, n, d)
        for r in range(v.shape[0]):
            if u is None or u[r, i] != 0:
                near = 0
                for k in range(n):
                    near += v[r, met[begin + k]] * d[k]
                sums[r * stride] += near
        begin += AF_TILE
    for r in range(v.shape[0]):
        if u is not None and u[r, i] == 0:
            continue
        met_sum.high = met_sum.low = 0
        for k in range(n_met):
            af_add(&met_sum, v[r, met[k]])
        whole.high = total[r, 0]
        whole.low = total[r, 1]
        rest = af_less(whole, met_sum)
        if kind == AF_HAMMING:
            rest *= weights[i]
            met_sum.high = met_sum.low = 0
            for k in range(n_met):
                af_add(&met_sum, v[r, met[k]] * weights[met[k]])
            whole.high = total[r, 2]
            whole.low = total[r, 3]
            rest += af_less(whole, met_sum)
        sums[r * stride] += rest
    for k in range(n_met):
        common[met[k]] = 0
        shared[met[k]] = 0


def list_sums(int kind, const int64_t[::1] start not None, const int32_t[::1] elements not None,
              const int64_t[::1] begin not None, const int32_t[::1] members not None,
              const double[::1] element_weights, const double[::1] sizes not None,
              const double[::1] weights not None, const double[:, ::1] u,
              const double[:, ::1] v not None, const double[:, ::1] total not None,
              Py_ssize_t first, Py_ssize_t last, int32_t[::1] met not None,
              double[::1] common not None, double[::1] shared not None,
              double[:, ::1] out not None):
    """out[r, i - first] += Σ_j v_rj d_ij where u_ri is not 0.

    members[begin[e] : begin[e + 1]] are the sets that have element e.
    """
    cdef Py_ssize_t i, p, q, n_met
    cdef int32_t e, j
    cdef double weight = 1
    with nogil:
        for i in range(first, last):
            if not is_wanted(u, i):
                continue
            n_met = 0
            for p in range(start[i], start[i + 1]):
                e = elements[p]
                if element_weights is not None:
                    weight = element_weights[e]
                for q in range(begin[e], begin[e + 1]):
                    j = members[q]
                    if common[j] == 0:
                        met[n_met] = j
                        n_met += 1
                    common[j] += 1
                    shared[j] += weight
            add_near(kind, sizes, weights, u, v, total, i, &met[0], n_met, &common[0], &shared[0],
                     &out[0, i - first], out.shape[1])


def list_pairs(int kind, const int64_t[::1] start not None, const int32_t[::1] elements not None,
               const double[::1] element_weights, const double[::1] sizes not None,
               const double[::1] weights not None, const int32_t[::1] a not None,
               const int32_t[::1] b not None, Py_ssize_t first, Py_ssize_t last,
               double[::1] out not None):
    """out[k]: the distance of lists a[k] and b[k]; O(their lengths)."""
    cdef Py_ssize_t from_pair, k, n, p, q, end_p, end_q
    cdef af_pairs pairs
    with nogil:
        from_pair = first
        while from_pair < last:
            n = min(AF_TILE, last - from_pair)
            for k in range(n):
                pairs.common[k] = pairs.shared[k] = 0
                p, end_p = start[a[from_pair + k]], start[a[from_pair + k] + 1]
                q, end_q = start[b[from_pair + k]], start[b[from_pair + k] + 1]
                while p < end_p and q < end_q:
                    if elements[p] == elements[q]:
                        pairs.common[k] += 1
                        pairs.shared[k] += (
                            1.0 if element_weights is None else element_weights[elements[p]]
                        )
                        p += 1
                        q += 1
                    elif elements[p] < elements[q]:
                        p += 1
                    else:
                        q += 1
            both_sides(&pairs, sizes, weights, &a[from_pair], &b[from_pair], n)
            af_distances(kind, &pairs, n, &out[from_pair])
            from_pair += AF_TILE


def span_sums(int kind, const int32_t[::1] order not None, const int32_t[::1] document not None,
              const double[::1] start not None, const double[::1] end not None,
              const double[::1] reach not None, const double[::1] lengths not None,
              const double[:, ::1] u, const double[:, ::1] v not None,
              const double[:, ::1] total not None, Py_ssize_t first, Py_ssize_t last,
              int32_t[::1] met not None, double[::1] common not None,
              double[:, ::1] out not None):
    """out[r, p - first] += Σ_j v_rj d_ij for the spans i = order[p] where u_ri is not 0.

    document, start and end stand in ascending order of (document, start); reach[p] is the largest
    end among the spans of the document up to p; lengths belong to order[p].
    """
    cdef Py_ssize_t p, q, n_met
    cdef int32_t i
    cdef double overlap
    with nogil:
        for p in range(first, last):
            i = order[p]
            if not is_wanted(u, i):
                continue
            n_met = 0
            q = p
            while q < order.shape[0] and document[q] == document[p] and start[q] < end[p]:
                met[n_met] = order[q]
                common[order[q]] = min(end[p], end[q]) - start[q]
                n_met += 1
                q += 1
            q = p - 1
            while q >= 0 and document[q] == document[p] and reach[q] > start[p]:
                overlap = min(end[p], end[q]) - start[p]
                if overlap > 0:
                    met[n_met] = order[q]
                    common[order[q]] = overlap
                    n_met += 1
                q -= 1
            add_near(kind, lengths, lengths, u, v, total, i, &met[0], n_met, &common[0],
                     &common[0], &out[0, p - first], out.shape[1])


def span_pairs(int kind, const int32_t[::1] document not None, const double[::1] start not None,
               const double[::1] end not None, const double[::1] lengths not None,
               const int32_t[::1] a not None, const int32_t[::1] b not None,
               Py_ssize_t first, Py_ssize_t last, double[::1] out not None):
    """out[k]: the distance of spans a[k] and b[k], whose arrays stand in their own order."""
    cdef Py_ssize_t begin, k, n
    cdef int32_t i, j
    cdef double overlap
    cdef af_pairs pairs
    with nogil:
        begin = first
        while begin < last:
            n = min(AF_TILE, last - begin)
            for k in range(n):
                i, j = a[begin + k], b[begin + k]
                overlap = min(end[i], end[j]) - max(start[i], start[j])
                if document[i] != document[j] or overlap < 0:
                    overlap = 0
                pairs.common[k] = pairs.shared[k] = overlap
            both_sides(&pairs, lengths, lengths, &a[begin], &b[begin], n)
            af_distances(kind, &pairs, n, &out[begin])
            begin += AF_TILE
