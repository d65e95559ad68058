"""Runs every problem of plan_cases.py in a process of its own, as the environment sets it up.

`python plan_checks.py CHECK THREADS..`: prints a JSON object with the kernel variant, how many
problems were run, and the failures. A crash is a failure of the caller's test.
"""

from __future__ import annotations

import json
import mmap
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator

import numpy as np
from cffi import FFI
from plan_cases import Array, Output, Problem, expected, problems

import bnnspy
from bnnspy import BNNSGather, FilterParameters, NDArrayDescriptor, Status
from bnnspy._bnns import lib
from bnnspy.errors import text

PAGE = mmap.PAGESIZE

posix = FFI()
posix.cdef(
    """
    void *mmap(void *, size_t, int, int, int, int64_t);
    int mprotect(void *, size_t, int);
    int munmap(void *, size_t);
    """
)
libc = posix.dlopen(None)


def gather(axis: int, table: Array, indices: Array, output: Array, threads: int) -> Status:
    """BNNSGather over the arrays' own memory."""
    arrays = [NDArrayDescriptor.from_array(array) for array in (table, indices, output)]
    return BNNSGather(axis, *arrays, FilterParameters(n_threads=threads))


# --- results, and every byte beside them ----------------------------------------------------------


def result(problem: Problem, threads: int) -> str | None:
    """The elements are NumPy's, and no other byte changed."""
    table, indices = problem.inputs()
    output = Output(problem, shift=np.dtype(problem.dtype).itemsize)
    status = gather(problem.axis, table, indices, output.view, threads)
    if status != Status.Success:
        return f"{status!r}: {bnnspy.last_error()}"
    wanted = expected(problem, table, indices)
    if output.view.tobytes() != wanted.tobytes():
        return "another result than NumPy"
    if not output.only_elements_changed():
        return "a byte beside the elements changed"
    return None


