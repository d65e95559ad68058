"""Swift's enums under BNNS whose cases can carry values: frozen classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bnnspy.constants import ReduceFunction


@dataclass(frozen=True)
class ReductionFunction:
    """What values are combined by. `sum` is the one that a function that is here takes.

    Attributes
    ----------
    function : ReduceFunction
        C's constant of it.
    """

    function: ReduceFunction

    sum: ClassVar[ReductionFunction]

    def __repr__(self) -> str:
        name = self.function.name
        return f"BNNS.ReductionFunction.{name[0].lower()}{name[1:]}"


ReductionFunction.sum = ReductionFunction(ReduceFunction.Sum)
