"""What a descriptor points to, and the arrays that show it."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bnnspy._bnns import ffi, lib
from bnnspy.arrays import type_name
from bnnspy.constants import DataLayout
from bnnspy.errors import ArrayDescriptorInvalidData, error_for
from bnnspy.memory import DTYPES, Memory, duplicate, numpy_type, window
from bnnspy.shape import Shape, layout_name

# The C record, what keeps its memory where it is, the object that the memory came from, the memory
# of table_data, and the C record's data type, which takes long to read there. A record is never
# changed, only replaced, so a call that holds one can't see it torn or its memory freed.
Record: TypeAlias = tuple[Any, object, object, Memory | None, int]

# Looked up once: descriptors are often made inside a loop. An array of one, because for a pointer
# cffi makes two objects.
new_record = partial(ffi.new, ffi.typeof("bnnspy_bounded[1]"))
bind = lib.bnnspy_bind


def view_of(record: Record) -> Any:
    """The C core's `bnnspy_view`; an InvalidParameter where the fields give none."""
    view = ffi.new("bnnspy_view *")
    address = ffi.addressof(record[0][0], "descriptor")
    outcome = lib.bnnspy_describe(address, b"descriptor", view)
    if outcome:
        raise error_for(outcome)
    return view


def shape_of(record: Record) -> Shape:
    """Layout, sizes and strides; a ValueError for a layout that is none."""
    descriptor = record[0][0].descriptor
    layout = DataLayout(descriptor.layout)
    rank = layout >> 16
    return Shape(tuple(descriptor.size)[:rank], layout, tuple(descriptor.stride)[:rank])


def tuple_order(record: Record, dtype: np.dtype[Any] | None = None) -> NDArray[Any]:
    """The elements in the order of the layout's value tuple; seen as `dtype`, of their size."""
    view = view_of(record)
    sizes = [view.size[axis] for axis in range(view.rank)]
    strides = [view.stride[axis] for axis in range(view.rank)]
    return strided(record, 1, sizes, strides, view.start, dtype)


def elements_in_a_row(bounded: Any) -> int:
    """The elements of a tensor that lie side by side in memory order; 0 for any other tensor."""
    if not (bounded.live and bounded.checked and bounded.distinct):
        return 0
    view = bounded.view
    count = view.count
    # Strides never decrease, so elements that share no byte and leave none out lie in one way only.
    return count if count == view.extent else 0


def packed_copy(record: Record) -> NDArray[Any] | None:
    """The elements of a tensor without holes, copied in memory order; None for other tensors."""
    bounded = record[0][0]
    dtype = DTYPES.get(record[4])
    if dtype is None or not (count := elements_in_a_row(bounded)):
        return None
    memory = ffi.buffer(bounded.descriptor.data, count * dtype.itemsize)
    return np.frombuffer(memory, dtype).copy()


def memory_order(record: Record, batches: int) -> NDArray[Any]:
    """All elements of all batches, slowest dimension first, each in the direction of memory."""
    view = view_of(record)
    axes = sorted(range(view.rank), key=lambda axis: -view.stride_slot[axis])
    sizes = [batches, *(view.size[axis] for axis in axes)]
    strides = [view.batch_stride, *(abs(view.stride[axis]) for axis in axes)]
    return strided(record, batches, sizes, strides, 0)


def strided(
    record: Record,
    batches: int,
    sizes: list[int],
    strides: list[int],
    start: int,
    dtype: np.dtype[Any] | None = None,
) -> NDArray[Any]:
    """An array over the memory: sizes and strides in elements, from element `start` on."""
    bounded = record[0][0]
    if dtype is None:
        dtype = numpy_type(record[4])
    if not bounded.live:
        raise ArrayDescriptorInvalidData("the descriptor has been deallocated", argument="data")
    if 0 in sizes:
        try:
            empty = np.empty(sizes, dtype)
        except ValueError:  # NumPy multiplies what is beside the 0
            raise ArrayDescriptorInvalidData(
                f"{batches} batches without elements are more than NumPy can say; use batch_size=1",
                argument="batch_size",
            ) from None
        empty.flags.writeable = bool(bounded.writable)
        return empty
    if bounded.descriptor.data == ffi.NULL:
        raise ArrayDescriptorInvalidData("the descriptor has no data", argument="data")
    data, nbytes = bounded.descriptor.data, bounded.nbytes
    if outcome := bind(new_record(), record[0], data, nbytes, 1, batches):
        raise error_for(outcome, ArrayDescriptorInvalidData)
    memory = window(bounded.base, bounded.nbytes, bounded.writable, record[1])
    steps = [s * dtype.itemsize if n > 1 else 0 for s, n in zip(strides, sizes, strict=True)]
    return np.ndarray(sizes, dtype, memory, start * dtype.itemsize, steps)


def bytes_for(shape: Shape, data_type: int, batches: int) -> int:
    """What so many batches take; a ValueError when it is more than memory can hold."""
    view = shape.view(data_type)
    count = view.extent + max(batches - 1, 0) * view.batch_stride
    nbytes = (count * view.bits + 7) // 8 if view.count and batches else 0
    if nbytes >= 2**62:
        raise ValueError(f"the shape needs {nbytes} bytes, more than memory can hold")
    return int(nbytes)


def copied(record: Record) -> Record:
    """A record with memory of its own that holds the same bytes."""
    model, hold, owner, table, data_type = record
    new, old = new_record([model[0]]), model[0]
    if old.descriptor.data != ffi.NULL:
        pointer, nbytes, writable, hold, owner = duplicate(old.descriptor.data, old.nbytes)
        bind(new, model, pointer, nbytes, writable, 0)
    if table is not None:
        table = duplicate(table[0], table[1])
        new[0].descriptor.table_data = table[0]
    return (new, hold, owner, table, data_type)


def emptied(record: Record) -> Record:
    """A record that is deallocated and points to nothing, its other fields as they were."""
    new = new_record()
    bind(new, record[0], ffi.NULL, 0, False, 0)
    new[0].descriptor.table_data = ffi.NULL
    new[0].live = 0
    return (new, None, None, None, record[4])


def shown(record: Record) -> str:
    """A record in one line, whatever its fields hold."""
    bounded, hold, owner = record[0][0], record[1], record[2]
    descriptor = bounded.descriptor
    rank = min(descriptor.layout >> 16, 8) or 8
    parts = [layout_name(descriptor.layout), f"size={tuple(descriptor.size)[:rank]}"]
    if any(descriptor.stride):
        parts.append(f"stride={tuple(descriptor.stride)[:rank]}")
    parts.append(type_name(descriptor.data_type))
    states = [f"{bounded.nbytes} bytes"]
    if not bounded.live:
        states = ["deallocated"]
    elif descriptor.data == ffi.NULL:
        states = ["no data"]
    else:
        states.append("owned" if owner is hold else "borrowed")
        states += [] if bounded.writable else ["read-only"]
    return f"{' '.join(parts)}, {', '.join(states)}"
