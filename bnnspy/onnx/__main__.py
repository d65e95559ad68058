"""`python -m bnnspy.onnx check MODEL [INPUTS.npz]`: which nodes gather out of range."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bnnspy import command_line
from bnnspy.command_line import CANNOT, DONE, FOUND, CannotRun, Parser, readable

if TYPE_CHECKING:
    from bnnspy.onnx.checking import Finding, Report


def parser() -> Parser:
    """The command line."""
    top = Parser(prog="python -m bnnspy.onnx", description="ONNX's Gather and GatherElements.")
    commands = top.add_subparsers(dest="name", required=True, metavar="command")
    check = commands.add_parser(
        "check",
        help="run a model and name each node whose gather goes out of range",
        description="Runs a model and names each node whose gather goes out of range. Exit code: 0 "
        "when there is none, 1 when there is one, 2 when the model could not be run to its end.",
    )
    check.runs(run)
    check.add_argument("model", type=Path, metavar="MODEL", help="an .onnx file")
    check.add_argument(
        "inputs",
        type=Path,
        metavar="INPUTS.npz",
        nargs="?",
        help="an array for each input, by name (numpy.savez); without one, an input is zeros",
    )
    return top


def row(finding: Finding) -> tuple[str, str, str, str, str]:
    """Node, index, position, range and count of a finding."""
    error = finding.error
    valid = error.valid
    within = "no element" if not valid else f"{valid.start}..{valid.stop - 1}"
    position = f"[{', '.join(map(str, error.position or ()))}]"
    return finding.where, str(error.index), position, within, str(finding.times)


def table(findings: list[Finding]) -> bool:
    """Prints a table with rich, to a terminal; False where that can't be."""
    if not sys.stdout.isatty():
        return False
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        return False
    drawn = Table("node", "index", "position", "range", "times", title="gathers out of range")
    for finding in findings:
        drawn.add_row(*row(finding))
    Console(markup=False).print(drawn)
    return True


def show(report: Report) -> None:
    """Prints a report."""
    for name, made in report.made_up.items():
        print(f"input {name!r}: no value given, zeros of {made}")
    findings = report.findings
    if findings and not table(findings):
        for finding in findings:
            node, index, position, within, times = row(finding)
            again = "" if times == "1" else f" (the first of {times} times)"
            print(f"{node}: index {index} at indices{position}, outside {within}{again}")
    if len(findings) > 1:
        print("after the first, indices were moved into range; later ones may follow from that")
    if report.stopped is not None and not (findings and isinstance(report.stopped, IndexError)):
        print(f"the run ended early: {type(report.stopped).__name__}: {report.stopped}")
    nodes = "node gathers" if len(findings) == 1 else "nodes gather"
    print(f"{len(findings)} {nodes} out of range, in {report.calls} calls")


def opened(path: Path, what: str, reader: Callable[[Path], Any]) -> Any:
    """What reader makes of a file; where it makes nothing of it, an error that names the file."""
    try:
        return reader(path)
    except OSError:
        raise
    except Exception as error:
        raise ValueError(f"{path} can't be read as {what}: {error}") from None


def load(options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    """The model, and the arrays for it."""
    readable(options.model)
    if options.inputs is not None:
        readable(options.inputs)
    from bnnspy.onnx.extra import onnx

    feed = {}
    if options.inputs is not None:
        stored = opened(options.inputs, "arrays by name (numpy.savez)", np.load)
        if not isinstance(stored, np.lib.npyio.NpzFile):
            raise ValueError(f"{options.inputs} has no arrays by name (numpy.savez)")
        with stored:
            feed = opened(options.inputs, "arrays", lambda path: dict(stored))
    model = opened(options.model, "an ONNX model", onnx.load)
    if not model.HasField("graph"):
        raise ValueError(f"{options.model} has no model in it")
    return model, feed


def run(options: argparse.Namespace) -> int:
    """Checks a model; the exit status."""
    try:
        model, feed = load(options)
        from bnnspy.onnx.checking import check

        report = check(model, feed)
    except CannotRun:
        raise
    except Exception as error:  # a file of another kind, or a model that can't be set up
        raise CannotRun(f"{type(error).__name__}: {error}") from None
    show(report)
    if report.findings:
        return FOUND
    return CANNOT if report.stopped is not None else DONE


def main(given: Sequence[str] | None = None) -> int:
    """Runs the command; the exit status, as command_line.py has it."""
    return command_line.main(parser(), given)


if __name__ == "__main__":
    sys.exit(main())
