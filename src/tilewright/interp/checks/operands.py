"""Descriptions of the operands that an elementwise operation had at the element of a finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tilewright.interp.numerics.element import decode
from tilewright.interp.numerics.integers import signed_view, unsigned_view
from tilewright.interp.values import first_element, text, tile_format
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.declaration.traits import Elementwise
from tilewright.ir.operation import Operation

_UNSIGNED = frozenset({"unsigned", "no_unsigned_wrap"})
"""The texts of attributes of operations that read their operands as unsigned numbers."""


def operands_at(op: Operation, operands: Sequence[Any], mask: Any) -> str:
    """Return a phrase for the first set element of a mask, and the operands of an element-wise operation
    there: `` at element [3], from 1.0 and 0.0``.
    """
    where = first_element(mask)
    if not op.has_trait(Elementwise) or (not np.ndim(mask) and any(np.ndim(one) for one in operands)):
        return where
    index = tuple(np.argwhere(mask)[0]) if np.ndim(mask) else ()
    pairs = zip(op.operands, operands, strict=True)
    listed = [str(_numbers(op, value.type, given)[index]) for value, given in pairs]
    return f"{where}, from {' and '.join(listed)}"


def _numbers(op: Operation, type: Any, given: Any) -> Any:
    """Return the elements of an operand as numbers."""
    if isinstance(type.element_type, FloatType):
        return np.asarray(decode(given, tile_format(type)))
    readings = [getattr(op, name, None) for name in ("signedness", "overflow")]
    is_unsigned = any(one is not None and text(one) in _UNSIGNED for one in readings)
    return np.asarray((unsigned_view if is_unsigned else signed_view)(given))
