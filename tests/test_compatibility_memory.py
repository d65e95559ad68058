"""One direct test for each entry of bnnspy/compatibility/ that speaks of memory and faults.

Each carries the entry's id, so that a run on Apple's framework can say which entries to change.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cffi import FFI
from loading import module_of
from numpy.typing import NDArray
from proving.build import core, without_probed

from bnnspy import (
    BNNSGather,
    DataLayout,
    DataType,
    FilterParameters,
    NDArrayDescriptor,
    NDArrayFlags,
    Shape,
    last_error,
)

ROOT = Path(__file__).resolve().parents[1]
describe = NDArrayDescriptor.from_array


def operands() -> dict[str, NDArrayDescriptor]:
    """A call that works: two rows out of four, over memory of its own."""
    return {
        "input": describe(np.arange(12, dtype=np.float32).reshape(4, 3)),
        "indices": describe(np.array([3, 1], np.int32)),
        "output": describe(np.full((2, 3), -1, np.float32)),
    }


def status_with(name: str, changed: NDArrayDescriptor | None) -> int:
    """The status of that call with one operand replaced; a failing call leaves output as it was."""
    call: dict[str, Any] = operands()
    out = call["output"]
    call[name] = changed
    status = BNNSGather(0, **call)
    if status != 0:
        assert (out.array == -1).all()
    return status


EACH = pytest.mark.parametrize("name", ["input", "indices", "output"])


@pytest.mark.compat("null-descriptor")
@EACH
def test_null_descriptor(name: str) -> None:
    assert status_with(name, None) == -1
    assert last_error() == f"{name} is NULL"


@pytest.mark.compat("null-data")
@EACH
def test_null_data(name: str) -> None:
    assert status_with(name, operands()[name].replace(data=None)) == -1
    assert last_error() == f"{name}.data is NULL, and the call needs its elements"


@pytest.mark.compat("deallocated-descriptor")
@EACH
def test_deallocated_descriptor(name: str) -> None:
    tensor = NDArrayDescriptor.allocate(repeating=5.0, shape=(2, 3))
    view = tensor.array
    tensor.deallocate()
    tensor.deallocate()
    assert status_with(name, tensor) == -1
    assert last_error() == f"{name} has been deallocated"
    assert view.tolist() == [[5, 5, 5], [5, 5, 5]]


@pytest.mark.compat("short-buffer")
@EACH
def test_short_buffer(name: str) -> None:
    whole = operands()[name]
    short = whole.replace(data=whole.array.ravel()[:-1])
    assert status_with(name, short) == -1
    assert f"{name} needs {whole.nbytes} bytes" in last_error()


@pytest.mark.compat("read-only-memory")
@EACH
def test_read_only_memory(name: str) -> None:
    array = operands()[name].array.copy()
    array.flags.writeable = False
    frozen = describe(array)
    assert status_with(name, frozen) == (-1 if name == "output" else 0)
    if name == "output":
        assert last_error() == "output points to memory that is read-only"


@pytest.mark.compat("unknown-type-or-layout")
@EACH
@pytest.mark.parametrize("code", [0, 3, 0x10000, 0x10040, 2**32 - 1])
def test_unknown_type_or_layout(name: str, code: int) -> None:
    assert status_with(name, operands()[name].replace(data_type=code)) == -1
    assert last_error() == f"{name}.data_type is {code:#x}, which is no BNNSDataType"
    if code == DataLayout.Vector:
        return
    assert status_with(name, operands()[name].replace(layout=code)) == -1
    assert last_error() == f"{name}.layout is {code:#x}, which is no BNNSDataLayout"


@pytest.mark.compat("size-overflow")
@EACH
@pytest.mark.parametrize(
    "fields",
    [
        {"size": (2**40, 2**40)},
        {"size": (2**32, 2**32), "stride": (1, 1)},
        {"size": (2**63, 2)},
        {"size": (2, 2**64 - 1)},
        {"size": (2, 2), "stride": (1, 2**63)},
        {"size": (2, 2), "stride": (2**62, 2**63 - 1)},
    ],
)
def test_size_overflow(name: str, fields: dict[str, Any]) -> None:
    matrix = operands()[name].replace(layout=DataLayout.Tensor2DFirstMajor, **fields)
    assert status_with(name, matrix) == -1
    assert last_error().startswith(name)
    assert "memory" in last_error()


@pytest.mark.compat("input-windows")
def test_input_windows() -> None:
    signal = np.array([1, 2, 3, 4], np.float32)
    windows = NDArrayDescriptor(
        data=signal, shape=Shape((3, 2), DataLayout.Tensor2DFirstMajor, (1, 1)), batch_size=1
    )
    out = np.zeros((2, 2), np.float32)
    assert BNNSGather(0, windows, describe(np.array([2, 0])), describe(out), None) == 0
    assert out.tolist() == [[3, 4], [1, 2]]


@pytest.mark.compat("output-internal-overlap")
@pytest.mark.parametrize("stride", [(1, 1), (1, 2), (2, 2), (2, 4)])
def test_output_internal_overlap(stride: tuple[int, int]) -> None:
    buffer = np.full(16, -1, np.float32)
    out = NDArrayDescriptor(data=buffer, shape=Shape((2, 3), DataLayout.Tensor2DFirstMajor, stride))
    call = {**operands(), "output": out}
    assert BNNSGather(0, **call) == -1
    assert last_error() == "output has strides that give one byte to two of its elements"
    assert (buffer == -1).all()


@pytest.mark.compat("overlap-refused")
def test_overlap_refused() -> None:
    table = np.arange(24, dtype=np.float32).reshape(4, 6)
    before = table.copy()
    indices = describe(np.array([3, 1], np.int32))
    assert BNNSGather(0, describe(table), indices, describe(table[:2]), None) == -1
    assert last_error() == "an element of output shares a byte with one of input"
    last = describe(table[:, :3]), indices, describe(table[2:, 2:5])
    assert BNNSGather(0, *last, None) == -1
    assert np.array_equal(table, before)

    rows = np.array([3, 1, 2, 0], np.int32)
    itself = describe(rows)
    floats = NDArrayDescriptor(data=rows.view(np.uint8), shape=4, scalar_type=np.float32)
    assert BNNSGather(0, describe(np.zeros(4, np.float32)), itself, floats, None) == -1
    assert last_error() == "an element of output shares a byte with one of indices"

    assert BNNSGather(0, describe(table[:, :3]), indices, describe(table[2:, 3:]), None) == 0
    assert np.array_equal(table[2:, 3:], before[[3, 1], :3])


@pytest.mark.compat("overlap-undecided")
def test_overlap_undecided() -> None:
    """The addresses stand for no memory: overlap is decided on numbers, before any element."""
    strides = (1135978, 1335092, 1358405, 1404789, 1575324, 1680024, 1908104, 1929503)
    packed = Shape((6,) * 8, DataLayout.Tensor8DLastMajor)
    tangled = Shape((6,) * 8, DataLayout.Tensor8DLastMajor, strides)
    values, out = (
        NDArrayDescriptor.from_address(address, nbytes=2**40, shape=shape, scalar_type=np.uint8)
        for address, shape in ((2**44, packed), (2**45, tangled))
    )
    outside = describe(np.full(6, 99, np.int32))  # so that nothing could be moved either way
    assert BNNSGather(0, values, outside, out, None) == -1
    assert "can't be decided" in last_error()


@pytest.mark.compat("holes-untouched")
def test_holes_untouched() -> None:
    buffer = np.random.default_rng(3).integers(0, 256, 64, np.uint8)
    expected = buffer.copy()
    out = NDArrayDescriptor(
        data=buffer[3:], scalar_type=np.uint8, shape=Shape.matrix_row_major(3, 4, stride=(2, 9))
    )
    values = np.arange(100, 115, dtype=np.uint8).reshape(5, 3)
    picked = np.array([4, 0, 0, 2], np.uint8)
    assert BNNSGather(0, describe(values), describe(picked), out, None) == 0
    for row, index in enumerate(picked):
        expected[3 + 9 * row : 3 + 9 * row + 6 : 2] = values[index]
    assert np.array_equal(buffer, expected)


@pytest.mark.compat("misaligned-data")
@pytest.mark.parametrize("offset", [1, 2, 3])
def test_misaligned_data(offset: int) -> None:
    def misaligned(values: NDArray[Any]) -> NDArrayDescriptor:
        memory = np.zeros(values.nbytes + offset, np.uint8)
        memory[offset:] = values.view(np.uint8)
        return NDArrayDescriptor(
            data=memory[offset:], scalar_type=values.dtype, shape=Shape.vector(values.size)
        )

    out = misaligned(np.zeros(2, np.float32))
    status = BNNSGather(
        0,
        misaligned(np.arange(4, dtype=np.float32)),
        misaligned(np.array([3, 1], np.int64)),
        out,
        None,
    )
    assert status == 0
    assert out.make_array().tolist() == [3, 1]


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The core as a library in which a test can act between the check of indices and their use."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("cc is not installed")
    probes = sorted((ROOT / "tests/c/probe").rglob("*.c"))
    library = tmp_path_factory.mktemp("probed") / "core.so"
    flags = ["-std=c11", "-O1", "-fPIC", "-shared", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}"]
    files = [*without_probed(core(), probes), *probes]
    subprocess.run([compiler, *flags, *files, "-pthread", "-o", library], check=True)
    ffi = FFI()
    declarations = module_of("cffi_build.py").declarations()
    ffi.cdef(declarations + "extern void (*test_before_use)(void);")
    return ffi, ffi.dlopen(str(library))


@pytest.mark.compat("indices-changed")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("instead", [8, 2**40, -1])
def test_indices_changed(probed: Any, threads: int, instead: int) -> None:
    """The last index changes when all were checked, and none was used yet."""
    ffi, library = probed
    values, picked = np.arange(7, 15, dtype=np.float32), np.full(4096, 3)
    out = np.zeros(4096, np.float32)
    records = [describe(a)._record for a in (values, picked, out)]
    addresses = [int(FFI().cast("intptr_t", record[0])) for record in records]
    pointers = [ffi.cast("BNNSNDArrayDescriptor *", address) for address in addresses]
    parameters = ffi.new("BNNSFilterParameters *", {"n_threads": threads})
    assert library.BNNSGather(0, *pointers, parameters) == 0
    assert (out == values[3]).all()

    @ffi.callback("void(void)")
    def change() -> None:
        picked[-1] = instead

    library.test_before_use = change
    status = library.BNNSGather(0, *pointers, parameters)
    library.test_before_use = ffi.NULL
    assert status == -1005
    said = ffi.string(library.bnnspy_last_error().sentence).decode()
    assert said.startswith("indices changed during the call")
    assert (out[:-1] == values[3]).all()
    assert out[-1] == values[0]


@pytest.mark.compat("indices-changed")
def test_indices_rewritten_by_a_thread() -> None:
    """How often a call meets which values is the machine's affair; what it may answer is not."""
    values, picked = np.full(8, 7, np.float32), np.zeros(4096, np.int64)
    out = np.zeros(4096, np.float32)
    descriptors = [describe(a) for a in (values, picked, out)]
    stop = threading.Event()

    def rewrite() -> None:
        while not stop.is_set():
            picked[::3] = 2**40
            picked[::3] = 1

    other = threading.Thread(target=rewrite)
    other.start()
    try:
        end = time.monotonic() + 0.3
        statuses = set()
        while time.monotonic() < end:
            statuses.add(int(BNNSGather(0, *descriptors, None)))
            if -1005 in statuses:
                assert re.search(rf"is {2**40}, outside 0..7|changed during", last_error())
            assert set(np.unique(out)) <= {0, 7}
    finally:
        stop.set()
        other.join()
    assert statuses <= {0, -1005}
    assert statuses


