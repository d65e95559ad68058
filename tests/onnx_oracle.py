"""What ONNX's Gather and GatherElements give, element by element, without the code under test.

Also where a bad index stands, and arrays in awkward memory for the tests to use.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

try:
    import ml_dtypes
except ImportError:  # an optional extra
    ml_dtypes = None

Array = NDArray[Any]

NUMBERS = [
    *(["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]),
    *(["float16", "float32", "float64", "complex64", "complex128"]),
]
BFLOAT16 = [] if ml_dtypes is None else [np.dtype(ml_dtypes.bfloat16)]
DTYPES = [*map(np.dtype, NUMBERS), *BFLOAT16]


class Bad(NamedTuple):
    """The first index out of range, in C order."""

    index: int
    position: tuple[int, ...]


def first_bad(indices: Array, n: int) -> Bad | None:
    """The first index outside -n..n-1."""
    for position in np.ndindex(indices.shape):
        index = int(indices[position])
        if index < -n or index >= n:
            return Bad(index, position)
    return None


def gather(data: Array, indices: Array, axis: int) -> Array:
    """ONNX's Gather, for indices in range."""
    axis += data.ndim * (axis < 0)
    before, after = data.shape[:axis], data.shape[axis + 1 :]
    result = np.zeros((*before, *indices.shape, *after), data.dtype)
    for i in np.ndindex(before):
        for j in np.ndindex(indices.shape):
            for k in np.ndindex(after):
                result[(*i, *j, *k)] = data[(*i, int(indices[j]) % data.shape[axis], *k)]
    return result


def gather_elements(data: Array, indices: Array, axis: int) -> Array:
    """ONNX's GatherElements, for indices in range."""
    axis += data.ndim * (axis < 0)
    result = np.zeros(indices.shape, data.dtype)
    for place in np.ndindex(indices.shape):
        source = list(place)
        source[axis] = int(indices[place]) % data.shape[axis]
        result[place] = data[tuple(source)]
    return result


def same(one: Any, other: Any) -> bool:
    """Whether two arrays have the same type, shape and bytes (strings: the same strings)."""
    if type(one) is not np.ndarray or one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.dtype.kind in "OT":
        return one.tolist() == other.tolist()
    return one.tobytes() == other.tobytes()


def values(shape: tuple[int, ...], dtype: Any, seed: int = 0) -> Array:
    """Random bits as elements of a type: NaNs with payloads, subnormals and all."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    n = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(rng.bytes(n * dtype.itemsize), dtype).reshape(shape).copy()


def layouts(array: Array) -> Iterator[tuple[str, Array]]:
    """The same array in memory laid out in other ways."""
    yield "packed", array
    yield "Fortran", np.asfortranarray(array)
    spaced = np.zeros([2 * n + 1 for n in array.shape], array.dtype)
    view = spaced[(..., *(slice(1, None, 2) for _ in array.shape))]
    view[...] = array
    yield "every second", view
    turned = (..., *(slice(None, None, -1) for _ in array.shape))
    yield "reversed", array[turned].copy()[turned]
    fixed = array.copy()
    fixed.flags.writeable = False
    yield "read-only", fixed
    if array.dtype.kind not in "OT" and array.size:
        raw = np.zeros(array.nbytes + 1, np.uint8)
        odd = raw[1:].view(array.dtype).reshape(array.shape)
        odd[...] = array
        yield "unaligned", odd
