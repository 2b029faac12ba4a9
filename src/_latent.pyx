# EM for latent classes over rows of judgments (Dempster, Laird & Rubin 1977; Dawid & Skene 1979).
#
# Tables are coders x categories x classes: what a judgment adds to a row is contiguous. A coder may
# stand in a list repeatedly. Codes are assumed below the table's categories, coders below its coders
# (em.Problem), and probabilities from 0 to 1.
#
# Tables hold probabilities. A row's likelihood is their product, which only falls with each judgment:
# where its sum over the classes ends above SAFE, a class that underflowed on the way has a posterior
# below 1e-100. Elsewhere each class keeps an exponent of its own, and nothing underflows.
from libc.math cimport INFINITY, exp, fabs, log
from libc.stdint cimport int8_t, int16_t, int32_t

from agreement_fast._kernels._rows cimport Rows, af_begin, af_end, af_rows, code

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


# A number for each of n classes, and for each coder, category and class.
cdef struct by_class:
    Py_ssize_t n
    Py_ssize_t n_categories
    Py_ssize_t n_coders
    Py_ssize_t of_coder  # numbers of each
    double* each
    double* table


cdef by_class numbers_of(double[::1] each, double[:, :, ::1] table) except *:
    cdef by_class out
    if table.shape[2] != each.shape[0]:
        raise ValueError(f"a table of {table.shape[2]} classes beside {each.shape[0]} of them")
    out.n_coders, out.n_categories, out.n = table.shape[0], table.shape[1], each.shape[0]
    out.of_coder = out.n_categories * out.n
    out.each = &each[0] if out.n else NULL
    out.table = &table[0, 0, 0] if out.n_coders and out.n_categories and out.n else NULL
    return out


cdef inline double* cells(const by_class* numbers, Py_ssize_t coder,
                          Py_ssize_t category) noexcept nogil:
    """The numbers of the classes for a coder and a category."""
    return numbers.table + coder * numbers.of_coder + category * numbers.n


cdef class Parameters:
    """Class shares, and what coders say in each class. Its arrays are written by `maximise`.

    Parameters
    ----------
    shares : float64 array of shape (T,)
        How probable each class is.
    table : float64 array of shape (C, K, T)
        How probable it is that a coder says a category of an item of a class.

    Raises
    ------
    ValueError
        Numbers of classes that differ.
    """

    cdef readonly object shares
    cdef readonly object table
    cdef by_class c

    def __init__(self, shares, table):
        self.shares, self.table = shares, table
        self.c = numbers_of(shares, table)

    def __reduce__(self):
        return type(self), (self.shares, self.table)


cdef class Expected:
    """How many items there are of each class, and what coders said of them: an E-step fills it.

    Parameters
    ----------
    sums : float64 array of shape (T,)
        Items of each class.
    counts : float64 array of shape (C, K, T)
        Judgments of each coder, category and class.

    Raises
    ------
    ValueError
        Numbers of classes that differ.
    """

    cdef readonly object sums
    cdef readonly object counts
    cdef by_class c
    # the posterior of the row that is looked at
    cdef double[::1] room

    def __init__(self, sums, counts):
        self.sums, self.counts = sums, counts
        self.c = numbers_of(sums, counts)
        self.room = sums.copy()


cdef class Problem:
    """Rows of judgments, none empty, and how many items each stands for.

    Parameters
    ----------
    rows : Rows
        A table, or lists that know their coders.
    weights : float64 array of shape (U,)
        In place of the weights that the rows have.

    Raises
    ------
    ValueError
        Lists of unknown coders, or another number of weights.
    """

    cdef readonly Rows rows
    cdef readonly object weights
    cdef const double* c_weights

    def __init__(self, Rows rows not None, weights):
        cdef const double[::1] each = weights
        if not rows.c.width and rows.coders is None:
            raise ValueError("lists of unknown coders")
        if each.shape[0] != rows.n_rows:
            raise ValueError(f"{each.shape[0]} weights of {rows.n_rows} rows")
        self.rows, self.weights = rows, weights
        self.c_weights = &each[0] if rows.n_rows else NULL

    def part(self, Py_ssize_t first, Py_ssize_t last):
        """The same for a kernel that is to look at rows first .. last - 1 only."""
        cdef Problem some = Problem.__new__(Problem)
        some.rows, some.weights = self.rows.part(first, last), self.weights
        some.c_weights = self.c_weights
        return some


