"""Timing that survives a shared machine: contenders take turns, each round in another order, and
the median of the rounds counts. For one thread the clock is the CPU time of that thread."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from itertools import repeat
from statistics import median
from typing import Any

Call = Callable[[], Any]

SAMPLE = 2e-3  # seconds that a sample lasts at least


def sample(call: Call, count: int, clock: Callable[[], float]) -> float:
    """Seconds a call, over `count` calls."""
    turns = repeat(None, count)
    start = clock()
    for _ in turns:
        call()
    return (clock() - start) / count


def calls_in_a_sample(call: Call, clock: Callable[[], float]) -> int:
    """So many that a sample is much longer than the clock's step."""
    count = 1
    while (seconds := sample(call, count, clock) * count) < SAMPLE and count < 1 << 20:
        count = max(2 * count, round(count * SAMPLE / max(seconds, SAMPLE / 64)))
    return count


def rounds(
    calls: dict[str, Call], number: int, threads: int, seed: int = 0
) -> Iterator[dict[str, float]]:
    """The samples of each round, in seconds a call."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    counts = {name: calls_in_a_sample(call, clock) for name, call in calls.items()}
    order = random.Random(seed)
    names = list(calls)
    for _ in range(number):
        order.shuffle(names)
        yield {name: sample(calls[name], counts[name], clock) for name in names}


def medians(samples: list[dict[str, float]]) -> dict[str, float]:
    """Each contender's median."""
    return {name: median(each[name] for each in samples) for name in samples[0]}
