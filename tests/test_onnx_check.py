"""`python -m bnnspy.onnx check`: what it finds, prints and returns."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install 'bnnspy[onnx]'")

import onnx_models as models  # noqa: E402
import running  # noqa: E402

import bnnspy.onnx.__main__ as command  # noqa: E402
from bnnspy.onnx.checking import check  # noqa: E402

X = np.arange(4, dtype=np.float32).reshape(2, 2)
PICK = models.shapeless(models.single("Gather"))


def files(folder: Path, model: Any, **feed: Any) -> list[str]:
    """The command's arguments, for a model and inputs written to files."""
    onnx.save(model, folder / "model.onnx")
    np.savez(folder / "inputs.npz", **feed)
    return ["check", str(folder / "model.onnx"), *([str(folder / "inputs.npz")] if feed else [])]


def test_each_bad_node(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = {"x": X, "i": np.array([0, 5, -9]), "j": np.array([[-3]])}
    assert command.main(files(tmp_path, models.chain(), **bad)) == 1
    assert capsys.readouterr().out.splitlines() == [
        "node 'first' (Gather): index 5 at indices[1], outside -2..1",
        "node 'second' (GatherElements): index -3 at indices[0, 0], outside -2..1",
        "after the first, indices were moved into range; later ones may follow from that",
        "2 nodes gather out of range, in 2 calls",
    ]


def test_nothing_to_find(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(files(tmp_path, models.chain())) == 0
    assert capsys.readouterr().out.splitlines() == [
        "input 'x': no value given, zeros of float32 (1, 2)",
        "input 'i': no value given, zeros of int64 (3,)",
        "input 'j': no value given, zeros of int64 (1, 1)",
        "0 nodes gather out of range, in 2 calls",
    ]


def test_nested_and_repeated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(files(tmp_path, models.loop(5), x=np.zeros(2, np.float32))) == 1
    assert capsys.readouterr().out.splitlines() == [
        "node 'loop' (Loop), node 'pick' (Gather): index 2 at indices[], outside -2..1 "
        "(the first of 3 times)",
        "1 node gathers out of range, in 5 calls",
    ]


def test_functions() -> None:
    report = check(models.shapeless(models.function()), {"x": X, "i": np.array([2])})
    (finding,) = report.findings
    assert finding.where == "node 'call' (Pick), node 'inner' (Gather)"
    assert finding.error.index == 2


def test_an_empty_axis_ends_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    feed = {"x": np.zeros((0, 2), np.float32), "i": np.array([0, 0, 0]), "j": np.array([[0]])}
    assert command.main(files(tmp_path, models.chain(), **feed)) == 1
    assert capsys.readouterr().out.splitlines() == [
        "node 'first' (Gather): index 0 at indices[0], outside no element",
        "1 node gathers out of range, in 1 calls",
    ]


def test_other_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    feed = {"x": X[0, 0], "i": np.array([0])}
    assert command.main(files(tmp_path, PICK, **feed)) == 2
    out = capsys.readouterr().out
    assert "the run ended early: InvalidParameter: node 'pick' (Gather): data has rank 0" in out
    assert command.main(["check", str(tmp_path / "none.onnx")]) == 2
    assert "No such file" in capsys.readouterr().err


GOOD = {"x": X, "i": np.array([0, 1, 0]), "j": np.array([[0]])}
WRONG = {
    "a name": ({"words": X}, "inputs has 'words', and the model's inputs are 'x' (float [n, 2]), "),
    "arrays without names": ({"arr_0": X}, "'i' (int64 [3]), 'j' (int64 [1, 1])"),
    "a type": ({"i": X}, "inputs['i'] has type float32, and the model takes int64 [3]"),
    "strings": ({"x": np.array([["a", "b"]])}, "inputs['x'] has type <U1, and the model takes"),
    "a size": ({"x": X[:, :1]}, "inputs['x'] has shape (2, 1), and the model takes float [n, 2]"),
    "a rank": (
        {"j": np.array([0])},
        "inputs['j'] has shape (1,), and the model takes int64 [1, 1]",
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_inputs_that_are_not_the_models(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A misspelt name was dropped, and zeros went in its place: 0 findings and exit code 0."""
    wrong, sentence = WRONG[kind]
    assert command.main(files(tmp_path, models.chain(), **{**GOOD, **wrong})) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.out == ""
    assert command.main(files(tmp_path, models.chain(), **GOOD)) == 0


def test_inputs_in_other_forms_of_their_type(tmp_path: Path) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    i = np.array([1])
    swapped = X.astype(X.dtype.newbyteorder())
    assert command.main(files(tmp_path, PICK, x=swapped, i=i)) == 0
    text = models.shapeless(models.single("Gather", code=onnx.TensorProto.STRING))
    assert command.main(files(tmp_path, text, x=np.array(["a", "b"]), i=i)) == 0
    # A file of NumPy's holds two bytes for each, and not the name of the type.
    brain = models.shapeless(models.single("Gather", code=onnx.TensorProto.BFLOAT16))
    stored = X.astype(ml_dtypes.bfloat16)
    assert command.main(files(tmp_path, brain, x=stored, i=i)) == 0
    assert command.main(files(tmp_path, brain, x=stored, i=i + 1)) == 1


def test_an_initializer_is_an_input_only_where_it_is_declared(tmp_path: Path) -> None:
    table = onnx.numpy_helper.from_array(X, "x")
    node = onnx.helper.make_node("Gather", ["x", "i"], ["y"])
    x, i = models.value("x", models.FLOAT), models.value("i", models.INT64, [1])
    y = models.value("y", models.FLOAT)
    for inputs, code in (([x, i], 0), ([i], 2)):
        model = models.model([node], inputs, [y], initializers=(table,))
        assert command.main(files(tmp_path, model, x=X, i=np.array([1]))) == code
        assert command.main(files(tmp_path, model, i=np.array([1]))) == 0


def test_files_of_another_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, inputs = files(tmp_path, models.chain(), **GOOD)[1:]
    np.save(tmp_path / "one.npy", X)
    (tmp_path / "text").write_text("text")
    (tmp_path / "empty").touch()
    for model_file, inputs_file, sentence in (
        (model, "one.npy", "one.npy has no arrays by name"),
        (model, "text", "text can't be read as arrays by name"),
        ("text", inputs, "text can't be read as an ONNX model"),
        ("empty", inputs, "empty has no model in it"),
    ):
        paths = [str(tmp_path / model_file), str(tmp_path / inputs_file)]
        assert command.main(["check", *paths]) == 2
        assert sentence in capsys.readouterr().err


def test_the_command_itself(tmp_path: Path) -> None:
    arguments = files(tmp_path, PICK, x=X, i=np.array(7))
    done = running.run([sys.executable, "-m", "bnnspy.onnx", *arguments])
    assert done.returncode == 1
    assert "node 'pick' (Gather): index 7 at indices[], outside -2..1" in done.stdout


def test_a_table_on_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("rich", reason="rich is not installed")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    command.main(files(tmp_path, PICK, x=X, i=np.array(7)))
    out = capsys.readouterr().out
    for word in ("node 'pick' (Gather)", "7", "[]", "-2..1"):
        assert word in out
    monkeypatch.setitem(sys.modules, "rich.console", None)
    command.main(files(tmp_path, PICK, x=X, i=np.array(7)))
    assert "node 'pick' (Gather): index 7" in capsys.readouterr().out
