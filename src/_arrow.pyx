# Columns of an Arrow stream, read without a copy -> codes and keys.
#
# The structs are those of the Arrow C data and C stream interfaces.
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from os import urandom as _urandom

cdef extern from "mix.h" nogil:
    enum:
        AF_SECRETS
    void af_set_secrets(const uint8_t*)
    void af_keyed_hash(const char*, int64_t, uint64_t*)

cdef extern from "numbering.h" nogil:
    ctypedef struct af_text:
        const uint8_t* bytes
        int64_t length
    uint64_t af_hash(af_text)
    bint af_same(af_text, af_text)

cdef extern from "arrow.h" nogil:
    cdef struct ArrowSchema:
        const char* format
        const char* name
        const char* metadata
        int64_t flags
        int64_t n_children
        ArrowSchema** children
        ArrowSchema* dictionary
        void (*release)(ArrowSchema*) noexcept nogil
        void* private_data
    cdef struct ArrowArray:
        int64_t length
        int64_t null_count
        int64_t offset
        int64_t n_buffers
        int64_t n_children
        const void** buffers
        ArrowArray** children
        ArrowArray* dictionary
        void (*release)(ArrowArray*) noexcept nogil
        void* private_data
    cdef struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream*, ArrowSchema*) noexcept nogil
        int (*get_next)(ArrowArrayStream*, ArrowArray*) noexcept nogil
        const char* (*get_last_error)(ArrowArrayStream*) noexcept nogil
        void (*release)(ArrowArrayStream*) noexcept nogil
        void* private_data


def set_secrets(const uint8_t[::1] secrets not None):
    """Replace the secrets of the hashes, which no result depends on. Assumes that no table is in use."""
    if secrets.shape[0] != AF_SECRETS * 8:
        raise ValueError(f"{secrets.shape[0]} bytes of secrets")
    af_set_secrets(&secrets[0])


set_secrets(_urandom(AF_SECRETS * 8))


cdef class Batch:
    """Rows of a stream. The columns stay in the producer's memory until the batch is deleted."""
    cdef ArrowArray array
    cdef bytes kinds

    def __cinit__(self):
        self.array.release = NULL

    def __dealloc__(self):
        if self.array.release != NULL:
            self.array.release(&self.array)

    def __len__(self):
        return self.array.length


cdef class Batches:
    """An Arrow stream in its capsule, with columns of 64-bit integers or texts.

    Raises
    ------
    TypeError
        If a column is of another type. Texts must have offsets of 64 bits.
    """
    cdef object capsule
    cdef ArrowArrayStream* stream
    cdef bytes kinds

    def __init__(self, capsule):
        cdef ArrowSchema schema
        cdef int64_t i
        cdef list kinds = []
        self.capsule = capsule  # it releases the stream
        self.stream = <ArrowArrayStream*>PyCapsule_GetPointer(capsule, "arrow_array_stream")
        if self.stream.get_schema(self.stream, &schema):
            raise TypeError("a stream without a schema")
        for i in range(schema.n_children):
            kinds.append(<bytes>schema.children[i].format)
            if schema.children[i].dictionary != NULL:
                kinds.append(b"dictionary")
        schema.release(&schema)
        if not {b"l", b"U"}.issuperset(kinds):
            raise TypeError(f"columns {kinds}, not 64-bit integers (l) and large texts (U)")
        self.kinds = b"".join(kinds)

    def next(self):
        """Return (batch, None), (None, None) at the end, or (None, message) after an error."""
        cdef Batch batch = Batch()
        cdef const char* message
        cdef int failed
        batch.kinds = self.kinds
        with nogil:
            failed = self.stream.get_next(self.stream, &batch.array)
        if failed:
            message = self.stream.get_last_error(self.stream)
            return None, "" if message == NULL else (<bytes>message).decode("utf-8", "replace")
        return (None, None) if batch.array.release == NULL else (batch, None)


cdef struct Column:
    const uint8_t* valid  # a bit for each cell, or NULL if no cell is empty
    const int64_t* values  # integers, or the offsets of the texts
    const char* texts  # NULL if all texts are empty
    bint is_text
    int64_t first


cdef Column _column(Batch batch, Py_ssize_t place) except *:
    cdef Column column
    cdef ArrowArray* array
    if not 0 <= place < len(batch.kinds):
        raise IndexError(place)
    array = batch.array.children[place]
    column.first = batch.array.offset + array.offset
    column.valid = NULL
    if array.null_count:
        column.valid = <const uint8_t*>array.buffers[0]
    column.values = <const int64_t*>array.buffers[1]
    column.is_text = batch.kinds[place] == c"U"
    column.texts = <const char*>array.buffers[2] if column.is_text else NULL
    return column


cdef inline bint _is_empty(const Column* column, int64_t row) noexcept nogil:
    cdef int64_t place = column.first + row
    return column.valid != NULL and not column.valid[place >> 3] >> (place & 7) & 1


cdef inline const char* _cell(const Column* column, int64_t row, int64_t* length) noexcept nogil:
    """The bytes of a cell that is not empty."""
    cdef const int64_t* value = &column.values[column.first + row]
    if not column.is_text:
        length[0] = 8
        return <const char*>value
    length[0] = value[1] - value[0]
    # An empty text may have no address. Nothing is read there, so any address will do.
    return column.texts + value[0] if length[0] else <const char*>value


cdef inline af_text _text(const char* cell, int64_t length) noexcept nogil:
    cdef af_text text
    text.bytes = <const uint8_t*>cell
    text.length = length
    return text


