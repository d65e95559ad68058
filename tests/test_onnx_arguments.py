"""What gather and gather_elements refuse, and that a refused call leaves its buffer alone."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import bnnspy.onnx as bonnx
from bnnspy import (
    Error,
    IndexOutOfRange,
    InvalidParameter,
    NDArrayDescriptor,
    ShapeMismatch,
)

BOTH = [bonnx.gather, bonnx.gather_elements]
both = pytest.mark.parametrize("function", BOTH, ids=["gather", "gather_elements"])

D = np.arange(12, dtype=np.float32).reshape(3, 4)


@both
@pytest.mark.parametrize(
    "indices",
    [
        np.array([[0.0]]),
        np.array([[True]]),
        np.array([[1 + 0j]]),
        np.array([["0"]]),
        np.array([[0]], object),
        np.zeros((0, 0)),
        [[0.0]],
        [[1.7]],
        [[True]],
        [["0"]],
        None,
        np.array([[0]], "m8[s]"),
    ],
    ids=repr,
)
def test_index_types(function: Any, indices: Any) -> None:
    with pytest.raises(TypeError, match="indices"):
        function(D, indices)


INTEGERS = [np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]


@pytest.mark.compat("onnx-index-types")
@both
@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_every_type_of_integers_is_taken(function: Any, dtype: np.dtype[Any]) -> None:
    """Those of BNNSGather, and lists: uint8 was refused, which indices of pictures have."""
    expected = function(D, np.array([[2, 0]]))
    indices = np.array([[2, 0]], dtype)
    for same in (indices, indices.astype(dtype.newbyteorder()), indices.repeat(2, 1)[:, ::2]):
        assert function(D, same).tolist() == expected.tolist()
    if dtype.kind == "i":
        assert function(D, indices - 3).tolist() == expected.tolist()
    highest = np.iinfo(dtype).max
    with pytest.raises(IndexOutOfRange, match=rf"indices\[0, 1\] is {highest}, outside") as caught:
        function(D, np.array([[0, highest]], dtype))
    assert caught.value.index == highest


@pytest.mark.compat("onnx-index-types")
def test_unsigned_indices_do_not_wrap() -> None:
    for index in ((1 << 64) - 1, 1 << 63):
        with pytest.raises(IndexOutOfRange, match=f"is {index}, outside") as caught:
            bonnx.gather(D, np.array([index], np.uint64))
        assert caught.value.index == index


@pytest.mark.compat("onnx-index-lists")
def test_empty_lists_are_indices() -> None:
    assert bonnx.gather(D, []).shape == (0, 4)
    assert bonnx.gather(D, ()).shape == (0, 4)
    assert bonnx.gather_elements(np.arange(3), []).shape == (0,)
    assert bonnx.gather_elements(D, [[]]).shape == (1, 0)


@both
def test_masked_arrays(function: Any) -> None:
    with pytest.raises(TypeError, match="data is a masked array"):
        function(np.ma.masked_array(D, D > 3), [[0]])
    with pytest.raises(TypeError, match="indices is a masked array"):
        function(D, np.ma.masked_array([[0]], [[True]]))
    with pytest.raises(TypeError, match="out is a masked array"):
        function(D, [[0]], out=np.ma.masked_array(np.zeros((1, 1, 4), np.float32)))

    class Column:
        """Makes an array of itself, of which a part is masked."""

        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.ma.masked_array([1.0, 2.0], [True, False])

    with pytest.raises(TypeError, match="data is a masked array"):
        function(Column(), [0])


@both
@pytest.mark.parametrize(
    "data",
    [
        np.zeros(3, "m8[s]"),
        np.zeros(3, "M8[s]"),
        np.zeros(3, [("a", np.int32), ("b", object)]),
        np.zeros(3, [("a", np.int32), ("b", np.float64)]),
        np.zeros(3, "V12"),
        np.array([1, "a"], object),
        np.array([None], object),
    ],
    ids=lambda data: str(data.dtype),
)
@pytest.mark.compat("onnx-data-types")
def test_data_types(function: Any, data: Any) -> None:
    with pytest.raises(TypeError, match="data"):
        function(data, [0])


@both
def test_rank_0(function: Any) -> None:
    for data in (np.float32(1), np.array(1.0), 1.0, np.array("a", object)):
        with pytest.raises(InvalidParameter, match="data has rank 0") as caught:
            function(data, [0])
        assert caught.value.argument == "data"


@both
@pytest.mark.parametrize("axis", [2, -3, 1 << 63, (1 << 63) - 1, -(1 << 63), 1 << 70])
def test_axis_out_of_range(function: Any, axis: int) -> None:
    with pytest.raises(InvalidParameter, match=rf"axis is {axis}, outside -2\.\.1") as caught:
        function(D, [[0]], axis)
    assert isinstance(caught.value, ValueError)
    assert caught.value.argument == "axis"


@both
def test_axis_types(function: Any) -> None:
    indices = np.array([[0]])
    expected = function(D, indices, 1)
    assert (function(D, indices, np.int8(1)) == expected).all()
    for axis in (1.0, "1", None, np.array([1, 2])):
        with pytest.raises(TypeError):
            function(D, indices, axis)


def test_shapes_of_gather_elements() -> None:
    for indices in (np.zeros(1, int), np.zeros((1, 1, 1), int), np.array(0)):
        with pytest.raises(ShapeMismatch, match="indices has rank"):
            bonnx.gather_elements(D, indices)
    with pytest.raises(ShapeMismatch, match="size 4 along axis 0, and data has 3"):
        bonnx.gather_elements(D, np.zeros((4, 1), int), 1)
    assert bonnx.gather_elements(D, np.zeros((4, 1), int), 0).shape == (4, 1)


@pytest.mark.compat("onnx-index-lists")
def test_indices_that_no_int64_holds() -> None:
    for value in (1 << 63, -(1 << 63) - 1, 1 << 80):
        for indices, position in ((value, ()), ([0, value], (1,))):
            with pytest.raises(IndexOutOfRange) as caught:
                bonnx.gather(D, indices)
            assert (caught.value.index, caught.value.position) == (value, position)


def outputs() -> dict[str, tuple[Any, type[Exception], str]]:
    """Buffers that can't take gather(D, ROWS), with the error."""
    fixed = np.zeros((2, 4), np.float32)
    fixed.flags.writeable = False
    row = np.zeros(8, np.float32)
    return {
        "wide": (np.zeros((2, 5), np.float32), ShapeMismatch, "shape"),
        "short": (np.zeros((1, 4), np.float32), ShapeMismatch, "shape"),
        "flat": (np.zeros(8, np.float32), ShapeMismatch, "shape"),
        "deep": (np.zeros((2, 4, 1), np.float32), ShapeMismatch, "shape"),
        "type": (np.zeros((2, 4), np.float64), InvalidParameter, "type"),
        "swapped": (np.zeros((2, 4), ">f4"), InvalidParameter, "type"),
        "read-only": (fixed, InvalidParameter, "read-only"),
        "one cell": (as_strided(row, (2, 4), (0, 0)), InvalidParameter, "share"),
        "windows": (as_strided(row, (2, 4), (8, 4)), InvalidParameter, "share"),
        "half cells": (
            as_strided(np.zeros(64, np.uint8).view(np.float32), (2, 4), (16, 2)),
            InvalidParameter,
            "share",
        ),
        "list": ([[0.0] * 4] * 2, TypeError, "out"),
        "number": (1.0, TypeError, "out"),
    }


