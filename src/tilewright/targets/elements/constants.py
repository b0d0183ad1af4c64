"""Constants of the program in their register representation, and in their memory representation."""

from __future__ import annotations

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr, dense
from tilewright.ir.builtin_types import FloatType, RankedTensorType, i1, i8
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.element_forms import PACKED_BITS, is_packed
from tilewright.targets.elements.element_types import memory_type, register_type
from tilewright.targets.llvm.code import LlvmBuilder


def constant_value(code: LlvmBuilder, attribute: Attribute, element: Type) -> Value:
    """Return a scalar constant as a register value."""
    held = register_type(element)
    if isinstance(attribute, FloatAttr) and isinstance(element, FloatType) and held is not element:
        return _converted(code, attribute.bits, element, held)
    if isinstance(attribute, IntegerAttr):
        return code.constant(IntegerAttr(held, attribute.value), held)
    return code.constant(attribute, held)


def _converted(code: LlvmBuilder, bits: int, element: FloatType, held: Type) -> Value:
    if isinstance(held, FloatType):  # tf32 is an f32 with zero low bits
        return code.constant(FloatAttr(held, bits << held.width - element.width), held)
    return code.constant(IntegerAttr(held, bits), held)


def in_memory(attribute: DenseElementsAttr) -> DenseElementsAttr:
    """Return constant elements in memory representation: an i1 takes a byte; floats that LLVM lacks are bits
    or wider floats.
    """
    element = attribute.element_type
    held = memory_type(element)
    if held is element:
        return attribute
    patterns = attribute.patterns()
    values = patterns if len(patterns) == attribute.count else patterns * attribute.count
    shaped = RankedTensorType(attribute.shape, held)
    if isinstance(held, FloatType):
        assert isinstance(element, FloatType), "a register of a float type needs a float element"
        shift = held.width - element.width  # tf32 is an f32 with zero low bits
        return DenseElementsAttr(shaped, b"".join((bits << shift).to_bytes(4, "little") for bits in values))
    return dense(shaped, [bits & 1 for bits in values] if element is i1 else values)


def in_program_memory(attribute: DenseElementsAttr) -> DenseElementsAttr:
    """Return the elements of a global as `in_memory` does, with two packed elements in each byte."""
    if not is_packed(attribute.element_type):
        return in_memory(attribute)
    patterns = attribute.patterns()
    bits = patterns if len(patterns) == attribute.count else patterns * attribute.count
    pairs = zip(bits[::2], bits[1::2], strict=True)
    return dense(
        RankedTensorType((attribute.count // 2,), i8), [low | high << PACKED_BITS for low, high in pairs]
    )
