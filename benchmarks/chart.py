"""The chart of a file of results: each peer's time over ours, a row a case, medians of its runs."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

import bare
import peers
from cases import CASES

# Peers are drawn by family: the fastest of each that checks, and clip.
FAMILIES = {
    "numpy, checking": (*peers.RAISES,),
    "torch": ("torch.index_select", "torch.gather"),
    "onnxruntime": ("ORT Gather", "ORT GatherElements"),
    "numpy clip (does not check)": peers.CLIPS,
    "bare loop (does not check)": tuple(bare.NAMES),
    "memcpy of the output": (peers.MEMCPY,),
}
MARKS = ("o", "s", "D", "x", "+", "|")
COLOURS = ("#4c72b0", "#dd8452", "#55a868", "#888888", "#8172b3", "#222222")


def relative(runs: list[dict[str, float]], names: tuple[str, ...]) -> float | None:
    """The time of the fastest of these over ours."""
    found = [
        min(times) / run[peers.OURS]
        for run in runs
        if (times := [run[name] for name in names if name in run])
    ]
    return median(found) if found else None


def draw(result: dict[str, Any], path: Path) -> bool:
    """Writes the chart; False without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    cases = [case.name for case in reversed(CASES) if case.name in result["runs"]]
    figure, axes = pyplot.subplots(figsize=(9, 1.6 + 0.27 * len(cases)), layout="constrained")
    axes.axvline(1, color="#c44e52", linewidth=2, label="bnnspy")
    for (family, names), mark, colour in zip(FAMILIES.items(), MARKS, COLOURS, strict=True):
        points = [
            (found, place)
            for place, case in enumerate(cases)
            if (found := relative(result["runs"][case], names)) is not None
        ]
        if points:
            axes.scatter(*zip(*points, strict=True), marker=mark, s=34, color=colour, label=family)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_yticks(range(len(cases)), cases, fontsize=8)
    axes.grid(axis="x", alpha=0.3)
    about = result["machine"]
    axes.set_xlabel("time over that of bnnspy (right of the line: slower than bnnspy)")
    axes.set_title(
        f"{about['cpu']}, {about['kernels']} kernels, threads: {about['threads']}", fontsize=10
    )
    figure.legend(loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    figure.savefig(path, dpi=100)
    pyplot.close(figure)
    return True
