"""New memory for descriptors, and what fills it.

A program that makes descriptors in a loop makes them of few shapes. So what a shape, a type and a
batch need is worked out once (`plan_of`), and values that leave no question go straight into the
new memory: Python's own numbers by way of `struct`, which checks their range, and arrays as bytes.
Everything else takes the longer way through NumPy, which answers with a sentence where it must.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from bnnspy._bnns import ffi
from bnnspy.constants import DataType
from bnnspy.errors import ArrayDescriptorInvalidData, error_for
from bnnspy.memory import CODES, allocate, from_buffer
from bnnspy.record import (
    Record,
    bind,
    bytes_for,
    elements_in_a_row,
    memory_order,
    new_record,
)
from bnnspy.shape import Shape
from bnnspy.values import initial_values, random_values

memmove = ffi.memmove

# struct's codes; BFloat16 has none. They go after a "=": only then is the range of floats checked.
FORMATS = {
    DataType.Float32: "f",
    DataType.Float16: "e",
    DataType.Int8: "b",
    DataType.Int16: "h",
    DataType.Int32: "i",
    DataType.Int64: "q",
    DataType.UInt8: "B",
    DataType.UInt16: "H",
    DataType.UInt32: "I",
    DataType.UInt64: "Q",
    DataType.Boolean: "?",
}
LITERALS = {float: DataType.Float32, int: DataType.Int32, bool: DataType.Boolean}
KINDS = {float: frozenset("fe"), int: frozenset("bhiqBHIQ"), bool: frozenset("?")}

# Longer lists are no small work anyway; a pattern that repeats is made whole before it is moved.
MOST_VALUES = 4096


class Plan(NamedTuple):
    """What a shape needs of memory."""

    model: Any
    data_type: int
    nbytes: int
    batches: int
    elements: int  # of all batches; 0 where there are holes between them, or none at all
    format: str  # struct's, of an element; "" where it has none
    pack: Callable[..., None] | None  # all elements into a buffer; None where they are too many


@lru_cache(maxsize=1024)
def plan_of(shape: Shape, data_type: DataType, batches: int) -> Plan:
    """The plan; an error for a shape that no memory can have."""
    nbytes = bytes_for(shape, data_type, batches)
    count = packed_count(shape, data_type) * batches
    code = FORMATS.get(data_type, "")
    few = 0 < count <= MOST_VALUES and code
    pack = struct.Struct(f"={count}{code}").pack_into if few else None
    return Plan(shape.model(int(data_type)), int(data_type), nbytes, batches, count, code, pack)


def packed_count(shape: Shape, data_type: DataType) -> int:
    """The elements of a shape that lie side by side in memory order; 0 for any other shape."""
    record = new_record()
    some = ffi.cast("char *", 64)  # never followed
    bind(record, shape.model(int(data_type)), some, bytes_for(shape, data_type, 1), 1, 0)
    return elements_in_a_row(record[0])


def new(plan: Plan, fill: int | None = None) -> Record:
    """Memory of a plan's own."""
    pointer, nbytes, writable, hold, owner = allocate(plan.nbytes, fill)
    record = new_record()
    if bind(record, plan.model, pointer, nbytes, writable, plan.batches):
        raise ArrayDescriptorInvalidData(str(error_for(-1)), argument="data")
    return (record, hold, owner, None, plan.data_type)


def type_for(kind: type, chosen: DataType | None) -> DataType | None:
    """The type that numbers of one of Python's own types get; None where NumPy has to look."""
    if chosen is None:
        return LITERALS.get(kind)
    return chosen if FORMATS.get(chosen, " ") in KINDS.get(kind, "") else None


def initialized(source: Any, shape: Shape, chosen: DataType | None, batches: int) -> Record:
    """Memory that holds the values of a collection or an array."""
    if type(source) is np.ndarray:
        record = copied_array(source, shape, chosen, batches)
    elif type(source) is list or type(source) is tuple:
        record = packed_list(source, shape, chosen, batches)
    else:
        record = None
    if record is not None:
        return record
    data_type, values = initial_values(source, chosen)
    record = new(plan_of(shape, data_type, batches), fill=0)
    target = memory_order(record, batches)
    if len(values) != target.size:
        raise ValueError(
            f"initializing_from has {len(values)} elements, and the shape holds {target.size}"
        )
    target[...] = values.reshape(target.shape)
    return record


def packed_list(
    source: list[Any] | tuple[Any, ...], shape: Shape, chosen: DataType | None, batches: int
) -> Record | None:
    """The short way for numbers of one type; None where they have to take the long one."""
    kinds = set(map(type, source))
    data_type = type_for(kinds.pop(), chosen) if len(kinds) == 1 else None
    if data_type is None:
        return None
    plan = plan_of(shape, data_type, batches)
    if plan.pack is None or len(source) != plan.elements:
        return None
    record = new(plan)
    try:
        plan.pack(record[1], 0, *source)
    except (struct.error, OverflowError):  # a number that does not fit
        return None
    return record


def copied_array(source: Any, shape: Shape, chosen: DataType | None, batches: int) -> Record | None:
    """The short way for an array in C's order that has the type already."""
    code = CODES.get(source.dtype)
    if code is None or (chosen is not None and chosen != code):
        return None
    plan = plan_of(shape, DataType(code), batches)
    try:
        held = from_buffer(source)
    except ValueError:  # it has gaps
        return None
    if not plan.elements or len(held) != plan.nbytes:
        return None
    record = new(plan)
    memmove(record[0][0].descriptor.data, held, plan.nbytes)
    return record


def repeated(value: Any, shape: Shape, chosen: DataType | None, batches: int) -> Record:
    """Memory that holds one value all over."""
    data_type = type_for(type(value), chosen)
    if data_type is not None:
        plan = plan_of(shape, data_type, batches)
        if plan.pack is not None:
            try:
                pattern = struct.pack("=" + plan.format, value) * plan.elements
            except (struct.error, OverflowError):  # a number that does not fit
                pass
            else:
                record = new(plan)
                memmove(record[0][0].descriptor.data, pattern, plan.nbytes)
                return record
    data_type, values = initial_values([value], chosen)
    record = new(plan_of(shape, data_type, batches), fill=0)
    target = memory_order(record, batches)
    target[...] = np.broadcast_to(values, (target.size,)).reshape(target.shape)
    return record


def randomized(
    bounds: tuple[Any, Any], shape: Shape, chosen: DataType | None, batches: int, rng: Any
) -> Record:
    """Memory that holds random numbers."""
    data_type, draw = random_values(bounds, chosen)
    source = None if rng is None else np.random.default_rng(rng)
    plan = plan_of(shape, data_type, batches)
    if plan.pack is not None:
        record = new(plan)
        values = draw(source, plan.elements)
        if type(values) is list:
            plan.pack(record[1], 0, *values)
        else:
            memmove(record[0][0].descriptor.data, from_buffer(values), plan.nbytes)
        return record
    record = new(plan, fill=0)
    target = memory_order(record, batches)
    target[...] = np.asarray(draw(source, target.size), target.dtype).reshape(target.shape)
    return record
