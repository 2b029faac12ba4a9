# EM for latent classes over rows of judgments (Dempster, Laird & Rubin 1977; Dawid & Skene 1979).
#
# A row is codes[begin:end], -1 being missing; begin is row * width and position is coder, or begin
# is start[row] where width is 0 and coders[i] is the coder; a coder may stand in a list repeatedly.
# Tables are coders x categories x classes: what a judgment adds to a row is contiguous. Codes are
# assumed below the table's categories, coders below its coders, `room` as long as there are classes
# (em.Problem makes them all), and probabilities from 0 to 1.
#
# Tables hold probabilities. A row's likelihood is their product, which only falls with each judgment:
# where its sum over the classes ends above SAFE, a class that underflowed on the way has a posterior
# below 1e-100. Elsewhere each class keeps an exponent of its own, and nothing underflows.
from libc.math cimport INFINITY, exp, fabs, log
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t

ctypedef fused code:
    int8_t
    int16_t
    int32_t

cdef extern from *:
    """
    #define AF_SAFE 1e-200
    #define AF_SMALL 0x1p-500
    #define AF_LARGE 0x1p+500
    #define AF_LOG_LARGE 346.5735902799726547
    """
    const double SAFE "AF_SAFE"
    const double SMALL "AF_SMALL"
    const double LARGE "AF_LARGE"
    const double LOG_LARGE "AF_LOG_LARGE"


cdef inline double _posterior(const code[::1] codes, const int64_t[::1] start, Py_ssize_t width,
                              const int32_t[::1] coders, const double[::1] shares,
                              const double[:, :, ::1] table, Py_ssize_t row,
                              double* out) noexcept nogil:
    """out[t] = P(class t | row); returns the row's log-likelihood.

    A row that no class can give has the posterior 0 everywhere, and -inf is returned.
    """
    cdef Py_ssize_t n_classes = shares.shape[0], i, t, begin, end
    cdef const double* factors
    cdef double total = 0, inverse
    begin = row * width if width else start[row]
    end = begin + width if width else start[row + 1]
    for t in range(n_classes):
        out[t] = shares[t]
    for i in range(begin, end):
        if codes[i] < 0:
            continue
        factors = &table[i - begin if width else coders[i], codes[i], 0]
        for t in range(n_classes):
            out[t] *= factors[t]
    for t in range(n_classes):
        total += out[t]
    if total < SAFE:
        return _small_posterior(codes, start, width, coders, shares, table, row, out)
    inverse = 1 / total
    for t in range(n_classes):
        out[t] *= inverse
    return log(total)


cdef double _small_posterior(const code[::1] codes, const int64_t[::1] start, Py_ssize_t width,
                             const int32_t[::1] coders, const double[::1] shares,
                             const double[:, :, ::1] table, Py_ssize_t row,
                             double* out) noexcept nogil:
    """The same for products of any size: logarithms, taken of factors gathered by the hundreds."""
    cdef Py_ssize_t n_classes = shares.shape[0], i, t, begin, end
    cdef double product, factor, shifts, top = -INFINITY, total = 0
    begin = row * width if width else start[row]
    end = begin + width if width else start[row + 1]
    for t in range(n_classes):
        product = shares[t]
        shifts = 0
        for i in range(begin, end):
            if codes[i] < 0:
                continue
            factor = table[i - begin if width else coders[i], codes[i], t]
            if factor < SMALL:
                factor *= LARGE
                shifts += 1
            product *= factor
            if product < SMALL:
                product *= LARGE
                shifts += 1
        out[t] = log(product) - shifts * LOG_LARGE if product > 0 else -INFINITY
        if out[t] > top:
            top = out[t]
    if top == -INFINITY:
        for t in range(n_classes):
            out[t] = 0
        return top
    for t in range(n_classes):
        out[t] = exp(out[t] - top)
        total += out[t]
    for t in range(n_classes):
        out[t] /= total
    return top + log(total)


cdef inline void _add(const code[::1] codes, const int64_t[::1] start, Py_ssize_t width,
                      const int32_t[::1] coders, Py_ssize_t row, double weight,
                      const double* posterior, double[::1] sums,
                      double[:, :, ::1] counts) noexcept nogil:
    """Add a row's posterior to the classes' sums and to the counts of what its coders said."""
    cdef Py_ssize_t n_classes = sums.shape[0], i, t, begin, end
    cdef double* cells
    begin = row * width if width else start[row]
    end = begin + width if width else start[row + 1]
    for t in range(n_classes):
        sums[t] += weight * posterior[t]
    for i in range(begin, end):
        if codes[i] < 0:
            continue
        cells = &counts[i - begin if width else coders[i], codes[i], 0]
        for t in range(n_classes):
            cells[t] += weight * posterior[t]


cdef double _expect(const code[::1] codes, const int64_t[::1] start, Py_ssize_t width,
                    const int32_t[::1] coders, const double[::1] weights,
                    const double[::1] shares, const double[:, :, ::1] table,
                    Py_ssize_t first, Py_ssize_t last, double* room, double[::1] sums,
                    double[:, :, ::1] counts) noexcept nogil:
    """The E-step over some rows; returns their log-likelihood, summed with compensation."""
    cdef Py_ssize_t row
    cdef double total = 0, lost = 0, term, sum
    sums[:] = 0
    counts[:, :, :] = 0
    for row in range(first, last):
        if weights[row] == 0:
            continue
        term = weights[row] * _posterior(codes, start, width, coders, shares, table, row,
                                         room)
        sum = total + term
        if fabs(total) >= fabs(term):
            lost += (total - sum) + term
        else:
            lost += (term - sum) + total
        total = sum
        _add(codes, start, width, coders, row, weights[row], room, sums, counts)
    return total + lost if total > -INFINITY else total


