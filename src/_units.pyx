# Units of continua: the number of points below two bounds at once.
from libc.stdint cimport int64_t


def count_dominated(const int64_t[::1] rank not None, const int64_t[::1] upto not None,
                    const int64_t[::1] limit not None, int64_t[::1] tree not None,
                    int64_t[::1] out not None):
    """Count in out[q] the points among the first upto[q] whose rank is below limit[q].

    O((P + Q) log P). Assumes ranks and limits from 0 to P - 1 and P, upto ascending to at most P, and
    P + 1 zeros in tree (line.Line.coders_intersecting).
    """
    cdef Py_ssize_t query, point = 0, n_points = rank.shape[0]
    cdef int64_t place, count
    with nogil:
        for query in range(upto.shape[0]):
            while point < upto[query]:
                place = rank[point] + 1
                while place <= n_points:
                    tree[place] += 1
                    place += place & -place
                point += 1
            place = limit[query]
            count = 0
            while place > 0:
                count += tree[place]
                place -= place & -place
            out[query] = count
