"""The public interface as a type checker sees it: right uses pass, wrong ones are told.

Never run: test_typing.py gives it to mypy and pyright. They have to find a fault in each line that
ends with `# wrong: ` and mypy's code of the error, and in no other. Lines with `# wrong for mypy: `
are let pass by pyright.
"""

from __future__ import annotations

import array
import copy
import ctypes
import enum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import bnnspy
import bnnspy.onnx as bonnx
from bnnspy import (
    BNNS,
    ArrayDescriptorInvalidData,
    BNNSDataLayoutGetRank,
    BNNSFilterParameters,
    BNNSGather,
    BNNSNDArrayDescriptor,
    BNNSNDArrayGetDataSize,
    DataLayout,
    DataType,
    Error,
    FilterParameters,
    IndexOutOfRange,
    NDArrayDescriptor,
    NDArrayFlags,
    Shape,
    Status,
    get_include,
    last_error,
)


def shapes() -> None:
    vector = Shape.vector(8)
    assert_type(vector, Shape)
    assert_type(Shape.matrix_row_major(2, 3, stride=(1, 4)), Shape)
    assert_type(Shape.tensor_5d_last_major(1, 2, 3, 4, 5), Shape)
    assert_type(Shape((2, 3), DataLayout.RowMajorMatrix, stride=[1, 4]), Shape)
    assert_type(vector.layout, DataLayout)
    assert_type(vector.size, tuple[int, ...])
    assert_type(vector.stride, tuple[int, ...])
    assert_type(vector.batch_stride, int)
    assert_type(vector == Shape.of((1, 2)), bool)
    assert_type({vector: 1}, dict[Shape, int])

    Shape.vector("8")  # wrong: arg-type
    Shape.vector(8, 2)  # wrong: call-arg
    Shape.matrix_row_major(2)  # wrong: call-arg
    Shape.matrix_row_major(2, 3, stride=4)  # wrong: arg-type
    Shape.of(2.5)  # wrong: arg-type
    vector.size = (2,)  # wrong: misc
    Shape.nonsense(3)  # wrong: attr-defined


def making(array: NDArray[np.float32]) -> None:
    made = NDArrayDescriptor.allocate(initializing_from=[1.0, 2.0], shape=Shape.vector(2))
    assert_type(made, NDArrayDescriptor)
    NDArrayDescriptor.allocate(repeating=0, shape=(2, 3), scalar_type=np.float32, batch_size=2)
    NDArrayDescriptor.allocate(random_in=(0, 255), shape=[2, 3], rng=np.random.default_rng(1))
    NDArrayDescriptor.allocate_uninitialized(scalar_type=DataType.UInt4, shape=8)
    NDArrayDescriptor.from_array(array, layout=DataLayout.ImageCHW)
    NDArrayDescriptor.from_address(4096, nbytes=4, shape=1, scalar_type=float, writable=False)
    NDArrayDescriptor(data=array, shape=(2, 3))
    NDArrayDescriptor(data=bytes(4), shape=1, scalar_type=np.float32, batch_size=1)
    NDArrayDescriptor(flags=NDArrayFlags.BackpropSet, layout=0x99, size=(2, 3), stride=1)
    NDArrayDescriptor.from_array(memoryview(b"1234"))
    NDArrayDescriptor.allocate(initializing_from=range(3), shape=3, scalar_type="int8", rng=1)
    NDArrayDescriptor.allocate(initializing_from=array, shape=3)
    NDArrayDescriptor.allocate(repeating=np.float32(0.5), shape=3)
    same: type[NDArrayDescriptor] = BNNSNDArrayDescriptor
    same(size=2)

    NDArrayDescriptor(array)  # wrong: call-arg
    NDArrayDescriptor(dta=array)  # wrong: call-arg
    NDArrayDescriptor(data=[1.0], shape=1)  # wrong: arg-type
    NDArrayDescriptor(data="1", shape=1)  # wrong: arg-type
    NDArrayDescriptor(data=array, shape=1, scalar_type=2.5)  # wrong: arg-type
    NDArrayDescriptor.from_array([1.0])  # wrong: arg-type
    NDArrayDescriptor.from_array(array, layout="ImageCHW")  # wrong: arg-type
    NDArrayDescriptor.allocate(initializing_from="12", shape=2)  # wrong: arg-type
    NDArrayDescriptor.allocate(initialising_from=[1.0], shape=1)  # wrong: call-arg
    NDArrayDescriptor.allocate(repeating="0", shape=2)  # wrong: arg-type
    NDArrayDescriptor.allocate(repeating=0, shape=2, rng="1")  # wrong: arg-type
    NDArrayDescriptor.alocate(repeating=0, shape=2)  # wrong: attr-defined
    NDArrayDescriptor(size=2.5)  # wrong: arg-type
    NDArrayDescriptor(layout="Vector")  # wrong: arg-type
    NDArrayDescriptor.allocate(repeating=0)  # wrong: call-arg
    NDArrayDescriptor.allocate(random_in=(1, 2, 3), shape=2)  # wrong: arg-type
    NDArrayDescriptor.allocate(repeating=0, shape=2.0)  # wrong: arg-type
    NDArrayDescriptor.allocate_uninitialized(shape=2)  # wrong: call-arg
    NDArrayDescriptor.from_address(4096, shape=1, scalar_type=float)  # wrong: call-arg


