"""One direct test for each entry of bnnspy/compatibility/ that speaks of layouts, strides,
size queries and the Swift face.

Each carries the entry's id, so that a run on Apple's framework can say which entries to change.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bnnspy import (
    BNNS,
    ArrayDescriptorInvalidData,
    BNNSDataLayoutGetRank,
    BNNSGather,
    BNNSNDArrayGetDataSize,
    DataLayout,
    DataType,
    InvalidParameter,
    LayerApplyFail,
    NDArrayDescriptor,
    Shape,
)

describe = NDArrayDescriptor.from_array


def numbered(size: tuple[int, ...], layout: int, stride: tuple[int, ...] = ()) -> Any:
    """A tensor of Int32 whose elements are their distance from data, and its array."""
    tensor = NDArrayDescriptor(
        layout=layout,
        size=size,
        stride=stride,
        data=np.arange(400, dtype=np.int32),
        data_type=DataType.Int32,
    )
    return tensor.array


def places(sizes: tuple[int, ...], *strides: int, start: int = 0) -> NDArray[Any]:
    """The distances that a formula gives: start + sum of i_k * stride_k, over a tuple's sizes."""
    grid = np.indices(sizes)
    return start + sum(index * stride for index, stride in zip(grid, strides, strict=True))


# --- layouts --------------------------------------------------------------------------------------


@pytest.mark.compat("rowmajor-axes")
def test_rowmajor_axes() -> None:
    assert np.array_equal(numbered((4, 3), DataLayout.RowMajorMatrix), places((3, 4), 4, 1))
    values = np.arange(12, dtype=np.float32)
    out = np.zeros(8, np.float32)
    status = BNNSGather(
        0,
        NDArrayDescriptor(data=values, shape=Shape.matrix_row_major(4, 3)),
        describe(np.array([2, 0], np.int32)),
        NDArrayDescriptor(data=out, shape=Shape.matrix_row_major(4, 2)),
        None,
    )
    assert status == 0
    assert out.tolist() == [8, 9, 10, 11, 0, 1, 2, 3]


@pytest.mark.compat("axis-is-tuple-position")
@pytest.mark.parametrize("order", ["First", "Last"])
@pytest.mark.parametrize("rank", range(2, 9))
def test_axis_is_tuple_position(rank: int, order: str) -> None:
    layout = DataLayout[f"Tensor{rank}D{order}Major"]
    sizes = (2, 3, 1, 2, 2, 1, 2, 2)[:rank]
    memory = "C" if order == "First" else "F"
    values = np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes, order=memory)
    for axis, size in enumerate(sizes):
        picked = np.array([size - 1, 0, 0], np.int32)
        out = np.zeros((*sizes[:axis], 3, *sizes[axis + 1 :]), np.float32, order=memory)
        status = BNNSGather(
            axis,
            NDArrayDescriptor.from_array(values, layout=layout),
            describe(picked),
            NDArrayDescriptor.from_array(out, layout=layout),
            None,
        )
        assert status == 0
        assert np.array_equal(out, np.take(values, picked, axis))


@pytest.mark.compat("first-major-stride-order")
def test_first_major_stride_order() -> None:
    size, stride = (2, 3, 4, 5), (1, 6, 30, 100)
    expected = places(size, 100, 30, 6, 1)
    assert np.array_equal(numbered(size, DataLayout.Tensor4DFirstMajor, stride), expected)


@pytest.mark.compat("one-dimension-layouts")
@pytest.mark.parametrize("name", ["Vector", "Tensor1DFirstMajor", "Tensor1DLastMajor"])
def test_one_dimension_layouts(name: str) -> None:
    assert numbered((5,), DataLayout[name], (3,)).tolist() == [0, 3, 6, 9, 12]


@pytest.mark.compat("reversed-kernels")
def test_reversed_kernels() -> None:
    size, stride = (3, 2, 4, 5), (1, 3, 7, 30)
    expected = places(size, -1, -3, 7, 30, start=2 * 1 + 1 * 3)
    assert np.array_equal(numbered(size, DataLayout.ConvolutionWeightsOIHrWr, stride), expected)
    kernel = numbered((3, 2, 1, 1), DataLayout.ConvolutionWeightsIOHrWr)
    assert np.array_equal(kernel[:, :, 0, 0], places((3, 2), -1, -3, start=5))


