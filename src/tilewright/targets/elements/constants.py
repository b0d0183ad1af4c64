"""Constants of the program as registers hold them, and as memory does."""

from __future__ import annotations

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import DenseElementsAttr, FloatAttr, IntegerAttr, dense
from tilewright.ir.builtin_types import FloatType, RankedTensorType, i1, i8
from tilewright.ir.value import Value
from tilewright.lowering.llvm_types.element_forms import PACKED_BITS, is_packed
from tilewright.targets.elements.types import memory_type, register_type
from tilewright.targets.llvm.code import Code


def constant_value(code: Code, attribute: Attribute, element: Type) -> Value:
    """A scalar constant as registers hold it."""
    held = register_type(element)
    if isinstance(attribute, FloatAttr) and isinstance(element, FloatType) and held is not element:
        return _converted(code, attribute.bits, element, held)
    if isinstance(attribute, IntegerAttr):
        return code.constant(IntegerAttr(held, attribute.value), held)
    return code.constant(attribute, held)


def _converted(code: Code, bits: int, element: FloatType, held: Type) -> Value:
    if isinstance(held, FloatType):  # tf32 is an f32 without its low bits
        return code.constant(FloatAttr(held, bits << held.width - element.width), held)
    return code.constant(IntegerAttr(held, bits), held)


def in_memory(attribute: DenseElementsAttr) -> DenseElementsAttr:
    """Constant elements as memory holds them: a bit takes a byte, floats that LLVM lacks are bits or wider."""
    element = attribute.element_type
    held = memory_type(element)
    if held is element:
        return attribute
    patterns = attribute.patterns()
    values = patterns if len(patterns) == attribute.count else patterns * attribute.count
    shaped = RankedTensorType(attribute.shape, held)
    if isinstance(held, FloatType):
        assert isinstance(element, FloatType), "only floats are held as floats"
        shift = held.width - element.width  # tf32 is an f32 without its low bits
        return DenseElementsAttr(shaped, b"".join((bits << shift).to_bytes(4, "little") for bits in values))
    return dense(shaped, [bits & 1 for bits in values] if element is i1 else values)


def in_program_memory(attribute: DenseElementsAttr) -> DenseElementsAttr:
    """Elements of a global: as `in_memory`, but for those of which two share a byte."""
    if not is_packed(attribute.element_type):
        return in_memory(attribute)
    patterns = attribute.patterns()
    bits = patterns if len(patterns) == attribute.count else patterns * attribute.count
    pairs = zip(bits[::2], bits[1::2], strict=True)
    return dense(
        RankedTensorType((attribute.count // 2,), i8), [low | high << PACKED_BITS for low, high in pairs]
    )
