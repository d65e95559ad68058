"""Calls for the tests: tensors in one arena of random bytes, made by the library's three doors.

The arena is compared as a whole after each call, so that guard bytes around the tensors, holes
between strides, inputs and indices are all looked at, whatever the test is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from oracle import (
    BITS,
    BY_CODE,
    DATA_TYPES,
    INDEX_DTYPES,
    INDEX_TYPES,
    LAYOUTS,
    ORACLE,
    STRIDED,
    Axis,
    Bytes,
    Outcome,
    Tensor,
    places,
    view,
)

import bnnspy
from bnnspy._bnns import ffi, lib

GUARD = 24  # bytes of nothing before, between and behind the tensors
NAMES = ("input", "indices", "output")


@dataclass(frozen=True)
class Spec:
    """One tensor of a call: fields, and where in the arena its memory lies."""

    layout: int
    size: tuple[int, ...]
    data_type: int
    stride: tuple[int, ...] = ()
    start: int = 0
    nbytes: int = 0
    null: bool = False
    writable: bool = True
    live: bool = True

    def tensor(self, arena: Bytes) -> Tensor:
        """What the oracle takes."""
        memory = arena[self.start : self.start + self.nbytes]
        memory.flags.writeable = self.writable
        size = (*self.size, *[0] * 8)[:8]
        stride = (*self.stride, *[0] * 8)[:8]
        data = None if self.null else memory
        return Tensor(self.layout, size, stride, self.data_type, data, self.live)

    def needed(self) -> int:
        """The bytes from data to the end of the last element."""
        v = view(self.tensor(np.empty(0, np.uint8)))
        return (v.extent * BITS[self.data_type] + 7) // 8


@dataclass(frozen=True)
class Call:
    """A gather over an arena."""

    axis: int
    input: Spec
    indices: Spec
    output: Spec
    arena: Bytes = field(repr=False)
    note: str = ""

    def specs(self) -> tuple[Spec, Spec, Spec]:
        """The three tensors."""
        return self.input, self.indices, self.output

    def expected(self) -> Outcome:
        """The oracle's answer; the arena is left alone."""
        arena = self.arena.copy()
        return ORACLE["BNNSGather"](self.axis, *(spec.tensor(arena) for spec in self.specs()))


# --- the three doors ------------------------------------------------------------------------------


def descriptor(tensor: Tensor) -> bnnspy.NDArrayDescriptor:
    """The tensor as the library's descriptor, over the same memory."""
    made = bnnspy.NDArrayDescriptor(
        layout=tensor.layout,
        size=tensor.size,
        stride=tensor.stride,
        data_type=tensor.data_type,
        data=tensor.memory,
    )
    if not tensor.live:
        made.deallocate()
    return made


def through_c_face(axis: int, *tensors: Tensor) -> int:
    """bnnspy.BNNSGather."""
    return bnnspy.BNNSGather(axis, *map(descriptor, tensors), None)


def through_overlay(axis: int, *tensors: Tensor) -> int:
    """BNNS.gather, its exception turned back into the status."""
    arguments: dict[str, Any] = dict(zip(NAMES, map(descriptor, tensors), strict=True))
    try:
        bnnspy.BNNS.gather(axis=axis, **arguments)
    except bnnspy.Error as error:
        raised = error
    else:
        return 0
    assert str(raised) == bnnspy.last_error()
    return raised.status


def through_c(axis: int, *tensors: Tensor) -> int:
    """The C function itself, which knows no bounds."""
    structs = []
    for tensor in tensors:
        struct = ffi.new("BNNSNDArrayDescriptor *")
        struct.layout, struct.data_type = tensor.layout, tensor.data_type
        struct.size, struct.stride = tensor.size, tensor.stride
        if tensor.memory is not None:
            address = tensor.memory.__array_interface__["data"][0]
            struct.data = ffi.cast("void *", address)
        structs.append(struct)
    return int(lib.BNNSGather(axis, *structs, ffi.NULL))


