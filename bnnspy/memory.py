"""Memory that descriptors point to: other people's buffers, and our own."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bnnspy._bnns import ffi
from bnnspy.constants import DataType

try:
    import ml_dtypes
except ImportError:  # an optional extra
    ml_dtypes = None  # type: ignore[assignment, unused-ignore]

ALIGNMENT = 64

NUMPY_TYPES: dict[DataType, np.dtype[Any]] = {
    DataType.Float32: np.dtype(np.float32),
    DataType.Float16: np.dtype(np.float16),
    DataType.Int8: np.dtype(np.int8),
    DataType.Int16: np.dtype(np.int16),
    DataType.Int32: np.dtype(np.int32),
    DataType.Int64: np.dtype(np.int64),
    DataType.UInt8: np.dtype(np.uint8),
    DataType.UInt16: np.dtype(np.uint16),
    DataType.UInt32: np.dtype(np.uint32),
    DataType.UInt64: np.dtype(np.uint64),
    DataType.Boolean: np.dtype(np.bool_),
}
BFLOAT16 = None if ml_dtypes is None else np.dtype(ml_dtypes.bfloat16)
if BFLOAT16 is not None:
    NUMPY_TYPES[DataType.BFloat16] = BFLOAT16

# As plain ints: hashing a member of an enum costs as much as the rest of a look-up.
DATA_TYPES = {dtype: int(data_type) for data_type, dtype in NUMPY_TYPES.items()}

# What a table look-up stores: the position in its table.
NUMPY_TYPES[DataType.Indexed8] = np.dtype(np.uint8)

# Python's own types, as the types of Swift that literals have.
SCALARS: dict[Any, DataType] = {
    float: DataType.Float32,
    int: DataType.Int32,
    bool: DataType.Boolean,
}


# A buffer that is held: pointer to its lowest byte, nbytes, whether it may be written, what keeps
# it where it is, and what the caller gave. A bare tuple, since every new descriptor makes one.
Memory: TypeAlias = tuple[Any, int, bool, object, object]


def data_type_of(scalar_type: Any) -> DataType:
    """The data type for a `scalar_type=` argument.

    Parameters
    ----------
    scalar_type : DataType, or anything that numpy.dtype takes
        Python's float, int and bool mean Float32, Int32 and Boolean, as literals do in Swift.

    Raises
    ------
    TypeError
        When BNNS has no such type.
    """
    if isinstance(scalar_type, DataType):
        return scalar_type
    if isinstance(scalar_type, type) and scalar_type in SCALARS:
        return SCALARS[scalar_type]
    try:
        return DataType(DATA_TYPES[np.dtype(scalar_type)])
    except KeyError:
        raise TypeError(f"scalar_type: {unsupported(np.dtype(scalar_type))}") from None


def unsupported(dtype: np.dtype[Any]) -> str:
    """Why a NumPy type is no BNNS type, with the remedy."""
    if dtype == np.float64:
        remedy = "; use .astype(np.float32)"
    elif not dtype.isnative:
        remedy = "; use .astype(array.dtype.newbyteorder('=')), its bytes are swapped"
    elif dtype.name == "bfloat16":
        remedy = "; install ml_dtypes before bnnspy is imported"
    elif dtype.kind in "OSUTV":
        remedy = ", only numbers and booleans"
    else:
        remedy = f"; it has {', '.join(t.name for t in NUMPY_TYPES)}"
    return f"BNNS has no type for {dtype!r}{remedy}"


def numpy_type(data_type: int) -> np.dtype[Any]:
    """The NumPy type of a data type.

    Raises
    ------
    TypeError
        For packed types, unknown codes, and BFloat16 without ml_dtypes.
    """
    try:
        return NUMPY_TYPES[DataType(data_type)]
    except (KeyError, ValueError):
        pass
    if data_type == DataType.BFloat16:
        raise TypeError("BFloat16 needs ml_dtypes: pip install 'bnnspy[bfloat16]'")
    if data_type in DataType.__members__.values():
        raise TypeError(
            f"{DataType(data_type).name} has no NumPy type: its elements are packed in bytes. "
            "Keep the uint8 array that the memory came from (data_type= names the type)"
        )
    raise TypeError(f"data_type is {data_type:#x}, which is no BNNSDataType")


def as_array(value: Any, name: str) -> NDArray[Any]:
    """value's memory as an array, without a copy.

    Takes arrays, objects with the buffer protocol, torch tensors and DLPack tensors on the CPU.
    """
    if type(value) is np.ndarray:
        return value
    if isinstance(value, np.ndarray):
        if isinstance(value, np.ma.MaskedArray):
            raise TypeError(f"{name} is a masked array; use .filled() and keep the mask apart")
        return value
    if isinstance(value, (str, np.generic)):
        raise TypeError(f"{name} is a {type(value).__name__}, and has to be an array or a buffer")
    if type(value).__module__.partition(".")[0] == "torch":
        return torch_array(value)
    try:
        return np.asarray(memoryview(value))
    except TypeError:
        pass
    if hasattr(value, "__dlpack__"):
        return np.from_dlpack(value)
    raise TypeError(
        f"{name} is a {type(value).__name__}, and has to be an array or a buffer "
        "(numpy.asarray makes one of a list)"
    )


def torch_array(tensor: Any) -> NDArray[Any]:
    """A torch tensor's memory; torch itself refuses one off the CPU, or with a gradient."""
    if str(tensor.dtype) != "torch.bfloat16":
        return np.asarray(tensor.numpy())
    if ml_dtypes is None:
        raise TypeError("BFloat16 needs ml_dtypes: pip install 'bnnspy[bfloat16]'")
    torch = sys.modules["torch"]  # it is there: the caller has a tensor
    return np.asarray(tensor.view(torch.int16).numpy()).view(ml_dtypes.bfloat16)


