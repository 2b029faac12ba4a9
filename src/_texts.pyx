# Columns of text -> codes in order of first appearance, and the distinct texts.
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from os import urandom as _urandom

cdef extern from "Python.h":
    object PyUnicode_DecodeUTF8(const char*, Py_ssize_t, const char*)

cdef extern from "numbering.h" nogil:
    ctypedef struct af_text:
        const uint8_t* bytes
        int64_t length
    ctypedef struct af_numbering:
        int64_t count
        af_text* texts
    enum:
        AF_SECRETS
    void af_set_secrets(const uint8_t*)
    bint af_open(af_numbering*, bint)
    void af_close(af_numbering*)

cdef extern from "arrow.h" nogil:
    cdef struct ArrowSchema:
        void (*release)(ArrowSchema*)
    cdef struct ArrowArray:
        int64_t length
        void (*release)(ArrowArray*)
    cdef struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream*, ArrowSchema*)
        int (*get_next)(ArrowArrayStream*, ArrowArray*)
        const char* (*get_last_error)(ArrowArrayStream*)
    enum: AF_NO_TEXT
    int af_layout(const ArrowSchema*)
    bint af_number_array(af_numbering*, const ArrowArray*, int, int64_t, int32_t*)


def set_secrets(const uint8_t[::1] secrets not None):
    """Replace the secrets of the hashes, which no result depends on. Assumes that no table is in use."""
    if secrets.shape[0] != AF_SECRETS * 8:
        raise ValueError(f"{secrets.shape[0]} bytes of secrets")
    af_set_secrets(&secrets[0])


set_secrets(_urandom(AF_SECRETS * 8))


cdef class _Arrays:
    """The arrays of a stream, which stay in place for the lifetime of this object."""

    cdef ArrowArray* arrays
    cdef Py_ssize_t count, room

    def __dealloc__(self):
        for i in range(self.count):
            self.arrays[i].release(&self.arrays[i])
        free(self.arrays)

    cdef ArrowArray* next(self, ArrowArrayStream* stream) except? NULL:
        """The next array, or NULL at the end."""
        cdef ArrowArray* more
        if self.count == self.room:
            self.room = 2 * self.room + 4
            more = <ArrowArray*>realloc(self.arrays, self.room * sizeof(ArrowArray))
            if more == NULL:
                raise MemoryError
            self.arrays = more
        more = &self.arrays[self.count]
        memset(more, 0, sizeof(ArrowArray))
        if stream.get_next(stream, more) != 0:
            raise _broken(stream)
        if more.release == NULL:
            return NULL
        self.count += 1
        return more


cdef object _broken(ArrowArrayStream* stream):
    cdef const char* why = stream.get_last_error(stream)
    return ValueError("the column cannot be read" if why == NULL else why.decode("utf-8", "replace"))


cdef int _layout_of(ArrowArrayStream* stream) except -1:
    cdef ArrowSchema schema
    cdef int layout
    memset(&schema, 0, sizeof(schema))
    if stream.get_schema(stream, &schema) != 0:
        raise _broken(stream)
    layout = af_layout(&schema)
    schema.release(&schema)
    return layout


def number_texts(object capsule not None, int32_t[::1] out not None):
    """Number the texts of an Arrow stream (a capsule of its PyCapsule interface); missing ones are -1.

    Returns the distinct texts in order of first appearance, or None if the stream holds no plain text.

    Assumes arrays as Arrow's format has them.
    """
    cdef ArrowArrayStream* stream
    cdef ArrowArray* array
    cdef af_numbering known
    cdef int layout
    cdef int64_t i, place = 0
    cdef bint done
    cdef _Arrays arrays = _Arrays()
    stream = <ArrowArrayStream*>PyCapsule_GetPointer(capsule, "arrow_array_stream")
    layout = _layout_of(stream)
    if layout == AF_NO_TEXT:
        return None
    try:
        if not af_open(&known, True):
            raise MemoryError
        while True:
            array = arrays.next(stream)
            if array == NULL:
                break
            if array.length > out.shape[0] - place:
                raise ValueError("the column holds more than it said")
            if array.length == 0:
                continue
            with nogil:
                done = af_number_array(&known, array, layout, place, &out[place])
            if not done:
                raise MemoryError
            place += array.length
        if place < out.shape[0]:
            raise ValueError("the column holds less than it said")
        return [
            PyUnicode_DecodeUTF8(<const char*>known.texts[i].bytes, known.texts[i].length, NULL)
            for i in range(known.count)
        ]
    finally:
        af_close(&known)
