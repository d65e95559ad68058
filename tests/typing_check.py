"""The public interface as a type checker sees it: right uses pass, wrong ones are told.

Never run: mypy reads it (`mypy --strict tests/typing_check.py`), and a needless `type: ignore` is
an error there, so each one below is a fault that the hints do find.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import assert_type

import bnnspy
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

    Shape.vector("8")  # type: ignore[arg-type]
    Shape.vector(8, 2)  # type: ignore[call-arg]
    Shape.matrix_row_major(2)  # type: ignore[call-arg]
    Shape.matrix_row_major(2, 3, stride=4)  # type: ignore[arg-type]
    Shape.of(2.5)  # type: ignore[arg-type]
    vector.size = (2,)  # type: ignore[misc]
    Shape.nonsense(3)  # type: ignore[attr-defined]


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
    same: type[NDArrayDescriptor] = BNNSNDArrayDescriptor
    same(size=2)

    NDArrayDescriptor(array)  # type: ignore[call-arg]
    NDArrayDescriptor(dta=array)  # type: ignore[call-arg]
    NDArrayDescriptor(size=2.5)  # type: ignore[arg-type]
    NDArrayDescriptor(layout="Vector")  # type: ignore[arg-type]
    NDArrayDescriptor.allocate(repeating=0)  # type: ignore[call-arg]
    NDArrayDescriptor.allocate(random_in=(1, 2, 3), shape=2)  # type: ignore[arg-type]
    NDArrayDescriptor.allocate(repeating=0, shape=2.0)  # type: ignore[arg-type]
    NDArrayDescriptor.allocate_uninitialized(shape=2)  # type: ignore[call-arg]
    NDArrayDescriptor.from_address(4096, shape=1, scalar_type=float)  # type: ignore[call-arg]


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

    made.address = 4096  # type: ignore[misc]
    made.array = np.zeros(3)  # type: ignore[misc]
    made.typo = 1  # type: ignore[attr-defined]
    made.size = "2"  # type: ignore[assignment]
    made.make_array("2")  # type: ignore[arg-type]
    made.explain("row")  # type: ignore[arg-type]


def calls(values: NDArrayDescriptor, indices: NDArrayDescriptor, output: NDArrayDescriptor) -> None:
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
    assert_type(last_error(), str)
    assert_type(get_include(), str)
    assert_type(bnnspy.__version__, str)
    data_type: DataType = bnnspy.BNNSDataTypeFloat32
    assert_type(data_type.value, int)

    BNNSGather(0.5, values, indices, output)  # type: ignore[arg-type]
    BNNSGather(0, np.zeros(3), indices, output)  # type: ignore[arg-type]
    BNNSGather(0, values, indices)  # type: ignore[call-arg]
    BNNSGather(0, values, indices, output, 2)  # type: ignore[arg-type]
    BNNSNDArrayGetDataSize(3)  # type: ignore[arg-type]
    BNNSDataLayoutGetRank("Vector")  # type: ignore[arg-type]
    BNNS.gather(values, indices, output, 0)  # type: ignore[call-arg]
    BNNS.gather(input=values, indices=indices, output=output)  # type: ignore[call-arg]
    BNNS.gather(input=values, indices=indices, output=output, axis="0")  # type: ignore[arg-type]
    nothing = BNNS.gather(input=values, indices=indices, output=output, axis=0)  # type: ignore[func-returns-value]
    assert nothing is None
    FilterParameters(2)  # type: ignore[call-arg]
    FilterParameters(n_threads="2")  # type: ignore[arg-type]


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

    swift(3)  # type: ignore[arg-type]
    swift("why", position=3)  # type: ignore[arg-type]
    index_error: IndexError = IndexOutOfRange("why")
    index_error = ArrayDescriptorInvalidData("why")  # type: ignore[assignment]
    raise value_error from index_error