cdef inline double _posterior(const code* codes, const af_rows* rows, const by_class* at,
                              Py_ssize_t row, double* out) noexcept nogil:
    """out[t] = P(class t | row); returns the row's log-likelihood.

    A row that no class can give has the posterior 0 everywhere, and -inf is returned.
    """
    cdef Py_ssize_t n_classes = at.n, i, t, begin = af_begin(rows, row), end = af_end(rows, row)
    cdef Py_ssize_t width = rows.width
    cdef const double* factors
    cdef double total = 0, inverse
    for t in range(n_classes):
        out[t] = at.each[t]
    for i in range(begin, end):
        if codes[i] < 0:
            continue
        factors = cells(at, i - begin if width else rows.coders[i], codes[i])
        for t in range(n_classes):
            out[t] *= factors[t]
    for t in range(n_classes):
        total += out[t]
    if total < SAFE:
        return _small_posterior(codes, rows, at, row, out)
    inverse = 1 / total
    for t in range(n_classes):
        out[t] *= inverse
    return log(total)


cdef double _small_posterior(const code* codes, const af_rows* rows, const by_class* at,
                             Py_ssize_t row, double* out) noexcept nogil:
    """The same for products of any size: logarithms, taken of factors gathered by the hundreds."""
    cdef Py_ssize_t n_classes = at.n, i, t, begin = af_begin(rows, row), end = af_end(rows, row)
    cdef Py_ssize_t width = rows.width
    cdef double product, factor, shifts, top = -INFINITY, total = 0
    for t in range(n_classes):
        product = at.each[t]
        shifts = 0
        for i in range(begin, end):
            if codes[i] < 0:
                continue
            factor = cells(at, i - begin if width else rows.coders[i], codes[i])[t]
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


cdef inline void _add(const code* codes, const af_rows* rows, Py_ssize_t row, double weight,
                      const double* posterior, const by_class* out) noexcept nogil:
    """Add a row's posterior to the classes' sums and to the counts of what its coders said."""
    cdef Py_ssize_t n_classes = out.n, i, t, begin = af_begin(rows, row), end = af_end(rows, row)
    cdef Py_ssize_t width = rows.width
    cdef double* sums = out.each
    for t in range(n_classes):
        sums[t] += weight * posterior[t]
    for i in range(begin, end):
        if codes[i] < 0:
            continue
        sums = cells(out, i - begin if width else rows.coders[i], codes[i])
        for t in range(n_classes):
            sums[t] += weight * posterior[t]


cdef void _clear(const by_class* out) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(out.n):
        out.each[i] = 0
    for i in range(out.n_coders * out.n_categories * out.n):
        out.table[i] = 0


cdef double _expect(const code* codes, const af_rows* rows, const double* weights,
                    const by_class* at, double* room, const by_class* out) noexcept nogil:
    """The E-step over some rows; returns their log-likelihood, summed with compensation."""
    cdef Py_ssize_t row
    cdef double total = 0, lost = 0, term, sum
    _clear(out)
    for row in range(rows.first, rows.last):
        if weights[row] == 0:
            continue
        term = weights[row] * _posterior(codes, rows, at, row, room)
        sum = total + term
        if fabs(total) >= fabs(term):
            lost += (total - sum) + term
        else:
            lost += (term - sum) + total
        total = sum
        _add(codes, rows, row, weights[row], room, out)
    return total + lost if total > -INFINITY else total


cdef double _expect_any(const af_rows* rows, const double* weights, const by_class* at,
                        double* room, const by_class* out) noexcept nogil:
    if rows.bytes == 1:
        return _expect[int8_t](<const int8_t*>rows.codes, rows, weights, at, room, out)
    if rows.bytes == 2:
        return _expect[int16_t](<const int16_t*>rows.codes, rows, weights, at, room, out)
    return _expect[int32_t](<const int32_t*>rows.codes, rows, weights, at, room, out)


cdef double _maximise(const by_class* expected, double smoothing, const by_class* at) noexcept nogil:
    """The M-step; returns `smoothing` times the sum of the table's logarithms.

    A coder's distribution in a class of which he saw nothing is all 0 (or uniform, smoothed): the
    posterior of that class is 0 in each of his rows, and stays 0.
    """
    cdef Py_ssize_t c, k, t, n_classes = at.n, n_categories = at.n_categories
    cdef double total = 0, penalty = 0, added = smoothing * n_categories
    cdef double* out
    cdef const double* counts
    for t in range(n_classes):
        total += expected.each[t]
    for t in range(n_classes):
        at.each[t] = expected.each[t] / total
    for c in range(at.n_coders):
        counts, out = cells(expected, c, 0), cells(at, c, 0)
        for t in range(n_classes):
            total = added
            for k in range(n_categories):
                total += counts[k * n_classes + t]
            for k in range(n_categories):
                out[k * n_classes + t] = (
                    (counts[k * n_classes + t] + smoothing) / total if total > 0 else 0
                )
                if smoothing > 0:
                    penalty += log(out[k * n_classes + t])
    return smoothing * penalty


