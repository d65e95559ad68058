"""One rule for all commands: arguments first, statuses 0, 1 and 2, nothing but a sentence.

Each of these was a traceback, a success without a result, or a failure after minutes of work. What
the commands print when all is well is in test_command_line.py, test_c_documents.py,
test_conformance.py and test_onnx_check.py.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

import pytest

import bnnspy
from bnnspy import _bnns, command_line, library
from bnnspy.__main__ import main
from bnnspy.conformance import main as conformance
from bnnspy.conformance import run as conformance_run
from bnnspy.onnx.__main__ import main as onnx

TESTS = Path(__file__).resolve().parent
FULL = Path("/dev/full")


class Command(NamedTuple):
    """A command, with arguments that let it print something."""

    main: Callable[[list[str]], int]
    name: list[str]  # what stands before the arguments
    arguments: list[str]
    usage: str
    extra: str | None = None


FEW = ["--library", str(_bnns.__file__), "--count", "0", "--only", "recorded/*"]
COMMANDS = {
    "info": Command(main, ["info"], [], "python -m bnnspy info"),
    "demo": Command(main, ["demo"], [], "python -m bnnspy demo"),
    "explain": Command(main, ["explain"], ["Vector", "4"], "python -m bnnspy explain"),
    "build-library": Command(
        main, ["build-library"], ["made.so"], "python -m bnnspy build-library"
    ),
    "conformance": Command(main, ["conformance"], FEW, "python -m bnnspy conformance"),
    "bnnspy.conformance": Command(conformance, [], FEW, "python -m bnnspy conformance"),
    "onnx check": Command(
        onnx, ["check"], ["model.onnx"], "python -m bnnspy.onnx check", extra="onnx"
    ),
}
PARSERS = {
    **COMMANDS,
    "bnnspy": Command(main, [], [], "python -m bnnspy"),
    "bnnspy.onnx": Command(onnx, [], [], "python -m bnnspy.onnx"),
}


def script(path: Path, text: str) -> Path:
    """A program that stands in for a compiler."""
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a compiler that takes no time."""
    monkeypatch.chdir(tmp_path)
    # The file is the last argument.
    quick = script(tmp_path / "quick-cc", 'for name; do :; done; echo library >"$name"')
    monkeypatch.setenv("CC", str(quick))
    return tmp_path


def ready(command: Command) -> list[str]:
    """The command's whole line, with the files that it reads."""
    if command.extra:
        pytest.importorskip(command.extra)
        from onnx_models import single

        Path("model.onnx").write_bytes(single("Gather").SerializeToString())
    return [*command.name, *command.arguments]


# --- what every command knows ---------------------------------------------------------------------


