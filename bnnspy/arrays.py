"""Arrays and values as BNNS sees them: their element type, their strides, literals and ranges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from bnnspy._bnns import ffi
from bnnspy.constants import DataLayout, DataType
from bnnspy.memory import (
    BFLOAT16,
    DATA_TYPES,
    Memory,
    as_array,
    hold,
    hold_strided,
    is_data_type,
    numpy_type,
    unsupported,
)
from bnnspy.shape import FIRST_MAJOR, Shape, layout_name

NOTHING: Memory = (ffi.NULL, 0, True, None, None)


def type_name(data_type: int) -> str:
    """Apple's name of a type less the prefix, or the number in hexadecimal."""
    try:
        return DataType(data_type).name
    except ValueError:
        return f"{data_type:#x}"


# --- buffers --------------------------------------------------------------------------------------


def element_type(array: NDArray[Any], wanted: int = 0) -> int:
    """The type of array's elements, or the wanted one where array holds that type or bytes.

    A wanted type that BNNS does not have is let through: a call answers for it.
    """
    own = DATA_TYPES.get(array.dtype)
    if own is None:
        raise TypeError(unsupported(array.dtype))
    if not wanted or wanted == own or own == DataType.UInt8 or not is_data_type(wanted):
        return wanted or own
    raise TypeError(
        f"data has elements of {type_name(own)}, and the descriptor is of {type_name(wanted)}; use "
        ".astype, name the type anew (replace() sets data and data_type at once), or use "
        ".view(numpy.uint8) to say that these are bytes"
    )


def not_contiguous() -> NoReturn:
    """What is wrong with a buffer that can't be read from its first byte to its last."""
    raise ValueError(
        "data is not C-contiguous; use NDArrayDescriptor.from_array, which takes strides, or "
        "numpy.ascontiguousarray, which copies"
    )


def borrowed(data: Any, data_type: int, name: str = "data") -> Memory:
    """The memory for a field of that name: a buffer of that type (0: any) or of bytes, or None."""
    if data is None:
        return NOTHING
    array = as_array(data, name)
    if DATA_TYPES.get(array.dtype) != data_type:
        element_type(array, data_type)  # raises, or knows why it is fine
    return hold(array, data) or not_contiguous()


# --- strides --------------------------------------------------------------------------------------


class Axis(NamedTuple):
    """Where a layout keeps one axis of its value tuple."""

    size_slot: int
    stride_slot: int
    sign: int  # -1 where the layout runs against the stride


@cache
def axes_of(layout: DataLayout) -> tuple[Axis, ...]:
    """The layout's value tuple, as the C core has it; an error for layouts without strides."""
    rank = layout >> 16
    view = Shape((2,) * rank, layout).view()
    return tuple(
        Axis(view.size_slot[k], view.stride_slot[k], -1 if view.stride[k] < 0 else 1)
        for k in range(rank)
    )


@lru_cache(maxsize=1024)
def packed_shape(sizes: tuple[int, ...], layout: DataLayout) -> Shape:
    """The shape of an array without holes, its strides written out."""
    size, stride = [0] * len(sizes), [0] * len(sizes)
    axes = axes_of(layout)
    step = 1
    for axis, n in sorted(zip(axes, sizes, strict=True), key=lambda pair: pair[0].stride_slot):
        size[axis.size_slot] = n
        stride[axis.stride_slot] = step
        step *= max(n, 1)
    return Shape(size, layout, stride)


@lru_cache(maxsize=1024)
def packed_model(sizes: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Any, int]:
    """Model and type of a C-contiguous array as nDFirstMajor, found at once for the usual array."""
    empty = np.broadcast_to(np.empty((), dtype), sizes)
    data_type = element_type(empty)
    shape = packed_shape(sizes, first_major(empty))
    shape.view()  # raises for an empty array whose other sizes overflow
    return shape.model(data_type), data_type


def strided_shape(array: NDArray[Any], layout: DataLayout) -> Shape:
    """The shape of an array with elements and strides of its own, or a ValueError."""
    sizes = array.shape
    size, stride = [0] * array.ndim, [0] * array.ndim
    least = 1
    axes = axes_of(layout)
    order = sorted(range(array.ndim), key=lambda k: axes[k].stride_slot)
    for k in order:
        axis = axes[k]
        size[axis.size_slot] = sizes[k]
        step, rest = divmod(array.strides[k] * axis.sign, array.itemsize)
        if sizes[k] > 1:
            check_stride(array, k, step, rest, axis.sign)
            if step < least:
                raise ValueError(out_of_order(array, layout))
            least = step
        else:
            step = least  # never taken, so any value that is in order will do
        stride[axis.stride_slot] = step
    return Shape(size, layout, stride)


def check_stride(array: NDArray[Any], axis: int, step: int, rest: int, sign: int) -> None:
    """What no descriptor can say of one axis, as a ValueError."""
    bytes_ = array.strides[axis]
    if bytes_ == 0:
        what = "broadcast (its stride is 0, which BNNS reads as a request for the default)"
    elif rest:
        what = f"of stride {bytes_} bytes, no multiple of its {array.itemsize}-byte elements"
    elif step < 0:
        what = "running backwards" if sign > 0 else "running forwards, and the layout reverses it"
    else:
        return
    raise ValueError(f"array's axis {axis} is {what}; use numpy.ascontiguousarray, which copies")


def out_of_order(array: NDArray[Any], layout: DataLayout) -> str:
    """Why strides that grow the other way are no error of the array, but one of the layout."""
    message = (
        f"array has strides {array.strides} (bytes), which {layout_name(layout)} can't say: its "
        "axes lie in memory in another order; use numpy.ascontiguousarray, which copies, or "
        "layout= for the order that they have"
    )
    if layout == DataLayout.ImageCHW:
        message += " (ImageCHW counts x, y, channel: pass a.T of a C-contiguous (C, H, W) array)"
    return message


