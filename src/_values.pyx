# Sums over a table of numbers (NaN is missing), for squared differences. They need no categories.
# Assumes finite numbers (numbers.Moments takes no others) and one weight for each row, or None.
from libc.float cimport DBL_MIN
from libc.math cimport NAN, fabs, sqrt
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc

from agreement_fast._kernels._rows cimport Rows, af_begin, af_code, af_end, af_repeats, af_rows, af_weight

cdef extern from "student.h" nogil:
    double af_student_beyond(double, double)
    ctypedef struct af_quantiles:
        double beyond
    void af_fit_quantiles(af_quantiles*, double, double)
    double af_fitted_quantile(const af_quantiles*, double)

cdef extern from "rational.h" nogil:
    enum:
        AF_NODES
        AF_LEAF
    ctypedef struct af_part:
        const double* p
        const double* a
        const double* b
        const double* v
        int64_t n
    void af_rational_nodes(const af_part*, int, double*)
    void af_rational_leaf(const af_part*, const double*, int, int64_t, int64_t, double*)

# Items that stand for others have weights that are not whole.
ctypedef fused amount:
    int64_t
    double


cdef extern from "interval.h" nogil:
    enum:
        AF_UNIFORM
        AF_POOLED
        AF_POOLED_UNBIASED
        AF_INDIVIDUAL
        AF_GWET
    ctypedef struct af_case:
        int model
        int by_judgments
        int64_t n_coders
        int64_t K
        const double* d
        const double* numbers
        double total
        double largest
        const int32_t* labels
        const int32_t* place
        int64_t n_used
    ctypedef struct af_sums:
        double pairs
        double apart
        double items
        double selfs
        double* marginal
        double* times
    ctypedef struct af_slopes:
        double observed
        double expected
        double* marginal
        double* by_rank
        const double* of_rows
    void af_times(const af_case*, const double*, double*)
    void af_apart(const af_case*, af_sums*, double*)
    void af_slopes_of(const af_case*, const af_sums*, double*, af_slopes*)
    double af_squared_pairs(const double*, const double*, const double*, int64_t)
    int af_add_rows(const af_case*, const af_rows*, const double*, const double*, double, int64_t, double*,
                    af_sums*, double*)
    int64_t af_size_rows(const af_rows*, double, double, int32_t*, int32_t*, double*, double*, double*)
    void af_influences(const af_case*, const af_rows*, const double*, const double*, double, const af_slopes*,
                       double*)
    void af_count(const af_case*, const af_rows*, const double*, const double*, double, double*)
    void af_rank(af_case*, const double*, double*, double*)
    void af_by_rank(const af_case*, const af_rows*, const double*, const double*, double, const af_sums*, double,
                    const double*, double*, af_slopes*)
    void af_add_exactly(double, double*, double*)
    void af_spread(const double*, const double*, const int64_t*, int64_t, int64_t, const double*, double*)
    void af_spread_numbers(const double*, int64_t, double*, double*)
    void af_spread_of_table(const double*, const double*, int64_t, double, double, double*)
    void af_spread_evenly(const double*, int64_t, double*)
    void af_add_prior(const af_case*, double, double, const double*, double, double*, af_sums*)
    double af_least(const af_case*, const af_sums*, double, double, double*)
    void af_prior_influence(int64_t, double, const double*, const double*, const double*, double, double,
                            double, double, double*)
    void af_prior_of(const af_case*, const af_slopes*, double, const double*, const double*, const double*,
                     double*, double*)

cdef extern from "Python.h":
    int PyObject_GenericSetAttr(object, object, object) except -1


from numpy import empty as _empty


def fill(object result, tuple names not None, tuple values not None):
    """Set the attributes of a new object, also of a frozen one."""
    cdef Py_ssize_t i
    if len(names) != len(values):
        raise ValueError(f"{len(values)} values for {len(names)} names")
    for i in range(len(values)):
        PyObject_GenericSetAttr(result, names[i], values[i])
    return result


def student_beyond(double freedom, double t):
    """The share of Student's t beyond a number from 0 on; NaN for NaN."""
    return af_student_beyond(freedom, t)


# Fitted once for all calls in a row with the same share, so that a quantile is the same in all of them.
cdef af_quantiles _last
_last.beyond = NAN


