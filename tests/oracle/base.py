"""Layouts, types, tensors and their elements, in NumPy and without the code under test.

Written from the descriptions of the layouts and the rules of the calls, so that a fault in the
library has to be made twice to go unseen. Elements are handled as bits, one way for all types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]


class Axis(NamedTuple):
    """Where a layout keeps one axis of its value tuple."""

    size: int  # slot of size[]
    stride: int  # slot of stride[]
    reversed: bool = False


class Layout(NamedTuple):
    """A layout: its axes in tuple order, or None where no strides can say it."""

    code: int
    rank: int
    axes: tuple[Axis, ...] | None


def last_major(rank: int) -> tuple[Axis, ...]:
    """Sizes and strides in tuple order."""
    return tuple(Axis(k, k) for k in range(rank))


def first_major(rank: int) -> tuple[Axis, ...]:
    """Sizes slowest first, strides fastest first."""
    return tuple(Axis(k, rank - 1 - k) for k in range(rank))


ROWS_LAST = (Axis(1, 1), Axis(0, 0))  # size {columns, rows}, tuple (row, column)
TURNED = (Axis(0, 0, True), Axis(1, 1, True))  # kernels are stored turned by 180 degrees

LAYOUTS: dict[str, Layout] = {
    "Vector": Layout(0x10000, 1, last_major(1)),
    "RowMajorMatrix": Layout(0x20000, 2, ROWS_LAST),
    "ColumnMajorMatrix": Layout(0x20001, 2, last_major(2)),
    "FullyConnectedSparse": Layout(0x21001, 2, None),
    "ImageCHW": Layout(0x30000, 3, last_major(3)),
    "SNE": Layout(0x30001, 3, last_major(3)),
    "NSE": Layout(0x30002, 3, last_major(3)),
    "MHA_DHK": Layout(0x30003, 3, last_major(3)),
    "ConvolutionWeightsOIHW": Layout(0x40000, 4, last_major(4)),
    "ConvolutionWeightsOIHrWr": Layout(0x40001, 4, (*TURNED, Axis(2, 2), Axis(3, 3))),
    "ConvolutionWeightsIOHrWr": Layout(0x40002, 4, (*TURNED, Axis(3, 3), Axis(2, 2))),
    "ConvolutionWeightsOIHW_Pack32": Layout(0x40010, 4, None),
    **{f"{n}DLastMajor": Layout(0x8000 + 0x10000 * n, n, last_major(n)) for n in range(1, 9)},
    **{f"{n}DFirstMajor": Layout(0x8001 + 0x10000 * n, n, first_major(n)) for n in range(1, 9)},
}
STRIDED = tuple(name for name, layout in LAYOUTS.items() if layout.axes is not None)

DATA_TYPES: dict[str, int] = {
    "Float16": 0x10010,
    "Float32": 0x10020,
    "BFloat16": 0x18010,
    **{f"Int{bits}": 0x20000 + bits for bits in (1, 2, 4, 8, 16, 32, 64)},
    **{f"UInt{bits}": 0x40000 + bits for bits in (1, 2, 3, 4, 6, 8, 16, 32, 64)},
    **{f"Indexed{bits}": 0x80000 + bits for bits in (1, 2, 4, 8)},
    "Boolean": 0x100008,
}
INDEX_TYPES = tuple(f"{sign}{bits}" for sign in ("Int", "UInt") for bits in (8, 16, 32, 64))

BY_CODE = {layout.code: layout for layout in LAYOUTS.values()}
# The last eight bits of a type's code are its width.
BITS = {code: code & 0xFF for code in DATA_TYPES.values()}
INDEX_DTYPES = {DATA_TYPES[name]: np.dtype(name.lower()) for name in INDEX_TYPES}

# No memory has so many elements. The library's own limit is 32 times as high, and no test comes
# between the two.
MOST_ELEMENTS = 2**50


@dataclass(frozen=True)
class Tensor:
    """The fields of a descriptor, and the bytes from its data on; None for NULL."""

    layout: int
    size: tuple[int, ...]
    stride: tuple[int, ...]
    data_type: int
    memory: Bytes | None
    live: bool = True

    @property
    def bits(self) -> int:
        """Width of one element."""
        return BITS[self.data_type]


class View(NamedTuple):
    """What a tensor's fields say, in tuple order and in elements."""

    size: tuple[int, ...]
    stride: tuple[int, ...]  # negative along reversed axes
    start: int
    count: int
    extent: int  # up to the end of the last element


class Refused(Exception):
    """A call that fails: its status, and the kind of fault."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class BadIndex(NamedTuple):
    """The first index that is out of range, in tuple order."""

    position: tuple[int, ...]
    value: int


@dataclass(frozen=True)
class Outcome:
    """What a call returns and leaves behind."""

    status: int
    reason: str  # "" for success
    memory: Bytes | None  # of the output, after the call
    may_change: NDArray[np.bool_] | None  # which bytes of it belong to an element
    bad: BadIndex | None = None


# --- tensors --------------------------------------------------------------------------------------


def require(condition: bool, reason: str, status: int = -1) -> None:
    """Refuses unless condition holds."""
    if not condition:
        raise Refused(status, reason)


def axes_of(tensor: Tensor) -> tuple[Axis, ...]:
    """The layout's axes, refused where there are none."""
    layout = BY_CODE.get(tensor.layout)
    require(layout is not None and layout.axes is not None, "layout")
    assert layout is not None
    assert layout.axes is not None
    return layout.axes


