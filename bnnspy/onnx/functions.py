"""gather and gather_elements: ONNX's operators as functions on arrays."""

from __future__ import annotations

from operator import index as as_index
from typing import Any, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from bnnspy._bnns import ffi, lib
from bnnspy.array_types import Indices, Operand, Tensor
from bnnspy.errors import error_for
from bnnspy.frames import release
from bnnspy.onnx.arrays import INDEX_TYPES, checked_out, indices_of, operand
from bnnspy.onnx.plans import Plan, elements_plan, gather_plan
from bnnspy.onnx.strings import GATHER, GATHER_ELEMENTS, Operator, moved

# Looked up once: together they are a tenth of a small call.
take = lib.bnnspy_take
from_buffer = ffi.from_buffer
empty = np.empty
NULL = ffi.NULL
ONE_BYTE = from_buffer(b"\0")

Out = TypeVar("Out", bound=Tensor)


def pointer(array: NDArray[Any]) -> Any:
    """The address of an array's first element; the array has to be held elsewhere."""
    try:
        return from_buffer(array)
    except (BufferError, ValueError):  # strides, or a type that the buffer protocol has no name for
        return ffi.cast("char *", array.__array_interface__["data"][0])


def planned(plan_of: Any, operator: Any, data: Any, indices: Any, axis: Any, out: Any) -> Any:
    """Makes arrays of the operands, looks their plan up, and runs it."""
    if type(data) is not np.ndarray:
        data = operand(data, "data")
    if type(indices) is not np.ndarray or indices.dtype not in INDEX_TYPES:
        indices = indices_of(indices)
    plan = plan_of(
        data.shape,
        data.strides,
        data.dtype,
        indices.shape,
        indices.strides,
        indices.dtype,
        axis if type(axis) is int else as_index(axis),
        None if out is None else steps_of(out),
    )
    return run(plan, data, indices, out, operator)


@overload
def gather(
    data: Operand, indices: Indices, axis: SupportsIndex = 0, *, out: None = None
) -> NDArray[Any]: ...


@overload
def gather(data: Operand, indices: Indices, axis: SupportsIndex = 0, *, out: Out) -> Out: ...


def gather(data: Operand, indices: Indices, axis: SupportsIndex = 0, *, out: Any = None) -> Any:
    """The slices of data along axis that indices names: ONNX's Gather.

    ``result[.., i, j, .., k] = data[.., indices[i, j, ..], k]``, of shape
    ``data.shape[:axis] + indices.shape + data.shape[axis + 1:]``.

    Parameters
    ----------
    data : array
        Rank 1 or more, any strides, of a type that ONNX's Gather has.
    indices : array, or ints in lists
        Integers of 8 to 64 bits, signed or not, of any rank and strides. Those from -n to -1 count
        from the back of an axis of n elements.
    axis : int
        -rank to rank - 1.
    out : array, optional
        Filled and returned instead of a new array: of the result's shape and data's type, with
        any strides, writable, sharing no byte with data or indices.

    Returns
    -------
    numpy.ndarray
        A new array, in C order; or out itself.

    Raises
    ------
    IndexOutOfRange
        An index outside -n .. n - 1; an IndexError, with `index`, `position` and `valid`.
    InvalidParameter, ShapeMismatch
        Data of rank 0, an axis that data has not, an out that can't be used; ValueErrors.
    TypeError
        A type that the operator does not have, or a masked array.

    Notes
    -----
    When it raises, out is as it was. Arrays are never copied on their way in, save indices in
    swapped byte order, and indices into objects or into strings of NumPy's StringDType.
    """
    try:
        return planned(gather_plan, GATHER, data, indices, axis, out)
    except Exception as error:
        data = indices = out = NULL
        release(error)
        raise


@overload
def gather_elements(
    data: Operand, indices: Indices, axis: SupportsIndex = 0, *, out: None = None
) -> NDArray[Any]: ...


@overload
def gather_elements(
    data: Operand, indices: Indices, axis: SupportsIndex = 0, *, out: Out
) -> Out: ...


def gather_elements(
    data: Operand, indices: Indices, axis: SupportsIndex = 0, *, out: Any = None
) -> Any:
    """One element of data for each of indices: ONNX's GatherElements.

    ``result[i, j, k] = data[i, indices[i, j, k], k]`` for axis 1 of three, of indices' shape.

    Parameters
    ----------
    data, axis, out
        As for `gather`.
    indices : array, or ints in lists
        Integers as for `gather`, of data's rank, and not larger than data in any axis but `axis`.

    Returns
    -------
    numpy.ndarray
        A new array, in C order; or out itself.

    Raises
    ------
    IndexOutOfRange, InvalidParameter, ShapeMismatch, TypeError
        As for `gather`; ShapeMismatch also for indices of another rank, or larger than data.
    """
    try:
        return planned(elements_plan, GATHER_ELEMENTS, data, indices, axis, out)
    except Exception as error:
        data = indices = out = NULL
        release(error)
        raise


def steps_of(out: Any) -> tuple[int, ...] | None:
    """The strides of an output; None for what is no array yet."""
    return out.strides if type(out) is np.ndarray else operand(out, "out").strides


def run(plan: Plan, data: NDArray[Any], indices: NDArray[Any], out: Any, operator: Operator) -> Any:
    """Does what was planned."""
    if plan.by_numpy:
        return run_by_numpy(plan, data, indices, out, operator)
    if out is None:
        result = empty(plan.shape, data.dtype)
    else:
        result = checked_out(out, plan.shape, data, indices)
    outcome = take(plan.strides, pointer(data), pointer(indices), pointer(result), NULL)
    if outcome:
        raise error_for(outcome)
    return result if out is None else out


def run_by_numpy(
    plan: Plan, data: NDArray[Any], indices: NDArray[Any], out: Any, operator: Operator
) -> Any:
    """The same for elements that NumPy has to move, after the core's look at the indices."""
    filled = 0 not in plan.shape
    result = None if out is None else checked_out(out, plan.shape, data, indices)
    looked_at: Any = NULL
    if filled:
        indices = indices.copy("C")  # so that no other thread changes what was looked at
        looked_at = pointer(empty(indices.shape, np.bool_))
    outcome = take(plan.strides, ONE_BYTE, pointer(indices), looked_at, NULL)
    if outcome:
        raise error_for(outcome)
    if not filled:
        return empty(plan.shape, data.dtype) if out is None else out
    found = moved(operator, data, indices, plan.axis)
    if result is None:
        return found
    result[...] = found
    return out
