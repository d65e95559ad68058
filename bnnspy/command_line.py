"""What the commands of `python -m bnnspy` and `python -m bnnspy.onnx` have in common.

A command is a parser that names its function. Arguments and paths are checked before work starts,
and every command ends with one of these statuses:

    0    it is done, and there is nothing to report
    1    it is done, and found what it looks for (differences, gathers out of range)
    2    it could not be run, or its result could not be written; one sentence says why
    130  it was interrupted, and 141 who read its output has gone: both without a word, as a shell
         counts programs that the signal ends
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO, TypeVar

import bnnspy

DONE, FOUND, CANNOT, INTERRUPTED, UNREAD = 0, 1, 2, 130, 141

Command = Callable[[argparse.Namespace], int]
Number = TypeVar("Number", int, float)


class CannotRun(Exception):
    """Why a command can't be run, in a sentence."""


class Unread(Exception):
    """Standard output is a pipe that nobody reads any more."""


# --- arguments ------------------------------------------------------------------------------------


class Parser(argparse.ArgumentParser):
    """A parser that knows --version, as do those of its subcommands."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        version = f"bnnspy {bnnspy.__version__}"
        self.add_argument("--version", action="version", version=version, help="print it, and end")

    def runs(self, command: Command) -> None:
        """What is called with the arguments, which name this parser too: for its usage."""
        self.set_defaults(command=command, parser=self)


def number(kind: type[Number], low: Number, high: Number) -> Callable[[str], Number]:
    """For argparse's `type`: a number within low..high, both included."""

    def read(text: str) -> Number:
        try:
            value = kind(text)
        except ValueError:
            what = "whole number" if kind is int else "number"
            raise argparse.ArgumentTypeError(f"{text!r} is no {what}") from None
        if not low <= value <= high:  # nor is nan
            raise argparse.ArgumentTypeError(f"{text} is outside {low}..{high}")
        return value

    return read


def readable(path: Path) -> Path:
    """path, if a file can be read there."""
    try:
        with path.open("rb"):
            return path
    except OSError as error:
        raise CannotRun(f"{path} can't be read: {error.strerror}") from None


def writable(path: Path) -> Path:
    """path, if a file can be written there; what is there stays as it is."""
    reason = ""
    try:
        if path.is_dir():
            reason = "it is a folder"
        elif not path.parent.is_dir():
            reason = f"{path.parent} is no folder"
        elif not os.access(path if path.exists() else path.parent, os.W_OK):
            reason = "there is no permission"
    except OSError as error:  # a name that is too long
        reason = str(error.strerror)
    if reason:
        raise CannotRun(f"{path} can't be written: {reason}")
    return path


# --- running --------------------------------------------------------------------------------------


class Output:
    """Standard output whose failures can be told from all others, and are reported once.

    What its encoding lacks is written as an escape, as Python does on standard error.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        with self.reported():
            try:
                return self.stream.write(text)
            except UnicodeEncodeError as error:
                known = text.encode(error.encoding, "backslashreplace").decode(error.encoding)
                return self.stream.write(known)

    def flush(self) -> None:
        with self.reported():
            self.stream.flush()

    @contextlib.contextmanager
    def reported(self) -> Iterator[None]:
        """Turns an error of the stream into what `main` reports."""
        try:
            yield
        except OSError as error:
            self.give_up()
            if isinstance(error, BrokenPipeError):
                raise Unread from None
            raise CannotRun(f"standard output can't be written: {error.strerror}") from None

    def give_up(self) -> None:
        """Lets what is still buffered go nowhere, or Python would try again when it exits."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        with contextlib.suppress(OSError):  # a stream of a test has no number
            os.dup2(nowhere, self.stream.fileno())
        os.close(nowhere)


def main(parser: Parser, given: Sequence[str] | None = None) -> int:
    """Runs the command that the arguments name; the exit status.

    Arguments that argparse refuses are a SystemExit with status 2, behind the usage of the command
    that they were given to.
    """

    def command() -> int:
        options, unknown = parser.parse_known_args(given)
        if unknown:
            options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
        named.append(options.parser.prog)
        chosen: Command = options.command
        return chosen(options)

    named = [parser.prog]
    return run(command, named)


def run(command: Callable[[], int | None], named: Sequence[str]) -> int:
    """Runs what writes to standard output; the exit status. Errors follow the last name."""
    stdout: TextIO | None = sys.stdout  # None where a shell has closed it
    try:
        if stdout is None:
            raise CannotRun("standard output is closed")
        output = Output(stdout)
        with contextlib.redirect_stdout(output):
            try:
                return command() or DONE
            finally:
                output.flush()
    except (CannotRun, OSError) as error:  # the latter is the machine's: no disk, no process
        with contextlib.suppress(OSError):
            print(f"{named[-1]}: {error}", file=sys.stderr)
        return CANNOT
    except Unread:
        return UNREAD
    except KeyboardInterrupt:
        return INTERRUPTED
