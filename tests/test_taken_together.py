"""Status and sentence of a failing call belong together, whatever fails in between."""

from __future__ import annotations

import gc
import importlib
import logging
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import bnnspy
import bnnspy.onnx as bonnx
from bnnspy import BNNS, BNNSGather, Error, FilterParameters, NDArrayDescriptor, Shape, last_error
from bnnspy._bnns import lib
from bnnspy.doors import DOORS, doors_of
from bnnspy.operations import OPERATIONS

KEPT = 16  # records of a thread, as bnnspy.h says
VALUES = np.arange(8, dtype=np.float32).reshape(4, 2)


def operands() -> list[NDArrayDescriptor]:
    arrays = (VALUES, np.array([3, 1]), np.zeros((2, 2), np.float32))
    return [NDArrayDescriptor.from_array(array) for array in arrays]


def fail_otherwise() -> None:
    """Another failing call, of another status and with another sentence."""
    values, _, output = operands()
    bad = NDArrayDescriptor.from_array(np.array([0, 77]))
    assert BNNSGather(0, values, bad, output) == -1005
    assert last_error() == "indices[1] is 77, outside 0..3 (axis 0 of input)"


# --- something that fails between the call and the reading of its record --------------------------


class Dying:
    """Makes a failing call when it goes."""

    def __del__(self) -> None:
        fail_otherwise()


def through_a_finalizer() -> None:
    Dying()


def through_a_cycle() -> None:
    one = Dying()
    one.itself = one  # type: ignore[attr-defined]
    del one
    gc.collect()


def through_a_collector_callback() -> None:
    def callback(phase: str, info: object) -> None:
        if phase == "start":
            fail_otherwise()

    gc.callbacks.append(callback)
    try:
        gc.collect()
    finally:
        gc.callbacks.remove(callback)


def through_a_signal() -> None:
    before = signal.signal(signal.SIGUSR1, lambda *_: fail_otherwise())
    try:
        signal.raise_signal(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)


BETWEEN = [through_a_finalizer, through_a_cycle, through_a_collector_callback, through_a_signal]

# The C functions that the package calls beside the doors, by the modules that look them up once.
LOOKED_UP = [
    ("bnnspy.record", "bind"),
    ("bnnspy.descriptor", "bind"),
    ("bnnspy.onnx.functions", "take"),
]


class Describing:
    """The compiled library, with something that happens after each description."""

    def __init__(self, between: Callable[[], None]) -> None:
        self.between = between

    def __getattr__(self, name: str) -> Any:
        return getattr(lib, name)

    def bnnspy_describe(self, *arguments: Any) -> int:
        outcome = lib.bnnspy_describe(*arguments)
        self.between()
        return outcome


