# EM for latent classes over rows of judgments (Dempster, Laird & Rubin 1977; Dawid & Skene 1979), and
# its acceleration (Varadhan & Roland 2008).
#
# Tables are coders x categories x classes, so that the numbers of a judgment are contiguous. A coder may
# occur in a list repeatedly. Assumes codes and coders within the table (em.Problem), and probabilities
# from 0 to 1.
from libc.math cimport INFINITY, fabs, log, sqrt
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t

from numpy import empty as _empty
from numpy import int32 as _int32
from numpy import int64 as _int64

from agreement_fast._kernels._rows cimport Rows, af_begin, af_end, af_rows, code

cdef extern from "latent.h" nogil:
    ctypedef struct by_class "af_by_class":
        Py_ssize_t n
        Py_ssize_t n_categories
        Py_ssize_t n_coders
        double* each
        double* table

    ctypedef struct judged "af_judged":
        const int32_t* cells
        const int64_t* start
        const double* weights
        Py_ssize_t n_categories
        Py_ssize_t first
        Py_ssize_t last

    double af_expect_any_posterior(const int32_t* cells, Py_ssize_t n, const by_class* at, double* out)
    void af_expect_any_add(const int32_t* cells, Py_ssize_t n, double weight, double* posterior,
                           const by_class* out)
    void af_clear(const by_class* out)
    double af_expect(const judged* rows, const by_class* at, double* room, const by_class* out)


cdef by_class numbers_of(double[::1] each, double[:, :, ::1] table) except *:
    cdef by_class out
    if table.shape[2] != each.shape[0]:
        raise ValueError(f"a table of {table.shape[2]} classes beside {each.shape[0]} of them")
    out.n_coders, out.n_categories, out.n = table.shape[0], table.shape[1], each.shape[0]
    out.each = &each[0] if out.n else NULL
    out.table = &table[0, 0, 0] if out.n_coders and out.n_categories and out.n else NULL
    return out


cdef inline double* cell_of(const by_class* numbers, Py_ssize_t cell) noexcept nogil:
    """The numbers of the classes for a cell, which is coder * n_categories + category."""
    return numbers.table + cell * numbers.n


