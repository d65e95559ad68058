"""What can be read from a descriptor: its elements, as arrays, and what it says of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bnnspy._bnns import ffi, lib
from bnnspy.arrays import check_type
from bnnspy.constants import DataType
from bnnspy.foreign import bfloat16_capsule
from bnnspy.frames import releases
from bnnspy.memory import numpy_type
from bnnspy.record import Record, memory_order, packed_copy, shape_of, tuple_order, view_of
from bnnspy.shape import Shape, unsigned

UINT16 = np.dtype(np.uint16)


@releases("array", "make_array", "__array__", "__dlpack__", "shape", "nbytes")
class Readable:
    """The half of NDArrayDescriptor that changes nothing."""

    __slots__ = ()

    _record: Record

    @property
    def array(self) -> NDArray[Any]:
        """The elements in tuple order: a view of the memory, read-only where that is.

        Raises
        ------
        ArrayDescriptorInvalidData
            No memory, or less than the sizes need.
        InvalidParameter
            A layout that strides can't say, or strides that decrease.
        TypeError
            A type that NumPy does not have.
        """
        return tuple_order(self._record)

    def make_array(self, batch_size: int = 1, *, of: Any = None) -> NDArray[Any]:
        """A copy of the elements: one-dimensional, in memory order, without what lies between.

        Parameters
        ----------
        batch_size : int, optional
            How many tensors of this shape to read.
        of : DataType or dtype-like, optional
            The type of the elements, as Swift's `makeArray(of:)` names it. Nothing is converted:
            it has to be the descriptor's.

        Raises
        ------
        ArrayDescriptorInvalidData, InvalidParameter
            As `array`; Swift gives nil.
        TypeError
            A type that NumPy does not have, or that is not the elements'.
        """
        record = self._record
        if of is not None:
            check_type(record[4], of)
        if batch_size == 1:
            array = packed_copy(record)
            if array is not None:
                return array
        return memory_order(record, unsigned(batch_size, "batch_size")).flatten()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = self.array
        if dtype is not None and array.dtype != dtype:
            if copy is False:
                raise ValueError(f"{array.dtype} can't become {np.dtype(dtype)} without a copy")
            return array.astype(dtype)
        return array.copy() if copy else array

    def __dlpack__(self, **options: Any) -> Any:
        record = self._record
        if record[4] == DataType.BFloat16:  # NumPy has no name for it there
            return bfloat16_capsule(tuple_order(record, UINT16), options)
        return tuple_order(record).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)  # kDLCPU

    @property
    def shape(self) -> Shape:
        """Layout, sizes and strides.

        Raises
        ------
        ValueError
            The layout is none of BNNS's.
        """
        return shape_of(self._record)

    @property
    def data_size(self) -> int:
        """Bytes from data to the end of the last element; 0 as BNNSNDArrayGetDataSize says."""
        record = self._record[0]  # held: the call lets other threads run, and they may replace it
        return lib.BNNSNDArrayGetDataSize(ffi.addressof(record[0], "descriptor"))

    @property
    def nbytes(self) -> int:
        """Bytes of the elements alone, without what lies between."""
        view = view_of(self._record)
        return int(view.count * view.bits + 7) // 8

    @property
    def ndim(self) -> int:
        """The layout's number of dimensions."""
        return self.shape.rank

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's type of the elements; a TypeError for types it does not have."""
        return numpy_type(self._record[4])
