"""How many threads a call uses, and that processes may fork and be confined."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import pytest

import bnnspy
from bnnspy import get_num_threads, set_num_threads

VARIABLE = "BNNSPY_NUM_THREADS"

# A call of 2 million elements: more than the least for two threads. `used()` counts the workspaces
# that the call asks for, one a thread.
CALL = """
import numpy as np
import bnnspy

rng = np.random.default_rng(0)
table = np.arange(16 * 1500, dtype=np.float32).reshape(16, 1500)
table = np.tile(table, (60, 1))
indices = rng.integers(0, 1500, 2100)
output = np.zeros((960, 2100), np.float32)
arrays = [bnnspy.NDArrayDescriptor.from_array(a) for a in (table, indices, output)]

def gather(n_threads=0):
    output.fill(0)
    parameters = bnnspy.FilterParameters(n_threads=n_threads)
    assert bnnspy.BNNSGather(1, *arrays, parameters) == 0
    assert (output == table[:, indices]).all()
"""


def run(program: str, **environment: str) -> str:
    """What a program prints that has CALL before it; a time limit ends it."""
    done = subprocess.run(
        [sys.executable, "-c", CALL + textwrap.dedent(program)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, f"exit status {done.returncode}\n{done.stderr}"
    return done.stdout.strip()


@pytest.fixture(autouse=True)
def undone() -> Iterator[None]:
    yield
    set_num_threads(0)


def test_set_and_get() -> None:
    automatic = get_num_threads()
    assert 1 <= automatic <= 64
    for n in (1, 2, 7, 64):
        set_num_threads(n)
        assert get_num_threads() == n
    set_num_threads(1000)
    assert get_num_threads() == 64
    set_num_threads(2**40)
    assert get_num_threads() == 64
    set_num_threads(0)
    assert get_num_threads() == automatic


@pytest.mark.parametrize("bad", ["2", None, 2.0, True, [2]])
def test_wrong_type(bad: Any) -> None:
    with pytest.raises(TypeError, match="has to be an integer"):
        set_num_threads(bad)


@pytest.mark.parametrize("bad", [-1, -(2**70)])
def test_negative(bad: int) -> None:
    with pytest.raises(ValueError, match=str(bad)):
        set_num_threads(bad)


def test_they_are_public() -> None:
    assert {"set_num_threads", "get_num_threads"} <= set(bnnspy.__all__)


COUNT = """
    found = []
    def allocate(place, alignment, size):
        block = np.zeros(size + alignment, np.uint8)
        address = block.ctypes.data
        address += -address % alignment
        found.append(block)
        place[0] = ffi.cast("void *", address)
        return 0

    from cffi import FFI
    ffi = FFI()
    for n in {counts}:
        found.clear()
        parameters = bnnspy.FilterParameters(
            n_threads=n, alloc_memory=allocate, free_memory=lambda memory: None)
        assert bnnspy.BNNSGather(1, *arrays, parameters) == 0
        assert (output == table[:, indices]).all()
        print(len(found), end=" ")
"""


def test_each_thread_has_a_workspace_so_that_they_can_be_counted() -> None:
    assert run(COUNT.format(counts=(1, 2, 7))) == "1 2 7"


def test_left_open_it_is_what_was_set() -> None:
    program = "    bnnspy.set_num_threads(3)\n" + COUNT.format(counts=(0,))
    assert run(program) == "3"
    assert run(COUNT.format(counts=(0, 1)), BNNSPY_NUM_THREADS="2") == "2 1"


def threads_with(environment: dict[str, str]) -> int:
    """How many a process has with these variables, and with no other that says it."""
    kept = {name: value for name, value in os.environ.items() if name != VARIABLE}
    command = [sys.executable, "-c", "import bnnspy; print(bnnspy.get_num_threads())"]
    return int(subprocess.check_output(command, env=kept | environment, text=True))


@pytest.fixture(scope="module")
def automatic() -> int:
    return threads_with({})


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("1", 1), ("5", 5), ("064", 64), ("1000", 64), (str(2**64 + 1), 64)),
        # Were 8, 2, 5 and 9 once: what begins like a number is none.
        *(("8abc", None), ("2,3", None), ("5e3", None), (" 9", None)),
        *(("-3", None), ("0", None), ("many", None), ("", None)),
    ],
)
def test_environment(text: str, number: int | None, automatic: int) -> None:
    assert threads_with({VARIABLE: text}) == (number or automatic)


def test_setting_comes_before_the_environment() -> None:
    program = "bnnspy.set_num_threads(4); print(bnnspy.get_num_threads())"
    assert run(program, BNNSPY_NUM_THREADS="2") == "4"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity masks here")
def test_affinity_mask() -> None:
    program = """
    import os
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print(bnnspy.get_num_threads())
    gather()
    """
    environment = {k: v for k, v in os.environ.items() if k != "BNNSPY_NUM_THREADS"}
    assert run(program, **environment, BNNSPY_NUM_THREADS="") == "1"


def test_small_calls_stay_on_their_thread() -> None:
    program = "    arrays[1] = bnnspy.NDArrayDescriptor.from_array(indices)\n" + COUNT.format(
        counts=(0,)
    )
    small = CALL.replace("(60, 1)", "(1, 1)").replace("(960, 2100)", "(16, 2100)")
    done = subprocess.run(
        [sys.executable, "-c", small + textwrap.dedent(program)],
        env=os.environ | {"BNNSPY_NUM_THREADS": "8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "1"


def test_fork_after_a_call_on_threads() -> None:
    program = """
    import os, signal, warnings
    gather(4)
    child = os.fork()
    if child == 0:
        signal.alarm(20)  # ends a child that hangs
        try:
            gather(4)
            gather(1)
            os._exit(0)
        except BaseException:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    gather(2)
    print("both")
    """
    assert run(program) == "both"
