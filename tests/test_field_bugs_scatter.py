"""Faults of other libraries' scatters. The docstrings say what went wrong there.

As in test_field_bugs.py: the libraries are other ones, and here each is to be right.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import bnnspy
from bnnspy import (
    BNNS,
    BNNSScatter,
    FilterParameters,
    IndexOutOfRange,
    NDArrayDescriptor,
    ReduceFunction,
    Status,
)

SUM = BNNS.ReductionFunction.sum
describe = NDArrayDescriptor.from_array


def scatter(values: Any, indices: Any, output: Any, axis: int = 0, how: Any = None) -> Any:
    """output, after values were scattered into it."""
    BNNS.scatter(input=values, indices=indices, output=output, axis=axis, reduction_function=how)
    return output


# --- index values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("index", [5, 6, -1, -5, -6, 2**31, 2**32 + 1, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize("how", [None, SUM])
def test_a11_a13_a15_one_past_the_end_is_not_written(index: int, how: Any) -> None:
    """A scatter one past the end silently corrupted the heap; extreme indices overflowed a test."""
    whole = np.full(45, 7, np.float32)
    output = whole[20:25]
    with pytest.raises(IndexOutOfRange) as caught:
        scatter(np.array([9, 9], np.float32), np.array([0, index]), output, how=how)
    assert (caught.value.index, caught.value.position) == (index, (1,))
    assert (whole == 7).all()


def test_a17_a19_unsigned_indices_are_what_they_are() -> None:
    """uint8 128 was read as -128; uint64 2**63 + 1 as a negative number."""
    output = scatter(np.ones(1, np.float32), np.array([128], np.uint8), np.zeros(200, np.float32))
    assert output.nonzero()[0].tolist() == [128]
    with pytest.raises(IndexOutOfRange, match="indices\\[0\\] is 9223372036854775809, outside"):
        scatter(np.ones(1, np.float32), np.array([2**63 + 1], np.uint64), output)


@pytest.mark.parametrize("width", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"])
def test_a21_every_width_gives_the_same(width: str) -> None:
    """One width of indices was right, another gave random data."""
    values = np.arange(1, 5, dtype=np.float32)
    output = scatter(values, np.array([2, 0, 2, 4], width), np.zeros(5, np.float32), how=SUM)
    assert output.tolist() == [2, 0, 4, 0, 4]


# --- shapes ---------------------------------------------------------------------------------------


def test_c23_an_empty_axis_has_no_place() -> None:
    """Indices into an axis of size 0 were not rejected."""
    output = np.zeros((0, 2), np.float32)
    with pytest.raises(IndexOutOfRange, match="axis 0 of output has no elements to point at"):
        scatter(np.ones((1, 2), np.float32), np.array([0]), output)


def test_c05_a_bad_index_beside_an_empty_slice() -> None:
    """A copy of 0 bytes hid the bad index."""
    with pytest.raises(IndexOutOfRange):
        scatter(np.ones((1, 0), np.float32), np.array([7]), np.zeros((2, 0), np.float32))


# --- memory ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [None, SUM])
def test_d09_nothing_is_written_before_a_bad_index(how: Any) -> None:
    """The elements before the bad index had already been written."""
    for count in (3, 5000):
        output = np.full(3, -1, np.float32)
        indices = np.zeros(count, np.int64)
        indices[count // 2] = 9
        with pytest.raises(IndexOutOfRange):
            scatter(np.ones(count, np.float32), indices, output, how=how)
        assert (output == -1).all()


def test_f05_f07_untouched_elements_of_a_strided_output_stay() -> None:
    """Rows that were not updated were garbage; a strided output was taken for contiguous."""
    memory = np.arange(24, dtype=np.float32).reshape(4, 6)
    before = memory.copy()
    view = memory[:, 1:4]
    scatter(np.full((1, 3), 9, np.float32), np.array([2]), view)
    before[2, 1:4] = 9
    np.testing.assert_array_equal(memory, before)


def test_output_on_input_is_refused() -> None:
    """An output that is one's own input or indices was overwritten during the walk."""
    values = np.array([2, 0, 1], np.int32)
    for given in ((values, np.array([2, 0, 1])), (values.copy(), values)):
        with pytest.raises(BNNS.InvalidParameter, match="shares a byte"):
            scatter(*given, values)
    assert values.tolist() == [2, 0, 1]


