"""Sets and removes the layouts of tiles, which are the encodings of their types."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

EncodingOf = Callable[[Value], Attribute | None]
"""A function that returns the encoding that the type of a tile should have; None for no encoding."""


def encode(root: Operation, encoding_of: EncodingOf) -> int:
    """Replace the encodings of the types of all tiles in an operation with the results of ``encoding_of``,
    and return the number of values whose type changed. The value attributes of constants get the new types,
    too.
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
    """Yield the results and block arguments of `root` and of all operations inside of it, in the order of the
    text.
    """
    for op in root.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments


def encoded(type: RankedTensorType, encoding: Attribute | None) -> RankedTensorType:
    """Return a copy of the type with the encoding `encoding`, or without an encoding if it is None."""
    return RankedTensorType(type.shape, type.element_type, encoding)


def tile_type(value: Value) -> RankedTensorType:
    """Return the type of a value that is known to be a tile; another value is a mistake of the caller."""
    assert isinstance(value.type, RankedTensorType), "the value is a tile"
    return value.type


def encode_constants(op: Operation) -> None:
    """Set the type of the attributes of dense elements of `op`, such as the value of a constant tile, to have
    the encoding of its first result. Operations without such attributes are not changed.
    """
    for name, attribute in op.held_attributes.items():
        if (
            isinstance(attribute, DenseElementsAttr)
            and isinstance(attribute.type, RankedTensorType)
            and op.results
        ):
            type = encoded(attribute.type, tile_type(op.results[0]).encoding)
            op.attributes[name] = DenseElementsAttr(type, attribute.data)
