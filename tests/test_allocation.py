"""The short ways into new memory do what the long one does; random numbers are even."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_allocate import TYPES

from bnnspy import DataLayout, DataType, NDArrayDescriptor, Shape, allocation

allocate = NDArrayDescriptor.allocate
SHORT = ("packed_list", "copied_array", "type_for")


def attempt(**arguments: Any) -> Any:
    """All of the memory that allocate makes, with its type; or what it raises."""
    try:
        made = allocate(**arguments)
    except (TypeError, ValueError) as error:
        return type(error), str(error)
    return made.data_type, made.data.tobytes(), made.size, made.stride


def the_long_way(**arguments: Any) -> Any:
    """The same by NumPy alone."""
    with pytest.MonkeyPatch.context() as patch:
        for name in SHORT:
            patch.setattr(allocation, name, lambda *_: None)
        return attempt(**arguments)


NUMBERS = (
    st.floats()
    | st.floats(width=16)
    | st.sampled_from([65519.0, 65520.0, 3.4028235677973366e38, -0.0, 1e-45])
    | st.integers(-(2**65), 2**65)
    | st.integers(-130, 300)
    | st.booleans()
)
SHAPES = st.sampled_from(
    [
        Shape.vector(3),
        Shape.vector(2, stride=2),
        Shape((3, 1)),
        Shape.matrix_last_major(1, 3),
        Shape.matrix_row_major(1, 3, stride=(1, 2)),
        Shape.matrix_first_major(3, 3, stride=(2, 2)),
        Shape((1, 3, 1, 1), DataLayout.ConvolutionWeightsOIHrWr),
        Shape.vector(0),
    ]
)


@given(
    st.lists(NUMBERS, min_size=1, max_size=3)
    | st.integers(-5, 5).map(lambda n: [n] * 3)
    | st.floats(width=32).map(lambda x: [x] * 3)
    | st.lists(st.floats(), min_size=3, max_size=3),
    SHAPES,
    st.none() | st.sampled_from([data_type for data_type, _ in TYPES]),
    st.integers(0, 2),
)
def test_the_short_ways_do_as_the_long_one_does(
    values: list[Any], shape: Shape, scalar_type: Any, batch_size: int
) -> None:
    for source in ({"initializing_from": values}, {"repeating": values[0]}):
        options = {**source, "shape": shape, "scalar_type": scalar_type, "batch_size": batch_size}
        assert attempt(**options) == the_long_way(**options)


def test_booleans_as_unsigned_64_bits_were_an_overflow_error() -> None:
    made = allocate(initializing_from=[True, False], shape=2, scalar_type=np.uint64)
    assert made.array.tolist() == [1, 0]


@pytest.mark.parametrize(("data_type", "dtype"), TYPES)
def test_arrays_are_copied_as_they_are(data_type: DataType, dtype: Any) -> None:
    values = np.arange(6).astype(dtype)
    for source in (values, values[::-1], values.reshape(2, 3).T, values.reshape(2, 3)):
        for shape in (Shape.vector(6), Shape.matrix_row_major(2, 3, stride=(1, 4)), Shape((6, 0))):
            for chosen in (None, data_type, DataType.Float32):
                options = {"initializing_from": source, "shape": shape, "scalar_type": chosen}
                assert attempt(**options) == the_long_way(**options)


def test_what_goes_which_way() -> None:
    """The comparison above would say nothing if all went the long way."""
    vector, one = Shape.vector(2), DataType.Int16
    assert allocation.packed_list([1, 2], vector, one, 1) is not None
    assert allocation.packed_list([1.0, 2.0], vector, None, 1) is not None
    assert allocation.packed_list([1, 2.0], vector, None, 1) is None
    assert allocation.packed_list([1, 2**31], vector, None, 1) is None
    assert allocation.packed_list([1e300, 2.0], vector, None, 1) is None
    assert allocation.packed_list([1, 2], Shape.vector(2, stride=2), None, 1) is None
    assert allocation.copied_array(np.zeros(2, np.int8), vector, None, 1) is not None
    assert allocation.copied_array(np.zeros(3, np.int8), vector, None, 1) is None


def test_a_masked_element_of_a_list_became_nan() -> None:
    for values in ([1.0, np.ma.masked], [np.ma.masked], [np.ma.array([1], mask=[True])]):
        with pytest.raises(TypeError, match="masked"):
            allocate(initializing_from=values, shape=len(values))
    with pytest.raises(TypeError, match="masked"):
        allocate(repeating=np.ma.masked, shape=2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_draws_numbers_of_its_own() -> None:
    def drawn() -> bytes:
        numbers = allocate(random_in=(-(2**31), 2**31 - 1), shape=8)
        return bytes(numbers.data) + bytes(allocate(random_in=(0.0, 1.0), shape=8).data)

    drawn()  # the generator is there before the fork
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, drawn())
        os._exit(0)
    os.wait()
    theirs, ours = os.read(reader, 1000), drawn()
    os.close(reader)
    os.close(writer)
    assert len(theirs) == 64
    assert theirs[:32] != ours[:32]
    assert theirs[32:] != ours[32:]


@pytest.mark.parametrize(("low", "high"), [(0, 0), (-3, 3), (0, 4), (-128, 127), (5, 12)])
@pytest.mark.parametrize("count", [1, 64, 65])
def test_random_integers_of_either_generator_are_spread_evenly(
    low: int, high: int, count: int
) -> None:
    drawn = [allocate(random_in=(low, high), shape=count).array for _ in range(6400 // count)]
    values, counts = np.unique(np.concatenate(drawn), return_counts=True)
    assert values.tolist() == list(range(low, high + 1))
    expected = counts.sum() / len(values)
    assert (abs(counts - expected) < 8 * expected**0.5 + 1).all()
