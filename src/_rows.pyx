# Rows of judgments: the input of the kernels.
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t

from numpy import ascontiguousarray as _ascontiguousarray


cdef class Rows:
    """U rows of judgments, as a table or as lists. It is immutable, and its arrays must not change.

    Parameters
    ----------
    codes : int8, int16 or int32 array
        Category codes; -1 is missing. In a table, row r is ``codes[r * width : (r + 1) * width]``, and
        the position in it is the coder. A list is ``codes[start[r] : start[r + 1]]``, without missing
        judgments.
    width : int
        Number of coders of a table, 0 for lists.
    start : int64 array of shape (U + 1,) or None
        Offsets of the lists; None for a table.
    coders : int32 array or None
        The coder of each judgment of a list; None for a table, or if coders are unknown.
    repeats : int64 array or None
        How many judgments each code stands for; None means one.
    weights : int64 array of shape (U,) or None
        How many items each row stands for; None means one.

    Attributes
    ----------
    n_rows : int
        U.

    Raises
    ------
    ValueError
        If the lengths of the arrays do not match. Their content is not checked: the caller must ensure
        that codes are below the number of categories and that offsets ascend.
    """

    def __init__(self, codes, Py_ssize_t width, start=None, coders=None, repeats=None,
                 weights=None):
        cdef const int8_t[::1] bytes_
        cdef const int16_t[::1] shorts
        cdef const int32_t[::1] ints
        cdef const int64_t[::1] longs
        cdef Py_ssize_t n = len(codes)
        self.codes, self.width = codes, width
        self.start, self.coders, self.repeats, self.weights = start, coders, repeats, weights
        self.c.bytes = codes.itemsize
        if self.c.bytes == 1:
            bytes_ = codes
            self.c.codes = &bytes_[0] if n else NULL
        elif self.c.bytes == 2:
            shorts = codes
            self.c.codes = &shorts[0] if n else NULL
        else:
            ints = codes
            self.c.codes = &ints[0] if n else NULL
        self.c.width = width
        if width:
            if start is not None or coders is not None or width < 0 or n % width:
                raise ValueError(f"{n} codes are no table of {width} columns")
            self.n_rows = n // width
        else:
            longs = start
            self.n_rows = longs.shape[0] - 1
            if self.n_rows < 0 or longs[0] != 0 or longs[self.n_rows] != n:
                raise ValueError(f"the offsets of lists do not lead from 0 to {n}")
            self.c.start = &longs[0]
        if coders is not None:
            ints = coders
            if ints.shape[0] != n:
                raise ValueError(f"{ints.shape[0]} coders of {n} judgments")
            self.c.coders = &ints[0] if n else NULL
        if repeats is not None:
            longs = repeats
            if longs.shape[0] != n:
                raise ValueError(f"{longs.shape[0]} repeats of {n} judgments")
            self.c.repeats = &longs[0] if n else NULL
        if weights is not None:
            longs = weights
            if longs.shape[0] != self.n_rows:
                raise ValueError(f"{longs.shape[0]} weights of {self.n_rows} rows")
            self.c.weights = &longs[0] if self.n_rows else NULL
        self.c.first, self.c.last = 0, self.n_rows

    def part(self, Py_ssize_t first, Py_ssize_t last):
        """Return the same rows for a kernel that reads rows first .. last - 1 only."""
        cdef Rows some = Rows.__new__(Rows)
        if not 0 <= first <= last <= self.n_rows:
            raise ValueError(f"rows {first} to {last} of {self.n_rows}")
        some.codes, some.width, some.start = self.codes, self.width, self.start
        some.coders, some.repeats, some.weights = self.coders, self.repeats, self.weights
        some.n_rows, some.c = self.n_rows, self.c
        some.c.first, some.c.last = first, last
        return some

    def replace(self, *, codes=None, repeats=None, weights=None):
        """Return the same rows with some arrays replaced."""
        return Rows(
            self.codes if codes is None else codes,
            self.width,
            self.start,
            self.coders,
            self.repeats if repeats is None else repeats,
            self.weights if weights is None else weights,
        )

    def table(self):
        """Return the codes of a table as an array of shape (U, C)."""
        return self.codes.reshape(self.n_rows, self.width)

    def longest(self):
        """Return the largest number of codes of a row. O(U) for lists."""
        cdef Py_ssize_t row
        cdef int64_t most = self.c.width
        if not self.c.width:
            for row in range(self.n_rows):
                most = max(most, self.c.start[row + 1] - self.c.start[row])
        return most

    def __reduce__(self):
        return Rows, (self.codes, self.width, self.start, self.coders, self.repeats, self.weights)


cdef class CountTable:
    """How often each of U rows has each of K labels. It is immutable, and its arrays must not change.

    Parameters
    ----------
    cells : int8, int16, int32 or int64 array of shape (U, K)
        The counts, 0 or more; copied if they are not in C order.
    weights : int64 array of shape (U,) or None
        How many items each row stands for; None means one.

    Attributes
    ----------
    n_rows : int
        U.

    Raises
    ------
    ValueError
        If there is not a weight for each row.
    """

    def __init__(self, cells, weights=None):
        cdef const uint8_t[:, ::1] bytes_
        cdef const int64_t[::1] longs
        self.cells, self.weights = _ascontiguousarray(cells), weights
        bytes_ = self.cells.view("u1")
        self.n_rows = bytes_.shape[0]
        self.c.bytes = cells.itemsize
        self.c.n_labels = bytes_.shape[1] // self.c.bytes
        self.c.cells = &bytes_[0, 0] if self.n_rows and self.c.n_labels else NULL
        if weights is not None:
            longs = weights
            if longs.shape[0] != self.n_rows:
                raise ValueError(f"{longs.shape[0]} weights of {self.n_rows} rows")
            self.c.weights = &longs[0] if self.n_rows else NULL
        self.c.first, self.c.last = 0, self.n_rows

    def part(self, Py_ssize_t first, Py_ssize_t last):
        """Return the same rows for a kernel that reads rows first .. last - 1 only."""
        cdef CountTable some = CountTable.__new__(CountTable)
        if not 0 <= first <= last <= self.n_rows:
            raise ValueError(f"rows {first} to {last} of {self.n_rows}")
        some.cells, some.weights, some.n_rows, some.c = (
            self.cells, self.weights, self.n_rows, self.c)
        some.c.first, some.c.last = first, last
        return some

    def __reduce__(self):
        return CountTable, (self.cells, self.weights)