def hold(array: NDArray[Any], owner: object) -> Memory:
    """Holds the memory of a C-contiguous array."""
    try:
        pointer = ffi.from_buffer(array)
    except ValueError:  # the buffer protocol has no name for bfloat16
        pointer = ffi.from_buffer(array.view(np.uint16))
    return (pointer, array.nbytes, array.flags.writeable, pointer, owner)


def hold_strided(array: NDArray[Any], owner: object) -> Memory:
    """Holds the memory from the lowest to the highest byte of an array that has elements."""
    ways = [(n - 1) * stride for n, stride in zip(array.shape, array.strides, strict=True)]
    below = sum(way for way in ways if way < 0)
    above = sum(way for way in ways if way > 0) + array.itemsize
    address = array.__array_interface__["data"][0] + below
    exported: Any = array.view(np.uint16) if array.dtype == BFLOAT16 else array
    view = memoryview(exported)
    pointer = ffi.cast("char *", address)
    return (pointer, above - below, array.flags.writeable, view, owner)


def allocate(nbytes: int, fill: int | None = None) -> Memory:
    """New memory, aligned to 64 bytes; filled with a byte, or with whatever was there."""
    block = np.empty(nbytes + ALIGNMENT, np.uint8)
    start = -int(ffi.cast("uintptr_t", ffi.from_buffer(block))) % ALIGNMENT
    memory = block[start : start + nbytes]
    if fill is not None:
        memory[...] = fill
    return (ffi.from_buffer(memory), nbytes, True, memory, memory)


class _Keep:
    """Called when a pointer dies; until then it keeps what it was given alive."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __call__(self, pointer: object) -> None:
        self.value = None


def window(base: Any, nbytes: int, writable: bool, hold: object) -> memoryview:
    """Bytes as a buffer, held as long as it or an array on it lives."""
    kept = ffi.gc(ffi.cast("char *", base), _Keep(hold))
    view = memoryview(ffi.buffer(kept, nbytes))
    return view if writable else view.toreadonly()
