"""The loops of bare.c as contenders: they check nothing, and show what this machine allows."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from cases import Case
from cffi import FFI
from numpy.typing import NDArray

NAMES = {"bare loop": 0, "bare loop, fetching": 64}  # indices ahead

ffi = FFI()
ffi.cdef(
    """
    struct bare {
        char *out; const char *table; const void *indices;
        size_t outer, bound, count, inner, item;
        int wide, elementwise;
        size_t ahead;
    };
    void bare_gather(const struct bare *);
    """
)


@cache
def library() -> Any:
    """bare.c, built; None without a compiler."""
    compiler = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(compiler[0]) is None:
        return None
    source = Path(__file__).with_name("bare.c")
    with tempfile.TemporaryDirectory(prefix="bnnspy-bare.") as folder:
        built = Path(folder) / "bare.so"
        flags = ("-O3", "-shared", "-fPIC")
        subprocess.run([*compiler, *flags, str(source), "-o", str(built)], check=True)
        return ffi.dlopen(str(built))


def calls(
    case: Case, table: NDArray[Any], indices: NDArray[Any], output: NDArray[Any]
) -> dict[str, Any]:
    """The loops over these arrays, which have to outlive them."""
    lib = library()
    if lib is None:
        return {}
    found = {}
    for name, ahead in NAMES.items():
        b = ffi.new("struct bare *")
        b.out = ffi.cast("char *", output.ctypes.data)
        b.table = ffi.cast("char *", table.ctypes.data)
        b.indices = ffi.cast("void *", indices.ctypes.data)
        b.outer = int(np.prod(table.shape[: case.axis]))
        b.bound, b.count = table.shape[case.axis], output.shape[case.axis]
        b.inner = int(np.prod(table.shape[case.axis + 1 :]))
        b.item, b.wide = table.itemsize, indices.itemsize == 8
        b.elementwise, b.ahead = case.elementwise, ahead
        found[name] = partial(lib.bare_gather, b)
    return found
