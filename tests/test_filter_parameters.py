"""FilterParameters: the C struct, the allocator's callables, and the object's manners."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnnspy import (
    BNNS,
    BNNSFilterParameters,
    BNNSFlagsUseClientPtr,
    BNNSGather,
    FilterParameters,
    NDArrayDescriptor,
)
from bnnspy._bnns import ffi

ALLOC = "int(void **, size_t, size_t)"
FREE = "void(void *)"


def struct(parameters: FilterParameters) -> Any:
    """The C struct that a call is handed."""
    return parameters._record[0]


def fail(*_: Any) -> int:
    raise RuntimeError("no memory today")


def operands() -> list[NDArrayDescriptor]:
    arrays = (np.arange(8, dtype=np.float32), np.array([1, 3]), np.zeros(2, np.float32))
    return [NDArrayDescriptor.from_array(array) for array in arrays]


# --- fields ---------------------------------------------------------------------------------------


def test_c_name() -> None:
    assert BNNSFilterParameters is FilterParameters


def test_defaults_are_a_struct_of_zeros() -> None:
    parameters = FilterParameters()
    assert (parameters.flags, parameters.n_threads) == (0, 0)
    assert parameters.alloc_memory is parameters.free_memory is None
    assert bytes(ffi.buffer(struct(parameters))) == bytes(32)


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**64 - 1))
def test_flags_and_threads_are_those_of_the_struct(flags: int, n_threads: int) -> None:
    made = FilterParameters(flags=flags, n_threads=n_threads)
    changed = FilterParameters()
    changed.flags, changed.n_threads = flags, n_threads
    for parameters in (made, changed):
        assert (parameters.flags, parameters.n_threads) == (flags, n_threads)
        assert (struct(parameters).flags, struct(parameters).n_threads) == (flags, n_threads)
        assert f"flags={flags}, n_threads={n_threads}, " in repr(parameters)
    assert made == changed


def test_flags_read_as_flags() -> None:
    parameters = FilterParameters(flags=BNNSFlagsUseClientPtr)
    assert parameters.flags is BNNSFlagsUseClientPtr


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("flags", -1, ValueError),
        ("flags", 2**32, ValueError),
        ("flags", 1.0, TypeError),
        ("flags", None, TypeError),
        ("n_threads", -1, ValueError),
        ("n_threads", 2**64, ValueError),
        ("n_threads", "2", TypeError),
        ("alloc_memory", 5, TypeError),
        ("alloc_memory", "malloc", TypeError),
        ("free_memory", object(), TypeError),
    ],
)
def test_a_refused_value_was_kept_as_the_field(
    field: str, value: Any, error: type[Exception]
) -> None:
    """The setters of the callables stored first, and every later change failed for it."""
    parameters = FilterParameters(flags=1, n_threads=2, alloc_memory=fail, free_memory=fail)
    before = bytes(ffi.buffer(struct(parameters)))
    with pytest.raises(error, match=field):
        setattr(parameters, field, value)
    with pytest.raises(error, match=field):
        FilterParameters(**{field: value})
    assert parameters == FilterParameters(flags=1, n_threads=2, alloc_memory=fail, free_memory=fail)
    assert bytes(ffi.buffer(struct(parameters))) == before
    parameters.n_threads = 3
    assert parameters.n_threads == 3


def test_unknown_fields() -> None:
    with pytest.raises(TypeError):
        FilterParameters(threads=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        FilterParameters(1)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        FilterParameters().threads = 2  # type: ignore[attr-defined]


NAMES = [
    ("options", "flags", 5),
    ("thread_count", "n_threads", 3),
    ("allocator", "alloc_memory", fail),
    ("deallocator", "free_memory", fail),
]


@pytest.mark.parametrize(("swift", "field", "value"), NAMES, ids=lambda value: str(value))
def test_swift_s_names_of_the_fields(swift: str, field: str, value: Any) -> None:
    """Since macOS 12 Swift has them beside C's."""
    parameters = FilterParameters(**{swift: value})
    assert getattr(parameters, field) == getattr(parameters, swift) == value
    assert parameters == FilterParameters(**{field: value})
    changed = FilterParameters()
    setattr(changed, swift, value)
    assert changed == parameters
    with pytest.raises(TypeError, match=f"^{field} and {swift} are two names of one field"):
        FilterParameters(**{field: value, swift: value})
    with pytest.raises((TypeError, ValueError), match=field):
        FilterParameters(**{swift: "wrong"})


def test_swift_s_initialiser() -> None:
    made = FilterParameters(options=1, thread_count=2, allocator=None, deallocator=None)
    assert made == FilterParameters(flags=1, n_threads=2)


# --- callables ------------------------------------------------------------------------------------


def test_python_callables_have_the_signature_of_c() -> None:
    calls: list[Any] = []

    def alloc(memptr: Any, alignment: int, size: int) -> int:
        calls.append((alignment, size))
        memptr[0] = ffi.cast("void *", 4096)
        return 0

    parameters = FilterParameters(alloc_memory=alloc, free_memory=calls.append)
    assert parameters.alloc_memory is alloc
    memptr = ffi.new("void **")
    assert struct(parameters).alloc_memory(memptr, 64, 1000) == 0
    struct(parameters).free_memory(memptr[0])
    assert calls == [(64, 1000), ffi.cast("void *", 4096)]


@pytest.mark.parametrize("wrong", [fail, lambda *_: None, lambda *_: "1", lambda *_: 2**40, int])
def test_an_exception_in_a_callable_is_a_failure(
    wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda error: seen.append(str(error.exc_value)))
    parameters = FilterParameters(alloc_memory=wrong, free_memory=fail)
    assert struct(parameters).alloc_memory(ffi.new("void **"), 64, 1000) == -1
    struct(parameters).free_memory(ffi.NULL)
    assert len(seen) == 2
    assert seen[1] == "no memory today"


