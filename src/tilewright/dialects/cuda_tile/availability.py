"""The first bytecode version in which each type exists."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.cuda_tile import enums as cuda_tile_enums, types as cuda_tile_types
from tilewright.dialects.cuda_tile.version import V13_1, V13_2, V13_3, V13_4, Version
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import f4E2M1FN, f8E8M0FNU, fnv8E5M3FNU, i4

SCALAR_SINCE: dict[Type, Version] = {f8E8M0FNU: V13_2, f4E2M1FN: V13_3, i4: V13_3, fnv8E5M3FNU: V13_4}
"""The first version of each scalar type that the first bytecode version lacks."""
CLASS_SINCE: dict[type[Type], Version] = {
    cuda_tile_types.GatherScatterViewType: V13_3,
    cuda_tile_types.StridedViewType: V13_3,
}
"""The first version of each type class that the first bytecode version lacks."""
POINTER_ATTRIBUTE_SINCE = V13_4
"""The version that gave pointers and tensor views their optional attribute."""


def type_since(type_: Type) -> Version:
    """Return the first version that can express a type, with its element type, pointee or tensor view. The
    parts of a function type are not examined.
    """
    since = max(SCALAR_SINCE.get(type_, V13_1), CLASS_SINCE.get(type(type_), V13_1))
    if (
        isinstance(type_, cuda_tile_types.PointerType | cuda_tile_types.TensorViewType)
        and type_.attribute is not None
    ):
        case = cuda_tile_enums.PtrAttrAttr.case_since.get(type_.attribute, V13_1)
        since = max(since, POINTER_ATTRIBUTE_SINCE, case)
    parts: Any = type_
    for name in ("element_type", "pointee", "tensor_view"):
        inner = getattr(parts, name, None)
        if isinstance(inner, Type):
            since = max(since, type_since(inner))
    return since