cdef af_quantiles _fit(double beyond, double normal):
    if _last.beyond != beyond:
        af_fit_quantiles(&_last, beyond, normal)
    return _last


def student_quantile(double freedom, double beyond, double normal):
    """The number beyond which a share of at most one half of Student's t lies; NaN for NaN."""
    cdef af_quantiles fitted = _fit(beyond, normal)
    return af_fitted_quantile(&fitted, freedom)


def student_quantiles(const double[::1] freedom not None, double beyond, double normal,
                      double[::1] out not None):
    """`student_quantile` for each number of degrees of freedom."""
    cdef Py_ssize_t i
    cdef af_quantiles fitted = _fit(beyond, normal)
    if out.shape[0] != freedom.shape[0]:
        raise ValueError(f"{out.shape[0]} places for {freedom.shape[0]} numbers")
    with nogil:
        for i in range(freedom.shape[0]):
            out[i] = af_fitted_quantile(&fitted, freedom[i])


def wilson(const double[::1] share not None, const double[::1] n not None, const double[::1] z not None,
           double[:, ::1] out not None):
    """out[:, i]: both ends of Wilson's interval of a share of n_i items, for a quantile z_i."""
    cdef Py_ssize_t i
    with nogil:
        for i in range(share.shape[0]):
            out[0, i] = _wilson(share[i], n[i], z[i])
            out[1, i] = 1.0 - _wilson(1.0 - share[i], n[i], z[i])


cdef inline double _wilson(double share, double n, double z) noexcept nogil:
    """The lower root m of (share - m)² = z² m (1 - m) / n, from the product of both roots."""
    cdef double reach = z * sqrt(share * (1.0 - share) / n + z * z / (4.0 * n * n))
    return share * share / (share + z * z / (2.0 * n) + reach)


def score_ends(const double[::1] value not None, const double[::1] centre not None,
               const double[::1] least not None, const double[::1] size not None,
               const double[::1] freedom not None, double beyond, double normal,
               double[:, ::1] out not None):
    """out[:, i]: both ends of Wilson's interval of the place of the centre between the least value and 1.

    They are extended to the value. The quantile is Student's, for a share `beyond` it, the normal
    distribution having `normal`.
    """
    cdef Py_ssize_t i
    cdef double place, width, low, high, last = NAN, quantile = NAN
    cdef af_quantiles fitted = _fit(beyond, normal)
    with nogil:
        for i in range(value.shape[0]):
            if value[i] != value[i]:
                out[0, i] = out[1, i] = NAN
                continue
            if freedom[i] != last:
                last = freedom[i]
                quantile = af_fitted_quantile(&fitted, last)
            width = 1.0 - least[i]
            place = (centre[i] - least[i]) / width
            low = least[i] + width * _wilson(place, size[i], quantile)
            high = least[i] + width * (1.0 - _wilson(1.0 - place, size[i], quantile))
            out[0, i] = value[i] if value[i] < low else low
            out[1, i] = value[i] if value[i] > high else high


def prior_sizes(const double[:] sizes not None, const amount[::1] weights not None,
                const uint8_t[::1] kept not None, const int64_t[::1] groups not None,
                const double[::1] value, double judgments, double[:, ::1] out not None):
    """Compute the judgments of an item of the prior, the mean of the items, and the prior's weight.

    `value` is the coefficient of each group, for a weight that grows with agreement and judgments. Groups
    without a pair of judgments have NaN.
    """
    cdef Py_ssize_t row, g
    cdef double weight
    with nogil:
        out[:, :] = 0.0
        for row in range(sizes.shape[0]):
            if kept[row]:
                g, weight = groups[row], <double>weights[row]
                out[0, g] += weight
                out[1, g] += weight * sizes[row]
                out[2, g] += weight * sizes[row] * sizes[row]
        for g in range(out.shape[1]):
            _size_prior(&out[0, g], &out[1, g], &out[2, g], NAN if value is None else value[g], judgments)