@pytest.mark.compat("oihrwr-tuple")
def test_oihrwr_tuple() -> None:
    """As the SDK's header has it, and not Apple's web page, which exchanges stride[2] and [3]."""
    stored = (3, 2, 4, 5)  # kw, kh, in, out
    expected = places((3, 2, 4, 5), -1, -3, 6, 24, start=5)
    assert np.array_equal(numbered(stored, DataLayout.ConvolutionWeightsOIHrWr), expected)


@pytest.mark.compat("iohrwr-tuple")
def test_iohrwr_tuple() -> None:
    stored = (3, 2, 4, 5)  # kw, kh, out, in
    expected = places((3, 2, 5, 4), -1, -3, 24, 6, start=5)
    assert np.array_equal(numbered(stored, DataLayout.ConvolutionWeightsIOHrWr), expected)


@pytest.mark.compat("mha-dhk-identity")
def test_mha_dhk_identity() -> None:
    expected = places((2, 3, 4), 1, 5, 20)
    assert np.array_equal(numbered((2, 3, 4), DataLayout.MHA_DHK, (1, 5, 20)), expected)


@pytest.mark.compat("opaque-layouts")
@pytest.mark.parametrize("name", ["ConvolutionWeightsOIHW_Pack32", "FullyConnectedSparse"])
def test_opaque_layouts(name: str) -> None:
    layout = DataLayout[name]
    out = np.full(4, -1, np.float32)
    opaque = NDArrayDescriptor(
        layout=layout,
        size=(2, 2, 1, 1)[: layout >> 16],
        data=np.zeros(256, np.float32),
        data_type=DataType.Float32,
    )
    call = opaque, describe(np.array([0, 1], np.int32)), describe(out)
    assert BNNSGather(0, *call, None) == -1
    assert (out == -1).all()
    with pytest.raises(InvalidParameter, match="no strides can describe"):
        opaque.array  # noqa: B018


# --- strides --------------------------------------------------------------------------------------


@pytest.mark.compat("stride-unit")
@pytest.mark.parametrize("dtype", [np.uint8, np.float32, np.int64])
def test_stride_unit(dtype: Any) -> None:
    values = np.arange(12, dtype=dtype)
    tensor = NDArrayDescriptor(data=values, shape=Shape.vector(4, stride=3))
    assert tensor.array.tolist() == [0, 3, 6, 9]


@pytest.mark.compat("stride-default")
def test_stride_default() -> None:
    explicit = numbered((3, 3), DataLayout.RowMajorMatrix, (1, 3))
    assert np.array_equal(numbered((3, 3), DataLayout.RowMajorMatrix, (0, 0)), explicit)
    assert np.array_equal(explicit, places((3, 3), 3, 1))
    assert np.array_equal(
        numbered((2, 3, 4), DataLayout.Tensor3DFirstMajor), places((2, 3, 4), 12, 4, 1)
    )
    assert np.array_equal(
        numbered((2, 3, 4), DataLayout.Tensor3DLastMajor), places((2, 3, 4), 1, 2, 6)
    )


@pytest.mark.compat("stride-default-mixed")
@pytest.mark.parametrize(
    ("given", "resolved"),
    [((0, 5, 0), (1, 5, 15)), ((3, 0, 0), (3, 6, 18)), ((0, 0, 9), (1, 2, 9))],
)
def test_stride_default_mixed(given: tuple[int, ...], resolved: tuple[int, ...]) -> None:
    last = numbered((2, 3, 4), DataLayout.Tensor3DLastMajor, given)
    assert np.array_equal(last, places((2, 3, 4), *resolved))
    first = numbered((4, 3, 2), DataLayout.Tensor3DFirstMajor, given)
    assert np.array_equal(first, places((4, 3, 2), *reversed(resolved)))


