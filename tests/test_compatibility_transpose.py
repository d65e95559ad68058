"""One direct test for each entry of bnnspy/compatibility/ that speaks of BNNSTranspose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bnnspy import (
    BNNSTranspose,
    DataLayout,
    DataType,
    NDArrayDescriptor,
    Shape,
    Status,
    last_error,
)
from bnnspy.conformance.functions import MAKERS
from bnnspy.conformance.library import Library
from bnnspy.memory import NUMPY_TYPES

describe = NDArrayDescriptor.from_array


def floats(*shape: int) -> NDArray[Any]:
    """1, 2, .. as Float32 in that shape."""
    return np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)


def transposed(values: NDArray[Any], axis0: int, axis1: int) -> NDArray[Any]:
    """What BNNSTranspose makes of an array as it lies."""
    out = np.zeros(np.swapaxes(values, axis0, axis1).shape, values.dtype)
    assert BNNSTranspose(describe(out), describe(values), axis0, axis1) == Status.Success
    return out


@pytest.mark.compat("transpose-swaps-axes")
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (0, 2), (1, 2), (3, 1)])
def test_transpose_swaps_axes(axes: tuple[int, int]) -> None:
    values = floats(2, 3, 4, 5)
    np.testing.assert_array_equal(transposed(values, *axes), np.swapaxes(values, *axes))


@pytest.mark.compat("transpose-equal-axes")
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_transpose_equal_axes(axis: int) -> None:
    np.testing.assert_array_equal(transposed(floats(2, 3, 4), axis, axis), floats(2, 3, 4))


@pytest.mark.compat("transpose-value-types")
@pytest.mark.parametrize("kind", NUMPY_TYPES)
def test_transpose_value_types(kind: DataType) -> None:
    values = np.arange(12).reshape(4, 3).astype(NUMPY_TYPES[kind])
    size = {"layout": DataLayout.Tensor2DFirstMajor, "data_type": kind}
    out = np.zeros((3, 4), values.dtype)
    dest = NDArrayDescriptor(data=out, size=(3, 4), **size)
    src = NDArrayDescriptor(data=values, size=(4, 3), **size)
    assert BNNSTranspose(dest, src, 0, 1) == Status.Success
    assert out.tobytes() == values.T.tobytes()
    other = DataType.Int32 if kind != DataType.Int32 else DataType.Float32
    dest.data_type = other
    assert BNNSTranspose(dest, src, 0, 1) == Status.InvalidParameter
    assert last_error() == (
        f"dest.data_type is {other.name}, and src.data_type is {kind.name}; they have to be equal"
    )


@pytest.mark.compat("transpose-subbyte-runs")
def test_transpose_subbyte_runs() -> None:
    """Rows of a 4-bit table change places; its columns would cut bytes."""
    values = np.arange(12, dtype=np.uint8).reshape(2, 3, 2)
    out = np.zeros((3, 2, 2), np.uint8)
    fields: dict[str, Any] = {
        "layout": DataLayout.Tensor3DFirstMajor,
        "data_type": DataType.UInt4,
    }
    src = NDArrayDescriptor(data=values, size=(2, 3, 4), **fields)
    dest = NDArrayDescriptor(data=out, size=(3, 2, 4), **fields)
    assert BNNSTranspose(dest, src, 0, 1) == Status.Success
    np.testing.assert_array_equal(out, values.swapaxes(0, 1))
    dest.size = (2, 4, 3)
    assert BNNSTranspose(dest, src, 1, 2) == Status.InvalidParameter
    assert "whole bytes" in last_error()


@pytest.mark.compat("transpose-axis-out-of-range")
@pytest.mark.parametrize("axes", [(0, 2), (2, 0), (-1, 0), (0, 2**70)])
def test_transpose_axis_out_of_range(axes: tuple[int, int]) -> None:
    out = np.zeros((3, 4), np.float32)
    assert BNNSTranspose(describe(out), describe(floats(4, 3)), *axes) == -1
    wrong = next(k for k, axis in enumerate(axes) if not 0 <= axis < 2)
    assert last_error() == f"axis{wrong} is {axes[wrong]}, outside 0..1 (src has rank 2)"
    assert not out.any()


@pytest.mark.compat("transpose-shape-mismatch")
@pytest.mark.parametrize("shape", [(4, 3), (3, 5), (2, 4), (12,), (3, 4, 1)])
def test_transpose_shape_mismatch(shape: tuple[int, ...]) -> None:
    out = np.zeros(shape, np.float32)
    assert BNNSTranspose(describe(out), describe(floats(4, 3)), 0, 1) == Status.ShapeMismatch
    assert last_error().startswith("dest has ")
    assert not out.any()


@pytest.mark.compat("transpose-layouts")
def test_transpose_layouts() -> None:
    """First and last axis exchanged in every layout that strides can say."""
    library = Library("ours")
    calls = list(MAKERS["transpose-layouts"]("transpose-layouts"))
    assert len(calls) > 20
    for call in calls:
        outcome = library.perform(call)
        assert outcome["status"] == 0, call["name"]
        arrays = []
        texts = outcome["changed"]["dest"], call["buffers"]["src"]
        for name, text in zip(("dest", "src"), texts, strict=True):
            described = call["tensors"][name]
            assert described is not None
            made = NDArrayDescriptor(
                layout=described["layout"],
                size=described["size"],
                data_type=described["data_type"],
                data=bytearray.fromhex(text),
            )
            arrays.append(made.array)
        axes = call["numbers"]["axis0"], call["numbers"]["axis1"]
        np.testing.assert_array_equal(arrays[0], np.swapaxes(arrays[1], *axes))


@pytest.mark.compat("transpose-mixed-layouts")
def test_transpose_mixed_layouts() -> None:
    out = np.zeros(12, np.float32)
    dest = NDArrayDescriptor(data=out, shape=Shape((4, 3), DataLayout.RowMajorMatrix))
    assert BNNSTranspose(dest, describe(floats(4, 3)), 0, 1) == Status.Success
    np.testing.assert_array_equal(dest.array, floats(4, 3).T)
    dest = NDArrayDescriptor(data=out, shape=Shape((3, 4), DataLayout.Tensor2DLastMajor))
    assert BNNSTranspose(dest, describe(floats(4, 3)), 0, 1) == Status.Success
    np.testing.assert_array_equal(dest.array, floats(4, 3).T)


@pytest.mark.compat("transpose-zero-size")
def test_transpose_zero_size() -> None:
    out, values = np.zeros((3, 0), np.float32), np.zeros((0, 3), np.float32)
    assert BNNSTranspose(describe(out), describe(values), 0, 1) == Status.Success
    fields: dict[str, Any] = {
        "layout": DataLayout.Tensor2DFirstMajor,
        "data_type": DataType.Float32,
    }
    dest, src = NDArrayDescriptor(size=(3, 0), **fields), NDArrayDescriptor(size=(0, 3), **fields)
    assert BNNSTranspose(dest, src, 0, 1) == Status.Success
    src.size = (1, 3)
    assert BNNSTranspose(dest, src, 0, 1) == Status.ShapeMismatch


@pytest.mark.compat("transpose-input-windows")
def test_transpose_input_windows() -> None:
    shape = Shape((3, 2), DataLayout.Tensor2DFirstMajor, (1, 1))
    windows = NDArrayDescriptor(data=floats(4), shape=shape)
    out = np.zeros((2, 3), np.float32)
    assert BNNSTranspose(describe(out), windows, 0, 1) == Status.Success
    assert out.tolist() == [[1, 2, 3], [2, 3, 4]]
