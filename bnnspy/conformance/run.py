"""The command: makes all calls on our core and on another library, and reports what differs."""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bnnspy import command_line
from bnnspy.command_line import DONE, FOUND, CannotRun, Parser, number, writable
from bnnspy.conformance import report
from bnnspy.conformance.calls import Call
from bnnspy.conformance.compare import Comparison, compare
from bnnspy.conformance.contain import outcomes
from bnnspy.conformance.generate import all_calls
from bnnspy.conformance.library import ACCELERATE, OURS

COUNT, SEED, TIMEOUT, RESTARTS, SHOW = 4000, 0, 10.0, 300, 3
MOST = 1_000_000  # calls, restarts, differences: more is a slip of the finger
SHORTEST, LONGEST = 0.001, 86400.0  # seconds for a call


def add_to(made: Parser) -> None:
    """Makes a parser this command's."""
    made.runs(run)
    made.description = (
        "Makes the same calls on bnnspy's core and on another library with the BNNS "
        "interface, each in a process of its own, and reports where they differ."
    )
    made.epilog = "Exit status: 0 no difference, 1 differences, 2 the run could not be made."
    made.add_argument(
        "--library", metavar="PATH", help="default on macOS: the Accelerate framework"
    )
    made.add_argument(
        "--count",
        type=number(int, 0, MOST),
        default=COUNT,
        help=f"random calls (default {COUNT}), beside the others",
    )
    made.add_argument(
        "--seed",
        type=number(int, 0, 2**63 - 1),
        default=SEED,
        help=f"of the random calls (default {SEED})",
    )
    made.add_argument(
        "--only", metavar="PATTERN", help="calls whose name matches, as a shell would"
    )
    made.add_argument("--report", metavar="FILE.json", type=Path, help="writes everything there")
    made.add_argument(
        "--show",
        type=number(int, 0, MOST),
        default=SHOW,
        help=f"differences with programs (default {SHOW})",
    )
    made.add_argument(
        "--timeout",
        type=number(float, SHORTEST, LONGEST),
        default=TIMEOUT,
        help=f"seconds for a call (default {TIMEOUT:g})",
    )
    made.add_argument(
        "--restarts",
        type=number(int, 0, MOST),
        default=RESTARTS,
        help=f"crashes and hangs borne ({RESTARTS})",
    )


def library_of(given: str | None) -> str | None:
    """The library to compare with, or None where none can be guessed."""
    if given is None:
        return ACCELERATE if sys.platform == "darwin" else None
    # A bare name is left to the loader.
    return str(Path(given).resolve()) if Path(given).is_file() else given


def compared(
    library: str, calls: Sequence[Call], options: argparse.Namespace
) -> Iterator[Comparison]:
    """The calls one by one, on both sides at once."""
    limits = options.timeout, options.restarts
    ours, theirs = outcomes(OURS, calls, *limits), outcomes(library, calls, *limits)
    for call in calls:
        yield compare(call, next(ours), next(theirs))


def run(options: argparse.Namespace) -> int:
    """Makes the calls, and reports; the exit status."""
    library = library_of(options.library)
    if library is None:
        raise CannotRun(
            "--library PATH is needed here: a shared library with BNNSGather. Only macOS has one "
            "of its own, the Accelerate framework."
        )
    if options.report:
        writable(options.report)
    calls = all_calls(options.count, options.seed)
    if options.only:
        calls = [call for call in calls if fnmatch.fnmatchcase(call["name"], options.only)]
    if not calls:
        raise CannotRun(f"no call is named like {options.only}")
    began = time.monotonic()
    found = list(report.progress(compared(library, calls, options), len(calls)))
    made = report.Run(library, options.seed, time.monotonic() - began, found)
    print(f"ours against {library}, seed {options.seed}")
    report.print_table(made)
    for line in report.lines(made, options.show):
        print(line)
    if options.report:
        write(options.report, json.dumps(report.as_json(made), indent=1) + "\n")
        print(f"written: {options.report}")
    return FOUND if made.differing() else DONE


def write(path: Path, text: str) -> None:
    """The report; a disk may be full."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotRun(f"{path} can't be written: {error.strerror}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """The command by itself: `python -m bnnspy.conformance`."""
    parser = Parser(prog="python -m bnnspy conformance")
    add_to(parser)
    return command_line.main(parser, arguments)
