"""Arguments that no call can use: the documented exception, and the right argument in its sentence.

Where a sentence of the faces names a remedy, the remedy is applied here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bnnspy
from bnnspy import (
    BNNS,
    ArrayDescriptorInvalidData,
    BNNSGather,
    BNNSNDArrayGetDataSize,
    DataType,
    FilterParameters,
    NDArrayDescriptor,
    Shape,
    StrictWarning,
    strict,
)

VALUES = np.arange(4, dtype=np.float32)
EMPTY = [Shape.vector(0), Shape.of((0, 4)), Shape.of((4, 0))]


def operands() -> list[NDArrayDescriptor]:
    arrays = (VALUES, np.array([3, 1]), np.zeros(2, np.float32))
    return [NDArrayDescriptor.from_array(array) for array in arrays]


# --- batches --------------------------------------------------------------------------------------


@pytest.mark.parametrize("batches", [2**62, 2**63, 2**64 - 1])
@pytest.mark.parametrize("shape", EMPTY, ids=str)
def test_batches_of_an_empty_shape_were_numpy_s_own_error(shape: Shape, batches: int) -> None:
    made = NDArrayDescriptor(shape=shape, scalar_type=float)
    with pytest.raises(ArrayDescriptorInvalidData, match=f"^{batches} batches ") as caught:
        made.make_array(batches)
    assert caught.value.argument == "batch_size"
    assert made.make_array(batch_size=1).size == 0  # the remedy
    assert made.make_array(5).size == 0


def test_too_many_batches_of_a_shape_with_elements_name_batch_size() -> None:
    """The exception said that data was at fault."""
    made = NDArrayDescriptor(data=VALUES, shape=4)
    for failing in (
        lambda: made.make_array(2**63),
        lambda: NDArrayDescriptor(data=VALUES, shape=4, batch_size=2**63),
    ):
        with pytest.raises(ArrayDescriptorInvalidData, match="batches of 4 elements") as caught:
            failing()
        assert caught.value.argument == "batch_size"
    with pytest.raises(ArrayDescriptorInvalidData, match="data holds 16 bytes") as caught:
        made.make_array(2)
    assert caught.value.argument == "data"


# --- types ----------------------------------------------------------------------------------------

PARTS = [member for member in DataType if not member & 0xFFFF]


@pytest.mark.parametrize("part", [*PARTS, *map(int, PARTS)], ids=repr)
def test_the_bits_that_types_are_made_of_were_taken_for_types(part: int) -> None:
    """They gave ArrayDescriptorInvalidData, as if the data were at fault."""
    ways: list[Callable[[Any], Any]] = [
        lambda t: NDArrayDescriptor(data=VALUES.view(np.uint8), shape=4, scalar_type=t),
        lambda t: NDArrayDescriptor(data=VALUES.view(np.uint8), shape=4, data_type=t),
        lambda t: NDArrayDescriptor(shape=4, scalar_type=t),
        lambda t: NDArrayDescriptor.allocate(repeating=1.0, shape=4, scalar_type=t),
        lambda t: NDArrayDescriptor.allocate_uninitialized(shape=4, scalar_type=t),
        lambda t: NDArrayDescriptor.from_address(
            VALUES.ctypes.data, nbytes=16, shape=4, scalar_type=t, owner=VALUES
        ),
    ]
    for way in ways:
        with pytest.raises(TypeError, match=r"^scalar_type is .* use DataType.Float32"):
            way(part)
        assert way(DataType.Float32).data_type == DataType.Float32  # the remedy
    assert NDArrayDescriptor(data_type=part, layout=0x10000).data_type == part  # fields hold any


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [5, "table", object()], ids=repr)
def test_a_wrong_table_was_called_data(wrong: Any) -> None:
    made = NDArrayDescriptor(shape=4, data_type=DataType.Indexed8)
    for way in (
        lambda: NDArrayDescriptor(table_data=wrong),
        lambda: setattr(made, "table_data", wrong),
        lambda: made.replace(table_data=wrong),
    ):
        with pytest.raises(TypeError, match=f"^table_data is a {type(wrong).__name__}"):
            way()
    with pytest.raises(TypeError, match=f"^data is a {type(wrong).__name__}"):
        made.replace(data=wrong)


@pytest.mark.parametrize("name", ["input", "indices", "output"])
def test_descriptors_that_init_has_not_made_are_named(name: str) -> None:
    """In the overlay this was a bare AttributeError."""
    given: Any = dict(zip(("input", "indices", "output"), operands(), strict=True))
    given[name] = NDArrayDescriptor.__new__(NDArrayDescriptor)
    sentence = f"^{name} is a NDArrayDescriptor that __init__ has not made$"
    with pytest.raises(TypeError, match=sentence):
        BNNSGather(0, **given)
    with pytest.raises(TypeError, match=sentence):
        BNNS.gather(axis=0, **given)
    with pytest.raises(TypeError, match="array is a NDArrayDescriptor that __init__"):
        BNNSNDArrayGetDataSize(given[name])


def test_parameters_that_init_has_not_made_were_an_attribute_error() -> None:
    wrong = FilterParameters.__new__(FilterParameters)
    values, indices, output = operands()
    with pytest.raises(TypeError, match=r"^filter_params is a FilterParameters that __init__"):
        BNNSGather(0, values, indices, output, wrong)
    with pytest.raises(TypeError, match=r"^filter_parameters is a FilterParameters that __init__"):
        BNNS.gather(input=values, indices=indices, output=output, axis=0, filter_parameters=wrong)
    assert repr(wrong) == "FilterParameters(not made)"


def test_the_overlay_names_its_own_argument() -> None:
    """It spoke of filter_params, as the C face has it."""
    values, indices, output = operands()
    with pytest.raises(TypeError, match=r"^filter_parameters is a int, and has to be Filter"):
        BNNS.gather(input=values, indices=indices, output=output, axis=0, filter_parameters=5)  # type: ignore[arg-type]


# --- strict ---------------------------------------------------------------------------------------


def test_leaving_what_was_not_entered_was_an_error_of_max() -> None:
    context = strict()
    with pytest.raises(RuntimeError, match=r"^this strict context is not entered"):
        context.__exit__(None, None, None)
    with strict() as other:
        with pytest.raises(RuntimeError, match="not entered"):
            context.__exit__(None, None, None)
        values, _, output = operands()
        indices = NDArrayDescriptor.from_array(np.array([3, 1], np.int8))
        with pytest.warns(StrictWarning, match="Int8"):  # the other one still counts
            BNNSGather(0, values, indices, output)
    with pytest.raises(RuntimeError, match="left already"):
        other.__exit__(None, None, None)


# --- remedies that sentences name -----------------------------------------------------------------


def gathered(**changes: Any) -> None:
    values, indices, output = operands()
    given = {"input": values, "indices": indices, "output": output, "axis": 0}
    BNNS.gather(**{**given, **changes})
    assert output.array.tolist() == [3, 1]


# (what fails, what its sentence names, and that)
REMEDIES: dict[str, tuple[Callable[[], Any], str, Callable[[], Any]]] = {
    "an NDArrayDescriptor or None": (
        lambda: BNNSGather(0, VALUES, None, None),  # type: ignore[arg-type]
        "has to be an NDArrayDescriptor or None",
        lambda: BNNSGather(0, NDArrayDescriptor.from_array(VALUES), None, None),
    ),
    "FilterParameters or None": (
        lambda: BNNSGather(0, *operands(), 2),  # type: ignore[arg-type]
        "has to be FilterParameters or None",
        lambda: BNNSGather(0, *operands(), FilterParameters(n_threads=2)),
    ),
    "an integer": (
        lambda: gathered(axis=0.0),
        "has to be an integer",
        lambda: gathered(axis=0),
    ),
    "numpy.asarray": (
        lambda: gathered(input=[0.0, 1.0, 2.0, 3.0]),
        r"use numpy\.asarray\(",
        lambda: gathered(input=np.asarray([0.0, 1.0, 2.0, 3.0], np.float32)),
    ),
    "astype": (
        lambda: gathered(input=VALUES.astype(np.float64)),
        r"use \.astype\(np\.float32\)",
        lambda: gathered(input=VALUES.astype(np.float64).astype(np.float32)),
    ),
    "a callable": (
        lambda: FilterParameters(alloc_memory=5),
        "has to be None, a callable, or a function pointer of cffi or ctypes",
        lambda: (FilterParameters(alloc_memory=None), FilterParameters(alloc_memory=print)),
    ),
    "one name of a field": (
        lambda: FilterParameters(n_threads=2, thread_count=2),
        "n_threads and thread_count are two names of one field; give one",
        lambda: FilterParameters(thread_count=2),
    ),
    "apple": (
        lambda: strict("orange"),
        'the only one is "apple"',
        lambda: strict("apple"),
    ),
    "warn": (
        lambda: strict(action="stop"),
        'has to be "warn" or "refuse"',
        lambda: (strict(action="warn"), strict(action="refuse")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REMEDIES)
def test_the_remedy_that_a_sentence_names_is_one(name: str) -> None:
    wrong, sentence, right = REMEDIES[name]
    with pytest.raises((TypeError, ValueError), match=sentence):
        wrong()
    right()


def test_the_coverage_table_that_a_planned_function_names_is_there(repository: Any) -> None:
    with pytest.raises(NotImplementedError, match="the README's coverage table says what is"):
        bnnspy.BNNSScatter()
    readme = (repository / "README.md").read_text(encoding="utf-8")
    assert "**Gather**" in readme.split("<!-- coverage: written")[1]
