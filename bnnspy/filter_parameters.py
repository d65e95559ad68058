"""FilterParameters: threads and allocator of a call, `BNNSFilterParameters` in C."""

from __future__ import annotations

from typing import Any

from bnnspy._bnns import ffi
from bnnspy.callbacks import Callback, alloc_pointer, free_pointer
from bnnspy.constants import Flags
from bnnspy.shape import unsigned

# What None points to: a record whose first entry is C's NULL.
NULL_RECORD: Any = (ffi.NULL,)


def either(given: Any, default: Any, alias: Any, names: str) -> Any:
    """The value of a field with two names; a TypeError when both are given."""
    if alias is None:
        return given
    if given is not default:
        raise TypeError(f"{names} are two names of one field; give one")
    return alias


class FilterParameters:
    """Threads and allocator of a call.

    Parameters
    ----------
    flags : int
        An OR of `Flags`; no function here looks at it. Default 0.
    n_threads : int
        0 lets the library choose, 1 is the caller's thread alone, n is n threads. Default 0.
    alloc_memory : callable or function pointer, optional
        `int alloc(void **memptr, size_t alignment, size_t size)`, as posix_memalign: 0 and a
        pointer in memptr[0], or an error. An exception, NULL or a misaligned pointer counts as an
        error; a call works without the memory then. By default the system's allocator.
    free_memory : callable or function pointer, optional
        `void free(void *memory)`, for what alloc_memory returned.
    options, thread_count, allocator, deallocator : optional
        The same four, by Swift's names since macOS 12.

    Notes
    -----
    The object holds its callables, and they are called on the caller's thread only. Fields can be
    set; a call that is running keeps the values it started with.

    A Python callable puts the address into ``memptr[0]`` as an int, or as a pointer of ctypes or
    cffi. Both pointers that it is handed are ints to Python (``int(memory)``, keys of a dict),
    pointers to ctypes' functions, and have `cdata` for cffi's. Function pointers are ctypes' or
    cffi's, and go to C as they are.
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
        options: int | None = None,
        thread_count: int | None = None,
        allocator: Callback = None,
        deallocator: Callback = None,
    ) -> None:
        self._make(
            either(flags, 0, options, "flags and options"),
            either(n_threads, 0, thread_count, "n_threads and thread_count"),
            either(alloc_memory, None, allocator, "alloc_memory and allocator"),
            either(free_memory, None, deallocator, "free_memory and deallocator"),
        )

    def _make(self, flags: int, n_threads: int, alloc: Callback, free: Callback) -> None:
        """A new C struct, with the objects that it points to, replaces the old one at once."""
        pointers = (alloc_pointer(alloc), free_pointer(free))
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

    options = flags
    thread_count = n_threads
    allocator = alloc_memory
    deallocator = free_memory

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
        if not hasattr(self, "_record"):
            return "FilterParameters(not made)"
        return (
            f"FilterParameters(flags={int(self.flags)}, n_threads={self.n_threads}, "
            f"alloc_memory={self.alloc_memory!r}, free_memory={self.free_memory!r})"
        )