cdef class Parameters:
    """Class shares, and the coders' probabilities in each class. `maximise` writes the arrays.

    Parameters
    ----------
    shares : float64 array of shape (T,)
        The probability of each class.
    table : float64 array of shape (C, K, T)
        The probability that a coder gives a category to an item of a class.

    Raises
    ------
    ValueError
        If the numbers of classes differ.
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
    """The expected numbers of items and judgments of each class. The E-step fills them.

    Parameters
    ----------
    sums : float64 array of shape (T,)
        Items of each class.
    counts : float64 array of shape (C, K, T)
        Judgments of each coder, category and class.

    Raises
    ------
    ValueError
        If the numbers of classes differ.
    """

    cdef readonly object sums
    cdef readonly object counts
    cdef by_class c
    # the posterior of the current row
    cdef double[::1] room

    def __init__(self, sums, counts):
        self.sums, self.counts = sums, counts
        self.c = numbers_of(sums, counts)
        self.room = sums.copy()


cdef class Problem:
    """Rows of judgments, and how many items each stands for.

    Parameters
    ----------
    rows : Rows
        A table, or lists with coders; or a part of these.
    weights : float64 array
        Weights of all rows, also if `rows` is a part. They replace the weights of the rows.
    n_categories : int
        Coders x categories must be below 2^31 (em.check_size).

    Raises
    ------
    ValueError
        If lists have no coders, or if the number of weights is wrong.
    """

    cdef readonly Rows rows
    cdef readonly object weights
    cdef object _cells
    cdef object _start
    cdef judged c

    def __init__(self, Rows rows not None, weights, Py_ssize_t n_categories):
        cdef const double[::1] each = weights
        cdef int32_t[::1] cells
        cdef int64_t[::1] start
        cdef Py_ssize_t n = rows.c.last - rows.c.first
        if not rows.c.width and rows.coders is None:
            raise ValueError("lists of unknown coders")
        if each.shape[0] != rows.n_rows:
            raise ValueError(f"{each.shape[0]} weights of {rows.n_rows} rows")
        self.rows, self.weights = rows, weights
        # with room for missing judgments, which stays untouched
        self._start = start = _empty(n + 1, _int64)
        self._cells = cells = _empty(
            af_begin(&rows.c, rows.c.last) - af_begin(&rows.c, rows.c.first), _int32
        )
        self.c.cells = &cells[0] if cells.shape[0] else NULL
        self.c.start = &start[0]
        self.c.weights = &each[0] + rows.c.first if n else NULL
        self.c.n_categories = n_categories
        self.c.first, self.c.last = 0, n
        with nogil:
            if rows.c.bytes == 1:
                _find_cells[int8_t](<const int8_t*>rows.c.codes, &rows.c, n_categories,
                                    <int32_t*>self.c.cells, <int64_t*>self.c.start)
            elif rows.c.bytes == 2:
                _find_cells[int16_t](<const int16_t*>rows.c.codes, &rows.c, n_categories,
                                     <int32_t*>self.c.cells, <int64_t*>self.c.start)
            else:
                _find_cells[int32_t](<const int32_t*>rows.c.codes, &rows.c, n_categories,
                                     <int32_t*>self.c.cells, <int64_t*>self.c.start)

    @property
    def n_judgments(self):
        """Of all rows, each once."""
        return int(self._start[self._start.shape[0] - 1])

    def part(self, Py_ssize_t first, Py_ssize_t last):
        """Return the same problem for a kernel that reads rows first .. last - 1 only."""
        cdef Problem some = Problem.__new__(Problem)
        if not 0 <= first <= last <= self._start.shape[0] - 1:
            raise ValueError(f"rows {first} to {last} of {self._start.shape[0] - 1}")
        some.rows, some.weights = self.rows, self.weights
        some._cells, some._start, some.c = self._cells, self._start, self.c
        some.c.first, some.c.last = first, last
        return some


cdef void _find_cells(const code* codes, const af_rows* rows, Py_ssize_t n_categories, int32_t* cells,
                      int64_t* start) noexcept nogil:
    cdef Py_ssize_t row, i, begin, n = 0, width = rows.width
    cdef int64_t coder
    for row in range(rows.first, rows.last):
        start[row - rows.first] = n
        begin = af_begin(rows, row)
        for i in range(begin, af_end(rows, row)):
            coder = i - begin if width else rows.coders[i]
            cells[n] = <int32_t>(coder * n_categories + codes[i])
            # missing judgments are overwritten: n stays below the number of codes so far
            n += codes[i] >= 0
    start[rows.last - rows.first] = n


cdef void _maximise(const by_class* expected, double smoothing, const by_class* at) noexcept nogil:
    """The M-step.

    If a coder judged no item of a class, their distribution in it is all 0 (or uniform, if smoothed):
    the posterior of that class is 0 in each of their rows, and stays 0.
    """
    cdef Py_ssize_t c, k, t, n_classes = at.n, n_categories = at.n_categories
    cdef double total = 0, added = smoothing * n_categories
    cdef double* out
    cdef const double* counts
    for t in range(n_classes):
        total += expected.each[t]
    for t in range(n_classes):
        at.each[t] = expected.each[t] / total
    for c in range(at.n_coders):
        counts, out = cell_of(expected, c * n_categories), cell_of(at, c * n_categories)
        for t in range(n_classes):
            total = added
            for k in range(n_categories):
                total += counts[k * n_classes + t]
            for k in range(n_categories):
                out[k * n_classes + t] = (
                    (counts[k * n_classes + t] + smoothing) / total if total > 0 else 0
                )


cdef double _penalty(const by_class* at, double smoothing) noexcept nogil:
    """`smoothing` times the sum of the table's logarithms."""
    cdef Py_ssize_t i
    cdef double total = 0
    if smoothing > 0:
        for i in range(at.n_coders * at.n_categories * at.n):
            total += log(at.table[i])
    return smoothing * total


# ---------------------------------------------------------------------- acceleration

# Distributions are points of a sphere, their coordinates being the roots of the probabilities: squares
# of any coordinates, divided by their sum, are a distribution, so that no leap leaves the simplex.
# The shortest and the longest leap that may be the limit, and the factor from one limit to the next.
# A coordinate moves by at most 4 * LONGEST^2, whose square is far from overflowing.
cdef extern from *:
    """
    #define AF_SHORTEST 4.0
    #define AF_LONGEST 1048576.0
    #define AF_FACTOR 4.0
    #define AF_SETTLED 1e-4
    """
    const double SHORTEST "AF_SHORTEST"
    const double LONGEST "AF_LONGEST"
    const double FACTOR "AF_FACTOR"
    # Leaps begin once the log-likelihood rises by at most this share of its value: by then EM has
    # settled near one maximum.
    const double SETTLED "AF_SETTLED"