cdef inline void _size_prior(double* n, double* sizes, double* squares, double value,
                             double judgments) noexcept nogil:
    """Turn the sums of weights, sizes and their squares into what `prior_sizes` computes."""
    cdef double agreed = 0.0, size
    if not n[0] > 0:
        n[0] = sizes[0] = squares[0] = NAN
        return
    if value > 0:
        agreed = value if value < 1.0 else 1.0
    size = squares[0] / sizes[0] if squares[0] > 2.0 * sizes[0] else 2.0
    sizes[0] = sizes[0] / n[0] if sizes[0] > 2.0 * n[0] else 2.0
    n[0] = size
    squares[0] = judgments * (1.0 + (size - 1.0) * agreed) / (1.0 + agreed) / size


def prior_influence(const double[::1] size not None, const double[:, ::1] q not None,
                    const double[:, ::1] by_label not None, const double[:, ::1] others not None,
                    const double[::1] squares, const double[::1] of_pairs not None,
                    const double[::1] constant not None, const double[::1] own,
                    double[:, ::1] out not None):
    """Compute the mean influence of an item of the prior, and its mean square.

    One half of the items are unanimous; the labels of the others are independent, of probabilities q.
    The influence is a constant, plus a term for each judgment, minus `of_pairs` times the mean distance
    of the pairs. `others` is the mean distance from each label, `squares` the mean square of the
    distance of two in squares of its mean, or None if all distances are 0 or 1. `own` is what the terms
    of different coders add to the mean square.
    """
    cdef Py_ssize_t g, k
    cdef double apart
    cdef double[2] found
    with nogil:
        for g in range(size.shape[0]):
            apart = 0.0
            for k in range(q.shape[1]):
                apart += others[g, k] * q[g, k]
            af_prior_influence(
                q.shape[1], size[g], &q[g, 0], &by_label[g, 0], &others[g, 0],
                squares[g] if squares is not None else 1.0 / apart if apart > 0 else 1.0,
                of_pairs[g], constant[g], own[g] if own is not None else 0.0, found,
            )
            out[0, g], out[1, g] = found[0], found[1]


def spread_of_groups(const double[::1] of_rows not None, const double[::1] sampled not None,
                     const int64_t[::1] groups, const double[:, ::1] prior,
                     double[:, ::1] out not None):
    """Compute n, the mean u, Σ (u_i - u)² and Σ (u_i - u)⁴ of each group; rows stand for `sampled` each.

    Without `groups`, all rows are one.

    The mean includes the prior, if there is one: prior[0] items whose mean is prior[1]. The last two
    rows of `out` get the rounding errors of the sums.
    """
    cdef Py_ssize_t n = of_rows.shape[0]
    cdef const double* of_prior = NULL
    if prior is not None:
        of_prior = &prior[0, 0]
    with nogil:
        out[:, :] = 0.0
        if n and groups is not None:
            af_spread(&of_rows[0], &sampled[0], &groups[0], n, out.shape[1], of_prior, &out[0, 0])
        elif n:
            af_spread(&of_rows[0], &sampled[0], NULL, n, 1, of_prior, &out[0, 0])


def effective(const double[:, ::1] spread not None, const double[:, ::1] prior not None,
              const double[::1] centre not None, const double[::1] least not None, double gap,
              double[:, ::1] out not None):
    """Compute the least value, at least a gap below the centre, the effective number of items, and ν.

    `spread` is what spread_of_groups computes; `prior` has the number of items of the prior, and the
    mean and the mean square of their influences. ν takes the variance of the prior as known.
    """
    cdef Py_ssize_t g, k
    cdef double[4] of_items
    cdef double[3] of_prior
    cdef double[3] found
    with nogil:
        for g in range(centre.shape[0]):
            for k in range(4):
                of_items[k] = spread[k, g]
            for k in range(3):
                of_prior[k] = prior[k, g]
            _effective(of_items, of_prior, centre[g], least[g], gap, found)
            out[0, g], out[1, g], out[2, g] = found[0], found[1], found[2]


