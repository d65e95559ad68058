"""What a descriptor points to, and the arrays that show it."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bnnspy._bnns import ffi, lib
from bnnspy.errors import ArrayDescriptorInvalidData, error_for
from bnnspy.memory import numpy_type, window

# The C record, what keeps its memory where it is, and the objects that the memory and table_data
# came from. A record is never changed, only replaced, so a call that holds one can't see it torn or
# its memory freed.
Record: TypeAlias = tuple[Any, object, object, object]

# Looked up once: descriptors are often made inside a loop.
new_record = partial(ffi.new, ffi.typeof("bnnspy_bounded *"))
bind = lib.bnnspy_bind


def view_of(record: Record) -> Any:
    """The C core's `bnnspy_view`; an InvalidParameter where the fields give none."""
    view = ffi.new("bnnspy_view *")
    address = ffi.addressof(record[0][0], "descriptor")
    status = lib.bnnspy_describe(address, b"descriptor", view)
    if status:
        raise error_for(status)
    return view


def tuple_order(record: Record) -> NDArray[Any]:
    """The elements in the order of the layout's value tuple."""
    view = view_of(record)
    sizes = [view.size[axis] for axis in range(view.rank)]
    strides = [view.stride[axis] for axis in range(view.rank)]
    return strided(record, 1, sizes, strides, view.start)


def memory_order(record: Record, batches: int) -> NDArray[Any]:
    """All elements of all batches, slowest dimension first, each in the direction of memory."""
    view = view_of(record)
    axes = sorted(range(view.rank), key=lambda axis: -view.stride_slot[axis])
    sizes = [batches, *(view.size[axis] for axis in axes)]
    strides = [view.batch_stride, *(abs(view.stride[axis]) for axis in axes)]
    return strided(record, batches, sizes, strides, 0)


def strided(
    record: Record, batches: int, sizes: list[int], strides: list[int], start: int
) -> NDArray[Any]:
    """An array over the memory: sizes and strides in elements, from element `start` on."""
    bounded, hold, _, _ = record
    dtype = numpy_type(bounded.descriptor.data_type)
    if not bounded.live:
        raise ArrayDescriptorInvalidData("the descriptor has been deallocated", argument="data")
    if 0 in sizes:
        return np.empty(sizes, dtype)
    if bounded.descriptor.data == ffi.NULL:
        raise ArrayDescriptorInvalidData("the descriptor has no data", argument="data")
    if bind(new_record(), bounded, bounded.descriptor.data, bounded.nbytes, 1, batches):
        raise ArrayDescriptorInvalidData(str(error_for(-1)), argument="data")
    memory = window(bounded.base, bounded.nbytes, bounded.writable, hold)
    steps = [s * dtype.itemsize if n > 1 else 0 for s, n in zip(strides, sizes, strict=True)]
    return np.ndarray(sizes, dtype, memory, start * dtype.itemsize, steps)
