"""The build: one cffi module, one wheel for CPython 3.10 and newer. See also pyproject.toml."""

import sys
import sysconfig

from setuptools import setup
from setuptools.command.editable_wheel import editable_wheel

if sys.platform == "win32":
    sys.exit("bnnspy is for Linux and macOS: its core stands on C11 with POSIX threads.")

# The limited API has no free-threaded variant before CPython 3.15; there the wheel is per version.
free_threaded = bool(sysconfig.get_config_var("Py_GIL_DISABLED")) and sys.version_info < (3, 15)


class PathOfTheTree(editable_wheel):
    """An editable install that type checkers find: this folder's path, in a .pth file.

    Since include/ and src/ lie under bnnspy/ in the wheel, and not in the tree, setuptools would
    write an import hook, and type checkers run none. Nothing imports those two, and
    bnnspy.get_include() knows where they are.
    """

    def finalize_options(self) -> None:
        super().finalize_options()
        self.package_dir = {"": "."}


setup(
    cffi_modules=["cffi_build.py:ffi"],
    cmdclass={"editable_wheel": PathOfTheTree},
    options={} if free_threaded else {"bdist_wheel": {"py_limited_api": "cp310"}},
)
