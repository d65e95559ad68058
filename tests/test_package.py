"""What is shipped: the wheel and the source archive. Slow, so only with BNNSPY_TEST_PACKAGING=1."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import type_checkers

ROOT = Path(__file__).resolve().parents[1]

# What the archives are made from; all else in a working tree is nobody's business.
SOURCES = (
    *("bnnspy", "include", "src", "tests", "examples", "benchmarks", "docs"),
    *("cffi_build.py", "setup.py", "pyproject.toml", "MANIFEST.in", "LICENSE", ".ci", ".github"),
    *("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "Makefile"),
    *(".clang-format", ".clang-format-ignore", ".editorconfig", ".pre-commit-config.yaml"),
)
HEADERS = ("bnns/bnns.h", "bnns/bnns_constants.h", "bnns/bnns_structures.h", "bnnspy.h")

pytestmark = pytest.mark.skipif(
    os.environ.get("BNNSPY_TEST_PACKAGING") != "1",
    reason="builds the package; set BNNSPY_TEST_PACKAGING=1",
)


def run(*command: str, folder: Path, **environment: str) -> str:
    """Standard output of a command; an AssertionError with all it said when it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive, and the wheel built from what that unpacks to.

    The interpreter's own setuptools and cffi do it, so that no network is needed; a copy of the
    tree, so that no build leaves anything behind. What setuptools announces to stop working is an
    error: a licence as a table and as a classifier once went through with such a warning.
    """
    folder = tmp_path_factory.mktemp("package")
    tree = folder / "tree"
    tree.mkdir()
    leave = shutil.ignore_patterns("__pycache__", "*.so", "*.py[cod]", "_bnns.c")
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=leave)
        elif source.is_file():
            shutil.copy2(source, tree / name)
    hook = (
        "import setuptools, setuptools.build_meta as b, warnings\n"
        "warnings.simplefilter('error', setuptools.SetuptoolsDeprecationWarning)\n"
        "print(b.{}({!r}))"
    )
    run(sys.executable, "-c", hook.format("build_sdist", str(folder)), folder=tree)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        # Python 3.10 may not know the filter yet; the archive is our own.
        opened.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    unpacked = folder / archive.name.removesuffix(".tar.gz")
    run(sys.executable, "-c", hook.format("build_wheel", str(folder)), folder=unpacked)
    return folder


@pytest.fixture(scope="module")
def wheel(archives: Path) -> Path:
    (found,) = archives.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def shipped(wheel: Path) -> set[str]:
    """The wheel's files, less its metadata."""
    with zipfile.ZipFile(wheel) as opened:
        return {name for name in opened.namelist() if ".dist-info/" not in name}


def python_files() -> Iterator[str]:
    for path in (ROOT / "bnnspy").rglob("*"):
        if path.suffix in (".py", ".pyi", ".json") or path.name == "py.typed":
            yield str(path.relative_to(ROOT))


def c_sources() -> Iterator[str]:
    """The core's files, relative to src/."""
    for path in (ROOT / "src").rglob("*.[ch]"):
        yield path.relative_to(ROOT / "src").as_posix()


def test_the_wheel_is_for_all_pythons_from_3_10(wheel: Path) -> None:
    if sysconfig.get_config_var("Py_GIL_DISABLED") and sys.version_info < (3, 15):
        pytest.skip("free-threaded Python has no stable ABI before 3.15")
    assert re.fullmatch(r"bnnspy-[\d.]+-cp310-abi3-\w+\.whl", wheel.name)


def test_the_wheel_holds_python_headers_sources_and_one_library(shipped: set[str]) -> None:
    libraries = {name for name in shipped if name.endswith(".so")}
    assert len(libraries) == 1
    headers = {f"bnnspy/include/{name}" for name in (*HEADERS, "module.modulemap")}
    sources = {f"bnnspy/src/{name}" for name in c_sources()}
    assert "bnnspy/src/layout.c" in sources
    assert shipped - libraries == set(python_files()) | headers | sources
    assert {"bnnspy/py.typed", "bnnspy/_bnns.pyi", "bnnspy/functions.json"} <= shipped


def test_the_wheel_carries_the_licence_and_two_dependencies(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        metadata = opened.read(next(n for n in names if n.endswith("/METADATA"))).decode()
    assert any(re.search(r"\.dist-info/(licenses/)?LICENSE$", name) for name in names)
    assert re.search(r"^License-Expression: MIT$", metadata, re.MULTILINE)
    assert re.findall(r"^License-File: (.*)$", metadata, re.MULTILINE) == ["LICENSE"]
    assert "Classifier: License" not in metadata
    required = re.findall(r"^Requires-Dist: (\w+)[^;\n]*$", metadata, re.MULTILINE)
    assert sorted(required) == ["cffi", "numpy"]
    assert "Requires-Python: >=3.10" in metadata
    extras = set(re.findall(r"^Provides-Extra: (\w+)$", metadata, re.MULTILINE))
    assert {"test", "examples", "bench", "bfloat16", "scaling"} <= extras
    assert metadata.count("Classifier: Programming Language :: Python :: 3.1") >= 5
    assert "Classifier: Typing :: Typed" in metadata
    assert "Description-Content-Type: text/markdown" in metadata


def test_the_source_archive_holds_what_a_build_and_a_test_need(archives: Path) -> None:
    (archive,) = archives.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.split("/", 1)[1] for name in opened.getnames() if "/" in name}
    needed = {"cffi_build.py", "setup.py", "pyproject.toml", "LICENSE", "README.md"}
    needed |= {"CHANGELOG.md", "CONTRIBUTING.md"}
    for folder in ("include", "src", "tests", "examples", "docs", "benchmarks", ".ci", ".github"):
        files = [p for p in (ROOT / folder).rglob("*") if p.is_file()]
        needed |= {str(p.relative_to(ROOT)) for p in files if "__pycache__" not in p.parts}
    assert needed - names == set()
    assert not [name for name in names if name.endswith((".so", ".pyc", ".o"))]