@pytest.mark.parametrize("name", PARSERS)
def test_version_and_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    command = PARSERS[name]
    for option, begin in (
        ("--version", f"bnnspy {bnnspy.__version__}\n"),
        ("--help", f"usage: {command.usage} "),
    ):
        with pytest.raises(SystemExit) as stopped:
            command.main([*command.name, option])
        printed = capsys.readouterr()
        assert (stopped.value.code, printed.err) == (0, "")
        assert printed.out.startswith(begin)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_too_much_is_told_with_the_usage_of_the_command(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = COMMANDS[name]
    with pytest.raises(SystemExit) as stopped:
        command.main([*ready(command), "--nonsense"])
    printed = capsys.readouterr()
    assert (stopped.value.code, printed.out) == (2, "")
    assert printed.err.startswith(f"usage: {command.usage} [-h]")
    assert printed.err.endswith(f"{command.usage}: error: unrecognized arguments: --nonsense\n")


def test_an_axis_is_refused_with_the_usage_of_explain(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["explain", "Vector", "4", "--axis", "5"])
    assert capsys.readouterr().err.startswith("usage: python -m bnnspy explain [-h]")


@pytest.mark.parametrize(
    ("option", "values", "permitted"),
    [
        ("--timeout", ["0", "-1", "nan", "inf", "1e30"], "0.001..86400.0"),
        ("--restarts", ["-1", "1000001"], "0..1000000"),
        ("--count", ["-1", str(10**30)], "0..1000000"),
        ("--show", ["-1"], "0..1000000"),
        ("--seed", ["-1"], f"0..{2**63 - 1}"),
    ],
)
def test_numbers_have_a_range(
    option: str, values: list[str], permitted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for value in values:
        with pytest.raises(SystemExit) as stopped:
            main(["conformance", *FEW, f"{option}={value}"])
        assert stopped.value.code == 2
        said = capsys.readouterr().err.splitlines()[-1]
        assert said.endswith(f"error: argument {option}: {value} is outside {permitted}")


# --- paths are looked at before work starts -------------------------------------------------------


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work would be an error."""

    def work(*arguments: object) -> None:
        raise AssertionError("work has started")

    monkeypatch.setattr(library, "run", work)
    monkeypatch.setattr(conformance_run, "all_calls", work)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["conformance", *FEW, "--report", "no/x.json"], "no/x.json .* no is no folder"),
        (["conformance", *FEW, "--report", "there"], "there can't be written: it is a folder"),
        (["conformance", *FEW, "--report", "x" * 300], "xxx can't be written: File name too long"),
        (["build-library", "no/x.so"], "no is no folder"),
        (["build-library", "/dev/null"], "/dev/null is there already, and is no file"),
        (["build-library", "x" * 300], "xxx can't be written: File name too long"),
    ],
)
def test_a_path_that_cannot_be_written(
    arguments: list[str], sentence: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "there").mkdir()
    before = sorted(folder.iterdir())
    assert main(arguments) == 2
    assert_one_sentence(capsys, sentence)
    assert sorted(folder.iterdir()) == before


@pytest.mark.usefixtures("idle")
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "locked").mkdir(mode=0o555)
    assert main(["conformance", *FEW, "--report", "locked/x.json"]) == 2
    assert_one_sentence(capsys, "locked/x.json can't be written: there is no permission")
    assert main(["build-library", "locked"]) == 2
    assert_one_sentence(capsys, "locked can't be written: Permission denied")


@pytest.mark.parametrize("given", [["no.onnx"], ["there"], ["quick-cc", "no.npz"]])
def test_a_file_that_cannot_be_read(
    given: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the model is run, and before onnx is imported, which takes a second."""
    (folder / "there").mkdir()
    assert onnx(["check", *given]) == 2
    assert_one_sentence(capsys, f"{given[-1]} can't be read: (No such file|Is a directory)")


def assert_one_sentence(capsys: pytest.CaptureFixture[str], sentence: str) -> None:
    """One line on standard error that names the command, and nothing else anywhere."""
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert re.match(r"python -m bnnspy(\.onnx)? [a-z-]+: ", printed.err)
    assert re.search(sentence, printed.err)


# --- what is printed, and cannot be ---------------------------------------------------------------


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> Iterator[TextIO]:
    """A pipe whose reader has gone, as behind `| head -1`."""
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as stream:
        yield stream


@pytest.mark.parametrize("name", COMMANDS)
def test_quiet_when_the_reader_has_gone(
    name: str,
    folder: Path,
    unread: TextIO,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = ready(COMMANDS[name])
    monkeypatch.setattr(sys, "stdout", unread)
    assert COMMANDS[name].main(line) == 141
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has /dev/full")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ready(COMMANDS[name])
    with FULL.open("w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert COMMANDS[name].main(line) == 2
    assert_one_sentence(capsys, "standard output can't be written: No space left on device")


def test_a_closed_standard_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`>&-`: nothing was printed, and the status was 0."""
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["info"]) == 2
    assert capsys.readouterr().err == "python -m bnnspy: standard output is closed\n"


@pytest.mark.parametrize("arguments", [["demo"], ["--help"]])
def test_the_interpreter_adds_nothing_when_it_exits(arguments: list[str], unread: TextIO) -> None:
    """It flushes once more, and would say so: "Exception ignored", status 120."""
    given = [sys.executable, "-W", "error", "-m", "bnnspy", *arguments]
    done = subprocess.run(given, cwd=TESTS, stdout=unread, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has /dev/full")
def test_a_report_that_does_not_fit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conformance", *FEW, "--report", str(FULL)]) == 2
    assert "/dev/full can't be written: No space left on device" in capsys.readouterr().err


def test_what_an_encoding_lacks_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = io.BytesIO()
    output = command_line.Output(io.TextIOWrapper(memory, encoding="ascii"))
    output.write("node 'größer'")
    output.flush()
    assert memory.getvalue() == rb"node 'gr\xf6\xdfer'"


def test_an_interrupt_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(conformance_run, "all_calls", interrupted)
    assert main(["conformance", *FEW]) == 130
    assert capsys.readouterr() == ("", "")


# --- the compiler of build-library ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("says", "sentence"),
    [
        ("exit 0", "cc wrote no library; CC names another compiler"),
        (r"printf 'caf\351\n' >&2; exit 1", "cc failed\ncaf\N{REPLACEMENT CHARACTER}"),
        (r"printf '\377'; exit 3", "cc failed\n"),
    ],
)
def test_compilers_that_are_none(
    says: str, sentence: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Success without a library, and output that is not UTF-8; an older library stays."""
    monkeypatch.setenv("CC", str(script(folder / "cc", says)))
    older = folder / "older.so"
    older.write_text("older", encoding="utf-8")
    before = sorted(folder.iterdir())
    with pytest.raises(library.BuildError, match=sentence):
        library.build(older)
    assert sorted(folder.iterdir()) == before
    assert older.read_text(encoding="utf-8") == "older"


def test_a_compiler_that_is_no_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CC", "'")
    assert main(["build-library", "."]) == 2
    assert_one_sentence(capsys, 'CC is "\'", which is no command: No closing quotation')


# --- the gate, and the build ----------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("bash") is None, reason="the gate is a bash script")
@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["--help"], 0, ""),
        (["-h"], 0, ""),
        (["--nonsense"], 2, ".ci/run: unknown arguments: --nonsense\n"),
        (["--commands", "x"], 2, ".ci/run: unknown arguments: --commands x\n"),
    ],
)
def test_the_gate_starts_without_arguments_alone(
    arguments: list[str], status: int, said: str, repository: Path, tmp_path: Path
) -> None:
    """`--help` started it."""
    # Without programs that it would begin with, so that this test ends where it does start.
    for name in ("bash", "dirname", "sed", "awk"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    done = subprocess.run(
        [str(tmp_path / "bash"), str(repository / ".ci" / "run"), *arguments],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status
    assert "  .ci/run --help " in (done.stderr if status else done.stdout)
    assert done.stderr.startswith(said)


WITHOUT_HEADERS = """\
case "$*" in *Python.h*|*-I*) echo "Python.h: No such file" >&2; exit 1;; esac
for name; do case $last in -o) echo >"$name";; esac; last=$name; done"""


@pytest.mark.parametrize(
    ("compiler", "sentences"),
    [
        (None, ["can't be run (No such file or directory)", "apt-get install build-essential"]),
        ("exit 1", ["cc can't compile #include <stdlib.h> (saying nothing)", "xcode-select"]),
        ("exit 0", ["cc can't compile #include <stdlib.h> (saying nothing)", "build-essential"]),
        (WITHOUT_HEADERS, ["(Python.h: No such file)", "python3-dev", "python3-devel"]),
    ],
)
def test_a_build_that_cannot_be(
    compiler: str | None, sentences: list[str], repository: Path, tmp_path: Path
) -> None:
    """The error stood under a page of "copying" lines, and named no package."""
    pytest.importorskip("setuptools")
    cc = tmp_path / "cc" if compiler is None else script(tmp_path / "cc", compiler)
    for command in ("build", "bdist_wheel", "editable_wheel"):
        done = subprocess.run(
            [sys.executable, "setup.py", command],
            cwd=repository,
            env={"PATH": str(tmp_path), "CC": str(cc)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("bnnspy is compiled from C when it is installed, ")
        assert all(sentence in done.stderr for sentence in sentences), done.stderr
        assert done.stderr.count("\n") <= 4
        if compiler is not None:
            break  # they are asked the same way


def test_a_compiler_variable_that_is_no_command(repository: Path) -> None:
    pytest.importorskip("setuptools")
    done = subprocess.run(
        [sys.executable, "setup.py", "build"],
        cwd=repository,
        env={"CC": "'"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "CC, CFLAGS or CPPFLAGS is no list of words (No closing quotation)" in done.stderr


def test_a_source_tree_that_is_not_compiled(repository: Path, tmp_path: Path) -> None:
    """After `pip install .`, every command that the documents show was a traceback in the clone."""
    shutil.copytree(
        repository / "bnnspy", tmp_path / "bnnspy", ignore=shutil.ignore_patterns("*.so")
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", "import bnnspy"],  # -S: nor is it installed
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: {tmp_path / 'bnnspy'} is the source tree of bnnspy, and is not compiled: "
        "run `pip install -e .` in it, or start Python in another folder"
    )


# --- scripts beside the package -------------------------------------------------------------------

SCRIPTS = {
    "tests/prove": ["--list"],
    "benchmarks/bench_gather.py": ["--list"],
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_ended_in_a_traceback_when_the_reader_had_gone(name: str, unread: TextIO) -> None:
    """Behind `| head -1`; a line is written at once where Python does not buffer."""
    script = Path(__file__).resolve().parent.parent / name
    done = subprocess.run(
        [sys.executable, script, *SCRIPTS[name]],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        stdout=unread,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert (done.returncode, done.stderr) == (141, "")
