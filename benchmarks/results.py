"""What bench_gather.py has measured: one JSON file a machine, variant of the kernels and number of
threads, which keeps the runs of each case; and the ratios that tables and charts show.

A file is {"machine": about it, "runs": {case: [{contender: seconds}, ...]}}.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bare
import peers

FOLDER = Path(__file__).resolve().parent / "results"
GOOD_CHECKING, GOOD_BARE = 1.0, 1.1

Seconds = dict[str, float]


@dataclass(frozen=True)
class Row:
    """A case: time over that of others, of all runs the worst, and the median time itself."""

    case: str
    seconds: float
    memcpy: float
    checking: float
    peer: str  # the best that checks, in the run that was worst for us
    clip: float | None
    bare: float | None
    alone: float | None  # one thread of our own over these threads

    @property
    def good(self) -> bool:
        """No slower than the best peer that checks, and hardly slower than a loop that does not."""
        return self.checking <= GOOD_CHECKING and (self.bare or 0) <= GOOD_BARE


def over(seconds: Seconds, names: tuple[str, ...]) -> float | None:
    """Our time over that of the fastest of these which took part."""
    times = [seconds[name] for name in names if name in seconds]
    return seconds[peers.OURS] / min(times) if times else None


def worst(ratios: list[float | None]) -> float | None:
    """The largest of those that are there."""
    return max((ratio for ratio in ratios if ratio is not None), default=None)


def row(case: str, runs: list[Seconds]) -> Row:
    """The figures of a case."""
    checking = []
    for run in runs:
        times = {name: t for name, t in run.items() if peers.checks(name)}
        best = min(times, key=times.__getitem__)
        checking.append((run[peers.OURS] / times[best], best))
    ratio, peer = max(checking)
    alone = [run[peers.OURS_ALONE] / run[peers.OURS] for run in runs if peers.OURS_ALONE in run]
    return Row(
        case,
        sorted(run[peers.OURS] for run in runs)[len(runs) // 2],
        max(run[peers.OURS] / run[peers.MEMCPY] for run in runs),
        ratio,
        peer,
        worst([over(run, peers.CLIPS) for run in runs]),
        worst([over(run, tuple(bare.NAMES)) for run in runs]),
        min(alone, default=None),
    )


def name_of(machine: dict[str, Any]) -> str:
    """The file of a machine, its kernels and its threads, without an ending."""
    cpu = re.sub(r"\W+", "-", machine["cpu"].lower().replace("(r)", "")).strip("-")
    return f"{cpu}-{machine['kernels']}-{machine['threads']}"


def load(path: Path) -> dict[str, Any]:
    """A file of results, or an empty one."""
    if not path.exists():
        return {"machine": {}, "runs": {}}
    loaded: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return loaded


def add(folder: Path, machine: dict[str, Any], run: dict[str, Seconds], keep: int) -> Path:
    """Adds a run of some cases, of which the last `keep` stay."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name_of(machine)}.json"
    result = load(path)
    result["machine"] = machine
    for case, seconds in run.items():
        rounded = {name: float(f"{value:.4g}") for name, value in seconds.items()}
        result["runs"][case] = [*result["runs"].get(case, []), rounded][-keep:]
    path.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    return path


def rows(result: dict[str, Any], order: tuple[str, ...]) -> list[Row]:
    """The figures of a file, in the order of these cases."""
    return [row(case, result["runs"][case]) for case in order if case in result["runs"]]
