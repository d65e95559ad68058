"""What the ONNX functions take: operands, their element types, and the caller's buffer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bnnspy.errors import IndexOutOfRange, InvalidParameter, ShapeMismatch, Status
from bnnspy.memory import BFLOAT16, CODES, as_array

INTEGERS = tuple(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))

# Index types, those of BNNSGather, with the core's code. ONNX's operators have two of them.
INDEX_TYPES = {dtype: CODES[dtype] for dtype in map(np.dtype, INTEGERS)}
ONNX_INDEX_TYPES = frozenset({np.dtype(np.int32), np.dtype(np.int64)})

# Element types that ONNX lists, strings apart. The core moves their bytes and knows no more.
FLOATS = ("float16", "float32", "float64", "complex64", "complex128")
NUMBERS = frozenset(np.dtype(name) for name in ("bool", *INTEGERS, *FLOATS))

# How far shares_memory may search, and how many elements of a tangled buffer are looked at.
MAX_WORK: Any = 100_000  # NumPy's types allow two of its values only
MAX_ELEMENTS = 1 << 20


def invalid(argument: str, sentence: str) -> InvalidParameter:
    """A ValueError about an argument."""
    return InvalidParameter(f"{argument} {sentence}", argument=argument)


def mismatch(argument: str, sentence: str) -> ShapeMismatch:
    """A ValueError about an argument's shape."""
    return ShapeMismatch(f"{argument} {sentence}", status=Status.ShapeMismatch, argument=argument)


# --- operands -------------------------------------------------------------------------------------


def operand(value: Any, name: str) -> NDArray[Any]:
    """value as an array: without a copy where it has memory of its own."""
    if isinstance(value, (list, tuple, bool, int, float, complex, str, bytes, np.generic)):
        return np.asarray(value)
    if hasattr(value, "__array__") and not isinstance(value, np.ndarray):
        module = type(value).__module__.partition(".")[0]
        return as_array(value if module == "torch" else np.asanyarray(value), name)
    return np.asarray(as_array(value, name))


def indices_of(value: Any) -> NDArray[Any]:
    """value as an array of an index type, in the machine's byte order."""
    array = operand(value, "indices")
    if array.dtype in INDEX_TYPES:
        return array
    if isinstance(value, (list, tuple, int)):
        if array.size == 0:
            return array.astype(np.int64)  # NumPy takes [] for floats
        refuse_huge(value)
    native = array.dtype.newbyteorder("=")
    if native in INDEX_TYPES:
        return array.astype(native)
    raise TypeError(f"indices has type {array.dtype}; indices are integers of 8 to 64 bits")


def refuse_huge(value: Any) -> None:
    """An IndexError for the first of Python's integers that int64 can't hold."""
    # As objects: NumPy turns a list of 0 and 2**63 into floats.
    array = np.asarray(value, object)
    if not all(isinstance(index, int) for index in array.flat):
        return
    for position in np.ndindex(array.shape):
        index: Any = array[position]
        if not -(1 << 63) <= index < 1 << 63:
            where = ", ".join(map(str, position))
            raise IndexOutOfRange(
                f"indices[{where}] is {index}, and no axis is that long",
                status=Status.IndexOutOfRange,
                argument="indices",
                index=index,
                position=position,
            )


def by_numpy(dtype: np.dtype[Any]) -> bool:
    """Whether NumPy has to move elements of a type; TypeError for what ONNX does not have."""
    if dtype.kind in "OT" or (dtype.kind in "US" and not dtype.itemsize):
        return True  # they hold references; or there are no bytes to move
    native = dtype.newbyteorder("=")
    if dtype.kind in "US" or dtype in NUMBERS or native in NUMBERS or dtype == BFLOAT16:
        return False
    raise TypeError(
        f"data has type {dtype}; ONNX has bool, integers of 8 to 64 bits, float16, float32, "
        "float64, bfloat16, complex64, complex128 and strings for it"
    )


def axis_of(axis: int, rank: int) -> int:
    """axis counted from the front."""
    if rank == 0:
        raise invalid("data", "has rank 0, and a gather needs an axis to go along")
    if not -rank <= axis < rank:
        raise invalid("axis", f"is {axis}, outside {-rank}..{rank - 1} (data has rank {rank})")
    return axis % rank


# --- the caller's buffer --------------------------------------------------------------------------


def checked_out(
    out: Any, shape: tuple[int, ...], data: NDArray[Any], indices: NDArray[Any]
) -> NDArray[Any]:
    """out as an array that can be filled; an error otherwise."""
    array = as_array(out, "out")
    if array.dtype != data.dtype:
        raise invalid("out", f"has type {array.dtype}, and data has {data.dtype}")
    if array.shape != shape:
        raise mismatch("out", f"has shape {array.shape}, and the result has {shape}")
    if not array.flags.writeable:
        raise invalid("out", "is read-only")
    if not distinct(array):
        raise invalid("out", "has elements that share memory, or that can't be told from such")
    for name, source in (("data", data), ("indices", indices)):
        if shares(array, source):
            raise invalid("out", f"shares memory with {name}, or can't be told from such memory")
    return array


def shares(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two arrays share a byte; True as well where that takes too long to find out."""
    if not np.may_share_memory(one, other):
        return False
    try:
        return bool(np.shares_memory(one, other, max_work=MAX_WORK))
    except np.exceptions.TooHardError:
        return True


def distinct(array: NDArray[Any]) -> bool:
    """Whether no two elements share a byte; False as well for what is too large to find out."""
    if array.size < 2 or array.flags.c_contiguous:
        return True
    pairs = zip(array.shape, array.strides, strict=True)
    axes = sorted((abs(step), n) for n, step in pairs if n > 1)
    span = array.itemsize
    for step, n in axes:
        if step < span:
            break
        span += step * (n - 1)
    else:
        return True
    if axes[0][0] == 0 or array.size > MAX_ELEMENTS:
        return False
    places = np.zeros(1, np.int64)
    for step, n in axes:
        places = np.add.outer(places, step * np.arange(n)).ravel()
    places.sort()
    return bool((np.diff(places) >= array.itemsize).all())
