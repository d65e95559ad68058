"""Descriptors with memory of their own: allocate, allocate_uninitialized, from_address."""

from __future__ import annotations

import array
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnnspy import (
    ArrayDescriptorInvalidData,
    BNNSGather,
    DataLayout,
    DataType,
    InvalidParameter,
    NDArrayDescriptor,
    Shape,
)
from bnnspy._bnns import ffi

allocate = NDArrayDescriptor.allocate

TYPES = [
    (DataType.Float32, np.float32),
    (DataType.Float16, np.float16),
    (DataType.Int8, np.int8),
    (DataType.Int16, np.int16),
    (DataType.Int32, np.int32),
    (DataType.Int64, np.int64),
    (DataType.UInt8, np.uint8),
    (DataType.UInt16, np.uint16),
    (DataType.UInt32, np.uint32),
    (DataType.UInt64, np.uint64),
    (DataType.Boolean, np.bool_),
]


def memory_of(made: NDArrayDescriptor, dtype: Any) -> list[Any]:
    """All of a descriptor's memory, holes included."""
    values: list[Any] = np.frombuffer(made.data, dtype).tolist()
    return values


# --- initializing_from ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "data_type"),
    [
        ([1.5, 2.0], DataType.Float32),
        ([1, 2.5], DataType.Float32),
        ([1, 2], DataType.Int32),
        ([True, False], DataType.Boolean),
        ([True, 2], DataType.Int32),
        ((1, 2), DataType.Int32),
        (range(2), DataType.Int32),
        ([np.float64(1), np.float64(2)], DataType.Float32),
        ([np.int64(1), 2], DataType.Int32),
        (array.array("h", [1, 2]), DataType.Int16),
        (b"\1\2", DataType.UInt8),
        *((np.array([0, 1], dtype), data_type) for data_type, dtype in TYPES),
    ],
)
def test_values_bring_their_type(values: Any, data_type: DataType) -> None:
    made = allocate(initializing_from=values, shape=Shape.vector(2))
    assert made.data_type is data_type
    assert made.array.tolist() == list(values)


@pytest.mark.parametrize(
    "values", [[np.uint8(3)], [2**31 - 1], [np.uint64(7)]], ids=["uint8", "int", "uint64"]
)
def test_lists_of_unsigned_integers_became_floats(values: list[Any]) -> None:
    made = allocate(initializing_from=values, shape=1)
    assert made.data_type is DataType.Int32
    assert made.array.tolist() == values


@pytest.mark.parametrize("values", [[2**31], [2**63], [2**70], [2**63, -1], [10**400]])
def test_integers_too_large_for_the_type_became_rounded_floats(values: list[int]) -> None:
    """Those beyond 63 bits did, silently; smaller ones were refused then as well."""
    with pytest.raises(ValueError, match="of Int32"):
        allocate(initializing_from=values, shape=len(values))


def values_one_by_one() -> Iterator[float]:
    yield from (0.5, 1.5, 2.5)


@pytest.mark.parametrize("source", [values_one_by_one(), iter([0.5, 1.5, 2.5]), [0.5, 1.5, 2.5]])
def test_any_iterable_will_do(source: Any) -> None:
    assert allocate(initializing_from=source, shape=3).array.tolist() == [0.5, 1.5, 2.5]


@pytest.mark.parametrize(("data_type", "dtype"), TYPES)
@pytest.mark.parametrize("name", ["member", "code", "dtype", "class", "string"])
def test_scalar_type_overrides(data_type: DataType, dtype: Any, name: str) -> None:
    names = {
        "member": data_type,
        "code": int(data_type),
        "dtype": np.dtype(dtype),
        "class": dtype,
        "string": np.dtype(dtype).str,
    }
    made = allocate(initializing_from=[0, 1, 1], shape=3, scalar_type=names[name])
    assert made.data_type is data_type
    assert made.dtype == dtype
    assert made.array.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("scalar_type", "data_type"),
    [(float, DataType.Float32), (int, DataType.Int32), (bool, DataType.Boolean)],
)
def test_the_types_of_python_are_those_of_literals(scalar_type: Any, data_type: DataType) -> None:
    assert allocate(repeating=1, shape=2, scalar_type=scalar_type).data_type is data_type
    made = NDArrayDescriptor.allocate_uninitialized(scalar_type=scalar_type, shape=2)
    assert made.data_type is data_type


