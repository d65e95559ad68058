"""Memory of other libraries' arrays: buffers, torch's tensors, and DLPack, which this file knows.

NumPy has no bfloat16, and so neither makes nor takes a DLPack tensor of it. Its own capsules of
uint16 serve: a DLManagedTensor belongs to whoever has the capsule, and the one byte that says what
the 16 bits mean is set anew on its way in and out. Memory, strides and lifetime stay NumPy's and
the producer's.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bnnspy.remedies import torch_of, use

try:
    import ml_dtypes
except ImportError:  # an optional extra
    ml_dtypes = None  # type: ignore[assignment, unused-ignore]

BFLOAT16: np.dtype[Any] | None = None if ml_dtypes is None else np.dtype(ml_dtypes.bfloat16)
BYTE = np.dtype("S1")


def bfloat16() -> np.dtype[Any]:
    """NumPy's type for bfloat16; a TypeError without ml_dtypes."""
    if BFLOAT16 is None:
        raise TypeError("BFloat16 needs ml_dtypes: pip install 'bnnspy[bfloat16]'")
    return BFLOAT16


def foreign_array(value: Any) -> NDArray[Any] | None:
    """The memory of what is no NumPy array; None where it has no protocol for that."""
    if (torch := torch_of(value)) is not None:
        return torch_array(value, torch)
    try:
        buffer = memoryview(value)
    except (TypeError, BufferError):
        return dlpack_array(value) if hasattr(value, "__dlpack__") else None
    array = np.asarray(buffer)
    # C's char, of ctypes.create_string_buffer for one, is a string of length 1 to NumPy.
    return array.view(np.uint8) if array.dtype == BYTE else array


def torch_array(tensor: Any, torch: Any) -> NDArray[Any]:
    """A torch tensor's memory; torch itself refuses one off the CPU."""
    if getattr(tensor, "requires_grad", False):  # seen here: a view as int16 no longer does
        raise TypeError(f"it requires grad, which can't see what is written; {use('.detach()')}")
    if tensor.dtype != torch.bfloat16:
        return np.asarray(tensor.numpy())
    dtype = bfloat16()
    return np.asarray(tensor.view(torch.int16).numpy()).view(dtype)


# --- DLPack ---------------------------------------------------------------------------------------

# Codes of DLDataType and of DLDeviceType; the last are host memory that a device can see as well.
UINT, BFLOAT = 1, 4
HOST = frozenset({1, 3, 11, 13})  # CPU, CUDAHost, ROCMHost, CUDAManaged


class Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    )


class VersionedTensor(ctypes.Structure):
    """DLManagedTensorVersioned; in DLManagedTensor, the older one, the tensor comes first."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


# Where the tensor is, by the name of a capsule that nobody has used yet.
TENSOR_AT = {b"dltensor_versioned": VersionedTensor.tensor.offset, b"dltensor": 0}

CAPSULE = (ctypes.py_object, ctypes.c_char_p)
is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, *CAPSULE)(("PyCapsule_IsValid", ctypes.pythonapi))
address_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, *CAPSULE)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


def tensor_in(capsule: Any) -> Tensor | None:
    """What a capsule holds; None where it is none of DLPack's."""
    for name, offset in TENSOR_AT.items():
        if is_valid(capsule, name):
            return Tensor.from_address(address_in(capsule, name) + offset)
    return None


def check_host(producer: Any, device_type: int) -> None:
    """A TypeError for memory that the processor can't read, with the method that fetches it."""
    if device_type in HOST:
        return
    fetches = [use(f".{name}()") for name in ("cpu", "get") if hasattr(producer, name)]
    remedy = f"; {fetches[0]}, which copies" if fetches else ""
    raise TypeError(f"its memory is a device's (DLPack type {device_type}), not the CPU's{remedy}")


class Relay:
    """Hands a producer's capsule on to NumPy, one of bfloat16 as uint16."""

    def __init__(self, producer: Any) -> None:
        self.producer = producer
        self.bfloat16 = False

    def __dlpack_device__(self) -> Any:
        return self.producer.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        capsule = self.producer.__dlpack__(**options)
        tensor = tensor_in(capsule)
        if tensor is not None:
            check_host(self.producer, tensor.device_type)
            if (tensor.code, tensor.bits, tensor.lanes) == (BFLOAT, 16, 1):
                tensor.code = UINT
                self.bfloat16 = True
        return capsule


def dlpack_array(producer: Any) -> NDArray[Any]:
    """The memory of a DLPack tensor on the CPU."""
    check_host(producer, producer.__dlpack_device__()[0])
    relay = Relay(producer)
    array: NDArray[Any] = np.from_dlpack(relay)
    return array.view(bfloat16()) if relay.bfloat16 else array


def bfloat16_capsule(array: NDArray[Any], options: dict[str, Any]) -> Any:
    """A DLPack capsule of bfloat16 whose bits are the uint16s of an array."""
    capsule = array.__dlpack__(**options)
    tensor = tensor_in(capsule)
    if tensor is None:
        raise BufferError("NumPy made a DLPack capsule of a kind that is not known here")
    tensor.code = BFLOAT
    return capsule
