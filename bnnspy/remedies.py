"""What to do about an array that is refused, as code that can be pasted.

A remedy is an expression over the object that was refused: tests find it in the sentence, evaluate
it, and expect the call to succeed. So every sentence about arrays gets its remedies from here.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def torch_of(value: Any) -> Any:
    """The module torch, when value is one of its tensors; else None."""
    torch: Any = sys.modules.get("torch")  # it is there, if value is a tensor
    return torch if isinstance(value, getattr(torch, "Tensor", ())) else None


def as_numpy(given: Any, name: str) -> str:
    """The expression for the NumPy array of what was given; the name alone when it is one."""
    if given is None or isinstance(given, np.ndarray):
        return name
    if (torch := torch_of(given)) is not None:
        if given.dtype == torch.bfloat16:
            return f"{name}.view(torch.int16).numpy().view(ml_dtypes.bfloat16)"
        return f"{name}.numpy()"
    try:
        memoryview(given)
    except (TypeError, BufferError):
        if not hasattr(given, "__array__"):
            return f"numpy.from_dlpack({name})"
    return f"numpy.asarray({name})"


def use(remedy: str, given: Any = None, name: str = "array") -> str:
    """ "use .." and a remedy for what was given.

    Parameters
    ----------
    remedy : str
        A method of a NumPy array, beginning with its dot; a function of one; or an expression with
        {} where the array stands.
    given : object, optional
        What the caller gave: of a torch tensor or a buffer, NumPy's array is made first.
    name : str, optional
        What the sentence calls it.
    """
    array = as_numpy(given, name)
    if remedy.startswith("."):
        return f"use {remedy}" if array == name else f"use {array}{remedy}"
    return f"use {remedy.format(array)}" if "{}" in remedy else f"use {remedy}({array})"


def type_expression(dtype: np.dtype[Any]) -> str:
    """How a program writes a NumPy type."""
    if dtype.name == "bfloat16":
        return "ml_dtypes.bfloat16"
    return "bool" if dtype.kind == "b" else f"np.{dtype.name}"