DOORS = {"C face": through_c_face, "overlay": through_overlay, "C": through_c}
# What the C function can't know: it would read or write what is not there.
UNSEEN_BY_C = {"live", "bounds", "read-only"}


def check(call: Call) -> Outcome:
    """Makes the call through each door and holds status and arena against the oracle."""
    outcome = call.expected()
    after = call.arena.copy()
    if outcome.status == 0 and outcome.memory is not None:
        after[call.output.start :][: call.output.nbytes] = outcome.memory
    for name, door in DOORS.items():
        if name == "C" and outcome.reason in UNSEEN_BY_C:
            continue
        arena = call.arena.copy()
        status = door(call.axis, *(spec.tensor(arena) for spec in call.specs()))
        assert status == outcome.status, (name, outcome.reason, bnnspy.last_error(), call)
        np.testing.assert_array_equal(arena, after, f"{name}: {call}")
    return outcome


# --- putting tensors into an arena ----------------------------------------------------------------


def by_stride(layout: int) -> list[Axis]:
    """A layout's axes in the order of stride[]."""
    axes = BY_CODE[layout].axes
    assert axes is not None
    return sorted(axes, key=lambda axis: axis.stride)


def strides_of(layout: int, size: Sequence[int], extra: Sequence[int]) -> tuple[int, ...]:
    """Explicit strides, each so many elements longer than the default over the one before."""
    strides = []
    step = 1
    for axis, more in zip(by_stride(layout), extra, strict=True):
        strides.append(step + more)
        step = strides[-1] * max(size[axis.size], 1)
    return tuple(strides)