@pytest.mark.compat("stride-default-empty")
def test_stride_default_empty() -> None:
    """Strides 1, 2, 2: the batch stride, 2 * 3, shows the last of them."""
    assert Shape((2, 0, 3), DataLayout.Tensor3DLastMajor).batch_stride == 6
    assert Shape((3, 0, 2), DataLayout.Tensor3DFirstMajor).batch_stride == 6


@pytest.mark.compat("stride-order")
@pytest.mark.parametrize(
    ("layout", "stride"),
    [
        (DataLayout.RowMajorMatrix, (3, 1)),
        (DataLayout.Tensor2DFirstMajor, (3, 1)),
        (DataLayout.Tensor2DLastMajor, (4, 3)),
        (DataLayout.ColumnMajorMatrix, (2, 1)),
    ],
)
def test_stride_order(layout: DataLayout, stride: tuple[int, int]) -> None:
    tensor = NDArrayDescriptor(
        layout=layout,
        size=(3, 3),
        stride=stride,
        data=np.zeros(64, np.float32),
        data_type=DataType.Float32,
    )
    out = np.full((1, 3), -1, np.float32)
    assert BNNSGather(0, tensor, describe(np.array([0])), describe(out), None) == -1
    assert (out == -1).all()
    assert BNNSGather(0, tensor.replace(stride=()), describe(np.array([0])), describe(out)) == 0


@pytest.mark.compat("stride-order-size-one-axes")
def test_stride_order_size_one_axes() -> None:
    size = (2, 1, 3)
    for middle in (1, 7, 100):
        array = numbered(size, DataLayout.Tensor3DLastMajor, (2, middle, 4))
        assert np.array_equal(array, places(size, 2, middle, 4))


# --- sizes and ranks ------------------------------------------------------------------------------


def data_size(layout: int, size: tuple[int, ...], data_type: int, **fields: Any) -> int:
    """BNNSNDArrayGetDataSize of a descriptor with some data."""
    fields = {"data": np.zeros(8, np.uint8), **fields}
    return BNNSNDArrayGetDataSize(
        NDArrayDescriptor(layout=layout, size=size, data_type=data_type, **fields)
    )


@pytest.mark.compat("data-size")
def test_data_size() -> None:
    assert data_size(DataLayout.RowMajorMatrix, (4, 3), DataType.Float32) == 48
    assert data_size(DataLayout.Vector, (16,), DataType.UInt8) == 16
    assert data_size(DataLayout.Vector, (16,), DataType.Float16) == 32
    assert data_size(DataLayout.Vector, (16,), DataType.Boolean) == 16


@pytest.mark.compat("data-size-packed-types")
def test_data_size_packed_types() -> None:
    packed = [t for t in DataType if t & 0xFF and t & 0xFF < 8]
    assert len(packed) == 11
    assert [data_size(DataLayout.Vector, (16,), t) for t in packed] == [0] * 11


@pytest.mark.compat("data-size-undeterminable")
def test_data_size_undeterminable() -> None:
    kind = DataType.Float32
    assert data_size(DataLayout.Vector, (16,), kind) == 64
    assert data_size(DataLayout.Vector, (16,), kind, data=None) == 0
    assert data_size(DataLayout.Vector, (16,), 3) == 0
    assert data_size(0x77, (16,), kind) == 0
    assert data_size(DataLayout.FullyConnectedSparse, (4, 4), kind) == 0
    assert data_size(DataLayout.RowMajorMatrix, (4, 4), kind, stride=(4, 1)) == 0
    assert data_size(DataLayout.RowMajorMatrix, (2**62, 2**62), kind) == 0
    assert BNNSNDArrayGetDataSize(None) == 0


@pytest.mark.compat("data-size-with-padding")
def test_data_size_with_padding() -> None:
    size = data_size(DataLayout.RowMajorMatrix, (2, 3), DataType.Float32, stride=(1, 4))
    assert size == ((2 - 1) * 1 + (3 - 1) * 4 + 1) * 4


