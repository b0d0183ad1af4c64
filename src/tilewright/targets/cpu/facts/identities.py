"""The identity elements of operations that combine elements."""

from __future__ import annotations

from typing import Any

from tilewright.dialects.arith import ops_float as floats
from tilewright.dialects.arith import ops_integer as integers
from tilewright.dialects.nv_tileas.ops_arith import also_on_tiles, of_both
from tilewright.ir.builtin_types import FloatType, IntegerType
from tilewright.ir.operation import Operation

IDENTITIES: dict[type[Operation], float] = also_on_tiles(
    {
        floats.AddFOp: -0.0,
        floats.MulFOp: 1.0,
        floats.MaximumFOp: float("-inf"),
        floats.MinimumFOp: float("inf"),
        floats.MaxNumFOp: float("nan"),
        floats.MinNumFOp: float("nan"),
        integers.AddIOp: 0,
        integers.MulIOp: 1,
        integers.OrIOp: 0,
        integers.XOrIOp: 0,
        integers.AndIOp: -1,
        integers.MaxUIOp: 0,
        integers.MinUIOp: -1,
    }
)
"""The identity element of operations."""
LARGER, SMALLER = of_both(integers.MaxSIOp), of_both(integers.MinSIOp)
"""The operations whose identity is the minimum or the maximum of the signed integers."""


def identity_of(op: type[Operation], element: Any) -> Any:
    """Return the identity element of an operation on elements of a type; None if there is none."""
    if isinstance(element, IntegerType) and (op in LARGER or op in SMALLER):
        least = -(1 << (element.width - 1))
        return least if op in LARGER else -least - 1
    number = IDENTITIES.get(op)
    return number if isinstance(element, FloatType) == isinstance(number, float) else None
