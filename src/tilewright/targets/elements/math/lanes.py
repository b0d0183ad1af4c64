"""Calls of functions that `library` adds to a module; their names contain function and type."""

from __future__ import annotations

from tilewright.ir.attribute import Type
from tilewright.targets.elements.expression import Expression, type_suffix

ALIGNMENT = 64
"""The alignment of tables, and of memory for vectors, in bytes."""
PREFIX = "tilewright.math."


def called(name: str, *operands: Expression, type: Type | None = None) -> Expression:
    """Call a function of this package. The result has the type of the first operand, or `type`."""
    first = operands[0]
    return first.call(f"{PREFIX}{name}.{type_suffix(first.type)}", *operands[1:], type=type)
