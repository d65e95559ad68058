"""Questions about descriptors and layouts: BNNSNDArrayGetDataSize, BNNSDataLayoutGetRank."""

from __future__ import annotations

from bnnspy._bnns import ffi, lib
from bnnspy.capi.arguments import descriptor_record, integer
from bnnspy.descriptor import NDArrayDescriptor


def BNNSNDArrayGetDataSize(array: NDArrayDescriptor | None) -> int:
    """Bytes from the descriptor's data to the end of its last element.

    Parameters
    ----------
    array : NDArrayDescriptor or None
        None is C's NULL.

    Returns
    -------
    int
        What lies between strides is counted. 0 when the size can't be told: no data, an unknown
        type or layout, a type of less than 8 bits, strides that decrease, an overflow.

    Raises
    ------
    TypeError
        array is neither a descriptor nor None.
    """
    record = descriptor_record(array, "array")[0]
    if record == ffi.NULL:
        return lib.BNNSNDArrayGetDataSize(ffi.NULL)
    return lib.BNNSNDArrayGetDataSize(ffi.addressof(record[0], "descriptor"))


def BNNSDataLayoutGetRank(layout: int) -> int:
    """The number of dimensions of a layout.

    Parameters
    ----------
    layout : DataLayout or int

    Returns
    -------
    int
        1 to 8; SIZE_MAX (2**64 - 1) for a value that is no layout, as in C.

    Raises
    ------
    TypeError
        layout is no integer.
    """
    number = integer(layout, "layout")
    return lib.BNNSDataLayoutGetRank(number if 0 <= number < 2**32 else 0)
