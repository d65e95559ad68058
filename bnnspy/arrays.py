"""Arrays as BNNS sees them: element type and strides, and a remedy where there are none."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from bnnspy._bnns import ffi
from bnnspy.constants import DataLayout, DataType
from bnnspy.memory import (
    DATA_TYPES,
    DTYPES,
    Memory,
    as_array,
    data_type_of,
    hold,
    hold_strided,
    is_data_type,
    numpy_type,
    unsupported,
)
from bnnspy.remedies import type_expression, use
from bnnspy.shape import FIRST_MAJOR, LAST_MAJOR, Shape, layout_name

NOTHING: Memory = (ffi.NULL, 0, True, None, None)


def type_name(data_type: int) -> str:
    """Apple's name of a type less the prefix, or the number in hexadecimal."""
    try:
        return DataType(data_type).name
    except ValueError:
        return f"{data_type:#x}"


# --- buffers --------------------------------------------------------------------------------------


# What raw memory comes as: bytes, and C's char where it is signed.
BYTES = frozenset({int(DataType.UInt8), int(DataType.Int8)})


def element_type(
    array: NDArray[Any], wanted: int = 0, given: object = None, name: str = "array"
) -> int:
    """The type of array's elements, or the wanted one where array holds that type or bytes.

    A wanted type that BNNS does not have is let through: a call answers for it. `given` and `name`
    are what the caller gave and called it, for the sentence.
    """
    own = DATA_TYPES.get(array.dtype)
    if own is None:
        raise TypeError(unsupported(array.dtype, given, name))
    if not wanted or wanted == own or own in BYTES or not is_data_type(wanted):
        return wanted or own
    remedies = []
    if wanted in DTYPES:
        remedies.append(use(f".astype({type_expression(DTYPES[wanted])})", given, name))
    bits = wanted & 0xFFFF
    if array.flags.c_contiguous and array.ndim and array.itemsize * 8 >= bits:
        remedies.append(f"{use('.view(np.uint8)', given, name)} to say that these are bytes")
    raise TypeError(
        f"data has elements of {type_name(own)}, and the descriptor is of {type_name(wanted)}; "
        f"{', or '.join([*remedies, ''])}say {type_name(own)} (scalar_type=, or data_type= in a "
        "replace() together with data=)"
    )


def check_type(data_type: int, of: Any) -> None:
    """A TypeError where `of` names another type than the elements have."""
    wanted = data_type_of(of)
    if wanted != data_type and numpy_type(wanted) != numpy_type(data_type):
        remedy = f".make_array().astype({type_expression(numpy_type(wanted))})"
        raise TypeError(
            f"of is {wanted.name}, and the elements are {type_name(data_type)}; {use(remedy)} to "
            "convert them"
        )


def not_contiguous(array: NDArray[Any], given: object) -> NoReturn:
    """What is wrong with a buffer that can't be read from its first byte to its last."""
    remedy = f"{use('numpy.ascontiguousarray', given, 'data')}, which copies"
    try:
        describe_array(array, None, given)
    except (TypeError, ValueError):
        pass
    else:
        remedy += f", or {use('NDArrayDescriptor.from_array', None, 'data')}, which takes strides"
    raise ValueError(f"data is not C-contiguous; {remedy}")


def borrowed(data: Any, data_type: int, name: str = "data") -> Memory:
    """The memory for a field of that name: a buffer of that type (0: any) or of bytes, or None."""
    if data is None:
        return NOTHING
    array = as_array(data, name)
    if DATA_TYPES.get(array.dtype) != data_type:
        element_type(array, data_type, data, "data")  # raises, or knows why it is fine
    return hold(array, data) or not_contiguous(array, data)


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
def packed_model(
    sizes: tuple[int, ...], dtype: np.dtype[Any], last_major: bool = False
) -> tuple[Any, int]:
    """Model and type of an array without holes, found at once for the usual array.

    nDFirstMajor for one in C's order, nDLastMajor for one in Fortran's.
    """
    empty = np.broadcast_to(np.empty((), dtype), sizes)
    data_type = element_type(empty)
    natural_layout(empty)  # raises for a rank that no layout has
    shape = packed_shape(sizes, (LAST_MAJOR if last_major else FIRST_MAJOR)[len(sizes) - 1])
    shape.view()  # raises for an empty array whose other sizes overflow
    return shape.model(data_type), data_type


