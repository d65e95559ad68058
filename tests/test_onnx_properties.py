"""gather and gather_elements against the oracle: shapes, strides, types, axes, buffers."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

import numpy as np
import onnx_oracle as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from onnx_oracle import DTYPES, NUMBERS, first_bad, layouts, same, values

import bnnspy.onnx as bonnx
from bnnspy import IndexOutOfRange

Array = NDArray[Any]
Draw = Callable[..., Any]

FUNCTIONS = {
    "gather": (bonnx.gather, oracle.gather),
    "gather_elements": (bonnx.gather_elements, oracle.gather_elements),
}
MOST = 400  # elements of a result: the oracle goes through them one by one
NUMBER_TYPES = [np.dtype(name) for name in NUMBERS]


class Case(NamedTuple):
    """A call."""

    function: str
    data: Array
    indices: Array
    axis: int


@st.composite
def arranged(draw: Draw, array: Array) -> Array:
    """The same values: transposed, reversed, spaced, unaligned or broadcast memory."""
    kind = draw(st.sampled_from(["packed", "moved", "broadcast", "layout"]))
    if kind == "layout":
        ways = list(layouts(array))
        return ways[draw(st.integers(0, len(ways) - 1))][1]
    if kind == "moved" and array.ndim:
        order = draw(st.permutations(range(array.ndim)))
        back = np.argsort(order)
        array = array.transpose(order).copy().transpose(back)
        turned = tuple(slice(None, None, draw(st.sampled_from([1, -1]))) for _ in array.shape)
        return array[turned].copy()[turned]
    if kind == "broadcast" and array.ndim and array.size:
        k = draw(st.integers(0, array.ndim - 1))
        return np.broadcast_to(np.take(array, [0], k), array.shape)
    return array


def shrink(shape: list[int], most: int) -> list[int]:
    """shape with its largest sizes halved until it has no more elements than that."""
    while prod(shape) > most:
        shape[shape.index(max(shape))] //= 2
    return shape


@st.composite
def cases(draw: Draw, bad: bool = False, max_rank: int = 4, empty: bool = True) -> Case:
    """A call with indices in range, or with some out of it."""
    function = draw(st.sampled_from(list(FUNCTIONS)))
    rank = draw(st.integers(1, max_rank))
    sizes = st.sampled_from([1, 1, 2, 2, 3, 4, 5] + [0] * empty)
    shape = shrink(draw(st.lists(sizes, min_size=rank, max_size=rank)), MOST)
    axis = draw(st.integers(-rank, rank - 1))
    n = shape[axis]
    if function == "gather":
        q = draw(st.integers(0, 3))
        index_shape = draw(st.lists(sizes, min_size=q, max_size=q))
        rest = max(1, prod(shape[: axis % rank] + shape[axis % rank + 1 :]))
        index_shape = shrink(index_shape, max(1, MOST // rest))
    else:
        index_shape = [draw(st.integers(min(1, size), size)) for size in shape]
        index_shape[axis] = draw(sizes)
    if n == 0 and not bad and prod(index_shape):
        index_shape = [0 for _ in index_shape] if index_shape else [0]
        if function == "gather_elements":
            index_shape = list(np.minimum(index_shape, shape))
    dtype = draw(st.sampled_from(DTYPES))
    index_dtype = draw(st.sampled_from([np.int32, np.int64]))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    indices = rng.integers(-n, max(n, 1 - n), index_shape).astype(index_dtype)
    if bad and indices.size:
        limits = np.iinfo(index_dtype)
        wrong = draw(st.sampled_from([n, -n - 1, limits.min, limits.max, n + 1]))
        for place in draw(st.lists(st.integers(0, indices.size - 1), min_size=1, max_size=3)):
            indices.flat[place] = wrong
    data = draw(arranged(values(tuple(shape), dtype, seed)))
    return Case(function, data, draw(arranged(indices)), axis)


@st.composite
def buffers(draw: Draw, shape: tuple[int, ...], dtype: Any) -> tuple[Array, Array]:
    """A buffer for a result, and the memory around it, all of it 0xA5."""
    order = draw(st.permutations(range(len(shape))))
    steps = [draw(st.sampled_from([1, 2, -1, -3])) for _ in shape]
    dtype = np.dtype(dtype)
    sizes = [shape[k] * abs(steps[k]) + 2 for k in order]
    memory = np.full(max(prod(sizes), 1) * dtype.itemsize, 0xA5, np.uint8)
    spaced = memory.view(dtype).reshape(sizes) if shape else memory.view(dtype).reshape(())
    spaced = spaced.transpose(np.argsort(order)) if shape else spaced
    cut = []
    for n, step in zip(shape, steps, strict=True):
        whole = slice(1, 1 + n * abs(step), abs(step))
        cut.append(whole)
    view = spaced[tuple(cut)] if shape else spaced
    turned = tuple(slice(None, None, 1 if step > 0 else -1) for step in steps)
    return (view[turned] if shape else view), memory


@given(cases())
def test_equal_to_the_oracle(case: Case) -> None:
    ours, reference = FUNCTIONS[case.function]
    data, indices = case.data.copy(), case.indices.copy()
    result = ours(case.data, case.indices, case.axis)
    assert same(result, reference(case.data, case.indices, case.axis))
    assert result.flags.c_contiguous
    assert result.flags.writeable
    assert same(case.data.copy(), data)
    assert same(case.indices.copy(), indices)


@given(cases(max_rank=3), st.data())
def test_a_buffer_is_filled_and_nothing_around_it(case: Case, more: Any) -> None:
    ours, reference = FUNCTIONS[case.function]
    expected = reference(case.data, case.indices, case.axis)
    out, memory = more.draw(buffers(expected.shape, expected.dtype))
    assert ours(case.data, case.indices, case.axis, out=out) is out
    assert same(out.copy(), expected)
    out.view(f"V{out.itemsize}")[...] = np.void(b"\xa5" * out.itemsize)
    assert (memory == 0xA5).all()


@given(cases(bad=True), st.data())
def test_a_bad_index_is_named_and_the_buffer_left_alone(case: Case, more: Any) -> None:
    ours, reference = FUNCTIONS[case.function]
    n = case.data.shape[case.axis]
    bad = first_bad(case.indices, n)
    if bad is None:  # no index, or all of them went in the broadcast
        assert same(
            ours(case.data, case.indices, case.axis),
            reference(case.data, case.indices, case.axis),
        )
        return
    axis = case.axis % case.data.ndim
    shape = case.indices.shape
    if case.function == "gather":
        shape = (*case.data.shape[:axis], *shape, *case.data.shape[axis + 1 :])
    out, memory = more.draw(buffers(shape, case.data.dtype))
    for buffer in (None, out):
        with pytest.raises(IndexOutOfRange) as caught:
            ours(case.data, case.indices, case.axis, out=buffer)
        error = caught.value
        assert (error.index, error.position, error.valid) == (*bad, range(-n, n))
        where = ", ".join(map(str, bad.position))
        assert str(error).startswith(f"indices[{where}] is {bad.index}, ")
        assert f"axis {axis} of data" in str(error)
    assert (memory == 0xA5).all()


@given(st.integers(9, 14), st.sampled_from(list(FUNCTIONS)), st.data())
def test_high_ranks(rank: int, function: str, more: Any) -> None:
    ours, reference = FUNCTIONS[function]
    shape = [1] * rank
    for k in more.draw(st.lists(st.integers(0, rank - 1), min_size=4, max_size=6)):
        shape[k] = 2
    axis = more.draw(st.integers(-rank, rank - 1))
    shape[axis] = 3
    data = values(tuple(shape), np.int16)
    order = more.draw(st.permutations(range(rank)))
    data = data.transpose(order).copy().transpose(np.argsort(order))
    index_shape = [2, 1, 2] if function == "gather" else shape
    indices = np.random.default_rng(rank).integers(-3, 3, index_shape)
    assert same(ours(data, indices, axis), reference(data, indices, axis))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_ranks_that_nothing_folds(function: str) -> None:
    """Every axis of 12 is turned around and spaced: no two neighbours are one loop."""
    ours, reference = FUNCTIONS[function]
    big = values((4, *(2,) * 11), np.uint16)
    spaced = np.repeat(big, 3, 0)[::-3, ..., ::-1]
    data = spaced.transpose(np.random.default_rng(1).permutation(12))
    axis = int(np.argmax(data.shape))
    shape = [2] * 12
    indices = np.random.default_rng(2).integers(-4, 4, [2] if function == "gather" else shape)
    assert same(ours(data, indices, axis), reference(data, indices, axis))


def test_the_largest_rank() -> None:
    """64 axes, or 32 under NumPy 1: as many as an array can have."""
    most = 64 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 32
    data = np.arange(2).reshape((1,) * (most - 1) + (2,))
    assert bonnx.gather(data, [1, -2], -1).ravel().tolist() == [1, 0]
    assert bonnx.gather_elements(data, data - 1, -1).ravel().tolist() == [1, 0]
    with pytest.raises(ValueError, match=r"rank|dimension"):
        bonnx.gather(data, [[1]], -1)


@pytest.mark.parametrize("index_dtype", ["int32", "int64"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_types_and_layouts(dtype: np.dtype[Any], index_dtype: str) -> None:
    data = values((3, 4, 5), dtype)
    for axis in range(-3, 3):
        n = data.shape[axis]
        picked = np.array([[0, -1], [n - 1, -n]], index_dtype)
        elements = np.random.default_rng(axis + 3).integers(-n, n, data.shape, index_dtype)
        for _, source in layouts(data):
            for _, indices in layouts(picked):
                expected = oracle.gather(data, picked, axis)
                assert same(bonnx.gather(source, indices, axis), expected)
            for _, indices in layouts(elements):
                expected = oracle.gather_elements(data, elements, axis)
                assert same(bonnx.gather_elements(source, indices, axis), expected)


@pytest.mark.compat("onnx-swapped-bytes")
@pytest.mark.parametrize("dtype", [d for d in NUMBER_TYPES if d.itemsize > 1], ids=str)
def test_swapped_bytes(dtype: np.dtype[Any]) -> None:
    data = values((3, 4), dtype).view(dtype.newbyteorder())
    indices = np.array([2, -3], np.int32)
    swapped = indices.astype(indices.dtype.newbyteorder())
    assert same(bonnx.gather(data, swapped), oracle.gather(data, indices, 0))


STRING_TYPES: list[Any] = [object, "U3", "S4"]
if hasattr(np.dtypes, "StringDType"):
    STRING_TYPES.append(np.dtypes.StringDType())


@pytest.mark.parametrize("dtype", STRING_TYPES, ids=str)
def test_strings(dtype: Any) -> None:
    data = np.array([["a", "bb", ""], ["ccc", "d", "ab"]]).astype(dtype)
    for axis in (-2, -1, 0, 1):
        n = data.shape[axis]
        for _, source in layouts(data):
            indices = np.array([[0, -1], [-n, n - 1]])
            expected = oracle.gather(data, indices, axis)
            assert same(bonnx.gather(source, indices, axis), expected)
            assert same(
                bonnx.gather(source, indices.T[::-1], axis),
                oracle.gather(data, indices.T[::-1], axis),
            )
            scalar = np.array(-1)
            assert same(bonnx.gather(source, scalar, axis), oracle.gather(data, scalar, axis))
            smaller = np.array([[-1], [0]]) if axis % 2 else np.array([[-1, 0]])
            expected = oracle.gather_elements(data, smaller, axis)
            assert same(bonnx.gather_elements(source, smaller, axis), expected)


@pytest.mark.parametrize("dtype", STRING_TYPES, ids=str)
def test_strings_into_a_buffer(dtype: Any) -> None:
    data = np.array(["a", "bb", "ccc"]).astype(dtype)
    memory = np.array(["x"] * 4).astype(data.dtype)
    out = memory[::2]
    assert bonnx.gather(data, [2, -3], out=out) is out
    assert memory.tolist() == [data[2], memory[1], data[0], memory[3]]
    for function in (bonnx.gather, bonnx.gather_elements):
        before = memory.tolist()
        with pytest.raises(IndexOutOfRange, match=r"indices\[1\] is -4, outside -3\.\.2"):
            function(data, [0, -4], out=out)
        assert memory.tolist() == before


def test_scalars_come_as_arrays() -> None:
    for data in (np.arange(3.0), np.array(["a", "b", "c"], object)):
        result = bonnx.gather(data, np.int64(-1))
        assert type(result) is np.ndarray
        assert result.shape == ()
        assert result[()] == data[-1]
