"""Makes descriptors and calls without end, failing ones among them, and looks at memory.

Run as a program, with the number of calls. It prints by how many KB the resident memory grew after
the first tenth, and ends with 1 when that is more than an allocator takes by itself.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from pathlib import Path

import numpy as np

from bnnspy import BNNS, BNNSGather, Error, FilterParameters, NDArrayDescriptor, Status

ALLOWED_KB = 512  # what an allocator may take or give back by itself
VALUES = np.arange(64, dtype=np.float32).reshape(16, 4)
GOOD, BAD = np.array([1, 15, 7], np.int32), np.array([1, 16, 7], np.int32)
OUTPUT = np.zeros((3, 4), np.float32)


def resident_kb() -> int:
    """Of this process."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE") // 1024


def ten_calls(number: int) -> None:
    """Through both faces; descriptors of borrowed and of own memory; three calls fail."""
    table = NDArrayDescriptor.from_array(VALUES)
    good, bad = NDArrayDescriptor.from_array(GOOD), NDArrayDescriptor.from_array(BAD)
    with NDArrayDescriptor.allocate_uninitialized(scalar_type=np.float32, shape=(3, 4)) as output:
        for _ in range(5):
            assert BNNSGather(0, table, good, output, None) == Status.Success
        assert BNNSGather(0, table, bad, output, None) == Status.IndexOutOfRange
        assert BNNSGather(number, table, good, output, None) == Status.InvalidParameter
        parameters = FilterParameters(n_threads=1)
        assert BNNSGather(0, table, good, output, parameters) == Status.Success
    BNNS.gather(input=VALUES, indices=GOOD, output=OUTPUT, axis=0)
    with contextlib.suppress(Error):
        BNNS.gather(input=VALUES, indices=BAD, output=OUTPUT, axis=0)


def main(calls: int) -> int:
    """The calls; the exit status."""
    logging.getLogger("bnnspy").disabled = True
    turns = calls // 10
    for turn in range(turns // 10):
        ten_calls(turn + 2)
    before = resident_kb()
    for turn in range(turns // 10, turns):
        ten_calls(turn + 2)
    grown = resident_kb() - before
    print(f"{turns * 10} calls, 3 in 10 failing: {grown} KB more than after the first tenth")
    return 1 if grown > ALLOWED_KB else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