@pytest.mark.compat("data-size-pack32")
@pytest.mark.parametrize(("outputs", "blocks"), [(1, 1), (32, 1), (33, 2), (64, 2)])
def test_data_size_pack32(outputs: int, blocks: int) -> None:
    size = (3, 2, 5, outputs)
    bytes_ = data_size(DataLayout.ConvolutionWeightsOIHW_Pack32, size, DataType.Float16)
    assert bytes_ == 32 * 3 * 2 * 5 * blocks * 2


@pytest.mark.compat("data-size-empty")
def test_data_size_empty() -> None:
    assert data_size(DataLayout.RowMajorMatrix, (0, 3), DataType.Float32) == 0
    assert data_size(DataLayout.RowMajorMatrix, (3, 0), DataType.Float32, stride=(1, 8)) == 0


@pytest.mark.compat("rank")
def test_rank() -> None:
    measured = {
        "Vector": 1,
        "Tensor1DFirstMajor": 1,
        "RowMajorMatrix": 2,
        "Tensor2DFirstMajor": 2,
        "ImageCHW": 3,
        "ConvolutionWeightsOIHW": 4,
        "Tensor8DFirstMajor": 8,
    }
    assert {name: BNNSDataLayoutGetRank(DataLayout[name]) for name in measured} == measured
    assert all(BNNSDataLayoutGetRank(layout) == layout >> 16 for layout in DataLayout)


@pytest.mark.compat("rank-opaque-layouts")
def test_rank_opaque_layouts() -> None:
    assert BNNSDataLayoutGetRank(DataLayout.ConvolutionWeightsOIHW_Pack32) == 4
    assert BNNSDataLayoutGetRank(DataLayout.FullyConnectedSparse) == 2


@pytest.mark.compat("rank-unknown-layout")
@pytest.mark.parametrize("code", [0, 1, 0x10001, 0x90000, 0x28002, 2**32 - 1, -1, 2**40])
def test_rank_unknown_layout(code: int) -> None:
    assert BNNSDataLayoutGetRank(code) == 2**64 - 1


# --- the Swift face -------------------------------------------------------------------------------


@pytest.mark.compat("shape-rowmajor-columns-first")
def test_shape_rowmajor_columns_first() -> None:
    shape = Shape.matrix_row_major(2, 3)
    assert shape.size == (2, 3, 0, 0, 0, 0, 0, 0)
    tensor = NDArrayDescriptor.allocate(initializing_from=[1, 2, 3, 4, 5, 6], shape=shape)
    assert tensor.array.tolist() == [[1, 2], [3, 4], [5, 6]]


@pytest.mark.compat("shape-literals")
def test_shape_literals() -> None:
    one = NDArrayDescriptor.allocate(repeating=0.0, shape=5)
    assert one.shape == Shape.vector(5)
    assert Shape((5,)) == Shape.vector(5)
    for rank in range(2, 9):
        tensor = NDArrayDescriptor.allocate(repeating=0.0, shape=(1,) * rank)
        assert tensor.layout == DataLayout[f"Tensor{rank}DFirstMajor"]


@pytest.mark.compat("shape-stride-as-given")
def test_shape_stride_as_given() -> None:
    assert Shape.matrix_row_major(2, 3).stride == (0,) * 8
    padded = Shape.matrix_row_major(2, 3, stride=(0, 4))
    assert padded.stride == (0, 4, 0, 0, 0, 0, 0, 0)
    assert NDArrayDescriptor.allocate(repeating=0.0, shape=padded).shape == padded


@pytest.mark.compat("shape-batch-stride")
def test_shape_batch_stride() -> None:
    assert Shape.vector(8).batch_stride == 8
    assert Shape.matrix_row_major(2, 3).batch_stride == 6
    assert Shape.matrix_row_major(2, 3, stride=(1, 4)).batch_stride == 12
    assert Shape.tensor_3d_first_major(2, 3, 4, stride=(1, 5, 20)).batch_stride == 40


