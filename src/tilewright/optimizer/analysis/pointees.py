"""Element types in memory: the distance of neighbouring elements in bytes."""

from __future__ import annotations

from tilewright.dialects.cuda_tile.types import PointerType
from tilewright.dialects.nv_tileaa.types import PtrType
from tilewright.ir.attribute import Type
from tilewright.ir.builtin_types import FloatType, IntegerType, f4E2M1FN, tf32

_BYTES: dict[Type, int] = {tf32: 4}
"""The size in bytes of element types whose size does not follow from their width."""


def stored_bytes(element: Type) -> int | None:
    """Return the distance in bytes of neighbouring elements in memory; None for f4 (two share a byte), and
    for a type that is no element.
    """
    if element is f4E2M1FN or not isinstance(element, IntegerType | FloatType):
        return None
    return _BYTES.get(element) or max(1, element.width // 8)


def step_of(element: Type) -> int:
    """Return the step in which elements count up: the pointee's bytes for pointers, 1 for everything else."""
    return (stored_bytes(element.pointee) or 1) if isinstance(element, PointerType | PtrType) else 1
