"""The loop nests that the operators are for the core, remembered by what they depend on.

Nothing in a plan depends on where arrays lie, and the core only reads it, so that calls of several
threads share one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from bnnspy._bnns import ffi
from bnnspy.onnx.arrays import INDEX_TYPES, axis_of, by_numpy, invalid, mismatch

# NumPy's own limit; the core has 64 loops.
MAX_RANK = 64 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 32
REMEMBERED = 512

Shape = tuple[int, ...]


class Plan(NamedTuple):
    """What a call does."""

    shape: Shape  # of the result
    strides: Any  # the core's bnnspy_strides *
    by_numpy: bool  # it moves the elements, and the core only looks at the indices
    axis: int  # from 0 on
    kept: tuple[Any, ...]  # what strides points to


class Nest(NamedTuple):
    """Loops over the result: how often, and the bytes that each operand moves with a turn."""

    size: Shape
    output: Shape
    data: Shape
    indices: Shape
    first_index_loop: int
    index_rank: int


def packed(shape: Shape, item: int) -> Shape:
    """The byte strides of a new array."""
    strides = []
    for n in reversed(shape):
        strides.append(item)
        item *= max(n, 1)
    return tuple(reversed(strides))


def output_strides(result: Shape, item: int, given: Shape | None) -> Shape:
    """Those of the buffer given, or of a new array. A buffer of another rank is refused later."""
    return given if given is not None and len(given) == len(result) else packed(result, item)


def looking(index_shape: Shape, item: int) -> Nest:
    """A nest that looks at the indices, a new array: it moves one and the same byte for each."""
    none = (0,) * len(index_shape)
    return Nest(
        index_shape, packed(index_shape, 1), none, packed(index_shape, item), 0, len(index_shape)
    )


def once(nest: Nest) -> Nest:
    """A nest that moves nothing, with each index looked at once, however often it is repeated."""
    sizes = (min(n, 1) if step == 0 else n for n, step in zip(nest.size, nest.indices, strict=True))
    return nest._replace(size=tuple(sizes))


def in_c(nest: Nest, axis: int, n: int, step: int, item: int, index_type: int) -> tuple[Any, ...]:
    """The nest as the core takes it, and the memory that it points to."""
    size = ffi.new("size_t[]", nest.size)
    steps = [ffi.new("ptrdiff_t[]", row) for row in (nest.output, nest.data, nest.indices)]
    strides = ffi.new(
        "bnnspy_strides *",
        {
            "rank": len(nest.size),
            "size": size,
            "output_stride": steps[0],
            "input_stride": steps[1],
            "index_stride": steps[2],
            "first_index_loop": nest.first_index_loop,
            "index_rank": nest.index_rank,
            "axis": axis,
            "axis_size": n,
            "axis_stride": step,
            "item": item,
            "index_type": index_type,
            "wrap": 1,
        },
    )
    return (strides, size, *steps)


def finish(
    nest: Nest, axis: int, n: int, step: int, dtype: np.dtype[Any], index_dtype: np.dtype[Any]
) -> Plan:
    """The plan of a nest that goes along an axis of n elements, step bytes apart."""
    numpy, shape = by_numpy(dtype), nest.size
    item = max(dtype.itemsize, 1)
    if 0 in shape:
        nest = once(nest)
    elif numpy:
        first = nest.first_index_loop
        nest = looking(shape[first : first + nest.index_rank], index_dtype.itemsize)
        step, item = 0, 1
    kept = in_c(nest, axis, n, step, item, INDEX_TYPES[index_dtype])
    return Plan(shape, kept[0], numpy, axis, kept)


@lru_cache(REMEMBERED)
def gather_plan(
    shape: Shape,
    steps: Shape,
    dtype: np.dtype[Any],
    index_shape: Shape,
    index_steps: Shape,
    index_dtype: np.dtype[Any],
    axis: int,
    output_steps: Shape | None,
) -> Plan:
    """ONNX's Gather; output_steps is None for a result that is made new."""
    by_numpy(dtype)
    axis = axis_of(axis, len(shape))
    q = len(index_shape)
    result = (*shape[:axis], *index_shape, *shape[axis + 1 :])
    if len(result) > MAX_RANK:
        raise invalid("indices", f"has rank {q}, and the result would have rank {len(result)}")
    nest = Nest(
        result,
        output_strides(result, dtype.itemsize, output_steps),
        (*steps[:axis], *(0,) * q, *steps[axis + 1 :]),
        (*(0,) * axis, *index_steps, *(0,) * (len(shape) - axis - 1)),
        axis,
        q,
    )
    return finish(nest, axis, shape[axis], steps[axis], dtype, index_dtype)


@lru_cache(REMEMBERED)
def elements_plan(
    shape: Shape,
    steps: Shape,
    dtype: np.dtype[Any],
    index_shape: Shape,
    index_steps: Shape,
    index_dtype: np.dtype[Any],
    axis: int,
    output_steps: Shape | None,
) -> Plan:
    """ONNX's GatherElements; output_steps is None for a result that is made new."""
    by_numpy(dtype)
    rank = len(shape)
    axis = axis_of(axis, rank)
    if len(index_shape) != rank:
        raise mismatch("indices", f"has rank {len(index_shape)}, and data has rank {rank}")
    for k, (n, limit) in enumerate(zip(index_shape, shape, strict=True)):
        if k != axis and n > limit:
            raise mismatch("indices", f"has size {n} along axis {k}, and data has {limit}")
    nest = Nest(
        index_shape,
        output_strides(index_shape, dtype.itemsize, output_steps),
        (*steps[:axis], 0, *steps[axis + 1 :]),
        index_steps,
        0,
        rank,
    )
    return finish(nest, axis, shape[axis], steps[axis], dtype, index_dtype)
