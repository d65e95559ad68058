"""What an argument may be, for type checkers: the hints of both faces and of the ONNX functions.

A hint is as wide as what `bnnspy.memory.as_array` and its kin take, and no wider: a list is no
tensor. At run time nothing looks at them.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

if TYPE_CHECKING:
    from typing_extensions import Buffer
    from typing_extensions import Unpack as Unpack
else:
    Buffer = Any
    Unpack = getattr(typing, "Unpack", list)  # from 3.11 on; what can be subscripted will do


class SupportsArray(Protocol):
    """What NumPy makes an array of, perhaps by a copy: a pandas Series, for one."""

    def __array__(self) -> NDArray[Any]: ...


class SupportsDLPack(Protocol):
    """A tensor of another library: torch, jax, and `NDArrayDescriptor` itself."""

    def __dlpack__(self, *, stream: None = None) -> Any: ...

    def __dlpack_device__(self) -> tuple[Any, int]: ...


# Memory that is viewed, never copied: an array, a buffer (PEP 688), a DLPack tensor on the CPU.
Tensor: TypeAlias = NDArray[Any] | Buffer | SupportsDLPack

# One number, as NumPy or Python has it.
Number: TypeAlias = float | np.number[Any] | np.bool_

# Elements for new memory, which are copied.
Values: TypeAlias = Tensor | SupportsArray | Iterable[Number]

# A type of elements: a DataType or its code, or what NumPy takes for one.
ScalarType: TypeAlias = int | DTypeLike

# ONNX's operands: the operator's data, and its indices, for which ints in lists are taken.
Ints: TypeAlias = Sequence[int] | Sequence[Sequence[int]] | Sequence[Sequence[Sequence[int]]]
Operand: TypeAlias = Tensor | SupportsArray | ArrayLike
Indices: TypeAlias = Tensor | SupportsArray | int | Ints


class Fields(TypedDict, total=False):
    """The ten fields of BNNSNDArrayDescriptor, as `NDArrayDescriptor.replace` takes them."""

    flags: int
    layout: int
    size: int | Sequence[int]
    stride: int | Sequence[int]
    data: Tensor | None
    data_type: int
    table_data: Tensor | None
    table_data_type: int
    data_scale: float
    data_bias: float
