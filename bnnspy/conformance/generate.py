"""All calls of a run: the recorded ones, those made for an entry, and random ones from a seed."""

from __future__ import annotations

from bnnspy.conformance.calls import Call, recorded
from bnnspy.conformance.functions import DRAWS, MAKERS


def entry_calls() -> list[Call]:
    """The calls made for an entry, each named after it."""
    calls = []
    for entry, maker in MAKERS.items():
        for number, call in enumerate(maker(entry)):
            call["name"] = f"{entry}/{number}" + (f" {call['name']}" if call["name"] else "")
            calls.append(call)
    return calls


def all_calls(count: int, seed: int) -> list[Call]:
    """What a run makes; a seed gives the same random calls each time."""
    return [*recorded(), *entry_calls(), *random_calls(count, seed)]


def random_calls(count: int, seed: int) -> list[Call]:
    """So many calls, of each function that has a draw in turn."""
    draws = [DRAWS[function] for function in sorted(DRAWS)]
    return [draws[number % len(draws)](seed, number).call() for number in range(count)]
