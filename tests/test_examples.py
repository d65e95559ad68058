"""The examples run as a user runs them, and what they print and write is right."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import running
from loading import module_of

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"


def run(script: Path, *arguments: str, folder: Path) -> str:
    """What the script prints, with warnings as errors; it may not write to stderr."""
    done = running.run([sys.executable, "-W", "error", script, *arguments], cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_gather(tmp_path: Path) -> None:
    printed = run(EXAMPLES / "gather.py", folder=tmp_path)
    assert "status 0, output [20. 40. 80. 60.]" in printed
    assert re.search(r"10 +20\n +60 +40\n +80 +80\n", printed)
    assert "rows in the buffer: [8. 9.] [0. 1.] [4. 5.]" in printed
    assert "between the rows:   [-1. -1.] [-1. -1.]" in printed
    assert "NumPy says the same: True" in printed
    assert "status   -1005 (IndexOutOfRange)" in printed
    assert "sentence indices[1] is 9, outside 0..7 (axis 0 of input)" in printed
    assert "output   [-1. -1.], as it was" in printed
    assert "BNNS.Error.layerApplyFail: IndexOutOfRange: indices[1] is 9" in printed
    assert list(tmp_path.iterdir()) == []


def test_gather_needs_numpy_alone(tmp_path: Path) -> None:
    """Optional packages are out of reach, and it runs all the same."""
    blocked = "ml_dtypes", "PIL", "torch", "hypothesis", "pytest"
    script = tmp_path / "blocked.py"
    script.write_text(
        f"import runpy, sys\nsys.modules.update(dict.fromkeys({blocked!r}))\n"
        f"runpy.run_path({str(EXAMPLES / 'gather.py')!r}, run_name='__main__')\n",
        encoding="utf-8",
    )
    assert "output [20. 40. 80. 60.]" in run(script, folder=tmp_path)


def test_palette(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is an extra of the examples")
    target = tmp_path / "evening.png"
    printed = run(EXAMPLES / "palette.py", str(target), folder=tmp_path)
    assert "evening.png: 96 x 64 pixels" in printed
    assert "the same as Pillow's own conversion: True" in printed
    with image.open(target) as written, image.open(EXAMPLES / "data" / "evening.png") as picture:
        assert (written.mode, written.size) == ("RGB", (96, 64))
        assert picture.mode == "P"
        colours = np.array(picture.getpalette("RGB"), np.uint8).reshape(-1, 3)
        assert np.array_equal(np.asarray(written), colours[np.asarray(picture)])


def test_palette_writes_where_it_says(tmp_path: Path) -> None:
    pytest.importorskip("PIL.Image", reason="Pillow is an extra of the examples")
    printed = run(EXAMPLES / "palette.py", folder=tmp_path)
    assert "wrote evening-rgb.png" in printed
    assert [path.name for path in tmp_path.iterdir()] == ["evening-rgb.png"]


def fails(script: Path, *arguments: str, folder: Path) -> str:
    """What a script says that ends with a sentence of one line."""
    done = running.run([sys.executable, script, *arguments], cwd=folder)
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    return done.stderr.splitlines()[-1]


def test_palette_without_pillow(tmp_path: Path) -> None:
    """It was a traceback of Python's own."""
    script = tmp_path / "blocked.py"
    script.write_text(
        "import runpy, sys\nsys.modules['PIL'] = None\n"
        f"runpy.run_path({str(EXAMPLES / 'palette.py')!r}, run_name='__main__')\n",
        encoding="utf-8",
    )
    assert fails(script, folder=tmp_path).endswith("pip install Pillow")


@pytest.mark.parametrize("target", ["no/such/folder.png", "file.of-no-kind", "."])
def test_palette_that_cannot_be_written(target: str, tmp_path: Path) -> None:
    pytest.importorskip("PIL.Image", reason="Pillow is an extra of the examples")
    said = fails(EXAMPLES / "palette.py", target, folder=tmp_path)
    assert said.startswith(f"{target} can't be written: ")


def test_speech_that_cannot_be_plotted(tmp_path: Path) -> None:
    """Said before the model listens, and whether or not there is a model."""
    said = fails(EXAMPLES / "onnx_model.py", "--plot", "no/such/folder.png", folder=tmp_path)
    assert said.endswith("no/such/folder.png can't be written: no/such is no folder")


@pytest.mark.skipif(
    shutil.which("git") is None or not (ROOT / ".git").exists(), reason="this is no clone"
)
@pytest.mark.parametrize(
    "name", ["evening-rgb.png", "examples/evening-rgb.png", "speech.png", "gather", "report.json"]
)
def test_what_the_documents_commands_write_is_ignored_by_git(name: str) -> None:
    """A picture lay among the sources, to be committed by mistake."""
    assert running.run(["git", "check-ignore", "--quiet", name], cwd=ROOT).returncode == 0


def test_picture_is_the_one_that_is_drawn() -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow is an extra of the examples")
    drawn = module_of("examples/palette.py").draw()
    with image.open(EXAMPLES / "data" / "evening.png") as picture:
        assert np.array_equal(np.asarray(picture), np.asarray(drawn))
        assert picture.getpalette("RGB") == drawn.getpalette("RGB")


def test_call_cost(tmp_path: Path) -> None:
    """The benchmark runs and has a number in each line; how large is nobody's business here."""
    printed = run(ROOT / "benchmarks" / "call_cost.py", "0.01", folder=tmp_path)
    for statement in (
        r"BNNSGather\(0, input, indices, output, None\)",
        r"NDArrayDescriptor\.from_array\(x\)",
        r"NDArrayDescriptor\(data=x, shape=vector_8\)",
        r"input\.data = x",
        r"np\.take\(x, i64, out=o\)",
        r"x\.take\(i64, out=o\)",
    ):
        assert re.search(rf"^  {statement} +\d+", printed, re.MULTILINE), statement
    assert "at most 200 wanted" in printed
    assert "at most 2000 wanted" in printed
