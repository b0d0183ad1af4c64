"""Attributes of the standard dialects, translated to attributes of ``llvm``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.dialects.arith.attributes import FastMathFlagsAttr as ArithFlagsAttr
from tilewright.dialects.arith.attributes import IntegerOverflowFlagsAttr
from tilewright.dialects.llvm.enums import FastMathFlags, FastMathFlagsAttr, IntegerOverflowFlags
from tilewright.dialects.llvm.kinds import OVERFLOW
from tilewright.ir.attribute import Attribute
from tilewright.ir.operation import Operation


def _fast_math(attribute: Any) -> Attribute:
    """Return the flags of `llvm`; the two dialects number them differently."""
    if not isinstance(attribute, ArithFlagsAttr):
        return attribute
    flags = FastMathFlags.NONE
    for flag in attribute.value:
        flags |= FastMathFlags[flag.name or "NONE"]
    return FastMathFlagsAttr(flags)


def _overflow(attribute: Any) -> Attribute:
    if not isinstance(attribute, IntegerOverflowFlagsAttr):
        return attribute
    return OVERFLOW.to_attribute(IntegerOverflowFlags(attribute.value.value))


TRANSLATIONS: dict[str, tuple[str, Callable[[Any], Attribute]]] = {
    "fastmath": ("fastmathFlags", _fast_math),
    "overflowFlags": ("overflowFlags", _overflow),
}
"""For each name of an attribute: its name in ``llvm``, and the function that translates its value.

All other attributes are copied unchanged.
"""

LLVM_NAMES = {name for name, _ in TRANSLATIONS.values()}
"""The translated names, which are copied only to operations that declare an attribute of the name."""


def translated(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """Return the attributes of an operation as attributes of ``llvm``."""
    found: dict[str, Attribute] = {}
    for name, value in attributes.items():
        if name in TRANSLATIONS:
            name, change = TRANSLATIONS[name]
            value = change(value)
        found[name] = value
    return found


def fast_math(op: Operation) -> dict[str, Any]:
    """Return the fast-math flags of an operation, as an argument of an LLVM operation."""
    given = op.held_attributes.get("fastmath")
    if given is None:
        return {}
    attribute: Any = _fast_math(given)
    return {"fastmathFlags": attribute.value}