cdef double _leap_in(double* before, const double* at, const double* after, Py_ssize_t n,
                     Py_ssize_t stride, double limit) noexcept nogil:
    """Replace the first of three successive distributions by their extrapolation; return its length.

    Varadhan & Roland 2008, scheme S3, with a length for each distribution: |r| / |v|, where r and v are
    the first and second differences. It is from 1, which gives `after`, to `limit`. A category has
    probability 0 if and only if it has 0 in `after`.
    """
    cdef Py_ssize_t k
    cdef double first, second, r, v, square, length = 1, rr = 0, vv = 0, total = 0
    for k in range(n):
        first, second = sqrt(before[k * stride]), sqrt(at[k * stride])
        before[k * stride] = first
        r = second - first
        v = (sqrt(after[k * stride]) - second) - r
        rr += r * r
        vv += v * v
    if vv > 0:
        length = min(sqrt(rr / vv), limit)
    if not length > 1:
        for k in range(n):
            before[k * stride] = after[k * stride]
        return 1
    for k in range(n):
        first, second = before[k * stride], sqrt(at[k * stride])
        r = second - first
        v = (sqrt(after[k * stride]) - second) - r
        first += length * (2 * r + length * v)
        square = first * first
        before[k * stride] = square if square > 0 and after[k * stride] > 0 else after[k * stride]
        total += before[k * stride]
    if total > 0:  # or `after` excludes all
        for k in range(n):
            before[k * stride] /= total
    return length


cdef double _leap(const by_class* before, const by_class* at, const by_class* after,
                  double limit) noexcept nogil:
    """The same for all distributions; return the largest length."""
    cdef Py_ssize_t c, t, place
    cdef double longest = _leap_in(before.each, at.each, after.each, at.n, 1, limit)
    for c in range(at.n_coders):
        for t in range(at.n):
            place = c * at.n_categories * at.n + t
            longest = max(longest, _leap_in(before.table + place, at.table + place,
                                            after.table + place, at.n_categories, at.n, limit))
    return longest


cdef enum kind:
    START, STEP, LEAP


cdef class Ascent:
    """EM from some parameters, step by step: an E-step at `at` into `expected`, then `take`.

    After three successive points, the next is extrapolated from them (a leap). If the (penalised)
    log-likelihood is lower there, EM goes on from the third point. EM stops after an M-step that
    raised the log-likelihood by at most `tolerance` times its value, or after `max_iterations`
    steps. The last step is no leap.

    Parameters
    ----------
    points : three Parameters
        The start, and room for two more.
    expected : Expected
    smoothing, tolerance : float
    max_iterations : int
    accelerated : bool
        Whether to leap.
    """

    cdef object _points
    cdef Expected _expected
    # the point to look at, the one before it, and what is free or, in a leap, the way back
    cdef by_class here, base, spare
    cdef double smoothing, tolerance, limit, longest
    # of the best point so far, with the penalty
    cdef double value
    cdef Py_ssize_t left
    cdef kind stage
    cdef bint may_leap, settled, rested
    cdef readonly double log_likelihood
    cdef readonly bint converged
    cdef readonly bint done

    def __init__(self, points, Expected expected not None, double smoothing, double tolerance,
                 Py_ssize_t max_iterations, bint accelerated):
        cdef Parameters start, second, third
        start, second, third = points
        self._points, self._expected = points, expected
        self.here, self.base, self.spare = start.c, second.c, third.c
        self.smoothing, self.tolerance, self.left = smoothing, tolerance, max_iterations
        self.stage, self.value, self.may_leap = START, -INFINITY, accelerated
        self.limit = SHORTEST

    @property
    def at(self):
        """The point of the next E-step; at the end, the estimate."""
        cdef Parameters point
        for point in self._points:
            if point.c.each == self.here.each:
                return point

    def take(self, double found):
        """Choose the next point after the E-step at this one; return the best value so far.

        Parameters
        ----------
        found : float
            The log-likelihood here.
        """
        with nogil:
            self._take(found)
        return self.value

    def run(self, Problem problem not None, double[::1] trace not None):
        """Run up to len(trace) E-steps and return how many. trace[i] gets the result of `take`."""
        cdef Py_ssize_t n = 0
        cdef double* room = &self._expected.room[0]
        _check_fit(problem, &self.here, &self._expected.c)
        with nogil:
            while n < trace.shape[0] and not self.done:
                self._take(af_expect(&problem.c, &self.here, room, &self._expected.c))
                trace[n] = self.value
                n += 1
        return n

    cdef void _take(self, double found) noexcept nogil:
        cdef double value = found + _penalty(&self.here, self.smoothing)
        cdef double rise = value - self.value
        self.left -= self.stage != START
        if self.stage == LEAP and not rise >= 0:
            # (or it is NaN)
            self.here, self.spare = self.spare, self.here
            self.limit = max(SHORTEST, self.longest / FACTOR)
            self.stage, self.rested = STEP, False
            return
        self.value, self.log_likelihood = value, found
        self.converged = self.stage == STEP and rise <= self.tolerance * fabs(value)
        self.done = self.converged or self.left == 0
        if self.done:
            return
        _maximise(&self._expected.c, self.smoothing, &self.spare)
        if self.stage == STEP:
            if self.settled and self.rested and self.left > 1 and self._leaps():
                return
            self.settled = self.settled or (self.may_leap and rise <= SETTLED * fabs(value))
        elif self.stage == LEAP and self.longest >= self.limit:
            self.limit = min(LONGEST, self.limit * FACTOR)
        self.stage, self.rested = STEP, True
        self.base, self.here, self.spare = self.here, self.spare, self.base

    cdef bint _leaps(self) noexcept nogil:
        """Leap to the extrapolation of base, here and spare, if it is further than spare."""
        self.longest = _leap(&self.base, &self.here, &self.spare, self.limit)
        if self.longest > 1:
            self.stage = LEAP
            self.here, self.base = self.base, self.here
        return self.stage == LEAP


