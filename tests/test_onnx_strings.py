"""Strings: only what is gathered is looked at, and none of it may be missing."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import onnx_oracle as oracle
import pytest
from numpy.lib.stride_tricks import as_strided

import bnnspy.onnx as bonnx
from bnnspy import IndexOutOfRange, InvalidParameter

both = pytest.mark.parametrize("function", [bonnx.gather, bonnx.gather_elements])

STRING = getattr(np.dtypes, "StringDType", None)
KINDS: dict[str, Any] = {"objects": object, "unicode": "U4", "bytes": "S4"}
if STRING is not None:
    KINDS["strings"] = STRING()
    KINDS["nullable"] = STRING(na_object=None)
kinds = pytest.mark.parametrize("dtype", KINDS.values(), ids=KINDS)
MAX_RANK = 64 if np.__version__ >= "2" else 32


class Word(str):
    """A string of another class."""


@both
def test_elements_that_are_not_gathered_may_be_anything(function: Any) -> None:
    data = np.array(["a", None, 3, "b", Word("c")], object)
    assert function(data, np.array([0, -2, 4])).tolist() == ["a", "b", "c"]
    with pytest.raises(TypeError, match=r"have to be strings, and data\[1\] is a NoneType"):
        function(data, np.array([0, -4]))
    with pytest.raises(TypeError, match=r"have to be strings, and data\[2\] is a int"):
        function(data, np.array([2, 1]))


def test_the_place_of_what_is_no_string() -> None:
    data = np.full((2, 3, 4), "a", object)
    data[1, 2, 3] = 5.0
    place = r"data\[1, 2, 3\] is a float"
    for axis, indices in ((0, [[0], [-1]]), (1, [[0, -1]]), (2, [0, 3, 2]), (1, 2)):
        with pytest.raises(TypeError, match=place):
            bonnx.gather(data, np.array(indices), axis)
    with pytest.raises(TypeError, match=place):
        bonnx.gather_elements(data, np.full((2, 3, 1), -1), 2)
    with pytest.raises(TypeError, match=place):
        bonnx.gather_elements(data, np.full((1, 3, 4), 1), 0)
    assert bonnx.gather_elements(data, np.full((2, 3, 1), 2), 2).tolist() == [[["a"]] * 3] * 2


MISSING = [None, np.nan, float("nan")] if STRING is not None else []


@pytest.mark.compat("onnx-missing-strings")
@both
@pytest.mark.parametrize("missing", MISSING, ids=repr)
def test_a_missing_string_is_none(function: Any, missing: Any) -> None:
    """Refused in an array of objects, it went through in one of NumPy's strings."""
    for dtype in (object, STRING(na_object=missing)):  # type: ignore[misc]
        data = np.array(["a", missing, "b"], dtype)
        out = np.array(["x", "y"], dtype)
        assert function(data, np.array([2, 0])).tolist() == ["b", "a"]
        kind = type(missing).__name__
        with pytest.raises(TypeError, match=rf"have to be strings, and data\[1\] is a {kind}"):
            function(data, np.array([2, 1]), out=out)
        assert out.tolist() == ["x", "y"]


@both
@pytest.mark.skipif(STRING is None, reason="NumPy before 2 has no StringDType")
def test_a_string_that_stands_for_a_missing_one_is_a_string(function: Any) -> None:
    data = np.array(["a", "none"], STRING(na_object="none"))  # type: ignore[misc]
    assert function(data, np.array([1, 0])).tolist() == ["none", "a"]


@both
@kinds
def test_data_that_is_larger_than_memory(function: Any, dtype: Any) -> None:
    """Broadcast and strided data was copied whole: a MemoryError for 2^40 strings."""
    data = np.broadcast_to(np.array(["a"]).astype(dtype), (1 << 40,))
    assert function(data, np.array([0, (1 << 40) - 1, -1])).tolist() == [data[0]] * 3
    rows = np.broadcast_to(np.array(["a", "b"]).astype(dtype), (1 << 40, 2))
    gathered = function(rows, np.array([[1 << 39, 0]]))
    assert gathered.ravel().tolist()[:2] == rows[0].tolist()


@both
@kinds
def test_nothing_whole_is_copied(function: Any, dtype: Any) -> None:
    data = np.array(["a", "b"] * 500_000).astype(dtype)[::2]
    tracemalloc.start()
    try:
        function(data, np.array([0, 400_000, -1]))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 100_000


