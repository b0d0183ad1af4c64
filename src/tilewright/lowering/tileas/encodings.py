"""The layouts in the types of tiles: how passes put them there, and how they take them away."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilewright.ir.attribute import Attribute
from tilewright.ir.builtin_attributes import DenseElementsAttr
from tilewright.ir.builtin_types import RankedTensorType
from tilewright.ir.operation import Operation
from tilewright.ir.value import Value

LayoutOf = Callable[[RankedTensorType], Attribute | None]
"""The encoding that the type of a tile should have."""


def encode(root: Operation, layout_of: LayoutOf) -> int:
    """Give the types of all tiles inside of an operation other encodings; answers how many types changed.

    The types of constants change with those of their values, so that the module stays valid.
    """
    changed = 0
    for value in values_in(root):
        type = value.type
        if isinstance(type, RankedTensorType):
            value.type = encoded(type, layout_of(type))
            changed += value.type is not type
    for op in root.walk():
        _encode_constants(op, layout_of)
    return changed


def values_in(root: Operation) -> Iterator[Value]:
    """What the operations inside of an operation define."""
    for op in root.walk():
        yield from op.results
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments


def encoded(type: RankedTensorType, layout: Attribute | None) -> RankedTensorType:
    """The type with another encoding."""
    return RankedTensorType(type.shape, type.element_type, layout)


def _encode_constants(op: Operation, layout_of: LayoutOf) -> None:
    for name, attribute in op.held_attributes.items():
        if (
            isinstance(attribute, DenseElementsAttr)
            and isinstance(attribute.type, RankedTensorType)
            and op.results
        ):
            type = encoded(attribute.type, layout_of(attribute.type))
            op.attributes[name] = DenseElementsAttr(type, attribute.data)
