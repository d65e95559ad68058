"""The Swift face: what Swift finds under `BNNS`, with exceptions instead of statuses."""

from typing import TYPE_CHECKING, Any

from bnnspy.constants import DataLayout
from bnnspy.errors import Error
from bnnspy.operations import OVERLAY_NAMES, not_here_yet
from bnnspy.overlay import faces
from bnnspy.overlay.faces import *  # noqa: F403
from bnnspy.shape import Shape

__all__ = ["DataLayout", "Error", "Shape", *faces.__all__]


if not TYPE_CHECKING:  # a checker would take any name for one that is here

    def __getattr__(name: str) -> Any:
        planned = not_here_yet(name) if name in OVERLAY_NAMES else None
        if planned is None:
            raise AttributeError(f"BNNS has no {name}")
        return planned
