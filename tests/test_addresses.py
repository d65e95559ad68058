"""Raw pointers: what takes them, and how a descriptor is moved from one to the next."""

from __future__ import annotations

import copy
import ctypes
import weakref
from typing import Any

import numpy as np
import pytest

from bnnspy import BNNS, BNNSGather, NDArrayDescriptor, Shape
from bnnspy._bnns import ffi

VALUES = np.arange(12, dtype=np.float32).reshape(3, 4)
ADDRESS: int = VALUES.ctypes.data


def pointers(array: Any) -> dict[str, Any]:
    """One address, in the ways that programs hold it."""
    address = array.ctypes.data
    return {
        "int": address,
        "numpy's int": np.uint64(address),
        "c_void_p": ctypes.c_void_p(address),
        "POINTER": ctypes.cast(address, ctypes.POINTER(ctypes.c_float)),
        "cffi": ffi.cast("float *", address),
    }


def at(address: Any, **options: Any) -> NDArrayDescriptor:
    return NDArrayDescriptor.from_address(
        address, nbytes=16, shape=Shape.vector(4), scalar_type=np.float32, **options
    )


@pytest.mark.parametrize("name", pointers(VALUES))
def test_every_pointer_will_do(name: str) -> None:
    made = at(pointers(VALUES)[name])
    assert made.address == ADDRESS
    assert made.array.tolist() == [0, 1, 2, 3]
    made.address = pointers(VALUES[1:])[name]
    assert made.address == ADDRESS + 16
    assert made.array.tolist() == [4, 5, 6, 7]


@pytest.mark.parametrize("name", pointers(VALUES).keys() - {"numpy's int"})
def test_a_pointer_as_data_names_from_address(name: str) -> None:
    """The advice was about lists, or a message about PEP 3118."""
    pointer = pointers(VALUES)[name]
    ways = [
        lambda: NDArrayDescriptor(data=pointer),
        lambda: NDArrayDescriptor(data=pointer, shape=4, scalar_type=np.float32),
        lambda: NDArrayDescriptor.from_array(pointer),
        lambda: setattr(NDArrayDescriptor.from_array(VALUES), "data", pointer),
        lambda: BNNS.gather(input=pointer, indices=VALUES, output=VALUES, axis=0),
    ]
    for way in ways:
        with pytest.raises(TypeError, match=r"address goes to NDArrayDescriptor\.from_address"):
            way()
    assert at(pointer).address == ADDRESS


def test_a_loop_over_pointers() -> None:
    """Bounds are given once; the calls keep to them."""
    output = np.zeros(2, np.float32)
    source = at(ADDRESS)
    picked, result = map(NDArrayDescriptor.from_array, (np.array([3, 0]), output))
    for row in VALUES:
        source.address = row.ctypes.data
        assert BNNSGather(0, source, picked, result) == 0
        assert output.tolist() == [row[3], row[0]]
    source.size = 5
    assert BNNSGather(0, source, picked, result) == -1
    source.size = 4
    assert source.nbytes == 16
    assert BNNSGather(0, source, picked, result) == 0


def test_what_was_said_once_holds_at_the_next_address() -> None:
    owner = np.zeros(1)
    alive = weakref.ref(owner)
    made = at(ADDRESS, writable=False, owner=owner)
    made.address = ADDRESS + 16
    assert made.data is owner
    assert not made.array.flags.writeable
    same = copy.copy(made)
    same.address = ADDRESS
    assert (made.address, same.address) == (ADDRESS + 16, ADDRESS)
    assert made.replace(size=2).address == ADDRESS + 16
    del owner
    assert alive() is not None
    made.deallocate()
    same.deallocate()
    assert alive() is None


def test_only_memory_that_the_caller_vouched_for_is_moved() -> None:
    whole = at(ADDRESS)
    gone = at(ADDRESS)
    gone.deallocate()
    elsewhere = at(ADDRESS)
    elsewhere.data = VALUES
    others = [
        NDArrayDescriptor(),
        NDArrayDescriptor.from_array(VALUES),
        NDArrayDescriptor.allocate(repeating=0, shape=4),
        copy.deepcopy(whole),
        whole.replace(data=VALUES),
        elsewhere,
        gone,
    ]
    for made in others:
        before = made.address
        with pytest.raises(AttributeError, match="from_address"):
            made.address = ADDRESS
        assert made.address == before


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (-1, ValueError),
        (2**64, ValueError),
        (2**64 - 8, ValueError),
        ("7", TypeError),
        (1.5, TypeError),
        (None, TypeError),
        (VALUES, TypeError),
        (ctypes.c_float(1), TypeError),
    ],
)
def test_what_is_no_address(wrong: Any, error: type[Exception]) -> None:
    made = at(ADDRESS)
    with pytest.raises(error, match=r"address|nbytes"):
        made.address = wrong
    assert made.address == ADDRESS
    with pytest.raises(error, match=r"address|nbytes"):
        at(wrong)


def test_null_is_an_address_that_calls_refuse() -> None:
    made = at(ADDRESS)
    made.address = ctypes.c_void_p()
    assert made.address == 0
    picked = NDArrayDescriptor.from_array(np.array([0]))
    output = NDArrayDescriptor.allocate(repeating=0.0, shape=1)
    assert BNNSGather(0, made, picked, output) == -1
