"""gather and gather_elements: ONNX's operators as functions on arrays."""

from __future__ import annotations

from collections.abc import Callable
from operator import index as as_index
from typing import Any, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from bnnspy._bnns import ffi, lib
from bnnspy.array_types import Indices, Operand, Tensor
from bnnspy.errors import error_for
from bnnspy.onnx.arrays import INDEX_TYPES, check_strings, checked_out, indices_of, operand
from bnnspy.onnx.plans import Plan, elements_plan, gather_plan

# Looked up once: together they are a tenth of a small call.
take = lib.bnnspy_take
from_buffer = ffi.from_buffer
empty = np.empty
NULL = ffi.NULL

Out = TypeVar("Out", bound=Tensor)


def pointer(array: NDArray[Any]) -> Any:
    """The address of an array's first element; the array has to be held elsewhere."""
    try:
        return from_buffer(array)
    except (BufferError, ValueError):  # strides, or a type that the buffer protocol has no name for
        return ffi.cast("char *", array.__array_interface__["data"][0])


def planned(plan_of: Any, by_numpy: Any, data: Any, indices: Any, axis: Any, out: Any) -> Any:
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
    return run(plan, data, indices, out, by_numpy)


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
        int32 or int64 of any rank and strides. Those from -n to -1 count from the back of an axis
        of n elements.
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
    When it raises, out is as it was. Arrays of numbers are never copied on their way in, save
    indices in swapped byte order.
    """
    return planned(gather_plan, np_gather, data, indices, axis, out)


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
        int32 or int64, of data's rank, and not larger than data in any axis but `axis`.

    Returns
    -------
    numpy.ndarray
        A new array, in C order; or out itself.

    Raises
    ------
    IndexOutOfRange, InvalidParameter, ShapeMismatch, TypeError
        As for `gather`; ShapeMismatch also for indices of another rank, or larger than data.
    """
    return planned(elements_plan, np_gather_elements, data, indices, axis, out)


def steps_of(out: Any) -> tuple[int, ...] | None:
    """The strides of an output; None for what is no array yet."""
    return out.strides if type(out) is np.ndarray else operand(out, "out").strides


Mover = Callable[[NDArray[Any], NDArray[Any], int], NDArray[Any]]


def run(plan: Plan, data: NDArray[Any], indices: NDArray[Any], out: Any, by_numpy: Mover) -> Any:
    """Does what was planned."""
    if plan.string:
        return run_strings(plan, data, indices, out, by_numpy)
    if out is None:
        result = empty(plan.shape, data.dtype)
    else:
        result = checked_out(out, plan.shape, data, indices)
    outcome = take(plan.strides, pointer(data), pointer(indices), pointer(result), NULL)
    if outcome:
        raise error_for(outcome)
    return result if out is None else out


# --- strings --------------------------------------------------------------------------------------


def run_strings(
    plan: Plan, data: NDArray[Any], indices: NDArray[Any], out: Any, by_numpy: Mover
) -> Any:
    """The same for elements that NumPy has to move, since they may hold references."""
    check_strings(data)
    result = None if out is None else checked_out(out, plan.shape, data, indices)
    private = indices.copy("C")  # so that no other thread changes what was looked at
    outcome = take(plan.strides, NULL, pointer(private), NULL, NULL)
    if outcome:
        raise error_for(outcome)
    moved = by_numpy(data, private, plan.axis)
    if result is None:
        return moved
    result[...] = moved
    return out


def np_gather(data: NDArray[Any], indices: NDArray[Any], axis: int) -> NDArray[Any]:
    """NumPy's gather, for indices found valid."""
    return np.asarray(np.take(data, indices, axis), data.dtype)


def np_gather_elements(data: NDArray[Any], indices: NDArray[Any], axis: int) -> NDArray[Any]:
    """NumPy's gather of elements, for indices found valid."""
    # Without this, an axis of one index would be repeated for all of data.
    within = tuple(slice(None) if k == axis else slice(n) for k, n in enumerate(indices.shape))
    return np.asarray(np.take_along_axis(data[within], indices, axis), data.dtype)
