"""Calls of functions that `library` adds to a module, by names that say function and type."""

from __future__ import annotations

from tilewright.ir.attribute import Type
from tilewright.targets.elements.expression import Expression, type_suffix

ALIGNMENT = 64
"""Bytes that tables, and memory which vectors go through, begin at a multiple of."""
PREFIX = "tilewright.math."


def called(name: str, *operands: Expression, type: Type | None = None) -> Expression:
    """A function of this package, as one function of the module; the result is of the first operand's type, or another."""
    first = operands[0]
    return first.call(f"{PREFIX}{name}.{type_suffix(first.type)}", *operands[1:], type=type)
