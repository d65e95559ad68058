"""Differential conformance: the same calls on our core and on another library, Apple's for one.

    python -m bnnspy.conformance [--library PATH] [--count N] [--seed S] [--report FILE.json]

docs/conformance.md says what a run means.
"""

from bnnspy.conformance.run import main

__all__ = ["main"]
