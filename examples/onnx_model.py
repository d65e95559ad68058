"""A real model on ONNX's Gather from this package: where in a recording somebody speaks.

The model is silero-vad's, with 20 Gather nodes in the branches of its If nodes. The recording is
made here: silence, three vowels as a throat and a mouth make them, silence.

    pip install -e '.[onnx]' 'onnx>=1.23' && pip install --no-deps silero-vad
    python examples/onnx_model.py

With rich installed there is a progress bar, with matplotlib a picture, speech.png in the folder
that the script is run in (--plot FILE names another). What is missing is said, and gone without.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import bnnspy.onnx as bonnx

Samples = NDArray[np.float32]

RATE = 16_000  # samples a second
WINDOW = 512  # samples that the model looks at, after
CONTEXT = 64  # samples of the window before
SPEECH = 0.5  # probability from which silero-vad counts a window as speech

# Resonances of a mouth in Hz, and how wide they are; the usual textbook values for a man's voice.
VOWELS = {
    "a": ((730, 80), (1090, 90), (2440, 120), (3500, 150)),
    "i": ((270, 60), (2290, 100), (3010, 120), (3700, 150)),
    "u": ((300, 60), (870, 90), (2240, 120), (3400, 150)),
}


# --- the recording --------------------------------------------------------------------------------


def resonance(sound: NDArray[Any], frequency: float, width: float) -> NDArray[Any]:
    """The sound through a resonance: a filter with two poles."""
    radius = np.exp(-np.pi * width / RATE)
    once, twice = 2 * radius * np.cos(2 * np.pi * frequency / RATE), -radius * radius
    result = np.zeros_like(sound)
    last = before = 0.0
    for n, value in enumerate(sound):
        last, before = value + once * last + twice * before, last
        result[n] = last
    return result


def vowel(name: str, seconds: float, pitch: float = 120.0) -> NDArray[Any]:
    """Pulses of the vocal cords, with vibrato and a falling pitch, through a mouth."""
    t = np.arange(int(seconds * RATE)) / RATE
    cycles = np.cumsum(pitch * (1 + 0.03 * np.sin(10 * np.pi * t) - 0.1 * t / seconds)) / RATE
    pulses = np.diff(np.floor(cycles), prepend=0.0)
    sound = np.diff(np.convolve(pulses, np.hanning(40))[: len(t)], prepend=0.0)
    for frequency, width in VOWELS[name]:
        sound = resonance(sound, frequency, width)
    fade = np.minimum(t, t[::-1]) / 0.02
    return 0.4 * sound / np.abs(sound).max() * np.minimum(fade, 1)


def recording() -> Samples:
    """Half a second of silence, the vowels, half a second of silence; a little noise over all."""
    pause, gap = np.zeros(RATE // 2), np.zeros(RATE // 25)
    said = [part for name in "aiua" for part in (vowel(name, 0.2), gap)]
    sound = np.concatenate([pause, *said, pause])
    noise = 0.0005 * np.random.default_rng(0).standard_normal(len(sound))
    return (sound + noise).astype(np.float32)


# --- the model ------------------------------------------------------------------------------------


def model_file() -> Path | None:
    """silero-vad's ONNX file, when its package is installed; the package itself is not imported."""
    found = importlib.util.find_spec("silero_vad")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).parent / "data" / "silero_vad.onnx"
    return path if path.is_file() else None


Step = Callable[[dict[str, Any]], Sequence[Any]]
Watch = Callable[[Sequence[int]], Iterable[int]]


def probabilities(step: Step, sound: Samples, watch: Watch = iter) -> NDArray[Any]:
    """The probability of speech in each window; step runs the model once."""
    state = np.zeros((2, 1, 128), np.float32)
    rate = np.array(RATE, np.int64)
    padded = np.concatenate([np.zeros(CONTEXT, np.float32), sound])
    result = []
    for start in watch(range(0, len(sound) - WINDOW + 1, WINDOW)):
        window = padded[None, start : start + CONTEXT + WINDOW]
        probability, state = step({"input": window, "state": state, "sr": rate})
        result.append(float(probability[0, 0]))
    return np.array(result)


# --- what is shown --------------------------------------------------------------------------------


def progress() -> Watch:
    """rich's progress bar, or none."""
    try:
        from rich.progress import track
    except ImportError:
        print("no progress bar: rich is not installed")
        return iter
    return lambda windows: track(windows, "listening", total=len(windows))


def plot(sound: Samples, found: NDArray[Any], path: Path) -> None:
    """The recording and the probability over time, as a picture; needs matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        print("no plot: matplotlib is not installed")
        return
    figure = Figure(figsize=(8, 4), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True)
    above.plot(np.arange(len(sound)) / RATE, sound, linewidth=0.5)
    above.set_ylabel("recording")
    below.step(np.arange(len(found)) * WINDOW / RATE, found, where="post")
    below.axhline(SPEECH, linestyle=":", color="gray")
    below.set(ylabel="speech", xlabel="seconds", ylim=(0, 1))
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:  # no permission, or no such kind of file
        sys.exit(f"{path} can't be written: {error}")
    print(f"plot: {path}")


def main(given: list[str] | None = None) -> int:
    """Runs the example."""
    parser = argparse.ArgumentParser(description="Where in a recording somebody speaks.")
    parser.add_argument("--plot", type=Path, default=Path("speech.png"), metavar="FILE")
    arguments = parser.parse_args(given)
    if not arguments.plot.parent.is_dir():
        parser.error(f"{arguments.plot} can't be written: {arguments.plot.parent} is no folder")
    path = model_file()
    if path is None:
        print("silero-vad is not installed: pip install --no-deps silero-vad")
        return 1
    try:
        evaluator = bonnx.Evaluator(str(path))
    except ModuleNotFoundError as error:
        print(error)
        return 1
    sound = recording()
    found = probabilities(lambda feed: evaluator.run(None, feed), sound, progress())
    speech = np.flatnonzero(found >= SPEECH) * WINDOW / RATE
    print(
        f"{len(sound) / RATE:.2f} s in {len(found)} windows; highest probability {found.max():.2f}"
    )
    print(f"speech in {len(speech)} windows, from {speech.min():.2f} s to {speech.max():.2f} s")
    plot(sound, found, arguments.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
