"""What all tests share: hypothesis profiles, and where the source tree is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

TESTS = Path(__file__).resolve().parent

# The helpers (oracle.py and the like) are modules beside the tests, not a package.
if str(TESTS) not in sys.path:
    sys.path.insert(0, str(TESTS))

# No deadlines: a slow machine is no failure. By hypothesis's measure whole calls are slow to make.
COMMON = {
    "deadline": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("default", max_examples=400, **COMMON)
settings.register_profile("brief", max_examples=60, **COMMON)
settings.register_profile("thorough", max_examples=20_000, **COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the source tree."""
    return TESTS.parent
