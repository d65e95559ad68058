"""What each operation computes and refuses: base.py has what they share, and each has a file.

An operation's file is found by standing here.
"""

from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from oracle.base import *  # noqa: F403

for _module in iter_modules([str(Path(__file__).parent)], f"{__name__}."):
    import_module(_module.name)
