"""`python -m bnnspy`: what is installed, the documented examples, drawings, and a library for C."""

from __future__ import annotations

import argparse
import os
import platform
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import cffi
import numpy as np

import bnnspy
from bnnspy import _bnns, command_line, library
from bnnspy._bnns import lib
from bnnspy.capi.gather import BNNSGather
from bnnspy.command_line import DONE, Parser
from bnnspy.conformance import run as conformance
from bnnspy.constants import DataLayout, DataType
from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.errors import text
from bnnspy.shape import Shape, layout_name

LAYOUTS = {layout_name(layout): layout for layout in DataLayout}
TYPES = {data_type.name: data_type for data_type in DataType if data_type & 0xFFFF}


def processor() -> str:
    """The processor's name as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor()
    return f"{name} ({platform.machine()})" if name else platform.machine()


def kernels() -> str:
    """The kernels that this process runs."""
    chosen = text(lib.bnnspy_kernel_variant())
    masked = os.environ.get("BNNSPY_DISABLE_CPU")
    return f"{chosen} (BNNSPY_DISABLE_CPU={masked})" if masked else chosen


def threads() -> str:
    """How many threads a call may use when it leaves that open."""
    count = lib.bnnspy_num_threads()
    given = os.environ.get("BNNSPY_NUM_THREADS")
    if not given:
        return str(count)
    # What the core takes: digits alone, and 0 is no number of threads.
    ignored = "" if re.fullmatch("[0-9]*[1-9][0-9]*", given) else ", ignored"
    return f"{count} (BNNSPY_NUM_THREADS={given}{ignored})"


def info(options: argparse.Namespace) -> int:
    """One fact a line."""
    facts = {
        "bnnspy": bnnspy.__version__,
        "Python": f"{platform.python_version()} ({sys.executable})",
        "NumPy": np.__version__,
        "cffi": cffi.__version__,
        "system": platform.platform(),
        "processor": processor(),
        "kernels": kernels(),
        "threads": threads(),
        "library": str(_bnns.__file__),
        "headers": bnnspy.get_include(),
        "C sources": str(library.source_folder() or "none"),
    }
    width = max(map(len, facts))
    for name, fact in facts.items():
        print(f"{name:{width}}  {fact}")
    return DONE


def demo(options: argparse.Namespace) -> int:
    """The two examples of Apple's page on BNNSGather, with their drawings."""
    matrix, vector = Shape.matrix_row_major, Shape.vector
    tens = [float(10 * k) for k in range(1, 10)]
    show("A vector of indices", tens[:8], vector(8), [1, 3, 7, 5], vector(4), 0)
    show("Indices of output's shape", tens, matrix(3, 3), [0, 1, 2, 0, 1, 1], matrix(2, 3), 1)
    return DONE


def show(
    title: str, values: list[float], shape: Shape, picks: list[int], picked: Shape, axis: int
) -> None:
    """One example: its input drawn, the call, and what came out."""
    input = NDArrayDescriptor.allocate(initializing_from=values, shape=shape)
    indices = NDArrayDescriptor.allocate(initializing_from=picks, shape=picked)
    output = NDArrayDescriptor.allocate(repeating=0.0, shape=picked)
    status = BNNSGather(axis, input, indices, output, None)
    print(f"{title}\n{'=' * len(title)}\n\ninput: {input.explain(axis)}\n")
    for name, tensor in (("input", input), ("indices", indices), ("output", output)):
        print(f"{name:8} {tensor.array.tolist()}")
    print(f"\nBNNSGather({axis}, input, indices, output, None) returned {int(status)}\n")


def explain(options: argparse.Namespace) -> int:
    """A drawing of a layout with these sizes."""
    try:
        shape = Shape(options.size, LAYOUTS[options.layout], options.stride)
        tensor = NDArrayDescriptor(shape=shape, data_type=TYPES[options.type])
        drawn = tensor.explain(options.axis)
    except ValueError as error:
        options.parser.error(str(error))
    print(drawn)
    return DONE


def build_library(options: argparse.Namespace) -> int:
    """The core as a shared library, and how to use it."""
    print(library.build(options.path))
    return DONE


def parser() -> Parser:
    """The command line."""
    top = Parser(
        prog="python -m bnnspy",
        description=bnnspy.__doc__,
        epilog="Exit status: 0 when it is done, 1 when a conformance run finds a difference, 2 "
        "when it can't be run.",
    )
    commands = top.add_subparsers(dest="name", required=True, metavar="command")
    commands.add_parser("info", help="version, processor, kernels, threads, where things are").runs(
        info
    )
    commands.add_parser("demo", help="Apple's two examples of BNNSGather, with drawings").runs(demo)
    drawing = commands.add_parser(
        "explain",
        help="draw a layout with these sizes",
        description="Draws a descriptor: axes, slots, elements in memory.",
        epilog=f"layouts: {', '.join(LAYOUTS)}",
    )
    drawing.runs(explain)
    drawing.add_argument("layout", choices=list(LAYOUTS), metavar="LAYOUT")
    size = "as the layout orders size[]"
    drawing.add_argument("size", type=int, nargs="+", metavar="SIZE", help=size)
    stride = "in elements, as the layout orders stride[]; 0 for the default"
    drawing.add_argument("--stride", type=int, nargs="+", metavar="N", help=stride)
    drawing.add_argument("--axis", type=int, help="show what a gather along this axis takes")
    drawing.add_argument("--type", choices=list(TYPES), default="Float32", metavar="TYPE")
    build = commands.add_parser(
        "build-library",
        help="compile the C core to a shared library",
        description="Compiles the C core with cc (or what CC names) to a shared library that "
        "exports the functions of bnns.h and bnnspy.h, and prints the flags for a program that "
        "uses it.",
    )
    build.runs(build_library)
    build.add_argument("path", type=Path, metavar="PATH", help="the library, or a folder for it")
    help = "the same calls on this core and on another library"
    conformance.add_to(commands.add_parser("conformance", help=help))
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; the exit status, as command_line.py has it."""
    return command_line.main(parser(), arguments)


if __name__ == "__main__":
    sys.exit(main())
