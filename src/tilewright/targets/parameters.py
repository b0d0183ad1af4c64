"""Kernel parameters, as launchers use them."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.runtime.description import Parameter


def parameter_of(type: Type) -> Parameter:
    """Return how a launcher passes an argument of type `type`: the name of its element type, and whether by
    pointer. A pointer without elements, and any other type, counts as ``i64``.
    """
    if isinstance(type, PtrType):
        return parameter_of(type.pointee).replace(is_pointer=True)
    if isinstance(type, IntegerType | FloatType):
        return Parameter(type.spelling)
    return Parameter("i64")  # a pointer without elements, or an index: both have 64 bits