@pytest.fixture(params=BETWEEN, ids=lambda function: function.__name__)
def between(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """While it is there, each call of the core is followed by another that fails."""
    happened: list[str] = []
    busy = False

    def once() -> None:
        nonlocal busy
        if not busy:
            busy = True
            request.param()
            busy = False
            happened.append(request.param.__name__)

    def followed(real: Callable[..., int]) -> Callable[..., int]:
        def door(*arguments: Any) -> int:
            outcome = real(*arguments)
            if outcome:
                once()
            return outcome

        return door

    for operation in OPERATIONS:
        for name in doors_of(operation):
            monkeypatch.setitem(DOORS, name, followed(DOORS[name]))
    for name, attribute in LOOKED_UP:
        module = importlib.import_module(name)
        monkeypatch.setattr(module, attribute, followed(getattr(module, attribute)))
    for name in ("bnnspy.record", "bnnspy.shape"):
        monkeypatch.setattr(importlib.import_module(name), "lib", Describing(once))
    yield happened
    assert happened


def failing_calls() -> dict[str, tuple[Callable[[], Any], str]]:
    values, indices, output = operands()
    short = NDArrayDescriptor(shape=(4, 2), scalar_type=float)
    wrong = NDArrayDescriptor.from_array(np.zeros(3, np.float32))
    wrong.size = 9
    places = np.array([4])
    return {
        "axis": (
            lambda: BNNS.gather(input=values, indices=indices, output=output, axis=2),
            "axis is 2, outside 0..1 (input has rank 2)",
        ),
        "huge axis": (
            lambda: BNNS.gather(input=values, indices=indices, output=output, axis=2**70),
            f"axis is {2**70}, outside 0..1 (input has rank 2)",
        ),
        "no data": (
            lambda: BNNS.gather(input=short, indices=indices, output=output, axis=0),
            "input.data is NULL, and the call needs its elements",
        ),
        "array": (lambda: wrong.array, "data holds 12 bytes, and the shape needs 36"),
        "checked form": (
            lambda: NDArrayDescriptor(data=VALUES, shape=(9, 2)),
            "data holds 32 bytes, and the shape needs 72",
        ),
        "shape": (
            lambda: Shape.matrix_row_major(2, 3, stride=(4, 1)).batch_stride,
            "shape.stride[1] is 1, less than 4, the stride before it (RowMajorMatrix)",
        ),
        "onnx": (
            lambda: bonnx.gather(VALUES, places),
            "indices[0] is 4, outside -4..3 (axis 0 of data)",
        ),
        "onnx strings": (
            lambda: bonnx.gather(np.array(["a", "b"]), places),
            "indices[0] is 4, outside -2..1 (axis 0 of data)",
        ),
    }


@pytest.mark.parametrize("name", failing_calls())
def test_an_exception_had_the_sentence_of_another_call(name: str, between: list[str]) -> None:
    call, sentence = failing_calls()[name]
    with pytest.raises(Error) as caught:
        call()
    assert str(caught.value) == sentence
    assert caught.value.index == (4 if "onnx" in name else None)
    assert caught.value.status == (-1005 if "onnx" in name else -1)


@pytest.mark.parametrize("axis", [2, 2**70])
@pytest.mark.parametrize("parameters", [None, FilterParameters()])
def test_the_c_face_logged_the_sentence_of_another_call(
    axis: int, parameters: Any, between: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert BNNSGather(axis, *operands(), parameters) == -1
    assert caplog.messages[-1] == f"BNNSGather: axis is {axis}, outside 0..1 (input has rank 2)"
    assert last_error() == f"axis is {axis}, outside 0..1 (input has rank 2)"


@pytest.mark.parametrize("happens", BETWEEN, ids=lambda function: function.__name__)
def test_a_refusal_of_strict_mode_had_the_sentence_of_another_call(
    happens: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    values, _, output = operands()
    indices = NDArrayDescriptor.from_array(np.array([3, 1], np.int8))
    with bnnspy.strict("apple", action="refuse"):
        name = "bnnspy_gather_default"
        refuses = DOORS[name]

        def door(*arguments: Any) -> int:
            outcome = refuses(*arguments)
            with monkeypatch.context() as patch:
                patch.setitem(DOORS, name, lib.bnnspy_gather_default)
                happens()
            return int(outcome)

        with monkeypatch.context() as patch:  # undone before strict mode is left
            patch.setitem(DOORS, name, door)
            assert BNNSGather(0, values, indices, output) == -1
        assert "the type of indices is Int8" in last_error()
        assert output.array.tolist() == [[0, 0], [0, 0]]


def test_an_allocator_that_fails_calls_of_its_own() -> None:
    """It runs within the call, whose own failure comes later."""
    columns = 4000
    table = NDArrayDescriptor.from_array(np.zeros((600, columns), np.float32))
    places = np.zeros((600, columns), np.int32)
    places[599, 3] = -1
    asked = []

    def alloc(memptr: Any, alignment: int, size: int) -> int:
        asked.append(size)
        fail_otherwise()
        return 12

    output = NDArrayDescriptor.from_array(np.zeros((600, columns), np.float32))
    indices = NDArrayDescriptor.from_array(places)
    parameters = FilterParameters(n_threads=1, alloc_memory=alloc)
    assert BNNSGather(0, table, indices, output, parameters) == -1005
    assert last_error() == "indices[599, 3] is -1, outside 0..599 (axis 0 of input)"


# --- more failures in between than a thread keeps -------------------------------------------------


@pytest.mark.parametrize(("failures", "kept"), [(KEPT - 1, True), (KEPT, False), (100, False)])
def test_a_record_that_is_gone_leaves_the_status_and_says_so(
    failures: int, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = DOORS["bnnspy_gather"]

    def door(*arguments: Any) -> int:
        outcome = real(*arguments)
        for _ in range(failures):
            assert lib.BNNSGather(0, *[bnnspy._bnns.ffi.NULL] * 4) == -1
        return outcome

    monkeypatch.setitem(DOORS, "bnnspy_gather", door)
    values, _, output = operands()
    bad = NDArrayDescriptor.from_array(np.array([0, 77]))
    with pytest.raises(bnnspy.IndexOutOfRange) as caught:
        BNNS.gather(input=values, indices=bad, output=output, axis=0)
    assert caught.value.status == -1005
    assert (caught.value.index == 77) is kept
    assert str(caught.value) == last_error()
    gone = "the call failed with -1005; its reason is no longer known"
    assert str(caught.value).startswith("indices[1] is 77" if kept else gone)


# --- the log --------------------------------------------------------------------------------------


class Raising(logging.Handler):
    """A handler that raises."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def emit(self, record: logging.LogRecord) -> None:
        raise self.error


class Filtering(logging.Handler):
    """A handler whose filter raises."""

    def filter(self, record: logging.LogRecord) -> bool:
        raise ValueError("no filter today")


class Failing(logging.Handler):
    """A handler that makes a failing call, and notes what is said before and after it."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if "77" not in record.getMessage():
            self.said.append(last_error())
            fail_otherwise()
            self.said.append(last_error())


@pytest.fixture
def handled() -> Iterator[Callable[[logging.Handler], None]]:
    logger = logging.getLogger("bnnspy")
    added: list[logging.Handler] = []

    def add(handler: logging.Handler) -> None:
        added.append(handler)
        logger.addHandler(handler)

    yield add
    for handler in added:
        logger.removeHandler(handler)


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize(
    "handler",
    [Raising(ValueError("no log today")), Raising(RecursionError("deep")), Filtering()],
    ids=["handler", "recursion", "filter"],
)
def test_a_log_handler_that_raises_made_the_c_face_raise(
    handler: logging.Handler,
    said: bool,
    handled: Callable[[logging.Handler], None],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What it raises goes where logging reports its errors: to stderr, or nowhere."""
    handled(handler)
    monkeypatch.setattr(logging, "raiseExceptions", said)
    assert BNNSGather(2, *operands()) == -1
    assert last_error() == "axis is 2, outside 0..1 (input has rank 2)"
    shown = capsys.readouterr().err
    assert ("--- Logging error ---" in shown and "axis is 2" in shown) is said


def test_a_closed_stderr_is_no_reason_to_raise(
    handled: Callable[[logging.Handler], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    handled(Raising(ValueError("no log today")))
    with (tmp_path / "err").open("w") as closed:
        pass
    monkeypatch.setattr(sys, "stderr", closed)
    assert BNNSGather(2, *operands()) == -1


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_who_wants_to_stop_is_let_go(
    error: BaseException, handled: Callable[[logging.Handler], None]
) -> None:
    handled(Raising(error))
    with pytest.raises(type(error)):
        BNNSGather(2, *operands())
    assert last_error() == "axis is 2, outside 0..1 (input has rank 2)"


def test_a_log_handler_that_failed_left_its_own_sentence(
    handled: Callable[[logging.Handler], None],
) -> None:
    handler = Failing()
    handled(handler)
    assert BNNSGather(2**70, *operands()) == -1
    mine = f"axis is {2**70}, outside 0..1 (input has rank 2)"
    assert handler.said == [mine, "indices[1] is 77, outside 0..3 (axis 0 of input)"]
    assert last_error() == mine


# --- the first failure of a process ---------------------------------------------------------------

FIRST = """
import gc, os, sys
import bnnspy
import bnnspy.onnx as bonnx
import numpy as np

ready = bnnspy.NDArrayDescriptor.from_array(np.zeros(4, np.float32))


def first():
    if sys.argv[1] == "C face":
        assert bnnspy.BNNSGather(9, None, None, None) == -1
    elif sys.argv[1] == "overlay":
        try:
            bnnspy.BNNS.gather(input=ready, indices=ready, output=ready, axis=0)
        except bnnspy.InvalidParameter:
            return
        raise AssertionError
    elif sys.argv[1] == "descriptor":
        ready.size = 9
        try:
            ready.make_array()
        except bnnspy.ArrayDescriptorInvalidData:
            return
        raise AssertionError
    else:
        try:
            bonnx.gather(np.zeros(4), np.array([5]))
        except bnnspy.IndexOutOfRange:
            return
        raise AssertionError


def child(k):
    # As often as the collector can, it calls back; the k-th time fails a call of its own.
    seen = 0

    def callback(phase, info):
        nonlocal seen
        seen += 1
        if seen == k:
            assert bnnspy.BNNSGather(0, None, None, None) == -1

    gc.callbacks.append(callback)
    gc.set_threshold(1)
    first()
    os._exit(0 if seen >= k else 3)


k = 0
while True:
    k += 1
    pid = os.fork()
    if pid == 0:
        try:
            child(k)
        finally:
            os._exit(4)
    status = os.waitpid(pid, 0)[1]
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 3:
        break
    assert status == 0, (k, status)
    assert k < 1000
print(k)
"""


@pytest.mark.parametrize("face", ["C face", "overlay", "descriptor", "onnx"])
def test_a_call_within_the_first_failure_of_a_process_aborted_it(face: str) -> None:
    """cffi makes a type when it is first used, and may not be called back while it does."""
    run = subprocess.run(
        [sys.executable, "-c", FIRST, face], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert int(run.stdout) > 1
