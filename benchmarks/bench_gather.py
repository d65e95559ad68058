"""Gathers against every peer that is installed, and against memcpy of the output.

    python benchmarks/bench_gather.py                    all cases, one thread
    python benchmarks/bench_gather.py --threads 2        and against one thread of our own
    python benchmarks/bench_gather.py --case "E" --quick

Peers are numpy (raise, which checks its indices; clip, which does not), torch and onnxruntime. All
fill outputs that exist before, their results are compared before they are timed, and they take
turns in one process. Prints a table, and adds the run to the file of this machine and its kernels
in benchmarks/results, which keeps the last three of each case; report.py makes tables and charts of
them. BNNSPY_DISABLE_CPU=avx512 or avx512,avx2 measures the other kernels.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import peers
import report
import results
import timing
from cases import CASES, Case

from bnnspy._bnns import ffi, lib

ROUNDS, QUICK_ROUNDS = 11, 5
RUNS = 3  # that are kept of a case

# Settings that make a peer another peer.
VARIABLES = (
    "OPENBLAS_CORETYPE",
    "OPENBLAS_L2_SIZE",
    "OMP_NUM_THREADS",
    "BNNSPY_DISABLE_CPU",
    "BNNSPY_LAST_CACHE",
    "BNNSPY_SECOND_CACHE",
    "BNNSPY_NUM_THREADS",
)

NOTES = (
    "best checking: the fastest peer that reports a bad index; clip: numpy's mode='clip', which "
    "does not (the faster of function and method).",
    "bare loop: C that checks no index and promises nothing, the faster of fetching ahead and not.",
    f"good: at most {results.GOOD_CHECKING} of the best checking peer and {results.GOOD_BARE} of "
    "the bare loop.",
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


def measure(case: Case, threads: int, number: int, tick: Callable[[], None]) -> results.Seconds:
    """Makes a case's data, compares all results, and times: medians."""
    table, indices, output = case.make()
    calls = peers.contenders(case, table, indices, output, threads)
    samples = []
    for each in timing.rounds(calls, number, threads):
        samples.append(each)
        tick()
    calls.clear()
    gc.collect()
    return timing.medians(samples)


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


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--case", action="append", help="cases whose name has this in it")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ROUNDS} rounds, not {ROUNDS}")
    parser.add_argument("--list", action="store_true", help="the cases, and no more")
    parser.add_argument("--out", type=Path, default=results.FOLDER, help="folder of the results")
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
    run = {}
    with progress(cases, number) as begin:
        for case in cases:
            run[case.name] = measure(case, options.threads, number, begin(case.name))
    print(report.table([results.row(case, [seconds]) for case, seconds in run.items()]))
    print("\n".join(NOTES))
    print(f"added to {results.add(options.out, about, run, RUNS)}")


if __name__ == "__main__":
    main()