@pytest.mark.compat("no-allocation")
def test_no_allocation(tmp_path: Path) -> None:
    asked: list[int] = []

    def allocate(memptr: Any, alignment: int, size: int) -> int:
        asked.append(size)
        return 1

    alone = FilterParameters(n_threads=1, alloc_memory=allocate, free_memory=lambda memory: None)
    values = np.arange(1000, dtype=np.float32).reshape(10, 100)
    picked = np.random.default_rng(5).integers(0, 100, (10, 100)).astype(np.uint8)
    for axis, indices in ((0, picked[0] % 10), (1, picked[0]), (1, picked), (0, picked % 10)):
        rows = len(indices) if indices.ndim == 1 and axis == 0 else 10
        out = np.zeros((rows, 100), np.float32)
        assert BNNSGather(axis, *map(describe, (values, indices, out)), alone) == 0
    assert asked == []

    compiler = shutil.which("cc")
    if compiler is None or shutil.which("nm") is None:
        pytest.skip("the second half looks into object files, with cc and nm")
    flags = ["-std=c11", "-fPIC", f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}"]
    asking = {}
    for source in sorted((ROOT / "src").rglob("*.c")):
        built = tmp_path / f"{source.stem}.o"
        command = [compiler, *flags, '-DBNNSPY_VERSION="0"', "-c", str(source), "-o", str(built)]
        subprocess.run(command, check=True)
        listed = subprocess.run(["nm", "-u", built], check=True, capture_output=True, text=True)
        asking[source.name] = {line.split()[-1].lstrip("_") for line in listed.stdout.splitlines()}
    assert "vsnprintf" in asking["error.c"], "what a file asks for is seen"
    allocators = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "mmap"}
    assert {name for name, wanted in asking.items() if wanted & allocators} == {"workspace.c"}


@pytest.mark.compat("ignored-fields")
def test_ignored_fields() -> None:
    call = operands()
    noise: dict[str, Any] = {
        "flags": NDArrayFlags.BackpropAccumulate,
        "table_data": np.zeros(3, np.float32),
        "table_data_type": DataType.Float32,
        "data_scale": 3.0,
        "data_bias": 7.0,
    }
    for name, tensor in call.items():
        rank = tensor.ndim
        beyond = (5, 2**64 - 1, 0, 1, 9, 9, 9)[: 8 - rank]
        call[name] = tensor.replace(
            size=tensor.size[:rank] + beyond, stride=tensor.stride[:rank] + beyond, **noise
        )
    assert BNNSGather(0, **call) == 0
    assert call["output"].array.tolist() == [[9, 10, 11], [3, 4, 5]]
    assert call["output"].data_bias == 7.0