cdef void _effective(const double* spread, const double* prior, double centre, double least, double gap,
                     double* out) noexcept nogil:
    """Do what `effective` does, for one group."""
    cdef double n = spread[0], mean = spread[1], second = spread[2], every, total, variance, counted
    cdef double low, place, width
    every = second + prior[0] * (prior[2] - 2 * mean * prior[1] + mean * mean)
    total = n + prior[0]
    variance = every * total / (total - 1)
    counted = spread[3] - second * second / n
    counted = 2 * every * every / (counted if counted > DBL_MIN else DBL_MIN)
    counted = counted if counted < n - 1 else n - 1
    low = least if least < centre - gap else centre - gap
    width = 1.0 - low
    place = (centre - low) / width * ((1.0 - centre) / width)
    out[0] = low
    out[1] = (place if place > 1e-14 else 1e-14) * width * width / variance
    out[2] = (counted if counted > 1.0 else 1.0) if n > 1 else NAN


#: The chance models of `intervals_of_tables`.
MODELS = {"uniform": AF_UNIFORM, "pooled": AF_POOLED, "pooled_unbiased": AF_POOLED_UNBIASED,
          "individual": AF_INDIVIDUAL, "gwet": AF_GWET}


cdef struct _Table:
    int model
    int by_judgments
    int64_t n_coders
    int64_t n_categories
    const double* distances
    const double* numbers
    bint of_numbers
    bint ranked
    double total
    double largest
    double least       # the judgments of an item that counts
    double judgments
    double gap


def intervals_of_tables(Rows rows not None, const int64_t[::1] start not None, int model, bint by_judgments,
                        Py_ssize_t n_coders, Py_ssize_t n_categories, const double[:, ::1] distances,
                        bint of_numbers, bint ranked, double total, double largest, const int64_t[::1] least not None,
                        double judgments, double gap, double[:, :] out not None):
    """Compute a coefficient of each table and what its interval is made from, in one pass.

    The rows of table t are those from start[t] to start[t + 1], with labels below the number of
    categories. There are `distances` (K x K), or numbers whose squared differences they are (K x 1), or
    None for the nominal one, with their total and the largest. If they are `of_numbers`, the prior is
    spread over numbers, not over categories. If they are `ranked`, each table has the ranks of its own
    judgments instead. Items with least[t] judgments count. `judgments` is that of
    `prior_sizes`, `gap` that of `effective`. out[:, t]: the value, the centre, the least value, the effective number of items, the
    degrees of freedom, D_o, D_e, the standard error, and the number of items. NaN without a value.
    """
    cdef Py_ssize_t t, k, K = max(n_categories, 1), most = 1
    cdef af_rows given = rows.c
    cdef _Table table
    cdef double[9] found
    cdef int failed = 0
    cdef int32_t* place = <int32_t*>malloc(2 * K * sizeof(int32_t))
    cdef double* room = NULL
    for t in range(start.shape[0] - 1):
        most = max(most, start[t + 1] - start[t])
    try:
        room = <double*>malloc(6 * most * sizeof(double))
        if place == NULL or room == NULL:
            raise MemoryError
        if out.shape[0] != 9 or not out.shape[1] == least.shape[0] == start.shape[0] - 1:
            raise ValueError(f"{out.shape[1]} places for {start.shape[0] - 1} tables")
        table.model, table.by_judgments, table.n_coders = model, by_judgments, n_coders
        table.n_categories, table.total, table.largest = n_categories, total, largest
        table.judgments, table.gap = judgments, gap
        table.distances = table.numbers = NULL
        table.ranked = ranked
        table.of_numbers = of_numbers and distances is not None and distances.shape[1] == 1
        if distances is not None:
            if distances.shape[0] < n_categories or distances.shape[1] not in (1, n_categories):
                raise ValueError(f"{distances.shape[0]} x {distances.shape[1]} distances")
            if distances.shape[1] == 1:
                table.numbers = &distances[0, 0]
            else:
                table.distances = &distances[0, 0]
        with nogil:
            for k in range(K):
                place[k] = -1
            for t in range(out.shape[1]):
                given.first, given.last, table.least = start[t], start[t + 1], least[t]
                failed |= _interval_of(&table, &given, place, place + K, room, found)
                for k in range(9):
                    out[k, t] = found[k]
        if failed:
            raise MemoryError
    finally:
        free(place)
        free(room)


