"""Apple's classic BNNS tensor calls on any machine.

The C face has Apple's names and statuses (`BNNSGather`), `bnnspy.BNNS` is the Swift face
(`BNNS.gather`), and both take `NDArrayDescriptor`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    from bnnspy._bnns import lib as _lib
except ModuleNotFoundError as _error:
    # In a clone, Python takes the folder beside it, and not what pip has installed elsewhere.
    raise ImportError(
        f"{Path(__file__).parent} is the source tree of bnnspy, and is not compiled: run "
        "`pip install -e .` in it, or start Python in another folder",
        name=_error.name,
    ) from None
from bnnspy import constants
from bnnspy import names as _names
from bnnspy import overlay as BNNS
from bnnspy import ready as _ready  # noqa: F401  (before any call)
from bnnspy.capi import faces as _faces
from bnnspy.capi.faces import *  # noqa: F403
from bnnspy.constants import *  # noqa: F403
from bnnspy.descriptor import NDArrayDescriptor
from bnnspy.errors import (
    ArrayDescriptorInvalidData,
    Error,
    IndexOutOfRange,
    InvalidParameter,
    LayerApplyFail,
    OptimizerStepFail,
    ShapeMismatch,
    Status,
    UnableToCreateLayer,
    last_error,
    text,
)
from bnnspy.filter_parameters import FilterParameters
from bnnspy.shape import Shape
from bnnspy.strict import StrictWarning, from_environment, strict
from bnnspy.threads import get_num_threads, set_num_threads

__all__ = [
    "BNNS",
    "ArrayDescriptorInvalidData",
    "BNNSFilterParameters",
    "BNNSNDArrayDescriptor",
    "Error",
    "FilterParameters",
    "IndexOutOfRange",
    "InvalidParameter",
    "LayerApplyFail",
    "NDArrayDescriptor",
    "OptimizerStepFail",
    "Shape",
    "ShapeMismatch",
    "Status",
    "StrictWarning",
    "UnableToCreateLayer",
    "get_include",
    "get_num_threads",
    "last_error",
    "set_num_threads",
    "strict",
    *_faces.__all__,
    *constants.__all__,
]

BNNSNDArrayDescriptor = NDArrayDescriptor
BNNSFilterParameters = FilterParameters

__version__ = text(_lib.bnnspy_version())

from_environment()


def get_include() -> str:
    """The folder of the C headers, for `-I`: `#include <bnns/bnns.h>`, `#include <bnnspy.h>`."""
    package = Path(__file__).resolve().parent
    installed = package / "include"
    return str(installed if installed.is_dir() else package.parent / "include")


if not TYPE_CHECKING:  # a checker would take any name for one that is here

    def __getattr__(name: str) -> Any:
        return _names.under_bnnspy(name, __all__, BNNS.__all__)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", *_names.planned_in_c()])