@pytest.mark.parametrize("kind", ["typed", "void pointer"])
def test_cffi_pointers_go_to_c_as_they_are(kind: str) -> None:
    callbacks = [ffi.callback(ALLOC, lambda *_: 7), ffi.callback(FREE, lambda _: None)]
    given = callbacks if kind == "typed" else [ffi.cast("void *", c) for c in callbacks]
    parameters = FilterParameters(alloc_memory=given[0], free_memory=given[1])
    assert parameters.alloc_memory is given[0]
    assert struct(parameters).alloc_memory == callbacks[0]
    assert struct(parameters).free_memory == callbacks[1]
    assert struct(parameters).alloc_memory(ffi.NULL, 64, 1) == 7


@pytest.mark.parametrize(
    "pointer",
    [ffi.new("int *"), ffi.cast("uintptr_t", 4096), ffi.callback(FREE, fail), ffi.new("char[8]")],
    ids=["int *", "integer", "another function", "char array"],
)
def test_pointers_to_anything_were_taken_for_functions(pointer: Any) -> None:
    """A pointer to data was cast to a function, to be jumped to by the first call that packs."""
    with pytest.raises(TypeError, match=r"alloc_memory .* int\(void \*\*, size_t, size_t\)"):
        FilterParameters(alloc_memory=pointer)


class Allocator:
    """A callable that can be seen to go."""

    def __call__(self, *_: Any) -> int:
        return 9


def through_cffi(function: Any) -> Any:
    return ffi.callback(ALLOC, function)


@pytest.mark.parametrize("wrap", [lambda function: function, through_cffi], ids=["python", "cffi"])
def test_callables_are_held_and_let_go(wrap: Callable[[Any], Any]) -> None:
    allocator = Allocator()
    alive = weakref.ref(allocator)
    parameters = FilterParameters(alloc_memory=wrap(allocator))
    other = copy.copy(parameters)
    del allocator
    gc.collect()
    assert struct(parameters).alloc_memory(ffi.NULL, 64, 1) == 9
    parameters.n_threads = 4
    assert struct(parameters).alloc_memory(ffi.NULL, 64, 1) == 9
    parameters.alloc_memory = None
    assert struct(parameters).alloc_memory == ffi.NULL
    gc.collect()
    assert struct(other).alloc_memory(ffi.NULL, 64, 1) == 9
    del other
    gc.collect()
    assert alive() is None


def test_a_running_call_could_lose_a_cffi_pointer_to_a_setter() -> None:
    """A call holds the record that it started with; that held the number, not the callback."""
    allocator = Allocator()
    alive = weakref.ref(allocator)
    parameters = FilterParameters(alloc_memory=through_cffi(allocator))
    del allocator
    held_by_a_call = parameters._record
    parameters.alloc_memory = None
    gc.collect()
    assert alive() is not None
    assert held_by_a_call[0].alloc_memory(ffi.NULL, 64, 1) == 9


# --- manners --------------------------------------------------------------------------------------


def test_equality_goes_by_all_fields() -> None:
    def made(**changes: Any) -> FilterParameters:
        fields = {"flags": 1, "n_threads": 2, "alloc_memory": fail, "free_memory": fail}
        return FilterParameters(**{**fields, **changes})

    assert made() == made()
    for changes in ({"flags": 0}, {"n_threads": 1}, {"alloc_memory": None}, {"free_memory": int}):
        assert made() != made(**changes)
    assert made() != (1, 2, fail, fail)
    with pytest.raises(TypeError, match="unhashable"):
        hash(made())


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_are_equal_and_apart(copied: Callable[[FilterParameters], FilterParameters]) -> None:
    parameters = FilterParameters(flags=1, n_threads=2, alloc_memory=fail)
    other = copied(parameters)
    assert other == parameters
    other.n_threads = 5
    assert parameters.n_threads == 2


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_is_refused(protocol: int) -> None:
    with pytest.raises(TypeError, match="can't be pickled"):
        pickle.dumps(FilterParameters(), protocol)


def test_repr_shows_all_fields() -> None:
    assert repr(FilterParameters(flags=1, n_threads=2, free_memory=int)) == (
        "FilterParameters(flags=1, n_threads=2, alloc_memory=None, free_memory=<class 'int'>)"
    )


# --- in a call ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters",
    [
        None,
        FilterParameters(),
        FilterParameters(flags=2**32 - 1, n_threads=1),
        FilterParameters(n_threads=2**64 - 1),
        FilterParameters(alloc_memory=fail, free_memory=fail, n_threads=1),
    ],
    ids=["none", "defaults", "all flags", "many threads", "failing allocator"],
)
def test_a_call_with_any_parameters_gives_the_same(parameters: FilterParameters | None) -> None:
    values, indices, output = operands()
    assert BNNSGather(0, values, indices, output, parameters) == 0
    assert output.array.tolist() == [1, 3]
    output.array[...] = 0
    BNNS.gather(input=values, indices=indices, output=output, axis=0, filter_parameters=parameters)
    assert output.array.tolist() == [1, 3]
    assert BNNSGather(-1, values, indices, output, parameters) == -1


@pytest.mark.parametrize("wrong", [0, (), {}, "2", NDArrayDescriptor(), FilterParameters, ffi.NULL])
def test_other_things_are_no_parameters(wrong: Any) -> None:
    values, indices, output = operands()
    with pytest.raises(TypeError, match="filter_params is a"):
        BNNSGather(0, values, indices, output, wrong)
    with pytest.raises(TypeError, match="is a"):
        BNNS.gather(input=values, indices=indices, output=output, axis=0, filter_parameters=wrong)
    assert output.array.tolist() == [0, 0]