ROWS = np.array([2, -3])


@pytest.mark.parametrize("kind", outputs())
def test_bad_buffers(kind: str) -> None:
    out, error, words = outputs()[kind]
    before = np.array(out).tobytes()
    with pytest.raises(error, match=words):
        bonnx.gather(D, ROWS, out=out)
    with pytest.raises(error, match=words):
        bonnx.gather_elements(D, np.zeros((2, 4), int), out=out)
    assert np.array(out).tobytes() == before


def test_interleaved_buffers_are_fine() -> None:
    """Strides that are not sorted by size, and elements that go between each other."""
    memory = np.zeros(20, np.float32)
    out = as_strided(memory, (2, 4), (4 * 2, 4 * 3))  # 0 3 6 9 and 2 5 8 11
    bonnx.gather(D, ROWS, out=out)
    assert out.tolist() == [[8, 9, 10, 11], [0, 1, 2, 3]]
    assert np.flatnonzero(memory).tolist() == [0, 3, 5, 6, 8, 9, 11]


def test_aliasing() -> None:
    data = np.arange(12.0)
    with pytest.raises(InvalidParameter, match="shares memory with data"):
        bonnx.gather(data, [0, 1], out=data[:2])
    with pytest.raises(InvalidParameter, match="shares memory with data"):
        bonnx.gather_elements(data, np.arange(12), out=data)
    indices = np.array([1, 0])
    with pytest.raises(InvalidParameter, match="shares memory with indices"):
        bonnx.gather(np.arange(2), indices, out=indices)
    assert data.tolist() == list(range(12))
    assert indices.tolist() == [1, 0]
    # Apart, though in one array: planes between each other, and halves of rows.
    bonnx.gather(data[::2], [5, 0], out=data[1::8])
    assert (data[1], data[9]) == (10, 0)
    square = np.arange(16.0).reshape(4, 4)
    bonnx.gather(square[:, :2], [1, 0], axis=1, out=square[:, 2:])
    assert square[1].tolist() == [4, 5, 5, 4]


