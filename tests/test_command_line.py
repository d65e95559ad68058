"""`python -m bnnspy`: info, demo, explain, and what it says to arguments that are none.

build-library is in test_c_documents.py.
"""

from __future__ import annotations

import platform
import re
import sys
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from running import in_children, run

import bnnspy
from bnnspy import DataLayout, DataType, NDArrayDescriptor, Shape
from bnnspy.__main__ import LAYOUTS, main


def command(*arguments: str, **environment: str) -> CompletedProcess[str]:
    """The command as a user types it, with warnings as errors.

    In a folder of its own: in a clone `-m` would take the package that lies there, built or not.
    """
    words = [sys.executable, "-W", "error", "-m", "bnnspy", *arguments]
    return run(words, cwd=Path(__file__).resolve().parent, environment=environment)


def facts(**environment: str) -> dict[str, str]:
    """What info prints, by name."""
    done = command("info", **environment)
    assert (done.returncode, done.stderr) == (0, "")
    return pairs(done.stdout)


def pairs(printed: str) -> dict[str, str]:
    """Lines of a name and what belongs to it."""
    return dict(re.split(" {2,}", line, maxsplit=1) for line in printed.splitlines())


def test_info() -> None:
    found = facts()
    assert found["bnnspy"] == bnnspy.__version__
    assert found["Python"].startswith(platform.python_version())
    assert found["NumPy"] == np.__version__
    assert Path(found["headers"]) == Path(bnnspy.get_include())
    assert (Path(found["headers"]) / "bnns" / "bnns.h").is_file()
    assert (Path(found["C sources"]) / "layout.c").is_file()
    assert Path(found["library"]).is_file()
    assert platform.machine() in found["processor"]
    assert found["kernels"].split()[0] in ("avx512", "avx2", "portable")
    assert int(found["threads"].split()[0]) >= 1


def test_info_shows_what_the_environment_asks_for() -> None:
    """What is masked, and what is set."""
    found = facts(BNNSPY_DISABLE_CPU="avx2,avx512", BNNSPY_NUM_THREADS="3")
    assert found["kernels"] == "portable (BNNSPY_DISABLE_CPU=avx2,avx512)"
    assert found["threads"] == "3 (BNNSPY_NUM_THREADS=3)"


ASKED = {
    "64": 64,
    "65": 64,
    "0": 0,
    "-1": 0,
    "x": 0,
    "8abc": 0,
    "2,3": 0,
    " 4": 0,
    "\N{ARABIC-INDIC DIGIT THREE}": 0,
    "": 0,
}


@cache
def threads() -> list[str]:
    """What info prints for each of ASKED."""
    environments = [{"BNNSPY_NUM_THREADS": given} for given in ASKED]
    told = in_children("from bnnspy.__main__ import main", 'main(["info"])', environments)
    return [pairs(printed)["threads"] for printed in told]


@pytest.mark.parametrize("given", [given for given in ASKED if not ASKED[given] and given])
def test_info_showed_a_number_of_threads_that_is_ignored(given: str) -> None:
    """Beside the number that counts, as if it were the reason for it."""
    found = threads()[[*ASKED].index(given)]
    assert found.endswith(f"(BNNSPY_NUM_THREADS={given}, ignored)")
    assert found.split()[0] == threads()[-1].split()[0]


@pytest.mark.parametrize("given", [given for given in ASKED if given])
def test_numbers_of_threads_that_the_environment_can_ask_for(given: str) -> None:
    """0 stands for what a process has without asking."""
    numbers = [int(told.split()[0]) for told in threads()]
    assert numbers[[*ASKED].index(given)] == (ASKED[given] or numbers[-1])


def test_demo() -> None:
    done = command("demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert "output   [20.0, 40.0, 80.0, 60.0]" in done.stdout
    assert "output   [[10.0, 20.0], [60.0, 40.0], [80.0, 80.0]]" in done.stdout
    assert done.stdout.count("returned 0") == 2
    assert "input: Vector size=(8,) Float32, 32 bytes, owned" in done.stdout
    assert "   3 | 1,0 [1,1] 1,2" in done.stdout


def test_explain_prints_what_the_method_gives(capsys: pytest.CaptureFixture[str]) -> None:
    shape = Shape.matrix_row_major(2, 3, stride=(1, 4))
    made = NDArrayDescriptor(shape=shape, data_type=DataType.Int8)
    line = ["explain", "RowMajorMatrix", "2", "3", "--stride", "1", "4", "--type", "Int8"]
    assert main(line) == 0
    assert capsys.readouterr().out == made.explain() + "\n"
    assert main([*line, "--axis", "1"]) == 0
    assert capsys.readouterr().out == made.explain(1) + "\n"


@pytest.mark.parametrize("name", LAYOUTS)
def test_explain_knows_every_layout(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    layout = LAYOUTS[name]
    sizes = ["2"] * (layout >> 16)
    assert main(["explain", name, *sizes]) == 0
    assert capsys.readouterr().out.startswith(f"{name} size=(2,")
    assert set(LAYOUTS.values()) == set(DataLayout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["explain", "RowMajor", "2", "3"], "invalid choice: 'RowMajor'"),
        (["explain", "RowMajorMatrix", "2"], "size has 1 entries, and RowMajorMatrix has 2"),
        (["explain", "Vector", "-2"], "size[0] is -2, outside 0.."),
        (["explain", "Vector", "2", "--axis", "1"], "axis is 1, outside 0..0"),
        (["explain", "Vector", "2", "--stride", "1", "2"], "stride has 2 entries, and size has 1"),
        (["explain", "Vector", "x"], "invalid int value: 'x'"),
        ([], "command"),
        (["nonsense"], "invalid choice: 'nonsense'"),
    ],
)
def test_wrong_arguments(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert sentence in capsys.readouterr().err


def test_falling_strides_are_drawn_as_what_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "RowMajorMatrix", "3", "3", "--stride", "4", "1"]) == 0
    assert "stride[1] is 1, less than 4" in capsys.readouterr().out