def fields(made: NDArrayDescriptor) -> None:
    assert_type(made.layout, DataLayout | int)
    assert_type(made.data_type, DataType | int)
    assert_type(made.flags, NDArrayFlags | int)
    assert_type(made.data_scale, float)
    assert_type(made.size, tuple[int, ...])
    assert_type(made.shape, Shape)
    assert_type(made.array, NDArray[Any])
    assert_type(made.make_array(batch_size=2), NDArray[Any])
    assert_type(made.data_size, int)
    assert_type(made.nbytes, int)
    assert_type(made.ndim, int)
    assert_type(made.address, int)
    assert_type(made.dtype, np.dtype[Any])
    assert_type(made.replace(size=(2, 3)), NDArrayDescriptor)
    assert_type(copy.copy(made), NDArrayDescriptor)
    assert_type(made.explain(), str)
    assert_type(made.explain(axis=1), str)
    made.layout = DataLayout.Vector
    made.size = (2, 3)
    made.size = 2
    made.data = bytearray(4)
    with made as entered:
        assert_type(entered, NDArrayDescriptor)
    np.asarray(made)
    np.from_dlpack(made)

    made.address = 4096
    made.array = np.zeros(3)  # wrong: misc
    made.typo = 1  # wrong: attr-defined
    made.size = "2"  # wrong: assignment
    made.data = [1.0]  # wrong: assignment
    made.table_data = "table"  # wrong: assignment
    made.replace(sizes=(2, 3))  # wrong: call-arg
    made.replace(size="2")  # wrong: arg-type
    made.replace(data=[1.0])  # wrong: arg-type
    made.make_array("2")  # wrong: arg-type
    made.explain("row")  # wrong: arg-type


class ForeignTensor:
    """A tensor of another library, by the protocol alone."""

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        raise NotImplementedError

    def __dlpack_device__(self) -> tuple[enum.Enum, int]:
        raise NotImplementedError


