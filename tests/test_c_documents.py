"""What docs/c.md promises to people without Python: its lines compile, link, run and print that.

`python -m bnnspy build-library` is tested here too.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest
import running

import bnnspy
from bnnspy import library
from bnnspy.__main__ import main

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "c.md").read_text(encoding="utf-8")
FENCE = r"```{}\n(.*?)^```$"

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler is installed")


def block(mark: str) -> str:
    """The code block below a mark of the page."""
    found = re.search(rf"^<!-- {mark} -->\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None, mark
    return found[1]


def printed_after(mark: str) -> str:
    """The text block that follows the marked one."""
    rest = PAGE.split(f"<!-- {mark} -->\n", 1)[1]
    found = re.search(FENCE.format("text"), rest, re.MULTILINE | re.DOTALL)
    assert found is not None, mark
    return found[1]


def run(command: list[str], folder: Path) -> CompletedProcess[str]:
    """A command in a folder, where `python` is this one."""
    names = folder / "names"
    names.mkdir(exist_ok=True)
    preload = os.environ.get("LD_PRELOAD", "")
    script = f"#!/bin/sh\nLD_PRELOAD='{preload}' exec '{sys.executable}' \"$@\"\n"
    (names / "python").write_text(script, "utf-8")
    (names / "python").chmod(0o755)
    path = f"{names}{os.pathsep}{os.environ['PATH']}"
    return running.run(command, cwd=folder, environment={"PATH": path})


def shell(line: str, folder: Path) -> str:
    """What a line of the page prints, in a folder that looks like a clone."""
    for name in ("include", "src", "examples"):
        if not (folder / name).exists():
            (folder / name).symlink_to(ROOT / name)
    done = run(["sh", "-ec", line], folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def exported(path: Path, folder: Path) -> set[str]:
    """The names that a library exports, but for what a linker adds."""
    if shutil.which("nm") is None:
        pytest.skip("nm is not installed")
    options = ["-gU"] if library.MAC else ["-D", "--defined-only"]
    done = run(["nm", *options, str(path)], folder)
    assert done.returncode == 0, done.stderr
    names = {line.split()[-1] for line in done.stdout.splitlines()}
    return {
        name.removeprefix("_") if library.MAC else name
        for name in names
        if not name.startswith("__") and (library.MAC or not name.startswith("_"))
    }


def declared() -> set[str]:
    """The functions of the two headers."""
    names: set[str] = set()
    for header in ("bnns/bnns.h", "bnnspy.h"):
        text = (ROOT / "include" / header).read_text("utf-8")
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        names |= set(re.findall(r"^[a-z][\w \t*]*?\b(\w+)\([^;{]*\);", text, re.MULTILINE))
    return names


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a library that the command line built."""
    folder = tmp_path_factory.mktemp("library")
    done = run(["python", "-m", "bnnspy", "build-library", str(folder)], folder)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert str(folder / library.NAME) in line
    return folder


