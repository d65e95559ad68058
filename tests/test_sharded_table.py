"""examples/sharded_table.py on two worker processes: right, refused in time, and with a loss."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

distributed = pytest.importorskip("distributed", reason="distributed is an extra: bnnspy[scaling]")

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
ROWS, SHARD = 1000, 128  # eight shards, the last one shorter


@pytest.fixture(scope="module")
def example() -> Iterator[Any]:
    """The example as a module that worker processes can import too: they get this path."""
    sys.path.insert(0, str(EXAMPLES))
    import sharded_table  # type: ignore[import-not-found, unused-ignore]

    yield sharded_table
    sys.path.remove(str(EXAMPLES))


@pytest.fixture(scope="module")
def cluster(example: Any) -> Iterator[Any]:
    with example.local_cluster("500MB", workers=2) as made:
        yield made


@pytest.fixture(scope="module")
def client(cluster: Any) -> Iterator[Any]:
    with distributed.Client(cluster) as made:
        yield made


@pytest.fixture
def table(example: Any, client: Any) -> Any:
    """A small table, on both workers."""
    client.wait_for_workers(2, timeout=60)
    made = example.ShardedTable(client, example.build, ROWS, SHARD)
    assert all(client.has_what().values()), "one worker has all the shards"
    return made


def rows_of(example: Any, wanted: Any) -> Any:
    """What NumPy picks out of the whole table."""
    return example.values(np.arange(ROWS))[wanted]


class Stopped:
    """A worker process that holds still, with tasks of a gather on it, until it is killed."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.address, self.process = next(iter(client.run(os.getpid).items()))
        os.kill(self.process, signal.SIGSTOP)

    def kill_in(self, running: Any) -> None:
        """Kills it once tasks of what is running are on it, which it can't have done."""
        while not self.client.processing().get(self.address):
            assert not running.done()
            time.sleep(0.02)
        os.kill(self.process, signal.SIGKILL)


# --- what a gather gives --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["int16", "int32", "int64", "uint16", "uint64"])
def test_rows_in_the_order_asked(example: Any, table: Any, kind: str) -> None:
    wanted = np.random.default_rng(1).integers(0, ROWS, 3000).astype(kind)
    wanted[:6] = [SHARD, SHARD - 1, 0, ROWS - 1, SHARD, SHARD]  # edges of shards, and repeated
    output = np.empty((3000, example.COLUMNS), np.float32)
    table.gather(wanted, output)
    assert np.array_equal(output, rows_of(example, wanted))


def test_the_callers_buffer_is_filled_and_nothing_beside(example: Any, table: Any) -> None:
    buffer = np.full((10, 2 * example.COLUMNS), -1, np.float32)
    wanted = np.array([999, 3, 3, 500, 128, 127, 0, 256, 511, 900])
    table.gather(wanted, buffer[:, : example.COLUMNS])
    assert np.array_equal(buffer[:, : example.COLUMNS], rows_of(example, wanted))
    assert np.all(buffer[:, example.COLUMNS :] == -1)


def test_no_rows_and_one_shard(example: Any, table: Any) -> None:
    table.gather(np.empty(0, np.int64), np.empty((0, example.COLUMNS), np.float32))
    output = np.empty((2, example.COLUMNS), np.float32)
    table.gather(np.array([200, 130]), output)
    assert np.array_equal(output, rows_of(example, [200, 130]))


def test_a_table_larger_than_a_worker(example: Any, client: Any) -> None:
    """512 MB on workers with 500 MB each: none of them is ended for its memory."""

    def build(first: int, stop: int) -> Any:
        shard = np.empty((stop - first, 128), np.float32)
        shard[:] = np.arange(first, stop, dtype=np.float32)[:, np.newaxis]
        return shard

    client.wait_for_workers(2, timeout=60)
    before = client.run(os.getpid)
    table = example.ShardedTable(client, build, 1_000_000, 62_500)
    held = [worker["metrics"]["memory"] for worker in client.scheduler_info()["workers"].values()]
    wanted = np.random.default_rng(2).integers(0, 1_000_000, 5000)
    output = np.empty((5000, 128), np.float32)
    table.gather(wanted, output)
    assert np.array_equal(output, np.repeat(wanted.astype(np.float32)[:, np.newaxis], 128, axis=1))
    assert client.run(os.getpid) == before
    assert max(held) < 500e6 < 4 * 128 * table.rows


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [ROWS, -1, np.iinfo(np.int64).min, 2**64 - 1])
def test_a_bad_row_is_named_before_anything_is_sent(
    example: Any, table: Any, monkeypatch: pytest.MonkeyPatch, bad: int
) -> None:
    def submit(*_arguments: object, **_options: object) -> None:
        raise AssertionError("work was sent")

    wanted = np.zeros(50, np.uint64 if bad > ROWS else np.int64)
    wanted[[17, 40]] = bad
    output = np.full((50, example.COLUMNS), -1, np.float32)
    monkeypatch.setattr(table.client, "submit", submit)
    sentence = f"rows[17] is {bad}, outside 0..999 of the table"
    with pytest.raises(IndexError, match=re.escape(sentence)):
        table.gather(wanted, output)
    assert np.all(output == -1)


def test_requests_that_do_not_fit(example: Any, table: Any) -> None:
    wanted, columns = np.array([1, 2]), example.COLUMNS
    output = np.empty((2, columns), np.float32)
    for rows in (wanted.astype(np.float64), wanted.reshape(1, 2), wanted > 1):
        with pytest.raises(TypeError, match="1-D integers are needed"):
            table.gather(rows, output)
    for wrong in (output[:1], output[:, 1:], output.astype(np.float64)):
        with pytest.raises(ValueError, match=r"\(2, 128\) float32 is needed"):
            table.gather(wanted, wrong)
    output.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        table.gather(wanted, output)


# --- with a loss ----------------------------------------------------------------------------------


def test_a_worker_dies_under_a_gather(example: Any, client: Any, table: Any) -> None:
    """Its shards and its part of the work go to others, and the caller sees nothing of it."""
    wanted = np.random.default_rng(3).integers(0, ROWS, 4000)
    output = np.empty((4000, example.COLUMNS), np.float32)
    worker = Stopped(client)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(table.gather, wanted, output)
        worker.kill_in(running)
        running.result(timeout=120)
    assert np.array_equal(output, rows_of(example, wanted))
    assert worker.process not in client.run(os.getpid).values()


def test_when_dask_gives_up_nothing_is_written(
    example: Any, client: Any, cluster: Any, table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    output = np.full((4000, example.COLUMNS), -1, np.float32)
    worker = Stopped(client)
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(table.gather, np.arange(4000) % ROWS, output)
        worker.kill_in(running)
        with pytest.raises(distributed.KilledWorker):
            running.result(timeout=120)
    assert np.all(output == -1)


# --- the example as a program ---------------------------------------------------------------------


def test_the_example(tmp_path: Path) -> None:
    small = ["--rows", "20000", "--shard-rows", "2500", "--asked", "5000", "--workers", "2"]
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "sharded_table.py"), *small],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("table: 20000 rows, 10 MB; a worker: 450 MB\n8 shards made: ")
    assert done.stdout.count("NumPy says the same: True\n") == 2
    assert "rows[7] is 20000, outside 0..19999 of the table; output as it was: True" in done.stdout
    assert "5000 rows, a worker killed: " in done.stdout
