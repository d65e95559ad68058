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
        return ffi.cast(ffi.typeof(signature.replace("(", "(*)(", 1)), value)
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

    __slots__ = ("_alloc", "_free", "_record")

    def __init__(
        self,
        *,
        flags: int = 0,
        n_threads: int = 0,
        alloc_memory: Callback = None,
        free_memory: Callback = None,
    ) -> None:
        self._alloc = alloc_memory
        self._free = free_memory
        self._make(unsigned(flags, "flags", 2**32 - 1), unsigned(n_threads, "n_threads"))

    def _make(self, flags: int, n_threads: int) -> None:
        """A new C struct, with the objects that it points to, replaces the old one at once."""
        alloc = _callback(self._alloc, ALLOC, "alloc_memory", -1)
        free = _callback(self._free, FREE, "free_memory", None)
        pointer = ffi.new("BNNSFilterParameters *", (flags, n_threads, alloc, free))
        self._record = (pointer, alloc, free)

    @property
    def flags(self) -> Flags:
        """Flags of the call."""
        return Flags(self._record[0].flags)

    @flags.setter
    def flags(self, value: int) -> None:
        self._make(unsigned(value, "flags", 2**32 - 1), self.n_threads)

    @property
    def n_threads(self) -> int:
        """0 for automatic, else the number of threads."""
        return int(self._record[0].n_threads)

    @n_threads.setter
    def n_threads(self, value: int) -> None:
        self._make(int(self.flags), unsigned(value, "n_threads"))

    @property
    def alloc_memory(self) -> Callback:
        """The allocator as it was given."""
        return self._alloc

    @alloc_memory.setter
    def alloc_memory(self, value: Callback) -> None:
        self._alloc = value
        self._make(int(self.flags), self.n_threads)

    @property
    def free_memory(self) -> Callback:
        """The deallocator as it was given."""
        return self._free

    @free_memory.setter
    def free_memory(self, value: Callback) -> None:
        self._free = value
        self._make(int(self.flags), self.n_threads)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FilterParameters):
            return NotImplemented
        return self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]

    def _key(self) -> tuple[Any, ...]:
        return (self.flags, self.n_threads, self._alloc, self._free)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("FilterParameters hold C pointers and can't be pickled")

    def __copy__(self) -> FilterParameters:
        return FilterParameters(
            flags=self.flags,
            n_threads=self.n_threads,
            alloc_memory=self._alloc,
            free_memory=self._free,
        )

    def __deepcopy__(self, memo: object) -> FilterParameters:
        return self.__copy__()

    def __repr__(self) -> str:
        return (
            f"FilterParameters(flags={int(self.flags)}, n_threads={self.n_threads}, "
            f"alloc_memory={self._alloc!r}, free_memory={self._free!r})"
        )
