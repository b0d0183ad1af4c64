"""Constants of Tile IR, as folds make them."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile.ops.tile import ConstantOp
from tilewright.dialects.cuda_tile.types import TileType
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.operation import Operation


def materialize_constant(value: Attribute, type: Type, location: Any) -> Operation | None:
    """Return a ``cuda_tile.constant`` for dense elements of the tile type `type`. Return None for other
    attributes and types, and for tiles of ``i4``, which cannot be constants.
    """
    if not isinstance(value, builtin_attributes.DenseElementsAttr) or value.type is not type:
        return None
    if not isinstance(type, TileType) or type.element_type is builtin_types.i4:
        return None
    attributes: dict[str, Attribute] = {"value": value}
    return Operation.from_parts(ConstantOp.op_kind, (), (type,), attributes, location=location)