def vote(Problem problem not None, Expected out not None):
    """The sums of an E-step in which a row's posterior is the shares of its labels.

    Assumes one class for each category, and a judgment in every row (judgments.patterns).
    """
    cdef const af_rows* rows = &problem.rows.c
    cdef const double* weights = problem.c_weights
    cdef double* room = &out.room[0]
    with nogil:
        if rows.bytes == 1:
            _vote[int8_t](<const int8_t*>rows.codes, rows, weights, room, &out.c)
        elif rows.bytes == 2:
            _vote[int16_t](<const int16_t*>rows.codes, rows, weights, room, &out.c)
        else:
            _vote[int32_t](<const int32_t*>rows.codes, rows, weights, room, &out.c)


cdef void _vote(const code* codes, const af_rows* rows, const double* weights, double* room,
                const by_class* out) noexcept nogil:
    cdef Py_ssize_t row, i, k
    cdef double size
    _clear(out)
    for row in range(rows.first, rows.last):
        for k in range(out.n):
            room[k] = 0
        size = 0
        for i in range(af_begin(rows, row), af_end(rows, row)):
            if codes[i] >= 0:
                room[codes[i]] += 1
                size += 1
        for k in range(out.n):
            room[k] /= size
        _add(codes, rows, row, weights[row], room, out)


def expect(Problem problem not None, Parameters at not None, Expected out not None):
    """The E-step: sums of posteriors, and the log-likelihood. No row may be empty."""
    cdef double total
    cdef double* room = &out.room[0]
    with nogil:
        total = _expect_any(&problem.rows.c, problem.c_weights, &at.c, room, &out.c)
    return total


def maximise(Expected expected not None, double smoothing, Parameters out not None):
    """The M-step; returns `smoothing` times the sum of the table's logarithms."""
    cdef double penalty
    with nogil:
        penalty = _maximise(&expected.c, smoothing, &out.c)
    return penalty


def iterate(Problem problem not None, Parameters at not None, Expected expected not None,
            double smoothing, double tolerance, double[:, ::1] trace not None):
    """Up to len(trace) - 1 M- and E-steps, in place.

    `expected` is of the E-step at the parameters given, trace[0] its log-likelihood and the
    penalised one. trace[i] gets those of step i. The last step is the one in which the latter rose
    by at most tolerance times itself.

    Returns (steps, whether that happened).
    """
    cdef Py_ssize_t step = 0, n_steps = trace.shape[0] - 1
    cdef bint converged = False
    cdef double penalty, found, before = trace[0, 1]
    cdef double* room = &expected.room[0]
    with nogil:
        while step < n_steps and not converged:
            step += 1
            penalty = _maximise(&expected.c, smoothing, &at.c)
            trace[step, 0] = _expect_any(&problem.rows.c, problem.c_weights, &at.c, room,
                                         &expected.c)
            found = trace[step, 0] + penalty
            trace[step, 1] = found
            converged = found - before <= tolerance * fabs(found)
            before = found
    return step, converged


def posteriors(Rows rows not None, Parameters at not None, double[:, ::1] out not None,
               double[::1] log_likelihoods not None):
    """out[i]: the posterior of the i-th row to look at; log_likelihoods[i]: its logarithm."""
    with nogil:
        if rows.c.bytes == 1:
            _posteriors[int8_t](<const int8_t*>rows.c.codes, &rows.c, &at.c, out, log_likelihoods)
        elif rows.c.bytes == 2:
            _posteriors[int16_t](<const int16_t*>rows.c.codes, &rows.c, &at.c, out,
                                 log_likelihoods)
        else:
            _posteriors[int32_t](<const int32_t*>rows.c.codes, &rows.c, &at.c, out,
                                 log_likelihoods)


cdef void _posteriors(const code* codes, const af_rows* rows, const by_class* at,
                      double[:, ::1] out, double[::1] log_likelihoods) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(rows.last - rows.first):
        log_likelihoods[i] = _posterior(codes, rows, at, rows.first + i, &out[i, 0])
