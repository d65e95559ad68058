"""Two threads gather, a third rewrites their indices, a fourth their descriptors.

Run as a program, with the number of seconds. It prints how often each status came, and ends with 1
when a byte came from outside the input or went outside the output, or a thread raised anything.
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from bnnspy import BNNSGather, DataLayout, DataType, NDArrayDescriptor, last_error

INPUT, FILL, OUTSIDE, GUARD = 0x11, 0x22, 0xEE, 0x33
ROWS, WIDTH, COUNT = 256, 64, 16384  # rows of bytes, and how many of them are gathered
MARGIN = 1 << 16
PAUSE = 0.0001
# Out of range: near enough to read the margin, and far enough to end the process.
HUGE = [ROWS, ROWS + 5, -1, -7, 2**31, 2**40, 2**62, -(2**63), 2**63 - 1]


def fresh_input() -> Any:
    """The input, with bytes around it that no output may ever show."""
    arena = np.full(ROWS * WIDTH + 2 * MARGIN, OUTSIDE, np.uint8)
    arena[MARGIN:-MARGIN] = INPUT
    return arena[MARGIN:-MARGIN]


class Race:
    """The descriptors that all threads share, and what came of it."""

    def __init__(self) -> None:
        self.indices = np.zeros(COUNT, np.int64)
        bytes_ = {"layout": DataLayout.Tensor2DFirstMajor, "data_type": DataType.UInt8}
        self.input = NDArrayDescriptor(**bytes_, size=(ROWS, WIDTH), data=fresh_input())
        self.picks = NDArrayDescriptor(
            layout=DataLayout.Vector, size=COUNT, data_type=DataType.Int64, data=self.indices
        )
        self.arenas = [np.full(COUNT * WIDTH + 2 * MARGIN, GUARD, np.uint8) for _ in range(2)]
        self.outputs = []
        for arena in self.arenas:
            arena[MARGIN:-MARGIN] = FILL
            body = arena[MARGIN:-MARGIN]
            self.outputs.append(NDArrayDescriptor(**bytes_, size=(COUNT, WIDTH), data=body))
        self.stop = threading.Event()
        self.statuses: Counter[int] = Counter()
        self.met = 0  # calls whose indices changed between check and use
        self.faults: list[str] = []

    def gather(self, number: int) -> None:
        status = BNNSGather(0, self.input, self.picks, self.outputs[number], None)
        self.statuses[int(status)] += 1
        if status and "changed during" in last_error():
            self.met += 1
        arena = self.arenas[number]
        body = arena[MARGIN:-MARGIN]
        if not ((body == INPUT) | (body == FILL)).all():
            self.faults.append("a byte from outside the input")
        if (arena[:MARGIN] != GUARD).any() or (arena[-MARGIN:] != GUARD).any():
            self.faults.append("a byte outside the output")

    def rewrite(self, turn: int) -> None:
        self.indices[:] = turn % ROWS
        time.sleep(PAUSE)
        self.indices[turn % 7 :: 7] = HUGE[turn % len(HUGE)]

    def meddle(self, turn: int) -> None:
        shared = [self.input, self.picks, *self.outputs][turn % 4]
        if turn % 3 == 0:
            size = shared.size
            shared.size = (size[0] // 2, size[1])
            time.sleep(PAUSE)
            shared.layout = DataLayout.Tensor3DLastMajor
            time.sleep(PAUSE)
            shared.layout, shared.size = self.right(shared)
        elif turn % 3 == 1:
            data = fresh_input() if shared is self.input else shared.data
            shared.deallocate()
            time.sleep(PAUSE)
            shared.data = data
        else:
            shared.stride = (300, 1)
            time.sleep(PAUSE)
            shared.stride = ()
        time.sleep(4 * PAUSE)

    def right(self, shared: NDArrayDescriptor) -> tuple[DataLayout, tuple[int, ...]]:
        """The layout and size that the descriptor had in the beginning."""
        if shared is self.picks:
            return DataLayout.Vector, (COUNT,)
        rows = ROWS if shared is self.input else COUNT
        return DataLayout.Tensor2DFirstMajor, (rows, WIDTH)

    def until_stopped(self, step: Callable[[int], None]) -> None:
        turn = 0
        try:
            while not self.stop.is_set():
                step(turn)
                turn += 1
        except BaseException:
            self.faults.append(traceback.format_exc())
            self.stop.set()


def main(seconds: float) -> int:
    """Runs the race; the exit status."""
    race = Race()
    steps = [lambda _: race.gather(0), lambda _: race.gather(1), race.rewrite, race.meddle]
    threads = [threading.Thread(target=race.until_stopped, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    race.stop.wait(seconds)
    race.stop.set()
    for thread in threads:
        thread.join()
    for status, count in sorted(race.statuses.items()):
        print(f"{status}: {count}")
    print(f"changed during the call: {race.met}")
    for fault in sorted(set(race.faults)):
        print(fault)
    return 1 if race.faults else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
