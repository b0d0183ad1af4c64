"""The names that values get in the custom syntax of Tile IR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.ir import builtin_attributes, builtin_types
from tilewright.ir.operation import Operation
from tilewright.ir.text.hooks import hook
from tilewright.ir.value import Value

_LARGEST = 1 << 64
"""Integral floats from this number on do not become part of a name."""


def constant_name(value: Any) -> str:
    """Return the name of a constant: ``cst_7_i32`` or ``cst_-7_i32`` if all elements are the same integral
    number, ``cst_NaN_f32`` for NaN, ``true`` or ``false`` for i1, else ``cst_f32``. A float that is negative
    or at least 2^64 is not part of the name. An attribute other than dense elements gives ``cst``.
    """
    if not isinstance(value, builtin_attributes.DenseElementsAttr):
        return "cst"
    element = value.element_type
    number = _number(compressed(value))
    if element is builtin_types.i1:
        return {"0": "false", "1": "true"}.get(number, "cst_i1")
    spelling = getattr(element, "spelling", "")
    return f"cst_{number}_{spelling}" if number else f"cst_{spelling}"


def compressed(value: builtin_attributes.DenseElementsAttr) -> builtin_attributes.DenseElementsAttr:
    """Return the elements as a splat if all are equal, else ``value`` itself."""
    size = value.element_bytes
    if value.count < 2 or value.is_splat or value.data != value.data[:size] * value.count:
        return value
    return builtin_attributes.DenseElementsAttr(value.type, value.data[:size])


def _number(value: builtin_attributes.DenseElementsAttr) -> str:
    """Return the number in the name of a constant, such as ``7`` or ``NaN``. Return an empty text if the
    elements are not a splat, and for a float that is infinite, fractional, negative, or at least `_LARGEST`.
    """
    if not value.is_splat or not value.count:
        return ""
    element, (pattern, *_) = value.element_type, value.patterns()
    if not isinstance(element, builtin_types.FloatType):
        number = builtin_attributes.wrap_integer(element, pattern)
        return str(number & 1) if element is builtin_types.i1 else str(number)
    if element.format.is_nan(pattern):
        return "NaN"
    if element.format.is_infinite(pattern):
        return ""
    number = element.format.decode(pattern)
    return str(int(number)) if number == int(number) and 0 <= number < _LARGEST else ""


def producer_name(value: Value) -> str:
    """Return the name that the defining operation suggests for a value; empty for block arguments, and for
    values without a suggestion.
    """
    owner: Any = value.owner
    ask = hook(owner, "result_name_hints") if isinstance(owner, Operation) else None
    hints: Sequence[str | None] = ask() if ask is not None else ()
    return (hints[value.index] if value.index < len(hints) else None) or ""


def assumption_name(op: Operation) -> str:
    """Return the name of the result of an `assume`: ``assume_`` and the name that the definition of the
    operand suggests, or ``assume`` if it suggests none. Nested assumptions repeat the prefix. In an invalid
    cycle of `assume` operations each is counted once, and no name follows.
    """
    owner, value = op, None
    chain: dict[Any, None] = {}
    while isinstance(owner, Operation) and owner.kind is op.kind and owner.operands and owner not in chain:
        chain[owner] = None
        value = owner.operands[0]
        owner = value.owner
    name = producer_name(value) if value is not None and owner not in chain else ""
    return "_".join(["assume"] * max(len(chain), 1) + ([name] if name else []))
