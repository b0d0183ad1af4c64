"""Constants of the program as registers hold them."""

from __future__ import annotations

from tilewright.ir.attribute import Attribute, Type
from tilewright.ir.builtin_attributes import FloatAttr, IntegerAttr
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.value import Value
from tilewright.targets.elements.types import register_type
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
