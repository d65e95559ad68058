"""The Swift face: what Swift finds under `BNNS`, with exceptions instead of statuses."""

from typing import TYPE_CHECKING
from typing import Any as _Any

from bnnspy import names as _names
from bnnspy.constants import DataLayout
from bnnspy.errors import (
    ArrayDescriptorInvalidData,
    Error,
    IndexOutOfRange,
    InvalidParameter,
    LayerApplyFail,
    OptimizerStepFail,
    ShapeMismatch,
    UnableToCreateLayer,
)
from bnnspy.overlay import faces as _faces
from bnnspy.overlay.enums import ReductionFunction
from bnnspy.overlay.faces import *  # noqa: F403
from bnnspy.shape import Shape

__all__ = [
    "ArrayDescriptorInvalidData",
    "DataLayout",
    "Error",
    "IndexOutOfRange",
    "InvalidParameter",
    "LayerApplyFail",
    "OptimizerStepFail",
    "ReductionFunction",
    "Shape",
    "ShapeMismatch",
    "UnableToCreateLayer",
    *_faces.__all__,
]


if not TYPE_CHECKING:  # a checker would take any name for one that is here

    def __getattr__(name: str) -> _Any:
        return _names.under_bnns(name, __all__)


del TYPE_CHECKING  # which is no name of Swift's


def __dir__() -> list[str]:
    return sorted([*__all__, *_names.planned_under_bnns()])
