"""The functions, one file or more each: calls for their entries, and random ones.

A file is found by standing here. It registers makers with `shows`, and a draw with `draws`.
"""

from importlib import import_module
from pkgutil import iter_modules

from bnnspy.conformance.functions.common import DRAWS, MAKERS

__all__ = ["DRAWS", "MAKERS"]

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)
