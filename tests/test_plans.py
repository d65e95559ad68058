"""Every strategy of a gather: chosen when it is meant to be, right, and within its memory.

The heavy part runs in processes of its own, one for each kernel variant, since a variant is chosen
once a process and a fault there may be a crash.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import numpy as np
import pytest
from building import CORE, TESTS, Builder, core
from cffi import FFI
from plan_cases import STRATEGIES, Output, Problem, expected, problems
from running import FULL, good, run

from bnnspy import BNNSGather, FilterParameters, NDArrayDescriptor, Status

ROOT = Path(__file__).resolve().parents[1]
CHECKS = ("result", "failure", "holes", "pages", "wide")
THREADS = (1, 2, 7) if FULL else (2,)
MASKS = ("", "avx512", "avx512,avx2")

# With a small last cache outputs are streamed; with the other they stay there.
LAST_CACHE = {"": 1, "avx512": 64 << 20, "avx512,avx2": 1}

SECOND_CACHE = 1 << 20  # a table of 4 MB is one to be fetched from


def variant(mask: str, last_cache: int) -> dict[str, str]:
    """The environment in which a process takes another kernel variant, or another last cache."""
    caches = {"BNNSPY_LAST_CACHE": str(last_cache), "BNNSPY_SECOND_CACHE": str(SECOND_CACHE)}
    return {"BNNSPY_DISABLE_CPU": mask, **caches}


# --- what is chosen -------------------------------------------------------------------------------


@pytest.mark.parametrize("last_cache", sorted(set(LAST_CACHE.values())))
@pytest.mark.parametrize("mask", MASKS)
def test_plan_of_loops(mask: str, last_cache: int, builder: Builder) -> None:
    test = builder.objects([ROOT / "tests/c/plan/test_plan.c"], TESTS)
    program = builder.link("test_plan", [*test, *builder.core()])
    good([program], environment=variant(mask, last_cache))


@pytest.mark.parametrize("mask", MASKS)
def test_kernels(mask: str, builder: Builder) -> None:
    test = builder.objects([ROOT / "tests/c/plan/test_kernels.c"], TESTS)
    program = builder.link("test_kernels", [*test, *builder.core()])
    good([program], environment={"BNNSPY_DISABLE_CPU": mask})


@pytest.fixture(scope="module")
def probe(builder: Builder) -> Any:
    """The core as a library that tells the strategy of its last call."""
    plan = ROOT / "src/take/plan.c"
    objects = builder.objects([ROOT / "tests/c/plan/plan_probe.c"], TESTS)
    objects += builder.objects([plan], (*CORE, "-Dbnnspy_plan=bnnspy_plan_made"))
    objects += builder.objects([source for source in core() if source != plan], CORE)
    library = builder.link("probe.so", objects, ["-shared"])
    ffi = FFI()
    ffi.cdef(
        """
        int BNNSGather(size_t, void *, void *, void *, void *);
        const char *probe_strategy(void);
        """
    )
    return ffi, ffi.dlopen(str(library))


def test_problems_take_their_strategy(probe: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ffi, core = probe
    monkeypatch.setenv("BNNSPY_LAST_CACHE", "1")  # the library looks at its first call
    monkeypatch.setenv("BNNSPY_SECOND_CACHE", str(SECOND_CACHE))
    monkeypatch.delenv("BNNSPY_DISABLE_CPU", raising=False)
    taken: Counter[str] = Counter()
    for problem in problems():
        if problem.strategy == "registers" and "avx512" not in features():
            continue
        table, indices = problem.inputs()
        arrays = (table, indices, Output(problem).view)
        records = [NDArrayDescriptor.from_array(array)._record for array in arrays]
        pointers = [ffi.cast("void *", int(FFI().cast("intptr_t", r[0]))) for r in records]
        assert core.BNNSGather(problem.axis, *pointers, ffi.NULL) == 0, problem.name
        strategy = ffi.string(core.probe_strategy()).decode()
        # One sweep that fits a block of private indices goes without a plan.
        few = problem.count <= 1024
        assert strategy == problem.strategy or (strategy == "small" and few), problem.name
        taken[strategy] += 1
    wanted = {*STRATEGIES, "small"}
    assert set(taken) == (wanted if "avx512" in features() else wanted - {"registers"})


# --- every variant --------------------------------------------------------------------------------


@cache
def features() -> set[str]:
    """The kernel variants that this processor can run, by what the system says of it."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return {"portable"}
    if sys.platform == "darwin":
        command = ["sysctl", "-n", "machdep.cpu.features", "machdep.cpu.leaf7_features"]
        flags = set(subprocess.check_output(command, text=True).lower().split())
    else:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        flags = set(next(line for line in lines if line.startswith("flags")).split())
    found = {"portable"}
    if "avx2" in flags:
        found.add("avx2")
    if {"avx512f", "avx512vl", "avx512bw", "avx512dq"} <= flags:
        found.add("avx512")
    return found


def variant_under(mask: str) -> str:
    """What has to be selected under a mask."""
    left = features() - set(mask.split(","))
    return next(name for name in ("avx512", "avx2", "portable") if name in left)


def test_every_variant_of_this_processor_is_under_test() -> None:
    assert {variant_under(mask) for mask in MASKS} == features()


