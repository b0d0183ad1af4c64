"""The identity elements of operations that combine elements."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith.algebra import FLOATS, INTEGERS
from tilewright.dialects.common.constant_folding import bit_width
from tilewright.dialects.nv_tileas.ops_arith import also_on_tiles
from tilewright.ir.arithmetic.twos_complement import to_signed
from tilewright.ir.builtin_types import FloatType
from tilewright.ir.operation import Operation

OF_INTEGERS = also_on_tiles({op: row.identity for op, row in INTEGERS.items() if row.commutes})
OF_FLOATS = also_on_tiles({op: row.identity for op, row in FLOATS.items() if row.commutes})
"""The identity element, as a float, of each commutative operation on floats."""


def identity_of(op: type[Operation], element: Any) -> Any:
    """Return the identity element of an operation on elements of a type, as a float or as a signed integer of
    the type; None if there is none.
    """
    if isinstance(element, FloatType):
        return OF_FLOATS.get(op)
    identity, width = OF_INTEGERS.get(op), bit_width(element)
    return to_signed(identity(width), width) if identity is not None else None
