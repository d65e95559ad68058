"""The parts of tests/prove about the Python package."""

PARTS = ()
