"""A real model end to end: silero-vad on a made voice, against the stock evaluator and onnxruntime.

The signal and the loop over it are those of examples/onnx_model.py.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from loading import module_of

onnx = pytest.importorskip("onnx", reason="onnx is not installed: pip install 'bnnspy[onnx]'")

from onnx.reference import ReferenceEvaluator  # noqa: E402
from onnx_cases import nodes  # noqa: E402

import bnnspy.onnx as bonnx  # noqa: E402
import bnnspy.onnx.ops  # noqa: E402

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "onnx_model.py"


def load_example() -> Any:
    """examples/onnx_model.py as a module."""
    return module_of("examples/onnx_model.py")


example = load_example()
model_file = example.model_file()
missing = ""
if model_file is None:
    missing = "silero-vad is not installed: pip install --no-deps silero-vad"
elif int(onnx.__version__.split(".")[1]) < 23:
    missing = "onnx before 1.23 has two of LSTM's three outputs in its reference evaluator"
needs_model = pytest.mark.skipif(bool(missing), reason=missing)

# A window takes one branch of each If: so many Gather nodes run in it.
CALLS_A_WINDOW = 5


@pytest.fixture(scope="module")
def sound() -> Any:
    return example.recording()


class Recorded:
    """A model's step that keeps all outputs."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.outputs: list[bytes] = []

    def __call__(self, feed: dict[str, Any]) -> Any:
        outputs = self.run(None, feed)
        self.outputs.append(b"".join(np.asarray(output).tobytes() for output in outputs))
        return outputs


@needs_model
def test_the_model_has_its_gathers_in_branches() -> None:
    model = onnx.load(model_file)
    assert Counter(node.op_type for node in nodes(model))["Gather"] == 20
    assert not any(node.op_type == "Gather" for node in model.graph.node)


@needs_model
def test_speech_is_heard_and_every_bit_is_the_stock_evaluators(
    sound: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def counted(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        return bonnx.gather(*args, **kwargs)

    monkeypatch.setattr(bnnspy.onnx.ops, "gather", counted)
    ours = Recorded(bonnx.Evaluator(str(model_file)).run)
    found = example.probabilities(ours, sound)
    assert calls == CALLS_A_WINDOW * len(found)

    stock = Recorded(ReferenceEvaluator(str(model_file)).run)
    example.probabilities(stock, sound)
    assert calls == CALLS_A_WINDOW * len(found)
    assert ours.outputs == stock.outputs

    # Silence, speech, silence: the probability crosses 0.5 both ways.
    assert found[:10].max() < 0.1
    assert found.max() > 0.9
    assert found[-5:].max() < 0.1


@needs_model
def test_onnxruntime_hears_the_same(sound: Any) -> None:
    ort = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    options = ort.SessionOptions()
    options.log_severity_level = 4
    session = ort.InferenceSession(str(model_file), options, ["CPUExecutionProvider"])
    theirs = example.probabilities(lambda feed: session.run(None, feed), sound)
    evaluator = bonnx.Evaluator(str(model_file))
    ours = example.probabilities(lambda feed: evaluator.run(None, feed), sound)
    assert np.abs(ours - theirs).max() <= 1e-4


def run_example(folder: Path, *hidden: str) -> tuple[int, str]:
    """The example as a script, as if some packages were not installed."""
    hide = "".join(f"sys.modules[{name!r}] = None; " for name in hidden)
    code = f"import sys, runpy; {hide}runpy.run_path({str(EXAMPLE)!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=folder, check=False
    )
    return done.returncode, done.stdout + done.stderr


@needs_model
def test_example(tmp_path: Path) -> None:
    status, said = run_example(tmp_path)
    assert status == 0, said
    assert "speech in " in said
    plotted = "no plot: matplotlib is not installed" not in said
    assert (tmp_path / "speech.png").exists() == plotted


@needs_model
def test_example_with_little_installed(tmp_path: Path) -> None:
    status, said = run_example(
        tmp_path,
        "rich",
        "rich.progress",
        "matplotlib",
        "matplotlib.figure",
        "matplotlib.backends.backend_agg",
    )
    assert status == 0, said
    assert "no progress bar: rich is not installed" in said
    assert "no plot: matplotlib is not installed" in said
    assert list(tmp_path.iterdir()) == []
    status, said = run_example(tmp_path, "onnx")
    assert status == 1
    assert "pip install 'bnnspy[onnx]'" in said


def test_example_without_the_model(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(example, "model_file", lambda: None)
    assert example.main([]) == 1
    assert "pip install --no-deps silero-vad" in capsys.readouterr().out