cdef int _interval_of(const _Table* table, const af_rows* rows, int32_t* place, int32_t* labels,
                      double* of_rows, double* out) noexcept nogil:
    """Do what `intervals_of_tables` does, for a table of n rows; returns whether memory is short.

    `place` is and stays -1 for every label, `labels` has room for all, `of_rows` for 6 n numbers.
    """
    cdef Py_ssize_t i, k, row, n_rows = rows.last - rows.first, n_labels = 0, n_used, marginals
    cdef bint of_pairs = table.model == AF_UNIFORM or table.model == AF_POOLED_UNBIASED
    cdef int64_t longest = 0
    cdef int failed = 0
    cdef double weight, apart, n = 0.0, paired = max(2.0, table.least)
    cdef double[3] size
    cdef double[3] prior
    cdef double[3] found
    cdef double[8] spread
    cdef af_case case
    cdef af_sums sums
    cdef af_slopes[2] slopes  # without the prior and with it
    # Of each row, by its number in the table: its judgments, the items that are the sample, its term in D_o.
    cdef double* sizes = of_rows + 2 * n_rows - rows.first
    cdef double* sampled = sizes + n_rows
    cdef double* disagreement = sampled + n_rows
    cdef double* influences = of_rows - 2 * rows.first
    cdef double* room
    cdef double* q
    cdef double* others
    cdef double* counts
    cdef double* numbers
    cdef double* coders
    cdef double* judged
    for k in range(9):
        out[k] = NAN
    n_labels = af_size_rows(rows, paired, paired if of_pairs else max(1.0, table.least), place, labels,
                            sizes, sampled, size)
    for row in range(rows.first, rows.last):
        n += sampled[row]
        longest = max(longest, <int64_t>sizes[row] if sampled[row] else 0)
    if (table.model == AF_UNIFORM or table.model == AF_GWET) and (n_labels == 1 or table.ranked):
        n_labels = table.n_categories  # these count, also if they are not used
        for k in range(n_labels):
            labels[k] = place[k] = <int32_t>k
    out[8] = n
    n_used = n_labels + (4 if table.of_numbers else 0)
    marginals = table.n_coders * n_used
    room = <double*>calloc(4 * marginals + 10 * n_used + table.n_coders, sizeof(double))
    if room != NULL and size[0] > 0:
        case.model, case.by_judgments, case.n_coders = table.model, table.by_judgments, table.n_coders
        case.K, case.d, case.numbers, case.total, case.largest = (
            table.n_categories, table.distances, NULL, table.total, table.largest)
        case.labels, case.place, case.n_used = labels, place, n_used
        sums.marginal, sums.times = room, room + marginals
        slopes[0].marginal, slopes[1].marginal = room + 2 * marginals, room + 3 * marginals
        q = room + 4 * marginals
        others, counts, numbers, judged = q + n_used, q + 2 * n_used, q + 6 * n_used, q + 7 * n_used
        coders = q + 10 * n_used
        slopes[0].by_rank = slopes[1].by_rank = NULL
        slopes[0].of_rows = slopes[1].of_rows = disagreement
        if table.numbers != NULL:
            case.numbers = numbers
            for k in range(n_used):
                numbers[k] = table.numbers[labels[k] if k < n_labels else labels[0]]
        if table.ranked:
            slopes[0].by_rank, slopes[1].by_rank = judged + n_used, judged + 2 * n_used
            af_count(&case, rows, sampled, sizes, paired, judged)
            af_rank(&case, judged, numbers, others)
        failed = af_add_rows(&case, rows, sampled, sizes, paired, longest, disagreement, &sums, counts)
        af_apart(&case, &sums, counts)
        af_slopes_of(&case, &sums, counts, &slopes[0])
        out[5], out[6] = slopes[0].observed, slopes[0].expected
        if slopes[0].expected > 0:
            out[0] = 1.0 - slopes[0].observed / slopes[0].expected
            weight = NAN if table.model == AF_UNIFORM or table.model == AF_GWET else out[0]
            _size_prior(&size[0], &size[1], &size[2], weight, table.judgments)
            _pool(&case, rows, sampled, sizes, &sums, counts)
            if table.of_numbers:
                af_spread_numbers(counts, n_used, numbers, q)
            else:
                af_spread_evenly(counts, n_used, q)
            if table.ranked:  # the prior moves the ranks
                af_by_rank(&case, rows, sampled, sizes, paired, &sums, 0.0, q, counts, &slopes[0])
                for k in range(n_used):
                    judged[k] += size[2] * size[0] * q[k]
                    counts[k] = 0.0
                for k in range(marginals):
                    sums.marginal[k] = 0.0
                af_rank(&case, judged, numbers, others)
                slopes[1].of_rows = disagreement + n_rows
                failed |= af_add_rows(&case, rows, sampled, sizes, paired, longest, disagreement + n_rows, &sums,
                                      counts)
            af_times(&case, q, others)
            apart = 0.0
            for k in range(n_used):
                apart += others[k] * q[k]
            af_add_prior(&case, size[2], size[0], q, apart, coders, &sums)
            af_apart(&case, &sums, counts)
            af_slopes_of(&case, &sums, counts, &slopes[1])
            if table.ranked:
                apart = size[2] * (size[0] if table.by_judgments else 1.0) / 2
                af_by_rank(&case, rows, sampled, sizes, paired, &sums, apart, q, counts, &slopes[1])
            af_influences(&case, rows, sampled, sizes, paired, slopes, influences)
            prior[0] = size[2]
            af_prior_of(&case, &slopes[1], size[0], q, others, coders, counts, prior + 1)
            af_spread_of_table(of_rows, sampled + rows.first, n_rows, prior[0], prior[1], spread)
            out[7] = sqrt(spread[2] * (n / (n - 1))) if n > 1 else NAN
            out[1] = 1.0 - slopes[1].observed / slopes[1].expected
            apart = af_least(&case, &sums, slopes[1].expected, size[1], counts)
            _effective(spread + 4, prior, out[1], apart, table.gap, found)
            for k in range(3):
                out[2 + k] = found[k]
    for k in range(n_labels):
        place[labels[k]] = -1
    free(room)
    return failed or room == NULL


