"""Memory over time: descriptors let go of it, views keep it, and nothing grows."""

from __future__ import annotations

import contextlib
import copy
import gc
import logging
import os
import resource
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running import FULL

from bnnspy import (
    BNNS,
    ArrayDescriptorInvalidData,
    BNNSGather,
    DataLayout,
    DataType,
    FilterParameters,
    NDArrayDescriptor,
    Shape,
    Status,
    last_error,
)

from_array = NDArrayDescriptor.from_array

VALUES = np.arange(32, dtype=np.float32).reshape(8, 4)
PICKED = np.array([1, 3, 7, 5], np.int32)
BAD = np.array([1, 3, 8, 5], np.int32)
MATRIX = Shape.matrix_row_major(4, 8)


class Owner:
    """Something that memory can belong to, and that can be seen to go."""

    def __init__(self) -> None:
        self.memory = np.zeros(32, np.uint8)
        self.descriptor: NDArrayDescriptor | None = None


@pytest.fixture(autouse=True)
def log_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test runner would collect the record of each failing call; it is made, and dropped."""
    monkeypatch.setattr(logging.getLogger("bnnspy"), "filters", [lambda record: False])


# --- letting go -----------------------------------------------------------------------------------


def test_deallocate_is_final_and_idempotent() -> None:
    made = NDArrayDescriptor.allocate(initializing_from=range(4), shape=4)
    view = made.array
    for _ in range(3):
        made.deallocate()
        assert (made.data, made.address, made.data_size) == (None, 0, 0)
        assert made.size[0] == 4
        for read in (lambda: made.array, made.make_array):
            with pytest.raises(ArrayDescriptorInvalidData, match="deallocated"):
                read()
    assert view.tolist() == [0, 1, 2, 3]
    made.size = 2
    assert repr(made) == "NDArrayDescriptor(Vector size=(2,) Int32, deallocated)"
    made.data = view
    assert made.array.tolist() == [0, 1]


def test_with_deallocates_also_when_the_block_fails() -> None:
    with NDArrayDescriptor.allocate(repeating=1, shape=4) as made:
        assert made.array.sum() == 4
    assert repr(made).endswith("deallocated)")
    with pytest.raises(KeyError), made.replace(data=np.zeros(4, np.int32)) as other:
        raise KeyError
    assert repr(other).endswith("deallocated)")


@pytest.mark.parametrize("way", ["gone", "deallocated", "overwritten"])
def test_views_outlive_the_descriptor(way: str) -> None:
    made = NDArrayDescriptor.allocate(initializing_from=range(1000), shape=1000)
    views = [made.array, np.asarray(made), made.array[::2], made.make_array(), np.from_dlpack(made)]
    if way == "deallocated":
        made.deallocate()
    elif way == "overwritten":
        made.data = np.zeros(1000, np.int32)
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is None
    # Were the memory free, these would be handed the same pages.
    junk = [np.full(1000, -1, np.int32) for _ in range(100)]
    for view in views:
        assert view.tolist() == list(range(0, 1000, 1000 // len(view)))
    assert len(junk) == 100


def test_a_call_holds_what_it_started_with() -> None:
    """What a call in C holds is the record; setting fields or deallocating makes another."""
    made = NDArrayDescriptor.allocate(initializing_from=range(4), shape=4)
    held = made._record
    memory = weakref.ref(made.data)
    made.size = 2
    made.deallocate()
    gc.collect()
    assert memory() is not None
    assert (held[0][0].descriptor.size[0], held[0][0].nbytes, held[0][0].live) == (4, 16, 1)
    del held
    gc.collect()
    assert memory() is None


def test_a_failed_constructor_keeps_nothing() -> None:
    memory = bytearray(16)
    for attempt in (
        lambda: NDArrayDescriptor(data=memory, shape=17),
        lambda: NDArrayDescriptor(data=memory, shape=4, batch_size=5),
        lambda: NDArrayDescriptor(data=memory, size=(1,) * 9),
        lambda: from_array(memory, layout=DataLayout.ImageCHW),
        lambda: NDArrayDescriptor().replace(data=memory, data_scale="x"),
    ):
        with contextlib.suppress(TypeError, ValueError):
            attempt()
        memory.append(0)
    assert len(memory) == 21


def test_cycles_of_owner_and_descriptor_are_collected() -> None:
    owner = Owner()
    owner.descriptor = NDArrayDescriptor.from_address(
        owner.memory.ctypes.data, nbytes=32, shape=8, scalar_type=float, owner=owner
    )
    alive = weakref.ref(owner)
    del owner
    gc.collect()
    assert alive() is None


# --- nothing grows --------------------------------------------------------------------------------


def fails(call: Callable[[], Any]) -> None:
    with contextlib.suppress(TypeError, ValueError, IndexError):
        call()


def failing_calls() -> None:
    source, output = from_array(VALUES), from_array(np.zeros((4, 4), np.float32))
    assert BNNSGather(0, source, from_array(BAD), output) == -1005
    assert BNNSGather(2**70, source, None, output) == -1
    assert BNNSGather(0, source, from_array(PICKED[:3]), output) == -1003
    output.deallocate()
    assert BNNSGather(0, source, from_array(PICKED), output) == -1


# Everything that makes, reads, copies, changes or refuses a descriptor.
ACTIONS: dict[str, Callable[[], Any]] = {
    "from_array": lambda: from_array(VALUES),
    "from_array strided": lambda: from_array(VALUES[:, ::2]),
    "from_array layout": lambda: from_array(VALUES, layout=DataLayout.RowMajorMatrix),
    "from_array buffer": lambda: from_array(memoryview(VALUES)),
    "from_array refused": lambda: fails(lambda: from_array(VALUES.T)),
    "from_array of float64": lambda: fails(lambda: from_array(np.zeros(3))),
    "checked": lambda: NDArrayDescriptor(data=VALUES, shape=MATRIX),
    "checked new shape": lambda: NDArrayDescriptor(data=VALUES, shape=Shape.vector(32)),
    "checked refused": lambda: fails(lambda: NDArrayDescriptor(data=VALUES, shape=33)),
    "memberwise": lambda: NDArrayDescriptor(
        data=bytearray(8), size=8, table_data=bytearray(4), layout=0x99
    ),
    "allocate": lambda: NDArrayDescriptor.allocate(initializing_from=[1, 2], shape=2),
    "allocate large": lambda: NDArrayDescriptor.allocate(repeating=0, shape=10**5),
    "allocate random": lambda: NDArrayDescriptor.allocate(random_in=(0, 1), shape=2),
    "allocate refused": lambda: fails(
        lambda: NDArrayDescriptor.allocate(initializing_from=[1], shape=2)
    ),
    "from_address": lambda: NDArrayDescriptor.from_address(
        VALUES.ctypes.data, nbytes=128, shape=32, scalar_type=DataType.Float32, owner=VALUES
    ),
    "array": lambda: from_array(VALUES).array.sum(),
    "array refused": lambda: fails(lambda: NDArrayDescriptor().array),
    "make_array": lambda: from_array(VALUES).make_array(),
    "asarray": lambda: np.asarray(from_array(VALUES)),
    "dlpack": lambda: np.from_dlpack(NDArrayDescriptor(data=VALUES.copy(), shape=32)),
    "set fields": lambda: setattr(from_array(VALUES), "size", (4, 8)),
    "set data": lambda: setattr(from_array(VALUES), "data", VALUES[:2]),
    "replace": lambda: from_array(VALUES).replace(data_scale=2.0),
    "copy": lambda: copy.copy(from_array(VALUES)),
    "deepcopy": lambda: copy.deepcopy(from_array(VALUES)),
    "deallocate": lambda: from_array(VALUES).deallocate(),
    "repr": lambda: repr(from_array(VALUES)),
    "shape": lambda: repr(from_array(VALUES).shape),
    "parameters": lambda: FilterParameters(alloc_memory=lambda *_: 0, n_threads=2),
    "gather": lambda: BNNS.gather(
        input=VALUES, indices=PICKED, output=np.zeros((4, 4), np.float32), axis=0
    ),
    "gather refused": lambda: fails(
        lambda: BNNS.gather(input=VALUES, indices=BAD, output=np.zeros((4, 4), "f"), axis=0)
    ),
    "failing calls": failing_calls,
    "last_error": last_error,
}


@pytest.mark.parametrize("name", ACTIONS)
def test_no_action_leaves_anything_behind(name: str) -> None:
    """Blocks of Python's allocator; cffi's structs are among them. One a turn would make 300."""
    action = ACTIONS[name]

    def blocks_after(turns: int) -> int:
        for _ in range(turns):
            action()
        gc.collect()
        return sys.getallocatedblocks()

    before = blocks_after(100)
    grown = blocks_after(300) - before
    assert grown < 100


def test_no_reference_is_lost_or_kept() -> None:
    things = [None, Status.Success, Status.InvalidParameter, VALUES, PICKED, MATRIX]
    things += [VALUES.dtype, NDArrayDescriptor, DataType.Float32, DataLayout.RowMajorMatrix]

    def counts() -> list[int]:
        gc.collect()
        return [sys.getrefcount(thing) for thing in things]

    for action in ACTIONS.values():
        action()
    before = counts()
    for _ in range(200):
        for name in ("from_array", "checked", "set fields", "gather", "failing calls", "array"):
            ACTIONS[name]()
    after = counts()
    # Immortal objects stay; elsewhere caches may take a few.
    for thing, old, new in zip(things, before, after, strict=True):
        assert abs(new - old) < 50, thing


def resident() -> int:
    """Bytes of memory that the process has in use; at its peak, where only that is known."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def sanitized() -> bool:
    """Whether freed memory is kept for a while, to catch uses of it."""
    maps = Path("/proc/self/maps")
    return maps.exists() and "libasan" in maps.read_text()