cdef double _maximise(const double[::1] sums, const double[:, :, ::1] counts, double smoothing,
                      double[::1] shares, double[:, :, ::1] table) noexcept nogil:
    """The M-step; returns `smoothing` times the sum of the table's logarithms.

    A coder's distribution in a class of which he saw nothing is all 0 (or uniform, smoothed): the
    posterior of that class is 0 in each of his rows, and stays 0.
    """
    cdef Py_ssize_t c, k, t, n_classes = sums.shape[0], n_categories = counts.shape[1]
    cdef double total = 0, penalty = 0, added = smoothing * n_categories
    for t in range(n_classes):
        total += sums[t]
    for t in range(n_classes):
        shares[t] = sums[t] / total
    for c in range(counts.shape[0]):
        for t in range(n_classes):
            total = added
            for k in range(n_categories):
                total += counts[c, k, t]
            for k in range(n_categories):
                table[c, k, t] = (counts[c, k, t] + smoothing) / total if total > 0 else 0
                if smoothing > 0:
                    penalty += log(table[c, k, t])
    return smoothing * penalty


def vote(const code[::1] codes not None, const int64_t[::1] start not None, Py_ssize_t width,
         const int32_t[::1] coders, const double[::1] weights not None, Py_ssize_t first,
         Py_ssize_t last, double[::1] room not None, double[::1] sums not None,
         double[:, :, ::1] counts not None):
    """The sums of an E-step in which a row's posterior is the shares of its labels.

    Assumes as many classes as categories, and no row without judgments (latent.judgments).
    """
    cdef Py_ssize_t row, i, k, begin, end, n = sums.shape[0]
    cdef double size
    with nogil:
        sums[:] = 0
        counts[:, :, :] = 0
        for row in range(first, last):
            begin = row * width if width else start[row]
            end = begin + width if width else start[row + 1]
            for k in range(n):
                room[k] = 0
            size = 0
            for i in range(begin, end):
                if codes[i] >= 0:
                    room[codes[i]] += 1
                    size += 1
            for k in range(n):
                room[k] /= size
            _add(codes, start, width, coders, row, weights[row], &room[0], sums, counts)


def expect(const code[::1] codes not None, const int64_t[::1] start not None, Py_ssize_t width,
           const int32_t[::1] coders, const double[::1] weights not None,
           const double[::1] shares not None, const double[:, :, ::1] table not None,
           Py_ssize_t first, Py_ssize_t last, double[::1] room not None,
           double[::1] sums not None, double[:, :, ::1] counts not None):
    """The E-step over rows first .. last - 1: sums of posteriors, and the log-likelihood.

    `room` holds a number for each class. No row may be empty.
    """
    cdef double total
    with nogil:
        total = _expect(codes, start, width, coders, weights, shares, table, first, last,
                        &room[0], sums, counts)
    return total


def maximise(const double[::1] sums not None, const double[:, :, ::1] counts not None,
             double smoothing, double[::1] shares not None,
             double[:, :, ::1] table not None):
    """The M-step; returns `smoothing` times the sum of the table's logarithms."""
    cdef double penalty
    with nogil:
        penalty = _maximise(sums, counts, smoothing, shares, table)
    return penalty


def iterate(const code[::1] codes not None, const int64_t[::1] start not None, Py_ssize_t width,
            const int32_t[::1] coders, const double[::1] weights not None,
            double[::1] shares not None, double[:, :, ::1] table not None,
            double smoothing, double tolerance, double before, double[::1] room not None,
            double[::1] sums not None, double[:, :, ::1] counts not None,
            double[:, ::1] trace not None):
    """Up to len(trace) M- and E-steps over all rows, in place.

    `sums` and `counts` are of the E-step at the parameters given, `before` its penalised
    log-likelihood. trace[i] gets step i's log-likelihood and the penalised one. The last step is
    the one in which the latter rose by at most tolerance times itself.

    Returns (steps, whether that happened).
    """
    cdef Py_ssize_t step = 0, n_steps = trace.shape[0], n_rows = weights.shape[0]
    cdef bint converged = False
    cdef double penalty, found
    with nogil:
        while step < n_steps and not converged:
            penalty = _maximise(sums, counts, smoothing, shares, table)
            trace[step, 0] = _expect(codes, start, width, coders, weights, shares, table,
                                     0, n_rows, &room[0], sums, counts)
            found = trace[step, 0] + penalty
            trace[step, 1] = found
            step += 1
            converged = found - before <= tolerance * fabs(found)
            before = found
    return step, converged


def posteriors(const code[::1] codes not None, const int64_t[::1] start not None,
               Py_ssize_t width, const int32_t[::1] coders, const double[::1] shares not None,
               const double[:, :, ::1] table not None, Py_ssize_t first, Py_ssize_t last,
               double[:, ::1] out not None, double[::1] log_likelihoods not None):
    """out[row - first]: the posterior of a row; log_likelihoods[row - first]: its logarithm."""
    cdef Py_ssize_t row
    with nogil:
        for row in range(first, last):
            log_likelihoods[row - first] = _posterior(codes, start, width, coders, shares,
                                                      table, row, &out[row - first, 0])