@kinds
def test_ranks_up_to_numpys_own_limit(dtype: Any) -> None:
    """Indices of rank 64 were refused for strings alone, with a sentence about rank 65."""
    data = np.array(["a", "b", "c"]).astype(dtype)
    shape = (*(1,) * (MAX_RANK - 1), 2)
    indices = np.array([2, -3]).reshape(shape)
    for axes in ((0, MAX_RANK - 1), (3, MAX_RANK - 1), (MAX_RANK - 1, MAX_RANK - 1)):
        turned = indices.swapaxes(*axes)
        gathered = bonnx.gather(data, turned)
        assert gathered.shape == turned.shape
        assert gathered.ravel().tolist() == [data[2], data[0]]
        deep = data.reshape((*shape[:-1], 3)).swapaxes(*axes)
        gathered = bonnx.gather_elements(deep, turned, axes[0])
        assert gathered.shape == turned.shape
        assert gathered.ravel().tolist() == [data[2], data[0]]
    bad = np.array([0, 3]).reshape(shape)
    for call in (
        lambda: bonnx.gather(data, bad),
        lambda: bonnx.gather_elements(data.reshape((*shape[:-1], 3)), bad, -1),
    ):
        with pytest.raises(IndexOutOfRange) as caught:
            call()
        assert caught.value.position == (*(0,) * (MAX_RANK - 1), 1)
    with pytest.raises(InvalidParameter, match="the result would have rank"):
        bonnx.gather(data.reshape(1, 3), indices)


@kinds
def test_results_without_elements(dtype: Any) -> None:
    data = np.zeros((3, 0), dtype)
    for indices in (np.array([0, -3]), np.zeros((2, 0), int), np.array(1)):
        result = bonnx.gather(data, indices)
        assert oracle.same(result, oracle.gather(data, indices, 0))
        assert bonnx.gather(data, indices, out=result) is result
    with pytest.raises(IndexOutOfRange, match=r"indices\[1\] is 3, outside -3\.\.2"):
        bonnx.gather(data, np.array([9, 0, 3])[1:])
    assert bonnx.gather_elements(data, np.zeros((2, 0), int)).shape == (2, 0)
    none = np.zeros((0,) * MAX_RANK, int)
    assert bonnx.gather(np.array(["a"]).astype(dtype), none).shape == none.shape


@pytest.mark.parametrize("dtype", [*KINDS.values(), np.float32], ids=[*KINDS, "numbers"])
def test_repeated_indices_of_a_result_without_elements(dtype: Any) -> None:
    """Each of 2^40 repeats of one index was looked at, and copied before that for strings."""
    data = np.zeros((3, 0), dtype)
    many = np.broadcast_to(np.array([[0], [-3]]), (2, 1 << 40))
    assert bonnx.gather(data, many).shape == (2, 1 << 40, 0)
    with pytest.raises(IndexOutOfRange, match=r"indices\[1, 0\] is -4") as caught:
        bonnx.gather(data, np.broadcast_to(np.array([[0], [-4]]), (2, 1 << 40)))
    assert caught.value.position == (1, 0)
    assert bonnx.gather(data, np.broadcast_to(np.array(0), (0, 1 << 40))).size == 0


@both
def test_strings_without_characters(function: Any) -> None:
    for kind in "US":
        data = np.zeros(3, [("nothing", f"{kind}0"), ("number", int)])["nothing"]
        assert data.itemsize == 0
        result = function(data, np.array([2, -1]))
        assert result.shape == (2,)
        with pytest.raises(IndexOutOfRange):
            function(data, np.array([3]))


@kinds
def test_results_are_in_c_order(dtype: Any) -> None:
    data = np.array([str(n) for n in range(24)]).astype(dtype).reshape(2, 3, 4)
    for axis in range(3):
        for source in (data, data.transpose(2, 0, 1)):
            result = bonnx.gather(source, np.array([[0, 1], [1, -1]]), axis)
            assert result.flags.c_contiguous
            result = bonnx.gather_elements(source, np.zeros((2, 2, 2), int).T, axis)
            assert result.flags.c_contiguous


@both
def test_unaligned_and_swapped_strings(function: Any) -> None:
    for dtype in ("U3", ">U3", "S3"):
        data = np.array(["abc", "d", ""]).astype(dtype)
        raw = np.zeros(data.nbytes + 1, np.uint8)
        odd = as_strided(raw[1:].view(dtype), data.shape, data.strides)
        odd[...] = data
        expected = data[[2, 0]]
        for source in (data, odd):
            result = function(source, np.array([2, -3]))
            assert oracle.same(result, expected)
