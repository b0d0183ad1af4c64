"""Constants as numbers of their parts, and as bytes in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.dialects.llvm.attributes import PoisonAttr, UndefAttr, ZeroAttr
from tilewright.dialects.llvm.types import LLVMArrayType, LLVMStructType
from tilewright.ir import builtin_attributes
from tilewright.ir.attribute import Attribute, Type
from tilewright.targets.nvptx.nvvm_to_ptx.legal import RegisterSlot, lanes_of, slots

NOTHING = (UndefAttr, PoisonAttr, ZeroAttr, builtin_attributes.UnitAttr)
"""Attributes whose parts are zero."""


class UnwritableConstant(Exception):
    """Raised for a constant without a form in PTX."""


def numbers(value: Attribute | None, type: Type) -> list[int]:
    """Return the bits of each part of a constant, as `legal.slots` lists the parts; of a string, its bytes.
    None and undefined constants are zero.

    Raises:
        UnwritableConstant: the constant has no form.
    """
    if value is None or isinstance(value, NOTHING):
        return [0] * len(slots(type))
    if isinstance(value, builtin_attributes.StringAttr):
        return list(value.value.encode("latin-1", errors="surrogateescape"))
    if isinstance(value, builtin_attributes.ArrayAttr):
        return _members(list(value), type)
    return _packed(_elements(value, _element_count(type)), type)


def _members(values: Sequence[Attribute], type: Type) -> list[int]:
    if isinstance(type, LLVMStructType):
        pairs = zip(values, type.body or (), strict=True)
        return [part for member, inner in pairs for part in numbers(member, inner)]
    element: Any = type
    return [part for member in values for part in numbers(member, element.element_type)]


def _element_count(type: Type) -> int:
    """Return the number of elements of a type: the lanes of a vector, or the elements of nested arrays; 1 for
    a scalar.
    """
    if isinstance(type, LLVMArrayType):
        return type.count * _element_count(type.element_type)
    return lanes_of(type)


def _elements(value: Attribute, count: int) -> list[int]:
    """Return the bits of `count` elements; a splat is repeated. Raises `UnwritableConstant` for an attribute of
    another class.
    """
    match value:
        case builtin_attributes.IntegerAttr():
            return [value.value] * count
        case builtin_attributes.FloatAttr():
            return [value.bits] * count
        case builtin_attributes.DenseElementsAttr():
            found = value.patterns()
            return found * count if len(found) == 1 else found
        case builtin_attributes.DenseArrayAttr():
            return list(value.values)
        case _:
            raise UnwritableConstant(str(value))


def _packed(elements: Sequence[int], type: Type) -> list[int]:
    """Return the bits of the parts of a value of `type` from the bits of its elements: vectors of 16-bit
    floats are joined in pairs, and integers of 128 bits are split in halves.
    """
    found, at = list[int](), 0
    for slot in slots(type):
        if slot.bits == 64 and slot.width == 64 and _is_half(slot):
            found.append(elements[at // 2] >> 64 * (at % 2) & (1 << 64) - 1)
            at += 1
            continue
        group = elements[at : at + slot.lanes]
        found.append(
            sum((one & (1 << slot.width) - 1) << slot.width * lane for lane, one in enumerate(group))
        )
        at += slot.lanes
    return found


def _is_half(slot: RegisterSlot) -> bool:
    return getattr(slot.element, "width", 64) == 128
