"""ONNX models of one operator, written byte by byte: onnxruntime wants a model, and the onnx
package that would make one is not needed for two dozen bytes of protobuf.

Field numbers are those of the public onnx.proto (IR version 8).
"""

from __future__ import annotations

# AttributeProto.type of an integer; TensorProto.data_type of what is gathered.
INTEGER = 2
ELEMENT_TYPES = {
    "float32": 1,
    "uint8": 2,
    "int32": 6,
    "int64": 7,
    "bool": 9,
    "float16": 10,
    "float64": 11,
}


def varint(number: int) -> bytes:
    """A number of up to 63 bits, seven bits a byte."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(tag: int, value: int | str | bytes) -> bytes:
    """One field: a number, or a string or message with its length."""
    if isinstance(value, int):
        return varint(tag << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(tag << 3 | 2) + varint(len(data)) + data


def tensor(name: str, element_type: int, shape: tuple[int, ...]) -> bytes:
    """A ValueInfoProto."""
    dims = b"".join(field(1, field(1, n)) for n in shape)
    kind = field(1, element_type) + field(2, dims)
    return field(1, name) + field(2, field(1, kind))


def gather_model(
    operator: str,
    axis: int,
    dtype: str,
    index_dtype: str,
    shapes: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]],
) -> bytes:
    """A model of `Gather` or `GatherElements`: data, indices -> output, with these shapes."""
    types = (ELEMENT_TYPES[dtype], ELEMENT_TYPES[index_dtype], ELEMENT_TYPES[dtype])
    values = zip(("data", "indices", "output"), types, shapes, strict=True)
    data, indices, output = (tensor(*value) for value in values)
    attribute = field(1, "axis") + field(3, axis) + field(20, INTEGER)
    node = field(1, "data") + field(1, "indices") + field(2, "output") + field(4, operator)
    graph = field(1, node + field(5, attribute)) + field(2, "gather")
    graph += field(11, data) + field(11, indices) + field(12, output)
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 13))