def failure(problem: Problem, threads: int) -> str | None:
    """A bad index, wherever it is, leaves every byte of the output."""
    table, indices = problem.inputs()
    output = Output(problem)
    bound = problem.shape[problem.axis]
    bad = [n for n in (bound, -1) if np.can_cast(np.min_scalar_type(n), indices.dtype)]
    flat = indices.reshape(-1)
    for place in {0, flat.size // 2, flat.size - 1}:
        for value in bad:
            kept = flat[place]
            flat[place] = value
            status = gather(problem.axis, table, indices, output.view, threads)
            flat[place] = kept
            if status != Status.IndexOutOfRange:
                return f"index {value} at {place}: {status!r}"
            if not output.untouched():
                return f"index {value} at {place}: the output changed"
    return None


# --- bytes that another thread keeps changing -----------------------------------------------------


class Rewriter(threading.Thread):
    """Keeps writing to bytes that are its own, and looks whether they are still there."""

    def __init__(self, parts: list[Array]) -> None:
        super().__init__()
        self.parts = parts
        self.going = True
        self.turns = 0
        self.lost = False

    def run(self) -> None:
        while self.going and not self.lost:
            value = self.turns % 251
            for part in self.parts:
                part[...] = value
            for part in self.parts:
                self.lost |= bool((part != value).any())
            self.turns += 1


def holes(problem: Problem, threads: int) -> str | None:
    """What another thread writes between the elements, it finds again."""
    if not problem.holes:
        return None
    table, indices = problem.inputs()
    output = Output(problem)
    arrays = [NDArrayDescriptor.from_array(a) for a in (table, indices, output.view)]
    parameters = FilterParameters(n_threads=threads)
    rewriter = Rewriter(output.others)
    rewriter.start()
    status, calls = Status.Success, 0
    while status == Status.Success and (calls < 5 or rewriter.turns < 5) and not rewriter.lost:
        status = BNNSGather(problem.axis, *arrays, parameters)
        calls += 1
    rewriter.going = False
    rewriter.join()
    if status != Status.Success:
        return f"{status!r}"
    return "bytes of another thread were overwritten" if rewriter.lost else None


# --- pages that may not be touched ----------------------------------------------------------------


class Guarded:
    """Memory between two pages that can't be read, flush with the one or the other."""

    def __init__(self) -> None:
        self.mapped: list[tuple[object, int]] = []

    def copy(self, array: Array, at_end: bool) -> Array:
        """A copy of an array there."""
        pages = -(-max(array.nbytes, 1) // PAGE)
        size = (pages + 2) * PAGE
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        address = libc.mmap(posix.NULL, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
        assert int(posix.cast("intptr_t", address)) != -1
        self.mapped.append((address, size))
        begin = posix.cast("char *", address)
        for page in (0, pages + 1):
            assert libc.mprotect(begin + page * PAGE, PAGE, 0) == 0
        start = PAGE + (pages * PAGE - array.nbytes if at_end else 0)
        memory = np.frombuffer(posix.buffer(begin + start, array.nbytes), np.uint8)
        placed = memory.view(array.dtype).reshape(array.shape)
        placed[...] = array
        return placed

    def release(self) -> None:
        """Gives all of it back."""
        for address, size in self.mapped:
            libc.munmap(address, size)
        self.mapped.clear()


def pages(problem: Problem, threads: int) -> str | None:
    """Nothing beyond the first and the last byte of any tensor is touched."""
    if problem.holes:
        return None
    table, indices = problem.inputs()
    wanted = expected(problem, table, indices)
    for at_end in (False, True):
        memory = Guarded()
        tensors = [memory.copy(a, at_end) for a in (table, indices, np.zeros_like(wanted))]
        status = gather(problem.axis, *tensors, threads)
        same = tensors[2].tobytes() == wanted.tobytes()
        tensors.clear()
        memory.release()
        if status != Status.Success or not same:
            return f"{status!r}, at_end={at_end}, result {'right' if same else 'wrong'}"
    return None


# --- tables of more than 2^31 elements ------------------------------------------------------------

WIDE = 2**31 + 4099


def wide(threads: int) -> Iterator[tuple[str, str | None]]:
    """Indices beyond 32 bits into a file that is nearly all holes."""
    with tempfile.NamedTemporaryFile() as file:
        file.truncate(WIDE)
        table = np.memmap(file.name, np.uint8, "r+", shape=(WIDE,))
        places = np.array([0, 5, 2**31 - 1, 2**31, WIDE - 1, 4096 * 77], np.int64)
        table[places] = [1, 2, 3, 4, 5, 6]
        for dtype in ("int64", "uint32", "uint64"):
            indices = np.tile(places, 500).astype(dtype)
            output = np.zeros(indices.size, np.uint8)
            status = gather(0, table, indices, output, threads)
            right = status == Status.Success and (output == np.tile([1, 2, 3, 4, 5, 6], 500)).all()
            yield f"wide {dtype}", None if right else f"{status!r}, wrong result"
            indices[1234] = WIDE
            output.fill(7)
            status = gather(0, table, indices, output, threads)
            kept = status == Status.IndexOutOfRange and (output == 7).all()
            yield f"wide {dtype}, bad", None if kept else f"{status!r}"
        del table


CHECKS: dict[str, Callable[[Problem, int], str | None]] = {
    "result": result,
    "failure": failure,
    "holes": holes,
    "pages": pages,
}


def main() -> None:
    sys.setswitchinterval(1e-4)  # the threads of `holes` take many turns
    checks, *counts = sys.argv[1:]
    for check in checks.split(","):
        failures = []
        done = 0
        for threads in map(int, counts):
            if check == "wide":
                found = list(wide(threads))
            else:
                found = [(p.name, CHECKS[check](p, threads)) for p in problems()]
            done += len(found)
            failures += [f"{threads} threads: {name}: {what}" for name, what in found if what]
        variant = text(lib.bnnspy_kernel_variant())
        told = {"check": check, "variant": variant, "done": done, "failures": failures}
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
