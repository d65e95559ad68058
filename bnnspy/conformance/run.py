"""The command: makes all calls on our core and on another library, and reports what differs."""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bnnspy.conformance import report
from bnnspy.conformance.calls import Call
from bnnspy.conformance.compare import Comparison, compare
from bnnspy.conformance.contain import CannotLoad, outcomes
from bnnspy.conformance.generate import all_calls
from bnnspy.conformance.library import ACCELERATE, OURS

COUNT, SEED, TIMEOUT, RESTARTS, SHOW = 4000, 0, 10.0, 300, 3
AGREE, DIFFER, UNUSABLE = 0, 1, 2  # exit statuses


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="python -m bnnspy conformance",
        description="Makes the same calls on bnnspy's core and on another library with the BNNS "
        "interface, each in a process of its own, and reports where they differ.",
        epilog="Exit status: 0 no difference, 1 differences, 2 the run could not be made.",
    )
    made.add_argument(
        "--library", metavar="PATH", help="default on macOS: the Accelerate framework"
    )
    made.add_argument(
        "--count",
        type=int,
        default=COUNT,
        help=f"random calls (default {COUNT}), beside the others",
    )
    made.add_argument(
        "--seed", type=int, default=SEED, help=f"of the random calls (default {SEED})"
    )
    made.add_argument(
        "--only", metavar="PATTERN", help="calls whose name matches, as a shell would"
    )
    made.add_argument("--report", metavar="FILE.json", type=Path, help="writes everything there")
    made.add_argument(
        "--show", type=int, default=SHOW, help=f"differences with programs (default {SHOW})"
    )
    made.add_argument(
        "--timeout", type=float, default=TIMEOUT, help=f"seconds for a call (default {TIMEOUT:g})"
    )
    made.add_argument(
        "--restarts", type=int, default=RESTARTS, help=f"crashes and hangs borne ({RESTARTS})"
    )
    return made


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit status."""
    options = parser().parse_args(arguments)
    library = library_of(options.library)
    if library is None:
        print(
            "--library PATH is needed here: a shared library with BNNSGather. Only macOS has one "
            "of its own, the Accelerate framework.",
            file=sys.stderr,
        )
        return UNUSABLE
    calls = all_calls(options.count, options.seed)
    if options.only:
        calls = [call for call in calls if fnmatch.fnmatchcase(call["name"], options.only)]
    if not calls:
        print(f"no call is named like {options.only}", file=sys.stderr)
        return UNUSABLE
    began = time.monotonic()
    try:
        found = list(report.progress(compared(library, calls, options), len(calls)))
    except CannotLoad as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    run = report.Run(library, options.seed, time.monotonic() - began, found)
    print(f"ours against {library}, seed {options.seed}")
    report.print_table(run)
    for line in report.lines(run, options.show):
        print(line)
    if options.report:
        text = json.dumps(report.as_json(run), indent=1) + "\n"
        options.report.write_text(text, encoding="utf-8")
        print(f"written: {options.report}")
    return DIFFER if run.differing() else AGREE
