"""The caches: what a core reaches, as Linux tells it, not what a package adds up to."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from cffi import FFI

ROOT = Path(__file__).resolve().parents[1]
SYSTEM = Path("/sys/devices/system/cpu/cpu0/cache")
KB, MB = 1 << 10, 1 << 20


@pytest.fixture(scope="module")
def cache_in(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., int]:
    """bnnspy_cache_in for the last cache, built by itself; with 2, for the second."""
    library = tmp_path_factory.mktemp("cache") / "cache.so"
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-Isrc"]
    subprocess.run([*compiler, *flags, "src/cache.c", "-o", str(library)], cwd=ROOT, check=True)
    ffi = FFI()
    ffi.cdef("size_t bnnspy_cache_in(const char *, int);")
    lib = ffi.dlopen(str(library))
    return lambda folder, which=9: lib.bnnspy_cache_in(str(folder).encode(), which)


def caches(folder: Path, *told: tuple[str, str]) -> Path:
    """A folder with these caches: (level, size) as the files say them."""
    for k, (level, size) in enumerate(told):
        (folder / f"index{k}").mkdir()
        (folder / f"index{k}/level").write_text(level)
        (folder / f"index{k}/size").write_text(size)
    return folder


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ([("1\n", "32K\n"), ("1\n", "32K\n"), ("2\n", "512K\n"), ("3\n", "32768K\n")], 32 * MB),
        ([("1\n", "64K\n"), ("2\n", "1024K\n")], 1 * MB),  # no third one
        ([("3\n", "32M\n"), ("1\n", "32K\n")], 32 * MB),  # in any order
        ([("3\n", "4096\n")], 4096),
        ([("3\n", ""), ("2\n", "512K\n")], 512 * KB),
        ([("3\n", "unknown\n"), ("", "8K\n")], 0),
        ([("3\n", "-1\n"), ("3\n", "0K\n")], 0),
        ([], 0),
    ],
)
def test_last_cache_of_a_folder(
    cache_in: Callable[..., int],
    told: list[tuple[str, str]],
    wanted: int,
    tmp_path: Path,
) -> None:
    assert cache_in(caches(tmp_path, *told)) == wanted


@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ([("1\n", "32K\n"), ("3\n", "32768K\n"), ("2\n", "512K\n")], 512 * KB),
        ([("1\n", "32K\n"), ("3\n", "32768K\n")], 0),
        ([("1\n", "32K\n")], 0),
    ],
)
def test_second_cache_of_a_folder(
    cache_in: Callable[..., int], told: list[tuple[str, str]], wanted: int, tmp_path: Path
) -> None:
    assert cache_in(caches(tmp_path, *told), 2) == wanted


def test_a_folder_that_is_not_there(cache_in: Callable[..., int], tmp_path: Path) -> None:
    assert cache_in(tmp_path / "none") == 0
    assert cache_in(tmp_path / ("long" * 100)) == 0


@pytest.mark.skipif(not SYSTEM.is_dir(), reason="the system has no such folder")
def test_one_part_of_a_package_is_not_taken_for_all_of_it(
    cache_in: Callable[..., int],
) -> None:
    """The sum over a package was taken once: 256 MB where a core reaches 32."""
    levels = [
        (int((k / "level").read_text()), (k / "size").read_text().strip())
        for k in SYSTEM.glob("index*")
    ]
    if levels:
        size = max(levels)[1]
        assert cache_in(SYSTEM) == int(size.rstrip("KM")) * (KB if size[-1] == "K" else MB)
