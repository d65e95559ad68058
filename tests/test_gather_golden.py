"""Calls with the result that Apple's documentation prints, or that real hardware gave.

tests/data/apple.json has each call's descriptors as they stand in the source, and the source.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cells import DOORS
from oracle import DATA_TYPES, LAYOUTS, ORACLE, Tensor

import bnnspy
from bnnspy import BNNS, BNNSGather, NDArrayDescriptor, Shape

CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parent / "data" / "apple.json").read_text("utf-8")
)["cases"]
DTYPES = {"Float32": np.dtype(np.float32), "Int32": np.dtype(np.int32)}
GUARD = 0x5A


def cases_of(function: str) -> list[Any]:
    """The recorded calls of a function, as parameters."""
    found = [case for case in CASES if case["call"] == function]
    assert found, function
    return [pytest.param(case, id=case["name"]) for case in found]


def guarded(size: int, values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Bytes with a guard of `size` before and behind the values."""
    guard = np.full(size, GUARD, np.uint8)
    return np.concatenate([guard, values.view(np.uint8), guard])


def tensor(described: dict[str, Any], elements: int | None = None) -> tuple[Tensor, Any]:
    """A tensor of a case, and the whole memory that it lies in: 16 bytes of guard around it."""
    dtype = DTYPES[described["data_type"]]
    if elements is None:
        values = np.array(described["values"], dtype)
    else:
        values = np.full(elements, described["fill"], dtype)
    memory = guarded(16, values)
    pad = [0] * (8 - len(described["size"]))
    made = Tensor(
        LAYOUTS[described["layout"]].code,
        (*described["size"], *pad),
        (0,) * 8,
        DATA_TYPES[described["data_type"]],
        memory[16:-16],
    )
    return made, memory


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("case", cases_of("BNNSGather"))
def test_gather(case: dict[str, Any], door: str) -> None:
    described = case["tensors"]
    count = int(np.prod(described["output"]["size"]))
    source, source_memory = tensor(described["input"])
    indices, indices_memory = tensor(described["indices"])
    output, output_memory = tensor(described["output"], count)
    before = [memory.copy() for memory in (source_memory, indices_memory, output_memory)]

    status = DOORS[door](case["args"]["axis"], source, indices, output)

    assert status == case["status"]
    np.testing.assert_array_equal(source_memory, before[0])
    np.testing.assert_array_equal(indices_memory, before[1])
    if "expected" in case:
        dtype = DTYPES[described["output"]["data_type"]]
        expected = guarded(16, np.array(case["expected"], dtype))
        np.testing.assert_array_equal(output_memory, expected)
    else:
        assert case["output_untouched"]
        np.testing.assert_array_equal(output_memory, before[2])


@pytest.mark.parametrize("case", cases_of("BNNSGather"))
def test_oracle_agrees(case: dict[str, Any]) -> None:
    """The tests' own oracle is held against the same results."""
    described = case["tensors"]
    count = int(np.prod(described["output"]["size"]))
    source, _ = tensor(described["input"])
    indices, _ = tensor(described["indices"])
    output, _ = tensor(described["output"], count)
    outcome = ORACLE["BNNSGather"](case["args"]["axis"], source, indices, output)
    assert outcome.status == case["status"]
    assert outcome.memory is not None
    if "expected" in case:
        dtype = DTYPES[described["output"]["data_type"]]
        np.testing.assert_array_equal(outcome.memory.view(dtype), case["expected"])


@pytest.mark.parametrize("case", cases_of("BNNSNDArrayGetDataSize"))
def test_data_size(case: dict[str, Any]) -> None:
    described = case["tensors"]["array"]
    layout = LAYOUTS[described["layout"]].code
    data_type = DATA_TYPES[described["data_type"]]
    array = NDArrayDescriptor(
        layout=layout, size=described["size"], data_type=data_type, data=bytearray(64)
    )
    assert bnnspy.BNNSNDArrayGetDataSize(array) == case["returns"]
    assert array.data_size == case["returns"]


@pytest.mark.parametrize("case", cases_of("BNNSDataLayoutGetRank"))
def test_rank(case: dict[str, Any]) -> None:
    layout = LAYOUTS[case["args"]["layout"]].code
    assert bnnspy.BNNSDataLayoutGetRank(layout) == case["returns"]
    assert bnnspy.DataLayout(layout) >> 16 == case["returns"]


@pytest.mark.parametrize("code", [0, 0x10001, 0x98000, 2**32 - 1, -1, 2**32 + 0x10000])
def test_rank_of_no_layout(code: int) -> None:
    """SIZE_MAX on failure, as documented."""
    assert bnnspy.BNNSDataLayoutGetRank(code) == 2**64 - 1


# --- the two documented examples, as a reader would port them -------------------------------------


def first_example() -> tuple[NDArrayDescriptor, NDArrayDescriptor, NDArrayDescriptor]:
    """Eight values, four of them picked."""
    values = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0]
    return (
        NDArrayDescriptor.allocate(initializing_from=values, shape=Shape.vector(8)),
        NDArrayDescriptor.allocate(initializing_from=[1, 3, 7, 5], shape=Shape.vector(4)),
        NDArrayDescriptor.allocate(repeating=-1.0, shape=Shape.vector(4)),
    )


def second_example() -> tuple[NDArrayDescriptor, NDArrayDescriptor, NDArrayDescriptor]:
    """Three rows of three; two picks inside each row."""
    values = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0]
    small = Shape.matrix_row_major(2, 3)
    return (
        NDArrayDescriptor.allocate(initializing_from=values, shape=Shape.matrix_row_major(3, 3)),
        NDArrayDescriptor.allocate(initializing_from=[0, 1, 2, 0, 1, 1], shape=small),
        NDArrayDescriptor.allocate_uninitialized(scalar_type=float, shape=small),
    )


EXAMPLES = [
    pytest.param(first_example, 0, [20, 40, 80, 60], id="vector"),
    pytest.param(second_example, 1, [10, 20, 60, 40, 80, 80], id="within-rows"),
]


@pytest.mark.parametrize(("example", "axis", "expected"), EXAMPLES)
def test_documented_example_through_c_face(example: Any, axis: int, expected: list[float]) -> None:
    source, indices, output = example()
    status = BNNSGather(axis, source, indices, output, None)
    assert status is bnnspy.Status.Success
    assert output.make_array().tolist() == expected


@pytest.mark.parametrize(("example", "axis", "expected"), EXAMPLES)
def test_documented_example_through_overlay(example: Any, axis: int, expected: list[float]) -> None:
    source, indices, output = example()
    with source, indices, output:
        BNNS.gather(input=source, indices=indices, output=output, axis=axis)
        assert output.make_array().tolist() == expected


def test_documented_examples_on_arrays() -> None:
    """The same through plain arrays, whose axes are NumPy's."""
    values = np.arange(10, 90, 10, dtype=np.float32)
    output = np.empty(4, np.float32)
    BNNS.gather(input=values, indices=np.array([1, 3, 7, 5]), output=output, axis=0)
    assert output.tolist() == [20, 40, 80, 60]
    values = np.arange(10, 100, 10, dtype=np.float32).reshape(3, 3)
    indices = np.array([[0, 1], [2, 0], [1, 1]], np.int32)
    output = np.empty((3, 2), np.float32)
    BNNS.gather(input=values, indices=indices, output=output, axis=1)
    assert output.tolist() == [[10, 20], [60, 40], [80, 80]]
