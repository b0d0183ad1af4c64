"""The attribute kinds of memref operations."""

from __future__ import annotations

from tilewright.dialects.arith.attributes import AtomicRMWKind
from tilewright.dialects.common.kinds import DescribedArrayKind, IntegerEnumKind
from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.arithmetic.affine import AffineMapAttr
from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.attribute_kind import ArrayKind, InstanceKind, IntegerKind, TypeKind


class PowerOfTwoKind(IntegerKind):
    """A 64-bit integer attribute that is a power of two; shown as an int."""

    def __init__(self) -> None:
        super().__init__()
        self.description += " whose value is positive and whose value is a power of two > 0"

    def accepts(self, attribute: Attribute) -> bool:
        if not (isinstance(attribute, builtin_attributes.IntegerAttr) and super().accepts(attribute)):
            return False
        return attribute.value > 0 and attribute.value & (attribute.value - 1) == 0


class BoundedKind(IntegerKind):
    """A 32-bit integer attribute from `minimum` to `maximum`, both included; shown as an int."""

    def __init__(self, minimum: int, maximum: int) -> None:
        super().__init__(builtin_types.i32, minimum=minimum)
        self.maximum = maximum
        self.description = (
            f"32-bit signless integer attribute whose minimum value is {minimum} "
            f"whose maximum value is {maximum}"
        )

    def accepts(self, attribute: Attribute) -> bool:
        return (
            isinstance(attribute, builtin_attributes.IntegerAttr)
            and super().accepts(attribute)
            and attribute.value <= self.maximum
        )


class PositiveKind(IntegerKind):
    """A positive 32-bit integer attribute; shown as an int."""

    def __init__(self) -> None:
        super().__init__(builtin_types.i32, minimum=1)
        self.description = "32-bit signless integer attribute whose value is positive"


class MemRefTypeKind(TypeKind):
    """A memref type as an attribute."""

    def __init__(self) -> None:
        super().__init__(builtin_types.MemRefType)
        self.description = "memref type attribute"


POWER_OF_TWO = PowerOfTwoKind()
LOCALITY = BoundedKind(0, 3)
POSITIVE = PositiveKind()
MEMREF_TYPE = MemRefTypeKind()
GROUPS = DescribedArrayKind(ArrayKind(IntegerKind()), "Array of 64-bit integer array attributes")
ATOMIC_KIND = IntegerEnumKind(AtomicRMWKind)
AFFINE_MAP = InstanceKind(AffineMapAttr, "AffineMap attribute")
