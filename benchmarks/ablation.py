"""What each trick of a gather gains on this machine: the core with it, against one without.

    python benchmarks/ablation.py

Both are built with cc from src/ and take turns; the CPU time of one thread counts. The last rows
say what a promise costs: the pass over all indices before the first write.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import timing
import variants
from cases import CASES, Case
from numpy.typing import NDArray
from peers import bnns_view

NEVER = 1 << 40


@dataclass(frozen=True)
class Trick:
    """A trick, how the core is built and run without it, and the cases to show."""

    name: str
    cases: tuple[str, ...]
    without: dict[str, int] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)  # of the core without


TRICKS = (
    Trick("copies of literal size", ("B 1e3 from 1e3", "C 1e6 rows of 4"), {"LITERAL_RUNS": 0}),
    Trick(
        "indices used where they are",
        ("B 1e6 from 1e6", "B 1e7 from 3e7", "C 1e6 rows of 2", "E axis 1", "F 1e6 float16"),
        {"DIRECT": 0},
    ),
    Trick(
        "long rows copied by a loop of our own",
        (
            "G (8,64,56,56) axis 1",
            "H 16 rows of 1024, output at 0",
            "H 16 rows of 1024, output at 16",
        ),
        {"COPY_FROM": NEVER},
    ),
    Trick(
        "elements fetched ahead",
        ("B 1e7 from 3e7", "C 1e6 rows of 8", "F 1e7 float64", "F 4e6 complex128"),
        {"FETCH_FROM": NEVER},
    ),
    Trick(
        "rows fetched ahead",
        ("C 4096 rows of 768", "C 65536 rows of 64"),
        {"FETCH_FROM": NEVER},
    ),
    Trick("next tables fetched", ("D last axis of 4096x4096", "E axis 1"), {"TABLE_MOST": 0}),
    Trick(
        "indices and output fetched too",
        ("E axis 1", "E axis 1, int32", "G (8,64,56,56) axis 3"),
        {"FETCH_STREAMS": 0},
    ),
    Trick("packed columns", ("E axis 0",), {"COLUMNS_FROM": NEVER}),
    Trick(
        "tables in registers",
        ("G (8,64,56,56) axis 3",),
        environment={"BNNSPY_DISABLE_CPU": "avx512"},
    ),
)


def find(name: str) -> Case:
    """The case of that name."""
    return next(case for case in CASES if case.name == name)


class Builds:
    """The core, built once for each set of thresholds and environment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.count = 0
        self.case: Case | None = None
        self.made: tuple[NDArray[Any], ...] = ()

    def make(self, defines: dict[str, int], environment: dict[str, str], case: Case) -> timing.Call:
        """A call of a new build. The core looks at its environment at its first call."""
        table, indices, output = (bnns_view(array) for array in self.arrays(case))
        self.count += 1
        library = variants.build(self.folder, f"core{self.count}", defines)
        kept = {name: os.environ.get(name) for name in environment}
        os.environ.update(environment)
        call = variants.gather(library, case.axis, table, indices, output)
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        variants.compare(case.axis, table, indices, output)
        return call

    def arrays(self, case: Case) -> tuple[NDArray[Any], ...]:
        """The data of a case, made once for the builds that are compared."""
        if self.case is not case:
            self.case, self.made = case, case.make()
        return self.made


def promises(folder: Path, rounds: int) -> None:
    """The share of a call that goes into checking all indices first."""
    variants.ffi.cdef(
        """
        struct index_row {
            const char *place; ptrdiff_t step; size_t bound; int kind; bool wrap;
        };
        bool bnnspy_indices_sound(const struct index_row *row, size_t count);
        bool bnnspy_narrow(const struct index_row *row, size_t count, void *block);
        """
    )
    library = variants.build(folder, "promises", {})
    for name in ("B 1e6 from 1e6", "B 1e7 from 3e7", "E axis 1"):
        case = find(name)
        table, indices, output = case.make()
        place = variants.ffi.cast("char *", indices.ctypes.data)
        row = variants.ffi.new(
            "struct index_row *",
            {"place": place, "step": 8, "bound": case.shape[case.axis], "kind": 3},
        )
        calls = {
            "call": variants.gather(library, case.axis, table, indices, output),
            "check": partial(library.bnnspy_indices_sound, row, indices.size),
        }
        seconds = timing.medians(list(timing.rounds(calls, rounds, 1)))
        each = seconds["check"] / indices.size * 1e9
        share = seconds["check"] / seconds["call"]
        print(f"| checking first | {name} | {each:.2f} ns an index, {share:.0%} of the call |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="tricks whose name has this in it")
    options = parser.parse_args()
    print("| trick | case | time without / with |")
    print("| --- | --- | ---: |")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        builds = Builds(folder)
        for trick in (trick for trick in TRICKS if options.only in trick.name):
            for case in map(find, trick.cases):
                calls = {
                    "with": builds.make({}, {}, case),
                    "without": builds.make(trick.without, trick.environment, case),
                }
                seconds = timing.medians(list(timing.rounds(calls, options.rounds, 1)))
                gain = seconds["without"] / seconds["with"]
                print(f"| {trick.name} | {case.name} | {gain:.2f} |", flush=True)
        if options.only in "checking first":
            promises(folder, options.rounds)


if __name__ == "__main__":
    main()
