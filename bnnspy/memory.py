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

from_buffer = ffi.from_buffer  # looked up once, for descriptors that are made inside a loop

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


# Of the types that NumPy gives out buffers of.
CODES = {dtype: int(data_type) for data_type, dtype in NUMPY_TYPES.items()}

BFLOAT16 = None if ml_dtypes is None else np.dtype(ml_dtypes.bfloat16)
if BFLOAT16 is not None:
    NUMPY_TYPES[DataType.BFloat16] = BFLOAT16

# As plain ints: hashing a member of an enum costs as much as the rest of a look-up.
DATA_TYPES = {dtype: int(data_type) for data_type, dtype in NUMPY_TYPES.items()}

# Every type that an element can have, those that NumPy lacks too; class bits have no width.
ELEMENT_TYPES = frozenset(int(member) for member in DataType if member & 0xFFFF)

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
    scalar_type : DataType or its code, or anything that numpy.dtype takes
        Python's float, int and bool mean Float32, Int32 and Boolean, as literals do in Swift.

    Raises
    ------
    TypeError
        When BNNS has no such type.
    """
    if isinstance(scalar_type, DataType):
        return element_type_of(scalar_type)
    if isinstance(scalar_type, type) and scalar_type in SCALARS:
        return SCALARS[scalar_type]
    if scalar_type is None:
        raise TypeError("scalar_type is None, and has to name the type of the elements")
    try:
        dtype = DataType(scalar_type) if isinstance(scalar_type, int) else np.dtype(scalar_type)
    except (TypeError, ValueError) as error:
        raise TypeError(f"scalar_type is {scalar_type!r}: {error}") from None
    if isinstance(dtype, DataType):
        return element_type_of(dtype)
    if dtype not in DATA_TYPES:
        raise TypeError(f"scalar_type: {unsupported(dtype)}")
    return DataType(DATA_TYPES[dtype])


def element_type_of(data_type: DataType) -> DataType:
    """data_type itself; a TypeError where it is one of the bits that types are made of."""
    if not is_data_type(data_type):
        raise TypeError(
            f"scalar_type is {int(data_type):#x} ({data_type.name}), a part of types and no type "
            "of an element; use DataType.Float32 or another one with a width"
        )
    return data_type


def unsupported(dtype: np.dtype[Any]) -> str:
    """Why a NumPy type is no BNNS type, with the remedy."""
    if dtype == np.float64:
        remedy = "; use .astype(np.float32)"
    elif not dtype.isnative:
        remedy = "; use .astype(array.dtype.newbyteorder('=')), its bytes are swapped"
    elif dtype.name == "bfloat16":
        remedy = "; install ml_dtypes before bnnspy is imported"
    elif dtype.kind in "OSUTVMm":
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
    if is_data_type(data_type):
        raise TypeError(
            f"{DataType(data_type).name} has no NumPy type: its elements are packed in bytes. "
            "Keep the uint8 array that the memory came from (data_type= names the type)"
        )
    raise TypeError(f"data_type is {data_type:#x}, which is no type of an element")


def is_data_type(code: int) -> bool:
    """Whether elements can be of that type; the ...Bit constants are no such types."""
    return code in ELEMENT_TYPES


def as_array(value: Any, name: str) -> NDArray[Any]:
    """value's memory as a plain array, without a copy.

    Takes arrays, objects with the buffer protocol, torch tensors and DLPack tensors on the CPU.

    Raises
    ------
    TypeError
        For anything else; the message names the argument.
    """
    if type(value) is np.ndarray:
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array; use .filled() and keep the mask apart")
    if isinstance(value, np.ndarray):
        return np.asarray(value)  # a subclass could give another nbytes, shape or flags
    if isinstance(value, (str, np.generic)):
        raise TypeError(f"{name} is a {type(value).__name__}, and has to be an array or a buffer")
    try:
        array = foreign_array(value)
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(f"{name} is a {type(value).__name__}: {error}") from None
    if array is None:
        raise TypeError(
            f"{name} is a {type(value).__name__}, and has to be an array or a buffer "
            "(numpy.asarray makes one of a list)"
        )
    return array


def foreign_array(value: Any) -> NDArray[Any] | None:
    """The memory of what is no NumPy array; None where it has no protocol for that."""
    torch: Any = sys.modules.get("torch")  # it is there, if value is a tensor
    if isinstance(value, getattr(torch, "Tensor", ())):
        return torch_array(value, torch)
    try:
        buffer = memoryview(value)
    except (TypeError, BufferError):
        return np.from_dlpack(value) if hasattr(value, "__dlpack__") else None
    return np.asarray(buffer)


def torch_array(tensor: Any, torch: Any) -> NDArray[Any]:
    """A torch tensor's memory; torch itself refuses one off the CPU, or with a gradient."""
    if tensor.dtype != torch.bfloat16:
        return np.asarray(tensor.numpy())
    if BFLOAT16 is None:
        raise TypeError("BFloat16 needs ml_dtypes: pip install 'bnnspy[bfloat16]'")
    return np.asarray(tensor.view(torch.int16).numpy()).view(BFLOAT16)


def hold(array: NDArray[Any], owner: object) -> Memory | None:
    """Holds the memory of a C-contiguous array; None where it is not contiguous."""
    try:
        pointer = from_buffer(array)
    except ValueError:  # from NumPy, which gives out no buffer with gaps: asking first costs more
        if not array.flags.c_contiguous:
            return None
        pointer = from_buffer(array.view(np.uint16))  # the protocol has no name for bfloat16
    return (pointer, len(pointer), array.flags.writeable, pointer, owner)


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
    first = ffi.from_buffer(block)
    start = -int(ffi.cast("uintptr_t", first)) % ALIGNMENT
    memory = block[start : start + nbytes]
    if fill is not None:
        memory[...] = fill
    return (first + start, nbytes, True, memory, memory)


def duplicate(pointer: Any, nbytes: int) -> Memory:
    """New memory with the bytes that pointer points to."""
    memory = allocate(nbytes)
    ffi.memmove(memory[0], pointer, nbytes)
    return memory


class _Keep:
    """Called when a pointer dies; until then it keeps what it was given alive."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __call__(self, pointer: object) -> None:
        self.value = None


def window(base: Any, nbytes: int, writable: bool, hold: object) -> Any:
    """Bytes, at least one, as a buffer; held as long as it or an array on it lives."""
    kept = ffi.gc(ffi.cast("char *", base), _Keep(hold))
    view = memoryview(ffi.buffer(kept, nbytes))
    # An array over a memoryview asks only what is behind it whether it can be made writeable.
    return view if writable else np.frombuffer(view.toreadonly(), np.uint8)