@pytest.mark.compat("onnx-undecided-overlap")
def test_what_takes_too_long_to_tell_is_refused() -> None:
    """Whether two views meet can be a puzzle of 22 unknowns; a bound ends the search."""
    memory = np.zeros(1 << 26, np.int8)
    steps = np.random.default_rng(0).integers(1 << 19, 1 << 22, 22).tolist()
    data = as_strided(memory, (2,) * 11, steps[:11])
    out = as_strided(memory[1:], (2,) * 11, steps[11:])
    with pytest.raises(np.exceptions.TooHardError):
        np.shares_memory(data, out, max_work=100_000)
    with pytest.raises(InvalidParameter, match="shares memory with data, or can't be told"):
        bonnx.gather(data, [1, 0], out=out)


def test_errors_pickle() -> None:
    with pytest.raises(IndexOutOfRange) as caught:
        bonnx.gather(D, [[0, 7]])
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (str(copy), copy.index, copy.position, copy.valid, copy.status) == (
        "indices[0, 1] is 7, outside -3..2 (axis 0 of data)",
        7,
        (0, 1),
        range(-3, 3),
        -1005,
    )
    assert isinstance(copy, (Error, IndexError))


def test_descriptors_and_subclasses_are_taken(tmp_path: Path) -> None:
    with NDArrayDescriptor.from_array(D) as descriptor:
        assert bonnx.gather(descriptor, [2]).tolist() == [[8, 9, 10, 11]]
    mapped = np.memmap(tmp_path / "out", np.float32, "w+", shape=(1, 4))
    assert bonnx.gather(D, [2], out=mapped) is mapped
    assert mapped.tolist() == [[8, 9, 10, 11]]
    assert type(bonnx.gather(mapped, [0])) is np.ndarray


def test_lists_and_buffers_are_taken() -> None:
    assert bonnx.gather([[1, 2], [3, 4]], -1).tolist() == [3, 4]
    assert bonnx.gather((1.5, 2.5), [0]).tolist() == [1.5]
    assert bonnx.gather(["a", "b"], 1).tolist() == "b"
    assert bonnx.gather(memoryview(b"abc"), [2, 0]).tolist() == [99, 97]
    out = bytearray(2)
    assert bonnx.gather(memoryview(b"abc"), [2, 0], out=out) is out
    assert out == b"ca"


def test_torch_tensors() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    data = torch.arange(12.0).reshape(3, 4)
    out = torch.zeros(4, 2)
    assert bonnx.gather(data.T, torch.tensor([-1, 0]), 1, out=out) is out
    assert torch.equal(out, data.T[:, [2, 0]])
