"""One direct test for each entry of bnnspy/compatibility/ that speaks of BNNSGather's values.

Each carries the entry's id, so that a run on Apple's framework can say which entries to change.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bnnspy import (
    BNNSGather,
    DataLayout,
    DataType,
    FilterParameters,
    NDArrayDescriptor,
    Shape,
    Status,
    last_error,
)

describe = NDArrayDescriptor.from_array
INDEX_TYPES = [np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4, 8)]


def floats(*shape: int) -> NDArray[Any]:
    """0, 1, 2, .. as Float32 in that shape."""
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def output(*shape: int) -> NDArray[Any]:
    """A Float32 output, filled so that writing shows."""
    return np.full(shape, -1, np.float32)


def gather(
    axis: int, values: NDArray[Any], indices: Any, out: NDArray[Any], index_type: Any = np.int32
) -> Status:
    """BNNSGather over arrays as they lie."""
    indices = np.asarray(indices, index_type)
    return BNNSGather(axis, describe(values), describe(indices), describe(out), None)


@pytest.mark.compat("gather-vector-indices")
@pytest.mark.parametrize("count", [0, 1, 3, 7])
def test_gather_vector_indices(count: int) -> None:
    picked = [2, 0, 1, 2, 2, 1, 0][:count]
    out = output(count, 2)
    assert gather(0, floats(3, 2), picked, out) == Status.Success
    assert np.array_equal(out, floats(3, 2)[np.array(picked, int)])


@pytest.mark.compat("gather-elementwise-indices")
def test_gather_elementwise_indices() -> None:
    values = np.arange(10, 100, 10, dtype=np.float32).reshape(3, 3)
    out = output(3, 2)
    status = BNNSGather(
        1,
        NDArrayDescriptor(data=values, shape=Shape.matrix_row_major(3, 3)),
        NDArrayDescriptor(
            data=np.array([0, 1, 2, 0, 1, 1], np.int32), shape=Shape.matrix_row_major(2, 3)
        ),
        NDArrayDescriptor(data=out, shape=Shape.matrix_row_major(2, 3)),
        None,
    )
    assert status == 0
    assert out.tolist() == [[10, 20], [60, 40], [80, 80]]


@pytest.mark.compat("gather-index-out-of-range")
@pytest.mark.parametrize("index", [4, 5, 2**31 - 1])
def test_gather_index_out_of_range(index: int) -> None:
    out = output(2)
    assert gather(0, floats(4), [0, index], out) == -1005
    assert out.tolist() == [-1, -1]
    assert last_error() == f"indices[1] is {index}, outside 0..3 (axis 0 of input)"


@pytest.mark.compat("gather-negative-indices")
@pytest.mark.parametrize("dtype", [d for d in INDEX_TYPES if d.kind == "i"], ids=str)
def test_gather_negative_indices(dtype: np.dtype[Any]) -> None:
    for index in (-1, -4, np.iinfo(dtype).min):
        out = output(1)
        assert gather(0, floats(4), [index], out, dtype) == -1005
        assert out.tolist() == [-1]
        assert f"is {index}, outside" in last_error()


@pytest.mark.compat("gather-index-types")
@pytest.mark.parametrize("dtype", INDEX_TYPES, ids=str)
def test_gather_index_types(dtype: np.dtype[Any]) -> None:
    out = output(4)
    assert gather(0, floats(8), [1, 3, 7, 5], out, dtype) == 0
    assert out.tolist() == [1, 3, 7, 5]
    largest = int(np.iinfo(dtype).max)  # all its bits but the sign are set
    assert gather(0, floats(8), [largest], output(1), dtype) == -1005
    assert f"is {largest}, outside" in last_error()
    if dtype == np.uint64:
        assert gather(0, floats(8), [2**63 + 1], output(1), dtype) == -1005
        assert f"is {2**63 + 1}, outside" in last_error()
    if dtype == np.uint8:
        assert gather(0, floats(200), [200], output(1), dtype) == -1005
        assert gather(0, floats(200), [199], output(1), dtype) == 0


@pytest.mark.compat("gather-index-types-refused")
@pytest.mark.parametrize(
    "data_type",
    [
        t
        for t in DataType
        if not t.name.endswith("Bit")
        and t.name not in {f"{u}Int{n}" for u in ("", "U") for n in (8, 16, 32, 64)}
    ],
)
def test_gather_index_types_refused(data_type: DataType) -> None:
    out = output(1)
    indices = NDArrayDescriptor(
        layout=DataLayout.Vector, size=1, data=np.zeros(8, np.uint8), data_type=data_type
    )
    assert BNNSGather(0, describe(floats(4)), indices, describe(out), None) == -1
    assert out.tolist() == [-1]
    assert last_error() == (
        f"indices.data_type is {data_type.name}; indices are Int8 to Int64 or UInt8 to UInt64"
    )


@pytest.mark.compat("gather-value-types")
@pytest.mark.parametrize("data_type", [t for t in DataType if not t.name.endswith("Bit")])
def test_gather_value_types(data_type: DataType) -> None:
    row_bytes = data_type & 0xFF  # eight elements of any width are whole bytes
    table = np.random.default_rng(0).integers(0, 256, (3, row_bytes), np.uint8)
    out = np.full((2, row_bytes), 0xEE, np.uint8)

    def rows(buffer: NDArray[Any], kind: int) -> NDArrayDescriptor:
        return NDArrayDescriptor(
            layout=DataLayout.RowMajorMatrix, size=(8, len(buffer)), data=buffer, data_type=kind
        )

    indices = describe(np.array([2, 0], np.int32))
    assert BNNSGather(0, rows(table, data_type), indices, rows(out, data_type), None) == 0
    assert np.array_equal(out, table[[2, 0]])
    other = DataType.Int8 if data_type != DataType.Int8 else DataType.UInt8
    assert BNNSGather(0, rows(table, data_type), indices, rows(out, other), None) == -1
    assert "they have to be equal" in last_error()


@pytest.mark.compat("gather-stored-bits-move")
def test_gather_stored_bits_move() -> None:
    bits = np.array([0x7FC12345, 0x7FA00001, 0x80000000, 0xFF800000], np.uint32)
    out = np.zeros(4, np.uint32)
    values, moved = (
        NDArrayDescriptor(data=b, shape=4, scalar_type=np.float32)
        for b in (bits.view(np.uint8), out.view(np.uint8))
    )
    assert BNNSGather(0, values, describe(np.arange(4)), moved, None) == 0
    assert out.tolist() == bits.tolist()

    booleans = np.array([0, 1, 2, 255], np.uint8)
    moved_booleans = np.zeros(2, np.uint8)
    values, moved = (
        NDArrayDescriptor(data=b, shape=len(b), scalar_type=DataType.Boolean)
        for b in (booleans, moved_booleans)
    )
    assert BNNSGather(0, values, describe(np.array([3, 2])), moved, None) == 0
    assert moved_booleans.tolist() == [255, 2]


@pytest.mark.compat("gather-subbyte-runs")
def test_gather_subbyte_runs() -> None:
    table = np.array([[0x21, 0x43], [0x65, 0x87], [0xA9, 0xCB]], np.uint8)  # 3 rows of 4 nibbles
    out = np.zeros((2, 2), np.uint8)

    def nibbles(buffer: NDArray[Any], rows: int, columns: int) -> NDArrayDescriptor:
        return NDArrayDescriptor(
            layout=DataLayout.Tensor2DFirstMajor,
            size=(rows, columns),
            data=buffer,
            data_type=DataType.UInt4,
        )

    indices = describe(np.array([2, 0], np.int32))
    assert BNNSGather(0, nibbles(table, 3, 4), indices, nibbles(out, 2, 4), None) == 0
    assert out.tolist() == table[[2, 0]].tolist()

    before = out.copy()
    cut = BNNSGather(1, nibbles(table, 3, 4), indices, nibbles(out, 3, 2), None)
    assert cut == -1
    assert "begin or end within a byte" in last_error()
    assert np.array_equal(out, before)


@pytest.mark.compat("gather-shape-mismatch")
@pytest.mark.parametrize(
    ("axis", "indices", "out"),
    [
        (0, (2,), (2, 4)),  # away from the axis
        (0, (2,), (3, 3)),  # along it
        (0, (2,), (2,)),  # rank
        (0, (2,), (2, 3, 1)),
        (1, (5, 2), (5, 3)),  # indices of another shape
        (1, (4, 2), (4, 2)),  # of output's, and output not of input's
    ],
)
def test_gather_shape_mismatch(axis: int, indices: tuple[int, ...], out: tuple[int, ...]) -> None:
    target = output(*out)
    assert gather(axis, floats(5, 3), np.zeros(indices), target) == -1003
    assert (target == -1).all()


@pytest.mark.compat("gather-indices-rank")
@pytest.mark.parametrize(
    ("indices", "values"), [((2, 1), (4, 3, 1)), ((1, 2), (4, 3, 1)), ((2, 3, 1), (4, 3))]
)
def test_gather_indices_rank(indices: tuple[int, ...], values: tuple[int, ...]) -> None:
    out = output(2, *values[1:])
    assert gather(0, floats(*values), np.zeros(indices), out) == -1003
    assert (out == -1).all()
    assert last_error() == (
        f"indices has rank {len(indices)}; it is either 1, or that of output, {len(values)}"
    )


@pytest.mark.compat("gather-mixed-layouts")
@pytest.mark.parametrize("axis", [0, 1])
def test_gather_mixed_layouts(axis: int) -> None:
    values = floats(3, 4)
    indices = np.array([[0, 2], [1, 1], [2, 0]], np.int8)
    out = np.asfortranarray(output(3, 2))
    status = BNNSGather(
        axis,
        NDArrayDescriptor.from_array(values, layout=DataLayout.RowMajorMatrix),
        NDArrayDescriptor.from_array(indices, layout=DataLayout.Tensor2DFirstMajor),
        NDArrayDescriptor.from_array(out, layout=DataLayout.ColumnMajorMatrix),
        None,
    )
    if axis == 0:  # output's two columns are not input's four
        assert status == -1003
        return
    assert status == 0
    assert np.array_equal(out, np.take_along_axis(values, indices.astype(np.int64), 1))


@pytest.mark.compat("gather-axis-out-of-range")
@pytest.mark.parametrize(
    "axis", [2, 3, 8, 15, 16, 2**63 - 1, 2**64 - 1, 2**70, *range(-1, -18, -1), -(2**70)]
)
def test_gather_axis_out_of_range(axis: int) -> None:
    out = output(2, 3)
    assert gather(axis, floats(4, 3), [0, 1], out) == -1
    assert (out == -1).all()
    assert last_error() == f"axis is {axis}, outside 0..1 (input has rank 2)"


@pytest.mark.compat("gather-zero-size")
@pytest.mark.parametrize(
    ("values", "indices", "out"),
    [((3,), 0, (0,)), ((0,), 0, (0,)), ((3, 0), 2, (2, 0)), ((3, 4), 0, (0, 4))],
)
def test_gather_zero_size(values: tuple[int, ...], indices: int, out: tuple[int, ...]) -> None:
    def without_data(shape: tuple[int, ...], kind: DataType) -> NDArrayDescriptor:
        return NDArrayDescriptor(shape=shape, scalar_type=kind)

    picks = describe(np.array([2, 0], np.int32)) if indices else without_data((0,), DataType.Int32)
    for kind in (DataType.Float32, DataType.UInt4):
        status = BNNSGather(0, without_data(values, kind), picks, without_data(out, kind), None)
        assert status == 0


@pytest.mark.compat("gather-bad-index-beside-empty")
def test_gather_bad_index_beside_empty() -> None:
    assert gather(0, floats(2, 0, 5), [1, 7], output(2, 0, 5)) == -1005
    assert last_error() == "indices[1] is 7, outside 0..1 (axis 0 of input)"


@pytest.mark.compat("gather-empty-axis")
def test_gather_empty_axis() -> None:
    out = output(1, 3)
    assert gather(0, floats(0, 3), [0], out) == -1005
    assert (out == -1).all()
    assert last_error() == "indices[0] is 0, and axis 0 of input has no elements to point at"
    assert gather(0, floats(0, 3), [], output(0, 3)) == 0


@pytest.mark.compat("gather-filter-parameters")
@pytest.mark.parametrize(
    "parameters", [None, *(FilterParameters(flags=f, n_threads=n) for f in (0, 1) for n in (1, 7))]
)
def test_gather_filter_parameters(parameters: FilterParameters | None) -> None:
    out = output(5000, 3)
    picked = np.arange(5000, dtype=np.int32) * 7 % 1000
    descriptors = [describe(a) for a in (floats(1000, 3), picked, out)]
    assert BNNSGather(0, *descriptors, parameters) == 0
    assert np.array_equal(out, floats(1000, 3)[picked])


# --- statuses -------------------------------------------------------------------------------------


@pytest.mark.compat("status-success")
def test_status_success() -> None:
    assert Status.Success == 0
    assert gather(0, floats(4), [1], output(1)) is Status.Success


@pytest.mark.compat("status-invalid-parameter")
def test_status_invalid_parameter() -> None:
    assert Status.InvalidParameter == -1
    assert gather(1, floats(4), [1], output(1)) is Status.InvalidParameter


@pytest.mark.compat("failure-writes-nothing")
@pytest.mark.parametrize("bad", [0, 1, 4999])
@pytest.mark.parametrize("columns", [1, 3, 40])
def test_failure_writes_nothing(bad: int, columns: int) -> None:
    out = np.random.default_rng(1).random((5000, columns), np.float32)
    before = out.tobytes()
    picked = np.zeros(5000, np.int32)
    picked[bad] = 10
    assert gather(0, floats(10, columns), picked, out) == -1005
    assert out.tobytes() == before


@pytest.mark.compat("order-of-faults")
def test_order_of_faults() -> None:
    """A call with every fault at once; each step repairs the one that was reported."""
    memory, apart = np.zeros(256, np.uint8), np.zeros(256, np.uint8)
    frozen = memory.view()
    frozen.flags.writeable = False
    faults = {"layout": 0x77, "data_type": 3}
    nines = np.array([9, 9, 9, 9], np.int32).view(np.uint8)
    axis = {"axis": 9}
    fields: dict[str, dict[str, Any]] = {
        "input": {**faults, "size": (4, 3), "data": None},
        "indices": {**faults, "size": (99,), "data": nines},
        "output": {**faults, "size": (2**62, 3), "stride": (5, 4), "data": frozen},
    }
    matrix = DataLayout.Tensor2DFirstMajor
    steps: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
        ("input.data is NULL", fields["input"], {"data": memory}),
        ("input.data_type is 0x3", fields["input"], {"data_type": DataType.Float32}),
        ("indices.data_type is 0x3", fields["indices"], {"data_type": DataType.Int32}),
        ("output.data_type is 0x3", fields["output"], {"data_type": DataType.Float32}),
        ("input.layout is 0x77", fields["input"], {"layout": matrix}),
        ("indices.layout is 0x77", fields["indices"], {"layout": DataLayout.Vector}),
        ("output.layout is 0x77", fields["output"], {"layout": matrix}),
        ("output.stride[1] is 4, less than 5", fields["output"], {"stride": (1, 3)}),
        ("output: its sizes and strides say more", fields["output"], {"size": (4, 2)}),
        ("axis is 9", axis, {"axis": 0}),
        ("output has size 2 along axis 1", fields["output"], {"size": (4, 3)}),
        ("output has size 4 along axis 0", fields["output"], {"size": (99, 3)}),
        ("indices needs 396 bytes", fields["indices"], {"size": (4,)}),
        ("output has size 99 along axis 0", fields["output"], {"size": (4, 3)}),
        ("output points to memory that is read-only", fields["output"], {"data": memory}),
        ("an element of output shares a byte with one of input", fields["output"], {"data": apart}),
        ("indices[0] is 9, outside 0..3", fields["indices"], {"data": np.zeros(16, np.uint8)}),
    ]
    for sentence, broken, repair in steps:
        tensors = [NDArrayDescriptor(**given) for given in fields.values()]
        assert BNNSGather(axis["axis"], *tensors, None) != 0
        assert last_error().startswith(sentence)
        broken.update(repair)
    tensors = [NDArrayDescriptor(**given) for given in fields.values()]
    assert BNNSGather(axis["axis"], *tensors, None) == 0
