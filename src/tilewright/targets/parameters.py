"""Parameters of kernels as launchers see them."""

from __future__ import annotations

from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.runtime.description import Parameter


def parameter_of(type: Type) -> Parameter:
    """The parameter of a type of a kernel's argument."""
    if isinstance(type, PtrType):
        return parameter_of(type.pointee).replace(is_pointer=True)
    if isinstance(type, IntegerType | FloatType):
        return Parameter(type.spelling)
    return Parameter("i64")  # an address without elements, or an index: 64 bits either way
