"""The part `mutants`: the faults of plants.py, each in a core of its own that the tests refuse.

Only what includes the changed file is compiled again. The C tests come first, and the first test
that fails settles it; the Python tests are for what the C tests let through.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import sys
import sysconfig
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

from loading import module_of

from .build import (
    JOBS,
    SMALL_ENVIRONMENT,
    SMALL_FLAGS,
    core,
    promises,
    units,
    without_probed,
)
from .common import ROOT, Failed, Part, Run, program
from .plants import PLANTS, Plant

FLAGS = ("-std=c11", "-O1", "-fPIC", "-w", "-Iinclude", "-Isrc")
PATIENCE = 120  # seconds for a program; a fault may well make it endless
PYTHON_PATIENCE = 900
# What the C tests do not look at, or not alone: sentences, threads by setting, the faces' records.
PYTHON_TESTS = ("gather_golden", "gather_failures", "errors", "records", "filter_parameters")
PYTHON_TESTS += ("threads", "onnx_arguments")
EXTENSION = "bnnspy/_bnns" + str(sysconfig.get_config_var("EXT_SUFFIX"))
IN_A_MODULE = (
    ("-bundle", "-undefined", "dynamic_lookup") if sys.platform == "darwin" else ("-shared",)
)


def changed(plant: Plant) -> str:
    """The file with the fault in it; the text has to be there exactly once."""
    text = (ROOT / "src" / plant.file).read_text("utf-8")
    found = text.count(plant.right)
    if found != 1:
        place = f"src/{plant.file} has {found} times, not once"
        raise Failed(f"{place}, what is to be replaced for {plant.breaks!r}:\n{plant.right}")
    return text.replace(plant.right, plant.wrong)


# --- a copy of the tree, and what is built in it --------------------------------------------------


@dataclass(frozen=True)
class Target:
    """A program, or the extension: its sources and flags, and how it is linked."""

    name: str
    files: tuple[str, ...]
    flags: tuple[str, ...] = ()
    link: tuple[str, ...] = ()


def relative(files: list[Path]) -> tuple[str, ...]:
    return tuple(str(file.relative_to(ROOT)) for file in files)


def targets() -> dict[str, Target]:
    """All that is built, by name."""
    library, small = relative(core()), tuple(SMALL_FLAGS)
    attacks = relative(promises())
    version = f'-DBNNSPY_VERSION="{module_of("cffi_build.py").version()}"'
    python = (version, f"-I{sysconfig.get_paths()['include']}")
    made = (
        Target("units", relative(units()) + relative(without_probed(core(), units()))),
        Target("plan", ("tests/c/plan/test_plan.c", *library)),
        Target("promises-small", attacks + library, small),
        Target("promises", attacks + library),
        Target(EXTENSION, ("_bnns.c", *library), python, IN_A_MODULE),
    )
    return {target.name: target for target in made}


@dataclass
class Tree:
    """A copy of the project with objects beside it; commands run in it."""

    run: Run
    folder: Path
    targets: Mapping[str, Target] = field(default_factory=targets)
    planted: str = ""  # the file that has a fault now, as the compiler names it
    output: str = ""  # of the last program

    def object_of(self, file: str, flags: tuple[str, ...]) -> Path:
        return Path("objects") / f"{file}{'-'.join(flags)}".replace("/", "-").replace('"', "")

    def compile(self, file: str, flags: tuple[str, ...]) -> Path:
        """The object: the one that is there, or a new one where the planted file is part of it."""
        kept = self.object_of(file, flags).with_suffix(".o")
        includes = (self.folder / kept).with_suffix(".d")
        if (self.folder / kept).exists() and not (
            self.planted and self.planted in includes.read_text("utf-8").split()
        ):
            return kept
        made = kept.with_suffix(".planted.o") if self.planted else kept
        dependencies = ("-MMD", "-MF", "planted.d" if self.planted else kept.with_suffix(".d"))
        command = [*program("cc"), *FLAGS, *flags, *dependencies, "-c", file, "-o", made]
        self.run.good(command, PATIENCE, cwd=self.folder)
        return made

    def build(self, name: str) -> str:
        """A target, linked anew."""
        target = self.targets[name]
        objects = [self.compile(file, target.flags) for file in target.files]
        command = [*program("cc"), *target.link, *objects, "-pthread", "-o", name]
        self.run.good(command, PATIENCE, cwd=self.folder)
        return name

    def passes(
        self,
        words: list[str],
        environment: Mapping[str, str] | None = None,
        patience: float = PATIENCE,
    ) -> bool:
        """Whether a program ends well, and soon enough."""
        try:
            done = self.run.call(words, patience, environment, self.folder)
        except Failed as late:
            self.output = str(late)
            return False
        self.output = done.stdout
        return done.returncode == 0


def copy_of_the_tree(folder: Path) -> None:
    """What the build and the tests need."""
    leave = shutil.ignore_patterns("*.so", "__pycache__", "corpus")
    for name in ("bnnspy", "src", "include", "tests", "docs", "examples", "benchmarks"):
        shutil.copytree(ROOT / name, folder / name, ignore=leave)
    for file in ("cffi_build.py", "pyproject.toml", "README.md", "CHANGELOG.md"):
        shutil.copy(ROOT / file, folder / file)
    with contextlib.redirect_stdout(io.StringIO()):  # it says that it does
        module_of("cffi_build.py").make().emit_c_code(str(folder / "_bnns.c"))
    (folder / "objects").mkdir()


# --- the tests ------------------------------------------------------------------------------------

Step = Callable[[Tree], bool]


def unit_tests(tree: Tree) -> bool:
    return tree.passes([f"./{tree.build('units')}"], SMALL_ENVIRONMENT)


def plan_tests(tree: Tree) -> bool:
    built = f"./{tree.build('plan')}"
    caches = ("1", str(64 << 20))
    return all(tree.passes([built], {"BNNSPY_LAST_CACHE": size}) for size in caches)


def small_promises(tree: Tree) -> bool:
    parts = ["random", "faults", "allocators", "sharing"]
    return tree.passes([f"./{tree.build('promises-small')}", "-15", *parts], SMALL_ENVIRONMENT)


def usual_promises(tree: Tree) -> bool:
    return tree.passes([f"./{tree.build('promises')}", "-10", "random", "far", "fork"])


def python_tests(tree: Tree) -> bool:
    tree.build(EXTENSION)
    files = [f"tests/test_{name}.py" for name in PYTHON_TESTS]
    options = ["-q", "-x", "-p", "no:cacheprovider", "--no-header"]
    environment = {"HYPOTHESIS_PROFILE": "brief", "PYTHONPATH": str(tree.folder)}
    words = [sys.executable, "-m", "pytest", *options, *files]
    return tree.passes(words, environment, PYTHON_PATIENCE)


STEPS: dict[str, Step] = {
    "unit tests": unit_tests,
    "plan tests": plan_tests,
    "promises, small": small_promises,
    "promises": usual_promises,
    "Python tests": python_tests,
}


def noticed_by(tree: Tree, plant: Plant) -> str:
    """The first tests that fail with a fault; "" when all pass."""
    text, file = changed(plant), tree.folder / "src" / plant.file
    right = file.read_text("utf-8")
    file.write_text(text, "utf-8")
    tree.planted = f"src/{plant.file}"
    try:
        return next((name for name, step in STEPS.items() if not step(tree)), "")
    finally:
        file.write_text(right, "utf-8")
        tree.planted = ""


def prepared(run: Run, number: int) -> Tree:
    """A tree that is built, and passes."""
    tree = Tree(run, run.folder / f"tree-{number}")
    if number > 0:
        shutil.copytree(run.folder / "tree-0", tree.folder)
        return tree
    tree.folder.mkdir()
    copy_of_the_tree(tree.folder)
    for name, step in STEPS.items():
        if not step(tree):
            raise Failed(f"{name} fail without a fault\n{tree.output[-2500:]}")
    where = run.good(
        [sys.executable, "-c", "import bnnspy; print(bnnspy._bnns.__file__)"], cwd=tree.folder
    )
    if Path(where.strip()) != (tree.folder / EXTENSION).resolve():
        raise Failed(f"the Python tests load {where.strip()}")
    return tree


def mutants(run: Run) -> str:
    """Every fault that is wanted, as many at a time as there are processors."""
    chosen = [p for p in PLANTS if re.search(run.only, f"src/{p.file}: {p.breaks}")]
    if not chosen:
        raise Failed(f"no fault has {run.only!r} in its line")
    for plant in chosen:
        changed(plant)  # all of them, before time is spent
    trees: SimpleQueue[Tree] = SimpleQueue()
    for number in range(min(JOBS, len(chosen))):
        trees.put(prepared(run, number))

    def attempt(plant: Plant) -> str:
        tree = trees.get()
        began = time.monotonic()
        try:
            name = noticed_by(tree, plant)
        finally:
            trees.put(tree)
        took = f"[{time.monotonic() - began:.0f} s]"
        print(f"  {name or 'SURVIVED'}: src/{plant.file}: {plant.breaks} {took}", flush=True)
        return name

    with ThreadPoolExecutor(JOBS) as pool:
        noticed = list(pool.map(attempt, chosen))
    left = [
        f"src/{p.file}: {p.breaks}" for p, name in zip(chosen, noticed, strict=True) if not name
    ]
    if left:
        killed = f"{len(chosen) - len(left)} of {len(chosen)} noticed"
        raise Failed("\n  ".join([f"{killed}; these were not:", *left]))
    counts = Counter(noticed)
    told = ", ".join(f"{counts[name]} by {name}" for name in STEPS if counts[name])
    return f"{len(chosen)} planted, {len(chosen)} noticed ({told})"


NEEDS = ("cc", "module cffi", "module numpy", "module pytest", "module hypothesis")
PARTS = (Part("mutants", "faults in the core that its tests have to notice", NEEDS, mutants, True),)
