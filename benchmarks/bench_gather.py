"""Gathers against every peer that is installed, and against memcpy of the output.

    python benchmarks/bench_gather.py                    all cases, one thread
    python benchmarks/bench_gather.py --threads 2        and against one thread of our own
    python benchmarks/bench_gather.py --case "E" --quick

Peers are numpy (raise, which checks its indices; clip, which does not), torch and onnxruntime. All
fill outputs that exist before, their results are compared before they are timed, and they take
turns in one process. Prints a table; writes results.json and, with matplotlib, results.png.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bare
import chart
import peers
import timing
from cases import CASES, Case

from bnnspy import command_line
from bnnspy._bnns import ffi, lib

ROUNDS, QUICK_ROUNDS = 11, 5
NEAR = 1.15  # met within so much: other programs share the machine

# Settings that make a peer another peer.
VARIABLES = (
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
    "OMP_NUM_THREADS",
    "BNNSPY_DISABLE_CPU",
    "BNNSPY_LAST_CACHE",
    "BNNSPY_NUM_THREADS",
)

NOTES = (
    "best checking: the fastest peer that reports a bad index; clip: numpy's mode='clip', which "
    "does not (the faster of function and method).",
    "bare loop: C that checks no index and promises nothing, the faster of fetching ahead and not.",
    f"target: time over the fastest peer of all, clip included; met within {NEAR - 1:.0%}.",
    "float64 and complex128 are no BNNS types: their bits go through as UInt64, complex ones as "
    "rows of two.",
    "np.take_along_axis has no out= and pays for new memory.",
)


def last_cache() -> str:
    """Size of the last cache as the system tells it."""
    sizes = sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"))
    return sizes[-1].read_text().strip() if sizes else "unknown"


def machine() -> dict[str, Any]:
    """What the figures belong to."""
    model = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        lines = information.read_text().splitlines()
        model = next(
            (x.split(":", 1)[1].strip() for x in lines if x.startswith("model name")), model
        )
    return {
        "cpu": model,
        "cpus": lib.bnnspy_num_threads(),
        "last_cache": last_cache(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "kernels": ffi.string(lib.bnnspy_kernel_variant()).decode(),
        "versions": peers.versions(),
        "environment": {name: os.environ[name] for name in VARIABLES if name in os.environ},
    }


def row(case: Case, seconds: dict[str, float], threads: int) -> dict[str, Any]:
    """The figures of a case: ratios of our time to others'."""
    ours = seconds[peers.OURS]
    checking = {name: t for name, t in seconds.items() if peers.checks(name)}
    best = min(checking, key=checking.__getitem__)
    clip = min((seconds[name] for name in peers.CLIPS if name in seconds), default=None)
    loop = min((seconds[name] for name in bare.NAMES if name in seconds), default=None)
    over_best = ours / min(checking[best], clip or checking[best])
    raising = min((t for name, t in checking.items() if name in peers.RAISES), default=None)
    met = over_best <= case.target * NEAR
    if case.raise_target is not None and raising is not None:
        met = met and ours / raising <= case.raise_target * NEAR
    found: dict[str, Any] = {
        "case": case.name,
        "us": ours * 1e6,
        "over_memcpy": ours / seconds[peers.MEMCPY],
        "best_checking": best,
        "over_checking": ours / checking[best],
        "over_clip": ours / clip if clip else None,
        "over_bare": ours / loop if loop else None,
        "over_best": over_best,
        "target": case.target,
        "met": met,
        "seconds": seconds,
    }
    if threads > 1:
        found["speedup"] = seconds[peers.OURS_ALONE] / ours
        found["speedup_target"] = case.speedup
    return found


def measure(case: Case, threads: int, number: int, tick: Callable[[], None]) -> dict[str, Any]:
    """Makes a case's data, compares all results, and times."""
    table, indices, output = case.make()
    calls = peers.contenders(case, table, indices, output, threads)
    samples = []
    for each in timing.rounds(calls, number, threads):
        samples.append(each)
        tick()
    calls.clear()
    gc.collect()
    return row(case, timing.medians(samples), threads)