def first_major(array: NDArray[Any]) -> DataLayout:
    """The layout of an array by NumPy's rule: the last axis varies fastest."""
    if not 1 <= array.ndim <= len(FIRST_MAJOR):
        raise ValueError(
            f"array has {array.ndim} dimensions, and a descriptor has 1 to 8; use reshape"
            + ("(1)" if array.ndim == 0 else " to merge some")
        )
    return FIRST_MAJOR[array.ndim - 1]


def describe_array(array: NDArray[Any], layout: int | None, owner: object) -> tuple[Shape, Memory]:
    """Shape and memory of an array as it lies."""
    chosen = first_major(array)
    if layout is not None:
        chosen = DataLayout(layout)
        if array.ndim != chosen >> 16:
            raise ValueError(
                f"array has {array.ndim} dimensions, and {layout_name(chosen)} has {chosen >> 16}"
            )
    if array.size == 0:
        return packed_shape(array.shape, chosen), hold(array, owner) or not_contiguous()
    return strided_shape(array, chosen), hold_strided(array, owner)


# --- values ---------------------------------------------------------------------------------------


def initial_values(source: Any, chosen: DataType | None) -> tuple[DataType, NDArray[Any]]:
    """The values for new memory, one-dimensional, and their type."""
    array = typed_values(source)
    if array is None:
        values = literal_values(source)
        if chosen is None:
            chosen = LITERALS[values.dtype.kind]
        return chosen, fitted(values, chosen)
    data_type = chosen if chosen is not None else DataType(element_type(array))
    if array.dtype.kind not in "biuf" and array.dtype not in DATA_TYPES:
        raise TypeError(unsupported(array.dtype))
    return data_type, fitted(array.ravel(), data_type)


def typed_values(source: Any) -> NDArray[Any] | None:
    """The array that source is or can become; None for Python's own collections."""
    if isinstance(source, (list, tuple)):
        return None
    if not isinstance(source, np.ndarray) and hasattr(source, "__array__"):
        return np.asarray(source)
    try:
        return as_array(source, "initializing_from")
    except TypeError:
        if isinstance(source, np.ndarray) or not isinstance(source, Iterable):
            raise
        return None


# The types that literals have in Swift, by NumPy's kind; O are integers beyond 64 bits.
LITERALS = {
    "b": DataType.Boolean,
    "i": DataType.Int32,
    "O": DataType.Int32,
    "f": DataType.Float32,
}


def literal_values(source: Any) -> NDArray[Any]:
    """A Python collection of numbers as bool, int64 (or object, when larger) or float64."""
    values = list(source)
    array = np.array(values) if values else np.empty(0, np.float64)
    # NumPy makes floats of integers that no one type holds.
    if values and array.ndim == 1 and array.dtype.kind in "ufO" and all_ints(values):
        return np.array(values, object)
    if array.ndim != 1 or array.dtype.kind not in "bif":
        raise TypeError(
            "initial values are numbers or booleans in one row, and these make an array of "
            f"{array.dtype} with {array.ndim} dimensions"
        )
    return array


def all_ints(values: list[Any]) -> bool:
    """Whether every value is an integer."""
    return all(isinstance(value, (int, np.integer)) for value in values)


def fitted(values: NDArray[Any], data_type: DataType) -> NDArray[Any]:
    """values as the type; an error for what is no value of it. Floats are rounded, not refused."""
    dtype = numpy_type(data_type)
    if values.dtype == dtype:
        return values
    if dtype.kind in "biu" and values.size:
        if values.dtype.kind == "f" or values.dtype == BFLOAT16:
            raise TypeError(
                f"values are floats, and {data_type.name} holds "
                f"{'booleans' if dtype.kind == 'b' else 'integers; round them first'}"
            )
        low, high = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        least, most = values.min(), values.max()
        if least < low or most > high:
            worst = least if least < low else most
            raise ValueError(f"a value is {worst}, outside {low}..{high} of {data_type.name}")
    try:
        with np.errstate(over="raise"):
            return values.astype(dtype)
    except (FloatingPointError, OverflowError) as error:
        raise ValueError(f"a value does not fit {data_type.name}: {error}") from None


def random_values(
    bounds: tuple[Any, Any], chosen: DataType | None, rng: Any
) -> tuple[DataType, Callable[[int], NDArray[Any]]]:
    """The type for random_in=, and a function that draws so many values."""
    try:
        low, high = bounds
    except (TypeError, ValueError):
        raise TypeError(f"random_in is {bounds!r}, and has to be (low, high)") from None
    if not all(isinstance(end, (int, float, np.integer, np.floating)) for end in (low, high)):
        raise TypeError(f"random_in is {bounds!r}, and has to be two numbers")
    integers = all_ints([low, high]) and not isinstance(low, (bool, np.bool_))
    if chosen is None:
        chosen = DataType.Int32 if integers else DataType.Float32
    dtype = numpy_type(chosen)
    if dtype.kind == "b":
        raise TypeError("random_in is for integers and floats")
    if not -math.inf < low <= high < math.inf:
        raise ValueError(f"random_in is ({low}, {high}), and has to be finite and in order")
    generator = np.random.default_rng(rng)
    exact = integers or dtype.kind not in "iu"
    fitted(np.array([low, high], object if exact else None), chosen)
    if dtype.kind in "iu":
        return chosen, lambda n: generator.integers(low, high, n, dtype=dtype, endpoint=True)
    return chosen, lambda n: generator.uniform(low, high, n).astype(dtype)
