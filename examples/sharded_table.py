"""A table larger than one worker's memory: its rows over dask workers, gathered by their numbers.

Each shard, a run of rows, is a task whose result stays on the worker that made it. A request is
checked whole, then cut up by shard; each worker gathers from its shards with one BNNS call each,
and the parts go into the caller's buffer in the order that was asked. A shard that is lost with
its worker is made again from its source, by dask itself. docs/scaling.md says when this pays.

    pip install 'bnnspy[scaling]'
    python examples/sharded_table.py            512 MB on four workers with 450 MB each
    python examples/sharded_table.py --rows 20000 --shard-rows 2500 --workers 2
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from distributed import Client, LocalCluster
from numpy.typing import NDArray

from bnnspy import BNNS, FilterParameters

Rows = NDArray[Any]
Source = Callable[[int, int], Rows]  # (first, stop) -> those rows, the same each time


def pick(shard: Rows, rows: NDArray[np.int64]) -> Rows:
    """On a worker: rows of one shard, into memory allocated for them.

    A worker has one thread for tasks and one for BNNS: its neighbours have the other processors.
    """
    part = np.empty((len(rows), *shard.shape[1:]), shard.dtype)
    BNNS.gather(
        input=shard,
        indices=rows,
        output=part,
        axis=0,
        filter_parameters=FilterParameters(n_threads=1),
    )
    return part


class ShardedTable:
    """Rows on the workers of a dask cluster, reached by their numbers in the whole table."""

    def __init__(self, client: Client, source: Source, rows: int, shard_rows: int) -> None:
        """Has every shard made, and returns once all of them are there.

        Parameters
        ----------
        client : Client
            The cluster. The table has room on its workers, also when one of them is lost.
        source : Callable
            ``source(first, stop)`` gives those rows. It runs on a worker, and runs again when that
            is lost, so it has to give the same rows then.
        rows, shard_rows : int
            The number of rows of the table, and of a shard; the last one may have fewer.
        """
        self.client = client
        self.rows = rows
        self.firsts = np.arange(0, rows, shard_rows)
        # What a client holds a future of stays on the cluster; pure=False: no other table's shards.
        self.shards = [
            client.submit(source, int(first), int(min(first + shard_rows, rows)), pure=False)
            for first in self.firsts
        ]
        kinds = client.gather([client.submit(kind, shard) for shard in self.shards])
        self.dtype, self.row_shape = kinds[0]

    def gather(self, rows: NDArray[np.integer[Any]], output: Rows) -> None:
        """Fills output with the rows that are asked for, in that order; any of them repeatedly.

        Raises before anything is sent when the request is wrong. Nothing is written then, nor when
        workers are lost more often than dask tries again.
        """
        self.check(rows, output)
        shard = np.searchsorted(self.firsts, rows, side="right") - 1
        order = np.argsort(shard, kind="stable")
        wanted, begins = np.unique(shard[order], return_index=True)
        places = np.split(order, begins[1:]) if len(rows) else []
        parts = [
            self.client.submit(
                pick, self.shards[number], rows[place].astype(np.int64) - first, pure=False
            )
            for number, first, place in zip(wanted, self.firsts[wanted], places, strict=True)
        ]
        for place, part in zip(places, self.client.gather(parts), strict=True):
            output[place] = part

    def check(self, rows: NDArray[np.integer[Any]], output: Rows) -> None:
        """Raises for a request that can't be fulfilled, naming the first row that is not there."""
        if rows.ndim != 1 or rows.dtype.kind not in "iu":
            raise TypeError(f"rows are {rows.ndim}-D {rows.dtype}; 1-D integers are needed")
        bad = np.flatnonzero((rows < 0) | (rows >= self.rows))
        if len(bad):
            position = int(bad[0])
            raise IndexError(
                f"rows[{position}] is {rows[position]}, outside 0..{self.rows - 1} of the table"
            )
        shape = (len(rows), *self.row_shape)
        if output.shape != shape or output.dtype != self.dtype:
            raise ValueError(
                f"output is {output.shape} {output.dtype}, where {shape} {self.dtype} is needed"
            )
        if not output.flags.writeable:
            raise ValueError("output is read-only")


