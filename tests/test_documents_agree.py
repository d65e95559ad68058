"""What the documents state about the repository is so: variables, floors, statuses, paths.

That their code blocks run is tested in test_docs.py, those for C in test_c_documents.py.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import test_docs

import bnnspy
from bnnspy import Error, Status

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = None

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PORTING = (DOCS / "porting-from-swift.md").read_text(encoding="utf-8")
VARIABLE = re.compile(r"\bBNNSPY_[A-Z][A-Z_]*[A-Z]\b")


def read(*names: str) -> str:
    """The text of a file of the repository."""
    return ROOT.joinpath(*names).read_text(encoding="utf-8")


def project(name: str) -> str:
    """The lines of pyproject.toml after `name = `, up to the end of the value."""
    found = re.search(rf"^{name} = (\[.*?^\]|\[.*?\]$|.*?$)", read("pyproject.toml"), re.M | re.S)
    assert found is not None, name
    return found[1]


# --- the porting guide ----------------------------------------------------------------------------

SECTIONS = dict(
    (part.split("\n", 1)[0], part) for part in re.split(r"^## ", PORTING, flags=re.MULTILINE)[1:]
)


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_of_the_porting_guide_runs_alone(name: str) -> None:
    """As somebody pastes it who has read nothing else."""
    section = SECTIONS[name]
    test_docs.run(section, name)
    assert "```python\n" in section


def test_the_porting_guide_has_what_ports_need() -> None:
    """Each snippet with the Swift (or C) that it was ported from, and with what it prints."""
    for name in (
        "A vector of indices",
        "Shapes, and the row-major trap",
        "The colours of an indexed picture",
        "A loop over frames",
        "Errors, both ways",
    ):
        assert "```swift\n" in SECTIONS[name], name
        assert any(block.printed for block in test_docs.blocks_of(SECTIONS[name])), name


def test_the_c_that_was_ported_prints_the_same(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler is installed")
    section = SECTIONS["C code that fills the struct by hand"]
    program = re.search(r"^```c\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert program is not None
    (tmp_path / "port.c").write_text(program[1], encoding="utf-8")
    sources = sorted(map(str, (ROOT / "src").rglob("*.c")))
    flags = ["-std=c11", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}", "-pthread", "-o", "port"]
    kept = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    subprocess.run(["cc", *flags, "port.c", *sources], cwd=tmp_path, env=kept, check=True)
    ran = subprocess.run(
        ["./port"], cwd=tmp_path, env=kept, check=True, capture_output=True, text=True
    )
    assert ran.stdout == test_docs.blocks_of(section)[0].printed


def test_the_names_of_the_porting_guide_are_there() -> None:
    """Every Python name of the table on the right."""
    table = SECTIONS["The names"].split("\n\n")[1]
    right = " ".join(row.split(" | ")[1] for row in table.splitlines()[2:])
    for owner, name in re.findall(r"\b(NDArrayDescriptor|Shape|BNNS|DataLayout)\.(\w+)", right):
        assert hasattr(getattr(bnnspy, owner), name), name
    for name in re.findall(r"\b(\w*BNNS\w+|FilterParameters)\b", right):
        assert hasattr(bnnspy, name), name


# --- errors ---------------------------------------------------------------------------------------


def subclasses(kind: type[Error]) -> set[type[Error]]:
    """All exceptions below one."""
    return {kind}.union(*(subclasses(below) for below in kind.__subclasses__()))


def test_every_status_and_exception_is_listed() -> None:
    page = read("docs", "errors.md")
    rows = re.findall(r"^\| (-?\d+) \| `(\w+)` \| (\S+)", page, re.MULTILINE)
    assert {(int(code), name) for code, name, _ in rows} == {(int(s), s.name) for s in Status}
    named = set(re.findall(r"`(\w+)`", page))
    assert {kind.__name__ for kind in subclasses(Error)} - {"Error"} <= named
    for code, name, _ in rows:
        assert re.search(rf"^{code} \w+: ", page, re.MULTILINE), f"no call gives {name}"


# --- environment ----------------------------------------------------------------------------------


def variables_read() -> set[str]:
    """What the sources ask the environment for."""
    found: set[str] = set()
    for path in sorted((ROOT / "src").rglob("*.c")):
        asked = re.compile(r'(?:getenv|bnnspy_environment_number)\("(\w+)"\)')
        found |= set(asked.findall(path.read_text(encoding="utf-8")))
    # By name, or by a constant that has it.
    asked = re.compile(r'(?:environ(?:\.get\(|\[|\.pop\()|^[A-Z_]+ = )"([A-Z_]+)"', re.MULTILINE)
    for folder in ("bnnspy", "tests", "benchmarks", "examples"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            found |= set(asked.findall(path.read_text(encoding="utf-8")))
    found |= set(asked.findall(read("cffi_build.py") + read("setup.py")))
    return found | set(VARIABLE.findall(read(".ci", "run")))


def test_every_variable_is_documented() -> None:
    ours = {name for name in variables_read() if name.startswith("BNNSPY_")}
    assert {"BNNSPY_WERROR", "BNNSPY_SANITIZE", "BNNSPY_TEST_PACKAGING"} <= ours
    documented = set(re.findall(r"^\| `(\w+)` \|", read("docs", "environment.md"), re.MULTILINE))
    assert ours <= documented


def test_every_documented_variable_is_read() -> None:
    documented = set(re.findall(r"^\| `(\w+)` \|", read("docs", "environment.md"), re.MULTILINE))
    assert documented <= variables_read() | {"CC"}


# --- policies, versions, packaging ----------------------------------------------------------------


def test_the_floors_are_those_of_the_project() -> None:
    page = read("CONTRIBUTING.md")
    floors = dict(re.findall(r'"(numpy|cffi)>=([\d.]+)"', project("dependencies")))
    assert f"| NumPy | {floors['numpy']} and newer |" in page
    assert f"| cffi | {floors['cffi']} and newer |" in page
    python = project("requires-python").strip('">=')
    assert f"| Python | CPython {python} and newer" in page
    classifiers = project("classifiers")
    assert f'"Programming Language :: Python :: {python}"' in classifiers
    assert "3.9" not in classifiers
    gate = read(".ci", "run")
    assert "==\\2.*" in gate, "the gate installs the floors that pyproject.toml names"


def test_the_policies_are_there() -> None:
    page = " ".join(read("CONTRIBUTING.md").split())
    for words in ("SemVer", '"Conformance"', "two minor releases", "`DeprecationWarning`"):
        assert words in page


def test_the_changelog_keeps_its_form() -> None:
    text = read("CHANGELOG.md")
    versions = re.findall(r"^## \[([\d.]+)\] - (not released yet|\d{4}-\d\d-\d\d)$", text, re.M)
    assert versions
    assert versions[0][0] == bnnspy.__version__
    assert len(versions) == text.count("\n## ")
    kinds = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Conformance")
    assert set(re.findall(r"^### (.*)$", text, re.MULTILINE)) <= set(kinds)


@pytest.mark.skipif(tomllib is None, reason="tomllib comes with Python 3.11")
def test_the_extras_of_the_project() -> None:
    extras = tomllib.loads(read("pyproject.toml"))["project"]["optional-dependencies"]
    assert {"test", "examples", "bench", "dev", "bfloat16"} <= set(extras)
    pillow = [need for need in extras["examples"] if need.startswith("Pillow")]
    assert pillow
    assert set(pillow) <= set(extras["test"])


# --- paths ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["docs/adding-an-op.md", "CONTRIBUTING.md", "docs/c.md"])
def test_paths_are_there(path: str) -> None:
    """Those in backticks; gather, the model, in the place of <family> and <op>."""
    text = re.sub(r"```.*?```", "", read(path), flags=re.DOTALL)
    text = text.replace("<family>", "gather").replace("<op>", "gather")
    named = set(re.findall(r"`([\w.]+(?:/[\w.]+)*(?:/|\.(?:py|h|c|json|md|toml|pyi)))`", text))
    named |= set(re.findall(r"`(\.ci/run)`", text))
    assert named
    folders = (ROOT, ROOT / "include", ROOT / "include" / "bnns")
    assert [name for name in named if not any((at / name).exists() for at in folders)] == []


def test_the_steps_of_adding_an_operation_are_those_of_the_model() -> None:
    """Each file of the steps does speak of the operation that is the model."""
    page = read("docs", "adding-an-op.md")
    rows = re.findall(r"^\| +(\d+) \| (.*?) \|", page, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, len(rows) + 1))
    generic = ("src/kernels/", "cffi_build.py", "docs/generate.py")
    for _, cell in rows:
        for name in re.findall(r"`([^`]+)`", cell):
            if name not in generic:
                assert re.search(r"transpose", read(name), re.IGNORECASE), name