def test_arrays_are_converted_when_scalar_type_says_so() -> None:
    made = allocate(initializing_from=np.array([1.5, 2.5]), shape=2, scalar_type=np.float32)
    assert made.array.tolist() == [1.5, 2.5]
    swapped = np.array([1, 2], np.dtype(np.int16).newbyteorder())
    made = allocate(initializing_from=swapped, shape=2, scalar_type=np.int16)
    assert made.array.tolist() == [1, 2]


def test_elements_are_in_memory_order_and_padding_is_zeroed() -> None:
    shape = Shape.matrix_row_major(2, 3, stride=(1, 4))
    made = allocate(initializing_from=[1, 2, 3, 4, 5, 6], shape=shape)
    assert memory_of(made, np.int32) == [1, 2, 0, 0, 3, 4, 0, 0, 5, 6]
    assert made.array.tolist() == [[1, 2], [3, 4], [5, 6]]
    batches = allocate(initializing_from=range(1, 13), shape=shape, batch_size=2)
    assert memory_of(batches, np.int32)[10:] == [0, 0, 7, 8, 0, 0, 9, 10, 0, 0, 11, 12]
    assert batches.make_array(2).tolist() == list(range(1, 13))
    last = allocate(initializing_from=range(6), shape=Shape.matrix_last_major(2, 3))
    assert last.array.tolist() == [[0, 2, 4], [1, 3, 5]]
    flat = allocate(initializing_from=np.arange(6, dtype=np.int8).reshape(2, 3), shape=(2, 3))
    assert flat.array.tolist() == [[0, 1, 2], [3, 4, 5]]
    columns = np.asfortranarray(np.arange(6, dtype=np.int8).reshape(2, 3))
    assert allocate(initializing_from=columns, shape=6).array.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("count", [0, 5, 7, 12])
def test_the_count_has_to_be_exact(count: int) -> None:
    for source in ([0.0] * count, np.zeros(count, np.float32), iter([0.0] * count)):
        with pytest.raises(ValueError, match=f"{count} elements, and the shape holds 6"):
            allocate(initializing_from=source, shape=(2, 3))


def test_no_elements() -> None:
    for shape in (0, (2, 0), Shape.matrix_row_major(0, 3)):
        made = allocate(initializing_from=[], shape=shape)
        assert made.data_type is DataType.Float32
        assert made.array.size == made.nbytes == 0
    assert allocate(initializing_from=[], shape=3, batch_size=0).make_array(0).tolist() == []