def view(tensor: Tensor) -> View:
    """The fields in tuple order, default strides resolved."""
    axes = axes_of(tensor)
    by_slot = sorted(axes, key=lambda axis: axis.stride)
    given = (*tensor.stride, *[0] * 8)
    strides: list[int] = []
    default, least = 1, 0
    for slot, axis in enumerate(by_slot):
        size = tensor.size[axis.size]
        stride = given[slot] or default
        require(stride < 2**63, "strides")
        if size > 1:
            require(stride >= least, "strides")
            least = stride
        strides.append(stride)
        default = stride * max(size, 1)
    sizes = tuple(tensor.size[axis.size] for axis in axes)
    signed, start, extent, product = [], 0, 1, 1
    for size, axis in zip(sizes, axes, strict=True):
        stride = strides[axis.stride]
        signed.append(-stride if axis.reversed else stride)
        start += (max(size, 1) - 1) * stride if axis.reversed else 0
        extent += (max(size, 1) - 1) * stride
        product *= max(size, 1)
    require(extent <= MOST_ELEMENTS and product < 2**64, "overflow")
    empty = 0 in sizes
    return View(sizes, tuple(signed), start, 0 if empty else product, 0 if empty else extent)


def places(v: View, skip: int | None = None) -> NDArray[np.int64]:
    """Each element's distance from data, in tuple order; as if at 0 along the axis `skip`."""
    found = np.full(v.size, v.start, np.int64)
    for axis, (size, stride) in enumerate(zip(v.size, v.stride, strict=True)):
        if axis != skip:
            along = np.arange(size, dtype=np.int64) * stride
            found += along.reshape((-1,) + (1,) * (len(v.size) - axis - 1))
    return found


def bits_at(elements: NDArray[np.int64], bits: int) -> NDArray[np.int64]:
    """The bits of elements: one more axis, of size `bits`."""
    return elements[..., None] * bits + np.arange(bits)


def bytes_of(tensor: Tensor, v: View) -> NDArray[np.int64]:
    """The addresses of the bytes that hold elements, sorted, each once."""
    assert tensor.memory is not None
    address = int(tensor.memory.__array_interface__["data"][0])
    touched = np.zeros(tensor.memory.size, np.bool_)
    touched[bits_at(places(v), tensor.bits) // 8] = True
    return np.flatnonzero(touched) + address


def integers(tensor: Tensor) -> NDArray[Any]:
    """The values of an index tensor, in tuple order."""
    dtype = INDEX_DTYPES[tensor.data_type]
    assert tensor.memory is not None
    at = places(view(tensor))[..., None] * dtype.itemsize + np.arange(dtype.itemsize)
    return np.ascontiguousarray(tensor.memory[at]).view(dtype).reshape(at.shape[:-1])


def elements(tensor: Tensor) -> Bytes:
    """The bits of each element, in tuple order: one more axis, one byte a bit."""
    assert tensor.memory is not None
    return unpacked(tensor.memory)[bits_at(places(view(tensor)), tensor.bits)]


def unpacked(memory: Bytes) -> Bytes:
    """One byte a bit."""
    return np.unpackbits(memory, bitorder="little")


def looks_empty(tensor: Tensor) -> bool:
    """Whether a size is 0, however broken the rest."""
    return 0 in tensor.size[: tensor.layout >> 16]


def coordinate(v: View, axis: int) -> NDArray[np.int64]:
    """0, 1, .. along an axis, in the shape that broadcasts with the tensor."""
    return np.arange(v.size[axis]).reshape([-1 if k == axis else 1 for k in range(len(v.size))])


def first_bad(values: NDArray[Any], bound: int) -> BadIndex | None:
    """The first index outside 0..bound - 1; Python's integers, so nothing is cut."""
    flat = values.ravel().tolist()
    for number, value in enumerate(flat):
        if not 0 <= value < bound:
            position = np.unravel_index(number, values.shape)
            return BadIndex(tuple(int(k) for k in position), value)
    return None


# --- the operations -------------------------------------------------------------------------------

Computes = Callable[..., Outcome]
Sample = Callable[[int], dict[str, Any]]

# function -> what computes a call's outcome, from its arguments in C's order less the parameters
ORACLE: dict[str, Computes] = {}

# function -> a call with tensors of a rank, in tuple order: arguments by name, arrays for tensors
SAMPLES: dict[str, Callable[[int], dict[str, Any]]] = {}

Computes = Callable[..., Outcome]


def oracle(
    function: str, sample: Callable[[int], dict[str, Any]]
) -> Callable[[Computes], Computes]:
    """Registers an operation's oracle, and a sample of its calls."""

    def register(computes: Computes) -> Computes:
        ORACLE[function], SAMPLES[function] = computes, sample
        return computes

    return register
