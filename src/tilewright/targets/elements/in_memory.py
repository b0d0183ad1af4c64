"""Conversion of elements between their register and memory representations, on any number of lanes."""

from __future__ import annotations

from tilewright.dialects.llvm.enums import IntegerPredicate
from tilewright.dialects.llvm.ops.arithmetic import ICmpOp
from tilewright.dialects.llvm.ops.conversion import TruncOp, ZExtOp
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import VectorType, i1, i32, tf32
from tilewright.ir.value import Value
from tilewright.targets.elements.element_types import memory_type, register_type
from tilewright.targets.elements.expression import Expression
from tilewright.targets.elements.tf32 import without_low_bits
from tilewright.targets.llvm.code import LlvmBuilder


def from_memory(code: LlvmBuilder, held: Value, element: Type) -> Value:
    """Convert a loaded value to its register representation; tf32 drops the low bits of its memory word."""
    if element is tf32:
        bits = without_low_bits(Expression(code, held).as_type(i32))
        return bits.as_type(register_type(element)).value
    wanted = register_type(element)
    if wanted is i1:  # a nonzero byte is true
        return code(ICmpOp, IntegerPredicate.NE, held, code.integer(0, held.type))
    return held if memory_type(element) is wanted else code(TruncOp, held, type=_like(held.type, wanted))


def to_memory(code: LlvmBuilder, value: Value, element: Type) -> Value:
    """Convert a register value to its memory representation."""
    wanted = memory_type(element)
    return value if register_type(element) is wanted else code(ZExtOp, value, type=_like(value.type, wanted))


def _like(type: Type, element: Type) -> Type:
    return VectorType(type.shape, element) if isinstance(type, VectorType) else element
