"""Names that the package does not have: planned ones, Swift's spelling, and slips of the finger."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from typing import Any, NoReturn

from bnnspy.operations import OVERLAY_NAMES, functions, not_here_yet

# Swift's types under BNNS that are planned.
PLANNED_TYPES = (
    *("ActivationFunction", "NormType", "RandomGeneratorMethod", "ReductionFunction"),
    *("RelationalOperator", "ShuffleType"),
    *("AdamOptimizer", "RMSPropOptimizer", "SGDMomentumOptimizer"),
    *("CropResizeLayer", "NearestNeighbors", "RandomGenerator", "ReductionLayer"),
)

# Where a capital begins a word; `ND` and `K` are words of their own.
WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

LIKE = 0.8  # how alike two names are, of 1, for one to be taken for a slip of the other


class PlannedType(type):
    """The class of what stands for a planned type: making one, or a look at it, says so."""

    def __call__(cls, *_: object, **__: object) -> NoReturn:
        raise NotImplementedError(cls.sentence())

    def __getattr__(cls, name: str) -> NoReturn:
        raise AttributeError(f"BNNS.{cls.__name__} has no {name} yet: {cls.sentence()}")

    def sentence(cls) -> str:
        return (
            f"BNNS.{cls.__name__} is planned, and not in this version of bnnspy; the README's "
            "coverage table says what is"
        )


@cache
def planned_type(name: str) -> PlannedType:
    """What stands for a planned type: always the same for a name."""
    doc = f"{name}: planned, and not in this version of bnnspy. Using it says so."
    return PlannedType(name, (), {"__doc__": doc, "__module__": "bnnspy.overlay"})


def planned_under_bnns() -> list[str]:
    """The names of Swift's functions and types that are planned."""
    return [*OVERLAY_NAMES, *PLANNED_TYPES]


def planned_in_c() -> list[str]:
    """The names of bnns.h's functions that this version does not have."""
    return [row.name for row in functions() if not row.here]


def under_bnns(name: str, here: Iterable[str]) -> Any:
    """What stands for a planned name under BNNS; an AttributeError for any other."""
    if name in PLANNED_TYPES:
        return planned_type(name)
    planned = not_here_yet(name) if name in OVERLAY_NAMES else None
    if planned is not None:
        return planned
    known = [*here, *planned_under_bnns()]
    snake = WORD.sub("_", name).lower()
    if name.startswith("_"):
        hint = ""
    elif snake in known:
        hint = f"; in Python it is BNNS.{snake}"
    elif any(row.name == name for row in functions()):
        hint = f"; the C face has it: bnnspy.{name}"
    else:
        hint = alike(name, known, "BNNS.")
    raise AttributeError(f"BNNS has no {name}{hint}")


def under_bnnspy(name: str, here: Iterable[str], overlay: Iterable[str]) -> Any:
    """What stands for a planned function of bnns.h; an AttributeError for any other name."""
    planned = not_here_yet(name) if name.startswith("BNNS") else None
    if planned is not None:
        return planned
    snake = WORD.sub("_", name).lower()
    if name.startswith("_"):
        hint = ""
    elif snake in {*overlay, *planned_under_bnns()} or name in PLANNED_TYPES:
        hint = f"; it stands under BNNS: BNNS.{name if name in PLANNED_TYPES else snake}"
    else:
        hint = alike(name, [*here, *planned_in_c()], "")
    raise AttributeError(f"module 'bnnspy' has no attribute {name!r}{hint}")


def alike(name: str, known: list[str], prefix: str) -> str:
    """A hint at the name that is most like this one, if any is."""
    spelled = {one.lower(): one for one in known}
    close = get_close_matches(name.lower(), spelled, 1, LIKE)
    return f"; did you mean {prefix}{spelled[close[0]]}?" if close else ""
