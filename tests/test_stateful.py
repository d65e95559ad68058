"""Descriptors in any order of making, changing, viewing, gathering, deallocating and dropping.

A model keeps a copy of each block of memory that is alive, guards around the tensors included, and
holds every block against it after each step. What a gather may change, and its status, is the
oracle's word; what it reads may belong to nobody but descriptors and views.
"""

from __future__ import annotations

import copy
import gc
import weakref
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from numpy.typing import NDArray
from oracle import BITS, DATA_TYPES, INDEX_DTYPES, LAYOUTS, ORACLE, STRIDED, Tensor
from oracle import view as view_of

import bnnspy
from bnnspy import BNNSGather, NDArrayDescriptor, Shape
from bnnspy._bnns import ffi, lib
from bnnspy.doors import DOORS

GUARD, PART = 32, 96
BODY = 3 * PART  # in three parts, so that tensors often share nothing, and sometimes all
MOST = 7  # descriptors at a time
HUGE = [2**40, 2**63, 2**64 - 1]
SIZES = st.lists(st.sampled_from([0, 1, 1, 2, 2, 3, 4, 5, 8, *HUGE]), min_size=1, max_size=8)
STRIDES = st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 8, *HUGE]), min_size=0, max_size=8)
LAYOUT_CODES = st.sampled_from([layout.code for layout in LAYOUTS.values()] + [0, 0x77, 2**32 - 1])
TYPE_CODES = st.sampled_from([*DATA_TYPES.values(), 0, 3, 0x10000, 2**32 - 1])
PLAIN_TYPES = [code for code, bits in BITS.items() if bits >= 8]
NUMBERS = st.integers(0, 2**16)

statuses: Counter[int] = Counter()  # of all runs, so that a machine that only fails is noticed