def one_round(output: Any) -> None:
    """Ten descriptors, made in all ways and gathered; two calls fail, and one is refused."""
    made = from_array(output)
    indices = NDArrayDescriptor(data=PICKED, shape=4)
    assert BNNSGather(0, from_array(VALUES), indices, made) == 0
    assert BNNSGather(0, NDArrayDescriptor(data=VALUES, shape=(8, 4)), indices, made) == 0
    assert BNNSGather(0, made.replace(size=(8, 4)), indices, made) == -1
    assert BNNSGather(1, from_array(VALUES.copy()), from_array(PICKED), made) == -1003
    with contextlib.suppress(IndexError):
        BNNS.gather(input=VALUES, indices=BAD, output=made, axis=0)
    with NDArrayDescriptor.allocate_uninitialized(scalar_type=float, shape=(4, 4)) as owned:
        assert BNNSGather(0, from_array(VALUES), indices, owned) == 0


def test_twenty_thousand_descriptors_leave_memory_flat() -> None:
    """At most 4 MiB more at the end, where a lost record of 500 bytes each would be 10 MB.

    The full suite makes a hundred thousand.

    A thousand rounds before fill caches, and are not counted. Sanitizers keep up to 256 MiB of
    freed memory.
    """
    output = np.zeros((4, 4), np.float32)
    for _ in range(1000):
        one_round(output)
    gc.collect()
    before = resident()
    for _ in range(10_000 if FULL else 2_000):
        one_round(output)
    gc.collect()
    most = 300 << 20 if sanitized() else 4 << 20
    assert resident() - before < most
    assert output.tolist() == VALUES[PICKED].tolist()