def strided_shape(array: NDArray[Any], layout: DataLayout, given: object = None) -> Shape:
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
            if step <= 0 or rest:
                what = unsayable(array, k, rest, axis.sign)
                raise ValueError(f"array's axis {k} is {what}; {copy_for(layout, given)}")
            if step < least:
                raise ValueError(out_of_order(array, layout, given))
            least = step
        else:
            step = least  # never taken, so any value that is in order will do
        stride[axis.stride_slot] = step
    return Shape(size, layout, stride)


def unsayable(array: NDArray[Any], axis: int, rest: int, sign: int) -> str:
    """What no descriptor can say of one axis."""
    step = array.strides[axis]
    if step == 0:
        return "broadcast (its stride is 0, which BNNS reads as a request for the default)"
    if rest:
        return f"of stride {step} bytes, no multiple of its {array.itemsize}-byte elements"
    return "running backwards" if sign > 0 else "running forwards, and the layout reverses it"


def copy_for(layout: DataLayout, given: object) -> str:
    """The copy whose strides a layout can say, whatever those of the array were."""
    axes = axes_of(layout)
    rank = len(axes)
    order = tuple(sorted(range(rank), key=lambda k: -axes[k].stride_slot))  # slowest first
    turned = ", ".join(":" if axis.sign > 0 else "::-1" for axis in axes)
    array = f"{{}}[{turned}]" if "-" in turned else "{}"
    if order == tuple(range(rank)):
        copy = f"numpy.ascontiguousarray({array})"
    elif order == tuple(reversed(range(rank))):
        copy = f"numpy.asfortranarray({array})"
    else:
        back = tuple(sorted(range(rank), key=lambda k: order[k]))
        copy = f"numpy.ascontiguousarray({array}.transpose{order}).transpose{back}"
    return f"{use(copy + array[2:], given)}, which copies"


def out_of_order(array: NDArray[Any], layout: DataLayout, given: object) -> str:
    """Why strides that grow another way are no error of the array, but one of the layout."""
    message = (
        f"array has strides {array.strides} (bytes), which {layout_name(layout)} can't say: its "
        f"axes lie in memory in another order; {copy_for(layout, given)}"
    )
    if can_say(natural_layout(array), array):
        other = layout_name(natural_layout(array))
        message += f", or {use('NDArrayDescriptor.from_array')} without layout=, for {other}"
    if layout == DataLayout.ImageCHW and can_say(layout, array.T):
        message += " (ImageCHW counts x, y, channel: pass a.T of a C-contiguous (C, H, W) array)"
    return message


def can_say(layout: DataLayout, array: NDArray[Any]) -> bool:
    """Whether a layout of array's rank has strides for it."""
    steps = []
    for k, axis in sorted(enumerate(axes_of(layout)), key=lambda pair: pair[1].stride_slot):
        if array.shape[k] > 1:
            steps.append(array.strides[k] * axis.sign)
    return steps == sorted(steps) and all(s > 0 and s % array.itemsize == 0 for s in steps)


def natural_layout(array: NDArray[Any], given: object = None) -> DataLayout:
    """The layout that an array's order in memory has: nDFirstMajor, unless only nDLastMajor does.

    Both count axes as NumPy does. One dimension is a Vector.
    """
    rank = array.ndim
    if not 1 <= rank <= len(FIRST_MAJOR):
        shape = array.shape[rank - 7 :]
        merged = (1,) if rank == 0 else (math.prod(array.shape[: rank - 7]), *shape)
        remedy = use(f".reshape({', '.join(map(str, merged))})", given)
        how = f"; {remedy}" if rank == 0 else f", and reshape to merge some: {remedy}"
        raise ValueError(f"array has {rank} dimensions, and a descriptor has 1 to 8{how}")
    steps = [step for n, step in zip(array.shape, array.strides, strict=True) if n > 1]
    rising = steps == sorted(steps) and steps != sorted(steps, reverse=True)
    return (LAST_MAJOR if rising and steps[0] > 0 else FIRST_MAJOR)[rank - 1]


def describe_array(array: NDArray[Any], layout: int | None, owner: object) -> tuple[Shape, Memory]:
    """Shape and memory of an array as it lies."""
    chosen = natural_layout(array, owner)
    if layout is not None:
        chosen = DataLayout(layout)
        if array.ndim != chosen >> 16:
            raise ValueError(
                f"array has {array.ndim} dimensions, and {layout_name(chosen)} has {chosen >> 16}"
            )
    if array.size == 0:
        return packed_shape(array.shape, chosen), hold(array, owner) or not_contiguous(array, owner)
    return strided_shape(array, chosen, owner), hold_strided(array, owner)