def root_of(array: NDArray[Any]) -> NDArray[Any]:
    """The array that memory belongs to in the end."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def address_of(array: NDArray[Any]) -> int:
    """Where its first element is."""
    return int(array.__array_interface__["data"][0])


class Block:
    """Memory that the machine knows, and what it should hold."""

    def __init__(self, root: NDArray[np.uint8], owner: object) -> None:
        self.root = weakref.ref(root)
        self.owner = owner  # None once the machine has let go of it
        self.start, self.nbytes = address_of(root), root.nbytes
        self.copy = root.copy()

    def expected(self, array: NDArray[Any]) -> NDArray[Any]:
        """What an array over this block should show."""
        offset = address_of(array) - self.start
        return np.ndarray(array.shape, array.dtype, self.copy, offset, array.strides)

    def holds(self, address: int) -> bool:
        """Whether the address is inside."""
        return self.start <= address < self.start + self.nbytes


class Machine(RuleBasedStateMachine):
    """The steps, and what has to be true after each."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Block] = []
        self.descriptors: list[NDArrayDescriptor] = []
        self.dead: set[int] = set()  # ids of descriptors that were deallocated
        self.views: list[NDArray[Any]] = []

    # --- helpers ----------------------------------------------------------------------------------

    def block_of(self, address: int) -> Block:
        """The block that an address is in; memory that is in use is always in one."""
        (found,) = (b for b in self.blocks if b.holds(address) and b.root() is not None)
        return found

    def chosen(self, number: int) -> NDArrayDescriptor:
        return self.descriptors[number % len(self.descriptors)]

    def add(self, made: NDArrayDescriptor, dead: bool = False) -> None:
        if len(self.descriptors) >= MOST:
            self.dead.discard(id(self.descriptors.pop(0)))
        self.descriptors.append(made)
        if dead:
            self.dead.add(id(made))

    def slice_of(self, number: int) -> NDArray[np.uint8]:
        """Some bytes within a block, between its guards; its own memory where none is held."""
        held = [block for block in self.blocks if block.owner is not None]
        if not held:
            self.new_block(number)
            return self.slice_of(number)
        root = held[number % len(held)].root()
        assert root is not None
        start = GUARD + number % 3 * PART + number % 7
        return root[start : start + PART - 7 - number % 5]

    def new_block(self, seed: int) -> None:
        nbytes = BODY + 2 * GUARD
        root = np.random.default_rng(seed).integers(0, 256, nbytes, dtype=np.uint8)
        self.blocks.append(Block(root, root))

    def tensor(self, descriptor: NDArrayDescriptor) -> Tensor:
        """What the oracle takes: the fields, and the memory where it is."""
        memory = descriptor.data
        fields = descriptor.layout, descriptor.size, descriptor.stride, descriptor.data_type
        return Tensor(*fields, memory, id(descriptor) not in self.dead)

    # --- making -----------------------------------------------------------------------------------

    @initialize(seed=NUMBERS)
    def begin(self, seed: int) -> None:
        self.new_block(seed)
        for number in range(3):
            self.make(number, [2, 3], [], 0x28001, 0x10020, False)

    @rule(seed=NUMBERS)
    def make_block(self, seed: int) -> None:
        if len(self.blocks) < 6:
            self.new_block(seed)

    @rule(
        number=NUMBERS,
        size=SIZES,
        stride=STRIDES,
        layout=LAYOUT_CODES,
        data_type=TYPE_CODES,
        read_only=st.sampled_from([False, False, True]),
    )
    def make(
        self,
        number: int,
        size: list[int],
        stride: list[int],
        layout: int,
        data_type: int,
        read_only: bool,
    ) -> None:
        memory = self.slice_of(number).view()
        memory.flags.writeable = not read_only
        made = NDArrayDescriptor(
            layout=layout, size=size, stride=stride, data_type=data_type, data=memory
        )
        self.add(made)

    @rule(rows=st.integers(0, 6), code=st.sampled_from(PLAIN_TYPES))
    def allocate(self, rows: int, code: int) -> None:
        if code == DATA_TYPES["BFloat16"]:
            return  # zeros of it need a module that may not be there
        shape = Shape.matrix_row_major(3, rows)
        made = NDArrayDescriptor.allocate_uninitialized(
            scalar_type=bnnspy.DataType(code), shape=shape
        )
        root = root_of(made.data)
        self.blocks.append(Block(root, None))
        self.add(made)

    @rule(number=NUMBERS, how=st.sampled_from(["copy", "replace"]))
    def copy(self, number: int, how: str) -> None:
        old = self.chosen(number)
        made = copy.copy(old) if how == "copy" else old.replace(flags=1)
        self.add(made, dead=id(old) in self.dead)

    @rule(number=NUMBERS)
    def deep_copy(self, number: int) -> None:
        old = self.chosen(number)
        made = copy.deepcopy(old)
        if made.data is not None:
            self.blocks.append(Block(root_of(made.data), None))
            assert address_of(made.data) != address_of(old.data)
            assert made.data.tobytes() == old.data.tobytes()
        self.add(made, dead=id(old) in self.dead)

    # --- changing ---------------------------------------------------------------------------------

    @rule(number=NUMBERS, size=SIZES)
    def set_size(self, number: int, size: list[int]) -> None:
        self.chosen(number).size = size

    @rule(number=NUMBERS, stride=STRIDES)
    def set_stride(self, number: int, stride: list[int]) -> None:
        self.chosen(number).stride = stride

    @rule(number=NUMBERS, layout=LAYOUT_CODES, data_type=TYPE_CODES)
    def set_codes(self, number: int, layout: int, data_type: int) -> None:
        self.chosen(number).layout = layout
        self.chosen(number).data_type = data_type

    @rule(number=NUMBERS, other=NUMBERS)
    def set_data(self, number: int, other: int) -> None:
        self.set_data_of(self.chosen(number), other)

    def set_data_of(self, descriptor: NDArrayDescriptor, number: int) -> None:
        descriptor.data = self.slice_of(number)
        self.dead.discard(id(descriptor))

    @rule(number=NUMBERS)
    def set_no_data(self, number: int) -> None:
        descriptor = self.chosen(number)
        descriptor.data = None
        self.dead.discard(id(descriptor))

    @rule(number=NUMBERS, code=st.integers(0, 2**32 - 1), real=st.floats(width=32))
    def set_the_rest(self, number: int, code: int, real: float) -> None:
        descriptor = self.chosen(number)
        descriptor.flags = code
        descriptor.table_data_type = code
        descriptor.data_scale = descriptor.data_bias = real

    # --- reading ----------------------------------------------------------------------------------

    @rule(number=NUMBERS)
    def view(self, number: int) -> None:
        try:
            array = self.chosen(number).array
        except (bnnspy.Error, TypeError):
            return
        if array.size:
            self.views = [*self.views[-5:], array]

    @rule(number=NUMBERS)
    def show(self, number: int) -> None:
        descriptor = self.chosen(number)
        assert repr(descriptor).startswith("NDArrayDescriptor(")
        assert 0 <= descriptor.data_size < 2**64

    # --- calling ----------------------------------------------------------------------------------

    @rule(
        numbers=st.tuples(NUMBERS, NUMBERS, NUMBERS),
        axis=st.sampled_from([0, 0, 1, 1, 2, 7, 2**64 - 1]),
        overlay=st.booleans(),
    )
    def gather(self, numbers: tuple[int, int, int], axis: int, overlay: bool) -> None:
        self.call(axis, [self.chosen(number) for number in numbers], overlay)

    @rule(
        seed=NUMBERS,
        faults=st.lists(st.sampled_from(["", "", "", "index", "size"]), min_size=3, max_size=9),
        apart=st.sampled_from([True, True, False]),
        first=NUMBERS,
    )
    def gather_fitting(self, seed: int, faults: list[str], apart: bool, first: int) -> None:
        """Fields that fit each other, but for a fault, in descriptors with whatever memory."""
        rng = np.random.default_rng(seed)
        tensors = [self.chosen(first + k) for k in range(3)]
        if apart:
            for number, descriptor in enumerate(tensors):
                self.set_data_of(descriptor, first // 3 * 3 + number)
        for turn, fault in enumerate(faults):
            axis = self.fit(tensors, rng, fault)
            self.call(axis, tensors, overlay=turn % 2 == 1)
            self.no_other_byte_has_changed()

    def fit(self, tensors: list[NDArrayDescriptor], rng: np.random.Generator, fault: str) -> int:
        """Sets the fields of a gather, and its indices; the axis."""
        code = int(rng.choice(PLAIN_TYPES))
        layout = LAYOUTS[str(rng.choice([n for n in STRIDED if LAYOUTS[n].rank == 2]))].code
        axis, along = int(rng.integers(2)), int(rng.integers(1, 4))
        sizes = [int(n) for n in rng.integers(1, 4, 2)]
        outer = [along if k == axis else n for k, n in enumerate(sizes)]
        kind = int(rng.choice(list(INDEX_DTYPES)))
        turned = -1 if layout == LAYOUTS["RowMajorMatrix"].code else 1
        rows, target = (layout, sizes[::turned], code), (layout, outer[::turned], code)
        picks = (layout, target[1], kind) if rng.integers(2) else (0x10000, [along], kind)
        for descriptor, fields in zip(tensors, (rows, picks, target), strict=True):
            descriptor.layout, descriptor.size, descriptor.data_type = fields
            descriptor.stride = ()
        if fault == "size":
            tensors[2].size = [n + 1 for n in target[1]]
        limit = sizes[axis] + (2 if fault == "index" else 0)
        self.write_indices(tensors[1], rng.integers(0, limit, 9))
        return axis

    def write_indices(self, indices: NDArrayDescriptor, values: NDArray[np.int64]) -> None:
        """Puts indices into memory, and into the model, if the memory may be written."""
        memory = indices.data
        if id(indices) in self.dead or memory is None or not memory.flags.writeable:
            return
        bytes_ = values.astype(INDEX_DTYPES[int(indices.data_type)]).view(np.uint8)
        if bytes_.size <= memory.size:
            memory[: bytes_.size] = bytes_
            self.block_of(address_of(memory)).expected(memory)[: bytes_.size] = bytes_

    def call(self, axis: int, tensors: list[NDArrayDescriptor], overlay: bool) -> None:
        """A gather through one of the faces, held against the oracle."""
        output = tensors[2]
        outcome = ORACLE["BNNSGather"](axis, *map(self.tensor, tensors))
        status = self.raised(axis, tensors) if overlay else int(BNNSGather(axis, *tensors))
        assert status == outcome.status, (outcome.reason, bnnspy.last_error(), axis, tensors)
        assert status in (0, -1, -1003, -1005)
        statuses[status] += 1
        if status == 0 and outcome.memory is not None and outcome.memory.size:
            block = self.block_of(address_of(output.data))
            block.expected(output.data)[...] = outcome.memory

    def raised(self, axis: int, tensors: list[NDArrayDescriptor]) -> int:
        """The overlay's exception as a status."""
        named = dict(zip(("input", "indices", "output"), tensors, strict=True))
        try:
            bnnspy.BNNS.gather(axis=axis, **named)
        except bnnspy.Error as error:
            return error.status
        return 0

    # --- letting go -------------------------------------------------------------------------------

    @rule(number=NUMBERS)
    def deallocate(self, number: int) -> None:
        descriptor = self.chosen(number)
        descriptor.deallocate()
        self.dead.add(id(descriptor))
        assert descriptor.data is None

    @precondition(lambda self: len(self.descriptors) > 3)
    @rule(number=NUMBERS)
    def drop_descriptor(self, number: int) -> None:
        gone = self.descriptors.pop(number % len(self.descriptors))
        self.dead.discard(id(gone))

    @rule(number=NUMBERS)
    def drop_owner(self, number: int) -> None:
        """From here on only descriptors and views keep the memory."""
        self.blocks[number % len(self.blocks)].owner = None

    @rule()
    def drop_views(self) -> None:
        self.views = []

    @rule()
    def collect(self) -> None:
        gc.collect()

    # --- what holds -------------------------------------------------------------------------------

    @invariant()
    def no_other_byte_has_changed(self) -> None:
        for block in self.blocks:
            root = block.root()
            if root is not None:
                np.testing.assert_array_equal(root, block.copy)
        self.blocks = [block for block in self.blocks if block.root() is not None]
        if not self.blocks:
            self.new_block(0)

    @invariant()
    def memory_in_use_is_alive(self) -> None:
        for array in self.views:
            expected = self.block_of(address_of(array)).expected(array)
            assert array.tobytes() == expected.tobytes()
        for descriptor in self.descriptors:
            if descriptor.address and descriptor.data.size:
                assert self.block_of(descriptor.address).root() is root_of(descriptor.data)


def test_descriptors_in_any_order() -> None:
    """Statuses of all kinds have to come, or the machine would only show that it fails."""
    statuses.clear()
    examples = max(20, settings().max_examples // 10)
    run_state_machine_as_test(
        Machine, settings=settings(max_examples=examples, stateful_step_count=30)
    )
    assert min(statuses[status] for status in (0, -1, -1003, -1005)) >= 3, statuses


@pytest.mark.parametrize("fault", ["writes before", "writes on failure"])
def test_the_machine_finds_a_planted_fault(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(
        axis: int, given: Any, indices: Any, output: Any, parameters: Any = ffi.NULL
    ) -> int:
        outcome = lib.bnnspy_gather(axis, given, indices, output, parameters)
        status = int(ffi.cast("int", outcome))
        wrong = status == 0 if fault == "writes before" else status == -1005
        if wrong and output != ffi.NULL and output[0].descriptor.data != ffi.NULL:
            place = ffi.cast("unsigned char *", output[0].descriptor.data)
            place[-1 if fault == "writes before" else 0] ^= 1
        return outcome

    monkeypatch.setitem(DOORS, "bnnspy_gather", planted)
    monkeypatch.setitem(DOORS, "bnnspy_gather_default", planted)
    once = settings(
        max_examples=200,
        stateful_step_count=30,
        phases=[Phase.generate],
        report_multiple_bugs=False,
        database=None,
    )
    with pytest.raises(AssertionError, match="Arrays are not equal"):
        run_state_machine_as_test(Machine, settings=once)


def test_the_model_sees_a_foreign_byte() -> None:
    """A byte in a guard, and one in a hole: the machine would fail on either."""
    for at in (GUARD - 1, GUARD + BODY, GUARD + 5):
        machine = Machine()
        machine.begin(1)
        machine.no_other_byte_has_changed()
        root = machine.blocks[0].root()
        assert root is not None
        root[at] ^= 1
        try:
            machine.no_other_byte_has_changed()
        except AssertionError:
            continue
        raise AssertionError(f"byte {at} has changed, and nothing was said")


def test_the_oracle_knows_the_fields_of_a_descriptor() -> None:
    machine = Machine()
    machine.begin(2)
    found = view_of(machine.tensor(machine.descriptors[0]))
    assert (found.size, found.stride) == ((2, 3), (3, 1))