@pytest.mark.parametrize(
    ("source", "error", "words"),
    [
        (np.zeros(1), TypeError, r"float64.*\.astype\(np\.float32\)"),
        (array.array("d", [0]), TypeError, r"\.astype\(np\.float32\)"),
        (np.zeros(1, np.complex64), TypeError, "complex64"),
        (np.array(["1"]), TypeError, "only numbers"),
        (np.array([1], object), TypeError, "only numbers"),
        (np.zeros(1, np.dtype(np.float32).newbyteorder()), TypeError, "swapped"),
        (np.ma.array([1.0], mask=[True], dtype=np.float32), TypeError, "masked"),
        ("1", TypeError, "numbers or booleans"),
        (["1"], TypeError, "numbers or booleans"),
        ([None], TypeError, "numbers or booleans"),
        ([1j], TypeError, "complex128"),
        ([[1]], TypeError, "2 dimensions"),
        (5, TypeError, "initializing_from is a int"),
        ([1e39], ValueError, "fit Float32"),
    ],
)
def test_what_is_no_source(source: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        allocate(initializing_from=source, shape=1)


@pytest.mark.parametrize(
    ("source", "scalar_type", "error", "words"),
    [
        ([128], np.int8, ValueError, r"128, outside -128\.\.127 of Int8"),
        ([-1], np.uint64, ValueError, r"-1, outside"),
        ([2**64], np.uint64, ValueError, "18446744073709551616, outside"),
        (np.array([300]), np.uint8, ValueError, "300, outside"),
        ([1.5], int, TypeError, "round"),
        (np.array([1.5]), np.int32, TypeError, "round"),
        ([2], bool, ValueError, "2, outside"),
        ([0.5], bool, TypeError, "floats"),
        ([70000], np.float16, ValueError, "fit Float16"),
        ([10**400], float, ValueError, "fit Float32"),
        ([0], np.float64, TypeError, r"use scalar_type=np\.float32"),
        ([0], DataType.UInt4, TypeError, "packed"),
        ([0], DataType.FloatBit, TypeError, "0x10000"),
        ([0], "nonsense", TypeError, "scalar_type"),
        ([0], 0x12345, TypeError, "scalar_type"),
    ],
)
def test_values_that_do_not_fit(
    source: Any, scalar_type: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        allocate(initializing_from=source, shape=1, scalar_type=scalar_type)


@pytest.mark.parametrize(
    "source",
    [np.array(["1"]), np.array([1j]), np.array(["2020"], "M8[Y]"), np.array([1.5], object)],
)
def test_text_and_complex_arrays_were_parsed_and_cut_to_the_type(source: Any) -> None:
    for scalar_type in (np.float32, np.int64):
        with pytest.raises(TypeError, match="BNNS has no type"):
            allocate(initializing_from=source, shape=1, scalar_type=scalar_type)


def test_unsigned_64_bits_are_exact() -> None:
    values = [2**64 - 1, 2**63 + 1, 0]
    made = allocate(initializing_from=values, shape=3, scalar_type=np.uint64)
    assert made.array.tolist() == values


# --- repeating and random_in ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "data_type"),
    [(0.0, DataType.Float32), (0, DataType.Int32), (True, DataType.Boolean)],
)
def test_repeating(value: Any, data_type: DataType) -> None:
    made = allocate(repeating=value, shape=Shape.matrix_row_major(2, 2, stride=(1, 3)))
    assert made.data_type is data_type
    assert made.array.tolist() == [[value] * 2] * 2
    assert allocate(repeating=value, shape=2, batch_size=3).make_array(3).tolist() == [value] * 6
    assert memory_of(allocate(repeating=7, shape=Shape.vector(2, stride=2)), np.int32) == [7, 0, 7]
    for wrong in ("7", None, [1, 2], 2**40):
        with pytest.raises((TypeError, ValueError)):
            allocate(repeating=wrong, shape=2)


@pytest.mark.parametrize(("data_type", "dtype"), TYPES[:-1])
def test_random_integers_include_both_ends(data_type: DataType, dtype: Any) -> None:
    made = allocate(random_in=(3, 5), shape=500, scalar_type=data_type, rng=1)
    assert made.dtype == dtype
    if np.issubdtype(dtype, np.integer):
        assert set(made.array.tolist()) == {3, 4, 5}
        whole = (np.iinfo(dtype).min, np.iinfo(dtype).max)
        assert allocate(random_in=whole, shape=9, scalar_type=dtype, rng=1).array.size == 9
    assert allocate(random_in=(4, 4), shape=3, scalar_type=data_type).array.tolist() == [4, 4, 4]


def test_random_type_and_range() -> None:
    assert allocate(random_in=(0, 9), shape=3).data_type is DataType.Int32
    made = allocate(random_in=(-1.5, 2.5), shape=(50, 50), rng=3)
    assert made.data_type is DataType.Float32
    assert -1.5 <= made.array.min() < -1.4
    assert 2.4 < made.array.max() <= 2.5
    assert allocate(random_in=(0, 1.0), shape=3).data_type is DataType.Float32


def test_rng_makes_random_reproducible() -> None:
    def drawn(rng: Any) -> list[int]:
        values: list[int] = allocate(random_in=(0, 10**6), shape=20, rng=rng).array.tolist()
        return values

    assert drawn(5) == drawn(5) == drawn(np.random.default_rng(5))
    assert drawn(5) != drawn(6)
    generator = np.random.default_rng(5)
    assert drawn(generator) != drawn(generator)
    assert drawn(None) != drawn(None)


@pytest.mark.parametrize(
    ("bounds", "scalar_type", "error", "words"),
    [
        ((1, 0), None, ValueError, "in order"),
        ((float("nan"), 1.0), None, ValueError, "in order"),
        ((0.0, float("inf")), None, ValueError, "finite"),
        ((0, 2**31), None, ValueError, "of Int32"),
        ((-1, 5), np.uint8, ValueError, "-1, outside"),
        ((0.0, 1.0), int, TypeError, "floats"),
        ((0.0, 1e39), None, ValueError, "fit Float32"),
        ((0, 10**400), float, ValueError, "fit Float32"),
        ((0, 1), bool, TypeError, "integers and floats"),
        ((0,), None, TypeError, "low, high"),
        (5, None, TypeError, "low, high"),
        (("a", "b"), None, TypeError, "two numbers"),
    ],
)
def test_ranges_that_are_none(
    bounds: Any, scalar_type: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        allocate(random_in=bounds, shape=3, scalar_type=scalar_type)


@pytest.mark.parametrize(
    "sources",
    [
        {},
        {"repeating": 0, "random_in": (0, 1)},
        {"initializing_from": [0], "repeating": 0},
        {"initializing_from": [0], "random_in": (0, 1)},
    ],
)
def test_one_source_at_a_time(sources: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="one of"):
        allocate(shape=1, **sources)


# --- memory ---------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(0, 5), min_size=1, max_size=8),
    st.sampled_from([DataType.Int8, DataType.Float16, DataType.UInt64, DataType.UInt3]),
    st.integers(0, 3),
)
def test_memory_is_aligned_and_just_large_enough(
    size: list[int], data_type: DataType, batch_size: int
) -> None:
    made = NDArrayDescriptor.allocate_uninitialized(
        scalar_type=data_type, shape=size, batch_size=batch_size
    )
    bits = int(np.prod(size)) * batch_size * (data_type & 0xFF)
    assert made.data.nbytes == (bits + 7) // 8
    assert made.address % 64 == 0
    assert repr(made).endswith(f"{(bits + 7) // 8} bytes, owned)")


@pytest.mark.parametrize(
    ("shape", "batch_size", "error"),
    [
        ((2**33, 2**33), 1, InvalidParameter),
        (2**50, 2**50, ValueError),
        (4, -1, ValueError),
        (4, 1.5, TypeError),
        (-4, 1, ValueError),
        (Shape.matrix_row_major(2, 2, stride=(2, 1)), 1, InvalidParameter),
        (Shape((1, 1, 1, 1), DataLayout.ConvolutionWeightsOIHW_Pack32), 1, InvalidParameter),
    ],
)
def test_sizes_that_no_memory_has(shape: Any, batch_size: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        allocate(repeating=0.0, shape=shape, batch_size=batch_size)
    with pytest.raises(error):
        NDArrayDescriptor.allocate_uninitialized(
            scalar_type=float, shape=shape, batch_size=batch_size
        )


def test_uninitialized_needs_a_type() -> None:
    for wrong in (None, np.float64, "nonsense"):
        with pytest.raises(TypeError, match="scalar_type"):
            NDArrayDescriptor.allocate_uninitialized(scalar_type=wrong, shape=2)


# --- from_address ---------------------------------------------------------------------------------


def test_from_address_views_foreign_memory() -> None:
    memory = ffi.new("int32_t[6]", list(range(6)))
    address = int(ffi.cast("uintptr_t", memory))
    made = NDArrayDescriptor.from_address(
        address, nbytes=24, shape=(2, 3), scalar_type=np.int32, owner=memory
    )
    assert made.address == address
    assert made.data is memory
    made.array[1, 2] = 9
    assert memory[5] == 9
    fixed = NDArrayDescriptor.from_address(
        address, nbytes=24, shape=2, scalar_type=np.int32, batch_size=3, writable=False
    )
    assert repr(fixed).endswith("24 bytes, borrowed, read-only)")
    assert not fixed.array.flags.writeable
    indices = allocate(initializing_from=[0, 1], shape=2)
    assert BNNSGather(0, fixed, indices, fixed.replace()) == -1


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"nbytes": 23}, ArrayDescriptorInvalidData, "23 bytes, and the shape needs 24"),
        ({"batch_size": 2}, ArrayDescriptorInvalidData, "needs 48"),
        ({"address": -1}, ValueError, "address"),
        ({"address": 2**64}, ValueError, "address"),
        ({"address": 1.0}, TypeError, "address"),
        ({"nbytes": 2**63}, ValueError, "nbytes"),
        ({"address": 2**64 - 8, "nbytes": 24}, ValueError, "nbytes"),
        ({"scalar_type": float, "shape": "23"}, TypeError, "size"),
        ({"scalar_type": np.float64}, TypeError, "scalar_type"),
    ],
)
def test_what_is_no_address(changes: dict[str, Any], error: type[Exception], words: str) -> None:
    arguments: dict[str, Any] = {"address": 4096, "nbytes": 24, "shape": 6, "scalar_type": float}
    with pytest.raises(error, match=words):
        NDArrayDescriptor.from_address(**(arguments | changes))


def test_an_address_of_null_is_no_data() -> None:
    made = NDArrayDescriptor.from_address(0, nbytes=24, shape=6, scalar_type=float)
    with pytest.raises(ArrayDescriptorInvalidData, match="no data"):
        _ = made.array
    indices = allocate(initializing_from=[0], shape=1)
    assert BNNSGather(0, made, indices, allocate(repeating=0.0, shape=1)) == -1