@pytest.mark.compat("swift-initializers-scale")
def test_swift_initializers_scale() -> None:
    made = [
        NDArrayDescriptor.allocate(repeating=1, shape=2),
        NDArrayDescriptor.allocate_uninitialized(scalar_type=np.int8, shape=2),
        NDArrayDescriptor(data=np.zeros(2, np.int8), shape=2),
        NDArrayDescriptor.from_array(np.zeros(2, np.int8)),
        NDArrayDescriptor(shape=2, scalar_type=np.int8),
    ]
    assert [(tensor.data_scale, tensor.data_bias) for tensor in made] == [(1, 0)] * 5
    memberwise = NDArrayDescriptor(layout=DataLayout.Vector, size=2, data_type=DataType.Int8)
    assert (memberwise.data_scale, memberwise.data_bias) == (0, 0)
    assert memberwise.replace(data_scale=0.5).data_scale == 0.5


@pytest.mark.compat("allocate-padding-zeroed")
def test_allocate_padding_zeroed() -> None:
    shape = Shape.matrix_row_major(2, 3, stride=(1, 4))
    tensor = NDArrayDescriptor.allocate(initializing_from=[1.0, 2, 3, 4, 5, 6], shape=shape)
    memory = np.frombuffer(tensor.data, np.float32)
    assert memory.tolist() == [1, 2, 0, 0, 3, 4, 0, 0, 5, 6]
    for wrong in ([1.0] * 5, [1.0] * 10, []):
        with pytest.raises(ValueError, match="the shape holds 6"):
            NDArrayDescriptor.allocate(initializing_from=wrong, shape=shape)


@pytest.mark.compat("failable-initializers")
def test_failable_initializers() -> None:
    memory = np.zeros(11, np.float32)
    shape = Shape.matrix_row_major(2, 3, stride=(1, 4))
    assert NDArrayDescriptor(data=memory[:10], shape=shape).data_size == 40
    with pytest.raises(ArrayDescriptorInvalidData, match="holds 36 bytes, and the shape needs 40"):
        NDArrayDescriptor(data=memory[:9], shape=shape)
    with pytest.raises(ArrayDescriptorInvalidData):
        NDArrayDescriptor(data=memory, shape=shape, batch_size=2)
    with pytest.raises(TypeError, match="elements of Float32"):
        NDArrayDescriptor(data=memory, shape=shape, scalar_type=np.int32)


@pytest.mark.compat("make-array")
def test_make_array() -> None:
    memory = np.arange(23, dtype=np.int32)
    shape = Shape.matrix_column_major(2, 3, stride=(1, 4))
    tensor = NDArrayDescriptor(data=memory, shape=shape)
    assert tensor.make_array().tolist() == [0, 1, 4, 5, 8, 9]
    assert tensor.make_array(batch_size=2).tolist() == [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21]
    with pytest.raises(ArrayDescriptorInvalidData):
        tensor.make_array(batch_size=3)
    with pytest.raises(ArrayDescriptorInvalidData):
        NDArrayDescriptor(shape=shape, scalar_type=np.int32).make_array()
    tensor.deallocate()
    with pytest.raises(ArrayDescriptorInvalidData):
        tensor.make_array()


@pytest.mark.compat("scalar-types")
@pytest.mark.parametrize(
    "data_type",
    [
        *("Float16", "Float32", "Int8", "Int16", "Int32", "Int64"),
        *("UInt8", "UInt16", "UInt32", "UInt64"),
    ],
)
def test_scalar_types(data_type: str) -> None:
    name = data_type.lower()
    for scalar_type in (name, np.dtype(name), getattr(np, name), DataType[data_type]):
        made = NDArrayDescriptor.allocate_uninitialized(scalar_type=scalar_type, shape=2)
        assert made.data_type == DataType[data_type]
        assert made.dtype == np.dtype(name)
    with pytest.raises(TypeError, match=r"use scalar_type=np\.float32"):
        NDArrayDescriptor.allocate_uninitialized(scalar_type=np.float64, shape=2)


