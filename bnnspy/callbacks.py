"""Functions of the caller as C's allocator: Python callables, and function pointers of others."""

from __future__ import annotations

import sys
from collections.abc import Callable
from operator import index as as_index
from typing import Any, TypeAlias

from bnnspy._bnns import ffi
from bnnspy.shape import MAX_SIZE

Callback: TypeAlias = Callable[..., Any] | Any | None

ALLOC = "int(void **, size_t, size_t)"
FREE = "void(void *)"

# Made once: no call has to.
KINDS = {text: ffi.typeof(text.replace("(", "(*)(", 1)) for text in (ALLOC, FREE)}
VOID = ffi.typeof("void *")


class Pointer:
    """A pointer that a callable is handed.

    It is an int to Python, a pointer to functions of ctypes, and `cdata` is one for cffi's.
    """

    __slots__ = ("cdata",)

    def __init__(self, cdata: Any) -> None:
        self.cdata = cdata

    def __index__(self) -> int:
        return int(ffi.cast("uintptr_t", self.cdata))

    def __bool__(self) -> bool:
        return int(self) != 0

    def __eq__(self, other: object) -> bool:
        try:
            return int(self) == int(ffi.cast("uintptr_t", address_of(other, "other")))
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(int(self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {int(self):#x}>"

    @property
    def _as_parameter_(self) -> Any:
        """What ctypes passes on to a function."""
        import ctypes

        return ctypes.c_void_p(int(self))


class Place(Pointer):
    """`void **memptr`: what an allocator puts the address of the memory into, as memptr[0]."""

    __slots__ = ()

    def __getitem__(self, index: int) -> Pointer:
        self._only_first(index)
        return Pointer(self.cdata[0])

    def __setitem__(self, index: int, value: Any) -> None:
        self._only_first(index)
        self.cdata[0] = address_of(value, "memptr[0]")

    def _only_first(self, index: int) -> None:
        if index != 0:
            raise IndexError(f"memptr[{index}]: memptr is a pointer to one pointer, memptr[0]")


def address_of(value: Any, name: str) -> Any:
    """An address as a `void *`: of an int, None, a pointer of ours, of cffi or of ctypes."""
    if value is None:
        return ffi.NULL
    if isinstance(value, Pointer):
        return ffi.cast(VOID, value.cdata)
    if isinstance(value, ffi.CData):
        if ffi.typeof(value).kind in ("pointer", "array"):
            return ffi.cast(VOID, value)
    elif (place := ctypes_address(value)) is not None:
        return ffi.cast(VOID, place)
    else:
        try:
            number = as_index(value)
        except TypeError:
            number = -1
        if 0 <= number <= MAX_SIZE:
            return ffi.cast(VOID, number)
    raise TypeError(
        f"{name} is {value!r}, and has to be an address: an int from 0 to {MAX_SIZE}, or a pointer "
        "of ctypes or cffi"
    )


def ctypes_address(value: Any) -> int | None:
    """Where a pointer, array or function of ctypes points to; None for anything else."""
    # The two are there, if value is of theirs.
    ctypes: Any = sys.modules.get("ctypes")
    kinds: Any = sys.modules.get("_ctypes")
    if ctypes is None:
        return None
    pointers = (ctypes.c_void_p, kinds._Pointer, kinds.Array, kinds.CFuncPtr)
    if not isinstance(value, pointers):
        return None
    return ctypes.cast(value, ctypes.c_void_p).value or 0


def alloc_pointer(value: Callback) -> Any:
    """An allocator as a C function pointer; -1 is what an exception in it counts as."""

    def called(memptr: Any, alignment: int, size: int) -> Any:
        return value(Place(memptr), alignment, size)  # type: ignore[misc]

    return function_pointer(value, ALLOC, "alloc_memory", called, -1)


def free_pointer(value: Callback) -> Any:
    """What gives an allocator's memory back, as a C function pointer."""

    def called(memory: Any) -> Any:
        return value(Pointer(memory))  # type: ignore[misc]

    return function_pointer(value, FREE, "free_memory", called, None)


def function_pointer(
    value: Callback, signature: str, field: str, called: Callable[..., Any], error: int | None
) -> Any:
    """value as a C function pointer: NULL for None, and `called` for a Python callable.

    An exception in a Python callable is printed by cffi and counts as `error`.
    """
    wanted = KINDS[signature]
    if value is None:
        return ffi.NULL
    if isinstance(value, ffi.CData):
        if ffi.typeof(value) not in (wanted, VOID):
            raise TypeError(f"{field} is {value!r}, and has to be a pointer to {signature}")
        return ffi.cast(wanted, value)
    if not callable(value):
        raise TypeError(
            f"{field} is {value!r}, and has to be None, a callable, or a function pointer of cffi "
            "or ctypes"
        )
    place = ctypes_address(value)
    if place is None:
        return ffi.callback(wanted, called, error=error)
    function: Any = value
    given = function.argtypes
    if place == 0 or (given is not None and len(given) != len(wanted.args)):
        raise TypeError(f"{field} is {value!r}, and has to be a pointer to {signature}")
    return ffi.cast(wanted, place)
