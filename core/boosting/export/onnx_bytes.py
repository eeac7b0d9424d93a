"""The few messages of ONNX that a model needs, written as protocol buffers.

Field numbers are those of ``onnx.proto`` (IR version 10). Written by hand: the format of a file is
small, and the packages that know all of it are large.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

IR_VERSION = 10
OPSET = 21
ML_OPSET = 5
ML = "ai.onnx.ml"

_TENSOR_TYPES = {"uint8": 2, "int64": 7, "float64": 11}
STRING, DOUBLE = 8, 11
Attribute: TypeAlias = (
    "int | float | Sequence[int] | Sequence[str] | Sequence[float] | np.ndarray[Any, Any]"
)


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers in two's complement
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer_field(field: int, value: int) -> bytes:
    """A whole number as a field."""
    return _varint(field << 3) + _varint(value)


def block(field: int, content: bytes | str) -> bytes:
    """A text, raw bytes or a message as a field."""
    data = content.encode() if isinstance(content, str) else content
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _packed(field: int, values: Iterable[int]) -> bytes:
    return block(field, b"".join(_varint(value) for value in values))


def tensor(values: np.ndarray[Any, Any], name: str = "") -> bytes:
    """A tensor of uint8, int64 or float64."""
    dims = b"".join(integer_field(1, size) for size in values.shape)
    kind = integer_field(2, _TENSOR_TYPES[values.dtype.name])
    raw = np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("<")).tobytes()
    return dims + kind + (block(8, name) if name else b"") + block(9, raw)


def _attribute(name: str, value: Attribute) -> bytes:
    head = block(1, name)
    if isinstance(value, np.ndarray):
        return head + block(5, tensor(value)) + integer_field(20, 4)
    if isinstance(value, float):
        return head + _varint(2 << 3 | 5) + np.float32(value).tobytes() + integer_field(20, 1)
    if isinstance(value, int):
        return head + integer_field(3, value) + integer_field(20, 2)
    if len(value) and isinstance(value[0], str):
        return head + b"".join(block(9, str(text)) for text in value) + integer_field(20, 8)
    if len(value) and isinstance(value[0], float):
        floats = np.asarray(value, dtype="<f4").tobytes()
        return head + block(7, floats) + integer_field(20, 6)
    return head + _packed(8, (int(entry) for entry in value)) + integer_field(20, 7)


def node(
    kind: str, inputs: Sequence[str], output: str, domain: str = "", **attributes: Attribute
) -> bytes:
    """One operation of the graph, as its message: kind, inputs, output, attributes."""
    parts = [block(1, name) for name in inputs]
    parts += [block(2, output), block(3, output), block(4, kind)]
    parts += [block(5, _attribute(name, value)) for name, value in attributes.items()]
    return b"".join(parts) + (block(7, domain) if domain else b"")


def value_info(name: str, kind: int, width: int) -> bytes:
    """An input or output of ``width`` columns and any number of rows."""
    dims = block(1, block(2, "cases")) + block(1, integer_field(1, width))
    shape = integer_field(1, kind) + block(2, dims)
    return block(1, name) + block(2, block(1, shape))


def model(
    nodes: Sequence[bytes],
    constants: Sequence[bytes],
    inputs: Sequence[bytes],
    outputs: Sequence[bytes],
    *,
    producer: tuple[str, str],
    text: str,
    facts: Sequence[tuple[str, str]],
) -> bytes:
    """The content of a model file."""
    graph = b"".join(
        [
            *(block(1, entry) for entry in nodes),
            block(2, "payoff"),
            *(block(5, entry) for entry in constants),
            *(block(11, entry) for entry in inputs),
            *(block(12, entry) for entry in outputs),
        ]
    )
    opsets = [integer_field(2, OPSET), block(1, ML) + integer_field(2, ML_OPSET)]
    return b"".join(
        [
            integer_field(1, IR_VERSION),
            block(2, producer[0]),
            block(3, producer[1]),
            block(6, text),
            block(7, graph),
            *(block(8, entry) for entry in opsets),
            *(block(14, block(1, key) + block(2, value)) for key, value in facts),
        ]
    )