@pytest.mark.compat("array-order")
def test_array_order() -> None:
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    output = np.zeros((2, 1), np.float32)
    for array, layout in (
        (rows, DataLayout.Tensor2DFirstMajor),
        (np.asfortranarray(rows), DataLayout.Tensor2DLastMajor),
        (np.ones((3, 1), np.float32, "F"), DataLayout.Tensor2DFirstMajor),
        (rows[0], DataLayout.Vector),
    ):
        assert NDArrayDescriptor.from_array(array).layout == layout
        if array.shape == rows.shape:
            BNNS.gather(input=array, indices=np.array([2]), output=output, axis=1)
            assert output.tolist() == [[2], [5]]


@pytest.mark.compat("overlay-index-lists")
def test_overlay_index_lists() -> None:
    values, output = np.arange(4, dtype=np.float32), np.zeros(2, np.float32)
    for indices in ([3, 1], (3, 1), [np.int8(3), 1]):
        output[...] = 0
        BNNS.gather(input=values, indices=indices, output=output, axis=0)
        assert output.tolist() == [3, 1]
    square, picked = values.reshape(2, 2), np.zeros((2, 1), np.float32)
    BNNS.gather(input=square, indices=[[1], [0]], output=picked, axis=1)
    assert picked.tolist() == [[1], [2]]
    BNNS.gather(input=values, indices=[], output=output[:0], axis=0)
    for wrong in ([0, -1], [0, 4], [0, 2**40], [0, 2**63]):
        with pytest.raises(IndexError) as caught:
            BNNS.gather(input=values, indices=wrong, output=output, axis=0)
        assert isinstance(caught.value, BNNS.Error)
        assert (caught.value.index, caught.value.position) == (wrong[1], (1,))
    for no_index in ([0.5], [True], ["1"], [None], [[0], [1, 2]], [np.ma.masked]):
        with pytest.raises(TypeError, match=r"^indices has a .* integers$|^indices is a list of"):
            BNNS.gather(input=values, indices=no_index, output=output[:1], axis=0)
    for name, arguments in {"input": ([1.0], output), "output": (values, [0.0, 0.0])}.items():
        with pytest.raises(TypeError, match=f"^{name}: array is a list"):
            BNNS.gather(input=arguments[0], indices=[0, 0], output=arguments[1], axis=0)


@pytest.mark.compat("literal-types")
def test_literal_types() -> None:
    for values, kind in (
        ([1.0, 2.0], DataType.Float32),
        ([1, 2], DataType.Int32),
        ([True, False], DataType.Boolean),
    ):
        made = NDArrayDescriptor.allocate(initializing_from=values, shape=2)
        assert made.data_type == kind
        assert made.make_array().tolist() == values


@pytest.mark.compat("descriptor-names-alias")
def test_descriptor_names_alias() -> None:
    tensor = NDArrayDescriptor.allocate(initializing_from=[1, 2, 3], shape=3)
    other, copied = tensor, copy.copy(tensor)
    other.size = 2
    assert tensor.array.tolist() == [1, 2]
    assert copied.array.tolist() == [1, 2, 3]
    copied.array[0] = 9
    assert tensor.array.tolist() == [9, 2]


@pytest.mark.compat("overlay-error-cases")
def test_overlay_error_cases() -> None:
    values, out = np.zeros(4, np.float32), np.zeros(2, np.float32)
    dead = NDArrayDescriptor.allocate(repeating=0.0, shape=4)
    dead.deallocate()
    empty = NDArrayDescriptor(shape=4, scalar_type=np.float32)
    good = np.array([0, 1], np.int32)
    for tensor in (dead, empty):
        with pytest.raises(ArrayDescriptorInvalidData) as caught:
            BNNS.gather(input=tensor, indices=good, output=out, axis=0)
        assert caught.value.case == "arrayDescriptorInvalidData"
        assert caught.value.argument == "input"
    for status, call in (
        (-1005, {"indices": np.array([0, 4], np.int32), "axis": 0}),
        (-1003, {"indices": np.array([0], np.int32), "axis": 0}),
        (-1, {"indices": good, "axis": 1}),
    ):
        with pytest.raises(LayerApplyFail) as failed:
            BNNS.gather(input=values, output=out, **call)
        assert failed.value.case == "layerApplyFail"
        assert failed.value.status == status
