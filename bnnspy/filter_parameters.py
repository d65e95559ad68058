"""FilterParameters: threads and allocator of a call, `BNNSFilterParameters` in C."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from bnnspy._bnns import ffi
from bnnspy.constants import Flags
from bnnspy.shape import unsigned

Callback: TypeAlias = Callable[..., Any] | Any | None

# What None points to: a record whose first entry is C's NULL.
NULL_RECORD: Any = (ffi.NULL,)

ALLOC = "int(void **, size_t, size_t)"
FREE = "void(void *)"


def _callback(value: Callback, signature: str, field: str, error: int | None) -> Any:
    """value as a C function pointer: NULL, a cffi pointer as it is, or a Python callable wrapped.

    An exception in a wrapped callable is printed by cffi and counts as `error`.
    """
    if value is None:
        return ffi.NULL
    if isinstance(value, ffi.CData):
        wanted = ffi.typeof(signature.replace("(", "(*)(", 1))
        if ffi.typeof(value) not in (wanted, ffi.typeof("void *")):
            raise TypeError(f"{field} is {value!r}, and has to be a pointer to {signature}")
        return ffi.cast(wanted, value)
    if callable(value):
        return ffi.callback(signature, value, error=error)
    raise TypeError(f"{field} is {value!r}, and has to be None, a callable or a cffi pointer")


class FilterParameters:
    """Threads and allocator of a call.

    Parameters
    ----------
    flags : int
        An OR of `Flags`; no function here looks at it. Default 0.
    n_threads : int
        0 lets the library choose, 1 is the caller's thread alone, n is n threads. Default 0.
    alloc_memory : callable or cffi pointer, optional
        `int alloc(void **memptr, size_t alignment, size_t size)`, as posix_memalign: 0 and a
        pointer in memptr[0], or an error. An exception, NULL or a misaligned pointer counts as an
        error; a call works without the memory then. By default the system's allocator.
    free_memory : callable or cffi pointer, optional
        `void free(void *memory)`, for what alloc_memory returned.

    Notes
    -----
    The object holds its callables, and they are called on the caller's thread only. Fields can be
    set; a call that is running keeps the values it started with.
    """

    __slots__ = ("__weakref__", "_record")

    _record: tuple[Any, Any, Callback, Callback]

    def __init__(
        self,
        *,
        flags: int = 0,
        n_threads: int = 0,
        alloc_memory: Callback = None,
        free_memory: Callback = None,
    ) -> None:
        self._make(flags, n_threads, alloc_memory, free_memory)

    def _make(self, flags: int, n_threads: int, alloc: Callback, free: Callback) -> None:
        """A new C struct, with the objects that it points to, replaces the old one at once."""
        pointers = (
            _callback(alloc, ALLOC, "alloc_memory", -1),
            _callback(free, FREE, "free_memory", None),
        )
        bits, threads = unsigned(flags, "flags", 2**32 - 1), unsigned(n_threads, "n_threads")
        struct = ffi.new("BNNSFilterParameters *", (bits, threads, *pointers))
        self._record = (struct, pointers, alloc, free)

    @property
    def flags(self) -> Flags:
        """Flags of the call."""
        return Flags(self._record[0].flags)

    @flags.setter
    def flags(self, value: int) -> None:
        self._make(value, self.n_threads, self.alloc_memory, self.free_memory)

    @property
    def n_threads(self) -> int:
        """0 for automatic, else the number of threads."""
        return int(self._record[0].n_threads)

    @n_threads.setter
    def n_threads(self, value: int) -> None:
        self._make(self.flags, value, self.alloc_memory, self.free_memory)

    @property
    def alloc_memory(self) -> Callback:
        """The allocator as it was given."""
        return self._record[2]

    @alloc_memory.setter
    def alloc_memory(self, value: Callback) -> None:
        self._make(self.flags, self.n_threads, value, self.free_memory)

    @property
    def free_memory(self) -> Callback:
        """The deallocator as it was given."""
        return self._record[3]

    @free_memory.setter
    def free_memory(self, value: Callback) -> None:
        self._make(self.flags, self.n_threads, self.alloc_memory, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FilterParameters):
            return NotImplemented
        return self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def _key(self) -> tuple[Any, ...]:
        return (self.flags, self.n_threads, self.alloc_memory, self.free_memory)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("FilterParameters hold C pointers and can't be pickled")

    def __copy__(self) -> FilterParameters:
        return FilterParameters(
            flags=self.flags,
            n_threads=self.n_threads,
            alloc_memory=self.alloc_memory,
            free_memory=self.free_memory,
        )

    def __deepcopy__(self, memo: object) -> FilterParameters:
        return self.__copy__()

    def __repr__(self) -> str:
        return (
            f"FilterParameters(flags={int(self.flags)}, n_threads={self.n_threads}, "
            f"alloc_memory={self.alloc_memory!r}, free_memory={self.free_memory!r})"
        )
