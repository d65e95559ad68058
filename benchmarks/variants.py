"""The C core built with other thresholds, each build a library of its own in one process."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from cffi import FFI
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
import cffi_build  # noqa: E402  (the headers are its declarations)
from bnnspy.memory import DATA_TYPES  # noqa: E402

ffi = FFI()
ffi.cdef(cffi_build.declarations())

FIRST_MAJOR = 0x08001  # plus 0x10000 times the rank


def thresholds() -> dict[str, int]:
    """The names of src/take/thresholds.h, less their prefix, and their values."""
    text = (ROOT / "src/take/thresholds.h").read_text("utf-8")
    found = re.findall(r"#define BNNSPY_(\w+) \(?(\d+)(?: << (\d+))?\)?$", text, re.MULTILINE)
    return {name: int(number) << int(shift or 0) for name, number, shift in found}


def build(folder: Path, name: str, defines: dict[str, int], flags: str = "") -> Any:
    """The core as a shared library, with some thresholds replaced."""
    path = folder / f"{name}.so"
    command = [
        *shlex.split(os.environ.get("CC", "cc")),
        *("-std=c11", "-O3", "-shared", "-fPIC", "-pthread", "-Iinclude", "-Isrc"),
        '-DBNNSPY_VERSION="tune"',
        *(f"-DBNNSPY_{key}={value}" for key, value in defines.items()),
        *shlex.split(flags),
        *cffi_build.relative("src/**/*.c"),
        "-o",
        str(path),
    ]
    subprocess.run(command, cwd=ROOT, check=True)
    return ffi.dlopen(str(path))


def descriptor(array: NDArray[Any]) -> Any:
    """A C descriptor of a C-contiguous array; the array has to outlive it."""
    described = ffi.new("BNNSNDArrayDescriptor *")
    described.layout = FIRST_MAJOR + 0x10000 * array.ndim
    for k, size in enumerate(array.shape):
        described.size[k] = size
    described.data = ffi.cast("void *", array.ctypes.data)
    described.data_type = DATA_TYPES[array.dtype]
    return described


def gather(
    lib: Any,
    axis: int,
    table: NDArray[Any],
    indices: NDArray[Any],
    output: NDArray[Any],
    threads: int = 1,
) -> Callable[[], int]:
    """A call of a build's BNNSGather."""
    parameters = ffi.new("BNNSFilterParameters *", {"n_threads": threads})
    arguments = [descriptor(array) for array in (table, indices, output)]
    call = partial(lib.BNNSGather, axis, *arguments, parameters)
    if call() != 0:
        raise RuntimeError(ffi.string(lib.bnnspy_last_error().sentence).decode())
    return call


def compare(axis: int, table: NDArray[Any], indices: NDArray[Any], output: NDArray[Any]) -> None:
    """An error unless the output is what NumPy gives."""
    take = np.take_along_axis if indices.ndim > 1 else np.take
    if not np.array_equal(output, take(table, indices, axis)):
        raise AssertionError("a build has another result than NumPy")
