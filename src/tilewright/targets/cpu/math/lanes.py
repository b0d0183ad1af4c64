"""Calls of functions: those that `library` adds to a module, by names that say function and type."""

from __future__ import annotations

from tilewright.targets.cpu.elementwise_expression import Expression, type_suffix

VECTOR_PREFIX = "tilewright.math."
LANES_PREFIX = "tilewright.lanes."
C_SUFFIXES = {32: "f", 64: ""}
"""How the C library names its functions by the width of the float."""


def c_name(name: str, width: int) -> str:
    """The symbol of a function of the C library."""
    return name + C_SUFFIXES[width]


def by_lanes(name: str, *operands: Expression) -> Expression:
    """A function of the C library on each lane."""
    first = operands[0]
    if first.lanes == 1:
        return first.call(c_name(name, first.element.width), *operands[1:])
    return first.call(f"{LANES_PREFIX}{name}.{type_suffix(first.type)}", *operands[1:])


def called(name: str, *operands: Expression) -> Expression:
    """A function of this package, as one function of the module."""
    first = operands[0]
    return first.call(f"{VECTOR_PREFIX}{name}.{type_suffix(first.type)}", *operands[1:])
