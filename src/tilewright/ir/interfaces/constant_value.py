"""Facts about a value that are known without running the program."""

from __future__ import annotations

from tilewright.ir.attribute import Attribute
from tilewright.ir.declaration.traits import ConstantLike
from tilewright.ir.value import OpResult, Value


def constant_value(value: Value) -> Attribute | None:
    """Return the attribute of a value that a constant operation defines, or None."""
    if type(value) is OpResult:
        op = value.owner
        if ConstantLike in op.kind.trait_classes:
            return op.held_attributes.get("value")
    return None
