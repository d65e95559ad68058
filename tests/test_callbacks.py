"""Allocators: Python callables without private names, and function pointers of ctypes or cffi."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bnnspy import BNNSGather, FilterParameters, NDArrayDescriptor
from bnnspy._bnns import ffi
from bnnspy.callbacks import Place, Pointer

LIBC = ctypes.CDLL(None)
ALLOC = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_void_p), ctypes.c_size_t, ctypes.c_size_t
)
FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

# Elementwise along the slow axis of a large matrix: the table is packed into a workspace.
ROWS, COLUMNS = 600, 4000
TABLE = np.arange(ROWS * COLUMNS, dtype=np.float32).reshape(ROWS, COLUMNS)
PLACES = (np.arange(ROWS * COLUMNS, dtype=np.int32) * 7 % ROWS).reshape(ROWS, COLUMNS)
EXPECTED = np.take_along_axis(TABLE, PLACES, 0)


def call(parameters: FilterParameters) -> None:
    """A call that asks for a workspace; the result does not depend on whether it gets one."""
    result = np.zeros_like(TABLE)
    tensors = [NDArrayDescriptor.from_array(a) for a in (TABLE, PLACES, result)]
    assert BNNSGather(0, *tensors, parameters) == 0
    np.testing.assert_array_equal(result, EXPECTED)


@pytest.fixture(autouse=True)
def nothing_ignored(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What a callable raised, which cffi can only print."""
    seen: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda error: seen.append(str(error.exc_value)))
    return seen


class Blocks:
    """Memory of NumPy, given out as `form` makes it of an address."""

    def __init__(self, form: Callable[[int], Any]) -> None:
        self.form = form
        self.held: dict[int, np.ndarray] = {}
        self.asked = 0

    def alloc(self, memptr: Any, alignment: int, size: int) -> int:
        block = np.empty(size + alignment, np.uint8)
        address = block.ctypes.data + -block.ctypes.data % alignment
        assert not memptr[0]
        self.held[address] = block
        memptr[0] = self.form(address)
        assert memptr[0] == address
        self.asked += 1
        return 0

    def free(self, memory: Any) -> None:
        del self.held[memory]


FORMS: dict[str, Callable[[int], Any]] = {
    "int": int,
    "numpy.uintp": np.uintp,
    "c_void_p": ctypes.c_void_p,
    "ctypes pointer": lambda a: ctypes.cast(a, ctypes.POINTER(ctypes.c_char)),
    "ctypes array": lambda a: (ctypes.c_char * 64).from_address(a),
    "void *": lambda a: ffi.cast("void *", a),
    "char *": lambda a: ffi.cast("char *", a),
}


@pytest.mark.parametrize("form", FORMS)
def test_an_allocator_that_said_an_address_as_an_int_failed(
    form: str, nothing_ignored: list[str]
) -> None:
    """cffi takes no int for a pointer, so the exception was ignored, and the call went without."""
    blocks = Blocks(FORMS[form])
    call(FilterParameters(n_threads=1, alloc_memory=blocks.alloc, free_memory=blocks.free))
    assert blocks.asked == 1
    assert blocks.held == {}
    assert nothing_ignored == []


@pytest.mark.parametrize(
    "wrong", ["4096", 1.5, -1, 2**64, ctypes.c_size_t(64), np.zeros(4)], ids=repr
)
def test_what_is_no_address_is_a_failure_with_a_sentence(
    wrong: Any, nothing_ignored: list[str]
) -> None:
    blocks = Blocks(lambda _: wrong)
    call(FilterParameters(n_threads=1, alloc_memory=blocks.alloc, free_memory=blocks.free))
    assert blocks.asked == 0
    assert nothing_ignored[0].startswith("memptr[0] is ")
    assert "has to be an address: an int from 0 to 18446744073709551615" in nothing_ignored[0]


def test_memptr_has_one_place(nothing_ignored: list[str]) -> None:
    def alloc(memptr: Any, alignment: int, size: int) -> int:
        memptr[1] = 64
        return 0

    call(FilterParameters(n_threads=1, alloc_memory=alloc))
    assert nothing_ignored == ["memptr[1]: memptr is a pointer to one pointer, memptr[0]"]