# ---------------------------------------------------------------------- single steps


cdef void _check_fit(Problem problem, const by_class* at, const by_class* out) except *:
    if problem.c.n_categories != at.n_categories or problem.c.n_categories != out.n_categories:
        raise ValueError(
            f"tables of {at.n_categories} and {out.n_categories} categories for judgments of "
            f"{problem.c.n_categories}"
        )
    if at.n != out.n or at.n_coders != out.n_coders:
        raise ValueError("tables of different coders or classes")


def vote(Problem problem not None, Expected out not None):
    """Compute the sums of an E-step with the shares of a row's labels as its posterior.

    Assumes one class for each category, and a judgment in every row (judgments.patterns).
    """
    cdef Py_ssize_t row, i, k, n
    cdef double* room = &out.room[0]
    cdef const int32_t* cells
    cdef const judged* rows = &problem.c
    _check_fit(problem, &out.c, &out.c)
    with nogil:
        af_clear(&out.c)
        for row in range(rows.first, rows.last):
            cells, n = rows.cells + rows.start[row], rows.start[row + 1] - rows.start[row]
            for k in range(out.c.n):
                room[k] = 0
            for i in range(n):
                room[cells[i] % rows.n_categories] += 1
            for k in range(out.c.n):
                room[k] /= n
            af_expect_any_add(cells, n, rows.weights[row], room, &out.c)


def expect(Problem problem not None, Parameters at not None, Expected out not None):
    """The E-step: sums of posteriors, and the log-likelihood."""
    cdef double total
    cdef double* room = &out.room[0]
    _check_fit(problem, &at.c, &out.c)
    with nogil:
        total = af_expect(&problem.c, &at.c, room, &out.c)
    return total


def maximise(Expected expected not None, double smoothing, Parameters out not None):
    """The M-step."""
    with nogil:
        _maximise(&expected.c, smoothing, &out.c)


def posteriors(Problem problem not None, Parameters at not None, double[:, ::1] out not None,
               double[::1] log_likelihoods not None):
    """Compute the posterior out[i] and the log-likelihood of each row.

    The posterior of a row without judgments is the class shares.
    """
    cdef Py_ssize_t i
    cdef const int64_t* start = problem.c.start + problem.c.first
    _check_fit(problem, &at.c, &at.c)
    with nogil:
        for i in range(problem.c.last - problem.c.first):
            log_likelihoods[i] = af_expect_any_posterior(
                problem.c.cells + start[i], start[i + 1] - start[i], &at.c, &out[i, 0]
            )
