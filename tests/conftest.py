"""What all tests share: how much is run, hypothesis profiles, what is compiled once a run.

The suite is to be run often, so it takes a part of what could be run: fewer random examples, and
the same ones each time. With BNNSPY_TEST_FULL=1, as in `tests/prove suite`, all of it is run.
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).resolve().parent

# The helpers (oracle.py and the like) are modules beside the tests, not a package.
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

from building import Builder  # noqa: E402
from running import FULL, program  # noqa: E402

# No deadlines: a slow machine is no failure. By hypothesis's measure whole calls are slow to make.
COMMON = {
    "deadline": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("default", max_examples=60, derandomize=True, **COMMON)
settings.register_profile("brief", max_examples=60, **COMMON)
settings.register_profile("full", max_examples=400, **COMMON)
settings.register_profile("thorough", max_examples=20_000, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("full" if FULL else "default"))


def pytest_collection_finish() -> None:
    """What is imported by now stays: tests that collect garbage need not go through it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """Compiles C; what one test has compiled, the others take."""
    command = program("cc")[0]
    if shutil.which(command) is None:
        pytest.skip(f"{command} is not installed")
    return Builder(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the source tree."""
    return TESTS.parent