def kind(shard: Rows) -> tuple[np.dtype[Any], tuple[int, ...]]:
    """On a worker: the type and the shape of a row."""
    return shard.dtype, shard.shape[1:]


# --- a table to show it with ----------------------------------------------------------------------

COLUMNS = 128


def values(rows: NDArray[np.int64]) -> NDArray[np.float32]:
    """What stands in these rows of the table: exact in float32, and different in each row."""
    wide = rows.astype(np.int64)[:, np.newaxis] * 8 + np.arange(COLUMNS) % 8
    return (wide % (1 << 24)).astype(np.float32)


def build(first: int, stop: int) -> NDArray[np.float32]:
    """On a worker: the rows from first to stop, as a file or a database would give them.

    np.load(path, mmap_mode="r")[first:stop].copy() is the same for a table in a .npy file. It goes
    block by block, so that it needs little more memory than the shard itself.
    """
    shard = np.empty((stop - first, COLUMNS), np.float32)
    for begin in range(first, stop, 4096):
        end = min(begin + 4096, stop)
        shard[begin - first : end - first] = values(np.arange(begin, end))
    return shard


def local_cluster(memory: str, workers: int) -> LocalCluster:
    """Worker processes of one thread each, on this machine.

    One more than the table needs: when one is lost, its shards are made again on those that are
    left. Where they have no room, dask writes shards to disk or waits, and a gather waits with it.
    """
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        memory_limit=memory,
        dashboard_address="127.0.0.1:0",  # any port; by default all try the same
        silence_logs=logging.CRITICAL,
    )


def timed(what: str, work: Callable[[], object]) -> None:
    """Does it, and prints how long that took."""
    began = time.perf_counter()
    work()
    print(f"{what}: {time.perf_counter() - began:.2f} s")


def show(client: Client, rows: int, shard_rows: int, asked: int) -> None:
    """A table is made; rows of it are gathered, before and after a worker is killed."""
    limit = min(w["memory_limit"] for w in client.scheduler_info()["workers"].values())
    print(f"table: {rows} rows, {rows * COLUMNS * 4 / 1e6:.0f} MB; a worker: {limit / 1e6:.0f} MB")
    began = time.perf_counter()
    table = ShardedTable(client, build, rows, shard_rows)
    print(f"{len(table.shards)} shards made: {time.perf_counter() - began:.2f} s")

    wanted = np.random.default_rng(0).integers(0, rows, asked)
    wanted[: asked // 10] = wanted[0]  # one row many times
    expected = values(wanted)
    output = np.empty((asked, COLUMNS), table.dtype)  # the caller's, for each request
    for again in ("first", "second"):
        timed(f"{asked} rows, {again} time", lambda: table.gather(wanted, output))
    print(f"NumPy says the same: {np.array_equal(output, expected)}")

    wanted[7] = rows
    output.fill(-1)
    try:
        table.gather(wanted, output)
    except IndexError as error:
        print(f"{error}; output as it was: {bool(np.all(output == -1))}")
    wanted[7] = 0
    expected[7] = values(wanted[7:8])

    process = next(iter(client.run(os.getpid).values()))
    os.kill(process, signal.SIGKILL)
    timed(f"{asked} rows, a worker killed", lambda: table.gather(wanted, output))
    print(f"NumPy says the same: {np.array_equal(output, expected)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--shard-rows", type=int, default=62_500)
    parser.add_argument("--asked", type=int, default=100_000, help="rows of a request")
    parser.add_argument("--memory", default="450MB", help="limit of a worker")
    parser.add_argument("--workers", type=int, default=4)
    given = parser.parse_args()
    with local_cluster(given.memory, given.workers) as cluster, Client(cluster) as client:
        show(client, given.rows, given.shard_rows, given.asked)


if __name__ == "__main__":
    main()