cdef void _pool(const af_case* case, const af_rows* rows, const double* sampled, const double* sizes,
                const af_sums* sums, double* out) noexcept nogil:
    """Add up the marginals of coders, or count the judgments if D_e has no marginal."""
    cdef Py_ssize_t i, c
    if case.model == AF_UNIFORM:
        af_count(case, rows, sampled, sizes, 0.0, out)
        return
    for i in range(case.n_used):
        out[i] = 0.0
        for c in range(case.n_coders):
            out[i] += sums.marginal[c * case.n_used + i]


def spread(const double[:, :] values not None, const int64_t[::1] weights, Py_ssize_t least):
    """(weight, weighted sum, smallest, largest) of the numbers of the rows.

    Rows of fewer than `least` numbers, and of weight 0, are left out.
    """
    cdef Py_ssize_t row, c, n, width = values.shape[1]
    cdef double total = 0.0, count = 0.0, low = 0.0, high = 0.0, part, value, weight
    cdef double row_low, row_high
    cdef bint weighted = weights is not None
    with nogil:
        for row in range(values.shape[0]):
            weight = weights[row] if weighted else 1
            part = 0.0
            n = 0
            row_low = 0.0
            row_high = 0.0
            for c in range(width):
                value = values[row, c]
                if value == value:
                    part += value
                    row_low = value if n == 0 or value < row_low else row_low
                    row_high = value if n == 0 or value > row_high else row_high
                    n += 1
            if n == 0 or n < least or weight == 0:
                continue
            low = row_low if count == 0 or row_low < low else low
            high = row_high if count == 0 or row_high > high else high
            total += weight * part
            count += weight * n
    return count, total, low, high