def slot_order(layout: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Sizes in tuple order as the layout's size[]."""
    axes = BY_CODE[layout].axes
    assert axes is not None
    size = [0] * len(sizes)
    for axis, n in zip(axes, sizes, strict=True):
        size[axis.size] = n
    return tuple(size)


def lay_out(axis: int, specs: Sequence[Spec], rng: np.random.Generator, note: str = "") -> Call:
    """The call with its tensors one behind the other in a new arena of random bytes."""
    placed, end = [], GUARD + int(rng.integers(16))  # so that tensors start at any alignment
    for spec in specs:
        nbytes = spec.needed()
        placed.append(replace(spec, start=end, nbytes=nbytes))
        end += nbytes + GUARD
    return Call(axis, *placed, rng.integers(0, 256, end, dtype=np.uint8), note)


def write_integers(arena: Bytes, spec: Spec, values: NDArray[Any] | Sequence[int]) -> None:
    """Puts integers into an index tensor, in tuple order."""
    dtype = INDEX_DTYPES[spec.data_type]
    v = view(spec.tensor(arena))
    at = places(v).ravel()[:, None] * dtype.itemsize + np.arange(dtype.itemsize)
    flat = np.array(values, dtype).reshape(-1, 1).view(np.uint8)
    arena[spec.start + at] = flat


def with_indices(call: Call, rng: np.random.Generator) -> Call:
    """Writes random indices that are in range, where there are any."""
    sizes = view(call.input.tensor(call.arena)).size
    count = prod(view(call.indices.tensor(call.arena)).size)
    if count and sizes[call.axis]:
        highest = min(sizes[call.axis], np.iinfo(INDEX_DTYPES[call.indices.data_type]).max)
        write_integers(call.arena, call.indices, rng.integers(0, highest, count))
    return call


# --- plain arrays ---------------------------------------------------------------------------------


def counting(*shape: int) -> Any:
    """0, 1, 2, .. as float32."""
    return np.arange(int(np.prod(shape)), dtype=np.float32).reshape(shape)


def gathered(values: Any, indices: Any, axis: int = 0) -> Any:
    """values gathered into new memory."""
    shape = list(values.shape)
    if indices.ndim == 1:
        shape[axis] = indices.shape[0]
    else:
        shape = list(indices.shape)
    output = np.full(shape, 99, values.dtype)
    bnnspy.BNNS.gather(input=values, indices=indices, output=output, axis=axis)
    return output


# --- cells: a layout, a type, an index type and a form --------------------------------------------


@dataclass(frozen=True)
class Cell:
    """One combination of the sweep."""

    layout: str
    data_type: str
    index_type: str
    form: str  # "vector" or "full"


def cells() -> Iterator[Cell]:
    """All combinations; at rank 1 both forms are one, and counted as vector."""
    for layout in LAYOUTS:
        for data_type in DATA_TYPES:
            for index_type in INDEX_TYPES:
                yield Cell(layout, data_type, index_type, "vector")
                if LAYOUTS[layout].rank > 1:
                    yield Cell(layout, data_type, index_type, "full")


def possible(cell: Cell) -> bool:
    """Whether a call of this cell can succeed."""
    if cell.layout not in STRIDED:
        return False
    # A single packed element is never whole bytes: several have to move at once.
    several = cell.form == "vector" and LAYOUTS[cell.layout].rank > 1
    return BITS[DATA_TYPES[cell.data_type]] >= 8 or several


def of_rank(rank: int, number: int) -> str:
    """One of the layouts with that rank, going round."""
    fitting = [name for name in STRIDED if LAYOUTS[name].rank == rank]
    return fitting[number % len(fitting)]


def call_of(cell: Cell, number: int) -> Call:
    """A call of the cell; the number varies axis, strides, and the layouts of the rest."""
    layout = LAYOUTS[cell.layout]
    bits = BITS[DATA_TYPES[cell.data_type]]
    rng = np.random.default_rng(number)
    smallest = 2 if layout.rank < 5 else 1  # high ranks have elements enough
    sizes = [smallest + (number + k) % 2 for k in range(layout.rank)]
    axis = number % layout.rank
    extra = [number // 2 % 2 * (k + 1) for k in range(layout.rank)]
    if bits < 8:
        # The run is the fastest axis, 8 elements and so whole bytes; the slowest is gathered.
        # Turned axes can't be a run: they stay at 1.
        axes = layout.axes or tuple(LAYOUTS[f"{layout.rank}DLastMajor"].axes or ())
        straight = [k for k in range(layout.rank) if not axes[k].reversed]
        axis = max(straight, key=lambda k: axes[k].stride)
        run = min(straight, key=lambda k: axes[k].stride)
        sizes = [1 if axes[k].reversed else 8 if k == run else 2 for k in range(layout.rank)]
        extra = [8 * (k > axes[run].stride) * (number // 2 % 2) for k in range(layout.rank)]
    out_sizes = [4 if k == axis else n for k, n in enumerate(sizes)]
    if layout.axes is None:
        size = tuple(sizes)
        specs = [Spec(layout.code, size, DATA_TYPES[cell.data_type], nbytes=4096) for _ in "io"]
        index = Spec(LAYOUTS["Vector"].code, (4,), DATA_TYPES[cell.index_type], nbytes=4096)
        return Call(axis, specs[0], index, specs[1], np.zeros(4096, np.uint8), str(cell))
    other = layout.code if bits < 8 else LAYOUTS[of_rank(layout.rank, number)].code
    index_rank = 1 if cell.form == "vector" else layout.rank
    index_layout = LAYOUTS[of_rank(index_rank, number + 1)].code
    index_sizes = [4] if cell.form == "vector" else out_sizes

    def spec(code: int, sizes: Sequence[int], data_type: str, more: Sequence[int]) -> Spec:
        size = slot_order(code, sizes)
        stride = strides_of(code, size, more) if any(more) else ()
        return Spec(code, size, DATA_TYPES[data_type], stride)

    specs = [
        spec(layout.code, sizes, cell.data_type, extra),
        spec(index_layout, index_sizes, cell.index_type, [number % 3] * index_rank),
        spec(other, out_sizes, cell.data_type, extra),
    ]
    return with_indices(lay_out(axis, specs, rng, str(cell)), rng)
