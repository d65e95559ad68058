"""What holds for every operation, whatever it computes: driven by the registry.

An operation gets into these tests by its row in bnnspy.operations and its file in oracle/, where
a sample of its calls is too. A row without them fails.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest
from cells import slot_order, strides_of
from oracle import DATA_TYPES, LAYOUTS, ORACLE, SAMPLES, STRIDED, Tensor, places, view

import bnnspy
from bnnspy import FilterParameters, NDArrayDescriptor
from bnnspy._bnns import lib
from bnnspy.operations import KINDS, OPERATIONS, PARAMETERS, READ, WRITTEN, Operation, functions

GUARD = 40
FAILING_GAP = 2  # elements between those of the calls that fail


HIGHEST_RANK = 5  # 3**8 elements say nothing more

every_op = pytest.mark.parametrize("op", OPERATIONS, ids=[op.function for op in OPERATIONS])
every_layout = pytest.mark.parametrize(
    "layout", [name for name in STRIDED if LAYOUTS[name].rank <= HIGHEST_RANK]
)


CODE_OF = {name.lower(): code for name, code in DATA_TYPES.items()} | {
    "bool": DATA_TYPES["Boolean"]
}


class Laid:
    """An array laid out in some layout within guarded memory, and its descriptor."""

    def __init__(self, array: Any, layout: str, gap: int) -> None:
        code = LAYOUTS[layout].code
        size = slot_order(code, array.shape)
        stride = strides_of(code, size, [gap] * array.ndim) if gap else ()
        fields = ((*size, *[0] * 8)[:8], (*stride, *[0] * 8)[:8])
        data_type = CODE_OF[array.dtype.name]
        v = view(Tensor(code, *fields, data_type, None))
        self.at = places(v)
        self.whole = np.full(2 * GUARD + v.extent, 77, array.dtype)
        self.memory = self.whole[GUARD : GUARD + v.extent]
        self.memory[self.at] = array
        self.tensor = Tensor(code, *fields, data_type, self.memory.view(np.uint8))
        self.before = self.whole.copy()

    def descriptor(self) -> NDArrayDescriptor:
        return NDArrayDescriptor(
            layout=self.tensor.layout,
            size=self.tensor.size,
            stride=self.tensor.stride,
            data_type=self.tensor.data_type,
            data=self.memory,
        )

    def elements(self) -> Any:
        return self.memory[self.at]

    def assert_unchanged(self) -> None:
        np.testing.assert_array_equal(self.whole, self.before)

    def assert_holes_unchanged(self) -> None:
        mask = np.ones(self.whole.size, np.bool_)
        mask[GUARD + self.at] = False
        np.testing.assert_array_equal(self.whole[mask], self.before[mask])


def other_layout(rank: int) -> str:
    """The plain layout of a rank, for tensors that do not follow the one under test."""
    return "Vector" if rank == 1 else f"{rank}DFirstMajor"


class Made:
    """A sample call, laid out."""

    def __init__(self, op: Operation, layout: str, gap: int = 0, **changed: Any) -> None:
        self.op = op
        rank = LAYOUTS[layout].rank
        sample = SAMPLES[op.function](rank) | changed
        assert set(sample) == {a.name for a in op.each() if a.kind != "parameters"}
        self.tensors: dict[str, Laid] = {}
        self.arguments: dict[str, Any] = {}
        for argument in op.each():
            name = argument.name
            if argument.kind == "tensor":
                array = sample[name]
                chosen = layout if array.ndim == rank else other_layout(array.ndim)
                self.tensors[name] = Laid(array, chosen, gap)
                self.arguments[name] = self.tensors[name].descriptor()
            else:
                self.arguments[name] = sample.get(name)

    def names(self, *roles: str) -> list[str]:
        return self.op.named(roles)

    def call(self) -> int:
        return int(getattr(bnnspy, self.op.function)(*self.arguments.values()))

    def outputs(self) -> list[Any]:
        return [self.tensors[name].elements() for name in self.names(*WRITTEN)]

    def assert_untouched(self) -> None:
        for laid in self.tensors.values():
            laid.assert_unchanged()


# --- the registry ---------------------------------------------------------------------------------


def test_every_operation_has_an_oracle_and_a_sample() -> None:
    registered = {op.function for op in OPERATIONS}
    assert registered == set(ORACLE)
    assert registered == set(SAMPLES)


@every_op
def test_row_is_well_formed(op: Operation) -> None:
    for argument in op.each():
        assert argument.kind in KINDS
        assert argument.kind != "tensor" or argument.role in READ | WRITTEN
    assert op.function in {function.name for function in functions()}
    assert hasattr(lib, op.function)
    assert hasattr(lib, op.door)
    parameters = inspect.signature(getattr(bnnspy, op.function)).parameters
    assert list(parameters) == [argument.name for argument in op.arguments]


@every_op
def test_overlay_takes_the_same_arguments(op: Operation) -> None:
    """By keyword only, filter_parameters last, and returning nothing."""
    if not op.overlay:
        pytest.skip("the overlay has no such function")
    function = getattr(bnnspy.BNNS, op.overlay)
    parameters = inspect.signature(function).parameters.values()
    assert {p.kind for p in parameters} == {inspect.Parameter.KEYWORD_ONLY}
    names = [p.name for p in parameters]
    assert names[-1] == "filter_parameters"
    made = Made(op, "3DFirstMajor")
    labels = {a.label: made.arguments[a.name] for a in op.each() if a.label is not None}
    assert set(names) == set(labels)
    assert function(**labels) is None
    through_c = Made(op, "3DFirstMajor")
    assert through_c.call() == 0
    for one, other in zip(made.outputs(), through_c.outputs(), strict=True):
        np.testing.assert_array_equal(one, other)


# --- calls that succeed ---------------------------------------------------------------------------


@every_op
@every_layout
@pytest.mark.parametrize("gap", [0, 3])
def test_oracle_agrees_and_nothing_else_changes(op: Operation, layout: str, gap: int) -> None:
    made = Made(op, layout, gap)
    given = [
        made.tensors[a.name].tensor if a.kind == "tensor" else made.arguments[a.name]
        for a in op.each()
        if a.kind != "parameters"
    ]
    expected = ORACLE[op.function](*given)
    assert expected.status == 0
    assert made.call() == 0
    (output,) = made.names(*WRITTEN)
    np.testing.assert_array_equal(made.tensors[output].memory.view(np.uint8), expected.memory)
    for name in made.names(*READ):
        made.tensors[name].assert_unchanged()
    made.tensors[output].assert_holes_unchanged()


@every_op
@every_layout
def test_strided_equals_packed(op: Operation, layout: str) -> None:
    packed, strided = Made(op, layout), Made(op, layout, gap=5)
    assert packed.call() == strided.call() == 0
    for one, other in zip(packed.outputs(), strided.outputs(), strict=True):
        np.testing.assert_array_equal(one, other)


@every_op
@every_layout
def test_every_layout_equals_the_plain_one(op: Operation, layout: str) -> None:
    plain, made = Made(op, other_layout(LAYOUTS[layout].rank)), Made(op, layout)
    assert plain.call() == made.call() == 0
    for one, other in zip(plain.outputs(), made.outputs(), strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.any()


@every_op
@pytest.mark.parametrize("n_threads", [0, 1, 2, 7])
def test_threads_change_nothing(op: Operation, n_threads: int) -> None:
    plain, threaded = Made(op, "4DFirstMajor"), Made(op, "4DFirstMajor", gap=1)
    if not op.takes_parameters:
        pytest.skip("it takes no parameters")
    threaded.arguments[PARAMETERS.name] = FilterParameters(n_threads=n_threads)
    assert plain.call() == threaded.call() == 0
    for one, other in zip(plain.outputs(), threaded.outputs(), strict=True):
        np.testing.assert_array_equal(one, other)


@every_op
def test_read_only_inputs_are_fine(op: Operation) -> None:
    made = Made(op, "RowMajorMatrix")
    for name in made.names(*READ):
        made.tensors[name].memory.flags.writeable = False
        made.arguments[name] = made.tensors[name].descriptor()
    assert made.call() == 0


# --- calls that fail ------------------------------------------------------------------------------


def broken_by_index(made: Made) -> None:
    for name in made.names("indices"):
        laid = made.tensors[name]
        laid.memory[laid.at[-1:]] = 3
        laid.before = laid.whole.copy()


def broken_by_axis(made: Made) -> None:
    for name in made.names("axis"):
        made.arguments[name] = 9


def broken_by_dead_input(made: Made) -> None:
    made.arguments[made.names(*READ)[0]].deallocate()


def broken_by_null(made: Made) -> None:
    made.arguments[made.names(*WRITTEN)[0]] = None


def broken_by_size(made: Made) -> None:
    output = made.arguments[made.names(*WRITTEN)[0]]
    output.size = (2, *output.size[1:])


def broken_by_read_only(made: Made) -> None:
    (name,) = made.names(*WRITTEN)
    made.tensors[name].memory.flags.writeable = False
    made.arguments[name] = made.tensors[name].descriptor()


def broken_by_short_memory(made: Made) -> None:
    (name,) = made.names(*WRITTEN)
    made.arguments[name].data = made.tensors[name].memory[:-1]


def broken_by_shared_memory(made: Made) -> None:
    """One element on: not even an operation that works in place may take this."""
    (name,) = made.names(*WRITTEN)
    source = made.tensors[made.names(*READ)[0]]
    start = GUARD + FAILING_GAP + 1
    made.arguments[name].data = source.whole[start : start + source.memory.size]


def broken_by_output_overlap(made: Made) -> None:
    made.arguments[made.names(*WRITTEN)[0]].stride = (1, 1)


BREAKAGES = {
    name.removeprefix("broken_by_"): function
    for name, function in list(globals().items())
    if name.startswith("broken_by_")
}
NEEDS = {"index": "indices", "axis": "axis"}


@every_op
@pytest.mark.parametrize("breakage", BREAKAGES)
@pytest.mark.parametrize("layout", ["RowMajorMatrix", "2DLastMajor"])
def test_failure_leaves_everything(op: Operation, breakage: str, layout: str) -> None:
    made = Made(op, layout, FAILING_GAP)
    if breakage in NEEDS and not made.names(NEEDS[breakage]):
        pytest.skip(f"no argument is {NEEDS[breakage]}")
    BREAKAGES[breakage](made)
    assert made.call() in {-1, -1003, -1005}
    assert bnnspy.last_error()
    made.assert_untouched()


@every_op
def test_in_place_is_as_registered(op: Operation) -> None:
    """An operation that works in place takes the very view of its input; another refuses it."""
    made = Made(op, "2DFirstMajor")
    (output,) = made.names(*WRITTEN)
    source = made.names(*READ)[0]
    made.arguments[output] = made.tensors[source].descriptor()
    if op.in_place:
        assert made.call() == 0
    else:
        assert made.call() == -1
        made.assert_untouched()