def row_moments(const double[:, :] values not None, const int64_t[::1] weights, double origin,
                Py_ssize_t least, int64_t[::1] out_items not None, double[:, ::1] out not None):
    """By the number n >= least of judgments of a row: how many rows, and sums over them.

    out[n] += weight times (n, Σ (x − origin), Σ (x − origin)², Σ over ordered pairs of (x − y)²).
    """
    cdef Py_ssize_t row, c, n, width = values.shape[1]
    cdef bint weighted = weights is not None
    cdef double value, gap, start, mean, sum_near, squares_near, sum_far, squares_far, weight
    cdef double* sums
    with nogil:
        for row in range(values.shape[0]):
            n = 0
            start = 0.0
            sum_near = 0.0
            sum_far = 0.0
            squares_far = 0.0
            for c in range(width):
                value = values[row, c]
                if value == value:
                    if n == 0:
                        start = value
                    n += 1
                    sum_near += value - start
                    gap = value - origin
                    sum_far += gap
                    squares_far += gap * gap
            if n < least:
                continue
            weight = weights[row] if weighted else 1
            out_items[n] += weights[row] if weighted else 1
            if n == 0 or weight == 0:
                continue
            sums = &out[n, 0]
            sums[0] += weight * n
            sums[1] += weight * sum_far
            sums[2] += weight * squares_far
            if n < 2:
                continue
            # about the row's own mean, so that no digits are lost if coders nearly agree
            mean = sum_near / n
            squares_near = 0.0
            for c in range(width):
                value = values[row, c]
                if value == value:
                    gap = (value - start) - mean
                    squares_near += gap * gap
            sums[3] += weight * 2.0 * n * squares_near


def moments_of_rows(const double[:, :] values not None, double origin, double[:, ::1] out not None):
    """out[:, row] = n, Σ (x − origin), Σ (x − origin)², Σ over ordered pairs of (x − y)², and the ends.

    Rows without numbers have 0. Equal numbers differ by exactly 0. Ends
    are the least and the largest x − origin.
    """
    cdef Py_ssize_t row, c, n, width = values.shape[1]
    cdef double value, gap, start, mean, near, first, second, squares, low, high
    if out.shape[0] != 6 or out.shape[1] != values.shape[0]:
        raise ValueError(f"{out.shape[0]} sums of {out.shape[1]} rows, not 6 of {values.shape[0]}")
    with nogil:
        for row in range(values.shape[0]):
            n = 0
            start = near = first = second = squares = low = high = 0.0
            for c in range(width):
                value = values[row, c]
                if value == value:
                    gap = value - origin
                    if n == 0:
                        start = value
                        low = high = gap
                    low, high = min(low, gap), max(high, gap)
                    n += 1
                    near += value - start
                    first += gap
                    second += gap * gap
            mean = near / n if n else 0.0
            for c in range(width):
                value = values[row, c]
                if value == value:
                    gap = (value - start) - mean
                    squares += gap * gap
            out[0, row], out[1, row], out[2, row] = n, first, second
            out[3, row], out[4, row], out[5, row] = 2.0 * n * squares, low, high


def coder_moments(const double[:, :] values not None, const int64_t[::1] weights, double origin,
                  Py_ssize_t least, double[:, ::1] out not None):
    """out[c] += weight times (1, x − origin, (x − origin)²) in rows of at least `least` judgments."""
    cdef Py_ssize_t row, c, n, width = values.shape[1]
    cdef double value, gap, weight
    with nogil:
        for row in range(values.shape[0]):
            n = 0
            for c in range(width):
                n += values[row, c] == values[row, c]
            if n < least:
                continue
            weight = weights[row] if weights is not None else 1
            if weight == 0:
                continue
            for c in range(width):
                value = values[row, c]
                if value == value:
                    gap = value - origin
                    out[c, 0] += weight
                    out[c, 1] += weight * gap
                    out[c, 2] += weight * gap * gap


