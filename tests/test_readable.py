"""What is read from descriptors besides what test_descriptor.py has: make_array(of=)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bnnspy import DataType, NDArrayDescriptor, Shape

PADDED = NDArrayDescriptor(
    data=np.arange(11, dtype=np.float32), shape=Shape.matrix_row_major(2, 3, stride=(1, 4))
)


@pytest.mark.parametrize("of", [np.float32, "float32", float, DataType.Float32, 0x10020])
def test_make_array_of_the_type_that_it_has(of: Any) -> None:
    """Swift's makeArray(of: Float.self), which was an unexpected argument."""
    for made in (PADDED, NDArrayDescriptor.allocate(repeating=1.0, shape=3)):
        assert made.make_array(of=of).tolist() == made.make_array().tolist()
        assert made.make_array(of=of, batch_size=0).tolist() == []
        with pytest.raises(TypeError, match=r"of is Int32, and the elements are Float32; use \."):
            made.make_array(of=np.int32)
    indexed = NDArrayDescriptor(data=bytearray(3), shape=3, scalar_type=DataType.Indexed8)
    assert indexed.make_array(of=np.uint8).tolist() == [0, 0, 0]
    for wrong in (np.float64, "nonsense", DataType.UInt4):
        with pytest.raises(TypeError):
            made.make_array(of=wrong)


def test_make_array_tells_holes_from_elements_that_share_memory() -> None:
    """Nine elements in nine places, and not one for each: three by three, two apart both ways."""
    shape = Shape.matrix_first_major(3, 3, stride=(2, 2))
    made = NDArrayDescriptor(data=np.arange(9, dtype=np.float32), shape=shape)
    assert made.make_array().tolist() == [0, 2, 4, 2, 4, 6, 4, 6, 8]
