"""The parts of tests/prove that need no Python package: sanitizers, fuzzing, other machines."""

from __future__ import annotations

import itertools
import json
import platform
import re
import shutil
from pathlib import Path

from .build import (
    SMALL_ENVIRONMENT,
    SMALL_FLAGS,
    WARNINGS,
    build,
    core,
    fuzzer,
    planted,
    promises,
    units,
)
from .common import ROOT, Failed, Part, Run, Skipped, program

PLAIN = ("-O2", "-g", *WARNINGS)
# -fno-sanitize-recover: a finding ends the program, so that it is a failure here.
ADDRESS = ("-O1", "-g", *WARNINGS, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
THREAD = ("-O1", "-g", *WARNINGS, "-fsanitize=thread")
CORPUS = ROOT / "tests/fuzz/corpus"


def figures(output: str) -> str:
    """The numbers of calls that the parts of a C test print, added up."""
    calls = sum(int(n) for n in re.findall(r"\b(\d+) (?:calls|checks|children|inputs)", output))
    left_out = len(re.findall(r"left out", output))
    return f"{calls} calls and checks" + (f", {left_out} left out" if left_out else "")


def scale(run: Run, bounded: int, full: int) -> str:
    """The percentage that the promises take."""
    return f"-{bounded if run.bounded else full}"


def corpus() -> list[Path]:
    """The inputs of the fuzzer that are kept."""
    return sorted(path for path in CORPUS.iterdir() if path.is_file())


# --- on this machine ------------------------------------------------------------------------------


def plain(run: Run) -> str:
    """As the library is built, and with an allocator that counts (glibc has the names it needs)."""
    counts = platform.libc_ver()[0] == "glibc"
    count = ("-DCOUNT_ALLOCATIONS",) if counts else ()
    first = run.good([build(run, "units", program("cc"), PLAIN, units())])
    test = build(run, "promises", program("cc"), PLAIN + count, promises(), core_flags=PLAIN)
    second = run.good([test, scale(run, 50, 200)])
    told = re.search(r"allocation: (.*)", second)
    return f"{figures(first + second)}; {told[1] if told else ''}"


def asan(run: Run) -> str:
    """Every strategy at small sizes, and the fuzzer's corpus."""
    flags, cc = ADDRESS + SMALL_FLAGS, program("cc")
    first = run.good([build(run, "units-asan", cc, flags, units())])
    test = build(run, "promises-asan", cc, flags, promises())
    second = run.good([test, scale(run, 15, 100)], 3600, SMALL_ENVIRONMENT)
    replay = build(run, "replay-asan", cc, (*flags, "-DREPLAY"), fuzzer(), core_flags=flags)
    third = run.good([replay, *corpus()])
    return figures(first + second + third)


def tsan(run: Run) -> str:
    """The parts with threads; fork after threads is what this sanitizer can't follow."""
    flags = THREAD + SMALL_FLAGS
    test = build(run, "promises-tsan", program("cc"), flags, promises())
    # Newer kernels place memory where the sanitizer of older compilers does not expect it.
    still = ["setarch", platform.machine(), "-R"] if shutil.which("setarch") else []
    parts = ["sharing", "rewriting", "signals", "allocators"]
    done = run.good(
        [*still, test, scale(run, 30, 100), *parts], 3600, {"TSAN_OPTIONS": "exitcode=66"}
    )
    return f"{figures(done)}, no race reported"


def musl(run: Run) -> str:
    """Another C library: the C example, the unit tests, all promises and the fuzzer's corpus."""
    cc, strict = ["musl-gcc"], (*PLAIN, "-Wconversion")
    example = build(run, "example-musl", cc, PLAIN, [ROOT / "examples/gather.c"], core_flags=strict)
    shown = run.good([example])
    if not shown.startswith("vector: 20 40 80 60\nmatrix: 10 20 60 40 80 80\n"):
        raise Failed(f"examples/gather.c printed\n{shown}")
    output = run.good([build(run, "units-musl", cc, PLAIN, units(), core_flags=strict)])
    test = build(run, "promises-musl", cc, PLAIN, promises(), core_flags=strict)
    output += run.good([test, scale(run, 10, 100)], 1800)
    small = PLAIN + SMALL_FLAGS
    replay = build(run, "replay-musl", cc, (*small, "-DREPLAY"), fuzzer(), core_flags=small)
    output += run.good([replay, *corpus()])
    return f"the example; {figures(output)}"


def valgrind(run: Run) -> str:
    """memcheck: reads of what was never written, and leaks, which sanitizers do not look for."""
    flags = ("-O1", "-g", *WARNINGS, *SMALL_FLAGS)
    check = ["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full"]
    # Not "possible": that is what the C library keeps of threads that have ended.
    check += ["--errors-for-leak-kinds=definite,indirect", "--trace-children=yes"]
    cc = program("cc")
    # The emulated processor has no AVX-512; the portable kernels are what is looked at.
    environment = SMALL_ENVIRONMENT | {"BNNSPY_DISABLE_CPU": "avx2,avx512"}
    slow = ["random", "faults", "allocators", "sharing", "rewriting", "fork", "signals"]
    test = build(run, "promises-valgrind", cc, flags, promises())
    first = run.good([*check, test, scale(run, 2, 20), *slow], 3600, environment)
    names = ["layouts", "data_sizes", "bounds", "errors", "gather"]
    unit = build(run, "units-valgrind", cc, flags, units())
    second = "".join(run.good([*check, unit, name], 3600, environment) for name in names)
    return f"{figures(first + second)}, no error and no leak"


def compilers(run: Run) -> str:
    """Bare compilers at four levels of optimisation, with their warnings as errors."""
    found = [name for name in ("cc", "clang") if shutil.which(program(name)[0])]
    done = []
    for name, level in itertools.product(found, ("-O0", "-O1", "-O2", "-O3")):
        # Hidden, as the package is built: compilers look further into functions then.
        flags = (level, "-fvisibility=hidden", *WARNINGS, "-Wconversion")
        tests = tuple(flag for flag in flags if flag != "-Wconversion")
        unit = build(run, f"units-{name}{level}", program(name), tests, units(), core_flags=flags)
        run.good([unit, "gather"])
        test = build(run, f"promises-{name}{level}", program(name), tests, promises(), (), flags)
        run.good([test, scale(run, 5, 50), "random", "faults", "sharing"])
        done.append(f"{name} {level}")
    missing = {"cc", "clang"} - set(found)
    return f"{', '.join(done)}" + (f"; without {', '.join(missing)}" if missing else "")


# --- fuzzing --------------------------------------------------------------------------------------

FUZZING = ("-O1", "-g", "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=all")
FUZZED = ("-fsanitize=fuzzer",)
COVERED = ("-O1", "-g", "-fprofile-instr-generate", "-fcoverage-mapping")
LEAST_COVERED = 50  # percent of the lines of each file that the fuzzer has to reach
# What makes an input, and what only a face or the start of a process calls.
NOT_AN_OP = ("version.c", "cache.c", "kernels.h", "check.h", "compiler.h", "thresholds.h")


def fuzz_build(run: Run, plant: tuple[str, str, str] | None = None) -> Path:
    """The fuzzer under both sanitizers, perhaps with something planted into the core."""
    flags, library = FUZZING + SMALL_FLAGS, core()
    name = "fuzzer"
    if plant is not None:
        name += plant[0].replace("/", "-") + str(abs(hash(plant)))
        library = [f for f in library if f != ROOT / "src" / plant[0]] + [planted(run, plant)]
        flags = (*flags, f"-I{(ROOT / 'src' / plant[0]).parent}")
        # The same flags for all of them, so that only the planted file is another object.
        return build(
            run, name, program("clang"), FUZZING + SMALL_FLAGS, fuzzer(), FUZZED, library=library
        )
    return build(run, name, program("clang"), flags, fuzzer(), FUZZED)


def fuzz_once(
    run: Run, binary: Path, seconds: int, folder: str, mask: str, seed: int
) -> tuple[int, str]:
    """Fuzzes for some seconds from the corpus; the status and the output."""
    found, artifacts = run.folder / folder, run.folder / f"{folder}-found"
    found.mkdir(exist_ok=True)
    artifacts.mkdir(exist_ok=True)
    options = [f"-max_total_time={seconds}", "-max_len=160", f"-seed={seed}", "-timeout=20"]
    options += ["-print_final_stats=1", f"-artifact_prefix={artifacts}/", "-verbosity=0"]
    done = run.call([binary, *options, found, CORPUS], seconds + 300, {"BNNSPY_DISABLE_CPU": mask})
    return done.returncode, done.stdout


def lines_covered(run: Run, folders: list[Path]) -> dict[str, float]:
    """Percent of the lines of each file of the core that inputs reach."""
    for tool in ("llvm-cov", "llvm-profdata"):
        run.require(tool)
    flags = COVERED + SMALL_FLAGS
    binary = build(
        run, "covered", program("clang"), (*flags, "-DREPLAY"), fuzzer(), core_flags=flags
    )
    files = [path for folder in folders for path in sorted(folder.iterdir()) if path.is_file()]
    profiles = []
    for n, mask in enumerate(("", "avx512", "avx512,avx2")):
        profile = run.folder / f"covered-{n}.profraw"
        environment = {"LLVM_PROFILE_FILE": str(profile), "BNNSPY_DISABLE_CPU": mask}
        for k in range(0, len(files), 2000):
            part = run.folder / f"covered-{n}-{k}.profraw"
            environment["LLVM_PROFILE_FILE"] = str(part)
            run.good([binary, *files[k : k + 2000]], environment=environment)
            profiles.append(part)
    merged = run.folder / "covered.profdata"
    run.good(["llvm-profdata", "merge", *profiles, "-o", merged])
    export = [
        "llvm-cov",
        "export",
        "-summary-only",
        f"-instr-profile={merged}",
        binary,
        ROOT / "src",
    ]
    told = json.loads(run.good(export))
    percent = {}
    for file in told["data"][0]["files"]:
        name = str(Path(file["filename"]).relative_to(ROOT / "src"))
        lines = file["summary"]["lines"]
        if lines["count"] > 0 and name.endswith(".c") and name not in NOT_AN_OP:
            percent[name] = lines["percent"]
    return percent


def fuzz(run: Run) -> str:
    """Two runs, with the best kernels and with the portable ones; then the lines are counted."""
    seconds = run.seconds or (50 if run.bounded else 300)
    binary, inputs = fuzz_build(run), 0
    for folder, mask in (("best", ""), ("portable", "avx512,avx2")):
        status, output = fuzz_once(run, binary, seconds, folder, mask, 0)
        if status != 0:
            found = sorted((run.folder / f"{folder}-found").iterdir())
            shown = [f"{path.name}: {path.read_bytes().hex()}" for path in found[:3]]
            raise Failed("\n".join([output[-3000:], *shown]))
        executed = re.search(r"number_of_executed_units: (\d+)", output)
        inputs += int(executed[1]) if executed else 0
    try:
        percent = lines_covered(run, [CORPUS, run.folder / "best", run.folder / "portable"])
    except Skipped as reason:
        return f"{inputs} inputs, nothing found; lines not counted: {reason}"
    least = min(percent, key=lambda name: percent[name])
    few = [f"{name} {value:.0f}%" for name, value in percent.items() if value <= LEAST_COVERED]
    if few:
        raise Failed(f"too few lines are covered: {', '.join(few)}")
    ops = ", ".join(f"{n} {v:.0f}%" for n, v in percent.items() if n.startswith(("ops", "take")))
    return (
        f"{inputs} inputs, nothing found; lines covered: {ops}, least {least} {percent[least]:.0f}%"
    )


# Each lets a call go one element or byte too far: (file, what is right, what is planted).
PLANTS = (
    ("kernels/narrow.c", "last = bound - 1", "last = bound"),
    ("tensor.c", "- (data - base) >= bytes", "- (data - base) + 1 >= bytes"),
    (
        "layout.c",
        "size_t count = 1, extent = 1, start = 0;",
        "size_t count = 1, extent = 0, start = 0;",
    ),
    ("kernels/move.c", "for (; i < end; i++)", "for (; i <= end; i++)"),
)


def fuzz_plant(run: Run) -> str:
    """An off-by-one in a copy of the core has to be found, or the fuzzing shows nothing."""
    seconds, took = 30, []
    for number, plant in enumerate(PLANTS):
        binary = fuzz_build(run, plant)
        status, output = fuzz_once(run, binary, seconds, f"plant-{number}", "", number + 1)
        told = re.search(
            r"(heap-buffer-overflow|broken promise: [^\n(]*|runtime error: \w+)", output
        )
        if status == 0 or told is None:
            raise Failed(f"not found in {seconds} s: {plant}\n{output[-1000:]}")
        took.append(f"{plant[0]}: {told[1].strip()}")
    return f"{len(PLANTS)} planted, {len(took)} found ({'; '.join(took)})"


# --- other machines -------------------------------------------------------------------------------


def machine(compiler: str, emulator: str, native: str = "") -> tuple[tuple[str, ...], object]:
    """The needs and the function of a part for a cross compiler and its emulator."""

    def other(run: Run) -> str:
        flags = ("-O2", "-g", *WARNINGS)
        strict, cc, tag = (*flags, "-Wconversion"), [compiler], compiler.split("-")[0]
        # An x86-64 kernel runs 32-bit programs itself, which emulates nothing.
        alone = native != "" and platform.machine() == native
        under = [] if alone else [emulator]
        static = ("-static",)
        unit = build(run, f"units-{tag}", cc, flags, units(), static, strict)
        test = build(run, f"promises-{tag}", cc, flags, promises(), static, strict)
        small = (*flags, *SMALL_FLAGS)
        replay = build(run, f"replay-{tag}", cc, (*small, "-DREPLAY"), fuzzer(), static, small)
        if alone and run.call([unit, "errors"], 60).returncode != 0:
            under = [emulator]
        output = run.good([*under, unit], 1800)
        output += run.good([*under, test, scale(run, 10, 100), *parts(under)], 1800)
        output += run.good([*under, replay, *corpus()], 1800)
        return f"{figures(output)}" + ("" if under else ", without emulation")

    def parts(under: list[str]) -> list[str]:
        # qemu-i386 gives a process's signals to threads that block them; the others do not.
        names = ["random", "faults", "allocators", "sharing", "rewriting", "signals", "fork", "far"]
        return [name for name in names if name != "signals" or under != ["qemu-i386"]]

    return ("linux", compiler, emulator), other


def machine_part(name: str, does: str, compiler: str, emulator: str, native: str = "") -> Part:
    """The part for a machine."""
    needs, other = machine(compiler, emulator, native)
    return Part(name, does, needs, other)  # type: ignore[arg-type]


FUZZ_NEEDS = ("clang", "file tests/fuzz/corpus")
PARTS = (
    Part("c", "unit tests and promises in C, allocations counted", ("cc",), plain),
    Part("asan", "the same under AddressSanitizer and UBSan", ("linux", "cc"), asan),
    Part("tsan", "threads under ThreadSanitizer", ("linux", "cc"), tsan),
    Part("musl", "the C example, the same tests and the corpus", ("linux", "musl-gcc"), musl),
    Part("valgrind", "the same under memcheck", ("valgrind", "cc"), valgrind),
    Part("compilers", "cc and clang, -O0 to -O3, warnings as errors", ("cc",), compilers),
    Part("fuzz", "libFuzzer over raw descriptors, arguments and buffers", FUZZ_NEEDS, fuzz),
    Part("fuzz-plant", "planted off-by-ones that the fuzzer has to find", FUZZ_NEEDS, fuzz_plant),
    machine_part("aarch64", "64-bit Arm", "aarch64-linux-gnu-gcc", "qemu-aarch64"),
    machine_part("s390x", "64-bit, big-endian", "s390x-linux-gnu-gcc", "qemu-s390x"),
    machine_part("armhf", "32-bit Arm", "arm-linux-gnueabihf-gcc", "qemu-arm"),
    machine_part("i386", "32-bit x86", "i686-linux-gnu-gcc", "qemu-i386", "x86_64"),
)