cdef class Distinct:
    """The distinct cells of a column, numbered in order of first appearance, and their hash table.

    Cell i is bytes[ends[i]:ends[i + 1]].
    """
    cdef char* bytes
    cdef int64_t* ends
    cdef int32_t* slots
    cdef int64_t count, room_of_bytes, room, n_slots

    def __cinit__(self):
        self.room, self.room_of_bytes, self.n_slots = 512, 8192, 1024
        self.bytes = <char*>malloc(self.room_of_bytes)
        self.ends = <int64_t*>malloc((self.room + 1) * sizeof(int64_t))
        self.slots = <int32_t*>malloc(self.n_slots * sizeof(int32_t))
        if self.bytes == NULL or self.ends == NULL or self.slots == NULL:
            raise MemoryError
        self.ends[0] = 0
        memset(self.slots, 0xff, self.n_slots * sizeof(int32_t))

    def __dealloc__(self):
        free(self.bytes)
        free(self.ends)
        free(self.slots)

    def __len__(self):
        return self.count

    def cells(self):
        """Return all cells as bytes."""
        return [PyBytes_FromStringAndSize(self.bytes + self.ends[i], self.ends[i + 1] - self.ends[i])
                for i in range(self.count)]

    cdef int64_t place(self, const char* cell, int64_t length) noexcept nogil:
        """Return the slot of a cell, or the free slot for a new one."""
        cdef uint64_t mask = <uint64_t>self.n_slots - 1, slot = af_hash(_text(cell, length)) & mask
        cdef int32_t known = self.slots[slot]
        while known >= 0 and not (
            self.ends[known + 1] - self.ends[known] == length
            and af_same(_text(self.bytes + self.ends[known], length), _text(cell, length))
        ):
            slot = (slot + 1) & mask
            known = self.slots[slot]
        return slot

    cdef int32_t add(self, int64_t slot, const char* cell, int64_t length) noexcept nogil:
        """Return the number of a new cell, or -1 if memory or numbers run out."""
        cdef int64_t used = self.ends[self.count]
        cdef void* more
        if self.count == 0x7fffffff:
            return -1
        if self.room_of_bytes - used < length:
            more = realloc(self.bytes, 2 * (used + length))
            if more == NULL:
                return -1
            self.bytes = <char*>more
            self.room_of_bytes = 2 * (used + length)
        if length:
            memcpy(self.bytes + used, cell, length)
        self.count += 1
        self.ends[self.count] = used + length
        self.slots[slot] = <int32_t>(self.count - 1)
        if self.count == self.room and not self.grow():
            return -1
        return <int32_t>(self.count - 1)

    cdef bint grow(self) noexcept nogil:
        """Double the room for cells. At most half of the slots are then in use."""
        cdef void* ends = realloc(self.ends, (2 * self.room + 1) * sizeof(int64_t))
        cdef void* slots
        cdef int64_t i, bytes_of_slots = 2 * self.n_slots * sizeof(int32_t)
        if ends == NULL:
            return False
        self.ends = <int64_t*>ends
        slots = realloc(self.slots, bytes_of_slots)
        if slots == NULL:
            return False
        self.slots = <int32_t*>slots
        memset(slots, 0xff, bytes_of_slots)
        self.room *= 2
        self.n_slots *= 2
        for i in range(self.count):
            self.slots[self.place(self.bytes + self.ends[i], self.ends[i + 1] - self.ends[i])] = (
                <int32_t>i
            )
        return True


def number_cells(Batch batch not None, Py_ssize_t place, Distinct known not None,
                 int32_t[:] out not None):
    """Number the cells of a column; an empty cell is -1. Return (empty cells, row of the first).

    Assumes room in `out` for the batch.
    """
    cdef Column column = _column(batch, place)
    cdef int64_t row, n = batch.array.length, length = 0, slot, empty = 0, first = -1
    cdef const char* cell
    cdef int32_t code = 0
    if out.shape[0] < n:
        raise IndexError(n)
    with nogil:
        for row in range(n):
            if _is_empty(&column, row):
                first = row if empty == 0 else first
                empty += 1
                out[row] = -1
                continue
            cell = _cell(&column, row, &length)
            slot = known.place(cell, length)
            code = known.slots[slot]
            if code < 0:
                code = known.add(slot, cell, length)
                if code < 0:
                    break
            out[row] = code
    if code < 0:
        raise MemoryError
    return empty, first


def take_keys(Batch batch not None, Py_ssize_t place, int64_t[:, :] out not None):
    """Write a column's integers into one column, or a keyed hash of its texts into two.

    An empty cell is 0. Returns (empty cells, row of the first). Assumes room in `out` for the batch.
    """
    cdef Column column = _column(batch, place)
    cdef int64_t row, n = batch.array.length, length = 0, empty = 0, first = -1
    cdef const char* cell
    cdef uint64_t[2] words
    if out.shape[0] < n or out.shape[1] != 1 + column.is_text:
        raise IndexError(n)
    with nogil:
        for row in range(n):
            if _is_empty(&column, row):
                first = row if empty == 0 else first
                empty += 1
                out[row, 0] = 0
                if column.is_text:
                    out[row, 1] = 0
            elif column.is_text:
                cell = _cell(&column, row, &length)
                af_keyed_hash(cell, length, words)
                out[row, 0] = <int64_t>words[0]
                out[row, 1] = <int64_t>words[1]
            else:
                out[row, 0] = column.values[column.first + row]
    return empty, first


def cell_at(Batch batch not None, Py_ssize_t place, Py_ssize_t row):
    """Return one cell as bytes. Assumes that it is not empty."""
    cdef Column column = _column(batch, place)
    cdef int64_t length = 0
    cdef const char* cell
    if not 0 <= row < batch.array.length:
        raise IndexError(row)
    cell = _cell(&column, row, &length)
    return PyBytes_FromStringAndSize(cell, length)