@cache
def checked(mask: str) -> CompletedProcess[str]:
    """All checks under a mask; one that crashes leaves no line, nor do those that follow it."""
    script = ROOT / "tests/plan_checks.py"
    words = [sys.executable, script, ",".join(CHECKS), *map(str, THREADS)]
    return run(words, environment=variant(mask, LAST_CACHE[mask]))


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("mask", MASKS)
def test_every_strategy(check: str, mask: str) -> None:
    done = checked(mask)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    if not any(found["check"] == check for found in told):
        pytest.fail(f"exit status {done.returncode}\n{done.stderr}")
    (found,) = (found for found in told if found["check"] == check)
    assert found["variant"] == variant_under(mask)
    assert found["done"] >= len(THREADS) * (6 if check == "wide" else len(problems()))
    assert found["failures"] == []


# --- the allocator --------------------------------------------------------------------------------


class Allocator:
    """Memory through Python callables: counted, and on request refused in one of several ways."""

    def __init__(self, manner: str = "works") -> None:
        self.ffi = FFI()
        self.manner = manner
        self.asked: list[tuple[int, int]] = []
        self.given: list[int] = []
        self.freed: list[int] = []
        self.blocks: list[Any] = []

    def allocate(self, place: Any, alignment: int, size: int) -> int:
        self.asked.append((alignment, size))
        if self.manner == "fails" or (self.manner == "fails second" and len(self.asked) == 2):
            return 12
        if self.manner == "raises":
            raise MemoryError("none left")
        if self.manner == "NULL":
            return 0
        block = self.ffi.new("char[]", size + 2 * alignment)
        self.blocks.append(block)
        address = int(self.ffi.cast("intptr_t", block))
        address += -address % alignment + (8 if self.manner == "misaligned" else 0)
        self.given.append(address)
        place[0] = self.ffi.cast("void *", address)
        return 0

    def free(self, memory: Any) -> None:
        self.freed.append(int(memory))

    def run(self, problem: Problem, threads: int) -> None:
        """Gathers, and compares with NumPy."""
        table, indices = problem.inputs()
        output = Output(problem)
        arrays = [NDArrayDescriptor.from_array(a) for a in (table, indices, output.view)]
        parameters = FilterParameters(
            n_threads=threads, alloc_memory=self.allocate, free_memory=self.free
        )
        assert BNNSGather(problem.axis, *arrays, parameters) == Status.Success
        assert output.view.tobytes() == expected(problem, table, indices).tobytes()
        assert output.only_elements_changed()
        assert self.freed == self.given


COLUMNS = Problem("columns", (1030, 530), 0, 1030, elementwise=True)
WORKSPACE = Problem("workspace", (9, 3000), 1, 2077)


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("problem", [COLUMNS, WORKSPACE], ids=lambda p: p.strategy)
def test_workspace_comes_from_the_allocator(problem: Problem, threads: int) -> None:
    allocator = Allocator()
    allocator.run(problem, threads)
    assert len(allocator.asked) == threads
    for alignment, size in allocator.asked:
        assert alignment == 64
        assert 0 < size <= 1 << 20


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("manner", ["fails", "fails second", "misaligned", "NULL", "raises"])
@pytest.mark.parametrize("problem", [COLUMNS, WORKSPACE], ids=lambda p: p.strategy)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_call_works_without_a_workspace(
    problem: Problem, manner: str, threads: int, capfd: pytest.CaptureFixture[str]
) -> None:
    allocator = Allocator(manner)
    allocator.run(problem, threads)
    assert allocator.asked  # more than once is useless, but allowed


def test_nothing_is_allocated_where_no_workspace_is_wanted() -> None:
    wants = {"columns", "workspace"}
    for problem in problems():
        if problem.strategy not in wants:
            allocator = Allocator()
            allocator.run(problem, 1)
            assert allocator.asked == [], problem.name


def test_a_failing_call_gives_its_workspace_back() -> None:
    for problem in (COLUMNS, WORKSPACE):
        table, indices = problem.inputs()
        indices.flat[-1] = problem.shape[problem.axis]
        output = Output(problem)
        arrays = [NDArrayDescriptor.from_array(a) for a in (table, indices, output.view)]
        for threads in (1, 2):
            allocator = Allocator()
            parameters = FilterParameters(
                n_threads=threads, alloc_memory=allocator.allocate, free_memory=allocator.free
            )
            status = BNNSGather(problem.axis, *arrays, parameters)
            assert status == Status.IndexOutOfRange
            assert allocator.freed == allocator.given
            assert output.untouched()


# --- the problems of the benchmark ----------------------------------------------------------------


def test_benchmark_problems_at_small_sizes() -> None:
    from cases import CASES

    for case in CASES:
        for threads in (1, 2):
            table, indices, output = case.small().make()
            wanted = (
                np.take_along_axis(table, indices, case.axis)
                if case.elementwise
                else np.take(table, indices, case.axis)
            )
            if table.dtype.itemsize >= 8 and table.dtype.kind in "fc":
                # No BNNS types: their bits go through as words.
                table, output = (a.view(np.uint64).reshape(len(a), -1) for a in (table, output))
            arrays = [NDArrayDescriptor.from_array(a) for a in (table, indices, output)]
            parameters = FilterParameters(n_threads=threads)
            assert BNNSGather(case.axis, *arrays, parameters) == Status.Success
            assert output.tobytes() == wanted.tobytes(), case.name


def test_everybody_in_the_benchmark_has_the_same_result() -> None:
    """Contenders that disagree with NumPy are an error, before anything is timed."""
    import bare
    import peers
    from cases import CASES

    for case in CASES:
        calls = peers.contenders(case.small(), *case.small().make(), 1)
        assert {peers.OURS, peers.MEMCPY, *bare.NAMES} <= set(calls), case.name
        assert any(peers.checks(name) for name in calls), case.name