@pytest.fixture
def compiled(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler for the library alone: it writes what `built` has, which was compiled before.

    The full suite compiles each time.
    """
    if running.FULL:
        return
    compiler = tmp_path / "bin" / "compiler"
    compiler.parent.mkdir()
    last = "for target; do :; done\n"  # -o and the file are the end of the line
    copied = f"cp '{built / library.NAME}' \"$target\"\n"
    compiler.write_text(f"#!/bin/sh\n{last}{copied}", "utf-8")
    compiler.chmod(0o755)
    monkeypatch.setenv("CC", f"'{compiler}'")


# --- the page -------------------------------------------------------------------------------------


def test_the_one_line(tmp_path: Path) -> None:
    line = block("compile")
    assert line.count("\n") == 1
    assert shell(f"{line}./gather", tmp_path) == printed_after("compile")


def test_the_example_has_no_warning(tmp_path: Path) -> None:
    flags = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
    example = str(ROOT / "examples" / "gather.c")
    include = f"-I{ROOT / 'include'}"
    done = run(["cc", *flags, include, "-fsyntax-only", example], tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("compiled")
def test_the_linked_line(tmp_path: Path) -> None:
    assert shell(block("link"), tmp_path) == printed_after("compile")


def test_the_line_by_name(built: Path) -> None:
    assert shell(block("by name"), built) == printed_after("compile")


def test_the_bounded_program(tmp_path: Path, built: Path) -> None:
    (tmp_path / "bounded.c").write_text(block("c program"), "utf-8")
    line = f"cc -std=c11 -Iinclude bounded.c '{built / library.NAME}' -Wl,-rpath,'{built}'"
    assert shell(f"{line} -o bounded && ./bounded", tmp_path) == printed_after("c program")


def test_the_module_program(tmp_path: Path) -> None:
    if shutil.which("clang") is None:
        pytest.skip("clang is not installed")
    (tmp_path / "unit.c").write_text(block("module program"), "utf-8")
    cache = f"-fmodules-cache-path={tmp_path / 'cache'}"
    flags = ["-std=c11", "-fmodules", cache, f"-I{ROOT / 'include'}", "-Wall", "-Werror"]
    done = run(["clang", *flags, "-fsyntax-only", "unit.c"], tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_swift_program(tmp_path: Path) -> None:
    if shutil.which("swiftc") is None:
        pytest.skip("swiftc is not installed")
    program = re.search(FENCE.format("swift"), PAGE, re.MULTILINE | re.DOTALL)
    assert program is not None
    (tmp_path / "main.swift").write_text(program[1], "utf-8")
    build = "python -m bnnspy build-library . >flags\n"
    assert shell(f"{build}{block('swift command')}./main", tmp_path) == "0\n[40.0, 10.0]\n"


def test_every_shell_line_of_the_page_is_tested() -> None:
    assert re.findall(r"^<!-- (.*) -->\n```sh$", PAGE, re.MULTILINE) == [
        "compile",
        "link",
        "by name",
    ]
    assert len(re.findall(r"^```sh$", PAGE, re.MULTILINE)) == 3


# --- the library ----------------------------------------------------------------------------------


def test_it_exports_what_the_headers_declare(built: Path) -> None:
    expected = declared()
    assert {"BNNSGather", "BNNSNDArrayGetDataSize", "bnnspy_describe"} <= expected
    assert exported(built / library.NAME, built) == expected


def test_it_has_the_version_and_needs_no_python(built: Path) -> None:
    loaded = ctypes.CDLL(str(built / library.NAME))
    loaded.bnnspy_version.restype = ctypes.c_char_p
    assert loaded.bnnspy_version().decode() == bnnspy.__version__
    assert not [name for name in exported(built / library.NAME, built) if "Py" in name]


@pytest.mark.usefixtures("compiled")
def test_a_file_may_be_named(tmp_path: Path) -> None:
    target = tmp_path / "lib" / "renamed.so"
    target.parent.mkdir()
    line = library.build(target)
    assert target.is_file()
    assert str(target) in line
    assert [path.name for path in target.parent.iterdir()] == ["renamed.so"]


@pytest.mark.usefixtures("compiled")
def test_folders_with_spaces_are_quoted(tmp_path: Path) -> None:
    folder = tmp_path / "a b"
    folder.mkdir()
    assert f"'{folder / library.NAME}'" in library.build(folder)


def test_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build-library", str(tmp_path / "nowhere" / "libx.so")]) == 2
    assert "nowhere is no folder" in capsys.readouterr().err


def test_no_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(library.BuildError, match=r"no-such-compiler can't be run .* CC names"):
        library.build(tmp_path)


def test_a_compiler_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "cc --no-such-flag")
    with pytest.raises(library.BuildError, match=r"cc failed\n.*no-such-flag"):
        library.build(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_no_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation that has left them out says what to do."""
    monkeypatch.setattr(library, "PACKAGE", tmp_path / "bnnspy")
    assert library.source_folder() is None
    with pytest.raises(library.BuildError, match="install bnnspy from its wheel"):
        library.build(tmp_path)