# --- sums -----------------------------------------------------------------------------------------


def test_e01_integers_are_added_as_integers() -> None:
    """Sums went by the size of an element, so that int16 and int64 got floating arithmetic."""
    for values, expected in (
        (np.array([1000, 2000], np.int16), 3000),
        (np.array([2**53, 1], np.int64), 2**53 + 1),
        (np.array([2**31, 1], np.uint32), 2**31 + 1),
    ):
        output = scatter(values, np.array([0, 0]), np.zeros(1, values.dtype), how=SUM)
        assert output.tolist() == [expected]


def test_e03_half_types_round_at_each_update() -> None:
    """Rounded once at the end it would be 2050: which of the two has to be said, and kept."""
    values = np.array([2048, 1, 1], np.float16)
    output = scatter(values, np.zeros(3, np.int32), np.zeros(1, np.float16), how=SUM)
    assert output.tolist() == [2048]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.array([255, 1, 1], np.uint8), 1),
        (np.array([127, 1, 1], np.int8), -127),
        (np.array([2**31 - 1, 1, 1], np.int32), -(2**31) + 1),
    ],
)
def test_e05_sums_of_integers_wrap(values: Any, expected: int) -> None:
    """One runtime saturated where others wrap."""
    output = scatter(values, np.zeros(3, np.int32), np.zeros(1, values.dtype), how=SUM)
    assert output.tolist() == [expected]


@pytest.mark.parametrize("threads", [1, 2])
def test_e07_nan_does_not_make_it_endless(threads: int) -> None:
    """A loop that compared and swapped by value never ended on NaN, which equals nothing."""
    values = np.full(4000, np.nan, np.float32)
    values[2000:] = 1
    output = np.zeros(2, np.float32)
    given = [describe(one) for one in (values, np.arange(4000) % 2, output)]
    parameters = FilterParameters(n_threads=threads)
    assert BNNSScatter(0, ReduceFunction.Sum, *given, parameters) == Status.Success
    assert output.view(np.uint32).tolist() == [0x7FC00000] * 2


# --- duplicates and threads -----------------------------------------------------------------------


def test_f01_the_last_of_equal_indices_wins() -> None:
    """The result depended on which thread came last."""
    output = np.arange(1, 6, dtype=np.float32)
    scatter(np.array([10, 20, 30], np.float32), np.array([1, 1, 1]), output)
    assert output.tolist() == [1, 30, 3, 4, 5]


def test_f03_runs_do_not_differ() -> None:
    """The same inputs gave other outputs with several threads."""
    rng = np.random.default_rng(1)
    values = rng.standard_normal((20_000, 5)).astype(np.float32)
    indices = rng.integers(0, 999, 20_000)
    found = set()
    for threads in (1, 2, 2, 7, 7, 64):
        output = np.zeros((999, 5), np.float32)
        given = [describe(one) for one in (values, indices, output)]
        assert BNNSScatter(0, 6, *given, FilterParameters(n_threads=threads)) == 0
        found.add(output.tobytes())
    assert len(found) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_f09_indices_that_change_during_the_call(threads: int) -> None:
    """Another thread edits an index between its check and its use: nothing is written outside."""
    count, margin = 30_000, 1 << 14
    indices = np.zeros(count, np.int64)
    arena = np.full(64 * 8 + 2 * margin, 7, np.int32)
    body = arena[margin:-margin].reshape(64, 8)
    body[...] = 0
    given = [describe(one) for one in (np.ones((count, 8), np.int32), indices, body)]
    done = threading.Event()

    def rewrite() -> None:
        turn = 0
        while not done.is_set():
            indices[:] = turn % 64
            indices[turn % 5 :: 5] = (64, -1, 2**40, -(2**63))[turn % 4]
            turn += 1

    other = threading.Thread(target=rewrite)
    other.start()
    statuses = set()
    try:
        for _ in range(300):
            status = BNNSScatter(0, 6, *given, FilterParameters(n_threads=threads))
            statuses.add(int(status))
            if status:
                assert bnnspy.last_error().startswith("indices")
    finally:
        done.set()
        other.join()
    assert statuses <= {0, -1005}
    assert (arena[:margin] == 7).all()
    assert (arena[-margin:] == 7).all()
