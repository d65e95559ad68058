"""A model's inputs: what they are called and declared as, and whether values fit that."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bnnspy.onnx.arrays import invalid, mismatch
from bnnspy.onnx.extra import onnx


def needed(model: Any) -> list[Any]:
    """The inputs that a model has no values for."""
    graph = model.graph
    known = {value.name for value in graph.initializer}
    known |= {value.values.name for value in graph.sparse_initializer}
    return [value for value in graph.input if value.name not in known]


def is_tensor(value: Any) -> bool:
    """Whether an input is declared as a tensor of a type."""
    return bool(value.type.HasField("tensor_type") and value.type.tensor_type.elem_type)


def element_type(value: Any) -> np.dtype[Any]:
    """NumPy's type for the elements of a tensor; that of objects for strings."""
    return np.dtype(onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type))


def declared(value: Any) -> str:
    """What a model declares an input as: its type, and the shape where there is one."""
    if not is_tensor(value):
        return value.type.WhichOneof("value") or "of any type"
    kind = value.type.tensor_type
    name: str = onnx.TensorProto.DataType.Name(kind.elem_type).lower()
    if not kind.HasField("shape"):
        return name
    sizes = (n.dim_value if n.HasField("dim_value") else n.dim_param or "?" for n in kind.shape.dim)
    return f"{name} [{', '.join(map(str, sizes))}]"


def zeros(value: Any) -> NDArray[Any]:
    """Zeros for an input of a model; sizes that it leaves open are 1."""
    if not is_tensor(value):
        raise ValueError(f"input {value.name!r} is no tensor; give its value in INPUTS.npz")
    kind = value.type.tensor_type
    dtype = element_type(value)
    shape = [n.dim_value if n.HasField("dim_value") else 1 for n in kind.shape.dim]
    return np.full(shape, "", object) if dtype.hasobject else np.zeros(shape, dtype)


def fitting(values: dict[str, Any], model: Any) -> dict[str, Any]:
    """Values by input's name, of the types and shapes that the model declares.

    Raises
    ------
    InvalidParameter, ShapeMismatch
        A name that is no input's; a type, a rank or a size that is not the one declared.
    """
    inputs = {value.name: value for value in model.graph.input}
    for name in values:
        if name not in inputs:
            takes = ", ".join(f"{known!r} ({declared(value)})" for known, value in inputs.items())
            raise invalid("inputs", f"has {name!r}, and the model's inputs are {takes or 'none'}")
    return {name: fitted(inputs[name], value) for name, value in values.items()}


def fitted(declaration: Any, value: Any) -> Any:
    """One value: as it is, or with the name of its type that a file could not store."""
    if not is_tensor(declaration) or not hasattr(value, "dtype"):
        return value
    name = f"inputs[{declaration.name!r}]"
    wanted = element_type(declaration)
    if value.dtype.kind == "V" and value.dtype == np.dtype(f"V{wanted.itemsize}"):
        value = value.view(wanted)  # how NumPy stores bfloat16 and its like
    strings = wanted.hasobject and value.dtype.kind in "OUST"
    if not strings and value.dtype.newbyteorder("=") != wanted:
        raise invalid(name, f"has type {value.dtype}, and the model takes {declared(declaration)}")
    if declaration.type.tensor_type.HasField("shape"):
        sizes = declaration.type.tensor_type.shape.dim
        if len(sizes) != value.ndim or any(
            n.HasField("dim_value") and n.dim_value != given
            for n, given in zip(sizes, value.shape, strict=True)
        ):
            raise mismatch(
                name, f"has shape {value.shape}, and the model takes {declared(declaration)}"
            )
    return value
