"""Calls made by a worker process, whose crashes and hangs become outcomes like others."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

from bnnspy.command_line import CannotRun
from bnnspy.conformance.calls import Call
from bnnspy.conformance.library import Outcome

START_UP = 120.0  # seconds until a worker has to have loaded the library
TAIL = 400  # characters of what it last said on standard error

NEEDED = "BNNSGather"  # a library without it is not meant; others may be missing
END = None


class CannotLoad(CannotRun):
    """The library can't be loaded; the text says why."""


class Worker:
    """One process, and the lines that it answers."""

    def __init__(self, library: str, calls: Path, start: int) -> None:
        self.stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed in __exit__
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bnnspy.conformance.worker", library, str(calls), str(start)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.stderr,
        )
        assert self.process.stdout is not None
        self.pipe = self.process.stdout.fileno()
        self.rest = b""

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.stderr.close()

    def line(self, seconds: float) -> bytes | None:
        """The next line, or None at the end; a TimeoutError when it takes too long."""
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.pipe], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError
            more = os.read(self.pipe, 1 << 16)
            if not more:
                return END
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    def death(self) -> Outcome:
        """How the process ended, and what it said."""
        code = self.process.wait()
        self.stderr.seek(0)
        said = self.stderr.read().decode(errors="replace").strip()[-TAIL:]
        if code < 0:
            try:
                how = signal.Signals(-code).name
            except ValueError:
                how = f"signal {-code}"
        else:
            how = f"exit status {code}"
        return {"crash": how, "said": said} if said else {"crash": how}


def outcomes(
    library: str, calls: Sequence[Call], timeout: float, most_restarts: int
) -> Iterator[Outcome]:
    """One outcome a call, in order.

    A worker that dies or takes longer than `timeout` for a call is replaced by another, which goes
    on behind that call. After `most_restarts` of them the rest of the calls is not made.
    """
    with tempfile.TemporaryDirectory(prefix="bnnspy-") as folder:
        path = Path(folder) / "calls.jsonl"
        path.write_text("".join(json.dumps(call) + "\n" for call in calls), encoding="utf-8")
        done = restarts = 0
        while done < len(calls):
            if restarts > most_restarts:
                yield {"not made": f"the library ended {restarts} workers"}
                done += 1
                continue
            with Worker(library, path, done) as worker:
                greet(worker, library)
                for outcome in until_death(worker, len(calls) - done, timeout):
                    yield outcome
                    done += 1
            restarts += 1


def greet(worker: Worker, library: str) -> None:
    """Waits until the worker has loaded the library."""
    try:
        line = worker.line(START_UP)
    except TimeoutError:
        raise CannotLoad(f"{library} did not load in {START_UP:.0f} seconds") from None
    if line is END:
        death = worker.death()
        raise CannotLoad(f"loading {library} ended in {death['crash']}: {death.get('said', '')}")
    greeting = json.loads(line)
    if "error" in greeting:
        raise CannotLoad(greeting["error"])
    if NEEDED in greeting["missing"]:
        raise CannotLoad(f"{library} has no {NEEDED}")


def until_death(worker: Worker, count: int, timeout: float) -> Iterator[Outcome]:
    """The worker's outcomes; the last one is its death, if it did not come to the end."""
    for _ in range(count):
        try:
            line = worker.line(timeout)
        except TimeoutError:
            yield {"hang": timeout}
            return
        if line is END:
            yield worker.death()
            return
        yield json.loads(line)
