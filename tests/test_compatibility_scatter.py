"""One direct test for each entry of bnnspy/compatibility/ that speaks of BNNSScatter."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bnnspy import (
    BNNS,
    BNNSScatter,
    DataLayout,
    DataType,
    FilterParameters,
    NDArrayDescriptor,
    ReduceFunction,
    Shape,
    Status,
    last_error,
)
from bnnspy.conformance.functions import MAKERS
from bnnspy.conformance.library import Library
from bnnspy.memory import NUMPY_TYPES

describe = NDArrayDescriptor.from_array
NONE, SUM = ReduceFunction.None_, ReduceFunction.Sum
ADDED = [kind for kind in NUMPY_TYPES if kind != DataType.Indexed8]


def floats(*shape: int) -> NDArray[Any]:
    """1, 2, .. as Float32 in that shape."""
    return np.arange(1, np.prod(shape) + 1, dtype=np.float32).reshape(shape)


def scattered(
    op: int, values: Any, indices: Any, output: Any, axis: int = 0, **parameters: Any
) -> Any:
    """A copy of output into which values were scattered."""
    made = output.copy()
    given = [describe(np.asarray(one)) for one in (values, indices)]
    filter_params = FilterParameters(**parameters) if parameters else None
    assert BNNSScatter(axis, op, *given, describe(made), filter_params) == Status.Success
    return made


def typed(kind: DataType, values: NDArray[Any]) -> NDArrayDescriptor:
    """A vector of a type, over memory of its own width."""
    return NDArrayDescriptor(
        layout=DataLayout.Vector, size=values.size, data_type=kind, data=values.view(np.uint8)
    )


@pytest.mark.compat("scatter-vector-indices")
def test_scatter_vector_indices() -> None:
    rows = floats(3, 2)
    out = scattered(NONE, rows, [4, 0, 2], np.zeros((5, 2), np.float32))
    np.testing.assert_array_equal(out[[4, 0, 2]], rows)
    columns = scattered(NONE, rows.T, [4, 0, 2], np.zeros((2, 5), np.float32), axis=1)
    np.testing.assert_array_equal(columns, out.T)


@pytest.mark.compat("scatter-elementwise-indices")
@pytest.mark.parametrize("axis", [0, 1])
def test_scatter_elementwise_indices(axis: int) -> None:
    indices = np.array([[4, 2, 3], [0, 0, 0], [2, 4, 4]])
    out = np.zeros((5, 3), np.float32)
    expected = out.copy()
    np.put_along_axis(expected, indices, floats(3, 3), 0)
    if axis == 1:
        indices, out, expected = indices.T, out.T, expected.T
    values = floats(3, 3) if axis == 0 else floats(3, 3).T
    given = [np.ascontiguousarray(one) for one in (values, indices, out)]
    np.testing.assert_array_equal(scattered(NONE, *given, axis=axis), expected)


@pytest.mark.compat("scatter-keeps-the-rest")
@pytest.mark.parametrize("op", [NONE, SUM])
def test_scatter_keeps_the_rest(op: int) -> None:
    """Bit by bit: also what is a NaN, and what lies between the elements."""
    memory = np.full((5, 4), 0x7FA12345, np.uint32)
    out = NDArrayDescriptor(
        data=memory.view(np.float32), shape=Shape((5, 3), DataLayout.Tensor2DFirstMajor, (1, 4))
    )
    before = memory.copy()
    values, indices = describe(floats(2, 3)), describe(np.array([3, 1]))
    assert BNNSScatter(0, op, values, indices, out) == Status.Success
    touched = np.zeros((5, 4), np.bool_)
    touched[[3, 1], :3] = True
    np.testing.assert_array_equal(memory[~touched], before[~touched])
    assert (memory[touched] != before[touched]).all()


@pytest.mark.compat("scatter-ops")
def test_scatter_ops() -> None:
    out = floats(4)
    given = [describe(floats(2)), describe(np.array([3, 1])), describe(out)]
    for op in [*ReduceFunction, 17, -1, 2**32 - 1, 2**32 + 6, 2**70]:
        if op not in (NONE, SUM):
            assert BNNSScatter(0, op, *given) == Status.InvalidParameter
            assert last_error().startswith(f"op is {int(op)}; it is BNNSReduceFunctionNone (15) or")
    np.testing.assert_array_equal(out, floats(4))
    for wrong in ("Sum", 6.0, None):
        with pytest.raises(TypeError, match=r"^op is a \w+, and has to be an integer"):
            BNNSScatter(0, wrong, *given)  # type: ignore[arg-type]
    assert BNNSScatter(0, 6, *given) == Status.Success
    assert out.tolist() == [1, 4, 3, 5]


def test_the_overlay_overwrites_unless_it_is_given_a_function() -> None:
    out = floats(4)
    BNNS.scatter(input=floats(2), indices=[3, 1], output=out, axis=0)
    assert out.tolist() == [1, 2, 3, 1]
    for function in (BNNS.ReductionFunction.sum, ReduceFunction.Sum):
        BNNS.scatter(
            input=floats(2), indices=[3, 1], output=out, axis=0, reduction_function=function
        )
    assert out.tolist() == [1, 6, 3, 3]
    assert repr(BNNS.ReductionFunction.sum) == "BNNS.ReductionFunction.sum"
    with pytest.raises(AttributeError):
        BNNS.ReductionFunction.sum.function = ReduceFunction.Max  # type: ignore[misc]
    with pytest.raises(TypeError, match=r"^reduction_function is a str, and has to be a BNNS"):
        BNNS.scatter(
            input=floats(2), indices=[3, 1], output=out, axis=0,
            reduction_function="sum",  # type: ignore[arg-type]
        )  # fmt: skip
    with pytest.raises(BNNS.InvalidParameter, match="op is 0; it is"):
        BNNS.scatter(
            input=floats(2), indices=[3, 1], output=out, axis=0,
            reduction_function=ReduceFunction.Max,
        )  # fmt: skip
    assert out.tolist() == [1, 6, 3, 3]


@pytest.mark.compat("scatter-sum-types")
@pytest.mark.parametrize("kind", ADDED)
def test_scatter_sum_types(kind: DataType) -> None:
    dtype = NUMPY_TYPES[kind]
    values, out = np.array([1, 0, 1]).astype(dtype), np.array([0, 1]).astype(dtype)
    indices = describe(np.array([1, 0, 1]))
    assert BNNSScatter(0, SUM, typed(kind, values), indices, typed(kind, out)) == Status.Success
    expected = [0, 1] if kind == DataType.Boolean else [0, 3]
    assert out.astype(np.float32).tolist() == expected


@pytest.mark.compat("scatter-sum-types-refused")
@pytest.mark.parametrize("kind", [kind for kind in DataType if "Bit" not in kind.name])
def test_scatter_sum_types_refused(kind: DataType) -> None:
    if kind in ADDED:
        pytest.skip("it has a sum")
    size: dict[str, Any] = {"layout": DataLayout.Tensor2DFirstMajor, "data_type": kind}
    memory = bytearray(range(24))
    values = NDArrayDescriptor(size=(2, 8), data=bytearray(16), **size)
    out = NDArrayDescriptor(size=(3, 8), data=memory, **size)
    assert BNNSScatter(0, SUM, values, describe(np.array([2, 0])), out) == -1
    assert last_error().startswith(f"input.data_type is {kind.name}, which can't be added")
    assert memory == bytearray(range(24))


@pytest.mark.compat("scatter-sum-rounding")
def test_scatter_sum_rounding() -> None:
    """2048 + 1 is 2048 in Float16, three times over: rounded once at the end it would be 2052."""
    half = scattered(SUM, np.ones(3, np.float16), [0, 0, 0], np.array([2048], np.float16))
    assert half.tolist() == [2048]
    upper = np.array([0x4380], np.uint16)  # 256
    ones = np.full(3, 0x3F80, np.uint16)
    brain = DataType.BFloat16
    indices = describe(np.zeros(3, np.int32))
    assert BNNSScatter(0, SUM, typed(brain, ones), indices, typed(brain, upper)) == 0
    assert upper.tolist() == [0x4380]


@pytest.mark.compat("scatter-sum-rounding")
def test_every_float16_is_added_as_numpy_adds_it() -> None:
    every = np.arange(2**16, dtype=np.uint16)
    for other in (0.0, 2.0**-24, 1.0, -2049.0, 65504.0, np.inf, np.nan):
        values = np.full(2**16, other, np.float16)
        with np.errstate(all="ignore"):
            sums = every.view(np.float16).astype(np.float32) + np.float32(np.float16(other))
            expected = np.where(np.isnan(sums), 0x7E00, sums.astype(np.float16).view(np.uint16))
        out = scattered(SUM, values, np.arange(2**16), every.view(np.float16))
        np.testing.assert_array_equal(out.view(np.uint16), expected)
        run = scattered(SUM, values[None], [0], every.view(np.float16)[None])
        np.testing.assert_array_equal(run[0].view(np.uint16), expected)


@pytest.mark.compat("scatter-sum-rounding")
def test_a_sum_that_is_no_number_has_one_pattern() -> None:
    bits = np.array([0xFF800001, 0x7F800000, 0x7FC00001], np.uint32)
    values = np.array([1, -np.inf, np.nan], np.float32)
    out = scattered(SUM, values, [0, 1, 2], bits.view(np.float32))
    assert [hex(n) for n in out.view(np.uint32).tolist()] == ["0x7fc00000"] * 3


@pytest.mark.compat("scatter-sum-wraps")
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_scatter_sum_wraps(bits: int) -> None:
    for name in (f"int{bits}", f"uint{bits}"):
        info = np.iinfo(name)
        out = scattered(SUM, np.ones(2, name), [0, 0], np.array([info.max], name))
        assert out.tolist() == [info.min + 1]


@pytest.mark.compat("scatter-sum-boolean")
def test_scatter_sum_boolean() -> None:
    values, out = np.array([0, 1, 0, 1, 4], np.uint8), np.array([0, 0, 2, 1, 3], np.uint8)
    boolean = DataType.Boolean
    indices = describe(np.arange(5))
    assert BNNSScatter(0, SUM, typed(boolean, values), indices, typed(boolean, out)) == 0
    assert out.tolist() == [0, 1, 1, 1, 1]


@pytest.mark.compat("scatter-duplicates-in-order")
@pytest.mark.parametrize("threads", [1, 2, 7])
def test_scatter_duplicates_in_order(threads: int) -> None:
    """Large enough for every thread to have destinations; sums that depend on their order."""
    rng = np.random.default_rng(5)
    count = 5000
    indices = rng.integers(0, 300, count)
    for shape in ((), (3,), (40,)):
        values = rng.standard_normal((count, *shape)).astype(np.float32)
        out = np.zeros((300, *shape), np.float32)
        last, sums = out.copy(), out.copy()
        for n, index in enumerate(indices):
            last[index] = values[n]
            sums[index] += values[n]
        found = scattered(NONE, values, indices, out, n_threads=threads)
        np.testing.assert_array_equal(found.view(np.uint32), last.view(np.uint32))
        found = scattered(SUM, values, indices, out, n_threads=threads)
        np.testing.assert_array_equal(found.view(np.uint32), sums.view(np.uint32))


@pytest.mark.compat("scatter-index-out-of-range")
@pytest.mark.parametrize("bad", [4, 2**31 - 1, -1, -(2**31)])
@pytest.mark.parametrize("count", [2, 3000])
def test_scatter_index_out_of_range(bad: int, count: int) -> None:
    out = floats(4)
    indices = np.zeros(count, np.int32)
    indices[count - 1] = bad
    given = [describe(floats(count)), describe(indices), describe(out)]
    for op in (NONE, SUM):
        assert BNNSScatter(0, op, *given) == Status.IndexOutOfRange
        assert last_error() == f"indices[{count - 1}] is {bad}, outside 0..3 (axis 0 of output)"
    np.testing.assert_array_equal(out, floats(4))


@pytest.mark.compat("scatter-index-types")
@pytest.mark.parametrize("kind", NUMPY_TYPES)
def test_scatter_index_types(kind: DataType) -> None:
    out = np.zeros(4, np.float32)
    indices = typed(kind, np.array([3, 1]).astype(NUMPY_TYPES[kind]))
    status = BNNSScatter(0, NONE, describe(floats(2)), indices, describe(out))
    if kind.name.startswith(("Int", "UInt")) and "Indexed" not in kind.name:
        assert status == Status.Success
        assert out.tolist() == [0, 2, 0, 1]
    else:
        assert status == Status.InvalidParameter
        assert "indices are Int8 to Int64 or UInt8 to UInt64" in last_error()
        assert not out.any()


@pytest.mark.compat("scatter-value-types")
@pytest.mark.parametrize("kind", NUMPY_TYPES)
def test_scatter_value_types(kind: DataType) -> None:
    dtype = NUMPY_TYPES[kind]
    values, out = np.array([1, 0]).astype(dtype), np.array([0, 1, 1, 0]).astype(dtype)
    indices, target = describe(np.array([3, 1])), typed(kind, out)
    assert BNNSScatter(0, NONE, typed(kind, values), indices, target) == Status.Success
    assert out.tobytes() == np.array([0, 0, 1, 1]).astype(dtype).tobytes()
    target.data_type = DataType.Int32 if kind != DataType.Int32 else DataType.Float32
    assert BNNSScatter(0, NONE, typed(kind, values), indices, target) == -1
    assert last_error().endswith(f"input.data_type is {kind.name}; they have to be equal")


@pytest.mark.compat("scatter-subbyte-runs")
def test_scatter_subbyte_runs() -> None:
    """Rows of a 4-bit table are put in their places; columns would cut bytes."""
    fields: dict[str, Any] = {
        "layout": DataLayout.Tensor2DFirstMajor,
        "data_type": DataType.UInt4,
    }
    values, out = np.arange(4, dtype=np.uint8).reshape(2, 2), np.full((3, 2), 9, np.uint8)
    source = NDArrayDescriptor(data=values, size=(2, 4), **fields)
    target = NDArrayDescriptor(data=out, size=(3, 4), **fields)
    indices = describe(np.array([2, 0]))
    assert BNNSScatter(0, NONE, source, indices, target) == Status.Success
    assert out.tolist() == [[2, 3], [9, 9], [0, 1]]
    source.size, target.size = (4, 2), (4, 3)
    assert BNNSScatter(1, NONE, source, indices, target) == Status.InvalidParameter
    assert "whole bytes" in last_error()


@pytest.mark.compat("scatter-layouts")
def test_scatter_layouts() -> None:
    """Slices added along the first axis of every layout that strides can say."""
    library = Library("ours")
    calls = list(MAKERS["scatter-layouts"]("scatter-layouts"))
    assert len(calls) > 20
    for call in calls:
        outcome = library.perform(call)
        assert outcome["status"] == 0, call["name"]

        def array(text: str, name: str, call: Any = call) -> Any:
            described = call["tensors"][name]
            fields = {key: described[key] for key in ("layout", "size", "data_type")}
            return NDArrayDescriptor(data=bytearray.fromhex(text), **fields).array

        expected = array(call["buffers"]["output"], "output").copy()
        indices = array(call["buffers"]["indices"], "indices")
        np.add.at(expected, indices, array(call["buffers"]["input"], "input"))
        np.testing.assert_array_equal(array(outcome["changed"]["output"], "output"), expected)


@pytest.mark.compat("scatter-mixed-layouts")
@pytest.mark.parametrize("layout", ["RowMajorMatrix", "ColumnMajorMatrix", "Tensor2DLastMajor"])
def test_scatter_mixed_layouts(layout: str) -> None:
    size = (3, 4) if layout == "RowMajorMatrix" else (4, 3)
    out = np.zeros(12, np.float32)
    target = NDArrayDescriptor(data=out, shape=Shape(size, DataLayout[layout]))
    given = [describe(floats(2, 3)), describe(np.array([3, 0]))]
    assert BNNSScatter(0, NONE, *given, target) == Status.Success
    np.testing.assert_array_equal(target.array[[3, 0]], floats(2, 3))


@pytest.mark.compat("scatter-axis-out-of-range")
@pytest.mark.parametrize("axis", [2, 8, -1, 2**64 - 1, 2**70])
def test_scatter_axis_out_of_range(axis: int) -> None:
    out = np.zeros((4, 3), np.float32)
    given = [describe(floats(2, 3)), describe(np.array([3, 0])), describe(out)]
    assert BNNSScatter(axis, NONE, *given) == Status.InvalidParameter
    shown = -1 if axis == 2**64 - 1 else axis
    assert last_error() in (
        f"axis is {axis}, outside 0..1 (output has rank 2)",
        f"axis is {shown}, outside 0..1 (output has rank 2)",
    )
    assert not out.any()


@pytest.mark.compat("scatter-shape-mismatch")
@pytest.mark.parametrize(
    ("values", "indices", "output", "named"),
    [
        ((2, 3), (2,), (4, 4), "output has size 4 along axis 1, and input has 3"),
        ((2, 3), (2,), (12,), "output has rank 1, and input has rank 2"),
        ((2, 3), (3,), (4, 3), "indices has 3 elements, and input has size 2 along axis 0"),
        ((2, 3), (2, 2), (4, 3), "indices has size 2 along axis 1, and input has 3"),
        ((2, 3), (2, 3, 1), (4, 3), "indices has rank 3; it is either 1, or that of input, 2"),
    ],
)
def test_scatter_shape_mismatch(values: Any, indices: Any, output: Any, named: str) -> None:
    out = np.zeros(output, np.float32)
    given = [describe(floats(*values)), describe(np.zeros(indices, np.int32)), describe(out)]
    assert BNNSScatter(0, NONE, *given) == Status.ShapeMismatch
    assert last_error() == named
    assert not out.any()


@pytest.mark.compat("scatter-zero-size")
def test_scatter_zero_size() -> None:
    def nothing(*size: int, kind: DataType = DataType.Float32) -> NDArrayDescriptor:
        layout = DataLayout.Vector if len(size) == 1 else DataLayout.Tensor2DFirstMajor
        return NDArrayDescriptor(layout=layout, size=size, data_type=kind)

    out = floats(4, 3)
    no_index = nothing(0, kind=DataType.Int32)
    assert BNNSScatter(0, SUM, nothing(0, 3), no_index, describe(out)) == Status.Success
    np.testing.assert_array_equal(out, floats(4, 3))
    good, bad = describe(np.array([3, 0])), describe(np.array([3, 4]))
    assert BNNSScatter(0, SUM, nothing(2, 0), good, nothing(4, 0)) == Status.Success
    assert BNNSScatter(0, SUM, nothing(2, 0), bad, nothing(4, 0)) == Status.IndexOutOfRange
    assert BNNSScatter(0, SUM, nothing(0, 3), no_index, nothing(4, 3)) == -1
    assert last_error() == "output.data is NULL, and the call needs its elements"
    one = describe(np.array([0]))
    assert BNNSScatter(0, NONE, describe(floats(1)), one, nothing(0)) == Status.IndexOutOfRange
    assert last_error() == "indices[0] is 0, and axis 0 of output has no elements to point at"


@pytest.mark.compat("scatter-input-windows")
def test_scatter_input_windows() -> None:
    windows = NDArrayDescriptor(
        data=floats(4), shape=Shape((3, 2), DataLayout.Tensor2DFirstMajor, (1, 1))
    )
    out = np.zeros((3, 2), np.float32)
    assert BNNSScatter(0, SUM, windows, describe(np.array([2, 0, 2])), describe(out)) == 0
    assert out.tolist() == [[2, 3], [0, 0], [4, 6]]


@pytest.mark.compat("scatter-filter-parameters")
@pytest.mark.parametrize("threads", [0, 1, 2, 7, 1000])
def test_scatter_filter_parameters(threads: int) -> None:
    def refuse(*_: Any) -> int:
        raise AssertionError("nothing is allocated")

    out = np.zeros((3, 2000), np.float32)
    parameters = FilterParameters(
        flags=1, n_threads=threads, alloc_memory=refuse, free_memory=lambda memory: None
    )
    given = [describe(floats(5, 2000)), describe(np.array([2, 0, 2, 1, 2])), describe(out)]
    assert BNNSScatter(0, SUM, *given, parameters) == Status.Success
    expected = np.zeros_like(out)
    np.add.at(expected, [2, 0, 2, 1, 2], floats(5, 2000))
    np.testing.assert_array_equal(out, expected)
