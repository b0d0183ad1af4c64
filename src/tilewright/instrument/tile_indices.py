"""``memcheck`` of accesses to views: whether their indices are inside of the index space.

A store to a tile that lies outside of its view altogether has no effect, and no error. Nothing is accessed,
so no check of addresses finds it. This marks each access with the check; the conversion to `nv_tileaa`
computes the condition.
"""

from __future__ import annotations

from tilewright.dialects.cuda_tile.assumptions import pads_on_purpose
from tilewright.dialects.cuda_tile.ops.memory import VIEW_ACCESSES, ViewAccess
from tilewright.dialects.nv_tileaa.discardable import CHECK
from tilewright.instrument.writer import steps
from tilewright.ir.builtin_attributes import StringAttr
from tilewright.ir.operation import Operation

NAME = "memcheck"


def insert(entry: Operation) -> int:
    """Mark the accesses to views in the kernel `entry`, so that their indices are checked, except loads with
    intended padding; return the number of newly marked accesses.
    """
    accesses = [op for op in steps(entry) if isinstance(op, VIEW_ACCESSES) and not pads_on_purpose(op)]
    return sum(mark_access(access, NAME) for access in accesses)


def mark_access(access: ViewAccess, check: str) -> bool:
    """Mark `access`, so that its indices are checked, and a failure is reported by the check called `check`.
    Return False, and keep the mark, if the access is already marked, also by another check.
    """
    if CHECK in access.attributes:
        return False
    access.attributes[CHECK] = StringAttr(check)
    return True
