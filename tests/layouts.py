"""The memory layouts in which tests hand over arrays."""

import numpy as np


def laid_out(array, layout):
    """The same values in another memory layout."""
    if layout == "C":
        return np.ascontiguousarray(array)
    if layout == "Fortran":
        return np.asfortranarray(array)
    if layout == "strided":
        return np.repeat(np.repeat(array, 2, axis=0), 3, axis=1)[::2, ::3]
    if layout == "reversed":
        return np.ascontiguousarray(array[::-1, ::-1])[::-1, ::-1]
    if layout == "rows of Fortran":
        return np.asfortranarray(np.repeat(array, 2, axis=0))[::2]
    if layout == "swapped":
        return array.astype(array.dtype.newbyteorder())
    if layout == "unaligned" and array.dtype.kind != "O":
        room = np.empty(array.nbytes + 1, np.uint8)
        out = room[1:].view(array.dtype).reshape(array.shape)
        out[:] = array
        return out
    copy = array.copy()
    copy.flags.writeable = False
    return copy
