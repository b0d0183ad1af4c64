"""Encodings: functions that write layouts into the types of tiles, and remove them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

EncodingOf = Callable[[Value], Attribute | None]
"""The encoding that the type of a tile should have."""


def encode(root: Operation, encoding_of: EncodingOf) -> int:
    """Replace the encodings of the types of all tiles in an operation; return the number of changed types.

    The types of constants' values change as well, so that the module stays valid.
    """
    changed = 0
    for value in values_in(root):
        type = value.type
        if isinstance(type, RankedTensorType):
            value.type = encoded(type, encoding_of(value))
            changed += value.type is not type
    for op in root.walk():
        encode_constants(op)
    return changed


def values_in(root: Operation) -> Iterator[Value]:
    """Yield the values that the operations inside of an operation define."""
    for op in root.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments


def encoded(type: RankedTensorType, encoding: Attribute | None) -> RankedTensorType:
    """Return the type with the encoding `encoding`, or without one."""
    return RankedTensorType(type.shape, type.element_type, encoding)


def tile_type(value: Value) -> RankedTensorType:
    """Return the type of a value that is known to be a tile."""
    assert isinstance(value.type, RankedTensorType), "the value is a tile"
    return value.type


def encode_constants(op: Operation) -> None:
    """Assign the encoding of the result to the constants of an operation."""
    for name, attribute in op.held_attributes.items():
        if (
            isinstance(attribute, DenseElementsAttr)
            and isinstance(attribute.type, RankedTensorType)
            and op.results
        ):
            type = encoded(attribute.type, tile_type(op.results[0]).encoding)
            op.attributes[name] = DenseElementsAttr(type, attribute.data)