def others(const amount[::1] values not None, Py_ssize_t width, double[::1] out not None):
    """In rows of `width` amounts: the sum of all others than each.

    Assumes whole rows, and integers that add up within int64.
    """
    cdef Py_ssize_t row, k, top
    cdef amount total, rest
    if width == 0:
        return
    with nogil:
        for row in range(values.shape[0] // width):
            rest = _rest(&values[row * width], width, &top)
            total = rest + values[row * width + top]
            for k in range(row * width, (row + 1) * width):
                out[k] = <double>(total - values[k])
            out[row * width + top] = <double>rest


cdef amount _rest(const amount* values, Py_ssize_t width, Py_ssize_t* largest) noexcept nogil:
    """Sum all amounts but the largest, which may be nearly the total.

    So one deviating judgment in a billion keeps its digits.
    """
    cdef Py_ssize_t k, top = 0
    cdef amount rest = 0, lost = 0, total
    for k in range(1, width):
        if values[k] > values[top]:
            top = k
    for k in range(width):
        if k != top:
            # the rounding error is added at the end (Neumaier 1974); 0 for integers
            total = rest + values[k]
            lost += (rest - total) + values[k] if rest >= values[k] else (values[k] - total) + rest
            rest = total
    largest[0] = top
    return rest + lost


def unequal(const amount[:, ::1] u not None, const amount[:, ::1] v not None,
            double[::1] out not None):
    """out[row] = Σ u_j v_l over all j ≠ l.

    Assumes rows of one length, and integers that add up within int64.
    """
    cdef Py_ssize_t row, width = v.shape[1]
    if width == 0:
        out[:] = 0
        return
    with nogil:
        for row in range(v.shape[0]):
            out[row] = _unequal(&u[row, 0], &v[row, 0], width)


def unequal_pairs(const amount[::1] u not None, const amount[::1] v not None):
    """The same of one row, as a number."""
    return _unequal(&u[0], &v[0], v.shape[0]) if v.shape[0] else 0.0


cdef double _unequal(const amount* u, const amount* v, Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t k, top
    cdef amount rest = _rest(v, width, &top), total, other
    cdef double term, whole = 0.0, lost = 0.0, following
    total = rest + v[top]
    for k in range(width):
        other = rest if k == top else total - v[k]
        term = <double>u[k] * <double>other
        following = whole + term
        lost += (whole - following) + term if whole >= term else (term - following) + whole
        whole = following
    return whole + lost


def squared_pairs(const double[::1] f not None, const double[::1] u not None,
                  const double[::1] v not None):
    """Compute Σ_jl u_j v_l (f_j − f_l)² for non-negative u and v.

    Sums about the number nearest to the mean, so that a large offset costs no digits and constant data
    give exactly 0.
    """
    return af_squared_pairs(&f[0], &u[0], &v[0], f.shape[0]) if f.shape[0] else 0.0


cdef af_part _part_of(const double[:, ::1] places, const double[::1] v) except *:
    cdef af_part part
    if places.shape[0] != 3 or places.shape[1] != v.shape[0] or not v.shape[0]:
        raise ValueError(f"{v.shape[0]} weights of {places.shape[1]} numbers")
    part.p, part.a, part.b, part.v = &places[0, 0], &places[1, 0], &places[2, 0], &v[0]
    part.n = v.shape[0]
    return part


def rational_nodes(const double[:, ::1] places not None, const double[::1] v not None):
    """Return the nodes of all parts of some numbers, as `rational_rows` takes them.

    `places` holds p, a and b, and v the weights; a and b are linear in p, which ascends. O(n).
    """
    cdef af_part part = _part_of(places, v)
    cdef int levels = 0
    while part.n > <int64_t>AF_LEAF << levels:
        levels += 1
    made = _empty((2 << levels, 4, AF_NODES))
    cdef double[:, :, ::1] nodes = made
    with nogil:
        af_rational_nodes(&part, levels, &nodes[0, 0, 0])
    return made


def rational_rows(const double[:, ::1] places not None, const double[::1] v not None,
                  const double[:, :, ::1] nodes not None, Py_ssize_t first, Py_ssize_t last,
                  double[::1] out not None):
    """Compute out[i] = Σ_j v_j (p_i − p_j)² / ((a_i + a_j)(b_i + b_j)), with 0/0 = 0.

    These are the numbers of the parts first .. last - 1 of the len(nodes) / 2 that are not cut. Assumes
    the nodes of these numbers. O(log n) for each.
    """
    cdef af_part part = _part_of(places, v)
    cdef int64_t n_leaves = nodes.shape[0] // 2, leaf, begin, end
    cdef int levels = 0
    if out.shape[0] != part.n or first < 0 or last > n_leaves or nodes.shape[2] != AF_NODES:
        raise ValueError(f"parts up to {last} of {n_leaves}, sums of {out.shape[0]} numbers")
    while n_leaves >> (levels + 1):
        levels += 1
    with nogil:
        for leaf in range(first, last):
            begin, end = (part.n * leaf) >> levels, (part.n * (leaf + 1)) >> levels
            af_rational_leaf(&part, &nodes[0, 0, 0], levels, begin, end, &out[begin])


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
