"""Makes each function and type of the compiled core ready, once, when bnnspy is imported.

cffi makes a function, a type or a struct's fields when they are first used, and aborts the process
when that is begun again before it is done: by a callback of the garbage collector that makes a call
of its own while the first call of the process is under way. After import, no call makes any.
"""

from __future__ import annotations

from bnnspy._bnns import ffi, lib

# The types that the package spells out inside of its functions.
SPELLED = (
    *("char *", "void *", "uintptr_t", "size_t[]", "ptrdiff_t[]"),
    *("BNNSFilterParameters *", "BNNSNDArrayDescriptor *"),
    *("bnnspy_bounded *", "bnnspy_bounded[1]", "bnnspy_error *", "bnnspy_strides *"),
    "bnnspy_view *",
)


def make_ready() -> None:
    """Looks at every function, type and field of the core."""
    for name in dir(lib):
        getattr(lib, name)
    for names in ffi.list_types():
        for name in names:
            kind = ffi.typeof(name)
            if kind.kind in ("struct", "union"):
                _ = kind.fields
    for name in SPELLED:
        ffi.typeof(name)


make_ready()