def calls(
    values: NDArrayDescriptor,
    indices: NDArrayDescriptor,
    output: NDArrayDescriptor,
    tensor: ForeignTensor,
) -> None:
    parameters = FilterParameters(flags=0, n_threads=2, alloc_memory=None, free_memory=print)
    assert_type(parameters.n_threads, int)
    same: type[FilterParameters] = BNNSFilterParameters
    same(n_threads=1)
    status = BNNSGather(0, values, indices, output, parameters)
    assert_type(status, Status)
    code: int = BNNSGather(axis=0, input=values, indices=None, output=output, filter_params=None)
    assert_type(code + 1, int)
    assert_type(BNNSNDArrayGetDataSize(values), int)
    assert_type(BNNSDataLayoutGetRank(DataLayout.Vector), int)
    BNNS.gather(input=values, indices=np.array([1]), output=output, axis=0)
    BNNS.gather(input=values, indices=indices, output=output, axis=0, filter_parameters=parameters)
    BNNS.gather(
        input=bytes(4), indices=array.array("i", [1]), output=bytearray(1), axis=np.int64(0)
    )
    BNNS.gather(input=values, indices=[0], output=output, axis=0)
    BNNS.gather(input=values, indices=[[0], [1]], output=output, axis=0)
    BNNS.gather(input=memoryview(b"12"), indices=tensor, output=(ctypes.c_float * 4)(), axis=0)
    assert_type(last_error(), str)
    assert_type(get_include(), str)
    assert_type(bnnspy.__version__, str)
    data_type: DataType = bnnspy.BNNSDataTypeFloat32
    code = data_type.value

    BNNSGather(0.5, values, indices, output)  # wrong: arg-type
    BNNSGather(0, np.zeros(3), indices, output)  # wrong: arg-type
    BNNSGather(0, values, indices)  # wrong: call-arg
    BNNSGather(0, values, indices, output, 2)  # wrong: arg-type
    BNNSGather(0, [1.0], indices, output)  # wrong: arg-type
    BNNSGather(0, values, indices, out=output)  # wrong: call-arg
    bnnspy.BNNSGathr(0, values, indices, output)  # wrong: attr-defined
    print(bnnspy.BNNSCopyy)  # wrong: attr-defined
    print(bnnspy.BNNSCopy)  # wrong: attr-defined
    print(bnnspy.BNNSDataTypeFloat33)  # wrong: attr-defined
    print(DataType.Float33)  # wrong: attr-defined
    BNNSNDArrayGetDataSize(3)  # wrong: arg-type
    BNNSDataLayoutGetRank("Vector")  # wrong: arg-type
    BNNS.gather(values, indices, output, 0)  # wrong: call-arg
    BNNS.gathr(input=values, indices=indices, output=output, axis=0)  # wrong: attr-defined
    BNNS.tile(input=values, output=output)  # wrong: attr-defined
    BNNS.gather(inputs=values, indices=indices, output=output, axis=0)  # wrong: call-arg
    BNNS.gather(input=[1.0], indices=indices, output=output, axis=0)  # wrong: arg-type
    BNNS.gather(input=values, indices="x", output=output, axis=0)  # wrong: arg-type
    BNNS.gather(input=values, indices=[0.5], output=output, axis=0)  # wrong: arg-type
    BNNS.gather(input=values, indices=1, output=output, axis=0)  # wrong: arg-type
    BNNS.gather(input=values, indices=indices, output=None, axis=0)  # wrong: arg-type
    BNNS.gather(input=values, indices=indices, output=output)  # wrong: call-arg
    BNNS.gather(input=values, indices=indices, output=output, axis="0")  # wrong: arg-type
    nothing = BNNS.gather(input=values, indices=indices, output=output, axis=0)
    assert nothing is None
    FilterParameters(2)  # wrong: call-arg
    FilterParameters(n_threads="2")  # wrong: arg-type


def onnx(data: NDArray[np.float32], out: bytearray, tensor: ForeignTensor) -> None:
    assert_type(bonnx.gather(data, [[0, 1], [2, -1]]), NDArray[Any])
    assert_type(bonnx.gather(data, 0, axis=-1), NDArray[Any])
    assert_type(bonnx.gather(data, indices=data, axis=np.int64(1), out=out), bytearray)
    assert_type(bonnx.gather_elements(tensor, tensor, 1, out=data), NDArray[np.float32])
    assert_type(bonnx.gather_elements([1.0, 2.0], (1, 0)), NDArray[Any])

    bonnx.gathr(data, [0])  # wrong: attr-defined
    print(bonnx.Evaluater)  # wrong: attr-defined
    bonnx.gather(data, "x")  # wrong: arg-type
    bonnx.gather(data, [0.5])  # wrong: arg-type
    bonnx.gather(data, index=[0])  # wrong: call-overload
    bonnx.gather(data, [0], axis="0")  # wrong: call-overload
    bonnx.gather(data, [0], 0, out)  # wrong: call-overload
    bonnx.gather(data, [0], out=[0.0])  # wrong: call-overload
    bonnx.gather_elements(data)  # wrong: call-overload
    bonnx.gather_elements(data, {0: 1})  # wrong: call-overload
    bonnx.gather_elements(object(), [0])  # wrong: call-overload


def errors() -> None:
    try:
        raise IndexOutOfRange("why", index=9, position=(1,), valid=range(4))
    except IndexOutOfRange as error:
        assert_type(error.status, int)
        assert_type(error.argument, str)
        assert_type(error.index, int | None)
        assert_type(error.position, tuple[int, ...] | None)
        assert_type(error.valid, range | None)
        assert_type(error.case, str)
    swift: type[Error] = BNNS.Error
    value_error: ValueError = ArrayDescriptorInvalidData("why")

    swift(3)  # wrong: arg-type
    swift("why", position=3)  # wrong: arg-type
    index_error: IndexError = IndexOutOfRange("why")
    index_error = ArrayDescriptorInvalidData("why")  # wrong: assignment
    raise value_error from index_error
