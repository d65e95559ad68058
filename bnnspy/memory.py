"""Memory that descriptors point to: other people's buffers, and our own."""

from __future__ import annotations

import ctypes
from operator import index as as_index
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bnnspy._bnns import ffi
from bnnspy.constants import DataType
from bnnspy.foreign import BFLOAT16 as BFLOAT16
from bnnspy.foreign import bfloat16, foreign_array
from bnnspy.remedies import as_numpy, type_expression, use
from bnnspy.shape import MAX_SIZE

ALIGNMENT = 64

# Looked up once, for descriptors that are made inside a loop.
from_buffer, cast, empty = ffi.from_buffer, ffi.cast, np.empty
ADDRESS = ffi.typeof("uintptr_t")
BYTES = np.dtype(np.uint8)

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

if BFLOAT16 is not None:
    NUMPY_TYPES[DataType.BFloat16] = BFLOAT16

# As plain ints: hashing a member of an enum costs as much as the rest of a look-up.
DATA_TYPES = {dtype: int(data_type) for data_type, dtype in NUMPY_TYPES.items()}

# Every type that an element can have, those that NumPy lacks too; class bits have no width.
ELEMENT_TYPES = frozenset(int(member) for member in DataType if member & 0xFFFF)

# What a table look-up stores: the position in its table.
NUMPY_TYPES[DataType.Indexed8] = np.dtype(np.uint8)

# NumPy's types by plain ints, for look-ups that have to be quick.
DTYPES = {int(data_type): dtype for data_type, dtype in NUMPY_TYPES.items()}

# What a class means as scalar_type: Python's own ones are what literals are in Swift.
SCALARS: dict[Any, DataType] = {
    **{dtype.type: DataType(data_type) for dtype, data_type in DATA_TYPES.items()},
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
        near = nearest(dtype)
        remedy = lacking(dtype) if near is None else f"; use scalar_type={type_expression(near)}"
        raise TypeError(f"scalar_type: BNNS has no type for {dtype!r}{remedy}")
    return DataType(DATA_TYPES[dtype])


def element_type_of(data_type: DataType) -> DataType:
    """data_type itself; a TypeError where it is one of the bits that types are made of."""
    if not is_data_type(data_type):
        raise TypeError(
            f"scalar_type is {int(data_type):#x} ({data_type.name}), a part of types and no type "
            "of an element; use DataType.Float32 or another one with a width"
        )
    return data_type


def nearest(dtype: np.dtype[Any]) -> np.dtype[Any] | None:
    """The type of BNNS that an array of this one is to be converted to; None without one."""
    native = dtype if dtype.isnative else dtype.newbyteorder("=")
    if native in DATA_TYPES:
        return native
    return np.dtype(np.float32) if native == np.float64 else None


NATIVE = ".astype(array.dtype.newbyteorder('='))"


def unsupported(dtype: np.dtype[Any], given: object = None, name: str = "array") -> str:
    """Why a NumPy type is no BNNS type, with the remedy for what the caller gave."""
    near = nearest(dtype)
    if near is None:
        remedy = lacking(dtype)
    elif dtype.isnative or dtype.newbyteorder("=") != near:
        remedy = f"; {use(f'.astype({type_expression(near)})', given, name)}"
    elif as_numpy(given, name) == name:
        remedy = f"; {use(NATIVE)}, its bytes are swapped"
    else:
        remedy = f"; {use(f'.astype({type_expression(near)})', given, name)}, its bytes are swapped"
    return f"BNNS has no type for {dtype!r}{remedy}"


def lacking(dtype: np.dtype[Any]) -> str:
    """What can be said of a type that no conversion brings in."""
    if dtype.name == "bfloat16":
        return "; install ml_dtypes before bnnspy is imported"
    if dtype.kind in "OSUTVMm":
        return ", only numbers and booleans"
    return f"; it has {', '.join(t.name for t in NUMPY_TYPES)}"


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
        return bfloat16()
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
        remedy = use(".filled()")
        raise TypeError(f"{name} is a masked array; {remedy} and keep the mask apart")
    if isinstance(value, np.ndarray):
        return np.asarray(value)  # a subclass could give another nbytes, shape or flags
    kind = f"{name} is a {type(value).__name__}"
    array = None
    if not isinstance(value, (str, np.generic, *ADDRESSES)):
        try:
            array = foreign_array(value)
        except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
            raise TypeError(f"{kind}: {error}") from None
    if array is None:
        raise TypeError(f"{kind}, and has to be an array or a buffer{instead(value, name)}")
    return array


# --- what is no array -----------------------------------------------------------------------------

# What a program may hold an address in.
ADDRESSES: tuple[type, ...] = (int, ctypes.c_void_p, ctypes._Pointer, ffi.CData)


def instead(value: Any, name: str) -> str:
    """The remedy for what is neither an array nor a buffer; "" where there is none."""
    if isinstance(value, ADDRESSES) and not isinstance(value, bool):
        return "; an address goes to NDArrayDescriptor.from_address, which takes nbytes= as well"
    if not isinstance(value, (list, tuple, range)):
        return ""
    try:
        dtype = np.asarray(value).dtype
    except (TypeError, ValueError):  # lists of several lengths, and what can't be compared
        return ""
    near = nearest(dtype)
    if near is None:
        return ""
    kind = "" if near == dtype else f", {type_expression(near)}"
    return f"; {use(f'numpy.asarray({{}}{kind})', None, name)}"


def as_address(value: Any) -> int:
    """An address as an int: from an int, or one of the pointers of ctypes and cffi."""
    if isinstance(value, ctypes._Pointer):
        value = ctypes.cast(value, ctypes.c_void_p)
    if isinstance(value, ctypes.c_void_p):
        return value.value or 0
    if isinstance(value, ffi.CData):
        try:
            return int(ffi.cast("uintptr_t", value))
        except TypeError:
            pass
    try:
        number = as_index(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"address is a {kind}, and has to be an integer or a pointer") from None
    if not 0 <= number <= MAX_SIZE:
        raise ValueError(f"address is {number}, outside 0..{MAX_SIZE}")
    return number


# --- holding --------------------------------------------------------------------------------------


class Vouched(NamedTuple):
    """What holds memory that the caller answers for: from_address gave its bounds."""

    nbytes: int
    writable: bool
    owner: object


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
    block = empty(nbytes + ALIGNMENT, BYTES)
    first = from_buffer(block)
    start = -int(cast(ADDRESS, first)) % ALIGNMENT
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