def test_the_wheel_works_from_its_own_folder(wheel: Path, tmp_path: Path) -> None:
    """get_include() finds the headers, and a program that includes them compiles."""
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path / "site")
    program = (
        "import bnnspy, numpy as np\n"
        "out = np.zeros(2, np.float32)\n"
        "bnnspy.BNNS.gather(input=np.arange(4, dtype=np.float32), indices=np.array([3, 1]),"
        " output=out, axis=0)\n"
        "assert out.tolist() == [3, 1]\n"
        "print(bnnspy.__file__, bnnspy.get_include(), bnnspy.__version__, sep='\\n')\n"
    )
    lines = run(
        sys.executable, "-c", program, folder=tmp_path, PYTHONPATH=str(tmp_path / "site")
    ).splitlines()
    package = tmp_path / "site" / "bnnspy"
    assert Path(lines[0]).parent == package
    assert Path(lines[1]) == package / "include"
    assert wheel.name.startswith(f"bnnspy-{lines[2]}-")
    for header in HEADERS:
        assert (package / "include" / header).is_file()
    if compiler := shutil.which("cc"):
        unit = tmp_path / "unit.c"
        unit.write_text(
            "#include <bnns/bnns.h>\n#include <bnnspy.h>\nint main(void) { return 0; }\n"
        )
        run(compiler, "-std=c11", f"-I{lines[1]}", "-c", str(unit), folder=tmp_path)


def test_the_wheel_builds_the_library_for_c(wheel: Path, tmp_path: Path) -> None:
    """`python -m bnnspy build-library` after `pip install`, without a clone."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler is installed")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(tmp_path / "site")
    site = str(tmp_path / "site")
    printed = run(
        *(sys.executable, "-m", "bnnspy", "build-library", str(tmp_path)),
        folder=tmp_path,
        PYTHONPATH=site,
    )
    assert f"-I{tmp_path / 'site' / 'bnnspy' / 'include'}" in printed
    example = str(ROOT / "examples" / "gather.c")
    run(compiler, "-std=c11", example, *shlex.split(printed), "-o", "gather", folder=tmp_path)
    assert run("./gather", folder=tmp_path).startswith("vector: 20 40 80 60\n")
    listed = run(sys.executable, "-m", "bnnspy", "info", folder=tmp_path, PYTHONPATH=site)
    assert re.search(rf"^C sources +{re.escape(site)}", listed, re.MULTILINE)


def environment(folder: Path) -> Path:
    """The packages' folder of a new environment, with this interpreter's packages but bnnspy.

    They come by a path file, since type checkers do not look at PYTHONPATH.
    """
    run(sys.executable, "-m", "venv", str(folder / "environment"), folder=folder)
    (site,) = (folder / "environment").glob("lib/python*/site-packages")
    outer = folder / "outer"
    outer.mkdir()
    for packages in (path for path in sys.path if path.endswith("-packages")):
        for entry in Path(packages).iterdir():
            if "bnnspy" not in entry.name and not (outer / entry.name).exists():
                (outer / entry.name).symlink_to(entry)
    (site / "outer.pth").write_text(f"{outer}\n", "utf-8")
    return site


@pytest.fixture(scope="module")
def with_wheel(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that has the wheel."""
    folder = tmp_path_factory.mktemp("with-wheel")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(environment(folder))
    return folder / "environment" / "bin" / "python"


@pytest.fixture(scope="module")
def editable(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree beside an environment that it is installed into, editable."""
    (archive,) = archives.glob("*.tar.gz")
    folder = tmp_path_factory.mktemp("editable")
    shutil.unpack_archive(archive, folder)
    tree = (folder / archive.name.removesuffix(".tar.gz")).rename(folder / "tree")
    environment(folder)
    install = ("-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "-e", ".")
    python = str(folder / "environment" / "bin" / "python")
    # Before the environment's own setuptools, which may be one that needs the package wheel.
    run(python, *install, folder=tree, PYTHONPATH=str(folder / "outer"))
    return tree


def test_an_editable_install_finds_its_headers(editable: Path, tmp_path: Path) -> None:
    """The package is the tree's own, and get_include() its include/."""
    program = "import bnnspy; print(bnnspy.__file__, bnnspy.get_include(), sep='\\n')"
    python = str(editable.parent / "environment" / "bin" / "python")
    lines = run(python, "-c", program, folder=tmp_path).splitlines()
    assert Path(lines[0]) == editable / "bnnspy" / "__init__.py"
    assert Path(lines[1]) == editable / "include"


@pytest.mark.parametrize("checker", type_checkers.CHECKERS)
@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_type_checkers_find_the_package(
    kind: str, checker: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """From a folder outside of the tree; an editable install was an import hook, unseen by them."""
    if kind == "wheel":
        python = request.getfixturevalue("with_wheel")
    else:
        python = request.getfixturevalue("editable").parent / "environment" / "bin" / "python"
    program = tmp_path / "program.py"
    shutil.copyfile(ROOT / "tests" / "typing_check.py", program)
    type_checkers.check(checker, program, str(python))