@pytest.mark.parametrize("nothing", [None, 0, ctypes.c_void_p(), ffi.NULL], ids=repr)
def test_null_is_a_failure(nothing: Any, nothing_ignored: list[str]) -> None:
    def alloc(memptr: Any, alignment: int, size: int) -> int:
        memptr[0] = nothing
        return 0

    call(FilterParameters(n_threads=1, alloc_memory=alloc))
    assert nothing_ignored == []


def test_pointers_go_on_to_functions_of_ctypes_and_cffi(nothing_ignored: list[str]) -> None:
    calls = []
    cffi_free = ffi.cast("void(*)(void *)", ctypes.cast(LIBC.free, ctypes.c_void_p).value)

    def alloc(memptr: Any, alignment: int, size: int) -> int:
        calls.append("alloc")
        assert ffi.typeof(memptr.cdata) is ffi.typeof("void **")
        return int(LIBC.posix_memalign(memptr, ctypes.c_size_t(alignment), ctypes.c_size_t(size)))

    def free(memory: Any) -> None:
        calls.append("free")
        cffi_free(memory.cdata) if len(calls) > 2 else LIBC.free(memory)

    parameters = FilterParameters(n_threads=1, alloc_memory=alloc, free_memory=free)
    call(parameters)
    call(parameters)
    assert calls == ["alloc", "free"] * 2
    assert nothing_ignored == []


# --- function pointers ----------------------------------------------------------------------------


def test_functions_of_a_ctypes_library_were_called_as_python() -> None:
    """Taken at construction, and failing in each call: a `void **` of cffi is nothing to ctypes."""
    parameters = FilterParameters(
        n_threads=1, alloc_memory=LIBC.posix_memalign, free_memory=LIBC.free
    )
    assert parameters.alloc_memory is LIBC.posix_memalign
    struct = parameters._record[0]
    address = int(ffi.cast("uintptr_t", struct.alloc_memory))
    assert address == ctypes.cast(LIBC.posix_memalign, ctypes.c_void_p).value
    call(parameters)


def test_callbacks_of_ctypes_go_to_c_as_they_are(nothing_ignored: list[str]) -> None:
    calls: list[tuple[int, int]] = []

    def alloc(memptr: Any, alignment: int, size: int) -> int:
        calls.append((alignment, size))
        return int(LIBC.posix_memalign(memptr, ctypes.c_size_t(alignment), ctypes.c_size_t(size)))

    def free(memory: int) -> None:
        LIBC.free(ctypes.c_void_p(memory))

    parameters = FilterParameters(n_threads=1, alloc_memory=ALLOC(alloc), free_memory=FREE(free))
    call(parameters)
    ((alignment, size),) = calls
    assert alignment == 64
    assert size > 0
    assert nothing_ignored == []


@pytest.mark.parametrize(
    ("field", "pointer"),
    [
        ("alloc_memory", FREE(0)),
        ("alloc_memory", ALLOC(0)),
        ("free_memory", ALLOC(lambda *_: 0)),
        ("alloc_memory", FREE(lambda _: None)),
    ],
    ids=["NULL of another", "NULL", "three arguments", "one argument"],
)
def test_function_pointers_that_cannot_be_it(field: str, pointer: Any) -> None:
    with pytest.raises(TypeError, match=rf"^{field} is .*, and has to be a pointer to "):
        FilterParameters(**{field: pointer})


@pytest.mark.parametrize("wrong", [5, "malloc", ctypes.c_void_p(64), (ctypes.c_char * 8)()])
def test_what_is_no_function(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"has to be None, a callable, or a function pointer of cf"):
        FilterParameters(alloc_memory=wrong)


# --- what a callable is handed --------------------------------------------------------------------


def test_a_pointer_is_an_int_to_python() -> None:
    pointer = Pointer(ffi.cast("void *", 4096))
    assert (int(pointer), hash(pointer), bool(pointer)) == (4096, hash(4096), True)
    assert f"{pointer:}" == repr(pointer) == "<Pointer 0x1000>"
    assert pointer == 4096 == pointer
    assert pointer == ffi.cast("void *", 4096)
    assert pointer == Pointer(ffi.cast("char *", 4096))
    assert pointer == ctypes.c_void_p(4096)
    assert pointer != 4097
    assert pointer != "4096"
    assert {4096: "block"}[pointer] == "block"  # type: ignore[index]
    assert not Pointer(ffi.NULL)
    place = ffi.new("void **")
    Place(place)[0] = pointer
    assert place[0] == pointer.cdata
    with pytest.raises(IndexError, match="one pointer"):
        Place(place)[1]
