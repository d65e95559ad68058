"""The functions, one file or more each: calls for their entries, and random ones.

A file is found by standing here. Its makers are registered by `shows`, its draw by being a `Draw`.
"""

from importlib import import_module
from pkgutil import iter_modules

from bnnspy.conformance.functions.common import MAKERS
from bnnspy.conformance.functions.drawing import DRAWS

__all__ = ["DRAWS", "MAKERS"]

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)
