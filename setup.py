"""The build: one cffi module, one wheel for CPython 3.10 and newer. See also pyproject.toml."""

import sys
import sysconfig

from setuptools import setup

if sys.platform == "win32":
    sys.exit("bnnspy is for Linux and macOS: its core stands on C11 with POSIX threads.")

# The limited API has no free-threaded variant before CPython 3.15; there the wheel is per version.
free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED")) and sys.version_info < (3, 15)

setup(
    cffi_modules=["cffi_build.py:ffi"],
    options={} if free_threaded else {"bdist_wheel": {"py_limited_api": "cp310"}},
)