@contextmanager
def progress(cases: list[Case], number: int) -> Iterator[Callable[[str], Callable[[], None]]]:
    """Shows how far it is: a bar where rich is installed, else a line a case."""
    try:
        from rich.console import Console
        from rich.progress import Progress, TimeElapsedColumn
    except ImportError:

        def plain(name: str) -> Callable[[], None]:
            print(f"measuring {name}", file=sys.stderr, flush=True)
            return lambda: None

        yield plain
        return
    console = Console(stderr=True)
    with Progress(
        *Progress.get_default_columns(), TimeElapsedColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task("", total=len(cases) * number)

        def begin(name: str) -> Callable[[], None]:
            bar.update(task, description=name)
            return lambda: bar.advance(task)

        yield begin


def ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def time_of(us: float) -> str:
    return f"{us:.2f} us" if us < 100 else f"{us / 1000:.2f} ms"


def table_text(rows: list[dict[str, Any]]) -> str:
    """The table, as Markdown."""
    threads = "speedup" in rows[0]
    head = [
        "case",
        "time",
        "x memcpy",
        "x best checking peer",
        "x clip",
        "x bare loop",
        "target",
        "met",
    ]
    head += ["x one thread", "its target"] if threads else []
    lines = [head]
    for each in rows:
        line = [
            each["case"],
            time_of(each["us"]),
            ratio(each["over_memcpy"]),
            f"{each['over_checking']:.2f} ({each['best_checking']})",
            ratio(each["over_clip"]),
            ratio(each["over_bare"]),
            ratio(each["target"]),
            "yes" if each["met"] else "no",
        ]
        if threads:
            line += [ratio(each["speedup"]), ratio(each["speedup_target"])]
        lines.append(line)
    widths = [max(len(line[k]) for line in lines) for k in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    text = [
        "| "
        + " | ".join(
            cell.ljust(w) if k == 0 else cell.rjust(w)
            for k, (cell, w) in enumerate(zip(line, widths, strict=True))
        )
        + " |"
        for line in [lines[0], rule, *lines[1:]]
    ]
    return "\n".join(text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", action="append", help="cases whose name has this in it")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds, not {ROUNDS}")
    parser.add_argument("--list", action="store_true", help="the cases, and no more")
    folder = Path(__file__).resolve().parent / "results"
    parser.add_argument("--out", type=Path, default=folder, help="folder for JSON and chart")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    wanted = options.case or [""]
    cases = [case for case in CASES if any(part in case.name for part in wanted)]
    if options.list or not cases:
        print("\n".join(case.name for case in (cases or CASES)))
        sys.exit(0 if cases else f"no case has {' or '.join(wanted)} in its name")
    number = QUICK_ROUNDS if options.quick else ROUNDS
    about = machine() | {"threads": options.threads, "rounds": number}
    print(
        f"{about['cpu']}, {about['kernels']} kernels, threads: {options.threads}, "
        f"medians of {number} rounds"
    )
    print(", ".join(f"{name} {version}" for name, version in about["versions"].items()))
    for name, value in about["environment"].items():
        print(f"set: {name}={value}")
    rows = []
    with progress(cases, number) as begin:
        for case in cases:
            rows.append(measure(case, options.threads, number, begin(case.name)))
    print(table_text(rows))
    print("\n".join(NOTES))
    options.out.mkdir(parents=True, exist_ok=True)
    name = f"gather-{options.threads}"
    result = {"machine": about, "rows": rows}
    (options.out / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    if chart.draw(result, options.out / f"{name}.png"):
        print(f"written: {options.out / name}.json and .png")
    else:
        print(f"written: {options.out / name}.json (a chart needs matplotlib)")


if __name__ == "__main__":
    sys.exit(command_line.run(main, [Path(__file__).name]))
